"""Texts as people have them: each kind gives the program the same texts, ids and order, or is refused by its name."""

import io
import json
import pathlib

import numpy as np
import pytest
from conftest import DATA, needs_program, ps, write_tokens

from plastiscope.texts import write_texts

TEXTS = ["first", "second\ntext", "größer: 世界"]
ROWS = [{"id": i + 7, "text": text, "lang": "de"} for i, text in enumerate(TEXTS)]


def library(name):
    return pytest.importorskip(name, reason=f"{name} is not installed")


def columns(field="text", rows=ROWS):
    return {"id": [row["id"] for row in rows], field: [row["text"] for row in rows]}


def streamed():
    return library("datasets").Dataset.from_list(ROWS).to_iterable_dataset()


PLAIN = {
    "list": lambda: TEXTS,
    "tuple": lambda: tuple(TEXTS),
    "generator": lambda: (text for text in TEXTS),
    "map": lambda: map(str.strip, TEXTS),
    "numpy": lambda: np.array(TEXTS),
    "numpy of objects": lambda: np.array(TEXTS, dtype=object),
    "pandas column": lambda: library("pandas").Series(TEXTS, name="body"),
    "pandas column of its strings": lambda: library("pandas").Series(TEXTS, dtype="string"),
    "polars column": lambda: library("polars").Series("body", TEXTS),
    "column of a data set": lambda: library("datasets").Dataset.from_list(ROWS)["text"],
    "dicts without ids": lambda: [{"text": text} for text in TEXTS],
    "pandas without ids": lambda: library("pandas").DataFrame({"content": TEXTS}),
}
WITH_IDS = {
    "dict": lambda: dict(zip((7, 8, 9), TEXTS, strict=True)),
    "dict of NumPy's numbers": lambda: dict(zip(np.arange(7, 10), TEXTS, strict=True)),
    "dicts": lambda: ROWS,
    "generator of dicts": lambda: iter(ROWS),
    "columns": columns,
    "pandas": lambda: library("pandas").DataFrame(ROWS),
    "pandas, other index": lambda: library("pandas").DataFrame(ROWS, index=[5, 5, 1]),
    "pandas, other types": lambda: library("pandas").DataFrame(ROWS).convert_dtypes(),
    "pandas of pyarrow": lambda: library("pandas").DataFrame(ROWS).convert_dtypes(dtype_backend="pyarrow"),
    "pandas, ids as floats": lambda: library("pandas").DataFrame(ROWS).astype({"id": float}),
    "polars": lambda: library("polars").DataFrame(ROWS),
    "polars, lazy": lambda: library("polars").DataFrame(ROWS).lazy(),
    "pyarrow": lambda: library("pyarrow").Table.from_pylist(ROWS),
    "Dataset": lambda: library("datasets").Dataset.from_list(ROWS),
    "IterableDataset": streamed,
    "messages": lambda: [{"role": "user", "content": row["text"], "_id": row["id"]} for row in ROWS],
}


def lines(texts, folder, **options):
    """The lines of each file that the program is handed."""
    given = write_texts(texts, folder, options)
    files = given["text"] if "text" in given else [given["tokens"]]
    return [[json.loads(line) for line in file.read_text().splitlines()] for file in files]


@pytest.mark.parametrize("kind", PLAIN)
def test_texts_in_order(kind, tmp_path):
    assert lines(PLAIN[kind](), tmp_path) == [[{"text": text} for text in TEXTS]]


@pytest.mark.parametrize("kind", WITH_IDS)
def test_texts_with_ids(kind, tmp_path):
    made = lines(WITH_IDS[kind](), tmp_path)
    assert [[{name: row[name] for name in ("id", "text")} for row in file] for file in made] == [
        [{"id": row["id"], "text": row["text"]} for row in ROWS]
    ]


def test_other_fields_go_along(tmp_path):
    long = {"at": "x" * 256, "beyond": "x" * 257}
    rows = [{**ROWS[0], "n": np.int32(3), "good": True, "list": [1], "none": None, **long}]
    short = {"lang": "de", "n": 3, "good": True, "at": "x" * 256}
    assert lines(rows, tmp_path) == [[{"id": 7, "text": "first", **short}]]
    assert lines(rows, tmp_path, template="{beyond}") == [[{"id": 7, "text": "first", **short, "beyond": "x" * 257}]]
    assert lines(rows, tmp_path, text_field="beyond", id_field="n") == [
        [{"n": 3, "id": 7, "text": "first", "lang": "de", "good": True, "at": "x" * 256, "beyond": "x" * 257}]
    ]
    chats = [{"id": "a", "messages": [{"role": "user", "content": "Hi"}]}]
    assert lines(chats, tmp_path, chat_template=True) == [chats]
    assert lines([{"input_ids": [1, 2], "kind": "k"}], tmp_path) == [[{"kind": "k", "tokens": [1, 2]}]]


@pytest.mark.parametrize("form", ["columns", "pandas", "polars", "Dataset", "dicts"])
@pytest.mark.parametrize("field", ["text", "context", "content", "document", "prompt", "body"])
def test_fields(form, field, tmp_path):
    made = {
        "columns": lambda given: given,
        "pandas": lambda given: library("pandas").DataFrame(given),
        "polars": lambda given: library("polars").DataFrame(given),
        "Dataset": lambda given: library("datasets").Dataset.from_dict(given),
        "dicts": lambda given: [dict(zip(given, row, strict=True)) for row in zip(*given.values(), strict=True)],
    }[form](columns(field))
    options = {"text_field": "body"} if field == "body" else {}
    expected = [{"id": row["id"], options.get("text_field") or "text": row["text"]} for row in ROWS]
    assert lines(made, tmp_path, **options) == [expected]
    if field == "body" and form != "columns":
        with pytest.raises(ps.UsageError, match="item 0: expected the field one of text, .*found id, body; text_field"):
            lines(made, tmp_path)


@pytest.mark.parametrize("form", ["pandas", "polars", "Dataset", "dicts"])
def test_the_program_reports_missing_texts(form, tmp_path):
    rows = [{"text": "a"}, {"text": None}, {"text": "b"}]
    made = rows if form == "dicts" else None
    if form in ("pandas", "polars"):
        made = library(form).DataFrame(rows)
    elif form == "Dataset":
        made = library("datasets").Dataset.from_list(rows)
    assert lines(made, tmp_path) == [[{"text": "a"}, {"text": ""}, {"text": "b"}]]


def test_mixed_inputs_keep_their_order(tmp_path):
    (tmp_path / "a.txt").write_text("of a file")
    given = write_texts(["first", tmp_path / "a.txt", "second", {"text": "third"}], tmp_path, {})
    assert [file.name for file in given["text"]] == ["texts.jsonl", "a.txt", "texts2.jsonl"]
    assert given["text"][2].read_text() == '{"text": "second"}\n{"text": "third"}\n'
    for one in (tmp_path / "a.txt", [tmp_path / "a.txt"], (tmp_path / "a.txt",)):
        assert write_texts(one, tmp_path, {})["text"] == [tmp_path / "a.txt"]
    assert "text_field" not in write_texts(tmp_path / "a.txt", tmp_path, {"text_field": "body"}), "of the file too"


def test_streams_without_an_end(tmp_path):
    def endless():
        yield ""
        while True:
            yield {"text": "again"}

    assert lines(endless(), tmp_path, max_examples=2) == [[{"text": ""}, {"text": "again"}, {"text": "again"}]]
    assert lines(ROWS, tmp_path, select="lang=de")[0][0] == {"lang": "de", "id": 7, "text": "first"}


TOKENS = [[5, 6, 7], [8, 9]]
AS_TOKENS = {
    "lists": lambda: TOKENS,
    "tuples": lambda: tuple(map(tuple, TOKENS)),
    "arrays": lambda: [np.array(each) for each in TOKENS],
    "tensors": lambda: [library("torch").tensor(each) for each in TOKENS],
    "dicts": lambda: [{"input_ids": each} for each in TOKENS],
    "padded": lambda: {"input_ids": np.array([[5, 6, 7], [0, 8, 9]]), "attention_mask": np.array([[1] * 3, [0, 1, 1]])},
    "Dataset": lambda: library("datasets").Dataset.from_dict({"input_ids": TOKENS}),
    "pandas": lambda: library("pandas").DataFrame({"tokens": TOKENS}),
}


@pytest.mark.parametrize("kind", AS_TOKENS)
def test_token_ids(kind, tmp_path):
    assert lines(AS_TOKENS[kind](), tmp_path) == [[{"tokens": each} for each in TOKENS]]
    assert lines({"a": [1, 2], "b": [3]}, tmp_path) == [[{"id": "a", "tokens": [1, 2]}, {"id": "b", "tokens": [3]}]]


@needs_program
def test_token_ids_are_captured(tmp_path):
    draw = np.random.default_rng(3)
    tokens = [draw.integers(0, 90, 80).tolist() for _ in range(3)]
    settings = {"window": 64, "heads": 2}
    ours = ps.capture(DATA / "families" / "qwen3", tokens, out=tmp_path / "ours.h5", **settings)
    file = write_tokens(tmp_path / "tokens.jsonl", dict(enumerate(tokens)))
    theirs = ps.capture(DATA / "families" / "qwen3", tokens=file, out=tmp_path / "theirs.h5", **settings)
    assert ours.examples["id"].tolist() == theirs.examples["id"].tolist() == ["0", "1", "2"]
    np.testing.assert_array_equal(ours.queries(ours.heads[0]).vectors, theirs.queries(theirs.heads[0]).vectors)


@pytest.mark.parametrize(
    "texts, named",
    [
        (lambda: [], r"expected texts or token ids, found none in \[\] \(list\)"),
        (lambda: iter(()), r"found none in .*iterator"),
        (lambda: {}, r"found none in \{\} \(dict\)"),
        (lambda: library("pandas").DataFrame({"text": []}), "found none in .*DataFrame"),
        (lambda: 3, r"found 3 \(int\)"),
        (lambda: b"text", r"found b'text' \(bytes\)"),
        (lambda: io.StringIO("text"), "StringIO"),
        (lambda: ["a", None], r"item 1: expected a text, a Path or a list of token ids, found None \(NoneType\)"),
        (lambda: ["a", 3.5], r"item 1.*found 3.5 \(float\)"),
        (lambda: [b"a"], r"item 0.*\(bytes\)"),
        (lambda: [1, 2, 3], r"item 0.*found 1 \(int\)"),
        (lambda: [["a", "b"]], r"item 0.*found \['a', 'b'\] \(list\)"),
        (lambda: [[True, False]], r"found \[True, False\] \(list\)"),
        (lambda: [[]], r"found \[\] \(list\)"),
        (lambda: [{"text": 3}], r"item 0, text.*found 3 \(int\)"),
        (lambda: [{"body": "a"}], "expected the field one of text, context, .*found body; text_field= names another"),
        (lambda: [{"text": "a", "id": [1]}], r"item 0, id: expected a text or a whole number, found \[1\] \(list\)"),
        (lambda: {"a": pathlib.Path("a.txt")}, r"item 0, text.*PosixPath"),
        (lambda: {"text": ["a", "b"], "id": [1]}, "expected columns of one length"),
        (lambda: ["a", [1, 2]], "found both"),
        (lambda: library("datasets").DatasetDict(train=library("datasets").Dataset.from_list(ROWS)), "Dataset"),
        (lambda: library("pandas").DataFrame({"a": ["x"]}), "found a; text_field="),
    ],
)
def test_names_values_that_are_not_texts(texts, named, tmp_path):
    with pytest.raises(ps.UsageError, match=f"(?s)texts: .*{named}") as caught:
        write_texts(texts(), tmp_path, {})
    assert caught.value.code == 2


def test_long_texts_without_line_ends_are_no_file_names(tmp_path):
    assert lines(["漢" * 200], tmp_path) == [[{"text": "漢" * 200}]]
