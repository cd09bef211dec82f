//! What the server answers.

use crate::meta::map;
use crate::request::protobuf;
use crate::status::Failure;
use crate::store::Object;
use crate::watch::Watch;
use bytes::Bytes;
use crdgen_core::value::Value;
use crdgen_core::{json, yaml};
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
    Document(Bytes),
    /// The document of OpenAPI v2 in protobuf.
    OpenApi(Bytes),
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
    /// The list as a line of JSON, piece by piece.
    pub(crate) fn into_json(self) -> Pieces {
        let text = |value: &Value| json::to_string(value);
        let (api_version, kind) = (text(&self.api_version.as_str().into()), text(&self.kind.as_str().into()));
        let head = format!(r#"{{"apiVersion":{api_version},"items":["#);
        let tail = format!("],\"kind\":{kind},\"metadata\":{}}}\n", text(&self.metadata));
        let item = if self.has_types { typed } else { untyped };
        Pieces::new(self.items, [head.into(), tail.into()], b",", item)
    }

    /// The list in YAML, piece by piece.
    pub(crate) fn into_yaml(self) -> Pieces {
        let member = |name, value: Value| yaml::write(&map([(name, value)]));
        let items = if self.items.is_empty() { "items: []\n" } else { "items:\n" };
        let head = member("apiVersion", self.api_version.into()) + items;
        let tail = member("kind", self.kind.into()) + &member("metadata", self.metadata);
        let item = if self.has_types { typed_yaml } else { untyped_yaml };
        Pieces::new(self.items, [head.into(), tail.into()], b"", item)
    }

    /// The list in protobuf, piece by piece. Without messages for its objects it is returned as it is.
    pub(crate) fn into_protobuf(self) -> Result<Pieces, List> {
        let bytes = self.items.iter().map(|it| message(it).len()).sum();
        match protobuf::around_items(&self.api_version, &self.kind, &self.metadata, bytes) {
            Some(ends) => Ok(Pieces::new(self.items, ends, b"", message)),
            None => Err(self),
        }
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

fn typed(item: &Object) -> &[u8] {
    item.text().as_bytes()
}

fn untyped(item: &Object) -> &[u8] {
    item.untyped_text().as_bytes()
}

fn typed_yaml(item: &Object) -> &[u8] {
    item.yaml_item(|| Value::clone(item)).as_bytes()
}

fn untyped_yaml(item: &Object) -> &[u8] {
    item.yaml_item(|| item.untyped()).as_bytes()
}

fn message(item: &Object) -> &[u8] {
    item.item(|value| protobuf::item(value).unwrap_or_default())
}

/// The bytes of a list. A client that reads slowly keeps pointers to the objects, and no copies.
#[derive(Debug)]
pub(crate) struct Pieces {
    items: Vec<Arc<Object>>,
    /// What is before and after the items.
    ends: [Vec<u8>; 2],
    /// What is between two items.
    comma: &'static [u8],
    /// The bytes of an item.
    item: fn(&Object) -> &[u8],
    /// The part to which the next piece belongs: the head, an item, a comma, and so on to the end.
    part: usize,
    /// How many bytes of this part are in pieces before.
    offset: usize,
    /// How many bytes are left of all parts.
    left: usize,
}

impl Pieces {
    fn new(
        items: Vec<Arc<Object>>,
        ends: [Vec<u8>; 2],
        comma: &'static [u8],
        item: fn(&Object) -> &[u8],
    ) -> Pieces {
        let commas = items.len().saturating_sub(1) * comma.len();
        let bytes: usize = items.iter().map(|it| item(it).len()).sum();
        let left = ends[0].len() + bytes + commas + ends[1].len();
        Pieces { items, ends, comma, item, part: 0, offset: 0, left }
    }

    /// The bytes of a piece. Pieces that are much smaller cost more time than they save memory.
    const SIZE: usize = 64 << 10;

    /// How many bytes the next pieces have together.
    pub(crate) fn left(&self) -> usize {
        self.left
    }

    /// The next piece.
    pub(crate) fn next(&mut self) -> Option<Bytes> {
        let mut piece = Vec::with_capacity(self.left.min(Pieces::SIZE));
        while piece.len() < Pieces::SIZE && self.left > 0 {
            let rest = &self.part()[self.offset..];
            let taken = rest.len().min(Pieces::SIZE - piece.len());
            let is_whole = taken == rest.len();
            piece.extend_from_slice(&rest[..taken]);
            self.left -= taken;
            (self.part, self.offset) =
                if is_whole { (self.part + 1, 0) } else { (self.part, self.offset + taken) };
        }
        (!piece.is_empty()).then(|| piece.into())
    }

    fn part(&self) -> &[u8] {
        // Between the head and the tail, each second part is a comma.
        let last = (2 * self.items.len()).max(1);
        match self.part {
            0 => &self.ends[0],
            part if part >= last => &self.ends[1],
            part if part % 2 == 0 => self.comma,
            part => (self.item)(&self.items[part / 2]),
        }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_the_whole_list() {
        let object = |name: &str| {
            let text = format!(r#"{{"apiVersion":"v1","kind":"ConfigMap","metadata":{{"name":"{name}"}}}}"#);
            Arc::new(Object::from(json::read(text.as_bytes()).expect("JSON")))
        };
        let long = "x".repeat(100_000);
        for names in [&[][..], &["a"], &["a", &long, "b"]] {
            let list = || List {
                api_version: "v1".to_owned(),
                kind: "ConfigMapList".to_owned(),
                metadata: map([("resourceVersion", "7".into())]),
                has_types: false,
                items: names.iter().map(|name| object(name)).collect(),
            };
            let whole = list().to_value();
            let json = format!("{}\n", json::to_string(&whole)).into_bytes();
            let protobuf = protobuf::write(&whole).expect("a message");
            let in_protobuf = list().into_protobuf().expect("messages");
            let typed = List { has_types: true, ..list() };
            let [yaml, typed_yaml] = [&whole, &typed.to_value()].map(|list| yaml::write(list).into_bytes());
            let all = [
                (list().into_json(), json),
                (in_protobuf, protobuf),
                (list().into_yaml(), yaml),
                (typed.into_yaml(), typed_yaml),
            ];
            for (mut pieces, expected) in all {
                assert_eq!(pieces.left(), expected.len());
                let mut found = Vec::new();
                while let Some(piece) = pieces.next() {
                    found.extend_from_slice(&piece);
                }
                assert!(found == expected, "{names:?}");
            }
            let other = List { kind: "ThingList".to_owned(), ..list() };
            assert!(other.into_protobuf().is_err());
        }
    }
}
