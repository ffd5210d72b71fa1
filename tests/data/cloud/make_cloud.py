"""Rows of a small head with its axes, and what the cloud view shows of them, computed with NumPy alone.

Run: python make_cloud.py   (written with NumPy 2.4.6; writes cloud.json beside itself)
"""
import json
import pathlib

import numpy as np

rng = np.random.default_rng(20240611)
DIM, WINDOW = 6, 512


def rows(count, shift):
    position = np.sort(rng.integers(0, WINDOW, count))
    scale = np.array([3.0, 2.0, 1.5, 0.6, 0.4, 0.2])
    mix = np.linalg.qr(rng.normal(size=(DIM, DIM)))[0]
    vectors = (rng.normal(size=(count, DIM)) * scale) @ mix + shift
    vectors[:, 1] += position * 0.02
    return position, np.round(vectors, 3).astype(np.float32)


tq, q = rows(17, np.array([2.0, 0, 1, 0, 0, 0]))
tk, k = rows(13, np.array([-3.0, 0, 0, 1, 0, 0]))
x = np.concatenate([q, k]).astype(np.float64)
t = np.concatenate([tq, tk]).astype(np.float64)
mean = x.mean(axis=0)
cov = (x - mean).T @ (x - mean) / len(x)
total = np.trace(cov)

a = (x - mean).T @ (t - t.mean())
a /= np.linalg.norm(a)
gap = q.astype(np.float64).mean(axis=0) - k.astype(np.float64).mean(axis=0)
b = gap - (gap @ a) * a
b /= np.linalg.norm(b)
values, vectors = np.linalg.eigh(cov)
pcs = vectors[:, ::-1].T[:3]

# The complement by another way than the program's: a basis of the space outside a and b, and an SVD inside it.
basis = np.linalg.svd(np.stack([a, b]))[2][2:]          # [4, DIM], orthonormal, orthogonal to a and b
inside = (x - mean) @ basis.T
c1 = np.linalg.svd(inside, full_matrices=False)[2][0] @ basis
c1 *= np.sign(c1[np.argmax(np.abs(c1))])

share = lambda v: float(((x - mean) @ v).var() / total)
result = {
    "window": WINDOW,
    "query": {"position": tq.tolist(), "vectors": q.astype(float).round(3).tolist()},
    "key": {"position": tk.tolist(), "vectors": k.astype(float).round(3).tolist()},
    "directions": {"a": a.tolist(), "b": b.tolist(), "pc": pcs.tolist()},
    "expected": {
        "a": (x @ a).tolist(), "b": (x @ b).tolist(), "c1": (x @ c1).tolist(),
        "PC0": ((x - mean) @ pcs[0]).tolist(), "PC1": ((x - mean) @ pcs[1]).tolist(),
        "PC2": ((x - mean) @ pcs[2]).tolist(), "t": t.tolist(),
    },
    "shares": {"a": share(a), "b": share(b), "c1": share(c1), "PC0": share(pcs[0]), "PC1": share(pcs[1]),
               "PC2": share(pcs[2])},
}
path = pathlib.Path(__file__).with_name("cloud.json")
path.write_text(json.dumps(result, separators=(",", ":")) + "\n")
