"""The answers of those whom an attack concerns: help, the fight at sea, alliances, losses (chapters 9, 13)."""
from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import ClassVar, Literal

from pydantic import Field

from engine.games.struggle_of_empires.components import Unit
from engine.games.struggle_of_empires.events import units
from engine.games.struggle_of_empires.state import State
from engine.kernel import Action, Seat
from engine.kernel.model import later
from engine.refusals import Illegal
from engine.text import Text, text

AT_SEA, ON_LAND = "sea", "land"


class Call(Action):
    """Call allies for help."""

    verb: ClassVar[str] = "call"
    allies: tuple[str, ...] = Field(default=(), description="Which allies? (separated by commas; blank: nobody)")

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
                raise Illegal("{ally:The} can't help you here. You can call {able:the}.", rule="SOE-9.4.3", ally=ally,
                              able=tuple(able))
        if list(self.allies) != [ally for ally in able if ally in self.allies]:
            raise Illegal("Name each ally once, in this order: {able}.", rule="SOE-9.4.3", able=tuple(able))

    def label(self) -> Text:
        return text("Call {allies}", allies=self.allies) if self.allies else text("Call nobody")


class Commit(Action):
    """Send armies and navies you have there to help an ally, or none."""

    verb: ClassVar[str] = "commit"
    armies: int = Field(ge=0, description="How many armies for the fight on land?")
    navies: int = Field(ge=0, description="How many navies for the fight at sea?")

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
                raise Illegal("You have {here} there for this fight, so you can't send {sent}.", rule="SOE-9.4.4",
                              here=units(most[kind], kind), sent=number)

    def label(self) -> Text:
        sent = tuple(units(n, kind) for n, kind in ((self.armies, "army"), (self.navies, "navy")) if n)
        return text("Send {sent}", sent=sent) if sent else text("Send nothing")


def can_send(s: State, ally: str) -> dict[str, int]:
    """Return what an ally could commit to the principal of its row (SOE-9.4.4, 9.4.14, 9.4.15)."""
    battle = s.battle
    assert battle is not None, "no battle is fought"
    principal = battle.attacker if battle.attacker in s.allies(ally) else battle.defender
    return {kind: s.may_send(ally, principal, kind) for kind in ("army", "navy")}


class Fight(Action):
    """Fight at sea."""

    verb: ClassVar[str] = "fight"
    alliances: tuple[str, ...] = later(default=(), description="Which alliances help at sea instead of on land?")

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
            raise Illegal("Just choose to fight. You'll be asked about your alliances next.", rule="SOE-13.3.3")
        able = two_way(s, seat)
        if not able:
            raise Illegal("None of your alliances here can help both at sea and on land, so name none.",
                          rule="SOE-13.3.11")
        raise Illegal("Name the alliances that help at sea instead of on land, each once and in this order: {able}.",
                      rule="SOE-13.3.2", able=able)

    def label(self) -> Text:
        return text("Fight at sea with {alliances:the}", alliances=self.alliances) if self.alliances else text("Fight at sea")


def two_way(s: State, seat: Seat) -> tuple[str, ...]:
    """The alliances of which a principal must say where they help, if all are asked at once (SOE-13.3.2, 20.1.8)."""
    return tuple(s.two_way_alliances(s.power(seat))) if s.options.reactions.parallel and s.battle is not None else ()


class Assign(Action):
    """Choose where an alliance helps you: at sea or on land."""

    verb: ClassVar[str] = "alliance"
    stage: Literal["sea", "land"] = Field(description="At sea or on land?")

    @classmethod
    def options(cls, s: State, seat: Seat) -> list[Assign]:
        return [cls.of(ON_LAND), cls.of(AT_SEA)]

    def label(self) -> Text:
        return text("At sea") if self.stage == AT_SEA else text("On land")


class Lose(Action):
    """Choose which unit is lost."""

    verb: ClassVar[str] = "lose"
    owner: str = Field(description="Whose unit?")
    unit: Unit = Field(description="Which unit?")

    @classmethod
    def options(cls, s: State, seat: Seat) -> list[Lose]:
        due = s.battle.due if s.battle else None
        lost = s.losses_of(due.side, own_first=due.own_first, fort_too=due.fort_too) if due else []
        return [cls.of(owner, unit) for owner, unit in lost]

    def check(self, s: State, seat: Seat) -> None:
        if self not in self.options(s, seat):
            raise Illegal("{owner:Possessive} {unit} can't be lost here.", rule="SOE-9.10.3", unit=self.unit,
                          owner=self.owner)

    def label(self) -> Text:
        return text("{owner:Possessive} {unit}", unit=self.unit, owner=self.owner)
