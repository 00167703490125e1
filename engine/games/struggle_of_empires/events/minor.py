"""What happens to local alliances and covert tokens alone (13.2, 14.1)."""
from __future__ import annotations

from engine.games.struggle_of_empires.events.words import gold
from engine.games.struggle_of_empires.rules.special_actions import spend_special
from engine.games.struggle_of_empires.state import State
from engine.kernel import Event
from engine.text import Text, text


class AllianceFormed(Event):
    """A local alliance marker lies on its place until the war ends [SOE-13.2.1, 13.2.5]."""

    power: str
    place: str
    as_action: bool = True          # not by Diplomatic Service [SOE-12.12.4]

    def apply(self, s: State) -> None:
        s.local_alliances[self.place] = self.power
        if self.as_action:
            spend_special(s, "tile")

    def line(self) -> Text:
        return text("{power:The} forms the {place}.", power=self.power, place=self.place)

    def bought_for(self, price: int) -> Text:
        return text("{power:The} forms the {place} ({gold}).", power=self.power, place=self.place, gold=gold(price))


class TokenSent(Event):
    """A covert token is used: the special action of the turn [SOE-14.1.2, 14.1.6]; the raid follows."""

    token: str

    def apply(self, s: State) -> None:
        spend_special(s, "tile")


class TokenBack(Event):
    """A covert token that has not won lies in the display again; it is not its user's again in this round [SOE-14.2.10]."""

    power: str
    token: str

    def apply(self, s: State) -> None:
        if s.options.covert.retry_after_failure == "next_round":
            s.tried.setdefault(self.power, []).append(self.token)

    def line(self) -> Text:
        return text("The {token} token goes back to the display.", token=self.token)
