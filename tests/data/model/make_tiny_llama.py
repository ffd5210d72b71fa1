"""Makes three copies of one tiny random Llama and what its tensors hold:

  folder/   config.json + model.safetensors (float32), saved by transformers
  sharded/  the same weights in several shards with their index, saved by transformers
  tiny.gguf the same weights in GGUF, float32, with the row order that GGUF gives q and k of Llama models
  expected.json  tensor name -> SHA-256 of its float32 bytes, and some values

The GGUF file is checked here by transformers' own GGUF loader: it must give back the weights of the folder.

Made with Python 3.11, torch 2.13.0, transformers 5.23.0, accelerate (any), gguf 0.19.0, safetensors 0.8.0:
    python make_tiny_llama.py
"""
import hashlib
import json
import pathlib

import numpy as np
import torch
from gguf import GGUFWriter
from transformers import LlamaConfig, LlamaForCausalLM

FOLDER = pathlib.Path(__file__).parent
GGUF_NAMES = {
    "input_layernorm": "attn_norm", "self_attn.q_proj": "attn_q", "self_attn.k_proj": "attn_k",
    "self_attn.v_proj": "attn_v", "self_attn.o_proj": "attn_output", "post_attention_layernorm": "ffn_norm",
    "mlp.gate_proj": "ffn_gate", "mlp.up_proj": "ffn_up", "mlp.down_proj": "ffn_down",
}


def gguf_name(name):
    if name == "model.embed_tokens.weight":
        return "token_embd.weight"
    if name == "model.norm.weight":
        return "output_norm.weight"
    _, _, layer, part, end = name.replace("self_attn.", "self_attn#").replace("mlp.", "mlp#").split(".")
    return f"blk.{layer}.{GGUF_NAMES[part.replace('#', '.')]}.{end}"


def gguf_rows(weight, heads):
    """Row p * d/2 + i of each head becomes row 2 i + p: GGUF's Llama graph turns neighbouring rows."""
    rows = weight.shape[0]
    order = np.arange(rows).reshape(heads, 2, rows // heads // 2).transpose(0, 2, 1).reshape(-1)
    return weight[order]


def write_gguf(config, state):
    writer = GGUFWriter(FOLDER / "tiny.gguf", "llama")
    writer.add_name("tiny")
    writer.add_block_count(config.num_hidden_layers)
    writer.add_context_length(config.max_position_embeddings)
    writer.add_embedding_length(config.hidden_size)
    writer.add_feed_forward_length(config.intermediate_size)
    writer.add_head_count(config.num_attention_heads)
    writer.add_head_count_kv(config.num_key_value_heads)
    writer.add_rope_freq_base(config.rope_parameters["rope_theta"])
    writer.add_rope_dimension_count(config.head_dim)
    writer.add_layer_norm_rms_eps(config.rms_norm_eps)
    writer.add_vocab_size(config.vocab_size)
    writer.add_tokenizer_model("gpt2")  # transformers' loader asks for a vocabulary
    writer.add_token_list([f"t{i}" for i in range(config.vocab_size)])
    writer.add_token_merges(["t 0"])
    for name, weight in state.items():
        if name.endswith("q_proj.weight"):
            weight = gguf_rows(weight, config.num_attention_heads)
        if name.endswith("k_proj.weight"):
            weight = gguf_rows(weight, config.num_key_value_heads)
        writer.add_tensor(gguf_name(name), np.ascontiguousarray(weight))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def main():
    torch.manual_seed(7)
    config = LlamaConfig(vocab_size=40, hidden_size=32, intermediate_size=40, num_hidden_layers=2,
                         num_attention_heads=4, num_key_value_heads=2, max_position_embeddings=256,
                         rms_norm_eps=1e-5, tie_word_embeddings=True,
                         rope_parameters={"rope_type": "default", "rope_theta": 50000.0})
    model = LlamaForCausalLM(config)
    with torch.no_grad():  # norms of ones would hide a mix-up
        for name, weight in model.named_parameters():
            if "norm" in name:
                weight.uniform_(0.5, 1.5)
    model.save_pretrained(FOLDER / "folder")
    model.save_pretrained(FOLDER / "sharded", max_shard_size="24KB")
    for name in ("folder", "sharded"):
        (FOLDER / name / "generation_config.json").unlink()

    state = {n: w.detach().numpy() for n, w in model.state_dict().items() if n != "lm_head.weight"}
    write_gguf(config, state)
    again = LlamaForCausalLM.from_pretrained(FOLDER, gguf_file="tiny.gguf").state_dict()
    for name, weight in state.items():
        assert np.array_equal(again[name].numpy(), weight), name

    tensors = {}
    for name, weight in state.items():
        flat = np.ascontiguousarray(weight).reshape(-1)
        tensors[name] = {"shape": list(weight.shape), "sha256": hashlib.sha256(flat.tobytes()).hexdigest(),
                         "first": [float(v) for v in flat[:3]]}
    (FOLDER / "expected.json").write_text(json.dumps({"tensors": tensors}, indent=1) + "\n")


if __name__ == "__main__":
    main()
