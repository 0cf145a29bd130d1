//! Cases that are templates: each line that is no comment is one, filled in with what `--! args` gives.

use std::sync::Arc;

use base::Problem;
use serde_json::{Value as Json, json};
use wander::{Machine, Template, boundary};

use super::{Case, RATE, Run, World, environment};

impl Case {
    /// What each line comes to, as JSON; what is wrong with a line ends it alone.
    pub fn run_templates(&self) -> Run {
        let environment = Arc::new(environment());
        let mut machine = Machine::new(Arc::clone(&environment), 7, RATE);
        let mut world = World::default();
        let mut run = Run::default();
        let lines =
            self.source.lines().map(|line| line.split_once("-->").map_or(line, |(text, _)| text).trim());
        for line in lines.filter(|line| !line.is_empty() && !line.starts_with("--")) {
            // What is no JSON is the text of one string.
            let json = serde_json::from_str(line).unwrap_or_else(|_| json!(line));
            let template = match Template::new(&json, &["args"], &environment) {
                Ok(template) => template,
                Err(problems) => {
                    run.findings.extend(problems.iter().map(|problem| match &problem.hint {
                        Some(hint) => shown(problem, &format!("{}\nhint: {hint}", problem.message)),
                        None => shown(problem, &problem.message),
                    }));
                    continue;
                }
            };
            let args = boundary::from_json_as_is(&mut machine.heap, &self.wishes.arguments);
            let mut fuel = wander::machine::DEFAULT_INSTRUCTIONS as i64;
            match template.fill(&[args], &mut machine, &mut world, &mut fuel) {
                Ok(Json::String(text)) => run.output.push(format!("{text:?}")),
                Ok(json) => run.output.push(json.to_string()),
                Err(problem) => {
                    run.output.push(format!("fault {}", problem.code));
                    let hint = problem.hint.as_ref().map(|hint| format!(" ({hint})")).unwrap_or_default();
                    let (line, column) = (problem.place.line.unwrap(), problem.place.column.unwrap());
                    run.faults.push(shown(&problem, &format!("{}{hint} · {line}:{column}", problem.message)));
                }
            }
        }
        run.output.append(&mut world.output);
        run
    }
}

/// A problem with the path to its string.
fn shown(problem: &Problem, message: &str) -> String {
    let path = problem.place.path.as_ref().map(|path| format!("{path}: ")).unwrap_or_default();
    format!("{} {path}{message}", problem.code)
}
