"""Where labels stand so that none covers another: each as near to where it is wanted as there is room."""
from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from renderer.layout.boxes import Box
from renderer.pace import give_way

ROUNDS = 20             # of pushing apart
NEAR = 60               # px that a push may take a box away before other ways are tried
TRIES = 12              # orders in which places are looked for


@lru_cache(maxsize=256)
def arranged(wanted: tuple[Box, ...], fixed: tuple[Box, ...], window: Box, most: int) -> tuple[Box, ...] | None:
    """Boxes of these sizes inside the window, none of which covers another or a fixed one. What stands free stays where it is
    wanted, and nothing goes further than `most` px from there. None if no way was found."""
    inside = [kept(box, window) for box in wanted]
    pushed = list(inside)
    found = []
    if any(not _push(pushed, fixed, window) for _ in range(ROUNDS)):
        found.append(tuple(pushed))
        if max(map(apart, inside, pushed), default=0) <= min(NEAR, most):
            return tuple(pushed)
    placed = _placed(inside, fixed, window, most)
    if placed is not None:
        found.append(placed)
    near = [boxes for boxes in found if max(map(apart, inside, boxes)) <= most]
    return min(near, key=lambda boxes: sum(map(apart, inside, boxes)), default=None)


def covered(boxes: Sequence[Box], fixed: Sequence[Box]) -> list[int]:
    return [sum(one.shared(other) for other in (*boxes, *fixed)) - one.wide * one.high for one in boxes]


def apart(one: Box, other: Box) -> int:
    return abs(one.left - other.left) + abs(one.top - other.top)


def kept(box: Box, window: Box) -> Box:
    left = min(max(box.left, window.left), window.left + window.wide - box.wide)
    top = min(max(box.top, window.top), window.top + window.high - box.high)
    return Box(left, top, box.wide, box.high)


def _push(boxes: list[Box], fixed: Sequence[Box], window: Box) -> bool:
    """Push boxes that overlap apart, the shorter way, once; whether there were any."""
    found = False
    for n in range(len(boxes)):
        give_way()
        for there in fixed:
            if boxes[n].meets(there):
                found, boxes[n] = True, kept(_away(boxes[n], there, 1.0), window)
        for m in range(n):
            if boxes[n].meets(boxes[m]):
                found, boxes[m] = True, kept(_away(boxes[m], boxes[n], 0.5), window)
                boxes[n] = kept(_away(boxes[n], boxes[m], 1.0), window)
    return found


def _away(box: Box, other: Box, part: float) -> Box:
    across = min(box.left + box.wide, other.left + other.wide) - max(box.left, other.left)
    down = min(box.top + box.high, other.top + other.high) - max(box.top, other.top)
    if across <= down:
        step = max(1, round(across * part))
        right = 2 * box.left + box.wide >= 2 * other.left + other.wide
        return Box(box.left + (step if right else -step), box.top, box.wide, box.high)
    step = max(1, round(down * part))
    below = 2 * box.top + box.high >= 2 * other.top + other.high
    return Box(box.left, box.top + (step if below else -step), box.wide, box.high)


def _placed(boxes: Sequence[Box], fixed: Sequence[Box], window: Box, most: int) -> tuple[Box, ...] | None:
    """Each in turn where it is wanted, or in the nearest free place along what stands already: the largest first, and whatever
    finds no place goes before all others the next time."""
    order = sorted(range(len(boxes)), key=lambda n: -boxes[n].wide * boxes[n].high)
    for _ in range(TRIES):
        found: dict[int, Box] = {}
        for n in order:
            place = _free(boxes[n], [*fixed, *found.values()], window, most)
            if place is None:
                order = [n, *[other for other in order if other != n]]
                break
            found[n] = place
        else:
            return tuple(found[n] for n in range(len(boxes)))
    return None


def _free(box: Box, there: Iterable[Box], window: Box, most: int) -> Box | None:
    give_way()
    reach = Box(box.left - most, box.top - most, box.wide + 2 * most, box.high + 2 * most)
    near = [other.corners for other in there if other.meets(reach)]
    wide, high = box.wide, box.high
    across = {box.left, window.left, window.left + window.wide - wide}
    down = {box.top, window.top, window.top + window.high - high}
    for left, top, right, bottom in near:
        across |= {left - wide, right}
        down |= {top - high, bottom}
    columns = [x for x in across if window.left <= x <= window.left + window.wide - wide]
    lines = [y for y in down if window.top <= y <= window.top + window.high - high]
    places = sorted((far, x, y) for x in columns for y in lines if (far := abs(x - box.left) + abs(y - box.top)) <= most)
    for _, x, y in places:
        if not any(left < x + wide and x < right and top < y + high and y < bottom for left, top, right, bottom in near):
            return Box(x, y, wide, high)
    return None
