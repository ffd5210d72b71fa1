"""Completes docstrings with the sections of numpydoc, and signatures with the options of commands."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable, Mapping
from typing import Any

from . import option_types

# Texts by name; FUNCTION.NAME where a function means something else.
_PARAMETERS = {
    "all_layers": "Also choose from layers with a window.",
    "ax": "Axes of matplotlib to draw on; new ones by default.",
    "before_rope": "Vectors before RoPE, of a capture of both points.",
    "bucket_size": "Tokens of a bucket.",
    "cell": "Column and row of a cell of the map, as in map.csv; by default PP is counted by query position.",
    "cfg": "Configuration of the model, ``bridge.cfg``.",
    "csv": "Folder that keeps the tables as CSV files.",
    "dtype": "Type of the vectors; None keeps that of the file.",
    "estimate": "Only predict time, memory and disk space.",
    "every": "Rows of every position, of a head captured so (option ``dense``).",
    "example": "Number of a text, from 0, or its id.",
    "figure": "Name of the figure; `figures` lists them.",
    "file": "A model, a capture or an analysis.",
    "open.file": "A capture or an analysis.",
    "run_study.file": "A TOML file.",
    "files": "Captures and analyses.",
    "folders": "Folders that are searched, too.",
    "form": '"pandas", "polars" or "numpy"; `Study.table` states the default.',
    "fresh": "Replace a finished file.",
    "group": 'Names of groups of the study, or "NAME=HEADS", or heads or expressions by names; by default all groups.',
    "head": 'A captured query head; ``16, 4`` is also given as ``"L16H4"`` or a `Head`.',
    "head_seed": "Seed of the heads that a number draws.",
    "heads": "As ``request`` of `choose_heads`.",
    "set_group.heads": 'A list or an expression: "L12H6,L14", "ap_drop > 0.2 && layer < 10"; None deletes the group.',
    "ids": "Ids of the texts in their order; by default numbers from 0.",
    "key_head": "The key head itself, beside the number of its layer.",
    "keys": "Positions of keys, in tokens; all by default.",
    "kind": '"query" or "key".',
    "layer": 'A captured query head, such as ``"L16H4"``, or the number of its layer, from 0.',
    "sample_seed.layer": "Number of the layer, from 0.",
    "layers": "Number of layers of the model.",
    "length": "Tokens of the example.",
    "metric": "A column of heads.csv with numbers.",
    "model": "Model folder, GGUF file, or a name in a cache.",
    "find_program.name": '"plastiscope-cli" or "plastiscope".',
    "record.model": "A decoder of transformers.",
    "metrics.name": "A column, TABLE.COLUMN or a table; by default everything.",
    "command.name": 'A command, such as "capture" or "export page".',
    "table.name": "One of `tables`.",
    "reference.name": "A table, or a table of the thesis by its number; by default the list of them.",
    "set_group.name": "Name of the group.",
    "options": "Options of the command: ``--bucket-size 256`` is ``bucket_size=256``; `options` lists them.",
    "open.other": "Its counterpart; by default it is looked for beside the file.",
    "out": "File or folder to write.",
    "own": "Studies whose rows follow in the tables 6.1 and 6.2.",
    "paired": "Choose the same positions for queries and keys.",
    "parts": "All parts of one capture, in any order.",
    "pid": "Process of the window; by default the newest.",
    "places": "Folders of captures and analyses, or such files.",
    "plasticity": '"aligned": queries of a bin moved to one position; "binned": as they are.',
    "point": '"post-rope", "pre-rope" or "both": where rows are taken.',
    "predictors": "Studies, or a CSV file with the column model; by default the numbers of the thesis.",
    "progress": "Called with each event, a dict. By default a bar of tqdm in terminals and notebooks; False: none.",
    "quantity": '"weight": share of all keys that the query sees, without a learned sink; "score": before the softmax.',
    "queries": "Positions of queries, in tokens; all by default.",
    "query_heads": "Number of query heads of a layer.",
    "rate": "Expected rows of a bucket.",
    "request": 'A number of heads drawn over all layers, as in the thesis, "all", "stratified:N", or a list.',
    "runs": "Pairs of tokens [texts, tokens] and their cache; a generator keeps one in memory.",
    "sample_seed": "Seed of the positions; by default they depend on ids alone.",
    "sampler": '"uniform", "log_uniform", "all" or "exact_per_bucket".',
    "seed": "Seed of the draw.",
    "store": '"float16" or "float32": type of the stored rows.',
    "studies": "Open studies, or paths of captures or analyses.",
    "study": "An open study, or the path of its capture or analysis.",
    "sweep": "A TOML file with models, texts and settings.",
    "text": "The text itself, or a `Path` of a file.",
    "texts": "Texts, files, records or tokens, as described for `capture`.",
    "tokenizer": "Tokenizer whose words of the texts are stored.",
    "unit": "Unit, for tool tips.",
    "add_column.name": "Name of the column; by default that of the Series.",
    "values": 'A number for each head: a mapping or pandas Series by (layer, head) or "L16H4"; NaN is missing.',
    "user_seed": "The option ``sample_seed`` of a capture.",
    "window": "Tokens to which texts are cut.",
    "show.window": "Open the window instead of a page; by default outside of notebooks.",
    "height": "Height of the page in pixels.",
    "windowed": "Layers with a window.",
    "without_vectors": "Layers that have no queries and keys.",
}
_RAISES = {
    "UsageError": "An option or a value is not known, is missing, or contradicts another.",
    "InputError": "A file is missing or damaged, or lacks what was asked for.",
    "ResourceError": "Memory or disk space do not suffice.",
    "Stopped": "The program was stopped; the same call continues.",
}
_NEVER_RAISE = ("close", "sample_seed", "seed_id")


def _errors(function: Any, names: Iterable[str]) -> str:
    if function.__name__ in _NEVER_RAISE:
        return ""
    pure = function.__module__.rpartition(".")[2] in ("heads", "program", "sampler")
    count = 1 if pure else len(_RAISES) if {"options", "progress"} & set(names) else 2
    return "\n".join(f"{error}\n    {_RAISES[error]}" for error in list(_RAISES)[:count])


def _parameter(function: str, parameter: inspect.Parameter) -> str:
    kind = "" if parameter.name == "options" else f" : {str(parameter.annotation).removesuffix(' | None')}"
    optional = ", optional" if parameter.default is not parameter.empty else ""
    stars = "**" if parameter.name == "options" else "*" * (parameter.kind is parameter.VAR_POSITIONAL)
    text = _PARAMETERS.get(f"{function}.{parameter.name}") or _PARAMETERS.get(parameter.name, "")
    return f"{stars}{parameter.name}{kind}{optional}\n    {text}".rstrip()


def complete(function: Any) -> None:
    """Adds sections to the docstring of a function, and the options of its command to its signature."""
    signature = inspect.signature(function)
    text, code, examples = inspect.cleandoc(function.__doc__ or "").partition("\n\n>>> ")
    *parameters, last = signature.parameters.values() or [None]
    given = [_parameter(function.__name__, each) for each in (*parameters, last) if each and each.name != "self"]
    sections = {
        "Parameters": "\n".join(given),
        "Returns": str(signature.return_annotation),
        "Raises": _errors(function, signature.parameters),
        "Examples": (code + examples).strip(),
    }
    parts = (f"{title}\n{'-' * len(title)}\n{body}" for title, body in sections.items() if body)
    function.__doc__ = "\n\n".join([text, *parts])
    title = re.search(r"types\.(\w+)", str(last))
    if last and title and title[1] in vars(option_types):
        options = getattr(option_types, title[1]).__annotations__
        named = [inspect.Parameter(name, last.KEYWORD_ONLY, default=None) for name in options]
        function.__signature__ = signature.replace(parameters=[*parameters, *named, last])


def complete_all(*owners: Mapping[str, Any]) -> None:
    """Completes the public functions of modules and classes, once each."""
    for name, value in (item for owner in owners for item in owner.items()):
        if inspect.isfunction(value) and not name.startswith("_"):
            complete(value)
