"""Plants small errors in core, one at a time, and runs the tests: planted_mutants.py BUILD [options].

Each mutant is a random line of core/FOLDER/**/*.cpp with one change of the list below; the program test_FOLDER is built and
run, then the line is restored. Prints place, change, and the test that found it. Run it in a separate clone, because the
sources change. A build folder that compiles each file separately, without optimisation, is fastest.
"""
import argparse
import pathlib
import random
import re
import resource
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
OPERATORS = [(" < ", " <= "), (" <= ", " < "), (" > ", " >= "), (" >= ", " > "), (" == ", " != "), (" != ", " == "), (" && ", " || "),
             (" || ", " && "), (" + ", " - "), (" - ", " + "), (" * ", " / "), (" / ", " * "), (" % ", " / "), ("true", "false"),
             ("false", "true"), ("std::min", "std::max"), ("std::max", "std::min"), ("if (", "if (!("), (" += ", " -= "), ("++", "--"),
             ("begin()", "end()"), ("continue;", ";"), ("break;", ";")]
NUMBER = re.compile(r"(?<![\w.\"'\\])\d+(?![\w.\"'])")
STATEMENT = re.compile(r"^ {2,}(?!return|throw|break|continue|using|case|static|const|auto|std::\S+ \w+[;(={ ])[a-z_]\w*(\.|->|\[|\(|::| [-+*/|&]?= |\+\+).*;$")
SKIPPED = re.compile(r"^\s*(//|#|\*|case |using |static_assert)|\"")  # changes of texts are not tested


def changes_of(line):
    """Possible changes of a line: (change, new line)."""
    if not line.startswith("  ") or SKIPPED.search(line):
        return []
    code = line.split("//")[0]
    found = []
    for old, new in OPERATORS:
        for match in re.finditer(re.escape(old), code):
            if old == "if (":
                if code.count("(") != code.count(")") or not re.search(r"\) \{?$|\) (return|continue|break|throw)\b", code.rstrip()):
                    continue
                end = code.rstrip().rfind(") ") if re.search(r"\) \{$", code.rstrip()) else code.index(") ")
                changed = code[:match.start()] + new + code[match.end():end] + ")" + code[end:]
            else:
                changed = code[:match.start()] + new + code[match.end():]
            found.append((f"{old.strip()} -> {new.strip()}", changed))
    for match in NUMBER.finditer(code):
        for step in (1, -1):
            value = int(match.group()) + step
            if value >= 0:
                found.append((f"{match.group()} -> {value}", code[:match.start()] + str(value) + code[match.end():]))
    if STATEMENT.match(code.rstrip()):
        found.append(("statement removed", re.match(r" *", code).group() + ";"))
    return found


def candidates(rooms):
    for room in rooms:
        for path in sorted((ROOT / "core" / room).rglob("*.cpp")):
            for number, line in enumerate(path.read_text().split("\n")):
                if changes_of(line):
                    yield room, path, number


def limit_memory():
    """Limits memory, because a planted error may allocate without end."""
    resource.setrlimit(resource.RLIMIT_AS, (6 << 30, 6 << 30))


class Tester:
    def __init__(self, options):
        self.options, self.seconds = options, {}

    def build(self, program):
        return subprocess.run([*self.options.ninja.split(), "-C", self.options.build, program], stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL).returncode == 0

    def failures(self, program):
        """Names of the cases that fail, [] when all pass."""
        start, patience = time.time(), 10 * self.seconds.get(program, 100) + 20
        try:
            run = subprocess.run([f"{self.options.build}/tests/{program}", "--gtest_brief=1"], cwd=ROOT, stdout=subprocess.PIPE,
                                 stderr=subprocess.DEVNULL, encoding="utf-8", errors="replace", timeout=patience, preexec_fn=limit_memory)
        except subprocess.TimeoutExpired:
            return ["does not end"]
        self.seconds.setdefault(program, time.time() - start)
        named = re.findall(r"\[  FAILED  \] (\S+?)(?:,| \()", run.stdout)
        return list(dict.fromkeys(named)) or ([f"exit {run.returncode}"] if run.returncode else [])

    def verdict(self, programs):
        if not self.build(programs[0]):
            return "does not compile"
        for program in programs:
            if program != programs[0] and not self.build(program):
                return "does not compile"
            failed = self.failures(program)
            if failed:
                return f"killed by {failed[0]}" + (f" and {len(failed) - 1} more" if len(failed) > 1 else "")
        return "SURVIVED"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", help="a configured build folder")
    parser.add_argument("--rooms", default="base,weights,text,model,capture,store,analysis,views,compare,jobs")
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--also", default="", help="further test programs, asked about what survives: test_jobs,test_cli")
    parser.add_argument("--ninja", default="ninja", help="what builds: a program and its options")
    options = parser.parse_args()
    tester, rng = Tester(options), random.Random(options.seed)
    places = list(candidates(options.rooms.split(",")))
    also = [name for name in options.also.split(",") if name]
    for room in options.rooms.split(","):
        if not tester.build(f"test_{room}") or tester.failures(f"test_{room}"):
            sys.exit(f"test_{room} does not pass as it is")
    killed = survived = 0
    while killed + survived < options.count and places:
        room, path, number = places.pop(rng.randrange(len(places)))
        text = path.read_text()
        lines = text.split("\n")
        change, lines[number] = rng.choice(changes_of(lines[number]))
        try:
            path.write_text("\n".join(lines))
            verdict = tester.verdict([f"test_{room}", *also])
        finally:
            path.write_text(text)
        killed += verdict.startswith("killed")
        survived += verdict == "SURVIVED"
        print(f"| {path.relative_to(ROOT)}:{number + 1} | {change} | {verdict} |", flush=True)
    print(f"\n{killed} of {killed + survived} killed")


main()
