//! The physical world: rapier behind one door. Everything else speaks in entities, metres and seconds.

use std::collections::BTreeMap;
use std::sync::Mutex;

use base::EntityId;
use glam::{Quat, Vec3};
use rapier3d::control::{CharacterAutostep, CharacterLength, KinematicCharacterController};
use rapier3d::prelude::{
    ActiveCollisionTypes, ActiveEvents, BroadPhaseBvh, CCDSolver, Collider as RapierCollider,
    ColliderBuilder, ColliderHandle, ColliderSet, CollisionEvent, ContactPair, EventHandler, ImpulseJointSet,
    IntegrationParameters, IslandManager, MultibodyJointSet, NarrowPhase, PhysicsPipeline, Pose, QueryFilter,
    Ray, RigidBodyBuilder, RigidBodyHandle, RigidBodySet, RigidBodyType, SoftBodySet,
};
use scene::components::{Body, BodyKind, Collider, ColliderShape};
use scene::digest::Digest;
use scene::{Scene, poses};

use crate::content::Content;

/// A touch that began or ended.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Touch {
    /// One of the two.
    pub a: EntityId,
    /// The other.
    pub b: EntityId,
    /// Whether it began.
    pub began: bool,
    /// Whether one of them only notices.
    pub sensor: bool,
    /// Where and which way they met; none for sensors and ends.
    pub contact: Option<Contact>,
}

/// Where two met.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Contact {
    /// In the world, metres.
    pub point: Vec3,
    /// From the one with the lower id to the other.
    pub normal: Vec3,
}

/// Where a body is after a step.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Moved {
    pub(crate) entity: EntityId,
    pub(crate) position: Vec3,
    pub(crate) rotation: Quat,
    /// Metres a second.
    pub(crate) velocity: Vec3,
}

/// What a ray met.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hit {
    /// Whom.
    pub entity: EntityId,
    /// Metres from its start.
    pub distance: f32,
    /// Where.
    pub point: Vec3,
    /// Which way the surface faces.
    pub normal: Vec3,
}

/// Bodies and colliders of all entities.
#[derive(Clone)]
pub struct Physics {
    bodies: RigidBodySet,
    colliders: ColliderSet,
    islands: IslandManager,
    broad: BroadPhaseBvh,
    narrow: NarrowPhase,
    impulse_joints: ImpulseJointSet,
    multibody_joints: MultibodyJointSet,
    soft_bodies: SoftBodySet,
    ccd: CCDSolver,
    parameters: IntegrationParameters,
    entities: BTreeMap<EntityId, Parts>,
    /// Pairs that touch, and whether one of the two only notices.
    touching: BTreeMap<(EntityId, EntityId), bool>,
    /// The same as scripts were last told. The difference is what they are told next: what was only made anew in
    /// between neither left nor came.
    told: BTreeMap<(EntityId, EntityId), bool>,
}

/// What an entity has in the physical world.
#[derive(Debug, Clone)]
struct Parts {
    body: Option<RigidBodyHandle>,
    collider: Option<ColliderHandle>,
    grounded: bool,
    /// What they were made from: a change makes them anew.
    made_of: Made,
}

/// What a body and a collider were made from.
#[derive(Debug, Clone)]
struct Made {
    body: Option<Body>,
    collider: Option<Collider>,
    scale: Vec3,
    /// The model whose triangles a mesh collider has.
    model: Option<String>,
}

/// The model that matters to a collider.
fn model_of<'a>(collider: Option<&Collider>, scene: &'a Scene, id: EntityId) -> Option<&'a str> {
    collider.filter(|collider| collider.shape == ColliderShape::Mesh)?;
    scene.columns.mesh.get(id).map(|mesh| mesh.model.as_str())
}

/// Collects touches; rapier asks for a handler that several threads could call.
#[derive(Default)]
struct Touches(Mutex<Vec<(CollisionEvent, Option<Contact>)>>);

impl EventHandler for Touches {
    fn handle_collision_event(
        &self,
        _: &RigidBodySet,
        colliders: &ColliderSet,
        event: CollisionEvent,
        pair: Option<&ContactPair>,
    ) {
        let contact = pair.filter(|_| event.started()).and_then(|pair| {
            let (manifold, contact) = pair.find_deepest_contact()?;
            let (first, second) = (colliders.get(pair.collider1)?, colliders.get(pair.collider2)?);
            // As rapier orders the two, not as the entities are numbered.
            let way = if first.user_data <= second.user_data { 1.0 } else { -1.0 };
            Some(Contact { point: *first.position() * contact.local_p1, normal: manifold.data.normal * way })
        });
        self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push((event, contact));
    }

    fn handle_soft_body_tear_event(&self, _: &SoftBodySet, _: &rapier3d::prelude::SoftBodyTearEvent) {}

    fn handle_contact_force_event(&self, _: f32, _: &RigidBodySet, _: &ColliderSet, _: &ContactPair, _: f32) {
    }
}

impl Physics {
    pub(crate) fn new(rate: u32) -> Self {
        let parameters = IntegrationParameters { dt: 1.0 / rate as f32, ..IntegrationParameters::default() };
        Self {
            bodies: RigidBodySet::new(),
            colliders: ColliderSet::new(),
            islands: IslandManager::new(),
            broad: BroadPhaseBvh::new(),
            narrow: NarrowPhase::new(),
            impulse_joints: ImpulseJointSet::new(),
            multibody_joints: MultibodyJointSet::new(),
            soft_bodies: SoftBodySet::new(),
            ccd: CCDSolver::new(),
            parameters,
            entities: BTreeMap::new(),
            touching: BTreeMap::new(),
            told: BTreeMap::new(),
        }
    }

    /// Makes the physical world agree with the scene: entities that came, went or changed their parts.
    pub(crate) fn follow(&mut self, scene: &Scene, places: &poses::Poses, content: &Content) {
        let columns = &scene.columns;
        // Who has parts here is in one of the two columns, unless something went.
        if self.entities.keys().any(|id| !columns.collider.contains(*id) && !columns.body.contains(*id)) {
            let gone: Vec<EntityId> = self
                .entities
                .keys()
                .copied()
                .filter(|id| !columns.collider.contains(*id) && !columns.body.contains(*id))
                .collect();
            for id in gone {
                self.remove(id);
            }
        }
        let bare = columns.body.ids().iter().filter(|id| !columns.collider.contains(**id));
        for id in columns.collider.ids().iter().chain(bare).copied() {
            let place = places.get(id).copied().unwrap_or_default();
            let (body, collider) = (columns.body.get(id), columns.collider.get(id));
            let same = self.entities.get(&id).is_some_and(|parts| {
                let made = &parts.made_of;
                // Velocity is state, not shape.
                let body_same = match (&made.body, body) {
                    (Some(a), Some(b)) => Body { velocity: b.velocity, ..a.clone() } == *b,
                    (None, None) => true,
                    _ => false,
                };
                body_same
                    && made.collider.as_ref() == collider
                    && made.scale == place.scale
                    && made.model.as_deref() == model_of(collider, scene, id)
            });
            if !same {
                self.remove(id);
                self.insert(id, body, collider, &place, scene, content);
            }
        }
    }

    fn insert(
        &mut self,
        id: EntityId,
        body: Option<&Body>,
        collider: Option<&Collider>,
        place: &poses::Pose,
        scene: &Scene,
        content: &Content,
    ) {
        let pose = Pose::from_parts(place.position, place.rotation);
        let handle = body.map(|body| {
            let builder = match body.kind {
                BodyKind::Static => RigidBodyBuilder::fixed(),
                BodyKind::Dynamic => RigidBodyBuilder::dynamic(),
                BodyKind::Kinematic | BodyKind::Character => RigidBodyBuilder::kinematic_position_based(),
            };
            let mut builder = builder
                .pose(pose)
                .linvel(body.velocity)
                .gravity_scale(body.gravity_scale)
                .linear_damping(body.damping)
                .angular_damping(body.damping)
                .user_data(u128::from(id.get()));
            if body.lock_rotation {
                builder = builder.lock_rotations();
            }
            self.bodies.insert(builder.build())
        });
        let collider_handle = collider.and_then(|collider| {
            let built = build_collider(id, collider, place.scale, body, scene, content)?;
            Some(match handle {
                Some(handle) => self.colliders.insert_with_parent(built, handle, &mut self.bodies),
                None => {
                    let mut built = built;
                    let offset = built.position().translation;
                    built.set_position(Pose::from_parts(
                        place.position + place.rotation * offset,
                        place.rotation,
                    ));
                    self.colliders.insert(built)
                }
            })
        });
        let parts = Parts {
            body: handle,
            collider: collider_handle,
            grounded: false,
            made_of: Made {
                body: body.cloned(),
                collider: collider.cloned(),
                scale: place.scale,
                model: model_of(collider, scene, id).map(str::to_owned),
            },
        };
        self.entities.insert(id, parts);
    }

    pub(crate) fn remove(&mut self, id: EntityId) {
        let Some(parts) = self.entities.remove(&id) else { return };
        self.touching.retain(|(a, b), _| *a != id && *b != id);
        match parts.body {
            Some(body) => {
                self.bodies.remove(
                    body,
                    &mut self.islands,
                    &mut self.colliders,
                    &mut self.impulse_joints,
                    &mut self.multibody_joints,
                    &mut self.soft_bodies,
                    true,
                );
            }
            None => {
                if let Some(collider) = parts.collider {
                    self.colliders.remove(
                        collider,
                        &mut self.islands,
                        &mut self.bodies,
                        &mut self.soft_bodies,
                        true,
                    );
                }
            }
        }
    }

    /// Puts an entity's body or collider where its transform says, as after an edit.
    pub(crate) fn teleport(&mut self, id: EntityId, place: &poses::Pose) {
        let Some(parts) = self.entities.get(&id) else { return };
        let pose = Pose::from_parts(place.position, place.rotation);
        if let Some(body) = parts.body.and_then(|handle| self.bodies.get_mut(handle)) {
            body.set_position(pose, true);
        } else if let Some(collider) = parts.collider.and_then(|handle| self.colliders.get_mut(handle)) {
            let offset =
                parts.made_of.collider.as_ref().map_or(Vec3::ZERO, |collider| collider.offset) * place.scale;
            collider.set_position(Pose::from_parts(place.position + place.rotation * offset, place.rotation));
        }
    }

    /// Moves a kinematic body to its transform over the next step, so that it pushes and carries.
    pub(crate) fn drive(&mut self, id: EntityId, place: &poses::Pose) {
        let body = self.entities.get(&id).and_then(|parts| parts.body);
        if let Some(body) = body.and_then(|handle| self.bodies.get_mut(handle)) {
            body.set_next_kinematic_position(Pose::from_parts(place.position, place.rotation));
        }
    }

    pub(crate) fn set_velocity(&mut self, id: EntityId, velocity: Vec3) {
        let body = self.entities.get(&id).and_then(|parts| parts.body);
        if let Some(body) = body.and_then(|handle| self.bodies.get_mut(handle)) {
            body.set_linvel(velocity, true);
        }
    }

    pub(crate) fn impulse(&mut self, id: EntityId, impulse: Vec3) {
        let body = self.entities.get(&id).and_then(|parts| parts.body);
        if let Some(body) = body.and_then(|handle| self.bodies.get_mut(handle)) {
            body.apply_impulse(impulse, true);
        }
    }

    /// Pushes a body for one tick.
    pub(crate) fn force(&mut self, id: EntityId, force: Vec3) {
        self.impulse(id, force * self.parameters.dt);
    }

    /// Moves a character by a velocity for one tick: it slides along walls, climbs steps and is carried by what it
    /// stands on. Gives where it ends up, or nothing where the entity is no character.
    pub(crate) fn move_character(&mut self, id: EntityId, velocity: Vec3) -> Option<Vec3> {
        let parts = self.entities.get(&id)?;
        let (body, collider) = (parts.body?, parts.collider?);
        let component = parts.made_of.body.clone()?;
        let dt = self.parameters.dt;
        let shape = self.colliders.get(collider)?;
        let start = *self.bodies.get(body)?.position();
        let own = *shape.position();
        let controller = KinematicCharacterController {
            up: Vec3::Y,
            offset: CharacterLength::Absolute(0.02),
            slide: true,
            autostep: (component.step_height > 0.0).then_some(CharacterAutostep {
                max_height: CharacterLength::Absolute(component.step_height),
                min_width: CharacterLength::Absolute(0.15),
                include_dynamic_bodies: false,
            }),
            max_slope_climb_angle: component.max_slope.to_radians(),
            min_slope_slide_angle: component.max_slope.to_radians(),
            // Snapping down would glue a jump to the ground.
            snap_to_ground: (velocity.y <= 0.0).then_some(CharacterLength::Absolute(0.2)),
            ..KinematicCharacterController::default()
        };
        let carried = self.carried_by(id, own.translation, dt);
        let filter = QueryFilter::default().exclude_rigid_body(body).exclude_sensors();
        let queries = self.broad.as_query_pipeline(
            self.narrow.query_dispatcher(),
            &self.bodies,
            &self.colliders,
            filter,
        );
        let wanted = velocity * dt + carried;
        let moved = controller.move_shape(dt, &queries, shape.shape(), &own, wanted, |_| {});
        let target = start.translation + moved.translation;
        let grounded = moved.grounded;
        if let Some(body) = self.bodies.get_mut(body) {
            body.set_next_kinematic_position(Pose::from_parts(target, start.rotation));
        }
        if let Some(parts) = self.entities.get_mut(&id) {
            parts.grounded = grounded;
        }
        Some(target)
    }

    /// How far what a character stands on moves this tick.
    fn carried_by(&self, id: EntityId, from: Vec3, dt: f32) -> Vec3 {
        let Some(parts) = self.entities.get(&id).filter(|parts| parts.grounded) else { return Vec3::ZERO };
        let half = parts.made_of.collider.as_ref().map_or(0.5, |collider| match collider.shape {
            ColliderShape::Box => collider.size.y / 2.0,
            ColliderShape::Sphere => collider.radius,
            _ => collider.height / 2.0,
        });
        let below = self.ray(from, Vec3::NEG_Y, half + 0.3, &[id]);
        let body = below.and_then(|hit| self.entities.get(&hit.entity)).and_then(|parts| parts.body);
        match body.and_then(|handle| self.bodies.get(handle)) {
            Some(body) if body.body_type() == RigidBodyType::KinematicPositionBased => {
                (body.next_position().translation - body.position().translation) * (dt / self.parameters.dt)
            }
            _ => Vec3::ZERO,
        }
    }

    /// Whether a character stood on something after its last move.
    pub(crate) fn grounded(&self, id: EntityId) -> bool {
        self.entities.get(&id).is_some_and(|parts| parts.grounded)
    }

    /// The first thing along a ray. Sensors and those in `without` are looked through.
    pub fn ray(&self, from: Vec3, direction: Vec3, length: f32, without: &[EntityId]) -> Option<Hit> {
        self.ray_where(from, direction, length, |id| !without.contains(&id))
    }

    /// The first thing along a ray that `wanted` takes. Sensors are looked through.
    pub(crate) fn ray_where(
        &self,
        from: Vec3,
        direction: Vec3,
        length: f32,
        wanted: impl Fn(EntityId) -> bool,
    ) -> Option<Hit> {
        let direction = direction.try_normalize()?;
        let takes = |_: ColliderHandle, collider: &RapierCollider| owner(collider).is_some_and(&wanted);
        let filter = QueryFilter::default().exclude_sensors().predicate(&takes);
        let queries = self.broad.as_query_pipeline(
            self.narrow.query_dispatcher(),
            &self.bodies,
            &self.colliders,
            filter,
        );
        let (handle, hit) = queries.cast_ray_and_get_normal(&Ray::new(from, direction), length, true)?;
        let entity = self.entity_of(handle)?;
        let distance = hit.time_of_impact;
        Some(Hit { entity, distance, point: from + direction * distance, normal: hit.normal })
    }

    /// Everything whose shape reaches into a ball, in order of ids.
    pub fn overlap(&self, center: Vec3, radius: f32) -> Vec<EntityId> {
        let ball = rapier3d::prelude::Ball::new(radius.max(0.001));
        let queries = self.broad.as_query_pipeline(
            self.narrow.query_dispatcher(),
            &self.bodies,
            &self.colliders,
            QueryFilter::default(),
        );
        let mut found: Vec<EntityId> = queries
            .intersect_shape(Pose::from_translation(center), &ball)
            .filter_map(|(handle, _)| self.entity_of(handle))
            .collect();
        found.sort();
        found.dedup();
        found
    }

    fn entity_of(&self, handle: ColliderHandle) -> Option<EntityId> {
        owner(self.colliders.get(handle)?)
    }

    /// One fixed step; gives the touches that began and ended, in a fixed order.
    pub(crate) fn step(&mut self, gravity: Vec3) -> Vec<Touch> {
        let touches = Touches::default();
        // The pipeline holds only working memory.
        let mut pipeline = PhysicsPipeline::new();
        pipeline.step(
            gravity,
            &self.parameters,
            &mut self.islands,
            &mut self.broad,
            &mut self.narrow,
            &mut self.bodies,
            &mut self.colliders,
            &mut self.impulse_joints,
            &mut self.multibody_joints,
            &mut self.soft_bodies,
            &mut self.ccd,
            &(),
            &touches,
        );
        let events = touches.0.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
        let mut contacts: BTreeMap<(EntityId, EntityId), Contact> = BTreeMap::new();
        for (event, contact) in events {
            let (first, second) = (event.collider1(), event.collider2());
            // Who was taken away is among the pairs no more.
            let (Some(a), Some(b)) = (self.entity_of(first), self.entity_of(second)) else { continue };
            let pair = (a.min(b), a.max(b));
            if event.started() {
                let sensor = [first, second]
                    .iter()
                    .any(|handle| self.colliders.get(*handle).is_some_and(RapierCollider::is_sensor));
                self.touching.insert(pair, sensor);
                contacts.extend(contact.map(|contact| (pair, contact)));
            } else {
                self.touching.remove(&pair);
            }
        }
        if self.touching == self.told {
            return Vec::new();
        }
        let ended = self.told.iter().filter(|(pair, _)| !self.touching.contains_key(*pair));
        let began = self.touching.iter().filter(|(pair, _)| !self.told.contains_key(*pair));
        let touch = |(a, b): (EntityId, EntityId), sensor: bool, began: bool| {
            let contact = contacts.get(&(a, b)).copied().filter(|_| began && !sensor);
            Touch { a, b, began, sensor, contact }
        };
        let found = ended
            .map(|(pair, sensor)| touch(*pair, *sensor, false))
            .chain(began.map(|(pair, sensor)| touch(*pair, *sensor, true)))
            .collect();
        self.told = self.touching.clone();
        found
    }

    /// Where dynamic bodies and characters are after the step.
    pub(crate) fn moved(&self) -> impl Iterator<Item = Moved> + '_ {
        self.entities.iter().filter_map(|(id, parts)| {
            let kind = parts.made_of.body.as_ref()?.kind;
            let body = self.bodies.get(parts.body?)?;
            let moves = match kind {
                BodyKind::Dynamic => !body.is_sleeping(),
                BodyKind::Character => true,
                BodyKind::Static | BodyKind::Kinematic => false,
            };
            moves.then(|| Moved {
                entity: *id,
                position: body.translation(),
                rotation: *body.rotation(),
                velocity: body.linvel(),
            })
        })
    }

    /// Adds where everything is and how it moves to a hash. Left out are rapier's own caches (which contacts it found
    /// last, what it solved for them, what changed since): they follow from the same history and show in the places
    /// of bodies a tick later.
    pub(crate) fn hash(&self, digest: &mut Digest) {
        digest.add(&self.told.iter().map(|((a, b), sensor)| (a, b, sensor)).collect::<Vec<_>>());
        for (id, parts) in &self.entities {
            digest.add(&(id.get(), parts.grounded));
            if let Some(body) = parts.body.and_then(|handle| self.bodies.get(handle)) {
                let (place, turn) = (body.translation().to_array(), body.rotation().to_array());
                digest.add(&(
                    place,
                    turn,
                    body.linvel().to_array(),
                    body.angvel().to_array(),
                    body.is_sleeping(),
                ));
            } else if let Some(collider) = parts.collider.and_then(|handle| self.colliders.get(handle)) {
                let pose = collider.position();
                digest.add(&(pose.translation.to_array(), pose.rotation.to_array()));
            }
        }
    }
}

fn owner(collider: &RapierCollider) -> Option<EntityId> {
    EntityId::new(collider.user_data as u32)
}

/// How far around a character a touch counts: it keeps a little away from what it walks into.
const SKIN: f32 = 0.03;

fn build_collider(
    id: EntityId,
    collider: &Collider,
    scale: Vec3,
    body: Option<&Body>,
    scene: &Scene,
    content: &Content,
) -> Option<RapierCollider> {
    let wide = scale.x.abs().max(scale.z.abs());
    let builder = match collider.shape {
        ColliderShape::Box => {
            let half = (collider.size * scale.abs() / 2.0).max(Vec3::splat(0.001));
            ColliderBuilder::cuboid(half.x, half.y, half.z)
        }
        ColliderShape::Sphere => ColliderBuilder::ball(collider.radius * scale.abs().max_element()),
        ColliderShape::Capsule => {
            let radius = collider.radius * wide;
            ColliderBuilder::capsule_y((collider.height * scale.y.abs() / 2.0 - radius).max(0.001), radius)
        }
        ColliderShape::Cylinder => {
            ColliderBuilder::cylinder(collider.height * scale.y.abs() / 2.0, collider.radius * wide)
        }
        ColliderShape::Mesh => {
            let model = &scene.columns.mesh.get(id)?.model;
            let (points, triangles) = content.triangles(model)?;
            let points = points.into_iter().map(|point| point * scale).collect();
            ColliderBuilder::trimesh(points, triangles).ok()?
        }
    };
    let is_character = body.is_some_and(|body| body.kind == BodyKind::Character);
    // Scenery that stands in scenery is nobody's business; sensors notice all.
    let kinds = if collider.sensor {
        ActiveCollisionTypes::all()
    } else {
        ActiveCollisionTypes::all() - ActiveCollisionTypes::FIXED_FIXED
    };
    let builder = builder
        .position(Pose::from_translation(collider.offset * scale))
        .sensor(collider.sensor)
        .friction(collider.friction)
        .restitution(collider.restitution)
        .active_events(ActiveEvents::COLLISION_EVENTS)
        .active_collision_types(kinds)
        .contact_skin(if is_character { SKIN } else { 0.0 })
        .user_data(u128::from(id.get()));
    Some(match body {
        Some(body) if body.mass > 0.0 => builder.mass(body.mass).build(),
        _ => builder.build(),
    })
}

impl std::fmt::Debug for Physics {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Physics of {} entities", self.entities.len())
    }
}
