//! What changes for the objects of a CRD if another server serves it.

use super::costs::Costs;
use super::{Change, Class, Out, Part};
use crate::compare::tighter::has_bounds_of_int32;
use crate::ir::{Crd, Limits, Schema, Type};
use crate::listed;
use crate::object::validate::number_size;
use crate::path::Path;
use crate::server::{Server, is_supported};
use crate::walk::{any_schema, each_node};
use std::collections::HashSet;

/// The formats that only one of two servers checks, in the order of the CRD. Both servers read everything else alike. A CRD may have the
/// same format at hundreds of fields: the change of the first one lists the others, except for those whose bounds contradict it.
pub fn of_servers(crd: &Crd, from: Server, to: Server) -> Vec<Change> {
    let mut out = Vec::new();
    let spec = Path::ROOT.child("spec");
    let versions = spec.child("versions");
    for (i, version) in crd.spec.versions.iter().enumerate() {
        if !version.served && !version.storage {
            continue;
        }
        let at = versions.index(i);
        let root = match version.body.schema {
            Some(_) => at.child("schema"),
            None => spec.child("validation"),
        };
        let Some(schema) = crd.spec.schema_of(i) else { continue };
        let mut found = Out { version: Some(version.name.clone()), ..Out::default() };
        let mut contradicted = HashSet::new();
        each_node(schema, &root.child("openAPIV3Schema"), &mut |node, path| {
            if let Some((class, was, now)) = format_of(node.schema, from, to) {
                if has_bounds_outside(node.schema, to) {
                    contradicted.insert(found.all.len());
                }
                found.add(class, path, Part::Keyword("format"), Some(was), Some(now));
            }
        });
        let mut dearer = Out { version: found.version.clone(), ..Out::default() };
        let (before, after) = (Costs::on(from, schema), Costs::on(to, schema));
        dearer.costs(&before, &after, &root.child("openAPIV3Schema"));
        out.extend(with_lists(found.all, &contradicted));
        out.append(&mut dearer.all);
    }
    out
}

/// The changes without those that are like an earlier one, which lists them. Some are never like others.
fn with_lists(all: Vec<Change>, apart: &HashSet<usize>) -> Vec<Change> {
    let mut out: Vec<(Change, Vec<String>, bool)> = Vec::new();
    for (at, change) in all.into_iter().enumerate() {
        let is_apart = apart.contains(&at);
        let is_like = |it: &Change| (it.class, &it.was, &it.now) == (change.class, &change.was, &change.now);
        match out.iter_mut().find(|(first, _, first_is_apart)| !is_apart && !first_is_apart && is_like(first))
        {
            Some((_, others, _)) => others.extend(change.in_objects()),
            None => out.push((change, Vec::new(), is_apart)),
        }
    }
    let listed = |(change, others, _): (Change, Vec<String>, bool)| {
        let now = change.now.map(|now| match others.len() {
            0 => now,
            _ => format!("{now}, as of {}", listed::first(others.iter(), listed::NAMED)),
        });
        Change { now, ..change }
    };
    out.into_iter().map(listed).collect()
}

/// What a format of a node, or of its junctors, was and is for the servers, if only one of them checks it.
fn format_of(schema: &Schema, from: Server, to: Server) -> Option<(Class, String, String)> {
    let unchecked = |server: Server| format!("not checked by Kubernetes {server}");
    let of = |schema: &Schema| {
        let format = || schema.limits.format.clone();
        Some(match (is_checked(schema, from), is_checked(schema, to)) {
            (false, true) => (Class::Breaking, unchecked(from), format()),
            (true, false) => (Class::Looser, format(), unchecked(to)),
            (false, false) | (true, true) => return None,
        })
    };
    let mut found = of(schema);
    for (_, child) in schema.children().filter(|(edge, _)| !edge.is_structural()) {
        any_schema(child, &mut |part| {
            found = found.take().or_else(|| of(part));
            found.is_some()
        });
    }
    found
}

/// Whether a bound of numbers is none for a server that checks the format, so that it rejects all of them.
fn has_bounds_outside(schema: &Schema, server: Server) -> bool {
    let Limits { maximum, minimum, multiple_of, format, .. } = &schema.limits;
    let size = number_size(schema.ty.as_ref(), format, server);
    [maximum, minimum, multiple_of].into_iter().flatten().any(|bound| !size.has_float(*bound))
}

/// Whether a server rejects values because of the format of a schema. Integers beyond 64 bits count as no format's.
fn is_checked(schema: &Schema, server: Server) -> bool {
    let (ty, format) = (schema.ty.as_ref(), schema.limits.format.as_str());
    let size = number_size(ty, format, server);
    match ty {
        _ if format.is_empty() => false,
        None | Some(Type::String) => is_supported(format, ty, server),
        Some(Type::Integer) => !size.has_integer(i64::MAX) && !has_bounds_of_int32(&schema.limits),
        Some(Type::Number) => !size.has_float(f64::MAX),
        Some(Type::Object | Type::Array | Type::Boolean | Type::Other(_)) => false,
    }
}
