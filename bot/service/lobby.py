"""Games before they start: open, join, leave, start."""
from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from random import Random
from typing import Any

from bot.core.incidents import operation
from bot.core.live_table import LiveTable
from bot.core.requirements import PLAYED, require
from bot.core.service import Service
from bot.domain.absence import STARTING
from bot.domain.alarms import ahead, require_ahead
from bot.domain.announcements import member, notice, public_lines
from bot.domain.datetime_options import sentence
from bot.domain.deadlines import Clock, read
from bot.domain.letters import STATUS, Farewell, Invitation, Invited, LateStart, Letter, LobbyFull, Rematch
from bot.domain.titles import title_of, told_apart
from bot.service.interests import REGULARS, announced, spread_word
from bot.service.quotas import require_room_for_game
from bot.service.seat_sentences import seated
from bot.service.undo import run
from bot.store import ClockRow, GameRow, Holder, Ledger, Stored
from engine.components import Components, components, edition_of, known_hashes
from engine.kernel import Checkpoint, GameSpec, Level, Seat, Table
from engine.options import ALONE, WATCHED, changed, chosen, dice as dice_of, every, offered, pace, rules_of
from engine.orders import Orders
from engine.players import level_of, playable
from engine.refusals import Faulty, Refusal
from engine.text import Text, count, lines, printed, say, text, verbatim

SOLID: Level = "solid"      # how strong the others are in a game for one alone
TOLD = 3            # changed options that are told one by one to those who have joined; more of them are counted


def _begin(spec: GameSpec, edition: str, options: Mapping[str, Any], seats: Sequence[Seat], found: Components,
           now: datetime) -> Any:
    """The first state; raises what is wrong with these options, for so many players and at this moment too."""
    state = spec.rules.setup(tuple(seats), rules_of(spec, edition, options), found.parts)
    spec.rules.bind(state, found.parts)
    require_ahead(spec, state, now)
    return state


def _seats(number: int) -> list[Seat]:
    return [Seat(f"seat_{place}") for place in range(1, number + 1)]


def _in_seats(holders: Sequence[Holder]) -> list[Holder]:
    """Return them in the first seats, one after the other."""
    return [replace(holder, seat=seat) for holder, seat in zip(holders, _seats(len(holders)))]


def _automatic(level: str) -> Holder:
    return Holder(seat=Seat(""), user=None, private=True, level=level)


def _farewells(stored: Stored, user: int, why: Text) -> list[Letter]:
    """Return what takes the place of the direct message of a member who has joined no more."""
    return [Farewell(audience=holder.seat, user=user, sentence=why) for holder in stored.holders
            if holder.user == user]


class Lobby(Service):
    @operation
    async def open(self, *, key: str, edition: str, seats: int, options: Mapping[str, Any], pack: str | None, title: str,
                   guild: int | None, channel: int, owner: int, clock: Clock | None = None,
                   beside: int | None = None, starter: int | None = None, alone: str | None = None,
                   language: str | None = None) -> GameRow:
        """Open a game for members to join. `options` are those that differ from the edition's; `pack` is JSON text. `alone`: the
        owner, who is called so, has a seat, all others are automatic, and nobody is told of it before it starts.

        Without a clock it gets the one that its server gives to new games. People are invited in the channel `beside`, too.
        The message `starter`, if there is one, becomes the status message.

        Raises Faulty as `checked` does; Refusal: the member or the server has as many games as they can have.
        """
        spec, at = self.session.spec(key), self.session.time()
        found = await self.checked(key=key, edition=edition, seats=seats, options=options, pack=pack)
        self.session.remember_components(key, found)
        values: dict[str, Any] = {
            "key": key, "edition": edition, "options": dict(options), "title": title_of(title, spec), "guild": guild,
            "channel": channel, "owner": owner, "seats": seats, "pack_hash": found.hash, "created_at": at,
            "language": language}

        def add(ledger: Ledger) -> GameRow:
            require_room_for_game(self.session.quotas.limits, ledger, owner, guild)
            named = told_apart(values["title"], ledger.games.titles(guild, channel))
            game = ledger.games.add_game({**values, "title": named}, found.raw)
            usual = clock or read(ledger.settings.server_clock(guild))
            ledger.clocks.set_clock(game, ClockRow(clock=usual.suited(spec.orders)))
            ledger.games.set_posting(game, ledger.settings.server_posting(guild))
            if alone is not None:
                ledger.games.seat_all(game, _in_seats([Holder(seat=Seat(""), user=owner, private=True, name=alone),
                                                       *[_automatic(SOLID)] * (seats - 1)]))
                return ledger.games.game(game).row
            if starter is not None:
                ledger.outbox.keep_message(game, "status", starter)
            ledger.outbox.add_letters(game, 0, [STATUS, *([Invitation(channel=beside)] if beside is not None else []),
                                                *announced(ledger, game, self.session.now())], at)
            return ledger.games.game(game).row

        return await self.store.write(add)

    async def title(self, title: str, owner: int, guild: int | None, channel: int) -> str:
        """What a game with this title will be called: with a number, if there is another. Raises Refusal as `require_room`."""
        await self.require_room(owner, guild)
        return told_apart(title, await self.store.read(lambda ledger: ledger.games.titles(guild, channel)))

    async def require_room(self, owner: int, guild: int | None) -> None:
        """Raise Refusal if a member, or a server, has as many games as they can have: before a place is made for one."""
        await self.store.read(lambda ledger: require_room_for_game(self.session.quotas.limits, ledger, owner, guild))

    @operation
    async def set_options(self, game: int, by: int, *, edition: str | None = None,
                          changes: Mapping[str, Any] | None = None) -> GameRow:
        """Give an open game the preset of another edition, or options other values; None: the value that the preset has.

        Whoever has joined is told. What all were told before they joined, who will see what, stays from then on.
        Raises Faulty: the options cannot be; Refusal: it is too late, or a moment is past.
        """
        async with self.session.locked(game):
            stored = await self._lobby(game)
            row, spec, at = stored.row, self.session.spec(stored.row.key), self.session.time()
            options = changed(row.options, changes or {})
            now = replace(row, edition=edition or row.edition, options=options)
            own = chosen(spec, now.edition, options)
            found = await self.session.components(row) if now.edition == row.edition else await self._of_edition(row, now.edition)
            await asyncio.to_thread(_begin, spec, now.edition, options, _seats(row.seats), found, self.session.now())
            before = chosen(spec, row.edition, row.options)
            moved = [choice for choice in every(spec) if choice.key in own and own[choice.key] != before.get(choice.key)]
            others = [holder for holder in stored.holders if holder.user not in (by, None)]
            if others and any(choice.kept for choice in moved):
                raise Refusal("Somebody has already joined, so hints can't be switched on or off. Open another game for it.")
            if others and any(choice.told for choice in moved):
                raise Refusal("Somebody has already joined and was told who sees what, so that can't change. Open another game "
                              "for it.")
            audit = f"chose {edition_of(spec, now.edition).name}" if now.edition != row.edition else "changed the options"
            if moved:
                audit += ": " + "; ".join([say(sentence(choice, own[choice.key])).rstrip(".") for choice in moved])
            told = [sentence(choice, own[choice.key]) for choice in moved] if len(moved) <= TOLD else [
                text("{options} have changed. Check them before the game starts.",
                     options=count(len(moved), "{n} option", "{n} options"))]
            news = [notice(text("{member} changes the options. {told}", member=member(by), told=sentence))
                    for sentence in told] if others else []

            def choose(ledger: Ledger) -> GameRow:
                ledger.games.set_options(game, edition=now.edition, options=options, pack_hash=found.hash, components=found.raw)
                ledger.audit.note(game, by, audit, at)
                ledger.outbox.add_letters(game, 0, [*news, STATUS], at)
                return ledger.games.game(game).row

            return await self.store.write(choose)

    async def _of_edition(self, row: GameRow, edition: str) -> Components:
        """The components of a game once it goes by another edition. Raises Refusal: a data pack does not fit that."""
        spec = self.session.spec(row.key)
        if edition_of(spec, edition).data == edition_of(spec, row.edition).data:
            return await self.session.components(row)
        if row.pack_hash not in await asyncio.to_thread(known_hashes, spec):
            raise Refusal("This game has a data pack for one edition. Open another game for another edition.")
        return self.session.remember_components(row.key, await asyncio.to_thread(components, spec, edition))

    async def checked(self, *, key: str, edition: str, seats: int, options: Mapping[str, Any], pack: str | None) -> Components:
        """The components of a game that can be opened so; whatever was handed in is looked at beside the event loop.

        Raises Faulty: no such game or edition, a number of seats that it has not, options or a pack that cannot be used. Raises
        Refusal: a moment on which its players would agree is past.
        """
        spec = self.session.spec(key)
        if seats not in spec.seats:
            raise Faulty("{game} is for {players} players, so it can't have {seats} seats.", game=printed(spec.name),
                         players=spec.players, seats=seats)
        found = await asyncio.to_thread(components, spec, edition, pack)
        await asyncio.to_thread(_begin, spec, edition, options, _seats(seats), found, self.session.now())
        return found

    @operation
    async def join(self, game: int, user: int, *, name: str = "") -> Seat:
        """Take the next seat of an open game; `name` is how people know the member."""
        async with self.session.locked(game):
            stored = await self._lobby(game)
            holders = stored.holders
            if any(holder.user == user for holder in holders):
                raise Refusal("You've already joined this game.")
            people = [holder for holder in holders if not holder.level]
            automatic = [holder for holder in holders if holder.level]
            if len(people) >= stored.row.seats:
                raise Refusal("All {seats} seats are taken.", seats=stored.row.seats)
            invited = await self.store.read(lambda ledger: ledger.seats.invited(game, user))
            if invited is False:
                raise Refusal("The game master removed you from this game and can invite you again.")
            if stored.row.invite_only and not invited and user != stored.row.owner:
                raise Refusal("This game is by invitation only. {host} can invite you.", host=member(stored.row.owner))
            joined = Holder(seat=Seat(f"seat_{len(people) + 1}"), user=user, private=True, name=name)
            room = stored.row.seats - len(people) - 1           # a person takes the place of an automatic player
            await self._seat(stored, _in_seats([*people, joined, *automatic[:room]]))
            return joined.seat

    @operation
    async def fill(self, game: int, level: str, by: int) -> None:
        """Give the empty seats to automatic players of a strength, and later those that are given up; "" takes them out."""
        async with self.session.locked(game):
            stored, at = await self._lobby(game), self.session.time()
            people = [holder for holder in stored.holders if not holder.level]
            if level:
                level_of(level)
                if not playable(self.session.spec(stored.row.key)):
                    raise Refusal("This game has no automatic players.")
                if len(people) == stored.row.seats:
                    raise Refusal("No seat is empty.")
            free = stored.row.seats - len(people) if level else 0
            seated = _in_seats([*people, *[_automatic(level)] * free])

            def seat(ledger: Ledger) -> None:
                ledger.games.seat_all(game, seated)
                ledger.seats.set_full(game, at if len(seated) == stored.row.seats else None)
                ledger.seats.set_successor(game, level)

            await self.change(game, by, seat, letters=[STATUS], audit="took the automatic players out" if not level else
                              f"gave the empty seats to automatic players ({level})")

    @operation
    async def put_automatic(self, game: int, seat: Seat, level: str, by: int) -> None:
        """Give one seat that no person has to an automatic player of a strength; "" takes that out, and others move up."""
        async with self.session.locked(game):
            stored, at = await self._lobby(game), self.session.time()
            if level and level_of(level) and not playable(self.session.spec(stored.row.key)):
                raise Refusal("This game has no automatic players.")
            if seat not in _seats(stored.row.seats):
                raise Refusal("This game has no seat {seat}.", seat=seat)
            found = next((holder for holder in stored.holders if holder.seat == seat), None)
            if found is not None and found.user is not None:
                raise Refusal("{member} has joined and sits there. *Who can join and see* removes a player.",
                              member=member(found.user))
            if level == ("" if found is None else found.level):
                raise Refusal("An automatic player already plays {seat}." if level else "No automatic player plays {seat}.",
                              seat=text("{seat}", seat=verbatim(seat.replace("_", " "))))
            now = Holder(seat=seat, user=None, private=True, level=level)
            others = [holder for holder in stored.holders if holder != found]
            seated = ([*others, now] if found is None else others if not level else
                      [now if holder == found else holder for holder in stored.holders])

            def put(ledger: Ledger) -> None:
                ledger.games.seat_all(game, _in_seats(seated))
                ledger.seats.set_full(game, at if len(seated) == stored.row.seats else None)

            await self.change(game, by, put, letters=[STATUS, *([LobbyFull()] if len(seated) == stored.row.seats > len(others) + 1
                                                                else [])],
                              audit=f"gave a seat to an automatic player ({level})" if level else "took an automatic player out")

    @operation
    async def leave(self, game: int, user: int) -> None:
        """Give a seat back before the game starts; those who joined later move up."""
        async with self.session.locked(game):
            stored = await self._lobby(game)
            staying = [holder for holder in stored.holders if holder.user != user]
            if len(staying) == len(stored.holders):
                raise Refusal("You haven't joined this game.")
            await self._seat(stored, _in_seats(staying), _farewells(stored, user, text("You left this game.")))

    # -- who may join

    @operation
    async def set_invite_only(self, game: int, by: int, *, only: bool) -> None:
        """From now on only invited members can join a game or take over a free seat, or everybody can; who has joined stays."""
        async with self.session.locked(game):
            require((await self.session.stored(game)).row, ("open", *PLAYED))

            def choose(ledger: Ledger) -> None:
                ledger.seats.set_invite_only(game, only)
                spread_word(ledger, game, self.session.now())

            await self.change(game, by, choose, letters=[STATUS],
                              audit="made the game invitation-only" if only else "opened the game to everybody")

    @operation
    async def invite(self, game: int, user: int, by: int) -> None:
        """Call a member to join an open game, also one who has been removed from it."""
        async with self.session.locked(game):
            if any(holder.user == user for holder in (await self._lobby(game)).holders):
                raise Refusal("{member} has already joined.", member=member(user))
            again = await self.store.read(lambda ledger: ledger.seats.invited(game, user))
            await self.change(game, by, lambda ledger: ledger.seats.set_invited(game, user, True), audit=f"invited <@{user}>",
                              letters=[] if again else [Invited(host=by, user=user)])

    @operation
    async def remove(self, game: int, user: int, by: int) -> None:
        """Take a member out of an open game, who cannot join again unless invited; those who joined later move up."""
        async with self.session.locked(game):
            stored = await self._lobby(game)
            staying = [holder for holder in stored.holders if holder.user != user]
            if len(staying) == len(stored.holders):
                raise Refusal("{member} hasn't joined this game.", member=member(user))
            news = text("Game master {master} removes {member} from the game.", master=member(by), member=member(user))

            def remove(ledger: Ledger) -> None:
                ledger.games.seat_all(game, _in_seats(staying))
                ledger.seats.set_full(game, None)
                ledger.seats.set_invited(game, user, False)

            await self.change(game, by, remove, audit=f"removed <@{user}>", letters=[notice(news), STATUS, *_farewells(
                stored, user, text("The game master removed you from this game."))])

    async def rematch_opened(self, game: int, by: int) -> GameRow | None:
        """The rematch of a finished game that somebody has opened; None: this member can open it. Raises Refusal as `rematch`."""
        stored = await self.session.stored(game)
        require(stored.row, ("over",))
        if by != stored.row.owner and all(holder.whose != by for holder in stored.holders):
            raise Refusal("Only those who played in this game can ask for a rematch.")
        known = await self.store.read(lambda ledger: ledger.seats.rematch(game))
        opened = None if known is None else (await self.session.stored(known)).row
        return opened if opened is not None and opened.status != "closed" else None

    @operation
    async def rematch(self, game: int, by: int, *, name: str = "", place: tuple[int, int] | None = None) -> tuple[GameRow, bool]:
        """The rematch of a finished game: same options, components, clock and choices of its lobby; and whether it is new. It is
        played at the same place, or at `place`: a channel and the message there that becomes the status message.

        Whoever wants it first opens it and has a seat in it, and so have its automatic players; the other players are called.
        If seats are free a day later, whoever would like to hear of such games is told.

        Raises Refusal: the game is not over, or this member has not played in it.
        """
        async with self.session.locked(game):
            stored = await self.session.stored(game)
            old, at = stored.row, self.session.time()
            opened = await self.rematch_opened(game, by)
            if opened is not None:
                return opened, False
            players = [user for holder in stored.holders if (user := holder.whose) is not None]
            channel, starter = place or (old.channel, None)
            spec, found = self.session.spec(old.key), await self.session.components(old)
            await asyncio.to_thread(_begin, spec, old.edition, old.options, _seats(old.seats), found, self.session.now())
            values = {"key": old.key, "edition": old.edition, "options": dict(old.options), "owner": by,
                      "guild": old.guild, "channel": channel, "seats": old.seats, "pack_hash": found.hash, "created_at": at}
            others = [user for user in players if user != by]
            own = [Holder(seat=Seat(""), user=by, private=True, name=name)] if by in players else []
            automatic = [_automatic(holder.level) for holder in stored.holders if holder.level]

            def add(ledger: Ledger) -> GameRow:
                require_room_for_game(self.session.quotas.limits, ledger, by, old.guild)
                named = told_apart(old.title, ledger.games.titles(old.guild, channel))
                number = ledger.games.add_game({**values, "title": named}, found.raw)
                ledger.clocks.set_clock(number, replace(ledger.clocks.clock(game), voted=False))
                ledger.gone_players.copy_choices(game, number)
                for user in players:
                    ledger.seats.set_invited(number, user, True)
                if starter is not None:
                    ledger.outbox.keep_message(number, "status", starter)
                ledger.seats.set_rematch(game, number)
                ledger.games.seat_all(number, _in_seats([*own, *automatic]))
                ledger.seats.set_successor(number, automatic[0].level if automatic else "")
                spread_word(ledger, number, self.session.now(), but=players, grace=REGULARS)
                ledger.outbox.add_letters(number, 0, [STATUS, *([Rematch(host=by, users=others)] if others else [])], at)
                return ledger.games.game(number).row

            return await self.store.write(add), True

    @operation
    async def order(self, game: int, by: int, first: int | None = None) -> None:
        """Who has joined sits in another order from now on: a member before all others, or everybody as the lot falls."""
        async with self.session.locked(game):
            holders = [*(await self._lobby(game)).holders]
            if len(holders) < 2:
                raise Refusal("There is no order to change until two have joined.")
            if first is None:
                Random(self.session.secret()).shuffle(holders)
            elif all(holder.user != first for holder in holders):
                raise Refusal("{member} hasn't joined this game.", member=member(first))
            else:
                holders.sort(key=lambda holder: holder.user != first)
            seated = _in_seats(holders)
            news = text("Game master {master} changes the order of the seats: {members}.", master=member(by),
                        members=tuple([member(holder.user) for holder in seated if holder.user is not None]))
            await self.change(game, by, lambda ledger: ledger.games.seat_all(game, seated), letters=[notice(news), STATUS],
                              audit="changed the order of the seats")

    @operation
    async def start(self, game: int, by: int) -> None:
        """Begin with those who have joined, in the order of their seats; their number must suit the game."""
        async with self.session.locked(game):
            stored = await self._lobby(game)
            row, holders, spec = stored.row, stored.holders, self.session.spec(stored.row.key)
            watched = all(holder.level for holder in holders) and not pace(row.options)
            if watched:                                         # nobody plays: they play on for whoever watches
                row = replace(row, options={**row.options, ALONE: WATCHED})
            if len(holders) not in spec.seats:
                raise Refusal("{game} needs {players} players; {joined} so far.", game=printed(spec.name),
                              players=spec.players,
                              joined=count(len(holders), "{n} has joined", "{n} have joined"))
            found, secret, at = await self.session.components(row), self.session.secret(), self.session.time()
            dice = dice_of(secret, row.options)
            state = _begin(spec, row.edition, row.options, [holder.seat for holder in holders], found, self.session.now())
            start = Checkpoint(0, 0, state.model_dump_json())
            table = Table(spec, found.parts, start, dice=dice, deputy=Orders(spec, ()), veiled=row.veil > 0)
            begun = replace(row, status="running", seats=len(holders), commitment=dice.commitment)
            live = LiveTable(begun, secret, holders, stored.told, table,
                             [(line, table.turn) for line in public_lines(table.opening)])
            who = live.reader()
            news = text("{game} starts with {players}.", game=printed(spec.name), players=tuple(seated(holders, who)))

            own = chosen(spec, row.edition, row.options)
            unusual = [choice.sentence(own[choice.key]) for choice in every(spec)
                       if (choice.told or choice.kept or (watched and choice.key == ALONE))
                       and own[choice.key] != offered(spec)[choice.key][0]]

            def begin(ledger: Ledger) -> None:
                if watched:
                    ledger.games.set_options(game, edition=row.edition, options=row.options, pack_hash=found.hash,
                                             components=found.raw)
                ledger.games.begin(game, seats=len(holders), secret=secret, commitment=dice.commitment, at=at)
                ledger.log.add_checkpoint(game, start)
                ledger.audit.note(game, by, "started the game", at)

            moments = ahead(spec, state)
            said = notice(lines([news, *unusual, *([run(moments)] if moments else [])]), who)
            await self.session.commit(live, first=[STATUS, said], picture=True, also=begin)
            self.session.remember(live)

    async def may_start(self, game: int, user: int) -> bool:
        """True if a member who is no game master can start an open game: who has joined, once it has been full for long."""
        stored, now = await self.session.stored(game), self.session.now()
        full, presence = await self.store.read(lambda ledger: (ledger.seats.full_since(game), ledger.presence.presence(now)))
        return (full is not None and presence.since(datetime.fromisoformat(full)) >= STARTING
                and any(holder.user == user for holder in stored.holders))

    @operation
    async def call_late_start(self, game: int) -> None:
        """Call the players of a game that has been full for long: they can start it themselves; again after as many days."""
        at, now = self.session.time(), self.session.now()

        def call(ledger: Ledger) -> None:
            if ledger.timers.timers(ledger.presence.presence(now), "late_start", game=game):
                ledger.seats.called_late(game)
                ledger.outbox.add_letters(game, 0, [LateStart()], at)

        await self.store.write(call)

    async def _lobby(self, game: int) -> Stored:
        """A game that has not started. Raises Refusal."""
        stored = await self.session.stored(game)
        if stored.row.status in PLAYED:
            raise Refusal("The game has already started. `/table seats` shows free seats. If you play, you can resign.")
        require(stored.row, ("open",))
        return stored

    async def _seat(self, stored: Stored, holders: Sequence[Holder], farewells: Sequence[Letter] = ()) -> None:
        """Change who has joined an open game: its message says so, and the host is told once that all seats are taken."""
        game, at = stored.row.id, self.session.time()

        def seat(ledger: Ledger) -> None:
            ledger.games.seat_all(game, holders)
            ledger.idle_games.somebody_joined(game, at)
            ledger.seats.set_full(game, at if len(holders) == stored.row.seats else None)
            ledger.outbox.add_letters(
                game, 0, [STATUS, *([LobbyFull()] if len(holders) == stored.row.seats else []), *farewells], at)

        await self.store.write(seat)
