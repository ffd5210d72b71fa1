"""Finds the programs of Plastiscope, reads their options, and runs them.

Options with their names, defaults and errors come from the programs themselves (``plastiscope-cli
completions json`` and ``plastiscope render --list-options``); nothing is listed twice.
"""

from __future__ import annotations

import functools
import importlib.util
import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import warnings
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .errors import PlastiscopeWarning, UsageError, error_of
from .heads import Head
from .progress import usual_bar

CLI, WINDOW = "plastiscope-cli", "plastiscope"
Progress = Callable[[dict[str, Any]], None] | bool


def _places(name: str) -> Iterable[Path]:
    given = os.environ.get("PLASTISCOPE_CLI")
    if given:
        # Both programs are in the same folder.
        yield Path(given).expanduser().with_name(name) if name != CLI else Path(given).expanduser()
        return
    yield Path(sys.prefix) / "bin" / name  # of a wheel
    on_path = shutil.which(name)
    if on_path:
        yield Path(on_path)
    for prefix in (Path.home() / ".local", "/usr/local", "/usr", "/opt/plastiscope"):
        yield Path(prefix) / "bin" / name


def find_program(name: str = CLI) -> Path:
    """Path of a program: from PLASTISCOPE_CLI, else this environment, PATH, or the usual prefixes.

    >>> find_program().name
    'plastiscope-cli'
    """
    places = list(dict.fromkeys(_places(name)))
    for place in places:
        if place.is_file() and os.access(place, os.X_OK):
            return place
    looked = ", ".join(str(place) for place in places)
    raise UsageError(f"{name} is not installed: looked for {looked}. Set PLASTISCOPE_CLI to the path of {CLI}")


# ---- options of a command


@dataclass(frozen=True)
class Option:
    """One option, under its name in Python: ``--bucket-size`` is ``bucket_size``."""

    name: str
    help: str
    kind: str  # flag, integer, number, text or path
    default: Any = None
    words: tuple[str, ...] = ()
    several: bool = False
    required: bool = False

    @property
    def flag(self) -> str:
        return "--" + self.name.replace("_", "-")


@dataclass(frozen=True)
class Command:
    """A command with its options by name; ``positional`` has the positional ones."""

    words: tuple[str, ...]  # "export", "page"
    help: str
    options: Mapping[str, Option]
    positional: tuple[Option, ...]

    def __repr__(self) -> str:
        lines = [" ".join(self.words) + ": " + self.help]
        for option in self.options.values():
            value = "" if option.kind == "flag" else "=" + ("" if option.default is None else repr(option.default))
            lines.append(f"  {option.name}{value}  {option.help}")
        return "\n".join(lines)


def _option(entry: Mapping[str, Any]) -> Option:
    name = entry["name"].split(",")[0]
    return Option(
        name.removeprefix("--").replace("-", "_"),
        entry["help"],
        entry["kind"],
        entry.get("default"),
        tuple(entry.get("words", ())),
        entry["several"],
        entry["required"],
    )


def _command(words: tuple[str, ...], entry: Mapping[str, Any]) -> Command:
    named = [_option(each) for each in entry["options"] if each["name"].startswith("--")]
    positional = [_option(each) for each in entry["options"] if not each["name"].startswith("--")]
    return Command(words, entry["help"], {option.name: option for option in named}, tuple(positional))


@functools.lru_cache(maxsize=8)
def _entries(program: str, stamp: float) -> dict[str, Any]:  # stamp: modification time, changes with a new build
    arguments = ["render", "--list-options"] if Path(program).name == WINDOW else ["completions", "json"]
    done = subprocess.run([program, *arguments], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise error_of(done.returncode, _sentence(done.stderr))
    entries: dict[str, Any] = json.loads(done.stdout)
    return entries


def command(name: str) -> Command:
    """Options of a command: "capture", "analyze", "export page", "render", ...

    >>> command("capture").options["rate"].default
    1.0
    """
    program = find_program(WINDOW if name == "render" else CLI)
    entry = _entries(str(program), program.stat().st_mtime)
    if name == "render":
        return _command(("render",), entry)
    everywhere = entry["options"]  # --threads, --quiet, --verbose
    for word in name.split():
        forms = {form["name"]: form for form in entry.get("commands", [])}
        if word not in forms:
            raise UsageError(f"unknown command {name} (known: {', '.join(forms)})")
        entry = forms[word]
    return _command(tuple(name.split()), {**entry, "options": [*entry["options"], *everywhere]})


def arguments_of(of: Command, values: Mapping[str, Any]) -> list[str]:
    """Keyword arguments as a command line. None and False mean that the option is not given.

    >>> arguments_of(command("capture"), {"window": 4096, "paired": True, "heads": ["L0H1", "L2H3"], "part": None})
    ['--window=4096', '--paired', '--heads=L0H1,L2H3']
    """
    arguments: list[str] = []
    for name, value in values.items():
        option = of.options.get(name, Option(name, "", "text"))  # the program rejects unknown options
        if value is None or value is False:
            continue
        if value is True:
            arguments.append(option.flag)
        elif isinstance(value, Mapping):
            arguments.append(f"{option.flag}={json.dumps(value)}")
        elif isinstance(value, (str, os.PathLike, Head)) or not isinstance(value, Iterable):
            arguments.append(f"{option.flag}={_text(value)}")
        elif option.several:
            arguments += [option.flag, *(_text(each) for each in value)]
        else:
            arguments.append(f"{option.flag}=" + ",".join(_text(each) for each in value))
    return arguments


def _text(value: Any) -> str:
    return os.fspath(value) if isinstance(value, os.PathLike) else str(value)


# ---- one run


def _sentence(stderr: str) -> str:
    """The last message of a program, without its name."""
    lines = [line for line in stderr.splitlines() if line.strip()]
    for line in reversed(lines):
        for name in (CLI, WINDOW):
            if line.startswith(name + ": "):
                return line[len(name) + 2 :]
    return lines[-1] if lines else "the program printed no message"


def _environment() -> dict[str, str]:
    """This Python runs the engine transformers if it can and no other is named."""
    able = all(importlib.util.find_spec(name) for name in ("torch", "transformers"))
    return {**({"PLASTISCOPE_PYTHON": sys.executable} if able else {}), **os.environ}


def run(of: Command, positional: Iterable[Any], values: Mapping[str, Any], progress: Progress | None = None) -> str:
    """Runs a command and returns its output. Warnings become Python warnings, errors exceptions.

    ``progress`` is called with each event of the program: ``{"event": "progress", "stage": "capture", "done": 3,
    "total": 12, "unit": "example", ...}``. Its exceptions and Ctrl-C stop the program like SIGTERM: finished
    work is kept. None and True show a bar where there is a terminal or a notebook, False none.
    """
    bar = usual_bar() if progress is None or progress is True else None
    try:
        return _run(of, positional, values, progress if callable(progress) else bar)
    finally:
        if bar is not None:
            bar.close()


def _run(
    of: Command, positional: Iterable[Any], values: Mapping[str, Any], progress: Callable[[dict[str, Any]], None] | None
) -> str:
    program = find_program(WINDOW if of.words == ("render",) else CLI)
    events = "progress" in of.options
    arguments = [*of.words, *(_text(each) for each in positional), *arguments_of(of, values)]
    process = subprocess.Popen(
        [program, *arguments, *(["--progress=json"] if events else [])],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8", errors="replace",
        env=_environment(),
    )  # fmt: skip
    stdout, stderr = process.stdout, process.stderr
    assert stdout is not None and stderr is not None
    printed: list[str] = []
    reader = threading.Thread(target=lambda: printed.append(stdout.read()), daemon=True)
    reader.start()
    said: list[str] = []
    try:
        for line in stderr:
            event = _event(line) if events else None
            if event is None:
                said.append(line)
            elif event.get("event") == "warning":
                warnings.warn(event["message"], PlastiscopeWarning, stacklevel=4)
            elif progress is not None:
                progress(event)
        code = process.wait()
    except BaseException:
        process.send_signal(signal.SIGTERM)
        stderr.read()
        process.wait()
        raise
    finally:
        reader.join()
        stdout.close()
        stderr.close()
    if code != 0:
        error = error_of(code, _sentence("".join(said)))
        error.printed = "".join(printed)
        raise error
    return "".join(printed)


def _event(line: str) -> dict[str, Any] | None:
    if not line.startswith("{"):
        return None
    try:
        event = json.loads(line)
    except json.JSONDecodeError:
        return None
    return event if isinstance(event, dict) else None
