"""Attention weights of heads that were captured at every position."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import h5py
import numpy as np
import numpy.typing as npt

from .errors import InputError, UsageError
from .files import CAPTURE, attribute, member
from .heads import Head

if TYPE_CHECKING:
    from .study import Study


class Attention(NamedTuple):
    """Values of every query (row) with every key (column), and their positions; keys out of sight have weight 0 and
    score -inf."""

    values: npt.NDArray[np.float64]  #: [queries, keys]
    queries: npt.NDArray[np.int64]
    keys: npt.NDArray[np.int64]


def attention_of(
    study: Study, head: Head, example: int | str, queries: range | None, keys: range | None, quantity: str
) -> Attention:
    if quantity not in ("weight", "score"):
        raise UsageError(f'quantity: expected weight or score, found "{quantity}"')
    root, layer = study._root(CAPTURE), study.layers[head.layer]
    facts, group = member(root, "capture", h5py.Group), member(root, f"layers/{head.layer:02d}", h5py.Group)
    if layer.rope and attribute(facts, "point") == "pre-rope":
        raise InputError(study.path, str(head), "queries and keys after RoPE", "those before it")
    if attribute(member(root, "model", h5py.Group), "positions", "") in ("alibi", "relative"):
        raise InputError(study.path, str(head), "scores without biases by position", "biases that are not captured")
    query = study.queries(head, example=example, every=True, dtype=np.float64).vectors
    key = study.keys(head, example=example, every=True, dtype=np.float64).vectors
    rows = np.arange(len(query))[slice(None) if queries is None else slice(queries.start, queries.stop, queries.step)]
    columns = np.arange(len(key))[slice(None) if keys is None else slice(keys.start, keys.stop, keys.step)]
    first = np.zeros_like(rows)
    if layer.window:
        chunked = layer.attention == "chunked"
        first = rows // layer.window * layer.window if chunked else np.maximum(0, rows + 1 - layer.window)
    cap = float(attribute(group, "score_softcap", 0))
    values = np.empty((len(rows), len(columns)))
    for i, row in enumerate(rows):  # one query at a time: a long text has no room for all
        score = np.full(len(key), -np.inf)
        seen = slice(int(first[i]), int(row) + 1)
        score[seen] = float(attribute(facts, "score_scale")) * (key[seen] @ query[row])
        if cap:
            score[seen] = cap * np.tanh(score[seen] / cap)
        if quantity == "weight":
            score = np.exp(score - score.max())
            score /= score.sum()
        values[i] = score[columns]
    return Attention(values, rows, columns)
