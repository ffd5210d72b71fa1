"""Random values for every tensor of a file, keyed by its name, so that a file can be made again."""
import hashlib

import numpy as np
import torch
from safetensors import safe_open
from safetensors.torch import save_file

# A part of the name and how its values are drawn; the first that fits counts. Scales are large enough that scores
# spread and a wrong norm, bias or angle shows; routers have wide logits, so that no two experts are nearly level.
RULES = [
    ("embed_tokens", lambda draw, shape: draw.normal(0, 1, shape)),
    ("e_score_correction_bias", lambda draw, shape: draw.normal(0, 0.2, shape)),
    (".gate.weight", lambda draw, shape: draw.normal(0, 1, shape)),
    ("router.weight", lambda draw, shape: draw.normal(0, 1, shape)),
    ("router.layer.weight", lambda draw, shape: draw.normal(0, 1, shape)),
    ("sinks", lambda draw, shape: draw.normal(0, 1, shape)),
    ("", lambda draw, shape: draw.normal(0, 0.3, shape)),
]


def values(name, shape, case):
    draw = np.random.default_rng(int.from_bytes(hashlib.sha256(name.encode()).digest()[:4], "little"))
    for part, rule in [*case.rules, *RULES]:
        if part in name:
            break
    if "norm" in name and name.endswith(".weight") and rule is RULES[-1][1]:
        low = -0.5 if case.norms_add_one else 0.5
        return draw.uniform(low, low + 1, shape)
    return rule(draw, shape)


def randomise(file, case):
    with safe_open(file, "pt") as opened:
        kinds = {name: opened.get_tensor(name) for name in opened.keys()}
    tensors = {}
    for name, old in kinds.items():
        assert old.dtype in (torch.bfloat16, torch.float32), (name, old.dtype)
        drawn = torch.tensor(values(name, tuple(old.shape), case)).to(torch.bfloat16)
        tensors[name] = drawn.to(old.dtype)
    save_file(tensors, file, {"format": "pt"})
