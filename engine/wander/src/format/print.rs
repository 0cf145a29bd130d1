//! Parts to lines.

use super::doc::{Doc, Node};

/// Columns of a line, comments at its end not counted.
const WIDTH: usize = 110;

/// Columns of a level.
const INDENT: usize = 2;

/// Spaces between a line and the comment at its end, at least.
const COMMENT_GAP: usize = 4;

/// The furthest column to which the comments at the ends of neighbouring lines are lined up: one long line does not
/// push the others' comments far away.
const FURTHEST_COMMENT: usize = 50;

/// Lays a document out.
pub(super) fn print(doc: &Doc<'_>) -> String {
    let mut printer = Printer::default();
    let mut commands = vec![Command { indent: 0, mode: Mode::Broken, doc }];
    while let Some(command) = commands.pop() {
        printer.step(command, &mut commands);
    }
    printer.new_line(0);
    join(&printer.lines)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mode {
    Flat,
    Broken,
}

#[derive(Debug, Clone, Copy)]
struct Command<'d, 'a> {
    indent: usize,
    mode: Mode,
    doc: &'d Doc<'a>,
}

impl<'d, 'a> Command<'d, 'a> {
    fn with(self, doc: &'d Doc<'a>, mode: Mode) -> Self {
        Self { doc, mode, ..self }
    }
}

/// A line that is done.
#[derive(Debug, Default)]
struct Line<'a> {
    indent: usize,
    text: String,
    comment: Option<&'a str>,
    /// It begins within a string: nothing may be put before it.
    inside: bool,
}

#[derive(Debug, Default)]
struct Printer<'a> {
    lines: Vec<Line<'a>>,
    line: Line<'a>,
    /// The line ends with a comment: nothing may follow on it.
    closed: bool,
    /// Comments for the lines below this one.
    later: Vec<Line<'a>>,
}

impl<'a> Printer<'a> {
    fn step<'d>(&mut self, command: Command<'d, 'a>, commands: &mut Vec<Command<'d, 'a>>) {
        let Command { indent, mode, doc } = command;
        match (&*doc.node, mode) {
            (Node::Text(text), _) => self.text(text, indent),
            (Node::IfBroken(text), Mode::Broken) => self.text(text, indent),
            (Node::Line, Mode::Flat) => self.text(" ", indent),
            (Node::IfBroken(_) | Node::SoftLine | Node::Blank, Mode::Flat) => {}
            (Node::Line | Node::SoftLine, Mode::Broken) | (Node::HardLine, _) => self.new_line(indent),
            (Node::Blank, Mode::Broken) => self.blank(indent),
            (Node::Concat(parts), _) => {
                commands.extend(parts.iter().rev().map(|part| command.with(part, mode)));
            }
            (Node::Indent(levels, doc), _) => {
                commands.push(Command { indent: indent + levels * INDENT, mode, doc });
            }
            (Node::Group(doc, broken), _) => {
                let fits = || {
                    mode == Mode::Flat || self.fits(self.column(), command.with(doc, Mode::Flat), commands)
                };
                let mode = if !*broken && fits() { Mode::Flat } else { Mode::Broken };
                commands.push(command.with(doc, mode));
            }
            (Node::Value(doc), _) => {
                let column = self.column() + 1;
                let flat = command.with(doc, Mode::Flat);
                let below = Command { indent: indent + INDENT, ..flat };
                if mode == Mode::Flat || self.fits(column, flat, commands) {
                    self.text(" ", indent);
                    commands.push(flat);
                } else if !doc.has_lines() && self.fits(below.indent, below, commands) {
                    self.new_line(below.indent);
                    commands.push(below);
                } else {
                    self.text(" ", indent);
                    commands.push(command.with(doc, Mode::Broken));
                }
            }
            (Node::Call { flat, .. }, Mode::Flat) => commands.push(command.with(flat, mode)),
            (Node::Call { flat, hug, open }, Mode::Broken) => {
                let fitting = [Some(flat), hug.as_ref()]
                    .into_iter()
                    .flatten()
                    .find(|way| self.fits(self.column(), command.with(way, Mode::Flat), commands));
                commands.push(match fitting {
                    Some(way) => command.with(way, Mode::Flat),
                    None => command.with(open, Mode::Broken),
                });
            }
            (Node::Comment(text), _) => {
                if self.is_used() {
                    self.new_line(indent);
                }
                self.line.text.push_str(text);
                self.closed = true;
            }
            (Node::Suffix(text), _) => {
                if self.closed || !self.is_used() {
                    self.new_line(indent);
                    self.line.text.push_str(text);
                    self.closed = true;
                } else if self.line.comment.is_none() {
                    self.line.comment = Some(text);
                } else {
                    // A second comment cannot share the line of the first.
                    self.later.push(Line { indent, text: (*text).to_owned(), ..Line::default() });
                }
            }
        }
    }

    fn is_used(&self) -> bool {
        !self.line.text.is_empty() || self.line.comment.is_some() || self.line.inside
    }

    fn column(&self) -> usize {
        let used = if self.closed { 0 } else { self.line.text.chars().count() };
        self.line.indent + used
    }

    fn text(&mut self, text: &str, indent: usize) {
        if self.closed {
            self.new_line(indent);
        }
        if !self.is_used() && text == " " {
            return;
        }
        let mut parts = text.split('\n');
        self.line.text.push_str(parts.next().unwrap_or_default());
        for part in parts {
            let inside = Line { text: part.to_owned(), inside: true, ..Line::default() };
            self.lines.push(std::mem::replace(&mut self.line, inside));
        }
    }

    fn new_line(&mut self, indent: usize) {
        let mut line = std::mem::replace(&mut self.line, Line { indent, ..Line::default() });
        self.closed = false;
        line.text.truncate(line.text.trim_end().len());
        if !line.text.is_empty() || line.comment.is_some() || line.inside {
            self.lines.push(line);
        }
        // They stand in the block that follows, or at the end of the one before it.
        let later = self.later.drain(..);
        self.lines.extend(later.map(|line| Line { indent: line.indent.max(indent), ..line }));
    }

    fn blank(&mut self, indent: usize) {
        if self.is_used() {
            self.new_line(indent);
        }
        if self.lines.last().is_some_and(|line| line.inside || !line.text.is_empty()) {
            self.lines.push(Line::default());
        }
    }

    /// Whether all up to the next new line has room from this column on.
    fn fits(&self, column: usize, first: Command<'_, 'a>, rest: &[Command<'_, 'a>]) -> bool {
        let mut room = WIDTH.saturating_sub(column);
        if column > WIDTH {
            return false;
        }
        let mut work = vec![first];
        let mut rest = rest.iter().rev();
        while let Some(command) = work.pop().or_else(|| rest.next().copied()) {
            let Command { mode, doc, .. } = command;
            let (text, ends) = match (&*doc.node, mode) {
                (Node::Text(text), _) => (text.split('\n').next().unwrap_or_default(), text.contains('\n')),
                (Node::IfBroken(text), Mode::Broken) => (*text, false),
                (Node::Line, Mode::Flat) => (" ", false),
                (Node::Line | Node::SoftLine, Mode::Broken) => ("", true),
                (Node::HardLine | Node::Comment(_), _) => ("", true),
                (Node::IfBroken(_) | Node::SoftLine, Mode::Flat) | (Node::Blank | Node::Suffix(_), _) => {
                    ("", false)
                }
                (Node::Concat(parts), _) => {
                    work.extend(parts.iter().rev().map(|part| command.with(part, mode)));
                    ("", false)
                }
                (Node::Indent(_, doc), _) => {
                    work.push(command.with(doc, mode));
                    ("", false)
                }
                (Node::Group(doc, broken), _) => {
                    work.push(command.with(doc, if *broken { Mode::Broken } else { mode }));
                    ("", false)
                }
                (Node::Value(doc), _) => {
                    work.push(command.with(doc, mode));
                    (" ", false)
                }
                (Node::Call { flat, .. }, Mode::Flat) => {
                    work.push(command.with(flat, mode));
                    ("", false)
                }
                (Node::Call { open, .. }, Mode::Broken) => {
                    work.push(command.with(open, mode));
                    ("", false)
                }
            };
            match room.checked_sub(text.chars().count()) {
                Some(left) => room = left,
                None => return false,
            }
            if ends {
                return true;
            }
        }
        true
    }
}

/// The lines as one text, the comments at their ends lined up.
fn join(lines: &[Line<'_>]) -> String {
    let mut text = String::new();
    let mut rest = lines;
    while let Some(first) = rest.first() {
        // Lines of one block that follow each other.
        let alike = |line: &&Line<'_>| {
            line.indent == first.indent
                && !line.inside
                && !line.text.is_empty()
                && !line.text.starts_with("--")
        };
        let count = rest.iter().take_while(alike).count().max(1);
        let (run, after) = rest.split_at_checked(count).unwrap_or((rest, &[]));
        let width = |line: &Line<'_>| line.indent + line.text.chars().count();
        let column = run
            .iter()
            .filter(|line| line.comment.is_some())
            .map(width)
            .filter(|width| *width <= FURTHEST_COMMENT)
            .max()
            .unwrap_or(0);
        for line in run {
            if !line.inside && !line.text.is_empty() {
                text.extend(std::iter::repeat_n(' ', line.indent));
            }
            text.push_str(&line.text);
            if let Some(comment) = line.comment {
                text.extend(std::iter::repeat_n(' ', column.saturating_sub(width(line)) + COMMENT_GAP));
                text.push_str(comment);
            }
            text.push('\n');
        }
        rest = after;
    }
    text
}
