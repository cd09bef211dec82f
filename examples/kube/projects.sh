#!/usr/bin/env bash
# Tries real projects on kube-rs, at their own versions: what `emit` and `migrate-check` report for their unchanged
# sources, whether they compile after their `use` lines are changed as codegen/MIGRATION.md describes, and whether their
# CRDs are then those that `emit` has read.
#
#   CRDGEN_PROJECTS=FOLDER examples/kube/projects.sh              all projects
#   CRDGEN_PROJECTS=FOLDER examples/kube/projects.sh akri kaniop  these
#   BUILD=no …                                                    without compiling them
#
# The folder contains a checkout of each project under its name. Only cargo downloads anything. The checkouts stay as
# they are: copies are changed and built in $CARGO_TARGET_DIR/projects, which keeps at most 4 GB of builds. Missing
# projects are skipped and listed. $CRDGEN is the command (default: it is built), and $CRDGEN_ORACLE is the oracle, if
# there is one. The output is a row for each project. The script does not fail if a project does not compile, or if not
# all of its kinds are emitted.
#
# For each project, $CARGO_TARGET_DIR/projects/NAME.before contains the CRDs of kube-derive, NAME.after those of the
# same types with crdgen, and NAME.crds those that `emit` has written.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
work=${CARGO_TARGET_DIR:-$here/target}/projects
: "${CRDGEN_PROJECTS:?is the folder with a checkout of each project}"
# Name, repository on GitHub, folder of the package or workspace to read, packages to build (`-` for none, with the reason
# at the end), features, and the reason. If a project has types for several releases of the same CRDs, it is read module
# by module: see `modules`.
table='akri project-akri/akri . akri-shared -
bitwarden-secret-operator-rs BlowaXD/bitwarden-secret-operator-rs . bitwarden-operator-rs -
bottlerocket-test-system bottlerocket-os/bottlerocket-test-system . - - kube 0.82
bottlerocket-update-operator bottlerocket-os/bottlerocket-update-operator . models -
cluster-api-addon-provider-fleet rancher/cluster-api-addon-provider-fleet . cluster-api-addon-provider-fleet -
controller-rs kube-rs/controller-rs . controller -
databricks-kube-operator mach-kernel/databricks-kube-operator . - - only read
echo-operator-rs pando85/echo-operator-rs . - - only read
gateway-api-rs kube-rs/gateway-api-rs . gateway-api -
k8s-aws-iam-controller rustrial/k8s-aws-iam-controller . rustrial-k8s-aws-iam-apis -
kaniop pando85/kaniop . kaniop-k8s-util,kaniop-operator,kaniop-person,kaniop-group,kaniop-oauth2,kaniop-service-account schemars
keramik 3box/keramik . keramik-operator,keramik-common -
kube kube-rs/kube examples - - only read
linkerd-failover linkerd/linkerd-failover . - - only read
linkerd2 linkerd/linkerd2 . linkerd-policy-controller-k8s-api -
mayastor-control-plane openebs/mayastor-control-plane k8s/operators - - git submodules
mirrord metalbear-co/mirrord mirrord/operator - crd git dependencies
nextcloud-operator-rs imcsk8/nextcloud-operator-rs . nextcloud -
OpenARK ulagbulag/OpenARK . - - its own schemars
operator-rs stackabletech/operator-rs . - - only read
pulumi-rs-kube-operator lituus-io/pulumi-rs-kube-operator . - - only read
restate-operator restatedev/restate-operator . restate-operator -
rhio HIRO-MicroDataCenters-BV/rhio . - - git dependencies
rustfs-operator rustfs/operator . - - only read
sart terassyi/sart sartd/src/kubernetes - - git dependencies
sinker influxdata/sinker . - - only read
Stellar-K8s OtowoOrg/Stellar-K8s . stellar-k8s -
tembo tembo-io/tembo tembo-operator controller -
trusted-execution-clusters-operator trusted-execution-clusters/operator . - - only read
wasmcloud-operator wasmCloud/wasmcloud-operator . wadm-operator-types k8s-openapi/v1_28,k8s-openapi/schemars'
wanted=" $* "
# A project may need a toolchain that is not installed. Its own versions of crates are kept.
RUSTUP_TOOLCHAIN=${RUSTUP_TOOLCHAIN:-$(rustup show active-toolchain 2> /dev/null | cut -d' ' -f1)}
export RUSTUP_TOOLCHAIN CARGO_PROFILE_DEV_DEBUG=0 CARGO_PROFILE_TEST_DEBUG=0
unset K8S_OPENAPI_ENABLED_VERSION
if [ -z "${CRDGEN:-}" ]; then
  cargo build -q --manifest-path "$root/Cargo.toml" -p crdgen-cli
  CRDGEN=${CARGO_TARGET_DIR:-$root/target}/debug/crdgen
fi
mkdir -p "$work"

# Lists the files of a project without its builds. The folder itself may be below one named `target`.
sources() { # FOLDER NAME
  find "$1" -path "$1/*/target" -prune -o -path "$1/target" -prune -o -name "$2" -print0
}

# Replaces the names that crdgen has in `use` lines of kube and schemars. Lines that contain their paths are counted.
move() { # FOLDER
  local generation=1
  case $(version "$1" schemars) in 0*) generation=08 ;; esac
  sources "$1" '*.rs' | GENERATION=$generation xargs -0 perl -0777 -i -pe '
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
    # The trait of schemars 0.8 has other methods than the one that the derive imports.
    s/^impl JsonSchema for/impl schemars::JsonSchema for/gm if $ENV{GENERATION} eq "08";
    my @by_hand = /^impl schemars::JsonSchema for (\w+)/gm;
    my $more = join "", map { "\ncrdgen::from_schemars!($_);\n" } @by_hand;
    $_ .= $more;
  '
}

# Prints the version of a dependency in the manifests of a folder: the first one with a number.
version() { # FOLDER NAME
  sources "$1" Cargo.toml | xargs -0 perl -0777 -ne '
    my $name = "'"$2"'";
    print "$1\n" if /^$name\s*=\s*"[~^=]?([0-9.]+)"/m || /^$name\s*=\s*\{[^}]*?version\s*=\s*"[~^=]?([0-9.]+)"/m
      || /^\[[a-z.-]*dependencies\.$name\]\n(?:(?!\[).*\n)*?version\s*=\s*"[~^=]?([0-9.]+)"/m;
  ' | head -1
}

# Prints the features that a project needs, by its version of schemars, and by the crates whose types schemars supports:
# `schemars = { features = ["chrono04"] }`, and `ipnet = { features = ["schemars"] }`.
features() { # FOLDER
  local all='"kube"' known crates
  case $(version "$1" schemars) in
    '') ;;
    0*) all+=', "schemars-08"' ;;
    *) all+=', "schemars"' ;;
  esac
  crates=$(sources "$1" Cargo.toml | xargs -0 perl -0777 -ne '
    print map { s/"|\d+$//gr . "\n" } map { s/"//gr } $1 =~ /"[^"]+"/g if /^schemars\s*=\s*\{[^}]*?\bfeatures\s*=\s*\[(.*?)\]/ms;
    print "$1\n" while /^([\w-]+)\s*=\s*\{[^}\n]*?\bfeatures\s*=\s*\[[^\]]*"schemars\d*"/mg;
  ')
  for known in $(sed -n 's/^\([a-z_-]*\) = \["crdgen-runtime\/\1"\]$/\1/p' "$root/codegen/crdgen/Cargo.toml"); do
    if grep -qx "$known" <<< "$crates"; then all+=", \"$known\""; fi
  done
  echo "$all"
}

# Prints the modules to read, one at a time.
modules() { # NAME
  case $1 in gateway-api-rs) echo apis::standard apis::experimental ;; esac
}

# Writes what `emit` prints to a folder. Each further module has a folder inside of it.
emitted() { # NAME PART OPTION...
  local name=$1 part=$2 module number= options
  shift 2
  : > "$work/$name.emit$part"
  for module in $(modules "$name" | grep . || echo -); do
    options=("$@")
    if [ "$module" != - ]; then options+=(--module "$module"); fi
    "$CRDGEN" emit --out-dir "$work/$name.crds/$number" "${options[@]}" > /dev/null 2>> "$work/$name.emit$part" || true
    number=$((number + 1))
  done
}

# Lists the packages to build, with the workspace packages that they need. Others may need dependencies from git.
alone() { # FOLDER PACKAGES
  local facts root members
  facts=$(cd "$1" && cargo metadata --format-version 1 --no-deps 2> /dev/null) || return 0
  root=$(jq -r .workspace_root <<< "$facts")
  members=$(jq -r --arg packages "$2" '
    . as $all
    | def more($known): ($known + [$all.packages[] | select(.name | IN($known[])) | .dependencies[] | select(.path) | .name] | unique) as $next
        | if ($next | length) == ($known | length) then $known else more($next) end;
      more($packages | split(",") | unique) as $needed
    | .packages[] | select(.name | IN($needed[])) | .manifest_path | rtrimstr("/Cargo.toml") | ltrimstr($all.workspace_root) | ltrimstr("/")
    | select(length > 0) | "\"\(.)\""' <<< "$facts" | paste -sd,)
  MEMBERS=$members perl -0777 -i -pe '
    s/^members\s*=\s*\[.*?\]/members = [$ENV{MEMBERS}]/sm; s/^default-members\s*=\s*\[.*?\]\n//sm;
    s/^\[patch[^\n]*\n(?:(?!\[)[^\n]*\n)*//gm' "$root/Cargo.toml"
}

# Prints where the packages are.
folders() { # FOLDER PACKAGES
  (cd "$1" && cargo metadata --format-version 1 --no-deps 2> /dev/null) | jq -r --arg packages "$2" \
    '.packages[] | select(.name | IN($packages | split(",")[])) | .manifest_path | rtrimstr("/Cargo.toml")'
}

# Removes the project's own tests and what only they need, which may be much and may not be available.
without_tests() { # FOLDER
  sources "$1" '*.rs' | xargs -0 perl -pi -e 's/#\[cfg\(test\)\]/#[cfg(any())]/'
  perl -0777 -i -pe '
    s{^\[dev-dependencies\]\n((?:(?!\[)[^\n]*\n)*)}{my $all = $1; "[dev-dependencies]\n" . join "", $all =~ /^k8s-openapi[^\n]*\n/gm}gme;
    s{^\[dev-dependencies\.[^\n]*\n(?:(?!\[)[^\n]*\n?)*}{}gm' "$1/Cargo.toml"
}

# Adds a test next to each kind that writes its compiled CRD, also for private kinds. kube-derive needs serde_json
# anyway.
ask() { # FOLDER WHAT-TO-WRITE EXTENSION
  sources "$1" '*.rs' | WRITTEN=$2 EXTENSION=$3 xargs -0 perl -0777 -i -pe '
    my $tests = "";
    while (/^#\[derive\((?:(?!\]).)*?\bCustomResource\b(.*?)^(?:pub(?:\([a-z ]+\))? )?struct \w+/gms) {
      my $said = $1;
      next unless $said =~ /\b(?:root|struct)\s*=\s*"(\w+)"/ || $said =~ /\bkind\s*=\s*"(\w+)"/;
      my $kind = $1;
      $tests .= "    #[test]\n    fn kind_" . lc($kind) . "() {\n        use super::$kind as It;\n"
        . "        let at = format!(\"{}/{}~{}.$ENV{EXTENSION}\", std::env::var(\"CRDS\").unwrap(), <It as ::kube::CustomResourceExt>::crd_name(), module_path!().replace(\"::\", \".\"));\n"
        . "        std::fs::write(at, $ENV{WRITTEN}).unwrap();\n    }\n";
    }
    $_ .= "\n#[cfg(test)]\nmod crds_as_compiled {\n$tests}\n" if $tests;
  '
}

# Prints what the tests write, or the first error.
compiled() { # FOLDER PACKAGES FEATURES INTO WHAT-TO-WRITE EXTENSION
  local folder targets args
  rm -rf "$4" && mkdir -p "$4"
  for folder in $(folders "$1" "$2"); do
    without_tests "$folder"
    ask "$folder" "$5" "$6"
  done
  targets=--bins
  if (cd "$1" && cargo metadata --format-version 1 --no-deps 2> /dev/null) | jq -e --arg packages "$2" \
    'any(.packages[] | select(.name | IN($packages | split(",")[])) | .targets[]; .kind | index("lib"))' > /dev/null; then targets=--lib; fi
  args=("$targets" -p "${2//,/ -p }")
  if [ "$3" != - ]; then args+=(--features "$3"); fi
  (
    cd "$1"
    export CARGO_TARGET_DIR=$work/target CRDS=$4
    # Updates what crdgen needs newer, and what current compilers reject.
    for crate in proc-macro2 portable-atomic metrics time; do cargo update -q -p "$crate" > /dev/null 2>&1 || true; done
    # shellcheck disable=SC2068
    if cargo test -q --ignore-rust-version ${args[@]} --no-fail-fast crds_as_compiled > "$4.log" 2>&1; then
      echo yes
    elif grep -q '^running' "$4.log"; then
      echo "yes, but crd() of $(grep -c 'FAILED$' "$4.log") panics"
    else
      grep -m1 -E '^error' "$4.log" | cut -c1-100
    fi
  )
}

# Changes the lines that a project has to change in addition to `use` lines, as the guide describes, and lists them.
other_lines() { # NAME FOLDER
  case $1 in
    akri)
      # It calls T::json_schema(gen) of schemars 0.8.
      perl -0777 -i -pe 's/\z/\n#[allow(unused_imports)]\nuse schemars::JsonSchema as _;\n/' "$2"/shared/src/akri/{configuration,instance}.rs
      echo ', with `use schemars::JsonSchema as _;` for `T::json_schema(gen)`'
      ;;
    bottlerocket-update-operator)
      perl -0777 -i -pe 's/(version = "v1",)/$1 storage = false,/' "$2/models/src/node/crd/v1.rs"
      echo ', with `storage = false` on the older version'
      ;;
    cluster-api-addon-provider-fleet)
      # Types of other crates that only implement schemars' trait.
      perl -0777 -i -pe '
        s{^([ \t]*)((?:pub )?\w+: )((?:\w+<)*)(ClusterSpec|ClusterClassSpec|ClusterAgentTolerations|ClusterAgentEnvVars)(>*),}{$1#[schema(as = "$3crdgen::Schemars<$4>$5")]\n$1$2$3$4$5,}gm;
        s{^#\[kube\(status = "(Cluster(?:Class)?Status)"}{#[schema(status_as = "crdgen::Schemars<$1>")]\n$&}gm' \
        "$2"/src/api/{capi_cluster,capi_clusterclass,fleet_addon_config}.rs
      echo ', with `crdgen::Schemars<T>` for the types of two other crates'
      ;;
    kaniop)
      # A type of another crate that only implements schemars' trait.
      perl -0777 -i -pe 's{^([ \t]*)(pub \w+: )([\w<]*?)(HttpRouteRules)(>*),}{$1#[schema(as = "$3crdgen::Schemars<$4>$5")]\n$1$2$3$4$5,}gm' \
        "$2"/libs/operator/src/kanidm/crd.rs
      echo ', with `crdgen::Schemars<T>` for a type of gateway-api'
      ;;
    linkerd2)
      # Types of other crates that only implement schemars' trait.
      perl -0777 -i -pe '
        s{^([ \t]*)((?:pub )?\w+: )([\w<]*?)(gateway::\w+)(>*),}{$1#[schema(as = "$3crdgen::Schemars<$4>$5")]\n$1$2$3$4$5,}gm;
        s{^#\[kube\((?=[^\]]*status = "HttpRouteStatus")}{#[schema(status_as = "crdgen::Schemars<HttpRouteStatus>")]\n#[kube(}m' \
        "$2"/policy-controller/k8s/api/src/policy/{httproute,network}.rs
      echo ', with `crdgen::Schemars<T>` for the types of gateway-api'
      ;;
    restate-operator)
      perl -0777 -i -pe 's/#\[validate\((\s*rule = .*?)\)\]/#[schema(rule($1))]/sg' "$2/src/resources/restateclusters.rs"
      echo ', with the two rules that `#[validate(rule = …)]` loses in `#[schema(rule(…))]`'
      ;;
  esac
}

# Makes the copy with crdgen: `use` lines, one dependency, and the other changes of the guide.
moved() { # NAME FOLDER PACKAGES
  local folder
  for folder in $(folders "$2" "$3"); do
    move "$folder"
    perl -0777 -i -pe "s{^\\[dependencies\\]\$}{[dependencies]\\ncrdgen = { path = \"$root/codegen/crdgen\", features = [$(features "$2")] }}m" "$folder/Cargo.toml"
  done
  other_lines "$1" "$2"
}

fresh() { # NAME FOLDER PACKAGES
  rm -rf "${work:?}/$1"
  cp -r "$CRDGEN_PROJECTS/$1" "$work/$1"
  if [ "$3" != - ]; then alone "$work/$1/$2" "$3"; fi
}

# Counts how many kinds compile to what `emit` has written, and how many kinds there are.
equal() { # NAME
  local crd file name same=0 all=0
  for name in $(find "$work/$1.after" -type f -printf '%f\n' | cut -d'~' -f1 | sort -u); do
    all=$((all + 1))
    for file in "$work/$1.after/$name"~*.yaml; do
      for crd in "$work/$1.crds"/{,*/}"${name#*.}_${name%%.*}.yaml"; do
        if diff <(grep -v '^# @generated' "$crd" 2> /dev/null) "$file" > "$file.diff"; then same=$((same + 1)) && break 2; fi
      done
    done
  done
  echo "$same of $all"
}

# Counts how many of these CRDs the server accepts.
accepted() { # FILE...
  if [ -z "${CRDGEN_ORACLE:-}" ]; then echo '?'; return; fi
  if [ ! -e "${1:-}" ]; then echo '0 of 0'; return; fi
  for file in "$@"; do jq -cRs --arg id "$file" '{op: "crd", id: $id, crd: .}' "$file"; done \
    | "$CRDGEN_ORACLE" | jq -rs '"\(map(select(.valid and (.conditions // [] | all(.type != "NonStructuralSchema" or .status != "True")))) | length) of \(length)"'
}

# Counts the lines about a project that are known to be false: those of `false-lines.txt` that crdgen still writes.
false_lines() { # NAME
  local count=0 text
  while IFS= read -r text; do
    if cat "$work/$1".emit* "$work/$1.report" | grep -qF -- "$text"; then count=$((count + 1)); fi
  done < <(sed -n "s/^$1: //p" "$here/false-lines.txt")
  echo "$count"
}

count() { jq "[.[].changes[] | select(.sort == \"$2\")] | length" "$1" 2> /dev/null || echo '?'; }
printf '| project | kube | kinds | emitted | rejected by the server | accepted | data lost | to review | other lines | false lines | compiles | equal to compiled | kube-derive: accepted | data lost | to review |\n'
printf '| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n'
kinds=0 written=0 rejected=0 skipped=
while read -r name repository folder packages features why; do
  [ "$wanted" = '  ' ] || [[ $wanted == *" $name "* ]] || continue
  if [ ! -d "$CRDGEN_PROJECTS/$name/$folder" ]; then skipped+=" $repository"; continue; fi
  copy=$work/$name/$folder
  rm -rf "$work/$name".{crds,before,after}
  options=(.)
  # A feature `name/feature` is one that the rest of the workspace would turn on, so `emit` does not get it.
  case $features in -|*/*) ;; *) options+=(--features "$features") ;; esac
  # First tries the project as it is, then only the part that cargo can resolve.
  for part in - "$packages"; do
    fresh "$name" "$folder" "$part"
    (cd "$copy" && emitted "$name" "$part" "${options[@]}")
    [ "$packages" != - ] || break
  done
  kube=$(version "$work/$name" kube)
  mapfile -t crds < <(find "$work/$name.crds" -name '*.yaml' 2> /dev/null)
  emitted=${#crds[@]}
  missing=0 refused=0
  while read -r missed code; do
    missed=${missed%:}
    if [ ! -e "$work/$name.crds/${missed#*.}_${missed%%.*}.yaml" ]; then
      # The codes of the checks that the server makes, too.
      case $code in CRD* | SCH*) refused=$((refused + 1)) ;; *) missing=$((missing + 1)) ;; esac
    fi
  done < <(sed -n 's/^not emitted: \([^ ]*\) .*\[\([A-Z]*\)[0-9]*\].*/\1 \2/p' "$work/$name.emit-")
  (cd "$copy" && "$CRDGEN" migrate-check "${options[@]}" > "$work/$name.report" 2>&1) || true
  (cd "$copy" && "$CRDGEN" migrate-check -o json "${options[@]}" 2> /dev/null) > "$work/$name.json" || true
  others=$(sed -n '/^other lines to change/,/^$/p' "$work/$name.report" | grep -c '^  - ' || true)
  compiles=${why:-not tried} same=- theirs=- lost=- review=-
  if [ "$packages" != - ] && [ "${BUILD:-}" != no ]; then
    before=$(compiled "$copy" "$packages" "$features" "$work/$name.before" '::serde_json::to_string(&<It as ::kube::CustomResourceExt>::crd()).unwrap()' json)
    if [[ $before == yes* ]]; then
      theirs=$(accepted "$work/$name.before"/*)
      (cd "$copy" && "$CRDGEN" migrate-check "${options[@]}" --against "$work/$name.before" > "$work/$name.kube-derive" 2>&1) || true
      (cd "$copy" && "$CRDGEN" migrate-check -o json "${options[@]}" --against "$work/$name.before" 2> /dev/null) > "$work/$name.kube-derive.json" || true
      lost=$(count "$work/$name.kube-derive.json" 'data that would be lost') review=$(count "$work/$name.kube-derive.json" 'to review')
    fi
    fresh "$name" "$folder" "$packages"
    lines=$(moved "$name" "$copy" "$packages")
    compiles=$(compiled "$copy" "$packages" "$features" "$work/$name.after" '<It as ::crdgen::CustomResource>::crd_yaml()' yaml)
    if [[ $compiles == yes* ]]; then same=$(equal "$name"); compiles+=$lines; elif [[ $before != yes* ]]; then compiles="neither: $before"; fi
    if [[ $before == *panics ]]; then compiles+="; kube-derive: $before"; fi
    rm -rf "${work:?}/$name"
    # Keeps what the next project needs too, as long as it is small.
    if [ "$(du -sm "$work/target" | cut -f1)" -gt 4000 ]; then rm -rf "$work/target"; fi
  fi
  kinds=$((kinds + emitted + missing + refused)) written=$((written + emitted)) rejected=$((rejected + refused))
  printf '| %s | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s |\n' "$name" "${kube:-?}" $((emitted + missing + refused)) "$emitted" "$refused" \
    "$(accepted "${crds[@]}")" "$(count "$work/$name.json" 'data that would be lost')" "$(count "$work/$name.json" 'to review')" \
    "$others" "$(false_lines "$name")" "$compiles" "$same" "$theirs" "$lost" "$review"
done <<< "$table"
printf '\n%s of %s kinds emitted; %s others are not, because the server rejects their CRDs\n' "$written" "$kinds" "$rejected"
if [ -n "$skipped" ]; then printf 'skipped, since their checkouts are not in %s:%s\n' "$CRDGEN_PROJECTS" "$skipped"; fi
