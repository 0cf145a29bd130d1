//! `script_list`

use base::Problem;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::finding;
use crate::context::Context;
use crate::tool::{Answer, Builtin, Effect, Output};

/// Every script of the project: its kind, its lines, how many entities bear it, whether some code of it runs, and what is wrong with its file.
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
                let mut row =
                    json!({"script": path, "kind": kind, "lines": lines, "entities": bearers, "works": works});
                let wrong: Vec<Value> = context
                    .engine
                    .script_problems()
                    .iter()
                    .filter(|problem| problem.place.file.as_deref() == Some(path))
                    .map(finding)
                    .collect();
                if !wrong.is_empty()
                    && let Some(row) = row.as_object_mut()
                {
                    row.insert("diagnostics".to_owned(), wrong.into());
                }
                row
            })
            .collect();
        let text = format!("{} scripts", scripts.len());
        Ok(Output::new(text, &json!({"scripts": scripts})).into())
    }
}
