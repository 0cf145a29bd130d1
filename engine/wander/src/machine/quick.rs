//! The quick half of the machine: what programs do most, done on the registers where they lie.
//!
//! It executes until it meets something that it does not know (another kind of value, a missing field, a call into the
//! library or the world, an error) and leaves that instruction to the other half in `run.rs`, which knows everything and
//! comes back. It calls nothing that could fail, so that what it needs stays in the processor's registers; that alone is
//! worth a third of the time of a program that computes.

#![allow(
    clippy::indexing_slicing,
    reason = "places to go to come from the compiler; the registers are as many as an instruction can name"
)]

use super::instances::Instances;
use super::tasks::{Frame, Task};
use super::{Loaded, MOST_CALLS, Named};
use crate::code::{Code, Instruction, Op};
use crate::heap::{Heap, Site};
use crate::host::Host;
use crate::value::Value;

/// Registers that a frame can name.
const WINDOW: usize = 256;

/// The registers of a frame. There are always as many as an instruction can name, so none is out of reach.
#[inline(always)]
pub(super) fn window(stack: &mut Vec<Value>, base: usize) -> &mut [Value; WINDOW] {
    if stack.len() < base + WINDOW {
        grow(stack, base + WINDOW);
    }
    match stack.get_mut(base..).and_then(<[Value]>::first_chunk_mut) {
        Some(registers) => registers,
        None => unreachable!("the stack was just made long enough"),
    }
}

#[cold]
fn grow(stack: &mut Vec<Value>, length: usize) {
    stack.resize(length.max(stack.len() * 2), Value::Nil);
}

/// Copies values. A value is written in two parts, its kind and what it holds; reading it back as sixteen bytes at once
/// has to wait until both have reached the cache, which costs more than an instruction of the language. What is copied
/// most often right after it was computed is therefore copied in parts, and a zero that the compiler cannot see through
/// keeps it from joining them again.
#[derive(Clone, Copy)]
struct Copier(u64);

impl Copier {
    fn new() -> Self {
        Self(std::hint::black_box(0))
    }

    #[inline(always)]
    fn copy(self, value: &Value) -> Value {
        match value {
            &Value::Number(number) => Value::Number(f64::from_bits(number.to_bits() ^ self.0)),
            &Value::Bool(flag) => Value::Bool(flag ^ (self.0 != 0)),
            other => *other,
        }
    }
}

/// Whether a number is whole and small enough for integers to give the same remainder.
#[inline(always)]
fn is_whole(number: f64) -> bool {
    let whole = number as i64;
    whole as f64 == number && whole.unsigned_abs() < 1 << 53 && (whole != 0 || number.is_sign_positive())
}

/// Executes from where the task is until an instruction that the other half has to do, where the frame then stands.
/// Every frame that is entered belongs to the same program.
///
/// Not inlined: inside of its caller it would share the registers with everything that the caller needs.
#[inline(never)]
#[expect(
    clippy::too_many_arguments,
    reason = "the parts of the machine that it works on, each borrowed by itself"
)]
pub(super) fn run(
    heap: &mut Heap,
    instances: &mut Instances,
    sites: &[Site],
    loaded: &Loaded,
    program: u32,
    task: &mut Task,
    host: &mut dyn Host,
    fuel: &mut i64,
) {
    let Task { stack, frames, tries, .. } = task;
    let Some(frame) = frames.last() else { return };
    let functions: &[Code] = &loaded.program.functions;
    let Some(code) = functions.get(frame.function as usize) else { return };
    let constants: &[Value] = &loaded.constants;
    let copier = Copier::new();
    let mut base = frame.base as usize;
    let mut instructions: &[Instruction] = &code.instructions;
    // What is left to execute: one pointer to advance; places are computed from it where they are needed.
    let mut rest = instructions.get(frame.pc as usize..).unwrap_or_default().iter();
    let mut regs = window(stack, base);
    macro_rules! reg {
        ($index:expr) => {
            regs[usize::from($index)]
        };
    }
    macro_rules! jump {
        ($to:expr) => {
            rest = instructions[$to as usize..].iter()
        };
    }
    /// Leaves the instruction to the other half.
    macro_rules! leave {
        () => {{
            if let Some(frame) = frames.last_mut() {
                frame.pc = (instructions.len() - rest.len() - 1) as u32;
            }
            return;
        }};
    }
    /// Puts a number into a register. Infinity less infinity and its kin have none, which the other half explains.
    macro_rules! number {
        ($to:expr, $result:expr) => {{
            let result: f64 = $result;
            if result.is_nan() {
                leave!();
            }
            reg!($to) = Value::Number(result);
        }};
    }
    /// The same with a vector.
    macro_rules! vector {
        ($to:expr, $result:expr) => {{
            let result: [f32; 3] = $result;
            if result[0].is_nan() || result[1].is_nan() || result[2].is_nan() {
                leave!();
            }
            reg!($to) = Value::Vec3(result);
        }};
    }
    macro_rules! numbers {
        ($left:expr, $right:expr, |$b:ident, $c:ident| $result:expr) => {
            match (&$left, &$right) {
                (&Value::Number($b), &Value::Number($c)) => $result,
                _ => leave!(),
            }
        };
    }
    macro_rules! jump_unless {
        ($i:expr, $right:expr, |$b:ident, $c:ident| $holds:expr) => {
            if !numbers!(reg!($i.b), $right, |$b, $c| $holds) {
                jump!($i.d);
            }
        };
    }
    /// Back to the start of a loop's body, which is paid for. Without budget or room the other half takes over there.
    macro_rules! turn {
        ($i:expr) => {
            let length = (instructions.len() - rest.len()) as i64 - i64::from($i.d);
            *fuel -= length.max(1);
            jump!($i.d);
            if *fuel < 0 || heap.wants_collection() {
                if let Some(frame) = frames.last_mut() {
                    frame.pc = $i.d as u32;
                }
                return;
            }
        };
    }
    /// Enters a function of this program whose arguments lie behind register `a`.
    macro_rules! enter {
        ($i:expr, $function:expr, $instance:expr, $closure:expr) => {{
            let function: u32 = $function;
            match functions.get(function as usize) {
                Some(callee)
                    if $i.b >= callee.required
                        && $i.b <= callee.params
                        && frames.len() < MOST_CALLS
                        && *fuel >= callee.cost =>
                {
                    *fuel -= callee.cost;
                    let at = base + usize::from($i.a);
                    let Some(caller) = frames.last_mut() else { return };
                    caller.pc = (instructions.len() - rest.len()) as u32;
                    let instance = $instance.unwrap_or(caller.instance);
                    frames.push(Frame {
                        program,
                        function,
                        instance,
                        pc: 0,
                        base: at as u32 + 1,
                        result: at as u32,
                        given: $i.b,
                        closure: $closure,
                    });
                    base = at + 1;
                    instructions = &callee.instructions;
                    rest = instructions.iter();
                    regs = window(stack, base);
                    // Parameters that were not given must not show what lay there before.
                    for missing in $i.b..callee.params {
                        reg!(missing) = Value::Nil;
                    }
                }
                _ => leave!(),
            }
        }};
    }
    while let Some(&i) = rest.next() {
        match i.op {
            Op::Constant => reg!(i.a) = copier.copy(&constants[i.d as usize]),
            Op::Nil => reg!(i.a) = Value::Nil,
            Op::Bool => reg!(i.a) = Value::Bool(i.d != 0),
            Op::Move => reg!(i.a) = copier.copy(&reg!(i.b)),
            Op::GetGlobal => {
                let Some(frame) = frames.last().filter(|_| loaded.moved.is_none()) else { leave!() };
                match instances.get(frame.instance).and_then(|own| own.globals.get(i.d as usize)) {
                    Some(value) => reg!(i.a) = copier.copy(value),
                    None => leave!(),
                }
            }
            Op::SetGlobal => {
                let Some(frame) = frames.last().filter(|_| loaded.moved.is_none()) else { leave!() };
                match instances.get_mut(frame.instance).and_then(|own| own.globals.get_mut(i.d as usize)) {
                    Some(place) => *place = copier.copy(&reg!(i.a)),
                    None => leave!(),
                }
            }
            Op::GetCell => reg!(i.a) = copier.copy(heap.cell_at(&reg!(i.b))),
            Op::SetCell => {
                let value = copier.copy(&reg!(i.b));
                heap.set_cell(&reg!(i.a), value);
            }
            Op::GetCapture => match frames.last() {
                Some(frame) => reg!(i.a) = copier.copy(heap.captured(&frame.closure, i.d as usize)),
                None => leave!(),
            },
            Op::SetCapture => match frames.last() {
                Some(frame) => {
                    let value = copier.copy(&reg!(i.a));
                    heap.set_captured(&frame.closure, i.d as usize, value);
                }
                None => leave!(),
            },
            Op::Add => match (&reg!(i.b), &reg!(i.c)) {
                (&Value::Number(b), &Value::Number(c)) => number!(i.a, b + c),
                (&Value::Vec3(b), &Value::Vec3(c)) => {
                    vector!(i.a, [b[0] + c[0], b[1] + c[1], b[2] + c[2]]);
                }
                _ => leave!(),
            },
            Op::Sub => match (&reg!(i.b), &reg!(i.c)) {
                (&Value::Number(b), &Value::Number(c)) => number!(i.a, b - c),
                (&Value::Vec3(b), &Value::Vec3(c)) => {
                    vector!(i.a, [b[0] - c[0], b[1] - c[1], b[2] - c[2]]);
                }
                _ => leave!(),
            },
            Op::Mul => match (&reg!(i.b), &reg!(i.c)) {
                (&Value::Number(b), &Value::Number(c)) => number!(i.a, b * c),
                (&Value::Vec3(b), &Value::Number(c)) => {
                    let c = c as f32;
                    vector!(i.a, [b[0] * c, b[1] * c, b[2] * c]);
                }
                _ => leave!(),
            },
            Op::Div => match (&reg!(i.b), &reg!(i.c)) {
                (&Value::Number(b), &Value::Number(c)) if c != 0.0 => number!(i.a, b / c),
                _ => leave!(),
            },
            Op::Mod => match (&reg!(i.b), &reg!(i.c)) {
                (&Value::Number(b), &Value::Number(c)) if is_whole(b) && is_whole(c) && c > 0.0 => {
                    reg!(i.a) = Value::Number((b as i64).rem_euclid(c as i64) as f64);
                }
                (&Value::Number(b), &Value::Number(c)) if c != 0.0 => {
                    number!(i.a, super::arithmetic::remainder(b, c));
                }
                _ => leave!(),
            },
            Op::FloorDiv => match (&reg!(i.b), &reg!(i.c)) {
                (&Value::Number(b), &Value::Number(c)) if c != 0.0 => {
                    number!(i.a, libm::floor(b / c));
                }
                _ => leave!(),
            },
            Op::AddK => {
                number!(i.a, numbers!(reg!(i.b), constants[i.d as usize], |b, c| b + c));
            }
            Op::SubK => {
                number!(i.a, numbers!(reg!(i.b), constants[i.d as usize], |b, c| b - c));
            }
            Op::MulK => match (&reg!(i.b), &constants[i.d as usize]) {
                (&Value::Number(b), &Value::Number(c)) => number!(i.a, b * c),
                (&Value::Vec3(b), &Value::Number(c)) => {
                    let c = c as f32;
                    vector!(i.a, [b[0] * c, b[1] * c, b[2] * c]);
                }
                _ => leave!(),
            },
            Op::DivK => match (&reg!(i.b), &constants[i.d as usize]) {
                (&Value::Number(b), &Value::Number(c)) if c != 0.0 => number!(i.a, b / c),
                _ => leave!(),
            },
            Op::Negate => match &reg!(i.b) {
                &Value::Number(b) => reg!(i.a) = Value::Number(-b),
                _ => leave!(),
            },
            Op::Not => match &reg!(i.b) {
                &Value::Bool(flag) => reg!(i.a) = Value::Bool(!flag),
                Value::Nil => reg!(i.a) = Value::Bool(true),
                _ => leave!(),
            },
            Op::Equal => reg!(i.a) = Value::Bool(numbers!(reg!(i.b), reg!(i.c), |b, c| b == c)),
            Op::NotEqual => reg!(i.a) = Value::Bool(numbers!(reg!(i.b), reg!(i.c), |b, c| b != c)),
            Op::Less => reg!(i.a) = Value::Bool(numbers!(reg!(i.b), reg!(i.c), |b, c| b < c)),
            Op::LessEqual => reg!(i.a) = Value::Bool(numbers!(reg!(i.b), reg!(i.c), |b, c| b <= c)),
            Op::Jump => jump!(i.d),
            Op::Loop => {
                turn!(i);
            }
            Op::JumpIfNot => match &reg!(i.a) {
                &Value::Bool(true) | Value::Number(_) => {}
                &Value::Bool(false) | Value::Nil => jump!(i.d),
                _ => leave!(),
            },
            Op::JumpIf => match &reg!(i.a) {
                &Value::Bool(true) | Value::Number(_) => jump!(i.d),
                &Value::Bool(false) | Value::Nil => {}
                _ => leave!(),
            },
            Op::JumpIfNil => {
                if reg!(i.a).is_nil() {
                    jump!(i.d);
                }
            }
            Op::JumpIfSome => {
                if !reg!(i.a).is_nil() {
                    jump!(i.d);
                }
            }
            Op::JumpUnlessLess => jump_unless!(i, reg!(i.c), |b, c| b < c),
            Op::JumpUnlessLessEqual => jump_unless!(i, reg!(i.c), |b, c| b <= c),
            Op::JumpUnlessLessK => jump_unless!(i, constants[usize::from(i.c)], |b, c| b < c),
            Op::JumpUnlessLessEqualK => jump_unless!(i, constants[usize::from(i.c)], |b, c| b <= c),
            Op::JumpUnlessMoreK => jump_unless!(i, constants[usize::from(i.c)], |b, c| b > c),
            Op::JumpUnlessMoreEqualK => jump_unless!(i, constants[usize::from(i.c)], |b, c| b >= c),
            Op::GetField => match &reg!(i.b) {
                &Value::Record(handle) => {
                    let Some(site) = sites.get(i.d as usize) else { leave!() };
                    let Some(value) = heap.field_at(handle, site) else { leave!() };
                    reg!(i.a) = copier.copy(value);
                }
                &Value::Entity(entity) => {
                    let &Named::Property(property, _) = &loaded.named_sites[i.d as usize] else { leave!() };
                    if !host.is_alive(entity) {
                        leave!();
                    }
                    // An error is met again, and told, by the other half.
                    let Ok(value) = host.get(heap, entity, property) else { leave!() };
                    reg!(i.a) = value;
                }
                Value::Vec3(parts) => match &loaded.named_sites[i.d as usize] {
                    &Named::Component(index) if index < 3 => {
                        reg!(i.a) = Value::Number(f64::from(parts[usize::from(index)]));
                    }
                    _ => leave!(),
                },
                _ => leave!(),
            },
            Op::SetField | Op::SetFieldThrough => {
                let value = &reg!(i.b);
                match reg!(i.a) {
                    // Setting nil takes the field away.
                    Value::Record(handle) if !value.is_nil() => {
                        let Some(site) = sites.get(i.d as usize) else { leave!() };
                        let Some(place) = heap.field_at_mut(handle, site) else { leave!() };
                        *place = copier.copy(value);
                    }
                    Value::Entity(entity) => {
                        let &Named::Property(property, true) = &loaded.named_sites[i.d as usize] else {
                            leave!()
                        };
                        // One that fails has done nothing.
                        if !host.is_alive(entity) || host.set(heap, entity, property, *value).is_err() {
                            leave!();
                        }
                    }
                    _ => leave!(),
                }
                // What would write a changed vector back is behind a SetFieldThrough and not needed.
                if i.op == Op::SetFieldThrough && i.c != 0 {
                    jump!(instructions.len() - rest.len() + usize::from(i.c));
                }
            }
            Op::GetIndex => {
                let (&Value::List(handle), &Value::Number(index)) = (&reg!(i.b), &reg!(i.c)) else {
                    leave!()
                };
                let Some(value) = heap.item(handle, index) else { leave!() };
                reg!(i.a) = copier.copy(value);
            }
            Op::SetIndex => {
                let (&Value::List(handle), &Value::Number(index)) = (&reg!(i.a), &reg!(i.b)) else {
                    leave!()
                };
                let value = &reg!(i.c);
                let Some(place) = heap.item_mut(handle, index) else { leave!() };
                *place = copier.copy(value);
            }
            Op::CallFunction => enter!(i, i.d as u32, None::<u32>, Value::Nil),
            Op::Call => {
                if loaded.is_prelude {
                    leave!();
                }
                let callee = reg!(i.a);
                let Some((function, owner)) = heap.callee(&callee, program) else { leave!() };
                enter!(i, function, Some(owner), callee);
            }
            Op::CallPush => {
                let value = copier.copy(&reg!(i.a + 2));
                if heap.is_over() || !heap.push(&reg!(i.a + 1), value) {
                    leave!();
                }
                *fuel -= 1;
                reg!(i.a) = Value::Nil;
            }
            Op::CallNative => {
                let Some(plain) = crate::library::get(i.d as u16).and_then(|native| native.plain) else {
                    leave!()
                };
                let first = usize::from(i.a) + 1;
                let Some(value) = plain(&regs[first..first + usize::from(i.b)]) else { leave!() };
                if value.is_nan() {
                    leave!();
                }
                *fuel -= 4;
                reg!(i.a) = value;
            }
            Op::Return => {
                let [.., caller, own] = frames.as_slice() else { leave!() };
                if caller.program != program || !tries.is_empty() {
                    leave!();
                }
                let Some(code) = functions.get(caller.function as usize) else { leave!() };
                let (result, pc) = (own.result as usize, caller.pc as usize);
                let value = copier.copy(&reg!(i.a));
                base = caller.base as usize;
                instructions = &code.instructions;
                frames.pop();
                // The result lies in the caller's own registers.
                regs = window(stack, base);
                regs[result - base] = value;
                rest = instructions[pc..].iter();
            }
            Op::ForNext => {
                let (&Value::List(handle), &Value::Number(index), Value::Nil, 1) =
                    (&reg!(i.a), &reg!(i.a + 1), &reg!(i.a + 2), i.b)
                else {
                    leave!()
                };
                if let Some(value) = heap.item(handle, index) {
                    reg!(i.a + 3) = copier.copy(value);
                    reg!(i.a + 1) = Value::Number(index + 1.0);
                    turn!(i);
                }
            }
            Op::ForNumber => {
                let (&Value::Number(now), &Value::Number(limit)) = (&reg!(i.a), &reg!(i.a + 1)) else {
                    leave!()
                };
                if now < limit || i.b != 0 && now <= limit {
                    reg!(i.a + 2) = Value::Number(now);
                    reg!(i.a) = Value::Number(now + 1.0);
                    turn!(i);
                }
            }
            _ => leave!(),
        }
    }
}
