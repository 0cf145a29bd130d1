//! Templates as callers write them, and the words that they get back.

use serde_json::json;

use super::*;
use crate::boundary::from_json_as_is;
use crate::machine::NoHost;

/// What a template comes to where `args` is given.
fn filled(template: &Json, args: &Json) -> Result<Json, Vec<String>> {
    let environment = Arc::new(Environment::default());
    let line = |problem: &Problem| {
        let place = &problem.place;
        let (path, line, column) = (place.path.clone().unwrap_or_default(), place.line, place.column);
        format!(
            "{} {path}:{}:{} {}",
            problem.code,
            line.unwrap_or(0),
            column.unwrap_or(0),
            problem.message.lines().next().unwrap_or_default()
        )
    };
    let compiled = Template::new(template, &["args"], &environment)
        .map_err(|problems| problems.iter().map(line).collect::<Vec<_>>())?;
    let mut machine = Machine::new(environment, 1, 60.0);
    let args = from_json_as_is(&mut machine.heap, args);
    let mut fuel = 10_000;
    let first = compiled.fill(&[args], &mut machine, &mut NoHost, &mut fuel);
    let second = compiled.fill(&[args], &mut machine, &mut NoHost, &mut fuel);
    assert_eq!(first, second, "filling in twice gives the same");
    first.map_err(|problem| vec![line(&problem)])
}

fn ok(template: Json, args: Json, expected: Json) {
    assert_eq!(filled(&template, &args), Ok(expected), "{template}");
}

fn fails(template: Json, args: Json, expected: &[&str]) {
    assert_eq!(filled(&template, &args).unwrap_err(), expected, "{template}");
}

#[test]
fn a_string_that_is_one_expression_has_its_type() {
    ok(json!("{{args.n}}"), json!({"n": 3}), json!(3));
    ok(json!("{{ args.list }}"), json!({"list": [1, "a", null]}), json!([1, "a", null]));
    ok(json!("{{args.a.b.c}}"), json!({"a": {"b": {"c": true}}}), json!(true));
    ok(json!("{{args.missing}}"), json!({}), json!(null));
    ok(json!("{{(1, 2, 3)}}"), json!({}), json!([1, 2, 3]));
    ok(json!("{{#ff8800}}"), json!({}), json!("#ff8800"));
}

#[test]
fn expressions_among_text_become_text() {
    ok(json!("hp {{args.hp}} of {{args.max}}!"), json!({"hp": 2.5, "max": 10}), json!("hp 2.5 of 10!"));
    ok(json!("{{args.a}}{{args.a}}"), json!({"a": 1}), json!("11"));
    ok(json!(" {{args.a}}"), json!({"a": 1}), json!(" 1"));
    ok(json!("{{args.name ?? \"nobody\"}} came"), json!({}), json!("nobody came"));
}

#[test]
fn json_passes_untouched() {
    let ids = json!({"ids": [16_777_217, 16_777_219, 33_554_433]});
    ok(json!({"ids": "{{args.ids}}"}), ids.clone(), ids);
    ok(
        json!({"{{key}}": [1, {"deep": "{{args.x}}"}], "b": null}),
        json!({"x": 1}),
        json!({"{{key}}": [1, {"deep": 1}], "b": null}),
    );
}

#[test]
fn braces_of_the_expression_do_not_end_it() {
    ok(json!("{{ {a: {b: 1}}}}"), json!({}), json!({"a": {"b": 1}}));
    ok(json!("{{\"}}\"}}"), json!({}), json!("}}"));
    ok(json!("{{'a}}' + \"{{\"}}"), json!({}), json!("a}}{{"));
    ok(json!("{{f\"{args.n}}}\"}}"), json!({"n": 1}), json!("1}"));
    ok(json!("one } and two }} are text"), json!({}), json!("one } and two }} are text"));
    ok(json!("{{\"{{\"}}args{{\"}}\"}}"), json!({}), json!("{{args}}"));
}

#[test]
fn nil_among_text_names_the_expression() {
    fails(
        json!({"text": ["hello {{ args.name }}"]}),
        json!({}),
        &["E330 text[0]:1:9 `{{args.name}}` is nil, and nil cannot stand in text"],
    );
}

#[test]
fn faults_carry_the_place_in_their_string() {
    fails(
        json!({"a": {"b": "1\n{{args.list[3]}}"}}),
        json!({"list": [1]}),
        &["E303 a.b:2:3 `{{args.list[3]}}`: index 3 is out of range: there are 1 elements, 0 to 0"],
    );
    fails(
        json!("{{args.a.b}}"),
        json!({}),
        &["E301 :1:3 `{{args.a.b}}`: `args.a` is nil, so `.b` cannot be read"],
    );
}

#[test]
fn everything_that_is_wrong_is_told_at_once() {
    fails(
        json!([
            "{{rags.x}}",
            "{{",
            "{{ }}",
            "a {{args.x",
            "{{args.x 2}}",
            "{{12ab}}",
            "{{ 'a }}",
            "{{ (1 }}"
        ]),
        json!({}),
        &[
            "E201 [0]:1:3 unknown name `rags` · template:1:3",
            "E103 [1]:1:1 `{{` is never closed · template:1:1",
            "E101 [2]:1:1 nothing stands between `{{` and `}}` · template:1:1",
            "E103 [3]:1:3 `{{` is never closed · template:1:3",
            "E101 [4]:1:10 expected the end of the expression, found `2` · template:1:10",
            "E104 [5]:1:3 `12ab` is no number · template:1:3",
            "E103 [6]:1:4 the string is never closed on its line · template:1:4",
            "E101 [7]:1:7 expected `)` after the value, found `}}` · template:1:7",
        ],
    );
}

#[test]
fn expressions_only_look() {
    fails(
        json!(["{{fn(x) => x}}", "{{wait(1)}}", "{{args.list.map(fn(e) => e)}}", "{{spawn(args)}}"]),
        json!({"list": []}),
        &[
            "E412 [0]:1:3 a template has no functions of its own · template:1:3",
            "E411 [1]:1:3 `wait` cannot wait inside a template · template:1:3",
            "E412 [2]:1:17 a template has no functions of its own · template:1:17",
            "E412 [3]:1:3 `spawn` changes the world, and a template only looks · template:1:3",
        ],
    );
}

#[test]
fn what_is_too_deep_or_too_long_is_refused() {
    let mut deep = json!("{{args}}");
    for _ in 0..=MOST_DEPTH {
        deep = json!([deep]);
    }
    let problems = filled(&deep, &json!({})).unwrap_err();
    assert!(problems.len() == 1 && problems[0].starts_with("E506 "), "{problems:?}");
    fails(
        json!(format!("{}{{{{args}}}}", " ".repeat(MOST_SOURCE))),
        json!({}),
        &["E508 :0:0 the text has 262152 bytes, at most 262144 are read"],
    );
}

#[test]
fn a_budget_holds_for_all_expressions_together() {
    let environment = Arc::new(Environment::default());
    let template = Template::new(&json!(vec!["{{text(1)}}"; 100]), &[], &environment).unwrap();
    let mut machine = Machine::new(environment, 1, 60.0);
    let mut fuel = 300;
    let problem = template.fill(&[], &mut machine, &mut NoHost, &mut fuel).unwrap_err();
    assert_eq!(problem.code, "E501");
}
