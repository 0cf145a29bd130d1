//! What a glTF file refers to: bytes written into it, or files beside it. Nothing is ever fetched.

use super::Beside;

/// Bytes of a data URI, or of a file beside the model.
pub(super) fn read(uri: &str, beside: Beside<'_>) -> Result<Vec<u8>, String> {
    if let Some(rest) = uri.strip_prefix("data:") {
        let (_, encoded) = rest.split_once(";base64,").ok_or("a data URI that is not base64")?;
        return base64(encoded).ok_or_else(|| "a data URI that is no base64".to_owned());
    }
    if uri.contains("://") {
        return Err(format!("it refers to {uri}: only files beside it are read"));
    }
    let path = percent(uri).ok_or_else(|| format!("it refers to a broken path `{uri}`"))?;
    beside(&path).map_err(|problem| problem.message)
}

fn base64(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    let (mut bits, mut count) = (0u32, 0);
    for letter in text.trim_end_matches('=').bytes() {
        let value = match letter {
            b'A'..=b'Z' => letter - b'A',
            b'a'..=b'z' => letter - b'a' + 26,
            b'0'..=b'9' => letter - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => return None,
        };
        bits = bits << 6 | u32::from(value);
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count) as u8);
        }
    }
    Some(bytes)
}

fn percent(text: &str) -> Option<String> {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let Some((first, tail)) = rest.split_first() {
        rest = tail;
        if *first != b'%' {
            bytes.push(*first);
            continue;
        }
        let digits = std::str::from_utf8(rest.get(..2)?).ok()?;
        bytes.push(u8::from_str_radix(digits, 16).ok()?);
        rest = rest.get(2..)?;
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_and_files_beside_are_read_and_nothing_else() {
        let beside = |path: &str| {
            if path == "my texture.png" {
                Ok(b"picture".to_vec())
            } else {
                Err(base::Problem::new("cannot_read", format!("`{path}` cannot be read")))
            }
        };
        assert_eq!(read("data:application/octet-stream;base64,AQID/w==", &beside).unwrap(), [1, 2, 3, 255]);
        assert_eq!(read("my%20texture.png", &beside).unwrap(), b"picture");
        for uri in ["data:;base64,*", "data:text/plain,x", "http://example.invalid/a.png", "%ff", "%f", "a"] {
            assert!(read(uri, &beside).is_err(), "{uri}");
        }
    }
}
