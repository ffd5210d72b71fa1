"""The families: class, configuration and what a configuration alone does not tell."""
import dataclasses
import typing

import numpy as np
import transformers
from mxfp4 import quantise_experts
from old_spellings import OLD_SPELLINGS
from safetensors.torch import load_file, save_file

SIZES = {"vocab_size": 97, "hidden_size": 32, "intermediate_size": 48, "num_hidden_layers": 4, "num_attention_heads": 4,
         "num_key_value_heads": 2, "head_dim": 16, "max_position_embeddings": 32768, "bos_token_id": 1,
         "eos_token_id": 2, "pad_token_id": 0, "rms_norm_eps": 1e-3}  # an epsilon that shows when it is not read
NO_HEAD_DIM = {key: value for key, value in SIZES.items() if key != "head_dim"}  # the file leaves it to be derived
KINDS = {"f": "full_attention", "s": "sliding_attention", "c": "chunked_attention", "l": "linear_attention"}


@dataclasses.dataclass
class Case:
    family: str = ""  # class of transformers
    values: dict = dataclasses.field(default_factory=dict)
    rope: list | None = None  # which layers rotate; None: all
    other_layers: dict = dataclasses.field(default_factory=dict)  # layers without vectors and their kind
    norms_add_one: bool = False
    rules: list = dataclasses.field(default_factory=list)  # draws that go before those of weights.py
    same_as: str = ""  # the case whose weights and reference this config.json describes
    rewrite: typing.Callable | None = None
    convert: typing.Callable | None = None  # changes the written folder to the form of published files

    def configuration(self):
        return getattr(transformers, self.family).config_class(**self.values)

    def layers(self):
        return self.configuration().get_text_config().num_hidden_layers

    def last(self):
        return max(set(range(self.layers())) - set(self.other_layers))


def kinds(letters):
    return [KINDS[letter] for letter in letters]


def rope(theta=10000.0, **more):
    return {"rope_type": "default", "rope_theta": theta, **more}


YARN = {"rope_type": "yarn", "factor": 16.0, "original_max_position_embeddings": 4096, "beta_fast": 32.0,
        "beta_slow": 1.0}
MINISTRAL3 = rope(1000000.0, **YARN, type="yarn", mscale=1.0, mscale_all_dim=1.0, llama_4_scaling_beta=0.1,
                  max_position_embeddings=65536)
PIXTRAL = {"model_type": "pixtral", "hidden_size": 16, "intermediate_size": 16, "num_hidden_layers": 1,
           "num_attention_heads": 2, "head_dim": 8, "image_size": 28, "patch_size": 14}

LLAMA_BLOCKS = {
    "mistral": Case("MistralForCausalLM", {**SIZES, "sliding_window": 700, "rope_parameters": rope(1000000.0)}),
    "ministral": Case("MinistralForCausalLM", {
        **SIZES, "sliding_window": 600, "layer_types": kinds("fssf"), "rope_parameters": rope(100000.0)}),
    "ministral3": Case("Ministral3ForCausalLM", {
        **SIZES, "max_position_embeddings": 65536, "rope_parameters": MINISTRAL3}),
    "mistral3": Case("Mistral3ForConditionalGeneration", {
        "text_config": {"model_type": "ministral3", **SIZES, "max_position_embeddings": 65536,
                        "tie_word_embeddings": True, "rope_parameters": MINISTRAL3},
        "vision_config": PIXTRAL}),
    "qwen2": Case("Qwen2ForCausalLM", {
        **NO_HEAD_DIM, "use_sliding_window": True, "sliding_window": 500, "max_window_layers": 2,
        "tie_word_embeddings": True, "rope_parameters": rope(1000000.0)}),
    "qwen3": Case("Qwen3ForCausalLM", {**SIZES, "tie_word_embeddings": True, "rope_parameters": rope(1000000.0)}),
    "qwen3_yarn": Case("Qwen3ForCausalLM", {
        **SIZES, "rope_parameters": rope(1000000.0, **{**YARN, "factor": 8.0})}),
    "smollm3": Case("SmolLM3ForCausalLM", {
        **NO_HEAD_DIM, "no_rope_layers": [1, 0, 1, 0], "rope_parameters": rope(5000000.0)}, rope=[1, 0, 1, 0]),
    "mllama": Case("MllamaForConditionalGeneration", {
        "text_config": {**NO_HEAD_DIM, "num_hidden_layers": 5, "cross_attention_layers": [1, 3],
                        "rope_parameters": rope(500000.0, rope_type="llama3", factor=8.0, low_freq_factor=1.0,
                                                high_freq_factor=4.0, original_max_position_embeddings=4096)},
        "vision_config": {"hidden_size": 16, "attention_heads": 2, "num_hidden_layers": 1, "num_global_layers": 1,
                          "intermediate_size": 16, "vision_output_dim": 32, "image_size": 28, "max_num_tiles": 1,
                          "intermediate_layers_indices": [0], "supported_aspect_ratios": [[1, 1]]},
        "image_token_index": 96}, other_layers={1: "cross", 3: "cross"}),
}

SIGLIP = {"hidden_size": 16, "intermediate_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2,
          "image_size": 28, "patch_size": 14}
LAYER_NORM = {key: value for key, value in NO_HEAD_DIM.items() if key != "rms_norm_eps"}  # the epsilon has another name
GEMMA3_ROPE = {"full_attention": rope(1000000.0, rope_type="linear", factor=8.0), "sliding_attention": rope(10000.0)}

MORE_DENSE = {
    "gemma3_text": Case("Gemma3ForCausalLM", {
        **SIZES, "layer_types": kinds("sfsf"), "sliding_window": 300, "query_pre_attn_scalar": 24,
        "rope_parameters": GEMMA3_ROPE}, norms_add_one=True),
    "gemma3": Case("Gemma3ForConditionalGeneration", {
        "text_config": {**SIZES, "layer_types": kinds("ssfs"), "sliding_window": 512, "query_pre_attn_scalar": 16,
                        "rope_parameters": GEMMA3_ROPE},
        "vision_config": SIGLIP, "mm_tokens_per_image": 4, "image_token_index": 100, "boi_token_index": 98,
        "eoi_token_index": 99}, norms_add_one=True),
    "glm4": Case("Glm4ForCausalLM", {
        **SIZES, "attention_bias": False, "rope_parameters": rope(10000.0, partial_rotary_factor=0.5)}),
    "phi3": Case("Phi3ForCausalLM", {
        **NO_HEAD_DIM, "sliding_window": 2000, "original_max_position_embeddings": 4096,
        "rope_parameters": rope(10000.0, rope_type="longrope", partial_rotary_factor=0.75,
                                short_factor=[1.0, 1.25, 1.5], long_factor=[1.5, 3.0, 12.0])}),
    "gemma2": Case("Gemma2ForCausalLM", {
        **SIZES, "sliding_window": 400, "query_pre_attn_scalar": 16, "attn_logit_softcapping": 8.0,
        "rope_parameters": rope(10000.0)}, norms_add_one=True),
    "olmo3": Case("Olmo3ForCausalLM", {
        **NO_HEAD_DIM, "sliding_window": 700, "rope_parameters": {
            "full_attention": rope(500000.0, **{**YARN, "factor": 8.0}, attention_factor=1.3),
            "sliding_attention": rope(500000.0)}}),
    "glm": Case("GlmForCausalLM", {**SIZES, "rope_parameters": rope(20000.0, partial_rotary_factor=0.5)}),
    "olmo2": Case("Olmo2ForCausalLM", {**NO_HEAD_DIM, "rope_parameters": rope(500000.0)}),
    "granite": Case("GraniteForCausalLM", {
        **NO_HEAD_DIM, "embedding_multiplier": 3.0, "residual_multiplier": 0.4, "attention_multiplier": 0.2,
        "logits_scaling": 4.0, "rope_parameters": rope(5000000.0)}),
    "cohere2": Case("Cohere2ForCausalLM", {
        **LAYER_NORM, "layer_norm_eps": 1e-3, "sliding_window": 500, "layer_types": kinds("sssf"),
        "rope_parameters": rope(50000.0)}, rope=[1, 1, 1, 0]),
    "cohere": Case("CohereForCausalLM", {
        **LAYER_NORM, "layer_norm_eps": 1e-3, "use_qk_norm": True, "rope_parameters": rope(75000.0)}),
    "starcoder2": Case("Starcoder2ForCausalLM", {
        **LAYER_NORM, "norm_epsilon": 1e-3, "sliding_window": 600, "rope_parameters": rope(100000.0)}),
}

GPT_OSS = {
    **SIZES, "intermediate_size": 32, "num_local_experts": 4, "num_experts_per_tok": 2, "sliding_window": 128,
    "max_position_embeddings": 131072,
    "rope_parameters": rope(150000.0, **{**YARN, "factor": 32.0}, truncate=False)}
GPT_OSS_RULES = [(f"self_attn.{part}_proj", lambda draw, shape: draw.normal(0, 0.15, shape)) for part in "qk"]

EXPERTS = {
    "mixtral": Case("MixtralForCausalLM", {
        **SIZES, "intermediate_size": 40, "sliding_window": 800, "num_local_experts": 4, "num_experts_per_tok": 2,
        "rope_parameters": rope(1000000.0)}),
    "qwen2_moe": Case("Qwen2MoeForCausalLM", {
        **NO_HEAD_DIM, "num_experts": 6, "num_experts_per_tok": 2, "moe_intermediate_size": 24,
        "shared_expert_intermediate_size": 40, "mlp_only_layers": [1], "rope_parameters": rope(1000000.0)}),
    "qwen3_moe": Case("Qwen3MoeForCausalLM", {
        **SIZES, "num_experts": 8, "num_experts_per_tok": 2, "moe_intermediate_size": 24, "norm_topk_prob": True,
        "decoder_sparse_step": 2, "rope_parameters": rope(1000000.0)}),
    "gpt_oss": Case("GptOssForCausalLM", GPT_OSS, rules=GPT_OSS_RULES),
    "gpt_oss_mxfp4": Case("GptOssForCausalLM", {**GPT_OSS, "intermediate_size": 64}, rules=GPT_OSS_RULES,
                          convert=quantise_experts),
}

# Decay rates of state-space layers are logarithms of positive numbers; xIELU's eps is a constant of its formula.
STATE_SPACE = [("A_log", lambda draw, shape: np.log(draw.uniform(1, 8, shape)))]
XIELU = [("act_fn.eps", lambda draw, shape: np.full(shape, -1e-6)),
         ("act_fn.beta", lambda draw, shape: draw.uniform(0.4, 0.6, shape))]
PLAIN_NORM = [("linear_attn.norm.weight", lambda draw, shape: draw.uniform(0.5, 1.5, shape))]
LLAMA3 = {"rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0,
          "original_max_position_embeddings": 8192}
MAMBA = {"mamba_n_heads": 4, "mamba_n_groups": 1, "mamba_d_state": 8, "mamba_chunk_size": 64}
GRANITE_HYBRID = {**NO_HEAD_DIM, **MAMBA, "layer_types": kinds("lflf"), "shared_intermediate_size": 40,
                  "embedding_multiplier": 3.0, "residual_multiplier": 0.4, "attention_multiplier": 0.2,
                  "logits_scaling": 4.0}
FALCON = {**SIZES, **MAMBA, "mamba_d_ssm": 64, "embedding_multiplier": 1.5, "key_multiplier": 0.7,
          "attention_in_multiplier": 0.9, "attention_out_multiplier": 0.6, "ssm_in_multiplier": 1.2,
          "ssm_out_multiplier": 0.8, "mlp_multipliers": [0.8, 0.5], "ssm_multipliers": [0.9, 1.1, 0.7, 1.2, 0.8],
          "lm_head_multiplier": 0.5, "rope_parameters": rope(1e11)}

BEYOND = {
    "seed_oss": Case("SeedOssForCausalLM", {**SIZES, "rope_parameters": rope(1e7)}),
    "ernie4_5": Case("Ernie4_5ForCausalLM", {**SIZES, "use_bias": True, "rope_parameters": rope(500000.0)}),
    "hunyuan_v1_dense": Case("HunYuanDenseV1ForCausalLM", {
        **SIZES, "tie_word_embeddings": True, "rope_parameters": rope(10000.0)}),
    "hunyuan_v1_dense_alpha": Case("HunYuanDenseV1ForCausalLM", {
        **SIZES, "tie_word_embeddings": True, "rope_parameters": {
            "rope_type": "dynamic", "type": "dynamic", "alpha": 1000.0, "factor": 1.0, "beta_fast": 32, "beta_slow": 1,
            "mscale": 1.0, "mscale_all_dim": 1.0, "rope_theta": 10000.0}}),
    "apertus": Case("ApertusForCausalLM", {**NO_HEAD_DIM, "rope_parameters": rope(12e6, **LLAMA3)}, rules=XIELU),
    "exaone4": Case("Exaone4ForCausalLM", {
        **NO_HEAD_DIM, "sliding_window": 600, "rope_parameters": rope(1e6, **LLAMA3)}, rope=[1, 1, 1, 0]),
    "glm4_moe": Case("Glm4MoeForCausalLM", {
        **SIZES, "n_routed_experts": 6, "num_experts_per_tok": 2, "moe_intermediate_size": 24, "n_shared_experts": 1,
        "first_k_dense_replace": 1, "routed_scaling_factor": 2.5, "use_qk_norm": True, "attention_bias": True,
        "rope_parameters": rope(1e6, partial_rotary_factor=0.5)}),
    "llama4_text": Case("Llama4ForCausalLM", {
        **SIZES, "intermediate_size": 24, "intermediate_size_mlp": 48, "num_local_experts": 4, "num_experts_per_tok": 2,
        "interleave_moe_layer_step": 2, "attention_chunk_size": 1100, "no_rope_layers": [1, 0, 1, 0],
        "floor_scale": 3000, "attn_scale": 0.1, "rope_parameters": rope(500000.0)}, rope=[1, 0, 1, 0]),
    "granitemoehybrid": Case("GraniteMoeHybridForCausalLM", {
        **GRANITE_HYBRID, "intermediate_size": 24, "num_local_experts": 4, "num_experts_per_tok": 2,
        "position_embedding_type": "rope", "rope_parameters": rope(10000.0)},
        other_layers={0: "linear", 2: "linear"}, rules=STATE_SPACE),
    "granitemoehybrid_dense": Case("GraniteMoeHybridForCausalLM", {
        **GRANITE_HYBRID, "num_local_experts": 0, "num_experts_per_tok": 0, "position_embedding_type": "nope"},
        rope=[0, 0, 0, 0], other_layers={0: "linear", 2: "linear"}, rules=STATE_SPACE),
    "qwen3_next": Case("Qwen3NextForCausalLM", {
        **SIZES, "layer_types": kinds("lflf"), "linear_num_key_heads": 2, "linear_num_value_heads": 4,
        "linear_key_head_dim": 8, "linear_value_head_dim": 12, "num_experts": 4, "num_experts_per_tok": 2,
        "moe_intermediate_size": 16, "shared_expert_intermediate_size": 24,
        "rope_parameters": rope(1e7, partial_rotary_factor=0.25)},
        other_layers={0: "linear", 2: "linear"}, norms_add_one=True, rules=STATE_SPACE + PLAIN_NORM),
    "falcon_h1": Case("FalconH1ForCausalLM", {**FALCON, "mamba_norm_before_gate": False}, rules=STATE_SPACE),
    "falcon_h1_norm": Case("FalconH1ForCausalLM", {
        **FALCON, "mamba_rms_norm": True, "mamba_norm_before_gate": True}, rules=STATE_SPACE),
}

GEMMA4 = {**SIZES, "global_head_dim": 32, "layer_types": kinds("sfsf"), "sliding_window": 400,
          "vocab_size_per_layer_input": 97, "rope_parameters": {
              "full_attention": rope(1e6, rope_type="proportional", partial_rotary_factor=0.25),
              "sliding_attention": rope(10000.0)}}
# Scores of gemma4 are not divided by anything: small q and k norms keep them moderate, as trained ones do.
GEMMA4_RULES = [("self_attn.q_norm", lambda draw, shape: draw.uniform(0.3, 0.7, shape)),
                ("self_attn.k_norm", lambda draw, shape: draw.uniform(0.3, 0.7, shape)),
                ("layer_scalar", lambda draw, shape: draw.uniform(0.5, 1.5, shape)),
                ("router.proj", lambda draw, shape: draw.normal(0, 1, shape)),
                ("router.", lambda draw, shape: draw.uniform(0.5, 1.5, shape))]
GATED = {**SIZES, "head_dim": 24, "layer_types": kinds("lflf"), "linear_num_key_heads": 2, "linear_num_value_heads": 4,
         "linear_key_head_dim": 8, "linear_value_head_dim": 12, "rope_parameters": rope(
             1e7, partial_rotary_factor=0.25, mrope_section=[1, 1, 1], mrope_interleaved=True)}

NEWEST = {
    "qwen3_5_text": Case("Qwen3_5ForCausalLM", GATED, other_layers={0: "linear", 2: "linear"}, norms_add_one=True,
                         rules=STATE_SPACE + PLAIN_NORM),
    "gemma4_text": Case("Gemma4ForCausalLM", {
        **GEMMA4, "hidden_size_per_layer_input": 8, "num_kv_shared_layers": 2, "use_double_wide_mlp": True},
        rules=GEMMA4_RULES),
    "gemma4_text_moe": Case("Gemma4ForCausalLM", {
        **GEMMA4, "hidden_size_per_layer_input": 0, "attention_k_eq_v": True, "num_global_key_value_heads": 1,
        "enable_moe_block": True, "num_experts": 4, "top_k_experts": 2, "moe_intermediate_size": 24},
        rules=GEMMA4_RULES),
}

# Routers are wide enough that streams mix differently at every token.
GEMMA3N = {**SIZES, "layer_types": kinds("sfsf"), "sliding_window": 400, "hidden_size_per_layer_input": 8,
           "num_kv_shared_layers": 2, "vocab_size_per_layer_input": 97,
           "activation_sparsity_pattern": [0.9, 0.0, 0.6, 0.0],
           "rope_parameters": {"full_attention": rope(1e6), "sliding_attention": rope(10000.0)}}
GEMMA3N_RULES = GEMMA4_RULES[:2] + [
    ("modality_router", lambda draw, shape: draw.normal(0, 5, shape)),
    ("correct_output_scale", lambda draw, shape: draw.uniform(0.5, 1.5, shape))]

# Tokens from 80 on have no per-layer embedding of their own; layers have different widths.
NEWEST["gemma3n_text"] = Case("Gemma3nForCausalLM", {
    **GEMMA3N, "vocab_size_per_layer_input": 80, "intermediate_size": [48, 40, 48, 56], "laurel_rank": 6,
    "altup_active_idx": 1, "rope_parameters": {
        "full_attention": rope(250000.0, rope_type="linear", factor=4.0), "sliding_attention": rope(20000.0)}},
    rules=GEMMA3N_RULES)

# Embeddings as large as those of the other families.
EMBED_IN = [("embed_in", lambda draw, shape: draw.normal(0, 1, shape))]
NEOX = {**LAYER_NORM, "layer_norm_eps": 1e-3}
# transformers runs InternLM 3 with the classes of Llama.
transformers.InternLM3ForCausalLM = type("InternLM3ForCausalLM", (transformers.LlamaForCausalLM,),
                                         {"config_class": transformers.InternLM3Config})

# GGUF files of gpt_neox, gemma, phi and stablelm have no theta: it is 10,000.
LAYER_NORMS = {
    "gpt_neox": Case("GPTNeoXForCausalLM", {
        **NEOX, "rope_parameters": rope(10000.0, partial_rotary_factor=0.5)}, rules=EMBED_IN),
    "gpt_neox_serial": Case("GPTNeoXForCausalLM", {
        **NEOX, "use_parallel_residual": False, "attention_bias": False,
        "rope_parameters": rope(25000.0, partial_rotary_factor=0.75)}, rules=EMBED_IN),
    "olmo": Case("OlmoForCausalLM", {**LAYER_NORM, "clip_qkv": 1.5, "rope_parameters": rope(500000.0)}),
    "olmoe": Case("OlmoeForCausalLM", {
        **NO_HEAD_DIM, "intermediate_size": 24, "num_experts": 6, "num_experts_per_tok": 2, "clip_qkv": 1.0,
        "norm_topk_prob": True, "rope_parameters": rope(500000.0)}),
    "olmoe_plain": Case("OlmoeForCausalLM", {
        **NO_HEAD_DIM, "intermediate_size": 24, "num_experts": 6, "num_experts_per_tok": 2, "rms_norm_eps": 1e-5,
        "rope_parameters": rope(20000.0)}),
    "gemma": Case("GemmaForCausalLM", {**SIZES, "rope_parameters": rope(10000.0)}, norms_add_one=True),
    "phi": Case("PhiForCausalLM", {
        **NEOX, "num_key_value_heads": 4, "intermediate_size": 128,
        "rope_parameters": rope(10000.0, partial_rotary_factor=0.5)}),
    "phi_norm": Case("PhiForCausalLM", {
        **NEOX, "qk_layernorm": True, "rope_parameters": rope(50000.0, partial_rotary_factor=0.75)}),
    "stablelm": Case("StableLmForCausalLM", {
        **NEOX, "use_qkv_bias": True, "rope_parameters": rope(10000.0, partial_rotary_factor=0.5)}),
    "stablelm_parallel": Case("StableLmForCausalLM", {
        **NEOX, "use_parallel_residual": True, "qk_layernorm": True,
        "rope_parameters": rope(10000.0, partial_rotary_factor=0.25)}),
    "nemotron": Case("NemotronForCausalLM", {
        **LAYER_NORM, "norm_eps": 1e-3, "rope_parameters": rope(30000.0, partial_rotary_factor=0.5)},
        norms_add_one=True),
    "nemotron_biases": Case("NemotronForCausalLM", {
        **LAYER_NORM, "head_dim": 16, "norm_eps": 1e-3, "attention_bias": True, "mlp_bias": True,
        "rope_parameters": rope(10000.0, partial_rotary_factor=0.75)}, norms_add_one=True),
    "internlm3": Case("InternLM3ForCausalLM", {
        **SIZES, "max_position_embeddings": 8192, "attention_bias": True, "mlp_bias": True,
        "rope_parameters": rope(5e6, rope_type="dynamic", factor=6.0)}),
    "persimmon": Case("PersimmonForCausalLM", {**NEOX, "rope_parameters": rope(25000.0, partial_rotary_factor=0.5)}),
}

# What GGUF files leave out is a constant of the architecture in llama.cpp: these cases have those constants.
PLAIN_MOE = {key: value for key, value in EXPERTS["qwen2_moe"].values.items() if key != "mlp_only_layers"}
FOR_GGUF = {
    "mistral_full": Case("MistralForCausalLM", {**LLAMA_BLOCKS["mistral"].values, "sliding_window": None}),
    "qwen2_full": Case("Qwen2ForCausalLM", {**LLAMA_BLOCKS["qwen2"].values, "use_sliding_window": False}),
    "smollm3_four": Case("SmolLM3ForCausalLM", {**NO_HEAD_DIM, "rope_parameters": rope(5000000.0)}, rope=[1, 1, 1, 0]),
    "gemma3_six": Case("Gemma3ForCausalLM", {
        **SIZES, "num_hidden_layers": 6, "sliding_window": 300, "query_pre_attn_scalar": 16,
        "rope_parameters": GEMMA3_ROPE}, norms_add_one=True),
    "gemma3n_full": Case("Gemma3nForCausalLM", {**GEMMA3N, "laurel_rank": 64}, rules=GEMMA3N_RULES),
    "starcoder2_full": Case("Starcoder2ForCausalLM", {**MORE_DENSE["starcoder2"].values, "sliding_window": None}),
    "mixtral_full": Case("MixtralForCausalLM", {**EXPERTS["mixtral"].values, "sliding_window": None}),
    "qwen2_moe_sparse": Case("Qwen2MoeForCausalLM", PLAIN_MOE),
    "qwen3_moe_sparse": Case("Qwen3MoeForCausalLM", {
        **EXPERTS["qwen3_moe"].values, "num_experts": 5, "decoder_sparse_step": 1}),
    "llama4_four": Case("Llama4ForCausalLM", {
        **BEYOND["llama4_text"].values, "attention_chunk_size": 8192, "no_rope_layers": [], "floor_scale": 8192},
        rope=[1, 1, 1, 0]),
    "granitemoehybrid_nope": Case("GraniteMoeHybridForCausalLM", {
        **BEYOND["granitemoehybrid"].values, "position_embedding_type": "nope"}, rope=[0, 0, 0, 0],
        other_layers={0: "linear", 2: "linear"}, rules=STATE_SPACE),
    # The converter multiplies weights by the multipliers: powers of two keep them bfloat16 numbers.
    "falcon_h1_dyadic": Case("FalconH1ForCausalLM", {
        **FALCON, "mamba_rms_norm": True, "mamba_norm_before_gate": False, "embedding_multiplier": 2.0,
        "key_multiplier": 0.5, "attention_in_multiplier": 2.0, "attention_out_multiplier": 0.5,
        "ssm_in_multiplier": 2.0, "ssm_out_multiplier": 0.25, "mlp_multipliers": [0.5, 0.25],
        "ssm_multipliers": [0.5, 1.0, 2.0, 0.25, 4.0], "lm_head_multiplier": 0.5}, rules=STATE_SPACE),
}

LATENT = {**NO_HEAD_DIM, "num_key_value_heads": 4, "kv_lora_rank": 12, "q_lora_rank": 20, "qk_nope_head_dim": 16,
          "qk_rope_head_dim": 12, "v_head_dim": 20, "n_routed_experts": 8, "num_experts_per_tok": 3,
          "moe_intermediate_size": 24, "n_shared_experts": 2, "first_k_dense_replace": 1, "routed_scaling_factor": 1.7}
GROUPS = {"n_group": 4, "topk_group": 2}

LATENT_ATTENTION = {
    "deepseek_v3": Case("DeepseekV3ForCausalLM", {
        **LATENT, **GROUPS, "rope_parameters": rope(10000.0, **YARN, mscale=1.0, mscale_all_dim=1.0)}),
    "deepseek_v3_halves": Case("DeepseekV3ForCausalLM", {
        **LATENT, "n_group": 1, "topk_group": 1, "q_lora_rank": None, "rope_interleave": False, "norm_topk_prob": False,
        "rope_parameters": rope(50000.0)}),
    "deepseek_v2": Case("DeepseekV2ForCausalLM", {
        **LATENT, **GROUPS, "topk_method": "group_limited_greedy",
        "rope_parameters": rope(10000.0, **YARN, mscale=0.707, mscale_all_dim=0.9)}),
    "deepseek_v2_lite": Case("DeepseekV2ForCausalLM", {
        **LATENT, "q_lora_rank": None, "rope_parameters": rope(10000.0, **YARN, mscale=0.707, mscale_all_dim=0.707)}),
}

MORE_EXPERTS = {
    "minimax_m2": Case("MiniMaxM2ForCausalLM", {
        **SIZES, "intermediate_size": 24, "num_local_experts": 6, "num_experts_per_tok": 2,
        "rope_parameters": rope(5e6, partial_rotary_factor=0.5)}),
    "ernie4_5_moe": Case("Ernie4_5_MoeForCausalLM", {
        **NO_HEAD_DIM, "moe_num_experts": 6, "moe_k": 2, "moe_intermediate_size": 24, "moe_num_shared_experts": 2,
        "rope_parameters": rope(500000.0)}),
    "hunyuan_v1_moe": Case("HunYuanMoEV1ForCausalLM", {
        **SIZES, "intermediate_size": 24, "num_experts": 6, "moe_topk": 2, "rope_parameters": rope(10000.0)},
        rules=[(".gate.wg", lambda draw, shape: draw.normal(0, 1, shape))]),
    "qwen3_5_moe_text": Case("Qwen3_5MoeForCausalLM", {
        **{key: value for key, value in GATED.items() if key != "intermediate_size"}, "num_experts": 6,
        "num_experts_per_tok": 2, "moe_intermediate_size": 24, "shared_expert_intermediate_size": 40},
        other_layers={0: "linear", 2: "linear"}, norms_add_one=True, rules=STATE_SPACE + PLAIN_NORM),
}

MROPE = rope(1e6, mrope_section=[2, 3, 3])
QWEN_VISION = {"depth": 1, "hidden_size": 16, "intermediate_size": 16, "num_heads": 2, "patch_size": 4,
               "out_hidden_size": 32, "num_position_embeddings": 16, "deepstack_visual_indexes": []}
QWEN_IMAGES = {"image_token_id": 90, "video_token_id": 91, "vision_start_token_id": 92, "vision_end_token_id": 93}



def turn_experts(folder):
    """As published: the matrices of all experts as [in, out]."""
    file = folder / "model.safetensors"
    tensors = {name: tensor.transpose(1, 2).contiguous() if ".mlp.experts." in name else tensor
               for name, tensor in load_file(file).items()}
    save_file(tensors, file, {"format": "pt"})


MULTIMODAL = {
    "qwen2_vl": Case("Qwen2VLForConditionalGeneration", {
        "text_config": {**NO_HEAD_DIM, "hidden_size": 64, "use_sliding_window": True, "sliding_window": 500,
                        "max_window_layers": 2, "rope_parameters": MROPE},
        "vision_config": {"depth": 1, "embed_dim": 16, "hidden_size": 64, "num_heads": 2, "patch_size": 4},
        **QWEN_IMAGES, "tie_word_embeddings": True}),
    "qwen2_5_vl": Case("Qwen2_5_VLForConditionalGeneration", {
        "text_config": {**NO_HEAD_DIM, "hidden_size": 64, "rope_parameters": MROPE},
        "vision_config": {"depth": 1, "hidden_size": 16, "intermediate_size": 16, "num_heads": 2, "patch_size": 4,
                          "out_hidden_size": 64, "fullatt_block_indexes": [0]}, **QWEN_IMAGES}),
    "qwen3_vl": Case("Qwen3VLForConditionalGeneration", {
        "text_config": {**SIZES, "rope_parameters": {**MROPE, "mrope_interleaved": True}}, "vision_config": QWEN_VISION,
        **QWEN_IMAGES}),
    "qwen3_vl_moe": Case("Qwen3VLMoeForConditionalGeneration", {
        "text_config": {**SIZES, "num_experts": 6, "num_experts_per_tok": 2, "moe_intermediate_size": 24,
                        "rope_parameters": {**MROPE, "mrope_interleaved": True}}, "vision_config": QWEN_VISION,
        **QWEN_IMAGES}),
}
MULTIMODAL["qwen3_vl_moe_published"] = dataclasses.replace(MULTIMODAL["qwen3_vl_moe"], convert=turn_experts)

CONVOLUTIONS = {
    "lfm2": Case("Lfm2ForCausalLM", {
        **{key: value for key, value in NO_HEAD_DIM.items() if key != "rms_norm_eps"}, "norm_eps": 1e-3,
        "block_multiple_of": 8, "block_ffn_dim_multiplier": 1.25, "layer_types": ["conv", "full_attention"] * 2,
        "rope_parameters": rope(1e6)}, other_layers={0: "linear", 2: "linear"}),
}

CASES = {**LLAMA_BLOCKS, **MORE_DENSE, **EXPERTS, **BEYOND, **NEWEST, **LAYER_NORMS, **FOR_GGUF, **LATENT_ATTENTION, **MORE_EXPERTS,
         **MULTIMODAL, **CONVOLUTIONS,
         **{name: Case(same_as=twin, rewrite=rewrite) for name, (twin, rewrite) in OLD_SPELLINGS.items()}}
