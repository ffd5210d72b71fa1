#!/usr/bin/env bash
# Makes the example capture again: 24 heads of SmolLM2-135M-Instruct (eight layers from first to last, one whole group of
# query heads with its key head in each) over the licence texts of Debian 12's base-files package, about 1,320 query and
# key rows a head. Needs what packaging/run.sh leaves in build/. Made with Plastiscope 0.1.0 and libtorch 2.13.0.
set -euo pipefail
root="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)"
mapfile -t texts < <(find /usr/share/common-licenses -type f | sort)
"$root/build/release/bin/plastiscope-cli" capture --model "$root/build/models/SmolLM2-135M-Instruct.Q4_1.gguf" \
  --text "${texts[@]}" --window 4096 --rate 8 --dtype float32 \
  --heads L0H0-2,L4H3-5,L9H6-8,L12H3-5,L16H3-5,L19H6-8,L24H0-2,L29H3-5 \
  --out "$root/resources/example/smollm2-135m-licences.h5"
