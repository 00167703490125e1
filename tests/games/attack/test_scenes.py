"""What each picture of Attack! shows, and how it is said in words: the golden battles, then random games."""
from __future__ import annotations

import random
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest

from engine.games.attack import GAME
from engine.games.attack.pictures.build_scenes import matched
from engine.games.attack.pictures.scenes import Battle, Board, Film, Naval, Way
from engine.games.attack.rules.crossings import Permit
from engine.games.attack.rules.movement import Move
from engine.games.attack.rules.naval import Fight
from engine.games.attack.rules.naval_lines import Line
from engine.games.attack.rules.turns import Begin, Confirm
from engine.games.attack.view import Units
from engine.kernel import Seat
from engine.kernel.game_spec import Replay
from engine.refusals import Refusal
from tests.games.attack.scene import SHIPS, Scene, scene
from tests.games.attack.test_golden_battles import THROWN, at_sea, bring, ukraine
from tests.games.attack.test_standing_orders import two_battles
from tools.gallery import Played, play
from tools.samples.attack import army, line, pair, ukraine as sketch

PICTURES = {picture.key: picture for picture in GAME.views.pictures}
D, S, B, C = (SHIPS[letter] for letter in "DSBC")


def story(table: Scene, **fields: Any) -> Replay:
    """All that has happened in a scene, for the public unless a field says otherwise."""
    return Replay(spec=GAME, parts=table.parts, start=table.start, rows=[entry.row() for entry in table.table.fresh], **fields)


def shown(key: str, table: Scene, **fields: Any) -> Any:
    return PICTURES[key].scene(story(table, **fields))


@pytest.fixture(scope="module")
def game() -> Played:
    return play(GAME, GAME.editions[0].key, 6, seed=5)


def scenes(told: Replay) -> dict[str, Any]:
    """Every picture of a story; the sentence of one that is refused."""
    found: dict[str, Any] = {}
    for key, picture in PICTURES.items():
        try:
            found[key] = picture.scene(replace(told, subject="") if key == "recap" else told)
        except Refusal as why:
            found[key] = str(why)
    return found


# --- land battles -------------------------------------------------------------------------------------------

def fought() -> Scene:
    """The battle of Ukraine (GT-02 to GT-12)."""
    gray = ukraine(*THROWN, (1,), hand=("oil_3", "population_1"))
    for power, words in (("gray", "4I"), ("green", "1I 1T 1A 1P"), ("gray", "2T 1P"), ("green", "1I 1T 1P"),
                         ("gray", "1I 1T 2A 1P"), ("green", "1I 1A")):
        gray.say(power, bring(words))
    return gray


def test_the_battle_of_Ukraine_is_told_round_by_round():
    battle = shown("closeup", fought())
    assert isinstance(battle, Battle)
    assert battle.rounds == sketch().rounds, "as the rules tell it (22.2)"
    assert (battle.territory, battle.name, battle.card) == ("ukraine", "Ukraine", "")
    assert (battle.winner, battle.spoils) == ("attacker", True)
    gray, green = battle.attacker, battle.defender
    assert (gray.name, gray.force, gray.line_up, gray.lost) == ("Gray", army("5I 3T 2A 2P"), army("4I"), army("5I 3T 1P"))
    assert (gray.fighting, gray.reserve) == (army("2A 1P"), Units())
    assert (green.force, green.line_up, green.lost) == (army("3I 2T 2A 2P"), army("1I 1T 1A 1P"), army("3I 2T 2A 2P"))


def test_every_battle_of_an_action_has_its_picture_in_the_order_in_which_they_were_fought():
    told = story(two_battles())
    news = PICTURES["closeup"].news(told)
    assert [PICTURES["closeup"].scene(replace(told, subject=subject)).territory for subject in news] == ["southern_us", "panama"]
    assert {PICTURES["closeup"].scene(replace(told, subject=subject)).more for subject in news} == {0}
    assert PICTURES["closeup"].scene(told).territory == "panama" and PICTURES["closeup"].scene(told).more == 1
    assert not PICTURES["closeup"].news(replace(told, since=told.rows[-1].no)), "nothing is new"


def test_a_battle_under_way_is_shown_as_far_as_it_has_come():
    gray = ukraine("I A A P P")
    assert shown("closeup", gray).rounds == () and shown("closeup", gray).winner == ""
    gray.say("gray", bring("4I"))
    assert shown("closeup", gray).attacker.line_up == army("4I")
    gray.say("green", bring("1I 1T 1A 1P"))
    battle = shown("closeup", gray)
    (only,) = battle.rounds
    assert [half.side for half in only.halves] == ["defender", "attacker"]
    assert only.halves[0].hits == 3 and only.halves[1].dice == ()
    assert battle.attacker.fighting == army("1I") and battle.attacker.lost == army("3I")


@pytest.mark.parametrize("dice, fighting, scored", [
    ("I I P P", {"infantry": 1, "tank": 2}, "1000"), ("T T T T", {"tank": 2}, "1100"), ("A A", {"artillery": 1}, "10"),
    ("- T I", {"plane": 1}, "000")])
def test_the_first_dice_of_a_type_are_matched_as_far_as_there_are_units(dice, fighting, scored):
    faces = {"I": "infantry", "T": "tank", "A": "artillery", "P": "plane", "-": "blank"}
    assert matched(tuple(faces[die] for die in dice.split()), fighting) == tuple(one == "1" for one in scored)


def test_neutral_defenders_have_a_card_and_a_commander():
    red = scene(land={"poland": ("red", "3I 1T"), "france": ("blue", "1I")}, deck=["oil_01"], dice=[
        (1,), *["- - -", "I I"] * 3])
    red.say("red", Begin(action="movement"), Move(unit="infantry", origin="poland", to="ukraine", number=2), Confirm())
    battle = shown("closeup", red)
    assert battle.card.startswith("oil_") and battle.defender.commander == "Blue"
    assert (battle.defender.power, battle.defender.name) == ("neutral", "Neutral defenders")
    assert f"commanded by {battle.defender.commander}" in GAME.views.board(battle)


def test_without_a_battle_there_is_no_picture_of_one():
    told = scenes(story(scene(land={"poland": ("red", "1I"), "france": ("blue", "1I")})))
    assert told["closeup"] == "There has been no land battle yet."
    assert told["naval"] == "There has been no naval battle yet."


def test_a_battle_in_words():
    words = GAME.views.board(shown("closeup", fought()))
    assert "Attack!: battle for Ukraine, Gray against Green." in words
    assert "Gray captures Ukraine, and takes a card." in words
    assert "Round 1, Green: rolls infantry, artillery, artillery, plane, plane, 3 hits: 3 infantry lost." in words
    assert "Round 2, Gray: brings 1 infantry, 1 tank, 2 artillery and 1 plane; rolls" in words
    for most in (20, 200, 1024):
        assert 0 < len(GAME.views.describe(shown("closeup", fought()), most)) <= most


# --- naval battles --------------------------------------------------------------------------------------------

def test_the_naval_battle_is_told_pair_by_pair():
    green = at_sea("1B 2D 1S 1C", "1B 1D 1S", (4, 5, 3, 4), (4, 4, 4, 4), (2, 3, 3, 4))
    sealed = shown("naval", green)
    assert sealed.rounds == () and (sealed.attacker.lying, sealed.defender.lying) == (5, 3)
    green.say("green", Line(ships=(B, C, D, D, S)))
    assert shown("naval", green) == sealed, "a line that lies face down shows nothing"
    green.say("gray", Line(ships=(S, B, D)))
    naval = shown("naval", green)
    assert isinstance(naval, Naval)
    (first,) = naval.rounds
    assert (first.attackers_line, first.defenders_line) == (line("B* C D D S"), line("S! B* D"))
    heads = [one.model_copy(update={"position": 0}) for one in first.pairs]
    assert heads == [one.model_copy(update={"position": 0}) for one in (
        pair("B 4 5 1", "S 3 4 2", "defender", "S", sunk=True), pair("C 4 4 1", "B 4 4 0", "defender", "B"),
        pair("D 2 3 1", "D 3 4 0", "attacker", "B"))]
    assert [one.position for one in first.pairs] == [1, 2, 1]
    assert (naval.attacker.fit, naval.defender.fit, naval.winner) == (4, 1, "")


def test_a_retreat_ends_a_naval_battle():
    made = at_sea("2D", "2D", (1, 1, 1, 1), (1, 1, 1, 1))
    made.say("green", Fight(on=False))
    naval = shown("naval", made)
    assert (naval.winner, naval.retreat) == ("defender", True)
    assert "Gray wins: Green retreats." in GAME.views.board(naval)


def test_only_a_battle_that_is_new_is_posted_but_an_old_one_can_be_asked_for():
    gray, green = fought(), at_sea("2D", "2D", (1, 1, 1, 1), (1, 1, 1, 1))
    green.say("green", Fight(on=False))
    for key, made in (("closeup", gray), ("naval", green)):
        (subject,) = PICTURES[key].subjects(made.parts)
        now = made.table.last_no
        assert shown(key, made, since=now - 1) == shown(key, made, since=now, subject=subject)
        with pytest.raises(Refusal, match="battle yet"):
            shown(key, made, since=now)


# --- recap ------------------------------------------------------------------------------------------------------

def test_a_recap_shows_the_board_after_each_turn_of_a_round(game):
    told = Replay(spec=GAME, parts=game.parts, start=game.checkpoints[0], rows=game.rows, subject="round_2")
    film = PICTURES["recap"].scene(told)
    assert isinstance(film, Film)
    assert [frame.now.round for frame in film.frames] == [2] * 5 + [3], "six turns, the last of which begins a round"
    assert len({frame.now.active for frame in film.frames}) == 6
    assert all(later.before == earlier.now for earlier, later in pairwise(film.frames))
    assert film.frames[0].before is not None and film.frames[0].before.round == 2
    assert all(frame.now.own_cards == () and frame.now.seat is None for frame in film.frames)
    assert "recap in 6 boards" in GAME.views.board(film) and 0 < len(GAME.views.describe(film, 300)) <= 300


def test_without_a_subject_the_last_round_is_recapped_up_to_now(game):
    whole = Replay(spec=GAME, parts=game.parts, start=game.checkpoints[0], rows=game.rows)
    last = PICTURES["recap"].scene(whole).frames[-1].now
    assert last.over and last == GAME.views.view(whole.end(), None)
    for rows, subject in ((game.rows[:3], ""), (game.rows[:3], "round_1"), (game.rows, "round_25")):
        with pytest.raises(Refusal, match="nothing to recap yet"):
            PICTURES["recap"].scene(replace(whole, rows=rows, subject=subject))
    with pytest.raises(Refusal, match="There is no round"):
        PICTURES["recap"].scene(replace(whole, subject="round_x"))


# --- the board and random games ---------------------------------------------------------------------------------

def test_the_board_is_the_readers_own_and_knows_what_it_was():
    red = scene(land={"poland": ("red", "3I"), "germany": ("red", "1I"), "france": ("blue", "1I")}, hands={"red": ["oil_3"]})
    red.say("red", Begin(action="movement"), Move(unit="infantry", origin="poland", to="germany"), Confirm())
    own = shown("board", red, seat=red.state.seat("red"), people={red.state.seat("red"): "Ada"})
    assert isinstance(own, Board)
    assert own.now.own_cards == ("oil_3",) and own.before is not None and own.people == (("red", "Ada"),)
    changed = [land.territory for land, was in zip(own.now.territories, own.before.territories) if land != was]
    assert changed == ["germany", "poland"]
    assert shown("board", red).now.own_cards == ()
    news = "New since you looked: Germany Red (2 infantry), Poland Red (2 infantry)."
    assert GAME.views.board(own) == f"{GAME.views.board(own.now)}\n\n{news}\nPlayers: Red: Ada."
    said = GAME.views.describe(own, 1000)
    assert said.startswith(f"Attack!: round 1, Red's turn. {news} Your cards, which only you see: Oil 3; Production would bring")
    public = GAME.views.describe(shown("board", red), 1000)
    assert "What changed: Germany Red" in public and "cards, which" not in public


def options(table: Scene, power: str) -> Any:
    """The board of one seat, with all that it may answer."""
    seat = table.state.seat(power)
    return shown("board", table, seat=seat, options=table.table.options(seat))


def test_a_seats_board_says_where_it_may_act_and_how():
    red = scene(land={"poland": ("red", "3I"), "germany": ("red", "2I"), "france": ("blue", "1I"), "ukraine": ("blue", "1I")})
    told = options(red, "red")
    neutral = {land.territory for land in told.now.territories if not land.owner}
    assert {way.territory for way in told.ways if "diplomacy" in way.deeds} == neutral
    near = {land for own in ("poland", "germany") for land in (*red.parts.territory[own].adjacent, *red.parts.sea_linked[own])}
    near -= {"poland", "germany"}
    assert {way.territory for way in told.ways if "attack" in way.deeds} == near, "what a Movement could attack"
    assert {way.territory: way.deeds for way in told.ways}["ukraine"] == ("attack",)
    assert f"You can negotiate in {len(neutral)} territories." in GAME.views.describe(told, 1000)
    assert "You can negotiate in Alaska (1), " in GAME.views.board(told)
    red.say("red", Begin(action="movement"))
    ways = {way.territory: way.deeds for way in options(red, "red").ways}
    assert ways["germany"] == ways["poland"] == ("move",) and ways["ukraine"] == ways["france"] == ("attack",)
    numbers = {way.territory: way.number for way in options(red, "red").ways}
    assert numbers.items() <= {way.territory: way.number for way in told.ways}.items(), "the board had them before the Movement"
    wanted = f"You can move to Germany ({numbers['germany']}) and Poland ({numbers['poland']})."
    assert wanted in GAME.views.describe(options(red, "red"), 1000)
    assert "france" not in {way.territory for way in shown("board", red).ways}, "the public sees no such thing"
    assert options(red, "blue").ways == ()


def test_battles_that_wait_are_marked_where_they_are():
    red = scene(land={"poland": ("red", "4I"), "germany": ("blue", "1I"), "ukraine": ("blue", "1I")}, dice=["I"] * 9)
    red.say("red", Begin(action="movement"), Move(unit="infantry", origin="poland", to="ukraine"),
            Move(unit="infantry", origin="poland", to="germany"), Confirm())
    told = options(red, "red")
    assert {way.territory: way.deeds for way in told.ways} == {"germany": ("attack",), "ukraine": ("attack",)}


def test_a_question_about_a_crossing_and_one_about_planes_are_marked_at_their_goal():
    land = {"cuba": ("red", "4I 2T 2P"), "panama": ("blue", "1I"), "france": ("blue", "1I"), "italy": ("green", "1I")}
    red = scene(powers=("red", "blue", "green"), land=land, controller="green", dice=["- -", "P -"] * 9)
    red.say("red", Begin(action="movement"), Move(unit="plane", origin="cuba", to="colombia", way="water"),
            Move(unit="infantry", origin="cuba", to="panama", way="water"),
            Move(unit="plane", origin="cuba", to="panama", way="water"), Confirm())
    assert options(red, "green").ways == (Way(territory="panama", deeds=("other",)),)
    assert options(red, "red").ways == ()
    red.say("green", Permit(allow=False))
    assert options(red, "red").ways == (Way(territory="panama", deeds=("other",)),)
    assert "You can decide about Panama." in GAME.views.describe(options(red, "red"), 1000)


def test_in_a_battle_the_own_board_marks_where_it_is():
    gray = ukraine("I A A P P")
    assert options(gray, "gray").ways == (Way(territory="ukraine", deeds=("other",)),)


def test_whatever_a_seat_is_asked_in_a_random_game_its_board_can_be_shown(game):
    board, asked = PICTURES["board"], 0
    for row in game.rows[::7]:
        seat = game.asked(row.no)
        if seat is not None:
            told, asked = board.scene(game.story(board, row.no, seat=seat)), asked + 1
            assert told.now.seat == seat and GAME.views.describe(told, 1000)
    assert asked > 20


def test_in_the_setup_a_seat_sees_where_it_may_claim_place_and_found(game):
    board, seen = PICTURES["board"], dict[str, str]()
    for row in game.rows[:120]:
        seat = game.asked(row.no)
        if seat is not None:
            told = board.scene(game.story(board, row.no, seat=seat))
            for deed in {deed for way in told.ways for deed in way.deeds}:
                seen.setdefault(deed, told.now.phase)
    assert (seen["claim"], seen["place"], seen["capital"]) == ("claiming", "deploying", "founding")


def test_in_a_random_game_only_the_board_is_private(game):
    pick, seen = random.Random(3), set()
    for row in pick.sample([row.no for row in game.rows], 20):
        since = pick.randrange(row)
        rows = [old for old in game.rows if old.no <= row]
        told = Replay(spec=GAME, parts=game.parts, start=game.checkpoints[0], rows=rows, since=since, subject="last")
        public = scenes(told)
        own = scenes(replace(told, seat=Seat("seat_2")))
        assert public["board"].now.own_cards == () and own["board"].now.seat == "seat_2"
        assert {**own, "board": None} == {**public, "board": None}
        for key, made in public.items():
            if not isinstance(made, str):
                seen.add(key)
                assert GAME.views.board(made) and 0 < len(GAME.views.describe(made, 200)) <= 200
        if not isinstance(public["closeup"], str):
            for one in public["closeup"].rounds:
                for half in one.halves:
                    assert sum(half.scored) == half.hits
    assert seen == set(PICTURES)
