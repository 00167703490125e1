"""/game, as members see it."""
from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import discord
import pytest
import pytest_asyncio
from discord import SelectOption

from bot.discord.components import AnyRoute, select, view
from bot.discord.game.status import standing
from bot.discord.lobby.open_game import in_brief, lobby_ways, rights
from bot.domain.absence import ReplacementRules
from bot.domain.deadlines import read
from engine.catalog import GAMES
from engine.options import every, offered
from engine.text import say
from tests.bot.discord_world import World, custom_ids, labels, options, words
from tests.bot.visiting import lobby
from tests.checks.taps import phone_lines
from tests.often_said import FOR_MASTERS, NO_PACK
from tests.toy import PEBBLES

HOSTS = "Only {} can start this game, or a game master of this server."


async def refused(world: World, who: Any, command: str, sentence: str, **given: object) -> None:
    """One sentence, for the caller alone, and no game is another one afterwards."""
    before, posts = await world.services.queries.games(guild=world.guild.id), world.posts()
    assert words(await who.slash(world.table, command, **given)) == sentence
    assert (await world.services.queries.games(guild=world.guild.id), world.posts()) == (before, posts)


# --- open ---------------------------------------------------------------------------------------------------

async def test_a_game_is_opened_joined_and_started(world: World) -> None:
    opened = await world.opened()
    assert words(opened) == (f"Game 1, Pebbles, is open in <#{world.table.id}>. You're its host and game master. "
                             "Want to play too? Join.")
    assert labels(world.table.last_message) == labels(opened.response) == ["Join", "Options", "Who can join and see"]
    assert words(await world.alice.click(world.table.last_message, label="Join")).startswith("You joined Pebbles.")
    await world.bob.slash(world.table, "game join")
    assert words(await world.olga.slash(world.table, "game start")) == "Pebbles has started."
    assert any("How many will you have?" in post for post in world.posts())


async def test_what_the_host_was_told_stays_true(world: World) -> None:
    opened = await world.opened()
    await world.alice.click(world.table.last_message, label="Join")
    await world.bob.click(world.table.history()[0], label="Join")
    assert "Join" not in labels(opened.response) and "Start" in labels(opened.response)
    assert words(opened).endswith("All seats are taken.")
    await world.bob.click(world.table.history()[0], label="Leave")
    assert "Join" in labels(opened.response) and words(opened).endswith("Want to play too? Join.")
    shown = await world.olga.click(opened.response, label="Options")
    before = words(shown)
    await world.bob.click(world.table.history()[0], label="Join")
    assert words(shown) == before, "it says something else now"


async def test_a_game_can_have_a_thread_of_its_own(world: World) -> None:
    await world.opened(title="Friday night", place="a new thread")
    (thread,) = world.table.threads
    assert thread.name == "Friday night" and "**Friday night**" in thread.last_message.content
    assert words(await world.alice.slash(thread, "game join")).startswith("You joined Friday night.")
    assert words(await world.alice.slash(world.table, "game leave")).endswith(f"Friday night (game 1) in <#{thread.id}>.")


async def test_a_thread_that_cannot_be_opened(world: World) -> None:
    world.env.inject_error("POST", f"/channels/{world.table.id}/threads", status=403, code=50013)
    said = words(await world.opened(place="a new thread"))
    assert "Create Public Threads" in said
    assert await world.services.queries.games(guild=world.guild.id) == []
    assert len(world.env.errors) == 1


async def test_a_game_that_was_opened_is_told_without_another_look_at_the_reply(world: World) -> None:
    world.env.inject_error("GET", "/webhooks/*", status=404, code=10008, times=None)
    opened = await world.opened()
    assert words(opened).startswith("Game 1, Pebbles, is open in")
    for who in (world.alice, world.bob):
        await who.slash(world.table, "game join")
    assert opened.response.content.endswith("All seats are taken."), "it keeps up with the game"


async def test_a_refused_game_leaves_no_thread_behind(world: World) -> None:
    assert "can't have 9 seats" in words(await world.opened(9, place="a new thread"))
    assert world.table.threads == []


async def test_a_channel_that_the_bot_cannot_write_to(world: World) -> None:
    silent = world.guild.create_text_channel("silent", overwrites={
        world.bot.user: discord.PermissionOverwrite(send_messages=False)})
    said = words(await world.olga.slash(silent, "game open", game="pebbles", seats=2))
    assert said.startswith("Game 1, Pebbles, is open")
    assert [line.split(":")[0] for line in said.splitlines()[1:]] == ["I'm missing permissions there", "- **Send Messages**"]
    assert "Send Messages" in world.letters(world.olga)[0]


@pytest.mark.parametrize("given, sentence", [
    ({"seats": 9}, "Pebbles is for 2 to 4 players, so it can't have 9 seats."),
    ({"seats": 2, "edition": "golden"}, "Pebbles has no edition golden. Choose among: plain."),
    ({"seats": 2, "data": ("pack.json", b"{")}, NO_PACK),
    ({"seats": 2, "data": ("pack.json", b"\xff\xfe")}, "This file isn't text."),
    ({"seats": 2, "data": ("pack.json", b'{"cards": [{"cost": 1}]}')}, "Data pack, cards: there is no such list."),
    ({"seats": 2, "data": ("pack.json", b" " * 300_000)}, "This file is 292 kB. It can be 256 kB at most.")])
async def test_a_game_that_cannot_be_opened(world: World, given: dict[str, Any], sentence: str) -> None:
    await refused(world, world.olga, "game open", sentence, game="pebbles", **given)


async def test_a_game_that_nobody_knows(world: World) -> None:
    await refused(world, world.olga, "game open", "There is no game of that name. Choose among: Pebbles.", game="chess", seats=2)


async def test_games_and_editions_are_offered_by_name(world: World) -> None:
    assert await world.olga.autocomplete(world.table, "game open", "game", "PEB") == [{"name": "Pebbles", "value": "pebbles"}]
    assert await world.olga.autocomplete(world.table, "game open", "edition", "", game="pebbles") == [
        {"name": "Plain", "value": "plain"}]
    assert await world.olga.autocomplete(world.table, "game open", "edition", "", game="chess") == []


# --- join, leave, start ---------------------------------------------------------------------------------------

async def test_a_seat_is_taken_once_and_given_back(world: World) -> None:
    await world.opened()
    await world.alice.slash(world.table, "game join")
    await refused(world, world.alice, "game join", "You've already joined this game.")
    await world.bob.slash(world.table, "game join")
    await refused(world, world.carol, "game join", "All 2 seats are taken.")
    assert words(await world.alice.click(world.table.history()[0], label="Leave")) == "You left Pebbles."
    assert world.letters(world.alice) == ["**Pebbles** (game 1): You left this game."]
    await refused(world, world.alice, "game leave", "You haven't joined this game.")
    assert [holder.user for holder in await world.services.queries.holders(1)] == [world.bob.id]


async def test_a_game_is_played_by_taps_from_the_lobby_on(world: World) -> None:
    opened = await world.olga.slash(world.table, "game open", game="pebbles", seats=3)
    assert words(await world.olga.click(opened.response, label="Join")).startswith("You joined Pebbles.")
    lobby = world.table.history()[0]
    assert "1 of 3 seats taken" in lobby.content and "Start" not in labels(lobby)
    await world.alice.click(lobby, label="Join")
    lobby = world.table.history()[0]
    assert labels(lobby) == ["Join", "Start", "Leave", "Options", "Who can join and see"], "two are enough for this game"
    for who in (world.alice, world.bob):
        assert words(await who.click(lobby, label="Start")) == HOSTS.format(world.olga.mention)
    assert (await world.services.queries.game(1)).status == "open"
    await world.olga.click(lobby, label="Start")
    assert (await world.services.queries.game(1)).status == "running"
    assert not {"Join", "Leave", "Start", "Options"} & {label for message in world.table.history() for label in labels(message)}


async def test_the_host_is_called_once_when_all_seats_are_taken(world: World) -> None:
    await world.opened()
    await world.alice.slash(world.table, "game join")
    assert len(world.table.history()) == 1, "who joins is told in the one message"
    await world.bob.slash(world.table, "game join")
    lobby, call = world.table.history()
    assert call.content == f"{world.olga.mention}, all seats are taken: you can start Pebbles." and labels(call) == ["Start"]
    assert "Join" not in labels(lobby) and f"Host: {world.olga.mention}. No clock." in lobby.content
    await world.bob.click(lobby, label="Leave")
    _, call = world.table.history()
    assert call.content == f"1 of 2 seats taken: {world.alice.mention}." and labels(call) == []
    await world.carol.click(world.table.history()[0], label="Join")
    calls = [request.json for request in world.env.http_requests if request.method == "POST" and isinstance(request.json, dict)
             and (request.json.get("allowed_mentions") or {}).get("users")]
    assert [one["allowed_mentions"]["users"] for one in calls] == [[world.olga.id]], "once, however often seats are taken"
    await world.restart()
    await world.olga.click(world.table.history()[1], label="Start")
    assert not any("all seats are taken" in post for post in world.posts()), "it is done with"


async def test_the_clock_of_a_lobby_is_chosen_by_a_tap_and_says_what_it_means(world: World) -> None:
    await world.opened()
    lobby = world.table.history()[0]
    async def clock(who: Any) -> Any:
        return (await who.click((await who.click(lobby, label="Options")).response, label="Clock")).response

    panel = await clock(world.olga)
    assert options(panel)["A day"] == "24h" and "No clock" in options(panel)
    rows = [row if isinstance(row, dict) else row.to_dict() for row in panel.components]
    told = {option["label"]: option["description"] for option in rows[0]["components"][0]["options"]}
    assert told["No clock"] == "No deadline: the game waits for everybody"
    assert all(not meaning.endswith("…") for meaning in told.values())
    assert options(await clock(world.alice)) == {}, "others read it"
    await world.olga.select(panel, ["24h"])
    assert (await world.services.clocks.clock(1)).clock.written() == "24h"
    assert f"Host: {world.olga.mention}. Clock: 24 hours." in world.table.history()[0].content
    forged = view([select([SelectOption(label="No clock", value="none")], AnyRoute("clockset"), 1)])
    posted = await world.bot.get_partial_messageable(world.table.id).send("-", view=forged)
    assert words(await world.alice.select(posted, ["none"])).startswith(FOR_MASTERS)
    assert (await world.services.clocks.clock(1)).clock.written() == "24h"


async def test_the_channel_learns_of_a_game_in_a_thread_and_how_to_join_it(world: World) -> None:
    await world.opened(place="a new thread")
    (thread,) = world.table.threads
    (invitation,) = [message for message in world.table.history() if labels(message)]
    assert invitation.content == f"**Pebbles** (game 1), Plain, is open in <#{thread.id}>. 0 of 2 seats taken."
    for who in (world.alice, world.bob):
        await who.click(invitation, label="Join")
        (invitation,) = [message for message in world.table.history() if "(game 1)" in message.content]
    assert f"2 of 2 seats taken: {world.alice.mention} and {world.bob.mention}." in invitation.content
    assert labels(invitation) == []
    await world.restart()
    await world.olga.slash(thread, "game start")
    (invitation,) = [message for message in world.table.history() if "(game 1)" in message.content]
    assert invitation.content == f"**Pebbles** (game 1) has started in <#{thread.id}>."


async def test_a_channel_in_which_nobody_can_be_invited_holds_nothing_up(world: World) -> None:
    world.env.inject_error("POST", f"/channels/{world.table.id}/messages", status=403, code=50013, times=None)
    await world.opened(place="a new thread")
    (thread,) = world.table.threads
    await world.alice.slash(thread, "game join")
    assert "1 of 2 seats taken" in thread.history()[0].content
    assert await world.services.outbox.pending(10) == [] and world.letters(world.olga) == []


async def test_two_take_the_last_seat_at_the_same_moment(world: World) -> None:
    await world.opened()
    await world.alice.slash(world.table, "game join")
    async with world.together():
        await world.bob.slash(world.table, "game join")
        late = await world.carol.slash(world.table, "game join")
    assert words(late) == "All 2 seats are taken."


async def test_a_game_starts_with_enough_players_and_by_those_it_concerns(world: World) -> None:
    await world.opened()
    await world.alice.slash(world.table, "game join")
    await refused(world, world.carol, "game start", HOSTS.format(world.olga.mention))
    await refused(world, world.olga, "game start", "Pebbles needs 2 to 4 players; 1 has joined so far.")
    await world.bob.slash(world.table, "game join")
    await refused(world, world.bob, "game start", HOSTS.format(world.olga.mention))
    assert words(await world.max.slash(world.table, "game start")) == "Pebbles has started."
    await refused(world, world.olga, "game start", "The game has already started. `/table seats` shows free seats. "
                  "If you play, you can resign.")


async def test_join_means_the_open_game_where_another_is_played(world: World) -> None:
    await world.guessed()
    await world.opened(title="Next")
    assert words(await world.alice.slash(world.table, "game join")).startswith("You joined Next.")


@pytest.mark.parametrize("spec", GAMES, ids=lambda spec: spec.key)
def test_an_open_game_is_told_in_eight_lines_of_a_phone_and_who_joins_reads_three(spec: Any) -> None:
    """With a long title, all seats taken, a clock, an invitation and more changes than have room, too."""
    brief = [say(line) for line in in_brief(lobby(spec, 900))]
    assert len(brief) == 3 and all(phone_lines(line) == 1 for line in brief), brief
    changed = {choice.key: offered(spec)[choice.key][1] for choice in every(spec) if choice.key in ("coach.hints", "dice.by")}
    full = lobby(spec, *range(10**17, 10**17 + spec.seats[-1]), title="The long war of four crowns", options=changed,
                 clock=read("24h"), invite_only=True)
    plain, told = [say(standing(visit, datetime.now(UTC))) for visit in (lobby(spec), full)]
    assert phone_lines(plain) <= 5 and phone_lines(told) <= 8, told


@pytest.mark.parametrize("changed, joined, brief, full", [
    ({}, (), "The game master can give a seat to others.", "The game master doesn't play, and can give a seat to a newcomer."),
    ({}, (900,), "Your seat is yours unless all others agree.", "Everybody who sees the game can join."),
    ({"newcomers": "none"}, (), "Only the game master fills a seat again.", "Only the game master fills a seat again."),
    ({"newcomers": "asked"}, (), "The game master decides who takes over.", "The game master decides who takes over."),
    ({"invite_only": True}, (), "Nobody else sees your secrets.", "Only invited members can join."),
    ({"successor": "solid"}, (), "", "An automatic player (solid) plays for whoever resigns or is away."),
    ({"replacement": ReplacementRules(0, "half")}, (), "", "The players can't vote to replace anybody.")])
def test_who_can_join_and_see_is_told_in_brief_and_in_full(changed: Any, joined: Any, brief: str, full: str) -> None:
    visit = lobby(PEBBLES, *joined, **changed)
    said = [[say(line) for line in told(visit)] for told in (in_brief, rights)]
    assert brief in (*said[0], "") and full in said[1]


def test_who_reads_an_open_game_alone_can_join_or_leave_but_not_both() -> None:
    visit = lobby(PEBBLES, 101)
    ways = {reader: [item.item.label for item in lobby_ways(visit, reader)] for reader in (101, 103, None)}
    assert {reader: ("Join" in shown, "Leave" in shown) for reader, shown in ways.items()} == {
        101: (False, True), 103: (True, False), None: (True, True)}


# --- looking ---------------------------------------------------------------------------------------------------

async def test_the_status_tells_who_is_awaited_since_when(world: World) -> None:
    await world.opened(title="Friday")
    shown = await world.carol.slash(world.table, "game status")
    assert "0 of 2 seats taken." in words(shown)
    assert labels(shown.response) == ["Join", "Options", "Who can join and see"]
    for who in (world.alice, world.bob):
        await who.slash(world.table, "game join")
    await world.olga.slash(world.table, "game start")
    said = words(await world.carol.slash(world.table, "game status"))
    assert f"Amber: {world.alice.mention}, Basalt: {world.bob.mention}" in said
    assert re.search(r"To move \(asked <t:\d+:R>\):\nAmber", said)
    await world.olga.slash(world.table, "gm pause")
    assert "Paused by its game master" in words(await world.carol.slash(world.table, "game status"))


async def test_a_status_never_tells_what_only_a_seat_may_know(world: World) -> None:
    await world.guessed()
    said = words(await world.carol.slash(world.table, "game status"))
    assert "guess" not in said.lower()


async def test_the_history_has_pages_and_marks_what_was_undone(world: World) -> None:
    await world.guessed()
    await world.alice.slash(world.table, "pebbles take", pebbles=1)
    await world.olga.slash(world.table, "gm undo")
    shown = await world.carol.slash(world.table, "game history")
    assert words(shown) == ("**Pebbles**, history\n`2` All have guessed.\n`3` ~~Amber takes 1 pebble.~~ (undone)\n"
                            f"`4` Game master {world.olga.mention} went back to step 2.")
    assert labels(shown.response) == ["Back to the game"]
    assert list(options(shown.response)) == ["2. All have guessed.", "4. Game master went back to step 2."]
    await world.olga.slash(world.table, "gm redo")
    own = await world.olga.slash(world.table, "game history")
    assert words(own).endswith(f"`5` Game master {world.olga.mention} redid what was undone: back to step 3.")
    rows = [row if isinstance(row, dict) else row.to_dict() for row in own.response.components]
    shown_after, undone_after = ([option["label"] for option in item["options"]]
                                 for row in rows for item in row["components"] if item["type"] == 3)
    assert undone_after == shown_after[:-1], "nothing follows the newest step"
    await world.olga.slash(world.table, "gm undo")
    for _ in range(7):
        await world.olga.slash(world.table, "gm redo")
        await world.olga.slash(world.table, "gm undo")
    shown = await world.carol.slash(world.table, "game history")
    assert words(shown).startswith("**Pebbles**, history, page 2 of 2\n")
    older = await world.carol.click(shown.response, label="Older")
    assert words(older).startswith("**Pebbles**, history, page 1 of 2\n`2` All have guessed.")
    assert list(custom_ids(older.response)) == ["Newer", "Back to the game"]


async def test_the_games_of_a_server_are_listed_and_those_of_others_are_not(world: World) -> None:
    assert words(await world.carol.slash(world.table, "game list")) == (
        "No game is being played here. Open one with `/game open`.")
    await world.opened(title="Friday")
    other = world.env.create_guild("Other")
    den, stranger = other.create_text_channel("den"), other.add_member(world.env.create_user("stranger"))
    line = f"1 · Friday · Pebbles · open · <#{world.table.id}>"
    assert words(await world.carol.slash(world.elsewhere, "game list")) == line
    assert "Friday" not in words(await stranger.slash(den, "game list"))


async def test_the_record_is_public_until_the_end_and_whole_after_it(world: World) -> None:
    await world.guessed()
    shown = await world.carol.slash(world.table, "game export")
    (file,) = shown.response.attachments
    assert file.filename == "game-1.jsonl"
    public = [json.loads(line) for line in (await file.read()).decode().splitlines()]
    assert public[0]["public"] and [row["says"] for row in public[1:-1]] == [["All have guessed."]]
    for turn in range(4):
        who = (world.alice, world.bob)[turn % 2]
        last = await who.slash(world.table, "pebbles take", pebbles=3)
    await world.bob.click(last.response, label="Confirm")
    (file,) = (await world.carol.slash(world.table, "game export")).response.attachments
    lines = (await file.read()).decode().splitlines()
    assert file.filename == "game-1.jsonl" and "00" * 32 in lines[0] and all(json.loads(line) for line in lines)


async def test_rules_are_found_by_number_and_by_words(tmp_path: Any) -> None:
    async with World.at(tmp_path / "games.db", GAMES[:1]) as world:
        said = words(await world.carol.slash(world.table, "game rules", wanted="9.4.4"))
        assert said.startswith("**SOE-9.4.4** ")
        said = words(await world.carol.slash(world.table, "game rules", wanted="naval support"))
        assert said.count("**SOE-") > 1 and "naval support" in said.lower()
        said = words(await world.carol.slash(world.table, "game rules", wanted="bicycle"))
        assert said .startswith("No rule has this number")


async def test_rules_need_a_game_where_there_are_several(tmp_path: Any) -> None:
    async with World.at(tmp_path / "games.db", (*GAMES, PEBBLES)) as world:
        said = words(await world.carol.slash(world.table, "game rules", wanted="2.1"))
        assert said .startswith("There's no game of that kind")


# --- resign ------------------------------------------------------------------------------------------------------

async def test_a_seat_is_given_up_after_a_confirmation(world: World) -> None:
    await world.guessed()
    shown = await world.alice.slash(world.table, "game resign")
    assert (await world.services.queries.holders(1))[0].user == world.alice.id
    assert words(await world.alice.click(shown.response, label="Resign")) == "You resigned from Pebbles."
    assert (await world.services.queries.holders(1))[0].user is None
    assert world.letters(world.alice) == ["**Pebbles** (game 1): You gave up your seat."]
    assert "Amber takes 1 pebble." in world.told(), "an empty seat gets its default"
    await refused(world, world.alice, "game resign",
                  "You have no seat in this game, but one is free. See it with /table seats.")


async def test_a_resignation_can_be_cancelled(world: World) -> None:
    await world.guessed()
    shown = await world.alice.slash(world.table, "game resign")
    assert words(await world.alice.click(shown.response, label="Cancel")) == "Nothing has changed."
    assert (await world.services.queries.holders(1))[0].user == world.alice.id


# --- options ------------------------------------------------------------------------------------------

@pytest_asyncio.fixture
async def empires(tmp_path: Path) -> AsyncIterator[World]:
    async with World.at(tmp_path / "games.db", games=GAMES) as world:
        yield world


async def test_a_game_is_opened_with_changed_options(empires: World) -> None:
    await empires.olga.slash(empires.table, "game open", game="struggle_of_empires", seats=3,
                             options="help.auto_call=false, withdrawal.units_go=stay")
    assert (await empires.services.queries.game(1)).options == {"help.auto_call": False, "withdrawal.units_go": "stay"}


async def test_options_are_offered_behind_those_chosen_already(empires: World) -> None:
    offered = await empires.olga.autocomplete(empires.table, "game open", "options", "help.auto_call=False loss",
                                              game="struggle_of_empires", seats=3)
    assert [choice["value"] if isinstance(choice, dict) else choice.value for choice in offered] == [
        "help.auto_call=False loss.fort_tie_seven=True", "help.auto_call=False loss.army_first=True"]
    offered = await empires.olga.autocomplete(empires.table, "game open", "options", "loss",
                                              game="struggle_of_empires", edition="deluxe", seats=3)
    assert [choice["value"] if isinstance(choice, dict) else choice.value for choice in offered] == [
        "loss.fort_tie_seven=False", "loss.army_first=True"], "what is otherwise in this edition"


@pytest.mark.parametrize(("typed", "sentence"), [
    ("help.auto_call", "I can't read the option help.auto_call. Leave options out and choose them by taps once the game is "
                       "open, or write key=value."),
    ("help.everybody=true", "There is no option help.everybody."),
    ("cross.model=three_dice", "The option cross.model can't be three_dice: Input should be 'one_die' or 'far_lands_die'.")])
async def test_options_that_cannot_be_used_open_nothing(empires: World, typed: str, sentence: str) -> None:
    said = await empires.olga.slash(empires.table, "game open", game="struggle_of_empires", seats=3, options=typed)
    assert words(said) == sentence
    assert await empires.services.queries.games(channel=empires.table.id) == []
