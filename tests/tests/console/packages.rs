//! Packages that commands read: when cargo is called, and what is reported when cargo fails.

use std::fs;

use super::arguments::{folder, kind, shell};

/// A cargo that records that it was called, and fails.
const CARGO: &str = "#!/bin/sh\ntouch \"${0%/*}/asked\"\necho 'warning: an old lock file' >&2\necho 'error: no network today' >&2\nexit 101\n";

/// Runs a command in a folder with this manifest, with [`CARGO`] as cargo. Returns whether cargo was called.
fn run(name: &str, manifest: &str, lib: &str, line: &str) -> (bool, super::arguments::Ran) {
    use std::os::unix::fs::PermissionsExt;
    let folder = folder(name, &[("Cargo.toml", manifest), ("src/lib.rs", lib), ("cargo.sh", CARGO)]);
    let cargo = folder.join("cargo.sh");
    fs::set_permissions(&cargo, fs::Permissions::from_mode(0o755)).unwrap_or_else(|e| panic!("{e}"));
    let ran = shell(&folder, &format!("export CARGO={}; {line}", cargo.display()));
    (folder.join("asked").exists(), ran)
}

#[test]
fn a_plain_package_does_not_need_cargo() {
    for manifest in [
        "[package]\nname = \"plain\"\nversion = \"0.1.0\"\n",
        "# [lib]\n[package]\nname = 'plain' # [features]\ndescription = '''\n[features]\n'''\n",
        "[package]\nname = \"plain\"\n[workspace]\nresolver = \"3\"\n[dependencies]\nserde = \"1\"\n",
    ] {
        let (asked, (code, stdout, stderr)) = run("plain", manifest, &kind("One"), "crdgen emit");
        assert!(code == Some(0) && !asked && stdout.contains("kind: One"), "{manifest}{stderr}");
    }
}

#[test]
fn the_error_contains_the_message_of_cargo() {
    let message =
        "Cargo.toml: `cargo metadata` failed:\nwarning: an old lock file\nerror: no network today\n";
    for manifest in [
        "[package]\nname = \"p\"\n[features]\nx = []\n",
        "lib.path = \"src/lib.rs\"\n[package]\nname = \"p\"\n",
        "[package]\nname = \"p\"\n[workspace]\nmembers = [\"q\"]\n",
        "[package\n",
    ] {
        for line in ["crdgen emit", "crdgen emit --exact", "crdgen migrate-check ."] {
            let (asked, (code, stdout, stderr)) = run("failing", manifest, &kind("One"), line);
            // The manifest is enough to find the package itself, but nothing can be compiled.
            let found = manifest != "[package\n" && !line.contains("--exact");
            let wanted = match line {
                _ if !found => 2,
                "crdgen emit" => 0,
                _ => 1,
            };
            assert!(asked && code == Some(wanted) && stdout.is_empty() != found, "{line} {manifest}{stderr}");
            assert!(stderr.ends_with(message), "{line} {manifest}{stderr}");
        }
    }
    // Without --exact, cargo is not needed.
    let manifest = "[package]\nname = \"p\"\n[dependencies]\nother = \"1\"\n";
    let (asked, (code, _, stderr)) = run("failing-exact", manifest, &kind("One"), "crdgen emit --exact");
    assert!(asked && code == Some(2) && stderr.ends_with(message), "{stderr}");
    assert!(!stderr.contains("RST028"), "{stderr}");
    let folder = folder("no-cargo", &[("Cargo.toml", "[package\n"), ("src/lib.rs", "")]);
    let (code, _, stderr) = shell(&folder, "CARGO=./missing crdgen emit");
    assert!(
        code == Some(2) && stderr.contains("cannot run `cargo metadata`: ") && stderr.contains("$CARGO"),
        "{stderr}"
    );
}

/// The package needs cargo only for a type of another crate.
#[test]
fn shows_the_message_of_cargo_with_missing_types() {
    let lib = kind("One").replace("a: i32", "a: other::Thing");
    let manifest = "[package]\nname = \"p\"\n[dependencies]\nother = \"1\"\n";
    let (asked, (code, _, stderr)) = run("others", manifest, &lib, "crdgen emit");
    assert!(asked && code == Some(1), "{stderr}");
    assert!(stderr.contains("error[RST021]") && stderr.contains("error: no network today"), "{stderr}");
}

/// The name of an optional dependency is a feature.
#[test]
fn features_that_no_package_has_are_errors() {
    let lib = kind("Good");
    let plain = "[workspace]\n[package]\nname = \"p\"\nversion = \"0.1.0\"\nedition = \"2021\"\n";
    let featured = format!("{plain}[features]\nx = []\n");
    for manifest in [plain, &featured] {
        let folder = folder("no-feature", &[("Cargo.toml", manifest), ("src/lib.rs", &lib)]);
        for arguments in ["", "--exact", "--check --out-dir crds"] {
            let (code, out, err) = shell(&folder, &format!("crdgen emit --features foo {arguments}"));
            assert_eq!((code, out.as_str()), (Some(2), ""), "{arguments}: {err}");
            assert!(err.contains("foo") && err.contains("feature"), "{arguments}: {err}");
        }
    }
    let folder = folder("a-feature", &[("Cargo.toml", &featured), ("src/lib.rs", &lib)]);
    assert_eq!(shell(&folder, "crdgen emit --features x").0, Some(0));
}

#[test]
fn optional_dependencies_are_features() {
    let lib = kind("One").replace("pub a: i32", "#[cfg(feature = \"inner\")] pub a: i32, pub b: i32");
    let root = "[workspace]\nmembers = [\"p\", \"p/inner\"]\nresolver = \"3\"\n";
    let manifest = "[package]\nname = \"p\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[dependencies]\ninner = { path = \"inner\", optional = true }\n";
    let inner = "[package]\nname = \"inner\"\nversion = \"0.1.0\"\nedition = \"2024\"\n";
    let files = [
        ("Cargo.toml", root),
        ("p/Cargo.toml", manifest),
        ("p/src/lib.rs", &lib),
        ("p/inner/Cargo.toml", inner),
        ("p/inner/src/lib.rs", ""),
    ];
    let folder = folder("optional", &files);
    for (features, wanted) in [("", false), ("--features inner", true), ("--all-features", true)] {
        let (code, stdout, stderr) = shell(&folder, &format!("crdgen emit -p p {features}"));
        assert_eq!((code, stdout.contains("  a:\n")), (Some(0), wanted), "{features}: {stdout}{stderr}");
        // The same is true if nothing else requires cargo.
        let (code, stdout, stderr) = shell(&folder.join("p"), &format!("crdgen emit {features}"));
        assert_eq!((code, stdout.contains("  a:\n")), (Some(0), wanted), "{features}: {stdout}{stderr}");
    }
}

/// The YAML of a package is what is applied, so its types are compared only if there is no YAML.
#[test]
fn diff_reads_the_types_of_a_package_without_yaml() {
    let manifest = "[package]\nname = \"p\"\n[dependencies]\ncrdgen = \"0.1\"\n";
    let old = kind("One").replace("a: i32", "a: i32, b: i32");
    let files = [("p/Cargo.toml", manifest), ("p/src/lib.rs", &kind("One")), ("old.rs", &old)];
    let folder = folder("diff-package", &files);
    let is_found = |stdout: &str| stdout.contains("[CHG004]") && stdout.contains("src/lib.rs:3:");
    let (code, stdout, stderr) =
        shell(&folder, "crdgen emit old.rs > old.yaml && cd p && crdgen diff ../old.yaml");
    assert!(code == Some(1) && is_found(&stdout), "{stdout}{stderr}");
    let (code, stdout, stderr) = shell(&folder, "cp old.yaml p/crd.yaml && crdgen diff old.yaml p");
    assert!(code == Some(0) && stdout.is_empty(), "{stdout}{stderr}");
    let hint = "not compared: the Rust types of this package. To compare them instead of the YAML, pass p/Cargo.toml\n";
    assert!(stderr.contains(hint), "{stderr}");
    let (code, stdout, stderr) = shell(&folder, "crdgen diff old.yaml p/Cargo.toml");
    assert!(code == Some(1) && is_found(&stdout), "{stdout}{stderr}");
}

/// The hint about types that are not read names the packages of a workspace that have kinds, and only these.
#[test]
fn hints_name_the_packages_with_kinds() {
    let package = |name: &str| format!("[package]\nname = \"{name}\"\n[dependencies]\ncrdgen = \"0.1\"\n");
    let root = package("root") + "[workspace]\nmembers = [\"crates/*\"]\n";
    let tests = format!("// CustomResource\n#[cfg(test)] mod tests {{ {} }}\n", kind("One"));
    let one = kind("One");
    let files = [
        ("Cargo.toml", root.as_str()),
        ("src/lib.rs", "pub struct A;\n"),
        ("crates/tool/Cargo.toml", &package("tool")),
        ("crates/tool/src/main.rs", &tests),
        ("crates/op/Cargo.toml", &package("op")),
        ("crates/op/src/lib.rs", "pub mod kinds;\n"),
        ("crates/op/src/kinds.rs", &one),
    ];
    let folder = folder("hints", &files);
    let (code, _, stderr) = shell(&folder, "crdgen emit crates/op/src/kinds.rs > crd.yaml");
    assert_eq!(code, Some(0), "{stderr}");
    for line in ["crdgen diff crd.yaml .", "crdgen check"] {
        let (_, _, stderr) = shell(&folder, line);
        assert!(stderr.contains("the Rust types of this package."), "{line}: {stderr}");
        assert!(stderr.contains("pass crates/op/Cargo.toml\n"), "{line}: {stderr}");
    }
    let (_, _, stderr) = shell(&folder, "cp crates/op/src/kinds.rs src/lib.rs && crdgen check");
    assert!(stderr.contains("of these packages."), "{stderr}");
    assert!(stderr.contains("pass ./Cargo.toml, crates/op/Cargo.toml\n"), "{stderr}");
    let (_, _, stderr) = shell(&folder, "rm src/lib.rs crates/op/src/kinds.rs && crdgen check");
    assert!(!stderr.contains("the Rust types"), "{stderr}");
}
