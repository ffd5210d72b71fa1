#!/usr/bin/env bash
# Makes the manual as HTML:   manual.sh OUT [BIN]
# BIN contains plastiscope and plastiscope-cli (build/release/bin). Nothing is fetched; a warning or a broken link
# ends it. Needs the packages of the manual in packages.txt.
set -euo pipefail
root="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
out="${1:?usage: manual.sh OUT [BIN]}"
bin="$(cd "${2:-$root/build/release/bin}" && pwd)"
for tool in sphinx-build xvfb-run; do
  command -v "$tool" >/dev/null || { echo "manual.sh: $tool is missing: see packaging/packages.txt" >&2; exit 3; }
done
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
PLASTISCOPE_VERSION="$("$bin/plastiscope-cli" --version | grep -oE '[0-9]+(\.[0-9]+)+')"
export PLASTISCOPE_VERSION
xvfb-run -a -s "-screen 0 1600x1000x24 +extension GLX" python3 "$root/packaging/manual/pages.py" "$bin" "$work/source"
sphinx-build -q -W --keep-going -n -b html -c "$root/packaging/manual" -d "$work/doctrees" "$work/source" "$out"
echo "$out/index.html"
