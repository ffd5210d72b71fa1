"""Models, texts and recordings for tests of live models."""

import numpy as np
import pytest
from conftest import DATA, ps, write_tokens

torch = pytest.importorskip("torch", reason="torch is not installed")
transformers = pytest.importorskip("transformers", minversion="5", reason="transformers 5 is not installed")

FAMILIES = {
    "llama": DATA / "model" / "folder",
    **{
        name: DATA / "families" / name
        for name in (
            "mistral",
            "qwen3",
            "smollm3",
            "gemma3_text",
            "gemma3",
            "ministral3",
            "phi3",
            "glm4",
            "gpt_oss",
            "cohere2",
            "qwen3_next",
            "llama4_text",
            "gemma4_text",
        )
    },
}
SETTINGS = {"window": 512, "rate": 6, "all_layers": True, "store": "float32"}


def texts(vocabulary, lengths=(700, 300, 411)):
    draw = np.random.default_rng(7)
    return {
        name: draw.integers(0, vocabulary, length) for name, length in zip((12, "a text", "17"), lengths, strict=True)
    }


def load(folder):
    config = transformers.AutoConfig.from_pretrained(folder)
    family = getattr(transformers, config.architectures[0])
    return family.from_pretrained(folder, dtype=torch.float32, experts_implementation="eager").eval()


def vocabulary_of(model):
    return min(model.config.get_text_config().vocab_size, 90)


def run(model, recorder, given):
    with recorder as r, torch.inference_mode():
        for tokens in given.values():
            model(input_ids=torch.tensor(tokens)[None])
    return r.study


def record_texts(model, given, out, **more):
    return run(model, ps.record(model, out=out, ids=given, **{**SETTINGS, "heads": "all", **more}), given)


def own_capture(name, given, folder, **more):
    return ps.capture(
        FAMILIES[name],
        tokens=write_tokens(folder / "tokens.jsonl", given),
        out=folder / "own.h5",
        **{**SETTINGS, "heads": "all", "dtype": "float32", **more},
    )


def assert_same_rows(ours, theirs):
    for part in ("position", "example", "bucket"):
        np.testing.assert_array_equal(getattr(ours, part), getattr(theirs, part))
    error = np.linalg.norm(ours.vectors - theirs.vectors, axis=1) / np.linalg.norm(theirs.vectors, axis=1)
    assert error.max() < 1e-4


def small_configs():
    """Without RoPE, with RoPE on a part of each vector, and without transformers' attention interface."""
    small = {"vocab_size": 60, "hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4}
    yield transformers.GPT2Config(vocab_size=60, n_embd=32, n_layer=2, n_head=4, n_positions=512)
    yield transformers.OPTConfig(**small, ffn_dim=32, max_position_embeddings=512, word_embed_proj_dim=32)
    yield transformers.PhiConfig(**small, intermediate_size=32)
    yield transformers.StableLmConfig(**small, intermediate_size=32, num_key_value_heads=2)
    yield transformers.DeepseekV3Config(
        **small, intermediate_size=32, moe_intermediate_size=16, n_routed_experts=4, n_group=1, topk_group=1,
        num_experts_per_tok=2, q_lora_rank=16, kv_lora_rank=8, qk_rope_head_dim=8, qk_nope_head_dim=8, v_head_dim=8,
        num_key_value_heads=4)  # fmt: skip
    yield transformers.DeepseekV2Config(
        **small, intermediate_size=32, moe_intermediate_size=16, n_routed_experts=4, n_group=1, topk_group=1,
        num_experts_per_tok=2, q_lora_rank=16, kv_lora_rank=8, qk_rope_head_dim=8, qk_nope_head_dim=8, v_head_dim=8,
        num_key_value_heads=4, first_k_dense_replace=2)  # fmt: skip
    yield transformers.PersimmonConfig(**small, intermediate_size=32, max_position_embeddings=64)
    yield transformers.GPTJConfig(vocab_size=60, n_embd=32, n_layer=2, n_head=4, rotary_dim=4)
    yield transformers.CodeGenConfig(vocab_size=60, n_embd=32, n_layer=2, n_head=4, rotary_dim=4)
    yield transformers.FalconConfig(**small, multi_query=True)
    yield transformers.FalconConfig(**small, alibi=True, multi_query=False)
    yield transformers.FalconConfig(**small, new_decoder_architecture=True, num_kv_heads=2)
    yield transformers.BloomConfig(vocab_size=60, hidden_size=32, n_layer=2, n_head=4)
    yield transformers.MptConfig(vocab_size=60, d_model=32, n_layers=2, n_heads=4, max_seq_len=64)
    yield transformers.DiffLlamaConfig(**small, intermediate_size=32, num_key_value_heads=2)


def small_model(config, **options):
    """A model of this configuration or, by name, of the first of that family, with weights of a fixed seed."""
    if isinstance(config, str):
        config = next(each for each in small_configs() if each.model_type == config)
    torch.manual_seed(5)
    return transformers.AutoModelForCausalLM.from_config(config, **options).eval()
