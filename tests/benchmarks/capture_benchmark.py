"""Capture of a model by plastiscope-cli and by a plain transformers script, side by side in one run.

    python capture_benchmark.py --build build/release [--model MODEL | --shape 1b] [--layers N] [--tokens 8192] [--engines]
                                [--dtype float32] [--device cpu] [--texts 1] [--threads N] [--repeats 3] [--passes 5] [--json]

MODEL is a Hugging Face folder that both read, or a GGUF file, from which a float32 folder is made first (needs gguf and
accelerate). --shape writes a folder of random weights in the compute type instead, as large as SmolLM2-135M, a Llama of
1 or 8 billion or much smaller, with all its layers or the first N (with few layers ours omits a larger part: see
operations). The Python that runs this needs torch, transformers and safetensors.

First only the forward pass: one text of that many tokens through all layers, in two processes that wait for each other
and hold their models; transformers with its fused ("sdpa") attention, no logits, no cache, and the program
capture_benchmark, which reads its layers one by one within the time, with --texts for a group of so many texts. Where the
package xllamacpp is installed and MODEL is a GGUF file, llama.cpp's processing of such a prompt from that very file (flash
attention, products of its own quantised types, 8 tokens fewer) is a third, for reference. Beside it the share that matrix
products and attention reach of the peak: a product of two random matrices of 2,048 x 2,048 (on a GPU, where only both
together are known, 8,192 x 8,192) in the same type by libtorch, right after.

--engines adds passes with the attention scores of 64 queries of every head, and passes of the engine transformers, which
sends the same rows through its pipe, without and with scores, beside the plain pass of transformers.

Then whole commands, which do the same: all heads, the same number of rows per head, written to one file. The peer is what
a careful user would write: hooks that keep the sampled rows of queries and keys after the rotation. The two alternate;
every number is the median of the repeats, the ratios are medians of the ratios of neighbouring runs.

start-up   process start until the model is open and the first layer begins
whole      process start to finished file
cpu        user and system time of the process; more reliable than elapsed time on a busy computer
memory     peak resident memory of the process (all pages, shared libraries included)

--json prints every run as a JSON line instead of tables.
"""
import argparse
import concurrent.futures
import importlib.metadata
import importlib.util
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
SCORED = 64  # queries of a text, as in a capture
READY = '"event":"start"'  # in the line that reports the start


SHAPES = {  # hidden, intermediate, layers, query heads, key heads, head size
    "tiny": (128, 256, 4, 4, 2, 32), "135m": (576, 1536, 30, 9, 3, 64), "1b": (2048, 8192, 16, 32, 8, 64), "8b": (4096, 14336, 32, 32, 8, 128)}


# ------------------------------------------------------------------------------------------------ the peer
def peers_model(model_folder, dtype, threads, device):
    import torch
    from transformers import AutoModelForCausalLM
    torch.set_num_threads(threads)
    model = AutoModelForCausalLM.from_pretrained(model_folder, dtype=getattr(torch, dtype), attn_implementation="sdpa").model
    return model.to(device)


def peers_passes(model_folder, tokens, dtype, threads, device, texts):
    """Answers each line of the input with the seconds of one forward pass over each of the texts of that many tokens."""
    import torch
    model = peers_model(model_folder, dtype, threads, device)
    ids = torch.tensor([[(7919 * i + 13) % model.config.vocab_size for i in range(tokens)]]).to(device)
    print("ready", flush=True)
    for line in sys.stdin:
        begin = time.perf_counter()
        with torch.inference_mode():
            for _ in range(texts):
                last = model(ids[:, :int(line.split()[0])], use_cache=False).last_hidden_state
            last[0, -1].cpu()  # waits for a GPU
        print(json.dumps({"seconds": time.perf_counter() - begin}), flush=True)


def llamas_passes(gguf_file, tokens, threads):
    """The same with llama.cpp, whose server needs space for an answer and reports its own time of the prompt."""
    import xllamacpp
    parameters = xllamacpp.CommonParams()
    parameters.model.path = gguf_file
    parameters.n_ctx, parameters.n_batch, parameters.n_ubatch, parameters.n_parallel, parameters.n_gpu_layers = tokens, 2048, 512, 1, 0
    parameters.cpuparams.n_threads = parameters.cpuparams_batch.n_threads = threads
    parameters.verbosity = -1
    parameters.flash_attn_type = xllamacpp.llama_flash_attn_type.LLAMA_FLASH_ATTN_TYPE_ENABLED
    server = xllamacpp.Server(parameters)
    print("ready", flush=True)
    for line in sys.stdin:
        prompt = random_tokens(min(int(line.split()[0]), tokens - 8), 32000)
        answer = server.handle_completions({"prompt": prompt, "n_predict": 1, "cache_prompt": False})
        print(json.dumps({"seconds": answer["timings"]["prompt_ms"] / 1e3}), flush=True)


def engines_passes(model_folder, dtype, threads, device, texts):
    """The same with the process of the engine transformers: all heads at every 64th position, and scores."""
    sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "python"))
    from engine_process import EngineProcess
    with EngineProcess() as engine:
        facts = engine.describe(pathlib.Path(model_folder).resolve())
        engine.ask({"do": "load", "device": device, "dtype": dtype, "threads": threads, "loss": False})
        print("ready", flush=True)
        for line in sys.stdin:
            tokens, scored = map(int, line.split())
            positions = list(range(0, tokens, 64))
            queries = positions[1::max(1, len(positions[1:]) // scored)][:scored] if scored else []
            wants = [(layer, kind, list(range(heads)), positions, [], queries if kind == "query" else [])
                     for layer, each in enumerate(facts["each_layer"])
                     for kind, heads in (("query", facts["query_heads"]), ("key", each["key_heads"]))]
            ids = [(7919 * i + 13) % facts["vocabulary"] for i in range(tokens)]
            begin = time.perf_counter()
            for _ in range(texts):
                engine.run(ids, wants)
            print(json.dumps({"seconds": time.perf_counter() - begin}), flush=True)


def peer(model_folder, tokens_file, out, dtype, threads, device):
    import numpy as np
    import torch
    from transformers.models.llama import modeling_llama

    model = peers_model(model_folder, dtype, threads, device)
    ids = json.loads(pathlib.Path(tokens_file).read_text().splitlines()[0])["tokens"]
    draw = np.random.default_rng(0)
    rows = min(len(ids), ROWS_PER_BUCKET * BUCKETS)
    kept, rotate = [], modeling_llama.apply_rotary_pos_emb

    def recording(*args, **kwargs):
        turned = rotate(*args, **kwargs)
        for vectors in turned:
            positions = np.sort(draw.choice(len(ids), rows, replace=False))
            kept.append(vectors[0][:, positions].float().cpu().numpy())
        return turned

    modeling_llama.apply_rotary_pos_emb = recording
    print("{" + READY + "}", file=sys.stderr, flush=True)
    with torch.inference_mode():
        model(torch.tensor([ids]).to(device), use_cache=False)
    np.savez(out, *kept)


# ------------------------------------------------------------------------------------------------ measuring
def measure(command, at_start=None):
    """Seconds until ready and until the end, peak resident memory in bytes and processor time of one process."""
    begin, ready, tail = time.perf_counter(), None, []
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, errors="replace", preexec_fn=at_start)
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


def random_tokens(count, vocabulary):
    """Random ids: the work does not depend on them."""
    state, ids = 1, []
    for _ in range(count):
        state = (1103515245 * state + 12345) % 2**31
        ids.append((state >> 8) % vocabulary)
    return ids


def commands(options, model, folder):
    """The two competitors' command lines."""
    text = folder / "tokens.jsonl"
    text.write_text(json.dumps({"id": "benchmark", "tokens": random_tokens(options.tokens, options.vocabulary)}) + "\n")
    threads = str(options.threads)
    ours = [options.build / "bin/plastiscope-cli", "capture", "--model", model, "--tokens", text, "--out", folder / "ours.h5", "--heads", "all",
            "--rate", ROWS_PER_BUCKET, "--bucket-size", max(1, options.tokens // BUCKETS), "--dtype", options.dtype,
            "--device", options.device, "--threads", threads, "--store", "float32", "--progress", "json", "--fresh"]
    theirs = [sys.executable, __file__, "--peer", model, text, folder / "theirs.npz", options.dtype, threads, options.device]
    return {"plastiscope": [str(part) for part in ours], "transformers": [str(part) for part in theirs]}


def run_once(options, model, folder):
    result = {}
    for name, command in commands(options, model, folder).items():
        for left_over in [*folder.glob("ours*"), *folder.glob("theirs*")]:
            shutil.rmtree(left_over) if left_over.is_dir() else left_over.unlink()
        result[name] = measure(command)
        result[name]["tokens_per_second"] = options.tokens / (result[name]["whole"] - result[name]["start"])
    return result


class Passes:
    """A process that runs a forward pass over a number of tokens on request."""

    def __init__(self, command):
        environment = {**os.environ, "OMP_WAIT_POLICY": "passive"}  # the other process runs meanwhile
        self.process = subprocess.Popen([str(part) for part in command], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        text=True, env=environment)
        if self.process.stdout.readline().strip() != "ready":
            sys.exit(f"{command} did not start")

    def run(self, tokens, scored=0):
        self.process.stdin.write(f"{tokens} {scored}\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def alternate_passes(options, model):
    ours = Passes([options.build / "bin/capture_benchmark", model, options.tokens, options.dtype, options.threads,
                   options.device, options.texts])
    theirs = Passes([sys.executable, __file__, "--passes-of-peer", model, options.tokens, options.dtype, options.threads,
                     options.device, options.texts])
    runners = {"plastiscope": ours, "transformers": theirs}
    if options.model and options.model.is_file() and importlib.util.find_spec("xllamacpp"):
        runners["llama.cpp"] = Passes([sys.executable, __file__, "--passes-of-llama", options.model, options.tokens, options.threads])
    if options.engines:
        runners["engine"] = Passes([sys.executable, __file__, "--passes-of-engine", model, options.dtype, options.threads,
                                    options.device, options.texts])
    for each in runners.values():
        each.run(512)  # warms up caches and threads
    runs = []
    for _ in range(options.passes):
        runs.append({name: each.run(options.tokens) for name, each in runners.items()})
        for name in ("plastiscope", "engine") if options.engines else ():
            runs[-1][name + ", scored"] = runners[name].run(options.tokens, SCORED)
    for each in runners.values():
        each.close()
    return runs


# ------------------------------------------------------------------------------------------------ report
def print_row(title, form, ours, theirs, ratios, meaning):
    print(f"{title:28}{form.format(statistics.median(ours)):>14}{form.format(statistics.median(theirs)):>14}"
          f"{statistics.median(ratios):>10.2f}  {meaning}")


def operations(config, tokens):
    """Floating point operations of the peer's pass over a Llama: linear layers, and attention of the visible pairs."""
    hidden, heads, key_heads = (config[name] for name in ("hidden_size", "num_attention_heads", "num_key_value_heads"))
    head = config.get("head_dim") or hidden // heads
    linear = 4 * hidden * (heads + key_heads) * head + 6 * hidden * config["intermediate_size"]
    return config["num_hidden_layers"] * (linear * tokens + 2 * heads * head * tokens * (tokens + 1))


def print_passes(runs, options, peers_operations):
    ours, theirs = ([run[name]["seconds"] for run in runs] for name in ("plastiscope", "transformers"))
    print_row("forward pass alone (s)", "{:.2f}", ours, theirs, [t / o for o, t in zip(ours, theirs)], "theirs / ours")
    done = statistics.median(sum(run["plastiscope"][kind]["flops"] for kind in ("products", "attention")) for run in runs)
    print(f"  {'operations':26}{done / peers_operations:>14.3f}  of the peer's: the rest nobody reads")
    peak = statistics.median(run["plastiscope"]["peak_flops"] for run in runs)
    print(f"  {'of both':26}{done / statistics.median(ours) / peak:>14.2f}  of the peak, whatever else the pass does")
    for kind in ("products", "attention") if options.device == "cpu" else ():
        share, seconds = (statistics.median(run["plastiscope"][kind][what] for run in runs) for what in ("share_of_peak", "thread_seconds"))
        print(f"  {kind:26}{share:>14.2f}  of the peak, {seconds:.2f} s of threads")
    if "llama.cpp" in runs[0]:
        llamas = [run["llama.cpp"]["seconds"] for run in runs]
        print_row("  beside llama.cpp", "{:.2f}", ours, llamas, [t / o for o, t in zip(ours, llamas)], "theirs / ours")
    for name, beside in (("plastiscope, scored", "plastiscope"), ("engine", "transformers"), ("engine, scored", "transformers")):
        if name in runs[0]:
            some, other = ([run[each]["seconds"] for run in runs] for each in (name, beside))
            print_row("  " + name, "{:.2f}", some, other, [s / o for s, o in zip(some, other)], "of the pass of " + beside)
    print(f"  {'peak':26}{peak / 1e9:>14.0f}  GFLOP/s")
    last = runs[-1]["plastiscope"]
    print(f"  {'memory (GB)':26}{last['resident_bytes'] / 1e9:>14.2f}  {last['predicted_bytes'] / 1e9:.2f} predicted")


def print_commands(runs):
    rows = [("start-up (s)", "start", "{:.2f}", "theirs / ours"), ("start to finished file (s)", "whole", "{:.2f}", "theirs / ours"),
            ("processor time (s)", "cpu_seconds", "{:.1f}", "theirs / ours"), ("peak memory (MB)", "memory", "{:.0f}", "ours / theirs")]
    for title, key, form, meaning in rows:
        ours, theirs = ([run[name][key] / (1e6 if key == "memory" else 1) for run in runs] for name in ("plastiscope", "transformers"))
        print_row(title, form, ours, theirs, [t / o if meaning == "theirs / ours" else o / t for o, t in zip(ours, theirs)], meaning)


# ------------------------------------------------------------------------------------------------ models
def random_folder(options, folder):
    """A Llama of the shape with random weights in the compute type."""
    import torch
    from safetensors.torch import save_file
    hidden, inner, layers, heads, key_heads, head = SHAPES[options.shape]
    layers, dtype = min(layers, options.layers or layers), getattr(torch, options.dtype)
    out = folder / "model"
    out.mkdir(parents=True)
    config = {"architectures": ["LlamaForCausalLM"], "model_type": "llama", "hidden_size": hidden, "intermediate_size": inner,
              "num_hidden_layers": layers, "num_attention_heads": heads, "num_key_value_heads": key_heads, "head_dim": head,
              "vocab_size": 32768, "max_position_embeddings": 131072, "rms_norm_eps": 1e-5, "rope_theta": 500000.0,
              "hidden_act": "silu", "tie_word_embeddings": True, "torch_dtype": options.dtype, "bos_token_id": 1, "eos_token_id": 2}
    (out / "config.json").write_text(json.dumps(config, indent=1))
    torch.manual_seed(0)
    matrix = lambda rows, columns: torch.randn(rows, columns, device=options.device).mul_(columns ** -0.5).to(dtype).cpu()
    shards, shard = {}, {"model.embed_tokens.weight": matrix(config["vocab_size"], hidden), "model.norm.weight": torch.ones(hidden, dtype=dtype)}
    for layer in range(layers):
        parts = {"self_attn.q_proj": (heads * head, hidden), "self_attn.k_proj": (key_heads * head, hidden),
                 "self_attn.v_proj": (key_heads * head, hidden), "self_attn.o_proj": (hidden, heads * head),
                 "mlp.gate_proj": (inner, hidden), "mlp.up_proj": (inner, hidden), "mlp.down_proj": (hidden, inner)}
        shard |= {f"model.layers.{layer}.{name}.weight": matrix(*size) for name, size in parts.items()}
        shard |= {f"model.layers.{layer}.{name}.weight": torch.ones(hidden, dtype=dtype)
                  for name in ("input_layernorm", "post_attention_layernorm")}
        name = f"model-{layer:05}.safetensors"
        save_file(shard, out / name, {"format": "pt"})
        shards |= {tensor: name for tensor in shard}
        shard = {}
    (out / "model.safetensors.index.json").write_text(json.dumps({"metadata": {}, "weight_map": shards}))
    return out


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


def folder_of(options, folder):
    if options.shape:
        return random_folder(options, folder)
    return float32_folder(options.model, folder) if options.model.is_file() else options.model


def main():
    if sys.argv[1:2] == ["--peer"]:
        return peer(*sys.argv[2:6], int(sys.argv[6]), sys.argv[7])
    if sys.argv[1:2] == ["--passes-of-peer"]:
        return peers_passes(sys.argv[2], int(sys.argv[3]), sys.argv[4], int(sys.argv[5]), sys.argv[6], int(sys.argv[7]))
    if sys.argv[1:2] == ["--passes-of-engine"]:
        return engines_passes(*sys.argv[2:4], int(sys.argv[4]), sys.argv[5], int(sys.argv[6]))
    if sys.argv[1:2] == ["--passes-of-llama"]:
        return llamas_passes(sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--model", type=pathlib.Path)
    parser.add_argument("--shape", choices=SHAPES)
    parser.add_argument("--layers", type=int)
    parser.add_argument("--tokens", type=int, default=8192)
    parser.add_argument("--dtype", default="float32")
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--texts", type=int, default=1)
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--passes", type=int, default=5)
    parser.add_argument("--engines", action="store_true")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    if (options.model is None) == (options.shape is None):
        parser.error("either --model or --shape")
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        # In a separate process: memory of this one would count as memory of the processes it starts.
        with concurrent.futures.ProcessPoolExecutor(1) as maker:
            model = maker.submit(folder_of, options, folder).result()
        config = json.loads((model / "config.json").read_text())
        options.vocabulary = config["vocab_size"]
        passes = alternate_passes(options, model) if options.passes else []
        runs = [run_once(options, model, folder) for _ in range(options.repeats)]
    about = {"model": options.shape or options.model.name, "tokens": options.tokens, "dtype": options.dtype, "device": options.device,
             "texts": options.texts, "threads": options.threads, "transformers": importlib.metadata.version("transformers"),
             "torch": importlib.metadata.version("torch")}
    if options.json:
        for what, measured in ("pass", passes), ("command", runs):
            for run in measured:
                print(json.dumps({"what": what, **about, **run}))
        return
    print(", ".join(f"{key} {value}" for key, value in about.items()))
    print(f"{'':28}{'plastiscope':>14}{'transformers':>14}{'ratio':>10}")
    if passes:
        print_passes(passes, options, options.texts * operations(config, options.tokens))
    if runs:
        print_commands(runs)


if __name__ == "__main__":
    main()
