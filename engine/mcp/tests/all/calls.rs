//! Calls: who makes them, in which order, and how they end.

use std::time::Duration;

use base::link::DoorKind;
use mcp::{Limits, VERSIONS};
use serde_json::json;

use crate::client::Client;
use crate::fake::{catalogue, fake, fake_with};

#[test]
fn every_version_is_spoken_and_another_gets_the_newest() {
    let fake = fake();
    let spoken = VERSIONS.iter().map(|version| (*version, *version));
    for (asked, given) in spoken.chain([("2026-07-28", VERSIONS[0]), ("", VERSIONS[0])]) {
        let mut client = Client::connect(&fake.path);
        let result = client.initialize(asked, "a");
        assert_eq!(result["protocolVersion"], given);
        let tools = client.ask(2, "tools/list", json!({}))["result"]["tools"].clone();
        for tool in tools.as_array().unwrap() {
            assert_eq!(tool["_meta"]["skywalker/category"], "test", "{asked}");
            assert_eq!(tool["annotations"]["readOnlyHint"], true, "{asked}");
            assert!(tool["title"].is_string() && tool.get("outputSchema").is_none(), "{asked}");
        }
        assert!(client.call(3, "echo", json!({}))["result"]["structuredContent"].is_object());
    }
}

#[test]
fn the_listener_alone_decides_what_kind_of_actor_speaks() {
    for (door, name, actor) in [
        (DoorKind::Agent, "my-client/critic", "mcp:my-client/critic"),
        (DoorKind::Agent, "user", "mcp:user"),
        (DoorKind::Agent, "", "mcp:unnamed"),
        (DoorKind::User, "my-client/critic", "user"),
    ] {
        let fake = fake_with(door, Limits::default());
        let mut client = Client::hello(&fake.path, name);
        assert_eq!(client.call(1, "echo", json!({}))["result"]["structuredContent"]["actor"], actor);
    }
}

#[test]
fn calls_of_a_connection_are_made_in_the_order_they_came_however_many() {
    let fake = fake();
    let mut client = Client::hello(&fake.path, "a");
    for id in 1..=5_000 {
        client.post_call(id, "echo", json!({"text": id.to_string()}));
    }
    for id in 1..=5_000 {
        let answer = client.next();
        assert_eq!(answer["id"], id);
        assert_eq!(answer["result"]["structuredContent"]["text"], id.to_string());
    }
}

#[test]
fn a_long_list_comes_in_pages_that_hold_every_tool_once() {
    let fake = fake();
    let names: Vec<String> = (0..450).map(|number| format!("tool_{number:03}")).collect();
    let borrowed: Vec<&str> = names.iter().map(String::as_str).collect();
    fake.handle.set_catalogue(catalogue(2, &borrowed));
    let mut client = Client::hello(&fake.path, "a");
    let (mut found, mut params, mut pages) = (Vec::new(), json!({}), 0);
    loop {
        let result = client.ask(1, "tools/list", params)["result"].clone();
        pages += 1;
        found.extend(result["tools"].as_array().unwrap().iter().map(|tool| tool["name"].clone()));
        match result.get("nextCursor") {
            Some(cursor) => params = json!({"cursor": cursor}),
            None => break,
        }
    }
    assert_eq!((found, pages), (names.into_iter().map(Into::into).collect(), 3));
}

#[test]
fn a_cancelled_call_is_abandoned_and_never_answered_and_its_id_is_free_again() {
    let fake = fake();
    let mut client = Client::hello(&fake.path, "a");
    client.post_call(7, "slow", json!({}));
    fake.wait(|seen| seen.calls == 1);
    client.cancel(7);
    fake.wait(|seen| seen.abandoned == 1);
    assert_eq!(
        client.call(7, "echo", json!({"text": "again"}))["result"]["structuredContent"]["text"],
        "again"
    );
    // What is unknown, answered or of another type is no matter.
    client.cancel(7);
    client.cancel("7");
    assert_eq!(client.ask(8, "ping", json!({}))["id"], 8);
}

#[test]
fn an_id_that_is_under_way_is_refused_and_the_call_under_way_stays() {
    let fake = fake();
    let mut client = Client::hello(&fake.path, "a");
    client.post_call(1, "slow", json!({}));
    let refused = client.call(1, "echo", json!({}));
    assert_eq!((refused["id"].clone(), refused["error"]["code"].clone()), (json!(1), json!(-32600)));
    // Text and number are different ids.
    assert!(client.call("1", "echo", json!({}))["result"].is_object());
    assert_eq!(fake.seen().abandoned, 0);
}

#[test]
fn too_many_calls_are_held_back_then_refused_and_served_again_when_one_has_ended() {
    let limits = Limits { calls: 2, patience: Duration::from_millis(20), ..Limits::default() };
    let fake = fake_with(DoorKind::Agent, limits);
    let mut client = Client::hello(&fake.path, "a");
    for id in 1..=4 {
        client.post_call(id, "slow", json!({}));
    }
    for id in 3..=4 {
        let busy = client.next();
        assert_eq!(busy["id"], id);
        assert_eq!(busy["result"]["_meta"]["skywalker/error"]["code"], "busy");
        assert_eq!(busy["result"]["isError"], true);
    }
    // Everything else goes on meanwhile, and so does cancelling.
    assert_eq!(client.ask(5, "ping", json!({}))["result"], json!({}));
    client.cancel(1);
    assert!(client.call(6, "echo", json!({}))["result"]["structuredContent"].is_object());
    assert_eq!(fake.wait(|seen| seen.abandoned == 1).calls, 3, "a refused call never reaches the engine");
}

#[test]
fn a_call_that_was_held_back_is_made_when_another_one_is_cancelled() {
    let limits = Limits { calls: 1, patience: Duration::from_secs(600), ..Limits::default() };
    let fake = fake_with(DoorKind::Agent, limits);
    let mut client = Client::connect(&fake.path);
    client.initialize("2025-03-26", "a");
    client.raw(
        &json!([
            {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "slow"}},
            {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "echo"}},
            {"jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": {"name": "echo"}},
            {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 3}},
            {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}},
        ])
        .to_string(),
    );
    let answers = client.next();
    assert_eq!((answers.as_array().unwrap().len(), &answers[0]["id"]), (1, &json!(2)));
    assert_eq!(
        fake.wait(|seen| seen.abandoned == 1).calls,
        2,
        "what is cancelled while it is held back is never made"
    );
}

#[test]
fn a_call_that_takes_too_long_is_abandoned_and_answered() {
    let limits = Limits { call_time: Duration::from_millis(40), ..Limits::default() };
    let fake = fake_with(DoorKind::Agent, limits);
    let mut client = Client::hello(&fake.path, "a");
    let late = client.call(1, "slow", json!({}));
    assert_eq!(late["result"]["_meta"]["skywalker/error"]["code"], "timed_out");
    fake.wait(|seen| seen.abandoned == 1);
    assert!(client.call(2, "echo", json!({}))["result"]["structuredContent"].is_object());
}

#[test]
fn a_call_that_the_engine_drops_is_answered() {
    let fake = fake();
    let mut client = Client::hello(&fake.path, "a");
    let dropped = client.call(1, "drop", json!({}));
    assert_eq!(dropped["result"]["_meta"]["skywalker/error"]["code"], "internal");
}

#[test]
fn who_asks_for_progress_hears_that_a_call_still_runs() {
    let limits = Limits { progress_every: Duration::from_millis(10), ..Limits::default() };
    let fake = fake_with(DoorKind::Agent, limits);
    let mut client = Client::hello(&fake.path, "a");
    client.post(1, "tools/call", json!({"name": "slow", "_meta": {"progressToken": "p"}}));
    let (first, second) = (client.next(), client.next());
    assert_eq!(first["method"], "notifications/progress");
    assert_eq!(second["params"]["progressToken"], "p");
    assert!(first["params"]["progress"].as_f64().unwrap() < second["params"]["progress"].as_f64().unwrap());
}

#[test]
fn a_batch_with_a_call_is_answered_when_the_call_has_ended() {
    let limits = Limits { call_time: Duration::from_millis(40), ..Limits::default() };
    let fake = fake_with(DoorKind::Agent, limits);
    let mut client = Client::connect(&fake.path);
    client.initialize("2025-03-26", "a");
    client.raw(
        &json!([
            {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "slow"}},
            {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "slow"}},
            {"jsonrpc": "2.0", "id": 3, "method": "ping"},
            {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 2}},
        ])
        .to_string(),
    );
    let answers = client.next();
    let ids: Vec<_> = answers.as_array().unwrap().iter().map(|answer| answer["id"].clone()).collect();
    assert_eq!(ids, [3, 1], "the cancelled one is left out");
}
