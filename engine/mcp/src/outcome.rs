//! What a call came to, in the protocol's syntax.

use base::Problem;
use base::link::Outcome;
use serde_json::{Map, Value, json};

use crate::message::cut;

/// Faults of one call's arguments that are named at most; the rest is counted.
const MOST_FAULTS: usize = 12;

/// Longest text of one fault, bytes.
const MOST_FAULT: usize = 600;

/// A tool's failure, as a result that the model can read, mend and repeat.
pub(crate) fn tool_error(problem: &Problem, mut meta: Map<String, Value>) -> Value {
    let mut text = format!("{}: {}", problem.code, problem.message);
    if let Some(hint) = &problem.hint {
        text.push_str("\nhint: ");
        text.push_str(hint);
    }
    meta.insert("skywalker/error".to_owned(), problem.to_error_object());
    json!({"content": [{"type": "text", "text": text}], "isError": true, "_meta": meta})
}

/// A call's outcome as a `CallToolResult`.
pub(crate) fn tool_result(outcome: Outcome) -> Value {
    if let Some(problem) = &outcome.error {
        return tool_error(problem, outcome.meta);
    }
    let text = match &outcome.structured {
        // Some clients show a model nothing but the text.
        Some(structured) if outcome.text.is_empty() => structured.to_string(),
        _ => outcome.text,
    };
    let mut content = Vec::with_capacity(1 + outcome.pictures.len());
    content.push(json!({"type": "text", "text": text}));
    for picture in &outcome.pictures {
        content.push(json!({"type": "image", "mimeType": picture.mime, "data": base64(&picture.bytes)}));
    }
    let mut result = Map::new();
    result.insert("content".to_owned(), content.into());
    if let Some(structured) = outcome.structured {
        result.insert("structuredContent".to_owned(), structured);
    }
    result.insert("isError".to_owned(), false.into());
    if !outcome.meta.is_empty() {
        result.insert("_meta".to_owned(), Value::Object(outcome.meta));
    }
    Value::Object(result)
}

/// All faults of a call's arguments as one problem: a model mends them in one go.
pub(crate) fn bad_arguments(tool: &str, mut problems: Vec<Problem>) -> Problem {
    let more = problems.len().saturating_sub(MOST_FAULTS);
    problems.truncate(MOST_FAULTS);
    let mut texts: Vec<&str> = problems.iter().map(|problem| cut(&problem.message, MOST_FAULT)).collect();
    let rest = format!("and {more} more");
    if more > 0 {
        texts.push(&rest);
    }
    let mut all = Problem::new("invalid_arguments", format!("{tool}: {}", texts.join("; ")));
    all.place = problems.first().map(|problem| problem.place.clone()).unwrap_or_default();
    all.place.path = all.place.path.map(|path| cut(&path, MOST_FAULT).to_owned());
    let hints: Vec<&str> =
        problems.iter().filter_map(|problem| Some(cut(problem.hint.as_deref()?, MOST_FAULT))).collect();
    if hints.is_empty() {
        all = all.hint(format!("tools/list shows what `{tool}` takes"));
    } else {
        all = all.hint(hints.join("; "));
    }
    let mut near: Vec<String> = problems.into_iter().flat_map(|problem| problem.near).collect();
    near.dedup();
    all.near(near)
}

/// Bytes as base64 with padding.
fn base64(bytes: &[u8]) -> String {
    const LETTERS: [char; 64] = {
        let mut letters = ['A'; 64];
        let mut at: u8 = 0;
        while at < 64 {
            let letter = match at {
                0..26 => b'A' + at,
                26..52 => b'a' + at - 26,
                52..62 => b'0' + at - 52,
                62 => b'+',
                _ => b'/',
            };
            #[allow(clippy::indexing_slicing, reason = "checked when it is compiled")]
            {
                letters[at as usize] = letter as char;
            }
            at += 1;
        }
        letters
    };
    let letter = |bits: u32| LETTERS.get((bits & 63) as usize).copied().unwrap_or('=');
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    let (whole, rest) = bytes.as_chunks::<3>();
    for &[one, two, three] in whole {
        let bits = u32::from_be_bytes([0, one, two, three]);
        text.extend([letter(bits >> 18), letter(bits >> 12), letter(bits >> 6), letter(bits)]);
    }
    match *rest {
        [one] => {
            let bits = u32::from(one) << 16;
            text.extend([letter(bits >> 18), letter(bits >> 12), '=', '=']);
        }
        [one, two] => {
            let bits = u32::from_be_bytes([0, one, two, 0]);
            text.extend([letter(bits >> 18), letter(bits >> 12), letter(bits >> 6), '=']);
        }
        _ => {}
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_is_that_of_the_standard() {
        for (bytes, text) in [
            (&b""[..], ""),
            (b"f", "Zg=="),
            (b"fo", "Zm8="),
            (b"foo", "Zm9v"),
            (b"foob", "Zm9vYg=="),
            (b"fooba", "Zm9vYmE="),
            (b"foobar", "Zm9vYmFy"),
            (&[0xff, 0xfe, 0xfb, 0, 0, 0x3e], "//77AAA+"),
        ] {
            assert_eq!(base64(bytes), text);
        }
    }

    #[test]
    fn many_faults_become_one_bounded_problem() {
        let problems = (0..40)
            .map(|number| {
                Problem::new("unknown_key", format!("{number} {}", "x".repeat(5000))).hint("mend it")
            })
            .collect();
        let all = bad_arguments("scene_query", problems);
        assert!(all.message.ends_with("; and 28 more"), "{}", all.message);
        assert!(all.message.len() < 9_000);
    }
}
