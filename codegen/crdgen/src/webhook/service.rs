//! The webhook as a service: checks requests, and returns responses.

use super::{Answer, Answered, NoReview, Webhook};
use bytes::Bytes;
use http::header::{ALLOW, CONTENT_TYPE};
use http::{HeaderMap, HeaderValue, Method, Request, Response, StatusCode};
use http_body_util::{BodyExt, Full, LengthLimitError, Limited};
use std::convert::Infallible;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Instant;

/// The body of an answer.
pub type Body = Full<Bytes>;

impl<B> tower_service::Service<Request<B>> for Webhook
where
    B: http_body::Body + Send + 'static,
    B::Data: Send,
    B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    type Response = Response<Body>;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Response<Body>, Infallible>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        let webhook = self.clone();
        Box::pin(async move {
            let mut call = Call::begin();
            let answer = match call.read(&webhook, request).await {
                Ok(body) => call.answer(&webhook, &body),
                Err(refusal) => Err(refusal),
            };
            Ok(call.end(&webhook, answer))
        })
    }
}

/// A request that is being answered.
pub(super) struct Call {
    start: Instant,
    review: String,
    request_bytes: usize,
}

impl Call {
    pub(super) fn begin() -> Call {
        Call { start: Instant::now(), review: String::new(), request_bytes: 0 }
    }

    /// Reads the body of a request, if it may be a review.
    pub(super) async fn read<B>(&mut self, webhook: &Webhook, request: Request<B>) -> Result<Bytes, Refusal>
    where
        B: http_body::Body,
        B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
    {
        if request.method() != Method::POST {
            return Err(Refusal::Method);
        }
        if !is_json(request.headers()) {
            return Err(Refusal::ContentType);
        }
        let body = Limited::new(request.into_body(), webhook.limit).collect().await.map_err(|error| {
            if error.is::<LengthLimitError>() {
                Refusal::TooLong(webhook.limit)
            } else {
                Refusal::Body(error.to_string())
            }
        })?;
        let body = body.to_bytes();
        self.request_bytes = body.len();
        Ok(body)
    }

    /// Answers a review.
    pub(super) fn answer(&mut self, webhook: &Webhook, body: &[u8]) -> Result<String, Refusal> {
        self.take(webhook.respond(body))
    }

    /// Returns the text of an answer, if there is one.
    pub(super) fn take(&mut self, answer: Result<Answer, NoReview>) -> Result<String, Refusal> {
        let answer = answer.map_err(|why| Refusal::Body(why.to_string()))?;
        self.review = answer.kind;
        Ok(answer.text)
    }

    /// Returns the response, and passes it to the observer of the webhook.
    pub(super) fn end(self, webhook: &Webhook, answer: Result<String, Refusal>) -> Response<Body> {
        let (response, response_bytes, error) = match answer {
            Ok(text) => {
                let bytes = text.len();
                let mut response = Response::new(Full::from(text));
                response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
                (response, bytes, None)
            }
            Err(refusal) => {
                let text = refusal.text();
                (refusal.response(text.clone()), text.len(), Some(text))
            }
        };
        if let Some(observer) = &webhook.observer {
            observer.0(&Answered {
                review: self.review,
                status: response.status().as_u16(),
                request_bytes: self.request_bytes,
                response_bytes,
                elapsed: self.start.elapsed(),
                error,
            });
        }
        response
    }
}

/// Whether the headers describe the body as JSON, or not at all.
fn is_json(headers: &HeaderMap) -> bool {
    let Some(content_type) = headers.get(CONTENT_TYPE) else { return true };
    let essence = content_type.to_str().unwrap_or_default().split(';').next().unwrap_or_default().trim();
    essence.eq_ignore_ascii_case("application/json")
}

/// Why a request is rejected.
pub(super) enum Refusal {
    Method,
    ContentType,
    TooLong(usize),
    Body(String),
    /// The answer took too long.
    #[cfg(feature = "serve")]
    Late,
    /// A conversion has panicked.
    #[cfg(feature = "serve")]
    Panic,
}

impl Refusal {
    fn text(&self) -> String {
        match self {
            Refusal::Method => "send reviews with POST".to_owned(),
            Refusal::ContentType => "reviews are application/json".to_owned(),
            Refusal::TooLong(limit) => format!("the review is longer than {limit} bytes"),
            Refusal::Body(why) => why.clone(),
            #[cfg(feature = "serve")]
            Refusal::Late => "the review takes too long".to_owned(),
            #[cfg(feature = "serve")]
            Refusal::Panic => "the webhook panicked".to_owned(),
        }
    }

    fn response(&self, text: String) -> Response<Body> {
        let mut response = Response::new(Full::from(text));
        *response.status_mut() = match self {
            Refusal::Method => StatusCode::METHOD_NOT_ALLOWED,
            Refusal::ContentType => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            Refusal::TooLong(_) => StatusCode::PAYLOAD_TOO_LARGE,
            Refusal::Body(_) => StatusCode::BAD_REQUEST,
            #[cfg(feature = "serve")]
            Refusal::Late => StatusCode::GATEWAY_TIMEOUT,
            #[cfg(feature = "serve")]
            Refusal::Panic => StatusCode::INTERNAL_SERVER_ERROR,
        };
        let headers = response.headers_mut();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/plain; charset=utf-8"));
        if let Refusal::Method = self {
            headers.insert(ALLOW, HeaderValue::from_static("POST"));
        }
        response
    }
}
