"""Runs a model of transformers over the token list and records the queries and keys that its attention is handed.

The recording attention is the family's own eager_attention_forward, called for blocks of queries with the keys that
the mask lets them see: the same numbers, without a score matrix of tokens x tokens x heads. In float32, where nothing
happens to the scores but softmax, it is torch's fused kernel. The masks are transformers' own.
"""
import dataclasses
import sys

import torch
from transformers import AttentionInterface, AttentionMaskInterface
from transformers.masking_utils import sdpa_mask

VOCABULARY, BLOCK = 97, 512


def token_ids(count):
    """A linear congruential generator, so that no list of tokens need be stored."""
    state, ids = 1, []
    for _ in range(count):
        state = (1103515245 * state + 12345) % 2**31
        ids.append((state >> 16) % VOCABULARY)
    return ids


@dataclasses.dataclass
class Layer:
    query: torch.Tensor  # [heads, positions, head_dim], after norm, rotation and temperature
    key: torch.Tensor
    scale: float
    attention: str
    window: int


class Complete(Exception):
    """All layers that were asked for are recorded: the rest of the run is not needed."""


class Recording:
    """Layers by index; set as `active` while a model runs."""
    active = None

    def __init__(self, positions, last=None):
        self.positions, self.last, self.layers, self.kinds = torch.tensor(positions), last, {}, {}

    def kind(self, mask):
        """What the mask lets a query see: (full, 0), (sliding, window) or (chunked, length of a chunk)."""
        if id(mask) not in self.kinds:
            seen = torch.cat([rows.sum(-1) for rows in mask[0, 0].split(BLOCK)])
            last, most = seen[-2:].tolist(), int(seen.max())
            if most == len(seen):
                assert torch.equal(seen, torch.arange(1, most + 1)), "neither causal, nor a window, nor chunks"
            kind = ("full", 0) if most == len(seen) else ("sliding" if last == [most, most] else "chunked", most)
            self.kinds[id(mask)] = (mask, kind)  # the mask is kept, so that its id stays its own
        return self.kinds[id(mask)][1]

    def add(self, module, query, key, mask, scale):
        index = module.layer_idx
        assert index not in self.layers, f"layer {index} attended twice"
        at = [part[0][:, self.positions].clone() for part in (query, key)]
        self.layers[index] = Layer(*at, float(scale), *self.kind(mask))
        if index == self.last:
            raise Complete


def boolean_mask(*args, **kwargs):
    return sdpa_mask(*args, **{**kwargs, "allow_is_causal_skip": False, "allow_is_bidirectional_skip": False})


def recording_attention(module, query, key, value, attention_mask, scaling, **kwargs):
    Recording.active.add(module, query, key, attention_mask, scaling)
    plain = kwargs.get("softcap") is None and getattr(module, "sinks", None) is None
    attend = fused_attention if plain and query.dtype == torch.float32 else eager_attention
    if attend is fused_attention and Recording.active.kind(attention_mask)[0] == "full":
        return attend(module, query, key, value, None, scaling), None
    parts = []
    for start in range(0, query.shape[2], BLOCK):
        rows = slice(start, min(start + BLOCK, query.shape[2]))
        seen = attention_mask[:, :, rows]
        columns = seen[0, 0].any(0).nonzero()
        keys = slice(int(columns[0]), int(columns[-1]) + 1)
        parts.append(attend(module, query[:, :, rows], key[:, :, keys], value[:, :, keys], seen[..., keys], scaling,
                            **kwargs))
    return torch.cat(parts, 1), None


def eager_attention(module, query, key, value, seen, scaling, **kwargs):
    mask = torch.where(seen, torch.tensor(0.0, dtype=query.dtype), torch.finfo(query.dtype).min)
    eager = sys.modules[type(module).__module__].eager_attention_forward
    return eager(module, query, key, value, mask, scaling=scaling, **kwargs)[0]


def fused_attention(module, query, key, value, seen, scaling, **_):
    width = value.shape[-1]  # the kernel has one width: zeros fill smaller values up
    value = torch.nn.functional.pad(value, (0, query.shape[-1] - width))
    attended = torch.nn.functional.scaled_dot_product_attention(
        query, key, value, attn_mask=seen, is_causal=seen is None, scale=scaling, enable_gqa=True)
    return attended[..., :width].transpose(1, 2).contiguous()


AttentionInterface.register("recording", recording_attention)
AttentionMaskInterface.register("recording", boolean_mask)


def logits(family, folder, tokens, attention, recording=None, dtype=torch.float32):
    model = family.from_pretrained(folder, dtype=dtype, experts_implementation="eager", attn_implementation=attention)
    Recording.active = recording
    with torch.inference_mode():
        return model.eval()(input_ids=torch.tensor([token_ids(tokens)]), use_cache=False).logits


def record(family, folder, tokens, dtype, positions, last):
    """The recording of a run, which ends at the attention of layer `last`."""
    recording = Recording(positions, last)
    try:
        logits(family, folder, tokens, "recording", recording, dtype)
    except Complete:
        return recording
    raise AssertionError(f"layer {last} did not attend")
