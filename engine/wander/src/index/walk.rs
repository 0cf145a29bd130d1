//! Goes through a syntax tree with the scopes that the compiler has: a variable is seen from behind its declaration on, a
//! function in its whole block, what stands at the top in the whole file.

use std::collections::BTreeMap;

use super::{Definition, DefinitionKind, EventUse, Index, Member, Reference, Scope, Shape, Target};
use crate::ast::{
    AssignOp, BinaryOp, Block, Expr, ExprKind, Field, File, Function, Item, ItemDecl, Piece, Stmt, StmtKind,
};
use crate::lexer::lex;
use crate::parser::{MOST_SOURCE, parse_file};
use crate::span::Span;
use crate::token::{Sign, Spanned, Token, Word};

/// Links of a chain that a shape remembers; what is longer says nothing.
const MOST_LINKS: u32 = 6;

pub(super) fn index(source: &str) -> Index {
    let (file, diagnostics) = parse_file(source);
    let mut walker = Walker::new(source);
    walker.index.diagnostics = diagnostics;
    walker.file(&file);
    walker.index
}

struct Walker<'a> {
    source: &'a str,
    index: Index,
    tokens: Vec<Spanned>,
    /// Doc comments by their line, from 0.
    docs: BTreeMap<usize, String>,
    /// First bytes of the lines.
    lines: Vec<u32>,
    /// The open scope.
    scope: usize,
}

impl<'a> Walker<'a> {
    fn new(source: &'a str) -> Self {
        let mut index = Index::default();
        let whole = Span::new(0, u32::try_from(source.len()).unwrap_or(u32::MAX));
        index.scopes.push(Scope { span: whole, parent: None, definitions: Vec::new() });
        let (mut tokens, mut docs) = (Vec::new(), BTreeMap::new());
        if source.len() <= MOST_SOURCE {
            let lexed = lex(source, 0);
            tokens = lexed.tokens;
            docs =
                lexed.docs.into_iter().map(|doc| (doc.line.saturating_sub(1) as usize, doc.text)).collect();
        }
        let breaks = source.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        let lines = std::iter::once(0).chain(breaks.map(|(at, _)| at as u32 + 1)).collect();
        Self { source, index, tokens, docs, lines, scope: 0 }
    }

    fn line_of(&self, offset: u32) -> usize {
        self.lines.partition_point(|start| *start <= offset).saturating_sub(1)
    }

    /// The doc comment on the line of this byte, or those right above it.
    fn doc(&self, offset: u32) -> String {
        let line = self.line_of(offset);
        if let Some(own) = self.docs.get(&line) {
            return own.clone();
        }
        let mut above: Vec<&str> = Vec::new();
        for line in (0..line).rev() {
            // A doc comment behind code belongs to that code.
            let alone = |start: &u32| {
                self.source.get(*start as usize..).is_some_and(|rest| rest.trim_start().starts_with("---"))
            };
            match self.docs.get(&line) {
                Some(text) if self.lines.get(line).is_some_and(alone) => above.push(text),
                _ => break,
            }
        }
        above.reverse();
        above.join("\n")
    }

    /// The position of the token that starts at or behind this byte.
    fn token_from(&self, offset: u32) -> usize {
        self.tokens.partition_point(|token| token.span.start < offset)
    }

    /// The start of the token before this byte: of the word that a declaration begins with.
    fn word_before(&self, offset: u32) -> u32 {
        let before = self.token_from(offset).checked_sub(1).and_then(|at| self.tokens.get(at));
        before.map_or(offset, |token| token.span.start)
    }

    /// The block's last byte, or that of the `end` behind it.
    fn past_end(&self, block: &Block) -> u32 {
        let closes = |token: &&Spanned| token.token == Token::Word(Word::End);
        let end = self.tokens.get(self.token_from(block.span.end)).filter(closes);
        end.map_or(block.span.end, |token| token.span.end)
    }

    fn define(&mut self, kind: DefinitionKind, name: &str, span: Span, whole: Span) -> usize {
        self.index.definitions.push(Definition {
            name: name.to_owned(),
            kind,
            span,
            whole,
            doc: String::new(),
            is_top: self.scope == 0,
            owner: None,
            parameters: Vec::new(),
            has_default: false,
            path: None,
            shape: Shape::Unknown,
        });
        self.index.definitions.len() - 1
    }

    fn show(&mut self, definition: usize, from: u32) {
        if let Some(scope) = self.index.scopes.get_mut(self.scope) {
            scope.definitions.push((definition, from));
        }
    }

    fn set(&mut self, definition: usize, change: impl FnOnce(&mut Definition)) {
        if let Some(definition) = self.index.definitions.get_mut(definition) {
            change(definition);
        }
    }

    fn inside(&mut self, span: Span, inner: impl FnOnce(&mut Self)) {
        let outer = self.scope;
        self.index.scopes.push(Scope { span, parent: Some(outer), definitions: Vec::new() });
        self.scope = self.index.scopes.len() - 1;
        inner(self);
        self.scope = outer;
    }

    /// Names at the top are known everywhere in the file.
    fn file(&mut self, file: &File) {
        let mut numbers = Vec::new();
        for item in &file.items {
            numbers.push(self.declare(item));
        }
        for (item, number) in file.items.iter().zip(numbers) {
            self.item(item, number);
        }
    }

    fn declare(&mut self, item: &ItemDecl) -> Option<usize> {
        let number = match item {
            ItemDecl::Use { path, name, span } => self.module(path, name, *span),
            ItemDecl::Prop { name, name_span, value, range, .. } => {
                let last = range.as_ref().map_or(value.span, |range| range.span);
                let whole = Span::new(self.word_before(name_span.start), last.end);
                let number = self.define(DefinitionKind::Prop, name, *name_span, whole);
                let doc = self.doc(whole.start);
                self.set(number, |prop| prop.doc = doc);
                number
            }
            ItemDecl::Handler(function) => {
                let start = self.word_before(function.name_span.start);
                return Some(self.declare_function(DefinitionKind::Handler, function, start));
            }
            ItemDecl::Statement(Stmt { kind: StmtKind::Let { name, name_span, constant, .. }, span }) => {
                self.declare_variable(name, *name_span, *constant, *span)
            }
            ItemDecl::Statement(Stmt { kind: StmtKind::Function(function), span }) => {
                self.declare_function(DefinitionKind::Function, function, span.start)
            }
            ItemDecl::Statement(_) => {
                self.index.has_statements = true;
                return None;
            }
        };
        self.show(number, 0);
        Some(number)
    }

    fn module(&mut self, path: &str, name: &str, span: Span) -> usize {
        let inside = self.tokens.get(self.token_from(span.start)..).unwrap_or_default();
        let inside = inside.iter().take_while(|token| token.span.start < span.end);
        let (mut path_span, mut name_span) = (span, None);
        for token in inside {
            match &token.token {
                Token::Text(_) => path_span = token.span,
                Token::Name(word) if word == name && token.span.end == span.end => {
                    name_span = Some(token.span)
                }
                _ => {}
            }
        }
        let number = self.define(DefinitionKind::Module, name, name_span.unwrap_or(path_span), span);
        let path = path.to_owned();
        self.set(number, |module| module.path = Some((path, path_span)));
        number
    }

    fn declare_variable(&mut self, name: &str, name_span: Span, constant: bool, whole: Span) -> usize {
        let kind = if constant { DefinitionKind::Const } else { DefinitionKind::Let };
        let number = self.define(kind, name, name_span, whole);
        let doc = self.doc(whole.start);
        self.set(number, |variable| variable.doc = doc);
        number
    }

    fn declare_function(&mut self, kind: DefinitionKind, function: &Function, start: u32) -> usize {
        let end = if function.is_expression { function.body.span.end } else { self.past_end(&function.body) };
        let number = self.define(kind, &function.name, function.name_span, Span::new(start, end));
        let doc = self.doc(start);
        self.set(number, |known| {
            known.doc = doc;
            known.shape = Shape::Function;
        });
        number
    }

    fn item(&mut self, item: &ItemDecl, number: Option<usize>) {
        match item {
            ItemDecl::Use { .. } => {}
            ItemDecl::Prop { value, range, .. } => {
                self.value_of(number, value);
                range.iter().for_each(|range| self.expr(range));
            }
            ItemDecl::Handler(function) => self.function(function, number),
            ItemDecl::Statement(statement) => match &statement.kind {
                StmtKind::Let { value, .. } => self.value_of(number, value),
                StmtKind::Function(function) => self.function(function, number),
                _ => self.statement(statement),
            },
        }
    }

    fn value_of(&mut self, number: Option<usize>, value: &Expr) {
        self.expr(value);
        let shape = self.shape(value, 0);
        if let Some(number) = number {
            self.set(number, |known| known.shape = shape);
        }
    }

    /// Parameters are seen in each other's defaults and in the body, whose variables share their scope.
    fn function(&mut self, function: &Function, number: Option<usize>) {
        let span = Span::new(function.name_span.start, function.body.span.end);
        self.inside(span, |walker| {
            let mut parameters = Vec::new();
            for param in &function.params {
                let whole = param.default.as_ref().map_or(param.span, |default| param.span.to(default.span));
                let parameter = walker.define(DefinitionKind::Parameter, &param.name, param.span, whole);
                walker.set(parameter, |known| {
                    known.owner = number;
                    known.has_default = param.default.is_some();
                });
                walker.show(parameter, span.start);
                parameters.push(parameter);
            }
            for (param, parameter) in function.params.iter().zip(&parameters) {
                if let Some(default) = &param.default {
                    walker.value_of(Some(*parameter), default);
                }
            }
            if let Some(number) = number {
                walker.set(number, |known| known.parameters = parameters);
            }
            walker.statements(&function.body);
        });
    }

    fn block(&mut self, block: &Block) {
        self.inside(block.span, |walker| walker.statements(block));
    }

    fn statements(&mut self, block: &Block) {
        let mut functions = BTreeMap::new();
        for (at, statement) in block.statements.iter().enumerate() {
            if let StmtKind::Function(function) = &statement.kind {
                let number = self.declare_function(DefinitionKind::Function, function, statement.span.start);
                self.show(number, block.span.start);
                functions.insert(at, number);
            }
        }
        for (at, statement) in block.statements.iter().enumerate() {
            match (&statement.kind, functions.get(&at)) {
                (StmtKind::Function(function), Some(number)) => self.function(function, Some(*number)),
                _ => self.statement(statement),
            }
        }
    }

    fn statement(&mut self, statement: &Stmt) {
        match &statement.kind {
            StmtKind::Let { name, name_span, value, constant } => {
                let number = self.declare_variable(name, *name_span, *constant, statement.span);
                self.value_of(Some(number), value);
                self.show(number, statement.span.end.max(value.span.end));
            }
            StmtKind::Assign(place, op, value) => self.assign(place, *op, value),
            StmtKind::Expr(expr) => self.expr(expr),
            StmtKind::If(arms, otherwise) => {
                for (condition, block) in arms {
                    self.expr(condition);
                    self.block(block);
                }
                otherwise.iter().for_each(|block| self.block(block));
            }
            StmtKind::While(condition, block) => {
                self.expr(condition);
                self.block(block);
            }
            StmtKind::For(names, things, block) => self.for_loop(names, things, block),
            StmtKind::Match(subject, cases, otherwise) => {
                self.expr(subject);
                for (values, block) in cases {
                    values.iter().for_each(|value| self.expr(value));
                    self.block(block);
                }
                otherwise.iter().for_each(|block| self.block(block));
            }
            StmtKind::Try(body, name, rescue) => {
                self.block(body);
                let start = name.as_ref().map_or(rescue.span.start, |(_, span)| span.start);
                self.inside(Span::new(start, rescue.span.end), |walker| {
                    if let Some((name, span)) = name {
                        let number = walker.define(DefinitionKind::Caught, name, *span, *span);
                        let fields = ["code", "message", "file", "line", "trace", "data"];
                        let shape = Shape::Record(fields.map(str::to_owned).to_vec());
                        walker.set(number, |caught| caught.shape = shape);
                        walker.show(number, span.start);
                    }
                    walker.statements(rescue);
                });
            }
            StmtKind::Do(block) => self.block(block),
            // Those of a block are declared before its statements; another one stands at the top.
            StmtKind::Function(function) => self.function(function, None),
            StmtKind::Return(value) => value.iter().for_each(|value| self.expr(value)),
            StmtKind::Break | StmtKind::Continue => {}
        }
    }

    fn for_loop(&mut self, names: &[(String, Span)], things: &Expr, block: &Block) {
        self.expr(things);
        let shape = self.shape(things, 0);
        self.inside(block.span, |walker| {
            for (at, (name, span)) in names.iter().enumerate() {
                let number = walker.define(DefinitionKind::Loop, name, *span, *span);
                // Of two variables the first is a position or a key.
                if at + 1 == names.len() {
                    let element = Shape::Element(Box::new(shape.clone()));
                    walker.set(number, |variable| variable.shape = element);
                }
                walker.show(number, block.span.start);
            }
            walker.statements(block);
        });
    }

    fn assign(&mut self, place: &Expr, op: Option<AssignOp>, value: &Expr) {
        let mut set = None;
        match &place.kind {
            ExprKind::Name(name) => {
                set = self.refer(name, name_span(place, name, self.source), true, false);
            }
            _ => self.expr(place),
        }
        self.expr(value);
        let Some(number) = set.filter(|_| matches!(op, None | Some(AssignOp::OrNil))) else { return };
        // `let target = nil` says nothing yet; what is set later does.
        if self.index.definitions.get(number).is_some_and(|known| known.shape == Shape::Unknown) {
            let shape = self.shape(value, 0);
            if !mentions(&shape, number) {
                self.set(number, |known| known.shape = shape);
            }
        }
    }

    fn resolve(&self, name: &str, at: u32) -> Option<usize> {
        let mut scope = Some(self.scope);
        while let Some(number) = scope {
            if let Some(found) = self.index.find_in(number, name, at) {
                return Some(found);
            }
            scope = self.index.scopes.get(number)?.parent;
        }
        None
    }

    /// Notes a use of a name, and gives what it means where the text declares it.
    fn refer(&mut self, name: &str, span: Span, is_write: bool, is_shorthand: bool) -> Option<usize> {
        let found = self.resolve(name, span.start);
        let target = found.map_or_else(|| Target::Free(name.to_owned()), Target::Definition);
        self.index.references.push(Reference { span, target, is_write, is_shorthand });
        found
    }

    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Name(name) => {
                self.refer(name, name_span(expr, name, self.source), false, false);
            }
            ExprKind::SelfEntity => self.index.uses_self = true,
            ExprKind::Format(pieces) => {
                for piece in pieces {
                    if let Piece::Value(value, _) = piece {
                        self.expr(value);
                    }
                }
            }
            ExprKind::Vector(parts) => parts.iter().for_each(|part| self.expr(part)),
            ExprKind::List(items) => {
                for Item::One(value) | Item::Spread(value) in items {
                    self.expr(value);
                }
            }
            ExprKind::Record(fields) => fields.iter().for_each(|field| self.field(field)),
            ExprKind::Function(function) => self.function(function, None),
            ExprKind::Negate(value) | ExprKind::Not(value) => self.expr(value),
            ExprKind::Field(owner, name, span, _) => {
                self.expr(owner);
                let owner = self.shape(owner, 0);
                self.index.members.push(Member { span: *span, name: name.clone(), owner });
            }
            ExprKind::Binary(_, left, right)
            | ExprKind::And(left, right)
            | ExprKind::Or(left, right)
            | ExprKind::OrNil(left, right)
            | ExprKind::Range(left, right, _)
            | ExprKind::Index(left, right, _) => {
                self.expr(left);
                self.expr(right);
            }
            ExprKind::If(condition, yes, no) => {
                self.expr(condition);
                self.expr(yes);
                self.expr(no);
            }
            ExprKind::Call(callee, args) => {
                self.expr(callee);
                args.iter().for_each(|arg| self.expr(arg));
                self.event(callee, args);
            }
            ExprKind::Nil
            | ExprKind::Bool(_)
            | ExprKind::Number(_)
            | ExprKind::Text(_)
            | ExprKind::Color(_)
            | ExprKind::Broken => {}
        }
    }

    fn field(&mut self, field: &Field) {
        match field {
            Field::Named(name, value) => match &value.kind {
                ExprKind::Name(used) if used == name && self.is_shorthand(value.span) => {
                    self.refer(name, value.span, false, true);
                }
                _ => self.expr(value),
            },
            Field::Computed(key, value) => {
                self.expr(key);
                self.expr(value);
            }
            Field::Spread(value) => self.expr(value),
        }
    }

    /// Whether no `:` stands before a field's value. Inside of f-strings there are no tokens, and no comments either.
    fn is_shorthand(&self, span: Span) -> bool {
        let at = self.token_from(span.start);
        if self.tokens.get(at).is_some_and(|token| token.span == span) {
            let before = self.tokens.get(..at).unwrap_or_default().iter().rev();
            let before = before.map(|token| &token.token).find(|token| **token != Token::Break);
            return !matches!(before, Some(Token::Sign(Sign::Colon | Sign::Set)));
        }
        let before = self.source.get(..span.start as usize).unwrap_or_default().trim_end();
        !before.ends_with(':')
    }

    fn event(&mut self, callee: &Expr, args: &[Expr]) {
        let ExprKind::Name(name) = &callee.kind else { return };
        let (argument, is_waited_for) = match name.as_str() {
            "emit" => (args.first(), false),
            "send" => (args.get(1), false),
            "wait_event" => (args.first(), true),
            _ => return,
        };
        if let Some(Expr { kind: ExprKind::Text(event), span }) = argument {
            self.index.events.push(EventUse { span: *span, name: event.clone(), is_waited_for });
        }
    }

    fn shape(&self, expr: &Expr, links: u32) -> Shape {
        if links > MOST_LINKS {
            return Shape::Unknown;
        }
        let inner = |expr: &Expr| Box::new(self.shape(expr, links + 1));
        match &expr.kind {
            ExprKind::Bool(_) | ExprKind::Not(_) => Shape::Bool,
            ExprKind::Number(_) => Shape::Number,
            ExprKind::Text(_) | ExprKind::Format(_) => Shape::Text,
            ExprKind::Color(_) => Shape::Color,
            ExprKind::Vector(parts) => Shape::Vector(parts.len().min(4) as u8),
            ExprKind::List(_) => Shape::List,
            ExprKind::Range(..) => Shape::Range,
            ExprKind::Function(_) => Shape::Function,
            ExprKind::SelfEntity => Shape::SelfEntity,
            ExprKind::Record(fields) => {
                let names = fields.iter().filter_map(|field| match field {
                    Field::Named(name, _) => Some(name.clone()),
                    _ => None,
                });
                Shape::Record(names.take(100).collect())
            }
            ExprKind::Name(name) => match self.resolve(name, expr.span.start) {
                Some(number) => Shape::Definition(number),
                None => Shape::Free(name.clone()),
            },
            ExprKind::Negate(value) => *inner(value),
            ExprKind::Field(owner, name, ..) => Shape::Member(inner(owner), name.clone()),
            ExprKind::Call(callee, _) => Shape::Call(inner(callee)),
            ExprKind::Index(owner, ..) => Shape::Element(inner(owner)),
            ExprKind::Binary(op, left, right) => match op {
                BinaryOp::Eq
                | BinaryOp::Ne
                | BinaryOp::Lt
                | BinaryOp::Le
                | BinaryOp::Gt
                | BinaryOp::Ge
                | BinaryOp::In
                | BinaryOp::NotIn => Shape::Bool,
                _ => Shape::Either(inner(left), inner(right)),
            },
            ExprKind::Or(left, right) | ExprKind::OrNil(left, right) | ExprKind::If(_, left, right) => {
                Shape::Either(inner(left), inner(right))
            }
            ExprKind::And(_, right) => *inner(right),
            ExprKind::Nil | ExprKind::Broken => Shape::Unknown,
        }
    }
}

/// Where a name itself stands: brackets around it belong to the expression.
fn name_span(expr: &Expr, name: &str, source: &str) -> Span {
    let text = expr.span.text(source);
    if text == name {
        return expr.span;
    }
    // `(name)`, with comments at worst: the lexer knows where the name is.
    let inside = lex(text, expr.span.start);
    let found = inside.tokens.iter().find(|token| token.token == Token::Name(name.to_owned()));
    found.map_or(expr.span, |token| token.span)
}

fn mentions(shape: &Shape, definition: usize) -> bool {
    match shape {
        Shape::Definition(number) => *number == definition,
        Shape::Member(inner, _) | Shape::Call(inner) | Shape::Element(inner) => mentions(inner, definition),
        Shape::Either(left, right) => mentions(left, definition) || mentions(right, definition),
        _ => false,
    }
}
