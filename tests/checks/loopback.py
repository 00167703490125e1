"""A Discord on the loopback address for benches: a real gateway and REST over sockets, for the unpatched bot in its own process.

It knows as much of Discord as the bot asks for: servers with a channel for each game, direct messages, interactions, sharding,
and that a repeated nonce is one message. It forgets what messages say, so that an hour of load fits into memory.
"""
from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from itertools import count
from time import perf_counter
from typing import Any, Self, TypeAlias

from aiohttp import BodyPartReader, WSMsgType, web
from discord.utils import time_snowflake, utcnow

Payload: TypeAlias = dict[str, Any]

HOST = "127.0.0.1"
TOKEN = "loop.back.token"
BOT, EVERYONE = 1_000_001, str(0x1FFFFFFFFFFFFF)        # its user, which is its application too; all permissions
JOINED = "2026-01-01T00:00:00+00:00"
SHARDING = 22                               # lower bits of an id that say nothing of the shard of its server
UPLOADS = 64 * 1024 * 1024
SLASH, PRESS, TYPING, FORM = 2, 3, 4, 5     # kinds of interactions: a command, a component, an autocomplete, a form
SHOWS, UPDATES, SUGGESTS, OPENS = 4, 7, 8, 9            # callbacks that are an answer already; 5 and 6 promise one
EPHEMERAL = 64
IDENTIFY, RESUME = 2, 6                     # what a bot says on the gateway to begin a session, or to go on with one


@dataclass(eq=False)
class SentInteraction:
    """An interaction: when somebody acted, when the bot took note of it, when it answered, and what it said."""

    sent: float
    acknowledged: asyncio.Future[float]
    answered: asyncio.Future[float]
    said: Payload = field(default_factory=dict)


@dataclass(frozen=True)
class Server:
    """A Discord server; each of its channels is a table."""

    id: int
    channels: Sequence[int]


@dataclass(eq=False)
class Shard:
    """A connection of the gateway."""

    number: int
    count: int
    socket: web.WebSocketResponse
    line: asyncio.Transport
    sequence: int = 0

    async def send(self, event: str, payload: Mapping[str, Any]) -> None:
        self.sequence += 1
        await self.socket.send_str(json.dumps({"op": 0, "t": event, "s": self.sequence, "d": payload}))

    def cut(self) -> None:
        """The line is dead, without a farewell."""
        self.line.abort()


def server(number: int, tables: Sequence[int] = ()) -> Server:
    """The server with this number, from 1: with n shards, its shard is the rest of the number over n."""
    return Server(number << SHARDING, tables)


DIRECT = Server(0, ())                      # in the place of a server: a direct message


class Loopback:
    """The simulated Discord. Bots connect to `url`; `command`, `press` and `suggest` do what people do."""

    def __init__(self, servers: Sequence[Server], shards: int = 1) -> None:
        """`shards`: as many connections to the gateway are recommended."""
        self.recommended = shards
        self.servers = {server.id: server for server in servers}
        self.url = ""
        self.commands = 0                                   # that a bot has registered
        self.requests: Counter[str] = Counter()             # by method and route
        self.posted: dict[str, int] = {}                    # nonce -> its message
        self.pictured: dict[int, list[float]] = {}          # message -> when pictures came with it, or into it
        self.repeated = 0                                   # messages whose nonce was known
        self._home = {channel: server for server in servers for channel in server.channels}
        self._shards: list[Shard] = []
        self._asked: dict[str, SentInteraction] = {}
        self._ids: Iterator[int] = count((len(servers) + 1) << SHARDING)
        self._pinned: set[int] = set()

    # -- what people do

    async def command(self, user: int, channel: int, path: str, **options: object) -> SentInteraction:
        """Somebody types a slash command: "game map"."""
        return await self._interact(SLASH, user, channel, _typed(path, options))

    async def suggest(self, user: int, channel: int, path: str, focused: str, **options: object) -> SentInteraction:
        """Somebody is typing an option of a command, and waits for what can be chosen."""
        return await self._interact(TYPING, user, channel, _typed(path, options, focused))

    async def press(self, user: int, channel: int, custom_id: str) -> SentInteraction:
        """Somebody presses a button of a message in a channel."""
        button = {"type": 2, "style": 1, "label": "-", "custom_id": custom_id}
        message = self._message(channel, next(self._ids), {"components": [{"type": 1, "components": [button]}]})
        return await self._interact(PRESS, user, channel, {"custom_id": custom_id, "component_type": 2}, message=message)

    async def submit(self, user: int, channel: int, custom_id: str, *typed: str) -> SentInteraction:
        """Somebody sends a form with these words in its fields."""
        rows = [{"type": 1, "components": [{"type": 4, "custom_id": str(number), "value": words}]}
                for number, words in enumerate(typed)]
        return await self._interact(FORM, user, channel, {"custom_id": custom_id, "components": rows})

    async def _interact(self, kind: int, user: int, channel: int, data: Payload, **more: object) -> SentInteraction:
        home, id = self._home.get(channel, DIRECT), next(self._ids)
        loop, token = asyncio.get_running_loop(), f"token-{id}"
        asked = self._asked[token] = SentInteraction(perf_counter(), loop.create_future(), loop.create_future())
        alone = {"id": str(channel), "type": 1, "recipients": [_user(user)]}
        where: Payload = {"user": _user(user), "channel": alone, "context": 1}
        if home is not DIRECT:
            where = {"guild_id": str(home.id), "channel": _channel(channel, home), "context": 0, "member": {
                "user": _user(user), "roles": [], "joined_at": JOINED, "deaf": False, "mute": False, "flags": 0,
                "permissions": EVERYONE}}
        await self._tell(home, {
            "id": str(id), "application_id": str(BOT), "type": kind, "token": token, "version": 1, "data": data,
            "channel_id": str(channel), "locale": "en-US", "app_permissions": EVERYONE, "attachment_size_limit": 10 << 20,
            "entitlements": [], "authorizing_integration_owners": {"0": str(home.id)}, **where, **more})
        return asked

    async def _tell(self, home: Server, interaction: Payload) -> None:
        """An interaction goes to the bot, if one looks after its server; of a direct message, to the first shard."""
        shard = self.shard_of(home)
        if shard is not None:
            await shard.send("INTERACTION_CREATE", interaction)

    # -- the gateway

    def shard_of(self, server: Server) -> Shard | None:
        """The connection that looks after a server; None: its bot is not there."""
        return next((shard for shard in self._shards if (server.id >> SHARDING) % shard.count == shard.number), None)

    @property
    def connected(self) -> int:
        """How many connections are ready."""
        return len(self._shards)

    async def _gateway(self, request: web.Request) -> web.WebSocketResponse:
        socket, shard = web.WebSocketResponse(max_msg_size=0), None
        await socket.prepare(request)
        await socket.send_json({"op": 10, "d": {"heartbeat_interval": 41_250}, "s": None, "t": None})
        try:
            async for message in socket:
                if message.type is not WSMsgType.TEXT:
                    break
                told = json.loads(message.data)
                if told["op"] == 1:
                    await socket.send_json({"op": 11, "d": None, "s": None, "t": None})
                elif told["op"] in (IDENTIFY, RESUME):
                    number, shards = told["d"].get("shard", (0, 1))
                    assert request.transport is not None, "the connection stands"
                    shard = Shard(number, shards, socket, request.transport)
                    if await self._welcome(shard, told["d"].get("seq") if told["op"] == RESUME else None):
                        self._shards.append(shard)
        finally:
            if shard in self._shards:
                self._shards.remove(shard)
        return socket

    async def _welcome(self, shard: Shard, resumed: int | None) -> bool:
        """Begin a session, or go on with one after the event with this number; whether the connection is ready then."""
        if resumed is not None:
            shard.sequence = resumed
            await shard.send("RESUMED", {})
            return True
        mine = [server for server in self.servers.values() if (server.id >> SHARDING) % shard.count == shard.number]
        await shard.send("READY", {
            "v": 10, "user": _user(BOT), "session_id": "session", "resume_gateway_url": self._gateway_url, "shard":
            [shard.number, shard.count], "application": {"id": str(BOT), "flags": 0},
            "guilds": [{"id": str(server.id), "unavailable": True} for server in mine]})
        for server in mine:
            await shard.send("GUILD_CREATE", _guild(server))
        return True

    @property
    def _gateway_url(self) -> str:
        return f"{self.url.replace('http', 'ws', 1)}/gateway"

    # -- REST

    async def _api(self, request: web.Request) -> web.Response:
        parts = request.match_info["tail"].split("/")
        route = " ".join([request.method, *(part for part in parts if not part.isdigit() and not part.startswith("token-"))])
        self.requests[route] += 1
        body, files = await _body(request)
        match request.method, *parts:
            case "GET", "users", "@me":
                return as_json(_user(BOT))
            case "GET", "oauth2", "applications", "@me":
                return as_json(APPLICATION)
            case "GET", "gateway", "bot":
                limits = {"total": 1000, "remaining": 999, "reset_after": 1, "max_concurrency": 16}
                return as_json({"url": self._gateway_url, "shards": self.recommended, "session_start_limit": limits})
            case "PUT", "applications", _, "commands":
                self.commands = len(body)
                return as_json([{"description": "", **command, "id": str(next(self._ids)), "application_id": str(BOT),
                                 "version": "1"} for command in body])
            case "POST", "users", "@me", "channels":
                id = int(body["recipient_id"])
                return as_json({"id": str(id + 1), "type": 1, "recipients": [_user(id)]})
            case "POST", "interactions", _, token, "callback":
                self._called_back(token, body)
                return as_json({"interaction": {"id": parts[1], "type": SLASH, "response_message_loading": True}})
            case "PATCH" | "POST", "webhooks", _, token, *_:
                return as_json(self._answered(token, body, files))
            case "DELETE", "webhooks", _, token, "messages", "@original":       # the channel says what came of it
                self._answered(token, {}, ())
                return web.Response(status=204)
            case "POST", "channels", channel, "messages":
                return as_json(self._posted(int(channel), body, files))
            case "PATCH", "channels", channel, "messages", message:
                self._note_pictures(int(message), files)
                return as_json(self._message(int(channel), int(message), {**body, "files": files}))
            case "PUT" | "DELETE", "channels", _, "messages", "pins", message:
                (self._pinned.add if request.method == "PUT" else self._pinned.discard)(int(message))
                return web.Response(status=204)
            case "GET", "channels", _, "messages", "pins":
                return as_json({"items": [], "has_more": False})
            case "GET", "channels", _, "messages":
                return as_json([])
        return as_json({"message": "404: Not Found", "code": 0}, status=404)

    def _called_back(self, token: str, body: Payload) -> None:
        asked = self._asked.get(token)
        if asked is None:
            return
        _now(asked.acknowledged)
        if body["type"] in (SHOWS, UPDATES, SUGGESTS, OPENS):
            asked.said = body.get("data", {})
            _now(asked.answered)
            del self._asked[token]

    def _answered(self, token: str, body: Payload, files: Sequence[int]) -> Payload:
        asked = self._asked.pop(token, None)
        if asked is not None:
            asked.said = {**body, "files": files}
            _now(asked.answered)
        return {**self._message(0, next(self._ids), {**body, "files": files}), "flags": EPHEMERAL}

    def _posted(self, channel: int, body: Payload, files: Sequence[int]) -> Payload:
        nonce = str(body.get("nonce", ""))
        known = self.posted.get(nonce) if nonce else None
        if known is not None:
            self.repeated += 1
        id = known if known is not None else next(self._ids)
        if nonce and known is None:
            self.posted[nonce] = id
            self._note_pictures(id, files)
        return self._message(channel, id, {**body, "files": files})

    def _note_pictures(self, message: int, files: Sequence[int]) -> None:
        if files:
            self.pictured.setdefault(message, []).append(perf_counter())

    def _message(self, channel: int, id: int, body: Mapping[str, Any]) -> Payload:
        files = [{"id": str(number), "filename": f"{number}.png", "size": size, "url": "", "proxy_url": ""}
                 for number, size in enumerate(body.get("files", ()))]
        return {"id": str(id), "channel_id": str(channel), "author": _user(BOT), "content": body.get("content") or "",
                "timestamp": JOINED, "edited_timestamp": None, "tts": False, "mention_everyone": False, "mentions": [],
                "mention_roles": [], "attachments": files, "embeds": [], "pinned": id in self._pinned, "type": 0, "flags": 0,
                "components": body.get("components") or [], "nonce": body.get("nonce")}

    # -- life

    @asynccontextmanager
    async def open(self) -> AsyncIterator[Self]:
        """Serve on a free port while the block lasts."""
        app = web.Application(client_max_size=UPLOADS)
        for path in ("/gateway", "/gateway/"):
            app.router.add_get(path, self._gateway)
        app.router.add_route("*", "/api/v10/{tail:.*}", self._api)
        runner = web.AppRunner(app, access_log=None, shutdown_timeout=1)
        await runner.setup()
        site = web.TCPSite(runner, HOST, 0)
        await site.start()
        host, port = runner.addresses[0][:2]
        self.url = f"http://{host}:{port}"
        try:
            yield self
        finally:
            await runner.cleanup()


def snowflakes() -> Iterator[int]:
    """Numbers that tell when they were given, as Discord's do."""
    last = 0
    while True:
        last = max(last + 1, time_snowflake(utcnow()))
        yield last


def page(messages: Sequence[Payload], asked: Mapping[str, str]) -> Sequence[Payload]:
    """The messages that are asked for of a channel that has these, the oldest first; the newest of them come first."""
    after, before, limit = int(asked.get("after", 0)), int(asked.get("before", 1 << 63)), int(asked.get("limit", 50))
    found = [message for message in messages if after < int(message["id"]) < before]
    return (found[:limit] if after else found[-limit:])[::-1]


def _now(moment: asyncio.Future[float]) -> None:
    if not moment.done():
        moment.set_result(perf_counter())


async def _body(request: web.Request) -> tuple[Any, list[int]]:
    """What a request says, and the sizes of its files."""
    if request.content_type == "application/json":
        return await request.json(), []
    if not request.content_type.startswith("multipart/"):
        return {}, []
    body, files = {}, []
    async for part in await request.multipart():
        assert isinstance(part, BodyPartReader), "forms of forms are not sent"
        data = await part.read()
        if part.name == "payload_json":
            body = json.loads(data)
        else:
            files.append(len(data))
    return body, files


def as_json(data: Any, status: int = 200) -> web.Response:
    """discord.py parses JSON only under this exact content type, without a charset."""
    return web.Response(body=json.dumps(data).encode(), status=status, headers={"Content-Type": "application/json"})


def _typed(path: str, options: Mapping[str, object], focused: str = "") -> Payload:
    """A command with its subcommand and options, as Discord tells a bot."""
    group, *names = path.split()
    kinds = {bool: 5, int: 4, str: 3}
    given: list[Payload] = [{"name": name, "type": kinds[type(value)], "value": value,
                             **({"focused": True} if name == focused else {})} for name, value in options.items()]
    for name in reversed(names):
        given = [{"name": name, "type": 1, "options": given}]
    return {"id": "1", "name": group, "type": 1, "options": given}


def _user(id: int) -> Payload:
    return {"id": str(id), "username": f"user{id}", "discriminator": "0", "global_name": None, "avatar": None, "bot": id == BOT}


def _channel(id: int, home: Server) -> Payload:
    return {"id": str(id), "guild_id": str(home.id), "name": f"table-{id}", "type": 0, "position": 0,
            "permission_overwrites": [], "nsfw": False, "parent_id": None, "topic": None, "rate_limit_per_user": 0,
            "last_message_id": None, "permissions": EVERYONE}


def _guild(server: Server) -> Payload:
    everyone = {"id": str(server.id), "name": "@everyone", "color": 0, "colors": {"primary_color": 0, "secondary_color": None,
                "tertiary_color": None}, "hoist": False, "position": 0, "permissions": EVERYONE, "managed": False,
                "mentionable": False, "flags": 0}
    own = {"user": _user(BOT), "roles": [], "joined_at": JOINED, "deaf": False, "mute": False, "flags": 0}
    return {"id": str(server.id), "name": f"server {server.id >> SHARDING}", "owner_id": "1", "roles": [everyone],
            "channels": [_channel(channel, server) for channel in server.channels], "members": [own], "member_count": 8,
            "threads": [], "emojis": [], "stickers": [], "features": [], "presences": [], "voice_states": [],
            "stage_instances": [], "guild_scheduled_events": [], "premium_tier": 0, "unavailable": False,
            "verification_level": 0, "default_message_notifications": 0, "explicit_content_filter": 0}


APPLICATION: Payload = {
    "id": str(BOT), "name": "chancery", "description": "", "icon": None, "bot_public": True, "bot_require_code_grant": False,
    "summary": "", "verify_key": "", "flags": 0, "owner": {"id": "1", "username": "owner", "discriminator": "0", "avatar": None}}
