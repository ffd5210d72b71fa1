"""One head of a study: its map, profile, rows and metrics as NumPy arrays with coordinates."""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import numpy.typing as npt

from .errors import InputError
from .heads import Head
from .html_tables import MOST_ROWS, html_table
from .optional import optional

if TYPE_CHECKING:
    from .study import Study


class Labelled:
    """An array ``values`` whose axes have coordinates; NumPy takes it as ``values``."""

    _axes: ClassVar[tuple[str, ...]]  # of values; coordinates with a name of their own follow the first
    _values: ClassVar[str] = "values"

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> npt.NDArray[Any]:
        values = getattr(self, self._values)
        return np.array(values, dtype=dtype) if copy else np.asarray(values, dtype=dtype)

    def to_xarray(self) -> Any:
        """The array as an xarray.DataArray; UsageError without the package xarray."""
        arrays = {each.name: getattr(self, each.name) for each in fields(self)}  # type: ignore[arg-type]
        values = arrays.pop(self._values)
        coords = {
            name: (self._axes if array.shape == values.shape else name if name in self._axes else self._axes[0], array)
            for name, array in arrays.items()
            if isinstance(array, np.ndarray)
        }
        facts = {name: each for name, each in arrays.items() if name not in coords}
        return optional("xarray", "to_xarray()").DataArray(values, coords, self._axes, attrs=facts)


@dataclass(frozen=True, eq=False)
class Rows(Labelled):
    """Queries or keys of a head: row i of ``vectors`` is at ``position[i]`` of text ``example[i]``.

    NumPy uses it as the array of its vectors: ``np.linalg.norm(rows, axis=1)``.
    """

    kind: str  #: query or key
    layer: int
    head: int  #: a query head's number, or a key head's
    vectors: npt.NDArray[Any]  #: [rows, head_dim], exactly what enters the dot product
    position: npt.NDArray[np.int32]  #: token index, from 0
    example: npt.NDArray[np.int32]
    bucket: npt.NDArray[np.int32]
    _axes, _values = ("row", "dimension"), "vectors"

    def __len__(self) -> int:
        return len(self.position)

    @property
    def shape(self) -> tuple[int, ...]:
        return self.vectors.shape

    def __repr__(self) -> str:
        return f"Rows({self.kind} head {self.head} of layer {self.layer}, {self.shape[0]} x {self.shape[1]})"

    def _repr_html_(self) -> str:
        places = np.stack([part[:MOST_ROWS] for part in (self.position, self.example, self.bucket)], axis=1)
        rows = ([*place, *vector] for place, vector in zip(places.tolist(), self.vectors.tolist(), strict=False))
        return html_table(("position", "example", "bucket", *range(self.shape[1])), rows, repr(self))

    def where(self, chosen: npt.NDArray[Any] | slice) -> Rows:
        """Some of the rows, by a mask, indices or a slice."""
        parts = [part[chosen] for part in (self.vectors, self.position, self.example, self.bucket)]
        return Rows(self.kind, self.layer, self.head, *parts)


@dataclass(frozen=True, eq=False)
class Profile(Labelled):
    """AP of a head by query position; positions are in tokens, arrays have shape [bins], missing values are NaN."""

    values: npt.NDArray[np.float64]
    position: npt.NDArray[np.float64]  #: middle of a bin
    start: npt.NDArray[np.float64]
    end: npt.NDArray[np.float64]
    low: npt.NDArray[np.float64]  #: 95 % interval over texts
    high: npt.NDArray[np.float64]
    pairs: npt.NDArray[np.int64]  #: pairs of keys
    _axes = ("position",)


@dataclass(frozen=True, eq=False)
class Map(Labelled):
    """Mean PP of a head, ``values[i, j]`` at ``distance[i]`` and ``midpoint[j]``: lower edges of cells of ``cell``
    tokens. Cells without pairs are NaN."""

    values: npt.NDArray[np.float64]  #: [distances, midpoints]
    distance: npt.NDArray[np.int64]  #: between two keys
    midpoint: npt.NDArray[np.int64]  #: from the query back to the middle of the keys
    pairs: npt.NDArray[np.int64]  #: [distances, midpoints]
    cell: int
    _axes = ("distance", "midpoint")


class HeadView:
    """A head of a study, made by ``study["L16H4"]``. Values are aligned where the analysis has them, else binned.

    >>> head = study["L16H4"]
    >>> head.queries.shape, head.map.values.shape, round(head.metrics["ap_overall"], 3)
    ((1301, 64), (16, 16), 0.601)
    """

    def __init__(self, study: Study, head: Head) -> None:
        self.study, self.head = study, head

    def __repr__(self) -> str:
        return f"HeadView({self.head} of {self.study.model['name']})"

    def _repr_html_(self) -> str:
        return html_table((), self.metrics.items() if self.study.has_analysis else (), repr(self))

    @property
    def plasticity(self) -> str:
        """ "aligned" or "binned": the kind of AP in ``map`` and ``profile``."""
        return "aligned" if self.study.has_aligned else "binned"

    @cached_property
    def metrics(self) -> dict[str, Any]:
        """Columns of the table heads; ``plastiscope.metrics(name)`` explains one."""
        columns = self.study.table("heads", "numpy")
        rows = np.flatnonzero((columns["layer"] == self.head.layer) & (columns["head"] == self.head.head))
        if len(rows) == 0:
            raise InputError(self.study.path, str(self.head), "a head of the analysis", "one that it lacks")
        return {name: column[rows[0]].item() for name, column in columns.items()}

    @cached_property
    def queries(self) -> Rows:
        """Queries [rows, head_dim] with their positions and texts."""
        return self.study.queries(self.head)

    @cached_property
    def keys(self) -> Rows:
        """Keys [rows, head_dim] that the head reads."""
        return self.study.keys(self.head)

    @cached_property
    def profile(self) -> Profile:
        """AP by query position."""
        name = "ap_aligned" if self.plasticity == "aligned" else "ap"
        table = self.study.profile(self.head, plasticity=self.plasticity, form="numpy")
        none = np.full(len(table[name]), np.nan)
        low, high = (table.get(f"{name}_{side}", none) for side in ("low", "high"))
        return Profile(table[name], table["tau"], table["start"], table["end"], low, high, table["pairs"])

    @cached_property
    def map(self) -> Map:
        """PP by distance of the keys and by distance of the query from them."""
        table = self.study.map(self.head, plasticity=self.plasticity, form="numpy")
        cell = int(self.study.analysis_settings.get("map_cell") or self.study._facts["bucket_size"])
        cells = -(-self.study.window // cell)
        values, pairs = np.full((cells, cells), np.nan), np.zeros((cells, cells), np.int64)
        place = table["distance_cell"], table["midpoint_cell"]
        values[place], pairs[place] = table["pp"], table["pairs"]
        edges = np.arange(cells) * cell
        return Map(values, edges, edges, pairs, cell)
