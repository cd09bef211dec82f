//! How time and memory grow with the input. Each command runs on an input, and on inputs that are two and four times as
//! large. It may take two and four times as much, and a fifth more.
//!
//! A row of [`FAMILIES`] is a family of inputs with the commands to run on it. To test another input, add a row.

use std::fmt::Write as _;
use std::time::Duration;

use super::{Limits, Sandbox, optimized, part};

/// Inputs of every size, and the commands that read them.
struct Family {
    name: &'static str,
    /// The size of the smallest input, for a program that is not optimized. Choose it so that a command takes some
    /// tenths of a second on the largest input.
    size: usize,
    /// The files of an input: their names and texts.
    files: fn(usize) -> Vec<(&'static str, String)>,
    commands: &'static [&'static [&'static str]],
}

/// What the commands that read CRDs do with one.
const DEFINITION: &[&[&str]] = &[
    &["check", "--lint", "all", "--kube", "1.30", "crd.yaml"],
    &["check", "--against", "crd.yaml", "crd.yaml"],
    &["docs", "crd.yaml"],
    &["openapi", "crd.yaml"],
    &["import", "crd.yaml"],
    &["fit", "crd.yaml"],
    &["explain", "K.spec", "--recursive", "--crd", "crd.yaml"],
];

/// What they do with an object and its CRD.
const OBJECT: &[&[&str]] = &[
    &["check", "--lint", "all", "crd.yaml"],
    &["validate", "object.yaml", "--crd", "crd.yaml"],
    &["validate", "-o", "json", "object.yaml", "--old", "object.yaml", "--crd", "crd.yaml"],
    &["get", "object.yaml", "--crd", "crd.yaml"],
    &["cel", "self == self", "--object", "object.yaml", "--crd", "crd.yaml"],
];

/// What they do with Rust types.
const TYPES: &[&[&str]] = &[&["emit", "kinds.rs"], &["expand", "kinds.rs"]];

const FAMILIES: &[Family] = &[
    Family {
        name: "fields, the last one first",
        size: 500,
        files: |n| types(n, |i| format!("f{}: String", 9_999_999 - i), |_| String::new()),
        commands: TYPES,
    },
    Family {
        name: "types, each of one field",
        size: 250,
        files: |n| types(n, |i| format!("f{i}: T{i}"), |i| format!("struct T{i} {{ a: u8 }}")),
        commands: TYPES,
    },
    Family {
        name: "flattened structs",
        size: 250,
        files: |n| {
            types(n, |i| format!("#[serde(flatten)] f{i}: T{i}"), |i| format!("struct T{i} {{ a{i}: u8 }}"))
        },
        commands: TYPES,
    },
    Family {
        name: "variants with a tag",
        size: 500,
        files: |n| {
            let variants = each(n, |i| format!("V{i}"));
            let all = format!("#[serde(tag = \"t\")] enum T {{ {variants} }}");
            types(1, |_| "f: T".to_owned(), |_| all.clone())
        },
        commands: TYPES,
    },
    Family {
        name: "variants without a tag",
        size: 500,
        files: |n| {
            let variants = each(n, |i| format!("V{i}(T{i})"));
            let ty = |i| {
                format!(
                    "#[derive(Clone, Debug, Deserialize, Schema, Serialize)]\n\
                     struct T{i}(#[schema(pattern = \"^{i}$\")] String);\n"
                )
            };
            let of_variants: String = (0..n).map(ty).collect();
            let all = format!("#[serde(untagged)] enum T {{ {variants} }}\n{of_variants}");
            types(1, |_| "f: T".to_owned(), |_| all.clone())
        },
        commands: TYPES,
    },
    Family {
        name: "variants without a tag, of which each has the same field with another type",
        size: 500,
        files: |n| {
            let variants = each(n, |i| format!("V{i} {{ a: Option<[u8; {i}]> }}"));
            let all = format!("#[serde(untagged)] enum T {{ {variants} }}");
            types(1, |_| "f: T".to_owned(), |_| all.clone())
        },
        commands: TYPES,
    },
    Family {
        name: "types that do not exist",
        size: 250,
        files: |n| types(n, |i| format!("f{i}: Missing{i}"), |_| String::new()),
        commands: &[&["emit", "kinds.rs"]],
    },
    Family {
        name: "rules that read fields without a guard",
        size: 60,
        files: |n| {
            one(
                spec(
                    each(n, |i| format!("f{i}: {{type: string}}")),
                    each(n, |i| rule(&format!("self.f{i} != 'a'"))),
                ),
                "",
            )
        },
        commands: OBJECT,
    },
    Family {
        name: "rules with a guard",
        size: 60,
        files: |n| {
            let rules = each(n, |i| rule(&format!("has(self.a.f{i}) && self.a.f{i} != 'a' && has(self.a)")));
            let a = format!(
                "a: {{type: object, properties: {{{}}}}}",
                each(n, |i| format!("f{i}: {{type: string}}"))
            );
            one(spec(a, rules), "")
        },
        commands: &[&["check", "crd.yaml"]],
    },
    Family {
        name: "one rule that reads many fields",
        size: 200,
        files: |n| {
            let terms: Vec<String> = (0..n).map(|i| format!("self.f{i} != 'a'")).collect();
            let fields = each(n, |i| format!("f{i}: {{type: string, maxLength: 5}}"));
            one(spec(fields, rule(&terms.join(" && "))), "")
        },
        commands: &[&["check", "crd.yaml"]],
    },
    Family {
        name: "one rule with names that nothing declares",
        size: 80,
        files: |n| {
            let terms: Vec<String> = (0..n).map(|i| format!("nothing{i} == {i}")).collect();
            one(spec("a: {type: string}".to_owned(), rule(&terms.join(" && "))), "")
        },
        commands: &[&["check", "crd.yaml"], &["check", "--kube", "1.38", "crd.yaml"]],
    },
    Family {
        name: "junctors in junctors that change",
        // As many as use up what a comparison may take.
        size: 12,
        files: |n| {
            let around = |inner, level| format!("{{anyOf: [{inner}, {{maxLength: {}}}]}}", 100 + level);
            let field = |least| {
                let inner = (0..n).fold(format!("{{minLength: {least}}}"), around);
                definition(&spec(format!("a: {{type: string, anyOf: [{inner}]}}"), String::new()), 1, "")
            };
            vec![("old.yaml", field(3)), ("crd.yaml", field(4))]
        },
        commands: &[&["diff", "old.yaml", "crd.yaml"], &["check", "--against", "old.yaml", "crd.yaml"]],
    },
    Family {
        name: "nested macros",
        size: 6,
        files: |n| {
            let body = (0..n).fold("self.a != ''".to_owned(), |body, i| format!("[1].all(v{i}, {body})"));
            one(spec("a: {type: string}".to_owned(), rule(&body)), "{a: x}")
        },
        commands: OBJECT,
    },
    Family {
        name: "lists that are added to themselves",
        size: 15,
        files: |n| {
            let rules = rule(&format!("[[1]]{}.all(x, x.size() > 0)", ".map(x, x + x)".repeat(n)));
            one(spec("a: {type: string}".to_owned(), rules), "{a: x}")
        },
        commands: &[&["validate", "object.yaml", "--crd", "crd.yaml"]],
    },
    Family {
        name: "properties",
        size: 400,
        files: |n| {
            one(spec(each(n, |i| format!("f{i}: {{type: string, description: a}}")), String::new()), "")
        },
        commands: DEFINITION,
    },
    Family {
        name: "required properties that rules read",
        size: 100,
        files: |n| {
            let fields = each(n, |i| format!("f{i}: {{type: string}}"));
            let rules = each(n, |i| rule(&format!("self.f{i} != 'a'")));
            let required = each(n, |i| format!("f{i}"));
            let text = definition(
                &format!(
                    "{{type: object, properties: {{spec: {{type: object, required: [{required}], properties: {{{fields}}}, \
                 x-kubernetes-validations: [{rules}]}}}}}}"
                ),
                1,
                "",
            );
            vec![("crd.yaml", text)]
        },
        commands: &[&["check", "crd.yaml"]],
    },
    Family {
        name: "required fields, and alternatives that require them",
        size: 300,
        files: |n| {
            let fields = each(n, |i| format!("f{i}: {{type: string}}"));
            let clauses =
                each(n, |i| format!("{{properties: {{f{i}: {{maxLength: 9}}}}, required: [f{i}]}}"));
            let required = each(n, |i| format!("f{i}"));
            let spec = format!(
                "{{type: object, properties: {{{fields}}}, required: [{required}], anyOf: [{clauses}]}}"
            );
            one(format!("{{type: object, properties: {{spec: {spec}}}}}"), "")
        },
        commands: &[&["docs", "crd.yaml"], &["explain", "K.spec", "--recursive", "--crd", "crd.yaml"]],
    },
    Family {
        name: "versions",
        size: 25,
        files: |n| vec![("crd.yaml", definition(SMALL, n, ""))],
        commands: DEFINITION,
    },
    Family {
        name: "columns",
        size: 150,
        files: |n| {
            let columns = each(n, |i| format!("{{name: c{i}, type: string, jsonPath: .spec.f{i}}}"));
            let schema = format!(
                "{{type: object, properties: {{spec: {{type: object, properties: {{{}}}}}}}}}",
                each(n, |i| format!("f{i}: {{type: string}}"))
            );
            let more = format!(", additionalPrinterColumns: [{columns}]");
            vec![("crd.yaml", definition(&schema, 1, &more)), ("object.yaml", object(0, "{f1: a}"))]
        },
        commands: &[&["check", "--lint", "all", "crd.yaml"], &["get", "object.yaml", "--crd", "crd.yaml"]],
    },
    Family {
        name: "selectable fields",
        size: 400,
        files: |n| {
            let fields = each(n, |i| format!("{{jsonPath: .spec.f{i}}}"));
            let schema = format!(
                "{{type: object, properties: {{spec: {{type: object, properties: {{{}}}}}}}}}",
                each(n, |i| format!("f{i}: {{type: string}}"))
            );
            vec![("crd.yaml", definition(&schema, 1, &format!(", selectableFields: [{fields}]")))]
        },
        commands: &[&["check", "--lint", "all", "crd.yaml"], &["check", "--against", "crd.yaml", "crd.yaml"]],
    },
    Family {
        name: "values of an enum, and values that are not among them",
        size: 400,
        files: |n| {
            let list = format!(
                "a: {{type: array, items: {{type: string, enum: [{}]}}}}",
                each(n, |i| format!("v{i}"))
            );
            one(spec(list, String::new()), &format!("{{a: [{}]}}", each(n, |i| format!("w{i}"))))
        },
        commands: OBJECT,
    },
    Family {
        name: "different CRDs with one name",
        size: 150,
        files: |n| {
            let crds =
                (0..n).map(|i| definition(&spec(format!("f{i}: {{type: string}}"), String::new()), 1, ""));
            vec![("crd.yaml", crds.collect())]
        },
        commands: &[&["import", "crd.yaml"]],
    },
    Family {
        name: "CRDs of a kind that differ in the last field, among objects",
        size: 30,
        files: |n| {
            let fields = each(60, |i| format!("f{i}: {{type: string, maxLength: 10}}"));
            let crd = |i| {
                definition(
                    &spec(format!("{fields}, z: {{type: string, maxLength: {i}}}"), String::new()),
                    1,
                    "",
                )
            };
            vec![("all.yaml", (1..=n).map(|i| crd(i) + &object(i, "{z: a}")).collect())]
        },
        commands: &[&["validate", "all.yaml"], &["get", "all.yaml"]],
    },
    Family {
        name: "fields that become required",
        size: 1_000,
        files: |n| {
            let fields = each(n, |i| format!("f{i}: {{type: string}}"));
            let text = |required: &str| {
                let spec = format!("{{type: object, properties: {{{fields}}}{required}}}");
                definition(&format!("{{type: object, properties: {{spec: {spec}}}}}"), 1, "")
            };
            let required = format!(", required: [{}]", each(n, |i| format!("f{i}")));
            vec![("old.yaml", text("")), ("crd.yaml", text(&required))]
        },
        commands: &[&["check", "--against", "old.yaml", "crd.yaml"]],
    },
    Family {
        name: "patches of a kustomization",
        size: 200,
        files: |n| {
            let objects = (0..n).map(|i| object(i, "{a: x}")).collect::<String>();
            let patches = (0..n).map(|i| object(i, "{a: z}")).collect::<String>();
            let kustomization = "resources: [objects.yaml]\npatches: [{path: patches.yaml}]\n".to_owned();
            vec![
                ("k/kustomization.yaml", kustomization),
                ("k/objects.yaml", objects),
                ("k/patches.yaml", patches),
            ]
        },
        commands: &[&["validate", "k"]],
    },
    Family {
        name: "values of an enum that becomes a type",
        size: 2_000,
        files: |n| {
            one(
                spec(format!("a: {{type: string, enum: [{}]}}", each(n, |i| format!("v{i}"))), String::new()),
                "",
            )
        },
        commands: &[&["import", "crd.yaml"]],
    },
    Family {
        name: "a description of brackets",
        size: 20_000,
        files: |n| {
            one(spec(format!("a: {{type: string, description: '{}'}}", "[".repeat(n)), String::new()), "")
        },
        commands: &[&["import", "crd.yaml"]],
    },
    Family {
        name: "a description of beginnings of links",
        size: 10_000,
        files: |n| {
            one(
                spec(
                    format!("a: {{type: string, description: '{}'}}", "![a<http://".repeat(n)),
                    String::new(),
                ),
                "",
            )
        },
        commands: &[&["import", "crd.yaml"]],
    },
    Family {
        name: "many keys of a list",
        size: 2_000,
        files: |n| {
            let keys = each(n, |i| format!("k{i}"));
            let fields = each(n, |i| format!("k{i}: {{type: string}}"));
            let list = format!(
                "a: {{type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [{keys}], items: {{type: object, \
                 required: [{keys}], properties: {{{fields}}}}}}}"
            );
            one(spec(list, String::new()), "")
        },
        commands: &[&["check", "crd.yaml"]],
    },
    Family {
        name: "keys of a list",
        size: 100,
        files: |n| {
            let keys = each(n, |i| format!("k{i}"));
            let fields = each(n, |i| format!("k{i}: {{type: string}}"));
            let list = format!(
                "a: {{type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [{keys}], items: {{type: object, \
                 required: [{keys}], properties: {{{fields}}}}}}}"
            );
            let item = each(n, |i| format!("k{i}: a"));
            one(spec(list, String::new()), &format!("{{a: [{{{item}}}]}}"))
        },
        commands: OBJECT,
    },
    Family {
        name: "items of a list with keys",
        size: 300,
        files: |n| {
            let list = "a: {type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [k], items: {type: object, \
                        required: [k], properties: {k: {type: string}}, x-kubernetes-validations: [{rule: self.k != ''}]}}";
            let items = each(n, |i| format!("{{k: a{i}}}"));
            one(spec(list.to_owned(), String::new()), &format!("{{a: [{items}]}}"))
        },
        commands: OBJECT,
    },
    Family {
        name: "objects",
        size: 100,
        files: |n| {
            let objects: String = (0..n).map(|i| object(i, "{a: 1}")).collect();
            vec![("crd.yaml", definition(SMALL, 1, "")), ("object.yaml", objects)]
        },
        commands: &[
            &["validate", "object.yaml", "--crd", "crd.yaml"],
            &["validate", "-o", "json", "object.yaml", "--old", "object.yaml", "--crd", "crd.yaml"],
            &["get", "object.yaml", "--crd", "crd.yaml"],
        ],
    },
    Family {
        name: "objects of one name",
        size: 200,
        files: |n| {
            let objects = object(0, "{a: 1}").repeat(n);
            vec![("crd.yaml", definition(SMALL, 1, "")), ("object.yaml", objects)]
        },
        commands: &[&["validate", "-o", "json", "object.yaml", "--old", "object.yaml", "--crd", "crd.yaml"]],
    },
    Family {
        name: "merged keys that the map has too",
        size: 500,
        files: |n| {
            let keys = each(n, |i| format!("k{i}: 1"));
            one(SMALL.to_owned(), &format!("{{z: &z {{{keys}}}, y: {{<<: *z, {keys}}}}}"))
        },
        commands: &[&["validate", "object.yaml", "--crd", "crd.yaml"]],
    },
    Family {
        name: "owners that are all controllers",
        size: 100,
        files: |n| {
            let owner = |i| format!("{{apiVersion: v1, kind: X, name: a{i}, uid: u{i}, controller: true}}");
            let owners = format!("namespace: a, ownerReferences: [{}]", each(n, owner));
            let owned = object(0, "{}").replace("namespace: a", &owners);
            vec![("crd.yaml", definition(SMALL, 1, "")), ("object.yaml", owned)]
        },
        commands: &[&["validate", "object.yaml", "--crd", "crd.yaml"]],
    },
    Family {
        name: "rules about one large value",
        size: 200,
        files: |n| {
            let properties = "a: {type: integer}, m: {type: object, additionalProperties: {type: string}}";
            let rules = each(n, |i| rule(&format!("self.a > {i}")));
            let members = each(n, |i| format!("k{i}: {}", "v".repeat(100)));
            one(spec(properties.to_owned(), rules), &format!("{{a: 0, m: {{{members}}}}}"))
        },
        commands: &[&["validate", "object.yaml", "--crd", "crd.yaml"]],
    },
    Family {
        name: "items that a patch adds to a list with keys",
        size: 500,
        files: |n| {
            let deployment = |name: &str| {
                let items = each(n, |i| format!("{{name: {name}{i}, value: a}}"));
                format!(
                    "apiVersion: apps/v1\nkind: Deployment\nmetadata: {{name: d}}\nspec: {{template: {{spec: {{containers: [{{name: c, env: [{items}]}}]}}}}}}\n"
                )
            };
            let kustomization = "resources: [a.yaml]\npatches: [{path: p.yaml}]\n".to_owned();
            vec![
                ("built/kustomization.yaml", kustomization),
                ("built/a.yaml", deployment("a")),
                ("built/p.yaml", deployment("p")),
            ]
        },
        commands: &[&["validate", "built"]],
    },
    Family {
        name: "managers, each with a field of its own",
        size: 200,
        files: |n| {
            let fields = each(n, |i| format!("f{i}: a"));
            let map = "m: {type: object, additionalProperties: {type: string}}";
            let owned = |i| {
                format!(
                    "{{manager: o{i}, operation: Apply, apiVersion: example.com/v1, fieldsType: FieldsV1, fieldsV1: {{'f:spec': {{'f:m': {{'f:f{i}': {{}}}}}}}}}}"
                )
            };
            let managers = format!("managedFields: [{}]", each(n, owned));
            let live = object(0, &format!("{{m: {{{fields}}}}}"));
            vec![
                ("crd.yaml", definition(&spec(map.to_owned(), String::new()), 1, "")),
                ("object.yaml", object(0, &format!("{{m: {{{}}}}}", each(n, |i| format!("f{i}: b"))))),
                ("live.yaml", live.replace("namespace: a", &format!("namespace: a, {managers}"))),
            ]
        },
        commands: &[
            &["apply", "object.yaml", "--live", "live.yaml", "--crd", "crd.yaml"],
            &["get", "--show-owners", "live.yaml", "--crd", "crd.yaml"],
        ],
    },
    Family {
        name: "conflicts below long keys",
        size: 100,
        files: |n| {
            let of = |value: &str| {
                let leaves = each(10 * n, |i| format!("f{i}: {value}"));
                let nested =
                    (0..20).fold(format!("{{{leaves}}}"), |at, _| format!("{{{}: {at}}}", "k".repeat(n)));
                object(0, &format!("{{m: {nested}}}"))
            };
            let map = "m: {type: object, x-kubernetes-preserve-unknown-fields: true}";
            vec![
                ("crd.yaml", definition(&spec(map.to_owned(), String::new()), 1, "")),
                ("object.yaml", of("b")),
                ("live.yaml", of("a")),
            ]
        },
        commands: &[&["apply", "object.yaml", "--live", "live.yaml", "--crd", "crd.yaml"]],
    },
    Family {
        name: "items of a default",
        size: 500,
        files: |n| {
            let text = |more: &str, item: &str| {
                let list = format!(
                    "a: {{type: array, items: {{type: string{more}}}, default: [{}]}}",
                    each(n, |_| item.to_owned())
                );
                definition(&spec(list, String::new()), 1, "")
            };
            vec![("old.yaml", text("", "x")), ("crd.yaml", text(", maxLength: 0", "''"))]
        },
        commands: &[&["diff", "old.yaml", "crd.yaml"]],
    },
    Family {
        name: "rules of one object that change",
        size: 20,
        files: |n| {
            let text = |value: &str| {
                let about = |i: usize| {
                    let is_same = format!("!has(oldSelf.f{i}) || self.f{i} == oldSelf.f{i}");
                    rule(&format!("!has(self.f{i}) || {is_same} || self.f{i} == '{value}'"))
                };
                let fields = each(n, |i| format!("f{i}: {{type: string, maxLength: 9}}"));
                definition(&spec(fields, each(n, about)), 1, "")
            };
            vec![("old.yaml", text("x")), ("crd.yaml", text("y"))]
        },
        commands: &[&["diff", "old.yaml", "crd.yaml"]],
    },
    Family {
        name: "stored versions with the same rules, of which one changes",
        size: 10,
        files: |n| {
            let text = |value: &str| {
                let rules = each(9, |i| rule(&format!("!has(self.f{i}) || self.f{i} != '{value}{i}'")));
                let fields = each(9, |i| format!("f{i}: {{type: string, maxLength: 9}}"));
                let names = each(n, |i| format!("v{}", i + 1));
                let status = format!(
                    "status: {{storedVersions: [{names}], conditions: [], acceptedNames: {{plural: ks, kind: K}}}}\n"
                );
                definition(&spec(fields, rules), n, "") + &status
            };
            vec![("old.yaml", text("x")), ("crd.yaml", text("y"))]
        },
        commands: &[&["diff", "old.yaml", "crd.yaml"]],
    },
    Family {
        name: "patterns of Unicode classes that change",
        size: 5,
        files: |n| {
            let text = |class: &str| {
                let pattern = |i: usize| format!("'^(\\pL|[a-z])*[\\pL\\pN]{class}{{{}}}$'", i % 20 + 40);
                let fields = each(n, |i| format!("f{i}: {{type: string, pattern: {}}}", pattern(i)));
                definition(&spec(fields, String::new()), 1, "")
            };
            vec![("old.yaml", text("(\\pL|\\pN)")), ("crd.yaml", text("(\\pN|\\pL)"))]
        },
        commands: &[&["diff", "old.yaml", "crd.yaml"]],
    },
    Family {
        name: "errors and unknown fields below one long key",
        size: 1000,
        files: |n| {
            let schema = |values: &str| {
                let spec = format!("{{type: object, additionalProperties: {values}}}");
                format!("{{type: object, properties: {{spec: {spec}}}}}")
            };
            let key = "k".repeat(10 * n);
            // A key of YAML has at most 1024 characters.
            let all = |value: &str| {
                format!(
                    r#"{{"apiVersion": "example.com/v1", "kind": "K", "metadata": {{"name": "o", "namespace": "a"}}, "spec": {{"{key}": {value}}}}}"#
                )
            };
            let list = all(&format!("[{}]", each(n, |i| i.to_string())));
            let map = all(&format!("{{{}}}", each(n, |i| format!("\"f{i}\": 0"))));
            let twice = all(&format!("{{{}}}", each(n, |i| format!("\"f{}\": 0", i / 2))));
            vec![
                ("errors.crd.yaml", definition(&schema("{type: array, items: {type: string}}"), 1, "")),
                (
                    "unknown.crd.yaml",
                    definition(&schema("{type: object, properties: {x: {type: string}}}"), 1, ""),
                ),
                ("errors.json", list),
                ("unknown.json", map),
                ("twice.json", twice),
            ]
        },
        commands: &[
            &["validate", "errors.json", "--crd", "errors.crd.yaml"],
            &["validate", "unknown.json", "--crd", "unknown.crd.yaml"],
            &["validate", "twice.json", "--crd", "unknown.crd.yaml"],
            &["apply", "errors.json", "--crd", "errors.crd.yaml"],
            &["apply", "unknown.json", "--crd", "unknown.crd.yaml"],
        ],
    },
    Family {
        name: "defaults in front of other fields",
        size: 500,
        files: |n| {
            let fields = each(n, |i| format!("a{i}: {{type: integer, default: 1}}"));
            let spec = format!(
                "{{type: object, x-kubernetes-preserve-unknown-fields: true, properties: {{{fields}}}}}"
            );
            one(
                format!("{{type: object, properties: {{spec: {spec}}}}}"),
                &format!("{{{}}}", each(5 * n, |i| format!("z{i}: 0"))),
            )
        },
        commands: &[&["get", "object.yaml", "--crd", "crd.yaml"]],
    },
    Family {
        name: "macros whose types double",
        size: 6,
        files: |n| {
            let ranges = (1..n).map(|i| format!("[{{x{i}:x{i}}}].exists(x{}, ", i + 1));
            let text =
                format!("[{{1:1}}].exists(x1, {}x{n} == 1{}", ranges.collect::<String>(), ")".repeat(n));
            one(spec(String::new(), rule(&text)), "")
        },
        commands: &[&["check", "crd.yaml"]],
    },
    Family {
        name: "unions of a column",
        size: 8,
        files: |n| {
            let column = format!(
                ", additionalPrinterColumns: [{{name: A, type: string, jsonPath: '.spec.a{}'}}]",
                "[0,0]".repeat(n)
            );
            let schema = "{type: object, x-kubernetes-preserve-unknown-fields: true}";
            let value = format!("{{a: {}1{}}}", "[".repeat(n), "]".repeat(n));
            vec![("crd.yaml", definition(schema, 1, &column)), ("object.yaml", object(0, &value))]
        },
        commands: &[&["get", "object.yaml", "--crd", "crd.yaml"]],
    },
    Family {
        name: "patterns that repeat Unicode classes",
        size: 20,
        files: |n| {
            let fields = each(n, |i| format!("f{i}: {{type: string, pattern: '^[\\pL\\pN]{{1,900}}x{i}$'}}"));
            one(
                spec(fields, String::new()),
                &format!("{{{}}}", each(n, |i| format!("f{i}: {}", "é".repeat(100)))),
            )
        },
        commands: &[&["validate", "object.yaml", "--crd", "crd.yaml"]],
    },
    Family {
        name: "CRDs",
        size: 25,
        files: |n| {
            let all = (0..n).map(|i| {
                definition(SMALL, 1, "").replace("ks", &format!("k{i}s")).replace(": K", &format!(": K{i}"))
            });
            vec![("crd.yaml", all.collect())]
        },
        commands: &[
            &["check", "--lint", "all", "crd.yaml"],
            &["check", "--against", "crd.yaml", "crd.yaml"],
            &["docs", "crd.yaml"],
            &["openapi", "crd.yaml"],
            &["import", "crd.yaml"],
            &["fit", "crd.yaml"],
        ],
    },
];

const SMALL: &str = "{type: object, properties: {spec: {type: object, properties: {a: {type: string}, b: {type: array, \
                     items: {type: integer}}}}, status: {type: object}}}";

fn each(n: usize, part: impl Fn(usize) -> String) -> String {
    (0..n).map(part).collect::<Vec<_>>().join(", ")
}

fn rule(text: &str) -> String {
    format!("{{rule: \"{text}\"}}")
}

/// A schema whose `spec` has these properties and rules.
fn spec(properties: String, rules: String) -> String {
    format!(
        "{{type: object, properties: {{spec: {{type: object, properties: {{{properties}}}, x-kubernetes-validations: [{rules}]}}}}}}"
    )
}

/// A CRD with this schema, and an object with this `spec`.
fn one(schema: String, spec: &str) -> Vec<(&'static str, String)> {
    let spec = if spec.is_empty() { "{}" } else { spec };
    vec![("crd.yaml", definition(&schema, 1, "")), ("object.yaml", object(0, spec))]
}

/// A CRD with some versions that have the same schema and the same other fields.
fn definition(schema: &str, versions: usize, more: &str) -> String {
    let mut out = "---\napiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: ks.example.com}\n\
                   spec:\n  group: example.com\n  scope: Namespaced\n  names: {plural: ks, kind: K}\n  versions:\n"
        .to_owned();
    for i in 1..=versions {
        let _ = writeln!(
            out,
            "  - {{name: v{i}, served: true, storage: {}, schema: {{openAPIV3Schema: {schema}}}{more}}}",
            i == 1
        );
    }
    out
}

fn object(number: usize, spec: &str) -> String {
    format!(
        "---\napiVersion: example.com/v1\nkind: K\nmetadata: {{name: o{number}, namespace: a}}\nspec: {spec}\n"
    )
}

/// What a run took.
#[derive(Clone, Copy, Debug)]
struct Used {
    time: Duration,
    memory: u64,
}

impl Used {
    /// Whether this run took at most so many times as much as another one, and a fifth more. Small differences do not
    /// count: a processor that others use too is slower, and its time is only known in hundredths of a second.
    fn is_at_most(self, times: u32, of: Used) -> bool {
        let slack = Duration::from_millis(if optimized().is_some() { 60 } else { 150 });
        self.time <= of.time * times * 6 / 5 + slack
            && self.memory <= of.memory * u64::from(times) * 6 / 5 + (16 << 20)
    }

    fn least(self, other: Used) -> Used {
        Used { time: self.time.min(other.time), memory: self.memory.min(other.memory) }
    }
}

/// A kind with these fields, and a type for each of them.
fn types(
    n: usize,
    field: impl Fn(usize) -> String,
    ty: impl Fn(usize) -> String,
) -> Vec<(&'static str, String)> {
    const DERIVES: &str = "#[derive(Clone, Debug, Deserialize, Schema, Serialize)]";
    let mut text = format!(
        "use crdgen::{{CustomResource, Schema}};\nuse serde::*;\n#[derive(CustomResource)]\n{DERIVES}\n\
         #[kube(group = \"example.com\", version = \"v1\", kind = \"K\")]\nstruct KSpec {{ {} }}\n",
        each(n, field)
    );
    for it in (0..n).map(ty).filter(|it| !it.is_empty()) {
        _ = writeln!(text, "{DERIVES}\n{it}");
    }
    vec![("kinds.rs", text)]
}

fn measure(sandbox: &Sandbox, family: &Family, times: usize, args: &[&str]) -> Used {
    // An optimized program is about ten times as fast.
    let size = family.size * if optimized().is_some() && family.size > 20 { 10 } else { 1 };
    for (name, text) in (family.files)(size * times) {
        sandbox.write(name, text);
    }
    let ran = sandbox.run(args);
    assert!(matches!(ran.code(), Some(0 | 1)), "{}: {args:?}: {:?}\n{}", family.name, ran.code(), ran.stderr);
    Used { time: ran.time, memory: ran.memory }
}

#[test]
fn time_and_memory_grow_with_the_input() {
    let mut sandbox = Sandbox::new("growth");
    sandbox.limits = Limits::new(60, 2 << 30);
    let mut wrong = Vec::new();
    for (input, family) in FAMILIES.iter().enumerate() {
        for args in part(family.commands, input, 3) {
            let sizes = [1, 2, 4];
            let mut used = sizes.map(|times| measure(&sandbox, family, times, args));
            let grows = |used: &[Used; 3]| used[1].is_at_most(2, used[0]) && used[2].is_at_most(4, used[0]);
            // What is too slow because of other processes is faster the next time.
            for _ in 0..2 {
                if !grows(&used) {
                    let again = sizes.map(|times| measure(&sandbox, family, times, args));
                    used = std::array::from_fn(|i| used[i].least(again[i]));
                }
            }
            if !grows(&used) {
                wrong.push(format!("{}: {}: {used:?}", family.name, args.join(" ")));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_quadratic_program_would_be_found() {
    let used = |ms: u64, mib: u64| Used { time: Duration::from_millis(ms), memory: mib << 20 };
    assert!(used(520, 170).is_at_most(4, used(100, 40)));
    assert!(!used(1_600, 40).is_at_most(4, used(100, 40)));
    assert!(!used(100, 640).is_at_most(4, used(100, 40)));
}
