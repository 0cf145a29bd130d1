//! A script in the one style.

use lsp_types::TextEdit;
use wander::span::Span;

use crate::workspace::{Folder, Script};

/// The change that formats a script: nothing where nothing changes or where it has errors, which are told anyway.
pub(crate) fn format(folder: &Folder<'_>, script: &Script) -> Vec<TextEdit> {
    let source = script.source();
    let Ok(formatted) = wander::format(source) else { return Vec::new() };
    if formatted == source {
        return Vec::new();
    }
    // Only the lines in between: the cursor and folds elsewhere stay where they are.
    let start = common(source.split_inclusive('\n'), formatted.split_inclusive('\n'));
    let (rest, new) = (tail(source, start), tail(&formatted, start));
    let same = common(rest.split_inclusive('\n').rev(), new.split_inclusive('\n').rev());
    let end = source.len() - same;
    let text = new.get(..new.len() - same).unwrap_or_default().to_owned();
    let range = script.text.range(Span::new(start as u32, end as u32), folder.workspace.encoding);
    vec![TextEdit::new(range, text)]
}

/// Bytes of the lines that are the same.
fn common<'a>(old: impl Iterator<Item = &'a str>, new: impl Iterator<Item = &'a str>) -> usize {
    old.zip(new).take_while(|(old, new)| old == new).map(|(old, _)| old.len()).sum()
}

fn tail(text: &str, from: usize) -> &str {
    text.get(from..).unwrap_or_default()
}
