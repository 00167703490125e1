"""The judgement of automatic players: a change is worth what the whole board says; debt is kept back; hands choose ministries."""
from __future__ import annotations

from typing import Any

from engine import players
from engine.catalog import find
from engine.games.imperial_struggle.components.effects import Keyword
from engine.games.imperial_struggle.judgement import Judgement, cleared, deployed, flagged, fortified, marked
from engine.games.imperial_struggle.player import NEVER, Mind, considered
from engine.games.imperial_struggle.worth_of_cards import appointed, kept
from tests.engine.test_players import positions

SPEC = find("imperial_struggle")


def after(mind: Mind, option: Any) -> tuple[Any, float] | None:
    """The board once something is bought, and what it is said to gain; None for what changes no board."""
    s, side = mind.s, mind.side
    match option.verb:
        case "market" | "politics":
            return flagged(s, option.space, "" if option.space in s.flags else side), mind.shift(option.space)
        case "deploy" if option.origin != "navy_box":
            return deployed(s, side, option.origin, option.to), mind.turned((option.origin, ""), (option.to, side))
        case "fort":
            return fortified(s, side, option.space), mind.turned((option.space, side))
        case "clear":
            return cleared(s, option.space), mind.gained((option.space, s.flags.get(option.space, ""), False))
        case "advantage" if option.target:
            return marked(s, option.target), mind.gained((option.target, s.flags.get(option.target, ""), True))
    return None


def test_what_a_purchase_gains_is_what_the_whole_board_is_worth_more() -> None:
    compared = set[str]()
    for table, seat, pick in positions(SPEC, 2, 250, seed=5):
        position = players.position(table, seat)
        if position is None or not position.state.own:
            continue
        mind = Mind(position.state, position.state.power(seat))
        for option in pick.sample(position.options, min(4, len(position.options))):
            if (found := after(mind, option)) is not None:
                assert abs(mind.value(found[0]) - mind.now - found[1]) < 1e-9, option
                compared.add(option.verb)
    assert len(compared) >= 4


def test_debt_is_kept_back_for_what_may_be_forced() -> None:
    """No purchase that a player would make takes the last of the debt before turn 4."""
    looked = 0
    for table, seat, pick in positions(SPEC, 2, 250, seed=6):
        position = players.position(table, seat)
        if position is not None and position.state.own and position.state.turn in ("T1", "T2", "T3"):
            own = position.state.own[position.state.power(seat)]
            for option, worth in considered(position, pick).items():
                if (debt := getattr(option, "debt", 0)) and own.available - debt < 3:
                    looked += 1
                    assert worth < NEVER, option
    assert looked


def test_a_hand_chooses_the_ministry_that_brings_its_bonus() -> None:
    for table, seat, _ in positions(SPEC, 2, 40, seed=1):
        s = table.state
        if table.waiting()[0].point == "IS-18.2":
            side = s.power(seat)
            event = next(card for card in s.parts.events if isinstance(card.bonus_condition, Keyword)
                         and card.bonus_condition.keyword == "scholarship")
            own = s.own[side]
            plain, keen = (s.model_copy(update={"own": {**s.own, side: own.model_copy(update={"hand": hand})}})
                           for hand in ([], [event.id]))
            able = [card.id for card in s.parts.ministries_of[side] if s.era in card.eras]
            scholars = [card for card in able if "scholarship" in s.parts.ministry[card].keywords]
            gain = {card: appointed(Judgement(keen, side), [card]) - appointed(Judgement(plain, side), [card]) for card in able}
            assert scholars and max(gain, key=gain.__getitem__) in scholars
            assert kept(keen, side, event) > 0
            return
    raise AssertionError("no ministries were laid")
