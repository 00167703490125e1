"""Every event half with its bonus, every ability, every advantage and every tile is played by a test that says so."""
from __future__ import annotations

from collections import Counter

from tests.games.imperial_struggle import (
    test_advantages,
    test_events,
    test_events_of_revolution,
    test_events_of_succession,
    test_every_tile,
    test_ministries,
)
from tests.games.imperial_struggle.played import PLAYED, everything
from tests.games.imperial_struggle.scene import PARTS

MODULES = (test_advantages, test_events, test_events_of_succession, test_events_of_revolution, test_every_tile, test_ministries)


def test_every_card_is_played():
    """The table of what is played by which test has neither gaps nor strangers."""
    assert sorted(PLAYED) == sorted(everything())
    for key, names in PLAYED.items():
        assert names and all(any(hasattr(module, name) for module in MODULES)
                             for name in names), key


def test_what_there_is_to_be_played():
    tiles = {tile.id for tile in (*PARTS.investment_tiles, *PARTS.award_tiles, *PARTS.war_tile.values())}
    kinds = Counter("tile" if key in tiles else "advantage" if key in PARTS.advantage else "ability" if key in PARTS.ability
                    else "bonus" if key.endswith("bonus") else "half" for key in everything())
    assert (len(PARTS.events), len(PARTS.ministries), len(PARTS.advantages)) == (41, 26, 22)
    assert kinds == {"half": 65, "bonus": 59, "ability": 36, "advantage": 22, "tile": 24 + 8 + 32 + 96 + 2}
