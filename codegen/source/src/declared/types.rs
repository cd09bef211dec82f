//! Types as serde reads and writes them.

use super::super::types::{Id, Instance, Scope};
use super::{Builder, Code, Enum, Field, Shape, Skip, Struct, Tagging, Type, TypeId, Variant};
use crate::value::Value;
use crdgen_rust::attrs::{self, SerDefault, Serde, place};
use crdgen_rust::convert::serde_of;
use crdgen_rust::lower::{cfg_enabled, plain};
use crdgen_rust::names::Case;
use syn::spanned::Spanned;

impl Builder<'_, '_> {
    /// The number of a type. A new type is read.
    pub(super) fn ty(&mut self, id: Id) -> TypeId {
        if let Some(number) = self.numbers.get(&id) {
            return *number;
        }
        if let Instance::Known(path, parts) = self.program.value_instance(id)
            && is_wrapper(path)
            && let [inner] = parts.as_slice()
        {
            let number = self.ty(*inner);
            self.numbers.insert(id, number);
            return number;
        }
        // The number is needed first, because the type may contain itself.
        let number = self.add(Type::Any);
        self.numbers.insert(id, number);
        let ty = self.read(id);
        if let Some(slot) = self.out.types.get_mut(number) {
            *slot = ty;
        }
        if let Instance::Item(item, _) = self.program.instance(id) {
            self.conversion(item, id);
        }
        number
    }

    fn read(&mut self, id: Id) -> Type {
        match self.program.instance(id) {
            Instance::Item(item, _) => self.item(id, item),
            Instance::Known(path, parts) => self.known(path, &parts),
            Instance::Tuple(parts) if parts.is_empty() => Type::Unit,
            Instance::Tuple(parts) => Type::Tuple(parts.into_iter().map(|part| self.ty(part)).collect()),
            Instance::Array(item, _) | Instance::Slice(item) => Type::List(self.ty(item)),
            // Values of these types are not read, so they are kept exactly as the server stores them.
            Instance::Kubernetes(_) => Type::Any,
            Instance::BySchemars(inner) => self.read(inner),
            Instance::Written(_) | Instance::Root(_) | Instance::Unknown => Type::Any,
        }
    }

    fn known(&mut self, path: &str, parts: &[Id]) -> Type {
        let last = path.rsplit("::").next().unwrap_or(path);
        let of = |builder: &mut Self, at: usize| parts.get(at).map(|id| builder.ty(*id));
        match (path, last) {
            ("bool", _) => Type::Bool,
            ("f32", _) => Type::Float { single: true },
            ("f64", _) => Type::Float { single: false },
            ("i8", _) => Type::Int(i8::MIN.into(), i8::MAX.into()),
            ("i16", _) => Type::Int(i16::MIN.into(), i16::MAX.into()),
            ("i32", _) => Type::Int(i32::MIN.into(), i32::MAX.into()),
            ("u8", _) => Type::Int(0, u8::MAX.into()),
            ("u16", _) => Type::Int(0, u16::MAX.into()),
            ("u32", _) => Type::Int(0, u32::MAX.into()),
            ("i64" | "isize", _) => Type::Int(i64::MIN, i64::MAX),
            ("str" | "char" | "std::string::String" | "std::path::PathBuf" | "std::path::Path", _) => {
                Type::Text
            }
            ("std::marker::PhantomData", _) => Type::Unit,
            (_, "Option") => of(self, 0).map_or(Type::Any, Type::Option),
            (_, "Vec" | "VecDeque" | "LinkedList" | "SmallVec") => of(self, 0).map_or(Type::Any, Type::List),
            (_, "BTreeSet") => of(self, 0).map_or(Type::Any, Type::Set),
            (_, "BTreeMap" | "HashMap" | "IndexMap") => of(self, 1).map_or(Type::Any, Type::Map),
            // Text, quantities, any JSON: serde reads and writes the same value.
            _ => Type::Any,
        }
    }

    fn item(&mut self, id: Id, item: usize) -> Type {
        let (input, cfg) = {
            let world = &self.program.world;
            (world.item(item).input.clone(), world.cfg_of(item))
        };
        let Some(scope) = self.program.scope(id) else { return Type::Any };
        let enabled = |tokens: &proc_macro2::TokenStream| cfg.enabled(tokens);
        let serde = serde_of(&input.attrs, place::TYPE, &enabled);
        let by_code = serde.into.as_ref().or(serde.from.as_ref()).map(|(ty, _)| ty.span());
        if let Some(span) = by_code.or(serde.remote.then(|| input.ident.span())) {
            let text = format!("how serde reads and writes `{}`", plain(&input.ident));
            return Type::Code(self.code(&text, span, item));
        }
        let mut reader = Reader { builder: self, scope: &scope, item, enabled: &enabled };
        match &input.data {
            syn::Data::Struct(data) => {
                let mut out = reader.content(&data.fields, serde.rename_all);
                if serde.transparent {
                    out.shape = Shape::Newtype;
                    out.fields.retain(|field| field.is_read && field.is_written);
                }
                out.default = serde.default.as_ref().map(|default| {
                    let path = if let SerDefault::Path(path) = default { Some(path) } else { None };
                    self.default(path, id, &scope, item)
                });
                Type::Struct(out)
            }
            syn::Data::Enum(data) => {
                let enabled_variant = |variant: &&syn::Variant| cfg_enabled(&variant.attrs, &enabled);
                let variants = data.variants.iter().filter(enabled_variant);
                let variants = variants.filter_map(|variant| reader.variant(variant, &serde)).collect();
                let tagging = match (serde.untagged, serde.tag, serde.content) {
                    (true, ..) => Tagging::Untagged,
                    (_, Some(tag), Some(content)) => Tagging::Adjacent(tag, content),
                    (_, Some(tag), None) => Tagging::Internal(tag),
                    (_, None, _) => Tagging::External,
                };
                Type::Enum(Enum { tagging, variants })
            }
            syn::Data::Union(_) => Type::Any,
        }
    }
}

/// Whether serde reads and writes a wrapper as the type inside.
fn is_wrapper(path: &str) -> bool {
    matches!(
        path,
        "std::boxed::Box" | "std::rc::Rc" | "std::sync::Arc" | "std::borrow::Cow" | "std::cell::RefCell"
    )
}

struct Reader<'a, 'p, 's> {
    builder: &'a mut Builder<'p, 's>,
    scope: &'a Scope,
    item: usize,
    enabled: &'a dyn Fn(&proc_macro2::TokenStream) -> bool,
}

impl Reader<'_, '_, '_> {
    fn variant(&mut self, variant: &syn::Variant, around: &Serde) -> Option<Variant> {
        let serde = serde_of(&variant.attrs, place::VARIANT, self.enabled);
        let name = plain(&variant.ident);
        let content = self.content(&variant.fields, serde.rename_all.or(around.rename_all_fields));
        if serde.skip_serializing && serde.skip_deserializing {
            return None;
        }
        Some(Variant {
            name: serde.rename.unwrap_or_else(|| {
                around.rename_all.map_or_else(|| name.clone(), |case| case.variant(&name))
            }),
            member: name,
            aliases: serde.aliases,
            other: serde.other,
            content,
        })
    }

    fn content(&mut self, fields: &syn::Fields, case: Option<Case>) -> Struct {
        let all: Vec<Field> = fields
            .iter()
            .filter(|field| cfg_enabled(&field.attrs, self.enabled))
            .enumerate()
            .map(|(index, field)| self.field(index, field, case))
            .collect();
        let shape = match (fields, all.len()) {
            (syn::Fields::Named(_), _) => Shape::Named,
            (syn::Fields::Unnamed(_), 1) => Shape::Newtype,
            (syn::Fields::Unnamed(_), _) => Shape::Tuple,
            (syn::Fields::Unit, _) => Shape::Unit,
        };
        Struct { shape, fields: all, default: None }
    }

    /// The type of a field. If attributes give the field's schema, or leave it out, the type needs none.
    fn type_of(&mut self, field: &syn::Field) -> Id {
        let program = self.builder.program;
        let attrs = attrs::peek(&field.attrs, place::FIELD, self.enabled);
        match attrs.replaces_schema() {
            true => program.type_without_schema(&field.ty, self.scope),
            false => program.type_of(&field.ty, self.scope),
        }
    }

    fn field(&mut self, index: usize, field: &syn::Field, case: Option<Case>) -> Field {
        let serde = serde_of(&field.attrs, place::FIELD, self.enabled);
        let member = field.ident.as_ref().map_or_else(|| index.to_string(), plain);
        let id = self.type_of(field);
        let code = serde.serialize_with.as_ref().or(serde.deserialize_with.as_ref());
        let differs = serde.split.as_ref().map(|(_, _, span)| *span);
        let ty = match code.map(|(path, _)| path.span()).or(differs) {
            Some(span) => {
                let text = format!("how serde reads and writes `{member}`");
                let code = self.builder.code(&text, span, self.item);
                self.builder.add(Type::Code(code))
            }
            None => self.builder.ty(id),
        };
        let default = serde.default.as_ref().map(|default| {
            let path = if let SerDefault::Path(path) = default { Some(path) } else { None };
            self.builder.default(path, id, self.scope, self.item)
        });
        // serde sets a field that it does not read to its default.
        let default = default.or_else(|| {
            serde.skip_deserializing.then(|| self.builder.default(None, id, self.scope, self.item))
        });
        let skip = match &serde.skip_if {
            None => Ok(Skip::Always(false)),
            Some(path) => {
                let skip = self.builder.program.skip_of(path, id, self.scope);
                skip.map_err(|_| self.builder.function(path, self.item))
            }
        };
        Field {
            name: serde
                .rename
                .unwrap_or_else(|| case.map_or_else(|| member.clone(), |case| case.field(&member))),
            member,
            aliases: serde.aliases,
            ty,
            default: default as Option<Result<Value, Code>>,
            skip,
            flatten: serde.flatten,
            is_read: !serde.skip_deserializing,
            is_written: !serde.skip_serializing,
        }
    }
}
