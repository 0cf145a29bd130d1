//! What crosses between the protocol threads and the engine's thread: calls and other requests in, outcomes back,
//! notices out. These are the only types that both sides know.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use serde_json::{Map, Value};

use crate::catalogue::{Catalogue, CatalogueCell};
use crate::{Actor, CallId, ConnectionId, Problem};

/// Requests waiting for the engine at most; past that a client is told `busy`. Deep enough for sixteen clients that
/// keep sixty-four calls in flight, small enough that a flood stays under a few MiB.
pub const INBOX: usize = 1024;

/// Which listener took the connection in: it alone decides what kind of actor speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum DoorKind {
    /// The agent socket, stdio, or an embedding host: `mcp:` actors.
    Agent,
    /// The user's own private socket: `user`.
    User,
}

/// Who calls, over which connection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Caller {
    /// The connection, for abandoning what it asked when it leaves.
    pub connection: ConnectionId,
    /// Who acts.
    pub actor: Actor,
    /// How they came in.
    pub door: DoorKind,
}

/// Where a call stands. Once abandoned it never commits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum CallState {
    /// Waiting in the inbox.
    Queued = 0,
    /// The engine works on it, or it is suspended between frames.
    Running = 1,
    /// Its changes are being kept; too late to abandon.
    Committing = 2,
    /// Answered.
    Done = 3,
    /// Its client left, cancelled or ran out of time: nothing it did is kept.
    Abandoned = 4,
}

/// The one word that both sides change, by compare-and-swap alone.
#[derive(Debug, Default)]
pub struct CallCell(AtomicU8);

impl CallCell {
    /// A cell of a call that has just been queued.
    pub fn new() -> Self {
        Self(AtomicU8::new(CallState::Queued as u8))
    }

    /// Queued to running; false where the call was abandoned first.
    pub fn start(&self) -> bool {
        self.swap(CallState::Queued, CallState::Running)
    }

    /// Running to committing; false where the call was abandoned: revert it.
    pub fn commit(&self) -> bool {
        self.swap(CallState::Running, CallState::Committing)
    }

    /// Committing to done.
    pub fn finish(&self) -> bool {
        self.swap(CallState::Committing, CallState::Done)
    }

    /// Abandons a call that is queued or running; false where its changes are already being kept.
    pub fn abandon(&self) -> bool {
        self.swap(CallState::Queued, CallState::Abandoned)
            || self.swap(CallState::Running, CallState::Abandoned)
    }

    /// Where the call stands now.
    pub fn state(&self) -> CallState {
        match self.0.load(Ordering::Acquire) {
            0 => CallState::Queued,
            1 => CallState::Running,
            2 => CallState::Committing,
            3 => CallState::Done,
            _ => CallState::Abandoned,
        }
    }

    fn swap(&self, from: CallState, to: CallState) -> bool {
        self.0.compare_exchange(from as u8, to as u8, Ordering::AcqRel, Ordering::Acquire).is_ok()
    }
}

/// A picture that comes with an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    /// MIME type, `image/png`.
    pub mime: &'static str,
    /// The encoded bytes.
    pub bytes: Vec<u8>,
}

/// What a call came to, in the protocol's terms but not in its syntax.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Outcome {
    /// The short form for people and models.
    pub text: String,
    /// The whole result, an object; none on an error.
    pub structured: Option<Value>,
    /// Pictures, in order.
    pub pictures: Vec<Picture>,
    /// Set where the call failed; nothing of it is kept then.
    pub error: Option<Problem>,
    /// Extra `_meta` entries by full key.
    pub meta: Map<String, Value>,
}

impl Outcome {
    /// An outcome with a result.
    pub fn done(text: impl Into<String>, structured: Value) -> Self {
        Self { text: text.into(), structured: Some(structured), ..Self::default() }
    }

    /// A failed call.
    pub fn failed(problem: Problem) -> Self {
        Self { error: Some(problem), ..Self::default() }
    }
}

/// Takes the outcome back to whoever waits, from any thread, once.
pub struct Reply(Box<dyn FnOnce(Outcome) + Send>);

impl Reply {
    /// A reply that hands the outcome to `send`, which must not block.
    pub fn new(send: impl FnOnce(Outcome) + Send + 'static) -> Self {
        Self(Box::new(send))
    }

    /// Answers.
    pub fn send(self, outcome: Outcome) {
        (self.0)(outcome);
    }
}

impl std::fmt::Debug for Reply {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Reply")
    }
}

/// One call of a tool.
#[derive(Debug)]
pub struct Call {
    /// Its own number.
    pub id: CallId,
    /// Who calls.
    pub caller: Caller,
    /// The tool's name as the client gave it.
    pub tool: String,
    /// The arguments as the client gave them.
    pub arguments: Map<String, Value>,
    /// The catalogue's generation that the arguments were checked against, if they were.
    pub checked: Option<u64>,
    /// When the client stops waiting.
    pub deadline: Option<Instant>,
    /// Shared with whoever may abandon it.
    pub cell: Arc<CallCell>,
    /// The way back.
    pub reply: Reply,
}

/// What the engine's thread is asked.
#[derive(Debug)]
pub enum Request {
    /// Call a tool.
    Call(Call),
    /// A client left: release what it held. Its calls are already abandoned.
    Closed(ConnectionId),
}

/// What the engine tells every client that listens.
#[derive(Debug, Clone, PartialEq)]
pub enum Notice {
    /// The list of tools changed.
    ToolsChanged,
    /// A live resource changed.
    ResourceUpdated(String),
    /// A line of the log: level (syslog name), source, text.
    Log {
        /// `debug`, `info`, `warning` or `error`.
        level: &'static str,
        /// Who says it.
        source: String,
        /// What.
        text: String,
    },
}

/// The inbox is full.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Busy;

type Listener = Box<dyn Fn(&Notice) + Send + Sync>;

/// The handle by which other threads reach the engine. Cheap to clone.
#[derive(Clone)]
pub struct EngineHandle {
    inbox: crossbeam::channel::Sender<Request>,
    wake: Arc<dyn Fn() + Send + Sync>,
    catalogue: Arc<CatalogueCell>,
    // A std mutex: nothing awaits while it is held, and listeners only post to channels.
    listeners: Arc<Mutex<BTreeMap<u64, Listener>>>,
    next: Arc<AtomicU64>,
}

/// The engine's end of the link.
pub struct EngineInbox {
    /// Requests in the order they came.
    pub requests: crossbeam::channel::Receiver<Request>,
    /// The handle, for handing out and for sending notices.
    pub handle: EngineHandle,
}

/// Makes both ends. `wake` makes the engine's loop look into its inbox; it is called from other threads after every
/// post and must be quick.
pub fn link(wake: impl Fn() + Send + Sync + 'static) -> EngineInbox {
    let (sender, requests) = crossbeam::channel::bounded(INBOX);
    let handle = EngineHandle {
        inbox: sender,
        wake: Arc::new(wake),
        catalogue: Arc::new(CatalogueCell::default()),
        listeners: Arc::default(),
        next: Arc::new(AtomicU64::new(1)),
    };
    EngineInbox { requests, handle }
}

impl EngineHandle {
    /// Posts a request and wakes the engine. Never blocks; a full inbox gives the request back.
    pub fn post(&self, request: Request) -> Result<(), (Busy, Request)> {
        match self.inbox.try_send(request) {
            Ok(()) => {
                (self.wake)();
                Ok(())
            }
            Err(
                crossbeam::channel::TrySendError::Full(request)
                | crossbeam::channel::TrySendError::Disconnected(request),
            ) => Err((Busy, request)),
        }
    }

    /// Makes the engine's loop look around, with nothing new in the inbox.
    pub fn wake(&self) {
        (self.wake)();
    }

    /// A number that no call or connection of this process had.
    pub fn number(&self) -> u64 {
        self.next.fetch_add(1, Ordering::Relaxed)
    }

    /// The tools as they are now.
    pub fn catalogue(&self) -> Arc<Catalogue> {
        self.catalogue.get()
    }

    /// Replaces the list of tools and tells every listener.
    pub fn set_catalogue(&self, catalogue: Catalogue) {
        self.catalogue.set(catalogue);
        self.notify(&Notice::ToolsChanged);
    }

    /// Calls `listener` for every notice until the token is given to [`Self::unlisten`]. It runs on the engine's
    /// thread and must not block.
    pub fn listen(&self, listener: impl Fn(&Notice) + Send + Sync + 'static) -> u64 {
        let token = self.number();
        self.listeners.lock().unwrap_or_else(PoisonError::into_inner).insert(token, Box::new(listener));
        token
    }

    /// Ends a [`Self::listen`].
    pub fn unlisten(&self, token: u64) {
        self.listeners.lock().unwrap_or_else(PoisonError::into_inner).remove(&token);
    }

    /// Tells every listener.
    pub fn notify(&self, notice: &Notice) {
        for listener in self.listeners.lock().unwrap_or_else(PoisonError::into_inner).values() {
            listener(notice);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Only these types cross threads; a compile error here means that one no longer can.
    #[test]
    fn the_link_crosses_threads() {
        fn crosses<T: Send>() {}
        fn shared<T: Send + Sync>() {}
        crosses::<Request>();
        shared::<EngineHandle>();
    }

    #[test]
    fn an_abandoned_call_never_commits_and_a_committed_one_is_not_abandoned() {
        let cell = CallCell::new();
        assert!(cell.start());
        assert!(cell.abandon());
        assert!(!cell.commit());
        assert_eq!(cell.state(), CallState::Abandoned);

        let cell = CallCell::new();
        assert!(cell.start() && cell.commit());
        assert!(!cell.abandon());
        assert!(cell.finish());
        assert_eq!(cell.state(), CallState::Done);
    }

    #[test]
    fn a_full_inbox_gives_the_request_back() {
        let inbox = link(|| {});
        for number in 0..INBOX as u64 {
            assert!(inbox.handle.post(Request::Closed(ConnectionId(number))).is_ok());
        }
        assert!(matches!(
            inbox.handle.post(Request::Closed(ConnectionId(0))),
            Err((Busy, Request::Closed(_)))
        ));
    }
}
