"""What becomes of deadlines in the transaction that stores the rows of a game, or its new status."""
from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from functools import cache
from typing import Any

from bot.core.commit import Commit
from bot.domain import deadlines as dl
from bot.domain.absence import LONG_WAIT
from bot.domain.alarms import following
from bot.domain.announcements import notice
from bot.domain.letters import Escalation, Upcoming
from bot.domain.waking_hours import Hours
from bot.service.replacement_updates import moved
from bot.service.undo_request_updates import overtaken
from bot.store import Holder, Ledger, Status
from engine.kernel import Ask, Seat, Table
from engine.text import text
from engine.undo import line

MISSED = 2                              # answers in a row that the clock gave: the game master is told


def keep_deadlines(ledger: Ledger, commit: Commit) -> None:
    """Bring the deadlines of a game up to date with its table, and announce the defaults that the clock has given.

    Defaults of sealed answers are announced when all are in: before, who has answered is nobody's business [P-28].
    """
    live, entries, returned, at = commit.live, commit.entries, commit.returned, commit.at
    game, table, running = live.row.id, live.table, commit.status == "running"

    @cache
    def hours(user: int) -> Hours:
        return ledger.clocks.hours(game, user)

    def allowed(question: Ask[Any], new: Sequence[dl.Answered]) -> timedelta | None:
        clock, seat, shared = ledger.clocks.clock(game).clock.suited(table.spec.orders), question.seat, dl.span(table, question)
        if not (clock.bank or shared):
            return dl.allowance(clock, (), "", dl.pace(table, question))
        past = [old for old in ledger.clocks.answered(game, seat) if old.no <= table.put_at]
        if not clock.bank:                      # whoever takes over in the middle of a turn has the whole of it
            past = [old for old in past if (old.span, old.user) == (shared, users[seat])]
        counted = [*_in_force(ledger, game, past), *(fresh for fresh in new if fresh.seat == seat)]
        return dl.allowance(clock, counted, dl.stretch(table, seat), dl.pace(table, question), shared)

    users = {holder.seat: holder.user for holder in live.holders if holder.user is not None and not holder.level}
    kept: dl.DeadlineUpdate = dl.deadlines(
        game, table, ledger.clocks.deadlines(game), entries, running=running, returned=returned, hours=hours,
        allowed=allowed, users=users, quiet=commit.quiet, now=datetime.fromisoformat(at))
    ledger.clocks.keep_deadlines(game, kept.deadlines)
    ledger.clocks.add_answered(game, kept.answered, at)
    ledger.timers.set_alarm(game, following(table.spec, table.state))
    if entries or returned:
        overtaken(ledger, game, at)
        moved(ledger, game, table, at)
    if running:
        ledger.clocks.set_voted(game, False)
        if not returned:
            _tell_next(ledger, game, table, live.holders, at)
    if kept.missed:
        news = text("{seats} ran out of time, so I played the default move.", seats=tuple(kept.missed))
        letters = [notice(news, commit.who)]
        if gone := [seat for seat in kept.missed if _gone(ledger, game, seat, datetime.fromisoformat(at))]:
            letters.append(Escalation(why="missed", seats=gone))
            for seat in gone:
                ledger.clocks.escalated(game, seat, at)
        ledger.outbox.add_letters(game, table.last_no, letters, at)


def _gone(ledger: Ledger, game: int, seat: Seat, now: datetime) -> bool:
    """True if a seat has missed so many answers that its game master should know, and has not been told lately."""
    in_force = {row.no for row in line(ledger.log.outline(game)).rows}
    told = ledger.clocks.last_escalation(game, seat)
    return dl.missed_in_a_row(ledger.clocks.answered(game, seat), in_force) >= MISSED and (
        told is None or ledger.presence.presence(now).since(told) >= LONG_WAIT)


def _in_force(ledger: Ledger, game: int, past: Sequence[dl.Answered]) -> Sequence[dl.Answered]:
    """Those of these answers that have not been taken back; the log is read only if anything has been."""
    if not past or not ledger.log.returned_since(game, past[0].no):
        return past
    valid = {row.no for row in line(ledger.log.outline(game)).rows}
    return [old for old in past if old.no in valid]


def lapses(ledger: Ledger, game: int, table: Table, holder: Holder, late: dl.Deadline) -> bool:
    """True if the clock, by giving this answer too, ends so many stretches of a player's in a row that the player is away."""
    ordering = table.spec.orders
    if ordering is None or not ordering.gone_after or not late.span or holder.user != late.user or holder.owner is not None:
        return False
    past = [old for old in ledger.clocks.answered(game, late.seat) if old.no > holder.back and old.user == late.user]
    now = dl.Answered(no=0, seat=late.seat, user=late.user, seconds=0, missed=True, stretch="", span=late.span)
    return dl.missed_stretches([*_in_force(ledger, game, past), now]) >= ordering.gone_after


def _tell_next(ledger: Ledger, game: int, table: Table, holders: Sequence[Holder], at: str) -> None:
    """When a turn begins: tell who comes next, if that member has asked for it and is not asked something anyway."""
    active = table.spec.rules.active(table.state)
    if active is None or not ledger.clocks.turn_of(game, active):
        return
    seat = table.spec.rules.follows(table.state)
    user = next((holder.user for holder in holders if holder.seat == seat and not holder.unattended), None)
    if seat is not None and user is not None and seat != active and ledger.settings.member(user).upcoming:
        ledger.outbox.add_letters(game, table.last_no, [Upcoming(audience=seat, user=user, seat=seat)], at)


def stop(ledger: Ledger, game: int, status: Status, at: str) -> None:
    """The deadlines of a game that nobody is asked in any more: they stand still, or are gone for good."""
    now = datetime.fromisoformat(at)
    ledger.clocks.keep_deadlines(game, [deadline.stopped(now, ledger.clocks.hours(game, deadline.user))
                                        for deadline in ledger.clocks.deadlines(game) if status == "paused"])
