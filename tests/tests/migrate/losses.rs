//! Creates objects with every field that the CRDs of kube-derive keep. If the server drops some of it with the CRDs of
//! crdgen, `migrate-check` must report this.

use crdgen_core::decode;
use crdgen_core::encode;
use crdgen_core::ir::{Additional, Crd, Items, Schema, Type};
use crdgen_core::json::to_string;
use crdgen_core::migrate::{Change, Sort, changes};
use crdgen_core::value::{Map, Value};
use crdgen_core::yaml;
use crdgen_tests::oracle::{Program, given, or_skip};
use crdgen_tests::{json, ours};
use std::path::Path;

/// Returns a value with all fields of a schema. `None` if the schema does not describe the value.
fn full(schema: &Schema, depth: usize) -> Option<Value> {
    let limits = &schema.limits;
    let branches = || limits.all_of.iter().chain(&limits.any_of).chain(&limits.one_of);
    let mut fields: Map<Value> = Map::new();
    if depth < 30 {
        for (name, property) in schema.properties.iter().chain(branches().flat_map(|it| it.properties.iter()))
        {
            if let Some(value) = full(property, depth + 1) {
                fields.insert(name.to_owned(), value);
            }
        }
        if let Some(Additional::Schema(of)) = &schema.additional_properties
            && let Some(value) = full(of, depth + 1)
        {
            fields.insert("anyKey".to_owned(), value);
        }
    }
    let keeps_more = schema.ext.preserve_unknown_fields == Some(true)
        || matches!(schema.additional_properties, Some(Additional::Allow(true)));
    if keeps_more && schema.ty.as_ref().is_none_or(|ty| *ty == Type::Object) {
        fields.insert("unknown".to_owned(), Value::Map([("inside", Value::Int(1))].into_iter().collect()));
    }
    if !fields.is_empty() {
        return Some(Value::Map(fields));
    }
    if let Some(value) = limits.enumeration.iter().find(|value| !value.is_null()) {
        return Some(value.clone());
    }
    Some(match schema.ty.as_ref()? {
        Type::Object => Value::Map(Map::new()),
        Type::Array => match &schema.items {
            Some(Items::One(item)) => Value::List(full(item, depth + 1).into_iter().collect()),
            _ => Value::List(Vec::new()),
        },
        Type::String => Value::from("text"),
        Type::Integer | Type::Number => Value::Int(1),
        Type::Boolean => Value::Bool(true),
        Type::Other(_) => return None,
    })
}

/// Collects the fields of one value that another lacks: where they were, and their names. Counts all fields.
fn lost(
    schema: Option<&Schema>,
    was: &Value,
    is: &Value,
    at: &str,
    out: &mut Vec<(String, String)>,
    all: &mut usize,
) {
    match (was, is) {
        (Value::Map(was), Value::Map(is)) => {
            for (name, value) in was.iter() {
                *all += 1;
                let property = schema.and_then(|schema| schema.properties.get(name));
                let step = if property.is_some() { format!(".{name}") } else { "{}".to_owned() };
                match is.get(name) {
                    Some(other) => lost(property, value, other, &format!("{at}{step}"), out, all),
                    None => out.push((at.to_owned(), name.to_owned())),
                }
            }
        }
        (Value::List(was), Value::List(is)) => {
            let item = match schema.and_then(|schema| schema.items.as_ref()) {
                Some(Items::One(item)) => Some(&**item),
                _ => None,
            };
            for (was, is) in was.iter().zip(is) {
                lost(item, was, is, &format!("{at}[]"), out, all);
            }
        }
        _ => {}
    }
}

/// Whether a field is in the report: as data that would be lost, or as metadata that only the server sets.
fn is_reported(changes: &[Change], version: &str, at: &str, name: &str) -> bool {
    let place = |change: &Change| {
        let at = change.at.strip_prefix(version).unwrap_or(&change.at).trim_start();
        if at == "the whole object" { String::new() } else { at.to_owned() }
    };
    changes.iter().filter(|it| it.reason.sort == Sort::Loss || it.reason.name == "metadata").any(|it| {
        let names: Vec<&str> = it.old.split(", ").collect();
        place(it) == at && (names.contains(&name) || it.old == "any field")
    })
}

/// Returns what the server keeps of an object.
fn kept(program: Option<&Program>, crd: &Crd, version: &str, object: &Value) -> Value {
    let request = [
        ("op", Value::from("object")),
        ("crd", Value::Str(to_string(&encode::crd(crd)))),
        ("version", Value::from(version)),
        ("object", Value::Str(to_string(object))),
    ];
    let request = Value::Map(request.into_iter().collect());
    let own = ours::answer(&request).get("decoded").cloned().unwrap_or(Value::Null);
    if let Some(program) = program {
        let answer = program.ask(&[to_string(&request)], 1).expect("the oracle answers").remove(0);
        let answer = json::parse(&answer).expect("JSON");
        assert_eq!(answer.get("decoded"), Some(&own), "{}", to_string(&answer));
    }
    own
}

/// Returns the fields that are lost without a report, and the number of all fields.
fn unreported(program: Option<&Program>, old: &Crd, new: &Crd) -> (Vec<String>, usize) {
    let (mut out, mut all) = (Vec::new(), 0);
    let changes = changes(old, new);
    for version in &old.spec.versions {
        let root = version.body.schema.as_ref().and_then(|it| it.open_api_v3_schema.as_ref());
        let Some(root) = root else { continue };
        let Some(Value::Map(mut object)) = full(root, 0) else { continue };
        object.insert("apiVersion".to_owned(), Value::Str(format!("{}/{}", old.spec.group, version.name)));
        object.insert("kind".to_owned(), Value::Str(old.spec.names.kind.clone()));
        object.insert("metadata".to_owned(), Value::Map([("name", Value::from("a"))].into_iter().collect()));
        let object = Value::Map(object);
        let kept = kept(program, new, &version.name, &object);
        assert!(kept.as_map().is_some(), "{}: not decoded", old.metadata.name);
        let mut gone = Vec::new();
        lost(Some(root), &object, &kept, "", &mut gone, &mut all);
        let is_silent = |(at, name): &(String, String)| !is_reported(&changes, &version.name, at, name);
        out.extend(
            gone.into_iter()
                .filter(is_silent)
                .map(|(at, name)| format!("{}: {at}.{name}", old.metadata.name)),
        );
    }
    (out, all)
}

fn old() -> Vec<Crd> {
    let text = include_str!("../../migrate/kube-derive.yaml");
    let (documents, problems) = yaml::read(text.as_bytes());
    assert!(problems.is_empty());
    documents.into_iter().map(|document| decode::crd(document.value).0.expect("a definition")).collect()
}

fn new() -> Vec<Crd> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/kube/types/src");
    let read = |name: &str| {
        let options =
            crdgen::source::Options { path: folder.join(name), refused: true, ..Default::default() };
        crdgen::source::read(&options).expect("sources").crds
    };
    ["types.rs", "habits.rs", "examples.rs"].into_iter().flat_map(read).collect()
}

#[test]
fn reports_every_field_that_would_be_lost() {
    let program = or_skip("the oracle in migrate::losses");
    let (new, mut kinds, mut fields) = (new(), 0, 0);
    for old in old() {
        let Some(new) = new.iter().find(|new| new.metadata.name == old.metadata.name) else { continue };
        let (silent, all) = unreported(program.as_ref(), &old, new);
        assert!(silent.is_empty(), "{}", silent.join("\n"));
        kinds += 1;
        fields += all;
    }
    assert!(kinds == 17 && fields > 200, "{kinds} kinds, {fields} fields");
}

/// Returns the CRDs in the files of a folder.
fn crds(folder: &Path) -> Vec<Crd> {
    let files = std::fs::read_dir(folder).into_iter().flatten().filter_map(|entry| Some(entry.ok()?.path()));
    let read = |path| yaml::read(&std::fs::read(path).expect("a file")).0;
    files.flat_map(read).filter_map(|document| decode::crd(document.value).0).collect()
}

/// The CRDs of real projects, as kube-derive generates them and as `emit` reads them. `examples/kube/projects.sh`
/// writes them to a folder.
#[test]
fn reports_what_real_projects_would_lose() {
    let Some(folder) = std::env::var_os("CRDGEN_MOVED") else {
        return crdgen_tests::skip("real projects in migrate::losses", "$CRDGEN_MOVED is not set");
    };
    let program = given().expect("the oracle");
    let (mut kinds, mut fields, mut silent) = (0, 0, Vec::new());
    for entry in std::fs::read_dir(&folder).expect("a folder") {
        let before = entry.expect("a file").path();
        if before.extension().is_none_or(|extension| extension != "before") {
            continue;
        }
        let new = crds(&before.with_extension("crds"));
        for old in crds(&before) {
            let Some(new) = new.iter().find(|new| new.metadata.name == old.metadata.name) else { continue };
            let (lost, all) = unreported(Some(&program), &old, new);
            silent.extend(lost);
            kinds += 1;
            fields += all;
        }
    }
    println!("{kinds} kinds, {fields} fields");
    assert!(kinds > 0 && silent.is_empty(), "{}", silent.join("\n"));
}

/// Makes sure that the search works: if a field is removed from a CRD, it is lost, and is reported.
#[test]
fn finds_a_field_that_is_taken_out() {
    for crd in new() {
        let mut less = crd.clone();
        let mut spec = |name: &mut String| {
            let root = less.spec.versions[0].body.schema.as_mut()?.open_api_v3_schema.as_mut()?;
            let mut all: Vec<(String, Schema)> = std::mem::take(&mut root.properties).into_iter().collect();
            let (_, spec) = all.iter_mut().find(|(name, _)| name == "spec")?;
            let mut fields: Vec<(String, Schema)> =
                std::mem::take(&mut spec.properties).into_iter().collect();
            let is_open =
                spec.ext.preserve_unknown_fields == Some(true) || spec.additional_properties.is_some();
            if let Some((field, _)) = (!is_open).then(|| fields.pop()).flatten() {
                *name = field;
            }
            spec.properties = fields.into_iter().collect();
            root.properties = all.into_iter().collect();
            Some(())
        };
        let mut name = String::new();
        if spec(&mut name).is_none() || name.is_empty() {
            continue;
        }
        let version = crd.spec.versions[0].name.clone();
        assert!(
            is_reported(&changes(&crd, &less), &version, ".spec", &name),
            "{}: {name}",
            crd.metadata.name
        );
        assert_eq!(unreported(None, &crd, &less).0, Vec::<String>::new(), "{}", crd.metadata.name);
    }
}
