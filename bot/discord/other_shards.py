"""Direct messages and several shards: Discord sends them all to one process, which hands each interaction to the process that
keeps the game. What comes from a server whose games have moved to the file of another process is handed over in the same way.

The processes are of one machine and one user. Each listens on a socket in a folder that only this user can open. One line of JSON
goes each way: a question (what do you know of what this member means?), or an interaction as it came from Discord, with the token
by which anybody can answer it. Discord takes one first answer to an interaction, and nothing is carried out before that was
taken: so whatever is late or lost on the way, it is done once at most.
"""
from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import AsyncIterator, Coroutine, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Literal, TypeAlias, TypeVar

import aiohttp
import discord
from discord import app_commands
from pydantic import BaseModel, TypeAdapter

from bot.discord.components import game_of
from bot.discord.context import Context
from bot.discord.errors import explain, record
from bot.discord.file_loans import Kept, Line, Loan, hand_out, say_line, stop_at_once
from bot.discord.find_game import ALL, REACH, as_told, number_in, suggest_games
from bot.discord.own.games import listed
from bot.discord.sanitize import tame
from bot.domain.shards import ListedGame, ShardGame
from bot.service.moves import settle
from bot.store import Store
from bot.store.guard import keep_private
from bot.store.meeting import socket_of, take_place
from bot.store.migrations import CHANGES
from engine.refusals import Faulty, Refusal
from engine.text import template, verbatim

LONGEST = 1 << 20       # bytes of a line; the longest interaction has a tenth of that
PATIENCE = 0.8          # seconds for another process; there are two such waits before the first answer, which has three seconds
SETTLING = 5            # seconds between two looks whether another file has let go of what has moved here
COMPONENT, FORM = 3, 5  # Discord's types of interactions

SILENT = template("A part of me isn't answering, so I can't find that game. Nothing has changed. Try again in a minute.")
UNSURE = template("A part of me isn't answering, so I can't tell which of your games you mean. Say which one with the option "
                  "game, or try again in a minute.")
LOST = template("A part of me isn't answering, so I can't find your games. Nothing has changed. Try again in a minute.")
AWAY = template("The part of me that has this server's games isn't answering. Nothing has changed. Try again in a minute.")
MOVING = template("Games are moving to another part of me just now. Nothing has changed. Try again in a few seconds.")
SEVERAL = template("Several games are played here. Say which one with the option game: {games}.")
NAMESAKES = template("Several of your games are called that. Say which one by its number.")

Answer = TypeVar("Answer", bound=BaseModel)

log = logging.getLogger(__name__)


class Question(Line):
    """What is known of what a member means, and of a game by its number or title."""

    user: int
    named: str | None


class Known(Line):
    """The answer: whether a game with that number is here, or else a game of the member's that is called so; and in which games
    the member has a seat, the newest last."""

    found: Literal["number", "title"] | None
    games: tuple[ShardGame, ...]


class Listing(Line):
    """What a member's list of games says of those that are kept here: of the first so many, as no more are shown."""

    member: int
    most: int


class Listed(Line):
    """The answer."""

    games: tuple[ListedGame, ...]


class HandedOver(Line):
    """An interaction as Discord has sent it."""

    interaction: dict[str, Any]


class Hosting(Line):
    """Whether a server's games are here."""

    server: int


class Hosted(Line):
    """The answer: how many there are; None: nothing of that server is here."""

    games: int | None


class Taken(Line):
    """The answer: it is being done."""

    taken: Literal[True] = True


Request: TypeAlias = Question | Listing | HandedOver | Hosting | Loan
REQUEST: TypeAdapter[Request] = TypeAdapter(Request)


@dataclass(frozen=True)
class Meant:
    """What an interaction says of the game that it is about."""

    named: str | None = None        # its number or title
    needed: bool = False            # it is about a game, named or not
    key: str | None = None          # and only about games of this kind


def meant(tree: app_commands.CommandTree[Any], kinds: Mapping[str, str], payload: Mapping[str, Any]) -> Meant:
    """What an interaction, as Discord sends it, is about; `kinds` has the kind of game of each command that has one."""
    data = payload["data"]
    if payload["type"] in (COMPONENT, FORM):
        game = game_of(data)
        return Meant(named=str(game)) if game else Meant()
    command, options = tree.get_command(data["name"]), data.get("options", ())
    while isinstance(command, app_commands.Group) and options:
        command, options = command.get_command(options[0]["name"]), options[0].get("options", ())
    if not isinstance(command, app_commands.Command):
        return Meant()
    parameter = command._params.get("game")
    if parameter is None or parameter.autocomplete is not suggest_games:        # or it means something else by it
        return Meant()
    typed = {option["name"]: option for option in options}.get("game")
    if typed is not None and typed.get("focused"):
        return Meant()                                                          # all are suggested
    return Meant(None if typed is None else str(typed["value"]), needed=True, key=kinds.get(data["name"]))


def home(what: Meant, known: Mapping[int, Known], here: int, *, all_told: bool) -> int:
    """Which shard is to do what a member asks, by what each knows of it, this one (`here`) included: the one that has the game
    that was named, else all games of the member; `here`, if none or several have. Unless `all_told`, some have not answered.

    Raises Refusal: one of these may have the game, or it has to be named.
    """
    if what.named is not None:
        having = [shard for shard, answer in known.items() if answer.found == "number"]
        if not having and (all_told or not number_in(what.named)):
            having = [shard for shard, answer in known.items() if answer.found == "title"]
        if len(having) > 1:
            raise Refusal(NAMESAKES)
        if not having and not all_told:
            raise Refusal(SILENT)
        return having[0] if having else here
    own = {shard: [game for game in answer.games if what.key in (None, game.key)] for shard, answer in known.items()}
    live = {shard: [game for game in games if game.live] for shard, games in own.items()}
    fits = {shard: games for shard, games in (live if any(live.values()) else own).items() if games}
    if what.needed and len(fits) > 1:
        named = sorted((game for games in fits.values() for game in games if game.live or game is games[-1]),
                       key=lambda game: game.id)
        raise Refusal(SEVERAL, games=tuple(verbatim(f"{game.id} ({tame(game.title)})") for game in named))
    if not all_told and (what.needed or not live[here]):
        raise Refusal(UNSURE if what.needed else LOST)
    return next(iter(fits)) if len(fits) == 1 else here


class OtherShards:
    """The processes of the other shards: takes from them, and gives them, what comes in direct messages."""

    def __init__(self, bot: Context, part: tuple[int, int], folder: Path) -> None:
        self._bot, self._folder = bot, folder
        self._shard, self._shards = part
        self._do = bot._connection.parsers["INTERACTION_CREATE"]
        self._kinds = {spec.command: spec.key for spec in bot.games}
        self._tasks = set[asyncio.Task[Any]]()
        self._moved_away = set[int]()

    async def begin(self) -> None:
        """Know which servers have moved to other files, and finish what is left of moves."""
        store = self._bot.services.session.store
        if not await settle(store):
            self._start(self._finish_moves(store))
        self._moved_away = await store.read(lambda ledger: ledger.moved_away())

    async def _finish_moves(self, store: Store) -> None:
        """What has moved here is marked until the other file has let go of it, which may take until its bot runs."""
        while not await settle(store):          # noqa: ASYNC110
            await asyncio.sleep(SETTLING)

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        self._note(asyncio.create_task(work))

    def _note(self, task: asyncio.Task[Any]) -> None:
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def stop(self) -> None:
        """End; a file that is lent stays with whoever has it."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def games_of(self, user: int) -> Sequence[ShardGame]:
        """The games of a member with the shards that answer."""
        told = await self._ask(Question(user=user, named=None), Known)
        return [game for answer in told.values() for game in answer.games]

    async def listed(self, user: int, most: int) -> tuple[list[ListedGame], bool]:
        """What a member's list of games says of those that other shards keep, of `most` of each in words, and whether all have
        answered."""
        told = await self._ask(Listing(member=user, most=most), Listed)
        return [game for answer in told.values() for game in answer.games], len(told) == self._shards - 1

    # --- what this process is sent by Discord

    def arrived(self, payload: dict[str, Any]) -> None:
        """An interaction comes from Discord; from a server, it is this shard's, unless that has moved to another file."""
        guild = payload.get("guild_id")
        if self._bot.resting:
            self._start(self._refuse(payload, Refusal(MOVING)))
        elif guild is not None and int(guild) not in self._moved_away:
            self._do(payload)
        else:
            self._start(self._pass_on(payload))

    async def _pass_on(self, payload: dict[str, Any]) -> None:
        """Let the process that it belongs to do what a member asks, in a direct message or on a server that has moved."""
        try:
            shard = await self._home(payload)
            if shard != self._shard and await self._exchange(shard, HandedOver(interaction=payload), Taken) is None:
                raise Refusal(SILENT if payload.get("guild_id") is None else AWAY)
            if shard == self._shard and self._bot.resting:
                raise Refusal(MOVING)
        except Refusal as why:
            await self._refuse(payload, why)
            return
        except Exception as error:
            record(error)
            shard = self._shard                     # it is answered as if there were no other shard
        if shard == self._shard:
            self._do(payload)

    async def _home(self, payload: Mapping[str, Any]) -> int:
        """Which shard is to do it. Raises Refusal, as `home`."""
        if payload.get("guild_id") is not None:
            return await self._host(int(payload["guild_id"]))
        what = meant(self._bot.tree, self._kinds, payload)
        question = Question(user=int(payload["user"]["id"]), named=what.named)
        own = await self._known(question)
        if own.found == "number":
            return self._shard
        told = {self._shard: own, **await self._ask(question, Known)}
        return home(what, told, self._shard, all_told=len(told) == self._shards)

    async def _host(self, server: int) -> int:
        """Which shard has the games of a server that has moved. Raises Refusal: some don't answer, and none of the others has."""
        told = await self._ask(Hosting(server=server), Hosted)
        having = {shard: answer.games for shard, answer in told.items() if answer.games is not None}
        if not having and len(told) < self._shards - 1:
            raise Refusal(AWAY)
        return max(having, key=lambda shard: having[shard], default=self._shard)

    async def _refuse(self, payload: Any, why: Refusal) -> None:
        """Say why nothing is done, in a message of its own: what was pressed stays, and can be pressed again."""
        interaction = discord.Interaction(data=payload, state=self._bot._connection)
        if not await self._bot.admits(interaction):
            return
        try:
            if interaction.type is discord.InteractionType.autocomplete:
                await interaction.response.autocomplete([])
            else:
                await interaction.response.send_message(explain(why), ephemeral=True)
        except (discord.HTTPException, aiohttp.ClientError, OSError) as late:       # or another process has answered after all
            log.info("a reply did not arrive (%s)", type(late).__name__)

    # --- what goes to other processes

    async def _ask(self, question: Line, wanted: type[Answer]) -> dict[int, Answer]:
        """What the others say; those that don't answer in time are left out."""
        others = [shard for shard in range(self._shards) if shard != self._shard]
        told = await asyncio.gather(*(self._exchange(shard, question, wanted) for shard in others))
        return {shard: answer for shard, answer in zip(others, told) if answer is not None}

    async def _exchange(self, shard: int, line: Line, wanted: type[Answer]) -> Answer | None:
        """What another process says to a line; None: it isn't there, doesn't understand, or takes too long."""
        try:
            async with asyncio.timeout(PATIENCE):
                reader, writer = await asyncio.open_unix_connection(socket_of(self._folder, shard), limit=LONGEST)
                try:
                    writer.write(line.model_dump_json().encode() + b"\n")
                    return wanted.model_validate_json(await reader.readline())
                finally:
                    writer.close()
        except (OSError, ValueError) as why:        # a timeout is an OSError, what can't be read a ValueError
            log.warning("shard %d doesn't answer (%s)", shard, type(why).__name__)
            return None

    # --- what comes from other processes

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer one line. What can't be read gets no answer."""
        task = asyncio.current_task()
        assert task is not None, "each connection has its own"
        self._note(task)
        try:
            async with asyncio.timeout(PATIENCE):
                request = REQUEST.validate_json(await reader.readline())
                if not isinstance(request, Loan):
                    await say_line(writer, await self._answer(request))
            if isinstance(request, Loan):
                await self._lend(request, reader, writer)
        except (OSError, ValueError) as why:
            log.warning("a line from another shard was not taken (%s)", type(why).__name__)
        except Exception as error:                  # an interaction that the library can't read, a file that is unwell
            record(error)
        except asyncio.CancelledError:              # the bot ends; asyncio would take it for an error of this task
            pass
        finally:
            writer.close()

    async def _answer(self, request: Question | Listing | HandedOver | Hosting) -> Line:
        """What is said to a line; what another process hands over is begun. Raises ValueError: that came from a server whose
        games aren't here, or nothing can be answered now."""
        if isinstance(request, Question):
            return await self._known(request)
        if isinstance(request, Listing):
            return Listed(games=tuple(await listed(self._bot, request.member, request.most)))
        if isinstance(request, Hosting):
            return Hosted(games=await self._bot.services.queries.games_on(request.server))
        server = request.interaction.get("guild_id")
        if server is not None and await self._bot.services.queries.games_on(int(server)) is None:
            raise ValueError(type(request))
        if self._bot.resting or not self._bot.is_ready():
            raise ValueError(type(request))
        self._do(request.interaction)
        return Taken()

    async def _lend(self, loan: Loan, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Let a program on this machine have the file: nothing is under way meanwhile, and what was known of it is forgotten."""
        session = self._bot.services.session
        if not session.store.path.samefile(loan.file):
            why = template("it plays from another file.")
        elif loan.tables != CHANGES[-1].__name__:
            why = template("it is of another version. Restart it with this one, or stop it.")
        elif self._bot.resting or not self._bot.is_ready():
            why = template("it is starting, or lends the file already. Try again in a minute.")
        else:
            try:
                async with self._bot.at_rest():
                    log.warning("the file is lent to another program: everything waits")
                    try:
                        await hand_out(session.store, reader, writer)
                        session.live.clear()
                        await self.begin()
                    except Exception as gone:
                        stop_at_once(gone)
                    log.warning("the file is back")
                return
            except TimeoutError:
                why = template("what is under way takes too long. Try again.")
        await say_line(writer, Kept(kept=why))

    async def _known(self, question: Question) -> Known:
        """What this shard's file knows."""
        queries, named = self._bot.services.queries, question.named or ""
        own, number = await queries.games(user=question.user, status=ALL, most=REACH), number_in(named)
        found: Literal["number", "title"] | None = None
        if number and await queries.games(number=number, status=ALL):
            found = "number"
        elif any(game.title.casefold() == named.strip().casefold() for game in own):
            found = "title"
        return Known(found=found, games=tuple(map(as_told, own)))


def _private(folder: Path) -> None:
    """Make a folder that only its owner can open, or one that is there that. Raises OSError or Faulty: it can't be."""
    folder.mkdir(mode=0o700, exist_ok=True)
    keep_private(folder)


@asynccontextmanager
async def serving(bot: Context, part: tuple[int, int], folder: Path) -> AsyncIterator[None]:
    """Let the bot, which is one shard of several, and those that listen in the same folder share what comes in direct messages,
    while the block lasts. Raises Faulty: the folder can't be used."""
    others = OtherShards(bot, part, folder)
    socket, parsers = socket_of(folder, part[0]), bot._connection.parsers
    place: IO[bytes] | None = None
    try:
        _private(folder)
        place = take_place(folder, part, bot.services.session.store.path)
        server = await asyncio.start_unix_server(others.serve, socket, limit=LONGEST)
        os.chmod(socket, 0o600)
    except OSError as why:
        if place is not None:
            place.close()
        raise Faulty("CHANCERY_SOCKETS can't be used: {reason}.",
                     reason=verbatim((why.strerror or str(why)).lower())) from None
    own, parsers["INTERACTION_CREATE"], bot.other_shards = parsers["INTERACTION_CREATE"], others.arrived, others
    try:
        await others.begin()
        yield
    finally:
        parsers["INTERACTION_CREATE"], bot.other_shards = own, None
        server.close()
        await others.stop()
        await server.wait_closed()
        socket.unlink(missing_ok=True)
        place.close()
