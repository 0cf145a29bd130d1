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
