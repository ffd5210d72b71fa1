"""Notes on a capture and its heads written in the window, starred heads, and groups of heads."""

from __future__ import annotations

import hashlib
import json
import os
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .errors import InputError, UsageError
from .files import canonical_json
from .heads import Head

_FORMAT, _VERSION = "plastiscope-notes", 1


@dataclass(frozen=True)
class Notes:
    """``text``: note on the capture as a whole. ``file``: path of the notes; None without notes."""

    text: str = ""
    heads: Mapping[Head, str] = field(default_factory=dict)
    starred: frozenset[Head] = frozenset()
    groups: Mapping[str, tuple[Head, ...]] = field(default_factory=dict)
    file: Path | None = None


def notes_name(study: Path) -> Path:
    """Name of the notes file, shared by a capture and its analyses.

    >>> notes_name(Path("study.analysis.h5")).name
    'study.notes.json'
    """
    return study.with_name(study.stem.removesuffix(".analysis") + ".notes.json")


def read_notes(study: Path, fingerprint: str, settings_hash: str) -> Notes:
    """Notes beside the study, else in the window's settings folder. Notes of another capture are ignored."""
    known = len(set(settings_hash)) > 1  # other writers store zeros
    digest = hashlib.sha256(f"{fingerprint}\n{settings_hash}\n".encode()).hexdigest()[:16]
    beside = notes_name(study)
    places = [beside]
    if known:
        places.append(beside.with_name(beside.name.removesuffix(".notes.json") + f".{digest}.notes.json"))
        places.append(settings_folder() / "notes" / f"{digest}.json")
    path = hashlib.sha256(os.fsencode(os.path.abspath(study))).hexdigest()[:16]
    places.append(settings_folder() / "notes" / f"{path}.json")
    for place in places:
        if not place.exists():
            continue
        content = _content(place)
        capture = content.get("capture", {})
        if known and capture and capture != {"model": fingerprint, "capture": settings_hash}:
            continue
        return Notes(
            content.get("study", ""),
            {Head.parse(name): text for name, text in content.get("heads", {}).items() if _is_head(name)},
            frozenset(Head.parse(name) for name in content.get("starred", []) if _is_head(name)),
            {group["name"]: _heads(group) for group in content.get("groups", []) if _heads(group)},
            place,
        )
    return Notes()


def settings_folder() -> Path:
    return Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config") / "plastiscope"


def _content(file: Path) -> dict[str, Any]:
    try:
        root = json.loads(file.read_bytes())
    except ValueError as error:
        raise InputError(file, "", "", f"this is not valid JSON: {error}") from None
    if not isinstance(root, dict) or root.get("format") != _FORMAT:
        raise InputError(file, "format", _FORMAT, str(root.get("format") if isinstance(root, dict) else root)[:80])
    if root.get("version", 0) > _VERSION:
        raise InputError(file, "version", f"at most {_VERSION}", str(root["version"]))
    content = root.get("content")
    if not isinstance(content, dict) or zlib.crc32(canonical_json(content).encode()) != root.get("crc32"):
        raise InputError(file, "", "", "the check sum does not agree with the content")
    return content


def _heads(group: Any) -> tuple[Head, ...]:
    """The heads of a group, ascending; none if it is not valid."""
    valid = isinstance(group, dict) and isinstance(group.get("name"), str) and isinstance(group.get("heads"), list)
    if not valid:
        return ()
    return tuple(sorted({Head.parse(name) for name in group["heads"] if _is_head(name)}))


def _is_head(name: Any) -> bool:
    try:
        Head.parse(name)
    except (UsageError, AttributeError, TypeError):  # from another program version
        return False
    return True
