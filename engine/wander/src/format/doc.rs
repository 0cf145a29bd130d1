//! What a formatted text is made of before it is known which of its lines fit.

use std::rc::Rc;

use super::tokens::Comment;

/// A part of a text. Shared, because a call may be laid out in several ways of which one is taken.
#[derive(Debug, Clone)]
pub(super) struct Doc<'a> {
    /// What it is.
    pub(super) node: Rc<Node<'a>>,
    breaks: Breaks,
}

/// Where a part ends a line, whatever fits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Breaks {
    /// Nowhere, and there is nothing in it.
    Empty,
    /// Nowhere.
    Never,
    /// Behind it: a comment ends it.
    Behind,
    /// Within it.
    Within,
}

/// What a part is.
#[derive(Debug)]
pub(super) enum Node<'a> {
    /// Text as it is; strings of several lines have line breaks in them.
    Text(&'a str),
    /// A space, or a new line where its group is broken.
    Line,
    /// Nothing, or a new line where its group is broken.
    SoftLine,
    /// A new line.
    HardLine,
    /// An empty line, where its group is broken.
    Blank,
    /// One after the other.
    Concat(Vec<Doc<'a>>),
    /// New lines in it are indented by so many levels more.
    Indent(usize, Doc<'a>),
    /// On one line where it fits; true breaks it always.
    Group(Doc<'a>, bool),
    /// Text where its group is broken.
    IfBroken(&'static str),
    /// A comment on a line of its own.
    Comment(&'a str),
    /// A comment for the end of the line.
    Suffix(&'a str),
    /// A value behind `=`: on the next line where only that makes it fit.
    Value(Doc<'a>),
    /// The first that fits: all on one line, with one argument broken, with all arguments on lines of their own.
    Call {
        /// On one line, apart from an argument that cannot be.
        flat: Doc<'a>,
        /// The argument that may be broken is.
        hug: Option<Doc<'a>>,
        /// One argument a line.
        open: Doc<'a>,
    },
}

impl<'a> Doc<'a> {
    fn new(node: Node<'a>, breaks: Breaks) -> Self {
        Self { node: Rc::new(node), breaks }
    }

    /// Whether it cannot stand on one line with what follows.
    pub(super) fn is_forced(&self) -> bool {
        self.breaks >= Breaks::Behind
    }

    /// Whether it has several lines.
    pub(super) fn has_lines(&self) -> bool {
        self.breaks == Breaks::Within
    }

    /// Nothing.
    pub(super) fn nil() -> Self {
        Self::concat([])
    }

    /// Text as it is.
    pub(super) fn text(text: &'a str) -> Self {
        Self::new(Node::Text(text), Breaks::Never)
    }

    /// A space or a new line.
    pub(super) fn line() -> Self {
        Self::new(Node::Line, Breaks::Never)
    }

    /// Nothing or a new line.
    pub(super) fn soft_line() -> Self {
        Self::new(Node::SoftLine, Breaks::Never)
    }

    /// A new line.
    pub(super) fn hard_line() -> Self {
        Self::new(Node::HardLine, Breaks::Within)
    }

    /// An empty line, where there may be one.
    pub(super) fn blank() -> Self {
        Self::new(Node::Blank, Breaks::Empty)
    }

    /// Text where the group around is broken.
    pub(super) fn if_broken(text: &'static str) -> Self {
        Self::new(Node::IfBroken(text), Breaks::Never)
    }

    /// One after the other.
    pub(super) fn concat(parts: impl Into<Vec<Doc<'a>>>) -> Self {
        let parts = parts.into();
        let breaks = parts.iter().fold(Breaks::Empty, |before, part| match (before, part.breaks) {
            (before, Breaks::Empty) => before,
            (Breaks::Behind, _) => Breaks::Within,
            (before, breaks) => before.max(breaks),
        });
        Self::new(Node::Concat(parts), breaks)
    }

    /// Indented by so many levels.
    pub(super) fn indent(levels: usize, doc: Doc<'a>) -> Self {
        let breaks = doc.breaks;
        Self::new(Node::Indent(levels, doc), breaks)
    }

    /// On one line where it fits and is not `broken`.
    pub(super) fn group(doc: Doc<'a>, broken: bool) -> Self {
        let breaks = if broken { Breaks::Within } else { doc.breaks };
        Self::new(Node::Group(doc, broken), breaks)
    }

    /// A value behind `=`.
    pub(super) fn value(doc: Doc<'a>) -> Self {
        let breaks = doc.breaks;
        Self::new(Node::Value(doc), breaks)
    }

    /// A call's arguments with their brackets.
    pub(super) fn call(flat: Doc<'a>, hug: Option<Doc<'a>>, open: Doc<'a>) -> Self {
        let breaks = flat.breaks;
        Self::new(Node::Call { flat, hug, open }, breaks)
    }

    /// A comment for the end of the line.
    pub(super) fn suffix(comment: Option<&'a str>) -> Self {
        comment.map_or_else(Self::nil, |text| Self::new(Node::Suffix(text), Breaks::Behind))
    }

    /// Comments on lines of their own, and what ends the last of these lines.
    pub(super) fn comments(comments: &[Comment<'a>]) -> Self {
        let mut parts = Vec::new();
        for (index, comment) in comments.iter().enumerate() {
            if comment.blank && index > 0 {
                parts.push(Self::blank());
            }
            parts.push(Self::new(Node::Comment(comment.text), Breaks::Within));
            parts.push(Self::hard_line());
        }
        Self::concat(parts)
    }
}
