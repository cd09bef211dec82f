//! Checks of admission policies and of what binds them.

use super::at::{At, Mistakes};
use super::conditions::{match_conditions, trimmed, wrong};
use super::others::CONDITION;
use super::rows::{Check::*, Row, check, is_new};
use super::selectors::SELECTOR;
use super::webhooks::{RULE, not_static};
use crate::expressions::{Age, Authorizer, Compiler, Output, Uses};
use crdgen_core::cel::escape::is_reserved;
use crdgen_core::cel::types::Ty;
use crdgen_core::names;
use std::collections::BTreeSet;

const NAME: Row = ("", If(is_new, &[("metadata.name", Name(not_static))]));
const WARNING_OF_TYPES: &[Row] = &[("warning", Required("")), ("fieldRef", Code(field_reference))];

pub(super) const VALIDATING: &[Row] = &[("spec", All(POLICY)), ("spec", Code(validating)), NAME];

pub(super) const VALIDATING_STATUS: &[Row] = &[
    ("status.typeChecking.expressionWarnings[]", All(WARNING_OF_TYPES)),
    ("status.conditions[]", All(CONDITION)),
];

pub(super) const MUTATING: &[Row] = &[
    ("spec", All(POLICY)),
    ("spec.matchConstraints", Code(mutable)),
    ("spec", Code(mutating)),
    ("spec.reinvocationPolicy", Known(&["IfNeeded", "Never"])),
    NAME,
];

pub(super) const VALIDATING_BINDING: &[Row] = &[
    ("spec.policyName", NeedsName(names::dns1123_subdomain)),
    ("spec.paramRef", In(PARAM)),
    ("spec.matchResources", In(RESOURCES)),
    ("spec.validationActions", Code(actions)),
    NAME,
];

pub(super) const MUTATING_BINDING: &[Row] = &[
    ("spec.policyName", NeedsName(names::dns1123_subdomain)),
    ("spec.paramRef", In(PARAM)),
    ("spec.matchResources", In(RESOURCES)),
    ("spec.matchResources", Code(mutable)),
    NAME,
];

/// What both sorts of policies have before their conditions.
const POLICY: &[Row] = &[
    ("failurePolicy", RequiredIf(is_missing, "")),
    ("failurePolicy", OneOf(&["Fail", "Ignore"])),
    ("paramKind", In(PARAM_KIND)),
    ("matchConstraints", RequiredIf(is_missing, "")),
    ("matchConstraints", In(RESOURCES)),
    ("matchConstraints", In(&[("resourceRules", Required(""))])),
];

const PARAM_KIND: &[Row] = &[
    ("apiVersion", Required("")),
    ("apiVersion", Code(group_version)),
    ("kind", Required("")),
    ("kind", NameOrEmpty(kind)),
];

const RESOURCES: &[Row] = &[
    ("matchPolicy", RequiredIf(is_missing, "")),
    ("matchPolicy", OneOf(&["Equivalent", "Exact"])),
    ("namespaceSelector", RequiredIf(is_missing, "")),
    ("namespaceSelector", SELECTOR),
    ("objectSelector", RequiredIf(is_missing, "")),
    ("objectSelector", SELECTOR),
    ("resourceRules[]", All(NAMED_RULE)),
    ("excludeResourceRules[]", All(NAMED_RULE)),
];

const NAMED_RULE: &[Row] = &[("resourceNames", Code(resource_names)), ("", All(RULE))];

const EXCLUSIVE: &str = "name and selector are mutually exclusive";

const PARAM: &[Row] = &[
    ("name", NameOrEmpty(names::path_segment)),
    ("name", ForbiddenIf(has_name_and_selector, EXCLUSIVE)),
    ("selector", SELECTOR),
    ("selector", ForbiddenIf(has_name_and_selector, EXCLUSIVE)),
    ("", RequiredIf(has_neither, "one of name or selector must be specified")),
    ("parameterNotFoundAction", Required("")),
    ("parameterNotFoundAction", OneOfOrEmpty(&["Deny", "Allow"])),
];

/// The longest expression for the value of an audit annotation.
const LONGEST_VALUE: usize = 5 * 1024;

fn is_missing(at: &At<'_>) -> bool {
    !at.is_set()
}

fn has_name_and_selector(at: &At<'_>) -> bool {
    let param = at.root("spec.paramRef");
    !param.get("name").is_empty() && param.get("selector").is_set()
}

fn has_neither(param: &At<'_>) -> bool {
    param.get("name").is_empty() && !param.get("selector").is_set()
}

fn group_version(at: &At<'_>, out: &mut Mistakes) {
    let text = at.text();
    let (group, version) = match text.split_once('/') {
        None => ("", text),
        Some((_, rest)) if rest.contains('/') => {
            return out.push(at.invalid(&format!("unexpected GroupVersion string: {text}")));
        }
        Some(parts) => parts,
    };
    let mut wrong = |text: &str, reasons: Vec<String>| {
        if !reasons.is_empty() {
            out.push(at.invalid_text(text, &reasons.join(",")));
        }
    };
    if !group.is_empty() {
        wrong(group, names::dns1123_subdomain(group));
    }
    match version {
        "" if text.is_empty() => {}
        "" => wrong(text, vec!["version must be specified".to_owned()]),
        version => wrong(version, names::dns1035_label(version)),
    }
}

fn kind(name: &str) -> Vec<String> {
    let reasons = names::dns1035_label(&name.to_lowercase());
    let text = || format!("may have mixed case, but should otherwise match: {}", reasons.join(","));
    (!reasons.is_empty()).then(text).into_iter().collect()
}

fn resource_names(at: &At<'_>, out: &mut Mistakes) {
    let mut seen = BTreeSet::new();
    for item in at.each() {
        check(&[("", Name(names::path_segment))], &item, out);
        if !seen.insert(item.text()) {
            out.push(item.duplicate());
        }
    }
}

/// Policies change objects only when they are created or updated.
fn mutable(resources: &At<'_>, out: &mut Mistakes) {
    const ALL: [&str; 4] = ["*", "CONNECT", "CREATE", "UPDATE"];
    let operations = resources.get("resourceRules").get("operations");
    for rule in resources.get("resourceRules").each() {
        let texts = rule.get("operations").texts().into_iter().filter(|text| !ALL.contains(text));
        out.extend(texts.map(|text| operations.unsupported_text(text, &ALL)));
    }
}

fn actions(at: &At<'_>, out: &mut Mistakes) {
    check(&[("", SetOf(&["Audit", "Deny", "Warn"]))], at, out);
    let texts = at.texts();
    if texts.contains(&"Deny") && texts.contains(&"Warn") {
        out.push(at.invalid(
            "must not contain both Deny and Warn (repeating the same validation failure information in the API response and \
             headers serves no purpose)",
        ));
    }
    if texts.is_empty() {
        out.push(at.required(""));
    }
}

fn field_reference(at: &At<'_>, out: &mut Mistakes) {
    if at.text().trim().is_empty() {
        out.push(at.required(""));
    }
}

/// The expressions of a policy, in the server's order.
struct Expressions<'e> {
    spec: &'e At<'e>,
    compiler: Compiler,
}

fn validating(spec: &At<'_>, out: &mut Mistakes) {
    const NEEDED: &str = "validations or auditAnnotations must contain at least one item";
    let has_variables = !spec.get("variables").items().is_empty();
    let mut all = Expressions::new(spec);
    all.conditions(out);
    all.compiler.uses.variables = has_variables;
    all.variables(out);
    let (validations, annotations) = (spec.get("validations"), spec.get("auditAnnotations"));
    if validations.items().is_empty() && annotations.items().is_empty() {
        return out.extend([validations.required(NEEDED), annotations.required(NEEDED)]);
    }
    let stored = ["expression", "messageExpression"].map(|name| stored(spec, "validations", name));
    for validation in validations.each() {
        all.validation(&validation, &stored, out);
    }
    const MOST: usize = 20;
    if annotations.items().len() > MOST {
        let why = format!("must not have more than {MOST} auditAnnotations");
        out.push(annotations.invalid_of("[]AuditAnnotation", &why));
    }
    let (stored, mut seen) = (self::stored(spec, "auditAnnotations", "valueExpression"), BTreeSet::new());
    for annotation in annotations.each() {
        all.annotation(&annotation, &stored, out);
        let key = annotation.get("key");
        if !seen.insert(key.text()) {
            out.push(key.duplicate_text(key.text()));
        }
    }
}

fn mutating(spec: &At<'_>, out: &mut Mistakes) {
    let mut all = Expressions::new(spec);
    all.conditions(out);
    all.compiler.uses.variables = true;
    all.variables(out);
    // The server looks for all expressions of before among the fields that are applied.
    let (mutations, stored) =
        (spec.get("mutations"), stored(spec, "mutations", "applyConfiguration.expression"));
    if mutations.items().is_empty() {
        out.push(mutations.required("mutations must contain at least one item"));
    }
    for mutation in mutations.each() {
        let (json_patch, apply) = (mutation.get("jsonPatch"), mutation.get("applyConfiguration"));
        let patch_type = mutation.get("patchType");
        let (own, other, shown, output) = match patch_type.text() {
            "JSONPatch" => (json_patch, apply, "{applyConfiguration}", Output::Patches),
            "ApplyConfiguration" => (apply, json_patch, "{jsonPatch}", Output::Fields),
            _ => {
                check(&[("", Known(&["ApplyConfiguration", "JSONPatch"]))], &patch_type, out);
                continue;
            }
        };
        let when = |must: &str| format!("must {must}be specified when patchType is {}", patch_type.text());
        match own.is_set() {
            true => trimmed(&own.get("expression"), &mut all.compiler, output, &stored, out),
            false => out.push(own.required(&when(""))),
        }
        if other.is_set() {
            out.push(other.invalid_text(shown, &when("not ")));
        }
    }
}

/// The expressions of a list in the stored policy: they may use what new ones may not.
fn stored<'v>(spec: &At<'v>, list: &'static str, name: &'static str) -> BTreeSet<&'v str> {
    let old = At { value: spec.old, ..spec.clone() }.get(list);
    old.each().map(|item| item.get(name).text()).collect()
}

impl<'e> Expressions<'e> {
    fn new(spec: &'e At<'e>) -> Expressions<'e> {
        let params = spec.get("paramKind").is_set();
        Expressions { spec, compiler: Compiler::new(Uses { params, variables: false, server: spec.server }) }
    }

    /// An update that changes neither the conditions nor the kind of the parameters does not check the conditions.
    fn conditions(&mut self, out: &mut Mistakes) {
        let conditions = self.spec.get("matchConditions");
        let is_same = |name| !self.spec.get(name).is_changed();
        if self.spec.live.is_some() && is_same("paramKind") && is_same("matchConditions") {
            return;
        }
        check(&[("", Most(64))], &conditions, out);
        let stored = stored(self.spec, "matchConditions", "expression");
        match_conditions(&conditions, &mut self.compiler, &stored, out);
    }

    fn variables(&mut self, out: &mut Mistakes) {
        // The server looks for the variables of before among the validations.
        let stored = stored(self.spec, "validations", "expression");
        for variable in self.spec.get("variables").each() {
            let (name, expression) = (variable.get("name"), variable.get("expression"));
            if name.text().trim().is_empty() {
                out.push(name.required("name is not specified"));
            } else if !is_identifier(name.text()) {
                out.push(name.invalid("must be a valid CEL identifier"));
            }
            let text = expression.text();
            if text.trim().is_empty() {
                out.push(expression.required("expression is not specified"));
                continue;
            }
            let age = Age::of(text, &stored);
            let checked = self.compiler.compile(text, Output::Any, Authorizer::Known, age);
            let checked = checked.map_err(|why| out.push(wrong(&expression, text, why))).ok();
            self.compiler.add_variable(name.text(), checked.as_ref());
        }
    }

    fn validation(&mut self, at: &At<'_>, stored: &[BTreeSet<&str>; 2], out: &mut Mistakes) {
        let (expression, message) = (at.get("expression"), at.get("messageExpression"));
        if expression.text().trim().is_empty() {
            out.push(expression.required("expression is not specified"));
        } else {
            self.checked(&expression, Output::One(Ty::BOOL), Authorizer::Known, &stored[0], out);
        }
        const BLANK: &str = "must be non-empty if specified";
        let is_blank = |at: &At<'_>| !at.is_empty() && at.text().trim().is_empty();
        if is_blank(&message) {
            out.push(message.invalid(BLANK));
        } else if !message.is_empty() {
            self.checked(&message, Output::One(Ty::STRING), Authorizer::Unknown, &stored[1], out);
        }
        let message = at.get("message");
        if is_blank(&message) {
            out.push(message.invalid(BLANK));
        } else if message.text().trim().contains(['\n', '\r']) {
            out.push(message.invalid("must not contain line breaks"));
        }
        const REASONS: &[&str] = &["Forbidden", "Invalid", "RequestEntityTooLarge"];
        check(&[("reason", OneOf(REASONS))], at, out);
    }

    fn annotation(&mut self, at: &At<'_>, stored: &BTreeSet<&str>, out: &mut Mistakes) {
        let (key, value, policy) = (at.get("key"), at.get("valueExpression"), at.root("metadata.name"));
        if policy.is_empty() {
            out.push(key.invalid_text(key.text(), "requires metadata.name be non-empty"));
        } else {
            let full = format!("{}/{}", policy.text(), key.text());
            out.extend(names::qualified_name(&full).iter().map(|why| key.invalid_text(&full, why)));
        }
        let text = value.text().trim();
        if text.is_empty() {
            out.push(value.required("valueExpression is not specified"));
        } else if text.len() > LONGEST_VALUE {
            out.push(value.required(&format!("must not exceed {LONGEST_VALUE} bytes in length")));
        } else {
            let age = Age::of(value.text(), stored);
            let checked = self.compiler.compile(text, Output::TextOrNull, Authorizer::Known, age);
            out.extend(checked.err().map(|why| wrong(&value, value.text(), why)));
        }
    }

    fn checked(
        &mut self,
        at: &At<'_>,
        output: Output,
        authorizer: Authorizer,
        stored: &BTreeSet<&str>,
        out: &mut Mistakes,
    ) {
        let checked = self.compiler.compile(at.text(), output, authorizer, Age::of(at.text(), stored));
        out.extend(checked.err().map(|why| wrong(at, at.text(), why)));
    }
}

/// Whether a variable can have this name.
fn is_identifier(name: &str) -> bool {
    let is_part = |c: char| c == '_' || c.is_ascii_alphanumeric();
    name.chars().all(is_part) && !name.starts_with(|c: char| c.is_ascii_digit()) && !is_reserved(name)
}
