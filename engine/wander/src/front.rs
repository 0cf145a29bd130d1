//! From source text to programs: files with the modules they use, and expressions.

use std::collections::BTreeMap;
use std::sync::Arc;

use base::Problem;

use crate::code::Program;
use crate::compile::{compile_expressions, compile_file};
use crate::diagnostic::Diagnostic;
use crate::environment::{Environment, Kind};
use crate::lint::{Events, lint};
use crate::span::{Lines, Span};

/// A file's findings.
#[derive(Debug, Clone)]
pub struct FileDiagnostics {
    /// Project-relative path.
    pub path: String,
    /// Its text.
    pub source: String,
    /// What was found, in order of place.
    pub diagnostics: Vec<Diagnostic>,
}

impl FileDiagnostics {
    /// As the engine's other problems are reported.
    pub fn problems(&self) -> impl Iterator<Item = Problem> + '_ {
        let lines = Lines::new(&self.source);
        self.diagnostics
            .iter()
            .map(move |diagnostic| diagnostic.to_problem_with(&self.path, &self.source, &lines))
    }

    /// All findings as people read them.
    pub fn render(&self) -> String {
        let lines = Lines::new(&self.source);
        let texts: Vec<String> = self
            .diagnostics
            .iter()
            .map(|finding| finding.render_with(&self.path, &self.source, &lines))
            .collect();
        texts.join("\n\n")
    }
}

/// Compiles a project's files, each module once.
pub struct Loader<'a> {
    environment: &'a Environment,
    /// The path and the text of a file or module.
    read: &'a dyn Fn(&str) -> Option<(String, String)>,
    modules: BTreeMap<String, Option<Arc<Program>>>,
    stack: Vec<String>,
    /// Events of the files without errors, by path.
    events: BTreeMap<String, Events>,
    /// The keys that tools are given, where a schema tells: any other key of `args` is warned of.
    arguments: Option<Vec<String>>,
    /// Findings of every file that was compiled.
    pub findings: Vec<FileDiagnostics>,
}

impl<'a> Loader<'a> {
    /// A loader that reads through `read`: from a path such as `scripts/hero.wander` or a module's name such as
    /// `lib/steering` to the file's path and text.
    pub fn new(environment: &'a Environment, read: &'a dyn Fn(&str) -> Option<(String, String)>) -> Self {
        Self {
            environment,
            read,
            modules: BTreeMap::new(),
            stack: Vec::new(),
            events: BTreeMap::new(),
            arguments: None,
            findings: Vec::new(),
        }
    }

    /// Tells the keys that the tools compiled from now on are given.
    pub fn set_arguments(&mut self, keys: Option<Vec<String>>) {
        self.arguments = keys;
    }

    /// Warns of handlers whose event no script raises. For whoever compiled every script of a project: where one is
    /// missing or broken, that one may raise it.
    pub fn check_events(&mut self) {
        if self.findings.iter().any(|file| file.diagnostics.iter().any(Diagnostic::is_error)) {
            return;
        }
        let project: Vec<&Events> = self.events.values().collect();
        for file in &mut self.findings {
            let Some(events) = self.events.get(&file.path) else { continue };
            let is_new = |found: &Diagnostic, known: &[Diagnostic]| !known.contains(found);
            for found in events.unheard(&project) {
                if is_new(&found, &file.diagnostics) {
                    file.diagnostics.push(found);
                }
            }
            file.diagnostics.sort_by_key(|diagnostic| diagnostic.span.start);
        }
    }

    /// Compiles a file; its findings and those of its modules are added to [`Self::findings`].
    pub fn load(&mut self, kind: Kind, path: &str) -> Option<Arc<Program>> {
        let (path, source) = (self.read)(path)?;
        self.compile(kind, &path, &source)
    }

    /// Compiles a text as the file of that path.
    pub fn compile(&mut self, kind: Kind, path: &str, source: &str) -> Option<Arc<Program>> {
        let (file, mut diagnostics) = crate::parser::parse_file(source);
        let environment = self.environment;
        self.stack.push(path.to_owned());
        let mut modules = |name: &str, span: Span| self.module(name, span);
        let (program, found) = compile_file(kind, path, source, &file, environment, &mut modules);
        self.stack.pop();
        diagnostics.extend(found);
        // What nothing uses may be used by what is broken.
        if diagnostics.iter().any(Diagnostic::is_error) {
            diagnostics.retain(|diagnostic| diagnostic.code != "W203");
        } else {
            let (warnings, events) = lint(&file, kind, source, environment, self.arguments.as_deref());
            diagnostics.extend(warnings);
            self.events.insert(path.to_owned(), events);
        }
        diagnostics.sort_by_key(|diagnostic| diagnostic.span.start);
        let broken = diagnostics.iter().any(Diagnostic::is_error);
        self.findings.push(FileDiagnostics { path: path.to_owned(), source: source.to_owned(), diagnostics });
        program.filter(|_| !broken).map(Arc::new)
    }

    fn module(&mut self, name: &str, span: Span) -> Result<Arc<Program>, Diagnostic> {
        let Some((path, source)) = (self.read)(name) else {
            return Err(Diagnostic::error("E217", span, format!("there is no module `{name}`"))
                .hint(format!("modules are files of the project: `scripts/{name}.wander`")));
        };
        if let Some(start) = self.stack.iter().position(|open| *open == path) {
            let mut cycle: Vec<&str> = self.stack.iter().skip(start).map(String::as_str).collect();
            cycle.push(&path);
            return Err(Diagnostic::error(
                "E130",
                span,
                format!("modules use each other in a circle: {}", cycle.join(" → ")),
            )
            .hint("move what both need into a third module"));
        }
        if !self.modules.contains_key(&path) {
            let program = self.compile(Kind::Module, &path, &source);
            self.modules.insert(path.clone(), program);
        }
        match self.modules.get(&path).cloned().flatten() {
            Some(program) => Ok(program),
            None => Err(Diagnostic::error("E217", span, format!("the module `{name}` does not compile"))
                .hint(format!("mend {path} first"))),
        }
    }
}

/// An expression with named free variables, compiled once and evaluated often.
#[derive(Debug, Clone)]
pub struct Expression {
    program: Arc<Program>,
}

impl Expression {
    /// Compiles; the problem of a text that is none shows its place.
    pub fn new(source: &str, given: &[&str], environment: &Environment) -> Result<Self, Problem> {
        let (expr, mut diagnostics) = crate::parser::parse_expression(source);
        let mut program = None;
        if diagnostics.is_empty() {
            let (compiled, functions, found) =
                compile_expressions(Kind::Expression, source, &[expr], given, environment);
            program = compiled.map(|mut program| {
                program.named.extend(functions.first().map(|function| ("expression".to_owned(), *function)));
                program
            });
            diagnostics.extend(found);
        }
        match (program, diagnostics.iter().find(|diagnostic| diagnostic.is_error())) {
            (Some(program), None) => Ok(Self { program: Arc::new(program) }),
            (_, Some(diagnostic)) => Err(problem_in_text(diagnostic, "expression", source)),
            (None, None) => Err(Problem::new("E101", "this is no expression")),
        }
    }

    /// The program, for [`crate::machine::Machine::run_function`] with the name `expression`.
    pub fn program(&self) -> &Arc<Program> {
        &self.program
    }
}

/// A finding in a text that is no file. The place and the line belong to the message here: there is nothing that could
/// be opened.
pub(crate) fn problem_in_text(diagnostic: &Diagnostic, name: &str, source: &str) -> Problem {
    let mut problem = diagnostic.to_problem(name, source);
    let rendered = Diagnostic { hint: None, ..diagnostic.clone() }.render(name, source);
    problem.message =
        rendered.strip_prefix(diagnostic.code).map_or(rendered.as_str(), str::trim_start).to_owned();
    problem
}
