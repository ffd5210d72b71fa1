"""Options are types: mypy accepts each public call and rejects misspelt ones, and docstrings have all parameters."""

import inspect
import os
import re
import subprocess
import sys

import pytest
from conftest import ROOT, needs_program, needs_window, ps

FOLDER = ROOT / "tests" / "python"
PACKAGE = ROOT / "app" / "python"


def mypy(file, cache):
    pytest.importorskip("mypy", reason="mypy is not installed")
    environment = {**os.environ, "MYPYPATH": str(PACKAGE / "src")}
    command = [sys.executable, "-m", "mypy", "--config-file", PACKAGE / "pyproject.toml", "--cache-dir", cache, file]
    return subprocess.run(command, capture_output=True, text=True, env=environment, check=False).stdout


@pytest.fixture(scope="module")
def cache(tmp_path_factory):
    return tmp_path_factory.mktemp("mypy")


def test_each_public_call_has_types(cache):
    text = (FOLDER / "typed_calls.py").read_text()
    own = {"InternalError", "PlastiscopeError", "PlastiscopeWarning", "InputError", "ResourceError", "Stopped",
           "UsageError", "Command", "Option", "Page", "Recorder"}  # fmt: skip
    missing = [name for name in {*ps.__all__, "open"} - own if not re.search(rf"\bps\.{name}\b", text)]
    assert not missing
    assert mypy(FOLDER / "typed_calls.py", cache).startswith("Success")


@pytest.mark.parametrize(
    "call, said",
    [
        ('ps.capture("m", out="a.h5", windwo=4096)', 'Unexpected keyword argument "windwo"'),
        ('ps.capture("m", out="a.h5", window="long")', 'No overload variant of "capture" matches'),
        ('ps.analyze("a.h5", pars=64)', 'Unexpected keyword argument "pars" for "analyze"'),
        ('ps.what_if("a.h5", scale_bta=0)', 'Unexpected keyword argument "scale_bta" for "what_if"'),
        ('ps.analyze("a.h5", pairs=64, threads="two")', '"threads" to "analyze" has incompatible type "str"'),
        ('ps.capture("m", out="a.h5", estimate=True).queries("L1H1")', '"Estimate" has no attribute "queries"'),
    ],
)
def test_a_misspelt_option_is_rejected(call, said, cache, tmp_path):
    (tmp_path / "calls.py").write_text(f"import plastiscope as ps\n\n{call}\n")
    printed = mypy(tmp_path / "calls.py", cache)
    assert "calls.py:3: error" in printed and said in printed and " in 1 file" in printed


@needs_program
@needs_window
def test_the_types_are_those_of_the_programs():
    from plastiscope.option_types_make import option_types

    written = (PACKAGE / "src/plastiscope/option_types.py").read_text()
    assert option_types() == written, "run python -m plastiscope.option_types_make"
    assert ps.option_types.CaptureOptions.__annotations__.keys() <= ps.options("capture").options.keys()


def functions():
    public = {name: getattr(ps, name) for name in {*ps.__all__, "open"}}
    owners = [public, *map(vars, (ps.Study, ps.Window, ps.plot))]
    for name, each in (item for owner in owners for item in owner.items()):
        if inspect.isfunction(each) and not name.startswith("_") and each.__module__.startswith("plastiscope"):
            if name not in ("close", "optional"):
                yield each


@pytest.mark.parametrize("function", functions(), ids=lambda each: each.__qualname__)
def test_docstrings_have_the_sections_of_numpydoc(function):
    sections = dict(re.findall(r"^(\w+)\n-{4,}\n(.*?)(?=\n\n\w+\n-{4,}|\Z)", inspect.getdoc(function), re.M | re.S))
    described = set(re.findall(r"^[*]*(\w+)(?: : .*)?\n    \S", sections.get("Parameters", ""), re.M))
    given = {name for name, each in inspect.signature(function).parameters.items() if each.annotation is not each.empty}
    assert given - {"self"} == described and {"Returns"} <= sections.keys()
    assert ("Raises" in sections) or function.__name__ in ("seed_id", "sample_seed")
