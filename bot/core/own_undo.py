"""What of the own last answer its seat can take back alone, and since when its moves are its player's own."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bot.store import Ledger
from engine import undo
from engine.kernel import Aside, Decree, Event, GameSpec, Row, Seat, Stirred, Table, parse_events
from engine.refusals import Refusal
from engine.text import template, text

OFTEN = 3                   # times that one answer can be taken back
MORE = text("You can ask the others to agree. The game master can undo it, too.")
MASTERLY = text("The game master can undo it.")
SHOWN = template("Dice have been rolled or something was drawn since, so you can't undo this alone. {more}")
BOUND = template("Your last move drew or showed something, or asked somebody else, so you can't undo it alone. {more}")


@dataclass(frozen=True, kw_only=True, slots=True)
class LastAnswer:
    """What the log says of the newest answer of all, and of a seat's own last one."""

    newest: int                     # the last row of any kind
    own: bool                       # the seat has an answer in force that the others could agree to undo
    taken: Sequence[Row] | None     # what taking the seat's own last answer back would undo; None: the log doesn't allow it


def last_answer(ledger: Ledger, spec: GameSpec, game: int, seat: Seat) -> LastAnswer:
    rows, taken = ledger.log.outline(game), None
    try:
        to = own_target(spec, rows, seat, since=own_since(ledger, game, seat))
    except Refusal:
        pass
    else:
        undone = {row.no for row in undo.undone_rows(rows, to)}
        taken = [row for row in ledger.log.rows(game, since=to) if row.no in undone]
    lowest = floor(ledger, game)
    return LastAnswer(newest=rows[-1].no if rows else 0, taken=taken, own=any(
        row.seat == seat and row.by in undo.DECISIONS and row.no > lowest for row in undo.line(rows).rows))


def taken_events(spec: GameSpec, rows: Sequence[Row], whole: Sequence[Row], to: int) -> list[Event]:
    """Return what a return to row `to` would take back; some of it may have shown what was hidden. `whole`: all rows after that
    one."""
    taken = {row.no for row in undo.undone_rows(rows, to)}
    return [event for row in whole if row.no in taken for event in parse_events(spec, row.events)]


def floor(ledger: Ledger, game: int) -> int:
    branch = ledger.undo.branch(game)
    return 0 if branch is None else branch.row


def own_since(ledger: Ledger, game: int, seat: Seat) -> int:
    """The row after which a seat's moves are its present player's own: nobody undoes those of the player before [P-42]."""
    tenure = ledger.seats.tenure(game, seat)
    return max(floor(ledger, game), 0 if tenure is None else tenure.row)


def own_target(spec: GameSpec, log: Sequence[Row], seat: Seat, *, since: int = 0) -> int:
    """Where taking back a seat's own last answer returns to, if it was given in a row after `since`.

    Raises Refusal if somebody may have learnt something since, not telling apart who else has answered, and how: a person, an
    order or the clock; and if the seat has changed its mind often enough, since each time the clock begins anew.
    """
    in_force = undo.line(log).rows
    moved = any(row.seat == seat and row.by in undo.DECISIONS and row.no > since for row in in_force)
    for index in range(len(in_force) - 1, -1, -1) if moved else ():
        row = in_force[index]
        if row.no <= since:
            break
        if row.by == "dice" and row.verb != Stirred.verb:
            raise Refusal(SHOWN, more=MORE)
        if row.by not in undo.DECISIONS:
            continue
        if row.seat != seat:
            raise Refusal("Somebody else has moved since, so you can't undo this alone. {more}", more=MORE)
        if row.by != "player":
            raise Refusal("You didn't make your last move yourself, so you can't undo it alone. {more}", more=MORE)
        kind = spec.verb(row.verb)
        if kind is not None and issubclass(kind, (Aside, Decree)):
            raise Refusal("Your last action took effect at once, so you can't undo it alone. {more}", more=MORE)
        to = in_force[index - 1].no if index else 0
        own = [undo.Rewind.model_validate_json(row.answer) for row in log if row.verb == undo.REWIND and row.seat == seat]
        if sum(back.to == to for back in own if back.kind == "undo") >= OFTEN:
            raise Refusal("You've already undone this move {n} times, so now it stays. {more}", n=OFTEN,
                          more=MORE)
        return to
    raise Refusal("You haven't made a move yet that you could undo.")


def why_not_alone(table: Table, seat: Seat, events: Sequence[Event]) -> str | None:
    """Why a seat can't undo these events alone, which have led to this table: a template; None if nobody has learnt by them."""
    if table.spec.rules.reveals(table.state, seat, events):
        return SHOWN
    return BOUND if any(event.binds for event in events) or undo.confided(events, table.state, seat) else None


def require_open(table: Table) -> None:
    """While several are asked at once, nobody may learn by a return who of them has answered (P-28). Raises Refusal."""
    if len(table.asks) > 1:
        raise Refusal("Several players move at once, and who has moved is secret. Nothing can be undone until all have. {more}",
                      more=MASTERLY)


