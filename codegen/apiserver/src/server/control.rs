//! What a test does with a server besides sending requests.

use super::Server;
use crate::random::Random;
use crate::state::State;
use crate::testing::{Fault, Faults, Recorded, Records, Rule, Simulation};
use crate::webhooks::Caller;
use bytes::Bytes;
use http::{Request, Response};
use http_body::Body;
use http_body_util::Full;
use std::error::Error;
use std::fmt;
use std::future::poll_fn;
use std::sync::atomic::AtomicUsize;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::Poll;
use std::time::Duration;
use tokio::time::{Instant, timeout_at};
use tower_service::Service;

/// What a test sets, and what it asks for.
#[derive(Debug, Default)]
pub(super) struct Control {
    records: Mutex<Records>,
    faults: Mutex<Faults>,
    pub(super) caller: Caller,
    /// The source of random delays, if requests and events are shuffled.
    shuffle: Mutex<Option<Random>>,
    /// The bytes of all bodies that have arrived, of requests without an answer.
    pub(super) held: Arc<AtomicUsize>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Control {
    /// The fault for a request.
    pub(super) fn fault(&self, request: &Recorded) -> Option<Fault> {
        lock(&self.faults).next(request)
    }

    /// Random numbers for the delays of a request, if requests are shuffled.
    pub(super) fn shuffled(&self) -> Option<Random> {
        lock(&self.shuffle).as_mut().map(|random| Random::new(random.next()))
    }

    pub(super) fn record(&self, request: Recorded) {
        lock(&self.records).push(request);
    }
}

/// How long [`Server::eventually`] waits.
const LIMIT: Duration = Duration::from_secs(10);

/// What was not so after ten seconds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotReached(String);

impl fmt::Display for NotReached {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "still not after {} seconds: {}", LIMIT.as_secs(), self.0)
    }
}

impl Error for NotReached {}

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
        Snapshot(Box::new(self.state().clone()))
    }

    /// Goes back to a copy. Revisions do not go back, so watches from before get 410, and clients list again.
    pub fn restore(&self, snapshot: &Snapshot) {
        let mut state = self.shared.lock();
        let State {
            store,
            registry,
            random,
            clock,
            authorization,
            has_manager,
            checks_namespaces,
            work,
            denied,
            abandoned,
            tried_again,
            simulations,
            tokens: _,
        } = Clone::clone(&*snapshot.0);
        state.store.restore(&store);
        self.shared.lines().clear();
        (state.registry, state.random, state.clock) = (registry, random, clock);
        (state.work, state.denied, state.abandoned) = (work, denied, abandoned);
        state.tried_again = tried_again;
        (state.has_manager, state.checks_namespaces) = (has_manager, checks_namespaces);
        state.authorization = authorization;
        state.simulations = simulations;
        // If this fails, so do all requests from now on.
        self.shared.save(&state);
    }

    /// Notes that the server listens on a port.
    #[cfg(feature = "http")]
    pub(crate) fn listens(&self) {
        self.control.caller.listens();
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

    /// Delays requests and the events of watches by some milliseconds, which a seed determines. So events of different resources,
    /// and requests of different tasks, come in another order with each seed. Use it with the paused time of tokio, so that it
    /// takes no time and every run with the same seed is the same; [`crate::run`] does that.
    pub fn shuffle(&self, seed: u64) {
        *lock(&self.control.shuffle) = Some(Random::new(seed));
    }

    /// Sets the status of workloads as a cluster with nodes would, from now on. Without it, they stay as they are created.
    pub fn simulate(&self, simulation: Simulation) {
        self.shared.lock().simulations.insert(simulation);
    }

    /// Checks something again after each change in the server, until it is so. It does not sleep, and needs no retries.
    ///
    /// # Errors
    /// Fails after ten seconds, with the error of the last check. If the time of tokio is paused, it fails as soon as nothing
    /// goes on any more.
    pub async fn eventually<T, E: fmt::Display>(
        &self,
        mut check: impl AsyncFnMut() -> Result<T, E>,
    ) -> Result<T, NotReached> {
        let deadline = Instant::now() + LIMIT;
        loop {
            // A change during the check counts too.
            let revision = self.shared.lock().store.revision();
            let last = match check().await {
                Ok(found) => return Ok(found),
                Err(why) => why.to_string(),
            };
            let changed = poll_fn(|context| {
                let mut state = self.shared.lock();
                if state.store.revision() != revision {
                    return Poll::Ready(());
                }
                state.store.wait_for_any(context.waker());
                Poll::Pending
            });
            if timeout_at(deadline, changed).await.is_err() {
                return Err(NotReached(last));
            }
        }
    }

    /// The requests so far.
    pub fn requests(&self) -> Records {
        lock(&self.control.records).clone()
    }

    /// Makes requests fail by a rule, until the rule has been used up.
    ///
    /// # Panics
    /// Panics if no request can meet the rule, because the verb or the resource does not exist. Such a test would test nothing.
    #[track_caller]
    pub fn inject(&self, rule: Rule) {
        let mistake = {
            let state = self.state();
            rule.mistake(state.registry.kinds().map(|kind| &*kind.resource.plural))
        };
        if let Some(why) = mistake {
            panic!("the rule is about no request: {why}");
        }
        lock(&self.control.faults).add(rule);
    }

    /// Removes all rules.
    pub fn heal(&self) {
        lock(&self.control.faults).clear();
    }
}
