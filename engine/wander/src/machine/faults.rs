//! What becomes of an error: its trace, the `catch` that takes it, and where a result came from that nobody could take.

use super::Machine;
use super::tasks::Task;
use crate::fault::{Fault, Outcome, Trace};
use crate::value::Value;

/// Where the last task that ended gave back its value.
#[derive(Debug, Clone, Copy)]
pub(super) struct Returned {
    pub(super) program: u32,
    pub(super) function: u32,
    pub(super) pc: u32,
}

/// What catching an error costs beside its text, in bytes of text.
const FAULT: usize = 256;

/// What a line of a trace costs, in bytes of text.
const LINE_OF_TRACE: usize = 64;

impl Machine {
    /// Goes to the innermost open `try`; gives the fault back where there is none or it cannot be caught.
    pub(super) fn rescue(&mut self, task: &mut Task, fault: Box<Fault>, fuel: &mut i64) -> Outcome<()> {
        if !fault.is_catchable() {
            return Err(fault);
        }
        let Some(point) = task.tries.pop() else { return Err(fault) };
        // Saying what happened is work too: the error's text, its trace, and the search for a better name.
        let touched = FAULT + fault.message.len() + fault.trace.len() * LINE_OF_TRACE + fault.searched;
        if let Err(mut spent) = self.pay(fuel, touched) {
            spent.trace = fault.trace;
            return Err(spent);
        }
        let error = self.error_record(&fault);
        task.frames.truncate(point.frame as usize + 1);
        let Some(frame) = task.frames.last_mut() else { return Err(fault) };
        frame.pc = point.target;
        let register = frame.base as usize + usize::from(point.register);
        if let Some(place) = task.stack.get_mut(register) {
            *place = error;
        }
        Ok(())
    }

    fn error_record(&mut self, fault: &Fault) -> Value {
        let code = self.heap.text(&fault.code);
        let message = self.heap.text(&fault.message);
        let place = fault.trace.first();
        let file = place.map_or(Value::Nil, |at| self.heap.text(&at.file));
        let line = place.map_or(Value::Nil, |at| Value::Number(f64::from(at.line)));
        let trace: Vec<Value> = fault
            .trace
            .iter()
            .map(|at| self.heap.text(&format!("{} ({}:{}:{})", at.function, at.file, at.line, at.column)))
            .collect();
        let trace = self.heap.list(trace);
        self.heap.record([
            ("code", code),
            ("message", message),
            ("file", file),
            ("line", line),
            ("trace", trace),
            ("data", fault.data),
        ])
    }

    /// Where the task is, the innermost call first.
    pub(super) fn trace(&self, task: &Task) -> Vec<Trace> {
        task.frames
            .iter()
            .rev()
            .take(20)
            .filter_map(|frame| self.place(frame.program, frame.function, frame.pc))
            .collect()
    }

    /// The place of the instruction before `pc`; none in the prelude, which is no file of anybody's.
    fn place(&self, program: u32, function: u32, pc: u32) -> Option<Trace> {
        let program = &self.programs.get(program as usize)?.program;
        if program.path == crate::prelude::PATH {
            return None;
        }
        let code = program.functions.get(function as usize)?;
        let span = program.span(function as usize, (pc as usize).saturating_sub(1));
        let (line, column) = program.lines.place(span.start, &program.source);
        Some(Trace { function: code.name.clone(), file: program.path.clone(), line, column })
    }

    /// What a function that was called gave back as JSON of at most so many bytes. Where it cannot be handed on, the
    /// fault tells the `return` that it came from.
    pub fn result_to_json(&self, value: Value, most_bytes: usize) -> Outcome<serde_json::Value> {
        crate::boundary::to_json_within(&self.heap, value, most_bytes).map_err(|mut fault| {
            let place = self.returned.and_then(|at| self.place(at.program, at.function, at.pc));
            fault.trace.extend(place);
            fault
        })
    }
}
