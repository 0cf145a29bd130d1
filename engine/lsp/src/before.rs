//! What stands before a place of a text, in texts that are being written: the parser has nothing to say about half a
//! statement, the tokens before the cursor do.

use wander::lexer::lex;
use wander::token::{Sign, Spanned, Token, Word};

/// F-strings in f-strings at most.
const MOST_NESTING: u32 = 4;

/// What kind of text a place is in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Inside {
    Code,
    /// A string that begins at this byte.
    Text(u32),
    /// A comment, or the text of an f-string.
    Prose,
}

/// The tokens before a place, of the innermost code around it.
#[derive(Debug)]
pub(crate) struct Before {
    /// Without the last two, which end every text.
    pub(crate) tokens: Vec<Spanned>,
    pub(crate) inside: Inside,
}

/// A call around a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct OpenCall {
    /// The token of the function's name.
    pub(crate) callee: usize,
    /// Which argument the place is in, from 0.
    pub(crate) argument: usize,
}

impl Before {
    pub(crate) fn new(source: &str, offset: u32) -> Self {
        Self::within(source.get(..offset as usize).unwrap_or(source), 0, 0)
    }

    fn within(text: &str, start: u32, nesting: u32) -> Self {
        let mut lexed = lex(text, start);
        lexed.tokens.retain(|token| token.token != Token::End);
        lexed.tokens.pop();
        let tokens = lexed.tokens;
        let end = start + text.len() as u32;
        let last = tokens.last();
        let is_open = |token: &Spanned| {
            let found = lexed.diagnostics.iter().find(|found| found.span.start == token.span.start);
            token.span.end == end && found.is_some_and(|found| found.code == "E103")
        };
        let code_end = last.map_or(0, |token| (token.span.end - start) as usize);
        let gap = text.get(code_end..).unwrap_or_default();
        let inside = match last {
            Some(token) if matches!(token.token, Token::Text(_)) && is_open(token) => {
                Inside::Text(token.span.start)
            }
            Some(Spanned { token: Token::Format(raw, raw_start), span }) if span.end == end => {
                let is_open = is_open(&Spanned { token: Token::End, span: *span });
                match open_brace(raw).filter(|_| is_open && nesting < MOST_NESTING) {
                    Some(at) => {
                        let code = raw.get(at..).unwrap_or_default();
                        return Self::within(code, raw_start + at as u32, nesting + 1);
                    }
                    None if is_open => Inside::Prose,
                    None => Inside::Code,
                }
            }
            _ if gap.rsplit('\n').next().is_some_and(|line| line.contains("--")) => Inside::Prose,
            _ => Inside::Code,
        };
        Self { tokens, inside }
    }

    pub(crate) fn last(&self) -> Option<&Token> {
        self.tokens.last().map(|token| &token.token)
    }

    /// The call whose arguments the place is in.
    pub(crate) fn open_call(&self) -> Option<OpenCall> {
        let (mut depth, mut argument) = (0u32, 0);
        for (at, token) in self.tokens.iter().enumerate().rev() {
            match &token.token {
                Token::Sign(Sign::Close | Sign::ListClose | Sign::RecordClose) => depth += 1,
                Token::Sign(Sign::Open | Sign::ListOpen | Sign::NilOpen | Sign::RecordOpen) if depth > 0 => {
                    depth -= 1;
                }
                Token::Sign(Sign::Open) => match at.checked_sub(1) {
                    Some(callee) if self.is_callee(callee) => return Some(OpenCall { callee, argument }),
                    // `(a, b)`: its commas are its own.
                    _ => argument = 0,
                },
                Token::Sign(Sign::ListOpen | Sign::NilOpen | Sign::RecordOpen) => argument = 0,
                Token::Sign(Sign::Comma) if depth == 0 => argument += 1,
                // A statement: what stands before it is no call around it.
                Token::Word(
                    Word::Let | Word::Const | Word::While | Word::For | Word::Return | Word::On | Word::Prop,
                ) if depth == 0 => return None,
                _ => {}
            }
        }
        None
    }

    fn is_callee(&self, at: usize) -> bool {
        let before = at.checked_sub(1).and_then(|before| self.tokens.get(before)).map(|token| &token.token);
        let is_declared = matches!(before, Some(Token::Word(Word::Fn | Word::On)));
        match self.tokens.get(at).map(|token| &token.token) {
            Some(Token::Name(_)) => !is_declared,
            Some(Token::Word(_)) => matches!(before, Some(Token::Sign(Sign::Dot | Sign::NilDot))),
            _ => false,
        }
    }
}

/// Where the code begins of the brace that is still open in an f-string's raw inside.
fn open_brace(raw: &str) -> Option<usize> {
    let mut depth = 0u32;
    let mut opened = None;
    let mut quote = None;
    let mut at = 0;
    while let Some(c) = raw.get(at..).and_then(|rest| rest.chars().next()) {
        let rest = raw.get(at..).unwrap_or_default();
        if depth == 0 && (rest.starts_with("{{") || rest.starts_with("}}")) {
            at += 2;
            continue;
        }
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') if depth > 0 => quote = Some(c),
            (None, '{') => {
                if depth == 0 {
                    opened = Some(at + 1);
                }
                depth += 1;
            }
            (None, '}') => depth = depth.saturating_sub(1),
            _ => {}
        }
        at += c.len_utf8();
    }
    opened.filter(|_| depth > 0)
}

/// The word around a byte: where it begins and ends.
pub(crate) fn word_around(source: &str, offset: u32) -> (u32, u32) {
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let (before, after) = source.as_bytes().split_at((offset as usize).min(source.len()));
    let back = before.iter().rev().take_while(|byte| is_part(byte)).count() as u32;
    let forth = after.iter().take_while(|byte| is_part(byte)).count() as u32;
    (offset - back, offset + forth)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn inside(text: &str) -> Inside {
        Before::new(text, text.len() as u32).inside
    }

    #[test]
    fn places_are_in_code_in_texts_or_in_prose() {
        for code in [
            "",
            "let x = ",
            "f(\"a\")",
            "f(\"a\"",
            "\"a\"",
            "-- a\n",
            "f\"{a}\"",
            "f\"{a",
            "f\"{{{a.",
            "f\"{g(f'{b",
        ] {
            assert_eq!(inside(code), Inside::Code, "{code}");
        }
        for (text, start) in [("use \"li", 4), ("f(1, 'a", 5), ("f\"{g(\"a", 5), ("\"\"\"a\nb", 0)] {
            assert_eq!(inside(text), Inside::Text(start), "{text}");
        }
        for prose in ["-- a", "let x = 1 -- a", "--- doc", "f\"a", "f\"{a} b", "f\"{{a"] {
            assert_eq!(inside(prose), Inside::Prose, "{prose}");
        }
    }

    #[test]
    fn the_call_around_a_place_is_found() {
        let call = |text: &str| {
            let before = Before::new(text, text.len() as u32);
            let found = before.open_call()?;
            let Some(Token::Name(name)) = before.tokens.get(found.callee).map(|token| token.token.clone())
            else {
                return None;
            };
            Some((name, found.argument))
        };
        let at = |name: &str, argument| Some((name.to_owned(), argument));
        assert_eq!(call("clamp("), at("clamp", 0));
        assert_eq!(call("clamp(1, (2, 3), "), at("clamp", 2));
        assert_eq!(call("f(1, [2, 3"), at("f", 1));
        assert_eq!(call("f(1, g(2), {a: 1, b: "), at("f", 2));
        assert_eq!(call("print(f\"{max(1, "), at("max", 1));
        assert_eq!(call("f(1)"), None);
        assert_eq!(call("fn f(a, "), None);
        assert_eq!(call("(1, "), None);
        assert_eq!(call("spawn(fn()\n  let x = "), None);
        assert_eq!(call(&"(".repeat(50_000)), None);
    }
}
