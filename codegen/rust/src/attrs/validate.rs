//! `#[validate(…)]` of the validator crate. The crate itself checks what a schema cannot express, and crdgen reports
//! this.

use super::meta::Meta;
use super::place::{FIELD, TYPES};
use super::{Key, Reader, schemars};
use crate::diag::codes::rust as codes;
use crate::ir::{Limits, Schema};

pub(super) static KEYS: &[Key] = keys! {
    FIELD, false "email", "", "Sets `format: email`.", |r, m| r.format("email", m);
    FIELD, false "url", "", "Sets `format: uri`.", |r, m| r.format("uri", m);
    FIELD, false "ip", "", "An IPv4 or IPv6 address.", |r, m| schemars::ip(r, m);
    FIELD, false "ipv4", "", "Sets `format: ipv4`.", |r, m| r.format("ipv4", m);
    FIELD, false "ipv6", "", "Sets `format: ipv6`.", |r, m| r.format("ipv6", m);
    FIELD, false "length", "(min = n, max = n, equal = n)", "Bounds for the length.", |r, m| r.length(m, &["code", "message"]);
    FIELD, false "range", "(min = n, max = n, exclusive_min = n, exclusive_max = n)", "Bounds for a number.", |r, m| r.range(m);
    FIELD, false "required", "", "Makes the field required.", |r, _| r.attrs.need = Some(crate::recipe::Need::Required);
    FIELD, false "regex", "(path = *RE)", "The regular expression that a string must match.", |r, m| schemars::regex(r, m);
    FIELD, false "contains", "(pattern = \"…\")", "A text that the string must contain.", |r, m| schemars::contains(r, m);
    FIELD, false "does_not_contain", "(pattern = \"…\")", "A text that the string must not contain.", does_not_contain;
    FIELD, false "must_match", "(other = \"field\")", "The value must equal that of another field. Becomes a CEL rule on the type.", must_match;
    FIELD, false "non_control_character", "", "The string must not contain control characters.", |r, m| r.pattern(r"^[^\x00-\x1f\x7f-\x9f]*$".to_owned(), m);
    FIELD, false "credit_card", "", "Has no effect on the schema. Only the crate checks it, in your program.", |r, m| client_only(r, m);
    FIELD, true "custom", "(function = …)", "Has no effect on the schema. Only the crate checks it, in your program.", |_, _| {};
    FIELD, false "nested", "", "Has no effect: the schema of the type already contains its constraints.", |_, _| {};
    FIELD | TYPES, false "skip", "", "Has no effect on the schema.", |_, _| {};
    TYPES, true "schema", "(function = …)", "Has no effect on the schema. Only the crate checks it, in your program.", |_, _| {};
    TYPES, false "context", "= …", "Has no effect on the schema.", |_, _| {};
    TYPES, false "mutable", "", "Has no effect on the schema.", |_, _| {};
    TYPES, false "nest_all_fields", "", "Has no effect: the schemas of the types already contain their constraints.", |_, _| {};
    TYPES, false "crate", "= \"path\"", "Has no effect on the schema.", |_, _| {};
};

/// A check that a schema cannot express.
pub(super) fn client_only(r: &mut Reader<'_>, m: &Meta) {
    r.report.warning(
        m.span,
        &codes::MISFIT,
        format!("a schema cannot express `{}`, so the server will not check it", m.key),
        "",
    );
}

fn does_not_contain(r: &mut Reader<'_>, m: &Meta) {
    let outer = std::mem::take(&mut r.attrs.patch.set.limits);
    schemars::contains(r, m);
    let inner = std::mem::replace(&mut r.attrs.patch.set.limits, outer);
    let limits = Limits { pattern: inner.pattern, ..Limits::default() };
    let schema = Schema { limits, ..Schema::default() };
    let not = Limits { not: Some(Box::new(schema)), ..Limits::default() };
    r.attrs.patch.set.limits.all_of.push(Schema { limits: not, ..Schema::default() });
}

fn must_match(r: &mut Reader<'_>, m: &Meta) {
    let other = r.parts(m).unwrap_or_default().iter().find(|p| p.key == "other").and_then(|p| match &p.arg {
        super::meta::Arg::Value(tokens) => tokens.text().or_else(|| Some(tokens.stream().to_string())),
        _ => None,
    });
    match other {
        Some(other) => r.attrs.equal_to.push((other, m.span)),
        None => r.form(m, "must_match(other = \"field\")"),
    }
}
