//! What was found, as diagnostics of the protocol.

use std::collections::HashMap;

use crdgen_core::diag::Level;
use crdgen_report::{message, page};
use gen_lsp_types as lsp;

use crate::document::Document;
use crate::findings::Found;
use crate::positions::bytes;
use crate::state::State;

/// The name that editors show next to a diagnostic.
const SOURCE: &str = "crdgen";

/// The diagnostics of a document, at their places in its current text.
pub(crate) fn of(state: &State, document: &Document, found: &[Found]) -> Vec<lsp::Diagnostic> {
    let mut known = HashMap::new();
    found.iter().map(|found| with(state, document, found, &mut known)).collect()
}

pub(crate) fn one(state: &State, document: &Document, found: &Found) -> lsp::Diagnostic {
    with(state, document, found, &mut HashMap::new())
}

/// The locations of bytes in files that are known, because a file is read for each.
type Locations = HashMap<(String, usize), lsp::Location>;

fn with(state: &State, document: &Document, found: &Found, known: &mut Locations) -> lsp::Diagnostic {
    let Found { finding, cause } = found;
    let diag = &finding.diag;
    let related = cause.iter().map(|(file, place)| {
        let location = known.entry((file.clone(), place.start.offset));
        let location = location.or_insert_with(|| state.location(file, *place)).clone();
        let message = "the CRD requires it here".to_owned();
        lsp::DiagnosticRelatedInformation { location, message }
    });
    let related: Vec<_> = related.collect();
    lsp::Diagnostic {
        range: state.range(document, &bytes(finding.place)),
        severity: Some(match diag.level {
            Level::Error => lsp::DiagnosticSeverity::Error,
            Level::Warning => lsp::DiagnosticSeverity::Warning,
            Level::Note => lsp::DiagnosticSeverity::Information,
        }),
        code: Some(lsp::Code::String(diag.code.id.to_owned())),
        code_description: Some(lsp::CodeDescription { href: lsp::Uri::from(page(diag.code)) }),
        source: Some(SOURCE.to_owned()),
        message: lsp::Message::String(message(finding)),
        related_information: (!related.is_empty()).then_some(related),
        ..lsp::Diagnostic::default()
    }
}
