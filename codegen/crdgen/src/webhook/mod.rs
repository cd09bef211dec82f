//! A webhook for the API server: converts objects between their versions, and admits them.
//!
//! [`Webhook::answer`] takes the JSON of a review and gives the JSON of the answer. [`Webhook`] is a
//! [`tower_service::Service`] too, for any server that speaks of requests in the types of the crate `http`. The service
//! does not look at the path, so that conversion and admission of all kinds can share one.
//!
//! ```ignore
//! let webhook = Webhook::new().versions(Versions::new().pair::<v1beta1::Widget, v1::Widget>());
//! let router = axum::Router::new().route_service("/crdgen", webhook);
//! ```
//!
//! With the feature `serve`, [`Server`] is such a server: TLS with certificates that are read again when they change, a
//! deadline, health and graceful shutdown.

#[cfg(feature = "check")]
mod admission;
mod conversion;
mod observe;
#[cfg(feature = "serve")]
mod serve;
mod service;

pub use observe::Answered;
#[cfg(feature = "serve")]
pub use serve::{Server, Tls, terminated};
pub use service::Body;

use crate::convert::Versions;
#[cfg(feature = "check")]
use crate::objects::Kind;
use crdgen_runtime::json;
use crdgen_runtime::value::{Map, Value};
use std::fmt;
use std::sync::Arc;

/// The longest review that is read by default, in bytes. A server asks for the objects of a list in one review.
const LIMIT: usize = 64 << 20;

/// A webhook.
#[derive(Clone, Debug)]
pub struct Webhook {
    versions: Arc<[Versions]>,
    #[cfg(feature = "check")]
    kinds: Arc<[Arc<Kind>]>,
    limit: usize,
    observer: Option<observe::Observer>,
}

impl Default for Webhook {
    fn default() -> Webhook {
        Webhook {
            versions: Arc::new([]),
            #[cfg(feature = "check")]
            kinds: Arc::new([]),
            limit: LIMIT,
            observer: None,
        }
    }
}

impl Webhook {
    /// A webhook that knows no kind yet.
    pub fn new() -> Webhook {
        Webhook::default()
    }

    /// Converts the objects of a kind.
    #[must_use]
    pub fn versions(mut self, versions: Versions) -> Webhook {
        self.versions = self.versions.iter().cloned().chain([versions]).collect();
        self
    }

    /// Admits the objects of a kind that the server would accept, and refuses others in the server's words.
    #[cfg(feature = "check")]
    #[must_use]
    pub fn kind(mut self, kind: Kind) -> Webhook {
        self.kinds = self.kinds.iter().cloned().chain([Arc::new(kind)]).collect();
        self
    }

    /// The longest review that is read, in bytes: 64 MiB if nothing else is said.
    #[must_use]
    pub fn limit(mut self, bytes: usize) -> Webhook {
        self.limit = bytes;
        self
    }

    /// Calls this for each request that the service has answered: for metrics, traces and logs.
    ///
    /// ```ignore
    /// webhook.observe(|it| tracing::info!(it.review, it.status, elapsed = ?it.elapsed, it.error))
    /// ```
    #[must_use]
    pub fn observe(mut self, observer: impl Fn(&Answered) + Send + Sync + 'static) -> Webhook {
        self.observer = Some(observe::Observer(Arc::new(observer)));
        self
    }

    /// The answer to a review, both as JSON.
    pub fn answer(&self, review: &[u8]) -> Result<String, NoReview> {
        self.respond(review).map(|answer| answer.text)
    }

    fn respond(&self, review: &[u8]) -> Result<Answer, NoReview> {
        let review = json::read(review).map_err(|e| NoReview(format!("the body is no JSON: {e}")))?;
        let Value::Map(mut review) = review else {
            return Err(NoReview::other("the body is no JSON object"));
        };
        let (api_version, kind) = (text(&review, "apiVersion"), text(&review, "kind"));
        let Some(Value::Map(request)) = review.remove("request") else {
            return Err(NoReview(format!("`{kind}` of `{api_version}` has no request")));
        };
        let response = match (&*kind, &*api_version) {
            ("ConversionReview", "apiextensions.k8s.io/v1" | "apiextensions.k8s.io/v1beta1") => {
                conversion::respond(&self.versions, request)
            }
            #[cfg(feature = "check")]
            ("AdmissionReview", "admission.k8s.io/v1" | "admission.k8s.io/v1beta1") => {
                json::to_string(&Value::Map(admission::respond(&self.kinds, &request)))
            }
            _ => {
                let why = format!("`{kind}` of `{api_version}` is no review that this webhook answers");
                return Err(NoReview(why));
            }
        };
        let text = |value: &str| json::to_string(&Value::from(value));
        let members = [("apiVersion", text(&api_version)), ("kind", text(&kind)), ("response", response)];
        Ok(Answer { text: json::object(members), kind })
    }
}

/// An answer, and the kind of its review.
struct Answer {
    kind: String,
    text: String,
}

fn text(map: &Map<Value>, name: &str) -> String {
    map.get(name).and_then(Value::as_str).unwrap_or_default().to_owned()
}

/// Why a request has no answer: it is no review.
#[derive(Clone, Debug, PartialEq)]
pub struct NoReview(String);

impl NoReview {
    fn other(why: &str) -> NoReview {
        NoReview(why.to_owned())
    }
}

impl fmt::Display for NoReview {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for NoReview {}
