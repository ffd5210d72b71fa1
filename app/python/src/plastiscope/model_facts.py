"""Facts about a layer from a configuration of transformers, and RoPE settings inferred from vectors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

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


def rope_facts(config: Any, kind: str, before: torch.Tensor, after: torch.Tensor) -> dict[str, Any]:
    """RoPE settings under their names in configurations, with the layout of pairs, inferred from norms: a rotation
    preserves the norm of each pair. {} if neither layout fits."""
    settings = getattr(config, "rope_parameters", None) or getattr(config, "rope_scaling", None) or {}
    settings = dict(settings.get(kind, settings))
    if "rope_type" not in settings or not isinstance(settings.get("rope_theta", 0.0), (int, float)):
        return {}
    size = before.shape[-1]
    share = settings.get("partial_rotary_factor") or getattr(config, "partial_rotary_factor", None) or 1.0
    rotary = int(size * float(share))
    a, b = (np.asarray(side[0, 0, -1, :rotary].detach().double().cpu()) for side in (before, after))
    scale = float(np.linalg.norm(b) / np.linalg.norm(a)) if a.any() else 1.0
    for interleaved in (False, True):
        half = rotary // 2
        first, second = (slice(0, None, 2), slice(1, None, 2)) if interleaved else (slice(half), slice(half, None))
        of_a, of_b = (np.hypot(x[first], x[second]) for x in (a, b))
        if np.allclose(of_a * scale, of_b, rtol=0.02, atol=1e-3 * float(np.linalg.norm(b))):
            facts = {**settings, "rotary_dim": rotary} | ({"interleaved": True} if interleaved else {})
            return facts | {"max_position_embeddings": int(getattr(config, "max_position_embeddings", 0) or 0)}
    return {}
