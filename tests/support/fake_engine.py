#!/usr/bin/env python3
"""Speaks the protocol of plastiscope.engine without PyTorch: a model of two layers whose vectors are formulas.

FAKE_ENGINE says what goes wrong: "die" (in the second run), "hang" (likewise), "KIND" of an error (likewise), "noise".
"""

import json
import os
import struct
import sys
import time

TROUBLE = os.environ.get("FAKE_ENGINE", "")
LAYERS, HEADS, KEYS, DIM = 2, 4, 2, 8

if sys.argv[1] == "-c":  # whether torch and transformers are there
    sys.exit(0)
assert sys.argv[1:] == ["-m", "plastiscope.engine"], sys.argv
assert os.environ["PYTHONPATH"].split(":")[0].endswith("python"), os.environ["PYTHONPATH"]


def say(frame, numbers=()):
    data = struct.pack(f"<{len(numbers)}f", *numbers)
    if data:
        frame["bytes"] = len(data)
    sys.stdout.buffer.write(json.dumps(frame).encode() + b"\n" + data)
    sys.stdout.buffer.flush()


def value(layer, kind, head, position, token, dimension):
    return (100 * layer + 10 * head + dimension) * (1 if kind == "query" else -1) + position / 64 + token / 1024


def describe(request):
    assert os.path.isabs(request["model"]) and request["trust_remote_code"] is False
    layers = [
        {"attention": "full", "window": 0, "rope": False, "key_heads": KEYS, "head_dim": DIM} for _ in range(LAYERS)
    ]
    config = json.load(open(os.path.join(request["model"], "config.json")))
    say({"ok": "describe", "facts": {
        "architecture": config["model_type"], "class": "StrangeForCausalLM", "transformers": "5.0", "torch": "2.0",
        "python": "3.9", "layers": LAYERS, "hidden": 32, "vocabulary": 64, "query_heads": HEADS, "key_heads": KEYS,
        "head_dim": DIM, "context": 4096, "score_scale": 0.25, "score_softcap": 0, "positions": "alibi", "rope": {},
        "parameters": 1000, "recorded_by": "attention interface", "ablation": False, "losses": "lossy" in config,
        "devices": [{"name": "cpu"}, {"name": "mps", "free": 4000000000}], "default_dtype": "bfloat16",
        "each_layer": layers,
    }})  # fmt: skip


def run(request, payload, number):
    count = request["tokens"]
    tokens, given = payload[:count], payload[count:]
    if number == 2 and TROUBLE == "die":
        print("Fatal: no such kernel", file=sys.stderr, flush=True)
        os.kill(os.getpid(), 11)
    if number == 2 and TROUBLE == "hang":
        time.sleep(60)
    if number == 2 and TROUBLE in ("usage", "input", "resources", "internal"):
        return say({"error": {"kind": TROUBLE, "message": "the model says no"}})
    for want in request["wants"]:
        for name in ("positions", "scored"):
            length = want[name]
            want[name], given = given[:length], given[length:]
    for layer in range(LAYERS):
        for want in request["wants"]:
            positions, scored = want["positions"], want["scored"]
            if want["layer"] != layer:
                continue
            if scored:
                say({"scores": {"layer": layer, "all": len(scored), "induction": 3, "duplicate": 5}},
                    [layer + head / 4 + score / 8 for head in want["heads"] for score in range(7)])  # fmt: skip
            for dense in (False, True):
                heads = want["dense" if dense else "heads"]
                places = range(count) if dense else positions
                if heads and places:
                    rows = [
                        value(layer, want["kind"], h, p, tokens[p], d) for h in heads for p in places for d in range(DIM)
                    ]
                    say({"rows": {"layer": layer, "kind": want["kind"], "point": "post-rope", "dense": dense,
                                  "shape": [len(heads), len(places), DIM]}}, rows)  # fmt: skip
        say({"layer_done": layer})
    if request["loss"]:
        say({"losses": count}, [float("nan")] + [token / 64 for token in tokens[1:]])
    say({"ok": "run"})


runs = 0
for line in iter(sys.stdin.buffer.readline, b""):
    request = json.loads(line)
    size = request.get("bytes", 0)
    payload = struct.unpack(f"<{size // 4}i", sys.stdin.buffer.read(size))
    if TROUBLE == "noise":
        print("a warning " * 20000, file=sys.stderr, flush=True)  # more than a pipe holds
    if request["do"] == "describe":
        describe(request)
    elif request["do"] == "load":
        say({"loading": 0.5})
        say({"ok": "load"})
    else:
        runs += 1
        run(request, payload, runs)
