"""/gm master, and who is game master next when the one before has left the server."""
from __future__ import annotations

import logging

import discord

from bot.core.visit import Visit
from bot.discord.components import in_game
from bot.discord.context import Context, Interaction
from bot.discord.errors import note
from bot.discord.find_game import FINISHED, about_a_game
from bot.discord.game.clock import call, direct
from bot.discord.game_master.commands import Moderator, gm_game, require_gm
from bot.discord.game_master.idle_games import resuming
from bot.discord.responses import reply, titled
from bot.discord.visibility import member_of, present
from bot.domain import announcements, letters
from bot.store import GameRow, OutboxRow
from engine.refusals import Refusal
from engine.text import lines, text, verbatim

log = logging.getLogger(__name__)


def add_masters(group: Moderator) -> None:
    @group.command(name="master", description="Make somebody else the game master")
    @about_a_game(member="Who is the new game master?")
    async def master(interaction: Interaction, member: discord.User, game: str | None = None) -> None:
        await _named(interaction, (await gm_game(interaction, game)).game, member.id)


async def _named(interaction: Interaction, game: GameRow, user: int) -> None:
    """Make somebody else the game master, if that is a person of the game's server."""
    bot, member = interaction.client, announcements.member(user)
    who = await bot.fetch_user(user) if game.guild is None else await member_of(bot, game.guild, user)
    if who is None:
        raise Refusal("{member} isn't a member of this game's server.", member=member)
    if who.bot:
        raise Refusal("A bot can't be the game master.")
    await bot.services.masters.name_master(game.id, user, interaction.user.id)
    await reply(interaction, text("{member} is now the game master of {title:.}", member=member, title=verbatim(titled(game))))


@in_game("master")
async def on_master(interaction: Interaction, visit: Visit, user: int) -> None:
    await require_gm(interaction, visit)
    await _named(interaction, visit.game, user)


async def master_of(bot: Context, game: GameRow) -> int:
    """The game master as things are now: if that member has left the server, its owner is the next, and is told."""
    guild = None if game.guild is None else bot.get_guild(game.guild)
    heir = None if guild is None or game.status in FINISHED else guild.owner_id
    if guild is None or heir in (None, game.owner) or await present(bot, guild.id, game.owner):
        return game.owner
    try:
        return (await bot.services.masters.name_master(game.id, heir, None)).owner
    except Refusal:                                     # somebody was faster
        return (await bot.services.queries.game(game.id)).owner


async def tell(bot: Context, game: GameRow, row: OutboxRow, letter: letters.Master) -> int | None:
    """Tell a member of being game master now, directly or else in the game's channel; nothing if that is over already."""
    user = letter.user
    if user != game.owner:
        return None
    words = text("You're now the game master of {title} (game {game}) in {channel}.\n-# `/gm` has everything you can do. `/gm "
                 "master game:{game}` makes somebody else the game master.", title=verbatim(titled(game)), game=game.id,
                 channel=verbatim(f"<#{game.channel}>"))
    ways = [resuming(game)] if game.status == "paused" else []
    if ways:
        words = lines([words, text("It's paused. You can resume it.")])
    sent = await direct(bot, user, words, ways, row=row)
    if sent is not None:
        return sent
    called = text("{member} {words}", member=announcements.member(user), words=words)
    return await call(bot, game, user, called, ways, row=row)


async def look_after_masters(bot: Context) -> None:
    """Whether the game masters of all games that are not over are still members of their servers; what goes wrong with one game
    holds up no other."""
    for game in await bot.services.queries.games():
        try:
            await master_of(bot, game)
        except discord.HTTPException as unwell:
            log.info("game %s: whether its game master is there cannot be seen (%s)", game.id, unwell.code)
        except Refusal:
            log.info("game %s: it isn't here any more", game.id)
        except Exception as error:
            await note(bot.services, error, "succession", game.id)
