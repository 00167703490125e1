"""An action as one readable line, and back."""
from __future__ import annotations

import pytest

from engine.games.struggle_of_empires import GAME
from engine.games.struggle_of_empires.actions import Attack, Bid, Call, Commit, Give, Pass, Rebuild, Take
from engine.kernel import Action
from engine.notation import read, write
from engine.refusals import Illegal
from tests.toy import PEBBLES, Take as TakePebbles

LINES: list[tuple[Action, str]] = [
    (Pass(), "pass"),
    (Attack(area="india", target="spain"), "attack area=india target=spain"),
    (Attack(area="india", target="spain", surprise=True), "attack area=india target=spain surprise=True"),
    (Commit(armies=1, navies=0), "commit armies=1 navies=0"),
    (Bid(gold=3, b="spain"), "bid gold=3 b=spain"),
    (Call(allies=("france", "spain")), "call allies=france,spain"),
    (Call(), "call"),
    (Rebuild(unit="army", at="austria", tile="mercenaries"), "rebuild unit=army at=austria tile=mercenaries"),
    (Take(tile="pirates", area="india", target="spain"), "tile tile=pirates area=india target=spain"),
    (Give(to="spain", gold=2), "give to=spain gold=2"),
]


@pytest.mark.parametrize("action, line", LINES, ids=[line for _, line in LINES])
def test_an_action_is_written_and_read_back(action, line):
    assert write(action) == line
    assert read(GAME, line) == action


@pytest.mark.parametrize("value", ["two words", "it's", 'a "quote"', "a=b", "semi;colon", "$HOME", ""])
def test_any_value_survives(value):
    assert read(GAME, write(Give(to=value, gold=1))) == Give(to=value, gold=1)


def test_fields_may_come_in_any_order_and_defaults_may_be_written():
    assert read(PEBBLES, "take hand=left pebbles=2") == TakePebbles(pebbles=2)
    order = Attack(area="india", target="spain", war_office=True)
    assert read(GAME, "  attack   target=spain area=india war_office=true ") == order
    assert read(GAME, "call allies=") == Call()


@pytest.mark.parametrize("line, sentence", [
    ("", "Type a move such as pass."),
    ("   ", "Type a move such as pass."),
    ("give to='spain", "A quotation mark is left open in give to='spain."),
    ("attack india", "Write fields as name=value; india has no equals sign."),
    ("war_dance", "This game has no move called war_dance."),
    ("war_dance now", "Write fields as name=value; now has no equals sign."),
    ("attack area=india", "This move also needs target."),
    ("commit armies=many navies=0",
     "Armies must be a whole number."),
    ("pass loudly=yes", "This move has no loudly."),
    ("roll values=6 epoch=0 throw=0", "This game has no move called roll."),
])
def test_a_line_that_says_nothing_is_refused_with_a_sentence(line, sentence):
    with pytest.raises(Illegal) as refused:
        read(GAME, line)
    assert str(refused.value) == sentence
