//! Pictures of a result: out of their text form, into files.

use std::fs::OpenOptions;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use super::Picture;
use crate::End;
use crate::terminal::complain;

/// Files of one name that are tried before giving up.
const MOST_FILES: u32 = 100_000;

/// Writes every picture as `TOOL-N.EXT`, never over a file that is there, and says where.
pub(crate) fn save(pictures: &[Picture], tool: &str, folder: &Path) -> End {
    for picture in pictures {
        match write(picture, tool, folder) {
            Ok(path) => complain(&format!("picture: {}", path.display())),
            Err(error) => {
                complain(&format!(
                    "the picture cannot be written to {}: {error}\nthe call itself went well",
                    folder.display()
                ));
                return End::Failed;
            }
        }
    }
    End::Good
}

fn write(picture: &Picture, tool: &str, folder: &Path) -> std::io::Result<PathBuf> {
    std::fs::create_dir_all(folder)?;
    let extension = match picture.mime.as_str() {
        "image/png" => "png",
        "image/jpeg" => "jpg",
        _ => "bin",
    };
    // The engine knows the tool, so its name has no slashes; a stranger's server might not care.
    let tool: String =
        tool.chars().filter(|letter| letter.is_ascii_alphanumeric() || *letter == '_').collect();
    for number in 1..MOST_FILES {
        let path = folder.join(format!("{tool}-{number}.{extension}"));
        match OpenOptions::new().write(true).create_new(true).open(&path) {
            Ok(mut file) => {
                file.write_all(&picture.bytes)?;
                return Ok(path);
            }
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    Err(std::io::Error::new(ErrorKind::AlreadyExists, "there are too many pictures of this tool"))
}

/// The bytes of a base64 text with padding; none where it is no such text.
pub(crate) fn from_base64(text: &str) -> Option<Vec<u8>> {
    let digits = text.trim_end_matches('=');
    if !text.len().is_multiple_of(4) || text.len() - digits.len() > 2 {
        return None;
    }
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    for chunk in digits.as_bytes().chunks(4) {
        let mut bits: u32 = 0;
        for digit in chunk {
            let six = match digit {
                b'A'..=b'Z' => digit - b'A',
                b'a'..=b'z' => digit - b'a' + 26,
                b'0'..=b'9' => digit - b'0' + 52,
                b'+' => 62,
                b'/' => 63,
                _ => return None,
            };
            bits = bits << 6 | u32::from(six);
        }
        bits <<= 6 * (4 - chunk.len());
        let [_, whole @ ..] = bits.to_be_bytes();
        bytes.extend(whole.iter().take(chunk.len().checked_sub(1)?));
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_is_read_as_the_standard_writes_it() {
        for (text, bytes) in [
            ("", &b""[..]),
            ("Zg==", b"f"),
            ("Zm8=", b"fo"),
            ("Zm9v", b"foo"),
            ("Zm9vYmFy", b"foobar"),
            ("//77AAA+", &[0xff, 0xfe, 0xfb, 0, 0, 0x3e]),
        ] {
            assert_eq!(from_base64(text).unwrap(), bytes, "{text}");
        }
        for bad in ["Zg", "Zg=", "Z===", "Zm9\n", "Zm-v", "====", "Zg==Zg=="] {
            assert_eq!(from_base64(bad), None, "{bad}");
        }
    }
}
