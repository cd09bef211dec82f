//! The webhook as a service: what a request must be, and which answers there are.

use super::Webhook;
use bytes::Bytes;
use http::header::{ALLOW, CONTENT_TYPE};
use http::{HeaderMap, HeaderValue, Method, Request, Response, StatusCode};
use http_body_util::{BodyExt, Full, LengthLimitError, Limited};
use std::convert::Infallible;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};

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
        Box::pin(async move { Ok(webhook.handle(request).await.unwrap_or_else(Refusal::response)) })
    }
}

impl Webhook {
    async fn handle<B>(&self, request: Request<B>) -> Result<Response<Body>, Refusal>
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
        let body = Limited::new(request.into_body(), self.limit).collect().await.map_err(|error| {
            if error.is::<LengthLimitError>() {
                Refusal::TooLong(self.limit)
            } else {
                Refusal::Body(error.to_string())
            }
        })?;
        let answer = self.answer(&body.to_bytes()).map_err(|why| Refusal::Body(why.to_string()))?;
        let mut response = Response::new(Full::from(answer));
        response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        Ok(response)
    }
}

/// Whether the body is JSON, or nothing says what it is.
fn is_json(headers: &HeaderMap) -> bool {
    let Some(content_type) = headers.get(CONTENT_TYPE) else { return true };
    let essence = content_type.to_str().unwrap_or_default().split(';').next().unwrap_or_default().trim();
    essence.eq_ignore_ascii_case("application/json")
}

/// Why a request is refused.
enum Refusal {
    Method,
    ContentType,
    TooLong(usize),
    Body(String),
}

impl Refusal {
    fn response(self) -> Response<Body> {
        let (status, text) = match &self {
            Refusal::Method => (StatusCode::METHOD_NOT_ALLOWED, "reviews are sent by POST".to_owned()),
            Refusal::ContentType => {
                (StatusCode::UNSUPPORTED_MEDIA_TYPE, "reviews are application/json".to_owned())
            }
            Refusal::TooLong(limit) => {
                (StatusCode::PAYLOAD_TOO_LARGE, format!("the review is longer than {limit} bytes"))
            }
            Refusal::Body(why) => (StatusCode::BAD_REQUEST, why.clone()),
        };
        let mut response = Response::new(Full::from(text));
        *response.status_mut() = status;
        let headers = response.headers_mut();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/plain; charset=utf-8"));
        if let Refusal::Method = self {
            headers.insert(ALLOW, HeaderValue::from_static("POST"));
        }
        response
    }
}
