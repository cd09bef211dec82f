//! `#[versioned(…)]` on types, fields and variants: what changed, and in which version.

use super::super::attrs::keyed::{malformed, unknown_key};
use super::super::attrs::meta::{Arg, Meta, metas};
use super::super::report::Report;
use super::args::Args;
use super::keys::{KEYS, VersionedPlace, inner};
use crate::diag::codes::rust as codes;
use proc_macro2::{Ident, Literal, Span, TokenStream, TokenTree};
use quote::quote_spanned;

/// The content of the attribute.
pub(super) struct Said {
    pub(super) metas: Vec<Meta>,
    pub(super) place: VersionedPlace,
}

/// A change in a version.
pub(super) struct Action {
    /// The key.
    pub(super) key: String,
    pub(super) span: Span,
    /// The number of the version.
    pub(super) at: usize,
    keys: Vec<Meta>,
}

/// Attributes that only some versions have.
pub(super) struct Partial {
    since: usize,
    before: usize,
    pub(super) attributes: Vec<TokenStream>,
}

/// The history of a type, a field or a variant.
#[derive(Default)]
pub(super) struct History {
    pub(super) added: Option<Action>,
    pub(super) removed: Option<Action>,
    /// The changes, from the oldest to the newest version.
    pub(super) changes: Vec<Action>,
    pub(super) attributes: Vec<Partial>,
    pub(super) fallible: bool,
    /// The content of `crd(…)`.
    pub(super) crd: Option<(TokenStream, Span)>,
}

impl Said {
    /// Reads the attributes.
    pub(super) fn of(attributes: &[syn::Attribute], place: VersionedPlace, report: &mut Report) -> Said {
        let mut said = Said { metas: Vec::new(), place };
        for attribute in attributes.iter().filter(|attribute| is_versioned(attribute)) {
            said.metas.extend(KEYS.read(&attribute.meta, report));
        }
        said
    }

    /// Converts the attributes to a history.
    pub(super) fn history(&self, args: &Args, report: &mut Report) -> History {
        let mut history = History::default();
        let place = self.place;
        for meta in &self.metas {
            let Some(form) = KEYS.find(&meta.key, place).map(|key| key.2) else {
                self.misplaced(meta, report);
                continue;
            };
            match (&*meta.key, &meta.arg) {
                // Types of the same version are found by name, so nothing needs to be done.
                ("nested", Arg::Flag) => {}
                ("fallible", Arg::Flag) => history.fallible = true,
                ("crd" | "k8s", Arg::List(group)) => {
                    history.crd.get_or_insert((group.stream(), meta.span));
                }
                ("attr", Arg::List(group)) => {
                    history.attributes.extend(Partial::read(meta, group.stream(), form, args, report));
                }
                (_, Arg::List(group)) => {
                    let keys = metas(group.stream(), report);
                    if let Some(action) = Action::read(meta, keys, &Expected { place, form }, args, report) {
                        history.add(action, place, report);
                    }
                }
                _ => malformed(meta, form, report),
            }
        }
        history.changes.sort_by_key(|action| action.at);
        history.check(place, args, report);
        history
    }

    fn misplaced(&self, meta: &Meta, report: &mut Report) {
        // stackable-versioned needs a hint whether a type is an `Option` or a list. crdgen reads this from the type.
        if meta.key == "hint" && self.place == VersionedPlace::Field {
            return;
        }
        if meta.key == "version" {
            let message = "the versions must be on the module that contains the types";
            return report.error(meta.span, &codes::PLACE, message, "list them there, once for all types");
        }
        KEYS.misplaced(meta, self.place, report);
    }
}

/// What an action must be like.
struct Expected<'e> {
    /// Where it is.
    place: VersionedPlace,
    /// How it is written.
    form: &'e str,
}

impl Action {
    fn read(
        meta: &Meta,
        keys: Vec<Meta>,
        expected: &Expected<'_>,
        args: &Args,
        report: &mut Report,
    ) -> Option<Action> {
        let Expected { place, form } = *expected;
        let known = inner(&meta.key, place);
        for (i, key) in keys.iter().enumerate() {
            if !known.contains(&&*key.key) {
                unknown_key(key, &format!("`{}`", meta.key), known, report);
                return None;
            }
            if keys[..i].iter().any(|other| other.key == key.key) {
                let message = format!("`{}` is written twice", key.key);
                report.error(key.span, &codes::CONTRADICTION, message, "keep one of the two");
                return None;
            }
            let is_flag = matches!(&*key.key, "lossy" | "object" | "omit_empty");
            if text(key).is_some() == is_flag {
                malformed(key, form, report);
                return None;
            }
        }
        let Some(since) = keys.iter().find(|key| key.key == "since") else {
            let message = format!("`{}` does not name a version", meta.key);
            report.error(meta.span, &codes::HISTORY, message, format!("write {form}"));
            return None;
        };
        let at = args.at(&text(since)?, since.value_span(), report)?;
        if at == 0 {
            let first = args.versions.first().map_or("", |version| &version.name);
            let (message, help) = match &*meta.key {
                "added" => (
                    format!("`{first}` is the first version, so no version lacks this {}", place.word()),
                    "remove `added`, or name a later version",
                ),
                "removed" => (
                    format!("`{first}` is the first version, so no version has this {}", place.word()),
                    "name a later version, or remove it from the source",
                ),
                key => (
                    format!("`{first}` is the first version, so nothing can be {key} in it"),
                    "name a later version",
                ),
            };
            report.error(since.value_span(), &codes::HISTORY, message, help);
            return None;
        }
        Some(Action { key: meta.key.clone(), span: meta.span, at, keys })
    }

    pub(super) fn get(&self, key: &str) -> Option<&Meta> {
        self.keys.iter().find(|meta| meta.key == key)
    }

    pub(super) fn text(&self, key: &str) -> Option<(String, Span)> {
        let meta = self.get(key)?;
        Some((text(meta)?, meta.value_span()))
    }

    /// The keys with these names, in the syntax of `#[convert(…)]`.
    pub(super) fn for_convert(&self, names: &[&str]) -> TokenStream {
        let mut out = TokenStream::new();
        for meta in self.keys.iter().filter(|meta| names.contains(&&*meta.key)) {
            let name = match &*meta.key {
                "upgrade_with" => "with",
                "downgrade_with" => "back",
                other => other,
            };
            let span = meta.span;
            let name = Ident::new(name, span);
            match text(meta) {
                Some(text) => {
                    let mut value = Literal::string(&text);
                    value.set_span(meta.value_span());
                    out.extend(quote_spanned!(span=> #name = #value,));
                }
                None => out.extend(quote_spanned!(span=> #name,)),
            }
        }
        out
    }
}

impl History {
    fn add(&mut self, action: Action, place: VersionedPlace, report: &mut Report) {
        let all = self.added.iter().chain(&self.removed).chain(&self.changes);
        if let Some(other) = all.into_iter().find(|other| other.at == action.at) {
            let both = [&*other.key, &*action.key];
            let message = match other.key == action.key {
                true => format!("this {} is {} twice in one version", place.word(), action.key),
                false => format!("this {} is {} and {} in one version", place.word(), other.key, action.key),
            };
            let help = if both.contains(&"renamed") && both.contains(&"changed") {
                "write both as one: changed(since = \"…\", from_name = \"…\", from_type = \"…\")"
            } else {
                "only one change is possible in a version: keep one of the two, or name another version"
            };
            return report.error(action.span, &codes::HISTORY, message, help);
        }
        let (slot, word) = match &*action.key {
            "added" => (&mut self.added, "added"),
            "removed" => (&mut self.removed, "removed"),
            _ => return self.changes.push(action),
        };
        if slot.is_some() {
            let message = format!("this {} is {word} twice", place.word());
            return report.error(action.span, &codes::HISTORY, message, "keep one of the two");
        }
        *slot = Some(action);
    }

    /// Reports changes in an impossible order.
    fn check(&self, place: VersionedPlace, args: &Args, report: &mut Report) {
        let name = |at: usize| args.versions.get(at).map_or("", |version| &*version.name);
        let word = place.word();
        if let Some(added) = &self.added
            && let Some(early) = self.changes.iter().chain(&self.removed).find(|action| action.at < added.at)
        {
            let message = format!("this {word} is {} in `{}`, before it is added", early.key, name(early.at));
            let help = format!("it is added in `{}`: name a later version", name(added.at));
            return report.error(early.span, &codes::HISTORY, message, help);
        }
        if let Some(removed) = &self.removed
            && let Some(late) = self.changes.iter().find(|action| action.at > removed.at)
        {
            let message = format!("this {word} is {} in `{}`, after it is removed", late.key, name(late.at));
            let help = format!("it is removed in `{}`: name an earlier version", name(removed.at));
            return report.error(late.span, &codes::HISTORY, message, help);
        }
        if let Some(i) = self.changes.iter().position(|action| action.key == "deprecated")
            && let Some(late) = self.changes.get(i + 1)
        {
            let message = format!("this {word} is {} after it is deprecated", late.key);
            report.error(
                late.span,
                &codes::HISTORY,
                message,
                "change it first, and deprecate it in a later version",
            );
        }
    }

    /// The attributes of a version in addition to those of all versions.
    pub(super) fn attributes_in(&self, version: usize) -> impl Iterator<Item = &TokenStream> {
        let here = move |some: &&Partial| (some.since..some.before).contains(&version);
        self.attributes.iter().filter(here).flat_map(|some| &some.attributes)
    }

    /// The versions in which it exists. `around` are those of the type or variant that contains it.
    pub(super) fn versions(&self, around: std::ops::Range<usize>) -> std::ops::Range<usize> {
        let first = self.added.as_ref().map_or(around.start, |added| added.at.max(around.start));
        let end = self.removed.as_ref().map_or(around.end, |removed| removed.at.min(around.end));
        first..end.max(first)
    }
}

impl Partial {
    /// `attr(since = "v1", before = "v2", serde(default))`
    fn read(
        meta: &Meta,
        tokens: TokenStream,
        form: &str,
        args: &Args,
        report: &mut Report,
    ) -> Option<Partial> {
        let mut some = Partial { since: 0, before: args.versions.len(), attributes: Vec::new() };
        let (mut is_bound, mut span) = (false, meta.span);
        for part in super::super::attrs::meta::split(tokens) {
            let key = match (part.first(), part.get(1)) {
                (Some(TokenTree::Ident(key)), Some(TokenTree::Punct(p))) if p.as_char() == '=' => {
                    key.to_string()
                }
                _ => String::new(),
            };
            if !matches!(&*key, "since" | "before") {
                some.attributes.push(part.into_iter().collect());
                continue;
            }
            let [bound] = metas(part.into_iter().collect(), report).try_into().ok()?;
            let Some(text) = text(&bound) else {
                malformed(&bound, form, report);
                return None;
            };
            let at = args.at(&text, bound.value_span(), report)?;
            if key == "since" {
                some.since = at
            } else {
                some.before = at
            }
            (is_bound, span) = (true, bound.value_span());
        }
        if !is_bound || some.attributes.is_empty() {
            malformed(meta, form, report);
            return None;
        }
        if some.since >= some.before {
            let message = "there is no version between these two";
            let help = "`since` names the first version with the attributes, `before` the first one without";
            report.error(span, &codes::HISTORY, message, help);
            return None;
        }
        Some(some)
    }
}

pub(super) fn is_versioned(attribute: &syn::Attribute) -> bool {
    attribute.path().segments.last().is_some_and(|segment| segment.ident == "versioned")
}

/// A string, or a path without quotes.
fn text(meta: &Meta) -> Option<String> {
    let Arg::Value(given) = &meta.arg else { return None };
    let path = || {
        let is_of_path = |token: &TokenTree| match token {
            TokenTree::Ident(_) => true,
            TokenTree::Punct(punct) => punct.as_char() == ':',
            TokenTree::Group(_) | TokenTree::Literal(_) => false,
        };
        let tokens: Vec<TokenTree> = given.stream().into_iter().collect();
        tokens.iter().all(is_of_path).then(|| tokens.iter().map(ToString::to_string).collect())
    };
    given.text().or_else(path)
}
