"""Makes blocks.gguf (one tensor per GGUF type that Plastiscope reads) and blocks_expected.safetensors (the same
tensors as float32, dequantised by the gguf package, the reference implementation of GGML's formats in Python), and
float8.safetensors (all patterns of the 8-bit floating point types, and as float32).

Blocks are random bytes whose half-precision scales are finite, so every bit pattern of the values occurs; rows are
256 wide, which is one block of the K formats and eight of the others.

Made with Python 3.11, gguf 0.19.0, numpy 2.4.6, safetensors 0.8.0, torch 2.13.0:
    python make_block_goldens.py
"""
import pathlib

import numpy as np
import torch
from gguf import GGML_QUANT_SIZES, GGMLQuantizationType as T, GGUFWriter, dequantize
from safetensors.numpy import save_file
from safetensors.torch import save_file as save_torch_file

FOLDER = pathlib.Path(__file__).parent
ROWS, COLUMNS = 5, 256

# Byte offsets of the half-precision numbers in a block.
HALVES = {
    T.Q4_0: [0], T.Q4_1: [0, 2], T.Q5_0: [0], T.Q5_1: [0, 2], T.Q8_0: [0],
    T.Q2_K: [80, 82], T.Q3_K: [108], T.Q4_K: [0, 2], T.Q5_K: [0, 2], T.Q6_K: [208],
    T.IQ1_S: [0], T.IQ1_M: [], T.IQ2_XXS: [0], T.IQ2_XS: [0], T.IQ2_S: [0], T.IQ3_XXS: [0], T.IQ3_S: [0],
    T.IQ4_NL: [0], T.IQ4_XS: [0], T.TQ1_0: [52], T.TQ2_0: [64], T.MXFP4: [],
}


def finite_halves(rng, count):
    """Random halves of every size, subnormal and negative ones and zeros included, no infinity and no NaN."""
    bits = rng.integers(0, 1 << 16, count, dtype=np.uint16)
    bits[(bits & 0x7C00) == 0x7C00] &= 0x83FF
    return bits


def random_blocks(rng, kind):
    elements, size = GGML_QUANT_SIZES[kind]
    blocks = rng.integers(0, 256, (ROWS * COLUMNS // elements, size), dtype=np.uint8)
    for offset in HALVES[kind]:
        blocks[:, offset:offset + 2] = finite_halves(rng, len(blocks))[:, None].view(np.uint8)
    if kind == T.IQ1_M:  # its half is spread over the top bits of four words
        words = blocks[:, 48:56].copy().view(np.uint16) & 0x0FFF
        half = finite_halves(rng, len(blocks))[:, None].astype(np.uint32)
        blocks[:, 48:56] = (words | half >> [0, 4, 8, 12] << 12 & 0xF000).astype(np.uint16).view(np.uint8)
    return blocks.reshape(ROWS, -1)


def main():
    rng = np.random.default_rng(20240607)
    writer = GGUFWriter(FOLDER / "blocks.gguf", "blocks")
    expected = {}
    for kind in HALVES:
        raw = random_blocks(rng, kind)
        writer.add_tensor(kind.name, raw, raw_dtype=kind)
        with np.errstate(over="ignore"):  # the largest scales of MXFP4
            expected[kind.name] = dequantize(raw, kind).astype(np.float32)
    plain = rng.standard_normal((ROWS, COLUMNS)).astype(np.float32)
    halves = finite_halves(rng, ROWS * COLUMNS).reshape(ROWS, COLUMNS).view(np.float16)
    upper = (plain.view(np.uint32) >> 16).astype(np.uint16)  # bfloat16 is the upper half of a float32
    writer.add_tensor("F32", plain)
    writer.add_tensor("F16", halves)
    writer.add_tensor("BF16", upper.view(np.uint8), raw_dtype=T.BF16)
    writer.add_tensor("F64", plain.astype(np.float64))
    expected["F32"] = plain
    expected["F16"] = halves.astype(np.float32)
    expected["BF16"] = dequantize(upper.view(np.uint8), T.BF16).astype(np.float32)
    expected["F64"] = plain
    # Every pattern of the 8-bit types, which GGUF files do not have, as torch widens them.
    patterns = torch.arange(256, dtype=torch.uint8)
    eight = {"F8_E4M3": patterns.view(torch.float8_e4m3fn), "F8_E5M2": patterns.clone().view(torch.float8_e5m2)}
    eight |= {name + ".float": values.float() for name, values in eight.items()}
    save_torch_file(eight, FOLDER / "float8.safetensors")
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    save_file({name: np.ascontiguousarray(values) for name, values in expected.items()},
              FOLDER / "blocks_expected.safetensors")


if __name__ == "__main__":
    main()
