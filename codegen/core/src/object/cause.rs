//! Finds the part of a CRD that causes a diagnostic of an object.

use crate::diag::codes::{cel, object as codes};
use crate::diag::{Code, Diag};
use crate::ir::{Crd, Schema};
use crate::path::Step;

/// Returns the steps in the CRD to the cause of a diagnostic about an object of a version, or to the nearest thing around it.
pub fn steps(crd: &Crd, version: &str, diag: &Diag) -> Option<Vec<Step>> {
    if *diag.code == codes::OTHER_KIND {
        // No served version has this name.
        return Some(vec![key("spec"), key("versions")]);
    }
    let (mut schema, mut out) = start(crd, version)?;
    let missing = *diag.code == codes::REQUIRED;
    let way = &diag.steps[..diag.steps.len() - usize::from(missing && !diag.steps.is_empty())];
    // A rule may report a field below its own place.
    let mut rule = rule_of(diag, schema, &out);
    for step in way {
        let Some((below, steps)) = down(schema, step) else { break };
        schema = below;
        out.extend(steps);
        rule = rule_of(diag, schema, &out).or(rule);
    }
    if rule.is_some() {
        return rule;
    }
    out.push(key(keyword(diag, schema)?));
    Some(out)
}

/// Returns the steps in the CRD to the schema of a field of an object of a version, or of the nearest field around it.
pub fn steps_of_field(crd: &Crd, version: &str, field: &[Step]) -> Option<Vec<Step>> {
    let (mut schema, mut out) = start(crd, version)?;
    for step in field {
        let Some((below, steps)) = down(schema, step) else { break };
        schema = below;
        out.extend(steps);
    }
    Some(out)
}

/// Returns the schema of a version, and the steps to it in the CRD.
fn start<'c>(crd: &'c Crd, version: &str) -> Option<(&'c Schema, Vec<Step>)> {
    let index = crd.spec.versions.iter().position(|v| v.name == version)?;
    let schema = crd.spec.schema_of(index)?;
    let own = crd.spec.versions[index].body.schema.is_some();
    let steps = match own {
        true => vec![key("spec"), key("versions"), Step::Index(index), key("schema"), key("openAPIV3Schema")],
        false => vec![key("spec"), key("validation"), key("openAPIV3Schema")],
    };
    Some((schema, steps))
}

/// Returns the steps to the rule that causes a finding, if this schema has it.
fn rule_of(diag: &Diag, schema: &Schema, to_schema: &[Step]) -> Option<Vec<Step>> {
    let rule = diag.rule.as_ref()?;
    let index = schema.rules.iter().position(|it| it.rule == *rule)?;
    let mut out = to_schema.to_vec();
    out.extend([key("x-kubernetes-validations"), Step::Index(index), key("rule")]);
    Some(out)
}

/// Follows one step down a schema. Returns the schema there, and the steps to it in the CRD.
fn down<'s>(schema: &'s Schema, step: &Step) -> Option<(&'s Schema, Vec<Step>)> {
    match step {
        Step::Key(name) => match schema.properties.get(name) {
            Some(property) => Some((property, vec![key("properties"), key(name)])),
            None => Some((schema.value()?, vec![key("additionalProperties")])),
        },
        Step::Index(_) => Some((schema.item()?, vec![key("items")])),
    }
}

/// Returns the keyword that a code is about. Some codes are not about a part of a schema.
fn keyword(diag: &Diag, schema: &Schema) -> Option<&'static str> {
    let limits = &schema.limits;
    let is = |code: &Code| *diag.code == *code;
    let either = |first: bool, one: &'static str, other: &'static str| Some(if first { one } else { other });
    if is(&codes::TYPE) {
        Some("type")
    } else if is(&codes::REQUIRED) {
        Some("required")
    } else if is(&codes::ENUM) {
        Some("enum")
    } else if is(&codes::LENGTH) {
        either(diag.kind == Some(crate::diag::Kind::TooLong), "maxLength", "minLength")
    } else if is(&codes::PATTERN) {
        Some("pattern")
    } else if is(&codes::FORMAT) {
        Some("format")
    } else if is(&codes::RANGE) {
        let value = diag.bad.as_ref().and_then(|bad| bad.to_value().as_float());
        let above = value.zip(limits.maximum);
        either(above.is_some_and(|(value, max)| value >= max), "maximum", "minimum")
    } else if is(&codes::MULTIPLE) {
        Some("multipleOf")
    } else if is(&codes::ITEMS) {
        either(diag.kind == Some(crate::diag::Kind::TooMany), "maxItems", "minItems")
    } else if is(&codes::PROPERTIES) {
        either(diag.kind == Some(crate::diag::Kind::TooMany), "maxProperties", "minProperties")
    } else if is(&codes::REPEATED_ITEM) {
        Some("x-kubernetes-list-type")
    } else if [&cel::RULE_FAILED, &cel::RULE_ERROR, &cel::OUT_OF_BUDGET, &cel::TOO_MUCH].into_iter().any(is) {
        Some("x-kubernetes-validations")
    } else if is(&codes::UNKNOWN_FIELD) {
        Some("properties")
    } else {
        None
    }
}

fn key(name: &str) -> Step {
    Step::Key(name.to_owned())
}
