//! Changes of attributes in the sources that change a place in a CRD.

use super::locate::Located;
use super::{At, Program};
use crate::ir::Keyword;
use crate::path::Step;
use crate::value::Value;
use crdgen_rust::edit::{self, Dialect, Text};
use crdgen_rust::facts::is_option;
use std::ops::Range;
use std::rc::Rc;
use syn::spanned::Spanned;

/// A change of a source file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The name of the file, as [`crate::Sources`] got it.
    pub file: String,
    /// The bytes that are replaced.
    pub bytes: Range<usize>,
    /// The new text.
    pub text: String,
}

/// Reads the text of a file.
type Read<'r> = &'r dyn Fn(&str) -> Option<String>;

/// An item in which attributes can be changed, and its file.
struct Open {
    number: usize,
    item: Rc<syn::DeriveInput>,
    file: String,
    /// The attributes that its derives know. `None` if crdgen does not know these.
    dialect: Option<Dialect>,
}

impl Located<'_, '_> {
    /// The place of a key in `#[schema(…)]` on the field that the steps lead to.
    pub(super) fn at_key(&self, field: &[Step], key: &str) -> Option<At> {
        let (open, index) = self.program.field_at(self, field)?;
        let field = fields(&open.item).nth(index)?;
        self.program.world.at(open.number, edit::place_of(&field.attrs, key)?)
    }

    /// The change after which a field is not required any more.
    pub fn not_required(&self, field: &[Step], read: Read<'_>) -> Option<Vec<Change>> {
        let (open, index) = self.program.field_at(self, field)?;
        let field = fields(&open.item).nth(index)?;
        let has_default = |attributes: &[syn::Attribute]| edit::has_key(attributes, "serde", "default");
        let is_optional = is_option(&field.ty) || has_default(&field.attrs) || has_default(&open.item.attrs);
        let [key, other] = ["required", "optional"];
        if matches!(open.dialect, Some(Dialect::Schemars { .. })) {
            // Only serde's attributes make another field optional, and these change how it is read.
            return is_optional
                .then(|| open.changes(read, |text| text.without(&field.attrs, "schemars", key)))
                .flatten();
        }
        if edit::place_of(&field.attrs, key).is_none() {
            let (start, may_add) = (start_of(field)?, open.dialect.is_some());
            return open.changes(read, |text| {
                text.with(&field.attrs, &[(other, Value::Bool(true))], start, may_add)
            });
        }
        open.changes(read, |text| match is_optional {
            true => text.without(&field.attrs, "schema", key),
            false => text.instead_of(&field.attrs, key, other),
        })
    }

    /// The change after which a field has keywords.
    pub fn with_keywords(
        &self,
        field: &[Step],
        keywords: &[(Keyword, Value)],
        read: Read<'_>,
    ) -> Option<Vec<Change>> {
        let (open, index) = self.program.field_at(self, field)?;
        let field = fields(&open.item).nth(index)?;
        let mut keywords = keywords.to_vec();
        keywords.sort_by_key(|(keyword, _)| Keyword::ALL.iter().position(|it| it == keyword));
        let start = start_of(field)?;
        if let Some(Dialect::Schemars { can_extend }) = open.dialect {
            let all: Vec<(&str, Value)> =
                keywords.iter().map(|(it, value)| (it.name(), value.clone())).collect();
            return can_extend
                .then(|| open.changes(read, |text| text.extended(&field.attrs, &all, start)))
                .flatten();
        }
        let keys: Vec<(&str, Value)> =
            keywords.iter().map(|(it, value)| Some((it.key()?, value.clone()))).collect::<Option<_>>()?;
        let may_add = open.dialect.is_some();
        open.changes(read, |text| text.with(&field.attrs, &keys, start, may_add))
    }

    /// The change that writes a keyword instead of the rule whose expression is in a place.
    pub fn instead_of_rule(
        &self,
        at: &At,
        keyword: Keyword,
        value: &Value,
        read: Read<'_>,
    ) -> Option<Vec<Change>> {
        let open = self.program.open(self.program.item_at(at)?)?;
        let literal = at.start.offset..at.end.offset;
        let (all, dialect) = (attributes(&open.item), open.dialect.unwrap_or(Dialect::Crdgen));
        open.changes(read, |text| {
            all.iter().find_map(|own| text.instead_of_rule(dialect, own, &literal, keyword.key()?, value))
        })
    }
}

impl Open {
    fn changes(
        &self,
        read: Read<'_>,
        change: impl FnOnce(&Text<'_>) -> Option<Vec<edit::Change>>,
    ) -> Option<Vec<Change>> {
        let text = read(&self.file)?;
        let changes = change(&Text::new(&text))?.into_iter();
        Some(changes.map(|(bytes, text)| Change { file: self.file.clone(), bytes, text }).collect())
    }
}

impl Program<'_> {
    /// An item of the first crate that no macro generates.
    fn open(&self, number: usize) -> Option<Open> {
        let it = self.world.item(number);
        if it.is_of_macro || !self.world.is_of_first_crate(it.module) {
            return None;
        }
        let At { file, .. } = self.world.at(number, it.input.ident.span())?;
        let dialect = match self.derives_schema_of_crdgen(number) {
            true => Some(Dialect::Crdgen),
            false => self.derives_schema_of_schemars(number).then(|| {
                // Without a package, the version is unknown, and mostly a newer one.
                let version = self.world.version_of(number, "schemars");
                Dialect::Schemars { can_extend: version.is_none_or(|it| !it.starts_with("0.")) }
            }),
        };
        Some(Open { number, item: Rc::clone(&it.input), file, dialect })
    }

    /// The field with a name that the steps lead to: its item, and its number in this.
    fn field_at(&self, of: &Located<'_, '_>, steps: &[Step]) -> Option<(Open, usize)> {
        let [.., Step::Key(properties), Step::Key(name)] = steps else { return None };
        if properties != "properties" {
            return None;
        }
        let at = self.descend(of.root, steps).0?;
        let open = self.open(self.item_at(&at)?)?;
        let lowered = self.lower(open.number);
        let is_here = |field: &syn::Field| {
            let span = field.ident.as_ref().map(syn::Ident::span)?;
            let is_named =
                lowered.places.iter().any(|(own, of)| own == name && of.byte_range() == span.byte_range());
            (is_named && self.world.at(open.number, span).as_ref() == Some(&at)).then_some(())
        };
        let index = fields(&open.item).position(|field| is_here(field).is_some())?;
        Some((open, index))
    }
}

/// The byte at which a field begins behind its attributes.
fn start_of(field: &syn::Field) -> Option<usize> {
    match &field.vis {
        syn::Visibility::Inherited => Some(field.ident.as_ref()?.span().byte_range().start),
        visible => Some(visible.span().byte_range().start),
    }
}

/// The fields of a struct, and of the variants of an enum.
fn fields(item: &syn::DeriveInput) -> impl Iterator<Item = &syn::Field> {
    let (own, variants) = match &item.data {
        syn::Data::Struct(it) => (Some(&it.fields), None),
        syn::Data::Enum(it) => (None, Some(&it.variants)),
        syn::Data::Union(_) => (None, None),
    };
    let of_variants = variants.into_iter().flatten().map(|variant| &variant.fields);
    own.into_iter().chain(of_variants).flat_map(syn::Fields::iter)
}

/// The attributes of an item, and of its fields and variants.
fn attributes(item: &syn::DeriveInput) -> Vec<&[syn::Attribute]> {
    let mut out = vec![item.attrs.as_slice()];
    out.extend(fields(item).map(|field| field.attrs.as_slice()));
    if let syn::Data::Enum(it) = &item.data {
        out.extend(it.variants.iter().map(|variant| variant.attrs.as_slice()));
    }
    out
}
