"""What a head looks at once more, independently, in NumPy, written from method.md, What a head looks at.

Run in this folder: python reference_attended.py
writes attended.json, which tests/jobs/test_attended.cpp compares. NumPy as in versions.json.
"""
import json
import os
import re

import numpy as np

TOKENS, L, SCALE, CAP = [96, 80, 96, 64], 96, 0.4, 5.0
T3 = 3.182446305284263  # Student's t of three degrees of freedom, 97.5 %
WORDS = ["<|start|>", " The", " keys", "ation", " of", ".", " 2024", ",", "\n", " It's", ".\n\n", " (see", ")", " row", "s", "  "]
TYPES = "word_start continuation number punctuation space other_script special".split()
PLACES = "first_token paragraph_start line_start sentence_start line_break sentence_end elsewhere".split()
SPACED = [t for t in range(L) if t % 3 != 1]  # positions of the captured rows
A, B = np.eye(6)[0], np.array([0, 0.6, 0.8, 0, 0, 0])
CASES = {"full": dict(window=0, dense=True), "sliding": dict(window=30, dense=True),
         "captured": dict(window=0, dense=False)}


def rows(e, kind):
    """Vectors of text e, as in reference_softmax.py; every number is exact in float32."""
    t, c = np.arange(TOKENS[e])[:, None], np.arange(6)[None, :]
    return ((t * t * (c + 3) + 31 * t * (kind + 1) + 17 * (e + 1) * (c + 1) ** 2 + 7 * c) % 101 - 50) / 32.0


def first_key(t, case):
    return max(0, t + 1 - case["window"]) if case["window"] else 0


def tokens(e):
    return [WORDS[0] if t == 0 else WORDS[1 + ((t * 7919 + e * 104729) * 2654435761 >> 7) % 15] for t in range(TOKENS[e])]


def classes(words):
    text, types, places = "", [], []
    for i, word in enumerate(words):
        before, text = text, text + word
        first = re.search(r"[A-Za-z0-9]", word)
        if re.fullmatch(r"<\|.*\|>", word):
            kind = "special"
        elif first and first.group().isdigit():
            kind = "number"
        elif first:
            lead = before + word[:first.start()]
            kind = "continuation" if re.search(r"[A-Za-z0-9]'?$", lead) else "word_start"
        else:
            kind = "punctuation" if word.strip() else "space"
        visible = re.search(r"\S", word)
        lead = before + (word[:visible.start()] if visible else word)
        gap = re.search(r"\s*$", lead).group()
        core = re.sub(r"[\"')\]]+$", "", word.strip())
        if i == 0:
            place = "first_token"
        elif visible and gap.count("\n") > 1:
            place = "paragraph_start"
        elif visible and gap.count("\n") == 1:
            place = "line_start"
        elif kind in ("word_start", "continuation", "number") and gap and re.search(r"[.!?][\"')\]]*\s+$", lead):
            place = "sentence_start"
        elif "\n" in word:
            place = "line_break"
        elif core and core[-1] in ".!?":
            place = "sentence_end"
        else:
            place = "elsewhere"
        types.append(kind)
        places.append(place)
    return types, places


def distance(d):
    return "0" if d == 0 else str(1 << (int(d).bit_length() - 1))


def fifth(t):
    return t * 5 // L


def queries(case):
    """One record per evaluated query."""
    for e, count in enumerate(TOKENS):
        q, k, words = rows(e, 0), rows(e, 1), tokens(e)
        types, places = classes(words)
        captured = range(count) if case["dense"] else [t for t in SPACED if t < count]
        for t in captured:
            seen = [j for j in captured if first_key(t, case) <= j <= t]
            if t == 0 or len(seen) < 2:
                continue
            raw = SCALE * k[seen] @ q[t]
            a, b = SCALE * (q[t] @ A) * (k[seen] @ A), SCALE * (q[t] @ B) * (k[seen] @ B)
            s = CAP * np.tanh(raw / CAP)
            w = np.exp(s - s.max())
            w /= w.sum()
            named = {"place": [places[j] for j in seen], "type": [types[j] for j in seen],
                     "distance": [distance(t - j) for j in seen]}
            yield dict(text=e, position=t, weights=w, seen=seen, named=named, top=int(np.argmax(w)),
                       entropy=float(-(w * np.log(w)).sum()),
                       variance=[float(np.var(x)) for x in (a, b, raw - a - b)])


def estimate(of_texts):
    """The ratio of the sums of [text] -> (numerator, denominator), with the jackknife's interval."""
    sums = np.array(of_texts, float)
    ratio = lambda rows: rows[:, 0].sum() / rows[:, 1].sum() if rows[:, 1].sum() > 0 else np.nan
    value, n = ratio(sums), len(sums)
    left = np.array([ratio(np.delete(sums, e, axis=0)) for e in range(n)])
    half = T3 * np.sqrt((n - 1) / n * ((left - value) ** 2).sum())
    return [value, value - half, value + half]


def result(case):
    every = list(queries(case))
    in_fifth = lambda q, f: f == 0 or fifth(q["position"]) == f - 1
    per_text = lambda chosen, of: [[sum(of(q)[i] for q in chosen if q["text"] == e) for i in (0, 1)]
                                   for e in range(len(TOKENS))]
    table = {}
    for grouping in ("place", "type", "distance"):
        for name in {n for q in every for n in q["named"][grouping]}:
            mask = lambda q: np.array([n == name for n in q["named"][grouping]])
            line = []
            for f in range(6):
                chosen = [q for q in every if in_fifth(q, f)]
                line.append(estimate(per_text(chosen, lambda q: (q["weights"][mask(q)].sum(), 1)))
                            + [np.mean([mask(q).mean() for q in chosen]), np.mean([mask(q)[q["top"]] for q in chosen])])
            table[f"{grouping} {name}"] = line
    def measure(name, of, only=lambda q: True):
        chosen = [[q for q in every if in_fifth(q, f) and only(q)] for f in range(6)]
        table[f"measure {name}"] = [estimate(per_text(c, of)) for c in chosen]
    measure("entropy", lambda q: (q["entropy"], 1))
    measure("relative_entropy", lambda q: (q["entropy"] / np.log(len(q["seen"])), 1))
    measure("first_token", lambda q: (q["weights"][0], 1), lambda q: q["seen"][0] == 0)
    for p, name in enumerate("a b rest".split()):
        measure(f"score_{name}", lambda q: (q["variance"][p], sum(q["variance"])))
    profiles = []
    for q in every:
        cells = {}
        for kind, back, w in zip(q["named"]["type"], q["named"]["distance"], q["weights"]):
            cells[kind, back] = cells.get((kind, back), 0) + w
        profiles.append(cells)
    agreement = []
    for q, cells in zip(every, profiles):
        same = [p for r, p in zip(every, profiles) if fifth(r["position"]) == fifth(q["position"])]
        mean = {cell: np.mean([p.get(cell, 0) for p in same]) for p in same for cell in p}
        if len(q["seen"]) >= 16:
            agreement.append([sum(min(w, mean[cell]) for cell, w in cells.items()), q["text"], q["position"]])
    agreement.sort(key=lambda each: -each[0])
    return dict(case, queries=len(every), table=table, high=agreement[0], low=agreement[-1])


if __name__ == "__main__":
    clean = lambda x: None if isinstance(x, float) and np.isnan(x) else x
    walk = lambda x: {k: walk(v) for k, v in x.items()} if isinstance(x, dict) else [walk(v) for v in x] if isinstance(x, list) else clean(float(x) if isinstance(x, np.floating) else x)
    content = {name: walk(result(case)) for name, case in CASES.items()}
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "attended.json"), "w") as f:
        json.dump(content, f, indent=1, sort_keys=True)
        f.write("\n")
