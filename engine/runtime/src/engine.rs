//! The engine owns one project's world and everything that belongs to it.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use base::{Epoch, Problem, Tick};
use project::{Assets, Project};
use scene::history::OpenGroup;
use scene::{Edit, History, Scene};
use sim::{Content, ContentBuilder, InputEvent, World};

use crate::clock::{Clock, Mode};
use crate::frame::FrameNumbers;
use crate::log::{Level, Log};
use crate::play::StepOrder;
use crate::presentation::Presentation;
use crate::sound;
use crate::watching::FileWatch;

/// How an engine starts.
#[derive(Debug, Clone)]
pub struct EngineOptions {
    /// Whether the game runs from the start.
    pub mode: Mode,
    /// Factor on real time; infinite runs as fast as the machine allows.
    pub speed: f64,
    /// The seed of the world's random numbers.
    pub seed: u64,
    /// Whether sound goes to a device, where there is one.
    pub sound: bool,
}

impl Default for EngineOptions {
    fn default() -> Self {
        Self { mode: Mode::Play, speed: 1.0, seed: 0, sound: false }
    }
}

/// One project, running.
pub struct Engine {
    pub(crate) project: Project,
    assets: Assets,
    pub(crate) content: Arc<Content>,
    pub(crate) world: World,
    /// The scene as the timeline began: what a restart goes back to.
    start: Scene,
    scene_name: String,
    history: History,
    epoch: Epoch,
    seed: u64,
    /// The log.
    pub log: Log,
    /// Pacing.
    pub clock: Clock,
    /// How long frames and ticks took.
    pub numbers: FrameNumbers,
    pub(crate) events: Vec<InputEvent>,
    pub(crate) steps: Vec<StepOrder>,
    pub(crate) next_step: u64,
    /// Poses of the tick before, for blending.
    pub(crate) before: scene::Poses,
    pub(crate) presentation: Option<Presentation>,
    pub(crate) audio: audio::Audio,
    pub(crate) wake: render::Wake,
    pub(crate) watch: Option<FileWatch>,
    /// What is wrong with the scripts on the disk, as it was told last.
    pub(crate) script_problems: Vec<Problem>,
}

impl Engine {
    /// Opens a project and starts its main scene. Faults that leave something to play are in the log; the others come
    /// back instead of an engine.
    pub fn open(root: &Path, options: &EngineOptions) -> Result<Self, Vec<Problem>> {
        let (project, problems) = Project::load(root);
        let Some(project) = project else { return Err(problems) };
        let (assets, asset_problems) = Assets::load(&project);
        let (audio, lengths, sound_problems) = sound::open(&assets, options.sound);
        let (content, script_problems) = ContentBuilder::build(&project, &assets, lengths);
        let content = Arc::new(content);
        let start = project.main_scene();
        let scene_name = project.settings.main_scene.clone();
        let (world, world_problems) = World::new(content.clone(), start.clone(), &scene_name, options.seed);
        let clock = Clock::new(project.settings.tick_rate, options.mode, options.speed);
        let mut log = Log::default();
        for problem in problems
            .iter()
            .chain(&asset_problems)
            .chain(&sound_problems)
            .chain(&script_problems)
            .chain(&world_problems)
        {
            log.add(Tick(0), crate::scripts::level(problem.severity), "project", &problem.to_string());
        }
        Ok(Self {
            before: world.poses().clone(),
            project,
            assets,
            content,
            world,
            start,
            scene_name,
            history: History::default(),
            epoch: Epoch(0),
            seed: options.seed,
            log,
            clock,
            numbers: FrameNumbers::default(),
            events: Vec::new(),
            steps: Vec::new(),
            next_step: 0,
            presentation: None,
            audio,
            wake: Arc::new(|| {}),
            watch: None,
            script_problems,
        })
    }

    /// The project.
    pub fn project(&self) -> &Project {
        &self.project
    }

    /// Its decoded assets.
    pub fn assets(&self) -> &Assets {
        &self.assets
    }

    /// The world.
    pub fn world(&self) -> &World {
        &self.world
    }

    /// The world, to look at through expressions and to step.
    pub fn world_mut(&mut self) -> &mut World {
        &mut self.world
    }

    /// The path of the scene that runs.
    pub fn scene_name(&self) -> &str {
        &self.scene_name
    }

    /// The history of edits.
    pub fn history(&self) -> &History {
        &self.history
    }

    /// The timeline: one more for each restart.
    pub fn epoch(&self) -> Epoch {
        self.epoch
    }

    /// Opens a group of edits.
    pub fn open_group(&mut self) -> OpenGroup {
        self.history.open()
    }

    /// Applies an edit as part of a group.
    pub fn edit(&mut self, group: &mut OpenGroup, edit: Edit) -> Result<(), Problem> {
        self.history.edit(group, &mut self.world, edit)
    }

    /// Evaluates code that may change the world; what it changed in the scene becomes part of the group.
    pub fn change(
        &mut self,
        group: &mut OpenGroup,
        code: &str,
        entity: Option<base::EntityId>,
        watch: Option<sim::Watch>,
    ) -> Result<sim::expression::Found, Problem> {
        let changed = sim::expression::change(code, entity, watch, &mut self.world)?;
        for (edit, inverse) in changed.edits {
            self.history.note(group, &edit, inverse);
        }
        Ok(changed.found)
    }

    /// Closes a group as one undo step.
    pub fn seal(
        &mut self,
        group: OpenGroup,
        call: base::CallId,
        actor: base::Actor,
        tool: &str,
        summary: &str,
    ) {
        let tick = self.world.tick_number();
        self.history.seal(group, call, actor, tool, tick, summary);
    }

    /// Takes back what a group wrote.
    pub fn revert(&mut self, group: OpenGroup) -> Vec<String> {
        self.history.revert(group, &mut self.world)
    }

    /// Undoes groups of an actor, or the one of a call.
    pub fn undo(
        &mut self,
        actor: &base::Actor,
        steps: usize,
        call: Option<base::CallId>,
    ) -> Result<scene::history::Undone, Problem> {
        self.history.undo(&mut self.world, actor, steps, call)
    }

    /// Starts the scene over: same seed, a fresh world at tick 0. Waiting steps end, history is over.
    pub fn restart(&mut self) {
        let (world, problems) =
            World::new(self.content.clone(), self.start.clone(), &self.scene_name, self.seed);
        self.world = world;
        self.before = self.world.poses().clone();
        self.history.clear();
        self.epoch = self.epoch.next();
        self.events.clear();
        for problem in problems {
            self.log.add(Tick(0), Level::Warning, "project", &problem.to_string());
        }
        self.steps.iter_mut().for_each(StepOrder::cut_off);
    }

    /// Gives an event to the next tick.
    pub fn input(&mut self, event: InputEvent) {
        /// Events that wait for one tick at most: a stuck device must not fill memory.
        const MOST_EVENTS: usize = 10_000;
        if self.events.len() < MOST_EVENTS {
            self.events.push(event);
        }
    }

    /// Runs one tick with the events that wait and these.
    pub(crate) fn tick(&mut self, more: &[InputEvent]) {
        let mut events = std::mem::take(&mut self.events);
        events.extend_from_slice(more);
        let started = Instant::now();
        self.before = self.world.poses().clone();
        let tick = self.world.tick_number();
        let report = self.world.tick(&events);
        for line in report.log {
            let level = match line.kind {
                sim::LogKind::Info => Level::Info,
                sim::LogKind::Warning => Level::Warning,
                sim::LogKind::Error => Level::Error,
            };
            self.log.add(tick, level, &line.source, &line.text);
        }
        self.numbers.ticks.add(started.elapsed());
        if report.restart {
            self.restart();
        }
    }

    /// Poses between the last two ticks, for a picture at this moment.
    pub fn blended_poses(&self) -> scene::Poses {
        let t = self.clock.fraction();
        let now = self.world.poses();
        if t >= 1.0 {
            return now.clone();
        }
        let mut blended = now.clone();
        for (id, pose) in blended.places.iter_mut() {
            if let Some(before) = self.before.places.get(id) {
                *pose = before.blend(pose, t);
            }
        }
        blended
    }
}

/// Compiles a project's scripts against what the engine offers: programs by path, and what is wrong with the others.
pub fn compile_scripts(project: &Project) -> (BTreeMap<String, Arc<sim::Program>>, Vec<Problem>) {
    sim::compile_scripts(project, &sim::script_environment())
}
