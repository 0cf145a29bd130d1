//! Scripts that change while the game runs.

use std::collections::BTreeMap;
use std::sync::Arc;

use base::{Problem, Severity, Tick};
use sim::{Program, ScriptChange};

use crate::Level;
use crate::engine::Engine;

impl Engine {
    /// What is wrong with a script of this path that says this: its own faults, and those that it would cause in scripts
    /// that use it.
    pub fn check_script(&self, path: &str, text: &str) -> Vec<Problem> {
        self.compile_instead(path, text).1
    }

    /// Writes a script and takes it over. One that does not compile, or breaks another one, is refused: the file and what
    /// runs stay as they are.
    pub fn write_script(&mut self, path: &str, text: &str) -> Result<Vec<ScriptChange>, Vec<Problem>> {
        let (programs, problems) = self.compile_instead(path, text);
        if problems.iter().any(|problem| problem.severity == Severity::Error) {
            return Err(problems);
        }
        self.project.files.write(path, text.as_bytes()).map_err(|problem| vec![problem])?;
        self.project.list_scripts();
        // What was wrong with it is mended; what is left is of others, and was told.
        self.script_problems.retain(|problem| problem.place.file.as_deref() != Some(path));
        Ok(self.take_over(&programs))
    }

    /// Compiles what lies on the disk and takes over what changed. A file that does not compile, or that is gone, keeps
    /// its old code running; its faults come back and are in the log, each once as long as it stays.
    pub fn reload_scripts(&mut self) -> (Vec<ScriptChange>, Vec<Problem>) {
        let before = std::mem::take(&mut self.project.scripts);
        self.project.list_scripts();
        let (programs, problems) = sim::compile_scripts(&self.project, &self.world.content().environment);
        self.tell(problems.clone());
        let gone: Vec<&String> = before.iter().filter(|path| !self.project.scripts.contains(path)).collect();
        for path in gone {
            let bearers = self.world.scene().columns.script.iter().filter(|(_, script)| script.file == *path);
            let text = format!("{path} is gone; its code goes on ({} running)", bearers.count());
            self.log.add(self.world.tick_number(), Level::Warning, "scripts", &text);
        }
        (self.take_over(&programs), problems)
    }

    /// What is wrong with the scripts on the disk, as far as the engine has read them.
    pub fn script_problems(&self) -> &[Problem] {
        &self.script_problems
    }

    /// Writes what was not wrong before to the log.
    fn tell(&mut self, problems: Vec<Problem>) {
        let tick = self.world.tick_number();
        for problem in problems.iter().filter(|problem| !self.script_problems.contains(problem)) {
            self.log.add(tick, level(problem.severity), "scripts", &problem.to_string());
        }
        self.script_problems = problems;
    }

    /// All scripts compiled, this one as if its file said this, with what is wrong because of it.
    fn compile_instead(&self, path: &str, text: &str) -> (BTreeMap<String, Arc<Program>>, Vec<Problem>) {
        let mut scripts = self.project.scripts.clone();
        if !scripts.iter().any(|known| known == path) {
            scripts.push(path.to_owned());
        }
        let environment = &self.world.content().environment;
        let (programs, mut problems) =
            sim::compile_scripts_with(&self.project, &scripts, Some((path, text)), environment);
        let is_own = |problem: &Problem| problem.place.file.as_deref() == Some(path);
        if !problems.iter().all(is_own) {
            // What is wrong with other scripts as it is says nothing of this one.
            let before = sim::compile_scripts(&self.project, environment).1;
            problems.retain(|problem| is_own(problem) || !before.contains(problem));
        }
        (programs, problems)
    }

    fn take_over(&mut self, programs: &BTreeMap<String, Arc<Program>>) -> Vec<ScriptChange> {
        let changes = self.world.reload(programs);
        self.content = self.world.content().clone();
        let tick = self.world.tick_number();
        for change in &changes {
            self.log_change(tick, change);
        }
        changes
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

/// How the log ranks a problem.
pub(crate) fn level(severity: Severity) -> Level {
    match severity {
        Severity::Error => Level::Error,
        Severity::Warning => Level::Warning,
    }
}
