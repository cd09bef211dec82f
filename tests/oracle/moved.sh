#!/bin/sh
# Prints a folder with the sources of the oracle for Kubernetes 1.38: `moved.sh FILE`, where FILE has the modules. Since
# 1.38, two libraries have new names, and a third one, apiextensions-api, has the types of CRDs and clients for them. That
# one could not be downloaded yet, so it is made of those of 1.37, which 1.38 compiles with. Its code may differ.
set -e
cd "$(dirname "$0")"
root=$PWD/moved
types=$root/apiextensions-api
mkdir -p "$root/etcd"
for file in *.go etcd/*.go; do
  sed 's#"github.com/google/cel-go#"cel.dev/cel-go#; s#"sigs.k8s.io/structured-merge-diff/v6#"sigs.k8s.io/structured-merge-diff/v7#' "$file" > "$root/new"
  cmp -s "$root/new" "$root/$file" || cp "$root/new" "$root/$file"
done
rm "$root/new"
cp private.s "$root"
cp "$1" "$root/go.mod"
cp "${1%.mod}.sum" "$root/go.sum"
if [ ! -d "$types" ]; then
  old=$(go mod download -json k8s.io/apiextensions-apiserver@v0.37.2 | sed -n 's/^\t"Dir": "\(.*\)",$/\1/p')
  mkdir -p "$types.new/pkg/apis/apiextensions"
  cp -r "$old/pkg/client" "$types.new/pkg/"
  for version in v1 v1beta1; do
    to=$types.new/pkg/apis/apiextensions/$version
    cp -r "$old/pkg/apis/apiextensions/$version" "$to"
    chmod -R u+w "$types.new"
    # The conversions stay where they are, and with them a constant.
    rm "$to"/*conversion*.go
    printf 'package %s\n\nvar nullLiteral = []byte(`null`)\n' "$version" > "$to/null.go"
  done
  find "$types.new" -name '*_test.go' -exec rm {} +
  find "$types.new" -name '*.go' -exec sed -i 's#k8s.io/apiextensions-apiserver/pkg/#k8s.io/apiextensions-api/pkg/#; s#structured-merge-diff/v6#structured-merge-diff/v7#' {} +
  printf 'module k8s.io/apiextensions-api\n\ngo 1.27.0\n' > "$types.new/go.mod"
  mv "$types.new" "$types"
fi
echo "$root"
