//! `script_write`

use base::Problem;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use crate::context::Context;
use crate::tool::{Answer, Builtin, Effect, Output};

/// Writes a script and takes it over while the game runs: variables live on by name, running tasks finish on the old code. A script that does not compile is refused and nothing changes.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Args {
    /// Its path under `scripts/`, ending in `.wander`; a new one is made.
    script: String,
    /// All of its text.
    #[schemars(length(max = 262144))]
    text: String,
}

/// The tool.
pub struct ScriptWrite;

impl Builtin for ScriptWrite {
    const NAME: &'static str = "script_write";
    const TITLE: &'static str = "Write a script";
    const EFFECT: Effect = Effect::Outside;
    const EXAMPLE: &'static str =
        r#"{"script": "scripts/spinner.wander", "text": "on update(dt)\n  self.rot.y += 90 * dt\nend\n"}"#;
    type Args = Args;

    fn run(context: &mut Context<'_>, args: Args) -> Result<Answer, Problem> {
        if !args.script.starts_with("scripts/") || !args.script.ends_with(".wander") {
            return Err(Problem::new("wrong_file", format!("`{}` is no place for a script", args.script))
                .path("script")
                .hint("scripts lie under `scripts/` and end in `.wander`"));
        }
        let is_new = !context.engine.project().scripts.contains(&args.script);
        match context.engine.write_script(&args.script, &args.text) {
            Ok(changes) => {
                let running: usize = changes.iter().map(|change| change.instances).sum();
                let text = format!(
                    "{} {} ({running} running)",
                    if is_new { "made" } else { "took over" },
                    args.script
                );
                let result = json!({"script": args.script, "created": is_new, "changed": changes});
                Ok(Output::new(text.clone(), &result).summary(text).into())
            }
            Err(problems) => Err(refused(&args.script, &problems)),
        }
    }
}

/// All faults in one answer: the first one leads.
fn refused(script: &str, problems: &[Problem]) -> Problem {
    let faults: Vec<String> = problems.iter().map(ToString::to_string).collect();
    let mut problem = match problems.first() {
        Some(first) => first.clone(),
        None => Problem::new("internal", "nothing is wrong with it"),
    };
    problem.message = format!("`{script}` was not written:\n{}", faults.join("\n"));
    problem.hint = Some("the running script and its file are unchanged".to_owned());
    problem
}
