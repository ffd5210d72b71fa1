"""Times a capture of a model larger than the memory it may use, beside the same capture with all memory.

    python streaming_benchmark.py --build build/release [--shape 8b] [--layers 10] [--tokens 4096] [--dtype bfloat16]
                                  [--limit 4] [--threads N] [--repeats 3] [--models FOLDER] [--json]

The model has the shape's first layers with random weights; FOLDER keeps it for the next time. The two alternate: resident
runs find the whole file in the system's cache; streamed ones find nothing of it there and have an address space of LIMIT
GiB (RLIMIT_AS), so that the file counts as larger than memory. Every number is the median of the repeats, the ratio is the
median of the ratios of neighbouring runs. The Python that runs this needs torch and safetensors.

left in cache   bytes of the file that the system's cache holds after the run (needs fincore of util-linux)
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import resource
import statistics
import subprocess
import tempfile

from capture_benchmark import SHAPES, measure, random_folder, random_tokens


def files_of(model):
    return sorted(model.glob("*.safetensors"))


def read_into_cache(model):
    for path in files_of(model):
        with open(path, "rb", buffering=0) as file:
            while file.read(1 << 24):
                pass


def drop_from_cache(model):
    for path in files_of(model):
        with open(path, "rb") as file:
            os.fsync(file.fileno())
            os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


def bytes_in_cache(model):
    listed = subprocess.run(["fincore", "-b", "-n", "-o", "RES", *files_of(model)], capture_output=True, text=True, check=True)
    return sum(int(line) for line in listed.stdout.split())


def run(options, model, folder, streamed):
    text = folder / "tokens.jsonl"
    text.write_text(json.dumps({"id": "benchmark", "tokens": random_tokens(options.tokens, 32768)}) + "\n")
    command = [options.build / "bin/plastiscope-cli", "capture", "--model", model, "--tokens", text, "--out", folder / "out.h5", "--heads", "all",
               "--rate", 8, "--bucket-size", max(1, options.tokens // 16), "--dtype", options.dtype, "--device", "cpu", "--threads", options.threads,
               "--progress", "json", "--fresh", "--force"]
    (drop_from_cache if streamed else read_into_cache)(model)
    room = int(options.limit * 2**30)
    limit = (lambda: resource.setrlimit(resource.RLIMIT_AS, (room, room))) if streamed else None
    return {**measure([str(part) for part in command], limit), "left_in_cache": bytes_in_cache(model)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--shape", choices=SHAPES, default="8b")
    parser.add_argument("--layers", type=int, default=10)
    parser.add_argument("--tokens", type=int, default=4096)
    parser.add_argument("--dtype", default="bfloat16")
    parser.add_argument("--limit", type=float, default=4)
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--models", type=pathlib.Path)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        place = options.models or folder
        model = place / "model"
        if not model.exists():
            # In a separate process: memory of this one would count as memory of the processes it starts.
            with concurrent.futures.ProcessPoolExecutor(1) as maker:
                maker.submit(random_folder, options, place).result()
        size = sum(path.stat().st_size for path in files_of(model))
        runs = [{"resident": run(options, model, folder, False), "streamed": run(options, model, folder, True)} for _ in range(options.repeats)]
    if options.json:
        for each in runs:
            print(json.dumps({"model_bytes": size, "tokens": options.tokens, "limit_bytes": int(options.limit * 2**30), **each}))
        return
    print(f"{options.shape}, {options.layers} layers, {size / 2**30:.2f} GiB, {options.dtype}, {options.tokens} tokens, {options.threads} threads, "
          f"limit {options.limit} GiB of address space")
    print(f"{'':20}{'resident':>12}{'streamed':>12}")
    for title, key, unit in (("whole (s)", "whole", 1), ("processor time (s)", "cpu_seconds", 1), ("memory (MB)", "memory", 1e6),
                             ("left in cache (MB)", "left_in_cache", 1e6)):
        print(f"{title:20}" + "".join(f"{statistics.median(each[kind][key] for each in runs) / unit:>12.2f}" for kind in ("resident", "streamed")))
    ratios = [each["streamed"]["whole"] / each["resident"]["whole"] for each in runs]
    print(f"streamed / resident {statistics.median(ratios):.3f} (" + ", ".join(f"{ratio:.3f}" for ratio in ratios) + ")")


if __name__ == "__main__":
    main()
