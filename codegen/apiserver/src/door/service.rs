//! The server as a service over the types of the crate http.

use super::{ResponseBody, warnings};
use crate::answer::{Answer, Content};
use crate::discovery;
use crate::request::{Form, MAX_BODY, Objects, Syntax, accepted, protobuf};
use crate::server::Server;
use crate::state::Sent;
use crate::status::Failure;
use crate::user::User;
use bytes::{Buf, BufMut, Bytes, BytesMut};
use crdgen_core::value::Value;
use crdgen_core::{json, yaml};
use http::header::{ACCEPT, CONTENT_TYPE, RETRY_AFTER, WARNING};
use http::{HeaderValue, Method, Request, Response, StatusCode};
use http_body::{Body, Frame};
use http_body_util::{BodyExt, LengthLimitError, Limited};
use std::convert::Infallible;
use std::error::Error;
use std::future::Future;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::time::timeout;
use tower_service::Service;

impl<B> Service<Request<B>> for Server
where
    B: Body + Send + 'static,
    B::Data: Buf + Send,
    B::Error: Into<Box<dyn Error + Send + Sync>>,
{
    type Response = Response<ResponseBody>;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Infallible>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        let server = self.clone();
        let is_head = *request.method() == Method::HEAD;
        Box::pin(async move {
            let response = server.respond(request).await;
            // HTTP/2 has no answers to HEAD with a body.
            Ok(if is_head { response.map(|_| ResponseBody::whole("")) } else { response })
        })
    }
}

impl Server {
    async fn respond<B>(&self, request: Request<B>) -> Response<ResponseBody>
    where
        B: Body,
        B::Error: Into<Box<dyn Error + Send + Sync>>,
    {
        let (parts, body) = request.into_parts();
        let accept =
            parts.headers.get(ACCEPT).and_then(|value| value.to_str().ok()).unwrap_or_default().to_owned();
        let user = match parts
            .extensions
            .get()
            .cloned()
            .map_or_else(|| self.sender(&parts.headers), Sent::Account)
        {
            Sent::Account(user) => user,
            Sent::Other => User::admin(),
            Sent::Invalid => return response(Failure::unauthorized().into(), &accept),
        };
        let uri = parts.uri.path_and_query().map_or("/", |it| it.as_str()).to_owned();
        let mut held = Held { own: 0, all: self.held() };
        let answer = match held.read_in_time(body).await {
            Ok(body) => self.answer(user, parts.method, &uri, parts.headers, body).await,
            Err(why) => why.into(),
        };
        response(answer, &accept)
    }
}

/// How many bytes of unfinished bodies the server keeps before it rejects others. Clients may begin thousands of requests at once, and finish none.
const MOST_HELD: usize = 128 << 20;
/// How many bytes a body counts besides its own if it is unfinished after a moment, and how many all may have then. So half of all
/// connections, and half of all bytes, are left to others.
const SLOW: usize = 32 << 10;
const MOST_SLOW: usize = MOST_HELD / 2;
const MOMENT: Duration = Duration::from_secs(1);

/// How many of these bytes belong to one request.
struct Held {
    own: usize,
    all: Arc<AtomicUsize>,
}

impl Held {
    fn hold(&mut self, bytes: usize, most: usize) -> Result<(), Failure> {
        self.own += bytes;
        let before = self.all.fetch_add(bytes, Ordering::Relaxed);
        if before > most { Err(Failure::too_many_bodies()) } else { Ok(()) }
    }

    async fn read_in_time<B>(&mut self, body: B) -> Result<Bytes, Failure>
    where
        B: Body,
        B::Error: Into<Box<dyn Error + Send + Sync>>,
    {
        let mut slow = Held { own: 0, all: Arc::clone(&self.all) };
        let mut read = pin!(self.read(body));
        match timeout(MOMENT, read.as_mut()).await {
            Ok(body) => body,
            Err(_) => {
                slow.hold(SLOW, MOST_SLOW)?;
                read.await
            }
        }
    }

    async fn read<B>(&mut self, body: B) -> Result<Bytes, Failure>
    where
        B: Body,
        B::Error: Into<Box<dyn Error + Send + Sync>>,
    {
        let mut body = pin!(Limited::new(body, MAX_BODY + 1));
        let mut bytes = BytesMut::new();
        while let Some(frame) = body.frame().await {
            match frame.map(Frame::into_data) {
                Ok(Ok(data)) => {
                    self.hold(data.remaining(), MOST_HELD)?;
                    bytes.put(data);
                }
                Ok(Err(_)) => {}
                Err(why) if why.downcast_ref::<LengthLimitError>().is_some() => {
                    return Err(Failure::too_large(format_args!("limit is {MAX_BODY}")));
                }
                Err(_) => return Err(Failure::bad_request("the body of the request cannot be read")),
            }
        }
        Ok(bytes.freeze())
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        self.all.fetch_sub(self.own, Ordering::Relaxed);
    }
}

const PROTOBUF: &str = "application/vnd.kubernetes.protobuf";

/// A value in the form that the client accepts, with its media type.
fn written(value: &Value, accept: &str) -> (&'static str, ResponseBody) {
    let syntax = |objects| accepted(accept, objects).map_or(Syntax::Json, |accepted| accepted.syntax);
    let found = syntax(Objects::Own);
    if found == Syntax::Protobuf
        && let Some(bytes) = protobuf::write(value)
    {
        return (PROTOBUF, ResponseBody::whole(bytes));
    }
    // Custom resources have no protobuf, and have another form if the client accepts one.
    let found = if found == Syntax::Protobuf { syntax(Objects::Custom) } else { found };
    match found {
        Syntax::Json | Syntax::Protobuf => in_json(&json::to_string(value)),
        Syntax::Yaml => ("application/yaml", ResponseBody::whole(yaml::write(value))),
    }
}

/// A text in JSON, as a line.
fn in_json(text: &str) -> (&'static str, ResponseBody) {
    let mut line = String::with_capacity(text.len() + 1);
    line.push_str(text);
    line.push('\n');
    ("application/json", ResponseBody::whole(line))
}

pub(super) fn response(answer: Answer, accept: &str) -> Response<ResponseBody> {
    const DISCOVERY: &str = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
    const DISCOVERY_IN_PROTOBUF: &str =
        "application/vnd.kubernetes.protobuf;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
    const OPENAPI: &str = "application/com.github.proto-openapi.spec.v2.v1.0+protobuf";
    let wanted = accepted(accept, Objects::Own);
    let syntax = wanted.map_or(Syntax::Json, |accepted| accepted.syntax);
    // A failure has no other form than its own.
    let is_failure = answer.code >= 400 && wanted.is_some_and(|it| it.form != Form::Plain);
    let accept = if is_failure && syntax == Syntax::Protobuf { "" } else { accept };
    let (content_type, body) = match (answer.content, syntax) {
        // Objects and lists have their texts already.
        (Content::Object(object), Syntax::Json) => in_json(object.text()),
        (Content::List(list), Syntax::Json) => ("application/json", ResponseBody::list(list.into_json())),
        (Content::List(list), Syntax::Protobuf) => match list.into_protobuf() {
            Ok(pieces) => (PROTOBUF, ResponseBody::list(pieces)),
            Err(list) => written(&list.to_value(), accept),
        },
        (Content::List(list), Syntax::Yaml) => ("application/yaml", ResponseBody::list(list.into_yaml())),
        (Content::Groups(value), Syntax::Json) => {
            ("application/json", ResponseBody::whole(discovery::text(&value)))
        }
        (Content::Value(value) | Content::Groups(value), _) => written(&value, accept),
        (Content::Object(object), _) => written(&object, accept),
        (Content::Discovery(value), Syntax::Protobuf) => {
            (DISCOVERY_IN_PROTOBUF, ResponseBody::whole(protobuf::write(&value).unwrap_or_default()))
        }
        (Content::Discovery(value), _) => (DISCOVERY, ResponseBody::whole(json::to_string(&value))),
        (Content::Document(text), _) => ("application/json", ResponseBody::whole(text)),
        (Content::OpenApi(bytes), _) => (OPENAPI, ResponseBody::whole(bytes)),
        (Content::Text(text), _) => ("text/plain; charset=utf-8", ResponseBody::whole(text.into_owned())),
        (Content::Watch(watch), _) => (watch.content_type(), ResponseBody::watch(watch)),
    };
    let mut response = Response::new(body);
    if let Some(seconds) = answer.retry_after {
        response.headers_mut().insert(RETRY_AFTER, seconds.into());
    }
    *response.status_mut() = StatusCode::from_u16(answer.code).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(content_type));
    headers.insert("cache-control", HeaderValue::from_static("no-cache, private"));
    for warning in warnings::headers(&answer.warnings) {
        headers.append(WARNING, warning);
    }
    response
}
