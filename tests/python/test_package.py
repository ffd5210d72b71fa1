"""The package as pip installs it from the repository's folder."""

import importlib.util
import os
import re
import shutil
import subprocess
import sys

import pytest
from conftest import ROOT, ps


def test_version_is_the_project_s():
    cited = (ROOT / "packaging/CITATION.cff").read_text()
    assert ps.__version__ == re.search(r"^version: (.*)", cited, re.M)[1]


def test_pip_installs_it(tmp_path):
    for name in ("pip", "setuptools"):
        if importlib.util.find_spec(name) is None:
            pytest.skip(f"{name} is not installed")
    source = shutil.copytree(ROOT / "app" / "python", tmp_path / "source")
    done = subprocess.run(
        [sys.executable, "-m", "pip", "install", "-q", "--disable-pip-version-check", "--no-deps", "--no-index",
         "--no-build-isolation", "--target", tmp_path / "there", source],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    installed = tmp_path / "there" / "plastiscope"
    assert (installed / "py.typed").is_file()
    assert {file.name for file in installed.glob("*.py")} == {
        file.name for file in (ROOT / "app/python/src/plastiscope").glob("*.py")
    }
    assert (tmp_path / "there" / f"plastiscope-{ps.__version__}.dist-info").is_dir()
    code = (
        "import plastiscope, sys; print(plastiscope.__file__); print('torch' in sys.modules, 'pandas' in sys.modules)"
    )
    environment = {**os.environ, "PYTHONPATH": str(tmp_path / "there")}
    said = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert said.stdout.split() == [str(installed / "__init__.py"), "False", "False"], "nothing heavy is imported"
