"""Two tiny captures of the same rows, the second with vectors a little changed, a third with another row, and what NumPy
finds between them: the expected values of tests/compare/test_drift.cpp. Made with Python 3.11; versions are in
drift.json. Run in this folder: python make_drift.py
"""
import json
import os

import h5py
import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
D, L = 6, 128


def write(name, layers):
    text = h5py.string_dtype("utf-8")
    with h5py.File(os.path.join(HERE, name), "w") as f:
        f.attrs.update(format="plastiscope-capture", format_version=np.int64(1), program_version="reference",
                       created="2026-01-01T00:00:00Z", settings="{}", settings_hash="0" * 64)
        f.create_group("model").attrs.update(
            name="random", architecture="llama", source="random", fingerprint="0" * 64, layers=np.int64(2),
            query_heads=np.int64(2), key_heads=np.int64(1), head_dim=np.int64(D), rope="{}", context_length=np.int64(L),
            config="{}")
        f.create_group("capture").attrs.update(
            window=np.int64(L), sampler="uniform", bucket_size=np.int64(8), rate=1.0, head_seed=np.int64(0),
            point="post-rope", compute_dtype="float32", device="cpu", score_scale=D ** -0.5)
        f.create_dataset("examples/id", data=["0", "1"], dtype=text)
        f.create_dataset("examples/seed_id", data=np.arange(2, dtype=np.int64))
        f.create_dataset("examples/tokens", data=np.array([L, L], np.int32))
        f.create_dataset("examples/sha256", data=["0" * 64] * 2, dtype=text)
        for layer, kinds in layers.items():
            g = f.create_group(f"layers/{layer:02d}")
            g.attrs.update(attention="full", window=np.int64(0), rope=np.uint8(1), query_scale=np.uint8(0))
            for kind, (t, e, heads) in kinds.items():
                g.create_dataset(f"{kind}/position", data=t)
                g.create_dataset(f"{kind}/example", data=e)
                g.create_dataset(f"{kind}/bucket", data=(t // 8).astype(np.int32))
                for h, x in heads.items():
                    g.create_dataset(f"{kind}/vectors/{h:02d}", data=x)


def random_capture(rng):
    layers = {}
    for layer in range(2):
        layers[layer] = {}
        for kind, heads in (("query", 2), ("key", 1)):
            t = np.sort(rng.choice(L, size=20, replace=False)).astype(np.int32)
            e = np.repeat([0, 1], 10).astype(np.int32)
            t = np.concatenate([np.sort(t[:10]), np.sort(t[10:])])
            layers[layer][kind] = (t, e, {h: rng.normal(size=(20, D)).astype(np.float32) for h in range(heads)})
    return layers


def drift(a, b):
    a, b = a.astype(float), b.astype(float)
    na, nb = np.linalg.norm(a, axis=1), np.linalg.norm(b, axis=1)
    ok = np.isfinite(b).all(axis=1) & (na > 0) & (nb > 0)
    a, b, na, nb = a[ok], b[ok], na[ok], nb[ok]
    angle = np.degrees(np.arccos(np.clip((a * b).sum(axis=1) / (na * nb), -1, 1)))
    change = np.abs(nb - na) / na
    error = np.linalg.norm(b - a, axis=1) / na
    return dict(rows=int(ok.sum()), skipped=int((~ok).sum()), mean_angle=angle.mean(), largest_angle=angle.max(),
                mean_norm_change=change.mean(), largest_norm_change=change.max(),
                relative_rms=np.sqrt(((b - a) ** 2).sum() / (a ** 2).sum()),
                median_relative_error=np.median(error), largest_relative_error=error.max())


def over_texts(mine, theirs, text):
    """95 % of the measures of a layer by leaving out each of two texts: squares about the value of both, t of one degree."""
    out, whole = {}, drift(mine, theirs)
    for name in ("mean_angle", "mean_norm_change", "relative_rms"):
        apart = np.array([whole[name] - drift(mine[text != e], theirs[text != e])[name] for e in (0, 1)])
        half = 12.706204736174694 * np.sqrt((apart ** 2).mean())  # G / m - 1 = 1
        out[name + "_interval"] = [whole[name] - half, whole[name] + half]
    return out


if __name__ == "__main__":
    rng = np.random.default_rng(4)
    first = random_capture(rng)
    second = {layer: {kind: (t, e, {h: (x * 1.01 + rng.normal(size=x.shape) * 0.1).astype(np.float32)
                                    for h, x in heads.items()})
                      for kind, (t, e, heads) in kinds.items()} for layer, kinds in first.items()}
    second[0]["query"][2][1][3] = 0
    second[0]["query"][2][1][4, 2] = np.nan
    other = {layer: dict(kinds) for layer, kinds in second.items()}
    t, e, heads = other[1]["key"]
    moved = t.copy()
    moved[9] += 1
    other[1]["key"] = (moved, e, heads)
    write("drift_first.h5", first)
    write("drift_second.h5", second)
    write("drift_other_rows.h5", other)
    expected = {"numpy": np.__version__, "h5py": h5py.__version__, "moved": int(moved[9]), "heads": [], "layers": []}
    for layer, kinds in first.items():
        for kind in ("query", "key"):
            mine, theirs = kinds[kind][2], second[layer][kind][2]
            for h in mine:
                expected["heads"].append(dict(layer=layer, kind=kind, head=h, **drift(mine[h], theirs[h])))
            a, b = np.concatenate(list(mine.values())), np.concatenate(list(theirs.values()))
            text = np.tile(kinds[kind][1], len(mine))
            expected["layers"].append(dict(layer=layer, kind=kind, **drift(a, b), **over_texts(a, b, text)))
    with open(os.path.join(HERE, "drift.json"), "w") as f:
        json.dump(expected, f, indent=1)
        f.write("\n")
