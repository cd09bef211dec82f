//! The report of `migrate-check`: data loss comes first, everything to review is listed in full, and harmless
//! differences are left out.

use crate::console::arguments::{folder, shell};

pub(super) const SOURCE: &str = "use kube::CustomResource;\nuse schemars::JsonSchema;\nuse serde::{Deserialize, Serialize};\n\
    #[derive(CustomResource, Clone, Debug, Deserialize, Serialize, JsonSchema)]\n\
    #[kube(group = \"example.com\", version = \"v1\", kind = \"Foo\")]\n\
    pub struct FooSpec { pub name: String, pub secret: k8s_openapi::api::core::v1::LocalObjectReference }\n";

/// Returns the CRD of the source with these properties of the spec, after some other text.
pub(super) fn definition(before: &str, properties: &str) -> String {
    format!(
        "{before}apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {{name: foos.example.com}}\nspec:\n  \
         group: example.com\n  names: {{kind: Foo, plural: foos, singular: foo}}\n  scope: Cluster\n  versions:\n  \
         - name: v1\n    served: true\n    storage: true\n    schema:\n      openAPIV3Schema:\n        type: object\n        \
         required: [spec]\n        properties:\n          spec:\n            type: object\n            required: [name, secret]\n            \
         properties:\n{properties}"
    )
}

pub(super) const NAME: &str = "              name: {type: string}\n";
pub(super) const SECRET: &str = "              secret: {type: object, description: of a secret, required: [name], properties: {name: {type: string, description: More info}}}\n";

fn check(name: &str, old: &str, options: &str) -> (Option<i32>, String, String) {
    let folder = folder(&format!("report-{name}"), &[("lib.rs", SOURCE), ("old.yaml", old)]);
    shell(&folder, &format!("crdgen migrate-check lib.rs --against old.yaml {options}"))
}

#[test]
fn reports_losses_first() {
    let more =
        format!("{NAME}{SECRET}              gone: {{type: string}}\n              kept: {{type: string}}\n");
    let (code, stdout, stderr) = check("lost", &definition("", &more), "");
    let place = "\ndata that would be lost\n  - lost (1): ";
    assert!(code == Some(1) && stdout.contains(place), "{stdout}{stderr}");
    assert!(stdout.contains("      .spec: - gone, kept\n"), "{stdout}");
    let (_, json, _) = check("lost-json", &definition("", &more), "-o json");
    assert!(json.contains(r#""reason":"lost""#), "{json}");
    let (_, markdown, _) = check("lost-markdown", &definition("", &more), "-o markdown");
    assert!(
        markdown.contains("\n## data that would be lost\n- lost (1): ")
            && markdown.contains("  - `.spec`: - `gone, kept`\n"),
        "{markdown}"
    );
}

/// Descriptions and rules of Kubernetes' own types need no review, because crdgen identifies these types by their
/// schemas.
#[test]
fn has_nothing_to_look_at_in_types_of_kubernetes() {
    let (code, stdout, stderr) = check("quiet", &definition("", &format!("{NAME}{SECRET}")), "");
    assert!(code == Some(0) && !stdout.contains("to review"), "{stdout}{stderr}");
    assert!(stdout.contains("foreign-doc (2)") && stdout.contains("foreign-rule"), "{stdout}");
}

/// The same is true for the metadata of embedded objects, of which the new CRD has only some fields.
#[test]
fn has_nothing_to_look_at_in_embedded_metadata() {
    let source = SOURCE
        .replace("api::core::v1::LocalObjectReference", "apimachinery::pkg::apis::meta::v1::ObjectMeta")
        .replace("kube::CustomResource", "crdgen::kube::CustomResource")
        .replace("schemars::JsonSchema", "crdgen::kube::JsonSchema");
    let described = |name: &str| format!("{name}: {{type: string, description: of {name}}}");
    let fields = ["name", "namespace", "generateName", "uid"].map(described).join(", ");
    let metadata =
        format!("              secret: {{type: object, description: metadata, properties: {{{fields}}}}}\n");
    let old = definition("", &format!("{NAME}{metadata}"));
    let folder = folder("report-metadata", &[("lib.rs", &source), ("old.yaml", &old)]);
    let (_, stdout, stderr) = shell(&folder, "crdgen migrate-check lib.rs --against old.yaml");
    assert!(stdout.contains("foreign-doc") && !stdout.contains("undocumented"), "{stdout}{stderr}");
}

#[test]
fn reads_charts_and_several_documents() {
    let properties = format!("{NAME}{SECRET}");
    for before in ["{{- if .Values.crds }}\n", "kind: ConfigMap\napiVersion: v1\nmetadata: {name: a}\n---\n"]
    {
        let (_, stdout, stderr) = check("chart", &definition(before, &properties), "");
        assert!(!stdout.contains("no old CRD"), "{before}{stdout}{stderr}");
    }
}

#[test]
fn lists_lines_that_no_use_line_reaches() {
    let source = SOURCE.replace("JsonSchema)]", "schemars::JsonSchema)]")
        + "pub struct Hand;\nimpl schemars::JsonSchema for Hand {}\n";
    let folder = folder(
        "report-paths",
        &[("lib.rs", &source), ("old.yaml", &definition("", &(NAME.to_owned() + SECRET)))],
    );
    let (_, stdout, stderr) = shell(&folder, "crdgen migrate-check lib.rs --against old.yaml");
    let lines = [
        "other lines to change, besides `use` lines\n",
        "  - lib.rs:4:64: schemars::JsonSchema → crdgen::kube::JsonSchema\n",
        "impl schemars::JsonSchema for Hand → add crdgen::from_schemars!(Hand);\n",
    ];
    assert!(lines.iter().all(|line| stdout.contains(line)), "{stdout}{stderr}");
}

/// A kind whose types are unknown has no differences.
#[test]
fn reports_no_differences_of_unknown_kinds() {
    let source = SOURCE.replace("name: String", "name: Unseen");
    let folder = folder("report-unknown", &[("lib.rs", &source), ("old.yaml", &definition("", NAME))]);
    let (code, stdout, _) = shell(&folder, "crdgen migrate-check lib.rs --against old.yaml");
    assert!(code == Some(1) && stdout.contains("foos.example.com: could not be determined: "), "{stdout}");
    assert!(!stdout.contains("lost") && !stdout.contains("to review"), "{stdout}");
}

/// Every object has these fields, whatever its CRD contains.
#[test]
fn ignores_what_the_server_knows_of_every_object() {
    let quiet = definition("", &format!("{NAME}{SECRET}"));
    let header = "properties:\n          apiVersion: {type: string, description: a}\n          kind: {type: string}\n          metadata: {type: object}\n          spec:\n";
    let old = quiet
        .replace("properties:\n          spec:\n", header)
        .replace("required: [spec]", "required: [metadata, spec]");
    assert_ne!(old, quiet);
    let (code, stdout, stderr) = check("header", &old, "");
    assert!(code == Some(0) && !stdout.contains("metadata"), "{stdout}{stderr}");
    // A constraint on the name belongs to the project.
    let bound = old.replace(
        "metadata: {type: object}",
        "metadata: {type: object, properties: {name: {type: string, maxLength: 9}}}",
    );
    let (code, stdout, _) = check("header-bound", &bound, "");
    assert!(code == Some(1) && stdout.contains("the whole object: - metadata"), "{stdout}");
}

/// schemars 0.8 joined the lines of a paragraph.
#[test]
fn knows_descriptions_with_other_line_breaks() {
    let source = SOURCE.replace("pub name", "/// One line,\n/// and another.\npub name");
    let check = |text: &str| {
        let name = format!("              name: {{type: string, description: \"{text}\"}}\n");
        let old = definition("", &format!("{name}{SECRET}"));
        let folder = folder("report-lines", &[("lib.rs", &source), ("old.yaml", &old)]);
        shell(&folder, "crdgen migrate-check lib.rs --against old.yaml")
    };
    let (code, stdout, stderr) = check("One line, and another.");
    assert!(code == Some(0) && stdout.contains("  - lines (1): "), "{stdout}{stderr}");
    let (code, stdout, _) = check("One line, and a third.");
    assert!(code == Some(0) && stdout.contains("  - doc (1): "), "{stdout}");
}

/// The old CRD lacks documentation and defaults of the source. This makes no difference for objects.
#[test]
fn has_nothing_to_look_at_in_documentation_and_defaults() {
    let source = SOURCE.replace("pub name", "/// The name.\n#[serde(default = \"first\")] pub name")
        + "fn first() -> String { \"a\".into() }\n";
    let check = |name: &str| {
        let old = definition("", &format!("{name}{SECRET}"))
            .replace("required: [name, secret]", "required: [secret]");
        let folder = folder("report-doc", &[("lib.rs", &source), ("old.yaml", &old)]);
        shell(&folder, "crdgen migrate-check lib.rs --against old.yaml")
    };
    let (code, stdout, stderr) = check(NAME);
    assert!(code == Some(0) && !stdout.contains("to review"), "{stdout}{stderr}");
    assert!(
        stdout.contains("  - doc (1): ") && stdout.contains("      .spec.name default: + \"a\"\n"),
        "{stdout}"
    );
    // A different default is a different value.
    let (code, stdout, _) = check("              name: {type: string, default: b}\n");
    assert!(code == Some(1) && stdout.contains("      .spec.name default: \"b\" → \"a\"\n"), "{stdout}");
}

/// Fields of one struct are in one line, and so are descriptions of one CRD.
#[test]
fn groups_differences_of_one_sort() {
    let source = SOURCE.replace("pub name: String", "pub name: String, pub a: i32, pub b: i32");
    let old =
        definition("", &format!("{}{SECRET}", NAME.replace("string", "string, description: Kept by hand")));
    let old = old.replace("          spec:\n", "          spec:\n            description: By hand\n");
    let folder = folder("report-groups", &[("lib.rs", &source), ("old.yaml", &old)]);
    let (_, stdout, stderr) = shell(&folder, "crdgen migrate-check lib.rs --against old.yaml");
    for line in [
        "      .spec required: + a, b\n",
        "      .spec: + a, b\n",
        "      description: - .spec, .spec.name\n",
        "; to review: 1;",
    ] {
        assert!(stdout.contains(line), "{line}: {stdout}{stderr}");
    }
}

/// A field that accepted any object and becomes a map accepts less, but loses no field.
#[test]
fn reports_once_that_an_open_object_becomes_a_map() {
    let source = SOURCE.replace("pub name: String", "pub name: std::collections::BTreeMap<String, String>");
    for open in ["x-kubernetes-preserve-unknown-fields: true", "additionalProperties: true"] {
        let name = format!("              name: {{type: object, {open}}}\n");
        let files = [("lib.rs", source.as_str()), ("old.yaml", &definition("", &format!("{name}{SECRET}")))];
        let (_, stdout, stderr) =
            shell(&folder("report-open", &files), "crdgen migrate-check lib.rs --against old.yaml");
        let line = "      .spec.name: any field → a map of {\"type\":\"string\"}\n";
        assert!(stdout.contains(line) && !stdout.contains("to review"), "{open}: {stdout}{stderr}");
    }
}

/// What serde does with an object is known from the source. Only what is in the old CRD alone has to be reviewed.
#[test]
fn needs_review_only_of_what_the_source_does_not_show() {
    let source = SOURCE.replace(
        "pub name: String",
        "pub name: String, pub size: u32, pub count: u32, pub note: Option<String>, pub level: Option<u8>",
    );
    let size = "              size: {type: integer, format: int32}\n              count: {type: integer, format: int32, minimum: 1, maximum: 50}\n";
    let name = "              name: {type: string, minLength: 1, default: a}\n              note: {type: string, enum: [a, b]}\n              level: {type: integer, format: uint8, minimum: 0, default: 3}\n";
    let old = definition("", &format!("{size}{name}{SECRET}"))
        .replace("required: [spec]", "required: [spec, gone]")
        .replace("required: [name, secret]", "required: [secret, note]")
        .replace("plural: foos,", "plural: foos, shortNames: [f],");
    let files = [("lib.rs", source.as_str()), ("old.yaml", old.as_str())];
    let (code, stdout, stderr) =
        shell(&folder("report-asks", &files), "crdgen migrate-check lib.rs --against old.yaml");
    let (review, rest) = stdout.split_once("\nmistakes in the old CRD\n").expect("mistakes");
    for line in [
        "  - defaulted (1): ",
        "      .spec.name: default \"a\" → required\n",
        "  - required (1): ",
        "      .spec required: - note\n",
        "  - constraint (3): ",
        "      .spec.count: int32, minimum 1, maximum 50 → int64, minimum 0, maximum 4294967295\n",
        "      .spec.name minLength: - 1\n",
        "      .spec.note enum: - \"a\", \"b\"\n",
        "  - other-default (1): ",
        "      .spec.level default: - 3\n",
        "  - names (1): ",
        "      shortNames: - f\n",
    ] {
        assert!(code == Some(1) && review.contains(line), "{line}: {stdout}{stderr}");
    }
    assert!(
        rest.contains("  - unreadable (1): ") && rest.contains("      .spec required: + size, count\n"),
        "{rest}"
    );
    assert!(rest.contains("  - range (1): ") && !stdout.contains("gone"), "{stdout}");
}

/// Each reason is listed once, and so is a difference that several kinds share.
#[test]
fn groups_kinds_by_reason() {
    let second = SOURCE.split_once("#[derive").map_or("", |(_, item)| item);
    let second = format!("#[derive{}", second.replace("Foo", "Bar"));
    let source = format!("{SOURCE}{second}").replace("kind = \"", "status = \"Status\", kind = \"")
        + "#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]\npub struct Status { pub ready: bool }\n";
    let status = "          status: {type: object, nullable: true, required: [ready], properties: {ready: {type: boolean}}}\n";
    let foo = definition("", &format!("{NAME}{SECRET}{status}"));
    let bar = foo.replace("Foo", "Bar").replace("foo", "bar");
    let files = [("lib.rs", source.as_str()), ("old.yaml", &format!("{foo}---\n{bar}"))];
    let (code, stdout, stderr) =
        shell(&folder("report-kinds", &files), "crdgen migrate-check lib.rs --against old.yaml");
    let line = "\nto review\n  - status (2): ";
    assert!(code == Some(1) && stdout.contains(line), "{stdout}{stderr}");
    let both = "      bars.example.com, foos.example.com subresources.status: false → true\n";
    assert!(stdout.contains(both) && stdout.matches("to review").count() == 2, "{stdout}");
}

/// Two stored versions are an error of the source, whose message explains what to do. Until then the storage version is
/// unknown.
#[test]
fn reports_nothing_that_follows_from_an_error() {
    let (uses, item) = SOURCE.split_once("#[derive").expect("a kind");
    let second = format!("pub mod newer {{\n{uses}#[derive{}}}\n", item.replace("\"v1\"", "\"v2\""));
    let old = definition("", &format!("{NAME}{SECRET}"));
    let schema = old.split_once("    schema:\n").map_or("", |(_, schema)| schema);
    let old = format!("{old}  - name: v2\n    served: true\n    storage: false\n    schema:\n{schema}");
    let files = [("lib.rs", &*format!("{SOURCE}{second}")), ("old.yaml", &old)];
    let (code, stdout, stderr) =
        shell(&folder("report-storage", &files), "crdgen migrate-check lib.rs --against old.yaml");
    assert!(code == Some(1) && stderr.contains("several versions are the storage version"), "{stderr}");
    assert!(!stdout.contains("storage: ") && !stdout.contains("to review"), "{stdout}");
}

/// Runs the check for a source with other fields. Returns the differences, each as its reason, place, old and new value.
fn changes(name: &str, fields: &str, more: &str, properties: &str) -> Vec<[String; 4]> {
    let source =
        SOURCE.replace("pub secret: k8s_openapi::api::core::v1::LocalObjectReference", fields) + more;
    let old = definition("", &format!("{NAME}{properties}"))
        .replace("required: [name, secret]", "required: [name]");
    let folder = folder(&format!("report-{name}"), &[("lib.rs", &source), ("old.yaml", &old)]);
    let (_, stdout, stderr) = shell(&folder, "crdgen migrate-check lib.rs --against old.yaml -o json");
    let all: serde_json::Value = serde_json::from_str(&stdout).unwrap_or_else(|e| panic!("{e}: {stderr}"));
    let text = |change: &serde_json::Value, key: &str| change[key].as_str().unwrap_or_default().to_owned();
    let one = |it: &serde_json::Value| ["reason", "at", "old", "new"].map(|key| text(it, key));
    all[0]["changes"].as_array().expect("changes").iter().map(one).collect()
}

/// JSON has one number for both.
#[test]
fn ignores_how_numbers_are_written() {
    let found = changes(
        "numbers",
        "#[serde(default = \"h\")] pub height: f64, #[serde(default = \"all\")] pub all: Vec<f64>",
        "fn h() -> f64 { 1.0 }\nfn all() -> Vec<f64> { vec![1.0, 2.5] }\n",
        "              height: {type: number, format: double, default: 1}\n              all: {type: array, items: {type: number, format: double}, default: [1, 2.5]}\n",
    );
    assert!(found.is_empty(), "{found:?}");
}

#[test]
fn names_aliases_and_formats_as_reasons() {
    let state = "#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]\npub enum State { #[serde(alias = \"pending\")] Pending, Failed }\n";
    let found = changes(
        "reasons",
        "pub state: Option<State>, pub address: Option<std::net::IpAddr>",
        state,
        "              state: {type: string, nullable: true, enum: [Pending, Failed]}\n              address: {type: string, nullable: true, format: ip}\n",
    );
    let found: Vec<[&str; 4]> = found.iter().map(|it| it.each_ref().map(String::as_str)).collect();
    assert_eq!(
        found,
        [
            ["text-format", ".spec.address format", "ip", "ipv4 or ipv6"],
            [
                "more-values",
                ".spec.state enum",
                r#""Pending", "Failed""#,
                r#""Pending", "pending", "Failed""#
            ],
        ]
    );
}

/// The server will reject values of Kubernetes' own types that it accepted.
#[test]
fn asks_to_review_new_bounds_of_types_of_kubernetes() {
    let condition = "{type: object, required: [lastTransitionTime, message, reason, status, type], properties: {\
                     lastTransitionTime: {type: string, format: date-time}, message: {type: string}, observedGeneration: {type: integer, format: int64}, \
                     reason: {type: string}, status: {type: string}, type: {type: string}}}";
    let old = format!(
        "              conditions: {{type: array, items: {condition}}}\n              size: {{type: string}}\n"
    );
    let fields = "#[serde(default, skip_serializing_if = \"Vec::is_empty\")] pub conditions: Vec<k8s_openapi::apimachinery::pkg::apis::meta::v1::Condition>, \
                  #[serde(skip_serializing_if = \"Option::is_none\")] pub size: Option<k8s_openapi::apimachinery::pkg::api::resource::Quantity>";
    let found = changes("bounds", fields, "", &old);
    // The bounds of a type are one change.
    let bounds: Vec<_> = found.iter().filter(|it| it[0] == "foreign-bound").collect();
    let places: Vec<&str> = bounds.iter().map(|it| it[1].as_str()).collect();
    assert_eq!(places, [".spec.conditions[]", ".spec.size"], "{found:#?}");
    for bound in
        ["reason minLength 1", "reason pattern ^", "status enum \"True\", ", "message maxLength 32768"]
    {
        assert!(bounds[0][3].contains(bound), "{bound}: {found:#?}");
    }
    assert!(found.iter().all(|it| !matches!(it[0].as_str(), "lost-rule" | "foreign-rule")), "{found:#?}");
    // The advice keeps the old form.
    let kept = "#[schema(override(\"[].reason\", remove(min_length, max_length, pattern)))] ";
    let found = changes("bounds-kept", &format!("{kept}{fields}"), "", &old);
    assert!(found.iter().all(|it| !it[3].contains("reason") && it[0] != "lost-rule"), "{found:#?}");
}

/// A type of the project with the fields of a small type of Kubernetes.
#[test]
fn does_not_take_small_types_for_types_of_kubernetes() {
    let pool = "#[derive(Clone, Debug, Deserialize, Serialize, JsonSchema)]\npub struct Pool { pub selector: String }\n";
    let old = "              pool: {type: object, nullable: true, properties: {selector: {type: string}}}\n";
    let found = changes("small", "pub pool: Option<Pool>", pool, old);
    assert!(found.iter().all(|it| it[0] == "unreadable") && found.len() == 1, "{found:?}");
}
