//! `play_resume`

use base::Problem;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use crate::context::Context;
use crate::tool::{Answer, Builtin, Effect, Output};

/// Lets time run on at the speed it had.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {}

/// The tool.
pub struct PlayResume;

impl Builtin for PlayResume {
    const NAME: &'static str = "play_resume";
    const TITLE: &'static str = "Let the game run";
    const EFFECT: Effect = Effect::Play;
    const EXAMPLE: &'static str = "{}";
    type Args = Args;

    fn run(context: &mut Context<'_>, _: Args) -> Result<Answer, Problem> {
        context.engine.clock.mode = runtime::Mode::Play;
        Ok(Output::new("running", &json!({"mode": "play"})).into())
    }
}
