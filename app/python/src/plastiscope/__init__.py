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
    from .attention import Attention
    from .commands import (
        Figure, analyze, attended, capture, compare, composition, export_csv, groups, options, probe, reference, render,
        run_study, runs, verify,
    )
    from .errors import (
        InputError,
        InternalError,
        PlastiscopeError,
        PlastiscopeWarning,
        ResourceError,
        Stopped,
        UsageError,
    )
    from .heads import Head, choose_heads, head_list
    from .notes import Notes
    from .program import Command, Option, find_program
    from .record import Recorder, record
    from .sampler import sample_positions, sample_seed, seed_id
    from .study import Layer, Rows, Study, open
    from .transformer_lens import import_transformer_lens
    from .view import Page, show
    from .window import Window, window
except ImportError as error:
    if not (error.name or "").startswith(("h5py", "numpy")):
        raise
    _missing = error

    def __getattr__(name: str) -> Any:  # plastiscope.engine and plastiscope.chat need nothing of these
        if name in __all__:
            raise _missing
        raise AttributeError(name)


__version__ = "1.0.0"

__all__ = [
    "Attention", "Command", "Figure", "Head", "InputError", "InternalError", "Layer", "Notes", "Option", "Page",
    "PlastiscopeError", "PlastiscopeWarning", "Recorder", "ResourceError", "Rows", "Stopped", "Study", "UsageError",
    "Window", "analyze", "attended", "capture", "choose_heads", "compare", "composition", "export_csv", "find_program",
    "groups", "head_list", "import_transformer_lens", "open", "options", "probe", "record", "reference", "render",
    "run_study", "runs", "sample_positions", "sample_seed", "seed_id", "show", "verify", "window",
]  # fmt: skip
