//! Many clients, and clients that do not read: nobody gets another's answer, and nobody grows without bound.

use std::io::Write;
use std::time::Duration;

use base::link::{DoorKind, Notice};
use mcp::Limits;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use serde_json::json;

use crate::client::Client;
use crate::fake::{catalogue, fake, fake_with};

#[test]
fn a_thousand_clients_with_the_same_ids_get_their_own_answers() {
    // Both ends of every connection are in this process.
    let limit = getrlimit(Resource::Nofile);
    setrlimit(Resource::Nofile, Rlimit { current: limit.maximum, maximum: limit.maximum }).unwrap();
    let fake = fake();
    let mut clients: Vec<Client> =
        (0..1_000).map(|index| Client::hello(&fake.path, &format!("client-{index}"))).collect();
    for round in 0..3 {
        for (index, client) in clients.iter_mut().enumerate() {
            client.post_call(round, "echo", json!({"text": index.to_string()}));
        }
        for (index, client) in clients.iter_mut().enumerate() {
            let answer = client.next();
            assert_eq!(answer["id"], round);
            // So many calls at once may be too many for the engine; that is said, never lost.
            if answer["result"]["isError"] == true {
                assert_eq!(answer["result"]["_meta"]["skywalker/error"]["code"], "busy");
                continue;
            }
            let expected = json!({"text": index.to_string(), "actor": format!("mcp:client-{index}")});
            assert_eq!(answer["result"]["structuredContent"], expected);
        }
    }
    drop(clients);
    assert_eq!(fake.wait(|seen| seen.closed == 1_000).abandoned, 0);
}

#[test]
fn a_client_that_does_not_read_is_not_read_from_and_others_are_unharmed() {
    let fake = fake();
    let mut slow = Client::hello(&fake.path, "slow");
    slow.stream.set_write_timeout(Some(Duration::from_millis(100))).unwrap();
    let mut sent = 0;
    loop {
        let params = json!({"name": "big", "arguments": {"count": 1_000_000}});
        let line =
            json!({"jsonrpc": "2.0", "id": sent, "method": "tools/call", "params": params}).to_string();
        // Ends when nothing is taken any more; the socket itself holds a few thousand lines. The last line is left
        // half written and finished below.
        let bytes = format!("{line}\n").into_bytes();
        let mut rest = bytes.as_slice();
        let mut stopped = false;
        while !rest.is_empty() {
            match slow.stream.write(rest) {
                Ok(count) => rest = &rest[count..],
                Err(_) => {
                    stopped = true;
                    break;
                }
            }
        }
        if stopped {
            let seen = fake.seen();
            // Four megabytes wait, and the calls that were under way by then.
            assert!(seen.calls < 4 + 64 + 32, "{seen:?}");
            assert!(sent > seen.calls * 2, "{sent} lines were sent");
            break;
        }
        sent += 1;
        assert!(sent < 100_000, "everything is taken");
    }
    let mut other = Client::hello(&fake.path, "other");
    assert!(other.call(1, "echo", json!({}))["result"]["structuredContent"].is_object());
    // When it reads at last, everything comes, in order.
    for id in 0..200 {
        let answer = slow.next();
        assert_eq!(answer["id"], id);
        assert_eq!(answer["result"]["structuredContent"]["text"].as_str().unwrap().len(), 1_000_000);
    }
}

#[test]
fn a_client_that_lets_far_too_much_pile_up_is_let_go() {
    let limits = Limits { unread: 100_000, unread_most: 3_000_000, ..Limits::default() };
    let fake = fake_with(DoorKind::Agent, limits);
    let mut client = Client::hello(&fake.path, "a");
    // Asked for in one go, so that all of it is under way before the first answer.
    let lines: String = (0..20)
        .map(|id| {
            let params = json!({"name": "big", "arguments": {"count": 1_000_000}});
            format!("{}\n", json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params}))
        })
        .collect();
    client.stream.write_all(lines.as_bytes()).unwrap();
    fake.wait(|seen| seen.closed == 1);
}

#[test]
fn notices_that_a_client_does_not_read_are_left_out_and_counted() {
    let limits = Limits { notices: 16, unread: 10_000, ..Limits::default() };
    let fake = fake_with(DoorKind::Agent, limits);
    let mut client = Client::hello(&fake.path, "a");
    assert_eq!(client.ask(1, "logging/setLevel", json!({"level": "info"}))["result"], json!({}));
    let text = "x".repeat(1_000);
    for _ in 0..5_000 {
        fake.handle.notify(&Notice::Log { level: "info", source: "test".into(), text: text.clone() });
    }
    fake.handle.notify(&Notice::Log { level: "error", source: "test".into(), text: "the last".into() });
    let (mut lines, mut left_out) = (0, 0);
    loop {
        let message = client.next();
        if message["params"]["data"] == "the last" {
            break;
        }
        if message["params"]["logger"] == "mcp" {
            let count = message["params"]["data"].as_str().unwrap().split(' ').next().unwrap();
            left_out += count.parse::<usize>().unwrap();
        } else if message["method"] == "notifications/message" {
            lines += 1;
        }
    }
    assert!(left_out > 0);
    assert_eq!(lines + left_out, 5_000);
}

#[test]
fn log_lines_come_by_level_and_changes_of_the_tools_to_everybody() {
    let fake = fake();
    let mut client = Client::hello(&fake.path, "a");
    let mut silent = Client::connect(&fake.path);
    silent.ask(1, "ping", json!({}));
    let log = |level, text: &str| {
        fake.handle.notify(&Notice::Log { level, source: "hero".into(), text: text.into() });
    };
    log("error", "before anybody asked");
    client.ask(1, "logging/setLevel", json!({"level": "warning"}));
    let mut curious = Client::hello(&fake.path, "b");
    curious.ask(1, "logging/setLevel", json!({"level": "debug"}));
    log("info", "too little");
    log("warning", "heard");
    fake.handle.set_catalogue(catalogue(2, &["echo"]));
    let heard = json!({"level": "warning", "logger": "hero", "data": "heard"});
    assert_eq!(client.next()["params"], heard);
    assert_eq!(curious.next()["params"]["data"], "too little");
    assert_eq!(curious.next()["params"], heard);
    assert_eq!(client.next()["method"], "notifications/tools/list_changed");
    assert_eq!(client.ask(2, "tools/list", json!({}))["result"]["tools"].as_array().unwrap().len(), 1);
    // Who has not said hello hears nothing.
    assert_eq!(silent.ask(2, "ping", json!({}))["id"], 2);
}
