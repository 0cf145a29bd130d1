//! `wander_eval`

use base::Problem;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use crate::args::EntityRef;
use crate::context::Context;
use crate::tool::{Answer, Builtin, Effect, Output};

/// What an expression in Wander, or the body of a function that returns something, gives in the world as it is now. It only looks: whatever would change the world is refused.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// Such as `find_all("enemy").map(fn(e) => e.hp)`, or lines that end in `return …`.
    #[schemars(length(min = 1, max = 20000))]
    code: String,
    /// An entity that the code knows as `e`.
    entity: Option<EntityRef>,
}

/// The tool.
pub struct WanderEval;

impl Builtin for WanderEval {
    const NAME: &'static str = "wander_eval";
    const TITLE: &'static str = "Evaluate code";
    const EFFECT: Effect = Effect::Read;
    const EXAMPLE: &'static str = r#"{"code": "find_all(\"enemy\").length"}"#;
    type Args = Args;

    fn run(context: &mut Context<'_>, args: Args) -> Result<Answer, Problem> {
        let entity = args.entity.as_ref().map(|reference| context.entity(reference)).transpose()?;
        let found = sim::expression::evaluate(&args.code, entity, context.engine.world_mut())
            .map_err(|problem| problem.path("code"))?;
        let text = format!("{} ({})", found.value, found.kind);
        let result = json!({
            "value": found.value, "type": found.kind, "instructions": found.instructions,
        });
        Ok(Output::new(text, &result).into())
    }
}
