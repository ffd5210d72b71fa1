"""What transformers makes of tiny models of tests/data/families over made-up tokens, for attention scores and losses.

    python make_scores.py

Attention weights are those of output_attentions, losses the cross entropies of the model's logits, both in float32; the
scores are means of them in NumPy. Written with transformers 5.23.0, torch 2.13.0, NumPy 2.4.6.
"""
import json
import pathlib
import sys

import numpy as np
import torch
import transformers

HERE = pathlib.Path(__file__).parent
sys.path.append(str(HERE.parent / "families"))
from record import VOCABULARY, token_ids  # noqa: E402

ATTENTION = ["gemma2", "qwen3", "granite", "gpt_oss", "mistral"]  # softcaps and windows; neither; a scale; sinks; a window
# Tied and untied outputs, scaled and capped scores, norms with and without bias, of 1 + w, after recurrences.
LOSS = ["apertus", "cohere", "cohere2", "ernie4_5", "exaone4", "falcon_h1", "gemma2", "gemma3_text", "glm", "glm4", "glm4_moe",
        "gpt_oss", "granite", "granitemoehybrid", "hunyuan_v1_dense", "llama4_text", "ministral", "mistral", "mixtral", "olmo2",
        "olmo3", "phi3", "qwen2", "qwen2_moe", "qwen3", "qwen3_moe", "qwen3_next", "seed_oss", "smollm3", "starcoder2"]
PASSAGE = 8  # tokens


def texts():
    """Ids below the vocabulary: one text of nothing but chance, one with a passage of 90 tokens three times."""
    drawn = token_ids(900)
    passage = drawn[500:590]
    return [drawn[:420], drawn[420:500] + passage + drawn[600:640] + passage + drawn[640:655] + passage]


def attention_scores(weights, tokens):
    """weights [queries, keys] of one head and text; values by query, NaN where a score is not defined."""
    queries = range(1, len(tokens))
    found = {name: [] for name in
             ("attention_entropy", "attention_distance", "first_token_attention", "previous_token_score",
              "induction_score", "recent_attention", "duplicate_token_score")}
    for i in queries:
        a = weights[i, :i + 1].astype(np.float64)
        seen = a[a > 0]  # with a learned sink they sum to less than 1
        found["attention_entropy"].append(-(seen * np.log(seen)).sum())
        found["attention_distance"].append((a * (i - np.arange(i + 1))).sum())
        found["first_token_attention"].append(a[0])
        found["previous_token_score"].append(a[i - 1])
        earlier = [j for j in range(i - 1) if tokens[j] == tokens[i]]
        found["induction_score"].append(sum(a[j + 1] for j in earlier) if earlier else np.nan)
        found["recent_attention"].append(a[max(0, i - 63):].sum())
        same = [j for j in range(i) if tokens[j] == tokens[i]]
        found["duplicate_token_score"].append(a[same].sum() if same else np.nan)
    return found


def first_places(tokens):
    """Of every token: where the PASSAGE tokens that end with it end for the first time; -1: here, or none do."""
    first, places = {}, []
    for t in range(len(tokens)):
        key = tuple(tokens[t - PASSAGE + 1:t + 1]) if t >= PASSAGE - 1 else None
        places.append(-1 if key is None else first.get(key, -1))
        if key is not None:
            first.setdefault(key, t)
    return places


def expected(family, attention):
    model = transformers.AutoModelForCausalLM.from_pretrained(
        HERE.parent / "families" / family, dtype=torch.float32, attn_implementation="eager").eval()
    scores, losses = {}, []
    for tokens in texts():
        with torch.no_grad():
            out = model(torch.tensor([tokens]), output_attentions=attention, use_cache=False)
        for layer, weights in enumerate(out.attentions if attention else []):
            for head in range(weights.shape[1]):
                place = scores.setdefault(f"L{layer}H{head}", {})
                for name, values in attention_scores(weights[0, head].numpy(), tokens).items():
                    place.setdefault(name, []).extend(values)
        loss = torch.nn.functional.cross_entropy(out.logits[0, :-1].double(), torch.tensor(tokens[1:]), reduction="none")
        losses.append([None] + [float(f"{value:.7g}") for value in loss])
    means = {head: {name: float(f"{np.nanmean(values):.9g}") for name, values in named.items()}
             for head, named in scores.items()}
    return {"attention": means, "nll": losses}


def main():
    with open(HERE / "tokens.jsonl", "w") as out:
        for number, tokens in enumerate(texts()):
            assert max(tokens) < VOCABULARY
            out.write(json.dumps({"id": number, "tokens": tokens}) + "\n")
    content = {"attention": {family: expected(family, True)["attention"] for family in ATTENTION},
               "nll": {family: expected(family, False)["nll"] for family in LOSS},
               "first_places": [first_places(tokens) for tokens in texts()]}
    (HERE / "expected.json").write_text(json.dumps(content) + "\n")


main()
