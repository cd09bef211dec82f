//! Defaults in `crdgen.toml`, completions and the manual.

use super::arguments::{folder, shell};

const CRD: &str = "apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: goods.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: goods, kind: Good}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {a: {type: string}}}}}
";

const SETTINGS: &str =
    "kube = \"1.33\"\npaths = [\"crds\"]\n\n[check]\ndeny-warnings = true\nlint = \"LNT004\"\n";

#[test]
fn settings_are_defaults() {
    let folder = folder("settings", &[("crdgen.toml", SETTINGS), ("crds/good.yaml", CRD), ("sub/x", "")]);
    let (code, out, _) = shell(&folder, "crdgen check");
    assert_eq!((code, out.contains("LNT004")), (Some(1), true), "{out}");
    // The file is found from below, and its paths are its own.
    let (code, out, err) = shell(&folder, "cd sub && crdgen check");
    assert_eq!((code, out.contains("crds/good.yaml")), (Some(1), true), "{out}{err}");
    // Arguments win, and so does what is piped in.
    let (code, out, _) = shell(&folder, "crdgen check --lint LNT009 crds");
    assert_eq!((code, out.contains("LNT004")), (Some(0), false), "{out}");
    let (code, _, err) = shell(&folder, "echo 'kind: [' | crdgen check");
    assert_eq!(code, Some(1), "{err}");
    // A setting that does not go with an argument is left out.
    let (_, _, err) = shell(&folder, "crdgen check --types .");
    assert!(!err.contains("cannot be used with"), "{err}");
    let (code, out, _) = shell(&folder, "crdgen config");
    assert_eq!((code, out.as_str()), (Some(0), format!("# crdgen.toml\n{SETTINGS}").as_str()));
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
        ("[check]\nlint = true", "crdgen.toml:2:1: `lint` takes a value"),
        ("[check]\ndeny-warnings = \"yes\"", "crdgen.toml:2:1: `deny-warnings` takes true or false"),
        ("kube = 1.33", "crdgen.toml:1:8: put the version in quotes: \"1.33\""),
        ("kube = [", "crdgen.toml:1:9: unclosed array, expected `]`"),
        ("[check]\noutput = \"jsn\"", "crdgen.toml: invalid value 'jsn' for '--output <FORMAT>'"),
        ("[check.more]\na = 1", "crdgen.toml:1:8: no option of `crdgen check` is called `more`"),
    ] {
        let folder = folder("wrong-settings", &[("crdgen.toml", text), ("good.yaml", CRD)]);
        let (code, out, err) = shell(&folder, "crdgen check good.yaml");
        assert_eq!((code, out.as_str()), (Some(2), ""), "{text}: {err}");
        assert!(err.contains(wanted), "{text}: {err}");
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
