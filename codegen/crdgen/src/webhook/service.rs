//! The webhook as a service: checks requests, and returns responses.

use super::{Answer, Answered, NoReview, Until, Webhook};
use bytes::{Buf, Bytes};
use http::header::{ALLOW, CONTENT_TYPE};
use http::{HeaderMap, HeaderValue, Method, Request, Response, StatusCode};
use http_body_util::{BodyExt, Full};
use std::convert::Infallible;
use std::future::Future;
use std::pin::{Pin, pin};
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
            let answer = match call.read(&webhook, request, &mut ()).await {
                Ok(body) => call.answer(&webhook, &body),
                Err(refusal) => Err(refusal),
            };
            Ok(call.end(&webhook, answer).map(Full::new))
        })
    }
}

/// What limits the memory and the time for the body of a request.
pub(super) trait Room {
    /// Waits until there is memory for a body of this length.
    fn make(&mut self, length: usize) -> impl Future<Output = Result<(), Refusal>> + Send;

    /// Waits for the next part of the body.
    fn wait<T>(
        &self,
        next: impl Future<Output = T> + Send,
    ) -> impl Future<Output = Result<T, Refusal>> + Send;
}

/// Without limits: the server around the service has its own.
impl Room for () {
    async fn make(&mut self, _: usize) -> Result<(), Refusal> {
        Ok(())
    }

    async fn wait<T>(&self, next: impl Future<Output = T> + Send) -> Result<T, Refusal> {
        Ok(next.await)
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
    pub(super) async fn read<B>(
        &mut self,
        webhook: &Webhook,
        request: Request<B>,
        room: &mut (impl Room + Send + Sync),
    ) -> Result<Vec<u8>, Refusal>
    where
        B: http_body::Body + Send,
        B::Data: Send,
        B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
    {
        if request.method() != Method::POST {
            return Err(Refusal::Method);
        }
        if !is_json(request.headers()) {
            return Err(Refusal::ContentType);
        }
        let fits = |length: usize| {
            if length > webhook.limit { Err(Refusal::TooLong(webhook.limit)) } else { Ok(()) }
        };
        let mut body = pin!(request.into_body());
        let known = body.size_hint().exact().map(|length| usize::try_from(length).unwrap_or(usize::MAX));
        let mut all = Vec::new();
        if let Some(length) = known {
            fits(length)?;
            room.make(length).await?;
            all.reserve_exact(length);
        }
        loop {
            // The error of a body may not leave its thread, so it becomes text at once.
            let next = async {
                let text = |error: B::Error| Refusal::Body(error.into().to_string());
                body.frame().await.map(|frame| frame.map_err(text))
            };
            let Some(frame) = room.wait(next).await? else { break };
            let Ok(mut data) = frame?.into_data() else { continue };
            let length = all.len() + data.remaining();
            fits(length)?;
            if known.is_none() {
                room.make(length).await?;
            }
            while data.has_remaining() {
                let part = data.chunk();
                all.extend_from_slice(part);
                let read = part.len();
                data.advance(read);
            }
        }
        self.request_bytes = all.len();
        Ok(all)
    }

    /// Answers a review.
    pub(super) fn answer(&mut self, webhook: &Webhook, body: &[u8]) -> Result<String, Refusal> {
        self.take(webhook.respond(body, Until::NEVER))
    }

    /// Returns the text of an answer, if there is one.
    pub(super) fn take(&mut self, answer: Result<Answer, NoReview>) -> Result<String, Refusal> {
        let answer = answer.map_err(|why| Refusal::Body(why.to_string()))?;
        self.review = answer.kind;
        Ok(answer.text)
    }

    /// Returns the response, and passes it to the observer of the webhook.
    pub(super) fn end(self, webhook: &Webhook, answer: Result<String, Refusal>) -> Response<Bytes> {
        let (response, response_bytes, error) = match answer {
            Ok(text) => {
                let bytes = text.len();
                let mut response = Response::new(Bytes::from(text));
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
    /// The client has stopped sending its body.
    #[cfg(feature = "serve")]
    Slow,
    /// Too many connections have reviews.
    #[cfg(feature = "serve")]
    Busy,
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
            Refusal::Slow => "the rest of the review takes too long to arrive".to_owned(),
            #[cfg(feature = "serve")]
            Refusal::Busy => "too many reviews are being answered".to_owned(),
            #[cfg(feature = "serve")]
            Refusal::Panic => "the webhook panicked".to_owned(),
        }
    }

    fn response(&self, text: String) -> Response<Bytes> {
        let mut response = Response::new(Bytes::from(text));
        *response.status_mut() = match self {
            Refusal::Method => StatusCode::METHOD_NOT_ALLOWED,
            Refusal::ContentType => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            Refusal::TooLong(_) => StatusCode::PAYLOAD_TOO_LARGE,
            Refusal::Body(_) => StatusCode::BAD_REQUEST,
            #[cfg(feature = "serve")]
            Refusal::Late => StatusCode::GATEWAY_TIMEOUT,
            #[cfg(feature = "serve")]
            Refusal::Slow => StatusCode::REQUEST_TIMEOUT,
            #[cfg(feature = "serve")]
            Refusal::Busy => StatusCode::SERVICE_UNAVAILABLE,
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
