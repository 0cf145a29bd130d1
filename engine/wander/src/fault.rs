//! What goes wrong while a program runs.

use serde::Serialize;

use crate::value::Value;

/// A runtime error: it ends its task unless `try` catches it.
#[derive(Debug, Clone)]
pub struct Fault {
    /// `E3xx`…`E5xx`, or the code given to `error`.
    pub code: String,
    /// What was found and what was expected.
    pub message: String,
    /// What to write instead.
    pub hint: Option<String>,
    /// The value given to `error`, for `catch`.
    pub data: Value,
    /// Where it happened, the innermost call first; filled in by the machine.
    pub trace: Vec<Trace>,
    /// What finding the words took, in bytes: who catches the fault pays for it.
    pub(crate) searched: usize,
}

/// One call on the way to an error.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Trace {
    /// The function.
    pub function: String,
    /// Its file.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1.
    pub column: u32,
}

impl Fault {
    /// A fault of this code.
    pub fn new(code: impl Into<String>, message: impl Into<String>) -> Box<Self> {
        Box::new(Self {
            code: code.into(),
            message: message.into(),
            hint: None,
            data: Value::Nil,
            trace: Vec::new(),
            searched: 0,
        })
    }

    /// With what to write instead.
    #[must_use]
    pub fn hint(mut self: Box<Self>, hint: impl Into<String>) -> Box<Self> {
        self.hint = Some(hint.into());
        self
    }

    /// Limits, cancellation and refused rights end everything; no `try` holds them.
    pub fn is_catchable(&self) -> bool {
        !self.code.starts_with("E5") && self.code != "capability_denied" && self.code != "cancelled"
    }

    /// One line with the place, for logs.
    pub fn line(&self) -> String {
        let place = self
            .trace
            .first()
            .map(|at| format!(" · {}:{}:{}", at.file, at.line, at.column))
            .unwrap_or_default();
        let hint = self.hint.as_ref().map(|hint| format!(" ({hint})")).unwrap_or_default();
        format!("{} {}{hint}{place}", self.code, self.message)
    }

    /// The fault as the engine's other problems are reported.
    pub fn to_problem(&self) -> base::Problem {
        let mut problem = base::Problem::new(self.code.clone(), self.message.clone());
        problem.hint = self.hint.clone();
        if let Some(at) = self.trace.first() {
            problem = problem.file(at.file.clone()).at(at.line, at.column);
        }
        problem
    }
}

/// What most of the machine gives back.
pub type Outcome<T> = Result<T, Box<Fault>>;
