//! Writes the table of messages, by which the server reads protobuf: `cargo run -p crdgen-apiserver --example messages --
//! FOLDER/api FOLDER/apimachinery FOLDER/apiextensions-apiserver > src/request/protobuf/messages.txt`, where the folders are those of
//! the Go modules k8s.io/api, k8s.io/apimachinery and k8s.io/apiextensions-apiserver.
//!
//! A line is a message: its name, and for each field `number:name:type`. A field without a name is a part of the message itself
//! in JSON, and those with the name `=` mean the message itself: of these, the last one that is there. `[]` and `{}` begin the types of lists and maps, and `*` those
//! of fields that Go leaves out if they are not there. The letters of types are those of `protobuf::Type`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// The packages whose objects are served.
const PACKAGES: [&str; 20] = [
    "admissionregistration/v1",
    "apidiscovery/v2",
    "apps/v1",
    "authentication/v1",
    "authorization/v1",
    "autoscaling/v1",
    "autoscaling/v2",
    "batch/v1",
    "certificates/v1",
    "coordination/v1",
    "core/v1",
    "discovery/v1",
    "events/v1",
    "networking/v1",
    "node/v1",
    "policy/v1",
    "rbac/v1",
    "resource/v1",
    "scheduling/v1",
    "storage/v1",
];

/// The package of CRDs.
const DEFINITIONS: &str = "apiextensions.v1";

/// What has no metadata of an object.
const OTHERS: [&str; 7] =
    ["APIGroup", "APIGroupList", "APIResourceList", "APIVersions", "DeleteOptions", "ListMeta", "Status"];

/// The fields of a message: number, name and type.
type Fields = BTreeMap<u32, (String, String)>;

fn short(name: &str) -> String {
    let name = name.trim_start_matches('.');
    let name = name.strip_prefix("k8s.io.api.").unwrap_or(name);
    name.strip_prefix("k8s.io.apimachinery.pkg.").unwrap_or(name).to_owned()
}

/// The type of a field in the table.
fn code(package: &str, ty: &str) -> String {
    match ty {
        "string" => "s".to_owned(),
        "bytes" => "b".to_owned(),
        "bool" => "o".to_owned(),
        "int32" | "int64" => "i".to_owned(),
        "double" => "d".to_owned(),
        ty if ty.starts_with('.') => match short(ty).as_str() {
            "apis.meta.v1.Time" => "T".to_owned(),
            "apis.meta.v1.MicroTime" => "M".to_owned(),
            "apis.meta.v1.FieldsV1" | "runtime.RawExtension" => "J".to_owned(),
            "api.resource.Quantity" => "Q".to_owned(),
            "util.intstr.IntOrString" => "I".to_owned(),
            other => other.to_owned(),
        },
        "JSON" if package == DEFINITIONS => "J".to_owned(),
        "Time" if package == "apis.meta.v1" => "T".to_owned(),
        "MicroTime" if package == "apis.meta.v1" => "M".to_owned(),
        "FieldsV1" if package == "apis.meta.v1" => "J".to_owned(),
        own => format!("{package}.{own}"),
    }
}

fn read_messages(path: &Path, package: &str, out: &mut BTreeMap<String, Fields>) {
    let text = fs::read_to_string(path).unwrap_or_else(|why| panic!("{}: {why}", path.display()));
    let mut message = String::new();
    for line in text.lines() {
        if let Some(name) = line.strip_prefix("message ").and_then(|rest| rest.strip_suffix(" {")) {
            message = format!("{package}.{name}");
            out.insert(message.clone(), Fields::new());
            continue;
        }
        let Some((left, number)) = line.trim().strip_suffix(';').and_then(|line| line.rsplit_once(" = "))
        else {
            continue;
        };
        let Ok(number) = number.parse() else { continue };
        let (left, name) = left.rsplit_once(' ').expect("a type and a name");
        let ty = if let Some(ty) = left.strip_prefix("optional ") {
            code(package, ty)
        } else if let Some(ty) = left.strip_prefix("repeated ") {
            format!("[]{}", code(package, ty))
        } else if let Some(ty) = left.strip_prefix("map<string, ").and_then(|ty| ty.strip_suffix('>')) {
            format!("{{}}{}", code(package, ty))
        } else {
            continue;
        };
        out.get_mut(&message).expect("a message").insert(number, (name.to_owned(), ty));
    }
}

/// Replaces the names of fields by those in JSON, which the tags in Go say, and marks the pointers.
fn read_tags(path: &Path, package: &str, messages: &mut BTreeMap<String, Fields>) {
    let text = fs::read_to_string(path).unwrap_or_else(|why| panic!("{}: {why}", path.display()));
    let mut message = String::new();
    for line in text.lines() {
        if let Some(rest) = line.strip_prefix("type ") {
            let (name, rest) = rest.split_once(' ').unwrap_or((rest, ""));
            message = format!("{package}.{name}");
            if rest.starts_with("[]")
                && let Some(fields) = messages.get_mut(&message)
                && let Some((name, _)) = fields.get_mut(&1)
            {
                *name = "=".to_owned();
            }
        }
        let Some((_, tag)) = line.split_once("protobuf:\"") else { continue };
        let number = tag.split(['"', ',']).nth(1).and_then(|number| number.parse().ok());
        let Some(number) = number else { continue };
        let Some((name, ty)) = messages.get_mut(&message).and_then(|fields| fields.get_mut(&number)) else {
            continue;
        };
        if line.split_whitespace().nth(1).is_some_and(|it| it.starts_with('*')) && !ty.starts_with(['[', '{'])
        {
            ty.insert(0, '*');
        }
        if let Some((_, json)) = line.split_once("json:\"") {
            json.split(['"', ',']).next().unwrap_or_default().clone_into(name);
        }
    }
}

/// The type of a value, or of the items of a list or map.
fn bare(ty: &str) -> &str {
    ty.trim_start_matches(['[', ']', '{', '}', '*'])
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [api, machinery, extensions] = &args[..] else {
        panic!("usage: messages FOLDER/api FOLDER/apimachinery FOLDER/apiextensions-apiserver")
    };
    let mut messages = BTreeMap::new();
    let meta = Path::new(machinery).join("pkg/apis/meta/v1");
    let mut folders = vec![(meta, "apis.meta.v1".to_owned())];
    folders.push((Path::new(extensions).join("pkg/apis/apiextensions/v1"), DEFINITIONS.to_owned()));
    folders.extend(PACKAGES.map(|package| (Path::new(api).join(package), package.replace('/', "."))));
    for (folder, package) in &folders {
        read_messages(&folder.join("generated.proto"), package, &mut messages);
    }
    for (folder, package) in &folders {
        for entry in fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.extension().is_some_and(|it| it == "go") {
                read_tags(&path, package, &mut messages);
            }
        }
    }
    // In JSON, these are one of their fields.
    for (name, fields) in &mut messages {
        if name.starts_with("apiextensions.v1.JSONSchemaPropsOr") {
            fields.values_mut().for_each(|(name, _)| *name = "=".to_owned());
        }
    }
    // Fields of other packages are alpha features.
    let names: BTreeSet<String> = messages.keys().cloned().collect();
    for fields in messages.values_mut() {
        fields.retain(|_, (_, ty)| ty.len() <= 3 || names.contains(bare(ty)));
    }
    // Objects, and what they contain.
    let is_object = |fields: &Fields| fields.values().any(|(_, ty)| ty == "apis.meta.v1.ObjectMeta");
    let mut todo: Vec<String> =
        messages.iter().filter(|(_, fields)| is_object(fields)).map(|(name, _)| name.clone()).collect();
    todo.extend(OTHERS.map(|name| format!("apis.meta.v1.{name}")));
    let mut found = BTreeSet::new();
    while let Some(name) = todo.pop() {
        let Some(fields) = messages.get(&name) else { continue };
        if found.insert(name) {
            todo.extend(fields.values().map(|(_, ty)| bare(ty).to_owned()));
        }
    }
    for name in found {
        let fields = messages[&name].iter().map(|(number, (name, ty))| format!(" {number}:{name}:{ty}"));
        println!("{name}{}", fields.collect::<String>());
    }
}
