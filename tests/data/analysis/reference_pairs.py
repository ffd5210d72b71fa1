"""Which key pairs of a bin are drawn, bit for bit, and the plasticity of one of them (method.md, Key pairs)."""
import math

import numpy as np

MASK = (1 << 64) - 1


def bucket_of(t, cap):
    if not cap["log"]:
        return t // cap["B"]
    return max((cap["B"] - 1).bit_length(), (t + 1).bit_length() - 1)


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
    def __init__(self, *keys):
        """keys: what the numbers are for, e.g. seed, layer, head, bin."""
        s = 0x243F6A8885A308D3
        for value in keys:
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


def key_order(k):
    """Row indices sorted by example, then position; `copy` tells the copies of an example apart."""
    copy = k.get("copy", np.zeros(len(k["t"]), int))
    return sorted(range(len(k["t"])), key=lambda i: (k["e"][i], copy[i], k["t"][i], i))


def admissible(k, rows, s, cap):
    """Pairs of the ordered rows, in the order of their ranks."""
    t, e = k["t"].tolist(), k["e"].tolist()
    copy = k["copy"].tolist() if "copy" in k else [0] * len(t)
    cross, reach = s["pair_scope"] == "cross_example", s["max_distance"] or cap["L"]
    out = []
    for n, i in enumerate(rows):
        for j in rows[n + 1:]:
            if (e[i] == e[j] and copy[i] == copy[j]) or (cross and e[i] != e[j]):
                if 0 < abs(t[i] - t[j]) <= reach:
                    out.append((i, j))
    return out


def parts_of(k, start, den, tau, head, b, s, cap):
    """Eligible keys, and [(admissible pairs, selected pairs)]: one entry, or one a key bucket."""
    window = head["window"]
    seen = [i for i in key_order(k) if k["t"][i] * den < start and (window == 0 or tau - k["t"][i] < window)]
    if s["pair_scope"] == "same_bucket":
        numbers = sorted({bucket_of(int(k["t"][i]), cap) for i in seen})
        groups = [(n, [i for i in seen if bucket_of(int(k["t"][i]), cap) == n]) for n in numbers]
    else:
        groups = [(None, seen)]
    parts = []
    for number, rows in groups:
        pairs = admissible(k, rows, s, cap)
        generator = Pairs(s["seed"], head["layer"], head["head"], b)
        if number is not None:
            generator.s = combine(generator.s, mix64(number))
        if s["prefix"] == "random":
            parts.append((pairs, random_prefix(k, pairs, start, den, generator, s["pairs"])))
        elif s["pairs"] == "all" or s["pairs"] >= len(pairs):
            parts.append((pairs, pairs))
        else:
            parts.append((pairs, [pairs[r] for r in generator.floyd(len(pairs), s["pairs"])]))
    return seen, parts


def random_prefix(k, pairs, start, den, generator, count):
    chosen, t = [], k["t"].tolist()
    for _ in range(count if pairs else 0):
        for _ in range(1001):
            n = 1 + generator.below(-(-start // den))
            inside = [(i, j) for i, j in pairs if t[i] < n and t[j] < n]
            if inside:
                chosen.append(inside[generator.below(len(inside))])
                break
    return chosen


def value_of(delta, raw, x, y, model, mean, var, position, s):
    """PP of one pair; None when degenerate. delta: reflected, raw: as captured; x, y: queries of the bin."""
    if not np.any(raw):
        return None
    if s["variance"] == "empirical":
        score, n = x @ raw, len(x)
        p = (np.sum(score > 0) + 0.5 * np.sum(score == 0)) / n
        return 4 * p * (1 - p) * n / (n - 1)
    if s["variance"] == "full":
        score = x @ raw
        m, v = score.mean(), score.var(ddof=1)
    else:
        v = delta[0] ** 2 * model["sigma"] + np.sum(delta[1:] ** 2 * var)
        m = delta[0] * (model["alpha_pos"] + model["beta_pos"] * position) + delta[1:] @ mean
    q2 = float(np.mean(np.sum(x ** 2, 1)))
    if not math.isfinite(v) or v <= 1e-24 * float(raw @ raw) * q2:
        return None
    z = m / math.sqrt(v)
    return math.erfc(z / math.sqrt(2)) * math.erfc(-z / math.sqrt(2))
