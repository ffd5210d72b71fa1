"""Makes small quantised weight files as Hugging Face models have them: NAME.json (the quantization_config),
NAME.safetensors (what is stored) and NAME_expected.safetensors (the plain tensors a caller sees, as float32).

The expected values are those of the libraries that wrote such files: transformers' Fp8Dequantize and
convert_moe_packed_tensors, compressed_tensors' dequantize. Only uneven grids, whose last rectangles are smaller,
are multiplied here, after DeepSeek-V3's description (transformers refuses them), and ModelOpt's one scale.

Made with Python 3.11, torch 2.13.0, transformers 5.23.0, compressed-tensors 0.20.0, safetensors 0.8.0:
    python make_quantised_goldens.py
"""
import json
import pathlib

import torch
from compressed_tensors.quantization import QuantizationArgs, QuantizationConfig, apply_quantization_config
from compressed_tensors.quantization.lifecycle.forward import dequantize
from safetensors.torch import save_file
from transformers.integrations.finegrained_fp8 import Fp8Dequantize
from transformers.integrations.mxfp4 import convert_moe_packed_tensors

FOLDER = pathlib.Path(__file__).parent
RANDOM = torch.Generator().manual_seed(20260607)
LAYER = "model.layers.0."


def eight(*shape, kind=torch.float8_e4m3fn):
    return (torch.randn(*shape, generator=RANDOM) * 60).to(kind)


def scales(*shape, kind=torch.float32):
    return (torch.rand(*shape, generator=RANDOM) * 0.01 + 1e-4).to(kind)


def plain(*shape):
    return torch.randn(*shape, generator=RANDOM).to(torch.bfloat16)


def fp8(weight, scale):
    return Fp8Dequantize(None)._dequantize_one(weight, scale, output_dtype=torch.float32)


def put(name, config, stored, expected):
    (FOLDER / f"{name}.json").write_text(json.dumps(config, indent=1) + "\n")
    save_file({key: value.contiguous() for key, value in stored.items()}, FOLDER / f"{name}.safetensors")
    save_file({key: value.float().contiguous() for key, value in expected.items()},
              FOLDER / f"{name}_expected.safetensors")


def fp8_blocks():
    q, s = eight(16, 24), scales(4, 3)
    uneven, us = eight(6, 20), scales(2, 3)
    experts, es = eight(2, 8, 16), scales(2, 2, 2)
    norm, head = plain(24), plain(5, 24)
    wide = us.repeat_interleave(4, 0).repeat_interleave(8, 1)[:6, :20]
    put("fp8_blocks",
        {"quant_method": "fp8", "fmt": "e4m3", "activation_scheme": "dynamic", "weight_block_size": [4, 8],
         "modules_to_not_convert": ["lm_head"]},
        {LAYER + "q_proj.weight": q, LAYER + "q_proj.weight_scale_inv": s,
         LAYER + "down_proj.weight": uneven, LAYER + "down_proj.weight_scale_inv": us,
         LAYER + "experts.gate_up_proj": experts, LAYER + "experts.gate_up_proj_scale_inv": es,
         LAYER + "norm.weight": norm, "lm_head.weight": head},
        {LAYER + "q_proj.weight": fp8(q, s), LAYER + "down_proj.weight": uneven.float() * wide,
         LAYER + "experts.gate_up_proj": fp8(experts, es), LAYER + "norm.weight": norm, "lm_head.weight": head})


def fp8_tensor():
    q, s = eight(8, 12), scales(1, kind=torch.bfloat16).reshape(())
    k, ks = eight(4, 12), scales(1)
    v, vs = eight(4, 12, kind=torch.float8_e5m2), scales(1)
    norm = plain(12)
    put("fp8_tensor",
        {"quant_method": "fp8", "activation_scheme": "static", "weight_block_size": None},
        {LAYER + "q_proj.weight": q, LAYER + "q_proj.weight_scale_inv": s,
         LAYER + "q_proj.activation_scale": scales(1).reshape(()),
         LAYER + "k_proj.weight": k, LAYER + "k_proj.weight_scale": ks, LAYER + "k_proj.input_scale": scales(1),
         LAYER + "v_proj.weight": v, LAYER + "v_proj.weight_scale": vs, LAYER + "k_scale": scales(1),
         LAYER + "norm.weight": norm},
        {LAYER + "q_proj.weight": fp8(q, s.reshape(1, 1)), LAYER + "k_proj.weight": fp8(k, ks.reshape(1, 1)),
         LAYER + "v_proj.weight": fp8(v, vs.reshape(1, 1)), LAYER + "norm.weight": norm})


def fbgemm():
    q, s = eight(8, 12), scales(8, 1)
    put("fbgemm_fp8", {"quant_method": "fbgemm_fp8", "activation_scale_ub": 1200.0},
        {LAYER + "q_proj.weight": q, LAYER + "q_proj.weight_scale": s},
        {LAYER + "q_proj.weight": fp8(q, s)})


def compressed(strategy, shape, structure=None):
    q, s = eight(8, 12), scales(*shape, kind=torch.bfloat16)
    head = plain(5, 12)
    weights = {"num_bits": 8, "type": "float", "symmetric": True, "strategy": strategy, "block_structure": structure}
    put("compressed_" + strategy,
        {"quant_method": "compressed-tensors", "format": "float-quantized", "quantization_status": "compressed",
         "config_groups": {"group_0": {"targets": ["Linear"], "weights": weights}}, "ignore": ["lm_head"],
         "kv_cache_scheme": None},
        {LAYER + "q_proj.weight": q, LAYER + "q_proj.weight_scale": s, LAYER + "q_proj.input_scale": scales(1),
         "lm_head.weight": head},
        {LAYER + "q_proj.weight": dequantize(q, s.float(), args=QuantizationArgs(**weights)),
         "lm_head.weight": head})


def mxfp4():
    def packed(*shape):
        return (torch.randint(0, 256, (*shape, 16), dtype=torch.uint8, generator=RANDOM),
                torch.randint(100, 140, shape, dtype=torch.uint8, generator=RANDOM))

    def unpacked(parts):
        return convert_moe_packed_tensors(*parts, dtype=torch.float32)

    up, down = packed(2, 70, 2), packed(2, 5, 3)
    bias, norm = plain(2, 70), plain(64)
    experts = LAYER + "mlp.experts."
    put("mxfp4", {"quant_method": "mxfp4", "modules_to_not_convert": ["model.layers.*.self_attn", "lm_head"]},
        {experts + "gate_up_proj_blocks": up[0], experts + "gate_up_proj_scales": up[1],
         experts + "gate_up_proj_bias": bias, experts + "down_proj_blocks": down[0],
         experts + "down_proj_scales": down[1], LAYER + "norm.weight": norm},
        {experts + "gate_up_proj": unpacked(up), experts + "gate_up_proj_bias": bias,
         experts + "down_proj": unpacked(down), LAYER + "norm.weight": norm})


def scaled(weight, scale, rows, columns):
    """Each rectangle of rows x columns times its scale, the last ones smaller."""
    return weight.float() * scale.float().repeat_interleave(rows, 0).repeat_interleave(columns, 1)[:weight.shape[0], :weight.shape[1]]


def fp8_default():
    q, s = eight(130, 140), scales(2, 2)
    put("fp8_default", {"quant_method": "fp8", "ignored_layers": ["lm_head"]},
        {LAYER + "q_proj.weight": q, LAYER + "q_proj.weight_scale_inv": s, "lm_head.weight": (head := plain(3, 140)),
         "lm_head.weight_scale_inv": scales(1, 2)},
        {LAYER + "q_proj.weight": scaled(q, s, 128, 128), "lm_head.weight": head})


def modelopt():
    q, s = eight(8, 12), scales(1).reshape(())
    put("modelopt", {"quant_method": "modelopt", "quant_algo": "FP8", "exclude_modules": ["lm_head", "*router*"]},
        {LAYER + "q_proj.weight": q, LAYER + "q_proj.weight_scale": s, LAYER + "q_proj.input_scale": scales(1).reshape(()),
         LAYER + "k_proj.k_scale": scales(1), "lm_head.weight": (head := plain(3, 12)),
         LAYER + "router.weight": (router := plain(2, 12)), LAYER + "router.weight_scale": scales(1)},
        {LAYER + "q_proj.weight": fp8(q, s.reshape(1, 1)), "lm_head.weight": head, LAYER + "router.weight": router})


def compressed_groups():
    """Which group a module belongs to is what compressed_tensors itself gives a torch model of these names."""
    names = {"model.layers.0": ["q_proj", "k_proj", "v_proj", "o_proj"], "model.layers.1": ["q_proj", "gate_proj", "up_proj"],
             "model": ["odd"]}
    model = torch.nn.Module()
    for parent, leaves in names.items():
        holder = model
        for part in parent.split("."):
            if not hasattr(holder, part):
                holder.add_module(part, torch.nn.Module())
            holder = getattr(holder, part)
        for leaf in leaves:
            holder.add_module(leaf, torch.nn.Linear(20, 12, bias=False))
    model.add_module("lm_head", torch.nn.Linear(20, 3, bias=False))
    args = {"num_bits": 8, "type": "float", "symmetric": True}
    groups = {
        "all": {"targets": ["Linear"], "weights": args},
        "later": {"targets": ["re:.*proj", "re:.*layers\\.1.*"], "weights": args | {"strategy": "block", "block_structure": [5, 8]}},
        "queries": {"targets": ["re:.*[qk]_proj"], "weights": args | {"strategy": "channel"}},
        "one": {"targets": ["model.layers.0.v_proj"], "weights": args | {"group_size": 10}},
        "gates": {"targets": ["re:model.layers.1.gate"], "weights": args | {"strategy": "block", "block_structure": [4, 4]}},
    }
    config = {"quant_method": "compressed-tensors", "format": "float-quantized", "quantization_status": "compressed",
              "config_groups": groups, "ignore": ["lm_head", "re:.*up_proj"]}
    apply_quantization_config(model, QuantizationConfig.model_validate(config))
    stored, expected = {}, {}
    for name, module in model.named_modules():
        if not isinstance(module, torch.nn.Linear):
            continue
        scheme = getattr(module, "quantization_scheme", None)
        weight = name + ".weight"
        if scheme is None:  # a scale that nothing uses stays behind
            stored[weight] = expected[weight] = plain(12, 20)
            stored[weight + "_scale"] = scales(1)
            continue
        weights = scheme.weights
        strategy = getattr(weights.strategy, "value", weights.strategy)
        rows, columns = {"tensor": (12, 20), "channel": (1, 20), "group": (1, weights.group_size),
                         "block": weights.block_structure}[strategy]
        q, s = eight(12, 20), scales(-(-12 // rows), -(-20 // columns))
        stored[weight], stored[weight + "_scale"] = q, s.reshape(1) if strategy == "tensor" else s
        expected[weight] = scaled(q, s, rows, columns)
    put("compressed_groups", config, stored, expected)


if __name__ == "__main__":
    fp8_blocks()
    fp8_tensor()
    fbgemm()
    compressed("tensor", (1,))
    compressed("channel", (8, 1))
    compressed("block", (2, 3), [4, 4])
    mxfp4()
    fp8_default()
    modelopt()
    compressed_groups()
