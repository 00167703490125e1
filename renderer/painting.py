"""Painters of scenes, whose code is loaded when their first picture is wanted."""
from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any, TypeAlias

from PIL import Image

Paint: TypeAlias = Callable[[Any, str], Image.Image]
"""View and theme to a palette image."""


def later(module: str, name: str = "paint") -> Paint:
    """The painter of this name in a module that is imported only when it paints: nobody waits for what draws something else."""
    def paint(scene: Any, theme: str) -> Image.Image:
        drawn: Image.Image = getattr(import_module(module), name)(scene, theme)
        return drawn
    return paint
