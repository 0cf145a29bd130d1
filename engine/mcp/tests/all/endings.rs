//! How connections and servers end: what was asked is abandoned, what was answered arrives, the socket goes.

use std::net::Shutdown;

use base::link::DoorKind;
use mcp::{Limits, listen};
use serde_json::json;

use crate::client::Client;
use crate::fake::{fake, info};

#[test]
fn a_client_that_leaves_abandons_its_calls_and_the_engine_is_told() {
    let fake = fake();
    let mut client = Client::hello(&fake.path, "a");
    client.post_call(1, "slow", json!({}));
    client.post_call(2, "slow", json!({}));
    fake.wait(|seen| seen.calls == 2);
    drop(client);
    let seen = fake.wait(|seen| seen.closed == 1 && seen.abandoned == 2);
    assert_eq!(seen.calls, 2);
}

#[test]
fn a_client_that_stops_writing_still_gets_its_answers_and_then_the_end() {
    let fake = fake();
    let mut client = Client::hello(&fake.path, "a");
    client.post_call(1, "echo", json!({}));
    client.post_call(2, "fail", json!({}));
    use std::io::Write;
    client.stream.write_all(br#"{"jsonrpc": "2.0", "id": 3, "method": "ping"}"#).unwrap();
    client.stream.shutdown(Shutdown::Write).unwrap();
    let mut ids: Vec<_> = (0..3).map(|_| client.next()["id"].as_u64().unwrap()).collect();
    ids.sort_unstable();
    assert_eq!(ids, [1, 2, 3], "a last line without an end counts");
    assert_eq!(client.line(), "");
}

#[test]
fn a_half_closed_client_that_leaves_for_good_abandons_its_calls() {
    let fake = fake();
    let mut client = Client::hello(&fake.path, "a");
    client.post_call(1, "slow", json!({}));
    client.stream.shutdown(Shutdown::Write).unwrap();
    fake.wait(|seen| seen.calls == 1);
    assert_eq!(fake.seen().closed, 0);
    drop(client);
    fake.wait(|seen| seen.closed == 1 && seen.abandoned == 1);
}

#[test]
fn a_server_that_stops_lets_everybody_go_and_takes_its_socket_away() {
    let mut fake = fake();
    let mut client = Client::hello(&fake.path, "a");
    client.post_call(1, "slow", json!({}));
    fake.wait(|seen| seen.calls == 1);
    let server = fake.server.take().unwrap();
    assert!(!server.is_finished());
    server.stop();
    assert!(!fake.path.exists());
    assert_eq!(client.line(), "");
    fake.wait(|seen| seen.closed == 1 && seen.abandoned == 1);
    // The place is free for the next one.
    let again = listen(&fake.path, fake.handle.clone(), DoorKind::Agent, info()).unwrap();
    assert!(Client::hello(&fake.path, "b").call(1, "echo", json!({}))["result"].is_object());
    again.stop();
}

#[test]
fn two_servers_never_share_a_socket_and_the_first_goes_on() {
    let fake = fake();
    let mut client = Client::hello(&fake.path, "a");
    let error = listen(&fake.path, fake.handle.clone(), DoorKind::Agent, info()).unwrap_err().to_string();
    assert!(error.contains("another engine serves this socket"), "{error}");
    assert!(error.contains(fake.folder().to_str().unwrap()), "{error}");
    assert!(client.call(1, "echo", json!({}))["result"].is_object());
    assert!(Client::hello(&fake.path, "b").call(1, "echo", json!({}))["result"].is_object());
}

#[test]
fn an_engine_that_has_ended_is_busy_and_the_session_goes_on() {
    let inbox = base::link::link(|| {});
    inbox.handle.set_catalogue(crate::fake::catalogue(1, &["echo"]));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.sock");
    let server =
        mcp::listen_with(&path, inbox.handle.clone(), DoorKind::Agent, info(), Limits::default()).unwrap();
    drop(inbox);
    let mut client = Client::hello(&path, "a");
    let answer = client.call(1, "echo", json!({}));
    assert_eq!(answer["result"]["_meta"]["skywalker/error"]["code"], "busy");
    assert_eq!(client.ask(2, "ping", json!({}))["id"], 2);
    drop(client);
    server.stop();
}
