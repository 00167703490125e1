"""Where a game lives: what the bot may do there, what is lost where it may not, and channels and threads of a game's own."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import discord
from discord import app_commands

from bot.discord.context import Context, Interaction
from bot.discord.find_game import manages
from bot.discord.languages import of_server
from bot.discord.left_behind import left_channel, left_thread
from bot.discord.lengths import NAME, clip
from bot.discord.refusals import explained, lasting, meaning
from bot.discord.responses import titled
from bot.store import GameRow
from engine.refusals import Refusal
from engine.text import Text, lines, say, text, verbatim
from engine.text.languages import speaking

WEEK: Final = 10080                    # minutes until Discord puts a silent thread away: the longest time there is
THREADS = (discord.ChannelType.public_thread, discord.ChannelType.private_thread, discord.ChannelType.news_thread)
PLACES = (discord.ChannelType.text, discord.ChannelType.news, *THREADS)


class _Anywhere(app_commands.Transformer):
    """Any place for messages that a member names, whether the bot can see it or not."""

    @property
    def type(self) -> discord.AppCommandOptionType:
        return discord.AppCommandOptionType.channel

    @property
    def channel_types(self) -> list[discord.ChannelType]:
        return list(PLACES)

    async def transform(self, interaction: discord.Interaction[Any], value: Any, /) -> Named:
        named: Named = value
        return named


Named: TypeAlias = app_commands.AppCommandChannel | app_commands.AppCommandThread
Somewhere: TypeAlias = app_commands.Transform[Named, _Anywhere]


@dataclass(frozen=True)
class Need:
    """A permission that the bot can use: its name in Discord's settings, and what is lost without it."""

    flag: str
    name: Text
    lost: Text

    def met(self, permissions: discord.Permissions) -> bool:
        return bool(getattr(permissions, self.flag))


VIEW = Need("view_channel", text("View Channel"), text("I can't show anything there: no news, no questions, no boards."))
SEND = Need("send_messages", text("Send Messages"), text("News, questions and boards wait until I can post them."))
SEND_IN_THREADS = Need("send_messages_in_threads", text("Send Messages in Threads"),
                       text("I can't write in threads, so news and questions of games there wait."))
ATTACH = Need("attach_files", text("Attach Files"), text("Boards are posted as text. Players see pictures only in private."))
PIN = Need("pin_messages", text("Pin Messages"),
           text("The status message isn't pinned."))
HISTORY = Need("read_message_history", text("Read Message History"),
               text("Discord's note that something was pinned stays in the channel."))
OPEN_THREADS = Need("create_public_threads", text("Create Public Threads"),
                    text("Games and table talk get no threads of their own. They share the channel."))
OPEN_PRIVATE = Need("create_private_threads", text("Create Private Threads"),
                    text("Players get no private threads. /talk say still carries private messages."))
MANAGE_CHANNELS = Need("manage_channels", text("Manage Channels"), text("Games get no channels of their own."))

ON_THE_BOARD = (
    Need("view_channel", text("View Channel"), text("The noticeboard can't be shown.")),
    Need("send_messages", text("Send Messages"), text("The noticeboard can't be posted.")),
    Need("pin_messages", text("Pin Messages"), text("The noticeboard isn't pinned.")),
    Need("read_message_history", text("Read Message History"), text("The noticeboard isn't kept as the newest pin.")))
IN_A_CHANNEL = (VIEW, SEND, ATTACH, PIN, HISTORY, SEND_IN_THREADS, OPEN_THREADS, OPEN_PRIVATE, MANAGE_CHANNELS)
IN_A_THREAD = (VIEW, SEND_IN_THREADS, ATTACH, PIN, HISTORY)


@dataclass(frozen=True)
class Ground:
    """A place, and what the bot may do there."""

    permissions: discord.Permissions
    needs: Sequence[Need]

    def lacking(self) -> list[Need]:
        """Return what the bot could use and has not; but not what Discord takes away together with another permission."""
        missing = [need for need in self.needs if not need.met(self.permissions)]
        if VIEW in missing:
            return [VIEW]
        return [need for need in missing if need is not ATTACH or SEND not in missing]


async def ground(bot: Context, channel: int) -> Ground | None:
    """Return what the bot may do in a channel or thread; None if that is gone."""
    found: object = bot.get_channel(channel)
    if found is None:                       # a thread that has been put away, or a place that the bot cannot see
        try:
            found = await bot.fetch_channel(channel)
        except discord.HTTPException as refused:
            if not lasting(refused):
                raise
            return None if meaning(refused) == "gone" else Ground(discord.Permissions.none(), (VIEW,))
    return _ground(found)


def _ground(found: object) -> Ground:
    if isinstance(found, discord.Thread):
        return Ground(allowed(found), IN_A_THREAD)
    if isinstance(found, discord.abc.GuildChannel):
        return Ground(allowed(found), IN_A_CHANNEL)
    return Ground(discord.Permissions.all(), ())            # a direct message has no permissions


def allowed(found: discord.Thread | discord.abc.GuildChannel) -> discord.Permissions:
    me: discord.Member | None = found.guild.me
    if me is None:                                          # the bot has been removed from the server
        return discord.Permissions.none()
    try:
        return found.permissions_for(me)
    except discord.ClientException:                         # a thread whose channel the bot does not know
        return discord.Permissions.none()


def may(bot: Context, channel: int, need: Need) -> bool:
    """True if something is worth trying: what Discord has not told the bot yet is."""
    found = bot.get_channel(channel)
    return found is None or need.met(_ground(found).permissions)


def losses(lacking: Sequence[Need]) -> list[Text]:
    """A line for each permission that is missing, with what is lost without it; none if nothing is missing."""
    if not lacking:
        return []
    return [text("I'm missing permissions there:"),
            *(text("- **{permission}**: {lost}", permission=need.name, lost=need.lost) for need in lacking)]


async def report(bot: Context, game: GameRow) -> Text:
    """Return what the bot may do where a game is played, line by line, and what its server's noticeboard lacks."""
    return lines([await _played(bot, game), *await _on_the_board(bot, game.guild), *await _calling(bot, game.guild)])


async def _calling(bot: Context, number: int | None) -> list[Text]:
    """Why the role that is to be called when a game is opened cannot be called; nothing if it can, or there is none."""
    guild = None if number is None else bot.get_guild(number)
    role = None if guild is None else guild.get_role(await bot.services.interests.call_role(guild.id) or 0)
    if guild is None or role is None or reaches(guild, role):
        return []
    return [text("- **Mention @everyone, @here, and All Roles**: I can't ping {role} when somebody opens a game.",
                 role=verbatim(role.mention))]


def reaches(guild: discord.Guild, role: discord.Role) -> bool:
    me: discord.Member | None = guild.me
    return role.mentionable or (me is not None and me.guild_permissions.mention_everyone)


async def _on_the_board(bot: Context, guild: int | None) -> list[Text]:
    """Return what the noticeboard of a server lacks; nothing if it lacks nothing, or there is none."""
    board = None if guild is None else await bot.services.noticeboards.noticeboard(guild)
    if board is None:
        return []
    return await board_losses(bot, board.channel)


async def board_losses(bot: Context, channel: int) -> list[Text]:
    """Return what a noticeboard in this channel lacks, line by line; none if it lacks nothing."""
    found = await ground(bot, channel)
    if found is None:
        return [text("The channel of the noticeboard is gone. `/settings` hangs it up in another one.")]
    lacking = [need for need in ON_THE_BOARD if not need.met(found.permissions)]
    told = [text("- **{permission}**: {lost}", permission=need.name, lost=need.lost) for need in lacking[:1 if lacking and (
        lacking[0] is ON_THE_BOARD[0]) else None]]
    head = text("For the noticeboard in {channel} I'm missing permissions:", channel=verbatim(f"<#{channel}>"))
    return [head, *told] if told else []


async def _played(bot: Context, game: GameRow) -> Text:
    where = verbatim(f"<#{game.channel}>")
    found = await ground(bot, game.channel)
    if found is None:
        return text("The channel of {title} is gone. Move the game to another one with /gm move game:{game}.",
                    title=verbatim(titled(game)), game=game.id)
    if not found.lacking():
        return text("I have every permission I need in {channel}.", channel=where)
    fine = [text("- {permission}: fine", permission=need.name) for need in found.needs if need.met(found.permissions)]
    return lines([text("My permissions in {channel}:", channel=where), *fine, *losses(found.lacking())])


# --- places of a game's own ----------------------------------------------------------------------------------

async def require_member(interaction: Interaction) -> None:
    """Raise Refusal with an invitation where a server has the bot's commands and not the bot itself: a game could say nothing."""
    bot, guild = interaction.client, interaction.guild_id
    if guild is None or bot.get_guild(guild) is not None:
        return
    try:
        await bot.fetch_guild(guild, with_counts=False)         # another process of this bot may have it
    except discord.HTTPException as refused:
        if not lasting(refused):
            raise
        wanted = discord.Permissions(**{need.flag: True for need in IN_A_CHANNEL})
        link = discord.utils.oauth_url(bot.application_id or 0, permissions=wanted, guild=discord.Object(guild))
        raise Refusal("My commands are on this server, but I'm not a member of it, so I can't post a game here. Somebody who can "
                      "manage the server can invite me: {link}", link=verbatim(f"<{link}>")) from None


def require_threads(interaction: Interaction) -> discord.TextChannel:
    """The present channel, if a public thread can be opened there for the caller. Raises Refusal with what is missing."""
    channel = interaction.channel
    if not isinstance(channel, discord.TextChannel):
        raise Refusal("Threads can only be opened in a server's text channels. Choose this channel instead.")
    if not interaction.permissions.create_public_threads:
        raise Refusal("You aren't allowed to open threads in this channel, so I can't open one for you. Choose this channel "
                      "instead.")
    _require_threads(channel)
    return channel


def threads_open(interaction: Interaction) -> bool:
    """True if a public thread can be opened here for the caller."""
    try:
        require_threads(interaction)
    except Refusal:
        return False
    return True


async def new_thread(interaction: Interaction, name: str) -> discord.Thread:
    """A public thread in the present channel. Raises Refusal with what is missing."""
    return (await opened_thread(interaction.client, require_threads(interaction), name))[0]


def thread_home(found: object) -> discord.TextChannel | None:
    """The text channel that holds the threads of a game played here; None where there are none, such as in a forum post."""
    channel = found.parent if isinstance(found, discord.Thread) else found
    return channel if isinstance(channel, discord.TextChannel) else None


def is_private(found: object) -> bool:
    """True for a private thread, beside which nothing may tell of its game."""
    return isinstance(found, discord.Thread) and found.is_private()


def takes_threads(bot: Context, channel: int) -> bool:
    """True if a public thread can be opened for a game that is played there."""
    found = bot.get_channel(channel)
    home = thread_home(found)
    return home is not None and not is_private(found) and all(need.met(allowed(home)) for need in (OPEN_THREADS, SEND_IN_THREADS))


def _require_threads(channel: discord.TextChannel, *, private: bool = False) -> None:
    own = allowed(channel)
    _require(OPEN_PRIVATE if private else OPEN_THREADS, own)
    _require(SEND_IN_THREADS, own)


async def opened_thread(bot: Context, channel: discord.TextChannel, name: str, *, private: bool = False
                        ) -> tuple[discord.Thread, bool]:
    """A thread that stays awake for a week, and whether something has been said in it: one is used that was opened just before
    the bot stopped. Raises Refusal if Discord opens none."""
    if private and channel.is_news():
        raise Refusal("Announcement channels have no private threads. `/talk say` carries private messages instead.")
    _require_threads(channel, private=private)
    kind = discord.ChannelType.private_thread if private else discord.ChannelType.public_thread
    async with bot.opening(channel.id):
        left = await left_thread(bot, [thread for thread in channel.threads if thread.is_private() == private], name)
        if left is not None:
            return left[0], bool(left[1])
        try:
            made = await channel.create_thread(name=clip(name, NAME), type=kind, auto_archive_duration=WEEK,
                                               invitable=not private)
        except discord.HTTPException as refused:
            raise unopened(refused, OPEN_PRIVATE if private else OPEN_THREADS) from None
        bot.places.add(made.id)
        return made, False


async def new_channel(interaction: Interaction, name: str) -> discord.TextChannel:
    """A text channel in the category of the present one. Raises Refusal with what is missing."""
    guild = interaction.guild
    if guild is None:
        raise Refusal("I can only make a channel on a server.")
    if not (interaction.permissions.manage_channels or await manages(interaction)):
        raise Refusal("Only members who can manage channels or have the game master role can have a channel made. Choose this "
                      "channel or a new thread.")
    category = getattr(interaction.channel, "category", None)
    _require(MANAGE_CHANNELS, category.permissions_for(guild.me) if category else guild.me.guild_permissions)
    bot = interaction.client
    with speaking(of_server(bot, guild.id)):
        topic = say(text("A game: {title}", title=verbatim(name)))
    async with bot.opening(guild.id):
        left = await left_channel(bot, [channel for channel in guild.text_channels if channel.category == category], topic)
        if left is not None:
            return left
        try:
            made = await guild.create_text_channel(name, category=category, topic=topic)
        except discord.HTTPException as refused:
            raise unopened(refused, MANAGE_CHANNELS) from None
        bot.places.add(made.id)
        return made


def require_usable(wanted: Named) -> None:
    """Raise Refusal unless a game can be moved there: a place for messages where the caller may write."""
    if wanted.type not in PLACES:
        raise Refusal("Games are played in text channels or threads, and {channel} is neither.",
                      channel=verbatim(f"<#{wanted.id}>"))
    writing = wanted.permissions.send_messages_in_threads if wanted.type in THREADS else wanted.permissions.send_messages
    if not (wanted.permissions.view_channel and writing):
        raise Refusal("You can't write in {channel} yourself, so you can't move a game there.",
                      channel=verbatim(f"<#{wanted.id}>"))


def _require(need: Need, permissions: discord.Permissions) -> None:
    if not need.met(permissions):
        raise refused_for(need)


def refused_for(need: Need) -> Refusal:
    """Return what somebody is told for whom the bot cannot do something, since it lacks this permission."""
    return Refusal("I'm missing the permission {permission} here. {lost}", permission=need.name, lost=need.lost)


def unopened(why: discord.HTTPException, need: Need) -> Exception:
    """Return what somebody is told for whom Discord makes no place: this permission, the cause by its code, or the error itself
    if it is neither."""
    return refused_for(need) if meaning(why) == "forbidden" else explained(why) or why
