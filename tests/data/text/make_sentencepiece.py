"""Small SentencePiece models (tokenizer.model), the same as GGUF files of type "llama", a tekken.json, and what their
libraries make of the texts.

Writes beside this file NAME/tokenizer.model, NAME/vocabulary.gguf, tekken/tekken.json and golden/NAME.json. Made with
sentencepiece 0.2.3, mistral_common 1.13.1 (tiktoken 0.14.0) and gguf 0.19.0, after make_tokenizers.py, whose "tekken_pattern"
vocabulary the tekken.json takes over.
"""
import base64
import json
import pathlib
import sys
import tempfile

import gguf
import sentencepiece
from mistral_common.tokens.tokenizers.tekken import Tekkenizer
from sentencepiece import sentencepiece_model_pb2
from tokenizers import pre_tokenizers

import golden
import texts

HERE = pathlib.Path(__file__).parent
NORMAL, UNKNOWN, CONTROL, USER_DEFINED, UNUSED, BYTE = 1, 2, 3, 4, 5, 6
SYMBOLS = ["<user>", "▁▁", "▁▁▁▁", "\n\n", "word", "<|end|>"]


def train(vocabulary, **options):
    options = {"normalization_rule_name": "identity", **options}
    with tempfile.TemporaryDirectory() as folder:
        if "rules" in options:
            pathlib.Path(f"{folder}/rules.tsv").write_text("\n".join(options.pop("rules")) + "\n")
            options["normalization_rule_tsv"] = f"{folder}/rules.tsv"
        sentencepiece.SentencePieceTrainer.train(
            sentence_iterator=iter(line for text in texts.corpus() for line in text.split("\n")), vocab_size=vocabulary,
            model_prefix=f"{folder}/m", hard_vocab_limit=False, minloglevel=2, character_coverage=0.98, **options)
        return sentencepiece_model_pb2.ModelProto.FromString(pathlib.Path(f"{folder}/m.model").read_bytes())


RULES = ["41\t61", "FF21\t41", "FF21 301\t42", "3000\t20", "A0\t20", "9\t20", "A\t20", "D\t20", "AD\t", "200B\t", "1\t", "FB01\t66 69",
         "2122\t54 4D", "BD\t31 2F 32", "65 301\tE9", "65 301 323\t1EB9 301", "FF76 FF9E\t30AC", "FF76\t30AB", "2460\t31 20", "B2\t20 32"]


def make_models():
    llama = dict(model_type="bpe", byte_fallback=True, split_digits=True, remove_extra_whitespaces=False,
                 allow_whitespace_only_pieces=True)
    result = {}
    result["spm_llama"] = train(700, **llama)
    result["spm_gemma"] = train(700, **{**llama, "add_dummy_prefix": False}, user_defined_symbols=SYMBOLS)
    result["spm_bpe"] = train(560, model_type="bpe", rules=RULES, user_defined_symbols=["word", "<user>"])
    result["spm_bpe_suffix"] = train(700, **{**llama, "treat_whitespace_as_suffix": True})
    result["spm_unused"] = train(600, model_type="bpe")
    for i, piece in enumerate(result["spm_unused"].pieces):
        if piece.type == NORMAL and i % 3 == 0:
            piece.type = UNUSED
    result["spm_unigram"] = train(600, model_type="unigram", normalization_rule_name="nmt_nfkc")
    result["spm_unigram_bytes"] = train(700, model_type="unigram", byte_fallback=True, user_defined_symbols=SYMBOLS, rules=RULES,
                                        remove_extra_whitespaces=False)
    result["spm_unigram_suffix"] = train(600, model_type="unigram", treat_whitespace_as_suffix=True)
    for i, piece in enumerate(result["spm_unigram_suffix"].pieces):
        if piece.type == NORMAL and i % 7 == 0:
            piece.type = UNUSED
    for model in result.values():  # what no reader looks at
        model.trainer_spec.ClearField("model_prefix")
        model.normalizer_spec.ClearField("normalization_rule_tsv")
    return result


def encoder(model, before=0):
    processor = sentencepiece.SentencePieceProcessor(model_proto=model.SerializeToString())
    bos = [processor.bos_id()] * before

    def encode(text):
        pieces = processor.encode(text, return_type="proto").pieces
        return bos + [piece.id for piece in pieces], [0, 0] * before + [edge for piece in pieces for edge in (piece.begin, piece.end)]
    return encode


def write_gguf(path, model):
    """As llama.cpp's converter writes it; user-defined pieces have spaces there instead of their symbol."""
    writer = gguf.GGUFWriter(str(path), "llama")
    writer.add_tokenizer_model("llama")
    writer.add_tokenizer_pre("default")
    writer.add_token_list([p.piece.replace("▁", " ") if p.type == USER_DEFINED else p.piece for p in model.pieces])
    writer.add_token_scores([p.score for p in model.pieces])
    writer.add_token_types([p.type for p in model.pieces])
    writer.add_bos_token_id(1)
    writer.add_add_bos_token(True)
    writer.add_add_space_prefix(model.normalizer_spec.add_dummy_prefix)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.close()


def gguf_encoder(model, before=0):
    """Control tokens are found in the text, and what is between them is encoded by itself."""
    plain = encoder(model)
    control = {p.piece: i for i, p in enumerate(model.pieces) if p.type == CONTROL}

    def encode(text):
        ids, offsets, done = [1] * before, [0, 0] * before, 0

        def add(part):
            begin = len(text[:done].encode())
            more, ranges = plain(part)
            ids.extend(more)
            offsets.extend(begin + edge for edge in ranges)
        position = 0
        while position < len(text):
            found = next((name for name in control if text.startswith(name, position)), None)
            if not found:
                position += 1
                continue
            if position > done:
                add(text[done:position])
            ids.append(control[found])
            offsets.extend([len(text[:position].encode()), len(text[:position + len(found)].encode())])
            position = done = position + len(found)
        if done < len(text):
            add(text[done:])
        return ids, offsets
    return encode


def make_tekken():
    """Ranks: the bytes, then the tokens of the byte-level vocabulary in their order."""
    source = json.loads((HERE / "tekken_pattern" / "tokenizer.json").read_text())["model"]["vocab"]
    characters = pre_tokenizers.ByteLevel.alphabet()
    printable = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    byte_of = {chr(b): b for b in printable}
    byte_of.update({chr(0x100 + i): b for i, b in enumerate(b for b in range(256) if b not in printable)})
    assert set(byte_of) == set(characters)
    tokens = [bytes(byte_of[c] for c in text) for text in sorted(source, key=source.get)]
    ranked = [bytes([b]) for b in range(256)] + [token for token in tokens if len(token) > 1]
    special = [{"rank": i, "token_str": name, "is_control": True} for i, name in enumerate(["<unk>", "<s>", "</s>", "[INST]", "[/INST]"])]
    pattern = json.loads((HERE / "tekken_pattern" / "tokenizer.json").read_text())["pre_tokenizer"]["pretokenizers"][0]["pattern"]["Regex"]
    data = {"config": {"pattern": pattern, "num_vocab_tokens": len(ranked), "default_vocab_size": len(ranked) - 7 + 10,
                       "default_num_special_tokens": 10, "version": "v7"},
            "vocab": [{"rank": i, "token_bytes": base64.b64encode(token).decode(), "token_str": token.decode(errors="replace")}
                      for i, token in enumerate(ranked)],
            "special_tokens": special}
    (HERE / "tekken").mkdir(exist_ok=True)
    (HERE / "tekken" / "tekken.json").write_text(json.dumps(data, separators=(",", ":")) + "\n")
    return Tekkenizer.from_file(HERE / "tekken" / "tekken.json")


def tekken_encoder(tekken, before):
    """A token's range covers whole characters: those that its first and last byte belong to."""
    def encode(text):
        ids = tekken.encode(text, bos=before, eos=False)
        edges = set(golden.byte_starts(text))
        offsets, position = [], 0
        for token in ids[int(before):]:
            end = position + len(tekken._model.decode_single_token_bytes(token - tekken.num_special_tokens))
            offsets += [max(e for e in edges if e <= position), min(e for e in edges if e >= end)]
            position = end
        return ids, [0, 0] * int(before) + offsets
    return encode


def main():
    wanted = sys.argv[1:]
    for name, model in make_models().items():
        if wanted and name not in wanted:
            continue
        (HERE / name).mkdir(exist_ok=True)
        (HERE / name / "tokenizer.model").write_bytes(model.SerializeToString())
        golden.write(name, name, encoder(model), encoder(model, 1), len(model.pieces), name in ("spm_llama", "spm_unigram"))
    for name in ("spm_llama", "spm_gemma"):
        if wanted and "gguf_" + name not in wanted:
            continue
        model = sentencepiece_model_pb2.ModelProto.FromString((HERE / name / "tokenizer.model").read_bytes())
        write_gguf(HERE / name / "vocabulary.gguf", model)
        golden.write("gguf_" + name, name + "/vocabulary.gguf", gguf_encoder(model), gguf_encoder(model, 1), len(model.pieces))
    if not wanted or "tekken" in wanted:
        tekken = make_tekken()
        golden.write("tekken", "tekken", tekken_encoder(tekken, False), tekken_encoder(tekken, True), tekken.n_words)


if __name__ == "__main__":
    main()
