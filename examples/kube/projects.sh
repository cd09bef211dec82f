#!/usr/bin/env bash
# Real projects on kube-rs: what `emit` and `migrate-check` make of their sources as they are, and whether they compile at
# their own version of kube once their `use` lines are changed as codegen/MIGRATION.md says.
#
#   CRDGEN_PROJECTS=FOLDER examples/kube/projects.sh              all projects
#   CRDGEN_PROJECTS=FOLDER examples/kube/projects.sh akri kaniop  these
#   BUILD=no …                                                    without compiling them
#
# The folder has a checkout of each project under its name. Nothing is downloaded but what cargo needs, and the checkouts
# stay as they are: copies are changed and built in $CARGO_TARGET_DIR/projects. What is not there is skipped, and listed.
# $CRDGEN is the command (default: it is built). The output is a row for each project. A project that does not compile, or
# whose kinds are not all emitted, is no failure of the script.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
work=${CARGO_TARGET_DIR:-$here/target}/projects
: "${CRDGEN_PROJECTS:?is the folder with a checkout of each project}"
# Name, folder of the package or workspace that is read, package that is built (`-`: none; why is behind it).
table='akri . akri-shared
bitwarden-secret-operator-rs . bitwarden-secret-operator
bottlerocket-update-operator . models
cluster-api-addon-provider-fleet . cluster-api-addon-provider-fleet
controller-rs . controller
k8s-aws-iam-controller . -
kaniop . - needs a newer rustc
keramik . keramik-operator
linkerd2 . linkerd-policy-controller-k8s-api
nextcloud-operator-rs . nextcloud-operator
OpenARK . - its own schemars
restate-operator . restate-operator
rhio . - git dependencies
Stellar-K8s . -
tembo tembo-operator controller
wasmcloud-operator . wasmcloud-operator-types
gateway-api-rs . - a library of others'"'"' kinds'
wanted=" $* "
# A project may ask for a toolchain that is not there; its own versions of crates stay.
RUSTUP_TOOLCHAIN=${RUSTUP_TOOLCHAIN:-$(rustup show active-toolchain 2> /dev/null | cut -d' ' -f1)}
export RUSTUP_TOOLCHAIN
unset K8S_OPENAPI_ENABLED_VERSION
if [ -z "${CRDGEN:-}" ]; then
  cargo build -q --manifest-path "$root/Cargo.toml" -p crdgen --features cli
  CRDGEN=${CARGO_TARGET_DIR:-$root/target}/debug/crdgen
fi
mkdir -p "$work"

# The names that crdgen has, out of `use` lines of kube and schemars; lines that name them by their paths are counted.
move() { # FOLDER
  find "$1" -name '*.rs' -not -path '*/target/*' -print0 | xargs -0 perl -0777 -i -pe '
    sub moved {
      my ($indent, $vis, $krate, $body) = @_;
      my %ours = map { $_ => 1 } $krate eq "schemars" ? ("JsonSchema") : qw(CustomResource KubeSchema CELSchema);
      my @parts = ($body);
      if ($body =~ /^\{(.*)\}$/s) {
        @parts = (""); my $depth = 0;
        for my $c (split //, $1) {
          $depth++ if $c eq "{"; $depth-- if $c eq "}";
          if ($c eq "," && !$depth) { push @parts, "" } else { $parts[-1] .= $c }
        }
      }
      s/^\s+|\s+$//g for @parts;
      my @moved = grep { /^(\w+)/ && $ours{$1} && /^\w+(\s+as\s+\w+)?$/ } @parts;
      return "$indent$vis" . "use $krate\:\:$body;" unless @moved;
      my %gone = map { $_ => 1 } @moved;
      my @rest = grep { length && !$gone{$_} } @parts;
      my $out = "$indent$vis" . "use crdgen::kube::{" . join(", ", @moved) . "};";
      $out .= "\n$indent$vis" . "use $krate\:\:{" . join(", ", @rest) . "};" if @rest;
      return $out;
    }
    s{^([ \t]*)((?:pub(?:\([a-z]+\))? )?)use (kube|kube_derive|schemars)::([^;]*);}{moved($1, $2, $3, $4)}gme;
    s{(#\[derive\([^\]]*)}{my $it = $1; $it =~ s/\b(?:kube|kube_derive)::(CustomResource|KubeSchema|CELSchema)\b/crdgen::kube::$1/g; $it =~ s/(?<!:)\bschemars::JsonSchema\b/crdgen::kube::JsonSchema/g; $it}ge;
  '
}

# The version of a dependency in the manifests of a folder: the first that has a number.
version() { # FOLDER NAME
  find "$1" -name Cargo.toml -not -path '*/target/*' -print0 | xargs -0 perl -0777 -ne '
    my $name = "'"$2"'";
    print "$1\n" if /^$name\s*=\s*"[~^=]?([0-9.]+)"/m || /^$name\s*=\s*\{[^}]*?version\s*=\s*"[~^=]?([0-9.]+)"/m
      || /^\[[a-z.-]*dependencies\.$name\]\n(?:(?!\[).*\n)*?version\s*=\s*"[~^=]?([0-9.]+)"/m;
  ' | head -1
}

# The features that a project needs, by its version of schemars.
features() { # FOLDER
  case $(version "$1" schemars) in
    '') echo '"kube"' ;;
    0*) echo '"kube", "schemars-08"' ;;
    *) echo '"kube", "schemars"' ;;
  esac
}

# The copy compiles, or the first error says why not.
build() { # FOLDER PACKAGE
  local manifest
  manifest=$(cd "$1" && cargo metadata --format-version 1 --no-deps 2> /dev/null | jq -r --arg p "$2" '.packages[] | select(.name == $p) | .manifest_path')
  if [ -z "$manifest" ]; then echo 'cargo cannot read it'; return; fi
  move "$(dirname "$manifest")"
  perl -0777 -i -pe "s{^\\[dependencies\\]\$}{[dependencies]\\ncrdgen = { path = \"$root/codegen/crdgen\", features = [$(features "$1")] }}m" "$manifest"
  (
    cd "$1"
    export CARGO_TARGET_DIR=$work/target
    cargo update -q -p proc-macro2 -p portable-atomic > /dev/null 2>&1 || cargo update -q -p proc-macro2 > /dev/null 2>&1 || true
    if cargo check -q -p "$2" > "$1/check.log" 2>&1; then echo yes; else grep -m1 -E '^error' "$1/check.log" | cut -c1-100; fi
  )
}

printf '| project | kube | kinds | emitted | data lost | to review | other lines | compiles |\n| --- | --- | --- | --- | --- | --- | --- | --- |\n'
kinds=0 written=0 skipped=
while read -r name folder package why; do
  [ "$wanted" = '  ' ] || [[ $wanted == *" $name "* ]] || continue
  if [ ! -d "$CRDGEN_PROJECTS/$name/$folder" ]; then skipped+=" $name"; continue; fi
  copy=$work/$name
  rm -rf "$copy" "$work/$name.crds"
  cp -r "$CRDGEN_PROJECTS/$name" "$copy"
  kube=$(version "$copy" kube)
  (cd "$copy/$folder" && "$CRDGEN" emit --out-dir "$work/$name.crds" . > /dev/null 2> "$work/$name.emit") || true
  emitted=$(find "$work/$name.crds" -name '*.yaml' 2> /dev/null | wc -l)
  missing=$(grep -c '^not emitted' "$work/$name.emit" || true)
  (cd "$copy/$folder" && "$CRDGEN" migrate-check . > "$work/$name.report" 2>&1) || true
  (cd "$copy/$folder" && "$CRDGEN" migrate-check -o json . 2> /dev/null) > "$work/$name.json" || true
  count() { jq "[.[].changes[] | select(.sort == \"$1\")] | length" "$work/$name.json" 2> /dev/null || echo '?'; }
  others=$(sed -n '/^other lines to change/,/^$/p' "$work/$name.report" | grep -c '^  - ' || true)
  compiles=${why:-not tried}
  if [ "$package" != - ] && [ "${BUILD:-}" != no ]; then compiles=$(build "$copy/$folder" "$package"); fi
  kinds=$((kinds + emitted + missing)) written=$((written + emitted))
  printf '| %s | %s | %s | %s | %s | %s | %s | %s |\n' "$name" "${kube:-?}" $((emitted + missing)) "$emitted" \
    "$(count 'data that would be lost')" "$(count 'to review')" "$others" "$compiles"
done <<< "$table"
printf '\n%s of %s kinds emitted\n' "$written" "$kinds"
if [ -n "$skipped" ]; then printf 'skipped, since not in %s:%s\n' "$CRDGEN_PROJECTS" "$skipped"; fi
