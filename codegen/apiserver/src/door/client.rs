//! A client that is a certain user.

use super::ResponseBody;
use crate::server::Server;
use crate::user::User;
use bytes::Buf;
use http::{Request, Response};
use http_body::Body;
use std::convert::Infallible;
use std::error::Error;
use std::task::{Context, Poll};
use tower_service::Service;

/// A [`Server`] whose requests are those of one user. Clones are the same user.
///
/// `kube::Client::new` takes it in place of the server.
#[derive(Clone, Debug)]
pub struct ClientAs {
    server: Server,
    user: User,
}

impl Server {
    /// A client that is a user, such as the service account of a controller. With [`Server::with_rbac`], it may do what the roles
    /// of this user allow.
    pub fn client_as(&self, user: User) -> ClientAs {
        ClientAs { server: self.clone(), user }
    }
}

impl<B> Service<Request<B>> for ClientAs
where
    B: Body + Send + 'static,
    B::Data: Buf + Send,
    B::Error: Into<Box<dyn Error + Send + Sync>>,
{
    type Response = Response<ResponseBody>;
    type Error = Infallible;
    type Future = <Server as Service<Request<B>>>::Future;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, mut request: Request<B>) -> Self::Future {
        request.extensions_mut().insert(self.user.clone());
        self.server.call(request)
    }
}
