"""Analysis of a capture by plastiscope-cli and by a NumPy / scikit-learn script, side by side in one run.

    python analysis_benchmark.py --cli build/release/bin/plastiscope-cli [--heads 100] [--rows 8000] [--head-dim 128]
                                 [--examples 500] [--threads 2] [--repeats 3] [--all-pairs] [--capture FILE.h5]
                                 [--json FILE] [--kernels build/release/bin/analysis_benchmark] [--against CLI]

Needs numpy, scipy, scikit-learn and h5py. A synthetic capture is written first (random positions, one key head a query
head, float16); both then read it from disk and compute the same: PCA with correlations, the {a, b} plane, the query
model, plasticity of rows / 50 bins with up to 256 key pairs each (or all), profile, map and diagnostics (Q/K accuracy,
skewness and kurtosis of every coordinate, content variance, scalar predictability). The peer is what a careful
user would write: scikit-learn's PCA with its own choice of solver, matrix products for everything, the pairs of a bin
all at once; its pairs come from NumPy's own generator. The two alternate; times are medians of the repeats, ratios
medians of the ratios of neighbouring runs. Processor time counts all threads, and hardly grows when other programs
compete for the cores.

With --against CLI also that plastiscope-cli with its defaults, to compare two versions.

With --kernels also the inner steps, one thread each and turn by turn: PCA with correlations of a head against
scikit-learn's (its own choice of solver, and the full SVD), the value of a key pair (mean, variance, 4 Phi(z)
Phi(-z)) against NumPy with SciPy's ndtr in blocks that fit the cache, for a list of pairs of 512 keys (one of eight,
drawn: gathered on both sides) and for all of them (matrix products on both sides), and 4 Phi(z) Phi(-z) alone.
"""
import argparse
import json
import os
import pathlib
import platform
import re
import resource
import statistics
import subprocess
import sys
import tempfile
import time

import h5py
import numpy as np
import scipy
import scipy.stats
import sklearn
from scipy.special import ndtr
from sklearn.decomposition import PCA
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis


def write_capture(path, args):
    window, bucket, draw = 131072, 8192, np.random.default_rng(0)
    text = h5py.string_dtype("utf-8")
    with h5py.File(path, "w") as f:
        f.attrs.update(format="plastiscope-capture", format_version=np.int64(1), program_version="benchmark",
                       created="2026-01-01T00:00:00Z", settings="{}", settings_hash="0" * 64)
        f.create_group("model").attrs.update(
            name="synthetic", architecture="llama", source="synthetic", fingerprint="0" * 64,
            layers=np.int64(args.heads), query_heads=np.int64(1), key_heads=np.int64(1),
            head_dim=np.int64(args.head_dim), rope=json.dumps(dict(rope_type="default", rope_theta=500000.0)), context_length=np.int64(window), config="{}")
        f.create_group("capture").attrs.update(
            window=np.int64(window), sampler="uniform", bucket_size=np.int64(bucket), rate=1.0, head_seed=np.int64(0),
            point="post-rope", compute_dtype="float32", device="cpu", score_scale=args.head_dim ** -0.5)
        f.create_dataset("examples/id", data=[str(i) for i in range(args.examples)], dtype=text)
        f.create_dataset("examples/seed_id", data=np.arange(args.examples, dtype=np.int64))
        f.create_dataset("examples/tokens", data=np.full(args.examples, window, np.int32))
        f.create_dataset("examples/sha256", data=["0" * 64] * args.examples, dtype=text)
        for layer in range(args.heads):
            g = f.create_group(f"layers/{layer:02d}")
            g.attrs.update(attention="full", window=np.int64(0), rope=np.uint8(1), query_scale=np.uint8(0))
            for kind in ("query", "key"):
                place = np.sort(draw.choice(window * args.examples, args.rows, replace=False, shuffle=False))
                example, position = (place // window).astype(np.int32), (place % window).astype(np.int32)
                drift = np.outer(position / window, draw.normal(size=args.head_dim))
                x = draw.normal(size=args.head_dim) + drift + draw.normal(size=(args.rows, args.head_dim))
                g.create_dataset(f"{kind}/position", data=position)
                g.create_dataset(f"{kind}/example", data=example)
                g.create_dataset(f"{kind}/bucket", data=position // bucket)
                g.create_dataset(f"{kind}/vectors/00", data=x.astype(np.float16))


# ------------------------------------------------------------------------------------------------ the peer
def correlations(x, t):
    xc, tc = x - x.mean(0), t - t.mean()
    return (tc @ xc) / (np.linalg.norm(tc) * np.linalg.norm(xc, axis=0))


def peer_pca(q, tq, k, tk):
    pca = PCA(n_components=10).fit(np.vstack([q, k]))
    v = pca.components_.T
    return v, pca.explained_variance_ratio_, correlations(q @ v, tq), correlations(k @ v, tk)


def peer_diagnostics(q, tq, k, components):
    """Diagnostics of the reflected queries, and of both kinds on the first two components."""
    both = np.vstack([q @ components, k @ components])
    label = np.r_[np.zeros(len(q)), np.ones(len(k))]
    accuracy = LinearDiscriminantAnalysis(priors=[0.5, 0.5]).fit(both, label).score(both, label)
    content = [np.median(np.abs(f(q[:, 1:], bias=False))) for f in (scipy.stats.skew, scipy.stats.kurtosis)]
    octave = np.log2(tq + 1)
    slope, level = np.polyfit(q[:, 0], octave, 1)
    error = np.mean(np.abs(octave - slope * q[:, 0] - level)) / np.mean(np.abs(octave - octave.mean()))
    return accuracy, content, error


def peer_rotation(q, tq, k, tk):
    x, t = np.vstack([q, k]), np.concatenate([tq, tk])
    xc, tc = x - x.mean(0), t - t.mean()
    c = tc @ xc / len(t)
    a = c / np.linalg.norm(c)
    gap = q.mean(0) - k.mean(0)
    qc, kc = q - q.mean(0), k - k.mean(0)
    diff = qc.T @ qc / len(q) + kc.T @ kc / len(k) + np.outer(gap, gap)
    b = gap - (gap @ a) * a
    b /= np.linalg.norm(b)
    p = np.eye(len(a)) - np.outer(a, a)
    e = np.linalg.eigh(p @ diff @ p)[1][:, -1]
    qa, ka = q @ a, k @ a
    slope_q, slope_k = np.polyfit(tq, qa, 1)[0], np.polyfit(tk, ka, 1)[0]
    total = np.mean(np.sum(xc * xc, 1))
    outside = xc - np.outer(xc @ a, a) - np.outer(xc @ b, b)
    u = np.linalg.eigh(outside.T @ outside / len(t))[1]
    return dict(bias=qa.mean() * slope_k, slopes=(slope_q, slope_k), separation=b @ diff @ b / np.trace(diff),
                eigenvector=e @ diff @ e / np.trace(diff), share=(np.var(xc @ a) + np.var(xc @ b)) / total,
                residual=np.max(np.abs(u[:, 2:].T @ c)))


def peer_plasticity(q, tq, k, tk, ek, frame, wanted, draw):
    window, cell, bins = frame
    tc = tq - tq.mean()
    beta = tc @ (q - q.mean(0)) / (tc @ tc)
    alpha, norm = q.mean(0) - beta * tq.mean(), np.linalg.norm(beta)
    u = beta / norm
    u[0] -= 1
    alpha_pos = alpha @ beta / norm
    q, k = q - np.outer(q @ u, 2 * u / (u @ u)), k - np.outer(k @ u, 2 * u / (u @ u))
    sigma = np.sum((q[:, 0] - alpha_pos - norm * tq) ** 2) / (len(q) - 2)
    order = np.lexsort((tk, ek))
    k, tk, ek = k[order], tk[order], ek[order]
    starts = np.flatnonzero(np.r_[True, ek[1:] != ek[:-1]])
    ends = np.r_[starts[1:], len(ek)]
    by_bin = (tq * bins // window).astype(int)
    side = window // cell + 1
    sums, counts, profile, content = np.zeros(side * side), np.zeros(side * side), np.full(bins, np.nan), 0.0
    for b in range(bins):
        rows = q[by_bin == b]
        start, tau = b * window / bins, (b + 0.5) * window / bins
        index = np.flatnonzero(tk < start)
        last = np.repeat(starts + np.add.reduceat(tk < start, starts), ends - starts)
        partners = np.zeros(len(tk), np.int64)  # pairs of which this key is the first
        partners[index] = last[index] - index - 1
        after = np.cumsum(partners)
        pairs = int(after[-1])
        if len(rows) < 20 or pairs < 32:
            continue
        take = min(wanted or pairs, pairs)
        rank = np.arange(pairs) if take == pairs else np.sort(draw.choice(pairs, take, replace=False, shuffle=False))
        i = np.searchsorted(after, rank, side="right")
        j = i + 1 + rank - (after[i] - partners[i])
        weight, spread = rows.mean(0), rows.var(0, ddof=1)
        weight[0], spread[0] = alpha_pos + norm * tau, sigma
        values = np.empty(take)
        for part in range(0, take, 4096):  # blocks that fit the cache
            delta = k[i[part:part + 4096]] - k[j[part:part + 4096]]
            squares = delta * delta
            z = delta @ weight / np.sqrt(squares @ spread)
            content += np.sum(squares[:, 1:] @ spread[1:])
            values[part:part + 4096] = 4 * ndtr(z) * ndtr(-z)
        profile[b] = values.mean()
        place = (np.abs(tk[i] - tk[j]) // cell * side + (tau - (tk[i] + tk[j]) / 2) // cell).astype(int)
        sums += np.bincount(place, values, side * side)
        counts += np.bincount(place, minlength=side * side)
    return profile, sums, counts, content / max(1, counts.sum()), q, k


def peer(path, wanted):
    draw, profiles = np.random.default_rng(0), []
    with h5py.File(path) as f:
        layers = f["layers"]
        window, cell = int(f["capture"].attrs["window"]), int(f["capture"].attrs["bucket_size"])
        rows = [len(layers[name]["query/position"]) for name in layers]
        frame = window, cell, max(16, int(np.mean(rows) / 50 + 0.5))
        for name in layers:
            q, k = (layers[name][f"{kind}/vectors/00"][:].astype(np.float64) for kind in ("query", "key"))
            tq, tk = (layers[name][f"{kind}/position"][:].astype(np.float64) for kind in ("query", "key"))
            components = peer_pca(q, tq, k, tk)[0][:, :2]
            peer_rotation(q, tq, k, tk)
            profile, *_, reflected, keys = peer_plasticity(q, tq, k, tk, layers[name]["key/example"][:], frame, wanted,
                                                           draw)
            peer_diagnostics(reflected, tq, keys, components)
            profiles.append(profile)
    print(float(np.nanmean(profiles)))


# ------------------------------------------------------------------------------------------------ measuring
def timed(command, environment):
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    done = subprocess.run(command, env=environment, capture_output=True, text=True)
    wall, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode != 0:
        sys.exit(f"{command[0]}: {done.stderr.strip()}")
    return dict(wall=wall, processor=after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime,
                out=done.stdout.strip())


def mean_profile(analysis):
    with h5py.File(analysis) as f:
        return float(np.nanmean(f["tables/profile/ap"][:]))


def compare(name, args, capture, folder, pairs):
    environment = dict(os.environ)
    for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        environment[variable] = str(args.threads)
    analysis = folder / "analysis.h5"
    ours = [args.cli, "analyze", str(capture), "--out", str(analysis), "--fresh", "--pairs", pairs, "--threads",
            str(args.threads), "--progress", "none"]
    theirs = [sys.executable, __file__, "--peer", str(capture), "--pairs", pairs]
    runs = [(timed(ours, environment), timed(theirs, environment)) for _ in range(args.repeats)]
    result = dict(name=name, mean_ap=dict(plastiscope=mean_profile(analysis), numpy=float(runs[-1][1]["out"])),
                  runs=[[dict(wall=one["wall"], processor=one["processor"]) for one in pair] for pair in runs])
    for what in ("wall", "processor"):
        result[what] = dict(plastiscope=statistics.median(a[what] for a, _ in runs),
                            numpy=statistics.median(b[what] for _, b in runs),
                            ratio=statistics.median(b[what] / a[what] for a, b in runs))
        print(f"{name}  {what:9}  plastiscope {result[what]['plastiscope']:7.2f} s   numpy "
              f"{result[what]['numpy']:7.2f} s   ratio {result[what]['ratio']:6.2f}{goal_of(name)}", flush=True)
    print(f"{name}  mean AP    plastiscope {result['mean_ap']['plastiscope']:.6f}     numpy "
          f"{result['mean_ap']['numpy']:.6f}", flush=True)
    return result


def compare_versions(args, capture, folder):
    """Ratio of processor and wall time of the defaults, this version over the other, alternating."""
    def command(cli, name):
        return [cli, "analyze", str(capture), "--out", str(folder / name), "--fresh", "--threads", str(args.threads), "--progress", "none"]
    runs = [(timed(command(args.cli, "this.h5"), os.environ), timed(command(args.against, "other.h5"), os.environ))
            for _ in range(args.repeats)]
    for what in ("wall", "processor"):
        print(f"versions   {what:9}  this {statistics.median(a[what] for a, _ in runs):7.2f} s   other "
              f"{statistics.median(b[what] for _, b in runs):7.2f} s   this / other "
              f"{statistics.median(a[what] / b[what] for a, b in runs):5.2f}", flush=True)
    return dict(name="versions", runs=[[dict(wall=one["wall"], processor=one["processor"]) for one in pair] for pair in runs])


def peer_steps(args):
    """Seconds of processor time: a head's PCA by two solvers, a key pair in two ways, and a PP alone."""
    draw = np.random.default_rng(1)
    q, k = (draw.normal(size=(args.rows, args.head_dim)) + np.linspace(0, 1, args.rows)[:, None] for _ in range(2))
    t = np.sort(draw.integers(0, 131072, args.rows)).astype(float)

    def seconds(work, repeats):
        start = time.process_time()
        for _ in range(repeats):
            work()
        return (time.process_time() - start) / repeats

    def pca(solver):
        components = PCA(n_components=10, svd_solver=solver).fit(np.vstack([q, k])).components_.T
        correlations(q @ components, t), correlations(k @ components, t)

    i, j = np.triu_indices(512, 1)
    z = 20 * draw.normal(size=len(i)) / np.sqrt(2)
    drawn = draw.random(len(i)) < 1 / 8
    i, j = i[drawn], j[drawn]
    weight, spread = np.full(args.head_dim, 0.1), np.full(args.head_dim, 0.1)

    def pairs():
        for part in range(0, len(i), 4096):
            delta = k[i[part:part + 4096]] - k[j[part:part + 4096]]
            z = delta @ weight / np.sqrt((delta * delta) @ spread)
            4 * ndtr(z) * ndtr(-z)

    def all_pairs():
        x = k[:512]
        weighted, score = x * spread, x @ weight
        norm = (weighted * x).sum(1)
        for a in range(0, 512, 64):  # the pairs of 64 keys with themselves and all later ones
            rows = slice(a, a + 64)
            v = norm[rows, None] + norm[a:] - 2 * weighted[rows] @ x[a:].T
            np.fill_diagonal(v, 1)
            z = (score[rows, None] - score[a:]) / np.sqrt(v)
            4 * ndtr(z) * ndtr(-z)

    return {"PCA, solver auto": seconds(lambda: pca("auto"), 5), "PCA, full SVD": seconds(lambda: pca("full"), 1),
            "gathered pairs": seconds(pairs, 10) / len(i), "all pairs of 512 keys": seconds(all_pairs, 10) / len(z),
            "PP alone": seconds(lambda: 4 * ndtr(z) * ndtr(-z), 5) / len(z)}


# Goals, as ratios.
GOALS = {"256 pairs": 14, "PCA, solver auto": 2, "PCA, full SVD": 20, "gathered pairs": 30}


def goal_of(name):
    return f"   goal {GOALS[name]}" if name in GOALS else ""


# Lines of the C++ benchmark and the corresponding steps of the peer.
OWN_LINES = {"PCA, solver auto": (r"^PCA +([\d.]+) ms", 1e3), "PCA, full SVD": (r"^PCA +([\d.]+) ms", 1e3),
             "gathered pairs": (r"^pair statistic, one pair of eight +([\d.]+) ns", 1e9),
             "all pairs of 512 keys": (r"^pair statistic, all pairs +([\d.]+) ns", 1e9),
             "PP alone": (r"^PP, vectorised +([\d.]+) ns", 1e9)}


def compare_steps(args):
    one = dict(os.environ, OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1", MKL_NUM_THREADS="1")
    shape = [str(args.rows), str(args.head_dim)]
    ours, theirs = [], []
    for _ in range(args.repeats):
        out = timed([args.kernels, "4", *shape, "1"], one)["out"]
        ours.append({name: float(re.search(line, out, re.M)[1]) / scale for name, (line, scale) in OWN_LINES.items()})
        theirs.append(json.loads(timed([sys.executable, __file__, "--peer-steps", "--rows", shape[0], "--head-dim",
                                        shape[1]], one)["out"]))
    for name, (_, scale) in OWN_LINES.items():
        unit = "ns" if scale == 1e9 else "ms"
        ratio = statistics.median(b[name] / a[name] for a, b in zip(ours, theirs))
        print(f"{name:22} plastiscope {statistics.median(a[name] for a in ours) * scale:8.2f} {unit}   numpy "
              f"{statistics.median(b[name] for b in theirs) * scale:8.2f} {unit}   ratio {ratio:6.2f}{goal_of(name)}", flush=True)
    return [dict(plastiscope=a, numpy=b) for a, b in zip(ours, theirs)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cli")
    for name, value in (("heads", 100), ("rows", 8000), ("head-dim", 128), ("examples", 500), ("threads", 2),
                        ("repeats", 3)):
        parser.add_argument(f"--{name}", type=int, default=value)
    parser.add_argument("--capture", help="use this capture, or write it here, instead of a temporary one")
    parser.add_argument("--all-pairs", action="store_true", help="also with every pair")
    parser.add_argument("--json", help="write every repetition here")
    parser.add_argument("--kernels", help="the program analysis_benchmark: also compare the inner steps")
    parser.add_argument("--against", help="another plastiscope-cli to time beside this one, instead of the NumPy script")
    parser.add_argument("--peer", help=argparse.SUPPRESS)
    parser.add_argument("--peer-steps", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--pairs", default="256", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.peer:
        return peer(args.peer, 0 if args.pairs == "all" else int(args.pairs))
    if args.peer_steps:
        return print(json.dumps(peer_steps(args)))
    if not args.cli:
        parser.error("--cli is required")
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        capture = pathlib.Path(args.capture) if args.capture else folder / "capture.h5"
        if not capture.exists():
            write_capture(capture, args)
        print(f"{args.heads} heads, {args.rows} + {args.rows} rows of {args.head_dim}, {args.threads} threads; Python "
              f"{platform.python_version()}, NumPy {np.__version__}, SciPy {scipy.__version__}, scikit-learn "
              f"{sklearn.__version__}", flush=True)
        results = [compare_versions(args, capture, folder) if args.against else compare("256 pairs", args, capture, folder, "256")]
        if args.all_pairs:
            results.append(compare("all pairs", args, capture, folder, "all"))
        if args.kernels:
            results.append(dict(name="steps", runs=compare_steps(args)))
    if args.json:
        pathlib.Path(args.json).write_text(json.dumps(results, indent=1))


if __name__ == "__main__":
    main()
