//! Names, strings and documentation in the syntax of Rust, CEL and Kubernetes.

/// Tidies documentation: removes one space after `///` from every line, and empty lines at both ends.
pub fn tidy_doc(doc: &str) -> String {
    if !doc.contains('\n') {
        return doc.strip_prefix(' ').unwrap_or(doc).trim_end().to_owned();
    }
    let lines: Vec<&str> =
        doc.lines().map(|line| line.strip_prefix(' ').unwrap_or(line).trim_end()).collect();
    let text = lines.join("\n");
    text.trim_matches('\n').to_owned()
}

/// Converts the name of a property to its CEL identifier.
pub fn escape(name: &str) -> String {
    const RESERVED: &[&str] = &[
        "true",
        "false",
        "null",
        "in",
        "as",
        "break",
        "const",
        "continue",
        "else",
        "for",
        "function",
        "if",
        "import",
        "let",
        "loop",
        "package",
        "namespace",
        "return",
        "var",
        "void",
        "while",
    ];
    if RESERVED.contains(&name) {
        return format!("__{name}__");
    }
    name.replace("__", "__underscores__")
        .replace('.', "__dot__")
        .replace('-', "__dash__")
        .replace('/', "__slash__")
}

/// A string literal of CEL.
pub(super) fn cel_string(s: &str) -> String {
    let mut out = String::from("'");
    for c in s.chars() {
        match c {
            '\'' => out.push_str("\\'"),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            c => out.push(c),
        }
    }
    out.push('\'');
    out
}
