"""Tables in HTML, as notebooks display them."""

from __future__ import annotations

import html
from collections.abc import Iterable, Sequence
from typing import Any

MOST_ROWS = 10


def html_table(titles: Sequence[str], rows: Iterable[Sequence[Any]], note: str = "") -> str:
    """A table with a line of text above it; an empty list of titles leaves out the head."""

    def line(tag: str, cells: Iterable[Any]) -> str:
        texts = (f"{cell:.6g}" if isinstance(cell, float) else html.escape(str(cell)) for cell in cells)
        return "<tr>" + "".join(f"<{tag}>{text}</{tag}>" for text in texts) + "</tr>"

    head = f"<thead>{line('th', titles)}</thead>" if titles else ""
    body = "".join(line("td", row) for row in rows)
    return f"<div><p>{html.escape(note)}</p><table>{head}<tbody>{body}</tbody></table></div>"
