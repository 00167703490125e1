"""Whether an automatic player's answer depends on what its seat can't see: positions of games, and their twins.

A twin differs in the secrets of others, or in what lies hidden from all. A player must be given the same in both, and answer the
same; one who looks ahead must be led to the same worlds. Players that peek are planted, and have to be found.
"""
from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from tqdm import tqdm

from engine import catalog, players
from engine.components import components, edition_of
from engine.dice import SecretDice
from engine.kernel import Action, GameSpec, Position, Seat, Table
from engine.players.search import draw_anew
from engine.selfplay import beginning, random_answer, weary
from tests.checks.secrets import SECRETS

TWINS = 6                   # of one position, at most
SKIPPED = 3                 # questions between two positions that are compared, on average
AT_RANDOM = 0.3             # of the answers that lead from one position to the next
STRONG = 0.04               # of the positions in which the strong player answers, too
LONG = 1_500                # rows of a game, after which another begins
SOUGHT = 200                # pairs in which a planted player must be found


@dataclass
class Compared:
    """What was compared, and what differed."""

    pairs: int = 0
    strong: int = 0             # of them, with an answer of the strong player too
    worlds: int = 0             # of them, with a world that it would try
    differences: int = 0


def measure(game: str, pairs: int = 10_000, seed: int = 0, edition: str = "") -> dict[str, int]:
    """Compare the answers of automatic players in positions that differ only in what their seat can't see."""
    spec = catalog.find(game)
    if edition:
        edition_of(spec, edition)                       # raises what is wrong with it
    with tqdm(total=pairs, desc="pairs", file=sys.stderr) as bar:
        found = compared(spec, pairs, seed, edition=edition, bar=bar)
    caught = [compared(peeking, SOUGHT, seed, edition=edition, strong=1.0, any_will_do=True).differences
              for peeking in planted(spec)]
    return {"pairs": found.pairs, "strong": found.strong, "worlds": found.worlds, "differences": found.differences,
            "planted": len(caught), "planted_found": sum(map(bool, caught)), "planted_missed": caught.count(0)}


def planted(spec: GameSpec) -> Iterator[GameSpec]:
    """The game with players that peek: into the position, or, where they look ahead, into the worlds that they try."""
    automatic = spec.automatic
    assert automatic is not None, "the game has automatic players"
    yield spec.changed(automatic=replace(automatic, known=lambda state, seat: state))
    if automatic.search is not None:
        yield spec.changed(automatic=replace(automatic, secret=frozenset()))


def compared(spec: GameSpec, pairs: int, seed: int = 0, *, edition: str = "", strong: float = STRONG, any_will_do: bool = False,
             bar: Any = None) -> Compared:
    """So many pairs, or only until something differs; `bar` is told of each."""
    found, pick = Compared(), Random(f"twins {seed}")
    while found.pairs < pairs and not (any_will_do and found.differences):
        for table, seat in positions(spec, edition, pick):
            before = found.pairs
            _compare(spec, table, seat, pick, found, strong=pick.random() < strong)
            if bar is not None:
                bar.update(found.pairs - before)
            if found.pairs >= pairs or (any_will_do and found.differences):
                break
    return found


def positions(spec: GameSpec, edition: str, pick: Random) -> Iterator[tuple[Table, Seat]]:
    """Positions of a game between solid players, some of whose answers are random; a seat that is asked in each."""
    edition = edition or next(edition.key for edition in spec.editions if edition.available)
    parts = components(spec, edition).parts
    start = beginning(spec, pick.choice(spec.seats), edition, parts)
    table = Table(spec, parts, start, dice=SecretDice(pick.randbytes(32).hex()))
    while not table.over and len(table.fresh) < LONG:
        if (agreed := weary(table)) is not None:
            table.answer(*agreed)
            continue
        seat = table.waiting()[0].seat
        if pick.random() < 1 / SKIPPED:
            yield table, seat
        position = players.position(table, seat) if pick.random() > AT_RANDOM else None
        table.answer(seat, random_answer(table.options(seat), pick.randrange) if position is None else
                     players.answer(spec, "solid", position, pick))


def _compare(spec: GameSpec, table: Table, seat: Seat, pick: Random, found: Compared, *, strong: bool) -> None:
    """A position and its twins."""
    question = table.asked(seat)
    assert question is not None and spec.automatic is not None
    given = _given(spec, table.state, table, seat)
    answers = _answers(spec, given, strong)
    far, state = strong and spec.automatic.search is not None, table.state.model_dump_json()
    world = _world(spec, table.parts, state, seat) if far else ""
    for _ in range(TWINS):
        amount = pick.randint(1, 9)
        other = _twin(spec, table.parts, state, seat, amount)
        if other is None:
            continue
        found.pairs += 1
        found.strong += strong
        twin = _given(spec, other, table, seat)
        same = (twin.state.model_dump_json(), twin.options, twin.default) == (
            given.state.model_dump_json(), given.options, given.default) and _answers(spec, twin, strong) == answers
        if far:
            found.worlds += 1
            same &= _world(spec, table.parts, other.model_dump_json(), seat) == world
        found.differences += not same


def _twin(spec: GameSpec, parts: Any, state: str, seat: Seat, amount: int) -> Any:
    """The same position with other secrets of others; None: there are none."""
    secrets = SECRETS[spec.key]
    other = spec.rules.state.model_validate_json(state)
    spec.rules.bind(other, parts)
    changed = False
    for name in other.seats:
        if seat not in secrets.sharing(other, Seat(name)):
            changed |= secrets.of_seat(other, Seat(name), amount)
    return other if secrets.of_all(other, amount) or changed else None


def _given(spec: GameSpec, state: Any, table: Table, seat: Seat) -> Position[Any]:
    """What a player is given of a state."""
    position, question = players.position(table, seat), table.asked(seat)
    assert position is not None and question is not None and spec.automatic is not None, "the seat is asked"
    options = tuple([option for kind in question.accepts for option in kind.options(state, seat)])
    default = question.default(state, seat) if callable(question.default) else question.default or options[0]
    return replace(position, state=spec.automatic.known(state, seat), options=options, default=default)


def _answers(spec: GameSpec, position: Position[Any], strong: bool) -> Mapping[str, Action]:
    return {level: players.choose(spec, level, position, "7a") for level in players.LEVELS if strong or level != "strong"}


def _world(spec: GameSpec, parts: Any, written: str, seat: Seat) -> str:
    """A world in which a player who looks ahead would try its answers."""
    assert spec.automatic is not None, "the game has automatic players"
    state = spec.rules.state.model_validate_json(written)
    spec.rules.bind(state, parts)
    draw_anew(spec.automatic, state, seat, players.Seeded("1"))
    world: str = state.model_dump_json()
    return world
