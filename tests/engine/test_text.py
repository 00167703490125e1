"""Sentences: templates with facts, plurals, lists, names, and a reader of another language."""
from __future__ import annotations

from gettext import GNUTranslations, NullTranslations
from io import BytesIO

import pytest
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo

from engine.refusals import Illegal
from engine.text import Language, OneOf, Reader, Text, count, joined, language, printed, say, sentences, text, verbatim
from engine.text.english import English
from engine.text.hebrew import LRM, PDF, RLE, RLM, Hebrew
from engine.text.language import compiled
from engine.text.languages import PREPARED

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
    ("You have joined {title:.}", "Attack!", "You have joined Attack!"),
    ("This is **{title:.}** It is your turn.", "Attack!", "This is **Attack!** It is your turn."),
    ("They call it {title:.}", '"Attack!"', 'They call it "Attack!"'),
    ("You have joined {title:.}", "Friday Jr.", "You have joined Friday Jr."),
    ("You have joined {title:.}", "And then…", "You have joined And then…"),
    ("You have joined {title:.}", "Friday", "You have joined Friday."),
    ("{title} has begun.", "Attack!", "Attack! has begun."),
    ("{{title}}. {title:.}", "Attack!", "{title}. Attack!"),
])
def test_a_title_that_ends_a_sentence_by_itself_gets_no_full_stop(template, title, said):
    assert say(text(template, title=verbatim(title)), NAMED) == said


def test_several_sentences_make_a_line():
    assert sentences([text("One."), text("{n}.", n=2)]) == "One. 2."
    assert sentences([]) == ""


def test_a_refusal_carries_its_sentence_its_facts_and_its_rule():
    why = Illegal("{power} has {units}.", rule="SOE-1.1.4", power="north_star", units=count(2, "{n} army", "{n} armies"))
    assert str(why) == "North star has 2 armies." and why.rule == "SOE-1.1.4"
    assert say(why.text, Reader({"north_star": "Northland"})) == "Northland has 2 armies."


class Backwards(Language):
    """A language that turns every template round, and counts otherwise."""

    def gettext(self, message: str, form: str = "") -> str:
        return {"{a} beats {b}.": "{b} yields to {a}.", "Pass": "Ssap"}.get(message, message)

    def ngettext(self, one: str, many: str, n: int, form: str = "") -> str:
        return "{n} pair" if n == 2 else super().ngettext(one, many, n, form)

    def listing(self, items: list[str], *, either: bool = False) -> str:
        return " + ".join(items)


def test_a_reader_of_another_language_needs_no_change_of_a_rule():
    reader = Reader({"a": "Anna", "b": "Bert"}, Backwards("xx", "Backwards"))
    assert say(text("{a} beats {b}.", a="a", b="b"), reader) == "Bert yields to Anna."
    assert say(count(2, "{n} army", "{n} armies"), reader) == "2 pair"
    assert say(("a", "b"), reader) == "Anna + Bert"


def test_what_a_card_says_is_translated_and_a_title_of_the_same_words_is_not():
    reader = Reader({}, Backwards("xx", "Backwards"))
    assert say(text("{title}: {card}", title=verbatim("Pass"), card=printed("Pass")), reader) == "Pass: Ssap"


def test_no_words_are_none_in_a_language_with_a_catalog_which_describes_itself_there():
    file = BytesIO()
    write_mo(file, Catalog("de"))
    file.seek(0)
    assert say(text(""), Reader(language=Language("de", "Deutsch", GNUTranslations(file)))) == ""


def test_texts_with_the_same_words_are_equal():
    assert text("{n}.", n=1) == Text("{n}.", {"n": 1}) != text("{n}.", n=2)


@pytest.mark.parametrize(("template", "fact", "said"), [
    ("{x:A} sinks.", "aircraft carrier", "An aircraft carrier sinks."), ("{x:A} sinks.", "destroyer", "A destroyer sinks."),
    ("You lose {x:a}.", "army", "You lose an army."), ("{x:A} has it.", "unit", "A unit has it.")])
def test_the_indefinite_article_is_that_of_the_fact_behind_it(template, fact, said):
    assert say(text(template, x=fact)) == said


ARTICLES = English("en", "English",
                   forms={name: {"the": f"the {name}"} for name in ("United Provinces", "Caribbean", "East Indies")})
ATLAS = Reader({"up": "United Provinces", "sea": "Caribbean", "spain": "Spain", "indies": "East Indies", "all": "everybody"},
               ARTICLES)


@pytest.mark.parametrize(("template", "said"), [
    ("{up:The} attacks {spain:the} in {sea:the}.", "The United Provinces attacks Spain in the Caribbean."),
    ("{up:Possessive} turn", "The United Provinces' turn"), ("{spain:possessive} turn", "Spain's turn"),
    ("{sea}: 2 armies", "Caribbean: 2 armies"),
    ("{all:Begin} pays.", "Everybody pays."),
    ("You can go to {list:the}.", "You can go to the Caribbean, the East Indies and Spain."),
    ("{list:The} are yours.", "The Caribbean, the East Indies and Spain are yours."),
])
def test_a_name_has_the_form_that_its_sentence_asks_for(template, said):
    facts = {id: id for id in ATLAS.names}
    assert say(text(template, **facts, list=("sea", "indies", "spain")), ATLAS) == said


class German(NullTranslations):
    def gettext(self, message: str) -> str:
        return {"{power} moves to {area:the}.": "{power:Nominative} zieht {area:into}."}.get(message, message)


def test_another_language_has_forms_of_its_own_and_says_the_plain_one_where_one_is_missing():
    german = Language("de", "Deutsch", German(),
                      {"Caribbean": {"": "Karibik", "into": "in die Karibik"}, "Spain": {"": "Spanien"}})
    moves = text("{power} moves to {area:the}.", power="spain", area="sea")
    assert say(moves, Reader(ATLAS.names, german)) == "Spanien zieht in die Karibik."
    assert say(text("{area:into}", area="spain"), Reader(ATLAS.names, german)) == "Spanien"
    assert say(text("{areas:into}", areas=text("{one:the}", one="sea")), Reader(ATLAS.names, german)) == "in die Karibik", \
        "also where a sentence says the name alone"


@pytest.mark.parametrize("words, said", [
    (text("{name:the} ({number})", name="sea", number=9), "in die Karibik (9)"),
    (text("**{name}**", name="sea"), "**in die Karibik**"), (text("{name} – {other}", name="sea", other="sea"),
                                                              "in die Karibik – Karibik"),
    (text("{names}", names=("sea", "spain")), "in die Karibik und Spanien"),
    (text("{names:the}", names=OneOf(("sea", "spain"))), "in die Karibik oder Spanien"),
    (text("{n} × {name}", n=2, name="sea"), "2 × Karibik"), (text("near {name}", name="sea"), "near Karibik")])
def test_words_of_marks_and_facts_alone_pass_the_form_on_to_the_first_fact(words, said):
    german = Language("de", "Deutsch", NullTranslations(), {"Caribbean": {"": "Karibik", "into": "in die Karibik"},
                                                            "Spain": {"": "Spanien"}})
    assert say(text("{words:into}", words=words), Reader(ATLAS.names, german)) == said


@pytest.mark.parametrize("code, said", [
    ("en", "Ada, Ben or Cy"), ("de", "Ada, Ben oder Cy"), ("ru", "Ada, Ben или Cy"), ("he", "Ada, Ben או Cy")])
def test_things_of_which_one_is_meant_have_an_or_between_them(code, said):
    assert PREPARED[code].written(said) == say(OneOf(map(verbatim, ("Ada", "Ben", "Cy"))), Reader(language=PREPARED[code]))


@pytest.mark.parametrize("code, said", [
    ("en", "0.4, −1,234.6 and 5"), ("de", "0,4, −1.234,6 und 5"), ("ru", "0,4, −1\xa0234,6 и 5"), ("he", "0.4, −1,234.6 ו-5")])
def test_measures_have_the_signs_of_the_language(code, said):
    assert PREPARED[code].written(said) == say((0.4, -1234.56, 4.98), Reader(language=PREPARED[code]))


def test_hebrew_prefixes_stick_to_a_hebrew_word_and_have_a_hyphen_before_others():
    hebrew = Hebrew("he", "עברית", NullTranslations(), {
        "Caribbean": {"": "הקריביים", "in": "בקריביים"}, "Spain": {"": "ספרד"}, "Virginia": {"": "וירג'יניה"}})

    def said(words: Text) -> str:
        return say(words, Reader({"sea": "Caribbean", "spain": "Spain", "virginia": "Virginia"}, hebrew))

    assert said(text("{areas:in}", areas=("sea", "spain", "virginia", verbatim("Rom")))) == (
        f"{RLE}בקריביים, בספרד, בווירג'יניה וב-Rom{PDF}")
    assert said(text("{area:from}", area=text("**{area}**", area="sea"))) == f"{RLE}**מהקריביים**{PDF}"
    assert said(text("{area:in}", area=text("{area}", area="sea"))) == "בקריביים", "also where a sentence says the name alone"
    assert said(text("{areas}", areas=("sea", text("{n} items", n=3)))) == f"{RLE}הקריביים ו-3 items{PDF}"
    assert said(text("{costs}", costs=(text("{n}", n=1), text("+{n}", n=2)))) == "1, +2"


MARKS = str.maketrans({"[": RLE, "]": PDF, "^": RLM, "%": LRM})


@pytest.mark.parametrize("said, sent", [
    ("> Ada סיימה", "> [^Ada סיימה]"), ("- **Ada**: ספרד", "- [^**Ada**: ספרד]"), ("**ספרד** תוקפת", "[**ספרד** תוקפת]"),
    ("ספרד\n<@1> בתור", "ספרד\n[^<@1> בתור]"), ("### Attack! · סיבוב 3", "### [^Attack!% · סיבוב 3]"),
    ("-# רמז: `/my hint`", "-# [רמז: `/my hint`]"), ("-# רמז", "-# רמז"), ("מה לעשות?", "[מה לעשות?]"), ("סיבוב 3", "סיבוב 3"),
    ("הטלה: 4 + 2 = 6", "הטלה: %4 + %2 = 6"), ("2–3 נקודות", "[^%2–3 נקודות]"), ("Ada", "Ada")])
def test_hebrew_lines_that_could_be_read_the_wrong_way_and_sums_have_marks_of_their_direction(said, sent):
    hebrew = Reader(language=PREPARED["he"])
    assert say(verbatim(said), hebrew) == sent.translate(MARKS)
    assert say(verbatim(say(verbatim(said), hebrew)), hebrew) == say(verbatim(said), hebrew), "once is enough"


def test_sentences_in_a_row_that_differ_in_their_list_alone_are_told_as_one():
    def moved(units: str, to: str, listed: str = "units") -> Text:
        return Text("{units:Begin} go to {to}.", {"units": units, "to": to}, listed=listed)

    told = joined([moved("tanks", "spain"), moved("planes", "spain"), moved("tanks", "italy"), moved("tanks", "spain"),
                   moved("armies", "rome", ""), moved("navies", "rome", "")])
    assert [(say(line), number) for line, number in told] == [
        ("Tanks and planes go to spain.", 2), ("Tanks go to italy.", 1), ("Tanks go to spain.", 1),
        ("Armies go to rome.", 1), ("Navies go to rome.", 1)]

    def placed(n: int, kind: str) -> Text:
        return Text("Red places {units}.", {"units": count(n, f"{{n}} {kind}", f"{{n}} {kind}s")}, listed="units")

    ((line, _),) = joined([placed(1, "tank"), placed(1, "plane"), placed(2, "tank"), placed(1, "plane")])
    assert say(line) == "Red places 3 tanks and 2 planes.", "things of a kind are counted together"


@pytest.mark.parametrize("left", [0, 2, 20, 30, 5000, 100_000])
def test_a_language_whose_messages_are_cut_off_is_read_in_english(tmp_path, monkeypatch, left):
    (tmp_path / "messages.mo").write_bytes(compiled("de").read_bytes()[:left])
    monkeypatch.setattr(language, "compiled", lambda code: tmp_path / "messages.mo")
    assert say(text("Undo"), Reader(language=Language("de", "Deutsch"))) == "Undo"
