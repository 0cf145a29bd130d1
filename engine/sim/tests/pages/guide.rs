//! The guide to the language: every program in it runs and does what stands beside it.

use std::path::{Path, PathBuf};

use wander::reference::printed;

use crate::{pages, world};

/// What a tool of the guide is given.
const GIVEN: &str = "{center: (0, 0, 0), radius: 5}";

/// What rows of the last tables may use.
const ROW_BEFORE: &str = "let x = 4
let y = 2
let l = [3, 1]
let r = {hp: 5}
let name = \"Ann\"
let hp = 5
fn f(a = 0)
  return a
end
";

/// A module that they may use.
const ROW_BESIDE: &str = "-- scripts/lib/steering.wander
fn step(from, to)
  return from.lerp(to, 0.5)
end
";

fn path() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/WANDER.md")
}

fn is_update() -> bool {
    std::env::var_os("UPDATE_EXPECT").is_some()
}

/// A program on the page, and the block of text right behind it.
struct Block<'a> {
    program: &'a str,
    /// Whether it says of itself that it fails.
    fails: bool,
    output: Option<&'a str>,
}

fn blocks(page: &str) -> Vec<Block<'_>> {
    let mut found = Vec::new();
    let mut rest = page;
    while let Some((_, after)) = rest.split_once("```wander") {
        let (kind, after) = after.split_once('\n').unwrap();
        let (program, after) = after.split_once("```\n").unwrap();
        let output = after.strip_prefix("\n```text\n").map(|text| text.split_once("```\n").unwrap().0);
        assert!(["", " fails"].contains(&kind), "what is a block of `wander{kind}`?");
        found.push(Block { program, fails: kind == " fails", output });
        rest = after;
    }
    found
}

#[test]
fn every_program_of_the_guide_does_what_it_says() {
    let page = std::fs::read_to_string(path()).unwrap();
    let mut fresh = page.clone();
    let mut wrong = String::new();
    let blocks = blocks(&page);
    assert!(blocks.len() > 20, "{} blocks", blocks.len());
    for block in blocks {
        let run = world::run(block.program, GIVEN);
        let style = wander::format(block.program);
        if style.as_ref().is_ok_and(|text| text != block.program) {
            wrong.push_str(&format!("not in the formatter's style:\n{}\n", block.program));
            fresh = fresh.replacen(block.program, &style.unwrap(), 1);
            continue;
        }
        let said: Vec<&str> = printed(block.program).collect();
        let is_right = match block.output {
            Some(output) => {
                let text = shown(&run);
                fresh = fresh.replacen(
                    &format!("{}```\n\n```text\n{output}```", block.program),
                    &format!("{}```\n\n```text\n{text}```", block.program),
                    1,
                );
                said.is_empty() && text == output
            }
            None => run.findings.is_empty() && run.printed == said,
        };
        let has_errors =
            run.findings.iter().any(|finding| finding.starts_with('E')) || !run.errors.is_empty();
        if is_right && block.fails == has_errors {
            continue;
        }
        wrong.push_str(&format!("{}{run:#?}\n\n", block.program));
        if let (None, Some(new)) = (block.output, pages::with_printed(block.program, &run.printed)) {
            fresh = fresh.replacen(block.program, &new, 1);
        }
    }
    if is_update() && fresh != page {
        std::fs::write(path(), fresh).unwrap();
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// What came of a program, as the page shows it.
fn shown(run: &world::Run) -> String {
    let mut text = run.findings.join("\n\n");
    for line in &run.printed {
        if !text.is_empty() {
            text.push('\n');
        }
        text.push_str(line);
    }
    text + "\n"
}

/// A row of the tables at the end: what is written elsewhere, what is written here, what is said.
struct Row<'a> {
    line: &'a str,
    foreign: String,
    own: String,
    answer: &'a str,
}

fn rows(page: &str) -> Vec<Row<'_>> {
    let part = page.split_once("\n## If you come from").unwrap().1;
    part.lines()
        .filter(|line| line.starts_with("| `"))
        .map(|line| {
            let inside = line.trim_start_matches("| ").strip_suffix(" |").unwrap();
            let [foreign, own, answer] = inside.split(" | ").collect::<Vec<_>>()[..] else {
                panic!("three cells, not {line}")
            };
            Row { line, foreign: code(foreign), own: code(own), answer }
        })
        .collect()
}

/// The lines of a cell: pieces of code with `<br>` between them.
fn code(cell: &str) -> String {
    let lines = cell.split("<br>").map(|line| {
        let line = line.strip_prefix('`').and_then(|line| line.strip_suffix('`'));
        line.unwrap_or_else(|| panic!("`{cell}` is no code")).replace("\\|", "|") + "\n"
    });
    lines.collect()
}

#[test]
fn what_other_languages_write_is_answered_with_what_this_one_writes() {
    let page = std::fs::read_to_string(path()).unwrap();
    let mut fresh = page.clone();
    let mut wrong = String::new();
    let rows = rows(&page);
    assert!(rows.len() > 40, "{} rows", rows.len());
    for row in rows {
        let own = run_row(&row.own);
        let answers = run_row(&row.foreign);
        if !own.is_empty() {
            wrong.push_str(&format!("{}this is no good program either: {own:#?}\n", row.own));
        }
        // That an `end` is missing somewhere is rarely what explains a spelling.
        let telling = answers.iter().find(|answer| !answer.starts_with("E102"));
        let Some(answer) = telling.or(answers.first()).map(|answer| brief(answer)) else {
            wrong.push_str(&format!("{}nothing is said of this\n", row.foreign));
            continue;
        };
        if !leads(&answer, &row) {
            wrong.push_str(&format!("{}it is answered, and nobody is wiser: {answer}\n", row.foreign));
        }
        if answer != row.answer {
            wrong.push_str(&format!("{}the answer is {answer}, not {}\n", row.foreign, row.answer));
            let (cells, _) = row.line.rsplit_once(" | ").unwrap();
            fresh = fresh.replacen(row.line, &format!("{cells} | {answer} |"), 1);
        }
    }
    if is_update() && fresh != page {
        std::fs::write(path(), fresh).unwrap();
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// Whether an answer names something that the row's own program has and the other one lacks.
fn leads(answer: &str, row: &Row<'_>) -> bool {
    // What every unknown name, stray value and missing sign is answered with.
    const GENERAL: [&str; 3] = ["declare it", "to call it", "expected "];
    if GENERAL.iter().any(|general| answer.contains(general)) {
        return false;
    }
    let words = |text: &str| -> Vec<String> {
        let lexed = wander::lexer::lex(text, 0);
        let words = lexed.tokens.iter().map(|token| token.span.text(text).trim().to_owned());
        words.filter(|word| !matches!(word.as_str(), "" | "(" | ")" | ",")).collect()
    };
    let (own, foreign) = (words(&row.own), words(&row.foreign));
    let mut marked = answer.split('`').skip(1).step_by(2).flat_map(|piece| piece.split('…'));
    marked.any(|piece| {
        let found = words(piece);
        // What is more than a word is looked for as it stands.
        let is_more = piece.trim().len() > 1 && !piece.chars().all(|c| c.is_alphanumeric() || c == '_');
        is_more && row.own.contains(piece) && !row.foreign.contains(piece)
            || found.iter().any(|word| own.contains(word) && !foreign.contains(word))
    })
}

/// What is found wrong with a row's program, and the errors that it ends with.
fn run_row(program: &str) -> Vec<String> {
    let run = world::run(&format!("{ROW_BEFORE}{program}{ROW_BESIDE}"), GIVEN);
    let findings = run.findings.into_iter().filter(|finding| !finding.starts_with("W203"));
    findings.chain(run.errors).collect()
}

/// The code of a finding and what it says to write.
fn brief(finding: &str) -> String {
    let (code, rest) = finding.split_once(' ').unwrap();
    let hint = match finding.split_once("\nhint: ").or_else(|| finding.split_once("\n  hint: ")) {
        Some((_, hint)) => hint.to_owned(),
        // An error of a running script is one line, with the hint in brackets.
        None => rest.split(" · ").next().unwrap_or_default().to_owned(),
    };
    format!("{code}: {}", hint.replace('\n', " ").replace('|', "\\|"))
}
