"""Shows a study: in the window, or in a notebook as an interactive page."""

from __future__ import annotations

import html
import importlib.util
import os
import subprocess
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .commands import StudyLike, analysis_path
from .errors import UsageError
from .program import WINDOW, command, find_program, run
from .study import Study

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from . import option_types as types
    from .widget import StudyWidget


class Page:
    """A study as HTML in an iframe. ``page.html`` is the whole document."""

    def __init__(self, text: str, height: int = 760) -> None:
        self.html, self.height = text, height

    def _repr_html_(self) -> str:
        style = f"width:100%;height:{self.height}px;border:1px solid #ccc;box-sizing:border-box"
        return f'<iframe sandbox="allow-scripts" style="{style}" srcdoc="{html.escape(self.html)}"></iframe>'

    def save(self, file: str | os.PathLike[str]) -> Path:
        Path(file).write_text(self.html, encoding="utf-8")
        return Path(file)


def in_notebook() -> bool:
    """True in a notebook kernel that can display HTML."""
    try:
        from IPython import get_ipython
    except ImportError:
        return False
    shell = get_ipython()
    return shell is not None and hasattr(shell, "kernel")


def page_of(study: StudyLike, height: int, **options: Any) -> Page:
    """The page as ``plastiscope-cli export page`` writes it."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "page.html"
        compared = [analysis_path(each) for each in options.pop("compare", ())]
        run(command("export page"), [analysis_path(study)], {**options, "compare": compared or None, "out": out})
        return Page(out.read_text(encoding="utf-8"), height)


def show(
    study: StudyLike, *, window: bool | None = None, height: int = 760, **options: Unpack[types.ShowOptions]
) -> Page | StudyWidget | subprocess.Popen[bytes]:
    """Opens a study in the window, or in a notebook (``window=None``: detected) a widget whose ``selection`` has the
    chosen heads. Without anywidget, with options of ``plastiscope-cli export page`` such as ``heads="L12H6"``, or with
    ``window=False``, it is a page that needs no kernel. Both take ``compare=[studies]`` and ``plasticity="binned"``.

    >>> page = show(example, window=False, heads="L16H4", rows=50)
    >>> "<html" in page.html
    True
    """
    if window or (window is None and not in_notebook()):
        if options:
            raise UsageError(f"{', '.join(options)}: only for a page in a notebook (window=False)")
        file = study.path if isinstance(study, Study) else Path(study)
        return subprocess.Popen([find_program(WINDOW), file], start_new_session=True)
    if window is None and options.keys() <= {"compare", "plasticity"} and importlib.util.find_spec("anywidget"):
        from .widget import StudyWidget

        return StudyWidget(study, height=height, **dict[str, Any](options))
    return page_of(study, height, **options)
