//! What is wrong with a source text, and the one way in which that is shown.

use base::{Problem, Severity};

use crate::span::{Lines, Span};

/// A mend that a tool can make by itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fix {
    /// What to replace.
    pub span: Span,
    /// With what.
    pub text: String,
}

/// One finding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// `E…` or `W…`.
    pub code: &'static str,
    /// How bad it is.
    pub severity: Severity,
    /// What was found and what was expected.
    pub message: String,
    /// Where.
    pub span: Span,
    /// A few words under the carets.
    pub label: String,
    /// What to write instead.
    pub hint: Option<String>,
    /// The mend, where it is certain.
    pub fix: Option<Fix>,
    /// What the mend changes elsewhere: it is whole only with these.
    pub also: Vec<Fix>,
}

impl Diagnostic {
    /// An error.
    pub fn error(code: &'static str, span: Span, message: impl Into<String>) -> Self {
        Self {
            code,
            severity: Severity::Error,
            message: message.into(),
            span,
            label: String::new(),
            hint: None,
            fix: None,
            also: Vec::new(),
        }
    }

    /// A warning.
    pub fn warning(code: &'static str, span: Span, message: impl Into<String>) -> Self {
        Self { severity: Severity::Warning, ..Self::error(code, span, message) }
    }

    /// With words under the carets.
    #[must_use]
    pub fn label(mut self, label: impl Into<String>) -> Self {
        self.label = label.into();
        self
    }

    /// With what to write instead.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// With a mend of the whole span.
    #[must_use]
    pub fn fix(mut self, text: impl Into<String>) -> Self {
        self.fix = Some(Fix { span: self.span, text: text.into() });
        self
    }

    /// With a mend at another place.
    #[must_use]
    pub fn fix_at(mut self, span: Span, text: impl Into<String>) -> Self {
        self.fix = Some(Fix { span, text: text.into() });
        self
    }

    /// With one more change that the mend needs.
    #[must_use]
    pub fn also(mut self, span: Span, text: impl Into<String>) -> Self {
        self.also.push(Fix { span, text: text.into() });
        self
    }

    /// Every change of the mend; none where there is no certain one.
    pub fn edits(&self) -> impl Iterator<Item = &Fix> {
        self.fix.iter().chain(self.also.iter().filter(|_| self.fix.is_some()))
    }

    /// Whether the program cannot run.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }

    /// The finding with its place, the line of source and the hint, ending without a line break.
    pub fn render(&self, path: &str, source: &str) -> String {
        self.render_with(path, source, &Lines::new(source))
    }

    /// The same where the lines of the source are known, for many findings in one source.
    pub(crate) fn render_with(&self, path: &str, source: &str, lines: &Lines) -> String {
        let (line, column) = lines.place(self.span.start, source);
        let mut text = format!("{} {} · {path}:{line}:{column}", self.code, self.message);
        if let Some(content) = lines.text(line, source) {
            let number = line.to_string();
            let gutter = number.len().max(3);
            // Tabs would put the carets in the wrong place.
            let shown = content.replace('\t', " ");
            let covered = self.span.text(source).lines().next().unwrap_or_default().chars().count().max(1);
            let room = (shown.chars().count() + 1).saturating_sub(column as usize - 1).max(1);
            text.push_str(&format!("\n{number:>gutter$} | {shown}"));
            text.push_str(&format!(
                "\n{:gutter$} | {}{}",
                "",
                " ".repeat(column as usize - 1),
                "^".repeat(covered.min(room))
            ));
            if !self.label.is_empty() {
                text.push(' ');
                text.push_str(&self.label);
            }
        }
        if let Some(hint) = &self.hint {
            text.push_str("\n  hint: ");
            text.push_str(hint);
        }
        text
    }

    /// The finding as the engine's other problems are reported.
    pub fn to_problem(&self, path: &str, source: &str) -> Problem {
        self.to_problem_with(path, source, &Lines::new(source))
    }

    /// The same where the lines of the source are known.
    pub(crate) fn to_problem_with(&self, path: &str, source: &str, lines: &Lines) -> Problem {
        let (line, column) = lines.place(self.span.start, source);
        let mut problem = Problem::new(self.code, self.message.clone()).file(path).at(line, column);
        problem.severity = self.severity;
        problem.hint = self.hint.clone();
        problem
    }
}

/// The source with every mend made, each whole or not at all: of mends that change the same place the first is made.
/// Insertions at one place stand in the order of the findings, the last first, so that inner blocks end before outer
/// ones.
pub fn mended<'a>(source: &str, diagnostics: impl IntoIterator<Item = &'a Diagnostic>) -> String {
    let mut edits: Vec<&Fix> = Vec::new();
    for diagnostic in diagnostics {
        let is_free = |new: &Fix| edits.iter().all(|old| !overlap(old.span, new.span));
        if diagnostic.edits().all(is_free) {
            edits.splice(0..0, diagnostic.edits());
        }
    }
    edits.sort_by_key(|edit| edit.span.start);
    let mut text = String::with_capacity(source.len());
    let mut at = 0;
    for edit in edits {
        text.push_str(source.get(at..edit.span.start as usize).unwrap_or_default());
        text.push_str(&edit.text);
        at = edit.span.end as usize;
    }
    text.push_str(source.get(at..).unwrap_or_default());
    text
}

fn overlap(a: Span, b: Span) -> bool {
    let is_same_change = a == b && a.start < a.end;
    is_same_change || (a.start < b.end && b.start < a.end)
}
