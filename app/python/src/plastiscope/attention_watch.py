"""Watches a running model of transformers: queries and keys as they enter their product, layer by layer.

Attention is seen where it passes transformers' attention interface. In other layers the product of queries and keys is
the first product whose result, [..., tokens, keys], a softmax is taken of.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from types import TracebackType
from typing import Any

import torch
from torch.overrides import TorchFunctionMode

from .errors import UsageError
from .head_scores import Weights, mask_of_first, weights_at, weights_of
from .model_facts import Rotation, rope_facts, says_query_scale, window_of

INTERFACE, PRODUCT = "attention interface", "product of query and key"
WANTED_CODE = (
    "attention_interface = ALL_ATTENTION_FUNCTIONS.get_interface(self.config._attn_implementation, "
    "eager_attention_forward)"
)


@dataclass
class LayerFacts:
    """What a layer's configuration and calls say."""

    attention: str
    window: int
    rope: bool = False
    query_scale: bool = False
    scale: float = 0.0
    softcap: float = 0.0
    query_heads: int = 0
    key_heads: int = 0
    head_dim: int = 0
    sinks: bool = False
    recorded_by: str = ""


@dataclass
class Attended:
    """A layer attends: queries and keys [texts, heads, tokens, head_dim], keys of these tokens only."""

    layer: int
    module: Any
    query: torch.Tensor
    key: torch.Tensor
    facts: LayerFacts
    mask: Any
    positions: Any  # position_ids that the attention was given
    cached: int  # keys of earlier calls
    rotations: tuple[Rotation | None, Rotation | None]
    weights: Weights  # of the first text

    def before_rope(self) -> tuple[torch.Tensor, torch.Tensor]:
        """Queries and keys before RoPE; in a layer without RoPE unchanged."""
        if not self.facts.rope:
            return self.query, self.key
        query, key = self.rotations
        if query is None or key is None:
            name = type(self.module).__name__
            raise UsageError(f"vectors before RoPE cannot be identified in {name}; use point='post-rope'")
        return query.unrotated(self.query), key.unrotated(self.key)


class AttentionWatch:
    """Watches attention while the context is open and calls ``on_attention`` for each layer.

    ``ablate``: heads by layer whose output is set to zero. ``tokens``: texts and tokens of the current call, which its
    owner sets. After a call ``layers`` and ``rope`` (by kind of layer) hold what it showed.
    """

    def __init__(self, model: Any, on_attention: Callable[[Attended], None]) -> None:
        self.model, self.config = model, model.config.get_text_config(decoder=True)
        self.ablate: dict[int, list[int]] = {}
        self.tokens: tuple[int, int] | None = None
        self.layers: dict[int, LayerFacts] = {}
        self.rope: dict[str, dict[str, Any]] = {}
        self._on_attention = on_attention
        self._own = {id(module) for module in model.modules()}
        self._running: tuple[int, Any] | None = None  # layer of the list of layers
        self._in_interface = False
        self._rotations: list[tuple[torch.Tensor, torch.Tensor]] = []  # before and after RoPE, in the current layer
        self._rotated: list[torch.Tensor] = []  # results of RoPE in the current layer
        self._at_end = False  # they were put behind other dimensions of the head
        self._products: list[_Product] = []  # those of the current layer that may be that of queries and keys
        self._found = False  # the current layer's product
        self._asked: tuple[Any, Any] | None = None  # queries and keys of the interface's last call in the layer
        self._undo: list[Callable[[], Any]] = []

    def __enter__(self) -> AttentionWatch:
        from transformers import AttentionInterface

        self._replace(AttentionInterface, "get_interface", self._tapped(AttentionInterface.get_interface))
        for number, module in decoder_layers(self.model, self.config):
            self._undo.append(module.register_forward_pre_hook(self._begins(number)).remove)
            self._undo.append(module.register_forward_hook(self._ends, always_call=True).remove)
        types = {type(module) for module in self.model.modules()}
        sources = {sys.modules[kind.__module__] for kind in types if kind.__module__ in sys.modules}
        for owner in (*sources, *types):
            for name, function in list(vars(owner).items()):
                if name.startswith("apply_") and "rotary" in name:
                    self._watch_rotation(owner, name, function)
        mode: Any = _Mode(self)
        mode.__enter__()
        self._undo.append(lambda: mode.__exit__(None, None, None))
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        while self._undo:
            self._undo.pop()()
        self._end_of_layer()

    def _replace(self, owner: Any, name: str, value: Any) -> None:
        before = vars(owner)[name]
        setattr(owner, name, value)
        self._undo.append(lambda: setattr(owner, name, before))

    def rope_as_stated(self) -> dict[str, Any]:
        """The facts of RoPE as a capture states them: by kind of layer only where there are several."""
        return next(iter(self.rope.values())) if len(self.rope) == 1 else self.rope

    def unseen(self, layer: int) -> str:
        """The sentence on a layer that ran without attention that can be seen."""
        named = [
            f"{type(each).__module__}.{type(each).__name__}"
            for number, module in decoder_layers(self.model, self.config) if number == layer
            for each in module.modules() if "Att" in type(each).__name__
        ]  # fmt: skip
        return (
            f"layer {layer}: expected attention through transformers' attention interface, or a softmax of a product "
            f"[..., tokens, tokens] of queries and keys, found neither in {named[0] if named else 'its code'}. "
            f"Where it computes attention, call {WANTED_CODE}"
        )

    # ---- which layer runs

    def _begins(self, number: int) -> Callable[[Any, Any], None]:
        def begins(module: Any, _: Any) -> None:
            self._end_of_layer()
            self._running = number, module

        return begins

    def _ends(self, *_: Any) -> None:
        self._end_of_layer()

    def _end_of_layer(self) -> None:
        self._running = None
        self._rotations, self._rotated, self._at_end = [], [], False
        self._products, self._found, self._asked = [], False, None

    # ---- transformers' attention interface

    def _tapped(self, interface: Callable[..., Any]) -> Callable[..., Any]:
        def tapped(mapping: Any, name: str, default: Any) -> Any:
            attend = interface(mapping, name, default)

            def watched(module: Any, query: Any, key: Any, *args: Any, **kwargs: Any) -> Any:
                layer = self._layer_of(module)
                if layer is None:
                    return attend(module, query, key, *args, **kwargs)
                self._in_interface = True
                try:
                    if self._asked is None or self._asked[0] is not query or self._asked[1] is not key:
                        mask, causal = kwargs.get("attention_mask", (*args, None, None)[1]), kwargs.get("is_causal")
                        causal = getattr(module, "is_causal", True) if causal is None else causal
                        weights = partial(weights_of, query[0], key[0], mask_of_first(mask, causal, key), kwargs)
                        self._attends(layer, module, INTERFACE, query, key, mask, kwargs, weights)
                    self._asked = (query, key) if self._running else None
                    result = attend(module, query, key, *args, **kwargs)
                finally:
                    self._in_interface = False
                return self._without_heads(layer, result) if self.ablate.get(layer) else result

            return watched

        return tapped

    def _layer_of(self, module: Any) -> int | None:
        """Number of the decoder's layer whose self-attention this is."""
        config = getattr(module, "config", self.config)
        if id(module) not in self._own or type(config) is not type(self.config) or crosses(module):
            return None
        number = getattr(module, "layer_idx", None)
        return number if isinstance(number, int) else self._running[0] if self._running else None

    def _without_heads(self, layer: int, result: Any) -> Any:
        output = result[0].clone()  # [texts, tokens, heads, value_dim]
        output[:, :, self.ablate[layer]] = 0
        return (output, *result[1:])

    # ---- the product of queries and keys

    def saw(self, function: Any, args: Any, kwargs: Mapping[str, Any], result: Any) -> Any:
        """A function of torch was called; returns its result."""
        if self._running is None or self._in_interface or self.tokens is None:
            return result
        name = function.__name__
        if name == "cat" and args:
            self._at_end |= any(part is each for part in args[0][1:] for each in self._rotated)
        if name == "scaled_dot_product_attention":
            query, key = (_by_head(each, self.tokens) for each in _arguments(args, kwargs, "query", "key"))
            if query is None or key is None or query.shape[2] != self.tokens[1]:
                return result
            facts = {"scaling": kwargs.get("scale")}
            *_, mask, _, causal = _arguments(
                args, kwargs, "query", "key", "value", "attn_mask", "dropout_p", "is_causal"
            )
            weights = partial(weights_of, query[0], key[0], mask_of_first(mask, causal, key), facts)
            return self._multiplies(query, key, facts, result, weights)
        for product in self._products:
            if product.goes_on(name, args, result):
                if name != "softmax":
                    return result
                self._products = []
                facts = {"scaling": product.scale, "softcap": product.softcap}
                weights = partial(weights_at, result.reshape(self.tokens[0], -1, *result.shape[-2:])[0])
                return self._multiplies(product.query, product.key, facts, result, weights)
        found = _Product.of(name, args, kwargs, result, self.tokens)
        self._products += [found] if found else []
        return result

    def _multiplies(self, query: torch.Tensor, key: torch.Tensor, facts: Mapping[str, Any], result: torch.Tensor,
                    weights: Weights) -> torch.Tensor:  # fmt: skip
        """The layer multiplies queries and keys, the first time to attend; ``result`` is its output or the shares of
        attention, and returned without those of the heads to ablate."""
        assert self._running is not None and self.tokens is not None
        layer, module = self._running
        if not self._found:
            self._attends(layer, module, PRODUCT, query, key, None, facts, weights)
        self._found = True
        if not self.ablate.get(layer):
            return result
        kept = result.clone()
        kept.view(self.tokens[0], -1, *result.shape[-2:])[:, self.ablate[layer]] = 0
        return kept

    # ---- what a layer shows

    def _attends(self, layer: int, module: Any, recorded_by: str, query: torch.Tensor, key: torch.Tensor, mask: Any,
                 kwargs: Mapping[str, Any], weights: Weights) -> None:  # fmt: skip
        rotations, self._rotations = self._rotations, []
        cached, tokens = key.shape[2] - query.shape[2], query.shape[2]
        if cached > 0:
            key = key[:, :, -tokens:]
        sides = sides_of(query, key, rotations, self._at_end)
        if recorded_by == PRODUCT and sides[1] is not None and sides[1].exact and sides[1].is_whole:
            key = key[:, :: sides[1].repeats]  # heads that were repeated for their group
        facts = LayerFacts(*window_of(self.config, layer), rope=bool(rotations), recorded_by=recorded_by)
        if window := int(kwargs.get("sliding_window") or 0):
            facts.attention, facts.window = "sliding", window
        facts.scale = float(kwargs.get("scaling") or query.shape[-1] ** -0.5)
        facts.softcap = float(kwargs.get("softcap") or 0.0)
        facts.sinks = kwargs.get("s_aux") is not None
        facts.query_heads, facts.key_heads, facts.head_dim = query.shape[1], key.shape[1], query.shape[-1]
        if sides[0] is not None and sides[1] is not None:
            facts.query_scale = sides[1].exact and not sides[0].exact and not query.is_meta
        facts.query_scale |= says_query_scale(self.config, facts.rope)
        kind = f"{facts.attention}_attention"
        if sides[1] is not None and kind not in self.rope:
            self.rope[kind] = rope_facts(self.config, kind, sides[1])
        self.layers[layer] = facts
        positions = kwargs.get("position_ids")
        self._on_attention(Attended(layer, module, query, key, facts, mask, positions, max(cached, 0), sides, weights))

    def _watch_rotation(self, owner: Any, name: str, function: Any) -> None:
        """Wraps a function apply_..._rotary_...: arguments are before RoPE, results after it."""
        rotate = function.__func__ if isinstance(function, staticmethod) else function
        if not callable(rotate):
            return

        def watched(*args: Any, **kwargs: Any) -> Any:
            result = rotate(*args, **kwargs)
            outputs = result if isinstance(result, tuple) else (result,)
            given = [each for each in (*args, *kwargs.values()) if isinstance(each, torch.Tensor)]
            pairs = [(a, b) for a, b in zip(given, outputs, strict=False) if _is_like(a, b)]
            self._rotations += _on_processor(rotate, args, kwargs) if pairs and pairs[0][0].is_meta else pairs
            self._rotated += [after for _, after in pairs]
            return result

        self._replace(owner, name, staticmethod(watched) if isinstance(function, staticmethod) else watched)


class _Mode(TorchFunctionMode):
    def __init__(self, watch: AttentionWatch) -> None:
        super().__init__()
        self._watch = watch

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        return self._watch.saw(func, args, kwargs or {}, func(*args, **(kwargs or {})))


@dataclass
class _Product:
    """A product that may be that of queries and keys, and what became of its result."""

    query: torch.Tensor
    key: torch.Tensor
    scores: torch.Tensor
    scale: float = 1.0
    softcap: float = 0.0
    _before_tanh: float = field(default=0.0, repr=False)

    @classmethod
    def of(cls, name: str, args: Any, kwargs: Mapping[str, Any], result: Any, tokens: tuple[int, int]
           ) -> _Product | None:  # fmt: skip
        if not isinstance(result, torch.Tensor) or not result.is_floating_point() or result.ndim < 3:
            return None
        operands = _operands(name.strip("_"), args, kwargs)
        if operands is None or not all(isinstance(each, torch.Tensor) and each.ndim >= 3 for each in operands):
            return None
        query, key = (_by_head(each, tokens) for each in operands)
        if query is None or key is None or key.shape[2] < tokens[1]:
            return None
        if tuple(result.shape[-2:]) != (tokens[1], key.shape[2]) or query.shape[2] != tokens[1]:
            return None
        return cls(query, key, result, float(kwargs.get("alpha", 1.0)) if "baddbmm" in name else 1.0)

    def goes_on(self, name: str, args: Any, result: Any) -> bool:
        """True if the function was given the scores; its result, of their size, takes their place."""
        if not isinstance(result, torch.Tensor) or result.numel() != self.scores.numel():
            return False
        if not any(each is self.scores for each in args[:2]):
            return False
        other: Any = next((each for each in args[:2] if each is not self.scores), None)
        number = float(other) if isinstance(other, (int, float)) or _is_number(other) else None
        if "mul" in name and number is not None:
            self.scale *= number
            self.softcap *= number
        elif "div" in name and number is not None:
            self.scale /= number
            self.softcap /= number
        elif name == "tanh":
            self.softcap = 1.0
        self.scores = result
        return True


def _is_number(value: Any) -> bool:
    return isinstance(value, torch.Tensor) and value.numel() == 1 and not value.is_meta


def _arguments(args: Any, kwargs: Mapping[str, Any], *names: str) -> list[Any]:
    """Arguments of a call by name or place."""
    return [kwargs[name] if name in kwargs else (*args, *[None] * len(names))[at] for at, name in enumerate(names)]


def _operands(name: str, args: Any, kwargs: Mapping[str, Any]) -> tuple[Any, Any] | None:
    """Queries [..., tokens, size] and keys [..., keys, size] of a product of matrices."""
    if name in ("matmul", "bmm"):
        left, right = _arguments(args, kwargs, "input", "mat2" if name == "bmm" else "other")
    elif name == "baddbmm":
        _, left, right = _arguments(args, kwargs, "input", "batch1", "batch2")
    elif name == "einsum":
        return _einsum_operands(args)
    else:
        return None
    if not isinstance(left, torch.Tensor) or not isinstance(right, torch.Tensor) or right.ndim < 3:
        return None
    return left, right.transpose(-1, -2)


def _einsum_operands(args: Any) -> tuple[Any, Any] | None:
    """For equations such as bhqd,bhkd->bhqk, which sum over one index."""
    equation, tensors = args[0], args[1] if len(args) == 2 else args[1:]
    if not isinstance(equation, str) or "->" not in equation or "." in equation or len(tensors) != 2:
        return None
    inputs, output = equation.replace(" ", "").split("->")
    left, right = inputs.split(",")
    summed = (set(left) & set(right)) - set(output)
    if len(summed) != 1 or len(output) < 3 or output[-2] not in left or output[-1] not in right:
        return None
    size, outer = summed.pop(), output[:-2]
    sides = []
    for labels, last, tensor in ((left, output[-2], tensors[0]), (right, output[-1], tensors[1])):
        if len(set(labels)) != len(labels) or not set(labels) <= set(outer) | {last, size}:
            return None
        there = [label for label in (*outer, last, size) if label in labels]
        moved = tensor.permute([labels.index(label) for label in there])
        sides.append(moved[tuple(slice(None) if x in labels else None for x in (*outer, last, size))])
    return sides[0], sides[1]


def _by_head(states: torch.Tensor, tokens: tuple[int, int]) -> torch.Tensor | None:
    """[texts, heads, tokens, size] of states with any axes of texts and heads before these two."""
    texts, outer = tokens[0], math.prod(states.shape[:-2])
    if states.ndim < 3 or outer % texts or (states.ndim > 3 and states.shape[0] != texts):
        return None
    return states.reshape(texts, outer // texts, *states.shape[-2:])


def _is_like(before: torch.Tensor, after: Any) -> bool:
    return isinstance(after, torch.Tensor) and after.shape == before.shape


def _on_processor(rotate: Callable[..., Any], args: Any, kwargs: Mapping[str, Any]
                  ) -> list[tuple[torch.Tensor, torch.Tensor]]:  # fmt: skip
    """What a rotation without numbers (device meta) does to random ones, if every pair turns by the same angle."""
    import inspect

    names = [name for name, _ in zip(inspect.signature(rotate).parameters, args, strict=False)]
    draw = torch.Generator().manual_seed(0)

    def numbers(name: str, value: Any) -> Any:
        if isinstance(value, (tuple, list)):
            return type(value)(numbers(part, each) for part, each in zip(("cos", "sin"), value, strict=False))
        if not isinstance(value, torch.Tensor) or not value.is_meta:
            return value
        if value.is_complex():
            return torch.full(value.shape, complex(math.cos(1), math.sin(1)), dtype=value.dtype)
        if "cos" in name or "sin" in name:
            return torch.full(value.shape, math.cos(1) if "cos" in name else math.sin(1))
        if not value.is_floating_point():
            return torch.zeros(value.shape, dtype=value.dtype)
        return torch.randn(value.shape, generator=draw)

    real = [numbers(name, value) for name, value in zip(names, args, strict=False)]
    named = {name: numbers(name, value) for name, value in kwargs.items()}
    result = rotate(*real, **named)
    outputs = result if isinstance(result, tuple) else (result,)
    given = [each for each in (*real, *named.values()) if isinstance(each, torch.Tensor)]
    return [(a, b) for a, b in zip(given, outputs, strict=False) if _is_like(a, b)]


def sides_of(query: torch.Tensor, key: torch.Tensor, rotations: Sequence[tuple[torch.Tensor, torch.Tensor]],
             at_end: bool) -> tuple[Rotation | None, Rotation | None]:  # fmt: skip
    """The rotations of queries and keys: those whose result they hold, else (what follows RoPE changes them, or there
    are no numbers) those of their shape, in order."""
    found = [
        next((each for pair in rotations for each in Rotation.within(states, *pair)), None) for states in (query, key)
    ]
    if len(rotations) == 2:
        for side, states in enumerate((query, key)):
            if found[side] is None:
                places = list(Rotation.shaped(states, *rotations[side]))
                found[side] = places[-1 if at_end else 0] if places else None
    return found[0], found[1]


# ---- the decoder's layers


def crosses(module: Any) -> bool:
    return "Cross" in type(module).__name__ or bool(getattr(module, "is_cross_attention", False))


def decoder_layers(model: Any, config: Any) -> Iterator[tuple[int, Any]]:
    """Layers of the text decoder with their numbers: entries of lists as long as the configuration says."""
    inside: set[int] = set()
    for module in model.modules():
        if not isinstance(module, torch.nn.ModuleList) or id(module) in inside:
            continue
        if len(module) != getattr(config, "num_hidden_layers", None) or not _is_of(module, config):
            continue
        inside.update(id(each) for each in module.modules())
        yield from enumerate(module)


def _is_of(layers: Any, config: Any) -> bool:
    """False for layers of another part, such as one for images."""
    kinds = {type(module.config) for module in layers.modules() if hasattr(module, "config")}
    return not kinds or type(config) in kinds


def attending_layers(model: Any, config: Any) -> dict[int, Any]:
    """Modules of self-attention by layer, as far as their classes tell."""
    modules: dict[int, Any] = {}
    for module in model.modules():
        layer, kind = getattr(module, "layer_idx", None), type(getattr(module, "config", None))
        if isinstance(layer, int) and kind is type(config) and hasattr(module, "is_causal") and not crosses(module):
            modules.setdefault(layer, module)
    if modules:
        return modules
    for number, layer in decoder_layers(model, config):
        named = [each for each in layer.modules() if "Att" in type(each).__name__ and not crosses(each)]
        if named:
            modules.setdefault(number, named[0])
    if not modules:
        what = f"layers with attention, num_hidden_layers ({getattr(config, 'num_hidden_layers', '?')}) in a list"
        raise UsageError(f"expected {what}, found none in {type(model).__name__}")
    return modules
