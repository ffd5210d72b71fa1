"""Which lines and branches of core the tests run: coverage.py [TEST ...] [--missing ROOM].

The preset `coverage` is configured and built, ctest runs its tests (those whose names begin with a TEST, or all that use
core), and GCC's gcov reads what was counted: a line of the table a room. A branch is a way out of a condition; the ways that
only an exception takes are not counted, nor are lines without code. Templates and inline functions count once, whatever
their number of copies; what is inlined into several places of one function counts at each. A test that kills a process
while it writes its counts breaks those of one source: `gcov.log` in the build's folder names it; without its file that room
can be asked again. `--missing ROOM` names the lines of a room that never ran, instead of running anything.
"""
import argparse
import collections
import concurrent.futures
import functools
import json
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BUILD = ROOT / "build" / "coverage"
# Not those of failing system calls: they would hit the writing of counts.
OF_CORE = "analysis base capture cli cloud compare figures forward gui jobs model parquet store text views weights".split()

CLOSING = re.compile(r"[\s})\];,]*")  # in such lines destructors run
CONDITION = re.compile(r"\b(?:if|for|while|switch|case|default|catch)\b|\?|&&|\|\||[!=<>]=| [<>] |!\w")


@functools.cache
def text_of(path):
    return (ROOT / path).read_text().splitlines()


def lines_of(data):
    """(file, line, count, counts of its branches) of one object."""
    said = subprocess.run(["gcov", "--json-format", "--stdout", "--branch-counts", "--branch-probabilities", data], cwd=BUILD, check=True,
                          capture_output=True, text=True).stdout
    found = []
    for document in said.splitlines():
        for file in json.loads(document)["files"]:
            path = os.path.relpath(BUILD / file["file"], ROOT)
            if not path.startswith("core/"):
                continue
            for line in file["lines"]:
                text = text_of(path)[line["line_number"] - 1]
                if CLOSING.fullmatch(text):
                    continue
                branches = [branch["count"] for branch in line["branches"] if CONDITION.search(text) and not branch["throw"]]
                found.append((path, line["line_number"], line["count"], tuple(branches)))
    return found


class Counts:
    def __init__(self):
        self.lines = collections.Counter()  # (file, line) -> times
        self.branches = {}  # (file, line) -> times of each

    def add(self, path, number, count, branches):
        key = path, number
        self.lines[key] += count
        before = self.branches.get(key, ())
        width = max(len(before), len(branches))  # copies of a template may have fewer: what their types decide is no branch
        padded = [(*each, *(width - len(each)) * (0,)) for each in (before, branches)]
        self.branches[key] = tuple(map(sum, zip(*padded)))

    def of(self, room):
        lines = [count for (path, _), count in self.lines.items() if path.startswith(f"core/{room}/")]
        branches = [count for (path, _), counts in self.branches.items() if path.startswith(f"core/{room}/") for count in counts]
        return lines, branches


def counted():
    counts = Counts()
    with concurrent.futures.ThreadPoolExecutor() as pool:
        for found in pool.map(lines_of, sorted(BUILD.glob("**/*.gcda"))):
            for line in found:
                counts.add(*line)
    return counts


def share(counts):
    return f"{sum(count > 0 for count in counts):,} of {len(counts):,} | {100 * sum(count > 0 for count in counts) / max(1, len(counts)):.1f} %"


def print_table(counts):
    rooms = sorted({path.split("/")[1] for path, _ in counts.lines})
    print("| room | lines | | branches | |\n|---|---|---|---|---|")
    for room in rooms:
        lines, branches = counts.of(room)
        print(f"| {room} | {share(lines)} | {share(branches)} |")
    print(f"| core | {share(list(counts.lines.values()))} | {share([count for each in counts.branches.values() for count in each])} |")


def print_missing(counts, room):
    for (path, number), count in sorted(counts.lines.items()):
        if path.startswith(f"core/{room}/"):
            dead = sum(each == 0 for each in counts.branches[path, number])
            if count == 0 or dead:
                print(f"{path}:{number}: {'never' if count == 0 else f'{dead} branches never'}: {text_of(path)[number - 1].strip()}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tests", nargs="*", help="beginnings of ctest's names")
    parser.add_argument("--missing", help="a room")
    parser.add_argument("--ninja", default="ninja", help="what builds: a program and its options")
    options = parser.parse_args()
    status = 0
    if not options.missing:
        names = options.tests or OF_CORE
        if not (BUILD / "build.ninja").exists():
            subprocess.run(["cmake", "--preset", "coverage"], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
        programs = [f"test_{name}" for name in names]
        subprocess.run([*options.ninja.split(), "-C", BUILD, *programs], check=True)
        status = subprocess.run(["ctest", "--test-dir", BUILD, "-R", rf"^({'|'.join(names)})(\.|$)", "--output-on-failure",
                                 "-j", str(os.cpu_count())],
                                env={**os.environ, "PLASTISCOPE_TEST_SHORT": "1", "GCOV_ERROR_FILE": str(BUILD / "gcov.log")}).returncode
    counts = counted()
    if options.missing:
        print_missing(counts, options.missing)
    else:
        print_table(counts)
    if status != 0:
        sys.exit("tests failed")


main()
