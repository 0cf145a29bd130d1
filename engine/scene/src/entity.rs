//! An entity: what it is besides its components, and the whole of it as one value.

use std::sync::Arc;

use base::EntityId;
use indexmap::IndexMap;
use serde::Serialize;

use crate::{ComponentSet, Var};

/// Name, family and data of an entity.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Entity {
    /// Not necessarily unique.
    pub name: Arc<str>,
    /// Ascending, each once.
    pub tags: Vec<Arc<str>>,
    /// The entity whose space this one lies in.
    pub parent: Option<EntityId>,
    /// Variables, in the order in which they were made.
    pub vars: IndexMap<Arc<str>, Var>,
}

impl Entity {
    /// One with a name alone.
    pub fn named(name: &str) -> Self {
        Self { name: name.into(), tags: Vec::new(), parent: None, vars: IndexMap::new() }
    }

    /// Whether it bears this tag.
    pub fn has_tag(&self, tag: &str) -> bool {
        self.tags.binary_search_by(|own| own.as_ref().cmp(tag)).is_ok()
    }

    /// Adds a tag; false where it was there.
    pub fn add_tag(&mut self, tag: &str) -> bool {
        match self.tags.binary_search_by(|own| own.as_ref().cmp(tag)) {
            Ok(_) => false,
            Err(position) => {
                self.tags.insert(position, tag.into());
                true
            }
        }
    }

    /// Removes a tag; false where it was not there.
    pub fn remove_tag(&mut self, tag: &str) -> bool {
        match self.tags.binary_search_by(|own| own.as_ref().cmp(tag)) {
            Ok(position) => {
                self.tags.remove(position);
                true
            }
            Err(_) => false,
        }
    }

    /// A set of tags: ascending, each once.
    pub fn tag_set<S: AsRef<str>>(tags: impl IntoIterator<Item = S>) -> Vec<Arc<str>> {
        let mut set: Vec<Arc<str>> = tags.into_iter().map(|tag| tag.as_ref().into()).collect();
        set.sort();
        set.dedup();
        set
    }
}

/// A whole entity, for creating it and for bringing it back.
#[derive(Debug, Clone, PartialEq)]
pub struct EntityData {
    /// Its id.
    pub id: EntityId,
    /// What it is.
    pub entity: Entity,
    /// What it has.
    pub components: ComponentSet,
}
