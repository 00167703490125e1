"""What each picture shows of games with the options of Deluxe, and how it is said in words: worked examples by the rules."""
from __future__ import annotations

from typing import Any

import pytest

from engine.components import components
from engine.games.struggle_of_empires import GAME
from engine.games.struggle_of_empires.actions import Ally, Attack, Bid, Covert
from engine.games.struggle_of_empires.pictures.alt_text import changes
from engine.games.struggle_of_empires.pictures.scenes import Exchange, Helper
from engine.games.struggle_of_empires.state import State
from engine.games.struggle_of_empires.view import ROWS, LocalAlliance, TokenView, View, view
from engine.kernel import Checkpoint, Seat
from engine.orders import offer_text
from engine.text import Reader, say
from renderer import render
from tests.games.struggle_of_empires.pictured import shown
from tests.games.struggle_of_empires.test_battle_scenes import totals
from tests.scene import FAIR, Scene, scene

A, B, C, D, P, R = "austria", "britain", "france", "spain", "prussia", "russia"
EVEN = (1, 1, 1, 1)


def deluxe(**fields: Any) -> Scene:
    """A position of the Deluxe edition with three players and two powers that nobody plays."""
    usual = {"edition": "deluxe", "powers": (A, B, C), "npps": (P, R), "rows": ((A, C, P), (B, R))}
    return scene(**(usual | fields))


def given(table: Scene, **fields: Any) -> Scene:
    """The same position with some fields of its state set, as if it had begun so."""
    begun = State.model_validate_json(table.start.state)
    for state in (begun, table.state):
        for field, value in fields.items():
            setattr(state, field, value)
    table.start = Checkpoint(0, 0, begun.model_dump_json())
    return table


def seen(table: Scene, power: str = "") -> View:
    return view(table.state, table.state.seat(power) if power else None)


# --- the view -------------------------------------------------------------------------------------------------

def test_a_place_for_a_local_alliance_is_in_each_of_its_areas_with_its_holder_and_price():
    now = seen(deluxe(local={"local_gaucho": B}))
    places = {area.area: [(place.name, place.holder, place.gold, place.land, place.sea) for place in area.local]
              for area in now.areas}
    assert places["south_america"] == places["caribbean"] == [("Gaucho", B, 1, True, True)]
    assert places["german_states"] == [("Bavaria", "", 0, True, False), ("Saxony", "", 0, True, False)]
    assert places["mediterranean"] == [("Savoy", "", 0, True, True), ("Ottoman Empire", "", 1, True, True)]
    assert len({place.place for area in now.areas for place in area.local}) == 11


def test_where_an_area_has_room_for_one_local_alliance_the_other_place_is_closed():
    table = deluxe(local={"local_bavaria": B}, options={"alliance.one_per": "area"})
    german = next(area for area in seen(table).areas if area.area == "german_states")
    assert [(place.name, place.closed) for place in german.local] == [("Bavaria", False), ("Saxony", True)]
    assert "  Saxony alliance, on land: closed by another alliance\n" in GAME.views.board(seen(table))


def test_local_alliances_of_a_mixture_cost_what_its_tiles_would():
    pack = {"tiles": [{"id": "alliance_savoy", "cost": {"gold": 3, "population": 1, "unrest": 2}}]}
    place = next(place for area in seen(deluxe(options={"alliance.cost": "printed"}, pack=pack)).areas for place in area.local
                 if place.place == "local_savoy")
    assert (place.gold, place.population, place.unrest) == (3, 1, 2)
    assert "  Savoy alliance, on land or at sea: free, for 3 gold, 1 population and 2 unrest\n" in GAME.views.board(
        seen(deluxe(options={"alliance.cost": "printed"}, pack=pack)))


def test_a_game_of_the_first_edition_shows_nothing_of_this():
    now = seen(scene(powers=(A, B)))
    assert not any(area.local for area in now.areas)
    assert (now.tokens, now.display, now.npps, now.rows, now.commerce) == ((), (), (), ROWS, "enslave")
    assert {"alliance", "company", "improvement"} == {tile.kind for tile in now.stock}


def test_covert_tokens_lie_in_the_display_or_hold_a_captive():
    table = deluxe(captives={"pirates": ("india", P)})
    given(table, tried={B: ["slave_revolt"]})
    assert seen(table).tokens == (
        TokenView(token="pirates", name="Pirate attack", strength=1, area="India", failed=()),
        TokenView(token="slave_revolt", name="Colonial revolt", strength=3, area="", failed=(B,)))


def test_neutral_markers_out_of_the_game_are_counted_by_area():
    table = deluxe()
    given(table, display=["india_01", "africa_02", "india_03"])
    assert seen(table).display == (("Africa", 1), ("India", 2))
    assert "  Neutral markers out of the game: Africa 1, India 2\n" in GAME.views.board(seen(table))


def test_non_player_powers_have_markers_armies_and_points_for_information():
    table = deluxe(units={P: {"army": {"india": 1, "africa": 1}}}, markers={P: {"india": 1}})
    given(table, npp_points={P: 12})
    first, second = seen(table).npps
    assert (first.power, first.alliance, first.points, first.markers, first.armies) == (P, "A", 12, 1, 2)
    assert (second.power, second.alliance, second.points, second.markers, second.armies) == (R, "B", 0, 0, 0)
    india = next(area for area in seen(table).areas if area.area == "india")
    assert [(held.power, held.markers, held.armies) for held in india.garrisons] == [(P, 1, 1)]
    four = scene(edition="deluxe", powers=(A, B, C, D), npps=(P,), rows=((A, C, P), (B, D)))
    assert seen(four).npps[0].points is None, "with four players they take no part in the ranking"


def test_tiles_are_grouped_by_their_classes_or_all_together():
    kinds = {tile.tile: tile.kind for tile in seen(deluxe()).stock}
    assert (kinds["reserves"], kinds["industry"], kinds["blockade"], kinds["militia"], kinds["levant_company"]) == (
        "free_action", "immediate", "military_tactics", "improvement", "company")
    assert not {"pirates", "slave_revolt", "alliance_savoy"} & set(kinds)
    marked = {tile.kind for tile in seen(deluxe(options={"tiles.classes": "marks"})).stock}
    assert marked == {"improvement", "company"}
    mixed = {tile.tile: tile.kind for tile in seen(scene(options={"tiles.classes": "classes"})).stock}
    assert (mixed["reserves"], mixed["alliance_savoy"], mixed["pirates"]) == ("free_action", "alliance", "military_tactics")


@pytest.mark.parametrize("edition, options, called, captor, commerce", [
    ("first", {}, "", "", "enslave"), ("deluxe", {}, "Gold Coast marker", "the Colonial revolt", "do Gold Coast commerce"),
    ("first", {"ui.neutral_wording": True}, "Africa trade marker", "the Colonial revolt", "do Africa trade")])
def test_words_of_the_edition_and_of_neutral_wording_reach_the_view(edition, options, called, captor, commerce):
    table = scene(edition=edition, options=options, neutrals={"caribbean": ["slaves"]},
                  captives={"slave_revolt": ("caribbean", B)})
    now = seen(table)
    caribbean = next(area for area in now.areas if area.area == "caribbean")
    assert [neutral.called for neutral in caribbean.neutrals] == [called]
    assert [captive.captor for captive in caribbean.captives] == [captor]
    assert now.commerce == commerce
    words = GAME.views.board(shown("board", table, seat=Seat("seat_1"), options=table.options(A)))
    assert ("slave" in words.lower()) == (edition == "first" and not options)


# --- secret gold --------------------------------------------------------------------------------------------------

def test_secret_gold_is_in_no_view_but_the_owners():
    few, many = (deluxe(gold={A: gold}, options={"gold.public": False}) for gold in (1, 99))
    for reader in ("", B):
        assert seen(few, reader) == seen(many, reader)
        assert next(power.gold for power in seen(few, reader).powers if power.power == A) is None
    assert [power.gold for power in seen(few, A).powers] == [1, None, None]
    auction = [shown("auction", scene(powers=(A, B), phase="auction", gold={A: gold}, options={"gold.public": False}))
               for gold in (1, 99)]
    assert auction[0] == auction[1] and "Gold:" not in GAME.views.board(auction[0])


def test_secret_gold_is_told_at_the_end():
    table = deluxe(phase="reckoning", war=3, gold={A: 7}, options={"gold.public": False})
    table.keep_silent()
    assert table.state.phase == "over"
    assert [power.gold for power in seen(table).powers if power.power == A] == [7]


# --- battles --------------------------------------------------------------------------------------------------------

def test_a_control_marker_of_a_power_that_nobody_plays_is_attacked_with_the_help_of_another():
    table = deluxe(powers=(A, B, C), npps=(P, R), rows=((A, C, R), (B, P)), markers={P: {"india": 1}}, dice=[(6, 1, 1, 1)],
                   units={A: {"army": {"india": 1}}, R: {"army": {"india": 1}}}, local={"local_mysore": A})
    table.say(A, Attack(area="india", target=P))
    near = shown("closeup", table)
    fought = near.battle
    assert (fought.defender.kind, fought.defender.power, fought.defender.name, fought.defender.strength) == (
        "npp", P, "Prussia", 3)
    assert fought.attacker.helpers == (Helper(power=R, name="Russia", armies=1, navies=0),)
    (fight,) = fought.fights
    assert (fight.winner, totals(fight)) == ("attacker", [(8, 3)])          # 2 units, alliance 1, dice 5; marker 3
    assert (fight.rolls[0].attacker.alliances, fight.rolls[0].defender.units) == (1, 3)
    assert fought.exchanges == (Exchange(kind="taken", winner=A, winner_name="Austria", loser=P, loser_name="Prussia"),)
    assert [(power.power, power.npp) for power in near.powers] == [(A, False), (B, False), (C, False), (P, True), (R, True)]
    words = GAME.views.board(near)
    assert "Austria attacks a control marker of Prussia, strength 3." in words
    assert "Mysore alliance, on land or at sea: held by Austria." in words and "Non-player powers: Russia." in words


def test_a_power_that_nobody_plays_defends_its_marker_against_pirates_with_three():
    table = deluxe(markers={P: {"india": 1}}, dice=[EVEN])
    table.say(A, Covert(token="pirates", area="india", target=P))
    fought = shown("closeup", table).battle
    assert (fought.attacker.kind, fought.attacker.name, fought.sender) == ("pirates", "Pirate attack", "Austria")
    assert (fought.defender.kind, fought.defender.strength, fought.fights[0].winner) == ("npp", 3, "defender")
    assert fought.over and fought.exchanges == ()
    render(shown("closeup", table))


def test_pirates_are_hunted_at_sea():
    table = deluxe(units={A: {"navy": {"india": 2}}}, captives={"pirates": ("india", B)}, dice=[(1, 3, 1, 1)])
    table.say(A, Attack(area="india", target="pirates"))
    fought = shown("closeup", table).battle
    assert [(fight.stage, fight.winner, totals(fight)) for fight in fought.fights] == [("sea", "attacker", [(4, 1)])]
    assert fought.defender.name == "Pirate attack" and fought.exchanges[0].kind == "freed"


# --- boards ---------------------------------------------------------------------------------------------------------

def test_the_board_of_a_seat_tells_where_it_may_form_alliances_and_use_tokens():
    table = deluxe(markers={B: {"india": 1}}, dice=FAIR, local={"local_denmark": B, "local_sweden": C})
    board = shown("board", table, seat=table.state.seat(A), options=table.options(A))
    ways = {way.area: way.deeds for way in board.ways}
    assert ways["india"] == ("raid", "build", "ally") and ways["caribbean"] == ("build", "ally")
    assert ways["baltic"] == ("build",)                                                         # both of its places are taken
    words = GAME.views.board(board)
    assert "You can use a covert token in India (5)." in words
    assert "You can place a local alliance marker in North America (1)," in words


def test_a_local_alliance_touches_its_areas():
    table = deluxe(dice=FAIR)
    table.say(A, Ally(place="local_bavaria"))
    near = shown("closeup", table)
    assert near.area.area == "german_states" and near.battle is None
    assert "What changed: the Bavaria alliance taken by Austria." in GAME.views.board(near)


def test_what_is_new_tells_local_alliances_and_points_of_non_player_powers():
    table = deluxe(local={"local_sweden": B})
    before = seen(table)
    table.say(A, Ally(place="local_denmark"))
    now = seen(table)
    told = [say(one) for one in changes(before, now)]
    assert told == ["Baltic: the Denmark alliance taken by Austria.", "Austria: 1 gold fewer."]
    given(table, local_alliances={})
    given(table, npp_points={R: 5})
    told = [say(one) for one in changes(now, seen(table))]
    assert told == ["Baltic: the Denmark alliance free again and the Sweden alliance free again.",
                    "Russia: 5 points more for information."]


# --- sheets ----------------------------------------------------------------------------------------------------------

def test_the_forecast_ranks_non_player_powers_and_tells_them_last():
    table = deluxe(markers={A: {"india": 1}, B: {"india": 2}, P: {"india": 1}, R: {"africa": 1}}, points={A: 1})
    given(table, npp_points={P: 30})
    forecast = shown("forecast", table)
    india = next(area for area in forecast.areas if area.area == "india")
    assert [(gain.power, gain.points) for gain in india.gains] == [(B, 5), (P, 3), (A, 0)]       # Prussia comes before its equal
    assert [(total.power, total.then, total.npp) for total in forecast.totals] == [
        (B, 5, False), (A, 1, False), (C, 0, False), (P, 33, True), (R, 3, True)]
    words = GAME.views.board(forecast)
    assert "Britain 0 + 5 = 5; Austria 1 + 0 = 1; France 0 + 0 = 0.\n" in words
    assert "Non-player powers, for information: Prussia 30 + 3 = 33; Russia 0 + 3 = 3." in words


def test_the_stock_tells_local_alliances_and_the_open_display():
    table = deluxe(local={"local_gaucho": B}, tiles={A: {"reserves": 1}})
    given(table, display=["india_01"])
    stock = shown("stock", table)
    assert [(place.here.name, place.areas) for place in stock.local if place.here.holder] == [
        ("Gaucho", ("South America", "Caribbean"))]
    assert isinstance(stock.local[0].here, LocalAlliance) and len(stock.local) == 11 and len(stock.tokens) == 2
    words = GAME.views.board(stock)
    assert "Reserves (free action): 3 of 4 left for 4 gold; owned by Austria." in words
    assert "South America and Caribbean: Gaucho alliance, on land or at sea: held by Britain." in words
    assert "Pirate attack, strength 1: in the display." in words and "Neutral markers out of the game: India 1." in words
    alt = GAME.views.describe(stock, 1024)
    assert "Britain: Gaucho alliance." in alt and "Free local alliances: Bavaria, Saxony, Denmark," in alt


def test_the_auction_speaks_of_red_and_blue():
    table = scene(edition="deluxe", powers=(A, B), npps=(P,), phase="auction", opener=A)
    table.say(A, Bid(gold=1, a=B, b=A))
    auction = shown("auction", table)
    assert [row.name for row in auction.rows] == ["the red alliance", "the blue alliance"]
    assert [(row.heading, row.short) for row in auction.rows] == [("Red alliance", "Red"), ("Blue alliance", "Blue")]
    assert [(row.heading, row.short) for row in ROWS] == [("Row A", "Row A"), ("Row B", "Row B")]
    assert auction.npps[0].name == "Prussia"
    words = GAME.views.board(auction)
    assert "Austria bids 1 gold: Britain in the red alliance and Austria in the blue alliance." in words
    assert "Red alliance: nobody yet." in words and "Non-player powers: Prussia." in words
    assert "Austria bids 1 gold: Britain in the red alliance, Austria in the blue alliance." in table.lines()


def test_standing_orders_for_an_auction_speak_of_red_and_blue():
    reader = Reader(GAME.words.names(components(GAME, "deluxe").parts))
    assert GAME.orders is not None
    condition = GAME.orders.condition("for_a")
    assert condition is not None and say(condition.said, reader) == "the power proposed for the red alliance"
    bids = {offer.key: offer for point in GAME.orders.points for offer in point.offers}
    assert say(offer_text(GAME, bids["raise_b"]), reader) == "raise by 1 gold for … in the blue alliance"
    assert [say(slot.asked, reader) for slot in bids["raise"].slots] == [
        "Who is proposed for the red alliance?", "Who is proposed for the blue alliance?"]


@pytest.mark.parametrize("powers, penalties, words", [
    ((A, B), (7,), "Most unrest costs 7 points; with"),
    ((A, B, C), (7, 5), "Most unrest costs 7 and 5 points, in this order; with"),
    ((A, B, C, D), (7, 4), "Most unrest costs 7 and 4 points, in this order; with")])
def test_the_final_reckoning_tells_the_penalties_of_this_number_of_players(powers, penalties, words):
    table = scene(edition="deluxe", powers=powers, npps=(P,), rows=(powers[::2], (*powers[1::2], P)), phase="reckoning", war=3,
                  unrest={A: 3})
    given(table, npp_points={P: 40})
    reveal = shown("reveal", table)
    assert reveal.penalties == penalties and words in GAME.views.board(reveal)
    assert reveal.npps == ((("Prussia", 40),) if len(powers) < 4 else ())


def test_every_picture_of_a_deluxe_game_can_be_drawn():
    table = deluxe(local={"local_gaucho": B}, captives={"pirates": ("india", P)}, options={"gold.public": False})
    for picture in ("board", "forecast", "stock"):
        for theme in ("dark", "light"):
            assert render(shown(picture, table), theme)
