//! Moving one client's bytes: one task reads, asks, writes and keeps time, and no client can make it grow without
//! bound.
//!
//! A client that does not take its answers is not read from; one that lets far too many pile up is let go.

use std::os::fd::AsFd;
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use std::time::{Duration, Instant};

use base::link::Notice;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use tokio::net::UnixStream;
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::{broadcast, mpsc, watch};

use crate::framing::{Line, Lines};
use crate::limits::Limits;
use crate::session::{Answered, Session};

/// Lines that are served in one turn: other clients come next.
const LINES_A_TURN: usize = 32;

/// How often time is looked at while calls run.
const TICK: Duration = Duration::from_millis(500);

/// The same while something waits for a short time.
const SHORT_TICK: Duration = Duration::from_millis(20);

/// How long a server that ends waits for its clients to take their last answers.
const LAST_WORDS: Duration = Duration::from_millis(200);

/// How long an engine with a full inbox is told again that a client left.
const FAREWELL: Duration = Duration::from_secs(30);

/// What a connection needs from its server.
pub(crate) struct Wires {
    /// Outcomes of its calls.
    pub(crate) answered: mpsc::UnboundedReceiver<Answered>,
    /// What the engine tells.
    pub(crate) notices: broadcast::Receiver<Arc<Notice>>,
    /// Set when the server ends.
    pub(crate) stopped: watch::Receiver<bool>,
    /// Bytes of unfinished lines of all clients.
    pub(crate) lines_together: Arc<AtomicUsize>,
}

/// Serves a client until it leaves or the server ends.
pub(crate) async fn serve(stream: UnixStream, mut session: Session, wires: Wires, limits: Limits) {
    let stopped = wires.stopped.clone();
    exchange(&stream, &mut session, wires, limits).await;
    if *stopped.borrow() {
        let _ = tokio::time::timeout(LAST_WORDS, flush(&stream, &mut session)).await;
    }
    drop(stream);
    let until = Instant::now() + FAREWELL;
    while !session.close() && !*stopped.borrow() && Instant::now() < until {
        tokio::time::sleep(SHORT_TICK).await;
    }
}

async fn exchange(stream: &UnixStream, session: &mut Session, wires: Wires, limits: Limits) {
    let Wires { mut answered, mut notices, mut stopped, lines_together } = wires;
    let mut lines = Lines::new(limits.line, lines_together, limits.lines_together);
    let (mut ended, mut more) = (false, false);
    let mut next_tick = Instant::now();
    // Between the server's look and this one it may have ended.
    if *stopped.borrow_and_update() {
        return;
    }
    loop {
        let has_room = session.answers.out.waiting() < limits.unread;
        let may_read = session.takes_lines();
        let is_idle = session.is_idle();
        let short = session.is_holding() || ended;
        let now = Instant::now();
        if !is_idle || ended {
            let tick = if short { SHORT_TICK } else { TICK.min(limits.call_time).min(limits.progress_every) };
            next_tick = next_tick.min(now + tick);
        }
        tokio::select! {
            biased;
            _ = stopped.changed() => return,
            Some(one) = answered.recv() => {
                session.answered(one);
                while let Ok(one) = answered.try_recv() {
                    session.answered(one);
                }
            }
            () = tokio::time::sleep_until(next_tick.into()), if !is_idle || ended => {
                next_tick = Instant::now() + TICK;
                session.tick(Instant::now());
                if ended && is_gone(stream) {
                    return;
                }
            }
            ready = stream.writable(), if !session.answers.out.is_empty() => {
                if ready.is_err() {
                    return;
                }
            }
            notice = notices.recv(), if has_room => match notice {
                Ok(notice) => session.notice(&notice),
                Err(RecvError::Lagged(count)) => session.missed(count),
                Err(RecvError::Closed) => return,
            },
            () = tokio::task::yield_now(), if more && may_read => {}
            ready = stream.readable(), if may_read && !ended && !more => {
                if ready.is_err() {
                    return;
                }
                match lines.read(stream) {
                    Ok(0) => ended = true,
                    Ok(_) => {}
                    Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => {}
                    Err(_) => return,
                }
            }
        }
        more = take_lines(session, &mut lines, ended);
        if session.answers.out.write(stream).is_err() || session.answers.out.waiting() > limits.unread_most {
            return;
        }
        if ended && !more && session.answers.out.is_empty() && session.is_idle() {
            return;
        }
    }
}

/// Serves the lines that are there, a turn's worth; true where there may be more.
fn take_lines(session: &mut Session, lines: &mut Lines, ended: bool) -> bool {
    for _ in 0..LINES_A_TURN {
        if !session.takes_lines() {
            return true;
        }
        let line = match lines.next() {
            None if ended => lines.last(),
            line => line,
        };
        match line {
            None => return false,
            Some(Line::Whole(line)) => session.line(line),
            Some(Line::TooLong) => session.line_too_long(),
        }
    }
    true
}

/// Gives the client what is still for it.
async fn flush(stream: &UnixStream, session: &mut Session) {
    while session.answers.out.write(stream).is_ok() && !session.answers.out.is_empty() {
        if stream.writable().await.is_err() {
            return;
        }
    }
}

/// Whether the other end is closed for good, not only for writing.
fn is_gone(stream: &UnixStream) -> bool {
    let fd = stream.as_fd();
    let mut watched = [PollFd::new(&fd, PollFlags::empty())];
    let at_once = Timespec { tv_sec: 0, tv_nsec: 0 };
    poll(&mut watched, Some(&at_once)).is_err()
        || watched.iter().any(|fd| fd.revents().intersects(PollFlags::HUP | PollFlags::ERR))
}
