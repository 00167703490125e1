"""Games of every edition with some options changed: what random games are played by."""
from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from engine import shelf
from engine.kernel import GameSpec
from engine.refusals import Faulty
from engine.selfplay import beginning


def first_edition(spec: GameSpec) -> str:
    """The edition that is offered first."""
    return next(edition.key for edition in spec.editions if edition.available)


def an_edition(spec: GameSpec, pick: Random) -> str:
    """One of the editions that can be played."""
    return pick.choice([edition.key for edition in spec.editions if edition.available])


def a_mixture(spec: GameSpec, edition: str, pick: Random, share: float) -> dict[str, Any]:
    """About this share of the options, each with one of its values; what contradicts the others is left as the edition has it."""
    changed: dict[str, Any] = {}
    for key in pick.sample([*spec.choices], len(spec.choices)):
        if pick.random() < share:
            more = changed | {key: pick.choice(spec.choices[key])}
            try:
                spec.options(edition, more)
            except Faulty:
                continue
            changed = more
    return changed


def for_seats(spec: GameSpec, edition: str, options: Mapping[str, Any], seats: int) -> dict[str, Any]:
    """The options without those that do not allow so many players."""
    parts, kept = shelf.components(spec, edition).parts, dict[str, Any]()
    for key, value in options.items():
        try:
            beginning(spec, seats, edition, parts, kept | {key: value})
        except Faulty:
            continue
        kept[key] = value
    return kept
