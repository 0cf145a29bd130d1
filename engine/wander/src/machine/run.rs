//! The loop that executes instructions. It holds no state of its own: everything is in the task, so it can be left at
//! any host call and entered again in another tick.

#![allow(
    clippy::indexing_slicing,
    reason = "registers and jump targets come from the compiler, which sizes every frame; the stack is grown on entry"
)]

use std::sync::Arc;

use super::tasks::{Frame, Task, TryPoint, Wait};
use super::{Loaded, Machine};
use crate::code::{Code, Instruction, Op};
use crate::fault::{Fault, Outcome, Trace};
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
        let end = loop {
            match self.execute(task, host, fuel) {
                Ok(end) => break end,
                Err(mut fault) => {
                    if fault.trace.is_empty() {
                        fault.trace = self.trace(task);
                    }
                    if !self.rescue(task, &fault) {
                        break End::Failed(fault);
                    }
                }
            }
        };
        self.used += (before - *fuel).max(0) as u64;
        end
    }

    /// Goes to the innermost open `try`; false where there is none or the fault cannot be caught.
    fn rescue(&mut self, task: &mut Task, fault: &Fault) -> bool {
        if !fault.is_catchable() {
            return false;
        }
        let Some(point) = task.tries.pop() else { return false };
        let error = self.error_record(fault);
        task.frames.truncate(point.frame as usize + 1);
        let Some(frame) = task.frames.last_mut() else { return false };
        frame.pc = point.target;
        let register = frame.base as usize + usize::from(point.register);
        task.stack[register] = error;
        true
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
    fn trace(&self, task: &Task) -> Vec<Trace> {
        task.frames
            .iter()
            .rev()
            .take(20)
            .filter_map(|frame| {
                let program = &self.programs.get(frame.program as usize)?.program;
                let code = program.functions.get(frame.function as usize)?;
                let span = program.span(frame.function as usize, (frame.pc as usize).saturating_sub(1));
                let (line, column) = span.line_column(&program.source);
                // The prelude is no file of anybody's.
                (program.path != crate::prelude::PATH).then(|| Trace {
                    function: code.name.clone(),
                    file: program.path.clone(),
                    line,
                    column,
                })
            })
            .collect()
    }

    /// Executes until the task ends or sleeps; an error leaves the frames as they were where it happened.
    fn execute(&mut self, task: &mut Task, host: &mut dyn Host, fuel: &mut i64) -> Outcome<End> {
        // Programs do not change while one runs; holding them here leaves `self` free.
        let programs = Arc::clone(&self.programs);
        'frame: loop {
            let Some(frame) = task.frames.last() else { return Ok(End::Done(Value::Nil)) };
            let Some(loaded) = programs.get(frame.program as usize) else { return Ok(End::Done(Value::Nil)) };
            let Some(code) = loaded.program.functions.get(frame.function as usize) else {
                return Ok(End::Done(Value::Nil));
            };
            let names = Names { loaded };
            let instructions: &[Instruction] = &code.instructions;
            let base = frame.base as usize;
            let instance = frame.instance;
            let closure = frame.closure;
            let mut pc = frame.pc as usize;
            macro_rules! reg {
                ($index:expr) => {
                    task.stack[base + usize::from($index)]
                };
            }
            macro_rules! save {
                () => {
                    if let Some(frame) = task.frames.last_mut() {
                        frame.pc = pc as u32;
                    }
                };
            }
            /// Runs what may fail; the frame's place is kept for the message.
            macro_rules! check {
                ($result:expr) => {
                    match $result {
                        Ok(value) => value,
                        Err(fault) => {
                            save!();
                            return Err(fault);
                        }
                    }
                };
            }
            loop {
                let i = instructions[pc];
                pc += 1;
                match i.op {
                    Op::Constant => reg!(i.a) = loaded.constants[i.d as usize],
                    Op::Nil => reg!(i.a) = Value::Nil,
                    Op::Bool => reg!(i.a) = Value::Bool(i.d != 0),
                    Op::Move => reg!(i.a) = reg!(i.b),
                    Op::SelfEntity => {
                        reg!(i.a) = self.owner_of(instance).map_or(Value::Nil, Value::Entity);
                    }
                    Op::GetGlobal => {
                        reg!(i.a) = self.global(instance, i.d as usize);
                    }
                    Op::SetGlobal => {
                        let value = reg!(i.a);
                        self.set_global(instance, i.d as usize, value);
                    }
                    Op::GetModule => {
                        let module = loaded.modules.get(usize::from(i.b)).copied().unwrap_or(u32::MAX);
                        reg!(i.a) = self.global(module, i.d as usize);
                    }
                    Op::NewCell => {
                        let value = reg!(i.a);
                        reg!(i.a) = self.heap.cell(value);
                    }
                    Op::GetCell => reg!(i.a) = self.heap.get_cell(reg!(i.b)),
                    Op::SetCell => {
                        let (cell, value) = (reg!(i.a), reg!(i.b));
                        self.heap.set_cell(cell, value);
                    }
                    Op::GetCapture => {
                        let cell = self.captured(closure, i.d as usize);
                        reg!(i.a) = self.heap.get_cell(cell);
                    }
                    Op::SetCapture => {
                        let cell = self.captured(closure, i.d as usize);
                        let value = reg!(i.a);
                        self.heap.set_cell(cell, value);
                    }
                    Op::Closure => {
                        save!();
                        reg!(i.a) = self.make_closure(task, i.d as usize, &names);
                    }
                    Op::Add => {
                        let (b, c) = (reg!(i.b), reg!(i.c));
                        reg!(i.a) = match (b, c) {
                            (Value::Number(b), Value::Number(c)) => Value::Number(b + c),
                            (Value::Vec3(b), Value::Vec3(c)) => {
                                Value::Vec3([b[0] + c[0], b[1] + c[1], b[2] + c[2]])
                            }
                            _ => check!(self.add(b, c, fuel)),
                        };
                    }
                    Op::Sub => {
                        let (b, c) = (reg!(i.b), reg!(i.c));
                        reg!(i.a) = match (b, c) {
                            (Value::Number(b), Value::Number(c)) => Value::Number(b - c),
                            (Value::Vec3(b), Value::Vec3(c)) => {
                                Value::Vec3([b[0] - c[0], b[1] - c[1], b[2] - c[2]])
                            }
                            _ => check!(self.arithmetic(Op::Sub, b, c)),
                        };
                    }
                    Op::Mul => {
                        let (b, c) = (reg!(i.b), reg!(i.c));
                        reg!(i.a) = match (b, c) {
                            (Value::Number(b), Value::Number(c)) => Value::Number(b * c),
                            _ => check!(self.arithmetic(Op::Mul, b, c)),
                        };
                    }
                    Op::Div => {
                        let (b, c) = (reg!(i.b), reg!(i.c));
                        reg!(i.a) = match (b, c) {
                            (Value::Number(b), Value::Number(c)) if c != 0.0 => Value::Number(b / c),
                            _ => check!(self.arithmetic(Op::Div, b, c)),
                        };
                    }
                    Op::FloorDiv | Op::Mod | Op::Pow => {
                        let (b, c) = (reg!(i.b), reg!(i.c));
                        reg!(i.a) = check!(self.arithmetic(i.op, b, c));
                    }
                    Op::Negate => {
                        let b = reg!(i.b);
                        reg!(i.a) = check!(self.negate(b));
                    }
                    Op::Not => {
                        let b = reg!(i.b);
                        reg!(i.a) = Value::Bool(!self.truth(b, host));
                    }
                    Op::Equal | Op::NotEqual => {
                        let (b, c) = (reg!(i.b), reg!(i.c));
                        let equal = match (b, c) {
                            (Value::Number(b), Value::Number(c)) => b == c,
                            _ => check!(self.equal(b, c, fuel)),
                        };
                        reg!(i.a) = Value::Bool(equal == (i.op == Op::Equal));
                    }
                    Op::Less => {
                        let (b, c) = (reg!(i.b), reg!(i.c));
                        reg!(i.a) = Value::Bool(match (b, c) {
                            (Value::Number(b), Value::Number(c)) => b < c,
                            _ => check!(self.compare(b, c, &names, task.frames.last(), pc)).is_lt(),
                        });
                    }
                    Op::LessEqual => {
                        let (b, c) = (reg!(i.b), reg!(i.c));
                        reg!(i.a) = Value::Bool(match (b, c) {
                            (Value::Number(b), Value::Number(c)) => b <= c,
                            _ => check!(self.compare(b, c, &names, task.frames.last(), pc)).is_le(),
                        });
                    }
                    Op::In => {
                        let (b, c) = (reg!(i.b), reg!(i.c));
                        reg!(i.a) = Value::Bool(check!(self.contains(c, b, fuel)));
                    }
                    Op::Jump => pc = i.d as usize,
                    Op::Loop => {
                        *fuel -= (pc as i64 - i64::from(i.d)).max(1);
                        pc = i.d as usize;
                        if *fuel < 0 {
                            save!();
                            return Err(self.out_of_fuel());
                        }
                        if self.heap.wants_collection() {
                            save!();
                            self.collect_if_needed(Some(task));
                            if self.heap.is_over() {
                                return Err(self.out_of_memory());
                            }
                        }
                    }
                    Op::JumpIfNot => {
                        let value = reg!(i.a);
                        let truth = match value {
                            Value::Bool(flag) => flag,
                            other => self.truth(other, host),
                        };
                        if !truth {
                            pc = i.d as usize;
                        }
                    }
                    Op::JumpIf => {
                        let value = reg!(i.a);
                        if self.truth(value, host) {
                            pc = i.d as usize;
                        }
                    }
                    Op::JumpIfNil => {
                        if reg!(i.a).is_nil() {
                            pc = i.d as usize;
                        }
                    }
                    Op::JumpIfSome => {
                        if !reg!(i.a).is_nil() {
                            pc = i.d as usize;
                        }
                    }
                    Op::JumpUnlessLess => {
                        let (b, c) = (reg!(i.b), reg!(i.c));
                        let less = match (b, c) {
                            (Value::Number(b), Value::Number(c)) => b < c,
                            _ => check!(self.compare(b, c, &names, task.frames.last(), pc)).is_lt(),
                        };
                        if !less {
                            pc = i.d as usize;
                        }
                    }
                    Op::JumpUnlessLessEqual => {
                        let (b, c) = (reg!(i.b), reg!(i.c));
                        let less = match (b, c) {
                            (Value::Number(b), Value::Number(c)) => b <= c,
                            _ => check!(self.compare(b, c, &names, task.frames.last(), pc)).is_le(),
                        };
                        if !less {
                            pc = i.d as usize;
                        }
                    }
                    Op::List => {
                        let first = base + usize::from(i.b);
                        let items = task.stack[first..first + i.d as usize].to_vec();
                        *fuel -= i64::from(i.d);
                        reg!(i.a) = self.heap.list(items);
                    }
                    Op::Push => {
                        let (list, value) = (reg!(i.a), reg!(i.b));
                        self.heap.change_list(list, |items| items.push(value));
                    }
                    Op::Extend => {
                        let (list, more) = (reg!(i.a), reg!(i.b));
                        check!(self.extend(list, more, fuel));
                    }
                    Op::Record => reg!(i.a) = self.heap.add_record(Record::default()),
                    Op::InitField => {
                        let (record, value) = (reg!(i.a), reg!(i.b));
                        self.heap.record_set(record, Key::Symbol(loaded.symbols[i.d as usize]), value);
                    }
                    Op::Spread => {
                        let (record, more) = (reg!(i.a), reg!(i.b));
                        check!(self.spread(record, more, fuel));
                    }
                    Op::GetField => {
                        let object = reg!(i.b);
                        reg!(i.a) = check!(self.get_field(object, i.d as usize, &names, task, pc, host));
                    }
                    Op::SetField => {
                        let (object, value) = (reg!(i.a), reg!(i.b));
                        check!(self.set_field(object, i.d as usize, value, &names, task, pc, host));
                    }
                    Op::SetFieldThrough => {
                        let (object, value) = (reg!(i.a), reg!(i.b));
                        match check!(self.with_component(object, i.d as usize, value, &names)) {
                            Some(changed) => reg!(i.a) = changed,
                            None => {
                                check!(self.set_field(object, i.d as usize, value, &names, task, pc, host));
                                pc += usize::from(i.c);
                            }
                        }
                    }
                    Op::GetIndex => {
                        let (object, index) = (reg!(i.b), reg!(i.c));
                        reg!(i.a) = check!(self.get_index(object, index, &names, task, pc, host));
                    }
                    Op::SetIndex => {
                        let (object, index, value) = (reg!(i.a), reg!(i.b), reg!(i.c));
                        check!(self.set_index(object, index, value, &names, task, pc, host));
                    }
                    Op::Call | Op::CallFlexible => {
                        save!();
                        let callee = reg!(i.a);
                        check!(self.enter_value(
                            task,
                            callee,
                            base + usize::from(i.a),
                            i.b,
                            i.op == Op::CallFlexible,
                            &names,
                            fuel
                        ));
                        continue 'frame;
                    }
                    Op::CallFunction => {
                        save!();
                        let at = base + usize::from(i.a);
                        let program = task.frames.last().map_or(0, |frame| frame.program);
                        check!(self.enter(task, program, i.d as u32, instance, Value::Nil, at, i.b, fuel));
                        continue 'frame;
                    }
                    Op::CallModule => {
                        save!();
                        let at = base + usize::from(i.a);
                        check!(self.enter_module(task, i, at, &names, fuel));
                        continue 'frame;
                    }
                    Op::CallMethod => {
                        save!();
                        let at = base + usize::from(i.a);
                        match check!(self.call_method(task, i, at, &names, host, fuel)) {
                            Flow::Next => {}
                            Flow::Entered => continue 'frame,
                            Flow::Sleep(wait) => return self.sleep(task, wait, at),
                        }
                    }
                    Op::CallNative => {
                        save!();
                        let at = base + usize::from(i.a);
                        let value = check!(self.call_native(task, i.d as u16, at + 1, i.b, host, fuel));
                        task.stack[at] = value;
                        if let Some(wait) = self.wants_sleep.take() {
                            return self.sleep(task, wait, at);
                        }
                    }
                    Op::CallHost => {
                        save!();
                        let at = base + usize::from(i.a);
                        match check!(self.call_host(task, i.d as u16, at + 1, i.b, at, host, fuel)) {
                            Flow::Sleep(wait) => return self.sleep(task, wait, at),
                            Flow::Next | Flow::Entered => {}
                        }
                    }
                    Op::Return => {
                        let value = reg!(i.a);
                        let Some(done) = task.frames.pop() else { return Ok(End::Done(value)) };
                        let depth = task.frames.len() as u32;
                        while task.tries.last().is_some_and(|point| point.frame >= depth) {
                            task.tries.pop();
                        }
                        if task.frames.is_empty() {
                            return Ok(End::Done(value));
                        }
                        task.stack[done.result as usize] = value;
                        continue 'frame;
                    }
                    Op::Vector => {
                        let first = base + usize::from(i.b);
                        let parts = check!(self.parts(&task.stack[first..first + i.d as usize]));
                        reg!(i.a) = self.heap.vector(&parts[..i.d as usize]);
                    }
                    Op::Range => {
                        let (b, c) = (reg!(i.b), reg!(i.c));
                        let (Value::Number(start), Value::Number(end)) = (b, c) else {
                            save!();
                            return Err(Fault::new(
                                "E305",
                                format!(
                                    "a range goes from number to number, not from {} to {}",
                                    b.type_name(),
                                    c.type_name()
                                ),
                            ));
                        };
                        reg!(i.a) = self.heap.range(Range { start, end, step: 1.0, inclusive: i.d != 0 });
                    }
                    Op::Concat => {
                        let first = base + usize::from(i.b);
                        let mut text = String::new();
                        for index in first..first + i.d as usize {
                            let value = task.stack[index];
                            text.push_str(&self.text_of(value, host));
                        }
                        *fuel -= text.len() as i64 / 8;
                        reg!(i.a) = self.heap.text(&text);
                    }
                    Op::Format => {
                        let value = reg!(i.b);
                        let spec = usize::try_from(i.d).ok().map(|index| loaded.constants[index]);
                        let spec =
                            spec.and_then(|spec| self.heap.get_text(spec)).unwrap_or_default().to_owned();
                        let text = check!(self.format(value, &spec, host));
                        reg!(i.a) = self.heap.text(&text);
                    }
                    Op::ForPrepare => {
                        let things = reg!(i.a);
                        let (source, record) = check!(self.prepare_loop(things, fuel));
                        reg!(i.a) = source;
                        reg!(i.a + 1) = Value::Number(0.0);
                        reg!(i.a + 2) = record;
                    }
                    Op::ForNext => {
                        let (source, record) = (reg!(i.a), reg!(i.a + 2));
                        let Value::Number(index) = reg!(i.a + 1) else { continue };
                        match self.next_turn(source, record, index as usize, i.b) {
                            Some((first, second)) => {
                                reg!(i.a + 1) = Value::Number(index + 1.0);
                                reg!(i.a + 3) = first;
                                reg!(i.a + 4) = second;
                            }
                            None => pc = i.d as usize,
                        }
                    }
                    Op::ForNumber => {
                        let (now, limit) = (reg!(i.a), reg!(i.a + 1));
                        let (Value::Number(now), Value::Number(limit)) = (now, limit) else {
                            save!();
                            return Err(Fault::new(
                                "E305",
                                format!(
                                    "a range goes from number to number, not from {} to {}",
                                    now.type_name(),
                                    limit.type_name()
                                ),
                            ));
                        };
                        if now < limit || i.b != 0 && now <= limit {
                            reg!(i.a + 2) = Value::Number(now);
                            reg!(i.a) = Value::Number(now + 1.0);
                        } else {
                            pc = i.d as usize;
                        }
                    }
                    Op::Matches => {
                        let (subject, case) = (reg!(i.b), reg!(i.c));
                        reg!(i.a) = Value::Bool(match (subject, self.heap.get_range(case)) {
                            (Value::Number(number), Some(range)) => range.contains(number),
                            _ => self.heap.equal(subject, case, super::arithmetic::EQUAL_DEPTH),
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
                            pc = i.d as usize;
                        }
                    }
                }
            }
        }
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
        let arguments: Vec<Value> = task.stack[first..first + usize::from(count)].to_vec();
        let mut call = crate::library::Call { machine: self, host, task, fuel };
        let value = (native.run)(&mut call, &arguments)?;
        if self.heap.is_over() {
            self.collect_if_needed(Some(task));
            if self.heap.is_over() {
                return Err(self.out_of_memory());
            }
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
        let arguments: Vec<Value> = task.stack[first..first + usize::from(count)].to_vec();
        let owner = task.owner;
        let stream = owner.map_or(0, base::EntityId::get);
        let seed = self.seed;
        let random =
            self.random.entry(stream).or_insert_with(|| crate::random::Pcg32::new(seed, u64::from(stream)));
        let mut context =
            CallContext { heap: &mut self.heap, owner, task: task.id, random, events: &mut self.events };
        Ok(match host.call(&mut context, number, &arguments)? {
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

    pub(super) fn out_of_fuel(&self) -> Box<Fault> {
        Fault::new("E501", format!("more than {} instructions in one run", self.instructions))
            .hint("a loop that never ends? Spread long work over frames with `wait_frames(1)`")
    }

    pub(super) fn out_of_memory(&self) -> Box<Fault> {
        Fault::new("E502", format!("scripts use more than {} MiB", self.heap.limit >> 20))
            .hint("something grows without end: look for lists that are only pushed to")
    }

    fn global(&self, instance: u32, index: usize) -> Value {
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

    fn captured(&self, closure: Value, index: usize) -> Value {
        self.heap
            .get_closure(closure)
            .and_then(|closure| closure.captures.get(index))
            .copied()
            .unwrap_or_default()
    }
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
