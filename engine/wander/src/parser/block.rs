//! Blocks: what opens one, what closes it, and which one lacks its `end`. Braces and colons of other languages are
//! read as the blocks that they mean.

use super::Parser;
use crate::ast::Block;
use crate::diagnostic::{Diagnostic, Fix};
use crate::span::Span;
use crate::token::{Sign, Token, Word};

/// A block whose `end` has not been read.
#[derive(Debug)]
pub(super) struct Open {
    /// Where it begins.
    opener: Span,
    /// The word that opened it.
    what: &'static str,
    /// It began with a brace, and ends with one.
    braces: bool,
    /// It began with a colon, so that its indentation alone says where it ends.
    colon: bool,
    /// What is told of its brace or colon once its end is known.
    foreign: Option<Diagnostic>,
}

/// An `end` that was left out: where it is read as if it stood there, and what is told of it.
#[derive(Debug)]
pub(super) struct Repair {
    /// The number of the token before which it belongs.
    pub(super) at: usize,
    /// Its place in the text.
    pub(super) place: u32,
    /// The finding; none where that of a colon tells of it.
    pub(super) finding: Option<Diagnostic>,
    /// The file ends before the block does: of all such blocks one finding tells.
    pub(super) at_end: bool,
}

/// A block that ends with an `end` further to the left: the `end` of the block around it, most likely.
#[derive(Debug)]
pub(super) struct Mismatch {
    opener: Span,
    what: &'static str,
    colon: bool,
    /// The number of the token.
    end: usize,
}

impl Parser<'_> {
    /// Statements up to one of the words that end or part a block.
    pub(super) fn block(&mut self) -> Block {
        let mut statements = Vec::new();
        let start = self.last_span().end;
        loop {
            self.skip_breaks();
            if self.ends_block() {
                break;
            }
            let before = self.at;
            if let Some(statement) = self.statement() {
                statements.append(&mut self.pending);
                statements.push(statement);
            }
            self.end_of_statement();
            if self.at == before {
                self.advance();
            }
        }
        let span = Span::new(start, self.span().start.max(start));
        Block { statements, span }
    }

    fn ends_block(&self) -> bool {
        match self.peek_at(0) {
            Token::End => true,
            Token::Word(Word::End | Word::Elif | Word::Else | Word::Case | Word::Catch) => true,
            Token::Word(Word::On | Word::Prop | Word::Use) => self.begins_item(),
            Token::Sign(Sign::RecordClose) => self.closes_block(),
            // Inside of an `if` it is what `elif` is; elsewhere the statement says what is wrong.
            Token::Name(name) if name == "elseif" => self.open.iter().any(|open| open.what == "if"),
            Token::Name(name) => self.is_foreign_part(name),
            _ => false,
        }
    }

    /// A block and its `end`.
    pub(super) fn block_until_end(&mut self, opener: Span, what: &'static str) -> Block {
        self.begin_block(opener, what);
        self.opener_sign("");
        let block = self.nested(Self::block, Block::default);
        self.finish_block();
        block
    }

    pub(super) fn begin_block(&mut self, opener: Span, what: &'static str) {
        let foreign = self.carried.take();
        self.open.push(Open { opener, what, braces: false, colon: false, foreign });
    }

    /// Reads a brace or a colon where a block begins, to be written as `word`.
    pub(super) fn opener_sign(&mut self, word: &str) -> bool {
        self.opener_behind(None, word)
    }

    /// The same, where the mend takes something in front of the sign with it.
    pub(super) fn opener_behind(&mut self, before: Option<Span>, word: &str) -> bool {
        let is_next_line = matches!(self.peek(), Token::Break)
            && matches!(self.next_after_breaks(), Token::Sign(Sign::RecordOpen));
        if is_next_line {
            self.skip_breaks();
        }
        let (is_brace, span) = match self.peek() {
            Token::Sign(Sign::RecordOpen) => (true, self.span()),
            Token::Sign(Sign::Colon) => (false, self.span()),
            _ => return false,
        };
        self.advance();
        let word = if is_next_line { "" } else { word };
        // ` then` needs a space in front of it where the colon had none.
        let change = before.map_or(span, |before| before.to(span));
        let touches = !is_brace && !word.is_empty();
        let text = if touches { format!(" {word}") } else { word.to_owned() };
        let Some(open) = self.open.last_mut() else { return false };
        open.braces |= is_brace;
        open.colon |= !is_brace;
        open.foreign = Some(match open.foreign.take() {
            Some(diagnostic) => diagnostic.also(change, text),
            None => {
                let what = if is_brace { "blocks have no braces" } else { "`:` opens no block" };
                let sign = if is_brace { '{' } else { ':' };
                let hint = match word {
                    "" => format!("leave `{sign}` out and close the block with `end`"),
                    _ => format!("write `{word}` and close the block with `end`"),
                };
                Diagnostic::error("E108", span, format!("{what} in Wander")).hint(hint).fix_at(change, text)
            }
        });
        true
    }

    /// Reads the `}` in front of an `else` and its kin, where a brace opened the block.
    pub(super) fn part_sign(&mut self) {
        let is_braces = self.open.last().is_some_and(|open| open.braces);
        if !is_braces || !self.is_sign(Sign::RecordClose) {
            return;
        }
        let mut ahead = 1;
        while matches!(self.peek_at(ahead), Token::Break) && !matches!(self.peek_at(ahead), Token::End) {
            ahead += 1;
        }
        let parts = match self.peek_at(ahead) {
            Token::Word(Word::Elif | Word::Else | Word::Catch | Word::Case) => true,
            Token::Name(name) => name == "elseif" || self.is_foreign_part(name),
            _ => false,
        };
        if parts {
            let span = self.span();
            self.advance();
            self.skip_breaks();
            self.also(span, "");
        }
    }

    /// One more change of what is told of the block's brace or colon.
    fn also(&mut self, span: Span, text: &str) {
        if let Some(open) = self.open.last_mut() {
            open.foreign = open.foreign.take().map(|diagnostic| diagnostic.also(span, text));
        }
    }

    /// Whether a `}` here is meant to end a block.
    fn closes_block(&self) -> bool {
        self.open.last().is_some_and(|open| open.braces) || self.enclosing == 0
    }

    /// Another language's word that parts the innermost block.
    fn is_foreign_part(&self, name: &str) -> bool {
        let word = match name {
            "except" | "finally" => "try",
            "default" => "match",
            _ => return false,
        };
        self.open.last().is_some_and(|open| open.what == word)
    }

    /// The end of the innermost block.
    pub(super) fn finish_block(&mut self) {
        let span = self.span();
        if self.is_sign(Sign::RecordClose) && self.closes_block() {
            self.advance();
            if self.open.last().is_some_and(|open| open.braces) {
                self.also(span, "end");
            } else {
                self.note(
                    Diagnostic::error("E108", span, "`}` closes no block in Wander")
                        .hint("write `end`")
                        .fix("end"),
                );
            }
        } else if self.is_word(Word::End) {
            self.read_end(span);
        } else {
            self.missing_end();
        }
        if let Some(diagnostic) = self.open.pop().and_then(|open| open.foreign) {
            self.note(diagnostic);
        }
    }

    fn read_end(&mut self, span: Span) {
        let at = self.at;
        self.advance();
        let Some(open) = self.open.last() else { return };
        let (opener, what, colon) = (open.opener, open.what, open.colon);
        if span.start == span.end {
            // It was put there by a repair.
            if colon {
                let fix = self.insertion(span.start, opener);
                self.also(fix.span, &fix.text);
            }
            return;
        }
        if self.mismatch.is_none()
            && let Some(own) = self.first_of_line(span)
            && own < self.indent(opener)
        {
            self.mismatch = Some(Mismatch { opener, what, colon, end: at });
        }
    }

    /// Tells which block lacks its `end`, and has the file read again as if it were there.
    fn missing_end(&mut self) {
        let Some(open) = self.open.last() else { return };
        let (opener, what) = (open.opener, open.what);
        if !self.at_end() && !self.begins_item() && !self.parts_outer_block() {
            let (line, _) = opener.line_column(self.source);
            self.unexpected(&format!("`end` of the `{what}` on line {line}"));
            return;
        }
        if self.gave_up {
            return;
        }
        let (opener, what, colon, at) = self.guess();
        let place = self.place_of(at);
        let (line, _) = opener.line_column(self.source);
        let (next, _) = Span::new(place, place).line_column(self.source);
        let at_end = matches!(self.tokens.get(at).map(|spanned| &spanned.token), None | Some(Token::End));
        let hint = if at_end {
            "add `end`".to_owned()
        } else {
            format!("judging by the indentation, the `end` is missing before line {next}")
        };
        let fix = self.insertion(place, opener);
        let finding = Diagnostic::error("E102", opener, format!("the `{what}` on line {line} has no `end`"))
            .label("opened here")
            .hint(hint)
            .fix_at(fix.span, fix.text);
        self.repair = Some(Repair { at, place, finding: (!colon).then_some(finding), at_end });
        self.give_up();
    }

    /// The block that most likely lacks its `end`, and the token before which that belongs.
    fn guess(&self) -> (Span, &'static str, bool, usize) {
        let here = (self.at, self.open.last());
        let mut best = here.1.map_or((Span::default(), "", false, here.0), |open| {
            (open.opener, open.what, open.colon, here.0)
        });
        if let Some(mismatch) = &self.mismatch {
            best = (mismatch.opener, mismatch.what, mismatch.colon, mismatch.end);
        }
        for open in self.open.iter().rev() {
            if let Some(at) = self.suspect(open.opener)
                && at < best.3
            {
                best = (open.opener, open.what, open.colon, at);
            }
        }
        best
    }

    /// The first token after `opener` that stands in front of its line, no deeper than the opener's line and no part
    /// of the block.
    fn suspect(&self, opener: Span) -> Option<usize> {
        let own = self.indent(opener);
        let from = self.tokens.partition_point(|spanned| spanned.span.start <= opener.start);
        let mut brackets = 0_i32;
        for at in from..self.at {
            let spanned = self.tokens.get(at)?;
            match &spanned.token {
                Token::Break | Token::End => continue,
                Token::Sign(Sign::Open | Sign::ListOpen | Sign::RecordOpen | Sign::NilOpen) => brackets += 1,
                Token::Sign(Sign::Close | Sign::ListClose | Sign::RecordClose) => brackets -= 1,
                _ => {}
            }
            let is_foreign = matches!(&spanned.token, Token::Name(name)
                if matches!(name.as_str(), "except" | "finally" | "elseif" | "default" | "until"));
            let parts = is_foreign
                || matches!(
                    spanned.token,
                    Token::Word(Word::End | Word::Else | Word::Elif | Word::Case | Word::Catch)
                        | Token::Sign(Sign::Close | Sign::ListClose | Sign::RecordClose | Sign::RecordOpen)
                );
            if !parts && brackets <= 0 && self.first_of_line(spanned.span).is_some_and(|indent| indent <= own)
            {
                return Some(at);
            }
        }
        None
    }

    /// Whether a handler or its kin begins here, as far left as the outermost block: it belongs to the file.
    fn begins_item(&self) -> bool {
        let is_item = matches!(
            (self.peek_at(0), self.peek_at(1)),
            (Token::Word(Word::On | Word::Prop), Token::Name(_)) | (Token::Word(Word::Use), Token::Text(_))
        );
        let Some(outermost) = self.open.first().filter(|_| is_item) else { return false };
        let Some(spanned) = self.tokens.get(self.at) else { return false };
        self.first_of_line(spanned.span).is_some_and(|indent| indent <= self.indent(outermost.opener))
    }

    /// Whether `else` and its kin belong to a block around the innermost one.
    fn parts_outer_block(&self) -> bool {
        let owners: &[&str] = match self.peek_at(0) {
            Token::Word(Word::Else) => &["if", "match"],
            Token::Word(Word::Elif) => &["if"],
            Token::Word(Word::Case) => &["match"],
            Token::Word(Word::Catch) => &["try"],
            _ => return false,
        };
        self.open.iter().rev().skip(1).any(|open| owners.contains(&open.what))
    }

    /// Where an `end` before this token is written: in front of its line, where it is the first there.
    fn place_of(&self, at: usize) -> u32 {
        let length = self.source.len() as u32;
        let Some(spanned) = self.tokens.get(at) else { return length };
        match spanned.token {
            Token::End => length,
            _ => spanned.span.start - self.first_of_line(spanned.span).unwrap_or(0),
        }
    }

    /// The `end` of a block at a place of the text.
    fn insertion(&self, place: u32, opener: Span) -> Fix {
        let indent = " ".repeat(self.indent(opener) as usize);
        let before = self.source.get(..place as usize).unwrap_or_default();
        let text = if before.is_empty() || before.ends_with('\n') {
            format!("{indent}end\n")
        } else if place as usize == self.source.len() {
            format!("\n{indent}end")
        } else {
            "end ".to_owned()
        };
        Fix { span: Span::new(place, place), text }
    }

    /// The indentation of a token that is the first of its line.
    fn first_of_line(&self, span: Span) -> Option<u32> {
        let before = self.source.as_bytes().get(..span.start as usize)?;
        let spaces = before.iter().rev().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
        let line = before.len() - spaces;
        (line == 0 || before.get(line - 1) == Some(&b'\n')).then_some(spaces as u32)
    }

    /// The indentation of the line that a place is in.
    fn indent(&self, span: Span) -> u32 {
        let before = self.source.get(..span.start as usize).unwrap_or_default();
        let line = before.rfind('\n').map_or(0, |at| at + 1);
        let text = self.source.get(line..).unwrap_or_default();
        text.bytes().take_while(|byte| matches!(byte, b' ' | b'\t')).count() as u32
    }

    /// Nothing sensible can follow: goes to the end of the file.
    pub(super) fn give_up(&mut self) {
        self.gave_up = true;
        self.at = self.tokens.len().saturating_sub(1);
    }
}
