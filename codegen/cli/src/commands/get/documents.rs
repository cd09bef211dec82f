//! Objects as kubectl writes them in YAML, JSON and as names.

use crdgen_core::inert::InertLine;
use crdgen_core::json;
use crdgen_core::value::{Map, Value};
use crdgen_core::yaml;

use super::chosen::{Group, Object};

/// Returns a list of all objects, or the object itself if the user wants only this one by name.
fn document(groups: &[Group<'_>], by_name: bool) -> Value {
    let mut objects: Vec<Value> =
        groups.iter().flat_map(|group| &group.objects).map(|object| shown(&object.0)).collect();
    if by_name && objects.len() == 1 {
        return objects.remove(0);
    }
    let metadata: Map<Value> = Map::from_iter([("resourceVersion", Value::from(""))]);
    Value::Map(Map::from_iter([
        ("apiVersion", Value::from("v1")),
        ("items", Value::List(objects)),
        ("kind", "List".into()),
        ("metadata", metadata.into()),
    ]))
}

/// Returns the object without the parts that kubectl does not show.
fn shown(object: &Value) -> Value {
    let mut out = object.clone();
    if let Some(metadata) = out.as_map_mut().and_then(|object| object.get_mut("metadata")?.as_map_mut()) {
        metadata.remove("managedFields");
    }
    out
}

pub(super) fn yaml(groups: &[Group<'_>], by_name: bool) -> String {
    yaml::write(&document(groups, by_name))
}

pub(super) fn json(groups: &[Group<'_>], by_name: bool) -> String {
    let mut out = String::new();
    indented(&document(groups, by_name), 0, &mut out);
    out.push('\n');
    out
}

/// JSON with four spaces a level.
fn indented(value: &Value, level: usize, out: &mut String) {
    let line = |level: usize, out: &mut String| {
        out.push('\n');
        out.extend(std::iter::repeat_n("    ", level));
    };
    match value {
        Value::List(items) if !items.is_empty() => {
            out.push('[');
            for (i, item) in items.iter().enumerate() {
                out.push_str(if i == 0 { "" } else { "," });
                line(level + 1, out);
                indented(item, level + 1, out);
            }
            line(level, out);
            out.push(']');
        }
        Value::Map(map) if !map.is_empty() => {
            out.push('{');
            for (i, (name, member)) in map.iter().enumerate() {
                out.push_str(if i == 0 { "" } else { "," });
                line(level + 1, out);
                out.push_str(&json::to_html_safe(&name.into()));
                out.push_str(": ");
                indented(member, level + 1, out);
            }
            line(level, out);
            out.push('}');
        }
        scalar => out.push_str(&json::to_html_safe(scalar)),
    }
}

pub(super) fn names(groups: &[Group<'_>]) -> String {
    let name = |group: &Group<'_>, object: &Object| {
        let spec = &group.served.crd.spec;
        let kind = spec.names.kind.to_lowercase();
        format!("{}\n", InertLine(format_args!("{kind}.{}/{}", spec.group, object.name())))
    };
    groups.iter().flat_map(|group| group.objects.iter().map(move |object| name(group, object))).collect()
}
