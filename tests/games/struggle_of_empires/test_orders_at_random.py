"""What holds of standing orders in every game: random games are played with random orders, made of what the game offers."""
from __future__ import annotations

import json
import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import pytest

from engine.components import components
from engine.dice import SecretDice
from engine.games.struggle_of_empires import GAME
from engine.games.struggle_of_empires.battle_state import Battle
from engine.games.struggle_of_empires.orders import ORDERING, facts, foreseen, unrest_of
from engine.games.struggle_of_empires.state import TOKENS, State
from engine.kernel import Action, Ask, Checkpoint, Entry, Row, Seat, Table
from engine.orders import ALWAYS, Condition, Order, OrderLine, Orders, Point, Reply, Test, checked, order_text
from engine.refusals import Faulty
from engine.selfplay import beginning
from tests.games.struggle_of_empires.test_properties import lively, reads_well

PARTS = components(GAME, "first").parts
NOT_CALLING = {"help.auto_call": False}
FLEETS = {"naval.own_navy_needed": False, "naval.ottoman_uses_mediterranean": False, "naval.tie_support": "defender",
          "loss.fort_tie_seven": True, "attack.naval_only_with_army": True, "alliance.mode": "local", "covert.mode": "tokens",
          "covert.pirates_beaten_by": "sea", "turn.special_limit": "shared", "move.europe_conditions": False}
GAMES: list[Any] = [(2, {}, 0), (4, {}, 2), (5, NOT_CALLING, 3), (6, {}, 4), (4, FLEETS, 6),
                    (4, {**FLEETS, "reactions.parallel": True}, 7)]            # players, options, seed
every_game = pytest.mark.parametrize("seats, changed, seed", GAMES)


# --- random orders ----------------------------------------------------------------------------------------

def some_test(pick: random.Random, condition: Condition, state: State, seat: Seat) -> Test:
    if condition.kind == "flag":
        return Test(fact=condition.key, value=pick.random() < 0.5)
    if condition.kind == "choice":
        return Test(fact=condition.key, op=pick.choice(("is", "is_not")), value=pick.choice(condition.values(state, seat)))
    return Test(fact=condition.key, op=pick.choice(("at_least", "at_most")), value=pick.randrange(-1, 6))


def some_line(pick: random.Random, point: Point, state: State, seat: Seat) -> OrderLine:
    if pick.random() < 0.05:
        return OrderLine()
    offer = pick.choice(point.offers)
    filled: dict[str, Any] = {}
    for slot in offer.slots:
        values = list(slot.values(state, seat))
        if slot.kind in ("number", "amount"):
            filled[slot.field] = pick.randrange(5)
        else:
            filled[slot.field] = pick.choice(values) if slot.kind == "choice" else tuple(pick.sample(values, min(6, len(values))))
    number = min(pick.choice((0, 0, 0, 1, 2)), len(point.conditions))
    tests = tuple(some_test(pick, ORDERING.condition(key), state, seat) for key in pick.sample(point.conditions, number))
    return OrderLine(when=tests, then=offer.reply(filled),
                costly=pick.random() < 0.2, toll=pick.choice((None, None, 1, 2)), instead=pick.random() < 0.3,
                most=pick.randrange(8) if point.grows and offer.verb == "bid" else None)


def some_order(pick: random.Random, number: int, state: State, seat: Seat) -> Order | None:
    """A random order that can be stored; None if the one thought of cannot be given now."""
    asked = foreseen(state).get(seat)
    kind: Any = pick.choice(("standing", "packet")) if asked else pick.choice(("standing",) * 8 + ("packet", "written"))
    if kind == "packet" and asked:
        points, lines = asked, [some_line(pick, ORDERING.point(no), state, seat) for no in asked]
    elif kind == "written":
        points = ORDERING.written
        lines = [some_line(pick, ORDERING.point("DP-05"), state, seat) for _ in range(8)]
    else:
        point = pick.choice(ORDERING.points)
        points, lines = (point.no,), [some_line(pick, point, state, seat) for _ in range(pick.randrange(1, 5))]
    lasts = ORDERING.fixed(kind) or pick.choice(ORDERING.point(points[0]).lasts)
    try:
        return checked(GAME, Order(id=number, seat=seat, kind=kind, points=points, lines=tuple(lines), lasts=lasts,
                                   times=pick.choice((None, None, 1, 4))), state)
    except Faulty as why:
        assert "can't be limited" in str(why), why
        return None


# --- random games with them ---------------------------------------------------------------------------------

class Watched(Orders):
    """Orders whose every answer is looked at."""

    def answer(self, state: Any, question: Ask[Any], options: tuple[Action, ...]) -> tuple[Action, int] | None:
        given = super().answer(state, question, options)
        if given is not None:
            by = next((order for order in self.of(question.seat) if order.id == given[1]), None)
            assert by is not None or question.point in ORDERING.between
            if by is not None:
                looked_at(state, question, given[0], by)
        return given


def looked_at(state: State, question: Ask[Any], action: Action, order: Order) -> None:
    """A legal answer, for the right question, that costs what the lines allow and owes nothing to the unrest of others."""
    assert question.point in order.points and question.seat == order.seat
    assert type(action) in question.accepts
    action.check(state, question.seat)
    if not any(line.costly for line in order.lines):
        allowed = max((line.toll or 0 for line in order.lines), default=0)
        assert unrest_of(state, question.seat, action) <= allowed, "SOE-22.1.8"
    seen = facts(state, question.seat, question)
    others = [power for power in state.powers if power and power != state.power(question.seat)]
    for power in others:
        state.unrest[power] += 5
    assert facts(state, question.seat, question) == seen, "SOE-21.1.1"
    for power in others:
        state.unrest[power] -= 5


@dataclass
class Game:
    start: Checkpoint
    rows: list[Row] = field(default_factory=list)
    orders: dict[int, Order] = field(default_factory=dict)
    answered: dict[int, int] = field(default_factory=dict)
    ordered: int = 0
    end: State | None = None

    def answers(self) -> Iterator[tuple[Seat, Action]]:
        """What was answered, whoever did."""
        for row in self.rows:
            if row.by not in ("dice", "rule"):
                yield Seat(row.seat), GAME.verb(row.verb).model_validate_json(row.answer)


def source(seed: int) -> SecretDice:
    return SecretDice(f"{seed:064x}")


@cache
def played(seats: int, changed: tuple[tuple[str, object], ...], seed: int) -> Game:
    """A whole game: every now and then a seat gives orders, and people answer at random what no order answers."""
    pick = random.Random(seed)
    game = Game(beginning(GAME, seats, "first", PARTS, dict(changed)))
    table = Table(GAME, PARTS, game.start, dice=source(seed), checkpoints=False)
    while True:
        for entry in table.take()[0]:
            game.rows.append(entry.row())
            if entry.by == "order":
                game.ordered += 1
            if entry.order:
                game.answered[entry.order] = game.answered.get(entry.order, 0) + 1
        assert len(game.rows) < 20_000, "no end in sight"
        if table.over:
            game.end = table.state
            return game
        for seat in map(Seat, 2 * table.state.seats):
            if (order := some_order(pick, len(game.orders) + 1, table.state, seat)) is not None:
                game.orders[order.id] = order
        lasting = [order for order in list(game.orders.values())[-80 * seats:] if order.lasts == ALWAYS or ORDERING.spans(
            table.state, order.seat).get(order.lasts) == order.span]
        table.deputy = Watched(GAME, lasting, game.answered)
        table.go_on()
        if not table.fresh:
            table.answer(*lively(table, pick))


def game_of(seats: int, changed: dict[str, Any], seed: int) -> Game:
    return played(seats, tuple(changed.items()), seed)


@every_game
def test_games_with_any_orders_end(seats, changed, seed):
    game = game_of(seats, changed, seed)
    assert game.end.phase == "over" and game.ordered > 7 * seats


def test_orders_of_every_kind_and_for_most_questions_have_answered():
    answered = [game.orders[number] for game in (game_of(*known) for known in GAMES) for number in game.answered]
    assert {order.kind for order in answered} == {"standing", "packet", "written"}
    assert len({order.points[0] for order in answered}) > 13


@every_game
def test_SOE_22_1_4_no_order_answers_more_often_than_its_count(seats, changed, seed):
    game = game_of(seats, changed, seed)
    assert game.answered
    for number, times in game.answered.items():
        order = game.orders[number]
        assert times <= (len(order.lines) if order.kind == "written" else order.times or times)


@every_game
def test_the_rows_of_a_game_with_orders_give_the_same_game_without_them(seats, changed, seed):
    game = game_of(seats, changed, seed)
    again = Table(GAME, PARTS, game.start, game.rows, dice=source(seed), checkpoints=False, strict=True)
    assert again.over and again.state == game.end


@every_game
def test_every_order_reads_well(seats, changed, seed):
    for order in list(game_of(seats, changed, seed).orders.values())[::3]:         # about 2,800 in all games
        for words in order_text(GAME, order, order.times):
            said = reads_well(words)
            assert not said[0].islower() and said[-1] == "." and ".." not in said, said


# --- the same game with orders and without -------------------------------------------------------------------

def exactly(question: Ask[Any], action: Action) -> Order:
    """The order to give just this answer."""
    return Order(id=1, seat=question.seat, points=(question.point,),
                 lines=(OrderLine(then=Reply(verb=action.verb, fields=action.model_dump()), costly=True),), times=1)


def without_by(row: Row) -> tuple[object, ...]:
    return row.no, row.seat, row.verb, row.answer, row.events


@every_game
def test_SOE_22_1_6_an_order_that_says_what_the_player_says_changes_nothing_but_who_answered(seats, changed, seed):
    game = game_of(seats, changed, seed)
    table = Table(GAME, PARTS, game.start, dice=source(seed), checkpoints=False)
    for seat, action in game.answers():
        question = table.asked(seat)
        if action.verb == "give":
            table.answer(seat, action)
            continue
        table.deputy = Orders(GAME, [exactly(question, action)])
        assert table.answer_by_order(seat), f"{action} cannot be ordered at {question.point}"
        table.deputy = None
    mine, theirs = table.take()[0], by_hand(seats, changed, seed).entries
    assert [without_by(entry.row()) for entry in mine] == [without_by(entry.row()) for entry in theirs]
    assert [entry.private for entry in mine] == [entry.private for entry in theirs]
    assert {entry.by for entry in theirs} <= {"player", "dice", "rule"}


@every_game
def test_orders_that_never_fit_change_nothing_at_all(seats, changed, seed):
    game = game_of(seats, changed, seed)
    table = Table(GAME, PARTS, game.start, dice=source(seed), checkpoints=False)
    never = [Order(id=number, seat=Seat(seat), points=(point.no,), lines=(
        OrderLine(when=(Test(fact="war", op="at_least", value=4),), then=point.offers[0].reply({
            slot.field: 1 if slot.kind in ("number", "amount") else "" for slot in point.offers[0].slots}), costly=True),))
        for number, (seat, point) in enumerate(((seat, point) for seat in table.state.seats for point in ORDERING.points), 1)]
    table.deputy = Orders(GAME, never)
    for seat, action in game.answers():
        table.answer(seat, action)
    assert [entry.row() for entry in table.fresh] == [entry.row() for entry in by_hand(seats, changed, seed).entries]


# --- what a seat sees, and what may be asked --------------------------------------------------------------------

@dataclass
class ByHand:
    """A game given again by its players alone, and what was found amiss at its questions."""

    entries: list[Entry] = field(default_factory=list)
    points: set[str] = field(default_factory=set)
    unknown: list[str] = field(default_factory=list)        # conditions that are not known, or not what they say
    told: list[str] = field(default_factory=list)           # questions whose facts depend on the unrest of others
    unforeseen: list[str] = field(default_factory=list)
    in_attacks: int = 0


def by_hand(seats: int, changed: dict[str, Any], seed: int) -> ByHand:
    """Walked once for all that is asked of it."""
    return walked(seats, tuple(changed.items()), seed)


@cache
def walked(seats: int, changed: tuple[tuple[str, object], ...], seed: int) -> ByHand:
    game, found = played(seats, changed, seed), ByHand()
    table = Table(GAME, PARTS, game.start, dice=source(seed), checkpoints=False)
    before: dict[int, dict[Seat, set[str]]] = {}
    for seat, action in [*game.answers(), (None, None)]:
        foreseen_at(table, before, found)
        for question in table.waiting():
            found.points.add(question.point)
            found.unknown += unknown_at(table.state, question)
            found.told += told_at(table.state, question)
        if action is not None:
            table.answer(seat, action)
    found.entries = table.take()[0]
    return found


def unknown_at(state: State, question: Ask[Any]) -> Iterator[str]:
    """The conditions of a question that are not known when it is asked, and values that are none of theirs."""
    seen = facts(state, question.seat, question)
    battle, own = state.battle, state.power(question.seat)
    faceless = battle is not None and not all(map(state.is_power, (battle.attacker, battle.defender)))
    for key in set(ORDERING.point(question.point).conditions) - set(seen):
        if not faceless or key not in ("their_armies", "their_navies"):
            yield f"{question.point}: {key} is not known"
    for key, value in seen.items():
        condition = ORDERING.condition(key)
        if condition is None or condition.kind != "choice":
            if condition is not None and type(value) is not {"number": int, "flag": bool}[condition.kind]:
                yield f"{question.point}: {key} is {value!r}"
        elif set(value if isinstance(value, tuple) else (value,)) - {*condition.values(state, question.seat), own, *TOKENS, ""}:
            yield f"{question.point}: {key} is {value!r}"


def told_at(state: State, question: Ask[Any]) -> Iterator[str]:
    """The question, if something that the orders of the seat that is asked can see depends on the unrest of others."""
    def known() -> object:
        return facts(state, question.seat, question), ORDERING.spans(state, question.seat), foreseen(state)

    before, others = known(), [power for power in state.unrest if power != state.power(question.seat)]
    for power in others:
        state.unrest[power] += 7
    if known() != before:
        yield question.point
    for power in others:
        state.unrest[power] -= 7


def foreseen_at(table: Table, before: dict[int, dict[Seat, set[str]]], found: ByHand) -> None:
    """Note what is asked in an attack and was not foreseen from its beginning, and what is foreseen too late."""
    state, now = table.state, {seat: set(points) for seat, points in foreseen(table.state).items()}
    if state.battle is None:
        if now:
            found.unforeseen.append("foreseen without an attack")
        return
    known = before.setdefault(state.battles, now)
    for question in table.waiting():
        found.in_attacks += 1
        if question.point not in known.get(question.seat, ()) or question.point not in now.get(question.seat, ()):
            found.unforeseen.append(question.point)
    found.unforeseen += [f"{points} of {seat}, which could not be asked at first" for seat, points in now.items()
                         if not points <= known.get(seat, set())]


@every_game
def test_every_condition_is_known_when_its_question_is_asked(seats, changed, seed):
    found = by_hand(seats, changed, seed)
    assert found.unknown == []
    assert {"DP-01", "DP-02", "DP-03", "DP-04", "DP-05", "DP-06", "DP-08"} <= found.points


@every_game
def test_SOE_21_1_1_nothing_of_orders_depends_on_the_unrest_of_others(seats, changed, seed):
    assert by_hand(seats, changed, seed).told == []


@every_game
def test_whatever_is_asked_in_an_attack_was_foreseen_from_its_beginning(seats, changed, seed):
    found = by_hand(seats, changed, seed)
    assert found.unforeseen == []
    assert found.in_attacks or seats == 2


def test_checkpoints_and_rows_from_before_orders_still_lead_to_the_same_game():
    game = game_of(*GAMES[-1])
    body = json.loads(game.start.state)
    for new in ("accepted", "battles"):
        del body[new]
    table = Table(GAME, PARTS, Checkpoint(0, 0, json.dumps(body)), game.rows, dice=source(GAMES[-1][2]), checkpoints=False)
    assert table.over and table.state == game.end
    assert Battle.model_validate({"area": "india", "attacker": "spain", "defender": "britain", "mover": "spain"}).heard == []
