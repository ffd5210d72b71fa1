"""Small randomised captures and what reference.py finds in them. Made with Python 3.11, NumPy and h5py; the versions
that made the committed files are in versions.json. Run in this folder: python make_captures.py
"""
import csv
import json
import os
import platform

import h5py
import numpy as np

import reference

HERE = os.path.dirname(os.path.abspath(__file__))


def rows_of(rng, L, lengths, share, ties=False):
    position, example = [], []
    for e, length in enumerate(lengths):
        keep = np.flatnonzero(rng.random(length) < share)
        position += keep.tolist()
        example += [e] * len(keep)
    return np.array(position, np.int32), np.array(example, np.int32)


def write_capture(path, rng, L, B, layers, query_heads, key_heads, d, lengths, share, dtype, oddities=()):
    text = h5py.string_dtype("utf-8")
    with h5py.File(path, "w", track_order=False) as f:
        f.attrs.update(format="plastiscope-capture", format_version=np.int64(1), program_version="reference",
                       created="2026-01-01T00:00:00Z", settings="{}", settings_hash="0" * 64)
        f.create_group("model").attrs.update(
            name="random", architecture="llama", source="random", fingerprint="0" * 64, layers=np.int64(layers),
            query_heads=np.int64(query_heads), key_heads=np.int64(key_heads), head_dim=np.int64(d), rope="{}",
            context_length=np.int64(L), config="{}")
        f.create_group("capture").attrs.update(
            window=np.int64(L), sampler="uniform", bucket_size=np.int64(B), rate=float(share * B), head_seed=np.int64(0),
            point="post-rope", compute_dtype="float32", device="cpu", score_scale=float(d) ** -0.5)
        n = len(lengths)
        f.create_dataset("examples/id", data=[str(i) for i in range(n)], dtype=text)
        f.create_dataset("examples/seed_id", data=np.arange(n, dtype=np.int64))
        f.create_dataset("examples/tokens", data=np.array(lengths, np.int32))
        f.create_dataset("examples/sha256", data=["0" * 64] * n, dtype=text)
        for layer in range(layers):
            g = f.create_group(f"layers/{layer:02d}")
            g.attrs.update(attention="full", window=np.int64(0), rope=np.uint8(layer % 2 == 0), query_scale=np.uint8(0))
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
}
LOW = dict(min_queries=2, min_pairs=1)
RUNS = {
    "grouped": {"all": dict(pairs="all", **LOW), "sampled": dict(pairs=40, seed=3, **LOW),
                "author": dict(pairs=16, pca_sign="query", taxonomy="notes", b_axis="eigenvector", **LOW),
                "defaults": {}},
    "odd": {"all": dict(pairs="all", **LOW), "mean": dict(pairs="all", tau="mean", weights="equal", bins=11, **LOW),
            "buckets": dict(pairs=20, bins="buckets", map_cell=100, length_edges=[0, 100, 500, 900, 2000], **LOW)},
    "single": {"all": dict(pairs="all", bins=9, components=1, **LOW)},
    "still": {"all": dict(pairs="all", pool_weights="equal", **LOW)},
}


def text_of(value):
    if isinstance(value, float) or isinstance(value, np.floating):
        return "" if np.isnan(value) else repr(float(value))
    return str(value)


def main():
    for number, (name, facts) in enumerate(CAPTURES.items()):
        path = os.path.join(HERE, f"{name}.h5")
        write_capture(path, np.random.default_rng(100 + number), **facts)
        capture = reference.read_capture(path)
        for run, settings in RUNS[name].items():
            folder = os.path.join(HERE, f"{name}-{run}")
            os.makedirs(folder, exist_ok=True)
            with open(os.path.join(folder, "settings.json"), "w") as f:
                json.dump({"capture": f"{name}.h5", "settings": settings}, f)
            for table, rows in reference.analyze(capture, **settings).items():
                if not rows:
                    continue
                with open(os.path.join(folder, f"{table}.csv"), "w", newline="") as f:
                    writer = csv.writer(f, lineterminator="\n")
                    writer.writerow(rows[0].keys())
                    writer.writerows([text_of(v) for v in row.values()] for row in rows)
    with open(os.path.join(HERE, "versions.json"), "w") as f:
        json.dump({"python": platform.python_version(), "numpy": np.__version__, "h5py": h5py.__version__}, f)


if __name__ == "__main__":
    main()
