"""An intervention study against as many separate captures, side by side in one run.

    python causal_benchmark.py --build build/release --model MODEL [--texts 4] [--tokens 512] [--sets 12] [--size 4]
                               [--threads N] [--repeats 3]

The study removes random sets of heads on a few texts of this machine and measures the losses that it scores by default:
up to 64 repeated and 64 new tokens of each text. The captures do the same one by one for every token: `capture --loss --ablate SET` of the same texts with one head
captured, no probe and no texts kept, plus the unchanged one. Prints seconds of both, medians of the repeats, and the
median of the ratios of neighbouring runs.
"""
import argparse
import pathlib
import random
import shutil
import statistics
import subprocess
import tempfile
import time

WORDS = sorted(pathlib.Path("/usr/share/common-licenses").glob("*"))


def seconds(command):
    start = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return time.perf_counter() - start


def heads_of(cli, model):
    import json
    shown = json.loads(subprocess.run([cli, "info", model, "--json"], check=True, capture_output=True).stdout)
    return shown["layers"], shown["query_heads"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", default="build/release")
    parser.add_argument("--model", required=True)
    for name, usual in (("texts", 4), ("tokens", 512), ("sets", 12), ("size", 4), ("threads", 0), ("repeats", 3)):
        parser.add_argument(f"--{name}", type=int, default=usual)
    o = parser.parse_args()
    cli = str(pathlib.Path(o.build, "bin", "plastiscope-cli").resolve())
    layers, query_heads = heads_of(cli, o.model)
    draw = random.Random(0)
    sets = [",".join(f"L{i // query_heads}H{i % query_heads}" for i in sorted(draw.sample(range(layers * query_heads), o.size)))
            for _ in range(o.sets)]
    ours, theirs = [], []
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        texts = []
        for number, file in enumerate(file for file in WORDS if file.is_file() and file.stat().st_size > 8 * o.tokens):
            if len(texts) < o.texts:
                texts.append(str(shutil.copy(file, folder / f"{number}.txt")))
        threads = ["--threads", str(o.threads)] if o.threads else []
        names = ", ".join(f'"{text}"' for text in texts)
        heads = "\n".join(f'set{i} = "{one}"' for i, one in enumerate(sets))
        (folder / "study.toml").write_text(f'model = "{pathlib.Path(o.model).resolve()}"\ntext = [{names}]\nsingles = false\n'
                                           f'random_sets = 0\nmatched_sets = 0\n[heads]\n{heads}\n[probes]\nkinds = "text"\n'
                                           f'lengths = "{o.tokens}"\ncount = {o.texts}\n')
        capture = [cli, "capture", "--model", o.model, "--text", *texts, "--window", str(o.tokens), "--heads", "L0H0", "--loss",
                   "--no-probe", "--no-texts", "--rate", "1", *threads, "--progress", "none"]
        for repeat in range(o.repeats):
            out = folder / f"study-{repeat}"
            ours.append(seconds([cli, "study", str(folder / "study.toml"), "--out", str(out), *threads, "--progress", "none"]))
            shutil.rmtree(f"{out}.work", ignore_errors=True)
            theirs.append(0)
            for number, one in enumerate(["", *sets]):
                file = folder / f"{repeat}-{number}.h5"
                theirs[-1] += seconds([*capture, "--out", str(file), *(["--ablate", one] if one else [])])
    ratio = statistics.median(a / b for a, b in zip(ours, theirs))
    print(f"{o.sets} sets of {o.size} heads, {o.texts} texts of {o.tokens} tokens\n"
          f"study     {statistics.median(ours):8.1f} s\ncaptures  {statistics.median(theirs):8.1f} s ({o.sets + 1})\n"
          f"ratio     {ratio:8.2f}")


main()
