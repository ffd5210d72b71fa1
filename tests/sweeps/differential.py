"""Compares readers of weight files with reference readers: differential.py PROGRAM [--mutants N] [--seed S] [safetensors] [gguf].

PROGRAM is weight_verdicts. Each mutant (mutated_weights.py) is accepted by both with the same names, types, shapes and
bytes, refused by both, or refused by Plastiscope alone for a listed reason. Exit code 1 on any other difference,
77 where the reference readers (Python packages safetensors and gguf) are not installed.
"""
import argparse
import collections
import hashlib
import os
import pathlib
import re
import signal
import struct
import subprocess
import sys
import tempfile
import zlib

try:
    import gguf
    import safetensors
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

import mutated_weights

# Refused by Plastiscope alone: part of its message, and the reason.
STRICTER = {
    "safetensors": {
        "expected only dtype, shape and data_offsets": "a field that the format does not name; the reference passes over it",
        "appears twice": "a name or a key that stands twice; the reference takes the last",
        "expected a type of": "types that we do not read: of 4 and 6 bits, scales alone, complex numbers",
        "header: expected a JSON object": "blanks before the header; the format lets it begin with {",
        "expected an object, found null": "null in place of metadata",
        "at most 64 dimensions": "more than 64 dimensions",
        "expected plain unsigned integers, found the number": "a size of 2^63 or more",
        "whose size fits 63 bits": "an empty tensor whose other sizes have a product beyond 63 bits",
    },
    "gguf": {
        "the file is cut short": "a tensor without elements that lies beyond the end, a text or a list that ends with the file",
        "metadata text before": "a text of more than 64 MiB, of which the reference takes what is there",
        "array length before": "a list of more than 2^24 elements",
        "expected at most 65535": "names of more than 65,535 bytes",
        "for a truth value": "a truth value that is neither 0 nor 1",
        "expected at most 2^63 - 1": "a number of metadata beyond 2^63 - 1",
        "that is a multiple of": "data that are not aligned",
        "overlapping data": "tensors that share bytes",
        "at most 4 dimensions": "more than 4 dimensions",
        "an offset of at most 2^62": "an offset beyond 2^62, which wraps around in the reference",
        "a little-endian file": "big-endian files",
        "expected a type of": "types that we do not read",
        "a power of two up to 2^20": "alignment beyond 2^20",
        "a value type of 0 to 12": "an empty list of things of an unknown type",
        "sizes up to 2^63": "a size of 2^63 or more",
        "a flat array": "arrays of arrays",
    },
}
# Valid files that the reference readers cannot read: part of their error, and the reason.
LIMITS_OF_REFERENCE = {"safetensors": {}, "gguf": {
    "IndexError: tuple index out of range": "a scalar of a type that NumPy does not have, such as BF16",
    "ValueError: array is too big": "an empty tensor whose other sizes NumPy cannot hold",
    "ValueError: Maximum allowed dimension exceeded": "an empty tensor with one size that NumPy cannot hold",
}}


def summary(tensors):
    lines = (f"{name}\t{kind}\t[{','.join(map(str, shape))}]\t{zlib.crc32(content)}\n" for name, kind, shape, content in sorted(tensors))
    return hashlib.sha256("".join(lines).encode()).hexdigest()


def read_safetensors(data):
    return summary((name, view["dtype"], view["shape"], view["data"]) for name, view in safetensors.deserialize(data))


def read_gguf(data, file=os.path.join(tempfile.mkdtemp(dir="/dev/shm" if os.path.isdir("/dev/shm") else None), "mutant.gguf")):
    pathlib.Path(file).write_bytes(data)
    tensors = gguf.GGUFReader(file).tensors
    return summary((tensor.name, int(tensor.tensor_type), tensor.shape.tolist(), data[tensor.data_offset:tensor.data_offset + tensor.n_bytes])
                   for tensor in tensors)


READERS = {"safetensors": read_safetensors, "gguf": read_gguf}


class Endless(Exception):
    pass


def reference(read, data, seconds):
    """("+", summary), or ("-", reason). Has a time limit because the GGUF reader trusts the stated element count."""
    def give_up(*_):
        raise Endless(f"not done after {seconds} s")

    signal.signal(signal.SIGVTALRM, give_up)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)  # processor time, independent of other load
    try:
        try:
            return "+", read(data)
        finally:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    except Exception as refusal:
        return "-", f"{type(refusal).__name__}: {refusal}"


def ours(program, container, files):
    process = subprocess.run([program, container], input=b"".join(struct.pack("<Q", len(data)) + data for data in files),
                             stdout=subprocess.PIPE, check=True)
    lines = process.stdout.decode(errors="replace").splitlines()
    assert len(lines) == len(files), "an answer is missing"
    return [(line[0], line[2:]) for line in lines]


def kind_of(sentence):
    """The message without names and numbers of one file."""
    return re.sub(r"[0-9][0-9,]*", "N", re.sub(r'"[^"]*"|tensor \S+|metadata \S+', "X", sentence))[:110]


def compare(container, program, count, seed):
    outcomes, differences, examples = collections.Counter(), collections.Counter(), {}
    files = list(mutated_weights.mutants(container, count, seed))
    for data, (verdict, text) in zip(files, ours(program, container, files)):
        other, other_text = reference(READERS[container], data, 0.2)
        if verdict == "+" and "Endless" in other_text:
            other, other_text = reference(READERS[container], data, 20)
        if verdict == other:
            same = verdict == "-" or text == other_text
            outcomes[("refused by both" if verdict == "-" else "accepted by both, the same") if same else "accepted by both, NOT the same"] += 1
            known = same
        elif verdict == "-":
            known = next((why for part, why in STRICTER[container].items() if part in text), None)
            outcomes["refused by ours alone"] += 1
            differences[f"stricter: {known or 'NOT LISTED: ' + kind_of(text)}"] += 1
        else:
            known = next((why for part, why in LIMITS_OF_REFERENCE[container].items() if part in other_text), None)
            outcomes["accepted by ours alone"] += 1
            differences[f"{'reference cannot: ' + known if known else 'NOT STRICTER: ' + kind_of(other_text)}"] += 1
        if not known:
            examples.setdefault((text[:60] if verdict == "-" else "") + other_text[:60], (data[:300], verdict, text, other, other_text))
    print(f"\n{container}: {count:,} mutants, seed {seed}")
    for name, number in [*outcomes.most_common(), *differences.most_common()]:
        print(f"{number:9,}  {name}")
    for data, verdict, text, other, other_text in list(examples.values())[:12]:
        print(f"ours {verdict} {text}\nreference {other} {other_text}\n{data!r}\n")
    return not examples


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("containers", nargs="*", default=list(READERS))
    parser.add_argument("--mutants", type=int, default=100_000, help="of each container")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_intermixed_args()
    agreed = [compare(container, options.program, options.mutants, options.seed) for container in options.containers]
    sys.exit(0 if all(agreed) else 1)


main()
