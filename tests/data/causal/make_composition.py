"""Composition scores of small models by NumPy from whole [hidden, hidden] matrices: the expected values of
tests/causal/test_composition.cpp. Versions are in composition.json. Run in this folder: python make_composition.py
"""
import json
import pathlib
import platform

import numpy as np
import safetensors
import torch
from safetensors.torch import load_file

FAMILIES = pathlib.Path(__file__).parent.parent / "families"


def scores(folder, added):
    """[[from layer, head, to layer, head], [q, k, v]] of every edge. added: to the stored norm weights."""
    config = json.loads((folder / "config.json").read_text())
    stored = load_file(folder / "model.safetensors")
    dim, group = config["head_dim"], config["num_attention_heads"] // config["num_key_value_heads"]

    def weight(layer, name):
        values = stored.get(f"model.layers.{layer}.{name}.weight")
        return None if values is None else values.to(torch.float32).numpy().astype(float)

    heads = []
    for layer in range(config["num_hidden_layers"]):
        gain = weight(layer, "input_layernorm") + added
        q, k, v = (weight(layer, f"self_attn.{part}_proj") * gain for part in "qkv")
        o = weight(layer, "self_attn.o_proj")
        if config["model_type"] == "gemma2":
            o = (weight(layer, "post_attention_layernorm") + added)[:, None] * o
        for head in range(config["num_attention_heads"]):
            rows, keys = (slice(i * dim, (i + 1) * dim) for i in (head, head // group))
            query, key = q[rows], k[keys]
            if weight(layer, "self_attn.q_norm") is not None:
                query = (weight(layer, "self_attn.q_norm") + added)[:, None] * query
                key = (weight(layer, "self_attn.k_norm") + added)[:, None] * key
            heads.append((layer, head, query.T @ key, o[:, rows] @ v[keys]))
    size = np.linalg.norm
    return [[[a, b, c, d], [size(x @ ov1) / size(x) / size(ov1) for x in (qk.T, qk, ov)]]
            for c, d, qk, ov in heads for a, b, _, ov1 in heads if a < c]


def random_score(draw, hidden, dim):
    """Root mean square over random matrices of these shapes, and its mean."""
    found = []
    for _ in range(400):
        x, y = (draw.normal(size=(hidden, dim)) @ draw.normal(size=(dim, hidden)) for _ in range(2))
        found.append(np.linalg.norm(x @ y) / np.linalg.norm(x) / np.linalg.norm(y))
    return {"hidden": hidden, "root_mean_square": float(np.sqrt(np.mean(np.square(found)))), "mean": float(np.mean(found))}


def main():
    draw = np.random.default_rng(43)
    content = {
        "versions": {"python": platform.python_version(), "numpy": np.__version__, "torch": torch.__version__,
                     "safetensors": safetensors.__version__},
        "models": {"qwen3": scores(FAMILIES / "qwen3", 0), "gemma2": scores(FAMILIES / "gemma2", 1)},
        "random": [random_score(draw, *shape) for shape in ((168, 16), (96, 64), (64, 8))],
    }
    content["models"] = {name: [[ends, [round(x, 7) for x in values]] for ends, values in edges][::5]
                         for name, edges in content["models"].items()}
    text = json.dumps(content).replace('"models"', '\n"models"').replace('"random"', '\n"random"')
    (pathlib.Path(__file__).parent / "composition.json").write_text(text.replace(", [[", ",\n[[") + "\n")


main()
