//! The loop: messages in, answers and findings out, on one thread. Texts change at once; scripts are checked when no
//! message waits, a folder's open texts one by one, so that a newer message waits for one check at most.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use crossbeam::channel::{Receiver, RecvTimeoutError, Sender, TryRecvError};
use lsp_server::{Connection, ErrorCode, Message, Notification, Request, RequestId, Response, ResponseError};
use lsp_types::notification as tell;
use lsp_types::notification::Notification as _;
use lsp_types::{
    CodeActionKind, CodeActionOptions, CodeActionProviderCapability, CompletionOptions,
    DidChangeTextDocumentParams, DidChangeWatchedFilesRegistrationOptions, DidCloseTextDocumentParams,
    DidOpenTextDocumentParams, FileSystemWatcher, GlobPattern, HoverProviderCapability, InitializeParams,
    OneOf, PublishDiagnosticsParams, Registration, RegistrationParams, RenameOptions,
    SemanticTokensFullOptions, SemanticTokensOptions, ServerCapabilities, SignatureHelpOptions,
    TextDocumentSyncCapability, TextDocumentSyncKind, TextDocumentSyncOptions, Uri,
};
use serde_json::{Value, json};

use crate::features::tokens;
use crate::findings::{self, Pages};
use crate::requests;
use crate::workspace::{Language, Workspace};

/// Messages that are read ahead at most, to learn which requests are no longer wanted.
const MOST_AHEAD: usize = 256;

/// How long no message must come before scripts are checked: while somebody types, each key is a message.
const QUIET: Duration = Duration::from_millis(10);

/// How long scripts stay unchecked at most while messages go on coming.
const OVERDUE: Duration = Duration::from_millis(300);

/// How a server ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// The editor asked it to stop, then to leave.
    Asked,
    /// The editor left, or told it to leave, without asking it to stop first.
    Left,
}

/// Where a conversation stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// Nothing may be asked yet.
    New,
    Running,
    /// Nothing may be asked any more.
    Stopped,
}

/// Serves an editor until it leaves.
pub fn serve(connection: &Connection, language: Language) -> End {
    // What arrives while something is answered is kept, so that it is known what was taken back meanwhile.
    let (ahead, incoming) = crossbeam::channel::bounded(MOST_AHEAD);
    std::thread::scope(|scope| {
        let receiver = connection.receiver.clone();
        let forward = move || forward(&receiver, &ahead);
        if let Err(error) =
            std::thread::Builder::new().name("lsp-ahead".to_owned()).spawn_scoped(scope, forward)
        {
            tracing::error!("no thread can be started: {error}");
            return End::Left;
        }
        let server = Server {
            outgoing: &connection.sender,
            incoming,
            workspace: Workspace::new(language),
            pages: Pages::Nowhere,
            stage: Stage::New,
            watches: false,
            waiting: VecDeque::new(),
            unchecked: BTreeSet::new(),
            checked_at: Instant::now(),
            published: BTreeMap::new(),
        };
        server.run()
    })
}

/// Hands messages on until the editor leaves or nobody wants them.
fn forward(from: &Receiver<Message>, to: &Sender<Message>) {
    for message in from {
        let is_last = is_exit(&message);
        if to.send(message).is_err() || is_last {
            return;
        }
    }
}

fn is_exit(message: &Message) -> bool {
    matches!(message, Message::Notification(notification) if notification.method == tell::Exit::METHOD)
}

struct Server<'a> {
    outgoing: &'a Sender<Message>,
    incoming: Receiver<Message>,
    workspace: Workspace,
    pages: Pages,
    stage: Stage,
    /// Whether the editor can be asked to tell of changes on the disk.
    watches: bool,
    /// Messages that came but were not handled yet.
    waiting: VecDeque<Message>,
    /// Open texts to check, by their address.
    unchecked: BTreeSet<String>,
    /// When the last text was checked, or when there was none to check.
    checked_at: Instant,
    /// What was told last of each address, by the open text whose check found it.
    published: BTreeMap<String, BTreeMap<String, Vec<lsp_types::Diagnostic>>>,
}

impl Server<'_> {
    fn run(mut self) -> End {
        while let Some(message) = self.next() {
            match message {
                message if is_exit(&message) => {
                    return if self.stage == Stage::Stopped { End::Asked } else { End::Left };
                }
                Message::Request(request) => self.request(request),
                Message::Notification(notification) => self.notification(notification),
                // The one request that is made needs no answer.
                Message::Response(_) => {}
            }
        }
        End::Left
    }

    /// The next message. While none comes, scripts are checked.
    fn next(&mut self) -> Option<Message> {
        loop {
            self.read_ahead();
            if self.checked_at.elapsed() > OVERDUE {
                self.check_one();
            }
            if let Some(message) = self.waiting.pop_front() {
                return Some(message);
            }
            if self.unchecked.is_empty() {
                return self.incoming.recv().ok();
            }
            match self.incoming.recv_timeout(QUIET) {
                Ok(message) => return Some(message),
                Err(RecvTimeoutError::Disconnected) => return None,
                Err(RecvTimeoutError::Timeout) => self.check_one(),
            }
        }
    }

    fn read_ahead(&mut self) {
        while self.waiting.len() < MOST_AHEAD {
            match self.incoming.try_recv() {
                Ok(message) => self.waiting.push_back(message),
                Err(TryRecvError::Empty | TryRecvError::Disconnected) => return,
            }
        }
    }

    /// An editor that is gone is noticed when the next message is read.
    fn send(&self, message: impl Into<Message>) {
        let _ = self.outgoing.send(message.into());
    }

    fn tell(&self, method: &str, params: Value) {
        self.send(Notification { method: method.to_owned(), params });
    }

    fn request(&mut self, request: Request) {
        let Request { id, method, params } = request;
        let result = match (self.stage, method.as_str()) {
            _ if self.is_cancelled(&id) => {
                Err(requests::error(ErrorCode::RequestCanceled, "the request was cancelled"))
            }
            (Stage::New, "initialize") => self.initialize(params),
            (Stage::New, _) => {
                Err(requests::error(ErrorCode::ServerNotInitialized, "`initialize` comes first"))
            }
            (Stage::Stopped, _) => {
                Err(requests::error(ErrorCode::InvalidRequest, "the server was asked to stop"))
            }
            (Stage::Running, "initialize") => {
                Err(requests::error(ErrorCode::InvalidRequest, "`initialize` comes once"))
            }
            (Stage::Running, "shutdown") => {
                self.stage = Stage::Stopped;
                self.unchecked.clear();
                Ok(Value::Null)
            }
            (Stage::Running, method) => self.answer(method, params),
        };
        self.send(Response { id, response_result: result });
    }

    /// The impossible is answered, not died of.
    fn answer(&self, method: &str, params: Value) -> Result<Value, ResponseError> {
        let ask = || requests::answer(&self.workspace, &self.pages, method, params);
        catch_unwind(AssertUnwindSafe(ask)).unwrap_or_else(|_| {
            tracing::error!("`{method}` failed inside");
            Err(requests::error(
                ErrorCode::InternalError,
                format!("`{method}` failed inside: this is a fault"),
            ))
        })
    }

    /// Whether one of the messages that wait takes the request back.
    fn is_cancelled(&self, id: &RequestId) -> bool {
        self.waiting.iter().any(|message| match message {
            Message::Notification(notification) if notification.method == tell::Cancel::METHOD => {
                let named = notification.params.get("id").cloned().unwrap_or_default();
                serde_json::from_value::<RequestId>(named).is_ok_and(|named| named == *id)
            }
            _ => false,
        })
    }

    fn initialize(&mut self, params: Value) -> Result<Value, ResponseError> {
        let params: InitializeParams = serde_json::from_value(params)
            .map_err(|found| requests::error(ErrorCode::InvalidParams, found.to_string()))?;
        self.stage = Stage::Running;
        let offered = params.capabilities.general.and_then(|general| general.position_encodings);
        self.workspace.encoding = crate::text::Encoding::choose(offered.as_deref());
        let files = params.capabilities.workspace.and_then(|workspace| workspace.did_change_watched_files);
        self.watches = files.and_then(|files| files.dynamic_registration).unwrap_or_default();
        let wished = params.initialization_options.unwrap_or_default();
        self.pages = match wished.get("errorPages").and_then(Value::as_str) {
            Some(address) => Pages::at(address),
            None => Pages::near(
                &[std::env::current_exe(), std::env::current_dir()].map(Result::unwrap_or_default),
            ),
        };
        let capabilities = serde_json::to_value(capabilities(self.workspace.encoding.kind()))
            .map_err(|found| requests::error(ErrorCode::InternalError, found.to_string()))?;
        let info = json!({"name": "skywalker lsp", "version": env!("CARGO_PKG_VERSION")});
        Ok(json!({"capabilities": capabilities, "serverInfo": info}))
    }

    fn notification(&mut self, notification: Notification) {
        if self.stage != Stage::Running {
            return;
        }
        let Notification { method, params } = notification;
        let read = match method.as_str() {
            tell::Initialized::METHOD => {
                self.watch();
                Ok(())
            }
            tell::DidOpenTextDocument::METHOD => {
                serde_json::from_value(params).map(|params| self.open(params))
            }
            tell::DidChangeTextDocument::METHOD => {
                serde_json::from_value(params).map(|params| self.change(params))
            }
            tell::DidCloseTextDocument::METHOD => {
                serde_json::from_value(params).map(|params| self.close(&params))
            }
            tell::DidChangeWatchedFiles::METHOD | tell::DidSaveTextDocument::METHOD => {
                self.check_all();
                Ok(())
            }
            // Others may be ignored, says the protocol.
            _ => Ok(()),
        };
        if let Err(found) = read {
            tracing::warn!("`{method}` cannot be read: {found}");
        }
    }

    /// Asks to be told of scripts that change on the disk.
    fn watch(&self) {
        if !self.watches {
            return;
        }
        let watchers = ["**/*.wander", "**/game.json"]
            .map(|glob| FileSystemWatcher { glob_pattern: GlobPattern::String(glob.to_owned()), kind: None });
        let options = DidChangeWatchedFilesRegistrationOptions { watchers: watchers.to_vec() };
        let registration = Registration {
            id: "scripts".to_owned(),
            method: tell::DidChangeWatchedFiles::METHOD.to_owned(),
            register_options: serde_json::to_value(options).ok(),
        };
        let params = RegistrationParams { registrations: vec![registration] };
        let Ok(params) = serde_json::to_value(params) else { return };
        let id = RequestId::from("watch".to_owned());
        self.send(Request { id, method: "client/registerCapability".to_owned(), params });
    }

    fn open(&mut self, params: DidOpenTextDocumentParams) {
        let document = params.text_document;
        self.workspace.open(document.uri, document.version, document.text);
        self.check_all();
    }

    fn change(&mut self, params: DidChangeTextDocumentParams) {
        let encoding = self.workspace.encoding;
        let Some(document) = self.workspace.documents.get_mut(params.text_document.uri.as_str()) else {
            return;
        };
        let mut text = (*document.text).clone();
        for change in params.content_changes {
            text = text.changed(change, encoding);
        }
        document.text = text.into();
        document.version = params.text_document.version;
        self.check_all();
    }

    fn close(&mut self, params: &DidCloseTextDocumentParams) {
        let uri = params.text_document.uri.as_str();
        self.workspace.documents.remove(uri);
        self.unchecked.remove(uri);
        self.publish(uri, BTreeMap::new());
        self.check_all();
    }

    /// What one text says may be wrong with others that use it.
    fn check_all(&mut self) {
        if self.unchecked.is_empty() {
            self.checked_at = Instant::now();
        }
        self.unchecked = self.workspace.documents.keys().cloned().collect();
    }

    fn check_one(&mut self) {
        self.checked_at = Instant::now();
        let Some(uri) = self.unchecked.pop_first() else { return };
        let check = || self.found_by(&uri);
        match catch_unwind(AssertUnwindSafe(check)) {
            Ok(found) => self.publish(&uri, found),
            Err(_) => tracing::error!("checking `{uri}` failed inside"),
        }
    }

    /// What the check of an open text finds, by address.
    fn found_by(&self, uri: &str) -> BTreeMap<String, Vec<lsp_types::Diagnostic>> {
        let Some(document) = self.workspace.documents.get(uri) else { return BTreeMap::new() };
        let folder = self.workspace.folder(&document.place);
        let Some(script) = folder.script(&document.place.path) else { return BTreeMap::new() };
        let mut found = BTreeMap::new();
        for (path, findings) in findings::check(&folder, &script) {
            let Some((file, address)) = folder.script(&path).zip(folder.uri(&path)) else { continue };
            // An open module is checked by itself.
            let is_open = path != script.path && self.workspace.document(&address).is_some();
            if !is_open {
                let shown = findings
                    .iter()
                    .take(findings::MOST_TOLD)
                    .map(|one| findings::to_editor(&folder, &file, &self.pages, one));
                found.insert(address.as_str().to_owned(), shown.collect());
            }
        }
        if document.place.root.is_none() {
            // No file, so it has no other address than its own.
            let own = findings::check(&folder, &script).remove(&script.path).unwrap_or_default();
            let shown = own
                .iter()
                .take(findings::MOST_TOLD)
                .map(|one| findings::to_editor(&folder, &script, &self.pages, one));
            found.insert(uri.to_owned(), shown.collect());
        }
        found
    }

    /// Tells what a check found, where it differs from what was told.
    fn publish(&mut self, by: &str, found: BTreeMap<String, Vec<lsp_types::Diagnostic>>) {
        let old = self.published.remove(by).unwrap_or_default();
        let addresses: BTreeSet<&String> = old.keys().chain(found.keys()).collect();
        for address in addresses {
            let is_told = self.published.values().any(|others| others.contains_key(address.as_str()));
            let new = found.get(address);
            // What another open text's check tells of a module stays until that changes its mind.
            if new == old.get(address) || new.is_none() && is_told {
                continue;
            }
            self.tell_findings(address, new.cloned().unwrap_or_default());
        }
        if !found.is_empty() {
            self.published.insert(by.to_owned(), found);
        }
    }

    fn tell_findings(&self, address: &str, diagnostics: Vec<lsp_types::Diagnostic>) {
        let Ok(uri) = address.parse::<Uri>() else { return };
        let version = self.workspace.document(&uri).map(|document| document.version);
        let params = PublishDiagnosticsParams { uri, diagnostics, version };
        if let Ok(params) = serde_json::to_value(params) {
            self.tell(tell::PublishDiagnostics::METHOD, params);
        }
    }
}

fn capabilities(encoding: lsp_types::PositionEncodingKind) -> ServerCapabilities {
    let characters = |all: &[&str]| Some(all.iter().map(|one| (*one).to_owned()).collect());
    ServerCapabilities {
        position_encoding: Some(encoding),
        text_document_sync: Some(TextDocumentSyncCapability::Options(TextDocumentSyncOptions {
            open_close: Some(true),
            change: Some(TextDocumentSyncKind::INCREMENTAL),
            save: Some(true.into()),
            ..TextDocumentSyncOptions::default()
        })),
        hover_provider: Some(HoverProviderCapability::Simple(true)),
        completion_provider: Some(CompletionOptions {
            trigger_characters: characters(&[".", "\"", "/"]),
            ..CompletionOptions::default()
        }),
        signature_help_provider: Some(SignatureHelpOptions {
            trigger_characters: characters(&["(", ","]),
            ..SignatureHelpOptions::default()
        }),
        definition_provider: Some(OneOf::Left(true)),
        references_provider: Some(OneOf::Left(true)),
        document_symbol_provider: Some(OneOf::Left(true)),
        document_formatting_provider: Some(OneOf::Left(true)),
        semantic_tokens_provider: Some(
            SemanticTokensOptions {
                legend: tokens::legend(),
                full: Some(SemanticTokensFullOptions::Bool(true)),
                ..SemanticTokensOptions::default()
            }
            .into(),
        ),
        rename_provider: Some(OneOf::Right(RenameOptions {
            prepare_provider: Some(true),
            work_done_progress_options: Default::default(),
        })),
        code_action_provider: Some(CodeActionProviderCapability::Options(CodeActionOptions {
            code_action_kinds: Some(vec![CodeActionKind::QUICKFIX]),
            ..CodeActionOptions::default()
        })),
        ..ServerCapabilities::default()
    }
}
