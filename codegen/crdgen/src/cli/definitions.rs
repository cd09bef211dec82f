//! The definitions in a source, and what is wrong with the text itself.

use crdgen_core::diag::{Diag, Diags, Level, codes};
use crdgen_core::ir::Crd;
use crdgen_core::path::Step;
use crdgen_core::read;
use crdgen_core::span::{Locate, Place};
use crdgen_core::value::Value;
use crdgen_core::yaml::{self, Document, Format};

use super::Failure;
use super::inputs::Source;
use super::report::Finding;

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
    documents: Vec<Document>,
    /// What cannot be read, decoded, or is refused by strict decoding.
    pub(crate) findings: Vec<Finding>,
}

/// Reads all definitions in a source; other objects are passed over.
pub(crate) fn read(source: &Source) -> Definitions {
    let (documents, diags) = yaml::read_shared(&source.bytes);
    let mut out = Definitions { definitions: Vec::new(), documents, findings: Vec::new() };
    for diag in diags {
        let place = diag.inside.clone().map(|range| yaml::place(&source.bytes, range));
        out.findings.push(Finding { object: String::new(), place, diag });
    }
    for index in 0..out.documents.len() {
        out.document(index);
    }
    out
}

/// Reads all definitions in a source that was accepted before, so that anything wrong is a failure:
/// all but unions, which no server knows, if these are wanted.
pub(crate) fn read_accepted(source: &Source, unions: bool) -> Result<Vec<Crd>, Failure> {
    let read = read(source);
    let wanted = |diag: &Diag| {
        let at = "x-kubernetes-unions\"";
        unions && diag.code.id == codes::crd::UNKNOWN_FIELD.id && diag.detail.ends_with(at)
    };
    match read.findings.iter().find(|f| f.diag.level == Level::Error && !wanted(&f.diag)) {
        Some(finding) => Err(Failure::new(format!("{}: {}", source.name, finding.diag.text()))),
        None => Ok(read.definitions.into_iter().map(|d| d.crd).collect()),
    }
}

impl Definitions {
    fn document(&mut self, index: usize) {
        let document = &mut self.documents[index];
        let found: Vec<(Vec<Step>, Value)> = match document.objects().as_slice() {
            // The usual case: one object, whose value nobody needs afterwards.
            [(steps, value)] if steps.is_empty() => {
                if !is_definition(value) {
                    return;
                }
                vec![(Vec::new(), std::mem::take(&mut document.value))]
            }
            objects => objects
                .iter()
                .filter(|(_, value)| is_definition(value))
                .map(|(steps, value)| (steps.clone(), (*value).clone()))
                .collect(),
        };
        if found.is_empty() {
            return;
        }
        let document = &mut self.documents[index];
        let mut repeats = std::mem::take(&mut document.strict);
        // What the server sees of them while it decodes one object of JSON comes from there.
        let mut of_json = Diags::new();
        if let (Format::Json, [(steps, _)]) = (document.format, found.as_slice())
            && steps.is_empty()
        {
            std::mem::swap(&mut repeats, &mut of_json);
        }
        for (steps, value) in found {
            let name = value.get("metadata").and_then(|m| m.get("name")).and_then(Value::as_str);
            let name = name.unwrap_or_default().to_owned();
            let (crd, diags) = read::crd::read_json(value, std::mem::take(&mut of_json));
            self.report(index, &steps, &name, diags);
            if let Some(crd) = crd {
                self.definitions.push(Definition { crd, document: index, steps });
            }
        }
        let document = &self.documents[index];
        let found = repeats.into_iter().map(|diag| {
            let place = place(document, &diag.steps, &diag);
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
    /// Checks each definition as a server sees it and adds what is found.
    pub(crate) fn check(&mut self, mut check: impl FnMut(&Crd) -> Diags) {
        let mut definitions = std::mem::take(&mut self.definitions);
        definitions.iter_mut().for_each(|d| d.crd.drop_unions());
        for Definition { crd, document, steps } in &definitions {
            self.report(*document, steps, &crd.metadata.name, check(crd));
        }
        self.definitions = definitions;
    }
}

fn place(document: &Document, steps: &[Step], diag: &Diag) -> Option<Place> {
    // An unknown field is wrong itself, whatever its value.
    if *diag.code == codes::crd::UNKNOWN_FIELD {
        return document.locate_key(steps);
    }
    let inside = diag.inside.clone().and_then(|range| document.locate_inside(steps, range));
    inside.or_else(|| document.locate(steps))
}

fn is_definition(value: &Value) -> bool {
    value.get("kind").and_then(Value::as_str) == Some("CustomResourceDefinition")
}
