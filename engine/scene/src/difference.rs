//! What turns one scene into another, as edits: how changes that were not made by edits become part of the history.

use std::collections::BTreeMap;

use base::EntityId;
use serde_json::{Map, Value};

use crate::{ComponentKind, Edit, Entity, Scene};

/// The edits that turn `before` into `after`, in an order in which they can be applied.
pub fn difference(before: &Scene, after: &Scene) -> Vec<Edit> {
    let mut edits = Vec::new();
    let mut moved: BTreeMap<(usize, EntityId), Edit> = BTreeMap::new();
    let mut changed = Vec::new();
    for (id, entity) in after.entities.iter() {
        match before.entities.get(id) {
            // Parents come before children: a new entity's parent may be new, and a moved one's moved.
            None => {
                if let Some(data) = after.data(id) {
                    moved.insert((depth(after, id), id), Edit::Spawn(Box::new(data)));
                }
            }
            Some(old) => {
                if old.parent != entity.parent {
                    moved.insert((depth(after, id), id), Edit::SetParent(id, entity.parent));
                }
                entity_changes(id, old, entity, &mut changed);
                component_changes(id, before, after, &mut changed);
            }
        }
    }
    edits.extend(moved.into_values());
    edits.append(&mut changed);
    let gone = before.entities.iter().filter(|(id, _)| !after.contains(*id));
    let mut gone: Vec<(usize, EntityId)> = gone.map(|(id, _)| (depth(before, id), id)).collect();
    // Children go before their parents.
    gone.sort_by(|a, b| b.cmp(a));
    edits.extend(gone.into_iter().map(|(_, id)| Edit::Despawn(id)));
    if before.environment != after.environment {
        edits.push(Edit::SetEnvironment(Box::new(after.environment.clone())));
    }
    edits
}

/// How many entities are above one.
fn depth(scene: &Scene, id: EntityId) -> usize {
    let above = |id: &EntityId| scene.entities.get(*id).and_then(|entity| entity.parent);
    // No chain is longer than there are entities, even in a broken scene.
    std::iter::successors(Some(id), above).take(scene.entities.len()).count()
}

fn entity_changes(id: EntityId, old: &Entity, new: &Entity, edits: &mut Vec<Edit>) {
    if old.name != new.name {
        edits.push(Edit::SetName(id, new.name.clone()));
    }
    if old.tags != new.tags {
        edits.push(Edit::SetTags(id, new.tags.clone()));
    }
    if old.vars == new.vars {
        return;
    }
    for (name, value) in &new.vars {
        if old.vars.get(name) != Some(value) {
            edits.push(Edit::SetVar(id, name.clone(), Some(value.clone())));
        }
    }
    for name in old.vars.keys().filter(|name| !new.vars.contains_key(*name)) {
        edits.push(Edit::SetVar(id, name.clone(), None));
    }
}

fn component_changes(id: EntityId, before: &Scene, after: &Scene, edits: &mut Vec<Edit>) {
    for kind in ComponentKind::ALL {
        match (before.columns.get(id, *kind), after.columns.get(id, *kind)) {
            (Some(old), Some(new)) if old != new => {
                let fields = field_changes(&old.to_json(), &new.to_json());
                if !fields.is_empty() {
                    edits.push(Edit::SetFields(id, *kind, fields));
                }
            }
            (None, Some(new)) => edits.push(Edit::AddComponent(id, Box::new(new))),
            (Some(_), None) => edits.push(Edit::RemoveComponent(id, *kind)),
            _ => {}
        }
    }
}

/// The fields that differ; null for one that is gone.
fn field_changes(old: &Map<String, Value>, new: &Map<String, Value>) -> Map<String, Value> {
    let mut fields = Map::new();
    for (name, value) in new {
        if old.get(name) != Some(value) {
            fields.insert(name.clone(), value.clone());
        }
    }
    for name in old.keys().filter(|name| !new.contains_key(*name)) {
        fields.insert(name.clone(), Value::Null);
    }
    fields
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::components::Transform;
    use crate::{ComponentSet, ComponentValue, EntityData, Environment, Var};

    fn id(number: u32) -> EntityId {
        EntityId::new(number).unwrap()
    }

    fn data(number: u32, parent: Option<u32>, components: Value) -> EntityData {
        let mut components: ComponentSet = serde_json::from_value(components).unwrap();
        components.transform.get_or_insert_default();
        EntityData {
            id: id(number),
            entity: Entity { parent: parent.map(id), ..Entity::named(&format!("E{number}")) },
            components,
        }
    }

    fn scene() -> Scene {
        let mut scene = Scene::default();
        scene.insert(data(1, None, json!({"light": {"intensity": 2}})));
        scene.insert(data(2, Some(1), json!({"camera": {}})));
        scene.insert(data(3, Some(2), json!({})));
        scene.insert(data(4, None, json!({})));
        scene.entities.get_mut(id(4)).unwrap().vars.insert("hp".into(), Var::Number(2.0));
        scene
    }

    /// Applying the difference gives the changed scene; taking it back gives the first one.
    fn check(change: impl FnOnce(&mut Scene), edits: usize) {
        let before = scene();
        let mut after = before.clone();
        change(&mut after);
        let found = difference(&before, &after);
        assert_eq!(found.len(), edits, "{found:?}");
        let mut scene = before.clone();
        let mut back = Vec::new();
        for edit in found {
            back.push(edit.apply(&mut scene).unwrap());
        }
        assert_eq!(scene.document_hash(), after.document_hash());
        for edit in back.into_iter().rev() {
            edit.apply(&mut scene).unwrap();
        }
        assert_eq!(scene.document_hash(), before.document_hash());
    }

    #[test]
    fn nothing_changed() {
        check(|_| (), 0);
    }

    #[test]
    fn values_of_entities_and_components() {
        check(
            |scene| {
                scene.get_mut::<Transform>(id(1)).unwrap().position.x = 0.1;
                let entity = scene.entities.get_mut(id(4)).unwrap();
                entity.name = "Lamp".into();
                entity.tags = Entity::tag_set(["a"]);
                entity.vars.insert("mana".into(), Var::Number(1.0));
                entity.vars.shift_remove("hp");
                scene.columns.remove(id(1), ComponentKind::Light);
                scene
                    .columns
                    .insert(id(4), ComponentValue::from_json(ComponentKind::Light, json!({})).unwrap());
                scene.environment = Environment { ambient: 2.0, ..Environment::default() };
            },
            8,
        );
    }

    #[test]
    fn entities_that_come_and_go_with_others_under_them() {
        check(
            |scene| {
                for number in [3, 2, 1] {
                    scene.remove(id(number));
                }
                scene.insert(data(9, Some(4), json!({})));
                scene.insert(data(8, Some(9), json!({})));
            },
            5,
        );
    }

    #[test]
    fn a_family_that_is_turned_upside_down() {
        check(
            |scene| {
                for (child, parent) in [(3, None), (2, Some(id(3))), (1, Some(id(2)))] {
                    scene.entities.get_mut(id(child)).unwrap().parent = parent;
                }
                scene.touch_structure();
            },
            3,
        );
    }
}
