"""The analysis of synthetic heads by our program and by a vectorised NumPy/scikit-learn script, in one run.

    python analysis_benchmark.py --program build/release/bin/analysis_benchmark [--heads 100] [--rows 8000]
                                 [--head-dim 128] [--threads 2] [--peer-heads 10]

The peer does the same work per head: PCA (scikit-learn), moments, {a, b} axes and slopes, and 256 key pairs in each of
rows / 50 query bins through SciPy's normal CDF, all in float64 and vectorised over the pairs of a bin. It runs on
--peer-heads heads, and its time is scaled to --heads.
"""
import argparse
import subprocess
import time

import numpy as np
import scipy
import sklearn
from scipy.special import ndtr
from sklearn.decomposition import PCA


def make_head(rng, rows, d, window, examples):
    out = []
    for _ in range(2):
        t = np.sort(rng.integers(0, window, rows)).astype(float)
        e = rng.integers(0, examples, rows)
        x = rng.normal(size=d) * 2 + rng.normal(size=d) * (t / window)[:, None] + rng.normal(size=(rows, d))
        out.append((x, t, e))
    return out


def same_example_pairs(rng, e, count):
    """`count` random pairs of rows of one example, without listing all pairs."""
    order = np.argsort(e, kind="stable")
    sizes = np.bincount(e)
    first = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    chosen = rng.choice(len(sizes), size=count, p=sizes * (sizes - 1) / np.sum(sizes * (sizes - 1.0)))
    i = (rng.random(count) * sizes[chosen]).astype(int)
    j = (rng.random(count) * (sizes[chosen] - 1)).astype(int)
    return order[first[chosen] + i], order[first[chosen] + j + (j >= i)]


def analyze(rng, query, key, window, bins, pairs):
    (xq, tq, _), (xk, tk, ek) = query, key
    x, t = np.vstack([xq, xk]), np.concatenate([tq, tk])
    pca = PCA(n_components=10).fit(x)
    scores = pca.transform(x)
    [np.corrcoef(scores[: len(tq), j], tq)[0, 1] for j in range(10)]
    [np.corrcoef(scores[len(tq):, j], tk)[0, 1] for j in range(10)]
    c = (x - x.mean(0)).T @ (t - t.mean())
    a = c / np.linalg.norm(c)
    dmu = xq.mean(0) - xk.mean(0)
    b = dmu - (dmu @ a) * a
    b /= np.linalg.norm(b)
    diff = np.cov(xq.T, ddof=0) + np.cov(xk.T, ddof=0) + np.outer(dmu, dmu)
    (b @ diff @ b) / np.trace(diff), np.polyfit(tq, xq @ a, 1), np.polyfit(tk, xk @ a, 1)
    dt = tq - tq.mean()
    beta = dt @ (xq - xq.mean(0)) / (dt @ dt)
    u = beta / np.linalg.norm(beta)
    u[0] -= 1
    reflect = lambda rows: rows - 2 * np.outer(rows @ u, u) / (u @ u)
    yq, yk = reflect(xq), reflect(xk)
    beta_pos, alpha_pos = np.linalg.norm(beta), yq[:, 0].mean() - np.linalg.norm(beta) * tq.mean()
    sigma2 = np.sum((yq[:, 0] - alpha_pos - beta_pos * tq) ** 2) / (len(tq) - 2)
    index = np.floor(tq * bins / window).astype(int)
    profile = np.full(bins, np.nan)
    for n in range(1, bins):
        rows = yq[index == n]
        eligible = np.flatnonzero(tk < n * window / bins)
        if len(rows) < 20 or len(eligible) < 50:
            continue
        i, j = same_example_pairs(rng, ek[eligible], pairs)
        delta = yk[eligible[i]] - yk[eligible[j]]
        mu, var = rows[:, 1:].mean(0), rows[:, 1:].var(0, ddof=1)
        m = delta[:, 0] * (alpha_pos + beta_pos * (n + 0.5) * window / bins) + delta[:, 1:] @ mu
        z = m / np.sqrt(delta[:, 0] ** 2 * sigma2 + delta[:, 1:] ** 2 @ var)
        profile[n] = np.mean(4 * ndtr(z) * ndtr(-z))
    return profile


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True)
    for name, value in (("heads", 100), ("rows", 8000), ("head-dim", 128), ("threads", 2), ("peer-heads", 10)):
        parser.add_argument(f"--{name}", type=int, default=value)
    o = parser.parse_args()
    rng = np.random.default_rng(1)
    heads = [make_head(rng, o.rows, o.head_dim, 131072, 500) for _ in range(o.peer_heads)]
    start = time.perf_counter()
    for query, key in heads:
        analyze(rng, query, key, 131072, o.rows // 50, 256)
    peer = (time.perf_counter() - start) * o.heads / o.peer_heads
    print(f"NumPy {np.__version__}, SciPy {scipy.__version__}, scikit-learn {sklearn.__version__}: "
          f"{peer:.1f} s for {o.heads} heads (scaled from {o.peer_heads})", flush=True)
    subprocess.run([o.program, str(o.heads), str(o.rows), str(o.head_dim), str(o.threads)], check=True)


if __name__ == "__main__":
    main()
