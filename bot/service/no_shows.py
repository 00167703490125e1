"""Players who never make a first move [P-46]: their seat is free, or the game is opened again without them, as its host chose."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from bot.domain.absence import FIRST_MOVE, NoShow, silent_for
from bot.domain.announcements import member, notice
from bot.domain.letters import STATUS
from bot.domain.presence import Presence
from bot.service.interests import announced
from bot.service.requirements import require
from bot.service.seats import Seats
from bot.service.service import Service
from bot.service.session import Session
from bot.store import Holder, Ledger, Stored
from engine.kernel import Seat
from engine.text import English, Fact, Text, text


class NoShows(Service):
    """Players who never make a first move."""

    def __init__(self, session: Session, seats: Seats) -> None:
        super().__init__(session)
        self.seats = seats

    async def no_show(self, game: int) -> NoShow:
        """What a game does about a player who never makes a first move."""
        return await self.store.read(lambda ledger: ledger.no_show(game))

    async def set_no_show(self, game: int, what: NoShow, by: int) -> None:
        """Choose that before the start."""
        async with self.session.locked(game):
            require((await self.session.stored(game)).row, ("open",))
            at = self.session.time()

            def choose(ledger: Ledger) -> None:
                ledger.set_no_show(game, what)
                ledger.note(game, by, f"chose what is done about a player who makes no first move: {what}", at)
                ledger.add_letters(game, 0, [STATUS], at)

            await self.store.write(choose)

    async def deal_with_no_shows(self, game: int) -> None:
        """Do what a game has chosen about players whose first move is late by now; nobody on vacation is late, nor who could not
        be asked."""
        def late(ledger: Ledger) -> list[Seat]:
            presence = ledger.presence(self.session.now())
            return [timer.whom for timer in ledger.timers(presence, "first_move", game=game)
                    if self._is_late(ledger, presence, game, timer.whom)]

        async with self.session.locked(game):
            if gone := await self.store.read(late):
                await self._deal(game, gone)

    # -- the works

    def _is_late(self, ledger: Ledger, presence: Presence, game: int, seat: Seat) -> bool:
        found = next(one for one in ledger.deadlines(game) if one.seat == seat)
        if ledger.unsent(game, f"question:{seat}"):
            return False
        waited = silent_for(presence, wanted=found.since, heard=None, away=ledger.hours(game, found.user).away)
        return waited is not None and (found.allowed is not None or waited >= FIRST_MOVE)

    async def _deal(self, game: int, gone: Sequence[Seat]) -> None:
        stored = await self.session.played(game)
        what, untouched = await self.store.read(lambda ledger: (
            ledger.no_show(game), ledger.untouched(game, ledger.public_newest(game))))
        if what == "drop" and untouched:
            await self._reopen(stored, gone)
            return
        for seat in gone:
            stored = await self.session.played(game)
            holder = next(holder for holder in stored.holders if holder.seat == seat)
            news = text("{member} has made no first move, so {seat} is free now.", member=member(holder.user or 0), seat=seat)
            await self.seats.vacate(stored, holder, news, by=None, deed=f"freed {seat}, as no first move was made",
                                    farewell=text("You made no first move, so your seat is free now. While it is, you can take "
                                                  "it over again: `/table seats`."))

    async def _reopen(self, stored: Stored, gone: Sequence[Seat]) -> None:
        """Open the game again, for everybody but those who made no first move; the one that began is closed."""
        old, at = stored.row, self.session.time()
        found = await self.session.components(old)
        kept = [_again(holder) for holder in stored.holders if holder.seat not in gone and (holder.whose or holder.level)]
        staying = [replace(holder, seat=Seat(f"seat_{place}")) for place, holder in enumerate(kept, 1)]
        missing = tuple([member(holder.user or 0) for holder in stored.holders if holder.seat in gone])
        values = {"key": old.key, "edition": old.edition, "options": dict(old.options), "title": old.title, "owner": old.owner,
                  "guild": old.guild, "channel": old.channel, "seats": old.seats, "pack_hash": found.hash, "created_at": at}

        def reopen(ledger: Ledger) -> None:
            number = ledger.add_game(values, found.raw)
            ledger.set_clock(number, replace(ledger.clock(old.id), voted=False))
            ledger.copy_choices(old.id, number)
            ledger.seat_all(number, staying)
            ledger.note(number, None, f"opened the game again, in place of game {old.id}", at)
            ledger.add_letters(number, 0, [STATUS, notice(_opened(old.owner, staying, number), English()),
                                           *announced(ledger, number, self.session.now())], at)

        news = notice(text("{members} made no first move, and nothing has happened yet. So this game is closed, and is open "
                           "again without them.", members=missing), English())
        await self.session.declare(stored, "closed", news, None, "closed the game, as somebody made no first move", reopen)


def _again(holder: Holder) -> Holder:
    """Whose seat it is, without anybody who plays it for a while."""
    owner = holder.owner or holder
    return Holder(seat=holder.seat, user=owner.user, private=owner.private, name=owner.name,
                  level="" if owner.user is not None else holder.level)


def _opened(owner: int, staying: Sequence[Holder], number: int) -> Text:
    """What the one who opens games and those who stay read of the new one."""
    players = tuple([member(holder.user) for holder in staying if holder.user is not None])
    facts: dict[str, Fact] = {"game": number, "owner": member(owner)}
    if not players:
        return text("Game {game} takes its place. {owner} can start it once enough have joined.", **facts)
    return text("Game {game} takes its place. In it so far: {players}. {owner} can start it once enough have joined.",
                players=players, **facts)
