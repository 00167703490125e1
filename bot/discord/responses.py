"""Answers to whoever pressed or typed: acknowledged at once, ephemeral, as long as they need."""
from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence
from typing import Any

import aiohttp
import discord
from discord.app_commands import Choice

from bot.discord.confided import for_member
from bot.discord.context import Interaction
from bot.discord.heard import tell_of, unsaid
from bot.discord.interaction_delivery import surely
from bot.discord.lengths import CHOICES, LISTS, NAME, clip, pieces
from bot.discord.refusals import meaning
from bot.discord.sanitize import tame
from bot.discord.visits import visit_of
from bot.store import GameRow
from engine.kernel import Seat, Table
from engine.text import Reader, Text, say, text, verbatim

log = logging.getLogger(__name__)


def titled(game: GameRow) -> str:
    """Return what people call a game; its opener's words cannot ping or format anything, nor turn the line around."""
    tell_of(game.id)
    return tame(game.title)


def where_played(game: GameRow) -> Text:
    """The channel or thread of a game, or that it is played in direct messages."""
    return text("direct messages") if game.guild is None else verbatim(f"<#{game.channel}>")


def seat_name(table: Table, seat: Seat, reader: Reader) -> str:
    """How a seat is called now: "France"."""
    return reader.name(table.spec.words.seat_name(table.state, seat))


async def acknowledge(interaction: Interaction) -> None:
    """Tell Discord within its three seconds that an answer is coming, to the one who asks alone.

    What was pressed in a message that only the presser sees changes that message; all else gets a message of its own.
    """
    pressed = interaction.type in (discord.InteractionType.component, discord.InteractionType.modal_submit)
    own = pressed and interaction.message and interaction.message.flags.ephemeral
    if own and interaction.message:
        interaction.client.hosts.forget(interaction.message.id)
    await surely(interaction, lambda: interaction.response.defer() if own else
                 interaction.response.defer(ephemeral=True, thinking=True))
    interaction.client.health.acknowledged.note(waited(interaction))


def in_public(interaction: Interaction) -> bool:
    """True if what was pressed stands in a message that others read."""
    message = interaction.message
    return interaction.guild_id is not None and message is not None and not message.flags.ephemeral


async def say_nothing(interaction: Interaction) -> None:
    """Take back the message that was to come; it stays without words if Discord doesn't hear of that."""
    unsaid()
    try:
        await interaction.delete_original_response()
    except (discord.HTTPException, aiohttp.ClientError, OSError) as lost:
        log.info("a reply could not be taken back (%s)", type(lost).__name__)


def waited(interaction: Interaction) -> float:
    """Seconds since somebody pressed or typed, by the stamp that Discord gave it."""
    return (discord.utils.utcnow() - interaction.created_at).total_seconds()


async def reply(interaction: Interaction, words: str | Text, view: discord.ui.View | None = None,
                files: Iterable[discord.File] = ()) -> int:
    """Say what came of it; a `Text` is said in the words of the interaction's game. The number of the message.

    What is too long for one message comes in several, with the buttons below the last. No press leads to a dead end: what has no
    button of its own, lists alone included, leads back to the game.
    """
    told = await _named(interaction, say(words, reader_of_game(interaction)) if isinstance(words, Text) else words)
    pressed = interaction.type in (discord.InteractionType.component, discord.InteractionType.modal_submit)
    if pressed and (visit := visit_of(interaction)) is not None:
        view = _with_a_way_back(view, interaction.client.way_back(visit.id))
    first = next(iter(pieces(told)), told)
    rest = told[len(first):].removeprefix("\n")
    shown, attached = _dressed(interaction, first), list(files)
    await for_presser(interaction)

    async def change() -> int:
        for file in attached:
            file.reset()
        below = None if rest.strip() else view
        changed = await interaction.edit_original_response(content=shown, view=below, attachments=attached,
                                                           allowed_mentions=discord.AllowedMentions.none())
        interaction.client.renewals.note(changed.id, interaction, below)
        return changed.id

    try:
        number = await change()
    except (aiohttp.ClientError, OSError):              # it may have arrived: the same once more changes nothing
        number = await change()
    except discord.HTTPException as refused:
        return await reply(interaction, "\n".join([told, *in_words(attached, refused)]), view)
    if rest.strip():
        await add(interaction, rest, view)
    return number


async def _named(interaction: Interaction, words: str) -> str:
    """Return what is said, below the name of its game in a direct message to somebody who has several games."""
    visit = visit_of(interaction)
    if visit is None or interaction.guild_id is not None or titled(visit.game) in words.partition("\n")[0]:
        return words
    if not await interaction.client.services.own_games.several(interaction.user.id):
        return words
    return f"{say(text('**{title}** (game {game})', title=verbatim(titled(visit.game)), game=visit.id))}\n{words}"


async def for_presser(interaction: Interaction) -> None:
    """See that what has been said is for whoever pressed or typed, who alone will read it. Raises Misdirected."""
    visit = visit_of(interaction)
    await for_member(interaction.client, interaction.user.id, None if visit is None else visit.id)


def _with_a_way_back(view: discord.ui.View | None, way_back: discord.ui.View) -> discord.ui.View:
    """Return what is below a reply, and below lists alone the way back, if a row is free."""
    if view is None:
        return way_back
    if len(view.children) < LISTS and not any(item.type is discord.ComponentType.button for item in view.children):
        for item in way_back.children:
            view.add_item(item)
    return view


def _dressed(interaction: Interaction, words: str) -> str:
    """Return what is said as Discord can show it: powers with their signs, and commands that can be tapped."""
    client, visit = interaction.client, visit_of(interaction)
    return client.mentions.clickable(words if visit is None else client.icons.illustrated(words, visit))


def in_words(files: Sequence[discord.File], refused: discord.HTTPException) -> list[str]:
    """Return what stands in the place of pictures that Discord refuses, as those that it takes for explicit. Raises the refusal
    if it is about anything else."""
    told = [file.description for file in files if file.description]
    if not told or meaning(refused) not in ("content", "forbidden"):
        raise refused
    return told


async def add(interaction: Interaction, words: str, view: discord.ui.View | None = None,
              files: Sequence[discord.File] = ()) -> None:
    """Say something more to whoever pressed or typed, alone: in as many messages as it takes, with the buttons below the last."""
    *earlier, last = [_dressed(interaction, piece) for piece in pieces(words)]
    await for_presser(interaction)
    for piece in earlier:
        await interaction.followup.send(piece, ephemeral=True, allowed_mentions=discord.AllowedMentions.none())
    try:
        await interaction.followup.send(last, view=view or discord.utils.MISSING, files=files, ephemeral=True,
                                        allowed_mentions=discord.AllowedMentions.none())
    except discord.HTTPException as refused:
        await add(interaction, "\n".join([last, *in_words(files, refused)]), view)


def suggestions(found: Sequence[Choice[Any]]) -> list[Choice[Any]]:
    """As many as Discord shows; the last one says how many more there are, and how they are found."""
    if len(found) <= CHOICES:
        return list(found)
    note = say(text(" … and {n} more: keep typing to find them", n=len(found) - CHOICES))
    *shown, last = found[:CHOICES]
    return [*shown, Choice(name=f"{clip(last.name, NAME - len(note))}{note}", value=last.value)]


def reader_of_game(interaction: Interaction) -> Reader:
    """The names of the game that the interaction is about, as far as it came to know one."""
    visit = visit_of(interaction)
    return Reader() if visit is None else visit.reader
