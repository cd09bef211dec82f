//! Defaults in `crdgen.toml`, completions and the manual.

use super::arguments::{folder, shell, write};
use crdgen_tests::corpus::GOOD as CRD;
use std::path::Path;

const SETTINGS: &str =
    "kube = \"1.33\"\npaths = [\"crds\"]\n\n[check]\ndeny-warnings = true\nlint = \"LNT004\"\n";

#[test]
fn settings_are_defaults() {
    let package = ("Cargo.toml", "[package]\nname = \"p\"\n");
    let folder =
        folder("settings", &[("crdgen.toml", SETTINGS), ("crds/good.yaml", CRD), ("sub/x", ""), package]);
    let (code, out, _) = shell(&folder, "crdgen check");
    assert_eq!((code, out.contains("LNT004")), (Some(1), true), "{out}");
    // The file is found from the folder below, and its paths are relative to its own folder.
    let (code, out, err) = shell(&folder, "cd sub && crdgen check");
    assert_eq!((code, out.contains("crds/good.yaml")), (Some(1), true), "{out}{err}");
    // Arguments take precedence over settings, and so does standard input.
    let (code, out, _) = shell(&folder, "crdgen check --lint LNT009 crds");
    assert_eq!((code, out.contains("LNT004")), (Some(0), false), "{out}");
    let (code, _, err) = shell(&folder, "echo 'kind: [' | crdgen check");
    assert_eq!(code, Some(1), "{err}");
    // A setting that conflicts with an argument is left out.
    let (code, _, err) = shell(&folder, "mkdir src && touch src/lib.rs && crdgen check --types .");
    assert!(!err.contains("cannot be used with"), "{code:?} {err}");
    let (code, out, _) = shell(&folder, "crdgen config");
    assert_eq!((code, out.as_str()), (Some(0), format!("# crdgen.toml\n{SETTINGS}").as_str()));
}

/// Errors that a setting causes only during the run name the setting.
#[test]
fn failures_name_the_arguments_of_settings() {
    let settings = "[check]\nagainst = \"nothing.yaml\"\n";
    let folder = folder("failures", &[("crdgen.toml", settings), ("crd.yaml", CRD)]);
    let (code, _, err) = shell(&folder, "crdgen check crd.yaml");
    let message = "error: nothing.yaml: no such file or directory\nnote: crdgen.toml adds the arguments --against=nothing.yaml\n";
    assert_eq!((code, err.as_str()), (Some(2), message));
    let (code, _, err) = shell(&folder, "crdgen docs nothing.yaml");
    assert!(code == Some(2) && !err.contains("note"), "{err}");
    // A link to itself is not treated like a missing file.
    let (code, _, err) =
        shell(&folder, "rm crdgen.toml; ln -s crdgen.toml crdgen.toml; crdgen check crd.yaml");
    assert!(code == Some(2) && err.contains("crdgen.toml: "), "{err}");
}

/// Creates a package with a kind, and the CRDs and objects of another kind.
fn project(name: &str, settings: &str) -> std::path::PathBuf {
    let kind = "#[derive(CustomResource, Schema)]\n#[kube(group = \"example.com\", version = \"v1\", kind = \"Good\")]\npub struct GoodSpec { pub a: String }\n";
    let object = "apiVersion: example.com/v1\nkind: Good\nmetadata: {name: a, namespace: b}\nspec: {a: x}\n";
    let types =
        "use crdgen::Convert;\n#[derive(Convert)]\n#[convert(to = v2::B)]\npub struct A { pub a: i32 }\n";
    let files = [
        ("crdgen.toml", settings),
        ("crds/good.yaml", CRD),
        ("manifests/a.yaml", object),
        ("kinds.rs", kind),
        ("types.rs", types),
        ("sub/x", ""),
    ];
    folder(name, &files)
}

#[test]
fn settings_provide_what_arguments_require() {
    for (settings, command, code, wanted) in [
        (
            "[emit]\nout-dir = \"deploy\"",
            "emit kinds.rs --check",
            1,
            "deploy/example.com_goods.yaml: missing",
        ),
        ("[emit]\npath = \"kinds.rs\"", "emit", 0, "kind: CustomResourceDefinition"),
        ("[convert]\nto = \"v1\"", "convert manifests", 0, "apiVersion: example.com/v1"),
        ("[convert]\nto = \"v1\"\ntypes = \"kinds.rs\"", "convert --report", 2, "no kind derives Convert"),
        // A setting is left out if it needs an option that is not given.
        ("[docs]\ntitle = \"x\"\n[emit]\nmerge = true", "docs crds", 0, "<h1"),
        ("[explain]\ncrd = [\"crds\"]", "explain CRD012", 0, "CRD012: "),
        ("[explain]\ncrd = [\"crds\"]", "explain", 0, "CRD012  "),
        ("[explain]\ncrd = [\"crds\"]", "explain good", 0, "KIND:       Good"),
        ("", "convert manifests", 2, "--to <[GROUP/]VERSION>"),
        ("[check]\npaths = [\"./crds/../crds\"]", "check", 0, ""),
        ("[check]\npaths = [\"crds/*.yaml\"]", "check", 0, ""),
        ("[convert]\nreport = false", "convert manifests", 2, "--to <[GROUP/]VERSION>"),
    ] {
        let folder = project("required", settings);
        let (found, out, err) = shell(&folder, &format!("crdgen {command} < /dev/null"));
        assert_eq!(found, Some(code), "{settings}: {command}: {out}{err}");
        assert!(format!("{out}{err}").contains(wanted), "{settings}: {command}: {out}{err}");
    }
}

#[test]
fn paths_in_settings_are_relative_to_the_file() {
    let settings = "[validate]\ncrd = \"crds\"\nobjects = \"manifests\"\n[get]\ncrd = \"crds\"\nobjects = \"manifests\"\n\
        [cel]\ncrd = \"crds/good.yaml\"\n[explain]\ncrd = \"crds\"\n";
    let folder = project("relative", settings);
    for command in ["validate", "get", "cel 'self.spec.a'", "explain good.spec"] {
        let (code, out, err) = shell(&folder, &format!("cd sub && crdgen {command} < /dev/null"));
        assert_eq!(code, Some(0), "{command}: {out}{err}");
    }
    // Other commands do not read CRDs by default.
    let folder = project("read-crds", "paths = [\"nowhere\"]");
    for (command, reads) in
        [("check", true), ("docs", true), ("test", false), ("validate", false), ("convert --to v1", false)]
    {
        let (_, _, err) = shell(&folder, &format!("crdgen {command} < /dev/null"));
        assert_eq!(err.contains("nowhere"), reads, "{command}: {err}");
    }
}

#[test]
fn arguments_turn_flags_off() {
    let folder = project("off", "[check]\ndeny-warnings = true\nlint = [\"LNT004\"]\n");
    for (arguments, code) in
        [("", 1), ("--deny-warnings=false", 0), ("--deny-warnings=true", 1), ("--deny-warnings", 1)]
    {
        let (found, _, err) = shell(&folder, &format!("crdgen check crds {arguments}"));
        assert_eq!(found, Some(code), "{arguments}: {err}");
    }
    let (code, _, err) = shell(&folder, "crdgen check crds --deny-warnings=no");
    assert!(code == Some(2) && err.contains("unexpected value 'no' for '--deny-warnings'"), "{err}");
}

#[test]
fn config_shows_values_as_they_are_and_checks_them() {
    let settings = "kube = \"v1.34.2\"\nlint = [\"all\"]\n\n[check]\njobs = 4\n";
    let folder = folder("shown", &[("crdgen.toml", settings)]);
    let (code, out, err) = shell(&folder, "crdgen config");
    assert_eq!((code, out), (Some(0), format!("# crdgen.toml\n{settings}")), "{err}");
    let folder = super::arguments::folder("checked", &[("crdgen.toml", "[check]\njobs = \"many\"\n")]);
    let (code, _, err) = shell(&folder, "crdgen config");
    let wanted = "crdgen.toml:2:8: invalid value 'many' for '--jobs <N>'";
    assert!(code == Some(2) && err.contains(wanted), "{err}");
}

#[test]
fn wrong_settings_are_errors_at_their_place() {
    for (text, wanted) in [
        ("kubee = \"1.33\"", "crdgen.toml:1:1: no setting is called `kubee`; did you mean `kube`?"),
        (
            "[check]\nlnt = \"all\"",
            "crdgen.toml:2:1: no option of `crdgen check` is called `lnt`; did you mean `lint`?",
        ),
        ("[chek]", "crdgen.toml:1:2: no command is called `chek`; did you mean `check`?"),
        ("[check]\nlint = true", "crdgen.toml:2:1: `lint` must be a string, a number, or a list of these"),
        ("[import]\ntime = true", "crdgen.toml:2:1: `time` must be \"chrono\" or \"jiff\" or \"string\""),
        (
            "[check]\njobs = \"x\"",
            "crdgen.toml:2:8: invalid value 'x' for '--jobs <N>': write a whole number, such as 4",
        ),
        ("[check]\ndeny-warnings = \"yes\"", "crdgen.toml:2:1: `deny-warnings` must be true or false"),
        ("kube = 1.33", "crdgen.toml:1:8: put the version in quotes: \"1.33\""),
        ("kube = [", "crdgen.toml:1:9: unclosed array, expected `]`"),
        (
            "[check]\noutput = \"jsn\"",
            "crdgen.toml:2:10: invalid value 'jsn' for '--output <FORMAT>' [possible values: human, json, sarif, github, gitlab, junit, markdown]",
        ),
        (
            "kube = \"1.99\"",
            "crdgen.toml:1:8: invalid value '1.99' for '--kube <1.NN>': the newest version that crdgen knows is",
        ),
        (
            "[check]\nlint = [\"LNT999\"]",
            "crdgen.toml:2:8: invalid value 'LNT999' for '--lint <CODE>': there is no lint LNT999",
        ),
        (
            "[emit]\npats = \"x\"",
            "crdgen.toml:2:1: no option of `crdgen emit` is called `pats`; did you mean `path`?",
        ),
        ("[check.more]\na = 1", "crdgen.toml:1:8: no option of `crdgen check` is called `more`"),
    ] {
        let folder = folder("wrong-settings", &[("crdgen.toml", text), ("good.yaml", CRD)]);
        let (code, out, err) = shell(&folder, "crdgen check good.yaml");
        assert_eq!((code, out.as_str()), (Some(2), ""), "{text}: {err}");
        assert!(err.contains(wanted), "{text}: {err}");
    }
}

/// A checkout cannot make crdgen run code, replace or remove files, or reach a cluster.
#[test]
fn settings_grant_no_powers() {
    for (command, name, value) in [
        ("emit", "exact", "\"always\""),
        ("emit", "exact", "\"auto\""),
        ("convert", "exact", "\"always\""),
        ("emit", "force", "true"),
        ("emit", "force", "false"),
        ("emit", "prune", "true"),
        ("emit", "watch", "true"),
        ("docs", "force", "true"),
        ("import", "force", "true"),
        ("man", "force", "true"),
        ("test", "update", "true"),
        ("migrate", "cluster", "true"),
        ("migrate", "context", "\"prod\""),
        ("migrate", "own", "true"),
        ("migrate", "resume", "\"done\""),
        ("validate", "cluster", "true"),
        ("get", "context", "\"prod\""),
        ("import", "cluster", "true"),
    ] {
        let settings = format!("[{command}]\n{name} = {value}\n");
        let folder = folder("powers", &[("crdgen.toml", &settings), ("good.yaml", CRD)]);
        let wanted = format!("crdgen.toml:2:1: `{name}` works only on the command line, because it ");
        for line in ["crdgen check good.yaml", "crdgen config", "crdgen emit", "crdgen migrate good.yaml"] {
            let (code, out, err) = shell(&folder, line);
            assert_eq!((code, out.as_str()), (Some(2), ""), "{settings}: {line}: {err}");
            assert!(err.contains(&wanted), "{settings}: {line}: {err}");
        }
    }
}

/// Paths of settings lead to nothing outside of the folder of the file: neither for reading nor for writing.
#[test]
fn paths_of_settings_stay_inside_its_folder() {
    for setting in [
        "paths = [\"..\"]",
        "paths = [\"/etc\"]",
        "paths = [\"up/outside\"]",
        "paths = [\"*/outside\"]",
        "[docs]\nout-dir = \"../home\"",
        "[docs]\nout-dir = \"up/home\"",
        "[docs]\nout-dir = \"missing/../../home\"",
        "[docs]\nout-dir = \"missing/..\"",
        "paths = [\"up\"]",
        "paths = [\"up/*\"]",
        "paths = [\"*/../../outside\"]",
        "paths = [\"crds/../../outside\"]",
        "paths = [\"../checkout-other\"]",
        "[emit]\npath = \"../outside\"",
        "[emit]\nout-dir = \"dangling\"",
        "[check]\ntypes = \"up\"",
        "[check]\nagainst = \"../outside\"",
        "[lsp]\nagainst = \"../outside\"",
        "[validate]\ncrd = [\"crds\", \"git:main:../outside\"]",
        "[validate]\nold = \"/etc/passwd\"",
        "[import]\nnames = \"/etc/passwd\"",
        "[cel]\nobject = \"../outside/secret.yaml\"",
        "[test]\npaths = [\"../outside\"]",
    ] {
        let files = [("checkout/crds/good.yaml", CRD), ("outside/secret.yaml", CRD), ("home/mine", "")];
        let folder = folder("inside", &files);
        write(&folder, "checkout/crdgen.toml", &format!("{setting}\n"));
        let link = "cd checkout && ln -s .. up && ln -s ../nowhere dangling";
        assert_eq!(shell(&folder, link).0, Some(0));
        for command in ["check", "docs crds", "config", "emit"] {
            let (code, out, err) = shell(&folder, &format!("cd checkout && crdgen {command}"));
            assert_eq!((code, out.as_str()), (Some(2), ""), "{setting}: {command}: {err}");
            let wanted = "leads out of the folder of this file. Pass such a path on the command line";
            assert!(err.contains("crdgen.toml:") && err.contains(wanted), "{setting}: {command}: {err}");
        }
    }
}

#[test]
fn shells_complete_values() {
    let folder = folder("completions", &[]);
    for shell_name in ["bash", "zsh", "fish", "powershell"] {
        let (code, out, _) = shell(&folder, &format!("crdgen completions {shell_name}"));
        assert_eq!(code, Some(0));
        for value in ["migrate-check", "deny-warnings", "LNT001", "CRD012", "1.33", "sarif"] {
            assert!(out.contains(value), "{shell_name}: {value}");
        }
    }
    let (_, fish, _) = shell(&folder, "crdgen completions fish");
    assert!(fish.contains("subcommand explain\" -f -a \"YAML001 "), "{fish}");
    let (_, powershell, _) = shell(&folder, "crdgen completions powershell");
    assert!(powershell.contains("'crdgen;check --kube' { '1.33', "), "{powershell}");
    assert!(powershell.contains("'crdgen;explain explain' { 'YAML001', "), "{powershell}");
    let (_, _, err) = shell(&folder, "crdgen completions bash | bash -n");
    assert_eq!(err, "");
}

/// bash completes the addresses of the rules of the CRD on the line.
#[test]
fn bash_completes_addresses_of_rules() {
    if shell(Path::new("."), "bash --version").0 != Some(0) {
        println!("SKIPPED the addresses of rules: no bash");
        return;
    }
    let folder = folder("completions-of-rules", &[]);
    let crd = Path::new(env!("CARGO_MANIFEST_DIR")).join("goldens/console/ruled.yaml");
    std::fs::copy(crd, folder.join("crd.yaml")).unwrap_or_else(|e| panic!("{e}"));
    for (words, typed, wanted) in [
        ("--crd crd.yaml", "spec#", "spec#0 spec#1"),
        ("--crd = crd.yaml", "spec.i", "spec.items[]"),
        ("--crd crd.yaml", "status", ""),
        ("--crd nothing.yaml", "", ""),
    ] {
        let script = format!(
            "crdgen() {{ \"$CRDGEN\" \"$@\"; }}\nsource <(crdgen completions bash)\nCOMP_WORDS=(crdgen cel {words} --rule '{typed}')\nCOMP_CWORD=$((${{#COMP_WORDS[@]}} - 1))\n_crdgen crdgen '{typed}' --rule\necho \"${{COMPREPLY[*]}}\"\n"
        );
        std::fs::write(folder.join("complete.sh"), script).unwrap_or_else(|e| panic!("{e}"));
        let (_, out, err) = shell(&folder, "bash complete.sh");
        assert_eq!((out.trim(), err.as_str()), (wanted, ""), "{words} {typed}");
    }
}

#[test]
fn every_command_has_a_page_and_examples() {
    let folder = folder("man", &[]);
    let (code, _, err) = shell(&folder, "crdgen man --out-dir man");
    assert_eq!(code, Some(0), "{err}");
    let (_, help, _) = shell(&folder, "crdgen --help");
    let commands =
        help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    let commands: Vec<&str> = commands.filter_map(|line| line.split_whitespace().next()).collect();
    assert!(commands.len() > 10, "{help}");
    for command in commands.into_iter().filter(|command| *command != "help") {
        assert!(folder.join(format!("man/crdgen-{command}.1")).is_file(), "{command}");
        let (_, help, _) = shell(&folder, &format!("crdgen {command} --help"));
        assert!(help.contains("Examples:") || matches!(command, "config" | "rpc"), "{help}");
    }
}
