//! A call in a headless engine of our own.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use base::link::{Call, CallCell, Caller, DoorKind, Outcome, Reply, Request, link};
use base::{Actor, CallId, ConnectionId};
use runtime::{Door, Engine, EngineOptions, Mode};
use serde_json::{Map, Value};

use super::{Answer, Picture};
use crate::End;

/// Opens the project in edit mode and calls a tool as the user. The error is what to say and how to end.
pub(crate) fn call(
    tool: &str,
    arguments: Map<String, Value>,
    project: &Path,
) -> Result<Answer, (String, End)> {
    let options = EngineOptions { mode: Mode::Edit, ..EngineOptions::default() };
    let mut engine = Engine::open(project, &options).map_err(|problems| {
        let texts: Vec<String> = problems.iter().map(ToString::to_string).collect();
        (format!("{} cannot be opened:\n{}", project.display(), texts.join("\n")), End::Failed)
    })?;
    let mut tools = tools::Tools::new(link(|| {}));
    let (send, receive) = crossbeam::channel::bounded::<Outcome>(1);
    let request = Request::Call(Call {
        id: CallId(1),
        caller: Caller { connection: ConnectionId(0), actor: Actor::User, door: DoorKind::User },
        tool: tool.to_owned(),
        arguments,
        checked: None,
        deadline: None,
        cell: Arc::new(CallCell::new()),
        reply: Reply::new(move |outcome| {
            // There is room for one, and only one comes.
            let _ = send.try_send(outcome);
        }),
    });
    if tools.inbox().handle.post(request).is_err() {
        return Err(("the engine takes no calls".to_owned(), End::Failed));
    }
    let outcome = loop {
        tools.serve(&mut engine, Duration::from_secs(1));
        match receive.try_recv() {
            Ok(outcome) => break outcome,
            Err(crossbeam::channel::TryRecvError::Disconnected) => {
                return Err((format!("`{tool}` ended without an answer"), End::Failed));
            }
            Err(crossbeam::channel::TryRecvError::Empty) => {
                engine.advance(Instant::now());
            }
        }
    };
    match outcome.error {
        Some(problem) => Err((problem.to_string(), End::Failed)),
        None => Ok(Answer {
            structured: outcome.structured,
            text: outcome.text,
            pictures: outcome
                .pictures
                .into_iter()
                .map(|picture| Picture { mime: picture.mime.to_owned(), bytes: picture.bytes })
                .collect(),
        }),
    }
}
