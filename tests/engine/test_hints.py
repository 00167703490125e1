"""Hints: a few legal answers with reasons in words, the same for all who see the same, and better where looking ahead says so."""
from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from bot.domain.announcements import reader
from engine import players
from engine.catalog import GAMES
from engine.kernel import Action, GameSpec, Position, Search, Seat, Table
from engine.players.hints import MOST, Hint, compared_with, hints
from engine.text import say
from tests.checks.secrets import SECRETS
from tests.engine.test_players import positions


def spoken(table: Table, found: tuple[Hint, ...]) -> list[tuple[str, list[str]]]:
    """Hints as somebody reads them."""
    who = reader(table.spec, table.parts, table.state, table.state.seats)
    return [(say(hint.action.label(), who), [say(reason, who) for reason in hint.reasons]) for hint in found]


def given(spec: GameSpec, table: Table, seat: Seat, state: Any = None) -> Position[Any]:
    """What a seat is given, if the state were this one."""
    position = players.position(table, seat)
    assert position is not None and spec.automatic is not None
    return position if state is None else replace(position, state=spec.automatic.known(state, seat))


@pytest.mark.parametrize("spec", GAMES, ids=lambda spec: spec.key)
def test_hints_are_legal_answers_with_reasons_that_others_secrets_do_not_change(spec: GameSpec) -> None:
    """Of twins, which differ in what others hide alone, each sentence is the same; each option has its reasons."""
    secrets, compared, reasoned = SECRETS[spec.key], 0, 0
    assert spec.automatic is not None and spec.automatic.coach is not None
    for table, seat, pick in positions(spec, min(3, spec.seats[-1]), 70, seed=5):
        if pick.random() > 0.2:
            continue
        position = given(spec, table, seat)
        found = hints(spec, position, "7a")
        assert 1 <= len(found) <= MOST and len({hint.action for hint in found}) == len(found)
        for hint in found:
            table.examine(seat, hint.action)
        told = spoken(table, found)
        assert all(reasons and all(reason.endswith(".") and "{" not in reason for reason in reasons) for _, reasons in told)
        assert spoken(table, hints(spec, position, "7a")) == told
        for option in pick.sample(position.options, min(3, len(position.options))):
            reasoned += len(spec.automatic.coach.reasons(position, option))
        other = spec.rules.state.model_validate_json(table.state.model_dump_json())
        spec.rules.bind(other, table.parts)
        changed = [secrets.of_seat(other, Seat(name), pick.randint(1, 9)) for name in other.seats
                   if seat not in secrets.sharing(other, Seat(name))]
        if any(changed):
            compared += 1
            assert spoken(table, hints(spec, given(spec, table, seat, other), "7a")) == told
    assert compared > 3 and reasoned > 8


class World:
    """A world in which an answer is worth what the table of prizes says; without one it goes on for ever."""

    fresh = ()

    def __init__(self, prizes: dict[Action, float] | None = None) -> None:
        self.prizes, self.state, self.over = prizes, 0.0, prizes is not None

    def answer(self, seat: Seat, action: Action) -> None:
        self.state = self.prizes[action] if self.prizes is not None else 0.0


EMPIRES = next(spec for spec in GAMES if spec.key == "struggle_of_empires")
assert EMPIRES.automatic is not None
SEARCHING = EMPIRES.changed(automatic=replace(EMPIRES.automatic, strong=None, search=Search[Any](
    candidates=lambda position, rng: position.options[:2], worth=lambda state, seat: state, far=lambda state: 0, steps=1,
    rows=1)))


@pytest.fixture(scope="module")
def choice() -> tuple[Table, Position[Any], tuple[Hint, ...]]:
    """A position in which several answers are worth considering."""
    for table, seat, _ in positions(EMPIRES, 2, 60):
        position = given(EMPIRES, table, seat)
        if len(found := hints(EMPIRES, position)) > 1:
            return table, position, found
    raise AssertionError("there is none")


def test_looking_ahead_puts_the_better_answer_first_and_says_by_how_much(choice: Any) -> None:
    table, position, found = choice
    prizes = {option: 0.0 for option in position.options} | {found[-1].action: 2.0}
    ranked = hints(SEARCHING, replace(position, worlds=lambda seed: World(prizes)))
    assert len(ranked) == len(found) and ranked[0].action == found[-1].action
    told = [reasons[-1] for _, reasons in spoken(table, ranked)]
    assert told[0].endswith("it came out best.")
    assert told[1].endswith("played on from here, it came out about 2 points behind the best.")


class Uneven(World):
    """The same, but in which of the worlds an answer is better is luck."""

    def __init__(self, prizes: dict[Action, float], seed: str) -> None:
        super().__init__({action: prize * (3 if int(seed.split(maxsplit=1)[0]) % 2 else -1) for action, prize in prizes.items()})


def test_what_so_few_games_cannot_tell_contradicts_no_hint(choice: Any) -> None:
    table, position, found = choice
    prizes = {option: 0.0 for option in position.options} | {found[1].action: 2.0}
    searching = SEARCHING.changed(automatic=replace(SEARCHING.automatic, search=replace(SEARCHING.automatic.search, rows=100)))
    position = replace(position, worlds=lambda seed: Uneven(prizes, seed))
    for told in (hints(searching, position), compared_with(searching, position, [hint.action for hint in found[:2]])):
        assert [hint.action for hint in told[:2]] == [hint.action for hint in found[:2]]
        assert spoken(table, told)[1][1][-1].endswith("games played on from here, it's too close to the first to tell.")
        assert "best" not in str(spoken(table, told))


def test_a_try_ends_when_the_time_is_up_and_then_the_answer_is_the_solid_one(choice: Any) -> None:
    """The deadline is looked at within a try, however long that is."""
    _, position, found = choice
    endless = replace(position, worlds=lambda seed: World(), late=lambda: True)
    assert hints(SEARCHING, endless) == found, "what is seen at first sight"
    assert players.choose(SEARCHING, "strong", endless) == position.options[0]
