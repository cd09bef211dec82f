//! The words that are used throughout the paths of a kind.

use super::{Names, in_references};
use crate::json;

/// Words made from the names of a kind.
pub(super) struct Words {
    pub(super) group: String,
    pub(super) version: String,
    /// What all paths begin with.
    pub(super) root: String,
    pub(super) plural: String,
    pub(super) kind: String,
    /// The kind with its article, and a space before and after the article.
    pub(super) a_kind: String,
    /// The tag that groups operations.
    pub(super) tag: String,
    /// Group and version in the names of operations.
    pub(super) id: String,
    /// The kind in the names of operations, as the first word after the version.
    pub(super) id_kind_first: String,
    /// The kind in the names of operations, after other words.
    pub(super) id_kind: String,
    /// The schema names of the kind and its list, as references contain them.
    pub(super) model: String,
    pub(super) list_model: String,
}

/// The number of words.
pub(super) const WORDS: usize = 12;

/// The first of the characters that mark placeholders. They are from Unicode's private-use area, so no name contains
/// them.
pub(super) const HOLES: u32 = 0xe000;

impl Words {
    pub(super) fn new(names: &Names<'_>) -> Words {
        let Names { group, version, kind, list_kind, plural, .. } = *names;
        Words {
            group: group.to_owned(),
            version: version.to_owned(),
            root: match group {
                // Kubernetes' own kinds without a group.
                "" => format!("/api/{version}"),
                group => format!("/apis/{group}/{version}"),
            },
            plural: plural.to_owned(),
            kind: kind.to_owned(),
            a_kind: format!("{}{kind}", article(kind)),
            tag: format!("{}_{}", identifier(trimmed(group), Case::Kept), identifier(version, Case::Kept)),
            id: identifier(trimmed(group), Case::Upper) + &identifier(version, Case::Upper),
            id_kind_first: identifier(kind, Case::Upper),
            id_kind: identifier(kind, Case::Kept),
            model: in_references(names.model(kind)),
            list_model: in_references(names.model(list_kind)),
        }
    }

    /// The same with other names of the schemas.
    pub(super) fn of_models(self, model: String, list_model: String) -> Words {
        Words { model: in_references(model), list_model: in_references(list_model), ..self }
    }

    /// Placeholders for the words, from [`HOLES`] on.
    pub(super) fn holes() -> Words {
        let mut holes = (HOLES..).filter_map(char::from_u32).map(String::from);
        let mut hole = || holes.next().unwrap_or_default();
        Words {
            group: hole(),
            version: hole(),
            root: hole(),
            plural: hole(),
            kind: hole(),
            a_kind: hole(),
            tag: hole(),
            id: hole(),
            id_kind_first: hole(),
            id_kind: hole(),
            model: hole(),
            list_model: hole(),
        }
    }

    /// The words as JSON text, in the order of the placeholders.
    pub(super) fn texts(&self) -> [String; WORDS] {
        let Words {
            group,
            version,
            root,
            plural,
            kind,
            a_kind,
            tag,
            id,
            id_kind_first,
            id_kind,
            model,
            list_model,
        } = self;
        [group, version, root, plural, kind, a_kind, tag, id, id_kind_first, id_kind, model, list_model].map(
            |word| {
                let mut out = String::new();
                json::write_str(word, &mut out);
                out.pop();
                out.split_off(1)
            },
        )
    }
}

fn trimmed(group: &str) -> &str {
    group.strip_suffix(".k8s.io").unwrap_or(group)
}

/// How a letter of a name is written.
#[derive(Clone, Copy)]
pub(super) enum Case {
    Upper,
    Kept,
}

/// The letters, digits and underscores of a name, in camel case at the places of other characters.
pub(super) fn identifier(name: &str, first: Case) -> String {
    let mut case = first;
    let mut out = String::with_capacity(name.len());
    for (i, c) in name.char_indices() {
        if c.is_alphabetic() || c == '_' || (i != 0 && c.is_ascii_digit()) {
            match case {
                Case::Upper => out.extend(c.to_uppercase()),
                Case::Kept => out.push(c),
            }
            case = Case::Kept;
        } else {
            case = Case::Upper;
        }
    }
    out
}

/// The article before a kind, with the spaces around it. Plurals have none.
fn article(kind: &str) -> &'static str {
    if kind.ends_with('s') && !kind.ends_with("ss") {
        " "
    } else if kind.starts_with(['a', 'e', 'i', 'o', 'u', 'A', 'E', 'I', 'O', 'U']) {
        " an "
    } else {
        " a "
    }
}
