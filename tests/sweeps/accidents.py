"""Kills commands at random moments and changes random bytes of what they wrote: accidents.py BUILD [options].

A small random model reads random tokens. Table 1: each command is killed (SIGKILL) at a random moment of its run, again and
again until a run ends by itself; every output must be complete, and the last one must equal that of an undisturbed run.
Table 2: one byte of a file, or of the work of a killed capture, is changed, or the file is cut, at a random place; `verify`
must refuse the file by name with exit code 3, and a resumed capture must give the result of an undisturbed run. Exit code 1
on any other outcome.
"""
import argparse
import pathlib
import subprocess
import sys
import tempfile
import time

from workshop import Workshop, contents


def commands(shop):
    """Commands by name, each writing the file `out`, and the capture that they read."""
    study, parts = shop.captured(), [shop.captured("--part", f"{i}/2", name=f"part{i}.h5") for i in range(2)]
    return study, {"capture": shop.capture,
                   "merge": lambda out: [shop.tool, "merge", *parts, "--out", out, "--quiet"],
                   "analyze": lambda out: [shop.tool, "analyze", study, "--out", out, "--threads", 1, "--quiet"],
                   "export": lambda out: [shop.tool, "export", "qk-sniffer", study, "--out", out, "--quiet"]}


def kills(shop, name, command, count):
    """(kills, kills before the end, partial outputs, differing results)"""
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
    """The bytes with one changed, or cut."""
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
    """Differing results of killed captures that were resumed after damage to their work."""
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
        # Damaged settings are refused by name; other damaged work is captured again.
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
        shop = Workshop(options.build, pathlib.Path(temporary), options.seed)
        print(f"{'killed':12}{'kills':>8}{'half outputs':>14}{'other results':>15}", flush=True)
        study, tried = commands(shop)
        for name, command in tried.items():
            count, half, other = kills(shop, name, command, options.kills)
            print(f"{name:12}{count:>8}{half:>14}{other:>15}", flush=True)
            failed += half + other
        analysis = shop.folder / "study.analysis.h5"
        shop.run([shop.tool, "analyze", study, "--out", analysis, "--quiet"])
        print(f"\n{'damaged':12}{'places':>8}{'unnoticed':>14}", flush=True)
        for file in (study, analysis):
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
