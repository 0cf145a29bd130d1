//! The shortcut for what most templates are: fields of records of a given name, such as `{{args.from}}`. It gives what
//! the machine would give, or nothing where the machine has to look.

use std::sync::atomic::{AtomicU32, Ordering};

use crate::ast::{Expr, ExprKind};
use crate::heap::{Heap, Key, Symbol};
use crate::value::Value;

/// `name.field.field`
#[derive(Debug, Clone)]
pub(super) struct Path {
    /// Which of the given values it starts from.
    given: usize,
    links: Vec<Link>,
}

#[derive(Debug)]
struct Link {
    name: String,
    /// The symbol that the name had in the heap it was last read from: only a guess, since each heap has its own.
    symbol: AtomicU32,
}

impl Clone for Link {
    fn clone(&self) -> Self {
        Self { name: self.name.clone(), symbol: AtomicU32::new(self.symbol.load(Ordering::Relaxed)) }
    }
}

impl Path {
    /// The path that an expression is, if it is one.
    pub(super) fn of(expr: &Expr, given: &[String]) -> Option<Self> {
        let mut links = Vec::new();
        let mut expr = expr;
        loop {
            match &expr.kind {
                ExprKind::Field(object, name, _, false) => {
                    links.push(Link { name: name.clone(), symbol: AtomicU32::new(u32::MAX) });
                    expr = object;
                }
                ExprKind::Name(name) => {
                    let given = given.iter().position(|known| known == name)?;
                    links.reverse();
                    return Some(Self { given, links });
                }
                _ => return None,
            }
        }
    }

    /// What its fields hold. Nothing where one of them is nil or stands in no record: then there may be something to
    /// say about it.
    pub(super) fn follow(&self, values: &[Value], heap: &Heap) -> Option<Value> {
        let mut value = *values.get(self.given)?;
        for link in &self.links {
            let record = heap.get_record(value)?;
            value = record.get(Key::Symbol(link.symbol(heap)?), &heap.shapes);
        }
        (!value.is_nil()).then_some(value)
    }

    /// Instructions that it counts for: as many as the machine's.
    pub(super) fn cost(&self) -> i64 {
        self.links.len() as i64 + 1
    }
}

impl Link {
    fn symbol(&self, heap: &Heap) -> Option<Symbol> {
        let guess = Symbol(self.symbol.load(Ordering::Relaxed));
        if heap.shapes.name(guess) == self.name && !self.name.is_empty() {
            return Some(guess);
        }
        let symbol = heap.shapes.find_symbol(&self.name)?;
        self.symbol.store(symbol.0, Ordering::Relaxed);
        Some(symbol)
    }
}
