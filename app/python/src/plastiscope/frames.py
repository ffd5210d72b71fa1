"""Converts tables to pandas, polars, or a dict of NumPy columns."""

from __future__ import annotations

import csv
import importlib.util
import json
import os
from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from .errors import UsageError

Columns = dict[str, npt.NDArray[Any]]
FORMS = ("pandas", "polars", "numpy")
# Boolean columns, which files hold as strings; if all values are missing, known only by name.
_BOOLEANS = {"true": True, "false": False, "": None}
_BOOLEAN_COLUMNS = ("active", "agrees", "counted", "recovers", "rope", "texts_differ")


def usual_form() -> str:
    """pandas if installed, else polars, else numpy."""
    for form in FORMS[:2]:
        if importlib.util.find_spec(form) is not None:
            return form
    return "numpy"


def record_columns(records: Iterable[str]) -> Columns:
    """The fields of JSON objects as columns, by name: arrays of numbers (NaN where one is missing) or booleans if all
    values are, else objects, with None."""
    rows, columns = [json.loads(each) for each in records], dict[str, npt.NDArray[Any]]()
    for name in sorted({name for row in rows for name in row}):
        cells = [row.get(name) for row in rows]
        kinds = {type(each) for each in cells}
        floats = kinds != {int} and kinds != {type(None)} and kinds <= {int, float, type(None)}
        columns[name] = np.array(cells, np.float64 if floats else None if kinds in ({int}, {bool}) else object)
    return columns


def table_of(columns: Columns, form: str | None = None) -> Any:
    """Columns as a table of the requested form; numbers are not copied.

    >>> table_of({"layer": np.array([0, 1])}, "numpy")
    {'layer': array([0, 1])}
    """
    form = form or usual_form()
    if form not in FORMS:
        raise UsageError(f"form: expected {', '.join(FORMS)}, found {form!r}")
    columns = {name: _booleans(name, values) for name, values in columns.items()}
    if form == "numpy":
        return columns
    if importlib.util.find_spec(form) is None:
        raise UsageError(f"form {form} needs the package {form}, which is not installed; form='numpy' needs none")
    if form == "pandas":
        import pandas

        kinds = {name: pandas.array(values, "boolean") for name, values in columns.items() if values.dtype == object}
        return pandas.DataFrame(columns | kinds, copy=False)
    import polars

    kinds = {name: polars.Series(name, values.tolist(), polars.Boolean) for name, values in columns.items()
             if values.dtype == object}  # fmt: skip
    return polars.DataFrame({name: polars.Series(name, values) for name, values in columns.items()} | kinds)


def _booleans(name: str, values: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """A column of "true", "false" and "" as booleans, missing ones as None; other columns unchanged."""
    known = name in _BOOLEAN_COLUMNS
    none = known and values.dtype.kind in "if" and not np.isfinite(values).any()  # all missing in a CSV file
    texts = [""] * len(values) if none else values.tolist()
    if not set(texts) <= _BOOLEANS.keys() or not (known or any(texts)):
        return values
    made = [_BOOLEANS[text] for text in texts]
    return np.array(made, dtype=object if None in made else bool)


def read_csv(file: str | os.PathLike[str]) -> Columns:
    """Reads a table written to a file by the programs."""
    with open(file, newline="", encoding="utf-8") as stream:
        return parse_csv(stream)


def parse_csv(lines: Iterable[str]) -> Columns:
    """Parses a table of the programs: integers, numbers (empty fields are missing, NaN) or strings.

    >>> parse_csv(["head,ap", "3,", "4,0.5"])
    {'head': array([3, 4]), 'ap': array([nan, 0.5])}
    """
    names, *rows = list(csv.reader(lines))
    return {name: _column([row[i] for row in rows]) for i, name in enumerate(names)}


def _column(texts: list[str]) -> npt.NDArray[Any]:
    try:
        return np.array([int(text) for text in texts], dtype=np.int64)
    except ValueError:
        pass
    try:
        return np.array([float(text) if text else np.nan for text in texts], dtype=np.float64)
    except ValueError:
        return np.array(texts)
