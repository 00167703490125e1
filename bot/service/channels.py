"""Where games are played, and the threads in which their players talk."""
from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from bot.core.incidents import operation
from bot.core.live_table import LiveTable
from bot.core.requirements import PLAYED
from bot.core.service import Service
from bot.core.snapshot import GameSnapshot
from bot.domain.announcements import notice
from bot.domain.letters import STATUS
from bot.store import GameRow, Ledger
from engine.kernel import Seat
from engine.refusals import Refusal
from engine.text import text, verbatim


@dataclass(frozen=True)
class Access:
    """A private thread: who was let in, and who holds the seats that talk there."""

    thread: int
    inside: frozenset[int]
    holders: frozenset[int]


class Channels(Service):
    @operation
    async def move(self, game: int, channel: int, by: int) -> None:
        """Play a game in another channel from now on: what waits to be sent goes there, and who is awaited is asked there.

        Where several were asked together and some have answered, only the status message asks again: a question for those
        who are left would tell who they are [P-28].
        """
        async with self.session.locked(game):
            stored = await self.session.stored(game)
            if stored.row.channel == channel:
                raise Refusal("The game is already played there.")
            at, old = self.session.time(), verbatim(f"<#{stored.row.channel}>")
            news = text("This game has moved here from {channel}.", channel=old)

            def settle(ledger: Ledger) -> None:
                ledger.channels.move_game(game, channel)
                ledger.audit.note(game, by, f"moved the game to <#{channel}>", at)

            if stored.row.status not in PLAYED:
                def tell(ledger: Ledger) -> None:
                    settle(ledger)
                    ledger.outbox.add_letters(game, ledger.log.newest(game), [notice(news), STATUS], at)

                await self.store.write(tell)
                return
            live = await self.session.loaded(game)
            live.row = replace(live.row, channel=channel)
            _unsaid(live)
            await self.session.commit(live, first=[notice(news, live.reader())], picture=True, also=settle)

    @operation
    async def post_again(self, game: int) -> None:
        """Post in its channel, where all messages are gone, how a game stands, its board and its questions, and write what is
        private to its readers again; as with `move`."""
        async with self.session.locked(game):
            if (await self.session.stored(game)).row.status not in PLAYED:
                await self.restate(game)
                return
            live = await self.session.loaded(game)
            _unsaid(live)
            await self.session.commit(live, first=[STATUS], picture=True, again=[holder.seat for holder in live.holders])

    @operation
    async def restate(self, game: int) -> None:
        """Have the status message looked after, although nothing has happened."""
        at = self.session.time()
        await self.store.write(lambda ledger: ledger.outbox.add_letters(game, ledger.log.newest(game), [STATUS], at))

    async def thread(self, game: int, seats: Sequence[Seat] = ()) -> int | None:
        """The thread in which these seats talk; without seats, that of the whole table."""
        return await self.store.read(lambda ledger: ledger.channels.thread(game, seats))

    async def talked_in(self, thread: int) -> GameRow | None:
        def read(ledger: Ledger) -> GameRow | None:
            game = ledger.channels.game_of_thread(thread)
            return None if game is None else ledger.games.game(game).row

        return await self.store.read(read)

    @operation
    async def threaded(self, game: int, seats: Sequence[Seat], thread: int) -> None:
        """A thread was opened for these seats; without seats, for the whole table."""
        await self.store.write(lambda ledger: ledger.channels.add_thread(game, seats, thread))

    @operation
    async def unthreaded(self, thread: int) -> None:
        """A thread is of no use any more; the next one who asks gets a new one."""
        await self.store.write(lambda ledger: ledger.channels.forget_thread(thread))

    @operation
    async def let_in(self, thread: int, users: Iterable[int]) -> None:
        """These members are about to be added to a thread: written first, so that nobody is ever inside unknown to us."""
        def add(ledger: Ledger) -> None:
            for user in users:
                ledger.channels.add_thread_member(thread, user)

        await self.store.write(add)

    @operation
    async def shown_out(self, thread: int, user: int) -> None:
        await self.store.write(lambda ledger: ledger.channels.remove_thread_member(thread, user))


def access_to(snapshot: GameSnapshot) -> list[Access]:
    """Who reads in which private thread of a game, and who should."""
    users = {holder.seat: holder.reader for holder in snapshot.stored.holders}
    return [Access(thread.number, thread.inside,
                   frozenset(user for seat in thread.seats if (user := users.get(seat)) is not None))
            for thread in snapshot.threads]


def _unsaid(live: LiveTable) -> None:
    """Have whoever is awaited asked again, unless that would tell who has answered [P-28], and offers to several made again."""
    asked = {} if len(live.table.waiting()) == len(live.table.asks) else live.told.asked
    live.told = live.told.model_copy(update={"asked": asked, "packet": "", "series": ""})
