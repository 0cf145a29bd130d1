//! Trees as source text, with brackets only where the grammar needs them, so that the parser's precedence is tested
//! too. The layout follows from choices: comments, empty lines, optional words, broken brackets.

use std::fmt::Write;

use super::choices::Choices;
use super::tree::{Assign, Body, Expr, Field, Function, Op, Piece, Program, Stmt};

/// Levels of binding, loosest first, as the language's description numbers them.
const ANY: u8 = 1;
const OR: u8 = 2;
const AND: u8 = 3;
const NOT: u8 = 4;
const COMPARE: u8 = 5;
const COALESCE: u8 = 6;
const RANGE: u8 = 7;
const SUM: u8 = 8;
const PRODUCT: u8 = 9;
const UNARY: u8 = 10;
const POWER: u8 = 11;
const POSTFIX: u8 = 12;

/// The text of a program. Without bytes the layout is plain.
pub fn print(program: &Program, layout: &[u8]) -> String {
    let mut printer = Printer { out: String::new(), indent: 0, layout: Choices::new(layout) };
    printer.block(&program.items);
    printer.out
}

struct Printer<'a> {
    out: String,
    indent: usize,
    layout: Choices<'a>,
}

impl Printer<'_> {
    fn block(&mut self, statements: &[Stmt]) {
        for statement in statements {
            if self.layout.chance(16) {
                self.line("-- a comment of its own");
            }
            if self.layout.chance(16) {
                self.out.push('\n');
            }
            self.start();
            self.statement(statement);
            self.end();
        }
    }

    fn inner(&mut self, statements: &[Stmt]) {
        self.indent += 1;
        self.block(statements);
        self.indent -= 1;
    }

    fn start(&mut self) {
        let odd = if self.layout.chance(16) { 3 } else { 0 };
        self.out.push_str(&" ".repeat(self.indent * 2 + odd));
    }

    fn end(&mut self) {
        if self.layout.chance(12) {
            self.out.push(';');
        }
        if self.layout.chance(16) {
            self.out.push_str("  -- why");
        }
        self.out.push('\n');
    }

    fn line(&mut self, text: &str) {
        self.start();
        self.out.push_str(text);
        self.end();
    }

    fn write(&mut self, text: &str) {
        self.out.push_str(text);
    }

    /// The end of a header whose last word may be left out before a line break.
    fn header(&mut self, word: &str, usual: bool) {
        if usual != self.layout.chance(40) {
            self.write(" ");
            self.write(word);
        }
        self.end_of_header();
    }

    fn end_of_header(&mut self) {
        if self.layout.chance(16) {
            self.write(" -- inside");
        }
        self.write("\n");
    }

    fn close(&mut self) {
        self.start();
        self.write("end");
    }

    fn statement(&mut self, statement: &Stmt) {
        match statement {
            Stmt::Let(name, value, constant) => {
                let word = if *constant { "const" } else { "let" };
                self.write(&format!("{word} {name} = "));
                self.expr(value, ANY);
            }
            Stmt::Assign(place, how, value) => {
                self.expr(place, POSTFIX);
                match how {
                    Assign::Plain => self.write(" = "),
                    Assign::With(op) => self.write(&format!(" {}= ", op.sign())),
                    Assign::OrNil => self.write(" ??= "),
                }
                self.expr(value, ANY);
            }
            Stmt::Expr(call) => self.expr(call, POSTFIX),
            Stmt::If(cases, last) => {
                for (index, (condition, body)) in cases.iter().enumerate() {
                    if index > 0 {
                        self.start();
                    }
                    self.write(if index == 0 { "if " } else { "elif " });
                    self.expr(condition, ANY);
                    self.header("then", true);
                    self.inner(body);
                }
                if let Some(body) = last {
                    self.start();
                    self.write("else");
                    self.end_of_header();
                    self.inner(body);
                }
                self.close();
            }
            Stmt::While(condition, body) => {
                self.write("while ");
                self.expr(condition, ANY);
                self.header("do", false);
                self.inner(body);
                self.close();
            }
            Stmt::For(names, things, body) => {
                self.write(&format!("for {} in ", names.join(", ")));
                self.expr(things, ANY);
                self.header("do", false);
                self.inner(body);
                self.close();
            }
            Stmt::Match(subject, cases, last) => {
                self.write("match ");
                self.expr(subject, ANY);
                self.end_of_header();
                self.indent += 1;
                for (values, body) in cases {
                    self.start();
                    self.write("case ");
                    self.separated(values);
                    self.header("then", true);
                    self.inner(body);
                }
                if let Some(body) = last {
                    self.start();
                    self.write("else");
                    self.end_of_header();
                    self.inner(body);
                }
                self.indent -= 1;
                self.close();
            }
            Stmt::Try(body, name, handler) => {
                self.write("try");
                self.end_of_header();
                self.inner(body);
                self.start();
                self.write("catch");
                if let Some(name) = name {
                    self.write(&format!(" {name}"));
                }
                self.end_of_header();
                self.inner(handler);
                self.close();
            }
            Stmt::Do(body) => {
                self.write("do");
                self.end_of_header();
                self.inner(body);
                self.close();
            }
            // A handler is a function whose name says `on`.
            Stmt::Function(function) if function.name.starts_with("on ") => {
                self.function(function, &function.name);
            }
            Stmt::Function(function) => self.function(function, &format!("fn {}", function.name)),
            Stmt::Return(None) => self.write("return"),
            Stmt::Return(Some(value)) => {
                self.write("return ");
                self.expr(value, ANY);
            }
            Stmt::Break => self.write("break"),
            Stmt::Continue => self.write("continue"),
        }
    }

    fn function(&mut self, function: &Function, head: &str) {
        self.write(&format!("{head}("));
        for (index, (name, default)) in function.params.iter().enumerate() {
            self.write(if index > 0 { ", " } else { "" });
            self.write(name);
            if let Some(default) = default {
                self.write(" = ");
                self.expr(default, ANY);
            }
        }
        self.write(")");
        match &function.body {
            Body::Expr(value) => {
                self.write(" => ");
                self.expr(value, ANY);
            }
            Body::Block(body) => {
                self.end_of_header();
                self.inner(body);
                self.close();
            }
        }
    }

    fn separated(&mut self, values: &[Expr]) {
        for (index, value) in values.iter().enumerate() {
            self.write(if index > 0 { ", " } else { "" });
            self.expr(value, ANY);
        }
    }

    /// What stands between brackets, sometimes with line breaks and a comma behind the last one.
    fn bracketed(&mut self, open: &str, close: &str, parts: usize, part: &mut dyn FnMut(&mut Self, usize)) {
        let broken = parts > 0 && self.layout.chance(16);
        self.write(open);
        for index in 0..parts {
            if broken {
                self.write("\n");
                self.write(&" ".repeat(self.indent * 2 + 2));
            } else if index > 0 {
                self.write(" ");
            }
            part(self, index);
            if index + 1 < parts || broken {
                self.write(",");
            }
            if broken && self.layout.chance(40) {
                self.write(" -- element");
            }
        }
        if broken {
            self.write("\n");
            self.write(&" ".repeat(self.indent * 2));
        }
        self.write(close);
    }

    fn arguments(&mut self, arguments: &[Expr]) {
        self.bracketed("(", ")", arguments.len(), &mut |printer, index| printer.expr(&arguments[index], ANY));
    }

    /// An expression where at least this level is needed.
    fn expr(&mut self, expr: &Expr, level: u8) {
        if level_of(expr) < level || self.layout.chance(8) && !is_place(expr) {
            self.write("(");
            self.bare(expr);
            self.write(")");
        } else {
            self.bare(expr);
        }
    }

    fn two(&mut self, left: &Expr, least_left: u8, sign: &str, right: &Expr, least_right: u8) {
        self.expr(left, least_left);
        self.write(sign);
        self.expr(right, least_right);
    }

    fn bare(&mut self, expr: &Expr) {
        match expr {
            Expr::Nil => self.write("nil"),
            Expr::Bool(flag) => self.write(if *flag { "true" } else { "false" }),
            Expr::Number(_, text) => self.write(text),
            Expr::Text(text) => {
                let text = quoted(text, false);
                self.write(&text);
            }
            Expr::Vector(parts) => {
                self.write("(");
                self.separated(parts);
                self.write(")");
            }
            Expr::List(items) => self.bracketed("[", "]", items.len(), &mut |printer, index| {
                printer.write(if items[index].0 { "..." } else { "" });
                printer.expr(&items[index].1, ANY);
            }),
            Expr::Record(fields) => self.bracketed("{", "}", fields.len(), &mut |printer, index| {
                printer.field(&fields[index]);
            }),
            Expr::Name(name) => self.write(name),
            Expr::Negate(value) => {
                self.write("-");
                // Two signs without a space between them are a comment.
                if matches!(**value, Expr::Negate(_)) {
                    self.write(" ");
                }
                self.expr(value, UNARY);
            }
            Expr::Not(value) => {
                self.write("not ");
                self.expr(value, NOT);
            }
            Expr::Binary(op, left, right) => {
                let sign = format!(" {} ", op.sign());
                match level_of(expr) {
                    POWER => self.two(left, POSTFIX, &sign, right, UNARY),
                    COMPARE => self.two(left, COALESCE, &sign, right, COALESCE),
                    level => self.two(left, level, &sign, right, level + 1),
                }
            }
            Expr::And(left, right) => self.two(left, AND, " and ", right, NOT),
            Expr::Or(left, right) => self.two(left, OR, " or ", right, AND),
            Expr::OrNil(left, right) => self.two(left, COALESCE, " ?? ", right, RANGE),
            Expr::Range(left, right, inclusive) => {
                self.two(left, SUM, if *inclusive { "..=" } else { ".." }, right, SUM);
            }
            Expr::If(condition, yes, no) => {
                self.write("if ");
                self.expr(condition, OR);
                self.write(" then ");
                self.expr(yes, ANY);
                self.write(" else ");
                self.expr(no, ANY);
            }
            Expr::Field(of, name, safe) => {
                self.base(of);
                self.write(if *safe { "?." } else { "." });
                self.write(name);
            }
            Expr::Index(of, index, safe) => {
                self.base(of);
                self.write(if *safe { "?[" } else { "[" });
                self.expr(index, ANY);
                self.write("]");
            }
            Expr::Call(of, arguments) => {
                self.base(of);
                self.arguments(arguments);
            }
            Expr::Method(of, name, arguments) => {
                self.base(of);
                self.write(&format!(".{name}"));
                self.arguments(arguments);
            }
            Expr::Library(name, arguments) => {
                self.write(name);
                self.arguments(arguments);
            }
            Expr::Format(pieces) => self.pieces(pieces),
            Expr::Lambda(function) => self.function(function, "fn"),
        }
    }

    /// What a field, an index or a call follows.
    fn base(&mut self, expr: &Expr) {
        match expr {
            // `1.x` would be read as a number, and `{` at the start of a statement as a block of another language.
            Expr::Number(..) | Expr::Record(_) => {
                self.write("(");
                self.bare(expr);
                self.write(")");
            }
            _ => self.expr(expr, POSTFIX),
        }
    }

    fn field(&mut self, field: &Field) {
        match field {
            Field::Named(name, Expr::Name(value)) if name == value => self.write(name),
            Field::Named(name, value) => {
                let plain = name.bytes().all(|byte| byte.is_ascii_lowercase()) && !name.is_empty();
                let name = if plain { name.clone() } else { quoted(name, false) };
                self.write(&format!("{name}: "));
                self.expr(value, ANY);
            }
            Field::Computed(key, value) => {
                self.write("[");
                self.expr(key, ANY);
                self.write("]: ");
                self.expr(value, ANY);
            }
            Field::Spread(value) => {
                self.write("...");
                self.expr(value, ANY);
            }
        }
    }

    fn pieces(&mut self, pieces: &[Piece]) {
        self.write("f\"");
        for piece in pieces {
            match piece {
                Piece::Text(text) => {
                    let text = quoted(text, true);
                    let inside = &text[1..text.len() - 1];
                    self.write(inside);
                }
                Piece::Value(value, decimals) => {
                    // What would need quotes or lines of its own is no part of a text here; see the generator.
                    self.write("{");
                    let mut inner = Printer { out: String::new(), indent: 0, layout: Choices::new(&[]) };
                    inner.expr(value, OR);
                    let text = inner.out;
                    self.write(&text);
                    if let Some(decimals) = decimals {
                        self.write(&format!(":.{decimals}"));
                    }
                    self.write("}");
                }
            }
        }
        self.write("\"");
    }
}

/// What must not be put into brackets of its own where it is assigned to or called as a statement.
fn is_place(expr: &Expr) -> bool {
    matches!(
        expr,
        Expr::Name(_)
            | Expr::Field(..)
            | Expr::Index(..)
            | Expr::Call(..)
            | Expr::Method(..)
            | Expr::Library(..)
    )
}

fn level_of(expr: &Expr) -> u8 {
    match expr {
        Expr::If(..) | Expr::Lambda(_) => ANY,
        Expr::Or(..) => OR,
        Expr::And(..) => AND,
        Expr::Not(_) => NOT,
        Expr::OrNil(..) => COALESCE,
        Expr::Range(..) => RANGE,
        Expr::Negate(_) => UNARY,
        Expr::Binary(op, ..) => match op {
            Op::Add | Op::Sub => SUM,
            Op::Mul | Op::Div | Op::FloorDiv | Op::Mod => PRODUCT,
            Op::Pow => POWER,
            _ => COMPARE,
        },
        _ => POSTFIX,
    }
}

/// A text as a literal; in an f-string braces stand twice.
fn quoted(text: &str, in_format: bool) -> String {
    let mut out = String::from("\"");
    for letter in text.chars() {
        match letter {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            '\0' => out.push_str("\\0"),
            '{' if in_format => out.push_str("{{"),
            '}' if in_format => out.push_str("}}"),
            letter if letter.is_control() => {
                let _ = write!(out, "\\u{{{:X}}}", u32::from(letter));
            }
            letter => out.push(letter),
        }
    }
    out.push('"');
    out
}
