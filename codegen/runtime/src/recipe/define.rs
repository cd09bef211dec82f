//! Builds the CRD around the schema, from the attributes of the root and of its fields.

use super::faults::{self, Mistake};
use super::link::{Id, Linked, Linker, Types};
use super::patch::Allow;
use super::paths::{dead_end, leads_to_opaque, odd_end, read_as};
use super::places::PlacedTypes;
use super::program::Program;
use super::roles::Roles;
use super::types::{Kinds, kinds};
use super::{Node, Root, Shape, link, types, wire};
use crate::descriptions;
use crate::diag::{Code, Diag, Diags, Level, codes};
use crate::ir::{
    self, Allowed, Body, Column, Crd, Metadata, Names, Scale, Schema, SelectableField, Spec, Subresources,
    Type, Validation, Version,
};
use crate::path::Step;

/// A kind as the derive declares it in a program.
#[derive(Debug)]
pub struct Declared {
    /// The recipe of the [`Root`].
    pub text: &'static str,
    /// The shape with the types to which the recipe refers.
    pub shape: &'static Shape,
}

impl Declared {
    /// Builds the CRD. Also returns the diagnostics on it.
    pub fn definition(&self) -> (Crd, Diags) {
        let (crd, diags, _) = self.placed();
        (crd, diags)
    }

    /// The same, with the places of the types in their sources.
    pub fn placed(&self) -> (Crd, Diags, PlacedTypes) {
        match wire::decode::<Root>(self.text) {
            Some(root) => {
                let program = Program::new();
                define_placed(&root, &program, program.id(self.shape))
            }
            None => (Crd::default(), Vec::new(), Vec::new()),
        }
    }
}

/// Builds the CRD of a root. The references in its recipe are those of the type `id`.
pub fn define(root: &Root, types: &dyn Types, id: Id) -> (Crd, Diags) {
    let (crd, diags, _) = define_placed(root, types, id);
    (crd, diags)
}

fn define_placed(root: &Root, types: &dyn Types, id: Id) -> (Crd, Diags, PlacedTypes) {
    let mut linker = Linker::new(types, ir::schema_steps(0));
    linker.metadata = root.metadata;
    let mut body = body(root, &mut linker, id);
    if let Some(max) = root.max_description
        && let Some(schema) = body.schema.as_mut().and_then(|v| v.open_api_v3_schema.as_mut())
    {
        descriptions::limit(schema, usize::try_from(max).unwrap_or(0));
    }
    let mut allowed = allowed(root, std::mem::take(&mut linker.allowed));
    linker.diags.retain(|diag| {
        let mut hides = false;
        for it in allowed.iter_mut().filter(|it| it.allows(diag.code.id, &diag.steps)) {
            hides = diag.level == Level::Warning;
            it.used |= hides;
        }
        !hides
    });
    let singular = if root.singular.is_empty() { root.kind.to_lowercase() } else { root.singular.clone() };
    let plural = root.plural_name();
    let crd = Crd {
        metadata: Metadata {
            name: format!("{plural}.{}", root.group),
            annotations: root.annotations.clone(),
            labels: root.labels.clone(),
            ..Metadata::default()
        },
        spec: Spec {
            group: root.group.clone(),
            names: Names {
                plural,
                singular,
                short_names: root.short_names.clone(),
                kind: root.kind.clone(),
                list_kind: root.list_kind.clone(),
                categories: root.categories.clone(),
            },
            scope: if root.namespaced { "Namespaced" } else { "Cluster" }.to_owned(),
            versions: vec![Version {
                name: root.version.clone(),
                served: !root.unserved,
                storage: !root.unstored,
                deprecated: root.deprecated,
                deprecation_warning: root.deprecation_warning.clone(),
                body,
                allowed,
            }],
            conversion: root.conversion.clone(),
            preserve_unknown_fields: root.preserve_unknown_fields,
            ..Spec::default()
        },
        ..Crd::default()
    };
    (crd, linker.diags, linker.placed)
}

/// The warnings that are allowed in the whole kind, and those that are allowed at places in its schema.
fn allowed(root: &Root, at_places: Vec<Allowed>) -> Vec<Allowed> {
    let whole = |Allow { code, reason }: &Allow| Allowed::new(Vec::new(), code.clone(), reason.clone());
    let mut out: Vec<Allowed> = root.allow.iter().map(whole).collect();
    for allowed in at_places {
        if !out.contains(&allowed) {
            out.push(allowed);
        }
    }
    out
}

fn body(root: &Root, linker: &mut Linker<'_>, id: Id) -> Body {
    let before = linker.unknown_so_far();
    let Linked { mut schema, marks, .. } = object(root, linker, id);
    if root.schemaless {
        schema = types::opaque();
    }
    if let Some(metadata) = root.metadata {
        let own = |(name, _): &(&str, &mut Schema)| *name != "metadata";
        schema.properties.iter_mut().filter(own).for_each(|(_, part)| metadata.put_below(part));
    }
    linker.patch(&root.patch, &mut schema, id, before);
    for (field, wanted) in [("name", &root.metadata_name), ("generateName", &root.metadata_generate_name)] {
        if let Some(wanted) = wanted {
            let metadata = schema.properties.entry_or_insert_with("metadata", || Schema::of(Type::Object));
            let mut wanted = wanted.clone();
            wanted.ty = Some(Type::String);
            metadata.properties.insert(field, wanted);
        }
    }
    let roles = Roles::of(marks, root, linker);
    let Roles { mut columns, selectable, scale } = roles;
    // The columns of fields come first, so that the age, which is not a field of the type, comes last as users expect.
    columns.extend(root.columns.iter().cloned());
    let has_status = schema.properties.contains_key("status") && (root.status.is_some() || root.whole);
    let no_status = scale.is_some() && !has_status && !root.schemaless;
    if no_status && !root.as_is {
        linker.report_at_version(next_to_scale(), faults::scale_without_status());
    }
    if !root.as_is {
        // If there is no status, that is reported instead of the paths into it.
        check_paths(&schema, &columns, scale.as_ref(), !no_status, linker);
    }
    let status = root.subresource_status.unwrap_or(root.status.is_some());
    let is_set = status || scale.is_some() || root.subresource_status.is_some();
    let subresources = (is_set && !root.no_subresources).then_some(Subresources { status, scale });
    Body {
        schema: Some(Validation { open_api_v3_schema: Some(schema) }),
        subresources,
        columns: (!columns.is_empty()).then_some(columns),
        selectable_fields: (!selectable.is_empty())
            .then(|| selectable.into_iter().map(|json_path| SelectableField { json_path }).collect()),
    }
}

/// The schema of the whole object.
fn object(root: &Root, linker: &mut Linker<'_>, id: Id) -> Linked {
    if root.whole {
        let mut linked = linker.node(&root.spec, id);
        link::any_fields(&mut linked.schema);
        // The server requires these itself, and ignores what is written here.
        for implicit in ["apiVersion", "kind", "metadata"] {
            linked.schema.limits.required.retain(|r| r != implicit);
        }
        if let Some(status) = &root.status
            && !linked.schema.properties.contains_key("status")
        {
            let status = linker.within(&["properties", "status"], |l| l.node(status, id));
            linked.schema.properties.insert("status", status.schema);
        }
        return linked;
    }
    let mut out = Linked { schema: Schema::of(Type::Object), ..Linked::default() };
    let mut add = |name: &str, node: &Node, linker: &mut Linker<'_>| {
        let linked = linker.within(&["properties", name], |l| {
            let mut linked = l.node(node, id);
            if kinds(&linked.schema) & Kinds::OBJECT == 0 {
                l.mistake(faults::no_object(name, kinds(&linked.schema)));
                linked.schema = types::opaque();
            }
            linked
        });
        out.marks.extend(link::below(&Step::Key(name.to_owned()), linked.marks));
        let mut schema = linked.schema;
        if name == "status" {
            // New objects have no status. For Option types, kube-rs writes the same.
            schema.nullable = true;
        }
        out.schema.properties.insert(name, schema);
        linked.optional
    };
    if !add("spec", &root.spec, linker) && !root.spec_optional {
        out.schema.limits.required.push("spec".to_owned());
    }
    if let Some(status) = &root.status {
        add("status", status, linker);
    }
    out
}

impl Linker<'_> {
    /// Reports an error next to the schema, at its version.
    fn report_at_version(&mut self, steps: Vec<Step>, mistake: Mistake) {
        self.mistake(mistake);
        if let Some(diag) = self.diags.last_mut() {
            diag.steps.retain(|s| !matches!(s, Step::Key(k) if k == "schema" || k == "openAPIV3Schema"));
            diag.steps.extend(steps);
        }
    }
}

fn next_to_scale() -> Vec<Step> {
    ["subresources", "scale"].map(|key| Step::Key(key.to_owned())).to_vec()
}

/// Reports columns and scale paths to fields that do not exist. The server accepts them, and shows empty cells.
fn check_paths(
    schema: &Schema,
    columns: &[Column],
    scale: Option<&Scale>,
    status: bool,
    linker: &mut Linker<'_>,
) {
    let mut dead = |what: &str, path: &str, wanted: &str, steps: Vec<Step>| {
        if !status && path.starts_with(".status") {
            return;
        }
        if let Some((missing, help)) = dead_end(schema, path) {
            linker.report_at_version(steps, faults::dead_path(what, path, &missing, &help));
        } else if linker.has_unknown() && leads_to_opaque(schema, path) {
            // The type of the field may be the unknown one, which is reported.
        } else if let Some(is) = odd_end(schema, path, wanted) {
            linker.report_at_version(steps, faults::odd_path(what, path, read_as(wanted), is));
        }
    };
    for (number, column) in columns.iter().enumerate() {
        let steps = vec![Step::Key("additionalPrinterColumns".to_owned()), Step::Index(number)];
        dead("the printer column's path", &column.json_path, &column.ty, steps);
    }
    if let Some(scale) = scale {
        dead("specReplicasPath", &scale.spec_replicas_path, "replicas", next_to_scale());
        dead("statusReplicasPath", &scale.status_replicas_path, "replicas", next_to_scale());
        if let Some(path) = &scale.label_selector_path {
            dead("labelSelectorPath", path, "selector", next_to_scale());
        }
    }
}

/// Merges the versions of each kind into one CRD. The newest version comes first, as the server sorts them.
pub fn merge(crds: Vec<Crd>) -> (Vec<Crd>, Diags) {
    let mut out: Vec<Crd> = Vec::new();
    let mut diags = Vec::new();
    for crd in crds {
        let same = |c: &&mut Crd| c.spec.group == crd.spec.group && c.spec.names.kind == crd.spec.names.kind;
        match out.iter_mut().find(same) {
            None => out.push(crd),
            Some(into) => join(into, crd, &mut diags),
        }
    }
    for (number, crd) in out.iter().enumerate() {
        let same = |c: &&Crd| c.metadata.name == crd.metadata.name;
        if let Some(first) = out[..number].iter().find(same) {
            diags.push(own(
                &codes::rust::VERSIONS_DIFFER,
                &crd.spec.names.kind,
                format!(
                    "its CRD has the same name as that of the kind {}: {}",
                    first.spec.names.kind, crd.metadata.name
                ),
                "the server keeps only one of two CRDs with the same name. Change the plural of one kind",
            ));
        }
    }
    for crd in &mut out {
        let names: Vec<&str> = crd.spec.versions.iter().map(|v| v.name.as_str()).collect();
        let order = crate::value::order(names.len(), &|a, b| {
            priority(names[b]).cmp(&priority(names[a])).then_with(|| names[a].cmp(names[b]))
        });
        crd.spec.versions = crate::value::arrange(std::mem::take(&mut crd.spec.versions), &order);
        let stored = crd.spec.versions.iter().filter(|v| v.storage).count();
        if crd.spec.versions.len() > 1 && stored != 1 {
            let names: Vec<&str> =
                crd.spec.versions.iter().filter(|v| v.storage).map(|v| v.name.as_str()).collect();
            diags.push(own(
                &codes::rust::STORAGE,
                &crd.spec.names.kind,
                if stored == 0 {
                    "no version is the storage version".to_owned()
                } else {
                    format!("several versions are the storage version: {}", names.join(", "))
                },
                if stored == 0 {
                    "exactly one version must be stored. Remove storage = false from one of them"
                } else {
                    "exactly one version must be stored. Write #[kube(storage = false)] on all others"
                },
            ));
        }
    }
    (out, diags)
}

/// Names that one version sets apply to all versions. A version that sets none has names that are made from the kind.
fn same_names(into: &mut Names, names: &Names, differ: &mut impl FnMut(&str, &str, &str)) {
    let made = Root { kind: into.kind.clone(), ..Root::default() };
    let (plural, singular) = (made.plural_name(), made.kind.to_lowercase());
    let list_kind = String::new();
    for (what, made, to, from) in [
        ("plural", &plural, &mut into.plural, &names.plural),
        ("singular", &singular, &mut into.singular, &names.singular),
        ("list_kind", &list_kind, &mut into.list_kind, &names.list_kind),
    ] {
        if to == made {
            to.clone_from(from);
        } else if to != from && from != made {
            differ(what, to, from);
        }
    }
    for (what, to, from) in [
        ("shortname", &mut into.short_names, &names.short_names),
        ("category", &mut into.categories, &names.categories),
    ] {
        if to.is_empty() {
            to.clone_from(from);
        } else if to != from && !from.is_empty() {
            differ(what, &to.join(", "), &from.join(", "));
        }
    }
}

/// Merges the parts that must be the same in all versions, because a CRD contains them once.
fn join(into: &mut Crd, crd: Crd, diags: &mut Diags) {
    let kind = into.spec.names.kind.clone();
    let mut differ = |what: &str, a: &str, b: &str| {
        diags.push(own(
            &codes::rust::VERSIONS_DIFFER,
            &kind,
            format!("the versions of this kind differ in {what}: `{a}` and `{b}`"),
            "all versions of a CRD share it. Write it in one version only, or the same value in each",
        ));
    };
    same_names(&mut into.spec.names, &crd.spec.names, &mut differ);
    into.metadata.name = format!("{}.{}", into.spec.names.plural, into.spec.group);
    let (a, b) = (&into.spec, &crd.spec);
    let mut doubles = Vec::new();
    if a.scope != b.scope {
        differ("scope", &a.scope, &b.scope);
    }
    if a.conversion.is_some() && b.conversion.is_some() && a.conversion != b.conversion {
        differ("conversion", "one", "another");
    }
    for version in &b.versions {
        if a.versions.iter().any(|v| v.name == version.name) {
            doubles.push(version.name.clone());
        }
    }
    into.spec.conversion = into.spec.conversion.take().or(crd.spec.conversion);
    into.spec.preserve_unknown_fields =
        into.spec.preserve_unknown_fields.or(crd.spec.preserve_unknown_fields);
    for (to, from) in [
        (&mut into.metadata.annotations, crd.metadata.annotations),
        (&mut into.metadata.labels, crd.metadata.labels),
    ] {
        for (key, value) in from {
            if to.get(&key).is_some_and(|v| *v != value) {
                differ(
                    &format!("the annotation or label {key}"),
                    to.get(&key).map_or("", String::as_str),
                    &value,
                );
            }
            to.insert(key, value);
        }
    }
    for version in &doubles {
        diags.push(own(
            &codes::rust::VERSIONS_DIFFER,
            &kind,
            format!("two types are the version {version} of this kind"),
            "give one of them another version, or another kind. If your program only uses them, process one module at a \
             time: `crdgen emit --module api::v1`",
        ));
    }
    // If two have the same name, one of them is enough to continue.
    into.spec.versions.extend(crd.spec.versions.into_iter().filter(|v| !doubles.contains(&v.name)));
}

/// The priority by which the server sorts versions: stable before beta before alpha, then by number. Other names come
/// last.
fn priority(name: &str) -> (u8, u32, u32) {
    fn parse(name: &str) -> Option<(u8, u32, u32)> {
        let rest = name.strip_prefix('v')?;
        let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        let major = rest[..digits].parse().ok()?;
        let (stage, minor) = match &rest[digits..] {
            "" => return Some((3, major, 0)),
            tail => match (tail.strip_prefix("beta"), tail.strip_prefix("alpha")) {
                (Some(n), _) => (2, n),
                (_, Some(n)) => (1, n),
                _ => return None,
            },
        };
        Some((stage, major, minor.parse().ok()?))
    }
    parse(name).unwrap_or((0, 0, 0))
}

fn own(code: &'static Code, kind: &str, detail: impl Into<String>, help: &str) -> Diag {
    Diag {
        code,
        level: Level::Error,
        kind: None,
        field: kind.to_owned(),
        bad: None,
        detail: detail.into(),
        steps: Vec::new(),
        inside: None,
        rule: None,
        help: Some(help.to_owned()),
    }
}
