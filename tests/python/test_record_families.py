"""Recordings of families with other positions or other attention, of generated texts and of compiled models."""

import hashlib

import h5py
import numpy as np
import pytest
from conftest import needs_program, ps, write_tokens
from recordings import (
    FAMILIES,
    SETTINGS,
    assert_same_rows,
    load,
    record_texts,
    small_configs,
    small_model,
    texts,
    torch,
    transformers,
    vocabulary_of,
)


@needs_program
def test_keys_and_queries_of_one_fused_projection(tmp_path):
    torch.manual_seed(3)
    config = transformers.GPTNeoXConfig(
        vocab_size=60,
        hidden_size=64,
        num_hidden_layers=2,
        num_attention_heads=4,
        intermediate_size=64,
        max_position_embeddings=1024,
        rope_parameters={"rope_type": "default", "rope_theta": 10000.0, "partial_rotary_factor": 0.5},
    )
    model = transformers.GPTNeoXForCausalLM(config).eval()
    given = texts(60)
    live = record_texts(model, given, tmp_path / "live.h5", point="both", sampler="all")
    assert ps.verify(live.path)[0]["intact"]
    # Independently: the projection of the layer's input, by hand.
    inputs = []
    attention = model.gpt_neox.layers[1].attention
    attention.register_forward_pre_hook(
        lambda _, args, kwargs: inputs.append(kwargs.get("hidden_states", args[0] if args else None)), with_kwargs=True
    )
    with torch.inference_mode():
        model(input_ids=torch.tensor(given["a text"])[None])
        query = attention.query_key_value(inputs[0]).view(300, 4, 3, 16)[:, 2, 0]
    rows = live.queries(1, 2, before_rope=True, example="a text")
    np.testing.assert_allclose(rows.vectors, query.numpy(), atol=1e-5)
    assert live.model["rope"] == {
        "rope_type": "default",
        "rope_theta": 10000.0,
        "partial_rotary_factor": 0.5,
        "rotary_dim": 8,
        "max_position_embeddings": 1024,
    }
    study = ps.analyze(live, out=tmp_path / "live.analysis.h5")
    assert study.table("heads", "numpy")["layer"].tolist() == [0] * 4 + [1] * 4


def alibi_of(config, heads=4, tokens=40):
    """What ALiBi adds to the scores of a head: a slope of 2^(-8 (head + 1) / heads) for each token of distance."""
    slopes = 2.0 ** (-8 * np.arange(1, heads + 1) / heads)
    both = 2 * 8**-0.5 if getattr(config, "alibi", False) else 0.0  # once in the mask, once with the scores
    scale = {"bloom": 1.0, "mpt": 1.0, "falcon": both}
    return slopes[:, None] * np.arange(tokens) * scale.get(config.model_type, 0.0)


@pytest.mark.parametrize("config", list(small_configs()), ids=lambda config: config.model_type)
def test_other_families(config, tmp_path):
    """What is recorded gives the layer's own attention: the scores of eager attention are those of our rows."""
    model = small_model(config, attn_implementation="eager")
    tokens = torch.arange(40)[None]
    with (
        torch.inference_mode(),
        ps.record(model, out=tmp_path / "live.h5", window=64, sampler="all", store="float32") as r,
    ):
        weights = model(input_ids=tokens, output_attentions=True).attentions
    study = r.study
    with h5py.File(study.path) as root:
        scale = root["capture"].attrs["score_scale"]
    for head in study.heads:
        scores = study.queries(head).vectors @ study.keys(head).vectors.T * scale + alibi_of(config)[head.head]
        scores[np.triu_indices(40, 1)] = -np.inf
        share = np.exp(scores - scores.max(1, keepdims=True))
        share /= share.sum(1, keepdims=True)
        np.testing.assert_allclose(share, weights[head.layer][0, head.head].numpy(), atol=1e-5)


def rotated(rows, positions, rope):
    """Rows before RoPE as they are after it."""
    first, size = rope.get("first_rotated", 0), rope["rotary_dim"]
    angle = positions[:, None] * rope["rope_theta"] ** (-np.arange(0, size, 2) / size)
    part = rows[:, first : first + size]
    pairs = (slice(0, None, 2), slice(1, None, 2)) if rope.get("interleaved") else np.split(np.arange(size), 2)
    turned, a, b = part.copy(), part[:, pairs[0]], part[:, pairs[1]]
    turned[:, pairs[0]], turned[:, pairs[1]] = (
        a * np.cos(angle) - b * np.sin(angle),
        b * np.cos(angle) + a * np.sin(angle),
    )
    return np.concatenate([rows[:, :first], turned, rows[:, first + size :]], axis=1)


FACTS_OF_ROPE = {"phi": 4, "stablelm": 2, "persimmon": 4, "deepseek_v2": 8, "deepseek_v3": 8, "gptj": 4, "codegen": 4}


@pytest.mark.parametrize(
    "config",
    [each for each in small_configs() if each.model_type in FACTS_OF_ROPE],
    ids=lambda config: config.model_type,
)
def test_facts_of_rope_turn_rows_before_it_into_those_after_it(config, tmp_path):
    model = small_model(config)
    options = {"window": 64, "sampler": "all", "store": "float32", "point": "both"}
    with torch.inference_mode(), ps.record(model, out=tmp_path / "live.h5", **options) as r:
        model(input_ids=torch.arange(40)[None])
    rope = r.study.model["rope"]
    assert rope["rotary_dim"] == FACTS_OF_ROPE[config.model_type]
    assert rope.get("first_rotated", 0) == (8 if config.model_type.startswith("deepseek") else 0)
    for head in r.study.heads:
        for take in (r.study.queries, r.study.keys):
            before, after = take(head, before_rope=True), take(head)
            assert not np.allclose(before.vectors, after.vectors, atol=1e-4)
            np.testing.assert_allclose(rotated(before.vectors, before.position, rope), after.vectors, atol=1e-5)


@needs_program
def test_capture_runs_other_families_in_the_calling_python(tmp_path, monkeypatch):
    for name in ("PLASTISCOPE_PYTHON", "VIRTUAL_ENV", "CONDA_PREFIX"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    model = small_model("bloom")
    model.save_pretrained(tmp_path / "model")
    given = {"a": np.arange(300) % 60, "b": np.arange(200) % 41}
    tokens = write_tokens(tmp_path / "tokens.jsonl", given)
    study = ps.capture(tmp_path / "model", tokens=tokens, out=tmp_path / "own.h5", **{**SETTINGS, "heads": "all"})
    live = record_texts(model, given, tmp_path / "live.h5")
    assert study.settings["engine"] == "transformers" and study.model["positions"] == "alibi"
    for head in live.heads:
        assert_same_rows(study.queries(head), live.queries(head))
        assert_same_rows(study.keys(head), live.keys(head))
    heads = ps.analyze(study, out=tmp_path / "own.analysis.h5").table("heads", "numpy")
    assert np.isfinite(heads["induction_score"]).all() and np.isfinite(heads["probe_induction_score"]).all()


@needs_program
def test_captures_stay_within_learned_positions(tmp_path):
    """GPT-2 with positions for 100 tokens: the probe is shorter, a longer window is refused."""
    config = transformers.GPT2Config(vocab_size=60, n_embd=32, n_layer=2, n_head=4, n_positions=100)
    small_model(config).save_pretrained(tmp_path / "model")
    tokens = write_tokens(tmp_path / "tokens.jsonl", {"a": np.arange(300) % 60})
    settings = {"tokens": tokens, "out": tmp_path / "own.h5", "heads": "all"}
    with pytest.raises(ps.UsageError, match="--window 128: this model has learned positions for 100 tokens only"):
        ps.capture(tmp_path / "model", window=128, **settings)
    study = ps.capture(tmp_path / "model", **settings)
    assert study.window == 100
    with h5py.File(study.path) as root:
        assert len(root["probe/token_ids"]) == 98


GENERATING = ["qwen3", "gemma3_text", "smollm3"]


@pytest.mark.parametrize("name", [*GENERATING, "gptj", "bloom", "phi"])
def test_generated_tokens_have_the_positions_after_the_prompt(name, tmp_path):
    """The rows are those of the whole text in one call."""
    model = load(FAMILIES[name]) if name in GENERATING else small_model(name)
    vocabulary = vocabulary_of(model)
    draw = np.random.default_rng(8)
    prompts = [draw.integers(3, vocabulary, length) for length in (30, 12)]
    ids, mask = torch.zeros((2, 30), dtype=torch.long), torch.zeros((2, 30), dtype=torch.long)
    for row, tokens in enumerate(prompts):
        ids[row, 30 - len(tokens) :], mask[row, 30 - len(tokens) :] = torch.tensor(tokens), 1
    model.generation_config.pad_token_id, model.generation_config.eos_token_id = 0, None
    options = {**SETTINGS, "heads": "all", "sampler": "all", "point": "both", "ids": ["a", "b"]}
    with torch.inference_mode(), ps.record(model, out=tmp_path / "made.h5", **options) as r:
        made = model.generate(ids, attention_mask=mask, max_new_tokens=7, do_sample=False)
    whole = [made[row, 30 - len(tokens) : -1] for row, tokens in enumerate(prompts)]  # the last is not run
    with torch.inference_mode(), ps.record(model, out=tmp_path / "whole.h5", **options) as w:
        for tokens in whole:
            model(input_ids=tokens[None])
    assert r.study.examples["tokens"].tolist() == [36, 18]
    for head in w.study.heads:
        for before in (False, True):
            for rows in ("queries", "keys"):
                ours = getattr(r.study, rows)(head, before_rope=before)
                theirs = getattr(w.study, rows)(head, before_rope=before)
                np.testing.assert_array_equal(ours.position, theirs.position)
                np.testing.assert_allclose(ours.vectors, theirs.vectors, atol=2e-4)


def test_generated_texts_end_with_their_end_token(tmp_path):
    model = load(FAMILIES["qwen3"])
    ids = torch.tensor([[9, 44, 41], [32, 34, 7]])
    model.generation_config.eos_token_id, model.generation_config.pad_token_id = None, 0
    made = model.generate(ids, max_new_tokens=8, do_sample=False)
    end = int(made[0, 4])  # the first text ends with its second new token
    assert end not in made[1].tolist() and made[0, 3] != end
    model.generation_config.eos_token_id = end
    with ps.record(model, out=tmp_path / "made.h5", window=64) as r:
        model.generate(ids, max_new_tokens=8, do_sample=False)
        model(torch.tensor([[1, 2, 3, 4]]))
    assert r.study.examples["tokens"].tolist() == [5, 10, 4]
    digest = hashlib.sha256(made[0, :5].numpy().astype("<i4").tobytes()).hexdigest()
    assert r.study.examples["sha256"][0] == digest
    with pytest.raises(ps.UsageError, match="num_beams=1"), ps.record(model, out=tmp_path / "b.h5", window=64):
        model.generate(ids, max_new_tokens=8, num_beams=2, do_sample=False)


def test_compiled_models_run_without_their_compiled_code(tmp_path):
    model = load(FAMILIES["qwen3"])
    tokens = torch.arange(50)[None] % 30
    with torch.inference_mode(), ps.record(model, out=tmp_path / "plain.h5", window=64, sampler="all") as plain:
        model(input_ids=tokens)
    compiled = torch.compile(model, backend="eager")
    with torch.inference_mode():
        compiled(input_ids=tokens)
        with ps.record(compiled, out=tmp_path / "compiled.h5", window=64, sampler="all") as r:
            compiled(input_ids=tokens)
    for head in plain.study.heads:
        np.testing.assert_array_equal(r.study.queries(head).vectors, plain.study.queries(head).vectors)
    assert torch.compiler.is_compiling() is False
