"""Writes captures in the format of ``resources/help/capture-format.md``."""

from __future__ import annotations

import datetime
import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from .files import CAPTURE, FORMAT_VERSION, Output, canonical_json, sealed_file

HALF_MAX = 65504.0


@dataclass
class Example:
    """A text: its id, the number that seeds its masks, and its tokens, cut to the window."""

    id: str
    seed_id: int
    tokens: npt.NDArray[np.int32]

    @property
    def sha256(self) -> str:
        return hashlib.sha256(self.tokens.astype("<i4").tobytes()).hexdigest()


@dataclass
class RowSet:
    """Queries or keys of a layer, ordered by example, then position."""

    position: npt.NDArray[np.int32]
    example: npt.NDArray[np.int32]
    bucket: npt.NDArray[np.int32]
    vectors: Mapping[int, npt.NDArray[np.float32]]  # by head, [rows, head_dim]


@dataclass
class LayerContent:
    attributes: Mapping[str, Any]
    sets: Mapping[str, RowSet]  # query, key, query_pre_rope, key_pre_rope


@dataclass
class CaptureContent:
    program: str  # name and version of the writing program
    settings: Mapping[str, Any]  # without examples and examples_sha256
    model: Mapping[str, Any]
    capture: Mapping[str, Any]
    examples: Sequence[Example]
    layers: Mapping[int, LayerContent]
    half: bool = True  # float16, where the values of a head allow it
    pieces: Mapping[int, bytes] | None = field(default=None)  # bytes of the tokens that occur; None: no texts


def _digest(examples: Sequence[Example]) -> str:
    lines = [canonical_json([each.id, each.seed_id, each.sha256]) + "\n" for each in examples]
    return hashlib.sha256("".join(lines).encode()).hexdigest()


def write_capture(content: CaptureContent, file: Path) -> list[str]:
    """Writes a sealed capture. Returns warnings about heads whose values do not fit into float16."""
    examples = content.examples
    settings = {**content.settings, "examples": len(examples), "examples_sha256": _digest(examples)}
    canonical = canonical_json(settings)
    now = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    warnings: list[str] = []
    with sealed_file(file) as output:
        root = output.root["/"]
        output.set(
            root, format=CAPTURE, format_version=FORMAT_VERSION, program_version=content.program, created=now,
            settings=canonical, settings_hash=hashlib.sha256(canonical.encode()).hexdigest(),
        )  # fmt: skip
        output.set(output.group(root, "model"), **content.model)
        output.set(output.group(root, "capture"), **content.capture)
        group = output.group(root, "examples")
        output.dataset(group, "id", [each.id for each in examples])
        output.dataset(group, "seed_id", np.array([each.seed_id for each in examples], dtype=np.int64))
        output.dataset(group, "tokens", np.array([len(each.tokens) for each in examples], dtype=np.int32))
        output.dataset(group, "sha256", [each.sha256 for each in examples])
        if content.pieces is not None:
            _write_texts(output, examples, content.pieces)
        layers = output.group(root, "layers")
        for number, layer in sorted(content.layers.items()):
            group = output.group(layers, f"{number:02d}")
            output.set(group, **layer.attributes)
            for name, rows in layer.sets.items():
                place = output.group(group, name)
                for part in ("position", "example", "bucket"):
                    output.dataset(place, part, getattr(rows, part))
                vectors = output.group(place, "vectors")
                for head, matrix in sorted(rows.vectors.items()):
                    fits = bool(matrix.size == 0 or np.abs(matrix).max() <= HALF_MAX)
                    stored = matrix.astype(np.float16) if content.half and fits else matrix.astype(np.float32)
                    dataset = output.dataset(vectors, f"{head:02d}", stored)
                    if content.half and not fits:
                        dataset.attrs["float16_overflow"] = np.uint8(1)
                        what = f"layer {number}, {name} head {head}"
                        warnings.append(f"{what}: values above 65,504; the head is stored as float32")
    return warnings


def _write_texts(output: Output, examples: Sequence[Example], pieces: Mapping[int, bytes]) -> None:
    group = output.group(output.root["/"], "texts")
    tokens = np.concatenate([each.tokens for each in examples]) if examples else np.zeros(0, np.int32)
    vocabulary = np.unique(tokens)
    stored = [pieces[token] for token in vocabulary.tolist()]
    output.dataset(group, "token_ids", tokens.astype(np.int32))
    output.dataset(group, "vocabulary_ids", vocabulary.astype(np.int32))
    output.dataset(group, "vocabulary_ends", np.cumsum([len(each) for each in stored], dtype=np.int64))
    output.dataset(group, "vocabulary_bytes", np.frombuffer(b"".join(stored), dtype=np.uint8))
