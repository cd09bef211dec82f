//! The arguments of `#[versioned(…)]`: the versions, from the oldest to the newest, and how they are served.

use super::super::attrs::keyed::{malformed, unknown_key};
use super::super::attrs::meta::{Arg, Meta, metas};
use super::super::report::Report;
use super::keys::of_types;
use crate::diag::codes::rust as codes;
use crate::nearest::did_you_mean;
use crdgen_text::names;
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::quote_spanned;
use std::cmp::Ordering;

/// More versions than any kind has. Each version repeats all types, so a short input could generate much code.
const MOST: usize = 32;

pub(super) struct Args {
    pub(super) versions: Vec<Version>,
    /// Whether the module around the types is kept.
    pub(super) preserve_module: bool,
    /// Whether the conversions are written by hand.
    pub(super) skip: bool,
    /// The path by which this crate is re-exported.
    pub(super) krate: Option<(String, Span)>,
    /// The keys about the only type, if the attribute is on a type.
    pub(super) of_type: Vec<Meta>,
}

/// A version.
pub(super) struct Version {
    pub(super) name: String,
    pub(super) span: Span,
    /// Whether it is the storage version.
    pub(super) storage: bool,
    served: bool,
    /// The deprecation warning, which may be empty.
    deprecated: Option<String>,
    /// The documentation of its module.
    pub(super) doc: Option<String>,
    /// Whether the conversion to the next version is written by hand.
    pub(super) skip: bool,
}

impl Args {
    pub(super) fn read(tokens: TokenStream, report: &mut Report) -> Args {
        let mut args = Args {
            versions: Vec::new(),
            preserve_module: false,
            skip: false,
            krate: None,
            of_type: Vec::new(),
        };
        let mut allow_unsorted = false;
        let was_wrong = report.has_errors();
        for meta in metas(tokens, report) {
            match (&*meta.key, &meta.arg) {
                ("version", Arg::List(group)) => {
                    let parts = metas(group.stream(), report);
                    args.version(None, meta.span, &parts, report);
                }
                (name, Arg::Flag) if names::is_kube_version(name) => {
                    args.version(Some(name), meta.span, &[], report)
                }
                (name, Arg::List(group)) if names::is_kube_version(name) => {
                    let parts = metas(group.stream(), report);
                    args.version(Some(name), meta.span, &parts, report);
                }
                ("preserve_module", Arg::Flag) => args.preserve_module = true,
                // stackable-versioned also has paths of crates here, for code that crdgen does not generate.
                ("crates", Arg::List(_)) => {}
                ("skip", Arg::List(what)) => args.skip |= skips(what.stream(), report),
                ("crate", Arg::Value(given)) if given.text().is_some() => {
                    args.krate = given.text().map(|text| (text, meta.value_span()));
                }
                ("options", Arg::List(group)) => {
                    for option in metas(group.stream(), report) {
                        match (&*option.key, &option.arg) {
                            ("allow_unsorted", Arg::Flag) => allow_unsorted = true,
                            ("preserve_module", Arg::Flag) => args.preserve_module = true,
                            ("skip", Arg::List(what)) => args.skip |= skips(what.stream(), report),
                            // What these turn on is always on in crdgen.
                            ("k8s", Arg::List(_)) => {}
                            _ => unknown_key(
                                &option,
                                "`options`",
                                &["allow_unsorted", "preserve_module", "skip"],
                                report,
                            ),
                        }
                    }
                }
                (key, _) if of_types().any(|it| it == key) => args.of_type.push(meta),
                (key @ ("version" | "crate" | "options" | "preserve_module"), _) => {
                    let form = match key {
                        "version" => "version(name = \"v1\")",
                        "crate" => "crate = \"path\"",
                        "options" => "options(preserve_module)",
                        _ => "preserve_module",
                    };
                    malformed(&meta, form, report);
                }
                (name, _) if names::is_kube_version(name) => {
                    malformed(&meta, &format!("{name} or {name}(deprecated)"), report)
                }
                (name, Arg::Flag)
                    if name.starts_with('v') && name[1..].starts_with(|c: char| c.is_ascii_digit()) =>
                {
                    no_version(name, meta.span, report);
                }
                _ => {
                    let known = ["version", "options", "crate", "preserve_module"];
                    let known: Vec<&str> = known.into_iter().chain(of_types()).collect();
                    unknown_key(&meta, "#[versioned]", &known, report);
                }
            }
        }
        if allow_unsorted {
            args.versions.sort_by(|a, b| names::compare_versions(&a.name, &b.name));
        }
        args.order(report);
        if args.versions.is_empty() && report.has_errors() == was_wrong {
            let message = "#[versioned] without versions";
            let help = "list them from the oldest to the newest: #[versioned(v1alpha1, v1beta1, v1)]";
            report.error(Span::call_site(), &codes::HISTORY, message, help);
        }
        args.one_is_stored(report);
        args
    }

    fn version(&mut self, name: Option<&str>, span: Span, parts: &[Meta], report: &mut Report) {
        let mut version = Version {
            name: name.unwrap_or_default().to_owned(),
            span,
            storage: false,
            served: true,
            deprecated: None,
            doc: None,
            skip: false,
        };
        for part in parts {
            let text = if let Arg::Value(given) = &part.arg { given.text() } else { None };
            let word =
                if let Arg::Value(given) = &part.arg { given.stream().to_string() } else { String::new() };
            match (&*part.key, &part.arg, text) {
                ("name", _, Some(text)) if name.is_none() => {
                    version.span = part.value_span();
                    if !names::is_kube_version(&text) {
                        no_version(&text, version.span, report);
                        return;
                    }
                    version.name = text;
                }
                ("deprecated", Arg::Flag, _) => version.deprecated = Some(String::new()),
                ("deprecated", _, Some(text)) => version.deprecated = Some(text),
                ("storage", Arg::Flag, _) => version.storage = true,
                ("served", Arg::Value(_), None) if word == "false" || word == "true" => {
                    version.served = word == "true";
                }
                ("doc", _, Some(text)) => version.doc = Some(text),
                ("skip", Arg::List(what), _) => version.skip = skips(what.stream(), report),
                (key @ ("name" | "deprecated" | "storage" | "served" | "doc" | "skip"), ..) => {
                    let form = match key {
                        "name" => "version(name = \"v1\"), or v1 alone",
                        "deprecated" => "deprecated or deprecated = \"use v1\"",
                        "storage" => "storage",
                        "served" => "served = false",
                        "doc" => "doc = \"…\"",
                        _ => "skip(from)",
                    };
                    malformed(part, form, report);
                }
                _ => {
                    let known = ["name", "deprecated", "storage", "served", "doc", "skip"];
                    unknown_key(part, "`version`", &known, report);
                }
            }
        }
        if version.name.is_empty() {
            let help = "write version(name = \"v1\")";
            report.error(span, &codes::HISTORY, "this version has no name", help);
            return;
        }
        self.versions.push(version);
    }

    /// Reports versions that are not in order.
    fn order(&mut self, report: &mut Report) {
        if let Some(version) = self.versions.get(MOST) {
            let message = format!("there are more than {MOST} versions");
            report.error(version.span, &codes::HISTORY, message, "remove versions that are no longer served");
            self.versions.truncate(MOST);
        }
        for (i, version) in self.versions.iter().enumerate() {
            if self.versions[..i].iter().any(|other| other.name == version.name) {
                let message = format!("the version `{}` is listed twice", version.name);
                report.error(version.span, &codes::CONTRADICTION, message, "keep one of the two");
                return;
            }
            let Some(before) = i.checked_sub(1).and_then(|i| self.versions.get(i)) else { continue };
            if names::compare_versions(&before.name, &version.name) == Ordering::Greater {
                let message = format!("`{}` is older than `{}`", version.name, before.name);
                let help =
                    "list the versions from the oldest to the newest: alpha, beta, then those without either";
                report.error(version.span, &codes::HISTORY, message, help);
                return;
            }
        }
    }

    /// The newest version is stored, unless the arguments choose another one.
    fn one_is_stored(&mut self, report: &mut Report) {
        let mut stored = self.versions.iter().filter(|version| version.storage);
        match (stored.next(), stored.next()) {
            (None, _) => {
                if let Some(newest) = self.versions.last_mut() {
                    newest.storage = true;
                }
            }
            (Some(first), Some(second)) => {
                let message = format!("`{}` is already the storage version", first.name);
                report.error(second.span, &codes::STORAGE, message, "write `storage` on one version only");
            }
            (Some(_), None) => {}
        }
    }

    /// The index of a version.
    pub(super) fn at(&self, name: &str, span: Span, report: &mut Report) -> Option<usize> {
        let found = self.versions.iter().position(|version| version.name == name);
        if found.is_none() && !self.versions.is_empty() {
            let known: Vec<&str> = self.versions.iter().map(|version| &*version.name).collect();
            let help = did_you_mean(name, known.iter().copied());
            let help = help.unwrap_or_else(|| format!("the versions are {}", known.join(", ")));
            report.error(span, &codes::HISTORY, format!("there is no version `{name}`"), help);
        }
        found
    }

    /// Reports keys about a type if the attribute is on a module.
    pub(super) fn no_type(&self, report: &mut Report) {
        if let Some(meta) = self.of_type.first() {
            let message = format!("`{}` does not belong on a module", meta.key);
            let help = format!("write #[versioned({})] on the type", meta.key);
            report.error(meta.span, &codes::PLACE, message, help);
        }
    }
}

impl Version {
    /// Its name in code.
    pub(super) fn ident(&self) -> Ident {
        Ident::new(&self.name, self.span)
    }

    /// The `#[kube(…)]` keys of the version.
    pub(super) fn kube(&self) -> TokenStream {
        let span = self.span;
        let mut name = Literal::string(&self.name);
        name.set_span(span);
        let mut out = quote_spanned!(span=> version = #name,);
        if !self.storage {
            out.extend(quote_spanned!(span=> storage = false,));
        }
        if !self.served {
            out.extend(quote_spanned!(span=> served = false,));
        }
        match self.deprecated.as_deref() {
            None => {}
            Some("") => out.extend(quote_spanned!(span=> deprecated,)),
            Some(text) => out.extend(quote_spanned!(span=> deprecated = #text,)),
        }
        out
    }
}

fn no_version(name: &str, span: Span, report: &mut Report) {
    let message = format!("`{name}` does not have the form of a version");
    let help = "versions are v1alpha1, v1beta2, v1 and the like";
    report.error(span, &codes::NAME, message, help);
}

/// Whether there is `skip(from)`. Other values skip code that crdgen does not generate.
fn skips(tokens: TokenStream, report: &mut Report) -> bool {
    metas(tokens, report).iter().any(|meta| meta.key == "from")
}
