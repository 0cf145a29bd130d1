//! Tasks: runs of handlers and spawned functions that may sleep. Their frames are data, so that a sleeping task costs
//! nothing and is part of a snapshot.

use base::EntityId;

use super::run::End;
use super::{Event, MOST_EVENTS, MOST_TASKS, MOST_TASKS_OF_ENTITY, Machine};
use crate::fault::{Fault, Outcome};
use crate::heap::Closure;
use crate::host::Host;
use crate::value::{Handle, TaskId, Value};

/// What a task waits for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Wait {
    /// Nothing: it can run.
    Ready,
    /// A tick.
    Tick(u64),
    /// An event of this name for its entity.
    Event(String),
    /// The end of another task.
    Task(TaskId),
    /// An answer of the host.
    Answer,
}

/// A call that is not finished.
#[derive(Debug, Clone)]
pub(crate) struct Frame {
    pub(crate) program: u32,
    pub(crate) function: u32,
    pub(crate) instance: u32,
    pub(crate) pc: u32,
    /// Where its registers begin on the task's stack.
    pub(crate) base: u32,
    /// Where its result goes.
    pub(crate) result: u32,
    pub(crate) given: u8,
    /// The function value that was called, where it is one with captured variables.
    pub(crate) closure: Option<Handle>,
}

impl Frame {
    /// The function value that was called, or nil.
    pub(crate) fn callee(&self) -> Value {
        self.closure.map_or(Value::Nil, Value::Function)
    }
}

/// A `try` that is open.
#[derive(Debug, Clone)]
pub(crate) struct TryPoint {
    pub(crate) frame: u32,
    pub(crate) target: u32,
    pub(crate) register: u8,
}

/// A task.
#[derive(Debug, Clone)]
pub struct Task {
    pub(crate) id: TaskId,
    pub(crate) owner: Option<EntityId>,
    pub(crate) stack: Vec<Value>,
    pub(crate) frames: Vec<Frame>,
    pub(crate) tries: Vec<TryPoint>,
    pub(crate) wait: Wait,
    /// Where the answer of what it waits for goes, from the start of the stack.
    pub(crate) answer: u32,
    /// Whether it may sleep.
    pub(crate) may_wait: bool,
    /// Whether a script started it and can ask for its result.
    pub(crate) spawned: bool,
    /// Bytes that are counted for it while it sleeps.
    pub(crate) counted: usize,
}

/// Tasks of each kind that are kept for the next ones. Calls of the host nest no deeper in practice.
const MOST_SPARE: usize = 4;

/// Results of tasks that are kept.
const MOST_RESULTS: usize = 1_000;

/// Tasks that are over, for the next ones. A copy of a machine needs none.
#[derive(Debug, Default)]
pub(crate) struct Spare {
    stacks: Vec<(Vec<Value>, Vec<Frame>)>,
    /// For calls that end at once; each stays where it is, as moving one costs more than a short call.
    #[expect(clippy::vec_box, reason = "the boxes are lent out")]
    calls: Vec<Box<Task>>,
}

impl Clone for Spare {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl Task {
    pub(crate) fn roots(&self, top: usize) -> impl Iterator<Item = Value> + '_ {
        self.stack.iter().take(top).copied().chain(self.frames.iter().map(Frame::callee))
    }

    /// Bytes that it takes while it sleeps and waits for something.
    fn bytes(&self, wait: &Wait) -> usize {
        let name = if let Wait::Event(name) = wait { name.len() } else { 0 };
        size_of::<Self>()
            + size_of_val(self.stack.as_slice())
            + size_of_val(self.frames.as_slice())
            + size_of_val(self.tries.as_slice())
            + name
    }

    /// Clears what the task whose stack this was has left there. A task that sleeps is part of every snapshot, with
    /// registers that it has not written yet, and a clone of the machine has no such stacks.
    fn forget_the_last_one(&mut self) {
        self.stack.clear();
    }

    /// What it waits for.
    pub fn wait(&self) -> &Wait {
        &self.wait
    }
}

impl Machine {
    pub(super) fn new_task(&mut self, owner: Option<EntityId>) -> Outcome<Task> {
        if self.tasks.len() >= MOST_TASKS {
            return Err(Fault::new("E507", format!("there are {MOST_TASKS} tasks already"))
                .hint("end tasks with `task.cancel()`, or do not start one each frame"));
        }
        if let Some(owner) = owner {
            // Counting is only worth it where there can be too many.
            let many = self.tasks.len() >= MOST_TASKS_OF_ENTITY
                && self.tasks.values().filter(|task| task.owner == Some(owner)).count()
                    >= MOST_TASKS_OF_ENTITY;
            if many {
                return Err(Fault::new(
                    "E507",
                    format!("the entity has {MOST_TASKS_OF_ENTITY} tasks already"),
                )
                .hint("end tasks with `task.cancel()`, or do not start one each frame"));
            }
        }
        let id = TaskId(self.next_task);
        self.next_task += 1;
        let (stack, frames) = self.spare.stacks.pop().unwrap_or_default();
        Ok(Task {
            id,
            owner,
            stack,
            frames,
            tries: Vec::new(),
            wait: Wait::Ready,
            answer: 0,
            may_wait: true,
            spawned: false,
            counted: 0,
        })
    }

    /// Starts a task that runs a closure at the next resumption.
    pub(super) fn spawn(&mut self, closure: Value, owner: Option<EntityId>) -> Outcome<TaskId> {
        let mut task = self.new_task(owner)?;
        task.forget_the_last_one();
        let target = self.heap.get_closure(closure).cloned();
        let Some(Closure { program, function, instance, .. }) = target else {
            return Err(Fault::new("E308", format!("`spawn` needs a function, got {}", closure.type_name()))
                .hint("write `spawn(fn() … end)`"));
        };
        self.enter_fresh(&mut task, program, function, instance, closure, &[])?;
        task.spawned = true;
        let id = task.id;
        self.keep(task, Wait::Ready);
        Ok(id)
    }

    /// Keeps a task until what it waits for happens.
    fn keep(&mut self, mut task: Task, wait: Wait) {
        // Leftovers of calls that are over would be part of every snapshot.
        let top = self.top(&task);
        task.stack.truncate(top);
        task.stack.shrink_to_fit();
        match &wait {
            Wait::Tick(tick) => {
                self.sleeping.insert((*tick, task.id));
            }
            Wait::Ready => {
                self.ready.insert(task.id);
            }
            _ => {}
        }
        task.counted = task.bytes(&wait);
        self.heap.count(task.counted);
        task.wait = wait;
        self.tasks.insert(task.id, task);
    }

    /// Takes out a task that was kept.
    fn take(&mut self, id: TaskId) -> Option<Task> {
        let task = self.tasks.remove(&id)?;
        self.heap.uncount(task.counted);
        Some(task)
    }

    /// Starts a handler of an entity's script and runs it until it sleeps or ends. Nothing where the script has no
    /// such handler, or where the entity is destroyed and only waits to be taken away.
    pub fn handle(&mut self, owner: EntityId, name: &str, arguments: &[Value], host: &mut dyn Host) {
        let Some(instance) = self.by_owner.get(&owner).copied().filter(|_| host.is_alive(owner)) else {
            return;
        };
        let Some(function) =
            self.program_of(instance).and_then(|program| program.handlers.get(name)).copied()
        else {
            return;
        };
        let started = self.new_task(Some(owner)).and_then(|mut task| {
            // What runs every frame must not pile up.
            task.may_wait = !matches!(name, "update" | "fixed_update");
            if task.may_wait {
                task.forget_the_last_one();
            }
            let program = self.instances.get(instance).map_or(0, |i| i.program);
            let wanted =
                self.programs.get(program as usize).and_then(|loaded| loaded.program.functions.get(function));
            let count = wanted.map_or(0, |code| usize::from(code.params)).min(arguments.len());
            let given = arguments.get(..count).unwrap_or_default();
            self.enter_fresh(&mut task, program, function as u32, instance, Value::Nil, given)?;
            Ok(task)
        });
        match started {
            Ok(task) => self.run_task(task, host),
            Err(fault) => self.report(Some(owner), fault),
        }
    }

    /// Runs a task until it sleeps or ends, and keeps it where it sleeps.
    pub(super) fn run_task(&mut self, mut task: Task, host: &mut dyn Host) {
        let mut fuel = self.instructions as i64;
        self.budget = self.instructions;
        let end = self.run(&mut task, host, &mut fuel);
        let id = task.id;
        let end = match end {
            End::Sleeping(wait) => match self.reserve(&task, task.bytes(&wait)) {
                Ok(()) => return self.keep(task, wait),
                Err(mut fault) => {
                    fault.trace = self.trace(&task);
                    End::Failed(fault)
                }
            },
            over => over,
        };
        match end {
            End::Done(value) => {
                if task.spawned {
                    self.keep_result(id, value);
                }
                self.recycle(task);
                self.task_ended(id, value);
            }
            End::Failed(fault) => {
                self.clean_up_after(&mut task, &fault);
                self.report(task.owner, fault);
                self.recycle(task);
                self.task_ended(id, Value::Nil);
            }
            End::Sleeping(_) => {}
        }
    }

    /// Keeps what a task came to; the oldest results make room.
    fn keep_result(&mut self, id: TaskId, value: Value) {
        if value.is_nil() {
            return;
        }
        self.results.insert(id, value);
        if self.results.len() > MOST_RESULTS {
            self.results.pop_first();
        }
    }

    /// What a task that is over came to; nil where it failed, was cancelled or ended long ago.
    pub(super) fn result_of(&self, id: TaskId) -> Value {
        self.results.get(&id).copied().unwrap_or_default()
    }

    /// A task for a call that ends at once and may not wait.
    pub(super) fn borrow_task(&mut self, owner: Option<EntityId>) -> Box<Task> {
        let id = TaskId(self.next_task);
        self.next_task += 1;
        match self.spare.calls.pop() {
            Some(mut task) => {
                task.id = id;
                task.owner = owner;
                task
            }
            None => Box::new(Task {
                id,
                owner,
                stack: Vec::new(),
                frames: Vec::new(),
                tries: Vec::new(),
                wait: Wait::Ready,
                answer: 0,
                may_wait: false,
                spawned: false,
                counted: 0,
            }),
        }
    }

    /// Gives such a task back.
    pub(super) fn give_back(&mut self, mut task: Box<Task>) {
        if self.spare.calls.len() < MOST_SPARE {
            task.frames.clear();
            task.tries.clear();
            self.spare.calls.push(task);
        }
    }

    /// Keeps the memory of a task that is over for the next one.
    pub(super) fn recycle(&mut self, mut task: Task) {
        if self.spare.stacks.len() < MOST_SPARE {
            task.frames.clear();
            self.spare.stacks.push((task.stack, task.frames));
        }
    }

    /// Where the registers of the innermost call of a task end; above lie leftovers of calls that are over.
    pub(super) fn top(&self, task: &Task) -> usize {
        task.frames.last().map_or(0, |frame| {
            let registers = self
                .programs
                .get(frame.program as usize)
                .and_then(|loaded| loaded.program.functions.get(frame.function as usize))
                .map_or(0, |code| usize::from(code.registers));
            frame.base as usize + registers + 1
        })
    }

    /// Wakes whoever waits for a task that ended.
    fn task_ended(&mut self, id: TaskId, value: Value) {
        if self.tasks.is_empty() {
            return;
        }
        let waiting: Vec<TaskId> =
            self.tasks.values().filter(|task| task.wait == Wait::Task(id)).map(|task| task.id).collect();
        for waiter in waiting {
            self.wake(waiter, value);
        }
    }

    fn wake(&mut self, id: TaskId, value: Value) {
        let Some(task) = self.tasks.get_mut(&id) else { return };
        if let Some(slot) = task.stack.get_mut(task.answer as usize) {
            *slot = value;
        }
        task.wait = Wait::Ready;
        self.ready.insert(id);
    }

    /// Ends a task without a word.
    pub(super) fn end_task(&mut self, id: TaskId) {
        if let Some(task) = self.take(id) {
            if let Wait::Tick(tick) = task.wait {
                self.sleeping.remove(&(tick, id));
            }
            self.ready.remove(&id);
            self.task_ended(id, Value::Nil);
        }
    }

    /// Whether a task is finished (or was never there).
    pub(super) fn is_done(&self, id: TaskId) -> bool {
        !self.tasks.contains_key(&id)
    }

    /// Gives a task that waits for the host its answer; it goes on at the next resumption.
    pub fn answer(&mut self, id: TaskId, value: Value) {
        if self.tasks.get(&id).is_some_and(|task| task.wait == Wait::Answer) {
            self.wake(id, value);
        }
    }

    /// Puts an event on its way, to one entity or to all. False where too many wait already.
    pub fn send(&mut self, to: Option<EntityId>, name: &str, arguments: Vec<Value>) -> bool {
        if self.events.len() >= MOST_EVENTS {
            return false;
        }
        let event = Event { to, name: name.to_owned(), arguments };
        self.heap.count(event.bytes());
        self.events.push_back(event);
        true
    }

    /// Delivers the events that wait, in order: handlers run, tasks that waited for them are woken. Events sent
    /// meanwhile are delivered the next time.
    pub fn deliver(&mut self, host: &mut dyn Host) {
        let count = self.events.len();
        for _ in 0..count {
            let Some(event) = self.events.pop_front() else { break };
            self.heap.uncount(event.bytes());
            let data = event.arguments.first().copied().unwrap_or_default();
            let waiting: Vec<TaskId> = self
                .tasks
                .values()
                .filter(|task| {
                    matches!(&task.wait, Wait::Event(name) if *name == event.name)
                        && (event.to.is_none() || event.to == task.owner)
                })
                .map(|task| task.id)
                .collect();
            for id in waiting {
                self.wake(id, data);
            }
            // The first handler must not let go of what the next one is told.
            self.holding(&event.arguments, |machine| match event.to {
                Some(to) => machine.handle(to, &event.name, &event.arguments, host),
                None => machine.handle_all(&event.name, &event.arguments, host),
            });
        }
    }

    /// Goes to a tick and resumes every task that is due, in order of creation.
    pub fn resume(&mut self, tick: u64, host: &mut dyn Host) {
        self.tick = tick;
        while let Some((due, id)) = self.sleeping.first().copied().filter(|(due, _)| *due <= tick) {
            self.sleeping.remove(&(due, id));
            if let Some(task) = self.tasks.get_mut(&id) {
                task.wait = Wait::Ready;
            }
            self.ready.insert(id);
        }
        // Tasks made ready from here on run at the next tick: a task cannot keep this one from ending.
        let ready = std::mem::take(&mut self.ready);
        for id in ready {
            if let Some(task) = self.take(id) {
                let alive =
                    task.owner.is_none_or(|owner| self.by_owner.contains_key(&owner) && host.is_alive(owner));
                if alive {
                    self.run_task(task, host);
                }
            }
        }
        self.collect_if_needed(None);
    }

    /// Runs a handler of every entity's script, in order of their ids.
    pub fn handle_all(&mut self, name: &str, arguments: &[Value], host: &mut dyn Host) {
        let owners: Vec<EntityId> = self.by_owner.keys().copied().collect();
        self.holding(arguments, |machine| {
            for owner in owners {
                machine.handle(owner, name, arguments, host);
            }
        });
    }
}
