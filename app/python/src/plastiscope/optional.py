"""Imports packages that are only needed for some calls."""

from __future__ import annotations

import importlib
from typing import Any

from .errors import UsageError


def optional(module: str, purpose: str) -> Any:
    """A module, or a UsageError with the command that installs its package."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        package = module.split(".")[0]
        if error.name != package:
            raise
        raise UsageError(f"{purpose} needs {package}, which is not installed: pip install {package}") from None
