"""The GGUF file of every case that llama.cpp knows, as llama.cpp's own converter writes it.

    python to_gguf.py LLAMA_CPP [NAME ...]        LLAMA_CPP: a folder with llama.cpp's conversion/ and gguf-py/

Made with the converter of llama.cpp 0c1e57098 (gguf 0.19.0), as the sdist of llama-cpp-python 0.3.36 carries it, and
with no change but that no tokenizer is looked for, config.json is read as it is, and StableLM's norms are written.
Matrices are BF16 as in model.safetensors, vectors F32. The keys, the order of q and k rows, the 1 that gemma's norms
gain, stacked experts and the rest are the converter's: so the files are a source independent of the program's reader.
families.json marks the cases with "gguf": true.
"""
# What a reader must know, as the files show it (ARCH: general.architecture):
# all              ARCH.attention.key_length only where config.json has head_dim, else embedding_length / head_count;
#                  tied embeddings: no output.weight; epsilons and thetas are float32; no ARCH.sliding_window key for
#                  mistral, mixtral, qwen2, starcoder2: llama.cpp has no windows there; default patterns below are used
#                  where ARCH.attention.sliding_window_pattern (one bool a layer, true = window) is absent
# llama, mistral3, smollm3, granite, granitehybrid: rows of attn_q and attn_k interleaved per head, pairs (2i, 2i + 1)
# command-r, cohere2, ernie4_5, glm4, llama4: pairs (2i, 2i + 1) by themselves, rows untouched; all others (i, i + d/2)
# llama            experts (mixtral): blk.N.ffn_{gate,up,down}_exps [expert, out, in], router ffn_gate_inp, F32; softmax
#                  of the chosen logits
# mistral3         attention.temperature_scale is llama_4_scaling_beta, its length rope.scaling.original_context_length;
#                  rope.scaling.yarn_log_multiplier is mscale_all_dim; attention factor 1
# smollm3          no key for layers without RoPE: every 4th
# gemma2, gemma3   norms already have the 1; no key for the embedding factor, the attention scale (head_dim^-0.5, but
#                  (embedding_length / head_count)^-0.5 in the 27B models, of 46 and 62 layers) or the pattern: gemma2
#                  window, full, ...; gemma3 every 6th full; rope.freq_base_swa; linear scaling on full layers only
# phi3             attn_qkv and ffn_up ([gate; up]) fused; rope_factors_{short,long}, no rope.scaling.type;
#                  rope.scaling.attn_factor is the cos and sin factor; sliding_window is written, llama.cpp ignores it
# glm4             ffn_up fused [gate; up]; rope.dimension_count is the rotated part; norms: attn_norm, then
#                  post_attention_norm on the attention's output, ffn_norm, post_ffw_norm on the MLP's output
# olmo2 (olmo3)    no attn_norm and ffn_norm; yarn on full layers only; yarn_attn_factor is the cos and sin factor
# granite          attention.scale, embedding_scale, residual_scale; logit_scale divides
# cohere2          pattern: every 4th full and without RoPE; attn_norm is a LayerNorm (layer_norm_epsilon), no ffn_norm
# command-r        attn_q_norm, attn_k_norm [heads, head_dim]: LayerNorm per head
# qwen2moe         expert weights not renormalised; shared expert ffn_*_shexp, its gate ffn_gate_inp_shexp; qwen3moe:
#                  renormalised; expert_feed_forward_length
# gpt-oss          gate and up taken apart, experts [expert, out, in] (or MXFP4 blocks), biases ffn_*_exps.bias; the
#                  norm before the MLP is post_attention_norm; attn_sinks; window, full, ...; yarn without truncation
# seed_oss         the norm before the MLP is post_attention_norm
# hunyuan-dense    q and k norms come after RoPE; the base for alpha is already in rope.freq_base
# apertus          xielu.{alpha_n,alpha_p,beta,eps} per layer, alphas before softplus; rope_freqs (llama3)
# exaone4          post norms only; rope_freqs; full layers without RoPE where there is a window
# glm4moe          the norm before the MLP is post_attention_norm; exp_probs_b.bias; expert_gating_func 2 is
#                  sigmoid; expert_weights_{scale,norm}; leading_dense_block_count; published files count prediction
#                  layers in block_count (nextn_predict_layers)
# llama4           chunk 8192, temperature 0.1 per 8192, every 4th without RoPE: no keys; interleave_moe_layer_step; the
#                  weightless q and k norm has no key either; gate and up apart, [expert, out, in]
# granitehybrid    layers with head_count_kv 0 are Mamba; rope.scaling.finetuned false: no RoPE; ssm_a = -exp(A_log);
#                  shared MLP is ffn_*_shexp, without experts ffn_*
# qwen3next        attention.recurrent_layers (older files: full_attention_interval); attn_qkv is the linear layers' q,
#                  k and v in this order, attn_gate their z, ssm_ba grouped per key head as on disk; attn_q is
#                  [query, gate] per head; ssm_a = -exp(A_log); norms but ssm_norm have the 1; the norm before the MLP
#                  is post_attention_norm
# qwen35           as qwen3next, with ssm_alpha and ssm_beta; value heads in another order: value head h belongs to key
#                  head h mod key heads
# falcon-h1        multipliers are in the weights; blk.N.ffn_norm without .weight; ssm_norm after the gate
# gemma4           key_length(_swa), rope.dimension_count(_swa); rope_freqs: divisors of proportional RoPE, 1e30 where
#                  nothing turns; feed_forward_length and head_count_kv may be lists; layer_output_scale;
#                  shared_kv_layers; no 1 in the norms
# gemma3n          altup_proj and altup_unembd_proj stacked; activation_sparsity_scale: standard deviations, -inf where
#                  nothing is cut; tokens beyond vocab_size_per_layer_input get rows of zeros; laurel_rank 64: no key; no 1
#                  in the norms
# gptneox          attn_qkv fused with its bias, all queries before all keys and values; no theta, no head_count_kv
# olmo             rows of attn_q and attn_k interleaved as in llama; no norms; attention.clamp_kqv is clip_qkv; epsilon 1e-5
# olmoe            epsilon 1e-5 and no limit whatever config.json says; weights of experts not renormalised
# gemma            no theta; norms already have the 1
# phi2             feed_forward_length is 4 embedding_length and head_count_kv head_count; no theta; output.bias
# stablelm         no theta; use_parallel_residual; attn_q_norm, attn_k_norm [heads, head_dim] stacked
# nemotron         norms have the 1
# deepseek2        attn_k_b [heads, rank, nope_dim] (transposed) and attn_v_b, older files attn_kv_b; then key_length_mla and
#                  value_length_mla are the sizes of a head, older files key_length and value_length; yarn_log_multiplier
#                  is a tenth of mscale_all_dim; rows of rotated parts as on disk; expert_gating_func 2 is sigmoid (V3)
# minimax-m2       rope.dimension_count is rotary_dim; exp_probs_b.bias
# ernie4_5-moe     leading_dense_block_count, interleave_moe_layer_step, expert_shared_count; exp_probs_b.bias
# qwen2vl, qwen3vl, qwen3vlmoe: rope.dimension_sections
# lfm2             head_count_kv is 0 in layers with a convolution; feed_forward_length is already adjusted;
#                  token_embd_norm is the last norm
import json
import logging
import pathlib
import shutil
import sys
import tempfile

FOLDER = pathlib.Path(__file__).parent
CASES = [
    "mistral_full", "ministral3", "mistral3", "qwen2_full", "qwen3", "qwen3_yarn", "smollm3_four", "gemma3_six",
    "gemma2", "glm4", "phi3", "olmo2", "olmo3", "granite", "cohere2", "cohere", "starcoder2_full", "mixtral_full",
    "qwen2_moe_sparse", "qwen3_moe_sparse", "gpt_oss", "gpt_oss_mxfp4", "seed_oss", "ernie4_5", "hunyuan_v1_dense",
    "hunyuan_v1_dense_alpha", "exaone4", "glm4_moe", "llama4_four", "granitemoehybrid_nope",
    "granitemoehybrid_dense", "qwen3_next", "qwen3_5_text", "falcon_h1_dyadic", "gemma4_text", "gemma4_text_moe", "gemma3n_full",
    "gpt_neox", "olmo", "olmoe_plain", "gemma", "phi", "stablelm", "stablelm_parallel", "nemotron",
    "deepseek_v3", "deepseek_v2_lite", "minimax_m2", "ernie4_5_moe", "hunyuan_v1_moe", "qwen3_5_moe_text",
    "qwen2_5_vl", "qwen3_vl", "qwen3_vl_moe_published", "lfm2"]
# Keys of published files that transformers no longer writes and the converter needs.
PUBLISHED = {"cohere2": {"rotary_pct": 1.0}, "gpt_neox": {"rotary_pct": 0.5}, "minimax_m2": {"rotary_dim": 8},
             "hunyuan_v1_moe": {"moe_intermediate_size": [24] * 4, "moe_topk": [2] * 4, "num_shared_expert": [1] * 4},
             "deepseek_v3": {"scoring_func": "sigmoid"}, "deepseek_v2_lite": {"scoring_func": "softmax"}}
FIRST_NAMES = {"linear_attention": "mamba", "full_attention": "attention"}  # granite's kinds as the converter has them
TOKENIZER = {"model": {"vocab": {str(i): i for i in range(97)}}, "added_tokens": []}


def descendants(kind):
    return [lower for child in kind.__subclasses__() for lower in (child, *descendants(child))]


def with_stacked_norms(modify):
    """This version's StableLM returns the generator of its stacked q and k norms from a generator, which drops them."""
    def modify_tensors(self, data, name, bid):
        stacked = yield from modify(self, data, name, bid)
        yield from stacked or ()
    return modify_tensors


def convert(name):
    import gguf
    import torch
    from conversion import get_model_class
    from conversion.base import ModelBase, ModelType, TextModel, get_model_architecture

    values = json.loads((FOLDER / name / "config.json").read_text()) | PUBLISHED.get(name, {})
    if name.startswith("granitemoehybrid"):
        values["layer_types"] = [FIRST_NAMES[kind] for kind in values["layer_types"]]
    ModelBase.load_hparams = staticmethod(lambda folder, is_mistral_format: values)
    with torch.inference_mode(), tempfile.TemporaryDirectory() as temporary:
        place = pathlib.Path(temporary)
        shutil.copy(FOLDER / name / "model.safetensors", place)
        (place / "config.json").write_text(json.dumps(values))
        (place / "tokenizer.json").write_text(json.dumps(TOKENIZER))  # some classes count its tokens
        family = get_model_class(get_model_architecture(values, ModelType.TEXT), mmproj=False)
        if name.startswith("stablelm"):
            family.modify_tensors = with_stacked_norms(family.modify_tensors)
        family.no_mtp = True  # there are no layers for the prediction of further tokens
        for kind in [TextModel, *descendants(TextModel)]:
            kind.set_vocab = lambda self: self._set_vocab_none()
        model = family(place, gguf.LlamaFileType.MOSTLY_BF16, place / "model.gguf", model_name=name)
        model.write()
        shutil.copy(place / "model.gguf", FOLDER / name)


def main():
    sys.path[:0] = [sys.argv[1], sys.argv[1] + "/gguf-py"]
    logging.disable(logging.WARNING)
    file = FOLDER / "families.json"
    for name in sys.argv[2:] or CASES:
        convert(name)
        lines = file.read_text().splitlines(keepends=True)
        for number, line in enumerate(lines):
            if line.startswith(f'{{"name": "{name}", "tokens"'):
                entry = json.loads(line.rstrip(",\n")) | {"gguf": True}
                lines[number] = json.dumps(entry) + line[len(line.rstrip(",\n")):]
        file.write_text("".join(lines))
        print(name, (FOLDER / name / "model.gguf").stat().st_size, flush=True)


if __name__ == "__main__":
    main()
