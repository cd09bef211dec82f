//! The root types: a struct for `spec` (and one for `status`) if the schema has the usual form, and otherwise a struct
//! for the whole object. Attributes contain everything that the CRD has around the schema.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};

use super::Heading;
use super::keywords::{difference, pairs, property};
use super::lower::Lowering;
use super::mismatch;
use super::model::*;
use super::names;
use super::options::{Layout, Options};
use crate::ir::{
    Additional, Body as VersionBody, ClientConfig, Column, Conversion, Crd, Metadata, Names, Scale, Schema,
    SelectableField, ServiceReference, Spec, Subresources, Type, Version,
};
use crate::recipe::{dead_end, odd_end};
use crate::value::Value;
use crdgen_rust::syntax::type_meta;

/// Lowers all kinds in all versions, each into the module of its group and version.
pub(super) fn lower<'c>(
    headings: &[Heading],
    definition: &dyn Fn(usize) -> Cow<'c, Crd>,
    options: &Options,
) -> (Lowering, Vec<Module>) {
    let mut order: Vec<usize> = (0..headings.len()).collect();
    order.sort_by_key(|index| {
        let Heading { group, kind, name, versions: _ } = &headings[*index];
        (group, kind, name)
    });
    let groups: std::collections::BTreeSet<&str> = headings.iter().map(|h| h.group.as_str()).collect();
    let nested = groups.len() > 1 || options.features || options.layout == Layout::Groups;
    let mut group_names = names::Taken::default();
    group_names.take("shared");
    let group_modules: BTreeMap<&str, String> =
        groups.into_iter().map(|g| (g, group_names.unique(&names::module(g), "_"))).collect();

    let mut modules: Vec<Module> = Vec::new();
    let mut index: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for Heading { group, versions, .. } in headings {
        for version in versions {
            index.entry((group, version)).or_insert(0);
        }
    }
    let mut taken: BTreeMap<&str, names::Taken> = BTreeMap::new();
    for ((group, version), at) in &mut index {
        let taken = taken.entry(group).or_insert_with(|| {
            let mut reserved = names::Taken::default();
            reserved.take("shared");
            reserved
        });
        let own = taken.unique(&names::module(version), "_");
        let path = if nested { vec![group_modules[group].clone(), own] } else { vec![own] };
        *at = modules.len();
        modules.push(Module {
            path,
            docs: format!("`{group}/{version}`"),
            group: (*group).to_owned(),
            ..Module::default()
        });
    }

    let mut lowering = Lowering::new(options);
    let mut kinds: Vec<RootNames> = vec![RootNames::default(); modules.len()];
    for number in order {
        let crd: &Crd = &definition(number);
        for (i, version) in crd.spec.versions.iter().enumerate() {
            let module = index[&(crd.spec.group.as_str(), version.name.as_str())];
            let kind = if options.kopium {
                let word = names::word(&crd.spec.names.kind);
                // `Schema` is only a problem if the derive of the same name is imported.
                if word == "Schema" && !options.schema { word } else { names::kind(&word) }
            } else {
                names::kind(&crd.spec.names.kind)
            };
            let kind = kinds[module].choose(kind);
            lowering.enter(module, &version.name, &crd.spec.names.kind, &kind);
            one(&mut lowering, crd, i, version, &kind);
            modules[module].kinds.push(kind);
        }
    }
    (lowering, modules)
}

/// Adds one kind in one version.
fn one(lowering: &mut Lowering, crd: &Crd, index: usize, version: &Version, kind: &str) {
    let schema = crd.spec.schema_of(index);
    let empty = Schema::default();
    let form = schema.map_or(Form::None, form);
    let mut kube = definition(crd, index, version, kind);
    let schema = schema.unwrap_or(&empty);
    let main;
    let mut status = None;
    let mut around = Vec::new();
    match form {
        Form::None => {
            kube.push(Keyword::json("schema", "disabled"));
            kube.push(Keyword::flag("whole"));
            main = whole(lowering, &open_object(), kind);
        }
        Form::Whole => {
            kube.push(Keyword::flag("whole"));
            main = whole(lowering, schema, kind);
            if schema.limits.required.iter().any(|r| type_meta::NAMES.contains(&r.as_str())) {
                // Whether these three fields are required must be written at the root.
                let names = schema.limits.required.iter().map(|r| r.as_str().into()).collect();
                around.push(Keyword::json("required", Value::List(names)));
            }
        }
        Form::Standard { spec, status: below } => {
            main = lowering.root(spec, format!("{kind}Spec"), Some("spec"));
            if let Some(below) = below {
                let name = format!("{kind}Status");
                kube.push(Keyword::json("status", name.as_str()));
                status = Some(lowering.root(below, name, Some("status")));
            }
            if !schema.limits.required.iter().any(|r| r == "spec") {
                kube.push(Keyword::flag("spec_optional"));
            }
            around = root_keywords(schema);
            if status.is_some_and(|s| !lowering.nullable(s)) {
                kube.push(Keyword::json("status_nullable", false));
            }
        }
    }
    match (crd.spec.subresources_of(index), status.is_some()) {
        (None, false) => {}
        (None, true) => kube.push(Keyword::flag("no_subresources")),
        (Some(found), typed) => {
            if found.status && !typed {
                kube.push(Keyword::flag("subresource_status"));
            }
            if !found.status && (typed || found.scale.is_none()) {
                kube.push(Keyword::json("subresource_status", false));
            }
        }
    }
    let names = &crd.spec.names;
    let twice = [&names.short_names, &names.categories].into_iter().any(mismatch::repeats);
    if twice || mismatch::at_root(&around) || odd_paths(crd, index, schema, status.is_some()) {
        kube.push(Keyword::flag("as_is"));
    }
    kube.sort_by_key(|k| ORDER.iter().position(|o| *o == k.key));
    let root = Root { kind: kind.to_owned(), kube, schema: around, status };
    lowering.types[main].root = Some(Box::new(root));
}

/// Whether the path of a column or of the scale subresource does not exist. The server accepts such a path, but crdgen
/// warns the author.
fn odd_paths(crd: &Crd, index: usize, schema: &Schema, typed_status: bool) -> bool {
    let scale = crd.spec.subresources_of(index).and_then(|s| s.scale.as_ref());
    let mut paths: Vec<&str> = crd.spec.columns_of(index).iter().map(|c| c.json_path.as_str()).collect();
    paths.extend(crd.spec.selectable_fields_of(index).iter().map(|f| f.json_path.as_str()));
    if let Some(Scale { spec_replicas_path, status_replicas_path, label_selector_path }) = scale {
        paths.extend([spec_replicas_path.as_str(), status_replicas_path.as_str()]);
        paths.extend(label_selector_path.as_deref());
    }
    let odd = |path: &&str| {
        !path.starts_with(['.', '['])
            || path.ends_with('.')
            || path.contains("...")
            || path.matches(['[', '(']).count() != path.matches([']', ')']).count()
            || dead_end(schema, path).is_some()
    };
    let misread = |column: &Column| odd_end(schema, &column.json_path, &column.ty).is_some();
    let misread_scale = |scale: &Scale| {
        let Scale { spec_replicas_path, status_replicas_path, label_selector_path } = scale;
        let odd = |path: &str, wanted: &str| odd_end(schema, path, wanted).is_some();
        odd(spec_replicas_path, "replicas")
            || odd(status_replicas_path, "replicas")
            || label_selector_path.as_deref().is_some_and(|path| odd(path, "selector"))
    };
    paths.iter().any(odd)
        || crd.spec.columns_of(index).iter().any(misread)
        || scale.is_some_and(misread_scale)
        || (scale.is_some() && !typed_status && !schema.properties.contains_key("status"))
}

/// The order of the keys of `kube(…)`.
const ORDER: [&str; 28] = [
    "as_is",
    "group",
    "version",
    "kind",
    "root",
    "plural",
    "singular",
    "list_kind",
    "shortname",
    "category",
    "namespaced",
    "whole",
    "spec_optional",
    "schema",
    "status",
    "status_nullable",
    "subresource_status",
    "no_subresources",
    "scale",
    "served",
    "storage",
    "deprecated",
    "preserve_unknown_fields",
    "conversion",
    "annotation",
    "label",
    "selectable",
    "printcolumn",
];

/// The form of a kind's root.
enum Form<'a> {
    /// There is no schema.
    None,
    /// A struct for `spec`, and perhaps one for `status`.
    Standard { spec: &'a Schema, status: Option<&'a Schema> },
    /// One struct for the whole object.
    Whole,
}

fn form(schema: &Schema) -> Form<'_> {
    let usual = |name: &str| name == "spec" || name == "status" || type_meta::NAMES.contains(&name);
    let plain = schema.ty == Some(Type::Object)
        && schema.items.is_none()
        && schema.additional_properties.is_none()
        && schema.ext.preserve_unknown_fields.is_none()
        && schema.foreign.is_none()
        && !schema.ext.int_or_string
        && !schema.nullable
        && schema.properties.keys().all(usual);
    let Some(spec) = schema.properties.get("spec").filter(|s| plain && is_struct(s) && !s.nullable) else {
        return Form::Whole;
    };
    match schema.properties.get("status") {
        Some(status) if !is_struct(status) || schema.limits.required.iter().any(|r| r == "status") => {
            Form::Whole
        }
        status => Form::Standard { spec, status },
    }
}

/// Whether a node can be a struct with attributes.
fn is_struct(schema: &Schema) -> bool {
    schema.ty == Some(Type::Object)
        && !matches!(schema.additional_properties, Some(Additional::Schema(_)))
        && schema.items.is_none()
        && schema.foreign.is_none()
        && !schema.ext.int_or_string
}

fn open_object() -> Schema {
    let mut schema = Schema::of(Type::Object);
    schema.ext.preserve_unknown_fields = Some(true);
    schema
}

/// The whole object as one struct. It has the fields of every object even if the schema does not mention them.
/// Descriptions that a generator always writes are replaced by the name of that generator.
fn whole(lowering: &mut Lowering, schema: &Schema, kind: &str) -> TypeId {
    let form = type_meta::form_of(schema);
    let mut named = schema.clone();
    if named.ty != Some(Type::Object) {
        named = open_object();
    }
    // The schema of metadata usually contains nothing. It is added as a whole below.
    named
        .properties
        .retain(|name, _| name != "metadata" && (form.is_none() || !type_meta::NAMES.contains(&name)));
    let raw = !is_struct(schema);
    if raw {
        named = Schema { description: schema.description.clone(), ..open_object() };
    }
    let id = lowering.root(&named, kind.to_owned(), None);
    let name_fields = lowering.namer();
    let metadata_ty = lowering.metadata.clone().unwrap_or(Ty::JsonObject);
    let def = &mut lowering.types[id];
    if raw {
        def.keywords = vec![super::keywords::raw(schema)];
    }
    if let Some(form) = form.filter(|_| !raw) {
        def.keywords.insert(0, Keyword::json("type_meta", form));
    }
    if let Body::Struct(body) = &mut def.body {
        let metadata = schema.properties.get("metadata").filter(|_| form.is_none() && !raw);
        for name in type_meta::NAMES {
            if body.fields.iter().any(|f| f.property == name) {
                continue;
            }
            let mut usage = Use::of(if name == "metadata" { metadata_ty.clone() } else { Ty::String });
            let metadata = metadata.filter(|_| name == "metadata");
            if let Some(metadata) = metadata {
                usage.keywords.push(super::keywords::raw(metadata));
                usage.description.clone_from(&metadata.description);
            }
            body.fields.push(Field {
                property: name.to_owned(),
                ident: String::new(),
                required: metadata.is_some() && schema.limits.required.iter().any(|r| r == name),
                unnamed: metadata.is_none(),
                usage,
            });
        }
        // In the order of names, as in `required`. Fields that the schema does not mention come first.
        body.fields.sort_by(|a, b| (!a.unnamed, &a.property).cmp(&(!b.unnamed, &b.property)));
        name_fields(body);
    }
    id
}

/// The names of kinds in a module.
#[derive(Clone, Default)]
struct RootNames {
    taken: names::Taken,
    /// The number for the next type of a name. Smaller ones are taken.
    next: HashMap<String, usize>,
}

impl RootNames {
    /// The name of a kind's type. The names of its spec and status must be free too.
    fn choose(&mut self, name: String) -> String {
        let mut n = self.next.get(&name).copied().unwrap_or(1);
        loop {
            let candidate = if n == 1 { name.clone() } else { format!("{name}{n}") };
            let all = [candidate.clone(), format!("{candidate}Spec"), format!("{candidate}Status")];
            n += 1;
            if all.iter().all(|c| !self.taken.has(c)) {
                all.iter().for_each(|c| self.taken.take(c));
                self.next.insert(name, n);
                return candidate;
            }
        }
    }
}

/// The keys for the root's schema outside of `spec` and `status`.
fn root_keywords(schema: &Schema) -> Vec<Keyword> {
    let mut base = Schema::of(Type::Object);
    if schema.limits.required.iter().any(|r| r == "spec") {
        base.limits.required.push("spec".to_owned());
    }
    let mut out = Vec::new();
    let form = type_meta::form_of(schema);
    if let Some(form) = form {
        out.push(Keyword::json("type_meta", form));
    }
    if !schema.description.is_empty() {
        out.push(Keyword::json("description", schema.description.as_str()));
    }
    for (name, inner) in schema.properties.iter() {
        if type_meta::NAMES.contains(&name) && form.is_none() {
            out.push(property(name, inner));
        }
    }
    out.extend(difference(&base, schema));
    out
}

/// The keys of `kube(…)` for everything that the CRD has around the schema.
fn definition(crd: &Crd, index: usize, version: &Version, kind: &str) -> Vec<Keyword> {
    let Crd { api_version: _, metadata, spec, status: _ } = crd;
    let Spec {
        group,
        names,
        scope,
        version: _,
        shared: _,
        versions: _,
        no_versions: _,
        conversion,
        preserve_unknown_fields,
    } = spec;
    let Version { name, served, storage, deprecated, deprecation_warning, body, allowed: _ } = version;
    // The accessors are used instead, because they include the shared parts of v1beta1.
    let VersionBody { schema: _, subresources: _, columns: _, selectable_fields: _ } = body;
    let mut out = vec![
        Keyword::json("group", group.as_str()),
        Keyword::json("version", name.as_str()),
        Keyword::json("kind", names.kind.as_str()),
    ];
    if kind != names.kind {
        out.push(Keyword::json("root", kind));
    }
    named(&mut out, names);
    if scope == "Namespaced" {
        out.push(Keyword::flag("namespaced"));
    }
    if !served {
        out.push(Keyword::json("served", false));
    }
    if !storage {
        out.push(Keyword::json("storage", false));
    }
    match (deprecated, deprecation_warning) {
        (true, Some(warning)) => out.push(Keyword::json("deprecated", warning.as_str())),
        (true, None) => out.push(Keyword::flag("deprecated")),
        (false, _) => {}
    }
    if *preserve_unknown_fields == Some(true) {
        out.push(Keyword::json("preserve_unknown_fields", true));
    }
    if let Some(conversion) = conversion {
        out.extend(converted(conversion));
    }
    if let Some(Subresources { status: _, scale: Some(scale) }) = spec.subresources_of(index) {
        out.push(scaled(scale));
    }
    // It is enough to write these for one of a kind's versions.
    let Metadata { labels, annotations, .. } = metadata;
    out.extend(pairs("annotation", annotations));
    out.extend(pairs("label", labels));
    for SelectableField { json_path } in spec.selectable_fields_of(index) {
        out.push(Keyword::json("selectable", json_path.as_str()));
    }
    out.extend(spec.columns_of(index).iter().map(column));
    out
}

fn named(out: &mut Vec<Keyword>, names: &Names) {
    let Names { plural, singular, short_names, kind, list_kind, categories } = names;
    out.push(Keyword::json("plural", plural.as_str()));
    if !singular.is_empty() && *singular != kind.to_lowercase() {
        out.push(Keyword::json("singular", singular.as_str()));
    }
    if !list_kind.is_empty() && *list_kind != format!("{kind}List") {
        out.push(Keyword::json("list_kind", list_kind.as_str()));
    }
    out.extend(short_names.iter().map(|n| Keyword::json("shortname", n.as_str())));
    out.extend(categories.iter().map(|n| Keyword::json("category", n.as_str())));
}

fn converted(conversion: &Conversion) -> Option<Keyword> {
    let Conversion { strategy, client_config, review_versions } = conversion;
    if strategy != "Webhook" {
        let versions = review_versions.as_ref()?;
        let versions = versions.iter().map(|v| Value::from(v.as_str())).collect();
        let kept = Keyword::json("review_versions", Value::List(versions));
        return Some(Keyword::nested("conversion", vec![kept]));
    }
    let (mut webhook, mut around) = (Vec::new(), Vec::new());
    if let Some(ClientConfig { url, service, ca_bundle }) = client_config {
        if let Some(url) = url {
            webhook.push(Keyword::json("url", url.as_str()));
        }
        if let Some(ServiceReference { namespace, name, path, port }) = service {
            let mut inner =
                vec![Keyword::json("namespace", namespace.as_str()), Keyword::json("name", name.as_str())];
            inner.extend(path.as_deref().map(|p| Keyword::json("path", p)));
            inner.extend(port.map(|p| Keyword::json("port", i64::from(p))));
            webhook.push(Keyword::nested("service", inner));
        }
        if !ca_bundle.is_empty() {
            around.push(Keyword::json("ca_bundle", crate::go::base64_encode(ca_bundle)));
        }
    }
    if let Some(versions) = review_versions {
        let versions = versions.iter().map(|v| Value::from(v.as_str())).collect();
        around.push(Keyword::json("review_versions", Value::List(versions)));
    }
    around.insert(0, Keyword::nested("webhook", webhook));
    Some(Keyword::nested("conversion", around))
}

fn scaled(scale: &Scale) -> Keyword {
    let Scale { spec_replicas_path, status_replicas_path, label_selector_path } = scale;
    let mut inner = vec![
        Keyword::json("spec_replicas_path", spec_replicas_path.as_str()),
        Keyword::json("status_replicas_path", status_replicas_path.as_str()),
    ];
    inner.extend(label_selector_path.as_deref().map(|p| Keyword::json("label_selector_path", p)));
    Keyword::nested("scale", inner)
}

fn column(column: &Column) -> Keyword {
    let Column { name, ty, format, description, priority, json_path } = column;
    let mut inner = vec![
        Keyword::json("name", name.as_str()),
        Keyword::json("type_", ty.as_str()),
        Keyword::json("json_path", json_path.as_str()),
    ];
    let texts = [("format", format), ("description", description)];
    inner.extend(texts.into_iter().filter(|(_, t)| !t.is_empty()).map(|(k, t)| Keyword::json(k, t.as_str())));
    if *priority != 0 {
        inner.push(Keyword::json("priority", i64::from(*priority)));
    }
    Keyword::nested("printcolumn", inner)
}
