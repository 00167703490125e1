"""Chapter 19: the powers that nobody plays and that are at the table all the same."""
from __future__ import annotations

from collections.abc import Iterator

from engine.games.struggle_of_empires.events import HelpSent, NonPlayerPlaced
from engine.games.struggle_of_empires.state import State
from engine.kernel import Game, Script, roll

FEW = 3                     # players with whom there are non-player powers in both of their modes (table of differences, 26)


def non_players(s: State) -> list[str]:
    """The powers that nobody chose, in the order of the data, if they take part [SOE-19.1.1]."""
    mode = s.options.npp.mode
    if mode == "off" or (mode == "two_three" and len(s.seats) > FEW):
        return []
    return [power for power in s.parts.powers if power not in s.powers]


def place_non_players(g: Game[State]) -> Script[None]:
    """Each non-player power in turn draws its areas and stands in them [SOE-2.1.14, 19.1.6 to 19.1.8].

    It draws one marker at a time until all its areas differ. As it can have them no sooner, as many as it still lacks are drawn
    in one roll.
    """
    s = g.state
    start = s.parts.set_up(len(s.seats))
    number = max(start.npp_units_each, start.npp_control_markers_each)
    for power in non_players(s):
        bag, drawn = list(s.bag), dict[str, str]()              # area -> its marker
        while missing := min(number - len(drawn), len(bag)):
            values = yield from roll(*range(len(bag), len(bag) - missing, -1), why="areas", power=power)
            for value in values:
                marker = bag.pop(value - 1)
                drawn.setdefault(s.parts.neutral[marker].area, marker)
        markers = dict(list(drawn.items())[:start.npp_control_markers_each])
        g.emit(NonPlayerPlaced(power=power, armies=tuple(drawn)[:start.npp_units_each], markers=tuple(markers),
                               gone=tuple(markers.values())))


def automatic_help(s: State) -> Iterator[HelpSent]:
    """Yield what non-player powers send into the attack just declared: all that they have there [SOE-12.19.4, 19.2.1, 19.2.2,
    19.2.6].

    Nobody asks them, so it is known before any player says whether it helps.
    """
    battle = s.battle
    assert battle is not None, "no battle is fought"
    principals = [battle.attacker, *([] if battle.surprise else [battle.defender])] if s.is_power(battle.defender) else (
        [battle.attacker] if battle.defender in s.npps else [])
    for principal in principals:
        for power in [power for power in s.npps if power in s.allies(principal)]:
            armies, navies = s.may_send(power, principal, "army"), s.may_send(power, principal, "navy")
            if armies or navies:
                yield HelpSent(ally=power, principal=principal, armies=armies, navies=navies)
