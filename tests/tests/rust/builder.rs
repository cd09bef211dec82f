//! `crdgen::Builder`: every output, the files that cargo watches, and how a build fails.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

const SOURCE: &str = r#"
mod kinds;
"#;

const KINDS: &str = r#"
/// A thing that has one of two sources.
#[derive(CustomResource, Schema)]
#[kube(group = "build.example.com", version = "v1", kind = "Thing", namespaced, status = "State")]
#[schema(exactly_one_of = ["url", "file"])]
pub struct ThingSpec {
    pub url: Option<String>,
    pub file: Option<String>,
    /// A port, by number or name.
    pub port: IntOrString,
}

#[derive(Schema)]
#[serde(untagged)]
pub enum IntOrString { Int(i32), Text(String) }

#[derive(Schema)]
#[serde(tag = "type")]
pub enum State { Ready { since: i64 }, Failed { why: String } }
"#;

/// Creates a new folder with a package.
fn package(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("builder").join(name);
    // Removes what an earlier run left behind.
    _ = std::fs::remove_dir_all(&folder);
    write(&folder.join("Cargo.toml"), "[package]\nname = \"built\"\n");
    write(&folder.join("src/lib.rs"), SOURCE);
    write(&folder.join("src/kinds.rs"), KINDS);
    write(&folder.join("src/unused.rs"), "not even Rust");
    folder
}

fn write(path: &Path, text: &str) {
    std::fs::create_dir_all(path.parent().unwrap_or(Path::new("."))).unwrap_or_else(|e| panic!("{e}"));
    std::fs::write(path, text).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
}

fn builder(folder: &Path) -> crdgen::Builder {
    crdgen::Builder::new().quiet(true).source(folder)
}

/// Returns all files below a folder, with their texts.
fn files(folder: &Path) -> BTreeMap<String, String> {
    let mut out = BTreeMap::new();
    let mut waiting = vec![folder.to_owned()];
    while let Some(folder_) = waiting.pop() {
        for entry in std::fs::read_dir(&folder_).unwrap_or_else(|e| panic!("{e}")).flatten() {
            let path = entry.path();
            if path.is_dir() {
                waiting.push(path);
            } else {
                let name = path.strip_prefix(folder).unwrap_or(&path).display().to_string();
                out.insert(name, std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{e}")));
            }
        }
    }
    out
}

fn all_outputs(folder: &Path) -> crdgen::Builder {
    let out = folder.join("out");
    builder(folder)
        .header("Made by a build script.")
        .yaml(out.join("yaml"))
        .json(out.join("json"))
        .openapi_v2(out.join("swagger.json"))
        .openapi_v3(out.join("deep/openapi.json"))
        .json_schema(out.join("schemas"))
        .docs(out.join("docs"))
}

#[test]
fn every_output_is_written() {
    let folder = package("outputs");
    let done = all_outputs(&folder).run().unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(done.crds.len(), 1);
    let files = files(&folder.join("out"));
    let names: Vec<&str> = files.keys().map(String::as_str).collect();
    assert_eq!(
        names,
        [
            "deep/openapi.json",
            "docs/build.example.com_things.html",
            "docs/index.html",
            "json/build.example.com_things.json",
            "schemas/build.example.com/thing_v1.json",
            "swagger.json",
            "yaml/build.example.com_things.yaml",
        ]
    );
    let has = |name: &str, parts: &[&str]| {
        let text = files.get(name).map(String::as_str).unwrap_or_default();
        parts.iter().for_each(|part| assert!(text.contains(part), "{name}: {part}\n{text}"));
    };
    // A server publishes neither unions nor rules in version 2, and both in version 3.
    has(
        "yaml/build.example.com_things.yaml",
        &["# Made by a build script.", "kind: Thing", "x-kubernetes-int-or-string: true"],
    );
    has("json/build.example.com_things.json", &["\"x-kubernetes-validations\":[{", "\"anyOf\":["]);
    has("swagger.json", &["\"swagger\":\"2.0\"", "com.example.build.v1.Thing"]);
    has("deep/openapi.json", &["\"openapi\":\"3.0.0\"", "com.example.build.v1.Thing", "\"anyOf\":["]);
    has(
        "schemas/build.example.com/thing_v1.json",
        &["\"$schema\"", "\"anyOf\":[", "\"additionalProperties\":false"],
    );
    has(
        "docs/build.example.com_things.html",
        &["A thing that has one of two sources.", "A port, by number or name."],
    );
    has("docs/index.html", &["Thing"]);
    assert!(!files["swagger.json"].contains("oneOf"), "{}", files["swagger.json"]);
}

#[test]
fn ci_finds_every_output_that_is_not_current() {
    let folder = package("drift");
    let all = all_outputs(&folder);
    all.run().unwrap_or_else(|e| panic!("{e}"));
    all.clone().check(true).run().unwrap_or_else(|e| panic!("{e}"));
    let written = files(&folder.join("out"));
    for (name, text) in &written {
        let path = folder.join("out").join(name);
        write(&path, &format!("{text} "));
        let message = all.clone().check(true).run().err().map(|e| e.to_string()).unwrap_or_default();
        assert!(
            message.starts_with("out of date:\n")
                && message.contains(name.rsplit('/').next().unwrap_or(name)),
            "{name}: {message}"
        );
        assert_eq!(std::fs::read_to_string(&path).ok().as_deref(), Some(format!("{text} ").as_str()));
        write(&path, text);
    }
    // If nothing changes, nothing is written, so that code that depends on the files is not built again.
    let stamp =
        |name: &String| std::fs::metadata(folder.join("out").join(name)).and_then(|m| m.modified()).ok();
    let before: Vec<_> = written.keys().map(stamp).collect();
    all.run().unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(before, written.keys().map(stamp).collect::<Vec<_>>());
}

/// A renamed kind leaves its old file behind, which a check in CI finds. A file that somebody else wrote stays.
#[test]
fn files_of_kinds_that_are_gone_are_found() {
    let folder = package("stale");
    let yaml = builder(&folder).yaml(folder.join("out"));
    yaml.run().unwrap_or_else(|e| panic!("{e}"));
    write(&folder.join("out/mine.yaml"), "kind: CustomResourceDefinition\n");
    yaml.clone().check(true).run().unwrap_or_else(|e| panic!("{e}"));
    write(&folder.join("src/kinds.rs"), &KINDS.replace("kind = \"Thing\"", "kind = \"Part\""));
    let message = yaml.clone().check(true).run().err().map(|e| e.to_string()).unwrap_or_default();
    assert!(
        message.contains("build.example.com_things.yaml: no kind has this file any more. Remove it"),
        "{message}"
    );
    assert!(!message.contains("mine.yaml"), "{message}");

    write(&folder.join("out/build.example.com_parts.yaml"), "mine: true\n");
    let message = yaml.run().err().map(|e| e.to_string()).unwrap_or_default();
    assert!(message.contains("build.example.com_parts.yaml: crdgen has not written this file"), "{message}");
}

/// Cargo runs the script again only for the files that were read.
#[test]
fn the_files_that_were_read() {
    let folder = package("files");
    write(
        &folder.join("src/kinds.rs"),
        &KINDS.replace("/// A thing that has one of two sources.", "#[doc = include_str!(\"thing.md\")]"),
    );
    write(&folder.join("src/thing.md"), "Said in a file.");
    let done = builder(&folder).run().unwrap_or_else(|e| panic!("{e}"));
    let names: Vec<String> =
        done.files.iter().map(|f| f.strip_prefix(&folder).unwrap_or(f).display().to_string()).collect();
    assert_eq!(names, ["src/kinds.rs", "src/lib.rs", "src/thing.md"]);
    assert!(crdgen::to_yaml(&done.crds[0]).contains("description: Said in a file."));
}

#[test]
fn a_mistake_fails_the_build_and_writes_nothing() {
    let folder = package("mistake");
    write(
        &folder.join("src/kinds.rs"),
        &KINDS.replace("\"file\"]", "\"fil\"]").replace("why: String", "why: Gone"),
    );
    let failed = all_outputs(&folder).run().err().map(|e| e.to_string()).unwrap_or_default();
    let place = folder.join("src/kinds.rs").display().to_string();
    assert!(
        failed.contains(&format!("{place}:5:35: error[RST005]: there is no field `fil` here")),
        "{failed}"
    );
    assert!(
        failed.contains(&format!("{place}:19:54: error[RST021]: crdgen cannot find the type `Gone`")),
        "{failed}"
    );
    assert!(!folder.join("out").exists());
}

const IMPORTED: &str = r#"
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: parts.import.example.com}
spec:
  group: import.example.com
  names: {kind: Part, plural: parts}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            required: [size]
            properties:
              size: {type: integer, format: int32, minimum: 1}
              color: {type: string, enum: [red, green]}
"#;

/// This runs in a process of its own, like a build script: cargo reads its output, and sets the output folder.
#[test]
fn in_a_build_script() {
    let Some(folder) = std::env::var_os("CRDGEN_TEST_BUILD_SCRIPT").map(PathBuf::from) else { return };
    let builder = crdgen::Builder::new().source(&folder).import("crds").yaml(folder.join("out"));
    builder.run().unwrap_or_else(|e| panic!("{e}"));
}

#[test]
fn cargo_watches_every_file_and_imports_are_written() {
    let folder = package("script");
    write(&folder.join("crds/parts.yaml"), IMPORTED);
    let own = std::env::current_exe().unwrap_or_else(|e| panic!("{e}"));
    let script = std::process::Command::new(own)
        .args(["--exact", "rust::builder::in_a_build_script", "--nocapture"])
        .env("CRDGEN_TEST_BUILD_SCRIPT", &folder)
        .env("OUT_DIR", folder.join("target"))
        .output()
        .unwrap_or_else(|e| panic!("{e}"));
    let text = String::from_utf8_lossy(&script.stdout);
    assert!(script.status.success(), "{text}{}", String::from_utf8_lossy(&script.stderr));
    let message: Vec<&str> = text
        .lines()
        .filter_map(|line| line.split_once("cargo::rerun-if-changed=").map(|(_, file)| file))
        .map(|file| Path::new(file).strip_prefix(&folder).ok().and_then(Path::to_str).unwrap_or(file))
        .collect();
    // Cargo runs the script again if an output was edited or deleted.
    let output = "out/build.example.com_things.yaml";
    assert_eq!(message, ["crds/parts.yaml", "src/kinds.rs", "src/lib.rs", output]);
    // Written files must not be newer than their sources, or cargo would run the script again.
    let modified = |name: &str| std::fs::metadata(folder.join(name)).and_then(|m| m.modified()).ok();
    assert_eq!(modified(output), modified("src/kinds.rs").max(modified("src/lib.rs")));
    let made = files(&folder.join("target"));
    let names: Vec<&str> = made.keys().map(String::as_str).collect();
    assert_eq!(names, ["crdgen/import.example.com.rs"]);
    let golden = crdgen_tests::corpus::tests_dir().join("goldens/import/builder.rs");
    let made = made["crdgen/import.example.com.rs"].replace(&folder.display().to_string(), "DIR");
    if std::env::var_os("UPDATE").is_some() {
        write(&golden, &made);
    }
    assert_eq!(made, std::fs::read_to_string(&golden).unwrap_or_default());
}

/// The limit on nesting applies to build scripts too, whose threads have small stacks.
#[test]
fn deeply_nested_sources_are_errors_with_a_place() {
    let folder = package("nested");
    for (start, open, inner, close) in
        [("const A: u8 = ", "(", "1", ")"), ("type A = ", "Vec<", "u8", ">"), ("", "mod a {", "", "}")]
    {
        let source = format!("{start}{}{inner}{};", open.repeat(20_000), close.repeat(20_000));
        write(&folder.join("src/lib.rs"), &source);
        let error = all_outputs(&folder).run().expect_err("nothing reads it").to_string();
        assert!(error.contains("RST034") && error.contains("lib.rs:1:"), "{error}");
    }
}

#[test]
fn previous_crds_stay_valid() {
    let folder = package("previous");
    let crds = folder.join("crds");
    let with_previous = || builder(&folder).yaml(&crds).compatible_with(crds.to_string_lossy());
    builder(&folder).yaml(&crds).run().unwrap_or_else(|e| panic!("{e}"));
    with_previous().run().unwrap_or_else(|e| panic!("the same CRDs: {e}"));
    let before = files(&crds);
    let changed =
        KINDS.replace("pub url: Option<String>,", "#[schema(max_length = 9)]\n    pub url: Option<String>,");
    assert_ne!(changed, KINDS);
    write(&folder.join("src/kinds.rs"), &changed);
    let error = with_previous().run().expect_err("the CRD is stricter");
    assert!(matches!(error, crdgen::Error::Incompatible(_)), "{error:?}");
    let text = error.to_string();
    assert!(text.contains("maxLength was not set, now 9") && text.contains("kind: Thing"), "{text}");
    assert_eq!(files(&crds), before, "the previous CRDs stay until the new ones are compatible");
    builder(&folder).yaml(&crds).run().unwrap_or_else(|e| panic!("{e}"));
    assert_ne!(files(&crds), before);
}
