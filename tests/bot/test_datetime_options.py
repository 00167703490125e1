"""Options that are moments: chosen from a list or typed, told by each reader's Discord, and kept to."""
from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from bot.domain.datetime_options import offering, read, sentence
from engine.games.attack import GAME
from engine.games.struggle_of_empires import GAME as EMPIRES
from engine.options import choice_of, chosen
from engine.refusals import Refusal
from engine.text import say
from tests.bot.discord_world import World, labels, words
from tests.bot.test_opening import choose, selects
from tests.bot.test_settings import typed

NOON = datetime(2026, 4, 1, 12, tzinfo=UTC)
END, NEEDED = choice_of(GAME, "end_time"), "A timed game needs an end"


# --- words ----------------------------------------------------------------------------------------------------------------

@pytest.mark.parametrize(("written", "zone", "moment"), [
    ("2027-01-31 18:00", "UTC", "2027-01-31T18:00"), (" 2027-01-31T18:00 ", "UTC", "2027-01-31T18:00"),
    ("2027-01-31 18:00", "Europe/Berlin", "2027-01-31T17:00"), ("2027-07-01  00:30", "Europe/Berlin", "2027-06-30T22:30"),
    ("2027-01-31 18:00", "America/New_York", "2027-01-31T23:00")])
def test_a_moment_is_typed_on_the_own_clock(written: str, zone: str, moment: str) -> None:
    assert read(written, zone) == moment
    assert GAME.rules.options("base", {"end_mode": "timed", "end_time": moment}).end_time == moment


@pytest.mark.parametrize("written", ["", "tomorrow", "2027-02-30 18:00", "2027-01-31", "18:00", "2027-01-31 25:00", "{now}",
                                     "0001-01-01 00:00"])
def test_what_is_no_moment_is_refused_with_an_example(written: str) -> None:
    with pytest.raises(Refusal) as refused:
        read(written, "Asia/Tokyo")
    assert str(refused.value) == f'I can\'t read "{written}" as a date and time. Write it as 2027-01-31 18:00.'


def test_evenings_of_the_own_time_zone_are_offered_and_what_is_chosen_stays_on_the_list() -> None:
    own = chosen(GAME, "base", {"end_mode": "timed", "end_time": "2027-01-31T18:00"})
    offered = offering(GAME, NOON, "Europe/Berlin", own).rules.choices["end_time"]
    assert offered == ("", "2027-01-31T18:00", "2026-04-08T18:00", "2026-04-15T18:00", "2026-04-29T18:00", "2026-05-27T18:00")
    assert offering(EMPIRES, NOON, "UTC", {}) is EMPIRES, "a game without such an option stays as it is"


def test_a_moment_is_said_in_utc_and_told_in_the_zone_of_each_reader() -> None:
    def spoken(sentence: Any) -> str:
        return say(sentence)

    assert spoken(END.sentence("2027-01-31T18:00")) == "Time is up on 2027-01-31 18:00 UTC; that round is the last."
    assert spoken(sentence(END, "2027-01-31T18:00")) == "Time is up on <t:1801418400:f>; that round is the last."
    assert spoken(sentence(END, "")) == spoken(END.sentence("")) == "No end time is agreed."
    assert spoken(sentence(END, "2027-02-30T18:00")) == "Time is up on 2027-02-30 18:00 UTC; that round is the last."


# --- on Discord -------------------------------------------------------------------------------------------------------------

@pytest_asyncio.fixture
async def world(tmp_path: Path) -> AsyncIterator[World]:
    async with World.at(tmp_path / "games.db", games=(GAME,)) as world:
        yield world


async def panel(world: World, option: str) -> Any:
    """The panel of a new game of two, at an option of its end."""
    await world.olga.slash(world.table, "game open", seats=2, edition="base")
    shown = (await world.olga.click(world.table.last_message, label="Options")).response
    return await choose(world.olga, await choose(world.olga, shown, "End of the game"), option)


async def rules(world: World) -> Any:
    return (await world.services.queries.game(1)).options


async def test_a_timed_game_is_made_by_two_taps(world: World) -> None:
    shown = await choose(world.olga, await panel(world, "How it ends"), "The game ends with the round")
    assert shown.content.startswith(NEEDED) and await rules(world) == {}
    ways = [label for label in labels(shown) if label.startswith("Also: Time is up on ")]
    assert len(ways) == 3 and "Another time" in labels(shown)
    shown = (await world.olga.click(shown, label=ways[0])).response
    changed = await rules(world)
    assert changed["end_mode"] == "timed" and f"Also: Time is up on {changed['end_time'].replace('T', ' ')} UTC" in ways[0]
    stamp = int(datetime.fromisoformat(f"{changed['end_time']}Z").timestamp())
    assert stamp > world.env.now().timestamp()
    assert f"Changed: Time is up on <t:{stamp}:f>; that round is the last." in world.table.last_message.content
    await world.olga.click(shown, label="Undo")
    assert await rules(world) == {}


async def test_the_moment_can_be_chosen_first(world: World) -> None:
    shown = await panel(world, "Agreed end")
    (values,) = [item for item in selects(shown) if item["custom_id"].startswith("optvalue")]
    none, first, *_ = (option["label"] for option in values["options"])
    assert none == "No end time is agreed." and len(values["options"]) == 5
    shown = await choose(world.olga, shown, first)
    assert shown.content.startswith("Only a timed game")
    (way,) = [label for label in labels(shown) if label.startswith("Also: The game ends with the round")]
    await world.olga.click(shown, label=way)
    assert (await rules(world))["end_mode"] == "timed"


async def test_another_moment_is_typed(world: World) -> None:
    shown = await choose(world.olga, await panel(world, "How it ends"), "The game ends with the round")
    for wrong, why in (("soon", 'I can\'t read "soon" as a date and time'),
                       ("2020-01-31 18:00", "Agreed end: <t:1580493600:f> is in the past.")):
        form = await world.olga.click(shown, label="Another time")
        assert form.modal["title"] == "Agreed end"
        shown = (await world.olga.submit_modal(form, typed(form, wrong))).response
        assert shown.content.startswith(why) and "How it ends" in shown.content
        assert await rules(world) == {}
    form = await world.olga.click(shown, label="Another time")
    shown = (await world.olga.submit_modal(form, typed(form, "2099-01-31 18:00"))).response
    assert await rules(world) == {"end_mode": "timed", "end_time": "2099-01-31T18:00"}
    form = await world.olga.click(shown, label="Another time")
    await world.olga.submit_modal(form, typed(form, "2099-02-01 18:00"))
    assert await rules(world) == {"end_mode": "timed", "end_time": "2099-02-01T18:00"}


async def test_who_is_no_game_master_is_offered_none(world: World) -> None:
    await panel(world, "How it ends")
    shown = (await world.alice.click(world.table.last_message, label="Options")).response
    shown = await choose(world.alice, await choose(world.alice, shown, "End of the game"), "Agreed end")
    assert "Another time" not in labels(shown)


async def test_the_agreed_end_is_told_when_the_game_begins_and_in_its_status(world: World) -> None:
    await world.olga.slash(world.table, "game open", seats=2, edition="base", options="end_mode=timed end_time=2099-01-31T18:00")
    for player in (world.alice, world.bob):
        await player.slash(world.table, "game join")
    await world.olga.slash(world.table, "game start")
    late, end = "Last deals: <t:4073563800:f>.", "Agreed end: <t:4073565600:f>."
    assert f"{late} {end}" in world.told()
    assert f"{late}\n{end}" in words(await world.alice.slash(world.table, "game status"))
    assert f"{late}\n{end}" in next(post for post in world.posts() if post.startswith("**Attack!**"))
    commands = {command.name for group in world.bot.tree.get_commands() for command in getattr(group, "commands", ())}
    assert "propose" in commands and not commands & {"time", "left-alone", "left_alone"}


async def test_a_timed_game_is_not_opened_too_late(world: World) -> None:
    said = await world.olga.slash(world.table, "game open", seats=2, edition="base",
                                  options="end_mode=timed end_time=2020-01-31T18:00")
    assert words(said) == "Agreed end: <t:1580493600:f> is in the past. Choose a later time."
    assert await world.services.queries.games(guild=world.guild.id) == []
