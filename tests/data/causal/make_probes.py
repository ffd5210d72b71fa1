"""Outcomes of probes, and what NumPy and SciPy make of them: the expected tables of tests/causal/test_probes.cpp. Made
with Python 3.11; versions are in probes.json. Run in this folder: python make_probes.py
"""
import json
import platform

import numpy as np
import scipy
from scipy import stats

rng = np.random.default_rng(43)
HEADS = [[0, 1], [2, 0]]


def needle(condition, replicate):
    shift = 0.5 if condition == "present" else 4.0
    tokens = 3
    nll = rng.gamma(2.0, shift / 2, tokens).astype(np.float32).astype(float)
    rank = np.where(nll < 1.0, 1, rng.integers(2, 400, tokens))
    hits = {head: int(rng.integers(0, tokens + 1)) for head in range(len(HEADS))} if condition == "present" else {}
    return dict(kind="needle", condition=condition, replicate=replicate, length=64, depth=0.5, distance=30 + replicate,
                scored=[61, 62, 63], copied=[31 - replicate + i if condition == "present" else -1 for i in range(tokens)],
                nll=nll.tolist(), rank=rank.tolist(), queries=tokens if condition == "present" else 0, hits=hits)


def text(replicate):
    scored = sorted(int(x) for x in rng.choice(np.arange(20, 400), 6 + replicate, replace=False))
    copied = [-1 if i % 3 == 0 else int(at - rng.integers(9, at)) for i, at in enumerate(scored)]
    nll = rng.gamma(2.0, 1.0, len(scored)).astype(np.float32).astype(float)
    found = sum(c >= 0 for c in copied)
    return dict(kind="text", condition="present", replicate=replicate, length=400, depth=0, distance=0, scored=scored,
                copied=copied, nll=nll.tolist(), rank=[int(1 + n) for n in nll], queries=found,
                hits={head: int(rng.integers(0, found + 1)) for head in range(len(HEADS))})


def jackknife(numerators, denominators):
    """Ratio of sums and its 95 % interval, leaving out one replicate at a time."""
    a, b = np.array(numerators, float), np.array(denominators, float)
    k, whole = len(a), a.sum() / b.sum()
    if k < 2:
        return whole, None, None
    without = np.array([np.delete(a, j).sum() / np.delete(b, j).sum() for j in range(k)])
    half = stats.t.ppf(0.975, k - 1) * np.sqrt((k - 1) / k * ((whole - without) ** 2).sum())
    return whole, whole - half, whole + half


def paired(first, other):
    """Difference of two means of equally weighted replicates: other minus first."""
    d = np.array(other) - np.array(first)
    half = stats.t.ppf(0.975, len(d) - 1) * d.std(ddof=1) / np.sqrt(len(d))
    return [d.mean(), d.mean() - half, d.mean() + half]


probes = [needle(condition, r) for r in range(6) for condition in ("present", "absent")] + [text(r) for r in range(4)]

rows = {}
for probe in probes:
    for at, copied, nll, rank in zip(probe["scored"], probe["copied"], probe["nll"], probe["rank"]):
        if probe["kind"] == "needle":
            key, distance = ("needle", probe["condition"], 0), probe["distance"]
        elif copied < 0:
            key, distance = ("text", "absent", -1), None
        else:
            key, distance = ("text", "present", int(np.floor(np.log2(at - copied)))), at - copied
        rows.setdefault(key, []).append((probe["replicate"], distance, nll, rank))

expected = []
for key in sorted(rows, key=lambda k: (k[0] != "needle", k[1] != "present", k[2])):
    replicate, distance, nll, rank = (np.array(x) for x in zip(*rows[key]))
    each = [replicate == r for r in np.unique(replicate)]
    mean, low, high = jackknife([nll[e].sum() for e in each], [e.sum() for e in each])
    right = sum(bool((rank[e] == 1).all()) for e in each)
    share = stats.binomtest(right, len(each)).proportion_ci(0.95, "wilson")
    expected.append(dict(
        kind=key[0], condition=key[1], length=64 if key[0] == "needle" else None, depth=0.5 if key[0] == "needle" else None,
        from_distance=None if distance[0] is None else int(distance.min()),
        to_distance=None if distance[0] is None else int(distance.max()), texts=len(each), tokens=len(nll), nll=mean, nll_low=low,
        nll_high=high, accuracy=right / len(each), accuracy_low=share.low, accuracy_high=share.high,
        token_accuracy=float((rank == 1).mean()), rank=float(np.median(rank))))

of = lambda condition: [p for p in probes if p["condition"] == condition and p["kind"] == "needle"]
loss = lambda condition: [np.mean(p["nll"]) for p in of(condition)]
right = lambda condition: [float(all(r == 1 for r in p["rank"])) for p in of(condition)]
benefit = dict(nll_benefit=paired(loss("present"), loss("absent")), accuracy_benefit=paired(right("absent"), right("present")))

retrieval = []
for kind in ("all", "needle", "text"):
    some = [p for p in probes if kind in ("all", p["kind"]) and p["queries"] > 0]
    names = sorted({p["replicate"] for p in some})
    total = lambda value: [sum(value(p) for p in some if p["replicate"] == r) for r in names]
    for head, (layer, number) in enumerate(HEADS):
        score, low, high = jackknife(total(lambda p: p["hits"][head]), total(lambda p: p["queries"]))
        retrieval.append(dict(kind=kind, layer=layer, head=number, queries=sum(p["queries"] for p in some), texts=len(names),
                              score=score, score_low=max(0, low), score_high=min(1, high)))

for probe in probes:
    probe["hits"] = [[*HEADS[head], count] for head, count in probe["hits"].items()]
with open("probes.json", "w") as file:
    json.dump(dict(versions=dict(python=platform.python_version(), numpy=np.__version__, scipy=scipy.__version__), given=probes,
                   probes=expected, benefit=benefit, retrieval=retrieval), file, indent=1)
    file.write("\n")
