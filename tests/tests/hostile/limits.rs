//! Limits of crdgen: exceeding one is an error that names it, and nothing is written.

use super::{Limits, Sandbox};

/// Returns a CRD with a unique name around a schema.
fn definition(number: usize, schema: &str) -> String {
    format!(
        "---\napiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {{name: a{number}s.example.com}}\n\
         spec:\n  group: example.com\n  scope: Namespaced\n  names: {{plural: a{number}s, kind: A{number}}}\n  versions:\n\
         \x20 - {{name: v1, served: true, storage: true, schema: {{openAPIV3Schema: {schema}}}}}\n"
    )
}

fn sandbox(name: &str) -> Sandbox {
    let mut sandbox = Sandbox::new(name);
    sandbox.limits = Limits::new(120, 1 << 30);
    sandbox
}

/// Asserts that the command fails with these words and writes nothing.
#[track_caller]
fn rejects(sandbox: &Sandbox, args: &[&str], words: &str) {
    let ran = sandbox.run(args);
    assert!(matches!(ran.code(), Some(1 | 2)), "{args:?}: {:?}\n{}", ran.code(), ran.stderr);
    let text = format!("{}{}", ran.stdout, ran.stderr);
    assert!(text.contains(words), "{args:?}: {words}\n{text}");
    let out = sandbox.path("out");
    let written = std::fs::read_dir(&out).map(|entries| entries.count()).unwrap_or_default();
    assert_eq!(written, 0, "{args:?} wrote into {}", out.display());
}

/// Asserts that the kustomization cannot be built, for this reason. Its files are then read as they are.
#[track_caller]
fn ends(sandbox: &Sandbox, words: &str) {
    let ran = sandbox.run(&["validate", "built"]);
    assert!(ran.code().is_some() && ran.stderr.contains(words), "{words}\n{}{}", ran.stdout, ran.stderr);
}

#[test]
fn a_definition_is_as_large_as_a_server_takes_it() {
    let sandbox = sandbox("limits-definition");
    let fields: Vec<String> = (0..140_000).map(|n| format!("field{n}: {{type: string}}")).collect();
    sandbox.write(
        "large.yaml",
        definition(0, &format!("{{type: object, properties: {{{}}}}}", fields.join(", "))),
    );
    rejects(&sandbox, &["check", "large.yaml"], "error[CRD007]: Request entity too large: limit is 3145728");
}

/// Each copy doubles what it copies.
#[test]
fn copies_of_patches_have_an_end() {
    const WORDS: &str = "Unable to complete the copy";
    let sandbox = sandbox("limits-copies");
    let copies = |from: &str| {
        let copy = |i| format!("{{op: copy, from: {from}, path: {from}/k{i}}}");
        (0..40).map(copy).collect::<Vec<_>>().join(", ")
    };
    sandbox.write(
        "built/kustomization.yaml",
        "resources: [a.yaml]\npatches: [{path: p.yaml, target: {kind: ConfigMap}}]\n",
    );
    sandbox.write("built/a.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {a: b}\n");
    sandbox.write("built/p.yaml", format!("[{}]", copies("/data")));
    ends(&sandbox, WORDS);
    sandbox.write("suite/crd.yaml", definition(0, "{type: object, properties: {spec: {type: object}}}"));
    let copies = copies("/spec/versions/0/schema/openAPIV3Schema/properties");
    let object = "{apiVersion: example.com/v1, kind: A0, metadata: {name: a}}";
    sandbox.write(
        "suite/a.testsuite.yaml",
        format!(
            "apiVersion: apiextensions.k8s.io/v1\nname: s\ncrdName: a0s.example.com\nversion: v1\ntests:\n  onUpdate:\n  - \
             {{name: a, initialCRDPatches: [{copies}], initial: '{object}', updated: '{object}', expected: '{object}'}}\n"
        ),
    );
    rejects(&sandbox, &["test", "suite"], WORDS);
}

/// Components that each include the next two. There are 2^15 ways to the last one.
#[test]
fn components_that_include_each_other_twice_have_an_end() {
    let sandbox = sandbox("limits-components");
    let write = |prefix: &str, resources: usize| {
        let all: String = (0..resources)
            .map(|i| format!("---\napiVersion: v1\nkind: ConfigMap\nmetadata: {{name: a{i}}}\n"))
            .collect();
        sandbox.write("built/a.yaml", all);
        sandbox.write("built/kustomization.yaml", "resources: [a.yaml]\ncomponents: [c0, d0]\n");
        for i in 0..15 {
            let next = match i {
                14 => prefix.to_owned(),
                _ => format!("components: [../c{0}, ../d{0}]", i + 1),
            };
            for name in ["c", "d"] {
                let component =
                    format!("apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\n{next}\n");
                sandbox.write(&format!("built/{name}{i}/kustomization.yaml"), component);
            }
        }
    };
    write("namePrefix: a", 1);
    ends(&sandbox, "has more than 253 characters");
    write("commonLabels: {a: b}", 100);
    ends(&sandbox, "change its objects more than 1000000 times");
    write(&format!("commonAnnotations: {{a: {}}}", "x".repeat(10_000)), 1);
    ends(&sandbox, "add more than 128 MiB to its objects");
}

#[test]
fn one_merged_document_has_an_end() {
    let sandbox = sandbox("limits-merged");
    // Each kind is published together with the metadata schema of objects, some 65 KB.
    let all: String = (0..3_500).map(|number| definition(number, "{type: object}")).collect();
    sandbox.write("all.yaml", all);
    rejects(&sandbox, &["openapi", "--merge", "--out-dir", "out", "all.yaml"], "larger than 128 MiB");
}

#[test]
fn an_import_has_an_end() {
    let sandbox = sandbox("limits-import");
    let values = "1,".repeat(500_000);
    let schema = format!("{{type: object, properties: {{a: {{type: integer, enum: [{values}2]}}}}}}");
    sandbox.write("all.yaml", (0..6).map(|number| definition(number, &schema)).collect::<String>());
    rejects(
        &sandbox,
        &["import", "--out-dir", "out", "all.yaml"],
        "the definitions have more than 2500000 values in all: import them in parts",
    );
}

#[test]
fn schemas_that_refer_to_each_other_twice_have_an_end() {
    let sandbox = sandbox("limits-references");
    let one = |number: usize| {
        let next = number + 1;
        format!(
            "\"A{number}\": {{\"type\": \"object\", \"x-kubernetes-group-version-kind\": [{{\"group\": \"example.com\", \
             \"kind\": \"A{number}\", \"version\": \"v1\"}}], \"properties\": {{\"metadata\": {{\"$ref\": \
             \"#/components/schemas/ObjectMeta\"}}, \"a\": {{\"$ref\": \"#/components/schemas/A{next}\"}}, \"b\": {{\"$ref\": \
             \"#/components/schemas/A{next}\"}}}}}}"
        )
    };
    let all: Vec<String> = (0..40).map(one).collect();
    sandbox.write(
        "api.json",
        format!("{{\"openapi\": \"3.0.0\", \"components\": {{\"schemas\": {{{}}}}}}}", all.join(",")),
    );
    rejects(
        &sandbox,
        &["import", "--openapi", "--out-dir", "out", "api.json"],
        "refers to more than 200000 schemas, or too deeply",
    );
}

/// If a file cannot be read as a whole, nothing of it is imported, wherever the unreadable part is.
#[test]
fn imports_all_of_a_file_or_nothing() {
    let sandbox = sandbox("limits-unreadable");
    let (good, bad) = (definition(0, "{type: object}"), "---\nkind: [\n");
    for text in [
        format!("{bad}{good}"),
        format!("{good}{bad}"),
        format!("{good}{bad}{}", definition(1, "{type: object}")),
    ] {
        sandbox.write("all.yaml", &text);
        // The server counts lines from the start of a document, but the place is in the file.
        let line = text.lines().position(|line| line == "kind: [").map_or(0, |above| above + 1);
        let place = format!("all.yaml:{line}:8: yaml: line ");
        for message in [&place, "did not find expected node content"] {
            rejects(&sandbox, &["import", "--out-dir", "out", "all.yaml"], message);
        }
    }
}

/// Defaults that grow exponentially with each line, or that contain copies of what they fill, are not evaluated to the
/// end.
#[test]
fn the_evaluation_of_defaults_has_an_end() {
    let sandbox = sandbox("limits-defaults");
    let field = |ty: &str, functions: String| {
        format!(
            "#[derive(CustomResource, Schema, Serialize, Deserialize, Clone, Debug)]\n\
             #[kube(group = \"example.com\", version = \"v1\", kind = \"Large\")]\n\
             struct LargeSpec {{\n  #[serde(default = \"made\")]\n  it: {ty},\n}}\n{functions}"
        )
    };
    // Chains of calls are followed for forty steps: four functions.
    let lines = |count: usize, line: &dyn Fn(usize) -> String| (1..=count).map(line).collect::<String>();
    let variables = lines(39, &|n| format!("let a{n} = vec![a{0}.clone(), a{0}.clone()];", n - 1));
    let functions = lines(3, &|n| {
        format!("fn f{n}() -> Value {{ vec![{}].into() }}\n", format!("f{}(),", n - 1).repeat(100))
    });
    let constants =
        lines(6, &|n| format!("const C{n}: &str = concat!({});\n", format!("C{},", n - 1).repeat(30)));
    for (ty, text) in [
        ("Value", format!("fn made() -> Value {{ let a0 = vec![1]; {variables} a39 }}")),
        ("Value", format!("fn f0() -> Value {{ 1.into() }}\n{functions}fn made() -> Value {{ f3() }}")),
        (
            "String",
            format!("const C0: &str = \"longer\";\n{constants}fn made() -> String {{ C6.to_owned() }}"),
        ),
    ] {
        sandbox.write("large.rs", format!("use serde_json::Value;\n{}", field(ty, text)));
        rejects(&sandbox, &["emit", "large.rs", "--out-dir", "out"], "the program's defaults are too large");
    }

    let pushes = "it.push(1);\n".repeat(20_000);
    let text = format!("fn made() -> Vec<i32> {{ let mut it = vec![]; {pushes} it }}");
    sandbox.write("large.rs", field("Vec<i32>", text));
    let ran = sandbox.run(&["emit", "large.rs"]);
    assert_eq!(ran.code(), Some(0), "{}", ran.stderr);
    assert_eq!(ran.stdout.matches("- 1\n").count(), 20_000);
}

/// Types that contain others several times at each level, and types without end.
#[test]
fn types_that_grow_with_each_level_have_an_end() {
    const DERIVE: &str = "#[derive(Clone, Debug, Deserialize, Schema, Serialize)]\n";
    let sandbox = sandbox("limits-types");
    let source = |ty: &str, types: &str| {
        format!(
            "use crdgen::{{CustomResource, Schema}};\nuse serde::*;\nuse std::collections::BTreeMap;\n\
             #[derive(Clone, Debug, CustomResource, Deserialize, Schema, Serialize)]\n\
             #[kube(group = \"example.com\", version = \"v1\", kind = \"Large\")]\n\
             struct LargeSpec {{ it: {ty} }}\n{types}"
        )
    };
    let levels = |first: &str, line: &dyn Fn(usize) -> String| {
        first.to_owned() + &(1..=30).map(|n| line(n) + "\n").collect::<String>()
    };
    let doubled = |attribute: &str| {
        levels(&format!("{DERIVE}struct T0 {{ z: u8 }}\n"), &|n| {
            format!("{DERIVE}struct T{n} {{ {attribute} a: T{0}, {attribute} b: T{0} }}", n - 1)
        })
    };
    let generic = |fields: &str| format!("{DERIVE}struct G<T> {{ {fields} t: T }}");
    for (ty, types, message) in [
        ("T30", doubled(""), "the schema of this kind has more than 160000 nodes"),
        ("T30", doubled("#[serde(flatten)]"), "the struct already has the flattened field `z`"),
        (
            "T30",
            levels("type T0 = (Missing, Missing);\n", &|n| format!("type T{n} = (T{0}, T{0});", n - 1)),
            "cannot find the type `Missing`",
        ),
        (
            "T30",
            levels("type T0 = String;\n", &|n| format!("type T{n} = BTreeMap<T{0}, T{0}>;", n - 1)),
            "the keys of a map must be strings",
        ),
        (
            "It",
            levels(
                "struct It; impl JsonSchema for It { fn json_schema(g: &mut G) -> Schema { f30(g) } }\n\
                 fn f0(g: &mut G) -> Schema { g.subschema_for::<String>() }\n",
                &|n| {
                    format!(
                        "fn f{n}(g: &mut G) -> Schema {{ struct Own; json_schema!({{\"properties\": {{\"a\": f{0}(g), \"b\": f{0}(g)}}}}) }}",
                        n - 1
                    )
                },
            ),
            "crdgen cannot determine the schema of `large::It` without running code",
        ),
        ("G<u8>", generic("a: Option<Box<G<Vec<T>>>>,"), "has more than 32 types inside of each other"),
        (
            "G<u8>",
            generic("a: Option<Box<G<(T, Vec<T>)>>>, b: Option<Box<G<(Vec<T>, T)>>>,"),
            "has more than 32 types inside of each other",
        ),
    ] {
        sandbox.write("large.rs", source(ty, &types));
        rejects(&sandbox, &["emit", "large.rs", "--out-dir", "out"], message);
    }
    let tuples = levels("type T0 = (u8, u8);\n", &|n| format!("type T{n} = (T{0}, T{0});", n - 1));
    sandbox.write("large.rs", source("T30", &tuples));
    let ran = sandbox.run(&["emit", "large.rs"]);
    assert_eq!(ran.code(), Some(0), "{}", ran.stderr);
}
