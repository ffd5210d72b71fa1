"""losses.json: the loss of some tokens of a short text in transformers, in float32, for every family's tiny model.

    python make_losses.py

-log p of token t given those before it, for t = 1, 1 + STEP, ...; the tokens are those of record.py.
"""
import json
import pathlib

import torch
import transformers
from transformers import AutoModelForCausalLM

from record import token_ids

TOKENS, STEP = 201, 10
FOLDER = pathlib.Path(__file__).parent


def losses(folder):
    model = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32, attn_implementation="eager",
                                                 experts_implementation="eager").eval()
    ids = torch.tensor(token_ids(TOKENS))
    with torch.inference_mode():
        logits = model(input_ids=ids[None], use_cache=False).logits[0].double()
    lost = -torch.log_softmax(logits[:-1], -1).gather(1, ids[1:, None])[::STEP, 0]
    return [round(loss, 6) for loss in lost.tolist()]


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
    made = {"transformers": transformers.__version__, "torch": torch.__version__}
    (FOLDER / "losses.json").write_text(json.dumps({"made_with": made, "tokens": TOKENS, "step": STEP,
                                                    "losses": found}) + "\n")
    print(len(found), "families;", "without:", refused)


if __name__ == "__main__":
    main()
