#!/usr/bin/env bash
# What the GitHub Action runs: a command of crdgen twice, for people and as SARIF. It writes crdgen.sarif and comment.md
# into $OUT, and ends as the command does.
#
#   CRDGEN=path/to/crdgen OUT=folder packaging/action.sh check ARGUMENTS...
set -uo pipefail
: "${CRDGEN:=crdgen}" "${OUT:=$(mktemp -d)}"
mkdir -p "$OUT"

text=$(NO_COLOR=1 "$CRDGEN" "$@" 2>&1 < /dev/null)
status=$?
printf '%s\n' "$text"
if ! "$CRDGEN" "$@" -o sarif > "$OUT/crdgen.sarif" 2> /dev/null < /dev/null; then
  # crdgen also fails if it has findings. Without a document there is nothing to upload.
  [ -s "$OUT/crdgen.sarif" ] || rm -f "$OUT/crdgen.sarif"
fi

# A fence that is longer than any in the text, and no more text than GitHub allows in a comment.
fence='```'
while [[ $text == *"$fence"* ]]; do fence+='`'; done
{
  echo "<!-- crdgen -->"
  case $status in 0) result=fine ;; 1) result=findings ;; *) result="could not run" ;; esac
  echo "**crdgen $1**: $result"
  printf '\n%s\n%s\n%s\n' "$fence" "${text:0:60000}" "$fence"
} > "$OUT/comment.md"
exit $status
