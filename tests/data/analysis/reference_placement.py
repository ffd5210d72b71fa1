"""Placement and content, position and salience (aligned.md; method.md, Placement and salience), independently in NumPy.

make_aligned_captures.py runs it, by `both`. Conventions where the text leaves a choice:
- the pairs of a content bin are those that aligned plasticity kept; a difference of zero is a tie of all queries: PP = 1;
- a key at t of bin u is put at from_v + round((t - from_u) (start_v - from_v) / (start_u - from_u)), halves away from zero,
  in exact arithmetic; from = 0, in a layer with a window the first position that tau sees;
- T has a row and a column for every valid bin; with fewer than two of them there are no drops;
- statistics of a bin are of the rows whose position lies in it; mean_norm = mean of the norms;
- measured_score: mean of scale * q . k over query and key rows of one text, the key from `distance` to below the next
  row's distance before the query, and inside the layer's window; mean_field_over_pairs is the bias at their distances.
"""
import math
from fractions import Fraction

import numpy as np

from reference_aligned import aligned, average, unrotated, values_of
from reference_rope import turn
from reference_statistics import NAN, plain_mean


def value(x, text, delta, s):
    """AP of the differences; no difference is a tie."""
    moved = np.any(delta != 0, 1)
    pp = np.ones(len(delta))
    pp[moved] = values_of(x, text, delta[moved], s)
    return average(pp)


def edges(row, head, grid):
    """(first visible position, start) of a bin, exactly."""
    start, end, den = grid[row["bin"]]
    tau, window = Fraction(start + end, 2 * den), head["window"]
    return max(0, math.floor(tau - window) + 1) if window else 0, Fraction(start, den)


def placed(t, old, new):
    """Positions of keys at t of the prefix `old` in the prefix `new`."""
    found = [(int(p) - old[0]) * (new[1] - new[0]) / (old[1] - old[0]) for p in t]
    return np.array([new[0] + math.floor(r + Fraction(1, 2)) for r in found])  # r >= 0


def placement(head, rows, s, cap, grid):
    valid = [r for r in rows if r["work"] is not None]
    k, turning, table, T = head["key"], head["turning"], [], {}
    for u in valid:
        work = u["work"]
        for v in valid:
            at = placed(k["t"], edges(u, head, grid), edges(v, head, grid)) if v is not u else k["t"]
            if v is u:
                assert np.array_equal(placed(k["t"], edges(u, head, grid), edges(v, head, grid)), k["t"])
            keys = turning.R(k["x"], at - k["t"], k["e"])
            T[u["bin"], v["bin"]] = value(aligned(head, work["mine"], v["tau"]), work["text"],
                                          keys[work["pairs"][:, 0]] - keys[work["pairs"][:, 1]], s)
            table.append(dict(content_bin=u["bin"], position_bin=v["bin"], content_tau=u["tau"], position_tau=v["tau"],
                              ap=T[u["bin"], v["bin"]]))
        assert abs(T[u["bin"], u["bin"]] - u["ap_aligned"]) < 1e-12
    out = dict.fromkeys(("drop_placement", "drop_content", "drop_aligned_ends"), NAN)
    if len(valid) > 1:
        a, n = valid[0]["bin"], valid[-1]["bin"]
        out["drop_placement"] = ((T[a, a] - T[a, n]) + (T[n, a] - T[n, n])) / 2
        out["drop_content"] = ((T[a, a] - T[n, a]) + (T[a, n] - T[n, n])) / 2
        out["drop_aligned_ends"] = T[a, a] - T[n, n]
    return out, {"placement": table, "placement_bins": bin_statistics(head, rows, grid)}


def bin_statistics(head, rows, grid):
    valid = [r["bin"] for r in rows if r["work"] is not None]
    table = []
    for kind in ("query", "key"):
        x, t, e = unrotated(head, kind), head[kind]["t"], head[kind]["e"]

        def members(b, odd=None):
            start, end, den = grid[b]
            inside = (t * den >= start) & (t * den < end)
            return x[inside if odd is None else inside & (e % 2 == odd)]

        def mean_moved(b, odd):
            here, first = members(b, odd), members(valid[0], odd)
            return here.mean(0) - first.mean(0) if len(here) and len(first) else np.full(x.shape[1], NAN)

        for row in rows:
            mine = members(row["bin"])
            total = ratio = drift = NAN
            if len(mine) > 1:
                c = np.cov(mine, rowvar=False, ddof=1)
                total, ratio = float(np.trace(c)), float(np.trace(c) ** 2 / np.sum(c * c))
            if valid:
                cross = float(mean_moved(row["bin"], 0) @ mean_moved(row["bin"], 1))
                drift = math.copysign(math.sqrt(abs(cross)), cross) if not math.isnan(cross) else NAN
            table.append(dict(bin=row["bin"], kind=kind, tau=row["tau"], rows=len(mine),
                              mean_norm=average(np.linalg.norm(mine, axis=1)), total_variance=total,
                              participation_ratio=ratio, mean_drift=drift))
    return sorted(table, key=lambda r: (r["bin"], r["kind"] == "key"))


def position_share(x, part, t):
    """Share of the variance of x that `part` has, and what of `part` is linear in t."""
    t = t.astype(float)
    cov = (part - part.mean(0)).T @ (t - t.mean()) / len(t)
    total = np.sum(x.var(0))
    return float(np.sum(part.var(0)) / total), float(cov @ cov / np.var(t) / total)


def salience(head, rows, s, cap, grid):
    q, k, turning = head["query"], head["key"], head["turning"]
    tq, tk, eq, ek = q["t"], k["t"], q["e"], k["e"]
    own_q, own_k = unrotated(head, "query"), unrotated(head, "key")
    m_q, m_k = own_q.mean(0), own_k.mean(0)
    same, one, ap = [], [], []
    for row in rows:
        if row["work"] is None:
            continue
        work = row["work"]
        i, j = work["pairs"].T
        middle = (tk[i] + tk[j]) / 2
        ap.append(row["ap_aligned"])
        # equal keys at one place differ by nothing; what does not turn is equal at both places
        both = turning.R(k["x"][i], middle - tk[i], ek[i]) - turning.R(k["x"][j], middle - tk[j], ek[j])
        same.append(value(work["x"], work["text"], both, s))
        first = k["x"][i] - turning.R(k["x"][i], tk[j] - tk[i], ek[i])
        second = turning.R(k["x"][j], tk[i] - tk[j], ek[j]) - k["x"][j]
        one.append((value(work["x"], work["text"], first, s) + value(work["x"], work["text"], second, s)) / 2)
    ap, same, one = (plain_mean(v) for v in (ap, same, one))
    out = dict(ap_same_position=same, ap_one_vector=one, rigidity_position=((1 - one) + (1 - ap) - (1 - same)) / 2,
               rigidity_salience=((1 - same) + (1 - ap) - (1 - one)) / 2)
    part_q = turning.R(m_q, tq, eq)
    out["position_variance_q"], out["position_linear_q"] = position_share(q["x"], part_q, tq)
    out["position_variance_k"], out["position_linear_k"] = position_share(k["x"], turning.R(m_k, tk, ek), tk)
    table = []
    apart = tq[:, None] - tk[None, :]
    seen = (eq[:, None] == ek[None, :]) & (apart >= 0) & ((apart < head["window"]) if head["window"] else True)
    scores = cap["scale"] * q["x"] @ k["x"].T

    def bias(distance):
        return cap["scale"] * float(m_q @ turn(m_k[None, :], -distance * turning.whole[None, :], turning.interleaved)[0])

    distances = [0] + [2 ** n for n in range(64) if 2 ** n < cap["L"]]
    for distance, end in zip(distances, distances[1:] + [cap["L"] + 1]):
        met = seen & (apart >= distance) & (apart < end)
        at, times = np.unique(apart[met], return_counts=True)
        expected = float(np.array([bias(d) for d in at]) @ times / times.sum()) if len(at) else NAN
        table.append(dict(distance=distance, mean_field_bias=bias(distance), measured_score=plain_mean(scores[met].tolist()),
                          mean_field_over_pairs=expected, measured_pairs=int(met.sum())))
    return out, {"salience": table}


def both(head, rows, s, cap, grid):
    """For reference_aligned.analyze: what the settings placement and salience ask for."""
    columns, tables = {}, {}
    for name, part in (("placement", placement), ("salience", salience)):
        if s[name] == "on":
            more, lines = part(head, rows, s, cap, grid)
            columns.update(more)
            tables.update(lines)
    return columns, tables
