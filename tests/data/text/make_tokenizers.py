"""Small tokenizer.json files of every known kind, and what the `tokenizers` library makes of the texts.

Writes beside this file NAME/tokenizer.json, golden/NAME.json and texts.json. Made with tokenizers 0.23.3; trained on
the Apache licence of Debian 12 (/usr/share/common-licenses/Apache-2.0) and the snippets of texts.py.
"""
import base64
import json
import pathlib
import sys
import tempfile

import sentencepiece
from tokenizers import AddedToken, Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers

import golden
import texts

HERE = pathlib.Path(__file__).parent

GPT2 = r"""'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"""
LLAMA3 = (r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|"
          r"\s*[\r\n]+|\s+(?!\S)|\s+")
QWEN2 = LLAMA3.replace(r"\p{N}{1,3}", r"\p{N}")
QWEN35 = QWEN2.replace(r"?\p{L}+", r"?[\p{L}\p{M}]+").replace(r"[^\s\p{L}\p{N}]", r"[^\s\p{L}\p{M}\p{N}]")
SEED = (r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1}| ?[^\s\p{L}\p{N}\r\n]+|\s*[\r\n]+|\s+(?!\S)|\s+")
CONTRACTION = "(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
UPPER, LOWER = r"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]", r"[\p{Ll}\p{Lm}\p{Lo}\p{M}]"
O200K = (rf"[^\r\n\p{{L}}\p{{N}}]?{UPPER}*{LOWER}+{CONTRACTION}|[^\r\n\p{{L}}\p{{N}}]?{UPPER}+{LOWER}*{CONTRACTION}|"
         r"\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+")
TEKKEN = O200K.replace(CONTRACTION, "").replace(r"\p{N}{1,3}", r"\p{N}")
DEEPSEEK3 = ("[!\"#$%&'()*+,\\-./:;<=>?@\\[\\\\\\]^_`{|}~][A-Za-z]+|[^\r\n\\p{L}\\p{P}\\p{S}]?[\\p{L}\\p{M}]+|"
             " ?[\\p{P}\\p{S}]+[\r\n]*|\\s*[\r\n]+|\\s+(?!\\S)|\\s+")
# Patterns that no scanner knows: newer spelling of cl100k with possessive quantifiers; words by \\b, \\w and look-behind;
# scripts, digits and case by properties.
POSSESSIVE = (r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}?| ?[^\s\p{L}\p{N}]++[\r\n]*+|\s++$|"
              r"\s*[\r\n]|\s+(?!\S)|\s")
WORDS = r"\b\w+(?:['’]\w+)*\b|(?<=\d)[.,](?=\d)|[^\w\s]{2,}|^\s+|\W"
SCRIPTS = r"[\p{Han}\u3040-\u30ff]+|\p{Lu}+(?=\p{Lu}\p{Ll})|\p{Lu}?[\p{Ll}\p{M}]+|\d{1,2}|[\p{P}\p{S}]+|[^\S ]"
CLASSES = (r"[\p{Han}]+|" + O200K.replace(r"\p{M}]", r"\p{M}&&[^\p{Han}]]").replace(r"[^\s\p{L}\p{N}]+", r"[^(\s|[\p{L}\p{N}])]+"))  # of classes
WITH_LONG_RUNS = ("gpt2_prefix", "llama3", "qwen2", "smollm", "o200k", "deepseek3", "llama2", "gemma", "unigram",
                  "regex_possessive", "regex_words", "regex_scripts")


def split(pattern, behavior="isolated", invert=False):
    return pre_tokenizers.Split(Regex(pattern), behavior, invert)


def byte_level(prefix=False, regex=True):
    return pre_tokenizers.ByteLevel(add_prefix_space=prefix, use_regex=regex)


def sequence(*steps):
    return pre_tokenizers.Sequence(list(steps))


def template(tokenizer, before=None, after=None):
    names = [name for name in (before, after) if name]
    single = " ".join(part for part in (before, "$A", after) if part)
    return processors.TemplateProcessing(single=single, pair=single + " $B", special_tokens=[
        (name, tokenizer.token_to_id(name)) for name in names])


def train(pre, normalizer=None, vocabulary=560, whole_alphabet=True, added=(), **model):
    """Byte-level BPE."""
    tokenizer = Tokenizer(models.BPE(**model))
    if normalizer:
        tokenizer.normalizer = normalizer
    tokenizer.pre_tokenizer = pre
    alphabet = pre_tokenizers.ByteLevel.alphabet() if whole_alphabet else []
    first = [model["unk_token"]] if "unk_token" in model else []
    tokenizer.train_from_iterator(texts.corpus(), trainers.BpeTrainer(
        vocab_size=vocabulary, initial_alphabet=sorted(alphabet), special_tokens=first, show_progress=False))
    tokenizer.add_special_tokens([AddedToken("<|endoftext|>", special=True, normalized=False),
                                  AddedToken("<|end|>", special=True, normalized=False),
                                  AddedToken("<|end|>of", special=True, normalized=False)])
    tokenizer.add_tokens(list(added))
    tokenizer.decoder = decoders.ByteLevel()
    return tokenizer


def make_byte_level():
    result = {}
    result["gpt2"] = train(byte_level())
    result["gpt2"].post_processor = processors.ByteLevel(trim_offsets=False)
    result["gpt2_prefix"] = train(byte_level(prefix=True), added=[AddedToken("  ", normalized=True)])
    result["gpt2_prefix"].post_processor = processors.ByteLevel(trim_offsets=True, add_prefix_space=True)

    llama = train(sequence(split(LLAMA3), byte_level(regex=False)), ignore_merges=True)
    llama.post_processor = processors.Sequence([
        processors.ByteLevel(trim_offsets=True, add_prefix_space=True), template(llama, before="<|endoftext|>")])
    result["llama3"] = llama

    result["qwen2"] = train(sequence(split(QWEN2), byte_level(regex=False)), normalizers.NFC(), added=[
        AddedToken("<think>", special=False, normalized=False), AddedToken("naïve", special=False, normalized=True)])
    result["qwen2"].post_processor = processors.ByteLevel(trim_offsets=False, add_prefix_space=False)

    # As in SmolLM's own files the alphabet is only what was seen, so that some bytes have no token.
    smollm = train(sequence(pre_tokenizers.Digits(individual_digits=True), byte_level()),
                   vocabulary=470, whole_alphabet=False, added=[
        AddedToken("<left>", lstrip=True, special=True, normalized=False),
        AddedToken("<right>", rstrip=True, special=True, normalized=False),
        AddedToken("word", single_word=True, normalized=False), AddedToken("<both>", lstrip=True, rstrip=True)])
    smollm.post_processor = template(smollm, after="<|end|>")
    result["smollm"] = smollm

    result["unknown"] = train(byte_level(), vocabulary=350, whole_alphabet=False, unk_token="<unk>")
    result["unknown_fused"] = train(byte_level(), vocabulary=350, whole_alphabet=False, unk_token="<unk>", fuse_unk=True)
    # What llama.cpp does where a GGUF file names the rule "default".
    result["default"] = train(sequence(
        split(r"[\p{P}\$\+<=>\^~\|]+"), split(GPT2), pre_tokenizers.Digits(individual_digits=False),
        split("[0-9][0-9][0-9]"), byte_level(regex=False)))
    result["inverted"] = train(sequence(split(GPT2, "removed", True), byte_level(regex=False)))

    for name, pattern in [("o200k", O200K), ("tekken_pattern", TEKKEN), ("qwen35", QWEN35), ("seed", SEED)]:
        result[name] = train(sequence(split(pattern), byte_level(regex=False)))
    for name, pattern in [("regex_possessive", POSSESSIVE), ("regex_words", WORDS), ("regex_scripts", SCRIPTS),
                          ("regex_classes", CLASSES)]:
        result[name] = train(sequence(split(pattern), byte_level(regex=False)))
    result["deepseek3"] = train(sequence(split(r"\p{N}{1,3}"), split("[一-龥\u3040-ゟ゠-ヿ]+"), split(DEEPSEEK3), byte_level(regex=False)))
    result["cohere"] = train(sequence(pre_tokenizers.Digits(individual_digits=True), byte_level()), normalizers.NFC())
    result["cohere"].post_processor = template(result["cohere"], before="<|endoftext|>")
    result["punctuation"] = train(sequence(pre_tokenizers.Punctuation("contiguous"), pre_tokenizers.Digits(False),
                                           split(" ", "merged_with_next"), byte_level()), normalizers.NFKC())
    result["behaviors"] = train(sequence(
        pre_tokenizers.Punctuation("merged_with_previous"), pre_tokenizers.Whitespace(), split(r"\p{N}", "removed"),
        byte_level(prefix=True)), normalizers.NFD())
    return result


def scored(vocabulary, **options):
    """A SentencePiece model of the corpus, as [(piece, score), ...] with the unknown piece and the bytes first."""
    with tempfile.TemporaryDirectory() as folder:
        sentencepiece.SentencePieceTrainer.train(
            sentence_iterator=iter(line for text in texts.corpus() for line in text.split("\n")), vocab_size=vocabulary,
            model_prefix=f"{folder}/m", hard_vocab_limit=False, minloglevel=2, normalization_rule_name="identity", **options)
        model = sentencepiece.SentencePieceProcessor(model_file=f"{folder}/m.model")
    return [(model.id_to_piece(i), model.get_score(i)) for i in range(len(model))]


def character_pairs(pieces, fallback=True, **options):
    """The BPE that transformers' converter makes of such pieces: merges in the order of the results' scores."""
    ids = {piece: i for i, (piece, _) in enumerate(pieces)}
    merges = []
    for piece, score in pieces:
        local = [(piece[:cut], piece[cut:]) for cut in range(1, len(piece)) if piece[:cut] in ids and piece[cut:] in ids]
        merges += [(pair, score) for pair in sorted(local, key=lambda pair: (ids[pair[0]], ids[pair[1]]))]
    merges = [pair for pair, _ in sorted(merges, key=lambda entry: -entry[1])]
    return Tokenizer(models.BPE(ids, merges, byte_fallback=fallback, **options))


def with_specials(tokenizer, normalized=False, **flags):
    tokenizer.add_special_tokens([AddedToken(text, normalized=normalized, special=True) for text in ("<unk>", "<s>", "</s>")])
    tokenizer.add_tokens([AddedToken("<user>", normalized=False, **flags), AddedToken("xyz", normalized=True)])
    return tokenizer


def make_character_pairs():
    bytes_too = scored(700, model_type="bpe", byte_fallback=True, character_coverage=0.98, split_digits=True)
    gemma = scored(700, model_type="bpe", byte_fallback=True, character_coverage=0.98, add_dummy_prefix=False,
                   remove_extra_whitespaces=False, allow_whitespace_only_pieces=True)
    plain = scored(640, model_type="bpe", character_coverage=0.98)
    spaces = normalizers.Replace(" ", "▁")
    result = {}
    result["llama2"] = with_specials(character_pairs(bytes_too, unk_token="<unk>", fuse_unk=True))
    result["llama2"].normalizer = normalizers.Sequence([normalizers.Prepend("▁"), spaces])
    result["llama2"].post_processor = template(result["llama2"], before="<s>")
    # Special tokens that are normalised are looked for with the prefix, and one takes white space with it (Phi 3).
    result["phi3"] = with_specials(character_pairs(bytes_too, unk_token="<unk>", fuse_unk=True), normalized=True, rstrip=True)
    result["phi3"].normalizer = result["llama2"].normalizer
    for scheme in ("first", "always", "never"):
        for parts in (False, True):
            name = f"metaspace_{scheme}" + ("_split" if parts else "")
            result[name] = with_specials(character_pairs(bytes_too, unk_token="<unk>", fuse_unk=True))
            result[name].pre_tokenizer = pre_tokenizers.Metaspace("▁", scheme, parts)
    result["gemma"] = with_specials(character_pairs(gemma, unk_token="<unk>", fuse_unk=True))
    result["gemma"].normalizer = spaces
    result["gemma"].pre_tokenizer = pre_tokenizers.Split(" ", "merged_with_previous")
    result["gemma"].post_processor = template(result["gemma"], before="<s>", after="</s>")
    result["pairs_unknown"] = with_specials(character_pairs(plain, fallback=False, unk_token="<unk>"))
    result["pairs_unknown"].normalizer = normalizers.Sequence([normalizers.NFKC(), normalizers.Strip(True, True), spaces])
    result["pairs_fused"] = with_specials(character_pairs(plain, fallback=False, unk_token="<unk>", fuse_unk=True, ignore_merges=True))
    result["pairs_fused"].pre_tokenizer = sequence(pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Metaspace("▁", "always", True))
    # Characters without a token are left out.
    result["pairs_left_out"] = with_specials(character_pairs([pair for pair in plain if pair[0] != "<unk>"], fallback=False))
    result["pairs_left_out"].normalizer = normalizers.Sequence([normalizers.NFKD(), spaces])
    # Only some bytes have tokens.
    some = [pair for pair in bytes_too if not (pair[0].startswith("<0xE") or pair[0].startswith("<0x9"))]
    for name, fused in (("pairs_some_bytes", False), ("pairs_some_bytes_fused", True)):
        result[name] = with_specials(character_pairs(some, unk_token="<unk>", fuse_unk=fused))
        result[name].normalizer = spaces
    return result


def charsmap():
    """Precompiled rules: a part of NFKC, foldings that make text longer, shorter and empty."""
    rules = ["41\t61", "49\t69", "FF21\t41", "FF22\t42", "3000\t20", "A0\t20", "9\t20", "A\t20", "D\t20", "2028\t20", "AD\t", "200B\t",
             "FEFF\t", "1E\t", "1\t", "FB01\t66 69", "FB03\t66 66 69", "2122\t54 4D", "BD\t31 2F 32", "65 301\te9", "65 301 323\t1eb9 301",
             "2460\t31", "FF76 FF9E\t30AC", "FF76\t30AB", "1112 1161 11AB\tD55C", "2126\t3A9", "17F\t73", "3314\t30AD 30ED", "F1\t6e 303",
             "1F44D\t2B 31", "1F44D 1F3FD\t2B", "DF\t73 73", "0E33\t0E4D 0E32", "64A\t649", "4E2D\t4E00 4E8C 4E09", "212B\tC5"]
    with tempfile.TemporaryDirectory() as folder:
        pathlib.Path(f"{folder}/rules.tsv").write_text("\n".join(rules) + "\n")
        sentencepiece.SentencePieceTrainer.train(
            sentence_iterator=iter(["ab ba"] * 5), vocab_size=8, model_prefix=f"{folder}/m", minloglevel=2,
            hard_vocab_limit=False, normalization_rule_tsv=f"{folder}/rules.tsv")
        from sentencepiece import sentencepiece_model_pb2
        model = sentencepiece_model_pb2.ModelProto.FromString(pathlib.Path(f"{folder}/m.model").read_bytes())
    return model.normalizer_spec.precompiled_charsmap


def make_unigrams():
    plain = scored(640, model_type="unigram", character_coverage=0.98)
    bytes_too = scored(700, model_type="unigram", byte_fallback=True, character_coverage=0.98)
    rules = charsmap()
    result = {}
    result["unigram"] = with_specials(Tokenizer(models.Unigram(plain, 0)))
    result["unigram"].normalizer = normalizers.Sequence([
        normalizers.Precompiled(rules), normalizers.Strip(left=False, right=True), normalizers.Replace(Regex(" {2,}"), "▁")])
    result["unigram"].pre_tokenizer = pre_tokenizers.Metaspace("▁", "always", True)
    result["unigram"].post_processor = template(result["unigram"], after="</s>")
    result["unigram_whole"] = with_specials(Tokenizer(models.Unigram(plain, 0)))
    result["unigram_whole"].pre_tokenizer = pre_tokenizers.Metaspace("▁", "first", False)
    result["unigram_bytes"] = with_specials(Tokenizer(models.Unigram(bytes_too, 0, True)))
    result["unigram_bytes"].normalizer = normalizers.Sequence([normalizers.Precompiled(rules), normalizers.NFC(), normalizers.Replace(" ", "▁")])
    return result


def write_tokenizer(name, tokenizer):
    data = json.loads(tokenizer.to_str())
    if name in ("gpt2", "smollm", "unknown"):  # the older spelling of merges
        data["model"]["merges"] = [" ".join(pair) for pair in data["model"]["merges"]]
    (HERE / name).mkdir(exist_ok=True)
    (HERE / name / "tokenizer.json").write_text(json.dumps(data, ensure_ascii=False, separators=(",", ":")) + "\n")


def encoder(tokenizer, special):
    def encode(text):
        encoding = tokenizer.encode(text, add_special_tokens=special)
        starts = golden.byte_starts(text)
        return encoding.ids, [starts[edge] for pair in encoding.offsets for edge in pair]
    return encode


def main():
    golden.write_texts()
    for name, tokenizer in {**make_byte_level(), **make_character_pairs(), **make_unigrams()}.items():
        if len(sys.argv) > 1 and name not in sys.argv[1:]:
            continue
        write_tokenizer(name, tokenizer)
        tokenizer = Tokenizer.from_file(str(HERE / name / "tokenizer.json"))
        golden.write(name, name, encoder(tokenizer, False), encoder(tokenizer, True), tokenizer.get_vocab_size(), name in WITH_LONG_RUNS)


if __name__ == "__main__":
    main()
