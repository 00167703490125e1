"""Changed answers: none counts that is not legal, and one that does, on whatever level, is found."""
from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import bot.discord.game.answering
import bot.service.answers
from bench.__main__ import main
from bot.core.visit import Visit
from bot.discord.game.position import Live
from bot.store import Holder
from engine.games.attack import GAME as ATTACK
from engine.games.attack.rules.movement import Move
from engine.games.attack.rules.replies import missing
from engine.games.attack.rules.trade import Offer
from engine.games.struggle_of_empires import GAME
from engine.games.struggle_of_empires.actions import Bid
from engine.kernel import Seat, Table
from tests.checks import changed_interactions, mutate
from tests.checks.changed_actions import Tally, beyond, enumerated
from tests.checks.changed_interactions import on_discord
from tests.checks.mutate import at_tables, at_the_core
from tests.checks.stocks import in_stock
from tests.games.attack.scene import scene
from tests.toy import FAIR, PEBBLES, Give, Guess, Throw, pebbles


def nothing(_: int) -> None:
    """Nobody looks at the progress."""


@pytest.fixture
def one_is_enough(monkeypatch):
    """A search ends with the first answer that is taken wrongly."""
    for module in (mutate, changed_interactions):
        monkeypatch.setattr(module, "ENOUGH", 1)


def tables(number: int = 2_000) -> Tally:
    tally = Tally()
    at_tables(PEBBLES, number, 1, tally, nothing)
    return tally


async def core(tmp_path: Path, number: int = 200) -> Tally:
    tally = Tally()
    await at_the_core(PEBBLES, number, 1, tally, nothing, tmp_path / "core.db")
    return tally


async def discord(tmp_path: Path, number: int = 60) -> Tally:
    tally = Tally()
    await on_discord(PEBBLES, number, 1, tally, nothing, tmp_path / "discord.db")
    return tally


# --- nothing is found where nothing is wrong ----------------------------------------------------------------

def test_at_a_table_nothing_counts_that_is_not_listed():
    tally = tables()
    assert tally.tried >= 2_000 and tally.legal > 20
    assert (tally.accepted, tally.crashed) == ([], [])


async def test_at_the_core_nothing_counts_that_is_not_listed(tmp_path):
    tally = await core(tmp_path)
    assert tally.tried == 200 and tally.legal > 2
    assert (tally.accepted, tally.crashed) == ([], [])


@pytest.mark.edge
async def test_no_changed_interaction_counts_that_is_not_listed(tmp_path):
    tally = await discord(tmp_path)
    assert tally.tried == 60
    assert (tally.accepted, tally.crashed) == ([], [])


# --- what is wrong is found ---------------------------------------------------------------------------------

@pytest.mark.usefixtures("one_is_enough")
def test_a_table_that_believes_old_stamps_is_found(monkeypatch):
    examine = Table.examine
    monkeypatch.setattr(Table, "examine", lambda self, seat, action, *, asked_at=None: examine(self, seat, action))
    assert any(" to " in said for said in tables().accepted)


@pytest.mark.usefixtures("one_is_enough")
async def test_a_core_that_does_not_look_whose_seat_it_is_is_found(tmp_path, monkeypatch):
    def anybody(holders: list[Holder], user: int) -> Seat:
        return next((holder.seat for holder in holders if holder.user == user), holders[0].seat)

    monkeypatch.setattr(bot.service.answers, "held_by", anybody)
    assert (await core(tmp_path)).accepted


@pytest.mark.edge
@pytest.mark.usefixtures("one_is_enough")
async def test_buttons_that_anybody_can_press_are_found(tmp_path, monkeypatch):
    async def careless(interaction: Any, visit: Visit, put_to: str, stands: int = 0) -> Any:
        return Live(interaction, visit, visit.seat or Seat(put_to))

    monkeypatch.setattr(bot.discord.game.answering, "position_put_to", careless)
    assert (await discord(tmp_path, 400)).accepted


# --- how answers are changed, and what is listed ------------------------------------------------------------


def test_what_is_listed_is_legal_for_that_seat_and_question_alone():
    table = pebbles(dice=FAIR)
    assert enumerated(table, Seat("seat_1"), Guess.of(3)) and enumerated(table, Seat("seat_2"), Guess.of(3), 0)
    assert not enumerated(table, Seat("seat_1"), Guess.of(3), asked_at=7)
    assert not enumerated(table, Seat("seat_1"), Throw.of())
    table.answer(Seat("seat_1"), Guess.of(3))
    assert not enumerated(table, Seat("seat_1"), Guess.of(3)), "it has answered"
    assert not enumerated(table, Seat("seat_1"), Give.of("seat_2", 1)), "it has no pebbles"


@pytest.mark.parametrize("bid, like", [
    ((7, "france", "spain"), True), ((3, "france", "spain"), True), ((2, "france", "spain"), False),
    ((7, "spain", "france"), False), ((7, "france", ""), False)])
def test_an_open_ended_answer_may_be_higher_than_those_listed_and_nothing_else(bid, like):
    assert beyond(Bid.of(*bid), Bid.of(3, "france", "spain")) == like
    assert not beyond(Throw.of(), Bid.of(3, "france", "spain"))


@pytest.mark.parametrize("give, take, like", [
    (("oil_2", "oil_2"), (), True), (("oil_2", "oil_3"), ("minerals_1",), True), (("iron",), (), False), ((), ("oil_2",), False)])
def test_an_open_ended_answer_may_list_more_of_what_is_listed(give, take, like):
    listed = [Offer.of("red", ("oil_2",), ("minerals_1",)), Offer.of("red", ("oil_3",), ())]
    assert beyond(Offer.of("red", give, take), *listed) == like
    assert not beyond(Offer.of("blue", give, take), *listed)


@pytest.mark.parametrize("number, to, like", [(5, "italy", True), (9, "italy", True), (10, "italy", False), (5, "spain", False)])
def test_an_answer_of_a_bounded_kind_lies_between_listed_ones(number, to, like):
    orders = [Move.of("tank", "france", "italy", listed, "land", "ask") for listed in (1, 2, 9)]
    assert beyond(Move.of("tank", "france", to, number, "land", "ask"), *orders) == like
    assert not beyond(Move.of("tank", "france", "italy", 3, "land", "ask"), *orders[:2]), "a list without gaps leaves nothing out"


@pytest.mark.parametrize("give, take, there", [
    (("oil_2",), (), True), (("oil_2", "oil_2"), (), False), (("oil_2", "oil_3"), ("oil_1", "oil_1"), True),
    ((), ("oil_1",) * 3, False), ((), ("oil_4", "oil_4"), False)])
def test_nothing_is_listed_oftener_than_there_is(give, take, there):
    table = scene(hands={"red": ["oil_2", "oil_3"], "blue": ["oil_2", "oil_2"]})
    assert in_stock(table.state, Seat("seat_1"), Offer.of("blue", give, take), ()) == there


@pytest.mark.usefixtures("one_is_enough")
def test_a_card_that_is_offered_twice_while_one_is_held_is_found(monkeypatch):
    """Lists were compared by what is on them, and not by how often."""
    real = missing
    monkeypatch.setattr("engine.games.attack.rules.trade.missing",
                        lambda state, power, wanted: real(state, power, [*dict.fromkeys(wanted)]))
    tally = Tally()
    at_tables(ATTACK, 4_000, 1, tally, nothing)
    assert any(" offer " in said for said in tally.accepted)


# --- the command line ---------------------------------------------------------------------------------------

@pytest.mark.edge
def test_the_command_line_says_how_many_were_tried_and_accepted(capsys):
    assert main(["mutate", GAME.key, "--actions", "3000", "--json"]) == 0
    figures = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert figures["tried"] >= 3_000 and figures["accepted"] == 0 == figures["crashed"]
    assert figures["tried_at_tables"] + figures["tried_at_the_core"] + figures["tried_on_discord"] == figures["tried"]
