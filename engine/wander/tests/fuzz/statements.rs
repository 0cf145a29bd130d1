//! Statements and functions of generated programs.

use std::rc::Rc;

use super::generate::{FIELDS, Generator, Kind, Named};
use super::tree::{Assign, Body, Expr, Function, Op, Stmt};

impl Generator<'_> {
    /// What ends a block early. Not in the outermost block of a function, so that something runs after all.
    pub fn jump(&mut self) -> Option<Stmt> {
        if self.nesting == 0 || !self.choices.chance(12) {
            return None;
        }
        if self.loops > 0 {
            return Some(if self.choices.chance(128) { Stmt::Continue } else { Stmt::Break });
        }
        if !self.in_function {
            return None;
        }
        let kind = self.kind();
        let value = self.choices.chance(200).then(|| self.expr(kind, 2));
        Some(Stmt::Return(value))
    }

    /// Adds a statement, with what it needs before it.
    pub fn statement(&mut self, body: &mut Vec<Stmt>) {
        let deep = self.nesting > 3;
        match self.choices.below(if deep { 10 } else { 20 }) {
            0..=2 => {
                let kind = self.kind();
                let value = self.expr(kind, 3);
                let constant = self.choices.chance(20);
                body.push(self.declare(kind, value, constant));
            }
            3..=5 => {
                if let Some(statement) = self.assign() {
                    body.push(statement);
                }
            }
            6 | 7 => {
                if let Some(statement) = self.change() {
                    body.push(statement);
                }
            }
            8 => {
                let value = self.any(2);
                body.push(Stmt::Expr(Expr::Library("print", vec![Expr::Library("text", vec![value])])));
            }
            9 => body.push(Stmt::Expr(self.raise())),
            10 | 11 => body.push(self.conditional()),
            12 => self.counted(body),
            13 | 14 => body.push(self.for_each()),
            15 => body.push(self.matching()),
            16 | 17 => body.push(self.trying()),
            18 => body.push(Stmt::Do(self.inner(4))),
            _ => {
                let function = self.function(2);
                body.push(Stmt::Function(function));
            }
        }
    }

    fn assign(&mut self) -> Option<Stmt> {
        let places: Vec<(String, Kind)> = self
            .variables
            .iter()
            .filter(|variable| variable.can_change)
            .map(|variable| (variable.name.clone(), variable.kind))
            .collect();
        if places.is_empty() {
            return None;
        }
        let (name, kind) = places[self.choices.below(places.len())].clone();
        let variable = Expr::Name(name);
        Some(match kind {
            Kind::Number => {
                let ops = [Op::Add, Op::Sub, Op::Mul, Op::Div, Op::FloorDiv, Op::Mod, Op::Pow];
                let how = if self.choices.chance(128) {
                    Assign::With(self.choices.pick(&ops))
                } else {
                    Assign::Plain
                };
                Stmt::Assign(variable, how, self.expr(Kind::Number, 3))
            }
            Kind::Text | Kind::List if self.choices.chance(90) => {
                Stmt::Assign(variable, Assign::With(Op::Add), self.expr(kind, 2))
            }
            Kind::List => {
                let index = self.expr(Kind::Number, 1);
                let value = self.any(2);
                let how = if self.choices.chance(50) { Assign::With(Op::Add) } else { Assign::Plain };
                Stmt::Assign(Expr::Index(variable.into(), index.into(), false), how, value)
            }
            Kind::Record => {
                let value = self.any(2);
                let how = match self.choices.below(5) {
                    0 => Assign::OrNil,
                    1 => Assign::With(Op::Add),
                    _ => Assign::Plain,
                };
                let place = if self.choices.chance(100) {
                    Expr::Index(variable.into(), self.key().into(), false)
                } else {
                    Expr::Field(variable.into(), self.choices.pick(&FIELDS[..4]).to_owned(), false)
                };
                Stmt::Assign(place, how, value)
            }
            Kind::Vector if self.choices.chance(128) => {
                let axis = self.choices.pick(&["x", "y", "z"]).to_owned();
                let how = if self.choices.chance(128) { Assign::With(Op::Add) } else { Assign::Plain };
                Stmt::Assign(Expr::Field(variable.into(), axis, false), how, self.expr(Kind::Number, 2))
            }
            _ => {
                let how = if self.choices.chance(30) { Assign::OrNil } else { Assign::Plain };
                Stmt::Assign(variable, how, self.expr(kind, 3))
            }
        })
    }

    /// A call that changes a list or a record, or one of a function for what it does.
    fn change(&mut self) -> Option<Stmt> {
        let lists = self.names_of(Kind::List);
        let records = self.names_of(Kind::Record);
        let call = match self.choices.below(4) {
            0 | 1 if !lists.is_empty() => {
                let list: Box<Expr> = Expr::Name(lists[self.choices.below(lists.len())].clone()).into();
                let (name, arguments) = match self.choices.below(9) {
                    0..=2 => ("push", vec![self.any(2)]),
                    3 => ("insert", vec![self.expr(Kind::Number, 1), self.any(2)]),
                    4 => ("remove_at", vec![self.expr(Kind::Number, 1)]),
                    5 => ("remove", vec![self.any(2)]),
                    6 => ("set", vec![self.expr(Kind::Number, 1), self.any(2)]),
                    7 => ("pop", vec![]),
                    _ => ("fill", vec![self.expr(Kind::Number, 1)]),
                };
                Expr::Method(list, name.to_owned(), arguments)
            }
            2 if !records.is_empty() => {
                let record: Box<Expr> = Expr::Name(records[self.choices.below(records.len())].clone()).into();
                Expr::Method(record, "remove".to_owned(), vec![self.key()])
            }
            _ => self.call()?,
        };
        Some(Stmt::Expr(call))
    }

    fn raise(&mut self) -> Expr {
        match self.choices.below(3) {
            0 => Expr::Library("assert", vec![self.expr(Kind::Bool, 2), Expr::Text("no".to_owned())]),
            1 => {
                let message = self.expr(Kind::Text, 1);
                Expr::Library("error", vec![message])
            }
            _ => {
                use super::tree::Field::Named;
                let code = Named("code".to_owned(), Expr::Text("door/locked".to_owned()));
                let message = Named("message".to_owned(), Expr::Text("locked".to_owned()));
                Expr::Library("error", vec![Expr::Record(vec![code, message])])
            }
        }
    }

    fn conditional(&mut self) -> Stmt {
        let mut cases = Vec::new();
        for _ in 0..1 + self.choices.below(3) {
            let condition = self.expr(Kind::Bool, 3);
            cases.push((condition, self.inner(4)));
        }
        let last = self.choices.chance(128).then(|| self.inner(4));
        Stmt::If(cases, last)
    }

    /// A `while` that counts, and ends for that reason at the latest.
    fn counted(&mut self, body: &mut Vec<Stmt>) {
        let counter = self.fresh('n');
        let start = Expr::Number(0.0, "0".to_owned());
        body.push(Stmt::Let(counter.clone(), start, false));
        // It may be read, not assigned: the loop would not end.
        self.add(&counter, Kind::Number, false);
        let most = self.choices.below(12);
        let limit = Expr::Number(most as f64, most.to_string());
        let mut condition = Expr::Binary(Op::Lt, Expr::Name(counter.clone()).into(), limit.into());
        if self.choices.chance(40) {
            condition = Expr::And(condition.into(), self.expr(Kind::Bool, 2).into());
        }
        self.loops += 1;
        let mut inner = self.inner(5);
        self.loops -= 1;
        let one = Expr::Number(1.0, "1".to_owned());
        inner.insert(0, Stmt::Assign(Expr::Name(counter), Assign::With(Op::Add), one));
        body.push(Stmt::While(condition, inner));
    }

    fn for_each(&mut self) -> Stmt {
        let (things, kinds) = match self.choices.below(5) {
            0 | 1 => (self.range(), [Kind::Number, Kind::Number]),
            2 => (self.expr(Kind::List, 2), [Kind::Any, Kind::Number]),
            3 => (self.expr(Kind::Record, 2), [Kind::Text, Kind::Any]),
            _ => (self.expr(Kind::Text, 2), [Kind::Text, Kind::Number]),
        };
        let two = self.choices.chance(100);
        let names: Vec<String> = (0..if two { 2 } else { 1 }).map(|_| self.fresh('i')).collect();
        let variables = self.variables.clone();
        self.block += 1;
        let ordered = if two && kinds[0] != Kind::Text { [kinds[1], kinds[0]] } else { kinds };
        for (name, kind) in names.iter().zip(ordered) {
            let can_change = self.choices.chance(40);
            self.add(name, kind, can_change);
        }
        // They belong to the block of the body.
        self.block -= 1;
        self.loops += 1;
        let body = self.inner(5);
        self.loops -= 1;
        self.variables = variables;
        Stmt::For(names, things, body)
    }

    fn matching(&mut self) -> Stmt {
        let kind = self.choices.pick(&[Kind::Number, Kind::Text, Kind::Any]);
        let subject = self.expr(kind, 2);
        let mut cases = Vec::new();
        for _ in 0..1 + self.choices.below(3) {
            let mut values = Vec::new();
            for _ in 0..1 + self.choices.below(2) {
                values.push(match self.choices.below(4) {
                    0 => self.literal(Kind::Number, 0),
                    1 => self.literal(Kind::Text, 0),
                    2 => Expr::Nil,
                    _ => {
                        let (low, high) = (self.choices.below(5), self.choices.below(9));
                        let number = |n: usize| Box::new(Expr::Number(n as f64, n.to_string()));
                        Expr::Range(number(low), number(high), self.choices.chance(128))
                    }
                });
            }
            cases.push((values, self.inner(3)));
        }
        let last = self.choices.chance(128).then(|| self.inner(3));
        Stmt::Match(subject, cases, last)
    }

    fn trying(&mut self) -> Stmt {
        let body = self.inner(5);
        let name = self.choices.chance(180).then(|| self.fresh('e'));
        self.caught.extend(name.clone());
        let handler = self.inner(4);
        if name.is_some() {
            self.caught.pop();
        }
        Stmt::Try(body, name, handler)
    }

    /// A function with a name that can be called from here on.
    pub fn function(&mut self, statements: usize) -> Rc<Function> {
        let name = self.fresh('f');
        let params: Vec<String> = (0..self.choices.below(4)).map(|_| self.fresh('p')).collect();
        let defaults = if params.is_empty() { 0 } else { self.choices.below(params.len() + 1) };
        let required = params.len() - defaults;
        let mut whole = Vec::new();
        for (index, param) in params.iter().enumerate() {
            let kind = self.kind();
            let default = (index >= required).then(|| self.literal(kind, 1));
            whole.push((param.clone(), default));
        }
        let body = self.body(&params, statements);
        self.functions.push(Named { name: name.clone(), required, params: params.len() });
        Rc::new(Function { name, params: whole, body })
    }

    /// The body of a function with these parameters.
    pub fn body(&mut self, params: &[String], statements: usize) -> Body {
        let (variables, loops, in_function) = (self.variables.clone(), self.loops, self.in_function);
        let caught = std::mem::take(&mut self.caught);
        // What calls it may be something that must not sleep.
        let waits = std::mem::take(&mut self.waits);
        (self.loops, self.in_function) = (0, true);
        self.block += 1;
        for param in params {
            self.add(param, Kind::Any, true);
        }
        let body = if self.choices.chance(128) || self.nesting > 3 {
            Body::Expr(self.any(3))
        } else {
            let (variables, functions) = (self.variables.clone(), self.functions.len());
            self.nesting += 1;
            let mut body = self.statements(statements + 3);
            let kind = self.kind();
            body.push(Stmt::Return(Some(self.expr(kind, 2))));
            self.nesting -= 1;
            self.variables = variables;
            self.functions.truncate(functions);
            Body::Block(body)
        };
        self.block -= 1;
        (self.variables, self.loops, self.in_function, self.caught) = (variables, loops, in_function, caught);
        self.waits = waits;
        body
    }

    /// A function that calls itself so often as its first argument says.
    pub fn recursive(&mut self) -> Stmt {
        let name = self.fresh('f');
        let (left, value) = (self.fresh('p'), self.fresh('p'));
        let number = |text: &str| Box::new(Expr::Number(text.parse().unwrap(), text.to_owned()));
        let ends = Expr::Binary(Op::Le, Expr::Name(left.clone()).into(), number("0"));
        let done = Stmt::Return(Some(Expr::Name(value.clone())));
        let (variables, in_function) = (self.variables.clone(), self.in_function);
        self.in_function = true;
        self.block += 1;
        self.add(&left, Kind::Number, false);
        self.add(&value, Kind::Any, true);
        let next = self.any(2);
        self.block -= 1;
        (self.variables, self.in_function) = (variables, in_function);
        let less = Expr::Binary(Op::Sub, Expr::Name(left.clone()).into(), number("1"));
        let again = Expr::Call(Expr::Name(name.clone()).into(), vec![less, next]);
        let body = vec![Stmt::If(vec![(ends, vec![done])], None), Stmt::Return(Some(again))];
        let params = vec![(left, None), (value, None)];
        // Called with few turns only, which the call in `expressions.rs` sees to.
        self.recursive = Some(name.clone());
        Stmt::Function(Rc::new(Function { name, params, body: Body::Block(body) }))
    }
}
