//! What was edited, by whom, and how to take it back. A call's edits form one group: one undo step.

use std::collections::HashMap;
use std::collections::VecDeque;

use base::{Actor, CallId, Problem, Revision, Tick};

use crate::edit::Slot;
use crate::{Edit, Scene};

/// Groups kept; older ones can no longer be undone. Enough for a day's work of a busy agent.
pub const MOST_GROUPS: usize = 2_000;

/// The edits of one call.
#[derive(Debug, Clone)]
pub struct Group {
    /// The group's own number, ascending.
    pub number: u64,
    /// The call that made them.
    pub call: CallId,
    /// Who called.
    pub actor: Actor,
    /// The tool.
    pub tool: String,
    /// The tick at which they were sealed.
    pub tick: Tick,
    /// One line for people.
    pub summary: String,
    /// Whether it is undone at present.
    pub undone: bool,
    /// What takes it back, in the order of application.
    back: Vec<Edit>,
}

/// A group that is still being written.
#[derive(Debug)]
pub struct OpenGroup {
    number: u64,
    back: Vec<Edit>,
}

impl OpenGroup {
    /// How many edits it holds.
    pub fn len(&self) -> usize {
        self.back.len()
    }

    /// Whether nothing was edited.
    pub fn is_empty(&self) -> bool {
        self.back.is_empty()
    }
}

/// What an undo or a redo came to.
#[derive(Debug, Default)]
pub struct Undone {
    /// Groups taken back (or brought back), newest first.
    pub groups: Vec<Group>,
    /// Slots left alone because a later group wrote them, as `field of entity: reason`.
    pub skipped: Vec<String>,
}

/// All groups, oldest first.
#[derive(Debug, Default)]
pub struct History {
    groups: VecDeque<Group>,
    // The groups that wrote each slot and are not undone, oldest first: the last one owns it. A hash map is fine
    // here: nothing depends on the order in which it is walked.
    owners: HashMap<Slot, Vec<u64>>,
    next: u64,
    revision: Revision,
}

/// How edits reach the scene: directly in tests, through the world where physics and scripts follow.
pub trait Apply {
    /// Applies an edit and returns its inverse.
    fn apply(&mut self, edit: Edit) -> Result<Edit, Problem>;
}

impl Apply for Scene {
    fn apply(&mut self, edit: Edit) -> Result<Edit, Problem> {
        edit.apply(self)
    }
}

impl History {
    /// The state of the history: one more for each sealed group, undo and redo.
    pub fn revision(&self) -> Revision {
        self.revision
    }

    /// All groups, oldest first.
    pub fn groups(&self) -> impl DoubleEndedIterator<Item = &Group> + ExactSizeIterator {
        self.groups.iter()
    }

    /// Opens a group. Several may be open at once; each owns what it writes from the moment of writing.
    pub fn open(&mut self) -> OpenGroup {
        self.next += 1;
        OpenGroup { number: self.next, back: Vec::new() }
    }

    /// Applies an edit as part of an open group.
    pub fn edit(
        &mut self,
        group: &mut OpenGroup,
        target: &mut impl Apply,
        edit: Edit,
    ) -> Result<(), Problem> {
        let slots = edit.slots();
        let inverse = target.apply(edit)?;
        self.own(group, slots, inverse);
        Ok(())
    }

    /// Makes an edit that was applied already part of an open group; `inverse` takes it back.
    pub fn note(&mut self, group: &mut OpenGroup, edit: &Edit, inverse: Edit) {
        self.own(group, edit.slots(), inverse);
    }

    fn own(&mut self, group: &mut OpenGroup, slots: Vec<Slot>, inverse: Edit) {
        for slot in slots {
            let owners = self.owners.entry(slot).or_default();
            if owners.last() != Some(&group.number) {
                owners.push(group.number);
            }
        }
        group.back.push(inverse);
    }

    /// Closes a group as one undo step. An empty one leaves no trace. Gives the group's number, if it has one.
    pub fn seal(
        &mut self,
        group: OpenGroup,
        call: CallId,
        actor: Actor,
        tool: impl Into<String>,
        tick: Tick,
        summary: impl Into<String>,
    ) -> Option<u64> {
        if group.back.is_empty() {
            return None;
        }
        let number = group.number;
        self.groups.push_back(Group {
            number,
            call,
            actor,
            tool: tool.into(),
            tick,
            summary: summary.into(),
            undone: false,
            back: group.back,
        });
        if self.groups.len() > MOST_GROUPS
            && let Some(old) = self.groups.pop_front()
        {
            self.owners.retain(|_, owners| {
                owners.retain(|owner| *owner != old.number);
                !owners.is_empty()
            });
        }
        self.revision = self.revision.next();
        Some(number)
    }

    /// Takes back everything an open group wrote and still owns; it leaves no trace. Gives what was left alone.
    pub fn revert(&mut self, group: OpenGroup, target: &mut impl Apply) -> Vec<String> {
        let mut skipped = Vec::new();
        self.walk(Way::Back, group.number, group.back, target, &mut skipped);
        skipped
    }

    /// Takes back the latest `steps` groups of `actor` that are not undone yet, or the one of `call`.
    pub fn undo(
        &mut self,
        target: &mut impl Apply,
        actor: &Actor,
        steps: usize,
        call: Option<CallId>,
    ) -> Result<Undone, Problem> {
        let mut undone = Undone::default();
        for _ in 0..steps.max(1) {
            let found = self.groups.iter().rposition(|group| {
                !group.undone
                    && match call {
                        Some(call) => group.call == call,
                        None => group.actor == *actor,
                    }
            });
            let Some(position) = found else { break };
            let Some(group) = self.groups.get_mut(position) else { break };
            group.undone = true;
            let (number, back) = (group.number, std::mem::take(&mut group.back));
            let kept = back.clone();
            let again = self.walk(Way::Back, number, back, target, &mut undone.skipped);
            if again.is_empty()
                && !kept.is_empty()
                && let Some(group) = self.groups.get_mut(position)
            {
                // Nothing of it could be taken back: it stays to be undone once what stands on it is gone.
                group.undone = false;
                group.back = kept;
                break;
            }
            if let Some(group) = self.groups.get_mut(position) {
                group.back = again;
                undone.groups.push(Group { back: Vec::new(), ..group.clone() });
            }
            self.revision = self.revision.next();
        }
        if undone.groups.is_empty() && !undone.skipped.is_empty() {
            return Err(owned("taken back", &undone.skipped));
        }
        if undone.groups.is_empty() {
            return Err(match call {
                Some(call) => {
                    Problem::new("nothing_to_undo", format!("call {call} made no edits that can be undone"))
                }
                None => {
                    Problem::new("nothing_to_undo", format!("`{actor}` made no edits that can be undone"))
                }
            }
            .hint("history_list shows every group with its actor and call"));
        }
        Ok(undone)
    }

    /// Brings back the latest `steps` groups of `actor` that are undone, the most recently undone first.
    pub fn redo(&mut self, target: &mut impl Apply, actor: &Actor, steps: usize) -> Result<Undone, Problem> {
        let mut redone = Undone::default();
        for _ in 0..steps.max(1) {
            // Undo goes from the newest group backwards, so the oldest undone one is the one undone last.
            let found = self.groups.iter().position(|group| group.undone && group.actor == *actor);
            let Some(position) = found else { break };
            let Some(group) = self.groups.get_mut(position) else { break };
            group.undone = false;
            let (number, again) = (group.number, std::mem::take(&mut group.back));
            let kept = again.clone();
            let back = self.walk(Way::Again, number, again, target, &mut redone.skipped);
            if back.is_empty()
                && !kept.is_empty()
                && let Some(group) = self.groups.get_mut(position)
            {
                group.undone = true;
                group.back = kept;
                break;
            }
            if let Some(group) = self.groups.get_mut(position) {
                group.back = back;
                redone.groups.push(Group { back: Vec::new(), ..group.clone() });
            }
            self.revision = self.revision.next();
        }
        if redone.groups.is_empty() && !redone.skipped.is_empty() {
            return Err(owned("brought back", &redone.skipped));
        }
        if redone.groups.is_empty() {
            return Err(Problem::new(
                "nothing_to_redo",
                format!("`{actor}` has undone nothing that can be redone"),
            ));
        }
        Ok(redone)
    }

    /// Forgets every group: the timeline they belong to is over.
    pub fn clear(&mut self) {
        self.groups.clear();
        self.owners.clear();
        self.revision = self.revision.next();
    }

    /// Applies `edits` in reverse, each only where no later group owns its slot, and moves the ownership along.
    /// Gives what would walk the other way.
    fn walk(
        &mut self,
        way: Way,
        number: u64,
        edits: Vec<Edit>,
        target: &mut impl Apply,
        skipped: &mut Vec<String>,
    ) -> Vec<Edit> {
        let mut opposite = Vec::with_capacity(edits.len());
        let mut walked = Vec::new();
        for edit in edits.into_iter().rev() {
            let owners = &self.owners;
            let kept = edit.restricted(|slot| {
                let later =
                    owners.get(slot).and_then(|owners| owners.last()).is_some_and(|owner| *owner > number);
                if later {
                    skipped.push(format!("{}: a later edit owns it", describe(slot)));
                }
                !later
            });
            let Some(edit) = kept else { continue };
            let slots = edit.slots();
            match target.apply(edit) {
                Ok(inverse) => {
                    opposite.push(inverse);
                    walked.extend(slots);
                }
                Err(problem) => skipped.push(problem.message),
            }
        }
        for slot in walked {
            let owners = self.owners.entry(slot).or_default();
            owners.retain(|owner| *owner != number);
            if way == Way::Again {
                owners.push(number);
            }
        }
        opposite
    }
}

/// Which way a group is walked.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    /// Taken back.
    Back,
    /// Brought back.
    Again,
}

fn describe(slot: &Slot) -> String {
    match slot {
        Slot::Existence(id) => format!("entity {id}"),
        Slot::Name(id) => format!("name of entity {id}"),
        Slot::Parent(id) => format!("parent of entity {id}"),
        Slot::Tags(id) => format!("tags of entity {id}"),
        Slot::Var(id, name) => format!("vars.{name} of entity {id}"),
        Slot::Component(id, kind) => format!("{} of entity {id}", kind.name()),
        Slot::Field(id, kind, field) => format!("{}.{field} of entity {id}", kind.name()),
        Slot::Environment => "environment".to_owned(),
    }
}

/// Every part of a group belongs to later edits.
fn owned(what: &str, skipped: &[String]) -> Problem {
    Problem::new("edit_owned", format!("nothing of it can be {what}: {}", skipped.join("; ")))
        .hint("undo the later edits first; history_list shows whose they are")
}

#[cfg(test)]
mod tests {
    use base::EntityId;
    use serde_json::json;

    use super::*;
    use crate::{ComponentKind, ComponentSet, Entity, EntityData, Var};

    fn id(number: u32) -> EntityId {
        EntityId::new(number).unwrap()
    }

    fn scene() -> Scene {
        let mut scene = Scene::default();
        let components: ComponentSet = serde_json::from_value(json!({"transform": {}, "light": {}})).unwrap();
        scene.insert(EntityData { id: id(1), entity: Entity::named("Lamp"), components });
        scene
    }

    fn light(fields: serde_json::Value) -> Edit {
        Edit::SetFields(id(1), ComponentKind::Light, fields.as_object().unwrap().clone())
    }

    fn agent(name: &str) -> Actor {
        Actor::from_client_name(name)
    }

    fn group(history: &mut History, scene: &mut Scene, call: u64, actor: &str, edits: Vec<Edit>) {
        let mut group = history.open();
        for edit in edits {
            history.edit(&mut group, scene, edit).unwrap();
        }
        history.seal(group, CallId(call), agent(actor), "entity_update", Tick(0), "").unwrap();
    }

    #[test]
    fn undo_and_redo_walk_the_same_states() {
        let (mut history, mut scene) = (History::default(), scene());
        let mut hashes = vec![scene.document_hash()];
        for (call, intensity) in [(1, 2), (2, 3), (3, 4)] {
            group(&mut history, &mut scene, call, "a", vec![light(json!({"intensity": intensity}))]);
            hashes.push(scene.document_hash());
        }
        for step in [2, 1, 0] {
            history.undo(&mut scene, &agent("a"), 1, None).unwrap();
            assert_eq!(scene.document_hash(), hashes[step]);
        }
        assert_eq!(history.undo(&mut scene, &agent("a"), 1, None).unwrap_err().code, "nothing_to_undo");
        for step in [1, 2, 3] {
            history.redo(&mut scene, &agent("a"), 1).unwrap();
            assert_eq!(scene.document_hash(), hashes[step]);
        }
    }

    #[test]
    fn an_undo_leaves_what_another_actor_wrote_since() {
        let (mut history, mut scene) = (History::default(), scene());
        group(&mut history, &mut scene, 1, "a", vec![light(json!({"intensity": 2, "range": 3}))]);
        group(&mut history, &mut scene, 2, "b", vec![light(json!({"range": 7}))]);
        let undone = history.undo(&mut scene, &agent("a"), 1, None).unwrap();
        assert_eq!(undone.skipped, ["light.range of entity 1: a later edit owns it"]);
        let light = scene.get::<crate::components::Light>(id(1)).unwrap();
        assert_eq!((light.intensity, light.range), (1.0, 7.0));
    }

    #[test]
    fn an_edit_that_others_wrote_over_stays_to_be_undone() {
        let (mut history, mut scene) = (History::default(), scene());
        let first = scene.document_hash();
        group(&mut history, &mut scene, 1, "a", vec![light(json!({"intensity": 2}))]);
        group(&mut history, &mut scene, 2, "b", vec![light(json!({"intensity": 3}))]);
        assert_eq!(history.undo(&mut scene, &agent("a"), 1, None).unwrap_err().code, "edit_owned");
        history.undo(&mut scene, &agent("b"), 1, None).unwrap();
        history.undo(&mut scene, &agent("a"), 1, None).unwrap();
        assert_eq!(scene.document_hash(), first);
        // The same the other way: what another actor wrote since is not brought back over.
        group(&mut history, &mut scene, 3, "c", vec![light(json!({"intensity": 9}))]);
        let now = scene.document_hash();
        assert_eq!(history.redo(&mut scene, &agent("a"), 1).unwrap_err().code, "edit_owned");
        assert_eq!(scene.document_hash(), now);
        history.undo(&mut scene, &agent("c"), 1, None).unwrap();
        history.redo(&mut scene, &agent("a"), 1).unwrap();
        assert_ne!(scene.document_hash(), first);
    }

    #[test]
    fn a_failed_call_leaves_no_trace() {
        let (mut history, mut scene) = (History::default(), scene());
        let before = scene.document_hash();
        let mut open = history.open();
        history
            .edit(&mut open, &mut scene, Edit::SetVar(id(1), "hp".into(), Some(Var::Number(1.0))))
            .unwrap();
        history.edit(&mut open, &mut scene, Edit::Despawn(id(1))).unwrap();
        assert_eq!(
            history.edit(&mut open, &mut scene, Edit::Despawn(id(1))).unwrap_err().code,
            "unknown_entity"
        );
        assert!(history.revert(open, &mut scene).is_empty());
        assert_eq!((scene.document_hash(), history.revision()), (before, Revision(0)));
    }
}
