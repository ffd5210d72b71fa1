"""Errors as exceptions with the exit codes of the programs.

>>> error = InputError("study.h5", "/examples/tokens", "int32", "float64")
>>> str(error), error.code
('study.h5: /examples/tokens: expected int32, found float64', 3)
"""

from __future__ import annotations

import os


class PlastiscopeError(Exception):
    """One sentence; ``code`` is the exit code of the program for this error."""

    code = 1
    printed = ""  # output of the program before the error


class InternalError(PlastiscopeError):
    """A bug: please report it."""


class UsageError(PlastiscopeError):
    """An unknown option, a missing or contradictory value."""

    code = 2


class InputError(PlastiscopeError):
    """A file or folder that cannot be used: missing, damaged, unsupported, newer.

    ``file``, ``place``, ``expected`` and ``found`` are "" if only the program's sentence is known.
    """

    code = 3

    def __init__(self, file: str | os.PathLike[str], place: str = "", expected: str = "", found: str = "") -> None:
        self.file, self.place, self.expected, self.found = os.fspath(file), place, expected, found
        parts = [part for part in (self.file, place) if part]
        if found:
            parts.append(f"expected {expected}, found {found}" if expected else found)
        super().__init__(": ".join(parts))


class ResourceError(PlastiscopeError):
    """Not enough memory or disk."""

    code = 4


class Stopped(PlastiscopeError):
    """Stopped on request; finished work is kept, and the same call resumes it."""

    code = 5


class PlastiscopeWarning(UserWarning):
    """A warning of a program."""


def error_of(code: int, sentence: str) -> PlastiscopeError:
    """The exception of an exit code.

    >>> type(error_of(4, "not enough memory")).__name__
    'ResourceError'
    """
    for kind in (UsageError, InputError, ResourceError, Stopped):
        if kind.code == code:
            return kind(sentence)
    return InternalError(f"{sentence} (exit code {code})")
