//! The world and its tick.

mod act;
mod edits;
pub(crate) mod places;
mod reload;

use std::sync::Arc;

use base::{EntityId, Problem, Tick};
use indexmap::IndexMap;
use scene::components::{BodyKind, ColliderShape, Transform};
use scene::digest::Digest;
use scene::{Hud, Poses, Scene, Var};
use wander::{Host, Machine, Outcome, Value};

use crate::animation::Animations;
use crate::content::Content;
use crate::input::{InputEvent, InputState, Receipt};
use crate::physics::{Physics, Touch};
use crate::scripts::{Access, Binding, Effects, var_to_value};
use crate::sounds::{Sounds, Voice, VoicePlace};
pub(crate) use act::{Acted, Run};
use places::Places;
pub use reload::ScriptChange;

/// How often in one tick what scripts made may make more: `stop` handlers and first values of variables may spawn,
/// and two scripts that make each other must not go on for ever.
const MOST_ROUNDS: usize = 8;

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
    /// Errors of scripts, each with its place.
    pub faults: Vec<Problem>,
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
    places: Places,
    tick: u64,
    seed: u64,
    /// Entities whose script has yet to start.
    fresh: Vec<EntityId>,
    pending_log: Vec<LogLine>,
    pending_faults: Vec<Problem>,
    /// The world before edits that were made since the last tick. Part of no hash: a tick forgets them.
    memories: Vec<Arc<World>>,
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
            places: Places::default(),
            tick: 0,
            seed,
            fresh: Vec::new(),
            pending_log: Vec::new(),
            pending_faults: Vec::new(),
            memories: Vec::new(),
            content,
        };
        world.place_all();
        world.settle();
        let mut problems = Vec::new();
        let scripted: Vec<EntityId> = world.scene.columns.script.ids().to_vec();
        let mut effects = Effects::default();
        for id in scripted {
            problems.extend(world.attach(id, &mut effects));
        }
        world.carry_out(&mut effects);
        world.pending_log.append(&mut effects.log);
        world.animations.follow(&world.scene, 0);
        world.poses.animations = world.animations.poses(&world.scene, world.content.rate, 0);
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
        self.physics.ray(from, direction, length, &[])
    }

    /// Whether a character stood on something after its last move.
    pub fn grounded(&self, id: EntityId) -> bool {
        self.physics.grounded(id)
    }

    /// Runs one fixed tick.
    pub fn tick(&mut self, events: &[InputEvent]) -> TickReport {
        self.memories.clear();
        let content = self.content.clone();
        let mut report = TickReport { log: std::mem::take(&mut self.pending_log), ..TickReport::default() };
        report.receipts = self.input.advance(&content.input, events, self.tick);
        let mut effects = Effects::default();

        let fresh = std::mem::take(&mut self.fresh);
        let dt = Value::Number(1.0 / f64::from(content.rate));
        let tick = self.tick;
        self.script(Access::Simulate, &mut effects, |machine, host| {
            for id in fresh {
                machine.handle(id, "start", &[], host);
            }
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
        self.tell(touches);
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
        self.drain_faults();
        report.log.append(&mut self.pending_log);
        report.faults = std::mem::take(&mut self.pending_faults);
        report
    }

    /// Events for who touched whom.
    fn tell(&mut self, touches: Vec<Touch>) {
        for touch in touches {
            let (began, ended) = if touch.sensor { ("enter", "exit") } else { ("collide", "collide_end") };
            let name = if touch.began { began } else { ended };
            for (own, other, way) in [(touch.a, touch.b, -1.0), (touch.b, touch.a, 1.0)] {
                let mut arguments = vec![Value::Entity(other)];
                if let Some(contact) = touch.contact
                    && self.machine.has_handler(own, name)
                {
                    // The normal points at whom it is told.
                    let fields = [
                        ("point", Value::Vec3(contact.point.to_array())),
                        ("normal", Value::Vec3((contact.normal * way).to_array())),
                    ];
                    arguments.push(self.machine.heap.record(fields));
                }
                self.machine.send(Some(own), name, arguments);
            }
        }
    }

    /// Errors of scripts become lines of the log and problems.
    fn drain_faults(&mut self) {
        for failed in self.machine.take_reports() {
            let source =
                failed.fault.trace.first().map_or_else(|| "scripts".to_owned(), |at| at.file.clone());
            let mut text = failed.fault.line();
            if failed.times > 1 {
                text.push_str(&format!(" · {} times so far", failed.times));
            }
            self.pending_log.push(LogLine { kind: LogKind::Error, source, text });
            self.pending_faults.push(failed.fault.to_problem());
        }
    }

    /// Lets scripts run on the world.
    fn script(
        &mut self,
        access: Access,
        effects: &mut Effects,
        run: impl FnOnce(&mut Machine, &mut dyn Host),
    ) {
        let mut binding = Binding {
            access,
            content: &self.content,
            scene: &mut self.scene,
            physics: &mut self.physics,
            animations: &mut self.animations,
            sounds: &mut self.sounds,
            hud: &mut self.hud,
            save: &mut self.save,
            input: &self.input,
            scene_name: &self.scene_name,
            tick: self.tick,
            effects,
            scripts: None,
        };
        run(&mut self.machine, &mut binding);
    }

    /// Lets something look at the world through the eyes of a script, without changing it.
    pub(crate) fn look<T>(&mut self, run: impl FnOnce(&mut dyn Host) -> Outcome<T>) -> Outcome<T> {
        self.look_as(Access::Read, &mut Effects::default(), run)
    }

    /// The same, and what it writes to the log is in the effects.
    pub(crate) fn look_and_log<T>(
        &mut self,
        effects: &mut Effects,
        run: impl FnOnce(&mut dyn Host) -> Outcome<T>,
    ) -> Outcome<T> {
        self.look_as(Access::ReadAndLog, effects, run)
    }

    fn look_as<T>(
        &mut self,
        access: Access,
        effects: &mut Effects,
        run: impl FnOnce(&mut dyn Host) -> Outcome<T>,
    ) -> Outcome<T> {
        let mut binding = Binding {
            access,
            content: &self.content,
            scene: &mut self.scene,
            physics: &mut self.physics,
            animations: &mut self.animations,
            sounds: &mut self.sounds,
            hud: &mut self.hud,
            save: &mut self.save,
            input: &self.input,
            scene_name: &self.scene_name,
            tick: self.tick,
            effects,
            scripts: Some(&self.machine),
        };
        run(&mut binding)
    }

    /// Entities that scripts made and unmade.
    fn carry_out(&mut self, effects: &mut Effects) {
        for _ in 0..MOST_ROUNDS {
            if effects.spawned.is_empty() && effects.destroyed.is_empty() {
                return;
            }
            let spawned = std::mem::take(&mut effects.spawned);
            let mut destroyed = std::mem::take(&mut effects.destroyed);
            // Who came under an entity after it was destroyed goes with it.
            for id in destroyed.clone() {
                destroyed.extend(self.scene.subtree(id));
            }
            for id in spawned {
                if !destroyed.contains(&id) {
                    if let Some(problem) = self.attach(id, effects) {
                        effects.warn(problem.message);
                    }
                    self.start_sound(id);
                }
            }
            self.script(Access::Simulate, effects, |machine, host| {
                for id in &destroyed {
                    machine.handle(*id, "stop", &[], host);
                }
            });
            for id in destroyed {
                self.forget(id);
                self.scene.remove(id);
                effects.destroyed.remove(&id);
            }
        }
        let left: Vec<EntityId> =
            effects.spawned.drain(..).chain(std::mem::take(&mut effects.destroyed)).collect();
        if !left.is_empty() {
            effects.warn(format!(
                "scripts make one another without end as they begin or stop: {} entities were taken away",
                left.len()
            ));
        }
        for id in left {
            self.forget(id);
            self.scene.remove(id);
        }
    }

    /// Takes an entity's parts out of everything but the scene.
    fn forget(&mut self, id: EntityId) {
        self.machine.detach(id);
        self.physics.remove(id);
        self.animations.remove(id);
        self.sounds.leave(id, self.poses.places.get(id).map(|pose| pose.position));
        self.fresh.retain(|fresh| *fresh != id);
    }

    /// Gives an entity its script; the problem says where there is none of that name.
    fn attach(&mut self, id: EntityId, effects: &mut Effects) -> Option<Problem> {
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
        self.script(Access::Simulate, effects, |machine, host| {
            machine.attach(&program, id, &props, host);
        });
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

    /// World poses from transforms.
    fn place_all(&mut self) {
        self.places.update(&self.scene, &mut self.poses.places);
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
        for moved in self.physics.moved() {
            let id = moved.entity;
            let is_character =
                self.scene.columns.body.get(id).is_some_and(|body| body.kind == BodyKind::Character);
            let parent = places::parent_now(&self.scene, id);
            if let Some(transform) = self.scene.get_mut::<Transform>(id) {
                transform.position =
                    parent.map_or(moved.position, |parent| places::point_within(&parent, moved.position));
                if !is_character {
                    let within = parent.map_or(moved.rotation, |p| p.rotation.inverse() * moved.rotation);
                    transform.set_quat(within);
                }
            }
            if !is_character && let Some(body) = self.scene.get_mut::<scene::components::Body>(id) {
                body.velocity = moved.velocity;
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
        parts.push(("clock", scene::digest::hash(&(self.tick, self.seed, &self.fresh))));
        parts
    }

    /// The hash of everything that decides the future. Left out: the id allocator; the poses, which follow from the
    /// rest; what an undo before the next tick could bring back; lines of the log that are not read yet.
    pub fn hash(&self) -> u128 {
        scene::digest::hash(&self.hash_parts())
    }
}

impl std::fmt::Debug for World {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "World at tick {} of {} entities", self.tick, self.scene.entities.len())
    }
}
