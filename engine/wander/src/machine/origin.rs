//! Where a nil came from: the text of the expression that gave it, and what the record has instead of a missing key.
//! It is found by reading the text of the instruction again, so that programs that make no mistake carry nothing for it.

use super::Machine;
use super::run::Names;
use super::tasks::Task;
use crate::ast::{ExprKind, ItemDecl, StmtKind};
use crate::fault::Fault;

/// Bytes of text up to which it is read again.
const LONGEST: usize = 1_000;

/// Keys of a record that are compared with a missing one.
const MOST_KEYS: usize = 256;

/// What of an instruction was nil.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Operand {
    /// The left side of an operator, or what stands behind a sign.
    Left,
    /// The right side.
    Right,
    /// What an element was asked of.
    Object,
    /// All of it.
    Whole,
}

impl Machine {
    /// The fault of a nil that nothing can be done with.
    pub(super) fn nil_fault(&self, task: &Task, names: &Names<'_>, operand: Operand, so: &str) -> Box<Fault> {
        let text = self.operand(task, names, operand);
        let subject = text.as_deref().map_or_else(|| "this".to_owned(), |text| format!("`{text}`"));
        let mut fault = Fault::new("E301", format!("{subject} is nil, {so}"));
        fault.searched = text.as_deref().map_or(0, |text| (text.len() + MOST_KEYS) * 8);
        match text.and_then(|text| self.near_fields(&text, task, names)) {
            Some(hint) => fault.hint(hint),
            None => fault,
        }
    }

    /// The source text of what the current instruction works on, in backticks.
    pub(super) fn subject(&self, task: &Task, names: &Names<'_>) -> String {
        match self.operand(task, names, Operand::Whole) {
            Some(text) => format!("`{text}`"),
            None => "this".to_owned(),
        }
    }

    /// The source text of a part of the current instruction, on one line.
    pub(super) fn operand(&self, task: &Task, names: &Names<'_>, operand: Operand) -> Option<String> {
        let program = &names.loaded.program;
        let frame = task.frames.last()?;
        let span = program.span(frame.function as usize, (frame.pc as usize).saturating_sub(1));
        let text = span.text(&program.source);
        let part = match operand {
            Operand::Whole => text,
            _ if text.len() > LONGEST => return None,
            _ => part_of(text, operand)?,
        };
        part.lines().next().filter(|line| !line.is_empty()).map(str::to_owned)
    }

    /// Where `record.centre` was nil: what the record has instead.
    pub(super) fn near_fields(&self, text: &str, task: &Task, names: &Names<'_>) -> Option<String> {
        let program = &names.loaded.program;
        let frame = task.frames.last()?;
        let (owner, field) = text.rsplit_once('.')?;
        let code = program.functions.get(frame.function as usize)?;
        let parameter = code.param_names.iter().position(|name| name == owner);
        let value = match (parameter, program.global(owner)) {
            (Some(index), _) => *task.stack.get(frame.base as usize + index)?,
            (None, Some(global)) => self.global(frame.instance, names.loaded.place_of(global)),
            (None, None) => return None,
        };
        let record = self.heap.get_record(value)?;
        let keys: Vec<String> = record
            .iter(&self.heap.shapes)
            .take(MOST_KEYS)
            .map(|(key, _)| key.text(&self.heap.shapes))
            .collect();
        if keys.is_empty() {
            return Some(format!("`{owner}` has no keys"));
        }
        let near = base::suggest::nearest(field, keys.iter().map(String::as_str));
        let mut has = format!("`{owner}` has: {}", base::suggest::list(keys.iter().map(String::as_str), 12));
        if record.len() > keys.len() {
            has.push_str(" and others");
        }
        Some(match near.first() {
            Some(near) => format!("{has}. Did you mean `{owner}.{near}`?"),
            None => has,
        })
    }
}

/// A part of the text of an expression or of an assignment.
fn part_of(text: &str, operand: Operand) -> Option<&str> {
    let (expr, findings) = crate::parser::parse_expression(text);
    let span = if findings.is_empty() {
        match (&expr.kind, operand) {
            (ExprKind::Binary(_, left, _) | ExprKind::Negate(left), Operand::Left) => left.span,
            (ExprKind::Binary(_, _, right), Operand::Right) => right.span,
            (ExprKind::Index(object, ..), Operand::Object) => object.span,
            _ => expr.span,
        }
    } else {
        let (file, _) = crate::parser::parse_file(text);
        let [ItemDecl::Statement(statement)] = file.items.as_slice() else { return None };
        let StmtKind::Assign(target, _, value) = &statement.kind else { return None };
        match (operand, &target.kind) {
            (Operand::Object, ExprKind::Index(object, ..)) => object.span,
            (Operand::Right, _) => value.span,
            _ => target.span,
        }
    };
    Some(span.text(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operands_are_found_in_expressions_and_assignments() {
        for (text, operand, expected) in [
            ("r.score + 1", Operand::Left, "r.score"),
            ("2 * bonus(1, 2)", Operand::Right, "bonus(1, 2)"),
            ("a + b + c", Operand::Left, "a + b"),
            ("-r.score", Operand::Left, "r.score"),
            ("r.items[0]", Operand::Object, "r.items"),
            ("r.items[0] = 1", Operand::Object, "r.items"),
            ("r.score += 1 + 2", Operand::Left, "r.score"),
            ("total -= r.cost", Operand::Right, "r.cost"),
        ] {
            assert_eq!(part_of(text, operand), Some(expected), "{text}");
        }
    }
}
