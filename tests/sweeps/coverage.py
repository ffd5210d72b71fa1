"""Lines and branches of core that the tests run: coverage.py [TEST ...] [--missing FOLDER].

The preset `coverage` is configured and built, ctest runs its tests (those whose names begin with a TEST, or all that use
core), and GCC's gcov reads the counts: one table line per folder. A branch is an outcome of a condition; branches that
only exceptions take are not counted, nor are lines without code. Templates and inline functions count once, whatever
their number of copies; code inlined into several places of one function counts at each. A test that kills a process
while it writes its counts breaks those of one source: `gcov.log` in the build's folder names it; delete its .gcda file
to measure that folder again. `--missing FOLDER` lists the lines of a folder that never ran, without running tests.
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
# Without tests of failing system calls, which would also fail the writing of counts.
OF_CORE = "analysis base capture cli cloud compare figures forward gui jobs model parquet store text views weights".split()

CLOSING = re.compile(r"[\s})\];,]*")  # lines where only destructors run
CONDITION = re.compile(r"\b(?:if|for|while|switch|case|default|catch)\b|\?|&&|\|\||[!=<>]=| [<>] |!\w")


@functools.cache
def text_of(path):
    return (ROOT / path).read_text().splitlines()


def lines_of(data):
    """(file, line, count, counts of its branches) in one object file."""
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
        self.lines = collections.Counter()  # (file, line) -> count
        self.branches = {}  # (file, line) -> count of each branch

    def add(self, path, number, count, branches):
        key = path, number
        self.lines[key] += count
        before = self.branches.get(key, ())
        width = max(len(before), len(branches))  # copies of a template may have fewer branches
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
