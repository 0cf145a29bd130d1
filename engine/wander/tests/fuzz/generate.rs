//! Programs from bytes: well scoped, mostly of the right types, with every operator and statement of the subset that
//! the oracle knows, and with the values at which things break. Statements are in
//! `statements.rs`, expressions in `expressions.rs`.

use std::rc::Rc;

use super::choices::Choices;
use super::tree::{Assign, Body, Expr, Function, Program, Stmt};

/// What a value is expected to be. Nothing holds a program to it: one in twenty is something else.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Number,
    Text,
    Bool,
    List,
    Record,
    Vector,
    /// A function of one parameter.
    Function,
    Any,
}

pub const KINDS: [Kind; 7] =
    [Kind::Number, Kind::Text, Kind::List, Kind::Record, Kind::Bool, Kind::Vector, Kind::Function];

/// Names of fields: few, so that records share shapes and miss fields.
pub const FIELDS: [&str; 5] = ["a", "b", "hp", "kind", "odd key"];

/// A variable in sight.
#[derive(Debug, Clone)]
pub struct Variable {
    pub name: String,
    pub kind: Kind,
    pub can_change: bool,
    /// How many blocks and how many functions it lies in.
    pub block: usize,
}

/// A function with a name, in sight.
#[derive(Debug, Clone)]
pub struct Named {
    pub name: String,
    pub required: usize,
    pub params: usize,
}

pub struct Generator<'a> {
    pub choices: Choices<'a>,
    pub variables: Vec<Variable>,
    pub functions: Vec<Named>,
    names: usize,
    pub block: usize,
    pub loops: usize,
    /// Whether a `return` may stand here.
    pub in_function: bool,
    /// Names of the errors that were caught around here.
    pub caught: Vec<String>,
    pub nesting: usize,
    /// The function that calls itself, if there is one.
    pub recursive: Option<String>,
    /// Statements that may still be made.
    pub budget: usize,
    /// Whether statements may sleep.
    pub waits: bool,
    /// Whether they may send events.
    pub emits: bool,
}

/// A program that follows from bytes.
pub fn program(bytes: &[u8]) -> Program {
    // What `run` does is no remainder of what the functions before it left.
    let (before, own) = bytes.split_at(bytes.len() / 3);
    let mut generator = Generator::new(before);
    let mut items = Vec::new();
    for _ in 0..generator.choices.below(4) {
        let kind = generator.kind();
        let value = generator.literal(kind, 1);
        let constant = generator.choices.chance(60);
        items.push(generator.declare(kind, value, constant));
    }
    for _ in 0..generator.choices.below(4) {
        let function = generator.function(2);
        items.push(Stmt::Function(function));
    }
    if generator.choices.chance(100) {
        items.push(generator.recursive());
    }
    generator.choices = Choices::new(own);
    generator.budget = 60;
    generator.in_function = true;
    generator.block += 1;
    let goes_on = generator.choices.chance(150);
    let mut body = generator.statements(16);
    if goes_on {
        body = body.into_iter().flat_map(caught).collect();
    }
    let mut shown: Vec<(bool, Expr)> = Vec::new();
    for variable in
        generator.variables.iter().rev().filter(|variable| variable.kind != Kind::Function).take(5)
    {
        shown.push((false, Expr::Name(variable.name.clone())));
    }
    body.push(Stmt::Return(Some(Expr::List(shown))));
    let params = vec![("args".to_owned(), None)];
    items.push(Stmt::Function(Rc::new(Function { name: "run".to_owned(), params, body: Body::Block(body) })));
    Program { items }
}

/// A statement whose error is printed, so that what comes after it runs too.
fn caught(statement: Stmt) -> Vec<Stmt> {
    let error = || Expr::Name("error_here".to_owned());
    let code = Expr::Field(error().into(), "code".to_owned(), false);
    let handler = vec![Stmt::Expr(Expr::Library("print", vec![code]))];
    let with = |body| Stmt::Try(vec![body], Some("error_here".to_owned()), handler);
    match statement {
        Stmt::Function(_) | Stmt::Let(_, _, true) => vec![statement],
        Stmt::Let(name, value, _) => vec![
            Stmt::Let(name.clone(), Expr::Nil, false),
            with(Stmt::Assign(Expr::Name(name), Assign::Plain, value)),
        ],
        other => vec![with(other)],
    }
}

impl<'a> Generator<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        Self {
            choices: Choices::new(bytes),
            variables: Vec::new(),
            functions: Vec::new(),
            names: 0,
            block: 0,
            loops: 0,
            in_function: false,
            caught: Vec::new(),
            nesting: 0,
            recursive: None,
            budget: 60,
            waits: false,
            emits: false,
        }
    }

    pub fn kind(&mut self) -> Kind {
        self.choices.pick(&KINDS)
    }

    pub fn fresh(&mut self, letter: char) -> String {
        self.names += 1;
        format!("{letter}{}", self.names)
    }

    /// `let name = value`; now and then the name of an outer variable, which it hides.
    pub fn declare(&mut self, kind: Kind, value: Expr, constant: bool) -> Stmt {
        let outer: Vec<String> = self
            .variables
            .iter()
            .filter(|variable| variable.block < self.block && variable.block > 0)
            .map(|variable| variable.name.clone())
            .collect();
        let hides = !outer.is_empty() && self.choices.chance(12);
        let name = if hides { outer[self.choices.below(outer.len())].clone() } else { self.fresh('v') };
        let taken =
            self.variables.iter().any(|variable| variable.block == self.block && variable.name == name);
        let name = if taken { self.fresh('v') } else { name };
        self.add(&name, kind, !constant);
        Stmt::Let(name, value, constant)
    }

    pub fn add(&mut self, name: &str, kind: Kind, can_change: bool) {
        // A name that hides another takes its place.
        self.variables.retain(|variable| variable.name != name || variable.block == 0);
        self.variables.push(Variable { name: name.to_owned(), kind, can_change, block: self.block });
    }

    /// The statements of a block, in a scope of their own.
    pub fn inner(&mut self, most: usize) -> Vec<Stmt> {
        let (variables, functions) = (self.variables.clone(), self.functions.len());
        self.block += 1;
        self.nesting += 1;
        let body = self.statements(most);
        self.nesting -= 1;
        self.block -= 1;
        self.variables = variables;
        self.functions.truncate(functions);
        body
    }

    pub fn statements(&mut self, most: usize) -> Vec<Stmt> {
        let mut body = Vec::new();
        let count = 1 + self.choices.below(most);
        for _ in 0..count {
            if self.budget == 0 || self.choices.is_spent() {
                break;
            }
            self.budget -= 1;
            if let Some(last) = self.jump() {
                body.push(last);
                break;
            }
            if self.waits && self.choices.chance(70) {
                let wait = self.wait();
                body.push(wait);
                continue;
            }
            self.statement(&mut body);
        }
        body
    }
}
