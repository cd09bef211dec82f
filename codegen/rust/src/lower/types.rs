//! The schema of a type at its use: given by attributes, or referred to by number.

use super::Lower;
use crate::attrs::{Attrs, Code};
use crate::diag::codes::rust as codes;
use crate::facts;
use crate::ir::{Keyword, Limits, Schema, Type};
use crate::recipe::{Enum, Node, Patch, Tagging, Variant};
use quote::quote;
use syn::spanned::Spanned;

impl Lower<'_> {
    pub(super) fn reference(&mut self, ty: &syn::Type) -> Node {
        self.spelled_reference(ty, spelling(ty))
    }

    fn spelled_reference(&mut self, ty: &syn::Type, spelling: Option<Spelling>) -> Node {
        let mut ty = ty;
        while let syn::Type::Group(syn::TypeGroup { elem, .. })
        | syn::Type::Paren(syn::TypeParen { elem, .. }) = ty
        {
            ty = elem;
        }
        let next = self.refs.len();
        let mut text = None;
        if let Some(Spelling { text: written, everyday }) = spelling {
            text = everyday.then(|| written.clone());
            let number = *self.numbers.entry(written).or_insert(next);
            if number < next {
                return Node::Ref(number);
            }
        }
        self.texts.push(text);
        self.refs.push(ty.clone());
        Node::Ref(next)
    }

    /// The keywords that attributes set, with the description.
    pub(super) fn described(&mut self, attrs: &mut Attrs) -> Patch {
        let mut patch = std::mem::take(&mut attrs.patch);
        patch.discriminator = attrs.discriminator.take().map(|(d, _)| d);
        if !patch.set.description.is_empty() || patch.clear.contains(&Keyword::Description) {
            return patch;
        }
        let note = attrs.deprecated.take();
        if !attrs.doc_code.is_empty() {
            let lines = attrs.doc_code.drain(..).chain(note.map(|note| quote!("", #note)));
            let lines = lines.flat_map(|line| [line, quote!("\n")]);
            self.code.push(Code::Text(quote!(::core::concat!(#(#lines),*))));
            patch.computed.push(("description".to_owned(), self.code.len() - 1));
            return patch;
        }
        patch.set.description = std::mem::take(&mut attrs.doc);
        if let Some(note) = note {
            if !patch.set.description.is_empty() {
                patch.set.description.push_str("\n\n");
            }
            patch.set.description.push_str(&note);
        }
        patch
    }

    /// The schema that attributes give instead of that of the type.
    pub(super) fn given(&mut self, attrs: &mut Attrs) -> Option<Node> {
        if let Some((raw, _)) = attrs.raw.take() {
            return Some(Node::plain(raw));
        }
        if let Some((ty, _)) = attrs.as_type.take() {
            return Some(self.reference(&ty));
        }
        if attrs.opaque.is_some() {
            let mut schema = Schema::of(Type::Object);
            schema.ext.preserve_unknown_fields = Some(true);
            return Some(Node::plain(schema));
        }
        if let Some((path, _)) = attrs.with.take() {
            self.code.push(Code::Schema(path));
            let computed = vec![("schema".to_owned(), self.code.len() - 1)];
            let patch = Patch { computed, ..Patch::default() };
            return Some(Node::plain(Schema::default()).patched(patch));
        }
        None
    }

    /// Returns the node for the type of a field.
    pub(super) fn type_node(&mut self, ty: &syn::Type, attrs: &mut Attrs) -> Node {
        let optional = || facts::is_option(ty);
        if let Some(node) = self.given(attrs) {
            // The given schema is that of the value inside the `Option`.
            return if optional() { Node::Option(Box::new(node)) } else { node };
        }
        let overridden = attrs.patch.overrides_type || attrs.patch.set.ext.int_or_string;
        if let Some((path, span)) =
            attrs.serde.deserialize_with.as_ref().or(attrs.serde.serialize_with.as_ref())
        {
            if let Some(node) = self.untagged_either(path, ty).filter(|_| !overridden) {
                return if optional() { Node::Option(Box::new(node)) } else { node };
            }
            match foreign_module(path) {
                Some(Some(schema)) if !overridden => {
                    let node = Node::plain(schema);
                    return if optional() { Node::Option(Box::new(node)) } else { node };
                }
                // A function that distinguishes null from absent fields reads the inner type.
                None if facts::is_double_option(ty) => {}
                None if !overridden => {
                    let module =
                        path.segments.iter().map(|s| s.ident.to_string()).collect::<Vec<_>>().join("::");
                    self.report.error(*span, &codes::SERDE, format!("`{module}` reads or writes this field, and crdgen cannot see its schema"), "write the schema: #[schema(as = \"String\")] if it looks like another type, #[schema(ty = \"string\")], #[schema(raw = { … })] or #[schema(opaque)]");
                }
                _ => {}
            }
        }
        if overridden && attrs.patch.set.ty.is_some() {
            let node = Node::plain(Schema::default());
            return if optional() { Node::Option(Box::new(node)) } else { node };
        }
        self.check_applies(ty, attrs);
        let spelling = spelling(ty);
        // There is nothing to report for well-known types, unless the item itself has the name of one.
        if self.named_everyday || !spelling.as_ref().is_some_and(|s| s.everyday) {
            self.shows(ty, Some(&attrs.patch));
        }
        self.spelled_reference(ty, spelling)
    }

    /// The node for an `Either` that the crate's module writes as its content alone.
    fn untagged_either(&mut self, module: &syn::Path, ty: &syn::Type) -> Option<Node> {
        let names: Vec<String> = module.segments.iter().take(2).map(|s| s.ident.to_string()).collect();
        let is_there = names.join("::").starts_with("either::serde_untagged");
        let (_, mut sides) = facts::name_of(ty).filter(|_| is_there)?;
        if let [inner] = sides[..] {
            (_, sides) = facts::name_of(inner)?;
        }
        let variants = sides.into_iter().map(|side| {
            let payload = Some(self.reference(side));
            Variant { payload, ..Variant::default() }
        });
        let variants = variants.collect();
        Some(Node::Enum(Box::new(Enum { tagging: Tagging::Untagged, variants, ..Enum::default() })))
    }

    /// Reports attributes that do not apply, if the type is known here.
    pub(super) fn check_applies(&mut self, ty: &syn::Type, attrs: &Attrs) {
        if attrs.says_nothing() {
            return;
        }
        let Some(mut schema) = facts::guess(ty) else { return };
        let mut patch = attrs.patch.clone();
        without_paths(&mut patch);
        self.overrides(&schema, &attrs.names);
        if matches!(schema.ty, Some(Type::Object | Type::Array)) {
            patch.metadata = None;
        }
        let report = &mut *self.report;
        patch.apply(&mut schema, &mut |mistake| {
            let span = attrs.span_of(mistake.key).unwrap_or_else(|| ty.span());
            report.error(span, &codes::MISFIT, mistake.message, mistake.help);
        });
    }
}

/// Removes the parts about places in other types. They are checked once those types are known.
fn without_paths(patch: &mut Patch) {
    patch.at.clear();
    for inner in [&mut patch.items, &mut patch.values].into_iter().flatten() {
        without_paths(inner);
    }
}

/// The spelling of a type that consists only of paths, as nearly all do.
struct Spelling {
    text: String,
    /// Whether all names in it are those of well-known types.
    everyday: bool,
}

fn spelling(ty: &syn::Type) -> Option<Spelling> {
    let mut out = Spelling { text: String::new(), everyday: true };
    spell(ty, &mut out).then_some(out)
}

fn spell(ty: &syn::Type, out: &mut Spelling) -> bool {
    let syn::Type::Path(syn::TypePath { qself: None, path, .. }) = ty else { return false };
    let mut first = true;
    for segment in &path.segments {
        if !first {
            out.text.push_str("::");
        }
        first = false;
        let name = segment.ident.to_string();
        out.everyday = out.everyday && is_everyday(&name);
        out.text.push_str(&name);
        match &segment.arguments {
            syn::PathArguments::None => (),
            syn::PathArguments::AngleBracketed(list) => {
                out.text.push('<');
                for argument in &list.args {
                    let syn::GenericArgument::Type(ty) = argument else { return false };
                    if !spell(ty, out) {
                        return false;
                    }
                    out.text.push(',');
                }
                out.text.push('>');
            }
            syn::PathArguments::Parenthesized(_) => return false,
        }
    }
    path.leading_colon.is_none()
}

/// Whether this is the name of a well-known type, or the start of its path.
pub(super) fn is_everyday(name: &str) -> bool {
    matches!(
        name,
        "String"
            | "Option"
            | "bool"
            | "Vec"
            | "i32"
            | "i64"
            | "u32"
            | "u16"
            | "BTreeMap"
            | "std"
            | "collections"
            | "u8"
            | "u64"
            | "i8"
            | "i16"
            | "f32"
            | "f64"
            | "HashMap"
    )
}

/// Widely used modules for `#[serde(with = …)]`. Some leave the JSON as it is (the inner option is none), and the
/// others have a fixed form.
fn foreign_module(path: &syn::Path) -> Option<Option<Schema>> {
    let name: Vec<String> = path.segments.iter().map(|s| s.ident.to_string()).collect();
    let name = name.join("::");
    let integer = || {
        let limits = Limits { format: "int64".into(), ..Limits::default() };
        Schema { limits, ..Schema::of(Type::Integer) }
    };
    if name.contains("with::singleton_map") {
        return Some(None);
    }
    if name.starts_with("humantime_serde") || name == "serde_with::As" && is_as_text(path) {
        return Some(Some(Schema::of(Type::String)));
    }
    if let Some(form) = name.strip_prefix("time::serde::") {
        let date_time = || {
            let limits = Limits { format: "date-time".into(), ..Limits::default() };
            Schema { limits, ..Schema::of(Type::String) }
        };
        match form.strip_suffix("::option").unwrap_or(form) {
            "rfc3339" => return Some(Some(date_time())),
            "rfc2822" | "iso8601" => return Some(Some(Schema::of(Type::String))),
            "timestamp"
            | "timestamp::milliseconds"
            | "timestamp::microseconds"
            | "timestamp::nanoseconds" => {
                return Some(Some(integer()));
            }
            _ => {}
        }
    }
    let seconds = ["ts_seconds", "ts_milliseconds", "ts_microseconds", "ts_nanoseconds"];
    if name.starts_with("chrono::serde::") && seconds.iter().any(|s| name.contains(s)) {
        return Some(Some(integer()));
    }
    None
}

/// Whether serde_with writes a value as text: `serde_with::As::<DisplayFromStr>`.
fn is_as_text(path: &syn::Path) -> bool {
    let ty: syn::Type = syn::parse_quote!(#path);
    let Some((_, forms)) = facts::name_of(&ty) else { return false };
    let inside = |form: &syn::Type| match facts::name_of(form) {
        Some((name, inside)) if name == "Option" => facts::name_of(inside.first()?).map(|(name, _)| name),
        other => other.map(|(name, _)| name),
    };
    let form = forms.first().and_then(|form| inside(form));
    form.is_some_and(|name| ["Base64", "DisplayFromStr", "Hex"].contains(&name.as_str()))
}

/// Applies garde's attributes for the inside of a type: the value of an `Option`, or else the items of a list.
pub(super) fn inside(ty: &syn::Type, node: Node, attrs: &mut Attrs) -> Node {
    match attrs.inner.take() {
        None => node,
        Some(patch) if facts::is_option(ty) => node.patched(*patch),
        Some(patch) => {
            attrs.patch.items = Some(patch);
            node
        }
    }
}
