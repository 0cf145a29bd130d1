//! What is fuzzed. Each target takes any bytes and says what is wrong, or that nothing is.

use std::time::{Duration, Instant};

use serde_json::{Map, Value as Json};
use wander::front::FileDiagnostics;
use wander::{Expression, Heap, Kind, Loader, boundary};

use super::choices::Choices;
use super::runner::{self, Game, Run, USUAL, Way};
use super::{game, generate, oracle, print, soup};

/// How a case that is in order went.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Seen {
    Tested,
    /// Nothing could be said, for this reason.
    Skipped(&'static str),
}

/// A way of looking for faults.
pub struct Target {
    pub name: &'static str,
    /// Cases in a plain run of the tests, so that all targets together take seconds.
    pub seeds: u64,
    /// Bytes of a case at most.
    pub most_bytes: usize,
    pub test: fn(&[u8]) -> Result<Seen, String>,
    /// The case as people read it.
    pub show: fn(&[u8]) -> String,
}

pub const TARGETS: [Target; 7] = [
    Target { name: "parse", seeds: 400, most_bytes: 700, test: parse, show: any_source },
    Target { name: "format", seeds: 600, most_bytes: 900, test: format, show: any_layout },
    Target { name: "run", seeds: 800, most_bytes: 900, test: run, show: any_program },
    Target { name: "differential", seeds: 3000, most_bytes: 900, test: differential, show: program },
    Target { name: "halves", seeds: 800, most_bytes: 900, test: halves, show: any_program },
    Target { name: "snapshot", seeds: 500, most_bytes: 900, test: snapshot, show: script },
    Target {
        name: "json",
        seeds: 2000,
        most_bytes: 300,
        test: json,
        show: |bytes| any_json(&mut Choices::new(bytes), 0).to_string(),
    },
];

/// The longest that reading a source of these sizes may take on a busy machine.
const MOST_TIME: Duration = Duration::from_secs(3);

/// Instructions up to which a program also runs with a collection at every opportunity.
const MOST_COLLECTED: u64 = 50_000;

fn program(bytes: &[u8]) -> String {
    print::print(&generate::program(bytes), &[])
}

fn script(bytes: &[u8]) -> String {
    print::print(&game::script(bytes), &[])
}

fn any_source(bytes: &[u8]) -> String {
    soup::source(bytes, &program)
}

/// The second half of the bytes decides the layout.
fn any_layout(bytes: &[u8]) -> String {
    let (content, layout) = bytes.split_at(bytes.len() / 2);
    if layout.first().is_some_and(|byte| *byte > 200) {
        return any_source(bytes);
    }
    print::print(&generate::program(content), layout)
}

/// Any text is read to its end in good time, and what is found in it lies in it.
pub fn parse(bytes: &[u8]) -> Result<Seen, String> {
    let source = any_source(bytes);
    // A machine with other work stops now and then: only what is slow each time is.
    for _ in 0..3 {
        let started = Instant::now();
        read(&source)?;
        if started.elapsed() < MOST_TIME {
            return Ok(Seen::Tested);
        }
    }
    Err(format!("{} bytes took more than {} ms", source.len(), MOST_TIME.as_millis()))
}

/// Compiles a text as everything that it could be, and looks at what is found.
fn read(source: &str) -> Result<(), String> {
    let environment = runner::environment();
    for kind in [Kind::Tool, Kind::Entity, Kind::Module] {
        let read = |_: &str| None;
        let mut loader = Loader::new(&environment, &read);
        loader.compile(kind, "fuzz.wander", source);
        for file in &loader.findings {
            check_findings(file)?;
        }
    }
    if let Err(problem) = Expression::new(source, &["x"], &environment) {
        let _ = problem.to_string();
    }
    Ok(())
}

fn check_findings(file: &FileDiagnostics) -> Result<(), String> {
    for finding in &file.diagnostics {
        let spans = finding.fix.iter().map(|fix| fix.span).chain([finding.span]);
        for span in spans {
            if file.source.get(span.start as usize..span.end as usize).is_none() {
                return Err(format!(
                    "{} {} lies at {span:?}, which is no text",
                    finding.code, finding.message
                ));
            }
        }
    }
    let text = file.render();
    if file.diagnostics.is_empty() != text.is_empty() {
        return Err("findings are not shown".to_owned());
    }
    let _ = file.problems().count();
    Ok(())
}

/// A formatted text is the same program with the same comments, and is left as it is.
pub fn format(bytes: &[u8]) -> Result<Seen, String> {
    let source = any_layout(bytes);
    let Ok(once) = wander::format(&source) else { return Ok(Seen::Skipped("no program")) };
    let (before, after) = (tree_of(&source), tree_of(&once));
    if before != after {
        return Err(format!("another program:\n{once}\n---\n{before}\n---\n{after}"));
    }
    for comment in ["-- a comment of its own", "-- why", "-- inside", "-- element", "-- c"] {
        let count = |text: &str| text.matches(comment).count();
        if count(&source) != count(&once) {
            return Err(format!("`{comment}` was there {} times, now:\n{once}", count(&source)));
        }
    }
    match wander::format(&once) {
        Ok(twice) if twice == once => Ok(Seen::Tested),
        Ok(twice) => Err(format!("first:\n{once}\n--- then:\n{twice}")),
        Err(findings) => Err(format!("no program any more: {findings:?}\n{once}")),
    }
}

/// A program's tree without the places of its parts.
fn tree_of(source: &str) -> String {
    let (file, _) = wander::parser::parse_file(source);
    let text = format!("{file:?}");
    let mut out = String::new();
    let mut rest = text.as_str();
    while let Some((before, behind)) = rest.split_once("Span { start: ") {
        out.push_str(before);
        rest = behind.split_once('}').map_or("", |(_, behind)| behind);
    }
    out.push_str(rest);
    out
}

/// A source that the oracle has an end for, and the verdict.
fn judged(bytes: &[u8]) -> Result<(String, oracle::Verdict), &'static str> {
    let tree = generate::program(bytes);
    let verdict = oracle::judge(&tree)?;
    Ok((print::print(&tree, &[]), verdict))
}

/// A program for the machine alone. One in four is a text with something exchanged, which leads where no tree does; none
/// where that is no program any more.
fn to_run(bytes: &[u8]) -> Result<String, &'static str> {
    if bytes.first().is_some_and(|byte| *byte < 64) {
        let (changes, content) = bytes.split_at(bytes.len().min(24));
        let source = soup::exchanged(&program(content), &mut Choices::new(&changes[1..]));
        let compiles = runner::compile(Kind::Tool, &source, &runner::environment()).is_ok();
        return if compiles { Ok(source) } else { Err("no program") };
    }
    Ok(program(bytes))
}

fn any_program(bytes: &[u8]) -> String {
    to_run(bytes).unwrap_or_default()
}

fn called(source: &str, way: Way) -> Result<Run, String> {
    runner::call(source, way).map_err(|findings| format!("does not compile: {findings:?}\n{source}"))
}

/// A program of any kind.
pub fn run(bytes: &[u8]) -> Result<Seen, String> {
    match to_run(bytes) {
        Ok(source) => runs_alike(&source).map(|()| Seen::Tested),
        Err(why) => Ok(Seen::Skipped(why)),
    }
}

/// A program ends within its budgets, the same way each time, whenever values are freed.
pub fn runs_alike(source: &str) -> Result<(), String> {
    let first = called(source, USUAL)?;
    let second = called(source, USUAL)?;
    if first != second {
        return Err(format!("first {first:?}\nthen {second:?}"));
    }
    // A collection for each instruction of a long program would take minutes.
    if first.used < MOST_COLLECTED {
        let collected = called(source, Way { collects_always: true, ..USUAL })?;
        if (&first.result, &first.output, first.used)
            != (&collected.result, &collected.output, collected.used)
        {
            return Err(format!("usually {first:?}\ncollected at every turn {collected:?}"));
        }
    }
    if first.used > USUAL.instructions * 2 || first.bytes > 2 * (64 << 20) {
        return Err(format!("{} instructions, {} bytes", first.used, first.bytes));
    }
    // With a budget that does not suffice it ends too, and no later.
    let little = Way { instructions: 1 + first.used / 2, ..USUAL };
    let cut = called(source, little)?;
    let over = cut.used.saturating_sub(little.instructions);
    if cut.result != Err("E501".to_owned()) && cut.used > little.instructions && over > 100_000 {
        return Err(format!("{} instructions of {} and no E501", cut.used, little.instructions));
    }
    Ok(())
}

/// The machine says what the oracle says.
pub fn differential(bytes: &[u8]) -> Result<Seen, String> {
    let (source, verdict) = match judged(bytes) {
        Ok(judged) => judged,
        Err(why) => return Ok(Seen::Skipped(why)),
    };
    let run = called(&source, USUAL)?;
    if run.result != verdict.result || run.output != verdict.output {
        let own = oracle::Verdict { result: run.result, output: run.output };
        return Err(format!("oracle  {verdict:?}\nmachine {own:?}"));
    }
    Ok(Seen::Tested)
}

/// The two halves of the machine agree in results and in what they cost.
pub fn halves(bytes: &[u8]) -> Result<Seen, String> {
    let source = match to_run(bytes) {
        Ok(source) => source,
        Err(why) => return Ok(Seen::Skipped(why)),
    };
    halves_agree(&source)
}

pub fn halves_agree(source: &str) -> Result<Seen, String> {
    let both = called(source, USUAL)?;
    let complete = called(source, Way { is_quick: false, ..USUAL })?;
    if both.result == Err("E501".to_owned()) && complete.result == both.result {
        return Ok(Seen::Skipped("out of budget"));
    }
    if (&both.result, &both.output, both.used) != (&complete.result, &complete.output, complete.used) {
        return Err(format!("both halves   {both:?}\ncomplete half {complete:?}"));
    }
    Ok(Seen::Tested)
}

/// A world that is cloned at a tick goes on as the one that was not.
pub fn snapshot(bytes: &[u8]) -> Result<Seen, String> {
    const TICKS: usize = 14;
    let source = script(bytes);
    let way = Way { instructions: 5_000, ..USUAL };
    let game = |way| Game::new(&source, way).map_err(|findings| format!("does not compile: {findings:?}"));
    let mut whole = game(way)?;
    let mut copies = game(way)?;
    let mut collected = game(Way { collects_always: true, ..way })?;
    let mut early = None;
    let at = bytes.iter().fold(0usize, |sum, byte| sum + usize::from(*byte)) % TICKS;
    for tick in 0..TICKS {
        let expected = whole.step();
        copies = copies.clone();
        let found = copies.step();
        if found != expected {
            return Err(format!("cloned at every tick, after tick {tick}: {found:?}, not {expected:?}"));
        }
        // What registers hold that are not in use is part of the hash, and of freed values that is anything.
        let found = collected.step();
        if found.1 != expected.1 {
            return Err(format!("collected at every turn, after tick {tick}: {found:?}, not {expected:?}"));
        }
        if let Some(game) = &mut early {
            let found = Game::step(game);
            if found != expected {
                return Err(format!("cloned after tick {at}, at {tick}: {found:?}, not {expected:?}"));
            }
        }
        if tick == at {
            early = Some(whole.clone());
        }
    }
    Ok(Seen::Tested)
}

/// What comes in as JSON goes out as the description says, through the boundary alone and through a program.
pub fn json(bytes: &[u8]) -> Result<Seen, String> {
    let given = any_json(&mut Choices::new(bytes), 0);
    let expected = crossed(&given);
    let mut heap = Heap::default();
    let value = boundary::from_json(&mut heap, &given);
    let found = boundary::to_json(&heap, value).map_err(|fault| fault.code);
    if found != expected {
        return Err(format!("{given} came back as {found:?}, not {expected:?}"));
    }
    let run = runner::call_with("fn run(args)\n  return args\nend\n", USUAL, &given);
    let found = run.map_err(|findings| format!("{findings:?}"))?.result;
    if found != expected {
        return Err(format!("{given} came back from a program as {found:?}, not {expected:?}"));
    }
    Ok(Seen::Tested)
}

fn any_json(choices: &mut Choices<'_>, depth: usize) -> Json {
    const NUMBERS: [&str; 12] = [
        "0",
        "-0.0",
        "1",
        "-7",
        "0.1",
        "1e21",
        "1e-7",
        "1e300",
        "9007199254740993",
        "18446744073709551615",
        "-9223372036854775808",
        "3.4028235e38",
    ];
    if choices.is_spent() {
        return Json::Null;
    }
    match choices.below(if depth > 230 { 5 } else { 10 }) {
        0 => Json::Null,
        1 => Json::Bool(choices.chance(128)),
        2 | 3 => choices.pick(&NUMBERS).parse::<serde_json::Number>().map_or(Json::Null, Json::Number),
        4 => Json::String(
            choices.pick(&["", "a", "äöü", "日本", "\0\n\"\\", "constructor", "length"]).to_owned(),
        ),
        5 => {
            let numbers = (0..2 + choices.below(3)).map(|_| Json::from(f64::from(choices.byte()) / 7.0));
            Json::Array(numbers.collect())
        }
        // As deep as nothing may be.
        6 if choices.chance(6) => {
            let mut deep = Json::Null;
            for _ in 0..190 + choices.below(20) {
                deep = Json::Array(vec![deep]);
            }
            deep
        }
        6 | 7 => Json::Array((0..choices.below(5)).map(|_| any_json(choices, depth + 1)).collect()),
        _ => {
            let mut fields = Map::new();
            for _ in 0..choices.below(5) {
                let name = choices.pick(&["a", "b", "1", "", "odd key", "length", "ü"]);
                fields.insert(name.to_owned(), any_json(choices, depth + 1));
            }
            Json::Object(fields)
        }
    }
}

/// What JSON comes back as: numbers are 64-bit, three of them a vector of 32-bit ones, and fields of nil are none.
fn crossed(json: &Json) -> Result<Json, String> {
    crossed_at(json, 1)
}

fn crossed_at(json: &Json, depth: usize) -> Result<Json, String> {
    if depth > 200 {
        return Err("E506".to_owned());
    }
    let number = |number: f64| -> Result<Json, String> {
        if !number.is_finite() {
            return Err("E321".to_owned());
        }
        let whole = number.fract() == 0.0 && number.abs() <= 9_007_199_254_740_992.0;
        Ok(if whole { Json::from(number as i64) } else { Json::from(number) })
    };
    Ok(match json {
        Json::Number(own) => number(own.as_f64().unwrap())?,
        Json::Array(items) if items.len() == 3 && items.iter().all(Json::is_number) => {
            let parts = items.iter().map(|item| {
                let part = item.as_f64().unwrap() as f32;
                if part.is_finite() {
                    number(format!("{part:e}").parse().unwrap())
                } else {
                    number(part.into())
                }
            });
            Json::Array(parts.collect::<Result<_, _>>()?)
        }
        Json::Array(items) => {
            Json::Array(items.iter().map(|item| crossed_at(item, depth + 1)).collect::<Result<_, _>>()?)
        }
        Json::Object(fields) => {
            let mut crossed = Map::new();
            for (name, value) in fields {
                if !value.is_null() {
                    crossed.insert(name.clone(), crossed_at(value, depth + 1)?);
                }
            }
            Json::Object(crossed)
        }
        other => other.clone(),
    })
}
