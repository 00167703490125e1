"""Buttons: the right person, the present question, once, and after a restart too."""
from __future__ import annotations

from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from bot.core.session import Session
from bot.discord import components
from bot.discord.components import AnyRoute, _registered, button, view
from bot.discord.game.action_menu import screen
from bot.discord.game.menu_path import Step, stamp, token, walk
from bot.discord.lengths import CUSTOM_ID
from engine.kernel import Checkpoint, Seat, Table
from engine.refusals import Stale
from tests.bot.discord_world import World, custom_ids, labels, options, words
from tests.games.imperial_struggle.scene import scene
from tests.often_said import EARLIER
from tests.toy import FAIR, PEBBLES, Give, Guess, State, Take, Throw, pebbles

CUSTOM_IDS = Path(__file__).parent.parent / "fixtures" / "custom-ids.txt"       # a name, and what its facts are read by


async def nothing_changed(world: World, before: int) -> None:
    assert await world.newest() == before


async def test_a_button_gives_its_answer(world: World) -> None:
    """Everybody reads it in the channel, so no message for the one who pressed says it again."""
    await world.guessed()
    pressed = await world.alice.click(world.question("**Amber**: The heap"), label="Take 2 pebbles, left")
    assert (pressed.acknowledged, pressed.response, list(pressed.followups)) == (True, None, [])
    assert "Amber takes 2 pebbles." in world.told()


async def test_a_sealed_answer_of_which_the_channel_says_nothing_is_confirmed_in_private(world: World) -> None:
    await world.started()
    assert words(await world.alice.click(world.question("**Amber**"), label="Guess: 4")) != ""


async def test_a_game_that_cannot_be_looked_at_can_still_be_closed(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    await world.guessed()

    async def unwell(self: Session, game: int) -> None:
        raise LookupError("nobody may read this")

    monkeypatch.setattr(Session, "loaded", unwell)
    told = words(await world.alice.slash(world.table, "my move"))
    assert told.startswith("I can't show where this game stands.") and "nobody" not in told
    closing = await world.olga.slash(world.table, "gm close")
    await world.olga.click(closing.response, label="Close the game")
    assert (await world.services.queries.game(1)).status == "closed"


@pytest.mark.parametrize("who", ["bob", "carol"])
async def test_the_wrong_person_is_told_whose_question_it_is(world: World, who: str) -> None:
    await world.guessed()
    before = await world.newest()
    said = words(await getattr(world, who).click(world.question("**Amber**: The heap"), label="Throw"))
    assert said == "It's Amber's move."
    await nothing_changed(world, before)


async def test_two_presses_at_the_same_moment_count_once(world: World) -> None:
    await world.guessed()
    question = world.question("**Amber**: The heap")
    async with world.together():
        first = await world.alice.click(question, label="Take 2 pebbles, left")
        second = await world.alice.click(question, label="Take 2 pebbles, left")
    assert words(first) == "" and words(second).startswith(EARLIER)
    assert (await world.services.session.table(1)).state.heap == 10


async def test_two_seats_answer_at_the_same_moment(world: World) -> None:
    await world.started()
    async with world.together():
        await world.alice.click(world.question("**Amber**"), label="Guess: 4")
        await world.bob.click(world.question("**Basalt**"), label="Guess: 7")
    assert (await world.services.session.table(1)).state.guess == {"seat_1": 4, "seat_2": 7}


async def test_two_answers_to_one_question_at_the_same_moment(world: World) -> None:
    await world.guessed()
    async with world.together():
        first = await world.alice.slash(world.table, "pebbles take", pebbles=1)
        second = await world.alice.slash(world.table, "pebbles throw")
    assert words(first).startswith("Amber takes 1 pebble.")
    assert words(second) == "Nothing to do right now. Turn 2."


async def test_an_old_button_shows_the_present_question(world: World) -> None:
    await world.guessed()
    old = await world.alice.slash(world.table, "my move")
    await world.alice.slash(world.table, "pebbles take", pebbles=1)
    await world.bob.slash(world.table, "pebbles take", pebbles=1)
    before = await world.newest()
    shown = await world.alice.click(old.response, label="Take 3 pebbles, left")
    assert words(shown).startswith(f"{EARLIER} Here is the current one.\n-# Turn 3\n**Amber**: The "
                                   "heap has 10. What do you do?")
    assert "Take 3 pebbles, left" in labels(shown.response)
    await nothing_changed(world, before)


async def test_a_button_from_an_undone_future_does_nothing(world: World) -> None:
    await world.guessed()
    await world.alice.slash(world.table, "pebbles take", pebbles=1)
    undone = await world.bob.slash(world.table, "my move")
    await world.olga.slash(world.table, "gm undo")
    before = await world.newest()
    said = words(await world.bob.click(undone.response, label="Take 3 pebbles, left"))
    assert said.startswith(EARLIER)
    await nothing_changed(world, before)


async def test_buttons_outlive_a_restart(world: World) -> None:
    await world.guessed()
    question, menu = world.question("**Amber**: The heap"), await world.alice.slash(world.table, "my move")
    await world.restart()
    assert words(await world.alice.click(question, label="Take 2 pebbles, left")) == ""
    assert "Amber takes 2 pebbles." in world.told()
    assert words(await world.alice.click(menu.response, label="Throw")).startswith(EARLIER)


async def test_an_answered_question_is_taken_away_once(world: World) -> None:
    await world.guessed()
    question = world.question("**Amber**: The heap")
    assert labels(question)
    await world.alice.slash(world.table, "pebbles take", pebbles=1)
    assert not any("**Amber**: The heap" in post for post in world.posts())
    await world.alice.slash(world.table, "pebbles give", to="Basalt", pebbles=1)
    gone = [request for request in world.env.http_requests if request.method == "DELETE" and str(question.id) in request.path]
    assert len(gone) == 1


async def test_after_the_end_no_button_works(world: World) -> None:
    await world.guessed()
    old = await world.alice.slash(world.table, "my move")
    for turn in range(4):
        who = (world.alice, world.bob)[turn % 2]
        shown = await who.slash(world.table, "pebbles take", pebbles=3)
    await world.bob.click(shown.response, label="Confirm")
    assert words(await world.alice.click(old.response, label="Throw")) == "The game is over."


async def test_a_seat_that_changed_hands_takes_its_buttons_along(world: World) -> None:
    await world.guessed()
    menu = await world.alice.slash(world.table, "my move")
    await world.olga.slash(world.table, "gm hand", seat="Amber", member=world.carol)
    assert words(await world.alice.click(menu.response, label="Throw")) == "It's Amber's move."
    question = world.question("**Amber**: The heap")
    assert words(await world.carol.click(question, label="Throw")) == ""
    assert any(line.startswith("Amber throws") for line in world.told())


async def test_a_button_of_another_version_says_so(world: World) -> None:
    await world.guessed()
    channel = world.bot.get_partial_messageable(world.table.id)
    await channel.send("From the past", view=view([
        button("Old", AnyRoute("bygone"), 1, 2, 3), button("Short", AnyRoute("do"), 1)]))
    message = world.question("From the past")
    for label in ("Old", "Short"):
        said = words(await world.alice.click(message, label=label))
        assert said == "This button is from an earlier version of the bot. Type /game status to go on."


# --- paths through a menu ---------------------------------------------------------------------------------

def message(components: list[Any]) -> Any:
    """Something with components, as the helpers of the world read them."""
    return SimpleNamespace(components=components)


def offered() -> list[Take | Throw]:
    state = State(seats=["seat_1", "seat_2"])
    return [*Take.options(state, Seat("seat_1")), *Throw.options(state, Seat("seat_1"))]


def test_a_path_asks_verb_and_fields_in_their_order() -> None:
    step = walk(PEBBLES.words.menus, offered(), ())
    assert isinstance(step, Step) and (step.field, list(step.values)) == (None, ["take", "throw"])
    step = walk(PEBBLES.words.menus, offered(), ("take",))
    assert isinstance(step, Step) and (step.field, list(step.values.values())) == ("pebbles", [1, 2, 3])
    step = walk(PEBBLES.words.menus, offered(), ("take", token(2)))
    assert isinstance(step, Step) and (step.field, list(step.values.values())) == ("hand", ["left", "right"])
    assert walk(PEBBLES.words.menus, offered(), ("take", token(2), token("right"))) == Take.of(2, "right")


def test_what_has_one_value_is_not_asked() -> None:
    assert walk(PEBBLES.words.menus, offered(), ("throw",)) == Throw.of()
    assert walk(PEBBLES.words.menus, [Give.of("seat_2", 1)], ()) == Give.of("seat_2", 1)


@pytest.mark.parametrize("path", [("guess",), ("take", token(7)), ("throw", token(1)), ("take", token(1), token("foot"))])
def test_a_path_that_leads_nowhere_is_stale(path: tuple[str, ...]) -> None:
    with pytest.raises(Stale):
        walk(PEBBLES.words.menus, offered(), path)


async def test_many_values_are_shown_in_pages() -> None:
    rich = State(phase="taking", seats=["seat_1", "seat_2"], taken={"seat_1": 90})
    table = Table(PEBBLES, {}, Checkpoint(0, 0, rich.model_dump_json()), dice=FAIR)
    first = screen(table, 1, Seat("seat_1"), ("give",))
    second = screen(table, 1, Seat("seat_1"), ("give",), page=1)
    shown = [message(page.view.to_components()) for page in (first, second) if page.view is not None]
    assert [list(options(page))[::len(options(page)) - 1] for page in shown] == [["1", "75"], ["76", "90"]]
    assert [labels(page) for page in shown] == [["More", "Back"], ["Previous", "Back"]]


def test_a_menu_changes_with_the_log_for_asides_and_with_the_question_for_answers() -> None:
    table = pebbles()
    stamps = [(stamp(table, ()), stamp(table, ("give",)))]
    for seat, action in ((1, Guess.of(3)), (2, Guess.of(4)), (1, Take.of(2, "left")), (1, Give.of("seat_2", 1))):
        table.answer(Seat(f"seat_{seat}"), action)
        stamps.append((stamp(table, ()), stamp(table, ("give",))))
    assert stamps == [(0, 0), (0, 0), (2, 2), (3, 3), (3, 4)], "of a sealed answer nobody sees that it is in"


async def test_a_custom_id_is_never_longer_than_discord_allows() -> None:
    assert len(AnyRoute("do").custom_id("1" * 97)) == CUSTOM_ID
    with pytest.raises(AssertionError, match="101 characters"):
        button("Too much", AnyRoute("do"), "1" * 98)


async def test_everything_a_menu_shows_carries_where_it_stands(world: World) -> None:
    await world.guessed()
    menu = await world.alice.slash(world.table, "my move")
    asked_at = (await world.services.session.table(1)).asked_at
    answers = [id for label, id in custom_ids(menu.response).items() if label not in ("Orders", "What happened?", "Ask to undo")]
    assert all(id.startswith(f"do:1:seat_1:{asked_at}:") for id in answers)


def written(kind: components.Kind) -> str:
    """How the table of custom ids calls what a fact is read by."""
    if isinstance(kind, partial):
        return "|".join(kind.args[0]).replace(" ", "_")
    return "int" if kind is components._number else "str"


def still_read(earlier: str, now: str) -> bool:
    """Whether a fact that an earlier version wrote is read now: further words may have come to be."""
    return earlier == now or ("|" in earlier and {*earlier.split("|")} <= {*now.split("|")})


def test_a_button_that_was_posted_once_leads_somewhere_for_ever() -> None:
    """A name that is gone, or another fact, leaves every button that was posted before without its meaning."""
    found = {name: [written(kind) for kind in known.kinds] for name, known in _registered.items()}
    listed = {name: kinds for name, *kinds in map(str.split, CUSTOM_IDS.read_text(encoding="utf-8").splitlines())}
    lost = [name for name, kinds in listed.items()
            if len(found.get(name, "")) != len(kinds) or not all(map(still_read, kinds, found[name]))]
    assert lost == [], "these were posted long ago and must still be read"
    new = [" ".join((name, *kinds)) for name, kinds in found.items() if name not in listed]
    assert new == [], f"new buttons live for ever from now on: add these lines to {CUSTOM_IDS.name}"


def test_what_has_no_room_on_its_button_stands_above_the_buttons() -> None:
    at = scene(active="britain", tile="4 EP / 2 MP", holders={"iroquois_raids": "britain"}, flags={"cataraqui": "france"})
    shown = screen(at.table, 1, at.state.seat("britain"), ("advantage",))
    label = "Iroquois Raids: Cataraqui"
    assert f"{label} · France's flag stops counting, and taking it off costs 1" in shown.words
    assert shown.view is not None and any(one.endswith(label) for one in labels(
        SimpleNamespace(components=shown.view.to_components())))