"""What seats say to each other through the bot: free words that bind nobody [P-32]."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta

from bot.core.incidents import operation
from bot.core.requirements import PLAYED, held_by, require, require_seat
from bot.core.service import Service
from bot.domain.announcements import member, notice
from bot.domain.letters import PUBLIC, TalkMessage
from bot.domain.timestamps import timestamp
from bot.store import Allowed, Ledger, Promise, Status, TalkRow
from engine.kernel import Seat
from engine.refusals import Refusal
from engine.text import Text, text, verbatim

TALKING: Sequence[Status] = (*PLAYED, "over")
HOURLY = 20                     # messages of one seat in an hour
PRESS: Mapping[Allowed, Text] = {
    "all": text("Players can write to everybody and to each other through me."),
    "public": text("Players can write only to everybody through me."),
    "none": text("Players can't send messages through me.")}


class Talk(Service):
    """What seats say to each other through the bot. Only the two seats can read what one of them has said to the other."""

    @operation
    async def say(self, game: int, user: int, receiver: Seat | None, words: str, *, promise: bool = False) -> TalkRow:
        """A message from a member's seat to another one, or to all. Raises Refusal."""
        async with self.session.locked(game):
            stored = await self.session.stored(game)
            require(stored.row, TALKING)
            seat = held_by(stored.holders, user)
            if receiver is not None:
                require_seat(stored.holders, receiver)
            if receiver == seat:
                raise Refusal("That's your own seat. Choose another one, or everybody.")
            at = self.session.time()

            def post(ledger: Ledger) -> TalkRow:
                _require_allowed(ledger.games.game(game).row.allowed, receiver)
                _require_patience(ledger.talk.on_since(game, seat, _before(at)))
                state: Promise | None = "open" if promise else None
                id = ledger.talk.add_press(game, seat, user, receiver, words, state, at)
                ledger.outbox.add_letters(game, ledger.log.newest(game), [TalkMessage(audience=receiver or PUBLIC, press=id)], at)
                return TalkRow(id=id, seat=seat, receiver=receiver, words=words, promise=state, at=at)

            return await self.store.write(post)

    async def correspondence(self, game: int, seat: Seat | None) -> list[TalkRow]:
        """Return what a seat has said and been told, and what was said to all, oldest first; None: what was said to all."""
        return await self.store.read(lambda ledger: ledger.talk.press(game, seat))

    @operation
    async def judge(self, game: int, user: int, id: int, promise: Promise) -> TalkRow:
        """The receiver of a promise says what became of it; that has no consequence. Raises Refusal."""
        async with self.session.locked(game):
            seat = held_by((await self.session.stored(game)).holders, user)
            found = next((press for press in await self.correspondence(game, seat)
                          if press.id == id and press.promise is not None and press.receiver == seat), None)
            if found is None:
                raise Refusal("Only the player who was promised something can say what became of it.")
            await self.store.write(lambda ledger: ledger.talk.mark_promise(id, promise))
            return found

    @operation
    async def allow_press(self, game: int, allowed: Allowed, by: int) -> None:
        audit = {"all": "let players write to all and to each other", "public": "let players write only to all",
                "none": "let players send no messages"}[allowed]
        news = text("Game master {master} decides: {rule}", master=member(by), rule=PRESS[allowed])
        await self.change(game, by, lambda ledger: ledger.talk.allow_press(game, allowed), audit=audit, letters=[notice(news)])


def _before(at: str) -> str:
    return timestamp(datetime.fromisoformat(at) - timedelta(hours=1))


def _require_allowed(allowed: Allowed, receiver: Seat | None) -> None:
    if allowed == "none":
        raise Refusal("The game master has switched off messages through me in this game. Talk in the channel instead.")
    if allowed == "public" and receiver is not None:
        raise Refusal("In this game I carry only messages to everybody. Send it to everybody, or write to the player yourself.")


def _require_patience(sent: Sequence[str]) -> None:
    """Raise Refusal, with the moment from which it is possible again, when a seat has sent too much."""
    if len(sent) >= HOURLY:
        again = datetime.fromisoformat(sent[-HOURLY]) + timedelta(hours=1)
        raise Refusal("You've sent {sent} messages within an hour. You can send the next one {moment}.", sent=HOURLY,
                      moment=verbatim(f"<t:{int(again.timestamp())}:R>"))
