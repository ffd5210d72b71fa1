"""Shared by the sweeps: a small random model with random tokens, commands that use it, and digests of their outputs."""
import hashlib
import json
import pathlib
import random
import shutil
import subprocess
import sys
import time

try:
    import h5py
except ImportError:
    sys.exit(77)

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
DATA = ROOT / "tests/data"
MODEL = DATA / "forward/llama3.gguf"
TEXTS, TOKENS, VOCABULARY = 12, 384, 64


def digest(file):
    """Digest of a file without its creation time; "broken" when it does not open."""
    if file.suffix != ".h5":
        return hashlib.sha256(file.read_bytes()).hexdigest()
    found = hashlib.sha256()

    def add(name, item):
        found.update(repr((name, sorted((key, str(value)) for key, value in item.attrs.items() if key != "created"))).encode())
        if isinstance(item, h5py.Dataset):
            found.update(str(item.dtype).encode() + (item[()].tobytes() if item.dtype.kind != "O" else repr(item[()].tolist()).encode()))

    try:
        with h5py.File(file) as opened:
            add("/", opened)
            opened.visititems(add)
    except OSError:
        return "broken"
    return found.hexdigest()


def contents(out):
    """Digests of an output file or of all files in an output folder."""
    if out.is_dir():
        return {str(file.relative_to(out)): digest(file) for file in sorted(out.rglob("*")) if file.is_file()}
    return digest(out) if out.exists() else None


class Workshop:
    def __init__(self, build, folder, seed=1):
        self.tool, self.folder, self.random = build.resolve() / "bin/plastiscope-cli", folder, random.Random(seed)
        self.tokens = folder / "tokens.jsonl"
        self.tokens.write_text("".join(json.dumps({"id": str(i), "tokens": [self.random.randrange(VOCABULARY) for _ in range(TOKENS)]}) + "\n"
                                       for i in range(TEXTS)))

    def capture(self, out, *more, model=MODEL, tokens=None):
        return [self.tool, "capture", "--model", model, "--tokens", tokens or self.tokens, "--window", TOKENS, "--rate", 8, "--heads", "all",
                "--dtype", "float32", "--device", "cpu", "--threads", 1, "--checkpoint-every", 0, "--out", out, "--quiet", *more]

    def captured(self, *more, name="study.h5"):
        """The output file of a finished capture."""
        out = self.folder / name
        self.run(self.capture(out, *more))
        return out

    def unfinished(self, out):
        """A capture that was killed after its first text was finished."""
        manifest = out.with_name(out.name + ".partial") / "manifest.jsonl"
        while True:
            process = self.start(self.capture(out))
            while process.poll() is None and not (manifest.exists() and manifest.stat().st_size > 0):
                time.sleep(0.001)
            process.kill()
            process.communicate()
            if not out.exists():
                return
            out.unlink()

    def start(self, command):
        return subprocess.Popen([str(part) for part in command], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)

    def run(self, command):
        process = self.start(command)
        said = process.communicate()[1]
        if process.returncode != 0:
            sys.exit(f"{' '.join(map(str, command))}: exit code {process.returncode}\n{said}")

    def place(self):
        """An empty folder, always at the same path, because outputs contain the path of their folder."""
        folder = self.folder / "work"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        return folder
