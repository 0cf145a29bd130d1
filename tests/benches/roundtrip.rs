//! How long a call takes over the socket of a real player, and what it costs the frames.
//!
//! `cargo run --release -p tests --bin roundtrip -- PROGRAMS [--window]`: PROGRAMS is the folder of `skywalker-player`.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a bench may panic")]

use std::io::{BufRead, BufReader, Write};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// Calls measured for each row.
const CALLS: usize = 3_000;

struct Client {
    stream: UnixStream,
    lines: BufReader<UnixStream>,
    next: u64,
}

impl Client {
    fn new(path: &Path) -> Self {
        let stream = UnixStream::connect(path).unwrap();
        let lines = BufReader::new(stream.try_clone().unwrap());
        let mut client = Self { stream, lines, next: 0 };
        let info = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"}});
        client.ask("initialize", &info);
        client
    }

    fn ask(&mut self, method: &str, params: &Value) -> Value {
        self.next += 1;
        let message = json!({"jsonrpc": "2.0", "id": self.next, "method": method, "params": params});
        self.stream.write_all(format!("{message}\n").as_bytes()).unwrap();
        loop {
            let mut line = String::new();
            self.lines.read_line(&mut line).unwrap();
            let answer: Value = serde_json::from_str(&line).unwrap();
            if answer["id"] == self.next {
                return answer;
            }
        }
    }

    fn call(&mut self, tool: &str, arguments: Value) -> Value {
        let answer = self.ask("tools/call", &json!({"name": tool, "arguments": arguments}));
        assert_eq!(answer["result"]["isError"], false, "{answer}");
        answer["result"]["structuredContent"].clone()
    }

    /// Times of calls in microseconds, sorted; `pause` between them.
    fn times(&mut self, pause: Duration) -> Vec<f64> {
        let mut times = Vec::with_capacity(CALLS);
        let mut next = Instant::now();
        for _ in 0..CALLS {
            if !pause.is_zero() {
                next += pause;
                std::thread::sleep(next.saturating_duration_since(Instant::now()));
            }
            let started = Instant::now();
            self.call("entity_get", json!({"entity": 2}));
            times.push(started.elapsed().as_secs_f64() * 1e6);
        }
        times.sort_by(f64::total_cmp);
        times
    }

    /// Milliseconds from frame to frame over some seconds, median and 99th percentile.
    fn frames(&mut self) -> (f64, f64) {
        let frame = self.call("play_status", json!({}))["frame"].clone();
        (frame["p50_ms"].as_f64().unwrap(), frame["p99_ms"].as_f64().unwrap())
    }
}

fn start(programs: &Path, window: bool, socket: &Path) -> Child {
    let game = Path::new(env!("CARGO_MANIFEST_DIR")).join("../assets/games/lantern-keep");
    let mut command = Command::new(programs.join("skywalker-player"));
    command.arg(game).arg("--agent-socket").arg(socket).stderr(Stdio::null()).stdin(Stdio::null());
    if window {
        command.args(["--size", "640x360"])
    } else {
        command.arg("--headless")
    };
    let child = command.spawn().unwrap();
    let deadline = Instant::now() + Duration::from_secs(60);
    while !socket.exists() {
        assert!(Instant::now() < deadline, "the player did not open its socket");
        std::thread::sleep(Duration::from_millis(20));
    }
    child
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let programs = PathBuf::from(arguments.first().map_or("target/release", String::as_str));
    let window = arguments.iter().any(|argument| argument == "--window");
    let folder = tempfile::tempdir().unwrap();
    let socket = folder.path().join("run/b.sock");
    let mut player = start(&programs, window, &socket);
    let mut client = Client::new(&socket);
    println!("{} {CALLS} calls of entity_get a row", if window { "window 640x360," } else { "headless," });
    println!("| game | calls | p50 µs | p99 µs | frame p50 ms | frame p99 ms |");
    println!("|---|---|---|---|---|---|");
    std::thread::sleep(Duration::from_secs(10));
    let (p50, p99) = client.frames();
    println!("| running | none | | | {p50:.2} | {p99:.2} |");
    for (running, pause, name) in [
        (true, 1_000, "1,000 a second"),
        (true, 0, "as many as fit"),
        (false, 1_000, "1,000 a second"),
        (false, 0, "as many as fit"),
    ] {
        client.call(if running { "play_resume" } else { "play_pause" }, json!({}));
        let times = client.times(Duration::from_micros(pause));
        let at = |part: f64| times[((times.len() as f64 * part) as usize).min(times.len() - 1)];
        let (p50, p99) = client.frames();
        let game = if running { "running" } else { "paused" };
        println!("| {game} | {name} | {:.0} | {:.0} | {p50:.2} | {p99:.2} |", at(0.5), at(0.99));
    }
    player.kill().unwrap();
    player.wait().unwrap();
}
