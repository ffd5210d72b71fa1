#!/usr/bin/env python3
"""Checks the documentation and makes the manual: run_manual.py commands|help|paths|pages BIN RESULTS.xml [PAGE ...]

commands: of every page, in its order, the blocks marked `sh` and each complete `plastiscope ...` within a line, in a folder
that holds what the pages assume. A block marked `text` behind it shows what it prints: numbers may differ, everything else
is compared; a line `...` stands for any lines that follow. Whatever a command says is written (--out, --csv) must be there,
and not empty. Blocks marked `python` run, too. What is not run is named in ELSEWHERE, with its reason, and shown.
help: the examples under every --help, likewise, in one folder, each after what makes its inputs.
paths: every file and folder of the repository that a page names exists, in links and in code. * and NAME stand for any
name.
pages: packaging/manual.sh, whose warnings are errors; skipped without Sphinx.
"""
import json
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
import zlib

ROOT = pathlib.Path(__file__).resolve().parents[2]
HELP = ROOT / "resources/help"
EXAMPLE = ROOT / "resources/example/smollm2-135m-licences.h5"
MODEL = ROOT / "build/models/SmolLM2-135M-Instruct.Q4_1.gguf"
PYTHON = ROOT / "build/venv/bin/python"
PAGES = [ROOT / "README.md", ROOT / "packaging/CONTRIBUTING.md", ROOT / "app/python/README.md", *sorted(HELP.glob("*.md"))]
# Whose paths are checked.
TOPS = ("app", "core", "packaging", "resources", "tests", "widgets")
NAMING = {*PAGES, *(ROOT / "packaging").glob("*.md"), *(page for top in TOPS for page in (ROOT / top).rglob("README.md"))}
# The names that the documentation has for captures, an analysis and a model.
COPIES = {
    EXAMPLE: ("smollm2-135m-licences.h5", "study.h5", "capture.h5", "licences.h5", "a.h5", "b.h5", "hf.h5", "gguf.h5"),
    ROOT / "tests/data/analysis/grouped.analysis.h5": ("a.analysis.h5", "b.analysis.h5"),
}
MODELS = ("MODEL", "Llama-3.1-8B", "SmolLM2.gguf", MODEL.name, f"models/{MODEL.name}", "run/step-1000")
# Lines that do not run here, by their first words, and where they do.
ELSEWHERE = {
    "bash packaging/package.sh": "takes minutes; packaging/try_packages.sh tries what it makes",
    "sudo apt install sshfs": "needs a server: packaging/try_remote.sh",
    "sudo apt install": "needs root: packaging/try_packages.sh",
    "bash packaging/run.sh": "builds what these tests have built",
    "bash packaging/test.sh": "runs these tests",
    "cmake --build build/viewer": "packaging/test.sh builds it behind its tests",
    "pip install ./app/python": "tests/python/test_package.py",
    "pip install ./build/release/packages": "packaging/try_packages.sh",
    "import plastiscope as ps": "tests/python/test_readme.py",
    "with ps.record(": "tests/python/test_readme.py",
    "runs = ((tokens": "tests/python/test_readme.py",
    "window = ps.window()": "tests/python/test_window.py",
    "python3 -m venv ~/torch": "installs PyTorch: the Python of the tests has it",
    "plastiscope-cli info my-model": "needs transformers: tests/cli/test_engines.cpp",
    "plastiscope-cli capture --model my-model": "needs transformers: tests/cli/test_engines.cpp",
    "sbatch": "needs a cluster: tests/cluster starts one",
    "job=$(sbatch": "needs a cluster: tests/cluster starts one",
    "plastiscope-cli batch sweep.toml --out library --part $": "needs a cluster: tests/cli",
    "bash resources/example/causes.sh": "takes half an hour: tests/causal runs a smaller study",
    "plastiscope-cli study study.toml --out effects": "takes an hour: tests/causal runs a smaller one",
    "plastiscope render study.h5 --figure attention": "needs a head of --dense: tests/figures",
    "torchrun": "needs several machines or GPUs: tests/cluster runs four processes",
    "plastiscope-cli merge study.part-*-of-8.h5": "joins what torchrun made",
    "mkdir -p ~/server": "needs a server: packaging/try_remote.sh",
    "sshfs": "needs a server: packaging/try_remote.sh",
    "ssh server": "needs a server: packaging/try_remote.sh",
    "plastiscope-cli serve": "stays open: tests/python/test_serve.py",
    "fusermount3": "needs a server: packaging/try_remote.sh",
    "plastiscope ~/server": "needs a server: packaging/try_remote.sh",
}
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$(?:\n+```text\n(.*?)^```$)?", re.M | re.S)
CODE = re.compile(r"`([^`]+)`")
PROGRAM = re.compile(r"(?:\./)?plastiscope(?:-cli)? ")
# Names a command, and no more.
MENTION = re.compile(r"\.\.\.|\[|\b(?!AP)[A-Z]{2,}\b| (?:capture|info|render|verify|export csv|import head-metrics)$")
# What opens the window would stay open: it draws its picture instead.
WINDOW = """#!/bin/sh
case "$*" in
  render*|screenshot*|manual*|completions*|*--help|*--version) exec '{0}' "$@" ;;
  *) exec '{0}' screenshot "$@" --force --out window.png ;;
esac
"""


class Skipped(str):
    """A reason."""


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


def outputs(command):
    """What each line says it writes."""
    for line in command.splitlines():
        words = shlex.split(line, comments=True)
        yield from (value for option, value in zip(words, words[1:]) if option in ("--out", "--csv"))


def elsewhere(line):
    """Why a line does not run here, or None."""
    if " man " in line and not shutil.which("man"):
        return Skipped(f"{line}: man is missing")
    return next((Skipped(f"{line}: {reason}") for start, reason in ELSEWHERE.items() if line.startswith(start)), None)


def session(file):
    """A session of the window with one tab."""
    content = {"current": 0, "studies": [], "tabs": [{"file": str(file)}]}
    check = zlib.crc32(json.dumps(content, separators=(",", ":")).encode())
    return json.dumps({"format": "plastiscope-session", "version": 1, "crc32": check, "content": content})


class Folder:
    """Where the commands of a page run. It is its own build/release/bin, so that a page may go there or not."""

    def __init__(self, home, binaries):
        self.path = home / "build/release/bin"
        self.path.mkdir(parents=True)
        (home / "build/viewer").symlink_to("release")
        (home / "build/models").symlink_to(MODEL.parent)
        (self.path / "build").symlink_to(home / "build")
        (self.path / "plastiscope-cli").symlink_to(binaries / "plastiscope-cli")
        (self.path / "plastiscope").write_text(WINDOW.format(binaries / "plastiscope"))
        (self.path / "plastiscope").chmod(0o755)
        self.environment = {**os.environ, "PATH": f"{self.path}:{os.environ['PATH']}", "HOME": str(home)}
        for name in ("CONFIG", "CACHE", "DATA"):
            self.environment[f"XDG_{name}_HOME"] = str(home / name.lower())

    def give(self, made):
        """What pages speak of, under their names, but for what this one makes itself."""
        for file, names in COPIES.items():
            for name in names:
                if name not in made:
                    shutil.copy(file, self.path / name)
        (self.path / "session.json").write_text(session(self.path / "study.h5"))
        for name in MODELS:
            (self.path / name).parent.mkdir(exist_ok=True)
            (self.path / name).symlink_to(MODEL)
        (self.path / "study.toml").write_text('model = "SmolLM2.gguf"\ntext = "a.txt"\nsingles = "L0H0"\n')
        for folder in (".", "texts", "my-texts", "books", "licences"):
            (self.path / folder).mkdir(exist_ok=True)
            for name in "ab":
                (self.path / folder / f"{name}.txt").write_text(f"The text {name} of the folder {folder}. " * 4)

    def run(self, language, command):
        """(what was printed, what is wrong or None)."""
        words = ["bash", "-euo", "pipefail", "-c"] if language == "sh" else [PYTHON, "-c"]
        done = subprocess.run([*words, command], cwd=self.path, env=self.environment, capture_output=True, text=True)
        if done.returncode != 0:
            return done.stdout, f"exit code {done.returncode}: {done.stderr}"
        for name in outputs(command) if language == "sh" else ():
            place = self.path / name
            if not place.exists() or not (any(place.iterdir()) if place.is_dir() else place.stat().st_size):
                return done.stdout, f"{name} was not written"
        return done.stdout, None


def examples(page):
    """(language, command, what it prints) of a page, in its order."""
    text = page.read_text(encoding="utf-8")
    at = 0
    for fence in [*FENCE.finditer(text), None]:
        for code in CODE.findall(text[at:fence.start() if fence else None]):
            code = " ".join(code.split())
            if PROGRAM.match(code) and not MENTION.search(code):
                yield "sh", code, ""
        if fence:
            yield fence.groups(default="")
            at = fence.end()


def run_page(page, folder):
    """(name, complaint) of everything that the page shows."""
    shown = list(dict.fromkeys(examples(page)))
    folder.give({name for language, command, _ in shown if language == "sh" for name in outputs(command)})
    for number, (language, command, printed) in enumerate(shown, 1):
        name = f"{number:02d}_" + re.sub(r"\W+", "_", " ".join(command.split()[:3]))
        if language == "toml":
            (folder.path / ("sweep.toml" if "[[model]]" in command else "study.toml")).write_text(command)
        elif language == "":
            yield name, "a block without a language: sh runs, text does not"
        elif language in ("sh", "python"):
            yield from run_example(language, command, printed, folder, name)


def run_example(language, command, printed, folder, name):
    lines = command.splitlines() if language == "sh" else [command]
    yield from ((name, elsewhere(line)) for line in lines if elsewhere(line))
    here = [line for line in lines if not elsewhere(line)]
    if here:
        said, complaint = folder.run(language, "\n".join(here))
        yield name, complaint or (differs(printed, said) if printed else None)


def commands(binaries, only):
    lines = {line for page in PAGES for _, command, _ in examples(page) for line in command.splitlines()}
    unused = [start for start in ELSEWHERE if not any(line.startswith(start) for line in lines)]
    yield "Elsewhere", f"no page has these any more: {unused}" if unused else None
    for page in PAGES:
        title = "_".join(page.relative_to(ROOT).with_suffix("").parts[-2:])
        if only and title not in only:
            continue
        if not MODEL.is_file() and "--model " in page.read_text(encoding="utf-8"):
            yield title, Skipped(f"{MODEL.name} is missing (packaging/test.sh fetches it)")
            continue
        with tempfile.TemporaryDirectory() as home:
            for name, complaint in run_page(page, Folder(pathlib.Path(home), binaries)):
                yield f"{title}.{name}", complaint


def helps(program, *command):
    """The --help of a program's commands and of those below them."""
    text = subprocess.run([program, *command, "--help"], capture_output=True, text=True, check=True).stdout
    yield text
    for name in re.findall(r"^  ([a-z][a-z-]*) ", text.partition("\nSubcommands:\n")[2].partition("\n\n")[0], re.M):
        yield from helps(program, *command, name)


def help_examples(binaries):
    """The examples of all helps, once each: first what makes the inputs of others."""
    texts = [*helps(binaries / "plastiscope-cli"), *helps(binaries / "plastiscope"), *helps(binaries / "plastiscope", "render")]
    shown = re.findall(r"^(?:Example: |  )((?:echo .*\| |source <\()?plastiscope(?:-cli)? \S.*)$",
                       "\n".join(text.partition("Example")[1] + text.partition("Example")[2] for text in texts), re.M)
    inputs = ["capture", "analyze", "export"]
    return sorted(dict.fromkeys(shown), key=lambda line: next(
        (i for i, word in enumerate(inputs) if f"-cli {word} " in line and "--clamp-from" not in line), len(inputs)))


def examples_of_help(binaries, _):
    ran = {line for page in PAGES for _, command, _ in examples(page) for line in command.splitlines()}
    shown = [line for line in help_examples(binaries) if line not in ran]
    part = next(i for i, line in enumerate(shown) if "--part 0/2" in line)  # merge joins it with the other
    shown.insert(part, shown[part].replace("0/2", "1/2").replace("0-of-2", "1-of-2"))
    with tempfile.TemporaryDirectory() as home:
        folder = Folder(pathlib.Path(home), binaries)
        folder.give(set())
        (pathlib.Path(home) / "models").mkdir()
        for number, line in enumerate(shown, 1):
            for place in filter(pathlib.Path.exists, [folder.path / name for name in outputs(line)]):
                (shutil.rmtree if place.is_dir() else pathlib.Path.unlink)(place)
            name = f"{number:02d}_" + re.sub(r"\W+", "_", " ".join(line.split()[:3]))
            yield from run_example("sh", line, "", folder, name)


PATH = re.compile(rf"(?<![\w/-])(?:\./)?((?:{'|'.join(TOPS)})/[\w./*-]*[\w/*])(?![\w/*-])")
FILE = re.compile(r"(?:\.\./)*[\w*-]+(?:/[\w*-]+)*\.(?:cpp|h|inc|py|sh|cmake|supp|sbatch|ipynb|md)")
LINK = re.compile(r"\]\(([^)\s#:]+)(?:#[^)]*)?\)")
OTHERS = {"llama.cpp", "data_pipeline.py"}  # of other projects


def named_paths(text):
    """The paths of a page: in links; in code those below a folder of the repository, and single names of sources."""
    yield from LINK.findall(text)
    for code in [*CODE.findall(FENCE.sub("", text)), *(block[1] for block in FENCE.finditer(text))]:
        yield from PATH.findall(code)
        if FILE.fullmatch(code) and code not in OTHERS:
            yield code


def paths(_, only):
    there = {f"/{path.relative_to(ROOT)}" for top in TOPS for path in (ROOT / top).rglob("*")}
    there |= {f"/{path.name}" for path in ROOT.iterdir()} | {f"/{top}" for top in TOPS}
    for page in sorted(NAMING):
        missing = []
        for name in dict.fromkeys(named_paths(page.read_text(encoding="utf-8"))):
            pattern = re.sub(r"\\\*|(?<![A-Z])NAME(?![A-Z])", "[^/]*", re.escape(name.rstrip("/")))
            if not (page.parent / name).exists() and not any(re.search(f"/{pattern}$", path) for path in there):
                missing.append(name)
        yield str(page.relative_to(ROOT)), f"not in the repository: {missing}" if missing else None


def pages(binaries, _):
    if not shutil.which("sphinx-build"):
        yield "Builds", Skipped("sphinx-build is missing (packaging/packages.txt)")
        return
    with tempfile.TemporaryDirectory() as temporary:
        out = pathlib.Path(temporary) / "html"
        done = subprocess.run(["bash", ROOT / "packaging/manual.sh", out, binaries], capture_output=True, text=True)
        yield "Builds", f"exit code {done.returncode}: {done.stdout}{done.stderr}" if done.returncode else None
        lacking = [name for name in ("index", "tutorial", "views", "options", "metrics", "limits")
                   if not (out / f"{name}.html").is_file()]
        yield "HasItsChapters", f"missing: {lacking}" if lacking else None


def main(what, binaries, results, *only):
    suite = xml.Element("testsuite", name="manual")
    failures = 0
    start = time.monotonic()
    for name, complaint in {"commands": commands, "help": examples_of_help, "paths": paths, "pages": pages}[what](pathlib.Path(binaries).resolve(), only):
        seconds, start = time.monotonic() - start, time.monotonic()
        skipped = isinstance(complaint, Skipped)
        case = xml.SubElement(suite, "testcase", classname=what.capitalize(), name=name, status="run", time=f"{seconds:.3f}",
                              result="skipped" if skipped else "completed")
        if complaint and not skipped:
            failures += 1
            xml.SubElement(case, "failure", message=complaint)
        label = "  SKIPPED " if skipped else "  FAILED  " if complaint else "       OK "
        print(f"[{label}] {name} ({seconds:.1f} s)" + (f": {complaint}" if complaint else ""), flush=True)
    root = xml.Element("testsuites", time=str(sum(float(case.get("time")) for case in suite)))
    root.append(suite)
    pathlib.Path(results).parent.mkdir(parents=True, exist_ok=True)
    xml.ElementTree(root).write(results, encoding="utf-8", xml_declaration=True)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
