"""Kills commands at random moments and changes random bytes of what they wrote: accidents.py BUILD [options].

A small random model reads random tokens. Table 1: each command is killed (SIGKILL) at a random moment of its run, again and
again until a run ends by itself; nothing under the name of its output may be anything but whole, and the end must have what
an undisturbed run has. Table 2: in a file, or in what a killed capture left, one byte is changed or the file is cut at a
random place; `verify` must refuse a file by name with exit code 3, and a capture that goes on must come to what an
undisturbed run has. Ends with 1 when anything else happens.
"""
import argparse
import hashlib
import json
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import time

try:
    import h5py
except ImportError:
    sys.exit(77)

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
MODEL = ROOT / "tests/data/forward/llama3.gguf"
TEXTS, TOKENS, VOCABULARY = 12, 384, 64


def digest(file):
    """Of all that a file holds but the time when it was made; "broken" when it does not open."""
    if file.suffix != ".h5":
        return hashlib.sha256(file.read_bytes()).hexdigest()
    found = hashlib.sha256()

    def add(name, item):
        found.update(repr((name, sorted((key, str(value)) for key, value in item.attrs.items() if key != "created"))).encode())
        if isinstance(item, h5py.Dataset):
            found.update(str(item.dtype).encode() + (item[()].tobytes() if item.dtype.kind != "O" else repr(item[()].tolist()).encode()))

    try:
        with h5py.File(file) as opened:
            add("/", opened)
            opened.visititems(add)
    except OSError:
        return "broken"
    return found.hexdigest()


class Workshop:
    def __init__(self, build, folder, seed):
        self.tool, self.folder, self.random = build / "bin/plastiscope-cli", folder, random.Random(seed)
        self.tokens = folder / "tokens.jsonl"
        self.tokens.write_text("".join(json.dumps({"id": str(i), "tokens": [self.random.randrange(VOCABULARY) for _ in range(TOKENS)]}) + "\n"
                                       for i in range(TEXTS)))
        self.study, self.parts = folder / "study.h5", [folder / f"part{i}.h5" for i in range(2)]
        self.run(self.capture(self.study))
        for i, part in enumerate(self.parts):
            self.run(self.capture(part, "--part", f"{i}/2"))

    def capture(self, out, *more):
        return [self.tool, "capture", "--model", MODEL, "--tokens", self.tokens, "--window", TOKENS, "--rate", 8, "--heads", "all", "--dtype", "float32",
                "--device", "cpu", "--threads", 1, "--checkpoint-every", 0, "--out", out, "--quiet", *more]

    def commands(self):
        """name -> command that writes the file `out`."""
        return {"capture": self.capture,
                "merge": lambda out: [self.tool, "merge", *self.parts, "--out", out, "--quiet"],
                "analyze": lambda out: [self.tool, "analyze", self.study, "--out", out, "--threads", 1, "--quiet"],
                "export": lambda out: [self.tool, "export", "qk-sniffer", self.study, "--out", out, "--quiet"]}

    def start(self, command):
        return subprocess.Popen([str(part) for part in command], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)

    def run(self, command):
        process = self.start(command)
        said = process.communicate()[1]
        if process.returncode != 0:
            sys.exit(f"{' '.join(map(str, command))}: exit code {process.returncode}\n{said}")

    def place(self):
        """An empty folder, always the same: files name the folder that they were made in."""
        folder = self.folder / "work"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        return folder


# What an output that is a folder or a file holds.
def contents(out):
    if out.is_dir():
        return {str(file.relative_to(out)): digest(file) for file in sorted(out.rglob("*")) if file.is_file()}
    return digest(out) if out.exists() else None


def kills(shop, name, command, count):
    """(kills, of them before the end, half outputs, other results)"""
    suffix = {"export": "out"}.get(name, "out.h5")
    started = time.monotonic()
    undisturbed = shop.place() / suffix
    shop.run(command(undisturbed))
    lasts, expected = time.monotonic() - started, contents(undisturbed)
    killed = half = other = 0
    while killed < count:
        out = shop.place() / suffix
        for _ in range(3):
            process = shop.start(command(out))
            try:
                process.wait(shop.random.uniform(0, lasts))
                break
            except subprocess.TimeoutExpired:
                process.kill()
                process.communicate()
                killed += 1
            half += contents(out) not in (None, expected)
        if contents(out) == expected:
            continue
        process = shop.start(command(out))
        said = process.communicate()[1]
        if process.returncode != 0 or contents(out) != expected:
            print(f"  {name}: exit code {process.returncode}: {said.strip()}")
            other += 1
    return killed, half, other


def damaged(shop, data):
    """The same bytes with one changed, or fewer of them."""
    at = shop.random.randrange(len(data))
    if shop.random.random() < 0.2:
        return data[:at]
    return data[:at] + bytes([data[at] ^ (1 << shop.random.randrange(8))]) + data[at + 1:]


def damage_of_files(shop, file, places):
    unnoticed, data = 0, file.read_bytes()
    changed = shop.place() / file.name
    for _ in range(places):
        changed.write_bytes(damaged(shop, data))
        process = shop.start([shop.tool, "verify", changed])
        said = process.communicate()[1]
        unnoticed += process.returncode != 3 or file.name not in said
    return unnoticed


def damage_of_unfinished(shop, places):
    """Other results of captures that were killed, whose work was then damaged."""
    tried, other, started, whole = 0, 0, time.monotonic(), shop.place() / "out.h5"
    shop.run(shop.capture(whole))
    lasts, expected = time.monotonic() - started, contents(whole)
    while tried < places:
        folder = shop.place()
        out = folder / "out.h5"
        process = shop.start(shop.capture(out))
        time.sleep(lasts * shop.random.uniform(0.4, 0.9))
        process.kill()
        process.communicate()
        files = [file for file in sorted(folder.rglob("*")) if file.is_file() and file != out and file.stat().st_size > 0]
        if not files or out.exists():
            continue
        file = shop.random.choice(files)
        file.write_bytes(damaged(shop, file.read_bytes()))
        process = shop.start(shop.capture(out))
        said = process.communicate()[1]
        # What decides the rows is refused by name; what can be captured again is.
        good = contents(out) == expected or (process.returncode == 3 and "out.h5.partial/settings.json" in said)
        if not good:
            print(f"  {file.relative_to(folder)}: exit code {process.returncode}: {said.strip()}")
        other += not good
        tried += 1
    return other


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--kills", type=int, default=1000, help="of each command")
    parser.add_argument("--places", type=int, default=10000, help="of each file")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    failed = 0
    with tempfile.TemporaryDirectory() as temporary:
        shop = Workshop(options.build.resolve(), pathlib.Path(temporary), options.seed)
        print(f"{'killed':12}{'kills':>8}{'half outputs':>14}{'other results':>15}", flush=True)
        for name, command in shop.commands().items():
            count, half, other = kills(shop, name, command, options.kills)
            print(f"{name:12}{count:>8}{half:>14}{other:>15}", flush=True)
            failed += half + other
        analysis = shop.folder / "study.analysis.h5"
        shop.run([shop.tool, "analyze", shop.study, "--out", analysis, "--quiet"])
        print(f"\n{'damaged':12}{'places':>8}{'unnoticed':>14}", flush=True)
        for file in (shop.study, analysis):
            unnoticed = damage_of_files(shop, file, options.places)
            print(f"{file.name.removeprefix('study.').removesuffix('.h5').replace('h5', 'capture'):12}{options.places:>8}{unnoticed:>14}", flush=True)
            failed += unnoticed
        count = max(1, options.places // 50)
        other = damage_of_unfinished(shop, count)
        print(f"{'unfinished':12}{count:>8}{other:>14}", flush=True)
        failed += other
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
