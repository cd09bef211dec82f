//! Converts names of properties to CEL identifiers: `__dot__` for a dot, and reserved words between double underscores.

use std::borrow::Cow;

/// Words that variables and functions must not have as names, and that are escaped in the names of properties.
const RESERVED: [&str; 21] = [
    "as",
    "break",
    "const",
    "continue",
    "else",
    "false",
    "for",
    "function",
    "if",
    "import",
    "in",
    "let",
    "loop",
    "namespace",
    "null",
    "package",
    "return",
    "true",
    "var",
    "void",
    "while",
];

const ESCAPES: [(&str, &str); 4] =
    [("__underscores__", "__"), ("__dot__", "."), ("__dash__", "-"), ("__slash__", "/")];

/// Whether a name is a reserved word of CEL.
pub fn is_reserved(name: &str) -> bool {
    RESERVED.binary_search(&name).is_ok()
}

/// Returns the CEL identifier for a property. None if the property cannot be written as an identifier.
pub fn escape(name: &str) -> Option<Cow<'_, str>> {
    if name.is_empty() || name.as_bytes()[0].is_ascii_digit() {
        return None;
    }
    if RESERVED.binary_search(&name).is_ok() {
        return Some(Cow::Owned(format!("__{name}__")));
    }
    let plain = |b: u8| b.is_ascii_alphanumeric() || b == b'_';
    if name.bytes().all(plain) && !name.contains("__") {
        return Some(Cow::Borrowed(name));
    }
    let mut out = String::with_capacity(name.len() + 16);
    let mut rest = name;
    while let Some(c) = rest.chars().next() {
        if let Some((escaped, text)) = ESCAPES.iter().find(|(_, text)| rest.starts_with(text)) {
            out.push_str(escaped);
            rest = &rest[text.len()..];
        } else if c.is_ascii() && plain(c as u8) {
            out.push(c);
            rest = &rest[1..];
        } else {
            return None;
        }
    }
    Some(Cow::Owned(out))
}

/// Returns the property for a CEL identifier. None if the identifier does not belong to any property.
pub fn unescape(identifier: &str) -> Option<Cow<'_, str>> {
    if !identifier.contains("__") {
        return Some(Cow::Borrowed(identifier));
    }
    let mut out = String::with_capacity(identifier.len());
    let mut rest = identifier;
    while let Some(start) = rest.find("__") {
        let inside = &rest[start + 2..];
        // In a longer run of underscores, only the last two before the word count.
        let len = inside.find('_').unwrap_or(inside.len());
        if len == 0 {
            out.push_str(&rest[..=start]);
            rest = &rest[start + 1..];
            continue;
        }
        if !inside[len..].starts_with("__") {
            let skip = start + 2 + len;
            out.push_str(&rest[..skip]);
            rest = &rest[skip..];
            continue;
        }
        out.push_str(&rest[..start]);
        let (word, whole) = (&inside[..len], &rest[start..start + len + 4]);
        if let Some((_, text)) = ESCAPES.iter().find(|(escaped, _)| *escaped == whole) {
            out.push_str(text);
        } else if RESERVED.binary_search(&word).is_ok() && whole.len() == identifier.len() {
            out.push_str(word);
        } else {
            return None;
        }
        rest = &inside[len + 2..];
    }
    out.push_str(rest);
    Some(Cow::Owned(out))
}

#[cfg(test)]
mod tests {
    use super::{escape, unescape};

    #[test]
    fn unescaping_undoes_escaping() {
        for (name, identifier) in [
            ("a", "a"),
            ("a_b", "a_b"),
            ("a__b", "a__underscores__b"),
            ("a-b.c/d", "a__dash__b__dot__c__slash__d"),
            ("namespace", "__namespace__"),
            ("namespaces", "namespaces"),
            ("int", "int"),
        ] {
            assert_eq!(escape(name).as_deref(), Some(identifier));
            assert_eq!(unescape(identifier).as_deref(), Some(name));
        }
        for name in ["", "1a", "a b", "é", "$ref"] {
            assert_eq!(escape(name), None, "{name}");
        }
        for identifier in ["__foo__", "a__namespace__", "__if__x"] {
            assert_eq!(unescape(identifier), None, "{identifier}");
        }
    }
}
