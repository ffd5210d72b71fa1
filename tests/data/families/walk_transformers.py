"""Captures a tiny random model of every decoder family of transformers and checks the rows against its own attention.

    python walk_transformers.py [FAMILY ...]                       through plastiscope.engine
    python walk_transformers.py --cli plastiscope-cli [FAMILY ...]   through `capture --engine auto`

Every family of the registries for text generation is shrunk, saved and captured. The model is then run with attention
"eager", which gives the shares of attention; their logarithm minus scale * query * key must be the same for all keys of
a row (ALiBi and relative positions: apart from a number for each distance). Prints a table, tab-separated.
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

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "python"))
from engine_process import SOURCE, EngineProcess, Refused  # noqa: E402

TOKENS, LAYERS, TOLERANCE = 24, 4, 1e-3

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

# What single families need beside that, by family.
NEEDS = {}


def shrunk(values, path=""):
    """A configuration's values with tiny sizes."""
    small = {}
    for name, value in values.items():
        if name in ("id2label", "label2id"):
            continue
        if isinstance(value, dict) and not name.endswith(("rope_parameters", "rope_scaling")):
            small[name] = shrunk(value)
        elif name in SIZE_OF and isinstance(value, int) and not isinstance(value, bool) and value > 0:
            small[name] = SIZE_OF[name] if SIZE_OF[name] > 4 else min(value, SIZE_OF[name])
        elif name.endswith("token_id") and isinstance(value, int):
            small[name] = FIXED.get(name, value if value < 10 else 280 + len(small) % 20)
        elif name == "eos_token_id" and isinstance(value, list):
            small[name] = 2
        else:
            small[name] = value
    return small


def section_sizes(settings, pairs):
    """mrope_section and the like for a small head."""
    for name, value in settings.items():
        if isinstance(value, dict):
            section_sizes(value, pairs)
        elif name == "mrope_section":
            parts = [each * pairs // sum(value) for each in value]
            settings[name] = [pairs - sum(parts[1:]), *parts[1:]]
    return settings


def configuration(family):
    kind = transformers.CONFIG_MAPPING[family]
    values = shrunk(kind().to_dict())
    for each in (values, values.get("text_config") or {}):
        if each.get("layer_types"):
            each["layer_types"] = each["layer_types"][:LAYERS]
        if each.get("rope_parameters"):
            head = each.get("head_dim") or 16
            section_sizes(each["rope_parameters"], int(head * each["rope_parameters"].get("partial_rotary_factor", 1)) // 2)
    for each in (values, values.get("text_config") or {}):
        if each.get("qk_rope_head_dim") and each.get("head_dim"):
            each["head_dim"] = each["qk_rope_head_dim"]
    merge(values, NEEDS.get(family, {}))
    for name in ("transformers_version", "dtype", "torch_dtype", "_attn_implementation_autoset"):
        values.pop(name, None)
    if "is_decoder" in values:
        values["is_decoder"] = True
    return kind.from_dict(values)


def merge(values, more):
    for name, value in more.items():
        if isinstance(value, dict) and isinstance(values.get(name), dict):
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
    model.save_pretrained(folder)
    return auto_class(config)


# ---- the model's own attention


def own_attention(auto, folder, ids):
    """Shares of attention [heads, tokens, keys] by layer, from the family's own code."""
    model = auto.from_pretrained(folder, attn_implementation="eager", dtype=torch.float32).eval()
    shares, modules = {}, {sys.modules[type(each).__module__] for each in model.modules()}

    def kept(attend):
        def recorded(module, *args, **kwargs):
            output, weights = attend(module, *args, **kwargs)
            if isinstance(getattr(module, "layer_idx", None), int) and "Vision" not in type(module).__name__:
                shares.setdefault(module.layer_idx, weights[0])
            return output, weights
        return recorded

    for module in modules:
        if hasattr(module, "eager_attention_forward"):
            original = getattr(module.eager_attention_forward, "original", module.eager_attention_forward)
            module.eager_attention_forward = kept(original)
            module.eager_attention_forward.original = original
    with torch.inference_mode():
        output = model(input_ids=ids, output_attentions=True, use_cache=False)
    if not shares:
        found = [each[0] for each in output.attentions or () if each is not None]
        shares = dict(enumerate(found))
    return {layer: weights.float().numpy() for layer, weights in shares.items()}


def difference(rows, shares, scale, softcap, by_distance):
    """How far the logarithm of the shares is from the scores of the rows, given what may be added to a row."""
    query, key = rows["query"], rows["key"]
    key = np.repeat(key, len(query) // len(key), axis=0).astype(np.float64)
    scores = np.einsum("htd,hsd->hts", query.astype(np.float64), key) * scale
    scores = softcap * np.tanh(scores / softcap) if softcap else scores
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


# ---- captures


class Engine:
    """A process of plastiscope.engine, for all families."""

    def __init__(self):
        self._engine = EngineProcess()

    def capture(self, folder, ids):
        facts = self._engine.describe(folder)
        self._engine.load()
        wants = [
            (layer, kind, list(range(heads)), list(range(len(ids))), [])
            for layer, each in enumerate(facts["each_layer"]) if each["attention"] not in ("linear", "cross")
            for kind, heads in (("query", facts["query_heads"]), ("key", each["key_heads"]))]
        rows = collections.defaultdict(dict)
        for (layer, kind, *_), matrix in self._engine.run(ids, wants)[0].items():
            rows[layer][kind] = matrix
        return facts, rows


class Cli:
    """A process of the program for each family."""

    def __init__(self, program):
        self._program = program

    def capture(self, folder, ids):
        sys.path.insert(0, str(SOURCE))
        import plastiscope as ps

        tokens, out = folder / "tokens.jsonl", folder / "capture.h5"
        tokens.write_text(json.dumps({"id": "0", "tokens": ids}) + "\n")
        command = [self._program, "capture", str(folder), "--tokens", str(tokens), "--out", str(out), "--window", "64",
                   "--engine", "auto", "--python", sys.executable, "--sampler", "all", "--heads", "all",
                   "--all-layers", "--store", "float32", "--dtype", "float32"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            raise Refused(f"exit code {done.returncode}", (done.stderr.strip().splitlines() or [""])[-1])
        with ps.open(out) as study:
            rows = collections.defaultdict(dict)
            for number, layer in study.layers.items():
                rows[number]["query"] = np.stack([study.queries(number, head).vectors for head in layer.query_heads])
                rows[number]["key"] = np.stack([study.keys(number, head).vectors for head in layer.key_heads])
            import h5py

            with h5py.File(out) as root:
                model, scale = dict(root["model"].attrs), root["capture"].attrs["score_scale"]
            facts = {"positions": model.get("positions", "rope"), "recorded_by": "", "score_scale": float(scale)}
            engine = json.loads(model["engine"]) if "engine" in model else {"name": "native"}
        return facts | {"engine": engine["name"], "score_softcap": 0.0}, rows


def walk(family, capture, folder):
    ids = np.random.default_rng(5).integers(10, 200, TOKENS).tolist()
    auto = save_model(family, folder)
    facts, rows = capture(folder, ids)
    shares = own_attention(auto, folder, torch.tensor(ids)[None])
    assert len(shares) >= len(rows) > 0, f"{len(shares)} layers with shares of attention for {len(rows)} captured"
    if set(rows) - set(shares):
        shares = dict(zip(sorted(rows), [shares[layer] for layer in sorted(shares)]))
    by_distance = facts["positions"] in ("alibi", "relative")
    errors = [difference(rows[layer], shares[layer], facts["score_scale"], facts["score_softcap"], by_distance)
              for layer in rows]
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
