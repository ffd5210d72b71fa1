"""How a capture's RoPE turns rows: inverse frequencies of every kind, both layouts, partial rotation, settings by layer
type, and the temperature of queries. Written from the papers and from transformers' documentation of rope_parameters.

Run alone where transformers is installed (5.23.0 was used): python reference_rope.py
compares every kind with transformers' ROPE_INIT_FUNCTIONS.
"""
import json
import math

import numpy as np


def kind_of(rope):
    return {"su": "longrope"}.get(kind := rope.get("rope_type", rope.get("type", "default")), kind)


def rotated(rope, head_dim):
    """How many leading dimensions turn."""
    share = 1.0 if kind_of(rope) == "proportional" else rope.get("partial_rotary_factor", 1.0)
    return int(rope.get("rotary_dim", int(head_dim * share)))


def frequencies(rope, head_dim, context, tokens):
    """rad / token of each pair; tokens: length of the text, context: the model's, where `rope` states none."""
    kind, d, theta = kind_of(rope), rotated(rope, head_dim), float(rope["rope_theta"])
    context = rope.get("max_position_embeddings", context)
    original = rope.get("original_max_position_embeddings") or context
    factor = rope.get("factor", context / original if kind in ("yarn", "longrope") else 1.0)
    pair = np.arange(d // 2)
    omega = theta ** (-2.0 * pair / d)
    if kind == "linear":  # Chen et al. 2023
        omega = omega / factor
    elif kind == "dynamic":  # NTK-aware, from the context on
        if tokens > context:
            omega = (theta * (factor * tokens / context - (factor - 1)) ** (d / (d - 2))) ** (-2.0 * pair / d)
    elif kind == "llama3":
        low, high = rope["low_freq_factor"], rope["high_freq_factor"]
        smooth = (original * omega / (2 * math.pi) - low) / (high - low)
        omega = np.where(smooth >= 1, omega, np.where(smooth <= 0, omega / factor, (1 - smooth) * omega / factor + smooth * omega))
    elif kind == "yarn":  # Peng et al. 2023
        def dimension(turns):
            return d * math.log(original / (turns * 2 * math.pi)) / (2 * math.log(theta))
        low, high = dimension(rope.get("beta_fast") or 32), dimension(rope.get("beta_slow") or 1)
        if rope.get("truncate", True):
            low, high = math.floor(low), math.ceil(high)
        low, high = max(low, 0), min(high, d - 1)
        slowed = np.clip((pair - low) / ((high - low) or 0.001), 0, 1)
        omega = omega / factor * slowed + omega * (1 - slowed)
    elif kind == "longrope":  # Ding et al. 2024
        omega = omega / np.array(rope["long_factor" if tokens > original else "short_factor"], float)
    elif kind == "proportional":  # Gemma 4
        omega = np.where(pair < int(rope.get("partial_rotary_factor", 1.0) * d) // 2, omega / factor, 0.0)
    elif kind != "default":
        raise ValueError(f"unknown RoPE kind {kind}")
    if "frequency_factors" in rope:  # GGUF
        omega = omega / np.array(rope["frequency_factors"], np.float32).astype(float)
    return omega


def turn(x, angles, interleaved):
    """Every pair of the leading dimensions of row n by its angles[n]."""
    pairs = angles.shape[1]
    first, second = (slice(0, 2 * pairs, 2), slice(1, 2 * pairs, 2)) if interleaved else (slice(0, pairs), slice(pairs, 2 * pairs))
    out, cos, sin = x.copy(), np.cos(angles), np.sin(angles)
    out[:, first] = x[:, first] * cos - x[:, second] * sin
    out[:, second] = x[:, second] * cos + x[:, first] * sin
    return out


def temperature_rule(architecture, config, rope):
    """(beta, length, offset) of 1 + beta ln(1 + floor((t + offset) / length)), None where the model states none."""
    config = config.get("text_config", config)
    inner = config.get("rope_parameters") or config.get("rope_scaling") or {}
    if architecture == "llama4":
        return config.get("attn_scale", 0.1), config.get("floor_scale", 8192), 1
    if architecture in ("ministral3", "mistral3"):
        beta = config.get("llama_4_scaling_beta", inner.get("llama_4_scaling_beta", config.get("mistral3.attention.temperature_scale")))
        length = inner.get("original_max_position_embeddings", rope.get("original_max_position_embeddings"))
        return (beta, length, 0) if beta and length else None
    return None


class Turning:
    """R and f of one layer. Frequencies are per text, since some kinds depend on its length."""

    def __init__(self, rope, interleaved, rule, head_dim, context, tokens, window):
        """rope None: the layer turns nothing. tokens: length of every text; window: where no one text is meant."""
        pairs = 0 if rope is None else rotated(rope, head_dim) // 2
        self.omega = np.array([frequencies(rope, head_dim, context, n) if pairs else [] for n in tokens]).reshape(len(tokens), pairs)
        self.whole = frequencies(rope, head_dim, context, window) if pairs else np.zeros(0)
        self.interleaved, self.rule = interleaved, rule

    def R(self, x, by, text):
        """x, a row or rows, turned by tokens by[n] as text[n] turns."""
        by, text = np.broadcast_arrays(np.asarray(by, float), text)
        return turn(np.broadcast_to(x, (len(text), x.shape[-1])), by[:, None] * self.omega[text], self.interleaved)

    def f(self, t):
        t = np.asarray(t, float)
        if self.rule is None:
            return np.ones_like(t)
        beta, length, offset = self.rule
        return 1 + beta * np.log(1 + np.floor((t + offset) / length))


def turning_of(f, layer, tokens):
    """The Turning of a layer (a group of an open capture); None and a reason where it is not known."""
    model = f["model"].attrs
    rope = json.loads(model["rope"])
    if rope and all(isinstance(v, dict) for v in rope.values()):
        rope = rope.get(layer.attrs["attention"] + "_attention", {})
    head_dim = next(iter(layer["query/vectors"].values())).shape[1]
    window = int(f["capture"].attrs["window"])
    rule = None
    if layer.attrs["query_scale"]:
        rule = temperature_rule(model["architecture"], json.loads(model["config"]), rope)
        if rule is None:
            return None, "query temperature"
    if not layer.attrs["rope"]:
        return Turning(None, False, rule, head_dim, 0, tokens, window), ""
    if "rope_theta" not in rope:
        return None, "RoPE settings"
    return Turning(rope, bool(rope.get("interleaved")), rule, head_dim, int(model["context_length"]), tokens,
                   window), ""


def check():
    import torch
    import transformers
    from transformers.modeling_rope_utils import ROPE_INIT_FUNCTIONS
    d, context = 16, 4096
    kinds = [dict(rope_type="linear", factor=4.0), dict(rope_type="dynamic", factor=2.0),
             dict(rope_type="llama3", factor=8.0, low_freq_factor=1.0, high_freq_factor=4.0, original_max_position_embeddings=1024),
             dict(rope_type="yarn", factor=8.0, original_max_position_embeddings=512),
             dict(rope_type="yarn", factor=32.0, original_max_position_embeddings=128, truncate=False, beta_fast=16.0, beta_slow=2.0),
             dict(rope_type="longrope", factor=4.0, original_max_position_embeddings=1024,
                  short_factor=[1 + 0.1 * i for i in range(d // 2)], long_factor=[1 + i / 2 for i in range(d // 2)]),
             dict(rope_type="proportional", partial_rotary_factor=0.5, factor=2.0)]
    for kind in kinds:
        for tokens in (1000, 9000):
            rope = dict(kind, rope_theta=10000.0)
            config = transformers.LlamaConfig(hidden_size=2 * d, num_attention_heads=2, head_dim=d, max_position_embeddings=context,
                                              rope_parameters=dict(rope))
            theirs = ROPE_INIT_FUNCTIONS[kind["rope_type"]](config, torch.device("cpu"), seq_len=tokens)[0].double().numpy()
            ours = frequencies(rope, d, context, tokens)
            print(f"{kind['rope_type']:>14} {tokens:>6}: largest relative difference "
                  f"{np.max(np.abs(ours - theirs) / np.maximum(theirs, 1e-30)):.1e}")


if __name__ == "__main__":
    check()
