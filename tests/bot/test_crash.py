"""The bot dies in every step of a game, and nothing is lost, doubled or missing."""
from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from bench.__main__ import INSTRUMENTS, Instrument, main
from engine.catalog import GAMES
from engine.kernel import GameSpec
from tests.bot.discord_world import NONCES, World
from tests.checks import kill_process
from tests.checks.crash import Damage, Mark, compare, measured, round_of_deaths, rounds
from tests.checks.scripted_actions import Play
from tests.checks.scripts import SCRIPTS

(PEBBLES, *_, WISHES, PLACES, TO_THE_END), (EMPIRES, BATTLE), (OPENING, WAR, LAST, LEFT), (PLANNED, *_) = (
    SCRIPTS[key] for key in ("pebbles", "struggle_of_empires", "attack", "imperial_struggle"))


MEASURED: dict[int, list[Mark]] = {}            # of the scripts, by identity: how each goes without a death


async def calm(play: Play, folder: Path) -> list[Mark]:
    """What the script comes to when nobody dies."""
    if id(play) not in MEASURED:
        MEASURED[id(play)] = await measured(play, folder, 0)
    return MEASURED[id(play)]


async def deaths(path: Path, play: Play, turn: int) -> Damage:
    """One round of deaths, and what came of it."""
    for name in ("calm", "storm"):
        (path / name).mkdir()
    marks = await calm(play, path / "calm")
    damage = Damage()
    await round_of_deaths(play, path / "storm", 0, marks, list(rounds(marks))[turn], damage, lambda: None)
    return damage


@pytest.mark.edge
async def test_a_small_game_outlives_a_death_in_every_act(tmp_path: Path) -> None:
    damage = await deaths(tmp_path, PEBBLES, 0)
    assert damage.told == []
    assert damage.points >= 15


@pytest.mark.edge
async def test_who_wants_to_hear_of_games_and_votes_to_pause_one_outlive_a_death_in_every_act(tmp_path: Path) -> None:
    damage = await deaths(tmp_path, WISHES, 0)
    assert damage.told == []
    last = (await calm(WISHES, tmp_path))[-1]
    assert [len(last.read[name]) for name in ("carol", "max")] == [2, 2], "of a game and of a seat"
    assert [row[2:] for row in last.kept["openings"]] == [(1, 0), (1, 0), (1, 1), (1, 1)]


@pytest.mark.edge
async def test_the_end_of_a_game_its_result_and_notes_outlive_a_death_in_every_act(tmp_path: Path) -> None:
    damage = await deaths(tmp_path, TO_THE_END, 0)
    assert damage.told == []
    marks = await calm(TO_THE_END, tmp_path)
    assert [len(marks[-1].kept[table]) for table in ("results", "result_seats", "unlisted", "bookmarks")] == [1, 2, 1, 1]


@pytest.mark.edge
async def test_weekly_summaries_and_threads_and_posts_for_talk_and_games_outlive_deaths(tmp_path: Path) -> None:
    """Between the summaries and their messages, between a thread and its first message or its people, and between a post or a
    thread and its game; the rest is swept by the instrument."""
    for name in ("calm", "storm"):
        (tmp_path / name).mkdir()
    marks, damage = await calm(PLACES, tmp_path / "calm"), Damage()
    *_, talk, private, _, week, _, post, opening = marks
    opened, stored = "after POST /channels/#/threads", "after a write"
    at = [0, 0, 0, talk.points.index(opened) + 1, private.points.index(stored) + 1, 0, week.points.index(stored) + 1, 0,
          *(mark.points.index(opened) + 1 for mark in (post, opening))]
    await round_of_deaths(PLACES, tmp_path / "storm", 0, marks, at, damage, lambda: None)
    assert damage.told == [] and damage.points == 5
    assert len(opening.read["weeks"]) == 1 and sum(said.startswith("# Your week") for said, *_ in opening.read["alice"]) == 1
    (table, _), (two, _), (posted, *_), (thread, *_) = (
        [told for told in opening.read["posts"] if told[0] == number] for number in range(4))
    assert (table[1], two[1], len(two[2:]), posted, thread[1]) == (
        "Table talk of Pebbles", "Private: Amber and Basalt", 3, (2, "Pebbles (2)", "Open"), "Pebbles (3)")
    assert len(opening.kept["games"]) == 3 and len(opening.kept["threads"]) == 2


@pytest.mark.slow
async def test_a_stretch_of_a_real_game_outlives_a_death_in_every_act(tmp_path: Path) -> None:
    damage = await deaths(tmp_path, EMPIRES, 17)
    assert damage.told == []
    assert damage.points >= 25


@pytest.mark.slow
async def test_an_attack_with_answers_in_advance_a_lesson_and_an_asked_undo_outlive_deaths(tmp_path: Path) -> None:
    damage = await deaths(tmp_path, BATTLE, 3)
    assert damage.told == []
    assert damage.points >= 18


@pytest.mark.slow
async def test_the_opening_of_attack_with_absences_and_a_clock_outlives_deaths(tmp_path: Path) -> None:
    damage = await deaths(tmp_path, OPENING, 8)
    assert damage.told == []
    assert damage.points >= 25


@pytest.mark.slow
async def test_a_war_of_attack_by_land_by_sea_and_by_trade_outlives_deaths(tmp_path: Path) -> None:
    damage = await deaths(tmp_path, WAR, 12)
    assert damage.told == []
    assert damage.points >= 45


@pytest.mark.slow
@pytest.mark.parametrize(("play", "least"), [(LAST, 10), (LEFT, 6)], ids=["agreed", "left alone"])
async def test_the_end_of_a_game_of_attack_outlives_deaths(tmp_path: Path, play: Play, least: int) -> None:
    damage = await deaths(tmp_path, play, 20)
    assert damage.told == []
    assert damage.points >= least


async def test_the_rounds_of_imperial_struggle_do_what_they_say(tmp_path: Path) -> None:
    """Steps are planned and taken back, a draw is published before the rest; the game master undoes and redoes."""
    last = (await calm(PLANNED, tmp_path))[-1]
    verbs = [verb for *_, by, verb, _, _ in last.kept["log"] if by == "player"]
    assert verbs[:3] == ["take", "draw", "end"] and "politics" not in verbs, "what was taken back is in no row"
    returns = [row for row in last.kept["log"] if row[3:5] == ("moderator", "return")]
    assert last.kept["plans"] == [] and len(returns) == 2


async def test_the_opening_of_attack_does_what_it_says(tmp_path: Path) -> None:
    """Claims by people, by orders, by the clock and for who is away; a hand for each, as a direct message; production."""
    first, *_, last = (await calm(OPENING, tmp_path))
    log = [row[1:5] for row in last.kept["log"]]
    assert {by for _, _, by, verb in log if verb == "claim"} == {"player", "order", "clock"}
    assert {(by, verb) for _, _, by, verb in log} >= {("player", "colour"), ("player", "buy"), ("order", "deploy"),
                                                    ("clock", "capital"), ("moderator", "end"), ("moderator", "return")}
    assert [away for *_, away, _ in last.kept["seats"]] == [1, 0, 1, 1, 1], "of those who said nothing for two turns Bob is back"
    told = {name: [words for words, *_ in messages] for name, messages in last.read.items() if name != "table"}
    assert {name for name, words in told.items() if any("Your cards as" in said for said in words)} == {
        "alice", "bob", "max", "olga"}, "and Carol wants none"
    pictures = [sum(files for _, files, *_ in mark.read["table"]) for mark in (first, last)]
    assert pictures[0] == 0 < pictures[1]


async def test_the_war_of_attack_does_what_it_says(tmp_path: Path) -> None:
    """Whatever can be asked of anybody in a turn is asked of somebody, and nobody is told of a command that there is none of."""
    last = (await calm(WAR, tmp_path))[-1]
    rows = last.kept["log"]
    assert {verb for *_, by, verb, _, _ in rows if by == "player"} >= {
        "begin", "move", "confirm", "permit", "answer", "policy", "bring", "fight", "line", "formation", "offer", "recall", "buy",
        "deploy", "diplomacy", "end"}
    events = " ".join(row[-1] for row in rows)
    assert all(name in events for name in ("CrossingAnswered", "CommandTaken", "SpoilsTaken", "LinesShown", "NavalEnded",
                                           "OfferRecalled", "CardsTraded", "PurchaseMade", "DiplomacyTried"))
    assert [ended for *_, ended in last.kept["requests"]] == ["refused"] and ("clock", "end") in {row[3:5] for row in rows}
    posted = " ".join(words for words, *_ in last.read["table"])
    verbs = {kind.verb for kind in (*WAR.spec.rules.actions, *WAR.spec.rules.asides) if WAR.spec.words.menus[kind.verb].typed}
    assert set(re.findall(r"`/attack (\w+)`", posted)) <= verbs | {"menu"}


def test_the_word_for_a_game_can_be_left_out(monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
    def measure(game: str = "") -> dict[str, str]:
        """Name the game."""
        return {"played": game or "all"}

    assert main(["crash", "chess"]) == 2 and "There is no game chess" in capsys.readouterr().err
    monkeypatch.setitem(INSTRUMENTS, "crash", Instrument(measure))
    assert main(["crash"]) == main(["crash", "attack"]) == 0
    assert capsys.readouterr().out.split() == ["played", "all", "played", "attack"]


@pytest.mark.parametrize(("kept", "read", "found"), [
    ({"log": [(1,), (2,)]}, {"table": ["a", "b"]}, {}),
    ({"log": [(1,)]}, {"table": ["a", "b"]}, {"lost": 1}),
    ({"log": [(1,), (2,), (2,)]}, {"table": ["a", "b"]}, {"doubled": 1}),
    ({"log": [(1,), (2,)]}, {"table": ["a"]}, {"missing": 1}),
    ({"log": [(1,), (2,)]}, {"table": ["a", "b", "b"]}, {"doubled": 1}),
    ({"log": [(1,), (2,)]}, {"table": ["b", "a"]}, {"misplaced": 1}),
])
def test_every_difference_is_counted(kept: Any, read: Any, found: dict[str, int]) -> None:
    damage, posted = Damage(), dict[str, Any](table=["a", "b"])
    compare(damage, "here", Mark({"log": [(1,), (2,)]}, posted, ()), kept, read)
    told = {name: number for name, number in vars(damage).items() if number and name != "told"}
    assert told == found and bool(damage.told) == bool(found)


async def test_the_simulated_discord_knows_a_nonce_for_some_minutes(world: World) -> None:
    channel = world.bot.get_partial_messageable(world.table.id)
    first, again = await channel.send("Once", nonce="n-1"), await channel.send("Once", nonce="n-1")
    assert first.id == again.id and world.posts() == ["Once"]
    await world.env.advance_time(NONCES + 1)
    assert (await channel.send("Once", nonce="n-1")).id != first.id


@pytest.mark.slow
@pytest.mark.edge
@pytest.mark.parametrize(("spec", "seed"), [*zip(GAMES, (7, 6))], ids=("when a request has arrived", "some time after the press"))
async def test_a_whole_process_is_killed_and_nothing_is_lost(tmp_path: Path, spec: GameSpec, seed: int) -> None:
    seen: list[int] = []
    found = await kill_process.kill(spec, tmp_path, 1, seed, lambda: seen.append(1))
    assert found == kill_process.Wreckage(points=1) and seen == [1]
