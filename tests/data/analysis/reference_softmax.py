"""The softmax by position once more, independently, in NumPy, written from method.md, Softmax by position.

Run in this folder: python reference_softmax.py
writes softmax.json, which tests/analysis/test_softmax_positions.cpp compares. NumPy and SciPy as in versions.json.
"""
import json
import math
import os

import numpy as np
from scipy import stats

from reference_aligned import disagreement, interval
from reference_pairs import Pairs

NAN = math.nan
TOKENS, L, BINS, D, SEED, LAYER, HEAD = [96, 80, 96, 64], 96, 4, 6, 7, 2, 5
FREQUENCIES = np.array([0.9, 0.05])
SCALE, CAP = 0.4, 5.0
AP = [0.5, 0.35, 0.6, 0.3]
CASES = {"full": dict(window=0, chunked=False), "sliding": dict(window=30, chunked=False),
         "chunked": dict(window=36, chunked=True)}
VALUES = "sp sp_binned attention_pp entropy effective_keys sink_1 sink_4 sink_16 recent_16 recent_256 top_32 distance".split()


def rows(e, kind):
    """Vectors of text e; every number is exact in float32."""
    t, c = np.arange(TOKENS[e])[:, None], np.arange(D)[None, :]
    return ((t * t * (c + 3) + 31 * t * (kind + 1) + 17 * (e + 1) * (c + 1) ** 2 + 7 * c) % 101 - 50) / 32.0


def temperature(t):
    return 1 + 0.3 * math.log(1 + (t + 0.0) // 16)


def moved(x, t, to):
    """A query at t as it would stand at `to`: dimensions (0, 2) and (1, 3) turn."""
    angle = FREQUENCIES * (to - t)
    y = x.copy()
    y[:2], y[2:4] = x[:2] * np.cos(angle) - x[2:4] * np.sin(angle), x[2:4] * np.cos(angle) + x[:2] * np.sin(angle)
    return y * temperature(to) / temperature(t)


def first_key(t, case):
    if case["window"] == 0:
        return 0
    return t // case["window"] * case["window"] if case["chunked"] else max(0, t + 1 - case["window"])


def weights(q, keys):
    s = CAP * np.tanh(SCALE * keys @ q / CAP)
    a = np.exp(s - s.max())
    return a / a.sum()


def place_in(ends, at):
    return min(int(np.searchsorted(ends, at, side="right")), len(ends) - 1)


def drawn(a, generator):
    """Two different keys with a probability in proportion to the product of their weights."""
    def uniform():
        return (generator.next() >> 11) * 2.0 ** -53
    firsts, every = np.cumsum(a * (1 - a)), np.cumsum(a)
    i = place_in(firsts, uniform() * firsts[-1])
    at = uniform() * (every[-1] - a[i])
    j = place_in(every, at if at < (every[i - 1] if i else 0) else at + a[i])
    return i, j


def evaluated(e, b, per_bin):
    everything = [t for t in range(max(1, b * L // BINS), min(TOKENS[e], (b + 1) * L // BINS))]
    few = min(len(everything), per_bin)
    return [everything[(2 * k + 1) * len(everything) // (2 * few)] for k in range(few)]


def of_bin(b, case):
    """[text] -> value -> its numbers; attention_pp by left-out text."""
    per_bin = min(16, max(2, min(1024, max(32, 16384 // len(TOKENS))) // BINS))
    positions = [evaluated(e, b, per_bin) for e in range(len(TOKENS))]
    out = []
    for e, mine in enumerate(positions):
        queries, keys, found = rows(e, 0), rows(e, 1), {v: [] for v in VALUES}
        generator = Pairs(SEED, LAYER, HEAD, b, 0x736F6674, e)
        order = list(mine)
        for i in range(len(order), 1, -1):
            j = generator.below(i)
            order[i - 1], order[j] = order[j], order[i - 1]
        pairs = [sorted(order[i:i + 2]) for i in range(0, len(order) - 1, 2)]
        for t in mine:
            low = first_key(t, case)
            a, j = weights(queries[t], keys[low:t + 1]), np.arange(low, t + 1)
            entropy = -np.sum(a * np.log(a))
            found["entropy"].append(entropy)
            found["effective_keys"].append(math.exp(entropy) / len(a))
            for n in (1, 4, 16):
                found[f"sink_{n}"].append(a[j < n].sum())
            for n in (16, 256):
                found[f"recent_{n}"].append(a[j > t - n].sum())
            found["top_32"].append(np.sort(a)[::-1][:32].sum())
            found["distance"].append(np.sum(a * (t - j)))
            if pairs and t == pairs[0][0]:
                chosen = [drawn(a, generator) for _ in range(32)]
                delta = np.array([keys[low + x] - keys[low + y] for x, y in chosen])
                others = [o for o in range(len(TOKENS)) if o != e and positions[o]]
                count = {o: sum(((delta @ moved(rows(o, 0)[s], s, t)) > 0).astype(float) for s in positions[o]) for o in others}

                def pp(left):
                    kept = [o for o in others if o != left]
                    if len(kept) < 2:
                        return NAN
                    sizes = np.array([len(positions[o]) for o in kept], float)
                    return float(np.mean(disagreement(np.array([count[o] for o in kept]), sizes)))
                found["attention_pp"] = [{left: pp(left) for left in (-1, *range(len(TOKENS)))}]
        for early, late in pairs:
            low = first_key(late, case)
            if low > early:
                continue
            seen = keys[low:early + 1]
            a = weights(queries[early], seen)
            found["sp_binned"].append(1 - np.minimum(a, weights(queries[late], seen)).sum())
            found["sp"].append(1 - np.minimum(a, weights(moved(queries[late], late, early), seen)).sum())
        out.append(dict(found, queries=len(mine), pairs=len(found["sp"])))
    return out


def mean(values):
    known = [v for v in values if not math.isnan(v)]
    return float(np.mean(known)) if known else NAN


def value_of(texts, value, left):
    numbers = [n for e, text in enumerate(texts) if e != left for n in text[value]]
    return mean([n[left] if isinstance(n, dict) else n for n in numbers])


def case_of(case):
    bins = [of_bin(b, case) for b in range(BINS)]
    groups = [[e] for e in range(len(TOKENS))]
    sample = {}  # value -> [left][bin]
    for v in VALUES:
        whole = [value_of(texts, v, -1) for texts in bins]
        without = [[value_of(texts, v, e) for texts in bins] for e in range(len(TOKENS))]
        sample[v] = [whole] + [[w if math.isnan(x) else x for x, w in zip(row, whole)] for row in without]
    sample["ap_aligned"] = [AP] + [[ap + 0.01 * (e + 1) * (b - 1.5) for b, ap in enumerate(AP)] for e in range(len(TOKENS))]
    lines = []
    for b in range(BINS + 1):
        at = (lambda row: mean(row)) if b == BINS else (lambda row, b=b: row[b])
        line = dict(queries=sum(t["queries"] for texts in (bins if b == BINS else [bins[b]]) for t in texts),
                    query_pairs=sum(t["pairs"] for texts in (bins if b == BINS else [bins[b]]) for t in texts))
        for v in ["ap_aligned"] + VALUES:
            low, high = interval(at(sample[v][0]), dict(groups=groups, values=[at(row) for row in sample[v][1:]]), len(TOKENS))
            line[v] = [at(sample[v][0]), low, high]
        lines.append(line)
    rank = [float(stats.spearmanr(ap, sp)[0]) for ap, sp in zip(sample["ap_aligned"], sample["sp"])]
    return dict(case, rows=lines, correlation=rank, plasticity=[mean(row) for row in sample["sp"]])


def main():
    found = {name: case_of(case) for name, case in CASES.items()}
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "softmax.json"), "w") as f:
        json.dump(found, f)
        f.write("\n")


if __name__ == "__main__":
    main()
