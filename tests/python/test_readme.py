"""The Python of the package's own page (app/python/README.md), run as it stands there."""

import os
import re
import types

import numpy as np
import pytest
from conftest import ROOT, needs_program, needs_window, ps

BLOCKS = re.findall(r"^```python\n(.*?)^```", (ROOT / "app/python/README.md").read_text(), re.M | re.S)
COMMANDS, WINDOW, LIVE, LENS = BLOCKS  # WINDOW: test_window.py


@needs_program
@needs_window
def test_commands(tmp_path, monkeypatch):
    if not os.environ.get("PLASTISCOPE_MODEL"):
        pytest.skip("no model to capture (PLASTISCOPE_MODEL)")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("plastiscope.view.in_notebook", lambda: True)  # a window would stay open
    (tmp_path / "SmolLM2-135M-Instruct").symlink_to(os.environ["PLASTISCOPE_MODEL"])
    names = {"text_a": "What a head attends to. " * 20, "text_b": "Where its keys come from. " * 20}
    exec(COMMANDS, names)
    assert len(names["study"].heads) == 270
    assert (tmp_path / "map.pdf").read_bytes().startswith(b"%PDF")


def tiny_model():
    import recordings

    return recordings, recordings.load(recordings.FAMILIES["qwen3"])


def test_live_models(tmp_path, monkeypatch):
    recordings, model = tiny_model()
    tokenizers = pytest.importorskip("tokenizers", reason="tokenizers is not installed")
    monkeypatch.chdir(tmp_path)
    texts = ["some words of a text " * 20, "and of another " * 20]
    trained = tokenizers.Tokenizer(tokenizers.models.BPE())
    trained.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)
    trained.train_from_iterator(texts, tokenizers.trainers.BpeTrainer(vocab_size=recordings.vocabulary_of(model)))
    names = {"ps": ps, "model": model, "texts": texts}
    names["tokenizer"] = recordings.transformers.PreTrainedTokenizerFast(tokenizer_object=trained)
    exec(LIVE, names)
    assert len(names["study"].examples["tokens"]) == len(texts)
    assert ps.open(tmp_path / "live.h5").heads == names["study"].heads


def test_transformer_lens(tmp_path, monkeypatch):
    recordings, model = tiny_model()
    from test_transformer_lens import cache_of, config_of

    monkeypatch.chdir(tmp_path)
    given = {name: tokens[:200] for name, tokens in recordings.texts(90).items()}
    whole = recordings.record_texts(model, given, tmp_path / "whole.h5", sampler="all", point="both", window=256)
    caches = ((None, cache_of(whole, i)) for i in range(len(given)))
    bridge = types.SimpleNamespace(cfg=config_of(model), run_with_cache=lambda tokens: next(caches))
    names = {"ps": ps, "bridge": bridge, "batches": [np.asarray(tokens)[None] for tokens in given.values()]}
    exec(LENS, names)
    assert names["study"].heads == whole.heads
