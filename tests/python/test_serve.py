"""Studies over HTTP: who may read them, and the page in a real browser with clicks, filters and links."""

import json
import shutil
import signal
import subprocess
import urllib.error
import urllib.request

import pytest
from browser import needs_chromium, open_browser, wait_for
from conftest import EXAMPLE, needs_program, ps

pytestmark = needs_program


@pytest.fixture(scope="module")
def address(tmp_path_factory, analysis):
    folder = tmp_path_factory.mktemp("served")
    study, other = folder / "study.h5", folder / "other.h5"
    for file in (study, other):
        shutil.copy(EXAMPLE, file)
    command = [ps.find_program(), "serve", study, other]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    yield process.stdout.readline().strip()
    process.send_signal(signal.SIGTERM)
    said = process.communicate(timeout=20)[1]
    assert process.returncode == 0, said
    assert "ssh -C -N -L " in said


@pytest.fixture
def browser(tmp_path):
    with open_browser(tmp_path) as opened:
        yield opened


def status(url, method="GET", **headers):
    request = urllib.request.Request(url, headers=headers, method=method)
    try:
        return urllib.request.urlopen(request).status
    except urllib.error.HTTPError as error:
        return error.code


def ask(address, request):
    return json.load(urllib.request.urlopen(f"{address}api/{request}"))


def test_only_those_who_know_the_address_may_read(address):
    server, token = address[:-1].rsplit("/", 1)
    assert len(token) == 32
    assert status(address) == status(f"{address}api/study") == 200
    wrong = ("0" if token[0] != "0" else "1") + token[1:]
    for path in ("", "/", f"/{wrong}/", f"/{wrong}/api/study", f"/{token}", f"/x/../{token}x/"):
        assert status(server + path) == 403, path
    packed = urllib.request.Request(f"{address}api/study", headers={"Accept-Encoding": "gzip, br"})
    assert "Content-Encoding" not in urllib.request.urlopen(packed).headers, "packing takes longer than sending"
    assert status(address, Host="plastiscope.example:80") == 403
    assert status(address, Host="localhost:8123") == 200, "through ssh the port may be another one"
    assert status(address, method="POST") in (404, 405)
    assert status(f"{address}api/../study") == 404


def test_it_listens_on_this_computer_only(address):
    port = int(address.split(":")[2].split("/")[0])
    table = open("/proc/net/tcp").read().splitlines()[1:]
    listening = [line.split()[1] for line in table if line.split()[3] == "0A"]
    assert [each.split(":")[0] for each in listening if int(each.split(":")[1], 16) == port] == ["0100007F"]
    taken = subprocess.run([ps.find_program(), "serve", EXAMPLE, f"--port={port}"], capture_output=True, text=True)
    assert taken.returncode != 0
    assert f"port {port} cannot be used" in taken.stderr


def test_answers_equal_the_tables(address, analysis):
    table = analysis.table("heads", "numpy")
    rows = [int(row) for row in ((table["ap_drop"] > 0.1) & (table["layer"] < 12)).nonzero()[0]]
    assert 0 < len(rows) < 24
    assert ask(address, "filter?expression=ap_drop%20%3E%200.1%20and%20layer%20%3C%2012")["rows"] == rows


LOADED = "document.querySelectorAll('#profile svg').length > 0 && at('sentence').textContent !== ''"

WRONG = 'there is no column "ap_drp"; did you mean ap_drop?'


def filter_by(browser, text, wrong, count):
    """Types into the filter; waits for the message and the number of heads."""
    browser.value(f"at('filter').value = {json.dumps(text)}; at('filter').dispatchEvent(new Event('input'))")
    shown = "['wrong', 'count'].map(id => at(id).textContent)"
    wait_for(lambda: browser.value(shown) == [wrong, count], lambda: browser.value(shown), 10)


@needs_chromium
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_clicks_choose_heads(browser, address, theme):
    browser.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": theme}])
    browser.open(address + "#head=L16H4&metric=ap_drop")
    wait_for(lambda: browser.value(LOADED), "the page is drawn", 30)
    assert browser.value("getComputedStyle(document.body).backgroundColor") == (
        "rgb(255, 255, 255)" if theme == "light" else "rgb(27, 30, 33)"
    )
    browser.click("tbody tr", 2)
    wait_for(lambda: browser.value("location.hash").startswith("#head=L0H2&metric=ap_drop"), "the row is chosen", 10)
    browser.click("tbody tr", 5, modifiers=2)
    assert browser.value("selection.map(nameOf)") == ["L0H2", "L4H5"]
    cells = "(info.grid.boxes[0].marks[0].columns.length * 9 + 6) + 1"  # L9H6; the first rectangle is the clip's
    browser.click("#grid .row svg rect", browser.value(cells))
    wait_for(lambda: browser.value("at('head').textContent") == "L9 H6", "the cell is chosen", 10)
    assert browser.value("at('tip').innerText").startswith("L9H6 position dominated\nAPdrop 0.21")
    rows = "document.querySelector('#plane [data-set=query]')?.dataset.count > 1000"
    wait_for(lambda: browser.value(rows), "the plane", 10)
    captured = "ask('text', {head: 'L9H6'}).then(a => a.boxes[0].marks[0].captured.indexOf(1, 400))"
    query = browser.value(captured)
    wait_for(lambda: browser.value(f"document.querySelectorAll('#view [data-token]').length > {query}"), "the text", 10)
    browser.click("#view [data-token]", query)
    wait_for(lambda: browser.value("document.querySelectorAll('#view sup').length") == 8, "the strongest keys", 10)


@needs_chromium
def test_links_filters_and_comparisons(browser, address):
    browser.open(address + "#study=1&head=L12H4&metric=bias_window&view=compare")
    wait_for(lambda: browser.value("document.querySelectorAll('#view svg').length > 1"), "the comparison", 30)
    assert browser.value("document.getElementById('head').textContent") == "L12 H4"
    assert browser.value("document.getElementById('study').value") == "1"
    filter_by(browser, "ap_drp > 0.2", WRONG, "")
    filter_by(browser, "layer > 15 || head = 0", "", "13 of 24")
    filter_by(browser, "", "", "24 of 24")


@needs_chromium
def test_a_page_without_a_server_explains_a_wrong_column(browser, analysis, tmp_path):
    page = ps.show(analysis, window=False, heads="L16H4", rows=10)
    browser.open(page.save(tmp_path / "page.html").as_uri())
    wait_for(lambda: browser.value(LOADED), "the page is drawn", 30)
    filter_by(browser, "ap_drp > 0.2", WRONG, "")
    filter_by(browser, "layer >= 16 and head < 4", "", "5 of 24")
    assert browser.value("performance.getEntriesByType('resource').length") == 0, "nothing is loaded"
