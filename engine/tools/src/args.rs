//! Argument types that several tools share.

use std::borrow::Cow;

use base::{EntityId, Problem};
use scene::Scene;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Deserialize;
use serde_json::Value;

/// An entity: its id, or a name that only one entity bears.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
pub enum EntityRef {
    /// The id.
    Id(u32),
    /// The name.
    Name(String),
}

impl JsonSchema for EntityRef {
    fn schema_name() -> Cow<'static, str> {
        "EntityRef".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        // Numbers below and above are ids of nothing; the check says so in words.
        json_schema!({"type": ["integer", "string"], "minimum": 1, "maximum": u32::MAX})
    }
}

impl EntityRef {
    /// The entity meant, or why there is none.
    pub fn find(&self, scene: &Scene) -> Result<EntityId, Problem> {
        match self {
            Self::Name(name) => scene.find_named(name).map_err(|problem| problem.path("entity")),
            Self::Id(number) => match EntityId::new(*number).filter(|id| scene.contains(*id)) {
                Some(id) => Ok(id),
                // An id that was given out once belonged to an entity that is gone: never a silent hit on another.
                None if *number > 0 && *number <= scene.last_id() => {
                    Err(Problem::new("stale_entity", format!("entity {number} no longer exists"))
                        .path("entity")
                        .hint("scene_query lists what there is"))
                }
                None => Err(Problem::new("unknown_entity", format!("there is no entity {number}"))
                    .path("entity")
                    .hint("scene_query lists what there is")),
            },
        }
    }
}

/// Any JSON object, with a schema that clients accept.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(transparent)]
pub struct Object(pub serde_json::Map<String, Value>);

impl JsonSchema for Object {
    fn schema_name() -> Cow<'static, str> {
        "Object".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": "object"})
    }
}
