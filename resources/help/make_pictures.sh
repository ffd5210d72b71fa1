#!/bin/sh
# Draws the pictures of the help from the shipped example.   make_pictures.sh [PLASTISCOPE]
# Made with the version of the program that they came with; run it again when a view changes its looks.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
program=${1:-plastiscope}
example=$(ls "$here"/../example/*.h5 | grep -v analysis)
for figure in head-grid ab-scatter profile-quintiles map components taxonomy component-weights head-metrics; do
  case $figure in
    head-grid | taxonomy | map | head-metrics) head= ;;
    *) head="--head L16H4" ;;
  esac
  # shellcheck disable=SC2086
  "$program" render "$example" --figure $figure $head --size 2.4x1.9in --font-size 6 --font "Noto Sans" \
    --dpi 300 --no-sidecar --no-embed --fixed-date --out "$here/$figure.png"
done
"$program" render "$example" published:qwen3-4b published:llama3.1-8b --names "SmolLM2 135M,Qwen3 4B,Llama 3.1 8B" \
  --figure compare-matrix --rows profile,quintiles,numbers --size 4.2x3.4in --font-size 7 --font "Noto Sans" \
  --dpi 300 --no-sidecar --no-embed --fixed-date --out "$here/compare-matrix.png"
# The text is no figure: a part of the window.
QT_SCALE_FACTOR=2 "$program" screenshot "$example" --page text --head L16H4 --theme light --size 1300x900 --view textDock \
  --force --out "$here/text.png"
# Neither are several heads, which a session selects.
folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT
python3 - "$(realpath "$example")" >"$folder/session.json" <<'END'
import json, sys, zlib
selection = {"head": "L16H4", "metric": "ap_overall", "several": "L12H3-5,L16H3-5"}
content = {"tabs": [{"file": sys.argv[1], "selection": selection}], "current": 0}
text = json.dumps(content, sort_keys=True, separators=(",", ":"))
print(json.dumps({"format": "plastiscope-session", "version": 1, "crc32": zlib.crc32(text.encode()), "content": content}))
END
QT_SCALE_FACTOR=2 "$program" screenshot "$folder/session.json" --theme light --size 1300x900 --view headGridDock \
  --force --out "$here/several-heads.png"
