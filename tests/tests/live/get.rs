//! Compares `crdgen get` for the objects of a server with `kubectl get`, byte by byte: real objects of many kinds.

use super::Server;
use crdgen_core::go::time::Time;
use crdgen_core::value::Value;
use crdgen_core::{json, yaml};
use crdgen_tests::corpus;
use std::collections::BTreeMap;
use std::process::Command;
use std::time::{SystemTime, UNIX_EPOCH};

/// How many kinds are compared at most. The next constant limits the objects of each.
const KINDS: usize = 60;
const OBJECTS: usize = 12;

/// A kind with objects that its server has accepted.
struct Compared {
    resource: String,
    crd: String,
}

fn text<'v>(value: &'v Value, path: &[&str]) -> &'v str {
    path.iter().try_fold(value, |value, name| value.get(name)).and_then(Value::as_str).unwrap_or_default()
}

fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).expect("after 1970").as_secs()
}

/// Compares with what our command prints for these objects, for each second in which the server may have answered.
fn ours(args: &[&str], dir: &str, from: u64, to: u64, wanted: &str) -> Result<(), String> {
    let mut last = String::new();
    for now in from..=to {
        let time = Time { seconds: now.try_into().expect("a time"), nanos: 0, offset: 0 }.rfc3339_nano();
        let out = Command::new(env!("CARGO_BIN_EXE_tool"))
            .args(["get", "--now", &time])
            .args(args)
            .current_dir(dir)
            .output()
            .expect("the command starts");
        last = String::from_utf8_lossy(&out.stdout).into_owned();
        if last == wanted {
            return Ok(());
        }
        if !out.status.success() {
            return Err(String::from_utf8_lossy(&out.stderr).into_owned());
        }
    }
    Err(last)
}

/// Returns the words of a table without its ages.
fn without_ages(table: &str) -> Vec<Vec<&str>> {
    let is_age =
        |word: &&str| word.ends_with(['s', 'm', 'h', 'd']) && word.starts_with(|c: char| c.is_ascii_digit());
    table.lines().map(|line| line.split_whitespace().filter(|word| !is_age(word)).collect()).collect()
}

/// Gives an object a unique name. Every other object of a namespaced kind is in another namespace.
fn named(object: &Value, i: usize) -> Value {
    let mut object = object.clone();
    let metadata = object.as_map_mut().expect("an object").entry_or_insert_with("metadata", Value::default);
    if metadata.as_map().is_none() {
        *metadata = Value::Map(Default::default());
    }
    let metadata = metadata.as_map_mut().expect("metadata");
    metadata.insert("name", format!("object-{i}-{}", "x".repeat(i)).into());
    if metadata.get("namespace").is_some() && i.is_multiple_of(2) {
        metadata.insert("namespace", "other".into());
    }
    object
}

#[test]
fn tables_of_real_objects() {
    let server = server!("get");
    let (Some(crds), Some(objects)) = (corpus::shared_crds(), corpus::shared_objects()) else {
        return crdgen_tests::skip("live get", "no shared corpus; set $CRDGEN_CORPUS");
    };
    let mut by_kind: BTreeMap<(String, String), Vec<&Value>> = BTreeMap::new();
    for object in &objects {
        let group = text(&object.value, &["apiVersion"]).split_once('/').map_or("", |(group, _)| group);
        by_kind
            .entry((group.to_owned(), text(&object.value, &["kind"]).to_owned()))
            .or_default()
            .push(&object.value);
    }
    let dir = std::env::temp_dir().join(format!("crdgen-live-get-files-{}", std::process::id()));
    std::fs::create_dir_all(&dir).expect("a folder");
    let folder = dir.to_str().expect("a name");
    // Takes the kinds with the most objects, so that a few kinds have many.
    let mut kinds: Vec<(&corpus::Seed, Vec<&Value>)> = crds
        .iter()
        .filter_map(|crd| {
            let group = text(&crd.value, &["spec", "group"]).to_owned();
            let kind = text(&crd.value, &["spec", "names", "kind"]).to_owned();
            Some((crd, by_kind.remove(&(group, kind))?))
        })
        .collect();
    kinds.sort_by_key(|(_, objects)| std::cmp::Reverse(objects.len()));
    kinds.truncate(KINDS);
    // Every second one.
    let kinds: Vec<_> = kinds.into_iter().skip(crdgen_tests::turn() % 2).step_by(2).collect();
    let all: Vec<&str> = kinds.iter().map(|(crd, _)| crd.text.as_str()).collect();
    let _ = server.kubectl(&["create", "-f", "-"], &all.join("\n---\n"));
    let mut compared: Vec<Compared> = Vec::new();
    let mut count = 0;
    for (crd, objects) in kinds {
        let group = text(&crd.value, &["spec", "group"]);
        let resource = format!("{}.{group}", text(&crd.value, &["spec", "names", "plural"]));
        if !server.kubectl(&["get", "crd", &resource], "").status.success() {
            continue;
        }
        server.until_served(&resource);
        let sent: Vec<String> = objects
            .iter()
            .take(OBJECTS)
            .enumerate()
            .map(|(i, object)| json::to_string(&named(object, i)))
            .collect();
        let out = server.kubectl(&["create", "--validate=false", "-f", "-"], &sent.join("\n"));
        let taken = String::from_utf8_lossy(&out.stdout).lines().count();
        if taken == 0 {
            continue;
        }
        count += taken;
        let file = format!("crd-{}.yaml", compared.len());
        std::fs::write(dir.join(&file), &crd.text).expect("a file");
        compared.push(Compared { resource, crd: file });
    }
    let mut wrong = Vec::new();
    let mut outputs = 0;
    for (i, Compared { resource, crd }) in compared.iter().enumerate() {
        let file = format!("objects-{i}.yaml");
        let stored = server.ok(&["get", resource, "-A", "-o", "yaml", "--show-managed-fields"], "");
        std::fs::write(dir.join(&file), &stored).expect("a file");
        for args in [
            &["-A"][..],
            &["-A", "-o", "wide", "--show-labels"],
            &["-A", "-o", "name"],
            &["-A", "-o", "json"],
        ] {
            let from = now();
            let wanted = server.ok(&[&["get", resource][..], args].concat(), "");
            outputs += 1;
            let own = [args, &["--crd", crd, "--", &file]].concat();
            if let Err(printed) = ours(&own, folder, from.saturating_sub(1), now() + 1, &wanted) {
                wrong.push(format!("{resource} {args:?}\n{wanted}---\n{printed}"));
            }
        }
        let read = yaml::read_one(stored.as_bytes()).expect("YAML").value;
        assert!(read.get("items").is_some());
    }
    // All kinds in one call: names get a prefix, and there are empty lines between tables.
    let resources: Vec<&str> = compared.iter().take(6).map(|kind| kind.resource.as_str()).collect();
    let all = resources.join(",");
    let wanted = server.ok(&["get", &all, "-A"], "");
    let files: Vec<String> = (0..resources.len()).map(|i| format!("objects-{i}.yaml")).collect();
    let mut args = vec!["get", "-A", "-k", &all, "--crd"];
    args.extend(compared.iter().take(6).map(|kind| kind.crd.as_str()));
    args.push("--");
    args.extend(files.iter().map(String::as_str));
    let out = Command::new(env!("CARGO_BIN_EXE_tool")).args(&args).current_dir(&dir).output();
    let printed = String::from_utf8_lossy(&out.expect("the command starts").stdout).into_owned();
    // kubectl queries the server for one kind after the other, so the ages differ.
    if without_ages(&printed) != without_ages(&wanted) {
        wrong.push(format!("{all}\n{wanted}---\n{printed}"));
    }
    eprintln!("{count} objects of {} kinds, {outputs} outputs, {} differ", compared.len(), wrong.len());
    let _ = std::fs::remove_dir_all(&dir);
    assert!(wrong.is_empty(), "{}", wrong.join("\n=====\n"));
    assert!(compared.len() >= 20 && count >= 100, "{count} objects of {} kinds", compared.len());
}
