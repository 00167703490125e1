"""What people do in Imperial Struggle while the bot is killed: rounds planned in private, taken back and published, and a war."""
from __future__ import annotations

from collections.abc import Sequence

from engine.games.imperial_struggle import GAME
from engine.games.imperial_struggle.actions.rounds import EndRound, TakeTile
from engine.games.imperial_struggle.actions.shifts import DrawEvent, ShiftPolitical
from engine.games.imperial_struggle.options import PUBLISHED
from tests.checks.scripted_actions import ANSWER, Play, Step, by, confirmed, published, requested, says
from tests.games.imperial_struggle.battlefield import HIT, UNFLAG, fight
from tests.games.imperial_struggle.scene import scene, tile_id

JOIN: Sequence[Step] = (by("alice", "game join"), by("bob", "game join"), by("olga", "game start"))

ROUND = scene(active="france", available=["4 DP / 2 MP", "3 EP / 2 DP, event", "2 MP / 2 DP, event, upgrade"],
              own={"france": {"hand": ["ev_03"]}}).start
PEACE = GAME.changed(setup=lambda seats, options, parts: GAME.rules.state.model_validate_json(ROUND.state))
"""The game from a position in which France, that is Bob, begins an action round."""

SAVOY = ShiftPolitical.of("savoy", "major", "", 0, 0)
DEARER = ShiftPolitical.of("savoy", "major", "", 1, 0)          # with 1 DP left

PLANNED: Sequence[Step] = (
    *JOIN, says("bob", TakeTile.of(tile_id("4 DP / 2 MP"))), says("bob", SAVOY), by("bob", "my undo"),
    says("bob", ShiftPolitical.of("sardinia", "major", "", 0, 0)), by("bob", "my undo"),
    says("bob", DrawEvent.of("major", 0, 0)), published("bob"),
    says("bob", DEARER), by("bob", "my undo"), says("bob", EndRound()), published("bob"),
    says("alice", TakeTile.of(tile_id("3 EP / 2 DP, event"))), requested("bob"), by("olga", "gm undo"), by("olga", "gm redo"),
    says("alice", TakeTile.of(tile_id("3 EP / 2 DP, event"))), confirmed("alice", "game resign", "Resign"))
"""Steps that are taken back, one that draws, what is published before and after it, an undo of what others plan upon."""

BATTLE = fight("WSS", 3, france=[HIT, UNFLAG], britain=[HIT], flags={
    "gulf_of_maine": "britain", "halifax": "britain", "acadia": "france", "louisbourg": "france", "albany": "britain",
    "cataraqui": "france"}).start
WAR = GAME.changed(setup=lambda seats, options, parts: GAME.rules.state.model_validate_json(BATTLE.state))
"""The game from a theater in which both have icons to use."""

SETTLED: Sequence[Step] = (*JOIN, *[ANSWER] * 4)

PLAYS = (Play(PEACE, PUBLISHED, PLANNED), Play(WAR, PUBLISHED, SETTLED))
