//! `history_undo`

use base::{CallId, Problem};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::context::Context;
use crate::tool::{Answer, Builtin, Effect, Output};

/// Takes back your latest edits, or those of one call. What somebody else has changed since is left alone and named under `skipped`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// How many of your edits.
    #[serde(default = "one")]
    #[schemars(range(min = 1, max = 100))]
    steps: usize,
    /// The one edit of this call, from a receipt or history_list, whoever made it.
    call: Option<u64>,
}

fn one() -> usize {
    1
}

/// The tool.
pub struct HistoryUndo;

impl Builtin for HistoryUndo {
    const NAME: &'static str = "history_undo";
    const TITLE: &'static str = "Undo edits";
    const EFFECT: Effect = Effect::Play;
    const EXAMPLE: &'static str = r#"{"steps": 1}"#;
    type Args = Args;

    fn run(context: &mut Context<'_>, args: Args) -> Result<Answer, Problem> {
        let actor = context.caller.actor.clone();
        let undone = context.engine.undo(&actor, args.steps, args.call.map(CallId))?;
        let rows: Vec<Value> = undone
            .groups
            .iter()
            .map(|group| {
                json!({"call": group.call.0, "tool": group.tool, "actor": group.actor.to_string(), "summary": group.summary})
            })
            .collect();
        let text = format!(
            "undid {}",
            undone.groups.iter().map(|group| group.summary.as_str()).collect::<Vec<_>>().join("; ")
        );
        Ok(Output::new(text, &json!({"undone": rows, "skipped": undone.skipped})).into())
    }
}
