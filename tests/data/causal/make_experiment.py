"""Statistics of intervention studies by NumPy and mpmath, written out from their definitions (method.md, Intervention
studies): the expected values of tests/causal/test_experiment.cpp. Versions are in experiment.json. Run in this folder:
python make_experiment.py
"""
import json
import platform

import mpmath
import numpy as np

MASK = (1 << 64) - 1
SEED, PURPOSE, FLIPS = 7, 0x7369676E, 9999


def mix64(v):
    v ^= v >> 30
    v = v * 0xBF58476D1CE4E5B9 & MASK
    v ^= v >> 27
    v = v * 0x94D049BB133111EB & MASK
    return v ^ v >> 31


def combine(s, v):
    s = (s ^ v) * 0x9E3779B97F4A7C15 & MASK
    return s ^ s >> 32


def words(seed):
    state = combine(combine(combine(0x243F6A8885A308D3, mix64(seed)), mix64(PURPOSE)), mix64(0))
    while True:
        state = (state + 0x9E3779B97F4A7C15) & MASK
        yield mix64(state)


def student(freedom):
    """The t with P(|T| <= t) = 0.95."""
    mpmath.mp.dps = 30
    tail = lambda t: mpmath.betainc(mpmath.mpf(freedom) / 2, 0.5, 0, freedom / (freedom + t * t), regularized=True)
    return float(mpmath.findroot(lambda t: tail(t) - 0.05, (2, 13), solver="anderson"))


def effect(x):
    n = len(x)
    left_out = np.array([np.delete(x, i).mean() for i in range(n)])
    error = np.sqrt((n - 1) / n * ((left_out - left_out.mean()) ** 2).sum())
    half = student(n - 1) * error
    reached = abs(x.sum()) * (1 - 1e-9)
    if n <= 14:
        signs = 1 - 2 * (np.arange(2 ** n)[:, None] >> np.arange(n) & 1)
        p = np.mean(abs(signs @ x) >= reached)
    else:
        bits = np.array([w for w, _ in zip(words(SEED), range(FLIPS))], dtype=np.uint64)
        signs = 1.0 - 2.0 * (bits[:, None] >> np.arange(n, dtype=np.uint64) & np.uint64(1)).astype(float)
        p = (1 + np.sum(abs(signs @ x) >= reached)) / (1 + FLIPS)
    return {"texts": x.tolist(), "mean": x.mean(), "low": x.mean() - half, "high": x.mean() + half, "p": float(p)}


def holm(p):
    order, least, adjusted = np.argsort(p, kind="stable"), 0.0, np.empty(len(p))
    for rank, i in enumerate(order):
        least = max(least, min(1.0, p[i] * (len(p) - rank)))
        adjusted[i] = least
    return adjusted


def main():
    rng = np.random.default_rng(43)
    p = np.array([0.01, 0.04, 0.03, 0.005, 0.9, 0.03])
    doses, values, draws = np.array([1, 2, 4, 8]), rng.normal(size=4), rng.normal(size=50)
    draws[3] = 0.25
    content = {
        "versions": {"python": platform.python_version(), "numpy": np.__version__, "mpmath": mpmath.__version__},
        "seed": SEED,
        "effects": [effect(rng.normal(0.4, 1, size=n)) for n in (2, 6, 12, 20)],
        "holm": {"p": p.tolist(), "adjusted": holm(p).tolist()},
        "slope": {"doses": doses.tolist(), "values": values.tolist(), "slope": float(np.polyfit(doses, values, 1)[0])},
        "draws": {"value": 0.25, "draws": draws.tolist(), "p": float((1 + np.sum(draws >= 0.25)) / 51)},
    }
    with open("experiment.json", "w", encoding="utf-8") as file:
        json.dump(content, file, indent=1)
        file.write("\n")


main()
