#!/usr/bin/env bash
# Measures what it costs to build a crate on kube-rs with crdgen and with kube-derive and schemars: the same types
# (types/src/types.rs) in two crates, in processor time, from scratch and after an edit. The cost of an edit is also
# compared with a baseline: the same types with serde alone and the same kube. Around each spec, the baseline has the
# object that its author would write by hand, with serde's derives and without impls of kube's traits.
#
#   examples/kube/cost.sh [FOLDER]    builds in FOLDER (default: a new one, removed at the end)
#   KUBE=3.1 examples/kube/cost.sh    beside this version of kube (default: 5.0), one that versions.sh has
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
dir=${1:-$(mktemp -d)}
[ $# -gt 0 ] || trap 'rm -rf "$dir"' EXIT
unset CARGO_TARGET_DIR
kube=${KUBE:-5.0}
k8s=$(sed -nE "s/^(table=')?${kube//./\\.} ([0-9.]+) .*/\2/p" "$here/versions.sh")
: "${k8s:?examples/kube/versions.sh does not have this version of kube}"

crate() { # NAME DEPENDENCIES USES
  mkdir -p "$dir/$1/src"
  # The lock file of the examples has the newest kube. For another version, Cargo chooses the versions of dependencies.
  if [ "$kube" = 5.0 ]; then cp "$here/Cargo.lock" "$dir/$1/"; fi
  cat > "$dir/$1/Cargo.toml" << EOF
[workspace]
[package]
name = "$1"
version = "0.1.0"
edition = "2024"
[dependencies]
serde = { version = "1", features = ["derive"] }
serde_json = "1"
$2
EOF
  # The last kind names crates of this workspace, and kube-derive has `no_spec` since version 5.
  { echo "$3"; sed '/^\/\/\/ All crates out of a framework/,$d' "$here/types/src/types.rs"; } \
    | case $kube in 5.*) cat ;; *) perl -00 -ne 'print unless /\bno_spec\b/' ;; esac > "$dir/$1/src/lib.rs"
}

plain() { # the types without attributes and derives that are not serde's, then the objects
  awk '
    function value(key) { # of an attribute, with quotes or without
      if (!match(said, "[(, ]" key " = [^,)]*")) return ""
      found = substr(said, RSTART, RLENGTH)
      sub(/^.[a-z]+ = /, "", found); gsub(/"/, "", found)
      return found
    }
    function object(public, spec, name, status, derives) {
      name = value("root") == "" ? value("kind") : value("root")
      status = value("status")
      derives = said ~ /derive = "PartialEq"/ ? ", PartialEq" : ""
      if (said ~ /derive = "Default"/) derives = derives ", Default"
      objects = objects "#[derive(Clone, Debug, Deserialize, Serialize" derives ")]\n"
      objects = objects public "struct " name " {\n    pub metadata: kube::core::ObjectMeta,\n"
      if (said ~ /no_spec/) objects = objects "    #[serde(flatten)]\n"
      objects = objects "    pub spec: " spec ",\n"
      if (status != "") objects = objects "    pub status: Option<" status ">,\n"
      objects = objects "}\n"
    }
    !inside && /^ *#\[(kube|x_kube|schemars|schema|validate|garde)[(]/ { inside = 1; kube = /#\[kube/ }
    inside && kube { said = said " " $0 }
    inside { open += gsub(/\[/, "[") - gsub(/\]/, "]"); if (open == 0) inside = 0; next }
    /^ *(pub )?(struct|enum) / {
      if (said ~ /kind = /) { if ($1 == "pub") object("pub ", $3); else object("", $2) }
      said = ""
    }
    /#\[derive/ { gsub(/(CustomResource|KubeSchema|(super::)?JsonSchema), /, "") }
    # This is the only place that creates an object.
    /^ *let mut till = / { print "        serde_json::Value::Null"; rest = 3 }
    rest { rest--; next }
    { print }
    END { printf "%s", objects }'
}

cpu() { # FOLDER COMMAND...: user and system time, in seconds
  local TIMEFORMAT='%U %S' folder=$1
  shift
  { time (cd "$folder" && "$@" > log 2>&1); } 2>&1 | awk '{ print $1 + $2 }' || { cat "$folder/log" >&2; exit 1; }
}

crate old "kube = { version = \"$kube\", default-features = false, features = [\"derive\"] }
schemars = \"1\"
k8s-openapi = { version = \"$k8s\", default-features = false, features = [\"latest\", \"schemars\"] }" \
  'use kube::{CustomResource, KubeSchema}; use schemars::JsonSchema;'
crate new "kube = { version = \"$kube\", default-features = false }
crdgen = { path = \"$here/../../codegen/crdgen\", features = [\"kube\"] }
k8s-openapi = { version = \"$k8s\", default-features = false, features = [\"latest\"] }" \
  'use crdgen::kube::{CustomResource, JsonSchema, KubeSchema};'

crate floor "kube = { version = \"$kube\", default-features = false }
k8s-openapi = { version = \"$k8s\", default-features = false, features = [\"latest\"] }" ''
plain < "$dir/floor/src/lib.rs" > "$dir/floor/src/plain.rs"
mv "$dir/floor/src/plain.rs" "$dir/floor/src/lib.rs"

for name in old new; do
  (cd "$dir/$name" && cargo fetch -q && rm -rf target)
  took=$(CARGO_INCREMENTAL=0 cpu "$dir/$name" cargo build)
  declare "clean_$name=$took"
done
for name in floor old new; do
  CARGO_INCREMENTAL=1 cpu "$dir/$name" cargo check > /dev/null
done
# They take turns, so that other processes disturb both equally.
edit_floor=99 edit_old=99 edit_new=99
for round in 1 2 3 4 5; do
  for name in floor old new; do
    printf '/// An edit.\npub const EDIT_%s: u32 = %s;\n' "$round" "$round" >> "$dir/$name/src/lib.rs"
    took=$(CARGO_INCREMENTAL=1 cpu "$dir/$name" cargo check)
    least=edit_$name
    declare "$least=$(printf '%s\n%s\n' "${!least}" "$took" | sort -g | head -1)"
  done
done
row() { awk -v w="$1" -v o="$2" -v n="$3" 'BEGIN { printf "%-28s %8.2f %8.2f %8.2f\n", w, o, n, n / o }'; }
printf '%-28s %8s %8s %8s\n' 'CPU seconds' kube-rs crdgen ratio
# shellcheck disable=SC2154
row 'clean build' "$clean_old" "$clean_new"
row 'check after an edit' "$edit_old" "$edit_new"
above() { awk -v a="$1" -v f="$edit_floor" 'BEGIN { print a - f }'; }
# shellcheck disable=SC2154
row "  above serde ($edit_floor)" "$(above "$edit_old")" "$(above "$edit_new")"
