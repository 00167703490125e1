"""Settings in one panel, and time on Discord: reminders, notes to game masters, votes, vacations; all by taps."""
from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from bot.domain.deadlines import read
from bot.domain.waking_hours import Hours
from bot.store import MemberRow
from tests.bot.discord_world import World, labels, options, words
from tests.often_said import FOR_MASTERS, NO_SEAT

HOUR = 3600


@pytest.fixture(autouse=True)
def slow(monkeypatch: pytest.MonkeyPatch) -> None:
    """The pulse beats every hour unless something is due, so that days pass quickly; less than two are no time off."""
    monkeypatch.setattr("bot.discord.scheduler.PULSE", HOUR)
    monkeypatch.setattr("bot.store.presence.OFF", timedelta(hours=2))


async def wait(world: World, hours: float) -> None:
    """Let hours pass."""
    world.bot.outbox.pulse.change_interval(seconds=HOUR)
    await world.env.advance_time(hours * HOUR)


async def refused(who: Any, channel: Any, command: str, **given: Any) -> str:
    return words(await who.slash(channel, command, **given))


async def limited(world: World, clock: str = "24h") -> None:
    """A running game with a clock in which Amber is to take pebbles."""
    await world.guessed()
    await world.olga.slash(world.table, "gm clock", limit=clock)


def selects(message: Any) -> list[dict[str, Any]]:
    """The selects of a message."""
    rows = [row if isinstance(row, dict) else row.to_dict() for row in message.components]
    return [item for row in rows for item in row["components"] if item["type"] in (3, 6)]


def typed(opened: Any, *values: str) -> dict[str, str]:
    """What is typed into the fields of a form, in their order."""
    fields = [item["custom_id"] for row in opened.modal["components"] for item in row.get("components", ())]
    return dict(zip(fields, values, strict=True))


async def server_page(world: World, who: Any) -> Any:
    """The panel of somebody, on the page of the server."""
    panel = (await who.slash(world.elsewhere, "settings")).response
    return (await who.click(panel, label="This server")).response


async def choose(who: Any, message: Any, name: str, value: Any) -> Any:
    """Choose a value in the select with this name."""
    (custom_id,) = [item["custom_id"] for item in selects(message) if item["custom_id"].startswith(f"{name}:")]
    return await who.select(message, [value], custom_id=custom_id)


# --- the panel --------------------------------------------------------------------------------------------

async def test_a_time_zone_and_waking_hours_by_taps(world: World) -> None:
    """The simulated Discord begins on 1 January 2026 at midnight in UTC: 1:00 in Berlin."""
    panel = (await world.alice.slash(world.table, "settings")).response
    assert "I don't know your waking hours" in panel.content
    panel = (await world.alice.click(panel, label="Waking hours")).response
    assert panel.content == "What time is it where you are?"
    panel = (await choose(world.alice, panel, "zonehour", "1")).response
    assert options(panel)["Berlin (Europe)"] == "Europe/Berlin" and "London (Europe)" not in options(panel)
    panel = (await choose(world.alice, panel, "zonepick", "Europe/Berlin")).response
    assert "Your clock runs day and night, on Berlin time." in panel.content
    panel = (await world.alice.click(panel, label="Waking hours")).response
    panel = (await choose(world.alice, panel, "setwake", "9")).response
    assert set(options(panel).values()) == {str(hour % 24) for hour in range(17, 33)}           # at least eight hours later
    panel = (await choose(world.alice, panel, "sethours", "23")).response
    assert "Your clock runs from 9:00 to 23:00, Berlin time." in panel.content
    assert (await world.services.settings.member(world.alice.id)).hours == Hours(zone="Europe/Berlin", wake=9, sleep=23)


async def test_a_time_zone_by_its_city(world: World) -> None:
    offered = await world.alice.autocomplete(world.table, "settings", "time_zone", "new y")
    assert offered == [{"name": "New York (America)", "value": "America/New_York"}]
    said = words(await world.alice.slash(world.table, "settings", time_zone="America/New_York"))
    assert "Your clock runs day and night, on New York time." in said
    said = await refused(world.alice, world.table, "settings", time_zone="Atlantis")
    assert said == "I can't find one time zone for \"Atlantis\". Choose it by a city, such as Europe/Berlin."
    assert (await world.services.settings.member(world.alice.id)).hours == Hours(zone="America/New_York")


async def test_what_calls_a_member_and_what_comes_directly(world: World) -> None:
    panel = (await world.alice.slash(world.table, "settings")).response
    panel = (await choose(world.alice, panel, "setpings", "reminders")).response
    panel = (await choose(world.alice, panel, "settheme", "light")).response
    panel = (await world.alice.click(panel, label="Reminders by DM: on")).response
    row = await world.services.settings.member(world.alice.id)
    assert (row.pings, row.direct, row.theme) == ("reminders", False, "light")
    assert await world.services.settings.theme(None, world.alice.id) == "light"
    assert await world.services.settings.theme(None, world.bob.id) == "dark"
    assert "Reminders by DM: off" in labels(panel)


async def test_reminders_are_chosen_for_all_games_and_for_one(world: World) -> None:
    await world.guessed()
    panel = (await world.alice.slash(world.elsewhere, "settings")).response
    panel = (await choose(world.alice, panel, "setnudges", "daily")).response
    panel = (await world.alice.click(panel, label="DM for each move: off")).response
    row = await world.services.settings.member(world.alice.id)
    assert (row.nudges, row.notices) == ("daily", True) and "DM for each move: on" in labels(panel)
    panel = (await world.alice.slash(world.table, "settings")).response
    panel = (await world.alice.click(panel, label="This game")).response
    panel = (await world.alice.click(panel, label="Reminders here")).response
    panel = (await choose(world.alice, panel, "gamenudges", "once")).response
    assert panel.content.startswith("Saved for this game: Remind me once.")
    assert await world.services.settings.nudges(1, world.alice.id) == "once"


async def test_a_direct_message_tells_of_a_move_or_nothing_does(world: World) -> None:
    await world.guessed()
    for player in (world.alice, world.bob):
        await world.services.settings.set_member(player.id, MemberRow(direct=False, notices=True))
    world.env.inject_error("POST", f"/channels/{world.alice.user.dm_channel.id}/messages", status=403, code=50007,
                           message="Cannot send messages to this user", times=None)
    await wait(world, 1)
    before = world.posts()
    await world.alice.slash(world.table, "pebbles take", pebbles=1)
    await wait(world, 1)
    assert [letter for letter in world.letters(world.bob) if letter.startswith("Your move:")] != []
    await wait(world, 1)
    await world.bob.slash(world.table, "pebbles take", pebbles=1)
    await wait(world, 1)
    assert not any("it's your move" in post for post in world.posts()[len(before):])


async def test_who_wants_no_calls_is_named_without_a_notification(world: World) -> None:
    panel = (await world.alice.slash(world.table, "settings")).response
    await choose(world.alice, panel, "setpings", "none")
    await world.guessed()
    asked = [request.json for request in world.env.http_requests if request.method == "POST" and request.json
             and f"<@{world.alice.id}> **Amber**" in str(request.json.get("content", ""))]
    assert asked and all(not request["allowed_mentions"].get("users") for request in asked)


async def test_a_game_master_sets_the_clock_by_taps(world: World) -> None:
    await world.guessed()
    panel = (await world.olga.slash(world.table, "settings")).response
    panel = (await world.olga.click(panel, label="This game")).response
    assert "Time: no time limit. Each player can take 21 days off and 2 extensions." in panel.content
    panel = (await choose(world.olga, panel, "setclock", "bank 72h+6h")).response
    assert (await world.services.clocks.clock(1)).clock == read("bank 72h+6h")
    form = await world.olga.click(panel, label="Days and extensions")
    panel = (await world.olga.submit_modal(form, typed(form, "30", "3"))).response
    assert "Each player can take 30 days off and 3 extensions." in panel.content
    form = await world.olga.click(panel, label="Days and extensions")
    panel = (await world.olga.submit_modal(form, typed(form, "few", "3"))).response
    assert panel.content.startswith("Days and extensions must be whole numbers, such as 21 and 2.\n**Pebbles**")
    form = await world.olga.click(panel, label="Days and extensions")
    panel = (await world.olga.submit_modal(form, typed(form, "999", "3"))).response
    assert panel.content.startswith("A game can allow 0 to 365 days of vacation.\n**Pebbles**")
    assert (await world.services.clocks.clock(1)).vacation == 30
    panel = (await choose(world.olga, panel, "setpress", "public")).response
    assert "Messages: Players can write to everybody. Standing orders move at once." in panel.content
    panel = (await choose(world.olga, panel, "setveil", "60")).response
    assert "Standing orders take up to 60 minutes, as people do." in panel.content
    assert (await world.services.queries.game(1)).veil == 60


async def test_players_see_the_page_of_their_game_and_change_only_what_is_theirs(world: World) -> None:
    await world.guessed()
    panel = (await world.alice.slash(world.table, "settings")).response
    panel = (await world.alice.click(panel, label="This game")).response
    assert panel.content.endswith("Its game master can change this.") and selects(panel) == []
    panel = (await world.alice.click(panel, label="My secrets by DM: on")).response
    assert "My secrets by DM: off" in labels(panel)
    assert [holder.private for holder in await world.services.queries.holders(1)] == [False, True]


async def test_the_page_of_a_server_is_for_who_manages_it(world: World) -> None:
    page = await server_page(world, world.alice)
    assert page.content.endswith("Members who can manage this server can change this.") and selects(page) == []
    page = await server_page(world, world.max)
    page = (await choose(world.max, page, "setclock", "48h")).response
    page = (await choose(world.max, page, "settheme", "light")).response
    await world.opened()
    assert (await world.services.clocks.clock(1)).clock == read("48h")
    assert await world.services.settings.theme(world.guild.id) == "light"
    role = world.guild.create_role("Masters")
    page = (await choose(world.max, page, "setrole", role)).response
    assert f"Members with the role <@&{role.id}> are game masters." in page.content
    page = (await world.max.click(page, label="No game master role")).response
    assert "Whoever opens a game" in page.content


async def test_old_panels_work_after_a_restart_and_trust_nobody(world: World) -> None:
    await world.guessed()
    page = (await world.olga.click((await world.olga.slash(world.table, "settings")).response, label="This game")).response
    await world.restart()
    await choose(world.olga, page, "setclock", "24h")
    assert (await world.services.clocks.clock(1)).clock == read("24h")


# --- /game open, /gm clock, /gm extend ------------------------------------------------------------------------

async def test_a_clock_is_chosen_when_a_game_is_opened(world: World) -> None:
    offered = await world.olga.autocomplete(world.table, "game open", "clock", "bank 5h", game="pebbles")
    assert offered[0] == {"name": "A bank of 5 hours for each seat", "value": "bank 5h"}
    assert {"name": "24 hours for each move", "value": "24h"} in await world.olga.autocomplete(
        world.table, "game open", "clock", "24", game="pebbles")
    said = await refused(world.olga, world.table, "game open", game="pebbles", seats=2, clock="tomorrow")
    assert said.startswith("I can't read the clock \"tomorrow\"")
    await world.opened(clock="24h")
    assert "Clock: 24 hours." in words(await world.alice.slash(world.table, "game status"))
    assert (await world.services.clocks.clock(1)).clock == read("24h")


async def test_the_status_says_until_when(world: World) -> None:
    await limited(world)
    (deadline,) = await world.services.clocks.deadlines(1)
    assert deadline.due_at is not None
    said = words(await world.alice.slash(world.table, "game status"))
    assert f"Deadline: <t:{int(deadline.due_at.timestamp())}:R>" in said


async def test_only_the_game_master_sets_clocks_and_gives_time(world: World) -> None:
    await limited(world)
    for command, given in (("gm clock", {"limit": "1h"}), ("gm extend", {"seat": "Amber", "hours": 5})):
        assert (await refused(world.alice, world.table, command, **given)).startswith(FOR_MASTERS)
    (before,) = await world.services.clocks.deadlines(1)
    assert await world.olga.autocomplete(world.table, "gm extend", "seat", "") == [{"name": "Amber", "value": "seat_1"}]
    said = words(await world.olga.slash(world.table, "gm extend", seat="Amber", hours=5))
    (after,) = await world.services.clocks.deadlines(1)
    assert after.due_at - before.due_at == timedelta(hours=5)
    assert said.startswith("Amber gets 5 hours more.\n") and f"<t:{int(after.due_at.timestamp())}:" in said
    said = words(await world.olga.slash(world.table, "gm clock", vacation=3, extensions=1))
    assert said == "Pebbles: 24 hours for each move. Each player can take 3 days off and 1 extension."
    (same,) = await world.services.clocks.deadlines(1)
    assert same == after


# --- /clock -------------------------------------------------------------------------------------------------------

async def test_more_time_by_a_tap(world: World) -> None:
    await limited(world)
    shown = (await world.alice.slash(world.table, "clock show")).response
    assert labels(shown) == ["More time", "Vote to pause"]
    assert words(await world.alice.click(shown, label="More time")).startswith("You get 12 hours more.")
    assert labels((await world.bob.slash(world.table, "clock show")).response) == ["Vote to pause"]
    assert await refused(world.carol, world.table, "clock extend") == f"{NO_SEAT}."


async def test_a_vacation_is_chosen_from_a_list_and_announced(world: World) -> None:
    await limited(world)
    days = await world.alice.autocomplete(world.table, "clock vacation", "from", "")
    assert len(days) == 25 and days[0] == {"name": "Thursday, 01 January 2026", "value": "2026-01-01"}
    said = words(await world.alice.slash(world.table, "clock vacation", **{"from": days[1]["value"], "until": days[3]["value"]}))
    assert said.endswith("You have 18 days left.")
    assert any("is on vacation from" in post for post in world.posts())
    assert await refused(world.alice, world.table, "clock vacation", **{"from": "yesterday", "until": "tomorrow"}) \
        == f"I can't read \"yesterday\" as a date. Choose one from the list, or write it as {days[0]['value']}."
    await world.alice.slash(world.table, "clock vacation", **{"from": days[0]["value"], "until": "today"})
    said = words(await world.bob.slash(world.table, "game status"))
    assert f"<@{world.alice.id}> is on vacation until <t:1767311999:D>." in said
    for _ in range(2):
        shown = (await world.alice.slash(world.table, "clock show")).response
        said = words(await world.alice.click(shown, label="End my vacation"))
    assert said == "Your clock runs again."
    assert await world.services.clocks.vacations(1, world.alice.id) == []


async def test_a_vacation_in_all_games_at_once(world: World) -> None:
    """The second game allows one day only."""
    await limited(world)
    await world.olga.slash(world.elsewhere, "game open", game="pebbles", seats=2, title="Short")
    await world.alice.slash(world.elsewhere, "game join")
    await world.olga.slash(world.elsewhere, "gm clock", vacation=1)
    days = {"from": "tomorrow", "until": "2026-01-04"}
    said = words(await world.alice.slash(world.elsewhere, "clock vacation", everywhere=True, **days)).split("\n")
    assert said[0].startswith("**Pebbles**: on vacation from") and said[0].endswith("You have 18 days left.")
    assert said[1] == "**Short**: That is 3 days, and you have 1 left of the 1 day this game allows."
    assert [len(await world.services.clocks.vacations(game, world.alice.id)) for game in (1, 2)] == [1, 0]
    refused = words(await world.carol.slash(world.table, "clock vacation", everywhere=True, **days))
    assert refused == "You have no seat in any game. /game list shows the open ones."


async def test_the_others_join_a_vote_by_a_button(world: World) -> None:
    await world.started(world.alice, world.bob, world.carol)
    said = words(await world.alice.slash(world.table, "clock vote", what="pause"))
    assert said == "Your vote is in: 1 of 2. The others have a day to vote."
    poll = world.question("pause the game?")
    assert words(await world.olga.click(poll, label="Agree")) == f"{NO_SEAT}."
    await world.bob.click(poll, label="Agree")
    assert (await world.services.queries.game(1)).status == "paused"
    assert "Paused by a vote of its players" in words(await world.carol.slash(world.table, "game status"))
    shown = (await world.carol.slash(world.table, "clock show")).response
    await world.carol.click(shown, label="Vote to go on")
    await world.alice.click(world.question("go on with the game?"), label="Agree")
    assert (await world.services.queries.game(1)).status == "running"


# --- the pulse ------------------------------------------------------------------------------------------------------

async def test_a_reminder_comes_directly_once(world: World) -> None:
    await limited(world)
    await wait(world, 12.1)
    sent = [letter for letter in world.letters(world.alice) if letter.startswith("Your move:")]
    assert len(sent) == 1 and "**Pebbles**" in sent[0] and "Deadline" in sent[0]
    assert not any(letter.startswith("Your move:") for letter in world.letters(world.bob))
    message = next(m for m in world.alice.user.dm_channel.history() if m.content.startswith("Your move:"))
    assert labels(message) == ["Your move: Pebbles", "My games"]
    said = await world.alice.user.click(message, label="Your move: Pebbles")
    assert said.acknowledged


async def test_who_takes_no_direct_messages_is_called_in_the_channel(world: World) -> None:
    await limited(world)
    world.env.inject_error("POST", f"/channels/{world.alice.user.dm_channel.id}/messages", status=403, code=50007,
                           message="Cannot send messages to this user", times=None)
    await wait(world, 12.1)
    calls = [post for post in world.posts() if f"<@{world.alice.id}>, it's your move" in post]
    assert len(calls) == 1


async def test_of_sealed_answers_nobody_is_called_in_the_channel(world: World) -> None:
    """P-28: whom the bot calls would tell who has answered already."""
    await world.started()
    await world.olga.slash(world.table, "gm clock", limit="24h")
    await world.bob.slash(world.table, "pebbles guess", pebbles=3)
    world.env.inject_error("POST", f"/channels/{world.alice.user.dm_channel.id}/messages", status=403, code=50007,
                           message="Cannot send messages to this user", times=None)
    before = world.posts()
    await wait(world, 12.1)
    assert world.posts() == before


async def test_who_answers_before_the_reminder_is_sent_gets_none(world: World) -> None:
    await limited(world)
    world.mute()
    await wait(world, 12.1)
    await world.alice.slash(world.table, "pebbles take", pebbles=1)
    await world.restart()
    await wait(world, 0.1)
    assert await world.services.outbox.pending() == []
    assert not any(letter.startswith("Your move:") for letter in world.letters(world.alice))


async def test_the_pulse_gives_the_default_when_the_time_is_up(world: World) -> None:
    await limited(world)
    await wait(world, 23.9)
    assert (await world.services.session.table(1)).state.turn == 0
    await wait(world, 0.2)
    assert (await world.services.session.table(1)).state.turn == 1
    assert any("ran out of time" in line for line in world.told())


async def test_who_wants_to_know_is_told_that_the_next_turn_is_hers(world: World) -> None:
    panel = (await world.bob.slash(world.table, "settings")).response
    panel = (await world.bob.click(panel, label="Tell me when I'm next: off")).response
    assert "Tell me when I'm next: on" in labels(panel)
    await world.guessed()
    assert f"Pebbles in <#{world.table.id}>: you're next, Basalt." in world.letters(world.bob)
    await world.alice.slash(world.table, "pebbles take", pebbles=1)
    await world.bob.slash(world.table, "pebbles take", pebbles=1)
    assert world.letters(world.bob).count(f"Pebbles in <#{world.table.id}>: you're next, Basalt.") == 2
    assert not any("you are next" in letter for letter in world.letters(world.alice))


async def test_a_bot_that_was_off_for_a_day_costs_nobody_a_turn(world: World) -> None:
    await limited(world)
    await wait(world, 20)
    world.bot.scheduler.stop()
    await wait(world, 24)
    await world.restart()
    await wait(world, 3)
    assert (await world.services.session.table(1)).state.turn == 0
    await wait(world, 2)
    assert (await world.services.session.table(1)).state.turn == 1


async def test_a_game_master_is_told_of_missed_answers_and_helps_by_a_tap(world: World) -> None:
    """Bob has resigned, so Amber is asked again right after each of her answers."""
    await limited(world, "6h")
    await world.services.seats.resign(1, world.bob.id)
    await wait(world, 12.4)
    (note,) = [m for m in world.olga.user.dm_channel.history() if "ran out of time twice in a row" in m.content]
    assert note.content.startswith("Pebbles (game 1) in") and f"Amber (<@{world.alice.id}>)" in note.content
    assert not any("twice in a row" in post for post in world.posts())
    assert labels(note) == ["Default for Amber", "24 more hours for Amber"]
    (before,) = await world.services.clocks.deadlines(1)
    said = (await world.olga.user.click(note, label="24 more hours for Amber")).response.content
    (after,) = await world.services.clocks.deadlines(1)
    assert said.startswith("Amber gets 24 hours more.") and after.due_at - before.due_at == timedelta(hours=24)


async def test_a_game_master_without_direct_messages_is_told_in_the_channel(world: World) -> None:
    await limited(world, "6h")
    await world.services.seats.resign(1, world.bob.id)
    world.env.inject_error("POST", f"/channels/{world.olga.user.dm_channel.id}/messages", status=403, code=50007,
                           message="Cannot send messages to this user", times=None)
    await wait(world, 12.4)
    (note,) = [post for post in world.posts() if "ran out of time twice in a row" in post]
    assert note.startswith(f"<@{world.olga.id}> Pebbles (game 1) in")


async def test_a_question_without_a_clock_is_answered_for_by_the_game_master(world: World) -> None:
    await world.guessed()
    await wait(world, 72.1)
    (note,) = [m for m in world.olga.user.dm_channel.history() if "no move for three days" in m.content]
    assert labels(note) == ["Default for Amber"]
    done = await world.olga.user.click(note, label="Default for Amber")
    assert done.response.content == "You moved for Amber."
    assert (await world.services.session.table(1)).state.turn == 1
    again = await world.olga.user.click(note, label="Default for Amber")
    assert again.response.content == "That move has been made already."
    assert (await world.services.session.table(1)).state.turn == 1
