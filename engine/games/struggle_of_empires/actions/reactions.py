"""The answers of those whom an attack concerns: help, the fight at sea, alliances, losses (chapters 9, 13)."""
from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import ClassVar, Literal

from pydantic import Field

from engine.games.struggle_of_empires.components import Unit
from engine.games.struggle_of_empires.events import a_unit, capital_unit, units
from engine.games.struggle_of_empires.state import State, unused
from engine.kernel import Action, Seat
from engine.refusals import Illegal
from engine.text import Text, text

AT_SEA, ON_LAND = "sea", "land"


class Call(Action):
    """Say which allies you call for help."""

    verb: ClassVar[str] = "call"
    allies: tuple[str, ...] = Field((), description="Allies, separated by commas; leave out to call nobody")

    @classmethod
    def options(cls, s: State, seat: Seat) -> Iterator[Call]:
        able = s.able_helpers(s.power(seat))
        for number in range(len(able), -1, -1):
            for allies in combinations(able, number):
                yield cls.of(allies)

    def check(self, s: State, seat: Seat) -> None:
        able = s.able_helpers(s.power(seat))
        for ally in self.allies:
            if ally not in able:
                raise Illegal("{ally} cannot help you here; you can call {able}.", rule="SOE-9.4.3", ally=ally, able=tuple(able))
        if list(self.allies) != [ally for ally in able if ally in self.allies]:
            raise Illegal("Name each ally once, in the order {able}.", rule="SOE-9.4.3", able=tuple(able))

    def label(self) -> Text:
        return text("Call {allies}", allies=self.allies) if self.allies else text("Call nobody")


class Commit(Action):
    """Send armies and navies you have there to an ally's fight, or none."""

    verb: ClassVar[str] = "commit"
    armies: int = Field(ge=0, description="Armies for the fight on land")
    navies: int = Field(ge=0, description="Navies for the fight at sea")

    @classmethod
    def options(cls, s: State, seat: Seat) -> Iterator[Commit]:
        most = can_send(s, s.power(seat))
        for armies in range(most["army"] + 1):
            for navies in range(most["navy"] + 1):
                yield cls.of(armies, navies)

    def check(self, s: State, seat: Seat) -> None:
        most = can_send(s, s.power(seat))
        for number, kind in ((self.armies, "army"), (self.navies, "navy")):
            if number > most[kind]:
                raise Illegal("You have {here} there for this fight, so you cannot send {sent}.", rule="SOE-9.4.4",
                              here=units(most[kind], kind), sent=number)

    def label(self) -> Text:
        sent = tuple(units(n, kind) for n, kind in ((self.armies, "army"), (self.navies, "navy")) if n)
        return text("Send {sent}", sent=sent) if sent else text("Send nothing")


def can_send(s: State, ally: str) -> dict[str, int]:
    """What an ally could commit to the principal of its row (SOE-9.4.4, 9.4.14, 9.4.15)."""
    battle = s.battle
    assert battle is not None, "no battle is fought"
    principal = battle.attacker if battle.attacker in s.allies(ally) else battle.defender
    return {kind: s.may_send(ally, principal, kind) for kind in ("army", "navy")}


class Fight(Action):
    """Fight at sea."""

    verb: ClassVar[str] = "fight"
    alliances: tuple[str, ...] = Field((), exclude_if=unused, description="Alliances that help you there instead of on land")

    @classmethod
    def options(cls, s: State, seat: Seat) -> Iterator[Fight]:
        able = two_way(s, seat)
        for number in range(len(able) + 1):
            for alliances in dict.fromkeys(combinations(able, number)):
                yield cls.of(alliances)

    def check(self, s: State, seat: Seat) -> None:
        if not self.alliances or self in self.options(s, seat):
            return
        if not s.options.reactions.parallel:
            raise Illegal("Only say that you fight; where your alliances help is asked after that.", rule="SOE-13.3.3")
        able = two_way(s, seat)
        if not able:
            raise Illegal("You have no alliance here that can help at sea and on land, so there is none to name.",
                          rule="SOE-13.3.11")
        raise Illegal("Of the alliances that can help at sea and on land, name those that help at sea, each once and in this "
                      "order: {able}.", rule="SOE-13.3.2", able=able)

    def label(self) -> Text:
        return text("Fight at sea, there with {alliances}", alliances=self.alliances) if self.alliances else text("Fight at sea")


def two_way(s: State, seat: Seat) -> tuple[str, ...]:
    """The alliances of which a principal must say where they help, if all are asked at once (SOE-13.3.2, 20.1.8)."""
    return tuple(s.two_way_alliances(s.power(seat))) if s.options.reactions.parallel and s.battle is not None else ()


class Assign(Action):
    """Say in which fight an alliance helps you."""

    verb: ClassVar[str] = "alliance"
    typed: ClassVar[bool] = False
    stage: Literal["sea", "land"] = Field(description="At sea or on land")

    @classmethod
    def options(cls, s: State, seat: Seat) -> list[Assign]:
        return [cls.of(ON_LAND), cls.of(AT_SEA)]

    def label(self) -> Text:
        return text("At sea") if self.stage == AT_SEA else text("On land")


class Lose(Action):
    """Say which unit is lost."""

    verb: ClassVar[str] = "lose"
    owner: str = Field(description="Whose unit")
    unit: Unit = Field(description="Army, navy or fort")

    @classmethod
    def options(cls, s: State, seat: Seat) -> list[Lose]:
        due = s.battle.due if s.battle else None
        lost = s.losses_of(due.side, own_first=due.own_first, fort_too=due.fort_too) if due else []
        return [cls.of(owner, unit) for owner, unit in lost]

    def check(self, s: State, seat: Seat) -> None:
        if self not in self.options(s, seat):
            raise Illegal("{unit} of {owner} cannot be lost here.", rule="SOE-9.10.3", unit=capital_unit(self.unit),
                          owner=self.owner)

    def label(self) -> Text:
        return text("{unit} of {owner}", unit=a_unit(self.unit), owner=self.owner)
