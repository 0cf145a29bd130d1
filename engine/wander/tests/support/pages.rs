//! Programs on pages: what they say they print, and what they really print in its place.

/// The example with these lines in place of what it says it prints; nothing where there are more or fewer of them.
pub fn with_printed(example: &str, printed: &[String]) -> Option<String> {
    let mut lines = printed.iter();
    let mut text = String::new();
    for line in example.lines() {
        match line.split_once("-->") {
            Some((code, _)) => text.push_str(format!("{code}--> {}", lines.next()?).trim_end()),
            None => text.push_str(line),
        }
        text.push('\n');
    }
    lines.next().is_none().then(|| wander::format(&text).unwrap_or(text))
}

/// Whether a program is the script of an entity: it has handlers or props, or speaks of itself.
pub fn is_entity_script(program: &str) -> bool {
    let begins = |line: &str| line.starts_with("on ") || line.starts_with("prop ");
    program.lines().any(begins)
        || program.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == "self")
}

/// Puts what the examples of a text of the reference really print into it. `examples` are pairs of old and new.
pub fn rewrite(text: &str, examples: &[(String, String)]) -> String {
    let shown = |example: &str| -> String {
        example.lines().map(|line| format!("  | {line}").trim_end().to_owned() + "\n").collect()
    };
    let mut text = text.to_owned() + "\n";
    for (old, new) in examples {
        assert!(text.contains(&shown(old)), "{text}\n{old}");
        text = text.replacen(&shown(old), &shown(new), 1);
    }
    text.trim_end().to_owned() + "\n"
}
