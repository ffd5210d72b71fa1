"""Experts of gpt-oss as its published files hold them: four-bit numbers in blocks of 32 with an exponent each."""
import hashlib
import json

import numpy as np
import torch
from safetensors.torch import load_file, save_file

KEPT = ["model.layers.*.self_attn", "model.layers.*.mlp.router", "model.embed_tokens", "lm_head"]


def drawn(name, low, high, shape):
    draw = np.random.default_rng(int.from_bytes(hashlib.sha256(name.encode()).digest()[:4], "little"))
    return torch.tensor(draw.integers(low, high, shape, dtype=np.uint8))


def quantise_experts(folder):
    """[expert, in, out] becomes blocks [expert, out, in / 32, 16] and scales [expert, out, in / 32] of random bytes."""
    tensors = load_file(folder / "model.safetensors")
    for name in [name for name in tensors if name.endswith(("experts.gate_up_proj", "experts.down_proj"))]:
        experts, inputs, outputs = tensors.pop(name).shape
        shape = (experts, outputs, inputs // 32)
        tensors[name + "_blocks"] = drawn(name + "_blocks", 0, 256, (*shape, 16))
        tensors[name + "_scales"] = drawn(name + "_scales", 121, 125, shape)  # weights of about 0.05 to 0.4
    save_file(tensors, folder / "model.safetensors", {"format": "pt"})
    values = json.loads((folder / "config.json").read_text())
    values["quantization_config"] = {"modules_to_not_convert": KEPT, "quant_method": "mxfp4"}
    (folder / "config.json").write_text(json.dumps(values, indent=2) + "\n")
