"""The GGUF file of every case that llama.cpp knows, as llama.cpp's own converter writes it.

    python to_gguf.py LLAMA_CPP [NAME ...]        LLAMA_CPP: a folder with llama.cpp's conversion/ and gguf-py/

Made with the converter of llama.cpp 0c1e57098 (gguf 0.19.0), as the sdist of llama-cpp-python 0.3.36 carries it, and
with no change but that no tokenizer is looked for and config.json is read as it is. Matrices are BF16 as in
model.safetensors, vectors F32. The keys, the order of q and k rows, the 1 that gemma's norms gain, stacked experts and
the rest are the converter's: so the files are a source independent of the program's reader.
families.json marks the cases with "gguf": true.
"""
import json
import logging
import pathlib
import shutil
import sys
import tempfile

FOLDER = pathlib.Path(__file__).parent
CASES = [
    "mistral_full", "ministral3", "mistral3", "qwen2_full", "qwen3", "qwen3_yarn", "smollm3_four", "gemma3_six",
    "gemma2", "glm4", "phi3", "olmo2", "olmo3", "granite", "cohere2", "cohere", "starcoder2_full", "mixtral_full",
    "qwen2_moe_sparse", "qwen3_moe_sparse", "gpt_oss", "gpt_oss_mxfp4", "seed_oss", "ernie4_5", "hunyuan_v1_dense",
    "hunyuan_v1_dense_alpha", "apertus", "exaone4", "glm4_moe", "llama4_four",
    "granitemoehybrid_nope", "granitemoehybrid_dense", "qwen3_next", "qwen3_5_text", "falcon_h1_dyadic", "gemma4_text",
    "gemma4_text_moe"]
# Keys of published files that transformers no longer writes and the converter needs.
PUBLISHED = {"cohere2": {"rotary_pct": 1.0}}
FIRST_NAMES = {"linear_attention": "mamba", "full_attention": "attention"}  # granite's kinds, as the converter knows them
TOKENIZER = {"model": {"vocab": {str(i): i for i in range(97)}}, "added_tokens": []}


def descendants(kind):
    return [lower for child in kind.__subclasses__() for lower in (child, *descendants(child))]


def convert(name):
    import gguf
    import torch
    from conversion import get_model_class
    from conversion.base import ModelBase, ModelType, TextModel, get_model_architecture

    values = json.loads((FOLDER / name / "config.json").read_text()) | PUBLISHED.get(name, {})
    if name.startswith("granitemoehybrid"):
        values["layer_types"] = [FIRST_NAMES[kind] for kind in values["layer_types"]]
    ModelBase.load_hparams = staticmethod(lambda folder, is_mistral_format: values)
    with torch.inference_mode(), tempfile.TemporaryDirectory() as temporary:
        place = pathlib.Path(temporary)
        shutil.copy(FOLDER / name / "model.safetensors", place)
        (place / "config.json").write_text(json.dumps(values))
        (place / "tokenizer.json").write_text(json.dumps(TOKENIZER))  # some classes count its tokens
        family = get_model_class(get_model_architecture(values, ModelType.TEXT), mmproj=False)
        family.no_mtp = True  # there are no layers for the prediction of further tokens
        for kind in [TextModel, *descendants(TextModel)]:
            kind.set_vocab = lambda self: self._set_vocab_none()
        model = family(place, gguf.LlamaFileType.MOSTLY_BF16, place / "model.gguf", model_name=name)
        model.write()
        shutil.copy(place / "model.gguf", FOLDER / name)


def main():
    sys.path[:0] = [sys.argv[1], sys.argv[1] + "/gguf-py"]
    logging.disable(logging.WARNING)
    file = FOLDER / "families.json"
    for name in sys.argv[2:] or CASES:
        convert(name)
        lines = file.read_text().splitlines(keepends=True)
        for number, line in enumerate(lines):
            if line.startswith(f'{{"name": "{name}", "tokens"'):
                entry = json.loads(line.rstrip(",\n")) | {"gguf": True}
                lines[number] = json.dumps(entry) + line[len(line.rstrip(",\n")):]
        file.write_text("".join(lines))
        print(name, (FOLDER / name / "model.gguf").stat().st_size, flush=True)


if __name__ == "__main__":
    main()
