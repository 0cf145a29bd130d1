//! `skywalker-player PROJECT`: plays a built game; with `--agent-socket` agents inspect and drive it while it runs.

mod devices;
mod headless;
mod lines;
mod stop;
mod window;

use std::path::PathBuf;
use std::process::ExitCode;

use base::link::{DoorKind, EngineHandle, link};
use clap::Parser;
use runtime::{Engine, EngineOptions, Mode};

/// Plays a built game.
#[derive(Debug, Parser)]
#[command(
    name = "skywalker-player",
    version,
    about,
    after_help = "Exit codes: 0 played, 1 could not play, 2 wrong use."
)]
struct Options {
    /// The folder of the game: the one that holds `game.json`.
    project: PathBuf,
    /// Opens a private Unix socket here, on which MCP clients inspect and drive the game.
    #[arg(long, value_name = "PATH")]
    agent_socket: Option<PathBuf>,
    /// Plays without a window.
    #[arg(long)]
    headless: bool,
    /// Size of the window, such as 640x360; the game's own where none is given.
    #[arg(long, value_name = "WxH", value_parser = parse_size)]
    size: Option<[u32; 2]>,
    /// Starts paused.
    #[arg(long)]
    paused: bool,
    /// Factor on real time, or `max` for as fast as the machine allows.
    #[arg(long, default_value = "1", value_parser = parse_speed)]
    speed: f64,
    /// Seed of the random numbers.
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Leaves scripts as they are when their files change.
    #[arg(long)]
    no_watch: bool,
    /// Ends after so many ticks.
    #[arg(long, value_name = "N")]
    ticks: Option<u64>,
}

fn parse_speed(text: &str) -> Result<f64, String> {
    if text == "max" {
        return Ok(f64::INFINITY);
    }
    match text.parse::<f64>() {
        Ok(speed) if speed.is_finite() && (0.0..=1000.0).contains(&speed) => Ok(speed),
        _ => Err("expected a number from 0 to 1000, or `max`".to_owned()),
    }
}

fn parse_size(text: &str) -> Result<[u32; 2], String> {
    let parsed =
        text.split_once('x').and_then(|(width, height)| Some([width.parse().ok()?, height.parse().ok()?]));
    parsed
        .filter(|size: &[u32; 2]| size.iter().all(|side| (64..=8192).contains(side)))
        .ok_or_else(|| "expected width and height from 64 to 8192, such as 640x360".to_owned())
}

fn main() -> ExitCode {
    let options = Options::parse();
    match play(&options) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

fn play(options: &Options) -> Result<(), String> {
    let engine_options = EngineOptions {
        mode: if options.paused { Mode::Paused } else { Mode::Play },
        speed: options.speed,
        seed: options.seed,
        sound: !options.headless,
    };
    // Faults of the project are said before a window opens.
    let engine = Engine::open(&options.project, &engine_options).map_err(|problems| {
        let texts: Vec<String> = problems.iter().map(ToString::to_string).collect();
        format!("{} cannot be played:\n{}", options.project.display(), texts.join("\n"))
    })?;
    if options.headless { play_headless(options, engine) } else { play_in_window(options, engine) }
}

fn play_headless(options: &Options, mut engine: Engine) -> Result<(), String> {
    let (woken, wakes) = crossbeam::channel::bounded(1);
    // A full channel means that the loop will look anyway.
    let inbox = link(move || {
        let _ = woken.try_send(());
    });
    let handle = inbox.handle.clone();
    let waking = handle.clone();
    engine.set_wake(std::sync::Arc::new(move || waking.wake()));
    watch(options, &mut engine, &handle);
    let mut tools = tools::Tools::new(inbox);
    let server = serve(options, &engine, &handle)?;
    let waking = handle.clone();
    let stop = stop::Stop::on_signals(move || waking.wake());
    headless::run(&mut engine, &mut tools, &handle, &wakes, &stop, options.ticks);
    drop(server);
    Ok(())
}

/// Follows the files of scripts while the game runs, where that is wanted.
fn watch(options: &Options, engine: &mut Engine, handle: &EngineHandle) {
    if !options.no_watch {
        let handle = handle.clone();
        engine.watch_files(runtime::WATCH_INTERVAL, move || handle.wake());
    }
}

fn play_in_window(options: &Options, mut engine: Engine) -> Result<(), String> {
    let event_loop = window::event_loop()?;
    let inbox = link(window::waker(&event_loop));
    let handle = inbox.handle.clone();
    watch(options, &mut engine, &handle);
    let tools = tools::Tools::new(inbox);
    let server = serve(options, &engine, &handle)?;
    let settings = &engine.project().settings.window;
    let size = options.size.unwrap_or([settings.width, settings.height]);
    let played = window::run(event_loop, engine, tools, handle, size, options.ticks);
    drop(server);
    played
}

/// Opens the agent socket, where one is wanted.
fn serve(options: &Options, engine: &Engine, handle: &EngineHandle) -> Result<Option<mcp::Server>, String> {
    let Some(path) = &options.agent_socket else { return Ok(None) };
    let info = mcp::ServerInfo {
        name: "skywalker".to_owned(),
        title: format!("Skywalker: {}", engine.project().settings.name),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        instructions: tools::INSTRUCTIONS.to_owned(),
    };
    let server =
        mcp::listen(path, handle.clone(), DoorKind::Agent, info).map_err(|error| error.to_string())?;
    eprintln!("agent socket: {}", path.display());
    Ok(Some(server))
}
