//! Fields, elements, and what loops go through.

use super::Machine;
use super::calls::describe;
use super::origin::Operand;
use super::run::Names;
use super::tasks::Task;
use crate::fault::{Fault, Outcome};
use crate::heap::Key;
use crate::host::Host;
use crate::value::Value;

/// Names that an unknown one is compared with at most.
pub(super) const MOST_COMPARED: usize = 1_000;

/// What comparing two names costs whoever catches the error, in bytes of text.
pub(super) const COMPARING: usize = 64;

impl Machine {
    pub(super) fn get_field(
        &mut self,
        object: Value,
        site: usize,
        names: &Names<'_>,
        task: &Task,
        host: &mut dyn Host,
    ) -> Outcome<Value> {
        let loaded = names.loaded;
        let name = loaded.name_of(site);
        let text = loaded.program.names.get(name).map_or("", String::as_str);
        match object {
            Value::Record(_) => {
                let symbol = loaded.symbol_of(site);
                if let Some(found) = self.heap.site_of(object, symbol)
                    && let Some(place) = self.sites.get_mut(loaded.first_site + site)
                {
                    *place = found;
                }
                let record = self.heap.get_record(object);
                let value =
                    record.map_or(Value::Nil, |record| record.get(Key::Symbol(symbol), &self.heap.shapes));
                if value.is_nil() && text == "length" {
                    return Ok(Value::Number(
                        self.heap.get_record(object).map_or(0, crate::heap::Record::len) as f64,
                    ));
                }
                Ok(value)
            }
            Value::Entity(entity) => {
                if !host.is_alive(entity) {
                    if text == "alive" {
                        return Ok(Value::Bool(false));
                    }
                    return Err(Fault::new("E215", format!("`{}` is destroyed", host.entity_name(entity)))
                        .hint("check `if e then …` or `e.alive` before"));
                }
                if let Some(property) = loaded.properties.get(name).copied().flatten() {
                    return host.get(&mut self.heap, entity, property);
                }
                if let Some(value) = self.variable(entity, text) {
                    return Ok(value);
                }
                if let Some(value) = host.get_variable(&mut self.heap, entity, text)? {
                    return Ok(value);
                }
                if self.knows_variable(text) || host.knows_variable(text) || task.owner.is_none() {
                    return Ok(Value::Nil);
                }
                Err(self.unknown_property(text))
            }
            Value::Nil => {
                Err(self.nil_fault(task, names, Operand::Whole, &format!("so `.{text}` cannot be read")))
            }
            _ => match self.value_field(object, text) {
                Some(value) if self.heap.is_nan(value) => {
                    Err(Fault::new("E307", format!("`.{text}` of an infinite vector has no value")))
                }
                Some(value) => Ok(value),
                None => {
                    let kind = describe(object);
                    let is_method = crate::library::method(object.type_name(), text).is_some();
                    let mut fault = Fault::new("E216", format!("{kind} has no `{text}`"));
                    if is_method {
                        fault = fault.hint(format!("it is a method: write `.{text}()`"));
                    }
                    Err(fault)
                }
            },
        }
    }

    fn unknown_property(&self, name: &str) -> Box<Fault> {
        let known = self.environment.properties.iter().map(|property| property.name);
        let variables =
            self.programs.iter().flat_map(|loaded| loaded.program.globals.iter().map(|g| g.name.as_str()));
        let known: Vec<&str> = known.chain(variables).take(MOST_COMPARED).collect();
        let near = base::suggest::nearest(name, known.iter().copied());
        let mut fault = Fault::new("E214", format!("no entity has a `{name}`"));
        fault.searched = known.len() * COMPARING;
        match base::suggest::did_you_mean(&near) {
            Some(hint) => fault.hint(hint),
            None => {
                fault.hint(format!("make it first: `e.vars.{name} = …`, or `prop {name} = …` in its script"))
            }
        }
    }

    /// What is read without brackets from values other than records and entities.
    pub(crate) fn value_field(&mut self, object: Value, name: &str) -> Option<Value> {
        match object {
            Value::Vec2(_) | Value::Vec3(_) | Value::Vec4(_) => {
                let (parts, n) = self.heap.get_vector(object)?;
                match name {
                    "length" | "length2" => {
                        let square: f32 = parts.iter().take(n).map(|part| part * part).sum();
                        Some(Value::Number(f64::from(if name == "length" {
                            libm::sqrtf(square)
                        } else {
                            square
                        })))
                    }
                    "normalized" => {
                        let square: f32 = parts.iter().take(n).map(|part| part * part).sum();
                        let scale = if square > 0.0 { 1.0 / libm::sqrtf(square) } else { 0.0 };
                        let scaled = parts.map(|part| part * scale);
                        Some(self.heap.vector(scaled.get(..n)?))
                    }
                    "list" => {
                        let items =
                            parts.iter().take(n).map(|part| Value::Number(f64::from(*part))).collect();
                        Some(self.heap.list(items))
                    }
                    _ => self.swizzle(parts, n, name, "xyzw"),
                }
            }
            Value::Color(_) => {
                let color = self.heap.get_color(object)?;
                if name == "hex" {
                    let text = crate::boundary::color_text(color);
                    return Some(self.heap.text(&text));
                }
                self.swizzle(color, 4, name, "rgba")
            }
            Value::Text(_) if name == "length" => Some(Value::Number(self.heap.text_length(object) as f64)),
            Value::List(_) => {
                let items = self.heap.get_list(object)?;
                match name {
                    "length" => Some(Value::Number(items.len() as f64)),
                    "first" => Some(items.first().copied().unwrap_or_default()),
                    "last" => Some(items.last().copied().unwrap_or_default()),
                    _ => None,
                }
            }
            Value::Range(_) => {
                let range = self.heap.get_range(object)?;
                match name {
                    "length" => Some(Value::Number(range.count() as f64)),
                    "first" => Some(Value::Number(range.start)),
                    "last" => Some(Value::Number(range.end)),
                    _ => None,
                }
            }
            Value::Task(id) => match name {
                "done" => Some(Value::Bool(self.is_done(id))),
                "result" => Some(self.result_of(id)),
                _ => None,
            },
            _ => None,
        }
    }

    fn swizzle(&mut self, parts: [f32; 4], n: usize, name: &str, letters: &str) -> Option<Value> {
        let mut found = [0.0f32; 4];
        let count = name.len();
        if count == 0 || count > 4 {
            return None;
        }
        for (slot, letter) in found.iter_mut().zip(name.chars()) {
            *slot = match letters.find(letter) {
                Some(index) if index < n => parts.get(index).copied()?,
                None if letter == '0' && count > 1 => 0.0,
                _ => return None,
            };
        }
        if count == 1 {
            return found.first().map(|part| Value::Number(f64::from(*part)));
        }
        Some(self.heap.vector(found.get(..count)?))
    }

    /// A vector or colour with one component changed; `None` for everything else.
    pub(super) fn with_component(
        &mut self,
        object: Value,
        site: usize,
        value: Value,
        names: &Names<'_>,
    ) -> Outcome<Option<Value>> {
        let name = names.loaded.name_of(site);
        let text = names.loaded.program.names.get(name).map_or("", String::as_str);
        let (mut parts, n, letters) = match (self.heap.get_vector(object), self.heap.get_color(object)) {
            (Some((parts, n)), _) => (parts, n, "xyzw"),
            (_, Some(color)) => (color, 4, "rgba"),
            _ => return Ok(None),
        };
        let index = letters.find(text).filter(|index| *index < n);
        let Some(slot) = index.and_then(|index| parts.get_mut(index)) else {
            return Err(Fault::new("E216", format!("{} has no `{text}`", describe(object))));
        };
        let Value::Number(number) = value else {
            return Err(Fault::new("E310", format!("`.{text}` needs a number, got {}", describe(value))));
        };
        *slot = number as f32;
        Ok(Some(if letters == "rgba" {
            self.heap.color(parts)
        } else {
            self.heap.vector(parts.get(..n).unwrap_or_default())
        }))
    }

    #[expect(clippy::too_many_arguments, reason = "the parts of one instruction, taken apart by the loop")]
    pub(super) fn set_field(
        &mut self,
        object: Value,
        site: usize,
        value: Value,
        names: &Names<'_>,
        task: &Task,
        host: &mut dyn Host,
        fuel: &mut i64,
    ) -> Outcome<()> {
        let loaded = names.loaded;
        let name = loaded.name_of(site);
        let text = loaded.program.names.get(name).map_or("", String::as_str);
        match object {
            Value::Record(_) => {
                let symbol = loaded.symbol_of(site);
                // Records that stand for an entity's variables are remembered nowhere: setting them acts on the world.
                if let Some(entity) = self.vars_of(object) {
                    return self.set_entity_var(entity, text, value, host);
                }
                if let Some(found) = self.heap.site_of(object, symbol)
                    && let Some(place) = self.sites.get_mut(loaded.first_site + site)
                {
                    *place = found;
                }
                self.set_key(object, Key::Symbol(symbol), value, fuel)
            }
            Value::Entity(entity) => {
                if !host.is_alive(entity) {
                    return Err(Fault::new("E215", format!("`{}` is destroyed", host.entity_name(entity)))
                        .hint("check `if e then …` or `e.alive` before"));
                }
                if let Some(property) = loaded.properties.get(name).copied().flatten() {
                    let writable = self
                        .environment
                        .properties
                        .get(usize::from(property))
                        .is_some_and(|known| known.writable);
                    if !writable {
                        return Err(Fault::new("E311", format!("`{text}` can only be read")));
                    }
                    return host.set(&mut self.heap, entity, property, &value);
                }
                if task.owner.is_some() && self.set_variable(entity, text, value) {
                    return Ok(());
                }
                if host.set_variable(&mut self.heap, entity, text, value)? {
                    return Ok(());
                }
                if self.set_variable(entity, text, value) {
                    return Ok(());
                }
                Err(self.unknown_property(text))
            }
            Value::Nil => {
                Err(self.nil_fault(task, names, Operand::Whole, &format!("so `.{text}` cannot be set")))
            }
            _ if self.value_field(object, text).is_some() => {
                Err(Fault::new("E311", format!("`.{text}` of {} cannot be set", describe(object))))
            }
            _ => Err(Fault::new("E216", format!("{} has no `{text}`", describe(object)))),
        }
    }

    /// The entity whose variables a record stands for, as `e.vars` gives it.
    pub(super) fn vars_of(&self, record: Value) -> Option<base::EntityId> {
        match self.heap.record_get(record, crate::host_record::VARS_OF) {
            Value::Entity(entity) => Some(entity),
            _ => None,
        }
    }

    pub(super) fn set_entity_var(
        &mut self,
        entity: base::EntityId,
        name: &str,
        value: Value,
        host: &mut dyn Host,
    ) -> Outcome<()> {
        // The host makes a variable where the name is marked as new.
        host.set_variable(&mut self.heap, entity, &format!("{}{name}", crate::host_record::NEW), value)?;
        Ok(())
    }
}
