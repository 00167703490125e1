"""What each picture of Struggle of Empires shows, and how it is said in words: worked examples, then random games."""
from __future__ import annotations

import json
import random
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest

from engine.games.struggle_of_empires import GAME
from engine.games.struggle_of_empires.actions import Attack, Bid, Colonise, End, Move, Pass, Place
from engine.games.struggle_of_empires.events import AreaScored, AttackEnded, NeutralsPlaced
from engine.games.struggle_of_empires.pictures.alt_text import changes
from engine.games.struggle_of_empires.pictures.scenes import Board, Closeup, Owner, Power, Reveal, Stop, Way
from engine.kernel import Checkpoint, Row, Seat, parse_events
from engine.kernel.game_spec import Picture, Replay
from engine.refusals import Refusal
from engine.text import say, text
from engine.text.aloud import fit
from tests.games.struggle_of_empires.pictured import EVEN, PICTURES, A, B, C, D, shown, story
from tests.games.struggle_of_empires.test_properties import PARTS, Opening, game_of, mixture
from tests.scene import FAIR, Scene, scene


def refused(key: str, told: Replay) -> str:
    """The sentence with which a picture is refused."""
    with pytest.raises(Refusal) as why:
        PICTURES[key].scene(told)
    return str(why.value)


# --- which area, and what is new -----------------------------------------------------------------------------------

def moves_and_an_attack() -> Scene:
    """An attack in Africa, then two armies go from the German States to Central Europe."""
    table = scene(units={A: {"army": {"africa": 2, "german_states": 2}}}, markers={B: {"africa": 1}}, dice=[EVEN])
    table.say(A, Attack(area="africa", target=B))
    for _ in range(2):
        table.say(A, Move(unit="army", origin="german_states", to="central_europe"))
    return table


def test_an_attack_outweighs_everything_else_and_what_is_known_does_not_count():
    table = moves_and_an_attack()
    assert shown("closeup", table).area.area == "africa"
    attack = next(entry.no for entry in table.table.fresh if any(isinstance(event, AttackEnded) for event in entry.events))
    later = shown("closeup", table, since=attack)
    assert later.area.area == "central_europe" and later.battle is None
    assert PICTURES["closeup"].news(story(table, since=attack)) == [""], "without a fight, what was touched most"
    nothing_new = story(table, since=table.table.last_no)
    assert PICTURES["closeup"].scene(nothing_new).area.area == "africa", "where most markers are"
    assert PICTURES["closeup"].news(nothing_new) == [], "and nothing is posted"


def test_after_a_war_no_single_area_is_posted():
    table = scene(phase="war_end", markers={A: {"africa": 1}}, dice=FAIR)
    placed = [event for event in table.events(NeutralsPlaced) if event.markers]
    assert placed, "new neutral markers come to many areas"
    assert PICTURES["closeup"].news(story(table, since=0)) == [], "the board says more"


def test_what_an_own_power_was_part_of_outweighs_what_others_did():
    table = scene(powers=(A, B, C), rows=((A,), (B, C)), markers={B: {"africa": 1}, C: {"india": 2}}, dice=[EVEN, EVEN, EVEN],
                  units={A: {"army": {"africa": 1, "india": 2}}, B: {"army": {"baltic": 1}}}, actions=2)
    table.say(A, Attack(area="africa", target=B))
    table.say(A, Attack(area="india", target=C))
    assert shown("closeup", table).area.area == "india"
    assert shown("closeup", table, seat=Seat("seat_2")).area.area == "africa"


def test_only_the_own_board_names_the_own_tiles_with_what_they_do():
    table = scene(powers=(A, B, C), tiles={A: {"reserves": 2, "banking": 1}, B: {"logistics": 1}})
    told = {tile.name: tile for tile in shown("board", table, seat=Seat("seat_1")).tiles}
    assert set(told) == {"Reserves", "Banking"} and (told["Reserves"].number, told["Reserves"].used) == (2, 0)
    assert told["Banking"].effect == "Taxes bring you 3 gold instead of 2 for each unrest"
    assert [tile.name for tile in shown("board", table, seat=Seat("seat_2")).tiles] == ["Logistics"]
    assert shown("board", table).tiles == ()


def test_every_attack_of_a_turn_has_its_close_up_in_the_order_in_which_they_were_fought():
    table = scene(powers=(A, B, C), rows=((A,), (B, C)), markers={B: {"africa": 1}, C: {"africa": 1}},
                  dice=[EVEN, EVEN], units={A: {"army": {"africa": 3}}, B: {"army": {"baltic": 1}}}, actions=2)
    for area, target in (("africa", B), ("africa", C)):
        table.say(A, Attack(area=area, target=target))
    told = story(table)
    news = PICTURES["closeup"].news(told)
    seen = [PICTURES["closeup"].scene(replace(told, subject=subject)) for subject in news]
    assert [(one.area.area, one.battle.defender.power, one.more) for one in seen] == [
        ("africa", B, 0), ("africa", C, 0)]
    assert PICTURES["closeup"].news(replace(told, since=table.table.last_no)) == []


def test_on_request_any_area_is_shown_with_its_last_attack_and_what_changed():
    table = moves_and_an_attack()
    seen = shown("closeup", table, subject="africa", since=table.table.last_no, people={Seat("seat_2"): "Ada"})
    assert isinstance(seen, Closeup) and seen.battle is not None and seen.more == 0 and seen.before is None
    assert seen.people == ((B, "Ada"),) and seen.powers == (Power(power=A, name="Austria"), Power(power=B, name="Britain"))
    fresh = shown("closeup", table, subject="africa")
    assert fresh.before is not None and [(held.power, held.markers) for held in fresh.before.garrisons] == [(B, 1), (A, 0)]
    assert [(held.power, held.markers) for held in fresh.area.garrisons] == [(A, 1)]
    assert "What changed: Austria 1 marker more and Britain 1 marker fewer." in GAME.views.board(fresh)
    assert "Players: Britain: Ada." in GAME.views.board(seen)
    assert shown("closeup", table, subject="baltic").battle is None


def test_further_attacks_since_the_last_look_are_counted():
    table = scene(units={A: {"army": {"india": 3}}}, markers={B: {"india": 2}}, dice=[EVEN, EVEN])
    table.say(A, Attack(area="india", target=B))
    between = table.table.last_no
    table.say(A, Attack(area="india", target=B))
    assert (shown("closeup", table).more, shown("closeup", table, since=between).more) == (1, 0)
    assert "There was 1 other attack here." in GAME.views.board(shown("closeup", table))


def test_the_board_marks_what_is_new_and_where_its_seat_may_act():
    table = scene(units={A: {"army": {"german_states": 1, "india": 1}}}, markers={B: {"india": 1}}, unrest={A: 3, B: 4},
                  neutrals={"german_states": ["pop"]}, dice=FAIR)
    seat = table.state.seat(A)
    fields: dict[str, Any] = {"seat": seat, "options": table.options(A), "people": {seat: "Ada"}}
    board = shown("board", table, **fields)
    assert board.before is None and board.now.own_unrest == 3 and board.people == ((A, "Ada"),)
    ways = {way.area: way.deeds for way in board.ways}
    assert {"attack", "colonise"} & set(ways["india"]) == {"attack"}
    assert {"attack", "colonise"} & set(ways["german_states"]) == {"colonise"}
    assert list(ways) == [area for area in PARTS.area if area in ways]

    table.say(A, Colonise(area="german_states"))
    board = shown("board", table, **fields)
    assert board.before is not None and board.before.own_unrest == 3
    words = GAME.views.board(board)
    assert "New since you looked: German States: Austria 1 marker more and 1 neutral marker fewer." in words
    assert "Austria: 1 population fewer." in words
    assert "You can attack in India (5)." in words and "Your unrest, which only you see: 3" in words
    alt = GAME.views.describe(board, 1024)
    assert "You can attack in India (5)." in alt and "Your unrest, which only you see: 3." in alt

    public = shown("board", table, options=table.options(A))
    assert public.ways == () and public.now.own_unrest is None
    assert "What changed: German States" in GAME.views.board(public)


def test_in_a_short_alt_text_the_powers_money_gives_way_to_the_markers():
    table = scene(units={A: {"army": {"german_states": 1}}}, neutrals={"german_states": ["pop"]}, dice=FAIR)
    table.say(A, Colonise(area="german_states"))
    board = shown("board", table)
    whole = GAME.views.describe(board, 1024)
    new, money, markers = (whole.index(words) for words in (
        "What changed: German States", "Austria: 1 population fewer.", "Control markers: German States: Austria 1."))
    assert new < money < markers
    assert GAME.views.describe(board, len(whole) - 1) == whole.replace("Austria: 1 population fewer. ", "")


def test_placing_and_moving_are_ways_too():
    table = scene(phase="placing", markers={A: {"india": 1}, B: {"africa": 1}}, dice=FAIR)
    board = shown("board", table, seat=table.state.seat(A), options=table.options(A))
    assert Way(area="india", deeds=("place",), number=5) in board.ways
    assert Place(unit="army", area="india") in table.options(A)


def test_changes_tell_captives_blockades_and_tiles():
    before = scene(captives={"pirates": ("india", A)}, tiles={A: {"logistics": 1, "banking": 1}}, gold=3).state
    after = scene(captives={"slave_revolt": ("africa", B)}, blockades={"caribbean": [A]}, tiles={A: {"logistics": 2}}, gold=5,
                  used={A: {"logistics": 1}}).state
    assert [say(one) for one in changes(GAME.views.view(before, None), GAME.views.view(after, None))] == [
        "Caribbean: a Blockade of Austria laid.", "Africa: a marker of Britain captured by the Slave Revolt.",
        "India: the captive of the Pirates gone.",
        "Austria: 2 gold more, Logistics gained, Banking given up and Logistics used.", "Britain: 2 gold more."]


# --- sheets and plots ----------------------------------------------------------------------------------------------

def test_the_forecast_gives_equal_numbers_of_markers_the_same_points():
    table = scene(powers=(A, B, C, D), points={A: 1, B: 2, C: 30, D: 4},
                  markers={A: {"german_states": 3, "india": 2}, B: {"german_states": 3}, C: {"german_states": 1, "india": 1},
                           D: {"india": 1}})
    forecast = shown("forecast", table)
    areas = {area.area: [(gain.power, gain.markers, gain.points) for gain in area.gains] for area in forecast.areas}
    assert areas["german_states"] == [(A, 3, 8), (B, 3, 8), (C, 1, 5)]          # 8, 5, 3: equals share a place
    assert areas["india"] == [(A, 2, 5), (C, 1, 3), (D, 1, 3)] and areas["africa"] == []         # 5, 3
    assert [(total.power, total.now, total.gain, total.then) for total in forecast.totals] == [
        (C, 30, 8, 38), (A, 1, 13, 14), (B, 2, 8, 10), (D, 4, 3, 7)]
    assert "France 30 + 8 = 38; Austria 1 + 13 = 14; Britain 2 + 8 = 10; Spain 4 + 3 = 7." in GAME.views.board(forecast)


def test_the_stock_tells_prices_and_owners():
    stock = shown("stock", scene(tiles={A: {"logistics": 2}, B: {"banking": 1}}, used={A: {"logistics": 1}}))
    items = {item.tile: item for item in stock.items}
    assert list(dict.fromkeys(item.kind for item in stock.items)) == ["improvement", "company", "alliance"]
    assert (items["logistics"].left, items["logistics"].of, items["logistics"].gold) == (1, 3, 1)
    assert items["logistics"].owners == (Owner(power=A, number=2, used=1),)
    assert items["banking"].owners == (Owner(power=B, number=1, used=0),)
    assert "Logistics: 1 of 3 left for 1 gold; owned by Austria 2 (1 used up)." in GAME.views.board(stock)
    alt = GAME.views.describe(stock, 1024)
    assert "Left: Army Training 6, Naval Training 2, Reserves 4, War Office," in alt and "Mysore." in alt
    assert alt.endswith("Austria: Logistics 2. Britain: Banking.")


def test_the_auction_tells_its_bids_and_who_is_still_to_be_heard():
    table = scene(powers=(A, B, C, D), phase="auction", opener=B, gold={A: 7})
    opening = shown("auction", table)
    assert [(bidder.power, bidder.state) for bidder in opening.bidders] == [
        (B, "to bid"), (C, "to bid"), (D, "to bid"), (A, "to bid")]
    assert "Nobody has bid yet." in GAME.views.board(opening)
    table.say(B, Bid(gold=1, a=B, b=A))
    table.say(C, Pass())
    table.say(D, Bid(gold=2, a=D, b=B))
    table.say(A, Pass())
    auction = shown("auction", table)
    assert [(bid.bidder, bid.gold, bid.a, bid.b) for bid in auction.bids] == [(B, 1, B, A), (D, 2, D, B)]
    assert [(bidder.power, bidder.gold, bidder.state) for bidder in auction.bidders] == [
        (B, 10, "to bid"), (C, 10, "to bid"), (D, 10, "in"), (A, 7, "passed")]
    assert (auction.number, auction.row_a, auction.standing.bidder, auction.standing.gold) == (1, (), D, 2)
    words = GAME.views.board(auction)
    assert "Spain bids 2 gold: Spain in row A and Britain in row B." in words and "To be heard: Britain, France." in words
    table.say(B, Pass())
    table.say(C, Pass())
    second = shown("auction", table)
    assert (second.number, second.row_a, second.row_b, second.bids, second.standing.bidder) == (2, (D,), (B,), (), "")


def test_the_final_reckoning_step_by_step():
    table = scene(powers=(A, B, C, D), phase="reckoning", war=3, points={A: 50, B: 40, C: 60, D: 30},
                  unrest={A: 5, B: 5, C: 20, D: 2})
    reveal = shown("reveal", table)
    assert (reveal.collapse, reveal.penalties) == (20, (7, 4))
    rows = [(row.power, row.before, row.unrest, row.collapsed, row.penalty, row.points, row.place, row.winner)
            for row in reveal.rows]
    assert rows == [(A, 50, 5, False, 7, 43, 1, True), (B, 40, 5, False, 7, 33, 2, False), (D, 30, 2, False, 4, 26, 3, False),
                    (C, 60, 20, True, 0, 0, 4, False)]

    def uncovered(frame: Reveal) -> tuple[str, dict[str, tuple[int, int | None, int | None]]]:
        return frame.step, {row.power: (row.points, row.unrest, row.penalty) for row in frame.rows}

    frames = shown("reckoning", table).frames
    assert [uncovered(frame) for frame in frames] == [
        ("points", {C: (60, None, None), A: (50, None, None), B: (40, None, None), D: (30, None, None)}),
        ("unrest", {C: (60, None, None), A: (50, None, None), B: (40, None, None), D: (30, 2, None)}),
        ("unrest", {C: (60, None, None), A: (50, 5, None), B: (40, None, None), D: (30, 2, None)}),
        ("unrest", {C: (60, None, None), A: (50, 5, None), B: (40, 5, None), D: (30, 2, None)}),
        ("unrest", {C: (60, 20, None), A: (50, 5, None), B: (40, 5, None), D: (30, 2, None)}),
        ("collapse", {C: (0, 20, 0), A: (50, 5, None), B: (40, 5, None), D: (30, 2, None)}),
        ("penalties", {C: (0, 20, 0), A: (43, 5, 7), B: (33, 5, 7), D: (26, 2, 4)}),
        ("ranking", {A: (43, 5, 7), B: (33, 5, 7), D: (26, 2, 4), C: (0, 20, 0)})]
    assert [[row.power for row in frame.rows] for frame in (frames[0], frames[-1])] == [[C, A, B, D], [A, B, D, C]]
    assert frames[-1] == reveal
    for frame in frames[:-1]:
        assert not any(row.place or row.winner for row in frame.rows)
        assert [row.power for row in frame.rows if row.collapsed] == ([C] if frame.step in ("collapse", "penalties") else [])
    assert [key for key, picture in PICTURES.items() if picture.posted] == ["board", "closeup", "reckoning"]
    words = GAME.views.board(reveal)
    assert GAME.views.board(shown("reckoning", table)) == words
    assert "Austria wins." in words and "4. France: 60 points, 20 unrest, collapses: 0 points." in words
    assert "1. Austria: 50 points, 5 unrest, loses 7 points: 43 points." in words


def test_refusals_have_sentences():
    table = scene()
    assert refused("auction", story(table)) == (
        "There is no auction right now. Alliances are auctioned at the start of each war.")
    assert refused("closeup", story(table, subject="atlantis")) == "There is no area atlantis."
    assert refused("recap", story(table)) == (
        "There is nothing to recap yet. A recap shows the board after each auction and turn.")
    assert refused("forecast", story(scene(phase="reckoning"))) == (
        "The game is over. The final reckoning shows how it ended.")
    table.say(A, Pass(), End())
    assert refused("recap", story(table, subject="war_2")) == "Nothing has happened yet in War 2."
    assert refused("recap", story(table, subject="war_9")) == "There is no war or round war_9."
    for key in ("reveal", "reckoning"):
        assert refused(key, story(table)) == (
            "The final reckoning comes after war 3. Until then unrest is secret.")
    game = game_of(Opening("first", 4, {}))
    start = Replay(spec=GAME, parts=PARTS, start=game.start, rows=())
    assert refused("forecast", start) == "There is nothing to forecast yet: nobody has chosen a power."
    assert refused("points", start) == "There are no victory points yet: the powers are still being chosen."


def test_subjects_name_areas_wars_and_rounds():
    assert {id: say(name) for id, name in PICTURES["closeup"].subjects(PARTS).items()} == {
        area.id: area.name for area in PARTS.areas}
    stretches = {id: say(name) for id, name in PICTURES["recap"].subjects(PARTS).items()}
    assert len(stretches) == 3 + 3 * 6 and (stretches["war_1"], stretches["war_3_round_6"]) == ("War 1", "War 3, round 6")
    assert [key for key, picture in PICTURES.items() if picture.private] == ["board"]
    assert [key for key, picture in PICTURES.items() if picture.whole] == ["points", "recap"]


@pytest.mark.parametrize("most, words", [
    (100, "One. Two is longer. Three."), (19, "One. Two is longer."), (18, "One."), (3, "On…")])
def test_an_alt_text_is_cut_between_sentences(most, words):
    assert fit(map(text, ("One.", "Two is longer.", "Three.")), most) == words


# --- random games --------------------------------------------------------------------------------------------------

GAMES = [Opening("first", 2, {}), Opening("deluxe", 3, {}), Opening("deluxe", 2, mixture(2))]
random_games = pytest.mark.parametrize("opening", GAMES, ids=[opening.name for opening in GAMES])


def scenes(told: Replay) -> dict[str, Any]:
    """Every picture of a position, or why there is none; each also fits as alt text and has a text of its own."""
    out: dict[str, Any] = {}
    for picture in GAME.views.pictures:
        try:
            scene = out[picture.key] = picture.scene(told)
        except Refusal as why:
            out[picture.key] = str(why)
            continue
        if scene is not None:
            for most in (60, 300, 1024):
                assert 0 < len(GAME.views.describe(scene, most)) <= most
            assert len(GAME.views.board(scene)) > 40
    return out


@random_games
def test_every_picture_of_every_position_can_be_made_for_everybody(opening):
    game, pick = game_of(opening), random.Random(opening.seats)
    people = {Seat(f"seat_{number}"): f"Player {number}" for number in range(1, opening.seats + 1)}
    for table in game.sampled(3):
        rows = [row for row in game.rows if row.no <= table.last_no]
        told = Replay(spec=GAME, parts=game.parts, start=game.start, rows=rows, since=pick.randrange(table.last_no + 1),
                     people=people)
        public = scenes(told)
        assert public["board"].ways == () and public["board"].now == GAME.views.view(table.state, None)
        for question in table.waiting():
            own = scenes(replace(told, seat=question.seat, options=table.options(question.seat)))
            assert own["board"].now == GAME.views.view(table.state, question.seat)
            if not isinstance(own["closeup"], str):         # of what touched the reader most, as everybody may see it
                public["closeup"] = scenes(replace(told, subject=own["closeup"].area.area))["closeup"]
            assert {key: scene for key, scene in own.items() if key != "board"} == {
                key: scene for key, scene in public.items() if key != "board"}, "only the board is private"
        if not isinstance(public["recap"], str):
            frames = public["recap"].frames
            assert frames[-1].now == public["board"].now, "the last frame is the board"
            assert all(later.before == earlier.now for earlier, later in pairwise(frames))


def louder(row: Row, power: str) -> Row:
    """The row with more unrest of a power."""
    body = json.loads(row.events)
    for event in body:
        if event["is"] in ("UnrestChanged", "UnrestDrawn") and event["power"] == power:
            event["total"] += 11
    return replace(row, events=json.dumps(body))


@random_games
def test_unrest_shows_in_no_picture_of_anybody_else(opening):
    game = game_of(opening)
    start = [point for point in game.checkpoints if json.loads(point.state)["phase"] == "turn"][opening.seats]
    state = json.loads(start.state)
    power, seat = state["powers"][0], Seat(state["seats"][0])
    state["unrest"][power] += 11
    rows = [row for row in game.rows if row.no > start.no][:150]
    rows = rows[:next((no for no, row in enumerate(rows) if "UnrestRevealed" in row.events), len(rows))]
    told = Replay(spec=GAME, parts=game.parts, start=start, rows=rows, since=start.no)
    other = replace(told, start=Checkpoint(start.no, start.rolls, json.dumps(state)), rows=[louder(row, power) for row in rows])
    assert told.end().unrest != other.end().unrest
    for reader in (None, *(Seat(one) for one in state["seats"] if one != seat)):
        assert scenes(replace(told, seat=reader)) == scenes(replace(other, seat=reader))
    assert scenes(replace(told, seat=seat)) != scenes(replace(other, seat=seat)), "the seat itself sees its unrest"


@random_games
def test_points_over_time_end_with_the_standings(opening):
    game = game_of(opening)
    whole = Replay(spec=GAME, parts=game.parts, start=game.start, rows=game.rows)
    progress = PICTURES["points"].scene(whole)
    state = whole.end()
    assert {state.seat(line.power): line.points[-1] for line in progress.lines} == {
        seat: points for seat, _, points in GAME.rules.standings(state)}
    assert [line.points[-1] for line in progress.lines] == sorted((line.points[-1] for line in progress.lines), reverse=True)
    rounds = state.rounds
    wars = [[*(Stop(war=war, round=number) for number in range(1, rounds + 1)), Stop(war=war, round=0)] for war in (1, 2, 3)]
    assert list(progress.stops) == [Stop(war=0, round=0), *wars[0], *wars[1], *wars[2], Stop(war=3, round=0, last=True)]
    scored: dict[str, int] = {}
    for row in game.rows:
        for event in parse_events(GAME, row.events):
            if isinstance(event, AreaScored):
                for power, points in event.points.items():
                    scored[power] = scored.get(power, 0) + points
    ends = [index for index, stop in enumerate(progress.stops) if not stop.round and stop.war and not stop.last]
    for line in progress.lines:
        assert sum(line.points[end] - line.points[end - 1] for end in ends) == scored.get(line.power, 0)


@random_games
def test_a_film_has_a_board_for_every_turn_auction_and_war(opening):
    game = game_of(opening)
    whole = Replay(spec=GAME, parts=game.parts, start=game.start, rows=game.rows)
    end, seats = whole.end(), opening.seats
    rounds, auctions = end.rounds, -(-len(end.powers + end.npps) // 2)
    first: Board = PICTURES["recap"].scene(replace(whole, subject="war_1")).frames[0]
    assert first.before is None and first.now.war == 1
    assert len(PICTURES["recap"].scene(replace(whole, subject="war_1")).frames) == auctions + rounds * seats + 1
    one_round = PICTURES["recap"].scene(replace(whole, subject="war_2_round_3")).frames
    assert len(one_round) == seats and one_round[0].before is not None
    assert {(frame.now.war, frame.now.round) for frame in one_round[:-1]} == {(2, 3)}
    last = PICTURES["recap"].scene(whole).frames
    assert len(last) == auctions + rounds * seats + 1 + 1 and last[-1].now.over      # the reckoning is one board more


@random_games
def test_the_final_reckoning_is_the_same_from_a_late_start(opening):
    game = game_of(opening)
    late: Picture = PICTURES["reveal"]
    start = game.checkpoints[-1]
    rows = [row for row in game.rows if row.no > start.no]
    reveal = late.scene(Replay(spec=GAME, parts=game.parts, start=start, rows=rows))
    assert reveal == late.scene(Replay(spec=GAME, parts=game.parts, start=game.start, rows=game.rows))
    for row in reveal.rows:
        assert row.points == (0 if row.collapsed else row.before - row.penalty)
