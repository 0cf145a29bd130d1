//! The machine: loaded programs, their instances, the heap and the tasks. A value: cloning it is a snapshot of every
//! script, waiting ones included.

mod access;
mod arithmetic;
mod budget;
mod calls;
mod copies;
mod elements;
mod equal;
mod faults;
mod hash;
mod instances;
mod loops;
mod methods;
mod once;
mod origin;
mod quick;
mod reload;
mod reports;
mod run;
mod streams;
mod tasks;
mod text;
mod watch;

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

use base::EntityId;

use crate::code::{Constant, GlobalKind, Program};
use crate::environment::Environment;
use crate::fault::{Fault, Outcome};
use crate::heap::{Heap, Site, Symbol};
use crate::host::Host;
use crate::random::Pcg32;
use crate::value::{TaskId, Value};

pub use calls::Function;
pub(crate) use elements::{bounds as list_bounds, position as list_position};
use instances::Instances;
pub use reload::Reloaded;
pub use reports::Report;
use reports::Told;
use tasks::Spare;
pub use tasks::{Task, Wait};
pub use watch::Watch;

/// Instructions of one run of a task where the host says nothing else.
pub const DEFAULT_INSTRUCTIONS: u64 = 1_000_000;

/// Calls inside calls at most; past it is E504.
pub const MOST_CALLS: usize = 200;

/// Tasks at most; past it is E507.
pub const MOST_TASKS: usize = 10_000;

/// Tasks of one entity at most; past it is E507.
pub const MOST_TASKS_OF_ENTITY: usize = 256;

/// Bytes of a tool's result as JSON at most; past it is E505.
pub const MOST_OUTPUT: usize = 64 << 10;

/// Events waiting to be delivered at most.
pub const MOST_EVENTS: usize = 10_000;

/// An instance of a program: its variables, and the entity it belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct InstanceId(pub(crate) u32);

/// A program made ready for this machine: names to symbols, constants to values, modules to instances.
#[derive(Debug, Clone)]
pub(crate) struct Loaded {
    pub(crate) program: Arc<Program>,
    pub(crate) symbols: Vec<Symbol>,
    pub(crate) properties: Vec<Option<u16>>,
    pub(crate) host_methods: Vec<Option<u16>>,
    pub(crate) constants: Vec<Value>,
    /// The same, where they are numbers; NaN for the others.
    pub(crate) numbers: Vec<f64>,
    pub(crate) modules: Vec<u32>,
    /// The programs of these modules, as it was compiled against them: a module may change under it.
    pub(crate) module_programs: Vec<u32>,
    /// Where each of its variables lies in an instance that runs a newer version of its file.
    pub(crate) moved: Option<Vec<u32>>,
    /// Shapes of the record literals.
    pub(crate) layouts: Vec<u32>,
    /// Natives that are methods of these names, by kind of receiver.
    pub(crate) methods: Vec<crate::library::Methods>,
    /// What the name of each site means on entities and vectors.
    pub(crate) named_sites: Vec<Named>,
    /// Where its sites begin among the machine's.
    pub(crate) first_site: usize,
    pub(crate) is_prelude: bool,
}

/// What a name means where it is read from an entity or a vector.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Named {
    /// A property of entities, and whether it can be set.
    Property(u16, bool),
    /// A component of vectors.
    Component(u8),
    /// Neither.
    Other,
}

impl Loaded {
    /// The name that a site reads or sets, as the place of a name.
    pub(crate) fn name_of(&self, site: usize) -> usize {
        self.program.sites.get(site).map_or(usize::MAX, |name| *name as usize)
    }

    /// Where a variable of this program lies in an instance.
    pub(crate) fn place_of(&self, global: usize) -> usize {
        match &self.moved {
            None => global,
            Some(places) => places.get(global).map_or(usize::MAX, |place| *place as usize),
        }
    }

    pub(crate) fn symbol_of(&self, site: usize) -> Symbol {
        self.symbols.get(self.name_of(site)).copied().unwrap_or(Symbol(u32::MAX))
    }
}

/// An event on its way.
#[derive(Debug, Clone)]
pub(crate) struct Event {
    pub(crate) to: Option<EntityId>,
    pub(crate) name: String,
    pub(crate) arguments: Vec<Value>,
}

impl Event {
    /// Bytes that it holds while it waits.
    pub(crate) fn bytes(&self) -> usize {
        size_of::<Self>() + self.name.len() + size_of_val(self.arguments.as_slice())
    }
}

/// The machine.
#[derive(Debug, Clone)]
pub struct Machine {
    environment: Arc<Environment>,
    /// Values live here.
    pub heap: Heap,
    programs: Arc<Vec<Loaded>>,
    /// What each site of each program found last; never part of a result.
    sites: Vec<Site>,
    instances: Instances,
    /// Modules by path: loaded once.
    modules: BTreeMap<String, u32>,
    /// Instances of tools and expressions, by the address of their program.
    without_entity: BTreeMap<usize, u32>,
    spare: Spare,
    prelude: Option<u32>,
    by_owner: BTreeMap<EntityId, u32>,
    tasks: BTreeMap<TaskId, Task>,
    /// What the last spawned tasks came to, for `task.result`.
    results: BTreeMap<TaskId, Value>,
    next_task: u32,
    sleeping: BTreeSet<(u64, TaskId)>,
    ready: BTreeSet<TaskId>,
    events: VecDeque<Event>,
    random: BTreeMap<u32, Pcg32>,
    named: streams::NamedStreams,
    seed: u64,
    tick: u64,
    rate: f64,
    reports: Vec<Report>,
    told: Told,
    returned: Option<faults::Returned>,
    /// Values that are on their way into a task and must outlive what runs before.
    held: Vec<Value>,
    /// Set by a native that waits, taken by the loop at once.
    wants_sleep: Option<Wait>,
    /// Instructions of one run of a task.
    pub instructions: u64,
    /// Instructions that the run which is on its way was given, for its errors.
    budget: u64,
    /// Whose scripts hold so much that there is no room left for others.
    hoarders: BTreeSet<Option<EntityId>>,
    /// The tick in which a task that used too much memory was last cleaned up after.
    cleaned: Option<u64>,
    /// Instructions used since the machine began.
    used: u64,
    watch: Option<Watch>,
    /// Whether the quick half runs; only tests that compare the halves switch it off.
    is_quick: bool,
}

impl Machine {
    /// An empty machine whose random numbers follow from `seed`, for a world of `rate` ticks a second.
    pub fn new(environment: Arc<Environment>, seed: u64, rate: f64) -> Self {
        let mut machine = Self {
            environment,
            heap: Heap::default(),
            programs: Arc::default(),
            sites: Vec::new(),
            instances: Instances::default(),
            modules: BTreeMap::new(),
            without_entity: BTreeMap::new(),
            spare: Spare::default(),
            prelude: None,
            by_owner: BTreeMap::new(),
            tasks: BTreeMap::new(),
            results: BTreeMap::new(),
            next_task: 1,
            sleeping: BTreeSet::new(),
            ready: BTreeSet::new(),
            events: VecDeque::new(),
            random: BTreeMap::new(),
            named: streams::NamedStreams::default(),
            seed,
            tick: 0,
            rate,
            reports: Vec::new(),
            told: Told::default(),
            returned: None,
            held: Vec::new(),
            wants_sleep: None,
            instructions: DEFAULT_INSTRUCTIONS,
            budget: DEFAULT_INSTRUCTIONS,
            hoarders: BTreeSet::new(),
            cleaned: None,
            used: 0,
            watch: None,
            is_quick: true,
        };
        if let Some(program) = crate::prelude::program(&machine.environment) {
            let index = machine.load(&program, &mut NoHost);
            machine.prelude = Some(machine.add_instance(index, None));
        }
        machine
    }

    /// What the host offers.
    pub fn environment(&self) -> &Environment {
        &self.environment
    }

    pub(crate) fn shared_environment(&self) -> Arc<Environment> {
        Arc::clone(&self.environment)
    }

    /// Makes a program ready and gives its number; one that is there already is not loaded twice. Modules it uses are
    /// loaded and started with it.
    fn load(&mut self, program: &Arc<Program>, host: &mut dyn Host) -> u32 {
        if let Some(known) = self.programs.iter().position(|loaded| Arc::ptr_eq(&loaded.program, program)) {
            return known as u32;
        }
        let mut modules = Vec::new();
        let mut module_programs = Vec::new();
        for module in &program.modules {
            module_programs.push(self.load(module, host));
            let instance = match self.modules.get(&module.path) {
                Some(instance) => *instance,
                None => {
                    let index = self.load(module, host);
                    let instance = self.add_instance(index, None);
                    self.modules.insert(module.path.clone(), instance);
                    self.initialise(instance, &[], host);
                    instance
                }
            };
            modules.push(instance);
        }
        let symbols = program.names.iter().map(|name| self.heap.shapes.lasting_symbol(name)).collect();
        let properties = program
            .names
            .iter()
            .map(|name| self.environment.property(name).map(|(number, _)| number))
            .collect();
        let host_methods = program
            .names
            .iter()
            .map(|name| self.environment.method(name).map(|(number, _)| number))
            .collect();
        let numbers = program
            .constants
            .iter()
            .map(|constant| match constant {
                Constant::Number(number) => *number,
                Constant::Text(_) | Constant::Color(_) => f64::NAN,
            })
            .collect();
        let constants = program
            .constants
            .iter()
            .map(|constant| {
                let value = match constant {
                    Constant::Number(number) => Value::Number(*number),
                    Constant::Text(text) => self.heap.text(text),
                    Constant::Color(color) => self.heap.color(*color),
                };
                self.heap.make_permanent(value);
                value
            })
            .collect();
        let symbols: Vec<Symbol> = symbols;
        let layouts = program
            .layouts
            .iter()
            .map(|names| {
                names.iter().fold(crate::heap::EMPTY_SHAPE, |shape, name| {
                    let symbol = symbols.get(*name as usize).copied().unwrap_or(Symbol(u32::MAX));
                    self.heap.shapes.with_literal(shape, symbol)
                })
            })
            .collect();
        let methods = program.names.iter().map(|name| crate::library::methods_called(name)).collect();
        let named_sites = program
            .sites
            .iter()
            .map(|name| {
                let name = program.names.get(*name as usize).map_or("", String::as_str);
                match (self.environment.property(name), name) {
                    (Some((number, property)), _) => Named::Property(number, property.writable),
                    (None, "x") => Named::Component(0),
                    (None, "y") => Named::Component(1),
                    (None, "z") => Named::Component(2),
                    _ => Named::Other,
                }
            })
            .collect();
        let first_site = self.sites.len();
        self.sites.resize(first_site + program.sites.len(), Site::default());
        let loaded = Loaded {
            program: Arc::clone(program),
            symbols,
            properties,
            host_methods,
            numbers,
            constants,
            modules,
            module_programs,
            moved: None,
            layouts,
            methods,
            named_sites,
            first_site,
            is_prelude: program.path == crate::prelude::PATH,
        };
        let programs = Arc::make_mut(&mut self.programs);
        programs.push(loaded);
        programs.len() as u32 - 1
    }

    fn add_instance(&mut self, program: u32, owner: Option<EntityId>) -> u32 {
        let count = self.programs.get(program as usize).map_or(0, |loaded| loaded.program.globals.len());
        self.instances.add(program, owner, count)
    }

    /// Sets an instance's variables: first their own values, then those given for props.
    fn initialise(&mut self, instance: u32, props: &[(String, Value)], host: &mut dyn Host) {
        let values: Vec<Value> = props.iter().map(|(_, value)| *value).collect();
        if let Err(fault) = self.holding(&values, |machine| machine.call_now(instance, 0, &[], host)) {
            let owner = self.owner_of(instance);
            self.report(owner, fault);
        }
        for (name, value) in props {
            let global = self.program_of(instance).and_then(|program| program.global(name));
            if let (Some(global), Some(instance)) = (global, self.instances.get_mut(instance))
                && let Some(slot) = instance.globals.get_mut(global)
            {
                *slot = *value;
            }
        }
    }

    fn owner_of(&self, instance: u32) -> Option<EntityId> {
        self.instances.get(instance)?.owner
    }

    fn program_of(&self, instance: u32) -> Option<&Arc<Program>> {
        let program = self.instances.get(instance)?.program;
        Some(&self.programs.get(program as usize)?.program)
    }

    /// Attaches a script to an entity and sets its variables. An entity has one script; another replaces it.
    pub fn attach(
        &mut self,
        program: &Arc<Program>,
        owner: EntityId,
        props: &[(String, Value)],
        host: &mut dyn Host,
    ) -> InstanceId {
        self.detach(owner);
        let index = self.load(program, host);
        let instance = self.add_instance(index, Some(owner));
        self.by_owner.insert(owner, instance);
        self.initialise(instance, props, host);
        InstanceId(instance)
    }

    /// Takes an entity's script away, with its tasks and its random numbers.
    pub fn detach(&mut self, owner: EntityId) {
        if let Some(instance) = self.by_owner.remove(&owner) {
            self.instances.remove(instance);
        }
        let ended: Vec<TaskId> =
            self.tasks.values().filter(|task| task.owner == Some(owner)).map(|task| task.id).collect();
        for id in ended {
            self.end_task(id);
        }
        self.random.remove(&owner.get());
        self.named.forget(owner);
        self.forget_told(owner);
        let heap = &mut self.heap;
        self.events.retain(|event| {
            let stays = event.to != Some(owner);
            if !stays {
                heap.uncount(event.bytes());
            }
            stays
        });
    }

    /// Entities with a script, in order of their ids.
    pub fn owners(&self) -> impl Iterator<Item = EntityId> + '_ {
        self.by_owner.keys().copied()
    }

    /// Whether an entity's script has a handler of this name.
    pub fn has_handler(&self, owner: EntityId, name: &str) -> bool {
        self.by_owner
            .get(&owner)
            .and_then(|instance| self.program_of(*instance))
            .is_some_and(|program| program.handlers.contains_key(name))
    }

    /// A variable or prop of an entity's script.
    pub fn variable(&self, owner: EntityId, name: &str) -> Option<Value> {
        let instance = *self.by_owner.get(&owner)?;
        let global = self.program_of(instance)?.global(name)?;
        self.instances.get(instance)?.globals.get(global).copied()
    }

    /// Every variable of an entity's script, in order.
    pub fn variables(&self, owner: EntityId) -> Vec<(String, Value)> {
        let Some(instance) = self.by_owner.get(&owner) else { return Vec::new() };
        let (Some(program), Some(instance)) = (self.program_of(*instance), self.instances.get(*instance))
        else {
            return Vec::new();
        };
        program
            .globals
            .iter()
            .map(|global| global.name.clone())
            .zip(instance.globals.iter().copied())
            .collect()
    }

    /// Sets a variable of an entity's script; false where it has none of that name.
    pub fn set_variable(&mut self, owner: EntityId, name: &str, value: Value) -> bool {
        let Some(instance) = self.by_owner.get(&owner).copied() else { return false };
        let global = self.program_of(instance).and_then(|program| {
            let global = program.global(name)?;
            (program.globals.get(global)?.kind != GlobalKind::Const).then_some(global)
        });
        match (global, self.instances.get_mut(instance)) {
            (Some(global), Some(instance)) => match instance.globals.get_mut(global) {
                Some(slot) => {
                    *slot = value;
                    true
                }
                None => false,
            },
            _ => false,
        }
    }

    /// Whether any loaded program has a variable of this name.
    pub fn knows_variable(&self, name: &str) -> bool {
        self.programs.iter().any(|loaded| loaded.program.global(name).is_some())
    }

    /// Instructions used since the machine began.
    pub fn used(&self) -> u64 {
        self.used
    }

    /// Leaves every instruction to the complete half of the machine, whose results and costs are the same. For tests.
    #[doc(hidden)]
    pub fn leave_out_quick_half(&mut self) {
        self.is_quick = false;
    }

    /// Tasks that are not finished.
    pub fn task_count(&self) -> usize {
        self.tasks.len()
    }

    /// Does something that runs scripts while these values are nowhere that a collection looks.
    fn holding<T>(&mut self, values: &[Value], work: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.held.len();
        self.held.extend_from_slice(values);
        let result = work(self);
        self.held.truncate(before);
        result
    }

    fn collect_if_needed(&mut self, current: Option<&Task>) {
        if self.heap.wants_collection() {
            self.collect(current);
        }
    }

    /// Frees what neither the current task nor anything else can reach.
    fn collect(&mut self, current: Option<&Task>) {
        let mut roots: Vec<Value> = Vec::new();
        for (_, instance) in self.instances.iter() {
            roots.extend_from_slice(&instance.globals);
        }
        for task in self.tasks.values().chain(current) {
            roots.extend(task.roots(self.top(task)));
        }
        for event in &self.events {
            roots.extend_from_slice(&event.arguments);
        }
        roots.extend(self.results.values().copied());
        roots.extend_from_slice(&self.held);
        roots.extend(self.reports.iter().map(|report| report.fault.data));
        self.heap.collect(roots);
        self.forgive_hoarders();
    }
}

/// The host of code that runs before there is one: module starts in tests and the prelude. It offers nothing.
pub struct NoHost;

impl Host for NoHost {
    fn is_alive(&self, _: EntityId) -> bool {
        false
    }

    fn get(&mut self, _: &mut Heap, _: EntityId, _: u16) -> Outcome<Value> {
        Err(Fault::new("E214", "there is no world here"))
    }

    fn set(&mut self, _: &mut Heap, _: EntityId, _: u16, _: &Value) -> Outcome<()> {
        Err(Fault::new("E214", "there is no world here"))
    }

    fn get_variable(&mut self, _: &mut Heap, _: EntityId, _: &str) -> Outcome<Option<Value>> {
        Ok(None)
    }

    fn set_variable(&mut self, _: &mut Heap, _: EntityId, _: &str, _: Value) -> Outcome<bool> {
        Ok(false)
    }

    fn knows_variable(&self, _: &str) -> bool {
        false
    }

    fn call(
        &mut self,
        _: &mut crate::host::CallContext<'_>,
        _: u16,
        _: &[Value],
    ) -> Outcome<crate::host::Answer> {
        Err(Fault::new("E214", "there is no world here"))
    }

    fn entity_name(&self, entity: EntityId) -> String {
        format!("entity {entity}")
    }
}
