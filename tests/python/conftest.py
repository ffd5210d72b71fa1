"""What tests and examples share. What lacks (h5py, NumPy, the programs, torch, transformers) is said, and skipped."""

import json
import pathlib

import pytest

ROOT = pathlib.Path(__file__).parents[2]
DATA = ROOT / "tests" / "data"
EXAMPLE = ROOT / "resources" / "example" / "smollm2-135m-licences.h5"

ps = pytest.importorskip("plastiscope", reason="the package plastiscope (h5py, NumPy) is not installed")


def has_program(name="plastiscope-cli"):
    try:
        return bool(ps.find_program(name))
    except ps.UsageError:
        return False


needs_program = pytest.mark.skipif(not has_program(), reason="plastiscope-cli was not found (PLASTISCOPE_CLI)")
needs_window = pytest.mark.skipif(not has_program("plastiscope"), reason="plastiscope was not found (PLASTISCOPE_CLI)")


def write_tokens(file, texts):
    """Texts as token ids by id, for --tokens."""
    lines = [json.dumps({"id": name, "tokens": [int(token) for token in tokens]}) for name, tokens in texts.items()]
    file.write_text("\n".join(lines) + "\n")
    return file


@pytest.fixture(scope="session")
def analysis(tmp_path_factory):
    if not has_program():
        pytest.skip("plastiscope-cli was not found (PLASTISCOPE_CLI)")
    return ps.analyze(EXAMPLE, out=tmp_path_factory.mktemp("analysis") / "example.analysis.h5", threads=2)
