"""Prints the strings of core/weights/blocks/codebooks.cpp out of the gguf package's tables.

Every codebook turns out to be an ascending list of numbers: the digits of an entry's levels, the first element
lowest. So one bit a number says it all.

Made with Python 3.11, gguf 0.19.0, numpy 2.4.6:
    python print_codebooks.py
"""
import numpy as np
from gguf import quants

for kind in (quants.IQ2_XXS, quants.IQ2_XS, quants.IQ2_S, quants.IQ3_XXS, quants.IQ3_S, quants.IQ1_S):
    kind.init_grid()
    grid = np.asarray(kind.grid).reshape(kind.grid_shape)
    levels = list(kind.grid_map)
    digits = np.vectorize(lambda level: levels.index(int(level)))(grid)
    base, width = len(levels), grid.shape[1]
    numbers = (digits * base ** np.arange(width)).sum(axis=1)
    assert (np.diff(numbers) > 0).all()
    bits = np.zeros((base ** width + 3) // 4 * 4, dtype=np.uint8)
    bits[numbers] = 1
    text = "".join(f"{digit:x}" for digit in bits.reshape(-1, 4) @ [8, 4, 2, 1])
    print(kind.__name__, levels)
    print("\n".join(f'    "{text[i:i + 100]}"' for i in range(0, len(text), 100)))
