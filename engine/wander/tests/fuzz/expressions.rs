//! Expressions of generated programs.

use std::rc::Rc;

use super::generate::{FIELDS, Generator, KINDS, Kind};
use super::tree::{Expr, Field, Function, Op, Piece};

/// Numbers as they are written: where something ends, and a few that are nothing special.
const NUMBERS: [&str; 24] = [
    "0",
    "1",
    "2",
    "3",
    "5",
    "7",
    "10",
    "0.5",
    "1.5",
    "0.1",
    "1_000",
    "0xff",
    "255",
    "2.5e-3",
    "1e-7",
    "1e21",
    "1e308",
    "9007199254740992",
    "9007199254740993",
    "4294967296",
    "123456789",
    "5e-324",
    "1e20",
    "0.30000000000000004",
];

/// Texts, some of more bytes than characters.
const TEXTS: [&str; 12] =
    ["", "a", "hp", "abc", "1", " 12 ", "a,b,,c", "äöü", "日本", "x\ny", "\"q\" {b}\\", "kind"];

impl Generator<'_> {
    /// An expression of whatever kind.
    pub fn any(&mut self, depth: usize) -> Expr {
        let kind = self.kind();
        self.expr(kind, depth)
    }

    pub fn names_of(&self, kind: Kind) -> Vec<String> {
        let fits = |other: Kind| other == kind || kind == Kind::Any;
        self.variables
            .iter()
            .filter(|variable| fits(variable.kind))
            .map(|variable| variable.name.clone())
            .collect()
    }

    fn name_of(&mut self, kind: Kind) -> Option<Expr> {
        let names = self.names_of(kind);
        (!names.is_empty()).then(|| Expr::Name(names[self.choices.below(names.len())].clone()))
    }

    fn literal_number(&mut self) -> Expr {
        let text = self.choices.pick(&NUMBERS);
        let plain = text.replace('_', "");
        let value = match plain.strip_prefix("0x") {
            Some(digits) => u64::from_str_radix(digits, 16).unwrap() as f64,
            None => plain.parse().unwrap(),
        };
        let number = Expr::Number(value, text.to_owned());
        if self.choices.chance(50) { Expr::Negate(number.into()) } else { number }
    }

    /// A value that needs no variable.
    pub fn literal(&mut self, kind: Kind, depth: usize) -> Expr {
        let parts = if depth == 0 { 0 } else { self.choices.below(4) };
        match kind {
            Kind::Number => self.literal_number(),
            Kind::Text => Expr::Text(self.choices.pick(&TEXTS).to_owned()),
            Kind::Bool => Expr::Bool(self.choices.chance(128)),
            Kind::Vector => {
                let count = 2 + self.choices.below(3);
                Expr::Vector((0..count).map(|_| self.small()).collect())
            }
            Kind::List => Expr::List((0..parts).map(|_| (false, self.literal_of_any(depth - 1))).collect()),
            Kind::Record => Expr::Record(
                (0..parts)
                    .map(|_| {
                        let name = self.choices.pick(&FIELDS).to_owned();
                        Field::Named(name, self.literal_of_any(depth - 1))
                    })
                    .collect(),
            ),
            Kind::Function => {
                let param = self.fresh('p');
                let body = super::tree::Body::Expr(Expr::Name(param.clone()));
                Expr::Lambda(Rc::new(Function { name: String::new(), params: vec![(param, None)], body }))
            }
            Kind::Any => Expr::Nil,
        }
    }

    fn literal_of_any(&mut self, depth: usize) -> Expr {
        let kind = self.kind();
        self.literal(kind, depth)
    }

    fn small(&mut self) -> Expr {
        let number = self.choices.below(9);
        let number = Expr::Number(number as f64, number.to_string());
        if self.choices.chance(40) { Expr::Negate(number.into()) } else { number }
    }

    /// A key of a record.
    pub fn key(&mut self) -> Expr {
        match self.choices.below(6) {
            0..=2 => Expr::Text(self.choices.pick(&FIELDS).to_owned()),
            3 => self.small(),
            4 => self.literal_number(),
            _ => self.expr(Kind::Text, 1),
        }
    }

    /// A range that has few values.
    pub fn range(&mut self) -> Expr {
        let (low, high) = (self.small(), self.choices.below(12));
        let high = Expr::Number(high as f64, high.to_string());
        Expr::Range(low.into(), high.into(), self.choices.chance(100))
    }

    /// An expression that is mostly of this kind.
    pub fn expr(&mut self, kind: Kind, depth: usize) -> Expr {
        let kind = if self.choices.chance(12) { self.choices.pick(&KINDS) } else { kind };
        if depth == 0 || self.choices.is_spent() {
            let named = if self.choices.chance(170) { self.name_of(kind) } else { None };
            return named.unwrap_or_else(|| self.literal(kind, 1));
        }
        match self.choices.below(16) {
            0..=2 => self.name_of(kind).unwrap_or_else(|| self.literal(kind, depth)),
            3 => self.literal(kind, depth),
            4 => self.common(kind, depth - 1),
            _ => self.own(kind, depth - 1),
        }
    }

    /// What gives any kind: conditions, calls, elements.
    fn common(&mut self, kind: Kind, depth: usize) -> Expr {
        match self.choices.below(8) {
            0 => {
                let condition = self.expr(Kind::Bool, depth);
                Expr::If(condition.into(), self.expr(kind, depth).into(), self.expr(kind, depth).into())
            }
            1 => Expr::And(self.any(depth).into(), self.expr(kind, depth).into()),
            2 => Expr::Or(self.any(depth).into(), self.expr(kind, depth).into()),
            3 => {
                let safe = self.safe(depth);
                Expr::OrNil(safe.into(), self.expr(kind, depth).into())
            }
            4 => Expr::Index(self.expr(Kind::List, depth).into(), self.expr(Kind::Number, 0).into(), false),
            5 => {
                let name = self.choices.pick(&FIELDS[..4]).to_owned();
                Expr::Field(self.expr(Kind::Record, depth).into(), name, false)
            }
            _ => self.call().unwrap_or(Expr::Nil),
        }
    }

    /// What may be nil without harm.
    fn safe(&mut self, depth: usize) -> Expr {
        let name = self.choices.pick(&FIELDS[..4]).to_owned();
        let of = if self.choices.chance(60) { Expr::Nil } else { self.expr(Kind::Record, depth) };
        match self.choices.below(4) {
            0 => Expr::Field(of.into(), name, true),
            1 => Expr::Index(of.into(), self.key().into(), true),
            2 => Expr::Field(Expr::Field(of.into(), name, true).into(), "a".to_owned(), false),
            _ => Expr::Method(
                self.expr(Kind::List, depth).into(),
                "get".to_owned(),
                vec![self.expr(Kind::Number, 0)],
            ),
        }
    }

    /// A call of something in sight.
    pub fn call(&mut self) -> Option<Expr> {
        let roll = self.choices.below(4);
        if let (0, Some(name)) = (roll, self.recursive.clone()) {
            let turns = self.choices.below(8);
            let turns = Expr::Number(turns as f64, turns.to_string());
            return Some(Expr::Call(Expr::Name(name).into(), vec![turns, self.any(1)]));
        }
        if roll == 1 {
            let callee = self.expr(Kind::Function, 1);
            return Some(Expr::Call(callee.into(), vec![self.any(1)]));
        }
        if self.functions.is_empty() {
            return None;
        }
        let function = self.functions[self.choices.below(self.functions.len())].clone();
        let spare = function.params - function.required;
        let given = function.required + if spare == 0 { 0 } else { self.choices.below(spare + 1) };
        let arguments = (0..given).map(|_| self.any(1)).collect();
        Some(Expr::Call(Expr::Name(function.name).into(), arguments))
    }

    fn own(&mut self, kind: Kind, depth: usize) -> Expr {
        match kind {
            Kind::Number => self.number(depth),
            Kind::Text => self.text(depth),
            Kind::Bool => self.truth(depth),
            Kind::List => self.list(depth),
            Kind::Record => self.record(depth),
            Kind::Vector => self.vector(depth),
            Kind::Function => self.lambda(1),
            Kind::Any => self.any(depth),
        }
    }

    fn number(&mut self, depth: usize) -> Expr {
        let ops = [Op::Add, Op::Sub, Op::Mul, Op::Div, Op::FloorDiv, Op::Mod, Op::Pow];
        let method = |of: Expr, name: &str, arguments| Expr::Method(of.into(), name.to_owned(), arguments);
        match self.choices.below(13) {
            0..=4 => {
                let op = self.choices.pick(&ops);
                let left = self.expr(Kind::Number, depth);
                // Powers of large numbers are infinite and tell little.
                let right = if op == Op::Pow { self.small() } else { self.expr(Kind::Number, depth) };
                Expr::Binary(op, left.into(), right.into())
            }
            5 => Expr::Negate(self.expr(Kind::Number, depth).into()),
            6 => {
                let of = self.choices.pick(&[Kind::List, Kind::Text, Kind::Record]);
                Expr::Field(self.expr(of, depth).into(), "length".to_owned(), false)
            }
            7 => {
                let name = self.choices.pick(&["abs", "floor", "ceil", "sign", "sqrt", "number"]);
                let kind = if name == "number" { Kind::Text } else { Kind::Number };
                Expr::Library(name, vec![self.expr(kind, depth)])
            }
            8 => {
                let name = self.choices.pick(&["min", "max"]);
                Expr::Library(name, vec![self.expr(Kind::Number, depth), self.expr(Kind::Number, depth)])
            }
            9 => {
                let axis = self.choices.pick(&["x", "y", "z"]).to_owned();
                Expr::Field(self.expr(Kind::Vector, depth).into(), axis, false)
            }
            10 => method(self.expr(Kind::List, depth), "index_of", vec![self.any(1)]),
            11 => match self.choices.below(4) {
                0 => method(self.expr(Kind::List, depth), "sum", vec![]),
                1 => method(self.expr(Kind::List, depth), "count", vec![self.lambda(1)]),
                2 => method(
                    self.expr(Kind::List, depth),
                    "reduce",
                    vec![self.expr(Kind::Number, 0), self.lambda(2)],
                ),
                _ => method(self.expr(Kind::Text, depth), "index_of", vec![self.expr(Kind::Text, 0)]),
            },
            _ => self.literal_number(),
        }
    }

    fn text(&mut self, depth: usize) -> Expr {
        let method = |of: Expr, name: &str, arguments| Expr::Method(of.into(), name.to_owned(), arguments);
        match self.choices.below(11) {
            0 | 1 => {
                let other = self.any(depth);
                let own = self.expr(Kind::Text, depth);
                let (left, right) = if self.choices.chance(128) { (own, other) } else { (other, own) };
                Expr::Binary(Op::Add, left.into(), right.into())
            }
            2 | 3 => Expr::Format(self.pieces()),
            4 => Expr::Library("text", vec![self.any(depth)]),
            5 => Expr::Library("type", vec![self.any(depth)]),
            6 => {
                let name = self.choices.pick(&["upper", "lower", "trim", "reverse"]);
                method(self.expr(Kind::Text, depth), name, vec![])
            }
            7 => {
                let (start, end) = (self.small(), self.small());
                method(self.expr(Kind::Text, depth), "slice", vec![start, end])
            }
            8 => {
                let (from, to) = (self.expr(Kind::Text, 0), self.expr(Kind::Text, 0));
                method(self.expr(Kind::Text, depth), "replace", vec![from, to])
            }
            9 => match self.caught.last().cloned() {
                Some(error) => Expr::Field(Expr::Name(error).into(), "code".to_owned(), false),
                None => Expr::Index(self.expr(Kind::Text, depth).into(), self.small().into(), false),
            },
            _ => match self.choices.below(3) {
                0 => method(self.expr(Kind::List, depth), "join", vec![self.expr(Kind::Text, 0)]),
                1 => {
                    let count = self.small();
                    method(self.expr(Kind::Text, depth), "repeat", vec![count])
                }
                _ => {
                    let length = self.small();
                    method(self.expr(Kind::Text, depth), "pad_left", vec![length])
                }
            },
        }
    }

    /// Parts of an f-string; no texts and no functions inside, which would need quotes and lines of their own.
    fn pieces(&mut self) -> Vec<Piece> {
        let mut pieces = Vec::new();
        for _ in 0..self.choices.below(4) {
            if self.choices.chance(128) {
                pieces.push(Piece::Text(self.choices.pick(&TEXTS).to_owned()));
                continue;
            }
            let decimals = self.choices.chance(60).then(|| self.choices.below(4));
            let left = self.name_of(if decimals.is_some() { Kind::Number } else { Kind::Any });
            let left = left.unwrap_or_else(|| self.literal_number());
            let value = match self.choices.below(4) {
                0 => Expr::Binary(Op::Mul, left.into(), self.literal_number().into()),
                1 => Expr::OrNil(left.into(), self.small().into()),
                _ => left,
            };
            pieces.push(Piece::Value(value, decimals));
        }
        pieces
    }

    fn truth(&mut self, depth: usize) -> Expr {
        let method = |of: Expr, name: &str, arguments| Expr::Method(of.into(), name.to_owned(), arguments);
        match self.choices.below(12) {
            0..=2 => {
                let op = self.choices.pick(&[Op::Lt, Op::Le, Op::Gt, Op::Ge]);
                let kind = self.choices.pick(&[Kind::Number, Kind::Number, Kind::Text]);
                Expr::Binary(op, self.expr(kind, depth).into(), self.expr(kind, depth).into())
            }
            3 | 4 => {
                let op = self.choices.pick(&[Op::Eq, Op::Ne]);
                let kind = self.kind();
                Expr::Binary(op, self.expr(kind, depth).into(), self.expr(kind, depth).into())
            }
            5 => Expr::Not(self.any(depth).into()),
            6 => Expr::And(self.expr(Kind::Bool, depth).into(), self.expr(Kind::Bool, depth).into()),
            7 => Expr::Or(self.expr(Kind::Bool, depth).into(), self.expr(Kind::Bool, depth).into()),
            8 => {
                let op = self.choices.pick(&[Op::In, Op::NotIn]);
                let (value, things) = match self.choices.below(4) {
                    0 => (self.any(depth), self.expr(Kind::List, depth)),
                    1 => (self.key(), self.expr(Kind::Record, depth)),
                    2 => (self.expr(Kind::Text, depth), self.expr(Kind::Text, depth)),
                    _ => (self.expr(Kind::Number, depth), self.range()),
                };
                Expr::Binary(op, value.into(), things.into())
            }
            9 => {
                let (value, key) = (self.expr(Kind::Record, depth), self.key());
                method(value, "has", vec![key])
            }
            10 => {
                let name = self.choices.pick(&["any", "all"]);
                method(self.expr(Kind::List, depth), name, vec![self.lambda(1)])
            }
            _ => match self.choices.below(3) {
                0 => Expr::Library("same", vec![self.any(depth), self.any(depth)]),
                1 => method(self.expr(Kind::Text, depth), "starts_with", vec![self.expr(Kind::Text, 0)]),
                _ => method(self.expr(Kind::List, depth), "has", vec![self.any(1)]),
            },
        }
    }

    fn list(&mut self, depth: usize) -> Expr {
        let method = |of: Expr, name: &str, arguments| Expr::Method(of.into(), name.to_owned(), arguments);
        match self.choices.below(11) {
            0..=2 => {
                let mut items = Vec::new();
                for _ in 0..self.choices.below(4) {
                    let spread = self.choices.chance(40);
                    let item = if spread { self.expr(Kind::List, depth) } else { self.any(depth) };
                    items.push((spread, item));
                }
                Expr::List(items)
            }
            3 => Expr::Binary(
                Op::Add,
                self.expr(Kind::List, depth).into(),
                self.expr(Kind::List, depth).into(),
            ),
            4 => method(self.expr(Kind::List, depth), "map", vec![self.lambda(1)]),
            5 => method(self.expr(Kind::List, depth), "filter", vec![self.lambda(1)]),
            6 => {
                let name = self.choices.pick(&["reverse", "unique", "flat", "sorted", "enumerate"]);
                method(self.expr(Kind::List, depth), name, vec![])
            }
            7 => match self.choices.below(3) {
                0 => method(self.expr(Kind::Record, depth), "keys", vec![]),
                1 => method(self.expr(Kind::Record, depth), "values", vec![]),
                _ => method(self.expr(Kind::Text, depth), "split", vec![Expr::Text(",".to_owned())]),
            },
            8 => {
                let name = self.choices.pick(&["take", "drop"]);
                method(self.expr(Kind::List, depth), name, vec![self.small()])
            }
            9 => {
                let name = self.choices.pick(&["copy", "deep_copy"]);
                Expr::Library(name, vec![self.expr(Kind::List, depth)])
            }
            _ => {
                let (low, high) = (self.choices.below(4), self.choices.below(4));
                let number = |n: usize| Box::new(Expr::Number(n as f64, n.to_string()));
                let range = Expr::Range(number(low), number(low + high), self.choices.chance(60));
                Expr::Index(self.expr(Kind::List, depth).into(), range.into(), false)
            }
        }
    }

    fn record(&mut self, depth: usize) -> Expr {
        match self.choices.below(7) {
            0..=3 => {
                let mut fields = Vec::new();
                for _ in 0..self.choices.below(4) {
                    fields.push(match self.choices.below(6) {
                        0 => Field::Spread(self.expr(Kind::Record, depth)),
                        1 => Field::Computed(self.key(), self.any(depth)),
                        _ => Field::Named(self.choices.pick(&FIELDS).to_owned(), self.any(depth)),
                    });
                }
                Expr::Record(fields)
            }
            4 => {
                let (own, other) = (self.expr(Kind::Record, depth), self.expr(Kind::Record, depth));
                Expr::Method(own.into(), "merge".to_owned(), vec![other])
            }
            5 => {
                let own = self.expr(Kind::Record, depth);
                Expr::Method(own.into(), "map_values".to_owned(), vec![self.lambda(1)])
            }
            _ => Expr::Library("copy", vec![self.expr(Kind::Record, depth)]),
        }
    }

    fn vector(&mut self, depth: usize) -> Expr {
        let count = 2 + self.choices.below(2);
        match self.choices.below(6) {
            0 | 1 => Expr::Vector((0..count).map(|_| self.expr(Kind::Number, depth)).collect()),
            2 => {
                let op = self.choices.pick(&[Op::Add, Op::Sub, Op::Mul, Op::Div]);
                Expr::Binary(op, self.expr(Kind::Vector, depth).into(), self.expr(Kind::Vector, depth).into())
            }
            3 => {
                let op = self.choices.pick(&[Op::Mul, Op::Div]);
                Expr::Binary(op, self.expr(Kind::Vector, depth).into(), self.expr(Kind::Number, depth).into())
            }
            4 => Expr::Negate(self.expr(Kind::Vector, depth).into()),
            _ => {
                let swizzle = self.choices.pick(&["xy", "yx", "x0y", "xxx", "xyz", "zyx0"]).to_owned();
                Expr::Field(self.expr(Kind::Vector, depth).into(), swizzle, false)
            }
        }
    }

    fn lambda(&mut self, params: usize) -> Expr {
        let names: Vec<String> = (0..params).map(|_| self.fresh('p')).collect();
        let body = self.body(&names, 2);
        let params = names.into_iter().map(|name| (name, None)).collect();
        Expr::Lambda(Rc::new(Function { name: String::new(), params, body }))
    }
}
