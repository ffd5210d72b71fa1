"""Caches of TransformerLens against recordings of the same model."""

import types

import numpy as np
import pytest
from conftest import ps
from recordings import FAMILIES, SETTINGS, assert_same_rows, load, record_texts, texts, torch, transformers

OPTIONS = {**SETTINGS, "window": 256}


def config_of(model):
    config = model.config
    return types.SimpleNamespace(
        n_layers=config.num_hidden_layers, n_heads=config.num_attention_heads, d_head=config.head_dim,
        n_key_value_heads=config.num_key_value_heads, n_ctx=config.max_position_embeddings, model_name="tiny",
        architecture="Qwen3ForCausalLM", dtype=torch.float32, device="cpu", attn_scale=config.head_dim**0.5,
        rope_parameters=dict(config.rope_parameters), layer_types=config.layer_types, window_size=None)  # fmt: skip


def cache_of(study, example):
    """A cache of one text, out of a recording of all rows."""
    cache = {}
    for number, layer in study.layers.items():
        for kind, rows, heads in (("q", study.queries, layer.query_heads), ("k", study.keys, layer.key_heads)):
            for before, name in ((False, f"hook_rot_{kind}"), (True, f"hook_{kind}")):
                own = {"before_rope": before, "example": example}
                parts = [
                    rows(number, head, **own) if kind == "q" else rows(number, key_head=head, **own) for head in heads
                ]
                stacked = np.stack([part.vectors for part in parts], axis=1)
                cache[f"blocks.{number}.attn.{name}"] = torch.from_numpy(stacked)[None]
    return cache


@pytest.mark.parametrize("point", ["post-rope", "pre-rope", "both"])
def test_equals_a_recording(point, tmp_path):
    model = load(FAMILIES["qwen3"])
    given = {name: tokens[:256] for name, tokens in texts(90).items()}
    whole = record_texts(model, given, tmp_path / "all.h5", sampler="all", point="both", window=256)
    runs = ((np.asarray(tokens)[None], cache_of(whole, i)) for i, tokens in enumerate(given.values()))
    settings = {**OPTIONS, "heads": "L0H1,L3H0-3", "point": point}
    study = ps.import_transformer_lens(runs, config_of(model), out=tmp_path / "lens.h5", ids=given, **settings)
    live = record_texts(model, given, tmp_path / "live.h5", **settings)
    assert study.heads == live.heads and study.layers == live.layers
    for head in live.heads:
        for rows in ("queries", "keys"):
            for before in (False, True) if point == "both" else (False,):
                ours = getattr(study, rows)(head, before_rope=before)
                assert_same_rows(ours, getattr(live, rows)(head, before_rope=before))
    for key in ("layers", "query_heads", "key_heads", "head_dim"):
        assert study.model[key] == live.model[key]
    if point != "pre-rope":
        assert study.model["rope"] == live.model["rope"]
    for column in live.examples:
        np.testing.assert_array_equal(study.examples[column], live.examples[column])


def test_names_missing_parts(tmp_path):
    model = load(FAMILIES["qwen3"])
    with pytest.raises(ps.UsageError, match=r"expected blocks\.0\.attn\.hook_q in the cache, found none"):
        ps.import_transformer_lens([(np.zeros((1, 4)), {})], config_of(model), window=64, out=tmp_path / "lens.h5")
    assert not list(tmp_path.iterdir())


def test_transformer_lens_itself(tmp_path, monkeypatch):
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    bridge = pytest.importorskip("transformer_lens.model_bridge", reason="transformer_lens 4 is not installed")
    tokenizers = pytest.importorskip("tokenizers", reason="tokenizers is not installed")
    trained = tokenizers.Tokenizer(tokenizers.models.BPE())
    trained.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)
    trained.train_from_iterator(["some"], tokenizers.trainers.BpeTrainer(vocab_size=40, special_tokens=["<end>"]))
    special = {"eos_token": "<end>", "pad_token": "<end>", "bos_token": "<end>"}
    transformers.PreTrainedTokenizerFast(tokenizer_object=trained, **special).save_pretrained(tmp_path / "tokenizer")
    tokenizer = transformers.AutoTokenizer.from_pretrained(tmp_path / "tokenizer", add_bos_token=True)

    model, given = load(FAMILIES["qwen3"]), texts(90)
    live = record_texts(model, given, tmp_path / "live.h5")
    lens = bridge.TransformerBridge.boot_transformers(
        str(FAMILIES["qwen3"]), hf_model=model, tokenizer=tokenizer, device="cpu"
    )

    def runs():
        for tokens in given.values():
            ids = torch.tensor(tokens)[None]
            with torch.inference_mode():
                yield ids, lens.run_with_cache(ids)[1]

    study = ps.import_transformer_lens(runs(), lens.cfg, out=tmp_path / "lens.h5", ids=given, **SETTINGS, heads="all")
    for head in live.heads:
        assert_same_rows(study.queries(head), live.queries(head))
        assert_same_rows(study.keys(head), live.keys(head))
    assert study.model["rope"] == live.model["rope"]
