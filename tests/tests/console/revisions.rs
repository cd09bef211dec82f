//! Rust types at a revision of git, and in files, as what other types are compared with.

use std::fs;

use super::arguments::{folder, shell, write};

const KIND: &str = "use serde::{Deserialize, Serialize};\npub mod part;\n#[derive(CustomResource, Schema, Serialize, Deserialize)]\n\
    #[kube(group = \"example.com\", version = \"v1\", kind = \"One\")]\npub struct OneSpec {\n    pub a: Option<i32>,\n    pub part: \
    Option<part::Part>,\n    pub more: Option<renamed::More>,\n}\n";
const PART: &str = "use serde::{Deserialize, Serialize};\n#[derive(Schema, Serialize, Deserialize)]\npub struct Part { pub b: Option<i64> }\n";
const MORE: &str = "use serde::{Deserialize, Serialize};\n#[derive(Schema, Serialize, Deserialize)]\npub struct More { pub c: Option<i64> }\n";

const COMMIT: &str = "git add -A && git -c user.name=a -c user.email=a@example.com commit -qm a";

/// A workspace whose package needs a renamed crate of it. `v1` is a tag, and the types in the working tree are stricter.
fn workspace(name: &str) -> std::path::PathBuf {
    let package = |name: &str, more: &str| {
        format!(
            "[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[dependencies]\n{more}"
        )
    };
    let folder = folder(
        name,
        &[
            ("Cargo.toml", "[workspace]\nmembers = [\"crates/*\"]\nresolver = \"3\"\n"),
            (
                "crates/op/Cargo.toml",
                &package("op", "renamed = { path = \"../more\", package = \"more\" }\n"),
            ),
            ("crates/op/src/lib.rs", KIND),
            ("crates/op/src/part.rs", PART),
            ("crates/more/Cargo.toml", &package("more", "")),
            ("crates/more/src/lib.rs", MORE),
        ],
    );
    let (code, _, err) = shell(&folder, &format!("git init -qb main . && {COMMIT} && git tag v1"));
    assert_eq!(code, Some(0), "{err}");
    write(&folder, "crates/op/src/lib.rs", &KIND.replace("pub a: Option<i32>", "pub a: i32"));
    write(&folder, "crates/op/src/part.rs", &PART.replace("pub b: Option<i64>", "pub b: i64"));
    write(&folder, "crates/more/src/lib.rs", &MORE.replace("pub c: Option<i64>", "pub c: i64"));
    folder
}

/// Each side can be types in the working tree, at a revision, or in another folder, and the places are those of the new side.
#[test]
fn types_are_compared_with_those_of_a_revision() {
    let folder = workspace("types-at-revisions");
    let (code, _, err) = shell(&folder, &format!("{COMMIT} && git tag v2 && git worktree add -q old v1"));
    assert_eq!(code, Some(0), "{err}");
    let mut outputs = Vec::new();
    for (line, place) in [
        ("crdgen diff git:v1 crates/op/src", ""),
        ("crdgen diff git:v1 crates/op/Cargo.toml", ""),
        ("cd crates/op && crdgen diff git:v1 src | sed 's|src/|crates/op/src/|'", ""),
        ("cd crates && crdgen diff git:v1 op/src | sed 's|op/src/|crates/op/src/|'", ""),
        ("crdgen diff git:v1 git:v2:crates/op/src", "v2:"),
        ("crdgen diff git:v1:crates/op/src git:v2:crates/op/src", "v2:"),
        ("crdgen diff git:v1:crates/op/src crates/op/src", ""),
        ("crdgen diff old/crates/op/src crates/op/src", ""),
        ("crdgen diff old/crates/op/src/lib.rs crates/op/src", ""),
    ] {
        let (_, out, err) = shell(&folder, line);
        for wanted in ["crates/op/src/lib.rs:6:9", "crates/op/src/part.rs:3:23", "    pub a: i32,"] {
            assert!(
                out.contains(&format!("{place}{wanted}")) || wanted.starts_with(' ') && out.contains(wanted),
                "{line}: {wanted}: {out}{err}"
            );
        }
        assert!(err.contains("1 CRD in 1 file") && !err.contains("checked as new"), "{line}: {err}");
        // The paths are relative to the current folder.
        let lines = out.lines().filter(|line| !line.trim_start().starts_with("-->"));
        outputs.push(lines.collect::<Vec<_>>().join("\n"));
    }
    outputs.dedup();
    assert_eq!(outputs.len(), 1, "{}", outputs.join("\n=====\n"));
    for line in [
        "crdgen diff git:v2 crates/op/src",
        "crdgen diff git:v1 git:v1:crates/op/src",
        "crdgen diff git:v2:crates/op/src git:v2:crates/op/Cargo.toml",
    ] {
        let (code, out, err) = shell(&folder, line);
        assert!(code == Some(0) && out.is_empty() && !err.contains("checked as new"), "{line}: {out}{err}");
    }
    let (code, out, err) = shell(&folder, "crdgen check crates/op/src --against git:v1 --fail-on breaking");
    assert!(code == Some(1) && out.contains("`a` was optional, now required"), "{out}{err}");
    assert!(out.contains(" --> crates/op/src/lib.rs:6:9"), "{out}");
    let (code, out, err) = shell(&folder, "crdgen check crates/op/src --against git:v2");
    assert!(code == Some(0) && !out.contains("CHG"), "{out}{err}");
}

/// Kinds that only one side has, paths that only one side has, and mistakes of the old types.
#[test]
fn old_types_may_be_elsewhere_or_wrong() {
    let folder = workspace("types-elsewhere");
    let kept = |from: &str, to: &str| {
        format!("sed -i.bak 's/{from}/{to}/' crates/op/src/lib.rs && rm crates/op/src/*.bak")
    };
    let (_, out, err) = shell(
        &folder,
        &format!("{} && crdgen diff git:v1 crates/op/src", kept("kind = \"One\"", "kind = \"Two\"")),
    );
    assert!(out.contains("ones.example.com") && out.contains(" --> v1:crates/op/src/lib.rs:"), "{out}{err}");
    assert!(err.contains("checked as new") && err.contains("twos.example.com"), "{err}");
    let (code, _, err) = shell(&folder, "mv crates/op crates/moved && crdgen diff git:v1 crates/moved/src");
    assert!(
        code == Some(2)
            && err.contains("there is no Rust in v1:crates/moved/src")
            && err.contains("git:v1:PATH"),
        "{err}"
    );
    let (code, out, err) = shell(&folder, "crdgen diff git:v1:crates/op/src crates/moved/src");
    assert!(code == Some(1) && out.contains("ones.example.com"), "{out}{err}");
    write(&folder, "crates/moved/src/lib.rs", "#[derive(CustomResource)] struct Wrong;\n");
    let (code, _, err) =
        shell(&folder, &format!("{COMMIT} && crdgen diff git:HEAD:crates/moved/src git:v1:crates/op/src"));
    assert!(code == Some(1) && err.contains("HEAD:crates/moved/src/lib.rs:1:"), "{err}");
}

/// The types are compared with types, even if there are CRDs in YAML; a revision without types has its YAML.
#[test]
fn types_are_compared_with_yaml_if_a_revision_has_no_types() {
    let folder = workspace("types-and-yaml");
    let emit = "crdgen emit crates/op > crd.yaml";
    let (code, _, err) = shell(
        &folder,
        &format!(
            "{emit} && git rm -qr --cached crates Cargo.toml && git add crd.yaml && git -c user.name=a -c user.email=a@example.com commit -qm b && git tag yaml"
        ),
    );
    assert_eq!(code, Some(0), "{err}");
    let (code, out, err) = shell(&folder, "crdgen diff git:yaml crates/op/src");
    assert!(code == Some(0) && out.is_empty() && !err.contains("checked as new"), "{out}{err}");
    // The YAML of the new commit is not what its types were.
    let (code, out, err) = shell(
        &folder,
        &format!(
            "{COMMIT} && sed -i.bak 's/type: integer/type: string/' crd.yaml && crdgen diff git:HEAD crates/op/src && crdgen diff git:v1 crates/op/src"
        ),
    );
    assert!(code == Some(1) && out.contains("now required") && !out.contains("`string`"), "{out}{err}");
}

/// cargo does not use the network for a revision, whatever its lock file names.
#[test]
fn revisions_are_read_offline() {
    let folder = workspace("types-offline");
    let cargo = "#!/bin/sh\necho \"$*\" >> \"${0%/*}/asked\"\n[ \"$1\" = locate-project ] || exit 1\nexec \"$REAL\" \"$@\"\n";
    write(&folder, "cargo.sh", cargo);
    let line = "chmod +x cargo.sh && export REAL=${CARGO:-cargo} && CARGO=$PWD/cargo.sh crdgen diff git:v1 crates/op/src; grep -c -e --offline asked; grep -v -e --offline asked | grep -c metadata";
    let (_, out, err) = shell(&folder, line);
    let counts: Vec<&str> = out.lines().rev().take(2).collect();
    assert!(counts.len() == 2 && counts.iter().all(|count| *count != "0"), "{out}{err}");
    // Without cargo, the manifests are enough.
    assert!(out.contains("`a` was optional, now required"), "{out}{err}");
}

/// A CRD is compared with that in its own file, or otherwise with the one of its folder, and copies are reported once.
#[test]
fn copies_are_compared_with_their_own_files_and_reported_once() {
    let crd = |most: u32| {
        format!(
            "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {{name: goods.example.com}}\nspec:\n  group: \
             example.com\n  scope: Namespaced\n  names: {{kind: Good, plural: goods, singular: good, listKind: GoodList}}\n  versions:\n  - \
             {{name: v1, served: true, storage: true, schema: {{openAPIV3Schema: {{type: object, properties: {{a: {{type: string, \
             maxLength: {most}}}}}}}}}}}\n"
        )
    };
    let files = [("config/a.yaml", crd(20)), ("charts/b.yaml", crd(30)), ("x/config/a.yaml", crd(40))];
    let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (*name, text.as_str())).collect();
    let folder = folder("copies-at-revisions", &files);
    assert_eq!(shell(&folder, &format!("git init -qb main . && {COMMIT}")).0, Some(0));
    // Each is compared with its own file.
    let (code, out, err) = shell(&folder, "crdgen diff git:HEAD");
    assert!(code == Some(0) && out.is_empty(), "{out}{err}");
    // A renamed file is compared with the one in its folder.
    let (code, out, err) = shell(&folder, "mv config/a.yaml config/b.yaml && crdgen diff git:HEAD");
    assert!(code == Some(0) && out.is_empty(), "{out}{err}");
    for name in ["config/b.yaml", "charts/b.yaml", "x/config/a.yaml"] {
        write(&folder, name, &crd(10));
    }
    let (code, _, err) = shell(&folder, &format!("{COMMIT} && git tag same"));
    assert_eq!(code, Some(0), "{err}");
    for name in ["config/b.yaml", "charts/b.yaml", "x/config/a.yaml"] {
        write(&folder, name, &crd(9));
    }
    let (code, out, err) = shell(&folder, "crdgen diff git:same");
    assert!(code == Some(1) && out.matches("maxLength was 10, now 9").count() == 1, "{out}{err}");
    assert!(err.contains("also in ./config/b.yaml, ./x/config/a.yaml"), "{err}");
    assert_eq!(err.matches("v1 has changes").count(), 1, "{err}");
    let (_, out, _) = shell(&folder, "crdgen diff git:same -o json");
    assert!(out.contains("\"copies\":{\"goods.example.com\":["), "{out}");
    // An exception for the first file is none for the others.
    let (code, out, err) =
        shell(&folder, "crdgen diff git:same --allow 'charts/*.yaml: CHG002 nobody uses it'");
    assert!(code == Some(1) && out.contains("config/b.yaml"), "{out}{err}");
}

/// On Windows, such a name is none.
#[cfg(not(windows))]
#[test]
fn files_with_colons_in_their_names_are_compared() {
    let crd = include_str!("../../changes/widget.yaml");
    let folder = folder(
        "colons",
        &[("a:b.yaml", crd), ("c\\d.yaml", &crd.replace("widget", "gadget").replace("Widget", "Gadget"))],
    );
    let (code, _, err) = shell(&folder, &format!("git init -qb main . && {COMMIT}"));
    assert_eq!(code, Some(0), "{err}");
    for line in ["crdgen discover git:HEAD", "crdgen diff git:HEAD 'a:b.yaml'", "crdgen diff git:HEAD"] {
        let (code, out, err) = shell(&folder, line);
        assert_eq!(code, Some(0), "{line}: {out}{err}");
        assert!(!err.contains("checked as new"), "{line}: {err}");
        assert!(!line.contains("discover") || out.contains("CRDs: 2"), "{line}: {out}");
    }
}

/// A kind that crdgen cannot read is not one that was removed.
#[test]
fn kinds_that_cannot_be_read_are_not_removed() {
    let two = format!(
        "{KIND}#[derive(CustomResource, Schema, Serialize, Deserialize)]\n#[kube(group = \"example.com\", version = \"v1\", kind = \"Two\")]\n\
         pub struct TwoSpec {{\n    #[serde(default = \"image\")]\n    pub image: String,\n}}\nfn image() -> String {{ \"a\".to_owned() }}\n"
    );
    let folder = workspace("unread-kinds");
    write(&folder, "crates/op/src/lib.rs", &two);
    let (code, _, err) = shell(&folder, COMMIT);
    assert_eq!(code, Some(0), "{err}");
    write(
        &folder,
        "crates/op/src/lib.rs",
        &two.replace("\"a\".to_owned()", "std::env::var(\"IMAGE\").unwrap()"),
    );
    let (code, out, err) = shell(&folder, "crdgen check crates/op/src --against git:HEAD");
    assert_eq!(code, Some(1), "{out}{err}");
    assert!(out.contains("RST012") && !out.contains("CHG004"), "{out}{err}");
}

/// A CRD whose schema has a type.
fn crd_of(name: &str, ty: &str) -> String {
    format!(
        "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {{name: {name}s.example.com}}\n\
         spec:\n  group: example.com\n  scope: Cluster\n  names: {{kind: {name}, plural: {name}s, singular: {name}, listKind: L{name}}}\n  \
         versions:\n  - name: v1\n    served: true\n    storage: true\n    schema: {{openAPIV3Schema: {{type: {ty}}}}}\n"
    )
}

#[test]
fn crds_in_yaml_that_cannot_be_read_are_not_removed() {
    let crd = crd_of;
    let folder = folder("unreadable-crds", &[]);
    for (file, text) in [
        ("old/one.yaml", crd("one", "object")),
        ("old/two.yaml", crd("two", "object")),
        ("new/one.yaml", crd("one", "false")),
    ] {
        write(&folder, file, &text);
    }
    for line in ["crdgen diff old new", "crdgen check new --against old"] {
        let (code, out, err) = shell(&folder, line);
        assert_eq!(code, Some(1), "{line}: {out}{err}");
        assert!(out.contains("error[CRD002]"), "{line}: {out}{err}");
        assert!(out.contains("the CRD twos.example.com was removed"), "{line}: {out}{err}");
        assert!(!out.contains("ones.example.com was removed"), "{line}: {out}{err}");
    }
}

/// An old CRD that cannot be read does not hide what changes in the others, also in its own file. The run fails, and says why.
#[test]
fn old_crds_that_cannot_be_read_do_not_hide_changes_of_others() {
    let folder = folder("unreadable-old-crds", &[]);
    let changed = crd_of("two", "object, required: [spec], properties: {spec: {type: object}}");
    for (file, text) in [
        ("old/all.yaml", format!("{}---\n{}", crd_of("one", "false"), crd_of("two", "object"))),
        ("new/all.yaml", format!("{}---\n{changed}", crd_of("one", "object"))),
        ("torn/one.yaml", "kind: CustomResourceDefinition\na: [1\n".to_owned()),
        ("torn/two.yaml", crd_of("two", "object")),
    ] {
        write(&folder, file, &text);
    }
    let change = "`spec` was not in the schema, now required";
    for line in ["crdgen diff old new", "crdgen check new --against old"] {
        let (code, out, err) = shell(&folder, line);
        assert_eq!(code, Some(1), "{line}: {out}{err}");
        assert!(out.contains("error[CRD002]") && out.contains("--> old/all.yaml:12:"), "{line}: {out}{err}");
        assert!(out.contains(change), "{line}: {out}{err}");
        assert!(!out.contains("removed") && !err.contains("as new"), "{line}: {out}{err}");
    }
    // The name is unknown.
    for line in ["crdgen diff torn/one.yaml new", "crdgen check new --against torn/one.yaml"] {
        let (code, out, err) = shell(&folder, line);
        assert_eq!(code, Some(1), "{line}: {out}{err}");
        assert!(out.contains("error[YAML001]") && out.contains("--> torn/one.yaml:2:"), "{line}: {out}{err}");
        assert!(err.contains("not compared, because the old CRD may be in a file that crdgen cannot read: ones.example.com, twos.example.com"), "{line}: {out}{err}");
        assert!(!err.contains("as new"), "{line}: {out}{err}");
    }
}

/// A CRD may be in a file that crdgen cannot read. Then it was neither removed nor is it new.
#[test]
fn crds_of_unreadable_files_are_not_compared() {
    let folder = folder("unreadable", &[]);
    for (file, text) in [
        ("whole/one.yaml", crd_of("one", "object").as_str()),
        ("whole/two.yaml", &crd_of("two", "object")),
        ("torn/one.yaml", &crd_of("one", "object")),
        ("torn/two.yaml", "kind: CustomResourceDefinition\na: [1\n"),
        ("large/one.yaml", &crd_of("one", "object")),
    ] {
        write(&folder, file, text);
    }
    // A file that is too large is one that every user cannot read.
    let large =
        fs::File::create(folder.join("large/two.yaml")).and_then(|file| file.set_len((128 << 20) + 1));
    large.unwrap_or_else(|e| panic!("{e}"));
    for (broken, code, reason) in [
        ("torn", 1, "YAML001"),
        ("large", 2, "large/two.yaml: larger than"),
        ("large/*.yaml", 2, "larger than"),
    ] {
        let new =
            "not compared, because the new CRD may be in a file that crdgen cannot read: twos.example.com";
        let old =
            "not compared, because the old CRD may be in a file that crdgen cannot read: twos.example.com";
        for (line, wanted) in [
            (format!("crdgen diff whole {broken}"), new),
            (format!("crdgen check {broken} --against whole"), new),
            (format!("crdgen diff {} whole", broken.trim_end_matches("/*.yaml")), old),
            (format!("crdgen check whole --against {}", broken.trim_end_matches("/*.yaml")), old),
        ] {
            let (found, out, err) = shell(&folder, &line);
            assert_eq!(found, Some(code), "{line}: {out}{err}");
            assert!(err.contains(wanted) && format!("{out}{err}").contains(reason), "{line}: {out}{err}");
            for other in ["removed", "only in", "as new"] {
                assert!(!format!("{out}{err}").contains(other), "{line}: {out}{err}");
            }
        }
    }
}

/// A file or a folder that the user may not read does not hide the others.
#[test]
fn goes_on_behind_closed_folders() {
    use std::os::unix::fs::PermissionsExt;
    let folder = folder("closed", &[]);
    let wrong = crd_of("one", "objekt");
    for (file, text) in [
        ("new/a/one.yaml", wrong.as_str()),
        ("new/closed/two.yaml", &crd_of("two", "object")),
        ("new/three.yaml", &crd_of("three", "object")),
        ("old/one.yaml", &crd_of("one", "object")),
        ("old/two.yaml", &crd_of("two", "object")),
        ("old/three.yaml", &crd_of("three", "object")),
    ] {
        write(&folder, file, text);
    }
    let set = |file: &str, mode: u32| {
        let mode = fs::Permissions::from_mode(mode);
        fs::set_permissions(folder.join(file), mode).unwrap_or_else(|e| panic!("{file}: {e}"));
    };
    set("new/closed", 0);
    set("new/three.yaml", 0);
    let is_closed = fs::read_dir(folder.join("new/closed")).is_err();
    let lines = [
        "crdgen check new",
        "crdgen check new/closed new/a",
        "crdgen check new/three.yaml new/a/one.yaml",
        "crdgen check new/closed/two.yaml new/a/one.yaml",
        "crdgen diff old new",
        "crdgen check new --against old",
    ];
    let ran = lines.map(|line| (line, shell(&folder, line)));
    // The next run of the test removes the folder.
    set("new/closed", 0o755);
    if !is_closed {
        crdgen_tests::skip("closed folders", "this user may read everything");
        return;
    }
    for (line, (code, out, err)) in ran {
        assert!(code == Some(2) && err.contains("denied"), "{line}: {out}{err}");
        assert!(out.contains("new/a/one.yaml:"), "{line}: {out}{err}");
        if line.contains("old") {
            let wanted = "not compared, because the new CRD may be in a file that crdgen cannot read: threes.example.com, twos.example.com";
            assert!(err.contains(wanted) && !out.contains("removed"), "{line}: {out}{err}");
        }
    }
}

/// A package that has the derive from another crate than kube or crdgen, and YAML that has nothing to do with its types.
#[test]
fn types_of_packages_with_unrelated_yaml_are_read() {
    let manifest = "[package]\nname = \"op\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[dependencies]\nframework = \"1\"\n";
    let lib = "use framework::kube::CustomResource;\n#[derive(CustomResource, schemars::JsonSchema, serde::Deserialize)]\n\
        #[kube(group = \"example.com\", version = \"v1\", kind = \"One\")]\npub struct OneSpec {\n    pub a: i32,\n}\n";
    let folder = folder(
        "unrelated-yaml",
        &[("op/Cargo.toml", manifest), ("op/src/lib.rs", lib), ("op/src/vector.yaml", "sources: {}\n")],
    );
    write(&folder, "old/one.yaml", &crd_of("one", "object"));
    for line in ["crdgen diff old op", "crdgen check op --against old"] {
        let (code, out, err) = shell(&folder, line);
        assert_eq!(code, Some(1), "{line}: {out}{err}");
        assert!(out.contains("op/src/lib.rs") && !out.contains("removed"), "{line}: {out}{err}");
    }
}

/// A CRD that is in a template of a chart now was not removed, with and without helm.
#[test]
fn files_that_moved_into_a_chart_are_not_removed() {
    let crd = include_str!("../../changes/widget.yaml");
    let folder = folder(
        "into-a-chart",
        &[
            ("config/crd.yaml", crd),
            ("config/other.yaml", &crd.replace("widget", "gadget").replace("Widget", "Gadget")),
            ("chart/Chart.yaml", "apiVersion: v2\nname: chart\nversion: 0.1.0\n"),
            ("chart/templates/.keep", ""),
        ],
    );
    let moved = "git mv config/crd.yaml chart/templates/ && rm config/other.yaml";
    let (code, _, err) = shell(&folder, &format!("git init -qb main . && {COMMIT} && {moved}"));
    assert_eq!(code, Some(0), "{err}");
    write(&folder, "config/third.yaml", &crd.replace("widget", "third").replace("Widget", "Third"));
    let (code, out, err) = shell(&folder, "crdgen check . --against git:HEAD --fail-on breaking");
    assert_eq!(code, Some(1), "{out}{err}");
    assert!(!out.contains("widgets.") && out.contains("gadgets."), "{out}{err}");
}

/// A mistake in one type, in the new or in the old sources, does not hide what changes in the other kinds. The run fails, because a kind
/// is not compared.
#[test]
fn kinds_without_mistakes_are_compared_with_each_other() {
    let two = "#[derive(CustomResource, Schema, Serialize, Deserialize)]\n#[kube(group = \"example.com\", version = \"v1\", kind = \"Two\")]\n\
        pub struct TwoSpec {\n    #[schema(default = 1)]\n    pub two: Option<i32>,\n}\n";
    let folder = workspace("mistaken-kinds");
    let (old, lib) = (format!("{KIND}{two}"), "crates/op/src/lib.rs");
    let mistaken = |text: &str| text.replace("default = 1", "default = limit()");
    let changed = |text: &str| text.replace("pub a: Option<i32>", "pub a: i32");
    write(&folder, lib, &old);
    let (code, _, err) = shell(&folder, &format!("{COMMIT} && git tag good"));
    assert_eq!(code, Some(0), "{err}");
    write(&folder, lib, &mistaken(&changed(&old)));
    let (code, _, err) = shell(&folder, &format!("{COMMIT} && git tag mistaken"));
    assert_eq!(code, Some(0), "{err}");
    for (line, mistake, gone) in [
        ("crdgen diff git:good crates/op/src", " --> crates/op/src/lib.rs:", ""),
        (
            "crdgen diff git:good:crates/op/src git:mistaken:crates/op/src",
            " --> mistaken:crates/op/src/lib.rs:",
            "",
        ),
        ("crdgen check crates/op/src --against git:good", " --> crates/op/src/lib.rs:", ""),
        ("crdgen diff git:mistaken crates/op/src", " --> mistaken:crates/op/src/lib.rs:", "good"),
        ("crdgen check crates/op/src --against git:mistaken", " --> mistaken:crates/op/src/lib.rs:", "good"),
    ] {
        let reset = if gone == "good" { "git checkout -q good -- crates && " } else { "" };
        let (code, out, err) = shell(&folder, &format!("{reset}{line}"));
        assert_eq!(code, Some(1), "{line}: {out}{err}");
        assert!(out.contains("this is not JSON") && out.contains(mistake), "{line}: {out}{err}");
        let change =
            if gone == "good" { "`a` was required, now optional" } else { "`a` was optional, now required" };
        assert!(out.contains(change), "{line}: {out}{err}");
        assert!(
            !out.contains("twos.example.com was removed") && !err.contains("checked as new"),
            "{line}: {out}{err}"
        );
        assert!(!err.contains("only in the old CRDs"), "{line}: {err}");
        let is_diff = line.contains("diff");
        assert!(
            !is_diff || err.contains("not compared, because") && err.contains("twos.example.com"),
            "{line}: {err}"
        );
        assert!(!err.contains("crdgen-sources"), "{line}: {err}");
    }
}

/// What cargo says about packages at a revision names these, and not the folders to which they are copied.
#[test]
fn errors_of_cargo_name_files_at_revisions() {
    let folder = workspace("cargo-at-revisions");
    let missing = "[package]\nname = \"op\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[dependencies]\nrenamed = { path = \"../more\", package \
        = \"more\" }\ncrdgen = { path = \"../missing\" }\n";
    write(&folder, "crates/op/Cargo.toml", missing);
    let lost = KIND.replace("renamed::More", "crdgen::More");
    write(&folder, "crates/op/src/lib.rs", &lost);
    let (code, _, err) = shell(
        &folder,
        &format!("{COMMIT} && git tag lost && crdgen diff git:v1:crates/op/src git:lost:crates/op/src"),
    );
    assert_eq!(code, Some(1), "{err}");
    assert!(
        err.contains("cargo metadata")
            && err.contains("lost:crates/missing/Cargo.toml")
            && !err.contains("/crdgen-"),
        "{err}"
    );
    let (_, _, err) = shell(&folder, "cd crates/op && crdgen diff git:v1");
    assert!(!err.contains("\\n") && !err.contains("/crdgen-"), "{err}");
}

/// A registry's crate that is not on this machine does not hide the packages of the project itself, however manifests name them.
#[test]
fn packages_of_the_project_are_known_without_those_of_registries() {
    let missing = "not-on-this-machine = \"9.9.9\"\n";
    for (name, own, of_workspace) in [
        ("by-path", "renamed = { path = \"../more\", package = \"more\" }\n", ""),
        (
            "of-workspace",
            "renamed = { workspace = true }\n",
            "renamed = { path = \"crates/more\", package = \"more\" }\n",
        ),
        (
            "of-target",
            "[target.'cfg(unix)'.dependencies]\nrenamed = { path = \"../more\", package = \"more\" }\n",
            "",
        ),
    ] {
        let folder = workspace(&format!("offline-{name}"));
        let workspace = format!(
            "[workspace]\nmembers = [\"crates/*\"]\nresolver = \"3\"\n[workspace.dependencies]\n{of_workspace}"
        );
        write(&folder, "Cargo.toml", &workspace);
        let package = format!(
            "[package]\nname = \"op\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[dependencies]\n{missing}{own}"
        );
        write(&folder, "crates/op/Cargo.toml", &package);
        let (code, _, err) = shell(&folder, &format!("{COMMIT} && git tag v2"));
        assert_eq!(code, Some(0), "{err}");
        write(&folder, "crates/more/src/lib.rs", &MORE.replace("pub c: Option<i64>", "pub c: String"));
        for line in [
            "CARGO_NET_OFFLINE=true crdgen diff git:v2 crates/op/src",
            "CARGO_NET_OFFLINE=true crdgen diff git:v2:crates/op/src crates/op/src",
            "CARGO_NET_OFFLINE=true crdgen diff git:v2 crates/op/Cargo.toml",
        ] {
            let (code, out, err) = shell(&folder, line);
            assert!(
                code == Some(1) && out.contains("crates/more/src/lib.rs:3:") && !err.contains("not compared"),
                "{name}: {line}: {out}{err}"
            );
        }
    }
}

/// A file that moved to another folder is compared with what it was, if git knows that it moved: in a commit, or in its index. Names of
/// files may have colons.
#[test]
fn moved_files_are_compared_with_what_they_were() {
    let crd = include_str!("../../changes/widget.yaml");
    let stricter = crd.replace("maxLength: 20", "maxLength: 3");
    assert_ne!(crd, stricter);
    let files = [("config/crd/widget.yaml", crd), ("config/b:c.yaml", crd), ("other/README", "")];
    let folder = folder("moved-files", &files);
    let (code, _, err) = shell(&folder, &format!("git init -qb main . && {COMMIT} && git tag v1"));
    assert_eq!(code, Some(0), "{err}");
    let (code, _, err) =
        shell(&folder, "git rm -q config/b:c.yaml && mkdir -p deploy && git mv config/crd deploy/crds");
    assert_eq!(code, Some(0), "{err}");
    write(&folder, "deploy/crds/widget.yaml", &stricter);
    let of_index = [
        "crdgen diff git:v1 deploy",
        "crdgen diff git:v1 deploy/crds/widget.yaml",
        "crdgen diff git:v1",
        "cd deploy && crdgen diff git:v1",
        "cd deploy/crds && crdgen diff git:v1 widget.yaml",
        "cd other && crdgen diff git:v1 ../deploy",
        "crdgen check deploy --against git:v1 --deny-warnings",
    ];
    let compared = |line: &str| {
        let (code, out, err) = shell(&folder, line);
        assert!(code == Some(1) && out.contains("maxLength was 20, now 3"), "{line}: {out}{err}");
        assert!(!err.contains("checked as new") && !out.contains("was removed"), "{line}: {out}{err}");
    };
    of_index.into_iter().for_each(compared);
    let (code, _, err) = shell(&folder, &format!("{COMMIT} && git tag v2"));
    assert_eq!(code, Some(0), "{err}");
    let of_revisions = [
        "crdgen diff git:v1 git:v2:deploy",
        "crdgen diff git:v1 git:v2",
        "cd other && crdgen diff git:v1 git:v2:../deploy/crds",
    ];
    of_index.into_iter().chain(of_revisions).for_each(compared);
}

/// In the root of a workspace without a package of its own, all members are read, also if only they need crdgen.
#[test]
fn virtual_workspaces_are_read_with_all_members() {
    let folder = workspace("virtual-workspaces");
    let package = |name: &str| {
        format!("[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[dependencies]\n")
    };
    let op = package("op")
        + "renamed = { path = \"../more\", package = \"more\" }\ncrdgen = { path = \"../crdgen\" }\n";
    write(&folder, "crates/op/Cargo.toml", &op);
    write(&folder, "crates/crdgen/Cargo.toml", &package("crdgen"));
    write(&folder, "crates/crdgen/src/lib.rs", "");
    let (code, _, err) = shell(
        &folder,
        &format!("git stash -q -- crates/op/src crates/more && {COMMIT} && git tag v2 && git stash pop -q"),
    );
    assert_eq!(code, Some(0), "{err}");
    for line in [
        "crdgen diff git:v2",
        "crdgen diff git:v2 .",
        "crdgen check --against git:v2",
        "crdgen diff git:v2 git:v1",
    ] {
        let (_, out, err) = shell(&folder, line);
        let is_same = line.ends_with("v1");
        assert!(out.contains("`a` was optional, now required") != is_same, "{line}: {out}{err}");
        assert!(err.contains("1 CRD in") || out.contains("1 CRD in") || is_same, "{line}: {out}{err}");
    }
}

/// The only kind of a revision has an attribute that crdgen does not know. It is the only one that is not compared, on either side.
#[test]
fn unknown_attributes_concern_only_their_kind() {
    let folder = workspace("unknown-attributes");
    let (wrong, two) =
        (KIND.replace("kind = \"One\"", "kind = \"One\", apiextension = \"v1\""), KIND.replace("One", "Two"));
    let two = two.split_once("#[derive").map_or("", |(_, two)| two);
    write(&folder, "crates/op/src/lib.rs", &wrong);
    let (code, _, err) = shell(&folder, &format!("{COMMIT} && git tag wrong"));
    assert_eq!(code, Some(0), "{err}");
    write(&folder, "crates/op/src/lib.rs", &format!("{KIND}#[derive{two}"));
    let (code, out, err) = shell(&folder, "crdgen diff git:wrong crates/op/src");
    assert!(
        code == Some(1) && out.contains("error[RST002]") && out.contains("wrong:crates/op/src/lib.rs:"),
        "{out}{err}"
    );
    assert!(err.contains("in git:wrong:crates/op/src: ones.example.com\n"), "{err}");
    let new = "(if a file was moved, pass a folder that contains both places): twos.example.com\n";
    assert!(err.contains(new) && err.contains("2 CRDs in 1 file: 1 error\n"), "{err}");
    // The other way around.
    let (code, _, err) = shell(&folder, &format!("{COMMIT} && git tag right && git checkout -q wrong"));
    assert_eq!(code, Some(0), "{err}");
    for line in ["crdgen diff git:right crates/op/src", "crdgen diff git:right git:wrong:crates/op/src"] {
        let (code, out, err) = shell(&folder, line);
        assert!(code == Some(1) && out.contains("error[RST002]"), "{line}: {out}{err}");
        assert!(err.contains("crates/op/src: ones.example.com\n"), "{line}: {err}");
    }
    // What kube 0.50 wrote is known.
    let old = wrong.replace("apiextension", "apiextensions");
    let (code, _, err) = shell(&folder, "git checkout -q v1");
    assert_eq!(code, Some(0), "{err}");
    write(&folder, "crates/op/src/lib.rs", &old);
    let (code, out, err) = shell(&folder, "crdgen diff git:v1 crates/op/src");
    assert!(code == Some(0) && out.is_empty() && !err.contains("not compared"), "{out}{err}");
}

/// Versions may be removed as Kubernetes' deprecation policy allows it, and both commands decide alike.
#[test]
fn versions_are_removed_by_the_deprecation_policy() {
    let crd = |versions: &str| {
        format!(
            "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {{name: goods.example.com}}\nspec:\n  group: \
             example.com\n  scope: Namespaced\n  names: {{kind: Good, plural: goods, singular: good, listKind: GoodList}}\n  versions:\n{versions}"
        )
    };
    let version = |name: &str, more: &str| {
        format!("  - {{name: {name}, {more}, schema: {{openAPIV3Schema: {{type: object}}}}}}\n")
    };
    let kept = version("v2", "served: true, storage: true");
    let folder = folder("removed-versions", &[]);
    let mut wrong = Vec::new();
    for (name, before, fails_removed, fails_unserved) in [
        ("v1alpha1", "served: true", false, false),
        ("v1alpha1", "served: true, deprecated: true", false, false),
        ("v1alpha1", "served: false", false, false),
        ("v1beta1", "served: true", true, true),
        ("v1beta1", "served: true, deprecated: true", false, false),
        ("v1beta1", "served: false", false, false),
        ("v1", "served: true", true, true),
        ("v1", "served: true, deprecated: true", true, true),
        ("v1", "served: false, deprecated: true", false, false),
        ("beta", "served: true, deprecated: true", true, true),
    ] {
        let (served, unserved) =
            (format!("{before}, storage: false"), before.replace("served: true", "served: false"));
        write(&folder, "old.yaml", &crd(&format!("{kept}{}", version(name, &served))));
        write(&folder, "removed.yaml", &crd(&kept));
        write(
            &folder,
            "unserved.yaml",
            &crd(&format!("{kept}{}", version(name, &format!("{unserved}, storage: false")))),
        );
        for (new, fails) in [("removed.yaml", fails_removed), ("unserved.yaml", fails_unserved)] {
            for (line, fails) in [
                (format!("crdgen diff old.yaml {new}"), fails),
                (format!("crdgen check {new} --against old.yaml --fail-on breaking"), fails),
                (format!("crdgen diff old.yaml {new} --unstable"), before.contains("served: true")),
            ] {
                let (code, out, err) = shell(&folder, &line);
                if code != Some(i32::from(fails)) {
                    wrong.push(format!("{name} {before}: {line}: {code:?} {out}{err}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    // The server still has objects in it.
    let stored = "status: {storedVersions: [v1alpha1, v2]}\n";
    let all = crd(&format!("{kept}{}", version("v1alpha1", "served: false, storage: false")));
    write(&folder, "old.yaml", &format!("{all}{stored}"));
    write(&folder, "removed.yaml", &format!("{}{stored}", crd(&kept)));
    let (code, out, err) = shell(&folder, "crdgen diff old.yaml removed.yaml");
    assert!(code == Some(1) && out.contains("missing from spec.versions"), "{out}{err}");
}

/// A CRD with a maximum.
fn widget(most: u32) -> String {
    include_str!("../../changes/widget.yaml").replace("maximum: 100", &format!("maximum: {most}"))
}

/// Paths at a revision may be written as git and shells write them, and are shown in one form. Wrong ones are errors that say what to
/// write.
#[test]
fn paths_at_revisions_have_one_form() {
    let files = [("config/crd/a.yaml", widget(20))];
    let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (*name, text.as_str())).collect();
    let folder = folder("paths-at-revisions", &files);
    let (code, _, err) = shell(&folder, &format!("git init -qb main . && {COMMIT} && git tag v1.31.0"));
    assert_eq!(code, Some(0), "{err}");
    write(&folder, "config/crd/a.yaml", &widget(40));
    for path in [
        "config/crd",
        "./config/crd",
        "config/crd/",
        "config//crd/.",
        "config/x/../crd",
        "$PWD/config/crd",
        "",
        ".",
    ] {
        let line = format!("crdgen diff config \"git:v1.31.0:{path}\"");
        let (code, out, err) = shell(&folder, &line);
        assert!(code == Some(1) && out.contains(" --> v1.31.0:config/crd/a.yaml:"), "{line}: {out}{err}");
        let line = format!("crdgen diff \"git:v1.31.0:{path}\" config");
        let (code, out, err) = shell(&folder, &line);
        assert!(code == Some(0) && !err.contains("checked as new"), "{line}: {out}{err}");
    }
    for path in ["../crd", "..//crd/"] {
        let line = format!("cd config/crd && crdgen diff . git:v1.31.0:{path}");
        let (code, out, err) = shell(&folder, &line);
        assert!(code == Some(1) && out.contains(" --> v1.31.0:../crd/a.yaml:"), "{line}: {out}{err}");
    }
    let missing = "at the revision v1.31.0; paths behind git:REV: are those below the current folder\n";
    for (line, wanted) in [
        ("crdgen diff git:v1.31.0:nope config", format!("error: there is no nope {missing}")),
        ("crdgen diff config git:v1.31.0:nope/", format!("error: there is no nope {missing}")),
        ("crdgen check --against git:v1.31.0:/config config", format!("error: there is no /config {missing}")),
        ("cd config && crdgen check git:v1.31.0:config/crd", format!("error: there is no config/config/crd {missing}")),
        ("crdgen diff git: config", "error: git:: name a revision: git:REV, or git:REV:PATH for a path\n".to_owned()),
        ("crdgen check git::config", "error: git::config: name a revision: git:REV, or git:REV:PATH for a path\n".to_owned()),
        ("crdgen diff v1.31.0:./config config", "error: v1.31.0:./config: no such file or directory. For a revision of git, write git:v1.31.0:./config\n".to_owned()),
        ("crdgen diff main config", "error: main: no such file or directory. For a revision of git, write git:main\n".to_owned()),
        ("crdgen diff mian config", "error: mian: no such file or directory\n".to_owned()),
        ("crdgen diff git:mian config", "error: git: there is no revision mian in config\n".to_owned()),
    ] {
        let (code, out, err) = shell(&folder, line);
        assert_eq!((code, err.as_str()), (Some(2), wanted.as_str()), "{line}: {out}");
    }
    // Objects of a path at a revision, and of the same paths.
    write(&folder, "objects/o.yaml", "apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: a}\n");
    let (code, _, err) = shell(&folder, COMMIT);
    assert_eq!(code, Some(0), "{err}");
    for old in ["git:HEAD", "git:HEAD:objects", "git:HEAD:./objects/"] {
        let line = format!("crdgen validate objects --crd config --old {old}");
        let (_, out, err) = shell(&folder, &line);
        assert!(err.contains("1 object in 1 file") && !err.contains("created"), "{line}: {out}{err}");
    }
}

/// A file that moved is compared with what it was, also if git does not know: the name of its CRD says which one that is.
#[test]
fn moved_files_are_compared_before_git_knows() {
    let other = widget(100).replace("widget", "gadget").replace("Widget", "Gadget");
    let old = widget(100);
    let files = [("config/a.yaml", old.as_str()), ("config/gone.yaml", &other), ("deploy/b.txt", "")];
    let folder = folder("moved-untracked", &files);
    let (code, _, err) = shell(&folder, &format!("git init -qb main . && {COMMIT} && git tag old"));
    assert_eq!(code, Some(0), "{err}");
    let (code, _, err) = shell(&folder, "mv config/a.yaml deploy/widgets.yaml && rm config/gone.yaml");
    assert_eq!(code, Some(0), "{err}");
    write(&folder, "deploy/widgets.yaml", &widget(20));
    let check = |line: &str, place: &str| {
        let (code, out, err) = shell(&folder, line);
        assert!(
            code == Some(1) && out.contains(&format!(" --> {place}deploy/widgets.yaml:")),
            "{line}: {out}{err}"
        );
        // The other CRD was never in this folder.
        assert!(out.contains("maximum was 100, now 20") && !out.contains("gadgets"), "{line}: {out}{err}");
        assert!(!err.contains("checked as new") && !err.contains("only in the old"), "{line}: {err}");
    };
    check("crdgen diff git:HEAD deploy", "");
    check("crdgen diff git:HEAD deploy/widgets.yaml", "");
    check("cd config && crdgen diff git:HEAD ../deploy", "../");
    check("crdgen check deploy --against git:HEAD --fail-on breaking", "");
    let (code, _, err) = shell(&folder, COMMIT);
    assert_eq!(code, Some(0), "{err}");
    check("crdgen diff git:old git:HEAD:deploy", "HEAD:");
    // A file that is still there may be another one, and did not move.
    let (code, _, err) = shell(&folder, "git checkout -q old -- config && crdgen diff git:old deploy");
    assert!(code == Some(0) && err.contains("checked as new"), "{err}");
}
