//! Errors that one item shows by itself. The linker would find them too, but here they are reported at their tokens, by
//! the compiler. Errors that depend on other items are found later.

use super::defaults::OF_SERDE;
use super::{Lower, plain};
use crate::attrs::{Named, NamedBy, Serde};
use crate::diag::codes::schema::{PROPERTIES_AND_MAP, RULE_FIELD_PATH, UNRECOGNIZED_FORMAT};
use crate::facts;
use crate::ir::{Additional, Keyword, Schema, Type};
use crate::nearest::did_you_mean;
use crate::recipe::faults;
use crate::recipe::{
    DefaultValue, Field, Mark, Mistake, Need, Node, Patch, Struct, can_be_read, read_as, type_words, types_of,
};
use crate::value::Map;
use crdgen_rules::server::{FORMAT_HELP, Server, is_supported};
use proc_macro2::Span;
use syn::spanned::Spanned;

/// Types that contain values of their type arguments, and how paths in messages show them.
const HOLDERS: &[(&str, &str)] = &[
    ("Option", ""),
    ("Box", ""),
    ("Rc", ""),
    ("Arc", ""),
    ("Cow", ""),
    ("Cell", ""),
    ("RefCell", ""),
    ("Mutex", ""),
    ("RwLock", ""),
    ("Vec", "[]"),
    ("VecDeque", "[]"),
    ("LinkedList", "[]"),
    ("BinaryHeap", "[]"),
    ("BTreeSet", "[]"),
    ("HashSet", "[]"),
    ("IndexSet", "[]"),
    ("BTreeMap", "{}"),
    ("HashMap", "{}"),
    ("IndexMap", "{}"),
];

impl Lower<'_> {
    pub(super) fn mistake(&mut self, span: Span, Mistake { code, message, help, key: _ }: Mistake) {
        self.report.error(span, code, message, help);
    }

    /// Adds one more step to the paths in messages.
    pub(super) fn at<R>(&mut self, step: &str, inner: impl FnOnce(&mut Self) -> R) -> R {
        let len = self.way.len();
        self.way.push_str(step);
        let out = inner(self);
        self.way.truncate(len);
        out
    }

    /// Reports tuples with parts of different types, and types that contain the item itself. `patch` are the attributes of
    /// the type. If they replace the inside of a list or map, that does not matter.
    pub(super) fn shows(&mut self, ty: &syn::Type, patch: Option<&Patch>) {
        let items = patch.and_then(|patch| patch.items.as_deref());
        match ty {
            syn::Type::Group(it) => self.shows(&it.elem, patch),
            syn::Type::Paren(it) => self.shows(&it.elem, patch),
            syn::Type::Reference(it) => self.shows(&it.elem, patch),
            syn::Type::Array(syn::TypeArray { elem, .. }) | syn::Type::Slice(syn::TypeSlice { elem, .. }) => {
                self.shows_inside("[]", elem, items);
            }
            syn::Type::Tuple(it) => {
                let known: Vec<Schema> = it.elems.iter().filter_map(facts::inside).collect();
                self.tuple(&known, it.span());
                self.at("[]", |l| it.elems.iter().for_each(|part| l.shows(part, None)));
            }
            syn::Type::Path(it) => {
                if it.qself.is_none()
                    && let Some(segment) = it.path.segments.first().filter(|_| it.path.segments.len() == 1)
                    && (segment.ident == self.name || segment.ident == "Self")
                {
                    let mistake = faults::recursive(&plain(&self.name), &self.way);
                    return self.mistake(it.span(), mistake);
                }
                let Some((name, args)) = facts::name_of(ty) else { return };
                if let Some((_, step)) = HOLDERS.iter().find(|(holder, _)| *holder == name)
                    && let Some(inner) = args.last()
                {
                    match *step {
                        "" => self.shows(inner, patch),
                        "[]" => self.shows_inside(step, inner, items),
                        _ => self.shows_inside(step, inner, patch.and_then(|patch| patch.values.as_deref())),
                    }
                }
            }
            // Other types cannot have a schema.
            _ => {}
        }
    }

    fn shows_inside(&mut self, step: &str, ty: &syn::Type, patch: Option<&Patch>) {
        if patch.is_none_or(|patch| !patch.overrides_type) {
            self.at(step, |l| l.shows(ty, patch));
        }
    }

    /// The schema of a recipe, as far as the names of types show it. None if it cannot be determined.
    pub(super) fn known(&self, node: &Node) -> Option<Schema> {
        match node {
            Node::Plain(schema) => Some((**schema).clone()),
            Node::Ref(number) => facts::guess(self.refs.get(*number)?),
            Node::Option(inner) => {
                let mut schema = self.known(inner)?;
                schema.nullable = true;
                Some(schema)
            }
            Node::Patched(inner, patch) => {
                let mut schema = self.known(inner)?;
                if !patch.computed.is_empty() {
                    return None;
                }
                patch.apply(&mut schema, &mut |_| {});
                Some(schema)
            }
            Node::Newtype(_)
            | Node::List(_)
            | Node::Set(_)
            | Node::Array(..)
            | Node::Map(..)
            | Node::Struct(_)
            | Node::Enum(_)
            | Node::Tuple(_)
            | Node::Odd(..)
            | Node::Wrong(..) => None,
        }
    }

    /// The JSON types of a recipe, if it clearly accepts no object.
    fn no_object(&self, node: &Node) -> Option<u8> {
        let schema = self.known(node)?;
        let object = types_of(&Schema::of(Type::Object));
        Some(types_of(&schema)).filter(|is| is & object == 0)
    }

    /// Reports a tuple struct whose parts have different types.
    pub(super) fn parts_differ(&mut self, parts: &[Node], span: Span) {
        let known: Vec<Schema> = parts.iter().filter_map(|part| self.known(part)).collect();
        self.tuple(&known, span);
    }

    fn tuple(&mut self, known: &[Schema], span: Span) {
        if known.windows(2).any(|pair| pair[0] != pair[1]) {
            self.mistake(span, faults::tuple());
        }
    }

    /// Reports a flattened field that is not an object.
    pub(super) fn flattens(&mut self, node: &Node, patch: &Patch, span: Span) {
        if !patch.overrides_type
            && patch.computed.is_empty()
            && let Some(is) = self.no_object(node)
        {
            self.mistake(span, faults::flattened(is));
        }
    }

    /// Warns about a flattened map whose values serde cannot always read. For types of the user, the linker does this.
    pub(super) fn flattens_map(&mut self, ty: &syn::Type) {
        let Some(Schema { additional_properties: Some(Additional::Schema(values)), .. }) = facts::surely(ty)
        else {
            return;
        };
        let is = types_of(&values);
        if !facts::is_option(ty) && is != types_of(&Schema::default()) {
            let Mistake { code, message, help, .. } = faults::flattened_map(is);
            self.report.warning(ty.span(), code, message, help);
        }
    }

    /// Warns about a format that the server does not check on values of the type, as the server does.
    pub(super) fn format_fits(&mut self, node: &Node, patch: &Patch, span: Option<Span>) {
        let format = &patch.set.limits.format;
        if format.is_empty() || self.as_is {
            return;
        }
        let Some(mut schema) = self.known(node) else { return };
        patch.apply(&mut schema, &mut |_| {});
        if schema.ty.is_some() && !is_supported(format, schema.ty.as_ref(), Server::NEWEST) {
            let message = format!("unrecognized format {}", crate::go::quote(format));
            self.report.warning(
                span.unwrap_or_else(Span::call_site),
                &UNRECOGNIZED_FORMAT,
                message,
                FORMAT_HELP,
            );
        }
    }

    /// Reports roles in the CRD that the field's type cannot have. If all types are known, the checks of the CRD do this.
    pub(super) fn marks_fit(&mut self, node: &Node, patch: &Patch, marks: &[(Mark, Span)]) {
        if marks.is_empty() || patch.overrides_type {
            return;
        }
        let Some(mut schema) = self.known(node) else { return };
        patch.apply(&mut schema, &mut |_| {});
        let is = types_of(&schema);
        for (mark, span) in marks {
            let (part, wanted) = match mark {
                Mark::SpecReplicas => ("spec", "replicas"),
                Mark::StatusReplicas => ("status", "replicas"),
                Mark::LabelSelector => ("selector", "selector"),
                Mark::Selectable => {
                    if !matches!(schema.ty, Some(Type::String | Type::Boolean | Type::Integer)) {
                        self.mistake(*span, faults::not_selectable(is));
                    }
                    continue;
                }
                Mark::Column(_) => continue,
            };
            if !can_be_read(&schema, wanted) {
                self.mistake(*span, faults::odd_scale(part, read_as(wanted), is));
            }
        }
    }

    /// Reports a variant whose value is not an object, although the tag must be next to it.
    pub(super) fn tags(&mut self, variant: &str, payload: &Node, container: &Serde, span: Span) {
        if let (Some(tag), None) = (&container.tag, &container.content)
            && let Some(is) = self.no_object(payload)
        {
            self.mistake(span, faults::tagged_scalar(variant, tag, is));
        }
    }

    /// Reports a default that serde gets from the type, if the field's own constraints reject it.
    pub(super) fn default_of_type_matches(
        &mut self,
        field: &syn::Field,
        patch: &Patch,
        default: &DefaultValue,
    ) {
        if let DefaultValue::Value(value) = default {
            self.default_matches(&field.ty, patch, value, field.ty.span(), OF_SERDE);
        }
    }

    /// Reports names in attributes that are not names of the struct's fields.
    pub(super) fn names(&mut self, names: &[Named], it: &Struct, patch: &Patch) {
        let unseen = it.fields.iter().any(|f| f.flatten)
            || patch.overrides_type
            || !patch.computed.is_empty()
            || patch.clear.contains(&Keyword::Properties);
        if names.is_empty() || unseen {
            return;
        }
        let own = it.fields.iter().flat_map(|f| std::iter::once(&f.name).chain(&f.aliases));
        let own = own.map(String::as_str).chain(patch.set.properties.keys());
        let known: Map<()> = own.map(|name| (name, ())).collect();
        let known: Vec<&str> = known.keys().collect();
        for Named { name, by, span } in names {
            let missing = !known.contains(&name.as_str());
            match by {
                NamedBy::Union if missing => {
                    self.mistake(*span, near(faults::no_field(name, &known), name, &known))
                }
                NamedBy::Discriminator if missing || self.no_choice(name, it) => {
                    self.mistake(*span, faults::discriminator(name));
                }
                NamedBy::Override(path) if missing => {
                    self.mistake(*span, near(faults::nothing_at(path), name, &known));
                }
                NamedBy::FieldPath(path) if missing => {
                    let Mistake { message, help, .. } = faults::dead_path(
                        "fieldPath",
                        path,
                        name,
                        &did_you_mean(name, known.iter().copied())
                            .unwrap_or_else(|| format!("expected one of: {}", known.join(", "))),
                    );
                    self.report.error(*span, &RULE_FIELD_PATH, message, help);
                }
                NamedBy::FieldPath(path) if self.ends_at(path, name, it) => {
                    self.report.error(
                        *span,
                        &RULE_FIELD_PATH,
                        format!("fieldPath `{path}` does not exist: `{name}` has no fields"),
                        format!("write field_path = \".{name}\""),
                    );
                }
                NamedBy::Union | NamedBy::Discriminator | NamedBy::Override(_) | NamedBy::FieldPath(_) => {}
            }
        }
    }

    /// Reports attributes of a struct that contradict its fields: properties and `additional_properties` next to them, and
    /// `remove(required)` if serde needs one.
    pub(super) fn fits_fields(&mut self, it: &Struct, patch: &Patch, span: &dyn Fn(&str) -> Span) {
        if self.as_is || patch.as_is {
            return;
        }
        let properties = &patch.set.properties;
        let own = it.fields.iter().filter(|field| !field.flatten);
        if let Some(field) = own.clone().find(|field| properties.contains_key(&field.name)) {
            self.mistake(span("property"), faults::property_of_field(&field.name));
        }
        if patch.set.additional_properties.is_some() && own.clone().next().is_some() {
            self.report.error(
                span("additional_properties"),
                &PROPERTIES_AND_MAP,
                "a schema cannot have both fields and `additional_properties`",
                "remove `additional_properties`: the server drops unknown fields anyway. To keep them, write \
                 `preserve_unknown_fields`",
            );
        }
        let is_needed = |field: &&Field| {
            let Node::Ref(number) = &field.node else { return false };
            let Some(ty) = self.refs.get(*number) else { return false };
            field.need == Need::Auto
                && facts::surely(ty).is_some()
                && !facts::is_option(ty)
                && !patch.set.limits.required.contains(&field.name)
        };
        if patch.clear.contains(&Keyword::Required)
            && let Some(field) = own.clone().find(is_needed)
        {
            self.mistake(span("remove"), faults::not_required(&field.name));
        }
    }

    /// Reports overrides of properties, if the type clearly has none.
    pub(super) fn overrides(&mut self, schema: &Schema, names: &[Named]) {
        let none = match &schema.ty {
            Some(Type::Array | Type::String | Type::Integer | Type::Number | Type::Boolean) => true,
            Some(Type::Object | Type::Other(_)) | None => false,
        };
        for Named { by, span, .. } in names.iter().filter(|_| none) {
            if let NamedBy::Override(path) = by {
                self.mistake(*span, faults::nothing_at(path));
            }
        }
    }

    /// Whether a path leads into a field that clearly has no fields.
    fn ends_at(&self, path: &str, name: &str, it: &Struct) -> bool {
        let rest = path.strip_prefix('.').and_then(|rest| rest.strip_prefix(name));
        let is = |field: &&Field| field.name == name && field.patch == Patch::default();
        let Some(Node::Ref(number)) = it.fields.iter().find(is).map(|field| &field.node) else {
            return false;
        };
        let schema = self.refs.get(*number).and_then(facts::surely);
        let is_scalar = schema.is_some_and(|schema| {
            matches!(schema.ty, Some(Type::String | Type::Integer | Type::Number | Type::Boolean))
        });
        is_scalar && rest.is_some_and(|rest| !rest.is_empty())
    }

    /// Whether a field is clearly not an enum.
    fn no_choice(&self, name: &str, it: &Struct) -> bool {
        let is = |field: &&Field| field.name == name && field.patch.computed.is_empty();
        let Some(field) = it.fields.iter().find(is) else { return false };
        let Some(mut schema) = self.known(&field.node) else { return false };
        field.patch.apply(&mut schema, &mut |_| {});
        schema.limits.enumeration.is_empty()
    }
}

/// Adds the name that was probably meant.
fn near(mistake: Mistake, name: &str, known: &[&str]) -> Mistake {
    match did_you_mean(name, known.iter().copied()) {
        Some(help) => mistake.help(help),
        None => mistake,
    }
}

/// Reports a type of a spec or status that is clearly not an object.
pub(crate) fn no_object(field: &str, ty: &syn::Type) -> Option<Mistake> {
    let schema = facts::guess(ty)?;
    let words = type_words(types_of(&schema) & types_of(&Schema::of(Type::Object)));
    words.is_empty().then(|| faults::no_object(field, types_of(&schema)))
}
