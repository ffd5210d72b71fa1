"""A tiny random model of every family and the queries and keys that transformers computes with it.

    nice -n 5 python make_families.py            every case
    nice -n 5 python make_families.py NAME ...   these cases; the other lines of families.json stay
    nice -n 5 python make_families.py --precision [NAME ...]   only how far the runs are from each other, of models that are there

Versions in use are written to families.json. Everything is seeded by tensor name, so a second run gives the same files.

NAME/config.json, model.safetensors   as save_pretrained of the family's class writes them, in bfloat16
NAME/reference.f32                    little-endian float32, per layer: queries [heads, positions, head_dim], then keys
families.json                         per case: tokens, positions, layers (kind, window, RoPE, place in reference.f32),
                                      the scale of scores, how far a float32 run is from a float64 run (largest) and
                                      the bfloat16 run from the float32 run (mean), as |difference| / |vector|
A case with "same_as" has only a config.json, which says the same in an older spelling.
"""
import json
import pathlib
import sys
import tempfile

import numpy as np
import safetensors
import torch
import transformers

import weights
from cases import CASES
from record import Recording, logits, record

FOLDER = pathlib.Path(__file__).parent
TOKENS, SHORT, CHECK = 20001, 3001, 1500
KEPT = ("gguf",)  # marks of an entry that are made elsewhere
POSITIONS = [0, 1, 2, 63, 255, 1000, 4095, 4096, 4099, 8191, 10001, 12345, 16383, 16384, 18000, 19999, 20000]


def write_model(case, folder):
    """save_pretrained of a bfloat16 model, then random values under the names and types that it wrote."""
    family = getattr(transformers, case.family)
    with tempfile.TemporaryDirectory() as temporary:
        family(case.configuration()).save_pretrained(temporary)
        model = family.from_pretrained(temporary, dtype=torch.bfloat16)
    model.save_pretrained(folder)
    (folder / "generation_config.json").unlink(missing_ok=True)
    weights.randomise(folder / "model.safetensors", case)
    if case.convert:
        case.convert(folder)
    return family


def check_against_stock(family, folder):
    """The recording attention must be the family's own attention."""
    ours = logits(family, folder, CHECK, "recording", Recording([0]))
    stock = logits(family, folder, CHECK, "eager")
    difference = float((ours - stock).norm() / stock.norm())
    assert difference < 1e-5, difference
    return difference


def errors(recording, truth):
    """Relative length of the difference of every vector, per layer: [(queries, keys)]."""
    def relative(a, b):
        a, b = a.double(), b.double()
        return (a - b).norm(dim=-1) / b.norm(dim=-1)
    return [(relative(recording.layers[i].query, layer.query), relative(recording.layers[i].key, layer.key))
            for i, layer in sorted(truth.layers.items())]


def rounded(x):
    return float(f"{float(x):.4g}")


def precision(family, folder, last):
    """How far the float32 run is from a float64 run, and transformers' bfloat16 run from its float32 run.

    Over all positions: where a rounding sends a token to another expert its vectors are far off, and the mean over few
    tokens would be chance."""
    positions = range(SHORT)
    single, double, half = (record(family, folder, SHORT, dtype, positions, last)
                            for dtype in (torch.float32, torch.float64, torch.bfloat16))
    largest = max(side.max() for part in errors(single, double) for side in part)
    parts = errors(half, single)
    mean = [torch.cat([part[side].flatten() for part in parts]).mean() for side in (0, 1)]
    return {"float32_error": rounded(largest), "bfloat16": {
        "tokens": SHORT, "query_error": rounded(mean[0]), "key_error": rounded(mean[1]),
        "layers": [[rounded(q.mean()), rounded(k.mean())] for q, k in parts]}}


def layer_entries(case, recording):
    """The layers' properties and the numbers of reference.f32."""
    entries, numbers, offset = [], [], 0
    for index in range(case.layers()):
        layer = recording.layers.get(index)
        if layer is None:
            entries.append({"layer": index, "attention": case.other_layers[index]})
            continue
        assert index not in case.other_layers, f"layer {index} has vectors"
        place = {"query": offset, "key": offset + layer.query.numel()}
        offset += layer.query.numel() + layer.key.numel()
        numbers += [layer.query.numpy().ravel(), layer.key.numpy().ravel()]
        entries.append({"layer": index, "attention": layer.attention, "window": layer.window,
                        "rope": case.rope is None or bool(case.rope[index]), "query_heads": layer.query.shape[0],
                        "key_heads": layer.key.shape[0], "head_dim": layer.query.shape[2], **place})
    return entries, np.concatenate(numbers).astype("<f4")


def record_case(name, case):
    folder = FOLDER / name
    folder.mkdir(exist_ok=True)
    family = write_model(case, folder)
    difference = check_against_stock(family, folder)
    recording = record(family, folder, TOKENS, torch.float32, POSITIONS, case.last())
    layers, numbers = layer_entries(case, recording)
    numbers.tofile(folder / "reference.f32")
    scales = {layer.scale for layer in recording.layers.values()}
    assert len(scales) == 1 and np.isfinite(numbers).all()
    entry = {"name": name, "tokens": TOKENS, "positions": POSITIONS, "layers": layers, "score_scale": scales.pop(),
             **precision(family, folder, case.last())}
    print(f"{name}: {difference:.1e} from stock attention, |q| |k| up to {np.abs(numbers).max():.1f}, errors "
          f"{entry['float32_error']} {entry['bfloat16']['query_error']} {entry['bfloat16']['key_error']}", flush=True)
    return entry


def old_spelling(name, case):
    """Another config.json for the weights of another case; transformers must compute the same with it."""
    folder, twin = FOLDER / name, FOLDER / case.same_as
    folder.mkdir(exist_ok=True)
    values = case.rewrite(json.loads((twin / "config.json").read_text()))
    (folder / "config.json").write_text(json.dumps(values, indent=2) + "\n")
    new = CASES[case.same_as]
    with tempfile.TemporaryDirectory() as temporary:
        for source in (folder / "config.json", twin / "model.safetensors"):
            (pathlib.Path(temporary) / source.name).write_bytes(source.read_bytes())
        recording = record(getattr(transformers, new.family), temporary, TOKENS, torch.float32, POSITIONS, new.last())
    difference = np.abs(layer_entries(new, recording)[1] - np.fromfile(twin / "reference.f32", "<f4"))
    assert difference.max() < 1e-4, difference.max()
    print(f"{name}: as {case.same_as}", flush=True)
    return {"name": name, "same_as": case.same_as}


def measured_again(entry, case):
    return entry | precision(getattr(transformers, case.family), FOLDER / entry["name"], case.last())


def main():
    torch.set_num_threads(2)
    transformers.logging.set_verbosity_error()
    transformers.logging.disable_progress_bar()
    file = FOLDER / "families.json"
    only_precision = sys.argv[1:2] == ["--precision"]
    for name in sys.argv[1 + only_precision:] or CASES:
        case = CASES[name]
        entries = {e["name"]: e for e in json.loads(file.read_text())["cases"]} if file.exists() else {}
        if only_precision and case.same_as:
            continue
        if only_precision:
            entry = measured_again(entries[name], case)
            print(name, entry["float32_error"], entry["bfloat16"]["query_error"], entry["bfloat16"]["key_error"], flush=True)
        else:
            entry = (old_spelling if case.same_as else record_case)(name, case)
        entries[name] = entry | {key: entries[name][key] for key in KEPT if key in entries.get(name, {})}
        made_with = {module.__name__: module.__version__ for module in (transformers, torch, np, safetensors)}
        lines = ",\n".join(json.dumps(entries[name]) for name in CASES if name in entries)
        file.write_text(f'{{"made_with": {json.dumps(made_with)},\n"cases": [\n{lines}\n]}}\n')


if __name__ == "__main__":
    main()
