"""Event cards and advantages whose effects the rules couldn't carry out are refused as they are loaded, each by its number."""
from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest

from engine.components import bound, components
from engine.games.imperial_struggle import GAME
from engine.refusals import Faulty


def changed(number: int, half: str, **fields: Any) -> Callable[[dict[str, Any]], None]:
    def change(raw: dict[str, Any]) -> None:
        raw["events"][number - 1][half]["base"][0].update(fields)
    return change


def without(number: int, half: str, field: str) -> Callable[[dict[str, Any]], None]:
    def change(raw: dict[str, Any]) -> None:
        del raw["events"][number - 1][half]["base"][0][field]
    return change


def advantage(raw: dict[str, Any]) -> None:
    raw["advantages"][1]["effect"]["filter"]["country"] = "bohemia"


@pytest.mark.parametrize("fault, said", [
    (changed(2, "france", op="grant_apples"), "ev_02.* tag 'grant_apples'"),
    (without(6, "britain", "filter"), "ev_06.*filter: this is missing"),
    (changed(6, "britain", amount=2), "ev_06.*amount: there is no such field"),
    (changed(6, "britain", count=2), "ev_06.*count: Input should be 1"),
    (changed(6, "britain", filter={"regoin": "india"}), "ev_06.*regoin: there is no such field"),
    (changed(6, "britain", filter={"region": "asia"}), "ev_06, region: there is no asia"),
    (changed(11, "france", filter={"commodity": "tea"}), "ev_11, commodity: there is no tea"),
    (changed(16, "both", count=None), "ev_16.*one of count, points"),
    (changed(15, "both", condition={"kind": "was_rich"}), "ev_15.*condition.*tag 'was_rich'"),
    (changed(9, "france", **{"then": [{"op": "score_vp", "points": "two"}]}), "ev_09.*then.*points"),
    (changed(18, "france", **{"from": ["moon"]}), "ev_18.*from"),
    (advantage, "central_europe_conflict, country: there is no bohemia"),
])
def test_a_wrong_card_is_refused_with_its_number(fault: Callable[[dict[str, Any]], None], said: str) -> None:
    raw = deepcopy(components(GAME, GAME.editions[0].key).raw)
    fault(raw)
    with pytest.raises(Faulty, match=said):
        bound(GAME, raw)
