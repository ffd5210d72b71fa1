"""Recordings of live models against the program's own captures of the same weights and tokens."""

import h5py
import numpy as np
import pytest
from conftest import needs_program, ps, write_tokens
from recordings import (
    FAMILIES,
    SETTINGS,
    assert_same_rows,
    load,
    own_capture,
    record_texts,
    small_model,
    texts,
    torch,
    transformers,
    vocabulary_of,
)

REQUIRED = ("llama", "qwen3", "mistral", "smollm3", "gemma3_text")


def facts(layer):
    return (
        layer.attention,
        layer.window,
        layer.rope,
        layer.query_scale,
        layer.query_heads,
        layer.key_heads,
        layer.head_dim,
    )


@needs_program
@pytest.mark.parametrize("name", FAMILIES)
def test_equals_own_capture(name, tmp_path):
    model = load(FAMILIES[name])
    given = texts(vocabulary_of(model))
    live = record_texts(model, given, tmp_path / "live.h5")
    own = own_capture(name, given, tmp_path)
    assert live.heads == own.heads and len(own.heads) > 0
    for column in own.examples:
        np.testing.assert_array_equal(live.examples[column], own.examples[column])
    for number in own.layers:
        assert facts(live.layers[number]) == facts(own.layers[number])
    for head in own.heads:
        assert_same_rows(live.queries(head), own.queries(head))
        assert_same_rows(live.keys(head), own.keys(head))
    with h5py.File(live.path) as ours, h5py.File(own.path) as theirs:
        assert ours["capture"].attrs["score_scale"] == pytest.approx(theirs["capture"].attrs["score_scale"])
    for key in ("layers", "query_heads", "key_heads", "head_dim", "architecture", "context_length"):
        assert live.model[key] == own.model[key]
    (report,) = ps.verify(live.path)
    assert report["intact"] and "checksum of the whole file" in report["checks"]
    assert any(check.startswith("settings hash") for check in report["checks"])


@needs_program
@pytest.mark.parametrize("name", REQUIRED)
def test_before_rope_equals_own_capture(name, tmp_path):
    model = load(FAMILIES[name])
    given = texts(vocabulary_of(model))
    live = record_texts(model, given, tmp_path / "live.h5", point="both")
    own = own_capture(name, given, tmp_path, point="both")
    for head in own.heads:
        for rows in ("queries", "keys"):
            assert_same_rows(getattr(live, rows)(head, before_rope=True), getattr(own, rows)(head, before_rope=True))
            assert_same_rows(getattr(live, rows)(head), getattr(own, rows)(head))
    rotated = [layer for layer in live.layers.values() if layer.rope]
    assert rotated and not np.allclose(
        live.queries(rotated[0].layer, 0), live.queries(rotated[0].layer, 0, before_rope=True)
    )
    own_rope = own.model["rope"]
    assert live.model["rope"].keys() == own_rope.keys() or live.model["rope"].items() >= own_rope.items()


@needs_program
@pytest.mark.parametrize(
    "settings",
    [
        {"sampler": "log_uniform", "bucket_size": 16, "rate": 3.0},
        {"sampler": "exact_per_bucket"},
        {"sampler": "all"},
        {"sample_seed": 5, "paired": True},
        {"heads": "3", "head_seed": 4},
        {"heads": "stratified:3"},
        {"heads": "L1H2,L0H0-1", "store": "float16"},
    ],
)
def test_settings_mean_the_same(settings, tmp_path):
    model = load(FAMILIES["qwen3"])
    given = texts(vocabulary_of(model))
    live = record_texts(model, given, tmp_path / "live.h5", **settings)
    own = own_capture("qwen3", given, tmp_path, **settings)
    assert live.heads == own.heads
    for head in own.heads:
        for rows in ("queries", "keys"):
            ours, theirs = getattr(live, rows)(head), getattr(own, rows)(head)
            np.testing.assert_array_equal(ours.position, theirs.position)
            np.testing.assert_array_equal(ours.bucket, theirs.bucket)
            np.testing.assert_allclose(ours.vectors, theirs.vectors, rtol=2e-3, atol=2e-3)
    different = {key for key in own.settings if live.settings[key] != own.settings[key]}
    assert different <= {"model", "model_fingerprint"}


@needs_program
@pytest.mark.filterwarnings("ignore::plastiscope.PlastiscopeWarning")
@pytest.mark.parametrize("name", ["qwen3", "glm4", "gemma3_text"])
def test_analyses_agree(name, tmp_path):
    """Also in what depends on the kind of RoPE: which dimensions form a pair and how fast it turns."""
    model = load(FAMILIES[name])
    given = texts(vocabulary_of(model))
    settings = {**SETTINGS, "heads": "all", "sampler": "all"}
    live = ps.analyze(record_texts(model, given, tmp_path / "live.h5", **settings))
    tokens = write_tokens(tmp_path / "tokens.jsonl", given)
    own = ps.analyze(ps.capture(FAMILIES[name], tokens=tokens, out=tmp_path / "own.h5", dtype="float32", **settings))
    assert live.tables == own.tables
    for table in ("heads", "planes", "component_weights_pairs"):
        ours, theirs = live.table(table, "numpy"), own.table(table, "numpy")
        scores = set(theirs) - set(ours)  # which recordings do not have
        assert ("attention_entropy" in scores) == (table == "heads")
        assert all("attention" in column or "_score" in column for column in scores)
        for column in set(theirs) - scores:
            values = theirs[column]
            if values.dtype.kind == "f":
                np.testing.assert_allclose(ours[column], values, rtol=0.02, atol=2e-3, err_msg=f"{table}.{column}")
            else:
                np.testing.assert_array_equal(ours[column], values, f"{table}.{column}")


@needs_program
def test_defaults_are_those_of_the_command():
    import inspect

    options = ps.options("capture").options
    for name, parameter in inspect.signature(ps.record).parameters.items():
        if (
            name in options
            and parameter.default not in (inspect.Parameter.empty, None)
            and options[name].kind != "flag"
        ):
            assert str(parameter.default) == str(options[name].default), name


def test_padding_is_left_out(tmp_path):
    model = load(FAMILIES["qwen3"])
    given = texts(90, (60, 40, 51))
    alone = record_texts(model, given, tmp_path / "alone.h5", sampler="all")
    for side in ("right", "left"):
        width = max(map(len, given.values()))
        ids, mask = np.zeros((3, width), np.int64), np.zeros((3, width), np.int64)
        for row, tokens in enumerate(given.values()):
            at = slice(0, len(tokens)) if side == "right" else slice(width - len(tokens), width)
            ids[row, at], mask[row, at] = tokens, 1
        positions = np.maximum(np.cumsum(mask, axis=1) - 1, 0)
        with ps.record(model, out=tmp_path / f"{side}.h5", ids=given, **{**SETTINGS, "sampler": "all"}) as r:
            with torch.inference_mode():
                model(
                    input_ids=torch.tensor(ids), attention_mask=torch.tensor(mask), position_ids=torch.tensor(positions)
                )
        for head in alone.heads:
            assert_same_rows(r.study.queries(head), alone.queries(head))
            assert_same_rows(r.study.keys(head), alone.keys(head))


LENGTHS = (60, 40, 51)
APART = "Give each text its own row"
SDPA = ("llama", "mistral", "qwen3", "smollm3", "gemma3_text", "phi3", "glm4", "cohere2")
DECODERS = [*((name, "sdpa") for name in SDPA), *((name, "eager") for name in ("llama", "gemma3_text", "gpt_oss"))]


def batch(model, side):
    """Three texts of different lengths in a batch with padding, and its mask."""
    for config in (model.config, model.config.get_text_config()):
        config.pad_token_id = 0
    given = {name: 1 + tokens % 28 for name, tokens in texts(90, LENGTHS).items()}
    ids, mask = torch.zeros((3, max(LENGTHS)), dtype=torch.long), torch.zeros((3, max(LENGTHS)), dtype=torch.long)
    for row, tokens in enumerate(given.values()):
        at = slice(0, len(tokens)) if side == "right" else slice(max(LENGTHS) - len(tokens), None)
        ids[row, at], mask[row, at] = torch.tensor(tokens), 1
    return given, ids, mask


def from_mask(mask):
    return (mask.cumsum(-1) - 1).clamp(min=0)


def same_rows(study, alone):
    assert study.examples["tokens"].tolist() == alone.examples["tokens"].tolist() == list(LENGTHS)
    for head in alone.heads:
        assert_same_rows(study.queries(head), alone.queries(head))
        assert_same_rows(study.keys(head), alone.keys(head))


EVERY = torch.arange(max(LENGTHS))
CALLS = {  # side of the padding, the call, what is said (None: rows are those of the texts one by one)
    "right": ("right", lambda m, i, mask: m(i, attention_mask=mask), None),
    "right, mask by place": ("right", lambda m, i, mask: m(i, mask), None),
    "right, segments as mask": ("right", lambda m, i, mask: m(i, attention_mask=mask.bool()), None),
    "right, positions of all rows in one": ("right", lambda m, i, mask: m(i, mask, EVERY[None]), None),
    "right, positions of each row": ("right", lambda m, i, mask: m(i, mask, EVERY.expand(3, -1)), None),
    "right, positions from the mask": ("right", lambda m, i, mask: m(i, mask, position_ids=from_mask(mask)), None),
    "right, no mask": ("right", lambda m, i, mask: m(i), "row 1 ends with 20 padding tokens"),
    "left, positions": ("left", lambda m, i, mask: m(i, attention_mask=mask, position_ids=from_mask(mask)), None),
    "left, positions by place": ("left", lambda m, i, mask: m(i, mask, from_mask(mask)), None),
    "left, padding at position 1": (
        "left", lambda m, i, mask: m(i, mask, (mask.cumsum(-1) - 1).masked_fill(mask == 0, 1)), None),
    "left": ("left", lambda m, i, mask: m(i, attention_mask=mask), "row 1 have positions 20 to 59, expected"),
    "left, no mask": ("left", lambda m, i, mask: m(i), "row 1 begins with 20 padding tokens"),
    "left, positions, no mask": ("left", lambda m, i, mask: m(i, position_ids=from_mask(mask)), "row 1 begins with 20"),
    "shifted": ("right", lambda m, i, mask: m(i, mask, EVERY[None] + 100), "row 0 have positions 100 to 159"),
    "one row is shifted": (
        "right", lambda m, i, mask: m(i, mask, EVERY + torch.tensor([[0], [0], [7]])), "row 2 have positions 7 to"),
    "a gap": ("right", lambda m, i, mask: m(i, mask, EVERY[None] + 9 * (EVERY > 29)), "tokens 30 to 59 of row 0 have"),
    "backwards": ("right", lambda m, i, mask: m(i, mask, EVERY.flip(0)[None]), "row 0 have positions 59 to 59"),
    "generate": (
        "left", lambda m, i, mask: m.generate(i, attention_mask=mask, max_new_tokens=1, do_sample=False), None),
}  # fmt: skip


@pytest.mark.parametrize("name, attention", DECODERS)
def test_positions_are_those_of_rope(name, attention, tmp_path):
    model = load(FAMILIES[name])
    model.set_attn_implementation(attention)
    given, *_ = batch(model, "right")
    settings = {**SETTINGS, "heads": "all", "sampler": "all"}
    alone = record_texts(model, given, tmp_path / "alone.h5", sampler="all")
    for number, (call, (side, run_model, sentence)) in enumerate(CALLS.items()):
        _, ids, mask = batch(model, side)
        recorder = ps.record(model, out=tmp_path / f"{number}.h5", ids=given, **settings)
        if sentence is None:
            with torch.inference_mode(), recorder:
                run_model(model, ids, mask)
            same_rows(recorder.study, alone)
        else:
            with pytest.raises(ps.UsageError, match=sentence), torch.inference_mode(), recorder:
                run_model(model, ids, mask)
                raise AssertionError(call)


@pytest.mark.filterwarnings("ignore::plastiscope.PlastiscopeWarning")
@pytest.mark.parametrize("name, attention", [*DECODERS, ("qwen3_next", "sdpa")])
def test_packed_rows_become_texts_of_their_own(name, attention, tmp_path):
    model = load(FAMILIES[name])
    model.set_attn_implementation(attention)
    given, *_ = batch(model, "right")
    alone = record_texts(model, given, tmp_path / "alone.h5", sampler="all")
    packed = torch.tensor(np.concatenate(list(given.values())))[None]
    positions = torch.cat([torch.arange(length) for length in LENGTHS])[None]
    mixes = name in ("qwen3_next", "gpt_oss")  # by recurrent layers; by a mask that knows no position_ids
    for number, (options, works) in enumerate([
        ({}, True), ({"use_cache": False}, True), ({"use_cache": True}, False),
        ({"attention_mask": torch.ones_like(packed)}, False),
    ]):  # fmt: skip
        out = tmp_path / f"{number}.h5"
        recorder = ps.record(model, out=out, ids=given, **{**SETTINGS, "heads": "all", "sampler": "all"})
        if works and not mixes:
            with torch.inference_mode(), recorder:
                model(packed, position_ids=positions, **options)
            same_rows(recorder.study, alone)
            assert recorder.study.examples["id"].tolist() == alone.examples["id"].tolist()
        else:
            with pytest.raises(ps.UsageError, match=APART), torch.inference_mode(), recorder:
                model(packed, position_ids=positions, **options)
    if not mixes:
        with pytest.warns(ps.PlastiscopeWarning, match="use_cache=False"), torch.inference_mode():
            with ps.record(model, out=tmp_path / "two.h5", window=64, sampler="all", all_layers=True) as r:
                model(packed.expand(2, -1), position_ids=positions)
        assert r.study.examples["tokens"].tolist() == [*LENGTHS, *LENGTHS]


def test_positions_of_families_without_rope(tmp_path):
    """GPT-2 adds positions to the tokens as the call says; OPT counts them by the mask."""
    for name, sentence in (("gpt2", "row 1 have positions 20 to 59"), ("opt", None)):
        model = small_model(name)
        given, ids, mask = batch(model, "left")
        alone = record_texts(model, given, tmp_path / f"{name}.h5", sampler="all")
        options = {**SETTINGS, "heads": "all", "sampler": "all", "ids": given}
        with torch.inference_mode(), ps.record(model, out=tmp_path / f"{name}2.h5", **options) as r:
            model(ids, attention_mask=mask, position_ids=from_mask(mask))
        same_rows(r.study, alone)
        recorder = ps.record(model, out=tmp_path / f"{name}3.h5", **options)
        if sentence:
            with pytest.raises(ps.UsageError, match=sentence), torch.inference_mode(), recorder:
                model(ids, attention_mask=mask)
        else:
            with torch.inference_mode(), recorder:
                model(ids, attention_mask=mask)
            same_rows(recorder.study, alone)


def test_keeps_a_padding_token_that_belongs_to_the_text(tmp_path):
    """As the end of a text where padding is the end token, or alone in a row; not among others in a batch."""
    model = load(FAMILIES["qwen3"])
    given, ids, mask = batch(model, "right")
    config = model.config
    for row, end, good in (([5, 6, 0], 0, True), ([5, 0, 0], 0, False), ([5, 6, 0], 2, False), ([0, 5, 6], 2, False)):
        config.eos_token_id = [end]
        recorder = ps.record(model, out=tmp_path / "a.h5", window=64, fresh=True)
        rows = torch.tensor([[5, 6, 7], row])
        if good:
            with torch.inference_mode(), recorder:
                model(rows)
        else:
            with pytest.raises(ps.UsageError, match="padding tokens"), torch.inference_mode(), recorder:
                model(rows)
    with torch.inference_mode(), ps.record(model, out=tmp_path / "b.h5", window=64) as r:
        model(torch.tensor([[0, 5, 6]]))
        model(torch.tensor([[0, 0, 6]]), attention_mask=torch.ones((1, 3), dtype=torch.long))
    assert r.study.examples["tokens"].tolist() == [3, 3]


def test_the_model_is_left_as_it_was(tmp_path):
    model = load(FAMILIES["qwen3"])
    module = __import__(type(model).__module__, fromlist=["apply_rotary_pos_emb"])
    before = transformers.AttentionInterface.get_interface, module.apply_rotary_pos_emb
    tokens = torch.arange(50)[None] % 30
    with torch.inference_mode():
        expected = model(input_ids=tokens).logits
        with ps.record(model, out=tmp_path / "live.h5", window=64):
            assert torch.equal(model(input_ids=tokens).logits, expected)
    assert (transformers.AttentionInterface.get_interface, module.apply_rotary_pos_emb) == before
    assert not model._forward_hooks and not model._forward_pre_hooks


def test_two_models_at_once(tmp_path):
    one, two = load(FAMILIES["qwen3"]), load(FAMILIES["llama"])
    tokens = torch.arange(50)[None] % 30
    with torch.inference_mode(), ps.record(one, out=tmp_path / "one.h5", window=64, sampler="all") as first:
        with ps.record(two, out=tmp_path / "two.h5", window=64, sampler="all") as second:
            one(input_ids=tokens)
            two(input_ids=tokens)
    assert len(first.study.queries(0, 0)) == len(second.study.queries(0, 0)) == 50


def test_reports_models_that_cannot_be_recorded(tmp_path):
    model = load(FAMILIES["qwen3"])
    out = tmp_path / "live.h5"
    tokens = torch.arange(20)[None]
    with torch.inference_mode():
        with pytest.raises(ps.UsageError, match="cache of earlier tokens"):
            with ps.record(model, out=out, window=64):
                past = model(input_ids=tokens, use_cache=True).past_key_values
                model(input_ids=tokens[:, :1], past_key_values=past)
        with pytest.raises(ps.UsageError, match="input_ids"), ps.record(model, out=out, window=64):
            model(inputs_embeds=torch.zeros(1, 4, model.config.hidden_size))
        with pytest.raises(ps.UsageError, match="at least one text, found none"), ps.record(model, out=out, window=64):
            pass
        with pytest.raises(ps.UsageError, match="an id for each text"), ps.record(model, out=out, window=64, ids=[]):
            model(input_ids=tokens)
    with pytest.raises(ZeroDivisionError), ps.record(model, out=out, window=64):
        1 / 0
    assert not list(tmp_path.iterdir()), "nothing is half written"
    with pytest.raises(ps.UsageError, match="query heads 0 to 3"):
        ps.record(model, out=out, window=64, heads="L0H4")
    with pytest.raises(ps.UsageError, match="found none in Linear"):
        linear = torch.nn.Linear(2, 2)
        linear.config = model.config
        ps.record(linear, out=out, window=64)
    out.write_text("mine")
    with pytest.raises(ps.InputError, match="a new file"):
        ps.record(model, out=out, window=64)
    with pytest.raises(ps.InputError, match="expected a capture or an analysis, found a file of another format"):
        ps.record(model, out=out, window=64, fresh=True)
    assert out.read_text() == "mine"


def test_refuses_a_share_of_the_heads(tmp_path):
    """A process of tensor parallelism has some heads of each layer; their numbers would be wrong."""
    model = load(FAMILIES["qwen3"])
    config = model.config
    for layer in model.model.layers:
        attention, width = layer.self_attn, config.num_attention_heads // 2 * config.head_dim
        attention.q_proj = torch.nn.Linear(config.hidden_size, width, bias=False)
        attention.k_proj = torch.nn.Linear(config.hidden_size, width // 2, bias=False)
        attention.v_proj = torch.nn.Linear(config.hidden_size, width // 2, bias=False)
        attention.o_proj = torch.nn.Linear(width, config.hidden_size, bias=False)
    with torch.inference_mode(), pytest.raises(ps.UsageError, match="layer 0 computes 2 of 4 query heads"):
        with ps.record(model, out=tmp_path / "live.h5", window=64, heads="L0H0"):
            model(input_ids=torch.arange(20)[None])


def test_models_in_bfloat16(tmp_path):
    model = load(FAMILIES["qwen3"])
    given = texts(90)
    exact = record_texts(model, given, tmp_path / "exact.h5")
    half = record_texts(model.to(torch.bfloat16), given, tmp_path / "half.h5")
    assert half.settings["dtype"] == "bfloat16" and half.model["rope"] == exact.model["rope"]
    for head in exact.heads:
        ours, theirs = half.queries(head).vectors, exact.queries(head).vectors
        error = np.linalg.norm(ours - theirs, axis=1) / np.linalg.norm(theirs, axis=1)
        assert 1e-4 < error.mean() < 0.05


def test_keeps_and_reports_overflow(tmp_path):
    model = load(FAMILIES["llama"])
    with torch.no_grad():
        model.model.layers[0].self_attn.q_proj.weight.mul_(1e7)
    with (
        pytest.warns(ps.PlastiscopeWarning, match="layer 0, query head 0: values above 65,504"),
        torch.inference_mode(),
    ):
        with ps.record(model, out=tmp_path / "live.h5", window=64, sampler="all") as r:
            model(input_ids=torch.arange(50)[None] % 30)
    study = r.study
    assert study.queries(0, 0, dtype=None).vectors.dtype == np.float32
    assert study.keys(0, 0, dtype=None).vectors.dtype == np.float16
    assert np.abs(study.queries(0, 0).vectors).max() > 65504


def test_stores_the_words_of_texts(tmp_path):
    tokenizers = pytest.importorskip("tokenizers", reason="tokenizers is not installed")
    model = load(FAMILIES["qwen3"])
    text = "Größe: 世界 and\tmore words"
    trained = tokenizers.Tokenizer(tokenizers.models.BPE())
    trained.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)
    trained.decoder = tokenizers.decoders.ByteLevel()
    trainer = tokenizers.trainers.BpeTrainer(vocab_size=90, initial_alphabet=[], special_tokens=["<end>"])
    trained.train_from_iterator([text], trainer)
    tokenizer = transformers.PreTrainedTokenizerFast(tokenizer_object=trained)
    ids = tokenizer(text + "<end>", return_tensors="pt").input_ids
    with torch.inference_mode(), ps.record(model, out=tmp_path / "live.h5", window=64, tokenizer=tokenizer) as r:
        model(input_ids=ids)
    assert r.study.text(0) == text + "<end>"
    assert r.study.tokens(0)[-1] == "<end>"
    np.testing.assert_array_equal(r.study.token_ids(0), ids[0].numpy())


def test_nnsight_runs_the_model_that_is_recorded(tmp_path):
    nnsight = pytest.importorskip("nnsight", reason="nnsight is not installed")
    model = load(FAMILIES["qwen3"])
    given = {12: texts(90)[12][:60]}
    alone = record_texts(model, given, tmp_path / "alone.h5", sampler="all")
    tokens = torch.tensor(given[12])[None]
    traced = nnsight.NNsight(model)
    with ps.record(model, out=tmp_path / "traced.h5", ids=given, **{**SETTINGS, "sampler": "all"}) as r:
        with traced.trace(input_ids=tokens):
            traced.model.layers[1].self_attn.o_proj.output.save()
    for head in alone.heads:
        assert_same_rows(r.study.queries(head), alone.queries(head))
        assert_same_rows(r.study.keys(head), alone.keys(head))
