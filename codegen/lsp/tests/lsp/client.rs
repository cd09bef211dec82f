//! A scripted client, which talks to the real loop of the server in memory.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use crdgen_core::check::lints::Lints;
use crdgen_lsp::{Settings, Stopped, serve};
use lsp_server::{Connection, Message, Notification, Request, RequestId, Response};
use serde_json::{Value, json};

/// How long an answer may take on a slow machine.
const PATIENCE: Duration = Duration::from_secs(120);

pub(crate) struct Client {
    connection: Connection,
    server: Option<JoinHandle<std::io::Result<Stopped>>>,
    next: i32,
    /// The diagnostics that came last for each document, with the version.
    pub(crate) published: BTreeMap<String, (Option<i64>, Vec<Value>)>,
}

pub(crate) fn uri(path: &Path) -> String {
    format!("file://{}", path.display())
}

impl Client {
    /// Starts a server for a folder. Positions count bytes.
    pub(crate) fn start(root: Option<&Path>) -> Client {
        Client::with(root, Settings::default())
    }

    /// The same with all lints.
    pub(crate) fn with_lints(root: &Path) -> Client {
        Client::with(Some(root), Settings { lints: Lints::all(), ..Settings::default() })
    }

    /// The same, for CRDs that replace those of a file.
    pub(crate) fn against(root: &Path, old: &Path) -> Client {
        let against = Some(old.display().to_string());
        Client::with(Some(root), Settings { against, ..Settings::default() })
    }

    fn with(root: Option<&Path>, settings: Settings) -> Client {
        let (connection, other) = Connection::memory();
        let server =
            std::thread::Builder::new().stack_size(64 << 20).spawn(move || serve(&other, &settings)).unwrap();
        let mut client = Client { connection, server: Some(server), next: 0, published: BTreeMap::new() };
        let params = json!({
            "processId": null,
            "rootUri": root.map(uri),
            "capabilities": { "general": { "positionEncodings": ["utf-8"] } },
        });
        let result = client.request("initialize", params);
        assert_eq!(result["capabilities"]["positionEncoding"], "utf-8", "{result}");
        client.notify("initialized", json!({}));
        client
    }

    pub(crate) fn notify(&self, method: &str, params: Value) {
        self.send(Notification { method: method.to_owned(), params });
    }

    pub(crate) fn send(&self, message: impl Into<Message>) {
        self.connection.sender.send(message.into()).unwrap();
    }

    /// Sends a request, and returns its number.
    pub(crate) fn ask(&mut self, method: &str, params: Value) -> RequestId {
        self.next += 1;
        let id = RequestId::from(self.next);
        self.send(Request { id: id.clone(), method: method.to_owned(), params });
        id
    }

    pub(crate) fn request(&mut self, method: &str, params: Value) -> Value {
        let id = self.ask(method, params);
        self.answer(&id).response_result.unwrap_or_else(|error| panic!("{method}: {}", error.message))
    }

    pub(crate) fn answer(&mut self, id: &RequestId) -> Response {
        loop {
            match self.receive() {
                Message::Response(response) if response.id == *id => return response,
                message => drop(message),
            }
        }
    }

    fn receive(&mut self) -> Message {
        let message = self.connection.receiver.recv_timeout(PATIENCE).unwrap();
        if let Message::Notification(Notification { method, params }) = &message
            && method == "textDocument/publishDiagnostics"
        {
            let uri = params["uri"].as_str().unwrap_or_default().to_owned();
            let diagnostics = params["diagnostics"].as_array().cloned().unwrap_or_default();
            self.published.insert(uri, (params["version"].as_i64(), diagnostics));
        }
        message
    }

    pub(crate) fn open(&self, path: &Path, version: i32, text: &str) {
        let item = json!({ "uri": uri(path), "languageId": "yaml", "version": version, "text": text });
        self.notify("textDocument/didOpen", json!({ "textDocument": item }));
    }

    pub(crate) fn change(&self, path: &Path, version: i32, changes: Value) {
        let document = json!({ "uri": uri(path), "version": version });
        self.notify("textDocument/didChange", json!({ "textDocument": document, "contentChanges": changes }));
    }

    pub(crate) fn close(&self, path: &Path) {
        self.notify("textDocument/didClose", json!({ "textDocument": { "uri": uri(path) } }));
    }

    /// Waits for the diagnostics of a version.
    pub(crate) fn diagnostics(&mut self, path: &Path, version: i64) -> Vec<Value> {
        let uri = uri(path);
        loop {
            if let Some((Some(known), diagnostics)) = self.published.get(&uri)
                && *known == version
            {
                return diagnostics.clone();
            }
            self.receive();
        }
    }

    /// Waits for any message.
    pub(crate) fn wait(&mut self) {
        self.receive();
    }

    pub(crate) fn stop(mut self) -> Stopped {
        self.request("shutdown", Value::Null);
        self.notify("exit", Value::Null);
        self.server.take().unwrap().join().unwrap().unwrap()
    }

    /// Ends the connection without a goodbye.
    pub(crate) fn leave(mut self) -> Stopped {
        let server = self.server.take().unwrap();
        drop(self);
        server.join().unwrap().unwrap()
    }
}

/// Makes an empty folder.
pub(crate) fn folder() -> PathBuf {
    static COUNT: AtomicUsize = AtomicUsize::new(0);
    let name = format!("crdgen-lsp-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
    let folder = std::env::temp_dir().join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder.canonicalize().unwrap()
}

/// The files of the shared corpus in a folder. None if it is missing.
pub(crate) fn corpus(folder: &str) -> Option<Vec<PathBuf>> {
    let dir = std::env::var_os("CRDGEN_CORPUS")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus"), PathBuf::from);
    let mut files = Vec::new();
    let mut folders = vec![dir.join(folder)];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            match path.extension().is_some_and(|it| it == "yaml") {
                _ if path.is_dir() => folders.push(path),
                true => files.push(path),
                false => {}
            }
        }
    }
    files.sort();
    if files.is_empty() {
        eprintln!("SKIPPED: the shared corpus is missing");
        return None;
    }
    Some(files)
}

pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n.max(1)
    }
}

pub(crate) fn seed() -> u64 {
    std::env::var("CRDGEN_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(1)
}
