//! `wander_check`

use base::{Problem, Severity};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{finding, text_of};
use crate::context::Context;
use crate::tool::{Answer, Builtin, Effect, Output};

/// Every fault and warning of a text in Wander, or of a script of the project, with place and hint. Nothing runs.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// The text; it is looked at as the script, or as a new entity script.
    code: Option<String>,
    /// A script's path.
    script: Option<String>,
}

/// The tool.
pub struct WanderCheck;

impl Builtin for WanderCheck {
    const NAME: &'static str = "wander_check";
    const TITLE: &'static str = "Check a script";
    const EFFECT: Effect = Effect::Read;
    const EXAMPLE: &'static str = r#"{"code": "on update(dt)\n  self.pos.x += 2 * dt\nend"}"#;
    type Args = Args;

    fn run(context: &mut Context<'_>, args: Args) -> Result<Answer, Problem> {
        let (path, text) = match (args.code, args.script) {
            (Some(code), script) => (script.unwrap_or_else(|| "scripts/new.wander".to_owned()), code),
            (None, Some(script)) => {
                let text = text_of(context, &script)?;
                (script, text)
            }
            (None, None) => {
                return Err(Problem::new("invalid_arguments", "`code` or `script` is needed"));
            }
        };
        let problems = context.engine.check_script(&path, &text);
        let errors = problems.iter().filter(|problem| problem.severity == Severity::Error).count();
        let shown: Vec<Value> = problems.iter().map(finding).collect();
        let mut lines: Vec<String> = problems.iter().map(ToString::to_string).collect();
        if lines.is_empty() {
            lines.push("nothing is wrong".to_owned());
        }
        let result = json!({
            "script": path, "ok": errors == 0, "errors": errors, "warnings": shown.len() - errors, "diagnostics": shown,
        });
        Ok(Output::new(lines.join("\n"), &result).into())
    }
}
