//! One client's calls: checked here, posted in order, tracked until they are answered, cancelled or too late.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Instant;

use base::link::{Call, CallCell, CallState, Caller, DoorKind, EngineHandle, Outcome, Reply, Request};
use base::{Actor, CallId, ConnectionId, Problem};
use serde_json::{Map, Value, json};
use tokio::sync::mpsc;

use super::Answers;
use super::batches::Origin;
use crate::limits::Limits;
use crate::message::{self, INVALID_PARAMS, INVALID_REQUEST, Refusal, shortened};
use crate::outcome::{bad_arguments, tool_error, tool_result};

/// A request for a call: how to answer it, and how long its line was.
#[derive(Debug)]
pub(crate) struct Asked {
    pub(crate) id: Value,
    pub(crate) origin: Origin,
    pub(crate) bytes: usize,
}

/// A call's end as the engine's thread tells it. None where the engine dropped the call without an answer.
#[derive(Debug)]
pub(crate) struct Answered {
    call: CallId,
    outcome: Option<Outcome>,
}

/// A call that the engine has.
#[derive(Debug)]
struct Running {
    asked: Asked,
    call: CallId,
    tool: String,
    cell: Arc<CallCell>,
    began: Instant,
    progress: Option<Progress>,
}

/// Who wants to hear that a call still runs.
#[derive(Debug)]
struct Progress {
    token: Value,
    told: Instant,
}

/// A call that waits for another one to end.
#[derive(Debug)]
struct Held {
    asked: Asked,
    params: Map<String, Value>,
}

/// The calls of one client that are not answered yet.
pub(crate) struct Calls {
    engine: EngineHandle,
    caller: Caller,
    limits: Limits,
    // Unbounded, since the engine's thread must never wait for a client; as many outcomes as calls run are in it at most.
    answered: mpsc::UnboundedSender<Answered>,
    running: Vec<Running>,
    held: VecDeque<Held>,
    held_since: Instant,
    /// Holding back was in vain and no call has ended since: more calls are refused at once.
    stuck: bool,
    closed: bool,
}

/// The way back from the engine's thread. Dropped without an outcome, it says so.
struct Way {
    call: CallId,
    answered: mpsc::UnboundedSender<Answered>,
    outcome: Option<Outcome>,
}

impl Way {
    fn send(mut self, outcome: Outcome) {
        self.outcome = Some(outcome);
    }
}

impl Drop for Way {
    fn drop(&mut self) {
        // The connection is gone where this fails.
        let _ = self.answered.send(Answered { call: self.call, outcome: self.outcome.take() });
    }
}

impl Calls {
    pub(crate) fn new(
        engine: EngineHandle,
        door: DoorKind,
        actor: Actor,
        limits: Limits,
        answered: mpsc::UnboundedSender<Answered>,
    ) -> Self {
        let caller = Caller { connection: ConnectionId(engine.number()), actor, door };
        Self {
            engine,
            caller,
            limits,
            answered,
            running: Vec::new(),
            held: VecDeque::new(),
            held_since: Instant::now(),
            stuck: false,
            closed: false,
        }
    }

    /// Who acts in the calls from now on.
    pub(crate) fn set_actor(&mut self, actor: Actor) {
        self.caller.actor = actor;
    }

    pub(crate) fn has_held(&self) -> bool {
        !self.held.is_empty()
    }

    pub(crate) fn running(&self) -> usize {
        self.running.len()
    }

    pub(crate) fn is_idle(&self) -> bool {
        self.running.is_empty() && self.held.is_empty()
    }

    /// Takes a `tools/call` in.
    pub(crate) fn call(&mut self, asked: Asked, params: Map<String, Value>, answers: &mut Answers) {
        let known = |other: &Asked| other.id == asked.id;
        if self.running.iter().any(|call| known(&call.asked))
            || self.held.iter().any(|call| known(&call.asked))
        {
            let refusal = Refusal::new(INVALID_REQUEST, "a request with this id is under way already");
            answers.give(asked.origin, refusal.answer(asked.id));
            return;
        }
        if self.held.is_empty() && self.has_room(asked.bytes) {
            self.post(asked, params, answers);
        } else if self.stuck {
            let problem = self.busy();
            refuse(asked, &problem, answers);
        } else {
            if self.held.is_empty() {
                self.held_since = Instant::now();
            }
            self.held.push_back(Held { asked, params });
        }
    }

    fn has_room(&self, bytes: usize) -> bool {
        let taken: usize = self.running.iter().map(|call| call.asked.bytes).sum();
        self.running.is_empty()
            || (self.running.len() < self.limits.calls && taken + bytes <= self.limits.call_bytes)
    }

    fn busy(&self) -> Problem {
        let text = format!("{} calls of this connection are under way", self.running.len());
        Problem::new("busy", text).hint("wait for some of them to end, or cancel them")
    }

    fn post(&mut self, asked: Asked, mut params: Map<String, Value>, answers: &mut Answers) {
        let arguments = match params.remove("arguments") {
            None | Some(Value::Null) => Map::new(),
            Some(Value::Object(arguments)) => arguments,
            Some(_) => {
                let refusal = Refusal::new(INVALID_PARAMS, "`arguments` must be an object");
                answers.give(asked.origin, refusal.answer(asked.id));
                return;
            }
        };
        let Some(Value::String(tool)) = params.remove("name") else {
            let refusal = Refusal::new(INVALID_PARAMS, "`name` must be a string: which tool?");
            answers.give(asked.origin, refusal.answer(asked.id));
            return;
        };
        let catalogue = self.engine.catalogue();
        // No tool has so long a name that it would be shortened.
        let info = match catalogue.find(&shortened(&tool)) {
            Ok(info) => info,
            Err(problem) => {
                let text = match &problem.hint {
                    Some(hint) => format!("{}: {hint}", problem.message),
                    None => problem.message.clone(),
                };
                let data = Some(problem.to_error_object());
                let refusal = Refusal { code: INVALID_PARAMS, message: text, data };
                answers.give(asked.origin, refusal.answer(asked.id));
                return;
            }
        };
        let arguments = match info.check(arguments) {
            Ok(arguments) => arguments,
            Err(problems) => {
                refuse(asked, &bad_arguments(&tool, problems), answers);
                return;
            }
        };
        let (call, cell, began) = (CallId(self.engine.number()), Arc::new(CallCell::new()), Instant::now());
        let way = Way { call, answered: self.answered.clone(), outcome: None };
        let request = Request::Call(Call {
            id: call,
            caller: self.caller.clone(),
            tool: tool.clone(),
            arguments,
            checked: Some(catalogue.generation),
            deadline: began.checked_add(self.limits.call_time),
            cell: cell.clone(),
            reply: Reply::new(move |outcome| way.send(outcome)),
        });
        // Known before it is posted. Its outcome comes through the channel in any case.
        let progress = params
            .get("_meta")
            .and_then(|meta| meta.get("progressToken"))
            .filter(|token| token.is_string() || token.is_number())
            .map(|token| Progress { token: token.clone(), told: began });
        match self.engine.post(request) {
            Ok(()) => self.running.push(Running { asked, call, tool, cell, began, progress }),
            Err(_full) => {
                let problem = Problem::new("busy", "the engine has too many calls waiting")
                    .hint("try again in a moment");
                refuse(asked, &problem, answers);
            }
        }
    }

    /// Posts what was held back, as far as there is room now.
    fn post_held(&mut self, answers: &mut Answers) {
        self.stuck = false;
        while self.held.front().is_some_and(|next| self.has_room(next.asked.bytes)) {
            if let Some(next) = self.held.pop_front() {
                self.held_since = Instant::now();
                self.post(next.asked, next.params, answers);
            }
        }
    }

    /// The engine answered. A call that is not known any more was cancelled or too late.
    pub(crate) fn answered(&mut self, answered: Answered, answers: &mut Answers) {
        let Some(place) = self.running.iter().position(|call| call.call == answered.call) else { return };
        let running = self.running.remove(place);
        let result = match answered.outcome {
            Some(outcome) => tool_result(outcome),
            // The engine keeps time too, and may have been first.
            None if running.cell.state() == CallState::Abandoned => {
                tool_error(&self.timed_out(&running.tool), Map::new())
            }
            None => {
                let text = format!("`{}` ended without an answer", running.tool);
                let problem = Problem::new("internal", text).hint("the engine may be closing");
                tool_error(&problem, Map::new())
            }
        };
        answers.give(running.asked.origin, message::result(running.asked.id, result));
        self.post_held(answers);
    }

    /// The client does not want an answer any more. A call whose changes are being kept is answered all the same.
    pub(crate) fn cancel(&mut self, id: &Value, answers: &mut Answers) {
        if let Some(place) = self.held.iter().position(|call| call.asked.id == *id)
            && let Some(held) = self.held.remove(place)
        {
            answers.forget(held.asked.origin);
        } else if let Some(place) = self.running.iter().position(|call| call.asked.id == *id)
            && self.running.get(place).is_some_and(|call| call.cell.abandon())
        {
            let running = self.running.remove(place);
            // The engine takes back what the call did.
            self.engine.wake();
            answers.forget(running.asked.origin);
            self.post_held(answers);
        }
    }

    fn timed_out(&self, tool: &str) -> Problem {
        let text = format!(
            "`{tool}` did not end within {} s; nothing of it is kept",
            self.limits.call_time.as_secs_f32()
        );
        Problem::new("timed_out", text).hint("ask for less at once, or in several calls")
    }

    /// Gives up what took too long, refuses what was held back for too long, tells who wants to know that it goes on.
    pub(crate) fn tick(&mut self, now: Instant, answers: &mut Answers) {
        let late: Vec<CallId> = self
            .running
            .iter()
            .filter(|call| now.saturating_duration_since(call.began) >= self.limits.call_time)
            // One that is being kept is answered in a moment.
            .filter(|call| call.cell.abandon() || call.cell.state() == CallState::Abandoned)
            .map(|call| call.call)
            .collect();
        for call in late {
            self.engine.wake();
            self.answered(Answered { call, outcome: None }, answers);
        }
        if !self.held.is_empty() && now.saturating_duration_since(self.held_since) >= self.limits.patience {
            self.stuck = true;
            let problem = self.busy();
            for held in std::mem::take(&mut self.held) {
                refuse(held.asked, &problem, answers);
            }
        }
        for call in &mut self.running {
            let Some(progress) = &mut call.progress else { continue };
            if now.saturating_duration_since(progress.told) >= self.limits.progress_every {
                progress.told = now;
                let waited = now.saturating_duration_since(call.began).as_secs_f64();
                let params = json!({
                    "progressToken": progress.token,
                    "progress": waited,
                    "message": format!("{} runs for {waited:.0} s", call.tool),
                });
                answers.give(Origin::Alone, message::notification("notifications/progress", params));
            }
        }
    }

    /// Abandons everything and tells the engine that the client left; false where its inbox is full.
    pub(crate) fn close(&mut self) -> bool {
        for call in self.running.drain(..) {
            call.cell.abandon();
        }
        self.held.clear();
        if !self.closed {
            self.closed = self.engine.post(Request::Closed(self.caller.connection)).is_ok();
        }
        self.closed
    }
}

impl Drop for Calls {
    /// Also where the connection's task ends in an unforeseen way.
    fn drop(&mut self) {
        self.close();
    }
}

fn refuse(asked: Asked, problem: &Problem, answers: &mut Answers) {
    answers.give(asked.origin, message::result(asked.id, tool_error(problem, Map::new())));
}
