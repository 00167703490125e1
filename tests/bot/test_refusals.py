"""What Discord refuses for good: what each refusal means, and what people read instead of an incident or of nothing."""
from __future__ import annotations

import re
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import discord
import pytest
import pytest_asyncio
import yarl
from simcord.backend.errors import BackendError

from bot.discord.refusals import explained, lasting, meaning, unreachable
from bot.discord.scheduler import SIGN
from bot.store import MemberRow
from engine.kernel import Seat
from tests.bot.discord_world import World, words
from tests.bot.test_branching import all_agree
from tests.bot.test_delivery import capsules
from tests.bot.test_faults import TROUBLES
from tests.bot.test_pictures import Easel, posted
from tests.bot.test_standstills import told_of
from tests.toy import PAINTED

FULL = "Invalid Form Body\nIn parent_id: Maximum number of channels in category reached (50)"


def answer(status: int, code: int, message: str = "") -> discord.HTTPException:
    """What the library makes of a refusal."""
    kind = {403: discord.Forbidden, 404: discord.NotFound}.get(status, discord.HTTPException)
    return kind(SimpleNamespace(status=status, reason=""), {"code": code, "message": message})


@pytest.mark.parametrize(("call", "status", "code", "means"), [
    ("open a direct message", 400, 50033, "gone"), ("open a direct message", 404, 10013, "gone"),
    ("open a direct message", 400, 50007, "forbidden"), ("open a direct message", 400, 40003, "later"),
    ("write directly", 403, 50007, "forbidden"), ("write directly", 403, 50278, "forbidden"),
    ("write", 404, 10003, "gone"), ("write", 403, 50001, "forbidden"), ("write", 403, 50013, "forbidden"),
    ("write", 400, 200000, "content"), ("write", 400, 240000, "content"), ("write", 429, 20016, "later"),
    ("write", 400, 50083, "impossible"), ("write", 400, 50035, "fault"), ("write", 503, 0, "later"), ("write", 429, 0, "later"),
    ("post a picture", 400, 20009, "content"), ("post a picture", 413, 40005, "content"),
    ("change a message", 404, 10008, "gone"), ("change a message", 429, 30046, "later"), ("pin", 400, 30003, "impossible"),
    ("open a thread", 400, 160006, "impossible"), ("open a thread", 400, 200001, "content"),
    ("open a thread", 429, 20016, "later"),
    ("open a post", 400, 40067, "impossible"), ("open a post", 400, 40066, "impossible"),
    ("make a channel", 400, 30013, "impossible"), ("make a channel", 403, 50013, "forbidden"),
    ("let somebody in", 404, 10007, "gone"), ("let somebody in", 400, 30033, "impossible"),
    ("any", 401, 0, "later"), ("any", 404, 0, "fault"), ("any", 400, 0, "fault"), ("any", 403, 0, "forbidden")])
def test_the_code_of_a_refusal_says_what_it_means(call: str, status: int, code: int, means: str) -> None:
    refused = answer(status, code)
    assert meaning(refused) == means, call
    assert lasting(refused) == (means not in ("later", "fault"))
    assert unreachable(refused) == (lasting(refused) or code == 40003)
    assert (explained(refused) is not None) == (means in ("gone", "impossible", "content") or code == 20016)


def test_a_full_category_has_no_code_of_its_own_and_trouble_of_the_network_passes() -> None:
    full = answer(400, 50035, FULL)
    assert meaning(full) == "impossible" and explained(full) is not None
    assert {meaning(what()) for what in TROUBLES.values()} == {"later"} and meaning(ValueError()) == "fault"


def test_nobody_else_judges_a_refusal_by_its_kind_or_status() -> None:
    judged = re.compile(r"discord\.(Forbidden|NotFound)|\.status (<|>|==|!=)=? ?\d")
    elsewhere = {path.name: found for path in (Path(__file__).parents[2] / "bot" / "discord").rglob("*.py")
                 if (found := judged.findall(path.read_text(encoding="utf-8"))) and path.name != "refusals.py"}
    assert elsewhere.keys() == {"interaction_delivery.py"}, "that one asks whether an answer may have arrived"


# --- somebody who is gone ----------------------------------------------------------------------------------------------------

HOUR = 3600
DELETED = [(400, 50033), (404, 10013)]


async def wait(world: World, hours: float) -> None:
    """Let hours pass, in which the bot looks seldom by itself."""
    world.bot.scheduler.longest = SIGN.total_seconds()
    world.bot.outbox.pulse.change_interval(seconds=HOUR)
    await world.env.advance_time(hours * HOUR)


def unopened(world: World, status: int, code: int) -> None:
    """From now on no direct message can be opened."""
    world.env.inject_error("POST", "/users/@me/channels", status=status, code=code, message="Invalid Recipient(s)", times=None)


@pytest.mark.parametrize(("status", "code"), DELETED)
async def test_the_game_of_a_host_whose_account_is_deleted_is_looked_after(world: World, status: int, code: int) -> None:
    await world.guessed()
    await world.services.settings.set_member(world.max.id, MemberRow(pings="none"))
    await world.services.noticeboards.hang_noticeboard(world.guild.id, world.elsewhere.id, world.max.id)
    unopened(world, status, code)
    await world.store.write(lambda ledger: ledger.conn.execute("UPDATE deadlines SET since = '2020-01-01T00:00:00+00:00'"))
    await world.env.advance_time(60)
    assert any(post.startswith(world.olga.mention) and "no move for three days from Amber" in post for post in world.posts())
    await told_of(world, Seat("seat_1"))
    assert any("has stood still since" in post for post in world.posts())
    await wait(world, 2)
    assert await world.services.outbox.pending(10) == [] and capsules(world) == []
    assert not any("I couldn't deliver" in post for post in world.posts())


@pytest.mark.parametrize(("status", "code"), DELETED)
async def test_a_player_whose_account_is_deleted_costs_the_game_master_no_ping(world: World, status: int, code: int) -> None:
    unopened(world, status, code)
    await world.guessed()
    await world.olga.slash(world.table, "gm clock", limit="4h")
    await wait(world, 7.8)
    assert any(post.startswith(f"{world.alice.mention}, it's your move:") for post in world.posts())
    await world.olga.slash(world.table, "gm hand", seat="seat_2", member=world.carol)
    await wait(world, 2)
    assert await world.services.outbox.pending(10) == [] and capsules(world) == []
    assert not any("I couldn't deliver" in post for post in world.posts())


# --- a place that can't be made ---------------------------------------------------------------------------------------------

CATEGORY = "This category has as many channels as Discord allows. Delete one, or choose this channel or a new thread."
SERVER = "This server has as many channels as Discord allows. Delete one, or choose this channel or a new thread."
THREADS = "This server has as many active threads as Discord allows. Close one first."
TITLE = "This server's AutoMod blocks this title. Choose another one, or ask a moderator to allow it."
SLOW = "Slow mode keeps me from doing that here just now. Try again in a while, or choose another place."


async def opened(world: World, place: str) -> Any:
    return await world.max.slash(world.table, "game open", game="pebbles", seats=2, title="A bad word", place=place)


async def branched(world: World, place: str) -> Any:
    await all_agree(world, await world.olga.slash(world.table, "gm branch", row=2))
    shown = await world.max.slash(world.table, "gm branch", row=2, place=place)
    return await world.max.click(shown.response, label="Start it")


ASKS: dict[str, Callable[[World], Awaitable[Any]]] = {
    "a game in a thread": lambda world: opened(world, "a new thread"),
    "a game in a channel": lambda world: opened(world, "a new channel"),
    "a game in a post": lambda world: opened(world, "a forum post"),
    "a branch in a thread": lambda world: branched(world, "a new thread"),
    "a branch in a channel": lambda world: branched(world, "a new channel"),
    "table talk": lambda world: world.alice.slash(world.table, "talk thread"),
    "private talk": lambda world: world.alice.slash(world.table, "talk private", **{"with": "basalt"})}


@pytest.mark.parametrize(("what", "code", "cause"), [
    ("a game in a channel", 50035, CATEGORY), ("a branch in a channel", 50035, CATEGORY), ("a game in a channel", 30013, SERVER),
    ("a branch in a channel", 30013, SERVER), *((what, code, cause) for what in ASKS if "channel" not in what for code, cause in (
        (160006, THREADS), (200001, TITLE), (20016, SLOW)))])
async def test_a_place_that_discord_refuses_to_make_is_told_with_its_cause_and_a_way_on(
        world: World, what: str, code: int, cause: str) -> None:
    await world.guessed()
    forum = world.guild.create_forum_channel("games")
    await world.services.forums.set_forum(world.guild.id, forum.id)
    for path in (f"/guilds/{world.guild.id}/channels", "/channels/*/threads"):
        world.env.inject_error("POST", path, status=400, code=code, message=FULL if code == 50035 else "", times=None)
    games = len(await world.services.queries.games())
    assert words(await ASKS[what](world)) == cause
    assert len(await world.services.queries.games()) == games and capsules(world) == []
    assert await world.services.outbox.pending(10) == []


# --- a picture that Discord doesn't take ------------------------------------------------------------------------------------

class Explicit:
    """Discord takes all pictures in these requests for explicit content."""

    def __init__(self, world: World, method: str, path: str) -> None:
        self.method, self.path, self.times, carry = method, re.compile(path), 0, world.line.carry

        def refusing(method: str, path: str, said: Any, dispatch: Callable[..., Any], **rest: Any) -> Any:
            if method == self.method and self.path.fullmatch(path) and rest.get("files"):
                self.times += 1
                raise BackendError(400, 20009, "Explicit content cannot be sent to the desired recipient(s)")
            return carry(method, path, said, dispatch, **rest)

        world.line.carry = refusing


@pytest_asyncio.fixture
async def gallery(tmp_path: Path) -> AsyncIterator[World]:
    """The club, with a painter."""
    async with World.at(tmp_path / "games.db", (PAINTED,), draw=Easel()) as world:
        yield world


@pytest.mark.parametrize("first", ["PATCH", "POST"])
async def test_pictures_that_discord_takes_for_explicit_are_told_in_words_at_once(gallery: World, first: str) -> None:
    """In the message of the turn, which is changed, or in one of their own."""
    await gallery.guessed()
    if first == "POST":
        gallery.forbid(gallery.table, "read_message_history")
    refused = Explicit(gallery, first, rf"/channels/{gallery.table.id}/messages.*")
    await gallery.alice.slash(gallery.table, "pebbles take", pebbles=2)
    assert refused.times and posted(gallery) == [["board.png"]]
    assert gallery.posts()[-3:-1] == ["```\nA picture of Hand(seat='seat_1', taken=2, before=0).\n```", "```\nheap 10\n```"]
    assert await gallery.services.outbox.pending(10) == [] and capsules(gallery) == []


@pytest.mark.parametrize(("method", "options"), [("PATCH", {}), ("POST", {"share": True})])
async def test_a_reply_has_the_words_of_a_picture_that_discord_takes_for_explicit(
        gallery: World, method: str, options: dict[str, Any]) -> None:
    await gallery.guessed()
    refused = Explicit(gallery, method, r"/webhooks/.*")
    shown = await gallery.alice.slash(gallery.table, "game map", **options)
    assert refused.times == 1 and capsules(gallery) == []
    said = shown.followups[-1].content if options else words(shown)
    assert said.startswith("Pebbles: Board\nA picture of") and "heap=12" in said


# --- a server of which the bot is no member ----------------------------------------------------------------------------------

async def test_where_only_its_commands_were_invited_no_game_is_opened_that_cannot_speak(world: World) -> None:
    panel = await world.olga.slash(world.table, "game open")
    guild = world.bot.get_guild(world.guild.id)
    world.bot._connection._remove_guild(guild)
    world.env.inject_error("GET", f"/guilds/{guild.id}", status=403, code=50001, message="Missing Access", times=3)
    pressed = await world.olga.select(panel.response, ["2"])
    for said in map(words, (await world.opened(), await world.olga.slash(world.table, "game open"), pressed)):
        told, _, link = said.partition("invite me: ")
        assert told.startswith("My commands are on this server, but I'm not a member of it, so I can't post a game here.")
        query = yarl.URL(link.strip("<>")).query
        assert query["scope"] == "bot applications.commands" and query["guild_id"] == str(guild.id)
        assert discord.Permissions(int(query["permissions"])).send_messages
    assert await world.services.queries.games() == [] and capsules(world) == []
    assert "is open in" in words(await world.opened()), "another process of the bot may have the server"
