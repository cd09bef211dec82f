//! The loop of the server: messages come in, and answers and diagnostics go out.

use std::collections::HashSet;
use std::io;
use std::sync::Arc;

use crossbeam_channel::{Receiver, Sender, select};
use gen_lsp_types::{self as lsp, LspNotificationMethod, LspRequestMethod, Notification as _, Request as _};
use lsp_server::{Connection, ErrorCode, Message, Notification, Request, RequestId, Response};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crdgen_tasks::kinds::Kinds;

use crate::capabilities::{self, Client};
use crate::log::log;
use crate::schedule::Schedule;
use crate::state::State;
use crate::work::{self, Done, Task};
use crate::workspace::{Settings, Workspace};
use crate::{
    completion, definition, diagnostics, fixes, folding, hover, rename, signature, stored, symbols, tokens,
};

/// How a connection ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stopped {
    /// The client has ended the connection.
    Finished,
    /// The client is gone without ending it.
    Lost,
}

/// Serves a client until it says goodbye or is gone.
///
/// # Errors
/// Fails if the system has no more threads.
pub fn serve(connection: &Connection, settings: &Settings) -> io::Result<Stopped> {
    let Some(client) = initialize(connection) else { return Ok(Stopped::Lost) };
    let (tasks, results) = work::start()?;
    let workspace =
        Arc::new(Workspace::new(client.roots.clone(), settings.clone()).map_err(io::Error::other)?);
    let (kinds, documents) = (Arc::new(Kinds::default()), Default::default());
    let state = State { encoding: client.encoding, documents, workspace, kinds };
    let schedule = Schedule::new();
    let mut server = Server { connection, client, state, schedule, tasks, is_shut_down: false };
    Ok(server.run(&results))
}

/// Waits for the first request. `None` if the client leaves before it.
fn initialize(connection: &Connection) -> Option<Client> {
    loop {
        match connection.receiver.recv().ok()? {
            Message::Request(request) if is::<lsp::InitializeRequest>(&request) => {
                match serde_json::from_value::<lsp::InitializeParams>(request.params) {
                    Ok(params) => {
                        let client = Client::new(params);
                        let answer = Response::new_ok(request.id, capabilities::server(client.encoding));
                        connection.sender.send(answer.into()).ok()?;
                        return Some(client);
                    }
                    Err(why) => refuse(connection, request.id, ErrorCode::InvalidParams, &why.to_string()),
                }
            }
            Message::Request(request) => {
                refuse(connection, request.id, ErrorCode::ServerNotInitialized, "initialize comes first");
            }
            Message::Notification(it) if it.method == lsp::ExitNotification::METHOD.as_str() => return None,
            Message::Notification(_) | Message::Response(_) => {}
        }
    }
}

fn is<R: lsp::Request>(request: &Request) -> bool {
    request.method == R::METHOD.as_str()
}

fn refuse(connection: &Connection, id: RequestId, code: ErrorCode, why: &str) {
    // If the client is gone, the loop finds out.
    let _ = connection.sender.send(Response::new_err(id, code as i32, why.to_owned()).into());
}

struct Server<'c> {
    connection: &'c Connection,
    client: Client,
    state: State,
    schedule: Schedule,
    tasks: Sender<Task>,
    is_shut_down: bool,
}

impl Server<'_> {
    fn run(&mut self, results: &Receiver<Done>) -> Stopped {
        let messages = &self.connection.receiver;
        loop {
            if let Some(task) = self.schedule.next(&mut self.state)
                && self.tasks.send(task).is_err()
            {
                return Stopped::Lost;
            }
            select! {
                recv(messages) -> message => {
                    let Ok(first) = message else { return Stopped::Lost };
                    let waiting: Vec<Message> = std::iter::once(first).chain(messages.try_iter()).collect();
                    if let Some(stopped) = self.take(waiting) {
                        return stopped;
                    }
                }
                recv(results) -> done => {
                    let Ok(done) = done else { return Stopped::Lost };
                    self.done(done);
                }
            }
        }
    }

    /// Handles messages in their order. Requests that are cancelled by a later message are not worked on.
    fn take(&mut self, messages: Vec<Message>) -> Option<Stopped> {
        let cancelled: HashSet<RequestId> = messages.iter().filter_map(cancelled).collect();
        for message in messages {
            match message {
                Message::Request(request) if cancelled.contains(&request.id) => {
                    refuse(self.connection, request.id, ErrorCode::RequestCanceled, "cancelled");
                }
                Message::Request(request) => self.request(request),
                Message::Notification(it) if it.method == lsp::ExitNotification::METHOD.as_str() => {
                    return Some(if self.is_shut_down { Stopped::Finished } else { Stopped::Lost });
                }
                Message::Notification(notification) => {
                    if let Err(why) = self.notification(notification) {
                        log(format_args!("{why}"));
                    }
                }
                Message::Response(_) => {}
            }
        }
        None
    }

    fn request(&mut self, request: Request) {
        if self.is_shut_down {
            return refuse(self.connection, request.id, ErrorCode::InvalidRequest, "the server is shut down");
        }
        let method = request.method.clone();
        let state = &self.state;
        match LspRequestMethod::from(method.as_str()) {
            LspRequestMethod::TextDocumentCompletion => {
                self.answer(request, |params: lsp::CompletionParams| {
                    let (document, offset) = state.at(&params.text_document_position_params)?;
                    Some(completion::of(state, document, offset))
                })
            }
            LspRequestMethod::TextDocumentSignatureHelp => {
                self.answer(request, |params: lsp::SignatureHelpParams| {
                    let (document, offset) = state.at(&params.text_document_position_params)?;
                    signature::of(state, document, offset)
                })
            }
            LspRequestMethod::TextDocumentHover => self.answer(request, |params: lsp::HoverParams| {
                let (document, offset) = state.at(&params.text_document_position_params)?;
                hover::of(state, document, offset)
            }),
            LspRequestMethod::TextDocumentDefinition => {
                self.answer(request, |params: lsp::DefinitionParams| {
                    let (document, offset) = state.at(&params.text_document_position_params)?;
                    definition::of(state, document, offset)
                })
            }
            LspRequestMethod::TextDocumentDocumentSymbol => {
                self.answer(request, |params: lsp::DocumentSymbolParams| {
                    Some(symbols::of(state, state.document(&params.text_document.uri)?))
                });
            }
            LspRequestMethod::TextDocumentFoldingRange => {
                self.answer(request, |params: lsp::FoldingRangeParams| {
                    Some(folding::of(state, state.document(&params.text_document.uri)?))
                });
            }
            LspRequestMethod::TextDocumentSemanticTokensFull => {
                self.answer(request, |params: lsp::SemanticTokensParams| {
                    Some(tokens::of(state, state.document(&params.text_document.uri)?))
                });
            }
            LspRequestMethod::TextDocumentPrepareRename => {
                self.answer_or_fail(request, |params: lsp::PrepareRenameParams| {
                    let (document, offset) = state.at(&params.text_document_position_params)?;
                    Some(rename::prepare(state, document, offset))
                });
            }
            LspRequestMethod::TextDocumentRename => {
                self.answer_or_fail(request, |params: lsp::RenameParams| {
                    let (document, offset) = state.at(&params.text_document_position_params)?;
                    Some(rename::of(state, document, offset, &params.new_name))
                });
            }
            LspRequestMethod::TextDocumentCodeAction => {
                self.answer(request, |params: lsp::CodeActionParams| {
                    let document = state.document(&params.text_document.uri)?;
                    let range = document.text.offsets(params.range, state.encoding);
                    Some(fixes::of(state, document, &range))
                })
            }
            LspRequestMethod::WorkspaceExecuteCommand if request.params["command"] == stored::COMMAND => {
                let params = request.params["arguments"][0].clone();
                self.answer(Request { params, ..request }, |params: lsp::TextDocumentPositionParams| {
                    let (document, offset) = state.at(&params)?;
                    stored::of(state, document, offset)
                });
            }
            LspRequestMethod::Shutdown => {
                self.is_shut_down = true;
                self.send(Response::new_ok(request.id, ()));
            }
            _ => {
                let why = format!("there is no method {method}");
                refuse(self.connection, request.id, ErrorCode::MethodNotFound, &why);
            }
        }
    }

    /// Answers a request, with an error if its parameters are wrong.
    fn answer<P: DeserializeOwned, R: Serialize>(&self, request: Request, work: impl FnOnce(P) -> Option<R>) {
        match serde_json::from_value(request.params) {
            Ok(params) => self.send(Response::new_ok(request.id, work(params))),
            Err(why) => refuse(self.connection, request.id, ErrorCode::InvalidParams, &why.to_string()),
        }
    }

    /// The same for a request that may fail for a reason.
    fn answer_or_fail<P: DeserializeOwned, R: Serialize, E: std::fmt::Display>(
        &self,
        request: Request,
        work: impl FnOnce(P) -> Option<Result<R, E>>,
    ) {
        let id = request.id.clone();
        match serde_json::from_value(request.params).map(work) {
            Ok(Some(Err(why))) => refuse(self.connection, id, ErrorCode::RequestFailed, &why.to_string()),
            Ok(found) => self.send(Response::new_ok(id, found.and_then(Result::ok))),
            Err(why) => refuse(self.connection, id, ErrorCode::InvalidParams, &why.to_string()),
        }
    }

    fn notification(&mut self, notification: Notification) -> serde_json::Result<()> {
        let Notification { method, params } = notification;
        match LspNotificationMethod::from(method.as_str()) {
            LspNotificationMethod::Initialized => {
                if self.client.watches {
                    self.watch();
                }
                if let Some(message) = self.state.workspace.settings.warning.clone() {
                    self.show(message);
                }
            }
            LspNotificationMethod::TextDocumentDidOpen => {
                let lsp::DidOpenTextDocumentParams { text_document: it } = serde_json::from_value(params)?;
                self.schedule.opened(&mut self.state, it);
            }
            LspNotificationMethod::TextDocumentDidChange => {
                let params = serde_json::from_value(self.with_version(params))?;
                self.schedule.changed(&mut self.state, params);
            }
            LspNotificationMethod::TextDocumentDidClose => {
                let params: lsp::DidCloseTextDocumentParams = serde_json::from_value(params)?;
                let uri = params.text_document.uri;
                self.schedule.closed(&mut self.state, &uri);
                self.publish(lsp::PublishDiagnosticsParams { uri, version: None, diagnostics: Vec::new() });
            }
            LspNotificationMethod::WorkspaceDidChangeWatchedFiles => self.schedule.find(),
            _ => {}
        }
        Ok(())
    }

    /// The parameters of a change, with a version if the client has left it out.
    fn with_version(&self, mut params: Value) -> Value {
        if let Some(document) = params.get_mut("textDocument").and_then(Value::as_object_mut)
            && document.get("version").is_none_or(Value::is_null)
        {
            let uri = document.get("uri").and_then(Value::as_str).map(|uri| lsp::Uri::from(uri.to_owned()));
            let known = uri.and_then(|uri| self.state.document(&uri));
            let next = known.map_or(0, |known| known.version.wrapping_add(1));
            document.insert("version".to_owned(), next.into());
        }
        params
    }

    /// Asks the client to report when files change.
    fn watch(&self) {
        let watchers = ["**/*.{yaml,yml,json}", "**/.gitignore"].map(|pattern| lsp::FileSystemWatcher {
            glob_pattern: lsp::GlobPattern::Pattern(pattern.to_owned()),
            kind: None,
        });
        let options = lsp::DidChangeWatchedFilesRegistrationOptions { watchers: watchers.to_vec() };
        let registration = lsp::Registration {
            id: "files".to_owned(),
            method: lsp::DidChangeWatchedFilesNotification::METHOD.as_str().to_owned(),
            register_options: serde_json::to_value(options).ok(),
        };
        let params = lsp::RegistrationParams { registrations: vec![registration] };
        let method = lsp::RegistrationRequest::METHOD.as_str().to_owned();
        self.send(Request::new(RequestId::from("files".to_owned()), method, params));
    }

    /// Takes what the other thread has done.
    fn done(&mut self, done: Done) {
        let path = self.schedule.done(&mut self.state, done);
        if let Some(document) = path.and_then(|path| self.state.documents.get(&path))
            && let Some(found) = document.current()
        {
            let diagnostics = diagnostics::of(&self.state, document, found);
            let (uri, version) = (document.uri.clone(), Some(document.version));
            self.publish(lsp::PublishDiagnosticsParams { uri, version, diagnostics });
        }
    }

    /// Shows a message to the user.
    fn show(&self, message: String) {
        let params = lsp::ShowMessageParams { kind: lsp::MessageType::Error, message };
        let method = lsp::ShowMessageNotification::METHOD.as_str().to_owned();
        self.send(Notification::new(method, params));
    }

    fn publish(&self, params: lsp::PublishDiagnosticsParams) {
        let method = lsp::PublishDiagnosticsNotification::METHOD.as_str().to_owned();
        self.send(Notification::new(method, params));
    }

    fn send(&self, message: impl Into<Message>) {
        // If the client is gone, the loop finds out.
        let _ = self.connection.sender.send(message.into());
    }
}

/// The request that a message cancels.
fn cancelled(message: &Message) -> Option<RequestId> {
    let Message::Notification(notification) = message else { return None };
    if notification.method != lsp::CancelNotification::METHOD.as_str() {
        return None;
    }
    serde_json::from_value(notification.params.get("id")?.clone()).ok()
}
