//! Functions of areas and methods of entities.

use base::EntityId;
use glam::Vec3;
use scene::components::{Animation, BodyKind, Transform};
use scene::hud::{Anchor, HudContent, HudItem};
use scene::{Color, ComponentKind, Entity, EntityData};
use wander::{CallContext, Fault, Heap, Outcome, Value};

use super::binding::Binding;
use super::properties::vector;
use super::{value_to_var, var_to_value};
use crate::sounds::{Voice, VoicePlace};
use crate::world::{LogKind, places};

fn argument(arguments: &[Value], index: usize) -> Value {
    arguments.get(index).copied().unwrap_or_default()
}

fn text(heap: &Heap, arguments: &[Value], index: usize, what: &str) -> Outcome<String> {
    let value = argument(arguments, index);
    heap.get_text(value)
        .map(str::to_owned)
        .ok_or_else(|| Fault::new("E310", format!("{what} needs a string, got {}", value.type_name())))
}

fn number(value: Value, what: &str) -> Outcome<f32> {
    match value {
        Value::Number(number) if number.is_finite() => Ok(number as f32),
        Value::Number(_) => Err(Fault::new("E321", format!("{what} must be finite"))),
        other => Err(Fault::new("E310", format!("{what} needs a number, got {}", other.type_name()))),
    }
}

fn entity(arguments: &[Value], index: usize, what: &str) -> Outcome<EntityId> {
    match argument(arguments, index) {
        Value::Entity(id) => Ok(id),
        Value::Nil => Err(Fault::new("E301", format!("{what} needs an entity, got nil"))),
        other => Err(Fault::new("E310", format!("{what} needs an entity, got {}", other.type_name()))),
    }
}

impl Binding<'_> {
    fn place(&self, heap: &Heap, value: Value, what: &str) -> Outcome<Vec3> {
        match value {
            Value::Entity(id) if wander::Host::is_alive(self, id) => Ok(self.world_position(id)),
            Value::Entity(id) => Err(Fault::new("E215", format!("entity {id} is destroyed"))),
            Value::List(_) => {
                let parts: Vec<f32> = heap
                    .get_list(value)
                    .unwrap_or_default()
                    .iter()
                    .filter_map(|item| if let Value::Number(n) = item { Some(*n as f32) } else { None })
                    .collect();
                match parts.as_slice() {
                    [x, y, z] => Ok(Vec3::new(*x, *y, *z)),
                    _ => Err(Fault::new("E310", format!("{what} needs three numbers"))),
                }
            }
            other => vector(other, what),
        }
    }

    fn tagged(&self, tag: &str) -> Vec<EntityId> {
        let alive = |id: &EntityId| !self.effects.destroyed.contains(id);
        self.scene
            .entities
            .iter()
            .filter(|(_, data)| data.has_tag(tag))
            .map(|(id, _)| id)
            .filter(alive)
            .collect()
    }

    pub(super) fn function(
        &mut self,
        context: &mut CallContext<'_>,
        area: &str,
        name: &str,
        arguments: &[Value],
    ) -> Outcome<Value> {
        match area {
            "" => self.free(context, name, arguments),
            "time" => Ok(Value::Number(match name {
                "now" => self.tick as f64 / f64::from(self.content.rate),
                "dt" => 1.0 / f64::from(self.content.rate),
                _ => self.tick as f64,
            })),
            "scene" => {
                if name == "restart" {
                    self.effects.restart = true;
                    return Ok(Value::Nil);
                }
                Ok(context.heap.text(self.scene_name))
            }
            "input" => self.input_function(context, name, arguments),
            "audio" => self.audio(context, name, arguments),
            "physics" => {
                let id = entity(arguments, 0, name)?;
                if name == "on_ground" {
                    return Ok(Value::Bool(self.physics.grounded(id)));
                }
                let kind = self.scene.columns.body.get(id).map(|body| body.kind);
                if kind != Some(BodyKind::Dynamic) {
                    return Err(Fault::new("E311", format!("`{name}` needs an entity with a dynamic body")));
                }
                let push = vector(argument(arguments, 1), name)?;
                if name == "impulse" {
                    self.physics.impulse(id, push);
                } else {
                    self.physics.force(id, push);
                }
                Ok(Value::Nil)
            }
            "ui" => self.ui(context, name, arguments),
            "save" => self.save_function(context, name, arguments),
            _ => Err(Fault::new("E216", format!("there is no `{area}.{name}`"))),
        }
    }

    fn save_function(
        &mut self,
        context: &mut CallContext<'_>,
        name: &str,
        arguments: &[Value],
    ) -> Outcome<Value> {
        if name == "keys" {
            let keys: Vec<Value> = self.save.keys().map(|key| context.heap.text(key)).collect();
            return Ok(context.heap.list(keys));
        }
        let key = text(context.heap, arguments, 0, name)?;
        match name {
            "get" => match self.save.get(&key).cloned() {
                Some(var) => return Ok(var_to_value(context.heap, &var)),
                None => return Ok(argument(arguments, 1)),
            },
            "has" => return Ok(Value::Bool(self.save.contains_key(&key))),
            "delete" => {
                self.save.shift_remove(&key);
            }
            _ => match value_to_var(context.heap, argument(arguments, 1))? {
                Some(var) => {
                    self.save.insert(key, var);
                }
                None => {
                    self.save.shift_remove(&key);
                }
            },
        }
        Ok(Value::Nil)
    }

    fn free(&mut self, context: &mut CallContext<'_>, name: &str, arguments: &[Value]) -> Outcome<Value> {
        Ok(match name {
            "print" | "log" | "warn" => {
                let texts: Vec<String> =
                    arguments.iter().map(|value| self.shown(context.heap, *value)).collect();
                let kind = if name == "warn" { LogKind::Warning } else { LogKind::Info };
                self.log(kind, context.owner, texts.join(" "));
                Value::Nil
            }
            "emit" => {
                let event = text(context.heap, arguments, 0, "emit")?;
                if !context.send(None, &event, vec![argument(arguments, 1)]) {
                    return Err(Fault::new("E507", "too many events wait to be delivered"));
                }
                Value::Nil
            }
            "send" => {
                let to = entity(arguments, 0, "send")?;
                let event = text(context.heap, arguments, 1, "send")?;
                if !context.send(Some(to), &event, vec![argument(arguments, 2)]) {
                    return Err(Fault::new("E507", "too many events wait to be delivered"));
                }
                Value::Nil
            }
            "find" => {
                let name = text(context.heap, arguments, 0, "find")?;
                let found =
                    self.scene.named(&name).into_iter().find(|id| !self.effects.destroyed.contains(id));
                found.map_or(Value::Nil, Value::Entity)
            }
            "find_all" => {
                let tag = text(context.heap, arguments, 0, "find_all")?;
                let found = self.tagged(&tag).into_iter().map(Value::Entity).collect();
                context.heap.list(found)
            }
            "find_near" | "nearest" => {
                let center = self.place(context.heap, argument(arguments, 0), name)?;
                let (radius, tag) = if name == "nearest" {
                    (f32::INFINITY, Some(text(context.heap, arguments, 1, name)?))
                } else {
                    let tag = argument(arguments, 2);
                    let tag = if tag.is_nil() { None } else { Some(text(context.heap, arguments, 2, name)?) };
                    (number(argument(arguments, 1), "find_near's radius")?, tag)
                };
                let candidates: Vec<EntityId> = match &tag {
                    Some(tag) => self.tagged(tag),
                    None => {
                        let alive = |id: &EntityId| !self.effects.destroyed.contains(id);
                        self.scene.entities.ids().iter().copied().filter(alive).collect()
                    }
                };
                let mut found: Vec<(f32, EntityId)> = candidates
                    .into_iter()
                    .map(|id| (self.world_position(id).distance(center), id))
                    .filter(|(distance, _)| *distance <= radius)
                    .collect();
                found.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
                if name == "nearest" {
                    return Ok(found.first().map_or(Value::Nil, |(_, id)| Value::Entity(*id)));
                }
                context.heap.list(found.into_iter().map(|(_, id)| Value::Entity(id)).collect())
            }
            "spawn_entity" => {
                let pattern = text(context.heap, arguments, 0, "spawn_entity")?;
                let source = self.pattern(&pattern)?;
                let copy = self.copy(source)?;
                let fields = context.heap.record_entries(argument(arguments, 1)).unwrap_or_default();
                for (field, value) in fields {
                    match self.content.environment.property(&field) {
                        Some((property, known)) if known.writable => {
                            self.set_property(context.heap, copy, property, value)?;
                        }
                        Some(_) => {
                            return Err(Fault::new("E311", format!("`{field}` can only be read")));
                        }
                        None => {
                            if let Some(var) = value_to_var(context.heap, value)?
                                && let Some(data) = self.scene.entities.get_mut(copy)
                            {
                                data.vars.insert(field.as_str().into(), var);
                            }
                        }
                    }
                }
                Value::Entity(copy)
            }
            "clone" => Value::Entity(self.copy(entity(arguments, 0, "clone")?)?),
            "destroy" => {
                self.destroy(entity(arguments, 0, "destroy")?);
                Value::Nil
            }
            "raycast" => {
                let from = self.place(context.heap, argument(arguments, 0), "raycast")?;
                let direction = vector(argument(arguments, 1), "raycast's direction")?;
                let length = number(argument(arguments, 2), "raycast's length")?;
                let options = argument(arguments, 3);
                let ignored: Vec<EntityId> = match context.heap.record_get(options, "ignore") {
                    Value::Entity(id) => vec![id],
                    list => context.heap.get_list(list).unwrap_or_default().iter().filter_map(only).collect(),
                };
                let tag = context.heap.get_text(context.heap.record_get(options, "tag")).map(str::to_owned);
                let wanted = |id: EntityId| {
                    Some(id) != context.owner
                        && !ignored.contains(&id)
                        && !self.effects.destroyed.contains(&id)
                        && tag.as_ref().is_none_or(|tag| {
                            self.scene.entities.get(id).is_some_and(|entity| entity.has_tag(tag))
                        })
                };
                match self.physics.ray_where(from, direction, length, wanted) {
                    Some(hit) => context.heap.record([
                        ("entity", Value::Entity(hit.entity)),
                        ("distance", Value::Number(f64::from(hit.distance))),
                        ("point", Value::Vec3(hit.point.to_array())),
                        ("normal", Value::Vec3(hit.normal.to_array())),
                    ]),
                    None => Value::Nil,
                }
            }
            "overlap" => {
                let center = self.place(context.heap, argument(arguments, 0), "overlap")?;
                let radius = number(argument(arguments, 1), "overlap's radius")?;
                let alive = |id: &EntityId| !self.effects.destroyed.contains(id);
                let found = self.physics.overlap(center, radius).into_iter().filter(alive);
                let found = found.map(Value::Entity).collect();
                context.heap.list(found)
            }
            _ => return Err(Fault::new("E216", format!("there is no `{name}`"))),
        })
    }

    fn shown(&self, heap: &Heap, value: Value) -> String {
        match value {
            Value::Entity(id) => wander::Host::entity_name(self, id),
            _ => heap.shown(value),
        }
    }

    /// The entity that a name to copy means: of several, the oldest, because copies bear the name too.
    fn pattern(&self, name: &str) -> Outcome<EntityId> {
        let alive = |id: &EntityId| !self.effects.destroyed.contains(id);
        if let Some(id) = self.scene.named(name).into_iter().find(alive) {
            return Ok(id);
        }
        let names = self.scene.entities.values().iter().map(|entity| entity.name.as_ref());
        let near = base::suggest::nearest(name, names);
        let hint = base::suggest::did_you_mean(&near)
            .unwrap_or_else(|| "an entity of the scene is the pattern for its copies".to_owned());
        Err(Fault::new("E214", format!("there is no entity named `{name}` to copy")).hint(hint))
    }

    fn destroy(&mut self, id: EntityId) {
        for id in self.scene.subtree(id) {
            self.effects.destroyed.insert(id);
        }
    }

    /// Copies an entity with everything under it; the copy of the top is given.
    fn copy(&mut self, source: EntityId) -> Outcome<EntityId> {
        /// Entities that one run of a script may make at most.
        const MOST_SPAWNED: usize = 1_000;
        /// Entities of a world at most, where scripts make them.
        const MOST_ENTITIES: usize = 100_000;
        if self.scene.entities.len() >= MOST_ENTITIES {
            return Err(Fault::new("E507", format!("there are {MOST_ENTITIES} entities already")));
        }
        let mut copies: Vec<(EntityId, EntityId)> = Vec::new();
        for id in self.scene.subtree(source) {
            if self.effects.spawned.len() >= MOST_SPAWNED {
                return Err(Fault::new(
                    "E507",
                    format!("more than {MOST_SPAWNED} entities were made in one tick"),
                ));
            }
            let (Some(data), Some(fresh)) = (self.scene.data(id), self.scene.reserve_id()) else { continue };
            let parent = copies
                .iter()
                .find(|(old, _)| Some(*old) == data.entity.parent)
                .map(|(_, new)| *new)
                .or(if id == source { data.entity.parent } else { None });
            let entity = Entity { parent, ..data.entity };
            self.scene.insert(EntityData { id: fresh, entity, components: data.components });
            copies.push((id, fresh));
            self.effects.spawned.push(fresh);
        }
        copies.first().map(|(_, top)| *top).ok_or_else(|| Fault::new("E215", "the entity to copy is gone"))
    }

    fn input_function(
        &mut self,
        context: &mut CallContext<'_>,
        name: &str,
        arguments: &[Value],
    ) -> Outcome<Value> {
        if name == "mouse" {
            let (x, y) = self.input.mouse;
            return Ok(Value::Vec2([x, y]));
        }
        let action = text(context.heap, arguments, 0, name)?;
        if let Err(problem) = self.content.input.check(&action) {
            return Err(Fault::new("E214", problem.message).hint(problem.hint.unwrap_or_default()));
        }
        Ok(match name {
            "pressed" => Value::Bool(self.input.pressed(&action)),
            "down" => Value::Bool(self.input.down(&action)),
            "released" => Value::Bool(self.input.released(&action)),
            _ => Value::Number(f64::from(self.input.value(&action))),
        })
    }

    fn audio(&mut self, context: &mut CallContext<'_>, name: &str, arguments: &[Value]) -> Outcome<Value> {
        let heap = &mut *context.heap;
        match name {
            "stop" => {
                self.sounds.stop(number(argument(arguments, 0), "stop")? as u64);
                return Ok(Value::Nil);
            }
            "volume" => {
                let bus = text(heap, arguments, 0, "volume")?;
                self.sounds.buses.insert(bus, number(argument(arguments, 1), "volume")?.clamp(0.0, 4.0));
                return Ok(Value::Nil);
            }
            _ => {}
        }
        let is_music = name == "music";
        if is_music {
            let old: Vec<u64> =
                self.sounds.voices.iter().filter(|v| v.bus == "music").map(|v| v.id).collect();
            old.into_iter().for_each(|id| self.sounds.stop(id));
            if argument(arguments, 0).is_nil() {
                return Ok(Value::Nil);
            }
        }
        let clip = text(heap, arguments, 0, name)?;
        if !self.content.sounds.is_empty() && !self.content.sounds.contains_key(&clip) {
            let near = base::suggest::nearest(&clip, self.content.sounds.keys().map(String::as_str));
            let hint =
                base::suggest::did_you_mean(&near).unwrap_or_else(|| "sounds lie below `assets/`".to_owned());
            return Err(Fault::new("E214", format!("there is no sound `{clip}`")).hint(hint));
        }
        let options = argument(arguments, 1);
        let option = |key: &str, default: f32| match heap.record_get(options, key) {
            Value::Nil => Ok(default),
            value => number(value, key),
        };
        let place = match heap.record_get(options, "at") {
            Value::Entity(id) => VoicePlace::Entity(id),
            Value::Vec3(at) => VoicePlace::At(at),
            _ => VoicePlace::Everywhere,
        };
        let voice = Voice {
            id: 0,
            clip,
            bus: if is_music { "music" } else { "effects" }.to_owned(),
            volume: option("volume", 1.0)?.clamp(0.0, 4.0),
            pitch: option("pitch", 1.0)?.clamp(0.1, 8.0),
            looped: is_music || matches!(heap.record_get(options, "loop"), Value::Bool(true)),
            place,
            min_distance: option("min", 2.0)?,
            max_distance: option("max", 40.0)?,
            started: self.tick,
        };
        Ok(Value::Number(self.sounds.play(voice) as f64))
    }

    fn ui(&mut self, context: &mut CallContext<'_>, name: &str, arguments: &[Value]) -> Outcome<Value> {
        /// Items of the overlay at most.
        const MOST_ITEMS: usize = 200;
        let heap = &*context.heap;
        let id = text(heap, arguments, 0, name)?;
        match name {
            "show" | "hide" => {
                if let Some(item) = self.hud.items.get_mut(&id) {
                    item.visible = name == "show";
                }
                return Ok(Value::Nil);
            }
            "remove" => {
                self.hud.items.shift_remove(&id);
                return Ok(Value::Nil);
            }
            _ => {}
        }
        let (content, options) = match name {
            "text" => (HudContent::Text(self.shown(heap, argument(arguments, 1))), argument(arguments, 2)),
            "bar" => {
                let part = number(argument(arguments, 1), "bar")?.clamp(0.0, 1.0);
                (HudContent::Bar(part), argument(arguments, 2))
            }
            "image" => (HudContent::Image(text(heap, arguments, 1, "image")?), argument(arguments, 2)),
            _ => (HudContent::Panel, argument(arguments, 1)),
        };
        if self.hud.items.len() >= MOST_ITEMS && !self.hud.items.contains_key(&id) {
            return Err(Fault::new("E507", format!("there are {MOST_ITEMS} items on the screen already")));
        }
        let mut item = self.hud.items.get(&id).cloned().unwrap_or_default();
        item.content = content;
        item.visible = true;
        for (key, value) in heap.record_entries(options).unwrap_or_default() {
            set_option(heap, &mut item, &key, value)?;
        }
        self.hud.items.insert(id, item);
        Ok(Value::Nil)
    }

    pub(super) fn method(
        &mut self,
        context: &mut CallContext<'_>,
        name: &str,
        arguments: &[Value],
    ) -> Outcome<Value> {
        let id = entity(arguments, 0, name)?;
        Ok(match name {
            "has_tag" | "add_tag" | "remove_tag" => {
                let tag = text(context.heap, arguments, 1, name)?;
                let Some(data) = self.scene.entities.get_mut(id) else { return Ok(Value::Nil) };
                Value::Bool(match name {
                    "has_tag" => data.has_tag(&tag),
                    "add_tag" => data.add_tag(&tag),
                    _ => data.remove_tag(&tag),
                })
            }
            "move" => {
                let velocity = vector(argument(arguments, 1), "move")?;
                self.walk(id, velocity);
                Value::Nil
            }
            "look_at" => {
                let target = self.place(context.heap, argument(arguments, 1), "look_at")?;
                self.face(id, target);
                Value::Nil
            }
            "play" => {
                let clip = text(context.heap, arguments, 1, "play")?;
                self.play(id, clip)?;
                Value::Nil
            }
            "get" => {
                let kind = text(context.heap, arguments, 1, "get")?;
                let kind =
                    ComponentKind::find(&kind).map_err(|problem| Fault::new("E214", problem.message))?;
                match self.scene.columns.get(id, kind) {
                    Some(value) => {
                        wander::boundary::from_json(context.heap, &serde_json::Value::Object(value.to_json()))
                    }
                    None => Value::Nil,
                }
            }
            "set" => {
                let kind = text(context.heap, arguments, 1, "set")?;
                let kind =
                    ComponentKind::find(&kind).map_err(|problem| Fault::new("E214", problem.message))?;
                let field = text(context.heap, arguments, 2, "set")?;
                let value = wander::boundary::to_json(context.heap, argument(arguments, 3))?;
                let fields = serde_json::Map::from_iter([(field, value)]);
                scene::Edit::SetFields(id, kind, fields)
                    .apply(self.scene)
                    .map_err(|problem| Fault::new("E310", problem.message))?;
                if kind == ComponentKind::Transform {
                    self.place_body(id);
                }
                Value::Nil
            }
            "remove" => {
                let kind = text(context.heap, arguments, 1, "remove")?;
                let kind =
                    ComponentKind::find(&kind).map_err(|problem| Fault::new("E214", problem.message))?;
                if matches!(kind, ComponentKind::Transform | ComponentKind::Script) {
                    return Err(Fault::new("E311", format!("a script cannot remove `{}`", kind.name())));
                }
                if kind == ComponentKind::Sound {
                    self.sounds.stop_entity(id);
                }
                Value::Bool(self.scene.columns.remove(id, kind).is_some())
            }
            "destroy" => {
                self.destroy(id);
                Value::Nil
            }
            "distance_to" => {
                let target = self.place(context.heap, argument(arguments, 1), "distance_to")?;
                Value::Number(f64::from(self.world_position(id).distance(target)))
            }
            _ => return Err(Fault::new("E216", format!("there is no method `{name}`"))),
        })
    }
}

/// The entity of a value, if it is one.
fn only(value: &Value) -> Option<EntityId> {
    match value {
        Value::Entity(id) => Some(*id),
        _ => None,
    }
}

/// Degrees of a direction. Not the system's own function: results must not differ from machine to machine.
fn degrees_of(y: f32, x: f32) -> f32 {
    libm::atan2f(y, x).to_degrees()
}

impl Binding<'_> {
    /// Moves an entity by a velocity for this tick.
    fn walk(&mut self, id: EntityId, velocity: Vec3) {
        let dt = 1.0 / self.content.rate as f32;
        let target = self.physics.move_character(id, velocity);
        let parent = places::parent_now(self.scene, id);
        let Some(transform) = self.scene.get_mut::<Transform>(id) else { return };
        match (target, parent) {
            (Some(target), Some(parent)) => transform.position = places::point_within(&parent, target),
            (Some(target), None) => transform.position = target,
            (None, Some(parent)) => transform.position += parent.rotation.inverse() * velocity * dt,
            (None, None) => transform.position += velocity * dt,
        }
        if target.is_none() {
            self.place_body(id);
        }
    }

    /// Turns an entity's forward to a place.
    fn face(&mut self, id: EntityId, target: Vec3) {
        let mut to = target - self.world_position(id);
        if to.length_squared() <= 1e-8 {
            return;
        }
        if let Some(parent) = places::parent_now(self.scene, id) {
            to = parent.rotation.inverse() * to;
        }
        if let Some(transform) = self.scene.get_mut::<Transform>(id) {
            let yaw = degrees_of(-to.x, -to.z);
            let pitch = degrees_of(to.y, (to.x * to.x + to.z * to.z).sqrt());
            transform.rotation = Vec3::new(pitch, yaw, 0.0);
        }
        self.place_body(id);
    }

    /// Switches an entity's model to a clip; one that is over begins again.
    fn play(&mut self, id: EntityId, clip: String) -> Outcome<()> {
        let model = self.scene.columns.mesh.get(id).map(|mesh| mesh.model.as_str()).unwrap_or_default();
        if let Some(clips) = self.content.clip_names(model) {
            let known: Vec<&str> = clips.collect();
            if !clip.is_empty() && !known.contains(&clip.as_str()) {
                let near = base::suggest::nearest(&clip, known.iter().copied());
                let hint = base::suggest::did_you_mean(&near).unwrap_or_else(|| {
                    format!("its clips are {}", base::suggest::list(known.iter().copied(), 20))
                });
                return Err(Fault::new("E214", format!("`{model}` has no clip `{clip}`")).hint(hint));
            }
        }
        match self.scene.get_mut::<Animation>(id) {
            Some(animation) => animation.clip = clip,
            None => return Err(Fault::new("E311", "the entity has no `animation` component")),
        }
        if self.animations.clip(id) == self.scene.get_mut::<Animation>(id).map(|own| own.clip.as_str()) {
            self.animations.replay(id, self.tick);
        }
        Ok(())
    }
}

fn set_option(heap: &Heap, item: &mut HudItem, key: &str, value: Value) -> Outcome<()> {
    match key {
        "x" => item.position = [number(value, "x")?, item.position[1]],
        "y" => item.position = [item.position[0], number(value, "y")?],
        "width" => item.size = [number(value, "width")?, item.size[1]],
        "height" => item.size = [item.size[0], number(value, "height")?],
        "size" => item.text_size = number(value, "size")?.clamp(4.0, 400.0),
        "scale" => item.scale = number(value, "scale")?.clamp(0.01, 100.0),
        "color" => {
            let channels = heap.get_color(value).ok_or_else(|| {
                Fault::new("E310", format!("`color` needs a color, got {}", value.type_name()))
            })?;
            let [r, g, b, a] = channels.map(|channel| (channel.clamp(0.0, 1.0) * 255.0).round() as u8);
            item.color = Color { r, g, b, a };
        }
        "anchor" => {
            let name = heap.get_text(value).unwrap_or_default();
            let anchor = serde_json::from_value::<Anchor>(name.into());
            item.anchor = anchor.map_err(|_| {
                Fault::new("E310", format!("there is no anchor `{name}`")).hint(
                    "anchors are top_left, top, top_right, left, center, right, bottom_left, bottom and bottom_right",
                )
            })?;
        }
        _ => {
            return Err(Fault::new("E214", format!("items have no `{key}`"))
                .hint("they have x, y, width, height, size, scale, color and anchor"));
        }
    }
    Ok(())
}
