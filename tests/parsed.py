"""The project's own sources as syntax trees: each file is parsed once in a run, whoever reads it."""
from __future__ import annotations

import ast
import gc
from functools import cache
from pathlib import Path


@cache
def parsed(path: Path) -> ast.Module:
    """The tree of a source file; nobody changes it, or looks for garbage in it, which takes three times as long as to parse."""
    gc.disable()
    try:
        return ast.parse(path.read_text(encoding="utf-8"))
    finally:
        gc.freeze()
        gc.enable()
