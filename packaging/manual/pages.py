#!/usr/bin/env python3
"""Writes the sources of the manual: pages.py BIN FOLDER

The pages of resources/help are taken as they are. What the program knows is asked of it: options, columns, figures of the
thesis, and a picture of every view. A link of a page to another file of the repository brings that file as a page, too; one
that leads nowhere ends the program.
"""
import html
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
HELP = ROOT / "resources/help"
EXAMPLE = ROOT / "resources/example/smollm2-135m-licences.h5"
# Chapters from elsewhere, as far as they are there.
PROJECT = ["app/python/README.md", "packaging/manual/python-api.md", "core/model/architectures/README.md",
           "packaging/CONTRIBUTING.md", "packaging/CHANGELOG.md", "packaging/CITATION.cff"]
TITLES = {"packaging/CITATION.cff": "The citation as data (CITATION.cff)"}
WITHOUT_PICTURE = ["benchmarkSide"]  # it is beside another
HEAD = "L16H4"
SCALE = 2  # pixels of a picture for one of the page


class Programs:
    """The programs of a folder, with settings and caches of their own."""

    def __init__(self, folder, home):
        self.folder = folder
        self.environment = {**os.environ, "HOME": str(home)}
        for name in ("CONFIG", "CACHE", "DATA"):
            self.environment[f"XDG_{name}_HOME"] = str(home / name.lower())
        self.environment["QT_SCALE_FACTOR"] = str(SCALE)

    def run(self, *words):
        command = [str(self.folder / words[0]), *map(str, words[1:])]
        done = subprocess.run(command, env=self.environment, capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"pages.py: {' '.join(map(str, words))}: {done.stderr.strip()}")
        return done.stdout


# ---- links

FENCE = re.compile(r"(^```.*?^```$)", re.M | re.S)
LINK = re.compile(r"(!?\[[^\]]*\]\()([^)\s]+)(\))")


def notebook(content):
    """The cells of a notebook without what they printed."""
    cells = [("".join(cell["source"]), cell["cell_type"]) for cell in content["cells"]]
    return "\n\n".join(f"```python\n{source}\n```" if kind == "code" else source for source, kind in cells) + "\n"


class Pages:
    """Files of the repository that are pages, by their path; the name of a page is its file in the source folder."""

    def __init__(self, folder):
        self.folder = folder
        self.names = {}
        (folder / "project").mkdir(parents=True)

    def add(self, path):
        if path in self.names:
            return self.names[path]
        inside = path.relative_to(ROOT)
        if path.parent == HELP:
            name = path.name
        else:
            name = "project/" + "-".join(inside.with_suffix(".md").parts)
        self.names[path] = name
        text = path.read_text(encoding="utf-8")
        if path.suffix == ".ipynb":
            text = notebook(json.loads(text))
        elif path.suffix != ".md":
            text = f"# {TITLES.get(str(inside), inside)}\n\n```\n{text.rstrip()}\n```\n"
        chapter = path.parent == HELP or str(inside) in PROJECT
        self.write(name, ("" if chapter else "---\norphan: true\n---\n\n") + self.linked(text, path))
        return name

    def write(self, name, text):
        (self.folder / name).write_text(text, encoding="utf-8")

    def linked(self, text, path):
        """The text with its links led to pages."""

        def lead(match):
            target, _, anchor = match[2].partition("#")
            if not target or "://" in target:
                return match[0]
            there = (path.parent / target).resolve()
            if not there.is_file() or ROOT not in there.parents:
                sys.exit(f"pages.py: {path.relative_to(ROOT)}: the link to {target} leads nowhere")
            if match[1].startswith("!"):
                shutil.copy(there, self.folder / there.name)
                name = there.name
            else:
                name = self.add(there)
            name = os.path.relpath(name, pathlib.Path(self.names[path]).parent)
            return match[1] + name + ("#" + anchor if anchor else "") + match[3]

        parts = FENCE.split(text)
        return "".join(part if part.startswith("```") else LINK.sub(lead, part) for part in parts)


# ---- options

def entries(lines):
    """(what is written, help) of the lines of a section of --help, whose second column begins at 30."""
    found = []
    for i, line in enumerate(lines):
        following = lines[i + 1] if i + 1 < len(lines) else ""
        if not line.startswith(" " * 30):
            alone = following.startswith(" " * 30) or len(line) <= 30
            found.append([line.strip(), ""] if alone else [line[:30].strip(), line[30:].strip()])
        elif found:
            found[-1][1] = (found[-1][1] + " " + line.strip()).strip()
    return found


def sections(text):
    """The sections of --help: {title: lines}; "" what stands before them."""
    parts = {"": []}
    title = ""
    for line in text.splitlines():
        if re.fullmatch(r"\S[^:]*:", line):
            title = line[:-1]
            parts[title] = []
        elif line.strip():
            if not line.startswith(" "):
                title = ""
            parts[title].append(line)
    return parts


def escaped(text):
    return re.sub(r"([*_<>\[\]{}|\\])", r"\\\1", text)


def describe_command(programs, words, level):
    """The page's part of a command and of those below it."""
    text = programs.run(*words, "--help")
    parts = sections(text)
    name = " ".join(words)
    lines = [f"{'#' * level} {name}", ""]
    head = parts.pop("")
    lines += [escaped(head[0]), ""]
    usage = next((line for line in head if line.startswith("Usage: ")), "")
    lines += ["```text", re.sub(r"^Usage: \S*/", "", usage) or name, "```", ""]
    example = parts.pop("Example", [])
    below = [what for what, _ in entries(parts.get("Subcommands", []))]
    for title, rows in parts.items():
        lines += [f"**{title}**", ""]
        for what, meaning in entries(rows):
            if what == "-h,--help":
                continue
            lines += [f"`{what}`", f": {escaped(meaning) or '&nbsp;'}", ""]
    if example:
        lines += ["**Example**", "", "```sh", *(line.strip() for line in example), "```", ""]
    for word in below:
        lines += describe_command(programs, (*words, word), level + 1)
    return lines


def options_page(programs):
    lines = ["# Commands and options", "",
             "Printed by `--help` of every command. `--threads N`, `--quiet` and `--verbose` work with every command of "
             "`plastiscope-cli`.", ""]
    lines += describe_command(programs, ("plastiscope-cli",), 2)
    lines += ["## plastiscope", "", "```text", programs.run("plastiscope", "--help").strip(), "```", ""]
    lines += describe_command(programs, ("plastiscope", "render"), 3)
    return "\n".join(lines)


# ---- what the thesis printed

def published_page(programs):
    listed = json.loads(programs.run("plastiscope-cli", "reference", "--json"))
    lines = ["# Published numbers", "",
             "What the thesis printed, as tables and figures of the program: beside your own numbers with `compare` and "
             "`render --reference`.", "", "## Tables", "", "| command | content |", "|---|---|"]
    for line in programs.run("plastiscope-cli", "reference").splitlines()[1:]:
        name, content = line.split(None, 1)
        lines.append(f"| `plastiscope-cli reference {name}` | {escaped(content)} |")
    lines += ["", "## Figures", "", "A star: also drawn without captures, from the published numbers.", "",
              "| command | figure |", "|---|---|"]
    for name, content in re.findall(r"^  ([A-Z]+-\d+)\s+(.*)$", programs.run("plastiscope", "render", "--list"), re.M):
        lines.append(f"| `plastiscope render --figure {name}` | {escaped(content.replace('* ', '★ ').strip())} |")
    lines += ["", "## Columns", "", "| column | published in |", "|---|---|"]
    tables = {}
    for table in listed["tables"]:
        rows = json.loads(programs.run("plastiscope-cli", "reference", table["name"], "--json"))["rows"]
        for column in rows[0] if rows else []:
            tables.setdefault(column.removeprefix("abs_"), []).append(table["name"])
    for metric in json.loads(programs.run("plastiscope-cli", "metrics", "heads", "--json")):
        names = [f"`{name}`" for name in tables.get(metric["column"], [])]
        if names and metric["group"] != "Place":
            lines.append(f"| `{metric['column']}` | {', '.join(names)} |")
    lines += ["", "## How the numbers were read", "", "| source | meaning | accuracy |", "|---|---|---|"]
    for source in listed["sources"]:
        lines.append(f"| {source['source']} | {escaped(source['meaning'])} | {escaped(source['accuracy'])} |")
    return "\n".join(lines) + "\n"


# ---- views

def markdown_of(text):
    """The text of a view, which has <code>, <i> and entities."""
    parts = re.split(r"(<code>.*?</code>|<i>.*?</i>)", text)
    for i, part in enumerate(parts):
        inner = html.unescape(re.sub(r"</?(code|i)>", "", part))
        if part.startswith("<code>"):
            parts[i] = f"`{inner}`"
        else:
            parts[i] = f"*{escaped(inner)}*" if part.startswith("<i>") else escaped(inner)
    return "".join(parts)


class Painter:
    """Pictures of views, of the example."""

    def __init__(self, programs, folder, work):
        self.programs, self.folder = programs, folder
        self.compared = [work / "thesis.h5", work / "full.h5"]
        for file, variance in zip(self.compared, ("thesis", "full")):
            programs.run("plastiscope-cli", "--quiet", "analyze", EXAMPLE, "--variance", variance, "--bootstrap", "50",
                         "--out", file)
        self.copies = [work / "original.h5", work / "copy.h5"]
        for copy in self.copies:
            shutil.copy(EXAMPLE, copy)

    def paint(self, view):
        out = self.folder / f"{view}.png"
        if view == "benchmarkView":
            self.programs.run("plastiscope", "render", "--figure", "benchmark", "--size", "2.4x1.9in", "--font-size", "6",
                              "--font", "Noto Sans", "--no-sidecar", "--no-embed", "--fixed-date", "--out", out)
            return
        if view == "benchmarks":
            words = [EXAMPLE, "--page", "benchmarks"]
        elif view == "runs":
            words = [EXAMPLE.parent, "--page", "runs"]
        elif view == "compareDriftDock":  # needs rows: of two captures, here of the same bytes
            words = [*self.copies, "--page", "compare"]
        elif view in ("compare", "compareGridsDock", "compareMapsDock", "compareDifferenceDock"):
            words = [*self.compared, "--page", "compare"]
        elif view.startswith("compare"):
            words = [self.compared[0], "published:qwen3-14b", "published:llama3.2-3b", "--page", "compare"]
        else:
            page = {"cloud": "cloud", "rows": "text", "strongestKeys": "text"}.get(view, "heads")
            words = [EXAMPLE, "--head", HEAD, "--page", page]
        if view not in ("benchmarks", "compare", "runs"):
            words += ["--view", view]
        self.programs.run("plastiscope", "screenshot", *words, "--theme", "light", "--size", "1400x900", "--out", out)


def views_page(programs, folder, work):
    painter = Painter(programs, folder, work)
    lines = ["# Views", "", "What each picture shows; Shift+F1 in the window says the same. The pictures are of the example "
             "that comes with the program.", ""]
    for entry in json.loads((HELP / "views.json").read_text(encoding="utf-8")):
        lines += [f"## {entry['title']}", ""]
        view, picture = entry.get("view"), entry.get("picture")
        if picture:
            shutil.copy(HELP / f"{picture}.png", folder)
        elif view and view not in WITHOUT_PICTURE:
            painter.paint(view)
            picture = view
        if picture:
            width = min(int.from_bytes((folder / f"{picture}.png").read_bytes()[16:20], "big") // SCALE, 736)
            lines += [f'<img src="{picture}.png" alt="{re.sub("[{}]", "", entry["title"])}" width="{width}px">', ""]
        lines += [markdown_of(entry["text"]), ""]
    return "\n".join(lines)


def main(bin_folder, folder):
    pages = Pages(folder)
    for path in sorted(HELP.glob("*.md")):
        pages.add(path)
    with tempfile.TemporaryDirectory() as temporary:
        work = pathlib.Path(temporary)
        programs = Programs(bin_folder, work)
        metrics = programs.run("plastiscope-cli", "metrics", "--markdown")
        lead = "[Published numbers](published.md) lists which of them the thesis printed, and in which tables and figures."
        pages.write("metrics.md", metrics.replace("\n## ", f"\n{lead}\n\n## ", 1))
        pages.write("options.md", options_page(programs))
        pages.write("published.md", published_page(programs))
        pages.write("views.md", views_page(programs, folder, work))
    shutil.copy(ROOT / "resources/screenshots/window-light.png", folder / "window.png")
    project = [pages.add(ROOT / name).removesuffix(".md") for name in PROJECT if (ROOT / name).is_file()]
    index = (pathlib.Path(__file__).parent / "index.md").read_text(encoding="utf-8")
    pages.write("index.md", index.replace("PROJECT_PAGES", "\n".join(project)))


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve())
