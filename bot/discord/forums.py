"""Forums: a post for each game, with tags that say how it stands; and the text channel in which its players talk in private."""
from __future__ import annotations

import logging
from collections.abc import Collection, Mapping, Sequence
from typing import Literal

import discord

from bot.discord import channels
from bot.discord.context import Context, Interaction
from bot.discord.find_game import FINISHED
from bot.discord.languages import in_all, of_server
from bot.discord.left_behind import left_thread
from bot.discord.lengths import NAME, clip
from bot.discord.refusals import lasting
from bot.store import GameRow
from engine.refusals import Refusal
from engine.text import Text, printed, say, text, verbatim
from engine.text.languages import speaking

Tag = Literal["open", "running", "free", "finished"]
TAGS: Mapping[Tag, Text] = {"open": text("Open"), "running": text("Running"), "free": text("Seat free"),
                            "finished": text("Finished")}
MOST_TAGS = 20                  # of a forum
APPLIED = 5                     # of a post

POST = channels.Need("send_messages", text("Create Posts"), text("Games get no posts of their own there."))
TAGGING = channels.Need(
    "manage_channels", text("Manage Channels"),
    text("I can't add the tags Open, Running, Seat free and Finished. I use them if somebody else adds them."))
IN_A_FORUM = (channels.VIEW, POST, channels.SEND_IN_THREADS, TAGGING)
FOR_TALK = (channels.VIEW, channels.OPEN_PRIVATE, channels.SEND_IN_THREADS)
RULE_THREADS = channels.Need(
    "manage_threads", text("Manage Threads"),
    text("Once a moderator has locked a private thread, I can't take out a player who has given up the seat, nor write there."))

log = logging.getLogger(__name__)


def forum_of(found: object) -> discord.ForumChannel | None:
    """The forum of a post; None if it is no post."""
    parent = found.parent if isinstance(found, discord.Thread) else None
    return parent if isinstance(parent, discord.ForumChannel) else None


async def forum_for(interaction: Interaction) -> discord.ForumChannel | None:
    """Where a game that is opened here can have a post: in the forum of the present post, or in the one that the server has
    chosen; None if there is none, or the caller cannot post there."""
    forum, guild = forum_of(interaction.channel), interaction.guild
    if guild is None or not isinstance(interaction.user, discord.Member):
        return None
    if forum is None:
        found = guild.get_channel(await interaction.client.services.forums.forum(guild.id) or 0)
        forum = found if isinstance(found, discord.ForumChannel) else None
    return forum if forum is not None and _may_post(forum, interaction.user) else None


def _may_post(forum: discord.ForumChannel, member: discord.Member) -> bool:
    own = forum.permissions_for(member)
    return own.view_channel and own.send_messages


async def new_post(interaction: Interaction, name: str, what: Text) -> tuple[int, int]:
    """A post for a game that is about to be opened, with the tag of open games: its number, and that of its first message. Raises
    Refusal with what is missing."""
    forum = await forum_for(interaction)
    if forum is None:
        raise Refusal("There is no forum here in which you can post. Members who can manage this server choose one with `/table "
                      "forum`.")
    return await _posted(interaction, forum, name, what)


async def post_beside(interaction: Interaction, game: GameRow, title: str) -> tuple[int, int] | None:
    """A post with this title for the rematch of a game in the same forum: its number, and that of its first message; None where
    the game is in no forum, or the caller or the bot cannot post there."""
    client = interaction.client
    forum = forum_of(client.get_channel(game.channel) or await client.threads.found(game.channel))
    if forum is None or not isinstance(interaction.user, discord.Member) or not _may_post(forum, interaction.user):
        return None
    try:
        return await _posted(interaction, forum, title, printed(client.services.session.spec(game.key).name))
    except Refusal:
        return None


async def _posted(interaction: Interaction, forum: discord.ForumChannel, name: str, what: Text) -> tuple[int, int]:
    """A post in a forum in which the caller can post. Raises Refusal with what the bot is missing."""
    for need in (channels.VIEW, POST, channels.SEND_IN_THREADS):
        if not need.met(channels.allowed(forum)):
            raise channels.refused_for(need)
    with speaking(of_server(interaction.client, forum.guild.id)):
        opening = say(text("{what} opens here: **{title:.}**", what=what, title=verbatim(name)))
    async with interaction.client.opening(forum.id):
        tags = await tags_of(interaction.client, forum)
        if "open" not in tags and (why := _untagged(forum)) is not None:
            raise why
        left = await left_thread(interaction.client, forum.threads, name, opened=1)
        if left is not None:
            return left[0].id, left[1][0].id
        try:
            made = await forum.create_thread(name=clip(name, NAME), content=opening, auto_archive_duration=channels.WEEK,
                                             applied_tags=[tags["open"]] if "open" in tags else [],
                                             allowed_mentions=discord.AllowedMentions.none())
        except discord.HTTPException as refused:
            raise channels.unopened(refused, POST) from None
        interaction.client.places.add(made.thread.id)
        return made.thread.id, made.message.id


async def tags_of(bot: Context, forum: discord.ForumChannel) -> dict[Tag, discord.ForumTag]:
    """The tags of a forum that say how a game stands; those that it lacks are added, if the bot may do that."""
    with speaking(of_server(bot, forum.guild.id)):
        names = {key: say(words) for key, words in TAGS.items()}
    lacking = [name for key, name in names.items() if key not in _known(forum.available_tags)]
    if lacking and TAGGING.met(channels.allowed(forum)) and _room(forum):
        try:
            changed = await forum.edit(available_tags=[*forum.available_tags, *(discord.ForumTag(name=name) for name in lacking)])
            forum = changed or forum
        except discord.HTTPException as refused:
            if not lasting(refused):
                raise
            log.info("forum %s: tags cannot be added (%s)", forum.id, refused.code)
    return _known(forum.available_tags)


def _room(forum: discord.ForumChannel) -> bool:
    """True if a forum can have all tags that say how a game stands."""
    return len(forum.available_tags) + len(TAGS) - len(_known(forum.available_tags)) <= MOST_TAGS


def _untagged(forum: discord.ForumChannel) -> Refusal | None:
    """Why a new game can have no post in a forum that requires tags; None if it can."""
    if not forum.flags.require_tag or "open" in _known(forum.available_tags):
        return None
    where = verbatim(forum.mention)
    if not _room(forum):
        return Refusal("{channel} requires a tag on each post, and there's no room for mine: it has {n} of {most} tags. Add a "
                       "tag **Open** to it, in the place of another one if need be.", channel=where, n=len(forum.available_tags),
                       most=MOST_TAGS)
    if not TAGGING.met(channels.allowed(forum)):
        return Refusal("{channel} requires a tag on each post, and I can't add mine. Add a tag **Open** to it, or give me "
                       "*Manage Channels* there.", channel=where)
    return None


def _known(tags: Sequence[discord.ForumTag]) -> dict[Tag, discord.ForumTag]:
    by_name = {tag.name.casefold(): tag for tag in tags}
    return {key: by_name[name] for key, words in TAGS.items() for name in map(str.casefold, in_all(words)) if name in by_name}


def state_of(games: Sequence[GameRow], free: Collection[int]) -> frozenset[Tag]:
    """The tags of a post in which these games are or were played, oldest first; `free`: those with a free seat."""
    alive = [game for game in games if game.status not in FINISHED]
    if not alive:
        return frozenset({"finished"})
    newest = alive[-1]
    if newest.status == "open":
        return frozenset({"open"})
    return frozenset({"running", "free"} if newest.id in free else {"running"})


async def forum_losses(bot: Context, guild: int | None, game: GameRow | None = None) -> list[Text]:
    """Return what the forum of a game or of its server lacks, and the channel for private talk, line by line; nothing if
    nothing."""
    server = None if guild is None else bot.get_guild(guild)
    if server is None:
        return []
    chosen, talk = await bot.services.forums.forum(server.id), await bot.services.forums.talk_channel(server.id)
    thread = None if game is None else bot.get_channel(game.channel)
    forum = forum_of(thread) or server.get_channel(chosen or 0)
    told = list[Text]()
    if isinstance(forum, discord.ForumChannel):
        needs = [need for need in IN_A_FORUM if need is not TAGGING or len(_known(forum.available_tags)) < len(TAGS)]
        told += _lines(text("For posts in {channel} I'm missing permissions:", channel=verbatim(forum.mention)), needs, forum)
        if (why := _untagged(forum)) is not None:
            told.append(why.text)
        elif not _room(forum):
            told.append(text("There's no room for all my tags in {channel}, so I use those that it has.",
                             channel=verbatim(forum.mention)))
    elif chosen is not None:
        told.append(text("The forum for games is gone. `/settings` names another one."))
    if isinstance(thread, discord.Thread) and forum_of(thread) is not None and not rules_over(bot, thread):
        told.append(text("- **Manage Threads**: I can't keep the tags of {channel} up to date, since I haven't opened it.",
                         channel=verbatim(thread.mention)))
    found = server.get_channel(talk or 0)
    if isinstance(found, discord.TextChannel):
        told += _lines(text("For private talk in {channel} I'm missing permissions:", channel=verbatim(found.mention)), FOR_TALK,
                       found)
    elif talk is not None:
        told.append(text("The channel for private talk is gone. `/settings` names another one."))
    own = None if thread is None or forum_of(thread) is not None else channels.thread_home(thread)
    home = found if own is None or own.is_news() else own
    if isinstance(home, discord.TextChannel) and all(need.met(channels.allowed(home)) for need in FOR_TALK):
        told += _lines(text("For private threads in {channel} it's better to have:", channel=verbatim(home.mention)),
                       [RULE_THREADS], home)
    return told


def rules_over(bot: Context, thread: discord.Thread) -> bool:
    """True if the bot may change a thread: it has opened it, or may manage threads."""
    return (bot.user is not None and thread.owner_id == bot.user.id) or channels.allowed(thread).manage_threads


def _lines(head: Text, needs: Sequence[channels.Need], channel: discord.abc.GuildChannel) -> list[Text]:
    lacking = [need for need in needs if not need.met(channels.allowed(channel))]
    if channels.VIEW in lacking:
        lacking = [channels.VIEW]
    told = [text("- **{permission}**: {lost}", permission=need.name, lost=need.lost) for need in lacking]
    return [head, *told] if told else []
