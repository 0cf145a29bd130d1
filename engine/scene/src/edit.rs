//! The only way a tool changes a scene. Applying an edit returns the edit that takes it back.

use std::sync::Arc;

use base::{EntityId, Problem};
use indexmap::IndexMap;
use serde_json::{Map, Value};

use crate::{ComponentKind, ComponentValue, EntityData, Environment, Scene, Var};

/// One change to one entity, or to the surroundings.
#[derive(Debug, Clone, PartialEq)]
pub enum Edit {
    /// Put an entity in.
    Spawn(Box<EntityData>),
    /// Take an entity out; its children must be gone.
    Despawn(EntityId),
    /// Rename.
    SetName(EntityId, Arc<str>),
    /// Move under another parent, or to the root.
    SetParent(EntityId, Option<EntityId>),
    /// Replace the set of tags (ascending, each once).
    SetTags(EntityId, Vec<Arc<str>>),
    /// Set a variable, or remove it.
    SetVar(EntityId, Arc<str>, Option<Var>),
    /// Set some fields of a component that is there. A null sets an optional field to nothing.
    SetFields(EntityId, ComponentKind, Map<String, Value>),
    /// Give a component that is not there yet.
    AddComponent(EntityId, Box<ComponentValue>),
    /// Take a component away.
    RemoveComponent(EntityId, ComponentKind),
    /// Replace the surroundings.
    SetEnvironment(Box<Environment>),
}

/// What one edit writes, for deciding who owns it: the last group that wrote a slot may take it back.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Slot {
    /// Whether the entity exists.
    Existence(EntityId),
    /// Its name.
    Name(EntityId),
    /// Its parent.
    Parent(EntityId),
    /// Its tags.
    Tags(EntityId),
    /// A variable.
    Var(EntityId, Arc<str>),
    /// Whether a component is there.
    Component(EntityId, ComponentKind),
    /// One field of a component.
    Field(EntityId, ComponentKind, String),
    /// The surroundings.
    Environment,
}

impl Edit {
    /// What it writes.
    pub fn slots(&self) -> Vec<Slot> {
        match self {
            Self::Spawn(data) => vec![Slot::Existence(data.id)],
            Self::Despawn(id) => vec![Slot::Existence(*id)],
            Self::SetName(id, _) => vec![Slot::Name(*id)],
            Self::SetParent(id, _) => vec![Slot::Parent(*id)],
            Self::SetTags(id, _) => vec![Slot::Tags(*id)],
            Self::SetVar(id, name, _) => vec![Slot::Var(*id, name.clone())],
            Self::SetFields(id, kind, fields) => {
                fields.keys().map(|name| Slot::Field(*id, *kind, name.clone())).collect()
            }
            Self::AddComponent(id, value) => vec![Slot::Component(*id, value.kind())],
            Self::RemoveComponent(id, kind) => vec![Slot::Component(*id, *kind)],
            Self::SetEnvironment(_) => vec![Slot::Environment],
        }
    }

    /// The same edit with only the fields that `keep` wants; `None` where nothing is left.
    #[must_use]
    pub fn restricted(self, mut keep: impl FnMut(&Slot) -> bool) -> Option<Self> {
        match self {
            Self::SetFields(id, kind, mut fields) => {
                fields.retain(|name, _| keep(&Slot::Field(id, kind, name.clone())));
                (!fields.is_empty()).then_some(Self::SetFields(id, kind, fields))
            }
            other => other.slots().iter().all(keep).then_some(other),
        }
    }

    /// Applies it and returns its inverse. On a problem nothing changed.
    pub fn apply(self, scene: &mut Scene) -> Result<Self, Problem> {
        match self {
            Self::Spawn(data) => spawn(scene, *data),
            Self::Despawn(id) => despawn(scene, id),
            Self::SetName(id, name) => {
                let entity = scene.entities.get_mut(id).ok_or_else(|| gone(id))?;
                Ok(Self::SetName(id, std::mem::replace(&mut entity.name, name)))
            }
            Self::SetParent(id, parent) => set_parent(scene, id, parent),
            Self::SetTags(id, tags) => {
                let entity = scene.entities.get_mut(id).ok_or_else(|| gone(id))?;
                Ok(Self::SetTags(id, std::mem::replace(&mut entity.tags, tags)))
            }
            Self::SetVar(id, name, value) => {
                let entity = scene.entities.get_mut(id).ok_or_else(|| gone(id))?;
                let before = match value {
                    Some(value) => entity.vars.insert(name.clone(), value),
                    None => entity.vars.shift_remove(&name),
                };
                Ok(Self::SetVar(id, name, before))
            }
            Self::SetFields(id, kind, fields) => set_fields(scene, id, kind, fields),
            Self::AddComponent(id, value) => {
                let kind = value.kind();
                if !scene.contains(id) {
                    return Err(gone(id));
                }
                if scene.columns.contains(id, kind) {
                    return Err(Problem::new(
                        "component_exists",
                        format!("entity {id} already has a `{}`", kind.name()),
                    )
                    .hint("set its fields instead"));
                }
                scene.columns.insert(id, *value);
                Ok(Self::RemoveComponent(id, kind))
            }
            Self::RemoveComponent(id, kind) => {
                if kind == ComponentKind::Transform {
                    return Err(Problem::new("transform_needed", "every entity keeps its `transform`"));
                }
                match scene.columns.remove(id, kind) {
                    Some(value) => Ok(Self::AddComponent(id, Box::new(value))),
                    None => Err(no_component(scene, id, kind)),
                }
            }
            Self::SetEnvironment(environment) => {
                Ok(Self::SetEnvironment(Box::new(std::mem::replace(&mut scene.environment, *environment))))
            }
        }
    }
}

fn spawn(scene: &mut Scene, data: EntityData) -> Result<Edit, Problem> {
    let id = data.id;
    if scene.contains(id) {
        return Err(Problem::new("entity_exists", format!("there already is an entity {id}")));
    }
    if let Some(parent) = data.entity.parent
        && !scene.contains(parent)
    {
        return Err(gone(parent));
    }
    let mut data = data;
    // Every entity has a place.
    data.components.transform.get_or_insert_default();
    scene.insert(data);
    Ok(Edit::Despawn(id))
}

fn despawn(scene: &mut Scene, id: EntityId) -> Result<Edit, Problem> {
    let children = scene.children(Some(id));
    if let Some(child) = children.first() {
        return Err(Problem::new("has_children", format!("entity {id} has children, {child} first"))
            .hint("remove the children first"));
    }
    scene.remove(id).map(|data| Edit::Spawn(Box::new(data))).ok_or_else(|| gone(id))
}

fn set_parent(scene: &mut Scene, id: EntityId, parent: Option<EntityId>) -> Result<Edit, Problem> {
    if let Some(parent) = parent {
        if !scene.contains(parent) {
            return Err(gone(parent));
        }
        if scene.is_within(parent, id) {
            return Err(Problem::new(
                "parent_cycle",
                format!("entity {parent} lies under entity {id}: an entity cannot be its own ancestor"),
            ));
        }
    }
    let entity = scene.entities.get_mut(id).ok_or_else(|| gone(id))?;
    let before = std::mem::replace(&mut entity.parent, parent);
    scene.touch_structure();
    Ok(Edit::SetParent(id, before))
}

fn set_fields(
    scene: &mut Scene,
    id: EntityId,
    kind: ComponentKind,
    fields: Map<String, Value>,
) -> Result<Edit, Problem> {
    let Some(old) = scene.columns.get(id, kind) else { return Err(no_component(scene, id, kind)) };
    let mut merged = old.to_json();
    let mut before = Map::new();
    for (name, value) in fields {
        let was =
            if value.is_null() { merged.shift_remove(&name) } else { merged.insert(name.clone(), value) };
        before.insert(name, was.unwrap_or(Value::Null));
    }
    let value = ComponentValue::from_json(kind, Value::Object(merged)).map_err(|error| {
        Problem::new("wrong_value", format!("`{}`: {error}", kind.name())).path(kind.name())
    })?;
    scene.columns.insert(id, value);
    Ok(Edit::SetFields(id, kind, before))
}

/// The entity does not exist.
pub fn gone(id: EntityId) -> Problem {
    Problem::new("unknown_entity", format!("there is no entity {id}")).hint("scene_query lists what there is")
}

fn no_component(scene: &Scene, id: EntityId, kind: ComponentKind) -> Problem {
    match scene.entities.get(id) {
        None => gone(id),
        Some(entity) => {
            Problem::new("no_component", format!("`{}` (entity {id}) has no `{}`", entity.name, kind.name()))
        }
    }
}

/// The edits that turn `vars` merged with `changes` into place: a null removes.
pub fn merge_vars(id: EntityId, changes: &IndexMap<String, Option<Var>>) -> Vec<Edit> {
    changes.iter().map(|(name, value)| Edit::SetVar(id, name.as_str().into(), value.clone())).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::{ComponentSet, Entity};

    fn id(number: u32) -> EntityId {
        EntityId::new(number).unwrap()
    }

    fn lamp() -> Scene {
        let mut scene = Scene::default();
        let data = |number, name: &str, parent| EntityData {
            id: id(number),
            entity: Entity { parent, ..Entity::named(name) },
            components: serde_json::from_value::<ComponentSet>(json!({"light": {"intensity": 0.1}})).unwrap(),
        };
        Edit::Spawn(Box::new(data(1, "Post", None))).apply(&mut scene).unwrap();
        Edit::Spawn(Box::new(data(2, "Lamp", Some(id(1))))).apply(&mut scene).unwrap();
        scene
    }

    fn fields(value: Value) -> Map<String, Value> {
        value.as_object().unwrap().clone()
    }

    #[test]
    fn every_edit_is_taken_back_by_its_inverse() {
        let edits = [
            Edit::Despawn(id(2)),
            Edit::SetName(id(1), "Pole".into()),
            Edit::SetParent(id(2), None),
            Edit::SetTags(id(1), Entity::tag_set(["b", "a"])),
            Edit::SetVar(id(1), "hp".into(), Some(Var::Number(3.0))),
            Edit::SetFields(id(1), ComponentKind::Light, fields(json!({"intensity": 5, "color": "#ff0000"}))),
            Edit::RemoveComponent(id(1), ComponentKind::Light),
            Edit::AddComponent(
                id(1),
                Box::new(ComponentValue::from_json(ComponentKind::Camera, json!({})).unwrap()),
            ),
            Edit::SetEnvironment(Box::new(Environment { ambient: 2.0, ..Environment::default() })),
        ];
        for edit in edits {
            let mut scene = lamp();
            let before = scene.document_hash();
            let text = format!("{edit:?}");
            let inverse = edit.apply(&mut scene).unwrap();
            assert_ne!(scene.document_hash(), before, "{text} changed nothing");
            inverse.apply(&mut scene).unwrap();
            assert_eq!(scene.document_hash(), before, "{text} was not taken back");
        }
    }

    #[test]
    fn a_refused_edit_changes_nothing_and_says_why() {
        let mut scene = lamp();
        let before = scene.document_hash();
        for (edit, code) in [
            (Edit::Despawn(id(1)), "has_children"),
            (Edit::Despawn(id(7)), "unknown_entity"),
            (Edit::SetParent(id(1), Some(id(2))), "parent_cycle"),
            (Edit::SetParent(id(1), Some(id(1))), "parent_cycle"),
            (Edit::RemoveComponent(id(1), ComponentKind::Transform), "transform_needed"),
            (Edit::RemoveComponent(id(1), ComponentKind::Camera), "no_component"),
            (Edit::SetFields(id(1), ComponentKind::Light, fields(json!({"kind": "lamp"}))), "wrong_value"),
            (Edit::SetFields(id(1), ComponentKind::Light, fields(json!({"nope": 1}))), "wrong_value"),
        ] {
            assert_eq!(edit.apply(&mut scene).unwrap_err().code, code);
            assert_eq!(scene.document_hash(), before);
        }
    }
}
