"""Commands that analyse a capture again under changes, or relate results to benchmarks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .commands import PathLike, StudyLike, analysis_path, capture_path, printed, written_tables
from .frames import read_csv, table_of
from .heads import Head
from .program import Progress

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from . import option_types as types


def what_if(
    study: StudyLike, *, csv: PathLike | None = None, form: str | None = None, progress: Progress | None = None,
    **options: Unpack[types.WhatIfOptions],
) -> dict[str, Any]:  # fmt: skip
    """Changes drift or spread of a head, or leaves heads out, and computes AP again (``plastiscope-cli what-if``): the
    table what_if with the columns metric, before and after, and what_if_profile for one head.

    >>> table = what_if(example, head="L16H4", scale_beta=0, form="numpy")["what_if"]
    >>> str(table["metric"][0]), bool(table["before"][0] > table["after"][0])
    ('ap_overall', True)
    """
    return written_tables("what-if", [capture_path(study, "what_if")], options, csv, form, progress)


def pairs(
    study: StudyLike, head: str | Head, *, cell: tuple[int, int] | None = None, form: str | None = None,
    progress: Progress | None = None, **options: Unpack[types.PairsOptions],
) -> Any:  # fmt: skip
    """Pairs of keys in a cell of a head's map, or how PP is distributed by query position (``plastiscope-cli pairs``).

    >>> pairs(example, "L16H4", cell=(1, 1), most=3, form="numpy")["pp"].shape
    (3,)
    """
    given, file = {**options, "head": str(head), "cell": cell}, options.get("out")
    shown = printed("pairs", [capture_path(study, "pairs")], given, form, progress)
    return shown if file is None else table_of(read_csv(str(file)), form)


def converge(
    study: StudyLike, *, csv: PathLike | None = None, form: str | None = None, progress: Progress | None = None,
    **options: Unpack[types.ConvergeOptions],
) -> dict[str, Any]:  # fmt: skip
    """How results depend on pairs, bins, texts and the seed (``plastiscope-cli converge``): the table convergence.

    >>> sorted(converge(example, heads="L16H4", form="numpy"))
    ['convergence']
    """
    return written_tables("converge", [capture_path(study, "converge")], options, csv, form, progress)


def correlate(
    *predictors: StudyLike, csv: PathLike | None = None, form: str | None = None, progress: Progress | None = None,
    **options: Unpack[types.CorrelateOptions],
) -> dict[str, Any]:  # fmt: skip
    """Correlates studies, a CSV file, or by default the numbers of the thesis, with benchmark scores
    (``plastiscope-cli correlate``): the tables correlations, leave_one_out, length_points and others.

    >>> "spearman" in correlate(form="numpy")["correlations"]
    True
    """
    given = {**options, "predictors": list(map(analysis_path, predictors)) or None}
    return written_tables("correlate", [], given, csv, form, progress)
