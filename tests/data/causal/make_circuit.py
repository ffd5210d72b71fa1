"""A small Llama with a planted induction circuit of two heads, and what transformers computes with it.

    python make_circuit.py [folder]        (default: the folder of this script)

Everything is seeded, so a second run gives the same files. The versions in use are written to expected.json.

circuit/config.json, circuit/model.safetensors   3 layers, 12 query heads on 4 key heads, head_dim 64, hidden 168,
    256 tokens, float16; no tokenizer: texts are token ids
circuit/expected.json    losses per token of some texts in float32: unchanged, with heads set to zero, and with single
    paths cut; effect of each head on repeated texts

The circuit
- A = L0H4 attends to the previous token (through the constant part of every embedding and the fast RoPE pairs) and
  copies its code into a subspace of its own, P.
- B = L1H7 compares the code of its token with P (K-composition; in RoPE pairs so slow that positions do not matter) and
  copies the code of the matched position into the subspace that the output matrix reads. Token 0 (beginning of text)
  is what B attends to where nothing matches.
- All other heads, and all weights of A and B, have small random values. The feed-forward parts are zero.
RMSNorm changes little because the constant part dominates the norm of every hidden state; norm weights differ from 1.

Texts of this model: token 0, then tokens 1 to 255 at random WITHOUT repeats, then the same again. B cannot choose
between two successors of a token that occurs twice before the repeat. Without token 0 it works as well.
Over 24 texts of 1 + 2 * 64 tokens, from the second token of the repeat on: loss 0.019 nats per token (at most 0.022;
first occurrences: 5.55, ln 255 = 5.54). Without A or B: 5.5 nats more; without A's path into the keys of B: 5.5 nats
more. Any other head or path: below 1e-5 nats, of either sign, |t| below 4. Keys belong to all query heads of a key
head, so cutting a path into the keys of L1H7 is the same change as for L1H6 and L1H8. Compute in float32.
"""
import json
import pathlib
import sys

import numpy as np
import torch
import transformers
from safetensors.torch import save_file

VOCABULARY, HIDDEN, LAYERS, HEADS, KEY_HEADS, HEAD_DIM, INNER = 256, 168, 3, 12, 4, 64, 8
GROUP, THETA, CODES = HEADS // KEY_HEADS, 1e16, 46
A, B = (0, 4), (1, 7)
CONSTANT = 256.0  # of every embedding; a code has length 1
TOKEN, PREVIOUS, ANSWER = (slice(2 + i * CODES, 2 + (i + 1) * CODES) for i in range(3))  # 0: constant, 1: token 0
REST = slice(2 + 3 * CODES, HIDDEN)
NORMED = np.sqrt(HIDDEN) / np.hypot(CONSTANT, 1.5)  # factor of the norm on a typical hidden state
PREVIOUS_SCORE, MATCH_SCORE, REST_SCORE, LOGIT = 20.0, 15.0, 9.0, 10.0
NOISE, NOISE_PLANTED = {"q": 0.3, "k": 0.3, "v": 0.3, "o": 0.001}, {"q": 0.02, "k": 0.02, "v": 0.0015, "o": 0.0005}
SLOW = [*range(8, 31), *range(40, 63)]  # dimensions of the RoPE pairs 8 to 30


def codes(draw):
    """Unit vectors of every token with mean 0, pushed apart until their cosines are below 0.15; token 0 has none."""
    vectors = draw.normal(size=(VOCABULARY - 1, CODES))
    for step in np.linspace(0.3, 0, 300):
        cosines = vectors @ vectors.T
        np.fill_diagonal(cosines, -1)
        push = np.exp(20 * (cosines - cosines.max())) @ vectors
        vectors -= step * push / np.linalg.norm(push, axis=1, keepdims=True)
        vectors -= vectors.mean(0)
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.vstack([np.zeros(CODES), vectors])


def circuit():
    draw = np.random.default_rng(43)
    code = codes(draw)
    embedding = np.zeros((VOCABULARY, HIDDEN))
    rest = draw.normal(size=(VOCABULARY, HIDDEN - REST.start))  # values of heads that do nothing, unrelated to codes
    known = np.hstack([code, np.arange(VOCABULARY)[:, None] > 0])
    rest -= known @ np.linalg.lstsq(known, rest, rcond=None)[0]
    rest /= np.linalg.norm(rest, axis=1).mean()
    rest[0] = 0
    embedding[:, 0], embedding[0, 1], embedding[:, TOKEN], embedding[:, REST] = CONSTANT, 1, code, rest
    output = np.zeros((VOCABULARY, HIDDEN))
    final = draw.uniform(0.5, 1.5, HIDDEN)
    output[:, ANSWER] = LOGIT * code / (NORMED * final[ANSWER])
    tensors = {"model.embed_tokens.weight": embedding, "lm_head.weight": output, "model.norm.weight": final}
    for layer in range(LAYERS):
        norm = draw.uniform(0.5, 1.5, HIDDEN)
        scale = 1 / (NORMED * norm)  # rows times this read hidden states as they are before the norm
        query = draw.normal(0, NOISE["q"], (HEADS, HEAD_DIM, HIDDEN))
        key = draw.normal(0, NOISE["k"], (KEY_HEADS, HEAD_DIM, HIDDEN))
        value = draw.normal(0, NOISE["v"], (KEY_HEADS, HEAD_DIM, HIDDEN))
        out = draw.normal(0, NOISE["o"], (HIDDEN, HEADS, HEAD_DIM))
        for head in (head for place, head in (A, B) if place == layer):
            for part, noise, place in (("q", query, head), ("k", key, head // GROUP), ("v", value, head // GROUP)):
                noise[place] *= NOISE_PLANTED[part] / NOISE[part]
            out[:, head] *= NOISE_PLANTED["o"] / NOISE["o"]
        query, key, value = query * scale, key * scale, value * scale
        query[..., 0] /= CONSTANT
        key[..., 0] /= CONSTANT
        query[..., REST] = key[..., REST] = 0  # no head looks for what it copies
        value[..., :2] = 0  # nothing constant is written
        planted = [head // GROUP for place, head in (A, B) if place == layer]
        value[[group for group in range(KEY_HEADS) if group not in planted], :, :REST.start] = 0
        if layer == A[0]:
            head, group = A[1], A[1] // GROUP
            size = np.sqrt(PREVIOUS_SCORE * np.sqrt(HEAD_DIM)) / CONSTANT * scale[0]
            for pair in range(4):
                turn = THETA ** (-2 * pair / HEAD_DIM)
                query[head, pair, 0] += size * np.cos(turn)
                query[head, pair + HEAD_DIM // 2, 0] -= size * np.sin(turn)
                key[group, pair, 0] += size
            value[group, :CODES, TOKEN] += np.diag(scale[TOKEN])
            out[PREVIOUS, head, :CODES] += np.eye(CODES)
        if layer == B[0]:
            head, group = B[1], B[1] // GROUP
            size = np.sqrt(MATCH_SCORE * np.sqrt(HEAD_DIM))
            query[head, SLOW, TOKEN] += size * np.diag(scale[TOKEN])
            key[group, SLOW, PREVIOUS] += size * np.diag(scale[PREVIOUS])
            query[head, 63, 0] += REST_SCORE * np.sqrt(HEAD_DIM) / CONSTANT * scale[0]
            key[group, 63, 1] += scale[1]
            value[group, :CODES, TOKEN] += np.diag(scale[TOKEN])
            out[ANSWER, head, :CODES] += np.eye(CODES)
        prefix = f"model.layers.{layer}."
        tensors |= {
            prefix + "input_layernorm.weight": norm,
            prefix + "post_attention_layernorm.weight": np.ones(HIDDEN),
            prefix + "self_attn.q_proj.weight": query.reshape(-1, HIDDEN),
            prefix + "self_attn.k_proj.weight": key.reshape(-1, HIDDEN),
            prefix + "self_attn.v_proj.weight": value.reshape(-1, HIDDEN),
            prefix + "self_attn.o_proj.weight": out.reshape(HIDDEN, -1),
            prefix + "mlp.gate_proj.weight": np.zeros((INNER, HIDDEN)),
            prefix + "mlp.up_proj.weight": np.zeros((INNER, HIDDEN)),
            prefix + "mlp.down_proj.weight": np.zeros((HIDDEN, INNER))}
    return {name: torch.tensor(values).to(torch.float16) for name, values in tensors.items()}


def write(folder):
    folder.mkdir(exist_ok=True)
    config = transformers.LlamaConfig(
        vocab_size=VOCABULARY, hidden_size=HIDDEN, intermediate_size=INNER, num_hidden_layers=LAYERS,
        num_attention_heads=HEADS, num_key_value_heads=KEY_HEADS, head_dim=HEAD_DIM, max_position_embeddings=4096,
        rms_norm_eps=1e-6, rope_parameters={"rope_type": "default", "rope_theta": THETA}, tie_word_embeddings=False,
        bos_token_id=0, eos_token_id=0, architectures=["LlamaForCausalLM"], dtype="float16")
    config.to_json_file(folder / "config.json")
    save_file(circuit(), folder / "model.safetensors", {"format": "pt"})


class Changed:
    """The model with heads set to zero, or without the path from a head into q, k or v of a head of a later layer."""

    def __init__(self, folder):
        self.model = transformers.AutoModelForCausalLM.from_pretrained(
            folder, dtype=torch.float32, attn_implementation="eager").eval()

    def losses(self, tokens, zero=(), cut=None):
        """-ln p of every token of each text [texts, tokens - 1]. cut: (from, to, "q" | "k" | "v")."""
        layers, hooks, stream = self.model.model.layers, [], {}
        columns = {head: slice(head[1] * HEAD_DIM, (head[1] + 1) * HEAD_DIM) for head in [*zero, *(cut or [])[:2]]}

        def without(head):
            def hook(_, arguments):
                inputs = arguments[0].clone()
                inputs[..., columns[head]] = 0
                return (inputs,)
            return hook
        for head in zero:
            hooks.append(layers[head[0]].self_attn.o_proj.register_forward_pre_hook(without(head)))
        if cut:
            (source, target, into), attention = cut, layers[cut[1][0]].self_attn

            def keep(module, arguments):
                stream["part"] = arguments[0][..., columns[source]] @ module.weight[:, columns[source]].T

            def project(module, _, result):
                head = target[1] if into == "q" else target[1] // GROUP
                rows = slice(head * HEAD_DIM, (head + 1) * HEAD_DIM)
                result = result.clone()
                result[..., rows] = stream["normed"] @ module.weight[rows].T
                return result

            def norm(module, arguments, _):
                hidden = arguments[0] - stream["part"]
                size = torch.rsqrt(hidden.pow(2).mean(-1, keepdim=True) + module.variance_epsilon)
                stream["normed"] = module.weight * hidden * size
            hooks += [layers[source[0]].self_attn.o_proj.register_forward_pre_hook(keep),
                      layers[target[0]].input_layernorm.register_forward_hook(norm),
                      getattr(attention, into + "_proj").register_forward_hook(project)]
        with torch.no_grad():
            logits = self.model(torch.tensor(tokens)).logits[:, :-1].log_softmax(-1)
        for hook in hooks:
            hook.remove()
        return -logits.gather(-1, torch.tensor(tokens)[:, 1:, None])[..., 0].double().numpy()


def repeats(count, half, seed):
    """Token 0, `half` distinct random tokens, the same again: [count, 1 + 2 half]."""
    draw = np.random.default_rng(seed)
    texts = [draw.permutation(np.arange(1, VOCABULARY))[:half] for _ in range(count)]
    return np.array([[0, *text, *text] for text in texts])


def name(head):
    return f"L{head[0]}H{head[1]}"


def main(folder):
    write(folder / "circuit")
    model = Changed(folder / "circuit")
    heads = [(layer, head) for layer in range(LAYERS) for head in range(HEADS)]
    texts, second = repeats(24, 64, 1), slice(65, 128)  # losses of the repeat, from its second token on
    plain = model.losses(texts)

    def effect(**change):
        """Mean change of the repeat's loss, nats per token, and its t over texts."""
        changes = (model.losses(texts, **change) - plain)[:, second].mean(1)
        return {"mean": float(f"{changes.mean():.3g}"),
                "t": float(f"{changes.mean() / max(changes.std(ddof=1), 1e-12) * len(texts) ** 0.5:.3g}")}
    few, cuts = texts[:2], [(A, B, into) for into in "qkv"] + [((0, 0), B, "k"), (B, (2, 5), "v")]
    numbers = {"plain": model.losses(few)}
    numbers |= {"zero " + name(head): model.losses(few, [head]) for head in [A, B, (0, 0), (1, 6), (2, 5)]}
    numbers |= {f"zero {name(A)},{name(B)}": model.losses(few, [A, B])}
    numbers |= {f"cut {name(a)}>{name(b)}.{into}": model.losses(few, cut=(a, b, into)) for a, b, into in cuts}
    expected = {
        "made_with": {"transformers": transformers.__version__, "torch": torch.__version__, "numpy": np.__version__},
        "heads": {"previous": name(A), "induction": name(B)},
        "loss": {"first": plain[:, :64].mean().round(4), "repeat": plain[:, second].mean().round(4),
                 "repeat_max": plain[:, second].max().round(4)},
        "effects": {name(head): effect(zero=[head]) for head in heads},
        "path_effects": {f"{name(a)}>{name(b)}.{into}": effect(cut=(a, b, into)) for a, b, into in cuts},
        "tokens": few.tolist(),
        "nll": {change: values.round(5).tolist() for change, values in numbers.items()}}
    text = json.dumps(expected, indent=1)
    for opening in ("[\n   ", "[\n    "):  # lists of numbers on one line
        text = text.replace(opening, "[")
    text = text.replace(",\n    ", ", ").replace(",\n     ", ", ").replace("\n    ]", "]").replace("\n   ]", "]")
    (folder / "circuit" / "expected.json").write_text(text + "\n")
    print(json.dumps(expected["loss"]), *sorted(expected["effects"].items(), key=lambda item: -abs(item[1]["t"]))[:5])


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else pathlib.Path(__file__).parent)
