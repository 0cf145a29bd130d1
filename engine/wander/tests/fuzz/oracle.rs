//! A second opinion: a plain walker of trees, written from the language's description and not from the machine. It
//! answers what a program of the subset gives, or with which code it fails. Where the description says nothing, and
//! where the machine's limits would decide, it says so and the program is left out of the comparison.

mod expressions;
mod library;
mod methods;
mod operators;
mod values;

use std::cell::RefCell;
use std::rc::{Rc, Weak};

use super::tree::{Assign, Body, Expr, Function, Program, Stmt};
pub use values::Value;
use values::{Closure, Key};

/// Steps after which a program is too long to be compared.
const MOST_STEPS: u64 = 60_000;

/// Calls inside calls after which the machine's own limit may decide.
const MOST_CALLS: usize = 60;

/// Nesting of values that is compared, copied and handed out; beyond, the machine's limits decide.
const MOST_DEPTH: usize = 40;

/// Why a walk ended early.
#[derive(Debug, Clone)]
pub enum Stop {
    /// An error of the program: its code, and what was given to `error`.
    Fault(String),
    /// Nothing can be said about this program, for this reason.
    Unknown(&'static str),
}

pub type Outcome<T> = Result<T, Stop>;

/// What a program comes to.
#[derive(Debug, PartialEq)]
pub struct Verdict {
    /// What it returns, as JSON, or the code of the error that ends it.
    pub result: Result<serde_json::Value, String>,
    /// What it printed.
    pub output: Vec<String>,
}

/// How a statement ended.
enum Flow {
    Next,
    Break,
    Continue,
    Return(Value),
}

/// The variables of a block, in those around it.
pub struct Scope {
    names: RefCell<Vec<(String, Rc<RefCell<Value>>)>>,
    outer: Option<Rc<Scope>>,
}

impl Scope {
    fn declare(&self, name: &str, value: Value) {
        self.names.borrow_mut().push((name.to_owned(), Rc::new(RefCell::new(value))));
    }

    fn find(&self, name: &str) -> Option<Rc<RefCell<Value>>> {
        let own =
            self.names.borrow().iter().rev().find(|(own, _)| own == name).map(|(_, cell)| Rc::clone(cell));
        own.or_else(|| self.outer.as_ref()?.find(name))
    }
}

pub struct Oracle {
    output: Vec<String>,
    steps: u64,
    calls: usize,
    /// Every block's variables, so that those which closures hold in a circle are let go in the end.
    scopes: Vec<Weak<Scope>>,
}

impl Drop for Oracle {
    fn drop(&mut self) {
        for scope in self.scopes.iter().filter_map(Weak::upgrade) {
            scope.names.borrow_mut().clear();
        }
    }
}

/// What a program of a tool comes to when `run` is called with nil.
pub fn judge(program: &Program) -> Result<Verdict, &'static str> {
    let mut oracle = Oracle { output: Vec::new(), steps: 0, calls: 0, scopes: Vec::new() };
    let result = match oracle.whole(program) {
        Ok(value) => match oracle.json(&value, 0) {
            Ok(json) => Ok(json),
            Err(Stop::Fault(code)) => Err(code),
            Err(Stop::Unknown(why)) => return Err(why),
        },
        Err(Stop::Fault(code)) => Err(code),
        Err(Stop::Unknown(why)) => return Err(why),
    };
    Ok(Verdict { result, output: std::mem::take(&mut oracle.output) })
}

fn fault<T>(code: &str) -> Outcome<T> {
    Err(Stop::Fault(code.to_owned()))
}

impl Oracle {
    fn whole(&mut self, program: &Program) -> Outcome<Value> {
        let scope = self.scope(None);
        // Nothing in a file's variables is ever a function's `return`.
        self.statements(&program.items, &scope)?;
        let run = scope.find("run").map(|cell| cell.borrow().clone()).unwrap_or(Value::Nil);
        self.call(&run, &[Value::Nil], false)
    }

    fn scope(&mut self, outer: Option<Rc<Scope>>) -> Rc<Scope> {
        let scope = Rc::new(Scope { names: RefCell::default(), outer });
        self.scopes.push(Rc::downgrade(&scope));
        scope
    }

    fn step(&mut self, cost: usize) -> Outcome<()> {
        self.steps += cost as u64;
        if self.steps > MOST_STEPS { Err(Stop::Unknown("long")) } else { Ok(()) }
    }

    fn block(&mut self, body: &[Stmt], outer: &Rc<Scope>) -> Outcome<Flow> {
        let scope = self.scope(Some(Rc::clone(outer)));
        self.statements(body, &scope)
    }

    fn statements(&mut self, body: &[Stmt], scope: &Rc<Scope>) -> Outcome<Flow> {
        // Functions are there from the start of their block.
        for statement in body {
            if let Stmt::Function(function) = statement {
                scope.declare(&function.name, closure(function, scope));
            }
        }
        for statement in body {
            match self.statement(statement, scope)? {
                Flow::Next => {}
                other => return Ok(other),
            }
        }
        Ok(Flow::Next)
    }

    fn statement(&mut self, statement: &Stmt, scope: &Rc<Scope>) -> Outcome<Flow> {
        self.step(1)?;
        match statement {
            Stmt::Let(name, value, _) => {
                let value = self.expr(value, scope)?;
                scope.declare(name, value);
            }
            Stmt::Assign(place, how, value) => self.assign(place, *how, value, scope)?,
            Stmt::Expr(call) => {
                self.expr(call, scope)?;
            }
            Stmt::If(cases, last) => {
                for (condition, body) in cases {
                    if self.expr(condition, scope)?.is_true() {
                        return self.block(body, scope);
                    }
                }
                if let Some(body) = last {
                    return self.block(body, scope);
                }
            }
            Stmt::While(condition, body) => {
                while self.expr(condition, scope)?.is_true() {
                    self.step(1)?;
                    match self.block(body, scope)? {
                        Flow::Break => break,
                        Flow::Return(value) => return Ok(Flow::Return(value)),
                        Flow::Next | Flow::Continue => {}
                    }
                }
            }
            Stmt::For(names, things, body) => return self.for_each(names, things, body, scope),
            Stmt::Match(subject, cases, last) => {
                let subject = self.expr(subject, scope)?;
                for (values, body) in cases {
                    for value in values {
                        let case = self.expr(value, scope)?;
                        if self.matches(&subject, &case)? {
                            return self.block(body, scope);
                        }
                    }
                }
                if let Some(body) = last {
                    return self.block(body, scope);
                }
            }
            Stmt::Try(body, name, handler) => {
                let calls = self.calls;
                match self.block(body, scope) {
                    Err(Stop::Fault(code)) if !code.starts_with("E5") => {
                        self.calls = calls;
                        let inner = self.scope(Some(Rc::clone(scope)));
                        if let Some(name) = name {
                            let code = Value::Text(code.into());
                            inner.declare(name, Value::record(vec![(Key::Text("code".into()), code)]));
                        }
                        return self.block(handler, &inner);
                    }
                    other => return other,
                }
            }
            Stmt::Do(body) => return self.block(body, scope),
            Stmt::Function(_) => {}
            Stmt::Return(value) => {
                let value = value.as_ref().map_or(Ok(Value::Nil), |value| self.expr(value, scope))?;
                return Ok(Flow::Return(value));
            }
            Stmt::Break => return Ok(Flow::Break),
            Stmt::Continue => return Ok(Flow::Continue),
        }
        Ok(Flow::Next)
    }

    fn matches(&mut self, subject: &Value, case: &Value) -> Outcome<bool> {
        match (subject, case) {
            (Value::Number(number), Value::Range(range)) => Ok(range.contains(*number)),
            _ => self.equal(subject, case, 0),
        }
    }

    fn for_each(
        &mut self,
        names: &[String],
        things: &Expr,
        body: &[Stmt],
        scope: &Rc<Scope>,
    ) -> Outcome<Flow> {
        let things = self.expr(things, scope)?;
        let keys = match &things {
            // A snapshot: what is added meanwhile is not met.
            Value::Record(record) => record.borrow().iter().map(|(key, _)| key.clone()).collect(),
            _ => Vec::new(),
        };
        let mut turn = 0;
        loop {
            self.step(1)?;
            let at = Value::Number(turn as f64);
            let next = match &things {
                // Lists may grow and shrink meanwhile.
                Value::List(items) => items.borrow().get(turn).cloned().map(|item| (at, item)),
                Value::Record(record) => match keys.get(turn) {
                    Some(key) => match record.borrow().iter().find(|(own, _)| own == key) {
                        Some((_, value)) if names.len() > 1 => Some((key.value(), value.clone())),
                        Some(_) => Some((Value::Nil, key.value())),
                        None => return Err(Stop::Unknown("a key that went away under a loop")),
                    },
                    None => None,
                },
                Value::Text(text) => text.chars().nth(turn).map(|letter| (at, Value::text(letter))),
                Value::Range(range) => range.at(turn)?.map(|number| (at, Value::Number(number))),
                Value::Nil => return fault("E301"),
                _ => return fault("E309"),
            };
            let Some((first, second)) = next else { return Ok(Flow::Next) };
            let inner = self.scope(Some(Rc::clone(scope)));
            match names {
                [one] => inner.declare(one, second),
                [one, two] => {
                    inner.declare(one, first);
                    inner.declare(two, second);
                }
                _ => {}
            }
            match self.block(body, &inner)? {
                Flow::Break => return Ok(Flow::Next),
                Flow::Return(value) => return Ok(Flow::Return(value)),
                Flow::Next | Flow::Continue => {}
            }
            turn += 1;
        }
    }

    /// Why a field of a value that is no record cannot be set: it can only be read, or there is none.
    fn unset(&mut self, object: &Value, name: &str) -> &'static str {
        match self.field(object, name) {
            Err(Stop::Fault(code)) if code == "E216" => "E216",
            _ => "E311",
        }
    }

    fn assign(&mut self, place: &Expr, how: Assign, value: &Expr, scope: &Rc<Scope>) -> Outcome<()> {
        match place {
            Expr::Name(name) => {
                let Some(cell) = scope.find(name) else { return Err(Stop::Unknown("a name that is none")) };
                let old = cell.borrow().clone();
                if let Some(new) = self.combined(old, how, value, scope)? {
                    *cell.borrow_mut() = new;
                }
                Ok(())
            }
            Expr::Field(of, name, _) => {
                // Only variables are written through, which is all that the generator makes.
                let Expr::Name(variable) = &**of else { return Err(Stop::Unknown("a deep place")) };
                let Some(cell) = scope.find(variable) else { return Err(Stop::Unknown("no such name")) };
                let object = cell.borrow().clone();
                let old = if how == Assign::Plain { Value::Nil } else { self.field(&object, name)? };
                let Some(new) = self.combined(old, how, value, scope)? else { return Ok(()) };
                match (&object, new) {
                    (Value::Vector(parts), new) => {
                        let Some(axis) = "xyzw".find(name.as_str()).filter(|axis| *axis < parts.len()) else {
                            return fault(self.unset(&object, name));
                        };
                        let Value::Number(number) = new else { return fault("E310") };
                        let mut parts = parts.clone();
                        parts[axis] = number as f32;
                        *cell.borrow_mut() = Value::Vector(parts);
                        Ok(())
                    }
                    (Value::Record(_), new) => self.set_key(&object, Key::Text(name.as_str().into()), new),
                    (Value::Nil, _) => fault("E301"),
                    _ => fault(self.unset(&object, name)),
                }
            }
            Expr::Index(of, index, _) => {
                let object = self.expr(of, scope)?;
                let index = self.expr(index, scope)?;
                let old = if how == Assign::Plain { Value::Nil } else { self.element(&object, &index)? };
                let Some(new) = self.combined(old, how, value, scope)? else { return Ok(()) };
                match &object {
                    Value::List(items) => {
                        let at = self.place(&index, items.borrow().len())?;
                        items.borrow_mut()[at] = new;
                        Ok(())
                    }
                    Value::Record(_) => {
                        let Some(key) = Key::of(&index) else { return fault("E305") };
                        self.set_key(&object, key, new)
                    }
                    Value::Nil => fault("E301"),
                    _ => fault("E311"),
                }
            }
            _ => Err(Stop::Unknown("no place")),
        }
    }

    /// What is to be written; nothing where `??=` finds a value there.
    fn combined(
        &mut self,
        old: Value,
        how: Assign,
        value: &Expr,
        scope: &Rc<Scope>,
    ) -> Outcome<Option<Value>> {
        match how {
            Assign::Plain => self.expr(value, scope).map(Some),
            Assign::OrNil if !matches!(old, Value::Nil) => Ok(None),
            Assign::OrNil => self.expr(value, scope).map(Some),
            Assign::With(op) => {
                let value = self.expr(value, scope)?;
                self.binary(op, &old, &value).map(Some)
            }
        }
    }

    /// Calls a value. A flexible call leaves away what the function does not take.
    fn call(&mut self, callee: &Value, arguments: &[Value], flexible: bool) -> Outcome<Value> {
        self.step(2)?;
        let Value::Function(closure) = callee else {
            return fault(if matches!(callee, Value::Nil) { "E301" } else { "E308" });
        };
        let function = &closure.function;
        let given = if flexible { arguments.len().min(function.params.len()) } else { arguments.len() };
        let required = function.params.iter().filter(|(_, default)| default.is_none()).count();
        if given < required || given > function.params.len() {
            return fault("E203");
        }
        if self.calls >= MOST_CALLS {
            return Err(Stop::Unknown("deep calls"));
        }
        self.calls += 1;
        let scope = self.scope(Some(Rc::clone(&closure.scope)));
        for (index, (name, default)) in function.params.iter().enumerate() {
            let value = match (arguments.get(index).filter(|_| index < given), default) {
                (Some(value), _) => value.clone(),
                (None, Some(default)) => self.expr(default, &scope)?,
                (None, None) => Value::Nil,
            };
            scope.declare(name, value);
        }
        let result = match &function.body {
            Body::Expr(value) => self.expr(value, &scope)?,
            Body::Block(body) => match self.block(body, &scope)? {
                Flow::Return(value) => value,
                _ => Value::Nil,
            },
        };
        self.calls -= 1;
        Ok(result)
    }
}

fn closure(function: &Rc<Function>, scope: &Rc<Scope>) -> Value {
    Value::Function(Rc::new(Closure { function: Rc::clone(function), scope: Rc::clone(scope) }))
}
