//! Conditions and questions in the language: `until` over the world, `where` over an entity.

use base::{EntityId, Problem};
use wander::{Machine, Value};

use crate::world::World;

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

/// What evaluating code came to.
#[derive(Debug, Clone)]
pub struct Found {
    /// Its value as data.
    pub value: serde_json::Value,
    /// The type that it has in the language.
    pub kind: &'static str,
    /// Instructions that it used.
    pub instructions: u64,
}

/// Evaluates one expression, or a function's body, in a world that it may only look at. `entity` is known to it as `e`.
pub fn evaluate(code: &str, entity: Option<EntityId>, world: &mut World) -> Result<Found, Problem> {
    let environment = world.content().environment.clone();
    let given: &[&str] = if entity.is_some() { &["e"] } else { &[] };
    let (program, name) = match wander::Expression::new(code, given, &environment) {
        Ok(expression) => (expression.program().clone(), "expression"),
        // What is no expression is read as lines; if it is neither, the fault of what it looks like is told.
        Err(problem) if !is_body(code) => return Err(problem),
        Err(_) => (body(code, given, &environment)?, "run"),
    };
    let mut machine = Machine::new(environment, 0, f64::from(world.content().rate));
    let arguments: Vec<Value> = entity.map(Value::Entity).into_iter().collect();
    let mut fuel = EVALUATION;
    let result = world.look(|host| machine.run_function(&program, name, &arguments, host, &mut fuel));
    let value = result.map_err(|fault| fault.to_problem())?;
    let shown =
        machine.result_to_json(value, wander::machine::MOST_OUTPUT).map_err(|fault| fault.to_problem())?;
    let instructions = (EVALUATION - fuel).max(0) as u64;
    Ok(Found { value: shown, kind: value.type_name(), instructions })
}

/// Instructions that evaluating code may use.
const EVALUATION: i64 = 1_000_000;

/// Whether a text looks like the lines of a function.
fn is_body(code: &str) -> bool {
    let begins = ["let ", "const ", "return", "for ", "while ", "if ", "fn ", "match ", "try", "do"];
    code.trim().lines().count() > 1 || begins.iter().any(|word| code.trim_start().starts_with(word))
}

fn body(
    code: &str,
    given: &[&str],
    environment: &wander::Environment,
) -> Result<std::sync::Arc<wander::Program>, Problem> {
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
