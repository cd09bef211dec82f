//! The connections of a server. Their number is limited, and the one that waits longest for a request makes room for a new
//! one, so that health checks are answered however many clients keep connections open.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore};

/// How many of the connections are left for health checks while all others are busy with reviews.
const FOR_HEALTH: usize = 16;

/// What a connection does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    /// It has no request.
    Idle,
    /// It is open, but no request has arrived in full.
    Head,
    /// It has a request, whose body may not have arrived in full.
    Body,
    /// It has a request that is not answered yet.
    Busy,
}

impl Phase {
    const ALL: [Phase; 4] = [Phase::Idle, Phase::Head, Phase::Body, Phase::Busy];

    /// Whether the connection waits for a request.
    pub(super) fn waits(self) -> bool {
        match self {
            Phase::Idle | Phase::Head => true,
            Phase::Body | Phase::Busy => false,
        }
    }
}

/// All open connections.
#[derive(Debug)]
pub(super) struct Connections {
    seats: Mutex<HashMap<u64, Arc<Seat>>>,
    most: usize,
    /// The number of the next connection, or of the next time that one begins to wait.
    next: AtomicU64,
    reviews: Arc<Semaphore>,
}

/// A connection.
#[derive(Debug)]
pub(super) struct Seat {
    phase: AtomicU8,
    /// Connections with lower numbers have waited longer.
    since: AtomicU64,
    close: Notify,
}

impl Connections {
    /// Creates an empty list, for at most this many connections.
    pub(super) fn new(most: usize) -> Connections {
        let most = most.max(2);
        let for_health = FOR_HEALTH.min(most / 2);
        let reviews = Arc::new(Semaphore::new((most - for_health).min(Semaphore::MAX_PERMITS)));
        Connections { seats: Mutex::default(), most, next: AtomicU64::new(0), reviews }
    }

    /// Adds a connection. If there are too many, closes the one that has waited longest. `None` if all of them are busy.
    pub(super) fn open(self: &Arc<Connections>) -> Option<Open> {
        let number = self.next();
        let mut seats = self.seats();
        if seats.len() >= self.most && close_longest(&mut seats, 1) == 0 {
            return None;
        }
        let seat = Arc::new(Seat {
            phase: AtomicU8::new(Phase::Head as u8),
            since: AtomicU64::new(number),
            close: Notify::new(),
        });
        seats.insert(number, Arc::clone(&seat));
        drop(seats);
        Some(Open { connections: Arc::clone(self), number, seat })
    }

    /// Closes some of the connections that have waited longest. Returns how many.
    pub(super) fn close_some(&self) -> usize {
        let mut seats = self.seats();
        let some = seats.len() / 8 + 1;
        close_longest(&mut seats, some)
    }

    fn review(&self) -> Option<OwnedSemaphorePermit> {
        Arc::clone(&self.reviews).try_acquire_owned().ok()
    }

    fn next(&self) -> u64 {
        self.next.fetch_add(1, Ordering::Relaxed)
    }

    fn seats(&self) -> MutexGuard<'_, HashMap<u64, Arc<Seat>>> {
        self.seats.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Closes the connections that have waited longest for a request, at most `most`. Returns how many.
fn close_longest(seats: &mut HashMap<u64, Arc<Seat>>, most: usize) -> usize {
    let waits = |(number, seat): (&u64, &Arc<Seat>)| seat.phase().waits().then(|| (seat.since(), *number));
    let mut waiting: Vec<(u64, u64)> = seats.iter().filter_map(waits).collect();
    waiting.sort_unstable();
    waiting.truncate(most);
    for (_, number) in &waiting {
        if let Some(seat) = seats.remove(number) {
            seat.close.notify_one();
        }
    }
    waiting.len()
}

/// An open connection, until this is dropped.
#[derive(Debug)]
pub(super) struct Open {
    connections: Arc<Connections>,
    number: u64,
    pub(super) seat: Arc<Seat>,
}

impl Open {
    /// The connection has a request from now on, until what this returns is dropped.
    pub(super) fn busy(&self) -> Busy {
        self.seat.set(Phase::Body);
        Busy { connections: Arc::clone(&self.connections), seat: Arc::clone(&self.seat) }
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        self.connections.seats().remove(&self.number);
    }
}

/// A request that is not answered in full yet.
#[derive(Debug)]
pub(super) struct Busy {
    connections: Arc<Connections>,
    seat: Arc<Seat>,
}

impl Busy {
    /// Notes that the body of the request has arrived in full.
    pub(super) fn has_arrived(&self) {
        self.seat.set(Phase::Busy);
    }

    /// Admits the request as a review, unless too many connections have one.
    pub(super) fn review(&self) -> Option<OwnedSemaphorePermit> {
        self.connections.review()
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        self.seat.since.store(self.connections.next(), Ordering::Relaxed);
        self.seat.set(Phase::Idle);
    }
}

impl Seat {
    pub(super) fn phase(&self) -> Phase {
        let phase = self.phase.load(Ordering::Acquire);
        Phase::ALL.into_iter().find(|it| *it as u8 == phase).unwrap_or(Phase::Busy)
    }

    /// A number that is larger than before after each request.
    pub(super) fn since(&self) -> u64 {
        self.since.load(Ordering::Relaxed)
    }

    /// Notes that bytes have arrived.
    pub(super) fn arrives(&self) {
        let (idle, head) = (Phase::Idle as u8, Phase::Head as u8);
        _ = self.phase.compare_exchange(idle, head, Ordering::AcqRel, Ordering::Acquire);
    }

    fn set(&self, phase: Phase) {
        self.phase.store(phase as u8, Ordering::Release);
    }

    /// Completes when the connection makes room for another one.
    pub(super) async fn closed(&self) {
        self.close.notified().await;
    }
}

#[cfg(test)]
mod tests {
    use super::{Connections, Phase};
    use std::sync::Arc;

    #[test]
    fn the_connection_that_waits_longest_makes_room() {
        let all = Arc::new(Connections::new(3));
        let [first, second, third] = [(); 3].map(|()| all.open().expect("there is room"));
        let busy = first.busy();
        let fourth = all.open().expect("the second one makes room");
        assert_eq!(all.seats().len(), 3);
        assert!(!all.seats().contains_key(&second.number) && all.seats().contains_key(&first.number));
        // The first one has waited for less time than the others now.
        drop(busy);
        assert_eq!(first.seat.phase(), Phase::Idle);
        let fifth = all.open().expect("the third one makes room");
        assert!(!all.seats().contains_key(&third.number) && all.seats().contains_key(&first.number));
        let _busy = [first.busy(), fourth.busy(), fifth.busy()];
        assert!(all.open().is_none());
        drop(first);
        assert!(all.open().is_some());
    }

    #[test]
    fn some_connections_are_left_for_health_checks() {
        let all = Connections::new(4);
        let reviews = [all.review(), all.review()];
        assert!(reviews.iter().all(Option::is_some) && all.review().is_none());
        drop(reviews);
        assert!(all.review().is_some());
    }
}
