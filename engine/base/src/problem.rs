//! Trouble that a person or an agent made and can mend: what, where, what was expected, the nearest valid name.

use std::fmt;

use serde::{Deserialize, Serialize};

/// How bad it is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// Worth knowing; things work.
    Warning,
    /// Something does not work until it is mended.
    #[default]
    Error,
}

/// Where the trouble is: a file, a place inside it, or a path into arguments.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Place {
    /// Project-relative file, with forward slashes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// JSON path such as `entities[3].components.light.intensity`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// Line, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// Column in characters, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<u32>,
}

/// One piece of trouble. `code` is stable; those of Wander have a page in `docs/reference/errors`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Problem {
    /// Stable name of the cause, `snake_case` for tools and files, `E201` for Wander.
    pub code: String,
    /// What was found and what was expected, one sentence.
    pub message: String,
    /// How bad it is.
    #[serde(default)]
    pub severity: Severity,
    /// Where it is.
    #[serde(default)]
    pub place: Place,
    /// What to do about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// The nearest valid names, best first, at most two.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub near: Vec<String>,
}

impl Problem {
    /// An error with its cause and its sentence; the rest is added with the methods below.
    pub fn new(code: impl Into<String>, message: impl Into<String>) -> Self {
        Self {
            code: code.into(),
            message: message.into(),
            severity: Severity::Error,
            place: Place::default(),
            hint: None,
            near: Vec::new(),
        }
    }

    /// The same as a warning.
    #[must_use]
    pub fn warning(mut self) -> Self {
        self.severity = Severity::Warning;
        self
    }

    /// With what to do about it.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// With the file it is in.
    #[must_use]
    pub fn file(mut self, file: impl Into<String>) -> Self {
        self.place.file = Some(file.into());
        self
    }

    /// With the JSON path it is at.
    #[must_use]
    pub fn path(mut self, path: impl Into<String>) -> Self {
        self.place.path = Some(path.into());
        self
    }

    /// With line and column, both from 1.
    #[must_use]
    pub fn at(mut self, line: u32, column: u32) -> Self {
        self.place.line = Some(line);
        self.place.column = Some(column);
        self
    }

    /// With the nearest valid names; a hint is made of them where there is none yet.
    #[must_use]
    pub fn near(mut self, near: Vec<String>) -> Self {
        if self.hint.is_none() {
            self.hint = crate::suggest::did_you_mean(&near);
        }
        self.near = near;
        self
    }

    /// The form that tool errors carry: `{code, message, hint?, path?, near?}`, with `file` where one is known.
    pub fn to_error_object(&self) -> serde_json::Value {
        let mut object = serde_json::Map::new();
        object.insert("code".to_owned(), self.code.clone().into());
        object.insert("message".to_owned(), self.message.clone().into());
        if let Some(hint) = &self.hint {
            object.insert("hint".to_owned(), hint.clone().into());
        }
        if let Some(path) = &self.place.path {
            object.insert("path".to_owned(), path.clone().into());
        }
        if let Some(file) = &self.place.file {
            object.insert("file".to_owned(), file.clone().into());
        }
        if let Some(line) = self.place.line {
            object.insert("line".to_owned(), line.into());
        }
        if !self.near.is_empty() {
            object.insert("near".to_owned(), self.near.clone().into());
        }
        serde_json::Value::Object(object)
    }
}

impl fmt::Display for Problem {
    /// `code message · file:line:col path` and, on a line of its own, the hint.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.code, self.message)?;
        let place = &self.place;
        if place.file.is_some() || place.path.is_some() {
            f.write_str(" ·")?;
        }
        if let Some(file) = &place.file {
            write!(f, " {file}")?;
            if let Some(line) = place.line {
                write!(f, ":{line}")?;
                if let Some(column) = place.column {
                    write!(f, ":{column}")?;
                }
            }
        }
        if let Some(path) = &place.path {
            write!(f, " {path}")?;
        }
        if let Some(hint) = &self.hint {
            write!(f, "\n  hint: {hint}")?;
        }
        Ok(())
    }
}

impl std::error::Error for Problem {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_problem_reads_as_what_where_and_what_to_do() {
        let problem = Problem::new("unknown_component", "there is no component `lihgt`")
            .file("scenes/keep.scene.json")
            .path("entities[1].components.lihgt")
            .near(vec!["light".to_owned()]);
        assert_eq!(
            problem.to_string(),
            "unknown_component: there is no component `lihgt` · scenes/keep.scene.json entities[1].components.lihgt\n  hint: did you mean `light`?"
        );
        assert_eq!(problem.to_error_object()["near"][0], "light");
    }
}
