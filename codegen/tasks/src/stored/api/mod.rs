//! Requests to the API server of a cluster, through `kubectl proxy`. kubectl knows every way to log in, and one
//! connection answers thousands of requests. Starting kubectl for each of them would take minutes.

mod http;
mod proxy;

use std::io::BufReader;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use crdgen_core::json;
use crdgen_core::value::Value;

use crdgen_files::{Error, error};
pub(crate) use http::Answer;
use http::Broken;
use proxy::{Proxy, Stream};

/// A request. It must be safe to send each request twice.
pub(crate) struct Request<'a> {
    pub(crate) method: &'static str,
    /// The path with the query.
    pub(crate) path: &'a str,
    /// The media type of the answer.
    pub(crate) accept: &'a str,
    /// A body and its media type.
    pub(crate) body: Option<(&'static str, &'a str)>,
}

pub(crate) const JSON: &str = "application/json";
pub(crate) const MERGE_PATCH: &str = "application/merge-patch+json";

/// A cluster that answers requests. Several threads may use it.
pub struct Api {
    proxy: Proxy,
    idle: Mutex<Vec<BufReader<Stream>>>,
}

impl Api {
    /// Connects to the cluster that kubectl uses.
    pub fn open(context: Option<&str>) -> Result<Api, Error> {
        Ok(Api { proxy: Proxy::start(context)?, idle: Mutex::default() })
    }

    /// Gets a path as JSON.
    pub(crate) fn get(&self, path: &str) -> Result<Answer, Error> {
        self.send(&Request { method: "GET", path, accept: JSON, body: None })
    }

    /// Sends a request and returns the answer.
    pub(crate) fn send(&self, request: &Request<'_>) -> Result<Answer, Error> {
        let failed = |e: std::io::Error| failed(request, e.to_string());
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        if let Some(connection) = idle {
            match self.ask(connection, request) {
                // The other side has closed the connection meanwhile.
                Err(Broken::Unanswered(_)) => {}
                Err(Broken::Within(e)) => return Err(failed(e)),
                Ok(answer) => return Ok(answer),
            }
        }
        let connection = BufReader::new(self.proxy.connect().map_err(failed)?);
        self.ask(connection, request).map_err(|broken| failed(broken.into()))
    }

    fn ask(&self, mut connection: BufReader<Stream>, request: &Request<'_>) -> Result<Answer, Broken> {
        let answer = http::exchange(&mut connection, request)?;
        if answer.keeps_alive {
            self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(connection);
        }
        Ok(answer)
    }
}

/// The error for a request without a useful answer.
pub(crate) fn failed(request: &Request<'_>, why: String) -> Error {
    Error::Program { command: format!("{} {}", request.method, request.path), why }
}

impl Answer {
    /// Returns the body as JSON.
    pub(crate) fn value(&self) -> Option<Value> {
        json::read(&self.body).ok()
    }

    /// The server's message for a failure: that of its Status, or the text of a proxy in between.
    pub(crate) fn message(&self) -> String {
        let status = self.value();
        let message = status.as_ref().and_then(|status| status.get("message")).and_then(Value::as_str);
        let text = message.map_or_else(|| String::from_utf8_lossy(&self.body), Into::into);
        match error::shortened(text.trim()) {
            nothing if nothing.is_empty() => format!("status {}", self.status),
            text => text.into_owned(),
        }
    }

    /// How long to wait before the next request: what the server wants, or `otherwise`.
    pub(crate) fn wait_or(&self, otherwise: Duration) -> Duration {
        self.retry_after.map_or(otherwise, |seconds| Duration::from_secs(seconds.min(60)))
    }
}

/// Escapes a text as one part of a path.
pub(crate) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            out.push(char::from(byte));
        } else {
            out.push_str(&format!("%{byte:02X}"));
        }
    }
    out
}
