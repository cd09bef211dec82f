//! A request that may need the answers of webhooks, and then runs again.

use super::control::Control;
use crate::admission;
use crate::clock::Clock;
use crate::controllers;
use crate::random::Random;
use crate::state::{Shared, State, Work};
use crate::webhooks::Hooks;

/// How often a request runs, besides two rounds for each webhook. Each round gets what was missing, and most requests need
/// one or two. A large write needs four, and as many again each time another client changes its object meanwhile. Mutating webhooks are
/// called one after the other, and a second time if others have changed the object.
const MOST_ROUNDS: usize = 100;

/// A request, however often it runs.
pub(super) struct Attempt {
    hooks: Hooks,
    /// What the controllers have asked, which do what the request has started.
    of_controllers: Hooks,
    /// What they do once the webhooks have answered. Requests of these webhooks do not wait for it.
    later: Vec<Work>,
    shared: Shared,
    /// The random numbers and the time of the first run. All runs have the same, so that a review does not differ from the one
    /// that was answered.
    first: Option<(Random, Clock)>,
    /// Whether the request changed an object.
    changed: bool,
    /// The revision that the answer shows. `None` if it shows nothing of the state.
    revision: Option<u64>,
    /// The number of webhooks that there were.
    webhooks: usize,
}

impl Drop for Attempt {
    /// If the client does not wait for the controllers, they go on when the next request comes.
    fn drop(&mut self) {
        if !self.later.is_empty() {
            self.shared.lock().abandoned.append(&mut self.later);
        }
    }
}

impl Attempt {
    pub(super) fn new(control: &Control, shared: &Shared) -> Attempt {
        Attempt {
            hooks: Hooks::new(control.caller.clone()),
            of_controllers: Hooks::new(control.caller.clone()),
            later: Vec::new(),
            shared: shared.clone(),
            first: None,
            changed: false,
            revision: None,
            webhooks: 0,
        }
    }

    /// What the controllers have left to do for requests that did not wait for it.
    pub(super) fn of_controllers(control: &Control, shared: &Shared, state: &mut State) -> Attempt {
        let mut attempt = Attempt::new(control, shared);
        attempt.later = std::mem::take(&mut state.abandoned);
        attempt.settle(state);
        attempt
    }

    pub(super) fn is_waiting(&self) -> bool {
        self.hooks.is_waiting()
    }

    /// How often the request may run.
    pub(super) fn most_rounds(&self) -> usize {
        MOST_ROUNDS + 2 * self.webhooks
    }

    pub(super) fn has_changed(&self) -> bool {
        self.changed
    }

    /// The revision that the answer shows.
    pub(super) fn revision(&self) -> Option<u64> {
        self.revision
    }

    /// Notes whether the answer waits until what it shows is saved. After a storage has failed, there is nothing else to show.
    pub(super) fn waits_for_storage(&mut self, waits: bool) {
        self.revision = self.revision.filter(|_| waits);
    }

    /// Notes the revision that the answer shows.
    pub(super) fn sees(&mut self, revision: u64) {
        self.revision = Some(revision);
    }

    /// Computes what the last run needed, without the lock. Returns whether there is something.
    pub(super) fn compute(&self) -> bool {
        self.hooks.compute()
    }

    /// Calls the webhooks that the last run needed.
    pub(super) async fn call(&mut self) {
        let wanted = self.hooks.wanted();
        self.hooks.call(wanted).await;
    }

    /// Whether the controllers wait for the answers of webhooks.
    pub(super) fn controllers_wait(&self) -> bool {
        self.of_controllers.is_waiting()
    }

    /// Computes what the controllers need, and calls their webhooks.
    pub(super) async fn call_for_controllers(&mut self) {
        self.of_controllers.compute();
        let wanted = self.of_controllers.wanted();
        self.of_controllers.call(wanted).await;
    }

    /// Lets the controllers do what they can.
    pub(super) fn settle(&mut self, state: &mut State) {
        let before = state.store.revision();
        state.work.append(&mut self.later);
        self.later = controllers::settle(state, &self.of_controllers);
        self.revision = Some(state.store.revision());
        self.changed |= state.store.revision() != before;
    }

    /// Runs the request once. What it starts is done before the client gets its answer, so that clients have nothing to wait for.
    pub(super) fn run<T>(&mut self, state: &mut State, request: impl FnOnce(&mut State, &Hooks) -> T) -> T {
        let before = state.store.revision();
        // Requests that run at the same time have other numbers, and so have those after one that runs again.
        let first = || (Random::new(state.random.next()), state.clock.stopped());
        let (random, clock) = self.first.get_or_insert_with(first);
        let own_random = std::mem::replace(&mut state.random, random.clone());
        let own_clock = std::mem::replace(&mut state.clock, clock.clone());
        let answer = request(state, &self.hooks);
        if state.store.revision() != before || state.clock.seconds() >= state.tried_again {
            state.work.append(&mut state.denied);
        }
        if !self.hooks.is_waiting() {
            self.later = controllers::settle(state, &self.of_controllers);
        }
        (state.random, state.clock) = (own_random, own_clock);
        if self.hooks.is_waiting() {
            self.webhooks = admission::number_of_webhooks(&state.store);
        }
        let after = state.store.revision();
        self.revision = Some(after);
        self.changed = after != before;
        answer
    }
}
