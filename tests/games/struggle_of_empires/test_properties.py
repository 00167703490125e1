"""What holds in every game of Struggle of Empires: random games are played, and everything about them is checked."""
from __future__ import annotations

import json
import random
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from itertools import permutations, product
from typing import Any, NamedTuple, get_args

import pytest
from pydantic import BaseModel

from bot.domain.announcements import choice_id
from engine import notation
from engine.components import components
from engine.dice import SecretDice
from engine.games.struggle_of_empires import GAME
from engine.games.struggle_of_empires.actions import Give
from engine.games.struggle_of_empires.components import Parts
from engine.games.struggle_of_empires.options import CHOICES, Options, conflicts
from engine.games.struggle_of_empires.state import TOKENS, State
from engine.games.struggle_of_empires.view import View
from engine.kernel import Action, Ask, Checkpoint, Row, Seat, Table, parse_events
from engine.options import flat
from engine.refusals import Faulty, Illegal
from engine.rulebook import rules
from engine.selfplay import beginning
from engine.text import Reader, Text, say
from engine.undo import REWIND, Rewind, line
from tests.checks.soundness import adds_up

PARTS = components(GAME, "first").parts
READER = Reader(GAME.words.names(PARTS))
USUAL = flat(Options())


def fitting(wanted: Mapping[str, Any]) -> dict[str, Any]:
    """Changes of the first edition, one after the other; what contradicts those before it is left out."""
    taken: dict[str, Any] = {"cross.rescue_gold": True} if "cross.rescue_gold" in wanted else {}
    for _ in range(2):                              # what did not fit at first may fit beside a later change
        for key, value in wanted.items():
            try:
                GAME.rules.options("first", {**taken, key: value})
            except Faulty:
                continue
            taken[key] = value
    return taken


def mixture(seed: int) -> dict[str, Any]:
    """A value of every option at random, so that nothing contradicts the rest."""
    pick = random.Random(seed)
    while True:
        drawn = {key: pick.choice(values) for key, values in CHOICES.items()}
        try:
            GAME.rules.options("first", drawn)
        except Faulty:
            continue
        return drawn


class Opening(NamedTuple):
    """How a random game begins."""

    edition: str
    seats: int
    changed: Mapping[str, Any]

    @property
    def name(self) -> str:
        return f"{self.edition}, {self.seats} players, {len(self.changed)} options given"


OTHERWISE = fitting({key: values[1] for key, values in CHOICES.items() if len(values) > 1})
HALF = fitting({key: OTHERWISE[key] for key in list(OTHERWISE)[::2]})
GAMES = [Opening("first", 2, {}), Opening("deluxe", 3, {}), Opening("deluxe_without_npp", 4, mixture(4)),
         Opening("first", 4, {}), Opening("first", 5, HALF), Opening("deluxe", 6, OTHERWISE), Opening("first", 7, {}),
         Opening("deluxe", 2, mixture(2))]
LIKED = {"attack": 30, "tile": 0.7, "use": 6, "move": 6, "build": 4, "colonise": 4, "enslave": 4, "fight": 4,
         "end": 0.2, "pass": 0.6, "bid": 0.1, "decline": 0.3}       # weight of a kind of answer, or of a tile; others have 1
every_game = pytest.mark.parametrize("opening", [
    pytest.param(opening, id=opening.name, marks=[pytest.mark.slow] if number > 2 else [])
    for number, opening in enumerate(GAMES)])


# --- random games, played once and looked at by all tests ---------------------------------------------

@dataclass
class Position:
    """Where a game stood after an answer."""

    no: int
    state: str
    waiting: list[tuple[str, str, str]]
    asked_at: int


@dataclass
class Played:
    """A finished random game with all that was stored of it."""

    start: Checkpoint
    parts: Parts
    rows: list[Row]
    checkpoints: list[Checkpoint]
    positions: list[Position]
    looked_at: list[Table] = field(default_factory=list)

    def table(self, start: Checkpoint, until: int, dice: Any = None) -> Table:
        """The table rebuilt from a checkpoint and the rows after it."""
        past = [row for row in self.rows if start.no < row.no <= until]
        return Table(GAME, self.parts, start, past, dice=dice or source(self.start), run_on=False)

    def some(self) -> list[Table]:
        """Tables at a dozen positions, made once for all tests: whoever changes one puts it back as it was."""
        if not self.looked_at:
            self.looked_at += self.sampled(12)
        return self.looked_at

    def sampled(self, number: int) -> Iterator[Table]:
        """Tables at some positions where somebody is asked, evenly spread."""
        asking = [position for position in self.positions if position.waiting]
        for position in asking[::max(1, len(asking) // number)]:
            start = max((point for point in self.checkpoints if point.no <= position.no), key=lambda point: point.no)
            yield self.table(start, position.no)


def source(start: Checkpoint) -> SecretDice:
    """The dice of a game: another secret for each number of seats."""
    return SecretDice(f"{len(json.loads(start.state)['seats']):064x}")


def position(table: Table) -> Position:
    waiting = [asked(question) for question in table.waiting()]
    return Position(table.last_no, table.state.model_dump_json(), waiting, table.asked_at)


def asked(question: Ask[Any]) -> tuple[str, str, str]:
    return question.seat, question.point, say(question.text(), READER)


def lively(table: Table, pick: random.Random) -> tuple[Seat, Action]:
    """A random answer of a player who likes tiles and attacks, bids low, seldom passes, and gives gold now and then."""
    if pick.random() < 0.03:
        giver = Seat(pick.choice(table.state.seats))
        if gifts := list(Give.options(table.state, giver)):
            return giver, pick.choice(gifts)
    seat = pick.choice(table.waiting()).seat
    kinds: dict[tuple[str, str], list[Action]] = {}
    for option in table.options(seat):
        kinds.setdefault((option.verb, getattr(option, "tile", "")), []).append(option)
    chosen = pick.choices(list(kinds), [LIKED.get(verb, 1) for verb, _ in kinds])[0]
    return seat, pick.choice(kinds[chosen])


@cache
def played(edition: str, seats: int, changed: tuple[tuple[str, object], ...]) -> Played:
    """One whole game at random; after every answer the events alone have led to the same state, and everything adds up."""
    parts = components(GAME, edition).parts
    start = beginning(GAME, seats, edition, parts, dict(changed))
    table = Table(GAME, parts, start, dice=source(start))
    game, pick = Played(start, parts, [], [], []), random.Random(seats)
    folded = GAME.rules.state.model_validate_json(start.state)
    GAME.rules.bind(folded, parts)
    for event in table.opening:
        event.apply(folded)
    while True:
        entries, checkpoint = table.take()
        for entry in entries:
            for event in entry.events:
                event.apply(folded)
            adds_up(folded)
            game.rows.append(entry.row())
        if checkpoint is not None:
            game.checkpoints.append(checkpoint)
        game.positions.append(position(table))
        assert folded.model_dump_json() == game.positions[-1].state, "the events alone lead to another state"
        if table.over:
            return game
        assert len(game.rows) < 20_000, "no end in sight"
        table.answer(*lively(table, pick))


def game_of(opening: Opening) -> Played:
    return played(opening.edition, opening.seats, tuple(opening.changed.items()))


# --- the whole game -----------------------------------------------------------------------------------

# With those played anyway, at every number of players an edition as it stands and one with other options.
EVERYWHERE = [*GAMES, Opening("first", 3, mixture(13)), Opening("deluxe_without_npp", 5, {}), Opening("deluxe", 6, {}),
              Opening("deluxe", 7, mixture(17))]


@pytest.mark.slow
@pytest.mark.parametrize("opening", EVERYWHERE, ids=[opening.name for opening in EVERYWHERE])
def test_random_games_of_every_preset_and_mixture_end_and_add_up_at_every_number_of_players(opening):
    game = game_of(opening)
    state = GAME.rules.state.model_validate_json(game.positions[-1].state)
    assert state.phase == "over" and sorted(state.ranking) == sorted(state.powers) and len(state.powers) == opening.seats
    assert state.war == 3 and set(state.winners) <= set(state.ranking[:len(state.winners)])
    assert position(game.table(game.start, game.rows[-1].no)) == game.positions[-1]
    if opening not in GAMES:
        for table in game.sampled(3):
            agree(table, set())


def test_a_mixture_has_a_value_of_every_option_and_no_contradiction():
    seen: dict[str, set[object]] = {key: set() for key in CHOICES}
    for seed in range(60):
        drawn = mixture(seed)
        assert conflicts(GAME.rules.options("first", drawn)) is None and set(drawn) == set(CHOICES)
        for key, value in drawn.items():
            seen[key].add(value)
    assert all(seen[key] == set(values) for key, values in CHOICES.items())


SEVEN = next(opening for opening in GAMES if opening.seats == 7)
FOUR = Opening("first", 4, {})


def test_SOE_1_2_7_with_seven_players_the_bag_is_empty_at_the_end():
    state = GAME.rules.state.model_validate_json(game_of(SEVEN).positions[-1].state)
    assert state.bag == []


@every_game
def test_rows_lead_from_every_checkpoint_to_every_later_position(opening):
    game = game_of(opening)
    assert len(game.checkpoints) > 3 * opening.seats
    for index, start in enumerate([game.start, *game.checkpoints]):
        later = [position for position in game.positions if position.no >= start.no]
        for wanted in (later[0], later[len(later) // (2 + index)]):
            found = position(game.table(start, wanted.no))
            assert found == wanted
    for start in (game.start, game.checkpoints[0], game.checkpoints[len(game.checkpoints) // 2]):
        assert position(game.table(start, game.rows[-1].no)) == game.positions[-1]


@every_game
def test_a_game_from_a_file_is_believed_only_after_checking_every_answer_and_throw(opening):
    game = game_of(opening)
    table = Table(GAME, game.parts, game.start, game.rows, dice=source(game.start), strict=True)
    assert position(table) == game.positions[-1]


@every_game
def test_stored_events_come_back_as_they_were(opening):
    for row in game_of(opening).rows:
        events = parse_events(GAME, row.events)
        assert [json.loads(event.stored()) for event in events] == json.loads(row.events)


# --- questions and answers ----------------------------------------------------------------------------

BRACES_OR_IDS = re.compile(r"[{}]|_|\bseat \d")


def reads_well(sentence: Text | None) -> str:
    """The sentence in English: no field left open, no raw id, and not empty."""
    words = say(sentence, READER) if sentence is not None else "-"
    assert words.strip() and not BRACES_OR_IDS.search(words), words
    return words


@cache
def label(option: Action) -> str:
    """The words of an answer, which can be typed as well."""
    assert notation.read(GAME, notation.write(option)) == option
    return reads_well(option.label())


@every_game
def test_every_question_has_a_choice_a_default_and_words(opening):
    points = set()
    for table in game_of(opening).sampled(60):
        for question in table.waiting():
            points.add(question.point)
            options, default = table.options(question.seat), table.default(question.seat)
            assert len(options) >= 2 or options[0].open_ended, "a single choice is not asked (SOE-20.1.6)"
            assert len(options) == len(set(options)) == len({choice_id(option) for option in options})
            table.examine(question.seat, default)
            assert default in options or default.open_ended
            reads_well(question.text())
            for fact in question.about.values():
                assert "_" not in say(fact, READER)
            assert len({label(option) for option in options}) == len(options), "two buttons say the same"
            for option in options:
                reads_well(option.consequence(table.state, question.seat))
        reads_well(GAME.words.moment(table.state))
    assert {"DP-01", "DP-02", "DP-05", "DP-08"} <= points


@every_game
def test_every_line_of_a_game_reads_well(opening):
    lines = [event.line() for row in game_of(opening).rows for event in parse_events(GAME, row.events)]
    said = [reads_well(told) for told in lines if told is not None]
    assert len(said) > 20 * opening.seats and not [words for words in said if words[0].islower() or words[-1] != "."]


# --- legality: the menu and the rule agree ------------------------------------------------------------

PLACES = [*PARTS.area, *PARTS.powers, "atlantis", ""]
TILES = [*PARTS.tile, "steam_engine", ""]
TARGETS = [*PARTS.powers, *dict.fromkeys(marker.face for marker in PARTS.country_counters), *TOKENS, "nobody", ""]
POWERS = [*PARTS.powers, "venice", ""]
VALUES: dict[str, Mapping[str, Iterable[object]]] = {
    "choose": {"power": [*POWERS, "random"]},
    "place": {"area": PLACES},
    "bid": {"gold": (0, 1, 2, 3, 4, 40), "a": POWERS, "b": POWERS},
    "build": {"to": PLACES},
    "rebuild": {"at": PLACES, "tile": ["mercenaries", "pressgangs", "trained_natives", "militia", "steam_engine", ""]},
    "send": {"to": PLACES},
    "move": {"origin": PLACES, "to": PLACES},
    "attack": {"area": PLACES, "target": TARGETS},
    "colonise": {"area": PLACES},
    "enslave": {"area": PLACES},
    "use": {"tile": TILES, "on": [*PLACES, *(tile.id for tile in PARTS.alliances), *PARTS.local_alliance, "banking"]},
    "ally": {"place": [*PARTS.local_alliance, "local_atlantis", "alliance_denmark"]},
    "covert": {"token": [*TOKENS, "banking"], "area": PLACES, "target": POWERS},
    "mend": {"gold": range(5)},
    "redraw": {"area": PLACES, "marker": [*dict.fromkeys(marker.face for marker in PARTS.country_counters), ""]},
    "commit": {"armies": range(16), "navies": range(9)},
    "lose": {"owner": POWERS},
    "give": {"to": POWERS, "gold": (1, 2, 5, 60)},
}


TWO_WAYS = [*(tile.id for tile in PARTS.alliances if tile.helps_at_sea and tile.helps_on_land),
            *(place.id for place in PARTS.local_alliances if place.helps_at_sea and place.helps_on_land)]


@cache
def universe(kind: type[Action]) -> frozenset[Action]:
    """Every answer of a kind that a sensible or a careless person might type."""
    if kind.verb == "tile":
        aimed = product(("pirates", "slave_revolt", "banking"), PLACES, POWERS)
        return frozenset(kind.of(*values) for values in (*((tile, "", "") for tile in TILES), *aimed))
    if kind.verb == "fight":
        return frozenset(kind.of(chosen) for number in range(3) for chosen in permutations(TWO_WAYS, number))
    if kind.verb == "call":
        return frozenset(kind.of(allies) for number in range(4) for allies in permutations([*PARTS.powers[:4], "venice"], number))
    given = VALUES.get(kind.verb, {})
    values = [given.get(name) or get_args(field.annotation) or (False, True) for name, field in kind.model_fields.items()]
    return frozenset(kind.of(*chosen) for chosen in product(*values))


def passes(action: Action, state: State, seat: Seat, quoted: set[str]) -> bool:
    try:
        action.check(state, seat)
    except Illegal as why:
        refuses_well(why.rule, why.text.template, tuple(why.text.facts))
        quoted.add(why.rule)
        return False
    return True


@cache
def refuses_well(rule: str, template: str, facts: tuple[str, ...]) -> None:
    assert re.fullmatch(r"SOE-\d+\.\d+\.\d+", rule), f"{template} has no rule"
    reads_well(Text(template, dict.fromkeys(facts, "x")))


@every_game
def test_the_options_are_exactly_what_the_rules_allow_and_a_refusal_quotes_a_rule_of_the_edition(opening):
    seen, quoted = set[str](), set[str]()
    for table in game_of(opening).some():
        seen |= agree(table, quoted)
    assert {"move", "build", "attack", "tile", "use", "rebuild", "colonise", "enslave"} <= seen
    if not opening.changed:                 # an option may bring rules of another edition with it
        known = {rule.id: rule.editions for rule in rules(GAME.key)}
        assert len(quoted) > 20 and sorted(rule for rule in quoted if opening.edition not in known[rule]) == []


def agree(table: Table, quoted: set[str]) -> set[str]:
    """Here every answer that the rules allow is offered, and every answer that is offered is allowed; the verbs asked for."""
    seen = set()
    for question in table.waiting():
        kinds: tuple[Any, ...] = (*question.accepts, Give)
        for kind in kinds:
            seen.add(kind.verb)
            offered = set(kind.options(table.state, question.seat))
            tried = universe(kind)
            allowed = {action for action in tried | offered if passes(action, table.state, question.seat, quoted)}
            assert offered <= allowed, f"{kind.verb} in {table.where()}"
            assert kind.open_ended or allowed == offered, f"{kind.verb} in {table.where()}"
            assert kind.verb in ("bid", "call", "give") or offered <= tried, "the universe is too small"
            if (obstacle := kind.obstacle(table.state, question.seat)) is not None:
                quoted.add(obstacle.rule)
    return seen


# --- secrets ------------------------------------------------------------------------------------------

def seen_by(table: Table, seat: Seat | None) -> list[object]:
    """All that a seat, or the public, can look at in a position, computed anew."""
    view = GAME.views.view(table.state, seat)
    out: list[object] = [view.model_dump_json(), GAME.views.board(view), GAME.words.moment(table.state), table.where()]
    out += [asked(question) for question in table.waiting()]
    own = table.asked(seat) if seat else None
    if seat and own is not None:
        options = [option for kind in own.accepts for option in kind.options(table.state, seat)]
        out += [options, [option.label() for option in options], [option.consequence(table.state, seat) for option in options]]
        out += [table.default(seat), GAME.views.private(table.state, seat)]
    return out


@every_game
def test_SOE_21_1_1_unrest_of_another_seat_shows_nowhere(opening):
    for table in game_of(opening).some():
        state = table.state
        powers = {seat: power for seat in state.seats if (power := state.power(seat))}
        for reader in (None, *state.seats):
            before = seen_by(table, reader)
            hidden = {power: 7 + number for number, (seat, power) in enumerate(powers.items()) if seat != reader}
            for power, more in hidden.items():
                state.unrest[power] += more
            assert seen_by(table, reader) == before
            for power, more in hidden.items():
                state.unrest[power] -= more
            if reader in powers:
                state.unrest[powers[reader]] += 7
                assert seen_by(table, reader) != before, "the seat itself sees its unrest (SOE-21.1.2)"
                state.unrest[powers[reader]] -= 7


def told(game: Played, start: Checkpoint, rows: list[Row], secret: str) -> dict[str, list[str]]:
    """What everybody, and each seat but the one with the secret, is told when these answers are given again."""
    table = Table(GAME, game.parts, start, dice=source(game.start))
    out: dict[str, list[str]] = {}
    for row in rows:
        if row.by != "player":
            continue
        kind = GAME.verb(row.verb)
        assert kind is not None
        table.answer(Seat(row.seat), kind.model_validate_json(row.answer))
        for entry in table.take()[0]:
            for event in entry.events:
                if (public := event.line()) is not None and type(event).__name__ != "UnrestRevealed":
                    out.setdefault("all", []).append(say(public, READER))
            for seat, sentence in entry.private:
                if seat != secret:
                    out.setdefault(seat, []).append(say(sentence, READER))
        if table.over:
            break
    return out


@pytest.mark.parametrize("opening", GAMES[:4], ids=[opening.name for opening in GAMES[:4]])
def test_SOE_21_1_5_what_is_told_of_a_war_does_not_depend_on_the_unrest_before(opening):
    game = game_of(opening)
    start = next(point for point in game.checkpoints if json.loads(point.state)["phase"] == "turn")
    rows = [row for row in game.rows if row.no > start.no]
    rows = rows[:next(no for no, row in enumerate(rows) if "WarEnded" in row.events) + 1]
    changed_state = json.loads(start.state)
    seat, power = changed_state["seats"][0], changed_state["powers"][0]
    changed_state["unrest"][power] += 11
    other = Checkpoint(start.no, start.rolls, json.dumps(changed_state))
    assert told(game, start, rows, seat) == told(game, other, rows, seat)


def models(kind: type[BaseModel]) -> Iterator[type[BaseModel]]:
    yield kind
    for known in kind.model_fields.values():
        for inner in (known.annotation, *get_args(known.annotation)):
            if isinstance(inner, type) and issubclass(inner, BaseModel):
                yield from models(inner)


def test_SOE_21_1_1_a_view_has_no_field_for_the_unrest_of_others():
    fields = {(model.__name__, field) for model in models(View) for field in model.model_fields if "unrest" in field}
    assert fields == {("View", "own_unrest"), ("PowerView", "revealed_unrest"), ("StockView", "unrest"),
                      ("LocalAlliance", "unrest")}


@every_game
def test_SOE_18_1_1_unrest_is_revealed_only_when_the_game_is_over(opening):
    game = game_of(opening)
    for table in game.some():
        assert {power.revealed_unrest for seat in (None, *table.state.seats)
                for power in GAME.views.view(table.state, seat).powers} <= {None}
        assert not GAME.views.view(table.state, None).ranking
    last = game.table(game.checkpoints[-1], game.rows[-1].no).state
    assert {power.power: power.revealed_unrest for power in GAME.views.view(last, None).powers} == last.unrest


def test_SOE_3_2_9_only_the_owner_learns_of_a_taxation():
    for row in game_of(FOUR).rows:
        for event in parse_events(GAME, row.events):
            words = say(event.line(), READER) if event.line() else ""
            assert "tax" not in words.lower()
            assert "unrest" not in words.lower() or type(event).__name__ in ("UnrestRevealed", "Penalised")


# --- taking back --------------------------------------------------------------------------------------

def again(game: Played, to: int, *, fresh: bool = False) -> Table:
    """The table after the log so far and a return to row `to`."""
    back = Rewind(to=to, kind="rollback" if fresh else "undo", fresh=fresh)
    log = [*game.rows, Row(game.rows[-1].no + 1, "", "moderator", REWIND, back.model_dump_json())]
    now = line(log)
    assert now.head == to
    return Table(GAME, game.parts, game.start, now.rows, dice=source(game.start), epoch=now.epoch, next_no=log[-1].no + 1,
                 returned_at=now.returned_at)


def same(rows: Iterable[Row]) -> list[tuple[str, ...]]:
    return [(row.seat, row.by, row.verb, row.answer, row.events) for row in rows]


@every_game
def test_SOE_20_1_4_after_a_return_the_same_answers_bring_the_same_throws(opening):
    game = game_of(opening)
    decisions = [index for index, row in enumerate(game.rows) if row.by == "player"]
    for index in decisions[::max(1, len(decisions) // 6)]:
        to = game.rows[index - 1].no if index else 0
        table = again(game, to)
        assert table.asked_at == game.rows[-1].no + 1, "buttons from before the return are stale"
        for row in game.rows[index:index + 25]:
            if row.by == "player":
                kind = GAME.verb(row.verb)
                assert kind is not None
                table.answer(Seat(row.seat), kind.model_validate_json(row.answer))
        made = [entry.row() for entry in table.take()[0]][:25]
        assert same(made) == same(game.rows[index:index + len(made)]) and made[0].no == game.rows[-1].no + 2


def test_SOE_20_1_4_a_rollback_with_fresh_throws_brings_others():
    game = game_of(FOUR)
    first_roll = next(row for row in game.rows if row.by == "dice" and row.no > 40)
    table = again(game, first_roll.no - 1, fresh=True)
    thrown = next(row for row in (entry.row() for entry in table.take()[0]) if row.by == "dice")
    assert json.loads(thrown.answer)["epoch"] == 1 and json.loads(first_roll.answer)["epoch"] == 0
    assert json.loads(thrown.answer)["throw"] == json.loads(first_roll.answer)["throw"]


# --- the random games reach far enough ----------------------------------------------------------------

def test_the_random_games_together_tell_nearly_every_fact_and_give_every_kind_of_answer():
    rows = [row for opening in GAMES for row in game_of(opening).rows]
    verbs = {row.verb for row in rows}
    assert {kind.verb for kind in (*GAME.rules.actions, *GAME.rules.asides)} - verbs <= {"alliance"}
    facts = {event["is"] for row in rows for event in json.loads(row.events)}
    unseen = {kind.tag for kind in GAME.rules.events} - facts
    assert unseen <= {"ColonyDue", "CaptiveFreed", "SupportDoubled"}, unseen
