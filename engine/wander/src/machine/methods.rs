//! Calling `x.name(…)`: a function in a record, a method of the type, of entities, or of an entity's script.

use super::Machine;
use super::access::{COMPARING, MOST_COMPARED};
use super::calls::describe;
use super::run::{Flow, Names};
use super::tasks::Task;
use crate::code::Instruction;
use crate::fault::{Fault, Outcome};
use crate::heap::Key;
use crate::host::Host;
use crate::value::Value;

impl Machine {
    /// The receiver lies at `at + 1`, the arguments behind it; the result goes to `at`.
    pub(super) fn call_method(
        &mut self,
        task: &mut Task,
        i: Instruction,
        at: usize,
        names: &Names<'_>,
        host: &mut dyn Host,
        fuel: &mut i64,
    ) -> Outcome<Flow> {
        *fuel -= 4;
        if *fuel < 0 {
            return Err(self.out_of_fuel());
        }
        let name = i.d as usize;
        let text = names.loaded.program.names.get(name).map_or("", String::as_str);
        let receiver = task.stack.get(at + 1).copied().unwrap_or_default();
        match receiver {
            Value::Record(_) => {
                let symbol = names.loaded.symbols.get(name).copied().unwrap_or(crate::heap::Symbol(u32::MAX));
                let field = self
                    .heap
                    .get_record(receiver)
                    .map(|record| record.get(Key::Symbol(symbol), &self.heap.shapes));
                if let Some(function @ Value::Function(_)) = field {
                    // Fields win over methods; the record itself is not passed.
                    if let Some(slot) = task.stack.get_mut(at + 1) {
                        *slot = function;
                    }
                    self.enter_value(task, function, at + 1, i.b, false, names, fuel)?;
                    if let Some(frame) = task.frames.last_mut() {
                        frame.result = at as u32;
                    }
                    return Ok(Flow::Entered);
                }
            }
            Value::Entity(entity) => return self.entity_method(task, i, at, entity, text, names, host, fuel),
            Value::Task(id) => match text {
                "cancel" => {
                    self.end_task(id);
                    if let Some(slot) = task.stack.get_mut(at) {
                        *slot = Value::Nil;
                    }
                    return Ok(Flow::Next);
                }
                "wait" if !self.is_done(id) => return Ok(Flow::Sleep(super::Wait::Task(id))),
                "wait" => {
                    let result = self.result_of(id);
                    if let Some(slot) = task.stack.get_mut(at) {
                        *slot = result;
                    }
                    return Ok(Flow::Next);
                }
                _ => {}
            },
            Value::Nil => {
                let so = format!("so `.{text}()` cannot be called");
                return Err(self.nil_fault(task, names, super::origin::Operand::Whole, &so));
            }
            _ => {}
        }
        let number = crate::library::kind_of(&receiver)
            .and_then(|kind| names.loaded.methods.get(name)?.get(kind).copied().flatten());
        let Some(number) = number else { return Err(self.unknown_method(receiver, text)) };
        let Some(native) = crate::library::get(number) else { return Ok(Flow::Next) };
        // The receiver is one of the native's own arguments.
        let given = i.b + 1;
        if given < native.arity.0 || given > native.arity.1 {
            return Err(Fault::new(
                "E203",
                format!("`{text}` takes {} arguments, given {}", native.arity.0.saturating_sub(1), i.b),
            ));
        }
        if let Some(prelude) = native.prelude {
            self.enter_prelude(task, prelude, at, given, fuel)?;
            return Ok(Flow::Entered);
        }
        let value = self.run_native(native, task, at + 1, given, host, fuel)?;
        if let Some(slot) = task.stack.get_mut(at) {
            *slot = value;
        }
        Ok(Flow::Next)
    }

    #[expect(clippy::too_many_arguments, reason = "the parts of one instruction, taken apart by the loop")]
    fn entity_method(
        &mut self,
        task: &mut Task,
        i: Instruction,
        at: usize,
        entity: base::EntityId,
        text: &str,
        names: &Names<'_>,
        host: &mut dyn Host,
        fuel: &mut i64,
    ) -> Outcome<Flow> {
        if !host.is_alive(entity) {
            return Err(Fault::new("E215", format!("`{}` is destroyed", host.entity_name(entity)))
                .hint("check `if e then …` or `e.alive` before"));
        }
        if let Some(number) = names.loaded.host_methods.get(i.d as usize).copied().flatten() {
            if let Some(method) = self.environment.by_number(number)
                && (i.b < method.arity.0 || i.b > method.arity.1)
            {
                return Err(Fault::new(
                    "E203",
                    format!(
                        "`{text}` takes {} to {} arguments, given {}",
                        method.arity.0, method.arity.1, i.b
                    ),
                ));
            }
            return self.call_host(task, number, at + 1, i.b + 1, at, host, fuel);
        }
        let instance = self.by_owner.get(&entity).copied();
        let function = instance
            .and_then(|instance| self.program_of(instance))
            .and_then(|program| program.named.get(text).copied())
            .filter(|_| !text.starts_with('_'));
        if let (Some(instance), Some(function)) = (instance, function) {
            let program = self.instances.get(instance).map_or(0, |i| i.program);
            self.enter(task, program, function as u32, instance, Value::Nil, at + 1, i.b, fuel)?;
            if let Some(frame) = task.frames.last_mut() {
                frame.result = at as u32;
            }
            return Ok(Flow::Entered);
        }
        let script_names = instance
            .and_then(|instance| self.program_of(instance))
            .map(|program| program.named.keys().cloned().collect::<Vec<_>>())
            .unwrap_or_default();
        let known = self.environment.methods.iter().map(|method| method.name);
        let known: Vec<&str> =
            known.chain(script_names.iter().map(String::as_str)).take(MOST_COMPARED).collect();
        let near = base::suggest::nearest(text, known.iter().copied());
        let mut fault = Fault::new("E216", format!("`{}` has no method `{text}`", host.entity_name(entity)));
        fault.searched = known.len() * COMPARING;
        Err(match base::suggest::did_you_mean(&near) {
            Some(hint) => fault.hint(hint),
            None => {
                fault.hint("methods of an entity are the functions of its script and those every entity has")
            }
        })
    }

    fn unknown_method(&self, receiver: Value, name: &str) -> Box<Fault> {
        let kind = receiver.type_name();
        let known = crate::library::methods(kind);
        let near = base::suggest::nearest(name, known.iter().map(String::as_str));
        let mut fault = Fault::new("E216", format!("{} has no method `{name}`", describe(receiver)));
        fault.searched = known.len() * COMPARING;
        match base::suggest::did_you_mean(&near) {
            Some(hint) => fault.hint(hint),
            None if known.is_empty() => fault,
            None => {
                fault.hint(format!("it has {}", base::suggest::list(known.iter().map(String::as_str), 40)))
            }
        }
    }
}
