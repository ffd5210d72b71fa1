"""Runs the fuzz targets: fuzz.py BUILD [--seconds N] [--patience S] [NAME ...], and prints a table.

The first inputs of each come from the test data; what is found new is kept in BUILD/corpus, findings in BUILD/findings.
Ends with 1 when there is a finding.
"""
import argparse
import html
import json
import pathlib
import re
import shutil
import struct
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

CARRIED = html.escape((DATA / "versions/0.1.0/figure.json").read_text())
FIGURE_WORDS = ["program", "plastiscope", "figure", "<desc>", "</desc>", "<![CDATA[", "]]>", "<!ENTITY a ", "&a;", "&quot;", "&lt;", "&#0;",
                "<?xml version=", "<!--", "-->", *JSON_WORDS]
CONTENT = json.dumps(json.loads((DATA / "versions/0.1.0/session.json").read_text())["content"])


def unit():
    """Returns a finished unit of one row and two tokens in the layout of the target."""
    header = {"__metadata__": {"format": "plastiscope-unit", "format_version": "1", "example": "0", "id": "a", "settings_hash": "b"}}
    parts = [f"layers/00/{kind}/{part}" for kind in ("query", "key") for part in ("position", "bucket", "vectors/00", "vectors/01")]
    offset = 0
    for name, kind, shape, size in [*((part, "I32", [1], 4) if "vectors" not in part else (part, "F16", [1, 2], 4) for part in parts),
                                    ("loss/nll", "F32", [2], 8)]:
        header[name] = {"dtype": kind, "shape": shape, "data_offsets": [offset, offset + size]}
        offset += size
    text = json.dumps(header, sort_keys=True, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    return struct.pack("<Q", len(text)) + text + bytes(offset)


# Patterns of test data, texts or bytes, and words of the dictionary, by target.
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
    "unit": ([], [unit()], ["__metadata__", "plastiscope-unit", "position", "bucket", "vectors", "loss/nll", "dtype", "shape", "F16", "F32", *JSON_WORDS]),
    "parquet": (["text/records/*.parquet", "qk_sniffer/**/*.parquet"], [],
                ["PAR1", "bucket", "example_id", "position", "vector", "list", "element", "sliding_window", "token_str",
                 "\\x16\\xfe" + "\\xff" * 8 + "\\x01"]),
    "session": ([], [CONTENT, '{"tabs": [{"file": "a.h5", "compared": ["b.h5"], "compare": {"against": 2}, "looks": {"a": 1}, "new": {"a": 1}}]}',
                     '{"tabs": [{"file": "", "benchmark": {"scores": "a.csv"}, "selection": {"head": "L0H1", "several": "L0H1,L1H1", '
                     '"zoom": {"plane": [0, 1, 0, 1]}, "cell": [1, 2], "rows": {"examples": "0-3"}, "axes": ["a", "b", "c"]}}]}'],
                ("tabs current studies file compared compare selection benchmark looks head several marked metric filter order axes zoom plane cell "
                 "rows examples positions row_colour against hidden_rows L0H1").split() + JSON_WORDS),
    "settings": ([], ['{"theme": "dark", "font_points": 9, "model_folders": ["a"], "threads": 2, "device": "cpu", "screen_dpi": 96, '
                      '"recent_files": [{"path": "a.h5", "opened": 1, "note": "b", "architecture": "llama"}], "looks": [["a", 1]], "new": 1}'],
                 ("theme system light font_points model_folders capture_folder restore_session intervals metric_colours map_colours viridis "
                  "threads device screen_dpi recent_files path opened note architecture looks").split() + JSON_WORDS),
    "notes": ([], ['{"study": "a", "heads": {"L0H1": "b", "l2h3": "c"}, "starred": ["L0H1", "L4H0"]}'],
              "study heads starred L0H1 L12H6 all stratified: capture".split() + JSON_WORDS),
    "figure_svg": ([], [f'<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg"><title>a</title><desc>{CARRIED}</desc></svg>',
                        "<svg><desc>Plastiscope 0.1.0</desc></svg>"], FIGURE_WORDS),
    "figure_pdf": ([], [f'%PDF-1.4\n<x:xmpmeta xmlns:x="adobe:ns:meta/"><plastiscope:provenance xmlns:plastiscope="urn:plastiscope:provenance:1">'
                        f"{CARRIED}</plastiscope:provenance></x:xmpmeta>", b"%PDF-1.4\n/Creator (\xfe\xff" + "Plastiscope 0.1.0)".encode("utf-16-be")],
                   ["%PDF-", "<x:xmpmeta", "</x:xmpmeta>", "<provenance>", "</provenance>", "/Creator (\\xfe\\xff", *FIGURE_WORDS]),
    "figure_html": ([], [f'<meta name="generator" content="Plastiscope 0.1.0"><script type="application/json" id="provenance">'
                         f"{html.unescape(CARRIED)}</script>"], ['<script type=\\"application/json\\" id=\\"provenance\\">', "</script>", *FIGURE_WORDS]),
}

OPTIONS = {"study": ["-detect_leaks=0"]}  # HDF5 leaks a little memory for refused files


def prepare(name, build):
    """Returns the folder of initial inputs and the dictionary of a target."""
    patterns, texts, words = SEEDS[name]
    folder = build / "corpus" / name
    folder.mkdir(parents=True, exist_ok=True)
    paths = [path for pattern in patterns for path in sorted(DATA.glob(pattern)) if path.stat().st_size <= LARGEST.get(name, LARGEST_OTHER)]
    for number, path in enumerate(paths):
        shutil.copy(path, folder / f"{number}{path.suffix}")
    for number, text in enumerate(texts):
        (folder / f"text{number}").write_bytes(text if isinstance(text, bytes) else text.encode())
    dictionary = build / "corpus" / f"{name}.dict"
    dictionary.write_text("".join('"%s"\n' % (word if "\\" in word else word.replace('"', '\\"')) for word in words))
    return folder, dictionary


def run(name, build, seconds, patience):
    """Returns a line of the table and whether there was a finding."""
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
