"""What the world outside tells a game of Attack!: the agreed moment, and that all others have resigned."""
from __future__ import annotations

from typing import Any

import pytest

from engine.components import components
from engine.dice import LoadedDice
from engine.games.attack import GAME
from engine.games.attack.rules.ending import GameEnded, LeftAlone, Propose, Time
from engine.games.attack.rules.replies import Answer
from engine.games.attack.rules.trade import CardsTraded, Offer, OfferFailed
from engine.games.attack.rules.turns import Begin, End
from engine.games.attack.state import State
from engine.kernel import OVER, WORLD, Row, Seat, Table, parse_action, parse_events
from engine.options import dice
from engine.record import read, replay, write
from engine.refusals import Drift, Faulty, Illegal, NotAsked
from engine.selfplay import beginning
from engine.text import Reader, say
from engine.undo import undo_target
from tests.games.attack.scene import FAIR, Scene, scene

TIMED = {"end_mode": "timed", "end_time": "2027-01-31T18:00"}
LAND = {"mexico": ("red", "3I"), "southern_us": ("blue", "2I"), "france": ("green", "1I")}
HANDS = {"red": ["oil_2"], "blue": ["minerals_1"]}
THREE = ("red", "blue", "green")
ONE, TWO, LAST = Seat("seat_1"), Seat("seat_2"), Seat("seat_3")


def timed(**more: Any) -> Scene:
    return scene(**{"powers": THREE, "land": LAND, "hands": HANDS, "options": TIMED, **more})


def rung(state: State) -> list[tuple[str, int, str]]:
    """When a game wants to be told what."""
    return [(alarm.at, alarm.minutes_before, alarm.decree.model_dump()["time"]) for alarm in GAME.outside.alarms(state)]


# --- the agreed moment ------------------------------------------------------------------------------------------------

def test_ATK_19_3_1_a_timed_game_wants_to_be_told_when_deals_end_and_when_the_time_is_up():
    made = timed()
    late, up = ("2027-01-31T18:00Z", 30, "late"), ("2027-01-31T18:00Z", 0, "up")
    assert rung(made.state) == [late, up]
    made.tell(Time(time="late"))
    assert rung(made.state) == [up]
    made.tell(Time(time="up"))
    assert rung(made.state) == []
    assert rung(timed(options={**TIMED, "trade_ban": False}).state) == [up], "ATK-17.4.1"
    assert rung(timed(options={}).state) == rung(timed(options={"end_mode": "round_limit"}).state) == []


def test_the_number_of_minutes_without_deals_is_one_of_the_data():
    near = [{"id": "trade_ban_minutes_before_end", "value": 45, "provenance": "house"}]
    assert rung(timed(pack={"parameters": near}).state)[0] == ("2027-01-31T18:00Z", 45, "late")


def test_ATK_19_3_4_RUL_20_the_round_under_way_is_played_to_its_end():
    made = timed(active="blue", round=3)
    made.tell(Time(time="up"))
    assert made.lines()[-1] == "The agreed time is up: round 3 is the last."
    assert say(GAME.words.moment(made.state), Reader(GAME.words.names(made.parts))) == "Round 3, the last: Blue's turn"
    assert GAME.rules.follows(made.state) == LAST
    made.say("blue", End())
    assert not made.table.over
    made.say("green", End())
    assert made.table.over and made.state.ranking[0] == "red"


def test_the_moment_is_named_as_long_as_it_lies_ahead():
    made = timed()
    assert say(GAME.words.moment(made.state), Reader(GAME.words.names(made.parts))) == \
        "Round 1: Red's turn (played until 2027-01-31 18:00 UTC)"


def test_time_that_is_up_in_the_setup_leaves_one_round():
    made = timed(phase="founding", land={"mexico": ("red", "3I"), "southern_us": ("blue", "2I"), "france": ("green", "1I")})
    made.tell(Time(time="up"))
    made.keep_silent()
    assert made.table.over and made.state.round == 1


@pytest.mark.parametrize(("made", "decree", "why"), [
    (lambda: scene(land=LAND, powers=THREE), Time(time="up"), "Only a timed game ends by the clock."),
    (timed, LeftAlone(power="gray"), "Only a player still in the game can win it."),
    (lambda: timed(out=("green",)), LeftAlone(power="green"), "Only a player still in the game can win it."),
])
def test_what_the_rules_do_not_allow_is_refused_from_outside_too(made, decree, why):
    table = made()
    before = table.state.model_dump_json()
    with pytest.raises(Illegal) as refused:
        table.table.decree(decree)
    assert str(refused.value) == why and refused.value.rule in ("ATK-19.3.1", "ATK-21.2.6")
    assert table.state.model_dump_json() == before and not table.table.fresh


def test_nothing_is_told_twice_nor_after_the_end():
    made = timed(powers=("red", "blue"), land={"mexico": ("red", "3I"), "southern_us": ("blue", "2I")})
    made.tell(Time(time="up"))
    for again in ("late", "up"):
        with pytest.raises(Illegal, match="That has already happened"):
            made.table.decree(Time(time=again))
    made.keep_silent()
    with pytest.raises(NotAsked, match=r"The game is over\."):
        made.table.decree(LeftAlone(power="red"))


def test_ATK_17_4_1_a_deal_under_way_comes_too_late():
    made = timed()
    made.say("red", Offer(partner="blue", give=("oil_2",), take=("minerals_1",)))
    made.tell(Time(time="late"))
    assert made.events(OfferFailed) and not made.events(CardsTraded)
    assert made.lines()[-1] == "The agreed end is near: no more deals."
    assert made.asked() == [("red", "D-04")]
    assert made.refusal("blue", Answer(accept=True))


def test_what_is_open_stays_open_when_the_time_is_told():
    made = timed()
    made.say("red", Begin(action="movement"))
    asked_at = made.table.asked_at
    made.tell(Time(time="late"))
    assert made.table.asked_at == asked_at and made.asked() == [("red", "D-05")]


# --- who can say it ---------------------------------------------------------------------------------------------------

def test_nobody_at_the_table_says_it():
    made = timed()
    for said in (Time(time="up"), LeftAlone(power="red")):
        assert isinstance(made.refusal("red", said), NotAsked)
        assert list(type(said).options(made.state, ONE)) == []
        with pytest.raises(Illegal, match="This game has no move called"):
            parse_action(GAME, said.verb, said.model_dump())
    kinds = {kind for question in made.table.waiting() for kind in question.accepts} | {*GAME.rules.actions, *GAME.rules.asides}
    assert not kinds & {*GAME.rules.decrees}


def test_it_is_nobodys_decision_so_an_undo_looks_through_it():
    made = timed()
    made.say("red", Begin(action="movement"))
    made.tell(Time(time="late"))
    rows = [entry.row() for entry in made.table.fresh]
    assert [(row.seat, row.by, row.verb) for row in rows] == [(ONE, "player", "begin"), (WORLD, "world", "time")]
    assert undo_target(rows) == 0
    again = Table(GAME, made.parts, made.start, rows[:1], dice=FAIR)
    assert rung(again.state)[0][2] == "late", "told again where it still holds"


OLD = (Row(1, "seat_2", "player", "time", '{"time":"late"}', '[{"is":"TimeTold","power":"blue","time":"late"}]'),
       Row(2, "seat_1", "player", "time", '{"time":"up"}', '[{"is":"TimeTold","power":"red","time":"up"}]'))


@pytest.mark.parametrize("strict", [False, True])
def test_rows_of_the_released_version_in_which_players_told_the_time_replay(strict):
    made = timed()
    old = Table(GAME, made.parts, made.start, OLD, dice=LoadedDice(), strict=strict)
    assert old.state.time == "up" and old.last_no == 2
    old.answer(ONE, End.of())
    reader = Reader(GAME.words.names(made.parts))
    assert [say(event.line(), reader) for row in OLD for event in parse_events(GAME, row.events)] == [
        "Blue calls the last half hour: no more deals.", "Red calls time: this round is the last."]


def test_a_seat_that_says_what_only_the_world_can_is_found_in_a_record():
    made = timed()
    made.tell(LeftAlone(power="red"))
    (row,) = [entry.row() for entry in made.table.fresh]
    row.seat = str(ONE)
    with pytest.raises(Drift):
        Table(GAME, made.parts, made.start, [row], dice=LoadedDice(), strict=True)


def test_a_record_with_it_is_checked_and_replays():
    found = components(GAME, "base")
    start = beginning(GAME, 3, "base", found.parts, TIMED)
    table = Table(GAME, found.parts, start, dice=dice("00" * 32, TIMED), checkpoints=False)
    for _ in range(5):
        table.answer(table.waiting()[0].seat, table.options(table.waiting()[0].seat)[0])
    table.decree(Time(time="up"))
    table.decree(LeftAlone(power=table.state.powers[1]))
    record = write(table, edition="base", options=TIMED, seats={Seat(seat): seat for seat in table.state.seats},
                   components=found, secret="00" * 32, log=[entry.row() for entry in table.fresh])
    assert replay(read(record), GAME).state == table.state
    assert f'"seat":"{WORLD}"' in record


# --- all others have resigned -----------------------------------------------------------------------------------------

def test_ATK_21_2_6_the_one_who_is_left_ends_the_game_as_its_winner():
    made = timed(land={**LAND, "iberia": ("green", "9I"), "poland": ("green", "9I")})
    assert GAME.outside.left_alone(made.state, [ONE, LAST]) is None
    assert GAME.outside.left_alone(made.state, []) is None
    found = GAME.outside.left_alone(made.state, [ONE])
    assert found == (ONE, LeftAlone(power="red"))
    made.tell(found[1])
    assert made.table.over and made.state.phase == OVER and not made.table.waiting()
    assert made.state.winners == ["red"] and made.state.ranking == ["red", "green", "blue"], "then by ATK-19.4.1"
    assert GAME.rules.standings(made.state) == [(ONE, 1, 1), (LAST, 2, 3), (TWO, 3, 1)]
    assert made.lines()[-2:] == ["All others have resigned: Red ends the game and wins it.",
                                 "The game ends."]
    assert say(GAME.words.result(made.state), Reader(GAME.words.names(made.parts))) == (
        "Red wins with 1 territory (3 land units), ahead of Green with 3 territories (19 land units) and Blue with 1 territory "
        "(2 land units). All others had resigned.")
    assert GAME.outside.left_alone(made.state, [ONE]) is None


def test_who_is_out_of_the_game_is_not_counted_and_comes_last():
    made = timed(options={"end_mode": "last_standing"}, out=("blue",), land={"mexico": ("red", "3I"), "france": ("green", "1I")})
    assert GAME.outside.left_alone(made.state, [TWO]) is None
    found = GAME.outside.left_alone(made.state, [TWO, LAST])
    assert found == (LAST, LeftAlone(power="green"))
    made.tell(found[1])
    assert made.state.ranking == ["green", "red", "blue"]


def test_the_game_ends_in_the_middle_of_whatever_is_open():
    made = timed()
    made.say("green", Propose())
    made.say("red", End())
    assert len(made.table.waiting()) == 2, "several are asked at once"
    made.say("blue", Answer(accept=True))
    made.tell(LeftAlone(power="blue"))
    assert made.table.over and made.events(GameEnded)[0].winners == ("blue",)
    again = Table(GAME, made.parts, made.start, [entry.row() for entry in made.table.fresh], dice=LoadedDice(), strict=True)
    assert again.over and again.state == made.state


@pytest.mark.parametrize(("changed", "why"), [
    ({"end_mode": "timed"}, "needs an end"),
    ({"end_time": "2027-01-31T18:00"}, "Only a timed game"),
    ({"end_mode": "last_standing", "end_time": "2027-01-31T18:00"}, "Only a timed game"),
    ({"end_mode": "timed", "end_time": "2027-01-31T18:00", "rounds": 6}, "only if the game ends after a number of rounds"),
    *(({"end_mode": "timed", "end_time": moment}, "The option end_time can't be")
      for moment in ("tomorrow", "2027-13-01T18:00", "2027-01-31 18:00", "2027-01-31T24:00"))])
def test_ATK_21_7_1_options_that_do_not_go_together_are_refused(changed, why):
    for edition in ("base", "message"):
        with pytest.raises(Faulty, match=why):
            GAME.rules.options(edition, {"end_mode": "first_elimination", **changed})
