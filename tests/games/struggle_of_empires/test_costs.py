"""What an answer costs is told beforehand, exactly as it is paid; a kind of answer has a reason exactly when there is none."""
from __future__ import annotations

from collections.abc import Iterable
from operator import attrgetter
from typing import Any

import pytest

from bot.discord.game.menu_path import Step, token, walk
from engine.games.struggle_of_empires import GAME
from engine.games.struggle_of_empires.actions import Attack, Bid, Build, Colonise, Give, Rebuild, Take, Use
from engine.games.struggle_of_empires.events import GoldPaid, PopulationPaid, UnrestChanged
from engine.games.struggle_of_empires.rules.unrest_bag import UnrestDrawn
from engine.games.struggle_of_empires.words.menus import MENUS
from engine.kernel import Action, Event, Seat, Table
from engine.refusals import Illegal
from engine.text import say
from tests.games.struggle_of_empires.test_properties import GAMES, READER, game_of, reads_well, source
from tests.scene import scene

A, B = "austria", "britain"
SOME = pytest.mark.parametrize("opening", GAMES[:3], ids=[opening.name for opening in GAMES[:3]])
PRICED = (Attack, Build, Colonise, Rebuild, Take, Use)         # a bid is paid later, and only if it wins


def cost(at: Any, action: Action, power: str = A) -> str:
    told = action.cost(at.state, at.state.seat(power))
    return "" if told is None else say(told, READER)


# --- examples -----------------------------------------------------------------------------------------

@pytest.mark.parametrize("action, gold, banking, words", [
    (Attack(area="india", target=B), 2, 0, "2 gold"),
    (Attack(area="india", target=B), 1, 0, "2 gold and +1 unrest from taxes"),
    (Attack(area="india", target=B, war_office=True), 0, 0, ""),
    (Bid(gold=9, a=A, b=B), 2, 0, "+4 unrest from taxes"),
    (Bid(gold=9, a=A, b=B), 2, 1, "+3 unrest from taxes"),
    (Bid(gold=0, a=A, b=B), 2, 0, ""),
    (Build(unit="army", to=A), 0, 0, "1 population"),
    (Colonise(area="india"), 0, 0, "1 population"),
    (Rebuild(unit="army", at="india"), 0, 0, "1 population and +1 unrest"),
    (Rebuild(unit="army", at="india", tile="mercenaries"), 0, 0, "+1 unrest"),
    (Take(tile="industry"), 0, 0, "+1 unrest"),
    (Take(tile="war_office"), 0, 0, "3 gold and +2 unrest from taxes"),
    (Take(tile="militia"), 0, 0, "1 population"),
    (Use(tile="diplomatic_service", on="alliance_denmark"), 0, 0, "1 gold and +1 unrest from taxes"),
    (Use(tile="mercenaries", on=A), 0, 0, "")])
def test_what_it_costs_in_words(action, gold, banking, words):
    at = scene(gold={A: gold}, tiles={A: {"banking": banking}} if banking else {})
    assert cost(at, action) == words


def test_a_price_of_gold_and_population_is_told_with_its_taxes():
    at = scene(gold={A: 0}, pack={"tiles": [{"id": "militia", "cost": {"gold": 1, "population": 1, "unrest": 0}}]})
    assert cost(at, Take(tile="militia")) == "1 gold, 1 population and +1 unrest from taxes"


def test_a_rebuild_without_population_costs_unrest_alone():
    assert cost(scene(options={"build.rebuild_population": False}), Rebuild(unit="army", at="india")) == "+1 unrest"


def test_the_purse_of_a_seat_is_its_own_and_leaves_the_actions_to_the_question():
    at = scene(gold={A: 3, B: 8}, population={A: 1, B: 2}, unrest={A: 6, B: 0})
    purses = {power: GAME.views.purse(at.state, at.state.seat(power)) for power in (A, B)}
    assert {power: say(purse, READER) for power, purse in purses.items() if purse is not None} == {
        A: "3 gold · 1 population · 6 unrest", B: "8 gold · 2 population · 0 unrest"}


# --- in whole games -------------------------------------------------------------------------------------

def paid(events: Iterable[Event]) -> str:
    """What an answer made its power pay, in the words of a cost."""
    gold = population = unrest = taxed = 0
    drawn = False
    for event in events:
        match event:
            case GoldPaid():
                gold += event.gold
            case PopulationPaid():
                population += event.population
            case UnrestChanged(cause="taxation"):
                taxed += event.by
            case UnrestChanged(cause="price" | "rebuild"):
                unrest += event.by
            case UnrestDrawn(cause="taxation"):
                taxed, drawn = taxed + sum(event.markers.values()), True
            case UnrestDrawn(cause="price" | "rebuild"):
                unrest, drawn = unrest + sum(event.markers.values()), True
    parts = [f"{gold} gold"] * bool(gold) + [f"{population} population"] * bool(population)
    for number, why in ((unrest, ""), (taxed, " from taxes")):
        counted = ("unrest marker" if number == 1 else "unrest markers") if drawn else "unrest"
        parts += [f"+{number} {counted}{why}"] * bool(number)
    return READER.language.listing(parts) if parts else ""


@SOME
def test_what_is_told_beforehand_is_what_is_paid(opening):
    game, told = game_of(opening), set[str]()
    table = Table(GAME, game.parts, game.start, dice=source(game.start))
    for row in game.rows:
        if row.by != "player":
            continue
        kind = GAME.verb(row.verb)
        assert kind is not None
        action, seat = kind.model_validate_json(row.answer), Seat(row.seat)
        expected = action.cost(table.state, seat)
        table.take()
        table.answer(seat, action)
        if kind in PRICED:
            words = "" if expected is None else say(expected, READER)
            assert paid(table.take()[0][0].events) == words, f"row {row.no}: {action}"
            told.add(words)
    assert len(told) > 5 and any("taxes" in words for words in told)


@SOME
def test_a_kind_has_an_obstacle_exactly_when_it_has_no_option(opening):
    impossible: set[str] = set()
    for table in game_of(opening).sampled(80):
        for question in table.waiting():
            kinds: tuple[type[Action], ...] = (*question.accepts, Give)
            for kind in kinds:
                why = kind.obstacle(table.state, question.seat)
                assert (why is None) == (next(iter(kind.options(table.state, question.seat)), None) is not None)
                if why is not None:
                    impossible.add(kind.verb)
                    assert isinstance(why, Illegal) and why.rule, f"{kind.verb} has no reason of its own: {why}"
                    reads_well(why.text)
    assert len(impossible) > 5


@SOME
def test_every_answer_can_be_reached_by_taps(opening):
    for table in game_of(opening).sampled(60):
        for question in table.waiting():
            options = table.options(question.seat)
            for option in options[::max(1, len(options) // 40)]:
                path: tuple[str, ...] = (option.verb,)
                while isinstance(step := walk(MENUS, options, path), Step):
                    path = (*path, token(attrgetter(*step.fields)(option)))
                assert step == option


@SOME
def test_costs_odds_and_reasons_tell_nothing_of_the_unrest_of_others(opening):
    for table in game_of(opening).sampled(12):
        for question in table.waiting():
            before = seen(table, question.seat)
            for power in table.state.unrest:
                if power != table.state.power(question.seat):
                    table.state.unrest[power] += 13
            assert seen(table, question.seat) == before


def seen(table: Table, seat: Seat) -> list[object]:
    """Everything that the panel of a seat may show of its answers."""
    state, options = table.state, table.options(seat)
    weighed = [option for option in options if isinstance(option, (Attack, Take))][:20]
    asked = [question for question in table.waiting() if question.seat == seat]
    return [[option.cost(state, seat) for option in options], [option.outlook(state, seat) for option in weighed],
            [str(kind.obstacle(state, seat)) for question in asked for kind in question.accepts], GAME.views.purse(state, seat)]


@SOME
def test_every_outlook_and_cost_reads_well(opening):
    for table in game_of(opening).sampled(40):
        for question in table.waiting():
            for option in table.options(question.seat):
                reads_well(option.cost(table.state, question.seat))
                if isinstance(option, Attack):
                    reads_well(option.outlook(table.state, question.seat))
