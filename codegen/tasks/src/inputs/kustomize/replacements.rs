//! Replacements: texts that kustomize copies from one object into others. crdgen applies those that have one meaning in all
//! versions of kustomize, and leaves the others to it.

use crdgen_core::GroupVersion;
use crdgen_core::value::{Map, Value};

use super::Resource;
use super::spent::Spent;

/// A replacement that crdgen leaves to kustomize: it may fail, or use something that crdgen does not apply.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Left;

/// Applies an item of `replacements`. `namespace` is the one that the kustomization sets, or empty.
pub(super) fn apply(
    item: &Value,
    resources: &mut [Resource],
    namespace: &str,
    spent: &mut Spent,
) -> Result<(), Left> {
    spent.visit(resources.len()).map_err(|_| Left)?;
    let item = known(item, &["source", "targets"])?;
    let source = known(
        item.get("source").ok_or(Left)?,
        &["kind", "name", "namespace", "group", "version", "fieldPath", "options"],
    )?;
    let mut sources = Vec::new();
    for resource in resources.iter() {
        if is_selected(source, resource, namespace)? {
            sources.push(&resource.value);
        }
    }
    let [object] = sources.as_slice() else { return Err(Left) };
    let path = path(text(source, "fieldPath")?.unwrap_or("metadata.name"))?;
    let value = match path.as_slice() {
        [FieldStep::Key("metadata"), FieldStep::Key("namespace")] => Some(namespace_of(object, namespace)),
        path => path.iter().try_fold(*object, |value, step| step.of(value)).and_then(Value::as_str),
    };
    let value = value.filter(|value| !value.is_empty()).ok_or(Left)?;
    let value = Options::read(source)?.part(value)?;
    for target in item.get("targets").and_then(Value::as_list).ok_or(Left)? {
        let target = known(target, &["select", "fieldPaths", "options"])?;
        let select =
            known(target.get("select").ok_or(Left)?, &["kind", "name", "namespace", "group", "version"])?;
        let options = Options::read(target)?;
        let fields = match target.get("fieldPaths") {
            None => vec![path_of_name()],
            Some(fields) => {
                let fields = fields.as_list().ok_or(Left)?.iter();
                fields.map(|field| path_of(field.as_str().ok_or(Left)?)).collect::<Result<_, _>>()?
            }
        };
        spent.visit(resources.len()).map_err(|_| Left)?;
        for resource in resources.iter_mut() {
            if is_selected(select, resource, namespace)? {
                spent.visit(fields.len()).map_err(|_| Left)?;
                spent.add(fields.len(), value.len()).map_err(|_| Left)?;
                fields.iter().try_for_each(|field| set(&mut resource.value, field, &value, &options))?;
            }
        }
    }
    Ok(())
}

/// A map with no other keys than these.
fn known<'v>(value: &'v Value, keys: &[&str]) -> Result<&'v Map<Value>, Left> {
    let map = value.as_map().ok_or(Left)?;
    if map.iter().all(|(key, _)| keys.contains(&key)) { Ok(map) } else { Err(Left) }
}

/// A text, if there is one.
fn text<'v>(map: &'v Map<Value>, key: &str) -> Result<Option<&'v str>, Left> {
    map.get(key).map(|value| value.as_str().filter(|text| !text.is_empty()).ok_or(Left)).transpose()
}

/// Whether an object is selected. Some versions of kustomize take these texts as patterns.
fn is_selected(select: &Map<Value>, resource: &Resource, namespace: &str) -> Result<bool, Left> {
    let metadata = |key: &str| {
        resource.value.get("metadata").and_then(|it| it.get(key)).and_then(Value::as_str).unwrap_or_default()
    };
    let GroupVersion { group, version } = GroupVersion::of(resource.value.text("apiVersion"));
    let wanted = |key: &str| {
        let text = text(select, key)?;
        let is_literal =
            |text: &str| text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-./".contains(&byte));
        if text.is_none_or(is_literal) { Ok(text) } else { Err(Left) }
    };
    let is = |key: &str, own: &str| Ok(wanted(key)?.is_none_or(|text| text == own));
    let name = wanted("name")?;
    let has_name =
        name.is_none_or(|name| name == metadata("name") || resource.earlier.iter().any(|it| it == name));
    if !(is("kind", resource.value.text("kind"))?
        && is("group", group)?
        && is("version", version)?
        && has_name)
    {
        return Ok(false);
    }
    // The object may have had another namespace before.
    if is("namespace", namespace_of(&resource.value, namespace))? { Ok(true) } else { Err(Left) }
}

/// Kinds of Kubernetes that are in namespaces, and that replacements name.
const NAMESPACED: [&str; 7] =
    ["ConfigMap", "DaemonSet", "Deployment", "Secret", "Service", "ServiceAccount", "StatefulSet"];

/// The namespace of an object. If it has none, kustomize sets that of the kustomization, except for kinds of Kubernetes that are
/// not in namespaces. Empty if this is not known.
fn namespace_of<'v>(object: &'v Value, set: &'v str) -> &'v str {
    let own = object.get("metadata").and_then(|metadata| metadata.get("namespace")).and_then(Value::as_str);
    let group = GroupVersion::of(object.text("apiVersion")).group;
    let is_custom = group.contains('.') && !group.ends_with(".k8s.io");
    own.unwrap_or(if is_custom || NAMESPACED.contains(&object.text("kind")) { set } else { "" })
}

/// A part of a text.
#[derive(Default)]
struct Options<'v> {
    delimiter: Option<&'v str>,
    index: i64,
    create: bool,
}

impl<'v> Options<'v> {
    fn read(of: &'v Map<Value>) -> Result<Options<'v>, Left> {
        let Some(options) = of.get("options") else { return Ok(Options::default()) };
        let options = known(options, &["delimiter", "index", "create"])?;
        let index = options.get("index").map_or(Some(0), Value::as_int).ok_or(Left)?;
        let create = options.get("create").map_or(Some(false), Value::as_bool).ok_or(Left)?;
        Ok(Options { delimiter: text(options, "delimiter")?, index, create })
    }

    /// The part of the source.
    fn part(&self, text: &str) -> Result<String, Left> {
        let Some(delimiter) = self.delimiter else { return Ok(text.to_owned()) };
        let index = usize::try_from(self.index).map_err(|_| Left)?;
        text.split(delimiter).nth(index).map(str::to_owned).ok_or(Left)
    }

    /// The target with the new part.
    fn with(&self, text: &str, part: &str) -> String {
        let Some(delimiter) = self.delimiter else { return part.to_owned() };
        let mut parts: Vec<&str> = text.split(delimiter).collect();
        match usize::try_from(self.index) {
            Err(_) => parts.insert(0, part),
            Ok(index) => match parts.get_mut(index) {
                Some(own) => *own = part,
                None => parts.push(part),
            },
        }
        parts.join(delimiter)
    }
}

/// A step of the path of a field.
#[derive(Debug, PartialEq, Eq)]
enum FieldStep<'v> {
    Key(&'v str),
    /// A key of a map, or the number of an item.
    Number(&'v str, usize),
    /// All items.
    All,
}

impl FieldStep<'_> {
    fn of<'v>(&self, value: &'v Value) -> Option<&'v Value> {
        match (self, value) {
            (FieldStep::Key(key) | FieldStep::Number(key, _), Value::Map(map)) => map.get(key),
            (FieldStep::Number(_, index), Value::List(items)) => items.get(*index),
            _ => None,
        }
    }
}

fn path_of_name() -> Vec<FieldStep<'static>> {
    vec![FieldStep::Key("metadata"), FieldStep::Key("name")]
}

/// The path of a target.
fn path_of(text: &str) -> Result<Vec<FieldStep<'_>>, Left> {
    let mut steps = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let (step, after) = match rest.strip_prefix('[') {
            Some(inside) => inside.split_once(']').ok_or(Left)?,
            None => rest.split_at(rest.find('.').unwrap_or(rest.len())),
        };
        let is_bracket = rest.starts_with('[');
        rest = match after.strip_prefix('.') {
            Some("") => return Err(Left),
            Some(after) => after,
            None if after.is_empty() => after,
            None => return Err(Left),
        };
        let is_plain =
            |byte: u8| byte.is_ascii_alphanumeric() || b"-_/".contains(&byte) || is_bracket && byte == b'.';
        steps.push(match step.parse() {
            _ if step == "*" && !is_bracket => FieldStep::All,
            _ if step.is_empty() || !step.bytes().all(is_plain) => return Err(Left),
            Ok(number) if !is_bracket => FieldStep::Number(step, number),
            _ => FieldStep::Key(step),
        });
    }
    if steps.is_empty() { Err(Left) } else { Ok(steps) }
}

/// The path of a source, which leads to one value.
fn path(text: &str) -> Result<Vec<FieldStep<'_>>, Left> {
    let steps = path_of(text)?;
    if steps.contains(&FieldStep::All) { Err(Left) } else { Ok(steps) }
}

/// Sets the texts at a path.
fn set(value: &mut Value, path: &[FieldStep<'_>], part: &str, options: &Options<'_>) -> Result<(), Left> {
    let Some((step, rest)) = path.split_first() else {
        let Value::Str(text) = value else { return Err(Left) };
        *text = options.with(text, part);
        return Ok(());
    };
    match (step, value) {
        (FieldStep::All, Value::List(items)) if !items.is_empty() => {
            items.iter_mut().try_for_each(|item| set(item, rest, part, options))
        }
        (FieldStep::Number(_, index), Value::List(items)) => {
            set(items.get_mut(*index).ok_or(Left)?, rest, part, options)
        }
        (FieldStep::Key(key) | FieldStep::Number(key, _), Value::Map(map)) => match map.get_mut(key) {
            Some(value) => set(value, rest, part, options),
            None if options.create && options.delimiter.is_none() && rest.is_empty() => {
                map.insert(*key, Value::from(part));
                Ok(())
            }
            None => Err(Left),
        },
        _ => Err(Left),
    }
}

#[cfg(test)]
mod tests {
    use super::{Left, apply};
    use crate::inputs::kustomize::Resource;
    use crate::inputs::kustomize::spent::Spent;
    use crdgen_core::json;
    use crdgen_core::value::Value;
    use crdgen_core::yaml;
    use std::path::PathBuf;
    use std::sync::Arc;

    fn value(text: &str) -> Value {
        // A text that begins with a brace is JSON.
        yaml::read_one(format!("---\n{text}").as_bytes()).map(|document| document.value).unwrap_or_default()
    }

    fn resources() -> Vec<Resource> {
        let texts = [
            "{apiVersion: v1, kind: Service, metadata: {name: x-a, namespace: ns}, spec: {ports: 1}}",
            "{apiVersion: c.io/v1, kind: Certificate, metadata: {name: c, namespace: ns, annotations: {a.b/c: p/q}}, spec: {names: [a.b.svc, a.b.local], l: [{v: s}, {v: t}]}}",
        ];
        let from = (Arc::new(PathBuf::new()), 0);
        let new =
            |text: &&str| Resource { value: value(text), from: from.clone(), earlier: vec!["a".to_owned()] };
        texts.iter().map(new).collect()
    }

    /// What kustomize makes of the certificate.
    #[test]
    fn sets_texts() {
        let source = "source: {kind: Service, name: a, version: v1}";
        for (target, expected) in [
            (
                "{select: {kind: Certificate}, fieldPaths: [spec.names.0]}",
                Some("\"names\":[\"x-a\",\"a.b.local\"]"),
            ),
            (
                "{select: {kind: Certificate, name: c, namespace: ns, group: c.io}, fieldPaths: [spec.names.0, spec.names.1], options: {delimiter: ., index: 1}}",
                Some("\"names\":[\"a.x-a.svc\",\"a.x-a.local\"]"),
            ),
            (
                "{select: {kind: Certificate}, fieldPaths: ['spec.l.*.v']}",
                Some("\"l\":[{\"v\":\"x-a\"},{\"v\":\"x-a\"}]"),
            ),
            (
                "{select: {kind: Certificate}, fieldPaths: ['metadata.annotations.[a.b/c]'], options: {delimiter: /, index: 0}}",
                Some("\"a.b/c\":\"x-a/q\""),
            ),
            (
                "{select: {kind: Certificate}, fieldPaths: [spec.new], options: {create: true}}",
                Some("\"new\":\"x-a\""),
            ),
            (
                "{select: {kind: Certificate}, fieldPaths: [spec.names.0], options: {delimiter: ., index: 9}}",
                Some("\"a.b.svc.x-a\""),
            ),
            (
                "{select: {kind: Certificate}, fieldPaths: [spec.names.0], options: {delimiter: ., index: -1}}",
                Some("\"x-a.a.b.svc\""),
            ),
            ("{select: {kind: Other}, fieldPaths: [spec.names]}", Some("a.b.svc")),
            // kustomize fails, or crdgen does not apply it.
            ("{select: {kind: Certificate}, fieldPaths: [spec.new]}", None),
            ("{select: {kind: Certificate}, fieldPaths: [spec.names]}", None),
            ("{select: {kind: Certificate}, fieldPaths: ['spec.l.[v=s].v']}", None),
            ("{select: {kind: Certificate, namespace: m}, fieldPaths: [spec.names.0]}", None),
            ("{select: {kind: C.*}, fieldPaths: [spec.names.0]}", None),
            ("{select: {kind: Certificate}, reject: [{name: c}], fieldPaths: [spec.names.0]}", None),
            ("{select: {kind: Service}, fieldPaths: [spec.ports]}", None),
        ] {
            let mut resources = resources();
            let done = apply(
                &value(&format!("{source}\ntargets: [{target}]\n")),
                &mut resources,
                "",
                &mut Spent::default(),
            );
            assert_eq!(done, expected.map_or(Err(Left), |_| Ok(())), "{target}");
            let printed = json::to_string(&resources[1].value);
            assert!(printed.contains(expected.unwrap_or_default()), "{target}: {printed}");
        }
    }

    #[test]
    fn needs_one_source() {
        let targets = "targets: [{select: {kind: Certificate}, fieldPaths: [spec.names.0]}]";
        for (source, is_done) in [
            ("{kind: Service, fieldPath: metadata.namespace}", true),
            ("{kind: Certificate, fieldPath: spec.names.1, options: {delimiter: ., index: 2}}", true),
            ("{kind: Certificate, fieldPath: spec.names.1, options: {delimiter: ., index: 3}}", false),
            ("{kind: Service, fieldPath: spec.ports}", false),
            ("{kind: Other}", false),
            ("{namespace: ns}", false),
        ] {
            let done = apply(
                &value(&format!("source: {source}\n{targets}\n")),
                &mut resources(),
                "",
                &mut Spent::default(),
            );
            assert_eq!(done.is_ok(), is_done, "{source}");
        }
    }

    /// kustomize sets the namespace of the kustomization.
    #[test]
    fn objects_without_a_namespace_get_one() {
        let item = "source: {kind: Service, fieldPath: metadata.namespace}\ntargets: [{select: {kind: Certificate, namespace: set}, fieldPaths: [spec.names.0]}]\n";
        let mut resources = resources();
        for resource in &mut resources {
            let metadata = resource.value.as_map_mut().and_then(|it| it.get_mut("metadata")?.as_map_mut());
            metadata.and_then(|metadata| metadata.remove("namespace")).unwrap_or_default();
        }
        assert_eq!(apply(&value(item), &mut resources, "", &mut Spent::default()), Err(Left));
        assert_eq!(apply(&value(item), &mut resources, "set", &mut Spent::default()), Ok(()));
        assert!(json::to_string(&resources[1].value).contains("\"names\":[\"set\","));
    }
}
