//! The texts of the reference: a heading, what holds for the page, then entries with an empty line between them. An
//! entry is its signature with what it gives behind `->`, indented lines about it, and indented lines of its example
//! behind `|`.

use super::{Entry, Form, Page, Parameter};

/// What values are called in signatures, and their types.
const RECEIVERS: &[(&str, &str)] = &[
    ("s", "string"),
    ("l", "list"),
    ("r", "record"),
    ("v", "vector"),
    ("c", "color"),
    ("range", "range"),
    ("task", "task"),
    ("stream", "stream"),
    ("e", "entity"),
];

pub(super) fn page(name: &'static str, text: &'static str) -> Option<Page> {
    let (title, rest) = text.strip_prefix("# ")?.split_once("\n\n")?;
    let mut blocks = rest.split("\n\n");
    let about = blocks.next()?.trim_end().to_owned();
    Some(Page { name, title, about, entries: blocks.filter_map(entry).collect() })
}

fn entry(block: &'static str) -> Option<Entry> {
    let (head, body) = block.trim_start_matches('\n').split_once('\n')?;
    let (signature, gives) = head.split_once(" -> ").unwrap_or((head, ""));
    let mut about: Vec<&str> = Vec::new();
    let mut example = String::new();
    for line in body.lines() {
        match line.strip_prefix("  |") {
            Some(code) => {
                example.push_str(code.strip_prefix(' ').unwrap_or(code));
                example.push('\n');
            }
            None => about.push(line.trim_start()),
        }
    }
    let (path, inside) = match signature.split_once('(') {
        Some((path, inside)) => (path, Some(inside.strip_suffix(')')?)),
        None => (signature, None),
    };
    let (before, name) = path.rsplit_once('.').unwrap_or(("", path));
    let receiver = RECEIVERS.iter().find(|(letter, _)| *letter == before).map(|(_, kind)| *kind);
    let handler = name.strip_prefix("on ");
    let form = match (receiver, inside) {
        _ if handler.is_some() => Form::Handler,
        (Some(_), Some(_)) => Form::Method,
        (Some(_), None) => Form::Property,
        (None, Some(_)) => Form::Function,
        (None, None) => Form::Value,
    };
    Some(Entry {
        form,
        owner: receiver.unwrap_or(before),
        name: handler.unwrap_or(name),
        signature,
        parameters: inside.map(parameters).unwrap_or_default(),
        gives,
        about: about.join("\n"),
        example,
    })
}

fn parameters(inside: &'static str) -> Vec<Parameter> {
    let parts = inside.split(", ").filter(|part| !part.is_empty());
    parts
        .map(|part| {
            let (written, default) = match part.split_once(" = ") {
                Some((written, default)) => (written, Some(default)),
                None => (part, None),
            };
            let (name, kind) = written.split_once(": ").unwrap_or((written, ""));
            match name.strip_suffix('?') {
                Some(name) => Parameter { name, kind, default: Some("") },
                None => Parameter { name, kind, default },
            }
        })
        .collect()
}
