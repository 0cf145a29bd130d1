//! `history_list`

use base::Problem;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::context::Context;
use crate::tool::{Answer, Builtin, Effect, Output};

/// The edits that were made, newest first: call, actor, tool, tick, what, and whether it is undone.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// Only those of this actor, such as `user` or `mcp:my-client`.
    actor: Option<String>,
    /// Rows at most.
    #[serde(default = "twenty")]
    #[schemars(range(min = 1, max = 500))]
    limit: usize,
}

fn twenty() -> usize {
    20
}

/// The tool.
pub struct HistoryList;

impl Builtin for HistoryList {
    const NAME: &'static str = "history_list";
    const TITLE: &'static str = "List edits";
    const EFFECT: Effect = Effect::Read;
    const EXAMPLE: &'static str = r#"{"limit": 5}"#;
    type Args = Args;

    fn run(context: &mut Context<'_>, args: Args) -> Result<Answer, Problem> {
        let matching: Vec<_> = context
            .engine
            .history()
            .groups()
            .rev()
            .filter(|group| args.actor.as_ref().is_none_or(|actor| group.actor.to_string() == *actor))
            .collect();
        let total = matching.len();
        let rows: Vec<Value> = matching
            .into_iter()
            .take(args.limit)
            .map(|group| {
                json!({"call": group.call.0, "actor": group.actor.to_string(), "tool": group.tool, "tick": group.tick.0,
                       "summary": group.summary, "undone": group.undone})
            })
            .collect();
        let result = json!({"truncated": rows.len() < total, "total": total, "groups": rows});
        Ok(Output::new(format!("{total} edits"), &result).into())
    }
}
