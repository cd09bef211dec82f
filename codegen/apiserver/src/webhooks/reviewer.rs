//! A function as a webhook.

use bytes::Bytes;
use http::{Request, Response, StatusCode};
use http_body::Body;
use http_body_util::{BodyExt, Full};
use std::convert::Infallible;
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use tower_service::Service;

/// A webhook that is a function: it gets the JSON of a review, and returns the JSON of the answer.
#[derive(Clone)]
pub struct Reviewer(Arc<dyn Fn(&str) -> String + Send + Sync>);

impl Reviewer {
    /// Makes a webhook of a function.
    pub fn new(answer: impl Fn(&str) -> String + Send + Sync + 'static) -> Reviewer {
        Reviewer(Arc::new(answer))
    }
}

impl fmt::Debug for Reviewer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reviewer").finish_non_exhaustive()
    }
}

impl<B> Service<Request<B>> for Reviewer
where
    B: Body + Send + 'static,
    B::Data: Send,
{
    type Response = Response<Full<Bytes>>;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Infallible>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        let answer = Arc::clone(&self.0);
        Box::pin(async move {
            let body = request.into_body().collect().await.map(|body| body.to_bytes());
            let Ok(Ok(review)) = body.map(|body| String::from_utf8(body.to_vec())) else {
                let mut response = Response::new(Full::default());
                *response.status_mut() = StatusCode::BAD_REQUEST;
                return Ok(response);
            };
            Ok(Response::new(Full::new(Bytes::from(answer(&review)))))
        })
    }
}
