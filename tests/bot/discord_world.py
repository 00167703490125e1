"""A server on a simulated Discord: the one module of the tests that knows simcord."""
from __future__ import annotations

import asyncio
import contextlib
import copy
import functools
import marshal
import re
from collections import deque
from collections.abc import AsyncIterator, Callable, Collection, Sequence
from datetime import timedelta
from pathlib import Path
from time import perf_counter
from types import SimpleNamespace
from typing import Any, Self
from unittest.mock import patch
from weakref import WeakKeyDictionary, WeakValueDictionary

import discord
import simcord
from discord import app_commands
from simcord import _dpy_internals, _runtime, _settlement, actors, builders, components, gateway, results
from simcord.backend import serializers
from simcord.backend.access import channel_accessible
from simcord.backend.models import Overwrite
from simcord.backend.permissions import compute
from simcord.enums import OverwriteType
from simcord.http import router
from simcord.results import to_discord_message

from bot.discord import client, confided
from bot.discord.client import commands, make_bot
from bot.discord.game_master.message_menus import message_menus
from bot.discord.heard import Told
from bot.discord.pictures import Draw
from bot.service import Services
from bot.store import Store
from engine.kernel import GameSpec
from engine.refusals import Refusal
from tests.bot import payloads
from tests.bot.desk import at_once, blank, undivided
from tests.toy import PEBBLES, SECRET

QUIET = 0.001           # seconds of rest that count as quiet; simcord's own 50 ms would be waited for at every action
SETTLE_TIMEOUT = 60           # seconds that the bot has to come to rest, on a machine that does other things too
HASTE = 1000            # times as fast as by the clock a bot sleeps that is waited for
SLEEP = "_set_result_unless_cancelled"      # what `asyncio.sleep` has done when it ends
SELDOM = 3600           # seconds between looks at whether the owner must be told something: days go by more quickly so
NONCES = 300            # seconds for which Discord knows a nonce again ("in the past few minutes")
TEXT = 10               # Discord's number of the component that shows words
VOTES = {"vote", "voteagainst", "agree", "disagree", "withdraw", "ballot"}       # presses whose message says what comes of them
PLAIN = 2               # the form of `marshal` in which the same is always written in the same way
SetupError = simcord.SetupError


def no_painter(spec: GameSpec, scene: object, theme: str) -> tuple[bytes, str]:
    """Draws nothing, like the renderer for a game that it does not know."""
    raise LookupError("Nobody paints pebbles.")


NUMBERED = re.compile(r"^\d+ · ")         # before the label of a place


class Line:
    """What goes between the bot and Discord: a message with a nonce that was used is not posted again, as Discord has it.

    `before` and `after` see each request on its way there and back; what they raise is what the bot meets.
    """

    def __init__(self, backend: Any) -> None:
        self.before: Callable[[str, str], None] | None = None
        self.after: Callable[[str, str], None] | None = None
        self._backend, self._nonces = backend, dict[str, tuple[float, str]]()       # nonce -> when, and the message

    def carry(self, method: str, path: str, said: Any, dispatch: Callable[..., Any], **rest: Any) -> Any:
        """One request, and its answer."""
        if self.before is not None:
            self.before(method, path)
        now = self._backend.clock.elapsed
        nonce = said.get("nonce") if method == "POST" and isinstance(said, dict) and said.get("enforce_nonce") else None
        posted_at, earlier = self._nonces.get(nonce or "", (-NONCES, ""))
        if earlier and now - posted_at < NONCES:
            answer = dispatch(self._backend, "GET", earlier)
        else:
            answer = dispatch(self._backend, method, path, json=said, **rest)
            if nonce is not None:
                self._nonces[nonce] = now, f"{path}/{answer['id']}"
        if self.after is not None:
            self.after(method, path)
        return answer


def _carried(backend: Any, method: str, path: str, *, json: Any = None, **rest: Any) -> Any:
    line = getattr(backend, "line", None)
    if line is None:
        return _dispatch(backend, method, path, json=json, **rest)
    return line.carry(method, path, json, _dispatch, **rest)


_dispatch, router.dispatch = router.dispatch, _carried


def _pinning(request: router.RequestContext, *, pinned: bool) -> None:
    """What Discord does since February 2026: only *Pin Messages* lets a bot pin, and *Manage Messages* says nothing of it."""
    channel = request.require_channel_permissions(request.int_arg("channel_id"), "pin_messages")
    message = request.require_message(channel.id, request.int_arg("message_id"))
    request.backend.set_pinned(channel.id, message.id, pinned)


PIN = ["channels", "{channel_id}", "messages", "pins", "{message_id}"]
for method, pinned in (("PUT", True), ("DELETE", False)):       # before the rule that simcord knows
    router._ROUTES[method].insert(0, (PIN, functools.partial(_pinning, pinned=pinned)))


def _changing(request: router.RequestContext, *, changed: Callable[[router.RequestContext], Any]) -> Any:
    """What Discord asks of whoever changes a thread: it is the bot's own, or *Manage Threads*; to fetch it back, only to write
    there. Of a channel simcord asks the right thing."""
    channel, own = request.backend.get_channel(request.int_arg("channel_id")), request.backend.bot_user.id
    if channel.is_thread:
        rousing = request.json == {"archived": False}
        request.require_channel_permissions(channel.id, *(["send_messages_in_threads"] if rousing else
                                                          [] if channel.owner_id == own else ["manage_threads"]))
        vars(request)["require_channel_permissions"] = lambda number, *_: request.backend.get_channel(number)
    return changed(request)


CHANNEL = ["channels", "{channel_id}"]
_edit = next(handler for pattern, handler in router._ROUTES["PATCH"] if pattern == CHANNEL)
router._ROUTES["PATCH"].insert(0, (CHANNEL, functools.partial(_changing, changed=_edit)))


def _reading(request: router.RequestContext, *, read: Callable[[router.RequestContext], Any]) -> Any:
    """What Discord gives of the messages after one: those that come next, where simcord gives the newest of all."""
    limit = int(request.params.get("limit", 50))
    if "after" not in request.params:
        return read(request)
    request.params["limit"] = len(request.backend.messages.get(request.int_arg("channel_id"), ())) + 1
    return read(request)[-limit:]


MESSAGES = [*CHANNEL, "messages"]
_history = next(handler for pattern, handler in router._ROUTES["GET"] if pattern == MESSAGES)
router._ROUTES["GET"].insert(0, (MESSAGES, functools.partial(_reading, read=_history)))


def copied(value: Any) -> Any:
    """What `copy.deepcopy` makes of JSON, in a tenth of the time; simcord copies all that goes between the bot and Discord."""
    try:
        return marshal.loads(marshal.dumps(value))
    except ValueError:                          # a type of ours is in it
        kind = type(value)
    if kind is dict:
        return {key: copied(item) for key, item in value.items()}
    return [copied(item) for item in value] if kind is list else copy.deepcopy(value)


@functools.lru_cache(1000)
def _checked(given: bytes, flags: int) -> bytes:
    return marshal.dumps(_check(marshal.loads(given), flags=flags))


def checked(given: Any, *, flags: int = 0) -> Any:
    """What simcord makes of the components of a message, which it would check several times on their way."""
    try:
        plain = marshal.dumps(given, PLAIN)
    except ValueError:                          # as above
        return _check(given, flags=flags)
    return marshal.loads(_checked(plain, flags))


_check = components.validate_components
vars(components)["validate_components"] = checked
for module in (components, results, serializers):
    vars(module)["deepcopy"] = copied
for module in (router, gateway):
    vars(module)["copy"] = SimpleNamespace(deepcopy=copied)


class Waits:
    """Tasks of bots that were found at rest, each with what it waits for: as long as that is the same, it needs no other look."""

    def __init__(self, is_parked: Callable[..., bool], virtualize: Callable[..., None]) -> None:
        self._is_parked, self._virtualize = is_parked, virtualize
        self._known: WeakKeyDictionary[asyncio.Task[Any], asyncio.Future[Any]] = WeakKeyDictionary()

    def knows(self, task: Any) -> bool:
        """Whether a task waits for the same as when it was found at rest."""
        waiter = task._fut_waiter
        return waiter is not None and self._known.get(task) is waiter and not waiter.done()

    def is_parked(self, state: Any, task: Any, deadline: float) -> bool:
        """What simcord says of a task."""
        if self.knows(task):
            return True
        parked = self._is_parked(state, task, deadline)
        if parked and task._fut_waiter is not None:
            self._known[task] = task._fut_waiter
        return parked

    def virtualize(self, state: Any, pending: Sequence[Any]) -> None:
        """Tie the timers of tasks that begin to wait to the simulated clock."""
        self._virtualize(state, [task for task in pending if not self.knows(task)])


def _now() -> float:
    """Seconds by the simulated clock inside a bot, else by the real one; simcord's own function imports a module at each call."""
    env = _runtime._selected_env(driver=False)
    return env._virtual_time if env is not None else _dpy_internals.real_monotonic()


vars(_dpy_internals)["_clock_monotonic"] = _now
_runtime._CallbackRecord.__eq__ = object.__eq__     # simcord takes each one out of a list, and would compare all fields of others

waits = Waits(_settlement._is_parked, _settlement._virtualize_recognized_waits)
vars(simcord.env).update(_is_parked=waits.is_parked, _virtualize_recognized_waits=waits.virtualize)


def patient(settle: Callable[..., Any], busy: Collection[Any]) -> Callable[..., Any]:
    """Waits until the bot is at rest for as long as SETTLE_TIMEOUT says, also at its start, for
    which simcord allows five seconds.

    As long as anything can go on, here or in other threads, that is waited for: simcord would look at all tasks of the bot
    again and again meanwhile. What waits so itself, as when a sleep ends meanwhile, is nothing to wait for.
    """
    patiently = set[object]()                   # those who look whether anything can go on: each is always about to look again

    async def settled(**given: Any) -> None:
        loop: Any = asyncio.get_running_loop()
        begun, me = perf_counter(), object()
        patiently.add(me)
        try:
            while perf_counter() - begun < SETTLE_TIMEOUT:
                await asyncio.sleep(0)
                if len(loop._ready) >= len(patiently):
                    continue
                if not busy:
                    break
                patiently.discard(me)
                await asyncio.wait([*busy], timeout=SETTLE_TIMEOUT, return_when=asyncio.FIRST_COMPLETED)
                patiently.add(me)
        finally:
            patiently.discard(me)
        await settle(**{**given, "timeout": None, "idle": QUIET})

    return settled


def hasty(env: simcord.Env) -> Callable[..., None]:
    """Sets the timers of a bot, as simcord does; a sleep that ends within SETTLE_TIMEOUT, for which `settle` waits, ends soon.

    The simulated clock is put on by the whole sleep all the same.
    """
    timed: Callable[..., None] = env._schedule_timer

    def scheduled(record: Any, callback: Any, *given: Any) -> None:
        timed(record, callback, *given)
        real, left = record.real_handle, record.when - env._virtual_time
        if getattr(callback, "__name__", "") == SLEEP and real is not None and left <= SETTLE_TIMEOUT:
            assert env._runtime is not None, "only a bot that runs can sleep"
            record.real_handle = env._runtime.call_at(_dpy_internals.real_monotonic() + left / HASTE, real._callback,
                                                      context=real._context)
            real.cancel()

    return scheduled


_made: deque[tuple[tuple[GameSpec, ...], list[Any], list[Any]]] = deque(maxlen=8)   # games, their commands, what is sent of them


def made(games: Sequence[GameSpec]) -> list[Any]:
    """The commands of a bot, the same for all bots with these very games: they keep nothing of the bot that has them."""
    return _known(games)[0]


def _known(games: Sequence[GameSpec]) -> tuple[list[Any], list[Any]]:
    for known, found, sent in _made:
        if [*map(id, known)] == [*map(id, games)]:
            return found, sent
    _made.appendleft((tuple(games), commands(games), []))
    return _made[0][1:]


_worlds: WeakValueDictionary[int, World] = WeakValueDictionary()        # by the identity of their bots


def _compared(bot: Any, wanted: Collection[object], known: Collection[object], *, heard: Collection[object],
              user: int | None = None, place: int | None = None) -> None:
    """What the bot does before it sends anything; what it would get wrong all the same is noted, by what Discord itself knows."""
    world = _worlds.get(id(bot))
    try:
        _compare(bot, wanted, known, heard=heard, user=user, place=place)
    except confided.Misdirected:
        if world is not None:
            world.misread.append(f"refused: {sorted(map(str, {*wanted} - {*known}))} to {user or place}")
        raise
    if world is not None:
        world.overhear([one.game for one in heard if isinstance(one, Told)], user, place)


_compare = confided.compare
vars(confided)["compare"] = _compared


class World:
    """The club: a channel `table`, Olga who opens games, Alice and Bob who play, Carol who looks on, Max who manages."""

    def __init__(self, path: Path, games: Sequence[GameSpec], draw: Draw) -> None:
        self.path, self.games, self.draw = path, games, draw
        self.store = self._opened()
        self.services = self._services()
        self.env = simcord.Env(self._bot(), shard_count=1)
        self.misread = list[str]()              # messages about games that some of their readers don't see
        backend: Any = self.env.backend
        self.line = backend.line = Line(backend)
        self.env._settle_internal = patient(self.env._settle_internal, self.env._work.executors)
        self.env._schedule_timer = hasty(self.env)
        self.env.settle_timeout = SETTLE_TIMEOUT

    @classmethod
    async def made(cls, path: Path, games: Sequence[GameSpec] = (PEBBLES,), draw: Draw = no_painter) -> Self:
        undivided(asyncio.get_running_loop())
        world = cls(path, games, draw)
        await world.env.start()
        guild = world.guild = world.env.create_guild("Club")
        world.table = guild.create_text_channel("table")
        world.elsewhere = guild.create_text_channel("elsewhere")
        manager = guild.create_role("Managers", permissions=discord.Permissions(manage_guild=True))
        for name in ("olga", "alice", "bob", "carol"):
            setattr(world, name, guild.add_member(world.env.create_user(name)))
        world.max = guild.add_member(world.env.create_user("max"), roles=[manager])
        return world

    @classmethod
    @contextlib.asynccontextmanager
    async def at(cls, path: Path, games: Sequence[GameSpec] = (PEBBLES,), draw: Draw = no_painter) -> AsyncIterator[Self]:
        """The club for as long as the block lasts; afterwards every request is checked."""
        world = await cls.made(path, games, draw)
        try:
            yield world
        finally:
            await world.shutdown()
        world.check()

    olga: Any
    alice: Any
    bob: Any
    carol: Any
    max: Any
    guild: Any
    table: Any
    elsewhere: Any

    async def server_page(self, who: Any, label: str = "", *, where: Any = None) -> Any:
        """The page of this server in the settings, as somebody sees it; or what a button there leads to."""
        panel = await who.slash(where or self.table, "settings")
        page = await who.click(panel.response, label="This server")
        return await who.click(page.response, label=label) if label else page

    def _open_file(self) -> Store:
        return Store(blank(self.path))

    def _opened(self) -> Store:
        """The store, which works where it is asked and does not wait for the disk."""
        store = at_once(self._open_file)
        store._ledger.conn.execute("PRAGMA synchronous=OFF")
        return store

    def _services(self) -> Services:
        return Services(self.store, self.games, now=discord.utils.utcnow, secret=lambda: SECRET)

    def _bot(self) -> discord.Client:
        with patch.object(client, "commands", made):
            bot = make_bot(self.services, self.games, draw=self.draw)
        bot.tree.sync = functools.partial(self._register, bot.tree)
        bot.owner.look.change_interval(seconds=SELDOM)
        _worlds[id(bot)] = self
        return bot

    async def _register(self, tree: Any) -> list[app_commands.AppCommand]:
        """Make the commands known, as `sync` does; what it sends is the same for all bots with these games, and long. The bot
        learns no numbers of them, so that it says their names in plain words."""
        known, sent = _known(self.games)
        if not sent:
            sent.extend({key: said for key, said in command.to_dict(tree).items() if key != "nsfw"}
                        for command in [*known, *message_menus()])
        self.env.backend.register_commands(None, sent)
        return []

    @property
    def bot(self) -> Any:
        return self.env.bot

    async def restart(self) -> None:
        """Stop the bot, and start another one on the same file."""
        self.store.close()
        self.store = self._opened()
        self.services = self._services()
        await self.env.restart_bot(self._bot())

    def set_wall_clock(self, by: timedelta) -> None:
        """Somebody sets the system's clock; no time goes by."""
        self.env.backend.clock._epoch += by

    def mute(self) -> None:
        """From now on the bot stores, and posts nothing, as if it were stopped between the two."""
        self.bot.outbox.wake = lambda _: None
        self.services.session.store.on_news = None

    def forum_post(self, name: str = "Friday night") -> Any:
        """A post of Olga's in a forum: a thread, and none can be opened beside it."""
        forum = self.guild.create_forum_channel("games")
        thread = self.env.backend.create_thread(forum.id, name, self.olga.id)
        return simcord.ChannelHandle(self.env, self.guild, thread)

    def forbid(self, channel: Any, *permissions: str) -> None:
        """From now on the bot lacks these permissions in a channel, and no others."""
        denied = discord.Permissions(**dict.fromkeys(permissions, True)).value
        self.env.backend.set_overwrite(channel.id, Overwrite(self.bot.user.id, OverwriteType.MEMBER, deny=denied))

    def hide(self, channel: Any, *people: Any) -> None:
        """From now on these members do not see a channel."""
        denied = discord.Permissions(view_channel=True).value
        for person in people:
            self.env.backend.set_overwrite(channel.id, Overwrite(person.id, OverwriteType.MEMBER, deny=denied))

    def forbid_everywhere(self, *permissions: str) -> None:
        """From now on the bot's own role lacks these permissions."""
        guild = self.env.backend.guilds[self.guild.id]
        (role,) = guild.members[self.bot.user.id].role_ids
        left = discord.Permissions(guild.roles[role].permissions)
        left.update(**dict.fromkeys(permissions, False))
        self.env.backend.edit_role(guild.id, role, {"permissions": left.value})

    def overhear(self, games: Sequence[int], user: int | None, place: int | None) -> None:
        """A message that tells of these games goes to a member, or to all who read in a place: each must see the games."""
        backend: Any = self.env.backend
        readers = [user] if user is not None else [
            one for one in backend.users if one != backend.bot_user.id and channel_accessible(backend, place, one)]
        for stored in [self.store._ledger.games.game(game) for game in games]:
            row, inside = stored.row, {one for holder in stored.holders for one in holder.users} | {stored.row.owner}
            guild = backend.guilds.get(row.guild)
            blind = [] if guild is None or row.channel not in backend.channels else [
                one for one in readers if one not in inside and not channel_accessible(backend, row.channel, one)
                and not discord.Permissions(compute(guild, one, now=self.env.now())).manage_guild]
            self.misread += [f"game {row.id} to {backend.users[one].name} in {place}" for one in blind]

    async def shutdown(self) -> None:
        await self.env.shutdown()
        self.store.close()
        assert self.misread == []

    def check(self) -> None:
        """Fail on an error that nobody expects, and on a request that Discord would refuse. Refusals are expected."""
        for error in self.env.errors_since(self.env._errors_acknowledged):
            origin = error.original if isinstance(error, app_commands.CommandInvokeError) else error
            if not isinstance(origin, Refusal):
                raise error
        assert payloads.problems(self.env.http_requests) == []

    @contextlib.asynccontextmanager
    async def together(self) -> AsyncIterator[None]:
        """Everything done inside reaches the bot at the same moment."""
        settle = self.env._settle_internal

        async def later(**_: Any) -> None:
            pass

        self.env._settle_internal = later
        try:
            yield
        finally:
            self.env._settle_internal = settle
        await self.env.settle()

    # -- what many tests do

    async def opened(self, seats: int = 2, **options: Any) -> Any:
        """Olga opens a game at the table."""
        return await self.olga.slash(self.table, "game open", game="pebbles", seats=seats, **options)

    async def started(self, *players: Any) -> None:
        """A running game of pebbles: seat_1 (Amber) is Alice, seat_2 (Basalt) is Bob, unless others are named."""
        players = players or (self.alice, self.bob)
        await self.opened(len(players))
        for player in players:
            await player.slash(self.table, "game join")
        await self.olga.slash(self.table, "game start")

    async def guessed(self) -> None:
        """A running game in which Amber is asked for a first turn."""
        await self.started()
        await self.alice.slash(self.table, "pebbles guess", pebbles=3)
        await self.bob.slash(self.table, "pebbles guess", pebbles=8)

    def _kept(self, channel: Any) -> list[Any]:
        """All messages that everybody sees there, oldest first, as Discord keeps them."""
        kept = self.env.backend.messages.get(channel.id, {})
        return [kept[number] for number in sorted(kept) if kept[number].visible_to(None)]

    def posts(self, channel: Any = None, viewer: Any = None) -> list[str]:
        """The words of all messages that everybody, or the viewer, sees there."""
        channel = channel or self.table
        return [words_of(message) for message in (channel.history(viewer=viewer) if viewer else self._kept(channel))]

    async def chat(self) -> None:
        """Somebody writes at the table, so that the log goes on in a message of its own."""
        await self.carol.send(self.table, "Hm.")

    def told(self, channel: Any = None) -> list[str]:
        """The lines of all messages that everybody sees there: the log goes on in one message for a while."""
        return [line for post in self.posts(channel) for line in post.splitlines()]

    def question(self, words: str) -> Any:
        """The newest message at the table that holds these words."""
        kept = next(message for message in reversed(self._kept(self.table)) if words in words_of(message))
        return _readable(self.env, kept)

    def letters(self, who: Any) -> list[str]:
        """The direct messages of somebody."""
        return [words_of(message) for message in self._kept(who.user.dm_channel)]

    async def newest(self, game: int = 1) -> int:
        return await self.services.queries.newest(game)


async def leaves(person: Any, place: Any, **given: Any) -> Any:
    """Somebody goes away, although it may be their move."""
    result = await person.slash(place, "my away", **given)
    return await person.click(result.response, label="Confirm")


async def undo(person: Any, place: Any) -> str:
    """A game master undoes the last move, and confirms that where several steps would go."""
    shown = await person.slash(place, "gm undo")
    message = shown.response or shown.followups[-1]
    if "Confirm" in labels(message):
        await person.click(message, label="Confirm")
    return words(shown)


def words(result: Any) -> str:
    """The reply to an interaction, for the one who acted alone; "" if it is for everybody to read what came of it."""
    assert result.acknowledged, "nobody answered"
    if not (said := result.response or next(reversed(result.followups), None)):
        return ""
    assert said.ephemeral, f"everybody sees: {said.content}"
    return str(said.content)


def parts(message: Any) -> list[dict[str, Any]]:
    """All components of a message, those that stand in others too."""
    return [*components.walk_components([part if isinstance(part, dict) else part.to_dict() for part in message.components])]


def words_of(message: Any) -> str:
    """What a message says, in its content or else in its components."""
    return str(message.content or "\n".join(part["content"] for part in parts(message) if part["type"] == TEXT))


def words_sent(body: Any) -> str:
    """What a message says that the bot has sent."""
    return words_of(SimpleNamespace(content=body.get("content"), components=body.get("components", ())))


def _readable(env: Any, message: Any) -> discord.Message:
    """A message as tests get it: its `content` is what it says, also where components do."""
    made = to_discord_message(env, message)
    made.content = words_of(made)
    return made


def _read(env: Any, message: Any) -> discord.Message:
    """A message of a history, made anew only where it has changed since it was last read."""
    known = _histories.setdefault(env.bot, {})
    there = copied(serializers.message_payload(env.backend, message))
    if known.get(message.id, ({},))[0] != there:
        known[message.id] = there, _readable(env, message)
    return known[message.id][1]


_histories: WeakKeyDictionary[Any, dict[int, tuple[Any, discord.Message]]] = WeakKeyDictionary()      # by bot and message
for module in (results, actors):
    vars(module)["to_discord_message"] = _readable
vars(builders)["to_discord_message"] = _read


def labels(message: Any) -> list[str]:
    """What can be pressed below a message, without the numbers of places."""
    return [unnumbered(item["label"]) for item in parts(message) if item["type"] == 2]


def custom_ids(message: Any) -> dict[str, str]:
    """The custom ids of the buttons of a message, by label."""
    return {item["label"]: item["custom_id"] for item in parts(message) if item["type"] == 2}


def unnumbered(label: str) -> str:
    """A label without the number of its place."""
    return NUMBERED.sub("", label)


def options(message: Any) -> dict[str, str]:
    """The values of the select of a message, by label; without the number of a place: "9 · India" is "India"."""
    return {unnumbered(option["label"]): option["value"] for item in parts(message) if item["type"] == 3
            for option in item["options"]}


def said(result: Any) -> Any:
    """The message that answers an interaction, for the one who acted alone."""
    words(result)
    return result.response or result.followups[-1]
