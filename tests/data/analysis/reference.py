"""The analysis once more, independently, in plain NumPy: written from the method's definitions, not from the C++.

It reads a capture with h5py, computes the tables heads, components, profile, map, component_weights and lengths, and
returns them as lists of rows. Nothing here is fast; every line follows one formula.
"""
import math

import h5py
import numpy as np

NAN = float("nan")
MASK = (1 << 64) - 1


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
    return dict(L=int(capture["window"]), B=int(capture["bucket_size"]), scale=float(capture["score_scale"]),
                heads=heads)


# ---------------------------------------------------------------- one-dimensional statistics

def constant(x):
    return len(x) == 0 or np.var(x) <= 1e-24 * np.mean(x * x) or not np.any(x)


def pearson(x, y):
    if len(x) < 2 or constant(x) or constant(y):
        return NAN
    dx, dy = x - x.mean(), y - y.mean()
    return float(np.mean(dx * dy) / math.sqrt(np.mean(dx * dx) * np.mean(dy * dy)))


def slope(x, t):
    if len(x) < 2 or constant(t - 0.0) or np.var(t) == 0:
        return NAN
    dt = t - t.mean()
    return float(np.sum(dt * (x - x.mean())) / np.sum(dt * dt))


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
    x = np.vstack([q["x"], k["x"]])
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
            r_q, r_k = pearson(q["x"] @ v, q["t"] + 0.0), pearson(k["x"] @ v, k["t"] + 0.0)
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
    out["r_q_a"], out["r_k_a"] = pearson(xq @ a, tq), pearson(xk @ a, tk)
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


# ---------------------------------------------------------------- pair sampling

def mix64(v):
    v ^= v >> 30
    v = v * 0xBF58476D1CE4E5B9 & MASK
    v ^= v >> 27
    v = v * 0x94D049BB133111EB & MASK
    return v ^ v >> 31


def combine(s, v):
    s = (s ^ v) * 0x9E3779B97F4A7C15 & MASK
    return s ^ s >> 32


class Pairs:
    def __init__(self, seed, layer, head, b):
        s = 0x243F6A8885A308D3
        for value in (seed, layer, head, b):
            s = combine(s, mix64(value))
        self.s = s

    def next(self):
        self.s = (self.s + 0x9E3779B97F4A7C15) & MASK
        return mix64(self.s)

    def below(self, n):
        x = self.next() * n
        if (x & MASK) < n:
            limit = ((1 << 64) - n) % n
            while (x & MASK) < limit:
                x = self.next() * n
        return x >> 64

    def floyd(self, m, p):
        chosen = set()
        for j in range(m - p, m):
            r = self.below(j + 1)
            chosen.add(j if r in chosen else r)
        return sorted(chosen)


# ---------------------------------------------------------------- plasticity

def bins_of(cap, s):
    """[(start, end)] as exact fractions (numerator, numerator, denominator)."""
    L = cap["L"]
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


def query_model(q):
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
    weights = weights / weights.sum() if weights.sum() > 0 else np.full(len(r2), NAN)
    return dict(norm=norm, bhat=bhat, beta_pos=beta_pos, alpha_pos=alpha_pos, sigma=float(np.sum(residual ** 2) / (n - 2)),
                r2=float(np.nanmean(r2)) if not np.all(np.isnan(r2)) else NAN, weights=weights, y=y)


def pair_list(k, start, den, tau, window):
    """Eligible keys in order, and all same-example pairs of row indices, in rank order."""
    eligible, seen = [], set()
    for i in sorted(range(len(k["t"])), key=lambda i: (k["e"][i], k["t"][i], i)):
        name = (k["e"][i], k["t"][i])
        if k["t"][i] * den < start and name not in seen and (window == 0 or tau - k["t"][i] < window):
            eligible.append(i)
        seen.add(name)
    pairs = [(i, j) for n, i in enumerate(eligible) for j in eligible[n + 1:] if k["e"][i] == k["e"][j]]
    return eligible, pairs


def plasticity(head, s, cap):
    q, k = head["query"], head["key"]
    model = query_model(q)
    grid = bins_of(cap, s)
    n_bins, den = len(grid), grid[0][2]
    edges = np.array([g[0] for g in grid] + [grid[-1][1]])
    index = np.searchsorted(edges, q["t"] * den, side="right") - 1
    rows, cells = [], {}
    if model is not None:
        keys = k["x"] if model["bhat"] is None else reflect_rows(k["x"], model["bhat"])
    for b, (start, end, _) in enumerate(grid):
        mine = index == b
        n_b = int(mine.sum())
        middle = (start + end) / (2 * den)
        mean = float(q["t"][mine].mean()) if n_b else NAN
        tau = mean if s["tau"] == "mean" and n_b else middle  # a bin without queries keeps its midpoint
        eligible, pairs = pair_list(k, start, den, tau, head["window"])
        m = len(pairs)
        take = m if s["pairs"] == "all" else min(m, s["pairs"])
        row = dict(bin=b, start=start / den, end=end / den, tau=tau, queries=n_b, keys=len(eligible), pairs=m,
                   pairs_used=take, pairs_dropped=0, ap=NAN, tau_mean=mean, exact=(start + end, 2 * den))
        rows.append(row)
        if model is None or n_b < max(2, s["min_queries"]) or m < max(1, s["min_pairs"]):
            continue
        if take < m:
            pairs = [pairs[r] for r in Pairs(s["seed"], head["layer"], head["head"], b).floyd(m, take)]
        y = model["y"][mine]
        mu, var = y[:, 1:].mean(0), y[:, 1:].var(0, ddof=1)
        q2 = float(np.mean(np.sum(q["x"][mine] ** 2, 1)))
        values = []
        for i, j in pairs:
            delta = keys[i] - keys[j]
            v = delta[0] ** 2 * model["sigma"] + np.sum(delta[1:] ** 2 * var)
            if not np.any(delta) or not math.isfinite(v) or v <= 1e-24 * float(delta @ delta) * q2:
                row["pairs_dropped"] += 1
                continue
            z = (delta[0] * (model["alpha_pos"] + model["beta_pos"] * tau) + delta[1:] @ mu) / math.sqrt(v)
            value = math.erfc(z / math.sqrt(2)) * math.erfc(-z / math.sqrt(2))
            values.append(value)
            ti, tj, cell = int(k["t"][i]), int(k["t"][j]), s["map_cell"] or cap["B"]
            if s["tau"] == "midpoint":
                up = ((start + end) - den * (ti + tj)) // (2 * den * cell)
            else:
                up = math.floor((tau - (ti + tj) / 2) / cell)
            place = cells.setdefault((abs(ti - tj) // cell, up), [])
            place.append(value)
        row["pairs_used"] = len(values)
        if values:
            row["ap"] = math.fsum(values) / len(values)
    return model, rows, cells


def plain_mean(values):
    return math.fsum(values) / len(values) if values else NAN


def aggregates(rows, s, L):
    valid = [r for r in rows if not math.isnan(r["ap"])]

    def between(low, high, closed=False):
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
                chosen.append(r["ap"])
        return plain_mean(chosen)

    out = {}
    if s["weights"] == "queries":
        total = sum(r["queries"] for r in valid)
        out["ap_overall"] = math.fsum(r["queries"] * r["ap"] for r in valid) / total if valid else NAN
    else:
        out["ap_overall"] = plain_mean([r["ap"] for r in valid])
    out["ap_first20"] = between((0, 1), (1, 5), closed=True)
    out["ap_last20"] = between((4, 5), (2, 1))
    out["ap_drop"] = out["ap_first20"] - out["ap_last20"]
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

DEFAULTS = dict(pairs=256, bins="density", min_queries=20, min_pairs=32, tau="midpoint", weights="queries",
                b_axis="centroid", pca_sign="dominant", taxonomy="thesis", taxonomy_low=0.3, taxonomy_high=0.7,
                pool_weights="rows", components=10, map_cell=0,
                length_edges=[0, 8192, 16384, 32768, 65536, 131072], seed=0)


def analyze(cap, **settings):
    s = {**DEFAULTS, **settings}
    tables = {name: [] for name in ("heads", "components", "profile", "map", "component_weights", "lengths")}
    for head in cap["heads"]:
        q, k, name = head["query"], head["key"], (head["layer"], head["head"])
        comps = pca(q, k, s)
        model, rows, cells = plasticity(head, s, cap)
        first = comps[0] if comps else (NAN, NAN, NAN)
        row = dict(layer=head["layer"], head=head["head"], kv_head=head["kv_head"], query_rows=len(q["t"]),
                   key_rows=len(k["t"]), taxonomy=taxonomy(first[1], first[2], s["taxonomy"], s["taxonomy_low"], s["taxonomy_high"]),
                   pc0_variance=first[0], r_q=first[1], r_k=first[2], lin_frac_q=lin_frac(q), lin_frac_k=lin_frac(k))
        row.update(rotation(q, k, s, cap))
        row.update(beta_norm=model["norm"] if model else NAN, r2_pos=model["r2"] if model else NAN,
                   sigma_pos2=model["sigma"] if model else NAN)
        row.update(aggregates(rows, s, cap["L"]))
        tables["heads"].append(row)
        for j, (ev, r_q, r_k) in enumerate(comps or []):
            tables["components"].append(dict(zip("layer head component explained_variance_ratio r_q r_k".split(),
                                                 (*name, j, ev, r_q, r_k))))
        for r in rows:
            tables["profile"].append(dict(layer=name[0], head=name[1], **{c: r[c] for c in r if c != "exact"}))
        for (column, up), values in sorted(cells.items()):
            tables["map"].append(dict(layer=name[0], head=name[1], distance_cell=column, midpoint_cell=up,
                                      pairs=len(values), pp=plain_mean(values)))
        if model:
            for j, weight in enumerate(model["weights"]):
                tables["component_weights"].append(dict(layer=name[0], head=name[1], dimension=j, weight=float(weight)))
        for low, high, queries, ap in lengths(rows, s, cap["L"]):
            tables["lengths"].append({"layer": name[0], "head": name[1], "from": low, "to": high, "queries": queries, "ap": ap})
    return tables
