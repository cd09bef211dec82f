//! Pages of documentation: how they look (goldens, which `UPDATE=1` writes again), and what must be true for all of
//! them.

use std::collections::BTreeSet;
use std::fs;

use crdgen::docs::{PageFormat, documents, site};
use crdgen_core::ir::Crd;
use crdgen_core::object::Served;
use crdgen_core::sample::{Extent, Samples};
use crdgen_core::value::Value;
use crdgen_core::{decode, yaml};
use crdgen_publish::docs::page;
use crdgen_tests::corpus;
use sha2::{Digest, Sha256};

pub(super) fn tricky() -> Crd {
    own("tricky.yaml")
}

/// Several fields have the same types.
pub(super) fn stages() -> Crd {
    own("shared.yaml")
}

fn own(name: &str) -> Crd {
    let text = fs::read(corpus::tests_dir().join("corpus/docs").join(name)).expect("the definition is there");
    let value = yaml::read_one(&text).expect("it is YAML").value;
    decode::crd(value).0.expect("it is a definition")
}

#[test]
fn goldens() {
    let dir = corpus::tests_dir().join("goldens/docs");
    let crontab = corpus::own_crds().into_iter().find(|s| s.name.contains("crontab")).expect("a seed");
    let crds = [tricky(), stages(), decode::crd(crontab.value).0.expect("a definition")];
    let mut stale = Vec::new();
    for format in [PageFormat::Html, PageFormat::Markdown] {
        for document in site(&crds, "All <kinds>", format) {
            let path = dir.join(&document.name);
            let text = without_frame(&document.text);
            if std::env::var_os("UPDATE").is_some() {
                fs::create_dir_all(&dir).and_then(|()| fs::write(&path, &text)).expect("a golden");
            }
            if fs::read_to_string(&path).unwrap_or_default() != text {
                stale.push(document.name);
            }
        }
    }
    assert!(stale.is_empty(), "differ, run with UPDATE=1 and look at the difference: {}", stale.join(", "));
}

/// Returns a page without its style and script, which are files of their own in `templates/docs`.
fn without_frame(page: &str) -> String {
    let style = include_str!("../../../templates/docs/style.css");
    let script = include_str!("../../../templates/docs/script.js");
    let hash = page.split_once("'sha256-").and_then(|(_, rest)| rest.split('\'').next()).unwrap_or_default();
    let mut text = page.to_owned();
    for (whole, name) in [(style, "style.css"), (script, "script.js"), (hash, "hash of script.js")] {
        if !whole.trim().is_empty() {
            text = text.replace(whole.trim(), name);
        }
    }
    text
}

/// Returns the CRDs of the tests, and some of the shared corpus if it is present.
fn all() -> Vec<Crd> {
    let shared = corpus::shared_crds().unwrap_or_default().into_iter().step_by(20);
    let seeds = corpus::own_crds().into_iter().chain(shared);
    seeds.filter_map(|seed| decode::crd(seed.value).0).chain([tricky(), stages()]).collect()
}

/// All tags are closed, each link has a target, and no text has become markup.
#[test]
fn html_is_sound() {
    for document in documents(&all(), PageFormat::Html) {
        let text = &document.text;
        for element in ["details", "summary", "div", "ul", "li", "code", "span", "a", "section", "table"] {
            let opened =
                text.matches(&format!("<{element}>")).count() + text.matches(&format!("<{element} ")).count();
            let closed = text.matches(&format!("</{element}>")).count();
            assert_eq!(opened, closed, "{element} in {}", document.name);
        }
        let parts = |start: &str| -> Vec<String> {
            text.split(start).skip(1).filter_map(|rest| rest.split('"').next()).map(str::to_owned).collect()
        };
        let ids = parts(" id=\"");
        let unique: BTreeSet<&String> = ids.iter().collect();
        assert_eq!(unique.len(), ids.len(), "anchors of {}", document.name);
        for link in parts(" href=\"#") {
            assert!(unique.contains(&link), "{link} in {}", document.name);
        }
        assert!(text.matches("<script").count() == 1 && !text.contains("<i>"), "{}", document.name);
    }
}

/// A page only allows the script with the hash that it contains.
#[test]
fn scripts_have_the_hash_that_pages_name() {
    for document in site(&[tricky()], "Kinds", PageFormat::Html) {
        let script = document.text.split("<script>").nth(1).and_then(|rest| rest.split("</script>").next());
        let hash = base64(&Sha256::digest(script.expect("a script")));
        let policy = format!("script-src 'sha256-{hash}';");
        assert!(
            document.text.contains(&policy),
            "{}: templates/docs/head.html needs {policy}",
            document.name
        );
    }
}

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let digits = bytes.chunks(3).flat_map(|chunk| {
        let bits = (0..3).fold(0, |bits, i| bits << 8 | usize::from(chunk.get(i).copied().unwrap_or(0)));
        (0..4).map(move |i| if i > chunk.len() { '=' } else { char::from(DIGITS[bits >> (18 - 6 * i) & 63]) })
    });
    digits.collect()
}

/// The server's own checks accept each example.
#[test]
fn examples_are_accepted() {
    let mut without = Vec::new();
    let mut count = 0;
    for crd in all() {
        let Some(samples) = Samples::new(&crd) else { continue };
        let served = Served::new(crd.clone()).expect("the samples are made of it");
        for version in crd.spec.versions.iter().filter(|version| version.served) {
            for extent in [Extent::Minimal, Extent::Full] {
                count += 1;
                let name = format!("{} {} {extent:?}", crd.metadata.name, version.name);
                let Some(object) = samples.object(&version.name, extent) else {
                    without.push(name);
                    continue;
                };
                let read = yaml::read_one(yaml::write_object(&object).as_bytes()).expect("it is YAML").value;
                let decoded = served.decode(read, &version.name).expect("it can be decoded");
                assert!(decoded.unknown.is_empty(), "{name}: {:?}", decoded.unknown);
                let mut object = decoded.object;
                served.put_into_namespace(&mut object, "").expect("it has no namespace");
                let handler = served.handler(served.version(&version.name).expect("a version"));
                let written = handler.create(object);
                assert!(written.errors.is_empty(), "{name}: {:?}", written.errors);
            }
        }
    }
    assert!(20 * without.len() <= count, "{} of {count}: {without:#?}", without.len());
}

/// A page lists what changed between versions, and links to the pages of other kinds.
#[test]
fn versions_are_compared_and_kinds_linked() {
    let mut crd = tricky();
    let mut older = crd.spec.versions[1].clone();
    older.name = "v1beta1".to_owned();
    older.storage = false;
    let spec = older.body.schema.as_mut().and_then(|s| s.open_api_v3_schema.as_mut()).expect("a schema");
    let spec = spec.properties.get_mut("spec").expect("a spec");
    spec.description = "Made by `Widget` and CronTab, see CronTab.".to_owned();
    let mode = spec.properties.remove("mode").expect("a mode");
    spec.limits.required.clear();
    spec.properties.insert("gone", mode);
    crd.spec.versions.push(older);
    let page = page(&crd);
    let names: Vec<&str> = page.versions.iter().map(|v| v.name.as_str()).collect();
    assert_eq!(names, ["v1", "v1beta1", "v1alpha1"]);
    let fields: Vec<(&str, bool, bool)> = page.changes[0]
        .fields
        .iter()
        .map(|c| (c.path.as_str(), c.old.is_empty(), c.new.is_empty()))
        .collect();
    assert_eq!(fields, [("spec.gone", false, true), ("spec.mode", true, false)]);

    let crontab = corpus::own_crds().into_iter().find(|s| s.name.contains("crontab")).expect("a seed");
    let crds = [crd, decode::crd(crontab.value).0.expect("a definition")];
    for (format, link) in [
        (PageFormat::Html, "<a href=\"stable.example.com_crontabs.html\">CronTab</a>"),
        (PageFormat::Markdown, "[CronTab](<stable.example.com_crontabs.md>)"),
    ] {
        let text = site(&crds, "Kinds", format).remove(0).text;
        assert_eq!(text.matches(link).count(), 1, "{text}");
    }
}

/// Each field is a list item at its depth, with an anchor.
#[test]
fn markdown_is_a_tree() {
    for crd in all() {
        let versions = page(&crd).versions.into_iter();
        let fields: Vec<_> = versions
            .flat_map(|v| v.shown.into_iter().chain(v.types.into_iter().flat_map(|ty| ty.fields)))
            .collect();
        let text = documents(&[crd], PageFormat::Markdown).remove(0).text;
        let items: Vec<&str> = text.lines().filter(|l| l.trim_start().starts_with("-   <a id=\"")).collect();
        assert_eq!(items.len(), fields.len());
        for (item, field) in items.iter().zip(&fields) {
            let start = format!("{}-   <a id=\"{}\"></a>", "    ".repeat(field.depth), field.anchor);
            assert!(item.starts_with(&start), "{item}");
        }
        assert!(!text.contains("<script"));
        let targets = |start: &str, end: char| -> BTreeSet<String> {
            text.split(start).skip(1).filter_map(|rest| rest.split(end).next()).map(str::to_owned).collect()
        };
        let (ids, links) = (targets("<a id=\"", '"'), targets("](#", ')'));
        assert!(links.is_subset(&ids), "{:?}", links.difference(&ids));
    }
}

/// A page shows each field in one place, and each type that several fields have once.
#[test]
fn repeated_types_are_shown_once() {
    for crd in all() {
        for version in page(&crd).versions {
            let name = format!("{} {}", crd.metadata.name, version.name);
            let types = &version.types;
            let shown: Vec<_> = version.shown.iter().chain(types.iter().flat_map(|ty| &ty.fields)).collect();
            let places: BTreeSet<&str> = shown.iter().map(|field| field.anchor.as_str()).collect();
            assert_eq!(places.len(), shown.len(), "{name}");
            let all: BTreeSet<&str> = version.fields.iter().map(|field| field.anchor.as_str()).collect();
            assert_eq!(places, all, "{name}");
            let names: BTreeSet<&str> = types.iter().map(|ty| ty.name.as_str()).collect();
            assert_eq!(names.len(), types.len(), "{name}: {names:?}");
            for ty in types {
                let links = shown.iter().filter_map(|field| field.link.as_ref());
                let users = links.filter(|link| link.anchor == ty.anchor && link.name == ty.name).count();
                assert_eq!(users, ty.users.len() + ty.more_users, "{name}: {}", ty.name);
                assert!(users > 1, "{name}: {}", ty.name);
            }
        }
    }
}

/// The names of types come from descriptions and fields. Types that lack descriptions are the same as those with them.
#[test]
fn shared_types_have_names() {
    let page = page(&stages());
    let version = page.main_version().expect("a version");
    let types: Vec<(&str, usize)> =
        version.types.iter().map(|ty| (ty.name.as_str(), ty.users.len() + ty.more_users)).collect();
    assert_eq!(types, [("From", 3), ("Step", 2)]);
    let found =
        |path: &str| version.fields.iter().find(|field| field.path == path).map(|it| it.anchor.as_str());
    assert_eq!(found("spec.onError[].from.key"), Some("stage.v1_from.key"));
    assert_eq!(found("spec.byName.*.key"), Some("stage.v1_from.key"));
    assert_eq!(found("spec.small.a"), Some("stage.v1.spec.small.a"));
}

/// The page of a schema that repeats a type very often is about as large as the type.
#[test]
fn pages_grow_with_what_is_different() {
    let size = |copies: usize| {
        let leaf = "{\"type\":\"object\",\"properties\":{\"text\":{\"type\":\"string\",\"description\":\"DOC\"},\"count\":{\"type\":\"integer\"}}}";
        let leaf = leaf.replace("DOC", &"A long description of the field. ".repeat(20));
        let fields: Vec<String> = (0..copies).map(|at| format!("\"f{at}\":{leaf}")).collect();
        let crd = super::crd(&format!("{{\"type\":\"object\",\"properties\":{{{}}}}}", fields.join(",")));
        documents(&[crd], PageFormat::Html).remove(0).text.len()
    };
    let (few, many) = (size(10), size(210));
    assert!(many - few < 200 * 400, "{few} {many}");
}

/// Real CRDs that repeat types have pages that browsers open at once.
#[test]
fn pages_have_a_budget() {
    let Some(shared) = corpus::shared_crds() else {
        return crdgen_tests::skip("sizes of pages", "no shared corpus; set $CRDGEN_CORPUS");
    };
    let mut count = 0;
    for seed in shared.into_iter().filter(|seed| seed.text.len() > 400_000) {
        let versions = decode::crd(seed.value).0.expect("a definition");
        let text = documents(&[versions], PageFormat::Html).remove(0).text;
        assert!(text.len() < 1_000_000, "{}: {}", seed.name, text.len());
        count += 1;
    }
    assert!(count > 0);
}

/// Full examples contain the alternatives of unions, and values that make sense.
#[test]
fn full_examples_are_full() {
    let full = Samples::new(&stages()).and_then(|samples| samples.full("v1")).expect("an example");
    assert!(full.rejected.is_empty() && full.cut_at.is_none(), "{full:#?}");
    let spec = full.object.get("spec").expect("a spec");
    for (path, wanted) in [
        ("steps.0.image", "registry.example.com/app:v1.2.3"),
        ("steps.0.resources.limits.memory", "1Gi"),
        ("steps.0.from.key", "key"),
        ("steps.1.wait", "1h30m"),
        ("steps.1.type", "Wait"),
        ("onError.1.wait", "1h30m"),
        ("schedule", "0 4 * * *"),
        ("host", "app.example.com"),
        ("startedAt", "2026-01-31T12:00:00Z"),
    ] {
        let step = |value: &Value, step: &str| match step.parse::<usize>() {
            Ok(index) => value.as_list()?.get(index).cloned(),
            Err(_) => value.get(step).cloned(),
        };
        let found = path.split('.').try_fold(spec.clone(), |value, it| step(&value, it));
        assert_eq!(found, Some(Value::from(wanted)), "{path}\n{}", yaml::write_object(&full.object));
    }
}

/// Of two fields that exclude each other, one is in the full example, also if the object around them needs more than its
/// required fields.
#[test]
fn full_examples_have_one_of_two_fields() {
    let target = r#"{"type":"object","required":["kind"],"properties":{
        "kind":{"type":"string","enum":["Service","Other"]},"port":{"type":"integer"}},
        "x-kubernetes-validations":[{"rule":"self.kind != 'Service' || has(self.port)"}]}"#;
    let mirror = format!(
        r#"{{"type":"object","required":["target"],"properties":{{"target":{target},"fraction":{{"type":"integer"}},"percent":{{"type":"integer"}}}},
        "x-kubernetes-validations":[{{"rule":"!(has(self.percent) && has(self.fraction))"}}]}}"#
    );
    let crd = super::crd(&format!(r#"{{"type":"object","properties":{{"mirror":{mirror}}}}}"#));
    let full = Samples::new(&crd).and_then(|samples| samples.full("v1")).expect("an example");
    let mirror = full.object.get("spec").and_then(|spec| spec.get("mirror")).expect("the field");
    let has = |name| mirror.get(name).is_some();
    assert!(has("target") && has("fraction") != has("percent"), "{mirror:?}");
}

/// A field is found by every way to write its path.
#[test]
fn fields_are_found() {
    let page = page(&tricky());
    let version = page.main_version().expect("a version");
    assert_eq!(version.name, "v1");
    for (path, found) in [
        (&["spec", "ports", "number"][..], Some("spec.ports[].number")),
        (&["spec", "maps", "deep"], Some("spec.maps.*[].deep")),
        (&["spec", "maps", "*", "deep"], Some("spec.maps.*[].deep")),
        (&["metadata", "name"], Some("metadata.name")),
        (&["spec", "nothing"], None),
        (&["ports"], None),
        (&[], None),
    ] {
        assert_eq!(version.field(path).map(|f| f.path.as_str()), found, "{path:?}");
    }
}
