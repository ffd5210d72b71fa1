"""The commands: their options, errors, warnings and progress are those of the programs."""

import os
import shutil
import signal
import subprocess

import numpy as np
import pytest
from conftest import DATA, EXAMPLE, needs_program, needs_window, ps, write_tokens

from plastiscope.program import arguments_of, command

MODEL = DATA / "families" / "qwen3"
pytestmark = needs_program


@pytest.fixture
def tokens(tmp_path):
    draw = np.random.default_rng(2)
    return write_tokens(tmp_path / "tokens.jsonl", {i: draw.integers(0, 90, 300) for i in range(4)})


def test_options_are_those_of_the_program():
    said = subprocess.run([ps.find_program(), "capture", "--help"], capture_output=True, text=True, check=True).stdout
    shown = {word.split("=")[0] for line in said.splitlines() for word in line.split()[:1] if word.startswith("--")}
    options = ps.options("capture").options
    assert {option.flag for option in options.values()} == shown | {"--quiet", "--verbose"}
    assert options["paired"].kind == "flag" and options["text"].several and not options["heads"].several
    assert options["window"].kind == "integer" and options["rate"].default == 1.0
    assert "bucket_size" in repr(ps.options("capture"))
    with pytest.raises(ps.UsageError, match="unknown command captur"):
        ps.options("captur")


def test_arguments():
    capture = command("capture")
    assert arguments_of(capture, {"dense": ["L0H1", ps.Head(1, 2)], "rope_override": {"factor": 4}, "loss": False}) == [
        "--dense",
        "L0H1",
        "L1H2",
        '--rope-override={"factor": 4}',
    ]
    assert arguments_of(command("analyze"), {"length_edges": (0, 100), "seed": -1, "heads": ps.Head(1, 2)}) == [
        "--length-edges=0,100",
        "--seed=-1",
        "--heads=L1H2",
    ]


def test_capture_reports_progress_and_is_recognised(tokens, tmp_path):
    events = []
    study = ps.capture(MODEL, tokens=tokens, out=tmp_path / "a.h5", window=256, heads="all", progress=events.append)
    assert [event["event"] for event in events if event["event"] != "progress"][0] == "start"
    assert events[-1]["event"] == "done" and sum(event["event"] == "unit" for event in events) == 4
    assert len(study.heads) == 16 and study.window == 256
    with pytest.raises(ps.UsageError, match="rate: 1.0 there, 2.0 now"):
        ps.capture(MODEL, tokens=tokens, out=tmp_path / "a.h5", window=256, heads="all", rate=2)


def test_texts_are_texts_and_paths_are_files(tmp_path, monkeypatch):
    """What the program is handed; the tiny models have no tokenizer."""
    from plastiscope import commands

    seen = []

    def fake(of, positional, values, progress=None):
        seen.append([(file.name, file.read_text()) for file in values["text"]])
        return ""

    monkeypatch.setattr(commands, "run", fake)
    monkeypatch.setattr(commands, "open_study", lambda *_: None)
    (tmp_path / "a.txt").write_text("of a file")
    ps.capture("m", {"one": "a\ntext"}, out="x.h5")
    ps.capture("m", ["first", tmp_path / "a.txt", "second"], out="x.h5")
    assert seen[0] == [("texts.jsonl", '{"id": "one", "text": "a\\ntext"}\n')]
    assert seen[1] == [
        ("texts.jsonl", '{"text": "first"}\n'),
        ("a.txt", "of a file"),
        ("texts2.jsonl", '{"text": "second"}\n'),
    ]
    with pytest.raises(ps.UsageError, match="is the name of a file"):
        ps.capture("m", [str(tmp_path / "a.txt")], out="x.h5")
    with pytest.raises(ps.UsageError, match="found both"):
        ps.capture("m", ["text"], tokens="t.jsonl", out="x.h5")
    with pytest.raises(ps.UsageError, match="found both"):
        ps.capture("m", ["text"], text="t.jsonl", out="x.h5")


@pytest.mark.parametrize(
    "options, kind, sentence",
    [
        ({"bucket_sze": 3}, ps.UsageError, "unknown option --bucket-sze; did you mean --bucket-size"),
        ({"store": "float8"}, ps.UsageError, '--store: expected float16, float32, found "float8"'),
        ({"heads": "L99H0"}, ps.UsageError, "head L99H0: the model has layers 0 to 3"),
        ({"model": "nowhere"}, ps.InputError, "nowhere"),
        ({"out": "/proc/x.h5"}, ps.InputError, "/proc"),
    ],
)
def test_errors_are_those_of_the_program(options, kind, sentence, tokens, tmp_path):
    call = {"model": MODEL, "tokens": tokens, "out": tmp_path / "a.h5", **options}
    with pytest.raises(kind) as caught:
        ps.capture(**call)
    assert sentence in str(caught.value) and "\n" not in str(caught.value)
    done = subprocess.run(
        [ps.find_program(), "capture", *arguments_of(command("capture"), call)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert caught.value.code == done.returncode
    assert done.stderr.splitlines()[-1] == f"plastiscope-cli: {caught.value}"


def test_warnings_are_warnings(tokens, tmp_path):
    with pytest.warns(ps.PlastiscopeWarning, match="longer than the model's context"):
        ps.capture(
            DATA / "model" / "folder",
            tokens=write_tokens(tokens, {1: [1] * 300}),
            out=tmp_path / "a.h5",
            heads=2,
            window=300,
        )


def test_a_stop_keeps_what_is_finished(tmp_path):
    """Ctrl-C, or whatever progress raises, stops the program too."""
    draw = np.random.default_rng(2)
    tokens = write_tokens(tmp_path / "tokens.jsonl", {i: draw.integers(0, 90, 20000) for i in range(60)})

    class Enough(Exception):
        pass

    def stop(event):
        if event["event"] == "progress" and event["stage"] == "capture":
            raise Enough

    with pytest.raises(Enough):
        ps.capture(MODEL, tokens=tokens, out=tmp_path / "a.h5", heads="all", threads=1, progress=stop)
    assert not (tmp_path / "a.h5").exists() and (tmp_path / "a.h5.partial").is_dir()


def test_reports_a_stopped_program(tmp_path):
    from plastiscope.errors import error_of

    assert isinstance(error_of(5, "stopped on request"), ps.Stopped)
    assert error_of(-signal.SIGKILL, "it said nothing").code == 1


def test_compare(analysis, tmp_path):
    tables = ps.compare(EXAMPLE, analysis, names="one,two", form="numpy", csv=tmp_path / "tables")
    assert tables["models"]["model"].tolist() == ["one", "two"]
    assert (tmp_path / "tables" / "paired.csv").is_file()
    differences = tables["paired"]["mean_difference"]
    np.testing.assert_allclose(differences[np.isfinite(differences)], 0, atol=1e-9)
    assert np.isfinite(differences).sum() > 40


def test_damage_is_reported(tmp_path):
    file = tmp_path / "damaged.h5"
    content = bytearray(EXAMPLE.read_bytes())
    content[len(content) // 2] ^= 1
    file.write_bytes(content)
    whole, damaged = ps.verify(EXAMPLE, file)
    assert whole["intact"] and not damaged["intact"] and damaged["problems"]
    with pytest.raises(ps.InputError, match="no such file"):
        ps.verify(tmp_path / "missing.h5") and ps.open(tmp_path / "missing.h5")


@needs_window
def test_render(analysis, tmp_path):
    figure = ps.render(analysis, figure="map", head=ps.Head(16, 4), preset="icml", out=tmp_path / "map.pdf")
    assert figure.content.startswith(b"%PDF") and (tmp_path / "map.csv").is_file()
    shown = ps.render(analysis, figure="quintiles", head="L16H4")
    assert "<svg" in shown._repr_mimebundle_()["image/svg+xml"]
    with pytest.raises(ps.UsageError, match="figure"):
        ps.render(analysis, figure="mapp", head="L16H4")
    assert ps.options("render").options["preset"].default == "neurips"


def test_show_makes_a_page(analysis, tmp_path):
    page = ps.show(analysis, window=False, heads="L16H4", rows=20, height=400)
    assert page._repr_html_().startswith('<iframe sandbox="allow-scripts" style="width:100%;height:400px')
    assert page.save(tmp_path / "page.html").read_text() == page.html
    with pytest.raises(ps.UsageError, match="rows: only for a page"):
        ps.show(analysis, window=True, rows=20)


@needs_window
def test_show_opens_the_window(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    process = ps.show(EXAMPLE)
    with pytest.raises(subprocess.TimeoutExpired):
        process.wait(3)
    process.terminate()
    assert process.wait(30) in (0, -signal.SIGTERM)


def test_reports_a_missing_program(monkeypatch, tmp_path):
    monkeypatch.setenv("PLASTISCOPE_CLI", str(tmp_path / "nowhere"))
    with pytest.raises(ps.UsageError, match="plastiscope-cli is not installed: looked for .*nowhere"):
        ps.find_program()
    monkeypatch.setenv("PLASTISCOPE_CLI", "")
    monkeypatch.setenv("PATH", str(tmp_path))
    (tmp_path / "plastiscope-cli").write_text("#!/bin/sh\n")
    os.chmod(tmp_path / "plastiscope-cli", 0o755)
    assert ps.find_program() == tmp_path / "plastiscope-cli"


def test_groups_are_kept_and_compared(tmp_path):
    study = ps.open(tmp_path / shutil.copy(DATA / "analysis" / "grouped.h5", tmp_path / "grouped.h5"))
    assert study.set_group("pair", ["L0H0", ps.Head(0, 1)]) == [ps.Head(0, 0), ps.Head(0, 1)]
    assert study.set_group("others", "!group:pair")[-1] == study.heads[-1] and list(study.groups) == ["pair", "others"]
    found = ps.groups(study, metric="ap_drop,ap_overall", against="others", form="numpy")
    assert [str(each) for each in found["group"]] == ["pair", "pair"], "a group is not compared with itself"
    assert study.set_group("others", None) == [] and list(study.groups) == ["pair"]
    analysis = ps.analyze(study, out=tmp_path / "elsewhere" / "a.analysis.h5")
    moved = ps.groups(analysis, "pair", metric="ap_overall", against="rest", form="numpy")
    assert moved["heads"][0] == 2, "the notes are beside the capture, not beside this analysis"
    with pytest.raises(ps.UsageError, match="did you mean pair"):
        ps.groups(study, "pear")
