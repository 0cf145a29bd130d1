//! Editors and people that do what nobody expects: half-written texts, places that are nowhere, messages of the wrong
//! shape. Every request is answered, and no answer is a fault of the server.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test may panic")]

use std::path::{Path, PathBuf};
use std::time::Duration;

use lsp_server::{Connection, Message, Notification, Request, RequestId};
use serde_json::{Value, json};

const INTERNAL_ERROR: i32 = -32603;

/// An editor that talks to a server in another thread.
struct Editor {
    connection: Connection,
    last: i32,
    /// What the server told by itself.
    told: Vec<Value>,
}

impl Editor {
    fn talk(conversation: impl FnOnce(&mut Self)) {
        let (ours, theirs) = Connection::memory();
        let server = std::thread::Builder::new()
            .name("server".to_owned())
            // What a process's first thread has.
            .stack_size(8 << 20)
            .spawn(move || {
                let language =
                    lsp::Language { environment: sim::script_environment(), kind_of: sim::kind_of };
                lsp::serve(&theirs, language)
            })
            .unwrap();
        let mut editor = Self { connection: ours, last: 0, told: Vec::new() };
        editor.ask("initialize", json!({"capabilities": {}})).unwrap();
        conversation(&mut editor);
        editor.ask("shutdown", Value::Null).unwrap();
        editor.tell("exit", Value::Null);
        assert_eq!(server.join().unwrap(), lsp::End::Asked);
    }

    fn tell(&self, method: &str, params: Value) {
        let message = Notification { method: method.to_owned(), params };
        self.connection.sender.send(message.into()).unwrap();
    }

    /// The result, or the error's code.
    fn ask(&mut self, method: &str, params: Value) -> Result<Value, i32> {
        self.last += 1;
        let id = RequestId::from(self.last);
        let request = Request { id: id.clone(), method: method.to_owned(), params };
        self.connection.sender.send(request.into()).unwrap();
        loop {
            match self.connection.receiver.recv_timeout(Duration::from_secs(60)).unwrap() {
                Message::Response(response) if response.id == id => {
                    return response.response_result.map_err(|error| error.code);
                }
                Message::Notification(notification) => self.told.push(notification.params),
                _ => {}
            }
        }
    }

    fn open(&self, uri: &str, text: &str) {
        let document = json!({"uri": uri, "languageId": "wander", "version": 1, "text": text});
        self.tell("textDocument/didOpen", json!({"textDocument": document}));
    }

    fn change(&self, uri: &str, text: &str) {
        let document = json!({"uri": uri, "version": 2});
        self.tell(
            "textDocument/didChange",
            json!({"textDocument": document, "contentChanges": [{"text": text}]}),
        );
    }

    /// Asks everything about a place.
    fn ask_all(&mut self, uri: &str, line: u32, character: u32) {
        let at = json!({"line": line, "character": character});
        let range = json!({"start": {"line": 0, "character": 0}, "end": at});
        for method in [
            "hover",
            "completion",
            "signatureHelp",
            "definition",
            "references",
            "rename",
            "prepareRename",
            "documentSymbol",
            "formatting",
            "codeAction",
            "semanticTokens/full",
        ] {
            let params = json!({
                "textDocument": {"uri": uri},
                "position": at,
                "newName": "another",
                "range": range,
                "options": {"tabSize": 2, "insertSpaces": true},
                "context": {"includeDeclaration": true, "diagnostics": []},
            });
            let answer = self.ask(&format!("textDocument/{method}"), params);
            assert_ne!(answer, Err(INTERNAL_ERROR), "{method} at {line}:{character} of {uri}");
            assert_ne!(answer, Err(-32602), "{method} was asked wrongly");
        }
    }
}

fn scripts() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets/games/lantern-keep/scripts");
    let mut paths: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.is_file());
    paths.sort();
    paths.iter().map(|path| std::fs::read_to_string(path).unwrap()).collect()
}

#[test]
fn every_beginning_of_every_script_can_be_asked_about() {
    const URI: &str = "file:///nowhere/scripts/a.wander";
    Editor::talk(|editor| {
        editor.open(URI, "");
        for text in scripts() {
            for end in (0..text.len()).step_by(41) {
                let Some(beginning) = text.get(..end) else { continue };
                editor.change(URI, beginning);
                let line = beginning.matches('\n').count() as u32;
                let column = beginning.rsplit('\n').next().unwrap().encode_utf16().count() as u32;
                editor.ask_all(URI, line, column);
            }
        }
    });
}

#[test]
fn texts_that_no_person_writes_harm_nothing() {
    const URI: &str = "untitled:a";
    let deep = |open: &str, close: &str| open.repeat(20_000) + "x" + &close.repeat(20_000);
    let texts = [
        deep("(", ")"),
        deep("[", "]"),
        deep("{a: ", "}"),
        deep("fn() => ", ""),
        deep("if x then\n", "end\n"),
        "a.".repeat(50_000),
        "f(".repeat(50_000),
        "f\"{".repeat(20_000),
        "-- \u{202e}🎈\r\r\n".repeat(10_000),
        "x = 1\n".repeat(10_000),
        "x".repeat(300_000),
        "\u{feff}let é = \0\n".to_owned(),
        format!("let a = 1\nlet b = a\n{}", "b = a.b\na = b.a\n".repeat(2_000)),
    ];
    Editor::talk(|editor| {
        editor.open(URI, "");
        for text in texts {
            editor.change(URI, &text);
            editor.ask_all(URI, 0, u32::try_from(text.len()).unwrap());
            editor.ask_all(URI, u32::MAX, u32::MAX);
            editor.ask_all(URI, 2, 1);
        }
    });
}

#[test]
fn scripts_that_use_themselves_and_each_other_are_answered() {
    let folder = tempfile::tempdir().unwrap();
    let lib = folder.path().join("scripts/lib");
    std::fs::create_dir_all(&lib).unwrap();
    std::fs::write(folder.path().join("game.json"), "not even JSON").unwrap();
    std::fs::write(lib.join("a.wander"), "use \"lib/b\"\nlet x = b.y\nfn f() => b.g()\n").unwrap();
    std::fs::write(
        lib.join("b.wander"),
        "use \"lib/a\"\nuse \"lib/b\" as me\nlet y = a.x\nfn g() => me.g()\n",
    )
    .unwrap();
    std::fs::write(lib.join("bad.wander"), b"let x = \xff\n").unwrap();
    let uri = |name: &str| format!("file://{}/{name}", lib.display());
    Editor::talk(|editor| {
        for name in ["a.wander", "b.wander"] {
            editor.open(&uri(name), &std::fs::read_to_string(lib.join(name)).unwrap());
        }
        for line in 0..4 {
            for column in 0..14 {
                editor.ask_all(&uri("a.wander"), line, column);
                editor.ask_all(&uri("b.wander"), line, column);
            }
        }
        // What is not open, no text, or not there at all.
        for name in ["bad.wander", "none.wander", "%00.wander", "../../../../etc/passwd", ""] {
            editor.ask_all(&uri(name), 0, 0);
        }
        std::fs::remove_dir_all(folder.path()).unwrap();
        editor.ask_all(&uri("a.wander"), 2, 13);
    });
}

#[test]
fn who_never_stops_asking_is_still_told_what_is_wrong() {
    const URI: &str = "untitled:c";
    Editor::talk(|editor| {
        editor.open(URI, "let x = y\n");
        let began = std::time::Instant::now();
        loop {
            editor.ask("textDocument/documentSymbol", json!({"textDocument": {"uri": URI}})).unwrap();
            if editor.told.iter().any(|told| told["diagnostics"][0]["code"] == "E201") {
                return;
            }
            assert!(began.elapsed() < Duration::from_secs(20), "nothing was told");
        }
    });
}

#[test]
fn messages_of_the_wrong_shape_are_answered_or_passed_over() {
    Editor::talk(|editor| {
        for params in [Value::Null, json!([]), json!({}), json!({"textDocument": {"uri": "::"}}), json!("x")]
        {
            for method in ["didOpen", "didChange", "didClose", "didSave", "willSave"] {
                editor.tell(&format!("textDocument/{method}"), params.clone());
            }
            editor.tell("$/cancelRequest", params.clone());
            for method in ["hover", "rename", "formatting", "codeAction", "completion"] {
                assert_eq!(editor.ask(&format!("textDocument/{method}"), params.clone()), Err(-32602));
            }
            assert_eq!(editor.ask("textDocument/dance", params), Err(-32601));
        }
        // Changes of what is not open, and backwards.
        editor.change("untitled:never", "x");
        editor.open("untitled:b", "a\nb\n");
        let end = json!({"line": 0, "character": 0});
        let start = json!({"line": 9, "character": 9});
        let change = json!({"range": {"start": start, "end": end}, "text": "let x = 1\n"});
        let document = json!({"uri": "untitled:b", "version": 2});
        editor.tell("textDocument/didChange", json!({"textDocument": document, "contentChanges": [change]}));
        let symbols = editor.ask("textDocument/documentSymbol", json!({"textDocument": document})).unwrap();
        assert_eq!(symbols[0]["name"], "x");
    });
}
