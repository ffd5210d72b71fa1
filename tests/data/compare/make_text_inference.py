"""Values of heads without each group of texts, and what NumPy and SciPy find of their differences: the expected values of
tests/compare/test_text_inference.cpp. Made with Python 3.11; versions are in text_inference.json. Run in this folder:
python make_text_inference.py
"""
import itertools
import json
import os
import sys

import numpy as np
import scipy
from scipy import stats

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "analysis"))
from reference_pairs import Pairs  # noqa: E402

HEADS, METRICS, MARGIN, FLIPS = 6, ["ap_aligned", "ap_aligned_drop", "r_q"], 0.02, 10000


def capture(rng, texts, groups, prefix, shift):
    """Means over texts of numbers that have an effect of the head, of the text, and of both."""
    group = np.arange(texts) % groups
    values = {}
    for i, metric in enumerate(METRICS):
        x = (0.4 + 0.1 * rng.normal(size=(HEADS, 1)) + 0.02 * rng.normal(size=(1, texts)) + 0.03 * rng.normal(size=(HEADS, texts))
             + shift[i])
        values[metric] = dict(all=x.mean(axis=1), without=np.stack([x[:, group != g].mean(axis=1) for g in range(groups)], axis=1))
    return dict(texts=[f"{prefix}{e}" for e in range(texts)], group=group, values=values)


def weights(one):
    size = np.bincount(one["group"])
    return len(one["group"]) / size - 1


def parts(first, other, metric):
    """Per set of texts: weights, distances [heads, groups] and values [heads], which sum to the difference."""
    a, b = first["values"][metric], other["values"][metric]
    apart = lambda v: v["all"][:, None] - v["without"]
    if first["texts"] == other["texts"]:
        return [(weights(first), apart(b) - apart(a), b["all"] - a["all"])]
    return [(weights(first), -apart(a), -a["all"]), (weights(other), apart(b), b["all"])]


def interaction(w, apart, value):
    pseudo = value[:, None] + w * apart
    rest = pseudo - pseudo.mean(axis=1, keepdims=True) - pseudo.mean(axis=0) + pseudo.mean()
    h, k = pseudo.shape
    return (rest ** 2).sum() / ((h - 1) * (k - 1)) / (h * k)


def test(first, other, metric, crossed):
    sets = parts(first, other, metric)
    d = sum(value for _, _, value in sets)
    terms = [((w * apart.mean(axis=0) ** 2).mean(), len(w) - 1) for w, apart, _ in sets]
    variance = sum(v for v, _ in terms)
    if crossed:
        heads, both = d.var(ddof=1) / len(d), sum(interaction(*s) for s in sets)
        least = max(variance, heads)
        terms += [(heads, len(d) - 1), (-both, (len(d) - 1) * sum(len(w) - 1 for w, _, _ in sets))]
        variance = max(variance + heads - both, least)
    freedom = variance ** 2 / sum(v ** 2 / f for v, f in terms)
    error, mean = np.sqrt(variance), d.mean()
    t = stats.t(freedom)
    low, high = mean - error * t.ppf(0.975), mean + error * t.ppf(0.975)
    margin = MARGIN if metric.startswith("ap_") else None
    equivalent = None if margin is None else max(t.sf((mean + margin) / error), t.cdf((mean - margin) / error))
    verdict = "different" if low > 0 or high < 0 else \
        "equivalent within 0.02" if margin is not None and equivalent <= 0.05 else "no difference shown"
    return dict(mean_difference=mean, freedom=freedom, low=low, high=high, p=2 * t.sf(abs(mean) / error),
                equivalent_p=equivalent, verdict=verdict)


def largest_t(sets, signs):
    mean, variance, start = 0, 0, 0
    for pseudo in sets:  # [tests, groups]
        k = pseudo.shape[1]
        flipped = pseudo * signs[start:start + k]
        mean = mean + flipped.mean(axis=1)
        variance = variance + flipped.var(axis=1, ddof=1) / k
        start += k
    return np.abs(mean) / np.sqrt(variance)


def max_t(sets):
    groups = sum(s.shape[1] for s in sets)
    observed = largest_t(sets, np.ones(groups))
    if len(sets) > 1:
        sets = [s - s.mean(axis=1, keepdims=True) for s in sets]
    if groups <= 12:
        signs = [np.array(s) for s in itertools.product([1, -1], repeat=groups)]
    else:
        generator = Pairs(0, 0x666C6970)
        signs = []
        for _ in range(FLIPS):
            bits = 0
            for g in range(0, groups, 64):
                bits |= generator.next() << g
            signs.append(np.array([-1 if bits >> g & 1 else 1 for g in range(groups)]))
    reached = np.array([largest_t(sets, s).max() for s in signs])
    counts = (reached[:, None] >= observed * (1 - 1e-9)).sum(axis=0)
    return counts / len(signs) if groups <= 12 else (counts + 1) / (len(signs) + 1)


def case(first, other):
    tests = {m: test(first, other, m, False) for m in METRICS}
    sets = [[] for _ in parts(first, other, METRICS[0])]
    for metric in METRICS:
        for i, (w, apart, value) in enumerate(parts(first, other, metric)):
            sets[i].append(value.mean() + w * apart.mean(axis=0))
    for metric, p in zip(METRICS, max_t([np.array(s) for s in sets])):
        tests[metric]["p_adjusted"] = max(p, tests[metric]["p"])
    heads = max_t([value[:, None] + w * apart for w, apart, value in parts(first, other, "ap_aligned")])
    return dict(first=first, other=other, texts=tests, crossed={m: test(first, other, m, True) for m in METRICS},
                heads_p_adjusted=heads)


if __name__ == "__main__":
    rng = np.random.default_rng(39)
    same = capture(rng, 10, 10, "a", (0, 0, 0)), capture(rng, 10, 10, "a", (0.002, 0.05, 0.03))
    different = capture(rng, 7, 7, "b", (0, 0, 0)), capture(rng, 31, 15, "c", (0.02, 0, -0.1))
    p = [0.04, 0.001, None, 0.03, 0.5, 0.0125]
    known = sorted((v, i) for i, v in enumerate(p) if v is not None)
    holm, least = [None] * len(p), 0
    for k, (v, i) in enumerate(known):
        least = holm[i] = max(least, min(1, v * (len(known) - k)))
    expected = {"numpy": np.__version__, "scipy": scipy.__version__, "same": case(*same), "different": case(*different),
                "holm": {"p": p, "adjusted": holm}}
    with open(os.path.join(HERE, "text_inference.json"), "w") as f:
        json.dump(expected, f, default=lambda v: v.tolist())
        f.write("\n")
