//! The part of the library that calls back into scripts, written in Wander: its frames are ordinary ones, so a
//! callback may wait, and no native ever holds the machine's stack.

use std::sync::Arc;

use crate::code::Program;
use crate::environment::{Environment, Kind};

/// The path of the prelude; it never shows in traces.
pub(crate) const PATH: &str = "(prelude)";

const SOURCE: &str = include_str!("prelude.wander");

/// The compiled prelude. `None` only if it had a fault, which a test would show.
pub(crate) fn program(environment: &Environment) -> Option<Arc<Program>> {
    let (file, faults) = crate::parser::parse_file(SOURCE);
    if !faults.is_empty() {
        return None;
    }
    let mut no_modules =
        |_: &str, span| Err(crate::diagnostic::Diagnostic::error("E217", span, "no modules here"));
    let (program, _) =
        crate::compile::compile_file(Kind::Module, PATH, SOURCE, &file, environment, &mut no_modules);
    program.map(Arc::new)
}
