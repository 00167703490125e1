"""One move through the layers: load, answer, save, announce; one lock for each game. Knows no Discord."""
from __future__ import annotations

import asyncio
import logging
import secrets
import traceback
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any, Literal
from weakref import WeakValueDictionary

from pydantic import ValidationError

from bot.news import GM, Letter, Told, after, choice_id, final, member, notice, public_lines, reader
from bot.store import GameRow, Holder, Ledger, NotStored, OutboxRow, Status, Store, Stored, Theme
from engine import catalog, record
from engine.dice import SecretDice
from engine.kernel import Action, Ask, By, Checkpoint, Entry, Event, GameSpec, Row, Seat, Table, parse_events
from engine.refusals import Drift, Faulty, NotAsked, Refusal
from engine.shelf import Components, bound, components
from engine.story import Picture, Story
from engine.text import English, Text, count, say, text, verbatim
from engine.undo import RETURN, Line, Return, line, redo_target, taken_back, undo_target

__all__ = ["Done", "GameRow", "Holder", "OutboxRow", "Play", "Preview", "Status", "Theme", "Waiting"]

PLAYED: Sequence[Status] = ("running", "paused")
MODERATOR = "moderator"         # the seat and the word of rows that return
TABLES = 64                     # live tables kept in memory; a cold one takes a few milliseconds
ATTEMPTS = 8                    # to send one letter

log = logging.getLogger(__name__)


@dataclass(frozen=True, kw_only=True)
class Waiting:
    """A question that waits for a person."""

    seat: Seat
    user: int | None
    ask: Ask[Any]
    asked_at: int
    since: str                  # ISO 8601, UTC: when it was asked


@dataclass(frozen=True, kw_only=True)
class Done:
    """What an answer led to: the new rows, and for the short private reply what everybody and this seat may read of them.

    The entries hold secrets of all seats: show their sentences only. Everything public is in the outbox already.
    """

    entries: Sequence[Entry]
    over: bool
    lines: Sequence[Text]       # public sentences, oldest first
    private: Sequence[Text]     # what the seat that answered, and only it, learns


@dataclass(frozen=True, kw_only=True)
class Preview:
    """What a return takes back (or a redo brings back): row numbers and public sentences, oldest first; where it leads."""

    to: int
    rows: Sequence[int]
    lines: Sequence[Text]


@dataclass(slots=True)
class _Live:
    """A table in memory, with what belongs to it; never ahead of the file for longer than one transaction."""

    row: GameRow
    secret: str
    holders: tuple[Holder, ...]
    told: Told
    table: Table
    untold: Sequence[Text]

    def reader(self) -> English:
        return reader(self.table.spec, self.table.parts, self.table.state, [holder.seat for holder in self.holders])


@dataclass(frozen=True, slots=True)
class _Past:
    """What the file holds of a game: the line in force, and the rows since the checkpoint or the last telling."""

    newest: int                 # the last row of any kind
    line: Line
    start: Checkpoint
    rows: Sequence[Row]


class Play:
    """All that the bot can do with games. Every method is one transaction, or a Refusal and no change.

    Discord's part of the bot calls these and nothing below; it sends the outbox by `pending` and `sent`. Set `wake` to be
    called, in the event loop, whenever there is something new to send.
    """

    def __init__(self, store: Store, games: Iterable[GameSpec] = catalog.GAMES, *,
                 now: Callable[[], datetime] = lambda: datetime.now(UTC),
                 secret: Callable[[], str] = lambda: secrets.token_hex(32), tables: int = TABLES) -> None:
        """`now` gives an aware time; `secret` gives 64 hexadecimal digits for the dice of one game."""
        self.wake: Callable[[], None] | None = None
        self._store, self._now, self._secret, self._most = store, now, secret, tables
        self._specs = {spec.key: spec for spec in games}
        self._live: dict[int, _Live] = {}               # the least recently used first
        self._parts: dict[tuple[str, str], Components] = {}
        self._locks: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()
        store.on_news = self._wake

    # --- lobby --------------------------------------------------------------------------------------

    async def open(self, *, key: str, edition: str, seats: int, options: Mapping[str, Any], pack: str | None, title: str,
                   guild: int | None, channel: int, owner: int) -> GameRow:
        """Open a game for members to join. `options` are those that differ from the edition's; `pack` is JSON text.

        Raises Faulty as `checked` does.
        """
        spec, found = self.spec(key), self.checked(key=key, edition=edition, seats=seats, options=options, pack=pack)
        self._parts[key, found.hash] = found
        values = {"key": key, "edition": edition, "options": dict(options), "title": title.strip() or spec.name, "guild": guild,
                  "channel": channel, "owner": owner, "seats": seats, "pack_hash": found.hash, "created_at": self._time()}
        return await self._store.write(lambda ledger: ledger.game(ledger.add_game(values, found.raw)).row)

    def checked(self, *, key: str, edition: str, seats: int, options: Mapping[str, Any], pack: str | None) -> Components:
        """The components of a game that can be opened so.

        Raises Faulty: no such game or edition, a number of seats that it has not, options or a pack that cannot be used.
        """
        spec = self.spec(key)
        if seats not in spec.seats:
            raise Faulty("{game} is for {least} to {most} players, so it cannot have {seats} seats.", game=verbatim(spec.name),
                         least=spec.seats[0], most=spec.seats[-1], seats=seats)
        found = components(spec, edition, pack)
        spec.options(edition, options)                  # raises what is wrong with them
        return found

    async def join(self, game: int, user: int, *, name: str = "") -> Seat:
        """Take the next seat of an open game; `name` is how people know the member."""
        async with self._turn(game):
            stored = await self._lobby(game)
            holders = stored.holders
            if any(holder.user == user for holder in holders):
                raise Refusal("You have joined this game already.")
            if len(holders) >= stored.row.seats:
                raise Refusal("All {seats} seats of this game are taken.", seats=stored.row.seats)
            seat = Seat(f"seat_{len(holders) + 1}")
            await self._seat(stored, [*holders, Holder(seat=seat, user=user, private=True, name=name)], "{member} joins", user)
            return seat

    async def leave(self, game: int, user: int) -> None:
        """Give a seat back before the game starts; those who joined later move up."""
        async with self._turn(game):
            stored = await self._lobby(game)
            staying = [holder for holder in stored.holders if holder.user != user]
            if len(staying) == len(stored.holders):
                raise Refusal("You have not joined this game.")
            seated = [replace(holder, seat=Seat(f"seat_{number}")) for number, holder in enumerate(staying, 1)]
            await self._seat(stored, seated, "{member} leaves", user)

    async def start(self, game: int, by: int) -> None:
        """Begin with those who have joined, in the order in which they did; their number must suit the game."""
        async with self._turn(game):
            stored = await self._lobby(game)
            row, holders, spec = stored.row, stored.holders, self.spec(stored.row.key)
            if len(holders) not in spec.seats:
                raise Refusal("{game} needs {least} to {most} players; {joined} so far.", game=verbatim(spec.name),
                              least=spec.seats[0], most=spec.seats[-1],
                              joined=count(len(holders), "{n} has joined", "{n} have joined"))
            found, secret, at = await self._components(row), self._secret(), self._time()
            dice = SecretDice(secret)
            state = spec.setup(tuple(holder.seat for holder in holders), spec.options(row.edition, row.options), found.parts)
            start = Checkpoint(0, 0, state.model_dump_json())
            table = Table(spec, found.parts, start, dice=dice)
            begun = replace(row, status="running", seats=len(holders), commitment=dice.commitment)
            live = _Live(begun, secret, holders, stored.told, table, public_lines(table.opening))
            who = live.reader()
            players = tuple([text("{seat} ({member})", seat=holder.seat, member=member(holder.user))
                             for holder in holders if holder.user is not None])
            news = text("{game} begins with {players}. The secret of its dice has the SHA-256 {commitment}.",
                        game=verbatim(spec.name), players=players, commitment=verbatim(dice.commitment))

            def begin(ledger: Ledger) -> None:
                ledger.begin(game, seats=len(holders), secret=secret, commitment=dice.commitment, at=at)
                ledger.add_checkpoint(game, start)
                ledger.note(game, by, "started the game", at)

            await self._commit(live, first=[notice(news, who)], picture=True, also=begin)
            self._keep(live)

    async def resign(self, game: int, user: int) -> None:
        """Give up a seat of a running game: its questions get their defaults until it is handed over."""
        async with self._turn(game):
            stored = await self._played(game)
            seat = _seat_of(stored.holders, user)
            holders = tuple([replace(holder, user=None) if holder.seat == seat else holder for holder in stored.holders])
            deserted = all(holder.user is None for holder in holders)
            row = replace(stored.row, status="paused") if deserted else stored.row
            live = await self._table(replace(stored, row=row, holders=holders))
            what = ("{member} gives up the seat of {seat}. Nobody is left, so the game is paused." if deserted else
                    "{member} gives up the seat of {seat}, which is free now. Until the game master hands it over, its "
                    "questions get their defaults.")
            news = text(what, member=member(user), seat=seat)

            def free(ledger: Ledger) -> None:
                ledger.seat_all(game, holders)
                ledger.forget_message(game, f"private:{seat}")

            await self._commit(live, first=[notice(news, live.reader())], also=free)
            self._keep(live)

    async def close(self, game: int, by: int, why: str) -> None:
        """End a game without a result; `why` is told to everybody."""
        async with self._turn(game):
            stored = await self._stored(game)
            _require(stored.row, ("open", *PLAYED))
            reason = text(" {why}", why=verbatim(why.strip())) if why.strip() else text("")
            news = notice(text("The game master has closed the game.{reason}", reason=reason), English())
            await self._declare(stored, "closed", news, by, "closed the game")

    async def pause(self, game: int, by: int) -> None:
        """Take no answers until the game goes on; nobody is asked, and no seat gets its default."""
        async with self._turn(game):
            stored = await self._stored(game)
            if stored.row.status == "paused":
                raise Refusal("The game is paused already.")
            _require(stored.row, ("running",))
            news = notice(text("The game master has paused the game."), English())
            await self._declare(stored, "paused", news, by, "paused the game")

    async def go_on(self, game: int, by: int) -> None:
        """End a pause; all who are awaited are asked again."""
        async with self._turn(game):
            stored = await self._stored(game)
            if stored.row.status == "running":
                raise Refusal("The game is not paused.")
            _require(stored.row, ("paused",))
            if all(holder.user is None for holder in stored.holders):
                raise Refusal("Nobody holds a seat of this game; hand one over first.")
            live = await self._table(replace(stored, row=replace(stored.row, status="running")))
            news = notice(text("The game goes on."), English())
            at = self._time()
            await self._commit(live, first=[news], also=lambda ledger: ledger.note(game, by, "let the game go on", at))
            self._keep(live)

    async def hand_over(self, game: int, seat: Seat, user: int, by: int, *, name: str = "") -> None:
        """Give a seat of a running game to a member who has none in it; who held it before has none any more.

        `name` is how people know the member.
        """
        async with self._turn(game):
            live = await self._loaded(game)
            _require(live.row, PLAYED)
            _known(live.holders, seat)
            if any(holder.user == user for holder in live.holders):
                raise Refusal("{member} has a seat in this game already.", member=member(user))
            live.holders = tuple([Holder(seat=seat, user=user, private=True, name=name) if holder.seat == seat else holder
                                  for holder in live.holders])
            live.table.absent.discard(seat)
            live.told = live.told.model_copy(update={"asked": _without(live.told.asked, seat),
                                                     "private": _without(live.told.private, seat)})
            news = notice(text("{member} now plays {seat}.", member=member(user), seat=seat), live.reader())
            at = self._time()

            def hand(ledger: Ledger) -> None:
                ledger.seat_all(game, live.holders)
                ledger.forget_message(game, f"private:{seat}")
                ledger.note(game, by, f"handed {seat} to <@{user}>", at)

            await self._commit(live, first=[news], again=[seat], also=hand)

    async def set_private(self, game: int, user: int, wanted: bool) -> None:
        """Say whether a member wants the private direct message of a seat."""
        async with self._turn(game):
            stored = await self._stored(game)
            seat = _seat_of(stored.holders, user)
            holders = tuple([replace(holder, private=wanted) if holder.seat == seat else holder for holder in stored.holders])
            if stored.row.status not in PLAYED:
                await self._store.write(lambda ledger: ledger.seat_all(game, holders))
                return
            live = await self._loaded(game)
            live.holders = holders
            await self._commit(live, again=[seat], also=lambda ledger: ledger.seat_all(game, holders))

    # --- looking ------------------------------------------------------------------------------------

    async def game(self, game: int) -> GameRow:
        """One game. Raises Refusal: there is none with this number."""
        return (await self._stored(game)).row

    async def games(self, *, channel: int | None = None, user: int | None = None, guild: int | None = None,
                    status: Sequence[Status] = ("open", "running", "paused")) -> list[GameRow]:
        """The games that fit all that is given, newest last; `user`: a member who holds a seat."""
        return await self._store.read(lambda ledger: ledger.games(channel=channel, user=user, guild=guild, status=status))

    async def holders(self, game: int) -> list[Holder]:
        """Who holds which seat, in seat order."""
        return list((await self._stored(game)).holders)

    async def seat_of(self, game: int, user: int) -> Seat | None:
        """The seat of a member, if there is one."""
        return next((holder.seat for holder in await self.holders(game) if holder.user == user), None)

    async def table(self, game: int) -> Table:
        """The table of a started game: to read, never to change. Raises Refusal: the game has not started."""
        async with self._turn(game):
            return (await self._loaded(game)).table

    async def reader(self, game: int) -> English:
        """A reader who knows the game's names and how its seats are called now; works for every game, even a broken one."""
        stored = await self._stored(game)
        try:
            async with self._turn(game):
                return (await self._loaded(game)).reader()
        except Refusal:
            return English(dict(self.spec(stored.row.key).names((await self._components(stored.row)).parts)))

    def spec(self, key: str) -> GameSpec:
        """The game with this key. Raises Faulty."""
        if key not in self._specs:
            raise Faulty("There is no game {key}; there are: {games}.", key=verbatim(key),
                         games=tuple(verbatim(known) for known in self._specs))
        return self._specs[key]

    async def waiting(self, game: int) -> list[Waiting]:
        """The questions that wait for a person now; none if the game is not running or paused.

        In public, name all seats of `awaited` instead: which sealed answers are in already is nobody's business.
        """
        async with self._turn(game):
            stored = await self._stored(game)
            if stored.row.status not in PLAYED:
                return []
            table = (await self._loaded(game)).table
            since = await self._store.read(lambda ledger: ledger.time(game, table.asked_at))
            users = {holder.seat: holder.user for holder in stored.holders}
            return [Waiting(seat=question.seat, user=users[question.seat], ask=question, asked_at=table.asked_at,
                            since=since or stored.started_at or stored.row.created_at) for question in table.waiting()]

    async def awaited(self, game: int) -> list[Seat]:
        """The seats that may be named in public as awaited: all that are asked together, answered or not [SOE-21.1.8]."""
        table = await self.table(game)
        return [question.seat for question in table.asks]

    async def parts(self, game: int) -> Any:
        """The components that a game is played with."""
        return (await self._components(await self.game(game))).parts

    async def story(self, game: int, picture: Picture, *, seat: Seat | None = None, row: int | None = None,
                    since: int | None = None, subject: str = "") -> Story:
        """What a picture for this seat (None: for everybody) is made from, up to now or up to an earlier row of any kind.

        It is marked with what is new since a row (None: not at all). Nothing is parsed here: what is made of a story belongs
        into a worker thread. Raises Refusal.
        """
        async with self._turn(game):
            asked = seat is not None and row is None
            table = (await self._loaded(game)).table if asked else None
            stored = await self._stored(game)

            def read(ledger: Ledger) -> tuple[Checkpoint, list[Row], int]:
                rows = ledger.outline(game)
                if row is not None:
                    _exists(rows, row)
                    rows = [old for old in rows if old.no <= row]
                here = line(rows)
                in_force, known = {old.no for old in here.rows}, here.head if since is None else since
                start = ledger.checkpoint(game, () if picture.whole else {no for no in in_force if no <= known})
                if start is None:
                    raise Refusal("The game has not started.")
                return start, [old for old in ledger.rows(game, since=start.no) if old.no in in_force], known

            start, rows, known = await self._store.read(read)
            options = table.options(seat) if table is not None and seat is not None and stored.row.status == "running" else ()
            people = {holder.seat: holder.name for holder in stored.holders if holder.user is not None and holder.name}
            return Story(spec=self.spec(stored.row.key), parts=(await self._components(stored.row)).parts, start=start, rows=rows,
                         since=known, seat=seat, options=options, people=people, subject=subject)

    async def known(self, game: int, user: int | None = None, row: int | None = None) -> int:
        """The row since which a picture is marked: that of the member's last look, or the one before the last turn.

        The last turn it is for who has not looked yet, or has looked and nothing has happened since; and the last turn before
        an earlier row for everybody.
        """
        def read(ledger: Ledger) -> int:
            if row is not None:
                return ledger.pictured_before(game, row)
            look = None if user is None else ledger.look(game, user)
            return ledger.game(game).told.marked if look in (None, ledger.newest(game)) else look or 0

        return await self._store.read(read)

    async def looked(self, game: int, user: int, row: int) -> None:
        """A member has been shown the board as it stands after this row."""
        await self._store.write(lambda ledger: ledger.looked(game, user, row))

    async def theme(self, guild: int | None, user: int | None = None) -> Theme:
        """In which theme pictures are drawn for a member, or for all of a server."""
        return await self._store.read(lambda ledger: ledger.theme(guild, user)) or "dark"

    async def set_server_theme(self, guild: int, theme: Theme) -> None:
        """Choose the theme of what is posted on a server, and of what its members see who have chosen none."""
        await self._store.write(lambda ledger: ledger.set_server_theme(guild, theme))

    async def set_member_theme(self, user: int, theme: Theme) -> None:
        """Choose the theme of what a member alone is shown."""
        await self._store.write(lambda ledger: ledger.set_member_theme(user, theme))

    async def met(self, user: int, name: str, guild: int | None) -> None:
        """A member goes by this name on this server now; it is kept with the member's seats, where pictures find it."""
        try:
            if await self._store.read(lambda ledger: ledger.misnamed(user, name, guild)):
                await self._store.write(lambda ledger: ledger.rename(user, name, guild))
        except NotStored as why:                        # no reason to hold up whatever the member wants
            log.warning("a player's new name: %s", why)

    async def history(self, game: int, *, page: int, size: int = 15) -> tuple[list[tuple[int, str, Text]], int]:
        """A page of the public record, oldest first, and how many pages there are; the last page is the newest.

        Each line is the row's number, "undone" or "", and its sentence. Pages count from 1; the nearest that exists is given.
        """
        lines = await self._public_record(game)
        return _page(lines, page, size)

    async def export(self, game: int) -> str:
        """The whole game as JSON lines once it is over, dice secret and all; before, its public record as plain text."""
        stored = await self._stored(game)
        if stored.row.status != "over":
            who = await self.reader(game)
            return "".join(f"{no:>5} {'(undone) ' if mark else ''}{say(sentence, who)}\n"
                           for no, mark, sentence in await self._public_record(game))
        async with self._turn(game):
            live = await self._loaded(game)
            rows = await self._store.read(lambda ledger: ledger.rows(game))
            who = live.reader()
            return record.write(live.table, edition=live.row.edition, options=live.row.options, secret=live.secret,
                                seats={holder.seat: who.name(holder.seat) for holder in live.holders},
                                components=await self._components(live.row), rows=line(rows).rows)

    async def newest(self, game: int) -> int:
        """The number of the last row of any kind, in force or not; 0 before the first."""
        return await self._store.read(lambda ledger: ledger.newest(game))

    # --- moves --------------------------------------------------------------------------------------

    async def answer(self, game: int, user: int, action: Action, *, asked_at: int | None = None) -> Done:
        """Give the answer of a member's seat. Raises Refusal, and then nothing has changed."""
        async with self._turn(game):
            live = await self._loaded(game)
            seat = _seat_of(live.holders, user)
            _require(live.row, ("running",))
            live.table.examine(seat, action, asked_at=asked_at)
            return await self._give(live, seat, action, "player")

    async def option(self, game: int, seat: Seat, choice: str) -> Action | None:
        """The present answer of a seat that a button means (see `bot.news.choice_id`); None if there is none any more."""
        table = await self.table(game)
        return next((action for action in table.options(seat) if choice_id(action) == choice), None)

    # --- game master ----------------------------------------------------------------------------------

    async def answer_for(self, game: int, seat: Seat, action: Action | None, by: int) -> Done:
        """Give an answer for a seat: this one, or its default."""
        async with self._turn(game):
            live = await self._loaded(game)
            _known(live.holders, seat)
            _require(live.row, ("running",))
            given = live.table.default(seat) if action is None else action
            live.table.examine(seat, given)
            at, deed = self._time(), f"answered for {seat} in row {live.table.last_no + 1}"
            return await self._give(live, seat, given, "moderator", lambda ledger: ledger.note(game, by, deed, at))

    async def undo(self, game: int, by: int) -> Preview:
        """Take back the last decision and all that followed from it."""
        def target(rows: Sequence[Row], absent: set[Seat]) -> int:
            to = undo_target(line(rows).rows, absent)
            if to is None:
                raise Refusal("There is nothing to take back yet.")
            return to

        return await self._return(game, by, "undo", target)

    async def redo(self, game: int, by: int) -> Preview:
        """Bring back what the last undo or rollback took, as long as nobody has decided anything since."""
        def target(rows: Sequence[Row], absent: set[Seat]) -> int:
            to = redo_target(rows, absent)
            if to is None:
                raise Refusal("There is nothing to bring back: nothing was taken back, or the game has gone on since.")
            return to

        return await self._return(game, by, "redo", target)

    async def preview(self, game: int, to: int) -> Preview:
        """What a rollback to row `to` would take back; 0 is the beginning. Changes nothing."""
        async with self._turn(game):
            stored = await self._played(game)
            rows = await self._store.read(lambda ledger: ledger.outline(game))
            _exists(rows, to)
            return await self._effect(stored.row, rows, to, taken_back(rows, to))

    async def rollback(self, game: int, to: int, by: int, *, fresh: bool = False) -> Preview:
        """Return to the position after row `to`, of any kind; `fresh`: with other dice from there on."""
        def target(rows: Sequence[Row], absent: set[Seat]) -> int:
            _exists(rows, to)
            if not fresh and line(rows).rows == line([row for row in rows if row.no <= to]).rows:
                raise Refusal("The game stands after row {row} already, so there is nothing to take back.", row=to)
            return to

        return await self._return(game, by, "rollback", target, fresh=fresh)

    async def audit(self, game: int, *, page: int, size: int = 15) -> tuple[list[str], int]:
        """A page of what game masters did, oldest first, and how many pages there are. Members stand in it as <@id>."""
        notes = await self._store.read(lambda ledger: ledger.notes(game))
        return _page([f"{at[:16].replace('T', ' ')} {f'<@{user}>' if user else 'The bot'} {deed}." for at, user, deed in notes],
                     page, size)

    async def gm_role(self, guild: int) -> int | None:
        """The role whose members are game masters on a server, if one was chosen."""
        return await self._store.read(lambda ledger: ledger.gm_role(guild))

    async def set_gm_role(self, guild: int, role: int | None) -> None:
        """Choose that role, or none."""
        await self._store.write(lambda ledger: ledger.set_gm_role(guild, role))

    # --- outbox ---------------------------------------------------------------------------------------

    async def pending(self, limit: int = 20) -> list[OutboxRow]:
        """Letters to send: those of one game in their order, the oldest of each game first."""
        return await self._store.read(lambda ledger: ledger.pending(limit))

    async def sent(self, id: int, message: int | None) -> None:
        """A letter has become this message (None: there was nothing to post)."""
        at = self._time()
        await self._store.write(lambda ledger: ledger.mark_sent(id, message, at))

    async def failed(self, id: int, why: str, *, give_up: bool = False) -> bool:
        """A letter could not be sent; True if it is not tried again, after many attempts or because that is hopeless.

        `why` goes to the audit, so it must hold nothing of the letter's content.
        """
        at = self._time()

        def fail(ledger: Ledger) -> bool:
            letter = ledger.letter(id)
            lost = give_up or letter.attempts + 1 >= ATTEMPTS
            ledger.mark_failed(id, why, at if lost else None)
            if lost:
                ledger.note(letter.game, None, f"could not deliver a {letter.kind} for {letter.audience}: {why}", at)
                if letter.kind != "notice":
                    news = text("A message of this game could not be delivered; the audit of the game master says which and why.")
                    ledger.add_letters(letter.game, letter.no, [notice(news, English(), GM)], at)
            return lost

        return await self._store.write(fail)

    async def messages(self, game: int) -> dict[str, int]:
        """The messages that may have to be found again, by key: the last "question:seat_1", the standing "private:seat_1"."""
        return await self._store.read(lambda ledger: ledger.messages(game))

    # --- the works: one game at a time ------------------------------------------------------------------

    @asynccontextmanager
    async def _turn(self, game: int) -> AsyncIterator[None]:
        """The game's lock; whatever goes wrong inside leaves no doubtful table behind, and becomes a calm sentence."""
        async with self._locks.setdefault(game, asyncio.Lock()):
            try:
                yield
            except Refusal:
                raise
            except Drift as drift:
                self._live.pop(game, None)
                log.error("game %s: row %s no longer replays", game, drift.no)
                raise await self._broken(game, drift.no) from None
            except Exception as why:                    # never its message: it may quote an answer or a state
                self._live.pop(game, None)
                log.error("game %s: %s\n%s", game, type(why).__name__, "".join(traceback.format_tb(why.__traceback__)))
                raise Refusal("Something went wrong inside the bot. Nothing has changed; its log tells more.") from None

    async def _broken(self, game: int, no: int) -> Refusal:
        """Pause a game whose log no longer replays, tell its game master once, and give the sentence that says so."""
        stored = await self._stored(game)
        if stored.row.status not in PLAYED:
            return Refusal("Row {row} no longer replays to what it recorded, so the position cannot be shown.", row=no)
        rows = await self._store.read(lambda ledger: ledger.outline(game))
        sound = max((row.no for row in line(rows).rows if row.no < no), default=0)
        why = Refusal("Row {row} no longer replays to what it recorded, so this game is paused. A rollback to {place} mends it.",
                      row=no, place=_place(sound))
        if stored.row.status == "running":
            await self._declare(stored, "paused", notice(why.text, English(), GM), None,
                                f"paused the game, since row {no} no longer replays")
        return why

    async def _stored(self, game: int) -> Stored:
        return await self._store.read(lambda ledger: ledger.game(game))

    async def _lobby(self, game: int) -> Stored:
        """A game that has not started. Raises Refusal."""
        stored = await self._stored(game)
        if stored.row.status in PLAYED:
            raise Refusal("The game has started already. Its game master can hand a free seat over; who plays can resign.")
        _require(stored.row, ("open",))
        return stored

    async def _played(self, game: int) -> Stored:
        """A game that has started and not ended. Raises Refusal."""
        stored = await self._stored(game)
        _require(stored.row, PLAYED)
        return stored

    async def _seat(self, stored: Stored, holders: Sequence[Holder], what: str, user: int) -> None:
        """Change who has joined an open game, and tell it."""
        game, at = stored.row.id, self._time()
        news = notice(text(f"{what}: {{taken}} of {{seats}} seats are taken.", member=member(user), taken=len(holders),
                           seats=stored.row.seats), English())

        def seat(ledger: Ledger) -> None:
            ledger.seat_all(game, holders)
            ledger.add_letters(game, 0, [news], at)

        await self._store.write(seat)

    async def _declare(self, stored: Stored, status: Status, news: Letter, by: int | None, deed: str) -> None:
        """A new status that needs no table: nobody is asked any more until the game goes on."""
        game, at = stored.row.id, self._time()

        def declare(ledger: Ledger) -> None:
            ledger.progress(game, status, stored.told.model_copy(update={"asked": {}}))
            ledger.settle(game, [f"question:{seat}" for seat in stored.told.asked], at)
            ledger.add_letters(game, ledger.newest(game), [news], at)
            ledger.note(game, by, deed, at)

        self._live.pop(game, None)
        await self._store.write(declare)

    # --- the works: tables ------------------------------------------------------------------------------

    async def _loaded(self, game: int) -> _Live:
        """The live table, from memory or from the file; rows that come to be while it is built are stored."""
        live = self._live.get(game)
        if live is None:
            live = await self._table(await self._stored(game))
            if live.table.fresh:
                await self._commit(live)
        self._keep(live)
        return live

    def _keep(self, live: _Live) -> None:
        """Remember a table as the most recently used."""
        self._live.pop(live.row.id, None)
        self._live[live.row.id] = live
        while len(self._live) > self._most:
            del self._live[next(iter(self._live))]

    async def _table(self, stored: Stored, returning: Row | None = None) -> _Live:
        """The table as the file has it; with a row that is about to be stored, as it will be."""
        row = stored.row
        past, found = await self._past(stored, returning=returning), await self._components(row)
        absent = [holder.seat for holder in stored.holders if holder.user is None] if row.status == "running" else ()
        spec = self.spec(row.key)
        table = Table(spec, found.parts, past.start, [old for old in past.rows if old.no > past.start.no],
                      dice=SecretDice(stored.secret), epoch=past.line.epoch, next_no=past.newest + 1,
                      returned_at=past.line.returned_at, absent=absent, run_on=row.status in PLAYED)
        untold = [sentence for old in past.rows if old.no > stored.told.row for sentence in _sentences(spec, old)]
        return _Live(row, stored.secret, stored.holders, stored.told, table, untold)

    async def _opening(self, stored: Stored) -> Sequence[Event]:
        """What happened before anybody was asked anything: no row holds it."""
        start = await self._store.read(lambda ledger: ledger.checkpoint(stored.row.id, ()))
        assert start is not None, "a game that has begun has a first checkpoint"
        found = await self._components(stored.row)
        return Table(self.spec(stored.row.key), found.parts, start, dice=SecretDice(stored.secret), checkpoints=False,
                     run_on=False).opening

    async def _past(self, stored: Stored, *, returning: Row | None = None) -> _Past:
        game = stored.row.id

        def read(ledger: Ledger) -> _Past:
            rows = ledger.outline(game)
            if returning is not None:
                rows.append(returning)
            here = line(rows)
            in_force = {row.no for row in here.rows}
            start = ledger.checkpoint(game, in_force)
            if start is None:
                raise Refusal("The game has not started.")
            since = min(start.no, stored.told.row)
            return _Past(rows[-1].no if rows else 0, here, start,
                         [row for row in ledger.rows(game, since=since) if row.no in in_force])

        return await self._store.read(read)

    async def _components(self, row: GameRow) -> Components:
        found = self._parts.get((row.key, row.pack_hash))
        if found is None:
            raw = await self._store.read(lambda ledger: ledger.components(row.pack_hash))
            found = self._parts[row.key, row.pack_hash] = bound(self.spec(row.key), raw)
        return found

    # --- the works: transactions --------------------------------------------------------------------------

    async def _give(self, live: _Live, seat: Seat, action: Action, by: By,
                    also: Callable[[Ledger], None] | None = None) -> Done:
        """Give an answer that the table has examined, and store what follows."""
        try:
            live.table.answer(seat, action, by=by)
        except Refusal as why:
            raise RuntimeError("the table refuses what it examined, and may have changed") from why
        entries = await self._commit(live, actor=seat, also=also)
        return Done(entries=entries, over=live.table.over,
                    lines=[sentence for entry in entries for sentence in public_lines(entry.events)],
                    private=[sentence for entry in entries for reached, sentence in entry.private if reached == seat])

    async def _commit(self, live: _Live, *, rows: Sequence[Row] = (), first: Sequence[Letter] = (), actor: Seat | None = None,
                      again: Iterable[Seat] = (), picture: bool = False,
                      also: Callable[[Ledger], None] | None = None) -> Sequence[Entry]:
        """Store what is new at a table, with all that is told of it, in one transaction; if that fails, forget the table."""
        game, before, table, at = live.row.id, live.told, live.table, self._time()
        entries, checkpoint = table.take()
        ends = table.over and live.row.status in PLAYED
        status: Status = "over" if ends else live.row.status
        who = live.reader()
        listeners = [holder.seat for holder in live.holders if holder.user is not None and holder.private]
        news = after(table, entries, live.untold, before, who, listeners=listeners, actor=actor, again=tuple(again),
                     picture=picture, asking=status == "running")
        letters = [*first, *news.letters, *([final(table, who, live.secret, live.row.commitment)] if ends else ())]
        made = [*rows, *(entry.row() for entry in entries)]

        def save(ledger: Ledger) -> None:
            if also is not None:
                also(ledger)
            ledger.add_rows(game, made, at)
            if checkpoint is not None:
                ledger.add_checkpoint(game, checkpoint)
            ledger.settle(game, news.settled, at)
            ledger.add_letters(game, table.last_no, letters, at)
            ledger.progress(game, status, news.told)

        try:
            await self._store.write(save)
        except BaseException:
            self._live.pop(game, None)      # memory never runs ahead of the file
            raise
        live.row, live.told, live.untold = replace(live.row, status=status), news.told, news.untold
        return entries

    async def _return(self, game: int, by: int, kind: Literal["undo", "redo", "rollback"],
                      target: Callable[[Sequence[Row], set[Seat]], int], *, fresh: bool = False) -> Preview:
        """Store a row that returns, and go on from where it leads."""
        async with self._turn(game):
            stored = await self._played(game)
            rows = await self._store.read(lambda ledger: ledger.outline(game))
            to = target(rows, {holder.seat for holder in stored.holders if holder.user is None})
            back = taken_back(rows, to)
            kept = {row.no for row in line(rows).rows}
            forth = [row for row in line([row for row in rows if row.no <= to]).rows if row.no not in kept]
            taken, brought = await self._effect(stored.row, rows, to, back), await self._effect(stored.row, rows, to, forth)
            no = rows[-1].no + 1 if rows else 1
            turning = Row(no, MODERATOR, MODERATOR, RETURN, Return(to=to, kind=kind, fresh=fresh).model_dump_json())
            told = stored.told.model_copy(update={"row": no, "last": {}, "pictured": no})
            live = await self._table(replace(stored, told=told), returning=turning)
            at, deed = self._time(), f"returned from row {rows[-1].no if rows else 0} to row {to} ({kind})"
            await self._commit(live, rows=[turning], first=[notice(_announced(taken, brought, fresh=fresh), live.reader())],
                               again=[holder.seat for holder in live.holders], picture=True,
                               also=lambda ledger: ledger.note(game, by, deed, at))
            self._keep(live)
            return brought if kind == "redo" else taken

    async def _effect(self, row: GameRow, rows: Sequence[Row], to: int, moved: Sequence[Row]) -> Preview:
        """The public side of rows that a return takes or brings back."""
        numbers = [old.no for old in moved]
        if not numbers:
            return Preview(to=to, rows=(), lines=())
        whole = await self._store.read(lambda ledger: ledger.rows(row.id, since=numbers[0] - 1))
        spec, wanted = self.spec(row.key), set(numbers)
        return Preview(to=to, rows=numbers, lines=[sentence for old in whole if old.no in wanted
                                                   for sentence in _sentences(spec, old)])

    async def _public_record(self, game: int) -> list[tuple[int, str, Text]]:
        """Every public sentence with its row; what is no longer in force is marked, and returns are told."""
        async with self._turn(game):
            stored = await self._stored(game)
            if stored.row.commitment == "":
                return []
            rows = await self._store.read(lambda ledger: ledger.rows(game))
            spec, in_force = self.spec(stored.row.key), {row.no for row in line(rows).rows}
            lines = [(0, "", sentence) for sentence in public_lines(await self._opening(stored))]
            for row in rows:
                mark = "" if row.no in in_force or row.verb == RETURN else "undone"
                lines += [(row.no, mark, sentence) for sentence in _sentences(spec, row)]
            return lines

    def _time(self) -> str:
        return self._now().isoformat(timespec="seconds")

    def _wake(self) -> None:
        if self.wake is not None:
            self.wake()


# --- small questions ------------------------------------------------------------------------------------

def _require(row: GameRow, wanted: Sequence[Status]) -> None:
    """Raise Refusal, with what is so, unless the game is in one of these states."""
    if row.status in wanted:
        return
    raise NotAsked({
        "open": "The game has not started.", "running": "The game is running.",
        "paused": "The game is paused; its game master can let it go on.",
        "over": "The game is over, and the secret of its dice is known, so nothing in it changes any more.",
        "closed": "The game is closed."}[row.status])


def _seat_of(holders: Iterable[Holder], user: int) -> Seat:
    """The seat of a member. Raises Refusal."""
    for holder in holders:
        if holder.user == user:
            return holder.seat
    raise Refusal("You have no seat in this game.")


def _known(holders: Iterable[Holder], seat: Seat) -> None:
    if all(holder.seat != seat for holder in holders):
        raise Refusal("This game has no seat {seat}.", seat=seat)


def _exists(rows: Sequence[Row], no: int) -> None:
    newest = rows[-1].no if rows else 0
    if not 0 <= no <= newest:
        raise Refusal("There is no row {row}; the last one is row {newest}.", row=no, newest=newest)


def _sentences(spec: GameSpec, row: Row) -> list[Text]:
    """What everybody may read of a stored row: its events speak, never its answer."""
    if row.verb == RETURN:
        return [text("The game master returned to {place}.", place=_place(Return.model_validate_json(row.answer).to))]
    try:
        return public_lines(parse_events(spec, row.events))
    except (KeyError, ValidationError):         # written by another version of the rules
        return [text("Row {row} can no longer be read.", row=row.no)]


def _announced(taken: Preview, brought: Preview, *, fresh: bool) -> Text:
    """The news of a return: how many rows, where to, and what was public in them."""
    parts: list[Text] = []
    for template, moved in (("The game master took back {rows}, to {place}{what}", taken),
                            ("The game master brought back {rows}, to {place}{what}", brought)):
        if moved.rows:
            parts.append(text(template, place=_place(moved.to),
                              rows=count(len(moved.rows), "{n} row", "{n} rows"),
                              what=text(": {lines}", lines=_run(moved.lines)) if moved.lines else text(".")))
    if fresh:
        parts.append(text("The dice are thrown afresh from {place}.", place=_place(taken.to)))
    return _run(parts)


def _run(sentences: Sequence[Text]) -> Text:
    """Sentences one after the other, as one."""
    return Text(" ".join(f"{{s{number}}}" for number in range(len(sentences))),
                {f"s{number}": sentence for number, sentence in enumerate(sentences)})


def _place(row: int) -> Text:
    return text("row {row}", row=row) if row else text("the beginning")


def _without(by_seat: Mapping[str, Any], seat: Seat) -> dict[str, Any]:
    return {key: value for key, value in by_seat.items() if key != seat}


def _page(items: Sequence[Any], page: int, size: int) -> tuple[list[Any], int]:
    """The nearest page that exists, counted from 1, and how many there are."""
    pages = -(-len(items) // size)
    first = (min(max(page, 1), max(pages, 1)) - 1) * size
    return list(items[first:first + size]), pages
