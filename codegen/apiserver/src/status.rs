//! Why the server does not do what a request asks, as the object `Status`.

use crate::meta::map;
use crdgen_core::diag::{Diag, Kind};
use crdgen_core::go;
use crdgen_core::server::invalid;
use crdgen_core::value::{Map, Value};
pub(crate) use crdgen_kubernetes::{Field, Mistake};
use std::borrow::Cow;
use std::collections::HashSet;
use std::fmt;

/// A failure of a request.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Failure {
    pub(crate) code: u16,
    /// Empty if the server gives none.
    pub(crate) reason: Cow<'static, str>,
    pub(crate) message: String,
    pub(crate) details: Option<Box<Details>>,
}

/// What the failure is about.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Details {
    pub(crate) name: String,
    pub(crate) group: String,
    /// The kind or the plural name, as the server does it.
    pub(crate) kind: String,
    pub(crate) uid: String,
    pub(crate) causes: Vec<Cause>,
    pub(crate) retry_after: u32,
}

/// One of the reasons.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Cause {
    pub(crate) reason: String,
    pub(crate) message: String,
    pub(crate) field: String,
}

/// A stored object that the server cannot read.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Unreadable {
    /// Where it is stored.
    pub(crate) key: String,
    pub(crate) version: String,
    pub(crate) why: String,
}

impl From<Unreadable> for Failure {
    fn from(Unreadable { key, version, why }: Unreadable) -> Failure {
        Failure::internal(storage_error(&key, &version, &why))
    }
}

/// Where the real server reads a list. Its words depend on that.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Source {
    /// A cache in memory, which the server fills first.
    Cache,
    /// The storage itself.
    Storage,
}

fn undecodable(version: &str, why: &str) -> String {
    format!("object not decodable revision={version}: {why}")
}

fn storage_error(key: &str, version: &str, why: &str) -> String {
    let why = undecodable(version, why);
    format!(
        "StorageError: corrupt object, Code: 7, Key: {key}, ResourceVersion: 0, AdditionalErrorMsg: {why}"
    )
}

impl Cause {
    fn of(diag: &Diag) -> Cause {
        Cause {
            reason: diag.kind.map(Kind::reason).unwrap_or_default().to_owned(),
            message: diag.words(),
            field: diag.field.clone(),
        }
    }
}

/// `plural.group`, as messages have it.
pub(crate) fn qualified(name: &str, group: &str) -> String {
    if group.is_empty() { name.to_owned() } else { format!("{name}.{group}") }
}

impl Failure {
    pub(crate) fn new(code: u16, reason: &'static str, message: impl Into<String>) -> Failure {
        Failure { code, reason: reason.into(), message: message.into(), details: None }
    }

    pub(crate) fn with(mut self, details: Details) -> Failure {
        self.details = Some(Box::new(details));
        self
    }

    /// The failure with something in front of its message.
    pub(crate) fn after(self, start: &str) -> Failure {
        Failure { message: format!("{start}{}", self.message), ..self }
    }

    pub(crate) fn bad_request(message: impl Into<String>) -> Failure {
        Failure::new(400, "BadRequest", message)
    }

    pub(crate) fn unauthorized() -> Failure {
        Failure::new(401, "Unauthorized", "Unauthorized")
    }

    #[cfg(feature = "http")]
    pub(crate) fn foreign() -> Failure {
        let message = "this server answers this machine only: the request names another one in Host or Origin. Start it with --token, \
                       and send the token";
        Failure::new(403, "Forbidden", message)
    }

    #[cfg(feature = "http")]
    pub(crate) fn timeout() -> Failure {
        let message = "the server was unable to return a response in the time allotted, but may still be processing the request";
        Failure::new(504, "Timeout", message)
    }

    pub(crate) fn internal(message: impl Into<String>) -> Failure {
        let message = message.into();
        let cause = Cause { reason: String::new(), message: message.clone(), field: String::new() };
        Failure::new(500, "InternalError", format!("Internal error occurred: {message}"))
            .with(Details { causes: vec![cause], ..Details::default() })
    }

    /// The failure of a change of a stored object that the server cannot read.
    pub(crate) fn undecodable(Unreadable { version, why, .. }: &Unreadable) -> Failure {
        Failure::new(500, "", undecodable(version, why))
    }

    /// The failure of a list of objects, some of which the server cannot read.
    pub(crate) fn unreadable_list(plural: &str, group: &str, all: &[Unreadable], source: Source) -> Failure {
        let error = |Unreadable { key, version, why }: &Unreadable| {
            let field = format!("/registry{key}");
            (storage_error(&field, version, why), field)
        };
        let first = all.first().map(|first| error(first).0).unwrap_or_default();
        let more = match all.len() {
            0 | 1 => String::new(),
            number => format!(" (and {} more)", number - 1),
        };
        let resource = qualified(plural, group);
        let why = format!("failed to read one or more {resource} from the storage: {first}{more}");
        match source {
            Source::Cache => {
                let message = format!("storage is (re)initializing: failed to list <unspecified>: {why}");
                let details = Details { retry_after: 1, ..Details::default() };
                Failure::new(429, "TooManyRequests", message).with(details)
            }
            Source::Storage => {
                let cause = |unreadable: &Unreadable| {
                    let (message, field) = error(unreadable);
                    Cause { reason: "UnexpectedServerResponse".to_owned(), message, field }
                };
                let causes = all.iter().map(cause).collect();
                let details = Details { causes, ..Failure::about(plural, group, "list") };
                Failure::new(500, "StorageReadError", why).with(details)
            }
        }
    }

    fn about(plural: &str, group: &str, name: &str) -> Details {
        Details { name: name.into(), group: group.into(), kind: plural.into(), ..Details::default() }
    }

    pub(crate) fn not_found(plural: &str, group: &str, name: &str) -> Failure {
        let message = format!("{} {} not found", qualified(plural, group), go::quote(name));
        Failure::new(404, "NotFound", message).with(Failure::about(plural, group, name))
    }

    pub(crate) fn already_exists(plural: &str, group: &str, name: &str) -> Failure {
        let message = format!("{} {} already exists", qualified(plural, group), go::quote(name));
        Failure::new(409, "AlreadyExists", message).with(Failure::about(plural, group, name))
    }

    pub(crate) fn conflict(plural: &str, group: &str, name: &str, why: &str) -> Failure {
        let resource = qualified(plural, group);
        let message = format!("Operation cannot be fulfilled on {resource} {}: {why}", go::quote(name));
        Failure::new(409, "Conflict", message).with(Failure::about(plural, group, name))
    }

    pub(crate) fn modified(plural: &str, group: &str, name: &str) -> Failure {
        let why =
            "the object has been modified; please apply your changes to the latest version and try again";
        Failure::conflict(plural, group, name, why)
    }

    pub(crate) fn forbidden(plural: &str, group: &str, name: &str, why: &str) -> Failure {
        let resource = qualified(plural, group);
        let subject = if name.is_empty() { String::new() } else { format!(" {}", go::quote(name)) };
        let message = format!("{resource}{subject} is forbidden: {why}");
        Failure::new(403, "Forbidden", message).with(Failure::about(plural, group, name))
    }

    /// An invalid object. `kind` is the kind, not the plural name.
    pub(crate) fn invalid<'d>(
        kind: &str,
        group: &str,
        name: &str,
        errors: impl Iterator<Item = &'d Diag> + Clone,
    ) -> Failure {
        let message = invalid(&qualified(kind, group), name, errors.clone());
        let causes = errors.map(Cause::of).collect();
        Failure::new(422, "Invalid", message).with(Details { causes, ..Failure::about(kind, group, name) })
    }

    /// An object with one invalid field.
    pub(crate) fn invalid_field(kind: &str, group: &str, name: &str, mistake: Mistake) -> Failure {
        Failure::invalid_fields(kind, group, name, &[mistake])
    }

    /// An object with invalid fields.
    pub(crate) fn invalid_fields(kind: &str, group: &str, name: &str, mistakes: &[Mistake]) -> Failure {
        let mut known = HashSet::new();
        let texts = mistakes.iter().map(|mistake| format!("{}: {}", mistake.field, mistake.words()));
        let texts: Vec<String> = texts.filter(|text| known.insert(text.clone())).collect();
        let text = if let [one] = &texts[..] { one.clone() } else { format!("[{}]", texts.join(", ")) };
        let message = format!("{} {} is invalid: {text}", qualified(kind, group), go::quote(name));
        let cause = |mistake: &Mistake| Cause {
            reason: mistake.what.reason().to_owned(),
            message: mistake.words(),
            field: mistake.field.to_string(),
        };
        let causes = mistakes.iter().map(cause).collect();
        Failure::new(422, "Invalid", message).with(Details { causes, ..Failure::about(kind, group, name) })
    }

    /// A request that has more of something than the server takes.
    pub(crate) fn too_large(limit: fmt::Arguments<'_>) -> Failure {
        Failure::new(413, "RequestEntityTooLarge", format!("Request entity too large: {limit}"))
    }

    pub(crate) fn too_many_bodies() -> Failure {
        let message = "the server already has too many unfinished requests: try again later";
        Failure::new(429, "TooManyRequests", message).with(Details { retry_after: 1, ..Details::default() })
    }

    /// An option of a request that is invalid.
    pub(crate) fn invalid_option(options: &str, mistake: Mistake) -> Failure {
        Failure::invalid_field(options, "meta.k8s.io", "", mistake)
    }

    /// Fails if options of a request have mistakes.
    pub(crate) fn check_options(options: &str, mistakes: &[Mistake]) -> Result<(), Failure> {
        if mistakes.is_empty() {
            return Ok(());
        }
        Err(Failure::invalid_fields(options, "meta.k8s.io", "", mistakes))
    }

    /// A path of one of Kubernetes' own groups that the server does not have.
    pub(crate) fn no_such_resource() -> Failure {
        let message = "the server could not find the requested resource";
        Failure::new(404, "NotFound", message).with(Details::default())
    }

    pub(crate) fn not_acceptable(accepted: &str) -> Failure {
        let message = format!("only the following media types are accepted: {accepted}");
        Failure::new(406, "NotAcceptable", message)
    }

    /// The same from the library that routes requests to the server's own kinds.
    pub(crate) fn no_representation(available: &str) -> Failure {
        let message = format!("406: Not Acceptable\n\nAvailable representations: {available}");
        Failure::new(406, "NotAcceptable", message).with(Details::default())
    }

    pub(crate) fn method_not_allowed() -> Failure {
        let message = "the server does not allow this method on the requested resource";
        Failure::new(405, "MethodNotAllowed", message).with(Details::default())
    }

    /// The same from the handler of custom resources.
    pub(crate) fn not_supported(verb: &str, plural: &str, group: &str) -> Failure {
        let message = format!("{verb} is not supported on resources of kind \"{plural}.{group}\"");
        let details = Details { group: group.to_owned(), kind: plural.to_owned(), ..Details::default() };
        Failure::new(405, "MethodNotAllowed", message).with(details)
    }

    pub(crate) fn expired(message: impl Into<String>) -> Failure {
        Failure::new(410, "Expired", message)
    }

    /// The object `Status`.
    pub(crate) fn to_value(&self) -> Value {
        let mut status: Map<Value> = [
            ("apiVersion", Value::from("v1")),
            ("kind", "Status".into()),
            ("metadata", Value::Map(Map::new())),
            ("status", "Failure".into()),
            ("message", self.message.as_str().into()),
            ("code", i64::from(self.code).into()),
        ]
        .into_iter()
        .collect();
        if !self.reason.is_empty() {
            status.insert("reason", Value::from(&*self.reason));
        }
        if let Some(details) = &self.details {
            status.insert("details", details.to_value());
        }
        Value::Map(status)
    }
}

impl Details {
    pub(crate) fn to_value(&self) -> Value {
        let Details { name, group, kind, uid, causes, retry_after } = self;
        let texts = [("name", name), ("group", group), ("kind", kind), ("uid", uid)];
        let texts = texts.into_iter().filter(|(_, text)| !text.is_empty());
        let mut out: Map<Value> = texts.map(|(name, text)| (name, Value::from(text.as_str()))).collect();
        if !causes.is_empty() {
            let cause = |cause: &Cause| {
                let Cause { reason, message, field } = cause;
                let texts = [("reason", reason), ("message", message), ("field", field)];
                let texts = texts.into_iter().filter(|(_, text)| !text.is_empty());
                Value::Map(texts.map(|(name, text)| (name, Value::from(text.as_str()))).collect())
            };
            out.insert("causes", Value::List(causes.iter().map(cause).collect()));
        }
        if *retry_after > 0 {
            out.insert("retryAfterSeconds", i64::from(*retry_after).into());
        }
        Value::Map(out)
    }
}

/// The object `Status` of what was done.
pub(crate) fn success(details: &Details) -> Value {
    map([
        ("apiVersion", "v1".into()),
        ("kind", "Status".into()),
        ("metadata", Value::Map(Map::new())),
        ("status", "Success".into()),
        ("details", details.to_value()),
    ])
}
