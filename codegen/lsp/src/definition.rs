//! Definition: the schema of a field in the file of its CRD, also of one that an expression reads.

use crdgen_core::object::cause;
use crdgen_core::path::Step;
use crdgen_core::yaml::{Draft, Part, Touches};
use gen_lsp_types as lsp;

use crate::document::Document;
use crate::expression::Expression;
use crate::state::State;
use crate::subject::Subject;

/// Where the field at a byte of a document is defined.
pub(crate) fn of(state: &State, document: &Document, offset: usize) -> Option<lsp::Location> {
    let draft = Draft::read_at(document.text.as_str(), offset)?;
    let spot = draft.spot(offset);
    let mut steps = spot.steps.clone();
    if let Touches::Key(key) = spot.touches {
        steps.push(Step::Key(key.name().into_owned()));
    }
    let subject = Subject::new(draft.root()?, &steps);
    if let Touches::Value(value) = spot.touches
        && let Some(expression) = Expression::of(state, &subject, value)
    {
        let field = expression.field(value.byte_of(document.text.as_str(), offset)?)?;
        let key = property(&subject, &field.schema?)?;
        return Some(lsp::Location { uri: document.uri.clone(), range: state.range(document, &key.range()) });
    }
    let entry = subject.entry(&state.kinds, &document.path.to_string_lossy())?;
    let crd = state.kinds.compiled(entry)?.crd();
    // The kind as a whole is defined by the CRD.
    let is_head = matches!(&subject.steps[..], [Step::Key(name)] if name == "apiVersion" || name == "kind");
    let steps = match is_head {
        true => {
            vec![Step::Key("spec".to_owned()), Step::Key("names".to_owned()), Step::Key("kind".to_owned())]
        }
        false => cause::steps_of_field(crd, subject.group_version().1, &subject.steps)?,
    };
    let (file, place) = entry.locate(&steps)?;
    Some(state.location(file, place))
}

/// The key of the property that some steps lead to from the schema of a rule.
fn property<'d>(rule: &Subject<'d>, steps: &[Step]) -> Option<Part<'d>> {
    // A rule is in a list of a schema.
    let (schema, _) = rule.steps.split_at_checked(rule.steps.len().checked_sub(3)?)?;
    let (name, properties) = steps.split_last()?;
    let Step::Key(name) = name else { return None };
    let properties = rule.object.find(schema)?.find(properties)?;
    properties.member(name).map(|(key, _)| key)
}
