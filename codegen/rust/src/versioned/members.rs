//! What a type, its fields and its variants look like in each version.

use super::super::convert::ident;
use super::super::lower::plain;
use super::super::report::Report;
use super::action::{Action, History, Said, is_versioned};
use super::args::Args;
use super::keys::VersionedPlace;
use crate::diag::codes::rust as codes;
use crate::syntax::nesting;
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote_spanned;
use std::collections::HashSet;
use std::ops::Range;
use syn::spanned::Spanned;

/// A type with its history.
pub(super) struct Versioned {
    /// The newest form of the type, without the attributes of its history.
    pub(super) input: syn::DeriveInput,
    pub(super) history: History,
    /// The versions in which it exists.
    pub(super) versions: Range<usize>,
    pub(super) body: Body,
}

pub(super) enum Body {
    Struct(Vec<Member>),
    Enum(Vec<Variant>),
}

/// A field.
pub(super) struct Member {
    pub(super) field: syn::Field,
    pub(super) history: History,
    pub(super) forms: Vec<Option<MemberForm>>,
}

/// A variant. Its forms have no type.
pub(super) struct Variant {
    pub(super) variant: syn::Variant,
    pub(super) history: History,
    pub(super) forms: Vec<Option<MemberForm>>,
    pub(super) fields: Vec<Member>,
}

/// What a field or a variant looks like in one version.
#[derive(Clone)]
pub(super) struct MemberForm {
    /// None for a field of a tuple.
    pub(super) name: Option<Ident>,
    pub(super) ty: Option<syn::Type>,
    /// `#[deprecated]`
    pub(super) deprecated: Option<TokenStream>,
}

impl Versioned {
    /// Reads a type. `said` is the outer `#[versioned(…)]`, if that is on the type itself.
    pub(super) fn read(
        args: &Args,
        mut input: syn::DeriveInput,
        said: Option<Said>,
        report: &mut Report,
    ) -> Option<Versioned> {
        let mut own = Said::of(&input.attrs, VersionedPlace::Type, report);
        own.metas.extend(said.into_iter().flat_map(|said| said.metas));
        let history = own.history(args, report);
        let versions = history.versions(0..args.versions.len());
        if let Some(param) = input.generics.params.first().filter(|_| versions.len() > 1) {
            let message =
                "#[versioned] does not support types with parameters, if there are several versions of them";
            let help = "move it out of the module, or write one type without parameters";
            report.error(param.span(), &codes::HISTORY, message, help);
            return None;
        }
        let reader = Reader { args, around: versions.clone() };
        let body = match &mut input.data {
            syn::Data::Struct(data) => Body::Struct(reader.fields(&mut data.fields, report)),
            syn::Data::Enum(data) => {
                let variants = data.variants.iter().map(|variant| reader.variant(variant.clone(), report));
                let variants: Vec<Variant> = variants.collect();
                let named = variants.iter().map(|it| (it.variant.ident.span(), &*it.forms));
                reader.once(named.collect(), report);
                Body::Enum(variants)
            }
            syn::Data::Union(data) => {
                let message = "#[versioned] does not support unions";
                report.error(data.union_token.span, &codes::HISTORY, message, "make it an enum");
                return None;
            }
        };
        input.attrs.retain(|attribute| !is_versioned(attribute));
        Some(Versioned { input, history, versions, body })
    }
}

struct Reader<'a> {
    args: &'a Args,
    /// The versions of the type or variant that contains the fields.
    around: Range<usize>,
}

impl Reader<'_> {
    fn fields(&self, fields: &mut syn::Fields, report: &mut Report) -> Vec<Member> {
        let members = fields.iter().map(|field| {
            let said = Said::of(&field.attrs, VersionedPlace::Field, report);
            let history = said.history(self.args, report);
            self.is_within(&history, VersionedPlace::Field, report);
            let form = MemberForm { name: field.ident.clone(), ty: Some(field.ty.clone()), deprecated: None };
            let span = field.ident.as_ref().map_or_else(|| field.ty.span(), Ident::span);
            let forms = self.forms(form, &history, VersionedPlace::Field, span, report);
            let mut field = field.clone();
            field.attrs.retain(|attribute| !is_versioned(attribute));
            Member { field, history, forms }
        });
        let members: Vec<Member> = members.collect();
        let named = members.iter().filter_map(|it| Some((it.field.ident.as_ref()?.span(), &*it.forms)));
        self.once(named.collect(), report);
        members
    }

    fn variant(&self, mut variant: syn::Variant, report: &mut Report) -> Variant {
        let said = Said::of(&variant.attrs, VersionedPlace::Variant, report);
        let history = said.history(self.args, report);
        self.is_within(&history, VersionedPlace::Variant, report);
        for action in history.added.iter().chain(&history.removed).filter(|it| it.get("as").is_none()) {
            let (message, help) = match &*action.key {
                "added" => (
                    "nothing replaces this variant in older versions",
                    "added(since = \"…\", as = \"Variant\")",
                ),
                _ => (
                    "nothing replaces this variant in newer versions",
                    "removed(since = \"…\", as = \"Variant\")",
                ),
            };
            let help = format!("name the variant that replaces it there: {help}");
            report.error(action.span, &codes::HISTORY, message, help);
        }
        let form = MemberForm { name: Some(variant.ident.clone()), ty: None, deprecated: None };
        let forms = self.forms(form, &history, VersionedPlace::Variant, variant.ident.span(), report);
        let inner = Reader { args: self.args, around: history.versions(self.around.clone()) };
        let fields = inner.fields(&mut variant.fields, report);
        variant.attrs.retain(|attribute| !is_versioned(attribute));
        Variant { variant, history, forms, fields }
    }

    /// Reports changes in versions in which the type or variant around does not exist.
    fn is_within(&self, history: &History, place: VersionedPlace, report: &mut Report) {
        let all = history.added.iter().chain(&history.removed).chain(&history.changes);
        let Range { start, end } = self.around;
        let Some(outside) =
            all.into_iter().find(|action| action.at <= start && start > 0 || action.at >= end)
        else {
            return;
        };
        let name = |at: usize| self.args.versions.get(at).map_or("", |version| &*version.name);
        let (word, key, at) = (place.word(), &outside.key, name(outside.at));
        let message = match outside.at >= end {
            true => format!("this {word} is {key} in `{at}`, in which its type or variant does not exist"),
            false if outside.at == start => {
                format!("this {word} is {key} in `{at}`, the first version of its type or variant")
            }
            false => format!("this {word} is {key} in `{at}`, before its type or variant exists"),
        };
        let (first, last) = (name(start), name(end.saturating_sub(1)));
        let help = match first == last {
            true => format!("its type or variant exists only in `{first}`"),
            false => format!("its type or variant exists from `{first}` to `{last}`"),
        };
        let help = match (outside.at <= start && key == "added", end - start > 1) {
            (true, true) => format!("{help}. Remove `added`, or name a later version"),
            (false, true) => format!("{help}. Name one of its later versions"),
            (_, false) => format!("{help}. Remove `{key}`"),
        };
        report.error(outside.span, &codes::HISTORY, message, help);
    }

    /// The form in each version, from the newest one backwards.
    fn forms(
        &self,
        newest: MemberForm,
        history: &History,
        place: VersionedPlace,
        span: Span,
        report: &mut Report,
    ) -> Vec<Option<MemberForm>> {
        let prefix = if place == VersionedPlace::Variant { "Deprecated" } else { "deprecated_" };
        let deprecation = history.changes.iter().find(|action| action.key == "deprecated");
        let starts = newest.name.as_ref().is_some_and(|name| starts_with(&plain(name), prefix));
        if starts && deprecation.is_none() {
            let message =
                format!("only a deprecated {} can have a name that begins with `{prefix}`", place.word());
            let help = "add #[versioned(deprecated(since = \"…\"))], or choose another name";
            report.error(span, &codes::HISTORY, message, help);
        }
        let mut form = MemberForm { deprecated: deprecation.map(deprecated), ..newest };
        let versions = history.versions(self.around.clone());
        let mut out: Vec<Option<MemberForm>> = vec![None; self.args.versions.len()];
        for at in (0..out.len()).rev() {
            if versions.contains(&at) {
                out[at] = Some(form.clone());
            }
            if let Some(action) = history.changes.iter().find(|action| action.at == at) {
                Undo { place, prefix, report }.before(&mut form, action);
            }
        }
        out
    }

    /// Reports names that two fields or variants have in the same version.
    fn once(&self, all: Vec<(Span, &[Option<MemberForm>])>, report: &mut Report) {
        for at in self.around.clone() {
            let mut seen: HashSet<&Ident> = HashSet::new();
            for (span, forms) in &all {
                let Some(Some(MemberForm { name: Some(name), .. })) = forms.get(at) else { continue };
                if !seen.insert(name) {
                    let version = self.args.versions.get(at).map_or("", |version| &*version.name);
                    let message = format!("another field or variant is also named `{name}` in `{version}`");
                    let help = "check `renamed`, `removed` and `added` of both";
                    return report.error(*span, &codes::HISTORY, message, help);
                }
            }
        }
    }
}

/// Whether a name starts with a prefix, and the rest is a name by itself.
fn starts_with(name: &str, prefix: &str) -> bool {
    name.strip_prefix(prefix)
        .is_some_and(|rest| rest.starts_with(|c: char| prefix.ends_with('_') || c.is_uppercase()))
}

fn deprecated(action: &Action) -> TokenStream {
    let span = action.span;
    match action.text("note") {
        Some((note, _)) => quote_spanned!(span=> #[deprecated = #note]),
        None => quote_spanned!(span=> #[deprecated]),
    }
}

/// Makes the older form of a field or variant of the newer one.
struct Undo<'u> {
    place: VersionedPlace,
    /// The prefix of deprecated names.
    prefix: &'u str,
    report: &'u mut Report,
}

impl Undo<'_> {
    /// Undoes a change.
    fn before(&mut self, form: &mut MemberForm, action: &Action) {
        match &*action.key {
            "deprecated" => {
                form.deprecated = None;
                let name = form.name.as_ref().map(plain);
                if let Some(name) = name.filter(|name| starts_with(name, self.prefix)) {
                    let rest = name.strip_prefix(self.prefix).unwrap_or_default();
                    form.name = form.name.as_ref().and_then(|old| ident(rest, old.span()));
                }
            }
            "renamed" => match action.text("from") {
                Some(old) => self.rename(form, old, action),
                None => {
                    let message = "`renamed` does not have the older name";
                    let help = "write renamed(since = \"…\", from = \"old_name\")";
                    self.report.error(action.span, &codes::HISTORY, message, help);
                }
            },
            _ => self.changed(form, action),
        }
    }

    fn rename(&mut self, form: &mut MemberForm, (old, span): (String, Span), action: &Action) {
        let Some(name) = &form.name else {
            let message = "the fields of a tuple have no names";
            return self.report.error(action.span, &codes::HISTORY, message, "remove the name");
        };
        if plain(name) == old {
            let message = format!("`{old}` is also its name in the newer version");
            return self.report.error(
                span,
                &codes::HISTORY,
                message,
                "write the name that it had in older versions",
            );
        }
        if starts_with(&old, self.prefix) {
            let message = format!("`{old}` is the name of a deprecated {}", self.place.word());
            let help = "a deprecated name cannot change any more: write the name without the prefix";
            return self.report.error(span, &codes::HISTORY, message, help);
        }
        match ident(&old, span) {
            Some(old) => form.name = Some(old),
            None => {
                let message = format!("`{old}` cannot be the name of a {}", self.place.word());
                self.report.error(span, &codes::ATTRIBUTE, message, "write a valid Rust name");
            }
        }
    }

    fn changed(&mut self, form: &mut MemberForm, action: &Action) {
        let there = action.get("with").or(action.get("try_with")).or(action.get("upgrade_with"));
        let back = action.get("back").or(action.get("try_back")).or(action.get("downgrade_with"));
        match (there, back) {
            (Some(one), None) | (None, Some(one)) => {
                let message = format!("`{}` is a function in one direction only", one.key);
                let help = "name both: with = \"function\", back = \"function\"";
                return self.report.error(one.span, &codes::HISTORY, message, help);
            }
            (None, None)
                if ["from_type", "from_name", "omit_empty"].iter().all(|key| action.get(key).is_none()) =>
            {
                let message = "nothing is changed";
                let help = if self.place == VersionedPlace::Variant {
                    "write the older name: changed(since = \"…\", from_name = \"OldName\")"
                } else {
                    "write what changed: from_name, from_type, or with and back if the value has another meaning"
                };
                return self.report.error(action.span, &codes::HISTORY, message, help);
            }
            _ => {}
        }
        if let Some((text, span)) = action.text("from_type") {
            let mut literal = syn::LitStr::new(&text, span);
            literal.set_span(span);
            match nesting::parse_literal::<syn::Type>(&literal) {
                Ok(ty) => form.ty = Some(ty),
                Err(_) => {
                    let message = format!("`{text}` cannot be read as a type");
                    return self.report.error(
                        span,
                        &codes::ATTRIBUTE,
                        message,
                        "write it as Rust does: from_type = \"Vec<String>\"",
                    );
                }
            }
        }
        if let Some(old) = action.text("from_name") {
            self.rename(form, old, action);
        }
    }
}
