//! Code of a call that changes the world: it does all that a script may, as one step that can be taken back, or
//! nothing.

use std::sync::Arc;

use base::Problem;
use scene::Edit;
use wander::machine::Watch;
use wander::{Fault, Outcome, Program, Value};

use super::{LogLine, World};
use crate::scripts::{Access, Effects};

/// A program to run once, and what it may use.
pub(crate) struct Run<'a> {
    pub(crate) program: &'a Arc<Program>,
    pub(crate) function: &'a str,
    pub(crate) arguments: &'a [Value],
    pub(crate) fuel: &'a mut i64,
    pub(crate) watch: Option<Watch>,
}

/// What acting came to.
pub(crate) struct Acted<T> {
    pub(crate) value: T,
    /// What changed in the scene: each edit and what takes it back, in order.
    pub(crate) edits: Vec<(Edit, Edit)>,
    pub(crate) log: Vec<LogLine>,
}

impl World {
    /// Runs a program on this world. Where it fails, everything is as it was; where its changes are taken back before
    /// a tick ran, too, even what is no part of the scene.
    pub(crate) fn act<T>(
        &mut self,
        run: Run<'_>,
        take: impl FnOnce(&wander::Machine, Value) -> Outcome<T>,
    ) -> Result<Acted<T>, Problem> {
        let before = Self { memories: Vec::new(), ..self.clone() };
        let acted = self.run_acting(run, take).and_then(|(value, log)| {
            let edits = undoable(&before, self)?;
            Ok(Acted { value, edits, log })
        });
        match acted {
            Ok(acted) => {
                if !acted.edits.is_empty() {
                    self.remember(before);
                }
                self.pending_log.extend(acted.log.iter().cloned());
                Ok(acted)
            }
            Err(problem) => {
                self.return_to(before);
                Err(problem)
            }
        }
    }

    fn run_acting<T>(
        &mut self,
        run: Run<'_>,
        take: impl FnOnce(&wander::Machine, Value) -> Outcome<T>,
    ) -> Result<(T, Vec<LogLine>), Problem> {
        let Run { program, function, arguments, fuel, watch } = run;
        let mut effects = Effects::default();
        let mut result = Err(Fault::new("E216", "nothing ran"));
        self.script(Access::Simulate, &mut effects, |machine, host| {
            machine.watch(watch);
            result = machine.run_once(program, function, arguments, host, fuel, take);
            machine.watch(None);
        });
        let value = result.map_err(|fault| fault.to_problem())?;
        if effects.restart {
            return Err(Problem::new("restart_not_here", "code of a call cannot start the scene over")
                .hint("use `play_restart`"));
        }
        let log = std::mem::take(&mut effects.log);
        self.carry_out(&mut effects);
        self.pending_log.append(&mut effects.log);
        self.drain_faults();
        self.place_all();
        self.settle();
        self.animations.follow(&self.scene, self.tick);
        self.poses.animations = self.animations.poses(&self.scene, self.content.rate, self.tick);
        Ok((value, log))
    }

    /// Goes back to a moment of the same timeline. Ids that were given since are not given again.
    fn return_to(&mut self, mut before: Self) {
        before.scene.keep_ids_of(&self.scene);
        before.memories = std::mem::take(&mut self.memories);
        *self = before;
    }
}

/// What changed in the scene, each edit with what takes it back.
fn undoable(before: &World, after: &World) -> Result<Vec<(Edit, Edit)>, Problem> {
    let mut scene = before.scene.clone();
    let mut edits = Vec::new();
    for edit in scene::difference(&before.scene, &after.scene) {
        let inverse = edit.clone().apply(&mut scene)?;
        edits.push((edit, inverse));
    }
    Ok(edits)
}
