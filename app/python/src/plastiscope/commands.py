"""The commands that run models and compute tables and figures, with options, defaults and errors of the programs."""

from __future__ import annotations

import base64
import json
import os
import shutil
import tempfile
import weakref
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, overload

from . import frames
from .errors import InputError, UsageError
from .heads import Head, heads_text
from .html_tables import html_table
from .program import Progress, command, run
from .study import Study
from .study import open as open_study
from .texts import Texts, write_texts

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from . import option_types as types

StudyLike = Study | str | os.PathLike[str]
PathLike = str | os.PathLike[str]


class Estimate(dict[str, Any]):
    """What a run would need, without running it: ``estimate["seconds"]``, ``estimate["memory_bytes"]`` and others."""

    def _repr_html_(self) -> str:
        return html_table((), self.items())


@overload
def capture(
    model: PathLike, texts: Texts | None = None, *, out: PathLike, estimate: Literal[False] = False,
    progress: Progress | None = None, **options: Unpack[types.CaptureOptions],
) -> Study: ...  # fmt: skip
@overload
def capture(
    model: PathLike, texts: Texts | None = None, *, out: PathLike, estimate: Literal[True],
    progress: Progress | None = None, **options: Unpack[types.CaptureOptions],
) -> Estimate: ...  # fmt: skip
def capture(
    model: PathLike,
    texts: Texts | None = None,
    *,
    out: PathLike,
    estimate: bool = False,
    progress: Progress | None = None,
    **options: Unpack[types.CaptureOptions],
) -> Study | Estimate:
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
    given = {**options, "model": model, "out": out, "estimate": estimate, "json": estimate}
    with tempfile.TemporaryDirectory() as folder:
        text = run(command("capture"), [], _with_texts("capture", texts, Path(folder), given), progress)
    return Estimate(json.loads(text)) if estimate else open_study(out)


def probe(
    model: PathLike, texts: Texts | None = None, *, csv: PathLike | None = None, form: str | None = None,
    progress: Progress | None = None, **options: Unpack[types.ProbeOptions],
) -> dict[str, Any]:  # fmt: skip
    """Runs texts with known answers through a model (``plastiscope-cli probe``): the tables probes, benefit and
    retrieval. ``texts`` are filler and passages; without them the filler is random tokens. An interrupted call with
    ``csv`` continues when it is repeated.

    >>> tables = probe(tiny_model, kinds="needle", lengths=64, depths=[0, 1], count=2, form="numpy")
    >>> [str(each) for each in tables["probes"]["condition"]]
    ['present', 'present', 'absent', 'absent', 'other_value', 'other_value']
    """
    return written_tables("probe", [], {**options, "model": model}, csv, form, progress, texts)


def composition(
    model: PathLike, texts: Texts | None = None, *, csv: PathLike | None = None, form: str | None = None,
    progress: Progress | None = None, **options: Unpack[types.CompositionOptions],
) -> dict[str, Any]:  # fmt: skip
    """Finds which heads feed which (``plastiscope-cli composition``): the table edges.

    >>> edges = composition(tiny_model, edges=3, weights_only=True, form="numpy")["edges"]
    >>> [str(name) for name in edges][-3:], bool(edges["score"][0] >= edges["score"][1])
    (['score', 'baseline', 'excess'], True)
    """
    return written_tables("composition", [], {**options, "model": model}, csv, form, progress, texts)


def run_study(
    file: PathLike, *, out: PathLike, estimate: bool = False, form: str | None = None,
    progress: Progress | None = None, **options: Unpack[types.RunStudyOptions],
) -> dict[str, Any]:  # fmt: skip
    """Runs an intervention study that a TOML file describes (``plastiscope-cli study``) into the folder ``out``: the
    tables effects, doses, singles, contrasts, draws, sets and sentences. An interrupted call continues when it is
    repeated. With ``part`` there are no tables until the last part is finished.

    >>> keys = f'model = "{tiny_model}"\\ntokens = "{tiny_tokens}"\\nsingles = "L0H0,L1H1"'
    >>> _ = (folder / "study.toml").write_text(keys)
    >>> tables = run_study(folder / "study.toml", out=folder / "effects", form="numpy")
    >>> tables["singles"]["layer"][[0, -1]], tables["effects"]["effect"].size
    (array([0, 1]), 0)
    """
    printed = run(command("study"), [file], {**options, "out": out, "estimate": estimate, "json": estimate}, progress)
    return Estimate(json.loads(printed)) if estimate else _tables(Path(out), form)


def batch(
    sweep: PathLike, *, progress: Progress | None = None, **options: Unpack[types.BatchOptions]
) -> list[dict[str, Any]]:
    """Captures and analyses what a TOML file lists (``plastiscope-cli batch``): a run has its name, files and state,
    and with ``dry_run=True``, which only predicts, its estimate.

    >>> lines = f'[[model]]\\npath = "{tiny_model}"\\n[[texts]]\\ntokens = "{tiny_tokens}"\\n[[capture]]\\nwindow = 256'
    >>> _ = (folder / "sweep.toml").write_text(lines)
    >>> [run["state"] for run in batch(folder / "sweep.toml", dry_run=True)]
    ['missing']
    """
    return list(printed("batch", [sweep], {**options, "json": True}, progress=progress))


def merge(
    *parts: PathLike, out: PathLike, progress: Progress | None = None, **options: Unpack[types.MergeOptions]
) -> Study:
    """Joins the parts of a capture that several machines made (``plastiscope-cli merge``).

    >>> given = {"tokens": tiny_tokens, "window": 256, "heads": "all"}
    >>> parts = [capture(tiny_model, out=folder / f"{i}.h5", part=f"{i}/2", **given).path for i in (0, 1)]
    >>> len(merge(*parts, out=folder / "joined.h5").examples["id"])
    2
    """
    run(command("merge"), parts, {**options, "out": out}, progress)
    return open_study(out)


def _with_texts(name: str, texts: Texts | None, folder: Path, options: Mapping[str, Any]) -> dict[str, Any]:
    """Options with the texts, written to files in the folder."""
    if texts is not None and {"text", "tokens"} & options.keys():
        raise UsageError(f"{name}: expected texts, or files as text= or tokens=, found both")
    return {**options, **({} if texts is None else write_texts(texts, folder, options))}


def written_tables(
    name: str, files: Iterable[Any], options: Mapping[str, Any], csv: PathLike | None, form: str | None,
    progress: Progress | None, texts: Texts | None = None,
) -> dict[str, Any]:  # fmt: skip
    """Tables that a command writes with --csv, by name."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(csv) if csv is not None else Path(folder) / "tables"
        run(command(name), files, {**_with_texts(name, texts, Path(folder), options), "csv": place}, progress)
        return _tables(place, form)


def _tables(folder: Path, form: str | None) -> dict[str, Any]:
    files = sorted(folder.glob("*.csv"))
    return frames.Tables({file.stem: frames.table_of(frames.read_csv(file), form) for file in files})


def printed(
    name: str, words: Iterable[Any], options: Mapping[str, Any], form: str | None = None,
    progress: Progress | None = None,
) -> Any:  # fmt: skip
    """What a command prints: a table, with json=True its values, with another format than CSV its text."""
    text = run(command(name), words, options, progress)
    if options.get("json"):
        return json.loads(text)
    if options.get("latex") or options.get("format", "csv") != "csv":
        return text
    return frames.table_of(frames.parse_csv(text.splitlines()), form)


def _path(study: StudyLike) -> Path:
    return study.path if isinstance(study, Study) else Path(study)


def analysis_path(study: StudyLike) -> Path:
    """Path to give to the programs: they find the capture of an analysis, and analyse a capture without one."""
    return (study.analysis_file or study.path) if isinstance(study, Study) else Path(study)


def capture_path(study: StudyLike, name: str) -> Path:
    """Path of the capture; UsageError naming the command if there is an analysis alone."""
    file = study.capture_file if isinstance(study, Study) else Path(study)
    if file is None:
        raise UsageError(f"{name}: expected a capture, found the analysis {_path(study)} alone")
    return file


def analyze(
    study: StudyLike, *, out: PathLike | None = None, progress: Progress | None = None,
    **options: Unpack[types.AnalyzeOptions],
) -> Study:  # fmt: skip
    """Computes the tables of a capture (``plastiscope-cli analyze``), beside it as NAME.analysis.h5 without ``out``.

    >>> study = analyze(example, out=folder / "example.analysis.h5", pairs=64)
    >>> study.table("model", "numpy")["heads"]
    array([24])
    """
    file = capture_path(study, "analyze")
    made = Path(out) if out is not None else file.with_name(f"{file.stem}.analysis.h5")
    run(command("analyze"), [file], {**options, "out": made}, progress)
    return open_study(file, made)


def attended(
    study: StudyLike, head: str | Head, *, form: str | None = None, **options: Unpack[types.AttendedOptions]
) -> Any:
    """What a head looks at, the numbers of figure "attended": shares of its attention by place, type, distance and
    token of the keys and fifth of the window, entropy and parts of the scores (``panel`` "attended"), entropy and first
    token in finer steps ("steps"), and queries where it acts as usual and where not ("queries").
    ``query_types="number"`` chooses queries, as in :func:`render`.

    >>> table = attended(example, "L16H4", form="numpy")
    >>> sorted(set(table["panel"].tolist()))
    ['attended', 'queries', 'steps']
    """
    with tempfile.TemporaryDirectory() as folder:
        render(study, figure="attended", head=head, out=Path(folder) / "attended.svg", **options)
        return frames.table_of(frames.read_csv(Path(folder) / "attended.csv"), form)


def compare(
    *studies: StudyLike, form: str | None = None, csv: PathLike | None = None, progress: Progress | None = None,
    **options: Unpack[types.CompareOptions],
) -> dict[str, Any]:  # fmt: skip
    """Tables that compare studies (``plastiscope-cli compare``), by name.

    >>> tables = compare(example, analysis, form="numpy")
    >>> tables["models"]["heads"]
    array([24, 24])
    """
    return written_tables("compare", map(analysis_path, studies), options, csv, form, progress)


def groups(
    study: StudyLike,
    group: str | Iterable[str] | Mapping[str, str | Iterable[Head | str]] | None = None,
    *,
    form: str | None = None,
    csv: PathLike | None = None,
    progress: Progress | None = None,
    **options: Unpack[types.GroupsOptions],
) -> Any:
    """Compares groups of heads with other heads (``plastiscope-cli groups``): a row for each group and metric with
    the difference of the means, its interval, and permutation tests. ``against``: "layers", "rest", or another group.

    >>> found = groups(analysis, {"early": "L0-L9"}, metric="ap_drop", against="rest", form="numpy")
    >>> str(found["group"][0]), found["heads"] + found["others"]
    ('early', array([24]))
    """
    known = study.groups if isinstance(study, Study) else {}
    if isinstance(group, str):
        group = [group]
    listed = {name: known.get(name) for name in group} if group is not None else known
    named = group if isinstance(group, Mapping) else listed
    texts = [name if heads is None else _group_text(name, heads) for name, heads in named.items()]
    against = options.get("against")
    if isinstance(against, str) and against in known:
        options["against"] = _group_text(against, known[against])
    given = {**options, "group": texts or None}
    return written_tables("groups", [analysis_path(study)], given, csv, form, progress)["groups"]


def _group_text(name: str, heads: str | Iterable[Head | str]) -> str:
    return f"{name}={heads if isinstance(heads, str) else heads_text(heads)}"


def export_csv(study: StudyLike, out: PathLike, **options: Unpack[types.ExportCsvOptions]) -> Path:
    """All tables of an analysis as CSV, with provenance.json (``plastiscope-cli export csv``).

    >>> sorted(file.name for file in export_csv(analysis, folder / "tables").glob("heads*"))
    ['heads.csv']
    """
    run(command("export csv"), [analysis_path(study)], {**options, "out": out})
    return Path(out)


def reference(
    name: str | None = None, *, own: Iterable[StudyLike] = (), form: str | None = None,
    **options: Unpack[types.ReferenceOptions],
) -> Any:  # fmt: skip
    """Published numbers (``plastiscope-cli reference``): a table by its name, or one of the thesis by its number.
    The rows of ``own`` studies follow in 6.1 and 6.2. Without a name, the list of tables.

    >>> reference()["6.3"]
    'Plasticity and LongBench-Pro'
    >>> reference("6.1", own=[analysis], form="numpy")["0-20 %"].shape
    (12,)
    """
    if name is None and not options:
        listed = printed("reference", [], {"json": True})
        return {each["name"]: each["content"] for each in listed["tables"] + listed["thesis"]}
    given = {**options, "own": [analysis_path(each) for each in own] or None}
    return printed("reference", [name] if name else [], given, form)


def runs(
    *places: PathLike, form: str | None = None, progress: Progress | None = None, **options: Unpack[types.RunsOptions]
) -> Any:
    """Captures and analyses in folders with their settings as columns (``plastiscope-cli runs``); ``differs`` names
    those in which they differ.

    >>> table = runs(example, form="numpy", sort="date")
    >>> int(table["window"][0]), str(table["model"][0])
    (4096, 'SmolLM2-135M-Instruct.Q4_1')
    """
    return printed("runs", places, {"csv": True, **options}, form, progress)


class Figure:
    """A drawn figure, displayed in a notebook: ``content`` are the bytes of ``file``. A file without a name of its own
    is removed with the figure."""

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


def render(
    *studies: StudyLike, figure: str, out: PathLike | None = None, **options: Unpack[types.RenderOptions]
) -> Figure:
    """Draws a figure (``plastiscope render``): ``render(study, figure="map", head="L16H4", out="map.pdf")``. Without
    ``out`` its file exists as long as the result.

    >>> render(example, figure="map", head="L16H4", out=folder / "map.svg").content[:5]
    b'<?xml'
    """
    files = [analysis_path(each) for each in studies]
    folder = tempfile.mkdtemp() if out is None else None
    file = Path(out if out is not None else f"{folder}/{figure}.svg")
    try:
        run(command("render"), files, {"no_sidecar": folder is not None, **options, "figure": figure, "out": file})
        drawn = Figure(file, file.read_bytes())
    except BaseException:
        if folder is not None:
            shutil.rmtree(folder)
        raise
    if folder is not None:
        weakref.finalize(drawn, shutil.rmtree, folder, ignore_errors=True)
    return drawn


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
