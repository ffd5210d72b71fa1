"""Heads and positions against those of Python's random and torch's generator (tests/data/capture/make_expected.py)."""

import json

import pytest
from conftest import DATA, ps

EXPECTED = json.loads((DATA / "capture" / "expected.json").read_text())


@pytest.mark.parametrize(
    "case", EXPECTED["samples"], ids=lambda case: f"{case['sampler']}-{case['example']}-{case['kind']}"
)
def test_positions(case):
    seed = ps.sample_seed(case["example"], case["layer"], {"q": "query", "k": "key"}[case["kind"]], case["sample_seed"])
    assert seed == case["seed"]
    rows = ps.sample_positions(case["sampler"], seed, case["length"], case["bucket_size"], case["rate"])
    assert rows.positions.tolist() == case["positions"]
    assert rows.buckets.tolist() == case["buckets"]


def test_ids():
    assert {text: ps.seed_id(text) for text in EXPECTED["text_ids"]} == EXPECTED["text_ids"]


@pytest.mark.parametrize("case", EXPECTED["heads"], ids=lambda case: case["model"])
def test_heads(case):
    chosen = ps.choose_heads(300, layers=case["layers"], query_heads=case["query_heads"], without_vectors=case["cross"])
    assert chosen == [tuple(head) for head in case["chosen"]]


def test_lists():
    assert ps.head_list("l3h0-2, L1H6,L3H1") == [(1, 6), (3, 0), (3, 1), (3, 2)]
    for wrong in ("", "L3", "L3H4-2", "H3L4", "L3H1;L4H1", "L-3H1"):
        with pytest.raises(ps.UsageError, match="is not understood"):
            ps.head_list(wrong)
    with pytest.raises(ps.UsageError, match="has a window"):
        ps.choose_heads("L1H0", layers=2, query_heads=1, windowed=[1])
    assert ps.choose_heads("L1H0", layers=2, query_heads=1, windowed=[1], all_layers=True) == [(1, 0)]
    with pytest.raises(ps.UsageError, match="no head is left"):
        ps.choose_heads("all", layers=2, query_heads=1, windowed=[0, 1])
