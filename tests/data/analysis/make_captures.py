"""Small randomised captures and what reference.py finds in them. Made with Python 3.11, NumPy, SciPy and h5py; the versions
that made the committed files are in versions.json. Run in this folder: python make_captures.py [RUN ...]
"""
import csv
import json
import os
import platform
import sys

import h5py
import numpy as np
import scipy

import reference

HERE = os.path.dirname(os.path.abspath(__file__))


def rows_of(rng, L, lengths, share, ties=False):
    position, example = [], []
    for e, length in enumerate(lengths):
        keep = np.flatnonzero(rng.random(length) < share)
        position += keep.tolist()
        example += [e] * len(keep)
    return np.array(position, np.int32), np.array(example, np.int32)


def write_capture(path, rng, L, B, layers, query_heads, key_heads, d, lengths, share, dtype, oddities=(),
                  sampler="uniform", windows=()):
    text = h5py.string_dtype("utf-8")
    with h5py.File(path, "w", track_order=False) as f:
        f.attrs.update(format="plastiscope-capture", format_version=np.int64(1), program_version="reference",
                       created="2026-01-01T00:00:00Z", settings="{}", settings_hash="0" * 64)
        f.create_group("model").attrs.update(
            name="random", architecture="llama", source="random", fingerprint="0" * 64, layers=np.int64(layers),
            query_heads=np.int64(query_heads), key_heads=np.int64(key_heads), head_dim=np.int64(d), rope="{}",
            context_length=np.int64(L), config="{}")
        f.create_group("capture").attrs.update(
            window=np.int64(L), sampler=sampler, bucket_size=np.int64(B), rate=float(share * B), head_seed=np.int64(0),
            point="post-rope", compute_dtype="float32", device="cpu", score_scale=float(d) ** -0.5)
        n = len(lengths)
        f.create_dataset("examples/id", data=[str(i) for i in range(n)], dtype=text)
        f.create_dataset("examples/seed_id", data=np.arange(n, dtype=np.int64))
        f.create_dataset("examples/tokens", data=np.array(lengths, np.int32))
        f.create_dataset("examples/sha256", data=["0" * 64] * n, dtype=text)
        for layer in range(layers):
            g = f.create_group(f"layers/{layer:02d}")
            window = windows[layer] if windows else 0
            g.attrs.update(attention="sliding" if window else "full", window=np.int64(window), rope=np.uint8(layer % 2 == 0), query_scale=np.uint8(0))
            for kind, heads in (("query", query_heads), ("key", key_heads)):
                t, e = rows_of(rng, L, lengths, share)
                if "constant_positions" in oddities and layer == 0 and kind == "query":
                    keep = np.flatnonzero(np.diff(e, prepend=-1))
                    t, e = np.full(len(keep), 7, np.int32), e[keep]
                if "gap" in oddities and kind == "query":
                    keep = (t < L // 3) | (t > L // 2)
                    t, e = t[keep], e[keep]
                g.create_dataset(f"{kind}/position", data=t)
                g.create_dataset(f"{kind}/example", data=e)
                g.create_dataset(f"{kind}/bucket", data=(t // B).astype(np.int32))
                for h in range(heads):
                    drift = rng.normal(size=d) * (1.5 if kind == "key" else 1.0)
                    mean = rng.normal(size=d) * 2
                    spread = np.exp(rng.normal(size=d) * 0.6)
                    x = mean + drift * (t / L)[:, None] + rng.normal(size=(len(t), d)) * spread
                    if "ties" in oddities and kind == "key":
                        x[1::3] = x[0]
                    if "tiny" in oddities and h == 0:
                        x[:, -1] = 3.0 + rng.normal(size=len(t)) * 1e-7
                    if "dead" in oddities and h == 0 and kind == "query":
                        x[:] = 0.25
                    if "flat" in oddities and h == 0:
                        x[:, 0] = 0.25
                    g.create_dataset(f"{kind}/vectors/{h:02d}", data=x.astype(dtype))


CAPTURES = {
    "grouped": dict(L=4096, B=256, layers=2, query_heads=4, key_heads=2, d=8, lengths=[4096, 4096, 3000, 2500, 1200],
                    share=0.02, dtype=np.float32),
    "odd": dict(L=1000, B=62, layers=2, query_heads=3, key_heads=1, d=5, lengths=[1000, 700, 350], share=0.12,
                dtype=np.float16, oddities=("gap", "ties")),
    "single": dict(L=777, B=48, layers=1, query_heads=2, key_heads=2, d=2, lengths=[777], share=0.2, dtype=np.float32,
                   oddities=("flat",)),
    "still": dict(L=512, B=32, layers=2, query_heads=1, key_heads=1, d=4, lengths=[512, 512, 400], share=0.15,
                  dtype=np.float32, oddities=("constant_positions", "tiny")),
    "mixed": dict(L=1500, B=100, layers=2, query_heads=5, key_heads=1, d=6, lengths=[1500, 1400, 900], share=0.05,
                  dtype=np.float16, oddities=("ties",), windows=(0, 400)),
    "logs": dict(L=1000, B=12, layers=1, query_heads=2, key_heads=1, d=4, lengths=[1000] * 4, share=0.08,
                 dtype=np.float32, oddities=("dead",), sampler="log_uniform"),
    "small": dict(L=600, B=50, layers=2, query_heads=4, key_heads=2, d=5, lengths=[600, 600, 500, 400, 550, 300], share=0.06,
                  dtype=np.float32, oddities=("gap",), windows=(0, 200)),
}
LOW = dict(min_queries=2, min_pairs=1)
RUNS = {
    "grouped": {"all": dict(pairs="all", **LOW), "sampled": dict(pairs=40, seed=3, **LOW),
                "author": dict(pairs=16, pca_sign="query", taxonomy="notes", b_axis="eigenvector", **LOW),
                "defaults": {}},
    "odd": {"all": dict(pairs="all", **LOW), "mean": dict(pairs="all", tau="mean", weights="equal", bins=11, **LOW),
            "buckets": dict(pairs=20, bins="buckets", map_cell=100, length_edges=[0, 100, 500, 900, 2000], **LOW)},
    "single": {"all": dict(pairs="all", bins=9, components=1, **LOW)},
    "still": {"all": dict(pairs="all", pool_weights="equal", **LOW),
              "zero": dict(pairs="all", correlation_constant="zero", **LOW)},
    "mixed": {"full": dict(variance="full", pairs="all", max_distance=300, **LOW),
              "empirical": dict(variance="empirical", pairs=60, seed=5, **LOW),
              "global": dict(variance="global", pairs=70, **LOW),
              "cross": dict(pair_scope="cross_example", pairs=90, **LOW),
              "crossfull": dict(pair_scope="cross_example", variance="full", pairs="all", bins=5, max_distance=120, **LOW),
              "buckets": dict(pair_scope="same_bucket", weights="legacy", pairs=9, seed=2, **LOW),
              "bucketsall": dict(pair_scope="same_bucket", weights="equal", variance="empirical", pairs="all", **LOW),
              "prefix": dict(prefix="random", pairs=50, bins=6, **LOW),
              "prefixcross": dict(prefix="random", pair_scope="cross_example", pairs=12, tau="mean", bins=5, **LOW),
              "turned": dict(orientation="legacy", pairs=80, pca_rows="query", **LOW),
              "thin": dict(max_rows=150, pairs=100, pca_rows="key", min_queries=4, min_pairs=10),
              "parts": dict(pairs="all", decomposition="on", **LOW),
              "partsstart": dict(pairs=40, decomposition="on", anchor="start", **LOW)},
    "logs": {"buckets": dict(bins="buckets", pairs="all", weights_constant="uniform", **LOW),
             "cells": dict(pair_scope="same_bucket", weights="legacy", pairs=6, bins=10, orientation="legacy", **LOW)},
    "small": {"boot": dict(bootstrap=5, pairs=30, bins=8, **LOW),
              "bootall": dict(bootstrap=5, pairs="all", bins=9, seed=1, decomposition="on", max_distance=250, **LOW),
              "bootfull": dict(bootstrap=5, variance="full", pairs="all", bins=6, seed=4, min_queries=4, min_pairs=20),
              "bootempirical": dict(bootstrap=4, variance="empirical", pairs=25, bins=6, b_axis="eigenvector",
                                    pool_weights="equal", **LOW),
              "bootcross": dict(bootstrap=3, pair_scope="cross_example", pairs=40, bins=5, tau="mean", layer=0,
                                min_queries=4, min_pairs=700),
              "bootcells": dict(bootstrap=3, pair_scope="same_bucket", weights="legacy", pairs=5, bins=6,
                                variance="global", orientation="legacy", pca_sign="query", **LOW),
              "jack": dict(estimate="jackknife", interval="jackknife", pairs=30, bins=8, **LOW),
              "jackgroups": dict(interval="jackknife", jackknife_groups=4, variance="full", pairs="all", bins=6,
                                 min_queries=4, min_pairs=20),
              "jackcross": dict(estimate="jackknife", jackknife_groups=3, variance="empirical", pairs=25, bins=5,
                                pair_scope="cross_example", tau="mean", layer=0, b_axis="eigenvector", **LOW),
              "bootprefix": dict(bootstrap=3, prefix="random", pairs=20, bins=6, max_rows=120, **LOW)},
}
# Runs whose other tables would say the same as those of a run above.
FEW = {"mixed": ("heads", "profile", "decomposition"), "logs": ("heads", "profile", "component_weights"),
       "small": ("heads", "profile", "layers", "model")}
WHOLE = ("mixed-cross", "mixed-turned", "small-jack")


def text_of(value):
    if isinstance(value, float) or isinstance(value, np.floating):
        return "" if np.isnan(value) else repr(float(value))
    return str(value)


def write_table(folder, table, rows):
    with open(os.path.join(folder, f"{table}.csv"), "w", newline="") as f:
        writer = csv.writer(f, lineterminator="\n")
        writer.writerow(rows[0].keys())
        writer.writerows([text_of(v) for v in row.values()] for row in rows)


def main(only):
    for number, (name, facts) in enumerate(CAPTURES.items()):
        path = os.path.join(HERE, f"{name}.h5")
        if only and not any(run.startswith(name + "-") for run in only):
            continue
        write_capture(path, np.random.default_rng(100 + number), **facts)
        capture = reference.read_capture(path)
        for run, settings in RUNS[name].items():
            if only and f"{name}-{run}" not in only:
                continue
            folder = os.path.join(HERE, f"{name}-{run}")
            os.makedirs(folder, exist_ok=True)
            with open(os.path.join(folder, "settings.json"), "w") as f:
                given = {("layers" if key == "layer" else key): value for key, value in settings.items()}
                json.dump({"capture": f"{name}.h5", "settings": given}, f)
            for table, rows in reference.analyze(capture, **settings).items():
                if not rows or table not in FEW.get(name, (table,)) and f"{name}-{run}" not in WHOLE:
                    continue
                write_table(folder, table, rows)
    with open(os.path.join(HERE, "versions.json"), "w") as f:
        json.dump({"python": platform.python_version(), "numpy": np.__version__, "scipy": scipy.__version__,
                   "h5py": h5py.__version__}, f)


if __name__ == "__main__":
    main(sys.argv[1:])
