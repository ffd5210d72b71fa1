"""Which code points the steps of the `tokenizers` library hold, and digests of its normal forms over all of them.

Writes unicode.json beside this file. Made with tokenizers 0.23.3.
"""
import hashlib
import json
import pathlib

from tokenizers import normalizers, pre_tokenizers

POINTS = [p for p in range(0x110000) if not 0xD800 <= p < 0xE000]


def ranges(points):
    result = []
    for point in points:
        if result and result[-1][1] == point - 1:
            result[-1][1] = point
        else:
            result.append([point, point])
    return result


def members(step, kept):
    """Code points that the step takes out of "aXa"; removed ones leave a gap."""
    found = []
    for point in POINTS:
        pieces = step.pre_tokenize_str("a" + chr(point) + "a")
        if len(pieces) == (3 if kept else 2):
            found.append(point)
    return ranges(found)


def main():
    data = {"Digits": members(pre_tokenizers.Digits(True), True), "Punctuation": members(pre_tokenizers.Punctuation("isolated"), True),
            "WhitespaceSplit": members(pre_tokenizers.WhitespaceSplit(), False)}
    for name in ("NFC", "NFD", "NFKC", "NFKD"):
        form, digest = getattr(normalizers, name)(), hashlib.sha256()
        for point in POINTS:
            digest.update(form.normalize_str(chr(point) + "a\u0315" + chr(point) + "\u0323").encode())
        data[name] = digest.hexdigest()
    (pathlib.Path(__file__).parent / "unicode.json").write_text(json.dumps(data, separators=(",", ":")) + "\n")


main()
