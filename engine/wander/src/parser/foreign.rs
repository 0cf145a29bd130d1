//! Statements and values of other languages: each is told of once, with what Wander writes, and read as what was meant,
//! so that nothing else is found wrong with it.

use super::Parser;
use crate::ast::{Block, Expr, ExprKind, ItemDecl, Stmt, StmtKind};
use crate::diagnostic::Diagnostic;
use crate::span::Span;
use crate::token::{Sign, Token, Word};

/// Words that declare a variable elsewhere, types included.
const DECLARATORS: &[&str] = &[
    "local", "var", "int", "float", "double", "bool", "boolean", "string", "String", "number", "auto",
    "object",
];

/// Words in front of declarations that mean nothing here.
const MODIFIERS: &[&str] = &[
    "public",
    "private",
    "protected",
    "static",
    "export",
    "readonly",
    "final",
    "override",
    "virtual",
    "async",
];

/// What engines call the functions that Wander's handlers stand for.
const HANDLERS: &[(&str, &str)] = &[
    ("_ready", "start"),
    ("Start", "start"),
    ("Awake", "start"),
    ("_process", "update"),
    ("Update", "update"),
    ("_physics_process", "fixed_update"),
    ("FixedUpdate", "fixed_update"),
    ("OnCollisionEnter", "collide"),
    ("OnTriggerEnter", "enter"),
    ("OnTriggerExit", "exit"),
    ("_on_body_entered", "enter"),
    ("_on_body_exited", "exit"),
    ("OnDestroy", "stop"),
];

impl Parser<'_> {
    /// A statement that begins with another language's word; nothing where it is none.
    pub(super) fn foreign_statement(&mut self, name: &str) -> Option<Option<StmtKind>> {
        let span = self.span();
        let next = self.peek_at(1).clone();
        let next_is_name = matches!(next, Token::Name(_));
        let is_alone = matches!(next, Token::Break | Token::End);
        match name {
            "local" if next == Token::Name("function".to_owned()) => {
                self.advance();
                let span = span.to(self.span());
                self.foreign_word("local function", span, "fn");
                Some(self.function_statement())
            }
            _ if DECLARATORS.contains(&name)
                && next_is_name
                && *self.peek_at(2) == Token::Sign(Sign::Open) =>
            {
                self.foreign_word(name, span, "fn");
                Some(self.function_statement())
            }
            _ if DECLARATORS.contains(&name) && (next_is_name || self.is_unpacking(1)) => {
                self.foreign_word(name, span, "let");
                self.advance();
                Some(self.let_rest(false))
            }
            "function" | "def" | "func" | "void" | "fun" if next_is_name => {
                self.foreign_word(name, span, "fn");
                Some(self.function_statement())
            }
            _ if MODIFIERS.contains(&name) && (next_is_name || matches!(next, Token::Word(_))) => {
                self.left_out(name, span);
                let statement = self.nested(Self::statement, || None);
                Some(statement.map(|statement| statement.kind))
            }
            "import" if matches!(&next, Token::Name(area) if area == "time" || crate::library::has_area(area)) =>
            {
                self.report(
                    Diagnostic::error("E108", span, "`import` is not written in Wander")
                        .hint("leave the line out: what is built in is there by itself")
                        .fix_at(self.rest_of_line(span), ""),
                );
                Some(None)
            }
            "import" | "require" | "from" | "include" if matches!(next, Token::Text(_) | Token::Name(_)) => {
                self.report(
                    Diagnostic::error("E108", span, format!("`{name}` is not written in Wander"))
                        .hint("write `use \"lib/name\"` at the top of the file"),
                );
                Some(None)
            }
            "class" | "struct" | "enum" | "interface" | "namespace" if next_is_name => {
                Some(self.foreign_class(name, span))
            }
            "extends" | "class_name" if next_is_name => {
                self.report(
                    Diagnostic::error("E108", span, format!("`{name}` is not written in Wander"))
                        .hint("leave the line out: a script belongs to the entity that bears it")
                        .fix_at(self.rest_of_line(span), ""),
                );
                Some(None)
            }
            "pass" if is_alone => {
                self.note(
                    Diagnostic::error("E108", span, "`pass` is not written in Wander")
                        .hint("leave it out: a block may be empty")
                        .fix(""),
                );
                self.advance();
                Some(None)
            }
            "global" | "nonlocal" if next_is_name => {
                self.report(
                    Diagnostic::error("E108", span, format!("`{name}` is not written in Wander"))
                        .hint("leave the line out: functions see the variables around them")
                        .fix_at(self.rest_of_line(span), ""),
                );
                Some(None)
            }
            "del" | "delete" if next_is_name => Some(self.foreign_delete(name, span)),
            "raise" | "throw" if !is_alone => Some(self.foreign_raise(name, span)),
            "assert" if !matches!(next, Token::Sign(Sign::Open)) && !is_alone => {
                Some(self.foreign_assert(span))
            }
            "switch" => {
                self.foreign_word("switch", span, "match");
                Some(Some(self.match_statement()))
            }
            "foreach" => {
                self.foreign_word("foreach", span, "for");
                Some(Some(self.for_statement()))
            }
            "repeat" if is_alone => Some(self.foreign_repeat(span)),
            "until" | "unless" if !is_alone => {
                let hint = if name == "until" { "write `while not c`" } else { "write `if not c then`" };
                self.report(
                    Diagnostic::error("E108", span, format!("`{name}` is not written in Wander")).hint(hint),
                );
                Some(None)
            }
            "elseif" => {
                self.report(
                    Diagnostic::error("E101", span, "`elseif` without its `if`")
                        .hint("write `elif`")
                        .fix("elif"),
                );
                Some(None)
            }
            _ if matches!(next, Token::Text(_) | Token::Format(..)) => self.call_without_brackets(name, span),
            _ if next_is_name && *self.peek_at(2) == Token::Sign(Sign::Set) => {
                // `Enemy target = …`, or a misspelt `let`.
                self.foreign_word(name, span, "let");
                self.advance();
                Some(self.let_rest(false))
            }
            _ => None,
        }
    }

    /// Tells of a word that is written otherwise, and does not go past it.
    fn foreign_word(&mut self, found: &str, span: Span, write: &str) {
        self.note(
            Diagnostic::error("E108", span, format!("`{found}` is not written in Wander"))
                .hint(format!("write `{write}`"))
                .fix(write),
        );
    }

    /// Goes past a word that is not needed.
    fn left_out(&mut self, word: &str, span: Span) {
        self.advance();
        let gap = Span::new(span.start, self.span().start);
        self.note(
            Diagnostic::error("E108", span, format!("`{word}` is not written in Wander"))
                .hint("leave it out")
                .fix_at(gap, ""),
        );
    }

    /// From a place to the end of its line.
    fn rest_of_line(&self, span: Span) -> Span {
        let rest = self.source.get(span.start as usize..).unwrap_or_default();
        let length = rest.find('\n').unwrap_or(rest.len()) as u32;
        Span::new(span.start, span.start + length)
    }

    /// `print "x"`.
    fn call_without_brackets(&mut self, name: &str, span: Span) -> Option<Option<StmtKind>> {
        if matches!(name, "retrun" | "reutrn") {
            return None;
        }
        self.advance();
        let text = self.span().text(self.source).to_owned();
        let argument = self.span();
        let callee = Expr { kind: ExprKind::Name(name.to_owned()), span };
        let value = self.expr();
        self.note(
            Diagnostic::error("E108", span, "calls need brackets in Wander")
                .hint(format!("a call looks like `{name}(\"…\")`: write `{name}({text})`"))
                .fix_at(Span::new(span.end, argument.start), "(")
                .also(Span::new(value.span.end, value.span.end), ")"),
        );
        let whole = span.to(value.span);
        let call = Expr { kind: ExprKind::Call(Box::new(callee), vec![value]), span: whole };
        Some(Some(StmtKind::Expr(call)))
    }

    /// `class Enemy { … }`: its inside is read for its own faults and dropped.
    fn foreign_class(&mut self, name: &str, span: Span) -> Option<StmtKind> {
        self.note(Diagnostic::error("E108", span, format!("there is no `{name}` in Wander")).hint(
            "a script is what its entity does; keep data in a record `{hp: 5}` and write functions over it",
        ));
        while !matches!(self.peek(), Token::Break | Token::End | Token::Sign(Sign::RecordOpen | Sign::Colon))
        {
            self.advance();
        }
        let found = self.diagnostics.len();
        self.block_until_end(span, "class");
        // What a class has inside is of no use once it is gone.
        self.diagnostics.truncate(found);
        None
    }

    fn foreign_delete(&mut self, name: &str, span: Span) -> Option<StmtKind> {
        self.advance();
        let place = self.postfix();
        let text = place.span.text(self.source).to_owned();
        self.note(
            Diagnostic::error("E108", span, format!("`{name}` is not written in Wander"))
                .hint(format!("write `{text} = nil`"))
                .fix_at(span.to(place.span), format!("{text} = nil")),
        );
        None
    }

    fn foreign_raise(&mut self, name: &str, span: Span) -> Option<StmtKind> {
        self.advance();
        if *self.peek() == Token::Name("new".to_owned()) {
            self.advance();
        }
        let value = self.expr();
        let shown = match &value.kind {
            ExprKind::Call(_, args) => args.first().map(|arg| arg.span.text(self.source).to_owned()),
            _ => Some(value.span.text(self.source).to_owned()),
        };
        let shown = shown.unwrap_or_else(|| "\"what went wrong\"".to_owned());
        self.note(
            Diagnostic::error("E108", span, format!("`{name}` is not written in Wander"))
                .hint(format!("write `error({shown})`"))
                .fix_at(span.to(value.span), format!("error({shown})")),
        );
        None
    }

    fn foreign_assert(&mut self, span: Span) -> Option<StmtKind> {
        self.advance();
        let first = self.expr();
        let mut last = first.span;
        if self.eat_sign(Sign::Comma) {
            last = self.expr().span;
        }
        let inside = first.span.to(last).text(self.source).to_owned();
        self.note(
            Diagnostic::error("E108", span, "calls need brackets in Wander")
                .hint(format!("write `assert({inside})`"))
                .fix_at(span.to(last), format!("assert({inside})")),
        );
        None
    }

    /// `repeat … until c`.
    fn foreign_repeat(&mut self, span: Span) -> Option<StmtKind> {
        self.advance();
        let body = self.repeated();
        let diagnostic = Diagnostic::error("E108", span, "`repeat` is not written in Wander");
        if *self.peek() != Token::Name("until".to_owned()) {
            self.note(diagnostic.hint("write `while true … if c then break end … end`"));
            return Some(StmtKind::Do(body));
        }
        let until = self.span();
        self.advance();
        let condition = self.expr();
        let shown = condition.span.text(self.source).to_owned();
        self.note(
            diagnostic
                .hint(format!("write `while true … if {shown} then break end end`"))
                .fix("while true")
                .also(until.to(condition.span), format!("if {shown} then break end end")),
        );
        Some(StmtKind::While(Expr { kind: ExprKind::Bool(true), span }, body))
    }

    fn repeated(&mut self) -> Block {
        let mut statements = Vec::new();
        let start = self.last_span().end;
        loop {
            self.skip_breaks();
            let ends = matches!(self.peek(), Token::End | Token::Word(Word::End))
                || *self.peek() == Token::Name("until".to_owned());
            if ends {
                let span = Span::new(start, self.span().start.max(start));
                return Block { statements, span };
            }
            let before = self.at;
            statements.extend(self.nested(Self::statement, || None));
            self.end_of_statement();
            if self.at == before {
                self.advance();
            }
        }
    }

    /// `func _process(delta)` and its kin: what an engine calls is a handler here.
    pub(super) fn foreign_handler(&mut self) -> Option<ItemDecl> {
        let (Token::Name(word), Token::Name(name)) = (self.peek().clone(), self.peek_at(1).clone()) else {
            return None;
        };
        if !matches!(word.as_str(), "function" | "def" | "func" | "void") {
            return None;
        }
        let (_, handler) = HANDLERS.iter().find(|(foreign, _)| *foreign == name)?;
        let span = self.span();
        let name_span = self.tokens.get(self.at + 1).map_or(span, |spanned| spanned.span);
        self.note(
            Diagnostic::error("E108", span, format!("`{word} {name}` is not written in Wander"))
                .hint(format!("write `on {handler}`: the engine calls that"))
                .fix_at(span.to(name_span), format!("on {handler}")),
        );
        self.advance();
        self.advance();
        let function = self.function_rest((*handler).to_owned(), name_span, String::new(), "on");
        Some(ItemDecl::Handler(function))
    }

    /// Goes past `: number` behind a name, or `-> number` behind parameters.
    pub(super) fn foreign_type(&mut self) {
        let start = self.span();
        let is_colon = self.is_sign(Sign::Colon)
            && matches!(self.peek_at(1), Token::Name(_) | Token::Word(Word::Fn | Word::Nil));
        let is_arrow = self.is_sign(Sign::Sub) && *self.peek_at(1) == Token::Sign(Sign::More);
        if !is_colon && !is_arrow {
            return;
        }
        let before = self.last_span().end;
        self.advance();
        let mut depth = 0_i32;
        loop {
            match self.peek() {
                Token::Sign(Sign::Less | Sign::ListOpen) => depth += 1,
                Token::Sign(Sign::ListClose) => depth -= 1,
                Token::Sign(Sign::More) if depth > 0 => depth -= 1,
                Token::Name(_) | Token::Word(Word::Nil | Word::Fn | Word::Or) => {}
                Token::Sign(Sign::More | Sign::Dot) => {}
                Token::Sign(Sign::Comma) if depth > 0 => {}
                _ => break,
            }
            self.advance();
        }
        let span = start.to(self.last_span());
        self.note(
            Diagnostic::error("E108", span, "types are not written in Wander")
                .hint("leave it out: a value knows its type")
                .fix_at(Span::new(before, span.end), ""),
        );
    }

    /// Goes past the type in front of a parameter, as in `int x`.
    pub(super) fn foreign_type_before(&mut self) {
        if !matches!((self.peek_at(0), self.peek_at(1)), (Token::Name(_), Token::Name(_))) {
            return;
        }
        let span = self.span();
        self.advance();
        let gap = Span::new(span.start, self.span().start);
        self.note(
            Diagnostic::error("E108", span, "types are not written in Wander")
                .hint("leave it out: a value knows its type")
                .fix_at(gap, ""),
        );
    }

    /// The `hero:` of `fn hero:jump()`: a function belongs to nothing.
    pub(super) fn foreign_owner(&mut self, name: (String, Span)) -> (String, Span) {
        let is_owner = matches!(self.peek(), Token::Sign(Sign::Colon | Sign::Dot))
            && matches!(self.peek_at(1), Token::Name(_))
            && *self.peek_at(2) == Token::Sign(Sign::Open);
        if !is_owner {
            return name;
        }
        self.advance();
        let span = self.span();
        let own = span.text(self.source).to_owned();
        self.advance();
        self.note(
            Diagnostic::error("E108", name.1, "a function belongs to no record")
                .hint(format!("write `fn {own}(…)`, and pass what it works on"))
                .fix_at(Span::new(name.1.start, span.start), ""),
        );
        (own, span)
    }

    /// Whether a pattern of other languages' unpacking begins `ahead` from here: `{a, b} =`, `[a, b] =`.
    fn is_unpacking(&self, ahead: usize) -> bool {
        matches!(self.peek_at(ahead), Token::Sign(Sign::RecordOpen | Sign::ListOpen))
    }

    /// `let a, b = 1, 2`, `let {a, b} = r`: one `let` each.
    pub(super) fn unpacked(&mut self, first: Option<(String, Span)>, constant: bool) -> Option<StmtKind> {
        let start = self.span();
        let close = match self.peek() {
            Token::Sign(Sign::RecordOpen) => Some(Sign::RecordClose),
            Token::Sign(Sign::ListOpen) => Some(Sign::ListClose),
            _ => None,
        };
        let from = first.as_ref().map_or(start, |(_, span)| *span);
        let mut names: Vec<(String, Span)> = first.into_iter().collect();
        if close.is_some() || !names.is_empty() {
            self.advance();
        }
        while let Token::Name(_) = self.peek() {
            names.extend(self.expect_name("the variable"));
            if !self.eat_sign(Sign::Comma) {
                break;
            }
        }
        if let Some(close) = close {
            self.eat_sign(close);
        }
        let mut values = Vec::new();
        if self.eat_sign(Sign::Set) {
            values.push(self.expr());
            while self.eat_sign(Sign::Comma) {
                values.push(self.expr());
            }
        }
        let word = if constant { "const" } else { "let" };
        let whole = from.to(self.last_span());
        let parts = self.unpacked_values(&names, &values, close);
        let mut diagnostic = Diagnostic::error("E108", from, format!("one `{word}` declares one variable"));
        diagnostic = match parts {
            Some(parts) => {
                let text = parts.join(&format!("; {word} "));
                diagnostic.hint(format!("write `{word} {text}`")).fix_at(whole, text)
            }
            None => diagnostic.hint(format!("write one `{word} name = value` for each")),
        };
        self.note(diagnostic);
        let mut statements: Vec<Stmt> = names
            .into_iter()
            .map(|(name, span)| {
                let value = Expr { kind: ExprKind::Broken, span };
                Stmt { kind: StmtKind::Let { name, name_span: span, value, constant }, span }
            })
            .collect();
        let last = statements.pop();
        self.pending.append(&mut statements);
        last.map(|statement| statement.kind)
    }

    fn unpacked_values(
        &self,
        names: &[(String, Span)],
        values: &[Expr],
        close: Option<Sign>,
    ) -> Option<Vec<String>> {
        let text = |expr: &Expr| expr.span.text(self.source).to_owned();
        let is_plain =
            |expr: &Expr| matches!(expr.kind, ExprKind::Name(_) | ExprKind::Field(..) | ExprKind::SelfEntity);
        let pair = |(name, value): (&(String, Span), String)| format!("{} = {value}", name.0);
        match (close, values) {
            (None, values) if values.len() == names.len() => {
                Some(names.iter().zip(values.iter().map(text)).map(pair).collect())
            }
            (None, []) => Some(names.iter().map(|(name, _)| format!("{name} = nil")).collect()),
            (Some(close), [one]) if is_plain(one) => {
                let part = |(index, (name, _)): (usize, &(String, Span))| match close {
                    Sign::RecordClose => format!("{name} = {}.{name}", text(one)),
                    _ => format!("{name} = {}[{index}]", text(one)),
                };
                Some(names.iter().enumerate().map(part).collect())
            }
            _ => None,
        }
    }
}
