"""Pictures for tests, and scenes in which something is otherwise."""
from __future__ import annotations

from io import BytesIO
from typing import Any

from PIL import Image

from engine.games.struggle_of_empires.view import View
from renderer import render


def picture(scene: Any, theme: str = "dark") -> Image.Image:
    """The picture as everybody sees it."""
    return Image.open(BytesIO(render(scene, theme))).convert("RGB")


def changed(thing: Any, **fields: object) -> Any:
    """A copy with other fields, checked."""
    return type(thing).model_validate({**thing.model_dump(), **fields})


def with_area(view: View, area: str, **fields: object) -> View:
    return view.model_copy(update={"areas": tuple([one.model_copy(update=fields) if one.area == area else one
                                                   for one in view.areas])})


def overlap(a: tuple[int, ...], b: tuple[int, ...]) -> bool:
    """Whether two boxes share a pixel."""
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]
