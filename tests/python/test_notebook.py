"""What notebooks and terminals show: tables in HTML, figures that keep their file, bars of progress, completion."""

import gc
import io
import pathlib
import pickle
import subprocess
import sys
import warnings
import xml.etree.ElementTree as xml

import numpy as np
import pytest
from conftest import DATA, EXAMPLE, needs_program, needs_window, ps, write_tokens

MODEL = DATA / "families" / "qwen3"
CALL = {"window": 256, "heads": "all"}


def cells(shown):
    """The rows of a table in HTML."""
    return [[cell.text for cell in row] for row in xml.fromstring(shown._repr_html_()).iter("tr")]


@pytest.fixture
def tokens(tmp_path):
    draw = np.random.default_rng(2)
    return write_tokens(tmp_path / "tokens.jsonl", {i: draw.integers(0, 90, 300) for i in range(4)})


@needs_program
def test_tables_are_shown_as_html(analysis):
    table = analysis.table("heads", "numpy")
    head, *rows = cells(table)
    assert head == list(table) and len(rows) == 10 and rows[1][:2] == ["0", "1"]
    assert cells(analysis.heads)[1:3] == [["L0", "H0, H1, H2"], ["L4", "H3, H4, H5"]]
    rows = analysis.queries("L16H4")
    assert [row[0] for row in cells(rows)[1:]] == [str(position) for position in rows.position[:10]]
    assert ["analysis", str(analysis.analysis_file)] in cells(analysis)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ps.PlastiscopeWarning)
        compared = ps.compare(analysis, form="numpy")
    assert ["models", "1", ", ".join(compared["models"])] in cells(compared)
    assert dict(cells(analysis["L16H4"]))["attention"] == "full"


def test_a_closed_study_has_a_text():
    with ps.open(EXAMPLE) as study:
        pass
    assert repr(study) == f"Study({str(EXAMPLE)!r}, closed)" and "closed" in study._repr_html_()
    with pytest.raises(ps.UsageError, match=r"the study is closed; plastiscope.open opens it again"):
        study.queries("L16H4")


def heads_of(study):
    return len(study.heads), study.has_analysis


@needs_program
def test_a_study_goes_to_other_processes(analysis, tmp_path, monkeypatch):
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        assert pool.submit(heads_of, analysis).result(120) == (24, True)
    (tmp_path / "study.h5").symlink_to(EXAMPLE)
    monkeypatch.chdir(tmp_path)
    stored = pickle.dumps(ps.open("study.h5"))
    monkeypatch.chdir("/")
    assert pickle.loads(stored).path == tmp_path / "study.h5"


def test_importing_all_names_keeps_the_function_open():
    names = {}
    exec("from plastiscope import *", names)
    assert "open" not in names and names["capture"] is ps.capture and callable(ps.open)


@needs_window
def test_a_figure_keeps_its_file(analysis):
    figure = ps.render(analysis, figure="quintiles", head="L16H4")
    file = pathlib.Path(figure.file)
    assert file.read_bytes() == figure.content and b"<svg" in figure.content
    del figure
    gc.collect()
    assert not file.parent.exists()


@needs_program
def test_estimates_are_returned(tokens, tmp_path):
    estimate = ps.capture(MODEL, tokens=tokens, out=tmp_path / "a.h5", estimate=True, **CALL)
    assert isinstance(estimate, ps.Estimate) and estimate["examples"] == 4 and estimate["fits"] is True
    assert ps.capture(MODEL, tokens=tokens, out=tmp_path / "a.h5", estimate=True, json=True, **CALL)["heads"] == 16
    assert ["heads", "16"] in cells(estimate)
    (tmp_path / "study.toml").write_text(f'model = "{MODEL}"\ntokens = "{tokens}"\nsingles = "L0H0"')
    assert ps.run_study(tmp_path / "study.toml", out=tmp_path / "effects", estimate=True)["texts"] == 4
    lines = f'[[model]]\npath = "{MODEL}"\n[[texts]]\ntokens = "{tokens}"\n[[capture]]\nwindow = 256\n'
    (tmp_path / "sweep.toml").write_text(lines)
    (run,) = ps.batch(tmp_path / "sweep.toml", out=tmp_path / "library", dry_run=True)
    assert run["estimate"]["tokens_after_cut"] == 4 * 256 and run["state"] == "missing"
    assert not any((tmp_path / name).exists() for name in ("a.h5", "effects", "library"))
    assert ps.runs(EXAMPLE, json=True)[0]["window"] == 4096
    assert ps.reference("6.1", format="markdown").startswith("| model |")
    assert "agrees" in ps.reference(check=True, form="numpy")


class Terminal(io.StringIO):
    def isatty(self):
        return True


@needs_program
@pytest.mark.parametrize("stream, progress, bar", [(Terminal, None, True), (Terminal, True, True),
                                                   (Terminal, False, False), (io.StringIO, None, False)])  # fmt: skip
def test_a_terminal_has_a_bar(stream, progress, bar, tokens, tmp_path, monkeypatch):
    pytest.importorskip("tqdm", reason="tqdm is not installed")
    monkeypatch.setattr(sys, "stderr", stream())
    ps.capture(MODEL, tokens=tokens, out=tmp_path / "a.h5", progress=progress, **CALL)
    shown = sys.stderr.getvalue()
    assert (("capture: 100%" in shown) and "4/4" in shown) if bar else shown == ""


def test_functions_complete_their_options():
    """As IPython asks for them, and in the parameters that help() shows."""
    completer = pytest.importorskip("IPython.core.completer", reason="IPython is not installed")
    completions = completer.IPCompleter(use_jedi=False, namespace={"ps": ps}, global_namespace={})
    with completer.provisionalcompleter():
        found = {each.text for each in completions.completions("ps.capture(m, out=o, wind", 25)}
    assert "window=" in found


def test_the_wheel_of_python_310_can_import_the_types():
    source = pathlib.Path(ps.option_types.__file__).read_text()
    assert "Unpack" not in source and "Required" not in source
    done = subprocess.run([sys.executable, "-c", "import plastiscope.option_types, sys; "
                           "sys.exit('typing_extensions' in sys.modules)"], check=False)  # fmt: skip
    assert done.returncode == 0
