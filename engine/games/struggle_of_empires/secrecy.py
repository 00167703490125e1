"""What is secret in a game, and from whom (section S, chapter 21)."""
from __future__ import annotations

from collections.abc import Sequence

from engine.games.struggle_of_empires.events import GoldPaid
from engine.games.struggle_of_empires.events.words import gold, unrest
from engine.games.struggle_of_empires.options import Options
from engine.games.struggle_of_empires.rules.unrest_bag import UnrestDrawn, dice_for_shaking, shaken
from engine.games.struggle_of_empires.state import State
from engine.kernel import Event, Seat, Stirring
from engine.text import Text, text

STIRRING = Stirring(sides=dice_for_shaking, events=shaken)


def disguise(s: State, seat: Seat) -> None:
    """Give a seat other secrets: its unrest, and its gold where that is hidden [SOE-3.3.5, AMB-76]."""
    power = s.power(seat)
    if power in s.unrest:
        s.unrest[power] += 1
        if not s.options.gold.public:
            s.gold[power] += 1


def reveals(s: State, seat: Seat, events: Sequence[Event]) -> bool:
    """True if markers were drawn from the unrest bag, by whomever, or may have been.

    Whether others have paid by taxing they alone know, so any payment of theirs counts.
    """
    own = s.power(seat)
    return any(isinstance(event, UnrestDrawn) or (isinstance(event, GoldPaid) and event.power != own) for event in events)


def afresh(options: Options) -> bool:
    """True if the dice are rolled anew after every undo [AMB-74]."""
    return not options.undo.same_dice


def secrets(s: State) -> Sequence[Text] | None:
    """Return what the game master may see in private if the group has said so: all unrest, and gold that is hidden
    [SOE-21.1.6]."""
    if not s.options.gm.sees_secrets:
        return None
    return [text("{power}: {held}.", power=power, held=tuple(
        [unrest(s.unrest[power]),
         *([] if s.options.gold.public else [gold(s.gold[power])])])) for power in s.powers if power]
