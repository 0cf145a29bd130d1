//! `skywalker mcp --attach`: an MCP client that only knows standard input and output.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdout, Stdio};

use mcp::Limits;
use serde_json::{Value, json};

use crate::fake::{Fake, Run, command, fake, run};

struct Session {
    child: Child,
    lines: BufReader<ChildStdout>,
}

impl Session {
    fn new(fake: &Fake) -> Self {
        let mut child = command(fake.folder.path())
            .args(["mcp", "--attach", fake.path.to_str().unwrap()])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap());
        Self { child, lines }
    }

    fn send(&mut self, message: &Value) {
        writeln!(self.child.stdin.as_mut().unwrap(), "{message}").unwrap();
    }

    /// The next line, which is never anything but a message.
    fn next(&mut self) -> Option<Value> {
        let mut line = String::new();
        self.lines.read_line(&mut line).unwrap();
        if line.is_empty() { None } else { Some(serde_json::from_str(&line).unwrap()) }
    }

    fn end(self) -> Run {
        self.child.wait_with_output().unwrap().into()
    }
}

fn hello() -> Value {
    let info = json!({"name": "stdio-client", "version": "1"});
    let params = json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": info});
    json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params})
}

fn echo(id: u32, text: &str) -> Value {
    let params = json!({"name": "echo", "arguments": {"text": text}});
    json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params})
}

#[test]
fn a_session_passes_through_and_its_end_waits_for_the_last_answer() {
    let fake = fake(Limits::default());
    let mut session = Session::new(&fake);
    session.send(&hello());
    assert_eq!(session.next().unwrap()["result"]["serverInfo"]["name"], "fake");
    let long = "ä".repeat(300_000);
    session.send(&echo(1, &long));
    let answer = session.next().unwrap();
    assert_eq!(answer["result"]["structuredContent"], json!({"text": long, "actor": "mcp:stdio-client"}));
    session.send(&echo(2, "the last"));
    drop(session.child.stdin.take());
    assert_eq!(session.next().unwrap()["id"], 2);
    assert_eq!(session.next(), None);
    let ended = session.end();
    assert_eq!((ended.code, ended.err.as_str()), (0, ""));
}

#[test]
fn an_engine_that_goes_away_ends_the_session_with_three() {
    let fake = fake(Limits::default());
    let mut session = Session::new(&fake);
    session.send(&hello());
    assert!(session.next().is_some());
    fake.server.stop();
    assert_eq!(session.next(), None);
    // Standard input is still open: the client need not notice first.
    let status = session.child.wait().unwrap();
    assert_eq!(status.code(), Some(3));
    assert_eq!(session.end().err, "the engine closed the connection\n");
}

#[test]
fn nobody_there_ends_with_three_and_nothing_on_standard_output() {
    let fake = fake(Limits::default());
    let missing = run(&fake, &["mcp", "--attach", "no/such.sock"]);
    assert_eq!((missing.code, missing.out.as_str()), (3, ""));
    assert!(missing.err.contains("nobody answers at no/such.sock"), "{}", missing.err);
}
