//! Taking over a changed file while its scripts run. Variables live on by name, functions are those of the new text,
//! and what is running finishes on the code that it started with.

use std::sync::Arc;

use super::Machine;
use crate::code::{GlobalKind, Program};
use crate::host::Host;
use crate::value::{TaskId, Value};

/// What taking over a file did.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reloaded {
    /// Scripts that run the new code now.
    pub instances: usize,
    /// Variables that the new text no longer has; what they held is lost (W501).
    pub dropped: Vec<String>,
    /// Tasks that ended because their handler is gone.
    pub ended: usize,
}

impl Machine {
    /// Takes over the new version of a file. Modules that it uses and that changed too come first.
    pub fn reload(&mut self, program: &Arc<Program>, host: &mut dyn Host) -> Reloaded {
        let versions: Vec<u32> = self
            .programs
            .iter()
            .enumerate()
            .filter(|(_, loaded)| {
                loaded.program.path == program.path && !Arc::ptr_eq(&loaded.program, program)
            })
            .map(|(index, _)| index as u32)
            .collect();
        let mut done = Reloaded::default();
        let mut instances: Vec<u32> = Vec::new();
        for (number, instance) in self.instances.iter() {
            if versions.contains(&instance.program) {
                instances.push(number);
            }
        }
        if instances.is_empty() {
            return done;
        }
        let index = self.load(program, host);
        let left_over = self.map_old_versions(&versions, program);
        for number in instances {
            let before = self.take_over(number, index, program, &left_over, host);
            done.instances += 1;
            // What an earlier change dropped was told then.
            done.dropped = left_over.iter().filter(|name| !before.contains(name)).cloned().collect();
        }
        done.ended = self.end_without_handler(&versions, program);
        done
    }

    /// Tells the old versions of a file where their variables are from now on. The new ones come first, in the new
    /// order; behind them lie those that only old code knows. Gives the names of these.
    fn map_old_versions(&mut self, versions: &[u32], program: &Program) -> Vec<String> {
        let mut dropped: Vec<String> = Vec::new();
        let programs = Arc::make_mut(&mut self.programs);
        for version in versions {
            let Some(loaded) = programs.get_mut(*version as usize) else { continue };
            let places = loaded
                .program
                .globals
                .iter()
                .map(|global| {
                    program.global(&global.name).unwrap_or_else(|| {
                        let known = dropped.iter().position(|name| *name == global.name);
                        program.globals.len()
                            + known.unwrap_or_else(|| {
                                dropped.push(global.name.clone());
                                dropped.len() - 1
                            })
                    }) as u32
                })
                .collect();
            loaded.moved = Some(places);
        }
        dropped
    }

    /// Gives an instance to the new version; the names of what was left over before.
    fn take_over(
        &mut self,
        number: u32,
        index: u32,
        program: &Program,
        left_over: &[String],
        host: &mut dyn Host,
    ) -> Vec<String> {
        let Some(instance) = self.instances.get(number) else { return Vec::new() };
        let Some(loaded) = self.programs.get(instance.program as usize) else { return Vec::new() };
        let named = loaded.program.globals.iter().map(|global| (global.name.clone(), global.kind));
        let more = instance.left_over.iter().map(|name| (name.clone(), GlobalKind::Let));
        let old: Vec<(String, GlobalKind, Value)> = named
            .chain(more)
            .zip(&instance.globals)
            .map(|((name, kind), value)| (name, kind, *value))
            .collect();
        let Some(instance) = self.instances.get_mut(number) else { return Vec::new() };
        // Everything that old code may still ask for has a place; the rest is set by the initialisers.
        let mut values: Vec<Value> = vec![Value::Nil; program.globals.len()];
        let value_of = |name: &String| old.iter().find(|(known, ..)| known == name).map(|(.., value)| *value);
        values.extend(left_over.iter().map(|name| value_of(name).unwrap_or_default()));
        instance.program = index;
        instance.globals = values;
        let before = std::mem::replace(&mut instance.left_over, left_over.to_vec());
        // The new start must not let go of what lives on.
        let held: Vec<Value> = old.iter().map(|(.., value)| *value).collect();
        let fault = self.holding(&held, |machine| machine.call_now(number, 0, &[], host)).err();
        let owner = self.owner_of(number);
        if let Some(owner) = owner {
            self.forget_told(owner);
        }
        if let Some(fault) = fault {
            self.report(owner, fault);
        }
        let Some(instance) = self.instances.get_mut(number) else { return before };
        for (name, kind, value) in old {
            let Some(at) = program.global(&name) else { continue };
            let changes = program.globals.get(at).is_some_and(|global| global.kind != GlobalKind::Const);
            if let Some(place) = instance.globals.get_mut(at).filter(|_| changes && kind != GlobalKind::Const)
                && fits(*place, value)
            {
                *place = value;
            }
        }
        before
    }

    /// Ends tasks that run a handler which the new text does not have.
    fn end_without_handler(&mut self, versions: &[u32], program: &Program) -> usize {
        let is_gone = |task: &super::Task| {
            let Some(first) = task.frames.first().filter(|frame| versions.contains(&frame.program)) else {
                return false;
            };
            let Some(old) = self.programs.get(first.program as usize) else { return false };
            let handler = old.program.handlers.iter().find(|(_, index)| **index == first.function as usize);
            handler.is_some_and(|(name, _)| !program.handlers.contains_key(name))
        };
        let gone: Vec<TaskId> =
            self.tasks.values().filter(|task| is_gone(task)).map(|task| task.id).collect();
        for id in &gone {
            self.end_task(*id);
        }
        gone.len()
    }
}

/// Whether a variable's old value can stand where its new text begins with `fresh`. Functions are always the new ones.
fn fits(fresh: Value, old: Value) -> bool {
    !matches!(fresh, Value::Function(_))
        && (fresh.is_nil() || old.is_nil() || fresh.type_name() == old.type_name())
}
