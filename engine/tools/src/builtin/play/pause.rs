//! `play_pause`

use base::Problem;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use crate::context::Context;
use crate::tool::{Answer, Builtin, Effect, Output};

/// Stops time. Ticks then run only by play_step, until play_resume.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {}

/// The tool.
pub struct PlayPause;

impl Builtin for PlayPause {
    const NAME: &'static str = "play_pause";
    const TITLE: &'static str = "Pause the game";
    const EFFECT: Effect = Effect::Play;
    const EXAMPLE: &'static str = "{}";
    type Args = Args;

    fn run(context: &mut Context<'_>, _: Args) -> Result<Answer, Problem> {
        context.engine.pause();
        Ok(Output::new("paused", &json!({"mode": "paused"})).into())
    }
}
