//! Which files of a folder commands read: charts, kustomizations, and what is not for a server.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use super::arguments::{folder, shell};
use crdgen_tests::corpus::GOOD as CRD;

const OBJECT: &str = "apiVersion: example.com/v1\nkind: Good\nmetadata: {name: a}\nspec: {a: x}\n";
const PATCH: &str = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata:\n  name: goods.example.com\n  annotations: {a: b}\n";
const CHART: &str = "apiVersion: v2\nname: x\nversion: 0.1.0\n";
const TEMPLATE: &str =
    "{{- if .Values.crds }}\nkind: Deployment\nspec:\n  replicas: {{ .Values.replicas }}\n{{- end }}\n";

/// A repository as kubebuilder makes it, with a chart and with what editors and tests add.
fn repository() -> Vec<(&'static str, String)> {
    let text = str::to_owned;
    vec![
        ("config/crd/bases/goods.yaml", text(CRD)),
        (
            "config/crd/kustomization.yaml",
            text("resources: [bases/goods.yaml]\npatches: [{path: patches/used.yaml}]\n"),
        ),
        ("config/crd/patches/used.yaml", text(PATCH)),
        // kubebuilder writes this patch, and leaves it to the user to list it.
        ("config/crd/patches/unused.yaml", text(PATCH)),
        ("config/samples/kustomization.yaml", text("resources: [good.yaml]\n")),
        ("config/samples/good.yaml", text(OBJECT)),
        ("chart/Chart.yaml", text(CHART)),
        ("chart/values.yaml", text("replicas: 1\n")),
        ("chart/templates/d.yaml", text(TEMPLATE)),
        ("chart/crds/others.yaml", CRD.replace("goods", "others").replace("Good", "Other")),
        ("Taskfile.yaml", text("version: '3'\n")),
        ("broken.yaml", text("a: [\n")),
        ("template.yaml", TEMPLATE.replace("kind", "apiVersion: apps/v1\nkind")),
        ("kind.yaml", text("apiVersion: kind.x-k8s.io/v1alpha4\nkind: Cluster\n")),
        ("node_modules/x.yaml", CRD.replace("type: object", "type: objekt")),
        ("vendor/x.yaml", CRD.replace("type: object", "type: objekt")),
        (".gitignore", text("/generated/\n")),
        ("generated/x.yaml", CRD.replace("type: object", "type: objekt")),
    ]
}

fn make(name: &str, files: &[(&str, String)]) -> std::path::PathBuf {
    let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (*name, text.as_str())).collect();
    folder(name, &files)
}

#[test]
fn skips_what_is_not_for_a_server() {
    let folder = make("skips", &repository());
    let (code, out, err) = shell(&folder, "crdgen check");
    assert_eq!((code, out.as_str()), (Some(0), ""), "{err}");
    let wanted = "skipped: 1 kustomize patch, 2 kustomizations, 1 partial CRD, 1 Helm template, 2 other files of Helm charts";
    assert!(err.contains(wanted) && err.contains("2 CRDs in "), "{err}");
    let (code, out, err) = shell(&folder, "crdgen validate");
    assert_eq!((code, out.as_str()), (Some(0), ""), "{err}");
    for wanted in [
        "Good.example.com  ",
        "built kustomizations: config/crd, config/samples\n",
        "1 kustomize patch, ",
        "1 partial CRD, ",
        "1 template, 1 file that is not YAML, 1 document that is not a Kubernetes object, 1 object that no server reads, 2 folders",
    ] {
        assert!(err.contains(wanted), "{wanted}: {err}");
    }
    let (_, _, err) = shell(&folder, "crdgen validate -v");
    assert!(err.contains("  kustomize patch: ./config/crd/patches/used.yaml\n"), "{err}");
    // With --no-ignore, all of it counts.
    let (code, out, _) = shell(&folder, "crdgen check --no-ignore");
    assert_eq!(code, Some(1));
    for file in ["node_modules/x.yaml", "vendor/x.yaml", "generated/x.yaml"] {
        assert!(out.contains(file), "{file}: {out}");
    }
    let line =
        "crdgen check --no-ignore --exclude node_modules --exclude 'vendor/*.yaml' --exclude generated/";
    assert_eq!(shell(&folder, line).0, Some(0));
    fs::write(folder.join("crdgen.toml"), "exclude = [\"config/crd\", \"chart\"]\n")
        .unwrap_or_else(|e| panic!("{e}"));
    let (code, _, err) = shell(&folder.join("chart"), "crdgen check ..");
    assert!(code == Some(2) && err.contains("no CustomResourceDefinition in .."), "{err}");
}

/// What a user names is read, whatever it is.
#[test]
fn named_files_are_always_read() {
    let folder = make("named", &repository());
    for (line, code) in [
        ("crdgen check vendor/x.yaml", 1),
        ("crdgen check vendor", 1),
        ("crdgen check generated/x.yaml", 1),
        ("crdgen check config/crd/patches/unused.yaml", 1),
        ("crdgen check chart/templates/d.yaml", 1),
        ("crdgen check --exclude '*' vendor/x.yaml", 1),
        // The folder belongs to the chart above it.
        ("crdgen check chart/templates", 2),
        ("crdgen check config/crd/patches", 2),
    ] {
        let (found, out, err) = shell(&folder, line);
        assert_eq!(found, Some(code), "{line}: {out}{err}");
    }
}

/// Nothing that may be applied is skipped: each of these files has an error that must be reported.
#[test]
fn reports_what_may_be_applied() {
    let wrong = CRD.replace("type: object", "type: objekt");
    let invalid = OBJECT.replace("a: x", "a: 1");
    let braces = OBJECT.replace("a: x", "a: '{{x}}'");
    for (command, file, text) in [
        ("check", "chart/crds/x.yaml", wrong.as_str()),
        ("check", "chart/examples/x.yaml", &wrong),
        ("check", "config/crd/patches/x.yaml", &wrong),
        ("check", "templates/x.yaml", &wrong),
        ("check", "testdata/x.yaml", &wrong),
        ("check", "values.yaml", &wrong),
        ("check", "kustomization/x.yaml", &wrong),
        (
            "check",
            "x.yaml",
            &PATCH.replace("annotations: {a: b}\n", "annotations: {a: b}\nspec: {group: example.com}\n"),
        ),
        ("check", "x.yaml", &format!("{CRD}  x: [\n")),
        ("validate", "x.yaml", &invalid),
        ("validate", "config/samples/x.yaml", &invalid),
        ("validate", "chart/x.yaml", &invalid),
        ("validate", "x.yaml", "kind: Good\nmetadata: {name: a}\n"),
        ("validate", "x.yaml", "apiVersion: v1\nmetadata: {name: a}\n"),
        ("validate", "x.yaml", &format!("{OBJECT}  x: [\n")),
        // A brace in a text does not make a broken file a template.
        ("validate", "x.yaml", &format!("{braces}status:\n  a: 1\n  b: 1\n  c: 1\n  d: [\n")),
    ] {
        let mut files = repository();
        files.push((file, text.to_owned()));
        let folder = make("applied", &files);
        let (code, out, err) = shell(&folder, &format!("crdgen {command}"));
        assert!(code == Some(1) && out.contains(file), "{command} {file}: {text}{out}{err}");
    }
}

/// Files of other programs, and templates of programs other than Helm.
#[test]
fn skips_files_of_other_programs() {
    let with_versions =
        format!("{PATCH}spec:\n  versions:\n  - name: v1\n    schema: {{openAPIV3Schema: {{}}}}\n");
    let files = [
        ("object.yaml", OBJECT),
        ("crd.yaml", CRD),
        ("index.yaml", "apiVersion: v1\nentries: {}\n"),
        ("notes.yaml", "kind: bug-fix\nissue: [1]\n"),
        ("values.yml", "# apiVersion\nkind: DaemonSet\nimage: {tag: x}\n"),
        ("form.yaml", "apiVersion: notes/v2\nkind:\narea:\n"),
        ("part.yaml", with_versions.as_str()),
        ("jinja.yaml", "{% raw %}\napiVersion: v1\nkind: Secret\n{% endraw %}\n"),
        ("replaced.yaml", "apiVersion: v1\nkind: Service\nspec:\n  clusterIP: {IP_PREFIX}.16\n"),
        ("sed.yaml", "apiVersion: v1\nkind: Service\nmetadata:\n  name: @NAME@\n"),
    ];
    let folder = folder("others", &files);
    let (code, out, err) = shell(&folder, "crdgen validate");
    assert_eq!((code, out.as_str()), (Some(0), ""), "{err}");
    let wanted = "skipped: 1 partial CRD, 3 templates, 4 documents that are not Kubernetes objects\n";
    assert!(err.contains(wanted), "{err}");
    let (code, out, err) = shell(&folder, "crdgen check");
    assert_eq!((code, out.as_str()), (Some(0), ""), "{err}");
    // A value that a program replaces may have any format.
    let variable = OBJECT.replace("name: a", "name: $NAME");
    fs::write(folder.join("object.yaml"), variable).unwrap_or_else(|e| panic!("{e}"));
    let (code, out, err) = shell(&folder, "crdgen validate");
    assert!(code == Some(0) && err.contains("1 not checked (it has variables"), "{out}{err}");
    // A program that replaces a placeholder may replace other words in capitals. Without a placeholder they are mistakes.
    for (name, label, wanted) in [
        ("NAME_OF_GOOD", "{CLASS_OF_GOOD}", 0),
        ("NAME_OF_GOOD", "a", 1),
        ("<< Name >>", "a", 0),
        ("<Name>", "a", 1),
    ] {
        let metadata = format!("metadata: {{name: \"{name}\", labels: {{a: \"{label}\"}}}}");
        let object = OBJECT.replace("metadata: {name: a}", &metadata);
        fs::write(folder.join("object.yaml"), object).unwrap_or_else(|e| panic!("{e}"));
        let (code, out, err) = shell(&folder, "crdgen validate");
        assert_eq!(code, Some(wanted), "{name} {label}: {out}{err}");
        assert_eq!(err.contains("1 not checked (it has variables"), wanted == 0, "{name} {label}: {err}");
    }
}

/// Chainsaw and kyverno run on the user's side, but kyverno's own server has kinds of these groups too.
#[test]
fn kinds_with_crds_are_never_skipped() {
    let object = "apiVersion: chainsaw.kyverno.io/v1\nkind: Good\nmetadata: {name: a}\nspec: {a: 1}\n";
    let crd = CRD.replace("example.com", "chainsaw.kyverno.io");
    let folder =
        folder("served", &[("x/object.yaml", object), ("crds/crd.yaml", &crd), ("x/ok.yaml", OBJECT)]);
    for line in ["crdgen validate", "crdgen validate x --crd crds", "crdgen validate x --crd-dir crds"] {
        let (code, out, err) = shell(&folder, line);
        assert!(code == Some(1) && out.contains("x/object.yaml:4:11"), "{line}: {out}{err}");
        assert!(!err.contains("no server reads"), "{line}: {err}");
    }
    // No server takes an object without metadata.
    let nameless = object.replace("metadata: {name: a}\n", "");
    std::fs::write(folder.join("x/nameless.yaml"), nameless).unwrap_or_else(|e| panic!("{e}"));
    let (_, out, err) = shell(&folder, "crdgen validate");
    assert!(
        !out.contains("nameless.yaml") && err.contains("skipped: 1 object that no server reads"),
        "{out}{err}"
    );
    std::fs::remove_file(folder.join("x/nameless.yaml")).unwrap_or_else(|e| panic!("{e}"));
    let (_, out, _) = shell(&folder, "crdgen discover");
    assert!(out.contains("1 × Good.chainsaw.kyverno.io") && !out.contains("no server reads"), "{out}");
    let (code, out, err) = shell(&folder, "rm -r crds; git init -q; crdgen validate");
    assert!(code == Some(0) && err.contains("skipped: 1 object that no server reads"), "{out}{err}");
}

/// A repository may have several projects, or a project of which tests need several versions.
#[test]
fn objects_use_the_nearest_crd() {
    let other = CRD.replace("a: {type: string}", "a: {type: integer}");
    assert_ne!(other, CRD);
    let number = OBJECT.replace("a: x", "a: 1");
    let files = [
        ("one/crds/crd.yaml", CRD),
        ("one/samples/object.yaml", OBJECT),
        ("two/crds/crd.yaml", &other),
        ("two/samples/object.yaml", &number),
        ("two/copy/crds/crd.yaml", CRD),
        ("two/copy/object.yaml", OBJECT),
    ];
    let folder = folder("nearest", &files);
    let (code, out, err) = shell(&folder, "crdgen validate");
    assert_eq!((code, out.as_str()), (Some(0), ""), "{err}");
    let wanted = "there are several CRDs for Good of example.com. crdgen uses the one that is nearest to each object\n";
    assert!(err.contains(wanted), "{err}");
    // The CRDs of the repository are used in the same way.
    let (code, out, err) = shell(&folder, "git init -q; crdgen validate two/samples one/samples");
    assert_eq!((code, out.as_str()), (Some(0), ""), "{err}");
    // Tests of upgrades create objects of versions that the CRD next to them does not have yet.
    let next = CRD.replace("  - name: v1\n", "  - name: v2\n");
    assert_ne!(next, CRD);
    let object = |version: &str| OBJECT.replace("example.com/v1", &format!("example.com/{version}"));
    let files = [
        ("crds/crd.yaml", next.as_str()),
        ("upgrade/crds/crd.yaml", CRD),
        ("upgrade/before.yaml", OBJECT),
        ("upgrade/after.yaml", &object("v2")),
        ("upgrade/never.yaml", &object("v3")),
    ];
    let upgrade = self::folder("upgrade", &files);
    let (code, out, err) = shell(&upgrade, "crdgen validate");
    assert!(
        code == Some(1) && out.matches("error[").count() == 1 && out.contains("never.yaml"),
        "{out}{err}"
    );
    // The first one counts if the user gives them.
    let (code, out, err) = shell(&folder, "crdgen validate two/samples --crd one/crds two/crds");
    assert!(code == Some(1) && out.contains("two/samples/object.yaml"), "{out}{err}");
}

/// The server has no CRDs of this API version any more, although crdgen can still read them.
#[test]
fn crds_of_removed_versions_are_errors() {
    let crd = "apiVersion: apiextensions.k8s.io/v1beta1\nkind: CustomResourceDefinition\nmetadata: {name: goods.example.com}\nspec:\n  group: example.com\n  scope: Namespaced\n  preserveUnknownFields: false\n  names: {plural: goods, kind: Good}\n  versions: [{name: v1, served: true, storage: true}]\n  validation: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}\n";
    let folder = folder("removed-crds", &[("crd.yaml", crd), ("object.yaml", OBJECT)]);
    for line in ["crdgen check", "crdgen validate"] {
        let (code, out, err) = shell(&folder, line);
        let wanted = "error[OBJ031]: apiVersion: Kubernetes 1.22 removed CustomResourceDefinition of apiextensions.k8s.io/v1beta1\n --> ./crd.yaml:1:13";
        assert!(code == Some(1) && out.contains(wanted), "{line}: {out}{err}");
        assert_eq!(out.matches("error[").count(), 1, "{line}: {out}{err}");
    }
    let (code, out, err) = shell(&folder, "crdgen check --allow '**: OBJ031 an old cluster'");
    assert_eq!((code, out.as_str()), (Some(0), ""), "{err}");
}

/// The label that a kustomization adds changes how large the CRD is.
#[test]
fn the_size_of_a_built_crd_is_reported_once() {
    let text = "x".repeat(300_000);
    let crd =
        CRD.replace("{type: object, properties", &format!("{{description: {text}, type: object, properties"));
    let kustomization = "resources: [crd.yaml]\nlabels: [{pairs: {app: a}}]\n";
    let folder = folder("built-size", &[("kustomization.yaml", kustomization), ("crd.yaml", &crd)]);
    let (code, out, err) = shell(&folder, "crdgen check");
    assert_eq!(code, Some(0), "{out}{err}");
    assert_eq!(out.matches("LNT001").count(), 1, "{out}{err}");
}

#[test]
fn kustomizations_add_labels_to_selectors() {
    let object = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: a}\nspec:\n  template:\n    spec: {containers: [{name: a, image: a}]}\n";
    for (labels, is_valid) in [
        ("commonLabels: {app: a}", true),
        ("labels: [{pairs: {app: a}, includeSelectors: true}]", true),
        ("labels: [{pairs: {app: a}}]", false),
    ] {
        let kustomization = format!("resources: [a.yaml]\n{labels}\n");
        let folder =
            folder("selectors", &[("kustomization.yaml", kustomization.as_str()), ("a.yaml", object)]);
        let (code, out, err) = shell(&folder, "crdgen validate");
        assert_eq!(code, Some(i32::from(!is_valid)), "{labels}: {out}{err}");
        assert_eq!(out.contains("spec.selector: Required value"), !is_valid, "{labels}: {out}{err}");
    }
}

/// The second one is an update of the first one. kubebuilder writes such samples.
#[test]
fn two_versions_of_an_object_are_a_warning() {
    let object = |version: &str| {
        format!(
            "apiVersion: autoscaling/{version}\nkind: HorizontalPodAutoscaler\nmetadata: {{name: a}}\nspec: {{maxReplicas: 2, scaleTargetRef: {{apiVersion: apps/v1, kind: Deployment, name: a}}}}\n"
        )
    };
    let kustomization = "resources: [a.yaml, b.yaml]\n";
    for (other, code) in [("v2", 0), ("v1", 1)] {
        let files = [
            ("kustomization.yaml", kustomization.to_owned()),
            ("a.yaml", object("v1")),
            ("b.yaml", object(other)),
        ];
        let folder = make("versions-of-objects", &files);
        let (found, out, err) = shell(&folder, "crdgen validate");
        assert_eq!(found, Some(code), "{other}: {out}{err}");
        assert!(out.contains("HorizontalPodAutoscaler.autoscaling a is defined twice"), "{out}{err}");
    }
}

/// Tests of Chainsaw and kyverno name files that no server gets, or that it must reject.
#[test]
fn files_of_tests_are_skipped() {
    let invalid = OBJECT.replace("a: x", "a: 1");
    let test = |operation: &str| {
        format!(
            "apiVersion: chainsaw.kyverno.io/v1alpha1\nkind: Test\nmetadata: {{name: a}}\nspec: {{steps: [{{try: [{operation}]}}]}}\n"
        )
    };
    let cli = "apiVersion: cli.kyverno.io/v1alpha1\nkind: Test\nmetadata: {name: a}\npolicies: [p.yaml]\n";
    for (file, text, code) in [
        ("chainsaw-test.yaml", test("assert: {file: a.yaml}"), 0),
        (
            "chainsaw-test.yaml",
            test("create: {file: a.yaml, expect: [{check: {($error != null): true}}]}"),
            0,
        ),
        ("chainsaw-test.yaml", test("apply: {file: a.yaml}"), 1),
        ("kyverno-test.yaml", format!("{cli}resources: [a.yaml]\n"), 0),
        ("kyverno-test.yaml", format!("{cli}resources: [b.yaml]\n"), 1),
    ] {
        let files = [("crd.yaml", CRD), ("ok.yaml", OBJECT), ("t/a.yaml", &invalid)];
        let folder = folder("files-of-tests", &files);
        fs::write(folder.join("t").join(file), &text).unwrap_or_else(|e| panic!("{e}"));
        let (found, out, err) = shell(&folder, "crdgen validate");
        assert_eq!(found, Some(code), "{text}: {out}{err}");
        assert_eq!(err.contains("1 file for a test"), code == 0, "{text}: {err}");
    }
}

/// Chainsaw patches objects that are already there, so that parts of them are enough.
#[test]
fn tests_apply_parts_of_objects() {
    let crd = CRD.replace("{spec: {type: object, ", "{spec: {type: object, required: [a], ");
    assert_ne!(crd, CRD);
    let part = OBJECT.replace("spec: {a: x}", "spec: {}");
    let test = |operations: &str| {
        format!(
            "apiVersion: chainsaw.kyverno.io/v1alpha1\nkind: Test\nmetadata: {{name: a}}\nspec: {{steps: [{{try: [{operations}]}}]}}\n"
        )
    };
    for (operations, part, code) in [
        ("{assert: {file: whole.yaml}}, {apply: {file: part.yaml}}", part.clone(), 0),
        ("{patch: {file: part.yaml}}", part.clone(), 0),
        // Nothing shows that the object is there, or it is wrong in another way.
        ("{apply: {file: part.yaml}}, {assert: {file: whole.yaml}}", part.clone(), 1),
        ("{assert: {file: whole.yaml}}, {apply: {file: part.yaml}}", part.replace("name: a", "name: b"), 1),
        ("{patch: {file: part.yaml}}", part.replace("spec: {}", "spec: {b: 1}"), 1),
    ] {
        let test = test(operations);
        let files = [
            ("crd.yaml", crd.as_str()),
            ("t/chainsaw-test.yaml", &test),
            ("t/whole.yaml", OBJECT),
            ("t/part.yaml", &part),
        ];
        let folder = folder("parts", &files);
        let (found, out, err) = shell(&folder, "crdgen validate");
        assert_eq!(found, Some(code), "{operations}: {part}{out}{err}");
        assert_eq!(out.contains("t/part.yaml"), code == 1, "{operations}: {part}{out}{err}");
    }
}

/// The same object is in many overlays. It is a mistake only where both are applied together.
#[test]
fn objects_may_repeat_in_other_roots() {
    let files = [
        ("crd.yaml", CRD),
        ("staging/a.yaml", OBJECT),
        ("production/a.yaml", OBJECT),
        ("base/kustomization.yaml", "resources: [a.yaml]\n"),
        ("base/a.yaml", OBJECT),
        ("one/kustomization.yaml", "resources: [../base]\nnamePrefix: x-\n"),
        ("two/kustomization.yaml", "resources: [../base]\n"),
    ];
    let folder = folder("roots", &files);
    assert_eq!(shell(&folder, "git init -q").0, Some(0));
    let (code, out, err) = shell(&folder, "crdgen validate");
    assert_eq!((code, out.as_str()), (Some(0), ""), "{err}");
    assert!(err.contains("Good.example.com  4 valid") || err.contains("  4 valid"), "{err}");
    assert!(err.contains("built kustomizations: one, two\n"), "{err}");
    fs::write(folder.join("staging/b.yaml"), OBJECT).unwrap_or_else(|e| panic!("{e}"));
    // Folders of samples have the same object in several files. If you name the folder, all of it counts.
    assert_eq!(shell(&folder, "crdgen validate").0, Some(0));
    let (code, out, _) = shell(&folder, "crdgen validate staging");
    assert!(code == Some(1) && out.contains("error[OBJ030]") && out.contains("staging/b.yaml:1"), "{out}");
    for (how, code) in [("warn", 0), ("ignore", 0), ("error", 1)] {
        let (found, out, _) = shell(&folder, &format!("crdgen validate staging --duplicates {how}"));
        assert_eq!((found, out.contains("OBJ030")), (Some(code), how != "ignore"), "{how}: {out}");
    }
}

/// `namespace` of a kustomization is the name of the namespaces in it, whatever they were called.
#[test]
fn kustomizations_name_their_namespaces() {
    let namespace = "apiVersion: v1\nkind: Namespace\nmetadata:\n  name: _\n";
    for (lines, code) in [("namespace: apps\nnamePrefix: x_\n", 0), ("namePrefix: x_\n", 1)] {
        let lines = format!("resources: [namespace.yaml]\n{lines}");
        let files = [("kustomization.yaml", lines.as_str()), ("namespace.yaml", namespace)];
        let (found, out, err) = shell(&folder("namespaces", &files), "crdgen validate");
        assert_eq!(found, Some(code), "{lines}: {out}{err}");
    }
}

/// A base may lack what its overlays add, and a patch may break what a base has.
#[test]
fn objects_are_checked_as_kustomizations_build_them() {
    let base = OBJECT.replace("spec: {a: x}", "spec: {a: 1}");
    let fixed = OBJECT.replace("spec: {a: x}", "spec: {a: z}");
    let files = [
        ("crd.yaml", CRD),
        ("base/kustomization.yaml", "resources: [a.yaml]\n"),
        ("base/a.yaml", base.as_str()),
        ("over/kustomization.yaml", "resources: [../base]\npatches: [{path: p.yaml}]\n"),
        ("over/p.yaml", &fixed),
    ];
    let folder = folder("overlays", &files);
    let (code, out, err) = shell(&folder, "crdgen validate");
    assert_eq!((code, out.as_str()), (Some(0), ""), "{err}");
    fs::write(folder.join("over/p.yaml"), &base).unwrap_or_else(|e| panic!("{e}"));
    let (code, out, _) = shell(&folder, "crdgen validate");
    assert!(code == Some(1) && out.contains("base/a.yaml:4:11"), "{out}");
    assert!(
        out.contains("= help: ") && out.contains("crdgen checked what the kustomization over builds"),
        "{out}"
    );
    // A kustomization with something remote is never given to another program.
    fs::write(folder.join("over/kustomization.yaml"), "resources: [../base, 'https://example.com/x.yaml']\n")
        .unwrap_or_else(|e| panic!("{e}"));
    let program = "#!/bin/sh\ntouch called\nexit 1\n";
    for name in ["kustomize", "kubectl", "helm"] {
        fs::write(folder.join(name), program).unwrap_or_else(|e| panic!("{e}"));
        fs::set_permissions(folder.join(name), fs::Permissions::from_mode(0o755))
            .unwrap_or_else(|e| panic!("{e}"));
    }
    let (_, _, err) = shell(&folder, "PATH=$PWD:$PATH crdgen validate");
    assert!(
        err.contains("over/kustomization.yaml: crdgen does not download `https://example.com/x.yaml`"),
        "{err}"
    );
    assert!(!folder.join("called").exists(), "{err}");
}

/// A patch may rename an object. Later patches may use both names.
#[test]
fn patches_find_objects_by_earlier_names() {
    for name in ["a", "b", "c"] {
        let kustomization = format!(
            "resources: [a.yaml]\npatches:\n- target: {{kind: Good, name: a}}\n  patch: '[{{op: replace, path: /metadata/name, value: b}}]'\n- target: {{kind: Good, name: {name}}}\n  patch: '[{{op: replace, path: /spec/a, value: x}}]'\n"
        );
        let object = OBJECT.replace("spec: {a: x}", "spec: {a: 1}");
        let files =
            [("crd.yaml", CRD), ("k/kustomization.yaml", kustomization.as_str()), ("k/a.yaml", &object)];
        let folder = folder("renamed", &files);
        let (code, out, err) = shell(&folder, "crdgen validate");
        assert_eq!(code, Some(i32::from(name == "c")), "{name}: {out}{err}");
    }
}

/// kubebuilder writes patches that the kustomization does not list yet.
#[test]
fn unlisted_patches_lack_fields() {
    let crd = CRD.replace("{spec: {type: object, ", "{spec: {type: object, required: [a], ");
    let patch = OBJECT.replace("spec: {a: x}", "spec: {}");
    let files = [
        ("crd.yaml", crd.as_str()),
        ("k/kustomization.yaml", "resources: [a.yaml]\n"),
        ("k/a.yaml", OBJECT),
        ("k/patch.yaml", &patch),
    ];
    let folder = folder("unlisted", &files);
    let (code, out, err) = shell(&folder, "crdgen validate");
    assert!(code == Some(0) && err.contains("skipped: 1 kustomize patch, 1 kustomization"), "{out}{err}");
    for (file, text) in [
        // Another object, an object that is wrong in another way, and another folder.
        ("k/patch.yaml", patch.replace("name: a", "name: b")),
        ("k/patch.yaml", patch.replace("spec: {}", "spec: {b: 1}")),
        ("other/patch.yaml", patch.clone()),
    ] {
        fs::create_dir_all(folder.join("other")).unwrap_or_else(|e| panic!("{e}"));
        fs::write(folder.join(file), text).unwrap_or_else(|e| panic!("{e}"));
        let (code, out, err) = shell(&folder, "crdgen validate");
        assert!(code == Some(1) && out.contains(file), "{file}: {out}{err}");
        fs::write(folder.join(file), &patch).unwrap_or_else(|e| panic!("{e}"));
    }
}

#[test]
fn kinds_groups_and_fields_can_be_left_out() {
    let sops = format!("{OBJECT}sops: {{mac: x, version: 3.9.0, lastmodified: x}}\n");
    let secret =
        OBJECT.replace("a: x", "a: 'ENC[AES256_GCM,data:x,type:str]'") + "sops: {mac: x, version: 3.9.0}\n";
    let variable = OBJECT.replace("spec: {a: x}", "spec: {b: 1}").replace("name: a", "name: '${NAME}'");
    let other = "apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: a}\n";
    let files = [
        ("crd.yaml", CRD),
        ("sops/a.yaml", &*sops),
        ("secret/a.yaml", &*secret),
        ("other/a.yaml", other),
        ("variable/a.yaml", &*variable),
    ];
    let folder = folder("left-out", &files);
    for (arguments, code, wanted) in [
        ("sops/a.yaml", 0, "1 valid"),
        ("secret/a.yaml", 0, "1 valid"),
        ("variable", 1, "spec.b: unknown field"),
        (
            "variable --field-validation ignore",
            0,
            "1 not checked (it has variables, templates or encrypted values)",
        ),
        ("other", 0, "warning[OBJ029]"),
        ("other --missing ignore", 0, "1 not checked (no CRD)"),
        ("other --missing error", 1, "error[OBJ029]"),
        ("other --missing error --missing '*.toolkit.fluxcd.io=ignore'", 0, "1 not checked (no CRD)"),
        ("other crd.yaml --skip '*.toolkit.fluxcd.io'", 0, "1 object of --skip"),
        ("other crd.yaml --skip HelmRelease", 0, "1 object of --skip"),
        ("sops crd.yaml --skip-field Good:/spec/a", 0, ""),
        ("sops --skip-field Good", 2, "write a kind and a pointer"),
    ] {
        let crds = if arguments.starts_with("other") { "" } else { " --crd crd.yaml" };
        let (found, out, err) = shell(&folder, &format!("crdgen validate {arguments}{crds}"));
        assert!(found == Some(code) && format!("{out}{err}").contains(wanted), "{arguments}: {out}{err}");
    }
}

/// Each command with each kind of input, as the table in INPUTS.md says.
#[test]
fn all_commands_read_all_kinds_of_inputs() {
    let folder = make("kinds", &repository());
    let git = "git init -q . && git add -A && git -c user.name=a -c user.email=a@b commit -qm a";
    assert_eq!(shell(&folder, git).0, Some(0));
    let crds = [
        "config/crd/bases/goods.yaml",
        "config/crd",
        "config",
        ".",
        "git:HEAD",
        "git:HEAD:config/crd/bases",
        "'config/**/goods.yaml'",
    ];
    for input in crds {
        for command in [
            "check IN",
            "docs IN",
            "openapi IN",
            "fit --sizes IN",
            "discover IN",
            "explain good --crd IN",
            "cel 'self.spec' --kind Good --crd IN",
            "validate config/samples/good.yaml --crd IN",
            "get config/samples/good.yaml --crd IN",
            "check config/crd/bases/goods.yaml --against IN",
            "diff IN config/crd/bases/goods.yaml",
            "import IN",
            "crds add IN --out-dir ../kinds-out --force",
        ] {
            // For this option, the paths are those of the new CRDs.
            let input = if command.contains("--against") || command.starts_with("diff") {
                input.trim_end_matches(":config/crd/bases")
            } else {
                input
            };
            let line = format!("crdgen {}", command.replace("IN", input));
            let (code, out, err) = shell(&folder, &line);
            assert_eq!(code, Some(0), "{line}: {out}{err}");
            let is_silent = ["check", "diff", "validate", "crds"].iter().any(|it| command.starts_with(it));
            assert!(is_silent || !out.is_empty(), "{line}: {err}");
        }
    }
    for command in
        ["check", "docs", "openapi", "explain good --crd -", "cel self.spec --crd -", "discover", "import"]
    {
        let line = format!("cat config/crd/bases/goods.yaml | crdgen {command}");
        let (code, out, err) = shell(&folder, &line);
        assert_eq!(code, Some(0), "{line}: {out}{err}");
    }
    // The CRDs of the repository are used without being named.
    let (code, out, err) = shell(&folder, "crdgen validate config/samples");
    assert!(code == Some(0) && err.contains("1 valid"), "{out}{err}");
    let (code, out, err) = shell(&folder.join("config/samples"), "crdgen validate good.yaml");
    assert!(code == Some(0) && err.contains("1 valid"), "{out}{err}");
}

/// A checkout without changes has no changes: its kustomizations, charts and patches are what they were, and a CRD that several
/// folders have is compared with the one in the same folder.
#[test]
fn a_revision_is_read_as_the_folder_is() {
    let mut files = repository();
    files.extend([
        ("overlay/kustomization.yaml", "resources: [../config/crd]\npatches:\n- path: least.yaml\n".to_owned()),
        (
            "overlay/least.yaml",
            "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: goods.example.com}\n\
             spec: {preserveUnknownFields: false}\n"
                .to_owned(),
        ),
        ("releases/v1/goods.yaml", CRD.replace("a: {type: string}", "a: {type: string, maxLength: 3}")),
        ("releases/v2/goods.yaml", CRD.replace("a: {type: string}", "a: {type: string, maxLength: 5}")),
    ]);
    let folder = make("revision", &files);
    let git = "git init -q . && ln -s releases/v1 linked && git add -A && git -c user.name=a -c user.email=a@b commit -qm a";
    assert_eq!(shell(&folder, git).0, Some(0));
    for line in [
        "crdgen check . --against git:HEAD --fail-on breaking",
        "crdgen check --against git:HEAD config overlay --fail-on breaking",
        "cd config && crdgen check --against git:HEAD --fail-on breaking",
        "crdgen validate --old git:HEAD",
    ] {
        let (code, out, err) = shell(&folder, line);
        assert!(code == Some(0) && !out.contains("CHG"), "{line}: {out}{err}");
    }
    let edit = "sed -i 's/maxLength: 5/maxLength: 4/' releases/v2/goods.yaml";
    assert_eq!(shell(&folder, edit).0, Some(0));
    let (code, out, err) = shell(&folder, "crdgen check . --against git:HEAD --fail-on breaking");
    assert!(code == Some(1) && out.matches("CHG002").count() == 1, "{out}{err}");
    assert!(out.contains("was 5, now 4") && out.contains("releases/v2/goods.yaml"), "{out}{err}");
    // Messages name the files of the repository.
    let (_, out, err) =
        shell(&folder, "rm -r config && crdgen check . --against git:HEAD; crdgen discover -v git:HEAD");
    assert!(!format!("{out}{err}").contains("crdgen-revision"), "{out}{err}");
}

/// A rule in `.gitignore` is for new files. What the repository has is applied.
#[test]
fn tracked_files_are_read_although_they_are_ignored() {
    let folder = make("tracked", &repository());
    let (code, _, err) = shell(&folder, "git init -q && git add -A && crdgen check");
    assert_eq!(code, Some(0), "{err}");
    let (code, out, err) = shell(&folder, "git add -f generated && crdgen check");
    assert!(code == Some(1) && out.contains("generated/x.yaml"), "{out}{err}");
}

/// Overlays have the same object with other values. Each is compared with its own old object.
#[test]
fn old_objects_are_those_of_the_same_overlay() {
    let rule =
        "{type: object, x-kubernetes-validations: [{rule: self.spec == oldSelf.spec}], properties: {spec: {";
    let crd = CRD
        .replacen("{type: object, properties: {spec: {", rule, 1)
        .replace("a: {type: string}", "a: {type: string, maxLength: 9}");
    let files =
        [("crd.yaml", crd.as_str()), ("a/x.yaml", OBJECT), ("b/x.yaml", &OBJECT.replace("a: x", "a: z"))];
    let folder = folder("old", &files);
    let git = "git init -q && git add -A && git -c user.name=a -c user.email=a@b commit -qm a";
    assert_eq!(shell(&folder, git).0, Some(0));
    let (code, out, err) = shell(&folder, "crdgen validate --old git:HEAD");
    assert_eq!(code, Some(0), "{out}{err}");
    fs::write(folder.join("b/x.yaml"), OBJECT).unwrap_or_else(|e| panic!("{e}"));
    let (code, out, err) = shell(&folder, "crdgen validate --old git:HEAD");
    assert!(code == Some(1) && out.contains("b/x.yaml") && !out.contains("a/x.yaml"), "{out}{err}");
}

/// A cluster is another place for CRDs.
#[test]
fn all_commands_read_the_crds_of_a_cluster() {
    let folder = folder(
        "cluster",
        &[("crd.yaml", CRD), ("good.yaml", OBJECT), ("bin/kubectl", "#!/bin/sh\ncat crd.yaml\n")],
    );
    let kubectl = folder.join("bin/kubectl");
    fs::set_permissions(&kubectl, fs::Permissions::from_mode(0o755)).unwrap_or_else(|e| panic!("{e}"));
    for command in [
        "check crd.yaml --cluster",
        "docs --cluster",
        "openapi --cluster",
        "fit --sizes --cluster",
        "explain good --cluster",
        "cel self.spec --cluster",
        "validate good.yaml --cluster",
        "get good.yaml --cluster",
        "import --cluster",
        "crds pull --out-dir out",
    ] {
        let (code, out, err) = shell(&folder, &format!("PATH=$PWD/bin:$PATH crdgen {command}"));
        assert_eq!(code, Some(0), "{command}: {out}{err}");
    }
    let list = fs::read_to_string(folder.join("out/origins.toml")).unwrap_or_else(|e| panic!("{e}"));
    let wanted = "\"example.com_goods.yaml\" = \"the cluster of the current context\"\n";
    assert!(list.ends_with(wanted), "{list}");
    let (code, out, err) = shell(&folder, "crdgen validate good.yaml --crd-dir out");
    assert!(code == Some(0) && err.contains("1 valid"), "{out}{err}");
}

#[test]
fn charts_are_rendered_with_helm() {
    let helm = format!(
        "#!/bin/sh\necho \"$@\" > called\nprintf -- '---\\n# Source: x/templates/d.yaml\\n'\ncat <<E\n{}E\n",
        OBJECT.replace("a: x", "a: 1")
    );
    let mut files = repository();
    files.push(("bin/helm", helm));
    let folder = make("helm", &files);
    fs::set_permissions(folder.join("bin/helm"), fs::Permissions::from_mode(0o755))
        .unwrap_or_else(|e| panic!("{e}"));
    let (code, out, err) = shell(&folder, "PATH=$PWD/bin:$PATH crdgen validate");
    assert!(code == Some(1) && out.contains("chart/templates/d.yaml (rendered):4:11"), "{out}{err}");
    assert!(err.contains("rendered charts: chart\n") && !err.contains("Helm template"), "{err}");
    let called = fs::read_to_string(folder.join("called")).unwrap_or_else(|e| panic!("{e}"));
    assert!(called.starts_with("template release-name /"), "{called}");
    assert!(called.contains(" --api-versions=apiregistration.k8s.io/v1 "), "{called}");
}

#[test]
fn discover_prints_the_inventory() {
    let folder = make("discover", &repository());
    let (code, out, err) = shell(&folder, "crdgen discover");
    assert_eq!((code, err.as_str()), (Some(0), ""), "{out}");
    let wanted = include_str!("../../goldens/discover.txt");
    if std::env::var_os("UPDATE").is_some() {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("goldens/discover.txt");
        return fs::write(file, &out).unwrap_or_else(|e| panic!("{e}"));
    }
    assert_eq!(out, wanted);
    let (code, out, _) = shell(&folder, "crdgen discover -o json");
    assert!(code == Some(0) && out.contains("\"class\":\"kustomizePatch\""), "{out}");
}

/// Helm follows links in charts, and would print what they lead to.
#[test]
fn charts_with_links_out_are_not_rendered() {
    let helm = "#!/bin/sh\ntouch \"${0%/*}/called\"\necho '# Source: x/templates/d.yaml'\ncat \"$3/templates/d.yaml\"\n";
    let object = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: b}\n";
    let files = [
        ("bin/helm", helm),
        ("chart/Chart.yaml", CHART),
        ("chart/templates/d.yaml", object),
        ("chart/.git/x", ""),
        ("secret.yaml", "secret: words\n"),
    ];
    for (link, is_called) in [
        ("true", true),
        ("ln -s d.yaml chart/templates/other.yaml", true),
        ("ln -s ../../secret.yaml chart/templates/other.yaml", false),
        ("mkdir chart/files; ln -s ../.. chart/files/all", false),
    ] {
        let folder = folder("linked-chart", &files);
        let helm = folder.join("bin/helm");
        fs::set_permissions(&helm, fs::Permissions::from_mode(0o755)).unwrap_or_else(|e| panic!("{e}"));
        let (_, out, err) = shell(&folder, &format!("{link}; PATH=$PWD/bin:$PATH crdgen validate chart"));
        assert_eq!(folder.join("bin/called").exists(), is_called, "{link}: {out}{err}");
        assert!(!format!("{out}{err}").contains("secret: words"), "{link}: {out}{err}");
        assert!(is_called || err.contains("a link that leads out of the chart"), "{link}: {out}{err}");
    }
}

/// A program replaces texts in the metadata of a CRD before it is applied. In a schema, such texts are values.
#[test]
fn crds_may_have_templates_outside_of_their_schemas() {
    let label =
        |text: &str| CRD.replace("metadata: {", &format!("metadata: {{labels: {{app: \"{text}\"}}, "));
    let namespace = CRD.replace(
        "scope:",
        "conversion: {strategy: Webhook, webhook: {conversionReviewVersions: [v1], clientConfig: {service: {name: '{{ x }}', namespace: x}}}}\n  scope:",
    );
    let default = CRD.replace("{a: {type: string}", "{a: {type: string, maxLength: 1, default: '${NAME}'}");
    for (name, text, code) in [
        ("template", label("{{ template x }}"), 0),
        ("variable", label("${NAME}"), 0),
        ("wrong", label("a b"), 1),
        ("conversion", namespace, 0),
        ("default", default, 1),
    ] {
        assert_ne!(text, CRD, "{name}");
        let folder = folder("open-crds", &[("crd.yaml", text.as_str()), (".old/crd.yaml", CRD)]);
        for command in [
            "crdgen check crd.yaml",
            "crdgen check",
            "crdgen check crd.yaml --against .old/crd.yaml",
            "crdgen diff .old/crd.yaml crd.yaml",
            "crdgen validate crd.yaml",
        ] {
            let (ended, out, err) = shell(&folder, command);
            assert_eq!(ended, Some(code), "{name}: {command}: {out}{err}");
            let is_named = err.contains("only partly checked") || err.contains("variables, templates");
            assert_eq!(is_named, code == 0 && name != "conversion", "{name}: {command}: {err}");
        }
    }
}

/// The commands that the help of OBJ029 names do what it promises.
#[test]
fn help_adds_a_missing_crd() {
    // In a repository, CRDs of charts are found, but not those of vendored ones.
    let files = [
        ("vendor/chart/Chart.yaml", CHART),
        ("vendor/chart/crds/goods.yaml", CRD),
        ("objects/a.yaml", OBJECT),
        ("bin/kubectl", "#!/bin/sh\ncat vendor/chart/crds/goods.yaml\n"),
    ];
    let folder = folder("missing-crd", &files);
    fs::set_permissions(folder.join("bin/kubectl"), fs::Permissions::from_mode(0o755))
        .unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(shell(&folder, "git init -q").0, Some(0));
    let (code, out, err) = shell(&folder, "crdgen validate objects --missing error");
    assert_eq!(code, Some(1), "{err}");
    let help = out.lines().find_map(|line| line.trim().strip_prefix("= help: ")).expect("a help");
    let named: Vec<&str> = help.split('`').skip(1).step_by(2).collect();
    let [add, option, pull] = named.as_slice() else { panic!("{help}") };
    for command in [add.replace("PATH", "vendor/chart"), (*pull).to_owned()] {
        let line = format!("rm -rf crds; PATH=$PWD/bin:$PATH {command}; crdgen validate objects {option}");
        let (code, out, err) = shell(&folder, &line);
        assert!(code == Some(0) && err.contains("1 valid"), "{command}: {out}{err}");
    }
}

/// The list of origins is the same from every folder, and on every machine.
#[test]
fn origins_are_relative_to_their_list() {
    let folder = folder("origins", &[("charts/goods.yaml", CRD), ("other/x.txt", "")]);
    let git = "git init -q && git add -A && git -c user.name=a -c user.email=a@b commit -qm a && git tag v1";
    assert_eq!(shell(&folder, git).0, Some(0));
    for (command, origin) in [
        ("crdgen crds add charts --out-dir crds", "../charts/goods.yaml"),
        ("crdgen crds add \"$PWD/charts\" --out-dir \"$PWD/crds\"", "../charts/goods.yaml"),
        ("cd other && crdgen crds add ../charts/goods.yaml --out-dir ../crds", "../charts/goods.yaml"),
        ("crdgen crds add git:v1:charts --out-dir crds", "git:v1:charts/goods.yaml"),
        ("crdgen crds add - --out-dir crds < charts/goods.yaml", "standard input"),
    ] {
        let (code, out, err) = shell(&folder, command);
        assert_eq!(code, Some(0), "{command}: {out}{err}");
        let list = fs::read_to_string(folder.join("crds/origins.toml")).unwrap_or_default();
        assert!(list.ends_with(&format!("\"example.com_goods.yaml\" = \"{origin}\"\n")), "{command}: {list}");
    }
}

/// kustomize takes seconds for a folder with large CRDs. It is only called for what can change a verdict about a CRD.
#[test]
fn kustomize_is_not_called_for_other_kinds() {
    let replace = |target: &str| {
        format!(
            "resources: [crd.yaml, a.yaml]\nnamespace: x\npatches: [{{path: p.yaml}}]\nreplacements:\n- source: {{kind: Good, fieldPath: metadata.name}}\n  targets: [{target}]\n"
        )
    };
    for (target, calls) in [
        ("{select: {kind: Good}, fieldPaths: [spec.a]}", false),
        ("{select: {kind: CustomResourceDefinition}, fieldPaths: [metadata.annotations.x]}", false),
        ("{select: {kind: CustomResourceDefinition}, fieldPaths: [metadata.labels.x]}", true),
    ] {
        let files = [
            ("crd.yaml", CRD),
            ("a.yaml", OBJECT),
            ("p.yaml", PATCH),
            ("kustomization.yaml", &replace(target)),
            ("bin/kustomize", "#!/bin/sh\ntouch called\nexit 1\n"),
        ];
        let folder = folder("not-called", &files);
        fs::set_permissions(folder.join("bin/kustomize"), fs::Permissions::from_mode(0o755))
            .unwrap_or_else(|e| panic!("{e}"));
        let (_, out, err) = shell(&folder, "PATH=$PWD/bin:$PATH crdgen check");
        assert_eq!(folder.join("called").exists(), calls, "{target}: {out}{err}");
        assert_eq!(err.contains("does not apply `replacements`"), calls, "{target}: {err}");
    }
}

/// kubectl and the server read `y`, `no` and `on` as booleans in any place, so that the CRD is what it was.
#[test]
fn words_that_yaml_reads_as_booleans_are_no_change() {
    for schema in [
        "{type: string, enum: [y, n, no, yes, on, off]}",
        "{type: string, enum: [yes, \"yes\", true]}",
        "{type: array, items: {type: string, enum: [on, off]}}",
        "{type: object, additionalProperties: {type: boolean, enum: [y]}}",
        "{type: string, anyOf: [{enum: [no]}, {maxLength: 3}]}",
    ] {
        let crd = CRD.replace("{a: {type: string}", &format!("{{a: {schema}"));
        assert_ne!(crd, CRD);
        let files =
            [("crd.yaml", crd.as_str()), ("kustomization.yaml", "resources: [crd.yaml]\nnamePrefix: x-\n")];
        let folder = folder("booleans", &files);
        let git = "git init -q && git add -A && git -c user.name=a -c user.email=a@b commit -qm a";
        assert_eq!(shell(&folder, git).0, Some(0));
        for command in [
            "crdgen check crd.yaml --against crd.yaml",
            "crdgen check --against git:HEAD",
            "crdgen diff . .",
            "crdgen diff git:HEAD crd.yaml",
        ] {
            let (code, out, err) = shell(&folder, command);
            assert_eq!((code, out.as_str()), (Some(0), ""), "{schema}: {command}: {err}");
        }
    }
}
