#!/usr/bin/env python3
"""Runs the tests of the Python package from its sources: run_tests.py [folder of tests] [arguments of pytest]

Exit status 77: pytest, h5py or NumPy is not installed, and nothing was run.
"""

import importlib.util
import os
import pathlib
import subprocess
import sys

FOLDER = pathlib.Path(__file__).resolve().parent
ROOT = FOLDER.parents[1]
WANTED = ("pytest", "h5py", "numpy")


def main(arguments):
    folder = FOLDER
    if arguments and (FOLDER.parent / arguments[0]).is_dir():
        folder = FOLDER.parent / arguments.pop(0)
    missing = [name for name in WANTED if importlib.util.find_spec(name) is None]
    if missing:
        print(f"{sys.executable} has no {', '.join(missing)}: the tests of the Python package are skipped")
        return 77
    environment = dict(os.environ, PYTHONDONTWRITEBYTECODE="1", TOKENIZERS_PARALLELISM="false", HF_HUB_OFFLINE="1")
    environment["PYTHONPATH"] = os.pathsep.join(
        [str(ROOT / "app" / "python" / "src"), *filter(None, [os.environ.get("PYTHONPATH")])]
    )
    model = ROOT / "build" / "models" / "SmolLM2-135M-Instruct.Q4_1.gguf"
    if model.is_file():
        environment.setdefault("PLASTISCOPE_MODEL", str(model))
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-rs", "-q", str(folder), *arguments]
    return subprocess.run(command, env=environment, cwd=folder, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
