"""Sentences: templates with facts, plurals, lists, names, and a reader of another language."""
from __future__ import annotations

import pytest

from engine.refusals import Illegal
from engine.text import Language, Proper, Reader, Text, count, joined, say, sentences, text, verbatim, within

NAMED = Reader({"india": "India", "up": "United Provinces"})


@pytest.mark.parametrize("fact, words", [
    ("india", "India"), ("north_america", "north america"), (3, "3"), (-2, "−2"), (("india",), "India"), ((), "nothing"),
    (("india", "up"), "India and United Provinces"), (("india", "up", 4), "India, United Provinces and 4"),
    (text("{n} of {place}", n=2, place="india"), "2 of India"), (count(1, "{n} army", "{n} armies"), "1 army"),
    (count(0, "{n} army", "{n} armies"), "0 armies"), (count(2, "{n} army", "{n} armies"), "2 armies"),
])
def test_a_fact_is_spoken_by_what_it_is(fact, words):
    assert say(fact, NAMED) == words


def test_sentences_lie_in_sentences():
    inner = text("{who} sends {what}", who="up", what=(count(1, "{n} army", "{n} armies"), count(2, "{n} navy", "{n} navies")))
    assert say(text("{first}, and {first}.", first=inner), NAMED) == (
        "United Provinces sends 1 army and 2 navies, and United Provinces sends 1 army and 2 navies.")


def test_a_name_with_braces_is_no_template():
    assert say(text("{who} wins.", who="x"), Reader({"x": "The {best}"})) == "The {best} wins."


@pytest.mark.parametrize("words", ["help.auto_call", "{braces}", "100 % {", "india"])
def test_somebodys_own_words_stay_as_they_are(words):
    assert say(verbatim(words), NAMED) == words
    assert say(text("What is {words}?", words=verbatim(words)), NAMED) == f"What is {words}?"


@pytest.mark.parametrize("template, title, said", [
    ("You have joined {title}.", "Attack!", "You have joined Attack!"),
    ("This is {title}. It is your turn.", "Attack!", "This is Attack! It is your turn."),
    ("This is **{title}**. It is your turn.", "Attack!", "This is **Attack!** It is your turn."),
    ('They call it "{title}".', "Attack!", 'They call it "Attack!"'),
    ("They call it {title}.", '"Attack!"', 'They call it "Attack!"'),
    ("You have joined {title}.", "Who wins?", "You have joined Who wins?"),
    ("You have joined {title}.", "Friday Jr.", "You have joined Friday Jr."),
    ("You have joined {title}.", "And then…", "You have joined And then…"),
    ("You have joined {title}.", "Friday", "You have joined Friday."),
    ("{title} has begun.", "Attack!", "Attack! has begun."),
    ("Do you leave {title}?", "Attack!", "Do you leave Attack!?"),
    ("{title}, game 4, is open.", "Attack!", "Attack!, game 4, is open."),
    ("The file is {title}.json.", "Attack!", "The file is Attack!.json."),
    ("{title}...", "Attack!", "Attack!..."),
    ("{{title}}. {title}.", "Attack!", "{title}. Attack!"),
])
def test_a_title_that_ends_a_sentence_by_itself_gets_no_full_stop(template, title, said):
    assert say(text(template, title=verbatim(title)), NAMED) == said


def test_of_several_facts_each_has_its_own_full_stop():
    both = text("{a}. {b}. {a}.", a=verbatim("Attack!"), b="india")
    assert say(both, NAMED) == "Attack! India. Attack!"
    assert say(text("You play {games}.", games=("india", verbatim("Attack!"))), NAMED) == "You play India and Attack!"
    counted = count(2, "{n} game of {title}.", "{n} games of {title}.", title=verbatim("Attack!"))
    assert say(counted, NAMED) == "2 games of Attack!"


def test_several_sentences_make_a_line():
    assert sentences([text("One."), text("{n}.", n=2)]) == "One. 2."
    assert sentences([]) == ""


def test_a_refusal_carries_its_sentence_its_facts_and_its_rule():
    why = Illegal("{power} has {units}.", rule="SOE-1.1.4", power="north_star", units=count(2, "{n} army", "{n} armies"))
    assert str(why) == "North star has 2 armies." and why.rule == "SOE-1.1.4"
    assert say(why.text, Reader({"north_star": "Northland"})) == "Northland has 2 armies."


class Backwards(Language):
    """A language that turns every template round, and counts otherwise."""

    def gettext(self, message: str) -> str:
        return {"{a} beats {b}.": "{b} yields to {a}."}.get(message, message)

    def ngettext(self, one: str, many: str, n: int) -> str:
        return "{n} pair" if n == 2 else super().ngettext(one, many, n)

    def listing(self, items: list[str]) -> str:
        return " + ".join(items)


def test_a_reader_of_another_language_needs_no_change_of_a_rule():
    reader = Reader({"a": "Anna", "b": "Bert"}, Backwards("xx", "Backwards"))
    assert say(text("{a} beats {b}.", a="a", b="b"), reader) == "Bert yields to Anna."
    assert say(count(2, "{n} army", "{n} armies"), reader) == "2 pair"
    assert say(("a", "b"), reader) == "Anna + Bert"


def test_texts_with_the_same_words_are_equal():
    assert text("{n}.", n=1) == Text("{n}.", {"n": 1}) != text("{n}.", n=2)


def test_a_sentence_that_begins_with_a_name_begins_with_a_capital():
    reader = Reader({"neutral": "the neutral force"})
    assert say(text("{who} loses {what}.", who="neutral", what="neutral"), reader) == "The neutral force loses the neutral force."
    assert say(text("{who} and {other}", who="neutral", other="neutral"), reader) == "the neutral force and the neutral force"
    twice = text("{who} loses. {who} flees from {who}.", who="neutral")
    assert say(twice, reader) == "The neutral force loses. The neutral force flees from the neutral force."
    assert say(text("It's called so. {words} is what they say.", words=verbatim("the end")), reader) == (
        "It's called so. the end is what they say.")


@pytest.mark.parametrize(("template", "fact", "said"), [
    ("A {x} sinks.", "aircraft carrier", "An aircraft carrier sinks."), ("A {x} sinks.", "destroyer", "A destroyer sinks."),
    ("You lose an {x}.", "army", "You lose an army."), ("You lose an {x}.", "fort", "You lose a fort."),
    ("A {x} has it.", "unit", "A unit has it."), ("Panama {x}", "ends", "Panama ends"), ("A {x}.", "", "A .")])
def test_the_indefinite_article_is_that_of_the_fact_behind_it(template, fact, said):
    assert say(text(template, x=fact)) == said


ATLAS = Reader({"up": Proper("United Provinces"), "gulf": Proper("Gulf of Maine"), "sea": Proper("Caribbean"), "spain": "Spain",
                 "indies": Proper("East Indies")})


@pytest.mark.parametrize(("template", "said"), [
    ("{up} attacks {spain} in {sea}.", "The United Provinces attacks Spain in the Caribbean."),
    ("{spain} attacks {up}.", "Spain attacks the United Provinces."), ("{up}'s turn", "The United Provinces' turn"),
    ("Round 2: {up}'s turn", "Round 2: the United Provinces' turn"), ("In {sea}.", "In the Caribbean."),
    ("Attack {up} in {sea} · 1 gold", "Attack the United Provinces in the Caribbean · 1 gold"),
    ("It's {up}'s move.", "It's the United Provinces' move."), ("{spain}'s {sea} Company", "Spain's Caribbean Company"),
    ("{spain} loses 1 army. {up} wins.", "Spain loses 1 army. The United Provinces wins."),
    ("**{up}** wins in *{sea}*.", "**The United Provinces** wins in *the Caribbean*."),
    ("You can go to {list}.", "You can go to the Caribbean, the East Indies and Spain."),
    ("{sea}, {indies} or {spain} is yours.", "The Caribbean, the East Indies or Spain is yours."),
    ("If {spain} attacks, {up} may help.", "If Spain attacks, the United Provinces may help."),
    ("{sea}", "Caribbean"), ("{list}", "Caribbean, East Indies and Spain"), ("{sea}: 2 armies", "Caribbean: 2 armies"),
    ("{sea} · 2 gold", "Caribbean · 2 gold"), ("{sea} (4)", "Caribbean (4)"), ("4 {sea}", "4 Caribbean"),
    ("2 armies: {list}", "2 armies: Caribbean, East Indies and Spain"), ("the {sea} alliance", "the Caribbean alliance"),
    ("{spain}: 3 (units 1, {indies} 1 and {sea} 1).", "Spain: 3 (units 1, East Indies 1 and Caribbean 1)."),
    ("A {sea} market falls.", "A Caribbean market falls."), ("{spain}'s {sea} fleet sails.", "Spain's Caribbean fleet sails."),
    ("You have as many {sea} tiles as allowed.", "You have as many Caribbean tiles as allowed."),
    ("Free: {gulf}, {sea} and {gulf}.", "Free: Gulf of Maine, Caribbean and Gulf of Maine."),
    ("An {sea}, a {indies}.", "A Caribbean, an East Indies."),
    ("`58` {up} passes.", "`58` The United Provinces passes."),
    ("{spain} pays.\n{up} passes.", "Spain pays.\nThe United Provinces passes."),
])
def test_a_name_has_its_article_within_a_sentence_and_none_in_a_list_or_label(template, said):
    facts = {id: id for id in ATLAS.names}
    assert say(text(template, **facts, list=("sea", "indies", "spain")), ATLAS) == said


def test_the_article_is_that_of_the_whole_sentence_however_deep_the_name_lies():
    where = text("in {sea}", sea="sea")
    alone, deed = text("{who}", who="up"), text("{who} attacks", who="up")
    assert say(text("{what}, {where}", what=alone, where=where), ATLAS) == "United Provinces, in the Caribbean"
    assert say(text("If {what}, go on.", what=deed), ATLAS) == "If the United Provinces attacks, go on."


def test_sentences_in_a_row_that_differ_in_their_list_alone_are_told_as_one():
    def moved(units: str, to: str, listed: str = "units") -> Text:
        return Text("{units} go to {to}.", {"units": units, "to": to}, listed=listed)

    told = joined([moved("tanks", "spain"), moved("planes", "spain"), moved("tanks", "italy"), moved("tanks", "spain"),
                   moved("armies", "rome", ""), moved("navies", "rome", "")])
    assert [(say(line), number) for line, number in told] == [
        ("Tanks and planes go to spain.", 2), ("Tanks go to italy.", 1), ("Tanks go to spain.", 1),
        ("Armies go to rome.", 1), ("Navies go to rome.", 1)]

    def placed(n: int, kind: str) -> Text:
        return Text("Red places {units}.", {"units": count(n, f"{{n}} {kind}", f"{{n}} {kind}s")}, listed="units")

    ((line, _),) = joined([placed(1, "tank"), placed(1, "plane"), placed(2, "tank"), placed(1, "plane")])
    assert say(line) == "Red places 3 tanks and 2 planes.", "things of a kind are counted together"


def test_an_article_depends_on_its_own_line_alone():
    templates = ("Spain is in ", "{sea}", "{up} attacks", "{sea}: 3,")
    lines = [say(text(template, sea="sea", up="up"), ATLAS) for template in templates]
    assert lines == ["Spain is in ", "Caribbean", "The United Provinces attacks", "Caribbean: 3,"]
    assert within("\n".join(lines).replace("The ", ""), ["United Provinces", "Caribbean"]) == "\n".join(lines)


def test_a_finished_text_gets_the_articles_of_the_names_in_it():
    told = "Caribbean: Spain. The turn of United Provinces, whose Caribbean fleet is in United Provincesland."
    assert within(told, ["United Provinces", "Caribbean"]) == (
        "Caribbean: Spain. The turn of the United Provinces, whose Caribbean fleet is in United Provincesland.")
