"""What transformers computes when single heads are changed: queries and keys of all layers with attention.

    python make_interventions.py [folder]        (default: the folder of this script)

Made with transformers 5.23.0, torch 2.13.0 (CPU), in float32; the versions in use are written to interventions.json.
Everything is seeded. The models are the tiny ones of this folder and of ../families.

A silenced head's slice of the output projection's input is set to zero before the projection. A clamped head sees, after
keys are repeated for their group, k_t - axis * slope * (t - centre) in the place of k_t; the attention is the family's
own eager one.

interventions.json  per case: model, what is changed, layers recorded and their place in interventions.f32
interventions.f32   little-endian float32, per case and layer: queries [heads, positions, head_dim], then keys
"""
import json
import pathlib
import shutil
import sys
import tempfile
import types

import numpy as np
import torch
import transformers
from transformers import AttentionInterface, AttentionMaskInterface
from transformers.masking_utils import eager_mask

HERE = pathlib.Path(__file__).parent
TOKENS, POSITIONS = 1300, [0, 1, 300, 777, 1100, 1299]

# name: (class, silenced heads, clamped heads with their slopes), heads as (layer, query head)
CASES = {
    "default_new": ("LlamaForCausalLM", [(0, 1), (1, 3)], {}),
    "default_new_clamped": ("LlamaForCausalLM", [], {(0, 2): 0.004, (1, 0): -0.007}),
    "qwen3_next": ("Qwen3NextForCausalLM", [(1, 0)], {(1, 3): 0.005}),
    "gpt_oss": ("GptOssForCausalLM", [(0, 0)], {(0, 3): 0.006, (1, 1): -0.006}),
    "gemma2": ("Gemma2ForCausalLM", [], {(0, 1): 0.01, (1, 2): 0.008}),
}


def token_ids(count):
    """A linear congruential generator, so that no list of tokens need be stored."""
    state, ids = 1, []
    for _ in range(count):
        state = (1103515245 * state + 12345) % 2**31
        ids.append((state >> 16) % 97)
    return ids


def put_together(name, folder):
    """The model folder of a case: a family's own, or one of cases.json with its weights."""
    if not name.startswith("default_new"):
        return HERE.parent / "families" / name, name
    case = next(c for c in json.loads((HERE / "cases.json").read_text())["cases"] if c["name"] == "default_new")
    (folder / "config.json").write_text(json.dumps(case["config"]))
    shutil.copy(HERE / case["weights"] / "model.safetensors", folder)
    return folder, "default_new"


class Clamped:
    """The attention of a run in which some heads see other keys."""
    def __init__(self, clamped, head_dim):
        draw = np.random.default_rng(5)
        self.heads = []
        for (layer, head), slope in clamped.items():
            axis = draw.normal(size=head_dim)
            self.heads.append({"layer": layer, "head": head, "slope": slope, "centre": (TOKENS - 1) / 2,
                               "axis": (axis / np.linalg.norm(axis)).tolist()})
        self.rows = {}

    def attend(self, module, query, key, value, mask, scaling, **kwargs):
        self.rows[module.layer_idx] = [part[0][:, POSITIONS].clone() for part in (query, key)]
        group = module.num_key_value_groups
        key, value = (part.repeat_interleave(group, 1) for part in (key, value))
        for clamp in self.heads:
            if clamp["layer"] == module.layer_idx:
                steps = clamp["slope"] * (torch.arange(TOKENS, dtype=torch.float64) - clamp["centre"])
                drift = steps[:, None] * torch.tensor(clamp["axis"], dtype=torch.float64)
                key[0, clamp["head"]] = (key[0, clamp["head"]].double() - drift).float()
        repeated = types.SimpleNamespace(num_key_value_groups=1, training=False, sinks=getattr(module, "sinks", None))
        eager = sys.modules[type(module).__module__].eager_attention_forward
        return eager(repeated, query, key, value, mask, scaling=scaling, **kwargs)


def silence(model, heads, head_dim):
    def before(layer):
        def hook(_, inputs):
            mixed = inputs[0].clone()
            for at, head in heads:
                if at == layer:
                    mixed[..., head * head_dim:(head + 1) * head_dim] = 0
            return (mixed,)
        return hook
    for layer in {at for at, _ in heads}:
        model.model.layers[layer].self_attn.o_proj.register_forward_pre_hook(before(layer))


def run(name, family, silenced, clamped):
    with tempfile.TemporaryDirectory() as temporary:
        folder, model_name = put_together(name, pathlib.Path(temporary))
        model = getattr(transformers, family).from_pretrained(folder, dtype=torch.float32,
                                                              attn_implementation="clamped").eval()
    head_dim = model.config.head_dim
    attention = Clamped(clamped, head_dim)
    AttentionInterface.register("clamped", attention.attend)
    silence(model, silenced, head_dim)
    with torch.inference_mode():
        model.model(input_ids=torch.tensor([token_ids(TOKENS)]), use_cache=False)
    about = {"name": name, "model": model_name, "silenced": silenced, "clamped": attention.heads,
             "layers": sorted(attention.rows)}
    return about, [part.numpy().astype("<f4").ravel() for i in about["layers"] for part in attention.rows[i]]


def main():
    folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else HERE)
    AttentionInterface.register("clamped", None)
    AttentionMaskInterface.register("clamped", eager_mask)
    cases, numbers, offset = [], [], 0
    for name, case in CASES.items():
        about, rows = run(name, *case)
        cases.append({**about, "offset": offset})
        numbers += rows
        offset += sum(len(part) for part in rows)
    np.concatenate(numbers).tofile(folder / "interventions.f32")
    head = {"made_with": {"transformers": transformers.__version__, "torch": torch.__version__}, "tokens": TOKENS,
            "positions": POSITIONS}
    lines = ",\n".join(" " + json.dumps(case) for case in cases)
    (folder / "interventions.json").write_text(json.dumps(head)[:-1] + ', "cases": [\n' + lines + "\n]}\n")


if __name__ == "__main__":
    main()
