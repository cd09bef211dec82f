//! Generates the tables of Kubernetes' own types: which types the crate `k8s_openapi` has, for which versions of
//! Kubernetes, and which schemas controller-gen generates for the Go types with the same names.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crdgen_core::ir::Schema;
use crdgen_core::json::to_string;
use crdgen_core::k8s;
use crdgen_core::value::{Map, Value};

use crate::corpus::tests_dir;
use crate::json::parse;

/// `codegen/runtime/src/k8s/types.rs`
pub fn types() -> io::Result<String> {
    let table = table(&rust_types()?)?;
    let mut out = String::from(
        "//! Written by `tables write`, from what controller-gen makes of the Go types. Do not edit.\n\n\
         #![allow(non_upper_case_globals, missing_docs, reason = \"named as the types are\")]\n\n\
         use super::Type;\nuse std::sync::OnceLock;\n\n\
         macro_rules! types {\n    ($($name:literal $id:ident [$($part:ident)*] $text:literal)*) => {\n        \
         $(pub static $id: Type =\n            \
         Type { name: $name, text: $text, parts: &[$(&$part),*], read: OnceLock::new() };)*\n        \
         /// Sorted by name.\n        pub(super) static ALL: &[&Type] = &[$(&$id),*];\n    };\n}\n\n\
         // A type a line: its name, its static, those of the types it refers to, its schema.\ntypes! {\n",
    );
    for (name, schema) in table.iter() {
        let mut parts = BTreeSet::new();
        references(schema, &mut parts);
        let parts: Vec<String> = parts.into_iter().map(id).collect();
        let text = to_string(schema);
        _ = writeln!(out, "{name:?} {} [{}] r##\"{text}\"##", id(name), parts.join(" "));
    }
    out.push_str("}\n");
    Ok(out)
}

/// `codegen/import/src/structs/known.rs`: the types that CRDs embed, and all types that these use. If several have
/// the same name, the first one counts.
pub fn known() -> io::Result<String> {
    let mut found: BTreeMap<&str, (&str, Vec<String>)> = BTreeMap::new();
    let names: BTreeSet<&'static str> = k8s::names().collect();
    let mut open: Vec<&'static str> = k8s::EMBEDDED.to_vec();
    while let Some(full) = open.pop() {
        let name = full.split_once('.').map_or(full, |(_, name)| name);
        let Some(schema) = k8s::shallow(full).filter(|_| !found.contains_key(name)).and_then(followed) else {
            continue;
        };
        found.insert(name, (full, schema.properties.keys().map(str::to_owned).collect()));
        let mut parts: Vec<&str> = Vec::new();
        of_schema(&schema, &mut |part| parts.extend(names.get(part)));
        open.extend(parts);
    }
    let mut out = String::from(
        "//! Written by `tables write`, from the schemas of Kubernetes' own types. Do not edit.\n\n\
         /// One of Kubernetes' own types.\npub(super) struct Known {\n    \
         /// Its name in the table of their schemas, such as `core/v1.PodSpec`.\n    \
         pub(super) full: &'static str,\n    \
         /// The names of its properties, sorted.\n    \
         pub(super) properties: &'static [&'static str],\n}\n\n\
         macro_rules! known {\n    ($($full:literal $($property:literal)*;)*) => {\n        \
         /// By name.\n        pub(super) static ALL: &[Known] =\n            \
         &[$(Known { full: $full, properties: &[$($property),*] }),*];\n    };\n}\n\n\
         // A type a line: its name in the table of schemas, its properties.\nknown! {\n",
    );
    for (full, properties) in found.values().filter(|(_, properties)| !properties.is_empty()) {
        _ = write!(out, "{full:?}");
        properties.iter().for_each(|p| _ = write!(out, " {p:?}"));
        out.push_str(";\n");
    }
    out.push_str("}\n");
    Ok(out)
}

/// Returns the schema that a name refers to.
fn followed(mut schema: Schema) -> Option<Schema> {
    while let Some(name) = schema.foreign.as_ref().and_then(|f| f.reference.clone()) {
        schema = k8s::shallow(&name)?;
    }
    Some(schema)
}

/// Calls a function with each name that a schema refers to.
fn of_schema(schema: &Schema, call: &mut impl FnMut(&str)) {
    if let Some(target) = schema.foreign.as_ref().and_then(|f| f.reference.as_deref()) {
        call(target);
    }
    let inner = schema.properties.values().chain(schema.item()).chain(schema.value());
    inner.for_each(|s| of_schema(s, call));
}

/// The types of the table by their names without groups and versions.
fn by_name() -> io::Result<BTreeMap<String, Vec<String>>> {
    let mut out: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for name in table(&rust_types()?)?.keys() {
        let short = name.rsplit('.').next().unwrap_or_default();
        out.entry(short.to_owned()).or_default().push(id(name));
    }
    // k8s-openapi has a type of its own for `[]byte`, which is not in the table.
    out.entry("ByteString".to_owned()).or_default();
    Ok(out)
}

/// `codegen/rust/src/derive/kubernetes_names.rs`
pub fn names() -> io::Result<String> {
    let mut out = String::from(
        "//! Written by `tables write`, from the names of Kubernetes' own types. Do not edit.\n\n\
         macro_rules! named {\n    ($($name:ident $($id:ident)*;)*) => {\n        \
         /// The names without their groups and versions, sorted, each with the statics of all types that have it.\n        \
         pub(super) const NAMED: &[(&str, &str)] = &[$((stringify!($name), stringify!($($id)*))),*];\n    };\n}\n\n\
         // A name a line, with the statics of all types that have it.\nnamed! {\n",
    );
    for (name, types) in by_name()? {
        let types: String = types.iter().map(|ty| format!(" {ty}")).collect();
        _ = writeln!(out, "{name}{types};");
    }
    out.push_str("}\n");
    Ok(out)
}

/// `codegen/runtime/src/recipe/metadata.json`
pub fn metadata() -> io::Result<String> {
    go(&["run", ".", "metadata"], "")
}

/// Returns the output of controller-gen for the Go package with the kinds of `tests/kubernetes/kinds.rs`.
pub fn kinds() -> io::Result<String> {
    let args = ["tool", "controller-gen", "crd:maxDescLen=0", "paths=./kinds", "output:crd:stdout"];
    let text = go(&args, "")?;
    // The version of controller-gen is in the output too, and is removed because it changes nothing.
    let version = "  annotations:\n    controller-gen.kubebuilder.io/version: v0.23.0\n";
    Ok(text.replace(version, ""))
}

/// The name of a static.
fn id(name: &str) -> String {
    name.replace(['/', '.'], "_")
}

fn name_of(path: &[String]) -> Option<String> {
    k8s::name_of_rust_path(&path.iter().map(String::as_str).collect::<Vec<_>>())
}

fn references<'a>(schema: &'a Value, out: &mut BTreeSet<&'a str>) {
    match schema {
        Value::Map(map) => {
            for (key, value) in map.iter() {
                match value.as_str() {
                    Some(name) if key == "$ref" => _ = out.insert(name),
                    _ => references(value, out),
                }
            }
        }
        Value::List(items) => items.iter().for_each(|item| references(item, out)),
        Value::Null | Value::Bool(_) | Value::Int(_) | Value::Float(_) | Value::Str(_) => {}
    }
}

/// The schemas of the wanted types, by their names.
fn table(wanted: &BTreeMap<Vec<String>, Vec<u32>>) -> io::Result<Map<Value>> {
    let names: Vec<String> = wanted.keys().filter_map(|path| name_of(path)).collect();
    let value = parse(&go(&["run", "."], &names.join("\n"))?).map_err(io::Error::other)?;
    value.as_map().cloned().ok_or_else(|| io::Error::other("the table is no object"))
}

/// Runs Go in `tests/k8s-types`.
fn go(args: &[&str], input: &str) -> io::Result<String> {
    let mut child = Command::new("go")
        .args(args)
        .current_dir(tests_dir().join("k8s-types"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    if let Some(mut stdin) = child.stdin.take() {
        stdin.write_all(input.as_bytes())?;
    }
    let out = child.wait_with_output()?;
    if !out.status.success() {
        let why = String::from_utf8_lossy(&out.stderr);
        return Err(io::Error::other(format!("go {} in tests/k8s-types: {why}", args.join(" "))));
    }
    String::from_utf8(out.stdout).map_err(io::Error::other)
}

/// Returns the types of k8s-openapi by their paths, with the minor versions of Kubernetes that have them.
fn rust_types() -> io::Result<BTreeMap<Vec<String>, Vec<u32>>> {
    let sources = crate_folder("k8s-openapi")?.join("src");
    let mut out: BTreeMap<Vec<String>, Vec<u32>> = BTreeMap::new();
    for entry in std::fs::read_dir(&sources)? {
        let entry = entry?;
        let name = entry.file_name();
        if let Some(version) = name.to_str().and_then(|n| n.strip_prefix("v1_")?.parse().ok()) {
            exports(&entry.path(), &mut Vec::new(), &mut |path| {
                out.entry(path).or_default().push(version);
            })?;
        }
    }
    out.values_mut().for_each(|versions| versions.sort_unstable());
    Ok(out)
}

/// Every `pub use self::module::Type;` below a folder.
fn exports(folder: &Path, path: &mut Vec<String>, found: &mut dyn FnMut(Vec<String>)) -> io::Result<()> {
    for line in std::fs::read_to_string(folder.join("mod.rs"))?.lines() {
        let Some(rest) = line.strip_prefix("pub use self::") else { continue };
        if let Some((_, name)) = rest.trim_end_matches(';').split_once("::")
            // This type is generic over the object, and is only used in the answers to a watch.
            && name != "WatchEvent"
        {
            found(path.iter().cloned().chain([name.to_owned()]).collect());
        }
    }
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            path.push(entry.file_name().to_string_lossy().into_owned());
            exports(&entry.path(), path, found)?;
            path.pop();
        }
    }
    Ok(())
}

/// Returns the folder in which cargo keeps a package of the workspace's lock file.
fn crate_folder(name: &str) -> io::Result<PathBuf> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let out = Command::new(cargo)
        .args(["metadata", "--format-version", "1", "--all-features"])
        .current_dir(tests_dir())
        .output()?;
    let metadata = parse(&String::from_utf8_lossy(&out.stdout)).map_err(io::Error::other)?;
    let packages = metadata.get("packages").and_then(Value::as_list).unwrap_or_default();
    let is = |p: &&Value| p.get("name").and_then(Value::as_str) == Some(name);
    let manifest = packages.iter().find(is).and_then(|p| p.get("manifest_path")?.as_str());
    let folder = manifest.and_then(|m| Path::new(m).parent());
    folder.map(Path::to_owned).ok_or_else(|| io::Error::other(format!("no package {name}")))
}
