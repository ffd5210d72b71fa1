"""What scripts rely on is still there: tests/data/compatibility."""

import importlib.util

import pytest
from conftest import DATA, needs_program, needs_window

FOLDER = DATA / "compatibility"
pytestmark = [needs_program, needs_window]


def lists():
    spec = importlib.util.spec_from_file_location("make_lists", FOLDER / "make_lists.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.LISTS


@pytest.mark.parametrize("name", ["options", "columns", "python"])
def test_keeps_the_public_names(name):
    promised = (FOLDER / f"{name}.txt").read_text(encoding="utf-8").split("\n")[:-1]
    assert len(promised) > 60
    gone = sorted(set(promised) - set(lists()[name]()))
    assert not gone, f"of {len(promised)} {name}"
