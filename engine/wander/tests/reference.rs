//! The reference of the library: all that programs can use is in it, as it is, and its examples run.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test may panic")]

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use base::EntityId;
use wander::reference::{self, Entry, Form, Reference};
use wander::{
    Acts, Answer, CallContext, Environment, Fault, Heap, Host, HostFunction, HostHandler, Kind, Loader,
    Machine, Outcome, Value, library,
};

#[path = "support/pages.rs"]
mod pages;

/// Ticks a second.
const RATE: f64 = 60.0;

/// Ticks that an example runs for.
const TICKS: u64 = 90;

/// What values can be called in signatures.
const KINDS: &str =
    "any nil bool number string vector color range list record function entity task stream place";

#[test]
fn all_that_the_compiler_knows_is_in_the_reference_and_agrees() {
    let known = reference::language();
    for native in library::all().filter(|native| native.name != "order_by") {
        let (owner, name) = (native.area, native.name);
        let found = if native.is_method { known.member(owner, name) } else { known.function(owner, name) };
        let entry = found.unwrap_or_else(|| panic!("{owner}.{name} is not in the reference"));
        let receiver = u8::from(native.is_method);
        let arity = (native.arity.0 - receiver, native.arity.1 - receiver);
        assert_eq!(entry.arity(), arity, "{}", entry.signature);
    }
    for entry in known.entries() {
        let Entry { form, owner, name, .. } = entry;
        let is_known = match form {
            Form::Function => library::find(owner, name).is_some(),
            Form::Value => {
                library::constant(owner, name).is_some() || library::vector_constant(owner, name).is_some()
            }
            // What the machine itself knows is asked for by another test.
            Form::Method | Form::Property => !owner.is_empty(),
            Form::Handler => false,
        };
        assert!(is_known, "{} is in the reference, and there is no such thing", entry.signature);
    }
}

#[test]
fn all_that_the_machine_reads_from_values_is_in_the_reference() {
    let names = quoted_names(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"));
    let names: Vec<String> = names.into_iter().collect();
    assert!(names.len() > 200);
    let kinds = [
        ("string", "\"a\""),
        ("list", "[1]"),
        ("vector", "(1, 2, 3, 4)"),
        ("color", "#ffffff"),
        ("range", "0..3"),
        ("task", "spawn(fn() => 1)"),
        ("stream", "random.stream(\"a\")"),
    ];
    for (kind, value) in kinds {
        for (form, brackets) in [(Form::Property, ""), (Form::Method, "()")] {
            let found = members(value, brackets, &names);
            let known: BTreeSet<String> = reference::language()
                .entries()
                .filter(|entry| entry.form == form && entry.owner == kind)
                .map(|entry| entry.name.to_owned())
                .collect();
            let known_names: BTreeSet<String> = names.iter().cloned().collect();
            assert!(known.is_subset(&known_names), "no source knows {:?}", known.difference(&known_names));
            // Components may be read together: what the page says about these is no list of names.
            let letters = match kind {
                "vector" => "xyzw0",
                "color" => "rgba0",
                _ => "",
            };
            let found: BTreeSet<String> = found
                .into_iter()
                .filter(|name| name != "order_by")
                .filter(|name| name.len() == 1 || !name.chars().all(|c| letters.contains(c)))
                .collect();
            assert_eq!(found, known, "what a {kind} has and what the reference says, as {form:?}");
        }
    }
}

/// Those of the names that a value has.
fn members(value: &str, brackets: &str, names: &[String]) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for names in names.chunks(60) {
        let mut program = format!("fn run(args)\n  let found = []\n  let x = {value}\n");
        for name in names {
            program.push_str(&format!(
                "  try\n    let y = x.{name}{brackets}\n    found.push(\"{name}\")\n  catch e\n    \
                 if e.code != \"E216\" then found.push(\"{name}\") end\n  end\n"
            ));
        }
        program.push_str("  return found\nend\n");
        let environment = Arc::new(Environment::default());
        let program = compile(&environment, Kind::Tool, &program);
        let mut machine = Machine::new(environment, 7, RATE);
        let mut fuel = wander::machine::DEFAULT_INSTRUCTIONS as i64;
        let value = machine.run_function(&program, "run", &[Value::Nil], &mut World::default(), &mut fuel);
        let value = value.unwrap_or_else(|fault| panic!("{}", fault.line()));
        for name in machine.heap.get_list(value).unwrap() {
            found.insert(machine.heap.get_text(*name).unwrap().to_owned());
        }
    }
    found
}

/// Every word that stands alone between quotes in the sources under a folder.
fn quoted_names(folder: &Path) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(quoted_names(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = std::fs::read_to_string(&path).unwrap();
            let is_name = |word: &&str| {
                word.starts_with(|c: char| c.is_ascii_lowercase())
                    && word.bytes().all(|c| c.is_ascii_alphanumeric() || c == b'_')
            };
            found.extend(text.split('"').filter(is_name).map(str::to_owned));
        }
    }
    // Components of vectors and colours are letters of a word in the sources.
    found.extend(["x", "y", "z", "w", "r", "g", "b", "a"].map(str::to_owned));
    found
}

#[test]
fn every_signature_says_which_types_it_means() {
    for entry in reference::language().entries() {
        let kinds = entry.parameters.iter().filter(|one| one.name != "…").map(|one| one.kind);
        let gives = Some(entry.gives).filter(|kind| !kind.is_empty());
        for kind in kinds.chain(gives).flat_map(|kinds| kinds.split('|')) {
            assert!(KINDS.split(' ').any(|known| known == kind), "`{kind}` in {}", entry.signature);
        }
        let about = entry.about.trim_end();
        assert!(about.ends_with(['.', ')']), "{}: {about}", entry.signature);
        assert!(!entry.example.is_empty(), "{}", entry.signature);
    }
}

#[test]
fn things_are_found_by_area_and_name() {
    let known = reference::language();
    let clamp = known.function("", "clamp").unwrap();
    assert_eq!(clamp.heading(), "clamp(x: number, lo: number, hi: number) → number");
    assert_eq!(clamp.parameters[2].kind, "number");
    let round = known.function("", "round").unwrap();
    assert_eq!((round.parameters[1].default, round.arity()), (Some("0"), (1, 2)));
    assert_eq!(known.function("", "min").unwrap().arity(), (1, 8));
    assert_eq!(known.function("record", "keys").unwrap().arity(), (1, 1));
    assert_eq!(known.member("record", "keys").unwrap().arity(), (0, 0));
    assert_eq!(known.member("vector", "length").unwrap().form, Form::Property);
    assert!(known.member("list", "clamp").is_none() && known.handler("start").is_none());
    let broken = Reference::read(&[("page", "no heading")]);
    assert!(broken.pages.is_empty());
}

#[test]
fn every_example_prints_what_it_says() {
    let mut wrong = String::new();
    for (page, (name, text)) in reference::language().pages.iter().zip(reference::texts()) {
        assert_eq!(page.name, *name);
        assert_eq!(text.matches("\n  |").count() > 0, !page.entries.is_empty());
        let mut mended = Vec::new();
        for entry in &page.entries {
            let found = run(&entry.example);
            let said: Vec<&str> = reference::printed(&entry.example).collect();
            if found == said && wander::format(&entry.example).as_ref() == Ok(&entry.example) {
                continue;
            }
            wrong.push_str(&format!("{}\n{}it prints {found:#?}\n\n", entry.signature, entry.example));
            if let Some(new) = pages::with_printed(&entry.example, &found) {
                mended.push((entry.example.clone(), new));
            }
        }
        if std::env::var_os("UPDATE_EXPECT").is_some() && !mended.is_empty() {
            let path = format!("{}/src/reference/{name}.txt", env!("CARGO_MANIFEST_DIR"));
            std::fs::write(path, pages::rewrite(text, &mended)).unwrap();
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

fn compile(environment: &Arc<Environment>, kind: Kind, source: &str) -> Arc<wander::Program> {
    let read = |name: &str| (name == "example").then(|| ("example.wander".to_owned(), source.to_owned()));
    let mut loader = Loader::new(environment, &read);
    let program = match kind {
        Kind::Module => loader.compile(Kind::Tool, "tool.wander", "use \"example\"\nfn run(args)\nend\n"),
        _ => loader.compile(kind, "example.wander", source),
    };
    let findings: Vec<String> = loader
        .findings
        .iter()
        .filter(|file| file.path == "example.wander")
        .map(wander::front::FileDiagnostics::render)
        .collect();
    program.unwrap_or_else(|| panic!("{}", findings.concat()))
}

/// What an example prints: as the script of an entity for some ticks, or once from top to end.
fn run(example: &str) -> Vec<String> {
    let environment = Arc::new(environment());
    let mut machine = Machine::new(Arc::clone(&environment), 7, RATE);
    let mut world = World::default();
    if pages::is_entity_script(example) {
        let program = compile(&environment, Kind::Entity, example);
        machine.attach(&program, EntityId::new(1).unwrap(), &[], &mut world);
        for tick in 0..TICKS {
            world.tick = tick;
            if tick == 0 {
                machine.handle_all("start", &[], &mut world);
            }
            machine.deliver(&mut world);
            machine.resume(tick, &mut world);
        }
    } else {
        let program = compile(&environment, Kind::Module, example);
        let mut fuel = wander::machine::DEFAULT_INSTRUCTIONS as i64;
        let result = machine.run_function(&program, "run", &[Value::Nil], &mut world, &mut fuel);
        if let Err(fault) = result {
            world.printed.push(fault.line());
        }
    }
    world.printed.extend(machine.take_reports().iter().map(|report| report.fault.line()));
    world.printed
}

/// A world of one entity, in which scripts can print, send events and look at the clock.
#[derive(Default)]
struct World {
    printed: Vec<String>,
    tick: u64,
}

fn environment() -> Environment {
    let function = |area, name, arity: (u8, u8)| HostFunction {
        area,
        name,
        arity,
        acts: Acts::Changes,
        property: arity.1 == 0,
        doc: "",
    };
    Environment {
        functions: vec![
            function("", "print", (1, 8)),
            function("", "emit", (1, 2)),
            function("time", "frame", (0, 0)),
        ],
        handlers: vec![HostHandler { name: "start", params: &[], doc: "" }],
        ..Environment::default()
    }
}

impl Host for World {
    fn is_alive(&self, _: EntityId) -> bool {
        true
    }

    fn get(&mut self, _: &mut Heap, _: EntityId, _: u16) -> Outcome<Value> {
        Err(Fault::new("E214", "entities have nothing here"))
    }

    fn set(&mut self, _: &mut Heap, _: EntityId, _: u16, _: &Value) -> Outcome<()> {
        Err(Fault::new("E214", "entities have nothing here"))
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

    fn call(&mut self, context: &mut CallContext<'_>, function: u16, arguments: &[Value]) -> Outcome<Answer> {
        match function {
            0 => {
                let texts: Vec<String> = arguments.iter().map(|value| context.heap.shown(*value)).collect();
                self.printed.push(texts.join(" "));
            }
            1 => {
                let name = context.heap.get_text(arguments[0]).unwrap().to_owned();
                context.send(None, &name, arguments[1..].to_vec());
            }
            _ => return Ok(Answer::Value(Value::Number(self.tick as f64))),
        }
        Ok(Answer::Value(Value::Nil))
    }

    fn entity_name(&self, _: EntityId) -> String {
        "Hero".to_owned()
    }
}
