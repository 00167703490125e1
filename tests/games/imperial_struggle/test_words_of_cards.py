"""What a player reads of a card: in few words made from the effect, and in full."""
from __future__ import annotations

import re

import pytest

from engine.games.imperial_struggle.components import SIDES, Side
from engine.games.imperial_struggle.words.cards import event_page, page, short
from engine.games.imperial_struggle.words.help import printed
from engine.games.imperial_struggle.words.nouns import names
from engine.games.imperial_struggle.words.now import now
from engine.games.imperial_struggle.words.short import ABILITIES, ADVANTAGES
from engine.text import Reader, say
from tests.games.imperial_struggle.scene import PARTS, Scene, scene

READER = Reader(names(PARTS))
CARDS = (*PARTS.event, *PARTS.ministry, *PARTS.advantage)
MOST = 100              # characters of a line in a menu


@pytest.mark.parametrize("side", SIDES)
def test_every_card_says_in_few_words_and_in_full_what_it_does(side):
    for id in CARDS:
        for line in short(PARTS, id, side):
            said = say(line, READER)
            assert 3 < len(said) <= MOST and "{" not in said and "_" not in said, (id, said)
        whole = " ".join(say(line, READER) for line in page(PARTS, id, side))
        assert len(whole) > len(READER.name(id)) + 20 and "{" not in whole and "_" not in whole, (id, whole)


def test_no_ability_and_no_advantage_is_without_words():
    assert set(ABILITIES) == set(PARTS.ability) and set(ADVANTAGES) == set(PARTS.advantage)


@pytest.mark.parametrize("id, side, lines", [
    ("ev_02", "britain", ["1 DP for unflagging in Europe", "more Prestige in Ireland and Scotland: 2 VP"]),
    ("ev_09", "france", ["if Russia is yours: 2 VP, else shift Russia", "Style: 1 DP"]),
    ("ev_17", "britain", ["unflag in Spain or Austria for 1 DP less", "Style: 1 DP"]),
    ("ev_13", "france", ["shift an Alliance space in Austria, the Dutch Republic or Spain",
                         "Governance: 3 VP if Savoy and Sardinia are yours"]),
    ("ev_15", "britain", ["opposing debt limit −1; if its debt was at the limit: opposing debt −1 and 1 VP",
                          "more available debt: debt −2"]),
    ("ev_34", "france", ["2 EP", "more available debt: 2 VP, 1 more with Governance"]),
    ("rum", "france", ["unflag a market in the Caribbean for 1 EP less"])])
def test_what_menus_say(id, side, lines):
    assert [say(line, READER) for line in short(PARTS, id, side)] == lines


def test_a_page_has_the_bonus_with_its_condition():
    said = [say(line, READER) for line in page(PARTS, "ev_05", "france")]
    assert said == ["War of Jenkins' Ear, Succession era", "Needs a tile with MP as its major action.",
                    "Put a conflict marker on a British-flagged Caribbean market.", "Bonus with Mercantilism: Gain 1 DP."]


# --- now, at this board -------------------------------------------------------------------------------------------

def told(at: Scene, side: Side, id: str) -> list[str]:
    return [say(line, Reader(names(PARTS, at.state))) for line in now(at.state, side, id)]


def test_what_an_event_would_do_now():
    at = scene(active="france", tile="3 DP / 2 MP, event", ministries={"france": ["M-3"]},
               own={"france": {"hand": ["ev_36", "ev_05", "ev_27"]}})
    assert told(at, "france", "ev_36") == ["You can play it: debt −2.",
                                           "Its bonus comes too if you turn up Court of the Sun King: 3 EP."]
    assert told(at, "france", "ev_05") == ["War of Jenkins' Ear needs a tile with MP as its major action."]
    assert told(at, "britain", "ev_36") == told(at, "britain", "ev_30") == ["It isn't in your hand."]      # IS-17.14


def test_what_a_ministry_would_do_now():
    at = scene(active="france", tile="3 DP / 2 MP, event", flags={"savoy": "france"},
               ministries={"france": ["M-1 up", "M-3"], "britain": ["M-7"]})
    assert told(at, "france", "M-1") == [
        "You can use: more DP for Savoy, Sardinia and Prestige in Spain and Austria, at most 3. Now 2 DP."]
    assert told(at, "france", "M-3") == ["It lies face down and does nothing yet; you can turn it up in your own action round."]
    assert told(at, "france", "M-7") == told(at, "france", "M-8") == ["It isn't in front of you."]              # IS-17.2


def test_what_an_advantage_would_do_now():
    at = scene(active="france", tile="3 DP / 2 MP, event", flags={"mysore": "france", "asiento": "france"}, conflict=["mysore"])
    (line,) = told(at, "france", "algonquin_raids")
    assert line.startswith("You can use it now on York Factory")
    assert told(at, "france", "power_struggle") == ["The conflict marker on Mysore blocks it."]
    assert told(at, "france", "slaving_contracts") == ["You use it with the purchase that it helps."]
    assert told(at, "britain", "algonquin_raids") == ["France holds it."] and told(at, "france", "rum") == ["Nobody holds it."]


@pytest.mark.parametrize("side", SIDES)
def test_every_card_says_something_at_every_board(side):
    for at in (scene(), scene(active=side, tile="3 DP / 2 MP, event", ministries={side: ["M-4 up", "M-22 up"]})):
        for id in CARDS:
            assert told(at, side, id), id


def test_every_card_can_be_read_about_and_cites_ministries_by_name():
    pages = printed(scene().state)
    assert set(pages) >= {card.id for card in (*PARTS.events, *PARTS.ministries, *PARTS.advantages)}
    told = {id: [say(line, READER) for line in page] for id, page in pages.items()}
    assert not [line for page in told.values() for line in page if re.search(r"\bM-\d", line)]
    assert told["ev_34"] == [
        "La Gabelle, Revolution era",
        "Britain: Mark up to two advantages of your choice as exhausted, without using them.",
        "Britain: Bonus with more available debt: Gain 2 EP.", "France: Gain 2 EP.",
        "France: Bonus with more available debt: Score 2 VP, or 3 VP with the keyword Governance face up.",
        "Needs a tile with DP as its major action.",
        "This isn't a use, so it brings no TRP by Pompadour & Du Barry or James Watt."]
    earlier = PARTS.event["ev_34"].model_copy(update={"rulings": ("Ministries M-13 and M-19 do not react.",)})
    assert say(event_page(earlier, "britain")[-1], READER) == "Ministries Pompadour & Du Barry and James Watt do not react."
