"""Runs the tests under a checker and counts its reports: sanitizers.py asan|tsan|memcheck [TEST ...] [options].

`asan` and `tsan` are presets built with sanitizers, including the programs that tests start; `memcheck` runs the test
programs of the preset `release` under Valgrind, which also finds uninitialised values. The preset is configured and built, then
each test of ctest's list whose name begins with a TEST runs (default: all tests of the checker). Prints one line per
test, then each different report once; full reports are in build/PRESET/reports. Reports inside libraries that are not built
here are excluded by leaks.supp, races.supp and memory.supp beside this file, with their reasons. Exit code 1 when there is a
report or a test fails.
"""
import argparse
import collections
import json
import os
import pathlib
import re
import subprocess
import sys
import time
import xml.etree.ElementTree as xml

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BESIDE = pathlib.Path(__file__).resolve().parent
# Tests that start Plastiscope's own threads; the others run one thread or threads of libraries.
OF_THREADS = ["base", "forward", "store", "jobs", "cloud", "gui"]
# Checker -> preset, tests, command prefix of a test program.
CHECKERS = {
    "asan": ("asan", [], []),
    "tsan": ("tsan", OF_THREADS, []),
    "memcheck": ("release", [], ["valgrind", "--leak-check=full", "--show-leak-kinds=definite", "--errors-for-leak-kinds=definite",
                                 f"--suppressions={BESIDE / 'memory.supp'}", "--num-callers=30"]),
}
# Not C++ test programs: they start programs that other tests cover.
NEVER = re.compile(r"packaging|python|manual|differential|round_trips|parse_costs|accidents|lost_workers|confinement")
SUMMARY = re.compile(r"^SUMMARY: \w+Sanitizer: (.*?)(?: in )?$", re.M)  # in the report file of the process
MEMCHECK = re.compile(r"^==\d+== (Invalid .*|Conditional .*|Use of .*|Syscall .*|Mismatched .*|Source and .*|Process termin.*|.* definitely lost .*)\n"
                      r"((?:==\d+==    (?:at|by) .*\n)+)", re.M)
LEAK = re.compile(r"^(?:Direct|Indirect) leak of .* allocated from:\n((?: +#\d+ .*\n)+)", re.M)
FRAME = re.compile(r"#\d+ \S+ in (.*)")
UNDEFINED = re.compile(r"^(\S+:\d+:\d+): runtime error: (.*)$", re.M)  # on standard error of the process


def options_of(log):
    """Environment variables of the sanitizers; every process writes its reports beside `log`."""
    common = f"log_path={log}:print_summary=1"
    return {
        # Tests of failing system calls preload a library before the sanitizer's; other tests request more memory than exists.
        "ASAN_OPTIONS": f"{common}:detect_stack_use_after_return=1:strict_init_order=1:verify_asan_link_order=0:allocator_may_return_null=1",
        "UBSAN_OPTIONS": f"{common}:print_stacktrace=1",
        "LSAN_OPTIONS": f"suppressions={BESIDE / 'leaks.supp'}:print_suppressions=0",
        "TSAN_OPTIONS": f"{common}:suppressions={BESIDE / 'races.supp'}:print_suppressions=0:history_size=4:second_deadlock_stack=1",
    }


def tests_of(build, prefixes):
    """Tests of ctest's list; without a "command" until their program is built."""
    listed = subprocess.run(["ctest", "--test-dir", build, "--show-only=json-v1"], check=True, capture_output=True, text=True).stdout
    return [test for test in json.loads(listed)["tests"] if not NEVER.match(test["name"]) and
            (not prefixes or any(re.match(rf"{re.escape(prefix)}(\W|_|$)", test["name"]) for prefix in prefixes))]


def run(test, build, before, patience):
    name, command = test["name"], test["command"]
    properties = {each["name"]: each["value"] for each in test["properties"]}
    reports = build / "reports"
    result = build / "tests" / "results" / f"{name}.xml"
    result.unlink(missing_ok=True)
    for old in reports.glob(f"{name}.*"):
        old.unlink()
    environment = {**os.environ, **dict(each.split("=", 1) for each in properties.get("ENVIRONMENT", [])), **options_of(reports / name),
                   "PLASTISCOPE_TEST_SHORT": "1"}
    environment.pop("MALLOC_PERTURB_", None)
    if before:
        command = [*before, f"--log-file={reports / name}.%p", *command]
    start = time.time()
    with (reports / f"{name}.output").open("w") as output:
        try:
            code = subprocess.run(command, cwd=properties.get("WORKING_DIRECTORY", build), env=environment, stdout=output, stderr=subprocess.STDOUT,
                                  timeout=patience * float(properties.get("TIMEOUT", 1500))).returncode
        except subprocess.TimeoutExpired:
            code = "too long"
    return code, result, time.time() - start


def cases_of(result):
    """Number of cases that ran, names of failed cases, number of skipped cases."""
    if not result.exists():
        return 0, [], 0
    cases = [case for case in xml.parse(result).getroot().iter("testcase") if case.get("status", "run") == "run"]
    failed = [f"{case.get('classname')}.{case.get('name')}" for case in cases if case.find("failure") is not None]
    return len(cases), failed, sum(case.get("result") == "skipped" for case in cases)


def ours(frames):
    """The first frame in the repository, else the frame that allocated."""
    return next((frame for frame in frames if re.search(r" (app|core|tests|widgets)/|^plastiscope::", frame)), frames[min(1, len(frames) - 1)])


def reports_of(reports, name):
    """One line per report; undefined behaviour is also read from the output of the test."""
    texts = [file.read_text(errors="replace").replace(f"{ROOT}/", "") for file in reports.glob(f"{name}.*")]
    words = dict(match for text in texts for match in UNDEFINED.findall(text))
    lines = [line for text in texts for line in SUMMARY.findall(text)]
    places = [line.removeprefix("undefined-behavior ") for line in lines if "leaked in" not in line]
    places += ["leak of " + ours(FRAME.findall(leak)) for text in texts for leak in LEAK.findall(text)]
    places += [f"{what} in {ours(re.findall(r'0x[0-9A-F]+: (.*)', frames))}" for text in texts for what, frames in MEMCHECK.findall(text)]
    return collections.Counter(f"{place}: {words[place]}" if place in words else place for place in places)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("checker", choices=CHECKERS)
    parser.add_argument("tests", nargs="*", help="beginnings of ctest's names")
    parser.add_argument("--ninja", default="ninja", help="what builds: a program and its options")
    parser.add_argument("--patience", type=float, default=4, help="times the tests' own time limits")
    options = parser.parse_args()
    preset, meant, before = CHECKERS[options.checker]
    build = ROOT / "build" / preset
    if not (build / "build.ninja").exists():
        subprocess.run(["cmake", "--preset", preset], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    chosen = options.tests or meant
    programs = sorted({"test_" + test["name"].split(".")[0] for test in tests_of(build, chosen)})
    subprocess.run([*options.ninja.split(), "-C", build, *programs], check=True)
    (build / "reports").mkdir(exist_ok=True)
    everything, failures = collections.Counter(), []
    print("| test | cases | failed | skipped | reports | seconds |\n|---|---|---|---|---|---|")
    for test in tests_of(build, chosen):
        name = test["name"]
        code, result, seconds = run(test, build, before, options.patience)
        cases, failed, skipped = cases_of(result)
        if code != 0 and not failed:
            failed = [f"ended with {code}"]
        found = reports_of(build / "reports", name)
        everything += found
        failures += [f"{name}: {case}" for case in failed]
        print(f"| {name} | {cases} | {len(failed)} | {skipped} | {found.total()} | {seconds:.0f} |", flush=True)
    print()
    for report, times in everything.most_common():
        print(f"{times} x {report}")
    for failure in failures:
        print(f"FAILED {failure}")
    print(f"{len(everything)} different reports, {len(failures)} failed")
    return 1 if everything or failures else 0


sys.exit(main())
