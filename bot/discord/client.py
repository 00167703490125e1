"""The bot: what it listens to, which commands it has, and what becomes of an error."""
from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from typing import Any
from weakref import WeakValueDictionary

import discord
import yarl
from discord import app_commands

from bot.discord.admission import Admission
from bot.discord.archived_threads import Threads
from bot.discord.automatic_turns import AutomaticTurns
from bot.discord.components import LONGEST_INPUT, Persistent, button, submitted, view
from bot.discord.confided import for_member
from bot.discord.context import Context, Interaction
from bot.discord.direct_messages import DirectMessages
from bot.discord.errors import complain
from bot.discord.find_game import SeveralGames
from bot.discord.game.absence import welcomed
from bot.discord.game.action_commands import group_for
from bot.discord.game.buttons import CHOOSE, HOME
from bot.discord.game.clock import Clocks
from bot.discord.game.digest import attended
from bot.discord.game.lessons import answer_letter
from bot.discord.game.reading import look_up
from bot.discord.game_master.answer import add_moving
from bot.discord.game_master.clock import add_clock
from bot.discord.game_master.commands import Moderator
from bot.discord.game_master.imports import add_import
from bot.discord.game_master.message_menus import message_menus
from bot.discord.game_master.seat_order import add_seating
from bot.discord.game_master.succession import add_masters
from bot.discord.health import Operator
from bot.discord.host_replies import HostReplies
from bot.discord.icons import DrawEmblems, Icons
from bot.discord.interaction_delivery import tracing
from bot.discord.languages import of_member, remember
from bot.discord.lobby.commands import Lobby
from bot.discord.lobby.guests import add_guests
from bot.discord.lobby.tables import Tables
from bot.discord.mentions import CommandMentions
from bot.discord.orders.commands import Orders
from bot.discord.outbox import Outbox
from bot.discord.own.commands import AnyCommand, My
from bot.discord.owner import Owner
from bot.discord.periodic import Periodic
from bot.discord.pictures import Draw, Gallery, draw
from bot.discord.renewal import Renewals
from bot.discord.responses import acknowledge, waited
from bot.discord.scheduler import Scheduler
from bot.discord.settings import settings
from bot.discord.talk.commands import Talk
from bot.discord.translator import Translator
from bot.discord.which_game import offer_games
from bot.domain.recent import Recent
from bot.service import Services
from bot.service.backups import Backups
from bot.service.response_times import ResponseTimes
from engine.catalog import GAMES
from engine.kernel import GameSpec
from engine.refusals import Refusal
from engine.text import text
from engine.text.languages import speaking

INTERACTING = ("CommandTree-invoker", "discord-ui-", "discord.py: on_interaction")      # names of the library's tasks
ENDING = 20             # seconds for what is under way, when the bot has to rest
AGAIN = 0.02            # seconds between two looks whether it has ended
LAUNCH = 30             # seconds for a connection to the gateway at the start
COPY = 600              # seconds between two looks whether a copy of the database is due


class Tree(app_commands.CommandTree[Context]):
    """The commands; each is acknowledged at once, and an error becomes a sentence."""

    async def interaction_check(self, interaction: Interaction, /) -> bool:
        """Tell Discord within three seconds that the bot is at it, before anything slow; False: nothing is to be done."""
        if not await interaction.client.admits(interaction):
            return False
        fits = all(len(words) <= LONGEST_INPUT for words in typed_into(interaction.data))
        if interaction.type is discord.InteractionType.application_command:
            try:
                await acknowledge(interaction)
            except Exception as error:
                await complain(interaction, error)
                return False
            if not fits:
                await complain(interaction, Refusal("That's too long. Type {most} characters at most.", most=LONGEST_INPUT))
        elif not fits:
            await interaction.response.autocomplete([])
        return fits

    async def on_error(self, interaction: Interaction, error: app_commands.AppCommandError, /) -> None:
        """The one error handler, shared with the buttons; which of several games is meant can be tapped."""
        several = error.original if isinstance(error, app_commands.CommandInvokeError) else None
        if not (isinstance(several, SeveralGames) and await offer_games(interaction, several)):
            await complain(interaction, error)
        await interaction.client.attended(interaction)


def typed_into(data: Any) -> Iterator[str]:
    """All words that were typed into the options of a command, its subcommands included."""
    for option in (data or {}).get("options", ()):
        if isinstance(option.get("value"), str):
            yield option["value"]
        yield from typed_into(option)


def commands(games: Sequence[GameSpec]) -> list[AnyCommand]:
    masters = Moderator()
    add_clock(masters)
    add_moving(masters)
    add_import(masters)
    add_seating(masters)
    add_masters(masters)
    add_guests(masters)
    return [My(), Lobby(games), Tables(), masters, Talk(), Orders(), Clocks(), settings, look_up,
            Operator(), *map(group_for, games)]


class Chancery(Context):
    """Everything that Discord sees of the games that the services keep."""

    outbox: Outbox
    icons: Icons

    def __init__(self, services: Services, games: Sequence[GameSpec], draw: Draw, backups: Backups | None,
                 emblems: DrawEmblems | None = None, shards: int | None = None) -> None:
        self.doubtful = Recent()            # interactions that may have been answered
        self.health = ResponseTimes()
        super().__init__(intents=discord.Intents(guilds=True, dm_messages=True), allowed_mentions=discord.AllowedMentions.none(),
                         shard_count=shards, http_trace=tracing(self.doubtful, self.health.refused))
        self.services, self.games, self.backups = services, games, backups
        self.copying: Periodic | None = None
        self.threads = Threads(self)
        self._admission = Admission(services)
        self.tree, self.mentions, self.icons = Tree(self), CommandMentions(), Icons(self, services, emblems)
        self.gallery = Gallery(services, draw, self.health.drawn)
        self.directs, self.renewals = DirectMessages(self, services), Renewals(CHOOSE.name)
        self.hosts = HostReplies(lambda user, game: for_member(self, user, game))
        self.outbox = Outbox(self)
        self.scheduler, self.automatic, self.owner = Scheduler(self), AutomaticTurns(self), Owner(self)
        self.places, self.chosen, self.begun = set[int](), Recent(), asyncio.Event()
        self._openings: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()
        for command in (*commands(games), *message_menus()):
            self.tree.add_command(command)

    async def admits(self, interaction: Interaction) -> bool:
        """True if what an interaction asks is to be done: it comes for the first time, and its member is not too fast."""
        return await self._admission.admits(interaction)

    async def nobody_served(self, seconds: float = 0.0) -> None:
        """Wait until nothing is being done for a person who has pressed, chosen or typed, and hasn't been for so long."""
        free = 0.0
        while (served := any(task.get_name().startswith(INTERACTING) for task in asyncio.all_tasks())) or free < seconds:
            await asyncio.sleep(AGAIN)
            free = 0.0 if served else free + AGAIN

    def opening(self, game: int) -> asyncio.Lock:
        """Held while a thread or a channel is opened for a game, so that two presses open one; never while a rule is asked."""
        return self._openings.setdefault(game, asyncio.Lock())

    def way_back(self, game: int) -> discord.ui.View:
        """A button that leads to the game, for a reply to a press that has no other."""
        shown = view([button(text("Back to the game"), HOME, game)])
        assert shown is not None, "there is a button"
        return shown

    async def setup_hook(self) -> None:
        """Make the commands and the old buttons work, and send what waits."""
        self.add_dynamic_items(Persistent)
        await self.tree.set_translator(Translator())
        self.mentions.learn(await self.tree.sync())
        self.outbox.start()
        self.scheduler.start()
        self.owner.start()
        self.automatic.start()
        self.icons.start()
        if self.backups is not None and self.backups.hours:
            self.copying = Periodic(self.backups.make_if_due, seconds=COPY)
            self.copying.start()

    async def launch_shard(self, gateway: yarl.URL, shard_id: int, *, initial: bool = False) -> None:
        """Connect to Discord's gateway. The library tries again for ever, also while the bot has to end; after a while the next
        connection is made beside that."""
        if not self.is_closed():
            launching = asyncio.ensure_future(super().launch_shard(gateway, shard_id, initial=initial))
            await asyncio.wait([launching], timeout=LAUNCH)

    async def launch_shards(self) -> None:
        """Make all connections. What there is to say waits a while for those that fail, and then no longer."""
        await super().launch_shards()
        asyncio.get_running_loop().call_later(LAUNCH, self.begun.set)

    async def on_ready(self) -> None:
        self.begun.set()

    async def on_app_command_completion(self, interaction: Interaction, _: object) -> None:
        await self.attended(interaction)

    async def attended(self, interaction: Interaction) -> None:
        self.health.answered.note(waited(interaction))
        await remember(interaction)
        await welcomed(interaction)
        await attended(interaction)

    async def on_interaction(self, interaction: Interaction) -> None:
        """Take forms by their custom ids; the library knows only those that were opened since the start."""
        if interaction.type is discord.InteractionType.modal_submit:
            await submitted(interaction)

    async def on_guild_join(self, guild: discord.Guild) -> None:
        """The bot was invited, perhaps again: its games there go on, and what they have to say is said at once."""
        await self.services.personal_data.server_back(guild.id)
        for game in await self.services.queries.games(guild=guild.id):
            self.outbox.retry(game.id)
        self.outbox.boards.retry(guild.id)

    async def on_guild_remove(self, guild: discord.Guild) -> None:
        await self.services.personal_data.server_left(guild.id)

    async def on_message(self, message: discord.Message) -> None:
        """Answer a direct message with help; no other message reaches the bot."""
        with speaking(of_member(self, message.author.id)):
            await answer_letter(message, self.games, self.mentions)

    async def close(self) -> None:
        """Finish what is being sent, then leave."""
        if not self.is_closed():
            self.scheduler.stop()
            self.owner.stop()
            self.icons.stop()
            await self.automatic.stop()
            if self.copying is not None:
                self.copying.cancel()
            await self.outbox.stop()
        await super().close()


def make_bot(services: Services, games: Sequence[GameSpec] = GAMES, *, draw: Draw = draw, backups: Backups | None = None,
             emblems: DrawEmblems | None = None, shards: int | None = None) -> Chancery:
    """A whole bot from nothing: only `services`, which keep these games, outlive it. `draw` makes a picture of a scene, `emblems`
    the signs of powers that are shown among words.

    Without `backups` nobody copies the database. `shards`: connections to Discord's gateway; None: as many as Discord recommends.
    """
    return Chancery(services, games, draw, backups, emblems, shards)
