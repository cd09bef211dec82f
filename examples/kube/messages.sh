#!/usr/bin/env bash
# Checks what rustc prints for crates that moved only in part: one error each, with help.
#
#   examples/kube/messages.sh
set -eu
here=$(cd "$(dirname "$0")" && pwd)
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
mkdir -p "$dir/src"
failed=0

prints() { # NAME FEATURES DEPENDENCIES SOURCE LINE...: rustc rejects the crate with one error, which has each of the lines
  local name=$1
  cat > "$dir/Cargo.toml" << END
[workspace]
[package]
name = "messages"
version = "0.1.0"
edition = "2021"
[dependencies]
crdgen = { path = "$here/../../codegen/crdgen", features = [$2] }
serde = { version = "1", features = ["derive"] }
serde_json = "1"
$3
END
  echo "$4" > "$dir/src/lib.rs"
  shift 4
  if (cd "$dir" && cargo check > log 2>&1); then
    echo "$name: it builds"
    failed=1
    return
  fi
  local line
  for line in "$@"; do
    if ! grep -qF "$line" "$dir/log" || [ "$(grep -c '^error\[' "$dir/log")" -ne "${errors:-1}" ]; then
      cat "$dir/log"
      echo "$name: the only error has no line: $line"
      failed=1
      return
    fi
  done
  echo "$name: as expected"
}

# Errors about kube's traits have kube's own words too.
errors=4 prints "versions that do not go together" '"kube"' 'kube = { version = "4", default-features = false }
older = { package = "k8s-openapi", version = "0.28", features = ["latest"] }
k8s-openapi = { version = "0.29", features = ["latest"] }' '
use crdgen::kube::{CustomResource, JsonSchema};
#[derive(Clone, CustomResource, Debug, serde::Deserialize, JsonSchema, serde::Serialize)]
#[kube(group = "example.com", version = "v1", kind = "Foo", namespaced)]
pub struct FooSpec {
    pub name: String,
}' \
  "kube and this crate use different versions of k8s-openapi" \
  "bring \`k8s-openapi\` in Cargo.toml to the version that kube uses"

prints "a function for schemars 0.8" '"schemars"' 'schemars = "0.8"' '
use crdgen::JsonSchema;
#[derive(JsonSchema)]
pub struct Old {
    #[schemars(schema_with = "old")]
    pub field: String,
}
fn old(_: &mut schemars::gen::SchemaGenerator) -> schemars::schema::Schema {
    serde_json::from_value(serde_json::json!({ "type": "string" })).unwrap()
}' \
  "the function gives no schema that crdgen can read" \
  "functions for schemars 0.8, \`fn(&mut schemars::gen::SchemaGenerator) -> schemars::schema::Schema\`, need crdgen's"

prints "an impl for schemars alone" '"schemars"' 'schemars = "1"' '
use crdgen::Schema;
#[derive(Schema)]
pub struct New {
    pub field: Vec<Hand>,
}
pub struct Hand;
impl schemars::JsonSchema for Hand {
    fn schema_name() -> std::borrow::Cow<'"'"'static, str> {
        "Hand".into()
    }
    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "string" })
    }
}' \
  "\`Hand\` has no schema" "crdgen::from_schemars!(Type);"
exit $failed
