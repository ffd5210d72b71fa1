"""Reading captures and analyses: the values of the tables that the program writes, and errors that say what is."""

import csv
import json
import shutil
import zlib

import h5py
import numpy as np
import pytest
from conftest import DATA, EXAMPLE, needs_program, ps

from plastiscope.files import canonical_json
from plastiscope.frames import parse_csv, table_of


@pytest.fixture
def copy(tmp_path):
    return shutil.copy(EXAMPLE, tmp_path / "study.h5")


def test_rows_are_those_of_the_file():
    with ps.open(EXAMPLE) as study, h5py.File(EXAMPLE) as raw:
        layer = raw["layers/16"]
        rows = study.queries(16, 4)
        np.testing.assert_array_equal(rows.vectors, layer["query/vectors/04"][:].astype(np.float32))
        np.testing.assert_array_equal(rows.position, layer["query/position"][:])
        np.testing.assert_array_equal(rows.example, layer["query/example"][:])
        np.testing.assert_array_equal(study.keys(16, 4).vectors, layer["key/vectors/01"][:].astype(np.float32))
        assert study.queries("L16H4", dtype=None).vectors.dtype == np.float16
        assert np.asarray(rows) is rows.vectors and np.linalg.norm(rows, axis=1).shape == (len(rows),)
        parts = [study.queries(16, 4, example=number) for number in range(len(study.examples["id"]))]
        np.testing.assert_array_equal(np.concatenate([part.vectors for part in parts]), rows.vectors)
        by_id = study.queries(16, 4, example=str(study.examples["id"][3]))
        np.testing.assert_array_equal(by_id.position, parts[3].position)
        assert [str(head) for head in study.heads] == [
            f"L{int(layer)}H{int(head)}" for layer in raw["layers"] for head in raw["layers"][layer]["query/vectors"]
        ]


def test_texts_are_those_of_the_file():
    with ps.open(EXAMPLE) as study:
        for number, count in enumerate(study.examples["tokens"]):
            assert len(study.tokens(number)) == len(study.token_ids(number)) == count
        assert "Apache License" in study.text("Apache-2.0")
        assert "".join(study.tokens("Apache-2.0")) == study.text("Apache-2.0")


@needs_program
def test_plasticity_of_a_head_is_aligned_unless_binned_is_asked_for(analysis):
    for plasticity, name, value in (("aligned", "profile_aligned", "ap_aligned"), ("binned", "profile", "ap")):
        table = analysis.table(name, "numpy")
        rows = (table["layer"] == 16) & (table["head"] == 4)
        profile = analysis.profile("L16H4", plasticity=plasticity, form="numpy")
        np.testing.assert_array_equal(profile[value], table[value][rows])
        cells = analysis.map(16, 4, plasticity=plasticity, form="numpy")
        assert set(cells["head"]) == {4} and np.all(cells["pp"] >= 0)
    assert analysis.has_aligned and "ap_aligned" in analysis.profile("L16H4", form="numpy")
    with pytest.raises(ps.UsageError, match="expected aligned or binned"):
        analysis.profile("L16H4", plasticity="both")
    with pytest.raises(ps.InputError):
        analysis.profile("L1H1")


@needs_program
@pytest.mark.parametrize("form", ["numpy", "pandas", "polars"])
def test_tables_are_those_of_the_program(form, analysis, tmp_path):
    if form != "numpy":
        pytest.importorskip(form, reason=f"{form} is not installed")
    folder = ps.export_csv(analysis, tmp_path / "tables")
    files = sorted(folder.glob("*.csv"))
    assert [file.stem for file in files] == analysis.tables
    for file in files:
        header, *lines = file.read_text().splitlines()
        table = analysis.table(file.stem, form)
        columns = list(table) if form == "numpy" else list(table.columns)
        assert columns == header.split(",")
        cells = [line.split(",") for line in lines if '"' not in line]
        for i, column in enumerate(columns):
            values = np.asarray(table[column])
            assert len(values) == len(lines)
            if len(cells) < len(lines) or values.dtype.kind in "OUSTb":
                continue
            np.testing.assert_array_equal(values, [float(row[i]) if row[i] else np.nan for row in cells])


@needs_program
@pytest.mark.parametrize("form", ["numpy", "pandas", "polars"])
def test_yes_and_no_are_booleans(form, analysis, tmp_path):
    """Wherever a table of the program has true and false, and only there; what is missing stays missing."""
    if form != "numpy":
        pytest.importorskip(form, reason=f"{form} is not installed")
    found = set()
    tables = {name: analysis.table(name, form) for name in analysis.tables}
    folder = ps.export_csv(analysis, tmp_path / "tables")
    compared = ps.compare(EXAMPLE, analysis, names="one,two", form=form, csv=tmp_path / "compared")
    for name, table in {**tables, **{f"compared {name}": table for name, table in compared.items()}}.items():
        file = tmp_path / "compared" / f"{name[9:]}.csv" if name.startswith("compared") else folder / f"{name}.csv"
        with file.open(newline="") as stream:
            header, *rows = csv.reader(stream)
        for i, column in enumerate(header):
            texts = [row[i] for row in rows]
            if set(texts) <= {"true", "false", ""} and {"true", "false"} & set(texts):
                found.add(column)
                values = list(table[column])
                assert [{True: "true", False: "false"}.get(value, "") for value in values] == texts
                kind = str(table[column].dtype)
                if form == "numpy":
                    assert kind == ("object" if "" in texts else "bool")
                else:
                    assert kind == {"polars": "Boolean"}.get(form, "boolean" if "" in texts else "bool")
            else:
                assert "bool" not in str(getattr(table[column], "dtype", "")).lower() or set(texts) == {""}
    assert found >= {"rope", "recovers", "texts_differ", "active"}


@pytest.mark.parametrize("form", ["numpy", "pandas", "polars"])
def test_missing_booleans(form):
    if form != "numpy":
        pytest.importorskip(form, reason=f"{form} is not installed")
    lines = ["recovers,counted,word,empty,number", "true,,true,,1", ",,no,,", "false,,,,2"]
    table = table_of(parse_csv(lines), form)
    missing = [value is None or value is getattr(pandas_of(form), "NA", None) for value in table["recovers"]]
    assert missing == [False, True, False]
    assert bool(table["recovers"][0]) is True and bool(table["recovers"][2]) is False
    assert {"pandas": "boolean", "polars": "Boolean", "numpy": "object"}[form] == str(table["counted"].dtype)
    assert list(table["word"]) == ["true", "no", ""]
    assert all(np.isnan(value) for value in table["empty"])
    empty = table_of(parse_csv(["rope,head"]), form)
    assert str(empty["rope"].dtype).lower().startswith("bool") and len(empty["rope"]) == 0


def pandas_of(form):
    return pytest.importorskip("pandas") if form == "pandas" else None


@needs_program
def test_numbers_are_not_copied(analysis):
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    columns = {"ap": np.arange(5.0), "head": np.arange(5)}
    frame = table_of(columns, "pandas")
    assert isinstance(frame, pandas.DataFrame)
    assert all(np.shares_memory(frame[name].to_numpy(), columns[name]) for name in columns)
    pytest.importorskip("polars", reason="polars is not installed")
    frame = table_of(columns, "polars")
    assert all(np.shares_memory(frame[name].to_numpy(), columns[name]) for name in columns)


def sample(folder, name="study"):
    """A capture and an analysis of it, from the data of the other tests."""
    return folder / f"{name}.h5", folder / f"{name}.analysis.h5"


@needs_program
def test_finds_the_capture_of_an_analysis_and_back(analysis, tmp_path):
    capture, beside = sample(tmp_path)
    shutil.copy(EXAMPLE, capture)
    assert not ps.open(capture).has_analysis
    shutil.copy(analysis.analysis_file, beside)
    for file in (capture, beside):
        with ps.open(file) as study:
            assert (study.capture_file, study.analysis_file) == (capture, beside)
    capture.unlink()
    with ps.open(beside) as study:
        assert study.capture_file == EXAMPLE, "where it was when the analysis was made"
    with h5py.File(beside, "a") as root:
        root.attrs["capture_settings_hash"] = "0f" * 32
        del root.attrs["texts_crc32"]  # which knows the other hash
    study = ps.open(beside)
    assert not study.has_capture and len(study.heads) == 24
    with pytest.raises(ps.InputError, match="study.analysis.h5: expected a capture too .*found an analysis alone"):
        study.queries(16, 4)
    with pytest.raises(ps.InputError, match="a study of another capture"):
        ps.open(EXAMPLE, beside)
    with pytest.raises(ps.InputError, match="two files of plastiscope-capture"):
        ps.open(EXAMPLE, EXAMPLE)


def test_errors_name_file_place_expected_and_found(copy, tmp_path):
    study = ps.open(copy)
    for call, place, expected, found in (
        (lambda: study.queries(16, 0), "L16H0", "a captured head", "one that was not captured"),
        (lambda: study.queries(17, 0), "L17H0", "a captured head", "one that was not captured"),
        (lambda: study.queries(16, 4, before_rope=True), "L16H4", "vectors before RoPE", "one that was not captured"),
        (lambda: study.keys(16, 4, every=True), "L16H4", "a head at every position", "one that was not captured"),
        (lambda: study.tokens(14), "", "a text from 0 to 13", "14"),
        (lambda: study.losses(0), "/loss", "losses (capture with loss=True)", "none"),
        (lambda: study.table(), "", "an analysis too (make one with plastiscope.analyze(study))", "a capture alone"),
    ):
        with pytest.raises(ps.InputError) as caught:
            call()
        error = caught.value
        assert (error.file, error.place, error.expected, error.found) == (str(copy), place, expected, found)
        assert error.code == 3
    with pytest.raises(ps.UsageError, match='"L16" is not understood'):
        study.queries("L16")
    with pytest.raises(ps.UsageError, match="found 16 alone"):
        study.queries(16)
    text = tmp_path / "text.h5"
    text.write_text("no HDF5")
    with pytest.raises(ps.InputError, match="found a file of another format"):
        ps.open(text)
    with h5py.File(tmp_path / "other.h5", "w"):
        pass
    with pytest.raises(ps.InputError, match="found an HDF5 file of another program"):
        ps.open(tmp_path / "other.h5")
    with h5py.File(tmp_path / "newer.h5", "w") as root:
        root.attrs.update({"format": "plastiscope-capture", "format_version": 2})
    with pytest.raises(ps.InputError, match="format_version: expected at most 1, found 2"):
        ps.open(tmp_path / "newer.h5")


def test_a_changed_byte_is_found(copy):
    with h5py.File(copy) as root:
        offset = root["layers/16/query/vectors/04"].id.get_offset()
    with open(copy, "r+b") as stream:
        stream.seek(offset + 100)
        byte = stream.read(1)[0]
        stream.seek(offset + 100)
        stream.write(bytes([byte ^ 1]))
    study = ps.open(copy)
    with pytest.raises(ps.InputError, match="/layers/16/query/vectors/04: the checksum of its values does not match"):
        study.queries(16, 4)
    assert len(study.queries(16, 3)) == 1301


@pytest.mark.parametrize("name", ["checked", "chunked", "gzip", "scaleoffset", "shuffle", "types"])
def test_files_of_other_writers_are_read(name):
    """The same capture, as other programs write it (tests/data/store/make_rewritten.py)."""
    study, plain = ps.open(DATA / "store" / f"{name}.h5"), ps.open(DATA / "store" / "chunked.h5")
    assert study.heads == plain.heads and study.examples["id"].tolist() == plain.examples["id"].tolist()
    for head in study.heads:
        np.testing.assert_array_equal(study.queries(head).vectors, plain.queries(head).vectors)
        np.testing.assert_array_equal(study.keys(head).vectors, plain.keys(head).vectors)


def test_damaged_rows_do_not_affect_others():
    study = ps.open(DATA / "store" / "damaged_key.h5")
    with pytest.raises(ps.InputError, match="/layers/00/key/vectors/00: the checksum of its values does not match"):
        study.keys(study.heads[0])
    assert len(study.queries(study.heads[0])) > 0


def write_notes(file, content, **more):
    root = {
        "format": "plastiscope-notes",
        "version": 1,
        "crc32": zlib.crc32(canonical_json(content).encode()),
        "content": content,
        **more,
    }
    file.write_text(json.dumps(root))


@needs_program
@pytest.mark.parametrize("kind", ["capture", "analysis"])
def test_reports_damaged_metadata(kind, analysis, tmp_path):
    """One bit outside of the datasets' values: an error of ours, or what is read is what it was."""
    content = (EXAMPLE if kind == "capture" else analysis.analysis_file).read_bytes()
    file = tmp_path / "damaged.h5"
    file.write_bytes(content)
    outside = np.ones(len(content) - 89, dtype=bool)  # the seal is not read
    with h5py.File(file) as root:

        def leave_out(_, found):
            if isinstance(found, h5py.Dataset) and found.id.get_offset() is not None:
                start = found.id.get_offset()
                outside[start : start + found.id.get_storage_size()] = False

        root.visititems(leave_out)

    def read():
        with ps.open(file) as study:
            if kind == "analysis":
                tables = {name: study.table(name, "numpy") for name in ("heads", "profile", "taxonomy")}
                return [values.tobytes() for table in tables.values() for values in table.values()]
            return [study.text(0), *(study.queries(head).vectors.tobytes() for head in study.heads[:4])]

    whole, said, draw = read(), 0, np.random.default_rng(4)
    for place in draw.choice(np.flatnonzero(outside), 60, replace=False):
        changed = bytearray(content)
        changed[place] ^= 1 << int(draw.integers(8))
        file.write_bytes(changed)
        try:
            assert read() == whole
        except ps.InputError as error:
            assert "damaged.h5" in str(error)
            said += 1
    assert said > 5


def test_notes_and_stars(copy, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    study = ps.open(copy)
    assert study.notes == ps.Notes()
    with h5py.File(copy) as root:
        capture = {"model": root["model"].attrs["fingerprint"], "capture": root.attrs["settings_hash"]}
    content = {
        "study": "a study — größer",
        "heads": {"L16H4": "induction?", "of a newer program": "x"},
        "starred": ["L16H4", "L0H1"],
        "capture": capture,
    }
    beside = copy.with_name("study.notes.json")
    write_notes(beside, content)
    notes = study.notes
    assert notes.text == "a study — größer" and notes.heads == {ps.Head(16, 4): "induction?"}
    assert notes.starred == {ps.Head(16, 4), ps.Head(0, 1)} and notes.file == beside
    pairs = [{"name": "pair", "colour": "#0072b2", "heads": ["L16H4", "L0H1", "?"]}, {"name": "none", "heads": []}, 7]
    write_notes(beside, {**content, "groups": pairs})
    assert study.groups == {"pair": [ps.Head(0, 1), ps.Head(16, 4)]}
    write_notes(beside, {**content, "capture": {**capture, "capture": "ab" * 32}})
    assert study.notes == ps.Notes(), "of another capture"
    beside.write_text(beside.read_text().replace("größer", "kleiner").replace("gr\\u00f6\\u00dfer", "kleiner"))
    with pytest.raises(ps.InputError, match="the check sum does not agree"):
        study.notes
    write_notes(beside, content, version=2)
    with pytest.raises(ps.InputError, match="version: expected at most 1, found 2"):
        study.notes
