//! `#[garde(…)]`. The garde crate itself checks what a schema cannot express.

use super::meta::{Arg, Meta, string_of};
use super::place::{FIELD, NESTED, TYPES, VARIANT};
use super::{Key, Reader, schemars, validate};

macro_rules! keys {
    ($($places:expr, $name:literal, $form:literal, $doc:literal, $set:expr;)*) => {
        &[$(Key { name: $name, places: $places, repeat: false, form: $form, doc: $doc, set: $set }),*]
    };
}

const FN: u8 = FIELD | NESTED;

pub(super) static KEYS: &[Key] = keys! {
    FIELD | TYPES | VARIANT, "skip", "", "Has no effect on the schema.", |_, _| {};
    FN, "adapt", "(path)", "Has no effect on the schema. Only the crate checks it, in your program.", |_, _| {};
    FN, "rename", "(\"…\")", "Has no effect on the schema.", |_, _| {};
    FN, "code", "(\"…\")", "Has no effect on the schema.", |_, _| {};
    FN, "dive", "", "Has no effect: the schema of the type already contains its constraints.", |_, _| {};
    FIELD, "required", "", "Makes the field required.", |r, _| r.attrs.need = Some(crate::recipe::Need::Required);
    FN, "ascii", "", "The string may only contain ASCII characters.", |r, m| r.pattern(r"^[\x00-\x7f]*$".to_owned(), m);
    FN, "alphanumeric", "", "The string may only contain letters and digits.", |r, m| r.pattern(r"^[\pL\pN]*$".to_owned(), m);
    FN, "email", "", "Sets `format: email`.", |r, m| r.format("email", m);
    FN, "url", "", "Sets `format: uri`.", |r, m| r.format("uri", m);
    FN, "ip", "", "An IPv4 or IPv6 address.", |r, m| schemars::ip(r, m);
    FN, "ipv4", "", "Sets `format: ipv4`.", |r, m| r.format("ipv4", m);
    FN, "ipv6", "", "Sets `format: ipv6`.", |r, m| r.format("ipv6", m);
    FN, "credit_card", "", "Has no effect on the schema. Only the crate checks it, in your program.", |r, m| validate::client_only(r, m);
    FN, "phone_number", "", "Has no effect on the schema. Only the crate checks it, in your program.", |r, m| validate::client_only(r, m);
    FN, "length", "(min = n, max = n, equal = n)", "Bounds for the length. The server counts characters.", |r, m| r.length(m, &["simple", "bytes", "chars", "graphemes", "utf16"]);
    FIELD, "matches", "(field)", "The value must equal that of another field. Becomes a CEL rule on the type.", |r, m| match &m.arg {
        Arg::List(group) => r.attrs.equal_to.push((group.stream().to_string(), m.span)),
        Arg::Flag | Arg::Value(_) => r.form(m, "matches(field)"),
    };
    FN, "range", "(min = n, max = n, equal = n)", "Bounds for a number.", |r, m| r.range(m);
    FN, "contains", "(\"…\")", "A text that the string must contain.", |r, m| literal(r, m, "", "");
    FN, "prefix", "(\"…\")", "A text that the string must start with.", |r, m| literal(r, m, "^", "");
    FN, "suffix", "(\"…\")", "A text that the string must end with.", |r, m| literal(r, m, "", "$");
    FN, "pattern", "(\"…\")", "The regular expression that a string must match.", |r, m| match &m.arg {
        Arg::List(group) => r.pattern_tokens(string_of(group.stream()), group.stream(), m),
        Arg::Flag | Arg::Value(_) => r.form(m, "pattern(\"^[a-z]+$\")"),
    };
    FIELD | TYPES, "custom", "(function)", "Has no effect on the schema. Only the crate checks it, in your program.", |_, _| {};
    FN, "inner", "(…)", "Attributes for the items of a list, or for the value in an `Option`.", |r, m| {
        if let Some(p) = r.nested("garde", KEYS, NESTED, m) { r.attrs.inner = Some(Box::new(p)); }
    };
    FN, "if", "(cond = …, …)", "Has no effect on the schema. Only the crate checks it, in your program.", |r, m| validate::client_only(r, m);
    TYPES, "context", "(…)", "Has no effect on the schema.", |_, _| {};
    TYPES, "allow_unvalidated", "", "Has no effect on the schema.", |_, _| {};
    TYPES, "transparent", "", "Has no effect on the schema.", |_, _| {};
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
