//! The behaviour of an entity.

use indexmap::IndexMap;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Var;

/// A Wander script run by the entity.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Script {
    /// A `.wander` file of the project, such as `scripts/hero.wander`.
    pub file: String,
    /// Values of the script's `prop`s that differ from their defaults.
    #[serde(default)]
    pub props: IndexMap<String, Var>,
}
