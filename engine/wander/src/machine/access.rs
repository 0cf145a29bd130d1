//! Fields, elements, and what loops go through.

use super::Machine;
use super::calls::describe;
use super::run::Names;
use super::tasks::Task;
use crate::fault::{Fault, Outcome};
use crate::heap::Key;
use crate::host::Host;
use crate::value::Value;

impl Machine {
    pub(super) fn get_field(
        &mut self,
        object: Value,
        site: usize,
        names: &Names<'_>,
        task: &mut Task,
        pc: usize,
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
                self.save_pc(task, pc);
                let subject = self.subject(task, names);
                let mut fault = Fault::new("E301", format!("{subject} is nil, so `.{text}` cannot be read"));
                if let Some(hint) = self.near_fields(task, names) {
                    fault = fault.hint(hint);
                }
                Err(fault)
            }
            _ => match self.value_field(object, text) {
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
        let near = base::suggest::nearest(name, known.chain(variables));
        let fault = Fault::new("E214", format!("no entity has a `{name}`"));
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
        task: &mut Task,
        pc: usize,
        host: &mut dyn Host,
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
                self.heap.record_set(object, Key::Symbol(symbol), value);
                Ok(())
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
                self.save_pc(task, pc);
                let subject = self.subject(task, names);
                Err(Fault::new("E301", format!("{subject} is nil, so `.{text}` cannot be set")))
            }
            _ => Err(Fault::new("E311", format!("`.{text}` of {} cannot be set", describe(object)))),
        }
    }

    /// The entity whose variables a record stands for, as `e.vars` gives it.
    fn vars_of(&self, record: Value) -> Option<base::EntityId> {
        match self.heap.record_get(record, crate::host_record::VARS_OF) {
            Value::Entity(entity) => Some(entity),
            _ => None,
        }
    }

    fn set_entity_var(
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

    pub(super) fn get_index(
        &mut self,
        object: Value,
        index: Value,
        names: &Names<'_>,
        task: &mut Task,
        pc: usize,
        host: &mut dyn Host,
    ) -> Outcome<Value> {
        match object {
            Value::List(_) => {
                if let Some(range) = self.heap.get_range(index) {
                    whole_bounds(range)?;
                    return self.slice(object, range);
                }
                let items = self.heap.get_list(object).unwrap_or_default();
                let at = position(index, items.len())?;
                Ok(items.get(at).copied().unwrap_or_default())
            }
            Value::Record(_) => match self.heap.key_of(index) {
                Some(key) => Ok(self
                    .heap
                    .get_record(object)
                    .map_or(Value::Nil, |record| record.get(key, &self.heap.shapes))),
                None => Err(Fault::new("E305", format!("{} is no key of a record", describe(index)))
                    .hint("keys are strings, numbers and entities")),
            },
            Value::Text(_) => {
                let text = self.heap.get_text(object).unwrap_or_default().to_owned();
                let chars: Vec<char> = text.chars().collect();
                if let Some(range) = self.heap.get_range(index) {
                    whole_bounds(range)?;
                    let (start, end) = bounds(range, chars.len());
                    let part: String = chars.get(start..end).unwrap_or_default().iter().collect();
                    return Ok(self.heap.text(&part));
                }
                let at = position(index, chars.len())?;
                let part: String = chars.get(at).into_iter().collect();
                Ok(self.heap.text(&part))
            }
            Value::Entity(entity) => match self.heap.get_text(index).map(str::to_owned) {
                Some(name) => Ok(host.get_variable(&mut self.heap, entity, &name)?.unwrap_or_default()),
                None => Err(Fault::new("E305", "an entity's variables are named by strings")),
            },
            Value::Nil => {
                self.save_pc(task, pc);
                let subject = self.subject(task, names);
                Err(Fault::new("E301", format!("{subject} is nil, so nothing can be read from it")))
            }
            _ => Err(Fault::new("E309", format!("{} has no elements", describe(object)))),
        }
    }

    #[expect(clippy::too_many_arguments, reason = "the parts of one instruction, taken apart by the loop")]
    pub(super) fn set_index(
        &mut self,
        object: Value,
        index: Value,
        value: Value,
        names: &Names<'_>,
        task: &mut Task,
        pc: usize,
        host: &mut dyn Host,
    ) -> Outcome<()> {
        match object {
            Value::List(_) => {
                let at = position(index, self.heap.get_list(object).map_or(0, <[Value]>::len))?;
                self.heap.change_list(object, |items| {
                    if let Some(slot) = items.get_mut(at) {
                        *slot = value;
                    }
                });
                Ok(())
            }
            Value::Record(_) => match self.heap.key_of(index) {
                Some(key) => {
                    if let Some(entity) = self.vars_of(object) {
                        let name = key.text(&self.heap.shapes);
                        return self.set_entity_var(entity, &name, value, host);
                    }
                    self.heap.record_set(object, key, value);
                    Ok(())
                }
                None => Err(Fault::new("E305", format!("{} is no key of a record", describe(index)))
                    .hint("keys are strings, numbers and entities")),
            },
            Value::Nil => {
                self.save_pc(task, pc);
                let subject = self.subject(task, names);
                Err(Fault::new("E301", format!("{subject} is nil, so nothing can be set in it")))
            }
            _ => Err(Fault::new("E311", format!("elements of {} cannot be set", describe(object)))),
        }
    }

    pub(super) fn slice(&mut self, list: Value, range: crate::heap::Range) -> Outcome<Value> {
        let items = self.heap.get_list(list).unwrap_or_default();
        let (start, end) = bounds(range, items.len());
        let part = items.get(start..end).unwrap_or_default().to_vec();
        Ok(self.heap.list(part))
    }

    pub(super) fn extend(&mut self, list: Value, more: Value, fuel: &mut i64) -> Outcome<()> {
        let Some(items) = self.heap.get_list(more).map(<[Value]>::to_vec) else {
            return Err(Fault::new("E309", format!("`...` in a list needs a list, got {}", describe(more))));
        };
        *fuel -= items.len() as i64 / 8;
        self.heap.change_list(list, |own| own.extend(items));
        Ok(())
    }

    pub(super) fn spread(&mut self, record: Value, more: Value, fuel: &mut i64) -> Outcome<()> {
        let Some(entries) = self.heap.get_record(more).map(|record| record.entries(&self.heap.shapes)) else {
            return Err(Fault::new(
                "E309",
                format!("`...` in a record needs a record, got {}", describe(more)),
            ));
        };
        *fuel -= entries.len() as i64;
        for (key, value) in entries {
            self.heap.record_set(record, key, value);
        }
        Ok(())
    }

    /// What a loop goes through: a list, or a record's keys and the record.
    pub(super) fn prepare_loop(&mut self, things: Value, fuel: &mut i64) -> Outcome<(Value, Value)> {
        match things {
            Value::List(_) | Value::Range(_) => Ok((things, Value::Nil)),
            Value::Record(_) => {
                let entries = self
                    .heap
                    .get_record(things)
                    .map(|record| record.entries(&self.heap.shapes))
                    .unwrap_or_default();
                *fuel -= entries.len() as i64;
                let keys = entries.into_iter().map(|(key, _)| self.heap.key_value(key)).collect();
                Ok((self.heap.list(keys), things))
            }
            Value::Text(_) => {
                let text = self.heap.get_text(things).unwrap_or_default().to_owned();
                *fuel -= text.len() as i64;
                let chars = text.chars().map(|c| self.heap.text(c.encode_utf8(&mut [0; 4]))).collect();
                Ok((self.heap.list(chars), Value::Nil))
            }
            Value::Nil => {
                Err(Fault::new("E301", "nil cannot be gone through").hint("give a default: `things ?? []`"))
            }
            _ => Err(Fault::new("E309", format!("{} cannot be gone through", describe(things)))
                .hint("`for` goes through lists, records, strings and ranges")),
        }
    }

    /// The loop's variables for a turn; `None` where it is over. Lists may grow and shrink meanwhile.
    pub(super) fn next_turn(
        &mut self,
        source: Value,
        record: Value,
        index: usize,
        count: u8,
    ) -> Option<(Value, Value)> {
        if let Some(range) = self.heap.get_range(source) {
            let value = Value::Number(range.start + index as f64 * range.step);
            return (index < range.count()).then_some(if count == 2 {
                (Value::Number(index as f64), value)
            } else {
                (value, Value::Nil)
            });
        }
        let item = *self.heap.get_list(source)?.get(index)?;
        if record.is_nil() {
            return Some(if count == 2 { (Value::Number(index as f64), item) } else { (item, Value::Nil) });
        }
        if count != 2 {
            return Some((item, Value::Nil));
        }
        let key = self.heap.key_of(item)?;
        let value = self.heap.get_record(record)?.get(key, &self.heap.shapes);
        Some((item, value))
    }

    pub(super) fn save_pc(&self, task: &mut Task, pc: usize) {
        if let Some(frame) = task.frames.last_mut() {
            frame.pc = pc as u32;
        }
    }

    /// The source text of what the current instruction works on, in backticks.
    pub(super) fn subject(&self, task: &Task, names: &Names<'_>) -> String {
        let program = &names.loaded.program;
        let span = task
            .frames
            .last()
            .map(|frame| program.span(frame.function as usize, (frame.pc as usize).saturating_sub(1)))
            .unwrap_or_default();
        let text = span.text(&program.source).lines().next().unwrap_or_default();
        if text.is_empty() { "this".to_owned() } else { format!("`{text}`") }
    }

    /// Where `record.centre` was nil: what the record has instead.
    fn near_fields(&self, task: &Task, names: &Names<'_>) -> Option<String> {
        let program = &names.loaded.program;
        let frame = task.frames.last()?;
        let span = program.span(frame.function as usize, (frame.pc as usize).saturating_sub(1));
        let text = span.text(&program.source);
        let (owner, field) = text.rsplit_once('.')?;
        let code = program.functions.get(frame.function as usize)?;
        let index = code.param_names.iter().position(|name| name == owner)?;
        let value = *task.stack.get(frame.base as usize + index)?;
        let keys: Vec<String> = self.heap.record_entries(value)?.into_iter().map(|(key, _)| key).collect();
        let near = base::suggest::nearest(field, keys.iter().map(String::as_str));
        let has = format!("`{owner}` has: {}", base::suggest::list(keys.iter().map(String::as_str), 12));
        Some(match near.first() {
            Some(near) => format!("{has}. Did you mean `{owner}.{near}`?"),
            None => has,
        })
    }
}

/// The place in a list that an index means; negative ones count from the end.
pub(crate) fn position(index: Value, length: usize) -> Outcome<usize> {
    let Value::Number(number) = index else {
        return Err(Fault::new("E304", format!("an index must be a whole number, got {}", describe(index))));
    };
    if number.fract() != 0.0 || !number.is_finite() {
        return Err(Fault::new(
            "E304",
            format!("index {} is not a whole number", crate::number::text(number)),
        )
        .hint("round it: `floor(i)`"));
    }
    let at = if number < 0.0 { number + length as f64 } else { number };
    if at < 0.0 || at >= length as f64 {
        let text = crate::number::text(number);
        let message = if length == 0 {
            format!("index {text} is out of range: the list is empty")
        } else {
            format!("index {text} is out of range: there are {length} elements, 0 to {}", length - 1)
        };
        return Err(
            Fault::new("E303", message).hint("`l.get(i, default)`, `l.first` and `l.last` give nil instead")
        );
    }
    Ok(at as usize)
}

/// The ends of a slice are places in a list.
fn whole_bounds(range: crate::heap::Range) -> Outcome<()> {
    match [range.start, range.end].into_iter().find(|end| end.fract() != 0.0) {
        Some(end) => {
            let text = crate::number::text(end);
            Err(Fault::new("E304", format!("a slice goes from place to place: {text} is not a whole number"))
                .hint("round it: `floor(i)`"))
        }
        None => Ok(()),
    }
}

/// Start and end of a slice, inside of what is there.
pub(crate) fn bounds(range: crate::heap::Range, length: usize) -> (usize, usize) {
    let from_end = |number: f64| if number < 0.0 { number + length as f64 } else { number };
    let start = from_end(range.start).clamp(0.0, length as f64) as usize;
    let end = from_end(range.end) + if range.inclusive { 1.0 } else { 0.0 };
    let end = end.clamp(start as f64, length as f64) as usize;
    (start, end)
}
