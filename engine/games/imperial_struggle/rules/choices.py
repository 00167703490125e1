"""Asking a side for one of several ids, and drawing at random."""
from __future__ import annotations

from collections.abc import Iterable, Sequence

from engine.games.imperial_struggle.actions.choices import NONE, Choose, ChooseSecretly
from engine.games.imperial_struggle.components import Side
from engine.games.imperial_struggle.events.choices import ChoiceMade, ChoiceOpened, OpponentAsked
from engine.games.imperial_struggle.state import State
from engine.kernel import Ask, Game, Script, put, roll
from engine.kernel.questions import Aim
from engine.text import Fact


def choose(g: Game[State], side: Side, targets: Iterable[str], /, *, point: str, prompt: str, what: str = "", source: str = "",
           optional: bool = False, secret: bool = False, default: str = "", **about: Fact) -> Script[str]:
    """The id that a side chooses; "" if it may choose none and does, or if there is nothing to choose [IS-18.29, 18.30].

    A single target is taken without a question, unless it is optional or secret. `default` is what silence chooses: an id,
    "none", or, left out, the first target. `secret`: the targets tell what only this side may know, its tiles or cards.
    """
    listed = tuple(dict.fromkeys(targets))
    if not listed:
        return ""
    if len(listed) == 1 and not optional and not secret:
        return listed[0]
    active = g.state.active
    opened = OpponentAsked if active is not None and active != side else ChoiceOpened
    g.emit(opened(side=side, targets=listed, optional=optional, secret=secret, what=what, source=source))
    kind = ChooseSecretly if secret else Choose
    answer = yield from put(Ask(g.state.seat(side), (kind,), prompt, point, kind.of(default or listed[0]), about))
    assert isinstance(answer, Choose), "the question accepts nothing else"
    g.emit(ChoiceMade())
    return "" if answer.target == NONE else answer.target


def drawn(pile: Sequence[str], number: int, /, *, why: str, **about: Aim) -> Script[list[str]]:
    """So many ids at random from a pile, in the order of the draw; fewer if it holds fewer. The pile itself stays as it is.

    `why` and `about` are what is drawn for, and nothing secret; the same words in every later version (`roll`).
    """
    left = list(pile)
    number = min(number, len(left))
    if not number:
        return []
    values = yield from roll(*range(len(left), len(left) - number, -1), why=why, **about)
    return [left.pop(value - 1) for value in values]
