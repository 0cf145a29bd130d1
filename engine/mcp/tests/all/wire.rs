//! Transcripts: every file of `tests/wire` is one conversation. Lines with `>` are sent as they are, lines with `<`
//! must come back in that order, `"*"` in them stands for anything, and `#` begins a comment.

use std::path::Path;

use serde_json::Value;

use crate::client::Client;
use crate::fake::fake;

#[test]
fn every_transcript_is_spoken_as_it_is_written() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/wire");
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "jsonl"));
    files.sort();
    assert!(files.len() >= 6, "transcripts are missing: {files:?}");
    for file in files {
        speak(&file);
    }
}

fn speak(file: &Path) {
    let fake = fake();
    let mut client = Client::connect(&fake.path);
    let text = std::fs::read_to_string(file).unwrap();
    for (number, line) in text.lines().enumerate() {
        let place = format!("{}:{}", file.file_name().unwrap().display(), number + 1);
        if let Some(said) = line.strip_prefix("> ") {
            client.raw(said);
        } else if let Some(expected) = line.strip_prefix("< ") {
            let expected: Value =
                serde_json::from_str(expected).unwrap_or_else(|error| panic!("{place}: {error}"));
            let found = client.next();
            assert!(matches(&expected, &found), "{place}\nexpected {expected}\nfound    {found}");
        } else {
            assert!(line.is_empty() || line.starts_with('#'), "{place}: neither >, < nor #");
        }
    }
    // Nothing more came than was written down.
    client.post("the end", "ping", serde_json::json!({}));
    let last = client.next();
    assert_eq!(last["id"], "the end", "{}: one more: {last}", file.display());
}

fn matches(expected: &Value, found: &Value) -> bool {
    match (expected, found) {
        (Value::String(any), _) if any == "*" => true,
        (Value::Object(expected), Value::Object(found)) => {
            expected.len() == found.len()
                && expected
                    .iter()
                    .all(|(key, value)| found.get(key).is_some_and(|other| matches(value, other)))
        }
        (Value::Array(expected), Value::Array(found)) => {
            expected.len() == found.len()
                && expected.iter().zip(found).all(|(value, other)| matches(value, other))
        }
        _ => expected == found,
    }
}
