"""Capture of a model by plastiscope-cli and by a plain transformers script, side by side in one run.

    python capture_benchmark.py --cli build/release/bin/plastiscope-cli --model MODEL [--tokens 8192] [--dtype float32]
                                [--threads N] [--repeats 3] [--json FILE]

MODEL is a Hugging Face folder that both read, or a GGUF file, from which a float32 folder is made first (needs gguf and
accelerate). The Python that runs this needs torch and transformers.

Both do the same: one text of that many tokens, all heads, the same number of rows per head, written to one file. The
peer is what a careful user would write: transformers with its fused ("sdpa") attention, no logits, no cache, hooks that
keep the sampled rows of queries and keys after the rotation. The two alternate; every number is the median of the
repeats, the ratios are medians of the ratios of neighbouring runs.

start-up   process start until the model is open and the first layer begins
whole      process start to finished file
tokens/s   tokens / (whole - start-up)
cpu        user and system time of the process; says more than the clock on a busy computer
memory     peak resident memory of the process (all pages, shared libraries included)
"""
import argparse
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

ROWS_PER_BUCKET, BUCKETS = 8, 16
READY = '"event":"start"'  # in the line that says so


# ------------------------------------------------------------------------------------------------ the peer
def peer(model_folder, tokens_file, out, dtype, threads):
    import numpy as np
    import torch
    from transformers import AutoModelForCausalLM
    from transformers.models.llama import modeling_llama

    torch.set_num_threads(threads)
    model = AutoModelForCausalLM.from_pretrained(model_folder, dtype=getattr(torch, dtype), attn_implementation="sdpa")
    ids = json.loads(pathlib.Path(tokens_file).read_text().splitlines()[0])["tokens"]
    draw = np.random.default_rng(0)
    rows = min(len(ids), ROWS_PER_BUCKET * BUCKETS)
    kept, rotate = [], modeling_llama.apply_rotary_pos_emb

    def recording(*args, **kwargs):
        turned = rotate(*args, **kwargs)
        for vectors in turned:
            positions = np.sort(draw.choice(len(ids), rows, replace=False))
            kept.append(vectors[0][:, positions].float().numpy())
        return turned

    modeling_llama.apply_rotary_pos_emb = recording
    print("{" + READY + "}", file=sys.stderr, flush=True)
    with torch.inference_mode():
        model.model(torch.tensor([ids]), use_cache=False)
    np.savez(out, *kept)


# ------------------------------------------------------------------------------------------------ measuring
def measure(command):
    """Seconds until ready and until the end, peak resident memory in bytes and processor time of one process."""
    begin, ready, tail = time.perf_counter(), None, []
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, errors="replace")
    for line in process.stderr:
        if ready is None and READY in line:
            ready = time.perf_counter() - begin
        tail = (tail + [line])[-20:]
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0 or ready is None:
        sys.exit(f"{' '.join(command)}\nended with code {process.returncode}: {''.join(tail)}")
    return {"start": ready, "whole": time.perf_counter() - begin, "memory": usage.ru_maxrss * 1024,
            "cpu_seconds": usage.ru_utime + usage.ru_stime}


def commands(options, model, folder):
    """The two competitors' command lines."""
    text = folder / "tokens.jsonl"
    state, ids = 1, []
    for _ in range(options.tokens):  # any ids do: the work does not depend on them
        state = (1103515245 * state + 12345) % 2**31
        ids.append((state >> 8) % options.vocabulary)
    text.write_text(json.dumps({"id": "benchmark", "tokens": ids}) + "\n")
    threads = str(options.threads)
    ours = [options.cli, "capture", "--model", model, "--tokens", text, "--out", folder / "ours.h5", "--heads", "all",
            "--rate", ROWS_PER_BUCKET, "--bucket-size", max(1, options.tokens // BUCKETS), "--dtype", options.dtype,
            "--device", "cpu", "--threads", threads, "--store", "float32", "--progress", "json", "--fresh"]
    theirs = [sys.executable, __file__, "--peer", model, text, folder / "theirs.npz", options.dtype, threads]
    return {"plastiscope": [str(part) for part in ours], "transformers": [str(part) for part in theirs]}


def run_once(options, model, folder):
    result = {}
    for name, command in commands(options, model, folder).items():
        for left_over in [*folder.glob("ours*"), *folder.glob("theirs*")]:
            shutil.rmtree(left_over) if left_over.is_dir() else left_over.unlink()
        result[name] = measure(command)
        result[name]["tokens_per_second"] = options.tokens / (result[name]["whole"] - result[name]["start"])
    return result


# ------------------------------------------------------------------------------------------------ report
def table(runs):
    rows = [("start-up (s)", "start", "{:.2f}", "theirs / ours"), ("start to finished file (s)", "whole", "{:.2f}", "theirs / ours"),
            ("tokens per second", "tokens_per_second", "{:.1f}", "ours / theirs"),
            ("processor time (s)", "cpu_seconds", "{:.1f}", "theirs / ours"), ("peak memory (MB)", "memory", "{:.0f}", "ours / theirs")]
    summary = {}
    print(f"{'':28}{'plastiscope':>14}{'transformers':>14}{'ratio':>10}")
    for title, key, form, ratio in rows:
        scale = 1e6 if key == "memory" else 1
        ours, theirs = ([run[name][key] / scale for run in runs] for name in ("plastiscope", "transformers"))
        ratios = [t / o if ratio == "theirs / ours" else o / t for o, t in zip(ours, theirs)]
        summary[key] = {"plastiscope": statistics.median(ours), "transformers": statistics.median(theirs),
                        "ratio": statistics.median(ratios), "ratio_is": ratio}
        print(f"{title:28}{form.format(statistics.median(ours)):>14}{form.format(statistics.median(theirs)):>14}"
              f"{statistics.median(ratios):>10.2f}  {ratio}")
    return summary


def float32_folder(gguf_file, folder):
    """The GGUF file as a Hugging Face folder with float32 weights."""
    import torch
    from safetensors.torch import save_file
    from transformers import AutoModelForCausalLM
    file = pathlib.Path(gguf_file).resolve()
    model = AutoModelForCausalLM.from_pretrained(file.parent, gguf_file=file.name, dtype=torch.float32)
    out = folder / "model"
    out.mkdir(parents=True)
    values = model.config.to_dict()
    values.pop("quantization_config", None)
    tied = {"lm_head.weight"} if values.get("tie_word_embeddings") else set()
    save_file({name: value.contiguous() for name, value in model.state_dict().items() if name not in tied},
              out / "model.safetensors", {"format": "pt"})
    (out / "config.json").write_text(json.dumps(values, indent=1, default=str))
    return out


def main():
    if sys.argv[1:2] == ["--peer"]:
        peer(*sys.argv[2:6], int(sys.argv[6]))
        return
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cli", required=True)
    parser.add_argument("--model", required=True)
    parser.add_argument("--tokens", type=int, default=8192)
    parser.add_argument("--dtype", default="float32")
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--json")
    options = parser.parse_args()
    import torch
    import transformers

    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        is_file = pathlib.Path(options.model).is_file()
        model = float32_folder(options.model, folder) if is_file else pathlib.Path(options.model)
        options.vocabulary = json.loads((model / "config.json").read_text())["vocab_size"]
        runs = []
        for repeat in range(options.repeats):
            runs.append(run_once(options, model, folder))
            print(json.dumps({"repeat": repeat, **runs[-1]}), file=sys.stderr)
    print(f"\n{options.tokens} tokens, {options.dtype}, {options.threads} threads; transformers {transformers.__version__}, "
          f"torch {torch.__version__}; medians of {options.repeats}")
    summary = table(runs)
    if options.json:
        pathlib.Path(options.json).write_text(json.dumps({"settings": {k: v for k, v in vars(options).items() if k != "json"},
                                                          "summary": summary, "runs": runs}, indent=1) + "\n")


if __name__ == "__main__":
    main()
