//! Attributes whose keys depend on the place: `#[convert(…)]` and `#[versioned(…)]`. Each has a table of keys, from which its
//! messages and its reference are made.

use super::meta::{Meta, metas};
use crate::diag::codes::rust as codes;
use crate::nearest::did_you_mean;
use crate::report::Report;
use crate::syntax::nesting;
use syn::spanned::Spanned;

/// Where an attribute can be.
pub(crate) trait AttributePlace: Copy + PartialEq + 'static {
    /// The things there, in the plural.
    fn words(self) -> &'static str;
}

/// A key: its name, where it may be used, how it is written, and what it means.
pub(crate) struct Key<P: 'static>(
    pub(crate) &'static str,
    pub(crate) &'static [P],
    pub(crate) &'static str,
    pub(crate) &'static str,
);

/// The keys of an attribute.
pub(crate) struct Keys<P: 'static> {
    /// The name of the attribute.
    pub(crate) attribute: &'static str,
    pub(crate) all: &'static [Key<P>],
    /// Help for keys that people expect.
    pub(crate) hint: fn(&str) -> Option<&'static str>,
    /// An attribute with keys.
    pub(crate) example: &'static str,
    /// Help for an attribute that is nested too deeply.
    pub(crate) too_deep: &'static str,
}

impl<P: AttributePlace> Keys<P> {
    /// The key with this name at a place.
    pub(crate) fn find(&self, name: &str, place: P) -> Option<&Key<P>> {
        self.at(place).find(|key| key.0 == name)
    }

    fn at(&self, place: P) -> impl Iterator<Item = &'static Key<P>> {
        self.all.iter().filter(move |key| key.1.contains(&place))
    }

    /// Reads what an attribute contains.
    pub(crate) fn read(&self, attribute: &syn::Meta, report: &mut Report) -> Vec<Meta> {
        let name = self.attribute;
        let syn::Meta::List(list) = attribute else {
            let message = format!("`#[{name}]` without keys");
            let help = format!("write the keys in parentheses: {}", self.example);
            report.error(attribute.span(), &codes::ATTRIBUTE, message, help);
            return Vec::new();
        };
        match nesting::check_attribute(list.tokens.clone()) {
            Ok(()) => metas(list.tokens.clone(), report),
            Err(at) => {
                report.error(at, &codes::TOO_DEEP, "this attribute is nested too deeply", self.too_deep);
                Vec::new()
            }
        }
    }

    /// Reports a key that does not exist at a place.
    pub(crate) fn misplaced(&self, meta: &Meta, place: P, report: &mut Report) {
        let places: Vec<&str> = self
            .all
            .iter()
            .filter(|key| key.0 == meta.key)
            .flat_map(|key| key.1.iter().map(|place| place.words()))
            .collect();
        if !places.is_empty() {
            let message = format!("`{}` does not belong on {}", meta.key, place.words());
            let help = format!("it belongs on {}", places.join(", "));
            return report.error(meta.span, &codes::PLACE, message, help);
        }
        let around = format!("#[{}]", self.attribute);
        match (self.hint)(&meta.key) {
            Some(help) => report.error(meta.span, &codes::UNKNOWN_KEY, unknown(meta, &around), help),
            None => {
                let known: Vec<&str> = self.at(place).map(|key| key.0).collect();
                unknown_key(meta, &around, &known, report);
            }
        }
    }

    /// The table of the reference, in Markdown. `form` marks how a key is written as code. A key without a meaning has no line.
    pub(crate) fn table(&self, form: fn(&str) -> String) -> String {
        let row = |Key(_, places, how, meaning): &Key<P>| {
            let places: Vec<&str> = places.iter().map(|place| place.words()).collect();
            format!("| {} | {} | {meaning} |\n", form(how), places.join(", "))
        };
        let rows: String = self.all.iter().filter(|key| !key.3.is_empty()).map(row).collect();
        format!("| key | on | meaning |\n| --- | --- | --- |\n{rows}")
    }
}

fn unknown(meta: &Meta, around: &str) -> String {
    format!("unknown key `{}` in {around}", meta.key)
}

/// Reports a key that is none of those inside of something.
pub(crate) fn unknown_key(meta: &Meta, around: &str, known: &[&str], report: &mut Report) {
    let help = did_you_mean(&meta.key, known.iter().copied());
    let help = help.unwrap_or_else(|| format!("the keys here are {}", known.join(", ")));
    report.error(meta.span, &codes::UNKNOWN_KEY, unknown(meta, around), help);
}

/// Reports how a key is written.
pub(crate) fn malformed(meta: &Meta, form: &str, report: &mut Report) {
    let message = format!("`{}` is not written this way", meta.key);
    report.error(meta.value_span(), &codes::ATTRIBUTE, message, format!("write {form}"));
}
