//! kube's `merge_crds`: which version `crdgen emit` stores, and what it reports if it cannot determine that.

use crate::console::arguments::{folder, shell};

/// Returns two versions of a kind of kube-rs, and code that merges them.
fn versions(first: &str, second: &str, code: &str) -> String {
    let module = |name: &str, attributes: &str| {
        format!(
            "pub mod {name} {{\n\
             #[derive(kube::CustomResource, Clone, Debug, serde::Deserialize, serde::Serialize, schemars::JsonSchema)]\n\
             #[kube(version = \"{name}\", kind = \"Foo\"{attributes})]\n\
             pub struct FooSpec {{ pub a: i32 }}\n}}\n"
        )
    };
    module("v1", first) + &module("v2", second) + code
}

const GROUP: &str = ", group = \"a.example.com\", namespaced";

fn emit(name: &str, code: &str) -> (Option<i32>, String, String) {
    let folder = folder(&format!("merges-{name}"), &[("lib.rs", &versions(GROUP, GROUP, code))]);
    shell(&folder, "crdgen emit lib.rs -o json")
}

/// Returns the names of the versions, each with whether it is stored.
fn storage(text: &str) -> Vec<(String, bool)> {
    let crd: serde_json::Value = serde_json::from_str(text).unwrap_or_else(|e| panic!("{e}: {text}"));
    let versions = crd["spec"]["versions"].as_array().expect("versions");
    let of = |v: &serde_json::Value| (v["name"].as_str().expect("a name").to_owned(), v["storage"] == true);
    versions.iter().map(of).collect()
}

#[test]
fn finds_the_stored_version() {
    for (i, code) in [
        "fn f() { kube::core::crd::merge_crds(vec![v1::Foo::crd(), v2::Foo::crd()], \"v1\").unwrap(); }",
        "use kube::core::crd::merge_crds; const STORED: &str = \"v1\"; fn f() { merge_crds(vec![v1::Foo::crd(), v2::Foo::crd(),], STORED).unwrap(); }",
        "impl A { fn f() { println!(\"{}\", kube::core::crd::merge_crds(vec![v1::Foo::crd(), v2::Foo::crd()], &\"v1\").unwrap()); } }",
        "fn f() { let crds: Vec<Crd> = vec![v2::Foo::crd(), v1::Foo::crd()]; if x { let version = \"v1\"; merge_crds(crds, version).unwrap(); } }",
        "use v1::Foo as Old; use v2::*; fn f() { merge_crds(vec![Old::crd(), Foo::crd()], \"v1\").unwrap(); }",
        "fn f() { merge_crds(vec![<v1::Foo as CustomResourceExt>::crd(), <v2::Foo as CustomResourceExt>::crd()], \"v1\"); }",
        "fn f() -> Crd { return ::kube::core::crd::merge_crds(vec![v1::Foo::crd(), v2::Foo::crd()], \"v1\").unwrap(); }",
        "use kube::core::crd; fn f() { crd::merge_crds(vec![v1::Foo::crd(), v2::Foo::crd()], \"v1\").unwrap(); }",
        "mod inner { use super::{v1, v2}; fn f() { merge_crds(vec![v1::Foo::crd(), v2::Foo::crd()], \"v1\"); merge_crds(vec![v1::Foo::crd(), v2::Foo::crd()], \"v1\"); } }",
    ]
    .into_iter()
    .enumerate()
    {
        let (exit, stdout, stderr) = emit(&format!("known-{i}"), code);
        assert!(exit == Some(0) && stderr.is_empty(), "{code}\n{stderr}");
        assert_eq!(storage(&stdout), [("v2".to_owned(), false), ("v1".to_owned(), true)], "{code}");
    }
}

/// Code that does not run has no effect, and neither does a function of another crate with the same name.
#[test]
fn ignores_what_is_not_a_call() {
    for (i, code) in [
        "#[cfg(test)] mod tests { fn f() { merge_crds(vec![v1::Foo::crd(), v2::Foo::crd()], \"v1\"); } }",
        "#[cfg(never)] fn f() { merge_crds(vec![v1::Foo::crd(), v2::Foo::crd()], \"v1\"); }",
        "mod own { pub fn merge_crds(all: Vec<Crd>, version: &str) {} } fn f() { own::merge_crds(vec![v1::Foo::crd(), v2::Foo::crd()], \"v1\"); }",
        "fn f(it: Own) { it.merge_crds(vec![v1::Foo::crd(), v2::Foo::crd()], \"v1\"); }",
        "fn merge_crds(all: Vec<Crd>, version: &str) {} fn f() { merge_crds(vec![v1::Foo::crd(), v2::Foo::crd()], \"v1\"); }",
    ]
    .into_iter()
    .enumerate()
    {
        let (exit, stdout, stderr) = emit(&format!("none-{i}"), code);
        assert!(exit == Some(1) && stdout.is_empty(), "{code}\n{stdout}");
        assert!(stderr.contains("several versions are the storage version: v2, v1"), "{code}\n{stderr}");
        assert!(!stderr.contains("merge_crds"), "{code}\n{stderr}");
    }
}

#[test]
fn reports_what_it_cannot_determine() {
    for (name, code, message) in [
        (
            "version",
            "fn f(v: &str) { merge_crds(vec![v1::Foo::crd(), v2::Foo::crd()], v); }",
            "crdgen cannot evaluate `v` without running code, so it does not know which version `merge_crds` stores",
        ),
        (
            "list",
            "fn f(all: Vec<Crd>) { merge_crds(all, \"v1\"); }",
            "crdgen cannot evaluate `all` without running code, so it does not know which CRDs `merge_crds` merges",
        ),
        (
            "part",
            "fn f(all: Vec<Crd>) { merge_crds(vec![v1::Foo::crd(), unseen()], \"v1\"); }",
            "crdgen cannot evaluate `unseen()` without running code, so it does not know which CRDs `merge_crds` merges",
        ),
        (
            "both",
            "fn f() { merge_crds(vec![v1::Foo::crd(), v2::Foo::crd()], \"v1\"); merge_crds(vec![v1::Foo::crd(), v2::Foo::crd()], \"v2\"); }",
            "`merge_crds` stores the version v2 of Foo here, and v1 elsewhere",
        ),
    ] {
        let (exit, stdout, stderr) = emit(name, code);
        assert!(exit == Some(1) && stdout.is_empty(), "{code}\n{stdout}");
        assert!(stderr.contains(&format!("warning[RST019]: {message}\n  --> lib.rs:")), "{code}\n{stderr}");
        assert!(stderr.contains("several versions are the storage version: v2, v1"), "{code}\n{stderr}");
    }
}

/// kube returns an error for these when the program runs.
#[test]
fn reports_what_kube_rejects() {
    let list = "vec![v1::Foo::crd(), v2::Foo::crd()]";
    for (name, first, second, stored, message) in [
        (
            "missing",
            GROUP,
            GROUP,
            "v3",
            "RST019]: `merge_crds` returns an error: the stored version `v3` is not in the list (v1, v2)",
        ),
        (
            "group",
            GROUP,
            ", group = \"b.example.com\", namespaced",
            "v1",
            "RST020]: `merge_crds` returns an error: the CRDs differ in group",
        ),
        (
            "scope",
            GROUP,
            ", group = \"a.example.com\"",
            "v1",
            "RST020]: `merge_crds` returns an error: the CRDs differ in scope",
        ),
    ] {
        let code = format!("fn f() {{ kube::core::crd::merge_crds({list}, \"{stored}\"); }}");
        let folder = folder(&format!("merges-{name}"), &[("lib.rs", &versions(first, second, &code))]);
        let (exit, _, stderr) = shell(&folder, "crdgen emit lib.rs -o json");
        assert!(exit == Some(1) && stderr.contains(message), "{name}: {stderr}");
    }
}

/// Names and metadata belong to the kind: the merged CRD has those of the stored version.
#[test]
fn takes_names_from_the_stored_version() {
    let (first, second) = (
        format!("{GROUP}, shortname = \"one\", label(\"a\", \"1\")"),
        format!("{GROUP}, shortname = \"two\""),
    );
    let code = "fn f() { merge_crds(vec![v1::Foo::crd(), v2::Foo::crd()], \"v1\"); }";
    let folder = folder("merges-names", &[("lib.rs", &versions(&first, &second, code))]);
    let (exit, stdout, stderr) = shell(&folder, "crdgen emit lib.rs -o json");
    assert!(exit == Some(0) && stderr.is_empty(), "{stderr}");
    let crd: serde_json::Value = serde_json::from_str(&stdout).expect("JSON");
    assert_eq!(crd["spec"]["names"]["shortNames"], serde_json::json!(["one"]));
    assert_eq!(crd["metadata"]["labels"], serde_json::json!({ "a": "1" }));
}

/// A program that prints the CRDs of its library determines the version that the library stores.
#[test]
fn reads_the_calls_of_programs() {
    // It is a workspace of its own, because the folder may be inside of this one.
    let manifest = "[package]\nname = \"shop\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[workspace]\n";
    let main = "use kube::core::{crd::merge_crds, CustomResourceExt};\nuse shop::{v1, v2};\n\
                fn main() { let crd = merge_crds(vec![v1::Foo::crd(), v2::Foo::crd()], \"v1\").unwrap(); print(crd) }";
    let lib = versions(GROUP, GROUP, "");
    let files = [("Cargo.toml", manifest), ("src/lib.rs", &lib), ("src/main.rs", main)];
    let folder = folder("merges-program", &files);
    let (exit, stdout, stderr) = shell(&folder, "crdgen emit . -o json");
    assert!(exit == Some(0) && stderr.is_empty(), "{stderr}");
    assert_eq!(storage(&stdout), [("v2".to_owned(), false), ("v1".to_owned(), true)]);
}

/// The sources of kube contain the function, too.
#[test]
fn finds_the_function_of_kube_in_its_sources() {
    let manifest = |name: &str, rest: &str| {
        format!("[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2021\"\n{rest}")
    };
    let dependencies = "[features]\n[dependencies]\nkube = { path = \"kube\" }\n[workspace]\n";
    let code = "use kube::core::crd::merge_crds; fn f() { merge_crds(vec![v1::Foo::crd(), v2::Foo::crd()], \"v1\").unwrap(); }";
    let files = [
        ("Cargo.toml", &manifest("p", dependencies)),
        ("src/lib.rs", &versions(GROUP, GROUP, code)),
        ("kube/Cargo.toml", &manifest("kube", "")),
        (
            "kube/src/lib.rs",
            &"pub mod core { pub mod crd { pub fn merge_crds(all: Vec<Crd>, version: &str) {} } }".to_owned(),
        ),
    ];
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (*path, text.as_str())).collect();
    let (exit, stdout, stderr) = shell(&folder("merges-sources", &files), "crdgen emit -o json");
    assert!(exit == Some(0) && stderr.is_empty(), "{stderr}");
    assert_eq!(storage(&stdout), [("v2".to_owned(), false), ("v1".to_owned(), true)]);
}
