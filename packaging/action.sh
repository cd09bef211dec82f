#!/usr/bin/env bash
# What the GitHub Action runs: a command of crdgen for the log, as SARIF, and as a comment. It writes crdgen.sarif and
# comment.md into $OUT, and ends as the command does.
#
#   CRDGEN=path/to/crdgen OUT=folder FAIL_ON=breaking packaging/action.sh check ARGUMENTS...
set -uo pipefail
: "${CRDGEN:=crdgen}" "${OUT:=$(mktemp -d)}" "${FAIL_ON:=}"
mkdir -p "$OUT"
rm -f "$OUT/crdgen.sarif"

has() { local wanted=$1 arg; shift; for arg; do case $arg in "$wanted" | "$wanted"=*) return 0 ;; esac; done; return 1; }
if [ "$1" = check ] && [ -n "$FAIL_ON" ] && ! has --fail-on "$@" && ! has --deny-warnings "$@" && ! has --types "$@"; then
  set -- "$@" --fail-on "$FAIL_ON"
fi

# A project may not have generated its CRDs yet.
if [ "$1" = check ] || [ "$1" = validate ]; then set -- "$@" --allow-empty; fi

# The checkout of a workflow has one commit, unless it asks for more.
shallow=''
for arg; do
  case $arg in *git:*)
    revision=${arg#*git:}; revision=${revision%%:*}
    if [ "$(git rev-parse --is-shallow-repository 2> /dev/null)" = true ] &&
      ! git rev-parse --quiet --verify "$revision^{commit}" > /dev/null 2>&1; then
      shallow="The checkout does not contain $revision, because it has only the newest commits. Add \`fetch-depth: 0\` to actions/checkout."
      echo "::error title=crdgen::${shallow//\`/}"
    fi ;;
  esac
done

text=$(NO_COLOR=1 "$CRDGEN" "$@" 2>&1 < /dev/null)
status=$?
# Names and documents in the output may contain lines that the runner would take for commands.
if [ -n "${GITHUB_ACTIONS:-}" ]; then
  token=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
  printf '::stop-commands::%s\n%s\n::%s::\n' "$token" "$text" "$token"
else
  printf '%s\n' "$text"
fi
if ! "$CRDGEN" "$@" -o sarif > "$OUT/crdgen.sarif" 2> /dev/null < /dev/null; then
  # crdgen also fails if it has findings. Without a document there is nothing to upload.
  [ -s "$OUT/crdgen.sarif" ] || rm -f "$OUT/crdgen.sarif"
fi

count() {
  local n
  n=$(grep -o "\"level\":\"$1\"" "$OUT/crdgen.sarif" 2> /dev/null | wc -l | tr -d ' ')
  case $n in 0) ;; 1) echo "1 $1" ;; *) echo "$n $1s" ;; esac
}
found=$(for level in error warning note; do count "$level"; done | paste -sd, - | sed 's/,/, /g')
case $status in
  0) result="passed${found:+, with $found}" ;;
  1) result="failed${found:+: $found}" ;;
  *) result="could not run" ;;
esac
[ -z "$shallow" ] || result+=". $shallow"

# A comment has the worst first, and says what it leaves out. Commands that have no findings, or that could not run, have only
# their text. Its fence is longer than any in the text, and it has no more text than GitHub allows in a comment.
limit=60000
fence='```'
while [[ $text == *"$fence"* ]]; do fence+='`'; done
report=''
if ((status < 2)) && [ -s "$OUT/crdgen.sarif" ]; then
  report=$("$CRDGEN" "$@" -o markdown 2> /dev/null < /dev/null)
fi
{
  echo "<!-- crdgen $1 -->"
  echo "**crdgen $1** $result"
  if [ -n "$report" ]; then
    printf '\n%s\n' "$report"
  else
    printf '\n%s\n%s\n%s\n' "$fence" "${text:0:limit}" "$fence"
    if ((${#text} > limit)); then
      printf '\nThis shows the first %s of %s characters. The log of the run has all of them.\n' "$limit" "${#text}"
    fi
  fi
} > "$OUT/comment.md"
exit $status
