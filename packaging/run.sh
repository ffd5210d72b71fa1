#!/usr/bin/env bash
# From a fresh clone to the window in one command: installs what is missing, builds, captures a small real model over
# the licence texts of this system, analyses, draws figures and opens the result. Finished steps are not repeated.
#
#   bash packaging/run.sh             all steps
#   bash packaging/run.sh --example   only the shipped example capture: no model, no torch
#   bash packaging/run.sh --no-window stop after the figures
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

example=no
window=yes
for argument in "$@"; do
  case "$argument" in
    --example) example=yes ;;
    --no-window) window=no ;;
    -h|--help) sed -n '2,8s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"; exit 0 ;;
    *) printf 'plastiscope: unknown option %s (known: --example, --no-window)\n' "$argument" >&2; exit 2 ;;
  esac
done

if [ "$example" = yes ]; then
  announce "4 minutes" viewer
  install_packages build core gui
else
  announce "8 minutes" backend
  provide core gui cloud
fi

# draw STUDY FOLDER: the first set of figures, as PDF and PNG; those that are there stay.
draw() {
  local study="$1" folder="$2" figure format made=0 options
  mkdir -p "$folder"
  for figure in head-grid ab-scatter pca-scatter profile quintiles map components component-weights taxonomy depth; do
    case "$figure" in
      head-grid|taxonomy|depth) options=() ;;  # these show all heads
      *) options=(--head "$head") ;;
    esac
    for format in pdf png; do
      local out="$folder/$figure.$format"
      if [ ! "$out" -nt "$study" ]; then
        "$bin/plastiscope" render "$study" --figure "$figure" "${options[@]}" --preset neurips --out "$out" >/dev/null
        made=$((made + 1))
      fi
    done
  done
  say "Figures ($made new): $folder"
}

# show FILE: the window, or where the pictures are when there is no screen.
show() {
  if [ "$window" = no ]; then return; fi
  if has_screen; then
    say "Opening the window"
    exec "$bin/plastiscope" "$1"
  fi
  say "No display was found. The figures are in ${2}. On a computer with a display, open the study with: $bin/plastiscope $1"
}

if [ "$example" = yes ]; then
  configure_and_build viewer -DPLASTISCOPE_TESTS=OFF -DPLASTISCOPE_BENCHMARKS=OFF
  bin="$build/viewer/bin"
  head=L16H4
  study="$root/resources/example/smollm2-135m-licences.h5"
  draw "$study" "$build/example/figures"
  show "$study" "$build/example/figures"
  exit 0
fi

configure_and_build release -DPLASTISCOPE_TESTS=OFF -DPLASTISCOPE_BENCHMARKS=OFF
bin="$build/release/bin"
head=L16H4
work="$build/first-light"
capture="$work/smollm2-135m licences 4k.h5"
analysis="$work/smollm2-135m licences 4k.analysis.h5"
mkdir -p "$work"

if [ ! -s "$capture" ]; then
  say "Capturing queries and keys of all 270 heads over the licence texts"
  mapfile -t texts < <(find /usr/share/common-licenses -type f | sort)
  [ "${#texts[@]}" -gt 0 ] || fail "/usr/share/common-licenses contains no texts. To capture your own, see: $bin/plastiscope-cli capture --help"
  "$bin/plastiscope-cli" capture --model "$model" --text "${texts[@]}" --window 4096 --rate 24 --heads all --out "$capture"
fi
if [ ! "$analysis" -nt "$capture" ]; then
  say "Analysing"
  "$bin/plastiscope-cli" analyze "$capture" --out "$analysis" --csv "$work/tables" --fresh --force
fi
draw "$analysis" "$work/figures"
show "$analysis" "$work/figures"
