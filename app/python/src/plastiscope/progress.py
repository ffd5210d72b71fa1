"""Shows the progress of a program as a bar of tqdm."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from typing import Any


class Bar:
    """A bar for each stage, fed with the events of a program."""

    def __init__(self, tqdm: Any) -> None:
        self._tqdm, self._stage, self._shown = tqdm, "", None

    def __call__(self, event: dict[str, Any]) -> None:
        if event.get("event") != "progress":
            return
        if event["stage"] != self._stage:
            self.close()
            self._stage = event["stage"]
            counts = "{desc}: {percentage:3.0f}%|{bar}| {n:.0f}/{total_fmt} {unit} [{elapsed}<{remaining}]"
            self._shown = self._tqdm(total=0, desc=self._stage, unit=event["unit"], bar_format=counts)
        assert self._shown is not None
        self._shown.total = round(event["total"])  # may grow
        self._shown.update(event["done"] - self._shown.n)

    def close(self) -> None:
        if self._shown is not None:
            self._shown.close()


def usual_bar() -> Bar | None:
    """A bar in terminals and notebooks where tqdm is installed."""
    from .view import in_notebook

    notebook = in_notebook()
    if importlib.util.find_spec("tqdm") is None or not (notebook or sys.stderr.isatty()):
        return None
    widgets = notebook and importlib.util.find_spec("ipywidgets") is not None
    return Bar(importlib.import_module("tqdm.notebook" if widgets else "tqdm").tqdm)
