//! Finds what is not structural in the schemas that attributes contain, as far as a quick check can. The server's own check needs
//! more code than derives should have. It also rejects everything that is found here.

use crate::diag::Code;
use crate::diag::codes::schema::{JUNCTOR_KEYWORD, MISSING_TYPE, UNKNOWN_TYPE};
use crate::ir::{Additional, Edge, Keyword, Position, Schema, Type, Which};

/// What is not structural in a schema.
pub(crate) struct NotStructural {
    /// The keyword that is missing or wrong.
    pub(crate) keyword: Keyword,
    /// The code of the error.
    pub(crate) code: &'static Code,
    /// What is wrong.
    pub(crate) text: String,
    /// What to do.
    pub(crate) help: &'static str,
}

const WRITE_A_TYPE: &str = "write a type: array, boolean, integer, number, object or string. A schema without a type needs \
                            x-kubernetes-int-or-string or x-kubernetes-preserve-unknown-fields";
const ONLY_CONSTRAIN: &str = "the schemas in allOf, anyOf, oneOf and not only constrain values. Write types and everything else \
                              about the structure outside";

/// Returns the first part of a schema that is not structural.
pub(crate) fn not_structural(schema: &Schema) -> Option<NotStructural> {
    below(schema, Within::Structure, &mut String::new())
}

/// Where a schema is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Within {
    Structure,
    /// Inside of `anyOf` and the like, at any depth.
    Junctor,
}

/// The same for a schema at a place in another one.
fn below(schema: &Schema, within: Within, at: &mut String) -> Option<NotStructural> {
    let here = |at: &str| if at.is_empty() { String::new() } else { format!("{at}: ") };
    if schema.foreign.is_some() {
        // Other errors of the server come first.
        return None;
    }
    let ext = &schema.ext;
    let closes = schema.additional_properties == Some(Additional::Allow(false));
    let is_outside = |keyword: &Keyword| {
        let is_fine = closes && *keyword == Keyword::AdditionalProperties;
        keyword.position() == Position::OutsideJunctors && schema.get(*keyword).is_some() && !is_fine
    };
    let missing = schema.ty.is_none() && !ext.int_or_string && ext.preserve_unknown_fields != Some(true);
    let wrong = |keyword, code, text: String, help| {
        Some(NotStructural { keyword, code, text: format!("{}{text}", here(at)), help })
    };
    match &schema.ty {
        _ if within == Within::Junctor => {
            if let Some(keyword) = Keyword::ALL.iter().copied().find(is_outside) {
                let text = format!("`{}` cannot be inside a junctor", keyword.name());
                return wrong(keyword, &JUNCTOR_KEYWORD, text, ONLY_CONSTRAIN);
            }
        }
        Some(Type::Other(name)) => {
            let text = format!("the server does not know the type `{name}`");
            return wrong(Keyword::Type, &UNKNOWN_TYPE, text, WRITE_A_TYPE);
        }
        _ if missing => {
            return wrong(Keyword::Type, &MISSING_TYPE, "the schema has no type".to_owned(), WRITE_A_TYPE);
        }
        _ => {}
    }
    let children = schema.children().filter(|(edge, _)| edge.is_structural() || !ext.int_or_string);
    for (Edge { keyword, which }, child) in children {
        let len = at.len();
        let step = match which {
            Which::Only => keyword.name().to_owned(),
            Which::Name(name) => format!("{}[{name}]", keyword.name()),
            Which::Index(number) => format!("{}[{number}]", keyword.name()),
        };
        at.push_str(if len == 0 { "" } else { "." });
        at.push_str(&step);
        let is_structural = Edge { keyword, which }.is_structural();
        let within = if is_structural { within } else { Within::Junctor };
        if let Some(found) = below(child, within, at) {
            // The attribute with the junctor has the mistake.
            return Some(NotStructural {
                keyword: if is_structural { found.keyword } else { keyword },
                ..found
            });
        }
        at.truncate(len);
    }
    None
}
