//! Sources that are no programs: any bytes, tokens in any order, programs with something changed, and fragments so
//! often that whoever looks at each with each takes for ever.

use super::choices::Choices;

/// Signs and words of the language, and those of others that the parser knows.
pub static TOKENS: [&str; 120] = [
    "and", "break", "case", "catch", "const", "continue", "do", "elif", "else", "end", "false", "fn", "for",
    "if", "in", "let", "match", "nil", "not", "on", "or", "prop", "return", "self", "then", "true", "try",
    "use", "while", "x", "y", "print", "text", "math", "random", "args", "run", "start", "update", "\n",
    "\n", "\n", " ", " ", " ", "(", ")", "[", "]", "{", "}", ",", ".", ":", ";", "..", "..=", "...", "?.",
    "?[", "??", "??=", "+", "-", "*", "/", "//", "%", "**", "=", "+=", "==", "!=", "<", "<=", ">", ">=",
    "=>", "0", "1.5", "0xff", "1e999", "\"a\"", "'b'", "\"\"\"", "f\"{", "}\"", "#ff8800", "#12", "--",
    "---", "-- c\n", "&&", "é", "\\", "\"", "await", "class", "def", "delete", "elseif", "enum", "foreach",
    "function", "func", "import", "lambda", "local", "new", "null", "of", "repeat", "require", "static",
    "switch", "typeof", "until", "Vector3", "++", "?",
];

/// A text of one of these sorts, and whether it was meant to be a program.
pub fn source(bytes: &[u8], program: &dyn Fn(&[u8]) -> String) -> String {
    let mut choices = Choices::new(bytes);
    match choices.below(8) {
        0 => String::from_utf8_lossy(choices.rest()).into_owned(),
        1 | 2 => soup(&mut choices, 400),
        3 => {
            let before = soup(&mut choices, 6);
            let fragment = soup(&mut choices, 5);
            let after = soup(&mut choices, 6);
            let count = 1 + choices.below(2000);
            format!("{before}{}{after}", fragment.repeat(count))
        }
        _ => changed(&program(&bytes[bytes.len().min(4)..]), &mut choices),
    }
}

fn soup(choices: &mut Choices<'_>, most: usize) -> String {
    let mut text = String::new();
    for _ in 0..1 + choices.below(most) {
        if choices.is_spent() {
            break;
        }
        text.push_str(choices.pick(&TOKENS));
        if choices.chance(128) {
            text.push(' ');
        }
    }
    text
}

/// A text in which up to four names, numbers or signs stand where others of their kind stood: mostly still a program.
pub fn exchanged(text: &str, choices: &mut Choices<'_>) -> String {
    let kind = |letter: char| match letter {
        'a'..='z' | 'A'..='Z' | '_' | '0'..='9' => 1,
        '+' | '-' | '*' | '/' | '%' | '<' | '>' | '=' | '!' | '?' | '.' => 2,
        _ => 0,
    };
    let mut parts: Vec<String> = Vec::new();
    for letter in text.chars() {
        match parts.last_mut() {
            Some(part) if kind(letter) != 0 && part.chars().next_back().map(kind) == Some(kind(letter)) => {
                part.push(letter);
            }
            _ => parts.push(letter.to_string()),
        }
    }
    // Variables, numbers, two sorts of signs; everything else stays where it is.
    let class = |part: &str| match part {
        "+" | "-" | "*" | "/" | "//" | "%" | "**" => 1,
        "==" | "!=" | "<" | "<=" | ">" | ">=" => 2,
        _ if part.bytes().all(|byte| byte.is_ascii_digit()) => 3,
        _ if part.bytes().last().is_some_and(|byte| byte.is_ascii_digit()) => 4,
        _ => 0,
    };
    for _ in 0..1 + choices.below(4) {
        let at = (usize::from(choices.byte()) << 8 | usize::from(choices.byte())) % parts.len().max(1);
        // From there on the next two of a kind.
        let Some(one) = (at..parts.len()).find(|at| class(&parts[*at]) != 0) else { continue };
        let others: Vec<usize> =
            (0..parts.len()).filter(|other| class(&parts[*other]) == class(&parts[one])).collect();
        let other = others[choices.below(others.len())];
        parts[one] = parts[other].clone();
    }
    parts.concat()
}

/// A text with up to four places changed.
fn changed(text: &str, choices: &mut Choices<'_>) -> String {
    let mut letters: Vec<char> = text.chars().collect();
    for _ in 0..1 + choices.below(4) {
        if letters.is_empty() {
            break;
        }
        let place = |choices: &mut Choices<'_>, most: usize| {
            (usize::from(choices.byte()) << 8 | usize::from(choices.byte())) % most.max(1)
        };
        let at = place(choices, letters.len());
        let end = (at + 1 + choices.below(12)).min(letters.len());
        match choices.below(5) {
            0 => {
                letters.drain(at..end);
            }
            1 => {
                let token = choices.pick(&TOKENS);
                letters.splice(at..at, token.chars());
            }
            2 => {
                let token = choices.pick(&TOKENS);
                letters.splice(at..end, token.chars());
            }
            3 => {
                let copy: Vec<char> = letters[at..end].to_vec();
                let to = place(choices, letters.len());
                letters.splice(to..to, copy);
            }
            _ => letters.truncate(end),
        }
    }
    letters.into_iter().collect()
}
