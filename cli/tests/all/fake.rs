//! A served engine with three tools, and the command run against it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::Arc;

use base::Problem;
use base::catalogue::{Annotations, Catalogue, ToolInfo};
use base::link::{DoorKind, Outcome, Picture, Request, link};
use base::schema::Schema;
use mcp::{Limits, Server, ServerInfo, listen_with};
use serde_json::json;

pub struct Fake {
    pub server: Server,
    pub path: PathBuf,
    pub folder: tempfile::TempDir,
}

/// The tools `echo`, `fail` and `capture` behind a socket.
pub fn fake(limits: Limits) -> Fake {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run/game.sock");
    let inbox = link(|| {});
    let tools = ["capture", "echo", "fail"].map(|name| {
        let input = Schema::new(json!({"type": "object", "properties": {"text": {"type": "string"}}, "additionalProperties": false})).unwrap();
        let info = ToolInfo {
            name: name.into(),
            title: name.into(),
            description: name.into(),
            category: "test".into(),
            input,
            output: None,
            annotations: Annotations::default(),
        };
        (name.to_owned(), Arc::new(info))
    });
    let handle = inbox.handle.clone();
    handle.set_catalogue(Catalogue { generation: 1, tools: BTreeMap::from(tools) });
    std::thread::Builder::new()
        .spawn(move || {
            let requests = inbox.requests;
            drop(inbox.handle);
            for request in requests {
                let Request::Call(call) = request else { continue };
                call.reply.send(match call.tool.as_str() {
                    "fail" => Outcome::failed(Problem::new("broken", "it broke\u{1b}[2J").hint("mend it")),
                    "capture" => {
                        let picture = Picture { mime: "image/png", bytes: vec![0x89, b'P', b'N', b'G', 0] };
                        Outcome {
                            pictures: vec![picture.clone(), picture],
                            ..Outcome::done("two", json!({"tick": 3}))
                        }
                    }
                    _ => {
                        let actor = call.caller.actor.to_string();
                        Outcome::done("echoed", json!({"text": call.arguments.get("text"), "actor": actor}))
                    }
                });
            }
        })
        .unwrap();
    let info = ServerInfo {
        name: "fake".into(),
        title: "Fake".into(),
        version: "1".into(),
        instructions: String::new(),
    };
    let server = listen_with(&path, handle, DoorKind::Agent, info, limits).unwrap();
    Fake { server, path, folder }
}

/// What a run of the command came to.
#[derive(Debug)]
pub struct Run {
    pub code: i32,
    pub out: String,
    pub err: String,
}

impl From<Output> for Run {
    fn from(output: Output) -> Self {
        Self {
            code: output.status.code().unwrap(),
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

/// The command with a home of its own.
pub fn command(home: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_skywalker"));
    command.env("HOME", home).stdin(Stdio::null());
    command
}

/// Runs it with these arguments and the socket's path in place of `SOCKET`.
pub fn run(fake: &Fake, arguments: &[&str]) -> Run {
    let socket = fake.path.to_str().unwrap();
    let arguments = arguments.iter().map(|argument| if *argument == "SOCKET" { socket } else { argument });
    command(fake.folder.path()).args(arguments).output().unwrap().into()
}
