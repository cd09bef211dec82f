//! How commands and programs show messages about Rust sources.

use crdgen_core::diag::{Diag, Level, codes};
use crdgen_core::path::Path;
use std::path::PathBuf;
use std::process::Command;

fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("messages").join(name);
    std::fs::create_dir_all(&folder).expect("the folder can be made");
    folder
}

fn run(args: &[&str]) -> String {
    let out = Command::new(env!("CARGO_BIN_EXE_tool")).args(args).output().expect("the command starts");
    String::from_utf8_lossy(&out.stdout).into_owned() + &String::from_utf8_lossy(&out.stderr)
}

#[test]
fn expand_names_the_bracket_without_a_partner() {
    let file = folder("expand").join("a.rs");
    std::fs::write(&file, "#[derive(Schema)]\nstruct A { a: u8 }\n}\n").expect("the file can be written");
    let text = run(&["expand", &file.display().to_string()]);
    assert!(text.contains("a.rs:3:1: unexpected closing `}`"), "{text}");
}

/// `check --types` reports attributes that contradict serde, not only what differs from the definition.
#[test]
fn check_types_reports_contradictions() {
    let folder = folder("types");
    let source = "use crdgen::{CustomResource, Schema};\n\
        #[derive(CustomResource, Schema, serde::Deserialize, serde::Serialize)]\n\
        #[kube(group = \"messages.example.com\", version = \"v1\", kind = \"Foo\")]\n\
        pub struct FooSpec {\n    #[schema(nullable)]\n    pub f: String,\n}\n";
    let definition = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\n\
        metadata: {name: foos.messages.example.com}\nspec:\n  group: messages.example.com\n  scope: Cluster\n  \
        names: {plural: foos, singular: foo, kind: Foo}\n  versions:\n  - name: v1\n    served: true\n    \
        storage: true\n    additionalPrinterColumns: [{name: A, type: dat, jsonPath: .spec.f}]\n    schema:\n      \
        openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {f: {type: string}}}}}\n";
    let (types, crd) = (folder.join("lib.rs"), folder.join("crd.yaml"));
    std::fs::write(&types, source).expect("the file can be written");
    std::fs::write(&crd, definition).expect("the file can be written");
    let (types, crd) = (types.display().to_string(), crd.display().to_string());
    let text = run(&["check", &crd, "--types", &types]);
    assert!(text.contains("the server would keep a null here"), "{text}");
    let text = run(&["check", &crd]);
    assert!(text.contains("did you mean `date`?"), "{text}");
}

#[test]
fn problems_of_the_root_have_no_path() {
    let diag = Diag::own(&codes::rust::SCALE_STATUS, Level::Error, &Path::ROOT, "scale needs a status");
    let problems = crdgen::Problems { diags: vec![diag] };
    assert_eq!(problems.to_string(), "RST017: scale needs a status");
}

mod unguarded {
    use crdgen::{CustomResource, Schema};
    use serde::{Deserialize, Serialize};

    #[allow(deprecated)]
    #[derive(Clone, CustomResource, Debug, Deserialize, Schema, Serialize)]
    #[kube(group = "messages.example.com", version = "v1", kind = "Unguarded")]
    #[schema(test = false, rule = "self.a > 1")]
    struct UnguardedSpec {
        a: Option<i32>,
    }

    #[derive(Clone, CustomResource, Debug, Deserialize, Schema, Serialize)]
    #[kube(group = "messages.example.com", version = "v1", kind = "Guarded")]
    #[schema(rule = "!has(self.a) || self.a > 1")]
    struct GuardedSpec {
        a: Option<i32>,
    }

    /// The generated test fails for a rule that makes the server reject every object without the field.
    #[test]
    fn the_generated_test_reports_unguarded_rules() {
        let panic = std::panic::catch_unwind(|| crdgen::__private::test::<Unguarded>("", true));
        let text = panic.expect_err("the rule reads what may be absent");
        let text = text.downcast_ref::<String>().expect("a text");
        for part in ["LNT013", "self.a", "help: write `!has(self.a) || …`"] {
            assert!(text.contains(part), "{part} is missing: {text}");
        }
        crdgen::__private::test::<Guarded>("", true);
    }
}
