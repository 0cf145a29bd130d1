//! Statements to instructions.

use super::Compiler;
use super::function::LoopState;
use crate::ast::{Block, Expr, ExprKind, Stmt, StmtKind};
use crate::code::Op;
use crate::diagnostic::Diagnostic;
use crate::span::Span;

impl Compiler<'_> {
    /// A block with a scope of its own.
    pub(super) fn block(&mut self, block: &Block) {
        let mark = self.mark();
        self.state().scopes.push(Vec::new());
        self.block_statements(block);
        self.end_scope();
        self.release(mark);
    }

    /// The statements of a block in the scope that is open. Functions are known before their line.
    pub(super) fn block_statements(&mut self, block: &Block) {
        for statement in &block.statements {
            if let StmtKind::Function(function) = &statement.kind {
                let register = self.temporary(statement.span);
                self.emit(Op::Nil, register, 0, 0, 0, statement.span);
                self.declare_local(&function.name, function.name_span, register, false);
            }
        }
        // A function that needs no variable of this block is there from its start; another one from its line on.
        let variables: Vec<&str> = block
            .statements
            .iter()
            .filter_map(|statement| match &statement.kind {
                StmtKind::Let { name, .. } => Some(name.as_str()),
                _ => None,
            })
            .collect();
        let mut early = Vec::new();
        for (index, statement) in block.statements.iter().enumerate() {
            if let StmtKind::Function(function) = &statement.kind {
                let mut names = std::collections::BTreeSet::new();
                super::function::names_in_function(function, &mut names);
                let own = |name: &str| function.params.iter().any(|param| param.name == name);
                if !variables.iter().any(|name| names.contains(*name) && !own(name)) {
                    self.statement(statement);
                    early.push(index);
                }
            }
        }
        let mut ended: Option<Span> = None;
        for (index, statement) in block.statements.iter().enumerate() {
            if early.contains(&index) {
                continue;
            }
            if ended.is_some() {
                self.diagnostics.push(
                    Diagnostic::warning("W204", statement.span, "this is never reached")
                        .hint("take it out, or what ends the block before it"),
                );
                ended = None;
            }
            self.statement(statement);
            if matches!(statement.kind, StmtKind::Return(_) | StmtKind::Break | StmtKind::Continue) {
                ended = Some(statement.span);
            }
        }
    }

    pub(super) fn statement(&mut self, statement: &Stmt) {
        let span = statement.span;
        match &statement.kind {
            StmtKind::Let { name, name_span, value, constant } => {
                let register = self.temporary(*name_span);
                self.expr_into(value, register);
                self.release(u16::from(register) + 1);
                self.declare_local(name, *name_span, register, *constant);
                if let Some(local) = self.state().scopes.last_mut().and_then(|scope| scope.last_mut()) {
                    local.let_at = Some(*name_span);
                }
            }
            StmtKind::Assign(target, op, value) => self.assign(target, *op, value, span),
            StmtKind::Expr(expr) => {
                let mark = self.mark();
                let register = self.temporary(span);
                self.expr_into(expr, register);
                self.release(mark);
            }
            StmtKind::If(arms, otherwise) => self.if_statement(arms, otherwise.as_ref(), span),
            StmtKind::While(condition, body) => {
                let start = self.here();
                let exits = self.jump_unless(condition);
                self.begin_loop();
                self.block(body);
                self.end_turn();
                self.emit(Op::Loop, 0, 0, 0, start, span);
                self.patch_all(&exits);
                self.end_breaks();
            }
            StmtKind::For(names, things, body) => self.for_statement(names, things, body, span),
            StmtKind::Match(subject, cases, otherwise) => {
                self.match_statement(subject, cases, otherwise.as_ref(), span);
            }
            StmtKind::Try(body, name, rescue) => self.try_statement(body, name.as_ref(), rescue, span),
            StmtKind::Do(body) => self.block(body),
            StmtKind::Function(function) => {
                let index = self.function(function);
                let mark = self.mark();
                let register = self.temporary(span);
                self.emit(Op::Closure, register, 0, 0, index as i32, span);
                if let Some(super::scope::Meaning::Local { register: own, is_cell, .. }) =
                    self.find(&function.name)
                {
                    let op = if is_cell { Op::SetCell } else { Op::Move };
                    self.emit(op, own, register, 0, 0, span);
                }
                self.release(mark);
            }
            StmtKind::Return(value) => {
                if self.states.len() == 1 && self.kind().has_start() && self.is_top() {
                    self.error(
                        Diagnostic::error("E120", span, "`return` outside of a function")
                            .hint("put the code into a function"),
                    );
                }
                let mark = self.mark();
                let register = match value {
                    Some(value) => self.operand(value),
                    None => {
                        let register = self.temporary(span);
                        self.emit(Op::Nil, register, 0, 0, 0, span);
                        register
                    }
                };
                self.emit(Op::Return, register, 0, 0, 0, span);
                self.release(mark);
            }
            StmtKind::Break => self.leave(true, span),
            StmtKind::Continue => self.leave(false, span),
        }
    }

    pub(super) fn is_top(&mut self) -> bool {
        self.state().name.starts_with('(')
    }

    fn if_statement(&mut self, arms: &[(Expr, Block)], otherwise: Option<&Block>, span: Span) {
        let mut done = Vec::new();
        for (index, (condition, block)) in arms.iter().enumerate() {
            let skip = self.jump_unless(condition);
            self.block(block);
            if otherwise.is_some() || index + 1 < arms.len() {
                done.push(self.emit(Op::Jump, 0, 0, 0, 0, span));
            }
            self.patch_all(&skip);
        }
        if let Some(block) = otherwise {
            self.block(block);
        }
        self.patch_all(&done);
    }

    fn begin_loop(&mut self) {
        let state = self.state();
        let tries = state.tries;
        state.loops.push(LoopState { tries, ..LoopState::default() });
    }

    /// Ends a loop's body: `continue` lands here.
    fn end_turn(&mut self) {
        let continues = self.state().loops.last().map(|state| state.continues.clone()).unwrap_or_default();
        self.patch_all(&continues);
    }

    fn end_breaks(&mut self) {
        let breaks = self.state().loops.pop().map(|state| state.breaks).unwrap_or_default();
        self.patch_all(&breaks);
    }

    fn leave(&mut self, is_break: bool, span: Span) {
        let tries = self.state().tries;
        let Some(outer) = self.state().loops.last().map(|state| state.tries) else {
            let word = if is_break { "break" } else { "continue" };
            self.error(
                Diagnostic::error("E205", span, format!("`{word}` outside of a loop"))
                    .hint("`return` leaves a function"),
            );
            return;
        };
        for _ in outer..tries {
            self.emit(Op::EndTry, 0, 0, 0, 0, span);
        }
        let jump = self.emit(Op::Jump, 0, 0, 0, 0, span);
        if let Some(state) = self.state().loops.last_mut() {
            if is_break { state.breaks.push(jump) } else { state.continues.push(jump) }
        }
    }

    fn for_statement(&mut self, names: &[(String, Span)], things: &Expr, body: &Block, span: Span) {
        let mark = self.mark();
        if let ([(name, name_span)], ExprKind::Range(start, end, inclusive)) = (names, &things.kind) {
            // A range that is written down needs no object: two numbers and a counter.
            let counter = self.temporary(span);
            let limit = self.temporary(span);
            let variable = self.temporary(span);
            self.expr_into(start, counter);
            self.expr_into(end, limit);
            let enter = self.emit(Op::Jump, 0, 0, 0, 0, span);
            let top = self.here();
            self.loop_body(&[(name.clone(), *name_span, variable)], body);
            self.patch(enter);
            self.emit(Op::ForNumber, counter, u8::from(*inclusive), 0, top, things.span);
        } else {
            let source = self.temporary(span);
            let _index = self.temporary(span);
            let _record = self.temporary(span);
            let first = self.temporary(span);
            let second = self.temporary(span);
            self.expr_into(things, source);
            self.emit(Op::ForPrepare, source, 0, 0, 0, things.span);
            let enter = self.emit(Op::Jump, 0, 0, 0, 0, span);
            let top = self.here();
            let variables: Vec<(String, Span, u8)> = names
                .iter()
                .zip([first, second])
                .map(|((name, span), register)| (name.clone(), *span, register))
                .collect();
            self.loop_body(&variables, body);
            self.patch(enter);
            self.emit(Op::ForNext, source, names.len() as u8, 0, top, things.span);
        }
        self.end_breaks();
        self.release(mark);
    }

    /// The body of a `for`; what decides about the next turn follows.
    fn loop_body(&mut self, variables: &[(String, Span, u8)], body: &Block) {
        self.begin_loop();
        self.state().scopes.push(Vec::new());
        let mark = self.mark();
        for (name, name_span, register) in variables {
            self.declare_local(name, *name_span, *register, false);
        }
        self.block_statements(body);
        self.release(mark);
        self.end_scope();
        self.end_turn();
    }

    fn match_statement(
        &mut self,
        subject: &Expr,
        cases: &[(Vec<Expr>, Block)],
        otherwise: Option<&Block>,
        span: Span,
    ) {
        let mark = self.mark();
        let value = self.temporary(subject.span);
        self.expr_into(subject, value);
        let mut done = Vec::new();
        for (constants, block) in cases {
            let mut hits = Vec::new();
            for constant in constants {
                let inner = self.mark();
                self.check_case(constant);
                let case = self.operand(constant);
                let test = self.temporary(constant.span);
                self.emit(Op::Matches, test, value, case, 0, constant.span);
                hits.push(self.emit(Op::JumpIf, test, 0, 0, 0, constant.span));
                self.release(inner);
            }
            let miss = self.emit(Op::Jump, 0, 0, 0, 0, span);
            self.patch_all(&hits);
            self.block(block);
            done.push(self.emit(Op::Jump, 0, 0, 0, 0, span));
            self.patch(miss);
        }
        if let Some(block) = otherwise {
            self.block(block);
        }
        self.patch_all(&done);
        self.release(mark);
    }

    /// A case is a constant: a variable's name there is most likely meant to be bound, as elsewhere.
    fn check_case(&mut self, case: &Expr) {
        use super::scope::Meaning;
        let ExprKind::Name(name) = &case.kind else { return };
        let is_variable = match self.find(name) {
            Some(Meaning::Local { constant, .. } | Meaning::Capture { constant, .. }) => !constant,
            Some(Meaning::Global { kind, .. }) => kind != crate::code::GlobalKind::Const,
            _ => false,
        };
        if is_variable {
            self.error(
                Diagnostic::error(
                    "E101",
                    case.span,
                    format!("a case is a constant, and `{name}` is a variable"),
                )
                .hint("make it a `const`, or write `if` and `elif`"),
            );
        }
    }

    fn try_statement(&mut self, body: &Block, name: Option<&(String, Span)>, rescue: &Block, span: Span) {
        let mark = self.mark();
        let error = self.temporary(span);
        let start = self.emit(Op::Try, error, 0, 0, 0, span);
        self.state().tries += 1;
        self.block(body);
        self.state().tries -= 1;
        self.emit(Op::EndTry, 0, 0, 0, 0, span);
        let done = self.emit(Op::Jump, 0, 0, 0, 0, span);
        self.patch(start);
        self.state().scopes.push(Vec::new());
        if let Some((name, name_span)) = name {
            self.declare_local(name, *name_span, error, false);
        }
        self.block_statements(rescue);
        self.end_scope();
        self.patch(done);
        self.release(mark);
    }
}
