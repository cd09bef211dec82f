//! The script of the GitHub Action.

use super::arguments::{folder, shell};
use crdgen_tests::corpus::GOOD as CRD;
use std::path::Path;

/// Runs the script with arguments, in a folder. Returns its exit code, its output, and the comment.
fn action(folder: &Path, before: &str, arguments: &str) -> (Option<i32>, String, String) {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../packaging/action.sh");
    let line = format!("{before}CRDGEN=\"$CRDGEN\" OUT=out bash '{}' {arguments}", script.display());
    let (code, out, err) = shell(folder, &line);
    let comment = std::fs::read_to_string(folder.join("out/comment.md")).unwrap_or_default();
    (code, out + &err, comment)
}

#[test]
fn the_comment_names_the_result() {
    if shell(Path::new("."), "bash --version").0 != Some(0) {
        println!("SKIPPED the GitHub Action: no bash");
        return;
    }
    let lost = CRD.replace("{a: {type: string}", "{a: {type: string}, gone: {type: string}");
    assert_ne!(lost, CRD);
    let bad = CRD.replace("Namespaced", "Nowhere");
    let folder = folder("action", &[("new/a.yaml", CRD), ("old/a.yaml", &lost), ("bad.yaml", &bad)]);
    let result = |comment: &str| comment.lines().nth(1).unwrap_or_default().to_owned();
    let (code, _, comment) = action(&folder, "", "check new");
    assert_eq!((code, result(&comment).as_str()), (Some(0), "**crdgen check** passed"), "{comment}");
    let (code, _, comment) = action(&folder, "", "check bad.yaml");
    assert_eq!((code, result(&comment).as_str()), (Some(1), "**crdgen check** failed: 1 error"), "{comment}");
    // A warning is not hidden by a run that passes, and a lost field fails by default, in the Action too.
    let warned = "**crdgen check** passed, with 1 warning";
    for setting in ["", "FAIL_ON=breaking "] {
        let (code, _, comment) = action(&folder, setting, "check new --against old");
        let failed = (Some(1), "**crdgen check** failed: 1 warning");
        assert_eq!((code, result(&comment).as_str()), failed, "{comment}");
    }
    let (code, _, comment) = action(&folder, "FAIL_ON=breaking ", "check new --against old --fail-on error");
    assert_eq!((code, result(&comment).as_str()), (Some(0), warned), "{comment}");
    let (code, _, comment) = action(&folder, "", "check nothing.yaml");
    assert_eq!((code, result(&comment).as_str()), (Some(2), "**crdgen check** could not run"), "{comment}");
}

#[test]
fn a_long_comment_is_cut_and_a_shallow_checkout_is_named() {
    let is_there = |line: &str| shell(Path::new("."), line).0 == Some(0);
    if !is_there("bash --version") || !is_there("git --version") {
        println!("SKIPPED the GitHub Action: no bash or git");
        return;
    }
    let folder = folder("action-git", &[("crds/a.yaml", CRD)]);
    let many = |text: &str| -> String {
        (0..800).map(|i| format!("{}---\n", text.replace("goods", &format!("goods{i}")))).collect()
    };
    // Warnings come first in the file, then what breaks, and then an error.
    let warned = CRD.replace("kind: Good", "kind: good").replace("goodList", "goodlist");
    let lost = CRD.replace("{a: {type: string}", "{a: {type: string}, gone: {type: string}");
    let last = CRD.replace("Namespaced", "Nowhere").replace("goods", "lasts");
    for (name, text) in [
        ("bad.yaml", many(&CRD.replace("Namespaced", "Nowhere"))),
        ("mixed.yaml", many(&warned) + CRD + "---\n" + &last),
        ("mixed-old.yaml", format!("{lost}---\n{}", last.replace("Nowhere", "Cluster"))),
    ] {
        std::fs::write(folder.join(name), text).expect("written");
    }
    let (_, _, comment) = action(&folder, "", "check bad.yaml");
    assert!(comment.len() > 50_000 && comment.len() < 65_000, "{}", comment.len());
    let shown = comment.matches("\n- ").count();
    let rest = format!("**Not shown, because a comment cannot be longer: {} errors.**", 800 - shown);
    assert!(comment.contains(&rest), "{shown} {}", &comment[comment.len() - 300..]);
    let (_, out, comment) = action(&folder, "", "check mixed.yaml --against mixed-old.yaml");
    let at = |text: &str| comment.find(text).unwrap_or_else(|| panic!("{text}: {out}{comment}"));
    let places = [at("<summary>errors"), at("CHG004"), at("<summary>warnings"), at("warnings.**")];
    assert!(places.is_sorted() && comment.len() < 65_000, "{places:?} {}", comment.len());
    let git = "git -c user.name=a -c user.email=a@example.com -c init.defaultBranch=main -c protocol.file.allow=always";
    let setup = format!(
        "rm -rf full shallow && {git} init -q full && cp -r crds full/ && cd full && git add . && {git} commit -qm one && git branch base && {git} commit -qm two --allow-empty && cd .. && {git} clone -q --depth 1 file://$PWD/full shallow"
    );
    let (code, _, err) = shell(&folder, &setup);
    assert_eq!(code, Some(0), "{err}");
    let (code, out, comment) = action(&folder.join("shallow"), "", "check crds --against git:origin/base");
    assert_eq!(code, Some(2), "{out}");
    assert!(comment.contains("fetch-depth: 0") && out.contains("::error title=crdgen::"), "{out}{comment}");
    let (code, out, comment) = action(&folder.join("full"), "", "check crds --against git:base");
    assert_eq!((code, comment.contains("fetch-depth")), (Some(0), false), "{out}");
}

/// The hooks for pre-commit check the whole repository: whether a file is for a server depends on the files around it.
#[test]
fn hooks_check_the_repository() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../.pre-commit-hooks.yaml");
    let hooks = crdgen_core::yaml::read_one(&std::fs::read(path).expect("the hooks")).expect("YAML").value;
    let hooks = hooks.as_list().expect("a list");
    let object = "apiVersion: example.com/v1\nkind: Good\nmetadata: {name: a}\nspec: {a: x}\n";
    let patch = "- {op: replace, path: /spec/a, value: z}\n";
    let kustomization = "resources: [a.yaml]\npatches: [{path: p.yaml, target: {kind: Good}}]\n";
    for (id, wrong, text) in [
        ("crdgen-check", "crds/bad.yaml", CRD.replace("Namespaced", "Nowhere").replace("goods", "bads")),
        ("crdgen-validate", "k/a.yaml", object.replace("kind: Good", "kind: Good\nspecs: {}")),
    ] {
        let hook = hooks.iter().find(|hook| hook.get("id").and_then(|id| id.as_str()) == Some(id));
        let hook = hook.expect("the hook");
        let entry = hook.get("entry").and_then(|entry| entry.as_str()).expect("an entry");
        let args = hook.get("args").and_then(|args| args.as_list()).expect("arguments");
        let args: Vec<&str> = args.iter().filter_map(|arg| arg.as_str()).collect();
        // pre-commit runs hooks with an empty pipe.
        let line = format!(": | {entry} {}", args.join(" "));
        assert_eq!(hook.get("pass_filenames").and_then(|it| it.as_bool()), Some(false), "{id}");
        let files = [
            ("crds/a.yaml", CRD),
            ("k/kustomization.yaml", kustomization),
            ("k/a.yaml", object),
            ("k/p.yaml", patch),
            (".github/workflows/ci.yaml", "on: push\n"),
        ];
        let folder = folder("hooks", &files);
        let (code, out, err) = shell(&folder, &line);
        assert_eq!((code, out.as_str()), (Some(0), ""), "{id}: {err}");
        // A project that kubebuilder has just created.
        let (code, out, err) = shell(&self::folder("hooks-new", &[("config/default/x.txt", "")]), &line);
        assert_eq!((code, out.as_str()), (Some(0), ""), "{id}: {err}");
        std::fs::write(folder.join(wrong), text).expect("written");
        let (code, out, err) = shell(&folder, &line);
        assert!(code == Some(1) && out.contains(wrong), "{id}: {out}{err}");
    }
}
