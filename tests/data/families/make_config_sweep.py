"""What transformers makes of every key of config.json that is null or left out, and of RoPE settings it does not use.

    nice -n 5 python make_config_sweep.py            every variant
    nice -n 5 python make_config_sweep.py NAME ...   these variants; the other lines of config_sweep.json stay
    nice -n 5 python make_config_sweep.py --keep FOLDER [NAME ...]   also writes every configuration with its queries and keys there

Versions in use are written to config_sweep.json: per variant, the folder whose config.json it is, what is set and
dropped in it before ("edits"), the facts of the whole file ("facts"), and per change of one key what it gives:
"same", "error" (the class, the model or the run raises, or a tensor that it needs is not in the file), or the facts
that differ. A change is "null KEY", "without KEY" or "with {...}", a patch of its own. Facts are read from the loaded
model: heads and layers with their windows, the scale of scores, RoPE's inverse frequencies and the factor on cos and
sin. That they decide queries and keys is checked here: where the facts are the same, so are those, and the other way round.
"""
import copy
import json
import pathlib
import sys
import tempfile
import warnings

import numpy as np
import torch
import transformers

import record
from cases import CASES

FOLDER = pathlib.Path(__file__).parent
TOKENS = 40
WINDOWS = {"sliding_window": 7, "attention_chunk_size": 9}  # that show within so many tokens
# Keys without a part in the run of the model.
UNUSED = {"architectures", "model_type", "transformers_version", "dtype", "torch_dtype", "initializer_range", "use_cache",
          "bos_token_id", "eos_token_id", "pad_token_id", "eod_token_id", "attention_dropout", "residual_dropout",
          "embedding_dropout", "resid_pdrop", "embd_pdrop", "dropout", "output_router_logits", "router_aux_loss_coef",
          "router_jitter_noise", "pretraining_tp", "return_dict", "output_hidden_states", "output_attentions",
          "chunk_size_feed_forward", "is_encoder_decoder", "id2label", "label2id", "problem_type", "num_logits_to_keep",
          "mamba_chunk_size", "quantization_config", "cache_implementation", "num_mtp_layers", "num_nextn_predict_layers",
          "vocab_size_per_layer_input"}
# Keys of older files and of other families, which are set to null where a file does not have them.
LEGACY = ["rope_theta", "rope_scaling", "rope_parameters", "partial_rotary_factor", "head_dim", "sliding_window",
          "layer_types", "num_key_value_heads", "rope_local_base_freq", "sliding_window_pattern", "no_rope_layers",
          "original_max_position_embeddings", "attention_bias", "query_pre_attn_scalar", "use_sliding_window",
          "max_window_layers", "use_qk_norm", "mlp_bias", "hidden_activation", "hidden_act", "full_attention_interval",
          "per_layer_config", "global_head_dim", "num_global_key_value_heads", "tie_word_embeddings"]


def text_config(values):
    return values["text_config"] if "text_config" in values else values


def flat_rope(values):
    """As before transformers 5: what stands in rope_parameters at the top."""
    rope = dict(values["rope_parameters"])
    out = {"rope_theta": rope.pop("rope_theta")}
    if "partial_rotary_factor" in rope:
        out["partial_rotary_factor"] = rope.pop("partial_rotary_factor")
    out["rope_scaling"] = None if rope.get("rope_type") == "default" else rope
    return {"set": out, "drop": ["rope_parameters"]}


FLAT = ["llama", "mistral", "ministral", "ministral3", "mixtral", "qwen2_moe", "gemma2", "olmo2", "granite", "cohere",
        "starcoder2", "glm", "seed_oss", "ernie4_5", "hunyuan_v1_dense_alpha", "llama4_text", "falcon_h1", "qwen3_5_text",
        "granitemoehybrid_dense", "olmo", "olmoe", "phi", "stablelm", "nemotron", "persimmon"]
# Further values of the class that queries and keys depend on.
OTHER = ["attn_logit_softcapping", "num_experts_per_tok", "top_k_experts", "norm_topk_prob", "routed_scaling_factor",
         "embedding_multiplier", "residual_multiplier", "key_multiplier", "attention_in_multiplier",
         "attention_out_multiplier", "ssm_in_multiplier", "ssm_out_multiplier", "mlp_multipliers", "ssm_multipliers",
         "clip_qkv", "use_parallel_residual", "rope_interleave", "altup_active_idx", "altup_correct_scale",
         "activation_sparsity_pattern"]
NOT = {"gpt_oss_mxfp4", "qwen3_yarn_old", "qwen3_yarn", "mistral_full", "qwen2_full", "starcoder2_full", "mixtral_full",
       "qwen2_moe_sparse", "qwen3_moe_sparse", "llama4_four", "gemma3_six", "granitemoehybrid_nope", "falcon_h1_dyadic", "smollm3_four",
       "olmoe_plain", "qwen3_vl_moe_published", "gemma3n_full"}

LLAMA3 = {"factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0, "original_max_position_embeddings": 16}
LEFTOVERS = {"mrope_section": [2, 3, 3], "alpha": 1000.0, "short_mscale": 1.1, "long_mscale": 1.3, "rotary_dim": 4,
             "original_max_position_embeddings": 16, "max_position_embeddings": 64, "mscale": 0.7, "mscale_all_dim": 0.9,
             "beta_fast": 16, "attention_factor": 1.25, "factor": 4.0, "low_freq_factor": 1.0, "finetuned": True,
             "truncate": False, "llama_4_scaling_beta": 0.1, "attn_factor": 1.1, "partial_rotary_factor": 0.5,
             "frequency_factors": [2.0], "some_key_of_tomorrow": 1, "rope_theta": 500.0}
PATCHED = ["llama", "qwen2", "phi3", "gemma3_text", "glm4"]


def patches(pairs):
    """RoPE dictionaries of every kind, in both spellings, with keys that another kind or another family reads."""
    lists = {"short_factor": [1.0] * pairs, "long_factor": [2.0] * pairs}
    kinds = {"default": {}, "linear": {"factor": 4.0}, "dynamic": {"factor": 4.0}, "llama3": LLAMA3,
             "yarn": {"factor": 4.0, "original_max_position_embeddings": 16},
             "longrope": {**lists, "original_max_position_embeddings": 16}, "proportional": {}, "mrope": {}, "ntk": {}}
    for kind, needs in kinds.items():
        for spelling, name in (("rope_scaling", "type"), ("rope_scaling", "rope_type"), ("rope_parameters", "type")):
            yield {spelling: {name: kind, **needs, **({"rope_theta": 777.0} if spelling == "rope_parameters" else {})}}
        if kind in ("mrope", "ntk"):
            continue
        for key in needs:
            yield {"rope_scaling": {"type": kind, **{k: v for k, v in needs.items() if k != key}}}
            yield {"rope_scaling": {"type": kind, **needs, key: None}}
        for key, value in {**LEFTOVERS, **lists}.items():
            if key not in needs:
                yield {"rope_scaling": {"rope_type": kind, **needs, key: value}}
            if key in ("mscale", "beta_fast", "attention_factor", "truncate", "partial_rotary_factor"):
                yield {"rope_scaling": {"rope_type": kind, **needs, key: None}}
    yield {"rope_scaling": {"type": "linear", "rope_type": "dynamic", "factor": 4.0}}
    yield {"rope_scaling": {"type": "linear", "factor": 4.0}, "rope_parameters": {"rope_type": "default", "rope_theta": 777.0}}
    yield {"rope_scaling": {}, "rope_parameters": {"rope_type": "default", "rope_theta": 777.0}}
    yield {"rope_scaling": {"factor": 4.0}}
    yield {"rope_scaling": {"type": "yarn", **lists}}
    yield {"rope_scaling": {"type": "yarn", "factor": 4.0, **lists}}
    yield {"rope_scaling": {"type": "longrope", **lists}}
    yield {"rope_parameters": {"rope_theta": 777.0}}
    yield {"rope_parameters": {"rope_theta": None, "rope_type": "default"}}
    yield {"rope_parameters": {"rope_type": None, "rope_theta": 777.0}}
    yield {"rope_parameters": {}}
    yield {"rope_theta": 333.0, "rope_parameters": {"rope_theta": 777.0, "rope_type": "default"}}
    yield {"rope_theta": 333.0, "rope_parameters": None}
    yield {"rope_theta": None, "rope_scaling": {"type": "linear", "factor": 4.0}}
    yield {"partial_rotary_factor": 0.5}
    yield {"partial_rotary_factor": 0.5, "rope_scaling": {"type": "linear", "factor": 4.0}}
    yield {"original_max_position_embeddings": 16, "rope_scaling": {"type": "yarn", "factor": 4.0}}
    yield {"original_max_position_embeddings": 16,
           "rope_scaling": {"type": "yarn", "factor": 4.0, "original_max_position_embeddings": 32}}


def variants():
    for name, case in [("llama", None), *CASES.items()]:
        if name in NOT:
            continue
        folder = "../model/folder" if name == "llama" else name
        yield name, folder, {}
    for name in FLAT:
        folder = "../model/folder" if name == "llama" else name
        values = json.loads((FOLDER / folder / "config.json").read_text())
        yield name + "_flat", folder, flat_rope(text_config(values))


def family_of(name):
    if name == "llama":
        return transformers.LlamaForCausalLM
    case = CASES[name]
    return getattr(transformers, CASES[case.same_as or name].family)


def weights_of(name):
    return FOLDER / ("../model/folder" if name == "llama" else CASES[name].same_as or name) / "model.safetensors"


def edited(values, edits):
    values = copy.deepcopy(values)
    text = text_config(values)
    for key in edits.get("drop", []):
        text.pop(key, None)
    text.update(copy.deepcopy(edits.get("set", {})))
    return values


class Refused(Exception):
    pass


def load(family, values, weights):
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        (folder / "config.json").write_text(json.dumps(values))
        (folder / "model.safetensors").symlink_to(weights.resolve())
        model, info = family.from_pretrained(folder, dtype=torch.float32, experts_implementation="eager",
                                             attn_implementation="recording", output_loading_info=True)
    if info["missing_keys"] or info["mismatched_keys"]:
        raise Refused(f"tensors {sorted(map(str, info['missing_keys']))[:3]} {list(info['mismatched_keys'])[:3]}")
    return model.eval(), bool(info["unexpected_keys"])


def rounded(x):
    return float(f"{float(x):.6g}")


def ropes_of(model):
    module = next((m for n, m in model.named_modules() if n.endswith("rotary_emb") and "vision" not in n), None)
    if module is None:
        return {}
    found = {}
    for name, buffer in module.named_buffers():
        if name.endswith("inv_freq") and "original" not in name and "long" not in name:
            kind = name[:-len("inv_freq")].rstrip("_")
            scaling = getattr(module, f"{kind}_attention_scaling" if kind else "attention_scaling", 1.0)
            found[kind] = [rounded(scaling), *map(rounded, buffer.flatten().tolist())]
    return found


def rotates(attention, config):
    if hasattr(attention, "use_rope"):
        return bool(attention.use_rope)
    if config.model_type in ("cohere2", "exaone4"):
        sliding = attention.is_sliding if config.model_type == "exaone4" else attention.sliding_window is not None
        return sliding or (config.model_type == "exaone4" and attention.sliding_window is None)
    return getattr(config, "position_embedding_type", "rope") == "rope"


def window_of(layer, attention, config, index):
    kinds = getattr(config, "layer_types", None)
    kind = kinds[index] if kinds else None
    if kind == "chunked_attention":
        return config.attention_chunk_size
    if kind == "sliding_attention":
        return config.sliding_window
    if kind is None or config.model_type in ("mistral", "phi3", "mixtral", "starcoder2", "ministral3", "qwen3_moe"):
        return getattr(config, "sliding_window", None) or 0
    return 0


def facts_of(model, recording):
    config = model.config.get_text_config(decoder=True)
    modules = {m.layer_idx: m for n, m in model.named_modules() if hasattr(m, "layer_idx") and hasattr(m, "scaling") and
               "vision" not in n and n.endswith(("self_attn", ".attention"))}
    layers = []
    for index in range(config.num_hidden_layers):
        layer = recording.layers.get(index)
        if layer is None:
            layers.append("-")
            continue
        window = window_of(None, modules.get(index), config, index) or 0
        kind = layer.attention if layer.attention != "full" or not window else "sliding"
        if kind == "chunked" or kind == "sliding":
            assert window and (layer.attention == "full" and window >= TOKENS - 1 or layer.window == window), (kind, window, layer.window)
        kind = "chunked" if layer.attention == "chunked" or (window and getattr(config, "attention_chunk_size", None) == window) else kind
        layers.append(f"{kind} {window} {'rope' if rotates(modules[index], config) else 'none'} "
                      f"{layer.query.shape[0]} {layer.key.shape[0]} {layer.query.shape[2]} {float(layer.scale):.6g}")
    epsilons = [getattr(config, key) for key in ("rms_norm_eps", "layer_norm_eps", "norm_epsilon", "norm_eps")
                if hasattr(config, key)] + [1e-5]  # olmo's constant
    other = {key: getattr(config, key) for key in OTHER if getattr(config, key, None) is not None
             and not (key == "num_experts_per_tok" and getattr(config, "num_local_experts", 1) == 0)}
    return {"other": other, "layers": dict(enumerate(layers)), "rope": ropes_of(model), "eps": rounded(epsilons[0]),
            "act": getattr(config, "hidden_activation", None) or getattr(config, "hidden_act", "silu")}


def run(family, values, weights):
    """(facts, queries and keys)"""
    model, more = load(family, values, weights)
    recording = record.Recording(range(TOKENS))
    record.Recording.active = recording
    with torch.inference_mode():
        logits = model(input_ids=torch.tensor([[t % text_config(values).get("vocab_size", 97) for t in record.token_ids(TOKENS)]]),
                       use_cache=False).logits
    numbers = [part.numpy() for _, layer in sorted(recording.layers.items()) for part in (layer.query, layer.key)]
    if not all(np.isfinite(part).all() for part in numbers):
        raise Refused("not finite")
    facts = facts_of(model, recording)
    if more:
        facts["more"] = True  # the file has tensors that this model does not
    return facts, numbers


def close(a, b):
    return len(a) == len(b) and all(x.shape == y.shape and np.abs(x - y).max() < 1e-4 for x, y in zip(a, b))


def changes(values, name, pairs):
    text = text_config(values)
    fields = {key for key in [*text, *LEGACY] if key not in UNUSED}
    for key in sorted(fields):
        yield f"null {key}", {"set": {key: None}}
        if key in text:
            yield f"without {key}", {"drop": [key]}
    for spelling in ("rope_parameters", "rope_scaling"):
        rope = text.get(spelling)
        for key in rope if isinstance(rope, dict) else ():
            yield f"null {spelling}.{key}", {"set": {spelling: {**rope, key: None}}}
            yield f"without {spelling}.{key}", {"set": {spelling: {k: v for k, v in rope.items() if k != key}}}
    if name in PATCHED:
        for patch in patches(pairs):
            yield "with " + json.dumps(patch), {"set": patch, "drop": ["rope_parameters", "rope_scaling", "rope_theta"]}


def sweep(name, folder, edits, keep):
    origin = folder.removeprefix("../model/folder") or "llama"
    values = json.loads((FOLDER / folder / "config.json").read_text())
    text = text_config(values)
    edits = {"set": {**{key: small for key, small in WINDOWS.items() if text.get(key)}, **edits.get("set", {})},
             "drop": edits.get("drop", [])}
    base = edited(values, edits)
    family, weights = family_of(origin), weights_of(origin)
    facts, numbers = run(family, base, weights)
    results, count = {}, {"same": 0, "error": 0, "differs": 0}
    kept = keep / name if keep else None
    if kept:
        kept.mkdir(parents=True, exist_ok=True)
    index = []
    for number, (change, patch) in enumerate(changes(base, name, 4 if name == "phi3" else len(next(iter(facts["rope"].values()), [0])) - 1)):
        changed = edited(base, patch)
        try:
            new, vectors = run(family, changed, weights)
            diff = {key: value for key, value in new.items() if value != facts.get(key)}
            if "layers" in diff:
                diff["layers"] = {key: value for key, value in diff["layers"].items() if value != facts["layers"][key]}
            result = diff or "same"
            if (not (set(diff) - {"more"})) != close(vectors, numbers):
                print("CHECK", name, change, diff, max(np.abs(a - b).max() for a, b in zip(vectors, numbers)) if all(
                    a.shape == b.shape for a, b in zip(vectors, numbers)) else "shapes", flush=True)
        except Exception as error:
            result, vectors = "error", None
            index.append([change, "error", f"{type(error).__name__}: {str(error)[:150]}"])
        if kept:
            (kept / f"{number}.json").write_text(json.dumps(changed))
            if vectors is not None:
                np.savez(kept / f"{number}.npz", *vectors)
                index.append([change, "ok", number])
            else:
                index[-1].append(number)
        results.setdefault(json.dumps(result), []).append(change)
        count["same" if result == "same" else "error" if result == "error" else "differs"] += 1
    if kept:
        (kept / "index.json").write_text(json.dumps(index))
    print(name, count, flush=True)
    return {"name": name, "folder": folder, "weights": str(pathlib.Path(weights).relative_to(FOLDER)) if ".." not in str(weights) else "../model/folder/model.safetensors",
            "edits": edits, "facts": facts, "results": [[json.loads(result), changed] for result, changed in results.items()]}


def main():
    warnings.filterwarnings("ignore")
    torch.set_num_threads(1)
    transformers.logging.set_verbosity_error()
    transformers.logging.disable_progress_bar()
    arguments, keep = sys.argv[1:], None
    if arguments[:1] == ["--keep"]:
        keep, arguments = pathlib.Path(arguments[1]), arguments[2:]
    file = FOLDER / "config_sweep.json"
    entries = {e["name"]: e for e in json.loads(file.read_text())["variants"]} if file.exists() else {}
    for name, folder, edits in variants():
        if not arguments or name in arguments:
            entries[name] = sweep(name, folder, edits, keep)
            made_with = {module.__name__: module.__version__ for module in (transformers, torch, np)}
            lines = ",\n".join(json.dumps(entries[n]) for n, _, _ in variants() if n in entries)
            file.write_text(f'{{"made_with": {json.dumps(made_with)},\n"variants": [\n{lines}\n]}}\n')


if __name__ == "__main__":
    main()
