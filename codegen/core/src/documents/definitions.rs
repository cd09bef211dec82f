//! The CRDs in a text, and the errors in the text itself.

use std::collections::HashSet;
use std::sync::Arc;

use super::{Finding, Group, Part, finding, is_definition, place};
use crate::check;
use crate::decode::{self, Written};
use crate::diag::{Diag, Diags, Level, codes};
use crate::ir::Crd;
use crate::path::Step;
use crate::span::{Locate, Place};
use crate::value::Value;
use crate::yaml::{Document, Format};

/// A CRD and its place.
pub struct Definition {
    /// The definition.
    pub crd: Crd,
    /// The document it is in.
    document: usize,
    /// The steps to it in the document, which may be a list of objects.
    steps: Vec<Step>,
}

/// The name of a CRD, and its place.
pub struct Named {
    /// The name, as its metadata has it.
    pub name: String,
    document: Arc<Document>,
    steps: Vec<Step>,
}

impl Named {
    /// Where it is. Finding an item of a list takes as long as reading the list.
    pub fn place(&self) -> Option<Place> {
        self.document.locate(&self.steps)
    }

    /// Which item of a list it is; none if it is a document of its own.
    pub fn item(&self) -> Option<usize> {
        match self.steps.last()? {
            Step::Index(index) => Some(*index),
            Step::Key(_) => None,
        }
    }
}

/// What was read of a source.
pub struct Definitions {
    /// Those that can be decoded.
    pub definitions: Vec<Definition>,
    documents: Vec<Arc<Document>>,
    /// What cannot be read or decoded, or what strict decoding rejects.
    pub findings: Vec<Finding>,
    /// The documents that are not CRDs: the kind of each object, or nothing for a document that is not an object.
    pub skipped: Vec<Option<String>>,
}

impl Group {
    /// Reads all definitions in the documents; other objects are skipped.
    pub fn read(self) -> Definitions {
        let mut out = Definitions {
            definitions: Vec::new(),
            documents: Vec::new(),
            findings: Vec::new(),
            skipped: Vec::new(),
        };
        for part in self.parts() {
            match part {
                Ok(part) => out.part(part),
                Err(finding) => out.findings.push(*finding),
            }
        }
        out
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
        // What the server sees while it decodes a single JSON object is reported there.
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
        let at_place = |diag| finding(document, prefix, name.to_owned(), true, diag);
        self.findings.extend(diags.into_iter().map(at_place));
    }
}

impl Definitions {
    /// The first thing in the text that a server rejects, for callers that need accepted CRDs. Unions, which
    /// servers do not know, are allowed if the caller wants them.
    pub fn rejected(&mut self, unions: bool) -> Option<&Finding> {
        if unions {
            self.allow_unions();
        }
        let refused = |f: &&Finding| f.diag.level == Level::Error;
        self.findings.iter().find(refused)
    }

    /// The names of the definitions.
    pub fn named(&self) -> Vec<Named> {
        let named = |Definition { crd, document, steps }: &Definition| Named {
            name: crd.metadata.name.clone(),
            document: Arc::clone(&self.documents[*document]),
            steps: steps.clone(),
        };
        self.definitions.iter().map(named).collect()
    }

    /// Drops the definitions that are not wanted, with the findings about them. Returns their kinds.
    pub fn keep(&mut self, wanted: impl Fn(&Crd) -> bool) -> Vec<String> {
        let others = self.definitions.extract_if(.., |definition| !wanted(&definition.crd));
        let others: Vec<Crd> = others.map(|definition| definition.crd).collect();
        let names: HashSet<&str> = others.iter().map(|crd| crd.metadata.name.as_str()).collect();
        self.findings.retain(|finding| finding.object.is_empty() || !names.contains(&*finding.object));
        others.into_iter().map(|crd| crd.spec.names.kind).collect()
    }

    /// The definitions, each with its document and the steps to it in there.
    pub fn take(self) -> impl Iterator<Item = (Crd, Arc<Document>, Vec<Step>)> {
        let Definitions { definitions, documents, .. } = self;
        definitions
            .into_iter()
            .map(move |Definition { crd, document, steps }| (crd, Arc::clone(&documents[document]), steps))
    }

    /// Adds a finding about a definition.
    pub fn add(&mut self, definition: usize, diag: Diag) {
        let Some(Definition { crd, document, steps }) = self.definitions.get(definition) else { return };
        let (document, steps, name) = (*document, steps.clone(), crd.metadata.name.clone());
        self.report(document, &steps, &name, vec![diag]);
    }

    /// Checks each definition as a server sees it and adds what is found.
    pub fn check(&mut self, mut check: impl FnMut(&Crd) -> Diags) {
        let mut definitions = std::mem::take(&mut self.definitions);
        definitions.iter_mut().for_each(|d| d.crd.drop_unions());
        for Definition { crd, document, steps } in &definitions {
            self.report(*document, steps, &crd.metadata.name, check(crd));
        }
        self.definitions = definitions;
    }

    /// Takes unions for what they are: a field that only servers do not know.
    pub fn allow_unions(&mut self) {
        self.findings.retain(|finding| {
            let unknown = finding.diag.code.id == codes::crd::UNKNOWN_FIELD.id;
            let is_unions =
                matches!(finding.diag.steps.last(), Some(Step::Key(k)) if k == "x-kubernetes-unions");
            !(unknown && is_unions)
        });
    }

    /// Takes out the CRDs that a server would accept on create, or all of them if the caller wants rejected ones
    /// too. The reasons for a rejection are added to the findings.
    pub fn accepted(&mut self, unions: bool, refused: bool) -> Vec<(Named, Crd)> {
        let mut out = Vec::new();
        let named = self.named();
        for (named, Definition { mut crd, document, steps }) in
            named.into_iter().zip(std::mem::take(&mut self.definitions))
        {
            let with_unions = unions.then(|| crd.clone());
            crd.drop_unions();
            let report = check::create(&crd, &check::Options::default());
            if report.is_accepted() || refused {
                out.push((named, with_unions.unwrap_or(crd)));
            }
            let name = report.name().to_owned();
            self.report(document, &steps, &name, report.errors);
        }
        out
    }
}
