"""Several answers in one form: all of them or none, and what is given at once for later."""
from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from discord import SelectOption
from simcord.enums import InteractionType

from bot.discord.orders.series import shared_out
from engine.games.attack import GAME as ATTACK
from engine.games.attack.rules.production import Buy
from engine.games.attack.rules.turns import Begin
from engine.games.struggle_of_empires import GAME as STRUGGLE
from engine.games.struggle_of_empires.actions import Place
from engine.refusals import Refusal
from engine.text import say
from tests.bot.discord_world import World, labels, options, said
from tests.bot.menu_taps import controls, used
from tests.bot.test_ways_on import WAR
from tests.bot.test_whole_game import sketch
from tests.games.attack.scene import scene as attack_scene
from tests.often_said import EARLIER
from tests.position import starting_at
from tests.scene import prepared as prepared_struggle

PLACING: dict[str, Any] = {"powers": ("austria", "britain"), "phase": "placing", "first": "austria",
                           "markers": {"austria": {"india": 1}, "britain": {"africa": 1}}}
UNITS = ("Place an army in the Baltic", "Place a fort in Africa", "Place a navy in India",
         "Place an army in India", "Place an army in India")


async def begun(world: World, key: str) -> None:
    """A game of Alice and Bob."""
    await world.olga.slash(world.table, "game open", game=key, seats=2)
    for person in (world.alice, world.bob):
        await person.slash(world.table, "game join")
    await world.olga.slash(world.table, "game start")


async def sent(person: Any, form: Any, wanted: dict[str, str]) -> Any:
    """The form, filled in by the labels of its lines and choices."""
    values = {}
    for line in form.modal["components"]:
        if line["label"] in wanted:
            chosen = next(option["value"] for option in line["component"]["options"] if option["label"] == wanted[line["label"]])
            values[line["component"]["custom_id"]] = [chosen]
    return said(await person.submit_modal(form, values))


async def test_a_purchase_that_is_too_dear_together_is_not_made_at_all(tmp_path: Path) -> None:
    async with World.at(tmp_path / "games.db", (starting_at(ATTACK, attack_scene(**WAR).start.state),), sketch) as world:
        await begun(world, ATTACK.key)
        await world.services.answers.answer(1, world.alice.id, Begin(action="production"))
        points = (await world.services.session.table(1)).state.turn.points
        panel = said(await world.alice.slash(world.table, "my move"))
        (label,) = [label for label in labels(panel) if label.startswith("Buy: infantry")]
        assert labels(panel).index(label) < labels(panel).index("End the turn")
        form = await world.alice.click(panel, label=label)
        assert form.modal["title"] == f"Buy: {points} production points to spend"
        refused = await sent(world.alice, form, {"Infantry": "2", "Tank": "1"})
        assert "Not possible with the rest: " in refused.content and "Nothing has been done." in refused.content
        table = await world.services.session.table(1)
        assert (table.state.turn.basket, table.state.turn.points, await world.newest()) == ({}, points, 1)
        form = await world.alice.click(refused, label="Fill it in again")
        before = {line["label"]: [option["label"] for option in line["component"]["options"] if option.get("default")]
                  for line in form.modal["components"]}
        assert before == {"Infantry": ["2"], "Tank": ["1"], "Artillery": []}
        fields = [{"type": 1, "components": [{"type": 4, "custom_id": str(number), "value": "9" * 100}]} for number in range(3)]
        endless = said(await world.alice._dispatch_interaction(
            InteractionType.MODAL_SUBMIT, world.table, {"custom_id": form.modal["custom_id"], "components": fields}))
        assert "Type a whole number" in endless.content and "Fill it in again" not in labels(endless), "no button could hold that"
        done = await sent(world.alice, await world.alice.click(refused, label=label), {"Infantry": "1", "Artillery": "1"})
        lines = ["1. 1 infantry (5 production points)", "2. 1 artillery (8 production points)"]
        assert "\n".join(lines) in done.content and "You add" not in done.content, "it is numbered, and told only so"
        assert (await world.services.session.table(1)).state.turn.basket == {"infantry": 1, "artillery": 1}
        assert not any("artillery" in post for post in world.posts()), "a basket is nobody else's business"
        drop = next(one for one in controls(done) if one.label == lines[0])
        dropped = said(await world.alice.select(done, [drop.value], custom_id=drop.custom_id))
        assert "1. 1 artillery" in dropped.content


async def test_a_panel_shows_the_board_with_its_numbers_and_says_a_move_once(tmp_path: Path) -> None:
    async with World.at(tmp_path / "games.db", (starting_at(ATTACK, attack_scene(**WAR).start.state),), sketch) as world:
        await begun(world, ATTACK.key)
        panel = said(await world.alice.slash(world.table, "my move"))
        board = said(await world.alice.click(panel, label="My board"))
        assert board.attachments and "Back to the game" in labels(board)
        panel = said(await world.alice.slash(world.table, "my move"))
        movement = next(one for one in controls(panel) if one.label == "Movement")
        begun_so = said(await used(world.alice, panel, movement))
        assert "Movement: which units move?" in begun_so.content and "Chosen: Movement" not in begun_so.content


async def test_a_form_that_fails_shows_in_no_menu_that_is_being_built(tmp_path: Path) -> None:
    """A panel that waited for the file read of units that were never bought, and its buttons counted for the row after these."""
    async with World.at(tmp_path / "games.db", (starting_at(ATTACK, attack_scene(**WAR).start.state),), sketch) as world:
        await begun(world, ATTACK.key)
        await world.services.answers.answer(1, world.alice.id, Begin(action="production"))
        looked_at = await world.services.session.table(1)
        with pytest.raises(Refusal, match=r"Not possible with the rest: .*1 tank"):
            two = [Buy(kind="infantry", number=2), Buy(kind="tank", number=1)]
            await world.services.answers.answer_in_turn(1, world.alice.id, two, asked_at=looked_at.asked_at)
        assert looked_at.state.turn.basket == {} and looked_at.last_no == await world.newest() == 1


async def test_an_earlier_form_does_nothing(tmp_path: Path) -> None:
    async with World.at(tmp_path / "games.db", (starting_at(ATTACK, attack_scene(**WAR).start.state),), sketch) as world:
        await begun(world, ATTACK.key)
        await world.services.answers.answer(1, world.alice.id, Begin(action="production"))
        panel = said(await world.alice.slash(world.table, "my move"))
        form = await world.alice.click(panel, label=next(label for label in labels(panel) if label.startswith("Buy: infantry")))
        await world.services.answers.answer(1, world.alice.id, Buy(kind="tank", number=1))
        late = await sent(world.alice, form, {"Infantry": "1"})
        assert late.content.startswith(EARLIER)
        assert (await world.services.session.table(1)).state.turn.basket == {"tank": 1}


async def test_answers_after_which_something_else_is_asked_are_not_given(tmp_path: Path) -> None:
    async with World.at(tmp_path / "games.db", (prepared_struggle(**PLACING),), sketch) as world:
        await begun(world, STRUGGLE.key)
        two = [Place.of("army", "india"), Place.of("army", "africa")]
        with pytest.raises(Refusal) as refused:
            await world.services.answers.answer_in_turn(1, world.alice.id, two, asked_at=0)
        assert "Nothing has been done." in say(refused.value.text)
        assert await world.newest() == 0 and (await world.services.session.table(1)).asked(
            (await world.services.queries.holders(1))[0].seat) is not None


async def test_all_seats_place_their_units_at_once_and_each_stands_when_its_turn_comes(tmp_path: Path) -> None:
    """SOE-2.2.2, DP-02: five passes around the table, from lists that are used in order."""
    async with World.at(tmp_path / "games.db", (prepared_struggle(**PLACING),), sketch) as world:
        await begun(world, STRUGGLE.key)
        listed = options(said(await world.bob.slash(world.table, "orders list")))
        assert "Your starting units" in listed and "Your power" not in listed, "only what can still come up"
        invitation = world.question("Fill in your form now")
        assert all(f"<@{person.id}>" in invitation.content for person in (world.alice, world.bob))
        filled = {f"{number} of 5": unit for number, unit in enumerate(UNITS, 1)}
        form = await world.bob.click(invitation, label="Place your 5 starting units")
        offered = [{one["label"] for one in line["component"]["options"]} for line in form.modal["components"]]
        assert len(offered) == 5 and len(offered[0]) == 25 and len(offered[0] | offered[-1]) == 30, "nothing is out of reach"
        assert [line.get("description") for line in form.modal["components"]] == [
            "5 more choices are in the last lists", *[None] * 4]
        kept = await sent(world.bob, form, filled)
        assert "Saved." in kept.content and "Place an army in India." in kept.content
        assert await world.newest() == 0, "Austria comes first"
        assert not any("India" in post for post in world.posts()), "nobody sees what will be placed"
        await sent(world.alice, await world.alice.click(invitation, label="Place your 5 starting units"), filled)
        rows = await world.store.read(lambda ledger: ledger.log.rows(1))
        assert [(row.seat, row.verb) for row in rows] == [(f"seat_{1 + n % 2}", "place") for n in range(10)]
        state = (await world.services.session.table(1)).state
        assert state.phase == "auction"
        listed = options(said(await world.bob.slash(world.table, "orders list")))
        assert not {"Your power", "Your starting units"} & set(listed) and "Open an auction" in listed
        assert state.units["britain"] == {"army": {"india": 2, "baltic": 1}, "navy": {"india": 1}, "fort": {"africa": 1}}
        assert invitation.id not in [post.id for post in world.table.history()], "there is nothing left to place"


@pytest.mark.parametrize("answers, lines, missing", [(25, 5, 0), (30, 1, 5), (30, 5, 0), (60, 5, 0), (100, 5, 25)])
def test_a_form_reaches_every_answer_or_says_how_many_it_does_not(answers: int, lines: int, missing: int) -> None:
    offered = [SelectOption(label=f"Place {number}") for number in range(answers)]
    shared = shared_out(offered, lines)
    assert len(shared) == lines and all(len(options) <= 25 for options, _ in shared)
    assert len({one.label for options, _ in shared for one in options}) == answers - missing
    told = "" if isinstance(shared[0][1], str) else say(shared[0][1])
    assert told == (f"{missing} more choices appear if you're asked one at a time" if missing else
                    f"{answers - 25} more choices are in the last lists" if answers > 25 else "")


async def test_who_alone_is_asked_for_all_units_finds_the_form_in_the_question(tmp_path: Path) -> None:
    async with World.at(tmp_path / "games.db", (prepared_struggle(**PLACING),), sketch) as world:
        await world.olga.slash(world.table, "game open", game=STRUGGLE.key, seats=2)
        await world.alice.slash(world.table, "game join")
        await world.services.lobby.fill(1, "beginners", world.olga.id)
        await world.olga.slash(world.table, "game start")
        assert not any("Fill in your form now" in post for post in world.posts())
        asked = world.question("Place starting unit 1 of 5")
        assert labels(asked) == ["Place your 5 starting units", "Your move", "Your secrets"]


async def test_what_a_form_places_at_once_is_not_listed_as_hidden(tmp_path: Path) -> None:
    async with World.at(tmp_path / "games.db", (prepared_struggle(**PLACING),), sketch) as world:
        await begun(world, STRUGGLE.key)
        form = await world.alice.click(world.question("Fill in your form now"), label="Place your 5 starting units")
        kept = await sent(world.alice, form, {f"{number} of 5": unit for number, unit in enumerate(UNITS, 1)})
        told, hidden = kept.content.split("Nobody else sees this before its turn comes:")
        assert told == "Placed 1 unit.\n", "the channel tells which"
        assert hidden.split("\n")[1:] == [f"{number}. {unit}." for number, unit in enumerate(UNITS[1:], 1)]


async def test_a_form_for_all_can_be_filled_in_anew(tmp_path: Path) -> None:
    async with World.at(tmp_path / "games.db", (prepared_struggle(**PLACING),), sketch) as world:
        await begun(world, STRUGGLE.key)
        invitation = world.question("Fill in your form now")
        for unit in ("Place an army in India", "Place a navy in India"):
            form = await world.bob.click(invitation, label="Place your 5 starting units")
            await sent(world.bob, form, {f"{number} of 5": unit for number in range(1, 6)})
        (order,) = (await world.services.orders.own(1, world.bob.id)).kept
        assert {line.then.fields["unit"] for line in order.order.lines if line.then is not None} == {"navy"}
        assert order.left == 5


async def test_a_form_is_changed_line_by_line_from_what_waits(tmp_path: Path) -> None:
    """Who changes one line of five needn't choose the other four again, also once some of them are placed."""
    async with World.at(tmp_path / "games.db", (prepared_struggle(**PLACING),), sketch) as world:
        await begun(world, STRUGGLE.key)
        form = await world.alice.click(world.question("Fill in your form now"), label="Place your 5 starting units")
        kept = await sent(world.alice, form, {f"{number} of 5": unit for number, unit in enumerate(UNITS, 1)})
        form = await world.alice.click(kept, label="Change it")
        assert [[one["label"] for one in line["component"]["options"] if one.get("default")]
                for line in form.modal["components"]] == [[unit] for unit in UNITS[1:]], "the first one is on the board"
        others = enumerate((*UNITS[1:4], UNITS[0]), 1)
        changed = await sent(world.alice, form, {f"{number} of 4": unit for number, unit in others})
        assert f"4. {UNITS[0]}." in changed.content


async def test_more_planes_than_there_are_can_be_put_right_in_the_same_form(tmp_path: Path) -> None:
    """ATK-3.4.1: nothing is dropped without a word when its turn comes."""
    scene = attack_scene(land={"france": ("red", "1I"), "cuba": ("blue", "1I")}, phase="deploying",
                         pools={"red": "2P 3T", "blue": "2P 3T"})
    async with World.at(tmp_path / "games.db", (starting_at(ATTACK, scene.start.state),), sketch) as world:
        await begun(world, ATTACK.key)
        form = await world.bob.click(world.question("Fill in your form now"), label="Place your next 5 units")
        filled = {"1 of 5": "1 plane in Cuba", "2 of 5": "1 plane in Cuba", "3 of 5": "1 plane in Cuba",
                  "4 of 5": "1 tank in Cuba", "5 of 5": "1 tank in Cuba"}
        refused = await sent(world.bob, form, filled)
        assert refused.content == "You have only 2 planes left to place. (ATK-3.4.1)"
        assert not (await world.services.orders.own(1, world.bob.id)).kept
        form = await world.bob.click(refused, label="Fill it in again")
        kept = {line["label"]: [option["label"] for option in line["component"]["options"] if option.get("default")]
                for line in form.modal["components"]}
        assert kept == {line: [unit] for line, unit in filled.items()}
        assert "Saved." in (await sent(world.bob, form, filled | {"3 of 5": "1 tank in Cuba"})).content
