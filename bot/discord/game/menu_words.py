"""What a menu says of kinds of answers, of values, and of what stands beside a choice."""
from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field as field_of
from math import inf
from typing import Any

from bot.discord.lengths import NAME, capital, clip
from engine.kernel import Action, Menus, Presentation, Seat, Table, place_of
from engine.text import Reader, Text, count, say, text

BEGINS = re.compile(r"\{(\w+)\}")              # a template that begins with a fact
SETTLED = 3                 # answers that a choice leaves open at most, if chance is told beside it: more of them seldom agree


def spoken(value: Any, reader: Reader) -> str:
    if isinstance(value, bool):
        return say(text("yes") if value else text("no"), reader)
    if isinstance(value, tuple):
        return ", ".join(spoken(item, reader) for item in value) or say(text("none"), reader)
    return reader.name(value) or say(text("none"), reader) if isinstance(value, str) else str(value)


def first_sentence(kind: type[Action]) -> str:
    doc = " ".join((kind.__doc__ or kind.verb).split())
    end = doc.find(". ")
    return clip(doc if end < 0 else doc[:end + 1], NAME)


def called(menus: Menus, kind: type[Action], reader: Reader) -> str:
    return capital(say(menus[kind.verb].called(kind.verb), reader))


def said(menus: Menus, action: Action, reader: Reader) -> str:
    """Return an answer by its label; a bare name says what is done with it: "Shift a market: Antigua"."""
    label, verb = say(action.label(), reader), called(menus, type(action), reader)
    bare = menus[action.verb].title and _is_name(action.label()) and verb.casefold() not in label.casefold()
    return f"{verb}: {label}" if bare else capital(label)


def _is_name(label: Text) -> bool:
    """True if a label begins with a name, and does not say what is done with it."""
    begins = BEGINS.match(label.template)
    if begins is None:
        return False
    fact = label.facts[begins[1]]
    return _is_name(fact) if isinstance(fact, Text) else True


def partly(shown: Presentation, chosen: Mapping[str, Any], reader: Reader) -> str:
    said = shown.partly(chosen)
    return say(said, reader) if said is not None else " · ".join(spoken(value, reader) for value in chosen.values())


def cost_of(options: Iterable[Action], state: Any, seat: Seat, reader: Reader) -> str:
    """Return what each of these answers costs, if all cost the same; "" if they differ or cost nothing."""
    return _shared(options, Action.cost, state, seat, reader)


def _shared(options: Iterable[Action], told: Callable[[Action, Any, Seat], Text | None], state: Any, seat: Seat,
            reader: Reader) -> str:
    """Return what all these answers tell by one of their methods; "" if they differ. Kinds that never tell anything are not
    asked."""
    shared, telling = None, dict[type[Action], bool]()
    for option in options:
        kind = type(option)
        tells = telling.setdefault(kind, getattr(kind, told.__name__) is not told)
        words = getattr(option, told.__name__)(state, seat) if tells else None
        said = "" if words is None else say(words, reader)
        if shared is not None and said != shared:
            return ""
        shared = said
    return shared or ""


def heading(table: Table, seat: Seat, reader: Reader) -> list[str]:
    purse = table.spec.views.purse(table.state, seat)
    return [f"-# {say(table.spec.words.moment(table.state), reader)}", *([say(purse, reader)] if purse is not None else [])]


@dataclass(frozen=True)
class ChoiceDetails:
    """What stands beside a choice: what its answers cost, and what chance may do to them, as far as they agree."""

    menus: Menus
    state: Any
    seat: Seat
    reader: Reader
    typed: bool                         # a number was typed that the answers need not list
    above: str                          # what all choices cost: it stands above them once
    summary: Callable[[str], Text | None] = lambda id: None     # what a tile, a card or a unit with this id does
    numbers: Mapping[str, int] = field_of(default_factory=dict)     # of the places of the map, as on the seat's own board
    areas: Mapping[str, str] = field_of(default_factory=dict)       # the part of the map in which each place lies

    def cost(self, answers: Iterable[Action]) -> str:
        return "" if self.above else cost_of(answers, self.state, self.seat, self.reader)

    def cost_and_hazard(self, answers: Sequence[Action]) -> str:
        hazard = _shared(answers, Action.hazard, self.state, self.seat, self.reader) if len(answers) <= SETTLED else ""
        return " · ".join(filter(None, (self.cost(answers), hazard)))

    def numbered(self, place: str, label: str) -> str:
        """A label with the number of its place, if places have numbers here: "3 · India"."""
        return f"{self.numbers[place]} · {label}" if place in self.numbers else label

    def rank(self, option: Action) -> float:
        """The number of an answer's place, to sort by; answers without one come last."""
        return self.numbers.get(place_of(self.menus, option), inf)

    def met(self, answer: Action) -> str:
        told = answer.meets(self.state, self.seat)
        return "" if told is None else say(told, self.reader)

    def choices_in(self, answers: Iterable[Action]) -> str:
        """How many places a part of the map offers."""
        places = {place_of(self.menus, answer) for answer in answers} if self.areas else set[str]()
        return say(count(len(places), "{n} place", "{n} places"), self.reader) if places & set(self.areas) else ""

    def effect(self, id: Any) -> str:
        """Return what a tile, a card or a unit with this id does; empty if there is nothing to say."""
        told = self.summary(id) if isinstance(id, str) else None
        return "" if told is None else say(told, self.reader)
