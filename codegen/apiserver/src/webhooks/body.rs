//! The bodies of answers.

use super::failure::NoResponse;
use bytes::Bytes;
use http::Response;
use http_body::Body;
use http_body_util::{BodyExt, Limited};
use std::error::Error;

/// The longest answer that the server reads.
const MOST: usize = 64 << 20;

/// A response with its whole body, or why there is none.
pub(super) type Answered = Result<Response<Bytes>, NoResponse>;

/// Reads the whole body of a response.
pub(super) async fn read<B>(response: Response<B>) -> Answered
where
    B: Body,
    B::Error: Into<Box<dyn Error + Send + Sync>>,
{
    let (parts, body) = response.into_parts();
    let body = Limited::new(body, MOST).collect().await.map_err(NoResponse::of)?;
    Ok(Response::from_parts(parts, body.to_bytes()))
}
