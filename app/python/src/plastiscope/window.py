"""Operates a running window (``plastiscope``): opens studies, reads and sets the selection, adds columns."""

from __future__ import annotations

import itertools
import json
import os
import socket
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from .commands import StudyLike
from .errors import UsageError, error_of
from .heads import Head, head_list, heads_text
from .notes import settings_folder
from .study import Study


class Window:
    """A running window; its properties concern the current tab. Errors are ``UsageError`` and ``InputError``."""

    def __init__(self, pid: int, place: str, token: str) -> None:
        self.pid, self._token, self._numbers = pid, token, itertools.count(1)
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.connect(place)
        self._stream = self._socket.makefile("rw", encoding="utf-8")

    def _call(self, method: str, **parameters: Any) -> Any:
        request = {"id": next(self._numbers), "token": self._token, "method": method, "parameters": parameters}
        answer: dict[str, Any] = {}
        try:
            self._stream.write(json.dumps(request) + "\n")
            self._stream.flush()
            while answer.get("id") != request["id"]:  # interrupted calls are answered, too
                answer = json.loads(self._stream.readline())
        except (OSError, ValueError):
            raise UsageError("the window was closed: start plastiscope, then call window() again") from None
        if "error" in answer:
            raise error_of(answer["error"]["kind"], answer["error"]["message"])
        return answer["result"]

    def __repr__(self) -> str:
        state = self._call("state")
        shown = f"{Path(state['file']).name}, {state['head']}" if state["file"] else "no study in the current tab"
        return f"Window(pid={self.pid}: {shown})"

    @property
    def studies(self) -> list[Path]:
        """Files of the open studies, in the order of their tabs."""
        return [Path(file) for file in self._call("state")["files"]]

    def open(self, study: StudyLike) -> None:
        """Opens a capture or analysis, or shows its tab; returns once it is open."""
        self._call("open", file=os.path.abspath(study.path if isinstance(study, Study) else study))

    @property
    def head(self) -> Head | None:
        """The current head; None if the current tab has no study."""
        name = self._call("state")["head"]
        return Head.parse(name) if name else None

    @head.setter
    def head(self, head: Head | str) -> None:
        self.selection = [Head.parse(str(head))]

    @property
    def selection(self) -> list[Head]:
        """The selected heads, ascending; views show the mean of several."""
        names = self._call("state")["heads"]
        return head_list(names) if names else []

    @selection.setter
    def selection(self, heads: str | Iterable[Head | str]) -> None:
        self._call("select", heads=heads if isinstance(heads, str) else heads_text(heads))

    @property
    def filter(self) -> str:
        """The filter of the head table, such as "ap_drop > 0.2 && layer < 10"; "" shows all heads."""
        return str(self._call("state")["filter"])

    @filter.setter
    def filter(self, expression: str) -> None:
        self._call("select", filter=expression)

    def add_column(self, values: Any, *, name: str | None = None, unit: str = "") -> str:
        """Adds a number of each head to the head table, to filter and colour by; returns its name as filters use it.

        It lasts as long as the tab.
        """
        name = name or getattr(values, "name", None)
        if not name or not hasattr(values, "items"):
            raise UsageError("add_column: expected a Series or mapping of heads, and a name")
        rows = []
        for key, value in values.items():
            layer, head = Head.parse(key) if isinstance(key, str) else key
            number = None if value is None or value != value else float(value)
            rows.append({"layer": int(layer), "head": int(head), str(name): number})
        return str(self._call("add_columns", rows=rows, unit=unit)[0])


def window(pid: int | None = None) -> Window:
    """Connects to a running window of this user: the one of this process, or the newest."""
    host = socket.gethostname()
    records = (settings_folder() / "windows").glob(f"{host}-{pid or '*'}.json")
    for record in sorted(records, key=lambda file: file.stat().st_mtime, reverse=True):
        try:
            content = json.loads(record.read_text(encoding="utf-8"))
            return Window(int(record.stem[len(host) + 1 :]), content["socket"], content["token"])
        except (FileNotFoundError, ConnectionRefusedError):
            record.unlink(missing_ok=True)  # of a window that has crashed
    raise UsageError('no window runs: start plastiscope, whose setting "Let Python connect to the window" is to be on')
