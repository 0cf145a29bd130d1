//! Findings as people read them, whole.

use wander::Kind;

use super::world::compile;

#[test]
fn a_misspelled_name_shows_its_place_and_the_name_that_was_meant() {
    let source = "fn run(args)\n  let radius = 3\n  for e in find_all(\"enemy\")\n    -- near?\n    if distance(e, args) <= raduis then\n      print(e)\n    end\n  end\nend\n";
    assert_eq!(
        compile(Kind::Tool, source).unwrap_err(),
        "E201 unknown name `raduis` · scripts/test.wander:5:29\n  5 |     if distance(e, args) <= raduis then\n    |                             ^^^^^^ not declared here\n  hint: did you mean `radius`? (declared on line 2)"
    );
}

/// One line each: the code and what is said.
#[test]
fn every_fault_of_a_file_is_found_at_once() {
    let source = "fn run(args)\n  let a = 1\n  let a = 2\n  b = 3\n  a == 4\n  if a < 1 < 2 then return end\n  break\n  const K = 1\n  K = 2\n  distance(1)\n  return self\nend\n";
    let text = compile(Kind::Tool, source).unwrap_err();
    let heads: Vec<&str> = text
        .lines()
        .filter(|line| line.starts_with('E'))
        .map(|line| line.split(" · ").next().unwrap())
        .collect();
    assert_eq!(
        heads,
        [
            "E202 `a` is already declared in this block",
            "E201 unknown name `b`",
            "E106 this value is computed and thrown away",
            "E107 comparisons do not chain",
            "E205 `break` outside of a loop",
            "E204 `K` is a `const` and cannot be set",
            "E203 `distance` needs 2 arguments, given 1",
            "E210 `self` exists in entity scripts only",
        ]
    );
}

#[test]
fn words_of_other_languages_are_answered_with_ours() {
    for (source, hint) in [
        ("fn run(args)\n  local x = 1\n  return x\nend", "write `let`"),
        ("fn run(args)\n  return args != null\nend", "write `nil`"),
        ("fn run(args)\n  return args && true\nend", "write `and`"),
        ("fn run(args)\n  return !args\nend", "write `not`"),
        ("fn run(args)\n  // hello\n  return 1\nend", "comments start with `--`"),
        ("fn run(args)\n  return \"a\" .. \"b\"\nend", "join text with `+`"),
        ("fn run(args)\n  for i = 1, 10 do print(i) end\nend", "write `for i in 1..=10`"),
        ("fn run(args)\n  args:go()\nend", "write `.`"),
        ("function run(args)\n  return 1\nend", "write `fn`"),
        ("fn run(args)\n  if args { return 1 }\nend", "write `then` and close the block with `end`"),
    ] {
        let text = compile(Kind::Tool, source).unwrap_err();
        assert!(text.contains(&format!("hint: {hint}")), "{source}\n---\n{text}");
    }
}

#[test]
fn a_missing_end_names_the_line_that_was_opened_and_where_it_should_be() {
    let source = "fn run(args)\n  if args then\n    print(1)\nend\n\nfn other()\n  return 1\nend\n";
    let text = compile(Kind::Tool, source).unwrap_err();
    assert!(text.contains("E101") || text.contains("E102"), "{text}");
    let source = "fn run(args)\n  while args\n    print(1)\n";
    let text = compile(Kind::Tool, source).unwrap_err();
    assert!(text.starts_with("E102 the `while` on line 2 has no `end`"), "{text}");
}

#[test]
fn modules_give_their_public_names_and_a_circle_is_named() {
    assert!(compile(Kind::Tool, "use \"lib/walk\"\nfn run(args) => walk.step((0, 0, 0), (1, 0, 0))").is_ok());
    let private = compile(Kind::Tool, "use \"lib/walk\" as w\nfn run(args) => w._own()").unwrap_err();
    assert!(private.contains("E216 the module `w` has no `_own`"), "{private}");
    let missing = compile(Kind::Tool, "use \"lib/none\"\nfn run(args) => 1").unwrap_err();
    assert!(missing.contains("E217 there is no module `lib/none`"), "{missing}");
    let ring = compile(Kind::Tool, "use \"lib/ring\"\nfn run(args) => 1").unwrap_err();
    assert!(
        ring.contains("E130 modules use each other in a circle: lib/ring.wander → lib/ring.wander"),
        "{ring}"
    );
}
