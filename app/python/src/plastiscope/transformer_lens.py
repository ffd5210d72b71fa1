"""Converts caches of TransformerLens to captures."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Mapping
from types import SimpleNamespace
from typing import Any

import numpy as np
import numpy.typing as npt

from .collector import Collector, Plan, Source, output_file, require_no_padding
from .errors import UsageError
from .files import canonical_json
from .heads import Head, choose_heads
from .model_facts import Rotation, rope_facts, window_of
from .study import Study


def import_transformer_lens(
    runs: Iterable[tuple[Any, Mapping[str, Any]]], cfg: Any, *, window: int, out: str | os.PathLike[str],
    heads: int | str | Iterable[Head | str] = 300, sampler: str = "uniform", bucket_size: int | None = None,
    rate: float = 1.0, sample_seed: int | None = None, head_seed: int = 0, all_layers: bool = False,
    point: str = "post-rope", paired: bool = False, store: str = "float16", ids: Iterable[int | str] | None = None,
    tokenizer: Any = None, fresh: bool = False,
) -> Study:  # fmt: skip
    """Writes a cache of ``model.run_with_cache`` of TransformerLens as a capture.

    Queries and keys are ``blocks.N.attn.hook_rot_q`` and ``hook_rot_k``, or without RoPE
    ``hook_q`` and ``hook_k``. Other arguments are options of :func:`plastiscope.record`.
    """
    plan = Plan.of(
        window=window, heads=heads, sampler=sampler, bucket_size=bucket_size, rate=rate, sample_seed=sample_seed,
        head_seed=head_seed, all_layers=all_layers, point=point, paired=paired, store=store,
    )  # fmt: skip
    file = output_file(out, fresh)
    collector = Collector(plan, ids, "import_transformer_lens")
    facts = _Facts(cfg)
    chosen = choose_heads(
        plan.heads, layers=facts.layers, query_heads=facts.query_heads, all_layers=plan.all_layers,
        seed=plan.head_seed, windowed=[layer for layer in range(facts.layers) if facts.windows[layer][1] > 0],
    )  # fmt: skip
    query_heads: dict[int, list[int]] = {}
    for head in chosen:
        query_heads.setdefault(head.layer, []).append(head.head)
    rope: dict[int, dict[str, Any]] = {}  # layers with RoPE
    for tokens, cache in runs:
        remedy = "give each text without padding"
        require_no_padding("import_transformer_lens", _array(tokens), [tokenizer], remedy)
        texts = [collector.text(row) for row in _array(tokens)]
        for layer, heads_of in query_heads.items():
            after, before = _states(cache, layer)
            if after["key"] is not before["key"] and layer not in rope:
                sides = (before["key"].transpose(1, 2), after["key"].transpose(1, 2))
                rotation = Rotation(*sides, first=0, head_dim=facts.head_dim, exact=True)
                rope[layer] = rope_facts(facts.config, facts.kind(layer), rotation)
            sets = before if plan.point == "pre-rope" else after
            if plan.point == "both":
                sets = after | {f"{kind}_pre_rope": states for kind, states in before.items()}
            for name, states in sets.items():
                wanted = heads_of if name.startswith("query") else sorted({head // facts.group for head in heads_of})
                for row, text in enumerate(texts):
                    rows = collector.rows(layer, name, text)
                    matrix = _array(states[row].float())[rows.positions]  # [rows, heads, head_dim]
                    collector.add(layer, name, text, rows, {head: matrix[:, head].copy() for head in wanted})
    layers = {}
    for layer in query_heads:
        attention, width = facts.windows[layer]
        layers[layer] = {"attention": attention, "window": width, "rope": layer in rope, "query_scale": False}
    kinds = {facts.kind(layer): found for layer, found in rope.items()}
    model = facts.model(next(iter(kinds.values())) if len(kinds) == 1 else kinds)
    return collector.write(file, Source(model, facts.dtype, facts.device, facts.scale, layers), tokenizer)


class _Facts:
    """Facts from a configuration of TransformerLens, under their names in captures."""

    def __init__(self, cfg: Any) -> None:
        self.layers, self.query_heads, self.head_dim = int(cfg.n_layers), int(cfg.n_heads), int(cfg.d_head)
        self.key_heads = int(getattr(cfg, "n_key_value_heads", None) or self.query_heads)
        self.group = max(1, self.query_heads // self.key_heads)
        self.dtype = str(getattr(cfg, "dtype", "unknown")).removeprefix("torch.")
        self.device = "cuda" if "cuda" in str(getattr(cfg, "device", "cpu")) else "cpu"
        scaled = getattr(cfg, "use_attn_scale", True)
        self.scale = 1 / float(getattr(cfg, "attn_scale", None) or self.head_dim**0.5) if scaled else 1.0
        kinds = getattr(cfg, "layer_types", None)
        local = getattr(cfg, "attn_types", None)
        if kinds is None and local is not None:
            kinds = ["sliding_attention" if kind == "local" else "full_attention" for kind in local]
        width = getattr(cfg, "window_size", None) or getattr(cfg, "sliding_window", None)
        settings = getattr(cfg, "rope_parameters", None) or {
            "rope_type": "default", "rope_theta": float(getattr(cfg, "rotary_base", 0) or 0),
            "partial_rotary_factor": (getattr(cfg, "rotary_dim", None) or self.head_dim) / self.head_dim,
        }  # fmt: skip
        self.config = SimpleNamespace(
            layer_types=kinds, sliding_window=width if kinds else None, rope_parameters=settings,
            max_position_embeddings=int(getattr(cfg, "n_ctx", 0) or 0),
        )  # fmt: skip
        self.windows = [window_of(self.config, layer) for layer in range(self.layers)]
        self._cfg = cfg

    def kind(self, layer: int) -> str:
        return f"{self.windows[layer][0]}_attention"

    def model(self, rope: dict[str, Any]) -> dict[str, Any]:
        said = {name: value for name, value in vars(self._cfg).items() if not name.startswith("_")}
        config = canonical_json(said)
        name = os.path.basename(os.path.normpath(str(getattr(self._cfg, "model_name", "") or "model")))
        return {
            "name": name, "source": name, "architecture": str(getattr(self._cfg, "architecture", None) or "unknown"),
            "fingerprint": hashlib.sha256(config.encode()).hexdigest(), "layers": self.layers,
            "query_heads": self.query_heads, "key_heads": self.key_heads, "head_dim": self.head_dim,
            "rope": canonical_json(rope), "config": config, "context_length": self.config.max_position_embeddings,
        }  # fmt: skip


def _states(cache: Mapping[str, Any], layer: int) -> tuple[dict[str, Any], dict[str, Any]]:
    """Queries and keys [texts, tokens, heads, head_dim], after and before RoPE; equal without RoPE."""
    before = {}
    for kind, letter in (("query", "q"), ("key", "k")):
        normed = f"blocks.{layer}.attn.hook_{letter}_normed"  # [texts, heads, tokens, head_dim]
        plain = f"blocks.{layer}.attn.hook_{letter}"
        before[kind] = cache[normed].transpose(1, 2) if normed in cache else _named(cache, plain)
    if f"blocks.{layer}.attn.hook_rot_q" not in cache:
        return before, before
    names = {"query": f"blocks.{layer}.attn.hook_rot_q", "key": f"blocks.{layer}.attn.hook_rot_k"}
    return {kind: _named(cache, name) for kind, name in names.items()}, before


def _named(cache: Mapping[str, Any], name: str) -> Any:
    if name not in cache:
        raise UsageError(f"import_transformer_lens: expected {name} in the cache, found none")
    return cache[name]


def _array(values: Any) -> npt.NDArray[Any]:
    return np.asarray(values.detach().cpu() if hasattr(values, "detach") else values)
