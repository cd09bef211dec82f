//! What commands read and write: standard input, the names of formats and folders, and files of kinds that no longer
//! exist.

use crdgen_tests::corpus::GOOD as CRD;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

pub(super) fn kind(name: &str) -> String {
    format!(
        "#[derive(CustomResource, Schema)]\n#[kube(group = \"example.com\", version = \"v1\", kind = \"{name}\")]\npub struct {name}Spec {{ pub a: i32 }}\n"
    )
}

/// Creates a new folder with these files.
pub(crate) fn folder(name: &str, files: &[(&str, &str)]) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("arguments").join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap_or_else(|e| panic!("{e}"));
    for (name, text) in files {
        write(&folder, name, text);
    }
    folder
}

pub(super) fn write(folder: &Path, name: &str, text: &str) {
    let path = folder.join(name);
    fs::create_dir_all(path.parent().unwrap_or(folder)).unwrap_or_else(|e| panic!("{e}"));
    fs::write(&path, text).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
}

fn read(folder: &Path, name: &str) -> String {
    fs::read_to_string(folder.join(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
}

/// The result of a run: exit code, standard output, standard error.
pub(crate) type Ran = (Option<i32>, String, String);

/// Runs a line of shell in which `crdgen` is the command under test.
#[track_caller]
pub(crate) fn shell(folder: &Path, line: &str) -> Ran {
    let script = format!("crdgen() {{ \"$CRDGEN\" \"$@\"; }}\n{line}");
    let out = Command::new("sh")
        .args(["-c", &script])
        .env("CRDGEN", env!("CARGO_BIN_EXE_tool"))
        .env("NO_COLOR", "1")
        .current_dir(folder)
        .stdin(Stdio::null())
        .output();
    let Output { status, stdout, stderr } = out.unwrap_or_else(|e| panic!("{line}: {e}"));
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (status.code(), text(&stdout), text(&stderr))
}

/// Every command that reads CRDs and can run without a path.
const COMMANDS: [&str; 6] = ["check", "fit", "docs", "openapi", "import", "migrate"];

#[test]
fn standard_input_is_read_if_there_is_no_path() {
    let piped = CRD.replace("goods", "pipes").replace("Good", "Pipe");
    let folder = folder("stdin", &[("here.yaml", CRD), ("other/piped.yaml", &piped)]);
    fs::rename(folder.join("other"), folder.join(".other")).unwrap_or_else(|e| panic!("{e}"));
    for command in COMMANDS {
        let (_, explicit, _) = shell(&folder, &format!("crdgen {command} - < .other/piped.yaml"));
        let (_, of_folder, _) = shell(&folder, &format!("crdgen {command} ."));
        for (line, wanted) in [
            (format!("cat .other/piped.yaml | crdgen {command}"), &explicit),
            (format!("crdgen {command} < .other/piped.yaml"), &explicit),
            (format!("crdgen {command} < /dev/null"), &of_folder),
            (format!("crdgen {command} <&-"), &of_folder),
            // If there is a path, standard input is ignored.
            (format!("cat .other/piped.yaml | crdgen {command} ."), &of_folder),
        ] {
            let (code, stdout, stderr) = shell(&folder, &line);
            // The first lines of imported code list its sources.
            let body =
                |text: &str| text.lines().filter(|l| !l.starts_with("// ")).collect::<Vec<_>>().join("\n");
            assert_eq!((code, body(&stdout)), (Some(0), body(wanted)), "{line}: {stderr}");
        }
        // The command in front of the pipe has failed, so there is nothing to check.
        let (code, stdout, stderr) = shell(&folder, &format!("false | crdgen {command}"));
        assert_eq!((code, stdout.as_str()), (Some(2), ""), "{command}: {stderr}");
        assert!(stderr.contains("standard input is empty"), "{command}: {stderr}");
    }
    let (code, _, stderr) = shell(&folder, "echo 'a: 1' | crdgen check");
    assert_eq!(code, Some(2));
    assert!(
        stderr.contains("no CustomResourceDefinition in <stdin>; there is a document without `kind`"),
        "{stderr}"
    );
    let (_, _, stderr) = shell(&folder, "(sleep 3; cat here.yaml) | crdgen check");
    assert!(stderr.starts_with("reading standard input; to read files"), "{stderr}");
    assert!(stderr.contains("1 CRD in 1 file"), "{stderr}");
}

#[test]
fn check_reports_what_it_skipped() {
    let files = [
        ("a.yaml", CRD),
        (
            "b.yaml",
            "apiVersion: example.com/v1\nkind: Good\nmetadata: {name: a}\n---\nkind: Good\n---\n---\nkind: ConfigMap\n",
        ),
        ("c.yaml", "replicas: 1\n"),
    ];
    let folder = folder("skipped", &files);
    let message = "not checked (no CustomResourceDefinition): ConfigMap in b.yaml, 2 × Good in b.yaml, a document without `kind` in c.yaml\n";
    let (code, stdout, stderr) = shell(&folder, "crdgen check a.yaml b.yaml c.yaml");
    assert_eq!((code, stdout.as_str()), (Some(0), ""));
    assert_eq!(stderr, format!("1 CRD in 3 files: no findings\n{message}"));
    let (_, _, stderr) = shell(&folder, "crdgen check a.yaml b.yaml c.yaml -o json");
    assert_eq!(stderr, message);
    let (code, _, stderr) = shell(&folder, "crdgen check b.yaml");
    assert_eq!(code, Some(2));
    assert!(
        stderr.contains("no CustomResourceDefinition in b.yaml; there is ConfigMap in b.yaml, 2 × Good"),
        "{stderr}"
    );
    let (_, _, stderr) = shell(&folder, "crdgen check a.yaml");
    assert_eq!(stderr, "1 CRD in 1 file: no findings\n");
}

#[test]
fn two_crds_of_one_name_are_found() {
    let first = CRD.replace("goods", "firsts").replace("Good", "First");
    let other = CRD.replace("{a: {type: string}}", "{b: {type: string, description: another field}}");
    let files = [("1.yaml", first.as_str()), ("2.yaml", CRD), ("3.yaml", &other), ("copy/2.yaml", CRD)];
    let folder = folder("twice", &files);
    let note = "the first is at 2.yaml:1:1. Remove one of them, unless it is meant to be a copy";
    for command in ["docs", "docs -o markdown", "fit", "openapi", "openapi --json-schema"] {
        let (code, _, stderr) =
            shell(&folder, &format!("crdgen {command} 1.yaml 2.yaml 3.yaml --out-dir out"));
        if command == "fit" {
            assert!(code == Some(1) && stderr.contains("two different documents"), "{command}: {stderr}");
            assert!(!stderr.contains("wrote"), "{command}: {stderr}");
            assert!(!folder.join("out").exists(), "{command}");
        } else {
            // What only describes CRDs describes the first one.
            assert!(code == Some(0) && stderr.contains(note), "{command}: {stderr}");
            fs::remove_dir_all(folder.join("out")).unwrap_or_else(|e| panic!("{e}"));
        }
        let (code, _, stderr) =
            shell(&folder, &format!("crdgen {command} 1.yaml 2.yaml copy --out-dir copied"));
        assert!(code == Some(0) && stderr.contains("wrote"), "{command}: {stderr}");
        fs::remove_dir_all(folder.join("copied")).unwrap_or_else(|e| panic!("{e}"));
        let (code, _, stderr) = shell(&folder, &format!("crdgen {command} 1.yaml 2.yaml 3.yaml"));
        assert!(code == Some(0) && stderr.contains(note), "{command}: {stderr}");
    }
    for file in ["3.yaml", "copy"] {
        let (code, stdout, _) = shell(&folder, &format!("crdgen check 1.yaml 2.yaml {file} --deny-warnings"));
        assert!(code == Some(0) && stdout.contains(note), "{stdout}");
    }
}

#[test]
fn converted_objects_of_two_groups_have_their_own_files() {
    let object = |group: &str| format!("apiVersion: {group}/v1\nkind: Good\nmetadata: {{name: a}}\n");
    let both = format!("{}---\n{}", object("example.com"), object("example.org"));
    let changed = both.clone() + "---\n" + &object("example.org") + "spec: 1\n";
    let folder = folder("groups", &[("both.yaml", &both), ("twice.yaml", &changed)]);
    let (code, _, stderr) = shell(&folder, "crdgen convert both.yaml --to v2 --out-dir out");
    assert_eq!(code, Some(0), "{stderr}");
    assert!(read(&folder, "out/good_a.yaml").contains("example.com/v2"));
    assert!(read(&folder, "out/good.example.org_a.yaml").contains("example.org/v2"));
    let (code, _, stderr) = shell(&folder, "crdgen convert twice.yaml --to v2 --out-dir other");
    assert!(code == Some(1) && stderr.contains("two different documents"), "{stderr}");
    assert!(!folder.join("other").exists());
    let (code, _, stderr) = shell(&folder, "crdgen convert both.yaml --to exmple.com/v2 --out-dir third");
    assert!(code == Some(2) && stderr.contains("did you mean `example.com`?"), "{stderr}");
    assert!(!folder.join("third").exists());
}

#[test]
fn names_that_no_type_has_are_errors() {
    let crd = CRD.replace("{a: {type: string}}", "{mode: {type: object, properties: {a: {type: string}}}}");
    let files = [
        ("a.yaml", crd.as_str()),
        ("right", "Good.spec.mode = Mode\n"),
        ("wrong", "# names\nGood.spec.mod = Mode\n"),
    ];
    let folder = folder("names-of-types", &files);
    let (code, stdout, stderr) = shell(&folder, "crdgen import a.yaml --names right");
    assert!(code == Some(0) && stdout.contains("pub struct Mode"), "{stderr}");
    let (code, stdout, stderr) = shell(&folder, "crdgen import a.yaml --names wrong");
    assert_eq!((code, stdout.as_str()), (Some(2), ""), "{stderr}");
    let message =
        "error: wrong:2: no type has the path or name `Good.spec.mod`; did you mean `Good.spec.mode`?";
    assert!(stderr.contains(message), "{stderr}");
    let (code, _, stderr) = shell(&folder, "crdgen import a.yaml --names wrong --kind Good");
    assert!(code == Some(0) && stderr.contains("there is no type at this path"), "{stderr}");
}

#[test]
fn files_that_are_passed_over_are_reported() {
    let object = "apiVersion: example.com/v1\nkind: Good\nmetadata: {name: a}\n";
    let files = [
        ("crds/a.yaml", CRD),
        ("crds/b.yaml", "a: [1\n"),
        ("object.yaml", object),
        ("kinds.rs", &kind("Good")),
        ("suite/valid/a.yaml", object),
    ];
    let folder = folder("passed-over", &files);
    for name in ["crds/link.yaml", "suite/valid/link.yaml"] {
        std::os::unix::fs::symlink("nowhere", folder.join(name)).unwrap_or_else(|e| panic!("{e}"));
    }
    let link = "link.yaml: a link to a file that does not exist";
    for command in ["check", "docs", "import", "validate", "get"] {
        let (_, _, stderr) = shell(&folder, &format!("crdgen {command} crds"));
        assert!(stderr.contains(&format!("skipped crds/{link}")), "{command}: {stderr}");
    }
    let (code, _, stderr) = shell(&folder, "crdgen test suite --crd crds");
    assert_eq!(stderr, format!("skipped crds/{link}\nskipped suite/valid/{link}\n"));
    assert_eq!(code, Some(0));
    let named = "skipped (invalid YAML): crds/b.yaml:1:6\n";
    let (code, _, stderr) = shell(&folder, "crdgen get object.yaml --crd crds");
    assert!(code == Some(0) && stderr.contains(named), "{stderr}");
    let (_, _, stderr) = shell(&folder, "crdgen migrate-check kinds.rs --against crds");
    assert!(stderr.contains(named), "{stderr}");
    let git = "git init -q . && git add . && git -c user.name=a -c user.email=a@example.com commit -qm a";
    let (_, _, stderr) =
        shell(&folder, &format!("{git} && crdgen check crds/a.yaml crds --against git:HEAD"));
    assert!(stderr.contains("skipped (invalid YAML): HEAD:crds/b.yaml:1:6\n"), "{stderr}");
    let broken = "skipped crds/b.yaml:1:6: yaml: line 1: did not find expected";
    let (_, _, stderr) = shell(&folder, "crdgen validate object.yaml --crd crds");
    assert!(!stderr.contains(broken), "{stderr}");
    let (code, _, stderr) = shell(&folder, "crdgen validate object.yaml -v --crd crds");
    assert!(code == Some(0) && stderr.contains(broken), "{stderr}");
}

#[test]
fn formats_and_folders_are_called_the_same_everywhere() {
    let folder = folder("names", &[("x.yaml", CRD), ("kinds.rs", &kind("Good"))]);
    for (old, new) in [
        ("emit kinds.rs --format json", "emit kinds.rs -o json"),
        ("emit kinds.rs --format json", "emit kinds.rs --output json"),
        ("docs x.yaml --format markdown", "docs x.yaml -o markdown"),
    ] {
        let (code, wanted, stderr) = shell(&folder, &format!("crdgen {old}"));
        assert_eq!(code, Some(0), "{stderr}");
        assert_eq!(shell(&folder, &format!("crdgen {new}")).1, wanted, "{new}");
    }
    let (code, _, stderr) = shell(
        &folder,
        "crdgen import x.yaml -o old && crdgen import x.yaml --out-dir new && diff -r old new",
    );
    assert_eq!(code, Some(0), "{stderr}");
    assert!(stderr.starts_with("note: write --out-dir instead of -o, which is for formats"), "{stderr}");
    assert_eq!(shell(&folder, "crdgen import x.yaml -o old --check").0, Some(0));
    for (args, message) in [("--check", "--check needs --out-dir"), ("--force", "--force needs --out-dir")] {
        let (code, _, stderr) = shell(&folder, &format!("crdgen import x.yaml {args}"));
        assert!(code == Some(2) && stderr.contains(message), "{stderr}");
    }
    for command in ["check", "fit", "docs", "emit", "openapi", "import", "cel", "migrate", "migrate-check"] {
        let (_, help, _) = shell(&folder, &format!("crdgen {command} --help"));
        let short = help.lines().find(|line| line.contains("-o, "));
        assert!(short.is_none_or(|line| line.contains("--output <FORMAT>")), "{command}: {short:?}");
        assert!(!help.contains("--format"), "{command}: {help}");
    }
}

#[test]
fn emit_reports_what_is_not_rust() {
    let (one, two) = (kind("One"), kind("Two"));
    let manifest =
        |name: &str| format!("[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n");
    let files = [
        ("Cargo.toml", format!("{}[workspace]\nmembers = [\"inner\"]\n", manifest("outer"))),
        ("src/lib.rs", one),
        ("inner/Cargo.toml", manifest("inner")),
        ("inner/src/lib.rs", two),
        ("x.yaml", CRD.to_owned()),
        ("notes.txt", String::new()),
    ];
    let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (*name, text.as_str())).collect();
    let folder = folder("rust", &files);
    for (path, message) in [
        (
            "x.yaml",
            "x.yaml: not Rust: pass the folder of a package, its Cargo.toml, or a single .rs file; `crdgen import` generates Rust types from CRDs",
        ),
        (
            "notes.txt",
            "notes.txt: not Rust: pass the folder of a package, its Cargo.toml, or a single .rs file\n",
        ),
        ("nothing.rs", "nothing.rs: no such file or directory"),
        ("nothing", "nothing: no such file or directory"),
    ] {
        for command in ["emit", "migrate-check"] {
            let (code, stdout, stderr) = shell(&folder, &format!("crdgen {command} {path}"));
            assert!(
                code == Some(2) && stdout.is_empty() && stderr.contains(message),
                "{command} {path}: {stderr}"
            );
        }
    }
    // The path of a manifest means its package, from whatever folder the command runs in.
    let kinds = |text: &str| (text.contains("kind: One"), text.contains("kind: Two"));
    for (line, wanted) in [
        ("crdgen emit inner/Cargo.toml", (false, true)),
        ("cd inner && crdgen emit Cargo.toml", (false, true)),
        ("cd inner && crdgen emit", (false, true)),
        ("cd inner && crdgen emit ../Cargo.toml -p outer", (true, false)),
        ("crdgen emit inner/src", (false, true)),
    ] {
        let (code, stdout, stderr) = shell(&folder, line);
        assert_eq!((code, kinds(&stdout)), (Some(0), wanted), "{line}: {stderr}");
    }
}

#[test]
fn files_of_kinds_that_are_gone_are_found() {
    let both = kind("Keep") + &kind("Gone");
    let folder = folder("stale", &[("kinds.rs", &both), ("others.rs", &kind("Other"))]);
    let emit = |more: &str| shell(&folder, &format!("crdgen emit kinds.rs --out-dir out {more}"));
    assert_eq!(emit("").0, Some(0));
    assert!(
        read(&folder, "out/example.com_gones.yaml").starts_with("# @generated by crdgen from crate kinds\n")
    );
    // Neither the files of another crate nor files that users wrote are removed.
    assert_eq!(shell(&folder, "crdgen emit others.rs --out-dir out").0, Some(0));
    write(&folder, "out/mine.yaml", &CRD.replace("goods", "mines"));
    assert_eq!((emit("--check").0, emit("--kind Keep --check").0), (Some(0), Some(0)));
    write(&folder, "kinds.rs", &kind("Keep"));
    let gone = "out/example.com_gones.yaml: no kind has this file any more. Remove it";
    let (code, stdout, _) = emit("--check");
    assert_eq!((code, stdout), (Some(1), format!("{gone}\n")));
    assert_eq!(emit("--kind Keep --check").0, Some(0));
    let (code, _, stderr) = emit("");
    assert_eq!((code, stderr), (Some(0), format!("{gone}, or use --prune\n")));
    assert!(folder.join("out/example.com_gones.yaml").is_file());
    let (code, _, stderr) = emit("--prune");
    assert_eq!((code, stderr.as_str()), (Some(0), "removed out/example.com_gones.yaml\n"));
    assert!(!folder.join("out/example.com_gones.yaml").exists());
    assert_eq!(emit("--check").0, Some(0));
    for file in ["out/mine.yaml", "out/example.com_others.yaml", "out/example.com_keeps.yaml"] {
        assert!(folder.join(file).is_file(), "{file}");
    }
    // This includes charts, whose templates begin with an additional line.
    assert_eq!(shell(&folder, "crdgen emit kinds.rs --helm --out-dir chart").0, Some(0));
    write(&folder, "kinds.rs", &kind("New"));
    let (code, stdout, _) = shell(&folder, "crdgen emit kinds.rs --helm --out-dir chart --check");
    assert!(
        code == Some(1) && stdout.contains("chart/example.com_keeps.yaml: no kind has this file any more"),
        "{stdout}"
    );
}

#[test]
fn imported_modules_that_are_made_of_nothing_are_found() {
    let second = CRD.replace("example.com", "other.example.com");
    let folder = folder("modules", &[("x/a.yaml", CRD), ("x/b.yaml", &second)]);
    let import = |more: &str| shell(&folder, &format!("crdgen import x --out-dir out {more}"));
    assert_eq!(import("").0, Some(0));
    write(&folder, "out/mine.rs", "pub struct Mine;\n");
    assert_eq!(import("--check").0, Some(0));
    fs::remove_file(folder.join("x/b.yaml")).unwrap_or_else(|e| panic!("{e}"));
    let (code, _, stderr) = import("");
    assert!(
        code == Some(0) && stderr.contains("crdgen no longer generates this file. Remove it"),
        "{stderr}"
    );
    let (code, _, stderr) = import("--check");
    assert!(code == Some(1) && stderr.contains("other_example_com"), "{stderr}");
    assert!(!stderr.contains("mine.rs"), "{stderr}");
}
