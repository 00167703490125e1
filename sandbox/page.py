"""What the browser asks for: our page around, and simcord's page of each conversation inside.

One server answers for all views; each request of simcord's page carries the key of the view that it means.
"""
from __future__ import annotations

import secrets
from collections.abc import Awaitable, Callable, Sequence, Set
from datetime import timedelta
from pathlib import Path
from typing import Any

import simcord.preview
from aiohttp import web

from bot.service import Services
from engine.outside import loaded
from sandbox.world import HOST, Conversation, World

HERE = Path(__file__).parent
SIMCORD = Path(simcord.preview.__file__).parent / "static"
KEY = "X-Simcord-Capability"            # the header with the key of a view
STYLE = '<link rel="stylesheet" href="/talk.css">'
LONGEST_SKIP = 31 * 24                  # hours

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


class Page:
    """The answers to the browser's requests."""

    def __init__(self, world: World, services: Services, address: str, hints: Sequence[str]) -> None:
        """`address`: where the page is served; `hints`: lines of the card that says how to try it."""
        self.world, self.services, self.address, self.hints = world, services, address, hints
        self._run = secrets.token_hex(4)                # so that a browser sees that the sandbox was started again

    def application(self) -> web.Application:
        """All routes. Requests for another host, or from another site's page, are refused."""
        app = web.Application(middlewares=[self._only_from_here], handler_args={"handler_cancellation": False})
        app.add_routes([
            web.get("/", self.page), web.get("/talk", self.talk), web.get("/talk.css", self.style), web.get("/club", self.club),
            web.post("/view", self.view), web.post("/time", self.time),
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
        """The page around."""
        return web.FileResponse(HERE / "page.html", headers={"Cache-Control": "no-store"})

    async def talk(self, request: web.Request) -> web.StreamResponse:
        """simcord's page of one conversation, without what our page around it shows already; the view's key follows the #."""
        whole = (SIMCORD / "index.html").read_text("utf-8")
        return web.Response(text=whole.replace("</head>", f"{STYLE}</head>"), content_type="text/html")

    async def style(self, request: web.Request) -> web.StreamResponse:
        """What that page leaves out."""
        return web.FileResponse(HERE / "talk.css", headers={"Cache-Control": "no-store"})

    async def club(self, request: web.Request) -> web.StreamResponse:
        """Who is there, who is asked something and where, what can be read and how much of it, and what time it is."""
        running = await self.services.queries.games(status=("running",))
        asked = {(game.channel, waiting.user) for game in running for waiting in await self.services.queries.waiting(game.id)}
        waited_for = {user for _, user in asked}
        people = [{"name": person.name, "role": person.role, "asked": person.id in waited_for} for person in self.world.people]
        return web.json_response({
            "run": self._run, "people": people, "conversations": [self._listed(one, asked) for one in self.world.conversations()],
            "now": self.world.env.now().isoformat(), "hints": list(self.hints)})

    def _listed(self, one: Conversation, asked: Set[tuple[int, int | None]]) -> dict[str, Any]:
        return {"id": str(one.id), "kind": one.kind, "name": one.name, "count": self.world.messages(one),
                "people": [person.name for person in one.people],
                "asked": [person.name for person in one.people if (one.id, person.id) in asked]}

    async def view(self, request: web.Request) -> web.StreamResponse:
        """Where a person sees a conversation."""
        wanted = await _sent(request)
        try:
            person, conversation = self.world.person(wanted["person"]), int(wanted["conversation"])
            view = await self.world.view(person, conversation, wanted.get("timezone", "UTC"))
        except (KeyError, TypeError, ValueError):
            raise web.HTTPNotFound(text="There is no such person, or no such conversation for this person.") from None
        return web.json_response({"url": f"/talk#{view.capability}"})

    async def time(self, request: web.Request) -> web.StreamResponse:
        """Let hours go by."""
        hours = (await _sent(request)).get("hours")
        if not isinstance(hours, int | float) or isinstance(hours, bool) or not 0 < hours <= LONGEST_SKIP:
            raise web.HTTPBadRequest(text=f"Time goes forward, by at most {LONGEST_SKIP} hours at once.")
        try:
            await self.world.pass_time(timedelta(hours=hours))
        except TimeoutError:
            raise web.HTTPServiceUnavailable(text="The bot is busy for so long that the clock was stopped; try again.") from None
        return web.json_response({"now": self.world.env.now().isoformat()})

    # -- simcord's page

    def _of_view(self, name: str) -> Handler:
        """A request of simcord's page, handed to the counter of the view that it carries the key of."""
        async def handle(request: web.Request) -> web.StreamResponse:
            view = self.world.view_of(request.headers.get(KEY, ""))
            if view is None:
                raise web.HTTPUnauthorized(text="This view is of an earlier run; reload the page.")
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
        raise web.HTTPBadRequest(text="This request is no JSON object.")
    return body
