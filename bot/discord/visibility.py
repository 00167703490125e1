"""Who sees a game: whoever sees its channel, holds a seat of it, or is its game master; asked anew at each act."""
from __future__ import annotations

from collections.abc import Iterable, Sequence

import discord

from bot.discord.context import Context, Interaction
from bot.discord.refusals import lasting
from bot.store import GameRow


class Sight:
    """What the member of one interaction sees, by what the server and the file say at this moment."""

    def __init__(self, interaction: Interaction) -> None:
        self._interaction = interaction
        self._channels: dict[int, bool] = {}
        self._seats: set[int] | None = None

    async def of(self, game: GameRow) -> bool:
        return await self._openly(game) or game.id in await self._own() or await masters(self._interaction, game)

    async def to(self, game: GameRow, *, seated: bool) -> bool:
        """The same of one game, of which it is known whether the member has a seat there."""
        return seated or await self._openly(game) or await masters(self._interaction, game)

    async def _openly(self, game: GameRow) -> bool:
        return game.channel == self._interaction.channel_id or await self._by_channel(game)

    async def _by_channel(self, game: GameRow) -> bool:
        """True if the member sees the channel on the present server, or manages that; in a direct message, on the game's own."""
        if game.guild is None or self._interaction.guild_id not in (None, game.guild):
            return False
        if game.channel not in self._channels:
            self._channels[game.channel] = (await self._from_afar(game) if self._interaction.guild_id is None else
                                            self._interaction.permissions.manage_guild or await self._sees(game.channel))
        return self._channels[game.channel]

    async def _from_afar(self, game: GameRow) -> bool:
        """True if the member sees the channel on its server, asked in a direct message; while somebody types, nobody is asked."""
        if self._interaction.type is discord.InteractionType.autocomplete:
            return False
        found = await member_of(self._interaction.client, game.guild or 0, self._interaction.user.id)
        return found is not None and await member_sees(self._interaction.client, found, game.channel)

    async def _own(self) -> set[int]:
        if self._seats is None:
            self._seats = await self._interaction.client.services.queries.seated(self._interaction.user.id)
        return self._seats

    async def _sees(self, number: int) -> bool:
        guild, member = self._interaction.guild, self._interaction.user
        if guild is None or not isinstance(member, discord.Member):
            return False
        return _allowed(guild, member, guild.get_channel_or_thread(number) or await self._archived(number))

    async def _archived(self, number: int) -> discord.Thread | None:
        """A thread that has been put away; while somebody types, Discord is not asked for it."""
        threads = self._interaction.client.threads
        typing = self._interaction.type is discord.InteractionType.autocomplete
        return threads.known(number) if typing else await threads.found(number)


def _allowed(guild: discord.Guild, member: discord.Member, found: object) -> bool:
    """True if a member sees a channel or a thread of a server."""
    private = isinstance(found, discord.Thread) and found.is_private()
    home = guild.get_channel(found.parent_id) if isinstance(found, discord.Thread) else found
    if not isinstance(home, discord.abc.GuildChannel):
        return False
    allowed = home.permissions_for(member)          # who was added to a private thread, Discord tells nobody
    return allowed.view_channel and (allowed.manage_threads or not private)


async def member_sees(bot: Context, member: discord.Member, number: int) -> bool:
    """True if a member, as Discord says now, sees a channel or thread of the server."""
    found = member.guild.get_channel_or_thread(number) or await bot.threads.found(number)
    return _allowed(member.guild, member, found)


async def masters(interaction: Interaction, game: GameRow) -> bool:
    """True if whoever typed or pressed is a game's own game master, and still a member of its server."""
    user = interaction.user.id
    return user == game.owner and (game.guild in (None, interaction.guild_id)
                                   or await present(interaction.client, game.guild or 0, user))


async def present(bot: Context, guild: int, user: int) -> bool:
    """True if somebody is a member of a server, as Discord says now; False also where the bot is none itself."""
    return await member_of(bot, guild, user) is not None


async def member_of(bot: Context, guild: int, user: int) -> discord.Member | None:
    """A member of a server, as Discord says now; None: there is no such one, or the bot is none itself."""
    found = bot.get_guild(guild)
    try:
        return None if found is None else await found.fetch_member(user)
    except discord.HTTPException as refused:
        if not lasting(refused):
            raise
        return None


def read_by_others(interaction: Interaction, game: GameRow) -> bool:
    """True if people can read here who may not see the channel of a game: what is posted for all shows it to them."""
    if interaction.guild is None or interaction.channel_id == game.channel:
        return False
    return not may_be_read(interaction.client, interaction.guild, interaction.channel, game)


async def readable_in(bot: Context, guild: discord.Guild, place: int, games: Iterable[GameRow]) -> list[GameRow]:
    """Those of some games that may be spoken of in a channel or thread of a server."""
    here, told = guild.get_channel_or_thread(place) or await bot.threads.found(place), list[GameRow]()
    for game in games:
        if guild.get_channel_or_thread(game.channel) is None:
            await bot.threads.found(game.channel)
        if may_be_read(bot, guild, here, game):
            told.append(game)
    return told


def may_be_read(bot: Context, guild: discord.Guild, here: object, game: GameRow) -> bool:
    """True if everybody who can read in a place of a server surely sees the channel of a game, too, so that it may be spoken of
    there."""
    home = guild.get_channel_or_thread(game.channel) or bot.threads.known(game.channel)
    if home is not None and home == here:
        return True
    if game.guild != guild.id or home is None or (isinstance(home, discord.Thread) and home.is_private()):
        return False
    if _base(here) == _base(home):
        return True
    place, channel = guild.get_channel(_base(here) or 0), guild.get_channel(_base(home) or 0)
    return place is not None and channel is not None and not _hidden_from_some(bot, guild, place, channel)


def _hidden_from_some(bot: Context, guild: discord.Guild, place: discord.abc.GuildChannel,
                      channel: discord.abc.GuildChannel) -> bool:
    """True if somebody who sees a place may not see a channel.

    Which members have which roles the bot isn't told, so any of them can be together; an administrator sees all.
    """
    if guild.default_role.permissions.administrator:
        return False
    there, here = _Gate(guild, place), _Gate(guild, channel)
    said = {**there.views, **here.views}
    roles = [role for role in guild.roles if not (role.is_default() or role.is_bot_managed() or role.permissions.administrator)]
    known = [role for role in roles if role.id in said]
    alike = [role for role in roles if role.id not in said and role.permissions.view_channel][:1]      # one stands for all
    sets: list[tuple[discord.Role, ...]] = [(), *((role,) for role in (*known, *alike))]
    entering, shut_out = [one for one in sets if there.lets(one)], [one for one in sets if not here.lets(one)]
    people = [one for one in said if guild.get_role(one) is None and one not in (guild.owner_id, getattr(bot.user, "id", None))]
    return (any(there.lets(both) and not here.lets(both) for one in entering for other in shut_out for both in [(*one, *other)])
            or any(there.lets(one, user) and not here.lets(one, user) for user in people for one in sets))


class _Gate:
    """Whom the overwrites of a channel let see it."""

    def __init__(self, guild: discord.Guild, channel: discord.abc.GuildChannel) -> None:
        self._everybody = guild.default_role
        self.views = {target.id: seen for target, overwrite in channel.overwrites.items()
                      if (seen := overwrite.view_channel) is not None}

    def lets(self, roles: Sequence[discord.Role], member: int = 0) -> bool:
        """True if a member with these roles sees it: what is said of the member counts before what is said of the roles, and that
        before what is said of everybody; of roles, one that sees it is enough."""
        generally = any(role.permissions.view_channel for role in (self._everybody, *roles))
        said = [self.views[role.id] for role in roles if role.id in self.views]
        return self.views.get(member, any(said) if said else self.views.get(self._everybody.id, generally))


def _base(place: object) -> int | None:
    """The channel whose readers read in a place: its own, or that of a thread."""
    return place.parent_id if isinstance(place, discord.Thread) else getattr(place, "id", None)
