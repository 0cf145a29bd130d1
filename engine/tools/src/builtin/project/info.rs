//! `project_info`

use base::Problem;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use crate::context::Context;
use crate::tool::{Answer, Builtin, Effect, Output};

/// The project: its name, its scenes, scripts and input actions, how many assets it has.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {}

/// The tool.
pub struct ProjectInfo;

impl Builtin for ProjectInfo {
    const NAME: &'static str = "project_info";
    const TITLE: &'static str = "About the project";
    const EFFECT: Effect = Effect::Read;
    const EXAMPLE: &'static str = "{}";
    type Args = Args;

    fn run(context: &mut Context<'_>, _: Args) -> Result<Answer, Problem> {
        let project = context.engine.project();
        let settings = &project.settings;
        let result = json!({
            "name": settings.name, "id": settings.id, "version": settings.version,
            "engine": env!("CARGO_PKG_VERSION"), "main_scene": settings.main_scene,
            "scenes": project.scenes.keys().collect::<Vec<_>>(), "scripts": project.scripts,
            "actions": settings.input.actions.keys().collect::<Vec<_>>(), "assets": project.assets.len(),
            "tick_rate": settings.tick_rate, "gravity": settings.physics.gravity,
        });
        Ok(Output::new(format!("{} {}", settings.name, settings.version), &result).into())
    }
}
