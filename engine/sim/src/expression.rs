//! Conditions and questions in the language: `until` over the world, `where` over an entity.

use std::sync::Arc;

use base::{EntityId, Problem};
use scene::Edit;
use wander::machine::Watch;
use wander::{Machine, Outcome, Program, Template, Value};

use crate::scripts::Effects;
use crate::world::{Acted, LogLine, Run, World};

/// A compiled expression. It may only look at the world.
#[derive(Debug, Clone)]
pub struct Expression {
    inner: wander::Expression,
    text: String,
}

/// Instructions that one evaluation may use.
const FUEL: i64 = 100_000;

impl Expression {
    /// Compiles; `given` are the names that it is given values for, such as `e`.
    pub fn new(text: &str, given: &[&str], world: &World) -> Result<Self, Problem> {
        let inner = wander::Expression::new(text, given, &world.content().environment)?;
        Ok(Self { inner, text: text.to_owned() })
    }

    /// The expression's text.
    pub fn text(&self) -> &str {
        &self.text
    }
}

/// Evaluates many expressions on one world without touching it.
pub struct Evaluator {
    machine: Machine,
}

impl Evaluator {
    /// An evaluator for a world.
    pub fn new(world: &World) -> Self {
        let machine = Machine::new(world.content().environment.clone(), 0, f64::from(world.content().rate));
        Self { machine }
    }

    /// Whether the expression is true of an entity, or of the world.
    pub fn test(
        &mut self,
        expression: &Expression,
        entity: Option<EntityId>,
        world: &mut World,
    ) -> Result<bool, Problem> {
        let arguments: Vec<Value> = entity.map(Value::Entity).into_iter().collect();
        let mut fuel = FUEL;
        let mut truth = false;
        let result = world.look(|host| {
            let value = self.machine.run_function(
                expression.inner.program(),
                "expression",
                &arguments,
                host,
                &mut fuel,
            )?;
            truth = self.machine.truth(value, host);
            Ok(())
        });
        result.map_err(|fault: Box<wander::Fault>| {
            let mut problem = fault.to_problem();
            problem.message = format!("`{}`: {}", expression.text, problem.message);
            problem
        })?;
        Ok(truth)
    }
}

impl Evaluator {
    /// Fills a template in with these values for the names that it was compiled with, as JSON that stays as it is.
    pub fn fill(
        &mut self,
        template: &Template,
        values: &[serde_json::Value],
        world: &mut World,
    ) -> Result<serde_json::Value, Problem> {
        let machine = &mut self.machine;
        let values: Vec<Value> =
            values.iter().map(|value| wander::boundary::from_json_as_is(&mut machine.heap, value)).collect();
        let mut fuel = EVALUATION;
        let mut filled = Ok(serde_json::Value::Null);
        world
            .look(|host| {
                filled = template.fill(&values, machine, host, &mut fuel);
                Ok(())
            })
            .map_err(|fault: Box<wander::Fault>| fault.to_problem())?;
        filled
    }
}

/// What evaluating code came to.
#[derive(Debug, Clone)]
pub struct Found {
    /// Its value as data.
    pub value: serde_json::Value,
    /// The type that it has in the language.
    pub kind: &'static str,
    /// What it wrote to the log.
    pub log: Vec<LogLine>,
    /// Instructions that it used.
    pub instructions: u64,
}

/// What code that changed the world came to.
#[derive(Debug, Clone)]
pub struct Changed {
    /// What evaluating it came to.
    pub found: Found,
    /// What changed in the scene, each edit with what takes it back, in order.
    pub edits: Vec<(Edit, Edit)>,
}

/// Evaluates one expression, or a function's body, in a world that it may only look at. `entity` is known to it as `e`.
pub fn evaluate(
    code: &str,
    entity: Option<EntityId>,
    watch: Option<Watch>,
    world: &mut World,
) -> Result<Found, Problem> {
    let Code { program, function, arguments } = Code::new(code, entity, world)?;
    let mut machine = Machine::new(world.content().environment.clone(), 0, f64::from(world.content().rate));
    machine.watch(watch);
    let (mut fuel, mut effects) = (EVALUATION, Effects::default());
    let result = world.look_and_log(&mut effects, |host| {
        let value = machine.run_function(&program, function, &arguments, host, &mut fuel)?;
        shown(&machine, value)
    });
    let value = result.map_err(|fault| fault.to_problem())?;
    Ok(found(value, effects.log, fuel))
}

/// The same in a world that it may change as a game's scripts may. What fails changes nothing.
pub fn change(
    code: &str,
    entity: Option<EntityId>,
    watch: Option<Watch>,
    world: &mut World,
) -> Result<Changed, Problem> {
    let Code { program, function, arguments } = Code::new(code, entity, world)?;
    let mut fuel = EVALUATION;
    let run = Run { program: &program, function, arguments: &arguments, fuel: &mut fuel, watch };
    let Acted { value, edits, log } = world.act(run, shown)?;
    Ok(Changed { found: found(value, log, fuel), edits })
}

/// A value as data, and its type.
fn shown(machine: &Machine, value: Value) -> Outcome<(serde_json::Value, &'static str)> {
    Ok((machine.result_to_json(value, wander::machine::MOST_OUTPUT)?, value.type_name()))
}

fn found((value, kind): (serde_json::Value, &'static str), log: Vec<LogLine>, fuel: i64) -> Found {
    Found { value, kind, log, instructions: (EVALUATION - fuel).max(0) as u64 }
}

/// Code of a call, compiled.
struct Code {
    program: Arc<Program>,
    function: &'static str,
    arguments: Vec<Value>,
}

impl Code {
    fn new(code: &str, entity: Option<EntityId>, world: &World) -> Result<Self, Problem> {
        let environment = &world.content().environment;
        let given: &[&str] = if entity.is_some() { &["e"] } else { &[] };
        let (program, function) = match wander::Expression::new(code, given, environment) {
            Ok(expression) => (expression.program().clone(), "expression"),
            // What is no expression is read as lines; if it is neither, the fault of what it looks like is told.
            Err(problem) => match body(code, given, environment) {
                Ok(program) => (program, "run"),
                Err(other) => return Err(if is_body(code) { other } else { problem }),
            },
        };
        Ok(Self { program, function, arguments: entity.map(Value::Entity).into_iter().collect() })
    }
}

/// Instructions that evaluating code may use.
const EVALUATION: i64 = 1_000_000;

/// Whether a text looks like the lines of a function.
fn is_body(code: &str) -> bool {
    let begins = ["let ", "const ", "return", "for ", "while ", "if ", "fn ", "match ", "try", "do"];
    code.trim().lines().count() > 1 || begins.iter().any(|word| code.trim_start().starts_with(word))
}

fn body(code: &str, given: &[&str], environment: &wander::Environment) -> Result<Arc<Program>, Problem> {
    let source = format!("fn run({})\n{code}\nend", given.join(", "));
    let read = |_: &str| None;
    let mut loader = wander::Loader::new(environment, &read);
    let program = loader.compile(wander::Kind::Module, "code", &source);
    program.ok_or_else(|| {
        let first = loader.findings.iter().flat_map(|file| file.problems()).next();
        let mut problem = first.unwrap_or_else(|| Problem::new("E101", "this is no code"));
        // The line around it is not the caller's.
        problem.place.line = problem.place.line.map(|line| line.saturating_sub(1));
        problem
    })
}
