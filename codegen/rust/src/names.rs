//! Converts Rust's names to the names in documents, as serde does.

/// Returns the name without `r#`.
pub fn plain(ident: &syn::Ident) -> String {
    let text = ident.to_string();
    text.strip_prefix("r#").map_or(text.clone(), str::to_owned)
}

/// A case of `rename_all`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Case {
    /// `lowercase`
    Lower,
    /// `UPPERCASE`
    Upper,
    /// `PascalCase`
    Pascal,
    /// `camelCase`
    Camel,
    /// `snake_case`
    Snake,
    /// `SCREAMING_SNAKE_CASE`
    ScreamingSnake,
    /// `kebab-case`
    Kebab,
    /// `SCREAMING-KEBAB-CASE`
    ScreamingKebab,
}

impl Case {
    /// All cases, each with its name in serde.
    pub const NAMES: &'static [(&'static str, Case)] = &[
        ("lowercase", Case::Lower),
        ("UPPERCASE", Case::Upper),
        ("PascalCase", Case::Pascal),
        ("camelCase", Case::Camel),
        ("snake_case", Case::Snake),
        ("SCREAMING_SNAKE_CASE", Case::ScreamingSnake),
        ("kebab-case", Case::Kebab),
        ("SCREAMING-KEBAB-CASE", Case::ScreamingKebab),
    ];

    /// Returns the case with this name.
    pub fn named(name: &str) -> Option<Case> {
        Case::NAMES.iter().find(|(n, _)| *n == name).map(|(_, case)| *case)
    }

    /// Converts the name of a variant, which Rust writes in `PascalCase`, to this case.
    pub fn variant(self, name: &str) -> String {
        match self {
            Case::Pascal => name.to_owned(),
            Case::Lower => name.to_ascii_lowercase(),
            Case::Upper => name.to_ascii_uppercase(),
            Case::Camel => lower_first(name),
            Case::Snake => snake(name),
            Case::ScreamingSnake => snake(name).to_ascii_uppercase(),
            Case::Kebab => snake(name).replace('_', "-"),
            Case::ScreamingKebab => snake(name).to_ascii_uppercase().replace('_', "-"),
        }
    }

    /// Converts the name of a field, which Rust writes in `snake_case`, to this case.
    pub fn field(self, name: &str) -> String {
        match self {
            Case::Lower | Case::Snake => name.to_owned(),
            Case::Upper | Case::ScreamingSnake => name.to_ascii_uppercase(),
            Case::Pascal => pascal(name),
            Case::Camel if name.contains('_') => lower_first(&pascal(name)),
            Case::Camel => lower_first(name),
            Case::Kebab => name.replace('_', "-"),
            Case::ScreamingKebab => name.to_ascii_uppercase().replace('_', "-"),
        }
    }
}

fn lower_first(name: &str) -> String {
    let mut out = name.to_owned();
    if let Some(first) = out.get_mut(..1) {
        first.make_ascii_lowercase();
    }
    out
}

fn snake(name: &str) -> String {
    let mut out = String::new();
    for (i, c) in name.char_indices() {
        if i > 0 && c.is_uppercase() {
            out.push('_');
        }
        out.push(c.to_ascii_lowercase());
    }
    out
}

fn pascal(name: &str) -> String {
    let mut out = String::new();
    for word in name.split('_') {
        let start = out.len();
        out.push_str(word);
        if let Some(first) = out.get_mut(start..start + 1) {
            first.make_ascii_uppercase();
        }
    }
    out
}
