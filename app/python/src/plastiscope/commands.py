"""The commands: capture, probe, composition, study, analyze, compare, groups, render, with the options, defaults and
errors of the programs."""

from __future__ import annotations

import base64
import json
import os
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from . import frames
from .errors import InputError, UsageError
from .heads import Head, heads_text
from .program import Command, Progress, command, run
from .study import Study
from .study import open as open_study
from .texts import Texts, write_texts

StudyLike = Study | str | os.PathLike[str]
PathLike = str | os.PathLike[str]


def options(name: str) -> Command:
    """Options of a command: "capture", "analyze", "compare", "render", "export page", ...

    >>> options("capture").options["store"].words
    ('float16', 'float32')
    """
    return command(name)


def capture(
    model: PathLike,
    texts: Texts | None = None,
    *,
    out: PathLike,
    progress: Progress | None = None,
    **options: Any,
) -> Study:
    """Runs a model over texts and keeps queries and keys (``plastiscope-cli capture``).

    A ``str`` is a text, a ``Path`` a file of texts (.txt, .jsonl, .json, .parquet, .arrow, .csv), a mapping texts by
    their ids; texts without an id are numbered. A data frame, a data set of Hugging Face, or dicts have their texts in
    ``text_field``, by default text, context, content, document or prompt, or in the fields of ``template``, messages
    with ``chat_template=True``, and ids in ``id_field``, by default id or _id; short other fields become columns of
    ``examples``. Lists of integers are tokens. Options are those of the command: ``window=4096, rate=16, heads="all"``;
    ``options("capture")`` lists them. An interrupted capture continues when the same call is repeated.

    >>> study = capture(tiny_model, tokens=tiny_tokens, out=folder / "tiny.h5", window=256, heads="all")
    >>> study.queries("L0H0").vectors.shape[1]
    16
    """
    with tempfile.TemporaryDirectory() as folder:
        _run_on_texts("capture", texts, Path(folder), {**options, "model": model, "out": out}, progress)
    return open_study(out)


def probe(model: PathLike, texts: Texts | None = None, **options: Any) -> dict[str, Any]:
    """Runs texts with known answers through a model (``plastiscope-cli probe``): the tables probes, benefit and
    retrieval, also written to the folder ``csv``; ``form`` and ``progress`` as for ``compare``. ``texts``, which are
    filler and passages, as for ``capture``; without them the filler is random tokens. An interrupted call with ``csv``
    continues when it is repeated.

    >>> tables = probe(tiny_model, kinds="needle", lengths=64, depths=[0, 1], count=2, form="numpy")
    >>> [str(each) for each in tables["probes"]["condition"]]
    ['present', 'present', 'absent', 'absent', 'other_value', 'other_value']
    """
    return _tables_on_texts("probe", model, texts, **options)


def composition(model: PathLike, texts: Texts | None = None, **options: Any) -> dict[str, Any]:
    """Finds which heads feed which (``plastiscope-cli composition``): the table edges. Texts, ``csv``, ``form`` and
    ``progress`` as for ``probe``.

    >>> edges = composition(tiny_model, edges=3, weights_only=True, form="numpy")["edges"]
    >>> [str(name) for name in edges][-3:], bool(edges["score"][0] >= edges["score"][1])
    (['score', 'baseline', 'excess'], True)
    """
    return _tables_on_texts("composition", model, texts, **options)


def run_study(
    file: PathLike, *, out: PathLike, form: str | None = None, progress: Progress | None = None, **options: Any
) -> dict[str, Any]:
    """Runs an intervention study that a TOML file describes (``plastiscope-cli study``) into the folder ``out``: the
    tables effects, doses, singles, contrasts, draws, sets and sentences. An interrupted call continues when it is
    repeated. With ``part`` there are no tables until the last part is finished.

    >>> keys = f'model = "{tiny_model}"\\ntokens = "{tiny_tokens}"\\nsingles = "L0H0,L1H1"'
    >>> _ = (folder / "study.toml").write_text(keys)
    >>> tables = run_study(folder / "study.toml", out=folder / "effects", form="numpy")
    >>> tables["singles"]["layer"][[0, -1]], tables["effects"]["effect"].size
    (array([0, 1]), 0)
    """
    run(command("study"), [file], {**options, "out": out}, progress)
    return _tables(Path(out), form)


def _run_on_texts(
    name: str, texts: Texts | None, folder: Path, options: dict[str, Any], progress: Progress | None
) -> None:
    if texts is not None and {"text", "tokens"} & options.keys():
        raise UsageError(f"{name}: expected texts, or files as text= or tokens=, found both")
    given = {} if texts is None else write_texts(texts, folder, options)
    run(command(name), [], {**options, **given}, progress)


def _tables_on_texts(
    name: str,
    model: PathLike,
    texts: Texts | None,
    *,
    csv: PathLike | None = None,
    form: str | None = None,
    progress: Progress | None = None,
    **options: Any,
) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        place = Path(csv) if csv is not None else Path(folder) / "tables"
        _run_on_texts(name, texts, Path(folder), {**options, "model": model, "csv": place}, progress)
        return _tables(place, form)


def _tables(folder: Path, form: str | None) -> dict[str, Any]:
    return {file.stem: frames.table_of(frames.read_csv(file), form) for file in sorted(folder.glob("*.csv"))}


def _path(study: StudyLike) -> Path:
    return study.path if isinstance(study, Study) else Path(study)


def analysis_path(study: StudyLike) -> Path:
    """Path to give to the programs: they find the capture of an analysis, and analyse a capture without one."""
    return (study.analysis_file or study.path) if isinstance(study, Study) else Path(study)


def analyze(
    study: StudyLike, *, out: PathLike | None = None, progress: Progress | None = None, **options: Any
) -> Study:
    """Computes the tables of a capture (``plastiscope-cli analyze``), beside it as NAME.analysis.h5 without ``out``.

    >>> study = analyze(example, out=folder / "example.analysis.h5", pairs=64)
    >>> study.table("model", "numpy")["heads"]
    array([24])
    """
    file = study.capture_file if isinstance(study, Study) else Path(study)
    if file is None:
        raise UsageError(f"analyze: expected a capture, found the analysis {_path(study)} alone")
    made = Path(out) if out is not None else file.with_name(f"{file.stem}.analysis.h5")
    run(command("analyze"), [file], {**options, "out": made}, progress)
    return open_study(file, made)


def attended(study: StudyLike, head: str | Head, *, form: str | None = None, **options: Any) -> Any:
    """What a head looks at, the numbers of figure "attended": shares of its attention by place, type, distance and
    token of the keys and fifth of the window, entropy and parts of the scores (``panel`` "attended"), and queries where
    it acts as usual and where not ("queries"). ``query_types="number"`` chooses queries, as in :func:`render`.

    >>> table = attended(example, "L16H4", form="numpy")
    >>> sorted(set(table["panel"].tolist()))
    ['attended', 'queries']
    """
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "attended.svg"
        given = {**options, "figure": "attended", "head": str(head), "out": file}
        run(command("render"), [analysis_path(study)], given)
        return frames.table_of(frames.read_csv(file.with_suffix(".csv")), form)


def compare(
    *studies: StudyLike, form: str | None = None, csv: PathLike | None = None, progress: Progress | None = None,
    **options: Any,
) -> dict[str, Any]:  # fmt: skip
    """Tables that compare studies (``plastiscope-cli compare``), by name; also written to the folder ``csv``.

    >>> tables = compare(example, analysis, form="numpy")
    >>> tables["models"]["heads"]
    array([24, 24])
    """
    files = [analysis_path(each) for each in studies]
    with tempfile.TemporaryDirectory() as folder:
        place = Path(csv) if csv is not None else Path(folder) / "tables"
        run(command("compare"), files, {**options, "csv": place}, progress)
        return _tables(place, form)


def groups(
    study: StudyLike,
    group: str | Iterable[str] | Mapping[str, str | Iterable[Head | str]] | None = None,
    *,
    form: str | None = None,
    csv: PathLike | None = None,
    progress: Progress | None = None,
    **options: Any,
) -> Any:
    """Compares groups of heads with other heads (``plastiscope-cli groups``): a row for each group and metric with
    the difference of the means, its interval, and permutation tests; also written to the folder ``csv``.

    ``group``: names of groups of the study or "NAME=HEADS", or a mapping of names to heads or expressions; by default
    all groups of the study. ``against``: "layers", "rest", or another group.

    >>> found = groups(analysis, {"early": "L0-L9"}, metric="ap_drop", against="rest", form="numpy")
    >>> str(found["group"][0]), found["heads"] + found["others"]
    ('early', array([24]))
    """
    known = study.groups if isinstance(study, Study) else {}
    if isinstance(group, str):
        group = [group]
    given = known if group is None else group if isinstance(group, Mapping) else {name: known.get(name) for name in group}
    texts = [name if heads is None else _group_text(name, heads) for name, heads in given.items()]
    if options.get("against") in known:
        options["against"] = _group_text(options["against"], known[options["against"]])
    with tempfile.TemporaryDirectory() as folder:
        place = Path(csv) if csv is not None else Path(folder) / "tables"
        run(command("groups"), [analysis_path(study)], {**options, "group": texts or None, "csv": place}, progress)
        return _tables(place, form)["groups"]


def _group_text(name: str, heads: str | Iterable[Head | str]) -> str:
    return f"{name}={heads if isinstance(heads, str) else heads_text(heads)}"


def export_csv(study: StudyLike, out: PathLike, **options: Any) -> Path:
    """All tables of an analysis as CSV, with provenance.json (``plastiscope-cli export csv``).

    >>> sorted(file.name for file in export_csv(analysis, folder / "tables").glob("heads*"))
    ['heads.csv']
    """
    run(command("export csv"), [analysis_path(study)], {**options, "out": out})
    return Path(out)


def reference(name: str | None = None, *, own: Iterable[StudyLike] = (), form: str | None = None) -> Any:
    """Published numbers (``plastiscope-cli reference``): a table by its name, or one of the thesis by its number.
    The rows of ``own`` studies follow in 6.1 and 6.2. Without a name, the list of tables.

    >>> reference()["6.3"]
    'Plasticity and LongBench-Pro'
    >>> reference("6.1", own=[analysis], form="numpy")["0-20 %"].shape
    (12,)
    """
    if name is None:
        listed = json.loads(run(command("reference"), [], {"json": True}))
        return {each["name"]: each["content"] for each in listed["tables"] + listed["thesis"]}
    files = [analysis_path(each) for each in own] or None
    printed = run(command("reference"), [name], {"own": files})
    return frames.table_of(frames.parse_csv(printed.splitlines()), form)


def runs(*places: PathLike, form: str | None = None, **options: Any) -> Any:
    """Captures and analyses in folders with their settings as columns (``plastiscope-cli runs``); ``differs`` names
    those in which they differ.

    >>> table = runs(example, form="numpy", sort="date")
    >>> int(table["window"][0]), str(table["model"][0])
    (4096, 'SmolLM2-135M-Instruct.Q4_1')
    """
    return frames.table_of(frames.parse_csv(run(command("runs"), places, {**options, "csv": True}).splitlines()), form)


class Figure:
    """A drawn figure: its file, displayed in a notebook."""

    def __init__(self, file: Path, content: bytes) -> None:
        self.file, self.content = file, content

    def __repr__(self) -> str:
        return f"Figure({str(self.file)!r})"

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, Any]:
        kinds = {".svg": "image/svg+xml", ".png": "image/png", ".pdf": "application/pdf"}
        kind = kinds.get(self.file.suffix)
        if kind is None:
            return {"text/plain": repr(self)}
        if kind == "image/svg+xml":
            return {kind: self.content.decode()}
        return {kind: base64.b64encode(self.content).decode()}


def render(*studies: StudyLike, figure: str, out: PathLike | None = None, **options: Any) -> Figure:
    """Draws a figure (``plastiscope render``): ``render(study, figure="map", head="L16H4", out="map.pdf")``. Without
    ``out`` it is only shown in the notebook. ``plastiscope render --list`` names the figures.

    >>> render(example, figure="map", head="L16H4", out=folder / "map.svg").content[:5]
    b'<?xml'
    """
    files = [analysis_path(each) for each in studies]
    with tempfile.TemporaryDirectory() as folder:
        beside = {} if out is not None else {"no_sidecar": True}
        file = Path(out) if out is not None else Path(folder) / f"{figure}.svg"
        run(command("render"), files, {**beside, **options, "figure": figure, "out": file})
        return Figure(file, file.read_bytes())


def verify(*files: StudyLike) -> list[dict[str, Any]]:
    """Checks counts, structure and checksums (``plastiscope-cli verify``): file, kind, intact, checks, notes, problems.

    >>> [report["intact"] for report in verify(example)]
    [True]
    """
    try:
        printed = run(command("verify"), [_path(file) for file in files], {"json": True})
    except InputError as error:  # some are damaged; the reports have the details
        printed = error.printed
        if not printed:
            raise
    return [json.loads(line) for line in printed.splitlines()]
