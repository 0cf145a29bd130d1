//! Scripts of the running game: read, check, change, ask.

mod check;
mod eval;
mod list;
mod read;
mod write;

use base::Problem;

use crate::context::Context;
use crate::tool::{BuiltinEntry, entry};

/// The group's tools.
pub const TOOLS: &[BuiltinEntry] = &[
    entry::<list::ScriptList>("script"),
    entry::<read::ScriptRead>("script"),
    entry::<write::ScriptWrite>("script"),
    entry::<check::WanderCheck>("script"),
    entry::<eval::WanderEval>("script"),
];

/// The text of a script of the project, by its path.
fn text_of(context: &Context<'_>, script: &str) -> Result<String, Problem> {
    let project = context.engine.project();
    if !project.scripts.iter().any(|known| known == script) {
        let near = base::suggest::nearest(script, project.scripts.iter().map(String::as_str));
        return Err(Problem::new("unknown_script", format!("there is no script `{script}`"))
            .near(near)
            .hint("`script_list` gives all of them"));
    }
    project.files.read_text(script)
}

/// A finding as results show it.
fn finding(problem: &Problem) -> serde_json::Value {
    let mut shown = serde_json::json!({
        "code": problem.code, "severity": problem.severity, "message": problem.message,
        "file": problem.place.file, "line": problem.place.line, "col": problem.place.column,
    });
    if let (Some(hint), Some(object)) = (&problem.hint, shown.as_object_mut()) {
        object.insert("hint".to_owned(), hint.as_str().into());
    }
    shown
}
