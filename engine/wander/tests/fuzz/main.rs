//! Fuzzing that needs no tools: each target with some thousand seeds, the same in every run. `FUZZ_MINUTES=60` goes on
//! for so long with other seeds, `FUZZ_TARGET=parse` with one target alone, and `FUZZ_SEED=7` shows one case.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test may panic")]

#[path = "harness.rs"]
mod harness;

use std::collections::BTreeMap;
use std::io::{Seek, SeekFrom, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use harness::choices::{bytes_of, shrink};
use harness::targets::{Seen, TARGETS, Target, halves_agree, runs_alike};

/// Cases without a finding after which a long run says how far it is.
const BETWEEN_REPORTS: Duration = Duration::from_secs(60);

/// Attempts to make a failing case smaller, and the time for them.
const MOST_SHRINKING: usize = 4_000;
const MOST_SHRINKING_TIME: Duration = Duration::from_secs(30);

/// Findings after which a long run of a target ends.
const MOST_FINDINGS: usize = 5;

/// What was seen of a target.
#[derive(Default)]
struct Tally {
    cases: u64,
    tested: u64,
    skipped: BTreeMap<&'static str, u64>,
    /// Of each failing case its seed and what is wrong.
    findings: Vec<String>,
    took: Duration,
}

#[test]
fn no_target_finds_a_fault() {
    let wanted = std::env::var("FUZZ_TARGET").ok();
    let targets: Vec<&Target> =
        TARGETS.iter().filter(|target| wanted.as_ref().is_none_or(|wanted| target.name == wanted)).collect();
    assert!(!targets.is_empty(), "there is no target {wanted:?}");
    let minutes: Option<f64> = std::env::var("FUZZ_MINUTES").ok().map(|minutes| minutes.parse().unwrap());
    let seed: Option<u64> = std::env::var("FUZZ_SEED").ok().map(|seed| seed.parse().unwrap());
    let mut findings = Vec::new();
    for target in &targets {
        let mut tally = Tally::default();
        match (seed, minutes) {
            (Some(seed), _) => {
                report(&format!("{}\n", (target.show)(&bytes_of(seed, target.most_bytes))));
                tally.test(target, seed);
            }
            (None, None) => (0..target.seeds).for_each(|seed| tally.test(target, seed)),
            (None, Some(minutes)) => tally.test_for(target, minutes * 60.0 / targets.len() as f64),
        }
        report(&tally.line(target));
        if seed.is_none() {
            assert!(tally.tested * 3 > tally.cases, "{} tests little: {}", target.name, tally.line(target));
        }
        findings.append(&mut tally.findings);
    }
    assert!(findings.is_empty(), "{} findings\n\n{}", findings.len(), findings.join("\n\n"));
}

/// Programs that once ran in two ways.
#[test]
fn a_program_costs_the_same_whenever_values_are_freed() {
    // The name of a key that is removed and not there is known for as long as garbage holds it.
    let absent = r#"
fn run(args)
  let r = ({a: 0, [0]: 0}).merge({})
  r["hp"] ??= []
  for letter in text(false)
    r.remove("hp")
  end
  let a = 0
  return [a, a]
end
"#;
    runs_alike(absent).unwrap();
}

#[test]
fn what_has_no_room_is_refused_by_both_halves_and_what_cannot_be_paid_is_not_counted() {
    // A list that is full doubles when something is pushed.
    let pushed = r#"
let list = [0, 0]
fn run(args)
  for outer in 0..5
    for inner in 0..7
      list += list
      let other = 0
      list.push(other)
    end
  end
end
"#;
    assert_eq!(halves_agree(pushed), Ok(Seen::Tested));
    let sorted = "fn run(args)\n  return list.range(0, 1000000).sorted()\nend\n";
    runs_alike(sorted).unwrap();
}

/// Whatever a text begins again and again, there is an end to how deep the parser goes.
#[test]
fn no_two_tokens_over_and_over_overflow_the_stack() {
    let longer = [
        "[x for x in ",
        "if (c) ",
        "x if y else ",
        "x ? y : ",
        "f(fn() => ",
        "match x case ",
        "for (let i = ",
        "x.y(",
        "else if x then ",
        "lambda x: ",
        "try x() catch ",
        "f\"{",
        "let x = if x then ",
        "x[y].z = ",
        "{x: ",
    ];
    let tokens = &harness::soup::TOKENS;
    let pairs = tokens.iter().flat_map(|one| tokens.iter().map(move |other| format!("{one} {other} ")));
    let fragments = pairs.chain(longer.map(str::to_owned));
    let read_all = move || {
        for fragment in fragments {
            for before in ["", "let x = ", "on update(dt)\n"] {
                let _ = wander::parser::parse_file(&format!("{before}{}", fragment.repeat(800)));
            }
        }
    };
    // As little as threads get where nothing is said.
    std::thread::Builder::new().stack_size(2 << 20).spawn(read_all).unwrap().join().unwrap();
}

/// Not `println`, which shows nothing where all is well.
fn report(text: &str) {
    std::io::stderr().write_all(text.as_bytes()).unwrap();
}

/// What is wrong with a case; a panic is.
fn wrong_with(target: &Target, bytes: &[u8]) -> Result<Seen, String> {
    catch_unwind(AssertUnwindSafe(|| (target.test)(bytes))).unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().map(String::as_str);
        Err(format!("panic: {}", text.or(panic.downcast_ref::<&str>().copied()).unwrap_or_default()))
    })
}

impl Tally {
    fn test(&mut self, target: &Target, seed: u64) {
        let started = Instant::now();
        let bytes = bytes_of(seed, target.most_bytes);
        self.cases += 1;
        match wrong_with(target, &bytes) {
            Ok(Seen::Tested) => self.tested += 1,
            Ok(Seen::Skipped(why)) => *self.skipped.entry(why).or_default() += 1,
            Err(first) => {
                self.tested += 1;
                let small = shrink(&bytes, MOST_SHRINKING, &mut |bytes| {
                    started.elapsed() < MOST_SHRINKING_TIME && wrong_with(target, bytes).is_err()
                });
                let what = wrong_with(target, &small).err().unwrap_or(first);
                let source = (target.show)(&small);
                let finding = format!("=== {} FUZZ_SEED={seed}\n{source}\n--- {what}", target.name);
                report(&format!("{finding}\n"));
                self.findings.push(finding);
            }
        }
        self.took += started.elapsed();
    }

    /// Goes on with seeds that follow from the clock, so that every long run looks elsewhere.
    fn test_for(&mut self, target: &Target, seconds: f64) {
        let (started, limit) = (Instant::now(), Duration::from_secs_f64(seconds));
        let mut seed =
            std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_secs() << 24;
        let last = std::env::temp_dir().join(format!("wander-fuzz-{}", target.name));
        report(&format!("{}: from seed {seed}, the last one in {}\n", target.name, last.display()));
        let mut file = std::fs::File::create(&last).unwrap();
        let mut reported = Instant::now();
        while started.elapsed() < limit && self.findings.len() < MOST_FINDINGS {
            // What ends the process would otherwise take the seed with it.
            file.seek(SeekFrom::Start(0)).unwrap();
            file.write_all(seed.to_string().as_bytes()).unwrap();
            self.test(target, seed);
            seed += 1;
            if reported.elapsed() > BETWEEN_REPORTS {
                report(&self.line(target));
                reported = Instant::now();
            }
        }
    }

    fn line(&self, target: &Target) -> String {
        let Self { cases, tested, took, .. } = self;
        let skipped: Vec<String> = self.skipped.iter().map(|(why, count)| format!("{count} {why}")).collect();
        format!(
            "{}: {cases} cases in {:.1} s, {tested} tested; left out: {}\n",
            target.name,
            took.as_secs_f64(),
            if skipped.is_empty() { "none".to_owned() } else { skipped.join(", ") }
        )
    }
}
