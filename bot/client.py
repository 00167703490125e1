"""The bot: what it listens to, which commands it has, and what becomes of an error."""
from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any
from weakref import WeakValueDictionary

import discord
from discord import app_commands

from bot.absence import welcomed
from bot.backup import Backups
from bot.buttons import Persistent, submitted
from bot.clock import Clocks
from bot.delivery import Recent, tracing
from bot.digest import attended
from bot.escalation import add_clock
from bot.gallery import Draw, Gallery, draw
from bot.health import Health, Operator
from bot.imports import add_import
from bot.lobby import Lobby
from bot.moderator import Moderator
from bot.moves import group_for
from bot.orders import Orders
from bot.outbox import Outbox
from bot.play import Play
from bot.pulse import Pulse
from bot.replies import Interaction, acknowledge, complain, waited
from bot.seating import add_seating
from bot.settings import settings
from bot.talk import Talk
from bot.teach import answer_letter
from engine.catalog import GAMES
from engine.kernel import GameSpec


class Tree(app_commands.CommandTree["Chancery"]):
    """The commands; each is acknowledged at once, and an error becomes a sentence."""

    async def interaction_check(self, interaction: Interaction, /) -> bool:
        """Tell Discord within three seconds that the bot is at it, before anything slow; False: nothing is to be done."""
        if not interaction.client.is_new(interaction):
            return False
        if interaction.type is discord.InteractionType.application_command:
            try:
                await acknowledge(interaction)
            except Exception as error:
                await complain(interaction, error)
                return False
        return True

    async def on_error(self, interaction: Interaction, error: app_commands.AppCommandError, /) -> None:
        """The one error handler, shared with the buttons."""
        await complain(interaction, error)
        await interaction.client.attended(interaction)


def commands(games: Sequence[GameSpec]) -> list[app_commands.Group | app_commands.Command[Any, ..., Any]]:
    """Every command there is, new."""
    masters = Moderator()
    add_clock(masters)
    add_import(masters)
    add_seating(masters)
    return [Lobby(games), masters, Talk(), Orders(), Clocks(), settings, Operator(), *map(group_for, games)]


class Chancery(discord.Client):
    """Everything that Discord sees of the games that `play` keeps."""

    def __init__(self, play: Play, games: Sequence[GameSpec], draw: Draw, backups: Backups | None,
                 part: tuple[int, int] | None) -> None:
        shard, shards = part or (None, None)
        self.doubtful, self._met = Recent(), Recent()       # interactions that may have been answered; all that have come
        super().__init__(intents=discord.Intents(guilds=True, dm_messages=True), allowed_mentions=discord.AllowedMentions.none(),
                         shard_id=shard, shard_count=shards, http_trace=tracing(self.doubtful))
        self.play, self.games, self.backups = play, games, backups
        self.health = Health()
        self.tree = Tree(self)
        self.gallery = Gallery(play, draw)
        self.outbox = Outbox(self)
        self.pulse = Pulse(self)
        self._turns: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()
        for command in commands(games):
            self.tree.add_command(command)

    def is_new(self, interaction: Interaction) -> bool:
        """Whether an interaction comes for the first time; what comes again is being done, or has been."""
        return self._met.note(interaction.id)

    def turn(self, game: int) -> asyncio.Lock:
        """Held while a press is checked and taken, so that of two presses of one button the second finds it stale."""
        return self._turns.setdefault(game, asyncio.Lock())

    async def setup_hook(self) -> None:
        """Make the commands and the old buttons work, and send what waits."""
        self.add_dynamic_items(Persistent)
        await self.tree.sync()
        self.outbox.start()
        self.pulse.start()
        if self.backups is not None:
            self.backups.start()

    async def on_app_command_completion(self, interaction: Interaction, _: object) -> None:
        """A command was carried out."""
        await self.attended(interaction)

    async def attended(self, interaction: Interaction) -> None:
        """Something was done for a member, by command, button or form."""
        self.health.answered.note(waited(interaction))
        await welcomed(interaction)
        await attended(interaction)

    async def on_interaction(self, interaction: Interaction) -> None:
        """Take forms by their custom ids; the library knows only those that were opened since the start."""
        if interaction.type is discord.InteractionType.modal_submit:
            await submitted(interaction)

    async def on_guild_join(self, guild: discord.Guild) -> None:
        """The bot was invited, perhaps again: what its games there have to say is said at once."""
        for game in await self.play.games(guild=guild.id):
            self.outbox.retry(game.id)

    async def on_message(self, message: discord.Message) -> None:
        """Answer a direct message with help; no other message reaches the bot."""
        await answer_letter(message, self.games)

    async def close(self) -> None:
        """Finish what is being sent, then leave."""
        if not self.is_closed():
            self.pulse.stop()
            if self.backups is not None:
                self.backups.stop()
            await self.outbox.stop()
        await super().close()


def make_bot(play: Play, games: Sequence[GameSpec] = GAMES, *, draw: Draw = draw, backups: Backups | None = None,
             part: tuple[int, int] | None = None) -> Chancery:
    """A whole bot from nothing: only `play`, which keeps these games, outlives it. `draw` makes a picture of a scene.

    Without `backups` nobody copies the database. With `part` it is one shard of several: (0, 2) is the first of two.
    """
    return Chancery(play, games, draw, backups, part)
