"""What SciPy and NumPy find in small samples and in the shipped reference tables: the expected values of tests/compare.
Made with Python 3.11; the versions of NumPy and SciPy that made the committed file are in it. Run in this folder:
python make_correlations.py
"""
import csv
import itertools
import json
import math
import os

import numpy as np
import scipy
from scipy import stats

HERE = os.path.dirname(os.path.abspath(__file__))
REFERENCE = os.path.join(HERE, "..", "..", "..", "resources", "reference")


def table(name):
    with open(os.path.join(REFERENCE, name + ".csv"), newline="") as f:
        return list(csv.DictReader(f))


def exact_p(x, y):
    observed = abs(np.corrcoef(x, y)[0, 1])
    every = [abs(np.corrcoef(x, np.array(y)[list(order)])[0, 1]) for order in itertools.permutations(range(len(y)))]
    return sum(r >= observed - 1e-12 for r in every) / len(every)


def describe(x, y):
    x, y = np.array(x, float), np.array(y, float)
    n = len(x)
    r = stats.pearsonr(x, y)
    line = stats.linregress(x, y)
    result = {"n": n, "pearson": r.statistic, "spearman": stats.spearmanr(x, y).statistic, "slope": line.slope,
              "intercept": line.intercept,
              "leave_one_out": [stats.pearsonr(np.delete(x, i), np.delete(y, i)).statistic for i in range(n)]
              if n > 3 else []}
    if n > 3:
        half = 1.959964 / math.sqrt(n - 3)
        result["low"], result["high"] = np.tanh(np.arctanh(r.statistic) + np.array([-half, half])).tolist()
    if n <= 8:
        result["p"] = exact_p(x, y)
    else:
        rng = np.random.default_rng(0)
        test = stats.permutation_test((x, y), lambda a, b: abs(np.corrcoef(a, b)[0, 1]), permutation_type="pairings",
                                      alternative="greater", n_resamples=100000, rng=rng)
        result["p_sampled"] = float(test.pvalue)
    rng, slopes = np.random.default_rng(1), []
    for _ in range(20000):
        drawn = rng.integers(n, size=n)
        if np.ptp(x[drawn]) > 0:
            slopes.append(np.cov(x[drawn], y[drawn], ddof=0)[0, 1] / np.var(x[drawn]))
    result["slope_low"], result["slope_high"] = np.percentile(slopes, [2.5, 97.5]).tolist()
    return {key: value.tolist() if hasattr(value, "tolist") else value for key, value in result.items()}


def samples():
    rng = np.random.default_rng(5)
    x12 = rng.normal(size=12)
    return {"ties": ([1, 2, 2, 3, 3, 3], [4.0, 1.0, 1.0, 7.5, 2.0, 9.0]),
            "three": ([0.1, 0.5, 0.3], [2.0, 1.0, 4.0]),
            "twelve": (x12.tolist(), (0.6 * x12 + rng.normal(size=12)).tolist()),
            "eight": (np.arange(8).tolist(), [3, 1, 4, 1, 5, 9, 2, 6])}


def matched():
    score = {r["model"]: float(r["score"]) for r in table("longbench_pro_overall") if r["in_matched_set"] == "1"}
    ap = {r["model"]: r for r in table("plasticity_models")}
    rotation = {r["model"]: r for r in table("rotation_models")}
    models = sorted(score)
    columns = {"ap_drop": [float(ap[m]["ap_first20"]) - float(ap[m]["ap_last20"]) for m in models]}
    for name in ("ap_overall", "ap_first20", "ap_last20"):
        columns[name] = [float(ap[m][name]) for m in models]
    for name in ("bias_strength", "plane_var_fraction"):
        columns[name] = [float(rotation[m][name]) for m in models]
    return {name: describe(values, [score[m] for m in models]) for name, values in columns.items()}


def checkpoints():
    rows = table("smollm3_checkpoints")
    drop = [float(r["ap_first20"]) - float(r["ap_last20"]) for r in rows]
    bias = [float(r["bias_strength"]) for r in rows]
    window = [float(r["window"]) for r in rows]
    return {"bias_strength": stats.pearsonr(drop, bias).statistic,
            "bias_window": stats.pearsonr(drop, np.array(bias) * window).statistic}


def by_length():
    bins = {(r["model"], int(r["position_to"])): float(r["ap"]) for r in table("plasticity_length_bins")}
    points = [(bins[r["model"], int(r["length"])], float(r["score"])) for r in table("longbench_pro_lengths")
              if (r["model"], int(r["length"])) in bins]
    ruler = [(float(r["plasticity"]), float(r["score"])) for r in table("ruler")
             if r["model"] == "llama3.1-8b" and r["plasticity"]]
    return {"ministral3-14b": describe(*zip(*points)), "llama3.1-8b": describe(*zip(*ruler))}


def counter_example():
    drop = {r["model"]: float(r["ap_first20"]) - float(r["ap_last20"]) for r in table("plasticity_models")}
    drop.update({r["checkpoint"]: float(r["ap_first20"]) - float(r["ap_last20"]) for r in table("smollm3_checkpoints")})
    capture = {r["benchmark_model"]: r["model"] for r in table("benchmark_matches")}
    out = {}
    for length in ("32768", "65536", "131072"):
        rows = [r for r in table("ruler") if r["suite"] == "smollm3_card_base" and r["length"] == length]
        pairs = [(drop[capture.get(r["model"], r["model"])], float(r["score"])) for r in rows
                 if capture.get(r["model"], r["model"]) in drop]
        out[length] = describe(*zip(*pairs))
    return out


if __name__ == "__main__":
    result = {"numpy": np.__version__, "scipy": scipy.__version__,
              "samples": {name: {"x": list(map(float, x)), "y": list(map(float, y)), "expected": describe(x, y)}
                          for name, (x, y) in samples().items()},
              "matched": matched(), "checkpoints": checkpoints(), "by_length": by_length(),
              "counter_example": counter_example()}
    with open(os.path.join(HERE, "correlations.json"), "w") as f:
        json.dump(result, f, indent=1)
        f.write("\n")
