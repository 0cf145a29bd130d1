//! Instructions of the quick half that have to call something: the world, the library, or the allocator.

#![allow(clippy::indexing_slicing, reason = "the registers are as many as an instruction can name")]

use super::super::Named;
use super::super::arithmetic::remainder;
use super::super::budget::price;
use super::{Quick, window};
use crate::code::{Instruction, Op};
use crate::value::Value;

/// Copies, as `put!` of the quick half does, what the world and the library give and take, where vectors are as common as
/// numbers.
macro_rules! hand {
    ($zero:ident, $value:expr, |$given:ident| $then:expr) => {
        match &$value {
            &Value::Number(number) => {
                let $given = Value::Number(f64::from_bits(number.to_bits() ^ $zero));
                $then
            }
            &Value::Vec3(parts) => {
                let $given = Value::Vec3(parts.map(|part| f32::from_bits(part.to_bits() ^ $zero as u32)));
                $then
            }
            other => {
                let $given = *other;
                $then
            }
        }
    };
}

/// How an instruction that needs a call ended.
pub(super) enum Called {
    Next,
    /// On to where it points.
    Jump,
    /// The other half has to do it.
    Leave,
}

/// Reads a property of an entity.
#[inline(never)]
fn get_property(quick: &mut Quick<'_>, i: Instruction, base: usize) -> Called {
    let zero = std::hint::black_box(0u64);
    if let Some(regs) = window(&mut quick.task.stack, base)
        && let &Value::Entity(entity) = &regs[usize::from(i.b)]
        && let Some(&Named::Property(property, _)) = quick.loaded.named_sites.get(i.d as usize)
        // An error is met again, and told, by the other half.
        && let Ok(value) = quick.host.read(quick.heap, entity, property)
    {
        hand!(zero, value, |value| regs[usize::from(i.a)] = value);
        return Called::Next;
    }
    Called::Leave
}

/// Sets a property of an entity. What fails has done nothing.
#[inline(never)]
fn set_property(quick: &mut Quick<'_>, i: Instruction, base: usize) -> Called {
    if let Some(regs) = window(&mut quick.task.stack, base)
        && let &Value::Entity(entity) = &regs[usize::from(i.a)]
        && let Some(&Named::Property(property, true)) = quick.loaded.named_sites.get(i.d as usize)
        && quick.host.write(quick.heap, entity, property, &regs[usize::from(i.b)])
    {
        return Called::Next;
    }
    Called::Leave
}

/// Does an instruction of the quick half that has to call something: the world, the library, or the allocator.
#[inline(never)]
pub(super) fn called(quick: &mut Quick<'_>, i: Instruction, base: usize) -> Called {
    match i.op {
        Op::GetField => get_property(quick, i, base),
        Op::SetField | Op::SetFieldThrough => set_property(quick, i, base),
        _ => called_else(quick, i, base),
    }
}

#[inline(never)]
fn called_else(quick: &mut Quick<'_>, i: Instruction, base: usize) -> Called {
    let Some(regs) = window(&mut quick.task.stack, base) else { return Called::Leave };
    let zero = std::hint::black_box(0u64);
    macro_rules! reg {
        ($index:expr) => {
            regs[usize::from($index)]
        };
    }
    match i.op {
        Op::JumpIf | Op::JumpIfNot => {
            let &Value::Entity(entity) = &reg!(i.a) else { return Called::Leave };
            if quick.host.is_alive(entity) == (i.op == Op::JumpIf) {
                return Called::Jump;
            }
        }
        Op::Not => {
            let &Value::Entity(entity) = &reg!(i.b) else { return Called::Leave };
            reg!(i.a) = Value::Bool(!quick.host.is_alive(entity));
        }
        Op::Equal | Op::NotEqual => {
            let (b, c) = (reg!(i.b), reg!(i.c));
            let equal = match (quick.heap.equal_at_once(b, c), quick.heap.get_text(b), quick.heap.get_text(c))
            {
                (Some(equal), ..) => equal,
                (None, Some(b), Some(c)) if b.len() != c.len() => false,
                (None, Some(b), Some(c)) if *quick.fuel > b.len() as i64 => {
                    *quick.fuel -= price(b.len());
                    b == c
                }
                _ => return Called::Leave,
            };
            reg!(i.a) = Value::Bool(equal == (i.op == Op::Equal));
        }
        Op::Mod => match (&reg!(i.b), &reg!(i.c)) {
            (&Value::Number(b), &Value::Number(c)) if c != 0.0 => {
                let result = remainder(b, c);
                if result.is_nan() {
                    return Called::Leave;
                }
                reg!(i.a) = Value::Number(result);
            }
            _ => return Called::Leave,
        },
        Op::CallPush => {
            let value = reg!(i.a + 2);
            let list = reg!(i.a + 1);
            // The other half finds room where there is none, or says that there is none.
            if !quick.heap.has_room(quick.heap.growth(list, 1)) || !quick.heap.push(&list, value) {
                return Called::Leave;
            }
            *quick.fuel -= 1;
            reg!(i.a) = Value::Nil;
        }
        Op::CallNative | Op::CallNative1 => {
            let Some(plain) = crate::library::get(i.d as u16).and_then(|native| native.plain) else {
                return Called::Leave;
            };
            let (first, count) = match i.op {
                Op::CallNative => (usize::from(i.a) + 1, usize::from(i.b)),
                _ => (usize::from(i.b), 1),
            };
            let Some(value) = regs.get(first..first + count).and_then(plain) else {
                return Called::Leave;
            };
            if value.is_nan() {
                return Called::Leave;
            }
            *quick.fuel -= 4;
            hand!(zero, value, |value| reg!(i.a) = value);
        }
        _ => return Called::Leave,
    }
    Called::Next
}
