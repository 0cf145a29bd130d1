//! The words of the language.

use crate::span::Span;

/// What a token is.
#[derive(Debug, Clone, PartialEq)]
pub enum Token {
    /// A number.
    Number(f64),
    /// A plain string, escapes resolved.
    Text(String),
    /// An f-string: its raw inside and where that starts.
    Format(String, u32),
    /// A colour, 0..1 a channel.
    Color([f32; 4]),
    /// A name that is no keyword.
    Name(String),
    /// A keyword.
    Word(Word),
    /// A sign.
    Sign(Sign),
    /// The end of a line, or `;`.
    Break,
    /// The end of the file.
    End,
}

/// A token and where it stands.
#[derive(Debug, Clone, PartialEq)]
pub struct Spanned {
    /// What.
    pub token: Token,
    /// Where.
    pub span: Span,
}

macro_rules! words {
    ($($name:ident = $text:literal),* $(,)?) => {
        /// A keyword.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Word { $(#[doc = $text] $name),* }

        impl Word {
            /// The keyword that this name is.
            pub fn find(name: &str) -> Option<Self> {
                match name { $($text => Some(Self::$name),)* _ => None }
            }

            /// Its text.
            pub const fn text(self) -> &'static str {
                match self { $(Self::$name => $text),* }
            }
        }

        /// Every keyword.
        pub const KEYWORDS: &[&str] = &[$($text),*];
    };
}

words! {
    And = "and", Break = "break", Case = "case", Catch = "catch", Const = "const", Continue = "continue", Do = "do",
    Elif = "elif", Else = "else", End = "end", False = "false", Fn = "fn", For = "for", If = "if", In = "in",
    Let = "let", Match = "match", Nil = "nil", Not = "not", On = "on", Or = "or", Prop = "prop", Return = "return",
    SelfWord = "self", Then = "then", True = "true", Try = "try", Use = "use", While = "while",
}

macro_rules! signs {
    ($($name:ident = $text:literal),* $(,)?) => {
        /// A sign.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Sign { $(#[doc = $text] $name),* }

        impl Sign {
            /// Its text.
            pub const fn text(self) -> &'static str {
                match self { $(Self::$name => $text),* }
            }

            /// Every sign with its text, longest first, so that the first that fits is the right one.
            pub const ALL: &'static [(Self, &'static str)] = &[$((Self::$name, $text)),*];

            /// The sign that a text begins with.
            pub fn at_start(text: &str) -> Option<(Self, &'static str)> {
                let first = *text.as_bytes().first()?;
                let same = |sign: &&(Self, &'static str)| sign.1.as_bytes().first() == Some(&first);
                Self::ALL.iter().filter(same).find(|(_, sign)| text.starts_with(sign)).copied()
            }
        }
    };
}

signs! {
    Spread = "...", RangeTo = "..=", PowerSet = "**=", FloorSet = "//=", NilSet = "??=",
    Range = "..", Power = "**", Floor = "//", Nil = "??", NilDot = "?.", NilOpen = "?[", Equal = "==", NotEqual = "!=",
    LessEqual = "<=", MoreEqual = ">=", AddSet = "+=", SubSet = "-=", MulSet = "*=", DivSet = "/=", ModSet = "%=",
    Arrow = "=>", Increment = "++",
    Question = "?", Add = "+", Sub = "-", Mul = "*", Div = "/", Mod = "%", Less = "<", More = ">", Set = "=", Dot = ".", Comma = ",",
    Colon = ":", Open = "(", Close = ")", ListOpen = "[", ListClose = "]", RecordOpen = "{", RecordClose = "}",
}
