"""What a player reads beside a choice: every thing that can be bought or taken says in a few words what it does."""
from __future__ import annotations

from typing import get_args

import pytest

from bot.discord.game.action_menu import REMARK
from engine.catalog import GAMES
from engine.components import components
from engine.games.attack.rules.turns import Begin
from engine.games.attack.words.summaries import summary as attack_summary
from engine.kernel import GameSpec, Seat
from engine.options import rules_of
from engine.text import Reader, say
from tests.games.attack.scene import scene as attack_scene

ROOM = 100                  # characters of an option's description on Discord
A_LINE = 45                 # of those, what a phone shows in one line
NAMED = "tiles", "local_alliances", "covert_tokens", "units", "ships", "cards", "events", "ministries", "advantages"
SEATS = Seat("seat_1"), Seat("seat_2")
EDITIONS = [pytest.param(spec, edition.key, id=f"{spec.key} {edition.key}")
            for spec in GAMES for edition in spec.editions if edition.available]


HEAD = 32                   # what it shows of the question in the head of a list


@pytest.mark.parametrize("spec", GAMES, ids=[spec.key for spec in GAMES])
def test_the_question_of_every_list_fits_its_head_on_a_phone(spec: GameSpec):
    asked = {f"{kind.verb} {field}": REMARK.sub("", spec.words.menus[kind.verb].question(kind, field).template)
             for kind in (*spec.rules.actions, *spec.rules.asides) for field in kind.model_fields}
    assert asked and {place: words for place, words in asked.items() if len(words) > HEAD} == {}


def told(spec: GameSpec, edition: str, seat: Seat = SEATS[0]) -> dict[str, str]:
    """The words beside every thing of a new game, for one seat."""
    parts = components(spec, edition).parts
    state = spec.rules.setup(SEATS, rules_of(spec, edition, {}), parts)
    spec.rules.bind(state, parts)
    reader = Reader(spec.words.names(parts, state))
    things = [part for kind in NAMED for part in getattr(parts, kind, ())]
    summaries = {getattr(thing, "kind", thing.id) if "weight" in type(thing).model_fields else thing.id: None for thing in things}
    return {id: "" if (words := spec.words.summary(state, seat, id)) is None else say(words, reader) for id in summaries}


@pytest.mark.parametrize("spec, edition", EDITIONS)
def test_everything_that_can_be_bought_says_what_it_does(spec, edition):
    for seat in SEATS:
        words = told(spec, edition, seat)
        assert len(words) >= 12
        assert {id: said for id, said in words.items() if not 10 <= len(said) <= ROOM or "_" in said} == {}


def test_a_summary_has_the_numbers_and_options_of_its_game():
    empires, attack = GAMES[0], next(spec for spec in GAMES if spec.key == "attack")
    first, deluxe = told(empires, "first"), told(empires, "deluxe")
    assert first["levant_company"] == "Mediterranean and Ottoman Empire: 2 gold per marker a war, up to 6"
    assert first["alliance_denmark"] == "Baltic: +1 on land or at sea this war"
    assert (first["navigation"], deluxe["navigation"]) == (
        "+2 on the second die of your crossings", "Mending a crossing costs 1 gold less")
    assert told(attack, attack.editions[0].key)["tank"] == "10 points: 2 dice, hits on 1 of 6 faces, moves 2"


def test_every_action_of_attack_says_what_it_does_within_a_line_of_a_phone():
    state = attack_scene(land={"poland": ("red", "1I")}).state
    words = [attack_summary(state, action) for action in get_args(Begin.model_fields["action"].annotation)]
    assert all(said is not None and len(said.template) <= A_LINE for said in words) and len(words) == 5


@pytest.mark.parametrize("edition", ["first", "deluxe"])
def test_what_a_tile_does_fits_beside_its_price_even_if_all_of_it_is_taxed(edition):
    spec, found = GAMES[0], []
    words = told(spec, edition)
    for tile in components(spec, edition).parts.tiles:
        cost, taxed = tile.cost, -(-tile.cost.gold // 2)
        price = [f"{cost.gold} gold"] * bool(cost.gold) + [f"{cost.population} population"] * bool(cost.population) + [
            f"+{cost.unrest} unrest"] * bool(cost.unrest) + [f"+{taxed} unrest from taxes"] * bool(taxed)
        line = f"{', '.join(price)} · {words[tile.id]}"
        found += [line] if len(line) > ROOM else []
    assert found == []
