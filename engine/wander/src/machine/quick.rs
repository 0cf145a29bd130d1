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

mod outside;

use std::hint::cold_path;

use super::faults::Returned;
use super::instances::Instances;
use super::tasks::{Frame, Task};
use super::{Loaded, MOST_CALLS, Named};
use crate::code::{Code, Instruction, Op};
use crate::heap::{Heap, Site};
use crate::host::Host;
use crate::library::Shortcut;
use crate::value::Value;
use outside::{Called, called};

/// Registers that a frame can name.
const WINDOW: usize = 256;

/// The registers of a frame: as many as an instruction can name, so none is out of reach. None where the stack ends
/// before, which who enters a frame sees to.
#[inline(always)]
fn window(stack: &mut [Value], base: usize) -> Option<&mut [Value; WINDOW]> {
    stack.get_mut(base..base + WINDOW)?.try_into().ok()
}

/// Makes room for the registers of a frame.
#[inline]
pub(super) fn make_window(stack: &mut Vec<Value>, base: usize) {
    if stack.len() < base + WINDOW {
        grow(stack, base + WINDOW);
    }
}

#[cold]
fn grow(stack: &mut Vec<Value>, length: usize) {
    stack.resize(length.max(stack.len() * 2), Value::Nil);
}

/// Copies values. A number is written in two parts, its kind and its bits; reading it back as sixteen bytes at once has to
/// wait until both have reached the cache, which costs more than an instruction of the language. Numbers are therefore
/// copied in parts, and a zero that the compiler cannot see through keeps it from joining them again.
macro_rules! put {
    ($zero:ident, $place:expr, $value:expr) => {{
        let value: &Value = &$value;
        if let &Value::Number(number) = value {
            $place = Value::Number(f64::from_bits(number.to_bits() ^ $zero));
        } else if let &Value::Bool(flag) = value {
            cold_path();
            $place = Value::Bool(flag ^ ($zero != 0));
        } else {
            cold_path();
            let value = *value;
            $place = value;
        }
    }};
}

/// The same where there is no place yet.
#[inline(always)]
fn copied(zero: u64, value: &Value) -> Value {
    match value {
        &Value::Number(number) => Value::Number(f64::from_bits(number.to_bits() ^ zero)),
        other => *other,
    }
}

const SQUARE_ROOT: u8 = Shortcut::SquareRoot as u8;
const ABSOLUTE: u8 = Shortcut::Absolute as u8;
const FLOOR: u8 = Shortcut::Floor as u8;

/// Numbers of at least this size are whole.
const WHOLE: f64 = (1u64 << 53) as f64;

/// The largest whole number not above one that is smaller than [`WHOLE`]; a call less than the library's.
#[inline(always)]
fn floor(number: f64) -> f64 {
    let whole = number as i64 as f64;
    if whole == number {
        number
    } else if whole > number {
        whole - 1.0
    } else {
        whole
    }
}

/// Whether a number is whole and small enough for integers to give the same remainder.
#[inline(always)]
fn is_whole(number: f64) -> bool {
    let whole = number as i64;
    whole as f64 == number && whole.unsigned_abs() < 1 << 53 && (whole != 0 || number.is_sign_positive())
}

/// `c + b * d` by component.
#[inline(always)]
fn scaled_sum(c: [f32; 3], b: [f32; 3], d: f32) -> [f32; 3] {
    [c[0] + b[0] * d, c[1] + b[1] * d, c[2] + b[2] * d]
}

/// What the quick half works on.
pub(super) struct Quick<'a> {
    pub(super) heap: &'a mut Heap,
    pub(super) instances: &'a mut Instances,
    pub(super) sites: &'a [Site],
    pub(super) loaded: &'a Loaded,
    /// Of the program.
    pub(super) functions: &'a [Code],
    /// Every frame that is entered belongs to this program.
    pub(super) program: u32,
    pub(super) task: &'a mut Task,
    pub(super) host: &'a mut dyn Host,
    pub(super) fuel: &'a mut i64,
}

/// Executes from where the task is until an instruction that the other half has to do, where the frame then stands.
///
/// The inner loop calls nothing that comes back, so that what every instruction needs (the place in the code, the
/// registers, the constants) stays in the processor's registers. Instructions that need a call go through [`called`],
/// outside of it. Not inlined: inside of its caller it would share the registers with everything that the caller needs.
#[inline(never)]
pub(super) fn run(quick: &mut Quick<'_>) {
    let Some(frame) = quick.task.frames.last() else { return };
    let Some(code) = quick.functions.get(frame.function as usize) else { return };
    let zero = std::hint::black_box(0u64);
    let mut base = frame.base as usize;
    let mut instructions: &[Instruction] = &code.instructions;
    // What is left to execute: one pointer to advance; places are computed from it where they are needed.
    let mut rest = instructions.get(frame.pc as usize..).unwrap_or_default().iter();
    make_window(&mut quick.task.stack, base);
    macro_rules! pc {
        () => {
            (instructions.len() - rest.len())
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
            cold_path();
            if let Some(frame) = quick.task.frames.last_mut() {
                frame.pc = (pc!() - 1) as u32;
            }
            return;
        }};
    }
    loop {
        let constants: &[Value] = &quick.loaded.constants;
        let known: &[f64] = &quick.loaded.numbers;
        let Some(mut regs) = window(&mut quick.task.stack, base) else { leave!() };
        macro_rules! reg {
            ($index:expr) => {
                regs[usize::from($index)]
            };
        }
        macro_rules! numbers {
            ($left:expr, $right:expr, |$b:ident, $c:ident| $result:expr) => {
                match (&$left, &$right) {
                    (&Value::Number($b), &Value::Number($c)) => $result,
                    _ => leave!(),
                }
            };
        }
        /// The same where the right one is a constant, which the compiler knows to be a number.
        macro_rules! number_and {
            ($left:expr, $right:expr, |$b:ident, $c:ident| $result:expr) => {
                match &$left {
                    &Value::Number($b) => {
                        let $c = $right;
                        $result
                    }
                    _ => leave!(),
                }
            };
        }
        /// Puts a number where it is one; what is none is an error that the other half tells.
        macro_rules! number {
            ($place:expr, $result:expr) => {{
                let result: f64 = $result;
                if result.is_nan() {
                    leave!();
                }
                $place = Value::Number(result);
            }};
        }
        /// The same with a vector. The sum of its components is no number where one of them is none; that it is none where
        /// two are infinite as well is only slower.
        macro_rules! vector {
            ($place:expr, $result:expr) => {{
                let result: [f32; 3] = $result;
                if (result[0] + result[1] + result[2]).is_nan() {
                    leave!();
                }
                $place = Value::Vec3(result);
            }};
        }
        /// Puts what a product and a sum give together, where they are numbers, and skips the two instructions that do the
        /// same. Otherwise these do it.
        macro_rules! fused {
            ($place:expr, $result:expr) => {{
                let result: f64 = $result;
                if !result.is_nan() {
                    $place = Value::Number(result);
                    rest.nth(1);
                }
            }};
            (vector $place:expr, $result:expr) => {{
                let result: [f32; 3] = $result;
                if !(result[0] + result[1] + result[2]).is_nan() {
                    $place = Value::Vec3(result);
                    rest.nth(1);
                }
            }};
        }
        macro_rules! jump_unless {
            ($i:expr, $right:expr, |$b:ident, $c:ident| $holds:expr) => {
                if !numbers!(reg!($i.b), $right, |$b, $c| $holds) {
                    jump!($i.d);
                }
            };
            (known $i:expr, |$b:ident, $c:ident| $holds:expr) => {
                if !number_and!(reg!($i.b), known[usize::from($i.c)], |$b, $c| $holds) {
                    jump!($i.d);
                }
            };
        }
        /// Back to the start of a loop's body, which is paid for. Without budget or room the other half takes over there.
        macro_rules! turn {
            ($i:expr) => {
                *quick.fuel -= pc!() as i64 - i64::from($i.d);
                jump!($i.d);
                if *quick.fuel < 0 || quick.heap.wants_collection() {
                    if let Some(frame) = quick.task.frames.last_mut() {
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
                let at = base + usize::from($i.a);
                let (Some(callee), Some(caller), Some(next)) = (
                    quick.functions.get(function as usize),
                    quick.task.frames.last(),
                    window(&mut quick.task.stack, at + 1),
                ) else {
                    leave!()
                };
                // Room for the frame is there but for the deepest calls so far, and missing arguments are rare.
                let instance = $instance.unwrap_or(caller.instance);
                let depth = quick.task.frames.len();
                if $i.b != callee.params
                    || depth >= MOST_CALLS
                    || depth >= quick.task.frames.capacity()
                    || *quick.fuel < callee.cost
                {
                    leave!();
                }
                *quick.fuel -= callee.cost;
                if let Some(caller) = quick.task.frames.last_mut() {
                    caller.pc = pc!() as u32;
                }
                quick.task.frames.push(Frame {
                    program: quick.program,
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
                regs = next;
            }};
        }
        let i = loop {
            let Some(&i) = rest.next() else { return };
            match i.op {
                Op::Constant => put!(zero, reg!(i.a), constants[i.d as usize]),
                Op::Nil => reg!(i.a) = Value::Nil,
                Op::Bool => reg!(i.a) = Value::Bool(i.d != 0),
                Op::Move => put!(zero, reg!(i.a), reg!(i.b)),
                Op::GetGlobal => {
                    let Some(frame) = quick.task.frames.last().filter(|_| quick.loaded.moved.is_none())
                    else {
                        leave!()
                    };
                    let instance = quick.instances.get(frame.instance);
                    match instance.and_then(|own| own.globals.get(i.d as usize)) {
                        Some(value) => put!(zero, reg!(i.a), *value),
                        None => leave!(),
                    }
                }
                Op::SetGlobal => {
                    let Some(frame) = quick.task.frames.last().filter(|_| quick.loaded.moved.is_none())
                    else {
                        leave!()
                    };
                    let instance = quick.instances.get_mut(frame.instance);
                    match instance.and_then(|own| own.globals.get_mut(i.d as usize)) {
                        Some(place) => put!(zero, *place, reg!(i.a)),
                        None => leave!(),
                    }
                }
                Op::GetCell => put!(zero, reg!(i.a), *quick.heap.cell_at(&reg!(i.b))),
                Op::SetCell => {
                    let value = copied(zero, &reg!(i.b));
                    quick.heap.set_cell(&reg!(i.a), value);
                }
                Op::GetCapture => match quick.task.frames.last() {
                    Some(frame) => {
                        put!(zero, reg!(i.a), *quick.heap.captured(frame.closure, i.d as usize));
                    }
                    None => leave!(),
                },
                Op::SetCapture => match quick.task.frames.last() {
                    Some(frame) => {
                        let value = copied(zero, &reg!(i.a));
                        quick.heap.set_captured(frame.closure, i.d as usize, value);
                    }
                    None => leave!(),
                },
                Op::Add => match (&reg!(i.b), &reg!(i.c)) {
                    (&Value::Number(b), &Value::Number(c)) => number!(reg!(i.a), b + c),
                    (&Value::Vec3(b), &Value::Vec3(c)) => {
                        vector!(reg!(i.a), [b[0] + c[0], b[1] + c[1], b[2] + c[2]]);
                    }
                    _ => leave!(),
                },
                Op::Sub => match (&reg!(i.b), &reg!(i.c)) {
                    (&Value::Number(b), &Value::Number(c)) => number!(reg!(i.a), b - c),
                    (&Value::Vec3(b), &Value::Vec3(c)) => {
                        vector!(reg!(i.a), [b[0] - c[0], b[1] - c[1], b[2] - c[2]]);
                    }
                    _ => leave!(),
                },
                Op::Mul => match (&reg!(i.b), &reg!(i.c)) {
                    (&Value::Number(b), &Value::Number(c)) => number!(reg!(i.a), b * c),
                    (&Value::Vec3(b), &Value::Number(c)) => {
                        let c = c as f32;
                        vector!(reg!(i.a), [b[0] * c, b[1] * c, b[2] * c]);
                    }
                    _ => leave!(),
                },
                Op::MulAdd => match (&reg!(i.b), &reg!(i.d as u8), &reg!(i.c)) {
                    (&Value::Number(b), &Value::Number(d), &Value::Number(c)) => fused!(reg!(i.a), c + b * d),
                    (&Value::Vec3(b), &Value::Number(d), &Value::Vec3(c)) => {
                        fused!(vector reg!(i.a), scaled_sum(c, b, d as f32));
                    }
                    _ => {}
                },
                Op::MulKAdd => match (&reg!(i.b), &reg!(i.c)) {
                    (&Value::Number(b), &Value::Number(c)) => fused!(reg!(i.a), c + b * known[i.d as usize]),
                    (&Value::Vec3(b), &Value::Vec3(c)) => {
                        fused!(vector reg!(i.a), scaled_sum(c, b, known[i.d as usize] as f32));
                    }
                    _ => {}
                },
                Op::SubMul => {
                    if let (&Value::Number(b), &Value::Number(d), &Value::Number(c)) =
                        (&reg!(i.b), &reg!(i.d as u8), &reg!(i.c))
                    {
                        fused!(reg!(i.a), c - b * d);
                    }
                }
                Op::MulSub => {
                    if let (&Value::Number(b), &Value::Number(d), &Value::Number(c)) =
                        (&reg!(i.b), &reg!(i.d as u8), &reg!(i.c))
                    {
                        fused!(reg!(i.a), b * d - c);
                    }
                }
                Op::SubMulK => {
                    if let (&Value::Number(b), &Value::Number(c)) = (&reg!(i.b), &reg!(i.c)) {
                        fused!(reg!(i.a), c - b * known[i.d as usize]);
                    }
                }
                Op::MulKAddK => {
                    if let &Value::Number(b) = &reg!(i.b) {
                        let (factor, addend) = ((i.d & 0xffff) as usize, (i.d >> 16) as usize);
                        fused!(reg!(i.a), b * known[factor] + known[addend]);
                    }
                }
                Op::Div => match (&reg!(i.b), &reg!(i.c)) {
                    (&Value::Number(b), &Value::Number(c)) if c != 0.0 => number!(reg!(i.a), b / c),
                    _ => leave!(),
                },
                Op::Mod => match (&reg!(i.b), &reg!(i.c)) {
                    (&Value::Number(b), &Value::Number(c)) if is_whole(b) && is_whole(c) && c > 0.0 => {
                        reg!(i.a) = Value::Number((b as i64).rem_euclid(c as i64) as f64);
                    }
                    _ => break i,
                },
                Op::FloorDiv => match (&reg!(i.b), &reg!(i.c)) {
                    (&Value::Number(b), &Value::Number(c)) if c != 0.0 && (b / c).abs() < WHOLE => {
                        reg!(i.a) = Value::Number(floor(b / c));
                    }
                    _ => leave!(),
                },
                Op::AddK => {
                    let (b, c) = number_and!(reg!(i.b), known[i.d as usize], |b, c| (b, c));
                    number!(reg!(i.a), b + c);
                }
                Op::SubK => {
                    let (b, c) = number_and!(reg!(i.b), known[i.d as usize], |b, c| (b, c));
                    number!(reg!(i.a), b - c);
                }
                Op::MulK => match reg!(i.b) {
                    Value::Number(b) => number!(reg!(i.a), b * known[i.d as usize]),
                    Value::Vec3(b) => {
                        let c = known[i.d as usize] as f32;
                        vector!(reg!(i.a), [b[0] * c, b[1] * c, b[2] * c]);
                    }
                    _ => leave!(),
                },
                Op::DivK => {
                    let (b, c) = number_and!(reg!(i.b), known[i.d as usize], |b, c| (b, c));
                    if c == 0.0 {
                        leave!();
                    }
                    number!(reg!(i.a), b / c);
                }
                Op::Negate => match &reg!(i.b) {
                    &Value::Number(b) => reg!(i.a) = Value::Number(-b),
                    _ => leave!(),
                },
                Op::Not => match &reg!(i.b) {
                    &Value::Bool(flag) => reg!(i.a) = Value::Bool(!flag),
                    Value::Nil => reg!(i.a) = Value::Bool(true),
                    Value::Entity(_) => break i,
                    _ => reg!(i.a) = Value::Bool(false),
                },
                Op::Equal => match (&reg!(i.b), &reg!(i.c)) {
                    (&Value::Number(b), &Value::Number(c)) => reg!(i.a) = Value::Bool(b == c),
                    _ => break i,
                },
                Op::NotEqual => match (&reg!(i.b), &reg!(i.c)) {
                    (&Value::Number(b), &Value::Number(c)) => reg!(i.a) = Value::Bool(b != c),
                    _ => break i,
                },
                Op::Less => reg!(i.a) = Value::Bool(numbers!(reg!(i.b), reg!(i.c), |b, c| b < c)),
                Op::LessEqual => reg!(i.a) = Value::Bool(numbers!(reg!(i.b), reg!(i.c), |b, c| b <= c)),
                Op::Jump => jump!(i.d),
                Op::Loop => {
                    turn!(i);
                }
                Op::JumpIfNot => match &reg!(i.a) {
                    &Value::Bool(false) | Value::Nil => jump!(i.d),
                    Value::Entity(_) => break i,
                    _ => {}
                },
                Op::JumpIf => match &reg!(i.a) {
                    &Value::Bool(false) | Value::Nil => {}
                    Value::Entity(_) => break i,
                    _ => jump!(i.d),
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
                Op::JumpUnlessLessK => jump_unless!(known i, |b, c| b < c),
                Op::JumpUnlessLessEqualK => jump_unless!(known i, |b, c| b <= c),
                Op::JumpUnlessMoreK => jump_unless!(known i, |b, c| b > c),
                Op::JumpUnlessMoreEqualK => jump_unless!(known i, |b, c| b >= c),
                Op::GetField => match &reg!(i.b) {
                    &Value::Record(handle) => {
                        let Some(site) = quick.sites.get(i.d as usize) else { leave!() };
                        let Some(value) = quick.heap.field_at(handle, site) else { leave!() };
                        put!(zero, reg!(i.a), *value);
                    }
                    Value::Entity(_) => {
                        cold_path();
                        break i;
                    }
                    Value::Vec3(parts) => match &quick.loaded.named_sites[i.d as usize] {
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
                            let Some(site) = quick.sites.get(i.d as usize) else { leave!() };
                            let Some(place) = quick.heap.field_at_mut(handle, site) else { leave!() };
                            put!(zero, *place, *value);
                        }
                        Value::Entity(_) => break i,
                        _ => leave!(),
                    }
                    // What would write a changed vector back is behind a SetFieldThrough and not needed.
                    if i.op == Op::SetFieldThrough && i.c != 0 {
                        jump!(pc!() + usize::from(i.c));
                    }
                }
                Op::GetIndex => {
                    let (&Value::List(handle), &Value::Number(index)) = (&reg!(i.b), &reg!(i.c)) else {
                        leave!()
                    };
                    let Some(value) = quick.heap.item(handle, index) else { leave!() };
                    put!(zero, reg!(i.a), *value);
                }
                Op::SetIndex => {
                    let (&Value::List(handle), &Value::Number(index)) = (&reg!(i.a), &reg!(i.b)) else {
                        leave!()
                    };
                    let value = &reg!(i.c);
                    let Some(place) = quick.heap.item_mut(handle, index) else { leave!() };
                    put!(zero, *place, *value);
                }
                Op::CallFunction => enter!(i, i.d as u32, None::<u32>, None),
                Op::Call => {
                    if quick.loaded.is_prelude {
                        leave!();
                    }
                    let &Value::Function(callee) = &reg!(i.a) else { leave!() };
                    let Some((function, owner)) = quick.heap.callee(callee, quick.program) else { leave!() };
                    enter!(i, function, Some(owner), Some(callee));
                }
                Op::CallPush => {
                    let value = copied(zero, &reg!(i.a + 2));
                    if !quick.heap.push_within(&reg!(i.a + 1), value) {
                        break i;
                    }
                    *quick.fuel -= 1;
                    reg!(i.a) = Value::Nil;
                }
                Op::Return => {
                    let [.., caller, own] = quick.task.frames.as_slice() else { leave!() };
                    if caller.program != quick.program || !quick.task.tries.is_empty() {
                        leave!();
                    }
                    let value = copied(zero, &reg!(i.a));
                    let result = own.result.wrapping_sub(caller.base) as usize;
                    let (Some(code), Some(next)) = (
                        quick.functions.get(caller.function as usize),
                        window(&mut quick.task.stack, caller.base as usize),
                    ) else {
                        leave!()
                    };
                    base = caller.base as usize;
                    instructions = &code.instructions;
                    rest = instructions[caller.pc as usize..].iter();
                    regs = next;
                    quick.task.frames.pop();
                    // The result lies in the caller's own registers.
                    regs[result] = value;
                }
                Op::ForNext => {
                    let (&Value::List(handle), &Value::Number(index), Value::Nil, 1) =
                        (&reg!(i.a), &reg!(i.a + 1), &reg!(i.a + 2), i.b)
                    else {
                        leave!()
                    };
                    if let Some(value) = quick.heap.item(handle, index) {
                        put!(zero, reg!(i.a + 3), *value);
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
                Op::CallNative1 => {
                    let &Value::Number(number) = &reg!(i.b) else { break i };
                    let result = match i.c {
                        SQUARE_ROOT => number.sqrt(),
                        ABSOLUTE => number.abs(),
                        FLOOR if number.abs() < WHOLE => floor(number),
                        _ => f64::NAN,
                    };
                    if result.is_nan() {
                        break i;
                    }
                    *quick.fuel -= 4;
                    reg!(i.a) = Value::Number(result);
                }
                Op::CallNative => break i,
                // Every kind stands here by name: a table of arms without gaps needs no check.
                Op::SelfEntity
                | Op::GetModule
                | Op::NewCell
                | Op::Closure
                | Op::Pow
                | Op::In
                | Op::List
                | Op::Push
                | Op::Extend
                | Op::Record
                | Op::Fields
                | Op::InitField
                | Op::Spread
                | Op::CallFlexible
                | Op::CallModule
                | Op::CallMethod
                | Op::CallHost
                | Op::Vector
                | Op::Range
                | Op::Concat
                | Op::Format
                | Op::ForPrepare
                | Op::Matches
                | Op::Try
                | Op::EndTry => leave!(),
                Op::JumpIfGiven => leave!(),
            }
        };
        match called(quick, i, base) {
            Called::Next => {}
            Called::Jump => jump!(i.d),
            Called::Leave => leave!(),
        }
        // What would write a changed vector back is behind a SetFieldThrough and not needed.
        if i.op == Op::SetFieldThrough && i.c != 0 {
            jump!(pc!() + usize::from(i.c));
        }
    }
}

/// What the only call of a task returns and from where, where that is what it is about to do.
#[inline]
pub(super) fn returned(programs: &[Loaded], task: &mut Task) -> Option<(Value, Returned)> {
    let [frame] = task.frames.as_slice() else { return None };
    let code = programs.get(frame.program as usize)?.program.functions.get(frame.function as usize)?;
    let instruction = code.instructions.get(frame.pc as usize).filter(|i| i.op == Op::Return)?;
    let value = task.stack.get(frame.base as usize + usize::from(instruction.a)).copied()?;
    // Places are told by the instruction behind.
    let at = Returned { program: frame.program, function: frame.function, pc: frame.pc + 1 };
    task.frames.clear();
    task.tries.clear();
    Some((value, at))
}
