"""The bootstrap over examples: 95 % intervals beside the measured columns (method 6)."""
import math

import numpy as np

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


def add_intervals(tables, heads, s, cap, rows_of):
    """rows_of(n, head): its row of the table heads and its rows of profile for head number n, from these rows and its pairs."""
    measured = [c for c, v in tables["heads"][0].items() if isinstance(v, float)]
    samples, profiles = [], []  # [resample][head] -> row; -> rows
    for number in range(s["bootstrap"]):
        times = draws(s, number, cap["examples"])
        found = [rows_of(n, {**head, "query": repeated(head["query"], times), "key": repeated(head["key"], times)})
                 for n, head in enumerate(heads)]
        samples.append([row for row, _ in found])
        profiles.append([bin_row for _, rows in found for bin_row in rows])

    def interval(row, column, value, values):
        for suffix, share in (("low", 0.025), ("high", 0.975)):
            row[f"{column}_{suffix}"] = NAN if math.isnan(value) else percentile(values, share)

    for n, row in enumerate(tables["heads"]):
        for column in measured:
            interval(row, column, row[column], [sample[n][column] for sample in samples])

    for i, row in enumerate(tables["profile"]):
        interval(row, "ap", row["ap"], [profile[i]["ap"] for profile in profiles])

    def mean_over(rows, column):
        return plain_mean([r[column] for r in rows if not math.isnan(r[column])])

    for table, key in (("layers", lambda r: r["layer"]), ("model", lambda r: 0)):
        for group in sorted({key(r) for r in tables["heads"]}):
            members = [n for n, r in enumerate(tables["heads"]) if key(r) == group]
            rows = [tables["heads"][n] for n in members]
            out = {"layer": group} if table == "layers" else {}
            for column in measured:
                out[column] = mean_over(rows, column)
                interval(out, column, out[column], [mean_over([sample[n] for n in members], column) for sample in samples])
                if table == "model":
                    known = [r[column] for r in rows if not math.isnan(r[column])]
                    out[column + "_sd"] = float(np.std(known, ddof=1)) if len(known) > 1 else NAN
                    out[column + "_se"] = out[column + "_sd"] / math.sqrt(len(known)) if len(known) > 1 else NAN
            tables[table].append(out)
