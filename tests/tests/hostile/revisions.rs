//! Rust sources at a revision of git. They are copied to a temporary folder, and nothing of them runs, leads out of the copy or stays.

use super::repositories::{executable, git, has_git};
use super::{GOOD, KINDS, Limits, Ran, Sandbox};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

/// The file that shows that a program of the repository ran.
const RAN: &str = "out/ran";

/// The folder for temporary files.
const TEMPORARY: &str = "out/tmp";

/// The commands that read the types of the package at the branch `main`, without running its code.
const COMMANDS: &[&[&str]] = &[
    &["diff", "git:main", "package/src"],
    &["diff", "git:main", "package"],
    &["diff", "git:main", "git:HEAD:package"],
    &["diff", "git:main:package/src", "package/src/lib.rs"],
    &["check", "package/src", "--against", "git:main"],
];

/// A sandbox with the repository of a package, for which crdgen needs cargo: it has a feature and a type of another package.
/// `add` adds to its files.
fn repository(name: &str, add: impl FnOnce(&Sandbox)) -> Sandbox {
    let sandbox = Sandbox::new(name);
    let manifest = "[package]\nname = \"p\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[features]\nx = []\n\
        [dependencies]\nother = { path = \"../other\" }\ncrdgen = { path = \"../other\", package = \"other\", optional = true }\n";
    sandbox.write("package/Cargo.toml", manifest);
    sandbox.write("Cargo.toml", "[workspace]\nmembers = [\"package\", \"other\"]\nresolver = \"3\"\n");
    let kinds = KINDS.replace("pub a: Option<String>", "pub a: Option<String>, pub o: Option<other::Other>");
    sandbox.write("package/src/lib.rs", kinds);
    let other = "[package]\nname = \"other\"\nversion = \"0.1.0\"\nedition = \"2024\"\n";
    sandbox.write("other/Cargo.toml", other);
    let other = "#[derive(Schema, Serialize, Deserialize)]\npub struct Other { pub known: Option<String> }\n";
    sandbox.write("other/src/lib.rs", other);
    let script =
        format!("#!/bin/sh\nmkdir -p {0}/out; echo \"$0 $*\" >> {0}/{RAN}\nexit 1\n", work(&sandbox));
    for program in ["evil.sh", "package/toolchain/bin/cargo", "package/toolchain/bin/rustc"] {
        sandbox.write(program, &script);
        executable(&sandbox.path(program));
    }
    fs::create_dir_all(sandbox.path(TEMPORARY)).unwrap_or_else(|e| panic!("{e}"));
    add(&sandbox);
    git(&sandbox.work(), &["init", "-q", "."]);
    commit(&sandbox);
    sandbox
}

fn commit(sandbox: &Sandbox) {
    git(&sandbox.work(), &["add", "-A", "--", ".", ":!out"]);
    git(&sandbox.work(), &["commit", "-qm", "a"]);
}

fn work(sandbox: &Sandbox) -> String {
    sandbox.work().display().to_string()
}

/// Makes the field required in the working tree.
fn change(sandbox: &Sandbox) {
    let path = "package/src/lib.rs";
    let text = fs::read_to_string(sandbox.path(path)).unwrap_or_else(|e| panic!("{e}"));
    sandbox.write(path, text.replace("pub a: Option<String>", "pub a: String"));
}

fn command(sandbox: &Sandbox, args: &[&str]) -> Command {
    let mut command = sandbox.command(args);
    command.env("TMPDIR", sandbox.path(TEMPORARY));
    command
}

/// Runs a command, after which no program ran, and no temporary file is left.
#[track_caller]
fn runs_nothing(sandbox: &Sandbox, what: &str, args: &[&str]) -> Ran {
    let ran = sandbox.run_within_limits(command(sandbox, args), &format!("{what}: {}", args.join(" ")));
    let proof = fs::read_to_string(sandbox.path(RAN)).unwrap_or_default();
    assert_eq!(proof, "", "{what}: {args:?} ran a program\n{}", ran.stderr);
    assert_eq!(left(sandbox), Vec::<String>::new(), "{what}: {args:?}");
    ran
}

/// The temporary files that are left.
fn left(sandbox: &Sandbox) -> Vec<String> {
    let entries = fs::read_dir(sandbox.path(TEMPORARY)).into_iter().flatten().flatten();
    entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect()
}

/// Neither git nor cargo runs what the repository names, and both sides are read.
#[test]
fn types_at_revisions_run_nothing() {
    if !has_git() {
        return;
    }
    const FILES: &[(&str, &str)] = &[
        (".cargo/config.toml", "[build]\nrustc = \"EVIL\"\nrustc-wrapper = \"EVIL\"\n"),
        (
            "package/.cargo/config",
            "[env]\nRUSTC = { value = \"EVIL\", force = true }\n[alias]\nmetadata = \"!EVIL\"\n",
        ),
        ("rust-toolchain.toml", "[toolchain]\npath = \"package/toolchain\"\n"),
        ("package/build.rs", "fn main() { std::process::Command::new(\"EVIL\").status().unwrap(); }\n"),
        (".gitattributes", "* filter=evil diff=evil merge=evil\n"),
    ];
    for (file, text) in FILES {
        let sandbox = repository("revision-programs", |sandbox| {
            sandbox.write(file, text.replace("EVIL", &sandbox.path("evil.sh").display().to_string()));
        });
        let program = sandbox.path("evil.sh").display().to_string();
        sandbox.write(
            ".git/config",
            format!(
                "[core]\n\thooksPath = .\n\tfsmonitor = {program}\n[filter \"evil\"]\n\tsmudge = {program}\n\tclean = {program}\n\
                 \tprocess = {program}\n[diff \"evil\"]\n\ttextconv = {program}\n\tcommand = {program}\n"
            ),
        );
        change(&sandbox);
        for args in COMMANDS {
            let ran = runs_nothing(&sandbox, file, args);
            let is_same = args.contains(&"git:HEAD:package");
            let changes = ran.stdout.contains("`a` was optional, now required");
            assert!(changes != is_same, "{file}: {args:?}: {}{}", ran.stdout, ran.stderr);
        }
    }
}

/// Links out of the repository and files of submodules are not there, and a file of Git LFS is not Rust.
#[test]
fn sources_at_revisions_stay_inside() {
    if !has_git() {
        return;
    }
    const SECRET: &str =
        "#[derive(Schema, Serialize, Deserialize)] pub struct Other { pub sesame: String }\n";
    let more = |text: &str| KINDS.replace("pub a: Option<String>", &format!("pub a: Option<String>, {text}"));
    type Add = fn(&Sandbox, &str);
    let cases: &[(&str, Add, &str)] = &[
        (
            "a link to a file",
            |sandbox, secret| {
                let link = sandbox.path("package/src/secret.rs");
                symlink(secret, link).unwrap_or_else(|e| panic!("{e}"));
            },
            "pub o: Option<secret::Other> }\npub mod secret;\npub struct X {",
        ),
        (
            "a link to a folder",
            |sandbox, secret| {
                let folder = Path::new(secret).parent().unwrap_or(Path::new("/"));
                symlink(folder, sandbox.path("package/src/far")).unwrap_or_else(|e| panic!("{e}"));
            },
            "pub o: Option<secret::Other> }\n#[path = \"far/secret.rs\"]\npub mod secret;\npub struct X {",
        ),
        (
            "a path",
            |_, _| {},
            "pub o: Option<secret::Other> }\n#[path = \"../../../secret/secret.rs\"]\npub mod secret;\npub struct X {",
        ),
        (
            "a file of LFS",
            |sandbox, _| {
                let pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:0123\nsize 1\n";
                sandbox.write("package/src/secret.rs", pointer);
            },
            "pub o: Option<secret::Other> }\npub mod secret;\npub struct X {",
        ),
        (
            "a submodule",
            |_, _| {},
            "pub o: Option<secret::Other> }\n#[path = \"../../module/secret.rs\"]\npub mod secret;\npub struct X {",
        ),
    ];
    for (what, add, text) in cases {
        let sandbox = repository("revision-inside", |sandbox| {
            let secret = sandbox.path("out/secret/secret.rs");
            sandbox.write("out/secret/secret.rs", SECRET);
            sandbox.write("package/src/lib.rs", more(text));
            add(sandbox, &secret.display().to_string());
        });
        let module = "160000,0123456789012345678901234567890123456789,module";
        git(&sandbox.work(), &["update-index", "--add", "--cacheinfo", module]);
        git(&sandbox.work(), &["commit", "-qm", "b"]);
        // Today the types need nothing else.
        sandbox.write("package/src/lib.rs", KINDS);
        let ran = runs_nothing(&sandbox, what, &["diff", "git:main", "package/src"]);
        let out = format!("{}{}", ran.stdout, ran.stderr);
        assert!(ran.code() == Some(1) && out.contains("main:package/src/"), "{what}: {:?} {out}", ran.code());
        assert!(!out.contains("sesame"), "{what}: {out}");
    }
}

/// Files that moved are found whatever their names are. Links and files of Git LFS at the revision are not read as CRDs,
/// and no program of the repository runs.
#[test]
fn moved_files_may_have_any_name() {
    if !has_git() {
        return;
    }
    const NAMES: &[&str] = &["a\nb", "-c", "d:e", "--output=x", "q\"'$(id)", " ü "];
    let crd = |number: usize| {
        GOOD.replace("goods", &format!("goods{number}")).replace("Good", &format!("Good{number}"))
    };
    let pointer =
        "version https://git-lfs.github.com/spec/v1\noid sha256:0123\nsize 1\n# CustomResourceDefinition\n";
    let sandbox = repository("revision-moved", |sandbox| {
        for (number, name) in NAMES.iter().enumerate() {
            sandbox.write(&format!("old/{name}.yaml"), crd(number));
        }
        sandbox.write("out/secret.yaml", GOOD.replace("Good", "Sesame").replace("goods", "sesames"));
        symlink(sandbox.path("out/secret.yaml"), sandbox.path("old/link.yaml"))
            .unwrap_or_else(|e| panic!("{e}"));
        sandbox.write("old/lfs.yaml", pointer);
        sandbox.write(".gitattributes", "* filter=evil diff=evil merge=evil\n");
    });
    let program = sandbox.path("evil.sh").display().to_string();
    sandbox.write(
        ".git/config",
        format!("[core]\n\thooksPath = .\n\tfsmonitor = {program}\n[filter \"evil\"]\n\tsmudge = {program}\n\tclean = {program}\n[diff \"evil\"]\n\ttextconv = {program}\n\tcommand = {program}\n"),
    );
    fs::remove_dir_all(sandbox.path("old")).unwrap_or_else(|e| panic!("{e}"));
    for number in 0..NAMES.len() {
        sandbox.write(&format!("new/{number}.yaml"), crd(number));
    }
    for args in [&["diff", "git:main", "new"][..], &["check", "new", "--against", "git:main"]] {
        let ran = runs_nothing(&sandbox, "moved", args);
        let out = format!("{}{}", ran.stdout, ran.stderr);
        assert!(ran.code() == Some(0) && out.contains(&format!("{} CRDs", NAMES.len())), "{args:?}: {out}");
        assert!(!out.contains("checked as new") && !out.to_lowercase().contains("sesame"), "{args:?}: {out}");
    }
    // With the names of the CRDs in the secret and in the pointer, nothing is found for them.
    sandbox.write("new/0.yaml", GOOD.replace("Good", "Sesame").replace("goods", "sesames"));
    let ran = runs_nothing(&sandbox, "moved", &["diff", "git:main", "new"]);
    assert!(ran.stderr.contains("checked as new") && ran.stderr.contains("sesames"), "{}", ran.stderr);
}

/// A repository with many files is copied in a moment.
#[test]
fn ten_thousand_files_at_a_revision_are_read() {
    if !has_git() {
        return;
    }
    let mut sandbox = repository("revision-many", |sandbox| {
        for number in 0..10_000 {
            sandbox.write(&format!("package/src/many/m{}/f{number}.rs", number % 100), "pub struct A;\n");
        }
    });
    sandbox.limits = Limits::new(20, 1 << 30);
    change(&sandbox);
    let ran = runs_nothing(&sandbox, "many", &["diff", "git:main", "package/src"]);
    assert!(ran.stdout.contains("`a` was optional, now required"), "{}{}", ran.stdout, ran.stderr);
}

/// A signal ends the run at many different moments, and the copy is gone.
#[test]
fn interrupted_runs_leave_no_sources() {
    if !has_git() {
        return;
    }
    let sandbox = repository("revision-interrupted", |sandbox| {
        for number in 0..2_000 {
            sandbox.write(&format!("package/src/many/f{number}.rs"), "pub struct A;\n");
        }
    });
    change(&sandbox);
    let mut between = 0;
    // On a busy machine, some runs end before the signal.
    for round in 0..100_u64 {
        if round >= 18 && between > 6 {
            break;
        }
        let signal = ["INT", "TERM", "HUP"][usize::try_from(round % 3).unwrap_or_default()];
        let mut command = command(&sandbox, &["diff", "git:main", "package/src"]);
        let child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn();
        let mut child = child.unwrap_or_else(|e| panic!("{e}"));
        while left(&sandbox).is_empty() && child.try_wait().is_ok_and(|ended| ended.is_none()) {
            std::thread::sleep(Duration::from_micros(500));
        }
        std::thread::sleep(Duration::from_millis(round % 18 * 12));
        let id = child.id().to_string();
        assert!(Command::new("kill").args(["-s", signal, &id]).stderr(Stdio::null()).status().is_ok());
        let ended = child.wait().unwrap_or_else(|e| panic!("{e}"));
        between += usize::from(ended.code().is_none());
        assert_eq!(left(&sandbox), Vec::<String>::new(), "{signal} in round {round}");
    }
    assert!(between > 6, "only {between} runs were interrupted in the middle");
}

/// Folders of runs that were killed are removed by the next run, but nothing else: no folder of a run that goes on, of another user, that
/// others may enter, or that a link leads to.
#[test]
fn folders_of_killed_runs_are_removed() {
    use std::os::unix::fs::PermissionsExt;
    if !has_git() {
        return;
    }
    let sandbox = repository("revision-killed", |sandbox| {
        for number in 0..2_000 {
            sandbox.write(&format!("package/src/many/f{number}.rs"), "pub struct A;\n");
        }
    });
    change(&sandbox);
    const ARGS: &[&str] = &["diff", "git:main", "package/src"];
    // Folders with something in them, which their process has claimed: it takes a moment from creating a folder to claiming it.
    let claimed = || {
        let is_empty = |name: &str| {
            fs::read_dir(sandbox.path(TEMPORARY).join(name)).is_ok_and(|mut it| it.next().is_none())
        };
        left(&sandbox).into_iter().filter(|name| !is_empty(name)).collect::<Vec<_>>()
    };
    // Sends a signal to a run as soon as it has a folder. On a busy machine, some runs end before.
    let interrupted = |signal: &str| {
        for _ in 0..50 {
            let before = left(&sandbox);
            let mut command = command(&sandbox, ARGS);
            let child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn();
            let mut child = child.unwrap_or_else(|e| panic!("{e}"));
            let new = || claimed().into_iter().filter(|name| !before.contains(name)).collect::<Vec<_>>();
            while new().is_empty() && child.try_wait().is_ok_and(|ended| ended.is_none()) {
                std::thread::sleep(Duration::from_micros(500));
            }
            let id = child.id().to_string();
            let sent = Command::new("kill").args(["-s", signal, &id]).stderr(Stdio::null()).status();
            assert!(sent.is_ok(), "{signal}");
            if signal == "KILL" {
                child.wait().unwrap_or_else(|e| panic!("{e}"));
            }
            let folders = new();
            if !folders.is_empty() {
                return (child, folders);
            }
        }
        panic!("all runs ended before {signal}");
    };
    let (_, mut abandoned) = interrupted("KILL");
    // A run that goes on, and what others may have put there.
    let (mut stopped, going) = interrupted("STOP");
    let there = sandbox.path(TEMPORARY);
    let secret = sandbox.path("out/secret");
    fs::create_dir_all(&secret)
        .and_then(|()| fs::write(secret.join("kept"), ""))
        .unwrap_or_else(|e| panic!("{e}"));
    fs::set_permissions(&secret, fs::Permissions::from_mode(0o700)).unwrap_or_else(|e| panic!("{e}"));
    symlink(&secret, there.join("crdgen-sources-1-0-claimed")).unwrap_or_else(|e| panic!("{e}"));
    for (name, mode) in [
        ("crdgen-sources-2-0-claimed", 0o755),
        ("crdgen-sources-3-0-claimed", 0o1700),
        ("crdgen-sources-4-0", 0o700),
        ("other", 0o700),
    ] {
        let folder = there.join(name);
        fs::create_dir_all(&folder)
            .and_then(|()| fs::write(folder.join("kept"), ""))
            .unwrap_or_else(|e| panic!("{e}"));
        fs::set_permissions(&folder, fs::Permissions::from_mode(mode)).unwrap_or_else(|e| panic!("{e}"));
    }
    fs::write(there.join("crdgen-sources-5-0-claimed"), "kept").unwrap_or_else(|e| panic!("{e}"));
    let pipe = there.join("crdgen-sources-6-0-claimed");
    assert!(Command::new("mkfifo").arg(&pipe).status().is_ok_and(|it| it.success()));
    let mut before: Vec<String> = claimed().into_iter().filter(|name| !abandoned.contains(name)).collect();
    // What the killed run has started may take a moment to end.
    let mut after = Vec::new();
    for _ in 0..20 {
        let ended = command(&sandbox, ARGS).output().unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(ended.status.code(), Some(1), "{ended:?}");
        after = claimed();
        if after.len() <= before.len() {
            break;
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    before.sort();
    after.sort();
    assert_eq!(after, before);
    for name in ["crdgen-sources-2-0-claimed", "crdgen-sources-3-0-claimed", "crdgen-sources-4-0", "other"] {
        assert!(there.join(name).join("kept").exists(), "{name}");
    }
    assert!(secret.join("kept").exists());
    // The run that was stopped has all of its files.
    let id = stopped.id().to_string();
    assert!(Command::new("kill").args(["-s", "CONT", &id]).status().is_ok_and(|it| it.success()));
    let ended = stopped.wait().unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(ended.code(), Some(1));
    abandoned.extend(going);
    assert!(!left(&sandbox).iter().any(|name| abandoned.contains(name)));
}
