#!/usr/bin/env bash
# Makes packages from the release build, below build/release/packages: installs what is missing, and builds.
#
#   bash packaging/package.sh            both
#   bash packaging/package.sh deb        plastiscope and plastiscope-capture for this release of Debian or Ubuntu
#   bash packaging/package.sh portable   one archive with all libraries, for any system with the glibc of this one or newer
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

kinds=("$@")
[ "$#" -gt 0 ] || kinds=(deb portable)
for kind in "${kinds[@]}"; do
  case "$kind" in
    deb|portable) ;;
    -h|--help) sed -n '2,6s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"; exit 0 ;;
    *) printf 'plastiscope: unknown kind of package %s (known: deb, portable)\n' "$kind" >&2; exit 2 ;;
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

make_portable() {
  local name component
  name="plastiscope-$version-linux-$(uname -m)"
  say "Portable archive"
  rm -rf "${packages:?}/$name" "$packages/$name.tar.xz"
  for component in program capture portable; do
    cmake --install "$build/release" --prefix "$packages/$name" --component "$component" --strip >>"$build/portable.log" 2>&1 ||
      { tail -n 20 "$build/portable.log" >&2; fail "the archive could not be made; see $build/portable.log"; }
  done
  XZ_OPT="-3 -T0" tar -C "$packages" --owner=0 --group=0 --sort=name -cJf "$packages/$name.tar.xz" "$name"
  rm -rf "${packages:?}/$name"
}

for kind in "${kinds[@]}"; do "make_$kind"; done
say "Packages"
(cd "$packages" && du -h --apparent-size plastiscope*)
