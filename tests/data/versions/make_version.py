"""Makes the folder of a version (README.md), or what it lacks: make_version.py BIN MODEL, on an X display."""
import gzip
import io
import json
import os
import pathlib
import signal
import subprocess
import sys
import tarfile
import tempfile
import time
import zlib

import h5py
import numpy as np

TEXTS = {
    "harbour": "The harbour wakes before the town does. Two boats leave while it is dark, the third waits for its "
    "engine to cough, and the gulls know which of them will bring fish. At noon the nets hang in the wind, the fish "
    "are sold, and the third boat still waits for its engine to cough.",
    "letters": "Dear sister, the letter of the third of May came on the ninth. I read it twice on the stairs and once "
    "at the window. The garden is as you left it: two rows of beans, one row of peas, and a rake that nobody wants to "
    "move. Write again, and say when the letter of the ninth has come.",
}

NOTE = "A head of the harbour."
UNFINISHED = (
    "capture --model tiny.gguf --tokens tokens.jsonl --window 600 --bucket-size 150 --rate 4 --heads all "
    "--dtype float32 --threads 1 --progress json"
).split()


def run(folder, program, *arguments):
    """In the folder, with names relative to it: files record them."""
    subprocess.run([str(program), *map(str, arguments)], check=True, cwd=folder)


def attributes(group):
    return {name: value.item() if hasattr(value, "item") else value for name, value in group.attrs.items()}


def numbers(dataset):
    values = dataset[()].astype(np.float64)
    return {"shape": list(values.shape), "sum": float(values.sum()), "last": float(values.flat[-1])}


def capture_facts(file):
    facts = {"tokens": file["examples/tokens"][()].tolist(), "layers": {}}
    facts["model"] = attributes(file["model"])["name"]
    facts["window"] = int(file["capture"].attrs["window"])
    for layer, group in file["layers"].items():
        sets = facts["layers"][str(int(layer))] = {}
        for kind, rows in group.items():
            sets[kind] = {
                "position": rows["position"][()].tolist(),
                "example": rows["example"][()].tolist(),
                "vectors": {str(int(head)): numbers(data) for head, data in rows["vectors"].items()},
            }
    facts["texts"] = TEXTS
    facts["nll"] = float(np.nansum(file["loss/nll"][()].astype(np.float64)))
    return facts


def analysis_facts(file):
    tables = {}
    for name, group in file["tables"].items():
        columns = {}
        for column, data in group.items():
            values = data[()]
            if values.dtype.kind == "S":
                columns[column] = [value.rstrip(b"\0").decode() for value in values]
            else:
                columns[column] = [None if value != value else value.item() for value in values]
        tables[name] = {
            column: values if name == "heads" else {"rows": len(values), "first": values[:1], "last": values[-1:]}
            for column, values in columns.items()
        }
    return {"tables": tables, "settings_hash": file.attrs["settings_hash"]}


def window_of(bin_folder, folder, files, platform):
    """A window with settings of its own in folder/config, at the head L16H4 of each file."""
    environment = dict(os.environ, HOME=str(folder), XDG_CONFIG_HOME=str(folder / "config"), QT_QPA_PLATFORM=platform)
    return subprocess.Popen([str(bin_folder / "plastiscope"), *map(str, files), "--head", "L16H4"], env=environment)


def session_text(bin_folder, folder):
    """What the window keeps while both files are open; the files are said to lie in /studies."""
    files = [folder / "capture.h5", folder / "analysis.h5"]
    window = window_of(bin_folder, folder, files, "offscreen")
    try:
        for _ in range(60):
            time.sleep(1)
            for found in (folder / "config").rglob("session.json"):
                text = found.read_text()
                if text.count(str(folder / "analysis.h5")) and text.count("L16H4") == len(files):
                    session = json.loads(text.replace(str(folder), "/studies"))
                    content = json.dumps(session["content"], separators=(",", ":"), sort_keys=True)
                    session["crc32"] = zlib.crc32(content.encode())
                    return json.dumps(session, indent=1) + "\n"
        raise SystemExit("the window kept no session")
    finally:
        window.terminate()
        window.wait()


def notes_text(bin_folder, folder):
    """What the window keeps of a star and a note that are typed into it."""
    window = window_of(bin_folder, folder, [folder / "capture.h5"], "xcb")
    try:
        for _ in range(60):
            time.sleep(1)
            search = ["xdotool", "search", "--onlyvisible", "--pid", str(window.pid)]
            shown = subprocess.run(search, capture_output=True, text=True).stdout.split()
            if shown:
                break
        time.sleep(10)
        for keys in (["key", "s"], ["key", "n"], ["type", NOTE]):
            subprocess.run(["xdotool", "windowfocus", shown[-1], *keys], check=True)
            time.sleep(2)
    finally:
        window.terminate()
        window.wait()
    return (folder / "capture.notes.json").read_text()


def unfinished(cli, folder):
    """The tokens of a capture of tiny.gguf and what is left of it after two of its texts: tar, gzip."""
    (folder / "tiny.gguf").write_bytes((pathlib.Path(__file__).parents[1] / "model/tiny.gguf").read_bytes())
    with open(folder / "tokens.jsonl", "w") as tokens:
        for text in range(5):
            ids = [(7 * text + index * index) % 40 for index in range(600)]
            tokens.write(json.dumps({"id": f"text-{text}", "tokens": ids}) + "\n")
    process = subprocess.Popen(
        [cli, *UNFINISHED, "--out", "unfinished.h5"], cwd=folder, stderr=subprocess.PIPE, text=True
    )
    for line in process.stderr:
        if json.loads(line)["event"] == "unit":
            process.send_signal(signal.SIGINT)
            break
    process.communicate()
    if process.returncode != 5:
        raise SystemExit(f"the capture was not interrupted: {process.returncode}")
    request = folder / "unfinished.h5.partial" / "request.json"
    request.write_text(request.read_text().replace(str(folder), "/studies"))
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as tar:
        for name in ("tokens.jsonl", "unfinished.h5.partial"):
            tar.add(folder / name, name)
    return gzip.compress(packed.getvalue(), mtime=0)


def main():
    bin_folder, model = (pathlib.Path(name).resolve() for name in sys.argv[1:])
    version = subprocess.run(
        [bin_folder / "plastiscope-cli", "--version"], check=True, capture_output=True, text=True
    ).stdout.split()[-1]
    folder = pathlib.Path(__file__).parent / version
    folder.mkdir(exist_ok=True)
    cli = bin_folder / "plastiscope-cli"
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch).resolve()
        for name, text in TEXTS.items():
            (scratch / f"{name}.txt").write_text(text)
        run(
            scratch, cli, "capture", "--model", model, "--text", *(f"{name}.txt" for name in TEXTS),
            "--window", 64, "--bucket-size", 8, "--rate", 5, "--heads", "L4H0,L16H4", "--dense", "L16H4", "--point",
            "both", "--loss", "--dtype", "float32", "--out", "capture.h5",
        )
        run(
            scratch, cli, "analyze", "capture.h5", "--out", "a.h5", "--interval", "jackknife", "--min-queries", 4,
            "--min-pairs", 4, "--bins", 8,
        )
        (scratch / "scatter_data.json").write_text(
            json.dumps([{"layer": 4, "head": 0, "qk_distance": 3.25}, {"layer": 16, "head": 4, "qk_distance": None}])
        )
        run(
            scratch, cli, "import", "head-metrics", "scatter_data.json", "--analysis", "a.h5", "--out", "analysis.h5"
        )
        run(
            scratch, bin_folder / "plastiscope", "render", "analysis.h5", "--figure", "profile", "--head", "L16H4",
            "--preset", "neurips", "--fixed-date", "--out", "figure.svg",
        )
        with h5py.File(scratch / "capture.h5") as capture, h5py.File(scratch / "analysis.h5") as analysis:
            expected = {"capture": capture_facts(capture), "analysis": analysis_facts(analysis)}
        made = {
            "expected.json": json.dumps(expected, separators=(",", ":")) + "\n",
            "session.json": session_text(bin_folder, scratch),
            "capture.notes.json": notes_text(bin_folder, scratch),
            "unfinished.tar.gz": unfinished(cli, scratch),
        }
        for name in ("figure.csv", "figure.json"):
            made[name] = (scratch / name).read_text().replace(str(scratch), "/studies")
        for name in ("capture.h5", "analysis.h5"):
            made[f"{name}.gz"] = gzip.compress((scratch / name).read_bytes(), mtime=0)
    for name, content in made.items():
        if not (folder / name).exists():  # what is there never changes
            (folder / name).write_bytes(content.encode() if isinstance(content, str) else content)


main()
