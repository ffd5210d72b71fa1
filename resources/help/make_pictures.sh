#!/bin/sh
# Draws the pictures of the help from the shipped example.   make_pictures.sh [PLASTISCOPE]
# Made with the version of the program that they came with; run it again when a view changes its looks.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
program=${1:-plastiscope}
example=$(ls "$here"/../example/*.h5 | grep -v analysis)
for figure in head-grid ab-scatter profile-quintiles map components taxonomy component-weights; do
  case $figure in
    head-grid | taxonomy | map) head= ;;
    *) head="--head L16H4" ;;
  esac
  # shellcheck disable=SC2086
  "$program" render "$example" --figure $figure $head --size 2.4x1.9in --font-size 6 --font "Noto Sans" \
    --dpi 300 --no-sidecar --no-embed --fixed-date --out "$here/$figure.png"
done
# The text is no figure: a part of the window.
QT_SCALE_FACTOR=2 "$program" screenshot "$example" --page text --head L16H4 --theme light --size 1300x900 --view textDock \
  --force --out "$here/text.png"
