"""Writes tokenizer_files.json: folders of several tokenizer files and the ids of transformers for them.

Made with transformers 5.23.0, tokenizers and sentencepiece as it requires them. Run from this folder:
    python make_tokenizer_files.py
"""

import itertools, json, os, shutil, sys, tempfile
from pathlib import Path

os.environ["HF_HUB_OFFLINE"] = "1"
os.environ["TRANSFORMERS_VERBOSITY"] = "error"
import transformers

HERE = Path(__file__).parent
TEXTS = ["<|im_start|>user\nhi<|im_end|>\n", "a<s>b</s>c", "plain words", "<s> G", " <s>G  x", "x <pad> y<new>z",
         "a  <left>  b <right>  c", "solo asolob solo", "", " ", "  two", "1234 don't WE'LL \n\n\tx", "é é 日本 😊", "<unk>▁x"]


def token(text, **flags):
    return {"content": text, "lstrip": False, "rstrip": False, "normalized": False, "single_word": False,
            "special": True} | flags


def decoder(size):
    new = [token("<|im_start|>"), token("<|im_end|>"), token("<left>", lstrip=True), token("<right>", rstrip=True),
           token("solo", single_word=True, special=False, normalized=True), token("<new>", normalized=True, special=False)]
    return {str(size + i): each for i, each in enumerate(new)}


def cases(kind, size, classes, types):
    for name, model_type in itertools.product(classes, types):
        config = {"model_type": model_type}
        named = {"tokenizer_class": name} if name else {}
        around = {"add_bos_token": True, "bos_token": "<s>", "eos_token": "</s>"}
        yield {"config.json": config}
        yield {"config.json": config, "tokenizer_config.json": named}
        yield {"config.json": config, "tokenizer_config.json": named | around | {"legacy": False, "added_tokens_decoder": decoder(size)}}
        yield {"config.json": config, "tokenizer_config.json": named | around | {"legacy": True, "add_eos_token": True}}
        yield {"config.json": config, "tokenizer_config.json": named | {"add_prefix_space": True, "unk_token": "<unk>", "pad_token": "<pad>"}}
        yield {"config.json": config, "tokenizer_config.json": named | {"add_prefix_space": False, "bos_token": None, "add_bos_token": True}}
        yield {"config.json": config, "tokenizer_config.json": named,
               "added_tokens.json": {"<|im_end|>": size + 1, "<|im_start|>": size},
               "special_tokens_map.json": {"bos_token": "<s>", "eos_token": token("</s>"), "pad_token": "<|im_start|>"}}
        yield {"config.json": config, "tokenizer_config.json": named | {"eos_token": "x"},
               "special_tokens_map.json": {"eos_token": token("<|im_end|>", rstrip=True), "additional_special_tokens": ["<new>"]}}
        yield {"config.json": config, "tokenizer_config.json": named | {"additional_special_tokens": ["<new>", "<left>"]}}
        # ignored: the decoder wins
        yield {"config.json": config, "tokenizer_config.json": named | {"added_tokens_decoder": decoder(size)},
               "added_tokens.json": {"plain": size}, "special_tokens_map.json": {"pad_token": "words"}}


def main():
    out = []
    vocabularies = [  # folder, file, classes, model types
        ("spm_llama", "tokenizer.model", ["", "LlamaTokenizer", "GemmaTokenizer", "PreTrainedTokenizerFast"], ["llama", "mistral"]),
        ("spm_gemma", "tokenizer.model", ["", "GemmaTokenizerFast"], ["gemma2"]),
        ("spm_unigram", "tokenizer.model", [""], ["mistral"]),
        ("gpt2", "vocab.json", ["Qwen2Tokenizer", "GPT2Tokenizer", "CohereTokenizer", "GPTNeoXTokenizer"], ["llama"]),
        ("qwen2", "vocab.json", ["", "Qwen2TokenizerFast"], ["qwen2", "qwen3"]),
        ("smollm", "tokenizer.json", ["PreTrainedTokenizerFast", "GPT2Tokenizer"], ["llama"]),
        ("llama2", "tokenizer.json", ["LlamaTokenizer", "PreTrainedTokenizerFast", "GemmaTokenizer"], ["llama"]),
        ("gemma", "tokenizer.json", ["", "PreTrainedTokenizerFast"], ["gemma2"]),
        ("llama3", "tokenizer.json", ["LlamaTokenizerFast"], ["llama"]),
        ("qwen2", "tokenizer.json", ["", "LlamaTokenizerFast"], ["qwen2"]),
        ("gpt2", "tokenizer.json", ["GPT2Tokenizer", "PreTrainedTokenizerFast"], ["llama"]),
        ("cohere", "tokenizer.json", [""], ["cohere"]),
        ("deepseek3", "tokenizer.json", ["LlamaTokenizerFast"], ["deepseek_v3"]),
        ("metaspace_first", "tokenizer.json", ["LlamaTokenizer", "PreTrainedTokenizerFast"], ["llama", "mistral"]),
    ]
    for name, file, classes, types in vocabularies:
        if file == "tokenizer.model":
            import sentencepiece
            size = sentencepiece.SentencePieceProcessor(model_file=str(HERE / name / file)).get_piece_size()
        else:
            stated = json.loads((HERE / name / "tokenizer.json").read_text())
            size = len(stated["model"]["vocab"])
        if file == "tokenizer.json":
            size = 1 + max([size - 1] + [each["id"] for each in stated["added_tokens"]])
            known = {each["content"] for each in stated["added_tokens"]} | set(dict(stated["model"]["vocab"]))
        seen = set()
        for files in cases(name, size, classes, types):
            key = json.dumps(files)
            if key in seen:
                continue
            seen.add(key)
            numbered = file == "tokenizer.json" and "added_tokens_decoder" in key
            if numbered and known & {each["content"] for each in decoder(0).values()}:
                continue  # its ids are those of other tokens there: refused
            with tempfile.TemporaryDirectory() as folder:
                folder = Path(folder)
                if file == "vocab.json":
                    model = stated["model"]
                    (folder / file).write_text(json.dumps(model["vocab"]))
                    pairs = [each if isinstance(each, str) else " ".join(each) for each in model["merges"]]
                    (folder / "merges.txt").write_text("#version: 0.2\n" + "\n".join(pairs) + "\n", encoding="utf-8")
                else:
                    shutil.copy(HERE / name / file, folder / file)
                for each, content in files.items():
                    (folder / each).write_text(json.dumps(content))
                try:
                    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
                    if numbered and type(tokenizer) is not transformers.TokenizersBackend:
                        continue  # numbered anew, without the tokens that the file adds: refused
                    ids = [[tokenizer(text, add_special_tokens=special)["input_ids"] for special in (True, False)] for text in TEXTS]
                except Exception as error:
                    print(name, files, type(error).__name__, str(error)[:100], file=sys.stderr)
                    continue
                out.append({"vocabulary": name, "file": file, "files": files, "ids": ids})
    (HERE / "tokenizer_files.json").write_text(
        json.dumps({"versions": {"transformers": transformers.__version__}, "texts": TEXTS, "cases": out},
                   ensure_ascii=False, separators=(",", ":")) + "\n", encoding="utf-8")
    print(len(out), "cases")


main()
