//! The pages under `docs/reference/errors`: every code has one, its first program ends in just that code and with the
//! message that the page shows, and its second program runs without any. `UPDATE_EXPECT=1` rewrites the messages.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test may panic")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use base::EntityId;
use wander::machine::Watch;
use wander::{
    Acts, Answer, CallContext, Environment, Fault, Heap, Host, HostFunction, HostHandler, HostProperty, Kind,
    Loader, Machine, Outcome, Template, Value, boundary, host_record,
};

/// Where codes are raised.
const SOURCES: [&str; 2] = ["src", "../sim/src"];

/// The pages by code, read before one of them is rewritten.
static PAGES: LazyLock<BTreeMap<String, Page>> = LazyLock::new(pages);

/// Ticks a second.
const RATE: f64 = 60.0;

/// Ticks that an entity's script runs for.
const TICKS: u64 = 4;

#[test]
fn every_code_has_a_page_and_every_page_a_code() {
    let mut raised = BTreeSet::new();
    for folder in SOURCES {
        codes_in(&Path::new(env!("CARGO_MANIFEST_DIR")).join(folder), &mut raised);
    }
    let pages: BTreeSet<String> = PAGES.keys().cloned().collect();
    let missing: Vec<_> = raised.difference(&pages).collect();
    let stale: Vec<_> = pages.difference(&raised).collect();
    assert!(missing.is_empty(), "codes without a page in docs/reference/errors: {missing:?}");
    assert!(stale.is_empty(), "pages in docs/reference/errors whose code nothing raises: {stale:?}");
}

#[test]
fn the_index_lists_every_page_by_its_title() {
    let index = std::fs::read_to_string(folder().join("README.md")).unwrap();
    let rows: Vec<&str> = index.lines().filter(|line| line.starts_with("| [")).collect();
    let wanted: Vec<String> =
        PAGES.iter().map(|(code, page)| format!("| [{code}]({code}.md) | {} |", page.title)).collect();
    assert_eq!(rows, wanted, "docs/reference/errors/README.md and the titles of the pages differ");
}

#[test]
fn every_page_shows_what_happens() {
    let update = std::env::var_os("UPDATE_EXPECT").is_some();
    let mut wrong = Vec::new();
    for (code, page) in &*PAGES {
        let failed = run(&page.fails);
        if failed.codes != [code.clone()].into() {
            wrong.push(format!("{code}: the failing program ends in\n{}", failed.text()));
        } else if update {
            page.rewrite(&failed.text());
        } else if failed.text() != page.message {
            wrong.push(format!("{code}: the page says\n{}\n\nbut it is\n{}", page.message, failed.text()));
        }
        let mended = run(&page.works);
        if !mended.codes.is_empty() {
            wrong.push(format!("{code}: the mended program ends in\n{}", mended.text()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n====\n"));
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reference/errors")
}

fn pages() -> BTreeMap<String, Page> {
    let mut found = BTreeMap::new();
    for entry in std::fs::read_dir(folder()).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if name == "README.md" {
            continue;
        }
        let code = name.strip_suffix(".md").filter(|code| is_code(code));
        let code = code.unwrap_or_else(|| panic!("{name} is no page of a code"));
        found.insert(code.to_owned(), Page::read(code, path));
    }
    found
}

/// `E201`, `W101`.
fn is_code(text: &str) -> bool {
    text.strip_prefix(['E', 'W'])
        .is_some_and(|number| number.len() == 3 && number.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Every code that stands between quotes in the sources under a folder.
fn codes_in(folder: &Path, found: &mut BTreeSet<String>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            codes_in(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = std::fs::read_to_string(&path).unwrap();
            found.extend(text.split('"').filter(|part| is_code(part)).map(str::to_owned));
        }
    }
}

/// A page: a title, a few sentences, `## Fails` with a program and its message, `## Works` with the mended program.
struct Page {
    path: PathBuf,
    text: String,
    title: String,
    fails: String,
    message: String,
    works: String,
}

impl Page {
    fn read(code: &str, path: PathBuf) -> Self {
        let text = std::fs::read_to_string(&path).unwrap();
        let (head, rest) = text.split_once("\n## Fails\n").unwrap_or_else(|| panic!("{code}: no `## Fails`"));
        let (fails, works) =
            rest.split_once("\n## Works\n").unwrap_or_else(|| panic!("{code}: no `## Works`"));
        let (title, about) = head.split_once('\n').unwrap();
        let title = title
            .strip_prefix(&format!("# {code} "))
            .unwrap_or_else(|| panic!("{code}: the page begins with `# {code}` and a title"))
            .to_owned();
        let sentences = about.split_whitespace().filter(|word| word.ends_with(['.', '?'])).count();
        assert!((2..=5).contains(&sentences), "{code}: two to five sentences, not {sentences}");
        let (fails, works) = (blocks(code, fails), blocks(code, works));
        let ([(language, fails), ("text", message)], [(other, works)]) = (fails.as_slice(), works.as_slice())
        else {
            panic!("{code}: under `## Fails` a program and a `text` block, under `## Works` a program");
        };
        assert!(
            language == other && ["wander", "template"].contains(language),
            "{code}: {language}, {other}"
        );
        let [fails, message, works] = [*fails, message.trim_end(), *works].map(str::to_owned);
        Self { title, fails, message, works, path, text }
    }

    /// Puts another message into the page.
    fn rewrite(&self, message: &str) {
        let (before, rest) = self.text.split_once("\n```text\n").unwrap();
        let (_, after) = rest.split_once("```\n").unwrap();
        std::fs::write(&self.path, format!("{before}\n```text\n{message}\n```\n{after}")).unwrap();
    }
}

/// The blocks of a part of a page, by language; there is nothing else in it.
fn blocks<'a>(code: &str, part: &'a str) -> Vec<(&'a str, &'a str)> {
    let mut found = Vec::new();
    let mut rest = part.trim();
    while !rest.is_empty() {
        let block = rest.strip_prefix("```").and_then(|rest| rest.split_once('\n'));
        let Some((language, inside)) = block else {
            panic!("{code}: only blocks under the headings: {rest}")
        };
        // A block may be empty.
        let Some(end) = inside.find("```") else { panic!("{code}: a block is not closed") };
        found.push((language, &inside[..end]));
        rest = inside[end + 3..].trim_start();
    }
    found
}

/// What came of a program.
#[derive(Default)]
struct Run {
    codes: BTreeSet<String>,
    messages: Vec<String>,
}

impl Run {
    fn text(&self) -> String {
        self.messages.join("\n\n")
    }

    fn fault(&mut self, fault: &Fault) {
        self.codes.insert(fault.code.clone());
        let line = fault.line();
        // What goes wrong in every tick is shown once.
        if self.messages.last() != Some(&line) {
            self.messages.push(line);
        }
    }
}

/// The files of a block with their paths. A line such as `-- scripts/lib/door.wander` begins a file; the first needs
/// none.
fn files(block: &str) -> Vec<(String, String)> {
    let is_tool = block.lines().any(|line| line.starts_with("fn run("));
    let mut files: Vec<(String, String)> = Vec::new();
    for line in block.lines() {
        let path = line.strip_prefix("-- ").filter(|path| path.ends_with(".wander"));
        if path.is_some() || files.is_empty() {
            let usual = if is_tool { "tools/example.wander" } else { "scripts/example.wander" };
            files.push((path.unwrap_or(usual).to_owned(), String::new()));
        }
        let (_, text) = files.last_mut().unwrap();
        text.push_str(line);
        text.push('\n');
    }
    files
}

/// Runs the program of a page: a template where it is JSON.
fn run(block: &str) -> Run {
    match serde_json::from_str(block) {
        Ok(template) => run_template(&template),
        Err(_) => run_program(block),
    }
}

fn arguments() -> serde_json::Value {
    serde_json::json!({"center": [1, 2, 3], "radius": 4})
}

/// Fills a template in.
fn run_template(template: &serde_json::Value) -> Run {
    let environment = Arc::new(environment());
    let mut machine = Machine::new(Arc::clone(&environment), 7, RATE);
    let arguments = boundary::from_json_as_is(&mut machine.heap, &arguments());
    let mut fuel = wander::machine::DEFAULT_INSTRUCTIONS as i64;
    let filled = Template::new(template, &["args"], &environment).and_then(|template| {
        let filled = template.fill(&[arguments], &mut machine, &mut World::default(), &mut fuel);
        filled.map_err(|problem| vec![problem])
    });
    let mut run = Run::default();
    for problem in filled.err().into_iter().flatten() {
        run.codes.insert(problem.code.clone());
        run.messages.push(problem.to_string());
    }
    run
}

/// Compiles the first file of a block and runs it: a tool where it has `fn run`, else the script of the hero.
fn run_program(block: &str) -> Run {
    let files = files(block);
    let read = |name: &str| files.iter().find(|(path, _)| *path == format!("scripts/{name}.wander")).cloned();
    let (path, source) = &files[0];
    let kind = if path.starts_with("tools/") { Kind::Tool } else { Kind::Entity };
    let environment = Arc::new(environment());
    let mut loader = Loader::new(&environment, &read);
    let program = loader.compile(kind, path, source);
    // A page has all of its project.
    loader.check_events();
    let mut run = Run::default();
    for file in loader.findings.iter().filter(|file| !file.diagnostics.is_empty()) {
        // A file that uses a broken module says so too: one mistake, found where it is and where it matters.
        let own = file.diagnostics.iter().filter(|finding| !finding.message.ends_with("does not compile"));
        run.codes.extend(own.map(|finding| finding.code.to_owned()));
        run.messages.push(file.render());
    }
    let Some(program) = program else { return run };
    let mut machine = Machine::new(Arc::clone(&environment), 7, RATE);
    let mut world = World::default();
    if kind == Kind::Tool {
        let arguments = boundary::from_json(&mut machine.heap, &arguments());
        let mut fuel = wander::machine::DEFAULT_INSTRUCTIONS as i64;
        let spent = Arc::clone(&world.spent);
        let elapsed = move || Duration::from_millis(spent.load(Ordering::Relaxed));
        machine.watch(Some(Watch::new(Duration::from_secs(5), elapsed)));
        let result = machine
            .run_function(&program, "run", &[arguments], &mut world, &mut fuel)
            .and_then(|value| machine.result_to_json(value, wander::machine::MOST_OUTPUT));
        if let Err(fault) = result {
            run.fault(&fault);
        }
    } else {
        machine.attach(&program, id(1), &[], &mut world);
        for tick in 0..TICKS {
            match tick {
                0 => machine.handle_all("start", &[], &mut world),
                1 => machine.handle_all("enter", &[Value::Entity(id(2))], &mut world),
                _ => {}
            }
            machine.deliver(&mut world);
            machine.resume(tick, &mut world);
            machine.handle_all("update", &[Value::Number(1.0 / RATE)], &mut world);
        }
    }
    for report in machine.take_reports() {
        run.fault(&report.fault);
    }
    run
}

/// The world of the pages: the hero, whose script runs, and a ghost that comes into its sensor.
struct World {
    things: BTreeMap<EntityId, Thing>,
    /// Milliseconds that scripts spent looking for entities: time goes by in no other way here.
    spent: Arc<AtomicU64>,
}

struct Thing {
    name: String,
    tag: &'static str,
    position: [f32; 3],
    alive: bool,
}

impl Default for World {
    fn default() -> Self {
        let thing =
            |name: &str, tag, x| Thing { name: name.to_owned(), tag, position: [x, 0.0, 0.0], alive: true };
        Self {
            things: [(id(1), thing("Hero", "player", 0.0)), (id(2), thing("Ghost", "enemy", 3.0))].into(),
            spent: Arc::default(),
        }
    }
}

fn id(number: u32) -> EntityId {
    EntityId::new(number).unwrap()
}

const fn function(name: &'static str, arity: (u8, u8), acts: Acts) -> HostFunction {
    HostFunction { area: "", name, arity, acts, property: false, doc: "" }
}

const FUNCTIONS: [HostFunction; 5] = [
    function("print", (1, 8), Acts::Changes),
    function("find", (1, 1), Acts::Reads),
    function("find_all", (1, 1), Acts::Reads),
    function("send", (2, 3), Acts::Changes),
    function("destroy", (1, 1), Acts::Changes),
];

const PROPERTIES: [(&str, bool); 4] = [("id", false), ("name", true), ("pos", true), ("alive", false)];

/// A part of what the engine offers, by the same names.
fn environment() -> Environment {
    const HANDLERS: [(&str, &[&str]); 3] = [("start", &[]), ("update", &["dt"]), ("enter", &["other"])];
    Environment {
        functions: FUNCTIONS.to_vec(),
        methods: vec![function("has_tag", (1, 1), Acts::Reads)],
        properties: PROPERTIES.map(|(name, writable)| HostProperty { name, writable, doc: "" }).to_vec(),
        handlers: HANDLERS.map(|(name, params)| HostHandler { name, params, doc: "" }).to_vec(),
    }
}

impl Host for World {
    fn is_alive(&self, entity: EntityId) -> bool {
        self.things.get(&entity).is_some_and(|thing| thing.alive)
    }

    fn get(&mut self, heap: &mut Heap, entity: EntityId, property: u16) -> Outcome<Value> {
        let thing = &self.things[&entity];
        Ok(match PROPERTIES[usize::from(property)].0 {
            "id" => Value::Number(f64::from(entity.get())),
            "name" => heap.text(&thing.name),
            "pos" => Value::Vec3(thing.position),
            _ => Value::Bool(true),
        })
    }

    fn set(&mut self, heap: &mut Heap, entity: EntityId, property: u16, value: &Value) -> Outcome<()> {
        let thing = self.things.get_mut(&entity).unwrap();
        let value = *value;
        match (PROPERTIES[usize::from(property)].0, value) {
            ("pos", Value::Vec3(position)) => thing.position = position,
            ("name", Value::Text(_)) => thing.name = heap.get_text(value).unwrap().to_owned(),
            // The engine's own message is not known here: no page may show this one.
            (name, _) => panic!("a page sets `{name}` to a {}", value.type_name()),
        }
        Ok(())
    }

    fn get_variable(&mut self, _: &mut Heap, _: EntityId, _: &str) -> Outcome<Option<Value>> {
        Ok(None)
    }

    fn set_variable(&mut self, _: &mut Heap, _: EntityId, name: &str, _: Value) -> Outcome<bool> {
        Ok(name.starts_with(host_record::NEW))
    }

    fn knows_variable(&self, _: &str) -> bool {
        false
    }

    fn call(&mut self, context: &mut CallContext<'_>, function: u16, arguments: &[Value]) -> Outcome<Answer> {
        let text = |index: usize| context.heap.get_text(arguments[index]).unwrap_or_default().to_owned();
        let name = FUNCTIONS.get(usize::from(function)).map_or("has_tag", |known| known.name);
        Ok(Answer::Value(match (name, arguments[0]) {
            ("find", _) => {
                let name = text(0);
                let found = self.things.iter().find(|(_, thing)| thing.alive && thing.name == name);
                found.map_or(Value::Nil, |(id, _)| Value::Entity(*id))
            }
            ("find_all", _) => {
                self.spent.fetch_add(20, Ordering::Relaxed);
                let tag = text(0);
                let found = self.things.iter().filter(|(_, thing)| thing.alive && thing.tag == tag);
                let found = found.map(|(id, _)| Value::Entity(*id)).collect();
                context.heap.list(found)
            }
            ("has_tag", Value::Entity(entity)) => Value::Bool(self.things[&entity].tag == text(1)),
            ("send", Value::Entity(entity)) => {
                let data = arguments.get(2).copied().unwrap_or_default();
                let event = text(1);
                context.send(Some(entity), &event, vec![data]);
                Value::Nil
            }
            ("destroy", Value::Entity(entity)) => {
                self.things.get_mut(&entity).unwrap().alive = false;
                Value::Nil
            }
            _ => Value::Nil,
        }))
    }

    fn entity_name(&self, entity: EntityId) -> String {
        self.things.get(&entity).map_or_else(|| format!("entity {entity}"), |thing| thing.name.clone())
    }
}
