//! Scripts that change while the game runs.

use base::{Problem, Tick};
use sim::ScriptChange;

use crate::Level;
use crate::engine::Engine;

impl Engine {
    /// What is wrong with a script of this path that says this: its own faults, and those that it would cause in scripts
    /// that use it.
    pub fn check_script(&self, path: &str, text: &str) -> Vec<Problem> {
        let mut scripts = self.project.scripts.clone();
        if !scripts.iter().any(|known| known == path) {
            scripts.push(path.to_owned());
        }
        let environment = &self.world.content().environment;
        let before = sim::compile_scripts(&self.project, environment).1;
        let after = sim::compile_scripts_with(&self.project, &scripts, Some((path, text)), environment).1;
        after
            .into_iter()
            .filter(|problem| problem.place.file.as_deref() == Some(path) || !before.contains(problem))
            .collect()
    }

    /// Writes a script and takes it over. One that does not compile, or breaks another one, is refused: the file and what
    /// runs stay as they are.
    pub fn write_script(&mut self, path: &str, text: &str) -> Result<Vec<ScriptChange>, Vec<Problem>> {
        let problems = self.check_script(path, text);
        if problems.iter().any(|problem| problem.severity == base::Severity::Error) {
            return Err(problems);
        }
        self.project.files.write(path, text.as_bytes()).map_err(|problem| vec![problem])?;
        Ok(self.reload_scripts().0)
    }

    /// Compiles what lies on the disk and takes over what changed. A file that does not compile keeps its old code
    /// running; its faults come back and are in the log.
    pub fn reload_scripts(&mut self) -> (Vec<ScriptChange>, Vec<Problem>) {
        self.project.scripts =
            self.project.files.list("scripts").into_iter().filter(|path| path.ends_with(".wander")).collect();
        let (programs, problems) = sim::compile_scripts(&self.project, &self.world.content().environment);
        let changes = self.world.reload(&programs);
        self.content = self.world.content().clone();
        let tick = self.world.tick_number();
        for problem in &problems {
            let level = if problem.severity == base::Severity::Error { Level::Error } else { Level::Warning };
            self.log.add(tick, level, "scripts", &problem.to_string());
        }
        for change in &changes {
            self.log_change(tick, change);
        }
        (changes, problems)
    }

    fn log_change(&mut self, tick: Tick, change: &ScriptChange) {
        let mut text = format!("took over {} ({} running)", change.script, change.instances);
        if !change.dropped.is_empty() {
            text.push_str(&format!("; W501 no longer there: {}", change.dropped.join(", ")));
        }
        if change.ended > 0 {
            text.push_str(&format!("; {} tasks ended with their handler", change.ended));
        }
        let level = if change.dropped.is_empty() { Level::Info } else { Level::Warning };
        self.log.add(tick, level, "scripts", &text);
    }
}
