"""The engine "transformers" of the programs: runs a model of transformers and hands over queries and keys.

``python -m plastiscope.engine`` reads requests from standard input and writes replies to standard output. A frame is a
line of JSON, then as many raw bytes as its "bytes" says. One request at a time; the end of the input ends the process.
Standard output of other code goes to standard error.
"""

from __future__ import annotations

import copy
import inspect
import json
import os
import platform
import sys
import traceback
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import numpy.typing as npt
import torch
import transformers
from torch.overrides import TorchFunctionMode

from .attention_watch import Attended, AttentionWatch, crosses, decoder_layers
from .errors import InputError, PlastiscopeError, ResourceError, UsageError
from .head_scores import head_scores, scored_queries
from .model_facts import positions_of, rows_of

KINDS = {UsageError.code: "usage", InputError.code: "input", ResourceError.code: "resources"}
TRIAL_TOKENS = 7
LOGITS_AT_ONCE = 1 << 24  # numbers of a chunk of tokens x vocabulary


class _Enough(BaseException):
    """All wanted layers of a pass are done."""


@dataclass
class _Want:
    layer: int
    kind: str
    heads: list[int]
    positions: npt.NDArray[np.int64]
    scored: npt.NDArray[np.int64]  # positions of queries
    dense: list[int]


class Engine:
    """Serves the requests of one program. ``send`` writes a reply."""

    def __init__(self, send: Any) -> None:
        self._send = send
        self._folder = Path()
        self._config: Any = None
        self._trust = False
        self._model: Any = None
        self._attention = "sdpa"
        self._only_decoder = False
        self._has_output = self._in_chunks = False

    def serve(self, request: Mapping[str, Any], payload: bytes) -> None:
        action = {"describe": self._describe, "load": self._load, "run": self._run}.get(str(request.get("do")))
        if action is None:
            raise UsageError(f"expected describe, load or run, found {request.get('do')!r}")
        with torch.inference_mode():
            action(request, payload)

    # ---- describe

    def _describe(self, request: Mapping[str, Any], _: bytes) -> None:
        self._model, self._only_decoder, self._folder = None, False, Path(str(request["model"]))
        self._trust = bool(request.get("trust_remote_code"))
        self._config = self._read_config(request.get("rope"))
        model, watch = self._trial()
        text = watch.config
        seen = next(iter(watch.layers.values()), None)
        if seen is None:
            raise InputError(self._folder, "", "", watch.unseen(0))
        count = int(text.num_hidden_layers)
        devices = list(_devices())
        rotates = any(layer.rope for layer in watch.layers.values())
        facts = {
            "architecture": str(text.model_type).removesuffix("_text"), "class": type(model).__name__,
            "transformers": transformers.__version__, "torch": torch.__version__, "python": platform.python_version(),
            "layers": count, "hidden": int(getattr(text, "hidden_size", 0)), "vocabulary": int(text.vocab_size),
            "query_heads": seen.query_heads, "key_heads": seen.key_heads, "head_dim": seen.head_dim,
            "context": _context(text), "score_scale": seen.scale, "score_softcap": seen.softcap,
            "positions": positions_of(model, text, rotates), "rope": watch.rope_as_stated(),
            "parameters": sum(each.numel() for each in model.parameters()),
            "recorded_by": seen.recorded_by, "ablation": True,
            "losses": model.get_output_embeddings() is not None and not self._only_decoder,
            "config": json.loads((self._folder / "config.json").read_text(encoding="utf-8")),
            "devices": devices, "default_dtype": self._dtype("auto", "cpu" if len(devices) == 1 else "accelerator"),
            "each_layer": [_layer_facts(watch, layer) for layer in range(count)],
        }  # fmt: skip
        self._send({"ok": "describe", "facts": facts})

    def _dtype(self, requested: str, device: str) -> str:
        if requested != "auto":
            return requested
        stated = self._config.get_text_config(decoder=True).dtype or self._config.dtype
        return "float32" if device == "cpu" or stated is None else str(stated).removeprefix("torch.")

    def _read_config(self, rope: Any) -> Any:
        if not (self._folder / "config.json").is_file():
            raise InputError(self._folder, "", "a folder with config.json", "none")
        try:
            config = transformers.AutoConfig.from_pretrained(self._folder, trust_remote_code=self._trust)
        except (ValueError, ImportError, OSError) as error:
            raise InputError(self._folder, "config.json", "", _sentence(error)) from error
        if rope is not None:
            text = config.get_text_config(decoder=True)
            text.rope_parameters = {**(getattr(text, "rope_parameters", None) or {}), **rope}
        return config

    def _trial(self) -> tuple[Any, AttentionWatch]:
        """A pass of a few tokens: without numbers where the model can do so, else with its weights."""
        try:
            with torch.device("meta"):
                model = self._built()
            with _WithoutNumbers():
                return model.eval(), _watched(model, model.base_model)
        except PlastiscopeError:
            raise
        except Exception as error:
            print(f"without weights: {_sentence(error)}", file=sys.stderr)
        self._read_weights("cpu", "auto")
        model, failed = self._model, []
        for self._only_decoder in (False, True):
            try:
                return model, _watched(model, self._body())
            except PlastiscopeError:
                raise
            except Exception as error:
                failed.append(f"{type(error).__name__}: {_sentence(error)}")
        raise InputError(self._folder, "", "a model that runs with the tokens of a text alone", failed[0])

    def _body(self) -> Any:
        """The model without its output; only its text decoder where the rest needs more than tokens."""
        return self._model.get_decoder() if self._only_decoder else self._model.base_model

    def _auto_class(self) -> Any:
        names = ("AutoModelForCausalLM", "AutoModelForImageTextToText", "AutoModelForMultimodalLM")
        for auto in [getattr(transformers, name) for name in names if hasattr(transformers, name)]:
            remote = getattr(self._config, "auto_map", None) or {}
            if type(self._config) in auto._model_mapping or auto.__name__ in remote:
                return auto
        named = getattr(transformers, (self._config.architectures or ["?"])[0], None)
        if named is not None and hasattr(named, "from_pretrained"):
            return named
        what = f"transformers {transformers.__version__} has no language model for model_type"
        raise InputError(self._folder, "config.json", "", f"{what} {self._config.model_type}")

    def _built(self) -> Any:
        """A model without its weights, with the attention that transformers offers for it."""
        auto, options = self._auto_class(), {"trust_remote_code": True} if self._trust else {}
        build = auto.from_config if hasattr(auto, "from_config") else auto._from_config
        for self._attention in ("sdpa", "eager"):
            try:
                config = copy.deepcopy(self._config)
                # Products of experts on the device meta take bfloat16 only.
                return build(config, attn_implementation=self._attention, dtype=torch.bfloat16, **options)
            except (ValueError, ImportError) as error:
                if self._attention == "eager" or "attention" not in str(error).lower():
                    raise InputError(self._folder, "config.json", "", _sentence(error)) from error

    # ---- load

    def _load(self, request: Mapping[str, Any], _: bytes) -> None:
        if self._config is None:
            raise UsageError("expected describe before load")
        if threads := int(request.get("threads", 0)):
            torch.set_num_threads(threads)
        self._send({"loading": 0})
        self._read_weights(str(request["device"]), str(request["dtype"]))
        if request.get("loss"):
            self._prepare_losses()
        self._send({"loading": 1})
        self._send({"ok": "load"})

    def _read_weights(self, device: str, dtype: str) -> None:
        self._model = None
        options = {"trust_remote_code": True} if self._trust else {}
        try:
            model, report = self._auto_class().from_pretrained(
                self._folder, config=copy.deepcopy(self._config), attn_implementation=self._attention,
                dtype=getattr(torch, self._dtype(dtype, device)), output_loading_info=True, **options,
            )  # fmt: skip
        except (ValueError, ImportError, OSError) as error:
            raise InputError(self._folder, "", "", _sentence(error)) from error
        output = model.get_output_embeddings()
        of_output = {name for name, module in model.named_modules() if module is output}
        missing = [name for name in report["missing_keys"] if name.rpartition(".")[0] not in of_output]
        if missing:
            raise InputError(self._folder, "weights", f"{missing[0]} (and {len(missing) - 1} more)", "none")
        self._has_output = output is not None and not report["missing_keys"]
        self._model = model.eval().to(device)

    # ---- run

    def _run(self, request: Mapping[str, Any], payload: bytes) -> None:
        if self._model is None:
            raise UsageError("expected load before run")
        tokens, loss = int(request["tokens"]), bool(request.get("loss"))
        numbers = np.frombuffer(payload, "<i4")
        ids = torch.from_numpy(numbers[:tokens].astype(np.int64))[None].to(self._model.device)
        wants = list(_wants(request["wants"], numbers[tokens:].astype(np.int64)))
        sender = _RowSender(self._send, ids[0], wants, list(request.get("points", ["post-rope"])),
                       int(self._config.get_text_config(decoder=True).num_hidden_layers), stop=not loss)  # fmt: skip
        watch = AttentionWatch(self._model, sender.on_attention)
        for layer, head in request.get("ablate", []):
            watch.ablate.setdefault(int(layer), []).append(int(head))
        watch.tokens = (1, tokens)
        losses = None
        try:
            with watch:
                if loss:
                    losses = self._losses(ids)
                else:
                    self._pass(ids)
        except _Enough:
            pass
        sender.finish(watch)
        if losses is not None:
            self._send({"losses": tokens}, losses.astype("<f4").tobytes())
        self._send({"ok": "run"})

    def _pass(self, ids: torch.Tensor) -> Any:
        """The output of the model without its head; of the whole model where it has no such part."""
        body = self._body()
        last = {"logits_to_keep": 1} if body is self._model and _takes(body, "logits_to_keep") else {}
        return body(input_ids=ids, **last, **_no_cache(body))

    # ---- losses

    def _prepare_losses(self) -> None:
        """Finds out whether the output of a few tokens can be computed from the last layer in chunks."""
        if not self._has_output or self._only_decoder:
            raise InputError(self._folder, "weights", "those of the output, for losses", "none")
        ids = torch.arange(5, device=self._model.device)[None]
        whole = self._own_logits(ids).float()
        try:
            output = self._pass(ids)
            parts = [self._logits(ids, output, part) for part in (slice(0, 2), slice(2, 5))]
            error = (torch.cat(parts, 1).float() - whole).abs().max()
            self._in_chunks = bool(error <= 0.02 * whole.abs().max())
        except Exception as failed:
            print(f"output in chunks: {_sentence(failed)}", file=sys.stderr)
            self._in_chunks = False

    def _own_logits(self, ids: torch.Tensor) -> torch.Tensor:
        logits: torch.Tensor = self._model(input_ids=ids, **_no_cache(self._model)).logits
        return logits

    def _logits(self, ids: torch.Tensor, output: Any, part: slice) -> torch.Tensor:
        """The model's own logits of a part of the tokens: its forward pass with a body that is done already."""
        cut = type(output)(**{**output, "last_hidden_state": output.last_hidden_state[:, part]})
        body = self._model.base_model
        body.forward = lambda *args, **kwargs: cut
        try:
            return self._own_logits(ids[:, part])
        finally:
            del body.forward

    def _losses(self, ids: torch.Tensor) -> npt.NDArray[np.float32]:
        """-ln p of each token given those before it."""
        tokens = ids.shape[1]
        losses = np.full(tokens, np.nan, dtype=np.float32)
        output = self._pass(ids) if self._in_chunks else self._own_logits(ids)
        vocabulary = int(self._model.config.get_text_config(decoder=True).vocab_size)
        step = max(1, LOGITS_AT_ONCE // vocabulary)
        for first in range(0, tokens - 1, step):
            part = slice(first, min(first + step, tokens - 1))
            logits = self._logits(ids, output, part) if self._in_chunks else output[:, part]
            following = ids[0, part.start + 1 : part.stop + 1, None]
            shares = logits[0].float().log_softmax(-1).gather(1, following.to(logits.device))
            losses[part.start + 1 : part.stop + 1] = -shares[:, 0].cpu().numpy()
        return losses


class _RowSender:
    """Sends the rows that a run wants, layer by layer."""

    def __init__(self, send: Any, ids: torch.Tensor, wants: list[_Want], points: list[str], layers: int, stop: bool
                 ) -> None:  # fmt: skip
        self._send, self._ids, self._wants, self._points = send, ids, wants, points
        self._layers, self._stop = layers, stop
        self._done = 0  # layers
        self._left = {want.layer for want in wants}

    def on_attention(self, attended: Attended) -> None:
        wants = [want for want in self._wants if want.layer == attended.layer]
        _require_keys(attended)
        if wants and attended.layer not in self._left:
            raise InputError("", "", "", f"layer {attended.layer} attends twice in one pass")
        self._report(attended.layer)
        for point in self._points:
            states = (attended.query, attended.key) if point == "post-rope" else attended.before_rope()
            for want in wants:
                self._rows(want, point, states[want.kind == "key"][0])
        for want in wants:
            self._scores(want, attended)
        self._left.discard(attended.layer)
        if self._stop and not self._left:
            self._report(attended.layer + 1)
            raise _Enough

    def _rows(self, want: _Want, point: str, states: torch.Tensor) -> None:
        every = np.arange(states.shape[1])
        for dense, heads, positions in ((False, want.heads, want.positions), (True, want.dense, every)):
            if not heads or not len(positions):
                continue
            rows = np.stack(rows_of(states, heads, positions)).astype("<f4")
            head = {"layer": want.layer, "kind": want.kind, "point": point, "dense": dense, "shape": rows.shape}
            self._send({"rows": head}, rows.tobytes())

    def _scores(self, want: _Want, attended: Attended) -> None:
        if len(want.scored):
            counts = scored_queries(self._ids.cpu().numpy(), want.scored)
            sums = head_scores(self._ids, want.scored, want.heads, attended.weights)
            self._send({"scores": {"layer": want.layer, **counts}}, sums.astype("<f4").tobytes())

    def _report(self, layer: int) -> None:
        """Says that the layers before this one are done."""
        for done in range(self._done, layer):
            self._send({"layer_done": done})
        self._done = max(self._done, layer)

    def finish(self, watch: AttentionWatch) -> None:
        if self._left:
            raise InputError("", "", "", watch.unseen(min(self._left)))
        if not self._stop:
            self._report(self._layers)


def _wants(listed: list[Mapping[str, Any]], numbers: npt.NDArray[np.int64]) -> Iterator[_Want]:
    for each in listed:
        positions, numbers = np.split(numbers, [int(each["positions"])])
        scored, numbers = np.split(numbers, [int(each.get("scored", 0))])
        heads, dense = list(each.get("heads", [])), list(each.get("dense", []))
        yield _Want(int(each["layer"]), str(each["kind"]), heads, positions, scored, dense)


def _require_keys(attended: Attended) -> None:
    if attended.cached:
        name, tokens = type(attended.module).__name__, attended.query.shape[2]
        found = f"{attended.cached + tokens} keys for {tokens} tokens in {name}"
        raise InputError("", f"layer {attended.layer}", "a key for each token", found)


def _takes(module: Any, name: str) -> bool:
    return name in inspect.signature(module.forward).parameters


def _no_cache(module: Any) -> dict[str, Any]:
    parameters = inspect.signature(module.forward).parameters
    some = any(each.kind is inspect.Parameter.VAR_KEYWORD for each in parameters.values())
    return {"use_cache": False} if some or "use_cache" in parameters else {}


def _sentence(error: BaseException) -> str:
    return " ".join(str(error).split()) or type(error).__name__


# ---- facts


class _WithoutNumbers(TorchFunctionMode):
    """Answers conditions on tensors that have no numbers (device meta): masks are as for one whole text."""

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        if func is torch.Tensor.__bool__ and args[0].is_meta:
            return True
        return func(*args, **(kwargs or {}))


def _watched(model: Any, body: Any) -> AttentionWatch:
    """What a pass of a few tokens shows."""
    watch = AttentionWatch(model, _require_keys)
    watch.tokens = (1, TRIAL_TOKENS)
    with watch:
        body(input_ids=torch.arange(1, TRIAL_TOKENS + 1, device=model.device)[None], **_no_cache(body))
    return watch


def _layer_facts(watch: AttentionWatch, layer: int) -> dict[str, Any]:
    facts = watch.layers.get(layer)
    if facts is None:
        modules = [module for number, module in decoder_layers(watch.model, watch.config) if number == layer]
        crossing = any(crosses(each) for module in modules for each in module.modules())
        return {"attention": "cross" if crossing else "linear", "window": 0, "rope": False}
    return {
        "attention": facts.attention, "window": facts.window, "rope": facts.rope, "query_scale": facts.query_scale,
        "key_heads": facts.key_heads, "head_dim": facts.head_dim, "learned_sinks": facts.sinks,
        "query_heads": facts.query_heads, "score_scale": facts.scale,
    }  # fmt: skip


def _context(config: Any) -> int:
    names = ("max_position_embeddings", "max_seq_len", "max_sequence_length", "seq_length", "max_target_positions")
    return next((value for name in names if isinstance(value := getattr(config, name, None), int) and value > 0), 0)


def _devices() -> Iterator[dict[str, Any]]:
    yield {"name": "cpu"}
    for number in range(torch.cuda.device_count()):
        yield {"name": f"cuda:{number}", "free": torch.cuda.mem_get_info(number)[0]}
    if torch.backends.mps.is_available():
        yield {"name": "mps"}


# ---- frames


def _kind_of(error: BaseException) -> str:
    if isinstance(error, PlastiscopeError):
        return KINDS.get(error.code, "internal")
    short = isinstance(error, (MemoryError, torch.OutOfMemoryError)) or "allocate memory" in str(error)
    return "resources" if short else "internal"


def serve(source: BinaryIO, target: BinaryIO) -> None:
    """Answers the requests of a stream until it ends."""

    def send(head: Mapping[str, Any], data: bytes = b"") -> None:
        target.write(json.dumps({**head, "bytes": len(data)} if data else head).encode() + b"\n" + data)
        target.flush()

    engine = Engine(send)
    while line := source.readline():
        request = json.loads(line)
        payload = source.read(int(request.get("bytes", 0)))
        try:
            engine.serve(request, payload)
        except Exception as error:
            if not isinstance(error, PlastiscopeError):
                traceback.print_exc()
            named = "" if isinstance(error, PlastiscopeError) else f"{type(error).__name__}: "
            send({"error": {"kind": _kind_of(error), "message": named + _sentence(error)}})


def main() -> None:
    target = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    messages: Any = transformers.logging
    messages.set_verbosity_error()
    messages.disable_progress_bar()
    serve(sys.stdin.buffer, target)


if __name__ == "__main__":
    main()
