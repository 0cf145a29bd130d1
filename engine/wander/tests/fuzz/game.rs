//! Scripts of entities that sleep in many places, for snapshots.

use std::rc::Rc;

use super::generate::{Generator, Kind};
use super::tree::{Body, Expr, Function, Program, Stmt};

/// The script of an entity: variables, functions, and handlers whose tasks wait.
pub fn script(bytes: &[u8]) -> Program {
    let mut generator = Generator::new(bytes);
    let mut items = Vec::new();
    for _ in 0..1 + generator.choices.below(4) {
        let kind = generator.kind();
        let value = generator.literal(kind, 1);
        items.push(generator.declare(kind, value, false));
    }
    for _ in 0..generator.choices.below(3) {
        let function = generator.function(2);
        items.push(Stmt::Function(function));
    }
    for (name, params, waits) in
        [("on start", &[][..], true), ("on ping", &["data"], true), ("on update", &["dt"], false)]
    {
        items.push(generator.handler(name, params, waits));
    }
    Program { items }
}

impl Generator<'_> {
    fn handler(&mut self, name: &str, params: &[&str], waits: bool) -> Stmt {
        let (variables, functions) = (self.variables.clone(), self.functions.len());
        (self.in_function, self.waits, self.budget) = (true, waits, 25);
        // An event that leads to two of its kind leads to thousands.
        self.emits = name == "on start";
        self.block += 1;
        for param in params {
            self.add(param, Kind::Any, true);
        }
        self.block -= 1;
        let body = self.inner(8);
        self.waits = false;
        self.variables = variables;
        self.functions.truncate(functions);
        let params = params.iter().map(|name| ((*name).to_owned(), None)).collect();
        Stmt::Function(Rc::new(Function { name: name.to_owned(), params, body: Body::Block(body) }))
    }

    /// Something that sleeps, starts a task or wakes one.
    pub fn wait(&mut self) -> Stmt {
        let number = |n: usize| Expr::Number(n as f64, n.to_string());
        let ping = || Expr::Text("ping".to_owned());
        Stmt::Expr(match self.choices.below(if self.emits { 6 } else { 5 }) {
            0..=2 => Expr::Library("wait_frames", vec![number(1 + self.choices.below(4))]),
            3 => Expr::Library("wait_event", vec![ping()]),
            5 => Expr::Library("emit", vec![ping(), self.any(1)]),
            _ => {
                let (loops, budget) = (self.loops, self.budget);
                self.loops = 0;
                self.budget = self.budget.min(6);
                let body = self.inner(4);
                self.budget += budget.saturating_sub(6);
                self.loops = loops;
                let function = Function { name: String::new(), params: Vec::new(), body: Body::Block(body) };
                Expr::Library("spawn", vec![Expr::Lambda(Rc::new(function))])
            }
        })
    }
}
