//! `#[garde(…)]`. What cannot be said in a schema is left to the crate.

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
    FIELD | TYPES | VARIANT, "skip", "", "has no meaning for the schema", |_, _| {};
    FN, "adapt", "(path)", "checked by the crate in your program only", |_, _| {};
    FN, "rename", "(\"…\")", "has no meaning for the schema", |_, _| {};
    FN, "code", "(\"…\")", "has no meaning for the schema", |_, _| {};
    FN, "dive", "", "the type brings its own", |_, _| {};
    FIELD, "required", "", "must be there", |r, _| r.attrs.need = Some(crate::recipe::Need::Required);
    FN, "ascii", "", "ASCII characters only", |r, m| r.pattern(r"^[\x00-\x7f]*$".to_owned(), m);
    FN, "alphanumeric", "", "letters and digits only", |r, m| r.pattern(r"^[\pL\pN]*$".to_owned(), m);
    FN, "email", "", "format email", |r, m| r.format("email", m);
    FN, "url", "", "format uri", |r, m| r.format("uri", m);
    FN, "ip", "", "an IPv4 or IPv6 address", |r, m| schemars::ip(r, m);
    FN, "ipv4", "", "format ipv4", |r, m| r.format("ipv4", m);
    FN, "ipv6", "", "format ipv6", |r, m| r.format("ipv6", m);
    FN, "credit_card", "", "checked by the crate in your program only", |r, m| validate::client_only(r, m);
    FN, "phone_number", "", "checked by the crate in your program only", |r, m| validate::client_only(r, m);
    FN, "length", "(min = n, max = n, equal = n)", "length bounds; the server counts characters", |r, m| r.length(m, &["simple", "bytes", "chars", "graphemes", "utf16"]);
    FIELD, "matches", "(field)", "equal to another field: a rule on the type", |r, m| match &m.arg {
        Arg::List(group) => r.attrs.equal_to.push((group.stream().to_string(), m.span)),
        Arg::Flag | Arg::Value(_) => r.form(m, "matches(field)"),
    };
    FN, "range", "(min = n, max = n, equal = n)", "bounds of a number", |r, m| r.range(m);
    FN, "contains", "(\"…\")", "a text that must be in it", |r, m| literal(r, m, "", "");
    FN, "prefix", "(\"…\")", "a text it must start with", |r, m| literal(r, m, "^", "");
    FN, "suffix", "(\"…\")", "a text it must end with", |r, m| literal(r, m, "", "$");
    FN, "pattern", "(\"…\")", "a pattern", |r, m| match &m.arg {
        Arg::List(group) => r.pattern_tokens(string_of(group.stream()), group.stream(), m),
        Arg::Flag | Arg::Value(_) => r.form(m, "pattern(\"^[a-z]+$\")"),
    };
    FIELD | TYPES, "custom", "(function)", "checked by the crate in your program only", |_, _| {};
    FN, "inner", "(…)", "keys for the items of a list, or for what an Option holds", |r, m| {
        if let Some(p) = r.nested("garde", KEYS, NESTED, m) { r.attrs.inner = Some(Box::new(p)); }
    };
    FN, "if", "(cond = …, …)", "checked by the crate in your program only", |r, m| validate::client_only(r, m);
    TYPES, "context", "(…)", "has no meaning for the schema", |_, _| {};
    TYPES, "allow_unvalidated", "", "has no meaning for the schema", |_, _| {};
    TYPES, "transparent", "", "has no meaning for the schema", |_, _| {};
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
