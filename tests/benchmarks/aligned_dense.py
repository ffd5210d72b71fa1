#!/usr/bin/env python3
"""Compares aligned plasticity with queries at exactly one position, which need no alignment.

    plastiscope-cli capture ... --heads LIST --dense LIST --out CAPTURE
    plastiscope-cli analyze CAPTURE --out ANALYSIS --csv TABLES
    aligned_dense.py CAPTURE TABLES

At the midpoint of every bin that has an aligned value, one query of each text, as captured, is compared over 2,000 pairs
of keys of one text from before the bin. Prints, for each dense head, the aligned value with its interval over texts, the
mean over bins of the value at one position, and their difference with the interval of its own jackknife: each text is left
out of both. Needs NumPy, SciPy and h5py; written with NumPy 2.4.6, SciPy 1.18 and h5py 3."""
import csv
import pathlib
import sys

import h5py
import numpy as np
from scipy.stats import t as student

PAIRS = 2000


def rows_of(table):
    with open(table, newline="") as file:
        return list(csv.DictReader(file))


def dense_vectors(group, head):
    """(texts, window, head_dim), by text and position."""
    example, position = group["example"][()], group["position"][()]
    vectors = np.zeros((example.max() + 1, position.max() + 1, group[f"vectors/{head:02d}"].shape[1]), np.float32)
    vectors[example, position] = group[f"vectors/{head:02d}"][()]
    return vectors


def at_one_position(query, key, start, position, random):
    """Twice the share of pairs of texts whose queries at the position disagree, mean over pairs of keys before start: for
    all texts, then without each text."""
    texts = len(query)
    text, first, second = (random.integers(0, end, PAIRS) for end in (texts, start, start))
    apart = first != second
    text, difference = text[apart], (key[text, first] - key[text, second])[apart]
    sides = query[:, position] @ difference.T > 0
    values = []
    for left_out in [None, *range(texts)]:
        stay = [e for e in range(texts) if e != left_out]
        count = sides[stay].sum(axis=0)[text != left_out] if left_out is not None else sides.sum(axis=0)
        values.append(np.mean(4 * count * (len(stay) - count) / (len(stay) * (len(stay) - 1))))
    return values


def interval_of_difference(whole, without):
    """95 % interval of a difference, from the difference without each text (Tukey 1958)."""
    pseudo = len(without) * whole - (len(without) - 1) * np.asarray(without)
    half = student.ppf(0.975, len(pseudo) - 1) * pseudo.std(ddof=1) / len(pseudo) ** 0.5
    return pseudo.mean() - half, pseudo.mean() + half


def main(capture, tables):
    random = np.random.default_rng(0)
    bins = [row for row in rows_of(tables / "profile_aligned.csv") if row["ap_aligned"]]
    jackknife = rows_of(tables / "jackknife.csv")
    within = equal = heads = 0
    with h5py.File(capture) as file:
        for head in rows_of(tables / "heads.csv"):
            group = file[f"layers/{int(head['layer']):02d}"]
            if f"dense_query/vectors/{int(head['head']):02d}" not in group:
                continue
            query = dense_vectors(group["dense_query"], int(head["head"]))
            key = dense_vectors(group["dense_key"], int(head["kv_head"]))
            mine = lambda row: (row["layer"], row["head"]) == (head["layer"], head["head"])
            exact, *without = np.mean([at_one_position(query, key, int(row["start"]), int(float(row["tau"])), random)
                                       for row in filter(mine, bins)], axis=0)
            aligned, low, high = (float(head[name]) for name in ("ap_aligned", "ap_aligned_low", "ap_aligned_high"))
            left, right = interval_of_difference(
                aligned - exact, [float(row["ap_aligned"]) - value for row, value in zip(filter(mine, jackknife), without)])
            heads, within, equal = heads + 1, within + (low <= exact <= high), equal + (left <= 0 <= right)
            print(f"L{head['layer']}H{head['head']}: aligned {aligned:.3f} [{low:.3f}, {high:.3f}], at one position {exact:.3f}, "
                  f"difference {aligned - exact:.3f} [{left:.3f}, {right:.3f}], binned {float(head['ap_overall']):.3f}")
    print(f"{within} of {heads} heads within the interval of the aligned value; no difference shown in {equal}")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]))
