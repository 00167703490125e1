"""What stays hidden (chapter 17)."""
from __future__ import annotations

import random

from engine.dice import SecretDice
from engine.games.imperial_struggle import GAME
from engine.games.imperial_struggle.components import SIDES, foe
from engine.games.imperial_struggle.events.cards import MinistriesChosen, MinistryRevealed
from engine.games.imperial_struggle.state import Minister
from engine.selfplay import new_table, play_on
from tests.games.imperial_struggle.scene import PARTS, scene


def test_IS_17_views_of_others_do_not_depend_on_secrets():
    """At many moments of a random game: with another hand, other face-down cards and other tiles, others see the same."""
    table = new_table(GAME, 2, "published", PARTS, SecretDice("11" * 32), checkpoints=False)
    looked, differed = 0, 0
    for number, _ in enumerate(play_on(table, random.Random(3).randrange)):
        if number % 15:
            continue
        for side in SIDES:
            seat, other = table.state.seat(side), table.state.seat(foe(side))
            twin = GAME.rules.state.model_validate_json(table.state.model_dump_json())
            GAME.rules.bind(twin, PARTS)
            GAME.views.disguise(twin, seat)
            looked += 1
            differed += GAME.views.view(twin, seat) != GAME.views.view(table.state, seat)
            for reader in (None, other):
                assert GAME.views.view(twin, reader) == GAME.views.view(table.state, reader)
    assert looked > 20 and differed > looked // 2


def test_IS_17_2_the_place_of_a_face_down_ministry_tells_nothing():
    at = scene(ministries={"france": ["M-1", "M-3 up"]})
    seen = GAME.views.view(at.state, at.state.seat("britain"))
    assert [card.card for card in seen.sides[1].ministries] == ["M-3", ""]
    assert seen.own_ministries == () and "M-1" not in seen.model_dump_json()


def test_IS_17_2_the_order_of_ministries_does_not_tell_which_was_chosen_first():
    at = scene()
    for first, then in (("M-19", "M-22"), ("M-22", "M-19")):
        laid = (Minister(card=first, up=True), Minister(card=then))
        MinistriesChosen(side="france", ministers=laid, exchanged=0).apply(at.state)
        MinistryRevealed(side="france", card=then).apply(at.state)
        assert [card.card for card in GAME.views.view(at.state, None).sides[1].ministries] == ["M-19", "M-22"]


def test_IS_17_1_and_17_3_the_owner_sees_his_own():
    at = scene(own={"france": {"hand": ["ev_03"], "tiles": [["basic_fr_01"], [], [], []]}})
    mine, theirs = (GAME.views.view(at.state, at.state.seat(side)) for side in ("france", "britain"))
    assert mine.own_hand == ("ev_03",) and mine.sides[1].theaters[0].tiles == ("basic_fr_01",)
    assert theirs.own_hand == () and theirs.sides[1].theaters[0].tiles == () and theirs.sides[1].theaters[0].basic == 1
    assert theirs.sides[1].hand == 1


def test_IS_17_12_the_composition_of_a_pool_is_its_owners():
    at = scene()
    assert GAME.views.view(at.state, at.state.seat("france")).own_basic_pool == tuple(sorted(PARTS.basic_of("france")))
    assert GAME.views.view(at.state, None).own_basic_pool == ()
