"""Captures in parts, by the scripts of packaging/cluster on a Slurm of one node and by torchrun."""

import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import time

import h5py
import numpy as np
import plastiscope as ps
import pytest
from slurm import Slurm, missing_programs

ROOT = pathlib.Path(__file__).parents[2]
SCRIPTS, MODEL = ROOT / "packaging" / "cluster", ROOT / "tests" / "data" / "families" / "qwen3"
TORCHRUN = shutil.which("torchrun", path=os.pathsep.join([str(pathlib.Path(sys.executable).parent), os.environ["PATH"]]))
try:
    PROGRAM = str(ps.find_program("plastiscope-cli"))
except ps.UsageError:
    pytest.skip("plastiscope-cli was not found (PLASTISCOPE_CLI)", allow_module_level=True)


def options(folder):
    """Options of a capture of nine texts, which takes some seconds."""
    draw, tokens = random.Random(1), folder / "tokens.jsonl"
    texts = [{"id": f"t{i}", "tokens": [draw.randrange(97) for _ in range(5000)]} for i in range(9)]
    tokens.write_text("".join(json.dumps(text) + "\n" for text in texts))
    return ["--model", MODEL, "--tokens", tokens, "--window", "5000", "--heads", "all", "--rate", "8"]


def content(file):
    """All datasets and attributes of a capture but its date."""
    found = {}

    def visit(name, item):
        found.update({f"{name}@{key}": value for key, value in item.attrs.items() if key != "created"})
        if isinstance(item, h5py.Dataset):
            found[name] = item[()]

    with h5py.File(file) as opened:
        visit("", opened)
        opened.visititems(visit)
    return found


def assert_equals_whole_capture(merged):
    whole = merged.parent / "whole.h5"
    command = [PROGRAM, "capture", *options(merged.parent), "--part", "0/1", "--threads", "2", "--out", whole]
    subprocess.run(command, check=True, capture_output=True)
    assert all(report["intact"] for report in ps.verify(merged, whole))
    ours, theirs = content(merged), content(whole)
    assert ours.keys() == theirs.keys() and sum("/vectors/" in name and "@" not in name for name in ours) == 24
    for name in ours:
        np.testing.assert_array_equal(ours[name], theirs[name], err_msg=name)


@pytest.mark.skipif(bool(missing_programs()), reason=f"Slurm is not installed: {', '.join(missing_programs())}")
@pytest.mark.parametrize("how", ["preempted", "killed"])
def test_slurm_array_with_a_task_that_ends_early(how, tmp_path):
    """A task is requeued while it runs, or killed and requeued; then it goes on, and merge.sbatch joins all."""
    part = tmp_path / "study.part-1-of-3.h5"
    with Slurm(tmp_path) as slurm:
        job = slurm.submit(
            SCRIPTS / "capture.sbatch", "study.h5", *options(tmp_path),
            options=["--array=0-2", "--gres=gpu:1"], PLASTISCOPE_CLI=PROGRAM,
        )  # fmt: skip
        units = pathlib.Path(f"{part}.partial") / "units"
        slurm.wait_for("finished text", lambda: units.is_dir() and any(units.iterdir()), 60)
        if how == "killed":
            slurm.ask("scancel", "--signal=KILL", "--batch", f"{job}_1")
            slurm.wait_for("failed task", lambda: slurm.states(job).get(1) == "FAILED", 20)
        slurm.ask("scontrol", "requeue", f"{job}_1")
        slurm.wait_for("requeued task", lambda: slurm.states(job).get(1) == "PENDING", 20)
        assert not part.exists()
        order = {"preempted": "afterok", "killed": "afterany"}[how]  # an array with a failed task is never ok
        merge = slurm.submit(
            SCRIPTS / "merge.sbatch", "study.h5", options=[f"--dependency={order}:{job}"], PLASTISCOPE_CLI=PROGRAM
        )
        time.sleep(2)  # a node refuses a task in the second in which it ended
        slurm.ask("scontrol", "update", f"JobId={job}_1", "StartTime=now")  # instead of waiting for two minutes
        slurm.wait_for("merged capture", lambda: slurm.states(merge) == {None: "COMPLETED"}, 60)
        assert set(slurm.states(job).values()) == {"COMPLETED"}
    log = (tmp_path / f"capture-{job}-1.log").read_text()
    assert log.count("part 1 of 3") == 2 and log.rstrip().endswith(part.name)
    assert_equals_whole_capture(tmp_path / "study.h5")


@pytest.mark.skipif(TORCHRUN is None, reason="torchrun is not installed")
def test_torchrun_with_four_processes(tmp_path):
    launcher = [TORCHRUN, "--standalone", "--nproc-per-node", "4", "--no-python", PROGRAM, "capture"]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("SLURM_")}
    command = [*launcher, *options(tmp_path), "--threads", "1", "--out", tmp_path / "study.h5"]
    subprocess.run(command, check=True, capture_output=True, env=environment, timeout=120)
    parts = [tmp_path / f"study.part-{part}-of-4.h5" for part in range(4)]
    subprocess.run([PROGRAM, "merge", *parts, "--out", tmp_path / "study.h5"], check=True, capture_output=True)
    assert_equals_whole_capture(tmp_path / "study.h5")
