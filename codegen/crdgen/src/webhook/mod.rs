//! A webhook for the API server: converts objects between their versions, and admits them.
//!
//! [`Webhook::answer`] turns the JSON of a review into the JSON of the answer. [`Webhook`] is also a
//! [`tower_service::Service`], for any server that uses the types of the crate `http`. The service ignores the path of a
//! request, so one service can convert and admit the objects of all kinds.
//!
//! ```ignore
//! let webhook = Webhook::new().versions(Versions::new().pair::<v1beta1::Widget, v1::Widget>());
//! let router = axum::Router::new().route_service("/crdgen", webhook);
//! ```
//!
//! With the feature `serve`, [`Server`] is such a server, with TLS, a deadline, health checks and graceful shutdown. It reads
//! certificates again when they change.

mod admission;
mod conversion;
mod observe;
#[cfg(feature = "serve")]
mod serve;
mod service;
mod until;

pub use observe::Answered;
#[cfg(feature = "serve")]
pub use serve::{Server, Tls, ca_bundle_patch, terminated};
pub use service::Body;

use crdgen_kinds::convert::Versions;
use crdgen_kinds::objects::CompiledKind;
use crdgen_kinds::straight::{Scan, Walk};
use crdgen_runtime::json;
use crdgen_runtime::value::{Map, Value};
use std::fmt;
use std::sync::Arc;
use until::Until;

/// The default size limit for reviews, in bytes. A server sends all objects of a list in one review.
const LIMIT: usize = 64 << 20;
/// The maximum number of keys and values in a review that is not read object by object: one for admission, which has an object
/// or two, or an unusual one. It limits the memory, because two bytes of text may be a value.
const VALUES: usize = 1_000_000;

/// A webhook that converts and admits objects of any number of kinds.
#[derive(Clone, Debug)]
pub struct Webhook {
    versions: Arc<[Versions]>,
    kinds: Arc<[Arc<CompiledKind>]>,
    limit: usize,
    observer: Option<observe::Observer>,
}

impl Default for Webhook {
    fn default() -> Webhook {
        Webhook { versions: Arc::new([]), kinds: Arc::new([]), limit: LIMIT, observer: None }
    }
}

impl Webhook {
    /// Creates a webhook without kinds. Add kinds to convert with [`Webhook::versions`], and kinds to admit with
    /// [`Webhook::kind`].
    pub fn new() -> Webhook {
        Webhook::default()
    }

    /// Converts the objects of a kind. Whoever may write an object may also write its annotations. So if values that are restored
    /// from the annotation make the converted object invalid, they are dropped. For values of the status, see
    /// [`Versions::secret`].
    ///
    /// For more than two versions, name each pair of neighbours:
    ///
    /// ```ignore
    /// Webhook::new().versions(
    ///     Versions::new().pair::<v1alpha1::Widget, v1beta1::Widget>().pair::<v1beta1::Widget, v1::Widget>(),
    /// );
    /// ```
    #[must_use]
    pub fn versions(mut self, versions: Versions) -> Webhook {
        self.versions = self.versions.iter().cloned().chain([versions.guarded()]).collect();
        self
    }

    /// Admits the objects of a kind that the server would accept, and rejects others in the server's words.
    #[must_use]
    pub fn kind(mut self, kind: CompiledKind) -> Webhook {
        self.kinds = self.kinds.iter().cloned().chain([Arc::new(kind)]).collect();
        self
    }

    /// Sets the size limit for reviews, in bytes. The default is 64 MiB.
    #[must_use]
    pub fn limit(mut self, bytes: usize) -> Webhook {
        self.limit = bytes;
        self
    }

    /// Sets a function to call after each request, for metrics, traces and logs.
    ///
    /// ```ignore
    /// webhook.observe(|it| tracing::info!(it.review, it.status, elapsed = ?it.elapsed, it.error))
    /// ```
    #[must_use]
    pub fn observe(mut self, observer: impl Fn(&Answered) + Send + Sync + 'static) -> Webhook {
        self.observer = Some(observe::Observer(Arc::new(observer)));
        self
    }

    /// Answers a review. The review and the answer are JSON.
    pub fn answer(&self, review: &[u8]) -> Result<String, NoReview> {
        self.respond(review, Until::NEVER).map(|answer| answer.text)
    }

    /// Answers a review, or stops when it is too late for an answer.
    fn respond(&self, review: &[u8], until: Until) -> Result<Answer, NoReview> {
        if let Some(answer) = self.respond_straight(review, until) {
            return Ok(answer);
        }
        until.check()?;
        let length = review.len();
        let review = json::read_small(review, VALUES).map_err(|e| match e.is_syntax {
            true => NoReview(format!("the body is not JSON: {e}")),
            false => NoReview(format!("the body cannot be read: {e}")),
        })?;
        let Value::Map(mut review) = review else {
            return Err(NoReview::other("the body is not a JSON object"));
        };
        let (api_version, kind) = (text(&review, "apiVersion"), text(&review, "kind"));
        let Some(Value::Map(request)) = review.remove("request") else {
            return Err(NoReview(format!("`{kind}` of `{api_version}` has no request")));
        };
        let mut answer = Answer::begin(&api_version, kind.clone(), length);
        match (&*kind, &*api_version) {
            (CONVERSION, version) if CONVERSION_VERSIONS.contains(&version) => {
                let request = conversion::Request::of(request);
                let done = conversion::respond(&self.versions, request, until, &mut answer.text);
                until.check()?;
                done.ok_or_else(|| NoReview::other("an object is not JSON"))?;
            }
            ("AdmissionReview", "admission.k8s.io/v1" | "admission.k8s.io/v1beta1") => {
                json::write(&Value::Map(admission::respond(&self.kinds, &request)), &mut answer.text);
            }
            _ => {
                let why = format!("this webhook does not answer `{kind}` of `{api_version}`");
                return Err(NoReview(why));
            }
        }
        Ok(answer.end())
    }

    /// Returns the answer to a ConversionReview that has nothing unusual. Its objects stay text.
    fn respond_straight(&self, review: &[u8], until: Until) -> Option<Answer> {
        let mut scan = Scan::new(std::str::from_utf8(review).ok()?);
        let (mut api_version, mut kind, mut request) = (None, None, None);
        scan.members(|name, scan| {
            let is_new = match name {
                "apiVersion" => api_version.replace(scan.value()?).is_none(),
                "kind" => kind.replace(scan.value()?).is_none(),
                "request" => request.replace(conversion::Request::scan(scan)?).is_none(),
                _ => false,
            };
            is_new.then_some(Walk::On)
        })?;
        scan.end()?;
        let string = |text: Option<&str>| Some(json::read(text?.as_bytes()).ok()?.as_str()?.to_owned());
        let (api_version, kind) = (string(api_version)?, string(kind)?);
        if kind != CONVERSION || !CONVERSION_VERSIONS.contains(&&*api_version) {
            return None;
        }
        let mut answer = Answer::begin(&api_version, kind, review.len());
        conversion::respond(&self.versions, request?, until, &mut answer.text)?;
        Some(answer.end())
    }
}

const CONVERSION: &str = "ConversionReview";
const CONVERSION_VERSIONS: [&str; 2] = ["apiextensions.k8s.io/v1", "apiextensions.k8s.io/v1beta1"];

/// An answer, and the kind of its review.
struct Answer {
    kind: String,
    text: String,
}

impl Answer {
    /// Begins an answer, up to its response. `length` is that of the review.
    fn begin(api_version: &str, kind: String, length: usize) -> Answer {
        let mut text = String::with_capacity(length + length / 4);
        text.push_str("{\"apiVersion\":");
        json::write_str(api_version, &mut text);
        text.push_str(",\"kind\":");
        json::write_str(&kind, &mut text);
        text.push_str(",\"response\":");
        Answer { kind, text }
    }

    fn end(mut self) -> Answer {
        self.text.push('}');
        self
    }
}

fn text(map: &Map<Value>, name: &str) -> String {
    map.text(name).to_owned()
}

/// The error for a request that is not a review.
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
