//! What a request sends: an object, or a patch.

use super::{MAX_BODY, MEDIA_TYPES, Request, content_type, protobuf};
use crate::status::Failure;
use crdgen_core::value::{Map, Value};
use crdgen_core::yaml::Document;
use crdgen_core::{go, yaml};
use crdgen_kubernetes::decode;
use http::Method;
use http::header::CONTENT_TYPE;

/// How a patch changes an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PatchType {
    Json,
    Merge,
    Strategic,
    Apply,
}

impl PatchType {
    /// The type of a patch by its media type.
    pub(crate) fn of(media_type: &str) -> Option<PatchType> {
        match media_type {
            "application/json-patch+json" => Some(PatchType::Json),
            "application/merge-patch+json" => Some(PatchType::Merge),
            "application/strategic-merge-patch+json" => Some(PatchType::Strategic),
            "application/apply-patch+yaml" => Some(PatchType::Apply),
            _ => None,
        }
    }
}

/// A body that was read.
#[derive(Clone, Debug)]
pub(crate) struct Body {
    pub(crate) value: Value,
    /// What a strict reader reports about it.
    pub(crate) repeated: Repeated,
}

/// What a strict reader reports about fields that occur twice.
#[derive(Clone, Debug, Default)]
pub(crate) struct Repeated {
    pub(crate) warnings: Vec<String>,
    /// The same as errors: there is only one about all fields of YAML.
    pub(crate) errors: Vec<String>,
}

impl Repeated {
    /// What a strict reader of JSON patches reports, also about fields that steps do not have.
    pub(crate) fn in_json_patch(mut self, patch: &Value) -> Repeated {
        const FIELDS: [&str; 4] = ["op", "path", "from", "value"];
        let steps = patch.as_list().unwrap_or_default().iter().enumerate();
        let unknown = steps.flat_map(|(i, step)| {
            let names = step.as_map().into_iter().flat_map(Map::keys).filter(|name| !FIELDS.contains(name));
            names.map(move |name| format!("json patch unknown field {}", go::quote(&format!("[{i}].{name}"))))
        });
        let unknown: Vec<String> = unknown.collect();
        for list in [&mut self.warnings, &mut self.errors] {
            list.iter_mut().for_each(|text| text.insert_str(0, "json patch "));
            list.extend(unknown.iter().cloned());
        }
        self
    }
}

impl Body {
    fn of(value: Value) -> Body {
        Body { value, repeated: Repeated::default() }
    }
}

impl From<Document> for Body {
    fn from(document: Document) -> Body {
        let repeated = Repeated {
            errors: document.strict_errors(),
            warnings: document.strict.into_iter().map(|problem| problem.text).collect(),
        };
        Body { value: document.value, repeated }
    }
}

/// How a body is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BodySyntax {
    Json,
    /// YAML, which may be JSON.
    Yaml,
    Protobuf,
}

impl BodySyntax {
    /// Why it is not known what a body is.
    fn unrecognized(self, why: &str) -> String {
        match self {
            BodySyntax::Json => format!("couldn't get version/kind; json parse error: {why}"),
            BodySyntax::Yaml | BodySyntax::Protobuf => why.to_owned(),
        }
    }
}

/// What a body should be.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Expected<'e> {
    pub(crate) api_version: &'e str,
    pub(crate) kind: &'e str,
}

/// Why a body is not read.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum BodyError {
    /// The server does not accept such bodies.
    Rejected(Failure),
    /// It is not known what the body is.
    Unrecognized { syntax: BodySyntax, why: String },
    /// It is an object that cannot be decoded.
    Undecodable { api_version: String, kind: String, why: String },
}

impl BodyError {
    /// The failure where the server says only the reason, after some words.
    pub(crate) fn reason_after(self, words: &str) -> Failure {
        match self {
            BodyError::Rejected(failure) => failure,
            BodyError::Unrecognized { why, .. } | BodyError::Undecodable { why, .. } => {
                Failure::bad_request(format!("{words}{why}"))
            }
        }
    }

    /// The failure for the options of a request.
    pub(crate) fn for_options(self) -> Failure {
        match self {
            BodyError::Unrecognized { syntax, why } => Failure::bad_request(syntax.unrecognized(&why)),
            other => other.reason_after(""),
        }
    }

    /// The failure for an object of a kind.
    pub(crate) fn for_kind(self, kind: &str, body: &[u8]) -> Failure {
        match self {
            BodyError::Rejected(failure) => failure,
            BodyError::Unrecognized { syntax, why } => unrecognized(kind, &syntax.unrecognized(&why), body),
            BodyError::Undecodable { api_version, kind: found, why } => {
                undecodable((&api_version, &found), kind, &why)
            }
        }
    }
}

/// The failure for a body that is not an object.
pub(crate) fn unrecognized(kind: &str, why: &str, body: &[u8]) -> Failure {
    Failure::bad_request(decode::unrecognized(kind, why, body))
}

/// The failure for an object, with its version and kind, that is none of the expected kind.
pub(crate) fn undecodable((api_version, found): (&str, &str), kind: &str, why: &str) -> Failure {
    Failure::bad_request(decode::undecodable((api_version, found), kind, why))
}

const PROTOBUF: &str = "application/vnd.kubernetes.protobuf";

/// The failure for a body in another form.
pub(crate) fn unsupported(accepted: &str) -> Failure {
    let message = format!(
        "the body of the request was in an unknown format - accepted media types include: {accepted}"
    );
    Failure::new(415, "UnsupportedMediaType", message)
}

/// Why a body is neither JSON nor YAML.
#[derive(Clone, Debug)]
pub(crate) struct Unread(String);

impl Request {
    /// The media type of the body, in small letters, or an empty text if nothing says it. `None` if Go cannot read it.
    fn media_type(&self) -> Option<String> {
        match self.header(CONTENT_TYPE) {
            "" => Some(String::new()),
            header => content_type::read(header),
        }
    }

    /// The type of a patch. `None` if the body is none.
    pub(crate) fn patch_type(&self) -> Option<PatchType> {
        // The server only leaves out parameters.
        PatchType::of(self.header(CONTENT_TYPE).split(';').next().unwrap_or_default())
    }

    /// Reads the body: an object, or null if it is empty JSON.
    pub(crate) fn read_body(&self, expected: Expected<'_>) -> Result<Body, BodyError> {
        let syntax = self.body_syntax().map_err(BodyError::Rejected)?;
        self.check_size()?;
        let bytes = &self.body;
        let unrecognized = |why| BodyError::Unrecognized { syntax, why };
        match syntax {
            BodySyntax::Json | BodySyntax::Yaml if self.is_blank() => Ok(Body::of(Value::Null)),
            BodySyntax::Json => self.read_text(yaml::read_json).map_err(|Unread(why)| unrecognized(why)),
            BodySyntax::Yaml => self.read_text(yaml::read_yaml).map_err(|Unread(why)| unrecognized(why)),
            BodySyntax::Protobuf => match protobuf::read(bytes, expected) {
                Ok(value) => Ok(Body::of(value)),
                Err(protobuf::Problem::Envelope(why)) => Err(unrecognized(why.to_string())),
                Err(protobuf::Problem::Message { api_version, kind, why }) => {
                    Err(BodyError::Undecodable { api_version, kind, why: why.to_string() })
                }
            },
        }
    }

    /// Reads the body once.
    fn read_text(&self, read: fn(&[u8]) -> Result<Document, Box<yaml::Problem>>) -> Result<Body, Unread> {
        self.text.get_or_init(|| read(&self.body).map(Body::from).map_err(|why| Unread(why.text))).clone()
    }

    /// Reads a body of JSON or YAML, so that this is done before the request takes the lock.
    pub(crate) fn prepare_body(&self) {
        if self.is_text() {
            // What is wrong is the answer to the request.
            _ = self.read_body(Expected { api_version: "", kind: "" });
        }
    }

    fn check_size(&self) -> Result<(), BodyError> {
        if self.body.len() <= MAX_BODY {
            return Ok(());
        }
        Err(BodyError::Rejected(Failure::too_large(format_args!("limit is {MAX_BODY}"))))
    }

    /// Whether the body is JSON or YAML.
    pub(crate) fn is_text(&self) -> bool {
        matches!(self.body_syntax(), Ok(BodySyntax::Json | BodySyntax::Yaml))
    }

    /// Whether the body is empty.
    pub(crate) fn is_blank(&self) -> bool {
        self.body.iter().all(u8::is_ascii_whitespace)
    }

    /// Checks that there is a body: an empty text is not JSON.
    pub(crate) fn check_body(&self) -> Result<(), BodyError> {
        let syntax = self.body_syntax().map_err(BodyError::Rejected)?;
        self.check_size()?;
        if syntax != BodySyntax::Json || !self.is_blank() {
            return Ok(());
        }
        Err(BodyError::Unrecognized { syntax, why: "unexpected end of JSON input".to_owned() })
    }

    /// How the body is written.
    pub(crate) fn body_syntax(&self) -> Result<BodySyntax, Failure> {
        if self.method == Method::PATCH {
            return match self.patch_type() {
                Some(PatchType::Apply) => Ok(BodySyntax::Yaml),
                Some(PatchType::Json | PatchType::Merge | PatchType::Strategic) => Ok(BodySyntax::Json),
                None => Err(self.unsupported_body()),
            };
        }
        match self.media_type().as_deref() {
            Some(PROTOBUF) => Ok(BodySyntax::Protobuf),
            Some("" | "application/json") => Ok(BodySyntax::Json),
            Some("application/yaml") => Ok(BodySyntax::Yaml),
            _ => Err(self.unsupported_body()),
        }
    }

    /// The failure for a body in a form that the server does not read.
    pub(crate) fn unsupported_body(&self) -> Failure {
        unsupported(MEDIA_TYPES)
    }
}
