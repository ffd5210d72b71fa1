"""Resamples over examples: 95 % intervals beside the measured columns, bias-corrected estimates (method.md, Intervals)."""
import math

import numpy as np
from scipy import stats

from reference_pairs import Pairs
from reference_statistics import NAN, percentile, plain_mean


def draws(s, number, examples):
    """How often each example is drawn in resample `number`."""
    generator = Pairs(s["seed"], 0x62, number)
    times = [0] * examples
    for _ in range(examples):
        times[generator.below(examples)] += 1
    return times


def repeated(rows, times):
    """Every row of example e as often as it was drawn; each copy is an example of its own."""
    which, copy = [], []
    for i, e in enumerate(rows["e"]):
        which += [i] * times[e]
        copy += range(times[e])
    return {**{field: values[which] for field, values in rows.items()}, "copy": np.array(copy, int)}


def groups(s, examples):
    """The examples that a jackknife leaves out together."""
    count = min(s["jackknife_groups"], examples)
    return [range(first, examples, count) for first in range(count)]


def jackknifed(whole, without, s, examples):
    """Estimate without the leading bias, lower and upper end; without: the value without each group."""
    sizes = np.array([len(group) for group in groups(s, examples)], float)
    count, h, left = len(sizes), examples / sizes, np.array(without)
    if count < 2 or np.isnan(whole) or np.isnan(left).any():
        return NAN, NAN, NAN
    # Busing, Meijer and van der Leeden 1999, equation 7; squares around the whole
    estimate = count * whole - np.sum((1 - sizes / examples) * left)
    pseudo = h * whole - (h - 1) * left
    error = math.sqrt(np.sum((pseudo - whole) ** 2 / (h - 1)) / count)
    half = stats.t.ppf(0.975, count - 1) * error
    return float(estimate), float(estimate - half), float(estimate + half)


def kept_bins(rows, whole):
    """Without a group a bin stays what it is on the whole: missing or not, at its place."""
    for row, before in zip(rows, whole):
        row.update(tau=before["tau"], exact=before["exact"])
        if math.isnan(before["ap"]):
            row["ap"] = NAN
        elif math.isnan(row["ap"]):
            row.update(ap=before["ap"], cells=before["cells"])
    return rows


def add_intervals(tables, heads, s, cap, rows_of):
    """rows_of(n, head): its row of the table heads and its rows of profile for head number n, from these rows and its pairs."""
    measured = [c for c, v in tables["heads"][0].items() if isinstance(v, float)]
    examples = cap["examples"]
    jackknife = "jackknife" in (s["estimate"], s["interval"])
    if jackknife:
        resamples = [[int(e not in group) for e in range(examples)] for group in groups(s, examples)]
    else:
        resamples = [draws(s, number, examples) for number in range(s["bootstrap"])]
    samples, profiles = [], []  # [resample][head] -> row; -> rows
    for times in resamples:
        found = [rows_of(n, {**head, "query": repeated(head["query"], times), "key": repeated(head["key"], times)})
                 for n, head in enumerate(heads)]
        samples.append([row for row, _ in found])
        profiles.append([bin_row for _, rows in found for bin_row in rows])

    def estimate(row, column, values):
        """Puts what the resamples say of row[column], a plain value, into the row."""
        plain = row[column]
        if jackknife:
            corrected, low, high = jackknifed(plain, values, s, examples)
        else:
            corrected, low, high = NAN, percentile(values, 0.025), percentile(values, 0.975)
        if s["estimate"] == "jackknife":
            row[column], row[column + "_plain"] = corrected, plain
        if s["bootstrap"] or s["interval"] == "jackknife":
            missing = math.isnan(plain)
            row[column + "_low"], row[column + "_high"] = (NAN, NAN) if missing else (low, high)

    def mean_over(rows, column):
        return plain_mean([r[column] for r in rows if not math.isnan(r[column])])

    for table, key in (("layers", lambda r: r["layer"]), ("model", lambda r: 0)):
        for group in sorted({key(r) for r in tables["heads"]}):
            members = [n for n, r in enumerate(tables["heads"]) if key(r) == group]
            rows = [tables["heads"][n] for n in members]
            out = {"layer": group} if table == "layers" else {}
            for column in measured:
                out[column] = mean_over(rows, column)
                estimate(out, column, [mean_over([sample[n] for n in members], column) for sample in samples])
            tables[table].append(out)

    for n, row in enumerate(tables["heads"]):
        for column in measured:
            estimate(row, column, [sample[n][column] for sample in samples])
    for i, row in enumerate(tables["profile"]):
        estimate(row, "ap", [profile[i]["ap"] for profile in profiles])
    for out in tables["model"]:
        for column in measured:
            known = [r[column] for r in tables["heads"] if not math.isnan(r[column])]
            out[column + "_sd"] = float(np.std(known, ddof=1)) if len(known) > 1 else NAN
            out[column + "_se"] = out[column + "_sd"] / math.sqrt(len(known)) if len(known) > 1 else NAN
