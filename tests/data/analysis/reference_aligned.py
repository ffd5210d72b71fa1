"""Aligned plasticity once more, independently, in NumPy, written from aligned.md and method.md, Aligned plasticity.

Which pairs are drawn is in reference_pairs.py, how RoPE turns is in reference_rope.py. Conventions where the text leaves a choice:
- un-rotated queries are R(-t) q, their temperature stays; in position alone a query is R(t) mbar;
- jackknife: a bin is valued without a group while queries of two texts and one pair are left, else it keeps the whole's value;
- a pair is dropped when its keys are equal (with `gaussian` also when its variance vanishes, method.md, Pair plasticity);
- tau is the midpoint whatever the setting `tau` says; bins = density means 32.

Run in this folder: python reference_aligned.py
prints the reference values of the method (shipped example) and asserts them. NumPy, SciPy, h5py as in versions.json.
"""
import json
import math
import os

import h5py
import numpy as np
from scipy import special, stats

import reference
from reference_bootstrap import groups
from reference_pairs import parts_of
from reference_rope import turning_of
from reference_statistics import NAN, plain_mean

EXAMPLE = "../../../resources/example/smollm2-135m-licences.h5"
DEFAULTS = dict(reference.DEFAULTS, aligned_estimator="disagreement", heads="", placement="off", salience="off")
RANGES = ["first20", "last20", "drop", "reach_drop"] + [f"quintile_{n}" for n in range(1, 6)] + [f"decile_{n}" for n in range(1, 11)]
WITH_INTERVAL = ["ap_aligned"] + [f"ap_aligned_{name}" for name in RANGES]


def read_capture(path):
    cap = reference.read_capture(path)
    with h5py.File(path) as f:
        cap["tokens"] = f["examples/tokens"][:].tolist()
        cap["ids"] = [i.decode() for i in f["examples/id"]]
        cap["sha256"] = [i.decode() for i in f["examples/sha256"]]
        for head in cap["heads"]:
            head["turning"], head["missing"] = turning_of(f, f[f"layers/{head['layer']:02d}"], cap["tokens"])
    return cap


def used_heads(cap, s):
    heads = reference.used_heads(cap, s)
    return [h for h in heads if not s["heads"] or f"L{h['layer']}H{h['head']}" in s["heads"].split(",")]


# ---------------------------------------------------------------- one bin

def aligned(head, rows, tau):
    """Query rows as they would stand at tau."""
    turning, q = head["turning"], head["query"]
    t, e = q["t"][rows], q["e"][rows]
    return turning.R(q["x"][rows], tau - t, e) * (turning.f(tau) / turning.f(t))[:, None]


def average(values):
    return plain_mean([v for v in values.tolist() if not math.isnan(v)])


def unrotated(head, kind):
    rows = head[kind]
    return head["turning"].R(rows["x"], -rows["t"], rows["e"])


def mean_queries(head):
    """Every query as R(t) mbar."""
    q = head["query"]
    return head["turning"].R(unrotated(head, "query").mean(0), q["t"], q["e"])


def disagreement(count, sizes):
    """count[text, pair]: how many of sizes[text] queries prefer the first key."""
    n, c = sizes.sum(), count.sum(0)
    return 4 * (c * (n - c) - np.sum(count * (sizes[:, None] - count), 0)) / (n * n - np.sum(sizes ** 2))


def gaussian(x, delta):
    """PP of every pair; NaN where the variance vanishes."""
    score = x @ delta.T
    m, v = score.mean(0), score.var(0, ddof=1)
    z = m / np.sqrt(np.where(v > 0, v, 1))
    pp = special.erfc(z / math.sqrt(2)) * special.erfc(-z / math.sqrt(2))
    least = 1e-24 * np.sum(delta ** 2, 1) * np.mean(np.sum(x ** 2, 1))
    return np.where(np.isfinite(v) & (v > least), pp, NAN)


def values_of(x, text, delta, s, without=()):
    """PP of every row of delta by the queries x; texts of `without` do not count."""
    left = ~np.isin(text, list(without))
    texts = np.unique(text[left])
    if len(texts) < 2:
        return np.full(len(delta), NAN)
    if s["aligned_estimator"] == "gaussian":
        return gaussian(x[left], delta)
    count, sizes = np.zeros((len(texts), len(delta))), np.array([np.sum(text == e) for e in texts], float)
    for n, e in enumerate(texts):
        score = x[text == e] @ delta.T
        count[n] = np.sum(score > 0, 0) + 0.5 * np.sum(score == 0, 0)
    return disagreement(count, sizes)


def bin_of(head, b, grid, s, cap, mbar):
    """What is known of bin b: its row, and in `work` what else it takes to value it."""
    start, end, den = grid[b]
    q, k = head["query"], head["key"]
    mine = np.flatnonzero((q["t"] * den >= start) & (q["t"] * den < end))
    tau = (start + end) / (2 * den)
    seen, parts = parts_of(k, start, den, tau, head, b, s, cap)
    pairs = np.array([p for _, chosen in parts for p in chosen], int).reshape(-1, 2)
    text = q["e"][mine]
    row = dict(bin=b, start=start / den, end=end / den, tau=tau, queries=len(mine), n_texts=len(np.unique(text)), keys=len(seen),
               pairs=sum(len(p) for p, _ in parts), pairs_used=len(pairs), pairs_dropped=0, ap_aligned=NAN,
               ap_position_alone=NAN, exact=(start + end, 2 * den), work=None,
               reach=reference.reach(head, -(-start // den), -(-end // den)))
    if (len(mine) < max(2, s["min_queries"]) or row["n_texts"] < 2 or row["pairs"] < max(1, s["min_pairs"])
            or head["turning"] is None):
        return row
    delta = k["x"][pairs[:, 0]] - k["x"][pairs[:, 1]]
    x = aligned(head, mine, tau)
    pp = values_of(x, text, delta, s)
    kept = np.any(delta != 0, 1) & ~np.isnan(pp)
    row.update(pairs_used=int(kept.sum()), pairs_dropped=int((~kept).sum()))
    if kept.any():
        alone = values_of(mbar[mine], text, delta[kept], s)
        row.update(ap_aligned=average(pp[kept]), ap_position_alone=average(alone),
                   work=dict(mine=mine, x=x, text=text, pairs=pairs[kept], delta=delta[kept], pp=pp[kept]))
    return row


def without_group(row, head, group, s):
    """The bin's value when the texts of `group` are left out."""
    work = row["work"]
    if work is None:
        return NAN
    e = head["key"]["e"]
    left = ~np.isin(e[work["pairs"]], list(group)).any(1)
    pp = values_of(work["x"], work["text"], work["delta"][left], s, group)
    return row["ap_aligned"] if np.isnan(pp).all() else average(pp)


# ---------------------------------------------------------------- heads

def metrics(rows, L):
    found = reference.aggregates(rows, {"tau": "midpoint", "weights": "equal"}, L)
    return {"ap_aligned" + name.removeprefix("ap_overall").replace("ap_", "_", 1): value for name, value in found.items()}


def interval(whole, without, texts):
    """Delete-a-group jackknife: T -+ t(K-1) sqrt(sum (G / m_j - 1) (T_j - T)^2 / K)."""
    sizes, left = np.array([len(g) for g in without["groups"]], float), np.array(without["values"])
    if len(sizes) < 2 or math.isnan(whole) or np.isnan(left).any():
        return NAN, NAN
    half = stats.t.ppf(0.975, len(sizes) - 1) * math.sqrt(np.sum((texts / sizes - 1) * (left - whole) ** 2) / len(sizes))
    return float(whole - half), float(whole + half)


def analyze_head(head, s, cap, grid):
    """The head's row of heads.csv, its bins, and by group its values and bins without the group."""
    mbar = mean_queries(head) if head["turning"] else None
    rows = [bin_of(head, b, grid, s, cap, mbar) for b in range(len(grid))]
    out = dict(layer=head["layer"], head=head["head"])
    ends = dict(ap_overall=reference.aggregates(reference.plasticity(head, s, cap, grid)[1], s, cap["L"])["ap_overall"])
    valued = [dict(exact=r["exact"], ap=r["ap_aligned"], reach=r["reach"]) for r in rows]
    out.update(metrics(valued, cap["L"]))
    valid = [r for r in rows if not math.isnan(r["ap_aligned"])]
    out.update(ap_aligned_coverage=len(valid) / len(rows) if head["turning"] else NAN,
               ap_position_alone=plain_mean([r["ap_position_alone"] for r in valid]),
               ap_binning_excess=ends["ap_overall"] - out["ap_aligned"])
    without, bins = [], []
    for group in groups(s, cap["examples"]):
        values = [without_group(r, head, group, s) for r in rows]
        bins.append(values)
        without.append(metrics([dict(r, ap=v) for r, v in zip(valued, values)], cap["L"]))
    return out, rows, without, bins


def map_of(rows, head, s, cap):
    cells, t = {}, head["key"]["t"].tolist()
    cell = s["map_cell"] or cap["B"]
    for row in rows:
        if row["work"] is None:
            continue
        middle, den = row["exact"]
        for (i, j), pp in zip(row["work"]["pairs"].tolist(), row["work"]["pp"].tolist()):
            up = (middle * 2 - den * (t[i] + t[j])) // (2 * den * cell)
            cells.setdefault((abs(t[i] - t[j]) // cell, up), []).append(pp)
    return [dict(distance_cell=c, midpoint_cell=up, pairs=len(v), pp=plain_mean(v)) for (c, up), v in sorted(cells.items())]


def mean_over(rows, column):
    return plain_mean([r[column] for r in rows if not math.isnan(r[column])])


def analyze(cap, extra=None, **settings):
    """extra(head, rows, s, cap, grid) -> columns of heads.csv and tables beside these."""
    s = {**DEFAULTS, **settings}
    grid = reference.bins_of(cap, {**s, "bins": 32} if s["bins"] == "density" else s)
    split = groups(s, cap["examples"])
    names = "heads layers model profile profile_aligned lengths map_aligned jackknife jackknife_profile texts".split()
    tables = {name: [] for name in names}
    samples = []  # [head][group] -> metrics
    every_bins = []  # [head][group][bin]
    for head in used_heads(cap, s):
        name = dict(layer=head["layer"], head=head["head"])
        out, rows, without, bins = analyze_head(head, s, cap, grid)
        samples.append(without)
        every_bins.append(bins)
        for column in WITH_INTERVAL:
            out[column + "_low"], out[column + "_high"] = interval(
                out[column], dict(groups=split, values=[w[column] for w in without]), cap["examples"])
        for b, row in enumerate(rows):
            low, high = interval(row["ap_aligned"], dict(groups=split, values=[v[b] for v in bins]), cap["examples"])
            line = {c: v for c, v in row.items() if c not in ("exact", "work")}
            tables["profile_aligned"].append({**name, **line, "ap_aligned_low": low, "ap_aligned_high": high,
                                              "ap_aligned_reach": row["ap_aligned"] * row["reach"]})
            if s["bins"] != "density":
                tables["profile"].append({**name, "bin": b, "n_texts": row["n_texts"], "ap_aligned": row["ap_aligned"],
                                          "ap_position_alone": row["ap_position_alone"]})
        tables["map_aligned"] += [{**name, **cell} for cell in map_of(rows, head, s, cap)]
        for low, high, _, ap in reference.lengths([dict(r, ap=r["ap_aligned"]) for r in rows], s, cap["L"]):
            tables["lengths"].append({**name, "from": low, "to": high, "ap_aligned": ap})
        for g, values in enumerate(without):
            tables["jackknife"].append({**name, "group": g, "texts": len(split[g]),
                                        **{c: v for c, v in values.items() if "decile" not in c}})
        if extra:
            columns, more = extra(head, rows, s, cap, grid)
            out.update(columns)
            for table, lines in more.items():
                tables.setdefault(table, []).extend({**name, **line} for line in lines)
        tables["heads"].append(out)
    for table, key in (("layers", lambda r: r["layer"]), ("model", lambda r: 0)):
        for group in sorted({key(r) for r in tables["heads"]}):
            members = [n for n, r in enumerate(tables["heads"]) if key(r) == group]
            line = {"layer": group} if table == "layers" else {}
            for column in WITH_INTERVAL:
                line[column] = mean_over([tables["heads"][n] for n in members], column)
                line[column + "_low"], line[column + "_high"] = interval(
                    line[column], dict(groups=split, values=[mean_over([samples[n][g] for n in members], column)
                                                             for g in range(len(split))]), cap["examples"])
            tables[table].append(line)
    for g, group in enumerate(split):
        for b in range(len(grid)):
            known = [bins[g][b] for bins in every_bins if not math.isnan(bins[g][b])]
            tables["jackknife_profile"].append(dict(group=g, texts=len(group), bin=b, ap_aligned=plain_mean(known)))
    for e, (name, tokens, sha256) in enumerate(zip(cap["ids"], cap["tokens"], cap["sha256"])):
        tables["texts"].append(dict(text=e, id=name, tokens=tokens, sha256=sha256, group=e % len(split)))
    return tables


# ---------------------------------------------------------------- the method's reference values

PRINTED = {  # bin from: queries, texts, pairs, aligned, gaussian, position alone
    256: (111, 14, 316, 0.512565432148, 0.511089642382, 0.73562840577),
    1024: (92, 13, 6194, 0.378146982324, 0.383657503544, 0.525023630363),
    2048: (82, 10, 24416, 0.42265015148, 0.419008171339, 0.533641416076),
    3840: (66, 7, 64786, 0.263194717577, 0.262476004196, 0.319100422931)}


def check():
    here = os.path.dirname(os.path.abspath(__file__))
    cap = read_capture(os.path.join(here, EXAMPLE))
    found = {e: analyze(cap, heads="L16H4", bins=16, pairs="all", aligned_estimator=e) for e in ("disagreement", "gaussian")}
    worst = 0.0

    def same(what, value, printed):
        nonlocal worst
        worst = max(worst, abs(value - printed))
        print(f"{what:<28} {value:.12f}  printed {printed:.12f}  {value - printed:+.1e}")
        assert abs(value - printed) <= 1e-9, what

    profile = {e: {r["start"]: r for r in t["profile_aligned"]} for e, t in found.items()}
    for start, (queries, texts, pairs, aligned_value, gaussian_value, alone) in PRINTED.items():
        row = profile["disagreement"][start]
        assert (row["queries"], row["n_texts"], row["pairs_used"]) == (queries, texts, pairs), start
        same(f"bin {start} aligned", row["ap_aligned"], aligned_value)
        same(f"bin {start} gaussian", profile["gaussian"][start]["ap_aligned"], gaussian_value)
        same(f"bin {start} position alone", row["ap_position_alone"], alone)
    head, normal = found["disagreement"]["heads"][0], found["gaussian"]["heads"][0]
    same("head aligned", head["ap_aligned"], 0.388422839496)
    same("head gaussian", normal["ap_aligned"], 0.38899319047)
    same("head position alone", head["ap_position_alone"], 0.513766920062)
    same("head first20", head["ap_aligned_first20"], 0.500189103118)
    same("head last20", head["ap_aligned_last20"], 0.283561857678)
    print(f"largest difference {worst:.1e}")


if __name__ == "__main__":
    check()
