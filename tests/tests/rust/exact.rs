//! `crdgen emit --exact` and `crdgen convert --exact` compile packages and run their types. The packages are in
//! `tests/exact`.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("exact")
}

fn emit(arguments: &[&str]) -> Output {
    let output = command("emit", arguments).output();
    output.unwrap_or_else(|e| panic!("{e}"))
}

fn command(name: &str, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tool"));
    command.arg(name).args(arguments).current_dir(folder());
    crate::builds_packages(&mut command).env("NO_COLOR", "1").env("CARGO_TERM_COLOR", "never");
    command
}

/// Runs `crdgen convert` for objects.
#[track_caller]
fn convert(arguments: &[&str], objects: &str) -> (Option<i32>, String, String) {
    let piped = || Stdio::piped();
    let child = command("convert", arguments).stdin(piped()).stdout(piped()).stderr(piped()).spawn();
    let mut child = child.unwrap_or_else(|e| panic!("{e}"));
    let mut input = child.stdin.take().expect("it is piped");
    input.write_all(objects.as_bytes()).unwrap_or_else(|e| panic!("{e}"));
    drop(input);
    let Output { status, stdout, stderr } = child.wait_with_output().unwrap_or_else(|e| panic!("{e}"));
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (status.code(), text(&stdout), text(&stderr))
}

#[track_caller]
fn documents(arguments: &[&str]) -> String {
    let Output { status, stdout, stderr } = emit(arguments);
    assert!(status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&stderr));
    String::from_utf8_lossy(&stdout).into_owned()
}

/// Asserts that the command fails and prints no CRDs. Returns what it reports.
#[track_caller]
fn printed(arguments: &[&str]) -> String {
    let Output { status, stdout, stderr } = emit(arguments);
    assert_eq!((status.code(), String::from_utf8_lossy(&stdout).as_ref()), (Some(1), ""), "{arguments:?}");
    String::from_utf8_lossy(&stderr).into_owned()
}

/// For all kinds of the tests and the examples, the source and the compiled types give the same CRDs.
#[test]
fn all_kinds_are_the_same_from_sources_and_compiled() {
    let source = documents(&["matrix", "--force"]);
    let asked = documents(&["matrix", "--force", "--exact"]);
    let count = |text: &str| text.lines().filter(|l| *l == "kind: CustomResourceDefinition").count();
    assert_eq!(count(&source), crate::rust::matrix::kinds().len() + 1);
    let differs = source.lines().zip(asked.lines()).find(|(a, b)| a != b);
    assert!(source == asked, "{} by source, {} asked; first {differs:?}", count(&source), count(&asked));
}

/// What lints report about compiled types has its place in the sources, although these do not show everything.
#[test]
fn findings_have_their_places_in_sources() {
    let Output { stderr, .. } = emit(&["shop", "--exact"]);
    let stderr = String::from_utf8_lossy(&stderr);
    let text = std::fs::read_to_string(folder().join("shop/src/kinds.rs")).unwrap_or_default();
    let line = text.lines().position(|line| line.contains("self.note")).map_or(0, |number| number + 1);
    let place = format!("shop/src/kinds.rs:{line}:45");
    assert!(stderr.contains("LNT013") && stderr.contains(&place), "{stderr}");
}

/// A member of a workspace, by folder and by name: versions, features, generics, re-exports, types from macros.
#[test]
fn packages_as_they_are() {
    let golden = folder().join("shop.yaml");
    let asked = documents(&["shop", "--exact"]);
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(&golden, &asked).unwrap_or_else(|e| panic!("{e}"));
    }
    let wanted = std::fs::read_to_string(&golden).unwrap_or_default();
    assert!(asked == wanted, "differs, run with UPDATE=1 and look at the difference:\n{asked}");
    assert_eq!(documents(&[".", "--package", "shop-kinds", "--exact"]), wanted);
    let board = documents(&["shop", "--exact", "--kind", "Shelf"]);
    assert!(wanted.contains(board.trim_start_matches("---\n")), "{board}");
    // The sources give the same result for what they show, and report what they do not.
    assert_eq!(documents(&["shop", "--kind", "Shelf"]), board);
    let unseen = printed(&["shop", "--all-or-nothing"]);
    assert!(unseen.contains("crdgen cannot evaluate `(1..=4).product()` without running code"), "{unseen}");
    assert!(!unseen.contains("`Price`"), "{unseen}");
}

#[test]
fn features_choose() {
    let text =
        documents(&["shop", "--exact", "--kind", "Article", "--no-default-features", "--features", "trade"]);
    assert!(text.contains("trader:") && !text.contains("stock:"), "{text}");
    let all = documents(&["shop", "--exact", "--kind", "Article", "--all-features"]);
    assert!(all.contains("trader:") && all.contains("stock:"), "{all}");
}

/// Several processes use the same package for different purposes at the same time, and each gets its own answer.
#[test]
fn at_the_same_time() {
    let one = |kind: &'static str| move || documents(&["shop", "--exact", "--kind", kind]);
    let alone = ["Article", "Shelf"].map(|kind| (kind, one(kind)()));
    std::thread::scope(|scope| {
        for (kind, wanted) in alone.iter().cycle().take(12) {
            scope.spawn(move || assert_eq!(&one(kind)(), wanted));
        }
    });
}

/// Private kinds, and those of programs, are called in a copy of the workspace, also what a macro, an attribute or a build script
/// generates.
#[test]
fn private_kinds_are_called_in_a_copy() {
    let Output { status, stdout, stderr } = emit(&["closed", "--exact"]);
    let (stdout, stderr) = (String::from_utf8_lossy(&stdout), String::from_utf8_lossy(&stderr));
    assert_eq!(status.code(), Some(1), "{stderr}");
    assert!(stdout.contains("\n    kind: Written\n"), "{stdout}{stderr}");
    for kind in ["Hidden", "Deep", "Deepest", "Declared", "Own", "Dated"] {
        assert!(stdout.contains(&format!("\n    kind: {kind}\n")), "{kind}\n{stdout}{stderr}");
        let same = documents(&["closed", "--kind", kind]);
        assert!(stdout.contains(same.trim_start_matches("---\n")), "{kind}\n{stdout}{same}");
    }
    assert!(stderr.contains("error[RST006]: ") && stderr.contains("closed/src/lib.rs"), "{stderr}");
    assert_eq!(stderr.matches("error[").count(), 1, "{stderr}");
}

/// kube's `merge_crds` chooses the stored version, which types do not know. Compiled types get it from the sources.
#[test]
fn stores_what_merge_crds_stores() {
    let asked = documents(&["merged", "--exact"]);
    let parts: Vec<&str> = asked.split("\n---\n").collect();
    let [board, sign] = parts[..] else { panic!("{asked}") };
    let stored = |text: &str| {
        let names = text.lines().filter_map(|line| line.trim_start().strip_prefix("storage: "));
        names.map(str::to_owned).collect::<Vec<_>>()
    };
    let versions = |text: &str| text.lines().filter(|line| line.starts_with("  - name: v")).count();
    assert_eq!((versions(board), versions(sign)), (2, 2), "{asked}");
    // Versions are sorted by priority: v2, v1.
    assert_eq!(stored(board), ["false", "true"], "{board}");
    assert_eq!(stored(sign), ["true", "false"], "{sign}");
    assert!(board.contains("- old\n") && !board.contains("- new\n"), "{board}");
    // Only the types that the sources do not show are compiled, and the result is the same.
    assert_eq!(documents(&["merged", "--exact=auto"]), asked);
    let Output { status, stdout, stderr } = emit(&["merged"]);
    let (stdout, stderr) = (String::from_utf8_lossy(&stdout), String::from_utf8_lossy(&stderr));
    assert!(status.code() == Some(1) && board.contains(stdout.trim()), "{stdout}");
    assert!(stderr.contains("not emitted: signs.merged.example.com: "), "{stderr}");
}

/// kube-derive's CRDs of private kinds and of programs. The sources stay as they are.
#[test]
fn private_kinds_of_other_derives_are_called_in_a_copy() {
    let Output { status, stdout, stderr } =
        emit(&["theirs", "--exact=auto", "--kind", "Inner", "--kind", "Program"]);
    let (stdout, stderr) = (String::from_utf8_lossy(&stdout), String::from_utf8_lossy(&stderr));
    assert!(status.success(), "{stdout}{stderr}");
    assert!(stdout.contains("default: 24") && stdout.contains("default: 7"), "{stdout}{stderr}");
    for place in ["theirs/src/lib.rs:", "theirs/src/kinds.rs:7:"] {
        assert!(stderr.contains(place), "{place}\n{stderr}");
    }
    assert_eq!(stderr.matches("is that of kube-derive, and not of crdgen").count(), 2, "{stderr}");
}

/// What other derives write into a schema is reported at the field in the source.
#[test]
fn findings_about_other_derives_have_their_places() {
    let Output { status, stderr, .. } = emit(&["theirs", "--exact", "--kind", "Counted"]);
    let stderr = String::from_utf8_lossy(&stderr);
    let text = std::fs::read_to_string(folder().join("theirs/src/lib.rs")).unwrap_or_default();
    let line = text.lines().position(|line| line.contains("pub small")).map_or(0, |number| number + 1);
    let found = format!(
        "properties[small].format: unrecognized format \"uint8\"\n  --> theirs/src/lib.rs:{line}:9\n"
    );
    assert!(status.success() && stderr.contains("warning[SCH032]: ") && stderr.contains(&found), "{stderr}");
}

#[test]
fn the_compiler_has_its_say() {
    let text = printed(&["broken", "--exact"]);
    assert!(text.contains("error[E0425]: cannot find type `Missing`"), "{text}");
    let own = "error[RST027]: crdgen cannot run the types of broken: it does not compile";
    assert!(text.contains(own), "{text}");
}

#[test]
fn a_file_is_not_a_package() {
    let Output { status, stderr, .. } = emit(&["closed/src/lib.rs", "--exact"]);
    let text = String::from_utf8_lossy(&stderr);
    assert_eq!(status.code(), Some(2), "{text}");
    assert!(text.contains("a file alone is not compiled: give the folder of its package"), "{text}");
}

fn object(version: &str, kind: &str, name: &str, spec: &str) -> String {
    format!(
        "---\napiVersion: exact.example.com/{version}\nkind: {kind}\nmetadata:\n  name: {name}\nspec:\n  {spec}\n"
    )
}

/// Both routes report the function, and the compiled types call it. Lines that types print are ignored.
#[test]
fn functions_of_conversions_are_called() {
    let old = object("v1", "Timer", "a", "seconds: 5");
    let (exit, stdout, stderr) = convert(&["--to", "v2", "--types", "moved"], &old);
    assert!(exit == Some(1) && stdout.is_empty(), "{stdout}");
    for text in [
        "crdgen does not run the function `to_millis`",
        "moved/src/lib.rs:29:44",
        "With --exact, crdgen compiles your package",
    ] {
        assert!(stderr.contains(text), "{text}\n{stderr}");
    }
    for exact in ["--exact", "--exact=auto"] {
        let (exit, new, stderr) = convert(&["--to", "v2", "--types", "moved", exact], &(old.repeat(2)));
        assert_eq!((exit, stderr.as_str()), (Some(0), ""));
        let wanted = object("v2", "Timer", "a", "label: \"\"\n  millis: 5000");
        assert_eq!(new, wanted.repeat(2));
        let (exit, back, stderr) = convert(&["--to", "v1", "--types", "moved", exact], &new);
        assert_eq!((exit, stderr.as_str(), back.as_str()), (Some(0), "", old.repeat(2).as_str()));
    }
}

/// The other objects are converted.
#[test]
fn a_conversion_that_panics_is_an_error_of_its_object() {
    let objects = ["5", "-1", "7"].map(|seconds| object("v1", "Timer", "a", &format!("seconds: {seconds}")));
    let (exit, stdout, stderr) = convert(&["--to", "v2", "--types", "moved", "--exact"], &objects.concat());
    assert_eq!(exit, Some(1), "{stderr}");
    assert!(stdout.contains("millis: 5000") && stdout.contains("millis: 7000"), "{stdout}");
    for text in
        ["time does not run backwards", "the program that converts it stopped: ", "see its error above"]
    {
        assert!(stderr.contains(text), "{text}\n{stderr}");
    }
}

#[test]
fn conversions_that_are_not_public_are_reported() {
    let old = object("v1", "Secretive", "a", "a: x");
    let (exit, new, stderr) = convert(&["--to", "v2", "--types", "moved", "--exact=auto"], &old);
    assert_eq!((exit, new), (Some(0), object("v2", "Secretive", "a", "b: x")), "{stderr}");
    let (exit, stdout, stderr) = convert(&["--to", "v2", "--types", "moved", "--exact"], &old);
    assert!(exit == Some(1) && stdout.is_empty(), "{stdout}");
    let message =
        "error[RST028]: `moved::hidden::v1::SecretiveSpec` is in a private module, so crdgen cannot reach it";
    assert!(
        stderr.contains("its types could not be compiled, so crdgen cannot run its conversion"),
        "{stderr}"
    );
    assert!(stderr.contains(message) && stderr.contains("moved/src/lib.rs:48:1"), "{stderr}");
    assert_eq!(stderr.matches("RST028").count(), 1, "{stderr}");
}

/// Without crdgen among the dependencies, the CRD is that of the package's own derive, and marked as such.
#[test]
fn a_package_without_crdgen_gives_the_crds_of_its_own_derive() {
    let Output { status, stdout, stderr } = emit(&["theirs", "--exact=auto", "--kind", "Own"]);
    let (stdout, stderr) = (String::from_utf8_lossy(&stdout), String::from_utf8_lossy(&stderr));
    assert!(status.success() && stdout.contains("default: 24"), "{stdout}{stderr}");
    let marked = "warning[RST039]: the CRD owns.exact.example.com is that of kube-derive, and not of crdgen";
    assert!(stderr.contains(marked) && stderr.contains("theirs/src/lib.rs:7:12"), "{stderr}");
    // Another kind does not change that.
    let Output { status, stdout, stderr } = emit(&["theirs", "--exact"]);
    let (stdout, stderr) = (String::from_utf8_lossy(&stdout), String::from_utf8_lossy(&stderr));
    assert!(status.code() == Some(1) && stdout.contains("default: 24"), "{stdout}{stderr}");
    assert!(stderr.contains("error[RST027]: crd() of theirs::Panics"), "{stderr}");
}

/// This runs in a process of its own, so that cargo builds in the folder of the other tests.
#[test]
fn in_a_program() {
    let Some(out) = std::env::var_os("CRDGEN_TEST_EXACT").map(PathBuf::from) else { return };
    let builder = crdgen::Builder::new().source(folder().join("shop")).kinds(["Shelf"]).exact(true).yaml(out);
    builder.quiet(true).run().unwrap_or_else(|e| panic!("{e}"));
}

#[test]
fn a_builder_compiles_types_too() {
    let out = std::env::temp_dir().join(format!("crdgen-exact-builder-{}", std::process::id()));
    let own = std::env::current_exe().unwrap_or_else(|e| panic!("{e}"));
    let run = |variable: &str| {
        let mut program = Command::new(&own);
        program.args(["--exact", "rust::exact::in_a_program", "--nocapture"]).env("CRDGEN_TEST_EXACT", &out);
        let ran = crate::builds_packages(&mut program).env(variable, "x86_64").output();
        let Output { status, stdout, stderr } = ran.unwrap_or_else(|e| panic!("{e}"));
        (status, [stdout, stderr].map(|text| String::from_utf8_lossy(&text).into_owned()).concat())
    };
    // Cargo would wait for itself.
    let (status, text) = run("CARGO_CFG_TARGET_ARCH");
    assert!(!status.success() && text.contains("Builder::exact does not work in a build script"), "{text}");
    let (status, text) = run("CRDGEN_TEST_OTHER");
    assert!(status.success(), "{text}");
    let written = std::fs::read_to_string(out.join("exact.example.com_shelfs.yaml"));
    _ = std::fs::remove_dir_all(&out);
    let written = written.unwrap_or_else(|e| panic!("{e}"));
    let (mark, crd) = written.split_once('\n').unwrap_or_default();
    assert!(mark.starts_with("# @generated"), "{written}");
    assert_eq!(documents(&["shop", "--exact", "--kind", "Shelf"]), format!("---\n{crd}"));
}
