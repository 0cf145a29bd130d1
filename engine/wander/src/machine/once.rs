//! Running a program that nobody will run again in a machine that lives on.

use std::sync::Arc;

use super::Machine;
use crate::code::Program;
use crate::fault::Outcome;
use crate::heap::Object;
use crate::host::Host;
use crate::value::Value;

impl Machine {
    /// Runs a function of a program once, as [`Self::run_function`] does, and gives its result to `take`. Afterwards
    /// the program is forgotten, unless something that it left, such as a task, still needs it.
    pub fn run_once<T>(
        &mut self,
        program: &Arc<Program>,
        name: &str,
        arguments: &[Value],
        host: &mut dyn Host,
        fuel: &mut i64,
        take: impl FnOnce(&Self, Value) -> Outcome<T>,
    ) -> Outcome<T> {
        let (loaded, next_task) = (self.programs.len(), self.next_task);
        let result =
            self.run_function(program, name, arguments, host, fuel).and_then(|value| take(self, value));
        // Numbers of tasks that are over, and that no script has seen, serve again.
        if self.next_task == next_task + 1 + u32::from(program.kind.has_start()) {
            self.next_task = next_task;
        }
        // Modules that it brought along stay: others may use them by now.
        if self.programs.len() == loaded + 1 {
            self.forget_last();
        }
        result
    }

    /// Forgets the program loaded last, where nothing needs it.
    fn forget_last(&mut self) {
        let Some(last) = self.programs.len().checked_sub(1) else { return };
        let number = last as u32;
        self.collect(None);
        let is_needed =
            self.tasks.values().any(|task| task.frames.iter().any(|frame| frame.program == number))
                || self
                    .heap
                    .objects()
                    .any(|object| matches!(object, Object::Closure(closure) if closure.program == number));
        if is_needed {
            return;
        }
        let Some(loaded) = Arc::make_mut(&mut self.programs).pop() else { return };
        self.sites.truncate(loaded.first_site);
        if let Some(instance) = self.without_entity.remove(&(Arc::as_ptr(&loaded.program) as usize)) {
            self.instances.remove(instance);
        }
    }
}
