"""Attention scores of query heads as sums over the queries of a text (method.md, Head scores)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
import torch

RECENT_TOKENS = 64
NUMBERS_AT_ONCE = 1 << 24  # weights of a block of queries

# Weights [heads, queries, keys] of these query heads at these positions.
Weights = Callable[[list[int], torch.Tensor], torch.Tensor]


def mask_of_first(mask: Any, causal: bool, key: torch.Tensor) -> Any:
    """The mask of the first text: [heads or 1, tokens or 1, keys]; None: keys up to the query."""
    if mask is None:
        return None if causal else key.new_ones((1, 1, key.shape[2]), dtype=torch.bool)
    return mask[(None,) * (4 - mask.ndim)][0]


def weights_at(weights: torch.Tensor, heads: list[int], at: torch.Tensor) -> torch.Tensor:
    """Those of known weights [all heads, tokens, keys]."""
    return weights[heads].index_select(1, at)


def weights_of(query: torch.Tensor, key: torch.Tensor, mask: Any, facts: Mapping[str, Any], heads: list[int],
               at: torch.Tensor) -> torch.Tensor:  # fmt: skip
    """The softmax of queries [all heads, tokens, size] at positions ``at`` over keys [key heads, keys, size].

    mask: [all heads or 1, tokens or 1, keys], True for visible keys or added to scores; None: keys up to the query.
    facts: arguments of the attention: "scaling", "softcap", "position_bias", of learned sinks "s_aux" or "sinks"."""

    def part(values: torch.Tensor) -> torch.Tensor:  # of the heads and positions
        values = values.index_select(1, at) if values.shape[1] > 1 else values
        return values[heads] if values.shape[0] > 1 else values

    group = query.shape[0] // key.shape[0]
    keys = key[[head // group for head in heads]].float()
    scale = facts.get("scaling") or query.shape[-1] ** -0.5
    scores = part(query).float().mul(scale) @ keys.transpose(1, 2)
    if cap := facts.get("softcap"):
        scores = torch.tanh(scores / cap) * cap
    if (bias := facts.get("position_bias")) is not None:
        scores = scores + part(bias[0, ..., : keys.shape[1]]).float()
    if mask is None:
        places = torch.arange(keys.shape[1], device=at.device)
        visible = places <= at[:, None] + keys.shape[1] - query.shape[1]
    else:
        visible = part(mask[..., : keys.shape[1]])
    scores = scores.masked_fill_(~visible, -torch.inf) if visible.dtype == torch.bool else scores + visible.float()
    sinks = facts["sinks"][0] if facts.get("sinks") is not None else facts.get("s_aux")
    if sinks is None:
        return scores.softmax(-1)
    columns = part(sinks if sinks.ndim == 3 else sinks.reshape(-1, 1, 1)).float().expand(-1, len(at), 1)
    weights: torch.Tensor = torch.cat([scores, columns], -1).softmax(-1)[..., :-1]
    return weights


def head_scores(ids: torch.Tensor, positions: npt.NDArray[np.int64], heads: list[int], weights: Weights
                ) -> npt.NDArray[np.float32]:  # fmt: skip
    """Sums over the queries at ``positions`` of a text: [heads, scores] in the order of the capture format: entropy,
    distance, first token, recent, previous token, induction, duplicate token."""
    key = torch.arange(len(ids), device=ids.device)
    before = torch.cat([ids.new_tensor([-1]), ids[:-1]])
    sums = np.zeros((len(heads), 7))
    for at in np.array_split(positions, -(-len(positions) * len(ids) * len(heads) // NUMBERS_AT_ONCE)):
        query = torch.from_numpy(at).to(ids.device)
        weight = weights(heads, query).float()
        query = query[:, None]
        parts = [
            query - key, key == 0, key > query - RECENT_TOKENS, key == query - 1,
            (before == ids[query]) & (key < query), (ids == ids[query]) & (key < query),
        ]  # fmt: skip
        factors = torch.stack([part.expand(len(at), -1).float() for part in parts])
        sums[:, 0] += torch.special.entr(weight).sum(-1).cpu().double().sum(-1).numpy()
        sums[:, 1:] += torch.einsum("hqk,sqk->hqs", weight, factors).cpu().double().sum(1).numpy()
    return sums.astype(np.float32)


def scored_queries(ids: npt.NDArray[np.int64], positions: npt.NDArray[np.int64]) -> dict[str, int]:
    """Numbers of queries: all, and those whose token occurred before the position before them, or before them."""
    first: dict[int, int] = {}
    for at, token in enumerate(ids.tolist()):
        first.setdefault(token, at)
    earlier = np.array([first[int(ids[at])] for at in positions])
    return {
        "all": len(positions),
        "induction": int((earlier < positions - 1).sum()),
        "duplicate": int((earlier < positions).sum()),
    }
