//! What the index of names says of texts, whole ones and such as somebody is writing.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test may panic")]

use wander::index::{DefinitionKind, Index, Shape, Target, apply, check_name};

/// The definition whose name is written at the `$` of a text, and the text without it.
fn marked(text: &str) -> (String, u32) {
    let at = text.find('$').unwrap();
    (text.replacen('$', "", 1), at as u32)
}

/// The line, from 1, on which the name at the `$` is declared.
fn declared_on(text: &str) -> Option<usize> {
    let (text, at) = marked(text);
    let index = Index::new(&text);
    match &index.reference_at(at).unwrap().target {
        Target::Definition(number) => {
            let start = index.definitions[*number].span.start as usize;
            Some(text[..start].matches('\n').count() + 1)
        }
        Target::Free(_) => None,
    }
}

/// The text with the name at the `$` renamed, or why not.
fn renamed(text: &str, name: &str) -> Result<String, String> {
    let (text, at) = marked(text);
    let index = Index::new(&text);
    let number = index.definition_at(at).unwrap_or_else(|| match index.reference_at(at).unwrap().target {
        Target::Definition(number) => number,
        Target::Free(_) => panic!("nothing is declared"),
    });
    index.rename(&text, number, name, &[]).map(|fixes| apply(&text, &fixes)).map_err(|reason| reason.0)
}

#[test]
fn names_mean_what_the_compiler_takes_them_for() {
    let cases: &[(&str, Option<usize>)] = &[
        ("let x = 1\nfn f(x)\n  return $x\nend\n", Some(2)),
        ("let x = 1\nfn f()\n  let x = $x\n  return x\nend\n", Some(1)),
        ("fn f()\n  do\n    let x = 1\n  end\n  return $x\nend\n", None),
        ("fn f()\n  return $g()\n  fn g() => 1\nend\n", Some(3)),
        ("fn f()\n  return $g()\nend\nfn g() => 1\n", Some(4)),
        ("fn f(a, b = $a) => b\n", Some(1)),
        ("fn f()\n  for i, x in [1]\n    print(f\"{$x}\")\n  end\nend\n", Some(2)),
        ("fn f()\n  try\n    g()\n  catch e\n    print($e)\n  end\nend\nfn g()\nend\n", Some(4)),
        ("fn f(x)\n  match x\n    case 1\n      let y = 2\n    else\n      print($y)\n  end\nend\n", None),
        ("use \"lib/steering\" as st\nfn f() => $st.x\n", Some(1)),
        ("fn f()\n  return fn(y)\n    return fn() => $y\n  end\nend\n", Some(2)),
    ];
    for (text, line) in cases {
        assert_eq!(declared_on(text), *line, "{text}");
    }
}

#[test]
fn texts_that_are_being_written_still_have_names() {
    // A statement that cannot be read is lost, what stands around it is not.
    let (text, at) = marked("fn f(first)\n  let second = 2\n  second.\n  $\nend\nfn g()\nend\n");
    let index = Index::new(&text);
    assert!(index.is_broken());
    let names: Vec<&str> =
        index.visible(at).into_iter().map(|number| index.definitions[number].name.as_str()).collect();
    assert_eq!(names, ["second", "first", "g", "f"]);
    assert!(index.find("second", at).is_some() && index.find("third", at).is_none());
    // No end, no beginning, nothing at all.
    for text in
        ["fn f(a\n", "on update(dt)\n  let x = (", "use", "use \"", "let", "end end", "f\"{", "", "\u{0}"]
    {
        let index = Index::new(text);
        index.visible(text.len() as u32);
    }
    assert!(Index::new(&"x".repeat(300_000)).definitions.is_empty());
}

#[test]
fn doc_comments_belong_to_the_next_declaration() {
    let text = "--- One.\n--- Two.\nfn f() => 1\nprop a = 1 --- a's\nprop b = 2\n\n--- apart\n\nconst C = 3\r\n--- D's\r\nconst D = 4\n";
    let index = Index::new(text);
    let docs: Vec<(&str, &str)> =
        index.definitions.iter().map(|known| (known.name.as_str(), known.doc.as_str())).collect();
    assert_eq!(docs, [("f", "One.\nTwo."), ("a", "a's"), ("b", ""), ("C", ""), ("D", "D's")]);
}

#[test]
fn declarations_reach_to_their_end() {
    let text = "on start()\n  wait(1)\nend\nfn f(a, b = 2)\n  fn g() => 1\nend\nprop p = 1 in 0..2\n";
    let index = Index::new(text);
    let wholes: Vec<&str> = index.definitions.iter().map(|known| known.whole.text(text)).collect();
    assert_eq!(
        wholes,
        [
            "on start()\n  wait(1)\nend",
            "fn f(a, b = 2)\n  fn g() => 1\nend",
            "prop p = 1 in 0..2",
            "a",
            "b = 2",
            "fn g() => 1"
        ]
    );
}

#[test]
fn renaming_keeps_what_a_text_means() {
    let cases: &[(&str, &str, &str)] = &[
        ("fn f($x)\n  return {x, y: x}\nend\n", "n", "fn f(n)\n  return {x: n, y: n}\nend\n"),
        (
            "fn f($x)\n  return {x: x, -- x:\n    z: [x]}\nend\n",
            "n",
            "fn f(n)\n  return {x: n, -- x:\n    z: [n]}\nend\n",
        ),
        ("fn f($x) => f\"{{x}} {x:.1} {[x, {x}]}\"\n", "n", "fn f(n) => f\"{{x}} {n:.1} {[n, {x: n}]}\"\n"),
        ("use \"lib/a\"\nfn f() => $a.x\n", "b", "use \"lib/a\" as b\nfn f() => b.x\n"),
        ("use \"lib/a\" as c\nfn f() => $c.c\n", "b", "use \"lib/a\" as b\nfn f() => b.c\n"),
        (
            "let $x = \"🎈\"\r\nfn f() => x + \"é\" + (x)\r\n",
            "y",
            "let y = \"🎈\"\r\nfn f() => y + \"é\" + (y)\r\n",
        ),
    ];
    for (text, name, wanted) in cases {
        assert_eq!(renamed(text, name).as_deref(), Ok(*wanted), "{text}");
    }
}

#[test]
fn what_cannot_be_renamed_says_why() {
    let cases: &[(&str, &str, &str)] = &[
        ("fn f($x, y) => x + y\n", "y", "already"),
        ("let y = 1\nfn f($x) => x + y\n", "y", "`y` already means something else here"),
        ("fn f($x) => abs(x)\n", "abs", "`abs` already means something else here"),
        ("fn f($x)\n  let y = x\n  return y\nend\n", "y", "already"),
        ("fn f($x) => x\n", "end", "`end` is a keyword"),
        ("fn f($x) => x\n", "2x", "is no name"),
        ("fn f($x) => x\n", "é", "is no name"),
        ("on $start()\nend\n", "begin", "named after its event"),
        ("fn f($x) => x +\n", "y", "mend them first"),
    ];
    for (text, name, reason) in cases {
        let refused = renamed(text, name).unwrap_err();
        assert!(refused.contains(reason), "{text}: {refused}");
    }
    assert!(check_name("").is_err() && check_name("_").is_ok());
}

#[test]
fn shapes_say_what_values_look_like() {
    let text = "let a = (1, 2, 3)\nlet b = nil\nfn f()\n  b = find(\"x\")\n  for e in find_all(\"y\")\n    e.x = 1\n  end\n  return {p: a}.p\nend\n";
    let index = Index::new(text);
    let shape = |name: &str| {
        index.definitions.iter().find(|known| known.name == name).map(|known| known.shape.clone()).unwrap()
    };
    assert_eq!(shape("a"), Shape::Vector(3));
    assert_eq!(shape("b"), Shape::Call(Box::new(Shape::Free("find".to_owned()))));
    let all = Shape::Call(Box::new(Shape::Free("find_all".to_owned())));
    assert_eq!(shape("e"), Shape::Element(Box::new(all)));
    assert_eq!(index.definitions.iter().filter(|known| known.kind == DefinitionKind::Loop).count(), 1);
}

#[test]
fn events_are_known_by_their_literal_names() {
    let text =
        "on start()\n  emit(\"a\")\n  send(self, \"b\", {})\n  let x = wait_event(\"c\")\n  emit(x)\nend\n";
    let index = Index::new(text);
    let events: Vec<(&str, bool)> =
        index.events.iter().map(|event| (event.name.as_str(), event.is_waited_for)).collect();
    assert_eq!(events, [("a", false), ("b", false), ("c", true)]);
    assert!(index.uses_self);
}
