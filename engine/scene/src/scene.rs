//! The scene: all entities at one moment.

use base::{EntityId, Problem, suggest};
use serde::Serialize;

use crate::components::{Columns, Component};
use crate::{Column, Entity, EntityData, Environment, digest};

/// Entities, their components, and what surrounds them. A value: cloning it is a snapshot.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Scene {
    /// What surrounds the scene.
    pub environment: Environment,
    /// Every entity, in id order.
    pub entities: Column<Entity>,
    /// Every component, a column a kind.
    pub columns: Columns,
    /// The highest id ever given; not part of any hash, so that undoing a creation restores the hash.
    #[serde(skip)]
    last_id: u32,
    /// One more for each change of who exists or who belongs to whom: for caches, not part of the value.
    #[serde(skip)]
    structure: Structure,
}

/// A counter that is never part of a comparison.
#[derive(Debug, Clone, Copy, Default)]
struct Structure(u64);

impl PartialEq for Structure {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Scene {
    /// An id that no entity of this timeline ever had; `None` after four thousand million.
    pub fn reserve_id(&mut self) -> Option<EntityId> {
        self.last_id = self.last_id.checked_add(1)?;
        EntityId::new(self.last_id)
    }

    /// The highest id ever given.
    pub fn last_id(&self) -> u32 {
        self.last_id
    }

    /// Gives no id again that another scene of the same timeline gave.
    pub fn keep_ids_of(&mut self, other: &Self) {
        self.last_id = self.last_id.max(other.last_id);
    }

    /// Changes whenever entities come, go or change their parent.
    pub fn structure(&self) -> u64 {
        self.structure.0
    }

    /// Marks that who exists or who belongs to whom changed. Only needed after writing `entities` directly.
    pub fn touch_structure(&mut self) {
        self.structure.0 += 1;
    }

    /// Whether the entity exists.
    pub fn contains(&self, id: EntityId) -> bool {
        self.entities.contains(id)
    }

    /// A component of an entity.
    pub fn get<C: Component>(&self, id: EntityId) -> Option<&C> {
        C::column(&self.columns).get(id)
    }

    /// A component of an entity, to change.
    pub fn get_mut<C: Component>(&mut self, id: EntityId) -> Option<&mut C> {
        C::column_mut(&mut self.columns).get_mut(id)
    }

    /// Puts an entity in, replacing one of the same id.
    pub fn insert(&mut self, data: EntityData) {
        let id = data.id;
        self.last_id = self.last_id.max(id.get());
        self.entities.insert(id, data.entity);
        for kind in crate::ComponentKind::ALL {
            self.columns.remove(id, *kind);
        }
        for value in data.components.into_values() {
            self.columns.insert(id, value);
        }
        self.touch_structure();
    }

    /// Takes an entity out, whole. Its children keep their parent's id: remove them first.
    pub fn remove(&mut self, id: EntityId) -> Option<EntityData> {
        let entity = self.entities.remove(id)?;
        let components = self.columns.set_of(id);
        for kind in crate::ComponentKind::ALL {
            self.columns.remove(id, *kind);
        }
        self.touch_structure();
        Some(EntityData { id, entity, components })
    }

    /// The whole of an entity.
    pub fn data(&self, id: EntityId) -> Option<EntityData> {
        Some(EntityData { id, entity: self.entities.get(id)?.clone(), components: self.columns.set_of(id) })
    }

    /// The children of an entity (of none: the roots), in id order.
    pub fn children(&self, parent: Option<EntityId>) -> Vec<EntityId> {
        self.entities.iter().filter(|(_, entity)| entity.parent == parent).map(|(id, _)| id).collect()
    }

    /// The entity and everything under it, parents before children.
    pub fn subtree(&self, root: EntityId) -> Vec<EntityId> {
        let mut found = vec![root];
        let mut at = 0;
        while let Some(parent) = found.get(at).copied() {
            found.extend(self.children(Some(parent)));
            at += 1;
        }
        found
    }

    /// Whether `ancestor` is `id` or above it.
    pub fn is_within(&self, id: EntityId, ancestor: EntityId) -> bool {
        let mut at = Some(id);
        // No chain is longer than there are entities, even in a broken scene.
        for _ in 0..=self.entities.len() {
            match at {
                Some(here) if here == ancestor => return true,
                Some(here) => at = self.entities.get(here).and_then(|entity| entity.parent),
                None => return false,
            }
        }
        false
    }

    /// All entities of that name, in id order.
    pub fn named(&self, name: &str) -> Vec<EntityId> {
        self.entities.iter().filter(|(_, entity)| entity.name.as_ref() == name).map(|(id, _)| id).collect()
    }

    /// The one entity of that name; the problem names the candidates, or the nearest names.
    pub fn find_named(&self, name: &str) -> Result<EntityId, Problem> {
        match self.named(name).as_slice() {
            [one] => Ok(*one),
            [] => {
                let near =
                    suggest::nearest(name, self.entities.values().iter().map(|entity| entity.name.as_ref()));
                Err(Problem::new("unknown_entity", format!("there is no entity named `{name}`")).near(near))
            }
            many => {
                let ids = many.iter().map(ToString::to_string).collect::<Vec<_>>();
                Err(Problem::new(
                    "ambiguous_entity",
                    format!(
                        "{} entities are named `{name}`: {}",
                        ids.len(),
                        suggest::list(ids.iter().map(String::as_str), 20)
                    ),
                )
                .hint("use an id"))
            }
        }
    }

    /// The hash of the document: entities, components, tags, vars and environment.
    pub fn document_hash(&self) -> u128 {
        digest::hash(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ComponentSet;
    use crate::components::Transform;

    fn scene_of(names: &[&str]) -> Scene {
        let mut scene = Scene::default();
        for name in names {
            let id = scene.reserve_id().unwrap();
            let components =
                ComponentSet { transform: Some(Transform::default()), ..ComponentSet::default() };
            scene.insert(EntityData { id, entity: Entity::named(name), components });
        }
        scene
    }

    #[test]
    fn removing_and_bringing_back_restores_the_document_but_not_the_id_counter() {
        let mut scene = scene_of(&["a", "b", "c"]);
        let before = scene.document_hash();
        let id = EntityId::new(3).unwrap();
        let data = scene.remove(id).unwrap();
        assert_ne!(scene.document_hash(), before);
        assert_eq!(scene.reserve_id().unwrap().get(), 4);
        scene.insert(data);
        assert_eq!(scene.document_hash(), before);
    }

    #[test]
    fn a_name_that_several_bear_is_answered_with_their_ids() {
        let scene = scene_of(&["Lamp", "Lamp", "Hero"]);
        assert_eq!(scene.find_named("Hero").unwrap().get(), 3);
        let problem = scene.find_named("Lamp").unwrap_err();
        assert_eq!((problem.code.as_str(), problem.message.contains("1, 2")), ("ambiguous_entity", true));
        assert_eq!(scene.find_named("Heroo").unwrap_err().near, ["Hero"]);
    }
}
