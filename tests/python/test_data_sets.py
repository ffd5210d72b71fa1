"""Data sets as they are: kept fields, templates, and chat templates as transformers tokenizes them."""

import json
import pathlib
import subprocess
import sys

import numpy as np
import pytest
from conftest import DATA, needs_program, ps

TABLES = DATA / "text" / "tables"
RECORDS = json.loads((TABLES / "records.json").read_text())
CHATS = json.loads((TABLES / "chats.json").read_text())
CHATS.append({"id": "q3", "conversations": [{"from": "human", "value": "Why?"}, {"from": "gpt", "value": "Because."}]})
CHATS.append({"id": "q4", "text": "a text alone <|im_end|>"})
TEMPLATE = """{{ bos_token }}{% for message in messages %}
    {%- if message.role == 'skip' %}{% continue %}{% endif %}
    {{- '<|im_start|>' + message.role + '\\n' }}
    {% generation %}{{ message['content'] | trim }}{% endgeneration %}<|im_end|>{{ unk_token }}
    {% if loop.last %}{{ [message.content, 1, none] | tojson }} {{ tools is none }}{% endif %}
{% endfor %}"""
transformers = pytest.importorskip("transformers", minversion="5", reason="transformers 5 is not installed")


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    """A tiny model with a tokenizer that adds BOS and has special tokens, one of which may stand in a text."""
    torch = pytest.importorskip("torch", reason="torch is not installed")
    folder = tmp_path_factory.mktemp("chat")
    tokenizer = transformers.PreTrainedTokenizerFast(
        tokenizer_file=str(DATA / "text" / "llama3" / "tokenizer.json"), bos_token="<|begin_of_text|>",
        additional_special_tokens=["<|im_start|>", "<|im_end|>"],
    )  # fmt: skip
    tokenizer.chat_template = TEMPLATE
    tokenizer.save_pretrained(folder)
    torch.manual_seed(3)
    size = {"hidden_size": 32, "intermediate_size": 32, "num_hidden_layers": 1, "num_attention_heads": 2}
    config = transformers.LlamaConfig(vocab_size=len(tokenizer), max_position_embeddings=4096, **size)
    transformers.LlamaForCausalLM(config).save_pretrained(folder)
    return folder


def rendered(model, messages):
    tokenizer = transformers.AutoTokenizer.from_pretrained(model)
    return list(tokenizer.apply_chat_template(messages, tokenize=True, return_dict=True)["input_ids"])


def messages_of(record):
    roles = {"human": "user", "gpt": "assistant"}
    if "conversations" in record:
        return [{"role": roles[each["from"]], "content": each["value"]} for each in record["conversations"]]
    return record.get("messages") or [{"role": "user", "content": record["text"]}]


@needs_program
@pytest.mark.parametrize("stored", ["chat_template.jinja", "tokenizer_config.json", "a list of templates"])
def test_chats_are_tokenized_as_transformers_does(model, stored, tmp_path):
    expected = [rendered(model, messages_of(record)) for record in CHATS]
    bos = transformers.AutoTokenizer.from_pretrained(model).bos_token_id
    assert all(ids.count(bos) == 1 for ids in expected)
    folder = tmp_path / "model"
    folder.mkdir()
    for file in model.iterdir():
        (folder / file.name).write_bytes(file.read_bytes())
    if stored != "chat_template.jinja":
        (folder / "chat_template.jinja").unlink()
        config = json.loads((folder / "tokenizer_config.json").read_text())
        config["chat_template"] = TEMPLATE
        if stored == "a list of templates":
            named = {"tool_use": "none", "default": TEMPLATE}
            config["chat_template"] = [{"name": name, "template": each} for name, each in named.items()]
        (folder / "tokenizer_config.json").write_text(json.dumps(config))
    # From the program's own records, from a table, and from records that the package writes.
    lines = tmp_path / "chats.jsonl"
    lines.write_text("".join(json.dumps(each) + "\n" for each in CHATS))
    options = {"chat_template": True, "python": sys.executable, "heads": "all"}
    for name, texts in {"file": lines, "records": CHATS, "table": TABLES / "chats.parquet"}.items():
        study = ps.capture(folder, texts, out=tmp_path / f"{name}.h5", **options)
        ids = [study.token_ids(example).tolist() for example in study.examples["id"]]
        assert ids == expected[: 2 if name == "table" else 4]


@needs_program
def test_templates_that_fail_are_named(model, tmp_path):
    folder = tmp_path / "model"
    folder.mkdir()
    for file in model.iterdir():
        (folder / file.name).write_bytes(file.read_bytes())
    (folder / "chat_template.jinja").write_text("{{ raise_exception('no ' + messages[0].role) }}")
    options = {"chat_template": True, "python": sys.executable, "out": tmp_path / "a.h5"}
    with pytest.raises(ps.InputError, match="chat template, text q1: .*no user"):
        ps.capture(folder, CHATS, **options)
    (folder / "chat_template.jinja").write_text("{{ messages.__class__.__mro__ }}")
    with pytest.raises(ps.InputError, match="SecurityError"):
        ps.capture(folder, CHATS, **options)
    (folder / "chat_template.jinja").unlink()
    with pytest.raises(ps.InputError, match="expected chat_template.jinja, or chat_template .*, found none"):
        ps.capture(folder, CHATS, **options)
    bare = tmp_path / "bare"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", bare], check=True)
    with pytest.raises(ps.UsageError, match=r"needs a Python with jinja2, .* without it: run pip install jinja2"):
        ps.capture(folder, CHATS, **{**options, "python": bare / "bin" / "python"})
    assert not (tmp_path / "a.h5").exists()


@needs_program
def test_fields_are_columns_of_the_examples(model, tmp_path):
    records = [*RECORDS, {"id": "d", "context": "last", "question": "?", "score": 3}]
    study = ps.capture(model, records, template="{context}\n{question}", out=tmp_path / "a.h5", heads="all")
    tokenizer = transformers.AutoTokenizer.from_pretrained(model)
    for record in records:
        expected = tokenizer(f"{record['context']}\n{record['question']}")["input_ids"]
        assert study.token_ids(record["id"]).tolist() == expected
    columns = study.examples
    assert columns["question"].tolist() == [each["question"] for each in records]
    assert columns["context"].tolist() == [each["context"] if len(each["context"]) < 257 else None for each in records]
    np.testing.assert_array_equal(columns["year"], [1999, 2001, 2024, np.nan])
    assert columns["score"].dtype == np.float64 and columns["good"].tolist() == [True, False, True, None]
    parts = []
    for part in range(2):
        parts.append(tmp_path / f"part{part}.h5")
        ps.capture(model, records, template="{context}\n{question}", out=parts[-1], heads="all", part=f"{part}/2")
    program = ps.find_program()
    subprocess.run([program, "merge", *parts, "--out", tmp_path / "whole.h5"], check=True, capture_output=True)
    merged = ps.open(tmp_path / "whole.h5").examples
    assert merged["question"].tolist() == columns["question"].tolist()
    shown = subprocess.run([program, "info", tmp_path / "whole.h5"], check=True, capture_output=True, text=True).stdout
    assert "context, good, question, score, year" in shown
    listed = subprocess.run([program, "info", "--json", tmp_path / "a.h5"], check=True, capture_output=True).stdout
    assert json.loads(listed)["fields"] == ["context", "good", "question", "score", "year"]
    with pytest.raises(ps.InputError, match="in the field year of --template, found the fields context, id, question"):
        ps.capture(model, records, template="{context}{year}", out=tmp_path / "b.h5")


@needs_program
def test_a_library_reads_what_another_text_field_names(model, tmp_path):
    study = ps.capture(model, RECORDS, text_field="question", id_field="year", out=tmp_path / "a.h5", heads="all")
    assert study.examples["id"].tolist() == ["1999", "2001", "2024"]
    assert study.examples["good"].tolist() == [True, False, True]


@needs_program
@pytest.mark.parametrize("ending", ["gz", "zst"])
def test_compressed_texts_are_streamed(model, ending, tmp_path):
    """The first record is read although 400 MB follow, with little more memory than for it alone."""
    tool = {"gz": "gzip", "zst": "zstd"}[ending]
    file = tmp_path / f"long.jsonl.{ending}"
    line = json.dumps({"text": "word " * 20, "pad": "x" * (1 << 20)}) + "\n"

    def peak(source):
        script = "import resource as r, subprocess as s, sys; s.run(sys.argv[1:]); print(r.getrusage(-1).ru_maxrss)"
        command = [ps.find_program(), "capture", "--model", model, "--text", source, "--select", "text=none"]
        command = [sys.executable, "-c", script, *command, "--out", tmp_path / "a.h5"]
        run = subprocess.run(command, capture_output=True, text=True, check=True)
        assert "expected at least one text with text = none" in run.stderr
        return int(run.stdout.split()[-1]) * 1024

    with file.open("wb") as out, subprocess.Popen([tool, "-c"], stdin=subprocess.PIPE, stdout=out) as process:
        for _ in range(400):
            process.stdin.write(line.encode())
    short = tmp_path / "short.jsonl"
    short.write_text(line)
    assert peak(file) < peak(short) + (100 << 20)
    assert pathlib.Path(file).stat().st_size < 10 << 20
