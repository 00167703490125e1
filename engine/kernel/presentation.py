"""How the answers of a verb are offered in menus, commands and forms: what a game says of each of its verbs, as data."""
from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from engine.kernel.actions import Action
from engine.kernel.seats import Seat
from engine.text import Text, text


@dataclass(frozen=True)
class Sheet:
    """A form that gives several answers of one kind, one after the other: it has a line for each value of one field, and what is
    filled in there is another field. The fields before them are the same in all lines; those behind have the first value listed.

    Only for answers that need no warning and no odds, and after which nobody else is asked and nothing is rolled.
    """

    line: str               # "unit": what each line is about
    amount: str             # "number": what is filled in


@dataclass(frozen=True, kw_only=True)
class Presentation:
    """How the answers of one verb are offered."""

    title: str = ""                     # what menus call the verb; "": by its name
    typed: bool = True                  # False: a tap alone gives it; a group has room for 25 commands
    where: str = ""                     # the field that names the place of the map at which it acts
    steps: tuple[tuple[str, ...], ...] = ()         # in which order a menu asks the fields; those of a group at once
    piecewise: str = ""                 # a field of several values for which a menu asks one after the other
    several: str = ""                   # what a menu asks where the fields of the first group are chosen at once
    by_values: bool = False             # a list of the last field shows the values alone, below what was chosen before
    gives_up: bool = False              # it ends or drops what goes on, so its button doesn't stand out
    sheet: Sheet | None = None          # how a form takes several answers at once
    questions: Mapping[str, Text] = field(default_factory=dict)     # field -> what a menu asks for it, if not its description
    amounts: Mapping[str, Callable[[int], Text]] = field(default_factory=dict)
    # field of a number or a switch -> what a list of answers says of it, if they share it: "15 gold"
    partly: Callable[[Mapping[str, Any]], Text | None] = lambda chosen: None
    # what a menu says of these fields of an answer, while others are open; None: their values, one after the other
    budget: Callable[[Any, Seat], Text | None] = lambda state, seat: None
    # what the seat can spend on such answers, as the heading of a form tells it; None if they cost nothing
    as_step: Callable[[Any, Any], Text | None] = lambda state, answer: None
    # an answer as a sentence in its seat's plan, where its label is a bare name: "You keep Dover"; None: the label will do

    def called(self, verb: str) -> Text:
        """What menus call this verb: by its title, or by its name."""
        return text(self.title) if self.title else text("{verb}", verb=verb)

    def question(self, kind: type[Action], field: str) -> Text:
        """The question by which a menu asks for a field: "Which area do you attack?"."""
        return self.questions.get(field) or text(kind.model_fields[field].description or field.replace("_", " "))

    def fields(self) -> Iterator[str]:
        sheet = (self.sheet.line, self.sheet.amount) if self.sheet is not None else ()
        steps = (name for group in self.steps for name in group)
        yield from filter(None, (self.where, self.piecewise, *sheet, *self.questions, *self.amounts, *steps))


Menus: TypeAlias = Mapping[str, Presentation]
"""Verb to its presentation."""


def unfit(menus: Menus, kinds: Iterable[type[Action]]) -> list[str]:
    """Return what is wrong with the presentations of these kinds of answers: verbs without one, unknown verbs, unknown fields."""
    known = {kind.verb: kind for kind in kinds}
    return [*(f"{verb} has no presentation" for verb in known if verb not in menus),
            *(f"{verb} is presented and no verb" for verb in menus if verb not in known),
            *(f"{verb} has no field {name}" for verb, shown in menus.items() if verb in known
              for name in shown.fields() if name not in known[verb].model_fields)]


def place_of(menus: Menus, action: Action) -> str:
    """The place of the map at which an answer acts; "" if there is none."""
    where = menus[action.verb].where
    return str(getattr(action, where)) if where else ""
