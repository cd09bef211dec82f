//! Hostile names, special files, links, full disks and interrupted writes.

use std::fs;
use std::os::unix::fs::symlink;
use std::os::unix::net::UnixListener;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use crdgen_tests::corpus::GOOD;

use super::{
    FORMS, KINDS, READERS, RUST_READERS, Sandbox, WRITERS, definition, part, pipe, some, tool, with,
};

/// Names that would leave the folder, that are hidden, that look like options, or that operating systems reject.
fn names(sandbox: &Sandbox) -> Vec<String> {
    let absolute = sandbox.root.join("absolute/x").display().to_string();
    let mut out: Vec<String> = [
        "../../x",
        "..",
        ".",
        "",
        "/",
        "a/../../../x",
        "..\\..\\x",
        "C:\\x",
        "-rf",
        "--help",
        ".hidden",
        "CON",
        "nul.example.com",
        "com1",
        "a\u{0}b",
        "a\nb\u{1b}[2Jc",
        "\u{202e}lmay.x",
        "a b*?\"<>|:",
        "x.",
        "mod",
        "…",
    ]
    .map(str::to_owned)
    .to_vec();
    out.extend([absolute, "x".repeat(300), "é".repeat(200), "../".repeat(100)]);
    out
}

/// Whether every part of a path is a name that any system accepts and that no command could misread.
fn is_plain(path: &str) -> bool {
    let plain = |part: &str| {
        let base = part.split('.').next().unwrap_or_default().to_ascii_lowercase();
        let device = ["con", "nul", "aux", "prn", "com1"].contains(&base.as_str());
        let letter = |c: char| c.is_ascii_alphanumeric() || "._-=".contains(c);
        !part.is_empty()
            && part.len() <= 255
            && !part.starts_with(['.', '-'])
            && !device
            && part.chars().all(letter)
    };
    path.split('/').all(plain)
}

#[test]
fn names_stay_in_the_folder() {
    let sandbox = Sandbox::new("names");
    let mut written = 0;
    for (number, name) in names(&sandbox).into_iter().enumerate() {
        for (place, (group, plural, kind, version)) in [
            (name.as_str(), name.as_str(), name.as_str(), name.as_str()),
            (&name, "goods", "Good", "v1"),
            ("example.com", &name, "Good", "v1"),
        ]
        .into_iter()
        .enumerate()
        {
            sandbox.write("x.json", definition(group, plural, kind, version));
            for args in part(WRITERS, number + place, 3) {
                sandbox.clear();
                let ran = sandbox.run(&with(args, "x.json"));
                let out = sandbox.out();
                assert!(out.keys().all(|path| is_plain(path)), "{args:?} {name:?}: {:?}", out.keys());
                // CRDs that a server would reject are neither published nor documented. The other commands write any
                // CRD.
                if ["fit", "import"].contains(&args[0]) {
                    assert!(!out.is_empty(), "{args:?} {name:?}: {}", ran.stderr);
                    written += 1;
                }
            }
        }
    }
    assert!(written > 30);
}

#[test]
fn names_in_rust_stay_in_the_folder() {
    let sandbox = Sandbox::new("rust-names");
    let mut written = 0;
    for (number, name) in names(&sandbox).into_iter().enumerate() {
        sandbox.write("x.rs", KINDS.replace("\"example.com\"", &format!("{name:?}, plural = {name:?}")));
        for form in part(FORMS, number, 3) {
            sandbox.clear();
            let ran = sandbox.run(&["emit", "--force", "x.rs", "-o", form, "--out-dir", "out"]);
            let out = sandbox.out();
            assert!(out.keys().all(|path| is_plain(path)), "{form} {name:?}: {:?}", out.keys());
            assert!(!out.is_empty() || ran.code() != Some(0), "{form} {name:?}: {}", ran.stderr);
            written += usize::from(!out.is_empty());
        }
    }
    assert!(written > 30, "{written}");
}

/// Creates a folder with a valid CRD, and next to it everything with a matching name that is not a regular file.
fn special_files(sandbox: &Sandbox, folder: &str, extension: &str) -> Vec<(String, &'static str)> {
    fs::create_dir_all(sandbox.path(folder)).unwrap_or_else(|e| panic!("{e}"));
    let name = |it: &str| format!("{folder}/{it}.{extension}");
    let path = |it: &str| sandbox.path(&name(it));
    pipe(&path("pipe"));
    // The path of a socket must be short, so the socket is moved to its place.
    let socket = std::env::temp_dir().join(format!("crdgen-{}-{extension}", std::process::id()));
    let _ = fs::remove_file(&socket);
    UnixListener::bind(&socket).unwrap_or_else(|e| panic!("{}: {e}", socket.display()));
    let moved = Command::new("mv").arg(&socket).arg(path("socket")).status();
    assert!(moved.is_ok_and(|s| s.success()));
    symlink("/dev/zero", path("device")).unwrap_or_else(|e| panic!("{e}"));
    symlink("pipe", path("link")).unwrap_or_else(|e| panic!("{e}"));
    symlink(name("pipe").rsplit('/').next().unwrap_or_default(), path("to-pipe"))
        .unwrap_or_else(|e| panic!("{e}"));
    symlink("circle.".to_owned() + extension, path("circle")).unwrap_or_else(|e| panic!("{e}"));
    symlink("..", sandbox.path(folder).join("up")).unwrap_or_else(|e| panic!("{e}"));
    [
        ("pipe", "a named pipe"),
        ("socket", "a socket"),
        ("device", "a device"),
        ("to-pipe", "a named pipe"),
        ("circle", "symbolic links"),
    ]
    .map(|(it, message)| (name(it), message))
    .to_vec()
}

#[test]
fn special_files_in_a_folder_are_passed_over() {
    let sandbox = Sandbox::new("special");
    sandbox.write("in/good.yaml", GOOD);
    special_files(&sandbox, "in", "yaml");
    for args in READERS.iter().chain(WRITERS) {
        sandbox.clear();
        let ran = sandbox.run(&with(args, "in"));
        let alone = sandbox.run(&with(args, "good.yaml"));
        // The special files change nothing else, but they are reported.
        assert_eq!(ran.code(), alone.code(), "{args:?}: {}{}", ran.stdout, ran.stderr);
        let ran = sandbox.run(&with(args, "in/*.yaml"));
        assert_eq!(ran.code(), alone.code(), "{args:?}: {}{}", ran.stdout, ran.stderr);
    }
}

#[test]
fn names_special_files() {
    let sandbox = Sandbox::new("named");
    for (number, (name, message)) in special_files(&sandbox, "in", "yaml").into_iter().enumerate() {
        for args in some(READERS.iter().chain(WRITERS), number) {
            let ran = sandbox.run(&with(args, &name));
            assert_eq!(ran.code(), Some(2), "{args:?} {name}: {}", ran.stderr);
            assert!(
                ran.stderr.contains(message) && ran.stderr.contains(&name),
                "{args:?} {name}: {}",
                ran.stderr
            );
        }
        let ran = sandbox.run(&["import", "--names", &name, "good.yaml"]);
        assert!(ran.code() == Some(2) && ran.stderr.contains(message), "{name}: {}", ran.stderr);
    }
    for (name, message) in special_files(&sandbox, "rust", "rs") {
        for args in RUST_READERS {
            let ran = sandbox.run(&with(args, &name));
            assert_eq!(ran.code(), Some(2), "{args:?} {name}: {}", ran.stderr);
            assert!(ran.stderr.contains(message), "{args:?} {name}: {}", ran.stderr);
        }
    }
}

/// In this package, every file that crdgen reads apart from `lib.rs` is a pipe.
#[test]
fn special_files_in_a_package_are_not_read() {
    let sandbox = Sandbox::new("package");
    sandbox.write("package/Cargo.toml", "[package]\nname = \"p\"\n");
    sandbox.write("package/src/lib.rs", format!("mod a;\n#[doc = include_str!(\"text.md\")]\n{KINDS}"));
    pipe(&sandbox.path("package/src/a.rs"));
    pipe(&sandbox.path("package/src/text.md"));
    sandbox.write("pipe/src/main.rs", "");
    pipe(&sandbox.path("pipe/Cargo.toml"));
    // This package around the others must not be read.
    sandbox.write("Cargo.toml", "[package]\nname = \"around\"\n");
    sandbox.write("src/lib.rs", KINDS);
    for args in RUST_READERS {
        sandbox.run(&with(args, "package"));
        for path in ["pipe", "pipe/src", "pipe/Cargo.toml"] {
            let ran = sandbox.run(&with(args, path));
            assert_eq!(ran.code(), Some(2), "{args:?} {path}: {}{}", ran.stdout, ran.stderr);
            let message =
                if args[0] == "expand" && path != "pipe/Cargo.toml" { "a folder" } else { "a named pipe" };
            assert!(ran.stderr.contains(message), "{args:?} {path}: {}", ran.stderr);
        }
    }
}

/// The code names these files by their paths.
#[test]
fn special_files_that_sources_name_are_not_read() {
    let sandbox = Sandbox::new("named-in-code");
    special_files(&sandbox, "in", "rs");
    for (special, it) in ["pipe", "socket", "device", "to-pipe", "circle"].into_iter().enumerate() {
        for (number, code) in [
            format!("#[path = \"in/{it}.rs\"]\nmod a;\n{KINDS}"),
            format!("include!(\"in/{it}.rs\");\n{KINDS}"),
            format!("#[doc = include_str!(\"in/{it}.rs\")]\n{KINDS}"),
            KINDS.replace(
                "pub a:",
                &format!("#[schemars(description = include_str!(\"in/{it}.rs\"))] pub a:"),
            ),
            KINDS.replace("pub a:", &format!("#[doc = include_str!(\"in/{it}.rs\")] pub a:")),
            format!(
                "const TEXT: &str = include_str!(\"in/{it}.rs\");\n{}",
                KINDS.replace("pub a:", "#[crdgen(rule(rule = TEXT))] pub a:")
            ),
            format!("crdgen::import!(\"in/{it}.rs\");\n{KINDS}"),
        ]
        .iter()
        .enumerate()
        {
            sandbox.write("named.rs", code);
            sandbox.write(&format!("package{number}/Cargo.toml"), "[package]\nname = \"p\"\n");
            sandbox.write(&format!("package{number}/src/lib.rs"), code.replace("\"in/", "\"../../in/"));
            for args in some(RUST_READERS, special + number) {
                sandbox.run(&with(args, "named.rs"));
                sandbox.run(&with(args, &format!("package{number}")));
            }
        }
    }
}

/// A pipe that this process has open is read: `crdgen check <(helm template …)`.
#[test]
fn open_pipes_are_read() {
    let sandbox = Sandbox::new("open");
    let mut cat = Command::new("cat")
        .arg(sandbox.path("good.yaml"))
        .stdout(Stdio::piped())
        .spawn()
        .unwrap_or_else(|e| panic!("{e}"));
    let mut command = sandbox.command(&["check", "/dev/stdin"]);
    command.stdin(cat.stdout.take().map_or_else(Stdio::null, Stdio::from));
    let ran = sandbox.run_within_limits(command, "check /dev/stdin");
    assert!(cat.wait().is_ok());
    assert!(ran.stderr.contains("1 CRD in 1 file: no findings"), "{}", ran.stderr);
}

/// `-` gives the same result as the file.
#[test]
fn standard_input_is_read_like_a_file() {
    let sandbox = Sandbox::new("stdin");
    for args in READERS.iter().chain(WRITERS) {
        let file = sandbox.run(&with(args, "good.yaml"));
        let piped = sandbox.run_with(&with(args, "-"), GOOD.as_bytes());
        assert_eq!(piped.code(), file.code(), "{args:?}: {}", piped.stderr);
    }
}

/// Runs a command that writes, with one file in its way.
#[test]
fn links_are_not_followed_out_of_the_folder() {
    let sandbox = Sandbox::new("links");
    for args in WRITERS.iter().copied().chain([["emit", "kinds.rs", "--out-dir", "out"].as_slice()]) {
        sandbox.clear();
        assert_eq!(sandbox.run(&with(args, "good.yaml")).code(), Some(0), "{args:?}");
        for file in sandbox.out().keys() {
            // The file is a link to a file outside, or to a path where no file exists yet.
            for (target, text) in [("victim", Some("mine")), ("nothing", None)] {
                let outside = sandbox.path(target);
                text.into_iter().for_each(|text| sandbox.write(target, text));
                let path = sandbox.path("out").join(file);
                fs::remove_file(&path).unwrap_or_else(|e| panic!("{e}"));
                symlink(&outside, &path).unwrap_or_else(|e| panic!("{e}"));
                let ran = sandbox.run(&with(args, "good.yaml"));
                assert_eq!(ran.code(), Some(2), "{args:?} {file}");
                assert!(ran.stderr.contains("a symbolic link"), "{args:?}: {}", ran.stderr);
            }
            fs::remove_file(sandbox.path("out").join(file)).unwrap_or_else(|e| panic!("{e}"));
            // Or the folder of the file is a link.
            if let Some((folder, _)) = file.split_once('/') {
                let folder = sandbox.path("out").join(folder);
                fs::remove_dir_all(&folder).unwrap_or_else(|e| panic!("{e}"));
                fs::create_dir_all(sandbox.path("elsewhere")).unwrap_or_else(|e| panic!("{e}"));
                symlink(sandbox.path("elsewhere"), &folder).unwrap_or_else(|e| panic!("{e}"));
                let ran = sandbox.run(&with(args, "good.yaml"));
                assert!(
                    ran.code() == Some(2) && ran.stderr.contains("a symbolic link"),
                    "{args:?}: {}",
                    ran.stderr
                );
                fs::remove_file(&folder).unwrap_or_else(|e| panic!("{e}"));
            }
            let ran = sandbox.run(&with(args, "good.yaml"));
            assert_eq!(ran.code(), Some(0), "{args:?}: {}", ran.stderr);
        }
        // The output folder itself may be a link, because the user has named it. It must lead to `work/out`, the only
        // place that may change.
        sandbox.clear();
        fs::create_dir_all(sandbox.path("out/real")).unwrap_or_else(|e| panic!("{e}"));
        symlink("real", sandbox.path("out/link")).unwrap_or_else(|e| panic!("{e}"));
        let args: Vec<&str> = with(args, "good.yaml")
            .into_iter()
            .map(|arg| if arg == "out" { "out/link" } else { arg })
            .collect();
        let ran = sandbox.run(&args);
        assert_eq!(ran.code(), Some(0), "{args:?}: {}", ran.stderr);
        assert!(sandbox.out().keys().any(|file| file.starts_with("real/")), "{args:?}");
    }
}

/// Something else is at the path of a file or folder that crdgen has to write.
#[test]
fn reports_other_things_in_the_way() {
    let sandbox = Sandbox::new("way");
    for args in WRITERS.iter().copied().chain([["emit", "kinds.rs", "--out-dir", "out"].as_slice()]) {
        sandbox.clear();
        sandbox.run(&with(args, "good.yaml"));
        for file in sandbox.out().keys() {
            let path = sandbox.path("out").join(file);
            fs::remove_file(&path).unwrap_or_else(|e| panic!("{e}"));
            pipe(&path);
            let ran = sandbox.run(&with(args, "good.yaml"));
            assert!(ran.code() == Some(2) && ran.stderr.contains("a named pipe"), "{args:?}: {}", ran.stderr);
            fs::remove_file(&path).unwrap_or_else(|e| panic!("{e}"));
            fs::create_dir(&path).unwrap_or_else(|e| panic!("{e}"));
            let ran = sandbox.run(&with(args, "good.yaml"));
            assert!(ran.code() == Some(2) && ran.stderr.contains("a folder"), "{args:?}: {}", ran.stderr);
            fs::remove_dir(&path).unwrap_or_else(|e| panic!("{e}"));
        }
        sandbox.clear();
        sandbox.write("out", "a file");
        let ran = sandbox.run(&with(args, "good.yaml"));
        assert_eq!(
            (ran.code(), fs::read(sandbox.path("out")).ok()),
            (Some(2), Some(b"a file".to_vec())),
            "{args:?}"
        );
        assert!(ran.stderr.contains("out: not a directory"), "{args:?}: {}", ran.stderr);
        fs::remove_file(sandbox.path("out")).unwrap_or_else(|e| panic!("{e}"));
    }
}

/// A checkout may have links to any file of the machine. A folder is searched only for files in it, or in the git checkout
/// around it. A file that the user names is read.
#[test]
fn links_in_folders_lead_to_nothing_outside() {
    let sandbox = Sandbox::new("links-in-folders");
    let secret = GOOD.replace("goods", "secrets").replace("Good", "Secret");
    sandbox.write("outside/secret.yaml", format!("{secret}---\napiVersion: example.com/v1\nkind: Secret\n"));
    sandbox.write("checkout/crds/good.yaml", GOOD);
    sandbox.write("checkout/base/other.yaml", GOOD.replace("goods", "others").replace("Good", "Other"));
    symlink("../../outside/secret.yaml", sandbox.path("checkout/crds/link.yaml"))
        .unwrap_or_else(|e| panic!("{e}"));
    symlink("../base/other.yaml", sandbox.path("checkout/crds/other.yaml")).unwrap_or_else(|e| panic!("{e}"));
    fs::create_dir(sandbox.path("checkout/.git")).unwrap_or_else(|e| panic!("{e}"));
    sandbox.write("checkout/crdgen.toml", "paths = [\"crds\"]\n[validate]\nobjects = [\"crds\"]\n");
    for args in READERS {
        for input in ["checkout", "checkout/crds"] {
            let ran = sandbox.run(&with(args, input));
            let all = format!("{}{}", ran.stdout, ran.stderr).to_lowercase();
            assert!(!all.replace("secret.yaml", "").contains("secret"), "{args:?}: {all}");
        }
    }
    let mut command = sandbox.command(&["check"]);
    command.current_dir(sandbox.path("checkout"));
    let ran = sandbox.run_within_limits(command, "check with settings");
    assert!(
        ran.stderr.contains("skipped crds/link.yaml: a link that leads out of the folder"),
        "{}",
        ran.stderr
    );
    // In a git checkout, links between its folders are followed.
    assert!(ran.stderr.contains("2 CRDs in 2 files"), "{}", ran.stderr);
    fs::create_dir(sandbox.path("checkout/crds/.git")).unwrap_or_else(|e| panic!("{e}"));
    let ran = sandbox.run(&["check", "checkout/crds"]);
    let skipped = "skipped checkout/crds/other.yaml: ";
    assert!(ran.stderr.contains(skipped) && ran.stderr.contains("1 CRD in 1 file"), "{}", ran.stderr);
    for input in ["checkout/crds/link.yaml", "checkout/crds/l*.yaml"] {
        let ran = sandbox.run(&["check", input]);
        assert!(ran.stderr.contains("1 CRD in 1 file"), "{input}: {}", ran.stderr);
    }
}

/// crdgen leaves a file alone that it did not write, unless `--force` replaces it.
#[test]
fn files_of_others_are_not_replaced() {
    let sandbox = Sandbox::new("others");
    for args in WRITERS.iter().copied().chain([["emit", "kinds.rs", "--out-dir", "out"].as_slice()]) {
        sandbox.clear();
        sandbox.run(&with(args, "good.yaml"));
        for (file, written) in &sandbox.out() {
            let path = format!("out/{file}");
            for others in ["mine", "pub mod mine;", "{\"name\": \"mine\"}", "a: mine\n"] {
                sandbox.write(&path, others);
                let ran = sandbox.run(&with(args, "good.yaml"));
                assert_eq!(ran.code(), Some(2), "{args:?} {file}");
                assert!(
                    ran.stderr.contains(&path) && ran.stderr.contains("--force"),
                    "{args:?}: {}",
                    ran.stderr
                );
                assert_eq!(sandbox.out()[file], others, "{args:?}");
            }
            let forced: Vec<&str> = with(args, "good.yaml").into_iter().chain(["--force"]).collect();
            assert_eq!(sandbox.run(&forced).code(), Some(0), "{args:?}");
            assert_eq!(sandbox.out()[file], *written, "{args:?}");
            // crdgen replaces files that it wrote, even after an edit.
            sandbox.write(&path, format!("{written}\n"));
            assert_eq!(sandbox.run(&with(args, "good.yaml")).code(), Some(0), "{args:?} {file}");
            assert_eq!(sandbox.out()[file], *written, "{args:?}");
        }
    }
}

/// Returns CRDs with enough text to fill a small disk.
fn many(count: usize) -> String {
    let one = |i: usize| {
        let long = format!("description: {}", "x".repeat(2000));
        let text = GOOD.replace("goods", &format!("goods{i}")).replace("Good", &format!("Good{i}"));
        format!(
            "---\n{}",
            text.replace(
                "{type: object, properties: {spec: {",
                &format!("{{type: object, {long}, properties: {{spec: {{")
            )
        )
    };
    (0..count).map(one).collect()
}

#[test]
fn a_full_disk_is_an_error_and_leaves_nothing_behind() {
    let sandbox = Sandbox::new("full");
    sandbox.write("many.yaml", many(8));
    // Standard output: a failed write is reported, and a reader that closes the pipe is not an error.
    let of_rust = RUST_READERS.iter().map(|args| with(args, "kinds.rs"));
    let others: &[&[&str]] = &[
        &["explain"],
        &["explain", "CRD012"],
        &["explain", "--crd", "many.yaml"],
        &["config"],
        &["man"],
        &["completions", "bash"],
    ];
    let all = READERS
        .iter()
        .map(|args| with(args, "many.yaml"))
        .chain(of_rust)
        .chain(others.iter().map(|args| args.to_vec()));
    for args in all {
        let printed = sandbox.run(&args);
        let command = shell(&sandbox, "exec \"$0\" \"$@\" > /dev/full", &args);
        let ran = sandbox.run_within_limits(command, &format!("{args:?} > /dev/full"));
        if printed.stdout.is_empty() {
            assert_eq!(ran.code(), printed.code(), "{args:?}: {}", ran.stderr);
            continue;
        }
        assert!(ran.code() == Some(2) && ran.stderr.contains("standard output"), "{args:?}: {}", ran.stderr);
        let command = shell(&sandbox, "\"$0\" \"$@\" | true", &args);
        let ran = sandbox.run_within_limits(command, &format!("{args:?} | true"));
        assert!(!ran.stderr.contains("standard output"), "{args:?}: {}", ran.stderr);
    }
    // Files: none may become larger than a kilobyte, so every write fails half-way.
    for args in WRITERS {
        sandbox.clear();
        let command = shell(&sandbox, "ulimit -f 2; exec \"$0\" \"$@\"", &with(args, "many.yaml"));
        let ran = sandbox.run_within_limits(command, &format!("{args:?} with small files"));
        assert_eq!(ran.code(), Some(2), "{args:?}: {}", ran.stderr);
        assert!(ran.stderr.contains("File too large"), "{args:?}: {}", ran.stderr);
        // Files that were complete before may exist, but no incomplete file.
        for (file, text) in sandbox.out() {
            assert!(!file.contains("tmp") && !text.is_empty(), "{args:?} {file}");
        }
    }
}

/// If no message can be printed, the exit code still shows the error.
#[test]
fn a_full_or_closed_standard_error_changes_no_exit_code() {
    let sandbox = Sandbox::new("full-error");
    sandbox.write("bad.yaml", GOOD.replace("Namespaced", "Galactic"));
    let usage: &[&[&str]] =
        &[&["--nonsense"], &["check", "nothing.yaml"], &["check", "--help"], &["--version"]];
    for (number, args) in READERS.iter().chain(WRITERS).chain(RUST_READERS).chain(usage).enumerate() {
        let rust = RUST_READERS.contains(args);
        for input in if rust { ["kinds.rs", "package"] } else { ["good.yaml", "bad.yaml"] } {
            let args = with(args, input);
            sandbox.clear();
            let printed = sandbox.run(&args);
            let lines = [
                "exec \"$0\" \"$@\" 2> /dev/full",
                "exec \"$0\" \"$@\" 2>&-",
                "exec \"$0\" \"$@\" >&-",
                "exec \"$0\" \"$@\" >&- 2>&- <&-",
            ];
            for line in some(lines, number) {
                sandbox.clear();
                let ran =
                    sandbox.run_within_limits(shell(&sandbox, line, &args), &format!("{line}: {args:?}"));
                assert_eq!(ran.code(), printed.code(), "{line}: {args:?}: {}", ran.stderr);
            }
        }
    }
    let help = sandbox.run_within_limits(
        shell(&sandbox, "exec \"$0\" \"$@\" > /dev/full", &["--help"]),
        "--help > /dev/full",
    );
    assert!(help.code() == Some(2) && help.stderr.contains("standard output"), "{}", help.stderr);
}

/// Returns a command that a line of shell starts as `"$0" "$@"`.
fn shell(sandbox: &Sandbox, line: &str, args: &[&str]) -> Command {
    let tool = tool();
    let start = ["-c", line, tool.to_str().unwrap_or_default()];
    sandbox.started_by("sh", &[&start, args].concat())
}

/// A signal arrives at many different moments of a long write. All files must be complete, and there must be no others.
#[test]
fn an_interrupted_run_leaves_whole_files_alone() {
    let sandbox = Sandbox::new("interrupted");
    sandbox.write("many.yaml", many(100));
    let args = ["fit", "--out-dir", "out", "many.yaml"];
    assert_eq!(sandbox.run(&args).code(), Some(0));
    let whole = sandbox.out();
    let mut between = 0;
    for round in 0..24_u64 {
        let signal = ["INT", "TERM", "KILL", "HUP"][usize::try_from(round % 4).unwrap_or_default()];
        sandbox.clear();
        let mut command = sandbox.command(&args);
        let mut child =
            command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap_or_else(|e| panic!("{e}"));
        // Waits for the first file, and then for another moment each time.
        for _ in 0..4000 {
            if fs::read_dir(sandbox.path("out")).is_ok_and(|mut files| files.next().is_some()) {
                break;
            }
            std::thread::sleep(Duration::from_micros(500));
        }
        std::thread::sleep(Duration::from_micros(round * 700));
        let sent =
            Command::new("kill").args(["-s", signal, &child.id().to_string()]).stderr(Stdio::null()).status();
        assert!(sent.is_ok());
        let _ = child.wait();
        let out = sandbox.out();
        between += usize::from(out.len() < whole.len());
        for (file, text) in &out {
            if signal == "KILL" && file.starts_with('.') {
                assert!(file.ends_with(".crdgen-tmp"), "{file}");
            } else {
                assert_eq!(Some(text), whole.get(file), "{signal}: {file}");
            }
        }
        if cfg!(target_os = "linux") {
            // The process has ended, so its files are not those of a run that still goes on.
            assert_eq!(sandbox.run(&args).code(), Some(0));
            assert_eq!(sandbox.out(), whole, "after {signal}");
        }
    }
    assert!(between > 6, "only {between} runs were interrupted in the middle");
}

/// `nohup` makes a process ignore SIGHUP, so that it goes on when its terminal closes.
#[test]
#[cfg(target_os = "linux")]
fn an_ignored_signal_stays_ignored() {
    let sandbox = Sandbox::new("nohup");
    sandbox.write("many.yaml", many(100));
    let args = ["fit", "--out-dir", "out", "many.yaml"];
    assert_eq!(sandbox.run(&args).code(), Some(0));
    let whole = sandbox.out();
    for signal in ["HUP", "INT", "TERM"] {
        sandbox.clear();
        let line = format!("trap '' {signal}; exec \"$0\" \"$@\"");
        let mut command = shell(&sandbox, &line, &args);
        command.stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = command.spawn().unwrap_or_else(|e| panic!("{e}"));
        for _ in 0..4000 {
            if fs::read_dir(sandbox.path("out")).is_ok_and(|mut files| files.next().is_some()) {
                break;
            }
            std::thread::sleep(Duration::from_micros(500));
        }
        let sent =
            Command::new("kill").args(["-s", signal, &child.id().to_string()]).stderr(Stdio::null()).status();
        assert!(sent.is_ok());
        assert!(child.wait().is_ok_and(|status| status.success()), "{signal}");
        assert_eq!(sandbox.out(), whole, "{signal}");
    }
}

/// The leftovers of a killed run are not read as output, and the next run removes them.
#[test]
fn leftovers_are_removed() {
    let sandbox = Sandbox::new("leftovers");
    sandbox.write("out/.123-0.crdgen-tmp", "half");
    sandbox.write("out/.124-0.crdgen-tmp", "of a run that still goes on");
    let old = fs::File::options().write(true).open(sandbox.path("out/.123-0.crdgen-tmp"));
    let hour = Duration::from_secs(3600);
    old.and_then(|file| file.set_modified(std::time::SystemTime::now() - hour))
        .unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(sandbox.run(&["fit", "--out-dir", "out", "good.yaml"]).code(), Some(0));
    let files: Vec<String> = sandbox.out().into_keys().collect();
    assert_eq!(files, [".124-0.crdgen-tmp", "example.com_goods.yaml"]);
    let ran = sandbox.run(&["check", "out"]);
    assert!(ran.stderr.contains("1 CRD in 1 file"), "{}", ran.stderr);
}

/// crdgen may not read or write these files and folders.
#[test]
fn reports_permissions() {
    use std::os::unix::fs::PermissionsExt;
    let sandbox = Sandbox::new("permissions");
    sandbox.write("in/secret.yaml", GOOD);
    sandbox.write("secret.rs", KINDS);
    fs::create_dir_all(sandbox.path("closed")).unwrap_or_else(|e| panic!("{e}"));
    let close = |name: &str| {
        let none = fs::Permissions::from_mode(0o000);
        fs::set_permissions(sandbox.path(name), none).unwrap_or_else(|e| panic!("{e}"));
    };
    ["in/secret.yaml", "secret.rs", "closed"].into_iter().for_each(close);
    if fs::read(sandbox.path("in/secret.yaml")).is_ok() {
        crdgen_tests::skip("unreadable files", "this user may read everything");
        return;
    }
    for args in READERS.iter().chain(WRITERS) {
        for place in ["in", "in/secret.yaml", "closed"] {
            let ran = sandbox.run(&with(args, place));
            assert!(
                ran.code() == Some(2) && ran.stderr.contains("denied"),
                "{args:?} {place}: {}",
                ran.stderr
            );
        }
    }
    for args in RUST_READERS {
        let ran = sandbox.run(&with(args, "secret.rs"));
        assert_ne!(ran.code(), Some(0), "{args:?}");
    }
    for args in WRITERS {
        let args: Vec<&str> = with(args, "good.yaml")
            .into_iter()
            .map(|arg| if arg == "out" { "closed/out" } else { arg })
            .collect();
        let ran = sandbox.run(&args);
        assert!(ran.code() == Some(2) && ran.stderr.contains("denied"), "{args:?}: {}", ran.stderr);
    }
}

/// Only the modules that open files do so.
#[test]
fn one_module_writes_files() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut pending = vec![root.join("codegen"), root.join("derive")];
    let mut count = 0;
    while let Some(path) = pending.pop() {
        if path.is_dir() {
            pending.extend(fs::read_dir(&path).into_iter().flatten().flatten().map(|entry| entry.path()));
            continue;
        }
        let name = path.display().to_string();
        let is_test = path.strip_prefix(&root).is_ok_and(|below| below.iter().any(|part| part == "tests"));
        if !name.ends_with(".rs") || name.ends_with("src/output.rs") || is_test {
            continue;
        }
        let text = fs::read_to_string(&path).unwrap_or_else(|e| panic!("{e}"));
        count += 1;
        for opening in [
            "fs::write",
            "File::create",
            "OpenOptions",
            "File::options",
            "create_dir",
            "fs::rename",
            "fs::copy",
        ] {
            assert!(!text.contains(opening), "{name} uses {opening}: write files through `output`");
        }
    }
    assert!(count > 100, "{count}");
}
