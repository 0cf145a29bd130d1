//! No program can hang the machine, exhaust memory or overflow a stack.

use super::world::run;

#[test]
fn each_limit_ends_the_program_with_its_code() {
    let nested = format!("return {}1{}", "[".repeat(5000), "]".repeat(5000));
    let chain = format!("let r = {{}}\nreturn r{}", ".a".repeat(5000));
    let long = format!("return 1{}", " + 1".repeat(60000));
    let sum = format!("return 1{}", " + 1".repeat(200));
    for (code, expected) in [
        ("while true\nend", "E501"),
        ("fn f(n) => f(n + 1)\nreturn f(0)", "E504"),
        (
            "let l = []\nwhile true\n  l.push(\"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\" + l.length)\nend",
            "E50",
        ),
        ("let s = \"x\"\nwhile true\n  s = s + s\nend", "E50"),
        ("let l = [1]\nl.push(l)\nreturn l", "E506"),
        ("return \"x\".repeat(100000000)", "E502"),
        ("return list.of(100000000, 0)", "E502"),
        ("for i in 0..1000000\n  spawn(fn() => wait(1))\nend", "E507"),
        (&nested, "E506"),
        (&chain, "E506"),
        (&long, "E506"),
    ] {
        let result = run(code);
        let head: String = result.chars().take(60).collect();
        assert!(result.starts_with(expected), "{} gave {head}", code.chars().take(60).collect::<String>());
    }
    assert_eq!(run(&sum), "201");
}

#[test]
fn limits_cannot_be_caught() {
    let result = run("try\n  while true\n  end\ncatch e\n  return \"caught\"\nend");
    assert!(result.starts_with("E501"), "{result}");
}

#[test]
fn a_list_that_contains_itself_prints_and_compares() {
    assert_eq!(
        run("let a = [1]\na.push(a)\nlet b = [1]\nb.push(b)\nreturn [text(a).length > 3, a == b]"),
        "[true,true]"
    );
}
