"""Games of every edition with some options changed: what random games are played by."""
from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from engine import components
from engine.kernel import GameSpec
from engine.options import every
from engine.refusals import Faulty
from engine.selfplay import beginning

FAR = "2100-01-01T00:00"        # for options that are moments


def first_edition(spec: GameSpec) -> str:
    """The edition that is offered first."""
    return next(edition.key for edition in spec.editions if edition.available)


def an_edition(spec: GameSpec, pick: Random) -> str:
    """One of the editions that can be played."""
    return pick.choice([edition.key for edition in spec.editions if edition.available])


def a_mixture(spec: GameSpec, edition: str, pick: Random, share: float) -> dict[str, Any]:
    """About this share of the options, each with one of its values; what contradicts the others is left as the edition has it.

    A value that asks for a moment gets one that no clock of ours comes to.
    """
    far = {choice.key: FAR for choice in every(spec) if choice.moment is not None}
    changed: dict[str, Any] = {}
    for key in pick.sample([*spec.rules.choices], len(spec.rules.choices)):
        if pick.random() < share:
            more = changed | {key: pick.choice(spec.rules.choices[key])}
            changed = next((options for options in (more, more | far) if _possible(spec, edition, options)), changed)
    return changed


def _possible(spec: GameSpec, edition: str, options: Mapping[str, Any]) -> bool:
    try:
        spec.rules.options(edition, options)
    except Faulty:
        return False
    return True


def for_seats(spec: GameSpec, edition: str, options: Mapping[str, Any], seats: int) -> dict[str, Any]:
    """The options without those that do not allow so many players."""
    parts, kept = components.components(spec, edition).parts, dict[str, Any]()
    for some in ({**options}, *({key: value} for key, value in options.items())):
        try:
            beginning(spec, seats, edition, parts, kept | some)
        except Faulty:
            continue
        kept |= some
    return kept
