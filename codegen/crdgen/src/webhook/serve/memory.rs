//! A budget for the reviews that are in memory at once. A review waits until there is room for all of it, so that reviews
//! whose bodies have only partly arrived cannot keep each other from the rest.

use super::super::service::{Refusal, Room};
use std::future::Future;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

/// A review needs memory for its body, for the answer, which is often longer, and for the objects that are converted.
const TIMES: usize = 3;
/// Reviews up to this length do not wait: the number of connections limits them.
const SMALL: usize = 32 << 10;
/// What a permit stands for, because a semaphore counts with 32 bits.
const UNIT: usize = 1 << 10;

/// The memory for all reviews.
#[derive(Debug)]
pub(super) struct Memory {
    permits: Arc<Semaphore>,
    total: u32,
}

impl Memory {
    pub(super) fn new(bytes: usize) -> Memory {
        let total = u32::try_from(bytes / UNIT).unwrap_or(u32::MAX).clamp(1, 1 << 29);
        Memory { permits: Arc::new(Semaphore::new(total as usize)), total }
    }

    /// Begins a review. `patience` is how long its client may let the server wait for the next bytes.
    pub(super) fn share(&self, patience: Duration) -> Share<'_> {
        Share { memory: self, held: Vec::new(), length: 0, patience }
    }
}

/// The memory for one review.
#[derive(Debug)]
pub(super) struct Share<'m> {
    memory: &'m Memory,
    held: Vec<OwnedSemaphorePermit>,
    /// The length of the body for which there is room.
    length: usize,
    patience: Duration,
}

impl Share<'_> {
    /// Returns what keeps the memory, for as long as the answer needs it.
    pub(super) fn keep(self) -> Vec<OwnedSemaphorePermit> {
        self.held
    }
}

impl Room for Share<'_> {
    async fn make(&mut self, length: usize) -> Result<(), Refusal> {
        let cost = |length: usize| {
            let length = if length <= SMALL { 0 } else { length };
            u32::try_from(length.saturating_mul(TIMES).div_ceil(UNIT))
                .unwrap_or(u32::MAX)
                .min(self.memory.total)
        };
        let more = cost(length).saturating_sub(cost(self.length));
        if more > 0 {
            let permits = Arc::clone(&self.memory.permits).acquire_many_owned(more).await;
            self.held.extend(permits.ok());
        }
        self.length = self.length.max(length);
        Ok(())
    }

    async fn wait<T>(&self, next: impl Future<Output = T> + Send) -> Result<T, Refusal> {
        timeout(self.patience, next).await.map_err(|_| Refusal::Slow)
    }
}
