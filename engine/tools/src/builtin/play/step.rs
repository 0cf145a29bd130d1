//! `play_step`

use base::Problem;
use runtime::{StepEnd, StepInput};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use sim::{Expression, InputEvent};

use crate::args::EntityRef;
use crate::context::Context;
use crate::tool::{Answer, Builtin, Effect, Output};

/// Runs exactly so many ticks (60 a second) with inputs at their offsets, and answers after they ran. Pauses the game and leaves it paused. `until` ends it early.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// Ticks to run.
    #[schemars(range(min = 1, max = 36000))]
    ticks: u64,
    /// Inputs at tick offsets.
    #[serde(default)]
    inputs: Vec<Input>,
    /// A Wander expression, checked after every tick, such as `find("Hero").pos.y > 3`.
    until: Option<String>,
    /// Entities to report the position and variables of, when it is over.
    #[serde(default)]
    observe: Vec<EntityRef>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
struct Input {
    /// Ticks from the start.
    #[serde(default)]
    #[schemars(range(min = 0, max = 36000))]
    at: u64,
    /// The action.
    action: String,
    /// 1 is pressed; axes go from -1 to 1.
    #[serde(default = "full")]
    #[schemars(range(min = -1.0, max = 1.0))]
    value: f32,
    /// Ticks to hold it.
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
pub struct PlayStep;

impl Builtin for PlayStep {
    const NAME: &'static str = "play_step";
    const TITLE: &'static str = "Run exact ticks";
    const EFFECT: Effect = Effect::Play;
    const EXAMPLE: &'static str =
        r#"{"ticks": 60, "inputs": [{"at": 5, "action": "jump", "hold": 10}], "observe": ["Hero"]}"#;
    type Args = Args;

    fn run(context: &mut Context<'_>, args: Args) -> Result<Answer, Problem> {
        let mut inputs = Vec::new();
        for (index, input) in args.inputs.into_iter().enumerate() {
            let known = context.engine.world().content().input.check(&input.action);
            known.map_err(|problem| problem.path(format!("inputs[{index}].action")))?;
            if input.at >= args.ticks {
                context.warn(format!("inputs[{index}] is at tick {}, after the step's end", input.at));
            }
            let event = InputEvent::Action { action: input.action, value: input.value, hold: input.hold };
            inputs.push(StepInput { at: input.at, event });
        }
        let until = match &args.until {
            Some(text) => Some(
                Expression::new(text, &[], context.engine.world())
                    .map_err(|problem| problem.path("until"))?,
            ),
            None => None,
        };
        for (index, reference) in args.observe.iter().enumerate() {
            context.entity(reference).map_err(|problem| problem.path(format!("observe[{index}]")))?;
        }
        let observe = args.observe;
        let ticket = context.engine.order_step(args.ticks, inputs, until);
        Ok(Answer::Later(Box::new(move |context| {
            let report = context.engine.take_step(&ticket)?;
            if report.ended == StepEnd::Cut {
                let message = format!("the scene started over after {} of the ticks", report.ticks_run);
                return Some(Err(
                    Problem::new("timeline_changed", message).hint("look again: it is another timeline now")
                ));
            }
            if let Some(fault) = report.fault {
                return Some(Err(fault.path("until")));
            }
            let ended = match report.ended {
                StepEnd::Until => "until",
                StepEnd::Paused => "paused",
                StepEnd::Ticks | StepEnd::Cut => "ticks",
            };
            let hash = scene::digest::text(context.engine.world().hash());
            let mut result = Map::new();
            result.insert("ticks_run".to_owned(), report.ticks_run.into());
            result.insert("ended".to_owned(), ended.into());
            result.insert("hash".to_owned(), hash.into());
            if !observe.is_empty() {
                result.insert("observe".to_owned(), observe.iter().map(|one| seen(context, one)).collect());
            }
            let text = format!("{} ticks ran", report.ticks_run);
            Some(Ok(Output::new(text, &Value::Object(result))))
        })))
    }
}

/// An observed entity after the step; it may be gone by then.
fn seen(context: &Context<'_>, reference: &EntityRef) -> Value {
    let Ok(id) = context.entity(reference) else {
        return json!({"entity": format!("{reference:?}"), "gone": true});
    };
    let world = context.engine.world();
    let position = world.poses().get(id).map(|pose| pose.position).unwrap_or_default();
    let vars: Map<String, Value> = world
        .scene()
        .entities
        .get(id)
        .map(|entity| entity.vars.iter().map(|(name, var)| (name.to_string(), var.to_json())).collect())
        .unwrap_or_default();
    let position: Vec<Value> =
        position.to_array().iter().map(|part| scene::var::float_to_json(*part)).collect();
    json!({"id": id.get(), "position": position, "vars": vars})
}
