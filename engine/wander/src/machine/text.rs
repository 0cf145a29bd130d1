//! Values as text, and copies of them.

use super::Machine;
use crate::fault::{Fault, Outcome};
use crate::host::Host;
use crate::number;
use crate::value::Value;

impl Machine {
    /// A value as `text(x)` and `print` write it; entities by name.
    pub fn text_of(&self, value: Value, host: &dyn Host) -> String {
        match value {
            Value::Entity(entity) => host.entity_name(entity),
            _ => self.plain_text(value),
        }
    }

    /// The same without a world: entities by number.
    pub(super) fn plain_text(&self, value: Value) -> String {
        self.heap.shown(value)
    }

    /// Puts a value's text behind another, and pays for it first where it is long.
    pub(crate) fn append_text(
        &self,
        value: Value,
        out: &mut String,
        host: &dyn Host,
        fuel: &mut i64,
    ) -> Outcome<()> {
        match self.heap.get_text(value) {
            Some(text) => {
                self.pay(fuel, text.len())?;
                out.push_str(text);
            }
            // What is written here is never long.
            None => {
                let text = self.text_of(value, host);
                self.pay(fuel, text.len())?;
                out.push_str(&text);
            }
        }
        Ok(())
    }

    /// A value in an f-string: `{x:.1}` one decimal, `{x:5}` at least five wide, `{x:05}` with zeros.
    pub(super) fn format(
        &self,
        value: Value,
        spec: &str,
        host: &dyn Host,
        fuel: &mut i64,
    ) -> Outcome<String> {
        let spec = spec.trim();
        self.pay(fuel, self.heap.get_text(value).map_or(0, str::len))?;
        if spec.is_empty() {
            return Ok(self.text_of(value, host));
        }
        let wrong = || {
            Fault::new("E310", format!("`{spec}` is no format"))
                .hint("`{x:.1}` has one decimal, `{x:5}` is five wide, `{x:05}` is filled with zeros")
        };
        let (width, decimals) = match spec.split_once('.') {
            Some((width, decimals)) => (width, Some(decimals.parse::<usize>().map_err(|_| wrong())?)),
            None => (spec, None),
        };
        let zeros = width.len() > 1 && width.starts_with('0');
        let width = if width.is_empty() { 0 } else { width.parse::<usize>().map_err(|_| wrong())? };
        if width > 1000 || decimals.is_some_and(|decimals| decimals > 20) {
            return Err(wrong());
        }
        let text = match (value, decimals) {
            (Value::Number(n), Some(decimals)) => format!("{n:.decimals$}"),
            (_, Some(_)) => {
                return Err(Fault::new(
                    "E310",
                    format!("`{spec}` needs a number, got {}", value.type_name()),
                ));
            }
            _ => self.text_of(value, host),
        };
        let missing = width.saturating_sub(text.chars().count());
        let filling = if zeros { "0" } else { " " }.repeat(missing);
        Ok(match text.strip_prefix('-') {
            Some(digits) if zeros => format!("-{filling}{digits}"),
            _ => filling + &text,
        })
    }

    /// Starts a task from a native.
    pub(crate) fn spawn_task(
        &mut self,
        closure: Value,
        owner: Option<base::EntityId>,
    ) -> Outcome<crate::value::TaskId> {
        self.spawn(closure, owner)
    }

    /// What a native that waits gives back; the loop puts the task to sleep.
    pub(crate) fn sleep_seconds(&mut self, seconds: f64) -> Outcome<Value> {
        if !seconds.is_finite() || seconds < 0.0 {
            return Err(Fault::new(
                "E307",
                format!("`wait` needs seconds from 0, got {}", number::text(seconds)),
            ));
        }
        self.sleep_ticks(libm::ceil(seconds * self.rate))
    }

    /// The same in ticks, one at least.
    pub(crate) fn sleep_ticks(&mut self, ticks: f64) -> Outcome<Value> {
        let ticks = ticks.clamp(1.0, 1e15) as u64;
        self.wants_sleep = Some(super::Wait::Tick(self.tick + ticks));
        Ok(Value::Nil)
    }

    /// The same until an event.
    pub(crate) fn sleep_event(&mut self, name: String) -> Outcome<Value> {
        self.wants_sleep = Some(super::Wait::Event(name));
        Ok(Value::Nil)
    }
}
