//! `crdgen openapi`, `crdgen emit` and `crdgen docs` as users run them: what they write and print, and how they exit.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// Runs the command at the root of the repository.
fn run(args: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_tool"))
        .args(args)
        .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(".."))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command starts");
    child.stdin.take().expect("a pipe").write_all(input.as_bytes()).expect("the input is read");
    child.wait_with_output().expect("the command ends")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Creates a new folder with these files.
fn folder(name: &str, files: &[(&str, &str)]) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder");
    for (name, text) in files {
        fs::write(folder.join(name), text).expect("a file");
    }
    folder
}

fn crd(kind: &str, more: &str) -> String {
    let plural = format!("{}s", kind.to_lowercase());
    format!(
        "apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: {plural}.example.com
spec:
  group: example.com
  scope: Namespaced
{more}  names: {{plural: {plural}, kind: {kind}}}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema: {{type: object, properties: {{spec: {{type: object}}}}}}
"
    )
}

/// The errors of `check` are reported, and every CRD that a server would accept is published.
#[test]
fn one_bad_definition_stops_no_other() {
    let unknown = crd("Loose", "  colour: red\n");
    let refused = crd("Bad", "").replace("Namespaced", "Galactic");
    let all = [
        ("a.yaml", refused.as_str()),
        ("b.yaml", unknown.as_str()),
        ("c.yaml", &crd("Good", "")),
        ("d.yaml", "kind: CustomResourceDefinition\nspec: [\n"),
    ];
    let folder = folder("openapi", &all).display().to_string();
    let checked = run(&["check", &folder], "");
    let published = run(&["openapi", &folder], "");
    assert_eq!(published.status.code(), Some(1));
    assert_eq!(text(&published.stderr), text(&checked.stdout));
    for part in ["unknown field", "Galactic", "d.yaml"] {
        assert!(text(&published.stderr).contains(part), "{part}: {}", text(&published.stderr));
    }
    let documents = text(&published.stdout);
    assert_eq!(documents.lines().count(), 2);
    for (kind, there) in [("Good", true), ("Loose", true), ("Bad", false)] {
        assert_eq!(documents.contains(&format!("com.example.v1.{kind}\"")), there, "{kind}");
    }
    // If all CRDs are rejected, nothing is written.
    let published = run(&["openapi", "-"], &refused);
    assert_eq!((published.status.code(), text(&published.stdout)), (Some(1), String::new()));
}

/// Merged documents do not depend on the order of the files.
#[test]
fn merged_documents_are_stable() {
    let folder = folder("merge", &[("a.yaml", &crd("One", "")), ("b.yaml", &crd("Two", ""))]);
    let [a, b] = ["a.yaml", "b.yaml"].map(|name| folder.join(name).display().to_string());
    for form in ["--v2", "--v3"] {
        let [one, two] =
            [[&a, &b], [&b, &a]].map(|[x, y]| run(&["openapi", form, "--merge", x, y], "").stdout);
        assert!(!one.is_empty() && one == two, "{form}");
        let out = folder.join("out").display().to_string();
        let name = format!("openapi-{}.json", form.trim_start_matches('-'));
        assert!(run(&["openapi", form, "--merge", "--out-dir", &out, &a, &b], "").status.success());
        assert_eq!(fs::read(folder.join("out").join(name)).expect("a file"), one);
    }
}

/// With all options, publishing from Rust gives the same result as publishing the YAML that was emitted from Rust.
#[test]
fn both_ways_to_a_document() {
    let yaml = text(&run(&["emit", "examples/crontab"], "").stdout);
    assert!(yaml.contains("kind: CustomResourceDefinition"));
    for version in ["v2", "v3"] {
        for options in [
            &[][..],
            &["--unfold"],
            &["--merge"],
            &["--strip-value-validation", "--strip-nullable", "--allow-non-structural"],
            &["--version", "v1"],
            &["--unfold", "--merge", "--version", "v1"],
        ] {
            let format = format!("openapi-{version}");
            let emitted = run(&[&["emit", "examples/crontab", "--format", &format], options].concat(), "");
            let version = format!("--{version}");
            let published = run(&[&["openapi", "-", &version], options].concat(), &yaml);
            assert!(!emitted.stdout.is_empty(), "{format} {options:?}: {}", text(&emitted.stderr));
            assert_eq!(text(&emitted.stdout), text(&published.stdout), "{format} {options:?}");
            assert!(emitted.status.success() && published.status.success());
        }
    }
}

/// Options without an effect are usage errors.
#[test]
fn options_match_the_form() {
    for (format, option) in [
        ("yaml", "--merge"),
        ("json", "--unfold"),
        ("json-schema", "--merge"),
        ("openapi-v3", "--keep-defaults"),
    ] {
        let out = run(&["emit", "examples/crontab", "--format", format, option], "");
        assert_eq!(out.status.code(), Some(2), "{format} {option}");
        assert!(text(&out.stderr).contains(&option[2..]), "{}", text(&out.stderr));
    }
}

/// Files have the layout in which kubeconform and yaml-language-server look for schemas of custom resources.
#[test]
fn json_schemas_have_the_usual_names() {
    let folder = folder("schemas", &[("a.yaml", &crd("OneTwo", ""))]);
    let out = folder.join("out").display().to_string();
    for option in ["--json-schema", "--json-schema-07"] {
        let done = run(&["openapi", option, "--out-dir", &out, &folder.display().to_string()], "");
        assert!(done.status.success(), "{}", text(&done.stderr));
        let schema = fs::read_to_string(folder.join("out/example.com/onetwo_v1.json")).expect("a schema");
        assert_eq!(schema.contains("2020-12"), option == "--json-schema");
    }
}

/// A build script writes the same as the commands.
#[test]
fn a_build_script_writes_all_of_it() {
    let folder = folder("builder", &[]);
    let builder = crdgen::Builder::new()
        .source(Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/crontab"))
        .quiet(true)
        .openapi_v2(folder.join("api/v2.json"))
        .openapi_v3(folder.join("api/v3.json"))
        .json_schema(folder.join("schemas"))
        .docs(folder.join("docs"));
    builder.run().expect("it runs");
    for (format, more, file) in [
        ("openapi-v2", &["--merge"][..], "api/v2.json"),
        ("openapi-v3", &["--merge"], "api/v3.json"),
        ("json-schema", &[], "schemas/stable.example.com/crontab_v1.json"),
        ("docs", &[], "docs/stable.example.com_crontabs.html"),
    ] {
        let emitted = run(&[&["emit", "examples/crontab", "--format", format], more].concat(), "");
        let written = fs::read_to_string(folder.join(file)).expect("a file");
        // If there is an index, each page has a link to it.
        let written = written.replace(
            "\n<p class=\"crumb\"><a href=\"index.html\">All kinds</a> / stable.example.com</p>",
            "",
        );
        assert_eq!(written, text(&emitted.stdout), "{file}");
    }
    assert!(folder.join("docs/index.html").is_file());
    builder.clone().check(true).run().expect("all is up to date");
    fs::write(folder.join("api/v3.json"), "").expect("a file");
    let stale = builder.check(true).run().map(|_| ()).map_err(|e| e.to_string());
    assert!(stale.is_err_and(|e| e.contains("v3.json")));
}

#[test]
fn fields_are_explained() {
    let definition = "tests/corpus/docs/tricky.yaml";
    for (what, message) in [
        ("Trick.spec.portz", "Trick.spec has no field portz; did you mean `ports`?"),
        ("Trick.spec.zzz", "Trick.spec has no field zzz; its fields are A.b, a, any, a|b, either"),
        ("Trick.spec.mode.x", "Trick.spec.mode has no field x; it has no fields"),
        ("Trip", "no kind Trip in tests/corpus/docs/tricky.yaml; there are: Trick"),
    ] {
        let out = run(&["explain", what, "--crd", definition], "");
        assert_eq!(out.status.code(), Some(2));
        assert!(text(&out.stderr).contains(message), "{what}: {}", text(&out.stderr));
    }
    // If there are no kinds at all, the message explains why.
    let refused =
        "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: a}\n";
    for (input, message) in [
        (refused, "no kind A; a server rejects all CRDs in <stdin>"),
        ("kind: ConfigMap\n", "no CustomResourceDefinition in <stdin>"),
    ] {
        let out = run(&["explain", "A", "--crd", "-"], input);
        assert_eq!(out.status.code(), Some(2));
        assert!(text(&out.stderr).contains(message), "{}", text(&out.stderr));
    }
    let out = run(&["explain", "Trick.spec"], "");
    assert!(text(&out.stderr).contains("--crd"), "{}", text(&out.stderr));
}

/// The folder of a chart contains more than CRDs. Other files are skipped and counted, and the CRDs are made small
/// enough.
#[test]
fn shrinks_definitions_among_other_files() {
    let all = [
        ("a.yaml", "{{- if .Values.crds }}\nkind: CustomResourceDefinition\n{{- end }}\n"),
        ("b.yaml", "kind: ConfigMap\napiVersion: v1\ndata: {}\n"),
        ("c.yaml", &crd("Good", "")),
        ("notes.json", "[]"),
    ];
    let folder = folder("fit", &all).display().to_string();
    let Output { status, stdout, stderr } = run(&["fit", &folder], "");
    assert!(text(&stdout).contains("name: goods.example.com"), "{}", text(&stdout));
    assert!(text(&stderr).contains("skipped: 1 template"), "{}", text(&stderr));
    assert_eq!(status.code(), Some(0));
}

/// The examples of a project are on the page as their author wrote them, if the server accepts them.
#[test]
fn docs_show_the_examples_of_a_project() {
    let shared = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus/docs/shared.yaml").display().to_string();
    let object = |name: &str, spec: &str| {
        format!(
            "# About {name}.\napiVersion: docs.example.com/v1\nkind: Stage\nmetadata: {{name: {name}}}\nspec: {spec}\n"
        )
    };
    let good = object("good", "{host: a.example.com} # a comment");
    let bad = object("bad", "{host: 1}");
    let other = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: other}\n";
    let folder = folder("docs-examples", &[("bad.yaml", &bad), ("good.yaml", &good), ("other.yaml", other)]);
    let samples = folder.display().to_string();
    for output in ["html", "markdown"] {
        let written = run(&["docs", &shared, "-o", output, "--examples", &samples], "");
        let (page, errors) = (text(&written.stdout), text(&written.stderr));
        assert_eq!(written.status.code(), Some(1), "{errors}");
        assert!(page.contains("good (good.yaml)") && page.contains("# a comment"), "{page}");
        assert!(!page.contains("bad.yaml"), "{page}");
        assert!(errors.contains("spec.host: Invalid value") && errors.contains("bad.yaml:5"), "{errors}");
        assert!(errors.contains("examples of kinds without a CRD are not shown: ConfigMap"), "{errors}");
    }
    fs::remove_file(folder.join("bad.yaml")).expect("it was there");
    let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join("docs-examples-site").display().to_string();
    let _ = fs::remove_dir_all(&out);
    let written = run(&["docs", &shared, "--out-dir", &out, "--examples", &samples], "");
    assert_eq!(written.status.code(), Some(0), "{}", text(&written.stderr));
    let page = fs::read_to_string(Path::new(&out).join("docs.example.com_stages.html")).expect("a page");
    assert!(page.contains("good (good.yaml)"), "{page}");
}
