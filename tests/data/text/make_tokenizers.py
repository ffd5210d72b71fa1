"""Small byte-level BPE tokenizers of every known kind, and what the `tokenizers` library makes of some texts.

Writes beside this file NAME/tokenizer.json and golden.json: for every tokenizer and text the ids and the byte
ranges ("offsets": begin, end, begin, end, ...; the library counts characters, here they are turned into bytes),
without and with special tokens. Made with tokenizers 0.23.3; trained on the Apache licence of Debian 12
(/usr/share/common-licenses/Apache-2.0) and the snippets below.
"""
import hashlib
import json
import pathlib
import random

from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers

HERE = pathlib.Path(__file__).parent
CHINESE = "注意力头把查询和键投影到同一个平面。模型在长文本中读取位置信息，窗口为四千个词元。图中显示每一层的偏差与可塑性。"
CODE = "def attention(query, key):\n    score = query @ key.T / math.sqrt(64)\n\treturn softmax(score, axis=-1)  # 0x1F\n"
EMOJI = "👍🏽 👩‍👩‍👧‍👦 🇩🇪 ❤️ 🧪😀 "
MIXED = "naïve café Ωμέγα Привет мир שלום עולם مرحبا हिन्दी ภาษาไทย 한국어 日本語テキスト ½ ² Ⅷ ١٢٣ ǅ ſ ﬁ"

GPT2 = r"""'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"""
LLAMA3 = (r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|"
          r"\s*[\r\n]+|\s+(?!\S)|\s+")
QWEN2 = LLAMA3.replace(r"\p{N}{1,3}", r"\p{N}")


WITH_LONG_RUNS = ("gpt2_prefix", "llama3", "qwen2", "smollm")


def corpus():
    licence = pathlib.Path("/usr/share/common-licenses/Apache-2.0").read_text()[:6000]
    return [licence, CHINESE * 3, CODE * 5, EMOJI * 3, MIXED, "It's we'll they've I'm 2024 1234567 3.14159 " * 4]


def split(pattern, behavior="isolated", invert=False):
    return pre_tokenizers.Split(Regex(pattern), behavior, invert)


def byte_level(prefix=False, regex=True):
    return pre_tokenizers.ByteLevel(add_prefix_space=prefix, use_regex=regex)


def train(pre, normalizer=None, vocabulary=560, whole_alphabet=True, added=(), **model):
    tokenizer = Tokenizer(models.BPE(**model))
    if normalizer:
        tokenizer.normalizer = normalizer
    tokenizer.pre_tokenizer = pre
    alphabet = pre_tokenizers.ByteLevel.alphabet() if whole_alphabet else []
    first = [model["unk_token"]] if "unk_token" in model else []
    tokenizer.train_from_iterator(corpus(), trainers.BpeTrainer(
        vocab_size=vocabulary, initial_alphabet=sorted(alphabet), special_tokens=first, show_progress=False))
    tokenizer.add_special_tokens([AddedToken("<|endoftext|>", special=True, normalized=False),
                                  AddedToken("<|end|>", special=True, normalized=False),
                                  AddedToken("<|end|>of", special=True, normalized=False)])
    tokenizer.add_tokens(list(added))
    tokenizer.decoder = decoders.ByteLevel()
    return tokenizer


def make_all():
    result = {}
    result["gpt2"] = train(byte_level())
    result["gpt2"].post_processor = processors.ByteLevel(trim_offsets=False)
    result["gpt2_prefix"] = train(byte_level(prefix=True), added=[AddedToken("  ", normalized=True)])
    result["gpt2_prefix"].post_processor = processors.ByteLevel(trim_offsets=True, add_prefix_space=True)

    llama = train(pre_tokenizers.Sequence([split(LLAMA3), byte_level(regex=False)]), ignore_merges=True)
    bos = ("<|endoftext|>", llama.token_to_id("<|endoftext|>"))
    llama.post_processor = processors.Sequence([
        processors.ByteLevel(trim_offsets=True, add_prefix_space=True),
        processors.TemplateProcessing(single="<|endoftext|> $A", pair="<|endoftext|> $A $B", special_tokens=[bos])])
    result["llama3"] = llama

    result["qwen2"] = train(pre_tokenizers.Sequence([split(QWEN2), byte_level(regex=False)]), normalizers.NFC(), added=[
        AddedToken("<think>", special=False, normalized=False), AddedToken("naïve", special=False, normalized=True)])
    result["qwen2"].post_processor = processors.ByteLevel(trim_offsets=False, add_prefix_space=False)

    # As in SmolLM's own files the alphabet is only what was seen, so that some bytes have no token.
    smollm = train(pre_tokenizers.Sequence([pre_tokenizers.Digits(individual_digits=True), byte_level()]),
                   vocabulary=420, whole_alphabet=False, added=[
        AddedToken("<left>", lstrip=True, special=True, normalized=False),
        AddedToken("<right>", rstrip=True, special=True, normalized=False),
        AddedToken("word", single_word=True, normalized=False), AddedToken("<both>", lstrip=True, rstrip=True)])
    eos = ("<|end|>", smollm.token_to_id("<|end|>"))
    smollm.post_processor = processors.TemplateProcessing(single="$A <|end|>", pair="$A $B", special_tokens=[eos])
    result["smollm"] = smollm

    result["unknown"] = train(byte_level(), vocabulary=300, whole_alphabet=False, unk_token="<unk>")
    result["unknown_fused"] = train(byte_level(), vocabulary=300, whole_alphabet=False, unk_token="<unk>", fuse_unk=True)
    # What llama.cpp does where a GGUF file names the rule "default".
    result["default"] = train(pre_tokenizers.Sequence([
        split(r"[\p{P}\$\+<=>\^~\|]+"), split(GPT2), pre_tokenizers.Digits(individual_digits=False),
        split("[0-9][0-9][0-9]"), byte_level(regex=False)]))
    result["inverted"] = train(pre_tokenizers.Sequence([split(GPT2, "removed", True), byte_level(regex=False)]))
    return result


def write_tokenizer(name, tokenizer):
    data = json.loads(tokenizer.to_str())
    if name in ("gpt2", "smollm", "unknown"):  # the older spelling of merges
        data["model"]["merges"] = [" ".join(pair) for pair in data["model"]["merges"]]
    (HERE / name).mkdir(exist_ok=True)
    (HERE / name / "tokenizer.json").write_text(json.dumps(data, ensure_ascii=False, separators=(",", ":")) + "\n")


def texts():
    random.seed(3)
    licence = pathlib.Path("/usr/share/common-licenses/Apache-2.0").read_text()
    result = ["", " ", "  ", "a", "\n", "\r\n", "\t", "\0", "a\0b", "\ufeffstart", "\ufffd", CHINESE, CODE, EMOJI, MIXED]
    result += licence[700:2200].split("\n")[:14]
    result += ["It's", "IT'S", "it'ſ", "we'LL'Ve", "'s 's  'S", "don't''t", "I'm'd", "'", "''", "x'", "'re're", "'r", "'l"]
    result += ["1", "12", "123", "1234", "12345678901", "3.14", "½²Ⅷ", "١٢٣٤٥", "a1b22c333", "x² 10⁶", "1,000,000.00"]
    result += ["a  b", "a   b", " a", "  a", "a ", "a  ", "a\n\nb", "a \n b", "a\r\n\r\n b", "\n\n\n", " \n \n ", "\t\tx",
               "a\u00a0b", "a\u00a0\u00a0b", "\u3000全角\u3000", "a\u2003b\u2028c\u2029d", "\u200bx\u200b", "a\u0085b", "x\u180ey"]
    result += ["e\u0301", "e\u0301\u0323x", "\u1100\u1161\u11a8", "\u0958", "A\u030a\u212b", "x\u0301\u0301\u0301 y", "\u0301",
               "a\u0315\u0300\u05ae\u0300b", "\u1ea5\u0323c", "\u0344z", "nai\u0308ve naïve", "क्षि", "ก็"]
    result += ["<|endoftext|>", "a<|endoftext|>b", " <|endoftext|> ", "<|end|>", "<|end|>of", "<|end|>o", "<|end", "<|<|end|>|>",
               "<|end|><|end|>", "a <left> b <left>c", "<right>  \n d", "word", "words word, sword word", "wordword", "_word word_",
               "x <both>  y", " <both> <both> ", "<think>x</think>", "   <left>   <right>   ", "é word\u0301 word"]
    result += ["👍", "👍🏽", "👩‍👩‍👧‍👦", "🇩🇪🇫🇷", "❤️", "x👍y", " 👍", "🧪" * 5, "\U0001F1E6", "\u263a\ufe0f!"]
    result += ["!!!", "a!!!b", "?!\n\nx", "...\r\n", "$+<=>^~|", "a+b=c", "f(x)={1}", "https://a.b/c?d=e&f=1#g", "C:\\x\\y", "--- a/b"]
    result += ["\u4e00" * 9, "a" * 40, "ab" * 30, " " * 40, "=" * 40, "\u0301" * 12, "0" * 20, "\x04\x06\x13x\x14\x1dy", "\u0100\u0143ĠĊ"]
    pieces = ["a", "It", "'s", "'LL", " ", "  ", "\n", "\r", "\t", "1", "23", "½", "é", "e\u0301", "\u0323", "中", "文。", "👍", "\u200d", "<|end|>",
              "!", "?!", "word", "_", "\u00a0", "\u3000", "ſ", "\0", "<left>", "<right>", "<both>", "\U00010d40", "\U0002ebf0", "naïve"]
    result += ["".join(random.choice(pieces) for _ in range(random.randint(2, 9))) for _ in range(110)]
    return result


def encode(tokenizer, text, special):
    encoding = tokenizer.encode(text, add_special_tokens=special)
    starts = [0]
    for character in text:
        starts.append(starts[-1] + len(character.encode()))
    return encoding.ids, [starts[edge] for pair in encoding.offsets for edge in pair]


def long_runs(tokenizer):
    """Token counts of a megabyte of one thing, and SHA-256 of the ids as little-endian int32."""
    result = []
    for unit in ["a", " ", "\n", "\u0301", "ab", "!", "7", "中", "\r\n", " a", "x\u0301"]:
        text = unit * (1_000_000 // len(unit.encode()))
        ids = tokenizer.encode(text, add_special_tokens=False).ids
        digest = hashlib.sha256(b"".join(i.to_bytes(4, "little") for i in ids)).hexdigest()
        result.append({"unit": unit, "repeat": len(text) // len(unit), "tokens": len(ids), "sha256": digest})
    return result


def main():
    golden = {"texts": texts(), "mixed": MIXED, "tokenizers": {}}
    for name, tokenizer in make_all().items():
        write_tokenizer(name, tokenizer)
        tokenizer = Tokenizer.from_file(str(HERE / name / "tokenizer.json"))
        plain = [encode(tokenizer, text, False) for text in golden["texts"]]
        special_ids, special_offsets = encode(tokenizer, MIXED, True)
        golden["tokenizers"][name] = {
            "ids": [ids for ids, _ in plain], "offsets": [offsets for _, offsets in plain],
            "mixed_with_special": {"ids": special_ids, "offsets": special_offsets},
            "vocabulary": tokenizer.get_vocab_size(), "runs": long_runs(tokenizer) if name in WITH_LONG_RUNS else []}
        print(name, tokenizer.get_vocab_size())
    (HERE / "golden.json").write_text(json.dumps(golden, ensure_ascii=False, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    main()
