"""Short answers to whoever pressed or typed: acknowledged at once, ephemeral, a sentence when something is refused."""
from __future__ import annotations

import functools
import logging
import traceback
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Any, TypeVar, cast

import aiohttp
import discord
from discord import app_commands
from discord.app_commands import Choice

from bot.discord.context import Interaction
from bot.discord.interaction_delivery import gone, surely, unwell
from bot.discord.sanitize import tame
from bot.discord.visibility import Sight, seen
from bot.domain import announcements
from bot.service import Services
from bot.store import GameRow, Status
from engine.kernel import Seat, Table
from engine.outside import one_line
from engine.refusals import NotAsked, Refusal
from engine.text import English, Reader, Text, count, say, text, verbatim

MESSAGE = announcements.MESSAGE      # characters of a message
CHOICES = 25                # choices of an autocomplete, options of a select
NAME = 100                  # characters of a choice, of a description, of an option of a select
NUMBER = 19                 # digits that no number of a game has
REACH = 200                 # games of one status that are looked through for a name
LABEL = 80                  # characters of a button's label

FINISHED: Sequence[Status] = ("over", "closed")
ALL: Sequence[Status] = ("open", "running", "paused", *FINISHED)
OUTDATED = text("This command has changed since your Discord last looked. Restart Discord, then try again.")
POWERLESS = text("I lack a permission in this channel: I need to view it, to send messages, to attach files and to open "
                 "threads.")

UNHEARD = text("Discord was out of reach for a moment. `/game status` shows whether your move is in; if it isn't, try again.")

BACK = "back"               # among the extras of an interaction that has ended an absence: the number of the game
REHEARSED = "rehearsed"     # among the extras of an interaction of which the operator wants to see the error


log = logging.getLogger(__name__)


# --- sentences --------------------------------------------------------------------------------------

def clip(words: str, most: int) -> str:
    """At most so many characters; what is cut off ends in an ellipsis."""
    return words if len(words) <= most else f"{words[:most - 1].rstrip()}…"


def shortened(words: str, most: int, where: Text) -> str:
    """The first whole lines that fit into one message, then how many more there are and where they can be read."""
    told = words.split("\n")
    for kept in range(len(told), -1, -1):
        more = [] if kept == len(told) else [_more(count(len(told) - kept, "{n} more line", "{n} more lines"), where)]
        short = "\n".join([*told[:kept], *more])
        if len(short) <= most and (kept or not more):
            return short
    rest = _more(text("the rest"), where)                       # a first line that is too long by itself
    return f"{clip(told[0], most - len(rest) - 1)}\n{rest}"


def _more(what: Text, where: Text) -> str:
    return say(text("-# … and {what}: {where}", what=what, where=where), English())


def pieces(words: str, most: int = MESSAGE) -> list[str]:
    """A long text as messages, divided between lines where that is possible."""
    out: list[str] = []
    while len(words) > most:
        cut = words.rfind("\n", 1, most + 1)
        cut = cut if cut > 0 else most
        out.append(words[:cut])
        words = words[cut:].removeprefix("\n")
    return [*out, words] if words.strip() else out


def lines(sentences: Sequence[Text]) -> Text:
    """Sentences one below the other, as one."""
    return Text("\n".join(f"{{s{number}}}" for number in range(len(sentences))),
                {f"s{number}": sentence for number, sentence in enumerate(sentences)})


def titled(game: GameRow) -> str:
    """What people call a game; its opener's words cannot ping or format anything, nor turn the line around."""
    return tame(game.title)


def explain(refusal: Refusal, reader: Reader | None = None) -> str:
    """The refusal as a sentence, with the number of its rule."""
    words = say(refusal.text, reader or English())
    return f"{words} ({refusal.rule})" if refusal.rule else words


def reader_of(table: Table) -> English:
    """The reader who knows the names of this game and how its seats are called now."""
    return announcements.reader(table.spec, table.parts, table.state, map(Seat, table.state.seats))


def seat_name(table: Table, seat: Seat, reader: Reader) -> str:
    """How a seat is called now: "France"."""
    return reader.name(table.spec.words.seat_name(table.state, seat))


# --- answering ----------------------------------------------------------------------------------------

async def acknowledge(interaction: Interaction) -> None:
    """Tell Discord within its three seconds that an answer is coming, to the one who asks alone.

    What was pressed in a message that only the presser sees changes that message; all else gets a message of its own.
    """
    pressed = interaction.type in (discord.InteractionType.component, discord.InteractionType.modal_submit)
    own = pressed and interaction.message and interaction.message.flags.ephemeral
    await surely(interaction, lambda: interaction.response.defer() if own else
                 interaction.response.defer(ephemeral=True, thinking=True))
    interaction.client.health.acknowledged.note(waited(interaction))


def waited(interaction: Interaction) -> float:
    """Seconds since somebody pressed or typed, by the stamp that Discord gave it."""
    return (discord.utils.utcnow() - interaction.created_at).total_seconds()


async def reply(interaction: Interaction, words: str | Text, view: discord.ui.View | None = None,
                files: Iterable[discord.File] = ()) -> None:
    """Say what came of it; a `Text` is said in the words of the interaction's game.

    What is too long for one message comes in several, with the buttons below the last.
    """
    told = say(words, await _reader(interaction)) if isinstance(words, Text) else words
    first = next(iter(pieces(told)), told)
    rest = told[len(first):].removeprefix("\n")
    attached = list(files)

    async def change() -> None:
        for file in attached:
            file.reset()
        await interaction.edit_original_response(content=first, view=None if rest.strip() else view, attachments=attached,
                                                 allowed_mentions=discord.AllowedMentions.none())

    try:
        await change()
    except (aiohttp.ClientError, OSError):              # it may have arrived: the same once more changes nothing
        await change()
    if rest.strip():
        await add(interaction, rest, view)


async def add(interaction: Interaction, words: str, view: discord.ui.View | None = None,
              files: Sequence[discord.File] = ()) -> None:
    """Say something more to whoever pressed or typed, alone: in as many messages as it takes, with the buttons below the last."""
    *earlier, last = pieces(words)
    for piece in earlier:
        await interaction.followup.send(piece, ephemeral=True, allowed_mentions=discord.AllowedMentions.none())
    await interaction.followup.send(last, view=view or discord.utils.MISSING, files=files, ephemeral=True,
                                    allowed_mentions=discord.AllowedMentions.none())


def suggestions(found: Sequence[Choice[Any]]) -> list[Choice[Any]]:
    """As many as Discord shows; the last one says how many more there are, and how they are found."""
    if len(found) <= CHOICES:
        return list(found)
    note = say(text(" … and {n} more: type on to find them", n=len(found) - CHOICES), English())
    *shown, last = found[:CHOICES]
    return [*shown, Choice(name=f"{clip(last.name, NAME - len(note))}{note}", value=last.value)]


Suggest = TypeVar("Suggest", bound=Callable[..., Awaitable[list[Any]]])


def helping(suggest: Suggest) -> Suggest:
    """An autocomplete that offers nothing to whom its command refuses everything, nor if something goes wrong: nobody can be told
    what, but the operator finds a capsule."""
    @functools.wraps(suggest)
    async def calm(*given: Any) -> list[Any]:
        try:
            return await suggest(*given)
        except Refusal:
            return []
        except Exception as error:
            interaction = next(one for one in given if isinstance(one, discord.Interaction))
            if REHEARSED in interaction.extras:
                raise
            game = interaction.extras.get("game")
            await interaction.client.services.session.incident(error, {"deed": "", "interaction": scene(interaction)},
                                                   None if game is None else game.id)
            return []

    return cast(Suggest, calm)


async def complain(interaction: Interaction, error: BaseException) -> None:
    """The one place where an error becomes a sentence for the person who met it, and a line of the log without secrets."""
    if isinstance(error, app_commands.CommandInvokeError):
        error = error.original
    if gone(error):
        log.info("an interaction was over before it was answered (%s)", type(error).__name__)
        return
    words = await _sentence(interaction, error)
    try:
        if not interaction.response.is_done():
            await acknowledge(interaction)
        await reply(interaction, words)
    except (discord.HTTPException, aiohttp.ClientError, OSError) as late:       # nobody is left to be told
        log.info("a reply did not arrive (%s)", type(late).__name__)


async def _sentence(interaction: Interaction, error: BaseException) -> str:
    if isinstance(error, Refusal):
        return explain(error, await _reader(interaction))
    if isinstance(error, (app_commands.CommandNotFound, app_commands.CommandSignatureMismatch)):
        return say(OUTDATED, English())
    if isinstance(error, app_commands.TransformerError):
        value = verbatim(clip(tame(str(error.value)), NAME))
        return say(text("{value} is no value that this command understands.", value=value), English())
    if isinstance(error, discord.Forbidden):
        return say(POWERLESS, English())
    if unwell(error):
        log.warning("Discord did not take a reply (%s)", type(error).__name__)
        return say(UNHEARD, English())
    game = interaction.extras.get("game")
    attempt = {"deed": "", "interaction": scene(interaction)}
    number = await interaction.client.services.session.incident(error, attempt, None if game is None else game.id)
    return say(text("Something went wrong inside the bot. Your position is safe; type `/game status` to see where the game "
                    "stands. The bot's operator finds more under number {number}.", number=number), English())


def scene(interaction: Interaction) -> dict[str, Any]:
    """What was done, by whom and where, as JSON; not the token with which it could be answered."""
    return {"type": interaction.type.value, "data": interaction.data, "guild": interaction.guild_id,
            "channel": interaction.channel_id, "user": interaction.user.id, "name": interaction.user.display_name,
            "permissions": interaction.permissions.value}


async def _reader(interaction: Interaction) -> Reader:
    """The names of the game that the interaction is about, as far as it came to know one."""
    game = interaction.extras.get("game")
    return English() if game is None else await interaction.client.services.queries.reader(game.id)


async def note(services: Services, error: BaseException, work: str, game: int | None = None, **given: object) -> None:
    """What went wrong in work that nobody waits for an answer of: a capsule that says what it was and what it was given.

    What a deed of the core refuses has its capsule already, if it needs one.
    """
    if isinstance(error, Refusal):
        record(error)
    else:
        await services.session.incident(error, {"deed": "", "work": work, "given": given}, game)


def record(error: BaseException) -> None:
    """Log where an error happened; never its message, which may quote an answer."""
    log.error("%s\n%s", type(error).__name__, "".join(traceback.format_tb(error.__traceback__)))


# --- which game is meant --------------------------------------------------------------------------------

async def find_game(interaction: Interaction, wanted: str | None, *, key: str | None = None, lobby: bool = False,
                    seated: bool = True) -> GameRow:
    """The game that the caller means: the one named, else the one of this channel; in a direct message, the caller's.

    If several are there, those that have started (for the `lobby`: that have not) come first, and among them those in which the
    caller has a seat (if not `seated`: has none). Raises Refusal: nothing fits, or several games do.
    """
    game = await _here(interaction, key, lobby=lobby, seated=seated) if wanted is None else await _named(interaction, wanted)
    if key not in (None, game.key):
        raise Refusal("Game {id} is another game; its commands begin with /{command}.", id=game.id,
                      command=verbatim(interaction.client.services.session.spec(game.key).command))
    interaction.extras["game"] = game
    await noticed(interaction, game.id)
    return game


async def noticed(interaction: Interaction, game: int) -> None:
    """Whoever is away without a word does something with a game: that ends the absence, and `game.absence` tells of it."""
    services, user = interaction.client.services, interaction.user
    if interaction.type is discord.InteractionType.autocomplete:
        return
    await services.queries.met(game, user.id, user.display_name, interaction.guild_id)
    if await services.seats.shows_up(game, user.id):
        interaction.extras[BACK] = game


async def _here(interaction: Interaction, key: str | None, *, lobby: bool, seated: bool) -> GameRow:
    services, user = interaction.client.services, interaction.user.id
    known = await (played_in(interaction) if interaction.guild_id is not None else services.queries.games(user=user, status=ALL))
    sight = Sight(interaction)
    known = [game for game in known if key in (None, game.key) and await sight.of(game)]
    live = [game for game in known if game.status not in FINISHED]
    fits = [game for game in live if (game.status == "open") == lobby] or live or known[-1:]
    if len(fits) > 1:
        fits = [game for game in fits if (await services.queries.seat_of(game.id, user) is not None) == seated] or fits
    if len(fits) > 1:
        raise Refusal("Several games are played here; say which one with the option game: {games}.",
                      games=tuple(verbatim(f"{game.id} ({titled(game)})") for game in fits))
    if not fits:
        raise await _nowhere(interaction, key)
    return fits[0]


async def played_in(interaction: Interaction) -> list[GameRow]:
    """The games of the present channel; in a thread that has none, the game whose players talk there, or those of its channel."""
    services, channel = interaction.client.services, interaction.channel
    known = await services.queries.games(channel=interaction.channel_id, status=ALL)
    if known or not isinstance(channel, discord.Thread):
        return known
    talk = await services.channels.talked_in(channel.id)
    return [talk] if talk is not None else await services.queries.games(channel=channel.parent_id, status=ALL)


async def _named(interaction: Interaction, wanted: str) -> GameRow:
    number = _number(wanted)
    try:
        if number:
            return await seen(interaction, number)
    except Refusal:
        pass                                            # then it may be a title
    found = [game for game in await within_reach(interaction) if game.title.casefold() == wanted.strip().casefold()]
    if not found:
        raise Refusal("There is no game {wanted} here; type /game list to see the games that there are.",
                      wanted=verbatim(clip(tame(wanted), NAME)))
    return found[-1]


async def manages(interaction: Interaction) -> bool:
    """Whether the caller may manage this server, or has its role for game masters."""
    if interaction.guild_id is None or not isinstance(interaction.user, discord.Member):
        return False
    role = await interaction.client.services.settings.gm_role(interaction.guild_id)
    return interaction.permissions.manage_guild or interaction.user.get_role(role or 0) is not None


def _number(wanted: str) -> int:
    """The number of a game that was typed: 7 of "#7"; 0, which no game has, if it is none."""
    digits = wanted.strip().lstrip("#")
    return int(digits) if digits.isdecimal() and len(digits) < NUMBER else 0


async def within_reach(interaction: Interaction, *, number: int | None = None) -> list[GameRow]:
    """The games that the caller sees: those of this server, and the caller's own; newest last.

    Only the one of this number, or of each status the newest: a server can have tens of thousands.
    """
    services, sight = interaction.client.services, Sight(interaction)
    own = await services.queries.games(user=interaction.user.id, number=number, status=ALL, most=REACH)
    here = await services.queries.games(guild=interaction.guild_id, number=number, status=ALL, most=REACH) \
        if interaction.guild_id is not None else []
    both = sorted({game.id: game for game in (*own, *here)}.values(), key=lambda game: game.id)
    return [game for game in both if await sight.of(game)]


async def _nowhere(interaction: Interaction, key: str | None) -> Refusal:
    own = [game for game in await interaction.client.services.queries.games(user=interaction.user.id) if key in (None, game.key)]
    if own:
        return Refusal("No such game is played in this channel. Yours: {games}.",
                       games=tuple(text("{title} (game {game}) in {channel}", title=verbatim(titled(game)), game=game.id,
                                        channel=verbatim(f"<#{game.channel}>")) for game in own))
    return Refusal("No such game is played in this channel; type /game list to see the games of this server.")


@helping
async def suggest_games(interaction: Interaction, typed: str) -> list[Choice[str]]:
    """Autocomplete of every option `game`: games that are within reach, live ones first."""
    meant = await within_reach(interaction, number=_number(typed))
    games = sorted(await within_reach(interaction), key=lambda game: (game.status in FINISHED, -game.id))
    named = {str(game.id): f"{game.id}: {one_line(game.title)}" for game in (*meant, *games)}
    return suggestions([Choice(name=clip(name, NAME), value=id) for id, name in named.items()
                        if typed.casefold().lstrip("#") in name.casefold()])


async def named_seat(interaction: Interaction, game: GameRow, wanted: str, *besides: str) -> Seat:
    """The seat that is meant, by its id or by what it is called now. Raises NotAsked with what could be meant: the seats, and
    what the command takes `besides`."""
    queries = interaction.client.services.queries
    reader, holders = await queries.reader(game.id), await queries.holders(game.id)
    for holder in holders:
        if wanted.strip().casefold() in (holder.seat.casefold(), reader.name(holder.seat).casefold()):
            return holder.seat
    seats = (*(holder.seat for holder in holders), *besides)
    raise NotAsked("There is no such seat in this game; there are: {seats}.", seats=seats)
