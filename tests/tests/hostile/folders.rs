//! Folders with kustomizations and charts that try to read files outside, to reach the network, or to choose what kustomize,
//! kubectl and Helm do.

use super::{GOOD, Ran, Sandbox, pipe};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

const SECRET: &str =
    "apiVersion: example.com/v1\nkind: Good\nmetadata: {name: a}\nspec: {a: {secret: words}}\n";
pub(super) const OBJECT: &str = "apiVersion: example.com/v1\nkind: Good\nmetadata: {name: a}\nspec: {a: x}\n";

/// What the programs got.
const CALLED: &str = "out/called";

/// A sandbox with programs that only write down how they were called.
pub(super) fn sandbox(name: &str) -> Sandbox {
    with_programs(Sandbox::new(name))
}

fn with_programs(sandbox: Sandbox) -> Sandbox {
    for program in ["kustomize", "kubectl", "helm"] {
        let called = sandbox.path(CALLED);
        let script = format!(
            "#!/bin/sh\nmkdir -p {0}\nfor arg in \"${{0##*/}}\" \"$@\"; do printf '%s\\n' \"$arg\"; done >> {1}\nexit 1\n",
            sandbox.path("out").display(),
            called.display()
        );
        script_at(&sandbox, program, &script);
    }
    sandbox
}

pub(super) fn script_at(sandbox: &Sandbox, program: &str, script: &str) {
    use std::os::unix::fs::PermissionsExt;
    let path = format!("bin/{program}");
    sandbox.write(&path, script);
    let executable = fs::Permissions::from_mode(0o755);
    fs::set_permissions(sandbox.path(&path), executable).unwrap_or_else(|e| panic!("{e}"));
}

/// Runs a command in a folder of the sandbox.
#[track_caller]
fn run_in(sandbox: &Sandbox, folder: &str, args: &[&str]) -> Ran {
    let mut command = sandbox.command(args);
    let path = std::env::var("PATH").unwrap_or_default();
    command
        .env("PATH", format!("{}:{path}", sandbox.path("bin").display()))
        .current_dir(sandbox.path(folder));
    sandbox.run_within_limits(command, &args.join(" "))
}

pub(super) fn called(sandbox: &Sandbox) -> String {
    fs::read_to_string(sandbox.path(CALLED)).unwrap_or_default()
}

pub(super) fn link(to: impl AsRef<Path>, at: impl AsRef<Path>) {
    let at = at.as_ref();
    symlink(to, at).unwrap_or_else(|e| panic!("{}: {e}", at.display()));
}

/// A file that is too large is an error, but the other files are checked all the same: otherwise it would hide their mistakes.
#[test]
fn one_large_file_does_not_hide_the_others() {
    let sandbox = Sandbox::new("folders-large");
    sandbox.write("checkout/crds/good.yaml", GOOD);
    sandbox.write("checkout/crds/bad.yaml", GOOD.replace("Namespaced", "Wrong").replace("ood", "ad"));
    sandbox.write("checkout/object.yaml", OBJECT);
    let large = fs::File::create(sandbox.path("checkout/large.yaml")).unwrap_or_else(|e| panic!("{e}"));
    large.set_len(1 << 40).unwrap_or_else(|e| panic!("{e}"));
    let error = "error: checkout/large.yaml: larger than 128 MiB";
    for (args, finds) in [
        (&["check", "checkout"][..], "scope"),
        (&["validate", "checkout"], "scope"),
        (&["get", "checkout"], "NAME"),
        (&["docs", "checkout", "--out-dir", "out"], "goods.html"),
    ] {
        let ran = sandbox.run(args);
        assert_eq!(ran.stderr.matches(error).count(), 1, "{args:?}\n{}", ran.stderr);
        assert_eq!(ran.code(), Some(2), "{args:?}\n{}{}", ran.stdout, ran.stderr);
        let all = format!("{}{}", ran.stdout, ran.stderr);
        assert!(all.contains(finds), "{args:?}\n{all}");
    }
    // A suite with one failing case for the file.
    sandbox.write(
        "checkout/a.testsuite.yaml",
        "apiVersion: apiextensions.k8s.io/v1\nname: s\ncrdName: goods.example.com\ntests:\n  onCreate:\n  - {name: other, initial: \
         '{}', expectedError: x}\n",
    );
    let ran = sandbox.run(&["test", "checkout"]);
    let all = format!("{}{}", ran.stdout, ran.stderr);
    assert!(ran.code() == Some(1) && all.contains("other") && all.contains("larger than 128 MiB"), "{all}");
    // A file that the user names is the only thing to work on.
    let ran = sandbox.run(&["check", "checkout/large.yaml", "checkout/crds"]);
    assert!(ran.code() == Some(2) && ran.stderr.contains(error), "{}", ran.stderr);
}

/// The patterns of a `.gitignore` take far more memory than their text, and a pipe has no end.
#[test]
fn rules_about_files_are_small_and_regular() {
    let why = |what: &str| format!("checkout/below/.gitignore: {what}");
    for (what, reported) in
        [("a pipe", why("a named pipe, not a regular file")), ("large", why("more than 1 MiB"))]
    {
        for place in ["below", "."] {
            let sandbox = Sandbox::new("folders-rules");
            sandbox.write("checkout/good.yaml", GOOD);
            sandbox.write("checkout/below/bad.yaml", GOOD.replace("Namespaced", "Wrong"));
            let rules = sandbox.path(&format!("checkout/{place}/.gitignore"));
            match what {
                "a pipe" => pipe(&rules),
                _ => fs::write(&rules, "*a*b?\n".repeat(1 << 20)).unwrap_or_else(|e| panic!("{e}")),
            }
            let ran = sandbox.run(&["check", "checkout"]);
            let shown = reported.replace("below/", if place == "." { "" } else { "below/" });
            assert!(
                ran.code() == Some(2) && ran.stderr.contains(&shown),
                "{what}: {}{}",
                ran.stdout,
                ran.stderr
            );
            // A folder hides nothing else.
            assert_eq!(ran.stderr.contains("1 CRD"), place == "below", "{what}: {}", ran.stderr);
            let ran = sandbox.run(&["check", "checkout", "--no-ignore"]);
            assert!(ran.code() == Some(1) && ran.stdout.contains("scope"), "{what}: {}", ran.stdout);
        }
    }
}

/// Commands that build the kustomizations of the current folder.
const COMMANDS: [&[&str]; 4] =
    [&["validate"], &["check"], &["docs"], &["validate", "good.yaml", "--crd", "."]];

/// A folder may have the name of an option. kubectl and kustomize would write the output to the file that it names.
#[test]
fn names_of_folders_are_not_options() {
    for name in ["--output=x", "-e", "--help", "-"] {
        for below in ["", "in/"] {
            let sandbox = sandbox("folders-options");
            let folder = format!("checkout/{below}{name}");
            // crdgen leaves replacements to kustomize if they copy more than a text.
            let replaced = "resources: [a.yaml]\nreplacements:\n- source: {kind: CustomResourceDefinition, fieldPath: spec.versions}\n  \
                            targets: [{select: {kind: CustomResourceDefinition}, fieldPaths: [spec.versions]}]\n";
            sandbox.write(&format!("{folder}/kustomization.yaml"), replaced);
            sandbox.write(&format!("{folder}/a.yaml"), GOOD);
            sandbox.write(&format!("{folder}/chart/Chart.yaml"), "name: x\nversion: 0.1.0\n");
            sandbox.write(&format!("{folder}/chart/templates/a.yaml"), OBJECT);
            sandbox.write("checkout/good.yaml", GOOD);
            for args in COMMANDS {
                run_in(&sandbox, "checkout", args);
            }
            let called = called(&sandbox);
            let here = sandbox.path("checkout").display().to_string();
            let wanted = format!("{here}/{below}{name}");
            assert!(called.lines().any(|line| line == wanted), "{name}: {called}");
            let chart = format!("{wanted}/chart");
            assert!(called.lines().any(|line| line == chart), "{name}: {called}");
            let own = "kustomize build helm template release-name --skip-schema-validation version --short";
            let is_own = |line: &str| {
                own.split(' ').any(|own| own == line)
                    || line.starts_with("--kube-version=")
                    || line.starts_with("--api-versions=")
                    || line.starts_with(&here)
            };
            assert!(called.lines().all(is_own), "{name}: {called}");
        }
    }
}

/// A kustomization names files outside of its repository, or outside of the folder if there is none. Their values must not become
/// part of any output.
#[test]
fn kustomizations_read_nothing_outside() {
    const CASES: [(&str, &str); 9] = [
        ("a resource", "resources: [../home/secret.yaml]\n"),
        ("a link", "resources: [link.yaml]\n"),
        ("a file in a linked folder", "resources: [folder/secret.yaml]\n"),
        ("a folder", "resources: [../home]\n"),
        ("a base", "bases: [folder]\n"),
        ("a component", "components: [../home/component]\n"),
        ("a patch", "resources: [a.yaml]\npatches: [{path: ../home/secret.yaml, target: {kind: Good}}]\n"),
        ("an old patch", "resources: [a.yaml]\npatchesStrategicMerge: [link.yaml]\n"),
        ("git", "resources: [.git/secret.yaml]\n"),
    ];
    for has_git in [true, false] {
        for (what, text) in CASES {
            let sandbox = with_programs(Sandbox::without_repository("folders-outside"));
            sandbox.write("home/secret.yaml", SECRET);
            sandbox.write("home/kustomization.yaml", "resources: [secret.yaml]\n");
            sandbox
                .write("home/component/kustomization.yaml", "kind: Component\nresources: [../secret.yaml]\n");
            sandbox.write("checkout/crd.yaml", GOOD);
            sandbox.write("checkout/a.yaml", OBJECT);
            sandbox.write("checkout/kustomization.yaml", text);
            if has_git {
                sandbox.write("checkout/.git/secret.yaml", SECRET);
            }
            link("../home/secret.yaml", sandbox.path("checkout/link.yaml"));
            link("../home", sandbox.path("checkout/folder"));
            for args in [&["validate"], &["check"], &["get"]] {
                let ran = run_in(&sandbox, "checkout", args);
                let all = format!("{}{}", ran.stdout, ran.stderr);
                assert!(!all.contains("words"), "{what}: {args:?}: {all}");
                let is_told = ["out of the folder", "outside of the"].iter().any(|it| all.contains(it));
                let is_missing = what == "git" && !has_git;
                assert!(args != &["validate"] || is_told || is_missing, "{what}: {all}");
            }
            assert_eq!(called(&sandbox), "", "{what}");
        }
    }
    let sandbox = with_programs(Sandbox::without_repository("folders-linked"));
    sandbox.write("home/kustomization.yaml", "resources: [secret.yaml]\nsecret: words\n");
    sandbox.write("home/secret.yaml", SECRET);
    sandbox.write("checkout/crd.yaml", GOOD);
    sandbox.write("checkout/secret.yaml", OBJECT);
    link("../home/kustomization.yaml", sandbox.path("checkout/kustomization.yaml"));
    let ran = run_in(&sandbox, "checkout", &["validate"]);
    let all = format!("{}{}", ran.stdout, ran.stderr);
    assert!(!all.contains("words") && all.contains("a link that leads out of the folder"), "{all}");
}

/// Files that git tracks although `.gitignore` names them, behind a link to a folder.
#[test]
fn tracked_files_are_not_read_through_links() {
    let sandbox = sandbox("folders-tracked");
    sandbox.write("home/secret.yaml", SECRET);
    sandbox.write("checkout/crd.yaml", GOOD);
    sandbox.write("checkout/l/secret.yaml", OBJECT);
    sandbox.write("checkout/.gitignore", "*.yaml\n");
    for args in [&["init", "-q"][..], &["add", "-f", "."]] {
        let status =
            std::process::Command::new("git").args(args).current_dir(sandbox.path("checkout")).status();
        assert!(status.is_ok_and(|it| it.success()), "git {args:?}");
    }
    fs::remove_dir_all(sandbox.path("checkout/l")).unwrap_or_else(|e| panic!("{e}"));
    link("../home", sandbox.path("checkout/l"));
    let ran = run_in(&sandbox, "checkout", &["validate"]);
    let all = format!("{}{}", ran.stdout, ran.stderr);
    assert!(
        !all.contains("words") && all.contains("skipped ./l/secret.yaml: outside of the folder"),
        "{all}"
    );
}

/// kustomize gets only kustomizations in which crdgen knows everything: others could make it use the network.
#[test]
fn kustomize_gets_nothing_remote() {
    const REMOTE: [&str; 14] = [
        "configMapGenerator: [{name: a, files: ['http://127.0.0.1:1/a']}]\n",
        "configMapGenerator: [{name: a, files: ['a=http://127.0.0.1:1/a']}]\n",
        "secretGenerator: [{name: a, envs: ['http://127.0.0.1:1/a']}]\n",
        "secretGenerator: [{name: a, env: 'http://127.0.0.1:1/a'}]\n",
        "configMapGenerator: [{name: a, Files: ['http://127.0.0.1:1/a']}]\n",
        "Resources: ['http://127.0.0.1:1/a']\n",
        "reſources: ['http://127.0.0.1:1/a']\n",
        "resources: ['http://127.0.0.1:1/a']\nresources: [a.yaml]\n",
        "openapi: {path: 'http://127.0.0.1:1/a'}\n",
        "crds: ['http://127.0.0.1:1/a']\n",
        "configurations: ['http://127.0.0.1:1/a']\n",
        "replacements: [{path: 'http://127.0.0.1:1/a'}]\n",
        "generators: [a.yaml]\n",
        "resources: [github.com/a/b]\n",
    ];
    for text in REMOTE {
        for deep in [false, true] {
            let sandbox = sandbox("folders-remote");
            // Something that crdgen does not apply.
            let more = if text.starts_with("replacements") { "" } else { "replacements: []\n" };
            let folder = if deep { "checkout/deep" } else { "checkout" };
            sandbox.write("checkout/crd.yaml", GOOD);
            sandbox.write("checkout/kustomization.yaml", "resources: [deep]\nreplacements: []\n");
            sandbox.write(&format!("{folder}/kustomization.yaml"), format!("{text}{more}"));
            sandbox.write(&format!("{folder}/a.yaml"), OBJECT);
            sandbox.write(&format!("{folder}/github.com/a/b/kustomization.yaml"), "resources: []\n");
            let ran = run_in(&sandbox, "checkout", &["validate"]);
            assert_eq!(called(&sandbox), "", "{text}");
            assert!(
                ran.stderr.contains("checkout") || ran.stderr.contains("kustomization"),
                "{text}: {}",
                ran.stderr
            );
        }
    }
    // A chain that is too long for crdgen ends at something remote.
    let sandbox = sandbox("folders-chain");
    for number in 0..60 {
        let text = format!("resources: [../b{}]\nreplacements: []\n", number + 1);
        sandbox.write(&format!("checkout/b{number}/kustomization.yaml"), text);
    }
    let text = "resources: ['http://127.0.0.1:1/a']\n";
    sandbox.write("checkout/b60/kustomization.yaml", text);
    run_in(&sandbox, "checkout", &["validate"]);
    assert_eq!(called(&sandbox), "");
    // It gets the others.
    sandbox.write("checkout/b60/kustomization.yaml", "resources: [a.yaml]\n");
    sandbox.write("checkout/b60/a.yaml", OBJECT);
    run_in(&sandbox, "checkout", &["validate"]);
    assert!(called(&sandbox).starts_with("kustomize\nbuild\n"), "{}", called(&sandbox));
}

/// A chart may be the current folder, and its templates choose neither their names nor where the text of others ends.
#[test]
fn templates_of_charts_hide_nothing() {
    let sandbox = sandbox("folders-chart");
    script_at(
        &sandbox,
        "helm",
        "#!/bin/sh\nprintf -- '---\\n# Source: x/templates/a.yaml\\n'\ncat \"$3/templates/a.yaml\"\n",
    );
    sandbox.write("c/Chart.yaml", "apiVersion: v2\nname: x\nversion: 0.1.0\n");
    sandbox.write("c/crds/crd.yaml", GOOD);
    let hidden = OBJECT.replace("spec: {a: x}", "# Source: x/../../innocent.yaml\nspec: {a: 1}");
    sandbox.write("c/templates/a.yaml", hidden);
    for (folder, args, name) in [
        ("c", &["validate"][..], "--> templates/a.yaml (rendered)"),
        ("c", &["validate", "."], "--> templates/a.yaml (rendered)"),
        (".", &["validate", "c"], "--> c/templates/a.yaml (rendered)"),
    ] {
        let ran = run_in(&sandbox, folder, args);
        let all = format!("{}{}", ran.stdout, ran.stderr);
        assert!(
            ran.code() == Some(1) && all.contains(name) && !all.contains("innocent.yaml:"),
            "{folder}: {all}"
        );
    }
}

/// Helm would download what the schema of a chart refers to. Versions that always do so are not used.
#[test]
fn schemas_of_charts_are_not_downloaded() {
    const OLD: &str = "Helm 3.15 downloads what the schemas of charts refer to; install Helm 3.16 or newer";
    for (version, is_rendered) in [("v3.16.0+gd301ffe", true), ("v3.15.4+gfa9efb0", false)] {
        let sandbox = sandbox("folders-schema");
        let fetched = sandbox.path("out/fetched").display().to_string();
        let flag = if is_rendered { "--skip-schema-validation" } else { "--no-such-flag" };
        let script = format!(
            "#!/bin/sh\n[ \"$1\" = version ] && {{ echo {version}; exit; }}\n\
             case \" $* \" in\n\
             *\" {flag} \"*) printf -- '---\\n# Source: x/templates/a.yaml\\n'; cat \"$3/templates/a.yaml\" ;;\n\
             *\" --skip-schema-validation \"*) echo 'Error: unknown flag: --skip-schema-validation' >&2; exit 1 ;;\n\
             *) mkdir -p {0}; touch {fetched} ;;\nesac\n",
            sandbox.path("out").display()
        );
        script_at(&sandbox, "helm", &script);
        sandbox.write("c/Chart.yaml", "apiVersion: v2\nname: x\nversion: 0.1.0\n");
        sandbox.write("c/values.schema.json", "{\"$ref\": \"http://127.0.0.1:1/schema.json\"}");
        sandbox.write("c/crds/crd.yaml", GOOD);
        sandbox.write("c/templates/a.yaml", OBJECT.replace("a: x", "a: 1"));
        let ran = run_in(&sandbox, ".", &["validate", "c"]);
        let all = format!("{}{}", ran.stdout, ran.stderr);
        assert!(!sandbox.path("out/fetched").exists(), "{all}");
        assert_eq!(all.contains("c/templates/a.yaml (rendered)"), is_rendered, "{all}");
        assert_eq!(all.contains(OLD), !is_rendered, "{all}");
    }
}

/// A suite names its CRD by a path, which may lead out of its repository. Its text must not become part of any output.
#[test]
fn suites_read_no_crds_outside() {
    const SUITE: &str = "name: x\ncrd: PATH\ntests:\n  onCreate:\n  - {name: a, initial: 'kind: Good', expected: 'kind: Good'}\n";
    for (path, is_read) in [("../../home/crd.yaml", false), ("../link.yaml", false), ("../crd.yaml", true)] {
        let sandbox = sandbox("folders-suites");
        sandbox.write("home/crd.yaml", GOOD);
        sandbox.write("checkout/crd.yaml", GOOD);
        sandbox.write("checkout/.git/HEAD", "");
        link("../home/crd.yaml", sandbox.path("checkout/link.yaml"));
        sandbox.write("checkout/tests/a.yaml", SUITE.replace("PATH", path));
        for (folder, args) in [("checkout", ["test", "tests"]), (".", ["test", "checkout/tests/a.yaml"])] {
            let ran = run_in(&sandbox, folder, &args);
            let all = format!("{}{}", ran.stdout, ran.stderr);
            assert_eq!(all.contains("outside of the suite's folder"), !is_read, "{path}: {all}");
            assert_eq!(all.contains("goods.example.com"), is_read, "{path}: {all}");
        }
        // The user may name it.
        if path.starts_with("../..") {
            let ran = run_in(&sandbox, "checkout", &["test", "tests", "--crd", "../home/crd.yaml"]);
            let all = format!("{}{}", ran.stdout, ran.stderr);
            assert!(!all.contains("outside of the suite's folder"), "{all}");
        }
    }
}

/// Each folder is found again from the root.
#[test]
fn folders_that_are_too_deep_are_reported() {
    let sandbox = sandbox("folders-deep");
    sandbox.write("checkout/crd.yaml", GOOD);
    sandbox.write("checkout/a.yaml", OBJECT);
    let folder = format!("checkout/{}", "d/".repeat(400));
    sandbox.write(&format!("{folder}b.yaml"), OBJECT);
    let ran = run_in(&sandbox, "checkout", &["validate"]);
    assert!(!ran.status.success(), "{}", ran.stderr);
    assert!(ran.stderr.contains("it is more than 200 folders deep"), "{}", ran.stderr);
    assert!(ran.stderr.contains("2 objects"), "{}", ran.stderr);
}
