"""Commands that look things up: models, files, tokens, columns and figures."""

from __future__ import annotations

import os
import re
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .commands import PathLike, StudyLike, printed
from .program import command, run
from .study import Study

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from . import option_types as types


def info(file: StudyLike, **options: Unpack[types.InfoOptions]) -> dict[str, Any]:
    """Facts about a model, a capture or an analysis (``plastiscope-cli info``); sizes are in bytes.

    >>> info(example)["kind"], info(tiny_model)["layers"]
    ('capture', 4)
    """
    return dict(printed("info", [file.path if isinstance(file, Study) else file], {**options, "json": True}))


def models(*folders: PathLike) -> list[dict[str, Any]]:
    """Models in the usual caches and in folders (``plastiscope-cli models``): path, architecture, bytes, ...

    >>> any(model["path"] == str(tiny_model) for model in models(tiny_model.parent))
    True
    """
    return list(printed("models", [], {"folder": folders or None, "json": True}))


def tokenize(model: PathLike, text: str | os.PathLike[str], **options: Unpack[types.TokenizeOptions]) -> dict[str, Any]:
    """Token ids of a text (``plastiscope-cli tokenize``): ``tokens``, and ``offsets`` of their bytes.

    >>> tokenize(tiny_model, "Hello", tokenizer=tokenizer)["offsets"]
    [[0, 0], [0, 1], [1, 2], [2, 4], [4, 5]]
    """
    with tempfile.TemporaryDirectory() as folder:
        file = Path(text) if isinstance(text, os.PathLike) else Path(folder) / "text.txt"
        if isinstance(text, str):
            file.write_text(text, encoding="utf-8", newline="")
        return dict(printed("tokenize", [], {**options, "model": model, "text": file, "json": True}))


def metrics(name: str | None = None) -> list[dict[str, Any]]:
    """Columns of the tables with meaning, formula, unit and caveat (``plastiscope-cli metrics``).

    >>> [(metric["title"], metric["formula"]) for metric in metrics("ap_drop")]
    [('AP drop', 'AP_first20 − AP_last20')]
    """
    return list(printed("metrics", [name] if name else [], {"json": True}))


def figures() -> dict[str, str]:
    """Titles of the figures by their names (``plastiscope render --list``), as `render` takes them.

    >>> figures()["map"]
    'Plasticity map'
    """
    listed, _, _ = run(command("render"), [], {"list": True}).partition("\nPresets")
    return dict(re.findall(r"^  (\S+)(?: \*)? {2,}(.*?)(?:  .*)?$", listed, re.M))
