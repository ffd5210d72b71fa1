"""Summaries of the table heads, from its rows alone: key groups, classes, depth, facets, layers, model, bump, and the map of
the model from the table map (method.md; metrics.md).
"""
import math
import statistics

import numpy as np

from reference_statistics import NAN

METRICS = ("bias_strength", "ap_overall", "ap_drop", "plane_var_fraction", "alpha_q", "mu_q_a", "r_q_a")
# Real-valued columns of heads.csv, in its order.
MEASURED = ("pc0_variance r_q r_k lin_frac_q lin_frac_k mu_q_a mu_k_a mu_q_b mu_k_b alpha_q alpha_k bias_strength bias_window "
            "bias_logit r_q_a r_k_a position_r slope_ratio separation_strength separation_strength_centroid "
            "separation_strength_eigenvector var_frac_a var_frac_b plane_var_fraction residual_pos_r content_var_b "
            "axis_b_angle beta_norm r2_pos sigma_pos2 ap_overall ap_first20 ap_last20 ap_drop").split() + \
    [f"ap_quintile_{k}" for k in range(1, 6)] + [f"ap_decile_{k}" for k in range(1, 11)]


def present(values):
    return [v for v in values if not math.isnan(v)]


def mean(values):
    return float(np.mean(present(values))) if present(values) else NAN


def groups_of(rows):
    groups = {}
    for row in rows:
        groups.setdefault((row["layer"], row["kv_head"]), []).append(row)
    return groups


def group_tables(rows):
    table, coordination = [], []
    for (layer, kv_head), members in sorted(groups_of(rows).items()):
        line = dict(layer=layer, kv_head=kv_head, heads=len(members))
        for metric in METRICS:
            values = present([m[metric] for m in members])
            line[metric + "_mean"] = mean(values)
            line[metric + "_sd"] = float(np.std(values, ddof=1)) if len(values) > 1 else NAN
        table.append(line)
    for metric in METRICS:
        samples = [present([m[metric] for m in members]) for members in groups_of(rows).values()]
        samples = [v for v in samples if len(v) > 1]
        n, g = sum(map(len, samples)), len(samples)
        line = dict(metric=metric, groups=g, heads=n, within_variance=NAN, between_variance=NAN, intraclass_correlation=NAN)
        if g > 1:
            msw = sum(np.sum((np.array(v) - np.mean(v)) ** 2) for v in samples) / (n - g)
            grand = np.mean(np.concatenate(samples))
            msb = sum(len(v) * (np.mean(v) - grand) ** 2 for v in samples) / (g - 1)
            n0 = (n - sum(len(v) ** 2 for v in samples) / n) / (g - 1)
            line.update(within_variance=msw, between_variance=(msb - msw) / n0,
                        intraclass_correlation=(msb - msw) / (msb + (n0 - 1) * msw))
        coordination.append(line)
    return table, coordination


def taxonomy_table(rows, rule):
    names = ["position_dominated", "q_positional"] + (["k_positional"] if rule == "notes" else []) + ["content_focused", "mixed"]
    defined = sum(r["taxonomy"] != "undefined" for r in rows)
    count = {n: sum(r["taxonomy"] == n for r in rows) for n in names + ["undefined"]}
    return [{"class": n, "heads": count[n], "share": count[n] / defined if n != "undefined" and defined else NAN}
            for n in names + ["undefined"]]


def depth_table(rows, layers):
    out = {}
    for row in rows:
        decile = min(9, 10 * row["layer"] // (layers - 1)) if layers > 1 else 0
        out.setdefault(decile, []).append(row)
    return [dict(decile=decile, **means_of(members)) for decile, members in sorted(out.items())]


def bump(deciles):
    dip = (deciles[4] + deciles[5]) / 2
    recovery = (deciles[6] + deciles[7]) / 2 - dip
    return dict(dip=dip, recovery=recovery, collapse=(deciles[8] + deciles[9]) / 2,
                recovers="" if math.isnan(recovery) else "true" if recovery > 0.005 else "false")


def bump_tables(rows):
    names = [f"ap_decile_{n}" for n in range(1, 11)]
    per_head = [dict(layer=r["layer"], head=r["head"], **bump([r[n] for n in names])) for r in rows]
    model = bump([mean([r[n] for r in rows]) for n in names])
    known = [r for r in per_head if r["recovers"] != ""]
    model.update(heads=len(known), recovering_heads=sum(r["recovers"] == "true" for r in known))
    return per_head, [model]


def means_of(members):
    """The columns of layers, depth and model: mean, number of heads with a value, median where the tail is heavy."""
    line = {"heads": len(members)}
    for metric in MEASURED:
        values = present([m[metric] for m in members])
        line[metric], line[metric + "_heads"] = mean(values), len(values)
        if metric == "slope_ratio":
            line["slope_ratio_median"] = statistics.median(values) if values else NAN
    return line


def layer_tables(rows):
    layers = [dict(layer=layer, **means_of([r for r in rows if r["layer"] == layer]))
              for layer in sorted({r["layer"] for r in rows})]
    return layers, [means_of(rows)]


def facet_table(rows):
    """Needs rope and attention in the rows, beside the columns of heads.csv."""
    shared = groups_of(rows)
    facets = {"layer_kind": lambda r: "rope" if r["rope"] else "nope", "attention": lambda r: r["attention"],
              "taxonomy": lambda r: r["taxonomy"], "kv_group_size": lambda r: str(len(shared[(r["layer"], r["kv_head"])]))}
    table = []
    for facet, name_of in facets.items():
        for value in sorted({name_of(r) for r in rows}):
            members = [r for r in rows if name_of(r) == value]
            for metric in MEASURED:
                known = present([m[metric] for m in members])
                table.append(dict(facet=facet, value=value, heads=len(members), metric=metric, mean=mean(known),
                                  sd=statistics.stdev(known) if len(known) > 1 else NAN, metric_heads=len(known)))
    return table


def model_map(cells, aggregation):
    """Of the rows of the table map: every pair weighs the same, or every head."""
    places = {}
    for cell in cells:
        places.setdefault((cell["distance_cell"], cell["midpoint_cell"]), []).append(cell)
    table = []
    for (distance, midpoint), members in sorted(places.items()):
        weights = [1.0] * len(members) if aggregation == "head_mean" else [m["pairs"] for m in members]
        table.append(dict(distance_cell=distance, midpoint_cell=midpoint, pairs=sum(m["pairs"] for m in members),
                          pp=float(np.average([m["pp"] for m in members], weights=weights))))
    return table
