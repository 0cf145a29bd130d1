//! `log_read`

use base::Problem;
use runtime::Level;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use crate::context::Context;
use crate::tool::{Answer, Builtin, Effect, Output};

/// Lines of the log: what scripts print, their errors, what tools did. Give the `next` of the last answer as `since` to read on without missing any.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// Only lines after this one.
    since: Option<u64>,
    /// Only lines of this level or above: `debug`, `info`, `warning`, `error`.
    #[serde(default = "info")]
    #[schemars(extend("enum" = ["debug", "info", "warning", "error"]))]
    level: String,
    /// Only lines whose source contains this, such as a script's path.
    source: Option<String>,
    /// Only lines that contain this text.
    #[serde(rename = "match")]
    contains: Option<String>,
    /// Rows at most; the newest ones without `since`.
    #[serde(default = "fifty")]
    #[schemars(range(min = 1, max = 500))]
    limit: usize,
}

fn info() -> String {
    "info".to_owned()
}

fn fifty() -> usize {
    50
}

/// The tool.
pub struct LogRead;

impl Builtin for LogRead {
    const NAME: &'static str = "log_read";
    const TITLE: &'static str = "Read the log";
    const EFFECT: Effect = Effect::Read;
    const EXAMPLE: &'static str = r#"{"level": "warning"}"#;
    type Args = Args;

    fn run(context: &mut Context<'_>, args: Args) -> Result<Answer, Problem> {
        let level = Level::find(&args.level).unwrap_or(Level::Info);
        let log = &context.engine.log;
        let (lines, lost) = log.after(args.since.unwrap_or(0));
        let matching: Vec<_> = lines
            .filter(|line| {
                line.level >= level
                    && args.source.as_ref().is_none_or(|source| line.source.contains(source))
                    && args.contains.as_ref().is_none_or(|text| line.text.contains(text))
            })
            .collect();
        let total = matching.len();
        let skip = if args.since.is_some() { 0 } else { total.saturating_sub(args.limit) };
        let rows: Vec<_> = matching.into_iter().skip(skip).take(args.limit).collect();
        let truncated = rows.len() < total;
        let next = if args.since.is_some() && truncated {
            rows.last().map_or(0, |line| line.seq)
        } else {
            log.last()
        };
        let lost = if args.since.is_some() { lost } else { 0 };
        let result = json!({"lines": rows, "next": next, "truncated": truncated, "lost": lost});
        Ok(Output::new(format!("{} lines", rows.len()), &result).into())
    }
}
