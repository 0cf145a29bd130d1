//! What stands in brackets: lists, records, vectors, arguments, parameters.

use super::build::Builder;
use super::doc::Doc;
use super::expr::Piece;
use crate::token::Sign;

/// Items between brackets.
pub(super) struct Sequence<'a> {
    open: Doc<'a>,
    items: Vec<Item<'a>>,
    /// Comments behind the last item.
    tail: Doc<'a>,
    close: Doc<'a>,
    /// There is a line break behind the opening bracket.
    opened: bool,
    /// A comment stands between brackets and items.
    commented: bool,
}

struct Item<'a> {
    /// Comments and empty lines above.
    lead: Doc<'a>,
    piece: Piece<'a>,
    /// Comments around the comma.
    after: Doc<'a>,
}

impl<'a> Builder<'a> {
    /// From the opening bracket to the closing one.
    pub(super) fn sequence(
        &mut self,
        close: Sign,
        mut item: impl FnMut(&mut Self) -> Piece<'a>,
    ) -> Sequence<'a> {
        // What does not fit behind the bracket belongs inside.
        let open = Doc::indent(1, self.emit());
        self.brackets += 1;
        let mut commented = self.is_commented();
        let opened = self.newline();
        let mut items = Vec::new();
        while !self.is_sign(close) {
            let before = self.at;
            let lead = self.lead(items.is_empty());
            commented |= lead.is_forced();
            let piece = item(self);
            commented |= self.is_commented();
            let after = if self.is_sign(Sign::Comma) { self.skip() } else { Doc::nil() };
            commented |= after.is_forced();
            items.push(Item { lead, piece, after });
            if self.at == before {
                break;
            }
        }
        let tail = Self::tail(&self.take_own(), items.is_empty());
        commented |= tail.is_forced();
        self.brackets -= 1;
        let close = self.emit();
        Sequence { open, items, tail, close, opened, commented }
    }
}

impl<'a> Sequence<'a> {
    /// A list, a record, a vector or parameters. With a comma behind the last item of several lines where there may be
    /// one.
    pub(super) fn plain(self, comma: bool) -> Piece<'a> {
        let forced = self.items.iter().any(|item| item.piece.is_forced());
        let broken = !self.items.is_empty() && (self.opened || forced) || self.commented;
        let doc = self.broken(comma);
        let hug = (!self.items.is_empty()).then(|| Doc::group(doc.clone(), true));
        Piece::bracket(Doc::group(doc, broken)).or_hug(hug)
    }

    /// A call's arguments.
    pub(super) fn arguments(self) -> Doc<'a> {
        let count = self.items.len();
        let hugged = match self.items.last() {
            None => None,
            Some(last) if last.piece.is_forced() || last.piece.hug.is_some() => Some(count - 1),
            Some(_) => {
                let mut blocks = self.items.iter().enumerate().filter(|(_, item)| item.piece.is_block);
                blocks.next().filter(|_| blocks.next().is_none()).map(|(index, _)| index)
            }
        };
        let stiff = self
            .items
            .iter()
            .enumerate()
            .any(|(index, item)| Some(index) != hugged && item.piece.is_forced());
        let open = self.broken(false);
        if self.commented || stiff || count > 0 && self.opened {
            return Doc::group(open, true);
        }
        let flat = self.flat(None);
        let hug = if flat.has_lines() { None } else { hugged.map(|index| self.flat(Some(index))) };
        Doc::call(flat, hug, Doc::group(open, true))
    }

    /// All in a line, one item broken.
    fn flat(&self, hugged: Option<usize>) -> Doc<'a> {
        let mut parts = vec![self.open.clone()];
        for (index, item) in self.items.iter().enumerate() {
            if index > 0 {
                parts.push(Doc::text(", "));
            }
            let hug = item.piece.hug.as_ref().filter(|_| Some(index) == hugged);
            parts.push(hug.cloned().unwrap_or_else(|| item.piece.doc(1)));
        }
        parts.push(self.close.clone());
        Doc::concat(parts)
    }

    /// An item a line.
    fn broken(&self, comma: bool) -> Doc<'a> {
        let levels = if self.items.len() == 1 { 0 } else { 1 };
        let mut inside = Vec::new();
        for (index, item) in self.items.iter().enumerate() {
            inside.push(if index == 0 { Doc::soft_line() } else { Doc::line() });
            inside.push(item.lead.clone());
            inside.push(item.piece.doc(levels));
            if index + 1 < self.items.len() {
                inside.push(Doc::text(","));
            } else if comma {
                inside.push(Doc::if_broken(","));
            }
            inside.push(item.after.clone());
        }
        inside.push(self.tail.clone());
        Doc::concat([
            self.open.clone(),
            Doc::indent(1, Doc::concat(inside)),
            Doc::soft_line(),
            self.close.clone(),
        ])
    }

    /// The one value in brackets, or all of them.
    pub(super) fn single(mut self) -> Result<Piece<'a>, Self> {
        if self.items.len() != 1 {
            return Err(self);
        }
        let Some(item) = self.items.pop() else { return Err(self) };
        // What has brackets of its own is broken within those.
        let stiff = item.piece.is_compact() && !self.commented;
        let broken = !stiff && (self.commented || item.piece.is_forced());
        let line = || if stiff { Doc::nil() } else { Doc::soft_line() };
        let inside = [line(), item.lead, item.piece.doc(0), item.after, self.tail];
        let inside = Doc::concat(inside);
        let inside = if stiff { inside } else { Doc::indent(1, inside) };
        Ok(Piece::bracket(Doc::group(Doc::concat([self.open, inside, line(), self.close]), broken)))
    }
}
