//! Edits of tools on a live world: physics, scripts, animations and sounds follow the scene, and what is taken back
//! before a tick ran is as if it had never been.

use std::sync::Arc;

use base::{EntityId, Problem};
use scene::components::Script;
use scene::history::Apply;
use scene::{ComponentKind, Edit};
use wander::Value;

use super::World;
use crate::scripts::{Access, Effects, var_to_value};

/// Worlds remembered between two ticks at most: a batch of a thousand edits must not copy the world so often.
const MOST_MEMORIES: usize = 8;

impl Apply for World {
    /// Applies a tool's edit and lets physics, scripts and sounds follow.
    fn apply(&mut self, edit: Edit) -> Result<Edit, Problem> {
        let (touched, moves) = match &edit {
            Edit::Spawn(data) => (Some(data.id), true),
            Edit::SetParent(id, _) => (Some(*id), true),
            Edit::Despawn(id) | Edit::RemoveComponent(id, _) | Edit::AddComponent(id, _) => {
                (Some(*id), false)
            }
            Edit::SetFields(id, kind, _) => (Some(*id), *kind == ComponentKind::Transform),
            Edit::SetName(..) | Edit::SetTags(..) | Edit::SetVar(..) | Edit::SetEnvironment(_) => {
                (None, false)
            }
        };
        let memory = self.loses(&edit).then(|| Arc::new(Self { memories: Vec::new(), ..self.clone() }));
        let script_before = touched.and_then(|id| self.scene().columns.script.get(id).cloned());
        let sound_before = touched.and_then(|id| self.scene().columns.sound.get(id).cloned());
        let inverse = edit.apply(&mut self.scene)?;
        self.memories.extend(memory);
        if let Some(id) = touched {
            if self.scene.contains(id) {
                self.follow_script(id, script_before.as_ref());
                if self.scene.columns.sound.get(id) != sound_before.as_ref() {
                    self.sounds.stop_entity(id);
                    self.start_sound(id);
                }
            } else {
                self.forget(id);
            }
            self.place_all();
            self.settle();
            if moves {
                for below in self.scene.subtree(id) {
                    if let Some(place) = self.poses.places.get(below).copied() {
                        self.physics.teleport(below, &place);
                    }
                }
            }
            self.animations.follow(&self.scene, self.tick);
            self.poses.animations = self.animations.poses(&self.scene, self.content.rate, self.tick);
        }
        self.recall();
        Ok(inverse)
    }
}

impl World {
    /// Whether taking this edit back could not bring everything back: scripts have variables, bodies have motion.
    fn loses(&self, edit: &Edit) -> bool {
        if self.memories.len() >= MOST_MEMORIES {
            return false;
        }
        let columns = &self.scene.columns;
        let lives = |id: &EntityId| {
            columns.script.contains(*id)
                || columns.body.contains(*id)
                || columns.collider.contains(*id)
                || columns.sound.contains(*id)
                || columns.animation.contains(*id)
        };
        match edit {
            // Whoever comes may push others or do things as it begins.
            Edit::Spawn(data) => {
                let parts = &data.components;
                parts.script.is_some() || parts.body.is_some() || parts.collider.is_some()
            }
            Edit::Despawn(id) | Edit::SetParent(id, _) => self.scene.subtree(*id).iter().any(lives),
            Edit::SetFields(id, kind, _) | Edit::RemoveComponent(id, kind) => match kind {
                ComponentKind::Transform => self.scene.subtree(*id).iter().any(lives),
                kind => is_live(*kind),
            },
            Edit::AddComponent(_, value) => is_live(value.kind()),
            Edit::SetName(..) | Edit::SetTags(..) | Edit::SetVar(..) | Edit::SetEnvironment(_) => false,
        }
    }

    /// Keeps the world as it was before a change that edits alone could not take back.
    pub(super) fn remember(&mut self, before: Self) {
        if self.memories.len() < MOST_MEMORIES {
            self.memories.push(Arc::new(before));
        }
    }

    /// Where the scene is again what it was at some moment since the last tick, everything is.
    fn recall(&mut self) {
        let same = |memory: &Arc<Self>| {
            let (then, now) = (&memory.scene, &self.scene);
            then.columns == now.columns
                && then.entities == now.entities
                && then.environment == now.environment
        };
        let Some(found) = self.memories.iter().rposition(same) else { return };
        let Some(memory) = self.memories.get(found).cloned() else { return };
        self.memories.truncate(found);
        self.physics = memory.physics.clone();
        self.machine = memory.machine.clone();
        self.animations = memory.animations.clone();
        self.sounds = memory.sounds.clone();
        self.hud = memory.hud.clone();
        self.save = memory.save.clone();
        self.poses = memory.poses.clone();
        self.fresh = memory.fresh.clone();
        // The scene itself stays: it knows which ids were given since.
    }

    /// Changes an entity's script where its component changed. Other values for props reach the running script.
    fn follow_script(&mut self, id: EntityId, before: Option<&Script>) {
        let after = self.scene.columns.script.get(id).cloned();
        if after.as_ref() == before {
            return;
        }
        if let (Some(before), Some(after)) = (before, &after)
            && before.file == after.file
            && self.machine.owners().any(|owner| owner == id)
        {
            self.change_props(id, before, after);
            return;
        }
        self.machine.detach(id);
        let mut effects = Effects::default();
        if let Some(problem) = self.attach(id, &mut effects) {
            effects.warn(problem.message);
        }
        self.carry_out(&mut effects);
        self.pending_log.append(&mut effects.log);
    }

    fn change_props(&mut self, id: EntityId, before: &Script, after: &Script) {
        let mut defaults: Option<Vec<(String, Value)>> = None;
        for name in before.props.keys().filter(|name| !after.props.contains_key(*name)) {
            let defaults = defaults.get_or_insert_with(|| self.script_defaults(&after.file));
            if let Some((_, value)) = defaults.iter().find(|(known, _)| known.as_str() == &**name) {
                self.machine.set_variable(id, name, *value);
            }
        }
        for (name, var) in &after.props {
            if before.props.get(name) != Some(var) {
                let value = var_to_value(&mut self.machine.heap, var);
                self.machine.set_variable(id, name, value);
            }
        }
    }

    /// The values that a script's variables have at first, found by letting nobody bear it for a moment.
    fn script_defaults(&mut self, file: &str) -> Vec<(String, Value)> {
        let Some(program) = self.content.programs.get(file).cloned() else { return Vec::new() };
        let Some(nobody) = EntityId::new(u32::MAX) else { return Vec::new() };
        self.drain_faults();
        let mut effects = Effects::default();
        self.script(Access::Read, &mut effects, |machine, host| {
            machine.attach(&program, nobody, &[], host);
        });
        let defaults = self.machine.variables(nobody);
        self.machine.detach(nobody);
        // It may not have been allowed to do all that it does for an entity.
        self.machine.take_reports();
        defaults
    }
}

/// Whether a component is more than data: something else follows it.
fn is_live(kind: ComponentKind) -> bool {
    matches!(
        kind,
        ComponentKind::Script
            | ComponentKind::Body
            | ComponentKind::Collider
            | ComponentKind::Sound
            | ComponentKind::Animation
            | ComponentKind::Mesh
    )
}
