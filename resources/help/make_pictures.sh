#!/bin/sh
# Draws the pictures of the help, light and dark.   make_pictures.sh [PLASTISCOPE [WHOLE.h5 CHANGED.h5]]
# They are of the shipped example; that of losses is of the two captures, if they are given: of SmolLM2-135M-Instruct
# over the licence texts of the system, the second one by
#   plastiscope-cli capture --model MODEL.gguf --text GPL-3 MPL-2.0 Artistic --window 1024 \
#     --rate 42 --loss --ablate L3H0-8 --out CHANGED.h5
# and the first without --ablate. Made with the version of the program that they came with; run it again when a view
# changes its looks. pngquant (Debian: pngquant) makes them small.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
program=${1:-plastiscope}
example=$(ls "$here"/../example/*.h5 | grep -v analysis)
folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT

# Several heads are selected by a session.
python3 - "$(realpath "$example")" >"$folder/session.json" <<'END'
import json, sys, zlib
selection = {"head": "L16H4", "metric": "ap_overall", "several": "L12H3-5,L16H3-5"}
content = {"tabs": [{"file": sys.argv[1], "selection": selection}], "current": 0}
text = json.dumps(content, sort_keys=True, separators=(",", ":"))
print(json.dumps({"format": "plastiscope-session", "version": 1, "crc32": zlib.crc32(text.encode()), "content": content}))
END

# figure NAME WORD...: one figure; part NAME WORD...: a part of the window.
figure() {
  name=$1
  shift
  "$program" render "$@" --theme "$theme" --font "Noto Sans" --dpi 300 --no-sidecar --no-embed --fixed-date \
    --out "$folder/$name$suffix.png" >/dev/null
}
part() {
  name=$1
  shift
  QT_SCALE_FACTOR=2 "$program" screenshot "$@" --theme "$theme" --size 1300x900 --out "$folder/$name$suffix.png"
}

for theme in light dark; do
  suffix=$([ $theme = light ] || echo -dark)
  for name in head-grid ab-scatter profile-quintiles map components taxonomy component-weights head-metrics; do
    case $name in
      head-grid | taxonomy | map | head-metrics) head= ;;
      *) head="--head L16H4" ;;
    esac
    # shellcheck disable=SC2086
    figure $name "$example" --figure $name $head --size 2.4x1.9in --font-size 6
  done
  figure aligned "$example" --figure profile --head L16H4 --size 4.2x2.2in --font-size 8
  figure compare-matrix "$example" published:qwen3-4b published:llama3.1-8b \
    --names "SmolLM2 135M,Qwen3 4B,Llama 3.1 8B" --figure compare-matrix --rows profile,quintiles,numbers \
    --size 4.2x3.4in --font-size 7
  figure atlas published:ministral3-14b published:qwen3-14b published:llama3.2-3b --figure compare-matrix \
    --rows map,profile,numbers --size 4.2x3.6in --font-size 7
  if [ $# -ge 3 ]; then
    figure loss "$2" "$3" --names "as it is,without layer 3" --figure loss --size 3.2x2.4in --font-size 6
  fi
  part text "$example" --page text --head L16H4 --view textDock
  part several-heads "$folder/session.json" --view headGridDock
  "$program" screenshot --page tour --theme "$theme" --size 1280x800 --out "$folder/tour$suffix.png"
done
pngquant --strip --speed 1 --quality 60-95 --ext .png --force "$folder"/*.png
cp "$folder"/*.png "$here/"
