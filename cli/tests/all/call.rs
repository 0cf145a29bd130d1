//! `skywalker call --attach`.

use mcp::Limits;
use serde_json::{Value, json};

use crate::fake::{fake, run};

#[test]
fn a_result_is_json_on_standard_output_and_the_caller_has_its_name() {
    let fake = fake(Limits::default());
    let plain = run(&fake, &["call", "echo", r#"{"text": "hello"}"#, "--attach", "SOCKET"]);
    assert_eq!((plain.code, plain.err.as_str()), (0, ""));
    let result: Value = serde_json::from_str(&plain.out).unwrap();
    assert_eq!(result, json!({"text": "hello", "actor": "mcp:skywalker-call"}));
    assert!(plain.out.lines().count() > 1, "it is laid out for reading");

    let named = run(&fake, &["call", "echo", "--attach", "SOCKET", "--as", "ann/critic"]);
    let result: Value = serde_json::from_str(&named.out).unwrap();
    assert_eq!(result, json!({"text": null, "actor": "mcp:ann/critic"}));
}

#[test]
fn a_tool_that_fails_ends_with_one_and_says_what_to_do() {
    let fake = fake(Limits::default());
    let failed = run(&fake, &["call", "fail", "--attach", "SOCKET"]);
    assert_eq!((failed.code, failed.out.as_str()), (1, ""));
    assert_eq!(failed.err, "broken: it broke\\u{1b}[2J\nhint: mend it\n", "and nothing acts on the terminal");

    let unknown = run(&fake, &["call", "ecoh", "--attach", "SOCKET"]);
    assert_eq!((unknown.code, unknown.out.as_str()), (1, ""));
    assert_eq!(unknown.err, "there is no tool `ecoh`: did you mean `echo`?\n");

    let wrong = run(&fake, &["call", "echo", r#"{"txet": 1}"#, "--attach", "SOCKET"]);
    assert_eq!(wrong.code, 1);
    assert!(
        wrong.err.contains("unknown key `txet`") && wrong.err.contains("did you mean `text`?"),
        "{}",
        wrong.err
    );
}

#[test]
fn wrong_use_ends_with_two() {
    let fake = fake(Limits::default());
    for (arguments, said) in [
        (&["call", "echo", "[1]", "--attach", "SOCKET"][..], "the arguments are no JSON object"),
        (&["call", "echo", "{", "--attach", "SOCKET"], "the arguments are no JSON object"),
        (&["call", "echo"], "--project <DIR>"),
        (&["call", "echo", "--project", "x", "--attach", "SOCKET"], "cannot be used with"),
        (&["call", "echo", "--project", "x", "--as", "a"], "cannot be used with"),
        (&["call"], "<TOOL>"),
        (&["mcp"], "--attach"),
        (&["fly"], "unrecognized subcommand"),
    ] {
        let wrong = run(&fake, arguments);
        assert_eq!((wrong.code, wrong.out.as_str()), (2, ""), "{arguments:?}: {}", wrong.err);
        assert!(wrong.err.contains(said), "{arguments:?}: {}", wrong.err);
    }
}

#[test]
fn nobody_there_ends_with_three_and_says_how_to_start_somebody() {
    let fake = fake(Limits { clients: 0, ..Limits::default() });
    let missing = run(&fake, &["call", "echo", "--attach", "no/such.sock"]);
    assert_eq!((missing.code, missing.out.as_str()), (3, ""));
    assert!(missing.err.contains("nobody answers at no/such.sock"), "{}", missing.err);
    assert!(missing.err.contains("--agent-socket no/such.sock"), "{}", missing.err);

    let default = run(&fake, &["call", "echo", "--attach"]);
    assert_eq!(default.code, 3);
    assert!(default.err.contains("/.skywalker/editor.sock"), "{}", default.err);

    let turned_away = run(&fake, &["call", "echo", "--attach", "SOCKET"]);
    assert_eq!(turned_away.code, 3);
    assert!(turned_away.err.contains("clients are connected already"), "{}", turned_away.err);
}

#[test]
fn pictures_are_kept_where_asked_and_never_over_another_file() {
    let fake = fake(Limits::default());
    let told = run(&fake, &["call", "capture", "--attach", "SOCKET"]);
    assert_eq!((told.code, told.err.as_str()), (0, "2 pictures came with it; `--save DIR` keeps them\n"));

    let folder = fake.folder.path().join("shots");
    std::fs::create_dir(&folder).unwrap();
    std::fs::write(folder.join("capture-1.png"), "mine").unwrap();
    let saved = run(&fake, &["call", "capture", "--attach", "SOCKET", "--save", folder.to_str().unwrap()]);
    assert_eq!(saved.code, 0);
    assert_eq!(serde_json::from_str::<Value>(&saved.out).unwrap(), json!({"tick": 3}));
    assert_eq!(std::fs::read_to_string(folder.join("capture-1.png")).unwrap(), "mine");
    for number in 2..=3 {
        let path = folder.join(format!("capture-{number}.png"));
        assert_eq!(std::fs::read(&path).unwrap(), [0x89, b'P', b'N', b'G', 0]);
        assert!(saved.err.contains(&format!("picture: {}\n", path.display())), "{}", saved.err);
    }
    let file = fake.path.to_str().unwrap().to_owned() + ".lock";
    let failed = run(&fake, &["call", "capture", "--attach", "SOCKET", "--save", &file]);
    assert_eq!(failed.code, 1);
    assert!(failed.err.contains("cannot be written") && failed.err.contains("the call itself went well"));
}
