//! Git repositories whose configuration names programs. `crdgen` must read such a repository without running any of
//! them, or report an error.

use super::{GOOD, Sandbox, pipe};
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

/// The program that the configurations name. It leaves a file behind when it runs.
const PROGRAM: &str = "evil.sh";

/// The file that shows that the program ran. Everything outside of `out` may not change, so any run also fails there.
const RAN: &str = "out/ran";

/// The commands that read a revision. `REV` is replaced.
const COMMANDS: &[&[&str]] = &[
    &["check", "--against", "git:REV", "crds"],
    &["check", "--against", "git:REV", "crds/good.yaml"],
    &["check", "--against", "git:REV", "crds/*.yaml"],
    &["validate", "crds/object.yaml", "--crd", "crds/good.yaml", "--old", "git:REV"],
    &["validate", "crds/object.yaml", "--crd", "git:REV:crds"],
    &["get", "crds/object.yaml", "--crd", "git:REV:crds"],
];

const OBJECT: &str =
    "apiVersion: example.com/v1\nkind: Good\nmetadata: {name: a, namespace: b}\nspec: {a: x}\n";

/// Runs git as a user does who prepares a repository.
pub(super) fn git(folder: &Path, args: &[&str]) {
    let mut command = Command::new("git");
    command.args(["-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "init.defaultBranch=main"]);
    command.args(args).current_dir(folder).stdout(Stdio::null()).stderr(Stdio::null());
    let status = command.status().unwrap_or_else(|e| panic!("git: {e}"));
    assert!(status.success(), "git {args:?}");
}

/// A sandbox with a repository: a CRD and an object in `crds`, committed on the branch `main`.
fn repository(name: &str) -> Sandbox {
    let sandbox = Sandbox::new(name);
    sandbox.write("crds/good.yaml", GOOD);
    sandbox.write("crds/object.yaml", OBJECT);
    let script = format!("#!/bin/sh\nmkdir -p {0}/out; echo \"$0 $*\" >> {0}/{RAN}\nexit 1\n", at(&sandbox));
    sandbox.write(PROGRAM, script);
    git(&sandbox.work(), &["init", "-q", "."]);
    git(&sandbox.work(), &["add", "crds"]);
    git(&sandbox.work(), &["commit", "-qm", "a"]);
    executable(&sandbox.path(PROGRAM));
    sandbox
}

fn at(sandbox: &Sandbox) -> String {
    sandbox.work().display().to_string()
}

pub(super) fn executable(path: &Path) {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap_or_else(|e| panic!("{e}"));
}

/// Removes objects of the repository with these files, so that git would fetch them.
fn without(files: &Path, names: &[&str]) {
    for name in names {
        let out = Command::new("git").arg("--git-dir").arg(files).args(["rev-parse", name]).output();
        let id = out.map(|out| String::from_utf8_lossy(&out.stdout).trim().to_owned());
        let id = id.unwrap_or_else(|e| panic!("{e}"));
        let path = files.join(format!("objects/{}/{}", &id[..2], &id[2..]));
        fs::remove_file(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    }
}

/// The configuration of a partial clone whose missing objects are at this address.
fn promisor(url: &str, more: &str) -> String {
    format!(
        "[core]\n\trepositoryformatversion = 1\n[extensions]\n\tpartialClone = evil\n[remote \"evil\"]\n\tpromisor = true\n\
         \turl = {url}\n{more}"
    )
}

/// Configurations that make git run a program, each with the objects that the repository lacks.
fn configurations(program: &str) -> Vec<(&'static str, String, &'static [&'static str])> {
    const TREE: &[&str] = &["main^{tree}"];
    const BLOB: &[&str] = &["main:crds/good.yaml"];
    const NONE: &[&str] = &[];
    let uploadpack = format!("\tuploadpack = {program}\n");
    vec![
        ("uploadpack for a tree", promisor(".", &uploadpack), TREE),
        ("uploadpack for a blob", promisor(".", &uploadpack), BLOB),
        ("uploadpack of a file URL", promisor("file:///", &uploadpack), BLOB),
        (
            "protocols that are allowed",
            promisor(".", &format!("{uploadpack}[protocol]\n\tallow = always\n")),
            BLOB,
        ),
        ("ext", promisor(&format!("ext::{program}"), "[protocol \"ext\"]\n\tallow = always\n"), BLOB),
        ("ssh", promisor("ssh://example.com/a", &format!("[core]\n\tsshCommand = {program}\n")), BLOB),
        ("git protocol", promisor("git://example.com/a", &format!("[core]\n\tgitProxy = {program}\n")), BLOB),
        ("remote helper", promisor(".", &format!("\tvcs = ../../../{program}\n")), BLOB),
        (
            "credentials",
            promisor(
                "http://127.0.0.1:1/a",
                &format!("[credential]\n\thelper = !{program}\n[core]\n\taskPass = {program}\n"),
            ),
            BLOB,
        ),
        (
            "bundle",
            promisor(
                ".",
                &format!("[fetch]\n\tbundleURI = http://127.0.0.1:1/\n[credential]\n\thelper = !{program}\n"),
            ),
            BLOB,
        ),
        ("alternates", promisor(".", &format!("[core]\n\talternateRefsCommand = {program}\n")), BLOB),
        ("included", format!("[include]\n\tpath = {program}.config\n"), BLOB),
        ("fsmonitor", format!("[core]\n\tfsmonitor = {program}\n"), NONE),
        ("hooks", "[core]\n\thooksPath = hooks\n".to_owned(), NONE),
        (
            "pager",
            format!(
                "[core]\n\tpager = {program}\n[pager]\n\tls-tree = true\n\tcat-file = true\n\trev-parse = true\n"
            ),
            NONE,
        ),
        (
            "diff",
            format!(
                "[diff]\n\texternal = {program}\n[diff \"evil\"]\n\ttextconv = {program}\n\tcommand = {program}\n"
            ),
            NONE,
        ),
        (
            "filters",
            format!(
                "[filter \"evil\"]\n\tsmudge = {program}\n\tclean = {program}\n\tprocess = {program}\n\trequired = true\n"
            ),
            NONE,
        ),
        ("signatures", format!("[log]\n\tshowSignature = true\n[gpg]\n\tprogram = {program}\n"), NONE),
        (
            "aliases",
            format!("[alias]\n\tls-tree = !{program}\n\trev-parse = !{program}\n\tcat-file = !{program}\n"),
            NONE,
        ),
        ("worktree", "[core]\n\tworktree = /\n".to_owned(), NONE),
    ]
}

/// Whether there is git. Without it, these tests are skipped.
pub(super) fn has_git() -> bool {
    let found = Command::new("git").arg("--version").output().is_ok_and(|out| out.status.success());
    if !found {
        crdgen_tests::skip("hostile repositories", "there is no git");
    }
    found
}

#[track_caller]
fn runs_nothing(sandbox: &Sandbox, what: &str, args: &[&str]) -> super::Ran {
    let ran = sandbox.run(args);
    let proof = fs::read_to_string(sandbox.path(RAN)).unwrap_or_default();
    assert_eq!(proof, "", "{what}: {args:?} ran a program\n{}", ran.stderr);
    ran
}

/// The configuration of the repository in which the command runs. A checkout with git cannot contain one, but an archive
/// can.
#[test]
fn configurations_of_repositories_run_nothing() {
    if !has_git() {
        return;
    }
    let program = Sandbox::new("repository").path(PROGRAM).display().to_string();
    for (what, text, lacks) in configurations(&program) {
        let sandbox = repository("repository");
        without(&sandbox.path(".git"), lacks);
        fs::write(sandbox.path(".git/config"), &text).unwrap_or_else(|e| panic!("{e}"));
        sandbox.write(&format!("{PROGRAM}.config"), promisor(".", &format!("\tuploadpack = {program}\n")));
        sandbox.write(".git/info/attributes", "* filter=evil diff=evil\n");
        for hook in [
            "post-checkout",
            "post-index-change",
            "reference-transaction",
            "pre-auto-gc",
            "fsmonitor-watchman",
        ] {
            sandbox.write(&format!(".git/hooks/{hook}"), fs::read(sandbox.path(PROGRAM)).unwrap_or_default());
            executable(&sandbox.path(&format!(".git/hooks/{hook}")));
        }
        for args in COMMANDS {
            let args: Vec<String> = args.iter().map(|arg| arg.replace("REV", "main")).collect();
            let args: Vec<&str> = args.iter().map(String::as_str).collect();
            let ran = runs_nothing(&sandbox, what, &args);
            let needs_all = !args.contains(&"crds/object.yaml")
                || args.contains(&"git:main:crds")
                || lacks == ["main^{tree}"];
            let code = if needs_all && !lacks.is_empty() { Some(2) } else { Some(0) };
            assert_eq!(ran.code(), code, "{what}: {args:?}: {}", ran.stderr);
            assert!(code == Some(0) || ran.stderr.contains("git"), "{what}: {args:?}: {}", ran.stderr);
        }
    }
}

/// A folder of the checkout has the files of a bare repository, which git finds before the one around it.
#[test]
fn repositories_inside_of_checkouts_run_nothing() {
    if !has_git() {
        return;
    }
    for lacks in [["main^{tree}"], ["main:good.yaml"]] {
        let sandbox = repository("bare");
        git(&sandbox.work(), &["init", "-q", "--bare", "deploy"]);
        sandbox.write("source/good.yaml", GOOD);
        git(&sandbox.path("source"), &["init", "-q", "."]);
        git(&sandbox.path("source"), &["add", "."]);
        git(&sandbox.path("source"), &["commit", "-qm", "a"]);
        git(&sandbox.path("source"), &["push", "-q", "../deploy", "HEAD:main"]);
        sandbox.write("deploy/good.yaml", GOOD);
        without(&sandbox.path("deploy"), &lacks);
        let program = sandbox.path(PROGRAM).display().to_string();
        let config = promisor(".", &format!("\tuploadpack = {program}\n"));
        fs::write(sandbox.path("deploy/config"), config).unwrap_or_else(|e| panic!("{e}"));
        sandbox.write("crdgen.toml", "paths = [\"deploy\"]\n[check]\nagainst = \"git:main\"\n");
        for args in [
            ["check"].as_slice(),
            &["check", "deploy", "--against", "git:main"],
            &["check", "deploy/good.yaml", "--against", "git:main"],
            &["validate", "deploy", "--crd", "git:main:deploy"],
            &["validate", "deploy", "--crd", "good.yaml", "--old", "git:main"],
        ] {
            let ran = runs_nothing(&sandbox, "bare", args);
            assert!(ran.code() == Some(2) && ran.stderr.contains("git"), "{args:?}: {}", ran.stderr);
        }
    }
}

/// A folder whose `.git` is a file that leads to the files of a repository.
#[test]
fn links_to_repositories_run_nothing() {
    if !has_git() {
        return;
    }
    let sandbox = repository("gitfile");
    fs::rename(sandbox.path(".git"), sandbox.path("files")).unwrap_or_else(|e| panic!("{e}"));
    sandbox.write(".git", "gitdir: files\n");
    let program = sandbox.path(PROGRAM).display().to_string();
    without(&sandbox.path("files"), &["main:crds/good.yaml"]);
    let config = promisor(".", &format!("\tuploadpack = {program}\n"));
    fs::write(sandbox.path("files/config"), config).unwrap_or_else(|e| panic!("{e}"));
    let ran = runs_nothing(&sandbox, "gitfile", &["check", "--against", "git:main", "crds"]);
    assert!(ran.code() == Some(2) && ran.stderr.contains("partial clone"), "{}", ran.stderr);
}

/// A file that the repository lacks does not hide the others.
#[test]
fn the_other_files_of_a_partial_clone_are_compared() {
    if !has_git() {
        return;
    }
    let sandbox = repository("partial");
    let other = GOOD.replace("goods", "others").replace("Good", "Other");
    sandbox.write("crds/other.yaml", &other);
    git(&sandbox.work(), &["add", "crds"]);
    git(&sandbox.work(), &["commit", "-qm", "b"]);
    without(&sandbox.path(".git"), &["main:crds/good.yaml", "main:crds/object.yaml"]);
    sandbox.write("crds/other.yaml", other.replace("type: string", "type: integer"));
    for command in [&["diff", "git:main", "crds"], &["check", "--against=git:main", "crds"]] {
        let ran = sandbox.run(command);
        let text = "crds/good.yaml, crds/object.yaml. It may be a partial clone, and crdgen does not let git fetch them: run `git \
                    fetch --refetch --no-filter` once";
        assert!(ran.code() == Some(2) && ran.stderr.contains(text), "{}", ran.stderr);
        assert!(ran.stdout.contains("crds/other.yaml:") && ran.stdout.contains("CHG002"), "{}", ran.stdout);
    }
}

/// A revision that looks like an option of git, which could write a file.
#[test]
fn revisions_are_not_options() {
    if !has_git() {
        return;
    }
    let sandbox = repository("revisions");
    for revision in
        ["--output=written", "-h", "--help", "main -- x", "main\nx", "", "--git-dir=/", "--exec-path=."]
    {
        let against = format!("git:{revision}");
        let ran = runs_nothing(&sandbox, revision, &["check", "crds", "--against", &against]);
        assert!(
            ran.code() == Some(2)
                && ran.stderr.contains(if revision.is_empty() {
                    "name a revision"
                } else {
                    "there is no revision"
                }),
            "{revision:?}: {}",
            ran.stderr
        );
    }
}

/// Only files of the repository are read: not those to which links lead elsewhere, and no commits of submodules.
#[test]
fn revisions_have_files_alone() {
    if !has_git() {
        return;
    }
    let sandbox = repository("modes");
    std::os::unix::fs::symlink("/etc/passwd", sandbox.path("crds/link.yaml"))
        .unwrap_or_else(|e| panic!("{e}"));
    git(&sandbox.work(), &["add", "crds/link.yaml"]);
    let module = "160000,0123456789012345678901234567890123456789,crds/module.yaml";
    git(&sandbox.work(), &["update-index", "--add", "--cacheinfo", module]);
    git(&sandbox.work(), &["commit", "-qm", "b"]);
    let ran = sandbox.run(&["check", "crds/good.yaml", "--against", "git:main"]);
    assert_eq!(ran.code(), Some(0), "{}", ran.stderr);
    let ran = sandbox.run(&["get", "crds/object.yaml", "--crd", "git:main:crds"]);
    assert_eq!(ran.code(), Some(0), "{}", ran.stderr);
    let ran = sandbox.run(&["get", "crds/object.yaml", "--crd", "git:main:crds/link.yaml"]);
    let out = format!("{}{}", ran.stdout, ran.stderr);
    assert!(ran.code() == Some(2) && out.contains("leads out of the folder"), "{out}");
    assert!(!out.contains("root:"), "{out}");
}

/// Folders that are not read by default are read if the user names them, also next to others of the repository.
#[test]
fn revisions_have_all_folders_that_are_named() {
    if !has_git() {
        return;
    }
    let sandbox = repository("named-folders");
    sandbox.write("vendor/crds/other.yaml", GOOD.replace("good", "other").replace("Good", "Other"));
    git(&sandbox.work(), &["add", "-f", "vendor"]);
    git(&sandbox.work(), &["commit", "-qm", "b"]);
    for paths in
        [&["vendor/crds"][..], &["crds", "vendor/crds"], &["crds/good.yaml", "vendor/crds/other.yaml"]]
    {
        let ran = sandbox.run(&[&["check", "--against", "git:main"], paths].concat());
        assert!(ran.code() == Some(0) && !ran.stderr.contains("checked as new"), "{paths:?}: {}", ran.stderr);
    }
}

/// A file of gigabytes, which takes only kilobytes in the repository, is an error before it is read. It does not hide the others.
#[test]
fn large_files_of_revisions_are_errors() {
    if !has_git() {
        return;
    }
    let sandbox = repository("large-blob");
    sandbox.write("crds/required.yaml", GOOD.replace("good", "other").replace("Good", "Other"));
    git(&sandbox.work(), &["add", "crds/required.yaml"]);
    let large = fs::File::create(sandbox.path("crds/large.yaml")).unwrap_or_else(|e| panic!("{e}"));
    large.set_len(600 << 20).unwrap_or_else(|e| panic!("{e}"));
    git(&sandbox.work(), &["add", "crds/large.yaml"]);
    git(&sandbox.work(), &["commit", "-qm", "b"]);
    let ran = sandbox.run(&["check", "crds/good.yaml", "--against", "git:main"]);
    fs::remove_file(sandbox.path("crds/required.yaml")).unwrap_or_else(|e| panic!("{e}"));
    let both = sandbox.run(&["check", "crds", "--against", "git:main"]);
    fs::remove_file(sandbox.path("crds/large.yaml")).unwrap_or_else(|e| panic!("{e}"));
    sandbox.write("crds/extra.yaml", GOOD.replace("good", "extra").replace("Good", "Extra"));
    let again = sandbox.run(&["check", "crds", "--against", "git:main"]);
    assert_eq!(ran.code(), Some(0), "{}", ran.stderr);
    // The CRD may be in the large file now.
    let wanted =
        "not compared, because the new CRD may be in a file that crdgen cannot read: others.example.com";
    assert!(
        !again.stderr.contains("as new") && again.stderr.contains("extras.example.com"),
        "{}",
        again.stderr
    );
    assert!(both.code() == Some(2) && both.stderr.contains(wanted), "{}{}", both.stdout, both.stderr);
    assert!(again.stdout.contains("others.example.com"), "{}{}", again.stdout, again.stderr);
    assert!(again.code() == Some(2) && again.stderr.contains("larger than"), "{}", again.stderr);
}

/// git waits forever for a pipe without a writer.
#[test]
fn pipes_among_the_files_of_git_are_errors() {
    if !has_git() {
        return;
    }
    for name in ["HEAD", "config", "index", "packed-refs", "info/exclude", "objects/info/alternates"] {
        let sandbox = repository("repository-pipes");
        let path = sandbox.path(&format!(".git/{name}"));
        // Not all of them exist.
        let _ = fs::remove_file(&path);
        pipe(&path);
        let ran = sandbox.run(&["check", "crds", "--against", "git:main"]);
        let why = format!(".git/{name} is not a regular file, and git would wait for it");
        assert!(ran.code() == Some(2) && ran.stderr.contains(&why), "{name}: {}", ran.stderr);
        let ran = sandbox.run(&["check", "crds"]);
        assert_eq!(ran.code(), Some(0), "{name}: {}", ran.stderr);
    }
}

/// `.git` may be a file or a link that names any repository of the user.
#[test]
fn repositories_of_others_are_not_read() {
    if !has_git() {
        return;
    }
    let all = |ran: &super::Ran| format!("{}{}", ran.stdout, ran.stderr);
    const CASES: &[&str] = &[
        "a file",
        "a link",
        "a common folder",
        "linked objects",
        "a work tree",
        "alternates",
        "alternates of alternates",
        "a linked pack",
        "a linked branch",
        "a linked reference",
    ];
    let own_git = git;
    for what in CASES {
        let sandbox = repository("repository-others");
        sandbox.write("checkout/crds/good.yaml", GOOD.replace("type: string", "type: integer"));
        let git = sandbox.path("checkout/.git");
        match *what {
            "a file" => sandbox.write("checkout/.git", "gitdir: ../.git\n"),
            "a work tree" => {
                sandbox.write("checkout/.git", "gitdir: fake\n");
                sandbox.write("checkout/fake/gitdir", "../.git\n");
                sandbox.write("checkout/fake/commondir", "../../.git\n");
                sandbox.write("checkout/fake/HEAD", "ref: refs/heads/main\n");
            }
            "linked objects" => {
                sandbox.write("checkout/.git/HEAD", "ref: refs/heads/main\n");
                for name in ["objects", "refs"] {
                    let to = format!("../../.git/{name}");
                    std::os::unix::fs::symlink(to, git.join(name)).unwrap_or_else(|e| panic!("{e}"));
                }
            }
            "alternates"
            | "alternates of alternates"
            | "a linked pack"
            | "a linked branch"
            | "a linked reference" => {
                let own = sandbox.path("checkout");
                own_git(&own, &["init", "-qb", "evil", "."]);
                own_git(&own, &["add", "crds"]);
                own_git(&own, &["commit", "-qm", "a"]);
                let link = |to: &str, at: &str| {
                    let at = git.join(at);
                    let _ = fs::remove_dir_all(&at);
                    std::os::unix::fs::symlink(to, at).unwrap_or_else(|e| panic!("{e}"));
                };
                match *what {
                    "alternates" => {
                        sandbox.write("checkout/.git/objects/info/alternates", "../../../.git/objects\n")
                    }
                    "alternates of alternates" => {
                        sandbox.write("checkout/.git/objects/info/alternates", "../../other\n");
                        sandbox.write("checkout/other/info/alternates", "../../.git/objects\n");
                    }
                    "a linked pack" => link("../../../.git/objects", "objects/pack"),
                    "a linked branch" => link("../../../../.git/refs/heads/main", "refs/heads/main"),
                    _ => link("../../.git/refs/heads/main", "main"),
                }
            }
            "a link" => std::os::unix::fs::symlink("../.git", git).unwrap_or_else(|e| panic!("{e}")),
            _ => {
                sandbox.write("checkout/.git/commondir", "../../.git\n");
                sandbox.write("checkout/.git/HEAD", "ref: refs/heads/main\n");
            }
        }
        let ran = sandbox.run(&["check", "--against", "git:main", "checkout/crds"]);
        assert!(ran.code() == Some(2) && all(&ran).contains("another repository"), "{what}: {}", all(&ran));
        // Only the command line says that the user trusts them, and only alternates.
        sandbox.write("crdgen.toml", "git-alternates = true\n");
        let ran = sandbox.run(&["check", "--against", "git:main", "checkout/crds"]);
        assert_eq!(ran.code(), Some(2), "{what}: {}", all(&ran));
        let _ = fs::remove_file(sandbox.path("crdgen.toml"));
        let ran = sandbox.run(&["check", "--git-alternates", "--against", "git:evil", "checkout/crds"]);
        let is_read = ran.code() == Some(0);
        assert_eq!(is_read, what.starts_with("alternates"), "{what}: {}", all(&ran));
    }
    // Objects elsewhere in the checkout are its own, and so are hooks wherever they are.
    let sandbox = repository("repository-parts");
    sandbox.write(".git/objects/info/alternates", "../../more\n");
    sandbox.write("more/info/packs", "");
    let _ = fs::remove_dir_all(sandbox.path(".git/hooks"));
    std::os::unix::fs::symlink("../hooks", sandbox.path(".git/hooks")).unwrap_or_else(|e| panic!("{e}"));
    let ran = sandbox.run(&["check", "--against", "git:main", "crds"]);
    assert_eq!(ran.code(), Some(0), "{}", all(&ran));
    // Work trees and submodules are the user's own.
    let sandbox = repository("repository-own");
    git(&sandbox.work(), &["worktree", "add", "-q", "out/tree"]);
    let ran = sandbox.run(&["check", "--against", "git:main", "out/tree/crds"]);
    assert_eq!(ran.code(), Some(0), "{}", all(&ran));
    sandbox.write("out/sub/crds/good.yaml", GOOD);
    fs::create_dir_all(sandbox.path(".git/modules")).unwrap_or_else(|e| panic!("{e}"));
    let init = ["init", "-q", "--separate-git-dir", "../../.git/modules/sub", "."];
    git(&sandbox.path("out/sub"), &init);
    git(&sandbox.path("out/sub"), &["add", "crds"]);
    git(&sandbox.path("out/sub"), &["commit", "-qm", "a"]);
    let ran = sandbox.run(&["check", "--against", "git:main", "out/sub/crds"]);
    assert_eq!(ran.code(), Some(0), "{}", all(&ran));
}
