//! Reads the documents of a text, a group at a time.

use std::cell::LazyCell;
use std::sync::Arc;

use super::{Finding, binary, is_definition, name_of};
use crate::diag::Diag;
use crate::json;
use crate::path::Step;
use crate::value::Value;
use crate::yaml::{Document, Documents, Problem};

/// Some consecutive documents of a source.
#[derive(Default)]
pub struct Group(Vec<Result<Part, Box<Finding>>>);

/// An object of a document, and the steps to it.
type Object = (Vec<Step>, Value);

/// Some objects of a document. Most documents have one object, and lists have many.
pub struct Part {
    /// The document, without its value.
    pub document: Arc<Document>,
    /// The objects, each with the steps to it.
    pub objects: Vec<Object>,
    /// The keys that occur twice in the document. Only the first part of a document has them.
    pub repeats: Vec<Problem>,
}

impl Part {
    fn of(mut document: Document) -> Part {
        let (objects, repeats) = (document.take_objects(), std::mem::take(&mut document.strict));
        Part { document: Arc::new(document), objects, repeats }
    }
}

/// Splits the documents of a source into groups. A long source need not be in memory as a whole, and several threads
/// can work on it. A long list is split into several groups.
pub fn groups(text: &Arc<Vec<u8>>) -> impl Iterator<Item = Group> {
    let mut documents = parts(text);
    let mut list: Option<(Arc<Document>, std::vec::IntoIter<Object>)> = None;
    std::iter::from_fn(move || {
        if let Some((document, rest)) = &mut list {
            let objects: Vec<Object> = rest.by_ref().take(GROUP).collect();
            if !objects.is_empty() {
                let document = Arc::clone(document);
                return Some(Group(vec![Ok(Part { document, objects, repeats: Vec::new() })]));
            }
            list = None;
        }
        let mut group = Vec::new();
        let mut bytes = 0;
        while group.len() < GROUP && bytes < GROUP_BYTES && list.is_none() {
            let Some(document) = documents.next() else { break };
            group.push(document.map(|mut part| {
                bytes += part.document.range().len();
                if part.objects.len() > GROUP {
                    let mut objects = std::mem::take(&mut part.objects).into_iter();
                    part.objects = objects.by_ref().take(GROUP).collect();
                    list = Some((Arc::clone(&part.document), objects));
                }
                part
            }));
        }
        (!group.is_empty()).then_some(Group(group))
    })
}

/// The documents of a text one by one, or why one cannot be read.
fn parts(text: &Arc<Vec<u8>>) -> impl Iterator<Item = Result<Part, Box<Finding>>> {
    let bytes = Arc::clone(text);
    let may_be_template = {
        let text = Arc::clone(text);
        LazyCell::new(move || text.windows(2).any(|bytes| bytes == b"{{"))
    };
    let kind = {
        let text = Arc::clone(text);
        LazyCell::new(move || binary::kind(&text))
    };
    let mut documents = Documents::new(text);
    let mut is_binary = false;
    std::iter::from_fn(move || {
        // Everything else would be wrong for the same reason.
        let read = if is_binary { None } else { documents.next() };
        Some(match read? {
            Ok(document) => Ok(Part::of(document)),
            Err(unreadable) => {
                let mut finding = Box::new(Finding {
                    place: Some(unreadable.place),
                    ..Diag::from(unreadable.problem).into()
                });
                if let Some(kind) = *kind {
                    is_binary = true;
                    finding.place = None;
                    finding.diag.help = Some(format!("the file is {kind}"));
                }
                let at = finding.place.map(|place| place.start.offset);
                if at.is_some_and(|at| bytes.get(at) == Some(&b'\t')) {
                    let help = "YAML does not allow tabs here: use spaces";
                    finding.diag.help.get_or_insert_with(|| help.to_owned());
                }
                if *may_be_template {
                    let help =
                        "if this is a template of a Helm chart, give crdgen what `helm template` prints";
                    finding.diag.help.get_or_insert_with(|| help.to_owned());
                }
                Err(finding)
            }
        })
    })
}

/// The maximum number of objects in a group, and the number of bytes after which a group is complete.
const GROUP: usize = 200;
const GROUP_BYTES: usize = 1 << 19;

impl Group {
    /// Reads all documents of a source.
    pub fn of(text: &Arc<Vec<u8>>) -> Group {
        Group(parts(text).collect())
    }

    /// Returns the documents, whatever they contain.
    pub fn parts(self) -> Vec<Result<Part, Box<Finding>>> {
        self.0
    }

    /// Calls `change` for each object, and removes those for which it returns `false`. The places of the others stay what
    /// they were.
    pub fn rewrite(&mut self, mut change: impl FnMut(&mut Value) -> bool) {
        for part in self.0.iter_mut().flatten() {
            part.objects.retain_mut(|(_, value)| change(value));
        }
    }

    /// Returns the CRDs as JSON text, which needs the least memory.
    pub fn texts(&self) -> Vec<String> {
        self.named_texts().into_iter().map(|(_, text)| text).collect()
    }

    /// The same, with the names of the CRDs. A CRD that cannot be decoded is among them.
    pub fn named_texts(&self) -> Vec<(String, String)> {
        let objects = self.0.iter().flatten().flat_map(|part| &part.objects);
        let definitions = objects.filter(|(_, value)| is_definition(value));
        definitions.map(|(_, value)| (name_of(value).to_owned(), json::to_string(value))).collect()
    }
}
