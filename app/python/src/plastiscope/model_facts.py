"""Facts about a layer from a configuration of transformers, and RoPE settings inferred from vectors."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    import torch


def window_of(config: Any, layer: int) -> tuple[str, int]:
    """Kind of attention of a layer from its configuration, and its window in tokens (0: all)."""
    kinds = getattr(config, "layer_types", None)
    kind = str(kinds[layer]).removesuffix("_attention") if kinds else None
    if kind == "chunked":
        return "chunked", int(getattr(config, "attention_chunk_size", 0) or 0)
    sliding = int(getattr(config, "sliding_window", None) or 0)
    if kind is None and getattr(config, "use_sliding_window", True) and sliding:
        return "sliding", sliding
    return ("sliding", sliding) if kind == "sliding" else ("full", 0)


def says_query_scale(config: Any, rope: bool) -> bool:
    """True if the configuration scales queries with position, which early positions do not show."""
    settings = getattr(config, "rope_parameters", None) or {}
    return "llama_4_scaling_beta" in settings or (not rope and bool(getattr(config, "attn_temperature_tuning", False)))


@dataclass
class Rotation:
    """The part of queries or keys that RoPE rotates, before and after it: [texts, heads or 1, tokens, size]."""

    before: torch.Tensor
    after: torch.Tensor
    first: int  # its first dimension in the head
    head_dim: int
    exact: bool  # the states hold `after` itself
    repeats: int = 1  # of each head in the states

    @classmethod
    def shaped(
        cls, states: torch.Tensor, before: torch.Tensor, after: torch.Tensor, exact: bool = False
    ) -> Iterator[Rotation]:
        """Every place in states [texts, heads, tokens, head_dim] that has its shape."""
        if after.ndim != 4 or after.shape[-1] > states.shape[-1]:
            return
        texts, heads, tokens, size = states.shape
        for a, b in ((before, after), (before.transpose(1, 2), after.transpose(1, 2))):
            if b.shape[0] == texts and b.shape[2] == tokens and heads % b.shape[1] == 0:
                for first in sorted({0, size - b.shape[-1]}):
                    yield cls(a, b, first, size, exact, heads // b.shape[1])

    @classmethod
    def within(cls, states: torch.Tensor, before: torch.Tensor, after: torch.Tensor) -> Iterator[Rotation]:
        """The places that hold its numbers, by the last token."""
        if states.is_meta or after.is_meta:
            return
        for found in cls.shaped(states, before, after, exact=True):
            held = states[:, :, -1, found.first : found.first + found.after.shape[-1]]
            if held.equal(found.after[:, :, -1].repeat_interleave(found.repeats, 1).to(held)):
                yield found

    @property
    def is_whole(self) -> bool:
        return bool(self.after.shape[-1] == self.head_dim)

    def unrotated(self, states: torch.Tensor) -> torch.Tensor:
        """The whole states before RoPE, with the order of dimensions that they have after it."""
        before, size = self.before, self.before.shape[-1]
        if pairing(before, self.after, size)[0] == "sorted":
            before = before[..., [*range(0, size, 2), *range(1, size, 2)]]
        if before.shape == states.shape:
            return before
        whole = states.clone()
        repeated = before.repeat_interleave(states.shape[1] // before.shape[1], 1)
        whole[..., self.first : self.first + size] = repeated.to(whole)
        return whole


def pairing(before: torch.Tensor, after: torch.Tensor, rotary: int) -> tuple[str, float]:
    """How the rotated dimensions form pairs, from norms, which a rotation preserves, and the factor of the norms:
    "half", "interleaved" or "sorted" (pairs of neighbours before, halves after), else ""."""
    a, b = (np.asarray(side[0, 0, -1, :rotary].detach().double().cpu()) for side in (before, after))
    scale = float(np.linalg.norm(b) / np.linalg.norm(a)) if a.any() else 1.0
    half = slice(rotary // 2), slice(rotary // 2, None)
    neighbours = slice(0, None, 2), slice(1, None, 2)
    for name, of_a, of_b in (
        ("half", half, half), ("interleaved", neighbours, neighbours), ("sorted", neighbours, half),
    ):  # fmt: skip
        norms_a, norms_b = np.hypot(a[of_a[0]], a[of_a[1]]), np.hypot(b[of_b[0]], b[of_b[1]])
        if np.allclose(norms_a * scale, norms_b, rtol=0.02, atol=1e-3 * float(np.linalg.norm(b))):
            return name, scale
    return "", scale


# Families whose code, not their configuration, states the base of RoPE.
_BASES = {"gptj": 10000.0, "codegen": 10000.0, "roformer": 10000.0}


def rope_facts(config: Any, kind: str, rotation: Rotation) -> dict[str, Any]:
    """RoPE settings under their names in configurations, with the layout of pairs. {} if no layout fits."""
    settings = getattr(config, "rope_parameters", None) or getattr(config, "rope_scaling", None) or {}
    settings = dict(settings.get(kind, settings))
    if not settings and config.model_type in _BASES:
        settings = {"rope_type": "default", "rope_theta": _BASES[config.model_type]}
    if "rope_type" not in settings or not isinstance(settings.get("rope_theta", 0.0), (int, float)):
        return {}
    size = rotary = rotation.after.shape[-1]
    if rotation.is_whole and settings["rope_type"] != "proportional":  # whose pairs are those of the whole head
        share = settings.get("partial_rotary_factor") or getattr(config, "partial_rotary_factor", None) or 1.0
        rotary = int(size * float(share))
        rotary += rotary % 2  # transformers rotates whole pairs
    layout, _ = pairing(rotation.before, rotation.after, rotary)
    if not layout:
        return {}
    facts = {**settings, "rotary_dim": rotary}
    facts |= {"interleaved": True} if layout == "interleaved" else {}
    facts |= {"first_rotated": rotation.first} if rotation.first else {}
    return facts | {"max_position_embeddings": int(getattr(config, "max_position_embeddings", 0) or 0)}


def positions_of(model: Any, config: Any, rotates: bool) -> str:
    """What tells a model the places of tokens: rope, alibi, relative, learned, sinusoidal or none."""
    if rotates:
        return "rope"
    names = {name for module in {type(each).__module__ for each in model.modules()} for name in _names(module)}
    attention = getattr(config, "attn_config", None)
    if any("alibi" in name for name in names) and getattr(attention or config, "alibi", True):
        return "alibi"
    kinds = [f"{name} {type(module).__name__}".lower() for name, module in model.named_modules()]
    if any("relative" in name or "pos_bias" in name or "position_bias" in name for name in kinds):
        return "relative"
    placed = [name for name in kinds if "wpe" in name or "position" in name]
    if any("sinusoid" in name for name in placed):
        return "sinusoidal"
    return "learned" if any("embedding" in name for name in placed) else "none"


def _names(module: str) -> list[str]:
    return list(vars(sys.modules[module])) if module in sys.modules else []


def rows_of(
    states: torch.Tensor, heads: Sequence[int], positions: npt.NDArray[np.int64]
) -> list[npt.NDArray[np.float32]]:
    """Rows of states [heads, tokens, size] at these positions, by head, off the device."""
    import torch

    at = torch.from_numpy(positions).to(states.device)
    return [states[head].detach().index_select(0, at).float().cpu().numpy() for head in heads]
