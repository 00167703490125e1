"""Finds rules by what people call things: stems, words that mean the same, one wrong letter; the best first."""
from __future__ import annotations

import difflib
import itertools
import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

SAME = 0.8                  # what another word for the same thing counts, where the rules have the word itself, too
TITLE, CHAPTER = 0.8, 0.3   # what a word in the title of a section or of a chapter counts, against one in the rule
AGAIN = 0.2                 # what a word counts that stands there once more, or beside another for the same thing
BESIDE = 0.25               # more for two words that stand side by side in the question and in the rule
NAMED = 0.25                # more for a rule whose section's whole title stands in the question
LEAST_WORTH = 0.25          # of the best rule's worth: what is worth less is not shown
SHORT = 10                  # words by which a rule counts as longer than it is, so that the shortest do not win by that alone
LONG = 4                    # letters of a word from which on one of them may be wrong
CLOSE = 0.6                 # how like a known word an unknown one must be to be asked about
ASKED = 16                  # words of a question that are looked for; what is typed beyond them is left alone
GUESSED = 4                 # of them, those for which words that look alike are sought
LETTERS = 400               # of a question that are read at all

WORD = re.compile(r"[^\W_]+")
ENDINGS: Mapping[str, Sequence[str]] = {            # by language; of these the first that a word has
    "en": ("ation", "ing", "ed", "er", "es", "s"),
    "de": ("ungen", "ung", "ern", "en", "er", "em", "es", "e", "n", "s"),
    "ru": ("иями", "ями", "ами", "иях", "ого", "его", "ому", "ему", "ыми", "ими", "ать", "ять", "ить", "еть", "ует", "ях", "ах",
           "ую", "юю", "ая", "яя", "ое", "ее", "ые", "ие", "ый", "ий", "ой", "ей", "ом", "ем", "ов", "ев", "ам", "ям", "ию", "ия",
           "ии", "ет", "ит", "ут", "ют", "ат", "ят", "а", "я", "о", "е", "ы", "и", "у", "ю", "ь", "й"),
    "he": ("ים", "ות", "ה")}
SPELT: Mapping[str, Mapping[int, str]] = {"de": str.maketrans({"ä": "a", "ö": "o", "ü": "u", "ß": "ss"}),
                                          "ru": str.maketrans({"ё": "е"})}
PREFIXES: Mapping[str, str] = {"he": "והבלשכ"}      # letters before a word that are words of their own
COMPOUNDS = ("de",)         # languages in which a word can be a part of a longer one
ROOT = 3                    # letters of a word that are left at least


def words(said: str) -> list[str]:
    """The words of a sentence, in small letters."""
    return WORD.findall(said.lower().replace("'s ", " ").replace("’", "'"))


FILLERS = frozenset(words("""
    a about all am an and another any anybody are as at be been being both but by can cannot could did do does don for
    from get gets getting goes got had has have having he her him his how i if in into is it its just many may me
    might much my of on onto or other others our out own s she should so some somebody someone such t than that the
    their them then there these they this those to too up us was we were what when where whether which while who whom
    whose why will with would you your"""))


def stem(word: str, code: str = "en") -> str:
    """Return what is common to the forms of a word: "attacks", "attacker" and "attacking" become "attack"."""
    if code != "en":
        word = word.translate(SPELT.get(code, {}))
        while word[0] in PREFIXES.get(code, "") and len(word) > ROOT:
            word = word[1:]
        return word.removesuffix(next((ending for ending in ENDINGS.get(code, ())
                                       if word.endswith(ending) and len(word) - len(ending) >= ROOT), ""))
    word = word.replace("iz", "is")
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    for ending in ENDINGS[code]:
        if word.endswith(ending) and not word.endswith("ss") and len(word) - len(ending) >= ROOT:
            word = word.removesuffix(ending)
            if word[-1] == word[-2] and word[-1] not in "ls":
                word = word[:-1]
            break
    return word.removesuffix("e")


def keywords(said: str) -> str:
    """Return what of a question says what is meant, each word once and in its order; the whole question, if that is nothing.

    Of a long question its first words: whoever hands in a book keeps nobody waiting.
    """
    told = dict.fromkeys(words(said[:LETTERS]))
    return " ".join(([word for word in told if word not in FILLERS] or list(told))[:ASKED])


def stems(said: str, code: str = "en") -> set[str]:
    """The stems of the words that say what is meant."""
    return {stem(word, code) for word in keywords(said).split()}


@dataclass(frozen=True)
class Page:
    """What is searched: the words of one rule, of its section's title and of its chapter's."""

    id: str
    text: str
    title: str
    chapter: str = ""


class Index:
    """Pages by their words, in the language with this code. `same` are groups of words with one meaning."""

    def __init__(self, pages: Iterable[Page], same: Iterable[Sequence[str]] = (), code: str = "en") -> None:
        self._code = code
        self._texts: dict[str, list[str]] = {}
        self._pairs: dict[str, set[tuple[str, str]]] = {}       # stems side by side, whatever little words are between them
        self._titles: dict[str, set[str]] = {}
        self._worth: dict[str, dict[str, float]] = {}           # page -> stem -> how much its place counts
        self._spelt: dict[str, str] = {}                        # a word as it is written -> its stem
        for page in pages:
            stems = [self._learn(word) for word in words(page.text)]
            self._texts[page.id] = stems
            said = [stem for word, stem in zip(words(page.text), stems) if word not in FILLERS]
            self._pairs[page.id] = {pair for one, two in itertools.pairwise(said) for pair in ((one, two), (two, one))}
            self._titles[page.id] = {self._learn(word) for word in words(page.title) if word not in FILLERS}
            worth = dict.fromkeys(map(self._learn, words(page.chapter)), CHAPTER)
            for title in map(self._learn, words(page.title)):
                worth[title] = max(TITLE, worth.get(title, 0.0))
            for text, times in Counter(stems).items():
                worth[text] = worth.get(text, 0.0) + 1.0 + AGAIN * (times - 1)
            self._worth[page.id] = worth
        found = Counter(known for worth in self._worth.values() for known in worth)
        self._rarity = {known: math.log(1 + len(self._worth) / number) for known, number in found.items()}
        self._same: dict[str, set[str]] = {}
        for group in same:
            stems = [self._learn(word) for word in group]
            for one in stems:
                self._same.setdefault(one, set()).update(stems)
        self._of_length: dict[int, list[str]] = {}              # the words as they are written, by how long they are
        for word in self._spelt:
            self._of_length.setdefault(len(word), []).append(word)

    def find(self, said: str) -> list[str]:
        """The pages that a question means, best first; none if nothing in it is known."""
        wanted = [meant for word in keywords(said).split() if (meant := self._meant(word))]
        if not wanted:
            return []
        most = sum(max(self._rarity.get(known, 0.0) for known in meant) for meant in wanted)
        valued = {page: self._value(page, wanted, most) for page in self._texts}
        best = max(valued.values(), default=0.0)
        kept = [page for page, value in valued.items() if value > 0 and value >= LEAST_WORTH * best]
        return sorted(kept, key=lambda page: -valued[page])

    def alike(self, said: str, most: int = 3) -> list[str]:
        """Known words that look like those of a question that nothing fits."""
        known = [word for word in self._spelt if word not in FILLERS and self._meant(word)]
        close = (like for word in keywords(said).split()[:GUESSED]
                 for like in difflib.get_close_matches(word, known, n=most, cutoff=CLOSE))
        return list(dict.fromkeys(close))[:most]

    def _learn(self, word: str) -> str:
        return self._spelt.setdefault(word, stem(word, self._code))

    def knows(self, word: str) -> bool:
        """True if a word stands here in one of its forms, or another one for the same thing."""
        return (own := stem(word, self._code)) in self._rarity or own in self._same

    def _meant(self, word: str) -> dict[str, float]:
        """The stems on the pages that a word can mean, with how much each counts; none for an unknown word."""
        own = stem(word, self._code)
        if own not in self._rarity and own not in self._same:
            near = range(len(word) - 1, len(word) + 2) if len(word) >= LONG else ()
            slips = [known for length in near for known in self._of_length.get(length, ()) if one_letter_off(word, known)]
            if not slips and self._code in COMPOUNDS and len(own) > LONG:
                slips = [known for known in self._spelt if own in known]
            return {known: weight for slip in slips for known, weight in self._meant(slip).items()}
        meant = [known for known in self._same.get(own, ()) if known in self._rarity]
        if own not in self._rarity:
            return dict.fromkeys(meant, 1.0)
        rare = self._rarity[own]                # a rarer word for the same thing counts no more than the one that was asked for
        return {**{known: SAME * min(1.0, rare / self._rarity[known]) for known in meant}, own: 1.0}

    def _value(self, page: str, wanted: Sequence[Mapping[str, float]], most: float) -> float:
        """How well a page answers: the rare words count more, and a page with all of them counts far more than one with some."""
        worth, text, pairs = self._worth[page], self._texts[page], self._pairs[page]
        value, covered = 0.0, 0.0
        for meant in wanted:
            hits = [weight * worth[known] * self._rarity[known] for known, weight in meant.items() if known in worth]
            if hits:
                value += max(hits) + AGAIN * (sum(hits) - max(hits))
                covered += max(self._rarity[known] for known in meant)
        if not value:
            return 0.0
        beside = sum(max((first[one] * second[two] for one in first for two in second if (one, two) in pairs), default=0.0)
                     for first, second in itertools.pairwise(wanted))
        length: float = (SHORT + len(text)) ** 0.2
        named = NAMED if (title := self._titles[page]) and all(any(stem in meant for meant in wanted) for stem in title) else 0.0
        return value * (1 + BESIDE * beside) * (1 + named) * (covered / most) * (covered / most) / length


def one_letter_off(word: str, known: str) -> bool:
    """True if a word becomes another by one letter more, less or changed, or by two neighbours that change places."""
    if abs(len(word) - len(known)) > 1 or word == known:
        return False
    same = next((at for at, (one, two) in enumerate(zip(word, known)) if one != two), min(len(word), len(known)))
    rest, other = word[same:], known[same:]
    return (rest[1:] == other[1:] or rest[1:] == other or rest == other[1:]
            or (rest[:2] == other[1::-1] and len(other) > 1 and rest[2:] == other[2:]))
