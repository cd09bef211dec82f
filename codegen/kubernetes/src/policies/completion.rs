//! What may be written in the expressions of policies and webhooks.

use super::offline::Definitions;
use super::types::{add_variables, compilers};
use crate::expressions::{Authorizer, Compiler, Output, Uses};
use crdgen_core::cel::Candidate;
use crdgen_core::path::Step;
use crdgen_core::value::Value;

/// An expression of a policy or of the configuration of webhooks.
struct Place {
    output: Output,
    authorizer: Authorizer,
    /// How many of the policy's variables it can use. `None` if it can use none, whatever they are.
    variables: Option<usize>,
}

/// The expression at the end of some steps. `None` if there is none.
fn place(steps: &[Step]) -> Option<Place> {
    let mut names = steps.iter().filter_map(|step| match step {
        Step::Key(name) => Some(name.as_str()),
        Step::Index(_) => None,
    });
    let names = [names.next()?, names.next()?, names.next()?, names.next().unwrap_or_default()];
    let (output, authorizer, variables) = match names {
        ["spec", "validations", "expression", ""] | ["spec", "auditAnnotations", "valueExpression", ""] => {
            (Output::Any, Authorizer::Known, Some(usize::MAX))
        }
        ["spec", "validations", "messageExpression", ""] => {
            (Output::Any, Authorizer::Unknown, Some(usize::MAX))
        }
        ["spec", "mutations", "applyConfiguration", "expression"] => {
            (Output::Fields, Authorizer::Known, Some(usize::MAX))
        }
        ["spec", "mutations", "jsonPatch", "expression"] => {
            (Output::Patches, Authorizer::Known, Some(usize::MAX))
        }
        // A variable can use those before it.
        ["spec", "variables", "expression", ""] => match steps.get(2) {
            Some(Step::Index(index)) => (Output::Any, Authorizer::Known, Some(*index)),
            _ => return None,
        },
        ["spec", "matchConditions", "expression", ""] | ["webhooks", "matchConditions", "expression", ""] => {
            (Output::Any, Authorizer::Known, None)
        }
        _ => return None,
    };
    Some(Place { output, authorizer, variables })
}

/// Whether there is an expression at the end of some steps in a policy or a configuration of webhooks.
pub fn is_expression(steps: &[Step]) -> bool {
    place(steps).is_some()
}

/// Returns what may be written at a byte of an expression, which is at the end of some steps and need not be complete. The fields of
/// objects are those of the first kind that the rules of the policy name without wildcards.
pub fn complete(
    object: &Value,
    steps: &[Step],
    (text, offset): (&str, usize),
    definitions: &dyn Definitions,
) -> Vec<Candidate> {
    let Some(Place { output, authorizer, variables }) = place(steps) else { return Vec::new() };
    let nothing = Value::Null;
    let spec = object.get("spec").unwrap_or(&nothing);
    let params = spec.get("paramKind").is_some_and(|kind| !kind.is_null());
    let untyped = || Compiler::new(Uses { params, variables: true });
    let typed = compilers(spec, definitions, 1).pop();
    let mut compiler = typed.map_or_else(untyped, |(_, compiler)| compiler);
    match variables {
        Some(most) => {
            let all = spec.get("variables").and_then(Value::as_list).unwrap_or_default();
            add_variables(&mut compiler, all.get(..most).unwrap_or(all), authorizer);
        }
        None => compiler.uses.variables = false,
    }
    compiler.complete((text, offset), output, authorizer)
}
