"""Which game is meant by a command or a form, and which seat of it: by number, title or channel."""
from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

import discord
from discord import app_commands
from discord.app_commands import Choice, locale_str

from bot.core.visit import Visit
from bot.discord.context import Interaction
from bot.discord.errors import helping
from bot.discord.languages import as_typed, called
from bot.discord.lengths import NAME, clip
from bot.discord.responses import suggestions, titled, where_played
from bot.discord.sanitize import tame
from bot.discord.visibility import Sight
from bot.discord.visits import entered, seen
from bot.service.visits import Read
from bot.store import GameRow, Ledger, Status
from engine.kernel import Seat
from engine.outside import one_line
from engine.refusals import NotAsked, Refusal
from engine.text import Fact, text, verbatim

NUMBER = 19                 # digits that no number of a game has
REACH = 200                 # games of one status that are looked through for a name

FINISHED: Sequence[Status] = ("over", "closed")
ALL: Sequence[Status] = ("open", "running", "paused", *FINISHED)
GAME_HELP = locale_str("Which game, if several are played here")

Command = TypeVar("Command", bound=Callable[..., Any])


class SeveralGames(Refusal):
    """Which game is meant cannot be told: it can be one of several."""

    def __init__(self, games: Sequence[GameRow]) -> None:
        super().__init__("Several games are played here. Say which one with the option game: {games}.",
                         games=tuple(verbatim(f"{game.id} ({titled(game)})") for game in games))
        self.games = games


async def visit_meant(interaction: Interaction, wanted: str | None, *, key: str | None = None, lobby: bool = False,
                      seated: bool = True, over: bool = False) -> Visit:
    """Visit the game that the caller means: the one named, else the one of this channel; in a direct message, the caller's.

    If several are there, those that have started (for the `lobby`: that have not) come first, and among them those in which the
    caller has a seat (if not `seated`: has none); for what is told at the end (`over`), the newest that has come to it. Raises
    Refusal: nothing fits, or several games do.
    """
    visit = await _named(interaction, wanted) if wanted is not None else await _here(interaction, key, lobby=lobby, seated=seated,
                                                                                     over=over)
    if key not in (None, visit.game.key):
        raise Refusal("Game {id} is a different game. Its commands begin with /{command}.", id=visit.id,
                      command=verbatim(visit.spec.command))
    return await entered(interaction, visit)


async def _here(interaction: Interaction, key: str | None, *, lobby: bool, seated: bool, over: bool) -> Visit:
    visits, user = interaction.client.services.visits, interaction.user.id
    known, near = await (played_in(interaction) if interaction.guild_id is not None else
                         visits.games(user, lambda ledger: ledger.games.games(user=user, status=ALL)))
    sight = Sight(interaction)
    known = [game for game in known if key in (None, game.key) and await sight.of(game)]
    live = [game for game in known if game.status not in FINISHED]
    ended = [game for game in known if game.status == "over"][-1:] if over else []
    fits = ended or [game for game in live if (game.status == "open") == lobby] or live or known[-1:]
    if len(fits) > 1:
        queries = interaction.client.services.queries
        fits = [game for game in fits if (await queries.seat_of(game.id, user) is not None) == seated] or fits
    if len(fits) > 1:
        raise SeveralGames(fits)
    if not fits:
        raise await _nowhere(interaction, key)
    return await (visits.enter(near[fits[0].id], user) if fits[0].id in near else visits.visit(fits[0].id, user))


async def played_in(interaction: Interaction) -> tuple[Sequence[GameRow], Mapping[int, Read]]:
    """The games of the present channel; in a thread that has none, the game whose players talk there, or those of its channel."""
    visits, user, here, parent = (interaction.client.services.visits, interaction.user.id, interaction.channel_id,
                                  interaction.channel.parent_id if isinstance(interaction.channel, discord.Thread) else None)

    def find(ledger: Ledger) -> Sequence[GameRow]:
        known = ledger.games.games(channel=here, status=ALL)
        if known or parent is None:
            return known
        talk = ledger.channels.game_of_thread(here or 0)
        return [ledger.games.game(talk).row] if talk is not None else ledger.games.games(channel=parent, status=ALL)

    return await visits.games(user, find)


async def _named(interaction: Interaction, wanted: str) -> Visit:
    number = number_in(wanted)
    try:
        if number:
            return await seen(interaction, number)
    except Refusal:
        pass                                            # then it may be a title
    found = [game for game in await within_reach(interaction) if game.title.casefold() == wanted.strip().casefold()]
    if not found:
        raise Refusal("There is no game {wanted} here. /game list shows the games there are.",
                      wanted=verbatim(clip(tame(wanted), NAME)))
    return await interaction.client.services.visits.visit(found[-1].id, interaction.user.id)


def server_of(interaction: Interaction) -> int:
    """The server where somebody types or presses. Raises Refusal: this is none."""
    if interaction.guild_id is None:
        raise Refusal("This only works on a server. Type it in one of its channels.")
    return interaction.guild_id


async def manages(interaction: Interaction) -> bool:
    """True if the caller may manage this server, or has its role for game masters."""
    return interaction.guild_id is not None and may_manage(
        interaction, await interaction.client.services.settings.gm_role(interaction.guild_id))


def may_manage(interaction: Interaction, role: int | None) -> bool:
    """The same where this server's role for game masters is known."""
    return isinstance(interaction.user, discord.Member) and (
        interaction.permissions.manage_guild or interaction.user.get_role(role or 0) is not None)


async def managed(interaction: Interaction) -> int:
    """The server, if the caller may manage it on the server's word. Raises Refusal."""
    if interaction.guild_id is None or not await manages(interaction):
        raise Refusal("Only members who can manage this server or have its game master role can change its settings.")
    return interaction.guild_id


def number_in(wanted: str) -> int:
    """The number of a game that was typed: 7 of "#7"; 0, which no game has, if it is none."""
    digits = wanted.strip().lstrip("#")
    return int(digits) if digits.isdecimal() and len(digits) < NUMBER else 0


async def within_reach(interaction: Interaction, *, number: int | None = None) -> list[GameRow]:
    """The games that the caller sees: those of this server, and the caller's own; newest last.

    Only the one of this number, or of each status the newest: a server can have tens of thousands.
    """
    sight, queries = Sight(interaction), interaction.client.services.queries
    found = await queries.within_reach(interaction.user.id, interaction.guild_id, number=number, status=ALL, most=REACH)
    return [game for game in found if await sight.of(game)]


async def _nowhere(interaction: Interaction, key: str | None) -> Refusal:
    own = [game for game in await interaction.client.services.queries.games(user=interaction.user.id) if key in (None, game.key)]
    if own:
        return Refusal("There's no game of that kind in this channel. Yours: {games}.",
                       games=tuple(text("{title} (game {game}) in {channel}", title=verbatim(titled(game)), game=game.id,
                                        channel=where_played(game)) for game in own))
    return Refusal("There's no game of that kind in this channel. /game list shows this server's games.")


@helping
async def suggest_games(interaction: Interaction, typed: str) -> list[Choice[str]]:
    """Autocomplete of every option `game`: games that are within reach, live ones first."""
    meant = await within_reach(interaction, number=number_in(typed))
    games = await within_reach(interaction)
    games.sort(key=lambda game: (game.status in FINISHED, -game.id))
    named = {str(game.id): f"{game.id}: {one_line(game.title)}" for game in (*meant, *games)}
    return suggestions([Choice(name=clip(name, NAME), value=id) for id, name in named.items()
                        if typed.casefold().lstrip("#") in name.casefold()])


def about_a_game(**options: str | locale_str) -> Callable[[Command], Command]:
    """Describe the options of a command; the last one is `game`, which suggests the games that are within reach."""
    def described(command: Command) -> Command:
        return app_commands.autocomplete(game=suggest_games)(app_commands.describe(**options, game=GAME_HELP)(command))

    return described


def named_seat(visit: Visit, wanted: str, *besides: Fact) -> Seat:
    """The seat that is meant, by its id or by what it is called now. Raises NotAsked with what could be meant: the seats, and
    what the command takes `besides`."""
    for holder in visit.holders:
        if as_typed(wanted) in called(holder.seat, visit.reader):
            return holder.seat
    seats = (*(holder.seat for holder in visit.holders), *besides)
    raise NotAsked("There is no such seat in this game. Choose among: {seats}.", seats=seats)
