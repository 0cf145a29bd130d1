//! An engine of a few lines with tools that answer at once, late, never, or too much.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

use base::Problem;
use base::catalogue::{Annotations, Catalogue, ToolInfo};
use base::link::{Call, CallState, DoorKind, EngineHandle, Outcome, Picture, Request, link};
use base::schema::Schema;
use mcp::{Limits, Server, ServerInfo, listen_with};
use serde_json::json;

/// What the engine has seen.
#[derive(Debug, Default, Clone)]
pub struct Seen {
    pub calls: usize,
    pub abandoned: usize,
    pub closed: usize,
}

/// A served engine. Dropping it stops the server, then the engine's thread.
pub struct Fake {
    pub server: Option<Server>,
    pub path: PathBuf,
    pub handle: EngineHandle,
    seen: Arc<(Mutex<Seen>, Condvar)>,
    folder: tempfile::TempDir,
}

/// The engine behind the agents' door, with the usual limits.
pub fn fake() -> Fake {
    fake_with(DoorKind::Agent, Limits::default())
}

/// The engine behind this door, with these limits.
pub fn fake_with(door: DoorKind, limits: Limits) -> Fake {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run/a.sock");
    let (handle, seen) = engine();
    let server = listen_with(&path, handle.clone(), door, info(), limits).unwrap();
    Fake { server: Some(server), path, handle, seen, folder }
}

/// What the server says of itself.
pub fn info() -> ServerInfo {
    ServerInfo {
        name: "skywalker".into(),
        title: "Fake".into(),
        version: "1.2.3".into(),
        instructions: "Look first.".into(),
    }
}

impl Fake {
    /// Waits until the engine has seen what is wanted.
    pub fn wait(&self, wanted: impl Fn(&Seen) -> bool) -> Seen {
        let (seen, changed) = &*self.seen;
        let (seen, timeout) = changed
            .wait_timeout_while(seen.lock().unwrap(), Duration::from_secs(30), |seen| !wanted(seen))
            .unwrap();
        assert!(!timeout.timed_out(), "never seen: {seen:?}");
        seen.clone()
    }

    /// What it has seen so far.
    pub fn seen(&self) -> Seen {
        self.seen.0.lock().unwrap().clone()
    }

    /// The folder around the socket's own.
    pub fn folder(&self) -> &std::path::Path {
        self.folder.path()
    }
}

/// The engine's handle and what it sees.
pub fn engine() -> (EngineHandle, Arc<(Mutex<Seen>, Condvar)>) {
    let (woken, wakes) = crossbeam::channel::bounded(1);
    let inbox = link(move || {
        let _ = woken.try_send(());
    });
    let handle = inbox.handle.clone();
    handle.set_catalogue(catalogue(1, &["big", "drop", "echo", "fail", "picture", "slow"]));
    let seen = Arc::new((Mutex::new(Seen::default()), Condvar::new()));
    let shared = seen.clone();
    std::thread::Builder::new()
        .name("fake engine".into())
        .spawn(move || {
            let mut waiting: Vec<Call> = Vec::new();
            // It ends with the last handle, for the handle owns the waker.
            while wakes.recv().is_ok() {
                let mut now = shared.0.lock().unwrap();
                for request in inbox.requests.try_iter() {
                    match request {
                        Request::Closed(_) => now.closed += 1,
                        Request::Call(call) => {
                            now.calls += 1;
                            if call.cell.start() {
                                waiting.extend(serve(call));
                            } else {
                                now.abandoned += 1;
                            }
                        }
                    }
                }
                let before = waiting.len();
                waiting.retain(|call| call.cell.state() != CallState::Abandoned);
                now.abandoned += before - waiting.len();
                shared.1.notify_all();
            }
        })
        .unwrap();
    (handle, seen)
}

/// Tools of these names, all with the same arguments.
pub fn catalogue(generation: u64, names: &[&str]) -> Catalogue {
    let tools = names.iter().map(|name| {
        let input = Schema::new(json!({
            "type": "object",
            "properties": {
                "text": {"type": "string", "default": "hi", "description": "What comes back."},
                "count": {"type": "integer", "minimum": 0, "default": 1}
            },
            "additionalProperties": false
        }))
        .unwrap();
        let info = ToolInfo {
            name: (*name).into(),
            title: name.to_uppercase(),
            description: format!("Does {name}."),
            category: "test".into(),
            input,
            output: None,
            annotations: Annotations { read_only: true, ..Annotations::default() },
        };
        ((*name).to_owned(), Arc::new(info))
    });
    Catalogue { generation, tools: BTreeMap::from_iter(tools) }
}

/// Serves a call; gives it back where it goes on for ever.
fn serve(call: Call) -> Option<Call> {
    let outcome = match call.tool.as_str() {
        "slow" => return Some(call),
        "drop" => return None,
        "fail" => Outcome::failed(Problem::new("broken", "it broke").path("text").hint("mend it")),
        "big" => {
            let count = call.arguments["count"].as_u64().unwrap() as usize;
            Outcome::done("big", json!({"text": "x".repeat(count)}))
        }
        "picture" => {
            let picture = Picture { mime: "image/png", bytes: b"\x89PNG....".to_vec() };
            Outcome { pictures: vec![picture], ..Outcome::done("a picture", json!({"width": 2})) }
        }
        _ => {
            let actor = call.caller.actor.to_string();
            Outcome::done("", json!({"text": call.arguments["text"], "actor": actor}))
        }
    };
    if call.cell.commit() {
        call.cell.finish();
        call.reply.send(outcome);
    }
    None
}
