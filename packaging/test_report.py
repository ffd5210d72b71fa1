#!/usr/bin/env python3
"""Counts the cases of a test run: test_report.py BUILD_FOLDER LOG

Every test program, and pytest, writes a JUnit file into BUILD_FOLDER/tests/results. They are joined into
BUILD_FOLDER/tests/results.xml (for continuous integration) and cases.txt (one name a line). Of each program that failed
by LOG, which ctest printed, the end of what it said is shown, and the case in which it broke off; failed cases are named
with their first complaint, and the whole is one line. The exit status is 1 when a case failed or none was run.
"""
import pathlib
import re
import sys
import xml.etree.ElementTree as xml


SHOWN = 40  # lines of a program
NO_NEWS = re.compile(r"\[ |This plugin does not support|Mouse event at .* outside target window")


def broken_programs(log):
    """Program, how it ended, the case that it did not end (or None), and what it said: of each that failed."""
    text = log.read_text(errors="replace")
    for each in re.finditer(r"Test +#\d+: (\S+) \.*\*{3}(.*)\n((?:(?! +Start +\d| *\d+/\d+ Test +#|\d+% tests passed).*\n)*)", text):
        program, how, output = each.groups()
        ended = set(re.findall(r"^\[ .* (?:OK|FAILED|SKIPPED) +\] ([^ ,\n]+)", output, re.M))
        begun = [case for case in re.findall(r"^\[ RUN +\] (\S+)", output, re.M) if case not in ended]
        yield program, how.strip(), begun[-1] if begun else None, output.splitlines()


def main(build, log):
    results = build / "tests" / "results"
    names, failed, skipped, seconds, joined = [], [], [], 0.0, xml.Element("testsuites")
    files = sorted(results.glob("*.xml"))
    for file in files:
        program = file.stem.split(".")[0]
        root = xml.parse(file).getroot()
        seconds += float(root.get("time", 0))
        for suite in root.iter("testsuite"):
            suite.set("name", f"{program}.{suite.get('name')}")
            joined.append(suite)
            for case in suite.iter("testcase"):
                if case.get("status", "run") != "run":
                    continue
                name = f"{program}.{case.get('classname')}.{case.get('name')}"
                names.append(name)
                complaint = next((each for each in case if each.tag in ("failure", "error")), None)
                if complaint is not None:
                    failed.append((name, complaint.get("message", "").strip().splitlines()))
                if case.get("result") == "skipped" or case.find("skipped") is not None:
                    skipped.append(name)
    (build / "tests" / "cases.txt").write_text("".join(name + "\n" for name in sorted(names)))
    xml.ElementTree(joined).write(build / "tests" / "results.xml", encoding="utf-8", xml_declaration=True)
    for program, how, case, lines in broken_programs(log):
        told = [line for line in lines if not NO_NEWS.match(line)]
        print("\n".join([f"== {program}: {how}", *told[-SHOWN:]]))
        if case:
            print(f"FAILED {program.split('.')[0]}.{case}: it did not end")
    for name, lines in failed:
        print(f"FAILED {name}: {' | '.join(lines[:4])}")
    print(f"{len(names):,} test cases in {len(files)} processes, {seconds / 60:.1f} minutes of them: "
          f"{len(failed)} failed, {len(skipped)} skipped{': ' + ', '.join(skipped) if skipped else ''}")
    return 1 if failed or not names else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])))
