//! Going through a syntax tree, each part once.

use crate::ast::{Block, Expr, ExprKind, Field, File, Function, Item, ItemDecl, Piece, Stmt, StmtKind};

/// What looks at a tree. Each method goes on into the parts unless it is replaced.
pub(crate) trait Visit<'a> {
    fn function(&mut self, function: &'a Function) {
        walk_function(self, function);
    }

    fn statement(&mut self, statement: &'a Stmt) {
        walk_statement(self, statement);
    }

    fn expr(&mut self, expr: &'a Expr) {
        walk_expr(self, expr);
    }

    /// What an `if` or a loop decides by.
    fn condition(&mut self, expr: &'a Expr) {
        self.expr(expr);
    }

    fn block(&mut self, block: &'a Block) {
        for statement in &block.statements {
            self.statement(statement);
        }
    }
}

/// Every item of a file.
pub(crate) fn walk_file<'a, V: Visit<'a> + ?Sized>(visitor: &mut V, file: &'a File) {
    for item in &file.items {
        match item {
            ItemDecl::Use { .. } => {}
            ItemDecl::Prop { value, range, .. } => {
                visitor.expr(value);
                range.iter().for_each(|range| visitor.expr(range));
            }
            ItemDecl::Handler(function) => visitor.function(function),
            ItemDecl::Statement(statement) => visitor.statement(statement),
        }
    }
}

pub(crate) fn walk_function<'a, V: Visit<'a> + ?Sized>(visitor: &mut V, function: &'a Function) {
    function.params.iter().filter_map(|param| param.default.as_ref()).for_each(|value| visitor.expr(value));
    visitor.block(&function.body);
}

pub(crate) fn walk_statement<'a, V: Visit<'a> + ?Sized>(visitor: &mut V, statement: &'a Stmt) {
    match &statement.kind {
        StmtKind::Let { value, .. } | StmtKind::Expr(value) => visitor.expr(value),
        StmtKind::Assign(place, _, value) => {
            visitor.expr(place);
            visitor.expr(value);
        }
        StmtKind::If(arms, otherwise) => {
            for (condition, block) in arms {
                visitor.condition(condition);
                visitor.block(block);
            }
            otherwise.iter().for_each(|block| visitor.block(block));
        }
        StmtKind::While(condition, block) => {
            visitor.condition(condition);
            visitor.block(block);
        }
        StmtKind::For(_, things, block) => {
            visitor.expr(things);
            visitor.block(block);
        }
        StmtKind::Match(subject, cases, otherwise) => {
            visitor.expr(subject);
            for (values, block) in cases {
                values.iter().for_each(|value| visitor.expr(value));
                visitor.block(block);
            }
            otherwise.iter().for_each(|block| visitor.block(block));
        }
        StmtKind::Try(body, _, rescue) => {
            visitor.block(body);
            visitor.block(rescue);
        }
        StmtKind::Do(block) => visitor.block(block),
        StmtKind::Function(function) => visitor.function(function),
        StmtKind::Return(value) => value.iter().for_each(|value| visitor.expr(value)),
        StmtKind::Break | StmtKind::Continue => {}
    }
}

pub(crate) fn walk_expr<'a, V: Visit<'a> + ?Sized>(visitor: &mut V, expr: &'a Expr) {
    match &expr.kind {
        ExprKind::Format(pieces) => {
            for piece in pieces {
                if let Piece::Value(value, _) = piece {
                    visitor.expr(value);
                }
            }
        }
        ExprKind::Vector(parts) => parts.iter().for_each(|part| visitor.expr(part)),
        ExprKind::List(items) => {
            for Item::One(value) | Item::Spread(value) in items {
                visitor.expr(value);
            }
        }
        ExprKind::Record(fields) => {
            for field in fields {
                match field {
                    Field::Named(_, value) | Field::Spread(value) => visitor.expr(value),
                    Field::Computed(key, value) => {
                        visitor.expr(key);
                        visitor.expr(value);
                    }
                }
            }
        }
        ExprKind::Function(function) => visitor.function(function),
        ExprKind::Negate(value) | ExprKind::Not(value) | ExprKind::Field(value, ..) => visitor.expr(value),
        ExprKind::Binary(_, left, right)
        | ExprKind::And(left, right)
        | ExprKind::Or(left, right)
        | ExprKind::OrNil(left, right)
        | ExprKind::Range(left, right, _)
        | ExprKind::Index(left, right, _) => {
            visitor.expr(left);
            visitor.expr(right);
        }
        ExprKind::If(condition, yes, no) => {
            visitor.condition(condition);
            visitor.expr(yes);
            visitor.expr(no);
        }
        ExprKind::Call(callee, args) => {
            visitor.expr(callee);
            args.iter().for_each(|arg| visitor.expr(arg));
        }
        _ => {}
    }
}
