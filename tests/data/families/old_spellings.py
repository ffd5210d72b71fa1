"""config.json as files from before transformers 5 spell it, for the weights and the reference of another case."""


def flat_rope(values):
    """rope_theta, rope_scaling and partial_rotary_factor at the top."""
    rope = dict(values.pop("rope_parameters"))
    values["rope_theta"] = rope.pop("rope_theta")
    if "partial_rotary_factor" in rope:
        values["partial_rotary_factor"] = rope.pop("partial_rotary_factor")
    values["rope_scaling"] = None if rope.get("rope_type") == "default" else rope
    values["torch_dtype"] = values.pop("dtype")
    values["transformers_version"] = "4.51.0"
    return values


def without(values, *keys):
    return {key: value for key, value in values.items() if key not in keys}


def gemma3(values):
    """As published: no key that has the value of the class, a pattern instead of a list, two thetas at the top."""
    full = values["rope_parameters"]["full_attention"]
    pattern = values["layer_types"].index("full_attention") + 1
    return {**without(values, "rope_parameters", "layer_types", "_sliding_window_pattern", "dtype", "attention_bias",
                      "attention_dropout", "attn_logit_softcapping", "final_logit_softcapping", "hidden_activation",
                      "use_bidirectional_attention", "tie_word_embeddings", "use_cache", "initializer_range"),
            "rope_theta": full["rope_theta"], "rope_scaling": {"rope_type": "linear", "factor": full["factor"]},
            "rope_local_base_freq": values["rope_parameters"]["sliding_attention"]["rope_theta"],
            "sliding_window_pattern": pattern, "torch_dtype": "bfloat16", "transformers_version": "4.50.0.dev0"}


def gemma3_default_thetas(values):
    """The nested form; both thetas are the defaults of the class and left out, and a null key stays."""
    text = without(gemma3(dict(values["text_config"])), "rope_theta", "rope_local_base_freq", "sliding_window_pattern")
    return {**without(values, "dtype"), "torch_dtype": "bfloat16", "transformers_version": "4.50.0.dev0",
            "text_config": {**text, "layer_types": values["text_config"]["layer_types"], "cache_implementation": None}}


def qwen2(values):
    """The window begins at max_window_layers; a window without use_sliding_window is covered by qwen3."""
    return without(flat_rope(values), "layer_types")


def qwen3(values):
    return {**without(flat_rope(values), "layer_types"), "sliding_window": 4096, "max_window_layers": 1,
            "use_sliding_window": False}


def smollm3(values):
    """The interval says what the list says."""
    return {**without(flat_rope(values), "layer_types", "no_rope_layers"), "no_rope_layer_interval": 2}


def phi3(values):
    """The kind of scaling under its oldest key, the original length at the top only."""
    values = flat_rope(values)
    scaling = values["rope_scaling"]
    return {**values, "rope_scaling": {"type": "longrope", "long_factor": scaling["long_factor"],
                                       "short_factor": scaling["short_factor"]}}


def olmo3(values):
    """One dictionary for the full layers; the sliding ones rotate with the same theta unscaled."""
    full = dict(values["rope_parameters"]["full_attention"])
    theta = full.pop("rope_theta")
    return {**without(values, "rope_parameters", "dtype"), "rope_theta": theta, "rope_scaling": full,
            "torch_dtype": "bfloat16", "transformers_version": "4.57.0"}


def cohere2(values):
    return {**without(flat_rope(values), "layer_types", "head_dim"), "sliding_window_pattern": 4}


def qwen3_moe(values):
    return {**without(flat_rope(values), "num_local_experts"), "num_experts": values["num_local_experts"]}


def gpt_oss(values):
    return {**flat_rope(values), "experts_per_token": values["num_experts_per_tok"]}


def exaone4(values):
    """As published: the pattern in letters beside the list."""
    return {**flat_rope(values), "sliding_window_pattern": "LLLG"}


def granite_hybrid(values):
    """The layer kinds' first names."""
    names = {"linear_attention": "mamba", "full_attention": "attention"}
    return {**flat_rope(values), "layer_types": [names[kind] for kind in values["layer_types"]]}


def qwen3_next(values):
    """The kinds follow from the interval."""
    return {**without(flat_rope(values), "layer_types"), "full_attention_interval": 2}


def gemma4(values):
    """The full layers' sizes under keys of their own."""
    override = next(iter(values["per_layer_config"].values()))
    return {**without(values, "per_layer_config"), "global_head_dim": override["head_dim"],
            "num_global_key_value_heads": override.get("num_key_value_heads")}


def gemma3n(values):
    """As published: two thetas at the top."""
    rope = values["rope_parameters"]
    full = dict(rope["full_attention"])
    return {**without(values, "rope_parameters", "dtype"), "rope_theta": full.pop("rope_theta"), "rope_scaling": full,
            "rope_local_base_freq": rope["sliding_attention"]["rope_theta"], "torch_dtype": "bfloat16",
            "transformers_version": "4.53.0.dev0"}


def gpt_neox(values):
    """As published: names of its own at the top."""
    values = flat_rope(values)
    return {**without(values, "rope_theta", "partial_rotary_factor"), "rotary_emb_base": int(values["rope_theta"]),
            "rotary_pct": values["partial_rotary_factor"]}


def gemma(values):
    """The first files say gelu and mean its tanh form."""
    return {**flat_rope(values), "hidden_act": "gelu"}


def internlm3(values):
    """One switch under two names."""
    values = flat_rope(values)
    return {**without(values, "attention_bias", "mlp_bias"), "qkv_bias": True, "bias": True}


def deepseek_v3(values):
    """As published: what the class does not read beside it."""
    return {**flat_rope(values), "topk_method": "noaux_tc", "scoring_func": "sigmoid", "moe_layer_freq": 1,
            "num_key_value_heads": 4, "num_nextn_predict_layers": 1}


def minimax_m2(values):
    """The rotated part of the head as a number of dimensions."""
    values = flat_rope(values)
    share = values.pop("partial_rotary_factor")
    return {**values, "rotary_dim": int(share * values["head_dim"])}


def qwen2_vl(values):
    """The language model's settings at the top, RoPE as "mrope"."""
    text = flat_rope(values.pop("text_config"))
    scaling = {"type": "mrope", "mrope_section": text.pop("rope_scaling", None) or [2, 3, 3]}
    return {**without(text, "layer_types", "model_type"), **without(values, "dtype"), "rope_scaling": scaling}


def lfm2(values):
    """As published: layers with attention by number, the width of the feed-forward part under its first name."""
    values = without(flat_rope(values), "layer_types", "rope_scaling")
    return {**without(values, "intermediate_size", "tie_word_embeddings"), "full_attn_idxs": [1, 3],
            "block_ff_dim": values["intermediate_size"], "tie_embedding": values["tie_word_embeddings"]}


OLD_SPELLINGS = {
    "gemma3_old": ("gemma3_text", gemma3),
    "gemma3_nested_old": ("gemma3", gemma3_default_thetas),
    "qwen2_old": ("qwen2", qwen2),
    "qwen3_old": ("qwen3", qwen3),
    "qwen3_yarn_old": ("qwen3_yarn", flat_rope),
    "smollm3_old": ("smollm3", smollm3),
    "phi3_old": ("phi3", phi3),
    "glm4_old": ("glm4", flat_rope),
    "olmo3_old": ("olmo3", olmo3),
    "cohere2_old": ("cohere2", cohere2),
    "qwen3_moe_old": ("qwen3_moe", qwen3_moe),
    "gpt_oss_old": ("gpt_oss", gpt_oss),
    "apertus_old": ("apertus", flat_rope),
    "exaone4_old": ("exaone4", exaone4),
    "glm4_moe_old": ("glm4_moe", flat_rope),
    "granitemoehybrid_old": ("granitemoehybrid", granite_hybrid),
    "qwen3_next_old": ("qwen3_next", qwen3_next),
    "gemma4_text_old": ("gemma4_text_moe", gemma4),
    "gemma3n_text_old": ("gemma3n_text", gemma3n),
    "gpt_neox_old": ("gpt_neox_serial", gpt_neox),
    "gemma_old": ("gemma", gemma),
    "internlm3_old": ("internlm3", internlm3),
    "deepseek_v3_old": ("deepseek_v3", deepseek_v3),
    "deepseek_v2_old": ("deepseek_v2", flat_rope),
    "minimax_m2_old": ("minimax_m2", minimax_m2),
    "qwen2_vl_old": ("qwen2_vl", qwen2_vl),
    "lfm2_old": ("lfm2", lfm2),
}
