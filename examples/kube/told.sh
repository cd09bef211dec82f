#!/usr/bin/env bash
# What rustc says to crates that have not moved as a whole: one error each, which says what to do.
#
#   examples/kube/told.sh
set -eu
here=$(cd "$(dirname "$0")" && pwd)
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
mkdir -p "$dir/src"
failed=0

told() { # NAME FEATURES DEPENDENCIES SOURCE LINE...: what a crate is told, each line somewhere in its only error
  local name=$1
  cat > "$dir/Cargo.toml" << END
[workspace]
[package]
name = "told"
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
  # Which version of Kubernetes is none of these errors' business.
  if (cd "$dir" && K8S_OPENAPI_ENABLED_VERSION=1.35 cargo check > log 2>&1); then
    echo "$name: it builds"
    failed=1
    return
  fi
  local line
  for line in "$@"; do
    if ! grep -qF "$line" "$dir/log" || [ "$(grep -c '^error\[' "$dir/log")" -ne 1 ]; then
      cat "$dir/log"
      echo "$name: this is not what it should be told: $line"
      failed=1
      return
    fi
  done
  echo "$name: told"
}

told "another version of kube" '"kube"' 'kube = { version = "4", default-features = false }
k8s-openapi = { version = "0.28", default-features = false }' '
use crdgen::kube::{CustomResource, JsonSchema};
#[derive(Clone, CustomResource, Debug, serde::Deserialize, JsonSchema, serde::Serialize)]
#[kube(group = "example.com", version = "v1", kind = "Foo", namespaced)]
pub struct FooSpec {
    pub name: String,
}' \
  "error[E0277]: this is another version of k8s-openapi than crdgen's feature \`kube\` speaks" \
  "crdgen is made for kube 5 and k8s-openapi 0.29: bring both to these versions"

told "a function for schemars 0.8" '"schemars"' 'schemars = "0.8"' '
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
  "fn name(_: &mut schemars::SchemaGenerator) -> schemars::Schema"

told "an impl for schemars alone" '"schemars"' 'schemars = "1"' '
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
