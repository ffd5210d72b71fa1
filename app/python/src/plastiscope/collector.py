"""Collects sampled rows of texts from any source and writes them as a capture."""

from __future__ import annotations

import functools
import os
import re
import warnings
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from .capture_format import CaptureContent, Example, LayerContent, RowSet, write_capture
from .errors import InputError, PlastiscopeWarning, UsageError
from .files import CAPTURE, attribute, open_file
from .heads import Head, heads_text
from .sampler import SAMPLERS, SampledRows, sample_positions, sample_seed, seed_id
from .study import Study
from .study import open as open_study

POINTS = ("post-rope", "pre-rope", "both")
STORES = ("float16", "float32")


@dataclass(frozen=True)
class Plan:
    """Options of ``plastiscope-cli capture`` that determine the kept rows, named as its settings."""

    window: int
    heads: str
    sampler: str
    bucket_size: int
    rate: float
    sample_seed: int | None
    head_seed: int
    all_layers: bool
    point: str
    paired: bool
    store: str

    @classmethod
    def of(
        cls, *, window: int, heads: int | str | Iterable[Head | str] = 300, sampler: str = "uniform",
        bucket_size: int | None = None, rate: float = 1.0, sample_seed: int | None = None, head_seed: int = 0,
        all_layers: bool = False, point: str = "post-rope", paired: bool = False, store: str = "float16",
    ) -> Plan:  # fmt: skip
        if window < 1:
            raise UsageError(f"window: expected at least 1 token, found {window}")
        for name, value, words in (("sampler", sampler, SAMPLERS), ("point", point, POINTS), ("store", store, STORES)):
            if value not in words:
                raise UsageError(f"{name}: expected {', '.join(words)}, found {value!r}")
        if not np.isfinite(rate) or rate <= 0:
            raise UsageError(f"rate: expected a number above 0, found {rate}")
        if not isinstance(heads, (int, str)):
            heads = heads_text(heads)
        bucket_size = bucket_size or max(1, window // 16)
        return cls(window, str(heads), sampler, bucket_size, float(rate), sample_seed, head_seed, all_layers, point,
                   paired, store)  # fmt: skip


@dataclass(frozen=True)
class Text:
    """One text of the capture."""

    number: int
    seed: int
    tokens: int  # cut to the window


@dataclass
class _Layer:
    index: dict[str, list[npt.NDArray[np.int32]]] = field(default_factory=dict)  # by set: [3, rows] per text
    vectors: dict[tuple[str, int], list[npt.NDArray[np.float32]]] = field(default_factory=dict)  # by set and head


@dataclass
class Source:
    """Description of the model: the attributes of /model and /layers/NN under their names in the file."""

    model: Mapping[str, Any]
    compute_dtype: str
    device: str
    score_scale: float
    layers: Mapping[int, Mapping[str, Any]]


class Collector:
    """``ids``: ids of the texts in order; None: numbers from 0."""

    def __init__(self, plan: Plan, ids: Iterable[int | str] | None, who: str) -> None:
        self.plan, self._who = plan, who
        self._ids = iter(ids) if ids is not None else None
        self._examples: list[Example] = []
        self._layers: dict[int, _Layer] = {}

    def text(self, tokens: npt.NDArray[Any]) -> Text:
        """Adds the next text, given all of its tokens before the cut to the window."""
        name: int | str = len(self._examples)
        if self._ids is not None:
            try:
                name = next(self._ids)
            except StopIteration:
                found = f"{len(self._examples)} for more"
                raise UsageError(f"{self._who}: expected an id for each text, found {found}") from None
        cut = tokens[: self.plan.window].astype(np.int32)
        self._examples.append(Example(str(name), seed_id(name), cut))
        return Text(len(self._examples) - 1, seed_id(name), len(cut))

    def rows(self, layer: int, name: str, text: Text) -> SampledRows:
        """Positions of a text kept in a set ("query", "key", "query_pre_rope", "key_pre_rope")."""
        plan = self.plan
        masked = "query" if plan.paired else name.split("_")[0]
        seed = sample_seed(text.seed, layer, masked, plan.sample_seed)
        return sample_positions(plan.sampler, seed, text.tokens, plan.bucket_size, plan.rate)

    def add(
        self, layer: int, name: str, text: Text, rows: SampledRows, vectors: Mapping[int, npt.NDArray[np.float32]]
    ) -> None:
        """Adds the vectors of these rows, by head."""
        content = self._layers.setdefault(layer, _Layer())
        example = np.full(len(rows.positions), text.number, dtype=np.int32)
        content.index.setdefault(name, []).append(np.stack([rows.positions, example, rows.buckets]))
        for head, matrix in vectors.items():
            content.vectors.setdefault((name, head), []).append(matrix)

    def _sets(self, layer: int) -> dict[str, RowSet]:
        content, sets = self._layers[layer], {}
        for name, parts in content.index.items():
            vectors = {head: np.concatenate(rows) for (of, head), rows in content.vectors.items() if of == name}
            position, example, bucket = np.concatenate(parts, axis=1)
            sets[name] = RowSet(position, example, bucket, vectors)
        return sets

    def require_texts(self) -> None:
        if not self._examples:
            raise UsageError(f"{self._who}: expected at least one text, found none")

    def write(self, file: Path, source: Source, tokenizer: Any = None) -> Study:
        """Writes the capture and opens it."""
        from . import __version__

        self.require_texts()
        plan = self.plan
        settings = {
            **asdict(plan), "author_parity": True, "device": source.device, "dtype": source.compute_dtype,
            "model": source.model["name"], "model_fingerprint": source.model["fingerprint"], "rope_override": None,
        }  # fmt: skip
        capture = {
            "window": plan.window, "sampler": plan.sampler, "bucket_size": plan.bucket_size, "rate": plan.rate,
            "head_seed": plan.head_seed, "point": plan.point, "compute_dtype": source.compute_dtype,
            "device": source.device, "score_scale": source.score_scale,
        }  # fmt: skip
        pieces = None
        if tokenizer is not None:
            used = np.unique(np.concatenate([each.tokens for each in self._examples])).tolist()
            pieces = {token: token_bytes(tokenizer, token) for token in used}
        content = CaptureContent(
            f"plastiscope for Python {__version__}", settings, source.model, capture, self._examples,
            {layer: LayerContent(attributes, self._sets(layer)) for layer, attributes in source.layers.items()},
            plan.store == "float16", pieces,
        )  # fmt: skip
        for sentence in write_capture(content, file):
            warnings.warn(sentence, PlastiscopeWarning, stacklevel=3)
        return open_study(file)


def require_no_padding(who: str, tokens: npt.NDArray[Any], owners: Iterable[Any], remedy: str) -> None:
    """UsageError if tokens [texts, tokens] without a mask may be padded. ``owners``: configurations and tokenizers."""
    named = [[getattr(owner, f"{kind}_token_id", None) for owner in owners] for kind in ("pad", "bos", "eos")]
    pad = next((each for each in named[0] if isinstance(each, int)), None)
    ends = {int(each) for found in named[1:] for ids in found if ids is not None for each in np.atleast_1d(ids)}
    least = 2 if pad in ends or len(tokens) == 1 else 1  # a single one may belong to the text
    for row, ids in enumerate(tokens):
        text = np.flatnonzero(ids != pad)
        before, after = (int(text[0]), len(ids) - 1 - int(text[-1])) if len(text) else (len(ids), 0)
        if pad is not None and max(before, after) >= least:
            where = f"begins with {before}" if before >= least else f"ends with {after}"
            raise UsageError(f"{who}: row {row} {where} padding tokens (id {pad}), but no mask marks them: {remedy}")


def output_file(out: str | os.PathLike[str], fresh: bool) -> Path:
    """Path of a new capture: not in use, or that of a capture that may be replaced."""
    file = Path(out)
    if file.exists() and not fresh:
        raise InputError(file, "", "a new file (fresh=True replaces a capture)", "an existing one")
    if file.exists():
        with open_file(file) as root:
            if attribute(root, "format") != CAPTURE:
                raise InputError(file, "", "a capture to replace", "an analysis")
    if not file.absolute().parent.is_dir():
        raise InputError(file.parent, "", "a folder", "none")
    return file


# ---- bytes of the tokens of a transformers tokenizer

_BYTE = re.compile(r"<0x([0-9A-F]{2})>")


@functools.lru_cache(maxsize=1)
def _spelled_bytes() -> dict[str, int]:
    """Characters for bytes in byte-level tokenizers: printable ones as themselves, others from U+0100 on."""
    printable = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    others = [byte for byte in range(256) if byte not in printable]
    return {chr(byte): byte for byte in printable} | {chr(0x100 + i): byte for i, byte in enumerate(others)}


def token_bytes(tokenizer: Any, token: int) -> bytes:
    """Bytes of a token; empty for an id beyond the vocabulary."""
    spelled = tokenizer.convert_ids_to_tokens(int(token))
    if spelled is None:
        return b""
    if isinstance(spelled, bytes):
        return spelled
    if spelled in getattr(tokenizer, "added_tokens_encoder", {}):
        return str(spelled).encode()
    if match := _BYTE.fullmatch(spelled):
        return bytes([int(match[1], 16)])
    backend = getattr(tokenizer, "backend_tokenizer", None)
    if backend is not None and "ByteLevel" in str(backend.decoder):
        table = _spelled_bytes()
        if all(char in table for char in spelled):
            return bytes(table[char] for char in spelled)
    return str(spelled).replace("\u2581", " ").encode()
