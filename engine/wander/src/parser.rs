//! Tokens to a syntax tree. A function a production; after an error the parser goes on at the next statement, so
//! that all faults of a file are found at once.

mod block;
mod brackets;
mod branch;
mod expr;
mod foreign;
mod foreign_value;
mod format;
mod item;
mod loops;
mod stmt;

use crate::ast::{Expr, ExprKind, File, Stmt};
use crate::diagnostic::Diagnostic;
use crate::lexer::{DocComment, Lexed, lex, lex_to_braces};
use crate::span::Span;
use crate::token::{Sign, Spanned, Token, Word};
use block::{Mismatch, Open, Repair};

/// Deepest nesting of expressions and blocks; past it is E506. Deep enough for any person, shallow enough for the
/// machine's own stack.
pub const MOST_NESTING: u32 = 200;

/// Highest tree of one expression: links of a chain of operators or calls count as well as brackets. What goes through
/// the tree later needs the machine's stack for each level.
pub const MOST_HEIGHT: u32 = 250;

/// Longest source text, bytes; past it is E508.
pub const MOST_SOURCE: usize = 256 * 1024;

/// Blocks without `end` that are told of in one file; each has the file read once more.
const MOST_REPAIRS: usize = 60;

/// Tokens that are read once more for the sake of blocks without `end`: strangers' files must not take long.
const MOST_REREAD: usize = 400_000;

/// A whole file and what was wrong with it.
pub fn parse_file(source: &str) -> (File, Vec<Diagnostic>) {
    if source.len() > MOST_SOURCE {
        let message = format!("the file has {} bytes, at most {MOST_SOURCE} are read", source.len());
        return (File::default(), vec![Diagnostic::error("E508", Span::default(), message)]);
    }
    let mut lexed = lex(source, 0);
    let mut missing: Vec<Diagnostic> = Vec::new();
    let mut unfinished: Option<Diagnostic> = None;
    for round in 1.. {
        let found = lexed.diagnostics.clone();
        let mut parser = Parser::of(source, std::mem::take(&mut lexed), found);
        let file = parser.file();
        let repair = parser.repair.take();
        let is_last = round >= MOST_REPAIRS || round * parser.tokens.len() >= MOST_REREAD;
        let (at, place) = repair.as_ref().map_or((0, 0), |repair| (repair.at, repair.place));
        let is_whole = repair.is_none();
        if let Some(Repair { finding: Some(finding), at_end, .. }) = repair {
            match unfinished.as_mut().filter(|_| at_end) {
                Some(first) => first.also.extend(finding.fix),
                None if at_end => unfinished = Some(finding),
                None => missing.push(finding),
            }
        }
        if is_whole || is_last {
            parser.diagnostics.extend(missing);
            parser.diagnostics.extend(unfinished);
            return (file, parser.diagnostics);
        }
        // Read again as if the `end` were there: what follows is then no part of the block that lacks it.
        let span = Span::new(place, place);
        let end = [Token::Word(Word::End), Token::Break].map(|token| Spanned { token, span });
        lexed = Lexed { tokens: parser.tokens, docs: parser.docs, diagnostics: parser.lexed };
        lexed.tokens.splice(at..at, end);
    }
    (File::default(), lexed.diagnostics)
}

/// One expression, as in templates and conditions.
pub fn parse_expression(source: &str) -> (Expr, Vec<Diagnostic>) {
    if source.len() > MOST_SOURCE {
        let broken = Expr { kind: ExprKind::Broken, span: Span::default() };
        return (broken, vec![Diagnostic::error("E508", Span::default(), "the expression is too long")]);
    }
    let mut parser = Parser::new(source, 0);
    let expr = parser.only_expr();
    (expr, parser.diagnostics)
}

/// The expression of a template whose `{{` ends at byte `from`, what is wrong with it, and where its `}}` stands.
pub(crate) fn parse_to_braces(source: &str, from: usize) -> (Expr, Vec<Diagnostic>, Option<usize>) {
    let (lexed, close) = lex_to_braces(source.get(from..).unwrap_or_default(), from as u32);
    let opening = Span::new(from.saturating_sub(2) as u32, from as u32);
    let broken = |span| Expr { kind: ExprKind::Broken, span };
    let Some(close) = close.map(|close| from + close) else {
        let mut diagnostics = lexed.diagnostics;
        // A string that is not closed swallows the braces behind it: then that is what is wrong.
        if diagnostics.is_empty() {
            let hint = "close it with `}}`; braces that are only text are written `{{\"{{\"}}`";
            diagnostics.push(Diagnostic::error("E103", opening, "`{{` is never closed").hint(hint));
        }
        return (broken(opening), diagnostics, None);
    };
    let whole = Span::new(from as u32 - 2, close as u32 + 2);
    if source.get(from..close).unwrap_or_default().trim().is_empty() {
        let empty = Diagnostic::error("E101", whole, "nothing stands between `{{` and `}}`")
            .hint("write an expression there, or take the braces away");
        return (broken(whole), vec![empty], Some(close));
    }
    let mut parser = Parser { end: "`}}`", ..Parser::of(source, lexed, Vec::new()) };
    let expr = parser.only_expr();
    (expr, parser.diagnostics, Some(close))
}

struct Parser<'a> {
    source: &'a str,
    tokens: Vec<Spanned>,
    docs: Vec<DocComment>,
    at: usize,
    /// Open brackets around this point: line breaks mean nothing inside.
    brackets: u32,
    depth: u32,
    diagnostics: Vec<Diagnostic>,
    /// Set after an error until the next statement, so that one mistake is reported once.
    panicking: bool,
    /// The end of the file came too early and that was said: every block around is open for the same reason.
    gave_up: bool,
    /// Blocks that are open, the innermost last.
    open: Vec<Open>,
    /// The first block that ends further to the left than it begins.
    mismatch: Option<Mismatch>,
    /// An `end` without which the file cannot be read.
    repair: Option<Repair>,
    /// Brackets around the functions that this point is in.
    enclosing: u32,
    /// Places where a `:` belongs to `c ? a : b`.
    choices: u32,
    /// How many lines end before a byte, so that lines are counted once.
    counted: (usize, u32),
    /// What is told of the function whose block begins next.
    carried: Option<Diagnostic>,
    /// Further statements of what was written as one.
    pending: Vec<Stmt>,
    /// What the lexer found.
    lexed: Vec<Diagnostic>,
    /// The highest tree parsed since this was last set to 0.
    height: u32,
    /// What the last token is to whoever wrote the text.
    end: &'static str,
}

impl<'a> Parser<'a> {
    fn new(source: &'a str, offset: u32) -> Self {
        let text = source.get(offset as usize..).unwrap_or_default();
        Self::of(source, lex(text, offset), Vec::new())
    }

    /// Over these tokens; `lexed` is kept for reading them once more.
    fn of(source: &'a str, tokens: Lexed, lexed: Vec<Diagnostic>) -> Self {
        Self {
            source,
            tokens: tokens.tokens,
            docs: tokens.docs,
            at: 0,
            brackets: 0,
            depth: 0,
            diagnostics: tokens.diagnostics,
            panicking: false,
            gave_up: false,
            open: Vec::new(),
            mismatch: None,
            repair: None,
            enclosing: 0,
            choices: 0,
            counted: (0, 0),
            carried: None,
            pending: Vec::new(),
            lexed,
            height: 0,
            end: "the end of the file",
        }
    }

    /// An expression with nothing behind it.
    fn only_expr(&mut self) -> Expr {
        self.skip_breaks();
        let expr = self.expr();
        self.skip_breaks();
        if !self.at_end() {
            self.unexpected("the end of the expression");
        }
        expr
    }

    /// The token here, line breaks skipped inside brackets.
    fn peek(&mut self) -> &Token {
        if self.brackets > 0 {
            self.skip_breaks();
        }
        self.tokens.get(self.at).map_or(&Token::End, |spanned| &spanned.token)
    }

    fn peek_at(&self, ahead: usize) -> &Token {
        self.tokens.get(self.at + ahead).map_or(&Token::End, |spanned| &spanned.token)
    }

    fn span(&mut self) -> Span {
        self.peek();
        self.tokens.get(self.at).or(self.tokens.last()).map_or(Span::default(), |spanned| spanned.span)
    }

    /// The place of the token before this one.
    fn last_span(&self) -> Span {
        self.tokens.get(self.at.saturating_sub(1)).map_or(Span::default(), |spanned| spanned.span)
    }

    fn at_end(&mut self) -> bool {
        matches!(self.peek(), Token::End)
    }

    fn advance(&mut self) {
        if self.at + 1 < self.tokens.len() {
            self.at += 1;
        }
    }

    fn skip_breaks(&mut self) {
        while matches!(self.tokens.get(self.at).map(|spanned| &spanned.token), Some(Token::Break)) {
            self.at += 1;
        }
    }

    fn is_word(&mut self, word: Word) -> bool {
        *self.peek() == Token::Word(word)
    }

    fn is_sign(&mut self, sign: Sign) -> bool {
        *self.peek() == Token::Sign(sign)
    }

    fn eat_word(&mut self, word: Word) -> bool {
        let found = self.is_word(word);
        if found {
            self.advance();
        }
        found
    }

    fn eat_sign(&mut self, sign: Sign) -> bool {
        let found = self.is_sign(sign);
        if found {
            self.advance();
        }
        found
    }

    fn expect_sign(&mut self, sign: Sign, why: &str) -> bool {
        if self.eat_sign(sign) {
            return true;
        }
        self.unexpected(&format!("`{}` {why}", sign.text()));
        false
    }

    /// A name, or the error with what it was for.
    fn expect_name(&mut self, why: &str) -> Option<(String, Span)> {
        let span = self.span();
        match self.peek().clone() {
            Token::Name(name) => {
                self.advance();
                Some((name, span))
            }
            Token::Word(word) => {
                self.report(
                    Diagnostic::error(
                        "E101",
                        span,
                        format!("`{}` is a keyword and cannot name {why}", word.text()),
                    )
                    .hint(format!("call it `{}_` or something else", word.text())),
                );
                self.advance();
                None
            }
            _ => {
                self.unexpected(&format!("a name for {why}"));
                None
            }
        }
    }

    /// A name or a keyword, as after a dot.
    fn word_after_dot(&mut self) -> Option<(String, Span)> {
        let span = self.span();
        match self.peek().clone() {
            Token::Name(name) => {
                self.advance();
                Some((name, span))
            }
            Token::Word(word) => {
                self.advance();
                Some((word.text().to_owned(), span))
            }
            _ => {
                self.unexpected("a name after `.`");
                None
            }
        }
    }

    fn report(&mut self, diagnostic: Diagnostic) {
        if !self.panicking && !self.gave_up {
            self.diagnostics.push(diagnostic);
        }
        self.panicking = true;
    }

    /// A warning or an error after which the text still makes sense.
    fn note(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    fn unexpected(&mut self, expected: &str) {
        let span = self.span();
        let found = match self.peek().clone() {
            Token::Break => "the end of the line".to_owned(),
            Token::End => self.end.to_owned(),
            Token::Word(word) => format!("`{}`", word.text()),
            Token::Sign(sign) => format!("`{}`", sign.text()),
            _ => format!("`{}`", span.text(self.source)),
        };
        self.report(Diagnostic::error("E101", span, format!("expected {expected}, found {found}")));
    }

    /// Runs `inner` one level deeper, or reports that it is too deep.
    fn nested<T>(&mut self, inner: impl FnOnce(&mut Self) -> T, too_deep: impl FnOnce() -> T) -> T {
        if self.depth >= MOST_NESTING {
            let span = self.span();
            self.report(
                Diagnostic::error("E506", span, format!("nested deeper than {MOST_NESTING} levels"))
                    .hint("put parts of it into variables or functions"),
            );
            self.give_up();
            return too_deep();
        }
        self.depth += 1;
        let before = self.begin_height();
        let result = inner(self);
        self.link();
        self.end_height(before);
        self.depth -= 1;
        result
    }

    fn begin_height(&mut self) -> u32 {
        std::mem::take(&mut self.height)
    }

    /// One more level on top of what was parsed since [`Self::begin_height`]; false where that is too much.
    fn link(&mut self) -> bool {
        self.height += 1;
        if self.height <= MOST_HEIGHT {
            return true;
        }
        let span = self.span();
        self.report(
            Diagnostic::error("E506", span, format!("an expression of more than {MOST_HEIGHT} levels"))
                .hint("put parts of it into variables"),
        );
        self.give_up();
        false
    }

    fn end_height(&mut self, before: u32) {
        self.height = self.height.max(before);
    }

    /// The line of a byte, counted on from the last one that was asked for.
    fn line_of(&mut self, at: usize) -> u32 {
        let (from, lines) = if at < self.counted.0 { (0, 0) } else { self.counted };
        let new = self.source.as_bytes().get(from..at).unwrap_or_default();
        self.counted = (at, lines + new.iter().filter(|byte| **byte == b'\n').count() as u32);
        self.counted.1 + 1
    }

    /// The doc comments that stand right above the line of this byte.
    fn doc_above(&mut self, span: Span) -> String {
        if self.docs.is_empty() {
            return String::new();
        }
        let line = self.line_of(span.start as usize);
        let above = self.docs.partition_point(|doc| doc.line < line);
        // A doc comment may also end the line itself.
        if let Some(doc) = self.docs.get(above).filter(|doc| doc.line == line) {
            return doc.text.clone();
        }
        let docs = self.docs.get(..above).unwrap_or_default();
        let count = docs.iter().rev().zip(1..).take_while(|(doc, up)| doc.line + up == line).count();
        let texts: Vec<&str> = docs.iter().skip(above - count).map(|doc| doc.text.as_str()).collect();
        texts.join("\n")
    }
}
