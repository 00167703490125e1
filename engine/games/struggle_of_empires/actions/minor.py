"""The special actions that the Deluxe edition has in place of tiles: a local alliance, a covert token (13.2, 14.1.2)."""
from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from pydantic import Field

from engine.games.struggle_of_empires.actions.raids import raid_outlook, raid_targets, require_raid
from engine.games.struggle_of_empires.actions.shared import price_warning, require_action, tile_price
from engine.games.struggle_of_empires.rules.local_alliances import free_places, places_for, require_free_place
from engine.games.struggle_of_empires.rules.special_actions import require_special, special_left
from engine.games.struggle_of_empires.state import TOKENS, State
from engine.games.struggle_of_empires.words.names import the
from engine.kernel import Action, Seat
from engine.refusals import Illegal
from engine.text import Text, text


class Ally(Action):
    """Place a local alliance marker; it helps you until the war ends."""

    verb: ClassVar[str] = "ally"
    place: str = Field(description="Which alliance?")

    @classmethod
    def options(cls, s: State, seat: Seat) -> Iterator[Ally]:
        if s.turn.actions > 0 and special_left(s, "tile"):
            for place in places_for(s, s.power(seat)):
                yield cls.of(place)

    def check(self, s: State, seat: Seat) -> None:
        require_action(s)
        require_special(s, "tile")
        require_free_place(s, s.power(seat), self.place)

    @classmethod
    def require_any(cls, s: State, seat: Seat) -> None:
        require_action(s)
        require_special(s, "tile")
        if free := free_places(s):
            require_free_place(s, s.power(seat), free[0])
        raise Illegal("No local alliance is free. The markers come off when the war ends.", rule="SOE-13.2.1")

    def label(self) -> Text:
        return text("Form the {place}", place=self.place)

    def cost(self, s: State, seat: Seat) -> Text | None:
        return tile_price(s, s.power(seat), self.place)

    def consequence(self, s: State, seat: Seat) -> Text | None:
        return price_warning(s, s.power(seat), self.place)


class Covert(Action):
    """Use a covert token against another power's control marker."""

    verb: ClassVar[str] = "covert"
    token: str = Field(description="Which covert token?")
    area: str = Field(description="In which colony? A revolt needs an American one.")
    target: str = Field(description="Whose control marker?")

    @classmethod
    def options(cls, s: State, seat: Seat) -> Iterator[Covert]:
        power = s.power(seat)
        if s.turn.actions > 0 and special_left(s, "tile"):
            for token in TOKENS:
                if token not in s.tried.get(power, ()):
                    for area, target in raid_targets(s, power, token):
                        yield cls.of(token, area, target)

    def check(self, s: State, seat: Seat) -> None:
        power = s.power(seat)
        require_action(s)
        if self.token not in TOKENS:
            raise Illegal("There is no covert token {token:the}. Choose among {tokens:the}.", rule="SOE-14.1.2", token=self.token,
                          tokens=tuple(TOKENS))
        if captive := s.captives.get(self.token):
            raise Illegal("There is still a captive of {token} in {area:the}. Once it is freed, you can use this token again.",
                          rule="SOE-14.1.4", token=the(self.token), area=captive.area)
        if self.token in s.tried.get(power, ()):
            raise Illegal("You failed with {token} this round. You can try again next round.", rule="SOE-14.2.10",
                          token=the(self.token))
        require_special(s, "tile")
        require_raid(s, power, self.token, self.area, self.target)

    @classmethod
    def require_any(cls, s: State, seat: Seat) -> None:
        require_action(s)
        require_special(s, "tile")
        raise Illegal("No covert token can be used now. It needs another power's control marker in a colony, and must not "
                      "hold a captive.", rule="SOE-14.2.1")

    def label(self) -> Text:
        return text("{token:The} against {target:the} in {area:the}", token=self.token, target=self.target, area=self.area)

    def outlook(self, s: State, seat: Seat) -> Text | None:
        return raid_outlook(s, s.power(seat), self.token, self.area, self.target)
