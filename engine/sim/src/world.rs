//! The world and its tick.

use std::sync::Arc;

use base::{EntityId, Problem, Tick};
use indexmap::IndexMap;
use scene::components::{BodyKind, ColliderShape, Transform};
use scene::digest::Digest;
use scene::history::Apply;
use scene::{Column, Edit, Hud, Pose, Poses, Scene, Var};
use wander::{Host, Machine, Outcome, Value};

use crate::animation::Animations;
use crate::content::Content;
use crate::input::{InputEvent, InputState, Receipt};
use crate::physics::Physics;
use crate::scripts::{Access, Binding, Effects, var_to_value};
use crate::sounds::{Sounds, Voice, VoicePlace};

/// How much a line of the log matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LogKind {
    /// Worth knowing.
    Info,
    /// Probably wrong.
    Warning,
    /// A script failed.
    Error,
}

/// A line of the log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogLine {
    /// How much it matters.
    pub kind: LogKind,
    /// The script's path.
    pub source: String,
    /// What it says.
    pub text: String,
}

/// What a tick told.
#[derive(Debug, Default)]
pub struct TickReport {
    /// Lines for the log.
    pub log: Vec<LogLine>,
    /// What became of each input event.
    pub receipts: Vec<Receipt>,
    /// Whether a script asked to start the scene over.
    pub restart: bool,
}

/// Everything that a tick reads or writes. Cloning it is a snapshot, assigning it a restore.
#[derive(Clone)]
pub struct World {
    content: Arc<Content>,
    scene: Scene,
    scene_name: String,
    physics: Physics,
    machine: Machine,
    animations: Animations,
    sounds: Sounds,
    hud: Hud,
    save: IndexMap<String, Var>,
    input: InputState,
    poses: Poses,
    tick: u64,
    seed: u64,
    /// Entities whose script has yet to start.
    fresh: Vec<EntityId>,
    pending_log: Vec<LogLine>,
}

impl World {
    /// A world at tick 0. Scripts that are missing are reported; the rest of the world lives without them.
    pub fn new(content: Arc<Content>, scene: Scene, scene_name: &str, seed: u64) -> (Self, Vec<Problem>) {
        let machine = Machine::new(content.environment.clone(), seed, f64::from(content.rate));
        let mut world = Self {
            physics: Physics::new(content.rate),
            machine,
            scene,
            scene_name: scene_name.to_owned(),
            animations: Animations::default(),
            sounds: Sounds::default(),
            hud: Hud::default(),
            save: IndexMap::new(),
            input: InputState::default(),
            poses: Poses::default(),
            tick: 0,
            seed,
            fresh: Vec::new(),
            pending_log: Vec::new(),
            content,
        };
        world.place_all();
        world.settle();
        let mut problems = Vec::new();
        let scripted: Vec<EntityId> = world.scene.columns.script.ids().to_vec();
        for id in scripted {
            problems.extend(world.attach(id));
        }
        let sounding: Vec<EntityId> = world.scene.columns.sound.ids().to_vec();
        sounding.into_iter().for_each(|id| world.start_sound(id));
        (world, problems)
    }

    /// What never changes.
    pub fn content(&self) -> &Arc<Content> {
        &self.content
    }

    /// The scene as it is now.
    pub fn scene(&self) -> &Scene {
        &self.scene
    }

    /// An id that no entity of this timeline ever had.
    pub fn reserve_id(&mut self) -> Option<EntityId> {
        self.scene.reserve_id()
    }

    /// The next tick's number.
    pub fn tick_number(&self) -> Tick {
        Tick(self.tick)
    }

    /// The seed of its random numbers.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// Where everything is.
    pub fn poses(&self) -> &Poses {
        &self.poses
    }

    /// What scripts show over the picture.
    pub fn hud(&self) -> &Hud {
        &self.hud
    }

    /// Which sounds play.
    pub fn sounds(&self) -> &Sounds {
        &self.sounds
    }

    /// What is held.
    pub fn input(&self) -> &InputState {
        &self.input
    }

    /// Variables of an entity's script.
    pub fn script_variables(&self, id: EntityId) -> Vec<(String, serde_json::Value)> {
        self.machine
            .variables(id)
            .into_iter()
            .filter_map(|(name, value)| {
                Some((name, wander::boundary::to_json(&self.machine.heap, value).ok()?))
            })
            .collect()
    }

    /// The first thing along a ray.
    pub fn ray(&self, from: glam::Vec3, direction: glam::Vec3, length: f32) -> Option<crate::physics::Hit> {
        self.physics.ray(from, direction, length, None)
    }

    /// Whether a character stood on something after its last move.
    pub fn grounded(&self, id: EntityId) -> bool {
        self.physics.grounded(id)
    }

    /// Runs one fixed tick.
    pub fn tick(&mut self, events: &[InputEvent]) -> TickReport {
        let content = self.content.clone();
        let mut report = TickReport { log: std::mem::take(&mut self.pending_log), ..TickReport::default() };
        report.receipts = self.input.advance(&content.input, events, self.tick);
        let mut effects = Effects::default();

        for id in std::mem::take(&mut self.fresh) {
            self.script(&mut effects, |machine, host| machine.handle(id, "start", &[], host));
        }
        let dt = Value::Number(1.0 / f64::from(content.rate));
        let tick = self.tick;
        self.script(&mut effects, |machine, host| {
            machine.deliver(host);
            machine.resume(tick, host);
            machine.handle_all("fixed_update", &[dt], host);
            machine.handle_all("update", &[dt], host);
        });
        self.carry_out(&mut effects);

        self.place_all();
        self.settle();
        self.drive_kinematic();
        let touches = self.physics.step(content.gravity);
        self.take_over();
        for touch in touches {
            let (began, ended) = if touch.sensor { ("enter", "exit") } else { ("collide", "collide_end") };
            let name = if touch.began { began } else { ended };
            for (own, other) in [(touch.a, touch.b), (touch.b, touch.a)] {
                self.machine.send(Some(own), name, vec![Value::Entity(other)]);
            }
        }
        for (id, clip) in self.animations.advance(&self.scene, &content, self.tick) {
            let name = self.machine.heap.text(&clip);
            self.machine.send(Some(id), "animation_end", vec![name]);
        }
        self.sounds.expire(self.tick, content.rate, &content.sounds);
        self.tick += 1;
        self.place_all();
        self.poses.animations = self.animations.poses(&self.scene, content.rate, self.tick);

        report.log.append(&mut effects.log);
        report.restart = effects.restart;
        for failed in self.machine.take_reports() {
            let source =
                failed.fault.trace.first().map_or_else(|| "scripts".to_owned(), |at| at.file.clone());
            report.log.push(LogLine { kind: LogKind::Error, source, text: failed.fault.line() });
        }
        report
    }

    /// Lets scripts run on the world.
    fn script(&mut self, effects: &mut Effects, run: impl FnOnce(&mut Machine, &mut dyn Host)) {
        let mut binding = Binding {
            access: Access::Simulate,
            content: &self.content,
            scene: &mut self.scene,
            physics: &mut self.physics,
            animations: &mut self.animations,
            sounds: &mut self.sounds,
            hud: &mut self.hud,
            save: &mut self.save,
            input: &self.input,
            places: &self.poses,
            scene_name: &self.scene_name,
            tick: self.tick,
            effects,
        };
        run(&mut self.machine, &mut binding);
    }

    /// Lets something look at the world through the eyes of a script, without changing it.
    pub(crate) fn look<T>(&mut self, run: impl FnOnce(&mut dyn Host) -> Outcome<T>) -> Outcome<T> {
        let mut effects = Effects::default();
        let mut binding = Binding {
            access: Access::Read,
            content: &self.content,
            scene: &mut self.scene,
            physics: &mut self.physics,
            animations: &mut self.animations,
            sounds: &mut self.sounds,
            hud: &mut self.hud,
            save: &mut self.save,
            input: &self.input,
            places: &self.poses,
            scene_name: &self.scene_name,
            tick: self.tick,
            effects: &mut effects,
        };
        run(&mut binding)
    }

    /// Entities that scripts made and unmade.
    fn carry_out(&mut self, effects: &mut Effects) {
        for id in std::mem::take(&mut effects.spawned) {
            if !effects.destroyed.contains(&id) {
                if let Some(problem) = self.attach(id) {
                    let text = problem.message;
                    effects.log.push(LogLine { kind: LogKind::Warning, source: "scripts".to_owned(), text });
                }
                self.start_sound(id);
            }
        }
        for id in std::mem::take(&mut effects.destroyed) {
            let mut after = Effects::default();
            self.script(&mut after, |machine, host| machine.handle(id, "stop", &[], host));
            effects.log.append(&mut after.log);
            self.forget(id);
            self.scene.remove(id);
        }
    }

    /// Takes an entity's parts out of everything but the scene.
    fn forget(&mut self, id: EntityId) {
        self.machine.detach(id);
        self.physics.remove(id);
        self.animations.remove(id);
        self.sounds.stop_entity(id);
        self.fresh.retain(|fresh| *fresh != id);
    }

    /// Gives an entity its script; the problem says where there is none of that name.
    fn attach(&mut self, id: EntityId) -> Option<Problem> {
        let script = self.scene.columns.script.get(id)?.clone();
        let Some(program) = self.content.programs.get(&script.file).cloned() else {
            let near = base::suggest::nearest(&script.file, self.content.programs.keys().map(String::as_str));
            return Some(
                Problem::new("no_script", format!("entity {id} has no working script `{}`", script.file))
                    .near(near),
            );
        };
        let props: Vec<(String, Value)> = script
            .props
            .iter()
            .map(|(name, var)| (name.clone(), var_to_value(&mut self.machine.heap, var)))
            .collect();
        let mut effects = Effects::default();
        self.script(&mut effects, |machine, host| {
            machine.attach(&program, id, &props, host);
        });
        self.pending_log.append(&mut effects.log);
        self.fresh.push(id);
        None
    }

    fn start_sound(&mut self, id: EntityId) {
        let Some(sound) = self.scene.columns.sound.get(id).filter(|sound| sound.autoplay) else { return };
        let voice = Voice {
            id: 0,
            clip: sound.clip.clone(),
            bus: sound.bus.clone(),
            volume: sound.volume,
            pitch: sound.pitch,
            looped: sound.looped,
            place: if sound.spatial { VoicePlace::Entity(id) } else { VoicePlace::Everywhere },
            min_distance: sound.min_distance,
            max_distance: sound.max_distance,
            started: self.tick,
        };
        self.sounds.play(voice);
    }

    /// World poses from transforms, parents before children.
    fn place_all(&mut self) {
        let mut places: Column<Pose> = Column::default();
        let mut later: Vec<EntityId> = Vec::new();
        for (id, entity) in self.scene.entities.iter() {
            let transform = self.scene.columns.transform.get(id).copied().unwrap_or_default();
            match entity.parent {
                None => {
                    places.insert(id, local_pose(&transform));
                }
                Some(_) => later.push(id),
            }
        }
        // Children may have lower ids than their parents: go on until nothing is left that can be placed.
        while !later.is_empty() {
            let before = later.len();
            later.retain(|id| {
                let parent = self.scene.entities.get(*id).and_then(|entity| entity.parent);
                let Some(parent) = parent.and_then(|parent| places.get(parent)).copied() else { return true };
                let own = local_pose(&self.scene.columns.transform.get(*id).copied().unwrap_or_default());
                let pose = Pose {
                    position: parent.position + parent.rotation * (parent.scale * own.position),
                    rotation: (parent.rotation * own.rotation).normalize(),
                    scale: parent.scale * own.scale,
                };
                places.insert(*id, pose);
                false
            });
            if later.len() == before {
                // Their parent is gone: they stand where their own transform says.
                for id in later.drain(..) {
                    let transform = self.scene.columns.transform.get(id).copied().unwrap_or_default();
                    places.insert(id, local_pose(&transform));
                }
            }
        }
        self.poses.places = places;
    }

    /// The physical world follows the scene.
    fn settle(&mut self) {
        self.physics.follow(&self.scene, &self.poses, &self.content);
    }

    fn drive_kinematic(&mut self) {
        for (id, body) in self.scene.columns.body.iter() {
            if body.kind == BodyKind::Kinematic
                && let Some(place) = self.poses.places.get(id)
            {
                self.physics.drive(id, place);
            }
        }
        // Sensors and other shapes without a body that hang on something go where that goes.
        for (id, collider) in self.scene.columns.collider.iter() {
            let hangs = self.scene.entities.get(id).is_some_and(|entity| entity.parent.is_some());
            if hangs
                && !self.scene.columns.body.contains(id)
                && collider.shape != ColliderShape::Mesh
                && let Some(place) = self.poses.places.get(id)
            {
                self.physics.teleport(id, place);
            }
        }
    }

    /// Where the step moved things becomes their transform.
    fn take_over(&mut self) {
        let moved: Vec<_> = self.physics.moved().collect();
        for (id, position, rotation, velocity) in moved {
            let is_character =
                self.scene.columns.body.get(id).is_some_and(|body| body.kind == BodyKind::Character);
            if let Some(transform) = self.scene.get_mut::<Transform>(id) {
                transform.position = position;
                if !is_character {
                    transform.set_quat(rotation);
                }
            }
            if !is_character && let Some(body) = self.scene.get_mut::<scene::components::Body>(id) {
                body.velocity = velocity;
            }
        }
    }

    /// The hash of each part, so that a difference has a name.
    pub fn hash_parts(&self) -> Vec<(&'static str, u128)> {
        let mut parts = vec![("entities", scene::digest::hash(&self.scene.entities))];
        parts.extend(self.scene.columns.hashes());
        parts.push(("environment", scene::digest::hash(&self.scene.environment)));
        let mut physics = Digest::new();
        self.physics.hash(&mut physics);
        parts.push(("physics", physics.finish()));
        let mut scripts = xxhash_rust::xxh3::Xxh3::new();
        self.machine.hash_into(&mut scripts);
        parts.push(("scripts", scripts.digest128()));
        parts.push(("animations", scene::digest::hash(&self.animations)));
        parts.push(("sounds", scene::digest::hash(&self.sounds)));
        parts.push(("hud", scene::digest::hash(&self.hud)));
        parts.push(("save", scene::digest::hash(&self.save)));
        parts.push(("input", scene::digest::hash(&self.input)));
        parts.push(("clock", scene::digest::hash(&(self.tick, self.seed))));
        parts
    }

    /// The hash of everything that decides the future. Left out: the id allocator, and the poses, which follow from
    /// the rest.
    pub fn hash(&self) -> u128 {
        scene::digest::hash(&self.hash_parts())
    }
}

fn local_pose(transform: &Transform) -> Pose {
    Pose { position: transform.position, rotation: transform.quat(), scale: transform.scale }
}

impl Apply for World {
    /// Applies a tool's edit and lets physics, scripts and sounds follow.
    fn apply(&mut self, edit: Edit) -> Result<Edit, Problem> {
        let touched = match &edit {
            Edit::Spawn(data) => Some(data.id),
            Edit::Despawn(id) | Edit::SetParent(id, _) | Edit::RemoveComponent(id, _) => Some(*id),
            Edit::SetFields(id, ..) | Edit::AddComponent(id, _) => Some(*id),
            Edit::SetName(..) | Edit::SetTags(..) | Edit::SetVar(..) | Edit::SetEnvironment(_) => None,
        };
        let moves = match &edit {
            Edit::SetFields(_, kind, _) => *kind == scene::ComponentKind::Transform,
            Edit::SetParent(..) | Edit::Spawn(_) => true,
            _ => false,
        };
        let script_before = touched.and_then(|id| self.scene.columns.script.get(id).cloned());
        let sound_before = touched.and_then(|id| self.scene.columns.sound.get(id).cloned());
        let inverse = edit.apply(&mut self.scene)?;
        let Some(id) = touched else { return Ok(inverse) };
        if !self.scene.contains(id) {
            self.forget(id);
            self.place_all();
            return Ok(inverse);
        }
        if self.scene.columns.script.get(id) != script_before.as_ref() {
            self.machine.detach(id);
            self.attach(id);
        }
        if self.scene.columns.sound.get(id) != sound_before.as_ref() {
            self.sounds.stop_entity(id);
            self.start_sound(id);
        }
        self.place_all();
        self.settle();
        if moves {
            for below in self.scene.subtree(id) {
                if let Some(place) = self.poses.places.get(below).copied() {
                    self.physics.teleport(below, &place);
                }
            }
        }
        Ok(inverse)
    }
}

impl std::fmt::Debug for World {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "World at tick {} of {} entities", self.tick, self.scene.entities.len())
    }
}
