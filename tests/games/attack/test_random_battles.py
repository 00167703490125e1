"""Random battles on land and at sea, by the hundred: they end, conserve, replay, and break no rule on the way."""
from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest

from engine.components import components
from engine.dice import LoadedDice, SecretDice
from engine.games.attack import GAME
from engine.games.attack.components import SHIPS, UNITS
from engine.games.attack.rules.battle import BattleRolled
from engine.games.attack.rules.combat import AttackFailed, BattleBegun, TerritoryCaptured
from engine.games.attack.rules.movement import Move
from engine.games.attack.rules.naval import LinesShown, NavalBegun, NavalEnded, PairFought
from engine.games.attack.rules.naval_lines import target
from engine.games.attack.rules.turns import Begin, Confirm
from engine.games.attack.state import Force, State, join, size
from engine.kernel import Action, Checkpoint, Event, Seat, Table, fold
from engine.selfplay import random_answer

PARTS: Any = components(GAME, "base").parts
POWERS = ("red", "blue", "green")
BATTLES = 150               # of each block


def force(pick: random.Random, kinds: tuple[str, ...], most: int) -> Force:
    """One to `most` pieces."""
    made: Force = {}
    for _ in range(pick.randint(1, most)):
        join(made, {pick.choice(kinds): 1})
    return made


def first_state(pick: random.Random) -> State:
    """Red in Poland beside Ukraine, which Blue owns or nobody; fleets and a controller."""
    hands = pick.sample([card.id for card in PARTS.cards], 6)
    fleets = {power: force(pick, SHIPS, 11) for power in POWERS}
    s = State(options=GAME.rules.options("base", {"end_mode": "last_standing"}), seats=["seat_1", "seat_2", "seat_3"],
              powers=list(POWERS), phase="turn",
              owner={"poland": "red", "ukraine": "blue", "france": "blue", "mexico": "green"},
              units={"poland": force(pick, UNITS, 12) | {"infantry": pick.randint(2, 5)}, "ukraine": force(pick, UNITS, 12),
                     "france": {"infantry": 1}, "mexico": {"tank": 1}},
              hands={power: hands[2 * n:2 * n + 2] for n, power in enumerate(POWERS)},
              deck=[card.id for card in PARTS.cards if card.id not in hands], fleets=fleets,
              damaged={power: pick.randint(0, fleet.get("battleship", 0)) for power, fleet in fleets.items()})
    if pick.random() < 0.4:
        del s.owner["ukraine"], s.units["ukraine"]
    s.controller = pick.choice(("blue", "green"))
    GAME.rules.bind(s, PARTS)
    return s


def opening(s: State, pick: random.Random, *, naval: bool) -> list[Action]:
    """A challenge, or an attack with some of what may leave Poland."""
    if naval:
        return [Begin(action="naval_battle")]
    sent = []
    here: dict[Any, int] = dict(s.units["poland"])
    for unit, number in here.items():
        if most := number - (unit == "infantry"):
            sent.append(Move(unit=unit, origin="poland", to="ukraine", number=pick.randint(1, most)))
    return [Begin(action="movement"), *sent, Confirm()]


def fought(seed: int, *, naval: bool) -> Iterator[tuple[Table, Event]]:
    """One battle with random answers: each event, when the table already stands behind its row."""
    pick = random.Random(seed)
    start = Checkpoint(0, 0, first_state(pick).model_dump_json())
    table = Table(GAME, PARTS, start, dice=SecretDice(f"{seed:064x}"), checkpoints=False)
    for answer in opening(table.state, pick, naval=naval):
        table.answer(Seat("seat_1"), answer)
    told = 0
    while True:
        for entry in table.fresh[told:]:
            for event in entry.events:
                yield table, event
        told = len(table.fresh)
        if table.over or any(question.point == "D-04" for question in table.waiting()):
            break
        question = table.waiting()[pick.randrange(len(table.waiting()))]
        options = table.options(question.seat)
        live = question.point != "D-16" or pick.random() < 0.3      # else they fight on: most battles see a few rounds
        table.answer(question.seat, random_answer(options, pick.randrange) if live else options[0])
        assert len(table.fresh) < 5_000, "a battle ends"
    rows = [entry.row() for entry in table.fresh]
    now = table.state.model_dump_json()
    assert Table(GAME, PARTS, start, rows, dice=LoadedDice(), checkpoints=False, run_on=False).state.model_dump_json() == now
    happened = [*table.opening, *(event for entry in table.fresh for event in entry.events)]
    assert fold(GAME, PARTS, start, [happened]).model_dump_json() == now
    assert table.state.battle is None and table.state.naval is None


def cards(s: State) -> list[str]:
    return sorted([*s.deck, *(card for hand in s.hands.values() for card in hand)])


@pytest.mark.parametrize("block", range(3))
def test_random_land_battles_end_conserve_and_replay(block: int) -> None:
    ends: list[type[Event]] = []
    for seed in range(block * BATTLES, (block + 1) * BATTLES):
        begun: BattleBegun | None = None
        forces: dict[str, Force] = {}
        half = 0
        for table, event in fought(seed, naval=False):
            match event:
                case BattleBegun():
                    begun = event
                    forces = {event.defender: dict(event.defenders), "red": {}}
                    for entry in table.fresh:
                        if isinstance(entry.answer, Move):
                            join(forces["red"], {entry.answer.unit: entry.answer.number})
                case BattleRolled():
                    half += 1
                    assert len(event.dice) >= 2 and size(event.losses) <= event.hits <= len(event.dice)
                    join(forces[event.foe], event.losses, -1)       # fails if more fall than there were
                    assert (event.power == "red") == (half % 2 == 0), "the defender rolls first [ATK-7.2.1]"
                case TerritoryCaptured() | AttackFailed():
                    assert begun is not None
                    ends.append(type(event))
                    winner, loser = "red", begun.defender
                    if isinstance(event, AttackFailed):
                        winner, loser = loser, winner
                    assert forces[winner] == {unit: n for unit, n in event.units.items() if n} and not size(forces[loser])
        assert cards(table.state) == sorted(card.id for card in PARTS.cards)
        assert table.state.land_units("red") >= 1, "ATK-19.1.3"
    assert {*ends} == {TerritoryCaptured, AttackFailed} and len(ends) == BATTLES


@pytest.mark.parametrize("block", range(3))
def test_random_naval_battles_end_conserve_and_replay(block: int) -> None:
    battles = rounds = 0
    for seed in range(block * BATTLES, (block + 1) * BATTLES):
        fleets: dict[str, Force] = {}
        lines: dict[str, list[str]] = {}
        hits: dict[str, list[int]] = {}
        for table, event in fought(seed, naval=True):
            match event:
                case NavalBegun():
                    battles += 1
                    start = State.model_validate_json(first_state(random.Random(seed)).model_dump_json())
                    fleets = {side: dict(start.fleets[side]) for side in (event.attacker, event.defender)}
                case LinesShown():
                    rounds += 1
                    lines = {side: list(line) for side, line in event.lines.items()}
                    hits = {side: [0] * len(line) for side, line in lines.items()}
                    assert all(1 <= len(line) <= 8 for line in lines.values())
                    for side, line in lines.items():
                        for ship in SHIPS:
                            assert line.count(ship) <= fleets[side].get(ship, 0)
                case PairFought():
                    sides = list(lines)
                    place = event.pair - 1
                    assert event.ships == {side: lines[side][place] for side in sides}
                    for side in sides:
                        assert not hits[side][place], "no ship is hit before its own pair is rolled [ATK-13.3.9]"
                    totals = {side: sum(event.dice[side]) + event.modifiers[side] for side in sides}
                    low = min(sides, key=lambda side: totals[side])
                    assert event.hit == ("" if len(set(totals.values())) == 1 else low)
                    if event.hit:
                        line, enemy = lines[low], lines[sides[1 - sides.index(low)]][place]
                        sunk = [n >= (2 if ship == "battleship" else 1) for ship, n in zip(line, hits[low])]
                        assert event.position - 1 == target(line, sunk, enemy, place) and not sunk[event.position - 1]
                        hits[low][event.position - 1] += 1
                        assert event.sunk == (hits[low][event.position - 1] == (2 if event.ship == "battleship" else 1))
                        if event.sunk:
                            join(fleets[low], {event.ship: 1}, -1)
                case NavalEnded():
                    s = table.state
                    assert s.controller == event.winner and s.fit(event.winner), "ATK-12.3.4, 13.6.1"
                    assert event.retreat == bool(s.fit(event.loser))
                    assert {side: s.fleets[side] for side in fleets} == fleets
        assert table.state.ships(table.state.controller) > 0
        for power in POWERS:
            assert 0 <= table.state.damaged.get(power, 0) <= table.state.fleets[power].get("battleship", 0)
    assert battles > BATTLES / 3 and rounds > 1.2 * battles, "many fight, and often for more than a round"
