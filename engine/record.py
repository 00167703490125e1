"""A finished game as text, so that anybody can repeat every roll and every rule: one JSON object a line.

First a header with all that the game began from, then each row in force and each row that returned, then the end. A number that
is missing is that of a row that was taken back. Since the rows that return are there, everybody can see why the dice were rolled
afresh, and that they were not otherwise. Every line carries the SHA-256 of the line before it and of itself, so a changed,
missing or added line shows. On whose word a seat answered is not told, but that somebody else answered in its name is.

While a game is under way there is only its public record: the same, with the sentences that everybody has read in place of the
answers, and without the secret of the dice. Its hashes cover those sentences alone, since from the hash of an answer that is
sealed the answer could be guessed.

A game can go on from a row of another, with dice of its own. Up to that row its rolls are those of the other game, which only
the record of that game can prove; the header says which one it is, by the hash of its secret.
"""
from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from engine.components import Components, bound
from engine.dice import Dice, SecretDice, commitment
from engine.kernel import Action, Checkpoint, Event, GameSpec, Rolled, Row, Seat, Slot, Stirred, Table
from engine.kernel.model import Model
from engine.options import BY_NUMBER, DICE, by_decision, own, rules_of
from engine.outside import loaded
from engine.proxies import WRITTEN
from engine.refusals import Drift, Faulty, Refusal
from engine.text import MINUS, Reader, say
from engine.text.english import English
from engine.text.languages import ENGLISH
from engine.undo import REWIND, Rewind, line

MOST_ROWS = 100_000         # of a record from outside: far more than any game has
BYTE_ORDER_MARK, LINE_ENDS = "\ufeff", re.compile(r"[\r\n]+")
MOST_CHARACTERS = 64_000_000
MOST_SIDES = 2 ** 32            # of a die: beyond 2 ** 64 a roll would never be found


class Origin(BaseModel):
    """Where a game comes from that goes on from a row of another."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    row: int = Field(ge=0, le=MOST_ROWS)            # the last one of the other game
    commitment: str                                 # of the other game's dice


class Header(BaseModel):
    """What a game begins from."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    record: Literal[1, 2, 3]        # the first form had no rows that return, and no sides; by the third, dice go by decision
    game: str                       # key of its GameSpec
    edition: str
    options: dict[str, Any]         # those that differ from the edition's
    seats: dict[str, str]           # seat -> name, in seat order
    components: dict[str, Any]
    hash: str                       # SHA-256 of the components
    secret: str                     # of the dice
    commitment: str                 # its SHA-256, published at the start
    origin: Origin | None = None
    rules_version: int = Field(default=0, ge=0)             # of the rulings by which it is played; earlier records do not tell


class Answer(BaseModel):
    """One row: who answered what, and what followed; or who returned where to."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    no: int = Field(ge=1, le=MOST_ROWS)
    seat: str
    verb: str
    answer: dict[str, Any]
    sides: tuple[int, ...] = ()     # of a roll: how many sides each die has, so that it can be repeated without the rules
    purpose: str = ""               # of a roll by decision: what it is rolled for
    events: list[dict[str, Any]]
    proxy: str = Field(default="", pattern=WRITTEN)         # who answered in the seat's name, if somebody else did


class End(BaseModel):
    """How it ended."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    result: str | None              # None for a game that is not over
    standings: list[tuple[str, int, int]]           # seat, place, points
    state: str                      # SHA-256 of the final state's JSON


@dataclass(frozen=True)
class Roll:
    """A roll in force, as the record states it."""

    row: int
    rolled: Rolled
    sides: tuple[int, ...]
    purpose: str


@dataclass(frozen=True)
class Record:
    """A record that is complete and unchanged; whether the rules and the secret agree with it, `replay` finds out."""

    header: Header
    rows: tuple[Row, ...]           # those in force
    log: tuple[Row, ...]            # with those that return among them
    returns: tuple[tuple[int, Rewind], ...]         # row, and where it returned to
    rolls: tuple[Roll, ...]
    end: End

    @property
    def proves_epochs(self) -> bool:
        """True if it tells why dice were rolled afresh."""
        return self.header.record > 1

    @property
    def by_decision(self) -> bool:
        return self.header.record > 2

    @property
    def options(self) -> dict[str, Any]:
        """The options of the game, as a game with them is opened now."""
        return self.header.options | ({} if self.by_decision else {DICE: BY_NUMBER})

    @property
    def inherited(self) -> int:
        """The row up to which the rolls are those of another game."""
        return self.header.origin.row if self.header.origin is not None else 0


M = TypeVar("M", bound=BaseModel | Model)


def write(table: Table, *, edition: str, options: Mapping[str, Any], seats: Mapping[Seat, str], components: Components,
          secret: str, log: Iterable[Row], origin: Origin | None = None) -> str:
    """The record of the game at this table, from its whole log. `options` are those that differ from the edition's."""
    spec, log = table.spec, tuple(log)
    header = {"record": _form(options), "game": spec.key, "edition": edition, "options": own(options), "seats": dict(seats),
              "components": components.raw, "hash": components.hash, "secret": secret, "commitment": commitment(secret),
              **_from(origin), **_version(spec.played_by(table.state))}
    in_force = line(log).rows
    kept = {row.no for row in in_force}
    start = _start(spec, tuple(seats), edition, options, components, version=spec.played_by(table.state))
    rolled = _Noting(spec, components.parts, start, in_force, dice=table.dice).rolled
    answers = [_answer(row, rolled, by_decision=by_decision(options)) for row in log if row.no in kept or row.verb == REWIND]
    end = {"result": _result(table),
           "standings": spec.rules.standings(table.state) if table.over else [], "state": state_hash(table)}
    return _chained([header, *answers, end])


def seat_names(table: Table, seats: Iterable[Seat]) -> dict[Seat, str]:
    """Return what the seats are called in the record of a game: by the names that they have at its end."""
    who = _reader(table)
    return {seat: who.name(table.spec.words.seat_name(table.state, seat)) for seat in seats}


def write_public(*, game: str, edition: str, options: Mapping[str, Any], components: str, commitment: str,
                 sentences: Iterable[tuple[int, bool, str]], stands: str, origin: Origin | None = None) -> str:
    """The public record of a game that is not over: rows, whether they are in force, and what everybody has read of them.

    `components` is the hash of its components, `stands` how the game stands.
    """
    header = {"record": _form(options), "public": True, "game": game, "edition": edition, "options": own(options),
              "hash": components,
              "commitment": commitment, **_from(origin)}
    rows: dict[tuple[int, bool], list[str]] = {}
    for no, in_force, sentence in sentences:
        rows.setdefault((no, in_force), []).append(sentence)
    return _chained([header, *({"no": no, "in_force": in_force, "says": says} for (no, in_force), says in rows.items()),
                     {"stands": stands}])


def _from(origin: Origin | None) -> dict[str, Any]:
    return {} if origin is None else {"origin": origin.model_dump()}


def _version(version: int) -> dict[str, Any]:
    """Return what a header says of the rulings: nothing in a game that began before any were counted."""
    return {"rules_version": version} if version else {}


def _chained(bodies: Iterable[Mapping[str, Any]]) -> str:
    lines: list[str] = []
    chain = ""
    for body in bodies:
        chain = _link(chain, body)
        lines.append(_compact({**body, "chain": chain}))
    return "".join(f"{line}\n" for line in lines)


def _form(options: Mapping[str, Any]) -> int:
    """The form of a game's record: with rolls by number it is, to the last byte, that of earlier versions."""
    return 3 if by_decision(options) else 2


def _answer(row: Row, rolled: Mapping[int, tuple[tuple[int, ...], str]], *, by_decision: bool) -> dict[str, Any]:
    stated: dict[str, object] = {}
    if row.no in rolled:
        sides, purpose = rolled[row.no]
        stated = {"sides": sides, "purpose": purpose} if by_decision else {"sides": sides}
    return {"no": row.no, "seat": row.seat, "verb": row.verb, "answer": json.loads(row.answer), **stated,
            "events": json.loads(row.events), **({"proxy": row.proxy} if row.proxy else {})}


class _Noting(Table):
    """A table that only replays, and notes how many sides the dice of each roll had and what for: rows do not say so."""

    def __init__(self, spec: GameSpec, parts: Any, start: Checkpoint, rows: Iterable[Row], *, dice: Dice,
                 strict: bool = False) -> None:
        self.rolled: dict[int, tuple[tuple[int, ...], str]] = {}
        self.unasked: list[int] = []
        super().__init__(spec, parts, start, rows, dice=dice, checkpoints=False, strict=strict, run_on=False)

    def _replay(self, old: Row, strict: bool) -> None:
        """Raises Drift; in a file from outside also for a row that makes the rules break off, whatever they raise."""
        try:
            super()._replay(old, strict)
        except Drift:
            raise
        except Exception as why:
            if not strict:
                raise
            raise Drift(f"row {old.no} makes the rules break off ({type(why).__name__})", no=old.no) from None

    def _advance(self, seat: Seat, action: Action, by: str, place: Slot | None) -> tuple[Event, ...]:
        if isinstance(action, Rolled):
            self.rolled[self._no] = self.rolled_for(action)
            if place is None:
                self.unasked.append(self._no)
        return super()._advance(seat, action, by, place)


def seal(record: str) -> str:
    """The hash of a whole record: the last of its chain. Two records that end in the same one are the same."""
    return str(json.loads(plain(record).rstrip("\n").rpartition("\n")[2])["chain"])


def plain(record: str) -> str:
    """A record as it was written, whatever an editor or a mail program has done to the ends of its lines."""
    lines = LINE_ENDS.sub("\n", record.removeprefix(BYTE_ORDER_MARK)).lstrip("\n")       # in the lines there are none
    return f"{lines}\n" if lines.endswith("}") else lines


def read(record: str) -> Record:
    """The record that a text holds; it may come from anybody. Raises Faulty with the first line that is wrong."""
    if len(record) > MOST_CHARACTERS:
        raise Faulty("This file is too long for a game record.")
    *lines, rest = plain(record).split("\n")
    bodies = _bodies(lines)
    if rest:
        raise Faulty("The record is cut off in line {line}.", line=len(lines) + 1)
    if len(bodies) < 2:
        raise Faulty("The record is cut off: it has {lines} of at least 2 lines.", lines=len(bodies))
    if bodies[0].get("public") is True:
        raise Faulty("This is the public record of an unfinished game. Export it again when the game is over.")
    if "standings" not in bodies[-1] and "verb" in bodies[-1]:
        raise Faulty("The record is cut off after line {line}: its end is missing.", line=len(bodies))
    header, end = _fits(Header, bodies[0], 1), _fits(End, bodies[-1], len(bodies))
    answers = [_fits(Answer, body, number) for number, body in enumerate(bodies[1:-1], 2)]
    return _sorted(header, answers, end)


def _bodies(lines: Sequence[str]) -> list[dict[str, Any]]:
    """Return what the lines say, each without its link of the chain. Raises Faulty for a line that is not exactly as it was
    written."""
    bodies: list[dict[str, Any]] = []
    chain = ""
    for number, words in enumerate(lines, 1):
        try:
            body = loaded(words)
            stated = body.pop("chain")
            chain = _link(chain, body)
            as_written = words == _compact({**body, "chain": stated})
        except (ValueError, AttributeError, KeyError, TypeError):
            raise Faulty("Line {line} isn't a line of a game record.", line=number) from None
        if chain != stated or not as_written:
            raise Faulty("Line {line} was changed, or a line before it is missing.", line=number)
        bodies.append(body)
    return bodies


def _sorted(header: Header, answers: Sequence[Answer], end: End) -> Record:
    """Rows in force, rows that return, rolls. Raises Faulty unless the rows that return explain what is in force."""
    rows = {answer.no: Row(answer.no, answer.seat, "", answer.verb, _compact(answer.answer), _compact(answer.events),
                           answer.proxy) for answer in answers}
    numbers = [answer.no for answer in answers]
    for before, after in zip([0, *numbers], numbers):
        if after <= before:
            raise Faulty("Step {row} can't follow step {before}.", row=after, before=before)
    returns = [(answer.no, _fits(Rewind, answer.answer, place)) for place, answer in enumerate(answers, 2)
               if answer.verb == REWIND]
    for no, back in returns:
        if not 0 <= back.to < no:
            raise Faulty("Step {row} can't return to step {to}.", row=no, to=back.to)
    rolls = [Roll(answer.no, _fits(Rolled, answer.answer, place), answer.sides, answer.purpose)
              for place, answer in enumerate(answers, 2) if answer.verb in (Rolled.verb, Stirred.verb)]
    log = tuple(rows.values())
    record = Record(header, tuple([row for row in log if row.verb != REWIND]), log, tuple(returns), tuple(rolls), end)
    if record.proves_epochs:
        _explained(record, rows, numbers[-1] if numbers else 0)
    elif returns:
        raise Faulty("A record of the first format has no undo.")
    return record


def _explained(record: Record, rows: Mapping[int, Row], newest: int) -> None:
    """Raise Faulty unless the rows that return leave just these rows in force, and each roll belongs to its epoch."""
    whole = [rows.get(no) or Row(no, "", "", "", "") for no in range(1, newest + 1)]        # what is missing was taken back
    in_force = {row.no for row in line(whole).rows}
    for no in sorted({row.no for row in record.rows} ^ in_force):
        raise Faulty("Step {row} should count after the undos and is missing, or the other way round.", row=no)
    epochs = _epochs(newest, dict(record.returns))
    for throw in record.rolls:
        if throw.rolled.epoch != epochs[throw.row]:
            raise Faulty("Step {row}: no undo explains why the dice were rolled afresh.", row=throw.row)


def _epochs(newest: int, returns: Mapping[int, Rewind]) -> list[int]:
    """After each row, 0 standing for the beginning: how often the dice had been rolled afresh when they last were."""
    epochs, afresh = [0], 0
    for no in range(1, newest + 1):
        back = returns.get(no)
        if back is not None and back.fresh:
            afresh += 1
        epochs.append(epochs[-1] if back is None else afresh if back.fresh else epochs[back.to])
    return epochs


def replay(record: Record, spec: GameSpec) -> Table:
    """The table at the end of the record. Legality, dice and result are checked again.

    Raises Faulty with the first row that the rules, the components or the secret do not bear out.
    """
    table = position(record, spec)
    if state_hash(table) != record.end.state:
        raise Faulty("The game ends in another position than the record says.")
    result = _result(table)
    standings = spec.rules.standings(table.state) if table.over else []
    if (_hyphened(result), standings) != (_hyphened(record.end.result), record.end.standings):
        raise Faulty("The game ends with another result than the record says.")
    return table


def _hyphened(result: str | None) -> str | None:
    """A result as earlier versions wrote it, which had a hyphen for the minus sign."""
    return None if result is None else result.replace(MINUS, "-")


def position(record: Record, spec: GameSpec, row: int | None = None) -> Table:
    """The table after a row of the record (None: the last), all up to there checked. Raises Faulty as `replay` does."""
    header = record.header
    if header.game != spec.key:
        raise Faulty("This is a record of another game ({key}).", key=header.game)
    components = bound(spec, header.components)
    if components.hash != header.hash:
        raise Faulty("The components in the record don't match their hash.")
    dice = _rolled(record)
    if row and row not in {known.no for known in record.rows}:
        raise Faulty("The record has no step {row}. Its last step is {last}.", row=row,
                     last=record.rows[-1].no if record.rows else 0)
    rows = record.rows if row is None else [known for known in record.rows if known.no <= row]
    try:
        table = _Noting(spec, components.parts, beginning(record, spec), rows, dice=dice, strict=True)
    except Drift as drift:
        raise Faulty("Step {row} isn't allowed by the rules and the dice.", row=drift.no) from None
    except Refusal:
        raise
    except Exception:           # components that fit their form and make no game; what the rules say of them quotes the file
        raise Faulty("The game can't begin from the components and options in the record.") from None
    afresh = {no for no, back in record.returns if back.fresh} | ({record.inherited} if header.origin is not None else set())
    for no in table.unasked:
        if no - 1 not in afresh:
            raise Faulty("Step {row}: hidden pieces are shuffled anew, and nothing explains why.", row=no)
    for throw in record.rolls:
        sides, purpose = table.rolled.get(throw.row, ((), ""))
        if throw.sides and sides and throw.sides != sides:
            raise Faulty("Step {row}: the rules roll dice with other sides than the record says.", row=throw.row)
        if record.by_decision and sides and throw.purpose != purpose:
            raise Faulty("Step {row}: the rules roll dice for something else than the record says.", row=throw.row)
    return table


def _rolled(record: Record) -> Dice:
    """The dice of the record, if they were rolled as it states: those of another game as they lay there. Raises Faulty."""
    try:
        dice = SecretDice(record.header.secret, by_decision=record.by_decision)
    except ValueError:
        raise Faulty("The secret of the dice isn't written in hexadecimal digits.") from None
    if bytes.fromhex(record.header.secret).hex() != record.header.secret:       # else a game would have many records
        raise Faulty("Write the secret of the dice in lower-case hexadecimal digits without blanks.")
    if dice.commitment != record.header.commitment:
        raise Faulty("The secret of the dice doesn't match the hash published at the start.")
    lay: dict[int, tuple[int, ...]] = {}
    for number, throw in enumerate(record.rolls):
        rolled = throw.rolled
        if throw.sides and max(throw.sides) > MOST_SIDES:
            raise Faulty("Step {row}: dice have {most} sides at most.", row=throw.row, most=MOST_SIDES)
        if rolled.throw != number:
            raise Faulty("Step {row} says roll {stated}, but roll {number} comes next.", row=throw.row, stated=rolled.throw,
                         number=number)
        if throw.row <= record.inherited:
            if len(rolled.values) != len(throw.sides) or not all(1 <= v <= s for v, s in zip(rolled.values, throw.sides)):
                raise Faulty("Step {row}: dice can't show that.", row=throw.row)
            lay[number] = rolled.values
        elif throw.sides and (min(throw.sides) < 1 or rolled.values != dice(
                rolled.epoch, rolled.throw, throw.sides, throw.purpose)):
            raise Faulty("Step {row}: the secret gives other dice than the record says.", row=throw.row)
    return lambda epoch, throw, sides, purpose: lay[throw] if throw in lay else dice(epoch, throw, sides, purpose)


def beginning(record: Record, spec: GameSpec) -> Checkpoint:
    """The state before the first row of a record. Raises Faulty."""
    header = record.header
    return _start(spec, tuple(map(Seat, header.seats)), header.edition, header.options, bound(spec, header.components),
                  version=header.rules_version)


def _start(spec: GameSpec, seats: tuple[Seat, ...], edition: str, options: Mapping[str, Any],
           components: Components, *, version: int) -> Checkpoint:
    """The state before the first row, under the rulings of this version. Raises Faulty."""
    if version > spec.rules.version:
        raise Faulty("This record comes from a later version of the bot, whose rules I don't know yet.")
    if len(seats) not in spec.seats:
        raise Faulty("{game} is for {players} players.", game=spec.name, players=spec.players)
    state = spec.first_state(seats, rules_of(spec, edition, options), components.parts, version=version)
    return Checkpoint(0, 0, state.model_dump_json())


def _result(table: Table) -> str | None:
    """How the game ended, in the words of records; None as long as it goes on."""
    words = table.spec.words
    return say((words.recorded or words.result)(table.state), _reader(table)) if table.over else None


def _reader(table: Table) -> Reader:
    """A reader to whom no name has an article, since what records say stays as it was first written."""
    return Reader(dict(table.spec.words.names(table.parts, table.state)), English(ENGLISH.code, ENGLISH.own_name))


def state_hash(table: Table) -> str:
    """The SHA-256 of the state's JSON: equal positions have equal hashes."""
    return hashlib.sha256(table.state.model_dump_json().encode()).hexdigest()


def _link(chain: str, body: Mapping[str, Any]) -> str:
    return hashlib.sha256(f"{chain}{_compact(body)}".encode()).hexdigest()


def _compact(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _fits(model: type[M], body: Mapping[str, Any], number: int) -> M:
    try:
        found: M = model.model_validate(body)       # type: ignore[assignment]      # of either kind
    except ValidationError:
        raise Faulty("Line {line} isn't a line of a game record.", line=number) from None
    return found
