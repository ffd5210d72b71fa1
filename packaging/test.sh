#!/usr/bin/env bash
# Installs what is missing, builds and runs all tests, from a clean clone. Further arguments go to ctest, e.g. a folder
# of tests by its name (bash packaging/test.sh -R '^store'); GTEST_FILTER chooses cases within programs:
# GTEST_FILTER='CaptureFile*' bash packaging/test.sh -R '^store'
#
# One build tests everything: the parts without libtorch, VTK and Arrow are separate libraries in it. The presets
# without them are only built, and open the example.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

announce "25 minutes" backend
provide core gui cloud test
ensure_python_tests

configure_and_build release -DPLASTISCOPE_TESTS=ON -DPLASTISCOPE_BENCHMARKS=ON
say "Tests"
rm -rf "$build/release/tests/results"
status=0
(cd "$root" && xvfb-run -a -s "-screen 0 1600x1000x24 +extension GLX" \
  ctest --preset release --output-on-failure --no-tests=error -j "$(($(nproc) + 1))" "$@") 2>&1 |
  tee "$build/tests.log" | progress "test programs" || status=$?
python3 "$root/packaging/test_report.py" "$build/release" "$build/tests.log" || status=1
[ "$status" = 0 ] || fail "tests failed; the whole output is in $build/tests.log"

# Without a screen and without libtorch: they must configure, build and open the example. The one without Qt is built
# with Clang and libc++, and without what only Linux has, as on macOS.
smallest=libcxx
command -v clang++-19 >/dev/null || smallest=core-only
example="$root/resources/example/smollm2-135m-licences.h5"
for preset in viewer "$smallest"; do
  configure_and_build "$preset" -DPLASTISCOPE_TESTS=OFF -DPLASTISCOPE_BENCHMARKS=OFF
  "$build/$preset/bin/plastiscope-cli" info "$example" >"$build/$preset.txt" || fail "the build $preset cannot open the example"
done
QT_QPA_PLATFORM=offscreen "$build/viewer/bin/plastiscope" render "$example" --figure head-grid --out "$build/viewer.svg" \
  --force >/dev/null || fail "the build viewer cannot draw the example"
say "All tests passed"
