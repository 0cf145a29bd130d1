//! The reference of the library: what each function, method and property takes, gives and does, with an example. The
//! texts lie in `reference/`, a file a page; pages under `docs/reference/library` are printed from them, and a test
//! holds them against the tables that programs are compiled with.

use std::sync::LazyLock;

mod read;

/// The pages of what needs no engine, by name.
const TEXTS: &[(&str, &str)] = &[
    ("general", include_str!("reference/general.txt")),
    ("tasks", include_str!("reference/tasks.txt")),
    ("math", include_str!("reference/math.txt")),
    ("bits", include_str!("reference/bits.txt")),
    ("range", include_str!("reference/range.txt")),
    ("vector", include_str!("reference/vector.txt")),
    ("rot", include_str!("reference/rot.txt")),
    ("color", include_str!("reference/color.txt")),
    ("list", include_str!("reference/list.txt")),
    ("string", include_str!("reference/string.txt")),
    ("record", include_str!("reference/record.txt")),
    ("random", include_str!("reference/random.txt")),
];

/// What a thing of the library is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Form {
    /// Called by its name, with its area before it where it has one.
    Function,
    /// Read by its name behind its area: `math.pi`.
    Value,
    /// Called on a value of a type.
    Method,
    /// Read from a value of a type, without brackets.
    Property,
    /// Written by a script, called by the engine.
    Handler,
}

/// One thing of the library.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// What it is.
    pub form: Form,
    /// The area of a function or value, the type of a method or property; empty where there is neither.
    pub owner: &'static str,
    /// Its name.
    pub name: &'static str,
    /// As it is written, each parameter with its type and its default: `clamp(x: number, lo: number, hi: number)`.
    pub signature: &'static str,
    /// The types of its parameters and which of them may be left out.
    pub parameters: Vec<Parameter>,
    /// The type of what it gives; empty where that is nothing.
    pub gives: &'static str,
    /// What it does, in Markdown: units, ranges, errors with their codes.
    pub about: String,
    /// A program that shows it. Comments of the form `--> text` are what it prints, line by line.
    pub example: String,
}

/// A parameter of a function.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Parameter {
    /// Its name; `…` stands for more of the kind before it.
    pub name: &'static str,
    /// The types that it takes, `|` between them.
    pub kind: &'static str,
    /// What it is where it is left out; empty where the text says so instead. `None` where it must be given.
    pub default: Option<&'static str>,
}

/// Arguments of a function that takes several of a kind at most.
const MOST_ARGUMENTS: u8 = 8;

impl Entry {
    /// The fewest and the most arguments, without the value that a method is called on.
    pub fn arity(&self) -> (u8, u8) {
        let is_open = self.parameters.iter().any(|parameter| parameter.name == "…");
        let fewest = self.parameters.iter().filter(|one| one.name != "…" && one.default.is_none()).count();
        let most = if is_open { MOST_ARGUMENTS } else { self.parameters.len() as u8 };
        (fewest as u8, most)
    }

    /// The signature and what it gives, on one line.
    pub fn heading(&self) -> String {
        if self.gives.is_empty() {
            self.signature.to_owned()
        } else {
            format!("{} → {}", self.signature, self.gives)
        }
    }
}

/// The lines that an example says it prints.
pub fn printed(example: &str) -> impl Iterator<Item = &str> {
    let marks = example.lines().filter_map(|line| line.split_once("-->"));
    marks.map(|(_, text)| text.strip_prefix(' ').unwrap_or(text))
}

/// One page of the reference.
#[derive(Debug, Clone)]
pub struct Page {
    /// The name of its file, without an ending.
    pub name: &'static str,
    /// Its heading.
    pub title: &'static str,
    /// What holds for all that is on it, in Markdown.
    pub about: String,
    /// What is on it, in order.
    pub entries: Vec<Entry>,
}

impl Page {
    /// The page as Markdown.
    pub fn markdown(&self) -> String {
        let mut text = format!("# {}\n\n{}\n", self.title, self.about);
        for entry in &self.entries {
            let Entry { about, example, .. } = entry;
            text.push_str(&format!("\n## `{}`\n\n{about}\n\n```wander\n{example}```\n", entry.heading()));
        }
        text
    }
}

/// A set of pages.
#[derive(Debug, Clone)]
pub struct Reference {
    /// In the order of the index.
    pub pages: Vec<Page>,
}

impl Reference {
    /// Reads pages from their texts, each with its name. What is not written as it should be is left out.
    pub fn read(texts: &[(&'static str, &'static str)]) -> Self {
        Self { pages: texts.iter().filter_map(|(name, text)| read::page(name, text)).collect() }
    }

    /// Everything on all pages, in order.
    pub fn entries(&self) -> impl Iterator<Item = &Entry> {
        self.pages.iter().flat_map(|page| &page.entries)
    }

    /// A function or value of an area; the area of free functions is empty.
    pub fn function(&self, area: &str, name: &str) -> Option<&Entry> {
        self.find(&[Form::Function, Form::Value], area, name)
    }

    /// A method or property of a type, such as `list` or `entity`.
    pub fn member(&self, kind: &str, name: &str) -> Option<&Entry> {
        self.find(&[Form::Method, Form::Property], kind, name)
    }

    /// A handler that the engine calls.
    pub fn handler(&self, name: &str) -> Option<&Entry> {
        self.find(&[Form::Handler], "", name)
    }

    fn find(&self, forms: &[Form], owner: &str, name: &str) -> Option<&Entry> {
        self.entries().find(|entry| forms.contains(&entry.form) && entry.owner == owner && entry.name == name)
    }
}

/// The reference of what needs no engine.
pub fn language() -> &'static Reference {
    static LANGUAGE: LazyLock<Reference> = LazyLock::new(|| Reference::read(TEXTS));
    &LANGUAGE
}

/// The texts behind [`language`], for a reference that has more pages.
pub const fn texts() -> &'static [(&'static str, &'static str)] {
    TEXTS
}
