"""Measures the cost of reading hostile files: parse_costs.py PROGRAM [--share F] [--untimed] [NAME ...], PROGRAM is parse_costs.

Each case is a file of a size, and one of twice that size. Reading it may take 0.2 s and 50 ns of processor time per byte, and
memory of 6 times the file and 256 MB; twice the size may take at most 2.2 times as long, where that is more than a tenth of a
second. A refusal counts as an answer. Prints a line a case; ends with 1 when one misses its limits. --share 0.02 makes smaller files;
--untimed looks at memory alone, and at whether there is an answer within a minute.
"""
import argparse
import base64
import json
import pathlib
import resource
import signal
import struct
import subprocess
import sys
import tempfile

try:
    import pyarrow
    import pyarrow.parquet
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

from workshop import DATA

NANOSECONDS, SECONDS, MEMORY, MEMORY_ALWAYS, DOUBLING = 50, 0.2, 6, 256 << 20, 2.2
MB = 1_000_000
TEXT = DATA / "text"
UNKNOWN = "this build has no such parser"


# ---- files

def repeated(piece, size, start="", end=""):
    """`piece`, a text or a function of a number, repeated up to the size."""
    parts, have, number = [start], len(start) + len(end), 0
    while have < size:
        part = piece if isinstance(piece, str) else piece(number)
        if isinstance(piece, str):
            count = max(1, (size - have) // len(part))
            parts.append(part * count)
            have += count * len(part)
        else:
            parts.append(part)
            have += len(part)
        number += 1
    if end[:1] in ("}", "]"):
        parts[-1] = parts[-1].rstrip(",")
    return "".join([*parts, end]).encode()


def safetensors(header, data=b""):
    return struct.pack("<Q", len(header)) + header + data


def header(piece, start="{", end="}"):
    return lambda size: safetensors(repeated(piece, size, start, end))


def text(piece, start="", end=""):
    return lambda size: repeated(piece, size, start, end)


def index_without_last(folder, size):
    """An index and a shard that lacks the last tensor listed for it."""
    count = size // 70
    names = [f"t{number:07d}" for number in range(count)]
    entries = ",".join(f'"{name}":{{"dtype":"U8","shape":[0],"data_offsets":[0,0]}}' for name in reversed(names))
    (folder / "a.safetensors").write_bytes(safetensors(f"{{{entries}}}".encode()))
    weight_map = ",".join(f'"{name}":"a.safetensors"' for name in [*names, "u"])
    return f'{{"weight_map":{{{weight_map}}}}}'.encode()


def vocabulary(count, long=0):
    tokens = "".join(f'"t{number:x}":{number},' for number in range(256, count))
    return ('"!":0,' + (f'"{"a" * long}":1,' if long else "") + tokens).rstrip(",")


def tokenizer(count, merges="", kind="BPE", more="", vocab=None):
    return (f'{{"model":{{"type":"{kind}",{more}"vocab":{vocab or "{" + vocabulary(count) + "}"},"merges":[{merges}]}},'
            '"pre_tokenizer":{"type":"ByteLevel","add_prefix_space":false,"use_regex":true}}').encode()


def many_tokens(size):
    return tokenizer(size // 17)


def many_merges(size):
    letters = [chr(c) for c in range(33, 127) if chr(c) not in '"\\']
    pairs = [(a, b) for a in letters for b in letters]
    vocab = [*letters, *(a + b for a, b in pairs), *(a + b + c for a, b in pairs for c in letters)]
    merges = [f'"{a} {b}",' for a, b in pairs] + [f'"{a}{b} {c}",' for a, b in pairs for c in letters]
    count = min(len(merges), size // 30)
    used = vocab[:len(letters) + count]
    return tokenizer(0, "".join(merges[:count]).rstrip(","), vocab=json.dumps({word: number for number, word in enumerate(used)}, separators=(",", ":")))


def unigram(size):
    pieces = ",".join(f'["t{number:x}",-{number % 9}.5]' for number in range(size // 16))
    return f'{{"model":{{"type":"Unigram","unk_id":0,"vocab":[["<unk>",0],{pieces}]}}}}'.encode()


def protobuf_piece(piece, score, kind=1):
    inner = b"\x0a" + varint(len(piece)) + piece + b"\x15" + struct.pack("<f", score) + b"\x18" + varint(kind)
    return b"\x0a" + varint(len(inner)) + inner


def varint(number):
    out = b""
    while number > 127:
        out, number = out + bytes([number % 128 | 128]), number >> 7
    return out + bytes([number])


def sentence_piece(size, model_type=2):
    pieces = [protobuf_piece(b"<unk>", 0, 2), *(protobuf_piece(b"t%x" % number, -number) for number in range(size // 18))]
    trainer = b"\x18" + varint(model_type)
    return b"".join(pieces) + b"\x12" + varint(len(trainer)) + trainer


def tekken(size):
    words = ",".join(f'{{"rank":{rank},"token_bytes":"{base64.b64encode(bytes([rank]) if rank < 256 else b"t%x" % rank).decode()}"}}'
                     for rank in range(256 + size // 45))
    count = 256 + size // 45 + 1000
    return (f'{{"config":{{"pattern":"[^\\\\r\\\\n]+","num_vocab_tokens":{count - 1000},"default_vocab_size":{count},'
            f'"default_num_special_tokens":1000,"version":"v3"}},"vocab":[{words}]}}').encode()


def gguf(keys, tensors=()):
    out = b"GGUF" + struct.pack("<IQQ", 3, len(tensors), len(keys))
    for name, kind, value in keys:
        out += struct.pack("<Q", len(name)) + name + struct.pack("<I", kind) + value
    return out + b"".join(tensors) + bytes(64)


def gguf_text(content):
    return struct.pack("<Q", len(content)) + content


def gguf_texts(texts):
    return struct.pack("<IQ", 8, len(texts)) + b"".join(map(gguf_text, texts))


def gguf_vocabulary(size):
    count = size // 24
    tokens = [b"<unk>", *(b"t%06x" % number for number in range(1, count))]
    return gguf([(b"general.architecture", 8, gguf_text(b"llama")), (b"tokenizer.ggml.model", 8, gguf_text(b"llama")),
                 (b"tokenizer.ggml.tokens", 9, gguf_texts(tokens)),
                 (b"tokenizer.ggml.scores", 9, struct.pack("<IQ", 6, count) + struct.pack(f"<{count}f", *range(0, -count, -1))),
                 (b"tokenizer.ggml.token_type", 9, struct.pack("<IQ", 5, count) + struct.pack(f"<{count}i", *[1] * count))])


def gguf_empty_texts(size):
    return gguf([(b"a%d" % number, 9, gguf_texts([b""] * min(1 << 24, size // 8))) for number in range(1)])


def gguf_tensors(size):
    entries = [gguf_text(b"%06x" % number) + struct.pack("<IQIQ", 1, 0, 0, 0) for number in range(size // 38)]
    return gguf([], entries)


def gguf_keys(size):
    return gguf([(b"%06x" % number, 0, b"\0") for number in range(size // 19)])


def parquet(make):
    def written(size):
        sink = pyarrow.BufferOutputStream()
        pyarrow.parquet.write_table(make(pyarrow, size), sink, compression="none", use_dictionary=False)
        return sink.getvalue().to_pybytes()
    return written


def state(kind, content):
    """A state file of the window with the check sum of its content; the JSON may have any format."""
    import zlib

    def written(size):
        inside = json.dumps(json.loads(content(size)), sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        return f'{{"content":{inside},"crc32":{zlib.crc32(inside.encode())},"format":"plastiscope-{kind}","version":1}}'.encode()
    return written


# ---- cases: parser, name, file, bytes, content (a function of the size) or (text of an encoding)

DEEP = {"deep lists": text("["), "deep objects": text('{"a":')}
WIDE = {"a list of zeros": text("0,", "[", "0]"), "empty lists": text("[],", "[", "[]]"), "empty objects": text("{},", "[", "{}]"),
        "short keys": text(lambda n: f'"{n:x}":0,', "{", '"":0}'), "one text": text("a", '"', '"'), "escapes": text("\\u0041", '"', '"'),
        "blanks": text(" ", "", "[]"), "lists of eight": text("[" * 8 + "]" * 8 + ",", "[", "0]")}


def in_object(pieces, key="x"):
    return {name: (lambda size, make=make: f'{{"{key}":'.encode() + make(size) + b"}") for name, make in pieces.items()}


def cases():
    yield from (("weights", f"safetensors: {name}", "model.safetensors", 99 * MB, make) for name, make in {
        "many tensors": header(lambda n: f'"{n:06x}":{{"dtype":"U8","shape":[0],"data_offsets":[0,0]}},'),
        "one name": header("a", '{"', '":{"dtype":"U8","shape":[0],"data_offsets":[0,0]}}'),
        "one shape": header("1,", '{"a":{"dtype":"U8","data_offsets":[0,1],"shape":[', "1]}}"),
        "one text of metadata": header("a", '{"__metadata__":{"a":"', '"}}'),
        "many keys of metadata": header(lambda n: f'"{n:06x}":"",', '{"__metadata__":{', "}}"),
        "blanks": header(" ", "{}", " "), "deep": header("["), "deep inside": header("[", '{"a":')}.items())
    for name, make in {**in_object({**DEEP, **WIDE}, "weight_map"), "many names": text(lambda n: f'"{n:06x}":"a.safetensors",', '{"weight_map":{', "}}"),
                       "many shards": text(lambda n: f'"{n:06x}":"{n:06x}.safetensors",', '{"weight_map":{', "}}")}.items():
        yield "weights", f"index: {name}", "model.safetensors.index.json", 90 * MB, make
    yield "weights", "index: a shard without the last tensor", "model.safetensors.index.json", 30 * MB, index_without_last
    for name, make in {"many tensors": gguf_tensors, "many keys": gguf_keys, "empty texts": gguf_empty_texts}.items():
        yield "weights", f"gguf: {name}", "model.gguf", 100 * MB, make
        yield "model", f"gguf: {name}", "model.gguf", 100 * MB, make
    for name, make in {**DEEP, **in_object({**DEEP, **WIDE}, "layer_types")}.items():
        yield "model", f"config: {name}", "config.json", 60 * MB, make
    for name, make in {**DEEP, **in_object(WIDE, "vocab"), "many tokens": many_tokens, "many merges": many_merges, "unigram": unigram}.items():
        yield "tokenizer", f"tokenizer.json: {name}", "tokenizer.json", (20 if name == "many merges" else 34) * MB, make
    yield "tokenizer", "tokenizer.model: unigram", "tokenizer.model", 34 * MB, lambda size: sentence_piece(size, 1)
    yield "tokenizer", "tokenizer.model: BPE", "tokenizer.model", 34 * MB, sentence_piece
    yield "tokenizer", "tokenizer.model: one long token", "tokenizer.model", MB // 4, lambda size: sentence_piece(99) + protobuf_piece(b"a" * size, -1)
    yield "tokenizer", "tekken.json", "tekken.json", 45 * MB, tekken
    yield "tokenizer", "vocabulary of a GGUF file", "vocabulary.gguf", 48 * MB, gguf_vocabulary
    for name, make in {"many short": text('{"text":"a"}\n'), "one text": text("a", '{"text":"', '"}'), "blank lines": text("\n", "", '{"text":"a"}'),
                       "deep": text("[", '{"text":"a","x":'), "escapes": text("\\ud800", '{"text":"', '"}'),
                       "not UTF-8": lambda size: b'{"text":"' + b"\xff" * size + b'"}',
                       **{f"beside: {name}": (lambda size, make=make: b'{"text":"a","x":' + make(size) + b"}") for name, make in WIDE.items()}}.items():
        yield "texts", f"JSON lines: {name}", "texts.jsonl", 50 * MB, make
    yield "texts", "JSON array: many short", "texts.json", 50 * MB, text('{"text":"a"},', "[", "]")
    yield "texts", "JSON array: deep", "texts.json", 50 * MB, text("[")
    yield "texts", "plain text: not UTF-8", "texts.txt", 50 * MB, lambda size: b"\xc3" * size
    yield "tokens", "tokens: one line", "tokens.jsonl", 50 * MB, text("1,", '{"id":0,"tokens":[', "1]}")
    yield "tokens", "tokens: many lines", "tokens.jsonl", 50 * MB, text('{"id":0,"tokens":[1]}\n')
    yield "parquet", "parquet: one text", "t.parquet", 50 * MB, parquet(lambda a, size: a.table({"text": ["a" * size]}))
    yield "parquet", "parquet: many texts", "t.parquet", 20 * MB, parquet(lambda a, size: a.table({"text": ["a"] * (size // 5)}))
    yield "parquet", "parquet: a list of numbers", "t.parquet", 20 * MB, parquet(lambda a, size: a.table({"text": ["a"], "x": [[1] * (size // 8)]}))
    yield "parquet", "parquet: many columns", "t.parquet", 2 * MB, parquet(lambda a, size: a.table({f"c{n}": ["a"] for n in range(size // 700)}))
    yield "manifest", "manifest: one line", "manifest.jsonl", 50 * MB, text("a")
    yield "manifest", "manifest: short lines", "manifest.jsonl", 50 * MB, text("{}\n")
    yield "manifest", "manifest: zeros", "manifest.jsonl", 50 * MB, WIDE["a list of zeros"]
    yield "sweep", "sweep: many models", "sweep.toml", 3 * MB // 2, lambda size: repeated(
        lambda n: f'[[model]]\npath="m{n}"\n', size, '[[texts]]\ntokens="t"\n')
    yield "sweep", "sweep: deep", "sweep.toml", 2 * MB, text("[", "a=")
    yield "sweep", "sweep: dotted key", "sweep.toml", 2 * MB, text("a.", "", "a=1")
    yield "sweep", "sweep: a list", "sweep.toml", 2 * MB, text("1,", "a=[", "1]")
    yield "csv", "csv: many fields", "t.csv", 20 * MB, text(",")
    yield "csv", "csv: many rows", "t.csv", 20 * MB, text("1,2\n", "a,b\n")
    yield "csv", "csv: quotes", "t.csv", 20 * MB, text('"')
    for name, piece in {"names": "L0H0,", "ranges": "L0H0-9999,", "commas": ",", "digits": "9"}.items():
        yield "heads", f"head list: {name}", "heads.txt", MB, text(piece)
    yield "heads", "head list: one vast range", "heads.txt", 100, lambda size: b"L0H0-9223372036854775806"
    for kind in ("session", "settings", "notes"):
        for name, make in {**DEEP, **WIDE}.items():
            yield kind, f"{kind}: {name}", f"{kind}.json", 30 * MB, in_object({name: make}, "content")[name]
    yield "session", "session: many tabs", "session.json", 10 * MB, state("session", text('{"file":"a.h5"},', '{"tabs":[', '{"file":"a.h5"}]}'))
    yield "settings", "settings: many recent files", "settings.json", 10 * MB, state("settings", text('{"path":"a.h5","opened":1},', '{"recent_files":[', '{"path":"a.h5"}]}'))
    yield "notes", "notes: many heads", "notes.json", 10 * MB, state("notes", text(lambda n: f'"L{n // 100}H{n % 100}":"b",', '{"heads":{', '"L9999999H1":"b"}}'))
    for name, piece in {"parentheses": "(", "not": "not ", "minus": "-", "and": "layer>1 and ", "chain": "1<", "calls": "abs(", "digits": "9", "words": "layer "}.items():
        yield "filter", f"filter: {name}", "filter.txt", MB, text(piece, "", "layer")


BOMBS = {"nested plus": "(a+)+$", "alternatives": "(a|a)*b", "optional": "(?:a?){60}a{60}", "dots": "(.*)*x", "three stars": ".*.*.*b",
         "look-ahead": "(?=(a+))a*b\\\\1", "words": "(?:\\\\w+\\\\s?)*$"}
TEXTS = {"no spaces": "a", "letters": "abcdefghijklmnopqrstuvwxyz", "spaces": " ", "digits": "7", "line ends": "\n", "é": "é", "combining": "é".encode().decode() + "\u0301",
         "punctuation": "!?", "a zero-width joiner": "\u200d"}


def encodings():
    """name, tokenizer, text (a function of the size)"""
    for folder in ("gpt2", "llama3", "qwen2", "deepseek3", "o200k", "unigram", "spm_bpe", "spm_unigram", "gemma", "regex_words", "regex_scripts", "tekken"):
        for name, piece in TEXTS.items():
            yield f"{folder}: {name}", TEXT / folder, lambda size, piece=piece: (piece * (size // len(piece.encode()))).encode()
    base = (TEXT / "regex_words/tokenizer.json").read_text()
    known = base[base.index('"Regex":"') + 9:base.index('"},"b')]
    for name, pattern in BOMBS.items():
        yield f"pattern {pattern}", base.replace(known, pattern), text("a")
    for name, vocab in {"one long token": lambda long: [["<unk>", 0], ["a", -1], ["a" * long, -2]],
                        "all lengths": lambda long: [["<unk>", 0], *(["a" * n, -n] for n in range(1, int(long ** 0.5) * 3 // 2))]}.items():
        content = json.dumps({"model": {"type": "Unigram", "unk_id": 0, "vocab": vocab(MB // 4)}})
        yield f"unigram with {name}", content, text("a")
    added = json.loads((TEXT / "gpt2/tokenizer.json").read_text())
    added["added_tokens"] = [{"id": 3_000 + n, "content": "a" * 1000 + f"b{n}", "special": True} for n in range(200)] + [{"id": 4000, "content": "a" * (MB // 4) + "b"}]
    yield "added tokens that begin alike", json.dumps(added), text("a")


# ---- measuring

class Costs:
    def __init__(self, program, folder, share, untimed):
        self.program, self.folder, self.share, self.untimed, self.missed = program, folder, share, untimed, 0

    def measured(self, *arguments):
        """(seconds, bytes, verdict); seconds is None when there was none"""
        def limit():
            resource.setrlimit(resource.RLIMIT_AS, (12 << 30, 12 << 30))
            resource.setrlimit(resource.RLIMIT_CPU, (60, 60))

        try:
            done = subprocess.run([self.program, *map(str, arguments)], capture_output=True, text=True, errors="replace", timeout=3600, preexec_fn=limit)
        except subprocess.TimeoutExpired:
            return None, 0, "waits for something"
        if done.returncode == 2:
            return None, 0, UNKNOWN
        if done.returncode in (-signal.SIGXCPU, -signal.SIGKILL):
            return None, 0, "no answer within 60 s of processor"
        if done.returncode != 0:
            return None, 0, f"ended with {done.returncode}: {done.stderr.strip()[-60:]}"
        seconds, memory, verdict = done.stdout.rstrip("\n").split(" ", 2)
        return float(seconds), int(memory), verdict

    def missed_of(self, once, twice):
        (small, (first, _, _)), (size, (seconds, memory, _)) = once, twice
        missed = []
        if seconds is None or first is None:
            return ["answer"]
        if memory > MEMORY * size + MEMORY_ALWAYS:
            missed.append("memory")
        if not self.untimed and seconds > SECONDS + NANOSECONDS * 1e-9 * size:
            missed.append("time")
        if not self.untimed and first > 0.1 and seconds / first > DOUBLING * size / small / 2:
            missed.append("doubling")
        return missed

    def report(self, name, measure):
        """measure() -> two of (bytes of the file, (seconds, memory, verdict)), the second of twice the bytes"""
        once, twice = measure()
        if twice[1][2] == UNKNOWN:
            return
        for _ in range(2):  # the best of three, because other work affects the time
            if not {"time", "doubling"} & set(self.missed_of(once, twice)):
                break
            once, twice = (min(pair, key=lambda each: each[1][0] or 0) for pair in zip((once, twice), measure()))
        missed = self.missed_of(once, twice)
        (_, (first, _, _)), (size, (seconds, memory, verdict)) = once, twice
        first, seconds = first or 0, seconds or 0
        ratio = seconds / first if first > 0.1 else 0
        self.missed += bool(missed)
        ratio = f"{ratio:.2f}" if ratio else "-"
        print(f"{name:46.46} {size / MB:8.2f} {seconds:8.3f} {seconds * 1e9 / size:8.1f} {ratio:>8} {memory / MB:8.0f} {memory / size:7.1f}  "
              f"{'MISSED: ' + ', '.join(missed) if missed else verdict[:1]} {verdict[1:].split('/')[-1][:70] if verdict[:1] == '-' or missed else ''}", flush=True)

    def of_file(self, parser, name, file_name, size, make):
        def measure():
            for factor in (0.5, 1):
                wanted = max(1, int(size * self.share * factor))
                file = self.folder / file_name
                file.write_bytes(make(self.folder, wanted) if make is index_without_last else make(wanted))
                size_of_all = sum(each.stat().st_size for each in self.folder.iterdir())
                yield size_of_all, self.measured(parser, self.folder if file_name == "config.json" else file)
                for each in self.folder.iterdir():
                    each.unlink()

        self.report(name, measure)

    def of_encoding(self, name, tokenizer, make):
        if isinstance(tokenizer, str):
            (self.folder / "tokenizer.json").write_text(tokenizer)
            tokenizer = self.folder / "tokenizer.json"

        def measure():
            for factor in (0.5, 1):
                text = self.folder / "text"
                text.write_bytes(make(max(1, int(MB * self.share * factor))))
                yield text.stat().st_size, self.measured("encode", tokenizer, text)

        self.report(f"1 MB of text, {name}", measure)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("names", nargs="*", help="only cases that hold one of these")
    parser.add_argument("--share", type=float, default=1, help="of the size of each file")
    parser.add_argument("--untimed", action="store_true")
    options = parser.parse_intermixed_args()
    print(f"{'file':46} {'MB':>8} {'seconds':>8} {'ns/byte':>8} {'doubling':>8} {'memory':>8} {'x file':>7}")
    shared = "/dev/shm" if pathlib.Path("/dev/shm").is_dir() else None
    with tempfile.TemporaryDirectory(dir=shared) as folder:
        costs = Costs(options.program.resolve(), pathlib.Path(folder), options.share, options.untimed)

        def wanted(name):
            return not options.names or any(each in name for each in options.names)

        for case in cases():
            if wanted(case[1]):
                costs.of_file(*case)
        for case in encodings():
            if wanted(case[0]):
                costs.of_encoding(*case)
    print(f"{costs.missed} missed their limits")
    sys.exit(costs.missed > 0)


if __name__ == "__main__":
    main()
