//! The tools as clients see them, with their compiled schemas, behind an `Arc`: protocol threads check arguments
//! against it without asking the engine's thread.

use std::collections::BTreeMap;
use std::sync::{Arc, PoisonError, RwLock};

use serde_json::{Map, Value};

use crate::Problem;
use crate::schema::Schema;

/// Hints to clients; they follow from a tool's effect or capabilities alone.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Annotations {
    /// It changes nothing.
    pub read_only: bool,
    /// It may remove or overwrite things.
    pub destructive: bool,
    /// Calling it twice is calling it once.
    pub idempotent: bool,
    /// It reaches outside the engine.
    pub open_world: bool,
}

/// One tool as it is listed.
#[derive(Debug)]
pub struct ToolInfo {
    /// `noun_verb`.
    pub name: String,
    /// For people.
    pub title: String,
    /// For models: what, when, an example.
    pub description: String,
    /// Group, in `_meta["skywalker/category"]`.
    pub category: String,
    /// Checked on the protocol's thread and again at the door.
    pub input: Schema,
    /// Only custom tools have one.
    pub output: Option<Value>,
    /// Hints.
    pub annotations: Annotations,
}

/// All tools at one moment.
#[derive(Debug, Default)]
pub struct Catalogue {
    /// One more each time the list changes.
    pub generation: u64,
    /// By name.
    pub tools: BTreeMap<String, Arc<ToolInfo>>,
}

impl Catalogue {
    /// The tool of this name, or the problem with the nearest names.
    pub fn find(&self, name: &str) -> Result<&Arc<ToolInfo>, Problem> {
        self.tools.get(name).ok_or_else(|| {
            let near = crate::suggest::nearest(name, self.tools.keys().map(String::as_str));
            let problem = Problem::new("unknown_tool", format!("there is no tool `{name}`"));
            if near.is_empty() { problem.hint("tools/list names every tool") } else { problem.near(near) }
        })
    }
}

impl ToolInfo {
    /// Arguments with defaults filled in, or every fault they have.
    pub fn check(&self, arguments: Map<String, Value>) -> Result<Map<String, Value>, Vec<Problem>> {
        let mut value = Value::Object(arguments);
        self.input.fill_defaults(&mut value);
        let problems = self.input.check(&value);
        match value {
            Value::Object(arguments) if problems.is_empty() => Ok(arguments),
            _ => Err(problems),
        }
    }
}

/// The current catalogue, read by many threads and replaced by one.
#[derive(Debug, Default)]
// A std lock: nothing awaits while it is held.
pub struct CatalogueCell(RwLock<Arc<Catalogue>>);

impl CatalogueCell {
    /// The current one.
    pub fn get(&self) -> Arc<Catalogue> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Replaces it.
    pub fn set(&self, catalogue: Catalogue) {
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(catalogue);
    }
}
