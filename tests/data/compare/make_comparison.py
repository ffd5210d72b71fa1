"""Three small made-up analyses (heads and profile tables, with missing values and heads that differ) and what NumPy and
SciPy find when they are compared: the expected values of tests/compare. Made with Python 3.11; versions are in
comparison.json. Run in this folder: python make_comparison.py
"""
import csv
import json
import os
import sys

import numpy as np
import scipy
from scipy import stats

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "analysis"))
from reference_pairs import Pairs  # noqa: E402

METRICS = ["bias_strength", "r_k_a", "slope_ratio", "ap_overall", "ap_drop"]
MODELS = {"a": dict(window=4096, layers=12, bins=16, drop=()), "b": dict(window=4096, layers=12, bins=16, drop=(3, 9)),
          "c": dict(window=16384, layers=12, bins=40, drop=(5,))}
RANGES = [("longbench_pro", 0, 8192), ("longbench_pro", 8192, 16384), ("ruler", 0, 4096), ("ruler", 4096, 8192),
          ("smollm3_4k", 1024, 1536), ("smollm3_lc", 2048, 4096)]


def heads_of(rng, facts, shift):
    places = [(layer, head) for layer in range(facts["layers"]) for head in range(3)][::2]
    rows = []
    for i, (layer, head) in enumerate(places):
        if i in facts["drop"]:
            continue
        values = {"bias_strength": rng.normal() * 1e-3 + 2e-3, "r_k_a": np.tanh(rng.normal()),
                  "slope_ratio": np.exp(rng.normal() * 2), "ap_overall": 0.5 + 0.1 * np.sin(i) + shift,
                  "ap_drop": rng.normal() * 0.1 + shift}
        for k in range(1, 11):
            values[f"ap_decile_{k}"] = 0.7 - 0.03 * k + (0.08 if k in (7, 8) and shift > 0 else 0) + rng.normal() * 0.01
        if i % 7 == 4:
            values["ap_drop"] = None
        rows.append({"layer": layer, "head": head, **values})
    return rows


def profile_of(rng, facts, heads):
    rows, L, n = [], facts["window"], facts["bins"]
    for head in heads:
        for b in range(n):
            rows.append({"layer": head["layer"], "head": head["head"], "bin": b, "start": b * L / n, "end": (b + 1) * L / n,
                         "tau": (2 * b + 1) * L / (2 * n), "queries": 30, "pairs_used": 256,
                         "ap": None if b == 0 or rng.random() < 0.1 else float(rng.uniform(0.2, 0.9))})
    return rows


def write(name, rows):
    with open(os.path.join(HERE, name), "w", newline="") as f:
        writer = csv.DictWriter(f, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        for row in rows:
            writer.writerow({k: "" if v is None else repr(float(v)) if isinstance(v, float) else v for k, v in row.items()})


def array(rows, column):
    return np.array([np.nan if r[column] is None else float(r[column]) for r in rows])


def spread(values):
    v = values[~np.isnan(values)]
    return dict(mean=v.mean(), sd=v.std(), p25=np.percentile(v, 25), p75=np.percentile(v, 75), median=np.median(v),
                heads=len(v))


def resampled_means(values):
    """The mean in each of the 1,000 resamples over heads (seed 0); heads without a value count in none."""
    means, n = [], len(values)
    for number in range(1000):
        generator = Pairs(0, 0x6865616473, number)
        drawn = values[[generator.below(n) for _ in range(n)]]
        if not np.all(np.isnan(drawn)):
            means.append(np.nanmean(drawn))
    return means


def paired(first, other):
    key = lambda r: (r["layer"], r["head"])
    common = sorted(set(map(key, first)) & set(map(key, other)) & COMMON)
    out = {}
    for metric in METRICS:
        x = np.array([array([r for r in first if key(r) == k], metric)[0] for k in common])
        y = np.array([array([r for r in other if key(r) == k], metric)[0] for k in common])
        boot = resampled_means(y - x)
        ok = ~np.isnan(x - y)
        x, y = x[ok], y[ok]
        d = y - x
        constant = np.ptp(x) == 0 or np.ptp(y) == 0
        out[metric] = dict(heads=len(d), first_mean=x.mean(), mean=y.mean(), mean_difference=d.mean(), sd=d.std(ddof=1),
                           standard_error=d.std(ddof=1) / np.sqrt(len(d)), low=np.percentile(boot, 2.5),
                           high=np.percentile(boot, 97.5), rose_share=float((d > 0).mean()),
                           pearson=None if constant else stats.pearsonr(x, y).statistic,
                           spearman=None if constant else stats.spearmanr(x, y).statistic)
    return out


def depth(rows, layers):
    decile = np.array([min(9, 10 * r["layer"] // (layers - 1)) for r in rows])
    return {str(d): {m: float(np.nanmean(array(rows, m)[decile == d])) if not np.all(np.isnan(array(rows, m)[decile == d]))
                     else None for m in METRICS} for d in sorted(set(decile.tolist()))}


def relative(rows, layers, metric):
    layer = np.array([r["layer"] for r in rows])
    x, y = [], []
    for one in sorted(set(layer.tolist())):
        values = array(rows, metric)[layer == one]
        if not np.all(np.isnan(values)):
            x.append(one / (layers - 1))
            y.append(np.nanmean(values))
    grid = np.linspace(0, 1, 41)
    return [None if np.isnan(v) else v for v in np.interp(grid, x, y, left=np.nan, right=np.nan)]


def equal(profile, ranges, lo, hi, window):
    if window <= lo:
        return None
    inside = (lambda t: lo < t <= hi) if ranges == "ruler" else (lambda t: lo <= t < hi)
    by_head = {}
    for r in profile:
        if r["ap"] is not None and inside(r["tau"]):
            by_head.setdefault((r["layer"], r["head"]), []).append(r["ap"])
    means = [np.mean(v) for v in by_head.values()]
    return dict(ap=float(np.mean(means)) if means else None, heads=len(means))


def bump(rows):
    d = [np.nanmean(array(rows, f"ap_decile_{k}")) for k in range(1, 11)]
    dip = (d[4] + d[5]) / 2
    return dict(dip=dip, recovery=(d[6] + d[7]) / 2 - dip, collapse=(d[8] + d[9]) / 2,
                recovers=bool((d[6] + d[7]) / 2 - dip > 0.005))


if __name__ == "__main__":
    rng = np.random.default_rng(11)
    heads = {name: heads_of(rng, facts, 0.03 * i) for i, (name, facts) in enumerate(MODELS.items())}
    profiles = {name: profile_of(rng, facts, heads[name]) for name, facts in MODELS.items()}
    COMMON = set.intersection(*[{(r["layer"], r["head"]) for r in rows} for rows in heads.values()])
    expected = {"numpy": np.__version__, "scipy": scipy.__version__, "common": len(COMMON), "models": {}}
    for name, facts in MODELS.items():
        write(f"heads_{name}.csv", heads[name])
        write(f"profile_{name}.csv", profiles[name])
        metrics = {m: spread(array(heads[name], m)) for m in METRICS}
        metrics["abs_r_k_a"] = spread(np.abs(array(heads[name], "r_k_a")))
        expected["models"][name] = {
            "window": facts["window"], "layers": facts["layers"], "metrics": metrics,
            "depth": depth(heads[name], facts["layers"]),
            "relative_depth": {m: relative(heads[name], facts["layers"], m) for m in ("ap_drop", "bias_strength")},
            "equal_positions": [[*r, equal(profiles[name], *r, facts["window"])] for r in RANGES],
            "bump": bump(heads[name]), "paired": paired(heads["a"], heads[name])}
    with open(os.path.join(HERE, "comparison.json"), "w") as f:
        json.dump(expected, f, indent=1, default=lambda v: v.item())
        f.write("\n")
