//! `#[schema(…)]`: crdgen's own attribute, which can express everything that a structural schema can.

use super::meta::{Arg, Meta};
use super::place::{ALL, FIELD, KEYS as IN_KEYS, NESTED, ROOT, TYPES, VARIANT};
use super::values::Number;
use super::{Key, Named, NamedBy, Reader, Test};
use crate::diag::codes::rust as codes;
use crate::ir::{Column, ExternalDocs, Keyword, Schema, Type};
use crate::recipe::{Key as Step, Mark, Metadata, Need, Once, Union, UnionMode};
use crate::structure::not_structural;
use crate::value::Value;
use crate::written::find;

const TYPE_NAMES: &[&str] = &["object", "array", "string", "integer", "number", "boolean"];

/// `remove(…)` has the same name as `values(…)` for the schema of a map's values.
const VALUES: &str = "values";

/// The keyword that a part of `remove(…)` names, by crdgen's name or as it is written in a CRD.
fn removable(name: &str) -> Option<Keyword> {
    if name == VALUES {
        return Some(Keyword::AdditionalProperties);
    }
    Keyword::of_key(name).or_else(|| Keyword::of(name)).filter(|keyword| keyword.key().is_some())
}

/// All names that `remove(…)` accepts.
fn all_removable() -> Vec<&'static str> {
    Keyword::ALL.iter().filter_map(|keyword| keyword.key()).chain([VALUES]).collect()
}

pub(super) static KEYS: &[Key] = keys! {
    ALL, false "title", "= \"…\"", "The title.", |r, m| {
        if let Some(t) = r.text(m) { r.attrs.patch.set.title = t; }
    };
    ALL, false "description", "= \"…\"", "The description. By default it is the documentation comment.", |r, m| {
        if let Some(t) = r.text(m) {
            if t.is_empty() { r.attrs.patch.clear.push(Keyword::Description); }
            r.attrs.patch.set.description = t;
        }
    };
    ALL, false "default", "= JSON", "The value that the server sets when the field is missing.", |r, m| {
        if let Some(v) = r.json(m) { r.attrs.default = Some((v, m.value_span())); }
    };
    ALL, false "example", "= JSON", "An example value.", |r, m| {
        if let Some(v) = r.json(m) { r.attrs.patch.set.example = Some(v); }
    };
    ALL, false "nullable", "", "Allows `null`. With `= false`, an `Option` does not allow it.", |r, m| match r.flag(m) {
        Some(true) => r.attrs.patch.set.nullable = true,
        Some(false) => r.attrs.patch.clear.push(Keyword::Nullable),
        None => {}
    };
    ALL, false "ty", "= \"string\"", "The type in the schema. It replaces everything that the Rust type would add.", |r, m| {
        let Some(t) = r.text(m) else { return };
        if !TYPE_NAMES.contains(&t.as_str()) {
            let help = super::did_you_mean_text(&t, TYPE_NAMES.iter().copied())
            .unwrap_or_else(|| format!("expected one of: {}", TYPE_NAMES.join(", ")));
            r.report.error(m.value_span(), &codes::VALUE, format!("`{t}` is not a type for schemas"), help);
        }
        r.attrs.patch.set.ty = Some(Type::new(&t));
        r.attrs.patch.overrides_type = true;
    };
    ALL, false "format", "= \"…\"", "The format of a string or number, such as `date-time`.", |r, m| {
        if let Some(t) = r.text(m) { r.format(&t, m); }
    };
    ALL, false "external_docs", "(url = \"…\", description = \"…\")", "A link to more documentation.", |r, m| {
        let mut docs = ExternalDocs::default();
        for part in r.parts(m).unwrap_or_default() {
            match part.key.as_str() {
                "url" => docs.url = r.text(&part).unwrap_or_default(),
                "description" => docs.description = r.text(&part).unwrap_or_default(),
                _ => r.unknown_part(&part, "external_docs", &["url", "description"]),
            }
        }
        r.attrs.patch.set.external_docs = Some(docs);
    };
    ALL, false "minimum", "= n", "The lower bound of a number.", |r, m| { let n = r.number(m); r.set_number("minimum", n); };
    ALL, false "maximum", "= n", "The upper bound of a number.", |r, m| { let n = r.number(m); r.set_number("maximum", n); };
    ALL, false "exclusive_minimum", "= n", "Exclusive lower bound. Without a value it makes `minimum` exclusive.", |r, m| exclusive(r, m, End::Minimum);
    ALL, false "exclusive_maximum", "= n", "Exclusive upper bound. Without a value it makes `maximum` exclusive.", |r, m| exclusive(r, m, End::Maximum);
    ALL, false "multiple_of", "= n", "Numbers must be a multiple of this.", |r, m| {
        let n = r.number(m);
        if let Some(Number::Is(f)) = n && f <= 0.0 && !r.as_is {
            r.report.error(m.value_span(), &codes::VALUE, "multiple_of must be greater than 0", "");
        }
        r.set_number("multipleOf", n);
    };
    ALL | IN_KEYS, false "min_length", "= n", "The minimum number of characters.", |r, m| { let n = r.count(m); r.set_number("minLength", n); };
    ALL | IN_KEYS, false "max_length", "= n", "The maximum number of characters.", |r, m| { let n = r.count(m); r.set_number("maxLength", n); };
    ALL, false "min_items", "= n", "The minimum length of a list.", |r, m| { let n = r.count(m); r.set_number("minItems", n); };
    ALL, false "max_items", "= n", "The maximum length of a list.", |r, m| { let n = r.count(m); r.set_number("maxItems", n); };
    ALL, false "min_properties", "= n", "The minimum number of entries in a map or fields in an object.", |r, m| { let n = r.count(m); r.set_number("minProperties", n); };
    ALL, false "max_properties", "= n", "The maximum number of entries in a map or fields in an object.", |r, m| { let n = r.count(m); r.set_number("maxProperties", n); };
    ALL | IN_KEYS, false "length", "(min = n, max = n)", "Bounds for the length of a string, list or map.", |r, m| r.length(m, &[]);
    ALL, false "range", "(min = n, max = n)", "Bounds for a number.", |r, m| r.range(m);
    ALL, false "unique_items", "", "Not available: the server forbids `uniqueItems: true`. Use `list_type = \"set\"`.", |r, m| {
        if r.flag(m) == Some(true) {
            r.report.error(m.span, &codes::VALUE, "the server forbids uniqueItems: the check would take quadratic time", "write list_type = \"set\" instead");
        }
    };
    ALL | IN_KEYS, false "one_of_values", "= [JSON, …]", "The allowed values (`enum`).", |r, m| match r.json(m) {
        Some(Value::List(values)) if !values.is_empty() => r.attrs.patch.set.limits.enumeration = values,
        Some(Value::List(_)) => r.bad(m.value_span(), "no value would be allowed", "list the allowed values: one_of_values = [\"a\", \"b\"]"),
        Some(_) => r.bad(m.value_span(), "`one_of_values` must be a list", "write one_of_values = [\"a\", \"b\"]"),
        None => {}
    };
    ALL, false "all_of", "= [SCHEMA, …]", "The value must match all of these schemas.", |r, m| { let s = r.schemas(m); r.attrs.patch.set.limits.all_of.extend(s); };
    ALL, false "any_of", "= [SCHEMA, …]", "The value must match at least one of these schemas.", |r, m| r.attrs.patch.set.limits.any_of = r.schemas(m);
    ALL, false "one_of", "= [SCHEMA, …]", "The value must match exactly one of these schemas.", |r, m| r.attrs.patch.set.limits.one_of = r.schemas(m);
    ALL, false "not", "= SCHEMA", "The value must not match this schema.", |r, m| r.attrs.patch.set.limits.not = r.schema(m).map(Box::new);
    ALL, false "preserve_unknown_fields", "", "The server keeps fields that are not in the schema.", |r, m| {
        match r.flag(m) {
            Some(true) => r.attrs.patch.set.ext.preserve_unknown_fields = Some(true),
            Some(false) => r.attrs.patch.clear.push(Keyword::PreserveUnknownFields),
            None => {}
        }
    };
    ALL, false "embedded_resource", "", "The object is a complete Kubernetes resource, with `apiVersion`, `kind` and `metadata`.", |r, m| {
        r.attrs.patch.set.ext.embedded_resource = r.flag(m) == Some(true);
    };
    ALL, false "int_or_string", "", "An integer or a string.", |r, m| {
        r.attrs.patch.set.ext.int_or_string = r.flag(m) == Some(true);
    };
    ALL, false "list_type", "= \"set\"", "How server-side apply merges a list: `atomic`, `set` or `map`.", |r, m| {
        choice(r, m, &["atomic", "set", "map"], |r, t| r.attrs.patch.set.ext.list_type = Some(t));
    };
    ALL, false "list_map_keys", "= [\"name\"]", "The fields that identify an item of a list with `list_type = \"map\"`.", |r, m| {
        match r.texts(m) {
            Some(keys) if keys.is_empty() => r.bad(m.value_span(), "`list_map_keys` needs at least one field", "write the fields that identify an item: list_map_keys = [\"name\"]"),
            Some(keys) => r.attrs.patch.set.ext.list_map_keys = keys,
            None => {}
        }
    };
    FIELD | VARIANT | TYPES, false "metadata", "= \"subset\"", "Which metadata the server keeps of embedded objects: `preserve` (everything, unchecked), `subset` (name, namespace, labels, annotations, finalizers), `settable` (everything that users may set) or `full`. The default is `settable` for kinds that derive `crdgen::kube::CustomResource`. For other kinds the schema is a bare object, as controller-gen writes it, and the server keeps no metadata.", |r, m| {
        choice(r, m, &["preserve", "subset", "settable", "full"], |r, t| {
            r.attrs.patch.metadata = Some(match t.as_str() {
                "preserve" => Metadata::Preserve,
                "subset" => Metadata::Subset,
                "settable" => Metadata::Settable,
                _ => Metadata::Full,
            });
        });
    };
    ALL, false "map_type", "= \"atomic\"", "How server-side apply merges an object: `granular` or `atomic`.", |r, m| {
        choice(r, m, &["granular", "atomic"], |r, t| r.attrs.patch.set.ext.map_type = Some(t));
    };
    ALL, false "items", "(…)", "Attributes for the items of a list.", |r, m| {
        if let Some(p) = r.nested("schema", KEYS, NESTED, m) { r.attrs.patch.items = Some(Box::new(p)); }
    };
    ALL, false "values", "(…)", "Attributes for the values of a map.", |r, m| {
        if let Some(p) = r.nested("schema", KEYS, NESTED, m) { r.attrs.patch.values = Some(Box::new(p)); }
    };
    ALL, false "keys", "(…)", "Constraints on the keys of a map: length, pattern, allowed values, rules. The constraints of the key type apply without it, except in maps inside lists and other maps.", |r, m| {
        if let Some(p) = r.nested("schema", KEYS, IN_KEYS, m) { r.attrs.patch.keys = Some(Box::new(p)); }
    };
    IN_KEYS, false "pattern", "= \"…\"", "The regular expression that keys must match.", |r, m| if let Some(t) = r.text(m) { r.pattern(t, m) };
    ALL, false "remove", "(key, …)", "Removes keywords that the type adds.", |r, m| {
        for part in r.parts(m).unwrap_or_default() {
            match removable(&part.key) {
                Some(keyword) => r.attrs.patch.clear.push(keyword),
                None => r.unknown_part(&part, "remove", &all_removable()),
            }
        }
    };
    FIELD | VARIANT | TYPES | NESTED, false "opaque", "", "Any object. The server keeps its content and does not check it.", |r, m| {
        if r.flag(m) == Some(true) { r.attrs.opaque = Some(m.span); }
    };
    FIELD | VARIANT | TYPES | NESTED, false "raw", "= SCHEMA", "The complete schema, as it appears in the CRD.", |r, m| {
        if let Some(s) = r.schema(m) { r.attrs.raw = Some((s, m.value_span())); }
    };
    FIELD | VARIANT | TYPES, false "as", "= \"Type\"", "Uses the schema of another type.", |r, m| {
        if let Some(t) = r.parsed(m, "Vec<String>") { r.attrs.as_type = Some((t, m.value_span())); }
    };
    FIELD | VARIANT | TYPES, false "with", "= path", "Uses the schema that a function returns: `fn() -> crdgen::ir::Schema`.", |r, m| {
        if let Some(p) = r.path(m) { r.attrs.with = Some((p, m.value_span())); }
    };
    FIELD, false "required", "", "Makes the field required, even if it is an `Option` or has a default in Rust. With `= [\"a\"]`, the object in the field must have these fields.", |r, m| {
        match &m.arg {
            Arg::Value(tokens) if matches!(tokens.json(), Ok(Value::List(_))) => {
                if let Some(names) = r.texts(m) { r.attrs.patch.set.limits.required = names; }
            }
            Arg::Flag | Arg::Value(_) | Arg::List(_) => need(r, m, Need::Required),
        }
    };
    TYPES | VARIANT | NESTED, false "required", "= [\"a\"]", "Additional required fields.", |r, m| {
        if let Some(names) = r.texts(m) { r.attrs.patch.set.limits.required = names; }
    };
    FIELD, false "optional", "", "Makes the field optional.", |r, m| need(r, m, Need::Optional);
    TYPES | VARIANT, false "discriminator", "= \"type\"", "The field whose value names the one other field that is set.", |r, m| {
        if let Some(t) = r.text(m) {
            r.attrs.names.push(Named { name: t.clone(), by: NamedBy::Discriminator, span: m.value_span() });
            r.attrs.discriminator = Some((t, m.value_span()));
        }
    };
    FIELD, false "immutable", "", "The field cannot change after creation. With `= \"once\"`, it can be set later, but only once.", |r, m| match &m.arg {
        Arg::Flag => r.attrs.once = Once::Immutable,
        Arg::Value(tokens) if tokens.text().is_none() => r.form(m, "immutable or immutable = \"once\""),
        Arg::Value(_) => choice(r, m, &["once"], |r, _| r.attrs.once = Once::Once),
        Arg::List(_) => r.form(m, "immutable or immutable = \"once\""),
    };
    FIELD, false "selectable", "", "Allows the field in field selectors.", |r, m| if r.flag(m) == Some(true) { mark(r, m, Mark::Selectable) };
    FIELD, false "scale", "(spec)", "Uses the field in the scale subresource, as its `spec`, `status` or `selector`.", |r, m| {
        for part in r.parts(m).unwrap_or_default() {
            match part.key.as_str() {
                "spec" => mark(r, &part, Mark::SpecReplicas),
                "status" => mark(r, &part, Mark::StatusReplicas),
                "selector" => mark(r, &part, Mark::LabelSelector),
                _ => r.unknown_part(&part, "scale", &["spec", "status", "selector"]),
            }
        }
    };
    ROOT, false "status_as", "= \"Type\"", "Uses the schema of this type for the status, such as `crdgen::Schemars<Type>` for a type of another crate.", |r, m| {
        r.kube().status_as = r.parsed(m, "KindStatus");
    };
    ROOT, false "metadata_name", "(pattern = \"…\", …)", "Constraints on `metadata.name`.", |r, m| {
        if let Some(p) = r.nested("schema", KEYS, NESTED, m) { r.kube().root.metadata_name = Some(name_schema(p)); }
    };
    ROOT, false "metadata_generate_name", "(pattern = \"…\", …)", "Constraints on `metadata.generateName`.", |r, m| {
        if let Some(p) = r.nested("schema", KEYS, NESTED, m) { r.kube().root.metadata_generate_name = Some(name_schema(p)); }
    };
    FIELD | VARIANT, false "skip", "", "Leaves it out of the schema, although serde reads and writes it.", |r, m| r.attrs.skip = r.flag(m) == Some(true);
    TYPES, false "as_is", "", "Accepts keywords that do not apply to the type, because the server accepts them too. Must be the first key.", |r, m| {
        r.attrs.as_is = r.flag(m) == Some(true);
        r.as_is |= r.attrs.as_is;
    };
    TYPES, false "markdown", "", "Reads documentation comments as the Markdown that `crdgen import` writes, and turns them back into the original descriptions.", |r, m| {
        r.attrs.markdown = r.flag(m) == Some(true);
    };
    ALL, false "additional_properties", "= true", "The schema keyword `additionalProperties` with a boolean.", |r, m| {
        if let Some(allowed) = r.flag(m) {
            r.attrs.patch.set.additional_properties = Some(crate::ir::Additional::Allow(allowed));
        }
    };
    TYPES | NESTED, false "type_meta", "= \"go\"", "Adds `apiVersion`, `kind` and `metadata`, with the descriptions that controller-gen and similar tools write.", |r, m| {
        let Some(form) = r.text(m) else { return };
        match crate::syntax::type_meta::find(&form) {
            Some(all) => all.into_iter().for_each(|(name, schema)| {
                r.attrs.patch.set.properties.insert(name, schema);
            }),
            None => r.bad(m.value_span(), "unknown form", format!("expected one of: {}", crate::syntax::type_meta::FORMS.join(", "))),
        }
    };
    ROOT, false "root", "(…)", "Attributes for the whole object, which contains spec and status.", |r, m| {
        if let Some(p) = r.nested("schema", KEYS, NESTED, m) { r.kube().root.patch = p; }
    };
    TYPES, false "test", "= false", "Generates no test. Needed for types inside functions, where a test cannot run. With `= \"deny_warnings\"`, the test also fails for warnings.", |r, m| match &m.arg {
        Arg::Value(tokens) if tokens.text().is_some() => choice(r, m, &["deny_warnings"], |r, _| r.attrs.test = Test::DenyWarnings),
        Arg::Value(_) | Arg::Flag | Arg::List(_) => if r.flag(m) == Some(false) { r.attrs.test = Test::Off },
    };
    TYPES, false "bound", "= \"T: Schema\"", "Bounds for the type parameters, instead of those that crdgen infers from the fields.", super::schemars::bound;
    TYPES, false "crate", "= \"path\"", "The path at which crdgen is re-exported.", |r, m| r.attrs.krate = r.path(m);
    TYPES, false "schemars", "", "Also implements `schemars::JsonSchema`. Needs the feature `schemars`. With `= false`, derives named `JsonSchema` and `KubeSchema` do not implement it.", |r, m| r.attrs.schemars = r.flag(m);
    ALL, false "pattern", "= \"^[a-z]+$\"", "The regular expression (RE2) that some part of a string must match. Anchor it with `^` and `$` to match the whole string.", |r, m| r.pattern_of(m);
    ALL | IN_KEYS, true "rule", "(rule = \"…\", message = \"…\", message_expression = \"…\", reason = \"…\", field_path = \"…\", optional_old_self)", "A CEL rule. The short form is `rule = \"…\"`.", |r, m| {
        if let Some(rule) = r.rule(m) {
            r.attrs.patch.set.rules.push(rule);
        }
    };
    FIELD | TYPES, true "allow", "(CODE, reason = \"…\")", "Hides the warning with this code about the type or field, and about everything in it. On a kind, about the whole CRD. Errors cannot be hidden. The code of a class of changes, such as CHG002, hides them from `crdgen diff`.", |r, m| {
        if let Some(allow) = r.allow(m) {
            r.attrs.patch.allow.push(allow);
        }
    };
    ALL, true "override", "(\".a.b[].c\", …)", "Attributes for a place inside a type of another crate. In the path, `.name` is a field, `[]` the items of a list and `{}` the values of a map.", override_at;
    TYPES | VARIANT | FIELD | NESTED, true "property", "(\"name\", SCHEMA)", "Adds a property that has no Rust field.", property;
    TYPES | VARIANT | FIELD | NESTED, true "exactly_one_of", "= [\"a\", \"b\"]", "Exactly one of these fields must be set.", |r, m| union(r, m, UnionMode::ExactlyOne);
    TYPES | VARIANT | FIELD | NESTED, true "at_most_one_of", "= [\"a\", \"b\"]", "At most one of these fields may be set.", |r, m| union(r, m, UnionMode::AtMostOne);
    TYPES | VARIANT | FIELD | NESTED, true "at_least_one_of", "= [\"a\", \"b\"]", "At least one of these fields must be set.", |r, m| union(r, m, UnionMode::AtLeastOne);
    FIELD, true "column", "(name = \"…\", type_ = \"…\", format = \"…\", description = \"…\", priority = 0)", "Shows the field as a column in `kubectl get`. Type and path come from the field.", column;
};

/// An end of a range.
#[derive(Clone, Copy)]
enum End {
    Minimum,
    Maximum,
}

fn exclusive(r: &mut Reader<'_>, m: &Meta, end: End) {
    let number = match &m.arg {
        Arg::Flag => None,
        Arg::Value(tokens) => match tokens.json() {
            Ok(Value::Bool(false)) => return,
            Ok(Value::Bool(true)) => None,
            _ => r.number(m),
        },
        Arg::List(_) => return r.form(m, &format!("{} = 1", m.key)),
    };
    let key = match end {
        End::Minimum => "minimum",
        End::Maximum => "maximum",
    };
    r.set_number(key, number);
    let limits = &mut r.attrs.patch.set.limits;
    match end {
        End::Minimum => limits.exclusive_minimum = true,
        End::Maximum => limits.exclusive_maximum = true,
    }
}

pub(super) fn choice(r: &mut Reader<'_>, m: &Meta, of: &[&str], set: impl FnOnce(&mut Reader<'_>, String)) {
    let Some(text) = r.text(m) else { return };
    if of.contains(&text.as_str()) {
        return set(r, text);
    }
    let help = super::did_you_mean_text(&text, of.iter().copied()).unwrap_or_else(|| match of {
        [only] => format!("write {} = \"{only}\"", m.key),
        _ => format!("expected one of: {}", of.join(", ")),
    });
    r.report.error(m.value_span(), &codes::VALUE, format!("`{text}` is not a value of `{}`", m.key), help);
}

fn need(r: &mut Reader<'_>, m: &Meta, need: Need) {
    match r.flag(m) {
        Some(true) if r.attrs.need.is_some_and(|n| n != need) => {
            r.report.error(
                m.span,
                &codes::CONTRADICTION,
                "a field cannot be both required and optional",
                "keep one of the two",
            );
        }
        Some(true) => r.attrs.need = Some(need),
        Some(false) => {
            r.attrs.need = Some(if need == Need::Required { Need::Optional } else { Need::Required })
        }
        None => {}
    }
}

fn mark(r: &mut Reader<'_>, m: &Meta, mark: Mark) {
    r.attrs.marks.push((mark, m.span));
}

fn name_schema(patch: crate::recipe::Patch) -> Schema {
    let mut schema = Schema::of(Type::String);
    patch.apply(&mut schema, &mut |_| {});
    schema
}

fn union(r: &mut Reader<'_>, m: &Meta, mode: UnionMode) {
    let Some(fields) = r.texts(m) else { return };
    if fields.len() < 2 {
        r.bad(
            m.value_span(),
            format!("`{}` needs at least two fields", m.key),
            format!("write {} = [\"a\", \"b\"], with the names of the fields in the document", m.key),
        );
        return;
    }
    if let Some(twice) = fields.iter().enumerate().find(|(i, f)| fields[..*i].contains(f)) {
        r.report.error(
            m.value_span(),
            &codes::VALUE,
            format!("`{}` is listed twice", twice.1),
            "remove one of them",
        );
        return;
    }
    for name in &fields {
        let span = match &m.arg {
            Arg::Value(tokens) => find(&tokens.stream(), name).map(|literal| literal.span()),
            Arg::Flag | Arg::List(_) => None,
        };
        let span = span.unwrap_or_else(|| m.value_span());
        r.attrs.names.push(Named { name: name.clone(), by: NamedBy::Union, span });
    }
    r.attrs.patch.unions.push(Union { mode, fields });
}

fn column(r: &mut Reader<'_>, m: &Meta) {
    const KEYS: &[&str] = &["name", "type_", "format", "description", "priority"];
    let mut column = Column::default();
    let before = r.reported();
    for part in r.parts(m).unwrap_or_default() {
        match part.key.as_str() {
            "name" => column.name = r.text(&part).unwrap_or_default(),
            "type_" | "type" => column.ty = r.text(&part).unwrap_or_default(),
            "format" => column.format = r.text(&part).unwrap_or_default(),
            "description" => column.description = r.text(&part).unwrap_or_default(),
            "priority" => {
                if let Some(Number::Is(n)) = r.count(&part) {
                    column.priority = n as i32;
                }
            }
            "json_path" | "jsonPath" => r.report.error(
                part.span,
                &codes::PLACE,
                "a column on a field cannot have a path of its own",
                "remove json_path, or write the column as #[kube(printcolumn(…))]",
            ),
            _ => r.unknown_part(&part, "column", KEYS),
        }
    }
    if column.name.is_empty() && r.reported() == before {
        r.bad(m.span, "a column needs a name", "write column(name = \"Replicas\")");
    }
    super::paths::column_type(r, &column.ty, m.value_span());
    mark(r, m, Mark::Column(column));
}

fn property(r: &mut Reader<'_>, m: &Meta) {
    if let Arg::List(group) = &m.arg
        && let [name, schema] = super::meta::split(group.stream()).as_slice()
        && let Some(name) = super::string_of(name.iter().cloned().collect())
    {
        match super::json_of(schema.iter().cloned().collect()) {
            Ok(value) => {
                if let Some(schema) = r.as_schema(value, m.value_span()) {
                    let wrong = if r.as_is { None } else { not_structural(&schema) };
                    if let Some(wrong) = wrong {
                        let text = format!("the property `{name}`: {}", wrong.text);
                        r.report.error(m.value_span(), wrong.code, text, wrong.help);
                    }
                    r.attrs.properties.push((name, schema));
                }
            }
            Err(span) => r.bad(span, "this is not JSON", "write the schema as { \"type\": \"string\" }"),
        }
        return;
    }
    r.form(m, "property(\"name\", { \"type\": \"string\" })");
}

fn override_at(r: &mut Reader<'_>, m: &Meta) {
    let Arg::List(group) = &m.arg else { return r.form(m, "override(\".a.b\", …)") };
    let mut parts = super::meta::split(group.stream()).into_iter();
    let first = parts.next();
    let span = first.as_ref().and_then(|p| p.first()).map_or(m.span, proc_macro2::TokenTree::span);
    let path = first.and_then(|p| super::string_of(p.into_iter().collect()));
    let Some(steps) = path.as_deref().and_then(steps_of) else {
        return r.form(m, "override(\".containers[].name\", …), with the path first: `.name`, `[]` for items, `{}` for values");
    };
    let mut rest = proc_macro2::TokenStream::new();
    for part in parts {
        rest.extend(part);
        rest.extend([proc_macro2::TokenTree::from(proc_macro2::Punct::new(
            ',',
            proc_macro2::Spacing::Alone,
        ))]);
    }
    let inner = Meta {
        arg: Arg::List(proc_macro2::Group::new(proc_macro2::Delimiter::Parenthesis, rest)),
        ..m.clone()
    };
    if let Some(patch) = r.nested("schema", KEYS, NESTED, &inner) {
        if let (Some(Step::Str(name)), Some(path)) = (steps.first(), path) {
            r.attrs.names.push(Named { name: name.clone(), by: NamedBy::Override(path), span });
        }
        r.attrs.patch.at.push((steps, patch));
    }
}

fn steps_of(path: &str) -> Option<Vec<Step>> {
    let mut out = Vec::new();
    let mut rest = path;
    while !rest.is_empty() {
        if let Some(tail) = rest.strip_prefix("[]") {
            out.push(Step::Items);
            rest = tail;
        } else if let Some(tail) = rest.strip_prefix("{}") {
            out.push(Step::Values);
            rest = tail;
        } else {
            let tail = rest.strip_prefix('.')?;
            let end = tail.find(['.', '[', '{']).unwrap_or(tail.len());
            if end == 0 {
                return None;
            }
            out.push(Step::Str(tail[..end].to_owned()));
            rest = &tail[end..];
        }
    }
    (!out.is_empty()).then_some(out)
}
