//! The bodies of answers. Those of watches go on until their time is over.

use crate::watch::{Next, Watch};
use bytes::Bytes;
use http_body::{Body, Frame, SizeHint};
use std::convert::Infallible;
use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};
use tokio::time::{Sleep, sleep};

/// The body of an answer.
#[derive(Debug)]
pub struct ResponseBody(Inner);

#[derive(Debug)]
enum Inner {
    Whole(Option<Bytes>),
    Watch { watch: Box<Watch>, timeout: Option<Pin<Box<Sleep>>>, is_over: bool },
}

impl ResponseBody {
    pub(super) fn whole(bytes: Bytes) -> ResponseBody {
        ResponseBody(Inner::Whole(Some(bytes).filter(|bytes| !bytes.is_empty())))
    }

    pub(super) fn watch(watch: Box<Watch>) -> ResponseBody {
        ResponseBody(Inner::Watch { watch, timeout: None, is_over: false })
    }
}

impl Body for ResponseBody {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let frame = |line: String| Poll::Ready(Some(Ok(Frame::data(Bytes::from(line)))));
        match &mut self.get_mut().0 {
            Inner::Whole(bytes) => Poll::Ready(bytes.take().map(|bytes| Ok(Frame::data(bytes)))),
            Inner::Watch { is_over: true, .. } => Poll::Ready(None),
            Inner::Watch { watch, timeout, is_over } => match watch.next(context.waker()) {
                Next::Line(line) => frame(line),
                Next::Over => Poll::Ready(None),
                Next::Pending => {
                    let Some(duration) = watch.timeout else { return Poll::Pending };
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
        matches!(&self.0, Inner::Whole(None) | Inner::Watch { is_over: true, .. })
    }

    fn size_hint(&self) -> SizeHint {
        match &self.0 {
            Inner::Whole(bytes) => SizeHint::with_exact(bytes.as_ref().map_or(0, |bytes| bytes.len() as u64)),
            Inner::Watch { .. } => SizeHint::default(),
        }
    }
}
