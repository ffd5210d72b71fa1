"""Compares Plastiscope's JSON and CSV with Python's: round_trips.py PROGRAM [--count N] [--seed S], PROGRAM is round_trips.

Random values and names are written and read back: JSON by Python, valid or with random errors, read by Plastiscope and Python;
tables by Plastiscope, read by Python's csv and pandas; tables by those, read by Plastiscope. Each result is equal, refused by both,
or refused by Plastiscope alone for a listed reason. Prints a table; exit code 1 on any other difference, 77 without pandas.
"""
import argparse
import collections
import csv
import io
import json
import math
import random
import re
import struct
import subprocess
import sys

try:
    import pandas
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

EXACT = {"float_precision": "round_trip"} if int(pandas.__version__.split(".")[0]) < 3 else {}  # the default of later versions

# Refused by Plastiscope and accepted by Python's json: part of the message, and the reason.
STRICTER = {
    "appears twice in one object": "a key that stands twice; Python takes the last",
    "nesting of at most": "nesting deeper than 64",
    "the number is too large": "a number beyond the largest float; Python takes it for infinity",
    "a NUL byte": "a zero byte",
    "this is not valid JSON": "NaN and Infinity, lone surrogates, which JSON does not have",
}
NUMBER = re.compile(r"(?:\+(?!-)|-)?(?:(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?|inf|nan|infinity)", re.ASCII | re.IGNORECASE)
LETTERS = ["a", "B", "0", "7", "_", " ", ".", ",", ";", "\t", "\n", "\r", "\r\n", '"', '""', "'", "=", "+", "-", "@", "\\", "/", "é", "ß", "\u2028", "\u00a0", "\ufeff", "😀", "\x7f",
           "\x01", "\x1b", "%", "#", "NA", "nan", "null", "true", "inf", "1e5", "-0", "=1", "'=", "''=", "e\u0301", "\u202e", "{", "]", "<", "&"]


def text(rng, longest=6):
    return "".join(rng.choice(LETTERS) for _ in range(rng.randrange(longest + 1)))


def number(rng):
    kind = rng.randrange(6)
    if kind == 0:
        return rng.choice([0.0, -0.0, 1.0, 0.1, 1e22, 1e-7, 5e-324, 2.2250738585072014e-308, 1.7976931348623157e308, 123456789.0, 1 / 3])
    if kind == 1:
        return rng.uniform(-1, 1)
    if kind == 2:
        return float(rng.randrange(-10**6, 10**6))
    if kind == 3:
        return rng.uniform(-1, 1) * 10.0 ** rng.randrange(-300, 300)
    value = struct.unpack("<d", rng.randbytes(8))[0]
    return value if math.isfinite(value) else 0.5


def integer(rng):
    return rng.choice([0, 1, -1, 2**31, -2**31, 2**53 + 1, 2**63 - 1, -2**63, rng.randrange(-2**63, 2**63), rng.randrange(1000)])


# ---- JSON

def value(rng, depth=0):
    kind = rng.randrange(9 if depth < 5 else 6)
    if kind == 0:
        return rng.choice([None, True, False])
    if kind == 1:
        return integer(rng)
    if kind in (2, 3):
        return number(rng)
    if kind in (4, 5):
        return text(rng)
    if kind == 6:
        return [value(rng, depth + 1) for _ in range(rng.randrange(5))]
    return {text(rng): value(rng, depth + 1) for _ in range(rng.randrange(5))}


def json_text(rng):
    """JSON by Python, or JSON with an error."""
    written = json.dumps(value(rng), ensure_ascii=rng.random() < 0.5, indent=rng.choice([None, None, 0, 1, 3]))
    if rng.random() < 0.5:
        return written.encode()
    for _ in range(rng.choice([1, 1, 2])):
        at = rng.randrange(len(written) + 1)
        piece = rng.choice(['"', "{", "}", "[", "]", ",", ":", " ", "\\", "0", "-", "e", ".", "+", "/", "\n", "\x0b", "\0", "//", "NaN", "Infinity", "true", "\\ud800", "\\u00", "\\x41", "'", "1e999",
                            "01", "1.", ".5", "[" * 70 + "]" * 70, "\ufeff", '"a":1,"a":2,', "null"])
        written = written[:at] + piece + written[at + rng.randrange(3):]
    data = bytearray(written.encode())
    if rng.random() < 0.1 and data:
        data[rng.randrange(len(data))] = rng.randrange(256)
    return bytes(data)


def python_json(data):
    try:
        return "+", json.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError) as refusal:
        return "-", str(refusal)


def same(one, other):
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, bool) or isinstance(other, bool) or isinstance(one, str) or one is None:
        return one is other or (type(one) is type(other) and one == other)
    if isinstance(one, int) and isinstance(other, float) and not -2**63 <= one < 2**64:
        return float(one) == other  # an integer beyond 64 bits
    return type(one) is type(other) and one == other and math.copysign(1, one) == math.copysign(1, other)


# ---- CSV

def names(rng, count):
    found = []
    while len(found) < count:
        name = text(rng) or "a"
        if name not in found and name.strip("\r\n") == name and not name.startswith("\ufeff"):
            found.append(name)
    return found


def table(rng):
    rows, columns = rng.randrange(6), []
    for name in names(rng, rng.randrange(1, 5)):
        kind = rng.choice(["texts", "numbers", "integers"])
        make = {"texts": text, "integers": integer, "numbers": lambda rng: None if rng.random() < 0.1 else number(rng)}[kind]
        columns.append({"name": name, kind: [make(rng) for _ in range(rows)]})
    return {"columns": columns}


def plain(cell):
    """The text without the apostrophe that protects it from being read as a formula."""
    rest = cell.lstrip("'")
    formula = rest[:1] in ("=", "+", "-", "@", "\t", "\r") and rest != "" and not NUMBER.fullmatch(rest)
    return cell[1:] if cell.startswith("'") and formula else cell


def differs(made, written):
    """Difference of the table read by Python's csv or pandas from the original; "" if there is none."""
    rows = list(csv.reader(io.StringIO(written, newline="")))
    header, rows = rows[0], rows[1:]
    frame = pandas.read_csv(io.StringIO(written, newline=""), dtype=str, keep_default_na=False, skip_blank_lines=False)
    if [plain(name) for name in header] != [column["name"] for column in made["columns"]]:
        return f"names: {header}"
    for index, column in enumerate(made["columns"]):
        kind = next(key for key in column if key != "name")
        cells = [row[index] if row else "" for row in rows]
        if list(frame.iloc[:, index]) != cells:
            return f"pandas and csv read {column['name']!r} otherwise"
        if kind == "texts":
            back = [plain(cell) for cell in cells]
        elif kind == "integers":
            back = [int(cell) for cell in cells]
        else:
            back = [None if cell == "" else float(cell) for cell in cells]
            numbers = pandas.read_csv(io.StringIO(written, newline=""), **EXACT, skip_blank_lines=False).iloc[:, index]
            if [None if math.isnan(each) else each for each in numbers.astype(float)] != back:
                return f"pandas reads the numbers of {column['name']!r} otherwise"
        if not same(column[kind], back):
            return f"{column['name']!r}: {column[kind]} became {back}"
    return ""


def foreign_table(rng):
    """(header, rows, text as Python's csv or pandas writes them)"""
    header = names(rng, rng.randrange(1, 5))
    rows = [[text(rng) for _ in header] for _ in range(rng.randrange(6))]
    if len(header) == 1:
        rows = [[row[0] or "x"] for row in rows]  # empty lines are skipped
    out = io.StringIO(newline="")
    if rng.random() < 0.5:
        ends = rng.choice(["\n", "\r\n"])
        writer = csv.writer(out, lineterminator=ends, quoting=rng.choice([csv.QUOTE_MINIMAL, csv.QUOTE_ALL, csv.QUOTE_NONNUMERIC]))
        writer.writerows([header, *rows])
    else:
        pandas.DataFrame(rows, columns=header).to_csv(out, index=False, lineterminator=rng.choice(["\n", "\r\n"]), quoting=rng.choice([csv.QUOTE_MINIMAL, csv.QUOTE_ALL]))
    return header, rows, out.getvalue()


# ---- round trips

def ours(program, mode, texts):
    process = subprocess.run([program, mode], input=b"".join(struct.pack("<Q", len(data)) + data for data in texts), stdout=subprocess.PIPE, check=True)
    lines = process.stdout.decode(errors="replace").split("\n")[:-1]
    assert len(lines) == len(texts), "an answer is missing"
    return [(line[0], line[2:]) for line in lines]


def json_trip(program, rng, count):
    texts = [json_text(rng) for _ in range(count)]
    for data, (verdict, answer) in zip(texts, ours(program, "json", texts)):
        other, read = python_json(data)
        if verdict == "+" and other == "+":
            yield ("the same" if same(read, json.loads(answer)) else "NOT THE SAME"), data
        elif verdict == "+":
            yield f"NOT STRICTER: {read[:60]}", data
        elif other == "-":
            yield "refused by both", data
        else:
            yield next((f"stricter: {why}" for part, why in STRICTER.items() if part in answer), f"NOT LISTED: {answer[:60]}"), data


def table_trip(program, rng, count):
    tables = [table(rng) for _ in range(count)]
    answers = ours(program, "table", [json.dumps(each).encode() for each in tables])
    for made, (verdict, answer) in zip(tables, answers):
        why = differs(made, json.loads(answer)) if verdict == "+" else answer
        yield f"NOT THE SAME: {why[:80]}" if why else "the same", (made, answer)


def csv_trip(program, rng, count):
    tables = [foreign_table(rng) for _ in range(count)]
    for (header, rows, written), (verdict, answer) in zip(tables, ours(program, "csv", [each[2].encode() for each in tables])):
        expected = {"header": list(map(plain, header)), "rows": [list(map(plain, row)) for row in rows]}
        if list(csv.reader(io.StringIO(written, newline=""))) != [header, *rows]:
            yield "csv itself reads another table (a carriage return that Python did not quote)", written
        elif verdict == "-" and len(set(expected["header"])) < len(header):
            yield "refused: two names that differ by that apostrophe", written
        else:
            yield "the same" if verdict == "+" and json.loads(answer) == expected else f"NOT THE SAME: {answer[:80]}", written


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--count", type=int, default=20_000, help="of each trip")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    bad = 0
    for title, trip in (("JSON of Python, read by us", json_trip), ("our tables, read by csv and pandas", table_trip), ("tables of csv and pandas, read by us", csv_trip)):
        outcomes, examples = collections.Counter(), {}
        for outcome, example in trip(options.program, random.Random(f"{title} {options.seed}"), options.count):
            known = not outcome.startswith("NOT")
            outcomes[outcome if known else outcome.split(":")[0]] += 1
            if not known:
                bad += 1
                examples.setdefault(outcome, example)
        print(f"\n{title}: {options.count:,}, seed {options.seed}")
        for outcome, number in outcomes.most_common():
            print(f"{number:9,}  {outcome}")
        for outcome, example in list(examples.items())[:8]:
            print(f"  {outcome}\n    {example!r}"[:700])
    sys.exit(bad > 0)


if __name__ == "__main__":
    main()
