//! `input_action`

use base::Problem;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use sim::InputEvent;

use crate::context::Context;
use crate::tool::{Answer, Builtin, Effect, Output};

/// Holds an action of the game, as if its key or stick were used, for so many ticks from the next one on. In a paused game it waits for the next step; play_step takes inputs of its own.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// The action; project_info lists them.
    action: String,
    /// 1 is pressed; axes go from -1 to 1.
    #[serde(default = "full")]
    #[schemars(range(min = -1.0, max = 1.0))]
    value: f32,
    /// Ticks.
    #[serde(default = "one")]
    #[schemars(range(min = 1, max = 36000))]
    hold: u64,
}

fn full() -> f32 {
    1.0
}

fn one() -> u64 {
    1
}

/// The tool.
pub struct InputAction;

impl Builtin for InputAction {
    const NAME: &'static str = "input_action";
    const TITLE: &'static str = "Press an action";
    const EFFECT: Effect = Effect::Play;
    const EXAMPLE: &'static str = r#"{"action": "jump", "hold": 10}"#;
    type Args = Args;

    fn run(context: &mut Context<'_>, args: Args) -> Result<Answer, Problem> {
        context
            .engine
            .world()
            .content()
            .input
            .check(&args.action)
            .map_err(|problem| problem.path("action"))?;
        let event = InputEvent::Action { action: args.action.clone(), value: args.value, hold: args.hold };
        context.engine.input(event);
        let result = json!({"action": args.action, "value": args.value, "hold": args.hold});
        Ok(Output::new(format!("{} held for {} ticks", args.action, args.hold), &result).into())
    }
}
