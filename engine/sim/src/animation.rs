//! Which clips animated entities show since when.

use base::EntityId;
use scene::Column;
use scene::poses::{AnimationPose, ClipTime};
use serde::Serialize;

use crate::content::Content;

/// What an entity's model shows.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AnimationState {
    clip: String,
    started: u64,
    previous: Option<(String, u64, u64)>,
    /// Whether the end of a clip that is not looped was told.
    told: bool,
}

/// The state of every animated entity.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Animations {
    states: Column<AnimationState>,
}

impl Animations {
    /// Switches an entity to a clip; nothing happens where it shows that clip already.
    pub(crate) fn play(&mut self, entity: EntityId, clip: &str, tick: u64) {
        match self.states.get_mut(entity) {
            Some(state) if state.clip == clip => {}
            Some(state) => {
                let before = std::mem::replace(&mut state.clip, clip.to_owned());
                state.previous = Some((before, state.started, tick));
                state.started = tick;
                state.told = false;
            }
            None => {
                let state =
                    AnimationState { clip: clip.to_owned(), started: tick, previous: None, told: false };
                self.states.insert(entity, state);
            }
        }
    }

    pub(crate) fn remove(&mut self, entity: EntityId) {
        self.states.remove(entity);
    }

    pub(crate) fn clip(&self, entity: EntityId) -> Option<&str> {
        self.states.get(entity).map(|state| state.clip.as_str())
    }

    /// Starts a clip that is over once more; nothing happens while it still plays.
    pub(crate) fn replay(&mut self, entity: EntityId, tick: u64) {
        if let Some(state) = self.states.get_mut(entity).filter(|state| state.told) {
            state.started = tick;
            state.previous = None;
            state.told = false;
        }
    }

    /// Follows the scene's components.
    pub(crate) fn follow(&mut self, scene: &scene::Scene, tick: u64) {
        for (id, animation) in scene.columns.animation.iter() {
            self.play(id, &animation.clip, tick);
        }
        if self.states.len() > scene.columns.animation.len() {
            let gone: Vec<EntityId> = self
                .states
                .ids()
                .iter()
                .copied()
                .filter(|id| !scene.columns.animation.contains(*id))
                .collect();
            for id in gone {
                self.states.remove(id);
            }
        }
    }

    /// Follows the scene's components; gives the clips that ended this tick.
    pub(crate) fn advance(
        &mut self,
        scene: &scene::Scene,
        content: &Content,
        tick: u64,
    ) -> Vec<(EntityId, String)> {
        self.follow(scene, tick);
        let mut ended = Vec::new();
        for (id, state) in self.states.iter_mut() {
            let Some(animation) = scene.columns.animation.get(id) else { continue };
            if animation.looped || state.told || state.clip.is_empty() {
                continue;
            }
            let model = scene.columns.mesh.get(id).map(|mesh| mesh.model.as_str()).unwrap_or_default();
            let length = content.clip_seconds(model, &state.clip).unwrap_or(0.0);
            let seconds = (tick - state.started) as f32 / content.rate as f32 * animation.speed;
            if seconds >= length {
                state.told = true;
                ended.push((id, state.clip.clone()));
            }
        }
        ended
    }

    /// What every entity shows at a tick.
    pub(crate) fn poses(&self, scene: &scene::Scene, rate: u32, tick: u64) -> Column<AnimationPose> {
        let mut poses = Column::default();
        for (id, state) in self.states.iter() {
            let Some(animation) = scene.columns.animation.get(id) else { continue };
            let seconds = |since: u64| tick.saturating_sub(since) as f32 / rate as f32 * animation.speed;
            let current = ClipTime {
                clip: state.clip.clone(),
                seconds: seconds(state.started),
                looped: animation.looped,
            };
            let mut pose = AnimationPose { current, previous: None, weight: 1.0 };
            if let Some((clip, started, switched)) = &state.previous {
                let faded = tick.saturating_sub(*switched) as f32 / rate as f32;
                if faded < animation.blend {
                    pose.weight = faded / animation.blend;
                    pose.previous =
                        Some(ClipTime { clip: clip.clone(), seconds: seconds(*started), looped: true });
                }
            }
            poses.insert(id, pose);
        }
        poses
    }
}
