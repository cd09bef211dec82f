//! How fields are called in rules: names that are no identifiers are escaped, or out of reach.

/// CEL's reserved words that can be fields nevertheless, sorted.
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

/// Whether a name is a reserved word.
pub fn is_reserved(name: &str) -> bool {
    RESERVED.binary_search(&name).is_ok()
}

/// The name of a field in rules; none if rules cannot name it.
pub fn escape(name: &str) -> Option<String> {
    if name.is_empty() || name.as_bytes()[0].is_ascii_digit() {
        return None;
    }
    if is_reserved(name) {
        return Some(format!("__{name}__"));
    }
    let mut out = String::with_capacity(name.len());
    let mut rest = name;
    while let Some(c) = rest.chars().next() {
        let (len, escaped) = match c {
            '_' if rest.starts_with("__") => (2, "__underscores__"),
            '.' => (1, "__dot__"),
            '-' => (1, "__dash__"),
            '/' => (1, "__slash__"),
            c if c.is_ascii_alphanumeric() || c == '_' => (1, &rest[..1]),
            _ => return None,
        };
        out.push_str(escaped);
        rest = &rest[len..];
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    #[test]
    fn escapes() {
        for (name, expected) in [
            ("a", Some("a")),
            ("namespace", Some("__namespace__")),
            ("a-b.c/d__e___f", Some("a__dash__b__dot__c__slash__d__underscores__e__underscores___f")),
            ("1a", None),
            ("", None),
            ("a b", None),
            ("ä", None),
            ("$ref", None),
        ] {
            assert_eq!(super::escape(name).as_deref(), expected, "{name}");
        }
    }
}
