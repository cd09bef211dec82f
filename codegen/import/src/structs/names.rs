//! Rust names for the names in schemas. Every name becomes an identifier, and serde's attributes restore the original
//! name.

use std::collections::HashMap;

use heck::{ToSnakeCase, ToUpperCamelCase};

use super::model::{Field, Rest, Struct};
pub(super) use crdgen_text::singular;

/// Words that are not identifiers, or only raw ones.
const KEYWORDS: &[&str] = &[
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "do", "dyn", "else",
    "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let", "loop", "macro",
    "match", "mod", "move", "mut", "override", "priv", "pub", "ref", "return", "static", "struct", "trait",
    "true", "try", "type", "typeof", "unsafe", "unsized", "use", "virtual", "where", "while", "yield",
];

/// Keywords that cannot even be raw identifiers.
const NEVER: &[&str] = &["self", "super", "crate", "Self", "_"];

/// Names that generated code uses itself.
pub(super) const RESERVED: &[&str] = &[
    "AsRef",
    "BTreeMap",
    "Box",
    "Builder",
    "Clone",
    "Copy",
    "CustomResource",
    "Debug",
    "Default",
    "Deserialize",
    "Deserializer",
    "Drop",
    "Eq",
    "Err",
    "Fn",
    "FnMut",
    "FnOnce",
    "From",
    "HashMap",
    "Hash",
    "IndexMap",
    "Into",
    "Iterator",
    "JsonSchema",
    "KubeSchema",
    "None",
    "Ok",
    "Option",
    "Ord",
    "PartialEq",
    "PartialOrd",
    "Result",
    "Schema",
    "Self",
    "Send",
    "Serialize",
    "Serializer",
    "Sized",
    "Some",
    "String",
    "Sync",
    "ToOwned",
    "ToString",
    "TryFrom",
    "TryInto",
    "TypedBuilder",
    "Vec",
];

/// Whether a word is a keyword that needs `r#`.
pub(super) fn is_keyword(ident: &str) -> bool {
    KEYWORDS.contains(&ident)
}

/// A property as a word in type names.
pub(super) fn word(property: &str) -> String {
    ascii(property).to_upper_camel_case()
}

/// The longest name of a module, which is also the name of its file.
const LONGEST_MODULE: usize = 200;

/// A name for a module.
pub(super) fn module(name: &str) -> String {
    // Only the beginning is read, even if most of it are separators.
    let beginning: String = name.chars().take(8 * LONGEST_MODULE).collect();
    let mut ident = start(ascii(&beginning).to_snake_case(), "v");
    ident.truncate(LONGEST_MODULE);
    let no_name = KEYWORDS.contains(&ident.as_str()) || NEVER.contains(&ident.as_str());
    if no_name || crdgen_text::is_device(&ident) {
        return ident + "_";
    }
    ident
}

/// A name for the type of a kind. It is not changed if it is a valid identifier.
pub(super) fn kind(kind: &str) -> String {
    let mut name = String::with_capacity(kind.len());
    let mut capital = true;
    for c in ascii(kind).chars() {
        match c {
            ' ' => capital = true,
            c if capital => {
                name.push(c.to_ascii_uppercase());
                capital = false;
            }
            c => name.push(c),
        }
    }
    let name = start(name, "T");
    if RESERVED.contains(&name.as_str()) { name + "Kind" } else { name }
}

/// A name for a type, from a word that may be invalid as a name.
pub(super) fn type_name(word: &str) -> String {
    start(word.to_owned(), "T")
}

/// Keeps letters and digits. Other characters separate words. Letters outside ASCII are replaced by their numbers,
/// because Rust has lints about them.
fn ascii(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    for c in name.chars() {
        if c.is_ascii_alphanumeric() {
            out.push(c);
        } else if c.is_ascii() {
            out.push(' ');
        } else {
            out.push_str(&format!(" u{:x} ", u32::from(c)));
        }
    }
    out
}

fn start(word: String, prefix: &str) -> String {
    if word.is_empty() || word.starts_with(|c: char| c.is_ascii_digit()) {
        prefix.to_owned() + &word
    } else {
        word
    }
}

/// Names the fields of a struct, and decides whether `rename_all` saves attributes.
pub(super) fn fields(body: &mut Struct) {
    let mut taken = Taken::default();
    for field in &mut body.fields {
        let mut ident = snake_case(&field.property);
        if ident.is_empty() {
            ident = if field.property.is_empty() { "empty".to_owned() } else { "field".to_owned() };
        }
        ident = start(ident, "n");
        if NEVER.contains(&ident.as_str()) {
            ident.push('_');
        }
        field.ident = taken.unique(&ident, "_");
    }
    let camel = |f: &&Field| is_camel_case(&f.ident, &f.property);
    let plain = |f: &&Field| f.ident == f.property;
    body.camel_case = body.fields.iter().filter(camel).count() > body.fields.iter().filter(plain).count();
}

/// The name of the field for unknown properties.
pub(super) fn rest(body: &Struct) -> Option<String> {
    match body.rest {
        Rest::None => None,
        Rest::Preserved | Rest::Embedded => {
            let mut taken = Taken::default();
            body.fields.iter().for_each(|f| taken.take(&f.ident));
            Some(taken.unique("other", "_"))
        }
    }
}

/// The name of the field for a union next to other fields.
pub(super) fn choice(body: &Struct) -> String {
    let mut taken = Taken::default();
    body.fields.iter().for_each(|f| taken.take(&f.ident));
    taken.unique("choice", "_")
}

/// The name of the field for a property, made of its letters and digits.
fn snake_case(property: &str) -> String {
    let mut out = String::with_capacity(property.len() + 8);
    let (mut before, mut letters) = (0_u8, property.bytes().peekable());
    while let Some(b) = letters.next() {
        let starts_word = (before.is_ascii_lowercase() || before.is_ascii_digit())
            && letters.peek().is_some_and(u8::is_ascii_lowercase);
        match b {
            b'a'..=b'z' => out.push(char::from(b)),
            b'0'..=b'9' if before != 0 => out.push(char::from(b)),
            b'A'..=b'Z' if starts_word => {
                out.push('_');
                out.push(char::from(b.to_ascii_lowercase()));
            }
            // Not plain camel case: acronyms, punctuation, other alphabets.
            _ => return ascii(property).to_snake_case(),
        }
        before = b;
    }
    out
}

/// Whether serde's `rename_all = "camelCase"` turns the field's name into the property.
pub(super) fn is_camel_case(ident: &str, property: &str) -> bool {
    let mut expected = property.chars();
    let (mut capital, mut first) = (false, true);
    for c in ident.chars() {
        if c == '_' {
            capital = true;
            continue;
        }
        let wanted = match (first, capital) {
            (true, _) => c.to_ascii_lowercase(),
            (false, true) => c.to_ascii_uppercase(),
            (false, false) => c,
        };
        if expected.next() != Some(wanted) {
            return false;
        }
        (capital, first) = (false, false);
    }
    expected.next().is_none()
}

/// The variants of an enum with their strings.
pub(super) fn variants(values: &[&str]) -> Vec<(String, String)> {
    let mut taken = Taken::default();
    let name = |value: &&str| {
        let ident = variant(value);
        (taken.unique(&ident, ""), (*value).to_owned())
    };
    values.iter().map(name).collect()
}

/// The variant for a string. Operators such as `<` are spelled out.
fn variant(value: &str) -> String {
    let named = match value {
        "" => "Empty",
        "*" => "Any",
        "=" | "==" => "Equal",
        "!=" => "NotEqual",
        "<" => "Less",
        "<=" => "LessOrEqual",
        ">" => "Greater",
        ">=" => "GreaterOrEqual",
        "=~" => "Matches",
        "!~" => "NotMatches",
        "+" => "Plus",
        "-" => "Minus",
        "/" => "Slash",
        "." => "Dot",
        "," => "Comma",
        ":" => "Colon",
        ";" => "Semicolon",
        _ => "",
    };
    if !named.is_empty() {
        return named.to_owned();
    }
    let text = match value.strip_prefix(['-', '+', '!', '*']) {
        Some(rest) if rest.starts_with(|c: char| c.is_ascii_alphanumeric()) => {
            let sign = match value.as_bytes()[0] {
                b'-' => "minus ",
                b'+' => "plus ",
                b'!' => "not ",
                _ => "any ",
            };
            // A dash before a word is part of the spelling. A dash before a digit is a minus sign.
            if value.starts_with('-') && !rest.starts_with(|c: char| c.is_ascii_digit()) {
                rest.to_owned()
            } else {
                format!("{sign}{rest}")
            }
        }
        Some(_) | None => value.to_owned(),
    };
    // A dot between digits is kept, to distinguish versions such as 1.1 and 11.
    let mut dotted = String::with_capacity(text.len());
    let chars: Vec<char> = text.chars().collect();
    for (i, &c) in chars.iter().enumerate() {
        let digit = |j: Option<&char>| j.is_some_and(char::is_ascii_digit);
        if c == '.' && i > 0 && digit(chars.get(i - 1)) && digit(chars.get(i + 1)) {
            dotted.push_str(" dot ");
        } else {
            dotted.push(c);
        }
    }
    let name = start(ascii(&dotted).to_upper_camel_case(), "V");
    if name == "V" {
        "Value".to_owned()
    } else if name == "Self" {
        "SelfValue".to_owned()
    } else {
        name
    }
}

/// The names in use, each with the number to try next.
#[derive(Clone, Debug, Default)]
pub(super) struct Taken(HashMap<String, usize>);

impl Taken {
    /// Whether a name is in use.
    pub(super) fn has(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }

    /// Marks a free name as used.
    pub(super) fn take(&mut self, name: &str) {
        self.0.entry(name.to_owned()).or_insert(2);
    }

    /// Returns the name, with a number if it is in use, and marks the result as used.
    pub(super) fn unique(&mut self, name: &str, separator: &str) -> String {
        let Some(next) = self.0.get(name) else {
            self.take(name);
            return name.to_owned();
        };
        let mut n = *next;
        let stem = if separator == "_" { name.trim_end_matches('_') } else { name };
        let mut candidate = format!("{stem}{separator}{n}");
        while self.has(&candidate) {
            n += 1;
            candidate = format!("{stem}{separator}{n}");
        }
        self.0.insert(name.to_owned(), n + 1);
        self.take(&candidate);
        candidate
    }
}

/// The rules of serde's `rename_all` for variants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum VariantRule {
    Lower,
    Upper,
    Camel,
    Snake,
    ScreamingSnake,
    Kebab,
    ScreamingKebab,
}

impl VariantRule {
    const ALL: [VariantRule; 7] = [
        VariantRule::Lower,
        VariantRule::Upper,
        VariantRule::Camel,
        VariantRule::Kebab,
        VariantRule::Snake,
        VariantRule::ScreamingSnake,
        VariantRule::ScreamingKebab,
    ];

    /// The name that serde has for the rule.
    pub(super) fn name(self) -> &'static str {
        match self {
            VariantRule::Lower => "lowercase",
            VariantRule::Upper => "UPPERCASE",
            VariantRule::Camel => "camelCase",
            VariantRule::Snake => "snake_case",
            VariantRule::ScreamingSnake => "SCREAMING_SNAKE_CASE",
            VariantRule::Kebab => "kebab-case",
            VariantRule::ScreamingKebab => "SCREAMING-KEBAB-CASE",
        }
    }

    /// The string that the rule makes of a variant.
    pub(super) fn apply(self, variant: &str) -> String {
        let snake = || {
            let mut out = String::with_capacity(variant.len() + 4);
            for (i, c) in variant.char_indices() {
                if i > 0 && c.is_ascii_uppercase() {
                    out.push('_');
                }
                out.push(c.to_ascii_lowercase());
            }
            out
        };
        match self {
            VariantRule::Lower => variant.to_ascii_lowercase(),
            VariantRule::Upper => variant.to_ascii_uppercase(),
            VariantRule::Camel => variant[..1].to_ascii_lowercase() + &variant[1..],
            VariantRule::Snake => snake(),
            VariantRule::ScreamingSnake => snake().to_ascii_uppercase(),
            VariantRule::Kebab => snake().replace('_', "-"),
            VariantRule::ScreamingKebab => snake().to_ascii_uppercase().replace('_', "-"),
        }
    }
}

/// The rule that saves attributes on at least two variants, if there is one.
pub(super) fn variant_rule(variants: &[(String, String)]) -> Option<VariantRule> {
    let saved = |rule: Option<VariantRule>| {
        let given = |v: &str| rule.map_or_else(|| v.to_owned(), |r| r.apply(v));
        variants.iter().filter(|(v, value)| given(v) == *value).count()
    };
    let plain = saved(None);
    let mut best = None;
    let mut most = plain + 1;
    for rule in VariantRule::ALL {
        let n = saved(Some(rule));
        if n > most {
            (best, most) = (Some(rule), n);
        }
    }
    best
}

/// A name for the variant that represents all other strings.
pub(super) fn other_variant(variants: &[(String, String)]) -> String {
    let mut taken = Taken::default();
    variants.iter().for_each(|(v, _)| taken.take(v));
    if taken.has("Other") { taken.unique("Unknown", "") } else { "Other".to_owned() }
}
