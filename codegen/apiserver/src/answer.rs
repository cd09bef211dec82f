//! What the server answers.

use crate::meta::map;
use crate::status::Failure;
use crate::store::Object;
use crate::watch::Watch;
use crdgen_core::json;
use crdgen_core::value::Value;
use std::borrow::Cow;
use std::sync::Arc;

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
    /// An object that is stored, as clients see it.
    Object(Arc<Object>),
    /// A list of objects.
    List(List),
    /// A document that was written before, with its hash.
    Document(String),
    /// The document of OpenAPI v2 in protobuf.
    OpenApi(Vec<u8>),
    /// A document about groups or resources.
    Groups(Value),
    /// The list of groups that `kubectl` asks for first.
    Discovery(Value),
    /// A plain text.
    Text(Cow<'static, str>),
    /// The changes of objects, which do not end.
    Watch(Box<Watch>),
}

/// A list of objects, which share their texts with other answers.
#[derive(Debug)]
pub(crate) struct List {
    pub(crate) api_version: String,
    pub(crate) kind: String,
    pub(crate) metadata: Value,
    /// Whether the items say what they are. Those of Kubernetes' own kinds do not.
    pub(crate) has_types: bool,
    pub(crate) items: Vec<Arc<Object>>,
}

impl List {
    /// The list as JSON.
    pub(crate) fn text(&self) -> String {
        let List { api_version, kind, metadata, has_types, items } = self;
        let texts: Vec<&str> =
            items.iter().map(|item| if *has_types { item.text() } else { item.untyped_text() }).collect();
        let items = format!("[{}]", texts.join(","));
        let text = |value: Value| json::to_string(&value);
        let (api_version, kind) = (text(api_version.as_str().into()), text(kind.as_str().into()));
        let metadata = json::to_string(metadata);
        let members =
            [("apiVersion", &api_version), ("items", &items), ("kind", &kind), ("metadata", &metadata)];
        let mut out = String::with_capacity(items.len() + 1024);
        json::write_members(members.map(|(name, text)| (name, text.as_str())), &mut out);
        out
    }

    pub(crate) fn to_value(&self) -> Value {
        let List { api_version, kind, metadata, has_types, items } = self;
        let item = |item: &Arc<Object>| if *has_types { Value::clone(item) } else { item.untyped() };
        map([
            ("apiVersion", api_version.as_str().into()),
            ("kind", kind.as_str().into()),
            ("metadata", metadata.clone()),
            ("items", Value::List(items.iter().map(item).collect())),
        ])
    }
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

    /// The answer if the client accepts none of the forms of a document.
    pub(crate) fn not_acceptable() -> Answer {
        Answer::new(406, Content::Text("".into()))
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
