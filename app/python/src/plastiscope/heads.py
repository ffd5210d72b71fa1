"""Names and lists of heads, and the choice of heads for a capture."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from .errors import UsageError
from .html_tables import html_table


class Head(NamedTuple):
    """A query head.

    >>> Head.parse("L16H4")
    Head(layer=16, head=4)
    >>> str(Head(16, 4))
    'L16H4'
    """

    layer: int
    head: int

    def __str__(self) -> str:
        return f"L{self.layer}H{self.head}"

    @classmethod
    def parse(cls, text: str) -> Head:
        """The head of a text such as "L16H4"; UsageError if it is not one head."""
        heads = head_list(text)
        if len(heads) != 1:
            raise UsageError(f'"{text}" is not understood: expected one head such as L12H6')
        return heads[0]


class HeadList(list[Head]):
    """Heads that notebooks display by layer."""

    def _repr_html_(self) -> str:
        layers = {head.layer: [each.head for each in self if each.layer == head.layer] for head in self}
        rows = [(f"L{layer}", ", ".join(f"H{head}" for head in heads)) for layer, heads in layers.items()]
        return html_table(("layer", "query heads"), rows, f"{len(self)} heads of {len(layers)} layers")


_PART = re.compile(r"[Ll](\d{1,6})[Hh](\d{1,6})(?:-(\d{1,6}))?")


def head_list(text: str) -> list[Head]:
    """Heads of a list, ascending.

    >>> head_list("L3H0-2, L1H6")
    [Head(layer=1, head=6), Head(layer=3, head=0), Head(layer=3, head=1), Head(layer=3, head=2)]
    """
    heads: set[Head] = set()
    for part in text.split(","):
        match = _PART.fullmatch(part.strip())
        if not match or (match[3] and int(match[3]) < int(match[2])):
            raise UsageError(f'"{part}" is not understood: expected heads such as L12H6 or L3H0-7, separated by commas')
        heads.update(Head(int(match[1]), head) for head in range(int(match[2]), int(match[3] or match[2]) + 1))
    return sorted(heads)


def heads_text(heads: Iterable[Head | str]) -> str:
    """A list in the syntax of the programs.

    >>> heads_text([Head(3, 1), "L12H6"])
    'L3H1,L12H6'
    """
    return ",".join(str(head) for head in heads)


def choose_heads(
    request: int | str | Iterable[Head | str],
    *,
    layers: int,
    query_heads: int,
    windowed: Sequence[int] = (),
    without_vectors: Sequence[int] = (),
    all_layers: bool = False,
    seed: int = 0,
) -> list[Head]:
    """The query heads of a capture, ascending, as ``plastiscope-cli capture --heads`` chooses them.

    A number selects heads at random over all layers, as in the thesis; others are "all", "stratified:N" and lists.

    >>> [str(head) for head in choose_heads(3, layers=4, query_heads=4)]
    ['L1H2', 'L3H0', 'L3H3']
    >>> len(choose_heads("all", layers=4, query_heads=4, windowed=[0, 1]))
    8
    """
    eligible = [layer for layer in range(layers) if all_layers or layer not in windowed]
    there = [layer for layer in eligible if layer not in without_vectors]
    if not isinstance(request, (int, str)):
        request = heads_text(request)
    if request == "all":
        heads = [Head(layer, head) for layer in there for head in range(query_heads)]
    elif isinstance(request, int) or request.isdigit():
        count = int(request)
        if count < 1:
            raise UsageError(f"heads: expected a count above 0, found {count}")
        heads = [Head(layer, head) for layer in eligible for head in range(query_heads)]
        if len(heads) > count:
            heads = [heads[i] for i in random.Random(seed).sample(range(len(heads)), count)]
        heads = [head for head in heads if head.layer in there]
    elif request.startswith("stratified:") and request[11:].isdigit() and int(request[11:]) > 0:
        heads = _stratified(int(request[11:]), there, query_heads, seed)
    else:
        heads = head_list(request)
        for head in heads:
            if head.layer >= layers or head.head >= query_heads:
                last = f"layers 0 to {layers - 1} and query heads 0 to {query_heads - 1}"
                raise UsageError(f"head {head}: the model has {last}")
            if head.layer in without_vectors:
                raise UsageError(f"head {head}: its layer has no vectors to capture")
            if head.layer not in there:
                raise UsageError(f"head {head}: its layer has a window; all_layers=True captures it")
    if not heads:
        raise UsageError(
            "no head is left to capture: every layer has a window or no vectors; all_layers=True takes windows"
        )
    return sorted(heads)


def _stratified(count: int, layers: Sequence[int], query_heads: int, seed: int) -> list[Head]:
    heads = []
    for place, layer in enumerate(layers):
        share = count // len(layers) + (place < count % len(layers))
        drawn = random.Random(seed + layer).sample(range(query_heads), min(share, query_heads))
        heads += [Head(layer, head) for head in drawn]
    return heads
