"""Unicode classes as the `tokenizers` library's pattern engine sees them.

Writes char_classes.json beside this file (ranges of every class: what the test compares with) and
core/text/char_class_new.inc (the classes of code points that Python's Unicode 14 calls unassigned: ICU may be
as old). Made with tokenizers 0.23.3 (Unicode 16) and Python 3.11 (Unicode 14).
"""
import json
import pathlib
import unicodedata

from tokenizers import Regex, pre_tokenizers

CLASSES = {"Lu": "UpperLetter", "Ll": "LowerLetter", "Lt": "TitleLetter", "Lm": "ModifierLetter",
           "Lo": "OtherLetter", "M": "Mark", "N": "Number", "P": "Punctuation", "S": "Symbol"}
HERE = pathlib.Path(__file__).parent
ALL = [chr(c) for c in range(0x110000) if not 0xD800 <= c < 0xE000]


def members(pattern):
    """Code points that the pattern matches, asked in blocks."""
    split = pre_tokenizers.Split(Regex(pattern), "removed")
    found = []
    for start in range(0, len(ALL), 4096):
        block = ALL[start:start + 4096]
        kept = set()
        for piece, _ in split.pre_tokenize_str("".join(block)):
            kept.update(piece)
        found += [ord(c) for c in block if c not in kept]
    return found


def ranges(points):
    result = []
    for point in points:
        if result and result[-1][1] == point - 1:
            result[-1][1] = point
        else:
            result.append([point, point])
    return result


def main():
    table = {name: members(r"\p{%s}" % name) for name in CLASSES}
    table["space"] = members(r"\s")
    known = {name: ranges(points) for name, points in table.items()}
    (HERE / "char_classes.json").write_text(json.dumps(known, separators=(",", ":")) + "\n")

    new = []
    for name, points in table.items():
        unassigned = [p for p in points if unicodedata.category(chr(p)) == "Cn"]
        new += [(first, last, CLASSES[name]) for first, last in ranges(unassigned) if name in CLASSES]
    lines = ["// Code points newer than Unicode 14, up to Unicode 16: first, last, class.",
             "// Written by tests/data/text/make_char_classes.py."]
    lines += ["{0x%X, 0x%X, CharClass::%s}," % row for row in sorted(new)]
    target = HERE.parents[2] / "core" / "text" / "char_class_new.inc"
    target.write_text("\n".join(lines) + "\n")


main()
