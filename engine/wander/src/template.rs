//! Templates: JSON whose strings may hold `{{expr}}`, compiled once and filled in often. A string that is nothing but
//! one expression becomes its value with its type; expressions among other text become text.

mod looking;
mod path;

use std::sync::{Arc, OnceLock};

use base::Problem;
use serde_json::{Map, Value as Json};

use crate::ast::Expr;
use crate::code::Program;
use crate::diagnostic::Diagnostic;
use crate::environment::{Acts, Environment, Kind};
use crate::fault::{Fault, Outcome, Trace};
use crate::host::Host;
use crate::machine::Machine;
use crate::parser::{MOST_SOURCE, parse_to_braces};
use crate::span::Span;
use crate::value::Value;
use looking::Looking;
use path::Path;

/// Deepest nesting of a template: as deep as values that cross the boundary.
const MOST_DEPTH: usize = 200;

/// A compiled template.
#[derive(Debug, Clone)]
pub struct Template {
    root: Node,
    given: usize,
}

/// A value of the template.
#[derive(Debug, Clone)]
enum Node {
    /// Nothing in it is computed.
    Fixed(Json),
    Text(Text),
    List(Vec<Node>),
    Object(Vec<(String, Node)>),
}

/// A string with expressions in it.
#[derive(Debug, Clone)]
struct Text {
    source: Arc<str>,
    given: Arc<[String]>,
    pieces: Vec<Piece>,
    /// Where the string stands in the template, such as `args.tags[0]`; empty where it is all of it.
    path: String,
    /// Its expressions as a program; made when first needed where all of them are paths.
    compiled: OnceLock<Compiled>,
}

#[derive(Debug, Clone)]
enum Piece {
    Plain(String),
    /// An expression: which one, where it stands, and its shortcut if it is a path.
    Value(usize, Span, Option<Path>),
}

/// The expressions of a string, a function each.
#[derive(Debug, Clone)]
struct Compiled {
    program: Arc<Program>,
    functions: Vec<usize>,
    /// Whether a method is called by a name under which an entity has one that changes the world: only what it is
    /// called on decides.
    may_act: bool,
}

impl Template {
    /// Compiles a template whose expressions know the names `given`. Keys of objects are left as they are. Every
    /// expression that is wrong is told, with the path to its string and the place in it.
    pub fn new(template: &Json, given: &[&str], environment: &Environment) -> Result<Self, Vec<Problem>> {
        let names = given.iter().map(|name| (*name).to_owned()).collect();
        let mut compiler = Compiler { given: names, environment, path: Vec::new(), problems: Vec::new() };
        let root = compiler.node(template);
        if compiler.problems.is_empty() {
            Ok(Self { root, given: given.len() })
        } else {
            Err(compiler.problems)
        }
    }

    /// Whether there is nothing to compute in it.
    pub fn is_fixed(&self) -> bool {
        matches!(self.root, Node::Fixed(_))
    }

    /// Fills it in. `values` are those of the names it was compiled with, in the same order. `fuel` is what all its
    /// expressions together may use and afterwards what is left.
    pub fn fill(
        &self,
        values: &[Value],
        machine: &mut Machine,
        host: &mut dyn Host,
        fuel: &mut i64,
    ) -> Result<Json, Problem> {
        debug_assert_eq!(values.len(), self.given, "a value for each name");
        fill(&self.root, &mut Filling { values, machine, host, fuel }).map_err(|problem| *problem)
    }
}

/// What compiling goes along with.
struct Compiler<'a> {
    given: Arc<[String]>,
    environment: &'a Environment,
    path: Vec<Step>,
    problems: Vec<Problem>,
}

enum Step {
    Key(String),
    Index(usize),
}

impl Compiler<'_> {
    fn node(&mut self, template: &Json) -> Node {
        match template {
            Json::String(text) if text.contains("{{") => self.text(text),
            Json::Array(_) | Json::Object(_) if self.path.len() >= MOST_DEPTH => {
                let message = format!("a template nested deeper than {MOST_DEPTH} levels is not taken");
                self.problems.push(Problem::new("E506", message).path(self.path()));
                Node::Fixed(Json::Null)
            }
            Json::Array(items) => {
                let nodes: Vec<Node> = items
                    .iter()
                    .enumerate()
                    .map(|(index, item)| self.inside(Step::Index(index), item))
                    .collect();
                let is_fixed = nodes.iter().all(|node| matches!(node, Node::Fixed(_)));
                if is_fixed { Node::Fixed(template.clone()) } else { Node::List(nodes) }
            }
            Json::Object(fields) => {
                let nodes: Vec<(String, Node)> = fields
                    .iter()
                    .map(|(key, value)| (key.clone(), self.inside(Step::Key(key.clone()), value)))
                    .collect();
                let is_fixed = nodes.iter().all(|(_, node)| matches!(node, Node::Fixed(_)));
                if is_fixed { Node::Fixed(template.clone()) } else { Node::Object(nodes) }
            }
            fixed => Node::Fixed(fixed.clone()),
        }
    }

    fn inside(&mut self, step: Step, template: &Json) -> Node {
        self.path.push(step);
        let node = self.node(template);
        self.path.pop();
        node
    }

    fn path(&self) -> String {
        let mut path = String::new();
        for step in &self.path {
            match step {
                Step::Index(index) => path.push_str(&format!("[{index}]")),
                Step::Key(key) if path.is_empty() => path.push_str(key),
                Step::Key(key) => {
                    path.push('.');
                    path.push_str(key);
                }
            }
        }
        path
    }

    fn text(&mut self, source: &str) -> Node {
        let broken = Node::Fixed(Json::Null);
        if source.len() > MOST_SOURCE {
            let message = format!("the text has {} bytes, at most {MOST_SOURCE} are read", source.len());
            self.problems.push(Problem::new("E508", message).path(self.path()));
            return broken;
        }
        let (pieces, exprs, mut diagnostics) = cut(source, &self.given);
        let compiled = OnceLock::new();
        let are_paths = pieces.iter().all(|piece| !matches!(piece, Piece::Value(_, _, None)));
        if diagnostics.is_empty() && !are_paths {
            match compile(source, &exprs, &self.given, self.environment) {
                Ok(made) => drop(compiled.set(made)),
                Err(found) => diagnostics = found,
            }
        }
        if diagnostics.is_empty() {
            let (source, given) = (source.into(), Arc::clone(&self.given));
            return Node::Text(Text { source, given, pieces, path: self.path(), compiled });
        }
        for diagnostic in diagnostics.iter().filter(|diagnostic| diagnostic.is_error()) {
            let mut problem = crate::front::problem_in_text(diagnostic, "template", source);
            problem.place.file = None;
            problem.place.path = Some(self.path()).filter(|path| !path.is_empty());
            self.problems.push(problem);
        }
        broken
    }
}

fn compile(
    source: &str,
    exprs: &[Expr],
    given: &[String],
    environment: &Environment,
) -> Result<Compiled, Vec<Diagnostic>> {
    let given: Vec<&str> = given.iter().map(String::as_str).collect();
    let (program, functions, found) =
        crate::compile::compile_expressions(Kind::Template, source, exprs, &given, environment);
    let Some(program) = program else { return Err(found) };
    let may_act = program
        .names
        .iter()
        .any(|name| environment.method(name).is_some_and(|(_, method)| method.acts != Acts::Reads));
    Ok(Compiled { program: Arc::new(program), functions, may_act })
}

/// A string cut into text and expressions.
fn cut(source: &str, given: &[String]) -> (Vec<Piece>, Vec<Expr>, Vec<Diagnostic>) {
    let (mut pieces, mut exprs, mut diagnostics) = (Vec::new(), Vec::new(), Vec::new());
    let mut at = 0;
    while let Some(open) = source.get(at..).and_then(|rest| rest.find("{{")) {
        let plain = source.get(at..at + open).unwrap_or_default();
        if !plain.is_empty() {
            pieces.push(Piece::Plain(plain.to_owned()));
        }
        let from = at + open + 2;
        let (expr, found, close) = parse_to_braces(source, from);
        diagnostics.extend(found);
        let Some(close) = close else { return (pieces, exprs, diagnostics) };
        let path = Path::of(&expr, given);
        pieces.push(Piece::Value(exprs.len(), Span::new(from as u32, close as u32), path));
        exprs.push(expr);
        at = close + 2;
    }
    let rest = source.get(at..).unwrap_or_default();
    if !rest.is_empty() {
        pieces.push(Piece::Plain(rest.to_owned()));
    }
    (pieces, exprs, diagnostics)
}

/// What filling in goes along with.
struct Filling<'a> {
    values: &'a [Value],
    machine: &'a mut Machine,
    host: &'a mut dyn Host,
    fuel: &'a mut i64,
}

/// Problems are large, and each value on the way would make room for one: here they are boxed.
fn fill(node: &Node, with: &mut Filling<'_>) -> Result<Json, Box<Problem>> {
    Ok(match node {
        Node::Fixed(json) => json.clone(),
        Node::Text(text) => text.fill(with).map_err(|(fault, span)| Box::new(text.problem(&fault, span)))?,
        Node::List(nodes) => {
            Json::Array(nodes.iter().map(|node| fill(node, with)).collect::<Result<_, _>>()?)
        }
        Node::Object(nodes) => {
            let mut fields = Map::new();
            for (key, node) in nodes {
                fields.insert(key.clone(), fill(node, with)?);
            }
            Json::Object(fields)
        }
    })
}

impl Text {
    /// The string filled in; a fault comes with the place of its expression.
    fn fill(&self, with: &mut Filling<'_>) -> Result<Json, (Box<Fault>, Span)> {
        if let [Piece::Value(number, span, path)] = self.pieces.as_slice() {
            return self
                .value(*number, path.as_ref(), with)
                .and_then(|value| crate::boundary::to_json(&with.machine.heap, value))
                .map_err(|fault| (fault, *span));
        }
        let mut out = String::new();
        for piece in &self.pieces {
            match piece {
                Piece::Plain(plain) => out.push_str(plain),
                Piece::Value(number, span, path) => {
                    let value = self.value(*number, path.as_ref(), with).map_err(|fault| (fault, *span))?;
                    if value.is_nil() {
                        return Err((self.nil(*span), *span));
                    }
                    out.push_str(&with.machine.text_of(value, &*with.host));
                }
            }
        }
        Ok(Json::String(out))
    }

    /// The value of an expression. It lives until the machine runs anything else.
    fn value(&self, number: usize, path: Option<&Path>, with: &mut Filling<'_>) -> Outcome<Value> {
        if let Some(path) = path
            && let Some(value) = path.follow(with.values, &with.machine.heap)
            && *with.fuel >= path.cost()
        {
            *with.fuel -= path.cost();
            return Ok(value);
        }
        let environment = with.machine.shared_environment();
        let compiled = self.compiled(&environment)?;
        let function = compiled.functions.get(number).copied().unwrap_or(usize::MAX);
        let instance = with.machine.instance_without_entity(&compiled.program, with.host, with.fuel)?;
        if !compiled.may_act {
            return with.machine.call_with(instance, function, with.values, with.host, with.fuel);
        }
        let mut host = Looking::new(with.host, &environment);
        with.machine.call_with(instance, function, with.values, &mut host, with.fuel)
    }

    /// Its program. Only paths were not compiled with the template, and those always compile.
    fn compiled(&self, environment: &Environment) -> Outcome<&Compiled> {
        if let Some(compiled) = self.compiled.get() {
            return Ok(compiled);
        }
        let (_, exprs, _) = cut(&self.source, &self.given);
        let made = compile(&self.source, &exprs, &self.given, environment)
            .map_err(|_| Fault::new("E101", "the template is no expression"))?;
        Ok(self.compiled.get_or_init(|| made))
    }

    fn nil(&self, span: Span) -> Box<Fault> {
        let expr = self.expr(span);
        Fault::new("E330", format!("`{{{{{expr}}}}}` is nil, and nil cannot stand in text"))
            .hint(format!("give a default: `{{{{{expr} ?? \"…\"}}}}`"))
    }

    fn expr(&self, span: Span) -> &str {
        span.text(&self.source).trim()
    }

    /// A fault with the expression it happened in and its place in the string.
    fn problem(&self, fault: &Fault, span: Span) -> Problem {
        let (line, column) = span.line_column(&self.source);
        let own = |at: &&Trace| at.file == "template";
        let (line, column) = fault.trace.iter().find(own).map_or((line, column), |at| (at.line, at.column));
        let mut problem = fault.to_problem();
        problem.place.file = None;
        problem.place.path = Some(self.path.clone()).filter(|path| !path.is_empty());
        if fault.code != "E330" {
            problem.message = format!("`{{{{{}}}}}`: {}", self.expr(span), problem.message);
        }
        problem.at(line, column)
    }
}

#[cfg(test)]
mod tests;
