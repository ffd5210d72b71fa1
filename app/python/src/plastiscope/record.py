"""Records queries and keys of a running model of transformers as a capture."""

from __future__ import annotations

import hashlib
import inspect
import os
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from types import TracebackType
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from .collector import Collector, Plan, Source, Text, output_file, require_no_padding
from .errors import PlastiscopeWarning, UsageError
from .files import canonical_json
from .heads import Head, choose_heads
from .model_facts import rope_facts, says_query_scale, window_of
from .study import Study

if TYPE_CHECKING:
    import torch


@dataclass
class _Layer:
    """Recorded state of a layer, and facts from its calls."""

    module: Any
    query_heads: list[int]
    key_heads: list[int]
    attention: str
    window: int
    rope: bool = False
    query_scale: bool = False
    scale: float = 0.0
    query_count: int = 0
    key_count: int = 0
    head_dim: int = 0


@dataclass
class _Place:
    """A text of the current call, and the place of its tokens in the batch."""

    text: Text
    row: int
    start: int
    behind: bool  # follows another text in the same row


@dataclass
class _Call:
    """The current call of the model."""

    ids: npt.NDArray[Any]  # [rows, tokens]
    mask: npt.NDArray[np.bool_]  # True for tokens, False for padding
    positions: Any  # position_ids of the call, then those used by RoPE
    places: list[_Place] = field(default_factory=list)  # known when the first layer attends


class Recorder:
    """Result of :func:`record`. After the ``with`` block, ``study`` is the capture."""

    def __init__(self, model: Any, out: str | os.PathLike[str], plan: Plan, ids: Iterable[int | str] | None,
                 tokenizer: Any, fresh: bool) -> None:  # fmt: skip
        self._model, self._out, self._plan, self._tokenizer = model, output_file(out, fresh), plan, tokenizer
        self._config = model.config.get_text_config(decoder=True)
        modules = self._attention_modules()
        self._layers = self._chosen_layers(modules)
        # Convolutions and recurrent layers carry state across texts regardless of the attention mask.
        self._mixes = len(modules) < int(self._config.num_hidden_layers)
        self._mixes |= any(type(module).__name__ == "Conv1d" for module in model.modules())
        self._number = {id(layer.module): number for number, layer in self._layers.items()}
        self._collector = Collector(plan, ids, "record")
        self._call: _Call | None = None
        self._seen: set[int] = set()
        self._turned: list[tuple[torch.Tensor, torch.Tensor]] = []  # before and after RoPE, in the current layer
        self._rope: dict[str, dict[str, Any]] = {}  # by kind of layer
        self._undo: list[Callable[[], None]] = []
        self._study: Study | None = None

    # ---- recorded heads and result

    def _attention_modules(self) -> dict[int, Any]:
        """The decoder's self-attention, by layer."""
        modules: dict[int, Any] = {}
        for module in self._model.modules():
            layer = getattr(module, "layer_idx", None)
            own = getattr(module, "config", None) is self._config and hasattr(module, "is_causal")
            crosses = "Cross" in type(module).__name__ or getattr(module, "is_cross_attention", False)
            if isinstance(layer, int) and own and not crosses:
                modules[layer] = module
        if not modules:
            what = "attention layers of transformers (with layer_idx and is_causal)"
            raise UsageError(f"record: expected {what}, found none in {type(self._model).__name__}")
        return modules

    def _chosen_layers(self, modules: dict[int, Any]) -> dict[int, _Layer]:
        plan, config = self._plan, self._config
        count, query_heads = int(config.num_hidden_layers), int(config.num_attention_heads)
        key_heads = int(getattr(config, "num_key_value_heads", None) or query_heads)
        windows = {layer: window_of(config, layer) for layer in range(count)}
        chosen = choose_heads(
            plan.heads, layers=count, query_heads=query_heads, all_layers=plan.all_layers, seed=plan.head_seed,
            windowed=[layer for layer, (_, window) in windows.items() if window > 0],
            without_vectors=[layer for layer in range(count) if layer not in modules],
        )  # fmt: skip
        layers: dict[int, _Layer] = {}
        for head in chosen:
            if head.layer not in layers:
                layers[head.layer] = _Layer(modules[head.layer], [], [], *windows[head.layer])
            layers[head.layer].query_heads.append(head.head)
        for layer in layers.values():
            group = int(getattr(layer.module, "num_key_value_groups", 0) or max(1, query_heads // key_heads))
            layer.key_heads = sorted({head // group for head in layer.query_heads})
        return layers

    @property
    def heads(self) -> list[Head]:
        """The query heads that are recorded."""
        return [Head(number, head) for number, layer in self._layers.items() for head in layer.query_heads]

    @property
    def study(self) -> Study:
        """The capture, after the block."""
        if self._study is None:
            raise UsageError("record: the capture is written at the end of the with block")
        return self._study

    # ---- while the model runs

    def __enter__(self) -> Recorder:
        from transformers import AttentionInterface

        interface = AttentionInterface.get_interface

        def tapped(mapping: Any, name: str, default: Any) -> Any:
            attend = interface(mapping, name, default)

            def recorded(module: Any, query: Any, key: Any, *args: Any, **kwargs: Any) -> Any:
                number = self._number.get(id(module))
                if number is not None:
                    self._take(number, query, key, kwargs, kwargs.get("attention_mask", (*args, None, None)[1]))
                self._turned.clear()
                return attend(module, query, key, *args, **kwargs)

            return recorded

        self._replace(AttentionInterface, "get_interface", tapped)
        for name in {type(layer.module).__module__ for layer in self._layers.values()}:
            self._watch_rotations(sys.modules[name])
        before = self._model.register_forward_pre_hook(self._begin, with_kwargs=True)
        after = self._model.register_forward_hook(self._end)
        self._undo += [before.remove, after.remove]
        for module in self._model.modules():
            if "Rotary" in type(module).__name__ and getattr(module, "config", None) is self._config:
                self._undo.append(module.register_forward_pre_hook(self._rotates, with_kwargs=True).remove)
        return self

    def _watch_rotations(self, source: Any) -> None:
        """Wraps the module's functions apply_..._rotary_...: arguments are before RoPE, results after it."""
        import torch

        def watched(rotate: Callable[..., Any]) -> Callable[..., Any]:
            def turned(*args: Any, **kwargs: Any) -> Any:
                result = rotate(*args, **kwargs)
                outputs = result if isinstance(result, tuple) else (result,)
                inputs = [each for each in (*args, *kwargs.values()) if isinstance(each, torch.Tensor)]
                pairs = zip(inputs, outputs, strict=False)
                self._turned += [(a, b) for a, b in pairs if isinstance(b, torch.Tensor) and a.shape == b.shape]
                return result

            return turned

        for name, function in list(vars(source).items()):
            if name.startswith("apply_") and "rotary" in name and callable(function):
                self._replace(source, name, watched(function))

    def _replace(self, owner: Any, name: str, value: Any) -> None:
        before = getattr(owner, name)
        setattr(owner, name, value)
        self._undo.append(lambda: setattr(owner, name, before))

    def _begin(self, _: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, Any] | None:
        given = dict(zip(inspect.signature(self._model.forward).parameters, args, strict=False)) | kwargs
        ids, mask = given.get("input_ids", args[0] if args else None), given.get("attention_mask")
        if ids is None or ids.ndim != 2:
            raise UsageError("record: expected a call with input_ids [texts, tokens], found none")
        if mask is not None and mask.ndim != 2:
            raise UsageError(f"record: expected an attention_mask [texts, tokens], found {mask.ndim} dimensions")
        tokens = ids.detach().cpu().numpy()
        valid = np.ones(tokens.shape, dtype=bool) if mask is None else mask.detach().cpu().numpy().astype(bool)
        if mask is None:
            owners = (self._config, self._model.config, self._tokenizer)
            require_no_padding("record", tokens, owners, "give attention_mask, with ones where they are text")
        positions = given.get("position_ids")
        self._call, self._seen = _Call(tokens, valid, positions), set()
        if positions is None or mask is not None or "use_cache" in given or (positions.diff(dim=-1) == 1).all():
            return None
        sentence = "record: use_cache=False was set, so that transformers separates several texts in one row"
        warnings.warn(sentence, PlastiscopeWarning, stacklevel=4)
        return args, {**kwargs, "use_cache": False}

    def _rotates(self, _: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        positions = kwargs.get("position_ids", (*args, None, None)[1])
        if self._call is not None and positions is not None:
            self._call.positions = positions

    def _places(self, call: _Call) -> Iterator[_Place]:
        """The texts of a call: its rows without padding, cut where positions start again."""
        rows, length = call.ids.shape
        if call.mask.shape != call.ids.shape:
            raise UsageError(f"record: expected an attention_mask {[rows, length]}, found {list(call.mask.shape)}")
        positions = np.arange(length)[None] if call.positions is None else call.positions.detach().cpu().numpy()
        several = positions.reshape(-1, *positions.shape[-2:])  # images: one each for time, height and width
        if positions.shape[-1] != length or several.shape[-2] not in (1, rows) or (several != several[0]).any():
            raise UsageError(f"record: expected a position for each token, found position_ids {list(positions.shape)}")
        for row, at in enumerate(np.broadcast_to(several[0], (rows, length))):
            valid = call.mask[row].nonzero()[0]
            if len(valid) == 0 or valid[-1] - valid[0] + 1 != len(valid):
                raise UsageError("record: expected padding before or after a text, found it inside, or no token")
            for part in np.split(valid, np.flatnonzero(np.diff(at[valid]) != 1) + 1):
                first, last = part[0], part[-1]
                if at[first] != 0:
                    raise UsageError(
                        f"record: tokens {first} to {last} of row {row} have positions {at[first]} to {at[last]}, "
                        "expected 0, 1, ... in each text; with padding on the left, set position_ids to "
                        "(attention_mask.cumsum(-1) - 1).clamp(min=0)"
                    )
                text = self._collector.text(call.ids[row, first : last + 1])
                yield _Place(text, row, int(first), bool(first != valid[0]))

    def _require_apart(self, place: _Place, mask: Any) -> None:
        """UsageError if a text can attend to the one before it in its row."""
        import torch

        seen = True
        if isinstance(mask, torch.Tensor) and mask.ndim == 4 and not self._mixes:
            one = mask[min(place.row, len(mask) - 1), 0, place.start, place.start - 1].item()
            seen = one if mask.dtype == torch.bool else one > -1e4
        if place.behind and seen:
            raise UsageError(
                f"record: row {place.row} holds several texts, but the text from token "
                f"{place.start} on can attend to those before it. Give each text its own row, or (if all layers are "
                "attention, eager or sdpa) leave out attention_mask and set use_cache=False"
            )

    def _take(self, number: int, query: torch.Tensor, key: torch.Tensor, kwargs: dict[str, Any], mask: Any) -> None:
        call = self._call
        if call is None:
            raise UsageError("record: expected a call of the model itself, found one of a part of it")
        if query.shape[2] != key.shape[2]:
            what = "whole texts in one call, without a cache of earlier tokens"
            raise UsageError(f"record: expected {what}, found {key.shape[2]} keys for {query.shape[2]} queries")
        if number in self._seen:
            raise UsageError(f"record: layer {number} attended twice in one call")
        self._seen.add(number)
        if not call.places:
            call.positions = kwargs.get("position_ids") if call.positions is None else call.positions
            call.places = list(self._places(call))
        for place in call.places:
            self._require_apart(place, mask)
        layer, point = self._layers[number], self._plan.point
        window = int(kwargs.get("sliding_window") or 0)
        if window and not layer.window and not self._plan.all_layers:
            what = "attends in a window that its configuration does not declare; all_layers=True captures it"
            raise UsageError(f"record: layer {number} {what}")
        if window:
            layer.attention, layer.window = "sliding", window
        layer.scale = float(kwargs.get("scaling") or query.shape[-1] ** -0.5)
        layer.query_count, layer.key_count, layer.head_dim = query.shape[1], key.shape[1], query.shape[-1]
        before = self._before_rope(layer, query, key)
        sets = {"query": query, "key": key} if point != "pre-rope" else {"query": before[0], "key": before[1]}
        if point == "both":
            sets |= {"query_pre_rope": before[0], "key_pre_rope": before[1]}
        for place in call.places:
            for name, states in sets.items():
                self._keep(number, name, states, place)

    def _before_rope(self, layer: _Layer, query: torch.Tensor, key: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Queries and keys before RoPE; in a layer without RoPE unchanged."""
        import torch

        layer.rope = bool(self._turned)
        sides = []
        if len(self._turned) == 2:
            for states, (before, after) in zip((query, key), self._turned, strict=True):
                if after.shape != states.shape and after.ndim == 4:
                    before, after = before.transpose(1, 2), after.transpose(1, 2)
                if after.shape == states.shape:
                    sides.append((before, after))
        if len(sides) < 2:
            if layer.rope and self._plan.point != "post-rope":
                name = type(layer.module).__name__
                raise UsageError(f"record: vectors before RoPE cannot be identified in {name}; use point='post-rope'")
            return query, key
        layer.query_scale = torch.equal(sides[1][1], key) and not torch.equal(sides[0][1], query)
        kind = f"{layer.attention}_attention"
        if kind not in self._rope:
            self._rope[kind] = rope_facts(self._config, kind, *sides[1])
        return sides[0][0], sides[1][0]

    def _keep(self, number: int, name: str, states: torch.Tensor, place: _Place) -> None:
        import torch

        layer = self._layers[number]
        rows = self._collector.rows(number, name, place.text)
        at = torch.from_numpy(rows.positions.astype(np.int64) + place.start).to(states.device)
        heads = layer.query_heads if name.startswith("query") else layer.key_heads
        kept = {head: states[place.row, head].detach().index_select(0, at).float().cpu().numpy() for head in heads}
        self._collector.add(number, name, place.text, rows, kept)

    def _end(self, *_: Any) -> None:
        missing = sorted(set(self._layers) - self._seen)
        if missing:
            name = type(self._layers[missing[0]].module).__name__
            what = f"layer {missing[0]} ({name}) to call transformers' attention interface"
            raise UsageError(f"record: expected {what}, found that it did not")
        self._call = None

    # ---- the capture

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        while self._undo:
            self._undo.pop()()
        if kind is None:
            self._study = self._collector.write(self._out, self._source(), self._tokenizer)

    def _source(self) -> Source:
        config, parameter = self._config, next(self._model.parameters())
        path = str(getattr(self._model.config, "_name_or_path", "") or type(self._model).__name__)
        name = os.path.basename(os.path.normpath(path))
        first = next(iter(self._layers.values()))
        rope = next(iter(self._rope.values())) if len(self._rope) == 1 else self._rope
        model = {
            "name": name, "source": name, "architecture": str(config.model_type).removesuffix("_text"),
            "fingerprint": _fingerprint(self._model), "layers": int(config.num_hidden_layers),
            "query_heads": first.query_count, "key_heads": first.key_count, "head_dim": first.head_dim,
            "rope": canonical_json(rope), "config": canonical_json(config.to_dict()),
            "context_length": int(getattr(config, "max_position_embeddings", 0) or 0),
        }  # fmt: skip
        layers = {number: self._attributes(layer, first) for number, layer in self._layers.items()}
        dtype, device = str(parameter.dtype).removeprefix("torch."), "cuda" if parameter.is_cuda else "cpu"
        return Source(model, dtype, device, first.scale, layers)

    def _attributes(self, layer: _Layer, first: _Layer) -> dict[str, Any]:
        attributes: dict[str, Any] = {
            "attention": layer.attention, "window": layer.window, "rope": layer.rope,
            "query_scale": layer.query_scale or says_query_scale(self._config, layer.rope),
        }  # fmt: skip
        if layer.head_dim != first.head_dim:
            attributes["head_dim"] = layer.head_dim
        if layer.key_count != first.key_count:
            attributes["key_heads"] = layer.key_count
        return attributes


def _fingerprint(model: Any) -> str:
    """SHA-256 of the configuration and of names, types and shapes of all tensors."""
    lines = [canonical_json(model.config.to_dict())]
    lines += [f"{name} {tensor.dtype} {list(tensor.shape)}" for name, tensor in sorted(model.state_dict().items())]
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def record(
    model: Any, *, window: int, out: str | os.PathLike[str], heads: int | str | Iterable[Head | str] = 300,
    sampler: str = "uniform", bucket_size: int | None = None, rate: float = 1.0, sample_seed: int | None = None,
    head_seed: int = 0, all_layers: bool = False, point: str = "post-rope", paired: bool = False,
    store: str = "float16", ids: Iterable[int | str] | None = None, tokenizer: Any = None, fresh: bool = False,
) -> Recorder:  # fmt: skip
    """Records queries and keys of any model of transformers while it runs, as a capture.

    Each row of ``input_ids`` in a call of the model is a text, several where ``position_ids`` start again; padding is
    left out. Positions are those of RoPE, from 0 in each text. A text's id is the next of ``ids``, else its number. The
    same ids, ``window`` and sampler give the positions of ``plastiscope-cli capture``; other arguments are its options;
    ``tokenizer`` stores the text of tokens. Each text must be in one call: no cache of earlier tokens.

    >>> import torch, transformers
    >>> config = transformers.GPTNeoXConfig(vocab_size=50, hidden_size=32, num_hidden_layers=2, num_attention_heads=4,
    ...                                     intermediate_size=32)
    >>> model = transformers.GPTNeoXForCausalLM(config)
    >>> with record(model, out=folder / "live.h5", window=64, sampler="all") as r:
    ...     _ = model(input_ids=torch.arange(40)[None])
    >>> r.study.queries("L1H3")
    Rows(query head 3 of layer 1, 40 x 8)
    """
    plan = Plan.of(
        window=window, heads=heads, sampler=sampler, bucket_size=bucket_size, rate=rate, sample_seed=sample_seed,
        head_seed=head_seed, all_layers=all_layers, point=point, paired=paired, store=store,
    )  # fmt: skip
    return Recorder(model, out, plan, ids, tokenizer, fresh)
