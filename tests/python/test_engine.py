"""The engine "transformers": its protocol, and rows equal to recordings and to the models' own numbers."""

import json
import shutil
import subprocess
import sys
import time

import numpy as np
import pytest
from conftest import DATA, ps

torch = pytest.importorskip("torch", reason="torch is not installed")
transformers = pytest.importorskip("transformers", minversion="5", reason="transformers 5 is not installed")

from engine_process import SOURCE, EngineProcess, Refused  # noqa: E402

SMALL = {"vocab_size": 60, "hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4}
MADE = {
    "phi": lambda: transformers.PhiConfig(**SMALL, intermediate_size=32),
    "gptj": lambda: transformers.GPTJConfig(vocab_size=60, n_embd=32, n_layer=2, n_head=4, rotary_dim=4),
    "bloom": lambda: transformers.BloomConfig(vocab_size=60, hidden_size=32, n_layer=2, n_head=4),
    "gpt2": lambda: transformers.GPT2Config(vocab_size=60, n_embd=32, n_layer=2, n_head=4, n_positions=512),
}
STORED = {
    "qwen3": DATA / "families" / "qwen3",
    "gemma3": DATA / "families" / "gemma3",  # text part of a model of images, soft cap of the logits
    "cohere2": DATA / "families" / "cohere2",  # scale of the logits
}
IDS = np.random.default_rng(4).integers(0, 60, 83).tolist()
SAMPLE = [0, 3, 4, 40, 82]


@pytest.fixture(scope="module")
def engine():
    with EngineProcess() as process:
        yield process


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    made = {}
    for name, config in MADE.items():
        torch.manual_seed(5)
        made[name] = tmp_path_factory.mktemp(name)
        transformers.AutoModelForCausalLM.from_config(config()).save_pretrained(made[name])
    return STORED | made


def load(folder):
    config = transformers.AutoConfig.from_pretrained(folder)
    family = getattr(transformers, config.architectures[0])
    return family.from_pretrained(folder, dtype=torch.float32).eval()


def every_row(facts, point="post-rope"):
    """All rows of all heads."""
    layers = [(n, each) for n, each in enumerate(facts["each_layer"]) if each["attention"] not in ("linear", "cross")]
    return [
        (layer, kind, list(range(heads)), list(range(len(IDS))), [])
        for layer, each in layers
        for kind, heads in (("query", facts["query_heads"]), ("key", each["key_heads"]))
    ]


def test_describe(engine, folders):
    facts = engine.describe(folders["qwen3"])
    config = json.loads((folders["qwen3"] / "config.json").read_text())
    assert facts["config"] == config and facts["architecture"] == "qwen3" and facts["class"] == "Qwen3ForCausalLM"
    assert facts["layers"] == config["num_hidden_layers"] == len(facts["each_layer"])
    assert facts["hidden"] == config["hidden_size"] and facts["vocabulary"] == config["vocab_size"]
    assert facts["query_heads"] == config["num_attention_heads"] and facts["head_dim"] == config["head_dim"]
    assert facts["key_heads"] == config["num_key_value_heads"]
    assert facts["positions"] == "rope" and facts["rope"]["rotary_dim"] == config["head_dim"]
    assert facts["recorded_by"] == "attention interface" and facts["losses"] and facts["ablation"]
    model = load(folders["qwen3"])
    assert facts["parameters"] == sum(each.numel() for each in model.parameters())
    assert facts["score_scale"] == pytest.approx(config["head_dim"] ** -0.5)
    assert {"name": "cpu"} in facts["devices"] and facts["transformers"] == transformers.__version__


@pytest.mark.parametrize(
    "name, positions, by",
    [
        ("gptj", "rope", "product of query and key"),
        ("bloom", "alibi", "product of query and key"),
        ("gpt2", "learned", "attention interface"),
        ("phi", "rope", "attention interface"),
    ],
)
def test_describes_other_families(engine, folders, name, positions, by):
    facts = engine.describe(folders[name])
    assert (facts["positions"], facts["recorded_by"]) == (positions, by)
    assert (facts["rope"] != {}) == (positions == "rope")
    assert (facts["query_heads"], facts["key_heads"], facts["head_dim"]) == (4, 4, 8)


@pytest.mark.parametrize("name", [*MADE, *STORED])
def test_rows_are_those_of_record(engine, folders, name, tmp_path):
    model = load(folders[name])
    options = {"window": 128, "heads": "all", "sampler": "all", "all_layers": True, "store": "float32"}
    with torch.inference_mode(), ps.record(model, out=tmp_path / "live.h5", point="both", **options) as live:
        model(input_ids=torch.tensor(IDS)[None])
    study = live.study
    facts = engine.describe(folders[name])
    engine.load()
    wants = [(layer, kind, heads[1:], SAMPLE, heads[:1]) for layer, kind, heads, *_ in every_row(facts)]
    rows, losses, done = engine.run(IDS, wants, points=["post-rope", "pre-rope"])
    assert losses is None and done == list(range(study.layers[max(study.layers)].layer + 1))
    assert len(rows) == sum(4 if heads else 2 for _, _, heads, *_ in wants)
    for (layer, kind, point, dense), matrix in rows.items():
        first = 0 if dense else 1
        for number, head in enumerate(matrix, first):
            before = point == "pre-rope"
            if kind == "query":
                own = study.queries(layer, number, before_rope=before).vectors
            else:
                own = study.keys(layer, key_head=number, before_rope=before).vectors
            np.testing.assert_array_equal(head, own if dense else own[SAMPLE])
    rope = json.loads(json.dumps(facts["rope"]))
    assert study.model["rope"] == rope


@pytest.mark.parametrize("name", ["qwen3", "gemma3", "cohere2", "gptj", "bloom"])
def test_losses(engine, folders, name):
    model = load(folders[name])
    ids = torch.tensor(IDS)[None]
    with torch.inference_mode():
        logits = model(input_ids=ids).logits[0, :-1].double()
    expected = torch.nn.functional.cross_entropy(logits, ids[0, 1:], reduction="none").numpy()
    engine.describe(folders[name])
    engine.load(loss=True)
    _, losses, done = engine.run(IDS, [], loss=True)
    assert np.isnan(losses[0]) and done == list(range(model.config.get_text_config().num_hidden_layers))
    np.testing.assert_allclose(losses[1:], expected, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("name, projection", [("qwen3", "o_proj"), ("gptj", "out_proj"), ("bloom", "dense")])
def test_ablation_removes_what_heads_give_to_the_output(engine, folders, name, projection):
    facts = engine.describe(folders[name])
    engine.load(loss=True)
    heads = [[0, 1], [1, 0], [1, 3]]
    plain = engine.run(IDS, [], loss=True)[1]
    losses = engine.run(IDS, [], loss=True, ablate=heads)[1]
    model = load(folders[name])
    modules = [
        module
        for path, module in model.named_modules()
        if path.endswith(projection) and "mlp" not in path and module.in_features == 4 * facts["head_dim"]
    ]
    with torch.inference_mode():
        for layer, head in heads:
            size = modules[layer].in_features // facts["query_heads"]
            modules[layer].weight[:, head * size : (head + 1) * size] = 0
        logits = model(input_ids=torch.tensor(IDS)[None]).logits[0, :-1]
    expected = torch.nn.functional.cross_entropy(logits, torch.tensor(IDS)[1:], reduction="none").numpy()
    np.testing.assert_allclose(losses[1:], expected, rtol=1e-4, atol=1e-5)
    assert np.abs(losses[1:] - plain[1:]).max() > 1e-4


def scores_of(weights, query, ids):
    """Of one query, whose weights these are: by the definitions, key by key."""
    values = np.zeros(7)
    for key, weight in enumerate(weights[: query + 1]):
        same, follows = ids[key] == ids[query] and key < query, 0 < key < query and ids[key - 1] == ids[query]
        parts = [-np.log(max(weight, 1e-30)), query - key, key == 0, key > query - 64, key == query - 1, follows, same]
        values += weight * np.array(parts, float)
    return values


@pytest.mark.parametrize("name", [*MADE, *STORED, "gpt_oss", "gemma2"])
def test_scores_of_heads_are_those_of_the_models_attention(engine, folders, name):
    folder = folders[name] if name in folders else DATA / "families" / name
    config = transformers.AutoConfig.from_pretrained(folder)
    family = getattr(transformers, config.architectures[0])
    model = family.from_pretrained(folder, dtype=torch.float32, attn_implementation="eager").eval()
    ids = [each % 25 for each in IDS]  # tokens occur again
    with torch.inference_mode():
        attention = model(input_ids=torch.tensor(ids)[None], output_attentions=True).attentions
    facts = engine.describe(folder)
    engine.load()
    heads, queries = [1, 3], [1, 2, 29, 66, 81, 82]
    layers = [layer for layer, each in enumerate(facts["each_layer"]) if each["attention"] not in ("linear", "cross")]
    rows = engine.run(ids, [(layer, "query", heads, [], [], queries) for layer in layers])[0]
    assert rows == {} and list(engine.scores) == layers
    earlier = [ids[:query].index(ids[query]) if ids[query] in ids[:query] else query for query in queries]
    for layer, (counts, sums) in engine.scores.items():
        of_model = attention[layer][0].double().numpy()
        expected = [sum(scores_of(of_model[head, query], query, ids) for query in queries) for head in heads]
        np.testing.assert_allclose(sums, expected, rtol=2e-4, atol=2e-4)
        assert counts == {
            "all": 6,
            "induction": sum(at < query - 1 for at, query in zip(earlier, queries, strict=True)),
            "duplicate": sum(at < query for at, query in zip(earlier, queries, strict=True)),
        }


def test_a_pass_ends_with_the_last_wanted_layer(engine, folders):
    engine.describe(folders["qwen3"])
    engine.load()
    rows, _, done = engine.run(IDS, [(0, "key", [1], [5], [])])
    assert list(rows) == [(0, "key", "post-rope", False)] and done == [0]


def test_errors_leave_the_process_alive(engine, folders, tmp_path):
    with pytest.raises(Refused, match="input: .*expected a folder with config.json"):
        engine.describe(tmp_path)
    with pytest.raises(Refused, match="usage: expected describe, load or run"):
        engine.ask({"do": "sing"})
    (tmp_path / "config.json").write_text('{"model_type": "of_another_world"}')
    with pytest.raises(Refused, match="input: .*of_another_world"):
        engine.describe(tmp_path)
    shutil.copytree(folders["gpt2"], tmp_path / "cut")
    from safetensors.numpy import load_file, save_file

    weights = load_file(tmp_path / "cut" / "model.safetensors")
    weights.pop("transformer.h.0.attn.c_attn.weight")
    save_file(weights, tmp_path / "cut" / "model.safetensors", {"format": "pt"})
    engine.describe(tmp_path / "cut")
    with pytest.raises(Refused, match="input: .*c_attn.weight"):
        engine.load()
    engine.describe(folders["gpt2"])
    with pytest.raises(Refused, match="usage: expected load before run"):
        engine.run(IDS, [])
    engine.load()
    assert engine.run(IDS, [])[0] == {}


def test_a_layer_whose_attention_cannot_be_seen_is_named(engine, tmp_path):
    config = transformers.RwkvConfig(vocab_size=60, hidden_size=32, num_hidden_layers=2, attention_hidden_size=32)
    transformers.RwkvForCausalLM(config).save_pretrained(tmp_path)
    with pytest.raises(Refused, match=r"modeling_rwkv\.RwkvSelfAttention.*ALL_ATTENTION_FUNCTIONS\.get_interface"):
        engine.describe(tmp_path)


def test_end_of_input_and_kill_end_the_process(folders):
    with EngineProcess() as ended, EngineProcess() as killed:
        ended.describe(folders["gpt2"])
        ended.process.stdin.close()
        assert ended.process.wait(timeout=30) == 0
        killed.describe(folders["gpt2"])
        started = time.monotonic()
        killed.process.kill()
        killed.process.wait()
        assert time.monotonic() - started < 1
        with pytest.raises((Refused, BrokenPipeError)):
            killed.describe(folders["gpt2"])


def test_prints_of_a_model_do_not_disturb(folders, tmp_path):
    """Its code is trusted only where the request says so."""
    shutil.copytree(folders["gpt2"], tmp_path / "model")
    config = json.loads((tmp_path / "model" / "config.json").read_text())
    config |= {"model_type": "own", "auto_map": {
        "AutoConfig": "own.OwnConfig", "AutoModelForCausalLM": "own.Own"}}  # fmt: skip
    (tmp_path / "model" / "config.json").write_text(json.dumps(config))
    (tmp_path / "model" / "own.py").write_text(
        "from transformers import GPT2Config, GPT2LMHeadModel\n\n\n"
        "class OwnConfig(GPT2Config):\n    model_type = 'own'\n\n\n"
        "class Own(GPT2LMHeadModel):\n    config_class = OwnConfig\n\n"
        "    def forward(self, *args, **kwargs):\n        print('hello')\n"
        "        return super().forward(*args, **kwargs)\n"
    )
    with EngineProcess() as engine:
        with pytest.raises(Refused, match="input: .*trust_remote_code"):
            engine.describe(tmp_path / "model")
        assert engine.describe(tmp_path / "model", trust_remote_code=True)["class"] == "Own"
        engine.load(loss=True)
        losses = engine.run(IDS, [], loss=True)[1]
        engine.describe(folders["gpt2"])
        engine.load(loss=True)
        np.testing.assert_array_equal(engine.run(IDS, [], loss=True)[1], losses)


def test_needs_no_h5py():
    code = "import sys; sys.modules['h5py'] = None; import plastiscope.engine, plastiscope as ps; ps.open('a')"
    done = subprocess.run([sys.executable, "-c", code], env={"PYTHONPATH": str(SOURCE)}, capture_output=True, text=True)
    assert "h5py" in done.stderr.splitlines()[-1] and "ps.open" not in done.stdout and done.returncode == 1
    assert "plastiscope/engine.py" not in done.stderr
