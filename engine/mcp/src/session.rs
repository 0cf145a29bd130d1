//! One client: what it said of itself, what it may ask now, and the answers. It reads lines and fills an outbox; bytes
//! and time are the connection's.

mod batches;
mod calls;
mod listing;

use std::sync::Arc;
use std::time::Instant;

use base::Actor;
use base::link::{DoorKind, EngineHandle, Notice};
use serde_json::{Map, Value, json};
use tokio::sync::mpsc;

use crate::limits::Limits;
use crate::message::{self, Incoming, Refusal, shortened};
use crate::notices::{Level, Notices};
use crate::outbox::Outbox;
use crate::server::ServerInfo;
use crate::version::Version;

use batches::{Batches, Origin};
pub(crate) use calls::Answered;
use calls::{Asked, Calls};

/// Longest instructions, bytes: clients cut there.
const MOST_INSTRUCTIONS: usize = 2048;

/// Messages to a client that belong to batches or not, and where they go.
#[derive(Debug, Default)]
pub(crate) struct Answers {
    batches: Batches,
    /// What is ready to be sent.
    pub(crate) out: Outbox,
}

impl Answers {
    fn give(&mut self, origin: Origin, message: Value) {
        match origin {
            Origin::Alone => self.out.message(&message),
            Origin::Batch(batch) => self.batches.give(batch, message, &mut self.out),
        }
    }

    /// Nothing will be said to a request after all.
    fn forget(&mut self, origin: Origin) {
        if let Origin::Batch(batch) = origin {
            self.batches.forget(batch, &mut self.out);
        }
    }
}

/// A client.
pub(crate) struct Session {
    door: DoorKind,
    engine: EngineHandle,
    info: Arc<ServerInfo>,
    limits: Limits,
    notices: Arc<Notices>,
    /// Set by `initialize`.
    version: Option<Version>,
    level: Option<Level>,
    calls: Calls,
    /// Its answers.
    pub(crate) answers: Answers,
}

impl Session {
    /// A client that has said nothing yet. Outcomes of its calls come out of the other end of `answered`.
    pub(crate) fn new(
        engine: EngineHandle,
        door: DoorKind,
        info: Arc<ServerInfo>,
        limits: Limits,
        notices: Arc<Notices>,
        answered: mpsc::UnboundedSender<Answered>,
    ) -> Self {
        let actor = match door {
            DoorKind::User => Actor::User,
            DoorKind::Agent => Actor::from_client_name(""),
        };
        let calls = Calls::new(engine.clone(), door, actor, limits, answered);
        Self {
            door,
            engine,
            info,
            limits,
            notices,
            version: None,
            level: None,
            calls,
            answers: Answers::default(),
        }
    }

    /// Takes in one line.
    pub(crate) fn line(&mut self, line: &[u8]) {
        if line.iter().all(u8::is_ascii_whitespace) {
            return;
        }
        match crate::guard::parse(line) {
            Err(reason) => match crate::guard::id_of(line) {
                // It is JSON and asks for something, only not within the limits: whoever waits for it is answered.
                Some(id) => {
                    let answer = Refusal::new(message::INVALID_REQUEST, reason).answer(id);
                    self.answers.give(Origin::Alone, answer);
                }
                None => self.unreadable(&format!("not valid JSON: {reason}")),
            },
            Ok(Value::Array(batch)) => self.batch(batch, line.len()),
            Ok(value) => self.message(value, Origin::Alone, line.len()),
        }
    }

    /// A line was too long to be read.
    pub(crate) fn line_too_long(&mut self) {
        let text = format!("a line of more than {} MiB, or too much input at once", self.limits.line >> 20);
        self.unreadable(&text);
    }

    fn unreadable(&mut self, reason: &str) {
        let answer = Refusal::new(message::PARSE_ERROR, reason).answer(Value::Null);
        self.answers.give(Origin::Alone, answer);
    }

    fn batch(&mut self, batch: Vec<Value>, bytes: usize) {
        let refusal = if !self.version.is_some_and(Version::has_batches) {
            Some("this protocol version has no batches: one message a line".to_owned())
        } else if batch.is_empty() {
            Some("an empty batch".to_owned())
        } else if batch.len() > self.limits.batch {
            Some(format!("a batch of {} messages; at most {} are read", batch.len(), self.limits.batch))
        } else {
            None
        };
        if let Some(refusal) = refusal {
            let answer = Refusal::new(message::INVALID_REQUEST, refusal).answer(Value::Null);
            self.answers.give(Origin::Alone, answer);
            return;
        }
        let share = bytes / batch.len();
        let id = self.answers.batches.open();
        for message in batch {
            self.message(message, Origin::Batch(id), share);
        }
        // The hold that kept the batch open while it was read.
        self.answers.forget(Origin::Batch(id));
    }

    fn message(&mut self, value: Value, origin: Origin, bytes: usize) {
        match message::read(value) {
            Err(answer) => {
                self.answers.batches.expect(origin);
                self.answers.give(origin, answer);
            }
            Ok(Incoming::Ignored) => {}
            Ok(Incoming::Notification { method, params }) => {
                if method == "notifications/cancelled"
                    && let Some(id) = params.get("requestId")
                {
                    self.calls.cancel(id, &mut self.answers);
                }
            }
            Ok(Incoming::Request { id, method, params }) => {
                self.answers.batches.expect(origin);
                self.request(id, &method, params, origin, bytes);
            }
        }
    }

    fn request(&mut self, id: Value, method: &str, params: Map<String, Value>, origin: Origin, bytes: usize) {
        let answer = match method {
            "initialize" => self.initialize(&params, origin),
            "ping" => Ok(json!({})),
            "tools/list" | "tools/call" | "logging/setLevel" if self.version.is_none() => Err(Refusal::new(
                message::INVALID_REQUEST,
                format!("`{method}` before `initialize`: say first who you are"),
            )),
            "tools/list" => listing::tools(&self.engine.catalogue(), &params),
            "tools/call" => {
                self.calls.call(Asked { id, origin, bytes }, params, &mut self.answers);
                return;
            }
            "logging/setLevel" => self.set_level(&params),
            _ => Err(Refusal::new(
                message::METHOD_NOT_FOUND,
                format!("there is no method `{}` here", shortened(method)),
            )),
        };
        let answer = match answer {
            Ok(result) => message::result(id, result),
            Err(refusal) => refusal.answer(id),
        };
        self.answers.give(origin, answer);
    }

    fn initialize(&mut self, params: &Map<String, Value>, origin: Origin) -> Result<Value, Refusal> {
        if matches!(origin, Origin::Batch(_)) {
            return Err(Refusal::new(message::INVALID_REQUEST, "`initialize` cannot be part of a batch"));
        }
        if self.version.is_some() {
            return Err(Refusal::new(
                message::INVALID_REQUEST,
                "this connection is initialized already: open another for another client",
            ));
        }
        let wanted = params.get("protocolVersion").and_then(Value::as_str).ok_or_else(|| {
            Refusal::new(
                message::INVALID_PARAMS,
                format!("`protocolVersion` must be a string, such as \"{}\"", Version::negotiate("").name()),
            )
        })?;
        let version = Version::negotiate(wanted);
        self.version = Some(version);
        if self.door == DoorKind::Agent {
            let name = params.get("clientInfo").and_then(|info| info.get("name")).and_then(Value::as_str);
            self.calls.set_actor(Actor::from_client_name(name.unwrap_or_default()));
        }
        Ok(json!({
            "protocolVersion": version.name(),
            // Only what is served is advertised.
            "capabilities": {"tools": {"listChanged": true}, "logging": {}},
            "serverInfo": {"name": self.info.name, "title": self.info.title, "version": self.info.version},
            "instructions": message::cut(&self.info.instructions, MOST_INSTRUCTIONS),
        }))
    }

    fn set_level(&mut self, params: &Map<String, Value>) -> Result<Value, Refusal> {
        let wanted = params.get("level").and_then(Value::as_str).unwrap_or_default();
        let level = Level::find(wanted).ok_or_else(|| {
            let text = format!("there is no level `{}`: expected {}", shortened(wanted), Level::names());
            Refusal::new(message::INVALID_PARAMS, text)
        })?;
        self.level = Some(level);
        self.notices.want(level);
        Ok(json!({}))
    }

    /// The engine answered a call, or dropped it.
    pub(crate) fn answered(&mut self, answered: Answered) {
        self.calls.answered(answered, &mut self.answers);
    }

    /// The engine tells something.
    pub(crate) fn notice(&mut self, notice: &Notice) {
        match notice {
            Notice::ToolsChanged => self.tools_changed(),
            Notice::Log { level, source, text } => self.log(level, source, text),
            // Nobody can subscribe yet.
            Notice::ResourceUpdated(_) => {}
        }
    }

    /// So many notices were left out because this client reads too slowly.
    pub(crate) fn missed(&mut self, count: u64) {
        self.log(
            "warning",
            "mcp",
            &format!("{count} notices were left out: they came faster than they were read"),
        );
        // One of them may have been this.
        self.tools_changed();
    }

    fn tools_changed(&mut self) {
        if self.version.is_some() {
            let message = json!({"jsonrpc": "2.0", "method": "notifications/tools/list_changed"});
            self.answers.give(Origin::Alone, message);
        }
    }

    fn log(&mut self, level: &str, source: &str, text: &str) {
        let (Some(wanted), Some(rank)) = (self.level, Level::find(level)) else { return };
        if rank >= wanted {
            let params = json!({"level": level, "logger": source, "data": text});
            self.answers.give(Origin::Alone, message::notification("notifications/message", params));
        }
    }

    /// Time has passed: gives up calls that took too long, reports those that still run.
    pub(crate) fn tick(&mut self, now: Instant) {
        self.calls.tick(now, &mut self.answers);
    }

    /// Whether calls are held back: nothing more is to be read until they are posted or refused.
    pub(crate) fn is_holding(&self) -> bool {
        self.calls.has_held()
    }

    /// Whether the next line may be taken in: not while calls are held back, and not while the client does not take
    /// what it has asked for already.
    pub(crate) fn takes_lines(&self) -> bool {
        let waiting = self.answers.out.waiting();
        let is_behind = waiting > 0 && self.calls.running() >= self.limits.calls_behind;
        waiting < self.limits.unread && !is_behind && !self.calls.has_held()
    }

    /// Whether nothing is under way.
    pub(crate) fn is_idle(&self) -> bool {
        self.calls.is_idle()
    }

    /// The client left: nothing that it asked may change anything any more. False where the engine could not be told,
    /// which is to be tried again.
    pub(crate) fn close(&mut self) -> bool {
        self.calls.close()
    }
}
