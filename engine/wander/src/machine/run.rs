//! The half of the machine that knows every instruction with every kind of value, one at a time. It holds no state of
//! its own: everything is in the task, so it can be left at any host call and entered again in another tick. What is
//! frequent is done by the other half, `quick.rs`.

#![allow(
    clippy::indexing_slicing,
    reason = "registers and jump targets come from the compiler, which sizes every frame; the stack is grown on entry"
)]

use std::sync::Arc;

use super::tasks::{Frame, Task, TryPoint, Wait};
use super::{Loaded, Machine, quick};
use crate::code::{Code, Op};
use crate::fault::{Fault, Outcome};
use crate::heap::{Key, Range, Record};
use crate::host::{Answer, CallContext, Host};
use crate::value::Value;

/// How a run ended.
pub(super) enum End {
    /// The task's function returned.
    Done(Value),
    /// An error that nothing caught.
    Failed(Box<Fault>),
    /// It sleeps.
    Sleeping(Wait),
}

/// What executing a call came to.
pub(super) enum Flow {
    /// Go on with the next instruction.
    Next,
    /// Another frame is on top.
    Entered,
    /// The task sleeps.
    Sleep(Wait),
}

/// Names of what an instruction works on, taken from the program that is running.
pub(super) struct Names<'a> {
    pub(super) loaded: &'a Loaded,
}

impl Machine {
    /// Runs a task until it ends, fails or sleeps. `fuel` is what it may use.
    pub(super) fn run(&mut self, task: &mut Task, host: &mut dyn Host, fuel: &mut i64) -> End {
        let before = *fuel;
        self.set_room(task.owner);
        let end = loop {
            match self.execute(task, host, fuel) {
                Ok(end) => break end,
                Err(mut fault) => {
                    if fault.trace.is_empty() {
                        fault.trace = self.trace(task);
                    }
                    if let Err(fault) = self.rescue(task, fault, fuel) {
                        break End::Failed(fault);
                    }
                }
            }
        };
        self.used += (before - *fuel).max(0) as u64;
        end
    }

    /// Executes until the task ends or sleeps; an error leaves the frames as they were where it happened.
    fn execute(&mut self, task: &mut Task, host: &mut dyn Host, fuel: &mut i64) -> Outcome<End> {
        // Programs do not change while one runs; holding them leaves `self` free for whatever is not quick.
        let mut held = None;
        loop {
            let Some(program) = task.frames.last().map(|frame| frame.program) else {
                return Ok(End::Done(Value::Nil));
            };
            let Some(loaded) = self.programs.get(program as usize) else { return Ok(End::Done(Value::Nil)) };
            if self.is_quick {
                // By the clock, the quick half runs for a while only.
                let mut slice = self.watch.as_mut().map_or(*fuel, |watch| watch.slice(*fuel));
                let given = slice;
                quick::run(&mut quick::Quick {
                    heap: &mut self.heap,
                    instances: &mut self.instances,
                    sites: self.sites.get(loaded.first_site..).unwrap_or_default(),
                    loaded,
                    functions: &loaded.program.functions,
                    program,
                    task,
                    host,
                    fuel: &mut slice,
                });
                *fuel -= given - slice;
            }
            if let Some(watch) = &mut self.watch {
                watch.look(*fuel)?;
            }
            if *fuel < 0 || self.heap.wants_collection() {
                self.between_turns(task, *fuel)?;
            }
            if let Some((value, at)) = quick::returned(&self.programs, task) {
                self.returned = Some(at);
                return Ok(End::Done(value));
            }
            let programs = held.get_or_insert_with(|| Arc::clone(&self.programs));
            let Some(loaded) = programs.get(program as usize) else { return Ok(End::Done(Value::Nil)) };
            // One instruction that the quick half does not do, with everything that it may mean.
            if let Some(end) = self.step(task, loaded, host, fuel)? {
                return Ok(end);
            }
        }
    }

    /// Executes one instruction.
    fn step(
        &mut self,
        task: &mut Task,
        loaded: &Loaded,
        host: &mut dyn Host,
        fuel: &mut i64,
    ) -> Outcome<Option<End>> {
        let Some(frame) = task.frames.last_mut() else { return Ok(Some(End::Done(Value::Nil))) };
        let instruction = loaded
            .program
            .functions
            .get(frame.function as usize)
            .and_then(|code| code.instructions.get(frame.pc as usize))
            .copied();
        let Some(i) = instruction else { return Ok(Some(End::Done(Value::Nil))) };
        frame.pc += 1;
        let (base, instance, closure) = (frame.base as usize, frame.instance, frame.closure);
        let pc = frame.pc as usize;
        let names = Names { loaded };
        quick::make_window(&mut task.stack, base);
        macro_rules! reg {
            ($index:expr) => {
                task.stack[base + usize::from($index)]
            };
        }
        macro_rules! jump {
            ($to:expr) => {
                if let Some(frame) = task.frames.last_mut() {
                    frame.pc = $to as u32;
                }
            };
        }
        match i.op {
            Op::Constant => reg!(i.a) = loaded.constants[i.d as usize],
            Op::Nil => reg!(i.a) = Value::Nil,
            Op::Bool => reg!(i.a) = Value::Bool(i.d != 0),
            Op::Move => reg!(i.a) = reg!(i.b),
            Op::SelfEntity => reg!(i.a) = self.owner_of(instance).map_or(Value::Nil, Value::Entity),
            Op::GetGlobal => reg!(i.a) = self.global(instance, loaded.place_of(i.d as usize)),
            Op::SetGlobal => self.set_global(instance, loaded.place_of(i.d as usize), reg!(i.a)),
            Op::GetModule => {
                let module = loaded.modules.get(usize::from(i.b)).copied().unwrap_or(u32::MAX);
                let compiled = loaded.module_programs.get(usize::from(i.b)).copied().unwrap_or(u32::MAX);
                let place =
                    self.programs.get(compiled as usize).map_or(usize::MAX, |m| m.place_of(i.d as usize));
                reg!(i.a) = self.global(module, place);
            }
            Op::NewCell => reg!(i.a) = self.heap.cell(reg!(i.a)),
            Op::GetCell => reg!(i.a) = *self.heap.cell_at(&reg!(i.b)),
            Op::SetCell => self.heap.set_cell(&reg!(i.a), reg!(i.b)),
            Op::GetCapture => reg!(i.a) = *self.heap.captured(closure, i.d as usize),
            Op::SetCapture => self.heap.set_captured(closure, i.d as usize, reg!(i.a)),
            Op::Closure => reg!(i.a) = self.make_closure(task, i.d as usize, &names),
            Op::Add => reg!(i.a) = self.add((reg!(i.b), reg!(i.c)), &names, task, host, fuel)?,
            Op::AddK => {
                let sides = (reg!(i.b), loaded.constants[i.d as usize]);
                reg!(i.a) = self.add(sides, &names, task, host, fuel)?;
            }
            Op::Sub | Op::Mul | Op::Div | Op::FloorDiv | Op::Mod | Op::Pow => {
                reg!(i.a) = self.arithmetic(i.op, (reg!(i.b), reg!(i.c)), &names, task)?;
            }
            Op::SubK | Op::MulK | Op::DivK => {
                let op = match i.op {
                    Op::SubK => Op::Sub,
                    Op::MulK => Op::Mul,
                    _ => Op::Div,
                };
                let sides = (reg!(i.b), loaded.constants[i.d as usize]);
                reg!(i.a) = self.arithmetic(op, sides, &names, task)?;
            }
            Op::Negate => reg!(i.a) = self.negate(reg!(i.b), &names, task)?,
            Op::Not => reg!(i.a) = Value::Bool(!self.truth(reg!(i.b), host)),
            Op::Equal | Op::NotEqual => {
                let equal = self.equal(reg!(i.b), reg!(i.c), fuel)?;
                reg!(i.a) = Value::Bool(equal == (i.op == Op::Equal));
            }
            Op::Less | Op::LessEqual => {
                let order = self.compare((reg!(i.b), reg!(i.c)), i.d != 0, &names, task, fuel)?;
                reg!(i.a) = Value::Bool(if i.op == Op::Less { order.is_lt() } else { order.is_le() });
            }
            Op::In => reg!(i.a) = Value::Bool(self.contains(reg!(i.c), reg!(i.b), fuel)?),
            // The instructions that follow do the same.
            Op::MulAdd | Op::SubMul | Op::MulSub | Op::MulKAdd | Op::SubMulK | Op::MulKAddK => {}
            Op::Jump => jump!(i.d),
            Op::Loop => {
                *fuel -= (pc as i64 - i64::from(i.d)).max(1);
                jump!(i.d);
            }
            Op::JumpIfNot | Op::JumpIf => {
                if self.truth(reg!(i.a), host) == (i.op == Op::JumpIf) {
                    jump!(i.d);
                }
            }
            Op::JumpIfNil | Op::JumpIfSome => {
                if reg!(i.a).is_nil() == (i.op == Op::JumpIfNil) {
                    jump!(i.d);
                }
            }
            Op::JumpUnlessLess
            | Op::JumpUnlessLessEqual
            | Op::JumpUnlessLessK
            | Op::JumpUnlessLessEqualK
            | Op::JumpUnlessMoreK
            | Op::JumpUnlessMoreEqualK => {
                let right = match i.op {
                    Op::JumpUnlessLess | Op::JumpUnlessLessEqual => reg!(i.c),
                    _ => loaded.constants[usize::from(i.c)],
                };
                let order = self.compare((reg!(i.b), right), i.a != 0, &names, task, fuel)?;
                let holds = match i.op {
                    Op::JumpUnlessLess | Op::JumpUnlessLessK => order.is_lt(),
                    Op::JumpUnlessLessEqual | Op::JumpUnlessLessEqualK => order.is_le(),
                    Op::JumpUnlessMoreK => order.is_gt(),
                    _ => order.is_ge(),
                };
                if !holds {
                    jump!(i.d);
                }
            }
            Op::List => {
                let first = base + usize::from(i.b);
                let items = task.stack[first..first + i.d as usize].to_vec();
                *fuel -= i64::from(i.d);
                reg!(i.a) = self.heap.list(items);
            }
            Op::Push => {
                self.heap.push(&reg!(i.a), reg!(i.b));
            }
            Op::Extend => self.extend(reg!(i.a), reg!(i.b), task, fuel)?,
            Op::Record => reg!(i.a) = self.heap.add_record(Record::default()),
            Op::Fields => {
                let first = base + usize::from(i.b);
                reg!(i.a) = self.fields(loaded, i.d as usize, &task.stack[first..]);
            }
            Op::InitField => {
                let symbol = loaded.symbol_of(i.d as usize);
                self.heap.record_set(reg!(i.a), Key::Symbol(symbol), reg!(i.b));
            }
            Op::Spread => self.spread(reg!(i.a), reg!(i.b), fuel)?,
            Op::GetField => {
                reg!(i.a) = self.get_field(reg!(i.b), i.d as usize, &names, task, host)?;
            }
            Op::SetField => self.set_field(reg!(i.a), i.d as usize, reg!(i.b), &names, task, host, fuel)?,
            Op::SetFieldThrough => match self.with_component(reg!(i.a), i.d as usize, reg!(i.b), &names)? {
                Some(changed) => reg!(i.a) = changed,
                None => {
                    self.set_field(reg!(i.a), i.d as usize, reg!(i.b), &names, task, host, fuel)?;
                    jump!(pc + usize::from(i.c));
                }
            },
            Op::GetIndex => reg!(i.a) = self.get_index(reg!(i.b), reg!(i.c), &names, task, host, fuel)?,
            Op::SetIndex => self.set_index(reg!(i.a), reg!(i.b), reg!(i.c), &names, task, host, fuel)?,
            Op::Call | Op::CallFlexible => {
                let (callee, at) = (reg!(i.a), base + usize::from(i.a));
                self.enter_value(task, callee, at, i.b, i.op == Op::CallFlexible, &names, fuel)?;
            }
            Op::CallFunction => {
                let at = base + usize::from(i.a);
                let program = task.frames.last().map_or(0, |frame| frame.program);
                self.enter(task, program, i.d as u32, instance, Value::Nil, at, i.b, fuel)?;
            }
            Op::CallModule => self.enter_module(task, i, base + usize::from(i.a), &names, fuel)?,
            // As much as in the quick half.
            Op::CallPush if matches!(reg!(i.a + 1), Value::List(_)) => {
                self.reserve(task, self.heap.growth(reg!(i.a + 1), 1))?;
                self.heap.push(&reg!(i.a + 1), reg!(i.a + 2));
                *fuel -= 1;
                reg!(i.a) = Value::Nil;
            }
            Op::CallMethod | Op::CallPush => {
                let at = base + usize::from(i.a);
                if let Flow::Sleep(wait) = self.call_method(task, i, at, &names, host, fuel)? {
                    return self.sleep(task, wait, at).map(Some);
                }
                if self.heap.is_over() {
                    self.make_room(task)?;
                }
            }
            Op::CallNative => {
                let at = base + usize::from(i.a);
                let value = self.call_native(task, i.d as u16, at + 1, i.b, host, fuel)?;
                task.stack[at] = value;
                if let Some(wait) = self.wants_sleep.take() {
                    return self.sleep(task, wait, at).map(Some);
                }
            }
            Op::CallNative1 => {
                let at = base + usize::from(i.a);
                let value = self.call_native(task, i.d as u16, base + usize::from(i.b), 1, host, fuel)?;
                task.stack[at] = value;
                if let Some(wait) = self.wants_sleep.take() {
                    return self.sleep(task, wait, at).map(Some);
                }
            }
            Op::CallHost => {
                let at = base + usize::from(i.a);
                if let Flow::Sleep(wait) = self.call_host(task, i.d as u16, at + 1, i.b, at, host, fuel)? {
                    return self.sleep(task, wait, at).map(Some);
                }
                if self.heap.is_over() {
                    self.make_room(task)?;
                }
            }
            Op::Return => {
                let value = reg!(i.a);
                let Some(done) = task.frames.pop() else { return Ok(Some(End::Done(value))) };
                let depth = task.frames.len() as u32;
                while task.tries.last().is_some_and(|point| point.frame >= depth) {
                    task.tries.pop();
                }
                if task.frames.is_empty() {
                    self.returned = Some(super::faults::Returned {
                        program: done.program,
                        function: done.function,
                        pc: done.pc,
                    });
                    return Ok(Some(End::Done(value)));
                }
                task.stack[done.result as usize] = value;
            }
            Op::Vector => {
                let first = base + usize::from(i.b);
                let parts = self.parts(&task.stack[first..first + i.d as usize])?;
                reg!(i.a) = self.heap.vector(&parts[..i.d as usize]);
            }
            Op::Range => reg!(i.a) = self.make_range(reg!(i.b), reg!(i.c), i.d != 0)?,
            Op::Concat => {
                let first = base + usize::from(i.b);
                reg!(i.a) = self.concat(&task.stack[first..first + i.d as usize], host, fuel)?;
            }
            Op::Format => {
                let spec = usize::try_from(i.d).ok().map(|index| loaded.constants[index]);
                let spec = spec.and_then(|spec| self.heap.get_text(spec)).unwrap_or_default().to_owned();
                let text = self.format(reg!(i.b), &spec, host, fuel)?;
                reg!(i.a) = self.heap.own_text(text);
            }
            Op::ForPrepare => {
                let (source, record) = self.prepare_loop(reg!(i.a), fuel)?;
                reg!(i.a) = source;
                reg!(i.a + 1) = Value::Number(0.0);
                reg!(i.a + 2) = record;
            }
            Op::ForNext => {
                let Value::Number(index) = reg!(i.a + 1) else { return Ok(None) };
                let turn = self.next_turn(reg!(i.a), reg!(i.a + 2), index as usize, i.b);
                if let Some((first, second)) = turn {
                    reg!(i.a + 1) = Value::Number(index + 1.0);
                    reg!(i.a + 3) = first;
                    reg!(i.a + 4) = second;
                    *fuel -= (pc as i64 - i64::from(i.d)).max(1);
                    jump!(i.d);
                }
            }
            Op::ForNumber => {
                let (Value::Number(now), Value::Number(limit)) = (reg!(i.a), reg!(i.a + 1)) else {
                    return Err(range_fault(reg!(i.a), reg!(i.a + 1)));
                };
                if now < limit || i.b != 0 && now <= limit {
                    reg!(i.a + 2) = Value::Number(now);
                    reg!(i.a) = Value::Number(now + 1.0);
                    *fuel -= (pc as i64 - i64::from(i.d)).max(1);
                    jump!(i.d);
                }
            }
            Op::Matches => {
                let (subject, case) = (reg!(i.b), reg!(i.c));
                reg!(i.a) = Value::Bool(match (subject, self.heap.get_range(case)) {
                    (Value::Number(number), Some(range)) => range.contains(number),
                    _ => self.equal(subject, case, fuel)?,
                });
            }
            Op::Try => {
                let frame = task.frames.len() as u32 - 1;
                task.tries.push(TryPoint { frame, target: i.d as u32, register: i.a });
            }
            Op::EndTry => {
                task.tries.pop();
            }
            Op::JumpIfGiven => {
                if task.frames.last().is_some_and(|frame| frame.given > i.a) {
                    jump!(i.d);
                }
            }
        }
        Ok(None)
    }

    /// What a loop looks after now and then: its budget and the heap.
    #[cold]
    fn between_turns(&mut self, task: &Task, fuel: i64) -> Outcome<()> {
        if fuel < 0 { Err(self.out_of_fuel()) } else { self.make_room(task) }
    }

    /// A record literal.
    fn fields(&mut self, loaded: &Loaded, layout: usize, values: &[Value]) -> Value {
        let Some((shape, names)) =
            loaded.layouts.get(layout).copied().zip(loaded.program.layouts.get(layout))
        else {
            return Value::Nil;
        };
        let values = values.get(..names.len()).unwrap_or_default();
        if values.iter().any(Value::is_nil) {
            // A field that is nil is none.
            let record = self.heap.add_record(Record::default());
            for (name, value) in names.iter().zip(values) {
                if let Some(symbol) = loaded.symbols.get(*name as usize) {
                    self.heap.record_set(record, Key::Symbol(*symbol), *value);
                }
            }
            return record;
        }
        self.heap.add_record(Record::shaped(shape, values))
    }

    fn make_range(&mut self, start: Value, end: Value, inclusive: bool) -> Outcome<Value> {
        let (Value::Number(from), Value::Number(to)) = (start, end) else {
            return Err(range_fault(start, end));
        };
        Ok(self.heap.range(Range { start: from, end: to, step: 1.0, inclusive }))
    }

    fn concat(&mut self, values: &[Value], host: &dyn Host, fuel: &mut i64) -> Outcome<Value> {
        let mut text = String::new();
        for value in values {
            self.append_text(*value, &mut text, host, fuel)?;
        }
        Ok(self.heap.own_text(text))
    }

    fn sleep(&mut self, task: &mut Task, wait: Wait, at: usize) -> Outcome<End> {
        if !task.may_wait {
            let code = if task.owner.is_some() { "E410" } else { "E411" };
            let message = if task.owner.is_some() {
                "this handler runs every frame and cannot wait"
            } else {
                "waiting is not possible here"
            };
            return Err(Fault::new(code, message).hint("start a task: `spawn(fn() … end)`"));
        }
        task.answer = at as u32;
        Ok(End::Sleeping(wait))
    }

    fn call_native(
        &mut self,
        task: &mut Task,
        number: u16,
        first: usize,
        count: u8,
        host: &mut dyn Host,
        fuel: &mut i64,
    ) -> Outcome<Value> {
        *fuel -= 4;
        if *fuel < 0 {
            return Err(self.out_of_fuel());
        }
        let Some(native) = crate::library::get(number) else { return Ok(Value::Nil) };
        let value = self.run_native(native, task, first, count, host, fuel)?;
        if self.heap.is_over() {
            self.make_room(task)?;
        }
        Ok(value)
    }

    /// Calls a native with the arguments from `first` on.
    pub(super) fn run_native(
        &mut self,
        native: &crate::library::Native,
        task: &mut Task,
        first: usize,
        count: u8,
        host: &mut dyn Host,
        fuel: &mut i64,
    ) -> Outcome<Value> {
        // The native may use the task itself, so it gets copies; few need no allocation.
        let given = task.stack.get(first..first + usize::from(count)).unwrap_or_default();
        let (mut few, many) = ([Value::Nil; FEW], given.get(FEW..).map(|_| given.to_vec()));
        if let Some(few) = few.get_mut(..given.len()) {
            few.copy_from_slice(given);
        }
        let given = many.as_deref().or(few.get(..given.len())).unwrap_or_default();
        let value = (native.run)(&mut crate::library::Call { machine: self, host, task, fuel }, given)?;
        if self.heap.is_nan(value) {
            let fault = Fault::new("E307", format!("`{}` has no value there", native.full_name()));
            let is_infinite = |value: &Value| matches!(value, Value::Number(x) if x.is_infinite());
            return Err(if given.iter().any(is_infinite) {
                fault.hint(super::arithmetic::INFINITE)
            } else {
                fault
            });
        }
        Ok(value)
    }

    #[expect(clippy::too_many_arguments, reason = "the parts of one instruction, taken apart by the loop")]
    pub(super) fn call_host(
        &mut self,
        task: &mut Task,
        number: u16,
        first: usize,
        count: u8,
        at: usize,
        host: &mut dyn Host,
        fuel: &mut i64,
    ) -> Outcome<Flow> {
        *fuel -= 4;
        if *fuel < 0 {
            return Err(self.out_of_fuel());
        }
        let arguments = &task.stack[first..first + usize::from(count)];
        // The host reads texts to their end.
        for text in arguments.iter().filter_map(|argument| self.heap.get_text(*argument)) {
            self.pay(fuel, text.len())?;
        }
        let owner = task.owner;
        let stream = owner.map_or(0, base::EntityId::get);
        let seed = self.seed;
        let random =
            self.random.entry(stream).or_insert_with(|| crate::random::Pcg32::new(seed, u64::from(stream)));
        let mut context =
            CallContext { heap: &mut self.heap, owner, task: task.id, random, events: &mut self.events };
        Ok(match host.call(&mut context, number, arguments)? {
            Answer::Value(value) => {
                task.stack[at] = value;
                Flow::Next
            }
            Answer::Later => Flow::Sleep(Wait::Answer),
            Answer::Sleep(ticks) => {
                task.stack[at] = Value::Nil;
                Flow::Sleep(Wait::Tick(self.tick + ticks.max(1)))
            }
            Answer::Event => {
                let name = arguments.first().and_then(|name| self.heap.get_text(*name)).unwrap_or_default();
                Flow::Sleep(Wait::Event(name.to_owned()))
            }
        })
    }

    pub(super) fn global(&self, instance: u32, index: usize) -> Value {
        self.instances
            .get(instance)
            .and_then(|instance| instance.globals.get(index))
            .copied()
            .unwrap_or_default()
    }

    fn set_global(&mut self, instance: u32, index: usize, value: Value) {
        if let Some(instance) = self.instances.get_mut(instance)
            && let Some(slot) = instance.globals.get_mut(index)
        {
            *slot = value;
        }
    }
}

/// Arguments up to which a native's call allocates nothing.
const FEW: usize = 8;

#[cold]
fn range_fault(start: Value, end: Value) -> Box<Fault> {
    Fault::new(
        "E305",
        format!("a range goes from number to number, not from {} to {}", start.type_name(), end.type_name()),
    )
}

/// The frame that a function needs on a stack.
pub(super) fn frame_for(code: &Code, mut frame: Frame, stack: &mut Vec<Value>, given: u8) -> Frame {
    let top = frame.base as usize + usize::from(code.registers) + 1;
    if stack.len() < top {
        stack.resize(top, Value::Nil);
    }
    // Parameters that were not given must not show what lay there before.
    for missing in given..code.params {
        stack[frame.base as usize + usize::from(missing)] = Value::Nil;
    }
    frame.given = given.min(code.params);
    frame
}
