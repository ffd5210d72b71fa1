"""Names inside files that point outside: confinement.py BUILD [--every N].

Every place where a file names another one gets hostile names: other folders, absolute paths, links, devices, pipes, NUL, very
long, other case, percent escapes, separators of Windows. The command that reads the file runs under strace. It may
open only files in its own folder and files that a harmless run of the same command opens, may change nothing outside, and
must end within 20 seconds with a normal exit code. Prints a table; ends with 1 otherwise, and with 77 where
strace is missing or may not trace. --every 10 tries every tenth name.
"""
import argparse
import json
import os
import pathlib
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import zlib

import h5py

from workshop import DATA, Workshop

SHARD = ".safetensors"
# Also matches calls that strace prints in two lines because another thread ran in between.
OPENS = re.compile(r'\b(?:open|openat|openat2|creat)(?:\(| resumed>).* = \d+<([^>]*)>')


# ---- names

def names(outside, ending):
    """Hostile file names with this ending, none of which exists in the folder."""
    secret = outside / f"secret{ending}"
    for depth in range(1, 25):
        yield "../" * depth + f"outside/secret{ending}"
    for depth in range(1, 9):
        yield "./" * depth + f"../outside/secret{ending}"
        yield "a/" * depth + "../" * (depth + 1) + f"outside/secret{ending}"
        yield "/" * depth + str(secret)[1:]
        yield "..//" * depth + f"outside/secret{ending}"
    for absolute in (secret, f"file://{secret}", f"~/secret{ending}", f"$HOME/secret{ending}", f"/proc/self/root{secret}", f"/proc/self/cwd/../outside/secret{ending}",
                     "/etc/passwd", "/dev/zero", "/dev/stdin", "/dev/tty", "/dev/full", "/proc/self/mem", f"/dev/fd/0{ending}", f"/dev/zero{ending}",
                     f"http://localhost/a{ending}", f"//localhost/share/a{ending}"):
        yield str(absolute)
    relative = f"../outside/secret{ending}"
    for each in (relative, str(secret), "../" * 6 + f"etc/passwd{ending}"):
        for dot, slash in (("%2e", "/"), (".", "%2f"), ("%2E", "%2F"), ("%252e", "%252f"), ("%c0%ae", "%c0%af"), (".", "\\"), (".", "\\\\"), (".", "\u2215"),
                           (".", "\uff0f"), ("\uff0e", "/"), (".", "/\u200b"), (". ", "/"), (".", ":")):
            yield each.replace("/", "\0").replace(".", dot).replace("\0", slash)
    for windows in (f"C:\\outside\\secret{ending}", f"C:outside{ending}", f"\\\\server\\share\\a{ending}", f"\\\\?\\C:\\a{ending}", f"CON{ending}", f"..\\outside\\secret{ending}",
                    f"..\\..\\outside/secret{ending}"):
        yield windows
    for nul in (f"{relative}\0{ending}", f"\0{relative}", f"a{ending}\0", f"a\0{ending}", f"{secret}\0", f"in{ending}\0.txt"):
        yield nul
    for length in (255, 256, 257, 1000, 4095, 4096, 4097, 65536, 1_000_000):
        yield "a" * (length - len(ending)) + ending
        yield "../" * (length // 3) + f"outside/secret{ending}"
    for case in (ending.upper(), ending.title(), ending + " ", ending + ".", ending + "/", ending + "/.", ending + "\n", ending + ".bak"):
        yield f"in{case}"
    for odd in ("", ".", "..", "/", "./", "../", ending, f".{ending}", f"..{ending}", f".hidden{ending}", " ", "\n", "\t", "-", "--help", "*", f"*{ending}", f"{{a,b}}{ending}", f"in{ending}/../../outside/secret{ending}"):
        yield odd


# Entries of the folder with harmless names that lead outside.
def links(folder, outside, ending):
    """(name, function that creates it)"""
    secret = outside / f"secret{ending}"

    def link(target, name=f"link{ending}"):
        return name, lambda: os.symlink(target, folder / name)

    for target in (secret, f"../outside/secret{ending}", "../outside", outside, "..", ".", "/", "/etc/passwd", "/dev/zero", "/dev/random", "/dev/tty", "/dev/full",
                   "/proc/self/mem", "/proc/self/environ", "/proc/self/fd/0", f"link{ending}", "nowhere", f"../work/../outside/secret{ending}", "a" * 255,
                   f"/proc/self/root{secret}", f"/proc/self/cwd/../outside/secret{ending}", outside / "chain"):
        yield link(target)
    yield f"pipe{ending}", lambda: os.mkfifo(folder / f"pipe{ending}")
    yield f"folder{ending}", lambda: (folder / f"folder{ending}").mkdir()

    def listening():
        with socket.socket(socket.AF_UNIX) as made:
            here = os.getcwd()
            os.chdir(folder)
            made.bind(f"socket{ending}")
            os.chdir(here)

    yield f"socket{ending}", listening
    if os.geteuid() == 0:
        yield f"device{ending}", lambda: os.mknod(folder / f"device{ending}", 0o600 | 0o020000, os.makedev(1, 5))


# ---- one command under strace

class Trace:
    def __init__(self, shop):
        self.shop, self.base = shop, shop.folder
        self.folder, self.outside = self.base / "work", self.base / "outside"
        self.outside.mkdir()
        for ending in (SHARD, ".h5", ".json", ".gguf", ".txt", ".parquet"):
            shutil.copy(DATA / "model/sharded/model-00001-of-00003.safetensors", self.outside / f"secret{ending}")
        shutil.copy(shop.study, self.outside / "secret.h5")
        os.symlink(self.outside / f"secret{SHARD}", self.outside / "chain")
        self.before = self.state()
        self.problems = []

    def state(self):
        return {str(each): (os.lstat(each).st_size, zlib.crc32(each.read_bytes()) if each.is_file() else 0)
                for root in (self.base, self.outside) for each in sorted(root.iterdir()) if each != self.folder}

    def run(self, arguments):
        """(exit code, message, opened paths)"""
        record = self.base.parent / f"{self.base.name}.trace"
        environment = {**os.environ, "HOME": str(self.folder / "home"), "XDG_CACHE_HOME": str(self.folder / "home"), "XDG_CONFIG_HOME": str(self.folder / "home"),
                       "QT_QPA_PLATFORM": "offscreen"}
        process = subprocess.Popen(["strace", "-f", "-qq", "-y", "-s", "300", "-e", "trace=%file", "-o", str(record), *map(str, arguments)], cwd=self.folder,
                                   env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace")
        try:
            _, said = process.communicate(timeout=60)
            code = process.returncode
        except subprocess.TimeoutExpired:
            process.kill()
            said, code = process.communicate()[1], "no end"
        opened = {re.sub(r"^/proc/\d+/", "/proc/self/", path) for line in record.read_text(errors="replace").splitlines() for path in OPENS.findall(line)}
        record.unlink()
        return code, said, opened

    def beyond(self, opened, allowed):
        own = (str(self.folder), "/tmp/plastiscope-", "/proc/", "/sys/", "/usr/", "/lib")
        secret = ("/mem", "/environ")
        return [path for path in opened - allowed - {"/dev/null", "/dev/urandom"} if not path.startswith(own) or path.endswith(secret)]

    def try_names(self, title, cases, codes, arguments):
        """Runs `cases`, pairs of a name and a function that prepares the folder; prints a line."""
        prepared = list(cases)
        (_, innocent), hostile = prepared[0], prepared[1:]
        self.fresh(innocent)
        code, said, allowed = self.run(arguments)
        if code != 0:
            self.problems.append(f"{title}: an innocent name: exit code {code}: {said[-200:]}")
        refused = outside = changed = 0
        for name, prepare in hostile:
            self.fresh(prepare)
            code, said, opened = self.run(arguments)
            refused += code == 3
            beyond = self.beyond(opened, allowed)
            other = self.state() != self.before
            outside, changed = outside + bool(beyond), changed + other
            if beyond or other or code not in codes:
                self.problems.append(f"{title}: {name[:80]!r}: exit code {code}, opened {beyond[:3]}{', changed what lies outside' if other else ''}: {said.strip()[-160:]}")
        print(f"{title:44.44}{len(hostile):>7}{refused:>9}{outside:>16}{changed:>17}", flush=True)

    def fresh(self, prepare):
        shutil.rmtree(self.folder, ignore_errors=True)
        (self.folder / "home").mkdir(parents=True)
        prepare()


# ---- places

def shards(trace, every):
    def model(name, make=None):
        def prepare():
            shutil.copytree(DATA / "model/sharded", trace.folder, dirs_exist_ok=True)
            index = trace.folder / "model.safetensors.index.json"
            content = json.loads(index.read_text())
            first = next(iter(content["weight_map"]))
            if name is not None:
                content["weight_map"][first] = name
            index.write_text(json.dumps(content))
            if make:
                make()
        return repr(name), prepare

    hostile = [(name, None) for name in names(trace.outside, SHARD)]
    hostile += [(value, None) for value in (1, True, [], {}, ["a.safetensors"], 1e300, "\ud800.safetensors")]
    hostile += list(links(trace.folder, trace.outside, SHARD))
    trace.try_names("shards of an index", [model(None), *(model(*each) for each in hostile[::every])], {3}, [trace.shop.tool, "info", "."])


def cached_shards(trace, every):
    """A snapshot of the cache: links of another user are not followed, whatever their target."""
    if os.geteuid() != 0:
        return  # needs root
    def snapshot(target, owner=65534):
        def prepare():
            entry, other = trace.folder / "models--a--b", trace.folder / "models--c--d/blobs"
            folder = entry / "snapshots/1"
            shutil.copytree(DATA / "model/sharded", folder)
            (entry / "blobs").mkdir()
            other.mkdir(parents=True)
            shard = folder / "model-00001-of-00003.safetensors"
            shutil.copy(shard, other / "blob")
            shard.rename(entry / "blobs/blob")
            os.symlink(target, shard)
            os.lchown(shard, owner, owner)
        return str(target), prepare

    targets = [*("../../../models--c--d/blobs/blob", "../../blobs/../../models--c--d/blobs/blob", "../../blobs", "../../blobs/../../../outside/secret.safetensors"),
               trace.outside / f"secret{SHARD}", "../../../../outside/secret.safetensors", "/dev/zero", "../../blobs/none", "../../refs/blob", "/"]
    trace.try_names("links of a snapshot of the cache", [snapshot("../../blobs/blob", os.geteuid()), *map(snapshot, targets)], {3},
                    [trace.shop.tool, "info", "models--a--b/snapshots/1"])


def beside_the_model(trace, every):
    """Files with fixed names: links are followed, but only to a regular file."""
    for name, wanted in (("config.json", "info"), ("model.safetensors.index.json", "info"), ("tokenizer.json", "tokenize"), ("tokenizer_config.json", "tokenize")):
        def model(target, name=name):
            def prepare():
                shutil.copytree(DATA / "model/sharded", trace.folder, dirs_exist_ok=True)
                shutil.copy(DATA / "text/gpt2/tokenizer.json", trace.folder)
                (trace.folder / "tokenizer_config.json").write_text("{}")
                (trace.folder / "text.txt").write_text("a b c")
                if target is None:
                    return
                (trace.folder / name).unlink()
                if target == "pipe":
                    os.mkfifo(trace.folder / name)
                elif target == "folder":
                    (trace.folder / name).mkdir()
                else:
                    os.symlink(target, trace.folder / name)
            return str(target), prepare

        command = ["info", "."] if wanted == "info" else ["tokenize", "--model", ".", "--text", "text.txt"]
        targets = ["/dev/zero", "/dev/full", "/dev/tty", "pipe", "folder", "nowhere", name, "/"]
        trace.try_names(f"{name} of a model", [model(None), *map(model, targets)], {0, 3} if name == "tokenizer_config.json" else {3}, [trace.shop.tool, *command])


def named_by_config(trace, every):
    """Fields of a configuration that name files for other programs."""
    fields = ("_name_or_path", "auto_map", "tokenizer_file", "model_file", "base_model_name_or_path", "chat_template", "weights", "architectures_file")

    def model(name, field="_name_or_path"):
        def prepare():
            shutil.copytree(DATA / "model/sharded", trace.folder, dirs_exist_ok=True)
            file = trace.folder / "config.json"
            config = json.loads(file.read_text())
            if name is not None:
                config[field] = {"AutoModel": name} if field == "auto_map" else name
            file.write_text(json.dumps(config))
        return f"{field}: {name}", prepare

    hostile = [(name, field) for number, name in enumerate(names(trace.outside, SHARD)) for field in fields if number % 25 == 0]
    trace.try_names("files named by config.json", [model(None), *(model(*each) for each in hostile[::every])], {0, 3}, [trace.shop.tool, "info", "."])


def units(trace, every):
    """The list of finished texts in an unfinished capture."""
    shop, kept = trace.shop, trace.base.parent / f"{trace.base.name}.partial"
    trace.fresh(lambda: None)
    shop.unfinished(trace.folder / "out.h5")
    shutil.rmtree(kept, ignore_errors=True)
    shutil.copytree(trace.folder / "out.h5.partial", kept)

    def work(name):
        def prepare():
            shutil.copytree(kept, trace.folder / "out.h5.partial")
            manifest = trace.folder / "out.h5.partial/manifest.jsonl"
            lines = [json.loads(line) for line in manifest.read_text().splitlines()]
            for line in lines:
                line.pop("crc32")
                line["unit"] = line["unit"] if name is None else name
                line["crc32"] = zlib.crc32(canonical(line))
            manifest.write_bytes(b"".join(canonical(line) + b"\n" for line in lines))
        return repr(name), prepare

    hostile = list(names(trace.outside, SHARD))
    trace.try_names("texts listed by an unfinished capture", [work(None), *map(work, hostile[::5 * every])], {0}, shop.capture("out.h5"))
    shutil.rmtree(kept)


def canonical(value):
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode(errors="replace")


def sweep_names(trace, every):
    """Names in the file of a sweep, which become names of files in its library."""
    def sweep(name, where="model"):
        def prepare():
            shutil.copy(DATA / "forward/llama3.gguf", trace.folder / "m.gguf")
            shutil.copy(trace.shop.tokens, trace.folder / "t.jsonl")
            own = {"model": "m", "texts": "t", "capture": "c", "analyze": "a", where: "in" if name is None else name}
            text = "\n".join(f"[[{section}]]\nname = {json.dumps(own[section])}\n{more}" for section, more in
                             (("model", 'path = "m.gguf"'), ("texts", 'tokens = "t.jsonl"'), ("capture", "window = 384\nrate = 8"), ("analyze", "pairs = 16")))
            (trace.folder / "sweep.toml").write_text(text.replace("\\ud800", ""))
        return f"{where}: {name!r}", prepare

    hostile = [(name, where) for number, name in enumerate(names(trace.outside, ".h5")) if len(name) < 5000
               for where in [("model", "texts", "capture", "analyze")[number % 4]]]
    trace.try_names("names in the file of a sweep", [sweep(None), *(sweep(*each) for each in hostile[::every])], {0, 3},
                    [trace.shop.tool, "batch", "sweep.toml", "--out", "library", "--dry-run"])
    written = [(name, where) for name, where in hostile if re.fullmatch(r"[A-Za-z0-9.+=_-]+", name)]
    trace.try_names("the same, and the sweep runs", [sweep(None), *(sweep(*each) for each in written[::every])], {0, 3},
                    [trace.shop.tool, "batch", "sweep.toml", "--out", "library", "--quiet"])


def ids_of_texts(trace, every):
    """Ids of texts and the name of a model: part of what capture, analysis and exports write."""
    def texts(name):
        def prepare():
            (trace.folder / "t.jsonl").write_text(json.dumps({"id": "in" if name is None else name, "tokens": list(range(64)) * 6}) + "\n")
        return repr(name), prepare

    script = ('"$0" capture --model "$1" --tokens t.jsonl --window 384 --rate 8 --heads all --device cpu --out c.h5 --quiet && "$0" analyze c.h5 --out a.h5 --csv tables --quiet && '
              '"$0" export qk-sniffer c.h5 --out set --quiet && "$0" export page a.h5 --out page.html --quiet && "$0" export headvis a.h5 --out rows.json --quiet')
    hostile = [name for name in names(trace.outside, ".h5") if len(name) < 5000]
    trace.try_names("ids of texts, into every output", [texts(None), *map(texts, hostile[::8 * every])], {0, 3},
                    ["bash", "-c", script, trace.shop.tool, DATA / "forward/llama3.gguf"])


def hdf5_names(trace, every):
    """A capture of another program: links, storage and virtual datasets in other files."""
    targets = [str(trace.outside / "secret.h5"), "../outside/secret.h5", "/etc/passwd", "/dev/zero", "secret.h5", "../" * 20 + "etc/passwd"]

    def external(kind, target):
        def prepare():
            file = trace.folder / "study.h5"
            shutil.copy(trace.shop.study, file)
            with h5py.File(file, "a") as opened:
                found = []
                opened.visititems(lambda name, item: found.append(name) if isinstance(item, h5py.Dataset) else None)
                group = next(name for name in opened if isinstance(opened[name], h5py.Group))
                name = found[0]
                if kind == "as it is":
                    return
                if kind == "group":
                    del opened[group]
                    opened[group] = h5py.ExternalLink(target, f"/{group}")
                    return
                shape, dtype = opened[name].shape, opened[name].dtype
                del opened[name]
                if kind == "link":
                    opened[name] = h5py.ExternalLink(target, f"/{name}")
                elif kind == "storage":
                    opened.create_dataset(name, shape, dtype, external=[(target, 0, h5py.h5f.UNLIMITED)])
                elif kind == "virtual":
                    layout = h5py.VirtualLayout(shape, dtype)
                    layout[...] = h5py.VirtualSource(target, name, shape)
                    opened.create_virtual_dataset(name, layout)
        return f"{kind}: {target}", prepare

    cases = [external(kind, target) for kind in ("link", "group", "storage", "virtual") for target in targets]
    for command in ("info", "verify", "analyze"):
        more = ["--out", "a.h5", "--quiet"] if command == "analyze" else []
        trace.try_names(f"HDF5 names in a capture, {command}", [external("as it is", ""), *cases[::every]], {3}, [trace.shop.tool, command, "study.h5", *more])


def analysed_capture(trace, every):
    """An analysis names its capture: it is taken from where it was, or from beside the analysis, if it is that capture."""
    analysis = trace.base.parent / f"{trace.base.name}.analysis.h5"

    def study(name):
        def prepare():
            shutil.copy(analysis, trace.folder / "a.h5")
            if name is None:
                return
            with h5py.File(trace.folder / "a.h5", "a") as opened:
                opened.attrs["capture_file"] = name
        return repr(name), prepare

    trace.shop.run([trace.shop.tool, "analyze", trace.shop.study, "--out", analysis, "--quiet"])
    hostile = [name for name in names(trace.outside, ".h5") if len(name) < 5000 and "\0" not in name]
    trace.try_names("the capture that an analysis names", [study(None), *map(study, hostile[::6 * every])], {0, 3},
                    [trace.shop.tool, "info", "a.h5"])
    trace.try_names("the same, as a page", [study(None), *map(study, hostile[::12 * every])], {0, 3},
                    [trace.shop.tool, "export", "page", "a.h5", "--out", "page.html", "--quiet"])
    analysis.unlink()


def merged_parts(trace, every):
    """Parts are named on the command line; texts and models named in them are not opened."""
    parts = [trace.base.parent / f"{trace.base.name}.part{i}.h5" for i in range(2)]
    for i, part in enumerate(parts):
        trace.shop.run(trace.shop.capture(part, "--part", f"{i}/2"))

    def joined(name):
        def prepare():
            for i, part in enumerate(parts):
                shutil.copy(part, trace.folder / f"p{i}.h5")
                if name is None:
                    continue
                with h5py.File(trace.folder / f"p{i}.h5", "a") as opened:
                    for attribute in ("path", "name"):
                        opened["model"].attrs[attribute] = name
        return repr(name), prepare

    hostile = [name for name in names(trace.outside, ".h5") if len(name) < 5000 and "\0" not in name]
    trace.try_names("what parts say, merged", [joined(None), *map(joined, hostile[::12 * every])], {0, 3},
                    [trace.shop.tool, "merge", "p0.h5", "p1.h5", "--out", "m.h5", "--quiet"])
    for part in parts:
        part.unlink()


def parquet_columns(trace, every):
    """A table of vectors whose columns lie in another file, as the format allows."""
    import pyarrow.parquet

    def table(name):
        def prepare():
            shutil.copytree(DATA / "qk_sniffer/branch", trace.folder / "set")
            if name is None:
                return
            file = next((trace.folder / "set").rglob("*.parquet"))
            metadata = pyarrow.parquet.read_metadata(file)
            metadata.set_file_path(name)
            metadata.write_metadata_file(file)
        return repr(name), prepare

    hostile = [name for name in names(trace.outside, ".parquet") if len(name) < 5000 and "\0" not in name]
    trace.try_names("columns of a Parquet table", [table(None), *map(table, hostile[::12 * every])], {3},
                    [trace.shop.tool, "import", "qk-sniffer", "set", "--out", "i.h5", "--window", 64, "--quiet"])


def sessions(trace, every):
    """A session names studies anywhere, as intended; other than regular Plastiscope files are not opened, or only inspected."""
    tool = trace.shop.tool.parent / "plastiscope"
    if not tool.exists():
        return

    def session(name):
        def prepare():
            shutil.copy(trace.shop.study, trace.folder / "in.h5")
            content = {"current": 0, "tabs": [{"file": str(trace.folder / "in.h5") if name is None else name}]}
            text = canonical(content)
            (trace.folder / "s.json").write_bytes(b'{"format":"plastiscope-session","version":1,"crc32":%d,"content":%s}' % (zlib.crc32(text), text))
        return repr(name), prepare

    hostile = ["/dev/zero", "/dev/tty", "/proc/self/mem", "/proc/self/environ", str(trace.base.parent / "pipe.h5"), "a" * 5000, "a\0b", "", "..", "/"]
    trace.try_names("studies of a session", [session(None), *map(session, hostile[::every])], {0, 3},
                    [tool, "screenshot", "s.json", "--out", "w.png", "--size", "800x600"])


PLACES = (shards, cached_shards, beside_the_model, named_by_config, units, sweep_names, ids_of_texts, hdf5_names, analysed_capture, merged_parts, parquet_columns,
          sessions)


def may_trace():
    return shutil.which("strace") and subprocess.run(["strace", "-o", os.devnull, "true"], stderr=subprocess.DEVNULL).returncode == 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--every", type=int, default=1, help="of the names, the first, then every so many")
    parser.add_argument("places", nargs="*", help="only these: " + ", ".join(place.__name__ for place in PLACES))
    options = parser.parse_intermixed_args()
    if not may_trace():
        print("skipped: no strace, or it may not trace")
        sys.exit(77)
    with tempfile.TemporaryDirectory() as temporary:
        base = pathlib.Path(temporary).resolve() / "base"
        base.mkdir()
        shop = Workshop(options.build, base)
        shop.study = shop.captured()
        trace = Trace(shop)
        print(f"{'names of':44}{'cases':>7}{'refused':>9}{'opened outside':>16}{'changed outside':>17}", flush=True)
        for place in PLACES:
            if not options.places or place.__name__ in options.places:
                place(trace, options.every)
    for problem in trace.problems[:40]:
        print(f"  {problem}")
    print(f"{len(trace.problems)} problems")
    sys.exit(len(trace.problems) > 0)


if __name__ == "__main__":
    main()
