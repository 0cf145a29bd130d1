//! The syntax tree. Every node knows its place.

use crate::span::Span;

/// An expression.
#[derive(Debug, Clone, PartialEq)]
pub struct Expr {
    /// What.
    pub kind: ExprKind,
    /// Where.
    pub span: Span,
}

/// What an expression is.
#[derive(Debug, Clone, PartialEq)]
pub enum ExprKind {
    /// `nil`
    Nil,
    /// `true`, `false`
    Bool(bool),
    /// `10`
    Number(f64),
    /// `"text"`
    Text(String),
    /// `f"hp {hp}"`
    Format(Vec<Piece>),
    /// `#ff8800`
    Color([f32; 4]),
    /// A name.
    Name(String),
    /// `self`
    SelfEntity,
    /// `(x, y)`
    Vector(Vec<Expr>),
    /// `[a, ...b]`
    List(Vec<Item>),
    /// `{a: 1, ...b}`
    Record(Vec<Field>),
    /// `fn(x) => x`
    Function(Box<Function>),
    /// `-a`
    Negate(Box<Expr>),
    /// `not a`
    Not(Box<Expr>),
    /// `a + b`
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `a and b`
    And(Box<Expr>, Box<Expr>),
    /// `a or b`
    Or(Box<Expr>, Box<Expr>),
    /// `a ?? b`
    OrNil(Box<Expr>, Box<Expr>),
    /// `a..b`; true includes the end.
    Range(Box<Expr>, Box<Expr>, bool),
    /// `if c then a else b`
    If(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `a.name`; true for `?.`
    Field(Box<Expr>, String, Span, bool),
    /// `a[i]`; true for `?[`
    Index(Box<Expr>, Box<Expr>, bool),
    /// `f(x)`
    Call(Box<Expr>, Vec<Expr>),
    /// A place where the text made no sense; reported already.
    Broken,
}

/// A part of an f-string.
#[derive(Debug, Clone, PartialEq)]
pub enum Piece {
    /// Text as it is.
    Text(String),
    /// `{expr:spec}`
    Value(Expr, Option<String>),
}

/// An element of a list literal.
#[derive(Debug, Clone, PartialEq)]
pub enum Item {
    /// One value.
    One(Expr),
    /// `...list`
    Spread(Expr),
}

/// A field of a record literal.
#[derive(Debug, Clone, PartialEq)]
pub enum Field {
    /// `name: value`
    Named(String, Expr),
    /// `[key]: value`
    Computed(Expr, Expr),
    /// `...record`
    Spread(Expr),
}

/// An operator of two values, both always computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "each is its own name")]
pub enum BinaryOp {
    Add,
    Sub,
    Mul,
    Div,
    FloorDiv,
    Mod,
    Pow,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    In,
    NotIn,
}

/// A function: a declaration, a lambda, a handler.
#[derive(Debug, Clone, PartialEq)]
pub struct Function {
    /// Its name; empty for a lambda.
    pub name: String,
    /// Where the name stands.
    pub name_span: Span,
    /// Parameters with defaults.
    pub params: Vec<Param>,
    /// What it does.
    pub body: Block,
    /// `=> expr`: the body is one return.
    pub is_expression: bool,
    /// The doc comment.
    pub doc: String,
}

/// A parameter.
#[derive(Debug, Clone, PartialEq)]
pub struct Param {
    /// Its name.
    pub name: String,
    /// Where.
    pub span: Span,
    /// Its value where the caller gives none.
    pub default: Option<Expr>,
}

/// Statements of one scope.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Block {
    /// In order.
    pub statements: Vec<Stmt>,
    /// From behind what opens it to before what ends it, the white space at both ends included.
    pub span: Span,
}

/// A statement.
#[derive(Debug, Clone, PartialEq)]
pub struct Stmt {
    /// What.
    pub kind: StmtKind,
    /// Where.
    pub span: Span,
}

/// What a statement is.
#[derive(Debug, Clone, PartialEq)]
pub enum StmtKind {
    /// `let x = 1`, `const X = 1`
    Let {
        /// The name.
        name: String,
        /// Where.
        name_span: Span,
        /// Its value.
        value: Expr,
        /// Whether it can never be assigned.
        constant: bool,
    },
    /// `place = value`, `place += value`
    Assign(Expr, Option<AssignOp>, Expr),
    /// A call.
    Expr(Expr),
    /// `if … elif … else … end`
    If(Vec<(Expr, Block)>, Option<Block>),
    /// `while c … end`
    While(Expr, Block),
    /// `for a, b in things … end`
    For(Vec<(String, Span)>, Expr, Block),
    /// `match v case … end`
    Match(Expr, Vec<(Vec<Expr>, Block)>, Option<Block>),
    /// `try … catch e … end`
    Try(Block, Option<(String, Span)>, Block),
    /// `do … end`
    Do(Block),
    /// `fn f() … end`
    Function(Function),
    /// `return x`
    Return(Option<Expr>),
    /// `break`
    Break,
    /// `continue`
    Continue,
}

/// The operator of an assignment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AssignOp {
    /// `+=` and its kin.
    Binary(BinaryOp),
    /// `??=`
    OrNil,
}

/// A whole file.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct File {
    /// In order.
    pub items: Vec<ItemDecl>,
}

/// Something at the top of a file.
#[derive(Debug, Clone, PartialEq)]
pub enum ItemDecl {
    /// `use "lib/x" as y`
    Use {
        /// The path.
        path: String,
        /// The name it binds.
        name: String,
        /// Where.
        span: Span,
    },
    /// `prop name = default in lo..hi`
    Prop {
        /// Its name.
        name: String,
        /// Where.
        name_span: Span,
        /// Its default.
        value: Expr,
        /// Lowest and highest value.
        range: Option<Expr>,
        /// The doc comment.
        doc: String,
    },
    /// `on name(params) … end`
    Handler(Function),
    /// Anything that may stand in a block.
    Statement(Stmt),
}
