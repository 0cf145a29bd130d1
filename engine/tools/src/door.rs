//! The one door: find, check, run, seal, answer. A panic in a call is caught here and what the call did is taken back.

use std::panic::AssertUnwindSafe;
use std::time::{Duration, Instant};

use base::link::{Call, CallState, Caller, EngineInbox, Outcome, Reply, Request};
use base::{CallId, Problem, suggest};
use runtime::{Door, Engine, Level};
use scene::history::OpenGroup;
use serde_json::{Map, Value};

use crate::context::Context;
use crate::registry;
use crate::tool::{Answer, BuiltinEntry, Effect, Output, Pending};

/// Calls that wait for a later frame at most.
const MOST_SUSPENDED: usize = 1_000;

/// Largest result, bytes of JSON.
const MOST_RESULT: usize = 64 * 1024;

/// The tools and the calls that are under way.
pub struct Tools {
    inbox: EngineInbox,
    suspended: Vec<Suspended>,
}

/// A call that has not answered yet.
struct Suspended {
    id: CallId,
    caller: Caller,
    entry: &'static BuiltinEntry,
    group: OpenGroup,
    warnings: Vec<String>,
    pending: Pending,
    deadline: Option<Instant>,
    cell: std::sync::Arc<base::link::CallCell>,
    reply: Reply,
}

impl Tools {
    /// Tools behind an inbox; the catalogue is published at once.
    pub fn new(inbox: EngineInbox) -> Self {
        inbox.handle.set_catalogue(registry::catalogue(1));
        Self { inbox, suspended: Vec::new() }
    }

    /// The inbox, for waiting until something comes.
    pub fn inbox(&self) -> &EngineInbox {
        &self.inbox
    }

    /// Whether some call waits for a later frame.
    pub fn has_suspended(&self) -> bool {
        !self.suspended.is_empty()
    }

    fn call(&mut self, engine: &mut Engine, call: Call) {
        let Call { id, caller, tool, arguments, deadline, cell, reply, .. } = call;
        if deadline.is_some_and(|deadline| Instant::now() > deadline) {
            cell.abandon();
        }
        if !cell.start() {
            // Its client gave up while it waited: nothing happens.
            return;
        }
        let Some(entry) = registry::find(&tool) else {
            let catalogue = self.inbox.handle.catalogue();
            let near = suggest::nearest(&tool, catalogue.tools.keys().map(String::as_str));
            let problem = Problem::new("unknown_tool", format!("there is no tool `{tool}`")).near(near);
            answer(&cell, reply, Outcome::failed(problem));
            return;
        };
        // The protocol's thread checks too; what comes in another way is checked here, and a stale check does no harm.
        let catalogue = self.inbox.handle.catalogue();
        let checked = match catalogue.tools.get(entry.name) {
            Some(info) => info.check(arguments),
            None => Ok(arguments),
        };
        let arguments = match checked {
            Ok(arguments) => arguments,
            Err(problems) => {
                answer(&cell, reply, Outcome::failed(bad_arguments(entry, &problems)));
                return;
            }
        };
        let mut group = engine.open_group();
        let mut warnings = Vec::new();
        let result = {
            let mut context = Context {
                engine,
                caller: &caller,
                call: id,
                group: &mut group,
                may_edit: entry.effect == Effect::Edit,
                warnings: Vec::new(),
            };
            let result = guarded(entry, || (entry.run)(&mut context, arguments));
            warnings.append(&mut context.warnings);
            result
        };
        match result {
            Ok(Answer::Later(_)) if self.suspended.len() >= MOST_SUSPENDED => {
                engine.revert(group);
                let problem =
                    Problem::new("busy", "too many calls wait already").hint("wait for some of them");
                answer(&cell, reply, Outcome::failed(problem));
            }
            Ok(Answer::Later(pending)) => {
                self.suspended.push(Suspended {
                    id,
                    caller,
                    entry,
                    group,
                    warnings,
                    pending,
                    deadline,
                    cell,
                    reply,
                });
            }
            Ok(Answer::Done(output)) => {
                finish(engine, entry, &caller, id, group, warnings, Ok(output), &cell, reply)
            }
            Err(problem) => finish(engine, entry, &caller, id, group, warnings, Err(problem), &cell, reply),
        }
    }

    /// Asks calls that wait whether they have their answer.
    fn poll(&mut self, engine: &mut Engine) {
        for mut waiting in std::mem::take(&mut self.suspended) {
            if waiting.deadline.is_some_and(|deadline| Instant::now() > deadline) {
                waiting.cell.abandon();
            }
            if waiting.cell.state() == CallState::Abandoned {
                engine.revert(waiting.group);
                continue;
            }
            let result = {
                let mut context = Context {
                    engine,
                    caller: &waiting.caller,
                    call: waiting.id,
                    group: &mut waiting.group,
                    may_edit: waiting.entry.effect == Effect::Edit,
                    warnings: Vec::new(),
                };
                let result = guarded(waiting.entry, || Ok((waiting.pending)(&mut context)))
                    .unwrap_or_else(|problem| Some(Err(problem)));
                waiting.warnings.append(&mut context.warnings);
                result
            };
            match result {
                None => self.suspended.push(waiting),
                Some(result) => {
                    let Suspended { id, caller, entry, group, warnings, cell, reply, .. } = waiting;
                    finish(engine, entry, &caller, id, group, warnings, result, &cell, reply);
                }
            }
        }
    }
}

impl Door for Tools {
    fn serve(&mut self, engine: &mut Engine, limit: Duration) -> bool {
        let started = Instant::now();
        self.poll(engine);
        loop {
            let Ok(request) = self.inbox.requests.try_recv() else { return false };
            match request {
                Request::Call(call) => self.call(engine, call),
                Request::Closed(connection) => {
                    // What its calls did is taken back at the next poll; their cells are abandoned already.
                    let left: Vec<&Suspended> = self
                        .suspended
                        .iter()
                        .filter(|waiting| waiting.caller.connection == connection)
                        .collect();
                    for waiting in left {
                        waiting.cell.abandon();
                    }
                }
            }
            if started.elapsed() >= limit {
                return !self.inbox.requests.is_empty();
            }
        }
    }
}

/// Runs a handler; a panic becomes a problem and the game goes on.
fn guarded<T>(entry: &BuiltinEntry, run: impl FnOnce() -> Result<T, Problem>) -> Result<T, Problem> {
    std::panic::catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|_| {
        Err(Problem::new(
            "internal",
            format!("`{}` failed inside the engine; what it did is taken back", entry.name),
        )
        .hint("this is a fault of the engine, not of the call"))
    })
}

/// All faults of the arguments as one answer that the model can read.
fn bad_arguments(entry: &BuiltinEntry, problems: &[Problem]) -> Problem {
    let texts: Vec<&str> = problems.iter().map(|problem| problem.message.as_str()).collect();
    let mut combined = Problem::new("invalid_arguments", format!("{}: {}", entry.name, texts.join("; ")));
    combined.place = problems.first().map(|problem| problem.place.clone()).unwrap_or_default();
    combined.near = problems.iter().flat_map(|problem| problem.near.clone()).collect();
    let hint =
        suggest::did_you_mean(&combined.near).unwrap_or_else(|| format!("for example: {}", entry.example));
    combined.hint(hint)
}

/// Keeps or takes back what a call did, and answers.
#[expect(clippy::too_many_arguments, reason = "the parts of a call, taken apart by whoever ran it")]
fn finish(
    engine: &mut Engine,
    entry: &'static BuiltinEntry,
    caller: &Caller,
    id: CallId,
    group: OpenGroup,
    warnings: Vec<String>,
    result: Result<Output, Problem>,
    cell: &base::link::CallCell,
    reply: Reply,
) {
    let output = match result {
        Ok(output) => output,
        Err(problem) => {
            engine.revert(group);
            engine.log.add(
                engine.world().tick_number(),
                Level::Info,
                "tools",
                &format!("{} {} failed: {}", caller.actor, entry.name, problem.code),
            );
            answer(cell, reply, Outcome::failed(problem));
            return;
        }
    };
    // From here on the call's changes are kept: too late to abandon.
    if !cell.commit() {
        engine.revert(group);
        return;
    }
    let edited = !group.is_empty();
    engine.seal(group, id, caller.actor.clone(), entry.name, &output.summary);
    if entry.effect != Effect::Read {
        let text = format!("{} {}{}", caller.actor, entry.name, if edited { " (edit)" } else { "" });
        engine.log.add(engine.world().tick_number(), Level::Debug, "tools", &text);
    }
    let mut fields = output.fields;
    fields.insert("tick".to_owned(), engine.world().tick_number().0.into());
    fields.insert("revision".to_owned(), engine.history().revision().0.into());
    fields.insert("epoch".to_owned(), engine.epoch().0.into());
    if edited {
        fields.insert("call".to_owned(), id.0.into());
    }
    if !warnings.is_empty() {
        fields.insert("warnings".to_owned(), warnings.into());
    }
    cut(&mut fields);
    let outcome = Outcome {
        text: output.text,
        structured: Some(Value::Object(fields)),
        pictures: output.pictures,
        ..Outcome::default()
    };
    cell.finish();
    reply.send(outcome);
}

/// Keeps a result under its cap by cutting its longest list by rows, and says so.
fn cut(fields: &mut Map<String, Value>) {
    for _ in 0..64 {
        if Value::Object(fields.clone()).to_string().len() <= MOST_RESULT {
            return;
        }
        let longest = fields
            .iter_mut()
            .filter_map(|(name, value)| value.as_array_mut().map(|rows| (name.clone(), rows)))
            .max_by_key(|(_, rows)| rows.len());
        let Some((_, rows)) = longest.filter(|(_, rows)| rows.len() > 1) else { return };
        rows.truncate(rows.len() / 2);
        fields.insert("truncated".to_owned(), true.into());
    }
}

fn answer(cell: &base::link::CallCell, reply: Reply, outcome: Outcome) {
    if cell.commit() {
        cell.finish();
        reply.send(outcome);
    }
}
