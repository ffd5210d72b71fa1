"""Small weight files that each break one rule of their container, and some valid ones."""
import random
import struct


class Header:
    """A safetensors file in which every part can be invalid: JSON is kept as text, key by key."""

    def __init__(self, rng):
        self.entries, self.metadata, self.tail, self.length_off = [], None, b"", 0
        start, order = 0, list(range(rng.randrange(5)))
        for number in order:
            dtype, size = rng.choice([("F32", 4), ("BF16", 2), ("F16", 2), ("F64", 8), ("I8", 1), ("U8", 1), ("BOOL", 1), ("I64", 8), ("F8_E4M3", 1)])
            shape = [rng.choice([0, 1, 1, 2, 3, 5]) for _ in range(rng.randrange(4))]
            end = start + size * product(shape)
            self.entries.append([f'"t{number}"', [['"dtype"', f'"{dtype}"'], ['"shape"', str(shape)], ['"data_offsets"', f"[{start}, {end}]"]]])
            start = end
        self.data = rng.randbytes(start)
        if rng.random() < 0.3:
            self.metadata = '{"format": "pt"}'
        rng.shuffle(self.entries)

    def text(self):
        parts = [f'"__metadata__": {self.metadata}'] if self.metadata else []
        for key, value in self.entries:
            parts.append(f"{key}: " + (value if isinstance(value, str) else "{" + ", ".join(f"{k}: {v}" for k, v in value) + "}"))
        return "{" + ", ".join(parts) + "}"

    def bytes(self, text=None):
        header = (text or self.text()).encode("utf-8", "surrogateescape") + self.tail
        return struct.pack("<Q", (len(header) + self.length_off) % (1 << 64)) + header + self.data


def product(shape):
    result = 1
    for size in shape:
        result *= size
    return result


NUMBERS = ["-1", "-0", "0", "1", "01", "1.0", "1e0", "1e2", "9007199254740993", "9223372036854775807", "9223372036854775808",
           "18446744073709551615", "18446744073709551616", "null", "true", '"1"', "NaN", "[1]", "{}", "4294967296"]
TYPES = ["F32", "f32", "F16", "BF16", "F64", "I16", "U16", "U32", "U64", "C64", "F4", "F6_E2M3", "F8_E8M0", "F8_E5M2", "F8_E4M3FNUZ", "", "Q4_0", "BOOL"]


def of_entry(rng, header, field):
    """The pair [field, text] of some tensor."""
    pairs = rng.choice([value for _, value in header.entries if not isinstance(value, str)] or [[["", ""]]])
    return pairs, next((pair for pair in pairs if pair[0] == f'"{field}"'), ["", "[0, 0]"])


def with_one_number(rng, text, numbers):
    values = text.strip("[]").split(", ")
    values[rng.randrange(len(values))] = rng.choice(numbers)
    return "[" + ", ".join(values) + "]"


def near_number(rng, text):
    values = text.strip("[]").split(", ")
    at = rng.randrange(len(values))
    if values[at].isdigit():
        values[at] = str(int(values[at]) + rng.choice([-8, -4, -2, -1, 1, 2, 4, 8]))
    return "[" + ", ".join(values) + "]"


def change_header(rng, header):
    kind = rng.randrange(19)
    field = rng.choice(["shape", "data_offsets"])
    pairs, pair = of_entry(rng, header, field)
    if kind in (0, 1):
        pair[1] = with_one_number(rng, pair[1], NUMBERS)
    elif kind in (2, 3):
        pair[1] = near_number(rng, pair[1])
    elif kind == 4:
        pair[1] = rng.choice(["[]", "[0]", "[0, 0, 0]", "{}", "0", '"[0, 0]"', "null", "[" + "1, " * 64 + "1]", "[" * 200 + "]" * 200])
    elif kind in (5, 6):
        of_entry(rng, header, "dtype")[1][1] = rng.choice([f'"{name}"' for name in TYPES] + ["1", "null", '["F32"]'])
    elif kind == 7:
        pairs.append(list(rng.choice(pairs)))
    elif kind == 8:
        del pairs[rng.randrange(len(pairs))]
    elif kind == 9:
        pairs.append(rng.choice([['"extra"', "1"], ['"Shape"', "[]"], ['"\\u0073hape"', "[]"]]))
    elif kind == 10 and header.entries:
        header.entries.append([rng.choice([header.entries[0][0], '"t\\u0030"']), header.entries[-1][1]])
    elif kind == 11:
        header.metadata = rng.choice(["{}", "null", "[]", '"a"', '{"a": 1}', '{"a": null}', '{"a": {}}', '{"a": "b", "a": "c"}', '{"": ""}'])
    elif kind == 12:
        header.entries.append(rng.choice([['"__metadata__"', '{"a": "b"}'], ['"x"', "{}"], ['"x"', "1"], ['"x"', "null"], ['"x"', "[]"]]))
    elif kind == 13 and header.entries:
        rng.choice(header.entries)[0] = rng.choice(['""', '"\\ud800"', '"\\ud83d\\ude00"', '"\udcff"', '"é"', '"\\u0000"', '"a\tb"', "t", '"\udcc3\udca9"'])
    elif kind == 14:
        header.data = rng.choice([header.data[:-1], header.data + b"\0", header.data + b"\0" * 8, b""])
    elif kind == 15:
        header.length_off = rng.choice([-8, -2, -1, 1, 2, 8, 1 << 20, 100_000_001, 1 << 63, -1 << 62])
    elif kind == 16:
        header.tail = rng.choice([b" ", b"    ", b"\n", b"\t \r\n", b"\0", b"x", b"{}", b"//", b","])
    elif kind == 17 and len(header.entries) > 1:
        one, other = rng.sample(header.entries, 2)
        one[1], other[1] = other[1], one[1]


def safetensors(rng):
    header = Header(rng)
    for _ in range(rng.choice([0, 1, 1, 1, 2])):
        change_header(rng, header)
    text = header.text()
    kind = rng.randrange(12)
    if kind == 0:
        at = rng.randrange(len(text))
        text = text[:at] + rng.choice(['"', "{", "}", "[", "]", ",", ":", " ", "\\", "0", "-", "\0", "e", ".", "/"]) + text[at + rng.randrange(2):]
    elif kind == 1:
        text = rng.choice([" ", "\n", "\ufeff", "[", "", "\t"]) + text + rng.choice(["", "]"])
    data = header.bytes(text)
    return data[:rng.randrange(len(data))] if rng.random() < 0.03 else data


# ---- GGUF: types by number with (elements, bytes) of a block

GGUF_TYPES = {0: (1, 4), 1: (1, 2), 2: (32, 18), 8: (32, 34), 12: (256, 144), 24: (1, 1), 26: (1, 4), 30: (1, 2)}
SCALARS = {0: "<B", 1: "<b", 2: "<H", 3: "<h", 4: "<I", 5: "<i", 6: "<f", 7: "<?", 10: "<Q", 11: "<q", 12: "<d"}
COUNTS = [0, 1, 2, 3, 5, 255, 65535, 65536, 1 << 31, 1 << 32, (1 << 63) - 1, 1 << 63, (1 << 64) - 1]


def text_of(content):
    return struct.pack("<Q", len(content)) + content


def value_of(rng, kind):
    if kind == 8:
        return text_of(rng.choice([b"", b"a", b"llama", b"\xff", "é".encode()]))
    if kind == 9:
        inner = rng.choice([0, 4, 6, 8, 7])
        count = rng.randrange(4)
        return struct.pack("<IQ", inner, count) + b"".join(value_of(rng, inner) for _ in range(count))
    return struct.pack(SCALARS[kind], rng.randrange(2))


class Gguf:
    def __init__(self, rng):
        self.magic, self.version, self.alignment, self.padding = b"GGUF", rng.choice([2, 3]), 32, None
        self.keys = []  # [name, type, value bytes]
        for number in range(rng.randrange(5)):
            kind = rng.choice([*SCALARS, 8, 9, 9])
            self.keys.append([f"key.{number}".encode(), kind, value_of(rng, kind)])
        if rng.random() < 0.3:
            self.alignment = rng.choice([1, 8, 16, 64])
            self.keys.append([b"general.alignment", 4, struct.pack("<I", self.alignment)])
        self.tensors, at = [], 0  # [name, shape, type, offset]
        for number in range(rng.randrange(5)):
            kind = rng.choice(list(GGUF_TYPES))
            elements, size = GGUF_TYPES[kind]
            shape = [elements * rng.choice([1, 1, 2])] + [rng.choice([1, 2, 3, 0]) for _ in range(rng.randrange(3))]
            self.tensors.append([f"t{number}".encode(), shape, kind, at])
            at += product(shape) // elements * size
            at = -(-at // self.alignment) * self.alignment
        self.data = rng.randbytes(at)
        self.counts = [0, 0]  # added to the correct counts
        self.ranks = [0] * len(self.tensors)
        rng.shuffle(self.tensors)

    def bytes(self):
        out = self.magic + struct.pack("<IQQ", self.version, (len(self.tensors) + self.counts[0]) % (1 << 64), (len(self.keys) + self.counts[1]) % (1 << 64))
        for name, kind, value in self.keys:
            out += text_of(name) + struct.pack("<I", kind) + value
        for (name, shape, kind, offset), rank in zip(self.tensors, self.ranks + [0] * len(self.tensors)):
            out += text_of(name) + struct.pack("<I", (len(shape) + rank) % (1 << 32)) + b"".join(struct.pack("<Q", size) for size in shape)
            out += struct.pack("<IQ", kind, offset % (1 << 64))
        return out + b"\0" * (-len(out) % self.alignment) + self.data


def change_gguf(rng, gguf):
    kind = rng.randrange(18)
    key = rng.choice(gguf.keys) if gguf.keys else [b"", 0, b""]
    tensor = rng.choice(gguf.tensors) if gguf.tensors else [b"", [1], 0, 0]
    if kind == 0:
        gguf.magic = rng.choice([b"GGUX", b"FUGG", b"gguf"])
    elif kind == 1:
        gguf.version = rng.choice([0, 1, 2, 4, 0x02000000, 0x03000000, 1 << 16])
    elif kind == 2:
        gguf.counts[rng.randrange(2)] = rng.choice([-1, 1, 2, 1 << 20, 1 << 40, 1 << 63])
    elif kind == 3:
        key[1] = rng.choice([*range(15), 255, 1 << 31])
    elif kind == 4:
        key[2] = rng.choice([key[2][:-1], key[2] + b"\0", b""])
    elif kind == 5:
        gguf.keys.append(list(key) if gguf.keys else [b"a", 4, b"\0\0\0\0"])
    elif kind == 6:
        key[0] = rng.choice([b"", b"\xff\xfe", b"a" * 70000, "é".encode(), b"\0"])
    elif kind == 7:
        key[1:] = [9, struct.pack("<IQ", rng.choice([0, 4, 8, 9, 13, 99]), rng.choice(COUNTS)) + rng.randbytes(rng.randrange(20))]
    elif kind == 8:
        key[1:] = [8, struct.pack("<Q", rng.choice(COUNTS)) + b"abc"]
    elif kind == 9:
        key[1:] = rng.choice([[7, b"\2"], [10, b"\xff" * 8], [11, b"\xff" * 8]])
    elif kind == 10:
        number, value = rng.choice([(4, rng.choice([0, 3, 31, 128, 1 << 20, 1 << 21, 1 << 31])), (10, 32), (5, 32), (0, 32), (8, 0), (6, 32)])
        gguf.keys = [each for each in gguf.keys if each[0] != b"general.alignment"]
        gguf.keys.append([b"general.alignment", number, text_of(b"32") if number == 8 else struct.pack(SCALARS[number], value)])
    elif kind == 11:
        tensor[0] = rng.choice([b"", b"\xff\xfe", b"a" * 70000, "é".encode(), gguf.tensors[0][0] if gguf.tensors else b"a"])
    elif kind == 12 and tensor[1]:
        tensor[1][rng.randrange(len(tensor[1]))] = rng.choice(COUNTS + [31, 33])
    elif kind == 13:
        tensor[1][:] = rng.choice([[], [1] * 5, [32, 1, 1, 1], [1 << 32, 1 << 32], [1 << 61, 8], [0, 1 << 63], tensor[1] + [1]])
    elif kind == 14:
        tensor[2] = rng.choice([*range(42), 99, 1 << 31])
    elif kind == 15:
        tensor[3] = rng.choice([0, 1, 16, 32, 64, tensor[3] + 32, tensor[3] + 1, max(0, tensor[3] - 32), 1 << 62, (1 << 63) + 32, (1 << 64) - 32])
    elif kind == 16:
        gguf.data = rng.choice([gguf.data[:-1], gguf.data[:-32], b"", gguf.data + b"\0" * 32])
    elif kind == 17 and gguf.ranks:
        gguf.ranks[rng.randrange(len(gguf.ranks))] = rng.choice([-1, 1, 4, 1 << 20])


def gguf(rng):
    file = Gguf(rng)
    for _ in range(rng.choice([0, 1, 1, 1, 2])):
        change_gguf(rng, file)
    data = bytearray(file.bytes())
    for _ in range(rng.choice([0, 0, 0, 0, 1, 2])):
        data[rng.randrange(len(data))] = rng.randrange(256)
    return bytes(data[:rng.randrange(len(data))] if rng.random() < 0.03 else data)


def mutants(container, count, seed):
    for number in range(count):
        yield {"safetensors": safetensors, "gguf": gguf}[container](random.Random(f"{container} {seed} {number}"))
