//! What a test does with a server besides sending requests.

use super::Server;
use crate::state::State;
use crate::testing::{Fault, Faults, Recorded, Records, Rule};
use crate::webhooks::Caller;
use bytes::Bytes;
use http::{Request, Response};
use http_body::Body;
use http_body_util::Full;
use std::error::Error;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tower_service::Service;

/// What a test sets, and what it asks for.
#[derive(Debug, Default)]
pub(super) struct Control {
    records: Mutex<Records>,
    faults: Mutex<Faults>,
    pub(super) caller: Caller,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Control {
    /// The fault for a request.
    pub(super) fn fault(&self, request: &Recorded) -> Option<Fault> {
        lock(&self.faults).next(request)
    }

    pub(super) fn record(&self, request: Recorded) {
        lock(&self.records).push(request);
    }
}

/// What a server contained at a moment.
#[derive(Clone, Debug)]
pub struct Snapshot(Box<State>);

impl Server {
    /// Stops the clock of the server and moves it forward. It sets the times in objects; the timeouts of watches are those of
    /// tokio, whose time you can move with `tokio::time::advance`.
    pub fn advance(&self, by: Duration) {
        self.shared.lock().clock.advance(by);
    }

    /// Forgets all changes so far, as a server does after some minutes. Watches that have not seen them get 410.
    pub fn forget_changes(&self) {
        self.shared.lock().store.compact();
    }

    /// Copies everything that the server contains.
    pub fn snapshot(&self) -> Snapshot {
        Snapshot(Box::new(self.shared.lock().clone()))
    }

    /// Goes back to a copy. Revisions do not go back, so watches from before get 410, and clients list again.
    pub fn restore(&self, snapshot: &Snapshot) {
        let mut state = self.shared.lock();
        let State { store, registry, random, clock, work } = Clone::clone(&*snapshot.0);
        state.store.restore(&store);
        (state.registry, state.random, state.clock, state.work) = (registry, random, clock, work);
    }

    /// Answers calls of webhooks in the process, without a socket and without certificates. The host is
    /// `NAME.NAMESPACE.svc` for webhooks with a `service`, and the one in the URL for the others. The service is any for
    /// requests of the crate `http`: the `Webhook` of crdgen, a router of axum, or a [`crate::Reviewer`].
    pub fn webhook<S, B>(&self, host: &str, service: S)
    where
        S: Service<Request<Full<Bytes>>, Response = Response<B>> + Clone + Send + 'static,
        S::Error: Into<Box<dyn Error + Send + Sync>>,
        S::Future: Send,
        B: Body + Send + 'static,
        B::Data: Send,
        B::Error: Into<Box<dyn Error + Send + Sync>>,
    {
        self.control.caller.add(host, service);
    }

    /// The requests so far.
    pub fn requests(&self) -> Records {
        lock(&self.control.records).clone()
    }

    /// Makes requests fail by a rule, until the rule has been used up.
    pub fn inject(&self, rule: Rule) {
        lock(&self.control.faults).add(rule);
    }

    /// Removes all rules.
    pub fn heal(&self) {
        lock(&self.control.faults).clear();
    }
}
