//! A session over two pipes is the same as one over a socket.

use std::io::{BufRead, BufReader, Write};

use base::link::DoorKind;
use mcp::serve_pipes;
use serde_json::{Value, json};

use crate::fake::{engine, info};

#[test]
fn a_client_on_two_pipes_is_served_until_it_closes_them() {
    let (engine, _seen) = engine();
    let (input, mut to_server) = std::io::pipe().unwrap();
    let (from_server, output) = std::io::pipe().unwrap();
    let server = serve_pipes(input.into(), output.into(), engine, DoorKind::Agent, info()).unwrap();
    let mut lines = BufReader::new(from_server).lines();
    let mut ask = |message: Value| -> Value {
        writeln!(to_server, "{message}").unwrap();
        serde_json::from_str(&lines.next().unwrap().unwrap()).unwrap()
    };
    let params = json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "pipe", "version": "1"}});
    let hello = ask(json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}));
    assert_eq!(hello["result"]["serverInfo"]["version"], "1.2.3");
    let call = ask(json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "echo"}}));
    assert_eq!(call["result"]["structuredContent"]["actor"], "mcp:pipe");
    assert!(!server.is_finished());
    drop(to_server);
    assert!(lines.next().is_none(), "the output ends with the input");
    server.stop();
}

#[test]
fn a_server_on_pipes_can_be_stopped_while_its_client_is_silent() {
    let (engine, _seen) = engine();
    let (input, _to_server) = std::io::pipe().unwrap();
    let (mut from_server, output) = std::io::pipe().unwrap();
    serve_pipes(input.into(), output.into(), engine, DoorKind::Agent, info()).unwrap().stop();
    assert_eq!(std::io::copy(&mut from_server, &mut std::io::sink()).unwrap(), 0);
}
