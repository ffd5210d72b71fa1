#!/usr/bin/env bash
# The study of resources/help/causes.md on SmolLM2-135M: causes.sh FOLDER. About an hour on two cores; the same command
# continues after a stop. Needs the built programs and the model that packaging/run.sh fetches.
#
# Heads are ranked on the licences of Debian and tested on the pages of the manual, so that no text is in both.
set -euo pipefail
[ $# = 1 ] || { echo "usage: causes.sh FOLDER" >&2; exit 2; }
root="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)"
programs="${PROGRAMS:-$root/build/release/bin}"
model="${MODEL:-$root/build/models/SmolLM2-135M-Instruct.Q4_1.gguf}"
mkdir -p "$1"
cd "$1"
mapfile -t licences < <(find /usr/share/common-licenses -type f | sort)

# study NAME DRAWS MORE: more lines of the file
study() {
  cat >"$1.toml" <<TOML
model = "$model"
text = ["$root/resources/help/*.md"]
ranking = [
  { name = "highest AP", analysis = "ranked.analysis.h5", column = "ap_aligned", order = "highest" },
  { name = "lowest AP", analysis = "ranked.analysis.h5", column = "ap_aligned", order = "lowest" },
]
doses = [8]
singles = false
random_sets = $2
matched_sets = $2
$3

[probes]
kinds = "needle,passage_repeat"
lengths = "256"
depths = "0,0.9"
count = 6
no-controls = true
TOML
  # Texts of 256 tokens keep one core busy each.
  for part in 0 1; do "$programs/plastiscope-cli" study "$1.toml" --part "$part/2" --threads 1 & done
  wait
}

"$programs/plastiscope-cli" capture --model "$model" --text "${licences[@]}" --window 4096 --rate 8 --heads all --out licences.h5
"$programs/plastiscope-cli" analyze licences.h5 --out ranked.analysis.h5
study removed 50 ""
study ways 0 "ways = [\"mask_first:4\", \"clamp\"]
clamp_from = \"ranked.analysis.h5\"
[heads]
\"every head\" = \"$(seq -s, -f 'L%gH0-8' 0 29)\""
"$programs/plastiscope-cli" import causes removed --analysis ranked.analysis.h5 --out removed.analysis.h5 --force
"$programs/plastiscope" render removed.analysis.h5 --figure doses --out removed.svg --force
