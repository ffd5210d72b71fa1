"""The examples in the package's docstrings, and the notebooks, run as they stand."""

import csv
import doctest
import importlib
import importlib.util
import json
import os
import pkgutil

import numpy as np
import pytest
from conftest import DATA, EXAMPLE, ROOT, has_program, ps, write_tokens

FLAGS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL
NOTEBOOKS = ROOT / "app" / "python" / "examples"
FIGURE, TABLES = NOTEBOOKS / "from-a-model-to-a-figure.ipynb", NOTEBOOKS / "the-tables-of-the-thesis.ipynb"


def examples():
    for module in pkgutil.iter_modules(ps.__path__, "plastiscope."):
        yield from doctest.DocTestFinder(exclude_empty=True).find(importlib.import_module(module.name))
    yield from (each for each in doctest.DocTestFinder(exclude_empty=True).find(ps) if each.name == "plastiscope")


EXAMPLES = {test.name: test for test in examples() if test.examples}


def test_there_are_examples():
    assert len(EXAMPLES) > 30
    assert {
        f"plastiscope.{name}"
        for name in (
            "commands.capture",
            "commands.analyze",
            "commands.compare",
            "commands.render",
            "commands.reference",
            "view.show",
            "record.record",
            "study.open",
        )
    } <= set(EXAMPLES)


@pytest.mark.parametrize("name", EXAMPLES)
def test_example(name, analysis, tmp_path):
    if "record" in name:
        pytest.importorskip("torch", reason="torch is not installed")
        pytest.importorskip("transformers", minversion="5", reason="transformers 5 is not installed")
    if ".plot." in name:
        pytest.importorskip("matplotlib", reason="matplotlib is not installed").use("agg")
    if name.endswith((".render", ".attended", ".figures")) and not has_program("plastiscope"):
        pytest.skip("plastiscope was not found (PLASTISCOPE_CLI)")
    test = EXAMPLES[name]
    draw = np.random.default_rng(1)
    tokens = write_tokens(tmp_path / "tokens.jsonl", {1: draw.integers(0, 90, 400), 2: draw.integers(0, 90, 400)})
    test.globs |= {
        "example": EXAMPLE,
        "analysis": analysis.analysis_file,
        "folder": tmp_path,
        "study": ps.open(EXAMPLE, analysis.analysis_file),
        "tiny_model": DATA / "families" / "qwen3",
        "tiny_tokens": tokens,
        "tokenizer": DATA / "text" / "llama3" / "tokenizer.json",
    }
    said = []
    result = doctest.DocTestRunner(optionflags=FLAGS).run(test, out=said.append, clear_globs=False)
    assert result.failed == 0, "".join(said)


def cells(notebook):
    return [cell for cell in json.loads(notebook.read_text())["cells"] if cell["cell_type"] == "code"]


def test_notebook_has_ten_cells():
    assert len(cells(FIGURE)) == 10


@pytest.mark.parametrize("notebook", [FIGURE, TABLES], ids=lambda file: file.stem)
def test_notebook_keeps_no_outputs(notebook):
    assert all(not cell["outputs"] for cell in cells(notebook))


def run_notebook(notebook, folder, monkeypatch):
    """In a kernel, where there is one: the cells with what they showed. Else one after the other: their names."""
    if not os.environ.get("PLASTISCOPE_MODEL"):
        pytest.skip("no model to capture (PLASTISCOPE_MODEL)")
    monkeypatch.chdir(folder)
    if any(importlib.util.find_spec(name) is None for name in ("nbclient", "nbformat", "ipykernel")):
        names = {"__name__": "notebook"}
        for cell in cells(notebook):
            exec(compile("".join(cell["source"]), "cell", "exec"), names)
        return None, names
    import nbclient
    import nbformat

    read = nbformat.read(notebook, as_version=4)
    nbclient.NotebookClient(read, timeout=600, resources={"metadata": {"path": str(folder)}}).execute()
    return read.cells, None


def test_notebook_runs(tmp_path, monkeypatch):
    if not has_program("plastiscope"):
        pytest.skip("plastiscope was not found (PLASTISCOPE_CLI)")
    done, names = run_notebook(FIGURE, tmp_path, monkeypatch)
    if done is None:
        assert "<html" in names["ps"].show(names["study"], window=False).html
        return
    shown = [output["data"] for cell in done if cell.cell_type == "code" for output in cell.outputs if "data" in output]
    assert any("image/svg+xml" in data for data in shown), "the figure is shown"
    assert any("<iframe" in data.get("text/html", "") for data in shown), "the page is shown"
    assert (tmp_path / "map.pdf").read_bytes().startswith(b"%PDF")


WINDOWS = (512, 1024)  # of the captures of the notebook


def published(name):
    with open(ROOT / "resources" / "reference" / f"{name}.csv", newline="", encoding="utf-8") as stream:
        return list(csv.DictReader(stream))


def numbers(rows, *columns):
    return [[row[columns[0]], *(float(row[name] or "nan") for name in columns[1:])] for row in rows]


def expected_tables():
    """The published rows of each table of the thesis, made of resources/reference once more."""
    models = {row["model"]: row for row in published("models")}
    title = {name: row["hf_repo"].split("/")[-1] for name, row in models.items()}
    quintiles = {}
    for row in published("plasticity_quintiles"):
        quintiles.setdefault(row["model"], []).append(float(row["ap"]))
    plasticity = {row["model"]: row for row in published("plasticity_models")}
    checkpoints = published("smollm3_checkpoints")
    scores = [row for row in published("longbench_pro_overall") if row["in_matched_set"] == "1"]
    lengths = [row for row in published("longbench_pro_lengths") if row["model"] == "ministral3-14b" and row["length"]]
    positions = {}
    for row in published("smollm3_position"):
        ends = float(row["position_from"]), float(row["position_to"])
        positions.setdefault(ends, {})[row["checkpoint"]] = float(row["ap"] or "nan")
    names = list(dict.fromkeys(row["checkpoint"] for row in published("smollm3_position")))
    return {
        "5.1": numbers(models.values(), "model", "layers", "q_heads", "kv_heads", "head_dim", "claimed_context",
                       "capture_length"),
        "5.2": [[row["checkpoint"], row["phase"],
                 *(float(row[name]) for name in ("window", "bucket_size", "rope_theta"))] for row in checkpoints],
        "6.1": [[title[name], *values, values[0] - values[4]] for name, values in quintiles.items()
                if models[name]["in_primary_set"] == "1"],
        "6.2": numbers(checkpoints, "checkpoint", "ap_first20", "ap_last20", "ap_drop", "bias_strength", "bn"),
        "6.3": [[title[row["model"]], float(row["score"]),
                 *(float(plasticity[row["model"]][name]) for name in ("ap_first20", "ap_last20", "ap_drop"))]
                for row in scores if row["mode"] == "non_thinking"],
        "6.4": [row[1:] for row in numbers(lengths, "model", "length", "score", "plasticity_matching_bin")],
        "A.1": [[*ends, *(values.get(name, np.nan) for name in names), *[np.nan] * len(WINDOWS)]
                for ends, values in sorted(positions.items())],
        "A.2": [[row[name] for name in ("task", "category", "name", "context_requirement")] + [float(row["samples"])]
                for row in published("longbench_pro_tasks")],
    }  # fmt: skip


def own_rows(name, study, label):
    """The rows below them: what a study's own tables say, with NumPy."""
    heads, facts = study.table("heads", "numpy"), study.model

    def mean(*metrics):
        return [float(np.nanmean(heads[metric])) for metric in metrics]

    def lengths():
        table = study.table("lengths", "numpy")
        for end in np.unique(table["to"]):
            chosen = table["to"] == end
            yield float(table["from"][chosen][0]), float(end), float(np.nanmean(table["ap"][chosen]))

    quintiles = mean(*(f"ap_quintile_{k}" for k in range(1, 6)))
    ends = mean("ap_first20", "ap_last20", "ap_drop")
    rope_base = facts["rope"]["rope_theta"]
    return {
        "5.1": [[facts["name"], *(float(facts[key]) for key in ("layers", "query_heads", "key_heads", "head_dim",
                                                                "context_length")), study.window]],
        "5.2": [[label, "own", study.window, study.settings["bucket_size"], rope_base]],
        "6.1": [[label, *quintiles, quintiles[0] - quintiles[4]]],
        "6.2": [[label, *ends, *mean("bias_strength"), *mean("bias_window")]],
        "6.3": [[label, np.nan, *ends]],
        "6.4": [[end, np.nan, ap] for _, end, ap in lengths()],
        "A.1": [[*ends, *[np.nan] * 8, *(ap if label == f"window-{window}" else np.nan for window in WINDOWS)]
                for *ends, ap in lengths()],
        "A.2": [],
    }[name]  # fmt: skip


def assert_rows(name, found, expected):
    """Words are equal, numbers to 1e-9."""
    assert len(found) == len(expected), name
    for row, wanted in zip(found, expected, strict=True):
        for value, want in zip(row, wanted, strict=True):
            if isinstance(want, str):
                assert value == want, name
            else:
                assert float(value or "nan") == pytest.approx(want, rel=1e-9, nan_ok=True), name


def test_tables_of_the_thesis(tmp_path, monkeypatch):
    pytest.importorskip("pandas")
    run_notebook(TABLES, tmp_path, monkeypatch)
    windows = {f"window-{window}": ps.open(tmp_path / f"window-{window}.h5") for window in WINDOWS}
    expected = expected_tables()
    assert sorted(file.stem for file in (tmp_path / "tables").iterdir()) == sorted(expected)
    for name, rows in expected.items():
        with open(tmp_path / "tables" / f"{name}.csv", newline="", encoding="utf-8") as stream:
            found = list(csv.reader(stream))[1:]
        if name in ("6.1", "6.3"):  # in the order of the thesis, which is not that of the models
            rows.sort(key=lambda row: row[0])
            found[: len(rows)] = sorted(found[: len(rows)])
        elif name == "A.1":
            found[: len(rows)] = sorted(found[: len(rows)], key=lambda row: [float(end) for end in row[:2]])
        assert_rows(name, found[: len(rows)], rows)
        wide = {"5.1": list(windows)[1:], "6.4": list(windows)[1:]}.get(name, windows)
        own = [row for label in wide for row in own_rows(name, windows[label], label)]
        assert_rows(name, found[len(rows) :], own)


def test_values_that_the_thesis_prints():
    """Some of its tables' cells, as they stand there."""
    first = ps.reference("6.1", form="numpy")
    row = list(first["model"]).index("Llama-3.2-3B")
    assert [first[column][row] for column in list(first)[1:6]] == [0.686, 0.621, 0.561, 0.489, 0.456]
    second = ps.reference("6.3", form="numpy")
    row = list(second["model"]).index("Ministral-3-14B-Base-2512")
    assert [second[column][row] for column in list(second)[1:]] == [40.14, 0.6551, 0.587, 0.068]
    with pytest.raises(ps.UsageError, match="own"):
        ps.reference("plasticity_models", own=[EXAMPLE])
