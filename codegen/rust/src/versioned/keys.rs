//! Errors about the keys of `#[versioned(…)]`, for all places.

use super::super::attrs::meta::Meta;
use super::super::report::Report;
use crate::diag::codes::rust as codes;
use crate::nearest::did_you_mean;

/// The keys that apply to types.
pub(super) const TYPE_KEYS: &[&str] = &["added", "removed", "attr", "fallible", "crd", "k8s"];

/// Reports how a key is written.
pub(super) fn malformed(meta: &Meta, form: &str, report: &mut Report) {
    let message = format!("`{}` is not written this way", meta.key);
    report.error(meta.value_span(), &codes::ATTRIBUTE, message, format!("write {form}"));
}

pub(super) fn unknown_key(meta: &Meta, around: &str, known: &[&str], report: &mut Report) {
    let help = did_you_mean(&meta.key, known.iter().copied());
    let help = help.unwrap_or_else(|| format!("the keys here are {}", known.join(", ")));
    let around = if around == "versioned" { "#[versioned]".to_owned() } else { format!("`{around}`") };
    report.error(meta.span, &codes::UNKNOWN_KEY, format!("unknown key `{}` in {around}", meta.key), help);
}
