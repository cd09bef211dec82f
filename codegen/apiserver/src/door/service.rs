//! The server as a service over the types of the crate http.

use super::{ResponseBody, warnings};
use crate::answer::{Answer, Content};
use crate::discovery;
use crate::request::{MAX_BODY, accepted};
use crate::server::Server;
use crate::state::Sent;
use crate::status::Failure;
use crate::user::User;
use bytes::{Buf, Bytes};
use crdgen_core::{json, yaml};
use http::header::{ACCEPT, CONTENT_TYPE, RETRY_AFTER, WARNING};
use http::{HeaderValue, Request, Response, StatusCode};
use http_body::Body;
use http_body_util::{BodyExt, LengthLimitError, Limited};
use std::convert::Infallible;
use std::error::Error;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};
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
        Box::pin(async move { Ok(server.respond(request).await) })
    }
}

impl Server {
    async fn respond<B>(&self, request: Request<B>) -> Response<ResponseBody>
    where
        B: Body,
        B::Error: Into<Box<dyn Error + Send + Sync>>,
    {
        let (parts, body) = request.into_parts();
        let accept = parts.headers.get(ACCEPT).and_then(|value| value.to_str().ok()).unwrap_or_default();
        let is_yaml = accepted(accept).is_some_and(|(_, is_yaml)| is_yaml);
        let user = match parts
            .extensions
            .get()
            .cloned()
            .map_or_else(|| self.sender(&parts.headers), Sent::Account)
        {
            Sent::Account(user) => user,
            Sent::Other => User::admin(),
            Sent::Invalid => return response(Failure::unauthorized().into(), is_yaml),
        };
        let user = user.impersonating(&parts.headers);
        let uri = parts.uri.path_and_query().map_or("/", |it| it.as_str()).to_owned();
        let answer = match Limited::new(body, MAX_BODY + 1).collect().await {
            Ok(body) => self.answer(user, parts.method, &uri, parts.headers, body.to_bytes()).await,
            Err(why) if why.downcast_ref::<LengthLimitError>().is_some() => {
                let message = format!("Request entity too large: limit is {MAX_BODY}");
                Failure::new(413, "RequestEntityTooLarge", message).into()
            }
            Err(_) => Failure::bad_request("the body of the request cannot be read").into(),
        };
        response(answer, is_yaml)
    }
}

pub(super) fn response(answer: Answer, is_yaml: bool) -> Response<ResponseBody> {
    const DISCOVERY: &str = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
    let (content_type, body) = match answer.content {
        Content::Value(value) if is_yaml => {
            ("application/yaml", ResponseBody::whole(Bytes::from(yaml::write(&value))))
        }
        Content::Value(value) => {
            let mut text = json::to_string(&value);
            text.push('\n');
            ("application/json", ResponseBody::whole(Bytes::from(text)))
        }
        Content::Object(object) if is_yaml => {
            ("application/yaml", ResponseBody::whole(Bytes::from(yaml::write(&object))))
        }
        Content::Object(object) => {
            let mut text = String::with_capacity(object.text().len() + 1);
            text.push_str(object.text());
            text.push('\n');
            ("application/json", ResponseBody::whole(Bytes::from(text)))
        }
        Content::List(list) if is_yaml => {
            ("application/yaml", ResponseBody::whole(Bytes::from(yaml::write(&list.to_value()))))
        }
        Content::List(list) => {
            let mut text = list.text();
            text.push('\n');
            ("application/json", ResponseBody::whole(Bytes::from(text)))
        }
        Content::Groups(value) if is_yaml => {
            ("application/yaml", ResponseBody::whole(Bytes::from(yaml::write(&value))))
        }
        Content::Groups(value) => {
            ("application/json", ResponseBody::whole(Bytes::from(discovery::text(&value))))
        }
        Content::Discovery(value) => (DISCOVERY, ResponseBody::whole(Bytes::from(json::to_string(&value)))),
        Content::Document(text) => ("application/json", ResponseBody::whole(Bytes::from(text))),
        Content::Text(text) => {
            ("text/plain; charset=utf-8", ResponseBody::whole(Bytes::from(text.into_owned())))
        }
        Content::Watch(watch) => ("application/json", ResponseBody::watch(watch)),
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
