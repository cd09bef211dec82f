//! Kustomizations as old CRDs: crdgen compares with what `kustomize build` prints for a folder, and does not read
//! patches as CRDs.

use super::report::{NAME, SECRET, SOURCE, definition};
use crate::console::arguments::{folder, shell};
use std::path::Path;
use std::process::Command;

/// Runs `migrate-check` with these files next to the source and a CRD in `crd/base.yaml`.
fn check(name: &str, files: &[(&str, &str)], options: &str) -> (Option<i32>, String, String) {
    let base = definition("", &format!("{NAME}{SECRET}"));
    let files = [&[("lib.rs", SOURCE), ("crd/base.yaml", base.as_str())], files].concat();
    shell(&folder(&format!("kustomize-{name}"), &files), &format!("crdgen migrate-check lib.rs {options}"))
}

const CRD: &str = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: foos.example.com}\n";
const TARGET: &str = "target: {kind: CustomResourceDefinition, name: 'foos.*'}";

#[test]
fn applies_patches_to_the_crds_of_a_folder() {
    let merge = format!("{CRD}spec:\n  scope: Namespaced\n  names: {{shortNames: [f], singular: null}}\n");
    let steps = "- {op: add, path: /spec/versions/0/additionalPrinterColumns, value: [{name: A, type: string, jsonPath: .spec.a}]}\n- {op: remove, path: /spec/names/singular}\n";
    let wanted = ["scope: Namespaced → Cluster\n", "shortNames: - f\n"];
    let column = ["columns: - A (string) .spec.a\n"];
    for (name, kustomization, lines) in [
        ("path", "resources: [base.yaml]\npatches: [{path: patch.yaml}]\n".to_owned(), &wanted[..]),
        ("older", "bases: []\nresources: [base.yaml]\npatchesStrategicMerge: [patch.yaml]\n".to_owned(), &wanted[..]),
        ("target", format!("resources: [base.yaml]\npatches: [{{path: steps.yaml, {TARGET}}}]\n"), &column[..]),
        ("steps", format!("resources: [base.yaml]\npatchesJson6902: [{{path: steps.yaml, {TARGET}}}]\n"), &column[..]),
        (
            "inline",
            format!("resources: [base.yaml]\npatches:\n- {TARGET}\n  patch: |-\n    - {{op: replace, path: /spec/scope, value: Namespaced}}\n"),
            &wanted[..1],
        ),
        ("folders", "resources: [../more]\ncomponents: [../component]\n".to_owned(), &wanted[..]),
        ("others", "resources: [base.yaml]\npatches: [{patch: '[{\"op\": \"remove\", \"path\": \"/spec/none\"}]', target: {kind: Deployment}}]\n".to_owned(), &[]),
    ] {
        let files = [
            // A kustomization may only include folders of its repository.
            (".git/HEAD", "ref: refs/heads/main\n"),
            ("crd/kustomization.yaml", kustomization.as_str()),
            ("crd/patch.yaml", merge.as_str()),
            ("crd/steps.yaml", steps),
            ("more/Kustomization", "resources: [crds.yaml]\n"),
            ("more/crds.yaml", &definition("kind: ConfigMap\napiVersion: v1\nmetadata: {name: a}\n---\n", &format!("{NAME}{SECRET}"))),
            ("component/kustomization.yml", "kind: Component\npatches: [{path: ../crd/patch.yaml}]\n"),
        ];
        let (code, stdout, stderr) = check(name, &files, "--against crd");
        assert!(stderr.is_empty() && stdout.contains("1 kind"), "{name}: {stdout}{stderr}");
        assert!(lines.iter().all(|line| stdout.contains(line)), "{name}: {stdout}");
        assert_eq!(code, Some(i32::from(!lines.is_empty())), "{name}: {stdout}");
        as_kustomize(name, &stdout);
    }
}

/// The output of kustomize itself leads to the same report.
fn as_kustomize(name: &str, report: &str) {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("arguments/kustomize-{name}"));
    let mut kubectl = Command::new("kubectl");
    kubectl.args(["kustomize", "crd", "--load-restrictor=LoadRestrictionsNone", "-o", "built.yaml"]);
    let Ok(output) = kubectl.current_dir(&folder).output() else {
        return crdgen_tests::skip("kustomize itself", "no kubectl");
    };
    assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
    let (_, stdout, stderr) = shell(&folder, "crdgen migrate-check lib.rs --against built.yaml");
    assert_eq!((stdout.as_str(), stderr.as_str()), (report, ""), "{name}");
}

/// As in kustomize, maps are merged, lists are replaced, and `null` removes, at each depth of a schema.
#[test]
fn merges_schemas_as_kustomize_does() {
    let schema = |text: &str| {
        format!(
            "{CRD}spec:\n  names: {{categories: [a, b]}}\n  versions:\n  - name: v1\n    served: true\n    storage: true\n    schema:\n      openAPIV3Schema: {text}\n"
        )
    };
    let steps = "- {op: test, path: /spec/scope, value: Cluster}\n- {op: copy, from: /spec/group, path: /metadata/annotations}\n- {op: move, from: /metadata/annotations, path: /spec/names/singular}\n- {op: add, path: /spec/versions/-, value: {name: v2, served: true, storage: false, schema: {openAPIV3Schema: {type: object}}}}\n";
    for (name, patches) in [
        (
            "merge-list",
            schema(
                "{type: object, required: [spec], properties: {spec: {type: object, properties: {a: {type: integer, maximum: 3}}}}}",
            ),
        ),
        ("merge-null", schema("{type: object, description: null, properties: {spec: null}}")),
        (
            "merge-two",
            format!(
                "{}---\n{CRD}spec: {{names: {{categories: [c], shortNames: null}}}}\n",
                schema("{type: object}")
            ),
        ),
        ("merge-replace", format!("{CRD}spec: {{names: {{$patch: replace, kind: Foo, plural: foos}}}}\n")),
        (
            "merge-status",
            format!("{CRD}status: {{storedVersions: [v1, v2], conditions: [{{type: A, status: 'True'}}]}}\n"),
        ),
        ("merge-steps", steps.to_owned()),
    ] {
        let target = if name == "merge-steps" { format!(", {TARGET}") } else { String::new() };
        let kustomization = format!(
            "resources: [base.yaml]\ncommonAnnotations: {{a: b}}\nlabels: [{{pairs: {{c: d}}}}]\npatches: [{{path: patch.yaml{target}}}]\n"
        );
        let files =
            [("crd/kustomization.yaml", kustomization.as_str()), ("crd/patch.yaml", patches.as_str())];
        let (_, stdout, stderr) = check(name, &files, "--against crd");
        assert_eq!(stderr, "", "{name}");
        as_kustomize(name, &stdout);
    }
}

/// Lists of a CRD are replaced as a whole, because kustomize merges none of them.
#[test]
fn replaces_lists() {
    let versions = "spec:\n  versions:\n  - {name: v1beta1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}\n";
    let patch = format!("{CRD}{versions}");
    let files = [
        ("crd/kustomization.yaml", "resources: [base.yaml]\npatches: [{path: patch.yaml}]\n"),
        ("crd/patch.yaml", &patch),
    ];
    let (_, stdout, stderr) = check("lists", &files, "--against crd");
    assert!(
        stdout.contains("version: - v1beta1\n") && stdout.contains("version: + v1\n"),
        "{stdout}{stderr}"
    );
}

#[test]
fn reports_what_it_does_not_apply() {
    for (name, kustomization, message) in [
        (
            "replacements",
            "resources: [base.yaml]\nreplacements: [{path: a.yaml}]\n",
            "crd/kustomization.yaml: crdgen does not apply `replacements`. To compare with the full result, run `kustomize build crd | crdgen … --against -`",
        ),
        (
            "remote",
            "resources: [base.yaml, 'https://example.com/crds?ref=v1']\n",
            "crdgen does not download `https://example.com/crds?ref=v1`",
        ),
    ] {
        let (_, stdout, stderr) = check(name, &[("crd/kustomization.yaml", kustomization)], "--against crd");
        assert!(stderr.contains(message) && stdout.contains("1 kind"), "{name}: {stdout}{stderr}");
    }
    for (name, patch, message) in [
        ("missing", "resources: [gone.yaml]\n".to_owned(), "crd/gone.yaml"),
        ("nothing", format!("resources: [base.yaml]\npatches: [{{patch: '[{{op: remove, path: /spec/none}}]', {TARGET}}}]\n"), "a patch fails: /spec/none: nothing is there"),
        ("other-name", "resources: [base.yaml]\npatches: [{patch: '{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, metadata: {name: bars.example.com}}'}]\n".to_owned(), "a patch is for the CRD `bars.example.com`, which is not there"),
        ("directive", format!("resources: [base.yaml]\npatches: [{{patch: '{{spec: {{$retainKeys: [names]}}}}', {TARGET}}}]\n"), "crdgen does not apply the directive `$retainKeys` of a patch"),
        ("selector", "resources: [base.yaml]\npatches: [{patch: '[]', target: {labelSelector: a=b}}]\n".to_owned(), "crdgen does not apply patches whose target has `labelSelector`"),
        ("circle", "resources: [base.yaml, ../crd]\n".to_owned(), "kustomizations refer to each other in a circle"),
    ] {
        let (code, stdout, stderr) = check(name, &[("crd/kustomization.yaml", &patch)], "--against crd");
        assert!(code == Some(2) && stderr.contains(message), "{name}: {stdout}{stderr}");
    }
}

/// A patch among the files of a project looks like a CRD.
#[test]
fn does_not_read_patches_as_crds() {
    let patch = format!("{CRD}spec:\n  scope: Namespaced\n");
    let files = [
        ("crd/kustomization.yaml", "resources: [base.yaml]\npatches: [{path: a-patch.yaml}]\n"),
        ("crd/a-patch.yaml", &patch),
    ];
    for options in ["", "--against ."] {
        let (code, stdout, stderr) = check("among", &files, options);
        assert!(code == Some(0) && !stdout.contains("Namespaced"), "{stdout}{stderr}");
        let line = "kustomization.yaml changes CRDs with patches. Pass the folder with --against ";
        assert!(stderr.contains(line) && stderr.contains("crd to compare with its result"), "{stderr}");
    }
}

/// `crdgen check` reads kustomizations too.
#[test]
fn checks_updates_of_patched_crds() {
    let base = definition("", &format!("{NAME}{SECRET}"));
    let patched = base.replace("scope: Cluster", "scope: Namespaced");
    let files = [
        ("crd/base.yaml", base.as_str()),
        (
            "crd/kustomization.yaml",
            "resources: [base.yaml]\npatches:\n- target: {kind: CustomResourceDefinition}\n  patch: |-\n    - {op: replace, path: /spec/scope, value: Namespaced}\n",
        ),
        ("new.yaml", &patched),
    ];
    let folder = folder("kustomize-check", &files);
    let (code, stdout, stderr) = shell(&folder, "crdgen check new.yaml --against crd");
    assert_eq!(code, Some(0), "{stdout}{stderr}");
    let (code, stdout, stderr) = shell(&folder, "crdgen check new.yaml --against crd/base.yaml");
    assert_eq!(code, Some(1), "{stdout}{stderr}");
}
