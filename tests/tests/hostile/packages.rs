//! Packages that try to run programs, or to read and write files outside, while crdgen reads their sources.

use super::{KINDS, Ran, Sandbox};
use std::fs;
use std::path::Path;

/// The file that shows that a program of the package ran.
const RAN: &str = "out/ran";

/// The commands that read the sources of the package in `checkout/package`, without running its code.
const COMMANDS: &[&[&str]] = &[
    &["emit", "checkout/package"],
    &["emit", "checkout/package", "--all-features"],
    &["emit", "checkout/package/Cargo.toml"],
    &["check", "--types", "checkout/package", "good.yaml"],
    &["validate", "object.yaml", "--crd", "checkout/package"],
    &["convert", "--report", "--types", "checkout/package"],
    &["migrate-check", "checkout/package", "--against", "good.yaml"],
    &["test", "checkout/package"],
];

const OBJECT: &str =
    "apiVersion: example.com/v1\nkind: Good\nmetadata: {name: a, namespace: b}\nspec: {a: x}\n";

/// A sandbox with a package for which crdgen needs cargo: it has a feature, a binary, and a type of another package.
fn package(name: &str) -> Sandbox {
    let sandbox = Sandbox::new(name);
    sandbox.write("object.yaml", OBJECT);
    // The checkout ends here, wherever the tests run.
    fs::create_dir_all(sandbox.path("checkout/.git")).unwrap_or_else(|e| panic!("{e}"));
    let manifest = "[package]\nname = \"p\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[features]\nx = []\n\
        [dependencies]\nother = { path = \"other\" }\n[workspace]\n";
    sandbox.write("checkout/package/Cargo.toml", manifest);
    let kinds = KINDS.replace("pub a: Option<String>", "pub a: Option<String>, pub o: Option<other::Other>");
    sandbox.write("checkout/package/src/lib.rs", kinds);
    sandbox.write("checkout/package/src/main.rs", "fn main() {}\n");
    sandbox.write("checkout/package/other/Cargo.toml", manifest_of("other"));
    let other = "#[derive(Schema, Serialize, Deserialize)]\npub struct Other { pub known: Option<String> }\n";
    sandbox.write("checkout/package/other/src/lib.rs", other);
    let script = format!(
        "#!/bin/sh\nmkdir -p {0}/out; echo \"$0 $*\" >> {0}/{RAN}\nexit 1\n",
        sandbox.work().display()
    );
    for program in ["evil.sh", "toolchain/bin/cargo", "toolchain/bin/rustc"] {
        let path = format!("checkout/package/{program}");
        sandbox.write(&path, &script);
        executable(&sandbox.path(&path));
    }
    sandbox
}

fn manifest_of(name: &str) -> String {
    format!("[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n")
}

fn executable(path: &Path) {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap_or_else(|e| panic!("{e}"));
}

/// Runs a command, with the cargo of the tests or with the one that the PATH has. The latter may be rustup, which reads
/// `rust-toolchain.toml`.
#[track_caller]
fn runs_nothing(sandbox: &Sandbox, what: &str, args: &[&str]) -> Ran {
    let with_path = || {
        let mut command = sandbox.command(args);
        command.env_remove("CARGO").env_remove("RUSTUP_TOOLCHAIN").env_remove("RUSTC");
        command
    };
    let mut last = None;
    for command in [sandbox.command(args), with_path()] {
        let ran = sandbox.run_within_limits(command, &format!("{what}: {}", args.join(" ")));
        let proof = fs::read_to_string(sandbox.path(RAN)).unwrap_or_default();
        assert_eq!(proof, "", "{what}: {args:?} ran a program\n{}", ran.stderr);
        last = Some(ran);
    }
    last.unwrap_or_else(|| panic!("no command"))
}

/// Settings of cargo and rustup name programs. Cargo must neither run them, nor write a lock file or a target folder.
#[test]
fn settings_of_packages_run_nothing() {
    const SETTINGS: &[(&str, &str)] = &[
        (".cargo/config.toml", "[build]\nrustc = \"EVIL\"\n"),
        (".cargo/config", "[build]\nrustc-wrapper = \"EVIL\"\n"),
        (".cargo/config.toml", "[build]\nrustc-workspace-wrapper = \"EVIL\"\nrustdoc = \"EVIL\"\n"),
        ("../.cargo/config.toml", "[build]\nrustc = \"EVIL\"\n"),
        (
            ".cargo/config.toml",
            "[env]\nRUSTC = { value = \"EVIL\", force = true }\nCARGO = { value = \"EVIL\", force = true }\n",
        ),
        (
            ".cargo/config.toml",
            "[alias]\nmetadata = \"!EVIL\"\n[target.'cfg(all())']\nlinker = \"EVIL\"\nrunner = \"EVIL\"\n",
        ),
        (
            ".cargo/config.toml",
            "[registry]\nglobal-credential-providers = [\"EVIL\"]\n[registries.r]\nindex = \"sparse+http://127.0.0.1:1/\"\n\
             credential-provider = [\"EVIL\"]\n[source.crates-io]\nreplace-with = \"r\"\n",
        ),
        ("rust-toolchain.toml", "[toolchain]\npath = \"toolchain\"\n"),
        ("../rust-toolchain.toml", "[toolchain]\npath = \"package/toolchain\"\n"),
    ];
    for (file, text) in SETTINGS {
        let sandbox = package("package-settings");
        let program = sandbox.path("checkout/package/evil.sh").display().to_string();
        sandbox.write(&format!("checkout/package/{file}"), text.replace("EVIL", &program));
        for args in COMMANDS {
            let ran = runs_nothing(&sandbox, text, args);
            if args[0] == "emit" {
                // Cargo answers nevertheless.
                assert_eq!(ran.code(), Some(0), "{text}: {args:?}: {}", ran.stderr);
                assert!(ran.stdout.contains("known:"), "{text}: {args:?}: {}", ran.stdout);
            }
        }
    }
}

/// Addresses of dependencies that git would run as programs.
#[test]
fn dependencies_run_nothing() {
    for address in ["ext::EVIL", "ssh://-oProxyCommand=EVIL/x", "file:///nowhere/x"] {
        let sandbox = package("package-dependencies");
        let program = sandbox.path("checkout/package/evil.sh").display().to_string();
        let manifest = fs::read_to_string(sandbox.path("checkout/package/Cargo.toml")).unwrap_or_default();
        let address = address.replace("EVIL", &program);
        let manifest =
            manifest.replace("[workspace]", &format!("git = {{ git = \"{address}\" }}\n[workspace]"));
        sandbox.write("checkout/package/Cargo.toml", manifest);
        sandbox.write("checkout/package/.cargo/config.toml", "[net]\ngit-fetch-with-cli = true\n");
        for args in COMMANDS {
            runs_nothing(&sandbox, &address, args);
        }
    }
}

/// A lock file that is a link would make cargo write elsewhere. `Sandbox` reports every change.
#[test]
fn lock_files_are_not_followed() {
    let sandbox = package("package-lock");
    std::os::unix::fs::symlink(sandbox.path("written"), sandbox.path("checkout/package/Cargo.lock"))
        .unwrap_or_else(|e| panic!("{e}"));
    for args in COMMANDS {
        runs_nothing(&sandbox, "a link", args);
    }
    let sandbox = package("package-pipe-as-lock");
    super::pipe(&sandbox.path("checkout/package/Cargo.lock"));
    for args in COMMANDS {
        let ran = runs_nothing(&sandbox, "a pipe", args);
        if args[0] == "emit" {
            assert!(ran.stderr.contains("Cargo.lock: a named pipe"), "{args:?}: {}", ran.stderr);
        }
    }
    let sandbox = package("package-old-lock");
    sandbox.write("checkout/package/Cargo.lock", "version = 4\n");
    for args in COMMANDS {
        let ran = runs_nothing(&sandbox, "an old lock file", args);
        if args[0] == "emit" {
            // Cargo answers nevertheless.
            assert_eq!(ran.code(), Some(0), "{args:?}: {}", ran.stderr);
            let note = "note[RST042]: package/Cargo.lock is out of date";
            assert!(ran.stderr.replace("checkout/", "").contains(note), "{args:?}: {}", ran.stderr);
            assert!(!ran.stderr.contains("`cargo metadata` failed"), "{args:?}: {}", ran.stderr);
        }
    }
}

/// With an outdated lock file, cargo reads links to the packages. The workspace of a package in another folder is among them.
#[test]
fn packages_of_other_workspaces_are_found_with_an_old_lock_file() {
    let sandbox = package("package-two-workspaces");
    let manifest = fs::read_to_string(sandbox.path("checkout/package/Cargo.toml")).unwrap_or_default();
    for (other, path) in [("checkout/other", "../other/inner"), ("checkout", "../inner")] {
        let own = manifest.replace("[workspace]", &format!("inner = {{ path = \"{path}\" }}\n[workspace]"));
        sandbox.write("checkout/package/Cargo.toml", own);
        sandbox.write("checkout/package/Cargo.lock", "version = 4\n");
        let root = "[workspace]\nmembers = [\"inner\"]\nexclude = [\"package\"]\n[workspace.package]\nedition = \"2021\"\n";
        sandbox.write(&format!("{other}/Cargo.toml"), root);
        let inner = "[package]\nname = \"inner\"\nversion = \"1.0.0\"\nedition.workspace = true\n";
        sandbox.write(&format!("{other}/inner/Cargo.toml"), inner);
        sandbox.write(&format!("{other}/inner/src/lib.rs"), "");
        let ran = sandbox.run(&["emit", "checkout/package"]);
        assert!(ran.stderr.contains("note[RST042]"), "{other}: {}", ran.stderr);
        assert!(!ran.stderr.contains("`cargo metadata` failed"), "{other}: {}", ran.stderr);
        assert_eq!(ran.code(), Some(0), "{other}: {}", ran.stderr);
    }
}

/// Code and `Cargo.toml` name files that do not belong to the package. Their text must not become part of any output.
#[test]
fn files_outside_of_packages_are_not_read() {
    const SECRET: &str = "Secret words\n";
    let link = |sandbox: &Sandbox, to: &str, name: &str| {
        std::os::unix::fs::symlink(to, sandbox.path(name)).unwrap_or_else(|e| panic!("{e}"));
    };
    for (what, include) in [
        ("absolute", "SANDBOX/outside/secret.txt"),
        ("relative", "../../../outside/secret.txt"),
        ("a link", "link.txt"),
        ("a link to a folder", "folder/secret.txt"),
        ("a folder of the same beginning", "../../../checkout-other/secret.txt"),
    ] {
        let sandbox = package("package-files");
        sandbox.write("outside/secret.txt", SECRET);
        sandbox.write("checkout-other/secret.txt", SECRET);
        link(&sandbox, "../../../outside/secret.txt", "checkout/package/src/link.txt");
        link(&sandbox, "../../../outside", "checkout/package/src/folder");
        let include = include.replace("SANDBOX", &sandbox.work().display().to_string());
        let doc = format!("#[doc = include_str!({include:?})] pub a: Option<String>");
        sandbox.write("checkout/package/src/lib.rs", KINDS.replace("pub a: Option<String>", &doc));
        for args in COMMANDS {
            let ran = sandbox.run(args);
            let all = format!("{}{}", ran.stdout, ran.stderr);
            assert!(!all.contains("Secret words"), "{what}: {args:?}: {all}");
            assert!(args[0] != "emit" || all.contains("outside of the package"), "{what}: {args:?}: {all}");
        }
        // The package around a file counts, too.
        let ran = sandbox.run(&["emit", "checkout/package/src/lib.rs"]);
        assert!(ran.stderr.contains("outside of the package"), "{what}: {}", ran.stderr);
        assert!(!format!("{}{}", ran.stdout, ran.stderr).contains("Secret words"), "{what}: {}", ran.stdout);
    }
    for (what, module, manifest) in [
        ("a path", "#[path = \"../../../outside/secret.rs\"] pub mod secret;", ""),
        ("a module that is a link", "pub mod link;", ""),
        ("a library", "", "[lib]\npath = \"../../outside/secret.rs\"\n"),
        ("a binary", "", "[[bin]]\nname = \"b\"\npath = \"../../outside/secret.rs\"\n"),
    ] {
        let sandbox = package("package-modules");
        sandbox.write("outside/secret.rs", KINDS.replace("Good", "Secret"));
        link(&sandbox, "../../../outside/secret.rs", "checkout/package/src/link.rs");
        sandbox.write("checkout/package/src/lib.rs", format!("{module}\n{KINDS}"));
        let path = sandbox.path("checkout/package/Cargo.toml");
        let text = fs::read_to_string(&path).unwrap_or_default();
        sandbox.write(
            "checkout/package/Cargo.toml",
            text.replace("[workspace]", &format!("{manifest}[workspace]")),
        );
        for args in COMMANDS {
            let ran = sandbox.run(args);
            let all = format!("{}{}", ran.stdout, ran.stderr);
            assert!(!all.contains("Secret"), "{what}: {args:?}: {all}");
            assert!(args[0] != "emit" || ran.code() != Some(0), "{what}: {args:?}: {all}");
            assert!(args[0] != "emit" || all.contains("outside of the package"), "{what}: {args:?}: {all}");
        }
    }
}

/// A dependency may be outside of the checkout, and then its folder may be read, but not the checkout around it. The files of git
/// may have passwords. And cargo quotes lines of what it cannot read.
#[test]
fn packages_open_nothing_else() {
    const SECRET: &str = "secret words\n";
    let link = |sandbox: &Sandbox, to: &str, name: &str| {
        let _ = fs::remove_file(sandbox.path(name));
        std::os::unix::fs::symlink(to, sandbox.path(name)).unwrap_or_else(|e| panic!("{e}"));
    };
    type Change = fn(&Sandbox, &dyn Fn(&Sandbox, &str, &str));
    let changes: [(&str, &str, Change); 7] = [
        ("the checkout around a dependency", "../../../user/other/.env", |_, _| {}),
        ("files of git", "../../.git/config", |_, _| {}),
        ("a link to files of git", "config.txt", |sandbox, link| {
            link(sandbox, "../../.git/config", "checkout/package/src/config.txt");
        }),
        ("a manifest", "", |sandbox, link| {
            link(sandbox, "../../user/other/.env", "checkout/package/Cargo.toml");
        }),
        ("the manifest of a dependency", "", |sandbox, link| {
            link(sandbox, "../../../user/other/.env", "checkout/package/other/Cargo.toml");
        }),
        ("a lock file", "", |sandbox, link| {
            link(sandbox, "../../user/other/.env", "checkout/package/Cargo.lock");
        }),
        ("the manifest of the workspace", "", |sandbox, link| {
            let path = sandbox.path("checkout/package/Cargo.toml");
            let text = fs::read_to_string(path).unwrap_or_default();
            let text =
                text.replace("[workspace]\n", "").replace("[features]", "workspace = '../q'\n[features]");
            sandbox.write("checkout/package/Cargo.toml", text);
            sandbox.write("checkout/q/x", "");
            link(sandbox, "../../user/other/.env", "checkout/q/Cargo.toml");
        }),
    ];
    for (what, include, change) in changes {
        let sandbox = package("package-opens");
        sandbox.write("checkout/.git/config", SECRET);
        sandbox.write("user/other/.env", SECRET);
        fs::create_dir_all(sandbox.path("user/other/.git")).unwrap_or_else(|e| panic!("{e}"));
        sandbox.write("user/other/sub/Cargo.toml", manifest_of("sub"));
        sandbox.write(
            "user/other/sub/src/lib.rs",
            "#[derive(Schema)] pub struct Sub { pub a: Option<String> }\n",
        );
        let path = sandbox.path("checkout/package/Cargo.toml");
        let text = fs::read_to_string(path).unwrap_or_default();
        let sub = "[dependencies]\nsub = { path = \"../../user/other/sub\" }\n";
        sandbox.write("checkout/package/Cargo.toml", text.replace("[dependencies]\n", sub));
        let field = "pub s: Option<sub::Sub>, pub o: Option<other::Other>, pub a";
        let field = match include {
            "" => field.to_owned(),
            file => field.replace("pub a", &format!("#[doc = include_str!({file:?})] pub a")),
        };
        sandbox.write("checkout/package/src/lib.rs", KINDS.replace("pub a", &field));
        change(&sandbox, &link);
        for args in COMMANDS {
            let ran = sandbox.run(args);
            let all = format!("{}{}", ran.stdout, ran.stderr);
            assert!(!all.contains("words"), "{what}: {args:?}: {all}");
            let wanted = if include.is_empty() { "a link to a file" } else { "outside of the package" };
            assert!(args[0] != "emit" || all.contains(wanted), "{what}: {args:?}: {all}");
        }
    }
}

/// The packages of a workspace and of a git checkout share files.
#[test]
fn files_of_the_workspace_are_read() {
    let sandbox = Sandbox::new("package-workspace");
    fs::create_dir_all(sandbox.path(".git")).unwrap_or_else(|e| panic!("{e}"));
    sandbox.write("Cargo.toml", "[workspace]\nmembers = [\"p\"]\nresolver = \"3\"\n");
    sandbox.write("README.md", "Shared words\n");
    sandbox.write("shared.rs", KINDS);
    sandbox.write("p/Cargo.toml", manifest_of("p"));
    let text = "#[path = \"../../shared.rs\"] pub mod shared;\n";
    let other = KINDS.replace("Good", "Other");
    let other = other.replace("pub a", "#[doc = include_str!(\"../../README.md\")] pub a");
    sandbox.write("p/src/lib.rs", format!("{text}{other}"));
    // The workspace of this package is its own folder.
    sandbox.write("q/Cargo.toml", format!("{}[workspace]\n", manifest_of("q")));
    sandbox.write("q/src/lib.rs", fs::read(sandbox.path("p/src/lib.rs")).unwrap_or_default());
    for path in [".", "p", "p/src/lib.rs", "q"] {
        let ran = sandbox.run(&["emit", path]);
        assert_eq!(ran.code(), Some(0), "{path}: {}", ran.stderr);
        assert!(
            ran.stdout.contains("Shared words") && ran.stdout.contains("kind: Good"),
            "{path}: {}",
            ran.stdout
        );
    }
}

/// A package may have only examples. Its name is not the mistake.
#[test]
fn packages_without_sources_are_named_as_such() {
    let sandbox = Sandbox::new("packages-examples");
    let manifest = manifest_of("examples") + "[workspace]\n[[example]]\nname = \"one\"\npath = \"one.rs\"\n";
    sandbox.write("examples/Cargo.toml", manifest);
    sandbox.write("examples/one.rs", KINDS);
    let ran = sandbox.run(&["emit", "examples"]);
    let wanted =
        "no package in this folder has a library or a program; pass one of its .rs files, such as an example";
    assert!(ran.stderr.contains(wanted), "{}", ran.stderr);
    let ran = sandbox.run(&["emit", "examples", "-p", "other"]);
    assert!(ran.stderr.contains("no such package. The packages are: examples"), "{}", ran.stderr);
    let ran = sandbox.run(&["emit", "examples/one.rs"]);
    assert!(ran.stdout.contains("kind: CustomResourceDefinition"), "{}", ran.stderr);
}
