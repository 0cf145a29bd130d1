//! Entering functions.

use super::run::{End, Names, frame_for};
use super::tasks::{Frame, Task};
use super::{MOST_CALLS, Machine};
use crate::code::{Capture, Instruction};
use crate::fault::{Fault, Outcome};
use crate::heap::Closure;
use crate::host::Host;
use crate::value::Value;

impl Machine {
    /// Enters a function whose arguments lie behind `at`; its result goes to `at`.
    #[expect(clippy::too_many_arguments, reason = "the parts of one call, taken apart by the loop")]
    pub(super) fn enter(
        &mut self,
        task: &mut Task,
        program: u32,
        function: u32,
        instance: u32,
        closure: Value,
        at: usize,
        given: u8,
        fuel: &mut i64,
    ) -> Outcome<()> {
        if task.frames.len() >= MOST_CALLS {
            return Err(Fault::new("E504", format!("calls are nested deeper than {MOST_CALLS}"))
                .hint("a function that calls itself without end?"));
        }
        let Some(code) = self
            .programs
            .get(program as usize)
            .and_then(|loaded| loaded.program.functions.get(function as usize))
        else {
            return Err(Fault::new("E308", "the function is gone"));
        };
        // Straight-line code is paid for on entry, loops as they turn.
        *fuel -= code.cost;
        if *fuel < 0 {
            return Err(self.out_of_fuel());
        }
        if given < code.required || given > code.params {
            let expected = if code.required == code.params {
                code.params.to_string()
            } else {
                format!("{} to {}", code.required, code.params)
            };
            let word = if expected == "1" { "argument" } else { "arguments" };
            let mut fault =
                Fault::new("E203", format!("`{}` needs {expected} {word}, given {given}", code.name));
            if let Some(missing) = code.param_names.get(usize::from(given)).filter(|_| given < code.required)
            {
                fault = fault.hint(format!("`{missing}` is missing"));
            }
            return Err(fault);
        }
        let frame = Frame {
            program,
            function,
            instance,
            pc: 0,
            base: at as u32 + 1,
            result: at as u32,
            given,
            closure: match closure {
                Value::Function(handle) => Some(handle),
                _ => None,
            },
        };
        let frame = frame_for(code, frame, &mut task.stack, given);
        task.frames.push(frame);
        Ok(())
    }

    /// Calls what a register holds. Surplus arguments are dropped where the call is flexible.
    #[expect(clippy::too_many_arguments, reason = "the parts of one instruction, taken apart by the loop")]
    pub(super) fn enter_value(
        &mut self,
        task: &mut Task,
        callee: Value,
        at: usize,
        given: u8,
        flexible: bool,
        names: &Names<'_>,
        fuel: &mut i64,
    ) -> Outcome<()> {
        let Some(closure) = self.heap.get_closure(callee) else {
            let text = names.loaded.is_prelude;
            let what = if text { "the function given".to_owned() } else { self.subject(task, names) };
            let code = if callee.is_nil() { "E301" } else { "E308" };
            return Err(Fault::new(code, format!("{what} is {}, so it cannot be called", describe(callee)))
                .hint("call a function: `fn(x) => …` makes one"));
        };
        let (program, function, instance) = (closure.program, closure.function, closure.instance);
        let mut given = given;
        if flexible || names.loaded.is_prelude {
            let params = self
                .programs
                .get(program as usize)
                .and_then(|loaded| loaded.program.functions.get(function as usize))
                .map_or(given, |code| code.params);
            given = given.min(params);
        }
        self.enter(task, program, function, instance, callee, at, given, fuel)
    }

    /// Calls a function of a module, or of the prelude by name.
    pub(super) fn enter_module(
        &mut self,
        task: &mut Task,
        i: Instruction,
        at: usize,
        names: &Names<'_>,
        fuel: &mut i64,
    ) -> Outcome<()> {
        if i.c == u8::MAX {
            let name = names.loaded.program.names.get(i.d as usize).cloned().unwrap_or_default();
            return self.enter_prelude(task, &name, at, i.b, fuel);
        }
        let instance = names.loaded.modules.get(usize::from(i.c)).copied().unwrap_or(u32::MAX);
        // A module that changed meanwhile has other functions at these numbers: those it was compiled against count.
        let Some(program) = names.loaded.module_programs.get(usize::from(i.c)).copied() else {
            return Err(Fault::new("E217", "the module is gone"));
        };
        self.enter(task, program, i.d as u32, instance, Value::Nil, at, i.b, fuel)
    }

    pub(super) fn enter_prelude(
        &mut self,
        task: &mut Task,
        name: &str,
        at: usize,
        given: u8,
        fuel: &mut i64,
    ) -> Outcome<()> {
        let instance = self.prelude.unwrap_or(u32::MAX);
        let found = self
            .program_of(instance)
            .and_then(|program| program.named.get(name).copied())
            .zip(self.instances.get(instance).map(|instance| instance.program));
        let Some((function, program)) = found else {
            return Err(Fault::new("E216", format!("there is no `{name}`")));
        };
        self.enter(task, program, function as u32, instance, Value::Nil, at, given, fuel)
    }

    /// Enters the first function of a fresh task.
    pub(super) fn enter_fresh(
        &mut self,
        task: &mut Task,
        program: u32,
        function: u32,
        instance: u32,
        closure: Value,
        arguments: &[Value],
    ) -> Outcome<()> {
        // The first place is the result's.
        if task.stack.len() <= arguments.len() {
            task.stack.resize(arguments.len() + 1, Value::Nil);
        }
        for (place, argument) in task.stack.iter_mut().skip(1).zip(arguments) {
            *place = *argument;
        }
        let mut fuel = i64::MAX;
        self.enter(task, program, function, instance, closure, 0, arguments.len() as u8, &mut fuel)
    }

    pub(super) fn make_closure(&mut self, task: &Task, function: usize, names: &Names<'_>) -> Value {
        let Some(frame) = task.frames.last() else { return Value::Nil };
        let Some(code) = names.loaded.program.functions.get(function) else { return Value::Nil };
        let captures = code
            .captures
            .iter()
            .map(|capture| match capture {
                Capture::Register(register) => {
                    task.stack.get(frame.base as usize + usize::from(*register)).copied().unwrap_or_default()
                }
                Capture::Outer(index) => self
                    .heap
                    .get_closure(frame.callee())
                    .and_then(|closure| closure.captures.get(usize::from(*index)))
                    .copied()
                    .unwrap_or_default(),
            })
            .collect();
        self.heap.closure(Closure {
            program: frame.program,
            function: function as u32,
            instance: frame.instance,
            captures,
        })
    }

    /// Runs a function of an instance to its end at once. It may not wait.
    pub(super) fn call_now(
        &mut self,
        instance: u32,
        function: usize,
        arguments: &[Value],
        host: &mut dyn Host,
    ) -> Outcome<Value> {
        let mut fuel = self.instructions as i64;
        self.budget = self.instructions;
        self.call_with(instance, function, arguments, host, &mut fuel)
    }

    /// The same with a budget of instructions, of which what is left is given back.
    pub(crate) fn call_with(
        &mut self,
        instance: u32,
        function: usize,
        arguments: &[Value],
        host: &mut dyn Host,
        fuel: &mut i64,
    ) -> Outcome<Value> {
        let Some(target) = self.instances.get(instance) else {
            return Err(Fault::new("E217", "the script is gone"));
        };
        let (program, owner) = (target.program, target.owner);
        let mut task = self.borrow_task(owner);
        let entered = self.enter_fresh(&mut task, program, function as u32, instance, Value::Nil, arguments);
        let end = match entered {
            Ok(()) => self.run(&mut task, host, fuel),
            Err(fault) => End::Failed(fault),
        };
        if let End::Failed(fault) = &end {
            self.clean_up_after(&mut task, fault);
        }
        self.give_back(task);
        match end {
            End::Done(value) => Ok(value),
            End::Failed(fault) => Err(fault),
            End::Sleeping(_) => Err(Fault::new("E411", "waiting is not possible here")),
        }
    }

    /// A function of a program without an entity, ready to be called often. The program is loaded and its variables are
    /// set, which `fuel` pays for.
    pub fn function(
        &mut self,
        program: &std::sync::Arc<crate::code::Program>,
        name: &str,
        host: &mut dyn Host,
        fuel: &mut i64,
    ) -> Outcome<Function> {
        let instance = self.instance_without_entity(program, host, fuel)?;
        match program.named.get(name) {
            Some(function) => Ok(Function { instance, function: *function }),
            None => Err(Fault::new("E216", format!("the program has no function `{name}`"))),
        }
    }

    /// The one instance of a program that belongs to no entity.
    pub(crate) fn instance_without_entity(
        &mut self,
        program: &std::sync::Arc<crate::code::Program>,
        host: &mut dyn Host,
        fuel: &mut i64,
    ) -> Outcome<u32> {
        let address = std::sync::Arc::as_ptr(program) as usize;
        if let Some(instance) = self.without_entity.get(&address) {
            return Ok(*instance);
        }
        let index = self.load(program, host);
        let instance = self.add_instance(index, None);
        if program.kind.has_start() {
            self.give_budget(*fuel);
            self.call_with(instance, 0, &[], host, fuel)?;
        }
        // The machine keeps what it loaded, so the address stays taken.
        self.without_entity.insert(address, instance);
        Ok(instance)
    }

    /// Calls a function to its end at once. It may not wait.
    pub fn call(
        &mut self,
        function: Function,
        arguments: &[Value],
        host: &mut dyn Host,
        fuel: &mut i64,
    ) -> Outcome<Value> {
        self.give_budget(*fuel);
        self.call_with(function.instance, function.function, arguments, host, fuel)
    }

    /// What errors name as the limit of the run that begins.
    fn give_budget(&mut self, fuel: i64) {
        self.budget = fuel.max(0) as u64;
    }

    /// Loads a program without an entity and calls one of its functions to the end: tools and expressions. `fuel` is
    /// what it may use and afterwards what is left.
    pub fn run_function(
        &mut self,
        program: &std::sync::Arc<crate::code::Program>,
        name: &str,
        arguments: &[Value],
        host: &mut dyn Host,
        fuel: &mut i64,
    ) -> Outcome<Value> {
        let budget = *fuel;
        // The program's start must not let go of what its function is given.
        let function = self.holding(arguments, |machine| machine.function(program, name, host, fuel))?;
        self.give_budget(budget);
        self.call_with(function.instance, function.function, arguments, host, fuel)
    }
}

/// A function of a loaded program, for [`Machine::call`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Function {
    instance: u32,
    function: usize,
}

/// A value in a message: nil, or its type.
pub(super) fn describe(value: Value) -> &'static str {
    match value {
        Value::Nil => "nil",
        other => match other.type_name() {
            "entity" => "an entity",
            "number" => "a number",
            "bool" => "a bool",
            "string" => "a string",
            "vector" => "a vector",
            "list" => "a list",
            "record" => "a record",
            "function" => "a function",
            "range" => "a range",
            "color" => "a color",
            "task" => "a task",
            "stream" => "a stream",
            _ => "a value",
        },
    }
}
