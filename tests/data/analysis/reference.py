"""The analysis once more, independently, in plain NumPy: written from the method's definitions, not from the C++.

It reads a capture with h5py, computes the tables heads, components, profile, map, component_weights and lengths, and
returns them as lists of rows; which pairs are drawn is in reference_pairs.py, intervals are in reference_bootstrap.py.
Nothing here is fast; every line follows one formula.
"""
import math

import h5py
import numpy as np

from reference_bootstrap import add_intervals, kept_bins
from reference_pairs import Pairs, bucket_of, parts_of, value_of
from reference_statistics import NAN, pearson, plain_mean, slope


# ---------------------------------------------------------------- reading

def read_capture(path):
    heads = []
    with h5py.File(path) as f:
        model, capture = dict(f["model"].attrs), dict(f["capture"].attrs)
        group = int(model["query_heads"]) // int(model["key_heads"])
        for name in sorted(f["layers"], key=int):
            layer = f["layers"][name]
            for head in sorted(layer["query/vectors"], key=int):
                h = int(head)
                rows = {}
                for kind, hh in (("query", h), ("key", h // group)):
                    rows[kind] = dict(
                        x=layer[f"{kind}/vectors/{hh:02d}"][:].astype(np.float64),
                        t=layer[f"{kind}/position"][:].astype(np.int64),
                        e=layer[f"{kind}/example"][:].astype(np.int64))
                heads.append(dict(layer=int(name), head=h, kv_head=h // group,
                                  attention=layer.attrs["attention"], rope=bool(layer.attrs["rope"]),
                                  window=int(layer.attrs["window"]), **rows))
    with h5py.File(path) as f:
        examples = len(f["examples/id"])
    return dict(L=int(capture["window"]), B=int(capture["bucket_size"]), scale=float(capture["score_scale"]),
                log=capture["sampler"] == "log_uniform", examples=examples, heads=heads)


def first_rows(rows):
    """Of several rows for one (example, position) the first is kept."""
    seen, keep = set(), []
    for i, name in enumerate(zip(rows["e"].tolist(), rows["t"].tolist())):
        if name not in seen:
            keep.append(i)
        seen.add(name)
    return {field: values[keep] for field, values in rows.items()}


def thinned(rows, most, *key):
    if most == 0 or len(rows["t"]) <= most:
        return rows
    keep = Pairs(*key).floyd(len(rows["t"]), most)
    return {field: values[keep] for field, values in rows.items()}


def turned(q, k, cap):
    """orientation = legacy: every coordinate times the sign of the mean over buckets of the mean keys."""
    buckets = np.array([bucket_of(int(t), cap) for t in k["t"]])
    mean = np.mean([k["x"][buckets == b].mean(0) for b in np.unique(buckets)], axis=0)
    sign = np.where(mean < 0, -1.0, 1.0)
    return {**q, "x": q["x"] * sign}, {**k, "x": k["x"] * sign}


# ---------------------------------------------------------------- PCA

def taxonomy(r_q, r_k, rule, low, high):
    if math.isnan(r_q) or math.isnan(r_k):
        return "undefined"
    q, k = abs(r_q), abs(r_k)
    if q > high and k > high:
        return "position_dominated"
    if rule == "thesis":
        if q > high:
            return "q_positional"
    else:
        if q > high and k < low:
            return "q_positional"
        if q < low and k > high:
            return "k_positional"
    return "content_focused" if q < low and k < low else "mixed"


def orient(v, r_q, r_k, rule):
    def known(r):
        return not math.isnan(r) and r != 0
    if rule == "dominant":
        first, second = (r_q, r_k) if math.isnan(r_k) or (not math.isnan(r_q) and abs(r_q) >= abs(r_k)) else (r_k, r_q)
    else:
        first, second = (r_k, r_q) if math.isnan(r_q) or abs(r_q) < 0.05 else (r_q, r_k)
    for r in (first, second):
        if known(r):
            return -1.0 if r < 0 else 1.0
    return -1.0 if v[int(np.argmax(np.abs(v)))] < 0 else 1.0


def pca(q, k, s):
    x = {"both": np.vstack([q["x"], k["x"]]), "query": q["x"], "key": k["x"]}[s["pca_rows"]]
    n, d = x.shape
    count = min(s["components"], n, d)
    if len(q["t"]) < 2 or len(k["t"]) < 2:
        return None
    xc = x - x.mean(0)
    cov = xc.T @ xc / n
    trace = np.trace(cov)
    if trace <= 1e-24 * np.mean(np.sum(x * x, 1)):
        return None
    values, vectors = np.linalg.eigh(cov)
    values, vectors = values[::-1], vectors[:, ::-1]
    out = []
    for j in range(count):
        v = vectors[:, j]
        r_q = r_k = NAN
        if values[j] > 1e-12 * trace:
            none = 0.0 if s["correlation_constant"] == "zero" else NAN
            r_q, r_k = pearson(q["x"] @ v, q["t"] + 0.0, none), pearson(k["x"] @ v, k["t"] + 0.0, none)
        sign = orient(v, r_q, r_k, s["pca_sign"])
        out.append((max(values[j], 0) / trace, sign * r_q, sign * r_k))
    return out


def lin_frac(rows):
    x, t = rows["x"], rows["t"] + 0.0
    if len(t) < 2 or np.var(t) == 0:
        return NAN
    xc, tc = x - x.mean(0), t - t.mean()
    trace = np.mean(np.sum(xc * xc, 1))
    if trace <= 1e-24 * np.mean(np.sum(x * x, 1)):
        return NAN
    c = np.mean(xc * tc[:, None], 0)
    return float(c @ c / (np.var(t) * trace))


# ---------------------------------------------------------------- rotation

ROTATION = ("mu_q_a mu_k_a mu_q_b mu_k_b alpha_q alpha_k bias_strength bias_window bias_logit r_q_a r_k_a position_r "
            "slope_ratio separation_strength separation_strength_centroid separation_strength_eigenvector var_frac_a "
            "var_frac_b plane_var_fraction content_var_b axis_b_angle").split()


def rotation(q, k, s, cap):
    out = dict.fromkeys(ROTATION, NAN)
    xq, xk, tq, tk = q["x"], k["x"], q["t"] + 0.0, k["t"] + 0.0
    nq, nk, d = len(tq), len(tk), xq.shape[1] if xq.ndim == 2 else 0
    if nq < 2 or nk < 2:
        return out
    w = np.concatenate([np.full(nq, 1 / (nq + nk)), np.full(nk, 1 / (nq + nk))])
    if s["pool_weights"] == "equal":
        w = np.concatenate([np.full(nq, 0.5 / nq), np.full(nk, 0.5 / nk)])
    x, t = np.vstack([xq, xk]), np.concatenate([tq, tk])
    xbar, tbar = w @ x, w @ t
    xc, tc = x - xbar, t - tbar
    total = float(w @ np.sum(xc * xc, 1))
    var_t = float(w @ (tc * tc))
    c = (w * tc) @ xc
    if np.linalg.norm(c) <= 1e-12 * math.sqrt(var_t * total):
        return out
    a = c / np.linalg.norm(c)
    mu_q, mu_k = xq.mean(0), xk.mean(0)
    dmu = mu_q - mu_k
    sq = (xq - mu_q).T @ (xq - mu_q) / nq
    sk = (xk - mu_k).T @ (xk - mu_k) / nk
    diff = sq + sk + np.outer(dmu, dmu)
    ob = {}
    wb = dmu - (dmu @ a) * a
    if d > 1 and np.linalg.norm(dmu) > 0 and np.linalg.norm(wb) > 1e-12 * np.linalg.norm(dmu):
        ob["centroid"] = wb / np.linalg.norm(wb)
    if d > 1:
        p = np.eye(d) - np.outer(a, a)
        v = np.linalg.eigh(p @ diff @ p)[1][:, -1]
        v = v - (v @ a) * a
        v /= np.linalg.norm(v)
        if abs(v @ dmu) <= 1e-12 * np.linalg.norm(dmu):
            v = v * np.sign(v[int(np.argmax(np.abs(v)))])
        elif v @ dmu < 0:
            v = -v
        ob["eigenvector"] = v
    for name, b in ob.items():
        if np.trace(diff) > 0:
            out["separation_strength_" + name] = float(b @ diff @ b / np.trace(diff))
    if len(ob) == 2:
        out["axis_b_angle"] = math.degrees(math.acos(min(1.0, abs(ob["centroid"] @ ob["eigenvector"]))))
    out["mu_q_a"], out["mu_k_a"] = float(mu_q @ a), float(mu_k @ a)
    out["alpha_q"], out["alpha_k"] = slope(xq @ a, tq), slope(xk @ a, tk)
    out["bias_strength"] = out["mu_q_a"] * out["alpha_k"]
    out["bias_window"] = out["bias_strength"] * cap["L"]
    out["bias_logit"] = out["bias_window"] * cap["scale"]
    none = 0.0 if s["correlation_constant"] == "zero" else NAN
    out["r_q_a"], out["r_k_a"] = pearson(xq @ a, tq, none), pearson(xk @ a, tk, none)
    pa = xc @ a
    out["position_r"] = abs(float((w * tc) @ pa)) / math.sqrt(float(w @ (pa * pa)) * var_t)
    if out["alpha_q"] != 0:
        out["slope_ratio"] = abs(out["alpha_k"]) / abs(out["alpha_q"])
    out["var_frac_a"] = float(w @ (pa * pa)) / total
    b = ob.get(s["b_axis"])
    if b is not None:
        pb = xc @ b
        out["mu_q_b"], out["mu_k_b"] = float(mu_q @ b), float(mu_k @ b)
        out["separation_strength"] = out["separation_strength_" + s["b_axis"]]
        out["var_frac_b"] = float(w @ (pb * pb)) / total
        out["plane_var_fraction"] = out["var_frac_a"] + out["var_frac_b"]
        out["content_var_b"] = (np.var(xq @ b) + np.var(xk @ b)) / 2
    return out


# ---------------------------------------------------------------- plasticity

def bins_of(cap, s):
    """[(start, end)] as exact fractions (numerator, numerator, denominator)."""
    L = cap["L"]
    if s["bins"] == "buckets" and cap["log"]:
        low, edges = (cap["B"] - 1).bit_length(), [0]
        while 2 ** (low + len(edges)) - 1 < L:
            edges.append(2 ** (low + len(edges)) - 1)
        return [(a, b, 1) for a, b in zip(edges, edges[1:] + [L])]
    if s["bins"] == "buckets":
        n = -(-L // cap["B"])
        return [(b * cap["B"], min((b + 1) * cap["B"], L), 1) for b in range(n)]
    if s["bins"] == "density":
        mean = np.mean([len(h["query"]["t"]) for h in cap["heads"]])
        n = max(16, math.floor(mean / 50 + 0.5))
    else:
        n = int(s["bins"])
    return [(b * L, (b + 1) * L, n) for b in range(n)]


def reflect_rows(x, bhat):
    u = bhat.copy()
    if bhat[0] > 0:
        u[0] = -np.sum(bhat[1:] ** 2) / (1 + bhat[0])
    else:
        u[0] = bhat[0] - 1
    if np.linalg.norm(u) <= 1e-12:
        return x.copy()
    return x - 2 * np.outer(x @ u, u) / (u @ u)


def query_model(q, s):
    x, t = q["x"], q["t"] + 0.0
    n = len(t)
    if n < 3 or np.var(t) == 0:
        return None
    tbar, xbar = t.mean(), x.mean(0)
    dt = t - tbar
    beta = dt @ (x - xbar) / np.sum(dt * dt)
    norm = float(np.linalg.norm(beta))
    total = float(np.mean(np.sum((x - xbar) ** 2, 1)))
    r2 = np.array([pearson(x[:, j], t) ** 2 for j in range(x.shape[1])])
    if norm * math.sqrt(np.var(t)) <= 1e-12 * math.sqrt(total):
        bhat, beta_pos = None, 0.0
    else:
        bhat, beta_pos = beta / norm, norm
    y = x.copy() if bhat is None else reflect_rows(x, bhat)
    alpha_pos = float(np.mean(y[:, 0]) - beta_pos * tbar)
    residual = y[:, 0] - alpha_pos - beta_pos * t
    weights = np.where(np.isnan(r2), 0.0, np.maximum(r2, 0))
    none = 1 / len(r2) if s["weights_constant"] == "uniform" else NAN
    weights = weights / weights.sum() if weights.sum() > 0 else np.full(len(r2), none)
    return dict(norm=norm, bhat=bhat, beta_pos=beta_pos, alpha_pos=alpha_pos, sigma=float(np.sum(residual ** 2) / (n - 2)),
                r2=float(np.nanmean(r2)) if not np.all(np.isnan(r2)) else NAN, weights=weights, y=y)


def reach(head, low, high):
    """Mean share of the prefix that the layer sees, over positions low <= t < high."""
    t = np.arange(low, high)
    if len(t) == 0:
        return NAN
    seen = t + 1
    if head["window"] and head["attention"] == "chunked":
        seen = t % head["window"] + 1
    elif head["window"]:
        seen = np.minimum(head["window"], t + 1)
    return float(np.mean(seen / (t + 1)))


def plasticity(head, s, cap, grid, change=None, selected=None):
    """selected: bin -> parts of pairs of another run's rows, by (example, position); only those count."""
    q, k = head["query"], head["key"]
    if s["orientation"] == "legacy":
        q, k = turned(q, k, cap)
    model = query_model(q, s)
    den = grid[0][2]
    edges = np.array([g[0] for g in grid] + [grid[-1][1]])
    index = np.searchsorted(edges, q["t"] * den, side="right") - 1
    rows, cells, kept_pairs, jobs = [], {}, {}, []
    if model is not None:
        keys = k["x"] if model["bhat"] is None else reflect_rows(k["x"], model["bhat"])

    def name(i, j):
        return (int(k["e"][i]), int(k["t"][i]), int(k["e"][j]), int(k["t"][j]))

    for b, (start, end, _) in enumerate(grid):
        mine = index == b
        n_b = int(mine.sum())
        middle = (start + end) / (2 * den)
        mean = float(q["t"][mine].mean()) if n_b else NAN
        tau = mean if s["tau"] == "mean" and n_b else middle  # a bin without queries keeps its midpoint
        if selected is None:
            eligible, parts = parts_of(k, start, den, tau, head, b, s, cap)
        else:
            free = {**s, "pairs": "all", "prefix": "start"}
            eligible, parts = parts_of(k, start, den, tau, head, b, free, cap)
            wanted = [dict() for _ in selected.get(b, [])]
            for names, part in zip(wanted, selected.get(b, [])):
                for pair in part:
                    names[pair] = names.get(pair, 0) + 1
            every = [p for pairs, _ in parts for p in pairs]
            chosen = [[p for p in every for _ in range(names.get(name(*p), 0))] for names in wanted]
            parts = [(every, [])] + [([], c) for c in chosen]
        m, take = sum(len(p) for p, _ in parts), sum(len(c) for _, c in parts)
        row = dict(bin=b, start=start / den, end=end / den, tau=tau, queries=n_b, keys=len(eligible), pairs=m,
                   pairs_used=take, pairs_dropped=0, ap=NAN, tau_mean=mean, exact=(start + end, 2 * den), cells=0,
                   reach=reach(head, -(-start // den), -(-end // den)))
        if s["prefix"] == "random":
            row["pairs_used"] = s["pairs"] if m else 0  # where nothing is drawn
        rows.append(row)
        kept_pairs[b] = [[name(*p) for p in c] for _, c in parts]
        if model is None or n_b < max(2, s["min_queries"]) or m < max(1, s["min_pairs"]):
            continue
        y = model["y"][mine]
        mu, var = y[:, 1:].mean(0), y[:, 1:].var(0, ddof=1)
        if s["variance"] == "global":
            every = model["y"][:, 1:]
            mu, var = every.mean(0), every.var(0) * len(every) / (len(every) - 2)
        position = tau
        if change == "no_position":
            position = 0.0 if s["anchor"] == "start" else float(q["t"].mean())
        jobs.append((row, start, end, q["x"][mine], y, mu, var, position, parts))
    if change == "content_frozen" and jobs:
        counts = np.array([len(job[3]) for job in jobs], float)
        frozen = [counts @ np.array([job[c] for job in jobs]) / counts.sum() for c in (5, 6)]
        jobs = [(*job[:5], *frozen, *job[7:]) for job in jobs]
    for row, start, end, x, y, mu, var, position, parts in jobs:
        means, row["pairs_used"] = [], 0
        for _, pairs in parts:
            values = []
            for i, j in pairs:
                value = value_of(keys[i] - keys[j], k["x"][i] - k["x"][j], x, y, model, mu, var, position, s)
                if value is None:
                    row["pairs_dropped"] += 1
                    continue
                values.append(value)
                ti, tj, cell = int(k["t"][i]), int(k["t"][j]), s["map_cell"] or cap["B"]
                if s["tau"] == "midpoint":
                    up = ((start + end) - den * (ti + tj)) // (2 * den * cell)
                else:
                    up = math.floor((row["tau"] - (ti + tj) / 2) / cell)
                cells.setdefault((abs(ti - tj) // cell, up), []).append(value)
            row["pairs_used"] += len(values)
            if values:
                means.append(math.fsum(values) / len(values))
        row["cells"] = len(means)
        row["ap"] = plain_mean(means)
    return model, rows, cells, kept_pairs


def aggregates(rows, s, L):
    valid = [r for r in rows if not math.isnan(r["ap"])]

    def between(low, high, closed=False, value=lambda r: r["ap"]):
        """low, high as fractions (numerator, denominator) of L; exact where tau is the midpoint."""
        chosen = []
        for r in valid:
            if s["tau"] == "midpoint":
                t, d = r["exact"]
                above = t * low[1] >= low[0] * L * d
                below = t * high[1] <= high[0] * L * d if closed else t * high[1] < high[0] * L * d
            else:
                above = r["tau"] >= low[0] * L / low[1]
                below = r["tau"] <= high[0] * L / high[1] if closed else r["tau"] < high[0] * L / high[1]
            if above and below:
                chosen.append(value(r))
        return plain_mean(chosen)

    def seen(r):
        return r["ap"] * r["reach"]

    out = {}
    if s["weights"] == "queries":
        total = sum(r["queries"] for r in valid)
        out["ap_overall"] = math.fsum(r["queries"] * r["ap"] for r in valid) / total if valid else NAN
    elif s["weights"] == "legacy":
        total = sum(r["cells"] for r in valid)
        out["ap_overall"] = math.fsum(r["cells"] * r["ap"] for r in valid) / total if valid else NAN
    else:
        out["ap_overall"] = plain_mean([r["ap"] for r in valid])
    out["ap_first20"] = between((0, 1), (1, 5), closed=True)
    out["ap_last20"] = between((4, 5), (2, 1))
    out["ap_drop"] = out["ap_first20"] - out["ap_last20"]
    out["ap_reach_drop"] = between((0, 1), (1, 5), True, seen) - between((4, 5), (2, 1), False, seen)
    for n in range(5):
        out[f"ap_quintile_{n + 1}"] = between((n, 5), (n + 1, 5))
    for n in range(10):
        out[f"ap_decile_{n + 1}"] = between((n, 10), (n + 1, 10))
    return out


def lengths(rows, s, L):
    out = []
    edges = s["length_edges"]
    for low, high in zip(edges, edges[1:]):
        if low >= L:
            continue
        mine = [r for r in rows if not math.isnan(r["ap"]) and low <= r["tau"] < high]
        out.append((low, high, sum(r["queries"] for r in mine), plain_mean([r["ap"] for r in mine])))
    return out


# ---------------------------------------------------------------- tables

DEFAULTS = dict(variance="thesis", pairs=256, pair_scope="same_example", max_distance=0, prefix="start",
                orientation="off", max_rows=0, bins="density", min_queries=20, min_pairs=32, tau="midpoint",
                weights="queries", b_axis="centroid", pca_sign="dominant", pca_rows="both", taxonomy="thesis",
                taxonomy_low=0.3, taxonomy_high=0.7, pool_weights="rows", correlation_constant="missing",
                weights_constant="missing", decomposition="off", anchor="mean", components=10, map_cell=0,
                length_edges=[0, 8192, 16384, 32768, 65536, 131072], bootstrap=0, seed=0,
                estimate="plain", interval="percentile", jackknife_groups=100,
                layer=None)  # of all heads, when only one layer is wanted
TABLES = "heads components profile map component_weights lengths decomposition layers model".split()


def used_heads(cap, s):
    """The heads with the rows that count."""
    out = []
    for head in cap["heads"]:
        if s["layer"] is not None and head["layer"] != s["layer"]:
            continue
        q = thinned(first_rows(head["query"]), s["max_rows"], s["seed"], head["layer"], head["head"], 0x71)
        k = thinned(first_rows(head["key"]), s["max_rows"], s["seed"], head["layer"], head["kv_head"], 0x6B)
        out.append({**head, "query": q, "key": k})
    return out


def head_values(head, s, cap, grid, selected=None, whole=None):
    """Everything about one head, and its row of the table heads. whole: its profile with the groups of a jackknife."""
    q, k = head["query"], head["key"]
    comps = pca(q, k, s)
    least = s if whole is None else {**s, "min_queries": 2, "min_pairs": 1}
    model, rows, cells, pairs = plasticity(head, least, cap, grid, selected=selected)
    if whole is not None:
        rows = kept_bins(rows, whole)
    first = comps[0] if comps else (NAN, NAN, NAN)
    row = dict(layer=head["layer"], head=head["head"], kv_head=head["kv_head"], query_rows=len(q["t"]),
               key_rows=len(k["t"]), taxonomy=taxonomy(first[1], first[2], s["taxonomy"], s["taxonomy_low"], s["taxonomy_high"]),
               pc0_variance=first[0], r_q=first[1], r_k=first[2], lin_frac_q=lin_frac(q), lin_frac_k=lin_frac(k))
    row.update(rotation(q, k, s, cap))
    row.update(beta_norm=model["norm"] if model else NAN, r2_pos=model["r2"] if model else NAN,
               sigma_pos2=model["sigma"] if model else NAN)
    row.update(aggregates(rows, s, cap["L"]))
    return row, comps, model, rows, cells, pairs


def analyze(cap, **settings):
    s = {**DEFAULTS, **settings}
    grid = bins_of(cap, s)
    tables = {name: [] for name in TABLES}
    heads, pairs_of, profiles = used_heads(cap, s), [], []
    for head in heads:
        name = (head["layer"], head["head"])
        row, comps, model, rows, cells, pairs = head_values(head, s, cap, grid)
        pairs_of.append(pairs)
        profiles.append(rows)
        tables["heads"].append(row)
        if s["decomposition"] == "on":
            drops = {change: aggregates(plasticity(head, s, cap, grid, change)[1], s, cap["L"])["ap_drop"]
                     for change in ("no_position", "content_frozen")}
            position, content = row["ap_drop"] - drops["no_position"], row["ap_drop"] - drops["content_frozen"]
            tables["decomposition"].append(dict(layer=name[0], head=name[1], ap_drop=row["ap_drop"], position_part=position,
                                                content_part=content, interaction=row["ap_drop"] - position - content))
        for j, (ev, r_q, r_k) in enumerate(comps or []):
            tables["components"].append(dict(zip("layer head component explained_variance_ratio r_q r_k".split(),
                                                 (*name, j, ev, r_q, r_k))))
        for r in rows:
            tables["profile"].append(dict(layer=name[0], head=name[1], **{c: r[c] for c in r if c not in ("exact", "cells")}))
        for (column, up), values in sorted(cells.items()):
            tables["map"].append(dict(layer=name[0], head=name[1], distance_cell=column, midpoint_cell=up,
                                      pairs=len(values), pp=plain_mean(values)))
        if model:
            for j, weight in enumerate(model["weights"]):
                tables["component_weights"].append(dict(layer=name[0], head=name[1], dimension=j, weight=float(weight)))
        for low, high, queries, ap in lengths(rows, s, cap["L"]):
            tables["lengths"].append({"layer": name[0], "head": name[1], "from": low, "to": high, "queries": queries, "ap": ap})
    jackknife = "jackknife" in (s["estimate"], s["interval"])
    if s["bootstrap"] or jackknife:
        whole = [[dict(row) for row in rows] for rows in profiles]
        add_intervals(tables, heads, s, cap, lambda n, head: head_values(
            head, s, cap, grid, selected=pairs_of[n], whole=whole[n] if jackknife else None)[0:4:3])
    if s["estimate"] == "jackknife":  # plain means over the corrected bins
        for rows, head in zip(profiles, heads):
            mine = [r for r in tables["profile"] if (r["layer"], r["head"]) == (head["layer"], head["head"])]
            for row, corrected in zip(rows, mine):
                row["ap"] = corrected["ap"]
            for length, (_, _, _, ap) in zip([r for r in tables["lengths"] if (r["layer"], r["head"]) ==
                                              (head["layer"], head["head"])], lengths(rows, s, cap["L"])):
                length["ap"] = ap
    for row in tables["profile"]:
        row["ap_reach"] = row["ap"] * row["reach"]
    for row, head in zip(tables["heads"], heads):
        row.update(attention_window=head["window"], reach_last=reach(head, -(-4 * cap["L"] // 5), cap["L"]))
    return tables


