//! Names of types do not change when something else changes, and follow what the user wants.

use super::{emitted, import_as, normal};
use crdgen::import::{Import, Options};
use std::collections::BTreeSet;

/// Two versions in which types at several places have similar names. `REFERENCE` occurs twice in each.
const DEFINITION: &str = r#"
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: gates.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: gates, kind: Gate}
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          required: [spec]
          properties:
            spec:
              type: object
              required: [rules, mode]
              properties:
                mode: {type: string, enum: [Open, Closed]} # mode
                rules:
                  type: array
                  items:
                    type: object
                    required: [backendRef]
                    properties:
                      backendRef: {type: object, properties: {name: {type: string}, weight: {type: integer}}} # of a rule
                      match: {type: object, properties: {path: {type: string}}} # match
                      timeouts: {type: object, properties: {request: {type: string}}}
                fallback:
                  type: object
                  properties:
                    backendRef: {type: object, properties: {name: {type: string}, weight: {type: integer}}} # of a fallback
                    match: {type: object, properties: {header: {type: string}}}
                policy: {type: object, properties: {mode: {type: string, enum: [Fast, Slow]}, retries: {type: integer}}} # policy
            status: {type: object, properties: {phase: {type: string, enum: [Up, Down]}}} # status
    - name: v1beta1
      served: true
      storage: false
      schema:
        openAPIV3Schema:
          type: object
          required: [spec]
          properties:
            spec:
              type: object
              properties:
                policy: {type: object, properties: {mode: {type: string, enum: [Fast, Slow]}, retries: {type: integer}}}
                match: {type: object, properties: {path: {type: string}}}
"#;

/// Edits of the CRD, and the edited fields, whose types may get other names.
const EDITS: &[(&str, &str, &str, &[&str])] = &[
    (
        "a description",
        "{type: object, properties: {path: {type: string}}} # match",
        "{type: object, description: What to look at., properties: {path: {type: string}}}",
        &[],
    ),
    (
        "the description of a field",
        "{type: object, properties: {request: {type: string}}}",
        "{type: object, properties: {request: {type: string, description: How long.}}}",
        &[],
    ),
    // From here on, the type differs from that of the other version.
    (
        "the description of a field in a deeper use of a type",
        "{type: object, properties: {path: {type: string}}} # match",
        "{type: object, properties: {path: {type: string, description: A path.}}}",
        &["GateRule.r#match"],
    ),
    (
        "a new field in a type of its own",
        "timeouts: {type: object, properties: {request: {type: string}}}",
        "timeouts: {type: object, properties: {request: {type: string}, backend: {type: string}}}",
        &[],
    ),
    (
        "a new field in a type of two versions",
        "retries: {type: integer}}} # policy",
        "retries: {type: integer}, budget: {type: object, properties: {percent: {type: integer}}}}}",
        &[],
    ),
    (
        "a new field in the deeper use of a type",
        "weight: {type: integer}}} # of a rule",
        "weight: {type: integer}, port: {type: integer}}}",
        &["GateRule.backend_ref"],
    ),
    ("a new value of an enum", "[Open, Closed]}", "[Open, Closed, Ajar]}", &[]),
    ("a new value of an enum in the status", "[Up, Down]", "[Up, Down, Sideways]", &[]),
    (
        "another limit",
        "type: string, enum: [Open, Closed]} # mode",
        "type: string, enum: [Open, Closed], maxLength: 9}",
        &[],
    ),
    (
        "another order of fields",
        "{name: {type: string}, weight: {type: integer}}} # of a fallback",
        "{weight: {type: integer}, name: {type: string}}}",
        &[],
    ),
    ("another order of what is required", "[rules, mode]", "[mode, rules]", &[]),
    (
        "a field with a type of a word that is taken",
        "            status: {",
        "                routes: {type: array, items: {type: object, properties: {match: {type: object, properties: {method: {type: string}}}}}}\n            status: {",
        &[],
    ),
    (
        "no status",
        "            status: {type: object, properties: {phase: {type: string, enum: [Up, Down]}}} # status\n",
        "",
        &["GateStatus.phase"],
    ),
];

#[track_caller]
fn edited(from: &str, to: &str) -> String {
    assert_eq!(DEFINITION.matches(from).count(), 1, "{from}");
    DEFINITION.replace(from, to)
}

fn code(text: &str) -> String {
    import_as("gates.yaml", text.as_bytes(), &Options::default()).0
}

/// Returns `Type.field: type` for each field. Modules do not matter as long as all of their names are in scope.
fn fields(code: &str) -> BTreeSet<(String, String)> {
    let mut owner = String::new();
    let mut out = BTreeSet::new();
    for line in code.lines().map(str::trim) {
        if let Some(rest) = line.strip_prefix("pub struct ").or(line.strip_prefix("pub enum ")) {
            owner = rest.split([' ', '{']).next().unwrap_or_default().to_owned();
            out.insert((owner.clone(), String::new()));
        } else if let Some((field, ty)) = line.strip_prefix("pub ").and_then(|l| l.split_once(": ")) {
            out.insert((format!("{owner}.{field}"), ty.to_owned()));
        }
    }
    out
}

#[test]
fn edits_change_no_other_name() {
    let before = fields(&code(DEFINITION));
    assert!(before.contains(&("GateRule.backend_ref".to_owned(), "BackendRef,".to_owned())), "{before:?}");
    for (what, from, to, may) in EDITS {
        let after = fields(&code(&edited(from, to)));
        let lost: Vec<_> = before
            .difference(&after)
            // If a whole type disappears, its name disappears too.
            .filter(|(field, ty)| !may.contains(&field.as_str()) && (!ty.is_empty() || may.is_empty()))
            .collect();
        assert!(lost.is_empty(), "{what}: {lost:?}\n{after:?}");
    }
}

#[test]
fn the_order_of_definitions_and_fields_does_not_matter() {
    let other = DEFINITION.replace("gates", "doors").replace("Gate", "Door");
    let together = |texts: [&str; 2]| {
        let mut import = Import::default();
        for text in texts {
            import.read("gates.yaml", text.as_bytes()).unwrap_or_else(|e| panic!("{e}"));
        }
        let code = import.run().file();
        code.lines().filter(|l| !l.starts_with("//")).collect::<Vec<_>>().join("\n")
    };
    assert_eq!(together([DEFINITION, &other]), together([&other, DEFINITION]));
}

type Pairs = &'static [(&'static str, &'static str)];

/// The names that the user gives, the type that a field gets, and the names that are not used.
const NAMES: &[(Pairs, (&str, &str), &[&str])] = &[
    (&[("Gate.spec.mode", "Openness")], ("GateSpec.mode", "Openness,"), &[]),
    (&[("BackendRef", "Backend")], ("GateRule.backend_ref", "Backend,"), &[]),
    // Any use of the type can select it, not only the one that determines its name. Brackets of lists may be left out.
    (&[("Gate.spec.rules[].backendRef", "Backend")], ("Fallback.backend_ref", "Option<Backend>,"), &[]),
    (&[("Gate.spec.rules.backendRef", "Backend")], ("GateRule.backend_ref", "Backend,"), &[]),
    (&[("Gate.spec.rules", "Route")], ("GateSpec.rules", "Vec<Route>,"), &[]),
    // A name that the user chooses takes precedence over a generated one.
    (&[("Gate.spec.rules.match", "Fallback")], ("GateSpec.fallback", "Option<GateFallback>,"), &[]),
    (
        &[("Gate.spec.nothing", "Mode"), ("Nobody", "Body")],
        ("GateSpec.fallback", "Option<Fallback>,"),
        &["Gate.spec.nothing", "Nobody"],
    ),
    (&[("Gate.spec.mode", "String")], ("GateSpec.fallback", "Option<Fallback>,"), &["Gate.spec.mode"]),
    (&[("Gate.spec.mode", "GateSpec")], ("GateSpec.fallback", "Option<Fallback>,"), &["Gate.spec.mode"]),
    (&[("GateSpec", "Specification")], ("GateSpec.fallback", "Option<Fallback>,"), &["GateSpec"]),
];

#[test]
fn names_are_what_the_user_chooses() {
    let path = std::env::temp_dir().join(format!("crdgen-names-{}.rs", std::process::id()));
    for (names, (field, ty), unused) in NAMES {
        let mut import = Import::default();
        import.options.names = names.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect();
        import.read("gates.yaml", DEFINITION.as_bytes()).unwrap_or_else(|e| panic!("{e}"));
        let crds = import.crds.clone();
        let imported = import.run();
        assert_eq!(imported.unused_names, *unused, "{names:?}");
        let code = imported.file();
        assert!(fields(&code).contains(&((*field).to_owned(), (*ty).to_owned())), "{names:?}:\n{code}");
        std::fs::write(&path, &code).unwrap_or_else(|e| panic!("{e}"));
        let back = emitted(&path).unwrap_or_else(|why| panic!("{names:?}: {why}"));
        assert_eq!(normal(&back[0]), normal(&crds[0]), "{names:?}");
    }
    _ = std::fs::remove_file(path);
}

/// The first words of a description may name the type of a list's items. If several fields share a type, its
/// description is what their descriptions have in common.
#[test]
fn types_match_their_descriptions() {
    let text = DEFINITION.replace(
        "timeouts: {type: object, properties: {request: {type: string}}}",
        r#"headers: {type: array, items: {type: object, description: HTTPHeaderMatch describes a header., properties: {value: {type: string}}}}
                      one: &secret {type: object, description: A key of a Secret. This one., properties: {secretKey: {type: string}}}
                      aKeyRef: {<<: *secret, description: A key of a Secret. The first.}
                      theOtherKeyRef: {<<: *secret, description: A key of a Secret. The second.}
                      lastKeyRef: {<<: *secret, description: A key of a Secret. The third.}"#,
    );
    let text = text.replace("one: &secret", "firstKeyRef: &secret");
    let code = code(&text);
    let fields = fields(&code);
    for (field, ty) in [("headers", "Option<Vec<HTTPHeaderMatch>>,"), ("a_key_ref", "Option<KeyRef>,")] {
        assert!(fields.contains(&(format!("GateRule.{field}"), ty.to_owned())), "{field}:\n{code}");
    }
    let docs = |line: &str| code.lines().filter(|l| l.trim() == line).count();
    assert_eq!((docs("/// A key of a Secret."), docs("/// A key of a Secret. The third.")), (1, 1), "{code}");
}
