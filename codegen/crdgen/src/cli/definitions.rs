//! The definitions in a source, and what is wrong with the text itself.

use std::sync::Arc;

use crdgen_core::check;
use crdgen_core::decode::{self, Written};
use crdgen_core::diag::{Diag, Diags, Level, codes};
use crdgen_core::ir::Crd;
use crdgen_core::json;
use crdgen_core::path::Step;
use crdgen_core::span::{Locate, Place};
use crdgen_core::value::Value;
use crdgen_core::yaml::{Document, Documents, Format, Problem, Unreadable};

use super::inputs::Source;
use super::report::Finding;
use crate::Error;

/// A definition and where it stands.
pub(crate) struct Definition {
    pub(crate) crd: Crd,
    /// The document it is in.
    document: usize,
    /// The steps to it in the document, which may be a list.
    steps: Vec<Step>,
}

/// What was read of a source.
pub(crate) struct Definitions {
    pub(crate) definitions: Vec<Definition>,
    documents: Vec<Arc<Document>>,
    /// What cannot be read, decoded, or is refused by strict decoding.
    pub(crate) findings: Vec<Finding>,
    /// What is no definition: kinds of other objects, and nothing for what is no object.
    pub(crate) skipped: Vec<Option<String>>,
}

/// Reads all definitions in a source; other objects are passed over.
pub(crate) fn read(source: &Source) -> Definitions {
    Group::of(source).read()
}

/// Some documents of a source, one behind the other.
#[derive(Default)]
pub(crate) struct Group(Vec<Result<Part, Unreadable>>);

/// An object of a document, and the steps to it.
type Object = (Vec<Step>, Value);

/// Some objects of a document, of which most have one and lists have many.
pub(super) struct Part {
    pub(super) document: Arc<Document>,
    pub(super) objects: Vec<Object>,
    /// The keys that stand twice in the document, in its first part.
    pub(super) repeats: Vec<Problem>,
}

impl Part {
    fn of(mut document: Document) -> Part {
        let (objects, repeats) = (document.take_objects(), std::mem::take(&mut document.strict));
        Part { document: Arc::new(document), objects, repeats }
    }
}

/// The documents of a source in groups, so that a long source need not be in memory as a whole, and that
/// several threads can work on it. A long list is in several groups.
pub(crate) fn groups(source: &Source) -> impl Iterator<Item = Group> {
    let mut documents = Documents::new(&source.bytes);
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
            bytes += document.as_ref().map_or(0, |document| document.range().len());
            group.push(document.map(|document| {
                let mut part = Part::of(document);
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

/// How many objects a group has at most, and after how many bytes it gets no more.
const GROUP: usize = 200;
const GROUP_BYTES: usize = 1 << 19;

impl Group {
    /// All documents of a source.
    pub(super) fn of(source: &Source) -> Group {
        Group(Documents::new(&source.bytes).map(|read| read.map(Part::of)).collect())
    }

    /// The documents, whatever is in them.
    pub(super) fn parts(self) -> Vec<Result<Part, Unreadable>> {
        self.0
    }

    /// Reads all definitions in the documents; other objects are passed over.
    pub(crate) fn read(self) -> Definitions {
        let mut out = Definitions {
            definitions: Vec::new(),
            documents: Vec::new(),
            findings: Vec::new(),
            skipped: Vec::new(),
        };
        for part in self.0 {
            match part {
                Ok(part) => out.part(part),
                Err(Unreadable { problem, place }) => {
                    let diag = problem.into();
                    out.findings.push(Finding { object: String::new(), place: Some(place), diag });
                }
            }
        }
        out
    }

    /// The definitions as JSON: the least memory that keeps them whole.
    pub(crate) fn texts(&self) -> Vec<String> {
        let objects = self.0.iter().flatten().flat_map(|part| &part.objects);
        objects.filter(|(_, value)| is_definition(value)).map(|(_, value)| json::to_string(value)).collect()
    }
}

impl Definitions {
    fn part(&mut self, part: Part) {
        let Part { document, objects, mut repeats } = part;
        self.documents.push(Arc::clone(&document));
        let index = self.documents.len() - 1;
        let (found, others): (Vec<_>, Vec<_>) =
            objects.into_iter().partition(|(_, value)| is_definition(value));
        let kind = |value: &Value| value.get("kind").and_then(Value::as_str).map(str::to_owned);
        self.skipped
            .extend(others.iter().filter(|(_, value)| *value != Value::Null).map(|(_, value)| kind(value)));
        if found.is_empty() {
            return;
        }
        // What the server sees of them while it decodes one object of JSON comes from there.
        let mut of_json = Vec::new();
        if let (Format::Json, [(steps, _)]) = (document.format, found.as_slice())
            && steps.is_empty()
        {
            std::mem::swap(&mut repeats, &mut of_json);
        }
        for (steps, value) in found {
            let name = value.get("metadata").and_then(|m| m.get("name")).and_then(Value::as_str);
            let name = name.unwrap_or_default().to_owned();
            let floats = document.floats.as_ref().and_then(|floats| floats.at(&steps)).cloned();
            let written = Written { repeats: std::mem::take(&mut of_json), floats };
            let (crd, diags) = decode::crd_as_written(value, written);
            self.report(index, &steps, &name, diags);
            if let Some(crd) = crd {
                self.definitions.push(Definition { crd, document: index, steps });
            }
        }
        let found = repeats.into_iter().map(|problem| {
            let diag = Diag::from(problem);
            let place = place(&document, &diag.steps, &diag);
            Finding { object: String::new(), place, diag }
        });
        self.findings.extend(found);
    }

    fn report(&mut self, document: usize, prefix: &[Step], name: &str, diags: Diags) {
        let document = &self.documents[document];
        for diag in diags {
            let mut steps = prefix.to_vec();
            steps.extend_from_slice(&diag.steps);
            let place = place(document, &steps, &diag);
            self.findings.push(Finding { object: name.to_owned(), place, diag });
        }
    }
}

impl Definitions {
    /// The first thing in the text that a server refuses, as a failure: the definitions were accepted before. Unions, which
    /// no server knows, are none if they are wanted.
    pub(crate) fn expect_accepted(&mut self, source: &Source, unions: bool) -> Result<(), Error> {
        if unions {
            self.allow_unions();
        }
        match self.findings.iter().find(|f| f.diag.level == Level::Error) {
            Some(finding) => {
                Err(Error::Document { name: source.name.clone(), diag: Box::new(finding.diag.clone()) })
            }
            None => Ok(()),
        }
    }

    /// The definitions, each with its document and the steps to it in there.
    pub(super) fn take(self) -> impl Iterator<Item = (Crd, Arc<Document>, Vec<Step>)> {
        let Definitions { definitions, documents, .. } = self;
        definitions
            .into_iter()
            .map(move |Definition { crd, document, steps }| (crd, Arc::clone(&documents[document]), steps))
    }

    /// Adds a finding about a definition.
    pub(crate) fn add(&mut self, definition: usize, diag: Diag) {
        let Some(Definition { crd, document, steps }) = self.definitions.get(definition) else { return };
        let (document, steps, name) = (*document, steps.clone(), crd.metadata.name.clone());
        self.report(document, &steps, &name, vec![diag]);
    }

    /// Checks each definition as a server sees it and adds what is found.
    pub(crate) fn check(&mut self, mut check: impl FnMut(&Crd) -> Diags) {
        let mut definitions = std::mem::take(&mut self.definitions);
        definitions.iter_mut().for_each(|d| d.crd.drop_unions());
        for Definition { crd, document, steps } in &definitions {
            self.report(*document, steps, &crd.metadata.name, check(crd));
        }
        self.definitions = definitions;
    }

    /// Takes unions for what they are: a field that only servers do not know.
    pub(crate) fn allow_unions(&mut self) {
        self.findings.retain(|finding| {
            let unknown = finding.diag.code.id == codes::crd::UNKNOWN_FIELD.id;
            let is_unions =
                matches!(finding.diag.steps.last(), Some(Step::Key(k)) if k == "x-kubernetes-unions");
            !(unknown && is_unions)
        });
    }

    /// Takes out the definitions that a server would take on create, or all of them where refused ones are
    /// wanted too; why it would refuse others is added to what was found.
    pub(crate) fn accepted(&mut self, unions: bool, refused: bool) -> Vec<Crd> {
        let mut out = Vec::new();
        for Definition { mut crd, document, steps } in std::mem::take(&mut self.definitions) {
            let with_unions = unions.then(|| crd.clone());
            crd.drop_unions();
            let report = check::create(&crd, &check::Options::default());
            if report.is_accepted() || refused {
                out.push(with_unions.unwrap_or(crd));
            }
            let name = report.name().to_owned();
            self.report(document, &steps, &name, report.errors);
        }
        out
    }
}

pub(super) fn place(document: &Document, steps: &[Step], diag: &Diag) -> Option<Place> {
    // An unknown field is wrong itself, whatever its value.
    if *diag.code == codes::crd::UNKNOWN_FIELD || *diag.code == codes::object::UNKNOWN_FIELD {
        return document.locate_key(steps);
    }
    let inside = diag.inside.clone().and_then(|range| document.locate_inside(steps, range));
    inside.or_else(|| document.locate(steps))
}

pub(super) fn is_definition(value: &Value) -> bool {
    value.get("kind").and_then(Value::as_str) == Some("CustomResourceDefinition")
}
