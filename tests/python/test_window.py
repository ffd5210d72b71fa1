"""A running window, operated from Python: under Xvfb, with settings of its own."""

import contextlib
import os
import shutil
import signal
import subprocess

import pytest
from browser import wait_for
from conftest import EXAMPLE, needs_window, ps
from test_readme import WINDOW

pytestmark = [
    needs_window,
    pytest.mark.skipif(shutil.which("Xvfb") is None, reason="Xvfb is not installed"),
]


@contextlib.contextmanager
def running(folder):
    read, write = os.pipe()
    screen = ["Xvfb", "-displayfd", str(write), "-screen", "0", "1600x1000x24", "+extension", "GLX"]
    with open(folder / "window.log", "ab") as log:
        server = subprocess.Popen(screen, pass_fds=(write,), stderr=log)
        os.close(write)
        display = os.fdopen(read).readline().strip()
        environment = {**os.environ, "DISPLAY": f":{display}", "QT_QPA_PLATFORM": "xcb", "HOME": str(folder)}
        window = subprocess.Popen([ps.find_program("plastiscope")], env=environment, stdout=log, stderr=log)
        try:
            yield window
        finally:
            window.kill()
            window.wait()
            server.terminate()
            server.wait()


def connected(pid=None):
    with contextlib.suppress(ps.UsageError):
        return ps.window(pid)
    return None


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    folder = tmp_path_factory.mktemp("window")
    shutil.copy(EXAMPLE, folder / "example.h5")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CONFIG_HOME", str(folder / "config"))
        with pytest.raises(ps.UsageError, match="start plastiscope"):
            ps.window()
        with running(folder) as process:
            wait_for(connected, lambda: f"a window listens: {(folder / 'window.log').read_text()[-500:]}")
            ps.window().open(folder / "example.h5")
            yield folder, process


@pytest.fixture
def window(place):
    window = ps.window(place[1].pid)
    window.filter, window.selection = "", []
    return window


def test_it_opens_studies(window, place):
    file = place[0] / "example.h5"
    assert window.studies == [file]
    window.open(file)  # open already
    with ps.open(file) as study:
        window.open(study)
    assert window.studies == [file]
    assert "example.h5" in repr(window) and str(place[1].pid) in repr(window)
    with pytest.raises(ps.InputError, match=r"none\.h5"):
        window.open(place[0] / "none.h5")
    (place[0] / "text.txt").write_text("no study")
    with pytest.raises(ps.InputError, match="not a capture"):
        window.open(place[0] / "text.txt")


def test_it_runs_the_example_of_the_readme(window, place, monkeypatch):
    monkeypatch.chdir(place[0])
    (place[0] / "study.h5").symlink_to(place[0] / "example.h5")
    names = {"ps": ps}
    exec(WINDOW, names)
    assert names["window"].studies[-1] == place[0] / "study.h5"
    assert [str(head) for head in window.selection] == ["L16H3", "L16H4"]
    window.open(place[0] / "example.h5")


def test_it_reads_and_sets_heads(window):
    with ps.open(EXAMPLE) as study:
        first, second, third = study.heads[:3]
    window.head = str(third)
    assert window.head == third and window.selection == [third]
    window.selection = [second, str(first)]
    assert window.selection == [first, second] and window.head == first
    window.selection = [third]
    assert window.selection == [third] and window.head == third
    for wrong in ("L99H0", "L1"):
        with pytest.raises(ps.UsageError, match=wrong):
            window.head = wrong
    assert window.head == third


def test_it_filters(window):
    window.filter = "layer < 20 && taxonomy == mixed"
    assert window.filter == "layer < 20 && taxonomy == mixed"
    with pytest.raises(ps.UsageError):
        window.filter = "layer <"
    assert window.filter == "layer < 20 && taxonomy == mixed"


def test_it_shows_own_columns(window):
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    with ps.open(EXAMPLE) as study:
        heads = study.heads
    with pytest.raises(ps.UsageError, match="accuracy"):
        window.filter = "accuracy > 50"
    series = pandas.Series([float(i) for i in range(len(heads))], index=pandas.MultiIndex.from_tuples(heads))
    series.iloc[0] = float("nan")
    assert window.add_column(series.rename("accuracy"), unit="%") == "accuracy"
    assert window.add_column({str(heads[0]): 1, heads[1]: None, "L99H0": 2}, name="my number") == "my_number"
    window.filter = "accuracy > 50 && my_number > 0"
    for wrong, message in (
        ({heads[0]: 1}, "a name"),
        (series.rename("ap_drop"), "ap_drop"),
        (pandas.Series(dtype=float, name="none"), "none"),
    ):
        with pytest.raises((ps.UsageError, ps.InputError), match=message):
            window.add_column(wrong)
    with pytest.raises(ps.InputError, match="L99H0"):
        window.add_column({"L99H0": 1}, name="other")


def test_a_window_that_was_killed_is_reported(window, place):
    with running(place[0]) as second:
        wait_for(lambda: connected(second.pid), "a second window listens")
        newest = ps.window()
        assert newest.pid == second.pid
        os.kill(second.pid, signal.SIGKILL)
        second.wait()
        with pytest.raises(ps.UsageError, match="closed"):
            newest.head
        assert ps.window().pid == window.pid
        with pytest.raises(ps.UsageError, match="start plastiscope"):
            ps.window(second.pid)
