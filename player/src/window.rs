//! The loop with a window: events as they come, ticks at their time, a frame whenever the last one is done, calls at
//! once. The main thread never waits for the graphics card.

use std::sync::Arc;
use std::time::{Duration, Instant};

use base::link::EngineHandle;
use render::{FrameSurface, GpuOptions};
use runtime::{Door, Engine, Level, Mode, Presentation};
use tools::Tools;
use winit::application::ApplicationHandler;
use winit::dpi::PhysicalSize;
use winit::event::{DeviceEvent, DeviceId, WindowEvent};
use winit::event_loop::{ActiveEventLoop, ControlFlow, EventLoop, EventLoopProxy};
use winit::window::{Window, WindowId};

use crate::devices::{Gamepads, from_window};
use crate::lines;
use crate::stop::Stop;

/// Time that calls may take of a frame while the game plays.
const CALL_LIMIT: Duration = Duration::from_millis(2);

/// How long the loop sleeps at most: gamepads are asked this often.
const IDLE: Duration = Duration::from_millis(16);

/// Something happened on another thread.
pub struct Woken;

/// Opens the event loop; the message says what to do where there is no display.
pub fn event_loop() -> Result<EventLoop<Woken>, String> {
    EventLoop::with_user_event().build().map_err(|error| {
        format!("no window can be opened: {error}\nwithout a display, play with `--headless`")
    })
}

/// Wakes an event loop from any thread.
pub fn waker(event_loop: &EventLoop<Woken>) -> impl Fn() + Send + Sync + Clone + 'static {
    let proxy: EventLoopProxy<Woken> = event_loop.create_proxy();
    move || {
        // The loop is gone only when the player ends.
        let _ = proxy.send_event(Woken);
    }
}

/// Plays until the window is closed or so many ticks have run.
pub fn run(
    event_loop: EventLoop<Woken>,
    engine: Engine,
    tools: Tools,
    handle: EngineHandle,
    size: [u32; 2],
    ticks: Option<u64>,
) -> Result<(), String> {
    let wake = Arc::new(waker(&event_loop));
    let stop = Stop::on_signals(waker(&event_loop));
    let mut app = App {
        engine,
        tools,
        handle,
        size,
        ticks,
        wake,
        stop,
        window: None,
        frames: None,
        gamepads: Gamepads::new(),
        failed: None,
    };
    event_loop.run_app(&mut app).map_err(|error| error.to_string())?;
    match app.failed.take() {
        Some(message) => Err(message),
        None => Ok(()),
    }
}

struct App {
    engine: Engine,
    tools: Tools,
    handle: EngineHandle,
    size: [u32; 2],
    ticks: Option<u64>,
    wake: Arc<dyn Fn() + Send + Sync>,
    stop: Stop,
    // The surface goes before its window.
    frames: Option<FrameSurface>,
    window: Option<Arc<Window>>,
    gamepads: Gamepads,
    failed: Option<String>,
}

impl App {
    fn open(&mut self, event_loop: &ActiveEventLoop) -> Result<(), String> {
        let attributes = Window::default_attributes()
            .with_title(self.engine.project().settings.name.clone())
            .with_inner_size(PhysicalSize::new(self.size[0], self.size[1]));
        let window = Arc::new(event_loop.create_window(attributes).map_err(|error| error.to_string())?);
        let inner = window.inner_size();
        let options = GpuOptions { wake: self.wake.clone(), ..GpuOptions::default() };
        let (gpu, frames) = render::Gpu::with_window(options, window.clone(), [inner.width, inner.height])
            .map_err(|problem| format!("{problem}\nor play with `--headless`"))?;
        let presentation = Presentation::new(&gpu, self.engine.assets(), self.wake.clone());
        self.engine.set_presentation(presentation);
        self.frames = Some(frames);
        self.window = Some(window);
        Ok(())
    }

    /// One turn of the loop.
    fn turn(&mut self, event_loop: &ActiveEventLoop) {
        self.engine.follow_files();
        let more = self.tools.serve(&mut self.engine, CALL_LIMIT);
        let now = Instant::now();
        let (engine, gamepads) = (&mut self.engine, &mut self.gamepads);
        let mut said = Vec::new();
        gamepads.poll(|event| engine.input(event), |text| said.push(text));
        for text in said {
            engine.log.add(engine.world().tick_number(), Level::Info, "player", &text);
        }
        let due = engine.clock.next().is_none_or(|next| next <= now);
        if due || engine.has_steps() {
            engine.advance(now);
        }
        if let Some(frames) = &mut self.frames {
            frames.present();
            if !frames.in_flight() {
                engine.draw_window(frames);
            }
        }
        lines::pass_on(engine, &self.handle);
        if self.stop.is_set() || self.ticks.is_some_and(|ticks| engine.world().tick_number().0 >= ticks) {
            event_loop.exit();
        }
        let until = match engine.clock.next() {
            _ if more || engine.has_steps() => now,
            Some(next) if engine.clock.mode == Mode::Play => next,
            _ => now + IDLE,
        };
        event_loop.set_control_flow(ControlFlow::WaitUntil(until));
    }
}

impl ApplicationHandler<Woken> for App {
    fn resumed(&mut self, event_loop: &ActiveEventLoop) {
        if self.window.is_none()
            && let Err(message) = self.open(event_loop)
        {
            self.failed = Some(message);
            event_loop.exit();
        }
    }

    fn user_event(&mut self, event_loop: &ActiveEventLoop, Woken: Woken) {
        self.turn(event_loop);
    }

    fn window_event(&mut self, event_loop: &ActiveEventLoop, _: WindowId, event: WindowEvent) {
        if let Some(input) = from_window(&event) {
            self.engine.input(input);
        }
        match event {
            WindowEvent::CloseRequested => event_loop.exit(),
            WindowEvent::Resized(size) => {
                if let Some(frames) = &mut self.frames {
                    frames.resize(size.width, size.height);
                }
            }
            _ => {}
        }
    }

    fn device_event(&mut self, _: &ActiveEventLoop, _: DeviceId, event: DeviceEvent) {
        if let DeviceEvent::MouseMotion { delta: (x, y) } = event {
            self.engine.input(runtime::input::InputEvent::MouseMove(x as f32, y as f32));
        }
    }

    fn about_to_wait(&mut self, event_loop: &ActiveEventLoop) {
        self.turn(event_loop);
    }

    fn exiting(&mut self, _: &ActiveEventLoop) {
        self.frames = None;
    }
}
