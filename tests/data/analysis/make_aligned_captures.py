"""Small captures whose rows a known RoPE has turned, and what reference_aligned.py and reference_placement.py find in them.

Rows are seeded random numbers: a mean, an effect of the text, a drift with position, and noise, turned by R(t) as
reference_rope.py has it. Python, NumPy, SciPy and h5py as in versions.json. Run in this folder: python make_aligned_captures.py [RUN ...]
"""
import hashlib
import json
import os
import sys

import h5py
import numpy as np

import reference_aligned
import reference_placement
from make_captures import HERE, write_table
from reference_rope import Turning, kind_of, temperature_rule

FEW = dict(min_queries=8, min_pairs=10)
SIZES = dict(hidden_size=32, intermediate_size=64, vocab_size=64, num_key_value_heads=1)
CAPTURES = {
    # the first 8 of 12 dimensions turn, in halves
    "partial": dict(
        architecture="stablelm", L=1024, B=64, d=12, query_heads=2, key_heads=1, share=0.12,
        lengths=[1024, 1000, 1024, 900, 700, 1024, 500, 260], layers=[dict(attention="full")],
        rope=dict(rope_type="default", rope_theta=10000.0, rotary_dim=8, max_position_embeddings=1024)),
    # YaRN far beyond the original length, and Ministral 3's temperature, which steps within every bin
    "yarn": dict(
        architecture="ministral3", L=2048, B=128, d=16, query_heads=2, key_heads=1, share=0.06,
        lengths=[2048, 1500, 2048, 1900, 1024, 2048, 1300], layers=[dict(attention="full", query_scale=1)],
        rope=dict(rope_type="yarn", rope_theta=10000.0, rotary_dim=16, factor=32.0, original_max_position_embeddings=60,
                  beta_fast=4.0, beta_slow=1.0, truncate=True, mscale=1.0, mscale_all_dim=1.0, max_position_embeddings=2048),
        config=dict(model_type="ministral3", **SIZES, num_hidden_layers=1, num_attention_heads=2, head_dim=16, max_position_embeddings=2048,
                    rope_parameters=dict(rope_type="yarn", rope_theta=10000.0, factor=32.0, beta_fast=4.0, beta_slow=1.0, mscale=1.0,
                                         mscale_all_dim=1.0, llama_4_scaling_beta=0.5, original_max_position_embeddings=60))),
    # neighbouring pairs; a sliding layer and a full one with bases of their own, and one without RoPE
    "neighbours": dict(
        architecture="cohere2", L=1024, B=128, d=8, query_heads=2, key_heads=1, share=0.13,
        lengths=[1024, 1024, 640, 900, 1024, 420],
        layers=[dict(attention="sliding", window=500), dict(attention="full"), dict(attention="full", rope=0)],
        rope=dict(
            sliding_attention=dict(rope_type="default", rope_theta=10000.0, rotary_dim=8, interleaved=True, max_position_embeddings=1024),
            full_attention=dict(rope_type="default", rope_theta=500000.0, rotary_dim=8, interleaved=True, max_position_embeddings=1024))),
    # frequencies of the text's length: dynamic and longrope; Llama 4's temperature in a layer without RoPE
    "lengths": dict(
        architecture="llama4", L=1024, B=128, d=8, query_heads=1, key_heads=1, share=0.13,
        lengths=[1024, 1024, 640, 900, 1024, 420],
        layers=[dict(attention="sliding", window=800), dict(attention="full"), dict(attention="full", rope=0, query_scale=1)],
        rope=dict(
            sliding_attention=dict(rope_type="dynamic", rope_theta=10000.0, rotary_dim=8, factor=2.0, max_position_embeddings=512),
            full_attention=dict(rope_type="longrope", rope_theta=10000.0, rotary_dim=8, factor=4.0, original_max_position_embeddings=900,
                                short_factor=[1.0, 1.0, 1.5, 2.0], long_factor=[1.0, 2.0, 3.0, 5.0], max_position_embeddings=4096)),
        config=dict(model_type="llama4_text", **SIZES, num_hidden_layers=3, num_attention_heads=1, head_dim=8, max_position_embeddings=4096,
                    attn_temperature_tuning=True, attn_scale=0.6, floor_scale=50, no_rope_layers=[1, 1, 0])),
}
RUNS = {
    "partial": {"all": dict(bins=16, pairs="all", placement="on", salience="on", **FEW),
                "groups": dict(bins=10, pairs=150, seed=7, jackknife_groups=3, **FEW)},
    "yarn": {"sampled": dict(bins=16, pairs=200, seed=2, placement="on", salience="on", **FEW),
             "gaussian": dict(bins=16, pairs=300, aligned_estimator="gaussian", placement="on", salience="on", **FEW)},
    "neighbours": {"all": dict(bins=8, pairs="all", placement="on", salience="on", **FEW)},
    "lengths": {"gaussian": dict(bins=8, pairs="all", aligned_estimator="gaussian", placement="on", **FEW)},
    "example": {"": dict(heads="L16H4", bins=16, pairs="all")},
}


def magnitude(rope):
    """The factor of a rotation whose kind has one; the vectors of a capture contain it."""
    if kind_of(rope) == "yarn" and not (rope.get("mscale") and rope.get("mscale_all_dim")):
        return 0.1 * np.log(rope["factor"]) + 1
    if kind_of(rope) == "longrope":
        return np.sqrt(1 + np.log(rope["factor"]) / np.log(rope["original_max_position_embeddings"]))
    return 1.0


def write_capture(path, rng, architecture, L, B, d, query_heads, key_heads, share, lengths, layers, rope, config={}):
    text = h5py.string_dtype("utf-8")
    with h5py.File(path, "w", track_order=False) as f:
        f.attrs.update(format="plastiscope-capture", format_version=np.int64(1), program_version="reference",
                       created="2026-01-01T00:00:00Z", settings="{}", settings_hash="0" * 64)
        f.create_group("model").attrs.update(
            name="random", architecture=architecture, source="random", fingerprint="0" * 64, layers=np.int64(len(layers)),
            query_heads=np.int64(query_heads), key_heads=np.int64(key_heads), head_dim=np.int64(d), rope=json.dumps(rope),
            context_length=np.int64(L), config=json.dumps(config))
        f.create_group("capture").attrs.update(
            window=np.int64(L), sampler="uniform", bucket_size=np.int64(B), rate=float(share * B), head_seed=np.int64(0),
            point="post-rope", compute_dtype="float32", device="cpu", score_scale=float(d) ** -0.5)
        ids = [f"text-{e}" for e in range(len(lengths))]
        f.create_dataset("examples/id", data=ids, dtype=text)
        f.create_dataset("examples/seed_id", data=np.arange(len(lengths), dtype=np.int64))
        f.create_dataset("examples/tokens", data=np.array(lengths, np.int32))
        f.create_dataset("examples/sha256", data=[hashlib.sha256(i.encode()).hexdigest() for i in ids], dtype=text)
        for number, layer in enumerate(layers):
            turns, scaled = layer.get("rope", 1), layer.get("query_scale", 0)
            own = rope.get(layer["attention"] + "_attention", rope)
            turning = Turning(own if turns else None, bool(own.get("interleaved")),
                              temperature_rule(architecture, config, own) if scaled else None, d, L, lengths, L)
            g = f.create_group(f"layers/{number:02d}")
            g.attrs.update(attention=layer["attention"], window=np.int64(layer.get("window", 0)), rope=np.uint8(turns),
                           query_scale=np.uint8(scaled))
            for kind, heads in (("query", query_heads), ("key", key_heads)):
                chosen = [np.flatnonzero(rng.random(n) < share) for n in lengths]
                t, e = np.concatenate(chosen), np.repeat(np.arange(len(lengths)), [len(c) for c in chosen])
                g.create_dataset(f"{kind}/position", data=t.astype(np.int32))
                g.create_dataset(f"{kind}/example", data=e.astype(np.int32))
                g.create_dataset(f"{kind}/bucket", data=(t // B).astype(np.int32))
                for h in range(heads):
                    spread = np.exp(rng.normal(size=d) * 0.4)
                    x = rng.normal(size=d) * 0.8 + rng.normal(size=(len(lengths), d))[e] * 0.3 * spread
                    x = x + rng.normal(size=d) * 0.6 * (t / L)[:, None] + rng.normal(size=(len(t), d)) * 0.7 * spread
                    x = turning.R(x, t, e) * (magnitude(own) if turns else 1)
                    if kind == "query":
                        x = x * turning.f(t)[:, None]
                    g.create_dataset(f"{kind}/vectors/{h:02d}", data=x.astype(np.float32))


def main(only):
    for number, (name, runs) in enumerate(RUNS.items()):
        runs = {f"aligned-{name}" + (run and "-" + run): settings for run, settings in runs.items()}
        if only and not set(runs) & set(only):
            continue
        file = f"aligned-{name}.h5"
        if name in CAPTURES:
            write_capture(os.path.join(HERE, file), np.random.default_rng(500 + number), **CAPTURES[name])
        else:
            file = reference_aligned.EXAMPLE
        capture = reference_aligned.read_capture(os.path.join(HERE, file))
        for run, settings in runs.items():
            if only and run not in only:
                continue
            folder = os.path.join(HERE, run)
            os.makedirs(folder, exist_ok=True)
            with open(os.path.join(folder, "settings.json"), "w") as f:
                json.dump({"capture": file, "settings": settings}, f)
            for table, rows in reference_aligned.analyze(capture, reference_placement.both, **settings).items():
                if rows and (name in CAPTURES or table in ("heads", "profile_aligned", "jackknife")):
                    write_table(folder, table, rows)
            print(run)


if __name__ == "__main__":
    main(sys.argv[1:])
