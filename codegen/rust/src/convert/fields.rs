//! Reads how the fields of a struct or a variant convert.

use super::super::attrs::meta::{Arg, Meta, metas};
use super::super::attrs::{self, Cfg, Serde, place};
use super::super::facts;
use super::super::lower::plain;
use super::super::names::Case;
use super::super::report::Report;
use super::keys::{self, ConvertPlace, Given};
use super::plan::{Fields, Function, How, Move, New, Old};
use crate::diag::codes::rust as codes;
use crate::nearest::did_you_mean;
use proc_macro2::Span;
use quote::ToTokens;
use syn::Member;
use syn::spanned::Spanned;

/// Reads the fields of a struct or a variant.
pub(super) struct Reader<'a> {
    pub(super) cfg: Cfg<'a>,
    pub(super) serde: &'a Serde,
    /// The case in which serde writes the names of fields.
    pub(super) case: Option<Case>,
    pub(super) report: &'a mut Report,
}

impl Reader<'_> {
    /// The moves of all fields. `given` are the keys at the struct or the variant.
    pub(super) fn fields(mut self, given: &Given, fields: &syn::Fields) -> Fields {
        let mut out = Fields::default();
        let split = self.splits(given, fields, &mut out);
        for (index, field) in fields.iter().enumerate() {
            let member = member(index, field);
            let own = Given::of(&field.attrs, ConvertPlace::Field, self.cfg, self.report);
            if split.contains(&member) {
                if let Some(meta) = own.first(&[
                    "from",
                    "with",
                    "back",
                    "try_with",
                    "try_back",
                    "default",
                    "parts",
                    "omit_empty",
                ]) {
                    self.contradiction(
                        meta.span,
                        "`split` on the type already declares where this field comes from",
                    );
                }
                continue;
            }
            let moved = self.field(&own, member, field);
            out.moves.extend(moved);
        }
        self.removed(given, &mut out);
        self.inside(given, &mut out);
        self.twice(&out);
        distinguish(&mut out.moves);
        out
    }

    fn field(&mut self, own: &Given, member: Member, field: &syn::Field) -> Option<Move> {
        let (label, keys) = self.label(&member, field);
        let new = New { member: member.clone(), ty: field.ty.clone() };
        let old = Old { path: vec![member.clone()], span: member.span() };
        if own.is_empty() {
            return Some(Move {
                new: vec![new],
                old: vec![old],
                label,
                how: How::Own { keys, omit_empty: false },
                lossy: false,
            });
        }
        let lossy = own.lossy(self.report);
        let (with, back) = (self.function(own, "with", "try_with"), self.function(own, "back", "try_back"));
        let from = own.fields("from", self.report);
        let object = self.object(own);
        let omit_empty = self.omit_empty(own, field);
        if let Some(default) = own.get("default") {
            if let Some(other) =
                own.first(&["from", "with", "try_with", "back", "try_back", "parts", "key", "omit_empty"])
            {
                let message = format!(
                    "`default` means that the older version does not have this field, but `{}` means that it does",
                    other.key
                );
                self.contradiction(other.span, message);
                return None;
            }
            let path = match default.arg {
                Arg::Flag => None,
                Arg::Value(_) | Arg::List(_) => Some(own.path("default", self.report)?),
            };
            return Some(Move { new: vec![new], old: vec![], label, how: How::Default(path), lossy });
        }
        if let Some(parts) = own.get("parts") {
            if let Some(other) =
                own.first(&["from", "with", "try_with", "back", "try_back", "key", "lossy", "omit_empty"])
            {
                let message = format!(
                    "`{}` has no effect next to `parts`, which declares where each part comes from",
                    other.key
                );
                self.contradiction(other.span, message);
                return None;
            }
            return self.parts_of(own, parts, new, label);
        }
        let functions = match (with, back) {
            (Some(with), Some(back)) => Some((with, back)),
            (None, None) => None,
            (Some(_), None) | (None, Some(_)) => {
                self.one_way(own);
                return None;
            }
        };
        if own.get("from").is_some() && from.is_none() {
            return None;
        }
        let old = from.unwrap_or_else(|| vec![old]);
        let how = match functions {
            Some((with, back)) => How::Functions { with, back, object },
            None => {
                if let Some(meta) = own.first(&["lossy"]) {
                    self.report.error(
                        meta.span,
                        &codes::CONVERSION,
                        "nothing of this field is lost",
                        "`lossy` belongs next to `default`, or next to `with` and `back`",
                    );
                }
                if let (Some(meta), true) = (own.get("from"), old.len() > 1) {
                    self.report.error(
                        meta.value_span(),
                        &codes::CONVERSION,
                        format!("one field cannot come from {} fields without functions", old.len()),
                        "add with = \"join\", back = \"split\", or name its parts: parts(field = \"old_name\")",
                    );
                    return None;
                }
                How::Own { keys: self.keys(own, field, keys), omit_empty }
            }
        };
        Some(Move { new: vec![new], old, label, how, lossy })
    }

    /// The name of a field as serde writes it, and the keys of its items.
    fn label(&self, member: &Member, field: &syn::Field) -> (String, Vec<String>) {
        let naming = |attribute: &&syn::Attribute| {
            let path = attribute.path();
            !path.is_ident("doc") && !path.is_ident("convert")
        };
        let attributes: Vec<syn::Attribute> = field.attrs.iter().filter(naming).cloned().collect();
        // Most fields have no attributes, and a derive runs without optimization.
        if attributes.is_empty() {
            return (self.cased(member), Vec::new());
        }
        let read = attrs::peek(&attributes, place::FIELD, self.cfg);
        let label = read.serde.rename.unwrap_or_else(|| self.cased(member));
        (label, read.patch.set.ext.list_map_keys)
    }

    fn cased(&self, member: &Member) -> String {
        match member {
            Member::Named(name) => {
                let name = plain(name);
                self.case.or(self.serde.rename_all).map_or_else(|| name.clone(), |case| case.field(&name))
            }
            Member::Unnamed(index) => index.index.to_string(),
        }
    }

    fn keys(&mut self, own: &Given, field: &syn::Field, of_schema: Vec<String>) -> Vec<String> {
        let Some((key, span)) = own.text("key", self.report) else { return of_schema };
        let is_list = facts::name_of(&field.ty).is_some_and(|(name, _)| name == "Vec" || name == "Option");
        if !is_list {
            self.report.error(
                span,
                &codes::MISFIT,
                "`key` identifies the items of a list, but this is not a list",
                "remove it, or write the type as Vec<…>",
            );
        }
        vec![key]
    }

    fn function(&mut self, own: &Given, key: &str, fallible_key: &str) -> Option<Function> {
        if let (Some(_), Some(other)) = (own.get(key), own.get(fallible_key)) {
            self.contradiction(other.span, format!("`{key}` and `{fallible_key}` name the same function"));
            return None;
        }
        let infallible = own.path(key, self.report).map(|path| Function { path, fallible: false });
        infallible
            .or_else(|| own.path(fallible_key, self.report).map(|path| Function { path, fallible: true }))
    }

    /// `object`: whether the functions get the object, too.
    fn object(&mut self, own: &Given) -> bool {
        let object = own.flag("object", self.report);
        if let (Some(meta), None) = (own.get("object"), own.first(&["with", "try_with", "back", "try_back"]))
        {
            self.report.error(
                meta.span,
                &codes::CONVERSION,
                "`object` without functions",
                "name a function for each direction, which gets the object as its last argument: with = \"…\", back = \"…\"",
            );
        }
        object
    }

    /// `omit_empty`: whether an empty value is left out.
    fn omit_empty(&mut self, own: &Given, field: &syn::Field) -> bool {
        let Some(meta) = own.get("omit_empty") else { return false };
        if let Some(other) = own.first(&["with", "try_with", "back", "try_back"]) {
            let message =
                format!("`{}` names a function, which can leave an empty value out itself", other.key);
            self.contradiction(meta.span, message);
        } else if facts::name_of(&field.ty).is_none_or(|(name, _)| name != "Option") {
            self.report.error(
                meta.span,
                &codes::MISFIT,
                "`omit_empty` leaves an empty value out, and this field cannot be left out",
                "write the type as Option<…>, in both versions",
            );
        }
        own.flag("omit_empty", self.report)
    }

    /// Reports that one of the two functions is missing.
    fn one_way(&mut self, own: &Given) {
        let there = own.first(&["with", "try_with"]);
        let back = own.first(&["back", "try_back"]);
        let (given, missing, direction) = match (there, back) {
            (Some(given), None) => (given, "back", "older"),
            (None, Some(given)) => (given, "with", "newer"),
            _ => return,
        };
        self.report.error(
            given.span,
            &codes::CONVERSION,
            format!("`{}` without `{missing}`", given.key),
            format!("name the function that makes the {direction} value: {missing} = \"function\", or try_{missing} if it returns a Result"),
        );
    }

    /// `parts(min = "min_replicas", max = "max_replicas")`
    fn parts_of(&mut self, own: &Given, meta: &Meta, new: New, label: String) -> Option<Move> {
        let is_struct = matches!(&new.ty, syn::Type::Path(path) if path.qself.is_none())
            && facts::name_of(&new.ty).is_some_and(|(_, args)| args.is_empty());
        if !is_struct {
            self.report.error(
                meta.span,
                &codes::MISFIT,
                "`parts` needs a struct",
                "name functions instead: from = [\"a\", \"b\"], with = \"join\", back = \"split\"",
            );
            return None;
        }
        let (mut parts, mut old) = (Vec::new(), Vec::new());
        for part in parts_in(own, meta, self.report) {
            let text = if let Arg::Value(given) = &part.arg { given.text() } else { None };
            let (Some(name), Some(text)) = (keys::ident(&part.key, part.span), text) else {
                own.malformed(meta, self.report);
                return None;
            };
            old.push(keys::field(&text, part.value_span(), "parts(field = \"old_name\")", self.report)?);
            let label = self.cased(&Member::Named(name.clone()));
            parts.push((name, label));
        }
        Some(Move { new: vec![new], old, label, how: How::Parts(parts), lossy: false })
    }

    /// `split(from = "address", into = ["host", "port"], with = "…", back = "…")`. Returns the fields into which it
    /// splits.
    fn splits(&mut self, given: &Given, fields: &syn::Fields, out: &mut Fields) -> Vec<Member> {
        let mut all = Vec::new();
        for meta in given.all("split") {
            let inside = Given::inside(meta, ConvertPlace::Split, self.report);
            if !matches!(meta.arg, Arg::List(_))
                || inside.get("from").is_none()
                || inside.get("into").is_none()
            {
                given.malformed(meta, self.report);
                continue;
            }
            let lossy = inside.lossy(self.report);
            let object = self.object(&inside);
            let (with, back) =
                (self.function(&inside, "with", "try_with"), self.function(&inside, "back", "try_back"));
            let (Some(old), Some(into)) =
                (inside.fields("from", self.report), inside.fields("into", self.report))
            else {
                continue;
            };
            let mut new = Vec::new();
            for Old { path, span } in into {
                let found = fields.iter().enumerate().find(|(i, field)| path == [member(*i, field)]);
                match found {
                    Some((i, field)) => new.push(New { member: member(i, field), ty: field.ty.clone() }),
                    None => self.no_field(&path, span, fields),
                }
            }
            all.extend(new.iter().map(|new| new.member.clone()));
            let (Some(with), Some(back)) = (with, back) else {
                if inside.first(&["with", "try_with", "back", "try_back"]).is_none() {
                    given.malformed(meta, self.report);
                }
                self.one_way(&inside);
                continue;
            };
            let label = old.first().map_or_else(String::new, |old| self.path_label(old));
            out.moves.push(Move { new, old, label, how: How::Functions { with, back, object }, lossy });
        }
        all
    }

    fn no_field(&mut self, path: &[Member], span: Span, fields: &syn::Fields) {
        let names: Vec<String> = fields
            .iter()
            .enumerate()
            .map(|(i, field)| member(i, field).to_token_stream().to_string())
            .collect();
        let written = text(path);
        let help = did_you_mean(&written, names.iter().map(String::as_str))
            .unwrap_or_else(|| format!("the fields are {}", names.join(", ")));
        self.report.error(span, &codes::CONVERSION, format!("there is no field `{written}`"), help);
    }

    /// `removed(a, b(default = "…"))`
    fn removed(&mut self, given: &Given, out: &mut Fields) {
        for meta in given.all("removed") {
            for part in parts_in(given, meta, self.report) {
                let inside = Given::inside(&part, ConvertPlace::Removed, self.report);
                let lossy = inside.lossy(self.report);
                if matches!(part.arg, Arg::Value(_)) {
                    given.malformed(meta, self.report);
                    continue;
                }
                let form = "removed(old_name)";
                let Some(old) = keys::field(&part.key, part.span, form, self.report) else { continue };
                let default = match inside.get("default") {
                    Some(Meta { arg: Arg::Value(_) | Arg::List(_), .. }) => {
                        inside.path("default", self.report)
                    }
                    Some(_) | None => None,
                };
                let label = self.path_label(&old);
                out.moves.push(Move {
                    new: vec![],
                    old: vec![old],
                    label,
                    how: How::Default(default),
                    lossy,
                });
            }
        }
    }

    fn path_label(&self, old: &Old) -> String {
        old.path.iter().map(|member| self.cased(member)).collect::<Vec<_>>().join(".")
    }

    /// `inside(scaling = "v1beta1::Scaling")`: the types of older structs whose fields are moved one by one.
    fn inside(&mut self, given: &Given, out: &mut Fields) {
        for meta in given.all("inside") {
            for part in parts_in(given, meta, self.report) {
                let text = if let Arg::Value(given) = &part.arg { given.text() } else { None };
                let path = text.and_then(|text| keys::path(&text, part.value_span()));
                let form = "inside(old_field = \"v1beta1::Type\")";
                let Some(old) = keys::field(&part.key, part.span, form, self.report) else { continue };
                let Some(path) = path else {
                    given.malformed(meta, self.report);
                    // Another error would only report that its type is unknown.
                    out.inside.push((old.path, syn::parse_quote!(Self)));
                    continue;
                };
                let is_below =
                    |moved: &Old| moved.path.len() > old.path.len() && moved.path.starts_with(&old.path);
                if !out.moves.iter().flat_map(|it| &it.old).any(is_below) {
                    self.report.error(
                        part.span,
                        &codes::CONVERSION,
                        format!("no field comes from a field of `{}`", part.key),
                        format!(
                            "name its fields: from = \"{}.field\", or removed(\"{}.field\")",
                            part.key, part.key
                        ),
                    );
                }
                out.inside.push((old.path, path));
            }
        }
        for old in out.moves.iter().flat_map(|it| &it.old) {
            for length in 1..old.path.len() {
                let outer = &old.path[..length];
                if !out.inside.iter().any(|(path, _)| path == outer) {
                    let outer = text(outer);
                    self.report.error(
                        old.span,
                        &codes::CONVERSION,
                        format!("the type of `{outer}` is not known here"),
                        format!("name its type in #[convert(…)] on this type, so that none of its fields is forgotten: inside({} = \"v1beta1::Type\")", quoted(&outer)),
                    );
                    break;
                }
            }
        }
    }

    /// Reports fields of the older type that are used more than once.
    fn twice(&mut self, out: &Fields) {
        let all: Vec<&Old> = out.moves.iter().flat_map(|it| &it.old).collect();
        for (i, old) in all.iter().enumerate() {
            let overlaps =
                |other: &&&Old| other.path.starts_with(&old.path) || old.path.starts_with(&other.path);
            if all[..i].iter().any(|other| overlaps(&other)) {
                self.report.error(
                    old.span,
                    &codes::CONTRADICTION,
                    format!("the field `{}` of the older version is used twice", text(&old.path)),
                    "if it becomes several fields, write split(from = \"…\", into = [\"…\", \"…\"], with = \"…\", back = \"…\") on the \
                     type. On a field that the older version does not have, write `default`",
                );
            }
        }
    }

    fn contradiction(&mut self, span: Span, message: impl std::fmt::Display) {
        self.report.error(span, &codes::CONTRADICTION, message, "keep one of the two");
    }
}

/// Makes the labels of moves unique, because the older version may have another field with the same name.
fn distinguish(moves: &mut [Move]) {
    for i in 1..moves.len() {
        let (before, rest) = moves.split_at_mut(i);
        let Some(it) = rest.first_mut() else { return };
        while before.iter().any(|other| other.label == it.label) {
            it.label.push_str(" (older)");
        }
    }
}

fn member(index: usize, field: &syn::Field) -> Member {
    match &field.ident {
        Some(name) => Member::Named(name.clone()),
        None => Member::Unnamed(syn::Index { index: index as u32, span: field.ty.span() }),
    }
}

fn text(path: &[Member]) -> String {
    let names = path.iter().map(|member| match member {
        Member::Named(name) => plain(name),
        Member::Unnamed(index) => index.index.to_string(),
    });
    names.collect::<Vec<_>>().join(".")
}

fn quoted(path: &str) -> String {
    if path.contains('.') { format!("\"{path}\"") } else { path.to_owned() }
}

/// The content of the parentheses of a key, which must not be empty.
pub(super) fn parts_in(given: &Given, meta: &Meta, report: &mut Report) -> Vec<Meta> {
    match &meta.arg {
        Arg::List(group) if !group.stream().is_empty() => metas(group.stream(), report),
        Arg::List(_) | Arg::Flag | Arg::Value(_) => {
            given.malformed(meta, report);
            Vec::new()
        }
    }
}
