#!/usr/bin/env python3
"""Aligned plasticity beside queries that stand at exactly one position, which need no alignment.

    plastiscope-cli capture ... --heads LIST --dense LIST --out CAPTURE
    plastiscope-cli analyze CAPTURE --out ANALYSIS --csv TABLES
    aligned_dense.py CAPTURE TABLES

At the midpoint of every bin that has an aligned value, one query of each text, as captured, is compared over 2,000 pairs
of keys of one text from before the bin. Prints, for each dense head, the aligned value with its interval over texts and the
mean over bins of the value at one position. Needs NumPy and h5py; written with NumPy 2.4.6 and h5py 3."""
import csv
import pathlib
import sys

import h5py
import numpy as np

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
    """Twice the share of pairs of texts whose queries at the position disagree, mean over pairs of keys before start."""
    texts = len(query)
    text, first, second = (random.integers(0, end, PAIRS) for end in (texts, start, start))
    apart = first != second
    difference = (key[text, first] - key[text, second])[apart]
    count = (query[:, position] @ difference.T > 0).sum(axis=0)
    return np.mean(4 * count * (texts - count) / (texts * (texts - 1)))


def main(capture, tables):
    random = np.random.default_rng(0)
    bins = [row for row in rows_of(tables / "profile_aligned.csv") if row["ap_aligned"]]
    within = heads = 0
    with h5py.File(capture) as file:
        for head in rows_of(tables / "heads.csv"):
            group = file[f"layers/{int(head['layer']):02d}"]
            if f"dense_query/vectors/{int(head['head']):02d}" not in group:
                continue
            query = dense_vectors(group["dense_query"], int(head["head"]))
            key = dense_vectors(group["dense_key"], int(head["kv_head"]))
            exact = np.mean([at_one_position(query, key, int(row["start"]), int(float(row["tau"])), random) for row in bins
                             if (row["layer"], row["head"]) == (head["layer"], head["head"])])
            low, high = float(head["ap_aligned_low"]), float(head["ap_aligned_high"])
            heads, within = heads + 1, within + (low <= exact <= high)
            print(f"L{head['layer']}H{head['head']}: aligned {float(head['ap_aligned']):.3f} [{low:.3f}, {high:.3f}], "
                  f"at one position {exact:.3f}, binned {float(head['ap_overall']):.3f}")
    print(f"{within} of {heads} heads within the interval")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]))
