"""Your move, in one place: a whole turn by taps, with costs, odds before paying, amounts in a form, and reasons."""
from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from bot.discord.components import AnyRoute, button, view
from bot.discord.game.action_menu import screen
from bot.discord.game.menu_path import TYPED, Step, token, walk
from engine.games.struggle_of_empires import GAME
from engine.games.struggle_of_empires.actions import Bid, bids
from engine.games.struggle_of_empires.words.menus import MENUS
from engine.refusals import Stale
from tests.bot.discord_world import World, custom_ids, labels, options, said, unnumbered, words
from tests.bot.menu_taps import clicked
from tests.bot.test_whole_game import sketch
from tests.often_said import EARLIER, ELSE_FIRST, NO_SEAT
from tests.scene import prepared, scene

A, B, C = "austria", "britain", "france"
AFRICA: dict[str, Any] = {
    "powers": (A, B), "active": A, "gold": {A: 1}, "unrest": {A: 4, B: 9},
    "units": {A: {"army": {"africa": 2}, "navy": {"africa": 1}}, B: {"army": {"africa": 1}}},
    "markers": {A: {"north_america": 1}, B: {"africa": 1}}, "neutrals": {"north_america": ["pop"]},
    "tiles": {A: {"mercenaries": 1}}}
ATTACK = "Attack Britain in Africa (2 gold and +1 unrest from taxes · win 77%)"
AUCTION: dict[str, Any] = {"powers": (A, B, C), "phase": "auction", "opener": A, "gold": {A: 4}}


@asynccontextmanager
async def playing(path: Path, position: dict[str, Any], name: str = "games") -> AsyncIterator[World]:
    """A running game in this position: Alice plays Austria, Bob Britain, Carol France, and Olga whoever is fourth."""
    async with World.at(path / f"{name}.db", (prepared(**position),), sketch) as world:
        people = (world.alice, world.bob, world.carol, world.olga)[:len(position["powers"])]
        await world.olga.slash(world.table, "game open", game=GAME.key, seats=len(people), options="dice.by=number")
        for person in people:
            await person.slash(world.table, "game join")
        await world.olga.slash(world.table, "game start")
        yield world


def described(message: Any) -> dict[str, str]:
    """The descriptions of a select, by label."""
    rows = [row if isinstance(row, dict) else row.to_dict() for row in message.components]
    return {unnumbered(option["label"]): option.get("description") or "" for row in rows for item in row["components"]
            if item["type"] == 3 for option in item["options"]}


async def picked(person: Any, message: Any, label: str) -> Any:
    return said(await person.select(message, [options(message)[label]]))


async def state(world: World) -> Any:
    return (await world.services.session.table(1)).state


# --- a turn -------------------------------------------------------------------------------------------

async def test_a_whole_turn_by_taps_alone(tmp_path: Path) -> None:
    async with playing(tmp_path, AFRICA) as world:
        panel = await clicked(world.alice, world.question("**Austria**"), "Your move")
        panel = await picked(world.alice, await picked(world.alice, panel, "Build"), "Build an army in the German States")
        assert panel.content.startswith("Austria builds an army and moves it to the German States.")
        assert (await state(world)).population[A] == 4
        weighed = await clicked(world.alice, panel, ATTACK)
        panel = await clicked(world.alice, weighed, "Confirm")
        assert "Austria attacks Britain in Africa (2 gold)." in panel.content and "It's a tie." in panel.content
        now = await state(world)
        assert (now.turn.actions, now.gold[A], now.count(A, "army", "africa")) == (0, 1, 1)
        assert now.unrest[A] == 6 and "unrest +1, now 6" in panel.content and "6 unrest" in panel.content
        panel = await clicked(world.alice, panel, "End turn")
        assert (await state(world)).active == B and panel.content.endswith("Nothing to do right now. Waiting for Britain.")
        assert any("Austria attacks Britain in Africa (2 gold)." in post for post in world.posts())


async def test_the_head_says_where_the_game_stands_and_what_one_has(tmp_path: Path) -> None:
    async with playing(tmp_path, AFRICA) as world:
        status = next(post for post in world.table.history() if "Your move" in labels(post))
        panel = said(await world.alice.click(status, label="Your move"))
        assert panel.content.split("\n")[:3] == [
            "-# War 1, round 1 of 6: Austria's turn", "1 gold · 5 population · 4 unrest",
            "**Austria**: What do you do? You have 2 actions left."]
        assert len(panel.content.partition("\n-# Tip")[0]) < 200, "it fits on a phone"


async def test_a_way_over_the_ocean_shows_how_often_it_fails(tmp_path: Path) -> None:
    async with playing(tmp_path, AFRICA) as world:
        ways = described(await picked(world.alice, said(await world.alice.slash(world.table, "my move")), "Build"))
        assert (ways["Build an army in Africa"], ways["Build an army in the German States"]) == ("sinks 6%, turns back 6%", "")
    async with playing(tmp_path, {**AFRICA, "tiles": {A: {"navigation": 1}}}, "with navigation") as world:
        ways = described(await picked(world.alice, said(await world.alice.slash(world.table, "my move")), "Build"))
        assert ways["Build a navy in India"] == "turns back 6%"


async def test_every_choice_shows_what_it_costs(tmp_path: Path) -> None:
    async with playing(tmp_path, AFRICA) as world:
        panel = said(await world.alice.slash(world.table, "my move"))
        verbs = described(panel)
        assert verbs["Build"].startswith("1 population · Build a unit")
        assert {ATTACK, "Colonise North America (1 population)"} <= set(labels(panel))
        assert verbs["Move"].startswith("Move an army")
        build = await picked(world.alice, panel, "Build")
        assert build.content == "**Build** · costs 1 population" and described(build)["Build an army in Austria"] == ""
        tiles = described(await picked(world.alice, said(await world.alice.slash(world.table, "my move")), "Buy a tile"))
        assert tiles["Industry"].startswith("+1 unrest · ") and tiles["Blockade"].startswith("1 gold · ")
        assert tiles["War Office"].startswith("3 gold and +1 unrest from taxes · ")
        assert tiles["Militia"] == "1 population · A build action builds 2 units, each for population"
        rebuild = await picked(world.alice, said(await world.alice.slash(world.table, "my move")), "Rebuild")
        assert "Rebuild the army from Africa (1 population and +1 unrest)" in labels(rebuild)
        assert "Rebuild the army from Africa with Mercenaries (+1 unrest)" in labels(rebuild)


# --- odds before paying -----------------------------------------------------------------------------------

ODDS = ("**Attack Britain in Africa**\nOn land, 3 against 1: win 77%, tie 12%, lose 11%; 38% risk of losing a unit.\nNobody "
        "else can help. Not counted: tiles used in the fight.\nYou have 1 gold for a cost of 2 gold, so you'll be taxed once: "
        "1 unrest more.")


async def test_odds_and_taxation_are_read_before_anything_is_paid(tmp_path: Path) -> None:
    async with playing(tmp_path, AFRICA) as world:
        panel = said(await world.alice.slash(world.table, "my move"))
        weighed = await clicked(world.alice, panel, ATTACK)
        assert weighed.content == ODDS and labels(weighed) == ["Confirm", "Cancel"]
        assert (await state(world)).gold[A] == 1 and await world.newest() == 0
        back = await clicked(world.alice, weighed, "Cancel")
        assert "What do you do?" in back.content and await world.newest() == 0


async def test_a_tap_shows_odds_though_nothing_is_taxed_and_a_typed_attack_counts_at_once(tmp_path: Path) -> None:
    async with playing(tmp_path, {**AFRICA, "gold": {A: 5}}) as world:
        panel = said(await world.alice.slash(world.table, "my move"))
        weighed = await clicked(world.alice, panel, ATTACK.replace(" and +1 unrest from taxes", ""))
        assert weighed.content.startswith("**Attack Britain in Africa** (2 gold)\nOn land, 3 against 1: win 77%")
        assert await world.newest() == 0
        typed = said(await world.alice.slash(world.table, "struggle attack", area="africa", target="Britain"))
        assert "Austria attacks Britain in Africa (2 gold)." in typed.content
        stale = await clicked(world.alice, weighed, "Confirm")
        assert stale.content.startswith(EARLIER)
        assert (await state(world)).gold[A] == 3, "it was paid once"


async def test_a_typed_attack_that_is_taxed_is_confirmed_with_its_odds(tmp_path: Path) -> None:
    async with playing(tmp_path, AFRICA) as world:
        typed = said(await world.alice.slash(world.table, "struggle attack", area="africa", target="britain"))
        assert typed.content == ODDS and await world.newest() == 0
        await world.restart()
        assert "Austria attacks Britain" in (await clicked(world.alice, typed, "Confirm")).content


# --- taking back ------------------------------------------------------------------------------------------

async def test_a_step_of_which_nobody_has_heard_is_taken_back_without_a_word_and_without_a_call(tmp_path: Path) -> None:
    async with playing(tmp_path, AFRICA) as world:
        typed = said(await world.alice.slash(world.table, "struggle tile", tile="Industry"))
        done = await clicked(world.alice, typed, "Confirm")
        assert "unrest +1, now 5" in done.content and "5 unrest" in done.content
        before = [message.id for message in world.table.history()]
        back = await clicked(world.alice, done, "Undo")
        assert "4 unrest" in back.content
        await world.env.settle()
        assert [message.id for message in world.table.history()] == before, "the question has only been changed"
        assert not any("Industry" in post or "undoes" in post for post in world.posts())


async def test_dice_are_not_taken_back(tmp_path: Path) -> None:
    async with playing(tmp_path, {**AFRICA, "gold": {A: 5}}) as world:
        await world.alice.slash(world.table, "struggle attack", area="africa", target="britain")
        back = said(await world.alice.slash(world.table, "my undo"))
        assert back.content.startswith("Dice have been rolled or something was drawn since")
        assert "Undo" not in labels(said(await world.alice.slash(world.table, "my move")))


# --- an amount that the menu does not list ------------------------------------------------------------------

async def form_of(world: World, person: Any) -> Any:
    """The form behind the panel's button for another amount."""
    panel = said(await person.slash(world.table, "my move"))
    return await person.click(panel, label="Bid: another amount")


async def sent(person: Any, form: Any, amount: str) -> Any:
    (field,) = [child["custom_id"] for row in form.modal["components"] for child in row["components"]]
    return said(await person.submit_modal(form, {field: amount}))


async def test_a_bid_beyond_those_listed_is_typed_into_a_form(tmp_path: Path) -> None:
    async with playing(tmp_path, AUCTION) as world:
        step = await sent(world.alice, await form_of(world, world.alice), " 7 ")
        assert step.content == "**Bid** · 7 gold · costs +2 unrest from taxes"
        chosen = next(label for label in labels(step) if label == "Austria in row A, France in row B")
        weighed = await clicked(world.alice, step, chosen)
        assert "You have 4 gold for a cost of 7 gold, so you'll be taxed 2 times: 2 unrest more." in weighed.content
        await clicked(world.alice, weighed, "Confirm")
        standing = (await state(world)).standing
        assert (standing.bidder, standing.gold, standing.a, standing.b) == (A, 7, A, C)


async def test_a_step_of_a_bid_says_what_is_still_open_and_leads_back_to_the_whole_panel(tmp_path: Path) -> None:
    async with playing(tmp_path, {**AUCTION, "powers": (A, B, C, "prussia")}) as world:
        panel = said(await world.alice.slash(world.table, "my move"))
        step = await picked(world.alice, panel, "Austria in row A, France in row B")
        assert step.content == "**Bid** · Austria in row A, France in row B"
        assert labels(step)[-2:] == ["Bid: another amount", "Back"] and all(" row " not in label for label in labels(step))
        back = await clicked(world.alice, step, "Back")
        assert (labels(back), options(back)) == (labels(panel), options(panel)), "not to a screen with the list alone"
        typed = await sent(world.alice, await world.alice.click(back, label="Bid: another amount"), "9")
        assert typed.content.startswith("**Bid** · 9 gold") and "9 gold: Austria in row A, France in row B" in options(typed)


async def test_the_question_in_the_channel_leads_to_the_form_though_it_lists_answers(tmp_path: Path) -> None:
    async with playing(tmp_path, {**AUCTION, "powers": (A, B)}) as world:
        question = world.question("**Austria**: Open the auction")
        assert "1 gold: Austria in row A, Britain in row B" in labels(question), "others see no cost beside the answers"
        panel = await clicked(world.alice, question, "Your move")
        assert "Bid: another amount" in labels(panel)


async def test_a_form_outlives_a_restart(tmp_path: Path) -> None:
    async with playing(tmp_path, AUCTION) as world:
        form = await form_of(world, world.alice)
        await world.restart()
        assert "**Bid** · 12 gold" in (await sent(world.alice, form, "12")).content


@pytest.mark.parametrize("typed", ["", "many", "-3", "3.5", "٣x"])
async def test_what_is_no_number_is_refused_with_the_panel_below(tmp_path: Path, typed: str) -> None:
    async with playing(tmp_path, AUCTION) as world:
        form = await form_of(world, world.alice)
        refused = await sent(world.alice, form, typed or " ")
        assert refused.content.startswith("Type a whole number, such as 7.\n") and "Bid: another amount" in labels(refused)
        assert await world.newest() == 0


async def test_an_amount_that_the_rules_forbid_is_refused_at_once(tmp_path: Path) -> None:
    async with playing(tmp_path, AUCTION) as world:
        await world.alice.slash(world.table, "struggle bid", gold=3, a="austria", b="france")
        refused = await sent(world.bob, await form_of(world, world.bob), "3")
        assert refused.content.startswith("The bid must be at least 4 gold. (SOE-5.2.3)")
        assert await world.newest() == 1


async def test_a_form_of_an_earlier_question_does_nothing(tmp_path: Path) -> None:
    async with playing(tmp_path, AUCTION) as world:
        form = await form_of(world, world.alice)
        await world.alice.slash(world.table, "struggle bid", gold=0, a="austria", b="france")
        before = await world.newest()
        assert (await sent(world.alice, form, "9")).content.startswith(EARLIER)
        assert await world.newest() == before


async def test_a_form_of_another_seat_is_not_opened(tmp_path: Path) -> None:
    async with playing(tmp_path, AUCTION) as world:
        panel = said(await world.alice.slash(world.table, "my move"))
        (id,) = [id for id in custom_ids(panel).values() if id.startswith("amount:")]
        channel = world.bot.get_partial_messageable(world.table.id)
        await channel.send("Forged", view=view([button("Amount", AnyRoute(id))]))
        assert words(await world.bob.click(world.question("Forged"), label="Amount")) == "It's Austria's move."


def test_an_amount_on_a_path_is_a_number_of_an_open_ended_kind() -> None:
    offers = bids(0, (A, B, C), (A, B, C))
    for way in ((f"{TYPED}40", token((A, B))), (token((A, B)), f"{TYPED}40")):
        assert walk(MENUS, offers, ("bid", *way)) == Bid(gold=40, a=A, b=B)
    step = walk(MENUS, offers, ("bid", f"{TYPED}40"))
    assert isinstance(step, Step) and step.fields == ("a", "b")
    assert {option.gold for option in step.options} == {40}    # type: ignore[attr-defined]
    for path in (("bid", f"{TYPED}x"), ("bid", f"{TYPED}-1"), ("bid", token(0), f"{TYPED}3")):
        with pytest.raises(Stale):
            walk(MENUS, offers, path)


# --- what is possible, and why the rest is not ----------------------------------------------------------------

async def test_the_panel_lists_what_is_impossible_with_reason_and_rule(tmp_path: Path) -> None:
    async with playing(tmp_path, AFRICA) as world:
        panel = said(await world.alice.slash(world.table, "my move"))
        cannot = await clicked(world.alice, panel, "What's blocked, and why?")
        assert cannot.content == ("**Enslave**: No area has any slave marker now. "
                                  "(SOE-10.1.2 Colonise, enslave, Gold Coast commerce)")
        assert "What do you do?" in (await clicked(world.alice, cannot, "Back")).content


async def test_a_typed_verb_that_is_impossible_gets_the_reason(tmp_path: Path) -> None:
    async with playing(tmp_path, AFRICA) as world:
        refused = said(await world.alice.slash(world.table, "struggle enslave", area="africa"))
        assert refused.content == "No area has any slave marker now. (SOE-10.1.2)"
        assert said(await world.bob.slash(world.table, "struggle enslave", area="africa")).content == (
            "Nothing to do right now. War 1, round 1 of 6: Austria's turn. (SOE-6.1.2)")
        assert said(await world.alice.slash(world.table, "struggle fight")).content.startswith(
            ELSE_FIRST)


async def test_legal_lists_everything_with_its_cost_in_pages(tmp_path: Path) -> None:
    async with playing(tmp_path, AFRICA) as world:
        page = said(await world.alice.slash(world.table, "game legal"))
        told = page.content.split("\n")
        while "More" in labels(page):
            page = await clicked(world.alice, page, "More")
            told += page.content.split("\n")
        assert "**Attack** · Africa, Britain (2 gold and +1 unrest from taxes)" in told
        assert "**Colonise** · North America (1 population)" in told
        assert "**Give gold** · Britain, 1 gold" in told and "**Pass**" in told
        assert not any(line.startswith("**Enslave**") for line in told)
        builds = [line for line in told if line.startswith("**Build**")]
        assert len(builds) == 3 and all(line.endswith("(1 population)") for line in builds)
        kinds = {line.split("**")[1] for line in told if line.startswith("**")} - {"Austria"}
        assert kinds == {"Move", "Build", "Attack", "Buy a tile", "Colonise", "Rebuild", "Use a tile", "Pass", "End", "Give gold"}


@pytest.mark.parametrize("verb, wanted", [
    ("enslave", "**Enslave**: No area has any slave marker now. (SOE-10.1.2 Colonise, enslave, Gold Coast commerce)"),
    (" Attack", "**Attack** · Africa, Britain (2 gold and +1 unrest from taxes)"),
    ("bid", "Bid doesn't fit here. You have something else to decide: What do you do? You have 2 actions left."),
    ("dance", "This game has no move called dance. Choose among: ")])
async def test_legal_of_one_verb(tmp_path: Path, verb: str, wanted: str) -> None:
    async with playing(tmp_path, AFRICA) as world:
        assert wanted.casefold() in said(await world.alice.slash(world.table, "game legal", verb=verb)).content.casefold()


async def test_legal_for_those_who_are_not_asked(tmp_path: Path) -> None:
    async with playing(tmp_path, {**AFRICA, "gold": {A: 1, B: 0}}) as world:
        assert said(await world.bob.slash(world.table, "game legal")).content == (
            "Nothing to do right now. War 1, round 1 of 6: Austria's turn. (SOE-6.1.2)")
        assert said(await world.bob.slash(world.table, "game legal", verb="give")).content.endswith(
            "**Give gold**: You have no gold to give. (SOE-16.1.4 Negotiation and gifts)")
        assert said(await world.carol.slash(world.table, "game legal")).content.startswith(NO_SEAT)
        offered = await world.alice.autocomplete(world.table, "game legal", "verb", "")
        assert [choice["value"] for choice in offered][-1] == "enslave" and len(offered) == 11


async def test_amounts_are_told_as_a_range(tmp_path: Path) -> None:
    async with playing(tmp_path, {**AFRICA, "gold": {A: 6}}) as world:
        assert "**Give gold** · Britain: 1 to 6" in said(await world.alice.slash(world.table, "game legal", verb="give")).content
    async with playing(tmp_path, AUCTION, "auction") as world:
        told = said(await world.alice.slash(world.table, "game legal", verb="bid")).content.split("\n")
        assert told[-1] == "**Bid**: other amounts are possible too."
        assert "**Bid** · 1 gold, Austria: Britain, France" in told


async def test_gold_is_given_by_taps(tmp_path: Path) -> None:
    async with playing(tmp_path, {**AFRICA, "gold": {A: 3}}) as world:
        panel = said(await world.alice.slash(world.table, "my move"))
        step = await clicked(world.alice, panel, "Give gold")
        done = await clicked(world.alice, step, "Give Britain 2 gold")
        assert done.content.startswith("Austria gives Britain 2 gold.") and (await state(world)).gold == {A: 1, B: 12}


# --- secrets --------------------------------------------------------------------------------------------------

async def everything_seen(path: Path, unrest: int) -> list[str]:
    """What Alice, Carol and the channel are shown while Austria plays, if Britain has so much unrest."""
    async with playing(path, {**AFRICA, "unrest": {A: 4, B: unrest}}, f"with {unrest}") as world:
        out: list[str] = []

        def note(result: Any) -> Any:
            message = said(result)
            out.append(f"{message.content} {labels(message)} {described(message)}")
            return message

        panel = note(await world.alice.slash(world.table, "my move"))
        note(await world.alice.slash(world.table, "my move"))
        note(await world.alice.click(panel, label="What's blocked, and why?"))
        for verb in ("attack", "tile", "build", "give"):
            note(await world.alice.slash(world.table, "game legal", verb=verb))
        panel = note(await world.alice.slash(world.table, "my move"))
        weighed = note(await world.alice.click(panel, label=next(label for label in labels(panel) if label.startswith("Attack"))))
        note(await world.alice.click(weighed, label="Confirm"))
        note(await world.alice.slash(world.table, "my undo"))
        note(await world.carol.slash(world.table, "game legal"))
        return [*out, *world.posts()]


async def test_a_panel_tells_nothing_of_the_unrest_of_others(tmp_path: Path) -> None:
    low, high = await everything_seen(tmp_path, 0), await everything_seen(tmp_path, 31)
    assert low == high
    assert any("4 unrest" in told for told in low), "one's own unrest is told"


def test_a_list_says_what_is_chosen_in_it_and_never_one_of_several_fields():
    def hints(position: dict[str, Any], *path: str) -> list[str]:
        table = scene(**position).table
        seat = next(question.seat for question in table.waiting())
        rows = screen(table, 1, seat, path).view.to_components()
        return [item["placeholder"] for row in rows for item in row["components"] if "options" in item]

    assert hints(AUCTION) == ["Which powers?"]
    assert [hints(AFRICA, verb) for verb in ("move", "build")] == [["Move …"], ["Build …"]]
