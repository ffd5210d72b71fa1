"""Bytes of the tokens of a transformers tokenizer."""

from __future__ import annotations

import functools
import re
from typing import Any

_BYTE = re.compile(r"<0x([0-9A-F]{2})>")


@functools.lru_cache(maxsize=1)
def _spelled_bytes() -> dict[str, int]:
    """Characters for bytes in byte-level tokenizers: printable ones as themselves, others from U+0100 on."""
    printable = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    others = [byte for byte in range(256) if byte not in printable]
    return {chr(byte): byte for byte in printable} | {chr(0x100 + i): byte for i, byte in enumerate(others)}


def token_bytes(tokenizer: Any, token: int) -> bytes:
    """Bytes of a token; empty for an id beyond the vocabulary."""
    spelled = tokenizer.convert_ids_to_tokens(int(token))
    if spelled is None:
        return b""
    if isinstance(spelled, bytes):
        return spelled
    if spelled in getattr(tokenizer, "added_tokens_encoder", {}):
        return str(spelled).encode()
    if match := _BYTE.fullmatch(spelled):
        return bytes([int(match[1], 16)])
    backend = getattr(tokenizer, "backend_tokenizer", None)
    if backend is not None and "ByteLevel" in str(backend.decoder):
        table = _spelled_bytes()
        if all(char in table for char in spelled):
            return bytes(table[char] for char in spelled)
    return str(spelled).replace("\u2581", " ").encode()
