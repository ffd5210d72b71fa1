"""Attention of heads captured at every position: closed forms in loops, and the cells that the program draws."""

import csv
import math

import numpy as np
import pytest
from conftest import needs_program, needs_window, ps

from plastiscope.capture_format import CaptureContent, Example, LayerContent, RowSet, write_capture

SCALE = 0.4


def dense_capture(file, query, key, *, window=0, attention="full", softcap=0.0, words=("the ", "key ", "of ", "a ")):
    """A capture of one layer with query head 1 of 2, which reads key head 0, at every position of one text."""
    tokens, head_dim = query.shape
    some = np.arange(0, tokens, 4, dtype=np.int32)

    def rows(at, vectors):
        at = np.asarray(at, dtype=np.int32)
        none = np.zeros(len(at), dtype=np.int32)
        return RowSet(at, none, (at // max(1, tokens // 16)).astype(np.int32), vectors)

    sets = {
        "query": rows(some, {0: query[some] + 1, 1: query[some]}), "key": rows(some, {0: key[some]}),
        "dense_query": rows(range(tokens), {1: query}), "dense_key": rows(range(tokens), {0: key}),
    }  # fmt: skip
    layer = {"attention": attention, "window": window, "rope": False, "query_scale": False}
    if softcap:
        layer["score_softcap"] = softcap
    model = {
        "name": "planted", "source": "planted", "architecture": "llama", "fingerprint": "f" * 64, "layers": 1,
        "query_heads": 2, "key_heads": 1, "head_dim": head_dim, "rope": "{}", "config": "{}", "context_length": tokens,
    }  # fmt: skip
    capture = {
        "window": tokens, "sampler": "uniform", "bucket_size": max(1, tokens // 16), "rate": 4.0, "head_seed": 0,
        "point": "post-rope", "compute_dtype": "float32", "device": "cpu", "score_scale": SCALE,
    }  # fmt: skip
    text = Example("text", 0, (np.arange(tokens) % len(words)).astype(np.int32))
    pieces = {i: word.encode() for i, word in enumerate(words)}
    content = CaptureContent("test", {"window": tokens}, model, capture, [text], {0: LayerContent(layer, sets)},
                             half=False, pieces=pieces)  # fmt: skip
    write_capture(content, file)
    return file


CASES = {
    "full": {},
    "sliding": {"window": 9, "attention": "sliding"},
    "chunked": {"window": 16, "attention": "chunked", "softcap": 3.0},
}


@pytest.fixture(params=CASES)
def case(request, tmp_path):
    draw = np.random.default_rng(8)
    query, key = (draw.normal(size=(60, 6)).astype(np.float32) * 2 for _ in range(2))
    return dense_capture(tmp_path / "c.h5", query, key, **CASES[request.param]), query, key, CASES[request.param]


def test_attention_is_the_softmax_of_every_query(case):
    file, query, key, layer = case
    with ps.open(file) as study:
        values, queries, keys = study.attention("L0H1", "text", range(40, 50), range(30, 48))
        scores = study.attention("L0H1", quantity="score").values
    assert queries.tolist() == list(range(40, 50)) and keys.tolist() == list(range(30, 48))
    for i in queries.tolist():
        first = max(0, i + 1 - layer.get("window", 10**6))
        if layer.get("attention") == "chunked":
            first = i // 16 * 16
        logits = {j: SCALE * float(np.dot(query[i].astype(float), key[j].astype(float))) for j in range(first, i + 1)}
        if layer.get("softcap"):
            logits = {j: 3 * math.tanh(logit / 3) for j, logit in logits.items()}
        total = sum(math.exp(logit) for logit in logits.values())
        for j in keys.tolist():
            weight = math.exp(logits[j]) / total if j in logits else 0
            assert values[i - 40, j - 30] == pytest.approx(weight, abs=1e-12)
            assert scores[i, j] == pytest.approx(logits.get(j, -math.inf), abs=1e-9)


@needs_program
@needs_window
def test_the_figure_has_the_same_numbers(case, tmp_path):
    file = case[0]
    ps.analyze(file, out=tmp_path / "c.analysis.h5", threads=1)
    with ps.open(file) as study:
        weights = study.attention("L0H1").values
    ps.render(file, figure="attention", out=tmp_path / "a.svg", head="L0H1", cells="mean")
    with open(tmp_path / "a.csv", encoding="utf-8") as table:
        lines = list(csv.DictReader(line for line in table if not line.startswith("#")))
    assert len(lines) > 400
    for line in lines:
        query, key = int(line["query_from"]), int(line["key_from"])
        assert int(line["query_to"]) == query and int(line["key_to"]) == key
        assert float(line["mean"]) == pytest.approx(weights[query, key], rel=1e-4)


def test_sampled_heads_have_none(case):
    with ps.open(case[0]) as study, pytest.raises(ps.InputError, match="a head at every position"):
        study.attention("L0H0")
