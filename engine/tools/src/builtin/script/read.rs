//! `script_read`

use base::Problem;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::text_of;
use crate::context::Context;
use crate::tool::{Answer, Builtin, Effect, Output};

/// The text of a script as its file has it, all of it or some lines.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// Its path, such as `scripts/hero.wander`.
    script: String,
    /// The first line, from 1.
    #[serde(default = "first")]
    #[schemars(range(min = 1))]
    from: usize,
    /// How many lines at most.
    #[serde(default = "many")]
    #[schemars(range(min = 1, max = 5000))]
    lines: usize,
}

fn first() -> usize {
    1
}

fn many() -> usize {
    400
}

/// The tool.
pub struct ScriptRead;

impl Builtin for ScriptRead {
    const NAME: &'static str = "script_read";
    const TITLE: &'static str = "Read a script";
    const EFFECT: Effect = Effect::Read;
    const EXAMPLE: &'static str = r#"{"script": "scripts/flame.wander"}"#;
    type Args = Args;

    fn run(context: &mut Context<'_>, args: Args) -> Result<Answer, Problem> {
        let text = text_of(context, &args.script)?;
        let total = text.lines().count();
        let shown: Vec<&str> = text.lines().skip(args.from - 1).take(args.lines).collect();
        let last = args.from - 1 + shown.len();
        let mut result = json!({
            "script": args.script, "from": args.from, "lines": shown.len(), "total": total,
            "text": shown.join("\n") + "\n", "truncated": last < total,
        });
        if last < total
            && let Some(object) = result.as_object_mut()
        {
            object.insert("next".to_owned(), (last + 1).into());
        }
        Ok(Output::new(format!("{} lines of {}", shown.len(), args.script), &result).into())
    }
}
