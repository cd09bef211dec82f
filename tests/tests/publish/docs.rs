//! Pages of documentation: as they look (goldens, `UPDATE=1` writes them anew), and what must hold of all.

use std::collections::BTreeSet;
use std::fs;

use crdgen::docs::{Form, documents, index};
use crdgen_core::emit::docs::page;
use crdgen_core::ir::Crd;
use crdgen_core::{decode, yaml};
use crdgen_tests::corpus;

fn tricky() -> Crd {
    let text =
        fs::read(corpus::tests_dir().join("corpus/docs/tricky.yaml")).expect("the definition is there");
    let value = yaml::read_one(&text).expect("it is YAML").value;
    decode::crd(value).0.expect("it is a definition")
}

#[test]
fn goldens() {
    let dir = corpus::tests_dir().join("goldens/docs");
    let crontab = corpus::own_crds().into_iter().find(|s| s.name.contains("crontab")).expect("a seed");
    let crds = [tricky(), decode::crd(crontab.value).0.expect("a definition")];
    let mut stale = Vec::new();
    for form in [Form::Html, Form::Markdown] {
        let mut all = documents(&crds, form);
        all.push(index(&crds, "All <kinds>", form));
        for document in all {
            let path = dir.join(&document.name);
            if std::env::var_os("UPDATE").is_some() {
                fs::create_dir_all(&dir).and_then(|()| fs::write(&path, &document.text)).expect("a golden");
            }
            if fs::read_to_string(&path).unwrap_or_default() != document.text {
                stale.push(document.name);
            }
        }
    }
    assert!(stale.is_empty(), "differ, run with UPDATE=1 and look at the difference: {}", stale.join(", "));
}

/// The definitions of the tests, and some of the shared corpus where it is.
fn all() -> Vec<Crd> {
    let shared = corpus::shared_crds().unwrap_or_default().into_iter().step_by(20);
    let seeds = corpus::own_crds().into_iter().chain(shared);
    seeds.filter_map(|seed| decode::crd(seed.value).0).chain([tricky()]).collect()
}

/// What opens is closed, each link leads somewhere, and no text has become markup.
#[test]
fn html_is_sound() {
    for document in documents(&all(), Form::Html) {
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
        assert!(!text.contains("<script") && !text.contains("<i>"), "{}", document.name);
    }
}

/// Each field is an item of a list, at its depth, with an anchor.
#[test]
fn markdown_is_a_tree() {
    for crd in all() {
        let fields: Vec<_> = page(&crd).versions.into_iter().flat_map(|v| v.fields).collect();
        let text = documents(&[crd], Form::Markdown).remove(0).text;
        let items: Vec<&str> = text.lines().filter(|l| l.trim_start().starts_with("- <a id=\"")).collect();
        assert_eq!(items.len(), fields.len());
        for (item, field) in items.iter().zip(&fields) {
            let start = format!("{}- <a id=\"{}\"></a>", "  ".repeat(field.depth), field.anchor);
            assert!(item.starts_with(&start), "{item}");
        }
        assert!(!text.contains("<script"));
    }
}

/// All ways to write a path lead to the field.
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
