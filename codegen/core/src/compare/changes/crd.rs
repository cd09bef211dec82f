//! Compares what is around the schemas: versions, names, subresources and columns.

use super::{Change, Class, Out, Part, stored};
use crate::cel::escape;
use crate::cel::{Ast, Expr};
use crate::compare::absent::{self, Before};
use crate::compare::on_create::OnCreate;
use crate::compare::readers::junctors_read;
use crate::ir::{Column, Conversion, Crd, Names, Scale, Schema, Spec, Type};
use crate::path::{Path, Step};
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::ops::Range;

pub(super) fn compare(old: &Crd, new: &Crd, out: &mut Out) {
    let (was, now) = (&old.spec, &new.spec);
    let spec = Path::ROOT.child("spec");
    names(&was.names, &now.names, &spec.child("names"), out);
    let keeps = |spec: &Spec| spec.preserve_unknown_fields == Some(true);
    let class = if keeps(was) { Class::DataLoss } else { Class::Looser };
    out.differs(class, &spec, Part::PreserveUnknownFields, Some(keeps(was)), Some(keeps(now)));
    let (before, after) = (strategy(was.conversion.as_ref()), strategy(now.conversion.as_ref()));
    out.differs(Class::Meaning, &spec, Part::Conversion, Some(before), Some(after));
    let versions = spec.child("versions");
    if let (Some(before), Some(after)) = (was.storage_version(), now.storage_version()) {
        let (before, after) = (before.name.as_str(), after.name.as_str());
        out.differs(Class::Usage, &versions, Part::Storage, Some(before), Some(after));
    }
    each_version(was, now, &spec, out);
    for (i, version) in now.versions.iter().enumerate() {
        if !was.versions.iter().any(|before| before.name == version.name) {
            let name = version.name.clone();
            out.add(Class::Compatible, &versions.index(i), Part::Version(name.clone()), None, Some(name));
        }
    }
    if after == NO_CONVERSION {
        stored::compare(old, new, before == NO_CONVERSION, &versions, out);
    }
}

fn each_version(old: &Spec, new: &Spec, spec: &Path<'_>, out: &mut Out) {
    let versions = spec.child("versions");
    let mut is_shared_done = false;
    let mut compared: Vec<Compared<'_>> = Vec::new();
    for (j, before) in old.versions.iter().enumerate() {
        let name = &before.name;
        out.was_deprecated = before.deprecated;
        let Some(i) = new.versions.iter().position(|version| version.name == *name) else {
            // Without clients, the server itself checks whether objects may be stored in this version.
            let class = if before.served { Class::Breaking } else { Class::Compatible };
            out.add(class, &versions, Part::Version(name.clone()), Some(name.clone()), None);
            continue;
        };
        let (at, after) = (versions.index(i), &new.versions[i]);
        out.version = Some(name.clone());
        let class = if before.served { Class::Breaking } else { Class::Compatible };
        out.differs(class, &at, Part::Served(name.clone()), Some(before.served), Some(after.served));
        let class = if after.deprecated { Class::Usage } else { Class::Compatible };
        let deprecated = (Some(before.deprecated), Some(after.deprecated));
        out.differs(class, &at, Part::Deprecated(name.clone()), deprecated.0, deprecated.1);
        if before.served && after.served {
            requests((old, j), (new, i), &at, out);
        }
        if before.served || before.storage {
            let root = match after.body.schema {
                Some(_) => Some(at.child("schema")),
                None if std::mem::replace(&mut is_shared_done, true) => None,
                None => Some(spec.child("validation")),
            };
            if let (Some(was), Some(now), Some(root)) = (old.schema_of(j), new.schema_of(i), root) {
                let (root, scale) = (root.child("openAPIV3Schema"), scale_of(old, j));
                let of = (was, scale, now);
                match compared.iter().find(|it| it.of == of) {
                    Some(known) => known.again(&root, out),
                    None => compared.push(Compared::new(of, &root, out)),
                }
            }
        }
        out.version = None;
    }
    out.was_deprecated = false;
}

/// Schemas that were compared in a version, with the subresource of the old one. Many versions may have the same.
struct Compared<'s> {
    of: (&'s Schema, Option<&'s Scale>, &'s Schema),
    changes: Range<usize>,
    /// The length of the text and of the steps of the place of the new schema.
    root: (usize, usize),
}

impl<'s> Compared<'s> {
    fn new(of: (&'s Schema, Option<&'s Scale>, &'s Schema), root: &Path<'_>, out: &mut Out) -> Compared<'s> {
        let start = out.all.len();
        out.object(of.0, of.1, of.2, root);
        Compared { of, changes: start..out.all.len(), root: (root.to_string().len(), root.steps().len()) }
    }

    /// Adds the changes in another version.
    fn again(&self, root: &Path<'_>, out: &mut Out) {
        let (version, was_deprecated) = (out.version.clone(), out.was_deprecated);
        let of_version = |change: &Change| {
            let version = version.clone();
            Change { version, was_deprecated, ..change.moved(self.root, root) }
        };
        let changes: Vec<Change> = out.all[self.changes.clone()].iter().map(of_version).collect();
        out.all.extend(changes);
    }
}

fn names(old: &Names, new: &Names, at: &Path<'_>, out: &mut Out) {
    // The server does not allow an update to change the other names.
    let Names { plural: _, kind: _, singular, short_names, list_kind, categories } = old;
    for (key, was, now) in
        [("shortNames", short_names, &new.short_names), ("categories", categories, &new.categories)]
    {
        for name in was.iter().filter(|name| !now.contains(name)) {
            out.add(Class::Usage, at, Part::Name(key), Some(name.clone()), None);
        }
        for name in now.iter().filter(|name| !was.contains(name)) {
            out.add(Class::Compatible, at, Part::Name(key), None, Some(name.clone()));
        }
    }
    // The server fills in absent names.
    let lower = |names: &Names| names.kind.to_lowercase();
    let or = |name: &str, other: String| if name.is_empty() { other } else { name.to_owned() };
    let was = (or(singular, lower(old)), or(list_kind, format!("{}List", old.kind)));
    let now = (or(&new.singular, lower(new)), or(&new.list_kind, format!("{}List", new.kind)));
    if old.kind == new.kind {
        out.differs(Class::Usage, at, Part::Name("singular"), Some(was.0), Some(now.0));
        out.differs(Class::Client, at, Part::Name("listKind"), Some(was.1), Some(now.1));
    }
}

const STATUS: &str = "status";

const NO_CONVERSION: &str = "None";

fn strategy(conversion: Option<&Conversion>) -> &str {
    conversion.map_or(NO_CONVERSION, |it| if it.strategy.is_empty() { NO_CONVERSION } else { &it.strategy })
}

/// Compares what clients use in addition to the schema. Each side is a CRD and the index of its version.
fn requests((old, j): (&Spec, usize), (new, i): (&Spec, usize), at: &Path<'_>, out: &mut Out) {
    let (was, now) = (old.subresources_of(j), new.subresources_of(i));
    let status = (was.is_some_and(|it| it.status), now.is_some_and(|it| it.status));
    let present = |is: bool| is.then(|| STATUS.to_owned());
    // If the status becomes a subresource, the server ignores the status in writes to the object.
    let class = match !status.0 && !new.schema_of(i).is_some_and(needs_status) {
        true => Class::Meaning,
        false => Class::Breaking,
    };
    out.differs(class, at, Part::Subresource(STATUS), present(status.0), present(status.1));
    let scale = (scale_of(old, j), scale_of(new, i));
    let class = match scale {
        (Some(_), None) => Class::Breaking,
        (Some(_), Some(_)) => Class::Meaning,
        (None, Some(scale))
            if old.schema_of(j).is_some_and(|was| keeps_any(was, &scale.spec_replicas_path)) =>
        {
            Class::Stuck
        }
        (None, _) => Class::Compatible,
    };
    out.differs(class, at, Part::Subresource("scale"), scale.0.map(paths), scale.1.map(paths));
    let (was, now) = (old.selectable_fields_of(j), new.selectable_fields_of(i));
    let (was, now) = [was, now]
        .map(|fields| fields.iter().map(|it| it.json_path.as_str()).collect::<BTreeSet<_>>())
        .into();
    for field in was.difference(&now) {
        out.add(Class::Breaking, at, Part::SelectableField, Some((*field).to_owned()), None);
    }
    for field in now.difference(&was) {
        out.add(Class::Compatible, at, Part::SelectableField, None, Some((*field).to_owned()));
    }
    columns(old.columns_of(j), new.columns_of(i), at, out);
}

/// Whether the schema of whole objects may reject all new ones if the status is a subresource: the server drops their status.
fn needs_status(schema: &Schema) -> bool {
    let mut with = schema.clone();
    // The server fills in the default before it drops the status.
    if let Some(status) = with.properties.get_mut(STATUS) {
        status.default = None;
    }
    let mut without = with.clone();
    without.properties.remove(STATUS);
    without.ext.preserve_unknown_fields = None;
    let is_met =
        |rule: &Ast| !reads_status(rule) || absent::is_always_true(rule, Before::Value, &with, &without);
    schema.limits.required.iter().any(|name| name == STATUS)
        || schema.limits.min_properties > Some(ALWAYS_THERE)
        || junctors_read(schema, &[Step::Key(STATUS.to_owned())], true)
        || !OnCreate::new(&schema.rules).all().iter().all(is_met)
}

/// How many fields all objects have: their API version, kind and metadata.
const ALWAYS_THERE: i64 = 3;

/// Whether a rule of whole objects reads the status, or all of the object.
fn reads_status(rule: &Ast) -> bool {
    let is_self = |id| matches!(rule.expr(id), Expr::Ident(name) if &**name == "self");
    let mut open = vec![rule.root()];
    while let Some(id) = open.pop() {
        match rule.expr(id) {
            Expr::Select { operand, field, .. } if is_self(*operand) => {
                if escape::unescape(field).unwrap_or(Cow::Borrowed(field)) == STATUS {
                    return true;
                }
            }
            _ if is_self(id) => return true,
            _ => rule.children(id, &mut |child| open.push(child)),
        }
    }
    false
}

/// Whether a field that a schema does not list may have values of any type.
fn keeps_any(mut schema: &Schema, path: &str) -> bool {
    for name in Scale::names(path) {
        match (schema.properties.get(name), schema.value()) {
            (Some(property), _) => schema = property,
            (None, Some(value)) => return value.ty != Some(Type::Integer),
            (None, None) => return schema.preserves_unknown_fields(),
        }
    }
    false
}

/// The subresource `scale` of the version at an index.
pub(super) fn scale_of(spec: &Spec, at: usize) -> Option<&Scale> {
    spec.subresources_of(at)?.scale.as_ref()
}

fn paths(scale: &Scale) -> String {
    let Scale { spec_replicas_path, status_replicas_path, label_selector_path } = scale;
    let selector = label_selector_path.as_deref();
    [Some(spec_replicas_path.as_str()), Some(status_replicas_path), selector]
        .into_iter()
        .flatten()
        .collect::<Vec<_>>()
        .join(", ")
}

fn columns(old: &[Column], new: &[Column], at: &Path<'_>, out: &mut Out) {
    for was in old {
        let index = new.iter().position(|column| column.name == was.name);
        let now = index.and_then(|index| new.get(index));
        let list = at.child("additionalPrinterColumns");
        let item = list.index(index.unwrap_or_default());
        let at = if now.is_some() { &item } else { at };
        let part = Part::Column(was.name.clone());
        out.differs(Class::Usage, at, part.clone(), Some(shown(was)), now.map(shown));
        if now.is_some_and(|now| shown(now) == shown(was) && now.description != was.description) {
            out.add(
                Class::Cosmetic,
                at,
                part,
                Some(was.description.clone()),
                now.map(|it| it.description.clone()),
            );
        }
    }
    for now in new.iter().filter(|now| !old.iter().any(|was| was.name == now.name)) {
        out.add(Class::Compatible, at, Part::Column(now.name.clone()), None, Some(shown(now)));
    }
}

/// What a column shows. Its description is not part of this.
fn shown(column: &Column) -> String {
    let Column { name: _, ty, format, description: _, priority, json_path } = column;
    let format = if format.is_empty() { String::new() } else { format!(" ({format})") };
    let priority = if *priority == 0 { String::new() } else { format!(", priority {priority}") };
    format!("{json_path}, {ty}{format}{priority}")
}
