#!/bin/sh
# Takes the pictures of README.md.   make_screenshots.sh PLASTISCOPE WHOLE.h5 CHANGED.h5
# The two captures are made as resources/help/make_pictures.sh says; pngquant (Debian: pngquant) makes the pictures small.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
example=$(ls "$here"/../example/*.h5 | grep -v analysis)
take() {
  name=$1
  shift
  "$program" screenshot "$@" --head L16H4 --size 1600x1000 --force --out "$here/$name.png"
  pngquant --strip --speed 1 --quality 60-95 --ext .png --force "$here/$name.png"
}
program=$1
take window-light "$example" --theme light
take text-dark "$example" --page text --theme dark
take compare-light "$2" "$3" --page compare --theme light
