"""How menus, commands and forms offer the answers of each verb of Imperial Struggle."""
from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.games.imperial_struggle.actions.choices import Choose
from engine.games.imperial_struggle.events.money import treaty_points
from engine.games.imperial_struggle.state import State
from engine.games.imperial_struggle.words.outcomes import chosen
from engine.kernel import Menus, Presentation
from engine.text import Text, count, text


def _without(chosen: Mapping[str, Any]) -> Text | None:
    """Nothing in place of what helps, where that alone is still to be chosen: an empty choice has no name."""
    if chosen.get("reveal") == "" and not any(chosen.values()):
        return text("None: without its bonus")
    return text("None: at the full price") if chosen in ({"aid": ""}, {"advantage": ""}, {"huguenots": ""}) else None


def _choice(s: State, answer: Choose) -> Text | None:
    return chosen(s, answer.target)


def _debt(n: int) -> Text:
    return count(n, "{n} debt", "{n} debt")


def _bought(title: str, **more: Any) -> Presentation:
    """A purchase of an action round: whatever it is, one may take debt for it and spend treaty points on it."""
    return Presentation(title=title, amounts={"debt": _debt, "trp": treaty_points}, **more)


MENUS: Menus = {
    "bid": Presentation(title="bid for a side", typed=False, questions={"trp": text("Treaty points for the other?")},
                        amounts={"trp": treaty_points}),
    "yield": Presentation(typed=False),
    "discard": Presentation(title="discard events", piecewise="cards", questions={"cards": text("Event to discard?")}),
    "appoint": Presentation(title="lay down ministries", piecewise="cards", questions={
        "cards": text("Ministry to lay down?"), "third": text("Jacobite Uprisings third?")},
        amounts={"third": lambda _: text("Jacobite Uprisings third")}),
    "first": Presentation(title="name who goes first"),
    "take": Presentation(title="take a tile"),
    "pass": Presentation(),
    "event": Presentation(title="play an event", by_values=True, partly=_without,
                          questions={"reveal": text("Ministry to turn up for it?"),
                                     "waiver": text("Ministry that lets you play it?")}),
    "market": _bought("shift a market", where="space", partly=_without,
                      questions={"advantage": text("Advantage that makes it cheaper?"),
                                 "huguenots": text("Huguenots that make it cheaper?")}),
    "politics": _bought("shift a political space", where="space", partly=_without,
                        questions={"advantage": text("Advantage that makes it cheaper?")}),
    "draw": _bought("draw an event"),
    "tile": _bought("buy a bonus tile"),
    "clear": _bought("remove a conflict marker", where="space"),
    "fort": _bought("build, repair or take a fort", where="space"),
    "build": _bought("build a squadron", partly=_without, questions={"aid": text("What makes it cheaper?")}),
    "deploy": _bought("send a squadron", where="to"),
    "exchange": _bought("buy EP or DP", typed=False),
    "upgrade": Presentation(title="upgrade a war tile"),
    "swap": Presentation(title="swap two basic tiles", typed=False),
    "treaty": Presentation(title="take a treaty point", typed=False),
    "advantage": Presentation(title="use an advantage", where="target"),
    "bastion": _bought("use Naval Bastion", where="space", typed=False),
    "reveal": Presentation(title="turn up a ministry"),
    "ability": Presentation(title="use an ability"),
    "uprising": _bought("use Jacobite Uprisings", typed=False),
    "pay_first": Presentation(title="choose what pays first", typed=False),
    "end": Presentation(title="end the round"),
    "keep": Presentation(title="turn up no more", typed=False),
    "choose": Presentation(where="target", as_step=_choice),
    "pick": Presentation(where="target", typed=False, as_step=_choice),
    "assign": Presentation(title="assign basic tiles", typed=False),
    "conquer": Presentation(title="take a space", where="space", questions={"origin": text("Squadron from where?")}),
    "unflag": Presentation(title="take off a flag", where="space", typed=False),
    "losses": Presentation(title="have the losses taken", typed=False),
    "forgo": Presentation(title="give up the rest", typed=False),
    "cede": Presentation(title="cede it", typed=False),
    "refuse": Presentation(title="refuse to cede")}
