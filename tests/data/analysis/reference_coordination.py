"""Coordination of key groups within layers: ICC(1) by least squares on dummy variables, p by trying every division of the heads
of a layer into groups of these sizes: coordination.json, the expected values of tests/analysis/test_head_groups.cpp. The
version of NumPy that made the committed file is in it. Run in this folder: python reference_coordination.py
"""
import itertools
import json
import math
import os

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))


def residual(y, labels):
    """Sum of squares and rank that dummy variables of the labels leave."""
    design = np.array([[float(label == one) for one in sorted(set(labels))] for label in labels])
    fit, _, rank, _ = np.linalg.lstsq(design, y, rcond=None)
    return float(np.sum((y - design @ fit) ** 2)), int(rank)


def icc_within_layers(y, layers, groups):
    """Henderson's method: expected squares of the groups after the layers, solved for the components."""
    of_layers, layer_rank = residual(y, layers)
    of_groups, group_rank = residual(y, list(zip(layers, groups)))
    msw = of_groups / (len(y) - group_rank)
    freedom = group_rank - layer_rank
    # trace of Z'MZ, M the projector beside the layers: what one unit of the groups' variance adds to their squares.
    cells = sorted(set(zip(layers, groups)))
    z = np.array([[float(c == cell) for cell in cells] for c in zip(layers, groups)])
    w = np.array([[float(a == one) for one in sorted(set(layers))] for a in layers])
    m = np.eye(len(y)) - w @ np.linalg.pinv(w)
    component = (of_layers - of_groups - freedom * msw) / np.trace(z.T @ m @ z)
    return component / (component + msw)


def divisions(items, sizes):
    if not sizes:
        yield []
        return
    for chosen in itertools.combinations(items, sizes[0]):
        for rest in divisions([i for i in items if i not in chosen], sizes[1:]):
            yield [chosen] + rest


def p_within_layers(y, layers, groups):
    parts, observed = [], 0.0
    for layer in sorted(set(layers)):
        rows = [i for i, one in enumerate(layers) if one == layer]
        names = sorted({groups[i] for i in rows})
        mean = float(np.mean(y[rows]))
        squares = lambda cells: sum(len(c) * (float(np.mean(y[list(c)])) - mean) ** 2 for c in cells)
        observed += squares([[i for i in rows if groups[i] == n] for n in names])
        sizes = [sum(groups[i] == n for i in rows) for n in names]
        parts.append([squares(cells) for cells in divisions(rows, sizes)])
    every = np.array([0.0])
    for part in parts:
        every = np.add.outer(every, part).ravel()
    return float(np.mean(every >= observed - 1e-12)), len(every)


def sample(seed, sizes, effect):
    """sizes: [layer][group]."""
    rng, y, layers, groups = np.random.default_rng(seed), [], [], []
    for layer, of_layer in enumerate(sizes):
        level = 3 * rng.normal()
        for group, size in enumerate(of_layer):
            shift = effect * rng.normal()
            for _ in range(size):
                y.append(round(level + shift + rng.normal(), 4))
                layers.append(layer)
                groups.append(group)
    p, exchanges = p_within_layers(np.array(y), layers, groups)
    return {"values": y, "layers": layers, "groups": groups, "icc": icc_within_layers(np.array(y), layers, groups),
            "p": p, "exchanges": exchanges}


if __name__ == "__main__":
    result = {"numpy": np.__version__,
              "samples": [sample(1, [[3, 3], [3, 3]], 1.5), sample(2, [[2, 3], [4], [2, 2, 2]], 0.0),
                          sample(10, [[3, 3, 3], [3, 3, 3]], 0.9)]}
    with open(os.path.join(HERE, "coordination.json"), "w") as f:
        json.dump(result, f, indent=1)
        f.write("\n")
