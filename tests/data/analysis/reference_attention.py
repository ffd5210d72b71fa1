"""Attention maps of one head and text, independently, in NumPy, written from method.md, Attention maps.

Run in this folder: python reference_attention.py
writes attention.json, which tests/jobs/test_attention_map.cpp compares. NumPy as in versions.json.
"""
import json

import numpy as np

T, D, CELL, SCALE = 260, 6, 16, 0.4
CASES = {"full": dict(window=0, chunked=False, softcap=0.0), "sliding": dict(window=37, chunked=False, softcap=0.0),
         "chunked": dict(window=64, chunked=True, softcap=0.0), "capped": dict(window=0, chunked=False, softcap=5.0)}
ZOOM = (101, 125, 60, 90)  # queries, keys


def rows(kind):
    """Every number is exact in float32."""
    t, c = np.arange(T)[:, None], np.arange(D)[None, :]
    return ((t * t * (c + 3) + 31 * t * (kind + 1) + 17 * (c + 1) ** 2 + 7 * c) % 101 - 50) / 32.0


def seen(case):
    i, j = np.arange(T)[:, None], np.arange(T)[None, :]
    first = np.zeros_like(i)
    if case["window"] and case["chunked"]:
        first = i // case["window"] * case["window"]
    elif case["window"]:
        first = np.maximum(0, i + 1 - case["window"])
    return (first <= j) & (j <= i)


def cells(values, mask, size):
    """Largest and mean value of each cell's pairs; None without one."""
    most, mean = [], []
    for i in range(0, values.shape[0], size):
        for j in range(0, values.shape[1], size):
            part = values[i:i + size, j:j + size][mask[i:i + size, j:j + size]]
            most.append(None if part.size == 0 else float(part.max()))
            mean.append(None if part.size == 0 else float(part.mean()))
    return {"max": most, "mean": mean}


def result(case):
    score, mask = SCALE * rows(0) @ rows(1).T, seen(case)
    if case["softcap"]:
        score = case["softcap"] * np.tanh(score / case["softcap"])
    weight = np.where(mask, np.exp(score - np.where(mask, score, -np.inf).max(1, keepdims=True)), 0)
    weight /= weight.sum(1, keepdims=True)
    distance = np.arange(T)[:, None] - np.arange(T)[None, :]
    position = np.zeros_like(score)
    for d in range(T):
        at = mask & (distance == d)
        if at.any():
            position[at] = score[at].mean()
    share = 1 - ((score - position)[mask] ** 2).sum() / ((score[mask] - score[mask].mean()) ** 2).sum()
    a, b, c, d = ZOOM
    return {**case, "share": float(share), "zoom": cells(weight[a:b, c:d], mask[a:b, c:d], 1)["max"],
            **{name: cells(values, mask, CELL)
               for name, values in (("weight", weight), ("score", score), ("position", position))}}


if __name__ == "__main__":
    with open("attention.json", "w", encoding="utf-8") as file:
        text = json.dumps({name: result(case) for name, case in CASES.items()})
        file.write(json.dumps(json.loads(text, parse_float=lambda number: float(f"{float(number):.9g}"))))
        file.write("\n")
