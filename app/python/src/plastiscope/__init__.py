"""Plastiscope in Python: captures and analyses of attention heads.

>>> import plastiscope as ps
>>> with ps.open(example) as study:
...     print(study)
...     queries = study.queries("L16H4")
SmolLM2-135M-Instruct.Q4_1 (llama): 24 heads of 30 layers x 9, 14 texts of at most 4,096 tokens
>>> queries.vectors.shape, queries.position[:4]
((1301, 64), array([ 2, 38, 42, 57], dtype=int32))
"""

from typing import Any

try:
    from . import docstrings, plot
    from .attention import Attention
    from .commands import (
        Estimate, Figure, analyze, attended, batch, capture, compare, composition, export_csv, groups, merge,
        probe, reference, render, run_study, runs, verify,
    )  # fmt: skip
    from .errors import (
        InputError, InternalError, PlastiscopeError, PlastiscopeWarning, ResourceError, Stopped, UsageError,
    )  # fmt: skip
    from .facts import figures, info, metrics, models, tokenize
    from .head_view import HeadView, Map, Profile, Rows
    from .heads import Head, choose_heads, head_list
    from .notes import Notes
    from .program import Command, Option, find_program
    from .program import command as options
    from .record import Recorder, record
    from .sampler import sample_positions, sample_seed, seed_id
    from .study import Layer, Study
    from .study import open as open
    from .transformer_lens import import_transformer_lens
    from .variations import converge, correlate, pairs, what_if
    from .view import Page, show
    from .window import Window, window
except ImportError as error:
    if not (error.name or "").startswith(("h5py", "numpy")):
        raise
    _missing = error

    def __getattr__(name: str) -> Any:  # plastiscope.engine and plastiscope.chat need nothing of these
        if name in (*__all__, "open"):
            raise _missing
        raise AttributeError(name)


__version__ = "1.0.0"

# Without open, which would replace the built-in function after "from plastiscope import *".
__all__ = [
    "Attention", "Command", "Estimate", "Figure", "Head", "HeadView", "InputError", "InternalError", "Layer", "Map",
    "Notes", "Option", "Page", "PlastiscopeError", "PlastiscopeWarning", "Profile", "Recorder", "ResourceError", "Rows",
    "Stopped", "Study", "UsageError", "Window", "analyze", "attended", "batch", "capture", "choose_heads", "compare",
    "composition", "converge", "correlate", "export_csv", "figures", "find_program", "groups", "head_list",
    "import_transformer_lens", "info", "merge", "metrics", "models", "options", "pairs", "plot", "probe", "record",
    "reference", "render", "run_study", "runs", "sample_positions", "sample_seed", "seed_id", "show", "tokenize",
    "verify", "what_if", "window",
]  # fmt: skip

if "Study" in globals():
    docstrings.complete_all(
        {name: globals()[name] for name in (*__all__, "open")}, vars(Study), vars(Window), vars(plot)
    )
