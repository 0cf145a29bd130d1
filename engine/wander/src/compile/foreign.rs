//! Names of other languages' libraries, and what Wander has in their place.

use super::Compiler;
use crate::ast::{Expr, ExprKind};
use crate::diagnostic::Diagnostic;
use crate::environment::Kind;
use crate::span::Span;

/// A function elsewhere, how many arguments it is given there, and what is written here: `$1` is the first of them.
type Row = (&'static str, usize, &'static str);

/// Functions by their whole names.
const CALLS: &[Row] = &[
    ("len", 1, "$1.length"),
    ("str", 1, "text($1)"),
    ("tostring", 1, "text($1)"),
    ("String", 1, "text($1)"),
    ("repr", 1, "text($1)"),
    ("int", 1, "floor($1)"),
    ("tonumber", 1, "number($1)"),
    ("float", 1, "number($1)"),
    ("parseInt", 1, "number($1)"),
    ("parseFloat", 1, "number($1)"),
    ("Number", 1, "number($1)"),
    ("range", 1, "0..$1"),
    ("range", 2, "$1..$2"),
    ("range", 3, "($1..$2).by($3)"),
    ("enumerate", 1, "$1"),
    ("ipairs", 1, "$1"),
    ("pairs", 1, "$1"),
    ("sorted", 1, "$1.sorted()"),
    ("reversed", 1, "$1.reverse()"),
    ("sum", 1, "$1.sum()"),
    ("map", 2, "$2.map($1)"),
    ("filter", 2, "$2.filter($1)"),
    ("append", 2, "$1.push($2)"),
    ("pow", 2, "$1 ** $2"),
    ("fmod", 2, "$1 % $2"),
    ("fabs", 1, "abs($1)"),
    ("println", 1, "print($1)"),
    ("printf", 1, "print($1)"),
    ("echo", 1, "print($1)"),
    ("push_error", 1, "warn($1)"),
    ("sleep", 1, "wait($1)"),
    ("delay", 1, "wait($1)"),
    ("setTimeout", 2, "after($2 / 1000, $1)"),
    ("setInterval", 2, "every($2 / 1000, $1)"),
    ("randf", 0, "random()"),
    ("rand", 0, "random()"),
    ("randint", 2, "random.int($1, $2)"),
    ("randi_range", 2, "random.int($1, $2)"),
    ("randf_range", 2, "random.float($1, $2)"),
    ("Instantiate", 1, "clone($1)"),
    ("Destroy", 1, "destroy($1)"),
    ("queue_free", 0, "self.destroy()"),
    ("get_node", 1, "find($1)"),
    ("get_parent", 0, "self.parent"),
    ("is_instance_valid", 1, "$1"),
    ("emit_signal", 1, "emit($1)"),
    ("emit_signal", 2, "emit($1, $2)"),
    ("emitSignal", 1, "emit($1)"),
    ("console.log", 1, "print($1)"),
    ("console.warn", 1, "warn($1)"),
    ("console.error", 1, "warn($1)"),
    ("Debug.Log", 1, "print($1)"),
    ("Console.WriteLine", 1, "print($1)"),
    ("GD.print", 1, "print($1)"),
    ("table.insert", 2, "$1.push($2)"),
    ("table.insert", 3, "$1.insert($2, $3)"),
    ("table.remove", 1, "$1.pop()"),
    ("table.remove", 2, "$1.remove_at($2)"),
    ("table.concat", 2, "$1.join($2)"),
    ("table.sort", 1, "$1.sort()"),
    ("string.upper", 1, "$1.upper()"),
    ("string.lower", 1, "$1.lower()"),
    ("string.len", 1, "$1.length"),
    ("string.rep", 2, "$1.repeat($2)"),
    ("math.random", 0, "random()"),
    ("math.random", 1, "random.int(1, $1)"),
    ("math.random", 2, "random.int($1, $2)"),
    ("Math.random", 0, "random()"),
    ("math.fmod", 2, "$1 % $2"),
    ("math.fabs", 1, "abs($1)"),
    ("math.radians", 1, "math.rad($1)"),
    ("math.degrees", 1, "math.deg($1)"),
    ("random.randint", 2, "random.int($1, $2)"),
    ("random.randrange", 2, "random.int($1, $2 - 1)"),
    ("random.uniform", 2, "random.float($1, $2)"),
    ("random.random", 0, "random()"),
    ("Random.Range", 2, "random.float($1, $2)"),
    ("Input.GetKey", 1, "input.down($1)"),
    ("Input.GetKeyDown", 1, "input.pressed($1)"),
    ("Input.GetAxis", 1, "input.axis($1)"),
    ("Input.GetButtonDown", 1, "input.pressed($1)"),
    ("Input.is_action_pressed", 1, "input.down($1)"),
    ("Input.is_action_just_pressed", 1, "input.pressed($1)"),
    ("Input.get_axis", 1, "input.axis($1)"),
    ("GameObject.Find", 1, "find($1)"),
    ("GameObject.FindGameObjectsWithTag", 1, "find_all($1)"),
    ("GameObject.FindWithTag", 1, "find_all($1).first"),
    ("Object.keys", 1, "$1.keys()"),
    ("Object.values", 1, "$1.values()"),
    ("Object.entries", 1, "$1.entries()"),
    ("Array.isArray", 1, "type($1) == \"list\""),
    ("coroutine.wrap", 1, "spawn($1)"),
    ("coroutine.create", 1, "spawn($1)"),
    ("coroutine.yield", 0, "wait_frames(1)"),
    ("task.wait", 1, "wait($1)"),
    ("os.clock", 0, "time.now"),
    ("os.time", 0, "time.now"),
    ("time.time", 0, "time.now"),
    ("time.sleep", 1, "wait($1)"),
    ("Date.now", 0, "time.now"),
];

/// Values by their whole names.
const VALUES: &[(&str, &str)] = &[
    ("this", "self"),
    ("NULL", "nil"),
    ("Null", "nil"),
    ("TRUE", "true"),
    ("FALSE", "false"),
    ("Infinity", "math.infinity"),
    ("PI", "math.pi"),
    ("TAU", "math.tau"),
    ("transform", "self"),
    ("gameObject", "self"),
    ("Time.deltaTime", "time.dt"),
    ("Time.time", "time.now"),
    ("Math.PI", "math.pi"),
    ("Mathf.PI", "math.pi"),
    ("math.huge", "math.infinity"),
    ("math.inf", "math.infinity"),
    ("Vector3.zero", "vec.zero"),
    ("Vector3.up", "vec.up"),
    ("Vector3.one", "vec.one"),
    ("Vector3.forward", "vec.forward"),
    ("Vector3.ZERO", "vec.zero"),
    ("Vector3.UP", "vec.up"),
    ("Vector2.ZERO", "(0, 0)"),
];

/// What is said where no single expression takes the place of a call.
const ADVICE: &[(&str, &str)] = &[
    ("import", "write `use \"lib/name\"` at the top of the file"),
    ("require", "write `use \"lib/name\"` at the top of the file"),
    ("preload", "write `use \"lib/name\"` at the top of the file"),
    ("load", "write `use \"lib/name\"` at the top of the file"),
    ("len", "a length is a property: `l.length`"),
    ("pcall", "write `try … catch e … end`"),
    ("xpcall", "write `try … catch e … end`"),
    ("isinstance", "compare its type: `type(x) == \"number\"`"),
    ("setmetatable", "there are no classes: keep data in a record and write functions over it"),
    ("input", "ask for an action: `input.pressed(\"jump\")`"),
    ("string.format", "write `f\"hp {hp:.1}\"`"),
    ("String.Format", "write `f\"hp {hp:.1}\"`"),
    ("string.sub", "write `s[0..3]`, or `s.slice(0, 3)`"),
    ("StartCoroutine", "write `spawn(fn() … end)`"),
    ("GetComponent", "write `self.get(\"body\")`"),
    ("JSON.stringify", "write `text(x)`"),
];

impl Compiler<'_> {
    /// What Wander has for a call of another language's function, whole name given.
    pub(super) fn foreign_call(
        &self,
        name: &str,
        args: &[Expr],
        callee: Span,
        span: Span,
    ) -> Option<Diagnostic> {
        let unknown =
            Diagnostic::error("E201", callee, format!("unknown name `{name}`")).label("not declared here");
        if let Some((_, _, template)) =
            CALLS.iter().find(|(known, count, _)| *known == name && *count == args.len())
        {
            let write = self.filled(template, args);
            let hint = match name {
                "len" => format!("a length is a property: `{write}`"),
                "enumerate" | "ipairs" | "pairs" => {
                    format!("a loop gives both by itself: `for i, x in {write}`")
                }
                _ => format!("write `{write}`"),
            };
            return Some(unknown.hint(hint).fix_at(span, write));
        }
        let (owner, function) = name.split_once('.').unwrap_or(("", name));
        if matches!(owner, "Math" | "Mathf" | "math") {
            let write = self.of_mathematics(function)?;
            return Some(unknown.hint(format!("write `{write}(…)`")).fix_at(callee, write));
        }
        let (_, advice) = ADVICE.iter().find(|(known, _)| *known == name)?;
        Some(unknown.hint(*advice))
    }

    /// A function of `Math`, by the name that it has here.
    fn of_mathematics(&self, function: &str) -> Option<String> {
        let lower = function.to_lowercase();
        if crate::library::find("", &lower).is_some() {
            return Some(lower);
        }
        crate::library::find("math", &lower).map(|_| format!("math.{lower}"))
    }

    fn filled(&self, template: &str, args: &[Expr]) -> String {
        let mut text = template.to_owned();
        for (index, arg) in args.iter().enumerate() {
            let place = format!("${}", index + 1);
            let own = arg.span.text(self.source);
            let is_simple = matches!(
                arg.kind,
                ExprKind::Name(_)
                    | ExprKind::Field(..)
                    | ExprKind::Index(..)
                    | ExprKind::Call(..)
                    | ExprKind::List(_)
                    | ExprKind::Text(_)
                    | ExprKind::SelfEntity
            );
            // What something is read from, or computed with, stands in brackets.
            let is_inside =
                template.contains(&format!("({place}")) || template.contains(&format!(", {place}"));
            let is_number = matches!(arg.kind, ExprKind::Number(_));
            let bare = is_simple || is_inside || is_number || template == "$1" || own.starts_with('(');
            text = text.replace(&place, &if bare { own.to_owned() } else { format!("({own})") });
        }
        text
    }

    /// What Wander has for another language's value, whole name given.
    pub(super) fn foreign_value(&self, name: &str, span: Span) -> Option<Diagnostic> {
        let (_, write) = VALUES.iter().find(|(known, _)| *known == name)?;
        if *write == "self" && self.kind() != Kind::Entity {
            return None;
        }
        let unknown =
            Diagnostic::error("E201", span, format!("unknown name `{name}`")).label("not declared here");
        Some(unknown.hint(format!("write `{write}`")).fix(*write))
    }

    /// Where a free name lives: in an area, or on the entity itself.
    pub(super) fn place_of_name(&self, name: &str, is_called: bool) -> Option<String> {
        let library = crate::library::AREAS.iter().copied();
        let host =
            self.environment.functions.iter().map(|function| function.area).filter(|area| !area.is_empty());
        let area = library.chain(host).find(|area| {
            crate::library::find(area, name).is_some()
                || crate::library::constant(area, name).is_some()
                || self.environment.function(area, name).is_some()
        });
        if let Some(area) = area {
            return Some(format!("{area}.{name}"));
        }
        let is_own = if is_called {
            self.environment.method(name).is_some()
        } else {
            self.environment.property(name).is_some()
        };
        (is_own && self.kind() == Kind::Entity).then(|| format!("self.{name}"))
    }

    /// Whether a name means something of the file itself.
    pub(super) fn is_own_name(&mut self, name: &str) -> bool {
        use super::scope::Meaning;
        !matches!(self.find(name), None | Some(Meaning::Area | Meaning::Native(_) | Meaning::Host(_)))
    }
}
