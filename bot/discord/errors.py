"""What goes wrong becomes a sentence for whoever met it, and an incident for the operator; no secret reaches the log."""
from __future__ import annotations

import functools
import logging
import traceback
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar, cast

import aiohttp
import discord
from discord import app_commands

from bot.discord.confided import Misdirected
from bot.discord.context import Interaction
from bot.discord.lengths import NAME, clip
from bot.discord.refusals import explained, meaning, too_late
from bot.discord.responses import acknowledge, for_presser, reader_of_game, reply
from bot.discord.sanitize import tame
from bot.discord.visits import visit_of
from bot.service import Services
from engine.refusals import Refusal
from engine.text import Reader, say, text, verbatim

OUTDATED = text("This command has changed. Restart Discord, then try again.")
POWERLESS = text("I'm missing a permission in this channel. I need to view it, send messages, attach files and open threads. "
                 "`/game check` shows which is missing.")

UNHEARD = text("Discord didn't respond. `/game status` shows whether your move is in. If not, try again.")

REHEARSED = "rehearsed"     # among the extras of an interaction of which the operator wants to see the error

log = logging.getLogger(__name__)


def explain(refusal: Refusal, reader: Reader | None = None) -> str:
    """The refusal as a sentence, with the number of its rule."""
    words = say(refusal.text, reader or Reader())
    return f"{words} ({refusal.rule})" if refusal.rule else words


Suggest = TypeVar("Suggest", bound=Callable[..., Awaitable[list[Any]]])


def helping(suggest: Suggest) -> Suggest:
    """An autocomplete that offers nothing to whom its command refuses everything, nor if something goes wrong: nobody can be told
    what, but the operator finds a capsule."""
    @functools.wraps(suggest)
    async def calm(*given: Any) -> list[Any]:
        interaction = next(one for one in given if isinstance(one, discord.Interaction))
        try:
            found = await suggest(*given)
            await for_presser(interaction)
            return found
        except Refusal:
            return []
        except Exception as error:
            if REHEARSED in interaction.extras:
                raise
            visit = visit_of(interaction)
            await interaction.client.services.session.incident(error, {"deed": "", "interaction": scene(interaction)},
                                                               None if visit is None else visit.id)
            return []

    return cast(Suggest, calm)


async def complain(interaction: Interaction, error: BaseException) -> None:
    """The one place where an error becomes a sentence for the person who met it, and a line of the log without secrets."""
    if isinstance(error, app_commands.CommandInvokeError):
        error = error.original
    if too_late(error):
        log.info("an interaction was over before it was answered (%s)", type(error).__name__)
        return
    words = await _sentence(interaction, error)
    try:
        if not interaction.response.is_done():
            await acknowledge(interaction)
        try:
            await reply(interaction, words)
        except Misdirected as misdirected:                      # a refusal that says too much
            await reply(interaction, await _sentence(interaction, misdirected))
    except (discord.HTTPException, aiohttp.ClientError, OSError) as late:       # nobody is left to be told
        log.info("a reply did not arrive (%s)", type(late).__name__)


async def _sentence(interaction: Interaction, error: BaseException) -> str:
    if isinstance(error, Refusal):
        return explain(error, reader_of_game(interaction))
    if isinstance(error, (app_commands.CommandNotFound, app_commands.CommandSignatureMismatch)):
        return say(OUTDATED)
    if isinstance(error, app_commands.TransformerError):
        value = verbatim(clip(tame(str(error.value)), NAME))
        return say(text("I can't read \"{value}\" here.", value=value))
    if (cause := explained(error)) is not None:
        return explain(cause)
    if meaning(error) == "forbidden":
        return say(POWERLESS)
    if meaning(error) == "later":
        log.warning("Discord did not take a reply (%s)", type(error).__name__)
        return say(UNHEARD)
    visit = visit_of(interaction)
    attempt = {"deed": "", "interaction": scene(interaction)}
    number = await interaction.client.services.session.incident(error, attempt, None if visit is None else visit.id)
    return say(text("Something went wrong inside the bot. Your position is safe. `/game status` shows where the game stands. The "
                    "bot's operator can look this up as incident {number}.", number=number))


def scene(interaction: Interaction) -> dict[str, Any]:
    """Return what was done, by whom and where, as JSON; not the token with which it could be answered."""
    data = dict(interaction.data or {})
    if "target_id" in data:
        del data["resolved"]                            # the whole message to which the Apps menu belongs, whoever wrote it
    return {"type": interaction.type.value, "data": data, "guild": interaction.guild_id,
            "channel": interaction.channel_id, "user": interaction.user.id, "name": interaction.user.display_name,
            "permissions": interaction.permissions.value}


async def note(services: Services, error: BaseException, work: str, game: int | None = None, **given: object) -> None:
    """What went wrong in work that nobody waits for an answer of: a capsule that says what it was and what it was given.

    What an operation refuses has its capsule already, if it needs one.
    """
    if isinstance(error, Refusal):
        record(error)
    else:
        await services.session.incident(error, {"deed": "", "work": work, "given": given}, game)


def record(error: BaseException) -> None:
    """Log where an error happened; never its message, which may quote an answer."""
    log.error("%s\n%s", type(error).__name__, "".join(traceback.format_tb(error.__traceback__)))
