"""What the browser asks for: our page around, and simcord's page of each conversation inside.

One server answers for all views; each request of simcord's page carries the key of the view that it means.
"""
from __future__ import annotations

import secrets
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import asdict
from datetime import timedelta
from pathlib import Path
from typing import Any

import simcord.preview
from aiohttp import web

from bot.service import Services
from engine.outside import loaded
from engine.refusals import Faulty
from sandbox.guide import COMMANDS, Lobby, Place, Try, guide
from sandbox.solo_game import begin, titles
from sandbox.world import HOST, Conversation, Person, World

HERE = Path(__file__).parent
SIMCORD = Path(simcord.preview.__file__).parent / "static"
KEY = "X-Simcord-Capability"            # the header with the key of a view
STYLE = '<link rel="stylesheet" href="/talk.css">'
LONGEST_SKIP = 31 * 24                  # hours

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


class Page:
    """The answers to the browser's requests."""

    def __init__(self, world: World, services: Services, address: str, help: Sequence[str], tries: Sequence[Try] = ()) -> None:
        """`address`: where the page is served; `help`: lines of the card that says how all this works; `tries`: what to try."""
        self.world, self.services, self.address, self.help, self.tries = world, services, address, help, tries
        self._run = secrets.token_hex(4)                # so that a browser sees that the sandbox was started again

    def application(self) -> web.Application:
        """All routes. Requests for another host, or from another site's page, are refused."""
        app = web.Application(middlewares=[self._only_from_here], handler_args={"handler_cancellation": False})
        app.add_routes([
            web.get("/", self.page), web.get("/talk", self.talk), web.get("/talk.css", self.style), web.get("/club", self.club),
            web.post("/view", self.view), web.post("/time", self.time), web.post("/alone", self.alone),
            web.post("/api/pages", self._of_view("_pages")), web.delete("/api/pages/{context_id}", self._of_view("_delete_page")),
            web.get("/api/state", self._of_view("_state")), web.get("/api/commands", self._of_view("_commands")),
            web.get("/api/action-result", self._of_view("_action_result")), web.post("/api/action", self._of_view("_action")),
            web.get("/api/assets/{asset_id}", self._of_view("_asset")), web.static("/", SIMCORD)])
        return app

    @web.middleware
    async def _only_from_here(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """A page of the internet that the same browser shows must not act here, nor read under a borrowed name."""
        own = self.address.rstrip("/")
        here = (own, own.replace(HOST, "localhost"))
        if f"http://{request.host}" not in here or request.headers.get("Origin", own) not in here:
            raise web.HTTPForbidden(text=f"The sandbox answers only its own page at {self.address}")
        return await handler(request)

    # -- our page

    async def page(self, request: web.Request) -> web.StreamResponse:
        return web.FileResponse(HERE / "page.html", headers={"Cache-Control": "no-store"})

    async def talk(self, request: web.Request) -> web.StreamResponse:
        """simcord's page of one conversation, without what our page around it shows already; the view's key follows the #."""
        whole = (SIMCORD / "index.html").read_text("utf-8")
        return web.Response(text=whole.replace("</head>", f"{STYLE}</head>"), content_type="text/html")

    async def style(self, request: web.Request) -> web.StreamResponse:
        return web.FileResponse(HERE / "talk.css", headers={"Cache-Control": "no-store"})

    async def club(self, request: web.Request) -> web.StreamResponse:
        """Who is there, who has a move to make and where, what can be read and how much of it, and what time it is.

        With a person and a conversation, also what stands above that conversation.
        """
        conversations = self.world.conversations()
        places, tried = await self._places(conversations), await self._tried()
        movers = {name for place in places for name in place.movers}
        asked = {place.conversation.id: place.movers for place in places}
        seen = self._seen(request.query.get("person", ""), request.query.get("conversation", ""))
        return web.json_response({
            "alone": titles(self.services), "run": self._run, "now": self.world.env.now().isoformat(), "help": list(self.help),
            "people": [{"name": person.name, "role": person.role, "asked": person.name in movers}
                       for person in self.world.people],
            "conversations": [{
                "id": str(one.id), "kind": one.kind, "name": one.name, "count": self.world.messages(one),
                "people": [person.name for person in one.people], "asked": asked.get(one.id, [])} for one in conversations],
            "guide": asdict(guide(*seen, places, await self._lobbies(conversations), self.world.people)) | {"try": COMMANDS if (
                self.world.typed_command(*seen)) else tried.get((seen[0].name, seen[1].id), "")} if seen else None})

    def _seen(self, person: str, conversation: str) -> tuple[Person, Conversation] | None:
        """Who looks at what; None: nobody, or nothing that there is."""
        who = next((one for one in self.world.people if one.name == person), None)
        what = next((one for one in self.world.conversations() if str(one.id) == conversation), None)
        return None if who is None or what is None else (who, what)

    async def _places(self, conversations: Sequence[Conversation]) -> list[Place]:
        """The tables where games are played, each with those who have a move to make there."""
        found: dict[int, tuple[list[str], dict[str, str]]] = {}
        names = {person.id: person.name for person in self.world.people}
        for game in await self.services.queries.games(status=("running",)):
            movers, seats = found.setdefault(game.channel, ([], {}))
            movers += [names[waiting.user] for waiting in await self.services.queries.waiting(game.id) if waiting.user in names
                       and names[waiting.user] not in movers]
            reader = await self.services.queries.reader(game.id)
            for holder in await self.services.queries.holders(game.id):
                if holder.user in names:
                    seats.setdefault(names[holder.user], reader.name(holder.seat))
        return [Place(conversation=one, movers=found[one.id][0], seats=found[one.id][1])
                for one in conversations if one.id in found]

    async def _lobbies(self, conversations: Sequence[Conversation]) -> list[Lobby]:
        """The conversations in which a game of one of our people is open: one for each, with the newest of its games."""
        names, out = {person.id: person.name for person in self.world.people}, {}
        for game in await self.services.queries.games(status=("open",)):
            one = next((one for one in conversations if one.id == game.channel), None)
            if one is None or game.owner not in names:
                continue
            holders = await self.services.queries.holders(game.id)
            joined = [names[holder.user] for holder in holders if holder.user in names]
            ready = len(holders) in self.services.session.spec(game.key).seats and bool(joined)
            out[one.id] = Lobby(conversation=one, host=names[game.owner], joined=joined, free=len(joined) < game.seats,
                                ready=ready)
        return list(out.values())

    async def _tried(self) -> dict[tuple[str, int], str]:
        """Return what to try first, for whom and where: only in games in which nobody has moved yet."""
        out = {}
        for one in self.tries:
            game = await self.services.queries.game(one.game)
            if (await self.services.session.table(one.game)).public_no == one.steps:
                out[one.person, game.channel] = one.words
        return out

    async def view(self, request: web.Request) -> web.StreamResponse:
        """Where a person sees a conversation."""
        wanted = await _sent(request)
        try:
            person, conversation = self.world.person(wanted["person"]), int(wanted["conversation"])
            view = await self.world.view(person, conversation, wanted.get("timezone", "UTC"))
        except (KeyError, TypeError, ValueError):
            raise web.HTTPNotFound(text="There's no such person, or this person can't read that conversation.") from None
        return web.json_response({"url": f"/talk#{view.capability}"})

    async def alone(self, request: web.Request) -> web.StreamResponse:
        """Begin a game against automatic players, for the one who looks; where it is played."""
        wanted = await _sent(request)
        try:
            person = self.world.person(wanted["person"])
            place = await begin(self.services, self.world, person, str(wanted["game"]))
        except (KeyError, Faulty):
            raise web.HTTPNotFound(text="There's no such person, or no such game for one person.") from None
        return web.json_response({"conversation": str(place.id)})

    async def time(self, request: web.Request) -> web.StreamResponse:
        """Let hours go by."""
        hours = (await _sent(request)).get("hours")
        if not isinstance(hours, int | float) or isinstance(hours, bool) or not 0 < hours <= LONGEST_SKIP:
            raise web.HTTPBadRequest(text=f"Time only goes forward, by at most {LONGEST_SKIP} hours at once.")
        try:
            await self.world.pass_time(timedelta(hours=hours))
        except TimeoutError:
            raise web.HTTPServiceUnavailable(text="The bot is busy, so the clock was stopped. Try again.") from None
        return web.json_response({"now": self.world.env.now().isoformat()})

    # -- simcord's page

    def _of_view(self, name: str) -> Handler:
        """A request of simcord's page, handed to the counter of the view that it carries the key of."""
        async def handle(request: web.Request) -> web.StreamResponse:
            view = self.world.view_of(request.headers.get(KEY, ""))
            if view is None:
                raise web.HTTPUnauthorized(text="This page is from an earlier run. Reload it.")
            answer: web.StreamResponse = await getattr(view.counter, name)(request)
            return answer
        return handle


async def _sent(request: web.Request) -> dict[str, Any]:
    """The JSON object of a request of our page; anything else is refused with a sentence."""
    try:
        body = loaded((await request.read()).decode("utf-8"))
    except ValueError:
        body = None
    if not isinstance(body, dict):
        raise web.HTTPBadRequest(text="This request isn't a JSON object.")
    return body
