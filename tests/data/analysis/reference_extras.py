"""The tables beyond components, plane and plasticity once more, independently, with NumPy, SciPy and scikit-learn:
planes, diagnostics, slopes, component_weights_pairs, and those of reference_axes.py and reference_summaries.py.

It stands on the primitives of reference.py and on the heads.csv that make_captures.py wrote, and adds its CSV files to
the same folders. Run in this folder after make_captures.py: python reference_extras.py
(Python 3.11, NumPy 2.4, SciPy 1.17, scikit-learn 1.9, h5py 3.16)
"""
import csv
import json
import math
import os

import h5py
import numpy as np
import scipy.stats
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

import make_captures
import reference
import reference_axes
import reference_summaries
from reference_statistics import NAN

HERE = os.path.dirname(os.path.abspath(__file__))
RUNS = ("grouped-all", "grouped-sampled", "grouped-author", "odd-all", "odd-buckets", "single-all", "still-all",
        "turning-all", "turning-sampled")
# Runs whose axes and facets would say the same as those of another.
REPEATED = ("grouped-all", "grouped-sampled", "odd-buckets", "turning-sampled")
ROW_RUNS = {
    "small-rows": dict(projections="on", vector_dimensions="0,3-4", map_aggregation="head_mean", max_rows=16, pairs=40,
                       map_cell=120, **make_captures.LOW),
    "turning-rows": dict(projections="on", map_aggregation="head_mean", b_axis="eigenvector", pca_sign="query",
                         pca_rows="key", pool_weights="equal", max_rows=20, components=3, pairs="all", map_cell=300,
                         **make_captures.LOW),
}
THETA = 500.0


# ---------------------------------------------------------------- a capture whose planes turn

def write_turning():
    """Two layers with RoPE, one without: dimension pairs (i, i + 3) turned by position at RoPE's frequencies."""
    path = os.path.join(HERE, "turning.h5")
    L, d, rng = 1500, 6, np.random.default_rng(200)
    make_captures.write_capture(path, rng, L=L, B=93, layers=3, query_heads=2, key_heads=1, d=d,
                                lengths=[1500, 1500, 900], share=0.035, dtype=np.float32)
    with h5py.File(path, "r+") as f:
        f["model"].attrs["rope"] = json.dumps({"rope_type": "default", "rope_theta": THETA, "rotary_dim": d,
                                               "max_position_embeddings": 2048})
        for layer in range(3):
            for kind in ("query", "key"):
                g = f[f"layers/{layer:02d}/{kind}"]
                t = g["position"][:].astype(np.float64)
                for name in g["vectors"]:
                    x = g["vectors"][name][:].astype(np.float64)
                    for i in range(3):
                        angle = t * THETA ** (-2 * i / d) + rng.normal(size=len(t)) * 0.3
                        size = 4.0 - i
                        x[:, i] += size * np.cos(angle)
                        x[:, i + 3] += size * np.sin(angle)
                    g["vectors"][name][:] = x.astype(np.float32)


# ---------------------------------------------------------------- axes

def components(q, k, s):
    """Unit vectors of PC0 and PC1 by the sign rule, and the variances; None when the head has no PCA."""
    x = np.vstack([q["x"], k["x"]])
    if len(q["t"]) < 2 or len(k["t"]) < 2:
        return None
    rows = {"both": x, "query": q["x"], "key": k["x"]}[s["pca_rows"]]
    cov = np.cov(rows.T, bias=True).reshape(x.shape[1], x.shape[1])
    values, vectors = np.linalg.eigh(cov)
    values, vectors = values[::-1], vectors[:, ::-1]
    if values.sum() <= 1e-24 * np.mean(np.sum(x * x, 1)):
        return None
    out = []
    for j in range(min(2, x.shape[1])):
        v = vectors[:, j]
        known = values[j] > 1e-12 * values.sum()
        r_q = reference.pearson(q["x"] @ v, q["t"] + 0.0) if known else NAN
        r_k = reference.pearson(k["x"] @ v, k["t"] + 0.0) if known else NAN
        out.append(v * reference.orient(v, r_q, r_k, s["pca_sign"]))
    return np.array(out).T, values


def plane(q, k, s):
    """Weights, pool mean and covariance, a and b (or None)."""
    nq, nk = len(q["t"]), len(k["t"])
    w = np.full(nq + nk, 1 / (nq + nk))
    if s["pool_weights"] == "equal":
        w = np.concatenate([np.full(nq, 0.5 / nq), np.full(nk, 0.5 / nk)])
    x, t = np.vstack([q["x"], k["x"]]), np.concatenate([q["t"], k["t"]]) + 0.0
    mean = w @ x
    xc, tc = x - mean, t - w @ t
    cov = (xc * w[:, None]).T @ xc
    c = (w * tc) @ xc
    a = c / np.linalg.norm(c)
    dmu = q["x"].mean(0) - k["x"].mean(0)
    if s["b_axis"] == "centroid":
        b = dmu - (dmu @ a) * a
    else:
        diff = np.cov(q["x"].T, bias=True) + np.cov(k["x"].T, bias=True) + np.outer(dmu, dmu)
        p = np.eye(len(a)) - np.outer(a, a)
        b = np.linalg.eigh(p @ diff @ p)[1][:, -1]
        b = b - (b @ a) * a
        b = b * np.sign(b @ dmu)
    missing = np.linalg.norm(b) <= 1e-12 * np.linalg.norm(dmu)
    return dict(x=x, t=np.concatenate([q["t"], k["t"]]), mean=mean, cov=cov, a=a,
                b=None if missing else b / np.linalg.norm(b))


# ---------------------------------------------------------------- planes

def turning(x, y, t, L):
    m = 4 * 2 ** math.ceil(math.log2(L))
    z = np.zeros(m, complex)
    np.add.at(z, t, np.exp(1j * np.arctan2(y, x)))
    power = np.abs(np.fft.fft(z)) ** 2
    k = int(np.flatnonzero(power >= power.max() * (1 - 1e-10))[0])
    omega = 2 * math.pi * k / m
    return (omega if omega <= math.pi else omega - 2 * math.pi), power[k] / len(t) ** 2


def nearest_pair(omega, rope, d):
    if rope is None or math.isnan(omega):
        return NAN
    return int(np.argmin(np.abs(rope - abs(omega))))


def planes(p, L, rope):
    d = len(p["a"])
    if d <= 2 or p["b"] is None:
        return []
    proj = np.eye(d) - np.outer(p["a"], p["a"]) - np.outer(p["b"], p["b"])
    values, vectors = np.linalg.eigh(proj @ p["cov"] @ proj)
    values, vectors = values[::-1][:d - 2], vectors[:, ::-1]
    vectors = vectors * np.sign(vectors[np.argmax(np.abs(vectors), 0), np.arange(d)])
    xc, out = p["x"] - p["mean"], []
    for n in range((d - 2) // 2):
        i = 2 * n
        omega, r2 = turning(xc @ vectors[:, i], xc @ vectors[:, i + 1], p["t"], L)
        if values[i + 1] <= 1e-12 * np.trace(p["cov"]):  # its angle is rounding noise
            omega, r2 = NAN, NAN
        out.append(dict(plane=n, variance_share=(values[i] + values[i + 1]) / values.sum(), omega=omega, omega_r2=r2,
                        rope_pair=nearest_pair(omega, rope, d), active="" if math.isnan(r2) else "true" if r2 >= 0.25 else "false"))
    return out


# ---------------------------------------------------------------- diagnostics

def accuracy(q, k, axes, values):
    used = 2 if axes.shape[1] > 1 and values[1] > 1e-12 * values.sum() else 1
    x = np.vstack([q["x"], k["x"]]) @ axes[:, :used]
    y = np.array([0] * len(q["t"]) + [1] * len(k["t"]))
    return LinearDiscriminantAnalysis(priors=[0.5, 0.5]).fit(x, y).score(x, y)


def same_example_pairs(k, start, den):
    """All pairs of eligible keys of one example, in rank order."""
    order = sorted((i for i in range(len(k["t"])) if k["t"][i] * den < start), key=lambda i: (k["e"][i], k["t"][i]))
    return [(i, j) for n, i in enumerate(order) for j in order[n + 1:] if k["e"][i] == k["e"][j]]


def modes(head, s, cap, model):
    """AP_overall in the modes full and empirical, and v_content, over the pairs of the analysis."""
    q, k = head["query"], head["key"]
    grid = reference.bins_of(cap, s)
    den = grid[0][2]
    keys = k["x"] if model["bhat"] is None else reference.reflect_rows(k["x"], model["bhat"])
    full, empirical, counts, spread = [], [], [], []
    for b, (start, end, _) in enumerate(grid):
        mine = (q["t"] * den >= start) & (q["t"] * den < end)
        n = int(mine.sum())
        pairs = same_example_pairs(k, start, den)
        if n < s["min_queries"] or len(pairs) < s["min_pairs"]:
            continue
        if s["pairs"] != "all" and s["pairs"] < len(pairs):
            ranks = reference.Pairs(s["seed"], head["layer"], head["head"], b).floyd(len(pairs), s["pairs"])
            pairs = [pairs[r] for r in ranks]
        var = model["y"][mine].var(0, ddof=1)
        first, second = np.array(pairs).T
        delta = k["x"][first] - k["x"][second]
        kept = np.any(delta != 0, axis=1)
        scores = q["x"][mine] @ delta[kept].T
        z = scores.mean(0) / scores.std(0, ddof=1)
        full.append(np.mean(4 * scipy.stats.norm.cdf(z) * scipy.stats.norm.cdf(-z)))
        share = (np.sum(scores > 0, 0) + 0.5 * np.sum(scores == 0, 0)) / n
        empirical.append(np.mean(4 * share * (1 - share) * n / (n - 1)))
        turned = (keys[first] - keys[second])[kept]
        spread += list(turned[:, 1:] ** 2 @ var[1:])
        counts.append(n if s["weights"] == "queries" else 1)
    if not counts:
        return NAN, NAN
    return np.average(full, weights=counts) - np.average(empirical, weights=counts), np.mean(spread)


def shape(x):
    return (scipy.stats.skew(x, bias=False), scipy.stats.kurtosis(x, bias=False)) if np.var(x) > 1e-24 * np.mean(x * x) \
        else (NAN, NAN)


def diagnostics(head, s, cap, p, heads_row, rope):
    q, k = head["query"], head["key"]
    out = dict(layer=head["layer"], head=head["head"])
    axes, values = components(q, k, s)
    pq, pk = q["x"] @ axes[:, 0], k["x"] @ axes[:, 0]
    out["fisher"] = (pq.mean() - pk.mean()) ** 2 / (pq.var() + pk.var())
    out["qk_accuracy"] = accuracy(q, k, axes, values)
    out["mean_gap"] = pq.mean() - pk.mean()
    comps = reference.pca(q, k, s)
    for kind, index in (("q", 1), ("k", 2)):
        out["pooled_author_" + kind] = sum(c[0] * c[index] ** 2 for c in comps if not math.isnan(c[index]))
    model = reference.query_model(q, s)
    aq = q["x"] @ p["a"]
    alpha_q, alpha_k = reference.slope(aq, q["t"] + 0.0), reference.slope(k["x"] @ p["a"], k["t"] + 0.0)
    out["intercept_q"] = aq.mean() - alpha_q * q["t"].mean()
    out["slope_at_start"] = out["intercept_q"] * alpha_k
    out["slope_at_end"] = (out["intercept_q"] + alpha_q * (cap["L"] - 1)) * alpha_k
    names = ("bias_snr skewness excess_kurtosis content_skewness content_kurtosis r2_scalar ap_full_minus_empirical "
             "mae_scalar mae_mean mae_ratio").split()
    out.update(dict.fromkeys(names, NAN))
    if model is not None:
        difference, spread = modes(head, s, cap, model)
        out["ap_full_minus_empirical"] = difference
        out["bias_snr"] = heads_row["bias_window"] / math.sqrt(spread) if spread > 0 else NAN
        y, t = model["y"], q["t"]
        out["skewness"], out["excess_kurtosis"] = shape(y[:, 0] - model["alpha_pos"] - model["beta_pos"] * t)
        others = np.abs(np.array([shape(y[:, c]) for c in range(1, y.shape[1])]))
        if not np.all(np.isnan(others)):
            out["content_skewness"], out["content_kurtosis"] = np.nanmedian(others, axis=0)
        octave = np.log2(t + 1.0)
        beta = (t - t.mean()) @ q["x"]
        fit = scipy.stats.linregress(q["x"] @ (beta / np.linalg.norm(beta)), octave)
        line = fit.intercept + fit.slope * (q["x"] @ (beta / np.linalg.norm(beta)))
        out["r2_scalar"] = fit.rvalue ** 2
        out["mae_scalar"] = np.mean(np.abs(octave - line))
        out["mae_mean"] = np.mean(np.abs(octave - octave.mean()))
        out["mae_ratio"] = out["mae_scalar"] / out["mae_mean"]
    omega, out["plane_omega_r2"] = NAN, NAN
    if p["b"] is not None:
        omega, out["plane_omega_r2"] = turning(p["x"] @ p["a"], p["x"] @ p["b"], p["t"], cap["L"])
    out["plane_omega"] = omega
    out["plane_rope_pair"] = nearest_pair(omega, rope, len(p["a"]))
    return out


# ---------------------------------------------------------------- files

def read_heads(folder):
    rows = []
    with open(os.path.join(folder, "heads.csv")) as f:
        for row in csv.DictReader(f):
            rows.append({c: v if c == "taxonomy" else int(v) if c in ("layer", "head", "kv_head") else
                         float(v) if v else NAN for c, v in row.items()})
    return rows


def read_map(folder):
    with open(os.path.join(folder, "map.csv")) as f:
        return [{c: float(v) if c == "pp" else int(v) for c, v in row.items()} for row in csv.DictReader(f)]


def write(folder, name, rows):
    if not rows:
        return
    with open(os.path.join(folder, name + ".csv"), "w", newline="") as f:
        writer = csv.writer(f, lineterminator="\n")
        writer.writerow(rows[0].keys())
        writer.writerows([make_captures.text_of(v) for v in row.values()] for row in rows)


def extend(run):
    folder = os.path.join(HERE, run)
    with open(os.path.join(folder, "settings.json")) as f:
        facts = json.load(f)
    s = {**reference.DEFAULTS, **facts["settings"]}
    path = os.path.join(HERE, facts["capture"])
    cap = reference.read_capture(path)
    with h5py.File(path) as f:
        layers, d = int(f["model"].attrs["layers"]), int(f["model"].attrs["head_dim"])
        settings = json.loads(f["model"].attrs["rope"])
    rope = settings["rope_theta"] ** (-2 * np.arange(d // 2) / d) if settings else None
    rows = read_heads(folder)
    tables = dict(planes=[], diagnostics=[], slopes=[], component_weights_pairs=[], axes=[])
    for head, row in zip(cap["heads"], rows):
        name = dict(layer=head["layer"], head=head["head"])
        turns = rope if head["rope"] else None
        p = plane(head["query"], head["key"], s)
        tables["planes"] += [{**name, **line} for line in planes(p, cap["L"], turns)]
        line = diagnostics(head, s, cap, p, row, turns)
        if facts["capture"] == "still.h5":  # a spread of 1e-7 around 3 leaves float64 too few digits for moments
            del line["content_skewness"], line["content_kurtosis"]
        tables["diagnostics"].append(line)
        for t in sorted({0, cap["L"] // 4, cap["L"] // 2, 3 * cap["L"] // 4, cap["L"] - 1}):
            tables["slopes"].append(dict(**name, position=t, slope=(line["intercept_q"] + row["alpha_q"] * t) * row["alpha_k"]))
        model = reference.query_model(head["query"], s)
        for i in range(d // 2 if model else 0):
            tables["component_weights_pairs"].append(dict(
                **name, pair=i, weight=model["weights"][i] + model["weights"][i + d // 2],
                rope_frequency=NAN if turns is None else float(turns[i])))
        # By the lemma of the rotation nothing beside a correlates with position; below d = 3 there is nothing beside a and b.
        row.update(rope=head["rope"], attention=head["attention"], residual_pos_r=0.0 if d > 2 and p["b"] is not None else NAN)
        tables["axes"] += reference_axes.axes(head, s)
    tables["groups"], tables["coordination"] = reference_summaries.group_tables(rows)
    tables["taxonomy"] = reference_summaries.taxonomy_table(rows, s["taxonomy"])
    tables["depth"] = reference_summaries.depth_table(rows, layers)
    tables["facets"] = reference_summaries.facet_table(rows)
    tables["layers"], tables["model"] = reference_summaries.layer_tables(rows)
    tables["bump"], tables["bump_model"] = reference_summaries.bump_tables(rows)
    tables["map_model"] = reference_summaries.model_map(read_map(folder), s.get("map_aggregation"))
    for table, lines in tables.items():
        if table not in ("axes", "facets") or run not in REPEATED:
            write(folder, table, lines)


def write_rows(run, settings):
    """Every row on its axes, of captures thinned to few rows, and the map in which every head weighs the same."""
    folder, name = os.path.join(HERE, run), run.split("-")[0] + ".h5"
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, "settings.json"), "w") as f:
        json.dump({"capture": name, "settings": settings}, f)
    s = {**reference.DEFAULTS, **settings}
    cap = reference.read_capture(os.path.join(HERE, name))
    cells = reference.analyze(cap, **settings)["map"]
    heads = reference.used_heads(cap, s)
    write(folder, "map_model", reference_summaries.model_map(cells, s["map_aggregation"]))
    write(folder, "axes", [row for head in heads for row in reference_axes.axes(head, s)])
    write(folder, "projections", [row for head in heads for row in reference_axes.projections(head, s)])


def main():
    write_turning()
    capture = reference.read_capture(os.path.join(HERE, "turning.h5"))
    for run, settings in (("all", dict(pairs="all", **make_captures.LOW)), ("sampled", dict(pairs=30, seed=9, **make_captures.LOW))):
        folder = os.path.join(HERE, f"turning-{run}")
        os.makedirs(folder, exist_ok=True)
        with open(os.path.join(folder, "settings.json"), "w") as f:
            json.dump({"capture": "turning.h5", "settings": settings}, f)
        for table, rows in reference.analyze(capture, **settings).items():
            write(folder, table, rows)
    for run in RUNS:
        extend(run)
    for run, settings in ROW_RUNS.items():
        write_rows(run, settings)


if __name__ == "__main__":
    main()
