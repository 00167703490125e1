"""Players who let the clock end turn after turn: they are away by themselves, until they do anything in the game."""
from __future__ import annotations

from dataclasses import replace

from bot.core.live_table import LiveTable
from bot.core.requirements import plays_on
from bot.core.session import Session
from bot.domain.announcements import member
from bot.domain.deadlines import Deadline
from bot.domain.letters import Lapse, Letter
from bot.service.deadline_updates import lapses
from bot.service.seat_sentences import meanwhile
from bot.service.seats import NOBODY
from bot.store import Holder, Ledger
from engine.proxies import Proxy
from engine.text import count, say, text


async def give_default(session: Session, live: LiveTable, late: Deadline) -> None:
    """Give the default for a seat whose time is up, and store it with what that says of its player."""
    table, game, ordering = live.table, live.row.id, live.table.spec.orders
    holder = next(holder for holder in live.holders if holder.seat == late.seat)
    # of answers that are sealed together nobody hears who has given none, so it is noticed at the next one
    lapsed = len(table.asks) == 1 and await session.store.read(lambda ledger: lapses(ledger, game, table, holder, late))
    table.answer(late.seat, table.default(late.seat), by="clock")
    missed = next(entry for entry in table.fresh if entry.seat == late.seat and entry.by == "clock")
    missed.proxy = Proxy("clock", None, missed.together).written()
    if ordering is None or not lapsed or table.over:
        await session.commit(live)
        return
    level = (await session.stored(game)).row.successor
    gone = replace(holder, away=True, until=None, lapsed=True, level=level)
    live.holders = tuple([gone if one.seat == gone.seat else one for one in live.holders])
    deserted = all(one.unattended for one in live.holders) and not plays_on(live.row, live.holders)
    if deserted:
        live.row = replace(live.row, status="paused")
    elif not level:
        table.absent.add(gone.seat)
        table.go_on()
    at, audit = session.time(), f"counts <@{gone.user}> as away after running out of time {ordering.gone_after} turns in a row"

    def leave(ledger: Ledger) -> None:
        ledger.games.seat_all(game, live.holders)
        ledger.audit.note(game, None, audit, at)               # nothing that the player has done
        if deserted:
            ledger.seats.desert(game)

    await session.commit(live, first=[_away_notice(live, gone, ordering.gone_after, deserted=deserted)], also=leave)
    if deserted:
        session.forget(game)          # of a game that is paused, the table asks nobody


def _away_notice(live: LiveTable, gone: Holder, turns: int, *, deserted: bool) -> Letter:
    """Return what everybody hears of it, and the player's way back."""
    assert gone.user is not None, "somebody was late"
    follows = NOBODY if deserted else meanwhile(gone.seat, gone.level)
    news = text("{member} ran out of time {turns} in a row and is now marked away. {follows} To come "
                "back, use any command or button of this game.", member=member(gone.user),
                turns=count(turns, "{n} turn", "{n} turns"), follows=follows)
    return Lapse(user=gone.user, text=say(news, live.reader()))
