//! A request: what it is about, its options, and what it sends.

mod action;
mod body;
mod content_type;
mod impersonation;
mod media;
mod path;
pub(crate) mod protobuf;
mod query;

pub(crate) use action::action;
use body::Unread;
pub(crate) use body::{
    Body, BodyError, BodySyntax, Expected, PatchType, Repeated, undecodable, unrecognized, unsupported,
};
pub(crate) use impersonation::impersonated;
pub(crate) use media::{
    Accepted, Form, MEDIA_TYPES, MetaVersion, Objects, OpenApiSyntax, Syntax, WATCH_TYPES, accepted,
    accepted_openapi, accepts_json,
};
pub(crate) use path::{ObjectPath, Target};
use query::Reader;
pub(crate) use query::{DryRun, FieldValidation, IGNORES_UNREADABLE, Query, VersionMatch, options_of};

use crate::status::Failure;
use crate::user::User;
use bytes::Bytes;
use crdgen_core::go::url::Url;
use http::{HeaderMap, Method};
use std::sync::OnceLock;

/// The longest body that the server reads, which is also the limit of Kubernetes.
pub(crate) const MAX_BODY: usize = 3 << 20;

/// A request.
#[derive(Debug)]
pub(crate) struct Request {
    pub(crate) user: User,
    pub(crate) method: Method,
    pub(crate) target: Target,
    pub(crate) query: Query,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
    /// The body as JSON or YAML, once it is read.
    text: OnceLock<Result<Body, Unread>>,
}

impl Request {
    /// Reads a request.
    ///
    /// # Errors
    /// Fails if the options in the query are wrong.
    pub(crate) fn read(
        user: User,
        method: Method,
        uri: &str,
        headers: HeaderMap,
        body: Bytes,
    ) -> Result<Request, Failure> {
        let url = Url::parse_request_uri(uri).map_err(|why| Failure::bad_request(why.to_string()))?;
        let target = Target::read(&url.path);
        let reader = match &target {
            Target::Objects(path) if path.name.is_empty() || path.is_watch => Reader::List,
            _ => Reader::Other,
        };
        let query = Query::read(&url.parameters(), &method, reader)?;
        Ok(Request { user, method, target, query, headers, body, text: OnceLock::new() })
    }

    /// Whether it changes nothing.
    pub(crate) fn is_read_only(&self) -> bool {
        matches!(self.method, Method::GET | Method::HEAD)
    }

    /// A header as text, or an empty text.
    pub(crate) fn header(&self, name: http::header::HeaderName) -> &str {
        self.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
    }

    /// The name of the manager of fields: the option, or the name of the program.
    pub(crate) fn manager(&self) -> String {
        match &self.query.field_manager {
            Some(manager) => manager.clone(),
            None => {
                let program = self.header(http::header::USER_AGENT).split('/').next().unwrap_or_default();
                program.chars().filter(|c| !c.is_control()).take(128).collect()
            }
        }
    }
}
