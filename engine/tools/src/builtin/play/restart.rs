//! `play_restart`

use base::Problem;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use crate::context::Context;
use crate::tool::{Answer, Builtin, Effect, Output};

/// Starts the scene over: a fresh world at tick 0 with the same seed. A paused game stays paused. Edits made since the start are gone, and so is their history.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {}

/// The tool.
pub struct PlayRestart;

impl Builtin for PlayRestart {
    const NAME: &'static str = "play_restart";
    const TITLE: &'static str = "Start the scene over";
    const EFFECT: Effect = Effect::Play;
    const EXAMPLE: &'static str = "{}";
    type Args = Args;

    fn run(context: &mut Context<'_>, _: Args) -> Result<Answer, Problem> {
        context.engine.restart();
        let mode = context.engine.clock.mode;
        Ok(Output::new("restarted", &json!({"mode": mode})).into())
    }
}
