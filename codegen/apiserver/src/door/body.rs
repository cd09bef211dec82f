//! The bodies of answers. Those of watches go on until their time is over.

use crate::answer::Pieces;
use crate::watch::{Next, Watch};
use bytes::Bytes;
use http_body::{Body, Frame, SizeHint};
use std::convert::Infallible;
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::time::{Sleep, sleep};

/// The body of an answer.
#[derive(Debug)]
pub struct ResponseBody(Inner);

#[derive(Debug)]
enum Inner {
    Whole(Option<Bytes>),
    List(Pieces),
    Watch { watch: Waiting, timeout: Option<Pin<Box<Sleep>>>, late: Option<Late>, is_over: bool },
}

/// A line that a test delays.
#[derive(Debug)]
struct Late {
    line: Bytes,
    until: Pin<Box<Sleep>>,
}

/// A watch, which may be waiting for the answers of webhooks.
enum Waiting {
    /// Only while it is polled.
    Gone,
    ForChanges(Box<Watch>),
    ForWebhooks(Pin<Box<dyn Future<Output = Box<Watch>> + Send>>),
}

impl fmt::Debug for Waiting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Waiting::ForChanges(watch) => watch.fmt(f),
            Waiting::Gone | Waiting::ForWebhooks(_) => f.debug_struct("Watch").finish_non_exhaustive(),
        }
    }
}

impl Waiting {
    /// The next line, once the webhooks that it needs have answered.
    fn poll_next(&mut self, context: &mut Context<'_>) -> Next {
        loop {
            match std::mem::replace(self, Waiting::Gone) {
                Waiting::Gone => return Next::Over,
                Waiting::ForChanges(mut watch) => match watch.next(context.waker()) {
                    Next::Calls(wanted) => *self = Waiting::ForWebhooks(Box::pin(watch.call(wanted))),
                    next => {
                        *self = Waiting::ForChanges(watch);
                        return next;
                    }
                },
                Waiting::ForWebhooks(mut calls) => match calls.as_mut().poll(context) {
                    Poll::Ready(watch) => *self = Waiting::ForChanges(watch),
                    Poll::Pending => {
                        *self = Waiting::ForWebhooks(calls);
                        return Next::Pending;
                    }
                },
            }
        }
    }

    fn delay(&mut self) -> Option<Duration> {
        match self {
            Waiting::ForChanges(watch) => watch.delay.next(),
            Waiting::Gone | Waiting::ForWebhooks(_) => None,
        }
    }

    fn timeout(&self) -> Option<Duration> {
        match self {
            Waiting::ForChanges(watch) => watch.timeout,
            Waiting::Gone | Waiting::ForWebhooks(_) => None,
        }
    }

    /// What the watch sends before it ends because its time is over.
    fn last(&mut self) -> Option<Bytes> {
        match self {
            Waiting::ForChanges(watch) => watch.last(),
            Waiting::Gone | Waiting::ForWebhooks(_) => None,
        }
    }
}

impl ResponseBody {
    pub(super) fn whole(bytes: impl Into<Bytes>) -> ResponseBody {
        ResponseBody(Inner::Whole(Some(bytes.into()).filter(|bytes| !bytes.is_empty())))
    }

    pub(super) fn list(pieces: Pieces) -> ResponseBody {
        ResponseBody(Inner::List(pieces))
    }

    pub(super) fn watch(watch: Box<Watch>) -> ResponseBody {
        ResponseBody(Inner::Watch {
            watch: Waiting::ForChanges(watch),
            timeout: None,
            late: None,
            is_over: false,
        })
    }
}

/// Polls the body once more, so that the timer of a line starts.
fn self_wake<T>(context: &mut Context<'_>) -> Poll<T> {
    context.waker().wake_by_ref();
    Poll::Pending
}

impl Body for ResponseBody {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let frame = |line: Bytes| Poll::Ready(Some(Ok(Frame::data(line))));
        match &mut self.get_mut().0 {
            Inner::Whole(bytes) => Poll::Ready(bytes.take().map(|bytes| Ok(Frame::data(bytes)))),
            Inner::List(pieces) => Poll::Ready(pieces.next().map(|bytes| Ok(Frame::data(bytes)))),
            Inner::Watch { is_over: true, .. } => Poll::Ready(None),
            Inner::Watch { late: late @ Some(_), .. } => {
                let is_due = late.as_mut().is_some_and(|it| it.until.as_mut().poll(context).is_ready());
                if !is_due {
                    return Poll::Pending;
                }
                late.take().map_or(Poll::Ready(None), |late| frame(late.line))
            }
            Inner::Watch { watch, timeout, late, is_over } => match watch.poll_next(context) {
                Next::Line(line) => match watch.delay() {
                    None => frame(line),
                    Some(delay) => {
                        *late = Some(Late { line, until: Box::pin(sleep(delay)) });
                        self_wake(context)
                    }
                },
                Next::Over => Poll::Ready(None),
                Next::Pending | Next::Calls(_) => {
                    let Some(duration) = watch.timeout() else { return Poll::Pending };
                    let timeout = timeout.get_or_insert_with(|| Box::pin(sleep(duration)));
                    match timeout.as_mut().poll(context) {
                        Poll::Pending => Poll::Pending,
                        Poll::Ready(()) => {
                            *is_over = true;
                            watch.last().map_or(Poll::Ready(None), frame)
                        }
                    }
                }
            },
        }
    }

    fn is_end_stream(&self) -> bool {
        match &self.0 {
            Inner::Whole(bytes) => bytes.is_none(),
            Inner::List(pieces) => pieces.left() == 0,
            Inner::Watch { is_over, .. } => *is_over,
        }
    }

    fn size_hint(&self) -> SizeHint {
        match &self.0 {
            Inner::Whole(bytes) => SizeHint::with_exact(bytes.as_ref().map_or(0, |bytes| bytes.len() as u64)),
            Inner::List(pieces) => SizeHint::with_exact(pieces.left() as u64),
            Inner::Watch { .. } => SizeHint::default(),
        }
    }
}
