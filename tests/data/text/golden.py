"""Writes what a reference library made of the texts: golden/NAME.json.

"full": [ids, offsets] of the first texts (offsets: begin, end, begin, end, ... in bytes); "hashes": for every text
the first eight hexadecimal digits of the SHA-256 of its ids and then its offsets as little-endian int32;
"special": ids and offsets of MIXED with what the template adds; "runs": a megabyte of one thing each.
"""
import hashlib
import json
import pathlib

import texts

HERE = pathlib.Path(__file__).parent
FULL = 60
RUNS = ["a", " ", "\n", "\u0301", "ab", "!", "7", "中", "\r\n", " a", "x\u0301"]


def byte_starts(text):
    starts = [0]
    for character in text:
        starts.append(starts[-1] + len(character.encode()))
    return starts


def digest(ids, offsets=()):
    return hashlib.sha256(b"".join(number.to_bytes(4, "little") for number in (*ids, *offsets))).hexdigest()


def write(name, folder, encode, encode_special, vocabulary, with_runs=False):
    """`encode(text)` gives ids and offsets in bytes; `folder` is what openTokenizer gets, beside this file."""
    rows = [encode(text) for text in texts.texts()]
    runs = []
    for unit in RUNS if with_runs else []:
        text = unit * (1_000_000 // len(unit.encode()))
        ids = encode(text)[0]
        runs.append({"unit": unit, "repeat": len(text) // len(unit), "tokens": len(ids), "sha256": digest(ids)})
    data = {"folder": folder, "vocabulary": vocabulary, "special": encode_special(texts.MIXED), "runs": runs,
            "full": rows[:FULL], "hashes": "".join(digest(*row)[:8] for row in rows)}
    (HERE / "golden").mkdir(exist_ok=True)
    (HERE / "golden" / f"{name}.json").write_text(json.dumps(data, ensure_ascii=True, separators=(",", ":")) + "\n")
    print(name, vocabulary, len(rows))


def write_texts():
    (HERE / "texts.json").write_text(json.dumps(texts.texts(), ensure_ascii=False, separators=(",", ":")) + "\n")
