//! Properties of entities.

use base::EntityId;
use glam::Vec3;
use scene::components::{Body, Mesh, Transform};
use wander::{Fault, Heap, Outcome, Value};

use super::binding::Binding;
use super::var_to_value;
use crate::world::places;

/// A vector that is finite.
pub(super) fn vector(value: Value, what: &str) -> Outcome<Vec3> {
    match value {
        Value::Vec3(parts) => {
            let vector = Vec3::from_array(parts);
            if vector.is_finite() {
                Ok(vector)
            } else {
                Err(Fault::new("E321", format!("`{what}` must be finite, got {vector}")))
            }
        }
        other => {
            Err(Fault::new("E310", format!("`{what}` needs a vector of three, got {}", other.type_name())))
        }
    }
}

impl Binding<'_> {
    fn transform(&self, id: EntityId) -> Transform {
        self.scene.columns.transform.get(id).copied().unwrap_or_default()
    }

    pub(super) fn get_property(&mut self, heap: &mut Heap, id: EntityId, property: u16) -> Outcome<Value> {
        let name =
            self.content.environment.properties.get(usize::from(property)).map_or("", |known| known.name);
        Ok(match name {
            "id" => Value::Number(f64::from(id.get())),
            "name" => {
                let name = self.scene.entities.get(id).map(|data| data.name.clone()).unwrap_or_default();
                heap.text(&name)
            }
            "pos" => Value::Vec3(self.transform(id).position.to_array()),
            "tag" => match self.scene.entities.get(id).and_then(|data| data.tags.first()).cloned() {
                Some(tag) => heap.text(&tag),
                None => Value::Nil,
            },
            "world_pos" => Value::Vec3(self.world_position(id).to_array()),
            "rot" => Value::Vec3(self.transform(id).rotation.to_array()),
            "scale" => Value::Vec3(self.transform(id).scale.to_array()),
            "forward" => Value::Vec3((self.transform(id).quat() * Vec3::NEG_Z).to_array()),
            "right" => Value::Vec3((self.transform(id).quat() * Vec3::X).to_array()),
            "visible" => Value::Bool(self.scene.columns.mesh.get(id).is_none_or(|mesh| mesh.visible)),
            "alive" => Value::Bool(true),
            "parent" => {
                self.scene.entities.get(id).and_then(|data| data.parent).map_or(Value::Nil, Value::Entity)
            }
            "children" => {
                let alive = |id: &EntityId| !self.effects.destroyed.contains(id);
                let children = self.scene.children(Some(id)).into_iter().filter(alive);
                let children = children.map(Value::Entity).collect();
                heap.list(children)
            }
            "tags" => {
                let tags = self.scene.entities.get(id).map(|data| data.tags.clone()).unwrap_or_default();
                let tags = tags.iter().map(|tag| heap.text(tag)).collect();
                heap.list(tags)
            }
            "vars" => {
                let vars = self.scene.entities.get(id).map(|data| data.vars.clone()).unwrap_or_default();
                let mut fields = vec![(wander::host_record::VARS_OF.to_owned(), Value::Entity(id))];
                for (name, var) in &vars {
                    fields.push((name.to_string(), var_to_value(heap, var)));
                }
                heap.record(fields.iter().map(|(name, value)| (name.as_str(), *value)))
            }
            "velocity" => match self.scene.columns.body.get(id) {
                Some(body) => Value::Vec3(body.velocity.to_array()),
                None => Value::Nil,
            },
            "on_ground" => Value::Bool(self.physics.grounded(id)),
            "clip" => match self.animations.clip(id) {
                Some(clip) => heap.text(clip),
                None => Value::Nil,
            },
            _ => Value::Nil,
        })
    }

    pub(super) fn set_property(
        &mut self,
        heap: &mut Heap,
        id: EntityId,
        property: u16,
        value: Value,
    ) -> Outcome<()> {
        let name =
            self.content.environment.properties.get(usize::from(property)).map_or("", |known| known.name);
        match name {
            "pos" | "rot" | "scale" => {
                let vector = vector(value, name)?;
                if let Some(transform) = self.scene.get_mut::<Transform>(id) {
                    match name {
                        "pos" => transform.position = vector,
                        "rot" => transform.rotation = vector,
                        _ => transform.scale = vector,
                    }
                }
                self.place_body(id);
            }
            "name" => match heap.get_text(value) {
                Some(text) => {
                    let text = text.into();
                    if let Some(data) = self.scene.entities.get_mut(id) {
                        data.name = text;
                    }
                }
                None => {
                    return Err(Fault::new(
                        "E310",
                        format!("`name` needs a string, got {}", value.type_name()),
                    ));
                }
            },
            "visible" => {
                let Value::Bool(flag) = value else {
                    return Err(Fault::new(
                        "E310",
                        format!("`visible` needs true or false, got {}", value.type_name()),
                    ));
                };
                if let Some(mesh) = self.scene.get_mut::<Mesh>(id) {
                    mesh.visible = flag;
                }
            }
            "velocity" => {
                let velocity = vector(value, name)?;
                match self.scene.get_mut::<Body>(id) {
                    Some(body) => body.velocity = velocity,
                    None => return Err(Fault::new("E311", "an entity without a body has no velocity")),
                }
                self.physics.set_velocity(id, velocity);
            }
            _ => return Err(Fault::new("E311", format!("`{name}` can only be read"))),
        }
        Ok(())
    }

    /// Lets the physical world know that a transform was set. What is kinematic is driven there by the step.
    pub(super) fn place_body(&mut self, id: EntityId) {
        let kind = self.scene.columns.body.get(id).map(|body| body.kind);
        if kind == Some(scene::components::BodyKind::Kinematic) {
            return;
        }
        let pose = places::pose_now(self.scene, id);
        self.physics.teleport(id, &pose);
    }
}
