//! Lines that nobody should send: each costs an error, none the session.

use std::time::{Duration, Instant};

use base::link::DoorKind;
use mcp::Limits;
use serde_json::{Value, json};

use crate::client::Client;
use crate::fake::{fake, fake_with};

fn still_alive(client: &mut Client) {
    let answer = client.call("alive", "echo", json!({"text": "still here"}));
    assert_eq!(answer["result"]["structuredContent"]["text"], "still here");
}

#[test]
fn bombs_of_every_shape_are_answered_and_the_session_goes_on() {
    let fake = fake();
    let mut client = Client::hello(&fake.path, "a");
    let call = |arguments: &str| {
        format!(
            r#"{{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {{"name": "echo", "arguments": {arguments}}}}}"#
        )
    };
    // What is JSON and asks for something is answered under its own id, so that nobody waits in vain.
    let unreadable = (json!(-32700), Value::Null);
    let refused = (json!(-32600), json!(1));
    for (bomb, wanted) in [
        ("[".repeat(1_000_000), &unreadable),
        (call(&r#"{"a":"#.repeat(1_000_000)), &unreadable),
        (call(&format!("{{\"a\": [{}1]}}", "1,".repeat(500_000))), &refused),
        (call(r#"{"text": "a", "text": "b"}"#), &refused),
        (call(r#"{"count": 1e400}"#), &refused),
        (call(r#"{"count": 99999999999999999999}"#), &refused),
        ("\u{feff}{}".to_owned(), &unreadable),
        ("\0\0\0".to_owned(), &unreadable),
        ("x".repeat(9 << 20), &unreadable),
    ] {
        client.raw(&bomb);
        let answer = client.next();
        let shown: String = bomb.chars().take(120).collect();
        assert_eq!((&answer["error"]["code"], &answer["id"]), (&wanted.0, &wanted.1), "{shown}");
        assert!(answer.to_string().len() < 1_000, "{shown}");
    }
    still_alive(&mut client);
    assert_eq!(fake.seen().calls, 1);
}

#[test]
fn bytes_that_are_no_text_are_answered() {
    use std::io::Write;
    let fake = fake();
    let mut client = Client::hello(&fake.path, "a");
    client.stream.write_all(b"{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"\xff\xfe\"}\n").unwrap();
    assert_eq!(client.next()["error"]["code"], -32700);
    still_alive(&mut client);
}

#[test]
fn long_names_are_neither_searched_for_nor_repeated() {
    let fake = fake();
    let mut client = Client::hello(&fake.path, "a");
    let long = "z".repeat(4 << 20);
    let keys: serde_json::Map<String, Value> =
        (0..50_000).map(|number| (format!("txet{number}"), 1.into())).collect();
    let mut long_key = serde_json::Map::new();
    long_key.insert(long.clone(), 1.into());
    let started = Instant::now();
    for (method, params) in [
        (long.as_str(), json!({})),
        ("tools/call", json!({"name": long})),
        ("tools/call", json!({"name": "echo", "arguments": long_key})),
        ("tools/call", json!({"name": "echo", "arguments": keys})),
        ("tools/call", json!({"name": "echo", "arguments": {"count": long}})),
        ("logging/setLevel", json!({"level": long})),
        ("tools/list", json!({"cursor": long})),
    ] {
        let answer = client.ask(1, method, params);
        let is_error = answer.get("error").is_some() || answer["result"]["isError"] == true;
        let shown: String = answer.to_string().chars().take(300).collect();
        assert!(is_error && answer.to_string().len() < 20_000, "{shown}");
    }
    // Unoptimised; comparing all of it would take hours.
    assert!(started.elapsed() < Duration::from_secs(60), "{:?}", started.elapsed());
    still_alive(&mut client);
}

#[test]
fn ids_that_cannot_be_given_back_as_they_came_are_refused() {
    let fake = fake();
    let mut client = Client::hello(&fake.path, "a");
    for id in [json!(null), json!(1.5), json!([1]), json!({}), json!(true), json!("x".repeat(300))] {
        let answer = client.ask(id.clone(), "ping", json!({}));
        assert_eq!((&answer["error"]["code"], &answer["id"]), (&json!(-32600), &Value::Null), "{id}");
    }
    for id in [json!(0), json!(-1), json!(u64::MAX), json!(""), json!("ä\n")] {
        assert_eq!(client.ask(id.clone(), "ping", json!({}))["id"], id);
    }
}

#[test]
fn a_batch_too_large_is_refused_as_a_whole() {
    let fake = fake();
    let mut client = Client::connect(&fake.path);
    client.initialize("2025-03-26", "a");
    let one = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"});
    client.raw(&Value::Array(vec![one; 65]).to_string());
    assert_eq!(client.next()["error"]["code"], -32600);
    still_alive(&mut client);
}

#[test]
fn lines_cut_into_single_bytes_are_read_and_carriage_returns_are_no_matter() {
    use std::io::Write;
    let fake = fake();
    let mut client = Client::hello(&fake.path, "a");
    let line = json!({"jsonrpc": "2.0", "id": 5, "method": "ping"}).to_string();
    for byte in format!("\r\n  \n{line}\r\n").as_bytes() {
        client.stream.write_all(&[*byte]).unwrap();
    }
    assert_eq!(client.next()["id"], 5);
}

#[test]
fn a_client_too_many_is_told_and_turned_away() {
    let fake = fake_with(DoorKind::Agent, Limits { clients: 2, ..Limits::default() });
    let (mut first, second) = (Client::hello(&fake.path, "a"), Client::hello(&fake.path, "b"));
    let mut third = Client::connect(&fake.path);
    assert_eq!(third.next()["error"]["code"], -32000);
    assert_eq!(third.line(), "");
    drop(second);
    fake.wait(|seen| seen.closed == 1);
    still_alive(&mut first);
    let mut fourth = Client::connect(&fake.path);
    assert_eq!(fourth.ask(1, "ping", json!({}))["id"], 1);
}

#[test]
fn lines_damaged_in_any_way_never_end_a_session_or_bring_out_a_broken_line() {
    let fake = fake();
    let mut client = Client::connect(&fake.path);
    client.initialize("2025-03-26", "a");
    let good = [
        r#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"echo","arguments":{"text":"é","count":2}}}"#,
        r#"[{"jsonrpc":"2.0","id":8,"method":"ping"},{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}]"#,
        r#"{"jsonrpc":"2.0","id":"x","method":"tools/list","params":{"cursor":"after:echo","_meta":{"progressToken":1}}}"#,
        r#"{"jsonrpc":"2.0","id":9,"method":"logging/setLevel","params":{"level":"info"}}"#,
    ];
    // The same damage in every run.
    let mut state: u64 = 0x9e37_79b9_7f4a_7c15;
    let mut random = |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % below as u64) as usize
    };
    for round in 0..3_000 {
        let mut line = good[random(good.len())].as_bytes().to_vec();
        for _ in 0..=random(3) {
            let place = random(line.len());
            match random(4) {
                0 => line[place] = random(256) as u8,
                1 => line.truncate(place + 1),
                2 => line.extend_from_within(place..),
                _ => drop(line.remove(place)),
            }
            if line.is_empty() {
                line.push(b'{');
            }
        }
        use std::io::Write;
        line.push(b'\n');
        client.stream.write_all(&line).unwrap();
        // Whatever came out of it, the next request is answered after it, and every line in between can be read.
        let id = format!("round {round}");
        client.post(id.clone(), "ping", json!({}));
        while client.next()["id"] != id {}
    }
    still_alive(&mut client);
}
