"""Makes gguf_pre.json: ids of texts under the patterns that llama.cpp gives the names in tokenizer.ggml.pre
(src/llama-vocab.cpp, September 2026), by the tokenizers library: matches are pieces of their own, one pattern after the
other, with the byte-level vocabulary of gpt2/tokenizer.json; and under BPE of characters, as Gemma 4 has it, that of
gemma/tokenizer.json.

Made with Python 3.11, tokenizers 0.23.3:
    python make_gguf_pre.py
"""
import json
import pathlib

import tokenizers
from tokenizers import Regex, Tokenizer, normalizers, pre_tokenizers

FOLDER = pathlib.Path(__file__).parent
GPT2 = r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"
QWEN2 = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
O200K = (r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?|"
         r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?|"
         r"\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+")
NAMES = {
    "gigachat": [GPT2], "granite-docling": [GPT2], "modern-bert": [GPT2], "kormo": [QWEN2], "f2llmv2": [QWEN2],
    "talkie": [O200K], "minimax-m2": [O200K],
    "joyai-llm": [r"\p{N}{1,3}", "[一-龥぀-ゟ゠-ヿ]+",
                  r"[!\"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+| ?[\p{P}\p{S}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"],
    "deepseek-coder": [r"[\r\n]", r"\s?\p{L}+", r"\s?\p{P}+", "[一-龥ࠀ-一가-\ud7ff]+", r"\p{N}"],
    "falcon": [r"[\p{P}\$\+<=>\^~\|`]+", GPT2, "[0-9][0-9][0-9]"],
    "poro-chat": [r" ?[^(\s|.,!?…。，、।۔،)]+"], "bloom": [r" ?[^(\s|.,!?…。，、।۔،)]+"],
    "gpt3-finnish": [r" ?[^(\s|.,!?…。，、।۔،)]+"], "viking": [r" ?[^(\s|.,!?…。，、।۔،)]+", r"\p{N}"],
    "tiny_aya": [r"\d{1,3}(?=(?:\d{3})*\b)", O200K], "cohere2moe": [r"\d{1,3}(?=(?:\d{3})*\b)", O200K],
    "exaone-moe": [r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?(?:\p{L}\p{M}*(?: \p{L}\p{M}*)*)+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n/]?|\s*[\r\n]|\s+(?!\S)|\s+"],
    "minicpm5": [r"\p{N}{1,3}", r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}+| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"],
}
TEXTS = ["", " ", "the other end of the text", "The Reader's 12345 thing's 1,234,567 e1f2", "  two  spaces\n\n\tand\r\nlines ",
         "don't I'LL we'D (note) [x] $5 + <b> ~`|^", "über dem Fluß, naïve café", "日本語のテキスト, 한국어 12", "a.b,c!d?e…f", "x1234y 99 bottles", "नमस्ते दुनिया ।"]


def ids(tokenizer):
    return [tokenizer.encode(text, add_special_tokens=False).ids for text in TEXTS]


def main():
    made = {}
    for name, patterns in NAMES.items():
        model = json.loads((FOLDER / "gpt2/tokenizer.json").read_text())
        model["model"]["ignore_merges"] = name == "minicpm5"
        tokenizer = Tokenizer.from_str(json.dumps(model))
        splits = [pre_tokenizers.Split(Regex(pattern), "isolated") for pattern in patterns]
        tokenizer.pre_tokenizer = pre_tokenizers.Sequence([*splits, pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)])
        made[name] = ids(tokenizer)
    characters = Tokenizer.from_file(str(FOLDER / "gemma/tokenizer.json"))
    characters.normalizer = normalizers.Replace(" ", "\u2581")
    characters.pre_tokenizer = pre_tokenizers.Split(" ", "merged_with_previous")
    made["gemma4"] = ids(characters)
    out = {"made_with": {"tokenizers": tokenizers.__version__}, "texts": TEXTS, "ids": made}
    (FOLDER / "gguf_pre.json").write_text(json.dumps(out, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
