"""Chapter 15: United States flags."""
from __future__ import annotations

from collections.abc import Collection, Iterable

from engine.games.imperial_struggle.actions.choices import NONE
from engine.games.imperial_struggle.components import USA, Side
from engine.games.imperial_struggle.components.wars import Special
from engine.games.imperial_struggle.rules.choices import choose
from engine.games.imperial_struggle.rules.control import isolated, take_control, unflag
from engine.games.imperial_struggle.state import State
from engine.kernel import Game, Script

POINT = "IS-18.25"
FRANCE: Side = "france"


def independence(g: Game[State], reward: Special) -> Script[None]:
    """The reward "usa" or "canada": flags, forts, then the markets that have become isolated by them [IS-15.1, 15.2, R-35]."""
    before = set(isolated(g.state))
    yield from _place(g, reward.territories)
    if reward.forts_subregion:
        yield from _clear_forts(g, reward.forts_subregion)
    _lose_markets(g, before)


def _place(g: Game[State], territories: Iterable[str]) -> Script[None]:
    left = list(territories)
    while left:
        space = yield from choose(g, FRANCE, left, point=POINT, what="usa", optional=True,
                                  prompt="Where does the United States raise its flag?")
        if not space:
            return
        left.remove(space)
        take_control(g, USA, space)


def _clear_forts(g: Game[State], subregion: str) -> Script[None]:
    """Flags off any forts of a sub-region; silence takes the British ones."""
    s = g.state
    while able := [fort for fort in s.parts.of_type["fort"] if s.space(fort).subregion == subregion and fort in s.flags]:
        british = [fort for fort in able if s.controls("britain", fort)]
        space = yield from choose(g, FRANCE, able, point=POINT, what="usa_fort", optional=True,
                                  default=british[0] if british else NONE, prompt="Which fort loses its flag?")
        if not space:
            return
        unflag(g, space)


def _lose_markets(g: Game[State], before: Collection[str]) -> None:
    """The markets that have become isolated lose their flags, all at once [IS-2.7.7]; no line leaves a region [IS-2.2.4]."""
    for market in isolated(g.state):
        if market not in before:
            unflag(g, market)
