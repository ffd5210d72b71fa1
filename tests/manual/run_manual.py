#!/usr/bin/env python3
"""Runs the commands of the tutorial, and makes the manual: run_manual.py tutorial|pages BIN RESULTS.xml

tutorial: every block marked `sh` runs in a folder that holds the example; a block marked `text` behind it shows what it
prints. Numbers may differ, everything else is compared; a line `...` stands for any lines that follow. Whatever a command
says is written (--out, --csv) must be there, and not empty.
pages: packaging/manual.sh, whose warnings are errors; skipped without Sphinx.
"""
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as xml

ROOT = pathlib.Path(__file__).resolve().parents[2]
TUTORIAL = ROOT / "resources/help/tutorial.md"
EXAMPLE = ROOT / "resources/example/smollm2-135m-licences.h5"
SKIPPED = object()


def shape(text):
    """The lines without their numbers and without the width of their gaps."""
    return [re.sub(r"\s+", " ", re.sub(r"\d[\d,.]*", "0", line)).strip() for line in text.strip().splitlines()]


def differs(shown, printed):
    """What of the lines shown was not printed; None when all was."""
    rest = shape(printed)
    for line in shape(shown):
        if line == "...":
            return None
        if not rest or rest.pop(0) != line:
            return f"the page shows {line!r}, the command printed:\n{printed}"
    return f"the command printed more than the page shows: {rest}" if rest else None


def outputs(block):
    for line in block.splitlines():
        words = shlex.split(line)
        yield from (value for option, value in zip(words, words[1:]) if option in ("--out", "--csv"))


def run_block(block, shown, folder, environment):
    """None, or what is wrong with the block."""
    done = subprocess.run(["bash", "-euo", "pipefail", "-c", block], cwd=folder, env=environment, capture_output=True, text=True)
    if done.returncode != 0:
        return f"exit code {done.returncode}: {done.stderr}"
    for name in outputs(block):
        place = folder / name
        if not place.exists() or not (any(place.iterdir()) if place.is_dir() else place.stat().st_size):
            return f"{name} was not written"
    return differs(shown, done.stdout) if shown else None


def tutorial(binaries):
    """(name, complaint) of every block."""
    blocks = re.findall(r"^```sh\n(.*?)^```\n(?:\n```text\n(.*?)^```\n)?", TUTORIAL.read_text(encoding="utf-8"), re.M | re.S)
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary) / "work"
        folder.mkdir()
        shutil.copy(EXAMPLE, folder)
        environment = {**os.environ, "PATH": f"{binaries}:{os.environ['PATH']}", "HOME": temporary}
        for name in ("CONFIG", "CACHE", "DATA"):
            environment[f"XDG_{name}_HOME"] = f"{temporary}/{name.lower()}"
        for number, (block, shown) in enumerate(blocks, 1):
            command = re.sub(r"\W+", "_", " ".join(block.split()[:2]))
            yield f"Block{number:02d}_{command}", run_block(block, shown, folder, environment)


def pages(binaries):
    if not shutil.which("sphinx-build"):
        print("skipped: sphinx-build is missing (packaging/packages.txt)")
        yield "Builds", SKIPPED
        return
    with tempfile.TemporaryDirectory() as temporary:
        out = pathlib.Path(temporary) / "html"
        done = subprocess.run(["bash", ROOT / "packaging/manual.sh", out, binaries], capture_output=True, text=True)
        yield "Builds", f"exit code {done.returncode}: {done.stdout}{done.stderr}" if done.returncode else None
        lacking = [name for name in ("index", "tutorial", "views", "options", "metrics", "limits")
                   if not (out / f"{name}.html").is_file()]
        yield "HasItsChapters", f"missing: {lacking}" if lacking else None


def main(what, binaries, results):
    suite = xml.Element("testsuite", name="manual")
    failures = 0
    start = time.monotonic()
    for name, complaint in {"tutorial": tutorial, "pages": pages}[what](pathlib.Path(binaries).resolve()):
        seconds, start = time.monotonic() - start, time.monotonic()
        case = xml.SubElement(suite, "testcase", classname=what.capitalize(), name=name, status="run", time=f"{seconds:.3f}",
                              result="skipped" if complaint is SKIPPED else "completed")
        if complaint and complaint is not SKIPPED:
            failures += 1
            print(f"[  FAILED  ] {name}: {complaint}")
            xml.SubElement(case, "failure", message=complaint)
        else:
            print(f"[{'  SKIPPED ' if complaint else '       OK '}] {name} ({seconds:.1f} s)")
    if len(suite) == 0:
        failures = 1
        print("nothing was run")
    root = xml.Element("testsuites", time=str(sum(float(case.get("time")) for case in suite)))
    root.append(suite)
    pathlib.Path(results).parent.mkdir(parents=True, exist_ok=True)
    xml.ElementTree(root).write(results, encoding="utf-8", xml_declaration=True)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
