//! Signature help: how the function is called whose arguments are being written.

use crdgen_core::cel::Signature;
use crdgen_core::yaml::{Draft, Touches};
use gen_lsp_types as lsp;

use crate::document::Document;
use crate::expression::{Call, Expression};
use crate::state::State;
use crate::subject::Subject;

/// The signatures of the function around a byte of a document.
pub(crate) fn of(state: &State, document: &Document, offset: usize) -> Option<lsp::SignatureHelp> {
    let text = document.text.as_str();
    let draft = Draft::read_at(text, offset)?;
    let spot = draft.spot(offset);
    let Touches::Value(value) = spot.touches else { return None };
    let subject = Subject::new(draft.root()?, &spot.steps);
    let expression = Expression::of(state, &subject, value)?;
    let Call { signatures, argument } = expression.call(value.byte_of(text, offset)?)?;
    // The first one that has so many arguments.
    let has_argument = |signature: &Signature| signature.arguments.len() > argument;
    let active = signatures.iter().position(has_argument).unwrap_or(0);
    Some(lsp::SignatureHelp {
        signatures: signatures.into_iter().map(information).collect(),
        active_signature: u32::try_from(active).ok(),
        active_parameter: u32::try_from(argument).ok().map(lsp::ActiveParameter::Int),
    })
}

fn information(signature: Signature) -> lsp::SignatureInformation {
    // Offsets count units of UTF-16, which are bytes here: names and types are ASCII.
    let offset = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
    let parameter = |of: std::ops::Range<usize>| lsp::ParameterInformation {
        label: lsp::ParameterInformationLabel::Tuple((offset(of.start), offset(of.end))),
        documentation: None,
    };
    lsp::SignatureInformation {
        label: signature.text,
        documentation: None,
        parameters: Some(signature.arguments.into_iter().map(parameter).collect()),
        active_parameter: None,
    }
}
