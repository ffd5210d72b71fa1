"""Captures a tiny random model of every decoder family of transformers and checks the rows against its own attention.

    python walk_transformers.py [FAMILY ...]                       through plastiscope.engine
    python walk_transformers.py --cli plastiscope-cli [FAMILY ...]   through `capture --engine auto`

Every family of the registries for text generation is shrunk, saved and captured. The model is then run with attention
"eager", which gives the shares of attention; their logarithm minus scale * query * key must be the same for all keys of
a row (ALiBi and relative positions: apart from a number for each distance). The engine's head scores are compared with
those shares too. Prints a table, tab-separated.
"""
import argparse
import collections
import json
import pathlib
import subprocess
import sys
import tempfile
import traceback

import numpy as np
import torch
import transformers
from transformers.models.auto import modeling_auto

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "python"))
from engine_process import SOURCE, EngineProcess, Refused  # noqa: E402

TOKENS, LAYERS, TOLERANCE = 24, 4, 1e-3
SCORED = list(range(1, TOKENS))  # queries

# Sizes by their names in configurations.
SIZES = [
    (LAYERS, "num_hidden_layers n_layer n_layers num_layers decoder_layers encoder_layers depth"),
    (64, "hidden_size n_embd d_model dim n_embed embedding_size decoder_ffn_dim encoder_ffn_dim ffn_dim hidden_dim "
         "intermediate_size ffn_hidden_size word_embed_proj_dim dim_model dim_ff n_inner expert_ffn_hidden_size "
         "lru_width intermediate_size_mlp linear_size attention_hidden_size rnn_hidden_size embed_dim "
         "out_hidden_size projection_dim backbone_dim"),
    (4, "num_attention_heads n_head n_heads num_heads decoder_attention_heads encoder_attention_heads num_experts "
        "num_local_experts n_routed_experts moe_num_experts moe_n_routed_experts linear_num_value_heads n_experts "
        "linear_num_key_heads"),
    (2, "num_key_value_heads num_kv_heads num_global_key_value_heads num_experts_per_tok moe_topk moe_k n_kv_heads "
        "top_k_experts swa_num_key_value_heads num_experts_per_token"),
    (16, "head_dim kv_channels q_lora_rank kv_lora_rank linear_key_head_dim linear_value_head_dim global_head_dim "
         "swa_head_dim mamba_d_head mamba_head_dim d_kv attention_head_dim mamba_d_state ssm_state_size state_size "
         "index_head_dim v_head_dim"),
    (32, "moe_intermediate_size shared_expert_intermediate_size swa_intermediate_size"),
    (8, "qk_rope_head_dim qk_nope_head_dim rotary_dim hidden_size_per_layer_input"),
    (300, "vocab_size vocab_size_per_layer_input text_vocab_size"),
    (1, "n_shared_experts num_shared_experts moe_num_shared_experts n_group topk_group num_nextn_predict_layers"),
]
SIZE_OF = {name: size for size, names in SIZES for name in names.split()}
FIXED = {"pad_token_id": 0, "bos_token_id": 1, "eos_token_id": 2, "tie_word_embeddings": True, "is_decoder": True}

MROPE = {"text_config": {"rope_parameters": {"rope_type": "default", "rope_theta": 10000.0, "mrope_section": [2, 3, 3]}}}
MAMBA = {"mamba_n_heads": 8, "mamba_d_head": 16, "mamba_expand": 2, "mamba_d_ssm": 128}

# What single families need beside that; None removes a key.
NEEDS = {
    "bamba": MAMBA | {"attn_layer_indices": [1, 3]},
    "big_bird": {"attention_type": "original_full"},
    "dbrx": {"attn_config": {"kv_n_heads": 2, "rope_theta": 10000.0, "clip_qkv": 8.0}},
    "deepseek_v2": {"num_experts_per_tok": 2, "n_group": 1, "topk_group": 1},
    "dots1": {"n_routed_experts": 4, "num_experts_per_tok": 2, "n_group": 1, "topk_group": 1,
              "routed_scaling_factor": 1.0, "n_shared_experts": 1},
    "dots3_note_text": {"per_layer_config": None},
    "falcon_h1": MAMBA,
    "glm46v": MROPE, "glm4v": MROPE, "glm4v_moe": MROPE, "glm_ocr": MROPE, "glmga": MROPE,
    "gpt_neo": {"attention_types": [[["global", "local"], 2]], "attention_layers": ["global", "local"] * 2},
    "granitemoehybrid": MAMBA | {"layer_types": ["mamba", "attention"] * 2},
    "hunyuan_v1_dense": {"head_dim": 16}, "hunyuan_v1_moe": {"head_dim": 16},
    "jamba": {"attn_layer_period": 2, "attn_layer_offset": 1, "layer_types": None},
    "lfm2_moe": {"layer_types": ["conv", "full_attention"] * 2},
    "mamba2": {"num_heads": 8, "head_dim": 16},
    "ministral": {"head_dim": 16},
    "gemma3n_text": {"num_kv_shared_layers": 0},
    "gemma4_unified_assistant": {"num_kv_shared_layers": 0},
    "hunyuan_vl": {"text_config": {"head_dim": 16}},
    "longcat_flash": {"qk_head_dim": 16},
    "mistral4": {"text_config": {"head_dim": 16}},
    "nemotron": {"head_dim": 16, "num_key_value_heads": 2},
    "paddleocr_vl": MROPE, "qwen2_5_vl": MROPE, "qwen2_vl": MROPE, "qwen2_5_omni_thinker": MROPE,
    "qwen4_exp_text": {"num_key_value_heads": 2, "num_attention_heads": 4},
    "step3p7": {"text_config": {"sliding_window": 64}},
    "reformer": {"axial_pos_embds_dim": [16, 48]},
    "xlnet": {"d_head": 16, "d_inner": 64},
    "xmod": {"default_language": "en_XX"},
}  # fmt: skip

# Their own shares of attention leave out the learned sinks, which scale the output instead.
SINKS_APART = ("granite_swa", "granitemoe_swa")

# Parts of scores that depend on the token and are not queries times keys.
ZEROED = {"xlnet": ["rel_attn.r"]}


def shrunk(values):
    """A configuration's values with tiny sizes."""
    count = values.get("num_hidden_layers") or values.get("num_layers") or 0
    small = {}
    for name, value in values.items():
        if not isinstance(name, str):
            return values
        if name == "per_layer_config" and value:  # a layer of another kind comes last
            small[name] = {str(LAYERS - 1): next(iter(value.values()))}
        elif isinstance(value, dict) and not name.endswith(("rope_parameters", "rope_scaling")):
            small[name] = shrunk(value)
        elif isinstance(value, list) and count > LAYERS and len(value) == count:
            small[name] = cut(value)
        elif name in SIZE_OF and isinstance(value, int) and not isinstance(value, bool) and value > 0:
            small[name] = SIZE_OF[name] if SIZE_OF[name] > 4 else min(value, SIZE_OF[name])
        elif name.endswith("token_id") and isinstance(value, int):
            small[name] = FIXED.get(name, value if value < 10 else 280 + len(small) % 20)
        elif name == "eos_token_id" and isinstance(value, list):
            small[name] = 2
        else:
            small[name] = value
    return small


def cut(each):
    """A list with an entry for each layer: the first ones, and last those that would be missing."""
    kept = each[:LAYERS]
    others = list(dict.fromkeys(value for value in each if isinstance(value, str) and value not in kept))
    return [*kept[: LAYERS - len(others)], *others][-LAYERS:]


def fitted(values):
    """Sizes that depend on each other."""
    if values.get("kv_lora_rank"):  # latent attention has a key for each query head
        values["num_key_value_heads"] = 4
    if values.get("qk_rope_head_dim") and values.get("head_dim"):
        values["head_dim"] = values["qk_rope_head_dim"]
    settings = values.get("rope_parameters")
    if settings and "mrope_section" in settings:
        pairs = int((values.get("head_dim") or 16) * settings.get("partial_rotary_factor", 1)) // 2
        given = settings["mrope_section"]
        parts = [each * pairs // sum(given) for each in given]
        settings["mrope_section"] = [pairs - sum(parts[1:]), *parts[1:]]


def configuration(family):
    kind = transformers.CONFIG_MAPPING[family]
    values = shrunk(kind().to_dict())
    merge(values, NEEDS.get(family, {}))
    for each in (values, values.get("text_config") or {}):
        fitted(each)
    for name in ("transformers_version", "dtype", "torch_dtype", "_attn_implementation_autoset"):
        values.pop(name, None)
    if "is_decoder" in values:
        values["is_decoder"] = True
    return kind.from_dict(values)


def merge(values, more):
    for name, value in more.items():
        if value is None:
            values.pop(name, None)
        elif isinstance(value, dict) and isinstance(values.get(name), dict):
            merge(values[name], value)
        else:
            values[name] = value


def auto_class(config):
    for auto in (transformers.AutoModelForCausalLM, transformers.AutoModelForImageTextToText):
        if type(config) in auto._model_mapping:
            return auto
    raise ValueError("no class for text generation")


def save_model(family, folder):
    torch.manual_seed(3)
    config = configuration(family)
    model = auto_class(config).from_config(config, dtype=torch.float32)
    with torch.no_grad():
        for parameter in model.parameters():
            if parameter.ndim >= 2:
                parameter.normal_(0, 0.15)
        for name, parameter in model.named_parameters():
            if any(part in name for part in ZEROED.get(family, ())):
                parameter.zero_()
    model.save_pretrained(folder)
    return type(model)


# ---- the model's own attention


def own_attention(kind, folder, ids):
    """Shares of attention [heads, tokens, keys] by layer, from the family's own code, and what it adds to scores."""
    model = kind.from_pretrained(folder, attn_implementation="eager", dtype=torch.float32).eval()
    shares, modules = {}, {sys.modules[type(each).__module__] for each in model.modules()}

    def kept(attend):
        def recorded(module, *args, **kwargs):
            output, weights = attend(module, *args, **kwargs)
            if isinstance(getattr(module, "layer_idx", None), int) and "Vision" not in type(module).__name__:
                bias = kwargs.get("position_bias")
                shares.setdefault(module.layer_idx, (weights[0], 0.0 if bias is None else bias[0].double().numpy()))
            return output, weights
        return recorded

    for module in modules:
        if hasattr(module, "eager_attention_forward"):
            original = getattr(module.eager_attention_forward, "original", module.eager_attention_forward)
            module.eager_attention_forward = kept(original)
            module.eager_attention_forward.original = original
    with torch.inference_mode():
        try:
            output = model(input_ids=ids, output_attentions=True, use_cache=False)
        except (TypeError, ValueError):  # needs more than text
            output = model.get_decoder()(input_ids=ids, output_attentions=True, use_cache=False)
    if not shares:
        found = [each[0] for each in output.attentions or () if each is not None]
        shares = {layer: (weights, 0.0) for layer, weights in enumerate(found)}
    return {layer: (weights.float().numpy(), bias) for layer, (weights, bias) in shares.items()}


def difference(rows, shares, bias, scale, softcap, by_distance):
    """How far the logarithm of the shares is from the scores of the rows, given what may be added to a row."""
    query, key = rows["query"], rows["key"]
    key = np.repeat(key, len(query) // len(key), axis=0).astype(np.float64)
    scores = np.einsum("htd,hsd->hts", query.astype(np.float64), key) * scale
    scores = (softcap * np.tanh(scores / softcap) if softcap else scores) + bias
    worst, tokens = 0.0, query.shape[1]
    assert shares.shape == scores.shape, f"shares {shares.shape} for scores {scores.shape}"
    for share, score in zip(shares, scores):
        at, to = np.nonzero(share > 1e-6)
        rest = np.log(share[at, to]) - score[at, to]
        unknown = np.zeros((len(at), 2 * tokens if by_distance else tokens))
        unknown[np.arange(len(at)), at] = 1
        if by_distance:
            unknown[np.arange(len(at)), tokens + np.abs(at - to)] = 1
        fitted = unknown @ np.linalg.lstsq(unknown, rest, rcond=None)[0]
        worst = max(worst, np.abs(rest - fitted).max())
    return worst


def score_difference(sums, shares):
    """Of the head scores that do not depend on tokens: entropy, distance, first and previous token."""
    shares = shares.astype(np.float64)[:, SCORED, :TOKENS]
    at, to = np.array(SCORED)[:, None], np.arange(TOKENS)
    expected = [
        -(shares * np.log(np.maximum(shares, 1e-30))).sum((1, 2)), (shares * (at - to)).sum((1, 2)),
        shares[:, :, 0].sum(1), (shares * (to == at - 1)).sum((1, 2))]
    return np.abs(sums[:, [0, 1, 2, 4]] - np.stack(expected, 1)).max()


# ---- captures


class Engine:
    """A process of plastiscope.engine, for all families."""

    def __init__(self):
        self._engine = EngineProcess()

    def capture(self, folder, ids):
        facts = self._engine.describe(folder)
        self._engine.load()
        wants = [
            (layer, kind, list(range(heads)), list(range(len(ids))), [], SCORED if kind == "query" else [])
            for layer, each in enumerate(facts["each_layer"]) if each["attention"] not in ("linear", "cross")
            for kind, heads in (("query", each["query_heads"]), ("key", each["key_heads"]))]
        rows = collections.defaultdict(dict)
        for (layer, kind, *_), matrix in self._engine.run(ids, wants)[0].items():
            rows[layer][kind] = matrix
        return facts | {"sums": {layer: sums for layer, (_, sums) in self._engine.scores.items()}}, rows


class Cli:
    """A process of the program for each family."""

    def __init__(self, program):
        self._program = program

    def capture(self, folder, ids):
        sys.path.insert(0, str(SOURCE))
        import plastiscope as ps

        tokens, out = folder / "tokens.jsonl", folder / "capture.h5"
        tokens.write_text(json.dumps({"id": "0", "tokens": ids}) + "\n")
        command = [self._program, "capture", "--model", str(folder), "--tokens", str(tokens), "--out", str(out), "--window", "64",
                   "--engine", "auto", "--python", sys.executable, "--sampler", "all", "--heads", "all",
                   "--all-layers", "--store", "float32", "--dtype", "float32"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            raise Refused(f"exit code {done.returncode}", (done.stderr.strip().splitlines() or [""])[-1])
        with ps.open(out) as study:
            rows = collections.defaultdict(dict)
            for number, layer in study.layers.items():
                rows[number]["query"] = np.stack([study.queries(number, head).vectors for head in layer.query_heads])
                rows[number]["key"] = np.stack([study.keys(number, key_head=head).vectors for head in layer.key_heads])
            import h5py

            with h5py.File(out) as root:
                model, capture = root["model"].attrs, root["capture"].attrs
                config = json.loads(model["config"])
                cap = float(config.get("text_config", config).get("attn_logit_softcapping") or 0)
                engine = json.loads(capture.get("engine", '{"name": "native"}'))
                facts = {"positions": model.get("positions", "rope"), "score_scale": float(capture["score_scale"])}
        facts |= {"engine": engine["name"], "recorded_by": engine.get("recorded_by", ""), "score_softcap": cap}
        return facts, rows


def walk(family, capture, folder):
    ids = np.random.default_rng(5).integers(10, 200, TOKENS).tolist()
    kind = save_model(family, folder)
    facts, rows = capture(folder, ids)
    shares = own_attention(kind, folder, torch.tensor(ids)[None])
    assert len(shares) >= len(rows) > 0, f"{len(shares)} layers with shares of attention for {len(rows)} captured"
    if set(rows) - set(shares):
        shares = dict(zip(sorted(rows), [shares[layer] for layer in sorted(shares)]))
    by_distance = facts["positions"] in ("alibi", "relative")
    scales = {layer: facts["score_scale"] for layer in rows}
    scales |= {layer: each["score_scale"] for layer, each in enumerate(facts.get("each_layer", ())) if layer in rows}
    errors = [difference(rows[layer], *shares[layer], scales[layer], facts["score_softcap"], by_distance)
              for layer in rows]
    for layer, sums in facts.get("sums", {}).items() if family not in SINKS_APART else ():
        errors.append(score_difference(sums, shares[layer][0]) / TOKENS)
    count = sum(side.shape[0] * side.shape[1] for layer in rows.values() for side in layer.values())
    return facts, max(errors), count


def families():
    names = [*modeling_auto.MODEL_FOR_CAUSAL_LM_MAPPING_NAMES, *modeling_auto.MODEL_FOR_IMAGE_TEXT_TO_TEXT_MAPPING_NAMES]
    return list(dict.fromkeys(names))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cli", help="plastiscope-cli, instead of the engine by itself")
    parser.add_argument("--verbose", action="store_true", help="whole errors of this script")
    parser.add_argument("family", nargs="*")
    given = parser.parse_args()
    torch.set_num_threads(2)
    transformers.logging.set_verbosity_error()
    transformers.logging.disable_progress_bar()
    source = Cli(given.cli) if given.cli else Engine()
    counts = collections.Counter()
    print("family\tresult\tengine\tpositions\trecorded by\terror\trows\treason", flush=True)
    for family in given.family or families():
        with tempfile.TemporaryDirectory() as folder:
            try:
                facts, error, rows = walk(family, source.capture, pathlib.Path(folder))
                result = "captured" if error < TOLERANCE else "differs"
                line = [result, facts.get("engine", "transformers"), facts["positions"], facts["recorded_by"],
                        f"{error:.1e}", str(rows), ""]
            except Refused as error:
                line = ["refused", *[""] * 5, str(error)]
                source = Engine() if error.kind == "ended" else source
            except Exception as error:
                if given.verbose:
                    traceback.print_exc()
                line = ["not built", *[""] * 5, " ".join(f"{type(error).__name__}: {error}".split())[:300]]
        counts[line[0]] += 1
        print("\t".join([family, *line]), flush=True)
    print("\t".join(f"{result}: {count}" for result, count in counts.items()))


if __name__ == "__main__":
    main()
