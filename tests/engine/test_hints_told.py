"""What hints state: every number against the judgement or the board, every reason for the move beside which it stands."""
from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from random import Random
from typing import Any

import pytest

from engine import players
from engine.catalog import GAMES
from engine.components import components
from engine.dice import SecretDice
from engine.games.attack import player as attack
from engine.games.attack.coach import COACH
from engine.games.attack.rules.setup import RANDOM, Claim
from engine.games.attack.state import size
from engine.games.imperial_struggle.components import REGIONS, foe
from engine.games.imperial_struggle.player import Mind as Weighing
from engine.games.imperial_struggle.rules.control import flag_count, goods_count, prestige_count
from engine.games.imperial_struggle.rules.ministries import uprising_vp
from engine.games.struggle_of_empires.judgement import Mind
from engine.games.struggle_of_empires.odds import percent
from engine.games.struggle_of_empires.orders import facts
from engine.games.struggle_of_empires.strong_player import Strategist
from engine.kernel import Action, GameSpec, Position, Table
from engine.players.hints import Hint, compared_with, hints
from engine.selfplay import beginning, random_answer, weary
from engine.text import Text, say
from engine.text.amounts import points
from tests.engine.test_players import positions


@dataclass
class Case:
    """A reason that is told of an answer, and the table at which it is."""

    table: Table
    position: Position[Any]
    action: Any
    reason: Text
    again: Callable[[], Table]          # the same table, to be played on

    @property
    def facts(self) -> Mapping[str, Any]:
        return self.reason.facts

    @property
    def side(self) -> Any:
        return self.table.state.power(self.position.seat)

    def after(self) -> Any:
        """The true state once this is answered."""
        table = self.again()
        table.answer(self.position.seat, self.action)
        return table.state

    def along(self) -> Iterator[Any]:
        """The true state after each thing that happens once this is answered."""
        table, state = self.again(), self.again().state
        table.answer(self.position.seat, self.action)
        for event in (event for entry in table.fresh for event in entry.events):
            event.apply(state)
            yield state


def said(fact: Any) -> str:
    return say(fact)


def _count(s: Any, side: Any, where: Any) -> int:
    if isinstance(where, Text):
        return int(prestige_count(s, side))
    return int(flag_count(s, side, where) if where in REGIONS else goods_count(s, side, where))


def _lead(s: Any, case: Case) -> int:
    return _count(s, case.side, case.facts["where"]) - _count(s, foe(case.side), case.facts["where"])


def _leads(case: Case, better: bool = True) -> bool:
    """The lead is the one that the answer leads to, whatever comes of it then, and it is more, or less, than before."""
    if case.action.verb == "conquer" or case.position.question.point == "IS-18.11":
        return True                     # the other side may still refuse, or goes on with its event
    before = _lead(case.table.state, case)
    led = [lead for s in case.along() if (lead := _lead(s, case)) != before and (lead > before) == better]
    told = ["level" if not lead else f"{lead} ahead" if lead > 0 else f"{-lead} behind" for lead in led]
    return said(case.facts["lead"]) in told


def _award(case: Case) -> bool:
    return _leads(case) and case.facts["award"] == case.table.state.awards[case.facts["where"]]


def _weighing(case: Case) -> Weighing:
    return Weighing(case.position.state, case.side)


def _debt(case: Case) -> bool:
    before, after = case.table.state.own[case.side], case.after().own[case.side]
    return said(case.facts["debt"]) == f"{after.debt - before.debt} debt" and case.facts["left"] == after.available


def _bought(case: Case) -> bool:
    tile = case.table.parts.investment[case.action.tile]
    for part, minor in ((tile.major, False), (tile.minor, True)):
        worth = _weighing(case).filled(part.ap, part.points, minor=minor)
        if worth > 0 and case.facts["n"] == part.points and said(case.facts["worth"]) == said(points(worth)):
            return True
    return False


def _stronger(case: Case) -> bool:
    before, after = case.table.state, case.after()
    mind = Weighing(before, case.side)
    return mind.ahead(after)[case.facts["theater"]] > mind.ahead(before)[case.facts["theater"]]


def _relief(case: Case) -> bool:
    return case.facts["n"] in [case.table.state.own[case.side].debt - s.own[case.side].debt for s in case.along()]


def _tile(case: Case) -> bool:
    tile = case.table.parts.war_tile[case.action.target]
    return bool(case.facts["n"] == tile.strength and ("no icon" in said(case.reason)) == (tile.icon is None))


IMPERIAL: dict[str, Callable[[Case], bool]] = {
    "You'd be {lead} in {where:the}, whose award is {award}.": _award,
    "You'd be {lead} in {where}.": _leads, "You'd be {lead} in {where}, which is in demand.": _leads,
    "But you'd be no more than {lead} in {where}.": lambda case: _leads(case, better=False),
    "All in all it's worth {points} more than it costs.":
        lambda case: said(case.facts["points"]) == said(points(_weighing(case).net(case.action))),
    "It adds {debt}; you can still take {left} more.": _debt,
    "It spends {n} treaty point.": lambda case: case.facts["n"] == case.table.state.own[case.side].trp - case.after().own[
        case.side].trp,
    "It lowers your debt by {n}.": _relief,
    "It brings this: {brought}.": lambda case: said(case.facts["brought"]) == said(case.action.meets(
        case.position.state, case.position.seat)),
    "It brings {vp} VP at once.": lambda case: case.facts["vp"] == uprising_vp(case.table.state),
    "You keep the territory, and lose {vp} VP.": lambda case: case.facts["vp"] in [
        abs(s.vp - case.table.state.vp) for s in case.along()],
    "Its {n} {kind} can buy {bought:the}, worth {worth} to you.": _bought,
    **dict.fromkeys(("Its strength is {n}, and it has an icon.", "Its strength is {n}, and it has no icon."), _tile),
    "You'd be stronger in {theater:the}.": lambda case: case.action.verb in ("tile", "choose") or _stronger(case),
    "Nothing your remaining points could buy is worth it now.": lambda case: all(
        _weighing(case).worth(option) <= 0.1 for option in case.position.options if hasattr(option, "debt"))}


def _mind(case: Case) -> Mind:
    return (Strategist if case.action.verb == "tile" else Mind)(case.position.state, case.side)


def _net(case: Case) -> bool:
    mind = _mind(case)
    worth = mind.tile(case.action.tile) if case.action.verb == "tile" else mind.use(case.action)
    return worth > 0 and said(case.facts["points"]) == said(points(worth))


def _marker(case: Case) -> bool:
    mind, s = _mind(case), case.position.state
    target = getattr(case.action, "target", "")
    loser = target if target in s.powers or target in s.npps else ""
    return said(case.facts["points"]) == said(points(mind.prize(case.facts["area"], loser)))


def _chance(place: int) -> Callable[[Case], bool]:
    return lambda case: said(case.facts["chance"]) == said(percent(Fraction(_mind(case).expected_odds(case.action)[place])))


def _crossing(case: Case) -> bool:
    return [said(case.facts[name]) for name in ("lost", "back")] == [said(percent(Fraction(one))) for one in _mind(case).crossing]


def _lead_of(case: Case) -> int:
    lead = facts(case.position.state, case.position.seat, case.position.question)["lead"]
    assert isinstance(lead, int)
    return lead


def _at_sea(case: Case) -> bool:
    return said(case.facts["chance"]) == said(percent(Fraction(_mind(case).chance(_lead_of(case)))))


def _help(case: Case) -> bool:
    before, after = (int(said(case.facts[name]).strip("<>%")) for name in ("before", "after"))
    return before <= after


STRUGGLE: dict[str, Callable[[Case], bool]] = {
    "Your chance to win is {chance}.": _chance(0), "Risk of losing a unit: {chance}. Each loss adds unrest.": _chance(1),
    "Crossing: {lost} lost, {back} turned back.": _crossing, "Your chance to win at sea is {chance}.": _at_sea,
    "Rolled again, your chance to win is {chance}.": _at_sea,
    "Your ally's chance to win goes from {before} to {after}.": _help,
    "By the end it will bring {points} more than it costs.": _net,
    "Another control marker in {area} is worth {points} over the wars that are left.": _marker,
    "From {place:the} it can attack for a control marker worth {points}.": lambda case: said(case.facts["points"]) in {
        said(points(prize)) for prize, _ in _mind(case).prey(case.facts["place"])},
    "{foe:The} would be your enemy: you could take {points} from it.": lambda case: said(case.facts["points"]) == said(points(
        _mind(case).liked[case.facts["foe"]])),
    "{target:The} loses a control marker in {area} if it succeeds, which helps you by {points} on average.":
        lambda case: _mind(case).raid(getattr(case.action, "token", "") or case.action.tile, case.facts["area"],
                                      case.facts["target"]) > 0,
    "It suits you better than the current bid.": lambda case: case.action.verb == "bid"}


def _front(case: Case) -> bool:
    return bool(case.facts["n"] == attack.front(case.position.state, case.side, case.facts["territory"]) > 0)


def _beside(case: Case) -> bool:
    s, land = case.position.state, case.action.territory
    owners = [s.owner.get(other, "") for other in s.parts.territory[land].adjacent]
    own, free = owners.count(case.side), owners.count("")
    return case.facts["n"] in (own, free, len(owners) - own - free)


def _lent(case: Case) -> bool:
    theirs = case.facts.get("theirs")
    return bool(case.facts["mine"] > 0 and (theirs is None or (
        theirs == attack.worth(case.position.state, case.position.state.units[case.facts["goal"]]))))


ATTACK: dict[str, Callable[[Case], bool]] = {
    "From {territory:the} you can attack {n} neighbour.": _front, "It borders {n} of your territories.": _beside,
    "{n} neighbour is still free, so there is room to grow.": _beside,
    "{n} neighbour belongs to somebody else, who may attack it.": _beside,
    "{territory:The} may join you without a fight, with {n} or more on two dice.": lambda case: 2 <= case.facts["n"] <= 12,
    "{n} unit stays in {origin}.": lambda case: case.facts["n"] == size(
        case.position.state.units[case.action.origin]) - case.action.number,
    "{n} unit would then be in {to}.": lambda case: case.facts["n"] == case.action.number + size(
        case.position.state.units[case.action.to]),
    "With {n} of them your purchase stays mixed, and a mixed force fights best.":
        lambda case: case.facts["n"] == case.position.state.turn.basket.get(case.action.kind, 0) + case.action.number,
    "You can attack neutral {goal} with units worth {mine} production points. About {needed} should do, though a card "
    "decides who defends it.": _lent,
    "You can attack {goal} with units worth {mine} production points against {theirs}.": _lent,
    "Every unit worth sending already has its orders.": lambda case: [*COACH.considered(case.position, Random(0))] == [
        case.action]}
CHECKS = {"imperial_struggle": IMPERIAL, "struggle_of_empires": STRUGGLE, "attack": ATTACK}
EVERY = 5               # questions, one of which is looked at
DOING_NOTHING = {"pass", "end", "confirm"}


def numbers(fact: Any) -> bool:
    """Whether a number is stated in a sentence."""
    if isinstance(fact, Text):
        return any(map(numbers, fact.facts.values()))
    return isinstance(fact, int)


def told(spec: GameSpec, seed: int) -> Iterator[tuple[Case, list[tuple[Action, tuple[Text, ...]]], Text]]:
    """Each reason of the hints of a whole game, and of a move that somebody might name, at every few questions.

    One answer in five is random.
    """
    edition = next(edition.key for edition in spec.editions if edition.available)
    parts, pick, number = components(spec, edition).parts, Random(seed), 0
    start = beginning(spec, spec.seats[seed % len(spec.seats)], edition, parts)
    dice = SecretDice(f"{seed:064x}", by_decision=True)
    table = Table(spec, parts, start, dice=dice)
    while not table.over:
        if (agreed := weary(table)) is not None:
            table.answer(*agreed)
            continue
        position = players.position(table, table.waiting()[0].seat)
        assert position is not None
        number += 1
        if number % EVERY == 0:
            found = hints(spec, position, "7a")
            since = table.checkpoint or start
            rows = [entry.row() for entry in table.fresh[since.no:]]
            named = Hint(pick.choice(position.options), ())          # as somebody may ask why not
            assert spec.automatic is not None and spec.automatic.coach is not None
            named = replace(named, reasons=tuple(spec.automatic.coach.reasons(position, named.action)))
            for hint in (*found, named):
                for reason in hint.reasons:
                    again = partial(Table, spec, parts, since, rows, dice=dice, run_on=False)
                    case = Case(table, position, hint.action, reason, again)
                    yield case, [(one.action, one.reasons) for one in found if hint is not named], reason
        table.answer(position.seat, players.answer(spec, "solid", position, pick) if pick.random() > 0.2 else random_answer(
            table.options(position.seat), pick.randrange))


@pytest.mark.parametrize("spec", GAMES, ids=lambda spec: spec.key)
def test_each_number_and_each_reason_of_whole_games_is_so(spec: GameSpec) -> None:
    checked: set[str] = set()
    for seed in (104, 110, 116):
        for case, found, reason in told(spec, seed):
            words = f"{case.position.question.point} {said(case.action.label())}: {said(reason)}"
            check = CHECKS[spec.key].get(reason.template)
            assert check is not None or not numbers(reason) or {"games", "first"} & {*reason.facts}, f"nobody checks: {words}"
            if check is not None:
                assert check(case), words
                checked.add(reason.template)
            if case.action.verb in DOING_NOTHING and case.position.question.point not in ("DP-03", "DP-04"):
                assert len(found) <= 1 or case.action.verb in {"pass", "end"} == {action.verb for action, _ in found}, words
    assert len(checked) >= len(CHECKS[spec.key]) / 2


def test_a_territory_that_chance_chooses_can_be_named() -> None:
    spec = next(spec for spec in GAMES if spec.key == "attack")
    parts = components(spec, "base").parts
    table = Table(spec, parts, beginning(spec, 3, "base", parts), dice=SecretDice("5e" * 32))
    position = players.position(table, table.waiting()[0].seat)
    assert position is not None and position.question.point == "D-01"
    (hint,) = compared_with(spec, position, [option for option in position.options if option == Claim.of(RANDOM)])
    assert said(hint.reasons[0]) == "I see nothing that it would bring you now."


def test_a_move_that_somebody_names_is_told_with_what_it_sends() -> None:
    """By sea, too, and to a territory of one's own, which it doesn't attack."""
    spec, told = next(spec for spec in GAMES if spec.key == "attack"), set[str]()
    assert spec.automatic is not None and spec.automatic.coach is not None
    for table, seat, pick in positions(spec, 3, 150, seed=2):
        position = players.position(table, seat)
        assert position is not None
        moves: list[Any] = [option for option in position.options if option.verb == "move"]
        for move in pick.sample(moves, min(4, len(moves))):
            s, reason = position.state, spec.automatic.coach.reasons(position, move)[0]
            mine: Any = reason.facts.get("mine", 0)
            own = s.owner.get(move.to) == s.power(seat)
            assert own == reason.template.endswith("would then be in {to}."), move
            assert own or mine >= attack.worth(s, {move.unit: move.number}), move
            told.add("own" if own else move.way)
    assert told == {"own", "land", "water"}
