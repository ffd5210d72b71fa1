"""Pages of studies in a real browser: they are drawn where notebooks put them, in a sandboxed frame."""

import contextlib
import json
import os
import re
import subprocess
import sys

import numpy as np
import pytest
from browser import needs_chromium, open_browser, wait_for
from conftest import ROOT, needs_program, ps

pytestmark = [needs_program, needs_chromium]


@pytest.fixture(scope="module")
def counter(tmp_path_factory):
    with open_browser(tmp_path_factory.mktemp("counter")) as opened:
        yield opened


@pytest.fixture
def browser(tmp_path):
    with open_browser(tmp_path) as opened:
        yield opened


@pytest.fixture(scope="module")
def page(analysis):
    return ps.show(analysis, window=False, heads="L16H4", rows=60)


def head_colours(page):
    """Of the cells of the head grid: viridis at the share of each value in the range of all."""
    data = json.loads(re.search(r'id="data">(.*?)</script>', page.html, re.S)[1])["answers"]["study"]
    metric = [each["id"] for each in data["metrics"]].index(data["first"])
    values = np.array([np.nan if v is None else v for v in data["table"]["values"][metric]])
    shades = (ROOT / "resources" / "colour_maps" / "viridis.txt").read_text().split()
    share = (values - np.nanmin(values)) / (np.nanmax(values) - np.nanmin(values))
    steps = np.floor(share[np.isfinite(share)] * 31 + 0.5).astype(int)
    colours = {f"#{shades[step * 255 // 31].lower()}" for step in steps}
    assert len(colours) > 5
    return colours


def test_it_is_drawn_as_a_file(browser, counter, page, tmp_path):
    file = page.save(tmp_path / "page.html")
    for address in ("", "#L16H3,ap_aligned", "#%"):  # the last is no text in percent encoding
        browser.open(file.as_uri() + address)
        browser.shows(head_colours(page), counter)
    browser.open(file.as_uri() + "#L16H5,ap_drop")
    assert browser.value("document.getElementById('head').textContent") == "L16 H5"
    assert browser.value("location.hash") == "#head=L16H5&metric=ap_drop&view=text"


@pytest.mark.parametrize("sandbox", ["allow-scripts", "allow-scripts allow-same-origin", None])
def test_it_is_drawn_in_a_frame(browser, counter, page, tmp_path, sandbox):
    """As notebooks show it, and in frames of other rights, as nbconvert and editors may put around it."""
    frame = page._repr_html_()
    assert 'sandbox="allow-scripts"' in frame
    given = frame.replace('sandbox="allow-scripts"', f'sandbox="{sandbox}"' if sandbox else "")
    file = tmp_path / "notebook.html"
    file.write_text(f'<!DOCTYPE html><meta charset="utf-8"><body>{given}', encoding="utf-8")
    browser.open(file.as_uri())
    browser.shows(head_colours(page), counter)


def notebook(*lines):
    cell = {"cell_type": "code", "id": "a", "metadata": {}, "outputs": [], "execution_count": None, "source": lines}
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    return json.dumps({"cells": [cell], "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5})


def test_it_is_drawn_by_nbconvert(browser, counter, page, analysis, tmp_path):
    for name in ("nbconvert", "ipykernel"):
        pytest.importorskip(name, reason=f"{name} is not installed")
    show = f"import plastiscope as ps\nps.show({str(analysis.path)!r}, heads='L16H4', rows=60)"
    (tmp_path / "study.ipynb").write_text(notebook(show))
    command = [sys.executable, "-m", "nbconvert", "--to", "html", "--execute", "study.ipynb"]
    subprocess.run(command, cwd=tmp_path, check=True, env={**os.environ, "JUPYTER_ALLOW_INSECURE_WRITES": "1"})
    browser.open((tmp_path / "study.html").as_uri())
    browser.shows(head_colours(page), counter)


@contextlib.contextmanager
def jupyterlab(browser, folder, *lines):
    """Runs a notebook in JupyterLab; gives an expression for its sessionContext."""
    for name in ("jupyterlab", "ipykernel"):
        pytest.importorskip(name, reason=f"{name} is not installed")
    (folder / "study.ipynb").write_text(notebook(*lines))
    environment = os.environ | {
        name: str(folder / name) for name in ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR")
    }
    command = [
        sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root", "--port=0", "--ip=127.0.0.1",
        "--IdentityProvider.token=", "--LabApp.expose_app_in_browser=True", "--LabApp.news_url=None",
    ]  # fmt: skip
    log = folder / "server.log"
    with log.open("w") as stream:
        server = subprocess.Popen(command, cwd=folder, env=environment, stdout=stream, stderr=stream)
    address = re.compile(r"http://127\.0\.0\.1:\d+/")
    session = "window.jupyterapp?.shell.currentWidget?.sessionContext"
    ready = f"{session}?.isReady && {session}.session?.kernel?.status === 'idle'"
    try:
        wait_for(lambda: address.search(log.read_text()), lambda: f"an address is printed: {log.read_text()[-400:]}")
        browser.open(f"{address.search(log.read_text())[0]}lab/tree/study.ipynb")
        wait_for(lambda: browser.value(ready), "the notebook has a kernel that is idle")
        browser.value("void jupyterapp.commands.execute('notebook:run-all-cells')")
        yield session
    finally:
        server.terminate()
        server.wait()


def test_it_is_drawn_in_jupyterlab(browser, counter, page, analysis, tmp_path):
    show = f"import plastiscope as ps\nps.show({str(analysis.path)!r}, heads='L16H4', rows=60)"
    with jupyterlab(browser, tmp_path, show):
        browser.shows(head_colours(page), counter)


def test_its_widget_shares_the_selection(browser, counter, page, analysis, tmp_path):
    pytest.importorskip("anywidget", reason="anywidget is not installed")
    show = f"import plastiscope as ps\nwidget = ps.show({str(analysis.path)!r}); widget.selection = ['L12H4']\nwidget"
    with jupyterlab(browser, tmp_path, show) as session:
        browser.shows(head_colours(page), counter)
        # Python code, and what it prints
        run = (
            "(async () => {{ const future = {session}.session.kernel.requestExecute({{code: {code}}}); let said = '';"
            "future.onIOPub = m => {{ said += m.content.text || ''; }}; await future.done; return said; }})()"
        )

        def python(code):
            return browser.value(run.format(session=session, code=json.dumps(code)))

        assert python("print(widget.selection)") == "[Head(layer=12, head=4)]\n"
        frame = "document.querySelector('.jp-OutputArea-output iframe')"
        place = browser.value(
            f"(() => {{ {frame}.scrollIntoView(); const r = {frame}.getBoundingClientRect(); return [r.x, r.y]; }})()"
        )
        with widget_frame(browser) as page_value:
            wait_for(lambda: page_value("at('head').textContent") == "L12 H4", "the page has Python's selection")
            cell = "(() => { const r = document.querySelector('#grid .chosen').getBoundingClientRect();"
            x, y = page_value(cell + "return [r.x + r.width * 1.5, r.y + r.height / 2]; })()")  # L12H5
        browser.click_at(place[0] + x, place[1] + y)
        wait_for(lambda: python("print(widget.selection)") == "[Head(layer=12, head=5)]\n", "Python has the page's")
        python("widget.selection = [ps.Head(16, 3), 'L0H1']")
        with widget_frame(browser) as page_value:
            wait_for(lambda: page_value("selection.map(nameOf)") == ["L16H3", "L0H1"], "the page has both heads")
            wait_for(lambda: page_value("document.querySelectorAll('#view [data-token]').length > 200"), "the text")
        assert python("print(widget.html[:15])") == "<!DOCTYPE html>\n"
        python("widget.close()")


@contextlib.contextmanager
def widget_frame(browser):
    """Evaluates expressions in the frame of the widget, a process of its own because it is sandboxed."""
    found = []

    def target():
        found[:] = [each for each in browser.targets() if each["type"] == "iframe"]
        return found

    wait_for(target, "the frame is there")
    with browser.attached(found[0]["targetId"]):
        yield browser.value
