"""Who may do what: every command and every button asks the server and the file, and no message is anybody's word.

Everything that is registered is tried by those who must not: somebody without a seat, another seat, a member of another
server, an ordinary member where a game master is wanted. Nothing changes, there is one sentence, and it tells no secret.
"""
from __future__ import annotations

import inspect
import logging
import re
import tomllib
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path
from typing import Any, cast

import discord
import pytest
from discord import app_commands

from bot.discord import components
from bot.discord.client import commands, make_bot
from bot.discord.components import AnyRoute, button, view
from bot.operator import config
from engine.catalog import GAMES
from engine.refusals import Refusal
from tests.bot.discord_world import World, words
from tests.often_said import NO_GAME_HERE
from tests.toy import PEBBLES

commands(GAMES)             # whoever makes the commands has registered all buttons

OWN_AFFAIRS = {"cancel", "untip", "join", "learn", "noted", "teach", "unteach", "reteach"}
"""What anybody may press for themselves: a note is the own one of whoever sees the board."""
LESSONS = {"learn", "teach", "unteach", "reteach"}              # about a kind of game, by its key
MASTERS = {"gone", "gonevote", "goneshow", "guestinvite", "guestremove", "guestonly", "newcomers", "letin", "turndown",
           "seatsof", "seatput", "seattake", "seatfollow",
           "rollback", "askbranch", "branch", "care", "close",
           "askclose", "freeup", "stopgap", "more", "setpress", "setveil", "posting",
           "setposting", "language", "setlanguage", "gamesforum", "talkchannel", "noforum"}
SPECIAL = {("newcomers", "who"): "asked", ("seatput", "who"): "forsolid", ("seatfollow", "who"): "solid",
           ("deskform", "what"): "number", ("desktype", "what"): "number", ("ballot", "choice"): "yes",
           ("goneshow", "what"): "drop", ("settings", "page"): "me", ("rehearsed", "choice"): "here"}
"""What some of them say where others say something else."""
FREE = {"game open", "game join", "game teach",                 # commands for everybody, which begin something,
        "chancery health", "chancery backup"}                   # and those that members aren't even shown
TYPED = {"for": "me", "wanted": "pebbles", "what": "board", "message": "Hello.",
         "words": "Hello.", "theme": "dark"}
SAMPLES = {"game": "1", "seat": "seat_1", "asked_at": "0", "newest": "1", "page": "1", "what": "pause", "no": "1", "id": "1",
           "key": "board", "path": "give", "to": "0", "fresh": "0", "held": "101", "why": "-", "kind": "standing", "verb": "-",
           "on": "1", "pings": "all", "nudges": "daily", "here": "daily",
           "theme": "dark", "whom": "me", "whose": "game", "allowed": "none", "minutes": "30",
           "clock": "24", "vacation": "5", "extensions": "1", "role": "1", "promise": "kept", "request": "1", "words": "Hello.",
           "amount": "3", "typed": "3", "value": "1", "step": "1", "lasts": "always", "up": "1", "paused": "1", "since": "0",
           "posting": "rounds", "code": "de", "until": "1", "lesson": "none",
           "hour": "8", "zone": "Europe/Rome", "wake": "8", "sleep": "22", "edition": "first",
           "wanted": "1"}


def facts(name: str) -> list[str]:
    """A value for everything that a custom id of this name says, and for what a select or a form adds to it."""
    parameters = list(inspect.signature(components._registered[name].handler).parameters)[1:]
    return [SPECIAL.get((name, parameter)) or SAMPLES.get(parameter, "1") for parameter in parameters]


async def state(world: World) -> dict[str, Any]:
    """All that is stored of games; how somebody is called, and when he came, is no right."""
    def read(ledger: Any) -> dict[str, Any]:
        tables = [name for (name,) in ledger.conn.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")]
        return {name: ledger.conn.execute(f"SELECT * FROM {name}").fetchall() for name in tables
                if name not in ("visits", "looks", "drafts", "outbox", "messages", "members", "health", "lessons")}
    return await world.store.read(read)


@pytest.fixture
async def tried(world: World) -> World:
    """A game with a guess of Alice that nobody else may know, and a message for Alice alone."""
    await world.guessed()
    await world.bob.slash(world.table, "talk say", to="seat_1", message="Between us: plums.")
    return world


async def pressed(world: World, person: Any, channel: Any, name: str) -> str:
    """What somebody is told who presses a button that says this, as if the bot had posted it there."""
    items = view([button("x", AnyRoute(name), *facts(name))])
    assert items is not None
    posted = await world.bot.get_partial_messageable(channel.id).send("-", view=items)
    result = await person.click(posted, custom_id=AnyRoute(name).custom_id(*facts(name)))
    return str(result.modal) if result.modal is not None else words(result)


def fault(told: str) -> bool:
    """Whether somebody who has nothing to do with it was told a secret, or of a fault of the bot."""
    return any(secret in told for secret in ("plums", "guess: 3", "guessed 3", "went wrong")) or not told.strip()


async def test_buttons_of_a_game_do_nothing_for_who_has_no_seat(tried: World) -> None:
    wrong = {}
    for name in sorted(set(components._registered) - OWN_AFFAIRS):
        before = await state(tried)
        told = await pressed(tried, tried.carol, tried.table, name)
        if fault(told) or await state(tried) != before:
            wrong[name] = told
    assert wrong == {}


async def test_buttons_of_a_seat_tell_another_seat_nothing(tried: World) -> None:
    wrong = {}
    for name, known in sorted(components._registered.items()):
        seated = "seat" in inspect.signature(known.handler).parameters
        before = await state(tried)
        told = await pressed(tried, tried.bob, tried.table, name) if seated else "-"
        if fault(told) or await state(tried) != before:
            wrong[name] = told
    assert wrong == {}


async def test_buttons_of_the_game_master_do_nothing_for_a_player(tried: World) -> None:
    before = await state(tried)
    for name in sorted(MASTERS):
        told = await pressed(tried, tried.bob, tried.table, name)
        assert "game master" in told or "manage this server" in told, (name, told)
    assert await state(tried) == before


async def test_a_button_means_nothing_to_another_server(tried: World) -> None:
    guild = tried.env.create_guild("Elsewhere")
    stranger, there = guild.add_member(tried.env.create_user("zoe")), guild.create_text_channel("far")
    before, tried_out = await state(tried), 0
    for name, known in sorted(components._registered.items()):
        if known.game is not None and name not in LESSONS:
            told = await pressed(tried, stranger, there, name)
            assert told == UNSEEN, name
            tried_out += 1
    assert tried_out > 60 and await state(tried) == before


def every_command() -> Iterator[app_commands.Command[Any, ..., Any]]:
    """All commands, without their groups."""
    for command in commands((PEBBLES,)):
        yield from command.walk_commands() if isinstance(command, app_commands.Group) else [command]


async def typed(world: World, person: Any, channel: Any, command: app_commands.Command[Any, ..., Any]) -> str:
    """What somebody is told who types a command about game 1."""
    given: dict[str, Any] = {}
    for option in command.parameters:
        if option.name == "game" and command.qualified_name != "game open":
            given["game"] = "1"
        elif option.required:
            kind, a_word = discord.AppCommandOptionType, "2026-06-01" if command.qualified_name == "clock vacation" else "seat_1"
            by_kind = {kind.integer: 1, kind.user: person, kind.channel: channel, kind.attachment: ("record.jsonl", b"{}")}
            given[option.display_name] = (option.choices[0].value if option.choices else
                                          TYPED.get(option.display_name, by_kind.get(option.type, a_word)))
    return words(await person.slash(channel, command.qualified_name, **given))


async def test_commands_do_nothing_for_who_has_no_seat(tried: World) -> None:
    wrong = {}
    for command in every_command():
        if command.qualified_name in FREE:
            continue
        before = await state(tried)
        told = await typed(tried, tried.carol, tried.table, command)
        if fault(told) or await state(tried) != before:
            wrong[command.qualified_name] = told
    assert wrong == {}


async def test_commands_of_the_game_master_do_nothing_for_a_player(tried: World) -> None:
    before = await state(tried)
    for command in every_command():
        if command.qualified_name.startswith("gm ") and command.qualified_name != "gm audit":      # which all players may read
            told = await typed(tried, tried.bob, tried.table, command)
            assert "game master" in told or "manage this server" in told, (command.qualified_name, told)
    assert await state(tried) == before


async def test_commands_mean_nothing_to_another_server(tried: World) -> None:
    guild = tried.env.create_guild("Elsewhere")
    stranger, there = guild.add_member(tried.env.create_user("zoe")), guild.create_text_channel("far")
    before, tried_out = await state(tried), 0
    for command in every_command():
        if any(option.name == "game" for option in command.parameters) and command.qualified_name != "game open":
            told = await typed(tried, stranger, there, command)
            assert told.startswith(NO_GAME_HERE), (command.qualified_name, told)
            tried_out += 1
    assert tried_out > 40 and await state(tried) == before


# --- who sees a game ------------------------------------------------------------------------------------------------------

UNSEEN = "There is no game number 1 here. /game list shows the games there are."


@pytest.fixture
async def hidden(tried: World) -> World:
    """The same game; neither Carol nor Alice, who plays, can see its channel any more, and Max has never been able to."""
    tried.hide(tried.table, tried.alice, tried.carol, tried.max)
    return tried


async def offered(world: World, person: Any, name: str, option: str, **given: Any) -> list[Any]:
    """What somebody who types an option elsewhere is offered."""
    return [choice["value"] for choice in await person.autocomplete(world.elsewhere, name, option, "", **given)]


async def test_no_command_knows_a_game_whose_channel_somebody_does_not_see(hidden: World) -> None:
    before, tried_out = await state(hidden), 0
    for command in every_command():
        if command.qualified_name == "game open" or not any(option.name == "game" for option in command.parameters):
            continue
        told = await typed(hidden, hidden.carol, hidden.elsewhere, command)
        assert told.startswith(NO_GAME_HERE), (command.qualified_name, told)
        assert await offered(hidden, hidden.carol, command.qualified_name, "game") == [], command.qualified_name
        for option in command.parameters:
            if option.autocomplete and option.name != "game":
                here, nowhere = [await offered(hidden, hidden.carol, command.qualified_name, option.display_name, game=game)
                                 for game in ("1", "999")]
                assert here == nowhere, (command.qualified_name, option.name)
        tried_out += 1
    assert tried_out > 40 and await state(hidden) == before
    assert words(await hidden.carol.slash(hidden.elsewhere, "game list")).startswith("No game is being played here.")
    assert words(await hidden.carol.slash(hidden.elsewhere, "game status", game="Pebbles")).startswith("There is no game Pebbles")


async def test_no_button_knows_a_game_whose_channel_somebody_does_not_see(hidden: World) -> None:
    before, tried_out = await state(hidden), 0
    for name, known in sorted(components._registered.items()):
        if known.game is not None and name not in LESSONS:
            assert await pressed(hidden, hidden.carol, hidden.elsewhere, name) == UNSEEN, name
            tried_out += 1
    assert tried_out > 60 and await state(hidden) == before


def test_every_other_button_means_no_game_that_is_played() -> None:
    """The number of a game is looked at before the press is, if the handler calls it `game`."""
    assert {name for name, known in components._registered.items() if known.game is None} == {
        *LESSONS, "awayall", "awaygames", "awayuntil", "awayhow", "awaynow", "cancel", "wishes", "untip",
        "games", "mygames", "open", "openalone", "opengame", "openedition", "openseats", "openhere", "provof", "rules",
        "boarddown", "boardhere", "boardin", "boardweek", "noticeboard", "forum", "gamesforum", "talkchannel", "noforum",
        "callrole", "callrolepick", "callrolenone", "wishgame", "wishseats", "wishdrop",
        "ranking", "rankingof", "figures", "listed", "notes", "noteplace", "notedrop",
        "myexport", "myforget"}


async def test_a_seat_or_the_right_to_manage_the_server_shows_a_game_whose_channel_is_hidden(hidden: World) -> None:
    for person in (hidden.alice, hidden.max, hidden.olga):
        assert await offered(hidden, person, "game status", "game") == ["1"]
        assert "heap" in words(await person.slash(hidden.elsewhere, "game status", game="1"))
        assert "1 · Pebbles" in words(await person.slash(hidden.elsewhere, "game list"))
    assert "heap" in words(await hidden.alice.user.slash("game status", game="1")), "in a direct message, too"
    assert words(await hidden.carol.user.slash("game status", game="1")).startswith(NO_GAME_HERE)


async def test_who_sees_the_channel_sees_the_game_from_every_other_channel(tried: World) -> None:
    assert "heap" in words(await tried.carol.slash(tried.elsewhere, "game status", game="1"))
    assert await offered(tried, tried.carol, "game map", "game") == ["1"]


async def test_a_picture_is_posted_only_where_everybody_sees_the_game(tried: World) -> None:
    told = words(await tried.alice.slash(tried.elsewhere, "game text", game="1"))
    assert "heap 12" in told
    closed = tried.guild.create_text_channel("closed", overwrites={
        tried.guild.default_role: discord.PermissionOverwrite(view_channel=False),
        tried.env.bot.user: discord.PermissionOverwrite(view_channel=True),
        tried.alice: discord.PermissionOverwrite(view_channel=True), tried.olga: discord.PermissionOverwrite(view_channel=True)})
    await tried.olga.slash(tried.table, "gm move", channel=closed)
    before = tried.posts(tried.elsewhere)
    assert words(await tried.alice.slash(tried.elsewhere, "game map", game="1", share=True)) == (
        f"Not everybody here can see this game. Share its pictures where it is played, in <#{closed.id}>.")
    assert tried.posts(tried.elsewhere) == before
    assert words(await tried.alice.slash(closed, "game map", share=True)) == "Here it is, for everybody."


async def test_an_archived_thread_hides_a_game_from_nobody_who_sees_its_channel(world: World) -> None:
    await world.opened(place="a new thread", title="Friday")
    (thread,) = world.table.threads
    world.env.backend.edit_channel(thread.id, {}, thread_metadata={"archived": True})
    assert await offered(world, world.alice, "game join", "game") == [], "while she types, Discord is not asked"
    assert words(await world.alice.slash(world.elsewhere, "game join", game="1")).startswith("You joined Friday.")
    assert await offered(world, world.bob, "game join", "game") == ["1"]


# --- no more than is needed -----------------------------------------------------------------------------------------------

def test_the_bot_listens_to_servers_and_to_its_own_direct_messages_only(tmp_path: Path) -> None:
    """What players say to each other is not for it to read [SOE-16.1.8]."""
    asked = {name for name, wanted in make_bot(cast(Any, None)).intents if wanted}
    assert asked == {"guilds", "dm_messages"}
    assert not {"members", "presences", "message_content"} & asked, "privileged"


async def test_no_command_pings_anybody_by_what_somebody_typed(world: World) -> None:
    assert world.bot.allowed_mentions.to_dict() == {"parse": []}


def test_every_dependency_is_pinned_to_one_version_and_is_the_one_that_is_tested() -> None:
    """What runs is what was read and tried: nothing newer comes in by itself. `make lint` asks pip whether it fits together."""
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = [*project["dependencies"], *(one for group in project["optional-dependencies"].values() for one in group)]
    pins = [re.fullmatch(r"([A-Za-z0-9.-]+)==([0-9.]+)", one) for one in wanted]
    assert all(pins), [one for one, pin in zip(wanted, pins) if not pin]
    browser = project["optional-dependencies"]["browser"]                      # `make browser` alone needs it
    used = {pin[1]: pin[2] for pin in pins if pin and pin[0] not in browser}
    assert used == {name: metadata.version(name) for name in used}


# --- what people write ---------------------------------------------------------------------------------------------------

HOSTILE = "@everyone <@&1> **x** [a](http://b.c) \u202egnp.exe Z\u0351\u036b\u0343\u036a\u0302\u036b\u033d" + "\U0001f600" * 30


def harmless(shown: str) -> bool:
    """Whether words of somebody neither call anybody nor format, turn a line around or pile up."""
    return ("\u202e" not in shown and re.search(r"(?<!\\)\*\*x\*\*", shown) is None and re.search(r"(?<!\\)<@&1>", shown) is None
            and "@everyone" not in shown and re.search(r"[\u0300-\u036f]{5}", shown) is None)


async def test_what_people_write_calls_nobody_and_formats_nothing(world: World) -> None:
    await world.opened(title=HOSTILE[:60])
    for player in (world.alice, world.bob):
        await player.slash(world.table, "game join")
    await world.olga.slash(world.table, "game start")
    await world.alice.slash(world.table, "talk say", to="all", message=HOSTILE)
    await world.alice.slash(world.table, "talk say", to="seat_2", message=HOSTILE)
    await world.alice.slash(world.table, "talk promise", to="seat_2", words=HOSTILE)
    replies = [words(await world.bob.slash(world.table, name)) for name in (
        "talk read", "game status", "game list", "game history", "game map", "clock show", "orders list",
        "game check", "my since", "my move")]
    close = await world.olga.slash(world.table, "gm close", why=HOSTILE[:50])
    await world.olga.click(close.response, label="Close the game")
    replies += [words(await world.olga.slash(world.table, "gm audit", game="1"))]
    shown = [*replies, *world.posts(), *world.letters(world.alice), *world.letters(world.bob)]
    assert [words for words in shown if not harmless(words)] == []


async def test_what_somebody_typed_in_vain_is_quoted_to_nobody_else(world: World) -> None:
    """A refusal may quote what was typed, to who typed it; it pings nobody."""
    await world.guessed()
    before = world.posts()
    for name, given in (("game show", {"what": HOSTILE}), ("game status", {"game": HOSTILE}), ("game rules", {"wanted": HOSTILE}),
                        ("game legal", {"verb": HOSTILE}), ("talk say", {"to": HOSTILE, "message": "x"}),
                        ("my away", {"until": HOSTILE}), ("orders add", {"question": HOSTILE}),
                        ("settings", {"time_zone": HOSTILE})):
        assert words(await world.bob.slash(world.table, name, **given))
    replies = [request.json for request in world.env.http_requests
               if request.path.endswith("@original") and "content" in (request.json or {})]
    assert replies and all(reply["allowed_mentions"] == {"parse": []} for reply in replies)
    assert world.posts() == before


# --- what is never written down ---------------------------------------------------------------------------------------------

TOKEN = "MTk4NjIyNDgzNDcxOTI1MjQ4.Cl2FMQ.ZnCjm1XVW7vRze4b7Cq4se7kKWs"


def test_the_token_is_in_no_repr_and_no_sentence(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("DISCORD_TOKEN", TOKEN)
    settings = config.read(tmp_path / ".env")
    assert TOKEN not in f"{settings!r} {settings} {settings.model_dump()} {settings.model_dump_json()}"
    monkeypatch.setenv("DISCORD_TOKEN", f"{TOKEN} {TOKEN}")
    with pytest.raises(Refusal) as refused:
        config.read(tmp_path / ".env")
    assert TOKEN not in f"{refused.value} {refused.value!r}"


LAYERS = ("bot.core.session.Session.loaded", "bot.store.Store.write", "bot.discord.game.position.screen",
          "bot.discord.game.action_commands.visit_meant",
          "engine.kernel.Table.answer", "bot.core.session.after", "bot.discord.pictures.Gallery._paint")


@pytest.mark.parametrize("layer", LAYERS)
async def test_an_error_in_any_layer_tells_no_secret(tried: World, monkeypatch: pytest.MonkeyPatch,
                                                     caplog: pytest.LogCaptureFixture, layer: str) -> None:
    """Whatever goes wrong quotes a secret: the log says where it happened, and people that something did."""
    def breaks(*args: Any, **more: Any) -> Any:
        own_secret = f"Your guess: 3 {TOKEN}"
        raise ValueError(own_secret)

    caplog.set_level(logging.DEBUG, "bot")
    monkeypatch.setattr(layer, breaks)
    told = [words(await person.slash(tried.table, name, **given)) for person in (tried.alice, tried.bob) for name, given in (
        ("pebbles take", {"pebbles": 1}), ("my move", {}), ("game map", {}), ("game status", {}))]
    monkeypatch.undo()
    assert TOKEN not in caplog.text and "Your guess: 3 " not in caplog.text
    assert not any(TOKEN in words for words in told)
    assert "ValueError" in caplog.text, f"{layer} did not break"
    tried.env._errors_acknowledged = len(tried.env.errors)
