"""Writes texts (lists, data frames, data sets, tokens) to files for the programs."""

from __future__ import annotations

import itertools
import json
import numbers
import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from .errors import UsageError

Texts = Mapping[Any, Any] | Iterable[Any] | os.PathLike[str]
_TEXT_FIELDS = ("text", "context", "content", "document", "prompt")  # in the order of the programs
_ID_FIELDS = ("id", "_id")
_TOKEN_FIELDS = ("tokens", "input_ids")
_CHAT_FIELDS = ("messages", "conversations")


def _named(value: Any) -> str:
    """A value with its type, for a message: [1, 'a'] (list)."""
    shown = repr(value)
    return f"{shown if len(shown) < 60 else shown[:56] + ' ...'} ({type(value).__name__})"


def _plain(value: Any) -> Any:
    """Converts a number or list of NumPy or torch to Python; a missing value (NaN, pandas' NA) to None."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    missing = type(value).__name__ in ("NAType", "NaTType") or (isinstance(value, float) and value != value)
    return None if missing else value


def _is_tokens(value: Any) -> bool:
    whole = isinstance(value, (list, tuple)) and len(value) > 0
    return whole and all(isinstance(each, numbers.Integral) and not isinstance(each, bool) for each in value)


def _rows(texts: Any, options: Mapping[str, Any]) -> Iterator[Any]:
    """Iterates over texts, files or records."""
    if hasattr(texts, "to_frame") and hasattr(texts, "dtype"):  # a column of pandas or polars
        texts = texts.to_frame(options.get("text_field") or "text")
    if hasattr(texts, "collect_schema") and hasattr(texts, "collect"):  # a lazy frame of polars
        texts = texts.collect()
    if rows := getattr(texts, "to_pylist", None) or getattr(texts, "to_dicts", None):  # pyarrow, polars
        yield from rows()
    elif hasattr(texts, "itertuples"):  # a data frame of pandas
        yield from texts.to_dict("records")
    elif isinstance(texts, Mapping):
        field = _field(texts, options.get("text_field"), (*_TEXT_FIELDS, *_TOKEN_FIELDS))
        column = _plain(texts[field]) if field is not None else None
        if isinstance(column, (list, tuple)) and not _is_tokens(column):
            try:
                yield from (dict(zip(texts, row, strict=True)) for row in zip(*texts.values(), strict=True))
            except (TypeError, ValueError):
                raise UsageError(f"texts: expected columns of one length, found {_named(texts)}") from None
        else:
            names = options.get("id_field") or "id", options.get("text_field") or "text"
            yield from (dict(zip(names, item, strict=True)) for item in texts.items())
    elif isinstance(texts, bytes) or hasattr(texts, "read") or not isinstance(texts, (Iterable, os.PathLike)):
        raise UsageError(f"texts: expected texts or Path(...) of files of texts, found {_named(texts)}")
    else:
        yield from [texts] if isinstance(texts, (str, os.PathLike)) else texts


def _field(record: Mapping[Any, Any], given: str | None, usual: Iterable[str]) -> str | None:
    there = [name for name in ([given] if given else usual) if name in record]
    return next((name for name in there if _plain(record[name]) is not None), there[0] if there else None)


def _record(number: int, item: Any, options: Mapping[str, Any], select: Iterable[str]) -> dict[str, Any]:
    """An item as a line of JSON for the programs: text, messages or tokens, its id if it has one, and short fields."""
    where, value, made, name = f"texts: item {number}", _plain(item), dict[str, Any](), None
    text_field, id_field = options.get("text_field") or "text", options.get("id_field") or "id"
    if isinstance(item, Mapping):
        form, chat = options.get("template"), _CHAT_FIELDS if options.get("chat_template") else ()
        field = None if form else _field(item, options.get("text_field"), (*chat, *_TEXT_FIELDS, *_TOKEN_FIELDS))
        if field is None and not form:
            wanted = options.get("text_field") or f"one of {', '.join(_TEXT_FIELDS)}"
            found = ", ".join(map(str, item)) or "none"
            raise UsageError(f"{where}: expected the field {wanted}, found {found}; text_field= names another")
        named = _field(item, options.get("id_field"), _ID_FIELDS)
        given = item.get(named)
        name = _plain(given)
        name = int(name) if isinstance(name, float) and name.is_integer() else name
        if name is not None or options.get("id_field"):
            if isinstance(name, bool) or not isinstance(name, (str, int)):
                raise UsageError(f"{where}, {id_field}: expected a text or a whole number, found {_named(given)}")
            made[id_field] = name
        for key, each in ((key, _plain(each)) for key, each in item.items()):
            short = isinstance(each, (bool, int, float)) or (
                isinstance(each, str) and (form or len(each.encode()) <= 256)
            )
            if key in select or (short and key not in (field, named)):
                made.setdefault(str(key), each)
        if field is None:
            return made
        where, item, mask = f"{where}, {field}", item[field], item.get("attention_mask")
        value = _plain(item)
        if value is None:
            value = ""  # the programs skip empty texts with a warning
        elif _is_tokens(value) and mask is not None:
            value = [token for token, attended in zip(value, _plain(mask), strict=True) if attended]
        elif chat and isinstance(value, (list, tuple)) and not _is_tokens(value):
            return {**made, field: value}
    if isinstance(value, str):
        if len(value) < 256 and "\n" not in value and os.path.isfile(value):
            raise UsageError(
                f"{where}: {value!r} is the name of a file, but a str is taken as the text itself: use Path({value!r})"
            )
        return {**made, text_field: value}
    if not _is_tokens(value):
        raise UsageError(f"{where}: expected a text, a Path or a list of token ids, found {_named(item)}")
    made |= {} if name is None else {"id": name}
    return {**made, "tokens": [int(token) for token in value]}


def write_texts(texts: Texts, folder: Path, options: Mapping[str, Any]) -> dict[str, Any]:
    """Files in the given order, as options of ``capture``. UsageError naming an item that is not a text."""
    wanted = options.get("select") or ()
    select = {each.split("=")[0] for each in ([wanted] if isinstance(wanted, str) else wanted)}
    left = -1 if select else int(options.get("max_examples") or -1)  # a stream may have no end
    files: list[Path] = []
    kinds: set[str] = set()
    items = enumerate(_rows(texts, options))
    for are_files, group in itertools.groupby(items, lambda item: isinstance(item[1], os.PathLike)):
        if are_files:
            files += [Path(item) for _, item in group]
            kinds.add("file")
            continue
        files.append(folder / f"texts{len(files) or ''}.jsonl")
        with files[-1].open("w", encoding="utf-8") as stream:
            for number, item in group:
                record = _record(number, item, options, select)
                kinds.add("tokens" if "tokens" in record else "text")
                stream.write(json.dumps(record) + "\n")
                used = ("tokens", options.get("text_field") or "text", *_CHAT_FIELDS)
                left -= bool(options.get("template") or any(record.get(name) for name in used))
                if left == 0:
                    break
        if left == 0:
            break
    if not kinds or (len(kinds) > 1 and "tokens" in kinds):
        raise UsageError(f"texts: expected texts or token ids, found {'both' if kinds else 'none'} in {_named(texts)}")
    if kinds == {"tokens"}:
        return {"tokens": files[0], "text_field": None, "id_field": None}  # written with default names
    return {"text": files}
