"""Time from a click on a head to its drawn plane, profile and map, in a browser with a served study of 1,000 heads.

    python serve_benchmark.py [--cli build/release/bin/plastiscope-cli] [--layers 25] [--heads 40] [--rows 400]
                              [--capture FILE.h5]

Needs numpy, h5py and Chromium. Writes a synthetic capture (one key head for five query heads, float16), analyses and
serves it, clicks on 40 heads in turn and prints the median and the longest time: all, and of the answers alone. The
processor time of the page's thread and of the server hardly grows when other programs compete for the cores.
"""

import argparse
import json
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

import h5py
import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "python"))
from browser import open_browser, wait_for  # noqa: E402

WINDOW, DIM, EXAMPLES, GROUP = 4096, 64, 12, 5
CLICK = """(async () => {
  kept.clear();
  const begin = performance.now(), row = document.querySelector('tbody tr[data-i="%d"]');
  row.click();
  await Promise.all(['plane', 'map', 'profile', 'head'].map(path => ask(path, {head: nameOf(chosen)})));
  const answered = performance.now();
  await new Promise(done => requestAnimationFrame(() => setTimeout(done)));
  return [performance.now() - begin, answered - begin];
})()"""


def write_capture(path, args):
    draw, text = np.random.default_rng(0), h5py.string_dtype("utf-8")
    with h5py.File(path, "w") as f:
        f.attrs.update(format="plastiscope-capture", format_version=np.int64(1), program_version="benchmark",
                       created="2026-01-01T00:00:00Z", settings="{}", settings_hash="0" * 64)  # fmt: skip
        rope = json.dumps({"rope_type": "default", "rope_theta": 10000.0})
        f.create_group("model").attrs.update(
            name="synthetic", architecture="llama", source="synthetic", fingerprint="0" * 64,
            layers=np.int64(args.layers), query_heads=np.int64(args.heads), key_heads=np.int64(args.heads // GROUP),
            head_dim=np.int64(DIM), rope=rope, context_length=np.int64(WINDOW), config="{}")  # fmt: skip
        f.create_group("capture").attrs.update(
            window=np.int64(WINDOW), sampler="uniform", bucket_size=np.int64(256), rate=1.0, head_seed=np.int64(0),
            point="post-rope", compute_dtype="float32", device="cpu", score_scale=DIM**-0.5)  # fmt: skip
        f.create_dataset("examples/id", data=[f"text {i}" for i in range(EXAMPLES)], dtype=text)
        f.create_dataset("examples/seed_id", data=np.arange(EXAMPLES, dtype=np.int64))
        f.create_dataset("examples/tokens", data=np.full(EXAMPLES, WINDOW, np.int32))
        f.create_dataset("examples/sha256", data=["0" * 64] * EXAMPLES, dtype=text)
        for layer in range(args.layers):
            g = f.create_group(f"layers/{layer:02d}")
            g.attrs.update(attention="full", window=np.int64(0), rope=np.uint8(1), query_scale=np.uint8(0))
            for kind, heads in (("query", args.heads), ("key", args.heads // GROUP)):
                place = np.sort(draw.choice(WINDOW * EXAMPLES, args.rows, replace=False))
                position = (place % WINDOW).astype(np.int32)
                g.create_dataset(f"{kind}/position", data=position)
                g.create_dataset(f"{kind}/example", data=(place // WINDOW).astype(np.int32))
                g.create_dataset(f"{kind}/bucket", data=position // 256)
                for head in range(heads):
                    drift = np.outer(position / WINDOW, draw.normal(size=DIM))
                    x = draw.normal(size=DIM) + drift + draw.normal(size=(args.rows, DIM))
                    g.create_dataset(f"{kind}/vectors/{head:02d}", data=x.astype(np.float16))


def processor_times(browser, server):
    """Of the page's thread and of the server, in ms."""
    metrics = {each["name"]: each["value"] for each in browser.call("Performance.getMetrics")["metrics"]}
    ticks = sum(map(int, pathlib.Path(f"/proc/{server.pid}/stat").read_text().rpartition(")")[2].split()[11:13]))
    return 1000 * metrics["TaskDuration"], 1000 * ticks / os.sysconf("SC_CLK_TCK")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cli", default="build/release/bin/plastiscope-cli")
    for name, usual in (("layers", 25), ("heads", 40), ("rows", 400)):
        parser.add_argument(f"--{name}", type=int, default=usual)
    parser.add_argument("--capture", type=pathlib.Path)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        capture = args.capture or folder / "synthetic.h5"
        if not capture.exists():
            write_capture(capture, args)
        server = subprocess.Popen([args.cli, "serve", "--quiet", capture], stdout=subprocess.PIPE, text=True)
        try:
            address = server.stdout.readline().strip()
            with open_browser(folder) as browser:
                browser.open(address)
                wait_for(lambda: browser.value("document.querySelectorAll('#profile svg').length"), "a profile", 300)
                heads = int(re.sub(r"\D", "", browser.value("String(order.length)")))
                browser.call("Performance.enable", timeDomain="threadTicks")
                before = processor_times(browser, server)
                times = np.array([browser.value(CLICK % (i * heads // 40)) for i in range(40)])
                page, program = ((b - a) / 40 for a, b in zip(before, processor_times(browser, server), strict=True))
        finally:
            server.terminate()
            server.wait()
    for what, each in (("click to picture", times[:, 0]), ("answers alone", times[:, 1])):
        print(f"{what}, {heads} heads: median {statistics.median(each):.0f} ms, longest {max(each):.0f} ms")
    print(f"processor time of a click: page {page:.0f} ms, server {program:.1f} ms")


if __name__ == "__main__":
    main()
