#!/usr/bin/env bash
# Makes packages from the release build, below build/release/packages: installs what is missing, and builds.
#
#   bash packaging/package.sh            deb and portable
#   bash packaging/package.sh deb        plastiscope and plastiscope-capture for this release of Debian or Ubuntu
#   bash packaging/package.sh portable   one archive with all libraries, for any system with the glibc of this one or newer
#   bash packaging/package.sh wheel      a Python wheel with all libraries but PyTorch's, for such systems, too
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

kinds=("$@")
[ "$#" -gt 0 ] || kinds=(deb portable)
for kind in "${kinds[@]}"; do
  case "$kind" in
    deb|portable|wheel) ;;
    -h|--help) sed -n '2,7s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"; exit 0 ;;
    *) printf 'plastiscope: unknown kind of package %s (known: deb, portable, wheel)\n' "$kind" >&2; exit 2 ;;
  esac
done

announce "10 minutes" backend
install_packages build
(ensure_torch && ensure_arrow) &
fetching=$!
install_packages core gui cloud package
wait "$fetching" || exit 3
configure_and_build release -DPLASTISCOPE_TESTS=OFF -DPLASTISCOPE_BENCHMARKS=OFF

desktop-file-validate "$root/packaging/desktop/plastiscope.desktop" || fail "the desktop entry is not valid"
# Version 1.0 of it ends with 3 for warnings, too.
appstreamcli validate --no-net "$build/release/documents/org.plastiscope.plastiscope.metainfo.xml" >"$build/appstream.log" ||
  ! grep '^E:' "$build/appstream.log" >&2 || fail "the data for software catalogues is not valid"

packages="$build/release/packages"
mkdir -p "$packages"
version="$(sed -n 's/^CMAKE_PROJECT_VERSION:STATIC=//p' "$build/release/CMakeCache.txt")"

make_deb() {
  say "Debian packages"
  rm -f "$packages"/plastiscope*.deb
  (cd "$build/release" && cpack -G DEB) >"$build/cpack.log" 2>&1 || { tail -n 20 "$build/cpack.log" >&2; fail "cpack failed; see $build/cpack.log"; }
  rm -rf "$packages/_CPack_Packages"
}

# install_components BUILD FOLDER COMPONENT...: stripped, into a folder.
install_components() {
  local component
  for component in "${@:3}"; do
    cmake --install "$1" --prefix "$2" --component "$component" --strip >>"$build/install.log" 2>&1 ||
      { tail -n 20 "$build/install.log" >&2; fail "installing failed; see $build/install.log"; }
  done
}

make_portable() {
  local name
  name="plastiscope-$version-linux-$(uname -m)"
  say "Portable archive"
  rm -rf "${packages:?}/$name" "$packages/$name.tar.xz"
  install_components "$build/release" "$packages/$name" program capture portable
  XZ_OPT="-3 -T0" tar -C "$packages" --owner=0 --group=0 --sort=name -cJf "$packages/$name.tar.xz" "$name"
  rm -rf "${packages:?}/$name"
}

# Two backends, each for a minor version of PyTorch: the one of the build, and another that is compiled only for this.
make_wheel() {
  local tree="$build/wheel" made
  ensure_other_torch
  ensure_wheel_tools
  # The libraries for GPUs that this libtorch needs are not installed.
  configure_and_build other-torch "-DCMAKE_PREFIX_PATH=$build/torch-$other_torch_version/torch" \
    -DCMAKE_EXE_LINKER_FLAGS=-Wl,--allow-shlib-undefined -DPLASTISCOPE_TESTS=OFF -DPLASTISCOPE_BENCHMARKS=OFF
  say "Wheel"
  rm -rf "$tree" "$packages"/plastiscope-*.whl
  install_components "$build/other-torch" "$tree" wheel
  install_components "$build/release" "$tree" program wheel portable
  PLASTISCOPE_PROGRAMS="$tree" "$build/venv/bin/pip" wheel -q --disable-pip-version-check --no-deps --no-build-isolation \
    --wheel-dir "$packages" "$root/app/python" >"$build/wheel.log" 2>&1 ||
    { tail -n 20 "$build/wheel.log" >&2; fail "the wheel could not be made; see $build/wheel.log"; }
  made="$(ls "$packages"/plastiscope-*.whl)"
  # pip installs it where the glibc is this one or newer.
  "$build/venv/bin/python" -m wheel tags --remove --platform-tag \
    "manylinux_$(getconf GNU_LIBC_VERSION | sed 's/.* //; s/\./_/')_$(uname -m)" "$made" >>"$build/wheel.log"
}

for kind in "${kinds[@]}"; do "make_$kind"; done
say "Packages"
(cd "$packages" && du -h --apparent-size plastiscope*)
