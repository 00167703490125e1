"""A Discord of our own: one server, its people, and for each of them a view of every conversation.

simcord simulates Discord in memory and shows one conversation to its viewers in a page. Here each person gets a view of
each conversation, so that nobody sees through another's eyes; all views are served by one server, and time goes by.
"""
from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from copy import deepcopy
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any, TypeAlias
from zoneinfo import ZoneInfo

import discord
import simcord
from aiohttp import web
from simcord.components import walk_components
from simcord.preview import Preview, _markdown, _server

HOST = "127.0.0.1"          # nobody else can reach it
PLAYERS = ("Ada", "Ben", "Carla", "Dov")
GAME_MASTER = "Gina"
CLUB = "Games club"
TABLES = ("struggle", "attack", "imperial")     # a channel for each game that is shown

FORUM = "games"                                 # in which a new game can have a post

BORN = datetime(2026, 1, 1, tzinfo=UTC)         # of all ids of the server and its people: simcord's clock begins then
SETTLE_TIMEOUT = 60.0             # seconds that the bot may take for one thing
BREATH = 0.001              # seconds between looks whether the bot has come to rest; simcord would take 50 times as long
TICK = 1.0                  # seconds between looks at the clock
STEP = timedelta(hours=1)   # of a long skip: in between, others can act
PAGES = 8                   # browser pages that one view keeps open; simcord refuses more than 16
INTERACTIONS_KEPT = timedelta(hours=1)   # of the simulated time: interactions are forgotten then; their tokens live 15 minutes
PICTURES = 500              # that can still be seen, of some 100 kB each; older ones are forgotten
PARSERS = 100               # of texts that are kept
LISTS = frozenset((3, 5, 6, 7, 8))      # types of components from which something is chosen
Parsing: TypeAlias = Callable[[Mapping[str, Any], Mapping[str, Any]], Any]

_server.web = web           # type: ignore[attr-defined]    # simcord binds this name only when it opens a port of its own

log = logging.getLogger(__name__)


def remembered(made: Parsing) -> Parsing:
    """Parsers of texts, made once for those that know the same names. simcord makes one for each text, which takes longer than
    to read it."""
    kept: dict[str, Any] = {}

    def parser(policy: Mapping[str, Any], context: Mapping[str, Any]) -> Any:
        key = repr((policy, context))
        if key not in kept:
            if len(kept) >= PARSERS:
                kept.clear()
            kept[key] = _by_lines(made(policy, deepcopy(context)))
        return kept[key]

    return parser


def _by_lines(parser: Any) -> Any:
    """A parser for which a quote or an item of a list ends with its line, as on Discord; in Markdown it swallows what follows."""
    def begins(state: Any, line: int, end: int, silent: bool) -> bool:
        return silent

    def outside(state: Any, line: int, end: int, silent: bool) -> bool:
        return bool(silent and state.sCount[line] < state.blkIndent)

    parser.block.ruler.push("after_quote", begins, {"alt": ["blockquote"]})
    parser.block.ruler.push("after_item", outside, {"alt": ["paragraph"]})
    return parser


vars(_markdown).update(_markdown_parser=remembered(_markdown._markdown_parser))


@dataclass(frozen=True)
class Person:
    """Somebody whom one can act as."""

    name: str
    actor: simcord.MemberActor

    @property
    def id(self) -> int:
        return self.actor.id

    @property
    def role(self) -> str:
        return "game master" if self.name == GAME_MASTER else "player"


@dataclass(frozen=True)
class Conversation:
    """A channel, a thread, or somebody's direct messages with the bot."""

    id: int
    kind: str                       # "channel", "thread" or "direct"
    name: str                       # of the channel, or of the person
    people: tuple[Person, ...]      # who can read it


class Counter(_server.PreviewServer):
    """What answers the page of one view. It opens no port: the sandbox's own server hands its requests on."""

    _SECURITY_HEADERS = {
        **_server.PreviewServer._SECURITY_HEADERS, "X-Frame-Options": "SAMEORIGIN",
        "Content-Security-Policy": _server.PreviewServer._SECURITY_HEADERS["Content-Security-Policy"].replace(
            "frame-ancestors 'none'", "frame-ancestors 'self'")}

    async def start(self) -> None:
        self.port = self._requested_port

    async def close(self) -> None:
        self.port = None


class View(Preview):
    """One conversation as one person sees it. Its `capability` is the key to it."""

    def __init__(self, world: World, channel: Any, viewer: Any, port: int, timezone: str) -> None:
        super().__init__(world.env, channel, (viewer,), layout="channel", display="responsive", width=960, height=720,
                         locale="en-US", timezone=timezone, presentation_time=None, assets=None, port=port)
        self._world = world
        self._server = self.counter = Counter(self, port)

    @property
    def watched(self) -> bool:
        """True if a browser shows it; the first page is simcord's own."""
        return self._active and len(self._pages) > 1

    def _open_page(self, viewer_id: Any = None, target_id: Any = None) -> Any:
        """A browser opens the view: at its newest message, and the longest idle page makes room."""
        if len(self._pages) > PAGES:
            oldest = min((page for page in self._pages.values() if page is not self._python), key=lambda page: page.last_activity)
            self._close_page(oldest.id)
        assert self._python is not None, "the view has been entered"
        self._python.target_id, self._python.window_end_id = self._initial_target(self.viewers[0], self.channel.id), None
        return super()._open_page()

    def _publish(self, page: Any, **why: Any) -> None:
        """Show a page as it is now: "since 5 seconds ago" counts from this moment, also after what was done in another view."""
        self._advance_presentation_time()
        self._world.number_lists(self.channel.id)
        super()._publish(page, **why)

    async def _action(self, context_id: str | None, body: Mapping[str, Any]) -> dict[str, Any]:
        """Return what a person does. It waits for its turn and means what is shown now: a new post must not swallow a press."""
        async with self._world.acting(self):
            page = self._pages.get(context_id or "")
            if page is not None and isinstance(body, dict) and "published_revision" in body:
                body["published_revision"] = page.revision
            return await super()._action(context_id, body)


def patient(settle: Callable[..., Awaitable[None]]) -> Callable[..., Awaitable[None]]:
    """Waits until the bot is at rest for as long as SETTLE_TIMEOUT says, also at its start, for
    which simcord allows five seconds."""
    async def settled(**given: Any) -> None:
        await settle(**{**given, "timeout": None, "idle": BREATH})

    return settled


class World:
    """The server, its people and the bot among them. Everything that happens waits for its turn."""

    def __init__(self, bot: discord.Client, *, port: int = 0) -> None:
        self.env = simcord.Env(bot, shard_count=1, check_errors=False, settle_timeout=SETTLE_TIMEOUT)
        self.env._settle_internal = patient(self.env._settle_internal)      # type: ignore[method-assign, assignment]
        self._port = port
        self._turn = asyncio.Lock()
        self._lists = count(1)
        self._views: dict[tuple[int, int], View] = {}
        gina = self.env.create_user(GAME_MASTER.lower(), global_name=GAME_MASTER)
        self.guild = self.env.create_guild(CLUB, owner=gina)
        tables = [self.guild.create_text_channel(TABLES[0])]
        players = [self.env.create_user(name.lower(), global_name=name) for name in PLAYERS]
        self.people = tuple(Person(str(user.global_name), self.guild.add_member(user)) for user in (*players, gina))
        for person in self.people:
            self.env.backend.get_dm_channel(person.id)
        tables += [self.guild.create_text_channel(name) for name in TABLES[1:]]     # after the people: kept databases know them
        self.tables = dict(zip(TABLES, tables, strict=True))
        self.forum = self.guild.create_forum_channel(FORUM)
        self.env.backend.bot_user.name = "Chancery"
        self.env.backend.clock._epoch = datetime.now(UTC)       # after the world is made: its ids are the same every time

    @asynccontextmanager
    async def running(self) -> AsyncIterator[World]:
        """The bot is online and time goes by, until the end of the block."""
        await self.env.start()
        clock = asyncio.create_task(self._keep_time())
        try:
            yield self
        finally:
            clock.cancel()
            with suppress(asyncio.CancelledError):
                await clock
            await self.env.shutdown()

    def open_channel(self, name: str) -> int:
        """A new channel that everybody can read; its number."""
        taken = {channel.name for channel in self.env.backend.channels.values()}
        free = next(called for number in range(1, 1000) if (called := name if number == 1 else f"{name}-{number}") not in taken)
        return int(self.guild.create_text_channel(free).id)

    def person(self, name: str) -> Person:
        """Somebody by name. Raises KeyError."""
        for person in self.people:
            if person.name == name:
                return person
        raise KeyError(name)

    # -- conversations

    def conversations(self) -> list[Conversation]:
        """All of them: channels and threads first, then direct messages in the order of the people."""
        out, direct = [], []
        for channel in self.env.backend.channels.values():
            if channel.id == self.forum.id:             # its posts are threads; nobody writes in a forum itself
                continue
            people = tuple(person for person in self.people if self._may_read(person, channel.id))
            if channel.guild_id is None:
                direct += [Conversation(channel.id, "direct", person.name, (person,)) for person in people]
            elif people:
                out.append(Conversation(channel.id, "thread" if channel.is_thread else "channel", channel.name or "", people))
        return [*out, *direct]

    def _may_read(self, person: Person, channel: int) -> bool:
        reachable: bool = simcord.backend.access.channel_accessible(self.env.backend, channel, person.id, history=True)
        return reachable

    def messages(self, conversation: Conversation) -> int:
        """How many messages it holds, the replies that only one person sees aside."""
        return sum(not message.is_ephemeral for message in self.env.backend.messages.get(conversation.id, {}).values())

    def typed_command(self, person: Person, conversation: Conversation) -> bool:
        """True if the newest message is a command that this person wrote out, which as on Discord is only words."""
        told = [message for message in self.env.backend.messages.get(conversation.id, {}).values() if not message.is_ephemeral]
        return bool(told) and told[-1].author_id == person.id and told[-1].content.startswith("/")

    async def view(self, person: Person, conversation: int, timezone: str = "UTC") -> View:
        """The view of a person on a conversation, made when it is first wanted. Raises KeyError: it is not theirs to see."""
        key = person.id, conversation
        if key not in self._views:
            async with self._turn:
                if not self._may_read(person, conversation):
                    raise KeyError(conversation)
                channel = self.env.backend.channels[conversation]
                guild = self.guild if channel.guild_id is not None else None
                viewer = person.actor if guild is not None else person.actor.user
                made = View(self, simcord.ChannelHandle(self.env, guild, channel), viewer, self._port, _known(timezone))
                self.env._preview = None                        # simcord expects one view; each takes its turn
                await made.__aenter__()
                self._views[key] = made
        return self._views[key]

    def view_of(self, capability: str) -> View | None:
        return next((view for view in self._views.values() if view.capability == capability), None)

    def number_lists(self, conversation: int) -> None:
        """Give every list that the bot has posted or edited since an id of its own, as Discord numbers components.

        By it the page knows a new list, and shows what the bot has chosen in it, not what somebody chose in the one before it.
        """
        for message in self.env.backend.messages.get(conversation, {}).values():
            for component in walk_components(message.components):
                if component["type"] in LISTS and not component.get("id"):
                    component["id"] = next(self._lists)

    # -- what happens

    @asynccontextmanager
    async def acting(self, view: View | None = None) -> AsyncIterator[None]:
        """One thing at a time; afterwards all who watch see what came of it."""
        async with self._turn:
            self.env._preview = view
            try:
                yield
            finally:
                self.env._preview = None
            await self._show(besides=view)

    async def pass_time(self, passed: timedelta) -> None:
        """The clock goes forward, and the bot does what falls due on the way."""
        while passed:
            step = min(passed, STEP)
            async with self.acting():
                await self.env.advance_time(step.total_seconds())
            passed -= step

    async def _keep_time(self) -> None:
        loop = asyncio.get_running_loop()
        last = loop.time()
        while True:
            await asyncio.sleep(TICK)
            now = loop.time()
            passed, last = timedelta(seconds=now - last), now
            try:
                await self.pass_time(passed)
            except TimeoutError:
                log.warning("the bot has not come to rest for %d seconds", SETTLE_TIMEOUT)

    async def _show(self, *, besides: View | None) -> None:
        """Publish new posts to all who watch, and forget what would grow without end."""
        backend = self.env.backend
        news = any(kind == "GATEWAY" and event.startswith(("MESSAGE_", "THREAD_", "CHANNEL_"))
                   for kind, event, _ in backend.transcript)
        backend.transcript.clear()
        backend.http_requests.clear()
        self._forget()
        for view in [view for view in self._views.values() if news and view.watched and view is not besides]:
            await view.refresh()

    def _forget(self) -> None:
        """Old interactions and old pictures."""
        kept, pictures = self.env.backend.interactions, self.env.backend.cdn._blobs
        before = discord.utils.time_snowflake(self.env.now() - INTERACTIONS_KEPT)
        for id in [id for id in kept if id < before]:
            self.env.backend.interaction_tokens.pop(kept.pop(id).token, None)
        for url in list(pictures)[:-PICTURES]:
            del pictures[url]


def _known(timezone: str) -> str:
    """The browser's time zone, or UTC if this machine does not know it."""
    try:
        return ZoneInfo(timezone).key
    except (ValueError, OSError, KeyError):
        return "UTC"
