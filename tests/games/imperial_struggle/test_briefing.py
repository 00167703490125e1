"""What a player reads as a turn begins, and of a card by a tap [IS-23.34, 23.12]."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from engine.games.imperial_struggle import GAME
from engine.games.imperial_struggle.components import Side
from engine.games.imperial_struggle.state import State
from engine.games.imperial_struggle.words.briefing import briefing
from engine.games.imperial_struggle.words.help import about, cards
from engine.kernel import Checkpoint
from engine.kernel.game_spec import Replay
from engine.text import Reader, say
from tests.games.imperial_struggle.scene import PARTS, Scene, scene

READER = Reader(dict(GAME.words.names(PARTS)))


@dataclass(frozen=True, kw_only=True)
class Still(Replay):
    """A story that leads from one position to another."""

    before: State | None
    after: State

    def end(self) -> State:
        return self.after

    def known(self) -> State | None:
        return self.before


def beginning(**fields: Any) -> Scene:
    """France is about to take a tile."""
    return scene(active="france", demand=["furs", "sugar"], awards={region.id: f"award_{number}" for number, region in
                 enumerate(PARTS.regions, 1)}, **fields)


def told(at: Scene, side: Side, before: Scene | None = None) -> str:
    """What a side reads."""
    story = Still(spec=GAME, parts=PARTS, start=Checkpoint(no=0, state="", rolls=0), rows=(), seat=at.state.seat(side),
                  before=before.state if before is not None else None, after=at.state)
    return "\n".join(say(line, READER) for line in briefing(story))


def test_IS_23_34_it_tells_what_changed_the_margins_the_demand_the_war_and_the_own_chances():
    before = beginning(ministries={"france": ["M-1"], "britain": ["M-7"]})
    after = beginning(ministries={"france": ["M-1"], "britain": ["M-7 up"]}, flags={"savoy": "britain", "cataraqui": ""},
                      conflict=["albany"], own={"france": {"hand": ["ev_13"], "tiles": [["basic_fr_01"], [], [], []]}}, vp=12)
    lines = told(after, "france", before)
    assert "New flags of Britain: Savoy." in lines and "You lost Cataraqui." in lines
    assert "New conflict markers: Albany." in lines and "Britain turned up East India Company." in lines
    assert "The counter moved from 15 to 12 VP." in lines
    assert "12 VP. Flags, yours first: Europe 4:4" in lines and "In demand: Furs 0:" in lines
    assert "Next war, with your tiles but without theirs: Central Europe 3:" in lines, "+2 and Bavaria"
    assert "Advantages you can use: Algonquin Raids." in lines and "Face down: The Cardinal Ministers." in lines
    assert "Events whose bonus would come now: Alberoni's Ambition." in lines


def test_it_is_told_at_the_start_of_an_own_round_alone():
    assert told(beginning(), "france") and not told(beginning(), "britain")
    assert not told(beginning(tile="4 DP / 2 MP"), "france")


def test_IS_17_14_neither_the_briefing_nor_a_card_depends_on_what_the_other_side_hides():
    seen = []
    for hand, down, tiles in ((["ev_03"], "M-5", "basic_br_01"), (["ev_01"], "M-8", "basic_br_08")):
        at = beginning(ministries={"france": ["M-1"], "britain": [down, "M-7 up"]},
                       own={"france": {"hand": ["ev_13"]}, "britain": {"hand": hand, "tiles": [[tiles], [], [], []]}})
        seat = at.state.seat("france")
        seen.append((told(at, "france"), cards(at.state, seat),
                     [[say(line, READER) for line in about(at.state, seat, id)] for id in cards(at.state, seat)]))
    assert seen[0] == seen[1]


def test_a_card_is_read_with_what_it_would_do_now():
    at = beginning(ministries={"france": ["M-1"], "britain": ["M-7 up", "M-8"]}, tile="3 EP / 2 DP, event",
                   own={"france": {"hand": ["ev_13"]}, "britain": {"hand": ["ev_04"]}})
    seat = at.state.seat("france")
    assert cards(at.state, seat) == ("ev_13", "M-1", "algonquin_raids", "M-7", "wheat")
    lines = [say(line, READER) for line in about(at.state, seat, "ev_13")]
    assert any(line.startswith("**Now:** You can play it: ") for line in lines)
    assert "Its bonus comes too if you turn up The Cardinal Ministers" in lines[-1]
    theirs = [say(line, READER) for line in about(at.state, seat, "M-7")]
    assert theirs[0].startswith("East India Company, Britain") and not any("Now" in line for line in theirs)
    assert any("Britain holds it." in say(line, READER) for line in about(at.state, seat, "wheat"))
