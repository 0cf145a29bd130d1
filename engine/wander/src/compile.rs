//! Syntax tree to bytecode, names resolved on the way. Unknown names are errors with the nearest known ones.

mod call;
mod expr;
mod foreign;
mod function;
mod place;
mod scope;
mod stmt;

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::ast::{File, Function, ItemDecl, StmtKind};
use crate::code::{Code, Constant, Global, GlobalKind, Program, Prop};
use crate::diagnostic::Diagnostic;
use crate::environment::{Environment, Kind};
use crate::span::Span;
use function::FunctionState;

/// Free names of an expression, given from outside: its parameters.
pub type Given<'a> = &'a [&'a str];

/// Gives the module of a name, or the finding that says why not.
type Modules<'a> = &'a mut dyn FnMut(&str, Span) -> Result<Arc<Program>, Diagnostic>;

/// Compiles a parsed file. Programs with errors are not given.
pub(crate) fn compile_file(
    kind: Kind,
    path: &str,
    source: &str,
    file: &File,
    environment: &Environment,
    modules: Modules<'_>,
) -> (Option<Program>, Vec<Diagnostic>) {
    let mut compiler = Compiler::new(kind, path, source, environment);
    compiler.constant_vectors = constant_vectors(file);
    compiler.declare(file, modules);
    compiler.file(file);
    compiler.finish()
}

/// Compiles expressions of one text with the same named free variables: a function each, whose numbers come with the
/// program.
pub(crate) fn compile_expressions(
    kind: Kind,
    source: &str,
    exprs: &[crate::ast::Expr],
    given: Given<'_>,
    environment: &Environment,
) -> (Option<Program>, Vec<usize>, Vec<Diagnostic>) {
    let path = if kind == Kind::Template { "template" } else { "expression" };
    let mut compiler = Compiler::new(kind, path, source, environment);
    let functions = exprs.iter().map(|expr| compiler.expression(expr, given, path)).collect();
    let (program, diagnostics) = compiler.finish();
    (program, functions, diagnostics)
}

pub(crate) struct Compiler<'a> {
    environment: &'a Environment,
    source: &'a str,
    program: Program,
    diagnostics: Vec<Diagnostic>,
    /// Unknown names so far.
    unknown: usize,
    /// The functions being compiled, the innermost last.
    states: Vec<FunctionState>,
    /// Modules by the name they are bound to.
    aliases: BTreeMap<String, usize>,
    /// Numbers of functions at the top, known before they are compiled.
    declared: BTreeMap<String, Declared>,
    /// Names whose every declaration is a `const` with a vector or a colour.
    constant_vectors: BTreeSet<String>,
    /// Where names are declared, looked up for the first message that tells it.
    declared_lines: OnceCell<BTreeMap<String, u32>>,
    name_index: BTreeMap<String, i32>,
    constant_index: BTreeMap<ConstantKey, i32>,
}

/// A function at the top of the file.
#[derive(Clone)]
struct Declared {
    index: usize,
    params: usize,
    required: usize,
    names: Vec<String>,
}

impl<'a> Compiler<'a> {
    fn new(kind: Kind, path: &str, source: &'a str, environment: &'a Environment) -> Self {
        let program = Program {
            path: path.to_owned(),
            source: source.into(),
            lines: crate::span::Lines::new(source),
            kind,
            functions: Vec::new(),
            named: BTreeMap::new(),
            handlers: BTreeMap::new(),
            names: Vec::new(),
            sites: Vec::new(),
            layouts: Vec::new(),
            constants: Vec::new(),
            globals: Vec::new(),
            props: Vec::new(),
            modules: Vec::new(),
        };
        Self {
            environment,
            source,
            program,
            diagnostics: Vec::new(),
            unknown: 0,
            states: Vec::new(),
            aliases: BTreeMap::new(),
            declared: BTreeMap::new(),
            constant_vectors: BTreeSet::new(),
            declared_lines: OnceCell::new(),
            name_index: BTreeMap::new(),
            constant_index: BTreeMap::new(),
        }
    }

    fn finish(self) -> (Option<Program>, Vec<Diagnostic>) {
        let broken = self.diagnostics.iter().any(Diagnostic::is_error);
        ((!broken).then_some(self.program), self.diagnostics)
    }

    fn kind(&self) -> Kind {
        self.program.kind
    }

    fn error(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    /// A function that gives an expression's value.
    fn expression(&mut self, expr: &crate::ast::Expr, given: Given<'_>, name: &str) -> usize {
        let params = given
            .iter()
            .map(|name| crate::ast::Param { name: (*name).to_owned(), span: expr.span, default: None })
            .collect();
        let statement = crate::ast::Stmt { kind: StmtKind::Return(Some(expr.clone())), span: expr.span };
        let function = Function {
            name: name.to_owned(),
            name_span: expr.span,
            params,
            body: crate::ast::Block { statements: vec![statement], span: expr.span },
            is_expression: true,
            doc: String::new(),
        };
        self.function(&function)
    }

    /// Names at the top are known everywhere in the file, whatever their order.
    fn declare(&mut self, file: &File, modules: Modules<'_>) {
        // Function 0 sets the variables.
        self.program.functions.push(empty_code("(start of the file)"));
        let mut taken: BTreeSet<String> = BTreeSet::new();
        for item in &file.items {
            match item {
                ItemDecl::Use { path, name, span } => match modules(path, *span) {
                    Ok(program) => {
                        self.aliases.insert(name.clone(), self.program.modules.len());
                        self.program.modules.push(program);
                    }
                    Err(diagnostic) => {
                        self.error(diagnostic);
                        // The name stays known, so that each use of it is not one more error.
                        self.aliases.insert(name.clone(), usize::MAX);
                    }
                },
                ItemDecl::Prop { name, name_span, doc, .. } => {
                    if self.kind() != Kind::Entity {
                        self.error(
                            Diagnostic::error("E101", *name_span, "only entity scripts have props")
                                .hint("write `let` or `const` instead of `prop`"),
                        );
                    }
                    self.declare_global(name, *name_span, GlobalKind::Prop, &mut taken);
                    let global = self.program.globals.len().saturating_sub(1);
                    self.program.props.push(Prop { name: name.clone(), global, doc: doc.clone() });
                }
                ItemDecl::Statement(statement) => match &statement.kind {
                    StmtKind::Let { name, name_span, constant, .. } => {
                        let kind = if *constant { GlobalKind::Const } else { GlobalKind::Let };
                        self.declare_global(name, *name_span, kind, &mut taken);
                    }
                    StmtKind::Function(function) => self.declare_function(function, &mut taken),
                    StmtKind::Assign(target, None, _) if self.declares(target, &taken) => {
                        let name = target.span.text(self.source).to_owned();
                        self.error(
                            Diagnostic::error("E201", target.span, format!("unknown name `{name}`"))
                                .label("not declared here")
                                .hint(format!("declare it with `let {name} = …`"))
                                .fix_at(Span::new(target.span.start, target.span.start), "let "),
                        );
                        // Known from here on, so that each use of it is not one more error.
                        self.program.globals.push(Global { name, kind: GlobalKind::Let });
                    }
                    _ if self.kind() == Kind::Entity => self.error(
                        Diagnostic::error(
                            "E101",
                            statement.span,
                            "an entity script has no statements at its top",
                        )
                        .hint("put it into `on start()`"),
                    ),
                    _ => {}
                },
                ItemDecl::Handler(function) => self.check_handler(function),
            }
        }
    }

    /// Whether an assignment at the top of an entity script sets a name that nothing declares.
    fn declares(&self, target: &crate::ast::Expr, taken: &BTreeSet<String>) -> bool {
        match &target.kind {
            crate::ast::ExprKind::Name(name) => {
                self.kind() == Kind::Entity && !taken.contains(name) && self.program.global(name).is_none()
            }
            _ => false,
        }
    }

    fn declare_global(&mut self, name: &str, span: Span, kind: GlobalKind, taken: &mut BTreeSet<String>) {
        if !taken.insert(name.to_owned()) {
            self.error(
                Diagnostic::error("E202", span, format!("`{name}` is declared twice in this file"))
                    .hint("rename one of them"),
            );
        }
        self.warn_shadow(name, span);
        self.program.globals.push(Global { name: name.to_owned(), kind });
    }

    fn declare_function(&mut self, function: &Function, taken: &mut BTreeSet<String>) {
        if !taken.insert(function.name.clone()) {
            self.error(
                Diagnostic::error(
                    "E202",
                    function.name_span,
                    format!("`{}` is declared twice in this file", function.name),
                )
                .hint("rename one of them"),
            );
        }
        self.warn_shadow(&function.name, function.name_span);
        let index = self.program.functions.len();
        self.program.functions.push(empty_code(&function.name));
        self.program.named.insert(function.name.clone(), index);
        let declared = Declared {
            index,
            params: function.params.len(),
            required: function.params.iter().filter(|param| param.default.is_none()).count(),
            names: function.params.iter().map(|param| param.name.clone()).collect(),
        };
        self.declared.insert(function.name.clone(), declared);
    }

    fn check_handler(&mut self, function: &Function) {
        if self.kind() != Kind::Entity {
            self.error(
                Diagnostic::error("E101", function.name_span, "only entity scripts have handlers")
                    .hint("write `fn` instead of `on`"),
            );
        }
        let known = self.environment.handlers.iter().find(|handler| handler.name == function.name);
        if let Some(known) = known
            && function.params.len() > known.params.len()
        {
            let message = format!(
                "`on {}` is given {}, not {} values",
                function.name,
                known.params.len(),
                function.params.len()
            );
            let hint = format!("write `on {}({})`", known.name, known.params.join(", "));
            self.error(Diagnostic::error("E203", function.name_span, message).hint(hint));
        }
    }

    fn warn_shadow(&mut self, name: &str, span: Span) {
        let is_built_in =
            crate::library::find("", name).is_some() || self.environment.function("", name).is_some();
        if is_built_in {
            self.diagnostics.push(
                Diagnostic::warning(
                    "W202",
                    span,
                    format!("`{name}` hides the built-in function of that name"),
                )
                .hint("call it something else"),
            );
        }
    }

    fn file(&mut self, file: &File) {
        // The variables first, in order, as one function.
        let mut seen = BTreeSet::new();
        for item in &file.items {
            if let ItemDecl::Statement(statement) = item {
                function::names_in_stmt(statement, false, &mut seen);
            }
        }
        self.states.push(FunctionState::new("(start of the file)", seen));
        for item in &file.items {
            match item {
                ItemDecl::Prop { name, value, range, .. } => {
                    if let Some(range) = range {
                        self.check_prop_range(range);
                    }
                    self.set_global(name, value);
                }
                ItemDecl::Statement(statement) => match &statement.kind {
                    StmtKind::Let { name, value, .. } => self.set_global(name, value),
                    StmtKind::Function(_) => {}
                    _ if self.kind() == Kind::Entity => {}
                    _ => self.statement(statement),
                },
                ItemDecl::Use { .. } | ItemDecl::Handler(_) => {}
            }
        }
        let code = self.end_function(0, 0, Vec::new());
        self.put(0, code);
        for item in &file.items {
            match item {
                ItemDecl::Statement(statement) => {
                    if let StmtKind::Function(function) = &statement.kind
                        && let Some(index) = self.program.named.get(&function.name).copied()
                    {
                        let code = self.code(function, &function.name);
                        self.put(index, code);
                    }
                }
                ItemDecl::Handler(function) => {
                    let index = self.program.functions.len();
                    self.program.functions.push(empty_code(&function.name));
                    let code = self.code(function, &format!("on {}", function.name));
                    self.put(index, code);
                    if self.program.handlers.insert(function.name.clone(), index).is_some() {
                        self.error(
                            Diagnostic::error(
                                "E202",
                                function.name_span,
                                format!("`on {}` is declared twice", function.name),
                            )
                            .hint("put both bodies into one handler"),
                        );
                    }
                }
                _ => {}
            }
        }
        if self.kind() == Kind::Tool && !self.program.named.contains_key("run") {
            self.error(
                Diagnostic::error("E101", Span::default(), "a tool needs `fn run(args)`")
                    .hint("the tool's result is what `run` returns"),
            );
        }
    }

    fn check_prop_range(&mut self, range: &crate::ast::Expr) {
        use crate::ast::ExprKind;
        let is_constant = match &range.kind {
            ExprKind::Range(low, high, _) => {
                matches!((&low.kind, &high.kind), (ExprKind::Number(_), ExprKind::Number(_)))
            }
            _ => false,
        };
        if !is_constant {
            self.error(
                Diagnostic::error("E101", range.span, "a prop's range has two numbers")
                    .hint("write `in 0..20`"),
            );
        }
    }

    fn put(&mut self, index: usize, code: Code) {
        if let Some(place) = self.program.functions.get_mut(index) {
            *place = code;
        }
    }

    /// The number of a field's or method's name.
    fn name(&mut self, name: &str) -> i32 {
        if let Some(index) = self.name_index.get(name) {
            return *index;
        }
        let index = self.program.names.len() as i32;
        self.program.names.push(name.to_owned());
        self.name_index.insert(name.to_owned(), index);
        index
    }

    /// A place that reads or sets a field of this name.
    fn site(&mut self, name: &str) -> i32 {
        let name = self.name(name);
        self.program.sites.push(name as u32);
        self.program.sites.len() as i32 - 1
    }

    fn constant(&mut self, constant: Constant) -> i32 {
        // Bits, not values: -0 and 0 are equal but not the same constant.
        let key = match &constant {
            Constant::Number(number) => ConstantKey::Number(number.to_bits()),
            Constant::Text(text) => ConstantKey::Text(text.clone()),
            Constant::Color(color) => ConstantKey::Color(color.map(f32::to_bits)),
        };
        let next = self.program.constants.len() as i32;
        let index = *self.constant_index.entry(key).or_insert(next);
        if index == next {
            self.program.constants.push(constant);
        }
        index
    }
}

/// Names whose every declaration in a file is a `const` with a vector or a colour written down.
fn constant_vectors(file: &File) -> BTreeSet<String> {
    use crate::ast::{ExprKind, Stmt};
    use crate::walk::{Visit, walk_file, walk_statement};

    #[derive(Default)]
    struct Found {
        vectors: BTreeSet<String>,
        others: BTreeSet<String>,
    }

    impl<'a> Visit<'a> for Found {
        fn statement(&mut self, statement: &'a Stmt) {
            if let StmtKind::Let { name, value, constant, .. } = &statement.kind {
                let is_vector = matches!(value.kind, ExprKind::Vector(_) | ExprKind::Color(_));
                let names = if is_vector && *constant { &mut self.vectors } else { &mut self.others };
                names.insert(name.clone());
            }
            walk_statement(self, statement);
        }
    }

    let mut found = Found::default();
    walk_file(&mut found, file);
    found.vectors.difference(&found.others).cloned().collect()
}

/// What makes two constants the same.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
enum ConstantKey {
    Number(u64),
    Text(String),
    Color([u32; 4]),
}

fn empty_code(name: &str) -> Code {
    Code {
        name: name.to_owned(),
        params: 0,
        required: 0,
        param_names: Vec::new(),
        registers: 1,
        cost: 1,
        instructions: Vec::new(),
        spans: Vec::new(),
        captures: Vec::new(),
    }
}
