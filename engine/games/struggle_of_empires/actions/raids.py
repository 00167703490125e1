"""Whom Pirates and the Slave Revolt can be sent against, as tiles or as tokens (chapter 14)."""
from __future__ import annotations

from engine.games.struggle_of_empires import odds
from engine.games.struggle_of_empires.components import PIRATES, REVOLT
from engine.games.struggle_of_empires.events import RaidBegun
from engine.games.struggle_of_empires.state import State
from engine.games.struggle_of_empires.words.names import the
from engine.refusals import Illegal
from engine.text import Text, text


def require_raid(s: State, power: str, token: str, area: str, target: str) -> None:
    """Raise Illegal, with the reason, unless Pirates or a revolt may be sent there."""
    if (area, target) in raid_targets(s, power, token):
        return
    if target == power:
        raise Illegal("Choose another power's control marker.", rule="SOE-14.2.3")
    if target in s.parts.powers and target not in s.powers and target not in s.npps:
        raise Illegal("{target:The} isn't in this game.", rule="SOE-1.1.15", target=target)
    raise Illegal("For {token}, choose an area and another power's control marker in {where}.",
                  rule="SOE-14.2.2" if token == PIRATES else "SOE-14.3.1", token=the(token),
                  where=text("a colony" if token == PIRATES else "an American colony"))


def raid_outlook(s: State, power: str, token: str, area: str, target: str) -> Text:
    begun = s.model_copy(update={"turn": s.turn.model_copy()})
    RaidBegun(sender=power, token=token, target=target, area=area, strength=s.token_strength(token)).apply(begun)
    return odds.raid_outlook(begun)


def raid_targets(s: State, power: str, token: str) -> list[tuple[str, str]]:
    """(area, power) of the control markers that Pirates or a Slave Revolt may be sent against (SOE-14.2.1 to 14.2.3, 14.3.1)."""
    if token in s.captives:
        return []
    return [(area.id, other) for area in s.parts.areas if area.colony and (token != REVOLT or area.america)
            for other in (*s.powers, *s.npps) if other != power and area.id in s.markers[other]]
