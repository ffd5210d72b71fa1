"""Converts tables to pandas, polars, or a dict of NumPy columns."""

from __future__ import annotations

import csv
import importlib.util
import json
import os
from collections.abc import Iterable
from itertools import islice
from typing import Any

import numpy as np
import numpy.typing as npt

from .errors import UsageError
from .html_tables import MOST_ROWS, html_table
from .optional import optional

Columns = dict[str, npt.NDArray[Any]]
FORMS = ("pandas", "polars", "numpy")
# Boolean columns, which files hold as strings; if all values are missing, known only by name.
_BOOLEANS = {"true": True, "false": False, "": None}
_BOOLEAN_COLUMNS = ("active", "agrees", "counted", "recovers", "rope", "texts_differ")


class Table(Columns):
    """A dict of columns (form "numpy") that notebooks display as a table."""

    def _repr_html_(self) -> str:
        rows = max(map(len, self.values()), default=0)
        columns = (column.tolist() for column in self.values())
        return html_table(list(self), islice(zip(*columns, strict=True), MOST_ROWS), f"{rows:,} rows")


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


class Tables(dict[str, Any]):
    """Tables by name; notebooks list them with their rows and columns."""

    def _repr_html_(self) -> str:
        names = {name: list(getattr(table, "columns", table)) for name, table in self.items()}
        rows = [(name, len(self[name][names[name][0]]), ", ".join(names[name])) for name in self]
        return html_table(("table", "rows", "columns"), rows)


def table_of(columns: Columns, form: str | None = None, *, by_head: bool = False) -> Any:
    """Columns as a table of the requested form; numbers are not copied. ``by_head``: a pandas table with one row a
    head is indexed by (layer, head), too. ``Study.table`` states the default of ``form``.

    >>> table_of({"layer": np.array([0, 1])}, "numpy")
    {'layer': array([0, 1])}
    """
    form = form or next((name for name in FORMS[:2] if importlib.util.find_spec(name)), "numpy")
    if form not in FORMS:
        raise UsageError(f"form: expected {', '.join(FORMS)}, found {form!r}")
    columns = {name: _booleans(name, values) for name, values in columns.items()}
    if form == "numpy":
        return Table(columns)
    package = optional(form, f"form {form!r}")
    if form == "pandas":
        arrays = {name: package.array(values, "boolean") for name, values in columns.items() if values.dtype == object}
        frame = package.DataFrame(columns | arrays, copy=False)
        if by_head and {"layer", "head"} <= columns.keys() and not frame.duplicated(["layer", "head"]).any():
            # Levels without names, because "layer" and "head" name columns.
            frame.index = package.MultiIndex.from_arrays([columns["layer"], columns["head"]])
        return frame
    kinds = {name: package.Series(name, values.tolist(), package.Boolean) for name, values in columns.items()
             if values.dtype == object}  # fmt: skip
    return package.DataFrame({name: package.Series(name, values) for name, values in columns.items()} | kinds)


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
