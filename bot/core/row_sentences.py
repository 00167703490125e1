"""What a stored row says: what everybody may read of it, and its answer for whoever gave it."""
from __future__ import annotations

from pydantic import ValidationError

from bot.domain.announcements import member, told_of
from engine.kernel import Aside, GameSpec, Row, Seat, parse_events
from engine.proxies import read
from engine.text import Text, text, verbatim
from engine.undo import REWIND, Rewind

MODERATOR = "moderator"         # the seat and the word of rows that return


def place(row: int) -> Text:
    return text("step {row}", row=row) if row else text("the beginning")


def sentences(spec: GameSpec, row: Row) -> list[Text]:
    """Return what everybody may read of a stored row: its events speak, never its answer; and who answered in the seat's name."""
    if row.verb == REWIND:
        turning = Rewind.model_validate_json(row.answer)
        back, master = place(turning.to), read(row.proxy)
        if turning.kind == "asked":
            return [text("Everybody agreed, so {seat} went back to {place}.", seat=row.seat, place=back)]
        if row.by != MODERATOR:
            return [text("{seat} undid the last move, back to {place}.", seat=row.seat, place=back)]
        redone = turning.kind == "redo"
        if master is None or master.user is None:
            return [text("The game master undid the undo: back to {place}." if redone else
                         "The game master went back to {place}.", place=back)]
        return [text("Game master {member} redid what was undone: back to {place}." if redone else
                     "Game master {member} went back to {place}.", place=back, member=member(master.user))]
    try:
        return told_of(Seat(row.seat), row.proxy, parse_events(spec, row.events))
    except (KeyError, ValidationError):         # written by another version of the rules
        return [text("Step {row} can no longer be read.", row=row.no)]


def unspoken(spec: GameSpec, row: Row) -> Text | None:
    """That a row was answered in a seat's name, where `sentences` do not say so; None for what not everybody may know of."""
    proxy, kind = read(row.proxy), spec.verb(row.verb)
    if proxy is None or proxy.automatic or row.verb == REWIND or kind is None or (sentences(spec, row) and not proxy.sealed):
        return None
    return None if issubclass(kind, Aside) else proxy.alone(row.seat)


def answered(spec: GameSpec, row: Row) -> Text:
    """The answer of a stored row in words, for whoever gave or ordered it; its verb alone, if another version wrote it."""
    kind = spec.verb(row.verb)
    try:
        return verbatim(row.verb) if kind is None else kind.model_validate_json(row.answer).label()
    except ValidationError:
        return verbatim(row.verb)


def by_order(answer: Text) -> Text:
    """Return what the author of a standing order is told when it has answered, and nobody else."""
    return text("Your standing order played: {answer}.", answer=answer)
