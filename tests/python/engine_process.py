"""A process of plastiscope.engine, for tests and for the walk over transformers' families."""

import contextlib
import json
import os
import pathlib
import subprocess
import sys

import numpy as np

SOURCE = pathlib.Path(__file__).parents[2] / "app" / "python" / "src"


class Refused(Exception):
    """The engine's answer to a request that it cannot serve."""

    def __init__(self, kind, message):
        super().__init__(f"{kind}: {message}")
        self.kind = kind


class EngineProcess:
    def __init__(self, errors=subprocess.DEVNULL):
        environment = dict(os.environ, PYTHONPATH=str(SOURCE), HF_HUB_OFFLINE="1")
        command = [sys.executable, "-m", "plastiscope.engine"]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": errors}
        self.process = subprocess.Popen(command, env=environment, **pipes)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout):
            with contextlib.suppress(BrokenPipeError):
                pipe.close()

    def ask(self, request, payload=b""):
        """Frames of the reply, with their bytes as "data"."""
        self.process.stdin.write(json.dumps({**request, "bytes": len(payload)}).encode() + b"\n" + payload)
        self.process.stdin.flush()
        frames = []
        while not frames or "ok" not in frames[-1]:
            line = self.process.stdout.readline()
            if not line:
                raise Refused("ended", f"exit status {self.process.wait()}")
            frames.append(json.loads(line))
            frames[-1]["data"] = self.process.stdout.read(frames[-1].get("bytes", 0))
            if "error" in frames[-1]:
                raise Refused(**frames[-1]["error"])
        return frames

    def describe(self, folder, **more):
        return self.ask({"do": "describe", "model": str(folder), **more})[-1]["facts"]

    def load(self, dtype="float32", loss=False):
        return self.ask({"do": "load", "device": "cpu", "dtype": dtype, "threads": 2, "loss": loss})

    def run(self, ids, wants, **more):
        """Rows by layer, kind, point and whether they are dense; losses or None; the layers done.

        wants: (layer, kind, heads, positions, dense heads, positions of queries to score if any); ``scores`` then holds
        their numbers and sums [heads, scores] by layer."""
        named, payload = [], [np.asarray(ids, "<i4")]
        for layer, kind, heads, positions, dense, *scored in wants:
            scored = scored[0] if scored else []
            counts = {"positions": len(positions), "scored": len(scored)}
            named.append({"layer": layer, "kind": kind, "heads": heads, "dense": dense, **counts})
            payload += [np.asarray(positions, "<i4"), np.asarray(scored, "<i4")]
        request = {"do": "run", "tokens": len(ids), "points": ["post-rope"], "wants": named, **more}
        rows, losses, done, self.scores = {}, None, [], {}
        for frame in self.ask(request, b"".join(part.tobytes() for part in payload)):
            if head := frame.get("rows"):
                key = head["layer"], head["kind"], head["point"], head["dense"]
                rows[key] = np.frombuffer(frame["data"], "<f4").reshape(head["shape"])
            elif head := frame.get("scores"):
                self.scores[head.pop("layer")] = head, np.frombuffer(frame["data"], "<f4").reshape(-1, 7)
            elif "losses" in frame:
                losses = np.frombuffer(frame["data"], "<f4")
            elif "layer_done" in frame:
                done.append(frame["layer_done"])
        return rows, losses, done
