#!/usr/bin/env bash
# Installs what is missing, builds and runs all tests, from a clean clone, with nothing beside it. Further arguments go
# to ctest, e.g.: bash packaging/test.sh -L unit
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

install_packages build core gui test
ensure_torch
ensure_arrow
ensure_model

# run_tests PRESET [ctest arguments]: under a virtual screen of its own.
run_tests() {
  local preset="$1"
  shift
  (cd "$root" && xvfb-run -a -s "-screen 0 1600x1000x24 +extension GLX" \
    ctest --preset "$preset" --output-on-failure --no-tests=error -j "$(nproc)" "$@")
}

configure_and_build viewer -DPLASTISCOPE_TESTS=ON
say "Tests of the viewer (no torch, no VTK)"
run_tests viewer "$@"

configure_and_build release -DPLASTISCOPE_TESTS=ON
say "Tests"
run_tests release "$@"
