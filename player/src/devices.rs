//! Keyboard, mouse and gamepads as the engine's own input events.

use gilrs::{EventType, Gilrs};
use runtime::input::InputEvent;
use winit::event::{ElementState, MouseButton, WindowEvent};
use winit::keyboard::PhysicalKey;

/// What a window's event means for the game, if anything.
pub fn from_window(event: &WindowEvent) -> Option<InputEvent> {
    match event {
        WindowEvent::KeyboardInput { event, .. } if !event.repeat => match event.physical_key {
            // winit names its keys as the W3C does.
            PhysicalKey::Code(code) => {
                Some(InputEvent::Key(format!("{code:?}"), event.state == ElementState::Pressed))
            }
            PhysicalKey::Unidentified(_) => None,
        },
        WindowEvent::MouseInput { state, button, .. } => {
            let name = match button {
                MouseButton::Left => "Left",
                MouseButton::Right => "Right",
                MouseButton::Middle => "Middle",
                _ => return None,
            };
            Some(InputEvent::MouseButton(name.to_owned(), *state == ElementState::Pressed))
        }
        // Keys that are let go while another window is in front are never told of.
        WindowEvent::Focused(false) => Some(InputEvent::Released),
        _ => None,
    }
}

/// All gamepads; none where the system gives none.
pub struct Gamepads {
    gilrs: Option<Gilrs>,
}

impl Gamepads {
    /// Looks for gamepads, those that are plugged in later included.
    pub fn new() -> Self {
        Self { gilrs: Gilrs::new().ok() }
    }

    /// Passes on what happened since the last time, and what came or went.
    pub fn poll(&mut self, mut input: impl FnMut(InputEvent), mut say: impl FnMut(String)) {
        let Some(gilrs) = &mut self.gilrs else { return };
        while let Some(event) = gilrs.next_event() {
            match event.event {
                EventType::ButtonPressed(button, _) => {
                    input(InputEvent::GamepadButton(format!("{button:?}"), true))
                }
                EventType::ButtonReleased(button, _) => {
                    input(InputEvent::GamepadButton(format!("{button:?}"), false))
                }
                EventType::AxisChanged(axis, value, _) => {
                    input(InputEvent::GamepadAxis(format!("{axis:?}"), value))
                }
                EventType::Connected => say(format!("gamepad connected: {}", gilrs.gamepad(event.id).name())),
                EventType::Disconnected => {
                    say("gamepad disconnected".to_owned());
                    input(InputEvent::Released);
                }
                _ => {}
            }
        }
    }
}
