"""The package as pip installs it from the repository's folder."""

import importlib.util
import os
import re
import shutil
import subprocess
import sys
import zipfile
from email.parser import Parser

import pytest
from conftest import ROOT, ps


def test_version_is_the_project_s():
    cited = (ROOT / "packaging/CITATION.cff").read_text()
    assert ps.__version__ == re.search(r"^version: (.*)", cited, re.M)[1]


def require_build_tools():
    for name in ("pip", "scikit_build_core"):
        if importlib.util.find_spec(name) is None:
            pytest.skip(f"{name} is not installed")


def test_pip_installs_it(tmp_path):
    require_build_tools()
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


def test_wheel_takes_installed_programs(tmp_path):
    require_build_tools()
    programs = {"bin/plastiscope-cli": 0o755, "libexec/plastiscope/plastiscope-capture-2.13": 0o755,
                "lib/plastiscope/libarrow.so.1": 0o644, "share/plastiscope/example/a.h5": 0o644}  # fmt: skip
    for name, mode in programs.items():
        file = tmp_path / "programs" / name
        file.parent.mkdir(parents=True)
        file.write_bytes(b"\x7fELF" + name.encode())
        file.chmod(mode)
    for folder in ("app/python", "packaging/wheel"):
        shutil.copytree(ROOT / folder, tmp_path / folder)
    done = subprocess.run(
        [sys.executable, "-m", "pip", "wheel", "-q", "--disable-pip-version-check", "--no-deps", "--no-index",
         "--no-build-isolation", "--wheel-dir", tmp_path, tmp_path / "app/python"],
        env={**os.environ, "PLASTISCOPE_PROGRAMS": str(tmp_path / "programs")},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    (wheel,) = tmp_path.glob("plastiscope-*.whl")
    assert re.fullmatch(rf"plastiscope-{ps.__version__}-py3-none-linux_\w+\.whl", wheel.name), "for every Python 3"
    with zipfile.ZipFile(wheel) as archive:
        folder = f"plastiscope-{ps.__version__}"
        for name, mode in programs.items():
            place = f"{folder}.data/" + (name.replace("bin/", "scripts/") if name[:3] == "bin" else f"data/{name}")
            assert archive.read(place) == b"\x7fELF" + name.encode()
            assert archive.getinfo(place).external_attr >> 16 & 0o777 == mode
        assert "plastiscope/py.typed" in archive.namelist()
        metadata = Parser().parsestr(archive.read(f"{folder}.dist-info/METADATA").decode())
    (wanted,) = (text for text in metadata.get_all("Requires-Dist") if text.endswith('extra == "torch"'))
    least, most = (tuple(map(int, re.search(rf"{sign}([\d.]+)", wanted)[1].split("."))) for sign in (">=", "<"))
    built = dict(re.findall(r"^(\w*torch_version)=(\S+)", (ROOT / "packaging/common.sh").read_text(), re.M))
    backends = sorted(tuple(map(int, version.split(".")[:2])) for version in built.values())
    assert backends == [(2, minor) for minor in range(least[1], most[1])], "the extra allows what has a backend"
