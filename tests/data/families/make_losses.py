"""losses.json: the loss of some tokens of a short text in transformers, in float32, for every family's tiny model.

    python make_losses.py

-log p of token t given those before it, for t = 1, 1 + STEP, ...; the tokens are those of record.py. `said_tied`:
models with an output matrix of their own that have the same losses when config.json says tie_word_embeddings.
"""
import json
import pathlib
import shutil
import tempfile

import safetensors
import torch
import transformers
from transformers import AutoConfig, AutoModelForCausalLM, AutoModelForImageTextToText

from record import token_ids

TOKENS, STEP = 201, 10
FOLDER = pathlib.Path(__file__).parent


def losses(folder):
    text_only = type(AutoConfig.from_pretrained(folder)) in AutoModelForCausalLM._model_mapping
    family = AutoModelForCausalLM if text_only else AutoModelForImageTextToText
    model = family.from_pretrained(folder, dtype=torch.float32, attn_implementation="eager",
                                   experts_implementation="eager").eval()
    ids = torch.tensor(token_ids(TOKENS))
    with torch.inference_mode():
        logits = model(input_ids=ids[None], use_cache=False).logits[0].double()
    lost = -torch.log_softmax(logits[:-1], -1).gather(1, ids[1:, None])[::STEP, 0]
    return [round(loss, 6) for loss in lost.tolist()]


def has_own_output(folder):
    with safetensors.safe_open(folder / "model.safetensors", "pt") as file:
        return any(name.endswith(("lm_head.weight", "embed_out.weight")) for name in file.keys())


def same_when_said_tied(folder, expected):
    with tempfile.TemporaryDirectory() as copy:
        copy = pathlib.Path(copy)
        shutil.copytree(folder, copy, dirs_exist_ok=True)
        config = json.loads((copy / "config.json").read_text())
        (copy / "config.json").write_text(json.dumps(config | {"tie_word_embeddings": True}))
        return losses(copy) == expected


def main():
    cases = [case["name"] for case in json.loads((FOLDER / "families.json").read_text())["cases"]]
    found, refused = {}, {}
    for name in cases:
        if not (FOLDER / name / "model.safetensors").exists():
            continue
        try:
            found[name] = losses(FOLDER / name)
        except (ValueError, RuntimeError, KeyError, ImportError, OSError) as error:
            refused[name] = str(error)[:200]
    tied = [name for name, expected in found.items()
            if has_own_output(FOLDER / name) and same_when_said_tied(FOLDER / name, expected)]
    made = {"transformers": transformers.__version__, "torch": torch.__version__}
    (FOLDER / "losses.json").write_text(json.dumps({"made_with": made, "tokens": TOKENS, "step": STEP,
                                                    "losses": found, "said_tied": tied}) + "\n")
    print(len(found), "families;", len(tied), "with an output matrix of their own whatever is said;", "without:", refused)


if __name__ == "__main__":
    main()
