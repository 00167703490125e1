"""Opening a game by taps, its options in plain words, and what contradicts."""
from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bot.discord.components import AnyRoute, button, view
from bot.discord.lobby.options import FEW, preset_changes
from engine.catalog import GAMES, find
from engine.games.struggle_of_empires import GAME
from engine.games.struggle_of_empires.options import DELUXE
from engine.options import differing, every, offered, subjects
from engine.text import say
from tests.bot.discord_world import World, labels, words
from tests.bot.test_automatic_players import thought
from tests.often_said import FOR_MASTERS
from tests.toy import PEBBLES


def selects(message: Any) -> list[dict[str, Any]]:
    """The selects of a message, from above."""
    rows = [row if isinstance(row, dict) else row.to_dict() for row in message.components]
    return [item for row in rows for item in row["components"] if item["type"] == 3]


def chosen(message: Any) -> list[str]:
    """What the selects of a message show as chosen."""
    return [option["label"] for item in selects(message) for option in item["options"] if option.get("default")]


async def choose(who: Any, message: Any, label: str) -> Any:
    """Choose what is called so in one of the selects of a message; the message as it is then."""
    known = [(item, option) for item in selects(message) for option in item["options"]]
    ((item, value),) = [(item, option["value"]) for item, option in known if option["label"] == label] or [
        (item, option["value"]) for item, option in known if option["label"].startswith(label)]
    return (await who.select(message, [value], custom_id=item["custom_id"])).response


# --- a game -------------------------------------------------------------------------------------------------

@pytest.mark.parametrize("edition", GAME.editions, ids=lambda edition: edition.key)
async def test_each_preset_is_opened_by_taps_alone(empires: World, edition: Any) -> None:
    panel = (await empires.olga.slash(empires.table, "game open")).response
    assert panel.content.startswith("Open a game of Struggle of Empires: for how many players?")
    assert chosen(panel) == ["First edition (2004)"] and await empires.services.queries.games(guild=empires.guild.id) == []
    if edition.key != "first":
        panel = await choose(empires.olga, panel, edition.name)
    panel = await choose(empires.olga, panel, "4 players")
    assert chosen(panel) == [edition.name, "4 players"]
    said = words(await empires.olga.click(panel, label="Open it here"))
    assert said.startswith("Game 1, Struggle of Empires, is open in")
    row = await empires.services.queries.game(1)
    assert (row.edition, row.seats, row.options) == (edition.key, 4, {})
    post = empires.table.last_message
    assert post.content.partition("\n")[0].endswith(f" · {edition.name}") and "Changed:" not in post.content
    assert labels(post) == ["Join", "Add automatic players", "Options", "Who can join and see"]


@pytest.mark.parametrize(("game", "edition", "words"), [
    ("imperial_struggle", "published", []), ("attack", "base", []), ("struggle_of_empires", "deluxe", []),
    ("attack", "message", ["The game ends after 8 rounds, or when a player is out."]),
    ("imperial_struggle", "first_game", [
        "The game ends after the War of the Spanish Succession: above 15 VP France wins, below 15 Britain."]),
    ("imperial_struggle", "tournament", [
        "The players bid up to 5 treaty points for the side they want; the other side starts with them."])])
def test_a_preset_says_what_it_changes(game: str, edition: str, words: list[str]) -> None:
    """An edition with the rules of another one names the options in which they differ, before anybody opens or joins."""
    spec = find(game)
    assert [say(told) for told in preset_changes(spec, edition)] == words


async def test_a_game_for_two_does_not_ask_for_how_many(tmp_path: Path) -> None:
    async with World.at(tmp_path / "games.db", games=(replace(PEBBLES, seats=range(2, 3)),)) as world:
        panel = (await world.olga.slash(world.table, "game open")).response
        assert panel.content.startswith("Open a game of Pebbles.") and selects(panel) == []
        await world.olga.click(panel, label="Open it here")
        assert (await world.services.queries.game(1)).seats == 2


async def test_a_game_is_opened_in_a_thread_of_its_own_by_taps(empires: World) -> None:
    panel = await choose(empires.olga, (await empires.olga.slash(empires.table, "game open")).response, "2 players")
    assert words(await empires.olga.click(panel, label="In its own thread")).startswith("Game 1")
    (thread,) = empires.table.threads
    assert (await empires.services.queries.game(1)).channel == thread.id


async def test_where_there_are_several_games_the_first_tap_chooses_one(tmp_path: Path) -> None:
    async with World.at(tmp_path / "games.db", (GAME, PEBBLES)) as world:
        panel = (await world.olga.slash(world.table, "game open")).response
        assert panel.content == "Which game do you want to open?" and len(selects(panel)) == 1
        panel = await choose(world.olga, panel, "Pebbles")
        assert panel.content.startswith("Open a game of Pebbles: for how many players?\n") and len(selects(panel)) == 2
        panel = await choose(world.olga, panel, "3 players")
        await world.olga.click(panel, label="Open it here")
        assert (await world.services.queries.game(1)).key == "pebbles"
        assert labels(world.table.last_message) == ["Join", "Options", "Who can join and see"]


async def test_what_was_typed_is_not_lost_on_the_way_to_the_panel(empires: World) -> None:
    said = words(await empires.olga.slash(empires.table, "game open", options="help.auto_call=False"))
    assert said == "Also say which game and for how many players: `game` and `seats`."
    assert await empires.services.queries.games(guild=empires.guild.id) == []


@pytest.mark.parametrize(("given", "sentence"), [
    ({"game": "chess"}, "There is no game of that name. Choose among: Struggle of Empires."),
    ({"edition": "golden:" * 20}, "Struggle of Empires has no edition golden:golden:"),
    ({"game": "struggle_of_empires", "seats": 9}, "Struggle of Empires is for 2 to 7 players, so it can't have 9 seats.")])
async def test_what_cannot_be_opened_has_no_panel(empires: World, given: dict[str, Any], sentence: str) -> None:
    assert words(await empires.olga.slash(empires.table, "game open", **given)).startswith(sentence)
    assert await empires.services.queries.games(guild=empires.guild.id) == []


async def test_games_of_one_name_get_a_number_that_tells_them_apart(world: World) -> None:
    for place in ("this channel", "a new thread"):
        await world.opened(place=place)
    await world.opened(title="Friday 2")
    await world.opened(title="Friday")
    await world.opened(title="Friday")
    assert [thread.name for thread in world.table.threads] == ["Pebbles (2)"]
    assert [game.title for game in await world.services.queries.games(guild=world.guild.id)] == [
        "Pebbles", "Pebbles (2)", "Friday 2", "Friday", "Friday (3)"], "earlier ones have no brackets"


@pytest.mark.parametrize("spec", GAMES, ids=lambda spec: spec.key)
async def test_a_game_for_one_alone_is_one_tap_after_its_title_and_it_is_their_move(tmp_path: Path, spec: Any) -> None:
    """In a direct message: nothing of joining, starting, other members, or seats that are given up."""
    async with World.at(tmp_path / "games.db", GAMES) as world:
        there = world.olga.user.dm_channel
        panel = (await world.olga.user.slash("game open")).response
        panel = await choose(world.olga.user, panel, spec.name)
        shown = (await world.olga.user.click(panel, label="Play against automatic players")).response
        await thought(world)
        (seat,) = [holder.seat for holder in await world.services.queries.holders(1) if holder.user == world.olga.id]
        assert (await world.services.session.table(1)).asked(seat) is not None
        assert len(labels(shown)) > 1 or any(world.olga.mention in message.content for message in there.history()[-3:])
        posts = [message.content for message in there.history()]
        places = [next(at for at, post in enumerate(posts) if words in post) for words in (" · game 1 · ", " starts with ")]
        assert places == sorted(places), "the status stands above all that happens"
        told = " ".join(posts)
        assert not re.search(r"\b(join|host|given up|members?|resigns)\b", told, re.IGNORECASE), told
        assert not {"Join", "Start", "Leave"} & {label for message in there.history() for label in labels(message)}


# --- its options --------------------------------------------------------------------------------------------

async def panel_of(world: World, who: Any) -> Any:
    """The options of game 1, as somebody opens them from its message at the table."""
    return (await who.click(world.table.last_message, label="Options")).response


async def test_an_option_of_two_values_is_changed_in_place_undone_and_set_back_by_taps(empires: World) -> None:
    await empires.olga.slash(empires.table, "game open", seats=4, game="struggle_of_empires", edition="deluxe")
    panel = await panel_of(empires, empires.olga)
    panel = await choose(empires.olga, panel, "Attacks, losses")
    shown = {option["label"]: option["description"] for option in selects(panel)[1]["options"]}
    assert shown["Army or fort"] == "If you can lose an army or a fort, you choose which."
    panel = await choose(empires.olga, panel, "Army or fort")
    assert panel.content.startswith("Changed: An army is lost before a fort; nobody is asked.")
    assert (await empires.services.queries.game(1)).options == {"loss.army_first": True}
    assert "\nChanged: An army is lost before a fort; nobody is asked." in empires.table.last_message.content
    panel = (await empires.olga.click(panel, label="Undo")).response
    assert (await empires.services.queries.game(1)).options == {}
    panel = await choose(empires.olga, panel, "Army or fort")
    panel = (await empires.olga.click(panel, label="Back")).response
    assert "Different from *Deluxe edition (2020)*:\n- Army or fort: An army is lost before a fort; nobody is asked." in \
        panel.content
    panel = (await empires.olga.click(panel, label="Reset all")).response
    assert (await empires.services.queries.game(1)).options == {} and "Reset all" not in labels(panel)


async def test_hints_take_two_taps(empires: World) -> None:
    await empires.olga.slash(empires.table, "game open", seats=4, game="struggle_of_empires")
    panel = (await empires.olga.click(await panel_of(empires, empires.olga), label="Turn hints on")).response
    assert (await empires.services.queries.game(1)).options == {"coach.hints": "on"}
    assert panel.content.startswith("Changed: Everybody can ask for hints in private.")
    panel = (await empires.olga.click((await empires.olga.click(panel, label="Back")).response, label="Turn hints off")).response
    assert panel.content.startswith("Changed: Nobody gets hints.")


async def test_another_preset_keeps_what_was_changed_and_can_be_undone(empires: World) -> None:
    await empires.olga.slash(empires.table, "game open", seats=4, game="struggle_of_empires", options="unrest.model=bag")
    first = (await empires.services.queries.game(1)).pack_hash
    panel = await choose(empires.olga, await panel_of(empires, empires.olga), "Deluxe without non-player powers")
    row = await empires.services.queries.game(1)
    assert (row.edition, row.options) == ("deluxe_without_npp", {"unrest.model": "bag"}) and row.pack_hash != first
    assert "Standard rules: Deluxe without non-player powers." in panel.content
    panel = (await empires.olga.click(panel, label="Undo")).response
    row = await empires.services.queries.game(1)
    assert (row.edition, row.pack_hash) == ("first", first) and "Unrest: You draw unrest" in panel.content


async def test_what_differs_in_many_options_is_counted(empires: World) -> None:
    found = differing(GAME, "first", DELUXE)
    typed = " ".join(f"{choice.key}={value}" for choice, value in found)
    await empires.olga.slash(empires.table, "game open", game="struggle_of_empires", seats=4, options=typed)
    post = empires.table.last_message.content
    assert f"And {len(found) - 1} more options." in post and "\n- " not in post
    told = (await panel_of(empires, empires.olga)).content
    assert told.count("\n- ") == FEW + 1 and f"- and {len(found) - FEW} more options" in told


async def test_every_page_of_the_options_fits_on_a_phone(empires: World) -> None:
    """What Discord would refuse, the world refuses when it is checked."""
    await empires.olga.slash(empires.table, "game open", seats=4, edition="deluxe", options="gold.public=False")
    first = await panel_of(empires, empires.bob)
    for subject in subjects(GAME):
        panel = await choose(empires.bob, first, say(subject.name))
        assert say(subject.name) in panel.content and len(panel.content) < 700
        for choice in subject.choices:
            one = await choose(empires.bob, panel, say(choice.name))
            assert one.content.count("(now)") == 1 and len(one.content) < 700
            panel = (await empires.bob.click(one, label="Back")).response


async def test_who_is_no_game_master_reads_the_options_and_changes_none(empires: World) -> None:
    await empires.olga.slash(empires.table, "game open", seats=4, game="struggle_of_empires")
    panel = await panel_of(empires, empires.bob)
    assert [item["placeholder"] for item in selects(panel)] == ["Which options?"]
    panel = await choose(empires.bob, await choose(empires.bob, panel, "Attacks, losses"), "Army or fort")
    assert "- An army is lost before a fort; nobody is asked." in panel.content and len(selects(panel)) == 2
    forged = view([button("x", AnyRoute(name), 1, *facts) for name, facts in (
        ("optvalue", ("loss.army_first", "True")), ("optboth", ("loss.army_first=True+unrest.model=bag",)),
        ("optpreset", ("deluxe",)), ("optfresh", ("deluxe",)), ("optclear", ()))])
    assert forged is not None
    posted = await empires.bot.get_partial_messageable(empires.table.id).send("-", view=forged)
    pressed: list[Any] = forged.children
    for custom_id in [item.custom_id for item in pressed]:
        assert words(await empires.bob.click(posted, custom_id=custom_id)).startswith(FOR_MASTERS)
    row = await empires.services.queries.game(1)
    assert (row.edition, row.options) == ("first", {})


async def test_options_are_looked_up_while_the_game_runs_and_change_no_more(empires: World) -> None:
    await empires.olga.slash(empires.table, "game open", seats=2, game="struggle_of_empires", options="loss.army_first=True")
    panel = await choose(empires.olga, await panel_of(empires, empires.olga), "Hints, dice")
    panel = await choose(empires.olga, panel, "When only automatic")
    for who in (empires.alice, empires.bob):
        await who.slash(empires.table, "game join")
    await empires.olga.slash(empires.table, "game start")
    (value,) = [item for item in selects(panel) if item["custom_id"].startswith("optvalue")]
    late = await empires.olga.select(panel, ["minute"], custom_id=value["custom_id"])
    assert words(late).startswith("The game has already started.")
    shown = await empires.carol.slash(empires.table, "game status")
    panel = (await empires.carol.click(shown.response, label="Options")).response
    assert "Different from *First edition (2004)*:\n- Army or fort: An army is lost before a fort" in panel.content
    assert (await empires.services.queries.game(1)).options == {"loss.army_first": True}


async def test_who_sees_what_is_told_before_joining_and_stays(empires: World) -> None:
    await empires.olga.slash(empires.table, "game open", seats=3, game="struggle_of_empires")
    status = empires.table.last_message

    async def told(who: Any) -> str:
        return words(await who.click(status, label="Who can join and see"))
    assert "The game master can't see anybody's unrest before the end." in await told(empires.bob)
    panel = await choose(empires.olga, await panel_of(empires, empires.olga), "Unrest, the end")
    panel = await choose(empires.olga, panel, "The game master and secrets")
    assert "The game master can look at everybody's unrest" in await told(empires.bob)
    joined = words(await empires.alice.slash(empires.table, "game join")).splitlines()
    assert len(joined) == 4 and "can look at everybody's unrest" in joined[1], "what was joined, and three lines"
    said = (await empires.olga.click(panel, label="Undo")).response.content
    assert said == "Somebody has already joined and was told who sees what, so that can't change. Open another game for it."
    assert (await empires.services.queries.game(1)).options == {"gm.sees_secrets": True}


async def test_who_has_joined_is_told_of_each_change(empires: World) -> None:
    await empires.olga.slash(empires.table, "game open", seats=3, game="struggle_of_empires")
    status = empires.table.last_message
    await empires.alice.slash(empires.table, "game join")
    panel = (await empires.olga.click(status, label="Options")).response
    await choose(empires.olga, await choose(empires.olga, panel, "Attacks, losses"), "Army or fort")
    assert any("changes the options. An army is lost before a fort; nobody is asked." in post for post in empires.posts())


async def test_a_contradiction_is_refused_with_the_reason_and_a_way_out(empires: World) -> None:
    await empires.olga.slash(empires.table, "game open", seats=3)
    panel = await choose(empires.olga, await panel_of(empires, empires.olga), "Moving and building")
    panel = await choose(empires.olga, panel, "Crossings")
    assert panel.content.startswith("Navigation adds to the second die of a crossing") and "(now)" in panel.content
    assert (await empires.services.queries.game(1)).options == {}
    (also,) = [label for label in labels(panel) if label.startswith("Also: ")]
    assert also.startswith("Also: With Navigation, mending a crossing costs 1 gold less. A bad")
    panel = (await empires.olga.click(panel, label=also)).response
    changed = {"cross.model": "far_lands_die", "navigation.effect": "mending", "cross.rescue_gold": True}
    assert (await empires.services.queries.game(1)).options == changed
    await empires.olga.click(panel, label="Undo")
    assert (await empires.services.queries.game(1)).options == {}


async def test_a_change_that_another_preset_does_not_bear_can_be_dropped(empires: World) -> None:
    await empires.olga.slash(empires.table, "game open", seats=3, edition="deluxe", options="alliance.one_per=area")
    panel = await choose(empires.olga, await panel_of(empires, empires.olga), "First edition (2004)")
    assert panel.content.startswith("One alliance for each area") and (await empires.services.queries.game(1)).edition == "deluxe"
    await empires.olga.click(panel, label="As it was")
    row = await empires.services.queries.game(1)
    assert (row.edition, row.options) == ("first", {})


async def test_typed_contradictions_open_nothing(empires: World) -> None:
    said = await empires.olga.slash(empires.table, "game open", seats=3, options="alliance.one_per=area")
    assert words(said).startswith("One alliance for each area (alliance.one_per: area) is a limit for local alliance markers")
    assert await empires.services.queries.games(guild=empires.guild.id) == []


# --- data packs ---------------------------------------------------------------------------------------------

async def test_a_template_is_filled_in_and_handed_in(empires: World) -> None:
    shown = await empires.olga.slash(empires.table, "game provenance", edition="deluxe")
    given = (await empires.olga.click(shown.response, label="As a data pack")).response
    (file,) = given.attachments
    assert file.filename == "struggle_of_empires-deluxe.json"
    pack = json.loads(await file.read())
    banking = next(tile for tile in pack["tiles"] if tile["id"] == "banking")
    assert banking["cost"]["gold"] == 1 and "price" in banking["note"] and "SOE-11.1.2" in banking["note"]
    banking["cost"]["gold"] = 7
    said = await empires.olga.slash(empires.table, "game open", seats=3, data=("mine.json", json.dumps(pack).encode()))
    assert words(said).startswith("Game 1, Struggle of Empires, is open")
    row = await empires.services.queries.game(1)
    assert row.edition == "deluxe" and (await empires.services.visits.onlooker(1)).parts.tile["banking"].cost.gold == 7
    shown = await empires.carol.slash(empires.table, "game provenance", what="Banking")
    assert "1 is from the data pack" in words(shown) and "Banking: 7 gold" in words(shown)


async def test_a_game_with_a_pack_stays_with_the_data_that_it_corrects(empires: World) -> None:
    pack = b'{"edition": "deluxe", "tiles": [{"id": "banking", "cost": {"gold": 7}}]}'
    await empires.olga.slash(empires.table, "game open", seats=3, data=("mine.json", pack))
    panel = await choose(empires.olga, await panel_of(empires, empires.olga), "Deluxe without non-player powers")
    assert panel.content.startswith("Changed.")
    assert (await empires.services.visits.onlooker(1)).parts.tile["banking"].cost.gold == 7
    panel = await choose(empires.olga, panel, "First edition (2004)")
    assert panel.content == "This game has a data pack for one edition. Open another game for another edition."


async def test_all_faults_of_a_pack_are_told_at_once(empires: World) -> None:
    pack = b'{"tiles": [{"id": "bankin"}, {"id": "banking", "costs": 1}]}'
    said = await empires.olga.slash(empires.table, "game open", seats=3, data=("mine.json", pack))
    head, *faults = words(said).splitlines()
    assert head == "Data pack: 2 faults." and [fault.split(":")[0] for fault in faults] == ["- tiles", "- tiles, banking"]
    assert await empires.services.queries.games(guild=empires.guild.id) == []


# --- the words ----------------------------------------------------------------------------------------------

@pytest.mark.parametrize("spec", GAMES, ids=lambda spec: spec.key)
def test_every_value_of_every_option_is_said_in_plain_words(spec: Any) -> None:
    assert {choice.key for choice in every(spec)} == set(offered(spec)) > set(spec.rules.choices)
    for choice in every(spec):
        assert set(choice.says) == set(offered(spec)[choice.key]), choice.key
        said = [say(sentence) for sentence in choice.says.values()]
        assert len(set(said)) == len(said) and all(len(one) <= 100 and one.endswith(".") for one in said), choice.key


@pytest.mark.parametrize("spec", GAMES, ids=lambda spec: spec.key)
def test_the_options_fit_into_selects(spec: Any) -> None:
    assert len(subjects(spec)) <= 6 and all(0 < len(subject.choices) <= 25 for subject in subjects(spec))
    assert len({choice.name.template for choice in every(spec)}) == len(list(every(spec)))
