"""How long a game waits for an answer: its clock, and the deadline of each question. Pure: the store keeps the rows.

A deadline counts the time that its player has been awake. It is settled whenever something changes that (a pause, a vacation,
other waking hours, a bot that was off): what has run so far is noted, and the rest runs from then on.
"""
from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, Literal

from bot.domain.waking_hours import Hours, Nudges
from engine.catalog import GAMES
from engine.kernel import CHANCE, Aside, Ask, Entry, Seat, Table
from engine.orders import EACH, TURN, Ordering, Pace
from engine.refusals import Faulty
from engine.text import Text, count, text, verbatim

HOUR = timedelta(hours=1)
DECIDED = ("player", "order", "clock", "moderator")             # on whose word a row answers a question for a person
FLOOR = HOUR                            # that an answer gets although its bank is empty
HERE = timedelta(minutes=5)             # after an answer its player is still here, and is not notified of the next question
UNCALLED = -1                           # reminders of a question that has notified nobody: a first one takes its place
LAST = timedelta(hours=3)               # before the end: the second reminder, or at a sixth of the time if that is less
SHORT = timedelta(hours=6)              # of less time than this there is one reminder
NOTICED = -2                            # reminders of a question of which its player wants to be told by direct message, too
DISTANCES: Mapping[Nudges, Sequence[int]] = {       # days before each reminder of a game without a clock, and no further one
    "growing": (1, 2, 4, 7, 7, 7), "daily": (1,) * 6, "once": (1,), "none": ()}
MOST, MOST_REFILL = 720, 168            # hours of a clock, and of what comes to a bank

ANSWER = "answer"                       # hours come back with each answer, or else with each span of the game by which it counts
STRETCHES = {TURN, *(span.key for spec in GAMES if spec.orders is not None for span in spec.orders.durations if span.each)}
NOTATION = re.compile(
    rf"(?P<bank>bank )?(?P<hours>\d{{1,4}})h?(\+(?P<refill>\d{{1,4}})h?(/(?P<per>{'|'.join([ANSWER, *sorted(STRETCHES)])}))?)?")


@dataclass(frozen=True, kw_only=True)
class Clock:
    """How long a game waits, in hours of whoever is asked; without hours it waits for ever.

    Without a bank it is shared out as the points of the game say (`Pace`). Of a bank, every answer takes its time from what the
    seat has left; `refill` hours come back to it with each answer, or with each turn or whatever else the game counts by, up to
    what it began with. It is written "none", "24h", "bank 72h+6h" or "bank 72h+24h/turn".
    """

    hours: int = 0
    bank: bool = False
    refill: int = 0
    per: str = ANSWER                   # or the key of a span of a game

    def written(self) -> str:
        """The clock in one word or two, as `read` understands it."""
        if not self.hours:
            return "none"
        if not self.bank:
            return f"{self.hours}h"
        more = f"+{self.refill}h{'' if self.per == ANSWER else f'/{self.per}'}" if self.refill else ""
        return f"bank {self.hours}h{more}"

    def suited(self, ordering: Ordering | None) -> Clock:
        """Return this clock as a game counts time: hours that come back do so with each turn, or whatever else it counts by."""
        if self.per == ANSWER:
            return self
        return replace(self, per=TURN if ordering is None else ordering.stretch or ANSWER)

    def portion(self, pace: Pace) -> timedelta:
        """Return what questions of a kind get, in whole hours: at least one."""
        return max(round(self.hours * pace.share), 1) * HOUR

    def text(self, ordering: Ordering | None = None) -> Text:
        if not self.hours:
            return text("no time limit")
        if not self.bank:
            return self._shared_out(ordering.paces() if ordering is not None else [EACH])
        hours, more = count(self.hours, "{n} hour", "{n} hours"), count(self.refill, "{n} hour", "{n} hours")
        if not self.refill:
            return text("a bank of {hours} for each seat", hours=hours)
        back = self._back(self.suited(ordering).per, ordering)
        return text("{hours} in each player's time bank, plus {more} {back}", hours=hours, more=more, back=back)

    def brief(self) -> Text:
        """The clock in a few words, as a sentence."""
        hours = count(self.hours, "{n} hour", "{n} hours")
        return text("No clock.") if not self.hours else text("Time bank: {hours}.", hours=hours) if self.bank else text(
            "Clock: {hours}.", hours=hours)

    @staticmethod
    def _back(per: str, ordering: Ordering | None) -> Text:
        """When hours come back to a bank."""
        if per == ANSWER:
            return text("with each move")
        each = next((span.each for span in ordering.durations if span.key == per), None) if ordering is not None else None
        return each or text("with each turn, or whatever else a game counts by")

    def _shared_out(self, paces: Sequence[Pace]) -> Text:
        """Return what each kind of questions gets: "24 hours for each turn, 8 for each answer out of turn"."""
        kinds = list(dict.fromkeys((self.portion(pace) // HOUR, pace.words) for pace in paces))
        parts = [Text(words, {"hours": hours if place else count(hours, "{n} hour", "{n} hours")})
                 for place, (hours, words) in enumerate(kinds)]
        return Text(", ".join(f"{{p{place}}}" for place in range(len(parts))),
                    {f"p{place}": part for place, part in enumerate(parts)})


NONE = Clock()


def read(words: str) -> Clock:
    """The clock that is written so. Raises Faulty."""
    plain = " ".join(words.casefold().split())
    if plain in ("none", "off", "no", ""):
        return NONE
    found = NOTATION.fullmatch(plain)
    if found is None or (found["refill"] and not found["bank"]):
        raise Faulty("I can't read the clock \"{words}\". Write none, 24h for each move, or bank 72h+6h: a bank of 72 hours "
                     "and 6 more with each move.", words=verbatim(words.strip()[:40]))
    hours, refill = int(found["hours"]), int(found["refill"] or 0)
    if not 1 <= hours <= MOST:
        raise Faulty("A clock can have 1 to {most} hours, so {hours} won't do.", most=MOST, hours=hours)
    if refill > MOST_REFILL:
        raise Faulty("A bank can get back {most} hours at most, so {hours} won't do.", most=MOST_REFILL, hours=refill)
    return Clock(hours=hours, bank=bool(found["bank"]), refill=refill, per=found["per"] or ANSWER)


# --- one deadline ---------------------------------------------------------------------------------------------

Given = Literal["", "yes", "clock"]


@dataclass(frozen=True, kw_only=True)
class Deadline:
    """Until when a seat has to answer a question. It stays until all who were asked together have answered [P-13]."""

    game: int
    seat: Seat
    user: int
    asked_at: int                       # the row that led to the question
    since: datetime | None              # from when the time runs; None: it stands still
    spent: timedelta = timedelta()      # what had run before that, less what has run since although the bot was off
    allowed: timedelta | None = None    # None: the game has no clock
    extra: timedelta = timedelta()      # by extensions
    due_at: datetime | None = None
    remind_at: datetime | None = None
    reminded: int = 0                   # reminders so far, or UNCALLED
    given: Given = ""                   # whether the answer is in, and whether the clock gave it
    span: str = ""                      # the stretch whose time it shares with other answers, such as a turn; "": none

    @property
    def total(self) -> timedelta:
        return (self.allowed or timedelta()) + self.extra

    def reminds(self, by: datetime) -> bool:
        """True if a reminder is due at this moment."""
        return self.remind_at is not None and self.remind_at <= by

    def used(self, now: datetime, hours: Hours) -> timedelta:
        """The time awake that has run so far."""
        return self.spent + (hours.between(self.since, now) if self.since is not None else timedelta())

    def stopped(self, now: datetime, hours: Hours) -> Deadline:
        """Return this deadline, standing still from now on."""
        return replace(self, spent=self.used(now, hours), since=None, due_at=None, remind_at=None)

    def running(self, now: datetime, hours: Hours) -> Deadline:
        """Return this deadline, which stood still, running from now on."""
        due = None if self.allowed is None else hours.after(now, max(self.total - self.spent, timedelta()))
        going = replace(self, since=now, due_at=due)
        return replace(going, remind_at=going._reminder(now, hours))

    def moved(self, now: datetime, before: Hours, after: Hours) -> Deadline:
        """Return this deadline once its player's hours are others; without a clock nothing runs that could change."""
        if self.since is None or self.allowed is None:
            return self
        return self.stopped(now, before).running(now, after)

    def nudged(self, now: datetime, hours: Hours) -> Deadline:
        """Return this deadline once its player wants to be reminded in another way: from now on."""
        if self.since is None:
            return replace(self, remind_at=None)
        return replace(self, remind_at=replace(self, spent=self.used(now, hours))._reminder(now, hours))

    def forgiven(self, since: datetime, now: datetime, hours: Hours) -> Deadline:
        """Return this deadline without the time since a moment: the bot was off, or the wall clock was set."""
        if self.since is None:
            return self
        if now < since:
            return self if self.allowed is None else self.stopped(max(since, self.since), hours).running(now, hours)
        since = max(since, self.since)
        kept = replace(self, spent=self.spent - hours.between(since, now))
        if self.allowed is None:
            later = None if self.remind_at is None else hours.after(self.remind_at + (now - since), timedelta())
            return replace(kept, remind_at=later)
        due, spent = hours.after(now, max(kept.total - kept.used(now, hours), timedelta())), kept.used(now, hours)
        return replace(kept, due_at=due, remind_at=replace(kept, spent=spent)._reminder(now, hours))

    def extended(self, by: timedelta, now: datetime, hours: Hours) -> Deadline:
        """Return this deadline with more time; the reminder before the end comes again, since the end is another."""
        longer = replace(self.stopped(now, hours), extra=self.extra + by, reminded=min(self.reminded, 1))
        return longer.running(now, hours) if self.since is not None else longer

    def after_reminder(self, now: datetime, hours: Hours) -> Deadline:
        """Return this deadline after a reminder."""
        once_more = replace(self, reminded=max(self.reminded, UNCALLED) + 1)
        return replace(once_more, remind_at=replace(once_more, spent=self.used(now, hours))._reminder(now, hours))

    def _reminder(self, now: datetime, hours: Hours) -> datetime | None:
        """When the next reminder comes: always while its player is awake."""
        if self.reminded in (UNCALLED, NOTICED):
            return hours.after(now + HERE, timedelta())
        if self.allowed is None:
            further = DISTANCES[hours.nudges][self.reminded:]
            return hours.after(now + timedelta(days=further[0]), timedelta()) if further else None
        if hours.nudges == "none" or self.reminded > (0 if self.total < SHORT else 1):
            return None
        at = self.total / 2 if self.reminded == 0 else self.total - min(LAST, self.total / 6)
        return hours.after(now, max(at - self.spent, timedelta()))


@dataclass(frozen=True, kw_only=True)
class Answered:
    """What an answer took, beside its row: while the row is in force it counts against the bank."""

    no: int
    seat: Seat
    user: int
    seconds: int                        # without what was given by extensions: below 0 if less was needed than that
    missed: bool                        # the clock gave it
    stretch: str                        # the span in which the question was answered, if the game counts time by such
    span: str = ""                      # the stretch whose time it shared


def allowance(clock: Clock, past: Sequence[Answered], stretch: str, pace: Pace = EACH, span: str = "") -> timedelta | None:
    """The time for the next answer of a seat, after these in force; `span`: that whose time it shares with some of them."""
    if not clock.hours:
        return None
    if not clock.bank:
        return max(clock.portion(pace) - sum([timedelta(seconds=old.seconds) for old in past if span and old.span == span],
                                           timedelta()), FLOOR)
    full = clock.hours * HOUR
    left, then, refill = full, past[0].stretch if past else stretch, clock.refill * HOUR
    for old in past:
        if clock.per != ANSWER and old.stretch != then:
            left, then = min(full, left + refill), old.stretch
        left = max(left - timedelta(seconds=max(old.seconds, 0)), timedelta())
        if clock.per == ANSWER:
            left = min(full, left + refill)
    if clock.per != ANSWER and stretch != then:
        left = min(full, left + refill)
    return max(left, FLOOR)


# --- all deadlines of a game ----------------------------------------------------------------------------------------

@dataclass(frozen=True, kw_only=True)
class DeadlineUpdate:
    """What a transaction leaves: the deadlines, what the new answers took, and whose default may be announced now."""

    deadlines: Sequence[Deadline]
    answered: Sequence[Answered]
    missed: Sequence[Seat]


def deadlines(game: int, table: Table, old: Sequence[Deadline], entries: Sequence[Entry], *, users: Mapping[Seat, int],
              running: bool, returned: bool, quiet: Collection[Seat] = (), now: datetime, hours: Callable[[int], Hours],
              allowed: Callable[[Ask[Any], Sequence[Answered]], timedelta | None]) -> DeadlineUpdate:
    """The deadlines of a game after a transaction, of the rows that it had and of what is new at its table.

    `returned`: the transaction takes rows back, so nobody has answered what was open. `hours` gives those of a member;
    `allowed` the time for the answer to a question, after those of this transaction. New questions to the seats in `quiet` notify
    nobody, so a reminder follows soon. A seat that nobody holds, or that
    is away, has none.
    """
    known = {deadline.seat: deadline for deadline in old}
    waiting = {question.seat for question in table.waiting()}
    answered: list[Answered] = []
    if not returned:
        for seat, entry in _first_answers(entries).items():
            asked = known.get(seat)
            if asked is None or asked.given or (seat in waiting and asked.asked_at == table.asked_at):
                continue                                # or it has answered a part, and its time runs on
            by_clock = entry.by == "clock" and asked.due_at is not None and asked.due_at <= now     # no default of an absence
            took = (asked.used(now, hours(asked.user)) - asked.extra).total_seconds()
            answered.append(Answered(no=entry.no, seat=seat, user=asked.user, seconds=round(took), missed=by_clock,
                                     stretch=asked.span or stretch(table, seat), span=asked.span))
            known[seat] = replace(asked, given="clock" if by_clock else "yes")
    kept: list[Deadline] = []
    for question in table.asks:
        seat, user = question.seat, users.get(question.seat)
        if seat == CHANCE or user is None or (seat in table.absent and seat in waiting):
            continue
        same = known.get(seat)
        if same is None or (same.asked_at, same.user) != (table.asked_at, user):
            same = Deadline(game=game, seat=seat, user=user, asked_at=table.asked_at, since=None,
                            allowed=allowed(question, answered), span=span(table, question),
                            reminded=UNCALLED if seat in quiet else NOTICED if hours(user).notices else 0)
        same = replace(same, given="" if seat in waiting else same.given or "yes")
        if running and same.since is None:
            same = same.running(now, hours(user))
        elif not running:
            same = same.stopped(now, hours(user))
        kept.append(same)
    here = {(deadline.seat, deadline.asked_at) for deadline in kept}
    missed = [deadline.seat for deadline in known.values() if not returned
              and deadline.given == "clock" and (deadline.seat, deadline.asked_at) not in here]
    return DeadlineUpdate(deadlines=kept, answered=answered, missed=missed)


def _first_answers(entries: Sequence[Entry]) -> Mapping[Seat, Entry]:
    """Of each seat the first row that somebody decided: the answer to what was open before."""
    first: dict[Seat, Entry] = {}
    for entry in entries:
        if entry.by in DECIDED and not isinstance(entry.answer, Aside):
            first.setdefault(entry.seat, entry)
    return first


def stretch(table: Table, seat: Seat) -> str:
    """The span in which a seat is asked, such as its turn, in games that count time by such."""
    ordering = table.spec.orders
    return ordering.spans(table.state, seat).get(ordering.stretch, "") if ordering is not None else ""


def pace(table: Table, question: Ask[Any]) -> Pace:
    ordering = table.spec.orders
    own = table.spec.rules.active(table.state) == question.seat
    return ordering.pace(question.point, own=own) if ordering is not None else EACH


def span(table: Table, question: Ask[Any]) -> str:
    """The stretch whose time the answer to a question shares with others; "" if it has its own."""
    return stretch(table, question.seat) if pace(table, question).shared else ""


def missed_in_a_row(past: Sequence[Answered], in_force: Collection[int]) -> int:
    """How many of a seat's answers the clock gave since the seat last answered itself, in the rows in force."""
    run = 0
    for old in past:
        if old.no in in_force:
            run = run + 1 if old.missed else 0
    return run


def missed_stretches(past: Sequence[Answered]) -> int:
    """How many stretches, such as turns, the clock has ended since the seat last answered itself.

    One in which it has answered something is not missed.
    """
    there, missed = "", set[str]()
    for old in past:
        if not old.missed:
            there, missed = old.span, set()
        elif old.span not in ("", there):
            missed.add(old.span)
    return len(missed)


def just_moved(moved: Mapping[str, str], at: str) -> set[Seat]:
    """The seats that have just moved, as everybody knows: nothing need call their players."""
    now = datetime.fromisoformat(at)
    return {Seat(seat) for seat, when in moved.items() if timedelta() <= now - datetime.fromisoformat(when) <= HERE}
