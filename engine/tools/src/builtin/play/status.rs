//! `play_status`

use base::Problem;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use crate::context::Context;
use crate::tool::{Answer, Builtin, Effect, Output};

/// Whether the game runs, its tick and speed, what frames and ticks cost, and which inputs are held.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {}

/// The tool.
pub struct PlayStatus;

impl Builtin for PlayStatus {
    const NAME: &'static str = "play_status";
    const TITLE: &'static str = "How the game runs";
    const EFFECT: Effect = Effect::Read;
    const EXAMPLE: &'static str = "{}";
    type Args = Args;

    fn run(context: &mut Context<'_>, _: Args) -> Result<Answer, Problem> {
        let engine = &context.engine;
        let held: Vec<_> = engine
            .world()
            .input()
            .held()
            .map(|(action, value, until)| json!({"action": action, "value": value, "until": until}))
            .collect();
        let speed = engine.clock.speed;
        let result = json!({
            "mode": engine.clock.mode, "scene": engine.scene_name(), "seed": engine.world().seed(),
            "speed": if speed.is_finite() { json!(speed) } else { json!("max") },
            "frame": engine.numbers.frames.summary(), "tick_cost": engine.numbers.ticks.summary(), "held": held,
        });
        Ok(Output::new(format!("{:?} at tick {}", engine.clock.mode, engine.world().tick_number()), &result)
            .into())
    }
}
