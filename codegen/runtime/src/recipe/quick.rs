//! The checks of the generated test if crdgen's feature `check` is off: errors that involve several items, and that
//! need neither CEL nor an engine for regular expressions. The server also rejects everything that is found here.

use super::mismatch::mismatch;
use crate::diag::{Code, Diag, Diags, Level, codes::cel, codes::schema as codes};
use crate::ir::{Additional, Crd, Items, Schema};
use crate::json;
use crate::path::Path;

/// Returns the errors for which the server would reject the CRD.
pub fn check(crd: &Crd) -> Diags {
    let mut out = Diags::new();
    for (number, version) in crd.spec.versions.iter().enumerate() {
        if let Some(schema) = version.body.schema.as_ref().and_then(|v| v.open_api_v3_schema.as_ref()) {
            let spec = Path::ROOT.child("spec");
            let versions = spec.child("versions");
            let version = versions.index(number);
            let around = version.child("schema");
            visit(schema, &around.child("openAPIV3Schema"), "", None, &mut out);
        }
    }
    out
}

/// `at` is the place in an object, and `lost` is a place above, inside which the server cannot find old values.
fn visit(schema: &Schema, path: &Path<'_>, at: &str, lost: Option<&str>, out: &mut Diags) {
    let mut report = |code: &'static Code, path: &Path<'_>, text: String| {
        let field = if at.is_empty() { Path::NOTHING } else { at };
        out.push(Diag { field: field.to_owned(), ..Diag::own(code, Level::Error, path, text) });
    };
    if let Some(default) = &schema.default
        && let Some(why) = mismatch(schema, default)
    {
        report(&codes::DEFAULT_INVALID, path, format!("the default {} {why}", json::to_string(default)));
    }
    let uses_old = schema.rules.iter().enumerate().find(|(_, rule)| names_old_self(&rule.rule));
    if let (Some((number, rule)), Some(lost)) = (uses_old, lost) {
        report(
            &cel::BAD_OLD_SELF,
            &path.child("x-kubernetes-validations").index(number),
            format!(
                "the rule `{}` uses oldSelf, and the server cannot find the old value inside {lost}: write list_type = \"map\" with list_map_keys there",
                rule.rule
            ),
        );
    }
    if let Some(item) = schema.item() {
        keys(schema, item, &mut |code, text| report(code, path, text));
    }
    let granular = matches!(schema.ext.map_type.as_deref(), None | Some("granular" | "atomic"));
    let below = if granular { lost } else { lost.or(Some(at)) };
    let properties = path.child("properties");
    for (name, property) in schema.properties.iter() {
        visit(property, &properties.key(name), &format!("{at}.{name}"), below, out);
    }
    if let Some(Additional::Schema(values)) = &schema.additional_properties {
        visit(values, &path.child("additionalProperties"), &format!("{at}{{}}"), lost, out);
    }
    if let Some(Items::One(item)) = &schema.items {
        let keyed = schema.ext.list_type.as_deref() == Some("map");
        let lost = if keyed { lost } else { lost.or(Some(at)) };
        visit(item, &path.child("items"), &format!("{at}[]"), lost, out);
    }
}

/// Checks that the keys of a list map are fields that are always set.
fn keys(list: &Schema, item: &Schema, report: &mut dyn FnMut(&'static Code, String)) {
    for key in &list.ext.list_map_keys {
        match item.properties.get(key) {
            None => report(&codes::LIST_MAP_KEYS, format!("list_map_keys: the items have no field `{key}`")),
            Some(field) if field.default.is_none() && !item.limits.required.contains(key) => {
                report(
                    &codes::LIST_KEY_OPTIONAL,
                    format!("list_map_keys: `{key}` can be missing from the items"),
                );
            }
            Some(field) if field.nullable => {
                report(&codes::LIST_KEY_OPTIONAL, format!("list_map_keys: `{key}` of the items can be null"));
            }
            Some(_) => {}
        }
    }
}

/// Whether an expression uses the variable `oldSelf`: not in strings and comments, and not as a field.
pub fn names_old_self(rule: &str) -> bool {
    const NAME: &str = "oldSelf";
    let mut rest = rule;
    let mut before = ' ';
    while let Some(c) = rest.chars().next() {
        let word: usize =
            rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').map(char::len_utf8).sum();
        let skip = if word > 0 {
            if &rest[..word] == NAME && before != '.' {
                return true;
            }
            let raw = rest[word..].starts_with(['"', '\'']) && rest[..word].contains(['r', 'R']) && word <= 2;
            if raw { word + string(&rest[word..], Escapes::None) } else { word }
        } else if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if matches!(c, '"' | '\'') {
            string(rest, Escapes::Backslash)
        } else {
            c.len_utf8()
        };
        if !c.is_whitespace() {
            before = c;
        }
        rest = rest.get(skip..).unwrap_or_default();
    }
    false
}

/// The escapes of a string literal.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Escapes {
    Backslash,
    None,
}

/// The length of the string literal that starts here.
fn string(text: &str, escapes: Escapes) -> usize {
    let quote = &text[..1];
    let quote = if text.starts_with(&quote.repeat(3)) { quote.repeat(3) } else { quote.to_owned() };
    let mut at = quote.len();
    while let Some(c) = text.get(at..).and_then(|rest| rest.chars().next()) {
        if text[at..].starts_with(&quote) {
            return at + quote.len();
        }
        at += c.len_utf8();
        if c == '\\' && escapes == Escapes::Backslash {
            at += text.get(at..).and_then(|rest| rest.chars().next()).map_or(0, char::len_utf8);
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::names_old_self;

    #[test]
    fn finds_old_self() {
        for (rule, expected) in [
            ("self == oldSelf", true),
            ("!oldSelf.hasValue() || self >= oldSelf.value()", true),
            ("self.oldSelf == 1", false),
            ("self. oldSelf == 1", false),
            ("self != 'oldSelf'", false),
            ("self != \"a\\\"oldSelf\"", false),
            ("self != r'\\' && oldSelf == self", true),
            ("self != '''it's oldSelf''' // oldSelf", false),
            ("oldSelfish == 1", false),
            ("self != 'ä", false),
        ] {
            assert_eq!(names_old_self(rule), expected, "{rule}");
        }
    }
}
