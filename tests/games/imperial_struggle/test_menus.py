"""What menus ask: ministries one after the other with what each does, events without their bonus, prompts that a phone shows."""
from __future__ import annotations

import pytest

from bot.discord.game.action_menu import Screen, screen
from bot.discord.game.menu_path import NO_MORE, Step, token, walk
from engine.games.imperial_struggle.actions.turns import Appoint, Discard
from engine.games.imperial_struggle.words.briefing import briefing
from engine.games.imperial_struggle.words.menus import MENUS
from engine.games.imperial_struggle.words.nouns import names
from engine.games.imperial_struggle.words.summaries import summary
from engine.refusals import Refusal
from engine.text import Reader, say
from tests.games.imperial_struggle.scene import FAIR, PARTS, Scene, scene
from tests.games.imperial_struggle.test_pictures import story

BRITISH = ("M-5", "M-6", "M-7", "M-8", "M-10")      # ministries of the first era
MOST = 100              # characters beside a choice of a list
READER = Reader(names(PARTS))


def lists(shown: Screen) -> list[list[dict[str, str]]]:
    """The choices of each list of a screen."""
    assert shown.view is not None
    return [item["options"] for row in shown.view.to_components() for item in row["components"] if "options" in item]


def choosing() -> Scene:
    """Both sides choose two ministries of five in the first turn."""
    at = scene(phase="peace", turn="T1", dice=FAIR, award_pool=[f"award_{n}" for n in range(1, 9)],
               own={"britain": {"hand": ["ev_01", "ev_05", "ev_08"]}})
    at.say("britain", next(one for one in at.options("britain") if isinstance(one, Discard) and "ev_05" not in one.cards))
    if isinstance(at.options("france")[0], Discard):
        at.say("france", at.options("france")[0])
    assert any(isinstance(option, Appoint) for option in at.options("britain")), at.options("britain")
    return at


def test_ministries_are_chosen_one_after_the_other_and_the_answer_is_the_pair():
    at = choosing()
    options, seat = at.options("britain"), at.state.seat("britain")
    step = walk(MENUS, options, ("appoint",))
    assert isinstance(step, Step) and sorted(step.values.values()) == sorted(BRITISH)
    first, second = "M-7", "M-5"
    step = walk(MENUS, options, ("appoint", token(first)))
    assert isinstance(step, Step) and step.taken == (first,) and first not in step.values.values() and len(step.values) == 4
    for way in ((first, second), (second, first)):
        assert walk(MENUS, options, ("appoint", *map(token, way))) == Appoint(cards=("M-5", "M-7"), third=False)
    with pytest.raises(Refusal):
        walk(MENUS, options, ("appoint", token(first), token(first)))
    shown = screen(at.table, 1, seat, head=False)
    (offered,) = lists(shown)
    assert {one["label"] for one in offered} == {READER.name(card) for card in (first, *step.values.values())}
    called = {card.name: card.id for card in PARTS.ministries}
    for one in offered:
        does = summary(at.state, seat, called[one["label"]])
        assert does is not None and one["description"] == say(does, READER)
    later = screen(at.table, 1, seat, ("appoint", token(first)))
    assert "East India Company" in later.words and [len(rest) for rest in lists(later)] == [4]


def test_fewer_are_possible_by_a_choice_of_its_own():
    fewer = [Appoint(cards=cards, third=False) for cards in (("M-9", "M-11"), ("M-9",), ())]
    step = walk(MENUS, fewer, ("appoint",))
    assert isinstance(step, Step) and set(step.values.values()) == {"M-9", "M-11", NO_MORE}
    assert walk(MENUS, fewer, ("appoint", token(NO_MORE))) == fewer[2]
    assert walk(MENUS, fewer, ("appoint", token("M-9"), token(NO_MORE))) == fewer[1]
    assert walk(MENUS, fewer, ("appoint", token("M-9"), token("M-11"))) == fewer[0]
    assert walk(MENUS, fewer, ("appoint", token("M-11"))) == fewer[0], "nothing is left to choose"


def test_what_a_ministry_does_finds_room_beside_it_with_its_keywords():
    at = choosing()
    for card in PARTS.ministries:
        said = say(summary(at.state, at.state.seat("britain"), card.id), READER)
        assert len(said) <= MOST and all(READER.name(keyword) in said for keyword in card.keywords), said


def test_whoever_chooses_ministries_reads_the_own_events_with_their_keywords():
    at = choosing()
    seat = at.state.seat("britain")
    told = [say(line, READER) for line in briefing(story(at, "britain"))]
    assert any("Your events, with what their bonus needs: " in line and "War of Jenkins' Ear (Mercantilism)" in line
               for line in told), (seat, told)


def test_an_event_without_its_bonus_is_a_choice_by_that_name():
    """The question is which ministry to turn up: the name of the event would be no answer to it."""
    at = scene(active="britain", tile="2 EP / 2 DP, event, upgrade", ministries={"britain": ["M-7"]},
               own={"britain": {"hand": ["ev_01", "ev_02"]}})
    seat = at.state.seat("britain")
    step = walk(MENUS, at.options("britain"), ("event",))
    assert isinstance(step, Step), "which event"
    path = ("event", next(key for key, value in step.values.items() if value == "ev_01"))
    step = walk(MENUS, at.options("britain"), path)
    shown = screen(at.table, 1, seat, path)
    assert shown.view is not None
    labels = [item.get("label") or item["placeholder"] for row in shown.view.to_components() for item in row["components"]]
    found = [one["label"] for choices in lists(shown) for one in choices] or labels
    assert {"None: without its bonus", "East India Company"} <= {*found}, (found, labels)
    assert "Ministry to turn up for it?" in labels


def test_events_to_discard_are_chosen_by_what_they_do():
    cards = ("ev_01", "ev_05", "ev_08")
    step = walk(MENUS, [Discard(cards=(card,)) for card in cards], ("discard",))
    assert isinstance(step, Step) and sorted(step.values.values()) == [*cards]
