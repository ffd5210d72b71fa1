#!/usr/bin/env bash
# Reads a study over ssh as resources/help/remote.md says, with an ssh daemon of its own on this computer, and prints what
# travelled. Needs sshd (openssh-server), sshfs and /dev/fuse.
#
#   bash packaging/try_remote.sh [STUDY.h5 [BIN]]      without one: the shipped example, and the programs of build/release
#
# Then a capture that another computer makes (of another host name, which needs unshare): it must not be begun from here.
# Pictures of the window stay in build/try/remote.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

study="$(realpath "${1:-$root/resources/example/smollm2-135m-licences.h5}")"
bin="$(cd "${2:-$build/release/bin}" && pwd)"
for tool in sshd sshfs ssh fusermount3 xvfb-run; do
  command -v "$tool" >/dev/null || fail "$tool is missing: apt install openssh-server sshfs xvfb"
done
[ -w /dev/fuse ] || fail "/dev/fuse is not writable: sshfs needs it"

work="$(mktemp -d)"
pictures="$build/try/remote"
mkdir -p "$work/server" "$work/here" "$work/home" "$pictures"
started=()
finish() {
  fusermount3 -u -z "$work/here" 2>/dev/null || true
  [ "${#started[@]}" = 0 ] || kill "${started[@]}" 2>/dev/null || true
  wait
  rm -rf "$work"
}
trap finish EXIT

# ---- the server: the study with its analysis, and a daemon for this person alone
cp "$study" "$work/server/study.h5"
if "$bin/plastiscope-cli" info "$study" | grep -q '^kind *capture'; then
  "$bin/plastiscope-cli" --quiet analyze "$work/server/study.h5" --interval jackknife --out "$work/server/study.analysis.h5"
fi
ssh-keygen -q -t ed25519 -N '' -f "$work/host"
ssh-keygen -q -t ed25519 -N '' -f "$work/person"
port=$((20000 + RANDOM % 20000))
cat >"$work/sshd_config" <<CONFIG
Port $port
ListenAddress 127.0.0.1
HostKey $work/host
AuthorizedKeysFile $work/person.pub
StrictModes no
UsePAM no
PidFile none
Subsystem sftp internal-sftp
CONFIG
"$(command -v sshd)" -D -e -f "$work/sshd_config" 2>"$work/sshd.log" &
started+=($!)

# ---- this computer
for _ in $(seq 50); do
  ssh-keyscan -p "$port" 127.0.0.1 >"$work/known" 2>/dev/null && [ -s "$work/known" ] && break
  sleep 0.1
done
sshfs -f -p "$port" -o "IdentityFile=$work/person,UserKnownHostsFile=$work/known,auto_cache,reconnect" \
  "127.0.0.1:$work/server" "$work/here" 2>"$work/sshfs.log" &
started+=($!)
for _ in $(seq 50); do mountpoint -q "$work/here" && break; sleep 0.1; done
mountpoint -q "$work/here" || { cat "$work/sshfs.log" "$work/sshd.log" >&2; fail "sshfs did not mount the folder"; }

for client in $(pgrep -x ssh); do grep -qF "$work/person" "/proc/$client/cmdline" && break; done

# Bytes that ssh has read from the line, encrypted and with all that belongs to it.
travelled() { awk '/^rchar/ { print $2 }' "/proc/$client/io"; }
export HOME="$work/home" XDG_CONFIG_HOME="$work/home/config" XDG_CACHE_HOME="$work/home/cache" XDG_DATA_HOME="$work/home/data"
size="$(cat "$work"/server/study*.h5 | wc -c)"
printf '\n%s: %s bytes, with its analysis\n\n' "$(basename "$study")" "$size"
printf '%-44s %12s %8s %7s\n' step 'bytes' 'of all' seconds
step() {
  local title="$1" before start
  shift
  before="$(travelled)" start="$(date +%s%N)"
  "$@" >"$work/said" 2>&1 || { cat "$work/said" >&2; fail "$title failed"; }
  awk -v t="$title" -v b="$(($(travelled) - before))" -v all="$size" -v s=$(($(date +%s%N) - start)) \
    'BEGIN { printf "%-44s %12d %7.1f%% %7.1f\n", t, b, 100 * b / all, s / 1e9 }'
}
picture() { xvfb-run -a -s "-screen 0 1600x1000x24 +extension GLX" "$bin/plastiscope" screenshot "$@"; }
opened="$work/here/study.h5"
[ ! -e "$work/server/study.analysis.h5" ] || opened="$work/here/study.analysis.h5"
step "info, first time" "$bin/plastiscope-cli" info "$work/here/study.h5"
step "info, again" "$bin/plastiscope-cli" info "$work/here/study.h5"
step "the window: all panels of a head" picture "$opened" --out "$pictures/heads.png" --force
step "the window: the same again" picture "$opened" --out "$pictures/heads.png" --force
step "the window: text of a head" picture "$opened" --page text --out "$pictures/text.png" --force
step "verify, which reads everything" "$bin/plastiscope-cli" verify "$work/here/study.h5"

# ---- a capture that runs there
cp -r "$root/tests/data/families/qwen3" "$work/server/model"
python3 - "$work/server/tokens.jsonl" <<'TOKENS'
import json, sys
with open(sys.argv[1], "w") as out:
    for text in range(4000):
        out.write(json.dumps({"id": text, "tokens": [(7 * text + i) % 90 for i in range(2000)]}) + "\n")
TOKENS
arguments=(--model model --tokens tokens.jsonl --window 2000 --heads all --rate 20 --threads 1 --out running.h5)
cd "$work/server"
unshare --user --map-root-user --uts bash -c 'hostname far-away; exec "$@"' _ "$bin/plastiscope-cli" capture "${arguments[@]}" \
  >"$work/capture.log" 2>&1 &
started+=($!)
cd "$work/here"
for _ in $(seq 300); do [ "$(wc -l 2>/dev/null <"$work/server/running.h5.partial/manifest.jsonl")" -gt 0 ] 2>/dev/null && break; sleep 0.1; done
if said="$(timeout 20 "$bin/plastiscope-cli" --quiet capture "${arguments[@]}" 2>&1)"; then fail "a capture that already runs on the server was also started from this computer"; fi
[[ "$said" == *"a process on far-away is capturing to this output"* ]] || { printf '%s\n' "$said" >&2; fail "the refusal does not name the server"; }
printf '\nrefused from here: %s\n' "${said##*: }"
mkdir -p "$XDG_CONFIG_HOME/plastiscope"
printf '{"capture_folder": "%s"}' "$work/here" >"$work/home/settings.json"
