//! Text of strangers on its way to a terminal: it cannot move the cursor, change colours or turn the line around.

use std::fmt::Write as _;
use std::io::Write as _;

use serde_json::Value;

/// Whether a terminal does something else with this letter than show it.
fn acts(letter: char) -> bool {
    let turns = matches!(letter, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    turns || (letter.is_control() && letter != '\n' && letter != '\t')
}

/// A text of several lines that can be shown.
pub(crate) fn shown(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for letter in text.chars() {
        if acts(letter) {
            shown.extend(letter.escape_default());
        } else {
            shown.push(letter);
        }
    }
    shown
}

/// A message on standard error.
pub(crate) fn complain(text: &str) {
    eprintln!("{}", shown(text));
}

/// A result on standard output: JSON that says the same and can be shown as it is. Whoever reads may stop half way;
/// that is no failure of the call.
pub(crate) fn print(result: &Value) {
    let _ = writeln!(std::io::stdout().lock(), "{}", json(result));
}

/// Letters that act stand only inside of texts, where an escape means the same.
fn json(value: &Value) -> String {
    let text = format!("{value:#}");
    let mut shown = String::with_capacity(text.len());
    for letter in text.chars() {
        if acts(letter) {
            // All of them are below U+10000.
            let _ = write!(shown, "\\u{:04x}", u32::from(letter));
        } else {
            shown.push(letter);
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn strangers_text_cannot_act_on_the_terminal() {
        assert_eq!(shown("a\u{1b}[2J\u{202e}b\nc\u{9b}"), "a\\u{1b}[2J\\u{202e}b\nc\\u{9b}");
    }

    #[test]
    fn escaped_json_says_the_same() {
        let value = json!({"name\u{202e}": ["\u{1b}[2J", "\u{7f}\u{9b}", "ä\n"]});
        let text = json(&value);
        assert!(text.chars().all(|letter| !acts(letter)), "{text}");
        assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), value);
    }
}
