"""Options of Attack!, its two presets, and what its loader refuses (21.7, 25.2)."""
from __future__ import annotations

import copy
import json
from typing import Any

import pytest

from engine.components import components
from engine.games.attack import GAME
from engine.games.attack.components import parts
from engine.games.attack.options import CHOICES, Options
from engine.games.attack.rules.setup import first_state
from engine.kernel import Seat
from engine.options import COACHING, PLAYING_ON, SHARED, every
from engine.refusals import Faulty


def test_defaults_are_the_rules_as_printed_and_by_message_there_are_eight_rounds():
    assert GAME.rules.options("base", {}) == Options() and Options().end_mode == "first_elimination"
    assert GAME.rules.options("message", {}) == Options(end_mode="round_limit") and Options().rounds == 8
    assert [edition.key for edition in GAME.editions] == ["message", "base"]


@pytest.mark.parametrize(("changed", "sentence"), [
    ({"end_mode": "timed"}, "A timed game needs an end. Choose one, or type it as end_time=2027-01-31T18:00 (in UTC)."),
    ({"end_time": "2027-01-31T18:00"}, "Only a timed game ends at an agreed time."),
    ({"rounds": 5}, "You can set the number of rounds only if the game ends after a number of rounds."),
    ({"speed": 1}, "There is no option speed."),
    ({"max_players": 5}, "The option max_players can't be 5: Input should be 6 or 4."),
    ({"end_mode": "timed", "end_time": "tomorrow"}, None),
])
def test_ATK_21_7_1_what_cannot_be_is_refused_with_a_sentence(changed, sentence):
    with pytest.raises(Faulty) as refused:
        GAME.rules.options("base", changed)
    assert sentence is None or str(refused.value) == sentence


def test_an_unknown_edition_is_refused():
    with pytest.raises(Faulty, match=r"^There is no edition deluxe\. Choose among: message and base\.$"):
        GAME.rules.options("deluxe", {})


def test_every_value_has_plain_words_and_every_option_a_rule():
    for choice in every(GAME):
        if choice in (SHARED, COACHING, PLAYING_ON):
            continue                                        # an option of every game
        assert set(choice.says) == set(CHOICES[choice.key]) and choice.rules, choice.key


def test_max_players_is_a_limit():
    seats = tuple(Seat(f"seat_{n}") for n in range(1, 6))
    with pytest.raises(Faulty, match="up to 4"):
        first_state(seats, GAME.rules.options("base", {"max_players": 4}), components(GAME, "base").parts)


# --- the loader -----------------------------------------------------------------------------------------------

def faulty(change: Any) -> str:
    """What the loader says of changed components."""
    raw = copy.deepcopy(components(GAME, "base").raw)
    change(raw)
    with pytest.raises(Faulty) as refused:
        parts(raw)
    return str(refused.value).removeprefix("Component data").removeprefix(", ")


def record(raw: dict[str, Any], name: str, id: str) -> dict[str, Any]:
    return next(record for record in raw[name] if record["id"] == id)


def cut_off(raw: dict[str, Any], island: str) -> None:
    """Take an island away from all seas."""
    record(raw, "territories", island).update(coastal_zones=[])
    for zone in raw["sea_zones"]:
        zone["coastal_territories"] = [shore for shore in zone["coastal_territories"] if shore != island]
    raw["sea_routes"] = [route for route in raw["sea_routes"] if island not in (route["from"], route["to"])]


@pytest.mark.parametrize(("change", "said"), [
    (lambda raw: raw["territories"].append(raw["territories"][0]), "territories: an id occurs twice."),
    (lambda raw: record(raw, "territories", "mexico")["adjacent"].append("france"),
     "territories, mexico, adjacent: france does not name it as a neighbour."),
    (lambda raw: record(raw, "territories", "mexico").update(continent="asia"),
     "territories, mexico, continent: there is no continent asia."),
    (lambda raw: record(raw, "territories", "bolivia")["coastal_zones"].append("sz_caribbean"),
     "territories, bolivia, coastal_zones: sz_caribbean does not name it as a shore."),
    (lambda raw: record(raw, "sea_zones", "sz_caribbean")["coastal_territories"].append("bolivia"),
     "sea_zones, sz_caribbean, coastal_territories: bolivia does not name it as a sea."),
    (lambda raw: record(raw, "sea_routes", "r01").update(through=["sz_styx"]),
     "sea_routes, r01, through: there is no zone sz_styx."),
    (lambda raw: record(raw, "sea_routes", "r01").update(to="france", through=["sz_labrador"]),
     "sea_routes, r01: france is no shore of sz_labrador."),
    (lambda raw: record(raw, "sea_routes", "x01").update(active=True),
     "sea_routes, x01: an active route joins two territories."),
    (lambda raw: raw.update(cards=raw["cards"][:51]), "cards: 51 cards do not suffice for 52 territories."),
    (lambda raw: raw["units"].pop(), "units and ships: each type is listed once."),
    (lambda raw: record(raw, "parameters", "min_battle_dice").update(value=0),
     "parameters, min_battle_dice: Input should be greater than or equal to 1."),
    (lambda raw: record(raw, "parameters", "capital_bonus_pp").update(value=10 ** 9),
     "parameters, capital_bonus_pp: Input should be less than or equal to 1000."),
    (lambda raw: record(raw, "units", "tank").update(starting_pool=10 ** 9, battle_dice=0),
     ": 2 faults.\n- units, tank, battle_dice: Input should be greater than or equal to 1, and not 0.\n"
     "- units, tank, starting_pool: Input should be less than or equal to 1000, and not 1000000000."),
    (lambda raw: record(raw, "parameters", "casualty_order").update(value=["tank"]),
     "parameters, casualty_order: it names each type once."),
    (lambda raw: record(raw, "parameters", "player_colors").update(value=[f"colour_{n}" for n in range(13)]),
     ": 2 faults.\n- continents, north_america: it has 12 territories, fewer than there can be players.\n"
     "- continents, south_america: it has 12 territories, fewer than there can be players."),
    (lambda raw: record(raw, "parameters", "player_colors").update(value=["red", "blue", "green", "brown", "tan", "red"]),
     "parameters, player_colors: it names 6 colours or more, each once."),
    (lambda raw: record(raw, "battle_die", "face_3").update(symbol="blank"), "battle_die: no face shows artillery."),
    (lambda raw: record(raw, "units", "infantry").update(starting_pool=3),
     "units, infantry, starting_pool: 3 do not suffice for 4 territories."),
    (lambda raw: record(raw, "parameters", "setup_infantry_claims").update(value=9),
     "parameters, setup_infantry_claims: there are not 9 territories for each player."),
    (lambda raw: (record(raw, "sea_routes", "r01").update(through=["sz_styx"]), record(raw, "sea_routes", "x01").update(
        active=True)), ": 2 faults.\n- sea_routes, r01, through: there is no zone sz_styx.\n"
     "- sea_routes, x01: an active route joins two territories."),
    (lambda raw: cut_off(raw, "cuba"), "territories, cuba: no way leads there."),
])
def test_the_loader_refuses_data_that_do_not_fit_together(change, said):
    """Every fault is named [ATK-3.3.1, 3.3.3, 7.7.6, 25.2]; a battle of a type that no face shows would never end."""
    assert faulty(change) == said


def test_the_board_as_it_is():
    made = components(GAME, "base").parts
    assert len(made.territories) == 52 and sum(len(land.adjacent) for land in made.territories) == 2 * 90
    assert sum(route.active for route in made.sea_routes) == 30 and sum(zone.anchor for zone in made.sea_zones) == 2
    assert sum(card.weight for card in made.cards) == 125 and len(made.cards) == 60
    assert "ukraine" in made.sea_linked["italy"] and made.sea_linked["chile"] == ("panama",), "ATK-2.2.2, 2.3.4"
    assert made.sea_linked["iraq"] == (), "ATK-2.3.5"
    assert [made.faces.count(face) for face in ("infantry", "tank", "artillery", "plane", "blank")] == [1, 1, 1, 2, 1]


def test_a_data_pack_corrects_a_card():
    pack = {"cards": [{"id": "oil_12", "weight": 3}]}
    assert components(GAME, "base", json.dumps(pack)).parts.card["oil_12"].kind == "oil_3"
