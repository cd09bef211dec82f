//! The CRDs in a text, and the errors in the text itself.

use std::collections::HashSet;
use std::sync::Arc;

use super::{Finding, Group, Part, finding, is_definition, name_of, place};
use crate::check;
use crate::decode::{self, Written};
use crate::diag::{Diag, Diags, Level, codes};
use crate::ir::{ApiVersion, Crd};
use crate::object::lifecycle::{self, Lifecycle};
use crate::path::Step;
use crate::span::{Locate, Place};
use crate::value::Value;
use crate::yaml::{Document, Format};

/// A CRD and its place in the text.
pub struct Definition {
    /// The CRD.
    pub crd: Crd,
    /// The document it is in.
    document: usize,
    /// The steps to it in the document, which may be a list of objects.
    steps: Vec<Step>,
    /// Since when there are no CRDs of its API version.
    lifecycle: Option<&'static Lifecycle>,
}

/// The name of a CRD, and its place in the text.
pub struct Named {
    /// The name in the metadata of the CRD.
    pub name: String,
    document: Arc<Document>,
    steps: Vec<Step>,
}

impl Named {
    /// Returns the place of the CRD. Finding an item of a list takes as long as reading the list.
    pub fn place(&self) -> Option<Place> {
        self.document.locate(&self.steps)
    }

    /// Returns the index of the CRD in a list. `None` if the CRD is a document of its own.
    pub fn item(&self) -> Option<usize> {
        match self.steps.last()? {
            Step::Index(index) => Some(*index),
            Step::Key(_) => None,
        }
    }
}

/// The CRDs that were read from a source.
pub struct Definitions {
    /// The CRDs that can be decoded.
    pub definitions: Vec<Definition>,
    documents: Vec<Arc<Document>>,
    /// The errors in the text: what cannot be read or decoded, and what strict decoding rejects.
    pub findings: Vec<Finding>,
    /// The errors without which there would be more CRDs. `findings` has them, too.
    pub missing: Vec<Finding>,
    /// The documents that are not CRDs: the kind of each object, or `None` for a document that is not an object.
    pub skipped: Vec<Option<String>>,
}

impl Group {
    /// Reads all CRDs in the documents. Skips other objects.
    pub fn read(self) -> Definitions {
        let mut out = Definitions {
            definitions: Vec::new(),
            documents: Vec::new(),
            findings: Vec::new(),
            missing: Vec::new(),
            skipped: Vec::new(),
        };
        for part in self.parts() {
            match part {
                Ok(part) => out.part(part),
                Err(finding) => {
                    out.missing.push((*finding).clone());
                    out.findings.push(*finding);
                }
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
            let name = name_of(&value).to_owned();
            let api_version = value.get("apiVersion").and_then(Value::as_str);
            let lifecycle = api_version
                .and_then(|it| it.split_once('/'))
                .and_then(|(group, version)| lifecycle::of(group, version, "CustomResourceDefinition"));
            let floats = document.floats.as_ref().and_then(|floats| floats.at(&steps)).cloned();
            let written = Written { repeats: std::mem::take(&mut of_json), floats };
            let (crd, diags) = decode::crd_as_written(value, written);
            let before = self.findings.len();
            self.report(index, &steps, &name, diags);
            match crd {
                Some(crd) => self.definitions.push(Definition { crd, document: index, steps, lifecycle }),
                None => self.missing.extend_from_slice(&self.findings[before..]),
            }
        }
        let found = repeats.into_iter().map(|problem| {
            let diag = Diag::from(problem);
            let place = place(&document, &diag.steps, &diag);
            Finding::new(String::new(), place, diag)
        });
        self.findings.extend(found);
    }

    fn report(&mut self, document: usize, prefix: &[Step], name: &str, diags: Diags) {
        self.report_all(document, prefix, name, diags.into_iter().map(Finding::from));
    }
}

impl Definitions {
    fn report_all(
        &mut self,
        document: usize,
        prefix: &[Step],
        name: &str,
        all: impl IntoIterator<Item = Finding>,
    ) {
        let document = &self.documents[document];
        let at_place = |Finding { diag, change, servers, .. }| Finding {
            change,
            servers,
            ..finding(document, prefix, name.to_owned(), true, diag)
        };
        self.findings.extend(all.into_iter().map(at_place));
    }

    /// Returns the first error in the text, for callers that need accepted CRDs.
    pub fn rejected(&self) -> Option<&Finding> {
        let refused = |f: &&Finding| f.diag.level == Level::Error;
        self.findings.iter().find(refused)
    }

    /// Returns the names of the CRDs.
    pub fn named(&self) -> Vec<Named> {
        let named = |Definition { crd, document, steps, .. }: &Definition| Named {
            name: crd.metadata.name.clone(),
            document: Arc::clone(&self.documents[*document]),
            steps: steps.clone(),
        };
        self.definitions.iter().map(named).collect()
    }

    /// Removes the CRDs that are not wanted, and the findings about them. Returns the kinds of the removed CRDs.
    pub fn keep(&mut self, wanted: impl Fn(&Crd) -> bool) -> Vec<String> {
        let others = self.definitions.extract_if(.., |definition| !wanted(&definition.crd));
        let others: Vec<Crd> = others.map(|definition| definition.crd).collect();
        let names: HashSet<&str> = others.iter().map(|crd| crd.metadata.name.as_str()).collect();
        self.findings.retain(|finding| finding.object.is_empty() || !names.contains(&*finding.object));
        others.into_iter().map(|crd| crd.spec.names.kind).collect()
    }

    /// Returns the CRDs, each with its document and the steps to it in the document.
    pub fn take(self) -> impl Iterator<Item = (Crd, Arc<Document>, Vec<Step>)> {
        let Definitions { definitions, documents, .. } = self;
        definitions.into_iter().map(move |Definition { crd, document, steps, .. }| {
            (crd, Arc::clone(&documents[document]), steps)
        })
    }

    /// Adds a finding about the CRD with this index.
    pub fn add(&mut self, definition: usize, diag: Diag) {
        let Some(Definition { crd, document, steps, .. }) = self.definitions.get(definition) else { return };
        let (document, steps, name) = (*document, steps.clone(), crd.metadata.name.clone());
        self.report(document, &steps, &name, vec![diag]);
    }

    /// Calls a check for each CRD in the form that a server sees, and adds the diagnostics to the findings.
    pub fn check<D: Into<Finding>>(&mut self, mut check: impl FnMut(&Crd) -> Vec<D>) {
        let mut definitions = std::mem::take(&mut self.definitions);
        definitions.iter_mut().for_each(|d| d.crd.drop_unions());
        for Definition { crd, document, steps, .. } in &definitions {
            let found = check(crd).into_iter().map(Into::into);
            self.report_all(*document, steps, &crd.metadata.name, found);
        }
        self.definitions = definitions;
    }

    /// Adds an error for each CRD whose API version a server of a minor version does not have any more.
    pub fn report_removed(&mut self, minor: u32) {
        for at in 0..self.definitions.len() {
            if let Some(removal) = self.definitions[at].lifecycle.and_then(|it| it.missing(minor)) {
                self.add(at, removal);
            }
        }
    }

    /// Removes the errors about unions, which only servers do not know.
    pub fn allow_unions(&mut self) {
        self.findings.retain(|finding| {
            let unknown = finding.diag.code.id == codes::crd::UNKNOWN_FIELD.id;
            let is_unions =
                matches!(finding.diag.steps.last(), Some(Step::Key(k)) if k == "x-kubernetes-unions");
            !(unknown && is_unions)
        });
    }

    /// Removes and returns the CRDs, and whether a server would accept each of them on create, without its unions. The reasons for a
    /// rejection are added to the findings.
    pub fn judged(&mut self) -> Vec<(Named, Crd, bool)> {
        let mut out = Vec::new();
        let named = self.named();
        for (named, Definition { crd, document, steps, .. }) in
            named.into_iter().zip(std::mem::take(&mut self.definitions))
        {
            let mut sent = crd.clone();
            sent.drop_unions();
            // No server creates CRDs of v1beta1 any more, but those that exist may be updated.
            let report = match sent.api_version {
                ApiVersion::V1 => check::create(&sent, &check::Options::default()),
                ApiVersion::V1beta1 => check::update(&sent, &sent, &check::Options::default()),
            };
            out.push((named, crd, report.is_accepted()));
            let name = report.name().to_owned();
            self.report(document, &steps, &name, report.errors);
        }
        out
    }
}
