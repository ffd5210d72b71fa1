"""Times tokenizers of every kind and their reference libraries, side by side on the same 10 MB text.

    python tokenizer_benchmark.py --program build/release/bin/tokenizer_benchmark [--size 10000000]
                                  [--repeats 3] [MODEL ...]

MODEL is a folder with tokenizer.json, tokenizer.model or tekken.json; without one the small ones of tests/data/text are
taken. Both libraries encode with one thread; the numbers are megabytes per second of processor time, the median of the
repeats. "same" is true if the ids are equal.

The Python that runs this needs tokenizers, sentencepiece and mistral_common.
"""
import argparse
import hashlib
import json
import os
import pathlib
import random
import statistics
import subprocess
import sys
import tempfile
import time

os.environ["RAYON_NUM_THREADS"] = "1"
os.environ["TOKENIZERS_PARALLELISM"] = "false"
DATA = pathlib.Path(__file__).parents[1] / "data" / "text"
KINDS = ["gpt2", "llama3", "qwen2", "o200k", "deepseek3", "cohere", "llama2", "metaspace_always_split", "gemma", "unigram", "unigram_whole",
         "spm_llama", "spm_gemma", "spm_unigram", "tekken"]


def text_of(size):
    """Prose, code, numbers and many scripts, in a random order."""
    sys.path.insert(0, str(DATA))
    import texts
    words = texts.licence().split() + [word for line in texts.LANGUAGES + [texts.MIXED, texts.CHINESE] for word in line.split()]
    lines = texts.CODE.split("\n")
    draw, parts, done = random.Random(1), [], 0
    while done < size:
        kind = draw.random()
        part = (" ".join(draw.choice(words) for _ in range(12)) + "\n" if kind < 0.8 else draw.choice(lines) + "\n" if kind < 0.9
                else f"{draw.randrange(10 ** 9)} {draw.random()}\n")
        parts.append(part)
        done += len(part.encode())
    return "".join(parts)


def reference(folder):
    if (folder / "tokenizer.json").exists():
        from tokenizers import Tokenizer
        tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        return "tokenizers", lambda text: tokenizer.encode(text, add_special_tokens=False).ids
    if (folder / "tokenizer.model").exists():
        import sentencepiece
        model = sentencepiece.SentencePieceProcessor(model_file=str(folder / "tokenizer.model"))
        return "sentencepiece", model.encode
    from mistral_common.tokens.tokenizers.tekken import Tekkenizer
    tekken = Tekkenizer.from_file(folder / "tekken.json")
    return "mistral_common", lambda text: tekken.encode(text, bos=False, eos=False)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True)
    parser.add_argument("--size", type=int, default=10_000_000)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("models", nargs="*", type=pathlib.Path)
    options = parser.parse_args()
    text = text_of(options.size)
    megabytes = len(text.encode()) / 1e6
    print(f"{megabytes:.1f} MB\n{'tokenizer':28} {'library':15} {'ours MB/s':>10} {'its MB/s':>10} {'ratio':>7} {'open s':>7}  same")
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "text.txt"
        file.write_text(text)
        for model in options.models or [DATA / kind for kind in KINDS]:
            name, encode = reference(model)
            own, others, digest = [], [], ""
            for _ in range(options.repeats):
                printed = json.loads(subprocess.run([options.program, str(model), str(file)], check=True, capture_output=True, text=True).stdout)
                own.append(printed["encode"][0])
                start = time.process_time()
                ids = encode(text)
                others.append(time.process_time() - start)
                digest = hashlib.sha256(b"".join(i.to_bytes(4, "little") for i in ids)).hexdigest()
            a, b = megabytes / statistics.median(own), megabytes / statistics.median(others)
            print(f"{model.name:28} {name:15} {a:10.1f} {b:10.1f} {a / b:7.2f} {printed['open']:7.2f}  {'yes' if digest == printed['sha256'] else 'NO'}",
                  flush=True)


if __name__ == "__main__":
    main()
