#!/usr/bin/env python3
"""Writes what scripts may rely on: make_lists.py   (with PLASTISCOPE_CLI, in an environment that has the package)

options.txt   every option, behind its command
columns.txt   every column, as TABLE.COLUMN
python.txt    every name of the package, with its parameters or members

A name that is missing in a later version violates resources/help/compatibility.md: run this only after names
were added, or with a line in packaging/CHANGELOG.md.
"""
import inspect
import json
import pathlib
import subprocess

import plastiscope as ps

FOLDER = pathlib.Path(__file__).resolve().parent


def printed(program, *words):
    done = subprocess.run([ps.find_program(program), *words], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def options_below(entry, words):
    for option in entry["options"]:
        yield " ".join([*words, option["name"].split(",")[0]])
    for command in entry.get("commands", []):
        yield from options_below(command, [*words, command["name"]])


def options():
    yield from options_below(printed("plastiscope-cli", "completions", "json"), ["plastiscope-cli"])
    yield from options_below(printed("plastiscope", "render", "--list-options"), ["plastiscope", "render"])


def columns():
    for metric in printed("plastiscope-cli", "metrics", "--json"):
        for table in metric["tables"]:
            yield f"{table}.{metric['column']}"


def python():
    for name in [*ps.__all__, "open"]:
        yield name
        what = getattr(ps, name)
        if inspect.ismodule(what):
            yield from (f"{name}.{each}" for each, made in vars(what).items() if getattr(made, "__module__", "") == what.__name__
                        and not each.startswith("_"))
        elif inspect.isclass(what):
            yield from (f"{name}.{each}" for each in vars(what) if not each.startswith("_"))
        else:
            yield from (f"{name}({each})" for each in inspect.signature(what).parameters)


LISTS = {"options": options, "columns": columns, "python": python}

if __name__ == "__main__":
    for name, lines in LISTS.items():
        (FOLDER / f"{name}.txt").write_text("".join(f"{line}\n" for line in sorted(set(lines()))), encoding="utf-8")
