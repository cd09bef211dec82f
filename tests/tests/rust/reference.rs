//! The reference of the attributes is generated from the table with which they are parsed.

use std::path::Path;

const HEAD: &str = "\
# Attributes

The attributes that crdgen reads on types, fields and variants. New code uses `#[schema(…)]` and `#[kube(…)]`. crdgen also
reads the attributes of serde, schemars, kube-derive, validator and garde, with the meaning that they have there.

The tables are generated from the code that reads the attributes: `UPDATE=1 cargo test -p crdgen-tests reference`.

- JSON values are Rust literals: `{ \"a\": [1, true, null] }`. SCHEMA is a schema in the same form, with the keywords of a
  CRD.
- The column \"on\" shows where you can write a key. *Kinds* are types that derive `CustomResource`; *items and values* means
  inside `items(…)`, `values(…)` and similar keys; *keys* means inside `keys(…)`.
- The compiler rejects an unknown key, a key in the wrong place, contradictory keys, and a constraint that would have no
  effect on the schema.
- A rule that fails for each object without an optional field, because it reads the field without `has()`, causes a warning. There
  is none if another part of the rule can decide, as in `self.a == 'x' || self.b > 1`. Derives cannot print warnings, so the compiler
  reports the use of a deprecated constant.
- `#[schema(allow(LNT013, reason = \"…\"))]` hides the warning with this code: on a field or type about it and everything
  inside, on a kind about its whole CRD. It works in the derives, the generated test, `crdgen emit` and `Builder`. In YAML it
  becomes a comment `# crdgen:allow LNT013 …` at the same place, which `crdgen check` reads. Only warnings can be allowed. `crdgen check`,
  `crdgen emit` and `Builder` warn about an `allow` without effect.
- The generated test of a kind fails if the server would reject its CRD. It prints warnings, which
  `cargo test -- --nocapture` shows. To test objects of the kind, write `crdgen::assert_admitted!(object)` and
  `crdgen::assert_refused!(object)` (feature `check`). With `#[schema(test = \"deny_warnings\")]` they make the test fail.

## What types become

**Documentation comments** become descriptions.

**`Option`** fields are optional. They are also `nullable` if serde writes `null` for `None`, which it does without
`skip_serializing_if`. In unions they are never nullable, because the server would count `null` as a field that is set.

**`#[serde(default)]`** makes a field optional and puts the default into the schema, unless `skip_serializing_if` would leave
that value out.

**Enums** are closed, in all of serde's representations: the server rejects a field that belongs to another variant, even
if serde would ignore it. It drops fields that belong to no variant, as it does everywhere.

**Kubernetes' own types** (`k8s_openapi::…`, feature `k8s-openapi`) have the schemas that controller-gen generates from the
same Go types, without descriptions and without rules about changes, and the integer in an `IntOrString` has 32 bits. They are the types of Kubernetes {NEWEST}, with the
fields that they have in the version of your k8s-openapi. To change a schema inside one, use `override(\".spec.containers[].name\", …)`. k8s-openapi before 0.26.1 reads only
strings as a `Quantity`, but the server accepts integers too: use a newer one, or `#[schema(as = \"String\")]` at the field. As in controller-gen, the server drops all
metadata of an embedded PodTemplateSpec. Add `metadata = \"subset\"` if you need its labels. Kinds that derive
`crdgen::kube::CustomResource` keep all metadata that users may set.

**Types of other crates** without a schema need one at the field:

| Type | Attribute |
| --- | --- |
| `kube::core::Duration`, `Option` of it. It does not read all that `format = \"duration\"` allows, such as `7d` | `#[schema(as = \"String\", pattern = r\"^(0|-?([0-9]{1,14}(\\.[0-9]{1,9})?(ns|us|µs|ms|s|m|h)){1,9})$\")]` |
| `chrono::Weekday`, `chrono::Month` | `#[schema(as = \"String\")]`, with `one_of_values = [\"Mon\", …]` for the names that serde reads |
| `chrono::TimeDelta`, which serde writes as seconds and nanoseconds | `#[schema(as = \"Vec<i64>\", length(min = 2, max = 2), items(minimum = -9000000000000000, maximum = 9000000000000000), rule = \"self[1] >= 0 && self[1] < 1000000000\")]` |
| a type that serde writes as text | `#[schema(as = \"String\")]` |

## What reports a mistake

The promise is: if it compiles and its test passes, the server accepts the CRD, and serde reads what the server stores.

- **The compiler** reports what one type and its attributes show: bounds, defaults, formats and patterns that contradict the type,
  attributes that contradict serde, schemas in attributes without a type, rules that do not compile, and what a list needs of its items.
- **The generated test** reports what only all types together show: paths of columns and rules through several types, defaults that
  functions compute, columns in structs that are only in lists, recursive types. With crdgen's feature `check` it also reports
  everything else that the server checks: the cost of all rules, schemas that code returns, patterns with an engine for
  regular expressions, and with random objects whether serde reads what the server accepts, and writes what the server accepts
  again, unless the schema of the whole kind is written by hand (`schema = \"manual\"`). If crdgen finds no object that the rules accept, the
  test fails and shows the error: give the fields of the rule an `example`. So turn on `check` in `[dev-dependencies]`.
- **`crdgen emit`, `Builder` and `crdgen check`** report the same about the CRD as the test with `check`. They do not run your code: only the
  tests try random objects, and only the compiler and the test of `#[derive(Convert)]` report all mistakes in conversions.

";

#[test]
fn the_reference_is_current() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../codegen/ATTRIBUTES.md");
    let newest = format!("1.{}", crdgen_core::server::Server::NEWEST.minor());
    let head = HEAD.replace("{NEWEST}", &newest);
    let attributes = crdgen_rust::attrs::reference();
    let conversions = crdgen_rust::convert::reference();
    let versions = crdgen_rust::versioned::reference();
    let configurations = crdgen_rust::derive::apply::reference();
    let wanted = format!("{head}{}\n\n{conversions}\n{versions}\n{configurations}", attributes.trim_end());
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(&path, &wanted).unwrap_or_else(|e| panic!("{e}"));
    }
    let found = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        found == wanted,
        "codegen/ATTRIBUTES.md is out of date: UPDATE=1 cargo test -p crdgen-tests reference"
    );
}
