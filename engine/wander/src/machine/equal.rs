//! Equality by value, as `==`, `in` and the library's searches give it.

use super::Machine;
use crate::fault::{Fault, Outcome};
use crate::value::{Handle, Value};

/// Levels of lists and records that are compared; past it is E506. It bounds the depth of the walk itself.
const MOST_DEPTH: usize = 200;

/// A comparison on its way.
struct Comparison<'a> {
    machine: &'a Machine,
    fuel: &'a mut i64,
    /// Pairs that are being compared, the outermost first. One that comes again closes a circle.
    open: Vec<(Handle, Handle)>,
}

impl Machine {
    /// Whether two values are equal. Each element that is looked at is paid for; things that hold themselves are equal
    /// where nothing else tells them apart.
    pub(crate) fn equal(&self, a: Value, b: Value, fuel: &mut i64) -> Outcome<bool> {
        Comparison { machine: self, fuel, open: Vec::new() }.values(a, b)
    }
}

impl Comparison<'_> {
    fn values(&mut self, a: Value, b: Value) -> Outcome<bool> {
        match (self.machine.heap.equal_at_once(a, b), a, b) {
            (Some(equal), ..) => Ok(equal),
            (None, Value::List(x), Value::List(y)) => self.things(x, y, |own| own.lists(a, b)),
            (None, Value::Record(x), Value::Record(y)) => self.things(x, y, |own| own.records(a, b)),
            (None, ..) => self.texts(a, b),
        }
    }

    fn pay(&mut self, touched: usize) -> Outcome<()> {
        self.machine.pay(self.fuel, touched)
    }

    fn texts(&mut self, a: Value, b: Value) -> Outcome<bool> {
        let heap = &self.machine.heap;
        let (a, b) = (heap.get_text(a).unwrap_or_default(), heap.get_text(b).unwrap_or_default());
        if a.len() != b.len() {
            return Ok(false);
        }
        self.pay(a.len())?;
        Ok(a == b)
    }

    /// Two things that have others inside, compared unless they are being compared already.
    fn things(
        &mut self,
        a: Handle,
        b: Handle,
        inside: impl FnOnce(&mut Self) -> Outcome<bool>,
    ) -> Outcome<bool> {
        self.pay(self.open.len())?;
        if self.open.contains(&(a, b)) {
            return Ok(true);
        }
        if self.open.len() == MOST_DEPTH {
            return Err(Fault::new(
                "E506",
                format!("values nested deeper than {MOST_DEPTH} levels are compared"),
            )
            .hint("compare the parts that matter, or `same(a, b)`"));
        }
        self.open.push((a, b));
        let equal = inside(self);
        self.open.pop();
        equal
    }

    fn lists(&mut self, a: Value, b: Value) -> Outcome<bool> {
        let heap = &self.machine.heap;
        let (a, b) = (heap.get_list(a).unwrap_or_default(), heap.get_list(b).unwrap_or_default());
        if a.len() != b.len() {
            return Ok(false);
        }
        for (index, (a, b)) in a.iter().zip(b).enumerate() {
            if index % 8 == 7 {
                self.pay(0)?;
            }
            if !self.values(*a, *b)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn records(&mut self, a: Value, b: Value) -> Outcome<bool> {
        let heap = &self.machine.heap;
        let (Some(a), Some(b)) = (heap.get_record(a), heap.get_record(b)) else { return Ok(false) };
        if a.len() != b.len() {
            return Ok(false);
        }
        for (key, value) in a.iter(&heap.shapes) {
            self.pay(0)?;
            if !b.has(key, &heap.shapes) || !self.values(value, b.get(key, &heap.shapes))? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
