"""The axes of a head as unit vectors and every row's place on them: the tables axes and projections (method.md)."""
import numpy as np

import reference
from reference_statistics import NAN


def pool(q, k, s):
    """Rows, positions and weights of queries and keys together."""
    nq, nk = len(q["t"]), len(k["t"])
    w = np.full(nq + nk, 1 / (nq + nk))
    if s["pool_weights"] == "equal":
        w = np.concatenate([np.full(nq, 0.5 / nq), np.full(nk, 0.5 / nk)])
    return np.vstack([q["x"], k["x"]]), np.concatenate([q["t"], k["t"]]) + 0.0, w


def plane(q, k, s):
    """a and b; None for an axis that the head lacks."""
    x, t, w = pool(q, k, s)
    xc, tc = x - w @ x, t - w @ t
    c = (w * tc) @ xc
    if np.linalg.norm(c) <= 1e-12 * np.sqrt((w @ tc ** 2) * (w @ np.sum(xc ** 2, 1))):
        return None, None
    a, gap = c / np.linalg.norm(c), q["x"].mean(0) - k["x"].mean(0)
    beside = np.eye(len(a)) - np.outer(a, a)
    if s["b_axis"] == "centroid":
        b = beside @ gap
        return a, None if np.linalg.norm(b) <= 1e-12 * np.linalg.norm(gap) else b / np.linalg.norm(b)
    # Mean square of the differences of all pairs of a query and a key, one by one.
    difference = (q["x"][:, None, :] - k["x"][None, :, :]).reshape(-1, x.shape[1]) @ beside
    b = np.linalg.svd(difference, full_matrices=False)[2][0]
    return a, b * np.sign(b @ gap)


def components(q, k, s):
    """Unit vectors by the sign rule, [d, components], and the mean of the rows that they are made from."""
    rows = {"both": np.vstack([q["x"], k["x"]]), "query": q["x"], "key": k["x"]}[s["pca_rows"]]
    mean = rows.mean(0)
    left = np.linalg.svd((rows - mean).T, full_matrices=False)
    count = min(s["components"], *rows.shape)
    out = []
    for j in range(count):
        v = left[0][:, j]
        known = left[1][j] ** 2 > 1e-12 * np.sum(left[1] ** 2)
        r_q, r_k = ((reference.pearson(rows["x"] @ v, rows["t"] + 0.0) if known else NAN) for rows in (q, k))
        out.append(v * reference.orient(v, r_q, r_k, s["pca_sign"]))
    return np.array(out).T, mean


def axes(head, s):
    a, b = plane(head["query"], head["key"], s)
    vectors, _ = components(head["query"], head["key"], s)
    named = [("a", a), ("b", b)] + [(f"pc{j}", v) for j, v in enumerate(vectors.T)]
    return [dict(layer=head["layer"], head=head["head"], axis=name, dimension=c, value=float(value))
            for name, vector in named if vector is not None for c, value in enumerate(vector)]


def dimensions(text):
    out = []
    for part in text.split(",") if text != "none" else ():
        first, _, last = part.partition("-")
        out += range(int(first), int(last or first) + 1)
    return out


def projections(head, s):
    """a and b as they are, components around their mean."""
    a, b = plane(head["query"], head["key"], s)
    vectors, mean = components(head["query"], head["key"], s)
    table = []
    for kind in ("query", "key"):
        rows = head[kind]
        for x, t, e in zip(rows["x"], rows["t"], rows["e"]):
            line = dict(layer=head["layer"], head=head["head"], kind=kind, example=int(e), position=int(t),
                        a=NAN if a is None else float(x @ a), b=NAN if b is None else float(x @ b),
                        pc0=float((x - mean) @ vectors[:, 0]), pc1=float((x - mean) @ vectors[:, 1]))
            line.update({f"x{c}": float(x[c]) for c in dimensions(s.get("vector_dimensions", "none"))})
            table.append(line)
    return table
