"""An order while it is written, one tap after the other: pure, and small enough for a row of a table.

A draft says by itself what comes next, so every tap is a function from a draft to a draft, and a restart loses nothing.
"""
from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, ValidationError

from engine import orders as od
from engine.kernel import GameSpec, Seat
from engine.refusals import Faulty, Refusal

ASK = "ask"                     # in place of an offer: no answer, ask me
BACKWARDS = 40                  # steps that can be taken back

Stage: TypeAlias = Literal["point", "offer", "slot", "most", "fact", "op", "value", "lines"]


class Part(BaseModel):
    """The line that is being written: from its question to its answer."""

    model_config = ConfigDict(frozen=True)
    point: str = ""
    offer: str = ""
    filled: Mapping[str, od.Wish] = {}
    wished: tuple[str, ...] = ()        # of a list, so far
    instead: bool = False


class Draft(BaseModel):
    """An order while it is written."""

    model_config = ConfigDict(frozen=True)
    kind: od.Kind = "standing"
    replaces: int = 0                   # the number of the order that it changes; 0: none
    lines: tuple[od.OrderLine, ...] = ()
    at: int = 0                         # the line of which conditions and costs speak
    part: Part | None = Part()
    point: str = ""                     # the question that its lines answer; of a written turn: the main one
    fact: str | None = None             # a condition is being added: of what; "" if that is not chosen
    op: od.Op | None = None
    lasts: str = od.ALWAYS
    times: int | None = None


class DraftHistory(BaseModel):
    """A draft, with the drafts before it, and a number that tells an earlier screen from the present one."""

    now: Draft
    before: tuple[Draft, ...] = ()
    step: int = 0

    def next(self, draft: Draft) -> DraftHistory:
        return DraftHistory(now=draft, before=(*self.before, self.now)[-BACKWARDS:], step=self.step + 1)

    def back(self) -> DraftHistory:
        """One step back; the first step stays."""
        *before, now = self.before or (self.now,)
        return DraftHistory(now=now, before=tuple(before), step=self.step + 1)


def desk_from(body: str | None) -> DraftHistory | None:
    """Return what was stored; None if nothing was, or nothing that this version can read."""
    try:
        return None if body is None else DraftHistory.model_validate_json(body)
    except ValidationError:
        return None


def of_order(order: od.Order) -> Draft:
    return Draft(kind=order.kind, replaces=order.id, lines=order.lines, part=None, point=order.points[0], lasts=order.lasts,
                 times=order.times)


def for_point(ordering: od.Ordering, no: str) -> Draft:
    """A draft for one question. Raises Faulty."""
    point = _point(ordering, no)
    return Draft(point=no, part=Part(point=no), lasts=point.lasts[0])


def turn(ordering: od.Ordering) -> Draft:
    """A draft of a written turn. Raises Faulty."""
    if not ordering.written:
        raise Faulty("You can't write turns ahead in this game.")
    main = ordering.written[0]
    return Draft(kind="written", point=main, part=Part(point=main), lasts=od.TURN)


def points_of(ordering: od.Ordering, draft: Draft) -> tuple[str, ...]:
    return ordering.written if draft.kind == "written" else (draft.point,)


def finished(ordering: od.Ordering, draft: Draft, seat: Seat) -> od.Order:
    points = points_of(ordering, draft)
    return od.Order(seat=seat, kind=draft.kind, points=points, lines=draft.lines, lasts=draft.lasts, times=draft.times)


# --- what comes next ------------------------------------------------------------------------------------------

def stage(ordering: od.Ordering, draft: Draft) -> Stage:
    """Return what is to be chosen next; `lines`: nothing has to be."""
    if draft.part is not None:
        if not draft.part.point:
            return "point"
        if not draft.part.offer:
            return "offer"
        return "slot" if blank(ordering, draft) is not None else "most"
    if draft.fact is None:
        return "lines"
    return "fact" if not draft.fact else "op" if draft.op is None else "value"


def offered(ordering: od.Ordering, draft: Draft) -> od.Offer | None:
    """The answer that has been chosen for the line that is being written."""
    return _point(ordering, draft.part.point).offer(draft.part.offer) if draft.part is not None and draft.part.point else None


def blank(ordering: od.Ordering, draft: Draft) -> od.Slot | None:
    """The blank of that answer that is filled next."""
    offer = offered(ordering, draft)
    if offer is None or draft.part is None:
        return None
    return next((slot for slot in offer.slots if slot.field not in draft.part.filled), None)


def question(ordering: od.Ordering, draft: Draft) -> od.Point:
    """The question that the lines answer; of a written turn the main one. Raises Faulty."""
    return _point(ordering, draft.point)


def offers(ordering: od.Ordering, draft: Draft) -> list[tuple[str, od.Offer]]:
    """The answers that can be chosen for a line, each with its question; in a written turn those of the whole turn."""
    found: dict[str, tuple[str, od.Offer]] = {}
    for no in ordering.written if draft.kind == "written" else (draft.point,):
        for offer in _point(ordering, no).offers:
            found.setdefault(offer.key, (no, offer))
    return list(found.values())


def condition_keys(ordering: od.Ordering, draft: Draft) -> tuple[str, ...]:
    """The conditions that make sense for the line of which is spoken."""
    points = ordering.written if draft.kind == "written" else (draft.point,)
    return tuple(dict.fromkeys(key for no in points for key in _point(ordering, no).conditions))


# --- one tap ---------------------------------------------------------------------------------------------------

def chosen(ordering: od.Ordering, draft: Draft, value: str) -> Draft:
    """The draft after a value was chosen for what comes next. Raises Refusal."""
    part = draft.part
    match stage(ordering, draft):
        case "point":
            lasts = _point(ordering, value).lasts[0]
            return _writing(draft, point=value).model_copy(update={"point": value, "lasts": lasts})
        case "offer":
            assert part is not None, "a line is being written"
            if value in (ASK, od.DEFAULT):
                then = None if value == ASK else od.Reply(verb=od.DEFAULT)
                return _with_line(draft, od.OrderLine(then=then, instead=part.instead))
            no, _, key = value.partition(";")
            if _point(ordering, no).offer(key) is None:
                raise Faulty("That choice no longer exists.")
            return _complete(ordering, _writing(draft, point=no, offer=key))
        case "slot":
            return _filled(ordering, draft, value)
        case "most":
            return _complete(ordering, draft, most=number(value))
        case "fact":
            if value not in condition_keys(ordering, draft):
                raise Faulty("That condition no longer exists.")
            return draft.model_copy(update={"fact": value})
        case "op":
            return _compared(ordering, draft, value)
        case "value":
            return _tested(ordering, draft, value)
        case "lines":
            at = number(value)
            return draft.model_copy(update={"at": min(at, len(draft.lines) - 1)})


def wished(ordering: od.Ordering, draft: Draft) -> Draft:
    """The list in order of wish is complete."""
    slot, part = blank(ordering, draft), draft.part
    if slot is None or part is None or not part.wished:
        raise Refusal("Choose at least one.")
    return _complete(ordering, _writing(draft, filled={**part.filled, slot.field: part.wished}, wished=()))


def another_line(draft: Draft, *, instead: bool = False) -> Draft:
    """A further line, below the others; `instead`: a way out for the line that is spoken of. Raises Refusal."""
    if len(draft.lines) >= od.LINES:
        raise Refusal("An order can have {most} lines at most.", most=od.LINES)
    at = draft.at + 1 if instead else len(draft.lines)
    return draft.model_copy(update={"part": Part(point=draft.point, instead=instead), "at": at})


def without_line(draft: Draft) -> Draft:
    """The line that is spoken of goes; of the last one a new one is written."""
    lines = (*draft.lines[:draft.at], *draft.lines[draft.at + 1:])
    if not lines:
        return draft.model_copy(update={"lines": (), "at": 0, "part": Part(point=draft.point)})
    return draft.model_copy(update={"lines": lines, "at": min(draft.at, len(lines) - 1)})


def changed(draft: Draft, **line: object) -> Draft:
    """The line that is spoken of, with something else in it."""
    lines = [one.model_copy(update=line) if place == draft.at else one for place, one in enumerate(draft.lines)]
    return draft.model_copy(update={"lines": tuple(lines)})


def number(typed: str) -> int:
    """A whole number that somebody typed. Raises Refusal."""
    words = typed.strip()
    if not words.isdecimal() or len(words) > len(str(od.NUMBERS)) or int(words) > od.NUMBERS:
        raise Refusal("Type a whole number from 0 to {most}.", most=od.NUMBERS)
    return int(words)


def _filled(ordering: od.Ordering, draft: Draft, value: str) -> Draft:
    slot, part = blank(ordering, draft), draft.part
    assert slot is not None and part is not None, "a blank is being filled"
    if slot.kind == "list":
        return _writing(draft, wished=tuple(dict.fromkeys([*part.wished, value])))
    wish: od.Wish = value if slot.kind == "choice" else number(value)
    return _complete(ordering, _writing(draft, filled={**part.filled, slot.field: wish}))


def _writing(draft: Draft, **part: object) -> Draft:
    """The draft, with something else in the line that is being written."""
    return draft.model_copy(update={"part": (draft.part or Part()).model_copy(update=part)})


def _complete(ordering: od.Ordering, draft: Draft, most: int | None = None) -> Draft:
    """The draft, with its line among the others once nothing in it is missing."""
    offer, part = offered(ordering, draft), draft.part
    if offer is None or part is None or blank(ordering, draft) is not None or (offer.capped and most is None):
        return draft
    return _with_line(draft, od.OrderLine(then=offer.reply(part.filled), most=most, instead=part.instead, costly=offer.meant))


def _with_line(draft: Draft, line: od.OrderLine) -> Draft:
    return draft.model_copy(update={"lines": (*draft.lines[:draft.at], line, *draft.lines[draft.at:]), "part": None})


def _compared(ordering: od.Ordering, draft: Draft, value: str) -> Draft:
    """How the condition compares; of a flag that is all there is to choose."""
    condition = ordering.condition(draft.fact or "")
    ops: dict[str, od.Op] = {"is": "is", "is_not": "is_not", "at_least": "at_least", "at_most": "at_most"}
    op = ops.get(value)
    if condition is None or op is None:
        raise Faulty("That condition no longer exists.")
    if condition.kind == "flag":
        return _with_test(draft, od.Test(fact=condition.key, value=op == "is"))
    return draft.model_copy(update={"op": op})


def _tested(ordering: od.Ordering, draft: Draft, value: str) -> Draft:
    condition = ordering.condition(draft.fact or "")
    if condition is None or draft.op is None:
        raise Faulty("That condition no longer exists.")
    wanted = number(value) if condition.kind == "number" else value
    return _with_test(draft, od.Test(fact=condition.key, op=draft.op, value=wanted))


def _with_test(draft: Draft, test: od.Test) -> Draft:
    done = changed(draft, when=(*draft.lines[draft.at].when, test))
    return done.model_copy(update={"fact": None, "op": None})


def _point(ordering: od.Ordering, no: str) -> od.Point:
    point = ordering.point(no)
    if point is None:
        raise Faulty("It's too late to decide that in advance.")
    return point


def ordering_of(spec: GameSpec) -> od.Ordering:
    """Return what a game says of orders. Raises Faulty: it takes none."""
    if spec.orders is None:
        raise Faulty("This game has no standing orders.")
    return spec.orders
