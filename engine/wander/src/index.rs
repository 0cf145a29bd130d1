//! What the names of a text mean: where each is declared, where it is used, what can be seen from a place. For editors
//! and other tools that show or change scripts. It is computed from the syntax tree alone, so that it also tells of
//! texts with errors; what the library and the host offer is not known here: names that nothing in the text declares
//! are [`Target::Free`].

mod rename;
mod walk;

pub use rename::{NoRename, apply, check_name};

use crate::diagnostic::Diagnostic;
use crate::span::Span;

/// The names of one text.
#[derive(Debug, Clone, Default)]
pub struct Index {
    /// Everything that the text declares.
    pub definitions: Vec<Definition>,
    /// Every use of a name.
    pub references: Vec<Reference>,
    /// Every name behind a dot.
    pub members: Vec<Member>,
    /// Every event that is emitted, sent or waited for by a literal name; handlers are definitions.
    pub events: Vec<EventUse>,
    /// Whether `self` is written somewhere.
    pub uses_self: bool,
    /// Whether `return` or another statement makes the text a program rather than a set of declarations.
    pub has_statements: bool,
    /// What the parser found wrong.
    pub diagnostics: Vec<Diagnostic>,
    scopes: Vec<Scope>,
}

/// What is declared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum DefinitionKind {
    /// `use "lib/x"`
    Module,
    /// `prop x = 1`
    Prop,
    /// `const X = 1`
    Const,
    /// `let x = 1`
    Let,
    /// `fn f() … end`
    Function,
    /// `on event() … end`; no name that code can use.
    Handler,
    /// Of a function or a handler.
    Parameter,
    /// Of a `for`.
    Loop,
    /// The error of a `catch`.
    Caught,
}

impl DefinitionKind {
    /// Handlers have names of their own: an event and a function may be called the same.
    pub fn is_handler(self) -> bool {
        self == Self::Handler
    }
}

/// A declaration.
#[derive(Debug, Clone, PartialEq)]
pub struct Definition {
    /// Its name.
    pub name: String,
    /// What it is.
    pub kind: DefinitionKind,
    /// Where the name stands. A module without `as` is named by its path: then this is the path with its quotes.
    pub span: Span,
    /// The whole declaration, up to its `end`.
    pub whole: Span,
    /// Its doc comment; empty where it has none.
    pub doc: String,
    /// Whether it stands at the top of the file.
    pub is_top: bool,
    /// The function or handler that it is a parameter of.
    pub owner: Option<usize>,
    /// Of a function or handler, in order; positions in [`Index::definitions`].
    pub parameters: Vec<usize>,
    /// Whether a parameter has a default.
    pub has_default: bool,
    /// Of a module: the path, and where it stands with its quotes.
    pub path: Option<(String, Span)>,
    /// What its value looks like.
    pub shape: Shape,
}

impl Definition {
    /// Whether other files can use it.
    pub fn is_public(&self) -> bool {
        use DefinitionKind::{Const, Function, Let, Prop};
        self.is_top
            && matches!(self.kind, Prop | Const | Let | Function)
            && (self.kind == Prop || !self.name.starts_with('_'))
    }
}

/// What a name stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    /// Something that the text declares; a position in [`Index::definitions`].
    Definition(usize),
    /// Something of the library or the host, or nothing.
    Free(String),
}

/// A use of a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reference {
    /// Where.
    pub span: Span,
    /// What it means.
    pub target: Target,
    /// Whether it is set here.
    pub is_write: bool,
    /// Whether it is a field and its value at once: `{name}`.
    pub is_shorthand: bool,
}

/// A name behind a dot.
#[derive(Debug, Clone, PartialEq)]
pub struct Member {
    /// Where the name stands.
    pub span: Span,
    /// The name.
    pub name: String,
    /// What it is a part of.
    pub owner: Shape,
}

/// The name of an event in a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EventUse {
    /// Where the text stands, with its quotes.
    pub span: Span,
    /// The event.
    pub name: String,
    /// Whether it is waited for, not sent.
    pub is_waited_for: bool,
}

/// What an expression looks like: enough to guess the kind of its value.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Shape {
    /// Nothing can be said.
    #[default]
    Unknown,
    /// `true`, a comparison.
    Bool,
    /// `1`
    Number,
    /// `"text"`
    Text,
    /// `(1, 2)`; how many components.
    Vector(u8),
    /// `#fff`
    Color,
    /// `0..10`
    Range,
    /// `[1, 2]`
    List,
    /// `{a: 1}`; the fields that are written.
    Record(Vec<String>),
    /// `fn(x) => x`
    Function,
    /// `self`
    SelfEntity,
    /// The value of something declared; a position in [`Index::definitions`].
    Definition(usize),
    /// The value of a name that nothing declares.
    Free(String),
    /// `a.name`
    Member(Box<Shape>, String),
    /// `f(…)`
    Call(Box<Shape>),
    /// An element of what a loop goes through.
    Element(Box<Shape>),
    /// Either of two, or both as in `a + b`.
    Either(Box<Shape>, Box<Shape>),
}

/// Where names are declared and seen.
#[derive(Debug, Clone)]
struct Scope {
    span: Span,
    parent: Option<usize>,
    /// Definitions, and the byte from which on each is seen.
    definitions: Vec<(usize, u32)>,
}

impl Index {
    /// The names of a text, whatever is wrong with it. Texts that are too long to be parsed have none.
    pub fn new(source: &str) -> Self {
        walk::index(source)
    }

    /// The definition of a name as seen from a byte of the text.
    pub fn find(&self, name: &str, offset: u32) -> Option<usize> {
        let mut scope = self.scope_at(offset);
        while let Some(number) = scope {
            if let Some(found) = self.find_in(number, name, offset) {
                return Some(found);
            }
            scope = self.scopes.get(number)?.parent;
        }
        None
    }

    /// Everything that is seen from a byte of the text, the innermost first; what is hidden is left out.
    pub fn visible(&self, offset: u32) -> Vec<usize> {
        let mut found: Vec<usize> = Vec::new();
        let mut names = std::collections::BTreeSet::new();
        let mut scope = self.scope_at(offset);
        while let Some(inner) = scope.and_then(|number| self.scopes.get(number)) {
            let seen = inner.definitions.iter().rev().filter(|(_, from)| *from <= offset);
            for (number, _) in seen {
                if self.definitions.get(*number).is_some_and(|known| names.insert(known.name.as_str())) {
                    found.push(*number);
                }
            }
            scope = inner.parent;
        }
        found
    }

    /// The definition whose name stands at this byte, its end included.
    pub fn definition_at(&self, offset: u32) -> Option<usize> {
        self.definitions.iter().position(|definition| touches(definition.span, offset))
    }

    /// The use of a name at this byte.
    pub fn reference_at(&self, offset: u32) -> Option<&Reference> {
        self.references.iter().find(|reference| touches(reference.span, offset))
    }

    /// The name behind a dot at this byte.
    pub fn member_at(&self, offset: u32) -> Option<&Member> {
        self.members.iter().find(|member| touches(member.span, offset))
    }

    /// Every use of a definition, its declaration not counted.
    pub fn uses(&self, definition: usize) -> impl Iterator<Item = &Reference> {
        self.references.iter().filter(move |reference| reference.target == Target::Definition(definition))
    }

    /// Every `self.name` of an entity script, where `name` may be something at its top.
    pub fn uses_of_self<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Member> {
        self.members.iter().filter(move |member| member.name == name && member.owner == Shape::SelfEntity)
    }

    /// Every `module.name` of a module that this text uses; the position of the `use` in [`Index::definitions`].
    pub fn uses_of_module<'a>(&'a self, module: usize, name: &'a str) -> impl Iterator<Item = &'a Member> {
        let owner = Shape::Definition(module);
        self.members.iter().filter(move |member| member.name == name && member.owner == owner)
    }

    /// The definition at the top of the file with this name, handlers left out.
    pub fn top(&self, name: &str) -> Option<usize> {
        self.definitions.iter().position(|definition| {
            definition.is_top && definition.name == name && definition.kind != DefinitionKind::Handler
        })
    }

    /// Whether the text is no program at all.
    pub fn is_broken(&self) -> bool {
        self.diagnostics.iter().any(Diagnostic::is_error)
    }

    fn find_in(&self, scope: usize, name: &str, offset: u32) -> Option<usize> {
        let seen = self.scopes.get(scope)?.definitions.iter().rev();
        seen.filter(|(_, from)| *from <= offset)
            .map(|(number, _)| *number)
            .find(|number| self.definitions.get(*number).is_some_and(|known| known.name == name))
    }

    /// Scopes are listed before those inside of them, so the last one around a byte is the innermost.
    fn scope_at(&self, offset: u32) -> Option<usize> {
        self.scopes.iter().rposition(|scope| touches(scope.span, offset))
    }
}

fn touches(span: Span, offset: u32) -> bool {
    span.start <= offset && offset <= span.end
}
