"""Broken UTF-8 and what Python's decode(errors="replace") makes of it, with the number of replacements.

Writes repair.json beside this file: [[hex, text, count], ...]. Made with Python 3.11.
"""
import codecs
import json
import pathlib
import random

CASES = ["80", "c3", "c328", "e28281", "e28228", "e282", "f0288cbc", "f09f9880", "f09f98", "f09f", "f0", "f8888080", "c080", "c1bf",
         "e08080", "e09fbf", "e0a080", "eda080", "ed9fbf", "edbfbf", "f08080", "f0808080", "f48fbfbf", "f4908080", "ff", "fefffe",
         "61f1808062", "e2e282ac", "61c3", "c3a9c3", "f0909080f09090", "00ff00", "efbfbd", "efbbbf61", "f1808080f18080", "4142e04344"]


def main():
    count = 0

    def counting(error):
        nonlocal count
        count += 1
        return "\ufffd", error.end

    codecs.register_error("counting", counting)
    random.seed(1)
    seeds = ["é", "中", "👍", "a", "\x7f", "ࠀ", "𐀀", "\U0010ffff"]
    cases = [bytes.fromhex(case) for case in CASES]
    for _ in range(150):  # whole characters with some bytes dropped or changed
        data = bytearray("".join(random.choice(seeds) for _ in range(6)).encode())
        for _ in range(random.randint(1, 4)):
            where = random.randrange(len(data))
            if random.random() < 0.5:
                del data[where]
            else:
                data[where] = random.choice([0x00, 0x41, 0x80, 0xBF, 0xC0, 0xC2, 0xE0, 0xED, 0xF0, 0xF4, 0xF5, 0xFF])
        cases.append(bytes(data))
    rows = []
    for case in cases:
        count = 0
        text = case.decode("utf-8", errors="counting")
        assert text == case.decode("utf-8", errors="replace")
        rows.append([case.hex(), text, count])
    out = pathlib.Path(__file__).parent / "repair.json"
    out.write_text(json.dumps(rows, ensure_ascii=True, separators=(",", ":")) + "\n")


main()
