//! A stream with limited patience: for the head of a request, and for a client that does not read its answer.

use super::connections::{Phase, Seat};
use std::future::Future;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Instant, Sleep, sleep};

pub(super) struct Patient<S> {
    stream: S,
    seat: Arc<Seat>,
    patience: Duration,
    head: Timer,
    /// Since when the connection waits for the head that `head` is for.
    since: u64,
    write: Timer,
}

impl<S> Patient<S> {
    pub(super) fn new(stream: S, seat: Arc<Seat>, patience: Duration) -> Patient<S> {
        let timer = || Timer { sleep: Box::pin(sleep(patience)), is_running: false };
        let (head, since, write) = (timer(), seat.since(), timer());
        Patient { stream, seat, patience, head, since, write }
    }
}

struct Timer {
    sleep: Pin<Box<Sleep>>,
    is_running: bool,
}

impl Timer {
    /// Fails if time is up, which runs since the first call after the last `stop`.
    fn check(&mut self, patience: Duration, what: &str, cx: &mut Context<'_>) -> Poll<io::Error> {
        if !self.is_running {
            self.is_running = true;
            self.sleep.as_mut().reset(Instant::now() + patience);
        }
        ready!(self.sleep.as_mut().poll(cx));
        Poll::Ready(io::Error::new(io::ErrorKind::TimedOut, what))
    }

    fn stop(&mut self) {
        self.is_running = false;
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Patient<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let this = &mut *self;
        let before = into.filled().len();
        let is_pending = match Pin::new(&mut this.stream).poll_read(cx, into) {
            Poll::Ready(Ok(())) if into.filled().len() > before => {
                this.seat.arrives();
                false
            }
            Poll::Ready(done) => return Poll::Ready(done),
            Poll::Pending => true,
        };
        let since = this.seat.since();
        if this.seat.phase() != Phase::Head || since != this.since {
            this.since = since;
            this.head.stop();
        }
        // A client that sends a byte from time to time must not gain time with each.
        if this.seat.phase() == Phase::Head
            && let Poll::Ready(error) =
                this.head.check(this.patience, "the head of a request takes too long", cx)
        {
            return Poll::Ready(Err(error));
        }
        if is_pending { Poll::Pending } else { Poll::Ready(Ok(())) }
    }
}

impl<S: AsyncWrite + Unpin> Patient<S> {
    fn written<T>(&mut self, done: Poll<io::Result<T>>, cx: &mut Context<'_>) -> Poll<io::Result<T>> {
        if done.is_ready() {
            self.write.stop();
            return done;
        }
        self.write.check(self.patience, "the client does not read its answer", cx).map(Err)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Patient<S> {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let done = Pin::new(&mut self.stream).poll_write(cx, bytes);
        self.written(done, cx)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        parts: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let done = Pin::new(&mut self.stream).poll_write_vectored(cx, parts);
        self.written(done, cx)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let done = Pin::new(&mut self.stream).poll_flush(cx);
        self.written(done, cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let done = Pin::new(&mut self.stream).poll_shutdown(cx);
        self.written(done, cx)
    }
}
