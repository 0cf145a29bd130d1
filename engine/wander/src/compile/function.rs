//! One function being compiled: its registers, its scopes, its instructions.

use std::collections::BTreeSet;

use super::Compiler;
use crate::ast::{Block, Expr, ExprKind, Field, Function, Item, Piece, Stmt, StmtKind};
use crate::code::{Capture, Code, Instruction, Op};
use crate::diagnostic::Diagnostic;
use crate::span::Span;

/// Registers of a function at most; its locals and the values in between.
const MOST_REGISTERS: u16 = 250;

/// A variable of a function.
#[derive(Debug, Clone)]
pub(super) struct Local {
    pub(super) name: String,
    pub(super) register: u8,
    /// It lives in a cell because an inner function sees it.
    pub(super) is_cell: bool,
    pub(super) constant: bool,
    /// Where a `let` declares it; nothing for parameters and variables of loops.
    pub(super) let_at: Option<Span>,
    /// Whether something mentions it.
    pub(super) used: bool,
}

/// A loop being compiled.
#[derive(Debug, Default)]
pub(super) struct LoopState {
    pub(super) breaks: Vec<usize>,
    pub(super) continues: Vec<usize>,
    /// Open `try`s when the loop began.
    pub(super) tries: usize,
}

/// A function being compiled.
#[derive(Debug)]
pub(super) struct FunctionState {
    pub(super) name: String,
    /// Scopes, the innermost last.
    pub(super) scopes: Vec<Vec<Local>>,
    pub(super) next: u16,
    pub(super) most: u16,
    pub(super) code: Vec<Instruction>,
    pub(super) spans: Vec<Span>,
    pub(super) captures: Vec<(String, Capture, bool)>,
    /// Names that inner functions mention: variables of these names live in cells.
    pub(super) seen_inside: BTreeSet<String>,
    pub(super) loops: Vec<LoopState>,
    pub(super) tries: usize,
}

impl FunctionState {
    pub(super) fn new(name: &str, seen_inside: BTreeSet<String>) -> Self {
        Self {
            name: name.to_owned(),
            scopes: vec![Vec::new()],
            next: 0,
            most: 1,
            code: Vec::new(),
            spans: Vec::new(),
            captures: Vec::new(),
            seen_inside,
            loops: Vec::new(),
            tries: 0,
        }
    }
}

impl Compiler<'_> {
    /// The innermost function. There always is one while code is emitted; a fresh one stands in for the impossible.
    pub(super) fn state(&mut self) -> &mut FunctionState {
        if self.states.is_empty() {
            self.states.push(FunctionState::new("", BTreeSet::new()));
        }
        let last = self.states.len() - 1;
        #[expect(clippy::indexing_slicing, reason = "the list was just made not to be empty")]
        &mut self.states[last]
    }

    pub(super) fn emit(&mut self, op: Op, a: u8, b: u8, c: u8, d: i32, span: Span) -> usize {
        let state = self.state();
        state.code.push(Instruction { op, a, b, c, d });
        state.spans.push(span);
        state.code.len() - 1
    }

    /// Puts an instruction before the last one; what jumped to that one jumps to the new one.
    pub(super) fn emit_before_last(&mut self, instruction: Instruction, span: Span) {
        let state = self.state();
        let at = state.code.len().saturating_sub(1);
        state.code.insert(at, instruction);
        state.spans.insert(at, span);
    }

    pub(super) fn here(&mut self) -> i32 {
        self.state().code.len() as i32
    }

    pub(super) fn patch(&mut self, at: usize) {
        let here = self.here();
        if let Some(instruction) = self.state().code.get_mut(at) {
            instruction.d = here;
        }
    }

    /// A register for a value in between; given back by resetting [`Self::mark`].
    pub(super) fn temporary(&mut self, span: Span) -> u8 {
        let state = self.state();
        let register = state.next;
        state.next += 1;
        state.most = state.most.max(state.next);
        if register >= MOST_REGISTERS {
            if register == MOST_REGISTERS {
                let name = state.name.clone();
                self.error(
                    Diagnostic::error("E508", span, format!("`{name}` needs too many variables at once"))
                        .hint("split it into smaller functions"),
                );
            }
            return MOST_REGISTERS as u8;
        }
        register as u8
    }

    pub(super) fn mark(&mut self) -> u16 {
        self.state().next
    }

    pub(super) fn release(&mut self, mark: u16) {
        self.state().next = mark;
    }

    /// Compiles a function and gives its number.
    pub(super) fn function(&mut self, function: &Function) -> usize {
        let name = if function.name.is_empty() { "fn" } else { &function.name };
        let code = self.code(function, name);
        self.program.functions.push(code);
        self.program.functions.len() - 1
    }

    /// Compiles a function.
    pub(super) fn code(&mut self, function: &Function, name: &str) -> Code {
        let mut seen = BTreeSet::new();
        names_in_functions(&function.body, &mut seen);
        for default in function.params.iter().filter_map(|param| param.default.as_ref()) {
            names_in_expr(default, false, &mut seen);
        }
        self.states.push(FunctionState::new(name, seen));
        for param in &function.params {
            let duplicate = self
                .state()
                .scopes
                .last()
                .is_some_and(|scope| scope.iter().any(|local| local.name == param.name));
            if duplicate {
                self.error(Diagnostic::error(
                    "E202",
                    param.span,
                    format!("two parameters are called `{}`", param.name),
                ));
            }
            let register = self.temporary(param.span);
            let is_cell = self.state().seen_inside.contains(&param.name);
            self.warn_shadow(&param.name, param.span);
            let local = Local {
                name: param.name.clone(),
                register,
                is_cell,
                constant: false,
                let_at: None,
                used: false,
            };
            if let Some(scope) = self.state().scopes.last_mut() {
                scope.push(local);
            }
        }
        for (index, param) in function.params.iter().enumerate() {
            if let Some(default) = &param.default {
                let skip = self.emit(Op::JumpIfGiven, index as u8, 0, 0, 0, param.span);
                self.expr_into(default, index as u8);
                self.patch(skip);
            }
            if self.state().seen_inside.contains(&param.name) {
                self.emit(Op::NewCell, index as u8, 0, 0, 0, param.span);
            }
        }
        self.block_statements(&function.body);
        let scope = self.state().scopes.last().cloned().unwrap_or_default();
        self.warn_unused(&scope);
        let names = function.params.iter().map(|param| param.name.clone()).collect();
        let required = function.params.iter().filter(|param| param.default.is_none()).count();
        self.end_function(function.params.len(), required, names)
    }

    /// Closes the innermost function.
    pub(super) fn end_function(&mut self, params: usize, required: usize, param_names: Vec<String>) -> Code {
        let span = self.state().spans.last().copied().unwrap_or_default();
        let register = self.temporary(span);
        self.emit(Op::Nil, register, 0, 0, 0, span);
        self.emit(Op::Return, register, 0, 0, 0, span);
        let state = self.states.pop().unwrap_or_else(|| FunctionState::new("", BTreeSet::new()));
        Code {
            name: state.name,
            params: params.min(255) as u8,
            required: required.min(255) as u8,
            param_names,
            registers: state.most.min(MOST_REGISTERS + 1) as u8,
            cost: state.code.len().min(64) as i64,
            instructions: state.code,
            spans: state.spans,
            captures: state.captures.into_iter().map(|(_, capture, _)| capture).collect(),
        }
    }
}

/// Every name that functions inside of this block mention.
fn names_in_functions(block: &Block, names: &mut BTreeSet<String>) {
    for statement in &block.statements {
        names_in_stmt(statement, false, names);
    }
}

fn names_in_block(block: &Block, inside: bool, names: &mut BTreeSet<String>) {
    for statement in &block.statements {
        names_in_stmt(statement, inside, names);
    }
}

pub(super) fn names_in_function(function: &Function, names: &mut BTreeSet<String>) {
    for default in function.params.iter().filter_map(|param| param.default.as_ref()) {
        names_in_expr(default, true, names);
    }
    names_in_block(&function.body, true, names);
}

pub(super) fn names_in_stmt(statement: &Stmt, inside: bool, names: &mut BTreeSet<String>) {
    match &statement.kind {
        StmtKind::Let { value, .. } => names_in_expr(value, inside, names),
        StmtKind::Assign(place, _, value) => {
            names_in_expr(place, inside, names);
            names_in_expr(value, inside, names);
        }
        StmtKind::Expr(expr) => names_in_expr(expr, inside, names),
        StmtKind::If(arms, otherwise) => {
            for (condition, block) in arms {
                names_in_expr(condition, inside, names);
                names_in_block(block, inside, names);
            }
            otherwise.iter().for_each(|block| names_in_block(block, inside, names));
        }
        StmtKind::While(condition, block) => {
            names_in_expr(condition, inside, names);
            names_in_block(block, inside, names);
        }
        StmtKind::For(_, things, block) => {
            names_in_expr(things, inside, names);
            names_in_block(block, inside, names);
        }
        StmtKind::Match(subject, cases, otherwise) => {
            names_in_expr(subject, inside, names);
            for (values, block) in cases {
                values.iter().for_each(|value| names_in_expr(value, inside, names));
                names_in_block(block, inside, names);
            }
            otherwise.iter().for_each(|block| names_in_block(block, inside, names));
        }
        StmtKind::Try(body, _, rescue) => {
            names_in_block(body, inside, names);
            names_in_block(rescue, inside, names);
        }
        StmtKind::Do(block) => names_in_block(block, inside, names),
        StmtKind::Function(function) => {
            // The function's own name may be mentioned by itself and by its neighbours.
            names_in_function(function, names);
            if inside {
                names.insert(function.name.clone());
            }
        }
        StmtKind::Return(value) => value.iter().for_each(|value| names_in_expr(value, inside, names)),
        StmtKind::Break | StmtKind::Continue => {}
    }
}

fn names_in_expr(expr: &Expr, inside: bool, names: &mut BTreeSet<String>) {
    match &expr.kind {
        ExprKind::Name(name) if inside => {
            names.insert(name.clone());
        }
        ExprKind::Function(function) => names_in_function(function, names),
        ExprKind::Format(pieces) => {
            for piece in pieces {
                if let Piece::Value(value, _) = piece {
                    names_in_expr(value, inside, names);
                }
            }
        }
        ExprKind::Vector(parts) => parts.iter().for_each(|part| names_in_expr(part, inside, names)),
        ExprKind::List(items) => {
            for item in items {
                match item {
                    Item::One(value) | Item::Spread(value) => names_in_expr(value, inside, names),
                }
            }
        }
        ExprKind::Record(fields) => {
            for field in fields {
                match field {
                    Field::Named(_, value) | Field::Spread(value) => names_in_expr(value, inside, names),
                    Field::Computed(key, value) => {
                        names_in_expr(key, inside, names);
                        names_in_expr(value, inside, names);
                    }
                }
            }
        }
        ExprKind::Negate(value) | ExprKind::Not(value) | ExprKind::Field(value, ..) => {
            names_in_expr(value, inside, names)
        }
        ExprKind::Binary(_, left, right)
        | ExprKind::And(left, right)
        | ExprKind::Or(left, right)
        | ExprKind::OrNil(left, right)
        | ExprKind::Range(left, right, _)
        | ExprKind::Index(left, right, _) => {
            names_in_expr(left, inside, names);
            names_in_expr(right, inside, names);
        }
        ExprKind::If(condition, yes, no) => {
            names_in_expr(condition, inside, names);
            names_in_expr(yes, inside, names);
            names_in_expr(no, inside, names);
        }
        ExprKind::Call(callee, args) => {
            names_in_expr(callee, inside, names);
            args.iter().for_each(|arg| names_in_expr(arg, inside, names));
        }
        _ => {}
    }
}
