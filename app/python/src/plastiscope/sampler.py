"""Position samplers, bit for bit equal to those of ``plastiscope-cli capture --sampler``.

The kept positions depend only on the example's id, the layer and the kind (query or key), so that a
recording of a live model has the rows that a capture of the same texts has.
"""

from __future__ import annotations

import hashlib
import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from .errors import UsageError

SAMPLERS = ("uniform", "log_uniform", "all", "exact_per_bucket")
_MASK = (1 << 64) - 1

Positions = npt.NDArray[np.int32]


class SampledRows(NamedTuple):
    positions: Positions  # ascending
    buckets: Positions


def _mix64(v: int) -> int:
    v ^= v >> 30
    v = v * 0xBF58476D1CE4E5B9 & _MASK
    v ^= v >> 27
    v = v * 0x94D049BB133111EB & _MASK
    return v ^ v >> 31


def _combine(s: int, v: int) -> int:
    s = (s ^ v) * 0x9E3779B97F4A7C15 & _MASK
    return s ^ s >> 32


def seed_id(example: int | str) -> int:
    """Number of an example: an integer id itself, else the BLAKE2b digest of the id.

    >>> seed_id(17), seed_id("abc")
    (17, 6455300059550759896)
    """
    if isinstance(example, str):
        digest = hashlib.blake2b(example.encode(), digest_size=8).digest()
        return int.from_bytes(digest, "little", signed=True)
    return int.from_bytes((example & _MASK).to_bytes(8, "little"), "little", signed=True)


def sample_seed(example: int | str, layer: int, kind: str, user_seed: int | None = None) -> int:
    """Seed of the mask of one example, layer and kind ("query" or "key").

    >>> hex(sample_seed(0, 0, "query"))
    '0x65f4a1634b12b156'
    """
    seed = 0x243F6A8885A308D3
    for value in (seed_id(example) & _MASK, layer, ord(kind[0])):
        seed = _combine(seed, _mix64(value))
    return seed if user_seed is None else _combine(seed, _mix64(user_seed & _MASK))


def token_numbers(seed: int, length: int) -> npt.NDArray[np.float32]:
    """One number in [0, 1) per token, as from torch's CPU generator."""
    words = np.random.RandomState(seed & 0xFFFFFFFF).randint(0, 1 << 32, size=length, dtype=np.uint32)
    return (words & 0xFFFFFF).astype(np.float32) * np.float32(2.0**-24)


def sample_positions(sampler: str, seed: int, length: int, bucket_size: int, rate: float = 1.0) -> SampledRows:
    """Kept positions of an example with ``length`` tokens.

    >>> sample_positions("uniform", sample_seed("abc", 5, "query"), 131072, 8192).positions[:4]
    array([6182, 6945, 7065, 9363], dtype=int32)
    """
    position = np.arange(length, dtype=np.int64)
    if sampler == "log_uniform":
        # frexp's exponent of t + 1 is floor(log2(t + 1)) + 1, exactly.
        bucket = np.maximum((bucket_size - 1).bit_length(), np.frexp((position + 1).astype(np.float64))[1] - 1)
        share = np.minimum(1.0, np.ldexp(float(rate), -bucket)).astype(np.float32)
        kept = token_numbers(seed, length) < share
    else:
        bucket = position // bucket_size
        if sampler == "uniform":
            kept = token_numbers(seed, length) < np.float32(min(1.0, rate / bucket_size))
        elif sampler == "all":
            kept = np.ones(length, dtype=bool)
        elif sampler == "exact_per_bucket":
            wanted = int(min(max(math.floor(rate + 0.5), 1), 1e9))
            order = np.lexsort((position, token_numbers(seed, length), bucket))
            rank = np.arange(length) - bucket * bucket_size  # within the bucket, because buckets are full but the last
            kept = np.zeros(length, dtype=bool)
            kept[order[rank < wanted]] = True
        else:
            raise UsageError(f"sampler {sampler} is not known; known: {' '.join(SAMPLERS)}")
    return SampledRows(position[kept].astype(np.int32), bucket[kept].astype(np.int32))
