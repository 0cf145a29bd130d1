//! Input: devices and agents alike give events, bindings turn them into actions, scripts read the actions.

use std::collections::{BTreeMap, BTreeSet};

use base::Problem;
use project::settings::InputSettings;
use serde::Serialize;

/// A raw event, from a device or from an agent.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub enum InputEvent {
    /// A key by its W3C code went down or up.
    Key(String, bool),
    /// A mouse button went down or up.
    MouseButton(String, bool),
    /// The mouse moved so many pixels, right and down.
    MouseMove(f32, f32),
    /// A gamepad's button went down or up.
    GamepadButton(String, bool),
    /// A gamepad's axis moved to a value from -1 to 1.
    GamepadAxis(String, f32),
    /// The window lost the keyboard: everything that devices hold is let go.
    Released,
    /// A gamepad went away: everything that it holds is let go.
    GamepadReleased,
    /// An agent holds an action at a value for so many ticks.
    Action {
        /// The action.
        action: String,
        /// 1 is pressed; axes go from -1 to 1.
        value: f32,
        /// Ticks until it is let go.
        hold: u64,
    },
    /// Everything that agents hold is let go.
    ReleaseActions,
}

/// What became of an event.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Receipt {
    /// The actions that it changed; none where nothing is bound to it.
    pub consumed_by: Vec<String>,
}

/// What triggers an action.
#[derive(Debug, Clone, Default)]
struct Binding {
    keys: Vec<String>,
    mouse: Vec<String>,
    gamepad: Vec<String>,
    negative: Vec<String>,
    positive: Vec<String>,
    axis: Option<String>,
}

/// All actions and what triggers them.
#[derive(Debug, Clone, Default)]
pub struct InputMap {
    bindings: BTreeMap<String, Binding>,
}

/// Stick positions below this count as none: sticks never rest at exactly 0.
const DEAD_ZONE: f32 = 0.15;

/// An action is down from this value on.
const DOWN: f32 = 0.5;

impl InputMap {
    /// The bindings of a game's settings.
    pub fn new(settings: &InputSettings) -> Self {
        let bindings = settings
            .actions
            .iter()
            .map(|(name, action)| {
                let [negative, positive] = action.axis.clone().unwrap_or_default();
                let binding = Binding {
                    keys: action.keys.clone(),
                    mouse: action.mouse.clone(),
                    gamepad: action.gamepad.clone(),
                    negative,
                    positive,
                    axis: action.gamepad_axis.clone(),
                };
                (name.clone(), binding)
            })
            .collect();
        Self { bindings }
    }

    /// The names of all actions.
    pub fn actions(&self) -> impl Iterator<Item = &str> {
        self.bindings.keys().map(String::as_str)
    }

    /// Whether there is such an action; otherwise the problem with the nearest.
    pub fn check(&self, action: &str) -> Result<(), Problem> {
        if self.bindings.contains_key(action) {
            return Ok(());
        }
        let near = base::suggest::nearest(action, self.actions());
        let known = base::suggest::list(self.actions(), 20);
        let message = if known.is_empty() {
            format!("there is no action `{action}`: the game defines none")
        } else {
            format!("there is no action `{action}`: the game has {known}")
        };
        Err(Problem::new("unknown_action", message).near(near))
    }
}

/// What is held and what changed this tick.
#[derive(Debug, Clone, Default, Serialize)]
pub struct InputState {
    keys: BTreeSet<String>,
    mouse_buttons: BTreeSet<String>,
    buttons: BTreeSet<String>,
    /// Sticks that are not at rest.
    axes: BTreeMap<String, f32>,
    /// Actions whose key or button went down this tick: they count as held for it, however soon it was let go.
    tapped: BTreeSet<String>,
    /// Held by agents: value and the tick at which it ends.
    held: BTreeMap<String, (f32, u64)>,
    /// Values of the actions now and a tick ago.
    values: BTreeMap<String, (f32, f32)>,
    /// Pixels that the mouse moved this tick.
    pub mouse: (f32, f32),
}

impl InputState {
    /// Takes a tick's events in and computes the actions.
    pub(crate) fn advance(&mut self, map: &InputMap, events: &[InputEvent], tick: u64) -> Vec<Receipt> {
        self.mouse = (0.0, 0.0);
        self.tapped.clear();
        self.held.retain(|_, (_, until)| *until > tick);
        let receipts = events.iter().map(|event| self.take(map, event, tick)).collect();
        for (name, binding) in &map.bindings {
            let value = self.compute(name, binding);
            match self.values.get_mut(name) {
                Some(slot) => *slot = (value, slot.0),
                None => {
                    self.values.insert(name.clone(), (value, 0.0));
                }
            }
        }
        receipts
    }

    fn take(&mut self, map: &InputMap, event: &InputEvent, tick: u64) -> Receipt {
        let mut consumed_by = Vec::new();
        let mut bound = |fits: &dyn Fn(&Binding) -> bool| {
            consumed_by.extend(
                map.bindings.iter().filter(|(_, binding)| fits(binding)).map(|(name, _)| name.clone()),
            );
        };
        match event {
            InputEvent::Key(code, down) => {
                bound(&|b| b.keys.contains(code) || b.negative.contains(code) || b.positive.contains(code));
                let pressed = |b: &Binding| b.keys.contains(code);
                hold(&mut self.keys, code, *down, !consumed_by.is_empty());
                self.tap(map, *down, pressed);
            }
            InputEvent::MouseButton(code, down) => {
                bound(&|b| b.mouse.contains(code));
                hold(&mut self.mouse_buttons, code, *down, !consumed_by.is_empty());
                self.tap(map, *down, |b| b.mouse.contains(code));
            }
            InputEvent::MouseMove(x, y) => {
                if x.is_finite() && y.is_finite() {
                    self.mouse.0 += x;
                    self.mouse.1 += y;
                }
                consumed_by.push("mouse".to_owned());
            }
            InputEvent::GamepadButton(code, down) => {
                bound(&|b| b.gamepad.contains(code));
                hold(&mut self.buttons, code, *down, !consumed_by.is_empty());
                self.tap(map, *down, |b| b.gamepad.contains(code));
            }
            InputEvent::GamepadAxis(code, value) => {
                bound(&|b| b.axis.as_ref() == Some(code));
                let value = if value.is_finite() { value.clamp(-1.0, 1.0) } else { 0.0 };
                if value.abs() < DEAD_ZONE || consumed_by.is_empty() {
                    self.axes.remove(code);
                } else {
                    self.axes.insert(code.clone(), value);
                }
            }
            InputEvent::Released => {
                self.keys.clear();
                self.mouse_buttons.clear();
                self.buttons.clear();
                self.axes.clear();
            }
            InputEvent::GamepadReleased => {
                self.buttons.clear();
                self.axes.clear();
            }
            InputEvent::Action { action, value, hold } => {
                if map.bindings.contains_key(action) {
                    let value = if value.is_finite() { value.clamp(-1.0, 1.0) } else { 0.0 };
                    self.held.insert(action.clone(), (value, tick.saturating_add((*hold).max(1))));
                    consumed_by.push(action.clone());
                }
            }
            InputEvent::ReleaseActions => self.held.clear(),
        }
        Receipt { consumed_by }
    }

    fn tap(&mut self, map: &InputMap, down: bool, fits: impl Fn(&Binding) -> bool) {
        if down {
            let names =
                map.bindings.iter().filter(|(_, binding)| fits(binding)).map(|(name, _)| name.clone());
            self.tapped.extend(names);
        }
    }

    fn compute(&self, name: &str, binding: &Binding) -> f32 {
        if let Some((value, _)) = self.held.get(name) {
            return *value;
        }
        let any = |codes: &[String], held: &BTreeSet<String>| codes.iter().any(|code| held.contains(code));
        if any(&binding.keys, &self.keys)
            || any(&binding.mouse, &self.mouse_buttons)
            || any(&binding.gamepad, &self.buttons)
            || self.tapped.contains(name)
        {
            return 1.0;
        }
        let side = |codes: &[String]| f32::from(u8::from(any(codes, &self.keys)));
        let keys = side(&binding.positive) - side(&binding.negative);
        if keys != 0.0 {
            return keys;
        }
        binding.axis.as_ref().and_then(|axis| self.axes.get(axis)).copied().unwrap_or(0.0)
    }

    /// An action's value, -1 to 1.
    pub fn value(&self, action: &str) -> f32 {
        self.values.get(action).map_or(0.0, |(now, _)| *now)
    }

    /// Whether an action is held.
    pub fn down(&self, action: &str) -> bool {
        self.value(action) >= DOWN
    }

    /// Whether it went down this tick.
    pub fn pressed(&self, action: &str) -> bool {
        self.values.get(action).is_some_and(|(now, before)| *now >= DOWN && *before < DOWN)
    }

    /// Whether it went up this tick.
    pub fn released(&self, action: &str) -> bool {
        self.values.get(action).is_some_and(|(now, before)| *now < DOWN && *before >= DOWN)
    }

    /// Actions that agents hold, with the tick at which each ends.
    pub fn held(&self) -> impl Iterator<Item = (&str, f32, u64)> {
        self.held.iter().map(|(name, (value, until))| (name.as_str(), *value, *until))
    }
}

/// Keeps what is held; codes that nothing is bound to are not kept, so that nobody fills the world with them.
fn hold(held: &mut BTreeSet<String>, code: &str, down: bool, is_bound: bool) {
    if down && is_bound {
        held.insert(code.to_owned());
    } else {
        held.remove(code);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn map() -> InputMap {
        let settings: InputSettings = serde_json::from_str(
            r#"{"actions": {"jump": {"keys": ["Space"], "gamepad": ["South"]},
                "move_x": {"axis": [["KeyA"], ["KeyD"]], "gamepadAxis": "LeftStickX"}}}"#,
        )
        .unwrap();
        InputMap::new(&settings)
    }

    #[test]
    fn keys_sticks_and_agents_move_the_same_actions() {
        let (map, mut state) = (map(), InputState::default());
        let receipts = state.advance(
            &map,
            &[InputEvent::Key("Space".into(), true), InputEvent::Key("KeyQ".into(), true)],
            0,
        );
        assert_eq!(receipts[0].consumed_by, ["jump"]);
        assert!(receipts[1].consumed_by.is_empty());
        assert!(state.pressed("jump") && state.down("jump"));
        state.advance(&map, &[], 1);
        assert!(!state.pressed("jump") && state.down("jump"));
        state.advance(&map, &[InputEvent::Released], 2);
        assert!(state.released("jump"));

        state.advance(&map, &[InputEvent::GamepadAxis("LeftStickX".into(), 0.1)], 3);
        assert_eq!(state.value("move_x"), 0.0);
        state.advance(&map, &[InputEvent::GamepadAxis("LeftStickX".into(), -0.7)], 4);
        assert_eq!(state.value("move_x"), -0.7);

        state.advance(&map, &[InputEvent::Action { action: "jump".into(), value: 1.0, hold: 3 }], 5);
        let mut held = Vec::new();
        for tick in 6..10 {
            held.push(state.down("jump"));
            state.advance(&map, &[], tick);
        }
        assert_eq!(held, [true, true, true, false]);
    }
    #[test]
    fn a_tap_between_two_ticks_is_pressed_once_and_a_press_after_it_again() {
        let (map, mut state) = (map(), InputState::default());
        let tap = [InputEvent::Key("Space".into(), true), InputEvent::Key("Space".into(), false)];
        state.advance(&map, &tap, 0);
        assert!(state.pressed("jump") && !state.released("jump"));
        state.advance(&map, &[], 1);
        assert!(!state.down("jump") && state.released("jump"));
        state.advance(&map, &tap, 2);
        assert!(state.pressed("jump"));
    }

    #[test]
    fn what_is_let_go_leaves_no_trace_and_unbound_codes_are_not_kept() {
        let (map, mut state) = (map(), InputState::default());
        state.advance(&map, &[], 0);
        state.advance(&map, &[], 1);
        let rest = scene::digest::hash(&state);
        for n in 0..100 {
            state.advance(&map, &[InputEvent::Key(format!("Key{n}"), true)], 2);
        }
        state.advance(&map, &[InputEvent::GamepadButton("South".into(), true)], 3);
        state.advance(&map, &[InputEvent::GamepadAxis("LeftStickX".into(), 1.0)], 4);
        assert_ne!(scene::digest::hash(&state), rest);
        assert!(state.down("jump") && state.value("move_x") == 1.0);
        state.advance(&map, &[InputEvent::GamepadReleased], 5);
        assert!(state.released("jump"));
        state.advance(&map, &[], 6);
        assert_eq!(scene::digest::hash(&state), rest);
    }

    #[test]
    fn an_unplugged_gamepad_leaves_the_keyboard_held() {
        let (map, mut state) = (map(), InputState::default());
        state.advance(&map, &[InputEvent::Key("KeyD".into(), true)], 0);
        state.advance(&map, &[InputEvent::GamepadReleased], 1);
        assert_eq!(state.value("move_x"), 1.0);
        state.advance(&map, &[InputEvent::Released], 2);
        assert_eq!(state.value("move_x"), 0.0);
    }
}
