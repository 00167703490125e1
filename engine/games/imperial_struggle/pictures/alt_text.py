"""Each picture of Imperial Struggle in words: everything for a screen reader, the most important sentences for an alt text."""
from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from engine.games.imperial_struggle.pictures.scenes import Board, Region
from engine.games.imperial_struggle.pictures.text_board import REGION, SIDE, board as table, describe as essence, space_line
from engine.games.imperial_struggle.view import SpaceView, View
from engine.text.english import fit


def board(scene: Any) -> str:
    """A scene or view as text, a line for each thing."""
    match scene:
        case Board():
            return "\n".join([table(scene.now), "", *_new(scene.now, scene.before)]).rstrip()
        case Region():
            return "\n".join(_region(scene))
    return table(scene)


def describe(scene: Any, most: int) -> str:
    """The most important sentences about a scene or view, in so many characters at most."""
    match scene:
        case Board():
            return fit([essence(scene.now, most), *_new(scene.now, scene.before)], most)
        case Region():
            return fit(map(str.strip, _region(scene)), most)
    return essence(scene, most)


def _changes(now: View, before: View | None, region: str = "") -> Iterator[SpaceView]:
    """The spaces that are not as the reader knows them."""
    known = {space.space: space for space in (before or now).spaces}
    return (space for space in now.spaces if space != known[space.space] and region in ("", space.region))


def _new(now: View, before: View | None, region: str = "") -> Iterator[str]:
    """What changed since the reader last looked."""
    if changed := [space_line(space) for space in _changes(now, before, region)]:
        yield f"What changed: {'; '.join(changed)}."


def _region(scene: Region) -> Iterator[str]:
    """A region, space by space."""
    counts = next(one for one in scene.now.regions if one.region == scene.region)
    title = f"{scene.now.title}, {scene.now.turn}: {REGION[scene.region]}"
    yield f"{title}, {SIDE['britain']} {counts.britain}, {SIDE['france']} {counts.france}."
    yield from _new(scene.now, scene.before, scene.region)
    yield from (f"{space_line(space)}." for space in scene.now.spaces if space.region == scene.region and space.open)
