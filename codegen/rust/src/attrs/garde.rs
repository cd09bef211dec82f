//! `#[garde(…)]`. The garde crate itself checks what a schema cannot express.

use super::meta::{Arg, Meta, string_of};
use super::place::{FIELD, NESTED, TYPES, VARIANT};
use super::{Key, Reader, schemars, validate};

const FN: u8 = FIELD | NESTED;

pub(super) static KEYS: &[Key] = keys! {
    FIELD | TYPES | VARIANT, false "skip", "", "Has no effect on the schema.", |_, _| {};
    FN, false "adapt", "(path)", "Has no effect on the schema. Only the crate checks it, in your program.", |_, _| {};
    FN, false "rename", "(\"…\")", "Has no effect on the schema.", |_, _| {};
    FN, false "code", "(\"…\")", "Has no effect on the schema.", |_, _| {};
    FN, false "dive", "", "Has no effect: the schema of the type already contains its constraints.", |_, _| {};
    FIELD, false "required", "", "Makes the field required.", |r, _| r.attrs.need = Some(crate::recipe::Need::Required);
    FN, false "ascii", "", "The string may only contain ASCII characters.", |r, m| r.pattern(r"^[\x00-\x7f]*$".to_owned(), m);
    FN, false "alphanumeric", "", "The string may only contain letters and digits.", |r, m| r.pattern(r"^[\pL\pN]*$".to_owned(), m);
    FN, false "email", "", "Sets `format: email`.", |r, m| r.format("email", m);
    FN, false "url", "", "Sets `format: uri`.", |r, m| r.format("uri", m);
    FN, false "ip", "", "An IPv4 or IPv6 address.", |r, m| schemars::ip(r, m);
    FN, false "ipv4", "", "Sets `format: ipv4`.", |r, m| r.format("ipv4", m);
    FN, false "ipv6", "", "Sets `format: ipv6`.", |r, m| r.format("ipv6", m);
    FN, false "credit_card", "", "Has no effect on the schema. Only the crate checks it, in your program.", |r, m| validate::client_only(r, m);
    FN, false "phone_number", "", "Has no effect on the schema. Only the crate checks it, in your program.", |r, m| validate::client_only(r, m);
    FN, false "length", "(min = n, max = n, equal = n)", "Bounds for the length. The server counts characters.", |r, m| r.length(m, &["simple", "bytes", "chars", "graphemes", "utf16"]);
    FIELD, false "matches", "(field)", "The value must equal that of another field. Becomes a CEL rule on the type.", |r, m| match &m.arg {
        Arg::List(group) => r.attrs.equal_to.push((group.stream().to_string(), m.span)),
        Arg::Flag | Arg::Value(_) => r.form(m, "matches(field)"),
    };
    FN, false "range", "(min = n, max = n, equal = n)", "Bounds for a number.", |r, m| r.range(m);
    FN, false "contains", "(\"…\")", "A text that the string must contain.", |r, m| literal(r, m, "", "");
    FN, false "prefix", "(\"…\")", "A text that the string must start with.", |r, m| literal(r, m, "^", "");
    FN, false "suffix", "(\"…\")", "A text that the string must end with.", |r, m| literal(r, m, "", "$");
    FN, false "pattern", "(\"…\")", "The regular expression that a string must match.", |r, m| match &m.arg {
        Arg::List(group) => r.pattern_tokens(string_of(group.stream()), group.stream(), m),
        Arg::Flag | Arg::Value(_) => r.form(m, "pattern(\"^[a-z]+$\")"),
    };
    FIELD | TYPES, false "custom", "(function)", "Has no effect on the schema. Only the crate checks it, in your program.", |_, _| {};
    FN, false "inner", "(…)", "Attributes for the items of a list, or for the value in an `Option`.", |r, m| {
        if let Some(p) = r.nested("garde", KEYS, NESTED, m) { r.attrs.inner = Some(Box::new(p)); }
    };
    FN, false "if", "(cond = …, …)", "Has no effect on the schema. Only the crate checks it, in your program.", |r, m| validate::client_only(r, m);
    TYPES, false "context", "(…)", "Has no effect on the schema.", |_, _| {};
    TYPES, false "allow_unvalidated", "", "Has no effect on the schema.", |_, _| {};
    TYPES, false "transparent", "", "Has no effect on the schema.", |_, _| {};
};

fn literal(r: &mut Reader<'_>, m: &Meta, before: &str, after: &str) {
    let text = match &m.arg {
        Arg::List(group) => string_of(group.stream()),
        Arg::Flag | Arg::Value(_) => None,
    };
    match text {
        Some(text) => r.literal_pattern(&text, before, after, m),
        None => r.form(m, &format!("{}(\"text\")", m.key)),
    }
}
