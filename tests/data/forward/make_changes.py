"""What transformers predicts when single heads are changed: losses and ranks of tokens.

    python make_changes.py [folder]        (default: the folder of this script)

Made with transformers 5.23.0, torch 2.13.0 (CPU), in float32; the versions in use are written to changes.json. Everything is
seeded. The models are the tiny ones of ../families.

replaced  a head's slice of the output projection's input becomes values [tokens, head_dim], here the mean of the slices of
          two texts
limited   the head's own mask: the last `distance` keys, without the first `hidden` ones for queries after them; and its
          queries are multiplied by factors
cuts      a query, key or value head is projected from the normed hidden states minus what the head `from` added to them
          (its slice, or its slice minus values, through the output projection and the norm behind it)
"""
import json
import pathlib
import sys

import torch
import transformers
from transformers import AttentionInterface, AttentionMaskInterface
from transformers.masking_utils import eager_mask

from make_interventions import token_ids

HERE = pathlib.Path(__file__).parent
TOKENS, SCORED = 500, [1, 2, 60, 150, 151, 499]
MODELS = {"qwen3": "Qwen3ForCausalLM", "gemma2": "Gemma2ForCausalLM", "mistral": "MistralForCausalLM"}


def changes_of(config):
    """name: what is changed. Layers and heads exist in each of the models."""
    last = config.num_hidden_layers - 1
    half = config.head_dim // 2
    band = [0.0 if i % half in (1, 2) else 1.0 for i in range(config.head_dim)]
    return {
        "plain": {},
        "mean": {"replaced": [[0, 1], [last, 0]]},
        "distance": {"limited": [{"at": [0, 0], "distance": 7}, {"at": [last, 1], "distance": 40}]},
        "hidden": {"limited": [{"at": [0, 1], "hidden": 4}]},
        "band": {"limited": [{"at": [1, 0], "factors": band}]},
        "together": {"limited": [{"at": [1, 1], "distance": 20, "hidden": 2, "factors": band}], "replaced": [[0, 0]]},
        "cut_q": {"cuts": [{"from": [0, 0], "layer": 1, "into": "q", "head": 1}]},
        "cut_k": {"cuts": [{"from": [0, 1], "layer": last, "into": "k", "head": 0}]},
        "cut_v": {"cuts": [{"from": [0, 0], "layer": 1, "into": "v", "head": 1, "mean": True}]},
        "cut_two": {"cuts": [{"from": [0, 0], "layer": last, "into": "k", "head": 1},
                             {"from": [0, 1], "layer": last, "into": "k", "head": 1},
                             {"from": [0, 1], "layer": last, "into": "q", "head": 0}]},
    }


class Changed:
    """Hooks of one model that carry out a change."""
    def __init__(self, model):
        self.model, self.config = model, model.config
        self.change, self.values, self.slices, self.added, self.residual = {}, {}, {}, {}, {}
        self.inside = False  # a projection that a hook calls
        for number, layer in enumerate(model.model.layers):
            layer.register_forward_pre_hook(self.before_layer(number))
            layer.self_attn.o_proj.register_forward_pre_hook(self.before_output(number))
            for into, projection in (("q", layer.self_attn.q_proj), ("k", layer.self_attn.k_proj), ("v", layer.self_attn.v_proj)):
                projection.register_forward_hook(self.after_projection(number, into, projection))

    def part(self, head):
        return slice(head * self.config.head_dim, (head + 1) * self.config.head_dim)

    def before_layer(self, number):
        def hook(_, inputs):
            self.residual[number] = inputs[0].clone()
        return hook

    def before_output(self, number):
        def hook(module, inputs):
            if self.inside:
                return None
            mixed = inputs[0].clone()
            self.slices[number] = mixed[0].clone()
            for layer, head in self.change.get("replaced", []):
                if layer == number:
                    mixed[0, :, self.part(head)] = self.values[layer, head]
            for cut in self.change.get("cuts", []):
                layer, head = cut["from"]
                if layer != number:
                    continue
                without = mixed.clone()
                without[0, :, self.part(head)] = self.values[layer, head] if cut.get("mean") else 0
                norm = getattr(self.model.model.layers[number], "post_feedforward_layernorm", None)
                normed = self.model.model.layers[number].post_attention_layernorm if norm is not None else lambda x: x
                self.inside = True
                self.added[layer, head, bool(cut.get("mean"))] = normed(module(mixed)) - normed(module(without))
                self.inside = False
            return (mixed,)
        return hook

    def after_projection(self, number, into, projection):
        def hook(_, __, output):
            cuts = [cut for cut in self.change.get("cuts", []) if cut["layer"] == number and cut["into"] == into]
            if not cuts or self.inside:
                return None
            output = output.clone()
            self.inside = True
            for head in {cut["head"] for cut in cuts}:
                without = sum(self.added[*cut["from"], bool(cut.get("mean"))] for cut in cuts if cut["head"] == head)
                states = self.model.model.layers[number].input_layernorm(self.residual[number] - without)
                output[..., self.part(head)] = projection(states)[..., self.part(head)]
            self.inside = False
            return output
        return hook

    def attend(self, module, query, key, value, mask, scaling, **kwargs):
        group = module.num_key_value_groups
        key, value = (part.repeat_interleave(group, 1) for part in (key, value))
        query, masks = query.clone(), mask[..., :key.shape[2]].expand(1, query.shape[1], -1, -1).clone()
        for limit in self.change.get("limited", []):
            layer, head = limit["at"]
            if layer != module.layer_idx:
                continue
            if "factors" in limit:
                query[0, head, limit.get("hidden", 0):] *= torch.tensor(limit["factors"])
            ahead = torch.arange(TOKENS)[:, None] - torch.arange(TOKENS)[None]
            if "distance" in limit:
                far = ahead >= limit["distance"]
                far[:limit.get("hidden", 0)] = False
                masks[0, head][far] = torch.finfo(torch.float32).min
            if "hidden" in limit:
                masks[0, head, limit["hidden"]:, :limit["hidden"]] = torch.finfo(torch.float32).min
        scores = query @ key.transpose(2, 3) * scaling
        softcap = kwargs.get("softcap")
        if softcap:
            scores = torch.tanh(scores / softcap) * softcap
        weights = torch.softmax(scores + masks, -1, dtype=torch.float32)
        return (weights @ value).transpose(1, 2).contiguous(), weights

    def run(self, tokens, change):
        self.change, self.added = change, {}
        with torch.inference_mode():
            return self.model(input_ids=torch.tensor([tokens]), use_cache=False).logits[0].double()


def outcomes(logits, tokens):
    places = torch.tensor(SCORED)
    next_tokens = torch.tensor(tokens)[places]
    logs = torch.log_softmax(logits[places - 1], -1)
    own = logs.gather(1, next_tokens[:, None])
    return (-own[:, 0]).tolist(), (1 + (logs > own).sum(1)).tolist()


def main():
    folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else HERE)
    AttentionInterface.register("changed", None)
    AttentionMaskInterface.register("changed", eager_mask)
    cases = []
    for name, family in MODELS.items():
        model = getattr(transformers, family).from_pretrained(HERE.parent / "families" / name, dtype=torch.float32,
                                                              attn_implementation="changed").eval()
        changed = Changed(model)
        AttentionInterface.register("changed", changed.attend)
        tokens = [token % model.config.vocab_size for token in token_ids(2 * TOKENS)]
        texts, slices = [tokens[:TOKENS], tokens[TOKENS:]], []
        for text in texts:
            changed.run(text, {})
            slices.append({number: mixed.clone() for number, mixed in changed.slices.items()})
        heads, last = model.config.num_attention_heads, model.config.num_hidden_layers - 1
        for layer in (0, 1, last):
            for head in range(heads):
                changed.values[layer, head] = sum(part[layer][:, changed.part(head)] for part in slices) / 2
        for change_name, change in changes_of(model.config).items():
            nll, rank = outcomes(changed.run(texts[0], change), texts[0])
            cases.append({"model": name, "name": change_name, **change, "nll": nll, "rank": rank})
    head = {"made_with": {"transformers": transformers.__version__, "torch": torch.__version__}, "tokens": TOKENS,
            "scored": SCORED}
    lines = ",\n".join(" " + json.dumps(case) for case in cases)
    (folder / "changes.json").write_text(json.dumps(head)[:-1] + ', "cases": [\n' + lines + "\n]}\n")


if __name__ == "__main__":
    main()
