"""Which test plays which card: `plays` names it, and `test_every_card_is_played` finds none missing.

`event` plays an event card in a scene that says what matters.
"""
from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from engine.games.imperial_struggle.actions.cards import PlayEvent
from engine.games.imperial_struggle.actions.choices import Choose
from engine.games.imperial_struggle.components import SIDES, Side
from engine.games.imperial_struggle.components.effects import Keyword
from tests.games.imperial_struggle.scene import PARTS, Scene, scene

Test = TypeVar("Test", bound=Callable[..., None])
PLAYED: dict[str, list[str]] = {}           # half, bonus, ability, advantage or tile -> the tests that play it
TILES = {None: "3 DP / 2 MP, event", "economic": "3 EP / 2 DP, event", "diplomatic": "3 DP / 2 MP, event",
         "military": "3 MP / 2 DP, event"}
TURNS = {"succession": "T1", "empire": "T4", "revolution": "T5"}
SUPPLIES = {"britain": {"governance": "M-5", "style": "M-6", "mercantilism": "M-7", "finance": "M-8", "scholarship": "M-10"},
            "france": {"governance": "M-1", "style": "M-3", "mercantilism": "M-9", "finance": "M-2", "scholarship": "M-3"}}


def plays(*keys: str) -> Callable[[Test], Test]:
    """Says what a test plays: "ev_05 britain", "ev_05 britain bonus", "ev_01" if both sides play the same, "M-1.1", "rum"."""
    def note(test: Test) -> Test:
        for key in keys:
            PLAYED.setdefault(key, []).append(test.__name__)
        return test
    return note


def everything() -> Iterator[str]:
    """Every event half with its bonus, every ability, every advantage, every tile."""
    for card in PARTS.events:
        for name, half in (("", card.both), (" britain", card.britain), (" france", card.france)):
            if half is not None:
                yield f"{card.id}{name}"
                if half.bonus is not None:
                    yield f"{card.id}{name} bonus"
    yield from PARTS.ability
    yield from PARTS.advantage
    for tiles in (PARTS.investment_tiles, PARTS.award_tiles, PARTS.basic_tiles, PARTS.bonus_tiles, PARTS.special_tiles):
        yield from (tile.id for tile in tiles)


def event(number: int, side: Side, *chosen: str, bonus: bool = False, **fields: Any) -> Scene:
    """A scene in which a side has played an event and chosen so. `bonus`: a face-up ministry supplies the keyword."""
    card = PARTS.event_by_number[number]
    own = {each: dict(fields.get("own", {}).get(each, {})) for each in SIDES}
    own[side]["hand"] = [card.id]
    fields["own"] = own
    if bonus and isinstance(card.bonus_condition, Keyword) and card.bonus_condition.kind == "keyword":
        ministries = {each: list(fields.get("ministries", {}).get(each, ())) for each in SIDES}
        ministries[side].append(SUPPLIES[side][card.bonus_condition.keyword] + " up")
        fields["ministries"] = ministries
    fields.setdefault("turn", TURNS[card.era])
    at = scene(active=side, tile=fields.pop("tile", TILES[card.required_major]), **fields)
    at.say(side, PlayEvent(event=card.id, reveal="", waiver=""))
    assert at.state.current.bonus == bonus
    at.say(side, *(Choose(target=target) for target in chosen))
    return at


def grants(at: Scene) -> list[tuple[str, dict[str, Any]]]:
    """What an event has brought: "2 EP" with its limit."""
    return [(f"{pool.points} {pool.kind}", pool.limit.model_dump(exclude_defaults=True) if pool.limit else {})
            for pool in at.state.current.pools if pool.source == "grant"]


def targets(at: Scene) -> list[str]:
    """What can be chosen now; empty if no choice is open."""
    return at.state.choice.targets if at.state.choice is not None else []
