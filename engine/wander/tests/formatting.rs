//! The formatter: what it makes of texts, and that it never changes what a script does.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test may panic")]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use wander::token::{Sign, Spanned, Token};
use wander::{
    Acts, Environment, HostFunction, HostHandler, HostProperty, Kind, Loader, Program, lexer, parser,
};

/// Texts before and after: `=== what it is about`, the text, `===>`, what becomes of it.
const CASES: &str = include_str!("formatting/cases.txt");

fn cases() -> Vec<(&'static str, &'static str, &'static str)> {
    let sections = CASES.strip_prefix("=== ").unwrap().split("\n=== ");
    sections
        .map(|section| {
            let (title, texts) = section.split_once('\n').unwrap();
            let (before, after) = texts.split_once("===>\n").unwrap();
            (title, before, after)
        })
        .collect()
}

#[test]
fn texts_become_what_the_cases_say() {
    let cases = cases();
    assert!(cases.len() > 50);
    let mut wrong = String::new();
    for (title, before, after) in cases {
        let found = match wander::format(before) {
            Ok(found) => found,
            Err(diagnostics) => diagnostics[0].render("case", before),
        };
        if found.trim_end_matches('\n') != after.trim_end_matches('\n') {
            wrong.push_str(&format!("=== {title}\n{before}===> wanted\n{after}===> found\n{found}\n"));
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn formatting_changes_no_case() {
    for (title, before, after) in cases() {
        check(title, before);
        check(title, after);
    }
}

#[test]
fn spaces_and_ends_of_lines() {
    for (before, after) in [
        ("", ""),
        ("\n \n", ""),
        ("f()", "f()\n"),
        ("f()   \n\n\n", "f()\n"),
        ("f(1,\t2)\t-- c  \n", "f(1, 2)    -- c\n"),
        ("if a then\r\n\tf() -- c\r\nend\r\n", "if a then\n  f()    -- c\nend\n"),
        (
            "-- ü  \nlet a = \"ü\" -- a\nlet bc = \"u\" -- b\n",
            "-- ü\nlet a = \"ü\"     -- a\nlet bc = \"u\"    -- b\n",
        ),
        ("let a = \"\"\"\n  b  \n\n  \"\"\"  \n", "let a = \"\"\"\n  b  \n\n  \"\"\"\n"),
        ("f();;;g()\n;\n", "f()\ng()\n"),
    ] {
        assert_eq!(wander::format(before).unwrap(), after, "{before:?}");
        check("spaces", before);
    }
}

#[test]
fn a_line_is_broken_past_110_columns() {
    for length in [60, 95, 96, 97, 98, 99, 120] {
        let text = format!("f(\"{}\", 1, 2, 3)\n", "x".repeat(length));
        let fits = text.trim_end().len() <= 110;
        assert_eq!(wander::format(&text).unwrap() == text, fits, "{length}");
        let comment = text.replace('\n', "    -- no part of it\n");
        assert_eq!(wander::format(&comment).unwrap() == comment, fits, "{length}");
    }
}

#[test]
fn what_is_no_program_is_left_alone() {
    let diagnostics = wander::format("let a = \nfn f(\n").unwrap_err();
    assert!(diagnostics.iter().any(|diagnostic| diagnostic.code == "E101"));
    // A name that nobody knows is no matter of style.
    assert_eq!(wander::format("unknown (1)").unwrap(), "unknown(1)\n");
}

#[test]
fn texts_as_deep_as_may_be_are_formatted() {
    const DEEP: usize = parser::MOST_NESTING as usize - 10;
    for (open, inside, close, depth) in [
        ("(", "1", ")", DEEP),
        ("[", "", "]", DEEP),
        ("{a: ", "1", "}", DEEP),
        ("f(", "1", ")", DEEP / 2),
        ("a[", "1", "]", DEEP / 2),
        ("fn() return ", "1", " end", DEEP / 3),
        ("fn() => ", "1", "", DEEP),
        ("if a then ", "1", " else 2", DEEP),
        ("- ", "1", "", DEEP),
        ("not ", "1", "", DEEP),
        ("2 ** ", "1", "", DEEP),
    ] {
        let text = format!("let a = {}{inside}{}\n", open.repeat(depth), close.repeat(depth));
        check(open, &text);
    }
    check("blocks", &format!("{}{}", "do\n".repeat(DEEP), "end\n".repeat(DEEP)));
    check("lines", &format!("{}f(){}", "if a then ".repeat(DEEP), " end".repeat(DEEP)));
}

#[test]
fn large_texts_are_formatted_or_left_alone() {
    let list = format!("let a = [{}]", "1,".repeat(20_000));
    let arms = format!("if a then\n{}end", "elif b then\nf()\n".repeat(5_000));
    for text in ["f(1);".repeat(40_000), list, arms] {
        let formatted = wander::format(&text).unwrap();
        assert!(formatted != text && formatted.lines().count() > 9_000);
    }
    // With an indented line for each bracket it would be no source any more.
    let deep = format!("f({}{})\n", "[".repeat(150), "]".repeat(150)).repeat(500);
    assert_eq!(wander::format(&deep).unwrap(), deep);
}

#[test]
fn comments_survive_in_every_place_where_they_may_stand() {
    let mut count = 0;
    for (title, before, _) in cases() {
        for place in places(before) {
            for comments in [" -- one\n", "\n-- one\n", " -- one\n-- two\n\n-- three\n"] {
                let mut text = before.to_owned();
                text.insert_str(place, comments);
                // Not everywhere may a line end.
                if tree(&text).is_some_and(|found| Some(found) == tree(before)) {
                    check(&format!("{title} with a comment at {place}"), &text);
                    count += 1;
                }
            }
        }
    }
    assert!(count > 1000, "{count}");
}

#[test]
fn scripts_of_games_stay_the_same_programs() {
    let scripts = scripts(&root().join("assets/games"));
    assert!(!scripts.is_empty());
    for path in scripts {
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(check(&path.display().to_string(), &text), "{} compiles", path.display());
    }
}

#[test]
fn blocks_of_the_guide_and_of_the_reference_are_in_its_style() {
    let library = root().join("docs/reference/library");
    let mut paths: Vec<PathBuf> =
        std::fs::read_dir(library).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.push(root().join("docs/WANDER.md"));
    let (mut count, mut compiled) = (0, 0);
    for path in paths {
        let page = std::fs::read_to_string(&path).unwrap();
        for block in page.split("```wander\n").skip(1).map(|block| block.split("```").next().unwrap()) {
            let name = path.display().to_string();
            assert_eq!(wander::format(block).unwrap(), block, "{name}");
            count += 1;
            compiled += usize::from(check(&name, block));
        }
    }
    // Most of them can be compiled without the world that they run in.
    assert!(count > 200 && compiled * 4 >= count * 3, "{compiled} of {count}");
}

#[test]
fn conformance_cases_stay_the_same_programs() {
    let scripts = scripts(&root().join("tests/cases/wander"));
    let mut compiled = 0;
    for path in &scripts {
        let text = std::fs::read_to_string(path).unwrap();
        match wander::format(&text) {
            Ok(_) => compiled += usize::from(check(&path.display().to_string(), &text)),
            Err(diagnostics) => assert!(tree(&text).is_none() && !diagnostics.is_empty()),
        }
    }
    // Most of them can be compiled without the world that they run in.
    assert!(compiled * 2 >= scripts.len(), "{compiled} of {}", scripts.len());
}

/// Formatting keeps what a text says, and is done at once. Whether the text could be compiled: then the program is the
/// same too.
fn check(what: &str, text: &str) -> bool {
    let formatted = match wander::format(text) {
        Ok(formatted) => formatted,
        Err(diagnostics) => panic!("{what}: {}", diagnostics[0].render(what, text)),
    };
    let shown = format!("{what}\n{text}===>\n{formatted}");
    assert_eq!(tree(&formatted), tree(text), "the tree of {shown}");
    assert_eq!(comments(&formatted), comments(text), "the comments of {shown}");
    let again = wander::format(&formatted).unwrap();
    assert!(again == formatted, "formatting again changes {shown}===>\n{again}");
    assert_eq!(loose_spaces(&formatted), None, "spaces at the end of a line of {shown}");
    assert!(!formatted.starts_with('\n') && !formatted.ends_with("\n\n"), "empty lines around {shown}");
    assert!(formatted.is_empty() || formatted.ends_with('\n'), "no end of the last line of {shown}");
    let program = instructions(text);
    assert_eq!(instructions(&formatted), program, "the program of {shown}");
    program.is_some()
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Every script of a folder and the folders in it, in order.
fn scripts(folder: &Path) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = Vec::new();
    for entry in std::fs::read_dir(folder).into_iter().flatten() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(scripts(&path));
        } else if path.extension().is_some_and(|extension| extension == "wander") {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// The syntax tree of a text as text, without places and doc comments; nothing for a text that is no program.
fn tree(text: &str) -> Option<String> {
    let (file, diagnostics) = parser::parse_file(text);
    if diagnostics.iter().any(wander::Diagnostic::is_error) {
        return None;
    }
    let shown = format!("{file:?}");
    let mut parts = shown.split("Span {");
    let mut tree = parts.next().unwrap().to_owned();
    for part in parts {
        tree.push_str(part.split_once('}').unwrap().1);
    }
    // A comment in a place of its own may turn into a doc comment or cease to be one.
    let mut parts = tree.split(", doc: \"");
    let mut without = parts.next().unwrap().to_owned();
    for part in parts {
        let mut escaped = false;
        let end = part.find(|letter| {
            let ends = letter == '"' && !escaped;
            escaped = letter == '\\' && !escaped;
            ends
        });
        without.push_str(&part[end.unwrap()..]);
    }
    Some(without)
}

fn tokens(text: &str) -> Vec<Spanned> {
    lexer::lex(text, 0).tokens.into_iter().filter(|spanned| spanned.token != Token::Break).collect()
}

/// Where something may be put between two tokens.
fn places(text: &str) -> Vec<usize> {
    tokens(text).iter().map(|spanned| spanned.span.start as usize).collect()
}

/// The comments of a text, in order.
fn comments(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut end = 0;
    for spanned in tokens(text) {
        let gap = &text[end..spanned.span.start as usize];
        found.extend(gap.lines().filter_map(|line| Some(line[line.find("--")?..].trim_end())));
        end = spanned.span.end as usize;
    }
    found
}

/// The first line of a text with spaces at its end that are no part of a string.
fn loose_spaces(text: &str) -> Option<&str> {
    let tokens = tokens(text);
    let mut start = 0;
    text.split_inclusive('\n').find(|line| {
        let end = (start + line.trim_end().len()) as u32;
        start += line.len();
        let spaces = line.trim_end_matches('\n').len() > line.trim_end().len();
        spaces && !tokens.iter().any(|spanned| spanned.span.start < end && end < spanned.span.end)
    })
}

/// What a text compiles to, without its places; nothing where it does not compile.
fn instructions(text: &str) -> Option<String> {
    let environment = environment(text);
    let read = |name: &str| {
        let cases = root().join("tests/cases/wander");
        let games = root().join("assets/games/lantern-keep/scripts");
        let name = format!("{name}.wander");
        let path = [cases, games].map(|folder| folder.join(&name)).into_iter().find(|path| path.is_file())?;
        Some((name, std::fs::read_to_string(path).unwrap()))
    };
    [Kind::Entity, Kind::Module, Kind::Tool].into_iter().find_map(|kind| {
        let program = Loader::new(&environment, &read).compile(kind, "script.wander", text)?;
        Some(shown(&program))
    })
}

fn shown(program: &Program) -> String {
    let mut text = format!("{:?}\n{:?}\n{:?}", program.constants, program.names, program.handlers);
    for code in &program.functions {
        text.push_str(&format!("\n{} {:?} {:?}", code.name, code.captures, code.instructions));
    }
    text
}

/// A host that has whatever a script asks of an area, and what scripts use besides.
fn environment(text: &str) -> Environment {
    const AREAS: [&str; 8] = ["audio", "input", "physics", "save", "scene", "tween", "time", "ui"];
    const FREE: &str = "print log warn find find_all find_near nearest send emit destroy clone spawn_entity raycast \
        overlap distance direction";
    const METHODS: &str = "move look_at play get set has_tag add_tag remove_tag destroy distance_to";
    const PROPERTIES: &str =
        "id name tags pos rot scale parent children forward visible velocity on_ground vars";
    let function = |area, name, property| HostFunction {
        area,
        name,
        arity: (0, 9),
        acts: Acts::Changes,
        property,
        doc: "",
    };
    let mut functions: Vec<HostFunction> =
        FREE.split_whitespace().map(|name| function("", name, false)).collect();
    let tokens = tokens(text);
    let mut seen = BTreeSet::new();
    for window in tokens.windows(4) {
        let [Token::Name(area), Token::Sign(Sign::Dot), Token::Name(name), next] =
            [0, 1, 2, 3].map(|index| &window[index].token)
        else {
            continue;
        };
        if let Some(area) = AREAS.into_iter().find(|known| known == area)
            && seen.insert((area, name.clone()))
        {
            let property = *next != Token::Sign(Sign::Open);
            functions.push(function(area, Box::leak(name.clone().into_boxed_str()), property));
        }
    }
    Environment {
        functions,
        methods: METHODS.split_whitespace().map(|name| function("", name, false)).collect(),
        properties: PROPERTIES
            .split_whitespace()
            .map(|name| HostProperty { name, writable: true, doc: "" })
            .collect(),
        handlers: [("start", &[][..]), ("update", &["dt"]), ("enter", &["other"])]
            .map(|(name, params)| HostHandler { name, params, doc: "" })
            .to_vec(),
    }
}
