"""Records queries and keys of a running model of transformers as a capture."""

from __future__ import annotations

import hashlib
import inspect
import os
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
from .model_facts import positions_of, rows_of, window_of
from .study import Study

if TYPE_CHECKING:
    import torch

    from .attention_watch import Attended, LayerFacts


class _Open:
    """A text that grows by calls with a cache of its earlier tokens. Its sample is drawn when it is complete."""

    def __init__(self, tokens: npt.NDArray[Any]) -> None:
        self.tokens, self.prompt = tokens, len(tokens)
        self.states: dict[tuple[int, str, int], list[npt.NDArray[np.float32]]] = {}  # by layer, set and head


@dataclass
class _Place:
    """A text of the current call, and the place of its tokens in the batch."""

    text: Text | _Open
    row: int
    start: int
    tokens: int
    behind: bool  # follows another text in the same row


@dataclass
class _Call:
    """The current call of the model."""

    ids: npt.NDArray[Any]  # [rows, tokens]
    mask: npt.NDArray[np.bool_]  # True for tokens, False for padding
    positions: Any  # position_ids of the call, then those used by RoPE
    cache: Any  # of earlier tokens; also an empty one that calls to come will use
    earlier: int  # tokens in it
    places: list[_Place] = field(default_factory=list)  # known when the first layer attends


class Recorder:
    """Result of :func:`record`. After the ``with`` block, ``study`` is the capture."""

    def __init__(self, model: Any, out: str | os.PathLike[str], plan: Plan, ids: Iterable[int | str] | None,
                 tokenizer: Any, fresh: bool) -> None:  # fmt: skip
        from .attention_watch import AttentionWatch, attending_layers

        self._model = getattr(model, "_orig_mod", model)  # of torch.compile
        self._out, self._plan, self._tokenizer = output_file(out, fresh), plan, tokenizer
        self._watch = AttentionWatch(self._model, self._on_attention)
        self._config = self._watch.config
        modules = attending_layers(self._model, self._config)
        self._heads = self._chosen_heads(modules)
        self._relative = positions_of(self._model, self._config, rotates=False) == "alibi"  # counted by the mask
        # Convolutions and recurrent layers carry state across texts regardless of the attention mask.
        self._mixes = len(modules) < int(self._config.num_hidden_layers)
        self._mixes |= any(type(module).__name__ == "Conv1d" for module in self._model.modules())
        self._collector = Collector(plan, ids, "record")
        self._call: _Call | None = None
        self._open: list[_Open] = []
        self._cache: Any = None  # that of the open texts
        self._seen: set[int] = set()
        self._undo: list[Callable[[], Any]] = []
        self._study: Study | None = None

    # ---- recorded heads and result

    def _chosen_heads(self, modules: dict[int, Any]) -> dict[int, list[int]]:
        """Query heads by layer."""
        plan, config = self._plan, self._config
        count = int(config.num_hidden_layers)
        chosen = choose_heads(
            plan.heads, layers=count, query_heads=int(config.num_attention_heads), all_layers=plan.all_layers,
            seed=plan.head_seed, windowed=[layer for layer in range(count) if window_of(config, layer)[1] > 0],
            without_vectors=[layer for layer in range(count) if layer not in modules],
        )  # fmt: skip
        heads: dict[int, list[int]] = {}
        for head in chosen:
            heads.setdefault(head.layer, []).append(head.head)
        return heads

    @property
    def heads(self) -> list[Head]:
        """The query heads that are recorded."""
        return [Head(layer, head) for layer, heads in self._heads.items() for head in heads]

    @property
    def study(self) -> Study:
        """The capture, after the block."""
        if self._study is None:
            raise UsageError("record: the capture is written at the end of the with block")
        return self._study

    # ---- while the model runs

    def __enter__(self) -> Recorder:
        import torch

        if hasattr(torch.compiler, "set_stance"):  # compiled code calls none of what is watched
            stance = torch.compiler.set_stance("force_eager")
            self._undo.append(lambda: stance.__exit__(None, None, None))
        self._watch.__enter__()
        self._undo.append(lambda: self._watch.__exit__(None, None, None))
        before = self._model.register_forward_pre_hook(self._begin, with_kwargs=True)
        after = self._model.register_forward_hook(self._end)
        self._undo += [before.remove, after.remove]
        for module in self._model.modules():
            if "Rotary" in type(module).__name__ and getattr(module, "config", None) is self._config:
                self._undo.append(module.register_forward_pre_hook(self._rotates, with_kwargs=True).remove)
        return self

    def _begin(self, _: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, Any] | None:
        names = inspect.signature(self._model.forward).parameters
        given: dict[str, Any] = dict(zip(names, args, strict=False)) | kwargs
        ids, mask = given.get("input_ids", args[0] if args else None), given.get("attention_mask")
        if ids is None or ids.ndim != 2:
            raise UsageError("record: expected a call with input_ids [texts, tokens], found none")
        if mask is not None and mask.ndim != 2:
            raise UsageError(f"record: expected an attention_mask [texts, tokens], found {mask.ndim} dimensions")
        tokens, cache = ids.detach().cpu().numpy(), given.get("past_key_values")
        valid = np.ones(tokens.shape, dtype=bool) if mask is None else mask.detach().cpu().numpy().astype(bool)
        earlier = 0 if cache is None else int(getattr(cache, "get_seq_length", int)())
        if earlier and cache is not self._cache:
            what = "whole texts in one call, or all calls of model.generate, without a cache of earlier tokens"
            raise UsageError(f"record: expected {what}, found {earlier} earlier tokens that were not recorded")
        if earlier:
            valid = valid[:, -tokens.shape[1] :]
        else:
            self._close()
        if mask is None and not earlier:
            owners = (self._config, self._model.config, self._tokenizer)
            require_no_padding("record", tokens, owners, "give attention_mask, with ones where they are text")
        positions = given.get("position_ids")
        self._call, self._seen = _Call(tokens, valid, positions, cache, earlier), set()
        self._watch.tokens = tokens.shape
        if cache is not None and not earlier:
            self._cache, cache.reorder_cache = cache, _no_beams
        apart = mask is not None or "use_cache" in given
        if positions is None or apart or (positions.diff(dim=-1) == 1).all():
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
        if call.positions is None and self._relative:
            positions = (call.mask.cumsum(1) - 1).clip(0)
        several = positions.reshape(-1, *positions.shape[-2:])  # images: one each for time, height and width
        if positions.shape[-1] != length or several.shape[-2] not in (1, rows) or (several != several[0]).any():
            raise UsageError(f"record: expected a position for each token, found position_ids {list(positions.shape)}")
        for row, at in enumerate(np.broadcast_to(several[0], (rows, length))):
            if self._open:
                yield self._continued(row, at if call.positions is not None else None)
                continue
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
                tokens, behind = call.ids[row, first : last + 1], bool(first != valid[0])
                if call.cache is not None and behind:
                    raise UsageError("record: expected one text in each row of a call with a cache, found several")
                text = self._collector.text(tokens) if call.cache is None else _Open(tokens)
                yield _Place(text, row, int(first), len(tokens), behind)

    def _continued(self, row: int, positions: npt.NDArray[Any] | None) -> _Place:
        """The text of a row with the tokens of this call added."""
        assert self._call is not None
        text, added = self._open[row], self._call.ids[row]
        there = len(text.tokens)
        if positions is not None and (positions != np.arange(there, there + len(added))).any():
            found = f"{positions[0]} to {positions[-1]}"
            raise UsageError(f"record: row {row} continues at position {there}, found positions {found}")
        text.tokens = np.concatenate([text.tokens, added])
        return _Place(text, row, 0, len(added), False)

    def _require_apart(self, place: _Place, mask: Any) -> None:
        """UsageError if a text can attend to the one before it in its row."""
        import torch

        seen: Any = True
        if isinstance(mask, torch.Tensor) and mask.ndim == 4 and not self._mixes:
            one = mask[min(place.row, len(mask) - 1), 0, place.start, place.start - 1].item()
            seen = one if mask.dtype == torch.bool else one > -1e4
        if place.behind and seen:
            raise UsageError(
                f"record: row {place.row} holds several texts, but the text from token "
                f"{place.start} on can attend to those before it. Give each text its own row, or (if all layers are "
                "attention, eager or sdpa) leave out attention_mask and set use_cache=False"
            )

    def _on_attention(self, attended: Attended) -> None:
        call, number, facts = self._call, attended.layer, attended.facts
        if number not in self._heads:
            return
        if call is None:
            raise UsageError("record: expected a call of the model itself, found one of a part of it")
        there, all_heads = attended.query.shape[1], int(self._config.num_attention_heads)
        if there < all_heads:
            what = f"computes {there} of {all_heads} query heads in this process (tensor parallel)"
            raise UsageError(f"record: layer {number} {what}. Load the whole model in each process")
        if attended.cached and not call.earlier:
            count = attended.cached + attended.query.shape[2]
            raise UsageError(f"record: layer {number}: expected a key for each token, found {count} keys")
        if number in self._seen:
            raise UsageError(f"record: layer {number} attended twice in one call")
        self._seen.add(number)
        if not call.places:
            call.positions = attended.positions if call.positions is None else call.positions
            call.places = list(self._places(call))
            self._open = [place.text for place in call.places if isinstance(place.text, _Open)]
        for place in call.places:
            self._require_apart(place, attended.mask)
        if facts.window and not window_of(self._config, number)[1] and not self._plan.all_layers:
            what = "attends in a window that its configuration does not declare; all_layers=True captures it"
            raise UsageError(f"record: layer {number} {what}")
        sets = {}
        if self._plan.point != "pre-rope":
            sets = {"query": attended.query, "key": attended.key}
        if self._plan.point != "post-rope":
            behind = "_pre_rope" if self._plan.point == "both" else ""
            sets["query" + behind], sets["key" + behind] = attended.before_rope()
        for place in call.places:
            for name, states in sets.items():
                self._keep(number, name, states, place)

    def _keep(self, number: int, name: str, states: torch.Tensor, place: _Place) -> None:
        heads, facts = self._heads[number], self._watch.layers[number]
        if name.startswith("key"):
            heads = sorted({head * facts.key_heads // facts.query_heads for head in heads})
        if isinstance(place.text, _Open):
            for head in heads:
                grown = states[place.row, head, place.start : place.start + place.tokens]
                parts = place.text.states.setdefault((number, name, head), [])
                parts.append(grown.detach().float().cpu().numpy())
            return
        rows = self._collector.rows(number, name, place.text)
        kept = rows_of(states[place.row], heads, rows.positions.astype(np.int64) + place.start)
        self._collector.add(number, name, place.text, rows, dict(zip(heads, kept, strict=True)))

    def _close(self) -> None:
        """Keeps the sample of the texts that calls with a cache made."""
        settings = getattr(self._model, "generation_config", None) or self._config
        ends, pads = (_tokens(getattr(settings, f"{kind}_token_id", None)) for kind in ("eos", "pad"))
        for each in self._open:
            text = self._collector.text(each.tokens[: _length(each.tokens, each.prompt, ends, ends + pads)])
            for number, name in dict.fromkeys(key[:2] for key in each.states):
                rows = self._collector.rows(number, name, text)
                kept = {
                    head: np.concatenate(parts)[rows.positions]
                    for (*of, head), parts in each.states.items() if of == [number, name]
                }  # fmt: skip
                self._collector.add(number, name, text, rows, kept)
        self._open, self._cache = [], None

    def _end(self, *_: Any) -> None:
        missing = sorted(set(self._heads) - self._seen)
        if missing:
            raise UsageError(f"record: {self._watch.unseen(missing[0])}")
        self._call = None

    # ---- the capture

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        while self._undo:
            self._undo.pop()()
        if kind is None:
            self._close()
            self._collector.require_texts()
            self._study = self._collector.write(self._out, self._source(), self._tokenizer)

    def _source(self) -> Source:
        config, parameter = self._config, next(self._model.parameters())
        path = str(getattr(self._model.config, "_name_or_path", "") or type(self._model).__name__)
        name = os.path.basename(os.path.normpath(path))
        facts = {number: self._watch.layers[number] for number in self._heads}
        first, rope = next(iter(facts.values())), self._watch.rope_as_stated()
        model = {
            "name": name, "source": name, "architecture": str(config.model_type).removesuffix("_text"),
            "fingerprint": _fingerprint(self._model), "layers": int(config.num_hidden_layers),
            "query_heads": first.query_heads, "key_heads": first.key_heads, "head_dim": first.head_dim,
            "rope": canonical_json(rope), "config": canonical_json(config.to_dict()),
            "context_length": int(getattr(config, "max_position_embeddings", 0) or 0),
        }  # fmt: skip
        layers = {number: _attributes(layer, first) for number, layer in facts.items()}
        dtype, device = str(parameter.dtype).removeprefix("torch."), "cuda" if parameter.is_cuda else "cpu"
        return Source(model, dtype, device, first.scale, layers)


def _attributes(layer: LayerFacts, first: LayerFacts) -> dict[str, Any]:
    attributes: dict[str, Any] = {
        "attention": layer.attention, "window": layer.window, "rope": layer.rope, "query_scale": layer.query_scale,
    }  # fmt: skip
    if layer.head_dim != first.head_dim:
        attributes["head_dim"] = layer.head_dim
    if layer.key_heads != first.key_heads:
        attributes["key_heads"] = layer.key_heads
    return attributes


def _tokens(ids: Any) -> list[int]:
    return [] if ids is None else [int(token) for token in np.atleast_1d(ids)]


def _length(tokens: npt.NDArray[Any], prompt: int, ends: list[int], behind: list[int]) -> int:
    """Tokens of a generated text up to its end token, if only end and padding tokens follow."""
    found = np.flatnonzero(np.isin(tokens[prompt:], ends))
    if len(found) and np.isin(tokens[prompt + found[0] :], behind).all():
        return prompt + int(found[0]) + 1
    return len(tokens)


def _no_beams(*_: Any) -> None:
    raise UsageError("record: beam search exchanges texts among rows; expected model.generate with num_beams=1")


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
    ``tokenizer`` stores the text of tokens. Each text must be in one call, or in those of one ``model.generate``, whose
    tokens have the positions after the prompt's.

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
