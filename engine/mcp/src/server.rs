//! Letting clients in, on one thread of its own.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use base::link::{DoorKind, EngineHandle};
use serde_json::Value;
use tokio::net::{UnixListener, UnixStream};
use tokio::runtime::Runtime;
use tokio::sync::{mpsc, watch};
use tokio::task::JoinSet;

use crate::connection::{Wires, serve};
use crate::limits::Limits;
use crate::message::{BUSY, Refusal};
use crate::notices::Notices;
use crate::session::Session;
use crate::socket::{ListenError, OwnedSocket, bind};

/// How long the system is left alone when it has no room for another client.
const BREATH: Duration = Duration::from_millis(50);

/// What the server says of itself.
#[derive(Debug, Clone)]
pub struct ServerInfo {
    /// `skywalker`.
    pub name: String,
    /// For people.
    pub title: String,
    /// The engine's version.
    pub version: String,
    /// How an agent works here. Cut at 2 KiB, as clients do.
    pub instructions: String,
}

/// Clients being served. Dropping it ends their connections and the thread, and takes the socket away.
#[derive(Debug)]
pub struct Server {
    stop: watch::Sender<bool>,
    finished: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Server {
    /// Ends it: calls under way are abandoned, clients let go, the socket is gone when this returns.
    pub fn stop(self) {
        drop(self);
    }

    /// Whether nobody is served any more. A socket is served until it is stopped; standard input and output until the
    /// client leaves, and the engine is woken then.
    pub fn is_finished(&self) -> bool {
        self.finished.load(Ordering::Acquire)
    }

    /// Runs `work` on a thread named `mcp` until it is through or the server is stopped.
    pub(crate) fn start<Work>(
        engine: EngineHandle,
        runtime: Runtime,
        work: impl FnOnce(watch::Receiver<bool>) -> Work + Send + 'static,
    ) -> Result<Self, ListenError>
    where
        Work: Future<Output = ()>,
    {
        let (stop, stopped) = watch::channel(false);
        let finished = Arc::new(AtomicBool::new(false));
        let done = finished.clone();
        let thread = std::thread::Builder::new()
            .name("mcp".to_owned())
            .spawn(move || {
                runtime.block_on(work(stopped));
                drop(runtime);
                done.store(true, Ordering::Release);
                engine.wake();
            })
            .map_err(|error| cannot_start(&error))?;
        Ok(Self { stop, finished, thread: Some(thread) })
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // The thread is through already where this fails.
        let _ = self.stop.send(true);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// Serves an engine on a socket that only this user can reach. Whoever connects is an actor of the kind that `door`
/// says.
pub fn listen(
    path: &Path,
    engine: EngineHandle,
    door: DoorKind,
    info: ServerInfo,
) -> Result<Server, ListenError> {
    listen_with(path, engine, door, info, Limits::default())
}

/// The same with limits of one's own.
pub fn listen_with(
    path: &Path,
    engine: EngineHandle,
    door: DoorKind,
    info: ServerInfo,
    limits: Limits,
) -> Result<Server, ListenError> {
    let (socket, listener) = bind(path)?;
    let runtime = runtime()?;
    let listener = {
        let _inside = runtime.enter();
        UnixListener::from_std(listener).map_err(|error| cannot_start(&error))?
    };
    let house = House::new(engine.clone(), door, info, limits);
    Server::start(engine, runtime, move |stopped| accept(socket, listener, house, stopped))
}

pub(crate) fn runtime() -> Result<Runtime, ListenError> {
    tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(|error| cannot_start(&error))
}

pub(crate) fn cannot_start(error: &std::io::Error) -> ListenError {
    ListenError(format!("the protocol's thread cannot start: {error}"))
}

/// What all clients of a server share.
pub(crate) struct House {
    engine: EngineHandle,
    door: DoorKind,
    info: Arc<ServerInfo>,
    limits: Limits,
    notices: Arc<Notices>,
    lines_together: Arc<AtomicUsize>,
}

impl House {
    pub(crate) fn new(engine: EngineHandle, door: DoorKind, info: ServerInfo, limits: Limits) -> Self {
        let notices = Arc::new(Notices::new(&engine, limits.notices));
        Self { engine, door, info: Arc::new(info), limits, notices, lines_together: Arc::default() }
    }

    /// Serves one client from now on, to its end.
    pub(crate) fn client(
        &self,
        stream: UnixStream,
        stopped: watch::Receiver<bool>,
    ) -> impl Future<Output = ()> + use<> {
        let (sender, answered) = mpsc::unbounded_channel();
        let (engine, notices) = (self.engine.clone(), self.notices.clone());
        let wires = Wires {
            answered,
            notices: notices.subscribe(),
            stopped,
            lines_together: self.lines_together.clone(),
        };
        let session = Session::new(engine, self.door, self.info.clone(), self.limits, notices, sender);
        serve(stream, session, wires, self.limits)
    }
}

async fn accept(
    socket: OwnedSocket,
    listener: UnixListener,
    house: House,
    mut stopped: watch::Receiver<bool>,
) {
    let mut clients = JoinSet::new();
    loop {
        let accepted = tokio::select! {
            _ = stopped.changed() => break,
            Some(_left) = clients.join_next() => continue,
            accepted = listener.accept() => accepted,
        };
        let stream = match accepted {
            Ok((stream, _)) => stream,
            Err(error) => {
                // Out of file descriptors, most likely: it passes when a client leaves.
                tracing::warn!("a client could not be let in: {error}");
                tokio::time::sleep(BREATH).await;
                continue;
            }
        };
        let same_user = stream.peer_cred().is_ok_and(|peer| peer.uid() == rustix::process::getuid().as_raw());
        if !same_user {
            tracing::warn!("a client of another user was turned away");
            continue;
        }
        if clients.len() >= house.limits.clients {
            let text = format!("{} clients are connected already: try again later", clients.len());
            let line = format!("{}\n", Refusal::new(BUSY, text).answer(Value::Null));
            // Whoever does not hear it sees the connection close.
            let _ = stream.try_write(line.as_bytes());
            continue;
        }
        clients.spawn(house.client(stream, stopped.clone()));
    }
    // Nobody new comes in while those that are there hear their last answers.
    drop(listener);
    drop(socket);
    while clients.join_next().await.is_some() {}
}
