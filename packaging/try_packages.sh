#!/usr/bin/env bash
# Tries the packages of packaging/package.sh in clean systems that debootstrap makes, and prints a table: installing,
# the example, a figure, the window on a virtual screen, a capture, removal, and files left behind. Needs root.
#
#   bash packaging/try_packages.sh deb bookworm        the Debian packages, the Python package and its notebook
#   bash packaging/try_packages.sh portable trixie     the archive, on a system without its libraries
#   bash packaging/try_packages.sh wheel trixie        the wheel: pip into a fresh environment, first without PyTorch
#
# Everything lies below build/try; the pictures stay there. PLASTISCOPE_MIRROR names another mirror than this system's,
# PLASTISCOPE_TRY_TORCH what pip installs as PyTorch, instead of "plastiscope[torch]" with 3 GB for graphics cards.
set -euo pipefail

usage() { sed -n '2,10s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"; exit "$1"; }
[ "${1:-}" = --help ] && usage 0
[ "$#" = 2 ] || usage 2
[ "$(id -u)" = 0 ] || { printf 'plastiscope: debootstrap and chroot need root\n' >&2; exit 3; }
# Mounts of its own, which end with it.
[ -n "${PLASTISCOPE_TRYING:-}" ] || PLASTISCOPE_TRYING=yes exec unshare --mount bash "${BASH_SOURCE[0]}" "$@"
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

kind="$1" suite="$2"
packages="$build/release/packages" folder="$build/try" system="$build/try/$suite-$kind" base="$build/try/$suite.tar"
example=share/plastiscope/example/smollm2-135m-licences.h5
mkdir -p "$folder"
install_packages try

mirror() {
  local named
  named="$(sed -n 's/^URIs: *//p; s/^deb \(\[[^]]*\] \)\{0,1\}\([^ ]*\) .*/\2/p' /etc/apt/sources.list.d/debian.sources \
    /etc/apt/sources.list 2>/dev/null | head -n 1)"
  printf '%s' "${PLASTISCOPE_MIRROR:-$named}"
}

inside() {
  chroot "$system" env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"
}
# person COMMAND: as somebody who may write only at home, with nobody to talk to; nothing that was started stays.
person() { person_with_network "$1" --net; }
person_with_network() {
  unshare "${@:2}" --pid --fork --kill-child bash -c 'ip link set lo up && exec chroot "$@"' _ --userspec=1000:1000 "$system" \
    env -i HOME=/home/person PATH="$programs:/usr/bin:/bin" LANG=C.UTF-8 XDG_RUNTIME_DIR=/home/person \
    PIP_CERT=/etc/ssl/certs/ca-certificates.crt bash -c "cd /home/person; $1; exit \$?"
}
apt_install() { inside apt-get -o DPkg::Options::=--force-unsafe-io install -y -q --no-install-recommends "$@"; }

log="$folder/$suite-$kind.log"
: >"$log"
# step "what" COMMAND...: how long it took, and whether it ended well.
step() {
  local what="$1" start end result=done
  shift
  printf '\n== %s\n' "$what" >>"$log"
  start="$(date +%s%N)"
  "$@" >>"$log" 2>&1 || result="FAILED ($?)"
  end="$(date +%s%N)"
  table+=("$(printf '| %-52s | %7.1f | %s |' "$what" "$(((end - start) / 1000000))e-3" "$result")")
  printf '%s\n' "${table[-1]}"
}
note() { table+=("$(printf '| %-52s | %7s | %s |' "$1" "" "$2")"); printf '%s\n' "${table[-1]}"; }

make_system() {
  if [ ! -s "$base" ]; then
    say "A clean $suite by debootstrap"
    rm -rf "$system"
    debootstrap --variant=minbase --include=ca-certificates "$suite" "$system" "$(mirror)" >"$folder/$suite.debootstrap.log" 2>&1 ||
      fail "debootstrap failed; see $folder/$suite.debootstrap.log"
    tar -C "$system" -cf "$base" .
  fi
  rm -rf --one-file-system "$system"
  mkdir -p "$system"
  tar -C "$system" -xf "$base"
  mount -t proc proc "$system/proc"
  mount --rbind /dev "$system/dev"
  mkdir -p "$system/home/person" "$system/packages"
  chown 1000:1000 "$system/home/person"
  cp /etc/resolv.conf "$system/etc/resolv.conf"
  cp /etc/ssl/certs/ca-certificates.crt "$system/etc/ssl/certs/"  # a proxy of this system may sign for others
  inside apt-get update -q >>"$log" 2>&1
}

# Every file that packages own or make, without what apt and dpkg note for themselves.
files_there() {
  inside find / -xdev \( -path /proc -o -path /dev -o -path /sys -o -path /tmp -o -path /run -o -path /home -o -path /root \
    -o -path /packages -o -path /var/cache -o -path /var/log -o -path /var/lib/dpkg -o -path /var/lib/apt \) -prune -o -print | sort
}

megabytes() { printf '%s MiB' "$(($(du -sk --apparent-size "$@" | awk '{sum += $1} END {print sum}') / 1024))"; }

# What a person does with an installed program.
try_without_screen() {
  step "verify the example" person "plastiscope-cli verify $prefix/$example"
  step "analyze the example" person "plastiscope-cli analyze --quiet $prefix/$example --out a.analysis.h5 --csv tables"
  if [ -s "$model" ]; then
    cp "$model" "$system/home/person/model.gguf"
    step "capture two heads of a small model" person \
      "plastiscope-cli capture --quiet --model model.gguf --text /usr/share/common-licenses/GPL-3 --window 512 --heads L0H0,L16H4 --out c.h5 && plastiscope-cli verify c.h5"
  fi
}
try_with_screen() {
  step "render a figure without a screen" person "plastiscope render $prefix/$example --figure head-grid --out grid.pdf"
  step "the window with the example, as a picture" person \
    "xvfb-run -a -s '-screen 0 1600x1000x24' plastiscope screenshot --example --size 1600x1000 --out window.png"
  step "the window stays open for ten seconds" person \
    "xvfb-run -a -s '-screen 0 1600x1000x24' timeout 10 plastiscope --example; [ \$? = 124 ]"
  cp "$system/home/person/window.png" "$folder/$suite-$kind-window.png" || true
}

# The Python package from the repository, beside the installed programs.
try_python() {
  cp -r "$root/app/python" "$system/home/person/source"
  chown -R 1000:1000 "$system/home/person"
  step "pip install the Python package, from nothing" person_with_network \
    "python3 --version && python3 -m venv python && python/bin/pip install -q ./source"
  step "pip install what runs notebooks" person_with_network "python/bin/pip install -q nbclient ipykernel"
  step "the notebook: a model to a figure in ten cells" person \
    "PLASTISCOPE_MODEL=/home/person/model.gguf python/bin/jupyter execute source/examples/from-a-model-to-a-figure.ipynb"
}

try_deb() {
  prefix=/usr programs=/usr/bin
  local depends before after
  cp "$packages"/plastiscope*.deb "$system/packages/"
  depends="$(for deb in "$packages"/plastiscope*.deb; do dpkg-deb -f "$deb" Depends; done | tr ',' '\n' | sed 's/^ *//' |
    grep -v '^plastiscope ' | sort -u | paste -sd, | sed 's/,/, /g')"
  step "install what they depend on" inside apt-get -o DPkg::Options::=--force-unsafe-io satisfy -y -q --no-install-recommends "$depends"
  note "packages that they depend on, in all" "$(($(inside dpkg-query -f '.\n' -W | wc -l) - $(wc -l <"$folder/$suite.packages")))"
  apt_install xvfb xauth fonts-noto-core fonts-texgyre libgl1-mesa-dri shared-mime-info desktop-file-utils zsh fish \
    python3-venv >>"$log" 2>&1
  before="$(files_there)"
  note "size of the packages" "$(megabytes "$packages"/plastiscope*.deb)"
  step "install plastiscope" apt_install "/$(cd "$system" && echo packages/plastiscope_*.deb)"
  step "install plastiscope-capture" apt_install "/$(cd "$system" && echo packages/plastiscope-capture_*.deb)"
  note "size when installed" "$(megabytes "$system/usr/lib/plastiscope" "$system/usr/libexec/plastiscope" "$system"/usr/bin/plastiscope* "$system/usr/share/plastiscope" "$system/usr/share/doc/plastiscope")"
  try_without_screen
  try_with_screen
  if [ -s "$model" ]; then try_python; fi
  step "the type of a capture is known" inside grep -q vnd.plastiscope.capture /usr/share/mime/types
  step "completions: bash, zsh, fish" inside bash -c 'for p in plastiscope plastiscope-cli; do
    bash -n /usr/share/bash-completion/completions/$p && zsh -n /usr/share/zsh/vendor-completions/_$p &&
    fish --no-execute /usr/share/fish/vendor_completions.d/$p.fish || exit 1; done'
  step "remove both" inside apt-get purge -y -q plastiscope plastiscope-capture
  after="$(files_there)"
  diff <(printf '%s' "$before") <(printf '%s' "$after") >"$folder/$suite-left.txt" && note "files left behind or removed" none ||
    note "files left behind or removed" "FAILED: see $folder/$suite-left.txt"
}

try_portable() {
  local archive
  archive="$(ls "$packages"/plastiscope-*-linux-*.tar.xz)"
  prefix="/home/person/$(basename "$archive" .tar.xz)" programs="$prefix/bin"
  note "size of the archive" "$(megabytes "$archive")"
  step "unpack" tar -C "$system/home/person" --no-same-owner -xJf "$archive"
  note "size when unpacked" "$(megabytes "$system$prefix")"
  try_without_screen
  apt_install libgl1 libegl1 libopengl0 libx11-xcb1 libsm6 fontconfig fonts-noto-core xvfb xauth libgl1-mesa-dri >>"$log" 2>&1
  try_with_screen
}

try_wheel() {
  local pip="python/bin/pip install -q --find-links /packages"
  prefix=/home/person/python programs="$prefix/bin"
  cp "$packages"/plastiscope-*.whl "$system/packages/"
  if [ -d "${PIP_FIND_LINKS:-}" ]; then cp "$PIP_FIND_LINKS"/*.whl "$system/packages/"; fi
  apt_install python3-venv libgl1 libegl1 libopengl0 libx11-xcb1 libsm6 fontconfig fonts-noto-core >>"$log" 2>&1
  note "size of the wheel" "$(megabytes "$packages"/plastiscope-*.whl)"
  step "a fresh environment" person "python3 -m venv python"
  step "pip install plastiscope" person_with_network "$pip plastiscope"
  step "the window with the example, as the first picture" person "plastiscope screenshot --example --out window.png"
  note "size when installed" "$(megabytes "$system$prefix")"
  cp "$model" "$system/home/person/model.gguf"
  step "without PyTorch a capture names what to install" person \
    "! plastiscope-cli capture --model model.gguf --text /etc/passwd --out c.h5 2>error.txt && cat error.txt && grep -F 'pip install \"plastiscope[torch]\"' error.txt"
  step "pip install PyTorch" person_with_network "$pip ${PLASTISCOPE_TRY_TORCH:-'plastiscope[torch]'}"
  note "PyTorch" "$(person "python/bin/pip list 2>/dev/null | sed -n 's/^torch  *//p'")"
  apt_install xvfb xauth libgl1-mesa-dri >>"$log" 2>&1
  try_without_screen
  try_with_screen
  step "Python finds the programs" person "env PATH=/usr/bin:/bin python/bin/python -c \"
import plastiscope as ps
study = ps.capture('model.gguf', {'a': 'one two three ' * 200}, out='from-python.h5', window=512, heads='L0H0')
print(study, study.queries('L0H0').vectors.shape)\""
}

make_system
inside dpkg-query -f '.\n' -W >"$folder/$suite.packages"
table=("$(printf '| %-52s | %7s | %s |\n|---|---|---|' "$suite, $kind" seconds result)")
printf '%s\n' "${table[@]}"
"try_$kind"
printf '%s\n' "${table[@]}" >"$folder/$suite-$kind.txt"
umount -R "$system/dev" "$system/proc"
rm -rf --one-file-system "$system"
if grep -q FAILED "$folder/$suite-$kind.txt"; then fail "see $log"; fi
