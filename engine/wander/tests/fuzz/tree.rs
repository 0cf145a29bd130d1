//! Programs as trees: what the generator makes, the printer writes out for the machine and the oracle walks.

use std::rc::Rc;

#[derive(Debug, Clone)]
pub enum Expr {
    Nil,
    Bool(bool),
    /// From 0; with how it is written.
    Number(f64, String),
    Text(String),
    Vector(Vec<Expr>),
    /// Elements; true for `...element`.
    List(Vec<(bool, Expr)>),
    Record(Vec<Field>),
    Name(String),
    Negate(Box<Expr>),
    Not(Box<Expr>),
    Binary(Op, Box<Expr>, Box<Expr>),
    And(Box<Expr>, Box<Expr>),
    Or(Box<Expr>, Box<Expr>),
    OrNil(Box<Expr>, Box<Expr>),
    /// True for `..=`.
    Range(Box<Expr>, Box<Expr>, bool),
    If(Box<Expr>, Box<Expr>, Box<Expr>),
    /// True for `?.`.
    Field(Box<Expr>, String, bool),
    /// True for `?[`.
    Index(Box<Expr>, Box<Expr>, bool),
    /// A call of a value.
    Call(Box<Expr>, Vec<Expr>),
    Method(Box<Expr>, String, Vec<Expr>),
    /// A free function of the library.
    Library(&'static str, Vec<Expr>),
    Format(Vec<Piece>),
    Lambda(Rc<Function>),
}

#[derive(Debug, Clone)]
pub enum Field {
    Named(String, Expr),
    Computed(Expr, Expr),
    Spread(Expr),
}

#[derive(Debug, Clone)]
pub enum Piece {
    Text(String),
    /// An expression and how many decimals it is written with.
    Value(Expr, Option<usize>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Op {
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

impl Op {
    pub fn sign(self) -> &'static str {
        match self {
            Self::Add => "+",
            Self::Sub => "-",
            Self::Mul => "*",
            Self::Div => "/",
            Self::FloorDiv => "//",
            Self::Mod => "%",
            Self::Pow => "**",
            Self::Eq => "==",
            Self::Ne => "!=",
            Self::Lt => "<",
            Self::Le => "<=",
            Self::Gt => ">",
            Self::Ge => ">=",
            Self::In => "in",
            Self::NotIn => "not in",
        }
    }
}

/// A function's parameters, each with its default, and its body.
#[derive(Debug)]
pub struct Function {
    pub name: String,
    pub params: Vec<(String, Option<Expr>)>,
    pub body: Body,
}

#[derive(Debug)]
pub enum Body {
    Expr(Expr),
    Block(Vec<Stmt>),
}

/// What is assigned with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Assign {
    Plain,
    With(Op),
    OrNil,
}

#[derive(Debug)]
pub enum Stmt {
    /// True for `const`.
    Let(String, Expr, bool),
    /// The place is a name, a field or an element.
    Assign(Expr, Assign, Expr),
    /// A call.
    Expr(Expr),
    If(Vec<(Expr, Vec<Stmt>)>, Option<Vec<Stmt>>),
    While(Expr, Vec<Stmt>),
    For(Vec<String>, Expr, Vec<Stmt>),
    Match(Expr, Vec<(Vec<Expr>, Vec<Stmt>)>, Option<Vec<Stmt>>),
    Try(Vec<Stmt>, Option<String>, Vec<Stmt>),
    Do(Vec<Stmt>),
    Function(Rc<Function>),
    Return(Option<Expr>),
    Break,
    Continue,
}

/// A tool: variables and functions of the file, the last of them `run`.
#[derive(Debug)]
pub struct Program {
    pub items: Vec<Stmt>,
}
