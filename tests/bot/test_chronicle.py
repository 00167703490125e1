"""The chronicle of a finished game: points over time, turning points, fights and dice, from its record alone."""
from __future__ import annotations

import gzip
import json
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import product
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from bot.discord.pictures import draw
from bot.discord.results.chronicle import MOST, scene
from bot.domain.chronicle import Chronicle, Dice, Pair, Stop, chronicle, described, lead, sentences_of, turning_points
from bot.service import Services, chronicles
from bot.store import Store
from engine import catalog, record
from engine.components import bound
from engine.games.attack import chronicle as attack
from engine.games.attack.rules.naval import PairFought
from engine.games.struggle_of_empires import chronicle as struggle
from engine.games.struggle_of_empires.events import AttackDeclared, AttackEnded, DiceRolled, FightDecided, RaidBegun
from engine.kernel import Seat
from engine.kernel.chronicle import Course, Fight, Luck, Period, fought
from engine.kernel.game_spec import Replay
from engine.refusals import Refusal
from engine.text import Reader, say, text
from engine.undo import line
from tests.bot.desk import ANNA, BERT, MASTER, guessed, play_on
from tests.bot.discord_world import World, labels, words
from tests.toy import PEBBLES, Ended, Fell, State, Take, Taken, Throw

FIXTURES = Path(__file__).parents[1] / "fixtures"


# --- the pebbles of a game -------------------------------------------------------------------------------------------

def deeds(events: Any) -> Iterator[Fight | Luck]:
    """Whoever takes three pebbles attacks the other with success; every die should show 3.5."""
    for event, s in events:
        if isinstance(event, Taken):
            yield Fight(event.seat, next(seat for seat in s.seats if seat != event.seat), won=event.pebbles == 3)
        if isinstance(event, Fell):
            yield Luck(event.seat, event.die, 3.5)


COURSE = Course[State](
    score=lambda s: {Seat(seat): s.taken.get(seat, 0) for seat in s.seats} if s.guess else {}, counted=text("Pebbles"),
    stops=(Taken, Fell, Ended), period=lambda s: Period(text("Half {n}", n=1 + (s.heap <= 6)), str(1 + (s.heap <= 6))),
    moment=lambda s: text("turn {n}", n=s.turn + 1), deeds=deeds, dice=text("eyes"))
TOLD = PEBBLES.changed(course=COURSE)


async def finished(services: Services) -> int:
    """Anna takes 3, 3, 1; Bert takes 2, which is undone, then 1, rolls a die, and takes the rest."""
    game = await guessed(services)
    for user, answer in ((ANNA, Take.of(3, "left")), (BERT, Take.of(2, "left"))):
        await services.answers.answer(game, user, answer)
    await services.undo.undo(game, MASTER)
    for user, answer in ((BERT, Take.of(1, "left")), (ANNA, Take.of(3, "left"))):
        await services.answers.answer(game, user, answer)
    await services.answers.answer(game, BERT, Throw.of())
    while (await services.queries.game(game)).status == "running":
        question, *_ = await services.queries.waiting(game)
        heap = (await services.session.table(game)).state.heap
        await services.answers.answer(game, question.user or 0, Take.of(1 if question.user == ANNA else min(heap, 2), "left"))
    return game


async def test_it_follows_from_what_is_in_force_alone(store: Store) -> None:
    services = play_on(store, spec=TOLD)
    game = await finished(services)
    row, found = await services.chronicles.chronicle(game)
    state = (await services.session.table(game)).state
    assert row == await services.queries.public_newest(game) and found.sides == ("seat_1", "seat_2")
    assert found.stops[:4] == tuple([Stop(text(moment) if moment == "the start" else text("turn {n}", n=int(moment)),
                                          Period(text("Half {n}", n=1), "1"), points)
                                     for moment, points in (("the start", (0, 0)), ("1", (3, 0)), ("2", (3, 1)), ("3", (6, 1)))])
    assert found.stops[-1].points == (state.taken["seat_1"], state.taken["seat_2"])
    assert found.turning == (1, 3, 6), "the largest swings, the first of equal ones, in their order"
    assert {pair.attacker: pair.won for pair in found.pairs} == {"seat_1": 2, "seat_2": 0}
    assert sum(pair.fights for pair in found.pairs) == len(found.stops) - 3, "each stop but the start, the die and the end"
    (dice,) = found.dice
    assert (dice.side, dice.rolls, dice.expected) == ("seat_2", 1, 3.5) and 1 <= dice.got <= 6
    assert [say(sentence) for sentence in lead(found)] == ["Seat 1 took first place for good: turn 1."]


async def test_it_is_worked_out_once_and_there_is_none_before_the_end(
        store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    services, worked_out = play_on(store, spec=TOLD), list[Replay]()

    def counted(story: Replay, course: Any) -> Chronicle:
        worked_out.append(story)
        return chronicle(story, course)

    monkeypatch.setattr(chronicles, "chronicle", counted)
    running = await guessed(services)
    with pytest.raises(Refusal, match=r"The chronicle comes when the game is over\."):
        await services.chronicles.chronicle(running)
    game = await finished(services)
    first, again = await services.chronicles.chronicle(game), await services.chronicles.chronicle(game)
    assert first == again and len(worked_out) == 1
    with pytest.raises(Refusal, match=r"This game has no chronicle\."):
        await play_on(store).chronicles.chronicle(game)


async def test_a_record_that_cannot_be_read_any_more_has_none_and_says_so(store: Store) -> None:
    services = play_on(store, spec=TOLD)
    game = await finished(services)

    def spoil(ledger: Any) -> None:
        with ledger.personal_data._unguarded_log():
            ledger.conn.execute("UPDATE log SET events = '[{\"is\":\"Gone\"}]' WHERE game = ? AND no = 3", (game,))

    await store.write(spoil)
    with pytest.raises(Refusal, match="was played by an earlier version of its rules"):
        await services.chronicles.chronicle(game)


# --- in words and as a picture ----------------------------------------------------------------------------------------

def made(*points: tuple[int, ...], pairs: tuple[Pair, ...] = (), dice: tuple[Dice, ...] = ()) -> Chronicle:
    """A chronicle with these points, two rounds a period."""
    stops = tuple([Stop(text("round {n}", n=n), Period(text("War {n}", n=n // 2), str(n // 2)), each)
                   for n, each in enumerate(points)])
    sides = tuple(["Red", "Blue", "Green", "Tan", "Gray", "Brown"][:len(points[0])])
    return Chronicle(course=COURSE, result=text("Red wins."), seats=tuple([Seat(side) for side in sides]), sides=sides,
                     stops=stops, turning=tuple(range(1, min(len(stops), 4))), pairs=pairs, dice=dice)


def said(sentences: Any) -> list[str]:
    return [say(sentence) for sentence in sentences]


def test_it_is_told_in_short_sentences() -> None:
    found = made((1, 2), (4, 2), (4, 5), (9, 5), pairs=(
        Pair("Red", "Blue", 3, 3), Pair("Blue", "Red", 2, 0), *[Pair("Red", f"other {n}", 1, n % 2) for n in range(8)]),
        dice=(Dice("Red", 7, 9, 6.54), Dice("Blue", 1, 0, 1.0)))
    assert said(sentences_of(found)) == [
        "Red wins.",
        "**Turning points**", "1. round 1: Red +3", "2. round 2: Blue +3", "3. round 3: Red +5",
        "Red took first place for good: round 3. First place changed hands 3 times.",
        "**Who fought whom**", "- Red against Blue: 3 fights, all won", "- Blue against Red: 2 fights, none won",
        "- Red against other 0: 1 fight, not won", "- Red against other 1: 1 fight, won",
        "- Red against other 2: 1 fight, not won", "- Red against other 3: 1 fight, won",
        "- Red against other 4: 1 fight, not won", "- Red against other 5: 1 fight, won", "- and 2 more fights",
        "**Luck with the dice**: eyes, and what such dice bring on average",
        "- Red: 9 in 7 rolls; the average is 6.5 (+2.5)", "- Blue: 0 in 1 roll; the average is 1 (−1)"]
    assert said(sentences_of(made((0, 0)))) == ["Red wins."], "nothing is told of what there was not"
    assert say(fought("Red", "Blue", 5, 2)) == "Red against Blue: 5 fights, 2 won"


@pytest.mark.parametrize("points, sentence", [
    ([(0, 0), (1, 0), (1, 0)], ["Red took first place for good: round 1."]),
    ([(1, 0), (0, 1), (2, 1), (3, 1)], ["Red took first place for good: round 2. First place changed hands twice."]),
    ([(1, 0), (0, 3), (0, 4)], ["Blue took first place for good: round 1. First place changed hands once."]),
    ([(1, 0), (1, 1)], []), ([(2, 0), (3, 0)], ["Red was ahead from start to end."])])
def test_whoever_led_at_the_end_is_named_with_the_moment(points: list[tuple[int, ...]], sentence: list[str]) -> None:
    assert said(lead(made(*points))) == sentence


def test_of_many_changes_the_largest_are_told_and_the_picture_is_described_by_periods() -> None:
    found = made((0,) * 6, (1, -9, 3, 4, 5, 6), (1, 1, 1, 1, 1, 2))
    assert said(turning_points(found))[0] == "round 1: Blue −9, Brown +6, Gray +5 and others less"
    assert said(described(found))[:3] == ["Pebbles over time.", "Red: 0 at the start, 1 after War 0 and 1 at the end.",
                                          "Blue: 0 at the start, −9 after War 0 and 1 at the end."]


def test_of_a_very_long_game_the_picture_has_some_stops_among_them_the_turning_points_and_the_end() -> None:
    found = made(*[(n, 0) for n in range(1001)])
    game: Any = SimpleNamespace(key="pebbles", title="Long")
    drawn: Any = scene(game, found, {Seat("Red"): "Ann"}, Reader())
    assert len(drawn.lines[0].points) <= MOST + len(found.turning) + 1
    assert drawn.lines[0].points[-1] == 1000 and [drawn.lines[0].points[stop] for stop, _ in drawn.turning] == [1, 2, 3]
    assert [line.player for line in drawn.lines] == ["Ann", ""] and drawn.bands[-1].end == len(drawn.lines[0].points) - 1
    assert len(drawn.bands) <= 8 and drawn.bands[-1].name.endswith("–500")
    assert len(said(described(found))[1]) < 300


async def test_it_opens_below_the_status_of_a_finished_game_and_by_a_command_for_the_caller_alone(tmp_path: Path) -> None:
    async with World.at(tmp_path / "games.db", (TOLD,), draw=draw) as world:
        await world.guessed()
        early = await world.alice.slash(world.table, "table chronicle")
        assert words(early) == "The chronicle comes when the game is over."
        while (await world.services.queries.game(1)).status == "running":
            question, *_ = await world.services.queries.waiting(1)
            await world.services.answers.answer(1, question.user or 0, Take.of(3, "left"))
        await world.env.settle()
        status = next(post for post in world.table.history() if "Rematch" in labels(post) and "Chronicle" in labels(post))
        panel = await world.carol.click(status, label="Chronicle")
        (picture,) = panel.response.attachments
        assert panel.ephemeral and picture.filename == "chronicle.png"
        assert picture.description.startswith("Pebbles over time.\nAmber: 0 at the start,")
        assert words(panel).splitlines()[:2] == ["**Pebbles** (game 1), chronicle", "Amber wins."]
        assert "- Amber against Basalt: 2 fights, all won" in words(panel)
        again = await world.bob.slash(world.elsewhere, "table chronicle", game="1")
        assert words(again) == words(panel) and labels(again.response) == ["Back to the game"]
        await world.opened()
        here = await world.bob.slash(world.table, "table chronicle")
        assert words(here) == words(panel), "the finished game of a channel, not the one that is open there"


# --- the titles -------------------------------------------------------------------------------------------------------

@cache
def played(name: str) -> tuple[Replay, Chronicle, tuple[dict[str, Any], ...]]:
    """A finished game: its story, its chronicle, and the facts in force as they are stored."""
    text = gzip.decompress((FIXTURES / f"{name}.jsonl.gz").read_bytes()).decode()
    found = record.read(text)
    spec = catalog.find(found.header.game)
    rows = line(list(found.log)).rows
    story = Replay(spec=spec, parts=bound(spec, found.header.components).parts, start=record.beginning(found, spec), rows=rows)
    assert spec.course is not None
    return story, chronicle(story, spec.course), tuple([event for row in rows for event in json.loads(row.events)])


@pytest.mark.parametrize("name", ["struggle_of_empires-3", "attack-3", "imperial_struggle-2"])
def test_the_points_of_each_title_begin_equal_and_end_as_its_standings_say(name: str) -> None:
    story, found, _ = played(name)
    end = story.end()
    assert [(seat, points) for seat, _, points in story.spec.rules.standings(end)] == \
        list(zip(found.seats, found.stops[-1].points))
    assert found.stops[0].moment == text("the start") and len({*found.stops[0].points}) == 1
    periods = list(dict.fromkeys(stop.period.short for stop in found.stops))
    assert len(periods) > 2 and len(found.turning) == 3 and len(found.stops) < 200
    reader = Reader(dict(story.spec.words.names(story.parts, end)))
    assert not [sentence for sentence in (*sentences_of(found), *described(found)) if "_" in say(sentence, reader)]


def test_attacks_and_dice_of_struggle_of_empires_are_those_of_its_record() -> None:
    _, found, facts = played("struggle_of_empires-3")
    begun = [fact for fact in facts if fact["is"] in ("AttackDeclared", "RaidBegun")]
    assert sum(pair.fights for pair in found.pairs) == len(begun) > 5
    got: Counter[str] = Counter()
    for fact in facts:
        if fact["is"] == "Thrown":
            one, two, three, four = fact["dice"]
            got.update({fact["attacker"]: abs(one - two), fact["defender"]: abs(three - four)})
    assert {one.side: one.got for one in found.dice} == {side: got[side] for side in found.sides if side in got}
    assert sum(abs(a - b) for a, b in product(range(6), repeat=2)) / 36 == struggle.EXPECTED


def test_battles_and_hits_of_attack_are_those_of_its_record() -> None:
    _, found, facts = played("attack-3")
    ends = Counter(fact["is"] for fact in facts)
    assert sum(pair.fights for pair in found.pairs) == ends["TerritoryCaptured"] + ends["AttackFailed"] + ends["NavalEnded"]
    assert sum(pair.won for pair in found.pairs) >= ends["TerritoryCaptured"] > 0
    hits: Counter[str] = Counter()
    for fact in facts:
        if fact["is"] == "BattleRolled":
            hits[fact["power"]] += fact["hits"]
        if fact["is"] == "PairFought" and fact.get("hit"):
            hits[next(side for side in fact["ships"] if side != fact["hit"])] += 1
    assert {one.side: one.got for one in found.dice} == {side: hits[side] for side in found.sides}
    assert all(one.expected < 2 * one.got + 10 and one.got < 2 * one.expected + 10 for one in found.dice)


def test_theaters_of_imperial_struggle_are_told_once_for_both_sides() -> None:
    story, found, facts = played("imperial_struggle-2")
    won = Counter(fact["winner"] for fact in facts if fact["is"] == "TheaterSettled")
    assert found.pairs == (Pair("britain", "france", won["britain"] + won["france"], won["britain"]),) and not found.dice
    reader = Reader(dict(story.spec.words.names(story.parts, story.end())))
    assert (f"- Britain won {won['britain']} of {won['britain'] + won['france']} theaters, France {won['france']}"
            in [say(sentence, reader) for sentence in sentences_of(found)])


ATTACK = AttackDeclared(attacker="france", defender="spain", area="india")


def struggled(*events: Any, naval_only: bool = False, raid: bool = False) -> list[Fight | Luck]:
    """What an attack of France on Spain, or a raid, comes to."""
    battle = SimpleNamespace(attacker="pirates" if raid else "france", naval_only=naval_only, raid=raid)
    state: Any = SimpleNamespace(battle=battle, points={"france": 0, "spain": 0}, npps=["austria"])
    return list(struggle.COURSE.deeds([(event, state) for event in events]))


def test_an_attack_is_won_on_land_or_at_sea_if_it_is_for_that_alone() -> None:
    end, sea, land = (AttackEnded(area="india"), FightDecided(stage="sea", winner="france"),
                      FightDecided(stage="land", winner="france"))
    lost = FightDecided(stage="land", winner="")
    assert struggled(ATTACK, sea, land, end) == [Fight("france", "spain", True)]
    assert struggled(ATTACK, sea, lost, end) == struggled(ATTACK, sea, end) == [Fight("france", "spain", False)]
    assert struggled(ATTACK, sea, end, naval_only=True) == [Fight("france", "spain", True)]
    raid = RaidBegun(sender="france", token="pirates", target="spain", area="india", strength=1)
    assert struggled(raid, FightDecided(stage="sea", winner="pirates"), end, raid=True) == [Fight("france", "spain", True)]
    assert struggled(raid, FightDecided(stage="sea", winner="spain"), end, raid=True) == [Fight("france", "spain", False)]


@pytest.mark.parametrize("defender, called", [("spain", "spain"), ("austria", "austria"), ("neutral_2_gold", "neutral"),
                                              ("pirates", "the_pirates")])
def test_neutral_markers_are_counted_together(defender: str, called: str) -> None:
    attacked = ATTACK.model_copy(update={"defender": defender})
    assert struggled(attacked, AttackEnded(area="india")) == [Fight("france", called, False)]


def test_the_dice_of_both_sides_count() -> None:
    parts = (1, 0, 0, 0, 4), (1, 0, 0, 0, 1)
    rolled = DiceRolled(stage="land", attacker="france", defender="spain", dice=(6, 2, 3, 4), parts=parts)
    assert struggled(ATTACK, rolled) == [Luck("france", 4, struggle.EXPECTED), Luck("spain", 1, struggle.EXPECTED)]


def test_a_pair_at_sea_is_expected_to_hit_as_often_as_its_dice_and_bonus_do() -> None:
    pair = PairFought(pair=1, ships={"red": "destroyer", "blue": "submarine"}, dice={"red": (1, 1), "blue": (6, 6)},
                      modifiers={"red": 2, "blue": 0}, hit="red", position=1, ship="destroyer", sunk=True)
    red, blue = attack.COURSE.deeds([(pair, SimpleNamespace())])
    falls = [a + b - c - d for a, b, c, d in product(range(1, 7), repeat=4)]
    assert red == Luck("red", False, sum(fall + 2 > 0 for fall in falls) / 1296)
    assert blue == Luck("blue", True, sum(fall > 2 for fall in falls) / 1296)


@pytest.mark.parametrize("units, expected", [({"infantry": 1}, None), ({"infantry": 40, "tank": 30}, 0)])
def test_hits_on_land_are_expected_by_the_faces_of_the_die(units: dict[str, int], expected: float | None) -> None:
    parts = played("attack-3")[0].parts
    state: Any = SimpleNamespace(parts=parts, battle=SimpleNamespace(side=lambda power: SimpleNamespace(fighting=units)))
    found = attack._expected(state, "red")
    dice = max(parts.numbers.min_battle_dice, sum(parts.unit[unit].battle_dice * n for unit, n in units.items()))
    shares = {unit: parts.faces.count(unit) / len(parts.faces) for unit in units}
    if expected is None:
        assert found == pytest.approx(1 - (1 - shares["infantry"]) ** dice), "one infantry hits once at most"
    else:
        assert found == pytest.approx(sum(min(n, dice * shares[unit]) for unit, n in units.items())), "of so many dice, about"
