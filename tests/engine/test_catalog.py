"""Every game of the catalogue, and the toy: help, limits, numbers that exist, random games, and no secret in any view."""
from __future__ import annotations

import inspect
import json
import random
import re
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from pathlib import Path

import pytest

from engine import catalog
from engine.components import components
from engine.dice import SecretDice
from engine.kernel import Action, Event, Row, Seat, Table, fold, parse_events
from engine.refusals import Faulty
from engine.rulebook import rules
from engine.selfplay import beginning, new_table, play_on
from engine.text import Reader, Text, say
from tests.checks import soundness
from tests.toy import PEBBLES, ROUNDS, SECRET

EVERY = (*catalog.GAMES, PEBBLES)
each_game = pytest.mark.parametrize("spec", EVERY, ids=[spec.key for spec in EVERY])
DESCRIPTION = 100           # characters that Discord shows of a command or an option
COMMANDS = 25               # that a group can have


@cache
def played(key: str, seats: int) -> tuple[Table, tuple[Row, ...]]:
    """A random game to its end."""
    spec = next(spec for spec in EVERY if spec.key == key)
    parts = components(spec, spec.editions[0].key).parts
    start = beginning(spec, seats, spec.editions[0].key, parts)
    table = Table(spec, parts, start, dice=SecretDice(SECRET), checkpoints=False)
    for _ in play_on(table, random.Random(seats).randrange):
        pass
    return table, tuple(entry.row() for entry in table.fresh)


def test_the_catalogue_finds_its_games_and_says_which_there_are():
    assert all(catalog.find(spec.key) is spec for spec in catalog.GAMES)
    *others, last = [spec.key for spec in catalog.GAMES]
    keys = f"{', '.join(others)} and {last}"
    with pytest.raises(Faulty, match=rf"^There is no game tic_tac_toe\. Choose among: {keys}\.$"):
        catalog.find("tic_tac_toe")


def test_keys_and_commands_are_unique():
    assert len({spec.key for spec in EVERY}) == len({spec.command for spec in EVERY}) == len(EVERY)


# --- help and limits ----------------------------------------------------------------------------------

@each_game
def test_every_verb_has_help_whose_first_sentence_fits_a_command(spec):
    kinds = (*spec.rules.actions, *spec.rules.asides)
    for kind in kinds:
        words = inspect.getdoc(kind)
        assert words and kind.__doc__ is not None and "__doc__" in vars(kind) and words != inspect.getdoc(Action)
        first = re.split(r"(?<=[.!?])\s", words)[0]
        assert first.endswith(".") and len(first) <= DESCRIPTION, first
        assert re.fullmatch(r"[a-z_]{1,32}", kind.verb)
        for name, field in kind.model_fields.items():
            assert field.description and len(field.description) <= DESCRIPTION, f"{kind.verb}: {name}"
    assert len({kind.verb for kind in kinds}) == len(kinds)
    assert sum(shown.typed for shown in spec.words.menus.values()) <= COMMANDS


@each_game
def test_fields_are_flat_ids_and_whole_numbers(spec):
    for kind in (*spec.rules.actions, *spec.rules.asides):
        for name, field in kind.model_fields.items():
            plain = field.annotation in (str, int, bool, tuple[str, ...])
            assert plain or str(field.annotation).startswith("typing.Literal"), (kind.verb, name)


@each_game
def test_the_state_is_plain_data_with_a_phase_for_every_script(spec):
    assert "phase" in spec.rules.state.model_fields
    table, _ = played(spec.key, spec.seats[0])
    assert table.state.phase == "over" and "over" not in spec.rules.phases
    raw = json.loads(table.state.model_dump_json())
    assert json.loads(spec.rules.state.model_validate(raw).model_dump_json()) == raw


@each_game
def test_every_event_class_of_a_game_is_listed_once(spec):
    def below(kind: type[Event]) -> Iterator[type[Event]]:
        for inner in kind.__subclasses__():
            yield inner
            yield from below(inner)

    package = f"engine.games.{spec.key}" if spec is not PEBBLES else "tests.toy"
    ours = {kind for kind in below(Event) if kind.__module__ == package or kind.__module__.startswith(f"{package}.")}
    listed = {*spec.rules.events, *(ROUNDS.rules.events if spec is PEBBLES else ())}    # two toys in one file
    assert ours == listed and len(spec.rules.events) == len(set(spec.rules.events))
    assert len({kind.tag for kind in spec.rules.events}) == len(spec.rules.events), "events are stored by their tags"
    assert set(spec.rules.breaks) <= set(spec.rules.events)


# --- numbers that exist -------------------------------------------------------------------------------

NUMBER = re.compile(r"\d+(?:\.\d+)*")
CITED = re.compile(r"[A-Z]{2,4}-\d[^\]\)\"\n]*")            # from the first number to the end of its bracket or string


@pytest.mark.parametrize("spec", catalog.GAMES, ids=[spec.key for spec in catalog.GAMES])
def test_every_rule_that_the_code_cites_exists(spec):
    known = [rule.id for rule in rules(spec.key)]
    prefix = known[0].partition("-")[0]
    cited = set()
    for path in sorted(Path(str(files("engine") / "games" / spec.key)).rglob("*.py")):
        for passage in CITED.findall(path.read_text(encoding="utf-8")):
            if passage.startswith(f"{prefix}-"):
                numbers = NUMBER.findall(re.sub(r"DP-\d+|AMB-\d+|(?<=\d)-\d+", "", passage))
                cited |= {number for number in numbers if "." in number}
    missing = [number for number in sorted(cited)
               if not any(rule == f"{prefix}-{number}" or rule.startswith(f"{prefix}-{number}.") for rule in known)]
    assert len(cited) > 100 and not missing


@pytest.mark.parametrize("spec", catalog.GAMES, ids=[spec.key for spec in catalog.GAMES])
def test_every_refusal_cites_one_whole_rule_of_an_edition(spec):
    played = {edition.rules or edition.key for edition in spec.editions if edition.available}
    known = {rule.id for rule in rules(spec.key) if played & set(rule.editions)}
    prefix = rules(spec.key)[0].id.partition("-")[0]
    for path in sorted(Path(str(files("engine") / "games" / spec.key)).rglob("*.py")):
        cited = re.findall(rf'"({prefix}-\d+(?:\.\d+)+)"', path.read_text(encoding="utf-8"))
        assert set(cited) <= known, path.name


@pytest.mark.parametrize("spec", catalog.GAMES, ids=[spec.key for spec in catalog.GAMES])
def test_every_decision_point_that_the_code_cites_exists(spec):
    points: set[int] = set()
    for path in sorted(Path(str(files("engine") / "games" / spec.key)).rglob("*.py")):
        points |= {int(number) for number in re.findall(r"\b(?:DP?-|IS-18\.)(\d+)", path.read_text(encoding="utf-8"))}
    assert len(points) > 15 and points <= set(range(1, 34))


@pytest.mark.parametrize("spec", catalog.GAMES, ids=[spec.key for spec in catalog.GAMES])
def test_rules_for_people_are_whole_sentences_with_titles(spec):
    known = rules(spec.key)
    assert len({rule.id for rule in known}) == len(known) > 250
    assert all(rule.title and rule.text.strip().endswith((".", ")", ":")) for rule in known)
    assert {edition for rule in known for edition in rule.editions} == {edition.rules or edition.key for edition in spec.editions}


# --- whole games --------------------------------------------------------------------------------------

LISTS = {"struggle_of_empires": ("areas", "tiles"), "attack": ("territories", "units", "ships"),
         "imperial_struggle": ("spaces", "events", "ministries", "advantages")}


@pytest.mark.parametrize("spec, edition", [(spec, edition.key) for spec in catalog.GAMES for edition in spec.editions])
def test_everything_of_a_game_can_be_looked_up_by_its_name(spec, edition):
    parts = components(spec, edition).parts
    state = new_table(spec, max(spec.seats), edition, parts, SecretDice(SECRET)).state
    pages, reader = spec.views.printed(state), Reader(spec.words.names(parts, state))
    there = {record.id for field in LISTS[spec.key] for record in getattr(parts, field)}
    there |= {"army", "navy", "fort"} if spec.key == "struggle_of_empires" else set()
    there |= {card.kind for card in parts.cards} if spec.key == "attack" else set()
    if spec.key == "struggle_of_empires" and state.options.alliance.mode == "local":
        there -= {tile.id for tile in parts.alliances}
        there |= {place.id for place in parts.local_alliances}
    if spec.key == "imperial_struggle":
        there |= {"squadron", "fort", "conflict_marker"}
        shown = {reader.name(id) for id in pages}
        assert {reader.name(tile.id) for tile in (*parts.investment_tiles, *parts.bonus_tiles)} <= shown
    assert there <= pages.keys(), there - pages.keys()
    assert len({reader.name(id).casefold() for id in pages}) == len(pages), "nothing is offered twice"
    for id, page in pages.items():
        lines = [say(line, reader) for line in page]
        assert len(lines) > 1 or id.startswith(("bonus_", "inv_")), (id, lines)
        assert not any(re.search(r"[{_]|nothing$|to nothing|  ", line) for line in lines), (id, lines)


@pytest.mark.slow
@each_game
def test_random_games_end_replay_and_fold_for_every_number_of_seats(spec):
    for seats in spec.seats:
        table, rows = played(spec.key, seats)
        edition = spec.editions[0].key
        start = beginning(spec, seats, edition, table.parts)
        again = Table(spec, table.parts, start, rows, dice=SecretDice(SECRET), strict=True)
        assert again.over and again.state.model_dump_json() == table.state.model_dump_json()
        folded = fold(spec, table.parts, start, [again.opening, *(parse_events(spec, row.events) for row in rows)])
        assert folded.model_dump_json() == table.state.model_dump_json()


@pytest.mark.slow
@each_game
def test_no_count_of_a_random_game_is_ever_below_zero(spec):
    for seats in spec.seats:
        table, rows = played(spec.key, seats)
        state = spec.rules.state.model_validate_json(beginning(spec, seats, spec.editions[0].key, table.parts).state)
        spec.rules.bind(state, table.parts)
        for facts in (table.opening, *(parse_events(spec, row.events) for row in rows)):
            for fact in facts:
                fact.apply(state)
            soundness.nothing_below_zero(state)


@pytest.mark.slow
@pytest.mark.parametrize("spec", catalog.GAMES, ids=[spec.key for spec in catalog.GAMES])
def test_SOE_20_1_5_whatever_is_impossible_is_so_by_a_rule(spec):
    edition = spec.editions[0].key
    table = new_table(spec, spec.seats[:2][-1], edition, components(spec, edition).parts, SecretDice(SECRET), checkpoints=False)
    found = set[str]()
    for number, _ in enumerate(play_on(table, random.Random(5).randrange)):
        for question in table.waiting() if number % 8 == 0 else ():
            for kind in (*question.accepts, *spec.rules.asides):
                if (why := kind.obstacle(table.state, question.seat)) is not None:
                    found.add(kind.verb)
                    assert why.rule, f"{kind.verb}: {why}"
            for seat in map(Seat, table.state.seats):
                if table.asked(seat) is None:
                    assert table.not_asked().rule
    assert found


@pytest.mark.slow
@each_game
def test_the_end_has_a_sentence_and_a_place_for_every_seat(spec):
    for seats in spec.seats:
        table, _ = played(spec.key, seats)
        reader = Reader(spec.words.names(table.parts))
        assert re.fullmatch(r"[A-Z].*\.", say(spec.words.result(table.state), reader))
        standings = spec.rules.standings(table.state)
        assert sorted(seat for seat, _, _ in standings) == sorted(table.state.seats)
        places = [place for _, place, _ in standings]
        assert places == sorted(places) and places[0] == (1 if getattr(table.state, "winners", True) else 2)
        assert {place for place in places} <= {places[0] + before for before in range(seats)}


@pytest.mark.slow
@each_game
def test_every_event_of_a_game_can_be_told(spec):
    table, rows = played(spec.key, spec.seats[-1])
    reader = Reader(spec.words.names(table.parts))
    told = 0
    for row in rows:
        for event in parse_events(spec, row.events):
            if (words := event.line()) is not None:
                assert re.fullmatch(r"[A-Z0-9][^{}]*\.", say(words, reader)), say(words, reader)
                told += 1
    assert told > 5


@pytest.mark.slow
@each_game
def test_the_position_can_be_looked_at_by_everybody_at_any_time(spec):
    parts = components(spec, spec.editions[0].key).parts
    table = Table(spec, parts, beginning(spec, spec.seats[0], spec.editions[0].key, parts), dice=SecretDice(SECRET))
    for step, _ in enumerate(play_on(table, random.Random(1).randrange)):
        if step % 7:
            continue
        for seat in (None, *map(Seat, table.state.seats)):
            view = spec.views.view(table.state, seat)
            assert spec.views.board(view).strip() and view == type(view).model_validate_json(view.model_dump_json())
            if seat is not None:
                own = spec.views.private(table.state, seat)
                assert own is None or isinstance(own, Text)
                assert isinstance(spec.words.seat_name(table.state, seat), str)
        assert say(spec.words.moment(table.state)) and spec.rules.active(table.state) in (None, *table.state.seats)


@pytest.mark.slow
@pytest.mark.parametrize("spec", catalog.GAMES, ids=[spec.key for spec in catalog.GAMES])
def test_an_answer_offered_in_the_words_of_the_default_is_the_default(spec):
    parts, seen = components(spec, spec.editions[0].key).parts, set()
    table = Table(spec, parts, beginning(spec, spec.seats[-1], spec.editions[0].key, parts), dice=SecretDice(SECRET))
    for _ in play_on(table, random.Random(2).randrange):
        for question in table.waiting():
            point = spec.orders.point(question.point)
            if point is not None and point.usual_offer is not None and point.no not in seen:
                meant, usual = point.usual_offer.reply({}).among(table.options(question.seat)), table.default(question.seat)
                assert meant == usual or meant.verb != usual.verb, f"{point.no}: {point.usual}"     # or a policy of that name
                seen.add(point.no)
    assert len(seen) > 2


@each_game
def test_every_phase_is_a_script_and_an_edition_can_be_played(spec):
    assert spec.seats[0] >= 1 and len({edition.key for edition in spec.editions}) == len(spec.editions)
    assert all(inspect.isgeneratorfunction(script) for script in spec.rules.phases.values())
    assert any(edition.available for edition in spec.editions)
