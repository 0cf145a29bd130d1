//! What stands at the top of a file.

use super::Parser;
use crate::ast::{File, ItemDecl};
use crate::diagnostic::Diagnostic;
use crate::token::{Sign, Token, Word};

impl Parser<'_> {
    pub(super) fn file(&mut self) -> File {
        let mut items = Vec::new();
        loop {
            self.skip_breaks();
            if self.at_end() {
                break;
            }
            let before = self.at;
            let item = self.item();
            items.extend(self.pending.drain(..).map(ItemDecl::Statement));
            items.extend(item);
            self.stray_end();
            self.end_of_statement();
            if self.at == before {
                self.advance();
            }
        }
        File { items }
    }

    /// Tells of an `end` that closes nothing.
    fn stray_end(&mut self) {
        let span = self.span();
        let is_brace = self.is_sign(Sign::RecordClose);
        if (!self.is_word(Word::End) && !is_brace) || self.panicking {
            return;
        }
        let found = if is_brace { "`}`" } else { "`end`" };
        self.report(
            Diagnostic::error("E101", span, format!("{found} without anything to end"))
                .hint("take it out, or look for a block above that was closed too early"),
        );
        self.advance();
    }

    fn item(&mut self) -> Option<ItemDecl> {
        if let Some(handler) = self.foreign_handler() {
            return Some(handler);
        }
        match self.peek() {
            Token::Word(Word::End) | Token::Sign(Sign::RecordClose) => None,
            Token::Word(Word::Use) => self.use_item(),
            Token::Word(Word::Prop) => self.prop(),
            Token::Word(Word::On) => self.handler(),
            _ => self.statement().map(ItemDecl::Statement),
        }
    }

    fn use_item(&mut self) -> Option<ItemDecl> {
        let span = self.span();
        self.advance();
        let path = match self.peek().clone() {
            Token::Text(path) => path,
            _ => {
                self.unexpected("a path such as `\"lib/steering\"`");
                return None;
            }
        };
        self.advance();
        let last = path.rsplit('/').next().unwrap_or_default().to_owned();
        let renamed = *self.peek() == Token::Name("as".to_owned());
        let name = if renamed {
            self.advance();
            self.expect_name("the module")?.0
        } else {
            last
        };
        let span = span.to(self.last_span());
        Some(ItemDecl::Use { path, name, span })
    }

    fn prop(&mut self) -> Option<ItemDecl> {
        let start = self.span();
        let doc = self.doc_above(start);
        self.advance();
        let (name, name_span) = self.expect_name("the prop")?;
        self.foreign_type();
        if !self.expect_sign(Sign::Set, "and a default") {
            return None;
        }
        let value = self.coalesce();
        let range = if self.eat_word(Word::In) { Some(self.range()) } else { None };
        Some(ItemDecl::Prop { name, name_span, value, range, doc })
    }

    fn handler(&mut self) -> Option<ItemDecl> {
        let start = self.span();
        let doc = self.doc_above(start);
        self.advance();
        let (name, name_span) = self.expect_name("the event")?;
        Some(ItemDecl::Handler(self.function_rest(name, name_span, doc, "on")))
    }
}
