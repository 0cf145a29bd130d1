//! `wander_eval`

use std::time::{Duration, Instant};

use base::Problem;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use crate::args::EntityRef;
use crate::context::Context;
use crate::tool::{Answer, Builtin, Effect, Output};

/// What an expression in Wander, or the body of a function that returns something, gives in the world as it is now. It only looks, unless `mutate` is true: then it may do all that a script may, its changes of the scene are one undo step, and where it fails nothing changed.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// Such as `find_all("enemy").map(fn(e) => e.hp)`, or lines that end in `return …`.
    #[schemars(length(min = 1, max = 20000))]
    code: String,
    /// An entity that the code knows as `e`.
    entity: Option<EntityRef>,
    /// Whether it may change the world.
    #[serde(default)]
    mutate: bool,
}

/// How long the code may run.
const TIMEOUT: Duration = Duration::from_millis(5_000);

/// Lines of the log that the result shows; all of them are in the log.
const MOST_LINES: usize = 100;

/// The tool.
pub struct WanderEval;

impl Builtin for WanderEval {
    const NAME: &'static str = "wander_eval";
    const TITLE: &'static str = "Evaluate code";
    const EFFECT: Effect = Effect::Edit;
    const EXAMPLE: &'static str = r#"{"code": "find_all(\"enemy\").length"}"#;
    type Args = Args;

    fn run(context: &mut Context<'_>, args: Args) -> Result<Answer, Problem> {
        let entity = args.entity.as_ref().map(|reference| context.entity(reference)).transpose()?;
        let started = Instant::now();
        let watch = Some(sim::Watch::new(TIMEOUT, move || started.elapsed()));
        let found = if args.mutate {
            context.change(&args.code, entity, watch)
        } else {
            sim::expression::evaluate(&args.code, entity, watch, context.engine.world_mut())
        };
        let found = found.map_err(|problem| problem.path("code"))?;
        let text = format!("{} ({})", found.value, found.kind);
        let log: Vec<&str> = found.log.iter().take(MOST_LINES).map(|line| line.text.as_str()).collect();
        let result = json!({
            "value": found.value, "type": found.kind, "log": log, "instructions": found.instructions,
        });
        let summary = args.code.lines().next().unwrap_or_default().chars().take(80).collect::<String>();
        Ok(Output::new(text, &result).summary(summary).into())
    }
}
