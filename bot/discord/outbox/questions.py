"""Questions to one seat, invitations to answer in advance, and what becomes of questions that are over."""
from __future__ import annotations

from collections.abc import Mapping, Sequence

from bot.core.visit import Onlooker
from bot.discord.components import Persistent, Style, button, view
from bot.discord.game.answering import on_mine, on_your_move
from bot.discord.game.buttons import ANSWER, VOTE_IN
from bot.discord.lengths import capital
from bot.discord.orders.buttons import PACKET, SERIES
from bot.discord.outbox.arrivals import offers
from bot.discord.outbox.delivery import Delivery, sends
from bot.domain import letters
from bot.domain.announcements import member, reader_of
from bot.service.orders import occasion
from bot.store import OutboxRow
from engine.kernel import Seat, Table
from engine.text import say, text, verbatim


def _named(visit: Onlooker, seats: Sequence[Seat]) -> tuple[str, Mapping[Seat, int]]:
    """The mentions of those who play these seats, as a message begins, and who they are."""
    held = {holder.seat: holder.user for holder in visit.holders if holder.user is not None}
    users = {seat: held[seat] for seat in seats if seat in held}
    return " ".join(f"<@{user}>" for user in users.values()), users


class Questions(Delivery):
    """The letters that ask, and what becomes of their buttons."""

    @sends(letters.Question, mark=lambda game, letter, message: offers(message, on_mine, game) and (
        offers(message, ANSWER, game, letter.seat) or offers(message, on_your_move, game, letter.seat)))
    async def _question(self, visit: Onlooker, row: OutboxRow, letter: letters.Question) -> int | None:
        """The question for its seat, with its answers as buttons, or with one that opens the menu.

        Among people who are all here, and for whoever answers one question after the other, one message keeps up.
        """
        seat = letter.seat
        table = visit.position
        asked = next((question for question in table.asks if question.seat == seat), None) if table else None
        if visit.game.status != "running" or table is None or asked is None or table.asked_at != letter.asked_at:
            return None                     # answered before it could be put; of sealed answers nobody sees which are in
        holder = visit.held(seat)
        form = await self._at_once(visit, table, seat, asked.point)
        items = form or [
            button(capital(label), ANSWER, visit.id, seat, letter.asked_at, choice, style=Style.primary)
            for label, choice in letter.buttons if not letter.secret]
        if form or len(items) < 2 or any(kind.open_ended and not kind.bounded for kind in asked.accepts):    # what none says
            items.append(button(text("Your move"), on_your_move, visit.id, seat, style=Style.primary))
        items.append(button(text("Your secrets"), on_mine, visit.id))  # the same for all: it tells nothing of anybody
        user = holder.user if holder else None
        put = text("**{seat}**: {question}", seat=seat, question=verbatim(letter.text))
        words = say(text("{member} {put}", member=member(user), put=put) if user else put, reader_of(table))
        calls = not (letter.follows or letter.quiet)
        last = None if calls else await self._answered(visit, seat, table)
        await self._withdraw(visit, seat, but=last)
        if last is not None and await self._changed(visit, last, words, items) is not None:
            return last
        return await self._post(visit, row, words, view(items), ping=user if calls else None)

    async def _at_once(self, visit: Onlooker, table: Table, seat: Seat, point: str) -> list[Persistent]:
        """The form for all answers of a kind, in place of many choices, for a seat that alone is asked for them; several are
        offered the form in a message of its own."""
        ordering = table.spec.orders
        found = ordering.series(table.state, seat) if ordering is not None else None
        if found is None or found[0].no != point or letters.Series.kind in visit.mail.messages:
            return []
        return [button(found[1].words, SERIES, visit.id, point, style=Style.success)]

    async def _answered(self, visit: Onlooker, seat: Seat, table: Table) -> int | None:
        """The newest message in the channel, if it is a question that is over: the seat's next one can take its place."""
        newest, known = visit.mail.newest_post, visit.mail.messages
        still = {f"question:{question.seat}" for question in table.asks if question.seat != seat}
        over = [number for key, number in known.items() if key.startswith("question:") and key not in still]
        return newest if newest in over else None

    @sends(letters.Ballot, mark=lambda game, letter, message: offers(message, VOTE_IN, game, letter.asked_at))
    async def _ballot(self, visit: Onlooker, row: OutboxRow, letter: letters.Ballot) -> int | None:
        """The one message of a vote. It never says who has answered: that is sealed until all have."""
        table = visit.position
        if visit.game.status != "running" or table is None or table.asked_at != letter.asked_at:
            return None
        before = visit.mail.messages.get(letter.key)
        if before is not None:
            await self._deleted(visit, before)
        (agree, yes), (refuse, no) = letter.buttons
        named, users = _named(visit, letter.seats)
        return await self._post(visit, row, f"{named} {letter.text}", view([
            button(agree, VOTE_IN, visit.id, letter.asked_at, yes, style=Style.success),
            button(refuse, VOTE_IN, visit.id, letter.asked_at, no, style=Style.danger)]),
            ping=[user for seat, user in users.items() if seat not in letter.told])

    @sends(letters.Packet, mark=lambda game, letter, message: offers(message, PACKET, game))
    async def _packet(self, visit: Onlooker, row: OutboxRow, letter: letters.Packet) -> int | None:
        """The invitation to answer in advance: it names everybody who may be asked, and notifies who is not asked just now."""
        table = visit.position
        if table is None or all(occasion(table, seat) != letter.span for seat in letter.seats):
            return None                                         # what it was about is over
        named, users = _named(visit, letter.seats)
        return await self._post(visit, row, f"{named} {letter.text}", view([
            button(text("Decide in advance"), PACKET, visit.id, style=Style.primary)]),
            ping=[user for seat, user in users.items() if seat not in letter.asked])

    @sends(letters.Series, mark=lambda game, letter, message: (
        offers(message, SERIES, game, letter.point) and not offers(message, on_mine, game)))
    async def _series(self, visit: Onlooker, row: OutboxRow, letter: letters.Series) -> int | None:
        """The form for all answers of a kind, for everybody who will be asked for them; it notifies who is not asked just now."""
        table = visit.position
        ordering = table.spec.orders if table is not None else None
        if table is None or ordering is None or all(ordering.series(table.state, seat) is None for seat in letter.seats):
            return None                                         # all has been given
        named, users = _named(visit, letter.seats)
        words = text("{named} Fill in your form now. I'll play each choice when its turn comes.", named=verbatim(named))
        form = view([button(letter.words, SERIES, visit.id, letter.point, style=Style.success)])
        ping = [user for seat, user in users.items() if seat not in letter.asked]
        return await self._post(visit, row, say(words, reader_of(table)), form, ping=ping)

    async def _tidy(self, visit: Onlooker) -> None:
        """Take away the questions that are over.

        Of sealed answers, the questions stay until all are in: who has answered is nobody's business.
        """
        table = visit.position
        asked = {question.seat for question in table.asks} if table and visit.game.status == "running" else set()
        for holder in visit.holders:
            if holder.seat not in asked:
                await self._withdraw(visit, holder.seat)
        await self._close_offers(visit, table if asked else None)

    async def _close_offers(self, visit: Onlooker, table: Table | None) -> None:
        """Take away what was put to several and is over: a vote, answers in advance, a form for what is asked in turn."""
        ordering = table.spec.orders if table is not None else None
        known = visit.mail.messages
        if table is None or ordering is None:
            open_ones = set[str]()
        else:
            series = any(ordering.series(table.state, seat) is not None for seat in ordering.seats(table.state))
            open_ones = {*(["series"] if series else []), *(["packet"] if table.foreseen else []),
                         *(["ballot"] if any(ordering.vote(question.point) for question in table.asks) else [])}
        for key in {"series", "packet", "ballot"} & known.keys() - open_ones:
            await self._deleted(visit, known[key])
            visit.mail.forget(key)

    async def _withdraw(self, visit: Onlooker, seat: Seat, *, but: int | None = None) -> None:
        """Delete the message of a seat's last question, if it is another than this: what came of it is in the log."""
        key = f"question:{seat}"
        message = visit.mail.messages.get(key)
        if message is not None and message != but:
            await self._deleted(visit, message)
            visit.mail.forget(key)
