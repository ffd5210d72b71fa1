"""Runs the fuzz targets: fuzz.py BUILD [--seconds N] [--patience S] [NAME ...], and prints a table.

The first inputs of each come from the test data; what is found new is kept in BUILD/corpus, findings in BUILD/findings.
Ends with 1 when there is a finding.
"""
import argparse
import pathlib
import re
import shutil
import subprocess
import sys

DATA = pathlib.Path(__file__).parent.parent / "data"
LARGEST = {"study": 1 << 17, "safetensors": 1 << 16, "gguf": 1 << 16, "config_gguf": 1 << 16}  # bytes of an input
LARGEST_OTHER = 1 << 15  # larger ones slow every step

JSON_WORDS = '{ } [ ] : , " \\\\u0000 \\\\ud800 true false null -0 1e999 18446744073709551615 0.5'.split()
CONFIG_WORDS = ("architectures model_type hidden_size num_attention_heads num_key_value_heads head_dim num_hidden_layers rope_theta "
                "rope_scaling rope_type factor yarn llama3 longrope sliding_window layer_types full_attention vocab_size "
                "max_position_embeddings quantization_config text_config").split()
TOKENIZER_WORDS = ("model vocab merges added_tokens content special normalizer pre_tokenizer post_processor decoder type BPE Unigram "
                   "ByteLevel Split pattern Regex behavior Isolated Removed Sequence Metaspace prepend_scheme TemplateProcessing "
                   "byte_fallback unk_token ignore_merges add_prefix_space normalized lstrip rstrip single_word").split()
GGUF_WORDS = ("general.architecture general.alignment tokenizer.ggml.model tokenizer.ggml.tokens tokenizer.ggml.scores "
              "tokenizer.ggml.token_type tokenizer.ggml.merges tokenizer.ggml.pre llama.block_count llama.rope.freq_base "
              "llama.attention.head_count llama.embedding_length GGUF").split()

# Patterns of test data, texts, and words of the dictionary, by target.
SEEDS = {
    "safetensors": (["weights/**/*.safetensors", "model/**/*.safetensors"], [],
                    ["dtype", "shape", "data_offsets", "__metadata__", "F32", "BF16", "F8_E4M3", "U8", *JSON_WORDS]),
    "gguf": (["weights/*.gguf", "model/*.gguf", "text/*/*.gguf"], [], GGUF_WORDS),
    "index": (["model/sharded/*.json"], ['{"weight_map": {"a": "a.safetensors"}}'], ["weight_map", "metadata", ".safetensors", "../", *JSON_WORDS]),
    "config_json": (["model/*/config.json", "families/*/config.json"], [], CONFIG_WORDS + JSON_WORDS),
    "config_gguf": (["model/*.gguf"], [], GGUF_WORDS),
    "tokenizer_json": (["text/*/tokenizer.json"], [], TOKENIZER_WORDS + JSON_WORDS),
    "tokenizer_model": (["text/*/tokenizer.model"], [], ["<unk>", "<s>", "<0x0A>"]),
    "tokenizer_tekken": (["text/tekken/tekken.json"], [], ["config", "vocab", "rank", "token_bytes", "special_tokens", "pattern", *JSON_WORDS]),
    "tokenizer_gguf": (["text/*/*.gguf", "model/*.gguf"], [], GGUF_WORDS),
    "texts": (["scores/*.jsonl"], ['{"id": 1, "text": "a"}\n{"id": "b", "context": "\\ud83d\\ude00", "kind": "a"}\n',
                                   '[{"text": "a"}, {"text": ""}]', '{"id": 0, "tokens": [1, 2, 3]}\n'],
              ["text", "context", "content", "document", "prompt", "id", "_id", "kind", "tokens", *JSON_WORDS]),
    "head_list": ([], ["L12H6,L3H0-7", "0-5,9", "all", "300", "stratified:24", " L0H0 , l1h1"], ["all", "stratified:", "L", "H", "-", ","]),
    "study": (["analysis/*.h5", "store/*.h5"], [], ["format", "plastiscope-capture", "plastiscope-analysis"]),
    "manifest": ([], ['{"bytes":12,"crc32":1,"example":0,"settings_hash":"a","sha256":"b","unit":"u.safetensors"}'],
                 ["example", "unit", "bytes", "sha256", "settings_hash", "crc32", "..", *JSON_WORDS]),
    "csv": (["analysis/*/heads.csv"], ["layer,head,s\n0,1,0.5\n1,2,\n", 'a,"b ""c"""\r\n\'=1,"x\ny"\n'], ['"', '""', ",", "\\x0d\\x0a", "'=", "\\xef\\xbb\\xbf"]),
    "sweep": ([], ['[defaults.capture]\nwindow = 512\n[[models]]\nname = "a"\npath = "a.gguf"\n[[texts]]\nname = "t"\ntext = ["a.txt"]\n'
                   '[[capture]]\nheads = "all"\n[[analyze]]\nbuckets = 32\n'],
              ["[defaults.capture]", "[defaults.analyze]", "[[models]]", "[[texts]]", "[[capture]]", "[[analyze]]", "name", "path", "heads", "window",
               "rate", "tokens", "= [", "true", "1e9", "inf", "1979-05-27"]),
    "head_filter": ([], ["ap_drop > 0.2 && layer < 10", "0.2 < ap_drop < 0.5 or not starred", "taxonomy == mixed", "L12",
                         'name != "L12H6"', "abs(ap_drop - 1) * min(layer, 3) / -2 >= max(head, 1)"],
                    ["ap_drop", "layer", "taxonomy", "name", "starred", "and", "or", "not", "&&", "||", "!=", "<=", "abs(", "min(", "max("]),
    "state": ([], ['{"tabs": [], "current": 0}', '{"format": "plastiscope-session", "version": 1, "crc32": 1, "content": {}}'],
              ["format", "plastiscope-session", "version", "content", "crc32", "tabs", *JSON_WORDS]),
}

OPTIONS = {"study": ["-detect_leaks=0"]}  # HDF5 keeps a little of files that it refuses


def prepare(name, build):
    """The folder of first inputs and the dictionary of a target."""
    patterns, texts, words = SEEDS[name]
    folder = build / "corpus" / name
    folder.mkdir(parents=True, exist_ok=True)
    paths = [path for pattern in patterns for path in sorted(DATA.glob(pattern)) if path.stat().st_size <= LARGEST.get(name, LARGEST_OTHER)]
    for number, path in enumerate(paths):
        shutil.copy(path, folder / f"{number}{path.suffix}")
    for number, text in enumerate(texts):
        (folder / f"text{number}").write_text(text)
    dictionary = build / "corpus" / f"{name}.dict"
    dictionary.write_text("".join('"%s"\n' % (word if "\\" in word else word.replace('"', '\\"')) for word in words))
    return folder, dictionary


def run(name, build, seconds, patience):
    """A line of the table, and whether there was a finding."""
    folder, dictionary = prepare(name, build)
    findings = build / "findings" / name
    findings.mkdir(parents=True, exist_ok=True)
    program = subprocess.run(
        [build / "fuzz" / f"fuzz_{name}", f"-max_total_time={seconds}", f"-timeout={patience}", "-rss_limit_mb=2048", "-malloc_limit_mb=256",
         f"-max_len={LARGEST.get(name, LARGEST_OTHER)}", f"-dict={dictionary}", f"-artifact_prefix={findings}/", "-print_final_stats=1", *OPTIONS.get(name, []), folder],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8", errors="replace")
    output = program.stdout
    (findings / "log").write_text(output)

    def last(pattern):
        return (re.findall(pattern, output) or ["-"])[-1]

    ended = re.search(r"(SUMMARY: .*|ERROR: libFuzzer: .*)", output)
    finding = (ended.group(1)[:100] if ended else f"exit {program.returncode}") if program.returncode else "none"
    print(f"| {name} | {last('number_of_executed_units: ([0-9]+)')} | {last('cov: ([0-9]+)')} | {last('corp: ([0-9]+)')} | "
          f"{last('slowest_unit_time_sec: *([0-9]+)')} | {last('peak_rss_mb: *([0-9]+)')} | {finding} |", flush=True)
    return bool(program.returncode)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--patience", type=int, default=10, help="seconds that one input may take")
    parser.add_argument("names", nargs="*", default=sorted(SEEDS))
    options = parser.parse_intermixed_args()
    print("| target | inputs run | edges reached | inputs kept | slowest (s) | memory (MiB) | finding |\n|---|---|---|---|---|---|---|")
    sys.exit(any([run(name, options.build.resolve(), options.seconds, options.patience) for name in options.names]))


main()
