"""Tables as what a person works with: pandas, polars, or a dict of NumPy columns."""

from __future__ import annotations

import csv
import importlib.util
import os
from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from .errors import UsageError

Columns = dict[str, npt.NDArray[Any]]
FORMS = ("pandas", "polars", "numpy")
# Yes or no, which files hold as texts; a column of which all is missing is known by its name.
_BOOLEANS = {"true": True, "false": False, "": None}
_BOOLEAN_COLUMNS = ("active", "agrees", "counted", "recovers", "rope", "texts_differ")


def usual_form() -> str:
    """pandas, where it is installed, else polars, else numpy."""
    for form in FORMS[:2]:
        if importlib.util.find_spec(form) is not None:
            return form
    return "numpy"


def table_of(columns: Columns, form: str | None = None) -> Any:
    """Columns as a table of the form that is asked for; numbers are not copied.

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
    """A column of "true", "false" and "" as booleans, missing ones as None; others as they are."""
    known = name in _BOOLEAN_COLUMNS
    none = known and values.dtype.kind in "if" and not np.isfinite(values).any()  # a CSV of which all is missing
    texts = [""] * len(values) if none else values.tolist()
    if not set(texts) <= _BOOLEANS.keys() or not (known or any(texts)):
        return values
    made = [_BOOLEANS[text] for text in texts]
    return np.array(made, dtype=object if None in made else bool)


def read_csv(file: str | os.PathLike[str]) -> Columns:
    """A table that the programs wrote into a file."""
    with open(file, newline="", encoding="utf-8") as stream:
        return parse_csv(stream)


def parse_csv(lines: Iterable[str]) -> Columns:
    """A table that the programs wrote: integers, numbers (an empty field is missing, NaN) or texts.

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
