"""Correlations with families as replicates and of many predictors at once, by brute force: families.json, the expected values
of tests/compare/test_family_correlation.cpp. Made with Python 3; the version of NumPy that made the committed file is in it.
Run in this folder: python make_families.py
"""
import itertools
import json
import math
import os

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))


def r_of(x, y):
    x, y = np.asarray(x, float), np.asarray(y, float)
    return float(np.corrcoef(x, y)[0, 1]) if np.ptp(x) > 0 and np.ptp(y) > 0 else math.nan


def family_orders(families, lengths):
    """Every index array that a permutation of all families leaves possible: blocks of equal lengths change places."""
    names = list(dict.fromkeys(families))
    blocks = {n: sorted((i for i, f in enumerate(families) if f == n), key=lambda i: lengths[i]) for n in names}
    for order in itertools.permutations(names):
        if any([lengths[i] for i in blocks[a]] != [lengths[i] for i in blocks[b]] for a, b in zip(names, order)):
            continue
        index = np.empty(len(families), int)
        for a, b in zip(names, order):
            index[blocks[a]] = blocks[b]
        yield index


def by_family(x, y, families, lengths=None):
    lengths = lengths or [0] * len(x)
    x, y, families = np.array(x), np.array(y), list(families)
    names = list(dict.fromkeys(families))
    observed = abs(r_of(x, y))
    rs = np.array([abs(r_of(x, y[index])) for index in family_orders(families, lengths)])
    without = [r_of(x[[f != n for f in families]], y[[f != n for f in families]]) for n in names]
    rng, drawn = np.random.default_rng(2), []
    rows = {n: np.flatnonzero([f == n for f in families]) for n in names}
    for _ in range(40000):
        chosen = np.concatenate([rows[names[i]] for i in rng.integers(len(names), size=len(names))])
        if len(set(chosen)) >= 3:
            drawn.append(r_of(x[chosen], y[chosen]))
    low, high = np.nanpercentile(drawn, [2.5, 97.5])
    return {"x": x.tolist(), "y": y.tolist(), "families": families, "lengths": lengths, "orders": len(rs),
            "p": float(np.mean(rs >= observed - 1e-12)), "without": without, "low": float(low), "high": float(high)}


def max_t(predictors, y):
    """Westfall and Young: strongest of all predictors over every order of the scores."""
    y = np.array(y)
    kept = [np.flatnonzero(np.isfinite(np.array(x, float))) for x in predictors]

    def strengths(order):
        shuffled = y[list(order)]
        return [math.atanh(min(abs(r_of(np.array(x)[k], shuffled[k])), 1 - 1e-8)) * math.sqrt(len(k) - 3)
                for x, k in zip(predictors, kept)]

    observed = strengths(range(len(y)))
    most = np.array([max(strengths(order)) for order in itertools.permutations(range(len(y)))])
    return [float(np.mean(most >= s - 1e-7)) for s in observed]


if __name__ == "__main__":
    rng = np.random.default_rng(39)
    nested = "a a b c c d e e f b".split()
    effect = {n: e for n, e in zip("abcdef", rng.normal(size=6))}
    x = [effect[n] + 0.3 * rng.normal() for n in nested]
    y = [0.8 * a + 0.5 * rng.normal() for a in x]
    lengths = [4, 8, 16] * 5
    families = [n for n in "abcde" for _ in range(3)]
    long_x, long_y = rng.normal(size=15).tolist(), rng.normal(size=15).tolist()
    shuffled = rng.permutation(15)
    pick = lambda values: [values[i] for i in shuffled]
    predictors = rng.normal(size=(4, 7))
    scores = (predictors[0] + 0.6 * rng.normal(size=7)).round(3)
    predictors = predictors.round(3).tolist()
    predictors[2][3] = None
    as_numbers = [[math.nan if v is None else v for v in row] for row in predictors]
    result = {"numpy": np.__version__,
              "samples": {"sizes": by_family(x, y, nested),
                          "lengths": by_family(pick(long_x), pick(long_y), pick(families), pick(lengths))},
              "max_t": {"predictors": predictors, "scores": scores.tolist(), "p": max_t(as_numbers, scores)}}
    with open(os.path.join(HERE, "families.json"), "w") as f:
        json.dump(result, f, indent=1)
        f.write("\n")
