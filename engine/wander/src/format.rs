//! The one style that scripts are written in: a text becomes the same program, laid out anew.
//!
//! Two spaces a level and one around operators, none around ranges. What does not fit on a line of 110 columns is
//! broken at its outermost brackets or operators, and so is a list, record or call with a line break behind its opening
//! bracket. `if c then … end` stays on one line where it was on one; other blocks stand on lines of their own. Comments
//! stay where they are, and so do single empty lines.

mod build;
mod doc;
mod expr;
mod print;
mod sequence;
mod stmt;
mod tokens;

use crate::diagnostic::Diagnostic;
use crate::parser::{MOST_SOURCE, parse_file};

/// A second pass changes only comments in places where nobody expects them, and a third nothing.
const MOST_PASSES: usize = 4;

/// The text of a file as the formatter writes it, or what is wrong with a text that is no program. A file that cannot
/// be compiled for other reasons is formatted all the same.
pub fn format(source: &str) -> Result<String, Vec<Diagnostic>> {
    let (_, diagnostics) = parse_file(source);
    if diagnostics.iter().any(Diagnostic::is_error) {
        return Err(diagnostics);
    }
    let mut text = source.to_owned();
    for _ in 0..MOST_PASSES {
        let next = print::print(&build::Builder::new(&text).file());
        // Line breaks and indentation may make a file that is nearly too long one that is.
        if next.len() > MOST_SOURCE {
            return Ok(source.to_owned());
        }
        if next == text {
            break;
        }
        text = next;
    }
    // Somebody's work is at stake: a text that would lose any of it is left as it is.
    let good = tokens::same(source, &text) && !parse_file(&text).1.iter().any(Diagnostic::is_error);
    debug_assert!(good, "formatting lost something:\n{source}\n---\n{text}");
    Ok(if good { text } else { source.to_owned() })
}
