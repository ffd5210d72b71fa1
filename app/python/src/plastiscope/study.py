"""Studies: a capture, its analysis, or both, with access to their contents."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import numpy.typing as npt

from .attention import Attention, attention_of
from .errors import InputError, UsageError
from .files import (
    ANALYSIS, CAPTURE, attribute, json_attribute, kind_of, link_of, member, names, open_file, other_half,
    require_intact_texts, values,
)  # fmt: skip
from .frames import record_columns, table_of
from .head_view import HeadView, Rows
from .heads import Head, HeadList, heads_text
from .html_tables import html_table
from .notes import Notes, read_notes
from .program import command, run

_SETS = {
    ("query", False): "query",
    ("key", False): "key",
    ("query", True): "query_pre_rope",
    ("key", True): "key_pre_rope",
}
_MODEL = (
    "name", "architecture", "source", "fingerprint", "layers", "query_heads", "key_heads", "head_dim", "context_length",
)  # fmt: skip


@dataclass(frozen=True)
class Layer:
    """Properties of a captured layer."""

    layer: int
    attention: str  #: full, sliding, chunked
    window: int  #: tokens; 0 = all
    rope: bool
    query_scale: bool
    query_heads: tuple[int, ...]
    key_heads: tuple[int, ...]
    head_dim: int
    group: int  #: query heads that share a key head


class Study:
    """Result of :func:`open`. Methods raise an error if they need a capture or an analysis that is missing.

    ``study["L16H4"]`` is a head with its map, profile, rows and metrics. A study can be pickled: it is opened again.
    """

    def __init__(self, capture: Path | None, analysis: Path | None) -> None:
        self.capture_file, self.analysis_file = capture, analysis
        self._capture = open_file(capture) if capture else None
        self._analysis = open_file(analysis) if analysis else None
        for root in (self._capture, self._analysis):
            if root is not None:
                require_intact_texts(root)

    # ---- properties of the study

    def __enter__(self) -> Study:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __reduce__(self) -> tuple[Any, ...]:
        return Study, tuple(file and Path(os.path.abspath(file)) for file in (self.capture_file, self.analysis_file))

    def __getitem__(self, head: str | tuple[int, int]) -> HeadView:
        """A head: ``study["L16H4"]`` or ``study[16, 4]``; InputError if the study lacks it."""
        wanted = _head(head, None) if isinstance(head, (str, Head)) else _head(*head)
        if wanted not in self.heads:
            raise InputError(self.path, str(wanted), "a captured head", "one that was not captured")
        return HeadView(self, wanted)

    def close(self) -> None:
        """Closes the files; tables and rows that were read remain."""
        for root in (self._capture, self._analysis):
            if root is not None:
                root.close()

    def _repr_html_(self) -> str:
        files = ("capture", self.capture_file or "none"), ("analysis", self.analysis_file or "none")
        return html_table((), files, repr(self))

    def __repr__(self) -> str:
        if not all(root is None or root for root in (self._capture, self._analysis)):
            return f"Study({str(self.path)!r}, closed)"
        facts = self.model
        texts = f"{len(self.examples['id'])} texts of" if self._capture else "texts of"
        return (
            f"{facts['name']} ({facts['architecture']}): {len(self.heads)} heads of {facts['layers']} layers x "
            f"{facts['query_heads']}, {texts} at most {self.window:,} tokens"
        )

    @property
    def path(self) -> Path:
        """Path of the capture, or of the analysis if there is no capture."""
        path = self.capture_file or self.analysis_file
        assert path is not None
        return path

    @property
    def has_capture(self) -> bool:
        return self._capture is not None

    @property
    def has_analysis(self) -> bool:
        return self._analysis is not None

    def _root(self, kind: str) -> h5py.File:
        root = self._capture if kind == CAPTURE else self._analysis
        if root is None:
            what, other = ("a capture", "an analysis") if kind == CAPTURE else ("an analysis", "a capture")
            how = "open it beside its analysis" if kind == CAPTURE else "make one with plastiscope.analyze(study)"
            raise InputError(self.path, "", f"{what} too ({how})", f"{other} alone")
        if not root:
            raise UsageError(f"{self.path}: the study is closed; plastiscope.open opens it again")
        return root

    @cached_property
    def _facts(self) -> dict[str, Any]:
        return json_attribute(self._root(ANALYSIS), "capture")  # type: ignore[no-any-return]

    @cached_property
    def model(self) -> dict[str, Any]:
        """name, architecture, layers, query_heads, key_heads, head_dim, ...

        >>> study.model["layers"], study.model["head_dim"]
        (30, 64)
        """
        if self._capture is None:
            return {**self._facts, "name": self._facts.get("model", self._facts.get("name", ""))}
        group = member(self._capture, "model", h5py.Group)
        facts = {name: attribute(group, name) for name in _MODEL}
        facts["positions"] = str(group.attrs.get("positions", "rope"))  # also alibi, learned, relative, none, ...
        return facts | {name: json_attribute(group, name) for name in ("rope", "config")}

    @property
    def window(self) -> int:
        """Window in tokens to which texts were cut."""
        if self._capture is None:
            return int(self._facts["window"])
        return int(attribute(member(self._capture, "capture", h5py.Group), "window"))

    @property
    def settings(self) -> dict[str, Any]:
        """Settings of the capture that determine its data."""
        return json_attribute(self._root(CAPTURE), "settings")  # type: ignore[no-any-return]

    @property
    def analysis_settings(self) -> dict[str, Any]:
        return json_attribute(self._root(ANALYSIS), "settings")  # type: ignore[no-any-return]

    # ---- heads

    @cached_property
    def layers(self) -> dict[int, Layer]:
        """Captured layers, by number.

        >>> study.layers[16].query_heads, study.layers[16].key_heads
        ((3, 4, 5), (1,))
        """
        groups = member(self._root(CAPTURE), "layers", h5py.Group)
        numbers = sorted((int(name), name) for name in names(groups))
        return {number: self._layer(number, member(groups, name, h5py.Group)) for number, name in numbers}

    def _layer(self, number: int, group: h5py.Group) -> Layer:
        def heads(kind: str) -> tuple[int, ...]:
            return tuple(sorted(int(name) for name in names(member(group, f"{kind}/vectors", h5py.Group))))

        key_heads = int(attribute(group, "key_heads", self.model["key_heads"]))
        return Layer(
            number,
            attribute(group, "attention"),
            int(attribute(group, "window")),
            bool(attribute(group, "rope")),
            bool(attribute(group, "query_scale")),
            heads("query"),
            heads("key"),
            int(attribute(group, "head_dim", self.model["head_dim"])),
            max(1, int(self.model["query_heads"]) // key_heads),
        )

    @cached_property
    def heads(self) -> HeadList:
        """All query heads, ascending: a list of `Head`.

        >>> [str(head) for head in study.heads[:3]]
        ['L0H0', 'L0H1', 'L0H2']
        """
        if self._capture is not None:
            return HeadList(Head(number, head) for number, layer in self.layers.items() for head in layer.query_heads)
        heads = self._columns("heads")
        return HeadList(Head(int(layer), int(head)) for layer, head in zip(heads["layer"], heads["head"], strict=True))

    # ---- tables

    @property
    def tables(self) -> list[str]:
        """Names of the analysis' tables.

        >>> "profile" in study.tables
        True
        """
        return names(member(self._root(ANALYSIS), "tables", h5py.Group))

    def _columns(self, name: str) -> dict[str, npt.NDArray[Any]]:
        tables = member(self._root(ANALYSIS), "tables", h5py.Group)
        if name not in names(tables):
            assert self.analysis_file is not None
            raise InputError(self.analysis_file, "", f"a table ({', '.join(names(tables))})", f'"{name}"')
        group = member(tables, name, h5py.Group)
        columns = {column: values(member(group, column)) for column in json_attribute(group, "columns")}
        rows = int(attribute(group, "rows"))
        for column, read in columns.items():
            if read.shape != (rows,):
                place = f"{group.name}/{column}"
                raise InputError(group.file.filename, place, f"{rows} values", " x ".join(map(str, read.shape)))
        return columns

    def table(self, name: str = "heads", form: str | None = None) -> Any:
        """A table of the analysis, columns of shape [rows]; `plastiscope.metrics` explains them.

        ``form`` is "pandas", "polars" (a DataFrame) or "numpy" (a dict of arrays). Without it, here and in all other
        functions, it is the first of them that is installed; scripts for several computers should name it. A missing
        number is NaN. A pandas table with one row a head is also indexed by layer and head: ``heads.loc[16, 4]``.

        >>> study.table("heads", "numpy")["ap_overall"].shape
        (24,)
        >>> study.table("profile", "pandas").columns[:4].tolist()
        ['layer', 'head', 'bin', 'start']
        """
        return table_of(self._columns(name), form, by_head=True)

    # ---- attention plasticity

    @cached_property
    def has_aligned(self) -> bool:
        """True if the analysis has aligned values; older versions have only binned ones."""
        return "profile_aligned" in self.tables

    def profile(
        self, layer: int | str | Head, head: int | None = None, *, plasticity: str = "aligned",
        form: str | None = None,
    ) -> Any:  # fmt: skip
        """AP of a head by query bin: rows of ``profile_aligned`` with the values ``ap_aligned``, or of ``profile`` with
        ``ap``, as in the thesis.

        >>> study.profile("L16H4", plasticity="binned", form="numpy")["ap"].ndim
        1
        """
        return self._of_head("profile", _head(layer, head), plasticity, form)

    def map(
        self, layer: int | str | Head, head: int | None = None, *, plasticity: str = "aligned",
        form: str | None = None,
    ) -> Any:  # fmt: skip
        """The plasticity map of a head, one row per cell: ``map_aligned``, or ``map`` with ``plasticity="binned"``."""
        return self._of_head("map", _head(layer, head), plasticity, form)

    def _of_head(self, name: str, head: Head, plasticity: str, form: str | None) -> Any:
        if plasticity not in ("aligned", "binned"):
            raise UsageError(f'plasticity: expected aligned or binned, found "{plasticity}"')
        if plasticity == "aligned":
            if not self.has_aligned:
                assert self.analysis_file is not None
                raise InputError(self.analysis_file, "", "aligned values (analyze the capture again)",
                                 'binned ones only (plasticity="binned")')  # fmt: skip
            name += "_aligned"
        columns = self._columns(name)
        rows = (columns["layer"] == head.layer) & (columns["head"] == head.head)
        if not rows.any():
            raise InputError(self.path, str(head), "a captured head", "one that was not captured")
        return table_of({column: read[rows] for column, read in columns.items()}, form)

    # ---- rows

    def queries(
        self, layer: int | str | Head, head: int | None = None, *, example: int | str | None = None,
        before_rope: bool = False, every: bool = False, dtype: npt.DTypeLike | None = np.float32,
    ) -> Rows:  # fmt: skip
        """Queries of a head, ``vectors`` of shape [rows, head_dim], of all texts or of one.

        >>> study.queries(16, 4)
        Rows(query head 4 of layer 16, 1301 x 64)
        >>> rows = study.queries("L16H4", example=2)
        >>> set(rows.example.tolist()), rows.vectors.dtype
        ({2}, dtype('float32'))
        """
        wanted = _head(layer, head)
        return self._rows("query", wanted.layer, wanted.head, str(wanted), example, before_rope, every, dtype)

    def keys(
        self, layer: int | str | Head, head: int | None = None, *, example: int | str | None = None,
        key_head: int | None = None, before_rope: bool = False, every: bool = False,
        dtype: npt.DTypeLike | None = np.float32,
    ) -> Rows:  # fmt: skip
        """Keys that a query head reads, [rows, head_dim]: ``keys(16, 4)`` belongs to ``queries(16, 4)``.

        >>> study.keys(16, 4), study.keys(16, key_head=1)
        (Rows(key head 1 of layer 16, 1296 x 64), Rows(key head 1 of layer 16, 1296 x 64))
        """
        if key_head is not None:
            if not isinstance(layer, int) or head is not None:
                raise UsageError("keys: expected a layer's number beside key_head, found a head too")
            return self._rows("key", layer, key_head, f"key head {key_head} of layer {layer}", example, before_rope,
                              every, dtype)  # fmt: skip
        wanted = _head(layer, head)
        group = self.layers[wanted.layer].group if wanted.layer in self.layers else 1
        return self._rows("key", wanted.layer, wanted.head // group, str(wanted), example, before_rope, every, dtype)

    def _rows(
        self, kind: str, layer: int, head: int, name: str, example: int | str | None, before_rope: bool, every: bool,
        dtype: npt.DTypeLike | None,
    ) -> Rows:  # fmt: skip
        root = self._root(CAPTURE)
        if every and before_rope:
            raise UsageError("every=True: rows of every position are those after RoPE")
        rows_of = f"dense_{kind}" if every else _SETS[kind, before_rope]
        layers = member(root, "layers", h5py.Group)
        there = f"{layer:02d}" in names(layers)
        group = member(layers, f"{layer:02d}", h5py.Group) if there else None
        if group is not None and rows_of not in names(group):
            raise InputError(self.path, name, "a head at every position" if every else "vectors before RoPE",
                             "one that was not captured")  # fmt: skip
        group = member(group, rows_of, h5py.Group) if group is not None else None
        if group is None or f"{head:02d}" not in names(member(group, "vectors", h5py.Group)):
            raise InputError(self.path, name, "a head at every position" if every else "a captured head",
                             "one that was not captured")  # fmt: skip
        position, of, bucket = (values(member(group, part)) for part in ("position", "example", "bucket"))
        vectors = values(member(group, f"vectors/{head:02d}"))
        expected_shape = (len(position), self.layers[layer].head_dim)
        if vectors.shape != expected_shape or not len(position) == len(of) == len(bucket):
            shape = " x ".join(map(str, expected_shape))
            raise InputError(self.path, str(group.name), f"{shape} values", " x ".join(map(str, vectors.shape)))
        rows = Rows(kind, layer, head, vectors, position, of, bucket)
        if example is not None:
            number = self._example(example)
            rows = rows.where(slice(*np.searchsorted(of, [number, number + 1])))
        if dtype is None:
            return rows
        return Rows(kind, layer, head, rows.vectors.astype(dtype, copy=False), rows.position, rows.example, rows.bucket)

    def attention(
        self, head: str | Head, example: int | str = 0, queries: range | None = None, keys: range | None = None, *,
        quantity: str = "weight",
    ) -> Attention:  # fmt: skip
        """Attention of a head captured at every position: ``study.attention("L1H3", 0, range(100, 200)).values[i, j]``
        is that of query 100 + i with key j."""
        return attention_of(self, _head(head, None), example, queries, keys, quantity)

    # ---- texts

    @cached_property
    def examples(self) -> dict[str, npt.NDArray[Any]]:
        """id, seed_id, tokens (a count) and sha256 of every text, as columns, and the fields kept with the texts; a
        field that not all texts have is None or NaN in the others.

        >>> int(study.examples["tokens"].sum())
        42259
        """
        group = member(self._root(CAPTURE), "examples", h5py.Group)
        columns = {name: values(member(group, name)) for name in ("id", "seed_id", "tokens", "sha256")}
        return {**record_columns(values(member(group, "fields"))), **columns} if "fields" in names(group) else columns

    def _example(self, example: int | str) -> int:
        ids = self.examples["id"]
        if isinstance(example, str):
            found = np.flatnonzero(ids == example)
            if len(found) == 0:
                raise InputError(self.path, "", f"the id of a text ({', '.join(ids[:5])}, ...)", f'"{example}"')
            return int(found[0])
        if not 0 <= example < len(ids):
            raise InputError(self.path, "", f"a text from 0 to {len(ids) - 1}", str(example))
        return int(example)

    @cached_property
    def _texts(self) -> tuple[npt.NDArray[np.int32], dict[int, bytes]]:
        root = self._root(CAPTURE)
        if "texts" not in names(root):
            raise InputError(self.path, "/texts", "the texts' tokens", "none: it was captured without them")
        group = member(root, "texts", h5py.Group)
        ids, ends = values(member(group, "vocabulary_ids")), values(member(group, "vocabulary_ends"))
        stored = values(member(group, "vocabulary_bytes")).tobytes()
        starts = [0, *ends[:-1].tolist()]
        pieces = {int(i): stored[a:b] for i, a, b in zip(ids.tolist(), starts, ends.tolist(), strict=True)}
        return values(member(group, "token_ids")), pieces

    def _tokens_of(self, example: int | str) -> slice:
        number = self._example(example)
        ends = np.cumsum(self.examples["tokens"])
        return slice(int(ends[number] - self.examples["tokens"][number]), int(ends[number]))

    def token_ids(self, example: int | str) -> npt.NDArray[np.int32]:
        """Token ids of a text, cut to the window: int32 of shape [tokens]."""
        return self._texts[0][self._tokens_of(example)]

    def tokens(self, example: int | str) -> list[str]:
        """Display form of each token of a text: ``tokens(0)[t]`` is the token at position t. A token that is
        part of a character has U+FFFD.

        >>> study.tokens(0)[:4]
        ['...', ...]
        """
        pieces = self._texts[1]
        return [pieces[token].decode(errors="replace") for token in self.token_ids(example).tolist()]

    def text(self, example: int | str) -> str:
        """A text, cut to the window."""
        pieces = self._texts[1]
        return b"".join(pieces[token] for token in self.token_ids(example).tolist()).decode(errors="replace")

    def losses(self, example: int | str) -> npt.NDArray[np.float32]:
        """-ln p(token | previous tokens) of a text in nats: float32 of shape [tokens], NaN for the first token."""
        root = self._root(CAPTURE)
        if "loss" not in names(root):
            raise InputError(self.path, "/loss", "losses (capture with loss=True)", "none")
        return values(member(root, "loss/nll"))[self._tokens_of(example)]

    # ---- notes

    @property
    def groups(self) -> dict[str, list[Head]]:
        """Named groups of heads, which the window, ``plastiscope-cli groups`` and ``set_group`` keep in the notes.

        >>> study.groups
        {}
        """
        return {name: list(heads) for name, heads in self.notes.groups.items()}

    def set_group(self, name: str, heads: str | Iterable[Head | str] | None) -> list[Head]:
        """Keeps a group in the notes beside the study, in place of one with its name, and returns its heads."""
        values: dict[str, Any] = {"quiet": True}
        if heads is None:
            values["delete"] = name
        else:
            values |= {"group": f"{name}={heads if isinstance(heads, str) else heads_text(heads)}", "save": True}
        run(command("groups"), [self.path], values)
        return self.groups.get(name, [])

    @property
    def notes(self) -> Notes:
        """Current notes written in the window.

        >>> study.notes.starred
        frozenset()
        """
        if self._capture is not None:
            model = attribute(member(self._capture, "model", h5py.Group), "fingerprint")
            return read_notes(self.path, model, attribute(self._capture, "settings_hash"))
        root = self._root(ANALYSIS)
        return read_notes(self.path, attribute(root, "capture_fingerprint"), attribute(root, "capture_settings_hash"))


def _head(layer: int | str | Head, head: int | None) -> Head:
    if isinstance(layer, str):
        layer = Head.parse(layer)
    if isinstance(layer, Head):
        if head is not None:
            raise UsageError(f"expected {layer} alone or a layer and a head, found {layer} and {head}")
        return layer
    if head is None:
        raise UsageError(f"expected a head such as L12H6, or a layer and a head, found {layer} alone")
    return Head(int(layer), int(head))


def open(file: str | os.PathLike[str], other: str | os.PathLike[str] | None = None) -> Study:  # noqa: A001
    """Opens a capture or an analysis together with its counterpart, which is given as well or found beside it under
    its usual name (``study.h5`` and ``study.analysis.h5``) or the name that it was made under.

    >>> with open(example) as study:
    ...     study.has_capture, len(study.heads)
    (True, 24)
    >>> open("missing.h5")
    Traceback (most recent call last):
    plastiscope.errors.InputError: missing.h5: there is no such file
    """
    files = [Path(file)] + ([Path(other)] if other is not None else [])
    kinds = [kind_of(each) for each in files]
    if len(files) == 1:
        found = other_half(files[0], kinds[0])
        halves = {kinds[0]: files[0]} | ({CAPTURE if kinds[0] == ANALYSIS else ANALYSIS: found} if found else {})
        return Study(halves.get(CAPTURE), halves.get(ANALYSIS))
    if kinds[0] == kinds[1]:
        raise InputError(files[1], "", "a capture and its analysis", f"two files of {kinds[1]}")
    if link_of(files[0]) != link_of(files[1]):
        raise InputError(files[1], "", f"the capture or analysis of {files[0]}", "a study of another capture")
    halves = dict(zip(kinds, files, strict=True))
    return Study(halves[CAPTURE], halves[ANALYSIS])
