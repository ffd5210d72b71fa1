"""A headless Chromium, driven by its debugging pipe, and the colours of what it shows."""

import contextlib
import itertools
import json
import os
import shutil
import subprocess
import time

import pytest

CHROMIUM = shutil.which("chromium")
needs_chromium = pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed")

COUNT_COLOURS = """(async () => {
  const image = new Image();
  image.src = 'data:image/png;base64,%s';
  await image.decode();
  const draw = new OffscreenCanvas(image.width, image.height).getContext('2d');
  draw.drawImage(image, 0, 0);
  const found = {}, data = draw.getImageData(0, 0, image.width, image.height).data;
  for (let i = 0; i < data.length; i += 4) {
    const name = '#' + [0, 1, 2].map(j => data[i + j].toString(16).padStart(2, '0')).join('');
    found[name] = (found[name] || 0) + 1;
  }
  return found;
})()"""


def wait_for(condition, what, seconds=120):
    """Fails with `what`, a text or a function that makes one, if the condition is not met in time."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, f"not within {seconds} s: {what() if callable(what) else what}"
        time.sleep(0.3)


class Browser:
    """A browser with one tab: those behind others are not drawn."""

    def __init__(self, write, read):
        self._write, self._read, self._numbers, self._session = write, read, itertools.count(1), None
        target = next(each for each in self.call("Target.getTargets")["targetInfos"] if each["type"] == "page")
        self._session = self.call("Target.attachToTarget", targetId=target["targetId"], flatten=True)["sessionId"]
        size = {"width": 1300, "height": 1500, "deviceScaleFactor": 1, "mobile": False}
        self.call("Emulation.setDeviceMetricsOverride", **size)
        self.call("Emulation.setFocusEmulationEnabled", enabled=True)
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "light"}])

    def call(self, method, **params):
        number = next(self._numbers)
        message = {"id": number, "method": method, "params": params}
        message |= {"sessionId": self._session} if self._session else {}
        self._write.write(json.dumps(message).encode() + b"\0")
        self._write.flush()
        while True:
            answer = json.loads(b"".join(iter(lambda: self._read.read(1), b"\0")))
            if answer.get("id") == number:
                assert "error" not in answer, answer
                return answer["result"]

    def open(self, url):
        self.call("Page.navigate", url="about:blank")  # from one place in a page to another it is not loaded anew
        self.call("Page.navigate", url=url)
        loaded = "location.protocol !== 'about:' && document.readyState === 'complete'"
        wait_for(lambda: self.value(loaded), f"{url} is loaded")

    def value(self, expression):
        """Of a JavaScript expression, or of what it promises."""
        options = {"awaitPromise": True, "returnByValue": True}
        done = self.call("Runtime.evaluate", expression=expression, **options)
        return done["result"].get("value") if "exceptionDetails" not in done else None

    def click(self, selector, index=0, modifiers=0):
        """A real click into the middle of an element. ``modifiers``: 2 = Ctrl."""
        place = self.value(
            f"(() => {{ const e = document.querySelectorAll({json.dumps(selector)})[{index}];"
            "e.scrollIntoView({block: 'center'}); const r = e.getBoundingClientRect();"
            "return [r.x + r.width / 2, r.y + r.height / 2]; })()"
        )
        assert place, f"{selector} [{index}] is not on the page"
        self.click_at(*place, modifiers)

    def click_at(self, x, y, modifiers=0):
        for kind in ("mouseMoved", "mousePressed", "mouseReleased"):
            pressed = {} if kind == "mouseMoved" else {"button": "left", "clickCount": 1}
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, modifiers=modifiers, **pressed)

    def targets(self):
        """Pages and frames with processes of their own."""
        with self.attached(None):
            return self.call("Target.getTargets")["targetInfos"]

    @contextlib.contextmanager
    def attached(self, target):
        """Talks to another target, or with None to the browser itself."""
        before, self._session = self._session, None
        try:
            if target:
                self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
            yield
        finally:
            self._session = before

    def shows(self, wanted, counter):
        """Waits until each colour of `wanted`, as #rrggbb, has 20 pixels, counted in the browser `counter`."""
        shown = {}

        def missing():
            picture = self.call("Page.captureScreenshot", format="png")["data"]
            shown.update(text=self.value("document.body.innerText"), found=counter.value(COUNT_COLOURS % picture))
            return [colour for colour in wanted if shown["found"].get(colour, 0) < 20]

        wait_for(lambda: not missing(), lambda: f"{missing()} are drawn; the page says {shown['text'][:400]!r}")


@contextlib.contextmanager
def open_browser(folder):
    ours, theirs = os.pipe(), os.pipe()  # for what it reads, and for what it writes
    options = (
        f"--headless --no-sandbox --disable-gpu --remote-debugging-pipe --user-data-dir={folder}/chromium about:blank"
    )
    command = f"exec {CHROMIUM} {options} 3<&{ours[0]} 4>&{theirs[1]}"
    with open(folder / "chromium.log", "w") as log:
        environment = {**os.environ, "HOME": str(folder)}
        process = subprocess.Popen(
            ["bash", "-c", command], pass_fds=(ours[0], theirs[1]), stdout=log, stderr=log, env=environment
        )
    os.close(ours[0])
    os.close(theirs[1])
    with open(ours[1], "wb") as write, open(theirs[0], "rb") as read:
        try:
            yield Browser(write, read)
        finally:
            process.terminate()
            process.wait()
