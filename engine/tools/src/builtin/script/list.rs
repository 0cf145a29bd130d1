//! `script_list`

use base::Problem;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::context::Context;
use crate::tool::{Answer, Builtin, Effect, Output};

/// Every script of the project: its kind, its lines, and how many entities bear it.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {}

/// The tool.
pub struct ScriptList;

impl Builtin for ScriptList {
    const NAME: &'static str = "script_list";
    const TITLE: &'static str = "List scripts";
    const EFFECT: Effect = Effect::Read;
    const EXAMPLE: &'static str = "{}";
    type Args = Args;

    fn run(context: &mut Context<'_>, _: Args) -> Result<Answer, Problem> {
        let project = context.engine.project();
        let world = context.engine.world();
        let scripts: Vec<Value> = project
            .scripts
            .iter()
            .map(|path| {
                let bearers =
                    world.scene().columns.script.iter().filter(|(_, script)| script.file == *path).count();
                let kind = if sim::kind_of(path) == wander::Kind::Module { "module" } else { "entity" };
                let lines = project.files.read_text(path).map_or(0, |text| text.lines().count());
                let works = world.content().programs.contains_key(path);
                json!({"script": path, "kind": kind, "lines": lines, "entities": bearers, "works": works})
            })
            .collect();
        let text = format!("{} scripts", scripts.len());
        Ok(Output::new(text, &json!({"scripts": scripts})).into())
    }
}
