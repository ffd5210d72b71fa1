"""Draws heads on axes of matplotlib, which is optional, in the colours of the program's figures."""

from __future__ import annotations

from typing import Any

import numpy as np

from .errors import InputError, UsageError
from .heads import Head
from .optional import optional
from .study import Study

# Colours on light and on dark axes: early to late positions of queries and keys, the head, other parts.
_RAMPS = {
    "query": (("#a6cbe6", "#4292c6", "#1764ab", "#08306b"), ("#23507f", "#3b82c4", "#7ab8ea", "#d3e9fb")),
    "key": (("#fcb095", "#ef5b41", "#c2161b", "#67000d"), ("#7a231c", "#c7392c", "#f0795f", "#ffd5c7")),
}
_HEAD, _NONE, _MUTED = ("#d98a00", "#ffb347"), ("#eff0f1", "#2a2e32"), ("#5f666b", "#a9b0b5")
_FEWEST_PAIRS = 30  # cells of a map with fewer pairs are hatched, as in the program


def _axes(ax: Any) -> tuple[Any, bool]:
    """Axes to draw on, and whether they are dark."""
    if ax is None:
        ax = optional("matplotlib.pyplot", "plastiscope.plot").subplots(layout="constrained")[1]
    return ax, sum(optional("matplotlib.colors", "plastiscope.plot").to_rgb(ax.get_facecolor())) < 1.5


def plane(study: Study, head: str | Head, *, ax: Any = None) -> Any:
    """Queries (blue) and keys (red) of a head on its position axis a and separation axis b, dark where they are late.

    >>> plane(study, "L16H4").get_xlabel()
    'a, position axis'
    """
    view = study[head]
    table = study.table("axes", "numpy")
    rows = (table["layer"] == view.head.layer) & (table["head"] == view.head.head)
    directions = np.stack([table["value"][rows & (table["axis"] == name)] for name in "ab"], axis=1)
    if not directions.size or not np.isfinite(directions).all():
        raise InputError(study.path, str(view.head), "axes a and b", "none: its rows do not determine them")
    ax, dark = _axes(ax)
    colour_map = optional("matplotlib.colors", "plastiscope.plot").LinearSegmentedColormap.from_list
    for each, label in ((view.keys, "keys"), (view.queries, "queries")):
        x, y = (each.vectors.astype(np.float64) @ directions).T
        ramp = _RAMPS[each.kind][dark]
        ax.scatter(x, y, c=each.position, cmap=colour_map(label, ramp), vmin=0, vmax=study.window, s=6, linewidths=0)
        ax.scatter([], [], color=ramp[2], s=16, label=label)
    ax.set(xlabel="a, position axis", ylabel="b, separation axis", title=str(view.head))
    ax.legend(frameon=False, reverse=True)
    return ax


def map(study: Study, head: str | Head, *, ax: Any = None) -> Any:  # noqa: A001
    """Mean PP of a head by distance of the keys and distance of the query from them, in tokens, over the pairs of the
    analysis; cells with fewer than 30 are hatched. `render` draws it over all pairs.

    >>> map(study, "L16H4").get_xlabel()
    'inter-key distance (tokens)'
    """
    view = study[head]
    data = view.map
    ax, dark = _axes(ax)
    edges = np.append(data.distance, data.distance[-1] + data.cell)
    few = (data.pairs < _FEWEST_PAIRS) & np.isfinite(data.values)
    mesh = ax.pcolormesh(edges, edges, np.ma.masked_where(few, data.values).T, cmap="magma", vmin=0, vmax=1)
    hatched = np.ma.masked_where(~few, np.ones_like(data.values)).T
    ax.pcolor(edges, edges, hatched, facecolor="none", edgecolor=_MUTED[dark], hatch="///", linewidth=0)
    end = study.window
    ax.plot((0, end, 0), (0, end / 2, end), color=_MUTED[dark], linestyle="--", linewidth=0.8)
    ax.set(xlim=(0, end), ylim=(0, end), xlabel="inter-key distance (tokens)", title=str(view.head))
    ax.set_ylabel("query to key midpoint (tokens)")
    ax.figure.colorbar(mesh, ax=ax, label="mean aligned PP" if view.plasticity == "aligned" else "mean PP")
    return ax


def profile(study: Study, head: str | Head, *, ax: Any = None) -> Any:
    """AP of a head by query position in tokens, with its 95 % interval over texts.

    >>> profile(study, "L16H4").get_ylabel()
    'aligned plasticity AP'
    """
    view = study[head]
    data = view.profile
    ax, dark = _axes(ax)
    ax.fill_between(data.position, data.low, data.high, color=_HEAD[dark], alpha=0.18, linewidth=0)
    ax.plot(data.position, data.values, color=_HEAD[dark], marker="o", markersize=3, label=str(view.head))
    kind = "aligned plasticity AP" if view.plasticity == "aligned" else "plasticity AP"
    ax.set(xlim=(0, study.window), ylim=(0, 1), xlabel="query position (tokens)", ylabel=kind)
    ax.legend(frameon=False)
    return ax


def grid(study: Study, metric: str = "ap_overall", *, ax: Any = None) -> Any:
    """A metric of every head by layer and head: from blue to red around 0 if it has both signs.

    >>> grid(study, "ap_drop").get_xlabel()
    'query head'
    """
    table = study.table("heads", "numpy")
    if metric not in table or table[metric].dtype.kind not in "if":
        names = [name for name, column in table.items() if column.dtype.kind in "if"]
        raise UsageError(f'metric: expected a number of heads.csv ({", ".join(names[2:])}), found "{metric}"')
    values = np.full((study.model["layers"], study.model["query_heads"]), np.nan)
    values[table["layer"], table["head"]] = table[metric]
    ax, dark = _axes(ax)
    most = float(np.nanmax(np.abs(values))) if np.isfinite(values).any() else 1.0
    signed = bool((values < 0).any())
    colours = {"cmap": "RdBu_r", "vmin": -most, "vmax": most} if signed else {"cmap": "viridis"}
    ax.set(xlabel="query head", ylabel="layer", facecolor=_NONE[dark])
    image = ax.imshow(values, aspect="auto", interpolation="nearest", **colours)
    for axis in (ax.xaxis, ax.yaxis):
        axis.get_major_locator().set_params(integer=True)
    ax.figure.colorbar(image, ax=ax, label=metric)
    return ax
