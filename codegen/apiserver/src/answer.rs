//! What the server answers.

use crate::status::Failure;
use crate::watch::Watch;
use crdgen_core::value::Value;
use std::borrow::Cow;

/// An answer to a request.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) code: u16,
    pub(crate) content: Content,
    /// The texts of the headers `Warning`.
    pub(crate) warnings: Vec<String>,
    /// After how many seconds the client may ask again.
    pub(crate) retry_after: Option<u32>,
}

/// The body of an answer.
#[derive(Debug)]
pub(crate) enum Content {
    /// An object, in the form that the client accepts.
    Value(Value),
    /// A document that was written before, with its hash.
    Document(String),
    /// A document about groups or resources.
    Groups(Value),
    /// The list of groups that `kubectl` asks for first.
    Discovery(Value),
    /// A plain text.
    Text(Cow<'static, str>),
    /// The changes of objects, which do not end.
    Watch(Box<Watch>),
}

impl Answer {
    pub(crate) fn new(code: u16, content: Content) -> Answer {
        Answer { code, content, warnings: Vec::new(), retry_after: None }
    }

    pub(crate) fn value(value: Value) -> Answer {
        Answer::new(200, Content::Value(value))
    }

    /// The answer with a change of its watch, if it is one.
    pub(crate) fn with_watch(mut self, change: impl FnOnce(&mut Watch)) -> Answer {
        if let Content::Watch(watch) = &mut self.content {
            change(watch);
        }
        self
    }

    /// The answer to paths that do not exist.
    pub(crate) fn no_such_path() -> Answer {
        Answer::new(404, Content::Text("404 page not found\n".into()))
    }
}

impl From<Failure> for Answer {
    fn from(failure: Failure) -> Answer {
        let retry_after = failure.details.as_ref().map(|details| details.retry_after);
        Answer {
            retry_after: retry_after.filter(|seconds| *seconds > 0),
            ..Answer::new(failure.code, Content::Value(failure.to_value()))
        }
    }
}
