//! A client that speaks in lines and waits for what it expects.

use std::io::{BufRead, BufReader, Write};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::Duration;

use serde_json::{Value, json};

pub struct Client {
    pub stream: UnixStream,
    lines: BufReader<UnixStream>,
}

impl Client {
    /// Connects and says nothing.
    pub fn connect(path: &Path) -> Self {
        Self::new(UnixStream::connect(path).unwrap())
    }

    pub fn new(stream: UnixStream) -> Self {
        stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
        Self { lines: BufReader::new(stream.try_clone().unwrap()), stream }
    }

    /// Connects as a client of the newest version.
    pub fn hello(path: &Path, name: &str) -> Self {
        let mut client = Self::connect(path);
        client.initialize("2025-11-25", name);
        client
    }

    pub fn initialize(&mut self, version: &str, name: &str) -> Value {
        let info = json!({"name": name, "version": "1"});
        let params = json!({"protocolVersion": version, "capabilities": {}, "clientInfo": info});
        self.ask(0, "initialize", params)["result"].clone()
    }

    pub fn raw(&mut self, line: &str) {
        self.stream.write_all(format!("{line}\n").as_bytes()).unwrap();
    }

    /// The next line.
    pub fn next(&mut self) -> Value {
        let line = self.line();
        serde_json::from_str(&line)
            .unwrap_or_else(|_| panic!("no JSON line: {:?} ({} bytes)", line.get(..200), line.len()))
    }

    /// The next line as it is; empty at the end.
    pub fn line(&mut self) -> String {
        let mut line = String::new();
        self.lines.read_line(&mut line).unwrap();
        line
    }

    pub fn post(&mut self, id: impl Into<Value>, method: &str, params: Value) {
        self.raw(&json!({"jsonrpc": "2.0", "id": id.into(), "method": method, "params": params}).to_string());
    }

    pub fn post_call(&mut self, id: impl Into<Value>, tool: &str, arguments: Value) {
        self.post(id, "tools/call", json!({"name": tool, "arguments": arguments}));
    }

    pub fn ask(&mut self, id: impl Into<Value>, method: &str, params: Value) -> Value {
        self.post(id, method, params);
        self.next()
    }

    pub fn call(&mut self, id: impl Into<Value>, tool: &str, arguments: Value) -> Value {
        self.post_call(id, tool, arguments);
        self.next()
    }

    pub fn cancel(&mut self, id: impl Into<Value>) {
        let params = json!({"requestId": id.into(), "reason": "changed my mind"});
        self.raw(
            &json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params}).to_string(),
        );
    }
}
