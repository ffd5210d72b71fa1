"""Compares predicted and measured memory of captures, over models, types, lengths and threads.

    python memory_benchmark.py --build build/release [--device cuda] [--only NAME ...] [--models FOLDER] [--limits TIMES ...] [--json]

Each case runs `plastiscope-cli capture` twice: with --estimate, for the prediction, and for good, for the largest resident
memory of the process (all pages, shared libraries included). Models have random weights in the shapes below and few
layers, as many as have different parts; FOLDER keeps them for the next time. A case with a limit runs within that much
address space, so that its file counts as larger than memory: weights are read from the disk and leave its cache again.
On a GPU, which nothing else should use meanwhile, it is the driver's peak memory in use, less that in use before.
The Python that runs this needs torch, transformers and safetensors.

--limits 1 1.5 3 runs each case again within a control group of so many times the measured memory, with all of it allowed
(by default it takes 80 % of the free memory at its start): it has to finish, if needed with smaller chunks, or to refuse
with exit code 4. Needs the right to make control groups (version 1 or 2); exits with 1 when a case was killed or ended
otherwise.

ratio         predicted / taken
above start   the same without the memory of the process before its first token: that of a capture of 64 tokens of the
              smallest model, in the same type
"""
import argparse
import collections
import concurrent.futures
import contextlib
import importlib.metadata
import json
import os
import pathlib
import resource
import statistics
import subprocess
import sys
import tempfile
from dataclasses import dataclass

from capture_benchmark import SHAPES, measure, random_tokens

# Configurations of transformers, with sizes of about a billion parameters and few layers.
FAMILIES = {
    "qwen3": dict(hidden_size=1024, intermediate_size=3072, num_attention_heads=16, num_key_value_heads=8, head_dim=128),
    "phi3": dict(hidden_size=1536, intermediate_size=4096, num_attention_heads=16, num_key_value_heads=8),
    "gemma2": dict(hidden_size=1152, intermediate_size=4608, num_attention_heads=8, num_key_value_heads=4, head_dim=256),
    "gemma3_text": dict(hidden_size=1152, intermediate_size=6912, num_attention_heads=4, num_key_value_heads=1, head_dim=256),
    "olmo2": dict(hidden_size=1024, intermediate_size=4096, num_attention_heads=16, num_key_value_heads=16),
    "mixtral": dict(hidden_size=1024, intermediate_size=2048, num_attention_heads=16, num_key_value_heads=4, num_local_experts=8),
    "gpt_oss": dict(hidden_size=1024, intermediate_size=1024, num_attention_heads=32, num_key_value_heads=8, head_dim=64,
                    num_local_experts=8, num_experts_per_tok=2),
    "falcon_h1": dict(hidden_size=1024, intermediate_size=2048, num_attention_heads=8, num_key_value_heads=2, head_dim=64,
                      mamba_d_ssm=1536, mamba_n_heads=24, mamba_d_head=64, mamba_d_state=128, mamba_n_groups=1),
    "qwen3_next": dict(hidden_size=1024, intermediate_size=2048, num_attention_heads=8, num_key_value_heads=2, head_dim=128,
                       num_experts=8, num_experts_per_tok=2, moe_intermediate_size=512, shared_expert_intermediate_size=512),
}


@dataclass
class Case:
    model: str  # a shape, or a family
    dtype: str
    tokens: int
    layers: int = 4
    threads: int = 2
    heads: str = "all"
    rate: int = 8
    texts: int = 1
    point: str = "post-rope"
    limit: int = 0  # bytes of address space

    @property
    def name(self):
        parts = [self.model, self.dtype, f"{self.tokens} tokens"]
        parts += [f"{value} {what}" for what, value, usual in
                  (("threads", self.threads, 2), ("heads", self.heads, "all"), ("rows a bucket", self.rate, 8), ("texts", self.texts, 1)) if value != usual]
        return ", ".join(parts + (["both points"] if self.point == "both" else []) + (["streamed"] if self.limit else []))


CASES = [
    Case("tiny", "float32", 512), Case("tiny", "bfloat16", 32768), Case("tiny", "bfloat16", 131072, layers=3),
    Case("135m", "float32", 512), Case("135m", "float32", 4096), Case("135m", "float32", 8192),
    Case("135m", "bfloat16", 8192), Case("135m", "bfloat16", 32768, layers=3), Case("135m", "bfloat16", 131072, layers=3),
    Case("135m", "float32", 8192, threads=1), Case("135m", "bfloat16", 8192, threads=4),
    Case("135m", "float32", 8192, heads="4"), Case("135m", "float32", 8192, rate=256), Case("135m", "bfloat16", 8192, point="both", rate=128),
    Case("135m", "float16", 2048), Case("135m", "float32", 1024, texts=8),
    Case("1b", "float32", 512), Case("1b", "float32", 8192, layers=3), Case("1b", "bfloat16", 8192), Case("1b", "bfloat16", 32768),
    Case("1b", "bfloat16", 4096, threads=1), Case("1b", "bfloat16", 4096, limit=2 << 30),
    Case("qwen3", "bfloat16", 8192), Case("qwen3", "float32", 2048), Case("phi3", "bfloat16", 4096), Case("olmo2", "float32", 4096),
    Case("gemma2", "bfloat16", 8192), Case("gemma3_text", "float32", 4096), Case("mixtral", "bfloat16", 4096),
    Case("mixtral", "float32", 2048), Case("gpt_oss", "bfloat16", 4096), Case("falcon_h1", "bfloat16", 4096),
    Case("qwen3_next", "bfloat16", 4096),
]
CARD_CASES = [
    Case("tiny", "float32", 512), Case("135m", "float32", 4096), Case("135m", "float32", 32768), Case("135m", "bfloat16", 131072),
    Case("135m", "float16", 8192), Case("135m", "float32", 1024, texts=8), Case("135m", "bfloat16", 8192, point="both", rate=128),
    Case("1b", "float32", 8192), Case("1b", "bfloat16", 8192), Case("1b", "bfloat16", 32768), Case("1b", "bfloat16", 131072),
    Case("8b", "bfloat16", 8192), Case("8b", "bfloat16", 32768), Case("8b", "bfloat16", 131072),
    Case("qwen3", "bfloat16", 8192), Case("phi3", "bfloat16", 4096), Case("olmo2", "float32", 4096), Case("gemma2", "bfloat16", 8192),
    Case("gemma3_text", "float32", 4096), Case("mixtral", "bfloat16", 4096), Case("gpt_oss", "bfloat16", 4096),
    Case("falcon_h1", "bfloat16", 4096), Case("qwen3_next", "bfloat16", 4096),
]


# ------------------------------------------------------------------------------------------------ models
def make_model(case, out):
    """A folder of random weights in the compute type (float16: in bfloat16, which is then converted)."""
    import torch
    from capture_benchmark import random_folder
    stored = "bfloat16" if case.dtype == "float16" else case.dtype
    if case.model in SHAPES:
        random_folder(argparse.Namespace(shape=case.model, layers=case.layers, dtype=stored, device="cpu"), out.parent).rename(out)
        return
    from transformers import AutoConfig, AutoModelForCausalLM
    torch.manual_seed(0)
    config = AutoConfig.for_model(case.model, vocab_size=8192, num_hidden_layers=case.layers, max_position_embeddings=131072,
                                  pad_token_id=0, bos_token_id=1, eos_token_id=2, **FAMILIES[case.model])
    AutoModelForCausalLM.from_config(config, dtype=getattr(torch, stored)).save_pretrained(out, max_shard_size="100GB")


def model_of(case, folder):
    out = folder / f"{case.model}-{case.layers}-{case.dtype}"
    if not out.exists():
        # In a separate process: memory of this one would count as memory of the processes it starts.
        with concurrent.futures.ProcessPoolExecutor(1) as maker:
            maker.submit(make_model, case, out).result()
    return out


# ------------------------------------------------------------------------------------------------ measuring
@contextlib.contextmanager
def control_group(limit):
    """The file for ids of processes that may use at most `limit` bytes, caches of files included."""
    own = dict((controllers, path) for _, controllers, path in (line.rstrip().split(":", 2) for line in open("/proc/self/cgroup")))
    first = "memory" in own
    group = pathlib.Path("/sys/fs/cgroup") / ("memory" if first else "") / own["memory" if first else ""].lstrip("/") / f"plastiscope-{os.getpid()}"
    group.mkdir()
    try:
        (group / ("memory.limit_in_bytes" if first else "memory.max")).write_text(str(int(limit)))
        if not first:
            (group / "memory.swap.max").write_text("0")
        yield group / "cgroup.procs"
    finally:
        group.rmdir()


def outcome(command, limit):
    """Outcome of a command that may use `limit` bytes: "done", "refused", or "exit code ..."."""
    with control_group(limit) as members:
        code = subprocess.run([*command, "--memory-limit", f"{int(limit / 1e6)}MB"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                              preexec_fn=lambda: members.write_text(str(os.getpid()))).returncode
    return {0: "done", 4: "refused"}.get(code, f"exit code {code}")


@contextlib.contextmanager
def card_watch():
    """Gives, at its end, the peak GPU memory in use meanwhile, less that in use before, in bytes."""
    ask = ["nvidia-smi", "--id=0", "--query-gpu=memory.used", "--format=csv,noheader,nounits"]
    before = int(subprocess.run(ask, capture_output=True, text=True, check=True).stdout)
    watch = subprocess.Popen([*ask, "--loop-ms=20"], stdout=subprocess.PIPE, text=True)
    result = {}
    try:
        yield result
    finally:
        watch.terminate()
        result["bytes"] = (max([before, *map(int, watch.communicate()[0].split()[:-1])]) - before) << 20


def command_of(options, case, models, folder):
    model = model_of(case, models)
    text, out = folder / "tokens.jsonl", folder / "out.h5"
    text.write_text("".join(json.dumps({"id": str(i), "tokens": random_tokens(case.tokens, 8192)}) + "\n" for i in range(case.texts)))
    command = [options.build / "bin/plastiscope-cli", "capture", "--model", model, "--tokens", text, "--out", out, "--heads", case.heads, "--all-layers",
               "--rate", case.rate, "--bucket-size", max(1, case.tokens // 16), "--dtype", case.dtype, "--device", options.device, "--threads", case.threads,
               "--point", case.point, "--progress", "json", "--fresh", "--force"]
    return [str(part) for part in command]


def run(options, case, command):
    limited = (lambda: resource.setrlimit(resource.RLIMIT_AS, (case.limit, case.limit))) if case.limit else None
    estimate = subprocess.run(command + ["--estimate", "--json"], capture_output=True, text=True, preexec_fn=limited)
    if estimate.returncode != 0:
        sys.exit(f"{' '.join(command)}\n{estimate.stderr}")
    with card_watch() if options.device != "cpu" else contextlib.nullcontext() as card:
        process = measure(command, limited)["memory"]
    predicted = json.loads(estimate.stdout)
    if card is None:
        return {"predicted": predicted["memory_bytes"], "taken": process}
    return {"predicted": predicted["card_bytes"], "taken": card["bytes"]}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--only", nargs="+", default=[""], help="cases whose name contains one of these")
    parser.add_argument("--models", type=pathlib.Path)
    parser.add_argument("--limits", nargs="+", type=float, default=[])
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    ratios, outcomes = [], collections.Counter()
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        models = options.models or folder
        models.mkdir(parents=True, exist_ok=True)
        least = {dtype: Case("tiny", dtype, 64, layers=2) for dtype in ("float32", "bfloat16", "float16")}
        start = {dtype: run(options, case, command_of(options, case, models, folder))["taken"] for dtype, case in least.items()}
        if not options.json:
            print(f"transformers {importlib.metadata.version('transformers')}, torch {importlib.metadata.version('torch')}; start "
                  + ", ".join(f"{bytes / 1e6:.0f} MB ({dtype})" for dtype, bytes in start.items()))
            print(f"{'':64}{'predicted':>10}{'taken':>10}{'ratio':>8}{'above start':>13}")
        for case in [case for case in (CASES if options.device == "cpu" else CARD_CASES) if any(only in case.name for only in options.only)]:
            command = command_of(options, case, models, folder)
            result = run(options, case, command)
            predicted, taken, before = result["predicted"], result["taken"], start[case.dtype]
            ratios.append(predicted / taken)
            above = (predicted - before) / max(taken - before, 1)
            limited = {times: outcome(command, times * taken) for times in (options.limits if not case.limit else [])}
            outcomes.update(limited.values())
            if options.json:
                print(json.dumps({"case": case.name, "start": before, **result, "limits": limited}), flush=True)
            else:
                print(f"{case.name:64}{predicted / 1e6:>10.0f}{taken / 1e6:>10.0f}{predicted / taken:>8.3f}{above:>13.2f}  "
                      + ", ".join(f"{times:g} x: {what}" for times, what in limited.items()), flush=True)
    if not options.json:
        print(f"{len(ratios)} cases: from {min(ratios):.3f} to {max(ratios):.3f}, median {statistics.median(ratios):.3f}; "
              f"{sum(abs(ratio - 1) <= 0.08 for ratio in ratios)} within 8 %"
              + "".join(f"; {times} {what}" for what, times in outcomes.items()))
    sys.exit(bool(set(outcomes) - {"done", "refused"}))


if __name__ == "__main__":
    main()
