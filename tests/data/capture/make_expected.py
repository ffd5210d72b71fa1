"""Expected head choices and sampled positions, made without this project's code.

Heads: Python's own random.Random. Masks: torch's CPU generator, as the author's tool draws them.
Run: python make_expected.py > expected.json      (made with Python 3.11, torch 2.13.0, numpy 2.x)
"""
import hashlib
import json
import math
import random

import numpy as np
import torch

MASK = (1 << 64) - 1


def mix64(v):
    v ^= v >> 30
    v = v * 0xBF58476D1CE4E5B9 & MASK
    v ^= v >> 27
    v = v * 0x94D049BB133111EB & MASK
    return v ^ v >> 31


def combine(s, v):
    s = (s ^ v) * 0x9E3779B97F4A7C15 & MASK
    return s ^ s >> 32


def text_id(text):
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "little", signed=True)


def seed_of(example, layer, kind, user=None):
    seed = 0x243F6A8885A308D3
    for value in (example & MASK, layer, ord(kind)):
        seed = combine(seed, mix64(value))
    return seed if user is None else combine(seed, mix64(user))


def uniforms(seed, count):
    generator = torch.Generator()
    generator.manual_seed(seed & 0xFFFFFFFF)
    return torch.rand(count, generator=generator, dtype=torch.float32).numpy()


def uniform(seed, length, bucket, rate):
    p = np.float32(min(1.0, rate / bucket))
    kept = np.nonzero(uniforms(seed, length) < p)[0]
    return kept, kept // bucket


def log_uniform(seed, length, bucket, rate):
    first = math.ceil(math.log2(bucket)) if bucket > 1 else 0
    buckets = np.maximum(first, np.floor(np.log2(np.arange(length, dtype=np.float64) + 1)).astype(int))
    p = np.minimum(1.0, rate / 2.0 ** buckets).astype(np.float32)
    kept = np.nonzero(uniforms(seed, length) < p)[0]
    return kept, buckets[kept]


def take_all(seed, length, bucket, rate):
    kept = np.arange(length)
    return kept, kept // bucket


def exact_per_bucket(seed, length, bucket, rate):
    u = uniforms(seed, length)
    m = max(1, math.floor(rate + 0.5))
    kept = []
    for start in range(0, length, bucket):
        inside = range(start, min(length, start + bucket))
        kept += sorted(sorted(inside, key=lambda t: (u[t], t))[:m])
    kept = np.array(kept)
    return kept, kept // bucket


SAMPLERS = {"uniform": uniform, "log_uniform": log_uniform, "all": take_all, "exact_per_bucket": exact_per_bucket}


def samples():
    cases = [
        ("uniform", 0, 0, "q", None, 131072, 8192, 1),
        ("uniform", 0, 0, "k", None, 131072, 8192, 1),
        ("uniform", text_id("abc"), 5, "q", None, 131072, 8192, 1),
        ("uniform", text_id("Grüße, 世界"), 35, "k", None, 40000, 2048, 2.5),
        ("uniform", -5, 2, "k", 12345678901234567890, 5000, 300, 3),
        ("uniform", 7, 3, "k", 0, 1000, 1, 1),
        ("log_uniform", 0, 0, "q", None, 8192, 128, 1),
        ("log_uniform", 9, 1, "k", None, 3000, 100, 4),
        ("log_uniform", 9, 1, "q", None, 50, 1, 1),
        ("all", 3, 0, "q", None, 20, 8, 1),
        ("exact_per_bucket", 123456789, 35, "q", None, 4000, 256, 1),
        ("exact_per_bucket", 123456789, 35, "k", 17, 1000, 90, 2.5),
        ("exact_per_bucket", 4, 0, "k", None, 50, 4, 9),
    ]
    for sampler, example, layer, kind, user, length, bucket, rate in cases:
        seed = seed_of(example, layer, kind, user)
        positions, buckets = SAMPLERS[sampler](seed, length, bucket, rate)
        yield dict(sampler=sampler, example=example, layer=layer, kind=kind, sample_seed=user, length=length,
                   bucket_size=bucket, rate=rate, seed=seed, positions=positions.tolist(), buckets=buckets.tolist())


# (name, layers, query heads, key heads, cross-attention layers, layers without RoPE): the models of the thesis.
MODELS = [
    ("ministral3-3b", 26, 32, 8), ("ministral3-8b", 34, 32, 8), ("ministral3-14b", 40, 32, 8),
    ("qwen3-0.6b", 28, 16, 8), ("qwen3-4b", 36, 32, 8), ("qwen3-14b", 40, 40, 8),
    ("llama3.2-1b", 16, 32, 8), ("llama3.2-3b", 28, 24, 8), ("llama3.2-11b", 40, 32, 8),
    ("llama3.1-8b", 32, 32, 8), ("smollm3-3b", 36, 16, 4),
]
CROSS = {"llama3.2-11b": [3, 8, 13, 18, 23, 28, 33, 38]}


def heads():
    for name, layers, query, key in MODELS:
        chosen = sorted(random.Random(0).sample(range(layers * query), 300))
        picks = [(i // query, i % query) for i in chosen]
        picks = [p for p in picks if p[0] not in CROSS.get(name, [])]
        yield dict(model=name, layers=layers, query_heads=query, key_heads=key, cross=CROSS.get(name, []),
                   chosen=[list(p) for p in picks],
                   distinct_key_heads=len({(l, h // (query // key)) for l, h in picks}),
                   layers_hit=len({l for l, _ in picks}),
                   in_nope_layers=sum(l % 4 == 3 for l, _ in picks))


def draws():
    for seed, n, count in [(0, 448, 300), (0, 512, 300), (0, 576, 300), (0, 672, 300), (0, 832, 300), (0, 1024, 300),
                           (0, 1088, 300), (0, 1152, 300), (0, 1280, 300), (0, 1600, 300), (1, 30, 5), (2, 21, 5),
                           (3, 22, 5), (4, 10, 10), (5, 1, 1), (6, 5000, 6), (2**32 + 5, 100, 20), (2**64 - 1, 64, 3),
                           (7, 85, 21), (7, 86, 21)]:
        yield dict(seed=seed, n=n, count=count, sample=random.Random(seed).sample(range(n), count))


text = json.dumps({
    "uniforms": [dict(example=e, layer=l, kind=k, seed=seed_of(e, l, k),
                      first=[float(u) for u in uniforms(seed_of(e, l, k), 4)])
                 for e, l, k in [(0, 0, "q"), (0, 0, "k"), (7, 3, "k"), (123456789, 35, "q"), (-5, 2, "k"),
                                 (text_id("abc"), 5, "q")]],
    "text_ids": {t: text_id(t) for t in ["abc", "", "17", "Grüße, 世界"]},
    "samples": list(samples()),
    "heads": list(heads()),
    "draws": list(draws()),
}, ensure_ascii=False, separators=(",", ":"))
print(text.replace('{"', '\n{"'))
