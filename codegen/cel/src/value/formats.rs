//! The named formats, such as `format.dns1123Label()`.

use crdgen_text::go::url::Url;
use crdgen_text::{format, names};

/// A named format.
#[derive(Debug)]
pub struct Format {
    /// The name in Go. Formats are equal if their names are equal.
    pub name: &'static str,
    /// The name in expressions.
    pub(crate) key: &'static str,
    /// The size of its pattern that is used for costs.
    pub pattern_size: u64,
    /// Returns the errors in a text.
    pub(crate) problems: fn(&str) -> Vec<String>,
}

pub(crate) static FORMATS: [Format; 13] = [
    Format {
        key: "byte",
        name: "byte",
        pattern_size: 84,
        problems: |s| when(!has("byte", s), "invalid base64"),
    },
    Format {
        key: "date",
        name: "date",
        pattern_size: 71,
        problems: |s| when(!has("date", s), "invalid date"),
    },
    Format {
        key: "datetime",
        name: "datetime",
        pattern_size: 71,
        problems: |s| when(!has("datetime", s), "invalid datetime"),
    },
    Format { key: "dns1035Label", name: "DNS1035Label", pattern_size: 30, problems: names::dns1035_label },
    Format {
        key: "dns1035LabelPrefix",
        name: "DNS1035LabelPrefix",
        pattern_size: 30,
        problems: |s| names::dns1035_label(&names::mask_trailing_dash(s)),
    },
    Format { key: "dns1123Label", name: "DNS1123Label", pattern_size: 30, problems: names::dns1123_label },
    Format {
        key: "dns1123LabelPrefix",
        name: "DNS1123LabelPrefix",
        pattern_size: 30,
        problems: |s| names::dns1123_label(&names::mask_trailing_dash(s)),
    },
    Format {
        key: "dns1123Subdomain",
        name: "DNS1123Subdomain",
        pattern_size: 60,
        problems: names::dns1123_subdomain,
    },
    Format {
        key: "dns1123SubdomainPrefix",
        name: "DNS1123SubdomainPrefix",
        pattern_size: 60,
        problems: |s| names::dns1123_subdomain(&names::mask_trailing_dash(s)),
    },
    Format { key: "labelValue", name: "LabelValue", pattern_size: 40, problems: names::label_value },
    Format { key: "qualifiedName", name: "QualifiedName", pattern_size: 60, problems: names::qualified_name },
    Format {
        key: "uri",
        name: "URI",
        pattern_size: 1103,
        problems: |s| Url::parse_request_uri(s).err().map(String::from).into_iter().collect(),
    },
    Format {
        key: "uuid",
        name: "uuid",
        pattern_size: 70,
        problems: |s| when(!has("uuid", s), "does not match the UUID format"),
    },
];

fn when(wrong: bool, why: &str) -> Vec<String> {
    if wrong { vec![why.to_owned()] } else { Vec::new() }
}

/// Whether a text has a format that schemas also have.
fn has(format: &str, text: &str) -> bool {
    format::Format::find(format, u32::MAX).is_some_and(|f| f.matches(text))
}
