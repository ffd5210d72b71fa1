"""Tiny random Llama models and what transformers computes with them: the golden data of tests/forward.

    python make_models.py [folder]        (default: the folder of this script)

Made with transformers 5.23.0, torch 2.13.0 (CPU), safetensors 0.8.0, gguf 0.19.0, numpy 2.4; the versions in use are
written to cases.json. Everything is seeded, so a second run gives the same files.

base/model.safetensors   BF16, tied embeddings, 4 query heads on 2 key heads, head_dim 16 although hidden / heads is 8
sharded/                 F16 in two shards with an index, 4 key heads, biases everywhere, untied embeddings
llama3.gguf              F32, rows of q and k permuted as GGUF converters do, llama3 scaling as rope_freqs.weight
cases.json               configuration, number of tokens, positions and place in reference.f32 of every case
reference.f32            queries and keys as little-endian float32: for every case, point (post_rope, pre_rope where
                         recorded) and layer the queries [heads, positions, head_dim], then the keys

The reference attention is transformers' "eager" one in float32: full score matrices, no fused kernel.
"""
import hashlib
import json
import pathlib
import shutil
import sys
import tempfile

import gguf
import numpy as np
import safetensors
import torch
import transformers
from safetensors.torch import save_file
from transformers import LlamaForCausalLM, MistralForCausalLM, SmolLM3ForCausalLM

HIDDEN, HEADS, HEAD_DIM, INNER, VOCABULARY, LAYERS, EPS = 32, 4, 16, 48, 97, 3, 1e-5
LONG, SHORT = 12000, 1000
POSITIONS = {LONG: [0, 1, 255, 1024, 4099, 8191, 10001, 11000, 11999], SHORT: [0, 1, 17, 255, 256, 511, 700, 998, 999]}


def token_ids(count):
    """A linear congruential generator, so that no list of tokens need be stored."""
    state, ids = 1, []
    for _ in range(count):
        state = (1103515245 * state + 12345) % 2**31
        ids.append((state >> 16) % VOCABULARY)
    return ids


def random_tensor(name, shape):
    seed = int.from_bytes(hashlib.sha256(name.encode()).digest()[:4], "little")
    draw = np.random.default_rng(seed)
    if name.endswith("norm.weight"):
        return torch.tensor(draw.uniform(0.5, 1.5, shape), dtype=torch.float32)
    scale = 1.0 if "embed" in name else 0.3  # large enough that scores spread and a wrong norm or angle shows
    return torch.tensor(draw.normal(0, scale, shape), dtype=torch.float32)


def weights(key_heads, layers, biases, tied):
    query, key = HEADS * HEAD_DIM, key_heads * HEAD_DIM
    shapes = {"model.embed_tokens.weight": (VOCABULARY, HIDDEN), "model.norm.weight": (HIDDEN,)}
    if not tied:
        shapes["lm_head.weight"] = (VOCABULARY, HIDDEN)
    for layer in range(layers):
        linear = {
            "self_attn.q_proj": (query, HIDDEN), "self_attn.k_proj": (key, HIDDEN), "self_attn.v_proj": (key, HIDDEN),
            "self_attn.o_proj": (HIDDEN, query), "mlp.gate_proj": (INNER, HIDDEN), "mlp.up_proj": (INNER, HIDDEN),
            "mlp.down_proj": (HIDDEN, INNER),
        }
        for name, shape in linear.items():
            shapes[f"model.layers.{layer}.{name}.weight"] = shape
            if biases:
                shapes[f"model.layers.{layer}.{name}.bias"] = shape[:1]
        for norm in ("input_layernorm", "post_attention_layernorm"):
            shapes[f"model.layers.{layer}.{norm}.weight"] = (HIDDEN,)
    return {name: random_tensor(name, shape) for name, shape in shapes.items()}


def config(key_heads=2, layers=LAYERS, biases=False, tied=True, context=4096, **more):
    return {
        "architectures": ["LlamaForCausalLM"], "model_type": "llama", "hidden_act": "silu", "hidden_size": HIDDEN,
        "intermediate_size": INNER, "num_hidden_layers": layers, "num_attention_heads": HEADS,
        "num_key_value_heads": key_heads, "head_dim": HEAD_DIM, "vocab_size": VOCABULARY, "rms_norm_eps": EPS,
        "max_position_embeddings": context, "attention_bias": biases, "mlp_bias": biases,
        "tie_word_embeddings": tied, **more,
    }


LLAMA3 = {"factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0, "original_max_position_embeddings": 512}
LISTS = {"short_factor": [1.0, 1.05, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6], "long_factor": [1.0, 1.5, 2.0, 3.0, 5.0, 8.0, 12.0, 16.0]}

# name: (weights, configuration, tokens). Old spelling: rope_theta and rope_scaling at the top; new: rope_parameters.
CASES = {
    "default_old": ("base", config(rope_theta=50000.0), LONG),
    "default_new": ("base", config(rope_parameters={"rope_type": "default", "rope_theta": 50000.0}), SHORT),
    "linear_old": ("base", config(rope_theta=10000.0, rope_scaling={"type": "linear", "factor": 4.0}), LONG),
    "dynamic_new": ("base", config(rope_parameters={"rope_type": "dynamic", "rope_theta": 10000.0, "factor": 2.0}), LONG),
    "dynamic_old_short": ("base", config(rope_theta=10000.0, rope_scaling={"type": "dynamic", "factor": 2.0}), SHORT),
    "llama3_old": ("base", config(rope_theta=500000.0, rope_scaling={"rope_type": "llama3", **LLAMA3}), LONG),
    "llama3_new": ("base", config(rope_parameters={"rope_type": "llama3", "rope_theta": 500000.0, **LLAMA3}), SHORT),
    "yarn_new": ("base", config(rope_parameters={"rope_type": "yarn", "rope_theta": 10000.0, "factor": 8.0,
                                                 "original_max_position_embeddings": 512}), LONG),
    "yarn_old_mscale": ("base", config(rope_theta=10000.0, rope_scaling={
        "rope_type": "yarn", "factor": 8.0, "original_max_position_embeddings": 512, "beta_fast": 16.0, "beta_slow": 2.0,
        "mscale": 1.0, "mscale_all_dim": 0.5, "truncate": False}), LONG),
    "longrope_new": ("base", config(rope_parameters={"rope_type": "longrope", "rope_theta": 10000.0, "factor": 8.0,
                                                     "original_max_position_embeddings": 512, **LISTS}), LONG),
    "longrope_old_short": ("base", config(rope_theta=10000.0, rope_scaling={
        "type": "longrope", "factor": 4.0, "original_max_position_embeddings": 1024, **LISTS}), SHORT),
    "sharded": ("sharded", config(key_heads=4, layers=2, biases=True, tied=False, rope_theta=10000.0), LONG),
    "llama3.gguf": ("gguf", config(layers=2, rope_theta=500000.0, rope_scaling={"rope_type": "llama3", **LLAMA3}), LONG),
}
PRE_ROPE_TOO = {"default_old", "sharded"}
# Two properties of a layer that Llama itself does not use. The weights have Llama's names, so the program reads them as
# a Llama and the test sets the property; the reference is the family that has it.
# name: (reference class, its additional configuration, what the test sets in every layer)
OTHER_FAMILIES = {
    "window": (MistralForCausalLM, {"model_type": "mistral", "sliding_window": 700}, {"window": [700, 700, 700]}),
    "nope": (SmolLM3ForCausalLM, {"model_type": "smollm3", "no_rope_layers": [1, 0, 1], "pad_token_id": None},
             {"rope": [True, False, True]}),
}
CASES["window"] = ("base", config(rope_theta=10000.0), LONG)
CASES["nope"] = ("base", config(rope_theta=10000.0), SHORT)


def write_base(folder):
    (folder / "base").mkdir(exist_ok=True)
    tensors = {name: value.to(torch.bfloat16) for name, value in weights(2, LAYERS, False, True).items()}
    save_file(tensors, folder / "base/model.safetensors", {"format": "pt"})


def write_sharded(folder):
    out = folder / "sharded"
    out.mkdir(exist_ok=True)
    tensors = {name: value.to(torch.float16) for name, value in weights(4, 2, True, False).items()}
    names = sorted(tensors)
    shards = {"model-00001-of-00002.safetensors": names[::2], "model-00002-of-00002.safetensors": names[1::2]}
    for file, part in shards.items():
        save_file({name: tensors[name] for name in part}, out / file, {"format": "pt"})
    total = sum(value.nbytes for value in tensors.values())
    index = {"metadata": {"total_size": total}, "weight_map": {n: f for f, part in shards.items() for n in part}}
    (out / "model.safetensors.index.json").write_text(json.dumps(index, indent=1, sort_keys=True) + "\n")


def rope_factors():
    """What GGUF converters store for llama3 scaling: frequencies are divided by these."""
    low, high = (LLAMA3["original_max_position_embeddings"] / LLAMA3[k] for k in ("low_freq_factor", "high_freq_factor"))
    factors = []
    for i in range(0, HEAD_DIM, 2):
        wave = 2 * np.pi * 500000.0 ** (i / HEAD_DIM)
        smooth = (LLAMA3["original_max_position_embeddings"] / wave - LLAMA3["low_freq_factor"]) / (
            LLAMA3["high_freq_factor"] - LLAMA3["low_freq_factor"])
        factors.append(1.0 if wave < high else LLAMA3["factor"] if wave > low else
                       1 / ((1 - smooth) / LLAMA3["factor"] + smooth))
    return np.array(factors, np.float32)


def interleaved_rows(rows, heads):
    """Row order of Llama GGUF files: the two halves of every head alternate."""
    return rows.reshape(heads, 2, rows.shape[0] // heads // 2, -1).swapaxes(1, 2).reshape(rows.shape)


def write_gguf(folder):
    values = config(layers=2)
    names = {"self_attn.q_proj": "attn_q", "self_attn.k_proj": "attn_k", "self_attn.v_proj": "attn_v",
             "self_attn.o_proj": "attn_output", "mlp.gate_proj": "ffn_gate", "mlp.up_proj": "ffn_up",
             "mlp.down_proj": "ffn_down", "input_layernorm": "attn_norm", "post_attention_layernorm": "ffn_norm"}
    writer = gguf.GGUFWriter(str(folder / "llama3.gguf"), "llama")
    writer.add_name("tiny llama3")
    writer.add_block_count(2)
    writer.add_context_length(values["max_position_embeddings"])
    writer.add_embedding_length(HIDDEN)
    writer.add_feed_forward_length(INNER)
    writer.add_head_count(HEADS)
    writer.add_head_count_kv(2)
    writer.add_key_length(HEAD_DIM)
    writer.add_value_length(HEAD_DIM)
    writer.add_rope_dimension_count(HEAD_DIM)
    writer.add_rope_freq_base(500000.0)
    writer.add_layer_norm_rms_eps(EPS)
    writer.add_tensor("rope_freqs.weight", rope_factors())
    for name, value in weights(2, 2, False, True).items():
        array = value.numpy()
        if name == "model.embed_tokens.weight":
            writer.add_tensor("token_embd.weight", array)
        elif name == "model.norm.weight":
            writer.add_tensor("output_norm.weight", array)
        else:
            _, _, layer, *middle, _ = name.split(".")
            part = ".".join(middle)
            heads = {"self_attn.q_proj": HEADS, "self_attn.k_proj": 2}.get(part)
            writer.add_tensor(f"blk.{layer}.{names[part]}.weight", interleaved_rows(array, heads) if heads else array)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def reference(model, tokens):
    """Queries and keys before and after the rotation at the recorded positions, layer by layer."""
    recorded = {"pre_rope": [], "post_rope": []}
    code = sys.modules[type(model).__module__]
    rotate, attend = code.apply_rotary_pos_emb, code.eager_attention_forward
    at = torch.tensor(POSITIONS[tokens])

    def record(point, q, k):
        recorded[point].append([x[0][:, at].numpy().astype("<f4") for x in (q, k)])

    def recording_rotate(q, k, *args, **kwargs):
        record("pre_rope", q, k)
        return rotate(q, k, *args, **kwargs)

    def recording_attend(module, q, k, *args, **kwargs):
        record("post_rope", q, k)
        return attend(module, q, k, *args, **kwargs)

    code.apply_rotary_pos_emb, code.eager_attention_forward = recording_rotate, recording_attend
    try:
        with torch.inference_mode():
            model.model(torch.tensor([token_ids(tokens)]), use_cache=False)
    finally:
        code.apply_rotary_pos_emb, code.eager_attention_forward = rotate, attend
    return recorded


def load(folder, name, kind, values):
    """The model as transformers itself reads the folder; the GGUF case from its weights before conversion."""
    family, more, _ = OTHER_FAMILIES.get(name, (LlamaForCausalLM, {}, None))
    with tempfile.TemporaryDirectory() as temporary:
        place = pathlib.Path(temporary)
        (place / "config.json").write_text(json.dumps({**values, **more}))
        if kind == "gguf":
            save_file(weights(2, 2, False, True), place / "model.safetensors", {"format": "pt"})
        else:
            for file in (folder / kind).glob("model*"):
                shutil.copy(file, place)
        return family.from_pretrained(place, dtype=torch.float32, attn_implementation="eager").eval()


def main():
    folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent)
    folder.mkdir(parents=True, exist_ok=True)
    write_base(folder)
    write_sharded(folder)
    write_gguf(folder)
    cases, numbers = [], []
    for name, (kind, values, tokens) in CASES.items():
        recorded = reference(load(folder, name, kind, values), tokens)
        points = ["post_rope"] + (["pre_rope"] if name in PRE_ROPE_TOO else [])
        offset = sum(part.size for part in numbers)
        numbers += [array for point in points for layer in recorded[point] for array in layer]
        cases.append({"name": name, "weights": kind, "tokens": tokens, "positions": POSITIONS[tokens], "points": points,
                      "offset": offset, "config": values, "layers": OTHER_FAMILIES.get(name, (None, None, {}))[2]})
        print(name, "largest |k|", max(np.abs(layer[1]).max() for layer in recorded["post_rope"]))
    np.concatenate([part.ravel() for part in numbers]).tofile(folder / "reference.f32")
    made_with = {"transformers": transformers.__version__, "torch": torch.__version__, "numpy": np.__version__,
                 "safetensors": safetensors.__version__}
    lines = ",\n".join(json.dumps(case) for case in cases)
    (folder / "cases.json").write_text(f'{{"made_with": {json.dumps(made_with)},\n"cases": [\n{lines}\n]}}\n')


if __name__ == "__main__":
    main()
