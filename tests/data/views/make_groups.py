"""A made-up heads table with missing values, and what NumPy and SciPy find about groups of its heads: the expected values
of tests/views/test_group_statistics.cpp. All orders are enumerated. Made with Python 3.11; versions are in groups.json.
Run in this folder: python make_groups.py
"""
import itertools
import json
import os
import sys

import numpy as np
import scipy
from scipy import stats

HERE = os.path.dirname(os.path.abspath(__file__))
LAYERS, HEADS, SHARE = 4, 6, 2  # two query heads share a key head
GROUPS = {"whole": ["L0H0", "L0H1", "L1H2", "L1H3", "L2H4", "L2H5"], "mixed": ["L0H0", "L1H2", "L1H3", "L3H5"],
          "other": ["L1H0", "L2H0", "L2H1", "L3H5"]}


def table():
    rng = np.random.default_rng(44)
    layer, head = (v.ravel() for v in np.mgrid[0:LAYERS, 0:HEADS])
    kv = head // SHARE
    common = np.repeat(rng.normal(size=layer.size // SHARE), SHARE)  # heads of a key head are alike
    names = [f"L{a}H{b}" for a, b in zip(layer, head)]
    inside = np.isin(names, GROUPS["whole"])
    ap = 0.5 + 0.05 * layer + 0.06 * common + 0.03 * rng.normal(size=layer.size) + 0.12 * inside
    drop = rng.normal(size=layer.size)
    drop[[3, 8, 17]] = np.nan
    return {"layer": layer, "head": head, "kv_head": kv, "ap_overall": ap, "ap_drop": drop}


def difference(x, inside, stratum):
    """Mean inside minus the mean outside, in which each stratum has the weight of its heads inside."""
    sums = weights = 0.0
    for s in np.unique(stratum):
        here = stratum == s
        a, b = x[here & inside], x[here & ~inside]
        if a.size and b.size:
            sums += a.size * (a.mean() - b.mean())
            weights += a.size
    return sums / weights


def label_orders(labels):
    return set(itertools.permutations(labels))


def share(x, orders_of, stratum, observed):
    """Share of all combinations of orders whose difference is at least as large."""
    count = all_ = 0
    for combination in itertools.product(*orders_of.values()):
        inside = np.zeros(x.size, bool)
        for members, labels in zip(orders_of, combination):
            for unit, label in zip(members, labels):
                inside[list(unit)] = label
        all_ += 1
        count += abs(difference(x, inside, stratum)) >= abs(observed) - 1e-12
    return count / all_ if all_ > 1 else None


def p_heads(x, inside, stratum):
    """Orders of heads: per stratum every choice of as many heads, as NumPy sums of combinations."""
    sides = [np.flatnonzero(stratum == s) for s in np.unique(stratum)]
    options = []
    for here in sides:
        n = int(inside[here].sum())
        options.append([(n * (x[list(c)].mean() - np.delete(x[here], [list(here).index(i) for i in c]).mean()) if n else 0.0)
                        for c in itertools.combinations(here, n)])
    total = np.zeros(1)
    for each in options:
        total = (total[:, None] + np.array(each)[None, :]).ravel()
    observed = difference(x, inside, stratum) * inside.sum()
    return float((np.abs(total) >= abs(observed) - 1e-12).mean()) if total.size > 1 else None


def p_key_heads(x, inside, stratum, key):
    classes = {}
    units = {k: tuple(np.flatnonzero(key == k)) for k in np.unique(key)}
    partly = {stratum[u[0]] for u in units.values() if 0 < inside[list(u)].sum() < len(u)}
    for unit in units.values():
        s = stratum[unit[0]]
        classes.setdefault((s, len(unit) if s in partly else 0), []).append(unit)
    orders = {}
    for (s, size), members in classes.items():
        labels = [tuple(inside[list(u)]) if size else (bool(inside[u[0]]),) for u in members]
        orders[tuple(members)] = label_orders(labels)
    return share(x, orders, stratum, difference(x, inside, stratum))


def interval(x, inside, stratum, key, draws=40000):
    rng = np.random.default_rng(1)
    units = [np.flatnonzero(key == k) for k in np.unique(key)]
    pools = {}
    for u in units:
        pools.setdefault(-1 if inside[u].any() else stratum[u[0]], []).append(u)
    if len(pools.get(-1, [])) < 2:
        return None
    found = []
    for _ in range(draws):
        rows = np.concatenate([pool[i] for pool in pools.values() for i in rng.integers(len(pool), size=len(pool))])
        with np.errstate(invalid="ignore"):
            found.append(difference(x[rows], inside[rows], stratum[rows])
                         if any(inside[rows[stratum[rows] == s]].any() and not inside[rows[stratum[rows] == s]].all()
                                for s in np.unique(stratum[rows])) else np.nan)
    return list(np.nanpercentile(found, [2.5, 97.5]))


def contrast(t, group, against, metric, other=None):
    names = np.array([f"L{a}H{b}" for a, b in zip(t["layer"], t["head"])])
    x, inside = t[metric], np.isin(names, GROUPS[group])
    keep = np.isfinite(x)
    if other:
        keep &= inside != np.isin(names, GROUPS[other])
    stratum = t["layer"] if against == "layers" else np.zeros_like(t["layer"])
    for s in np.unique(stratum):
        here = keep & (stratum == s)
        if inside[here].all() or not inside[here].any():
            keep &= stratum != s
    x, inside, stratum = x[keep], inside[keep], stratum[keep]
    key = (t["layer"] * 100 + t["kv_head"])[keep]
    d = difference(x, inside, stratum)
    n = int(inside.sum())
    pooled = np.sqrt(((n - 1) * x[inside].var(ddof=1) + (x.size - n - 1) * x[~inside].var(ddof=1)) / (x.size - 2))
    return {"group": group, "against": other or against, "metric": metric, "heads": n, "others": int(x.size - n),
            "key_heads": int(np.unique(key[inside]).size), "mean": x[inside].mean(), "difference": d,
            "effect": d / pooled, "p": p_heads(x, inside, stratum), "p_key_heads": p_key_heads(x, inside, stratum, key),
            "interval": interval(x, inside, stratum, key)}


def main():
    t = table()
    cases = [contrast(t, "whole", "layers", "ap_overall"), contrast(t, "whole", "layers", "ap_drop"),
             contrast(t, "mixed", "layers", "ap_overall"), contrast(t, "mixed", "layers", "ap_drop"),
             contrast(t, "whole", "rest", "ap_overall"), contrast(t, "other", "rest", "ap_drop"),
             contrast(t, "whole", "group", "ap_overall", "other"), contrast(t, "mixed", "group", "ap_drop", "other")]
    p = [0.03, None, 0.2, 0.004, 0.03, 0.9, 0.011]
    present = [v for v in p if v is not None]
    q = iter(stats.false_discovery_control(present))
    out = {"versions": {"numpy": np.__version__, "scipy": scipy.__version__},
           "table": {k: [None if v != v else v for v in np.asarray(c).tolist()] for k, c in t.items()},
           "groups": GROUPS, "contrasts": cases, "p": p, "q": [None if v is None else next(q) for v in p]}
    with open(os.path.join(HERE, "groups.json"), "w") as f:
        json.dump(out, f, indent=1)
        f.write("\n")


if __name__ == "__main__":
    sys.exit(main())
