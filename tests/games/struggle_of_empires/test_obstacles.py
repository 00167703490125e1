"""Why there is no answer of a kind just now: its sentence and its number."""
from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import pytest

from engine.games.struggle_of_empires.actions import (
    Ally,
    Attack,
    Build,
    Colonise,
    Covert,
    Enslave,
    Give,
    Move,
    Pass,
    Rebuild,
    Take,
    Use,
)
from engine.games.struggle_of_empires.components import Tile
from engine.kernel import Action, Seat
from engine.refusals import Illegal
from engine.text import say
from tests.games.struggle_of_empires.refusal_scenes import PARTS, READER, TOKENS, A, B, C, first_chosen
from tests.scene import Scene, scene


@dataclass(frozen=True)
class Obstacle:
    """A kind of answer of which there is none now, with the rule and the beginning of the sentence."""

    rule: str
    sentence: str
    kind: type[Action]
    who: str = A
    at: Mapping[str, Any] | Callable[[], Scene] = field(default_factory=dict)
    after: tuple[tuple[str, Action], ...] = ()

    def found(self) -> Illegal:
        made = self.at() if callable(self.at) else scene(**self.at)
        for who, answer in self.after:
            made.say(who, answer)
        seat = made.state.seat(self.who) if self.who in made.state.powers else Seat(self.who)
        why = self.kind.obstacle(made.state, seat)
        assert why is not None, f"{self.kind.verb} is possible"
        return why


SPENT = {"actions": 0, "tiles": {A: {"mercenaries": 1}}}         # the free tile keeps the turn from ending
NO_ACTION = "You have no action left"
NO_PEOPLE = {"population": 0}


def none_of(tiles: Iterable[Tile]) -> dict[str, list[dict[str, Any]]]:
    """Components without these tiles."""
    return {"tiles": [{"id": tile.id, "count": 0} for tile in tiles]}


ALL_ON_MAP = {A: {"army": {A: 14}, "navy": {A: 7}, "fort": {A: 2}}}
OBSTACLES = [
    *(Obstacle("SOE-6.2.1", NO_ACTION, kind, at=SPENT) for kind in (Pass, Build, Move, Attack, Colonise, Enslave, Take)),
    Obstacle("SOE-6.2.1", NO_ACTION, Rebuild, at={**SPENT, "units": {A: {"fort": {A: 1}}}}),
    Obstacle("SOE-7.1.2", "You have no population left", Build, at=NO_PEOPLE),
    Obstacle("SOE-1.1.8", "All your 14 armies, 7 navies and 2 forts are already on the map.", Build, at={"units": ALL_ON_MAP}),
    Obstacle("SOE-1.1.8", "All your 14 armies", Build,
             at={"units": {A: {"army": {A: 13}}}, "tiles": {A: {"militia": 1}}, "options": {"militia.types": "army"}},
             after=((A, Build(unit="army", to=A)),)),
    Obstacle("SOE-7.3.1", "You have no unit on the map to rebuild.", Rebuild),
    Obstacle("SOE-7.3.4", "You have no population left", Rebuild,
             at={**NO_PEOPLE, "units": {A: {"army": {A: 1}}}}),
    Obstacle("SOE-8.1.1", "You have no unit that can move. Forts move only from home.", Move,
             at={"units": {A: {"fort": {"india": 1}}}}),
    Obstacle("SOE-9.1.2", "You have no army or navy in any area. An attack needs one on the spot.", Attack),
    Obstacle("SOE-9.2.1", "Your armies have nobody to attack. There is no enemy, no neutral marker with a defence number and "
                          "no captive in the Baltic.", Attack, at={"units": {A: {"army": {"baltic": 1}}}}),
    Obstacle("SOE-9.2.6", "You have only navies in India, and no enemy navy is there for them to attack.", Attack,
             at={"units": {A: {"navy": {"india": 1}}}, "markers": {B: {"india": 1}}}),
    Obstacle("SOE-9.2.1", "Your armies have nobody to attack in the Baltic, and your navies no enemy navy in India.", Attack,
             at={"units": {A: {"army": {"baltic": 1}, "navy": {"india": 1}}}}),
    *(Obstacle("SOE-6.2.3", "You've already colonised", kind,
               at={"neutrals": {"india": ["pop", "pop"]}}, after=((A, Colonise(area="india")),)) for kind in (Colonise, Enslave)),
    Obstacle("SOE-10.1.1", "No area has any colonist marker now.", Colonise),
    Obstacle("SOE-10.1.2", "No area has any slave marker now.", Enslave),
    Obstacle("SOE-10.1.1", "You have no population left", Colonise,
             at={**NO_PEOPLE, "neutrals": {"india": ["pop"]}}),
    Obstacle("SOE-10.1.2", "You have no navy in Africa.", Enslave,
             at={"neutrals": {"india": ["slaves"]}}),
    Obstacle("SOE-6.2.2", "You've already bought a tile", Take,
             after=((A, Take(tile="banking")),)),
    Obstacle("SOE-11.1.4", "You can't buy any of the tiles left: they cost too much population, lack a "
                           "target, or are at your limit.", Take, at={"pack": none_of(PARTS.tiles)}),
    Obstacle("SOE-12.12.1", "Diplomatic Service gets you an alliance, and the stock has none you could buy now.", Use,
             at={"tiles": {A: {"diplomatic_service": 1}}, "pack": none_of(PARTS.alliances)}),
    Obstacle("SOE-12.12.2", "Diplomatic Service gets you a local alliance, and none is free.", Use,
             at={**TOKENS, "tiles": {A: {"diplomatic_service": 1}}, "local": dict.fromkeys(PARTS.local_alliance, B)}),
    Obstacle("SOE-13.2.1", "No local alliance is free. The markers come off when the war ends.", Ally,
             at={**TOKENS, "local": dict.fromkeys(PARTS.local_alliance, B)}),
    Obstacle("SOE-14.2.1", "No covert token can be used now. It needs another power's control marker in a colony, and must "
                           "not hold a captive.", Covert, at=TOKENS),
    Obstacle("SOE-7.3.3", "You still have 13 armies in the supply. Build those first: a unit can be rebuilt only when none "
                          "of its kind is left.",
             Rebuild, at={"edition": "deluxe", "units": {A: {"army": {"baltic": 1}}}}),
    Obstacle("SOE-6.4.1", "You have no tile that works as a free action.", Use, at={"tiles": {A: {"banking": 1}}}),
    Obstacle("SOE-11.2.1", "You have used Mercenaries already. It is ready again in the next war.", Use,
             at={"tiles": {A: {"mercenaries": 1}}, "used": {A: {"mercenaries": 1}}}),
    Obstacle("SOE-1.1.8", "All your 14 armies", Use,
             at={"tiles": {A: {"mercenaries": 1}}, "units": {A: {"army": {A: 14}}}}),
    Obstacle("SOE-12.7.3", "Trained Natives builds an army in a colony where you have a control marker or a unit, and you "
                           "have neither in any.",
             Use, at={"tiles": {A: {"trained_natives": 1}}}),
    Obstacle("SOE-12.20.1", "You need a navy in a colony to blockade it, and you have none in any.", Use,
             at={"tiles": {A: {"blockade": 1}}}),
    Obstacle("SOE-16.1.3", "In this game you can", Give, B,
             {"options": {"gifts.when": "own_turn"}}),
    Obstacle("SOE-16.1.4", "You have no gold to give.", Give, at={"gold": 0}),
    Obstacle("SOE-2.1.11", "You have no gold yet.", Give, "seat_1", first_chosen(C)),
    Obstacle("SOE-16.1.3", "Nobody else has chosen a power yet.", Give, C, first_chosen(C)),
]


@pytest.mark.parametrize("case", OBSTACLES, ids=[f"{case.rule}: {case.kind.verb}" for case in OBSTACLES])
def test_why_there_is_no_answer_of_a_kind(case):
    why = case.found()
    assert why.rule == case.rule and say(why.text, READER).startswith(case.sentence)


