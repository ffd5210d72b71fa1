"""One-dimensional statistics in plain NumPy, with the method's rules for constant and missing values."""
import math

import numpy as np

NAN = float("nan")


def constant(x):
    return len(x) == 0 or np.var(x) <= 1e-24 * np.mean(x * x) or not np.any(x)


def pearson(x, y, otherwise=NAN):
    if len(x) < 2 or constant(x) or constant(y):
        return otherwise
    dx, dy = x - x.mean(), y - y.mean()
    return float(np.mean(dx * dy) / math.sqrt(np.mean(dx * dx) * np.mean(dy * dy)))


def slope(x, t):
    if len(x) < 2 or constant(t - 0.0) or np.var(t) == 0:
        return NAN
    if constant(x):
        return 0.0
    dt = t - t.mean()
    return float(np.sum(dt * (x - x.mean())) / np.sum(dt * dt))


def plain_mean(values):
    return math.fsum(values) / len(values) if values else NAN


def percentile(values, share):
    known = sorted(v for v in values if not math.isnan(v))
    if not known:
        return NAN
    place = (len(known) - 1) * share
    low = math.floor(place)
    high = min(low + 1, len(known) - 1)
    return known[low] + (place - low) * (known[high] - known[low])
