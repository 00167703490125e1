"""An action round planned in private: where taking back ends [IS-23.5, 23.18, 23.29; IS-18, column undo]."""
from __future__ import annotations

from typing import Any

from engine.games.imperial_struggle import GAME
from engine.games.imperial_struggle.actions.cards import PlayEvent
from engine.games.imperial_struggle.actions.ministries import Reveal
from engine.games.imperial_struggle.actions.rounds import EndRound, Pass, TakeTile
from engine.games.imperial_struggle.actions.shifts import DrawEvent
from engine.games.imperial_struggle.components import Side
from engine.kernel import Preview
from tests.games.imperial_struggle.played import TILES
from tests.games.imperial_struggle.purchases import politics
from tests.games.imperial_struggle.scene import Scene, scene, tile_id

TILE = "4 DP / 2 MP"


def preview(at: Scene, power: Side = "france") -> Preview:
    """The round as the active side can plan it from here."""
    past = [entry.row() for entry in at.table.fresh]
    return Preview(GAME, at.parts, at.start, past, seat=at.state.seat(power))


def test_a_whole_round_is_planned_from_the_tile_to_its_end():
    at = scene(active="france", available=[TILE, "3 DP / 2 MP, event"], ministries={"france": ["M-1"]})
    ahead = preview(at)
    answers: list[Any] = [Reveal(card="M-1"), TakeTile(tile=tile_id(TILE)), politics("savoy")]
    assert [ahead.step(answer) for answer in answers] == [None] * 3
    assert ahead.state.flags["savoy"] == "france" != at.flag("savoy") and ahead.state.own["france"].up == ["M-1"]
    assert ahead.step(EndRound.of()) == "end" and at.state.own["france"].up == []


def test_passing_ends_the_round():
    ahead = preview(scene(active="france", tile=TILE))
    assert ahead.step(Pass.of()) == "end"


def test_a_drawn_card_is_not_seen_before_the_draw_is_public():
    ahead = preview(scene(active="france", tile=TILE, deck=["ev_01", "ev_02"]))
    assert ahead.step(DrawEvent.of("major", 0, 0)) == "draw" and ahead.state.own["france"].hand == []


def test_a_question_to_the_opponent_ends_taking_back():
    ahead = preview(scene(active="france", tile=TILES["military"], own={"france": {"hand": ["ev_12"]}}, turn="T2",
                          flags={"biscay": "britain", "arcot": "britain"}))
    assert ahead.step(PlayEvent(event="ev_12", reveal="", waiver="")) == "question"


def test_a_preview_tells_nothing_of_what_lies_hidden():
    """Other cards of the opponent, in the hand and face down, and other piles change no price and no choice [IS-17.14]."""
    told = []
    for hand, ministries, deck in ((["ev_03"], ["M-5", "M-6"], ["ev_01", "ev_02"]),
                                   (["ev_01"], ["M-7", "M-8"], ["ev_03", "ev_02"])):
        ahead = preview(scene(active="france", tile=TILE, own={"britain": {"hand": hand}}, deck=deck,
                              ministries={"britain": ministries}))
        seat, steps = ahead.seat, []
        for action in (politics("savoy"), *ahead.options(ahead.seat)[:3]):
            steps.append([(str(option), str(option.cost(ahead.state, seat))) for option in ahead.options(seat)])
            steps.append([(str(ahead.step(action)), "")] if action in ahead.options(seat) else [])
        told.append(steps)
    assert told[0] == told[1] and len(told[0][0]) > 10
