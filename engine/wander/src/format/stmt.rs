//! Files, blocks and statements.

use super::build::Builder;
use super::doc::Doc;
use crate::token::{Sign, Token, Word};

/// A statement.
struct Statement<'a> {
    doc: Doc<'a>,
    /// It has no block, so that it may stand on the line of another's `then`.
    is_simple: bool,
}

/// Statements and the comments behind them.
struct Body<'a> {
    /// What stands above each statement, and the statement.
    statements: Vec<(Doc<'a>, Statement<'a>)>,
    tail: Doc<'a>,
}

impl<'a> Body<'a> {
    /// Whether it may stand on the line of the word before it.
    fn is_short(&self) -> bool {
        self.statements.len() <= 1
            && self.statements.iter().all(|(lead, statement)| {
                statement.is_simple && !statement.doc.has_lines() && !lead.is_forced()
            })
            && !self.tail.is_forced()
    }

    /// On the line before it where that fits.
    fn short(&self) -> Doc<'a> {
        let parts: Vec<Doc<'a>> =
            self.statements.iter().flat_map(|(_, statement)| [Doc::line(), statement.doc.clone()]).collect();
        Doc::indent(1, Doc::concat(parts))
    }

    /// On lines of its own.
    fn long(&self) -> Doc<'a> {
        let mut parts = Vec::new();
        for (lead, statement) in &self.statements {
            parts.extend([Doc::hard_line(), lead.clone(), statement.doc.clone()]);
        }
        parts.push(self.tail.clone());
        Doc::indent(1, Doc::concat(parts))
    }
}

/// `if c then` or `else` with its block.
struct Arm<'a> {
    /// Comments above the word, on its level.
    lead: Doc<'a>,
    head: Doc<'a>,
    body: Body<'a>,
}

impl<'a> Builder<'a> {
    /// The whole file.
    pub(super) fn file(&mut self) -> Doc<'a> {
        let mut parts = Vec::new();
        while *self.peek() != Token::End {
            let before = self.at;
            let lead = self.lead(parts.is_empty());
            parts.extend([Doc::hard_line(), lead, self.item()]);
            if self.at == before {
                // Never in a program.
                parts.push(self.emit());
            }
        }
        let comments = self.take_own();
        parts.push(Self::tail(&comments, parts.is_empty()));
        Doc::concat(parts)
    }

    fn item(&mut self) -> Doc<'a> {
        match self.peek() {
            Token::Word(Word::Use) => {
                let mut parts = vec![self.emit(), Doc::text(" "), self.emit()];
                if *self.peek() == Token::Name("as".to_owned()) && !self.breaks() {
                    parts.extend([Doc::text(" "), self.emit(), Doc::text(" "), self.emit()]);
                }
                Doc::concat(parts)
            }
            Token::Word(Word::Prop) => {
                let mut parts = vec![self.emit(), Doc::text(" "), self.emit()];
                parts.extend([Doc::text(" "), self.emit(), Doc::text(" "), self.coalesce().doc(1)]);
                if self.is_word(Word::In) {
                    parts.extend([Doc::text(" "), self.emit(), Doc::text(" "), self.range().doc(1)]);
                }
                Doc::concat(parts)
            }
            Token::Word(Word::On) => self.named_function(),
            _ => self.statement().doc,
        }
    }

    /// Statements up to a word that ends or parts a block. Comments in front of that word belong to the block where
    /// they stand to the right of this column, or of the word itself.
    fn body(&mut self, column: Option<usize>) -> Body<'a> {
        let mut statements = Vec::new();
        loop {
            let ends = match self.peek() {
                Token::End => true,
                Token::Word(Word::End | Word::Elif | Word::Else | Word::Case | Word::Catch) => true,
                Token::Name(name) => name == "elseif",
                _ => false,
            };
            if ends {
                break;
            }
            let before = self.at;
            let lead = self.lead(statements.is_empty());
            statements.push((lead, self.statement()));
            if self.at == before {
                break;
            }
        }
        let comments = match column {
            Some(column) => self.take_deeper(column),
            None if self.is_word(Word::End) => self.take_own(),
            None => self.take_deeper(self.column()),
        };
        let tail = Self::tail(&comments, statements.is_empty());
        Body { statements, tail }
    }

    fn statement(&mut self) -> Statement<'a> {
        let is_function = self.is_word(Word::Fn)
            && matches!(self.tok(self.at + 1).map(|tok| &tok.token), Some(Token::Name(_)));
        let doc = match self.peek() {
            Token::Word(Word::If) => self.if_statement(),
            Token::Word(Word::While) => self.loop_statement(),
            Token::Word(Word::For) => self.loop_statement(),
            Token::Word(Word::Match) => self.match_statement(),
            Token::Word(Word::Try) => self.try_statement(),
            Token::Word(Word::Do) => {
                let (start, head) = (self.at, self.emit());
                self.block(start, head)
            }
            Token::Word(Word::Fn) if is_function => self.named_function(),
            _ => return Statement { doc: self.simple_statement(), is_simple: true },
        };
        Statement { doc, is_simple: false }
    }

    fn simple_statement(&mut self) -> Doc<'a> {
        match self.peek() {
            Token::Word(Word::Let | Word::Const) => {
                let head = [self.emit(), Doc::text(" "), self.emit()];
                Doc::concat([Doc::concat(head), self.assigned()])
            }
            Token::Word(Word::Return) => {
                let word = self.emit();
                let bare = matches!(
                    self.peek(),
                    Token::End | Token::Word(Word::End | Word::Elif | Word::Else | Word::Case | Word::Catch)
                );
                if bare || self.breaks() {
                    return word;
                }
                Doc::concat([word, Doc::text(" "), self.expr().doc(1)])
            }
            Token::Word(Word::Break | Word::Continue) => self.emit(),
            _ => {
                let target = self.expr().doc(1);
                let sets = matches!(
                    self.peek(),
                    Token::Sign(
                        Sign::Set
                            | Sign::AddSet
                            | Sign::SubSet
                            | Sign::MulSet
                            | Sign::DivSet
                            | Sign::FloorSet
                            | Sign::ModSet
                            | Sign::PowerSet
                            | Sign::NilSet
                    )
                );
                if sets { Doc::concat([target, self.assigned()]) } else { target }
            }
        }
    }

    /// A block after its head, up to its `end`.
    fn block(&mut self, start: usize, head: Doc<'a>) -> Doc<'a> {
        let body = self.body(None);
        let moved = self.moved_comment(start);
        Doc::concat([head, moved, body.long(), Doc::hard_line(), self.emit()])
    }

    /// The comment behind the `end` that is next, where all since `start` stood on its line: it speaks of the whole and
    /// moves up with the head.
    fn moved_comment(&mut self, start: usize) -> Doc<'a> {
        if self.is_one_line(start, self.at + 1) {
            Doc::suffix(self.take_trailing(self.at))
        } else {
            Doc::nil()
        }
    }

    /// `then` is always written, whether it was or not.
    fn then(&mut self) -> Doc<'a> {
        let comments = if self.is_word(Word::Then) && !self.breaks() { self.skip() } else { Doc::nil() };
        Doc::concat([Doc::text(" then"), comments])
    }

    fn if_statement(&mut self) -> Doc<'a> {
        let start = self.at;
        let mut arms: Vec<Arm<'a>> = Vec::new();
        loop {
            let lead = Doc::comments(&self.take_own());
            let is_else = self.is_word(Word::Else);
            let two_words = is_else
                && self
                    .tok(self.at + 1)
                    .is_some_and(|next| next.token == Token::Word(Word::If) && !next.breaks);
            if two_words {
                self.advance();
            }
            let word = if arms.is_empty() { "if" } else { "elif" };
            let head = if is_else && !two_words {
                self.emit()
            } else {
                let word = self.emit_as(word);
                let condition = self.expr().doc(2);
                Doc::concat([word, Doc::text(" "), condition, self.then()])
            };
            let body = self.body(None);
            arms.push(Arm { lead, head, body });
            if matches!(self.peek(), Token::End | Token::Word(Word::End | Word::Case | Word::Catch)) {
                break;
            }
        }
        let short = self.is_one_line(start, self.at + 1)
            && arms.iter().all(|arm| arm.body.is_short() && !arm.head.is_forced() && !arm.lead.is_forced());
        if short {
            let mut parts = Vec::new();
            for (index, arm) in arms.into_iter().enumerate() {
                if index > 0 {
                    parts.push(Doc::line());
                }
                parts.extend([arm.head, arm.body.short()]);
            }
            parts.extend([Doc::line(), self.emit()]);
            return Doc::group(Doc::concat(parts), false);
        }
        let mut parts = Vec::new();
        for (index, arm) in arms.into_iter().enumerate() {
            if index > 0 {
                parts.push(Doc::hard_line());
            }
            parts.extend([arm.lead, arm.head]);
            if index == 0 {
                parts.push(self.moved_comment(start));
            }
            parts.push(arm.body.long());
        }
        parts.extend([Doc::hard_line(), self.emit()]);
        Doc::concat(parts)
    }

    /// `while` and `for`, without the `do` that other languages have.
    fn loop_statement(&mut self) -> Doc<'a> {
        let start = self.at;
        let is_for = self.is_word(Word::For);
        let mut head = vec![self.emit(), Doc::text(" ")];
        if is_for {
            head.push(self.emit());
            if self.is_sign(Sign::Comma) {
                head.extend([self.emit(), Doc::text(" "), self.emit()]);
            }
            head.extend([Doc::text(" "), self.emit(), Doc::text(" ")]);
        }
        head.push(self.expr().doc(2));
        if self.is_word(Word::Do) && !self.breaks() {
            head.push(self.skip());
        }
        self.block(start, Doc::concat(head))
    }

    fn match_statement(&mut self) -> Doc<'a> {
        let start = self.at;
        let head = Doc::concat([self.emit(), Doc::text(" "), self.expr().doc(2)]);
        let mut arms = Vec::new();
        while self.is_word(Word::Case) || self.is_word(Word::Else) {
            let lead = self.lead(arms.is_empty());
            arms.extend([Doc::hard_line(), lead, self.match_arm()]);
        }
        let comments = self.take_own();
        arms.push(Self::tail(&comments, arms.is_empty()));
        let moved = self.moved_comment(start);
        let arms = Doc::indent(1, Doc::concat(arms));
        Doc::concat([head, moved, arms, Doc::hard_line(), self.emit()])
    }

    fn match_arm(&mut self) -> Doc<'a> {
        let (start, column) = (self.at, self.column());
        let head = if self.is_word(Word::Else) {
            self.emit()
        } else {
            let word = self.emit();
            let first = self.expr().doc(2);
            let mut rest = Vec::new();
            while self.is_sign(Sign::Comma) {
                rest.push(self.emit());
                let broken = self.newline();
                let own = self.take_own();
                let value = Doc::concat([Doc::line(), Doc::comments(&own), self.expr().doc(1)]);
                rest.push(Doc::group(value, broken));
            }
            let rest = Doc::indent(2, Doc::concat(rest));
            Doc::concat([word, Doc::text(" "), first, rest, self.then()])
        };
        let beside = !self.newline();
        let body = self.body(Some(if beside { usize::MAX } else { column }));
        let short = beside && self.is_one_line(start, self.at) && body.is_short() && !head.is_forced();
        if short {
            Doc::group(Doc::concat([head, body.short()]), false)
        } else {
            Doc::concat([head, body.long()])
        }
    }

    fn try_statement(&mut self) -> Doc<'a> {
        let start = self.at;
        let head = self.emit();
        let body = self.body(None);
        let lead = Doc::comments(&self.take_own());
        let mut rescue = vec![Doc::hard_line(), lead, self.emit()];
        if matches!(self.peek(), Token::Name(_)) && !self.breaks() {
            rescue.extend([Doc::text(" "), self.emit()]);
        }
        rescue.push(self.body(None).long());
        let moved = self.moved_comment(start);
        Doc::concat([head, moved, body.long(), Doc::concat(rescue), Doc::hard_line(), self.emit()])
    }

    /// `fn name(…)` and `on name(…)`.
    fn named_function(&mut self) -> Doc<'a> {
        let start = self.at;
        let head = [self.emit(), Doc::text(" "), self.emit(), self.params()];
        let head = Doc::concat(head);
        if self.is_sign(Sign::Arrow) {
            return Doc::concat([head, self.assigned()]);
        }
        let brackets = std::mem::take(&mut self.brackets);
        let doc = self.block(start, head);
        self.brackets = brackets;
        doc
    }

    /// A function without a name after its parameters: on one line where it was and where that fits, and the same
    /// broken.
    pub(super) fn lambda_block(&mut self, start: usize, head: Doc<'a>) -> (Doc<'a>, Doc<'a>) {
        // Inside a function's block lines end statements again, whatever brackets stand around it.
        let brackets = std::mem::take(&mut self.brackets);
        let body = self.body(None);
        let short = self.is_one_line(start, self.at + 1) && body.is_short() && !head.is_forced();
        let end = self.emit();
        self.brackets = brackets;
        if !short {
            let doc = Doc::concat([head, body.long(), Doc::hard_line(), end]);
            return (doc.clone(), doc);
        }
        let doc = Doc::concat([head, body.short(), Doc::line(), end]);
        (Doc::group(doc.clone(), false), Doc::group(doc, true))
    }
}
