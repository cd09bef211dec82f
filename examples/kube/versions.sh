#!/usr/bin/env bash
# Builds the types and the controller of these examples with other versions of kube: one package per version, from the
# same sources. It must compile, and its `crd()` must return the CRDs that `crdgen emit` reads from its sources.
#
#   examples/kube/versions.sh              the oldest version, and the one that $CRDGEN_TURN selects
#   examples/kube/versions.sh 0.92 4.2     these
#   CI_PARTS=all examples/kube/versions.sh  all
#   CRDGEN_LIVE=1 CRDGEN_ORACLE=… …        with the controller's live test for some of them
#
# $CRDGEN is the command (default: it is built). The packages and their builds stay in $CARGO_TARGET_DIR/kube.
# codegen/MIGRATION.md has a table of the versions that work. The script fails if the table differs, and writes it with
# UPDATE=1. A version that was not tried keeps its row.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
target=${CARGO_TARGET_DIR:-$here/target}/kube
# The versions of kube, k8s-openapi and schemars.
table='0.88 0.21 0.8
0.92 0.22 0.8
0.99 0.24 0.8
1.1 0.25 0.8
2.0 0.26 1
3.1 0.27 1
4.2 0.28 1
5.0 0.29 1'
guide=$here/../../codegen/MIGRATION.md
if [ $# -gt 0 ]; then
  wanted="$*"
elif [ "${CI_PARTS:-}" = all ]; then
  wanted=$(cut -d' ' -f1 <<< "$table" | paste -sd' ')
else
  case $((${CRDGEN_TURN:-0} % 7)) in
    0) other=0.92 ;;
    1) other=0.99 ;;
    2) other=1.1 ;;
    3) other=2.0 ;;
    4) other=3.1 ;;
    5) other=4.2 ;;
    *) other=5.0 ;;
  esac
  wanted="0.88 $other"
fi
# These versions also run the controller with the API server's own code. examples/kube/controller does so with the
# newest.
live=
if [ -n "${CRDGEN_LIVE:-}" ]; then live='0.88 1.1 3.1'; fi
# The packages themselves choose the version of Kubernetes' types in k8s-openapi, as users do.
unset K8S_OPENAPI_ENABLED_VERSION
if [ -z "${CRDGEN:-}" ]; then
  cargo build -q --manifest-path "$here/../../Cargo.toml" -p crdgen-cli
  CRDGEN=${CARGO_TARGET_DIR:-$here/../../target}/debug/crdgen
fi

package() { # FOLDER KUBE K8S_OPENAPI SCHEMARS
  local generation=1 features='"kube", "schemars"' tls=', "kube/ring"'
  if [ "$4" = 0.8 ]; then generation=08 features='"kube", "schemars-08"'; fi
  # Before kube 1, only one cryptography provider was possible.
  case $2 in 0.*) tls= ;; esac
  rm -rf "$1/src" "$1/emitted" "$1/given"
  mkdir -p "$1/src/site" "$1/src/live/story" "$1/given"
  cat > "$1/Cargo.toml" << END
[workspace]
[package]
name = "beside-kube"
version = "0.1.0"
edition = "2021"
[features]
controller = ["dep:futures", "kube/client", "kube/runtime"]
live = ["controller", "kube/rustls-tls"$tls]
[dependencies]
crdgen = { path = "$here/../../codegen/crdgen", features = [$features] }
futures = { version = "0.3", default-features = false, optional = true }
k8s-openapi = { version = "$3", features = ["latest"] }
kube = { version = "$2", default-features = false }
schemars = "$4"
serde = { version = "1", features = ["derive"] }
serde_json = "1"
[dev-dependencies]
crdgen-live-server = { path = "$here/../../tests/server" }
tokio = { version = "1", features = ["macros", "rt-multi-thread", "time"] }
END
  local file
  for file in types habits; do
    { echo 'use crdgen::kube::{CustomResource, JsonSchema, KubeSchema};'; cat "$here/types/src/$file.rs"; } > "$1/src/$file.rs"
  done
  cp "$here/versions/main.rs" "$here/versions/embedded.rs" "$1/src/"
  cp "$here/versions/by_hand_$generation.rs" "$1/src/by_hand.rs"
  cp "$here"/controller/src/site/*.rs "$1/src/site/"
  cp "$here/controller/tests/story/mod.rs" "$1/src/live/story/"
  printf 'pub mod kinds;\npub mod reconcile;\n' > "$1/src/site/mod.rs"
  case $2 in
    # In these versions, a recorder of events belongs to one object.
    0.88 | 0.92) patch -s "$1/src/site/reconcile.rs" "$here/versions/events.patch" ;;
  esac
}

# The program and its sources must give the same CRDs. `emit` also knows private kinds, and marks its files.
same() {
  local file
  for file in given/*; do
    diff <(grep -v '^# @generated' "emitted/$(basename "$file")") "$file" || return 1
  done
}

failed=0 rows=
while read -r kube k8s schemars; do
  row="| $kube | $k8s | $schemars |"
  if [[ " $wanted " != *" $kube "* ]]; then
    if grep -qxF "$row" "$guide"; then rows+="$row"$'\n'; fi
    continue
  fi
  folder=$target/$kube
  package "$folder" "$kube" "$k8s" "$schemars"
  echo "# kube $kube, k8s-openapi $k8s, schemars $schemars"
  (
    cd "$folder"
    export CARGO_TARGET_DIR=$target/target
    cargo run -q --features '' -- given > log 2>&1 || { cat log; exit 1; }
    # One kind is only known to the program, and another one is not stored, so `emit` needs `--force`.
    "$CRDGEN" emit --features controller --force --out-dir emitted . 2> log || [ $? -eq 1 ] || { cat log; exit 1; }
    same || exit 1
    # This also compiles the controller.
    if [[ " $live " == *" $kube "* ]]; then
      cargo test -q --features live live:: > log 2>&1 || { cat log; exit 1; }
      ! grep SKIPPED log
    else
      cargo check -q --features controller > log 2>&1 || { cat log; exit 1; }
    fi
  ) && rows+="$row"$'\n' || { failed=1; echo "kube $kube does not work"; }
done <<< "$table"
# Prints a text with this table in the place of its own.
written() { # FILE
  local at=before line
  while IFS= read -r line; do
    if [ "$line" = '| kube | k8s-openapi | schemars |' ]; then
      at=inside
      printf '%s\n| --- | --- | --- |\n%s' "$line" "$rows"
    elif [ $at != inside ] || [[ $line != '|'* ]]; then
      at=outside
      printf '%s\n' "$line"
    fi
  done < "$1"
}
if [ -n "${UPDATE:-}" ]; then
  new=$(written "$guide")
  printf '%s\n' "$new" > "$guide"
elif ! diff <(written "$guide") "$guide"; then
  echo "the table in $(basename "$guide") differs: run with UPDATE=1"
  failed=1
fi
exit $failed
