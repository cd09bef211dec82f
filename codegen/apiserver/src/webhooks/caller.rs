//! Makes calls: to webhooks in the process, and over HTTPS.

use super::Wanted;
use super::answers::{Outcome, Unanswered};
use super::body::{Answered, read};
use super::failure::NoResponse;
use bytes::Bytes;
use crdgen_core::value::Value;
use crdgen_core::{go, json, yaml};
use http::header::{ACCEPT, CONTENT_TYPE, HOST};
use http::{HeaderValue, Method, Request, Response, Uri};
use http_body::Body;
use http_body_util::Full;
use std::collections::BTreeMap;
use std::error::Error;
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::time::timeout;
use tower_service::Service;

/// How many reviews of conversions are on their way at once. The server sends one after the other.
const CONVERSIONS_AT_ONCE: usize = 16;

/// Why the webhook has answered none of several calls.
fn all_silent(outcomes: &[Outcome]) -> Option<Unanswered> {
    let is_silent = |outcome: &Outcome| matches!(outcome, Err(Unanswered::Silent(_)));
    let is_over = outcomes.len() == CONVERSIONS_AT_ONCE && outcomes.iter().all(is_silent);
    outcomes.last()?.as_ref().err().filter(|_| is_over).cloned()
}

type Answering = Pin<Box<dyn Future<Output = Answered> + Send>>;
type Host = Arc<dyn Fn(Request<Full<Bytes>>) -> Answering + Send + Sync>;

/// Calls webhooks. Clones know the same ones.
#[derive(Clone, Default)]
pub(crate) struct Caller {
    /// The webhooks in the process, by host.
    hosts: Arc<Mutex<BTreeMap<String, Host>>>,
    /// Whether the server listens on a port. Then its clients may be no tests in this process.
    listens: Arc<AtomicBool>,
}

impl fmt::Debug for Caller {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Caller").finish_non_exhaustive()
    }
}

impl Caller {
    /// Calls a service instead of a host.
    pub(crate) fn add<S, B>(&self, host: &str, service: S)
    where
        S: Service<Request<Full<Bytes>>, Response = Response<B>> + Clone + Send + 'static,
        S::Error: Into<Box<dyn Error + Send + Sync>>,
        S::Future: Send,
        B: Body + Send + 'static,
        B::Data: Send,
        B::Error: Into<Box<dyn Error + Send + Sync>>,
    {
        let service = Mutex::new(service);
        let host_service: Host = Arc::new(move |request| {
            let mut service = service.lock().unwrap_or_else(PoisonError::into_inner).clone();
            Box::pin(async move {
                std::future::poll_fn(|context| service.poll_ready(context)).await.map_err(NoResponse::of)?;
                read(service.call(request).await.map_err(NoResponse::of)?).await
            })
        });
        let mut hosts = self.hosts.lock().unwrap_or_else(PoisonError::into_inner);
        hosts.insert(host.to_owned(), host_service);
    }

    /// Notes that the server listens on a port.
    #[cfg(feature = "http")]
    pub(crate) fn listens(&self) {
        self.listens.store(true, Ordering::Relaxed);
    }

    /// There is no network of a cluster. A test can answer for the service.
    fn no_service(&self, name: &str, host: &str) -> NoResponse {
        let is_here = !self.listens.load(Ordering::Relaxed);
        NoResponse::NoService { name: name.to_owned(), host: is_here.then(|| host.to_owned()) }
    }

    fn host(&self, uri: &Uri) -> Option<Host> {
        let hosts = self.hosts.lock().unwrap_or_else(PoisonError::into_inner);
        let with_port = uri.authority().and_then(|authority| hosts.get(authority.as_str()));
        with_port.or_else(|| hosts.get(uri.host()?)).cloned()
    }

    /// Makes several calls: all admission reviews at once, and a few conversions at a time.
    pub(super) async fn call_all(&self, wanted: Vec<Wanted>) -> Vec<(Wanted, Outcome)> {
        let (conversions, reviews): (Vec<_>, Vec<_>) = wanted.into_iter().partition(Wanted::is_conversion);
        let mut outcomes = self.call_at_once(&reviews).await;
        for calls in conversions.chunks(CONVERSIONS_AT_ONCE) {
            // A client does not wait a thousand times for a webhook that is not there.
            let silent = outcomes[reviews.len()..].chunks(CONVERSIONS_AT_ONCE).find_map(all_silent);
            match silent {
                Some(why) => outcomes.extend(calls.iter().map(|_| Err(why.clone()))),
                None => outcomes.extend(self.call_at_once(calls).await),
            }
        }
        reviews.into_iter().chain(conversions).zip(outcomes).collect()
    }

    async fn call_at_once(&self, wanted: &[Wanted]) -> Vec<Outcome> {
        all(wanted.iter().map(|wanted| Box::pin(self.call(wanted)) as Pin<Box<_>>).collect()).await
    }

    async fn call(&self, wanted: &Wanted) -> Outcome {
        let url = wanted.endpoint.full_url();
        let limit = Duration::from_secs(wanted.endpoint.timeout.into());
        let response = match timeout(limit, self.send(wanted, &url)).await {
            Ok(response) => response,
            Err(_) => Err(NoResponse::Late),
        };
        let silent = |why: NoResponse| Unanswered::Silent(format!("Post {}: {why}", go::quote(&url)));
        let response = response.map_err(silent)?;
        answer(&response).map_err(|why| Unanswered::Unusable(why.to_string()))
    }

    async fn send(&self, wanted: &Wanted, url: &str) -> Answered {
        let uri: Uri = url.parse().map_err(|why| NoResponse::Url { url: url.to_owned(), why })?;
        let body = Full::new(Bytes::from(json::to_string(&wanted.review)));
        let mut request = Request::new(body);
        *request.method_mut() = Method::POST;
        let headers = request.headers_mut();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        headers.insert(ACCEPT, HeaderValue::from_static("application/json, */*"));
        if let Some(Ok(host)) = uri.authority().map(|authority| authority.as_str().parse()) {
            headers.insert(HOST, host);
        }
        let found = self.host(&uri);
        let host = uri.host().unwrap_or_default().to_owned();
        *request.uri_mut() = uri;
        match found {
            Some(service) => service(request).await,
            None => match &wanted.endpoint.service {
                Some(service) => Err(self.no_service(service, &host)),
                None => over_https(wanted, request).await,
            },
        }
    }
}

#[cfg(feature = "http")]
async fn over_https(wanted: &Wanted, request: Request<Full<Bytes>>) -> Answered {
    super::https::send(request, &wanted.endpoint.ca_bundle).await
}

#[cfg(not(feature = "http"))]
async fn over_https(_: &Wanted, request: Request<Full<Bytes>>) -> Answered {
    let host = request.uri().host().unwrap_or_default();
    Err(NoResponse::NotHere(host.to_owned()))
}

/// Why a response is not a review, as the server's client describes it.
#[derive(Clone, Debug, PartialEq)]
enum NoReview {
    /// The message of a Status.
    Status(String),
    /// Another answer that is not a success.
    Code {
        code: u16,
        body: String,
    },
    Empty {
        code: u16,
        content_type: String,
    },
    Unreadable(json::Error),
    /// JSON of another type.
    Type(&'static str),
}

impl fmt::Display for NoReview {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const NO_JSON: &str = "couldn't get version/kind; json parse error: ";
        match self {
            NoReview::Status(message) => f.write_str(message),
            NoReview::Code { code, body } => f.write_str(&words(*code, body)),
            NoReview::Empty { code, content_type } => {
                write!(f, "0-length response with status code: {code} and content type: {content_type}")
            }
            NoReview::Unreadable(why) => write!(f, "{NO_JSON}{why}"),
            NoReview::Type(ty) => write!(
                f,
                "{NO_JSON}json: cannot unmarshal {ty} into Go value of type struct {{ APIVersion string \
                 \"json:\\\"apiVersion,omitempty\\\"\"; Kind string \"json:\\\"kind,omitempty\\\"\" }}"
            ),
        }
    }
}

/// The review in a response.
fn answer(response: &Response<Bytes>) -> Result<Value, NoReview> {
    let (code, body) = (response.status().as_u16(), response.body());
    let read = parse(body);
    if !response.status().is_success() {
        let message = read.as_ref().ok().filter(|it| it.text("kind") == "Status");
        return Err(match message.map(|status| status.text("message")) {
            Some(message) => NoReview::Status(cut(message)),
            None => NoReview::Code { code, body: cut(String::from_utf8_lossy(body).trim()) },
        });
    }
    if body.is_empty() {
        let ty = response.headers().get(CONTENT_TYPE).and_then(|ty| ty.to_str().ok()).unwrap_or_default();
        return Err(NoReview::Empty { code, content_type: ty.to_owned() });
    }
    let value = read.map_err(NoReview::Unreadable)?;
    if !matches!(value, Value::Map(_)) {
        return Err(NoReview::Type(value.json_type()));
    }
    Ok(value)
}

/// The beginning of a text of a webhook: Go's client takes 2 KiB of it.
fn cut(text: &str) -> String {
    text.chars().take(2048).collect()
}

/// Reads JSON or YAML, as the server's client does.
fn parse(body: &[u8]) -> Result<Value, json::Error> {
    json::read(body).or_else(|why| {
        let (documents, problems) = yaml::read(body);
        match documents.into_iter().next() {
            Some(document) if problems.is_empty() => Ok(document.value),
            _ => Err(why),
        }
    })
}

/// What a client in Go says about a response that is not a success, and without a Status.
fn words(code: u16, body: &str) -> String {
    match code {
        400 => "the server rejected our request for an unknown reason",
        401 => "the server has asked for the client to provide credentials",
        403 => return body.to_owned(),
        404 => "the server could not find the requested resource",
        405 => "the server does not allow this method on the requested resource",
        409 => "the server reported a conflict",
        422 => "the server rejected our request due to an error in our request",
        429 => "the server has received too many requests and has asked us to try again later",
        503 => "the server is currently unable to handle the request",
        504 => {
            "the server was unable to return a response in the time allotted, but may still be processing the request"
        }
        500.. => {
            let body = if body.is_empty() { "unknown" } else { body };
            let body = go::quote(body);
            return format!("an error on the server ({body}) has prevented the request from succeeding");
        }
        _ => {
            return format!(
                "the server responded with the status code {code} but did not return more information"
            );
        }
    }
    .to_owned()
}

/// Waits for all futures at once.
async fn all<F: Future + Unpin>(futures: Vec<F>) -> Vec<F::Output> {
    let mut futures: Vec<(F, Option<F::Output>)> = futures.into_iter().map(|future| (future, None)).collect();
    std::future::poll_fn(|context| {
        let mut is_ready = true;
        for (future, output) in futures.iter_mut().filter(|(_, output)| output.is_none()) {
            match Pin::new(future).poll(context) {
                std::task::Poll::Ready(found) => *output = Some(found),
                std::task::Poll::Pending => is_ready = false,
            }
        }
        if is_ready { std::task::Poll::Ready(()) } else { std::task::Poll::Pending }
    })
    .await;
    futures.into_iter().filter_map(|(_, output)| output).collect()
}
