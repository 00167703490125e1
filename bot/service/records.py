"""A game as one file: given away, and taken in from anybody."""
from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from bot.core.incidents import operation
from bot.core.row_sentences import MODERATOR
from bot.core.service import Service
from bot.core.session import Session
from bot.domain.announcements import Announced
from bot.domain.titles import title_of
from bot.service.queries import Queries
from bot.store import GameRow, Holder, Ledger
from engine import record
from engine.components import Components, bound, edition_of, known_hashes
from engine.kernel import CHANCE, WORLD, Checkpoint, GameSpec, Row, Seat, Table
from engine.record import Origin, Record
from engine.refusals import Faulty, Refusal
from engine.text import say
from engine.text.languages import ENGLISH, speaking
from engine.undo import REWIND

MOST_ROWS = 20_000              # of a game that is taken in: many times those of the longest
GONE = "gone"                   # the verb of a row that was taken back, and of which a record holds nothing


class Records(Service):
    def __init__(self, session: Session, queries: Queries) -> None:
        super().__init__(session)
        self.queries = queries

    async def export(self, game: int) -> str:
        """The whole game once it is over, dice secret and all; before, what everybody has read of it, and also as long as another
        game runs with which it shares a past. Its language is English."""
        with speaking(ENGLISH):
            return await self._exported(game)

    async def _exported(self, game: int) -> str:
        stored = await self.session.stored(game)
        if stored.row.status != "over" or await self.kept_back(game):
            return await self._public_export(stored.row)
        async with self.session.locked(game):
            live = await self.session.loaded(game)
            rows = await self.store.read(lambda ledger: ledger.log.rows(game))
            return await asyncio.to_thread(
                _written, live.table, edition=live.row.edition, options=live.row.options, secret=live.secret,
                seats=[holder.seat for holder in live.holders], components=await self.session.components(live.row), log=rows,
                origin=await self._origin(game))

    async def kept_back(self, game: int) -> list[int]:
        """The running games that share a past with this one: as long as there are any, its whole record is given to nobody."""
        return await self.store.read(lambda ledger: ledger.insights.running_beside(game))

    @operation
    async def take_in(self, text: str, *, by: int, guild: int | None, channel: int, title: str = "",
                      trusted: bool = False) -> GameRow:
        """A finished game from its record: to look at, to replay, to draw. Its own record is the same to the last hash.

        A record may come from anybody, so everything in it is checked: form, hashes, legality, throws, result. Unless it is
        `trusted`, its components must be ones that this bot has: nobody knows how long others would keep it busy.

        Raises Faulty with what is wrong.
        """
        text = record.plain(text)
        found = await asyncio.to_thread(record.read, text)
        spec, known = self.session.spec(found.header.game), found.header.hash
        edition_of(spec, found.header.edition)
        if not (trusted or await self.store.read(lambda ledger: ledger.games.knows(known))
                or known in await asyncio.to_thread(known_hashes, spec)):
            raise Faulty("This game was played with components I don't have. The bot's operator can import it.")
        if found.header.origin is not None:
            raise Faulty("This game goes on from another, so nobody can check its first rolls. I can't import it.")
        components, start, log = await asyncio.to_thread(_checked, found, spec, text)
        header, at = found.header, self.session.time()
        values = {"key": spec.key, "edition": header.edition, "options": found.options, "title": title_of(title, spec),
                  "guild": guild, "channel": channel, "owner": by, "seats": len(header.seats), "pack_hash": components.hash,
                  "created_at": at}
        newest = log[-1].no if log else 0

        def add(ledger: Ledger) -> GameRow:
            game = ledger.games.add_game(values, components.raw)
            ledger.games.seat_all(game, [Holder(seat=Seat(seat), user=None, private=False) for seat in header.seats])
            ledger.games.begin(game, seats=len(header.seats), secret=header.secret, commitment=header.commitment, at=at)
            ledger.log.add_checkpoint(game, start)
            ledger.log.add_rows(game, log, at)
            ledger.games.progress(game, "over", Announced(row=newest, pictured=newest, marked=newest, public=newest))
            ledger.audit.note(game, by, "imported the game from its record", at)
            return ledger.games.game(game).row

        return await self.store.write(add)

    async def _origin(self, game: int) -> Origin | None:
        branch = await self.store.read(lambda ledger: ledger.undo.branch(game))
        if branch is None:
            return None
        return Origin(row=branch.row, commitment=(await self.session.stored(branch.origin)).row.commitment)

    async def _public_export(self, row: GameRow) -> str:
        who = await self.queries.reader(row.id)
        try:
            table = await self.session.table(row.id)
            stands = say(table.spec.words.result(table.state) if table.over else table.spec.words.moment(table.state), who)
        except Refusal as why:                              # it has not begun, or cannot be shown
            stands = say(why.text, who)
        return record.write_public(
            game=row.key, edition=row.edition, options=row.options, components=row.pack_hash, commitment=row.commitment,
            sentences=[(no, not mark, say(sentence, who)) for no, mark, sentence in await self.queries.public_record(row.id)],
            stands=stands, origin=await self._origin(row.id))


def _written(table: Table, *, edition: str, options: Mapping[str, Any], seats: Iterable[Seat], secret: str,
             components: Components, log: Sequence[Row], origin: Origin | None = None) -> str:
    return record.write(table, edition=edition, options=options, seats=record.seat_names(table, seats),
                        components=components, secret=secret, log=log, origin=origin)


def _checked(found: Record, spec: GameSpec, text: str) -> tuple[Components, Checkpoint, list[Row]]:
    """Return what is stored of a record that holds in every respect. Raises Faulty."""
    header = found.header
    if found.log and found.log[-1].no > MOST_ROWS:
        raise Faulty("This record has more than {most} steps.", most=MOST_ROWS)
    if list(header.seats) != [f"seat_{number}" for number in range(1, len(header.seats) + 1)]:
        raise Faulty("The seats of a record must be seat_1, seat_2 and so on.")
    table = record.replay(found, spec)
    if not table.over:
        raise Faulty("This game isn't over. Only finished games can be imported.")
    components, log = bound(spec, header.components), _whole(found.log)
    again = _written(table, edition=header.edition, options=found.options, seats=map(Seat, header.seats), secret=header.secret,
                     components=components, log=log)
    if found.proves_epochs and again != text:
        raise Faulty("This record has other names for its seats or fields than the game writes.")
    return components, record.beginning(found, spec), log


def _whole(log: Sequence[Row]) -> list[Row]:
    """A log without gaps: a row that a record leaves out was taken back."""
    known = {row.no: row for row in log}
    return [replace(known[no], by=_by(known[no])) if no in known else Row(no, "", "rule", GONE, "{}")
            for no in range(1, max(known, default=0) + 1)]


def _by(row: Row) -> str:
    """On whose word a row may have come; a record does not tell."""
    if row.verb == REWIND and row.seat == MODERATOR:
        return MODERATOR
    return {CHANCE: "dice", WORLD: "world"}.get(Seat(row.seat), "player")
