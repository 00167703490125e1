"""Rules found in people's own words: the questions that people really ask, and what the words are reduced to."""
from __future__ import annotations

import pytest

from engine.games.struggle_of_empires import GAME
from engine.rule_search import ASKED, Index, Page, keywords, one_letter_off, stem
from engine.rulebook import chapter_of, find_rules, known_words, rules
from engine.text.languages import PREPARED, speaking

FIRST_PAGE = 5

QUESTIONS = [
    ("can I attack with only ships", "9.1.3"),
    ("Can my ships attack a neutral marker?", "9.2.6"),
    ("how much does an attack cost", "9.3.1"),
    ("can forts move", "7.2.2"),
    ("how does the trade in slaves work", "10.1.2"),
    ("can I give gold to another player", "16.1.3"),
    ("do allies have to help me", "9.4.1"),
    ("how many points for most markers in an area", "17.4.2"),
    ("How do I lose the game through riots?", "18.2.2"),
    ("what if I cannot pay", "3.1.3"),
    ("how do i get rid of unrest", "3.3.9"),
    ("can I look at the unrest of others", "3.3.5"),
    ("does an army need a boat to go to a colony", "8.2.4"),
    ("is a promise binding", "16.1.2"),
    ("what does a tax bring", "3.2.2"),
    ("soldiers lost at sea crossing", "8.3.5"),
    ("who wins a tie for victory", "18.3.2"),
    ("can a bid be taken back", "5.2.8"),
    ("how many units can i place at the start", "2.2.1"),
    ("what is upkeep", "17.2.1"),
    ("settling without population", "10.1.1"),
    ("When are used tiles ready again?", "17.5.1"),
    ("am I bankrupt?", "3.2.6"),
    ("how many rounds does a war have", "6.1.1"),
    ("does a blockade stop armies", "12.20.4"),
]


def found(question: str) -> list[str]:
    return [rule.id.removeprefix("SOE-") for rule in find_rules(GAME.key, question, "first")]


@pytest.mark.parametrize("question, rule", QUESTIONS)
def test_a_question_finds_its_rule_on_the_first_page(question, rule):
    assert rule in found(question)[:FIRST_PAGE]


@pytest.mark.parametrize("read, question, rule", [
    ("de", "Können Forts ziehen?", "8.1.2"), ("de", "Was bringt eine Steuer", "3.2.2"), ("de", "sklaven", "10.1.2"),
    ("ru", "сколько раундов в войне", "6.1.1"), ("ru", "рабы", "12.17.1"), ("he", "כמה סיבובים במלחמה", "6.1.1"),
    ("he", "הבטחה מחייבת", "16.1.2"), ("de", "can forts move", "7.2.2"), ("ru", "how many rounds does a war have", "6.1.1"),
    ("en", "сколько раундов в войне", "6.1.1"), ("he", "Was bringt eine Steuer", "3.2.2")])
def test_a_question_is_asked_in_the_language_that_is_read_or_in_another(read, question, rule):
    with speaking(PREPARED[read]):
        assert rule in found(question)[:FIRST_PAGE]


def test_known_words_that_look_alike_come_from_the_language_that_is_read():
    with speaking(PREPARED["de"]):
        assert "versteigerungen" in known_words(GAME.key, "verstigerungn", "first")


def test_a_question_that_names_a_section_finds_its_rule_before_others_with_the_same_words():
    found = find_rules("imperial_struggle", "may a minor action remove a flag", "published")
    assert [rule.id for rule in found][:1] == ["IS-5.7.3"]


@pytest.mark.parametrize("typed, meant", [
    ("atacking", "attack"), ("taxaton", "tax"), ("blockde", "blockade"), ("piartes", "pirate")])
def test_one_wrong_letter_changes_nothing(typed, meant):
    assert set(found(typed)) == set(found(meant)) != set()


def test_every_form_of_a_word_finds_the_same():
    assert found("attack forts") == found("attacking a fort") == found("The attacker's forts?") != []


def test_the_title_of_a_section_finds_it_whole_and_in_order_before_all_else():
    section = [rule.id.removeprefix("SOE-") for rule in rules(GAME.key) if rule.title == "Upkeep" and "first" in rule.editions]
    assert found("upkeep")[:len(section)] == section == ["17.2.1", "17.2.2", "17.2.3", "17.2.4"]


def test_words_that_no_rule_has_find_nothing_and_what_looks_like_them_is_offered():
    assert found("submarines") == [] and found("") == []
    assert known_words(GAME.key, "blockaid", "first")[0] == "blockade"
    assert known_words(GAME.key, "xqzwv", "first") == []


def test_every_word_that_is_offered_finds_something():
    for garbled in ("blockaid", "merchenary", "populous", "alianses", "colonys", "unresst"):
        for word in known_words(GAME.key, garbled, "first"):
            assert found(word), word


def test_chapters_have_names_for_every_rule():
    assert all(chapter_of(GAME.key, rule) for rule in rules(GAME.key))
    assert chapter_of("pebbles", rules(GAME.key)[0]) == ""


@pytest.mark.parametrize("forms, common", [
    (("attack", "attacks", "attacked", "attacking", "attacker"), "attack"), (("army", "armies"), "army"),
    (("ship", "ships", "shipping"), "ship"), (("tax", "taxes", "taxed", "taxation"), "tax"), (("lose", "loses", "losing"), "los"),
    (("pass", "passes", "passing"), "pass"), (("colonise", "colonize", "colonising", "colonisation"), "colonis"),
])
def test_the_forms_of_a_word_have_one_stem(forms, common):
    assert {stem(form) for form in forms} == {common}


def test_what_says_nothing_is_left_out_unless_nothing_else_is_said():
    assert keywords("Can I attack with only ships?") == "attack only ships"
    assert keywords("what is it") == "what is it"


@pytest.mark.parametrize("word, near", [("atack", True), ("attacck", True), ("attxck", True), ("attcak", True), ("attack", False),
                                        ("atak", False), ("attackers", False), ("battack", True)])
def test_one_letter_off(word, near):
    assert one_letter_off(word, "attack") is near


def test_a_small_index_of_its_own():
    pages = [Page("1", "A cat sleeps.", "Pets"), Page("2", "A dog barks at the cat.", "Pets"), Page("3", "It rains.", "Sky")]
    index = Index(pages, [("dog", "hound")])
    assert index.find("cat") == ["1", "2"]                      # the shorter page first
    assert index.find("hounds") == ["2"]                        # another word for it
    assert index.find("barking cats")[0] == "2"                 # both words before one
    assert index.find("pets") == ["1", "2"]                     # a title
    assert index.find("fish") == []


def test_a_question_of_a_thousand_words_costs_no_more_than_one_of_a_few(monkeypatch: pytest.MonkeyPatch):
    def compared(question: str) -> int:
        pairs = list[tuple[str, str]]()

        def counting(word: str, known: str) -> bool:
            pairs.append((word, known))
            return one_letter_off(word, known)

        monkeypatch.setattr("engine.rule_search.one_letter_off", counting)
        monkeypatch.setattr("engine.rule_search.difflib.get_close_matches",
                            lambda word, known, **_: pairs.append((word, "")) or [])
        find_rules(GAME.key, question, "first")
        known_words(GAME.key, question, "first")
        return len(pairs)

    strange = [f"{'qzxj'[number % 4]}{number:04}" for number in range(1000)]
    assert 0 < compared(" ".join(strange)) <= compared(" ".join(strange[:ASKED])) < 20_000


def test_words_of_another_length_are_not_even_compared(monkeypatch: pytest.MonkeyPatch):
    def refuse(word: str, known: str) -> bool:
        assert abs(len(word) - len(known)) <= 1
        return False

    monkeypatch.setattr("engine.rule_search.one_letter_off", refuse)
    assert found("qqqqqq") == []
