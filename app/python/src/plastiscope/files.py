"""Reads captures and analyses (HDF5) with their checksums, and writes sealed files."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import tempfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import numpy.typing as npt

from .errors import InputError

CAPTURE, ANALYSIS = "plastiscope-capture", "plastiscope-analysis"
FORMAT_VERSION = 1
Array = npt.NDArray[Any]


def canonical_json(value: Any) -> str:
    """JSON with sorted keys and no spaces, the form that hashes are computed from.

    >>> canonical_json({"b": 1.0, "a": [True, None]})
    '{"a":[true,null],"b":1.0}'
    """
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, default=str)


# ---- reading


@contextlib.contextmanager
def _damage_is_said(file: str | os.PathLike[str], place: str = "") -> Iterator[None]:
    """Turns any exception of h5py for unreadable metadata into an InputError."""
    try:
        yield
    except (KeyError, OSError, RuntimeError, ValueError) as error:
        raise InputError(file, place, "", f"HDF5 cannot read it ({error}): the file is damaged") from None


def open_file(file: Path) -> h5py.File:
    """Opens a capture or an analysis. InputError naming the kind of any other file."""
    if not file.exists():
        raise InputError(file, "", "", "there is no such file")
    if file.is_dir():
        raise InputError(file, "", "a capture or an analysis", "a folder")
    if not h5py.is_hdf5(file):
        raise InputError(file, "", "a capture or an analysis", "a file of another format")
    with _damage_is_said(file):
        root = h5py.File(file, "r")
    try:
        if attribute(root, "format", "") not in (CAPTURE, ANALYSIS):
            raise InputError(file, "", "a capture or an analysis", "an HDF5 file of another program")
        version = attribute(root, "format_version")
        if version > FORMAT_VERSION:
            raise InputError(file, "format_version", f"at most {FORMAT_VERSION}", f"{version}, of a newer version")
    except InputError:
        root.close()
        raise
    return root


def member(group: h5py.Group, name: str, kind: type = h5py.Dataset) -> Any:
    place = f"{group.name.rstrip('/')}/{name}"
    with _damage_is_said(group.file.filename, place):
        found = group.get(name)
    if not isinstance(found, kind):
        what = "a dataset" if kind is h5py.Dataset else "a group"
        raise InputError(group.file.filename, place, what, "none")
    return found


def names(group: h5py.Group) -> list[str]:
    with _damage_is_said(group.file.filename, str(group.name)):
        return sorted(group)


def attribute(group: h5py.Group, name: str, default: Any = None) -> Any:
    """Value of an attribute. InputError if it is missing and there is no default."""
    place = f"{group.name} attribute {name}"
    with _damage_is_said(group.file.filename, place):
        value = group.attrs.get(name, default)
    if value is None:
        raise InputError(group.file.filename, place, "a value", "none")
    if isinstance(value, np.generic):
        value = value.item()
    return value.decode(errors="replace") if isinstance(value, bytes) else value  # also for fixed-length strings


def _crc32_of_texts(texts: dict[str, str]) -> int:
    crc = 0
    for key in sorted(texts, key=str.encode):
        crc = zlib.crc32(b"%b\0%b\0" % (key.encode(), texts[key].encode(errors="surrogateescape")), crc)
    return crc


def require_intact_texts(root: h5py.File) -> None:
    """Checks the checksum over all string attributes of the root and of two levels of groups."""
    stated = attribute(root, "texts_crc32", -1)
    if stated == -1:
        return
    texts: dict[str, str] = {}
    level = [root["/"]]
    for depth in range(3):
        for group in level:
            with _damage_is_said(root.filename, str(group.name)):
                there = sorted(group.attrs)
            found = {f"{group.name}@{name}": attribute(group, name) for name in there if name != "created"}
            texts |= {key: value for key, value in found.items() if isinstance(value, str)}
        if depth < 2:
            inside = [member(group, name, h5py.HLObject) for group in level for name in names(group)]
            level = [each for each in inside if isinstance(each, h5py.Group)]
    if _crc32_of_texts(texts) != stated:
        what = "the checksum of its text attributes does not match: the file is damaged"
        raise InputError(root.filename, "", "", what)


def json_attribute(group: h5py.Group, name: str) -> Any:
    try:
        return json.loads(attribute(group, name))
    except ValueError as error:
        raise InputError(group.file.filename, f"{group.name} attribute {name}", "JSON", str(error)) from None


def values(dataset: h5py.Dataset) -> Array:
    """Reads a whole dataset and checks its checksum. Strings become an array of str."""
    file, place = dataset.file.filename, str(dataset.name)
    with _damage_is_said(file, place):
        text = h5py.check_string_dtype(dataset.dtype)
        read = dataset[()]
    raw: Any = b"".join(each + b"\0" for each in read) if text and text.length is None else _bytes_of(read)
    crc, sha = attribute(dataset, "crc32", -1), attribute(dataset, "sha256", "")
    same = zlib.crc32(raw) == crc if crc != -1 else sha in ("", hashlib.sha256(raw).hexdigest())
    if not same:
        raise InputError(file, place, "", "the checksum of its values does not match: the file is damaged")
    if text is None:
        return np.asarray(read)
    return np.array([each.decode(errors="replace") for each in read.tolist()], dtype=np.str_)


def _bytes_of(data: Array) -> Array:
    return np.ascontiguousarray(data).reshape(-1).view(np.uint8)


# ---- writing


class Output:
    """File being written: adds checksums to datasets, and collects string attributes for their common checksum."""

    def __init__(self, root: h5py.File) -> None:
        self.root, self._texts = root, dict[str, str]()

    def group(self, parent: h5py.Group, name: str) -> h5py.Group:
        # Keeps attributes in the object header: simple files with reproducible bytes.
        creation = h5py.h5p.create(h5py.h5p.GROUP_CREATE)
        creation.set_attr_phase_change(64, 60)
        return h5py.Group(h5py.h5g.create(parent.id, name.encode(), gcpl=creation))

    def set(self, group: h5py.Group, **attributes: Any) -> None:
        for name, value in attributes.items():
            if isinstance(value, str):
                group.attrs[name] = value
                if name != "created":
                    self._texts[f"{group.name}@{name}"] = value
            elif isinstance(value, (bool, np.bool_)):
                group.attrs[name] = np.uint8(value)
            elif isinstance(value, (int, np.integer)):
                group.attrs[name] = np.int64(value)
            else:
                group.attrs[name] = np.float64(value)

    def dataset(self, group: h5py.Group, name: str, data: Array | list[str]) -> h5py.Dataset:
        if isinstance(data, list):
            made = group.create_dataset(name, (len(data),), h5py.string_dtype(), track_times=False)
            if data:
                made[:] = data
            raw: Any = b"".join(text.encode() + b"\0" for text in data)
        else:
            made = group.create_dataset(name, data.shape, data.dtype, data, track_times=False, fill_time="never")
            raw = _bytes_of(data)
        made.attrs["sha256"] = hashlib.sha256(raw).hexdigest()
        made.attrs["crc32"] = np.int64(zlib.crc32(raw))
        return made

    def finish(self) -> None:
        self.root.attrs["texts_crc32"] = np.int64(_crc32_of_texts(self._texts))


@contextlib.contextmanager
def sealed_file(file: Path) -> Iterator[Output]:
    """Writes under a temporary name, appends the checksum of the whole file, and renames it atomically."""
    folder = file.parent
    try:
        handle, name = tempfile.mkstemp(prefix=f".{file.name}.", suffix=".tmp", dir=folder)
    except OSError as error:
        raise InputError(folder, "", "a folder that can be written", str(error.strerror)) from None
    os.close(handle)
    temporary = Path(name)
    try:
        with h5py.File(temporary, "w", libver=("v108", "v108")) as root:
            output = Output(root)
            yield output
            output.finish()
        with temporary.open("r+b") as stream:
            whole = hashlib.sha256()
            while block := stream.read(1 << 20):
                whole.update(block)
            stream.seek(0, os.SEEK_END)
            stream.write(f"plastiscope file sha256 {whole.hexdigest()}\n".encode())
            stream.flush()
            os.fsync(stream.fileno())
        umask = os.umask(0)
        os.umask(umask)
        temporary.chmod(0o666 & ~umask)
        temporary.replace(file)
    finally:
        temporary.unlink(missing_ok=True)


# ---- finding the capture or analysis


def kind_of(file: Path) -> str:
    with open_file(file) as root:
        return str(attribute(root, "format"))


def link_of(file: Path) -> tuple[str, str]:
    """Fingerprint and settings hash of a capture, or of the capture behind an analysis."""
    with open_file(file) as root:
        if attribute(root, "format") == CAPTURE:
            return attribute(member(root, "model", h5py.Group), "fingerprint"), attribute(root, "settings_hash")
        return attribute(root, "capture_fingerprint"), attribute(root, "capture_settings_hash")


def _candidates(file: Path, kind: str) -> Iterator[Path]:
    stem = file.stem.removesuffix(".analysis")
    if kind == CAPTURE:
        yield file.with_name(f"{stem}.analysis.h5")
        yield from sorted(file.parent.glob(f"{stem}*.analysis.h5"))
        return
    yield file.with_name(f"{stem}.h5")
    with open_file(file) as root:
        named = Path(attribute(root, "capture_file"))
    yield named if named.is_absolute() else file.parent / named.name


def other_half(file: Path, kind: str) -> Path | None:
    for place in _candidates(file, kind):
        if not place.is_file() or place == file:
            continue
        try:
            if kind_of(place) != kind and link_of(place) == link_of(file):
                return place
        except InputError:  # optional: only searched for
            continue
    return None
