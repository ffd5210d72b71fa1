"""The examples in the package's docstrings, and the notebook, run as they stand."""

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
NOTEBOOK = ROOT / "app" / "python" / "examples" / "from-a-model-to-a-figure.ipynb"


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
            "view.show",
            "record.record",
            "study.open",
        )
    } <= set(EXAMPLES)


@pytest.mark.parametrize("name", EXAMPLES)
def test_example(name, analysis, tmp_path):
    if "record" in name:
        pytest.importorskip("transformers", minversion="5", reason="transformers 5 is not installed")
    if name.endswith(".render") and not has_program("plastiscope"):
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
    }
    said = []
    result = doctest.DocTestRunner(optionflags=FLAGS).run(test, out=said.append, clear_globs=False)
    assert result.failed == 0, "".join(said)


def cells():
    return [cell for cell in json.loads(NOTEBOOK.read_text())["cells"] if cell["cell_type"] == "code"]


def test_notebook_has_ten_cells():
    assert len(cells()) == 10
    assert all(not cell["outputs"] for cell in cells()), "outputs are not kept"


def test_notebook_runs(tmp_path, monkeypatch):
    """In a kernel, where there is one; else its cells one after the other."""
    if not os.environ.get("PLASTISCOPE_MODEL"):
        pytest.skip("no model to capture (PLASTISCOPE_MODEL)")
    if not has_program("plastiscope"):
        pytest.skip("plastiscope was not found (PLASTISCOPE_CLI)")
    monkeypatch.chdir(tmp_path)
    if any(importlib.util.find_spec(name) is None for name in ("nbclient", "nbformat", "ipykernel")):
        names = {"__name__": "notebook"}
        for cell in cells():
            exec(compile("".join(cell["source"]), "cell", "exec"), names)
        assert "<html" in names["ps"].show(names["study"], window=False).html
        return
    import nbclient
    import nbformat

    notebook = nbformat.read(NOTEBOOK, as_version=4)
    nbclient.NotebookClient(notebook, timeout=600, resources={"metadata": {"path": str(tmp_path)}}).execute()
    shown = [
        output["data"]
        for cell in notebook.cells
        if cell.cell_type == "code"
        for output in cell.outputs
        if "data" in output
    ]
    assert any("image/svg+xml" in data for data in shown), "the figure is shown"
    assert any("<iframe" in data.get("text/html", "") for data in shown), "the page is shown"
    assert (tmp_path / "map.pdf").read_bytes().startswith(b"%PDF")
