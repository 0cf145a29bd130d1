//! Compiled programs: register bytecode in instructions of eight bytes, with a place in the source for each.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::environment::Kind;
use crate::span::{Lines, Span};

/// What an instruction does. `a`, `b`, `c` are registers unless said otherwise; `d` is a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Op {
    /// a = constant d
    Constant,
    /// a = nil
    Nil,
    /// a = true (d = 1) or false
    Bool,
    /// a = b
    Move,
    /// a = the entity that the script belongs to
    SelfEntity,
    /// a = variable d of the instance
    GetGlobal,
    /// variable d of the instance = a
    SetGlobal,
    /// a = variable d of module b
    GetModule,
    /// a = a new cell holding a
    NewCell,
    /// a = what cell b holds
    GetCell,
    /// cell a holds b
    SetCell,
    /// a = captured cell d's value
    GetCapture,
    /// captured cell d holds a
    SetCapture,
    /// a = a closure of function d
    Closure,
    /// a = b + c
    Add,
    /// a = b - c
    Sub,
    /// a = b * c
    Mul,
    /// a = c + b * d, where all are numbers or b and c vectors of three, and on behind the two instructions that follow,
    /// which do the same; nothing for everything else. So are the next five.
    MulAdd,
    /// a = c - b * d
    SubMul,
    /// a = b * d - c
    MulSub,
    /// a = c + b * constant d
    MulKAdd,
    /// a = c - b * constant d
    SubMulK,
    /// a = b * constant (lower half of d) + constant (upper half)
    MulKAddK,
    /// a = b / c
    Div,
    /// a = b // c
    FloorDiv,
    /// a = b % c
    Mod,
    /// a = b ** c
    Pow,
    /// a = b + constant d
    AddK,
    /// a = b - constant d
    SubK,
    /// a = b * constant d
    MulK,
    /// a = b / constant d
    DivK,
    /// a = -b
    Negate,
    /// a = not b
    Not,
    /// a = b == c
    Equal,
    /// a = b != c
    NotEqual,
    /// a = b < c
    Less,
    /// a = b <= c
    LessEqual,
    /// a = b in c
    In,
    /// go to d
    Jump,
    /// go back to d; pays for the loop's body
    Loop,
    /// go to d if a is false
    JumpIfNot,
    /// go to d if a is true
    JumpIf,
    /// go to d if a is nil
    JumpIfNil,
    /// go to d if a is not nil
    JumpIfSome,
    /// go to d unless b < c
    JumpUnlessLess,
    /// go to d unless b <= c
    JumpUnlessLessEqual,
    /// go to d unless b < constant c
    JumpUnlessLessK,
    /// go to d unless b <= constant c
    JumpUnlessLessEqualK,
    /// go to d unless b > constant c
    JumpUnlessMoreK,
    /// go to d unless b >= constant c
    JumpUnlessMoreEqualK,
    /// a = a list of the d values from b on
    List,
    /// list a gets b at its end
    Push,
    /// list a gets all of list b at its end
    Extend,
    /// a = an empty record
    Record,
    /// a = a record of layout d with the values from b on
    Fields,
    /// record a's field of site d = b, where the record is new
    InitField,
    /// record a gets all fields of record b
    Spread,
    /// a = b's field of site d
    GetField,
    /// a's field of site d = b
    SetField,
    /// a's field of site d = b; a vector is changed in register a instead, and the c instructions that follow write it
    /// back, which are skipped for everything else
    SetFieldThrough,
    /// a = b[c]
    GetIndex,
    /// a[b] = c
    SetIndex,
    /// a = a(a+1 …), b arguments
    Call,
    /// like Call, but surplus arguments are dropped
    CallFlexible,
    /// a = function d (a+1 …), b arguments
    CallFunction,
    /// a = function d of module c (a+1 …), b arguments
    CallModule,
    /// a = method d of a+1 (a+2 …), b arguments without the receiver
    CallMethod,
    /// a+1 gets a+2 at its end where it is a list; like CallMethod for everything else
    CallPush,
    /// a = native d (a+1 …), b arguments
    CallNative,
    /// a = native d of b; what `c` stands for, it does at once where b is a number
    CallNative1,
    /// a = host function d (a+1 …), b arguments
    CallHost,
    /// return a
    Return,
    /// a = a vector of the d values from b on
    Vector,
    /// a = b..c, with d = 1 including the end
    Range,
    /// a = the texts of the d values from b on, joined
    Concat,
    /// a = b as text, by format constant d (or -1)
    Format,
    /// prepare going through a: a = what is gone through, a+1 = 0, a+2 = the record
    ForPrepare,
    /// next turn, at the end of the body: a+3 (and a+4 where b = 2) are set and on to d, which is paid for; or go on
    ForNext,
    /// the same with numbers from a up to a+1, including it where b = 1: a+2 = the next
    ForNumber,
    /// a = whether b matches the case value c
    Matches,
    /// errors from here on go to d with the error in a
    Try,
    /// the last Try ends
    EndTry,
    /// go to d if the caller gave parameter a
    JumpIfGiven,
}

/// One instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Instruction {
    /// What.
    pub op: Op,
    /// First operand.
    pub a: u8,
    /// Second operand.
    pub b: u8,
    /// Third operand.
    pub c: u8,
    /// Wide operand.
    pub d: i32,
}

/// A constant of a program.
#[derive(Debug, Clone, PartialEq)]
pub enum Constant {
    /// A number.
    Number(f64),
    /// Text.
    Text(String),
    /// A colour.
    Color([f32; 4]),
}

/// Where a closure finds a captured variable when it is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Capture {
    /// In a register of the function that makes it.
    Register(u8),
    /// Among that function's own captures.
    Outer(u8),
}

/// A compiled function.
#[derive(Debug, Clone)]
pub struct Code {
    /// Its name; `fn` for lambdas, `on name` for handlers.
    pub name: String,
    /// Parameters.
    pub params: u8,
    /// Parameters without a default.
    pub required: u8,
    /// Names of the parameters, for messages.
    pub param_names: Vec<String>,
    /// Registers that it needs.
    pub registers: u8,
    /// Instructions that entering it pays for: straight-line code is paid for at once, loops as they turn.
    pub cost: i64,
    /// What it does.
    pub instructions: Vec<Instruction>,
    /// Where each instruction comes from.
    pub spans: Vec<Span>,
    /// What it captures.
    pub captures: Vec<Capture>,
}

/// How a name at the top of a file may be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GlobalKind {
    /// `let`
    Let,
    /// `const`
    Const,
    /// `prop`
    Prop,
}

/// A variable of each instance of a program.
#[derive(Debug, Clone)]
pub struct Global {
    /// Its name.
    pub name: String,
    /// How it may be used.
    pub kind: GlobalKind,
}

/// A `prop` as editors and tools see it.
#[derive(Debug, Clone)]
pub struct Prop {
    /// Its name.
    pub name: String,
    /// Its variable.
    pub global: usize,
    /// Its doc comment.
    pub doc: String,
}

/// A compiled file. Immutable and shared: a running task keeps the code it started with.
#[derive(Debug)]
pub struct Program {
    /// Project-relative path.
    pub path: String,
    /// The text, for messages.
    pub source: Arc<str>,
    /// Its lines, for the places of errors.
    pub lines: Lines,
    /// What kind of file.
    pub kind: Kind,
    /// Every function; the first one sets the variables.
    pub functions: Vec<Code>,
    /// Functions at the top, by name.
    pub named: BTreeMap<String, usize>,
    /// Handlers, by event.
    pub handlers: BTreeMap<String, usize>,
    /// Names of fields and methods.
    pub names: Vec<String>,
    /// Places in the code that read or set a field, each with its name: the machine remembers for each what it found.
    pub sites: Vec<u32>,
    /// Names of the fields of record literals, in order.
    pub layouts: Vec<Vec<u32>>,
    /// Constants.
    pub constants: Vec<Constant>,
    /// Variables of an instance.
    pub globals: Vec<Global>,
    /// Props.
    pub props: Vec<Prop>,
    /// Modules it uses.
    pub modules: Vec<Arc<Program>>,
}

impl Program {
    /// The variable of this name.
    pub fn global(&self, name: &str) -> Option<usize> {
        self.globals.iter().position(|global| global.name == name)
    }

    /// The place of an instruction.
    pub fn span(&self, function: usize, pc: usize) -> Span {
        self.functions.get(function).and_then(|code| code.spans.get(pc)).copied().unwrap_or_default()
    }
}
